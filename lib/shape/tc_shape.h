/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Convex shapes: vertices and a rounding.
 *
 * A shape is the convex hull of vertices, all rounded by one radius. One text serves
 *
 *     planar    polygon: 3..64 vertices counter-clockwise, radius 0; circle: 1 vertex; capsule: 2 vertices
 *     spatial   polyhedron: its corners in any order, radius 0; sphere: 1 vertex; capsule: 2 vertices
 *
 * and rounded polygons and polyhedra as well. Against a plane nothing else matters: no edges, no faces.
 */
#ifndef TC_SHAPE_H
#define TC_SHAPE_H

#include "tc_status.h"

TC_BEGIN

#define TC_SHAPE_MAX 64u /* vertices of a shape */

typedef struct tc_shape2 {
    const tc_real *vertices; /* [count x 2] from the centre of mass, body axes [m] */
    uint32_t count;          /* 1..TC_SHAPE_MAX */
    tc_real radius;          /* of the rounding [m], 0 for none */
} tc_shape2;

typedef struct tc_shape3 {
    const tc_real *vertices; /* [count x 3] from the centre of mass, body axes [m] */
    uint32_t count;          /* 1..TC_SHAPE_MAX */
    tc_real radius;          /* of the rounding [m], 0 for none */
} tc_shape3;

/* To be called once, when a shape is made: TC_ERR_SIZE (count), TC_ERR_NOT_FINITE, TC_ERR_RANGE (a negative
 * radius, or coordinates beyond 1e6 m), TC_ERR_PATCH (coincident vertices; planar with 3 or more: not convex
 * or not counter-clockwise). Vertices on a straight side are allowed; the centre of mass may lie outside.
 * Time: the square of the number of vertices. */
tc_status tc_shape2_check(const tc_shape2 *shape);
tc_status tc_shape3_check(const tc_shape3 *shape);

TC_END

#endif
