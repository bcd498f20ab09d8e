/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A ball from touches: a finger touches an object here and there, and the estimator returns the
 * ball's centre and radius with their uncertainty. Touches are added one by one to sums of fixed
 * size; the estimate is read whenever it is wanted.
 *
 *     tc_touch touch;
 *     const tc_touch_config config = tc_touch_default(TC_C(0.06));     touches span about 6 cm
 *     tc_status s = tc_touch_init(&touch, &config);
 *     ...each touch:
 *     s = tc_touch_add(&touch, point, NULL, &outcome);
 *     s = tc_touch_read(&touch, &ball);       TC_ERR_SINGULAR until there are enough
 *
 * Normals may be given with some touches or all. They matter where the touches cover a small cap of
 * the ball only.
 */
#ifndef TC_TOUCH_H
#define TC_TOUCH_H

#include "tc_status.h"

TC_BEGIN

#define TC_TOUCH_KEPT 8u /* touches that are kept to find repetitions */

/* Result of a touch. */
typedef enum tc_touch_outcome {
    TC_TOUCH_NONE = 0,     /* refused: see the status */
    TC_TOUCH_ACCEPTED = 1, /* it counts */
    TC_TOUCH_REPEATED = 2  /* it lies where one of the last touches was, and does not count */
} tc_touch_outcome;

/* Configuration. Defaults in parentheses. */
typedef struct tc_touch_config {
    tc_real reach;        /* distance that the touches span, roughly [m]; > 0. Touches beyond 1000
                          * times that are refused */
    tc_real noise;        /* standard deviation of a touch, in each direction, if it is known [m];
                          * 0: it is estimated from the touches; 0 */
    tc_real normal_noise; /* standard deviation of a normal's tilt about each tangent [rad]; > 0, at
                          * most 0.5; 0.05; higher: normals count less */
    tc_real tip;          /* radius of the fingertip, if the touches are positions of its centre
                          * [m]; >= 0; 0 */
    tc_real apart;        /* a touch nearer than that to one of the last TC_TOUCH_KEPT is a
                          * repetition [m]; >= 0; reach / 100 */
} tc_touch_config;

/* An estimator: a plain struct without pointers. The caller may read the counters and must not
 * write them. */
typedef struct tc_touch {
    tc_touch_config config;
    uint32_t touches;                 /* touches that count, up to UINT32_MAX */
    uint32_t normals;                 /* normals that count */
    uint32_t repeated;                /* touches that were repetitions */
    tc_real scale;                    /* 1 / reach; 0: not initialised */
    tc_real origin[3];                /* the first touch [m] */
    tc_real kept[3u * TC_TOUCH_KEPT]; /* the last touches, by the scale, about the origin */
    tc_real p[3], pp[6], pq[3], qq;   /* sums of p, p p^T, p |p|^2, |p|^4 */
    tc_real nn[6], np[3], pn[3];      /* of normals n: sums of n n^T, n (n.p), p */
} tc_touch;

/* The ball that explains the touches. */
typedef struct tc_touch_ball {
    tc_real centre[3];      /* [m] */
    tc_real radius;         /* without the fingertip's [m] */
    tc_real covariance[16]; /* [4 x 4] of x, y, z of the centre and the radius [m^2] */
    tc_real low, high;      /* interval that holds the radius with probability 95 % [m]; high may be
                              * infinite: the touches do not exclude a plane */
    tc_real noise;          /* standard deviation of a touch, known or estimated [m] */
} tc_touch_ball;

/* Returns the default configuration for touches that span about `reach` [m]. */
tc_touch_config tc_touch_default(tc_real reach);

/* Starts an estimator; it copies the configuration.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_NOT_FINITE  a field of config is NaN or infinite.
 *   TC_ERR_RANGE       a field of config is out of its range.
 * On error: touch is zero, and the other functions refuse it with TC_ERR_SIZE. */
tc_status tc_touch_init(tc_touch *touch, const tc_touch_config *config);

/* Forgets all touches and keeps the configuration.
 * Returns: TC_OK, TC_ERR_NULL, or TC_ERR_SIZE if touch is not initialised. */
tc_status tc_touch_reset(tc_touch *touch);

/* Adds a touch at point[3] [m]. normal[3]: the surface's unit normal there, of either sign; may be
 * NULL. outcome: may be NULL.
 * Returns:
 *   TC_OK              done; outcome has the result.
 *   TC_ERR_NULL        touch or point is NULL.
 *   TC_ERR_SIZE        touch is not initialised.
 *   TC_ERR_NOT_FINITE  a number is NaN or infinite.
 *   TC_ERR_UNIT        the normal is not of unit length.
 *   TC_ERR_RANGE       the point lies farther than 1000 times `reach` from the first touch.
 * On error: touch is unchanged, outcome is TC_TOUCH_NONE.
 * Cost: 350 instructions; 490 with a normal. */
tc_status tc_touch_add(tc_touch *touch, const tc_real *point, const tc_real *normal,
                       tc_touch_outcome *outcome);

/* Computes the ball of the touches so far.
 * The estimate has no bias to second order in the noise. The interval is symmetric in the curvature
 * 1 / radius. Noise below 1e-3 of the radius is lost in the rounding of float; then the intervals
 * are wider than they need to be.
 * Returns:
 *   TC_OK            done.
 *   TC_ERR_NULL      a pointer is NULL.
 *   TC_ERR_SIZE      touch is not initialised.
 *   TC_ERR_SINGULAR  the touches do not determine a ball: fewer than five (four with known noise,
 *                    two with normals), on one plane or circle, or as flat as their noise.
 *   TC_ERR_RANGE     the ball is smaller than the fingertip, or overflows.
 * On error: ball is zero.
 * Cost: 2,500 instructions. */
tc_status tc_touch_read(const tc_touch *touch, tc_touch_ball *ball);

TC_END

#endif
