/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Convex shapes: vertices and a rounding radius.
 *
 * A shape is the convex hull of its vertices, enlarged by the radius on all sides:
 *
 *     plane   polygon: 3..64 vertices counter-clockwise, radius 0; circle: 1 vertex; capsule: 2
 *     space   polyhedron: its corners in any order, radius 0; sphere: 1 vertex; capsule: 2
 *
 * Rounded polygons and polyhedra are shapes too. A shape touches planes only, so it needs neither
 * edges nor faces.
 */
#ifndef TC_SHAPE_H
#define TC_SHAPE_H

#include "tc_status.h"

TC_BEGIN

#define TC_SHAPE_MAX 64u /* largest number of vertices of a shape */

/* Shape of a body in the plane. */
typedef struct tc_shape2 {
    const tc_real *vertices; /* [count x 2] positions from the centre of mass, body axes [m] */
    uint32_t count;          /* number of vertices; 1..TC_SHAPE_MAX */
    tc_real radius;          /* rounding radius [m]; 0..1e6; 0: none */
} tc_shape2;

/* Shape of a body in space. */
typedef struct tc_shape3 {
    const tc_real *vertices; /* [count x 3] positions from the centre of mass, body axes [m] */
    uint32_t count;          /* number of vertices; 1..TC_SHAPE_MAX */
    tc_real radius;          /* rounding radius [m]; 0..1e6; 0: none */
} tc_shape3;

/* Checks a shape. Detectors do not check vertices, so call this once, when the shape is made. A
 * vertex may lie on a straight side. The centre of mass may lie outside.
 * Returns:
 *   TC_OK              the shape is valid.
 *   TC_ERR_NULL        `shape` or its `vertices` is NULL.
 *   TC_ERR_SIZE        count is 0 or above TC_SHAPE_MAX.
 *   TC_ERR_NOT_FINITE  a coordinate or the radius is NaN or infinite.
 *   TC_ERR_RANGE       the radius is negative or above 1e6 m, or a coordinate is beyond 1e6 m.
 *   TC_ERR_PATCH       two vertices are nearer than 2e-5 of the largest coordinate. Plane, 3 or
 *                      more vertices: the polygon is not convex, not counter-clockwise, or has no
 *                      area.
 * Cost: proportional to the square of the number of vertices. */
tc_status tc_shape2_check(const tc_shape2 *shape);
tc_status tc_shape3_check(const tc_shape3 *shape);

TC_END

#endif
