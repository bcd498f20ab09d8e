/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distance of two posed shapes (tc_sdf.h), and its derivatives by their parameters.
 *
 * TC_MEET_DEEPEST: the distance is the minimum over a of b's signed distance, negative where a is
 * sunk into b. A union's distance is the lowest of its parts', on either side.
 *
 * TC_MEET_TRANSLATION: convex pairs have the distance of their cores minus both roundings. This is
 * the shortest translation that parts them, and smooth as long as the cores are apart. Other pairs
 * have the distance of TC_MEET_DEEPEST.
 *
 * Both rules agree until a is sunk by more than b's rounding. Then the depth of the deepest point
 * is smaller than the translation: at worst by 1 / sqrt(3), for a corner of a box in a plane.
 * Contacts of steps use TC_MEET_DEEPEST.
 *
 *     a \ b                 primitive           terrain, grid, net    union
 *     primitive             exact               search from a's core  part by part
 *     grid, net             search from a's stored points             part by part
 *     terrain               as b and a          -                     part by part
 *     union                 part by part
 *
 * A terrain as a changes places with b. The distance is then a's value at b's deepest point. The
 * normal still points from b to a.
 *
 * Example: how far is a sole from a box?
 *
 *     tc_convex_gap gap;
 *     tc_status status = tc_meet_distance(&sole, &at_sole, &box, &at_box, TC_MEET_DEEPEST, &gap,
 *                                         NULL, 0);
 */
#ifndef TC_MEET_H
#define TC_MEET_H

#include "tc_convex.h"
#include "tc_sdf.h"

TC_BEGIN

/* The distance that sunk convex pairs have. */
typedef enum tc_meet_rule {
    TC_MEET_DEEPEST = 0,    /* b's signed distance at a's deepest point */
    TC_MEET_TRANSLATION = 1 /* the shortest translation that parts the pair */
} tc_meet_rule;

/* Computes the distance of a pair.
 * The normal points out of b into a: the direction of b's gradient at the deepest point. Where b
 * has a kink there, it is the direction in which a and the deeper part of b can be parted. The
 * gap's point_a is a's deepest or closest point. Its point_b is point_a - distance normal. Its
 * steps are the searches for a support point, or evaluations of b.
 *
 * a, b: checked shapes (tc_sdf_check). at_a, at_b: their poses. rule: the distance of sunk convex
 * pairs. gap: the result. work[work_len]: nets need TC_SDF_NET_WORK. The other kinds take NULL, 0.
 * Returns:
 *   TC_OK               done.
 *   TC_NOTE_LIMIT       a search ended before the distance was certain; the best point found.
 *   TC_NOTE_OVERLAP     TC_MEET_DEEPEST: a holds the middle of b. The distance is minus the
 *                       greatest depth in b, the normal that of the shortest translation found.
 *                       TC_MEET_TRANSLATION: the cores overlap. The distance is the shortest
 *                       translation found.
 *   TC_NOTE_RANGE       net: the point is outside the training range.
 *   TC_ERR_NULL         a pointer is NULL.
 *   TC_ERR_NOT_FINITE   a number of a pose is NaN or infinite.
 *   TC_ERR_RANGE        a coordinate is beyond 1e6 m.
 *   TC_ERR_UNIT         a row of a rotation is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_UNSUPPORTED  neither shape has an end (half-space, terrain), or both are grids or nets
 *                       without stored points, or the rule is unknown.
 *   TC_ERR_WORK         net: work_len is too short; TC_ERR_ALIGN: work is misaligned.
 * On error: `gap` is zero.
 * Cost: bounded. A pair of convex parts takes at most 17 searches of tc_convex_distance. */
tc_status tc_meet_distance(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                           const tc_convex_pose *at_b, tc_meet_rule rule, tc_convex_gap *gap,
                           tc_real *work, size_t work_len);

/* Computes the derivatives of the distance by the parameters of both shapes, poses fixed.
 * A union's are those of its parts, in their order: those of all but the part that counts are 0.
 *
 * gap: of the same pair, from tc_meet_distance. by_a[tc_sdf_parameters(a)],
 * by_b[tc_sdf_parameters(b)]: derivatives [1, or m per unit of code]. Either may be NULL. The other
 * arguments are those of tc_meet_distance.
 * Returns:
 *   TC_OK               done.
 *   TC_NOTE_RANGE       net: the point is outside the training range.
 *   TC_ERR_UNSUPPORTED  a shape whose derivatives are wanted has no parameters.
 *   others              as tc_meet_distance.
 * On error: `by_a` and `by_b` are zero.
 * Cost: one evaluation of each shape, or of each of its parts. */
tc_status tc_meet_grad(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                       const tc_convex_pose *at_b, const tc_convex_gap *gap, tc_real *by_a,
                       tc_real *by_b, tc_real *work, size_t work_len);

/* Computes the derivatives of the distance by both poses, shapes fixed.
 * The first three numbers of each are by the position, world axes. The last three are by a rotation
 * about the shape's origin, world axes: of exp([w]x) R by w [m].
 *
 * gap: of the same pair, from tc_meet_distance. by_a[6], by_b[6]: derivatives; by_a begins with
 * gap->normal, shortened where b has a kink. The other arguments are those of tc_meet_distance.
 * Returns: the statuses of tc_meet_grad.
 * On error: `by_a` and `by_b` are zero.
 * Cost: one evaluation of each shape, or of each of its parts. */
tc_status tc_meet_grad_pose(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                            const tc_convex_pose *at_b, const tc_convex_gap *gap, tc_real by_a[6],
                            tc_real by_b[6], tc_real *work, size_t work_len);

TC_END

#endif
