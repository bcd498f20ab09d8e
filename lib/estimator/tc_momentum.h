/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The generalized-momentum observer. It estimates the external force on a mechanism, the force that
 * its motors do not explain. A threshold with hysteresis and debounce on that force detects
 * contact. This is the state of practice, without a model of contact; tc_estimator.h is more
 * accurate and costs more.
 *
 *     tc_momentum m;
 *     const tc_momentum_config config = tc_momentum_default();     or tc_momentum_default_for()
 *     tc_status s = tc_momentum_init(&m, &config, 2);
 *     ...each tick:
 *     s = tc_momentum_rates(&m, q, lost, qd);     filtered rates, to compute M, bias and J
 *     s = tc_momentum_update(&m, &tick, &info);
 *
 * The caller computes mass matrix, bias and Jacobian, so the observer serves any mechanism;
 * tc_leg_move has them for a leg. The functions are re-entrant.
 *
 * Cost: no loop depends on values; O(n^3) in the joints; 704 bytes of stack.
 */
#ifndef TC_MOMENTUM_H
#define TC_MOMENTUM_H

#include "tc_leg.h"

TC_BEGIN

/* Limits: joints; rows of the Jacobian. */
#define TC_MOMENTUM_JOINTS 6u
#define TC_MOMENTUM_ROWS 3u

/* Configuration. */
typedef struct tc_momentum_config {
    tc_real step;          /* tick [s]; 1e-5..0.1; 0.001 */
    tc_real rate_filter;   /* bandwidth of the rates' low pass [1/s]; > 0, at most 1e6; 800;
                            * higher: less delay, more noise */
    tc_real gain;          /* bandwidth of the observer [1/s]; > 0, at most 1e6; 700; higher:
                            * less delay, more noise */
    tc_real on, off;       /* thresholds on the force: contact begins above `on`, ends below
                            * `off` [N]; off <= on, magnitude at most 1e9; 12, 8.4; higher: later
                            * touch-downs, fewer false ones */
    uint32_t debounce_on;  /* consecutive ticks above `on` that begin a contact; >= 1; 1; higher:
                            * later, fewer false ones */
    uint32_t debounce_off; /* consecutive ticks below `off` that end it; >= 1; 1; higher: later,
                            * fewer false ends */
} tc_momentum_config;

/* One tick of n joints. All arrays use the same coordinates; matrices are row-major. */
typedef struct tc_momentum_tick {
    const tc_real *q;      /* [n] measured coordinates, as given to tc_momentum_rates [rad] or
                            * [m] */
    const tc_real *qd;     /* [n] rates from tc_momentum_rates [rad/s] or [m/s] */
    const tc_real *M;      /* [n x n] mass matrix at q; symmetric positive definite */
    const tc_real *bias;   /* [n] torques that keep qdd = 0: Coriolis, centrifugal, gravity,
                            * friction and damping [N m] or [N] */
    const tc_real *torque; /* [n] torques of the motors, mean over the tick that ends now [N m]
                            * or [N] */
    const tc_real *J;      /* [rows x n] maps rates to the contact point's velocity; the force
                            * along the last row decides about contact */
    uint32_t rows;         /* rows of J; 1..TC_MOMENTUM_ROWS */
    uint32_t lost;         /* ticks without a sample before this one */
} tc_momentum_tick;

/* Result of one tick. */
typedef struct tc_momentum_info {
    tc_real torque[TC_MOMENTUM_JOINTS]; /* external torque of each joint [N m] or [N] */
    tc_real force[TC_MOMENTUM_ROWS];    /* external force at the point, along the rows of J [N] */
    uint32_t contact;                   /* 1: contact; 0: none */
} tc_momentum_info;

/* An observer. The caller may read the fields and must not write them. */
typedef struct tc_momentum {
    tc_momentum_config config; /* copy of the configuration */
    uint32_t joints;           /* n; 0: not initialised */
    uint32_t ticks;            /* ticks so far, up to UINT32_MAX */
    uint32_t count;            /* consecutive ticks that contradict `contact` */
    uint32_t contact;          /* 1: contact; 0: none */
    tc_real q[TC_MOMENTUM_JOINTS], qd[TC_MOMENTUM_JOINTS]; /* of the last tick */
    tc_real residual[TC_MOMENTUM_JOINTS]; /* external torque, filtered [N m] or [N] */
} tc_momentum;

/* Returns the configuration with the fewest wrong ticks on the legs of tests/hil (`tinycontact leg
 * hil tune`), for a tick of 1 ms. */
tc_momentum_config tc_momentum_default(void);

/* Scales tc_momentum_default() to another leg, tick [s] and sensors: thresholds by the mass that
 * the foot moves, bandwidths by the encoders. For those of tests/hil the result has the same bits.
 * Returns: the statuses of tc_leg_check, and
 *   TC_ERR_NULL   a pointer is NULL.
 *   TC_ERR_RANGE  the tick is not in 1e-5..0.1, or a number of the sensing is NaN, impossible, or
 *                 leads to a configuration that tc_momentum_init refuses.
 * On error: config is zero. */
tc_status tc_momentum_default_for(const tc_leg *leg, tc_real tick, const tc_leg_sensing *sensing,
                                  tc_momentum_config *config);

/* Starts an observer of `joints` joints; it copies the configuration.
 * Returns:
 *   TC_OK         done.
 *   TC_ERR_NULL   a pointer is NULL.
 *   TC_ERR_SIZE   joints is not in 1..TC_MOMENTUM_JOINTS.
 *   TC_ERR_RANGE  a field of config is NaN or out of its range.
 * On error: m is zero, and the other functions refuse it with TC_ERR_SIZE. */
tc_status tc_momentum_init(tc_momentum *m, const tc_momentum_config *config, uint32_t joints);

/* Computes the filtered rates qd[n] at the measured q[n], after `lost` ticks without a sample.
 * Before the first update they are 0.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_SIZE        m is not initialised.
 *   TC_ERR_NOT_FINITE  a coordinate is NaN or infinite, or a rate overflows.
 * On error: qd is zero; after TC_ERR_SIZE unchanged. */
tc_status tc_momentum_rates(const tc_momentum *m, const tc_real *q, uint32_t lost, tc_real *qd);

/* Advances the observer by one tick. The force of the first two ticks is 0. info: may be NULL;
 * m->contact is in m too.
 * Returns:
 *   TC_OK                                 done.
 *   TC_NOTE_RANK                          J lacks rank, or has more rows than joints: the force is
 *                                         one of many that explain the torque.
 *   TC_ERR_NULL                           a pointer is NULL.
 *   TC_ERR_SIZE                           rows is not in 1..TC_MOMENTUM_ROWS, or m is not
 *                                         initialised.
 *   TC_ERR_NOT_FINITE                     a number of the tick is NaN or infinite.
 *   TC_ERR_SINGULAR, TC_ERR_INDEFINITE    M is not positive definite.
 *   TC_ERR_RANGE                          a result overflows.
 * On error: m is unchanged, info is zero. */
tc_status tc_momentum_update(tc_momentum *m, const tc_momentum_tick *tick, tc_momentum_info *info);

TC_END

#endif
