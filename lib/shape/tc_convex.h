/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distance of two posed convex shapes, each a core with a rounding radius.
 *
 *     kind                    core                                    with the radius
 *     TC_CONVEX_POINT         the origin                              sphere
 *     TC_CONVEX_SEGMENT       |z| <= half[2]                          capsule
 *     TC_CONVEX_BOX           |x_i| <= half[i]                        rounded box
 *     TC_CONVEX_CYLINDER      x^2 + y^2 <= half[0]^2, |z| <= half[2]  rounded cylinder
 *     TC_CONVEX_VERTICES      hull of the vertices                    rounded polyhedron
 *     TC_CONVEX_HALFSPACE     z <= 0; b only                          a raised floor
 *
 * Half edges are those of the core: a rounded box of outer half edge 0.1 m with 0.02 m of rounding
 * has half edges of 0.08 m.
 *
 * As long as the cores are apart, distance and normal are exact, unique and smooth: a pair may sink
 * by the sum of both radii. When cores overlap there is a note instead.
 */
#ifndef TC_CONVEX_H
#define TC_CONVEX_H

#include "tc_status.h"

TC_BEGIN

#define TC_CONVEX_STEPS 32u        /* largest number of searches for a support point */
#define TC_CONVEX_VERTICES_MAX 64u /* largest number of vertices */

/* The kind of a core. */
typedef enum tc_convex_kind {
    TC_CONVEX_POINT = 0,
    TC_CONVEX_SEGMENT = 1,
    TC_CONVEX_BOX = 2,
    TC_CONVEX_CYLINDER = 3,
    TC_CONVEX_VERTICES = 4,
    TC_CONVEX_HALFSPACE = 5
} tc_convex_kind;

/* A convex shape. Members that the table does not name are ignored. */
typedef struct tc_convex {
    tc_convex_kind kind;
    tc_real half[3];         /* half edges, radius, half length of the core [m]; 0..1e6 */
    tc_real radius;          /* rounding [m]; 0..1e6 */
    const tc_real *vertices; /* [count x 3] shape's axes [m] */
    uint32_t count;          /* number of vertices; 1..TC_CONVEX_VERTICES_MAX */
} tc_convex;

/* Where a shape is. */
typedef struct tc_convex_pose {
    tc_real rotation[9]; /* [3 x 3] shape's axes to world axes */
    tc_real position[3]; /* of the shape's origin, world axes [m] */
} tc_convex_pose;

/* The closest points of a pair. */
typedef struct tc_convex_gap {
    tc_real distance;   /* between the rounded surfaces [m]; negative: sunk */
    tc_real normal[3];  /* from b to a, of unit length, world axes */
    tc_real point_a[3]; /* on the rounded surface of a, world axes [m] */
    tc_real point_b[3]; /* on the rounded surface of b, world axes [m] */
    uint32_t steps;     /* searches for a support point that it took */
} tc_convex_gap;

/* Checks a shape. tc_convex_distance does not look at vertices, so call this once per shape.
 * Returns:
 *   TC_OK               the shape is valid.
 *   TC_ERR_NULL         `shape`, or the vertices of a kind that has them, is NULL.
 *   TC_ERR_SIZE         the number of vertices is 0 or above TC_CONVEX_VERTICES_MAX.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        a size is negative, or a number is beyond 1e6 m.
 *   TC_ERR_UNSUPPORTED  the kind is unknown.
 * Cost: proportional to the number of vertices. */
tc_status tc_convex_check(const tc_convex *shape);

/* Computes the distance of a pair.
 * The distance is exact to the rounding of its terms: 16 TC_EPSILON of the vector between the
 * support points. Where closest points are not unique, as between parallel faces, they are one pair
 * of those. If cores overlap, the distance is minus the sum of both radii, an upper bound. Then the
 * normal points from b's origin to a's, or along world +z. Both points lie in the middle between
 * the origins.
 *
 * a, b: checked shapes. at_a, at_b: their poses. gap: the result.
 * Returns:
 *   TC_OK               done.
 *   TC_NOTE_LIMIT       the search ended before the distance was certain; the best points found.
 *   TC_NOTE_OVERLAP     the cores overlap, or are nearer than the resolution.
 *   TC_ERR_NULL         a pointer is NULL.
 *   TC_ERR_NOT_FINITE   a number of a pose or a size is NaN or infinite.
 *   TC_ERR_RANGE        a size is negative, or a size or coordinate is beyond 1e6 m.
 *   TC_ERR_UNIT         a row of a rotation is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_UNSUPPORTED  a is a half-space, or a kind is unknown.
 * On error: `gap` is zero.
 * Cost: at most TC_CONVEX_STEPS support points of each shape. */
tc_status tc_convex_distance(const tc_convex *a, const tc_convex_pose *at_a, const tc_convex *b,
                             const tc_convex_pose *at_b, tc_convex_gap *gap);

TC_END

#endif
