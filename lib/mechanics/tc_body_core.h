/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The motion of rigid bodies, inlined and unchecked: for steps that have checked body and state at
 * their border. tc_body.c is the same behind checks. Contracts, frames and units as in tc_body.h.
 *
 * A body that turns freely. Body axes, L = I omega. A step turns the body by cay(2 t omega_m): by 2
 * atan(t |omega_m|) about omega_m, the quaternion (1, t omega_m) up to its length. L is at rest in
 * the world, so in the body it turns the other way, L' = cay(-2 t omega_m) L, whatever omega_m is:
 * world momentum is kept to rounding. With omega_m = I^-1 (L + L')/2, the midpoint,
 *
 *     L' - L = -2 t omega_m x (L + L')/2,    omega_m . (L' - L) = 0 = T' - T:
 *
 * energy is kept, too, and so for any t. t = (h/2) tan(b)/b, b = h |omega|/2, as a series, makes a
 * turn about a principal axis h omega (to 1e-4 of it up to 0.6 rad; b beyond 1 counts as 1). In
 * omega the midpoint is
 *
 *     omega_m1 = omega_1 + t (I2 - I3)/I1 omega_m2 omega_m3,   and so on round,
 *
 * and |I2 - I3| <= I1 of all that is made of mass: a fixed point that draws in by h |omega|/2.
 * Three rounds, each taking what is new at once, leave 4e-4 of the energy after 10 s of rods,
 * plates and boxes at 20 to 50 rad/s per axis and 5 ms, 3e-5 at 2 ms, 1e-6 at 1 ms; it does not
 * grow with time.
 *
 * Impulses in the midst of a turn change omega_m and omega alike, by the same amount: contacts are
 * asked about omega_m, with which the pose moves. It is then no longer the midpoint of what they
 * left, and to carry the momentum to an orientation that is off by an angle a gains up to a I_max /
 * I_min of the energy: of a needle all there is, many times over. So where a turn would end with
 * more than TC_TURN_STRUCK of the energy that the impulses left, it is made again from there, by
 * its own midpoint and with more rounds, and the pose moves with that. Turns of more than
 * TC_TURN_SLOW are always made so, and contacts are asked about omega itself. Where rounds do not
 * draw in, beyond a radian or two in a step, omega_m = omega, and what energy it would gain is
 * taken out of omega: then momentum gives way, never energy.
 */
#ifndef TC_BODY_CORE_H
#define TC_BODY_CORE_H

#include "tc_body.h"
#include "tc_vec.h"

/* See above. Rounds of the fixed point, and where it has to be sure; the turn that contacts are
 * asked about [rad]; how many times the energy of before a free turn and one that was struck may
 * have. */
#define TC_TURN_ROUNDS 3
#define TC_TURN_ROUNDS_MAX 24
#define TC_TURN_SLOW TC_C(0.4)
#define TC_TURN_FREE TC_C(2.0)
#define TC_TURN_STRUCK TC_C(1.001)

/* ---- Planar ---------------------------------------------------------------------------------- */

static inline void tc_body2_apply_impulse_core(const tc_body2 *body, const tc_real impulse[3],
                                               tc_real velocity[3])
{
    const tc_real inverse = TC_C(1.0) / body->mass;
    velocity[0] = TC_MLA(velocity[0], inverse, impulse[0]);
    velocity[1] = TC_MLA(velocity[1], inverse, impulse[1]);
    velocity[2] += impulse[2] / body->inertia;
}

static inline void tc_body2_apply_wrench_core(const tc_body2 *body, const tc_real wrench[3],
                                              tc_real h, tc_real velocity[3])
{
    const tc_real impulse[3] = {h * wrench[0], h * wrench[1], h * wrench[2]};
    tc_body2_apply_impulse_core(body, impulse, velocity);
}

static inline void tc_body2_move_core(tc_real h, const tc_real velocity[3], tc_real position[3])
{
    position[0] = TC_MLA(position[0], h, velocity[0]);
    position[1] = TC_MLA(position[1], h, velocity[1]);
    position[2] = TC_MLA(position[2], h, velocity[2]);
}

/* ---- Spatial --------------------------------------------------------------------------------- */

/* velocity += (impulse / m, R diag(1/I) R^T impulse) at orientation q; without a torque, nothing
 * turns. */
static inline void tc_body3_kick_core(const tc_body3 *body, const tc_real q[4],
                                      const tc_real impulse[6], tc_real velocity[6])
{
    const tc_real inverse = TC_C(1.0) / body->mass;
    for (int i = 0; i < 3; ++i) velocity[i] = TC_MLA(velocity[i], inverse, impulse[i]);
    if (impulse[3] == TC_C(0.0) && impulse[4] == TC_C(0.0) && impulse[5] == TC_C(0.0)) return;
    tc_real R[9], turn[3], change[3];
    tc_vec_rotation(q, R);
    tc_mat3_vec_t(R, impulse + 3, turn);
    for (int i = 0; i < 3; ++i) turn[i] /= body->inertia[i];
    tc_mat3_vec(R, turn, change);
    for (int i = 0; i < 3; ++i) velocity[3 + i] += change[i];
}

/* R diag(1/I) R^T: the lower triangle computed, the upper mirrored */
static inline void tc_body3_inverse_inertia_core(const tc_body3 *body, const tc_real R[9],
                                                 tc_real inverse[9])
{
    const tc_real one = TC_C(1.0);
    const tc_real d[3] = {one / body->inertia[0], one / body->inertia[1], one / body->inertia[2]};
    for (int i = 0; i < 3; ++i) {
        const tc_real row[3] = {R[3 * i] * d[0], R[3 * i + 1] * d[1], R[3 * i + 2] * d[2]};
        for (int j = 0; j <= i; ++j)
            inverse[3 * i + j] = inverse[3 * j + i] = tc_vec_dot3(row, R + 3 * j);
    }
}

/* Position and orientation by given velocities, which stay as they are */
static inline void tc_body3_move_core(tc_real h, tc_body3_state *state)
{
    for (int i = 0; i < 3; ++i)
        state->position[i] = TC_MLA(state->position[i], h, state->velocity[i]);
    tc_vec_quaternion_turn(h, state->velocity + 3, state->orientation);
}

/* ---- Spatial, turning freely: the midpoint --------------------------------------------------- */

/* A turn under way: what its end needs of its beginning. */
typedef struct tc_body3_turn {
    tc_real R[9];     /* body to world at the beginning */
    tc_real half;     /* t [s]: the turn is cay(2 t omega_m) */
    tc_real ahead[3]; /* omega_m - omega, body axes [rad/s] */
    tc_real gain;     /* the end may have so many times the energy of the beginning */
} tc_body3_turn;

/* omega_m of body axes from omega, in so many rounds of the fixed point; *t: as above.
 * Returns |omega|^2. */
static inline tc_real tc_body3_turn_mean_core(const tc_body3 *body, tc_real h, const tc_real w[3],
                                              int rounds, tc_real *t, tc_real m[3])
{
    const tc_real *const I = body->inertia, half = TC_C(0.5) * h;
    const tc_real size = tc_vec_dot3(w, w), angle2 = half * half * size;
    const tc_real x = angle2 < TC_C(1.0) ? angle2 : TC_C(1.0);
    *t = half * TC_MLA(TC_C(1.0), x, TC_MLA(TC_C(0.33333333), TC_C(0.13333333), x));
    const tc_real c[3] = {*t * (I[1] - I[2]) / I[0], *t * (I[2] - I[0]) / I[1],
                          *t * (I[0] - I[1]) / I[2]};
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) m[i] = w[i];
    TC_MAT_UNROLLED
    for (int round = 0; round < rounds; ++round) {
        m[0] = TC_MLA(w[0], c[0] * m[1], m[2]);
        m[1] = TC_MLA(w[1], c[1] * m[2], m[0]);
        m[2] = TC_MLA(w[2], c[2] * m[0], m[1]);
    }
    return size;
}

/* The turn is by omega_m where `found`, else by omega; `velocity` gets the one or the other. */
static inline void tc_body3_turn_set_core(const tc_real w[3], const tc_real m[3], int found,
                                          tc_real velocity[6], tc_body3_turn *turn)
{
    tc_real change[3];
    turn->gain = found ? TC_TURN_FREE : TC_C(0.0);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) turn->ahead[i] = found ? m[i] - w[i] : TC_C(0.0);
    tc_mat3_vec(turn->R, turn->ahead, change);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) velocity[3 + i] += change[i];
}

/* Replaces omega in `velocity` by the mean omega_m of a turn of h. */
static inline void tc_body3_turn_begin_core(const tc_body3 *body, tc_real h, const tc_real q[4],
                                            tc_real velocity[6], tc_body3_turn *turn)
{
    tc_real w[3], m[3];
    tc_vec_rotation(q, turn->R);
    tc_mat3_vec_t(turn->R, velocity + 3, w);
    const tc_real size = tc_body3_turn_mean_core(body, h, w, TC_TURN_ROUNDS, &turn->half, m);
    const int found =
        h * h * size <= TC_TURN_SLOW * TC_TURN_SLOW && tc_vec_dot3(m, m) <= TC_C(4.0) * size;
    tc_body3_turn_set_core(w, m, found, velocity, turn);
}

/* An impulse has changed velocities in the midst of a turn. */
static inline void tc_body3_turn_strike_core(tc_body3_turn *turn)
{
    /* 0 stays, and twice does not hurt: the turn is made again */
    turn->gain *= TC_TURN_STRUCK / TC_TURN_FREE;
}

/* What becomes of omega_m and q by `share` of a turn, with drift[3] (world axes, may be null)
 * besides: *before and *after are twice the energy of turning. */
static inline void tc_body3_turn_part_core(const tc_body3 *body, const tc_body3_turn *turn,
                                           tc_real share, const tc_real *drift,
                                           const tc_real omega[3], const tc_real q[4],
                                           tc_real change[3], tc_real turned[4], tc_real *before,
                                           tc_real *after)
{
    const tc_real half = share * turn->half;
    tc_real mean[3], v[3], w[3], momentum[3], t[3], u[3];
    tc_mat3_vec_t(turn->R, omega, mean);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) v[i] = half * mean[i];
    if (drift) {
        tc_mat3_vec_t(turn->R, drift, t);
        TC_MAT_UNROLLED
        for (int i = 0; i < 3; ++i) v[i] = TC_MLA(v[i], half, t[i]);
    }
    const tc_real twice = TC_C(2.0) / (TC_C(1.0) + tc_vec_dot3(v, v));
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        w[i] = mean[i] - turn->ahead[i];
        momentum[i] = body->inertia[i] * w[i];
    }
    *before = tc_vec_dot3(momentum, w);
    tc_vec_cross(v, momentum, t);
    tc_vec_cross(v, t, u);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) {
        w[i] -= twice * (t[i] - u[i]) / body->inertia[i];
        momentum[i] = body->inertia[i] * w[i];
    }
    *after = tc_vec_dot3(momentum, w);
    tc_vec_cross(v, w, t);
    tc_vec_cross(v, t, u);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) w[i] = TC_MLA(w[i] - mean[i], twice, t[i] + u[i]);
    tc_mat3_vec(turn->R, w, change);
    turned[0] = q[0] - tc_vec_dot3(q + 1, v);
    tc_vec_cross(q + 1, v, turned + 1);
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) turned[i + 1] += TC_MLA(q[i + 1], q[0], v[i]);
}

/* tc_body.c: ends a turn that would gain energy. */
void tc_body3_turn_again(const tc_body3 *body, const tc_body3_turn *turn, tc_real time,
                         tc_real velocity[6], tc_real q[4]);

/* Turns q by `share` of the turn, with the omega_m in `velocity`, which impulses may have changed
 * since the beginning (then turn->gain is TC_TURN_STRUCK), and drift; leaves in `velocity` the
 * omega with the momentum of before. */
static inline void tc_body3_turn_end_core(const tc_body3 *body, const tc_body3_turn *turn,
                                          tc_real h, tc_real share, const tc_real *drift,
                                          tc_real velocity[6], tc_real q[4])
{
    tc_real change[3], turned[4], before, after;
    tc_body3_turn_part_core(body, turn, share, drift, velocity + 3, q, change, turned, &before,
                            &after);
    if (after > before * turn->gain) {
        tc_body3_turn_again(body, turn, share * h, velocity, q);
        return;
    }
    TC_MAT_UNROLLED
    for (int i = 0; i < 3; ++i) velocity[3 + i] += change[i];
    tc_vec_quaternion_set(turned, q);
}

static inline void tc_body3_coast_core(const tc_body3 *body, tc_real h, tc_body3_state *state)
{
    tc_body3_turn turn;
    tc_body3_turn_begin_core(body, h, state->orientation, state->velocity, &turn);
    for (int i = 0; i < 3; ++i)
        state->position[i] = TC_MLA(state->position[i], h, state->velocity[i]);
    tc_body3_turn_end_core(body, &turn, h, TC_C(1.0), NULL, state->velocity, state->orientation);
}

#endif
