/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The generalized-momentum observer: which force acts on a mechanism that its motors do not explain, and, by a
 * threshold with hysteresis and debounce on that force, whether it touches. The state of practice for contact detection,
 * without a model of contact; tc_estimator.h is better and costs more.
 *
 *     tc_momentum m;
 *     const tc_momentum_config config = tc_momentum_default();     tc_momentum_default_for() for a leg
 *     tc_status s = tc_momentum_init(&m, &config, 2);
 *     ...each tick:
 *     s = tc_momentum_rates(&m, q, lost, qd);     filtered rates, for whoever computes M, bias and J
 *     s = tc_momentum_update(&m, &tick, &info);
 *
 * Any mechanism: mass matrix, bias and Jacobian are the caller's (tc_leg_move has them for a leg). Re-entrant. Time: no
 * loop depends on values; O(n^3) in the joints.
 */
#ifndef TC_MOMENTUM_H
#define TC_MOMENTUM_H

#include "tc_leg.h"

TC_BEGIN

#define TC_MOMENTUM_JOINTS 6u
#define TC_MOMENTUM_ROWS 3u

typedef struct tc_momentum_config {
    tc_real step;           /* the tick [s], 1e-5..0.1 */
    tc_real rate_filter;    /* bandwidth of the rates' low pass [1/s], > 0: noise against delay */
    tc_real gain;           /* the observer's [1/s], > 0 */
    tc_real on, off;        /* contact begins above `on` and ends below `off` [N], on >= off */
    uint32_t debounce_on;   /* ticks in a row that it takes, >= 1 */
    uint32_t debounce_off;
} tc_momentum_config;

/* One tick, in one set of coordinates: n joints, all matrices by rows. */
typedef struct tc_momentum_tick {
    const tc_real *q;       /* [n] as measured, the same as tc_momentum_rates got */
    const tc_real *qd;      /* [n] as tc_momentum_rates gave them */
    const tc_real *M;       /* [n x n] at q, symmetric positive definite */
    const tc_real *bias;    /* [n] Coriolis, centrifugal and gravity forces, friction and damping: what the motors give
                             * while qdd = 0 */
    const tc_real *torque;  /* [n] of the motors, over the tick that ends now */
    const tc_real *J;       /* [rows x n] joint rates to the velocity of the point that may touch; the last row decides */
    uint32_t rows;          /* 1..TC_MOMENTUM_ROWS */
    uint32_t lost;          /* ticks without a sample before this one */
} tc_momentum_tick;

typedef struct tc_momentum_info {
    tc_real torque[TC_MOMENTUM_JOINTS]; /* from outside, per joint [N m] or [N] */
    tc_real force[TC_MOMENTUM_ROWS];    /* at the point, along the rows of J [N] */
    uint32_t contact;                   /* 1: touches */
} tc_momentum_info;

typedef struct tc_momentum {
    tc_momentum_config config;
    uint32_t joints;
    uint32_t ticks;                       /* 0: nothing measured yet (stays at its maximum) */
    uint32_t count;                       /* ticks in a row that speak against `contact` */
    uint32_t contact;
    tc_real q[TC_MOMENTUM_JOINTS], qd[TC_MOMENTUM_JOINTS];
    tc_real residual[TC_MOMENTUM_JOINTS]; /* torque from outside, filtered */
} tc_momentum;

/* 1 ms, and what `tinycontact leg hil tune` found best for the legs of tests/hil: the fewest wrong ticks. */
tc_momentum_config tc_momentum_default(void);

/* The same, scaled to another leg, tick and sensors: thresholds by the mass that the foot moves, filters by the
 * encoders; for those of tests/hil, to the bit, tc_momentum_default(). TC_ERR_NULL; the statuses of tc_leg_check;
 * TC_ERR_RANGE a tick out of 1e-5..0.1, or numbers that tc_momentum_init refuses (NaN too). On an error `config` is
 * zero. */
tc_status tc_momentum_default_for(const tc_leg *leg, tc_real tick, const tc_leg_sensing *sensing,
                                  tc_momentum_config *config);

/* TC_ERR_NULL; TC_ERR_SIZE joints not in 1..TC_MOMENTUM_JOINTS; TC_ERR_RANGE a number of the configuration out of its
 * range (NaN too). On an error `m` is zero, and the other functions refuse it with TC_ERR_SIZE. */
tc_status tc_momentum_init(tc_momentum *m, const tc_momentum_config *config, uint32_t joints);

/* qd[n]: the rates at q[n], `lost` ticks without a sample before. 0 on the first call. `m` is not changed. TC_ERR_NULL,
 * TC_ERR_SIZE, TC_ERR_NOT_FINITE: qd is zero. */
tc_status tc_momentum_rates(const tc_momentum *m, const tc_real *q, uint32_t lost, tc_real *qd);

/* One tick on. J may lose rank, or have more rows than joints: then the force is one of many that explain the torque
 * and TC_NOTE_RANK is returned. TC_ERR_NULL, TC_ERR_SIZE (rows, or `m` not made by init), TC_ERR_NOT_FINITE,
 * TC_ERR_SINGULAR or TC_ERR_INDEFINITE (M), TC_ERR_RANGE (overflow): `m` is as it was, `info` is zero. */
tc_status tc_momentum_update(tc_momentum *m, const tc_momentum_tick *tick, tc_momentum_info *info);

TC_END

#endif
