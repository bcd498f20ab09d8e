/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Whole episodes through the estimator of all feet (tc_feet.h), for Python
 * (tools/tinycontact/robots/firmware.py). Numbers cross in double, whatever tc_real is; sensors in
 * float.
 */
#ifndef FEET_H
#define FEET_H

#include "tc_feet.h"

TC_BEGIN

/* As tc_robot_link, tc_robot_limb and tc_robot. friction: dry friction of the joint [N m] or [N], which
 * counts as noise of its torque, as in exported tables */
typedef struct native_feet_link {
    double axis[3], origin[3], mass, com[3], inertia[6], rotor, damping, friction, range[2];
    int32_t joint, unused;
} native_feet_link;

typedef struct native_feet_limb {
    uint32_t joints, unused;
    double foot[3], radius;
    native_feet_link links[TC_ROBOT_JOINTS];
} native_feet_limb;

typedef struct native_feet_robot {
    uint32_t root, limbs;
    double g, mass, imu[3], imu_axes[9];
    native_feet_limb limb[TC_ROBOT_LIMBS];
} native_feet_robot;

/* As tc_feet_sensing, and the tick [s]. */
typedef struct native_feet_sensing {
    double tick, encoder_counts, encoder_noise, torque_noise, torque_gain, accel_noise,
        torque_limit, gyro_limit, accel_limit;
} native_feet_sensing;

/* A field of the configuration by name; each number of it becomes `value`. */
typedef struct native_feet_setting {
    const char *name;
    double value;
} native_feet_setting;

/* Sensors of an episode; joints one limb after another. */
typedef struct native_feet_sensors {
    const float *encoder, *torque; /* [ticks][joints] */
    const float *gyro, *accel;     /* [ticks][3] */
    const float *attitude;         /* [ticks][4] or null */
    const float *base_velocity;    /* [ticks][6]: velocity and variances; or null */
    const float *touch;            /* [ticks][limbs] or null */
    const float *lost; /* [ticks][limbs] or null: above 0.5 where a limb's frame is lost.
                                    * Where all are, so is the IMU's: the last one is taken */
} native_feet_sensors;

/* What came out of a tick, per foot. */
typedef struct native_feet_foot {
    double p[3], impulse[3], impulse_variance[3], slip[2], slip_variance, friction, since;
    double modes[TC_FEET_MODES], load[3];
    double scale[TC_ROBOT_JOINTS]; /* of the torques, identified */
    double ahead, early, late;     /* of tc_feet_predict, 0.1 s ahead: from the sensors to the next
                                    * touch-down, and its interval; NaN without one [s] */
    uint32_t contact, flags;
} native_feet_foot;

typedef struct native_feet_estimate {
    native_feet_foot foot[TC_ROBOT_LIMBS];
    double velocity[3], velocity_variance[2], height, slope[2], attitude[4], noise;
    uint32_t flags;
    int32_t status; /* of tc_feet_update; a tick that is refused repeats the one before, flagged
                     * TC_FEET_STALE */
} native_feet_estimate;

/* Runs the estimator over `ticks` of sensors into rows[ticks]. Returns the status of
 * tc_feet_default_for or tc_feet_init, or TC_ERR_RANGE with `wrong` the index of a setting that
 * names no field. */
int32_t native_feet_run(const native_feet_robot *robot, const native_feet_sensing *sensing,
                        const native_feet_setting *settings, uint32_t count,
                        const native_feet_sensors *sensors, uint32_t ticks,
                        native_feet_estimate *rows, uint32_t *wrong);

/* The name of the k-th field of a configuration and the number of its elements; NULL behind the
 * last. */
const char *native_feet_field(uint32_t k, uint32_t *count);

/* Sizes of the structs above, robot, sensing, sensors and estimate, and TC_FEET_STATE(4),
 * TC_FEET_WORK [bytes]. */
void native_feet_sizes(uint32_t sizes[6]);

TC_END

#endif
