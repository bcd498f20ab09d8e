/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the tests of the implicit step share: the function that a step minimises, in double and from
 * its definition. Inertia is that of material points, planes are found by Newton's method on all
 * their numbers. Bodies are free.
 */
#ifndef IMPLICIT_CASE_H
#define IMPLICIT_CASE_H

#include "test.h"

#define IMPLICIT_CASE_BODIES 3u
#define IMPLICIT_CASE_PAIRS 3u

/* One pose in double */
typedef struct implicit_case_pose {
    double c[3], R[9], angle;
} implicit_case_pose;

/* The value that a step minimises at `next`, coordinates in double of `bodies` free bodies: 3 or 7
 * numbers each. Infinite: bodies touch. */
double implicit_case_value(const tc_implicit_scene *scene, const tc_real *state,
                           const tc_real *control, const double *next);

/* The largest freedom's Newton step, by differences of the value, one freedom at a time: 0 at the
 * minimum. */
double implicit_case_residual(const tc_implicit_scene *scene, const tc_real *state,
                              const tc_real *control, const tc_real *next);

/* The smallest clearance of a vertex from the record's planes: positive only if all pairs are
 * apart, whatever found the planes. */
double implicit_case_apart(const tc_implicit_scene *scene, const tc_real *state,
                           const tc_real *record);

#endif
