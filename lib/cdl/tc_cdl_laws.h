/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Analytic models for CD-Lagrange systems: a potential, and the contact signal of spheres.
 */
#ifndef TC_CDL_LAWS_H
#define TC_CDL_LAWS_H

#include "tc_cdl.h"

TC_BEGIN

/* Returns the potential of pendulums, V = sum of torque (1 - cos Q). Each coordinate is the angle
 * of one pendulum from its lowest point [rad]; the masses are m l^2.
 * The array torque[K d] holds m g l [N m] and must outlive the system. */
tc_cdl_potential tc_cdl_laws_pendulums(const tc_real *torque);

/* Returns the contact signal of spheres.
 * - A pair: the normal is the line of centres, or the first axis if the centres coincide.
 *   `distance` is the sum of the radii.
 * - A wall: the normal is that of the contact. `distance` is the position of the plane plus the
 *   radius.
 * In one dimension spheres may pass each other; use points with fixed normals there. */
tc_cdl_signal tc_cdl_laws_spheres(void);

TC_END

#endif
