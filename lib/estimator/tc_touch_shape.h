/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A shape from touches: sizes and pose of a box, a cylinder or another shape with sizes. All
 * touches shall lie on its surface. Up to eight of its numbers are unknown. The caller keeps the
 * touches. For a ball tc_touch.h is cheaper and needs no start.
 *
 *     tc_sdf can = TC_SDF_CYLINDER(0.03f, 0.05f, 0);            a first guess
 *     tc_convex_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
 *     const tc_touch_shape_felt felt = {n, points, 0};
 *     const tc_touch_shape_unknown unknown[3] = {TC_TOUCH_SHAPE_SIZE, TC_TOUCH_SHAPE_POSITION,
 *                                                TC_TOUCH_SHAPE_POSITION + 1};
 *     tc_real deviation[3], work[TC_TOUCH_SHAPE_WORK(3)];
 *     const tc_fit_config config = tc_fit_default();
 *     tc_status s = tc_touch_shape_fit(&can, &pose, &felt, unknown, 3, &config, NULL, NULL,
 *                                      deviation, &info, work, TC_COUNT(work));
 *
 * The fit goes down from a start. Several starts help where the guess is far off. The fit's info
 * reports numbers that the touches do not determine. An example is the half length of a cylinder
 * whose ends nobody touched.
 */
#ifndef TC_TOUCH_SHAPE_H
#define TC_TOUCH_SHAPE_H

#include "tc_fit.h"
#include "tc_sdf.h"

TC_BEGIN

/* Index of a number that may be unknown. */
typedef enum tc_touch_shape_unknown {
    TC_TOUCH_SHAPE_SIZE = 0,     /* first of the shape's sizes [m]; the others follow */
    TC_TOUCH_SHAPE_POSITION = 4, /* x of the shape's origin, world axes [m]; y and z follow */
    TC_TOUCH_SHAPE_TURN = 7,     /* x of a turn away from the first pose, as a rotation vector in
                                  * the shape's axes [rad]; y and z follow. It starts at 0 */
    TC_TOUCH_SHAPE_UNKNOWNS = 10 /* number of such numbers */
} tc_touch_shape_unknown;

/* The touches. */
typedef struct tc_touch_shape_felt {
    uint32_t n;            /* number of touches; 1..UINT32_MAX / 3 */
    const tc_real *points; /* [n x 3] world axes [m] */
    tc_real tip;           /* radius of the fingertip, if its centre is given [m]; else 0 */
} tc_touch_shape_felt;

/* Fits the unknown[n] numbers of shape and pose to the touches. Their present values are the first
 * start. The other numbers stay.
 * shape: a kind with sizes.
 * unknown: each once. A size that the kind lacks is refused.
 * config: as in tc_fit_solve. Its noise and enough are in [m].
 * low[n], high[n]: bounds. They are cut to 1e-3..1e3 times the first size and half a turn. May be
 * NULL if config.starts is 1.
 * deviation[n], info: as in tc_fit_solve. May be NULL.
 * Returns: the statuses of tc_sdf_check and tc_fit_solve, and
 *   TC_ERR_NULL         a pointer is NULL, or one of low and high is.
 *   TC_ERR_SIZE         n is 0 or beyond TC_FIT_MAX, or there are no touches.
 *   TC_ERR_NOT_FINITE   a number of a touch, the pose or the bounds is NaN or infinite.
 *   TC_ERR_RANGE        an unknown is none of this shape, or the tip is negative.
 *   TC_ERR_UNIT         a row of the rotation is not of unit length.
 *   TC_ERR_UNSUPPORTED  the shape's kind has no sizes.
 * On error: shape and pose are unchanged, deviation and info are zero.
 * Cost: per evaluation and touch 400 instructions, and those of tc_sdf_eval and tc_sdf_grad. A
 * cylinder's radius, length and place from 100 touches: 330,000. Work of TC_TOUCH_SHAPE_WORK(n). */
#define TC_TOUCH_SHAPE_WORK(n) (TC_FIT_WORK(n) + 3u * (n))
tc_status tc_touch_shape_fit(tc_sdf *shape, tc_convex_pose *pose, const tc_touch_shape_felt *felt,
                             const tc_touch_shape_unknown *unknown, uint32_t n,
                             const tc_fit_config *config, const tc_real *low, const tc_real *high,
                             tc_real *deviation, tc_fit_info *info, tc_real *work, size_t work_len);

TC_END

#endif
