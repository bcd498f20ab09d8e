/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Rigid bodies, planar (3 degrees of freedom) and spatial (6): their inertia and their state, and how both
 * move with given velocities. A body does not know which contact model moves it.
 *
 * Frames: world axes unless a name ends in _body. Planar angles are counter-clockwise from x to y.
 * Quaternions are (w, x, y, z) and turn body axes into world axes.
 *
 * A wrench is a force [N] and a torque about the centre of mass [N m], an impulse the same times a second
 * [N s, N m s]: planar (x, y, torque), spatial (x, y, z, torque x, y, z), in world axes.
 *
 * Every function checks what it reads: TC_ERR_NULL, TC_ERR_BODY (mass or a moment of inertia not finite and
 * positive), TC_ERR_UNIT (a quaternion not of unit length), TC_ERR_NOT_FINITE, and TC_ERR_RANGE where the
 * result overflows. After an error a state is as it was and a result is zero. tc_body_core.h has the same,
 * inlined and unchecked, with the same bits. No loop depends on values.
 */
#ifndef TC_BODY_H
#define TC_BODY_H

#include "tc_status.h"

TC_BEGIN

typedef struct tc_body2 {
    tc_real mass;    /* [kg] > 0 */
    tc_real inertia; /* about the centre of mass [kg m^2] > 0 */
} tc_body2;

typedef struct tc_body2_state {
    tc_real position[3]; /* x, y of the centre of mass [m], theta [rad] */
    tc_real velocity[3]; /* vx, vy [m/s], omega [rad/s] */
} tc_body2_state;

typedef struct tc_body3 {
    tc_real mass;       /* [kg] > 0 */
    tc_real inertia[3]; /* principal moments about the centre of mass, body axes [kg m^2] > 0 */
} tc_body3;

typedef struct tc_body3_state {
    tc_real position[3];    /* of the centre of mass [m] */
    tc_real orientation[4]; /* w, x, y, z; unit length */
    tc_real velocity[6];    /* vx, vy, vz of the centre of mass [m/s], then wx, wy, wz [rad/s]; world axes */
} tc_body3_state;

/* ---- Planar ------------------------------------------------------------------------------------ */

tc_status tc_body2_check(const tc_body2 *body);

/* velocity += h M^-1 wrench: line 1 of Algorithm 1, the applied force integrated before contact */
tc_status tc_body2_apply_wrench(const tc_body2 *body, const tc_real wrench[3], tc_real h,
                                 tc_body2_state *state);

/* velocity += M^-1 impulse */
tc_status tc_body2_apply_impulse(const tc_body2 *body, const tc_real impulse[3],
                                  tc_body2_state *state);

/* position += h velocity. theta is not wrapped: whoever turns long wraps it (a float's theta is good to 1e-6
 * rad up to some 10 rad). */
tc_status tc_body2_move(tc_real h, tc_body2_state *state);

/* Velocity of the body's point that now is at `arm` from the centre of mass, world axes [m, m/s] */
tc_status tc_body2_point_velocity(const tc_body2_state *state, const tc_real arm[2], tc_real velocity[2]);

/* Kinetic energy [J] */
tc_status tc_body2_energy(const tc_body2 *body, const tc_body2_state *state, tc_real *energy);

/* ---- Spatial ----------------------------------------------------------------------------------- */

/* The triangle inequality of principal moments is not asked for: geared rotors break it. */
tc_status tc_body3_check(const tc_body3 *body);

/* v += h f / m, omega += h I^-1 torque, I in world axes: adds h torque to the angular momentum. What turning
 * does to omega is tc_body3_coast's. */
tc_status tc_body3_apply_wrench(const tc_body3 *body, const tc_real wrench[6], tc_real h,
                                  tc_body3_state *state);

/* v += f / m, omega += I^-1 torque */
tc_status tc_body3_apply_impulse(const tc_body3 *body, const tc_real impulse[6],
                                   tc_body3_state *state);

/* position += h v; R <- exp(h omega) R, normalised; the velocity stays: that of a body that something else
 * guides, or of a ball. */
tc_status tc_body3_move(tc_real h, tc_body3_state *state);

/* Moves a free body by h: position += h v; the body turns with the omega of the midpoint, and omega becomes
 * what the same angular momentum is at the new orientation. Momentum is kept to rounding, energy to 4e-4 over 10 s.
 * That holds up to half a radian in a step; beyond it energy is never gained, and momentum gives way (tc_body_core.h).
 * Bounded: 3 rounds of a fixed point, and 24 in a turn that would gain, or is of more than 0.4 rad. */
tc_status tc_body3_coast(const tc_body3 *body, tc_real h, tc_body3_state *state);

/* Velocity of the body's point at `arm` from the centre of mass, world axes: v + omega x arm */
tc_status tc_body3_point_velocity(const tc_body3_state *state, const tc_real arm[3], tc_real velocity[3]);

/* inverse[3 x 3] = R diag(1 / inertia) R^T, world axes, exactly symmetric [1 / (kg m^2)] */
tc_status tc_body3_inverse_inertia(const tc_body3 *body, const tc_body3_state *state,
                                     tc_real inverse[9]);

/* Kinetic energy [J] */
tc_status tc_body3_energy(const tc_body3 *body, const tc_body3_state *state, tc_real *energy);

TC_END

#endif
