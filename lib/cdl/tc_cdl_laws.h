/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Analytic laws for CD-Lagrange systems: potentials, and the contact of spheres.
 */
#ifndef TC_CDL_LAWS_H
#define TC_CDL_LAWS_H

#include "tc_cdl.h"

TC_BEGIN

/* Pendulums, each coordinate the angle of one from its lowest point: V = sum of torque (1 - cos Q), torque[K
 * d] = m g l [N m], which must outlive it; the masses are m l^2. */
tc_cdl_potential tc_cdl_laws_pendulums(const tc_real *torque);

/* Spheres: the normal of a pair is the line of centres, its `distance` the sum of the radii (in one dimension
 * bodies may pass each other then: give points their normals instead). A wall keeps the contact's normal; its
 * distance is where the plane lies, plus the radius. Of centres that coincide the normal is the first axis. */
tc_cdl_signal tc_cdl_laws_spheres(void);

TC_END

#endif
