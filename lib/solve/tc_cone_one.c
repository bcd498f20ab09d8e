/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One contact in space, in closed form up to an angle. With A = G G^T + c I (3 x 3), q = G w0 and
 * u = q + A f:
 *
 *     open           f = 0                 where q_n >= mu |q_t|
 *     stick          A f = -q              where f_n >= floor, |f_t| <= mu f_n
 *     stick, floor   A_tt f_t = -(q_t + floor A_tn)   where |f_t| <= mu floor, u_n >= 0
 *     slip           f = f_n r, r = (1, mu tau), f_n = max(floor, -r^T q / r^T A r)
 *
 * In the last, tau = (cos, sin) of an angle is such that u_t = -|u_t| tau: with p = (0, tau turned
 * by a right angle), g = p^T u = 0. Along the angle
 *
 *     g' = -tau^T u_t + p^T A (f_n' r + mu f_n p),   f_n' = -mu (p^T q + 2 f_n r^T A p) / r^T A r
 *
 * and f_n' = 0 at the floor. Newton's method starts from a few projected steps, these from the impulse
 * that sticks, or from the floor. The boundary of the cone may have a second minimum.
 *
 * The certificate judges the answer; what it refuses is left to the general solver.
 */
#include "tc_exact.h"
#include "tc_cone_internal.h"

#define PROJECTED_STEPS 1u
#define ANGLE_STEPS 8u
#define CURVED TC_C(0.01)                   /* g' below this part of its convex terms is not used */
#define ANGLE_DONE (TC_C(8.0) * TC_EPSILON) /* of the velocities that come in */
#define PIVOT_SMALLEST (TC_C(64.0) * TC_EPSILON) /* of the diagonal */

/* A is [nn, n1, n2, 11, 12, 22] */
TC_MAT_INLINE void multiply_own(const tc_real *A, const tc_real *x, tc_real *y)
{
    y[0] = TC_MLA(TC_MLA(A[0] * x[0], A[1], x[1]), A[2], x[2]);
    y[1] = TC_MLA(TC_MLA(A[1] * x[0], A[3], x[1]), A[4], x[2]);
    y[2] = TC_MLA(TC_MLA(A[2] * x[0], A[4], x[1]), A[5], x[2]);
}

/* Tangents of A_tt f_t = b; 0 where A_tt is nearly singular */
TC_MAT_INLINE int solve_tangents(const tc_real *A, const tc_real *b, tc_real *f)
{
    const tc_real determinant = TC_MLS(A[3] * A[5], A[4], A[4]);
    if (!(determinant > PIVOT_SMALLEST * A[3] * A[5])) return 0;
    const tc_real inverse = TC_C(1.0) / determinant;
    f[0] = TC_MLS(A[5] * b[0], A[4], b[1]) * inverse;
    f[1] = TC_MLS(A[3] * b[1], A[4], b[0]) * inverse;
    return 1;
}

/* f of a contact that sticks, the tangents eliminated first */
TC_MAT_INLINE int solve_stick(const tc_real *A, const tc_real *q, tc_real *f)
{
    tc_real by_normal[2], by_q[2];
    if (!solve_tangents(A, A + 1, by_normal) || !solve_tangents(A, q + 1, by_q)) return 0;
    const tc_real pivot = TC_MLS(TC_MLS(A[0], A[1], by_normal[0]), A[2], by_normal[1]);
    if (!(pivot > PIVOT_SMALLEST * A[0])) return 0;
    f[0] = -TC_MLS(TC_MLS(q[0], A[1], by_q[0]), A[2], by_q[1]) / pivot;
    f[1] = -TC_MLA(by_q[0], f[0], by_normal[0]);
    f[2] = -TC_MLA(by_q[1], f[0], by_normal[1]);
    return 1;
}

/* Whether |f_t| <= mu f_n, all positive */
TC_MAT_INLINE int in_disc(const tc_real *f, tc_real radius)
{
    return TC_MLA(f[1] * f[1], f[2], f[2]) <= radius * radius;
}

/* Direction of f after a few projected steps; 0 where it has no tangent */
TC_MAT_INLINE int find_direction(const tci_cone_contact *c, const tc_real *A, const tc_real *q,
                                 tc_real *f, tc_real *tau)
{
    tc_real u[3], length;
    for (uint32_t k = 0; k < PROJECTED_STEPS; ++k) {
        multiply_own(A, f, u);
        for (uint32_t r = 0; r < 3u; ++r) f[r] = TC_MLS(f[r], c->step, u[r] + q[r]);
        (void)tci_cone_project(c, f, &length, 3u);
    }
    const tc_real square = TC_MLA(f[1] * f[1], f[2], f[2]);
    if (!(square > TC_C(0.0))) return 0;
    const tc_real inverse = TC_C(1.0) / tc_sqrt(square);
    tau[0] = f[1] * inverse;
    tau[1] = f[2] * inverse;
    return 1;
}

/* f that slips along tau; tau turns by Newton's step. Returns 0 once there is nothing to turn. */
TC_MAT_INLINE int turn_direction(const tci_cone_contact *c, const tc_real *A, const tc_real *q,
                                 tc_real *tau, tc_real *f, tc_real most)
{
    const tc_real mu = c->mu, r[3] = {TC_C(1.0), mu * tau[0], mu * tau[1]};
    tc_real along[3];
    multiply_own(A, r, along);
    const tc_real push = TC_MLA(TC_MLA(q[0], r[1], q[1]), r[2], q[2]);
    const tc_real curve = TC_MLA(TC_MLA(along[0], r[1], along[1]), r[2], along[2]);
    tc_real normal = -push / curve, slope = TC_C(0.0);
    const tc_real cross = TC_MLS(tau[0] * along[2], tau[1], along[1]); /* p^T A r */
    const tc_real drift = TC_MLS(tau[0] * q[2], tau[1], q[1]);         /* p^T q */
    if (normal > c->floor) {
        slope = -mu * TC_MLA(drift, TC_C(2.0) * normal, cross) / curve;
    } else {
        normal = c->floor;
    }
    f[0] = normal;
    f[1] = normal * r[1];
    f[2] = normal * r[2];
    const tc_real g = TC_MLA(drift, normal, cross);
    const tc_real u1 = TC_MLA(q[1], normal, along[1]), u2 = TC_MLA(q[2], normal, along[2]);
    const tc_real ahead = TC_MLA(tau[0] * u1, tau[1], u2);
    const tc_real own = TC_MLA(tau[0] * TC_MLS(A[5] * tau[0], A[4], tau[1]), tau[1],
                               TC_MLS(A[3] * tau[1], A[4], tau[0])); /* p^T A p */
    const tc_real change = TC_MLA(TC_MLA(-ahead, slope, cross), mu * normal, own);
    const tc_real convex = TC_MLA(tc_vec_magnitude(ahead), mu * normal, own);
    if (tc_vec_magnitude(g) <= most) return 0;
    tc_real turn = -g / (change > CURVED * convex ? change : convex);
    turn = turn > TC_C(1.0) ? TC_C(1.0) : turn < TC_C(-1.0) ? TC_C(-1.0) : turn;
    const tc_real scale = TC_C(1.0) / tc_sqrt(TC_MLA(TC_C(1.0), turn, turn));
    const tc_real first = TC_MLS(tau[0], turn, tau[1]) * scale;
    tau[1] = TC_MLA(tau[1], turn, tau[0]) * scale;
    tau[0] = first;
    return 1;
}

/* f that slips, from the tangent of `start` */
TC_MAT_INLINE void solve_slip(const tci_cone_state *s, tc_real *start, tc_real *f)
{
    const tci_cone_contact *const c = s->contact;
    const tc_real *const A = s->own, *const q = s->u;
    tc_real tau[2];
    if (c->mu <= TC_C(0.0) || !find_direction(c, A, q, start, tau)) {
        f[0] = tc_vec_max(-q[0] / A[0], c->floor);
        f[1] = f[2] = TC_C(0.0);
        return;
    }
    const tc_real done = ANGLE_DONE * s->approach;
    for (uint32_t k = 0; turn_direction(c, A, q, tau, f, done) && k < ANGLE_STEPS;) ++k;
}

/* f at the floor with free tangents; 0 where that is no answer */
TC_MAT_INLINE int solve_floor(const tci_cone_contact *c, const tc_real *A, const tc_real *q,
                              tc_real *f)
{
    const tc_real b[2] = {-TC_MLA(q[1], c->floor, A[1]), -TC_MLA(q[2], c->floor, A[2])};
    f[0] = c->floor;
    return solve_tangents(A, b, f + 1) && in_disc(f, c->mu * f[0])
           && q[0] + tc_vec_dot3(A, f) >= TC_C(0.0);
}

/* f that sticks, or sticks at its floor; 0 where neither is an answer. `start` is where the search
 * of a slipping f begins. */
TC_MAT_INLINE int solve_fixed(const tci_cone_contact *c, const tc_real *A, const tc_real *q,
                              tc_real *start, tc_real *f)
{
    tc_real length;
    if (solve_stick(A, q, f) && f[0] >= c->floor && in_disc(f, c->mu * f[0])) return 1;
    if (c->floor > TC_C(0.0)) return solve_floor(c, A, q, f);
    for (uint32_t r = 0; r < 3u; ++r) start[r] = f[r];
    (void)tci_cone_project(c, start, &length, 3u);
    return 0;
}

void tci_cone_one(tci_cone_state *s)
{
    const tci_cone_contact *const c = s->contact;
    const tc_real *const A = s->own, *const q = s->u;
    tc_real *const f = s->f, start[3] = {c->floor, TC_C(0.0), TC_C(0.0)};
    for (uint32_t r = 0; r < 3u; ++r) f[r] = start[r];
    /* q in the dual cone: mu |q_t| <= q_n */
    if (c->floor <= TC_C(0.0) && q[0] >= TC_C(0.0)
        && TC_MLA(q[1] * q[1], q[2], q[2]) * c->mu * c->mu <= q[0] * q[0]) {
        return;
    }
    if (c->mu > TC_C(0.0) && solve_fixed(c, A, q, start, f)) return;
    solve_slip(s, start, f);
}
