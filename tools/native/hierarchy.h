/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The potential of a scene of bodies of many convex pieces (tools/tinycontact/hierarchy.py): trees,
 * kept planes, and work that threads share. Host only.
 *
 * All numbers cross in double, SI, whatever tc_real is. A potential is three calls: begin, take, and
 * sum. Any number of threads may be in take at the same time; the sum has the same bits for any.
 */
#ifndef NATIVE_HIERARCHY_H
#define NATIVE_HIERARCHY_H

#include "tc_hierarchy.h"

TC_BEGIN

/* Meshes one after another; bodies may share a mesh. */
typedef struct native_hierarchy_scene {
    uint32_t bodies, meshes;
    const uint32_t *mesh;   /* [bodies] */
    const uint32_t *pieces; /* [meshes] number of pieces */
    const uint32_t *counts; /* [all pieces] vertices of a piece */
    const double *radii;    /* [all pieces] [m] */
    const double *points;   /* [all vertices x 3] body's axes [m] */
    double A, kappa, length, epsilon;
    uint32_t slots; /* kept planes of a pair of bodies; a power of two or 0 */
} native_hierarchy_scene;

typedef struct native_hierarchy native_hierarchy; /* opaque */

/* A handle; arrays are copied. Null on an error, which `status` tells; `mesh`: the faulty one. */
native_hierarchy *native_hierarchy_open(const native_hierarchy_scene *scene, int32_t *status,
                                        uint32_t *mesh);
void native_hierarchy_free(native_hierarchy *handle);

/* poses[bodies][12]: rotation by rows, position. derive: 1 with derivatives. Not while others take. */
void native_hierarchy_begin(native_hierarchy *handle, const double *poses, int32_t derive);

/* Computes pairs of bodies that nobody has taken, until none is left. */
void native_hierarchy_take(native_hierarchy *handle);

/* What the pairs sum to, after all have returned from take: value, gradient[6 bodies], hessian[6 bodies
 * x 6 bodies], both may be null; counts: exact pairs, pairs of spheres, Newton steps; bad: the two
 * bodies of the first failure. Returns the worst tc_status. */
int32_t native_hierarchy_sum(native_hierarchy *handle, double *value, double *gradient,
                             double *hessian, double counts[3], uint32_t bad[2]);

TC_END

#endif
