/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Ground of any shape (tc_ground.h) as the contact signal of a CD-Lagrange system of spheres.
 *
 *     static const tc_cdl_ground hill = {{&terrain, NULL}, TC_GROUND2(NULL)};
 *     config.signal = tc_cdl_ground_signal(&hill);    // three dimensions
 *
 * - A wall (TC_CDL_WALL) is the ground: gap and normal are those at the centre of the body, and
 *   `distance` is the body's radius. One such contact per body is enough on convex ground. In a
 *   notch the nearest side counts in each step.
 * - A pair is as in tc_cdl_laws_spheres.
 *
 * Overlaps with the ground are neither measured nor undone: config.project has no effect on them.
 */
#ifndef TC_CDL_GROUND_H
#define TC_CDL_GROUND_H

#include "tc_cdl_laws.h"
#include "tc_ground.h"

TC_BEGIN

/* The ground of a system: `space` of one in three dimensions, `section` of one in two. The shape
 * must be checked; nets are refused with TC_ERR_WORK. */
typedef struct tc_cdl_ground {
    tc_ground3 space;
    tc_ground2 section;
} tc_cdl_ground;

/* Returns the contact signal of a ground, which must outlive the system.
 * A step returns the statuses of tc_ground3_look or tc_ground2_look, and TC_ERR_UNSUPPORTED in one
 * dimension.
 * Cost: one tc_sdf_eval for each contact with the ground. */
tc_cdl_signal tc_cdl_ground_signal(const tc_cdl_ground *ground);

TC_END

#endif
