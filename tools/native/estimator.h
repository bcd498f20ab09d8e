/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact estimator for Python (tools/tinycontact/hil/estimate.py): a whole episode of sensors
 * in one call. Host only.
 */
#ifndef NATIVE_ESTIMATOR_H
#define NATIVE_ESTIMATOR_H

#include "tc_estimator_foot.h"
#include "tc_estimator_predict.h"
#include "tc_estimator_record.h"
#include "tc_momentum.h"

TC_BEGIN

/* As tc_leg_link */
typedef struct native_leg_link {
    double mass, inertia;
    double anchor[2], arm[2], axis[2];
    double rest, rotor, damping;
    int32_t joint; /* tc_chain_joint */
    int32_t unused;
} native_leg_link;

typedef struct native_leg {
    const native_leg_link *links; /* [joints] */
    uint32_t joints, root;        /* tc_leg_root */
    double g, radius, foot[2];
} native_leg;

/* What a configuration is made for, beside the leg: as tc_leg_sensing */
typedef struct native_sensing {
    double tick; /* [s] */
    double encoder_counts[TC_LEG_JOINTS], encoder_noise[TC_LEG_JOINTS], torque_noise[TC_LEG_JOINTS];
    double gyro_noise, accel_noise, base_velocity_noise;
    double torque_limit, gyro_limit, accel_limit;
} native_sensing;

/* The configuration of the leg with one number changed: `name` is that of a field, with an index in
 * brackets for one joint, without for all of them. */
typedef struct native_setting {
    const char *name;
    double value;
} native_setting;

/* What says who sticks, beside the filter itself. */
typedef struct native_law {
    const void *model; /* bytes of a .tcm, 16-byte aligned; null: nothing */
    uint32_t size;     /* [bytes] */
    uint32_t unused;
    float *features; /* [ticks][TC_LEARNED2_FEATURES_MAX] that it is asked about, NaN where it is
                      * not; or null */
} native_law;

/* Sensors of an episode, a row a tick: as tc_estimator_sensors, and whether the tick's frame is
 * lost. Null: not given. */
typedef struct native_sensors {
    const float *encoder, *torque;                             /* [ticks][joints] */
    const float *gyro;                                         /* [ticks] */
    const float *accel;                                        /* [ticks][2] */
    const float *pitch, *base_velocity, *touch, *place, *lost; /* [ticks] or null */
} native_sensors;

/* A part of a ground, a primitive of tc_sdf.h */
typedef struct native_ground_part {
    int32_t kind; /* tc_estimator_record_part */
    int32_t unused;
    double size[TC_SDF_SIZES], position[3];
} native_ground_part;

/* The ground of an episode; without parts a flat floor of unknown height */
typedef struct native_ground {
    const native_ground_part *parts;   /* [count] */
    uint32_t count, unused;            /* 0..TC_SDF_PARTS */
    double origin[3], along[3], up[3]; /* as in tc_ground2 */
} native_ground;

/* What came out of a tick. A lost tick repeats the one before, with TC_ESTIMATE_STALE. */
typedef struct native_estimate {
    double p[3];
    double impulse[2], impulse_variance[2];
    double slip, slip_variance;
    double since;
    double modes[TC_ESTIMATOR_MODES]; /* probabilities of the hypotheses */
    double friction, friction_variance;
    double scale[TC_LEG_JOINTS];       /* of the torques, identified */
    double vertical[3], horizontal[2]; /* of the base, as in tc_estimator */
    double ahead, early, late;         /* of the next touch-down, from when the estimate is
                                        * published [s]; NaN: none */
    uint32_t contact, flags;
    int32_t status; /* of tc_estimator_update */
    uint32_t unused;
} native_estimate;

/* Runs the estimator over `ticks` of sensors into rows[ticks]. Returns the status of
 * tc_estimator_default_for or tc_estimator_init, of the model (tc_model_open,
 * tc_estimator_foot_open), or TC_ERR_RANGE with `wrong` the index of a setting that names no field.
 * A tick that is refused counts as lost. */
int32_t native_estimate_run(const native_leg *leg, const native_sensing *sensing,
                            const native_setting *settings, uint32_t count, const native_law *law,
                            const native_ground *ground, const native_sensors *sensors,
                            uint32_t ticks, native_estimate *rows, uint32_t *wrong);

/* Leg, configuration and ground as a board takes them (tc_estimator_record.h): the number of bytes,
 * or a status as above. */
int32_t native_estimate_record(const native_leg *leg, const native_sensing *sensing,
                               const native_setting *settings, uint32_t count,
                               const native_ground *ground, uint8_t bytes[TC_ESTIMATOR_RECORD_MAX],
                               uint32_t *wrong);

/* The name of the k-th field of a configuration and the number of its elements, as native_setting
 * and native_estimate_config know it; NULL behind the last. */
const char *native_estimate_field(uint32_t k, uint32_t *count);

/* The configuration of a leg: all elements of all fields in a row, into numbers[length]. A status
 * as above; TC_ERR_SIZE if `length` is another number than theirs. */
int32_t native_estimate_config(const native_leg *leg, const native_sensing *sensing,
                               const native_setting *settings, uint32_t count, double *numbers,
                               uint32_t length, uint32_t *wrong);

/* The momentum observer's configuration for a leg: rate_filter, gain, on, off. A status. */
int32_t native_momentum_settings(const native_leg *leg, const native_sensing *sensing,
                                 double numbers[4]);

TC_END

#endif
