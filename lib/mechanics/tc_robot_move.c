/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dynamics of a limb in space on a base whose motion is measured.
 *
 * All vectors are in the base's axes and all moments about one point O, the first joint's place on
 * the base, so nothing is ever carried from one frame to another. A rigid motion is a pair (turn,
 * speed): its angular velocity, and the velocity of its point at O. Symbols: p joint from O, c
 * centre of mass from O, R link to base axes, u = R axis, x contact point from O, k joint, w rate.
 *
 *   joint       revolute S = (u, p x u),  prismatic S = (0, u)
 *   velocity    V_k = V_k-1 + S_k w_k
 *   products    A_k = A_k-1 + V_k x S_k w_k,  (a, b) x (s, t) = (a x s, a x t + b x s)
 *   contact     J_k = t + s x x  of S_k = (s, t)
 *
 * They begin with the base: V = (omega, 0), since only differences to the base's velocity at O
 * count, and A = (alpha, f at O), f the specific force: gravity then needs no term.
 *
 * A body of mass m, K = R I_c R^T about its centre, needs in V = (omega, v), A = (alpha, a)
 *
 *   F = m (a + alpha x c + omega x (v + omega x c))   at its centre, and the moment about O
 *   N = K alpha + omega x K omega + c x F.
 *
 * With h = m c, I = K + h.c 1 - h c^T its momentum in a motion (a, b) is
 *
 *   B (a, b) = (I a + h x b, m b - h x a).
 *
 * Inwards m, h, I and the forces (N, F) of what moves with joint k add up, and
 *
 *   M_jk = S_j . B S_k (j <= k),   bias_k = S_k . force.
 *
 * A rotor turns with its joint alone: its inertia stands on the diagonal, without coupling to the
 * base. O is at the first joint to keep squares of lengths, and so the rounding of I, small.
 */
#include "tc_exact.h"

/* Helium's vectors do not pay in unrolled scalar code: gcc gathers scalars on the stack to store
 * four at once. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "tc_robot.h"

#include "tc_vec.h"

/* m, h, I (xx, yy, zz, xy, xz, yz) of the above, and the force that it needs */
typedef struct robot_body {
    tc_real mass, first[3], second[6], force[6];
} robot_body;

/* One link: its joint's S, and its body; without one `body.mass` alone is set, to 0. */
typedef struct robot_part {
    tc_real screw[6];
    robot_body body;
} robot_part;

/* What was reached last: orientation, place of the joint, velocity and products */
typedef struct robot_frame {
    tc_real R[9], at[3], V[6], A[6];
} robot_frame;

static inline void cross_add_robot(const tc_real a[3], const tc_real b[3], tc_real to[3])
{
    to[0] = TC_MLS(TC_MLA(to[0], a[1], b[2]), a[2], b[1]);
    to[1] = TC_MLS(TC_MLA(to[1], a[2], b[0]), a[0], b[2]);
    to[2] = TC_MLS(TC_MLA(to[2], a[0], b[1]), a[1], b[0]);
}

static inline void turn_robot(const tc_real R[9], const tc_real x[3], tc_real turned[3])
{
    turned[0] = tc_vec_dot3(R, x);
    turned[1] = tc_vec_dot3(R + 3, x);
    turned[2] = tc_vec_dot3(R + 6, x);
}

/* R <- R exp(axis angle), u = R axis: each row r becomes c r + (1 - c) (r.axis) axis - s axis x r,
 * and r.axis is in u. */
static inline void face_robot(const tc_real axis[3], const tc_real u[3], tc_real angle,
                              tc_real R[9])
{
    tc_real sine, cosine;
    tc_sincos_core(angle, &sine, &cosine);
    const tc_real rest = TC_C(1.0) - cosine;
    const tc_real part[3] = {rest * axis[0], rest * axis[1], rest * axis[2]};
    const tc_real turn[3] = {sine * axis[0], sine * axis[1], sine * axis[2]};
    for (uint32_t i = 0; i < 3u; ++i) {
        tc_real *const r = R + 3u * i;
        tc_real row[3] = {TC_MLA(cosine * r[0], u[i], part[0]),
                          TC_MLA(cosine * r[1], u[i], part[1]),
                          TC_MLA(cosine * r[2], u[i], part[2])};
        cross_add_robot(r, turn, row);
        r[0] = row[0];
        r[1] = row[1];
        r[2] = row[2];
    }
}

/* A += V x S w, V += S w */
static inline void pass_robot(const tc_real S[6], tc_real w, robot_frame *f)
{
    const tc_real step[6] = {w * S[0], w * S[1], w * S[2], w * S[3], w * S[4], w * S[5]};
    cross_add_robot(f->V, step, f->A);
    cross_add_robot(f->V, step + 3, f->A + 3);
    cross_add_robot(f->V + 3, step, f->A + 3);
    for (uint32_t i = 0; i < 6u; ++i) {
        f->V[i] += step[i];
    }
}

/* Over the joint, and into the link's frame */
static inline void enter_robot(const tc_robot_link *link, tc_real q, tc_real w, robot_frame *f,
                               tc_real S[6])
{
    tc_real u[3];
    turn_robot(f->R, link->axis, u);
    if (link->joint == TC_CHAIN_REVOLUTE) {
        S[0] = u[0];
        S[1] = u[1];
        S[2] = u[2];
        tc_vec_cross(f->at, u, S + 3);
        pass_robot(S, w, f);
        face_robot(link->axis, u, q, f->R);
        return;
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        S[i] = TC_C(0.0);
        S[i + 3u] = u[i];
        f->at[i] = TC_MLA(f->at[i], q, u[i]);
    }
    pass_robot(S, w, f);
}

/* y = I x of a symmetric I */
static inline void tensor_robot(const tc_real I[6], const tc_real x[3], tc_real y[3])
{
    y[0] = TC_MLA(TC_MLA(I[0] * x[0], I[3], x[1]), I[4], x[2]);
    y[1] = TC_MLA(TC_MLA(I[3] * x[0], I[1], x[1]), I[5], x[2]);
    y[2] = TC_MLA(TC_MLA(I[4] * x[0], I[5], x[1]), I[2], x[2]);
}

/* second = R I R^T */
static inline void second_robot(const tc_real R[9], const tc_real I[6], tc_real second[6])
{
    tc_real T[9];
    tensor_robot(I, R, T);
    tensor_robot(I, R + 3, T + 3);
    tensor_robot(I, R + 6, T + 6);
    second[0] = tc_vec_dot3(T, R);
    second[1] = tc_vec_dot3(T + 3, R + 3);
    second[2] = tc_vec_dot3(T + 6, R + 6);
    second[3] = tc_vec_dot3(T, R + 3);
    second[4] = tc_vec_dot3(T, R + 6);
    second[5] = tc_vec_dot3(T + 3, R + 6);
}

/* first = h = m c, second += h.c 1 - h c^T */
static inline void shift_robot(const tc_real c[3], robot_body *b)
{
    const tc_real h[3] = {b->mass * c[0], b->mass * c[1], b->mass * c[2]};
    const tc_real square[3] = {h[0] * c[0], h[1] * c[1], h[2] * c[2]};
    b->first[0] = h[0];
    b->first[1] = h[1];
    b->first[2] = h[2];
    b->second[0] += square[1] + square[2];
    b->second[1] += square[2] + square[0];
    b->second[2] += square[0] + square[1];
    b->second[3] = TC_MLS(b->second[3], h[0], c[1]);
    b->second[4] = TC_MLS(b->second[4], h[0], c[2]);
    b->second[5] = TC_MLS(b->second[5], h[1], c[2]);
}

/* momentum = B motion */
static inline void weigh_robot(const robot_body *b, const tc_real motion[6], tc_real momentum[6])
{
    const tc_real *const a = motion, *const t = motion + 3;
    tensor_robot(b->second, a, momentum);
    cross_add_robot(b->first, t, momentum);
    momentum[3] = b->mass * t[0];
    momentum[4] = b->mass * t[1];
    momentum[5] = b->mass * t[2];
    cross_add_robot(a, b->first, momentum + 3);
}

/* The force that a body with I = b->second about its centre c needs in the frame's motion */
static inline void push_robot(const robot_frame *f, const tc_real c[3], robot_body *b)
{
    const tc_real *const omega = f->V, *const alpha = f->A;
    tc_real speed[3] = {f->V[3], f->V[4], f->V[5]};
    tc_real a[3] = {f->A[3], f->A[4], f->A[5]};
    tc_real spin[3];
    cross_add_robot(omega, c, speed);
    cross_add_robot(alpha, c, a);
    cross_add_robot(omega, speed, a);
    tensor_robot(b->second, omega, spin);
    tensor_robot(b->second, alpha, b->force);
    b->force[3] = b->mass * a[0];
    b->force[4] = b->mass * a[1];
    b->force[5] = b->mass * a[2];
    cross_add_robot(omega, spin, b->force);
    cross_add_robot(c, b->force + 3, b->force);
}

/* The link's body and the force that it needs */
static inline void load_robot(const tc_robot_link *link, const robot_frame *f, robot_body *b)
{
    tc_real c[3];
    b->mass = link->mass;
    if (b->mass == TC_C(0.0)) {
        return;
    }
    turn_robot(f->R, link->com, c);
    for (uint32_t i = 0; i < 3u; ++i) {
        c[i] += f->at[i];
    }
    second_robot(f->R, link->inertia, b->second);
    push_robot(f, c, b);
    shift_robot(c, b);
}

/* From the base to the foot; leaves the frame in the last link. */
static void walk_outwards_robot(const tc_robot_limb *limb, const tc_robot_base *base,
                                const tc_real *q, const tc_real *w, robot_part *parts,
                                robot_frame *f)
{
    const tc_real *const from = limb->links[0].origin;
    tc_real swept[3];
    for (uint32_t i = 0; i < 9u; ++i) {
        f->R[i] = i % 4u == 0u ? TC_C(1.0) : TC_C(0.0);
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        f->at[i] = f->V[i + 3u] = TC_C(0.0);
        f->V[i] = base->omega[i];
        f->A[i] = base->alpha[i];
        f->A[i + 3u] = base->force[i];
    }
    tc_vec_cross(base->omega, from, swept);
    cross_add_robot(base->omega, swept, f->A + 3);
    cross_add_robot(base->alpha, from, f->A + 3);
    for (uint32_t k = 0; k < limb->joints; ++k) {
        const tc_robot_link *const link = &limb->links[k];
        if (k > 0u) {
            tc_real step[3];
            turn_robot(f->R, link->origin, step);
            f->at[0] += step[0];
            f->at[1] += step[1];
            f->at[2] += step[2];
        }
        enter_robot(link, q[k], w[k], f, parts[k].screw);
        load_robot(link, f, &parts[k].body);
    }
}

static inline void join_robot(const robot_body *b, robot_body *all)
{
    all->mass += b->mass;
    for (uint32_t i = 0; i < 3u; ++i) {
        all->first[i] += b->first[i];
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        all->second[i] += b->second[i];
        all->force[i] += b->force[i];
    }
}

static inline tc_real pair_robot(const tc_real S[6], const tc_real force[6])
{
    tc_real sum = tc_vec_dot3(S, force);
    sum = TC_MLA(sum, S[3], force[3]);
    sum = TC_MLA(sum, S[4], force[4]);
    return TC_MLA(sum, S[5], force[5]);
}

static void walk_inwards_robot(const tc_robot_limb *limb, const tc_real *w, const robot_part *parts,
                               tc_robot_motion *motion)
{
    const uint32_t n = limb->joints;
    robot_body all = parts[n - 1u].body;
    tc_real *row = motion->M + n * (n + 1u) / 2u;
    for (uint32_t k = n; k-- > 0u;) {
        const tc_robot_link *const link = &limb->links[k];
        const tc_real *const S = parts[k].screw;
        tc_real momentum[6];
        if (k + 1u < n && parts[k].body.mass != TC_C(0.0)) {
            join_robot(&parts[k].body, &all);
        }
        weigh_robot(&all, S, momentum);
        row -= k + 1u;
        for (uint32_t j = 0; j <= k; ++j) {
            row[j] = pair_robot(parts[j].screw, momentum);
        }
        row[k] += link->rotor;
        motion->bias[k] = TC_MLA(pair_robot(S, all.force), link->damping, w[k]);
    }
}

void tc_robot_move(const tc_robot_limb *limb, const tc_robot_base *base, const tc_real *q,
                   const tc_real *w, tc_robot_motion *motion)
{
    const uint32_t n = limb->joints;
    robot_part parts[TC_ROBOT_JOINTS];
    robot_frame f;
    tc_real x[3];
    walk_outwards_robot(limb, base, q, w, parts, &f);
    walk_inwards_robot(limb, w, parts, motion);
    turn_robot(f.R, limb->foot, x);
    for (uint32_t i = 0; i < 3u; ++i) {
        x[i] = TC_MLS(x[i] + f.at[i], limb->radius, base->normal[i]);
        motion->place[i] = x[i] + limb->links[0].origin[i];
    }
    for (uint32_t k = 0; k < n; ++k) {
        const tc_real *const S = parts[k].screw;
        tc_real velocity[3] = {S[3], S[4], S[5]};
        cross_add_robot(S, x, velocity);
        motion->J[k] = velocity[0];
        motion->J[n + k] = velocity[1];
        motion->J[2u * n + k] = velocity[2];
    }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
