/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the estimator's files share, internal: the bank of hypotheses (tc_estimator_bank_internal.h,
 * compiled once for two joints with everything unrolled and once for any number), the sensors
 * (tc_estimator_sensors.c), the gains of the torques (tc_estimator_gain.c) and the filters of the
 * base (tc_estimator_base.c).
 */
#ifndef TC_ESTIMATOR_INTERNAL_H
#define TC_ESTIMATOR_INTERNAL_H

#include "tc_estimator.h"
#include "tc_leg_core.h"
#include "tc_math.h"

enum { TC_MODE_AIR, TC_MODE_STICK, TC_MODE_RIGHT, TC_MODE_LEFT, TC_MODE_FREE };

/* numbers of a symmetric matrix: upper triangle by rows */
#define TC_PACKED(n) ((n) * ((n) + 1u) / 2u)

#define TC_START_SPEED TC_C(10.0) /* standard deviation of rates at the start [rad/s] or [m/s] */

/* The ground below the foot. Contact axes are its tangent (y, -x of the normal) and its normal. */
typedef struct tci_estimator_ground {
    tc_real normal[2]; /* world axes */
    tc_real above;     /* gap of the foot [m] */
    tc_real surface;   /* height of the ground below the contact point, as vertical[0] [m] */
} tci_estimator_ground;

/* One tick, as the bank sees it. */
typedef struct tci_estimator_bank_tick {
    /* in */
    const tc_estimator_sensors *sensors;
    const tc_real *R;            /* variance of each encoder */
    const tc_real *torque_noise; /* what is always wrong with each torque */
    const tc_real *mean;         /* of all hypotheses at the last tick [2 n] */
    tc_leg_view motion;          /* at this tick's encoders; M is replaced by its inverse;
                                        * J, carried and lever are in contact axes */
    tci_estimator_ground ground;
    tc_real slide_variance;            /* of the base's velocity along the tangent */
    tc_real step;                      /* since the last sensors [s] */
    tc_real noise;                     /* factor on what is wrong with torques */
    tc_real base[2], base_variance[2]; /* velocity of the contact point if no joint moved, and its
                                        * variance */
    tc_real friction, friction_spread;
    tc_real keep;                     /* probability that contact stays of its kind */
    tc_real own[TC_ESTIMATOR_MODES];  /* how hypotheses mix: of itself, ... */
    tc_real pool[TC_ESTIMATOR_MODES]; /* ... of all contacts together (weighted by their
                                       * probabilities), ... */
    tc_real air[TC_ESTIMATOR_MODES];  /* ... of air; own of air itself is 0 */
    /* out */
    uint32_t sound;                         /* 1: all variances are positive and finite */
    tc_real likelihood[TC_ESTIMATOR_MODES]; /* logarithms */
    tc_real W[3];                           /* J M^-1 J^T: tt, tn, nn */
    tc_real *turned[2];                     /* J M^-1, rows t and n [n] */
    tc_real free[2]; /* J qd at the tick's end without contact, of the mean */
} tci_estimator_bank_tick;

/* A mean over hypotheses after the tick, in contact space. */
typedef struct tci_estimator_bank_sum {
    tc_real velocity[2]; /* J qd, along x and y [m/s] */
    tc_real variance[3]; /* its covariance: tt, tn, nn */
} tci_estimator_bank_sum;

/* The bank of a number of joints. All bounded by loops over it, nothing depends on values. */
typedef struct tci_estimator_bank {
    /* All hypotheses alike: at the encoders q, at rest up to TC_START_SPEED */
    void (*start)(const tc_estimator *e, const tc_real *q);
    /* The mean of all hypotheses, weighted by e->p [2 n] */
    void (*mean)(const tc_estimator *e, tc_real *mean);
    /* What all hypotheses share: W, turned, free, and in work[TC_BANK_WORK(n)] what `move` reads
     * there */
    void (*prepare)(const tc_estimator *e, tci_estimator_bank_tick *tick, tc_real *work);
    /* Mixes, moves, constrains and compares all hypotheses, with the work that `prepare` left */
    void (*move)(const tc_estimator *e, tci_estimator_bank_tick *tick, tc_real *work);
    /* Over the contacts, weighted by weight[] (of sum 1; that of air is not looked at) */
    void (*sum)(const tc_estimator *e, const tci_estimator_bank_tick *tick, const tc_real *weight,
                tci_estimator_bank_sum *sum);
} tci_estimator_bank;

#define TC_BANK_WORK(n) (TC_ESTIMATOR_HYPOTHESIS(n) + (n) + 4u * TC_PACKED(n))

extern const tci_estimator_bank tci_estimator_bank_two, tci_estimator_bank_many;

/* tc_sigmoid without its table */
static inline tc_real tci_estimator_logistic(tc_real x)
{
    return TC_C(1.0) / (TC_C(1.0) + tc_exp(-x));
}

/* p(contact): summed, for what 1 - p(air) rounds to may be nothing */
static inline tc_real tci_estimator_contact(const tc_estimator *e)
{
    return e->p[TC_MODE_STICK] + e->p[TC_MODE_RIGHT] + e->p[TC_MODE_LEFT] + e->p[TC_MODE_FREE];
}

/* ---- tc_estimator_config.c ------------------------------------------------------------------- */

/* TC_OK or TC_ERR_RANGE (which NaN is too) */
tc_status tci_estimator_check(const tc_estimator_config *config, uint32_t joints);

/* ---- tc_estimator_sensors.c ------------------------------------------------------------------ */

/* At the first sensors, or where the filter begins again. */
void tci_estimator_sensors_start(tc_estimator *e, const tc_estimator_sensors *s);

/* TC_OK, TC_ERR_RANGE or TC_ERR_NOT_FINITE. What is in range is finite. */
tc_status tci_estimator_sensors_check(const tc_estimator_config *c, uint32_t n,
                                      const tc_estimator_sensors *s);

/* TC_ESTIMATE_ bits that the sensors alone decide; before the history takes the encoders */
uint32_t tci_estimator_sensors_flags(tc_estimator *e, const tc_estimator_sensors *s);

/* noise[n], what is always wrong with each torque: what the configuration says, or what it shows if
 * that is more. */
void tci_estimator_sensors_torques(tc_estimator *e, const tc_estimator_sensors *s, tc_real *noise);

/* R[n], the encoders' variances: what their resolution makes, or what they show if that is more. A
 * reading that no motion explains is believed as little as it is strange. */
uint32_t tci_estimator_sensors_encoders(tc_estimator *e, const tc_estimator_sensors *s,
                                        const tc_real *mean, tc_real H, tc_real *R);

/* ---- tc_estimator_gain.c --------------------------------------------------------------------- */

void tci_estimator_gain_start(tc_estimator *e);

/* Before the tick of which the motion (M not yet inverted) is known: what torques did in the one
 * before, if the foot is in the air */
void tci_estimator_gain_follow(tc_estimator *e, const tci_estimator_bank_tick *tick);

/* ---- tc_estimator_base.c --------------------------------------------------------------------- */

void tci_estimator_base_start(tc_estimator *e);

/* The base over the tick from its IMU: where it stands now, and its velocity and height in `e`. */
void tci_estimator_base_move(tc_estimator *e, const tc_estimator_sensors *sensors, tc_real step,
                             tc_leg_base *base);

/* What a foot in contact says about the base: it stands at motion->foot with the velocity
 * motion->carried + `sum` from the base's point of view. `touching`, `sticking`: probabilities. */
void tci_estimator_base_correct(tc_estimator *e, const tci_estimator_bank_tick *tick,
                                const tci_estimator_bank_sum *sum, tc_real touching,
                                tc_real sticking);

/* The foot stands on a new floor */
void tci_estimator_base_land(tc_estimator *e, const tci_estimator_bank_tick *tick);

/* ---- tc_estimator_ground.c ------------------------------------------------------------------- */

/* The ground below the foot of a base at x, z, which turns with `rate`. Puts the contact point of
 * `motion` on the foot's circle along the normal, and J, carried and lever into contact axes. The
 * shape's part is behind a pointer: who stands on a flat floor does not link it. */
static inline void tci_estimator_ground_look(const tc_estimator *e, tc_real x, tc_real z,
                                             tc_real rate, tc_leg_view *motion,
                                             tci_estimator_ground *ground)
{
    const tc_real base[3] = {x, z, rate};
    ground->normal[0] = TC_C(0.0);
    ground->normal[1] = TC_C(1.0);
    ground->above = z + motion->foot[1];
    ground->surface = TC_C(0.0);
    if (e->look != NULL) {
        e->look(e, base, motion, ground);
    }
}

/* A vector of world axes in contact axes */
static inline void tci_estimator_ground_turn(const tc_real normal[2], const tc_real v[2],
                                             tc_real turned[2])
{
    turned[0] = TC_MLS(v[0] * normal[1], v[1], normal[0]);
    turned[1] = TC_MLA(v[1] * normal[1], v[0], normal[0]);
}

#endif
