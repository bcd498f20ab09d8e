/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Rigid bodies, planar (3 degrees of freedom) and spatial (6): their inertia and their state, and how both
 * move with given velocities. A body does not know which contact model moves it.
 *
 * Frames: world axes unless a name ends in _body. Planar angles are counter-clockwise from x to y.
 * Quaternions are (w, x, y, z) and turn body axes into world axes.
 */
#ifndef TC_BODY_H
#define TC_BODY_H

#include "tc_status.h"

TC_BEGIN

typedef struct tc_planar_body {
    tc_real mass;    /* [kg] > 0 */
    tc_real inertia; /* about the centre of mass [kg m^2] > 0 */
} tc_planar_body;

typedef struct tc_planar_state {
    tc_real position[3]; /* x, y of the centre of mass [m], theta [rad] */
    tc_real velocity[3]; /* vx, vy [m/s], omega [rad/s] */
} tc_planar_state;

typedef struct tc_spatial_body {
    tc_real mass;       /* [kg] > 0 */
    tc_real inertia[3]; /* principal moments about the centre of mass, body axes [kg m^2] > 0 */
} tc_spatial_body;

typedef struct tc_spatial_state {
    tc_real position[3];    /* of the centre of mass [m] */
    tc_real orientation[4]; /* w, x, y, z; unit length */
    tc_real velocity[6];    /* vx, vy, vz of the centre of mass [m/s], then wx, wy, wz [rad/s]; world axes */
} tc_spatial_state;

TC_END

#endif
