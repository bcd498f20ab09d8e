/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Rigid bodies in the plane (3 degrees of freedom) and in space (6): inertia, state, and motion
 * with given velocities. The functions do not depend on a contact model.
 *
 * Frames: world axes unless a name ends in _body. Planar angles are counter-clockwise from x to y.
 * Quaternions are (w, x, y, z) and turn body axes into world axes.
 *
 * A wrench is a force [N] and a torque about the centre of mass [N m]. An impulse is the time
 * integral of a wrench [N s, N m s]. Both are in world axes: (x, y, torque) in the plane, (x, y, z,
 * torque x, y, z) in space.
 *
 * Every function may return these common errors:
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_BODY        the mass or a moment of inertia is not finite and positive.
 *   TC_ERR_UNIT        the quaternion is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_NOT_FINITE  another input is NaN or infinite.
 *   TC_ERR_RANGE       the inputs are finite, but the result overflows.
 *
 * On error: a state is unchanged, another output is zero.
 *
 * Cost: no loop depends on values, except in tc_body3_coast; at most 260 bytes of stack, 608 in
 * tc_body3_coast. The header tc_body_core.h has the same functions, inlined and unchecked, with the
 * same bits.
 */
#ifndef TC_BODY_H
#define TC_BODY_H

#include "tc_status.h"

TC_BEGIN

/* Inertia of a planar body. */
typedef struct tc_body2 {
    tc_real mass;    /* mass [kg]; > 0 */
    tc_real inertia; /* moment of inertia about the centre of mass [kg m^2]; > 0 */
} tc_body2;

/* State of a planar body, world axes. */
typedef struct tc_body2_state {
    tc_real position[3]; /* x, y of the centre of mass [m], angle theta [rad] */
    tc_real velocity[3]; /* vx, vy of the centre of mass [m/s], omega [rad/s] */
} tc_body2_state;

/* Inertia of a spatial body. */
typedef struct tc_body3 {
    tc_real mass;       /* mass [kg]; > 0 */
    tc_real inertia[3]; /* principal moments about the centre of mass, body axes [kg m^2]; > 0 */
} tc_body3;

/* State of a spatial body, world axes. */
typedef struct tc_body3_state {
    tc_real position[3];    /* centre of mass [m] */
    tc_real orientation[4]; /* quaternion w, x, y, z from body to world axes; unit length */
    tc_real velocity[6];    /* vx, vy, vz of the centre of mass [m/s], wx, wy, wz [rad/s] */
} tc_body3_state;

/* ---- Planar ---------------------------------------------------------------------------------- */

/* Checks the mass and the moment of inertia.
 * Returns: TC_OK, TC_ERR_NULL or TC_ERR_BODY. */
tc_status tc_body2_check(const tc_body2 *body);

/* Adds h M^-1 wrench[3] to the velocity: the applied force over a step h [s], before contact.
 * Returns: TC_OK or a common error. */
tc_status tc_body2_apply_wrench(const tc_body2 *body, const tc_real wrench[3], tc_real h,
                                tc_body2_state *state);

/* Adds M^-1 impulse[3] to the velocity.
 * Returns: TC_OK or a common error. */
tc_status tc_body2_apply_impulse(const tc_body2 *body, const tc_real impulse[3],
                                 tc_body2_state *state);

/* Adds h velocity to the position; h: step [s]. The function does not wrap theta. In float theta is
 * accurate to 1e-6 rad up to about 10 rad, so wrap it for a body that keeps turning.
 * Returns: TC_OK or a common error. */
tc_status tc_body2_move(tc_real h, tc_body2_state *state);

/* Computes the velocity[2] [m/s] of the body's point at arm[2] [m] from the centre of mass, world
 * axes.
 * Returns: TC_OK or a common error. */
tc_status tc_body2_point_velocity(const tc_body2_state *state, const tc_real arm[2],
                                  tc_real velocity[2]);

/* Computes the kinetic energy [J].
 * Returns: TC_OK or a common error. */
tc_status tc_body2_energy(const tc_body2 *body, const tc_body2_state *state, tc_real *energy);

/* ---- Spatial --------------------------------------------------------------------------------- */

/* Checks the mass and the moments of inertia. They need not obey the triangle inequality, because
 * geared rotors do not.
 * Returns: TC_OK, TC_ERR_NULL or TC_ERR_BODY. */
tc_status tc_body3_check(const tc_body3 *body);

/* Adds h f / m to v and h I^-1 torque to omega, I in world axes; h: step [s]. The angular momentum
 * grows by h torque. The gyroscopic change of omega is part of tc_body3_coast.
 * Returns: TC_OK or a common error. */
tc_status tc_body3_apply_wrench(const tc_body3 *body, const tc_real wrench[6], tc_real h,
                                tc_body3_state *state);

/* Adds f / m to v and I^-1 torque to omega, for impulse[6] = (f, torque).
 * Returns: TC_OK or a common error. */
tc_status tc_body3_apply_impulse(const tc_body3 *body, const tc_real impulse[6],
                                 tc_body3_state *state);

/* Adds h v to the position and turns the body by exp(h omega); the quaternion is normalised, the
 * velocity unchanged. This serves a guided body and a ball; for others take tc_body3_coast.
 * Returns: TC_OK or a common error. */
tc_status tc_body3_move(tc_real h, tc_body3_state *state);

/* Moves a free body by a step h [s]: adds h v to the position and turns the body with the omega of
 * the midpoint. The new omega follows from the angular momentum at the new orientation. Up to half
 * a radian per step, angular momentum is kept to rounding and energy to 4e-4 over 10 s. Beyond it,
 * energy never grows, and momentum may change (tc_body_core.h).
 * Returns: TC_OK or a common error.
 * Cost: 3 rounds of a fixed point; 24 for a turn that would gain energy or is above 0.4 rad. */
tc_status tc_body3_coast(const tc_body3 *body, tc_real h, tc_body3_state *state);

/* Computes velocity[3] = v + omega x arm [m/s] of the body's point at arm[3] [m] from the centre of
 * mass, world axes.
 * Returns: TC_OK or a common error. */
tc_status tc_body3_point_velocity(const tc_body3_state *state, const tc_real arm[3],
                                  tc_real velocity[3]);

/* Computes inverse[3 x 3] = R diag(1 / inertia) R^T, world axes, exactly symmetric [1 / (kg m^2)].
 * Returns: TC_OK or a common error. */
tc_status tc_body3_inverse_inertia(const tc_body3 *body, const tc_body3_state *state,
                                   tc_real inverse[9]);

/* Computes the kinetic energy [J].
 * Returns: TC_OK or a common error. */
tc_status tc_body3_energy(const tc_body3 *body, const tc_body3_state *state, tc_real *energy);

TC_END

#endif
