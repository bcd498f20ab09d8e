/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A ball that flies and bounces among planes: its positions and their derivatives by up to four of
 * the ball's values. These values can be identified from observed positions. Flight is exact, and
 * so is the time of each touch.
 *
 *     const tc_plane3 planes[2] = {floor, wall};
 *     tc_bounce ball = tc_bounce_default();
 *     ball.planes_ref = planes; ball.planes = 2;
 *     ball.gravity[2] = TC_C(-9.81);
 *     ball.value[TC_BOUNCE_VELOCITY] = TC_C(5.0);         vx
 *     const tc_bounce_value unknown[1] = {TC_BOUNCE_RADIUS};
 *     const tc_fit_config config = tc_fit_default();
 *     tc_real deviation, work[TC_BOUNCE_WORK(1)];
 *     tc_status s = tc_bounce_identify(&ball, &seen, unknown, 1, &config, NULL, NULL, &deviation,
 *                                      &info, work, TC_COUNT(work));
 *     ball.value[TC_BOUNCE_RADIUS] is identified
 *
 * At a touch the normal velocity reverses by the restitution; friction acts in the round cone, with
 * the ball's spin. A ball that rests on a plane rolls on along it, without friction that slows it.
 * The same holds after `touches` touches. Functions then report TC_NOTE_LIMIT.
 *
 * Units are the caller's: metres and seconds, or any others.
 */
#ifndef TC_BOUNCE_H
#define TC_BOUNCE_H

#include "tc_fit.h"
#include "tc_plane.h"

TC_BEGIN

#define TC_BOUNCE_PLANES 4u     /* planes */
#define TC_BOUNCE_PARAMETERS 4u /* values with derivatives at a time */
#define TC_BOUNCE_TOUCHES 64u   /* touches */

/* Index of a ball's value. */
typedef enum tc_bounce_value {
    TC_BOUNCE_RADIUS = 0,      /* r [m]; > 0 */
    TC_BOUNCE_RESTITUTION = 1, /* normal speed after a touch to that before [1]; 0..1 */
    TC_BOUNCE_FRICTION = 2,    /* coefficient of Coulomb friction [1]; >= 0 */
    TC_BOUNCE_INERTIA = 3,     /* moment of inertia to m r^2 [1]; > 0; 0.4: solid, 2/3: shell */
    TC_BOUNCE_POSITION = 4,    /* x of the centre at time 0 [m]; y and z follow */
    TC_BOUNCE_VELOCITY = 7,    /* vx of the centre at time 0 [m/s]; vy and vz follow */
    TC_BOUNCE_SPIN = 10,       /* wx at time 0, world axes [rad/s]; wy and wz follow */
    TC_BOUNCE_VALUES = 13      /* number of values */
} tc_bounce_value;

/* A ball at time 0 and what it meets. */
typedef struct tc_bounce {
    const tc_plane3 *planes_ref;     /* [planes] solid below; not copied; may be NULL if none */
    uint32_t planes;                 /* number of planes; 0..TC_BOUNCE_PLANES */
    uint32_t touches;                /* limit on touches; 1..TC_BOUNCE_TOUCHES; 32 */
    tc_real gravity[3];              /* acceleration of the free ball, world axes [m/s^2] */
    tc_real value[TC_BOUNCE_VALUES]; /* by tc_bounce_value */
} tc_bounce;

/* A ball on its way. The caller may read the fields and must not write them. */
typedef struct tc_bounce_track {
    const tc_bounce *ball_ref;
    uint32_t n;          /* values with derivatives */
    uint32_t touches;    /* touches so far */
    uint32_t next_plane; /* the plane of the next touch */
    uint32_t rests;      /* 1 + the plane on which the ball rests or rolls; 0: it flies */
    tc_real begin, next; /* times of this flight's begin and of the next touch [s] */
    tc_real gravity[3];  /* acceleration of this flight [m/s^2] */
    tc_real p[3], v[3];  /* position and velocity at `begin` [m], [m/s] */
    tc_real s[3];        /* radius times spin [m/s] */
    tc_real own[4 * TC_BOUNCE_PARAMETERS]; /* derivatives of r, restitution, friction and inertia */
    tc_real dp[3 * TC_BOUNCE_PARAMETERS];  /* [3 x n] of the flight's p: at a fixed time */
    tc_real dv[3 * TC_BOUNCE_PARAMETERS];  /* [3 x n] */
    tc_real ds[3 * TC_BOUNCE_PARAMETERS];  /* [3 x n] */
} tc_bounce_track;

/* Observed positions of the ball's centre. */
typedef struct tc_bounce_seen {
    uint32_t n;               /* number of observations; 1..UINT32_MAX / 3 */
    const tc_real *times;     /* [n] since time 0, none before the one in front of it [s]; >= 0 */
    const tc_real *positions; /* [n x 3] world axes [m] */
} tc_bounce_seen;

/* Returns a solid ball of radius 1 at the origin, at rest, without planes and gravity: restitution
 * 0.5, friction 0.25. */
tc_bounce tc_bounce_default(void);

/* Checks a ball.
 * Returns:
 *   TC_OK              a ball.
 *   TC_ERR_NULL        ball is NULL, or planes_ref is NULL and planes is not 0.
 *   TC_ERR_SIZE        planes is beyond TC_BOUNCE_PLANES, or touches not in 1..TC_BOUNCE_TOUCHES.
 *   TC_ERR_NOT_FINITE  a number is NaN or infinite.
 *   TC_ERR_UNIT        a plane's normal is not of unit length.
 *   TC_ERR_SHAPE       radius or inertia is not positive, or the ball begins inside a plane.
 *   TC_ERR_RANGE       restitution or friction is out of range. */
tc_status tc_bounce_check(const tc_bounce *ball);

/* Puts a track at the ball's time 0. The track refers to ball, which must stay. parameters[n]: the
 * values by which derivatives are taken, each once, 0..TC_BOUNCE_VALUES - 1; n: 0..
 * TC_BOUNCE_PARAMETERS; may be NULL if n is 0.
 * Returns: the statuses of tc_bounce_check, and
 *   TC_ERR_NULL   track or parameters is NULL.
 *   TC_ERR_SIZE   n is beyond TC_BOUNCE_PARAMETERS.
 *   TC_ERR_RANGE  a parameter is no value of a ball.
 * On error: track is zero, and tc_bounce_move refuses it with TC_ERR_SIZE. */
tc_status tc_bounce_init(tc_bounce_track *track, const tc_bounce *ball,
                         const tc_bounce_value *parameters, uint32_t n);

/* Moves on to `time` [s]. A time before the last touch is refused.
 * position[3]: gets the centre [m].
 * derivatives[3 x n]: of the position by the parameters [m per unit]. May be NULL.
 * Returns:
 *   TC_OK              done.
 *   TC_NOTE_LIMIT      the ball rests, or had no touches left: from then on it rolls on.
 *   TC_ERR_NULL        track or position is NULL.
 *   TC_ERR_SIZE        track is not initialised.
 *   TC_ERR_NOT_FINITE  time is NaN or infinite.
 *   TC_ERR_RANGE       time lies before the last touch, or a result overflows.
 * On error: position and derivatives are zero, track is unchanged except after an overflow.
 * Cost: 250 instructions, and 1,000 for each touch on the way, with one derivative. */
tc_status tc_bounce_move(tc_bounce_track *track, tc_real time, tc_real *position,
                         tc_real *derivatives);

/* Identifies parameters[n] of the ball from observed positions. The ball's values are the first
 * start.
 * config: as in tc_fit_solve. Its noise and enough are in [m].
 * low[n], high[n]: bounds. They are cut to what a ball allows. May be NULL if config.starts is 1. A
 * radius stays above 1e-3 of the first.
 * deviation[n], info: as in tc_fit_solve. May be NULL.
 * Returns: the statuses of tc_bounce_init and tc_fit_solve, and
 *   TC_ERR_NULL        seen, its arrays, or one of low and high is NULL.
 *   TC_ERR_SIZE        n is 0, or seen->n is out of range.
 *   TC_ERR_NOT_FINITE  an observation is NaN or infinite.
 *   TC_ERR_RANGE       a time is negative, or before the one in front of it.
 * On error: ball is unchanged, deviation and info are zero.
 * Cost: a roll-out per evaluation; work of TC_BOUNCE_WORK(n). One value from 45 observations with
 * two touches: 50,000 instructions. */
#define TC_BOUNCE_WORK(n) (TC_FIT_WORK(n) + 3u * (n))
tc_status tc_bounce_identify(tc_bounce *ball, const tc_bounce_seen *seen,
                             const tc_bounce_value *parameters, uint32_t n,
                             const tc_fit_config *config, const tc_real *low, const tc_real *high,
                             tc_real *deviation, tc_fit_info *info, tc_real *work, size_t work_len);

TC_END

#endif
