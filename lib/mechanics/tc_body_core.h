/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The motion of rigid bodies, inlined and unchecked: for steps that have checked body and state at their
 * border. tc_body.c is the same behind checks. Contracts, frames and units as in tc_body.h.
 *
 * Rotation in a step. With a = h omega (world axes), R <- exp([a]x) R is in quaternions
 *
 *     q <- (cos(|a|/2), sin(|a|/2) a/|a|) q = (cos b, sinc(b) a/2) q,     b = |a|/2, sinc(b) = sin(b)/b.
 *
 * Both are even in b, so series in b^2 need no root and no division by a small number:
 *
 *     cos b   = 1 - b^2/2 + b^4/24 - b^6/720 + ...       sinc b = 1 - b^2/6 + b^4/120 - b^6/5040 + ...
 *
 * Up to b^2 = TC_TURN_SERIES the first term left out, b^8/40320, is below a quarter of TC_EPSILON; at 1 kHz
 * that is up to 840 rad/s. Beyond it sine and cosine do the work.
 * The product of two unit quaternions is of unit length up to rounding; that is taken out in each step.
 *
 * A body that turns freely. Body axes, L = I omega. A step turns the body by cay(2 t omega_m): by 2 atan(t
 * |omega_m|) about omega_m, the quaternion (1, t omega_m) up to its length. L is at rest in the world, so in
 * the body it turns the other way, L' = cay(-2 t omega_m) L, whatever omega_m is: world momentum is kept to
 * rounding. With omega_m = I^-1 (L + L')/2, the midpoint,
 *
 *     L' - L = -2 t omega_m x (L + L')/2,    omega_m . (L' - L) = 0 = T' - T:
 *
 * energy is kept, too, and so for any t. t = (h/2) tan(b)/b, b = h |omega|/2, as a series, makes a turn about
 * a principal axis h omega (to 1e-4 of it up to 0.6 rad; b beyond 1 counts as 1). In omega the midpoint is
 *
 *     omega_m1 = omega_1 + t (I2 - I3)/I1 omega_m2 omega_m3,   and so on round,
 *
 * and |I2 - I3| <= I1 of all that is made of mass: a fixed point that draws in by h |omega|/2. Three rounds,
 * each taking what is new at once, leave 4e-4 of the energy after 10 s of rods, plates and boxes at 20 to 50
 * rad/s per axis and 5 ms, 3e-5 at 2 ms, 1e-6 at 1 ms; it does not grow with time.
 *
 * Impulses in the midst of a turn change omega_m and omega alike, by the same amount: contacts are asked about omega_m,
 * with which the pose moves. It is then no longer the midpoint of what they left, and to carry the momentum to an
 * orientation that is off by an angle a gains up to a I_max / I_min of the energy: of a needle all there is, many
 * times over. So where a turn would end with more than TC_TURN_STRUCK of the energy that the impulses left, it
 * is made again from there, by its own midpoint and with more rounds, and the pose moves with that. Turns of
 * more than TC_TURN_SLOW are always made so, and contacts are asked about omega itself. Where rounds do not draw
 * in, beyond a radian or two in a step, omega_m = omega, and what energy it would gain is taken out of omega: then
 * momentum gives way, never energy.
 */
#ifndef TC_BODY_CORE_H
#define TC_BODY_CORE_H

#include "tc_body.h"
#include "tc_mat_fixed.h"
#include "tc_math_core.h"

/* (40320 TC_EPSILON / 4)^(1/4), rounded down */
#ifdef TC_DOUBLE
#define TC_TURN_SERIES 1.2e-3
#else
#define TC_TURN_SERIES 0.18f
#endif

/* See above. Rounds of the fixed point, and where it has to be sure; the turn that contacts are asked about [rad];
 * how many times the energy of before a free turn and one that was struck may have. */
#define TC_TURN_ROUNDS 3
#define TC_TURN_ROUNDS_MAX 24
#define TC_TURN_SLOW TC_C(0.4)
#define TC_TURN_FREE TC_C(2.0)
#define TC_TURN_STRUCK TC_C(1.001)

/* R[3 x 3] of a unit quaternion: body axes to world axes */
static inline void tc_vec_rotation(const tc_real q[4], tc_real R[9])
{
    const tc_real w = q[0], x = q[1], y = q[2], z = q[3];
    const tc_real x2 = x + x, y2 = y + y, z2 = z + z;
    R[0] = TC_C(1.0) - (y * y2 + z * z2);
    R[1] = x * y2 - w * z2;
    R[2] = x * z2 + w * y2;
    R[3] = x * y2 + w * z2;
    R[4] = TC_C(1.0) - (x * x2 + z * z2);
    R[5] = y * z2 - w * x2;
    R[6] = x * z2 - w * y2;
    R[7] = y * z2 + w * x2;
    R[8] = TC_C(1.0) - (x * x2 + y * y2);
}

static inline tc_real tc_vec_dot3(const tc_real a[3], const tc_real b[3])
{
    return TC_MLA(TC_MLA(a[0] * b[0], a[1], b[1]), a[2], b[2]);
}

static inline void tc_vec_cross(const tc_real a[3], const tc_real b[3], tc_real c[3])
{
    c[0] = TC_MLS(a[1] * b[2], a[2], b[1]);
    c[1] = TC_MLS(a[2] * b[0], a[0], b[2]);
    c[2] = TC_MLS(a[0] * b[1], a[1], b[0]);
}

/* 0 if all n numbers are finite, else NaN; for n known at compile time, where it unrolls. */
static inline tc_real tc_vec_zero(const tc_real *x, uint32_t n)
{
    tc_real zero = TC_C(0.0) * x[0];
    TC_MAT_UNROLLED
    for (uint32_t i = 1; i < n; ++i) zero *= x[i];
    return zero;
}

/* 1 if x is of unit length within TC_UNIT_TOLERANCE; NaN is not. */
static inline int tc_vec_is_unit(const tc_real *x, uint32_t n)
{
    tc_real excess = TC_C(-1.0);
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n; ++i) excess = TC_MLA(excess, x[i], x[i]);
    return excess <= TC_UNIT_TOLERANCE && excess >= -TC_UNIT_TOLERANCE;
}

/* ---- Planar ------------------------------------------------------------------------------------ */

static inline void tc_body2_apply_impulse_core(const tc_body2 *body, const tc_real impulse[3],
                                                tc_real velocity[3])
{
    const tc_real inverse = TC_C(1.0) / body->mass;
    velocity[0] = TC_MLA(velocity[0], inverse, impulse[0]);
    velocity[1] = TC_MLA(velocity[1], inverse, impulse[1]);
    velocity[2] += impulse[2] / body->inertia;
}

static inline void tc_body2_apply_wrench_core(const tc_body2 *body, const tc_real wrench[3], tc_real h,
                                               tc_real velocity[3])
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

/* ---- Spatial ----------------------------------------------------------------------------------- */

/* velocity += (impulse / m, R diag(1/I) R^T impulse) at orientation q; without a torque, nothing turns. */
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
        for (int j = 0; j <= i; ++j) inverse[3 * i + j] = inverse[3 * j + i] = tc_vec_dot3(row, R + 3 * j);
    }
}

/* cos b and sinc b, given b^2 */
static inline void tc_vec_half_turn(tc_real square, tc_real *cosine, tc_real *sinc)
{
    if (square <= TC_TURN_SERIES) {
        tc_real c = TC_MLA(TC_C(0.041666666666666667), TC_C(-0.0013888888888888889), square);
        tc_real s = TC_MLA(TC_C(0.008333333333333333), TC_C(-0.0001984126984126984), square);
        c = TC_MLA(TC_C(-0.5), c, square);
        s = TC_MLA(TC_C(-0.16666666666666667), s, square);
        *cosine = TC_MLA(TC_C(1.0), c, square);
        *sinc = TC_MLA(TC_C(1.0), s, square);
        return;
    }
    const tc_real b = tc_sqrt(square);
    tc_real sine;
    tc_sincos_core(b, &sine, cosine);
    *sinc = sine / b;
}

/* q = turned, of unit length */
static inline void tc_vec_quaternion_set(const tc_real turned[4], tc_real q[4])
{
    const tc_real length2 = TC_MLA(tc_vec_dot3(turned + 1, turned + 1), turned[0], turned[0]);
    const tc_real scale = TC_C(1.0) / tc_sqrt(length2);
    for (int i = 0; i < 4; ++i) q[i] = scale * turned[i];
}

/* q <- exp(h omega) q, unit length again */
static inline void tc_vec_quaternion_turn(tc_real h, const tc_real omega[3], tc_real q[4])
{
    const tc_real half = TC_C(0.5) * h;
    tc_real v[3] = {half * omega[0], half * omega[1], half * omega[2]};
    tc_real c, sinc, turned[4];
    tc_vec_half_turn(tc_vec_dot3(v, v), &c, &sinc);
    for (int i = 0; i < 3; ++i) v[i] *= sinc;
    turned[0] = c * q[0] - tc_vec_dot3(v, q + 1);
    tc_vec_cross(v, q + 1, turned + 1);
    for (int i = 0; i < 3; ++i) turned[i + 1] += TC_MLA(c * q[i + 1], q[0], v[i]);
    tc_vec_quaternion_set(turned, q);
}

/* Position and orientation by given velocities, which stay as they are */
static inline void tc_body3_move_core(tc_real h, tc_body3_state *state)
{
    for (int i = 0; i < 3; ++i) state->position[i] = TC_MLA(state->position[i], h, state->velocity[i]);
    tc_vec_quaternion_turn(h, state->velocity + 3, state->orientation);
}

/* ---- Spatial, turning freely: the midpoint ----------------------------------------------------- */

/* A turn under way: what its end needs of its beginning. */
typedef struct tc_body3_turn {
    tc_real R[9];     /* body to world at the beginning */
    tc_real half;     /* t [s]: the turn is cay(2 t omega_m) */
    tc_real ahead[3]; /* omega_m - omega, body axes [rad/s] */
    tc_real gain;     /* the end may have so many times the energy of the beginning */
} tc_body3_turn;

/* omega_m of body axes from omega, in so many rounds of the fixed point; *t: as above. Returns |omega|^2. */
static inline tc_real tc_body3_turn_mean_core(const tc_body3 *body, tc_real h, const tc_real w[3],
                                                int rounds, tc_real *t, tc_real m[3])
{
    const tc_real *const I = body->inertia, half = TC_C(0.5) * h;
    const tc_real size = tc_vec_dot3(w, w), angle2 = half * half * size;
    const tc_real x = angle2 < TC_C(1.0) ? angle2 : TC_C(1.0);
    *t = half * TC_MLA(TC_C(1.0), x, TC_MLA(TC_C(0.33333333), TC_C(0.13333333), x));
    const tc_real c[3] = {*t * (I[1] - I[2]) / I[0], *t * (I[2] - I[0]) / I[1], *t * (I[0] - I[1]) / I[2]};
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
static inline void tc_body3_turn_set_core(const tc_real w[3], const tc_real m[3], int found, tc_real velocity[6],
                                            tc_body3_turn *turn)
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
    const int found = h * h * size <= TC_TURN_SLOW * TC_TURN_SLOW && tc_vec_dot3(m, m) <= TC_C(4.0) * size;
    tc_body3_turn_set_core(w, m, found, velocity, turn);
}

/* An impulse has changed velocities in the midst of a turn. */
static inline void tc_body3_turn_strike_core(tc_body3_turn *turn)
{
    turn->gain *= TC_TURN_STRUCK / TC_TURN_FREE; /* 0 stays, and twice does not hurt: the turn is made again */
}

/* What becomes of omega_m and q by `share` of a turn, with drift[3] (world axes, may be null) besides: *before and
 * *after are twice the energy of turning. */
static inline void tc_body3_turn_part_core(const tc_body3 *body, const tc_body3_turn *turn, tc_real share,
                                        const tc_real *drift, const tc_real omega[3], const tc_real q[4],
                                        tc_real change[3], tc_real turned[4], tc_real *before, tc_real *after)
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

/* Turns q by `share` of the turn, with the omega_m in `velocity`, which impulses may have changed since the
 * beginning (then turn->gain is TC_TURN_STRUCK), and drift; leaves in `velocity` the omega with the momentum of
 * before. */
static inline void tc_body3_turn_end_core(const tc_body3 *body, const tc_body3_turn *turn, tc_real h,
                                            tc_real share, const tc_real *drift, tc_real velocity[6],
                                            tc_real q[4])
{
    tc_real change[3], turned[4], before, after;
    tc_body3_turn_part_core(body, turn, share, drift, velocity + 3, q, change, turned, &before, &after);
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
    for (int i = 0; i < 3; ++i) state->position[i] = TC_MLA(state->position[i], h, state->velocity[i]);
    tc_body3_turn_end_core(body, &turn, h, TC_C(1.0), NULL, state->velocity, state->orientation);
}

#endif
