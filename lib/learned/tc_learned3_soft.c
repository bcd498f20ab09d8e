/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Normals of compliant contacts, and what their springs store.
 *
 * Law of a contact, implicit. The force is f = -k g' - c u' with g' = g + h u' and u' the speed at
 * the end of the step, if that is positive, else 0. Of p = h f / m, the impulse per unit mass,
 *
 *     u' + R p + b = 0,   R = m / (h^2 k + h c),   b = k g / (h k + c) = g / (h + c / k),
 *
 * where p > 0, and u' + b >= 0 where p = 0: a complementarity problem with R on its diagonal. k ->
 * infinity is the rigid contact with its gap, u' + g / h >= 0.
 *
 * Normals. With rows J of three columns let y = J^T z be what the normals do to the body. Then
 *
 *     z_i = max(0, -(q_i + J_i y) / R_i),   y = sum_i J_i^T z_i:
 *
 * three equations, whatever the number of contacts, and y is where
 *
 *     phi(y) = |y|^2 / 2 + sum_i max(0, -(q_i + J_i y))^2 / (2 R_i)
 *
 * is least, which is strictly convex. Newton's method solves it, with the matrix I + sum J_i^T J_i
 * / R_i over the contacts that press, exactly as soon as their set stands. Where a full step does
 * not make phi less, it is halved. As R <= 1000 / 1 and R >= 1 / 1000 (tc_foot3_check), the
 * matrix's condition is within float's reach, and one more step takes the rounding away.
 *
 * Energy, all per unit mass, S the energy of the springs, k / 2m sum min(g, 0)^2. Normals change
 * the kinetic energy by sum p_i (u_i + u_i') / 2 <= sum p_i u_i', since u' - u = W p (+ friction's).
 * Where p > 0 and g' < 0,
 *
 *     p u' + S' - S <= -(h k / m) g' u' - (h c / m) u'^2 + (k / 2m) (g'^2 - g^2) [+ k g^2 / 2m, g > 0]
 *                    = -(h c / m) u'^2 - (k / 2m) (g' - g)^2 [+ k g^2 / 2m] <= 0,
 *
 * the last because g' < 0 < g makes (g' - g)^2 > g^2. Where p > 0 and g' >= 0 the damper alone
 * presses, u' < 0, and S' = 0. Where p = 0, g' >= 0 or u' > 0 hold, and S' <= S. So compliance never
 * makes energy, whatever h. Friction that opposes the slip that remains takes more away; of other
 * friction tc_learned3_close cuts what would gain.
 */
#include "tc_exact.h"
#include "tc_learned3_core.h"
#include "tc_vec.h"

#include <string.h>

#define YIELD_STEPS 12u
#define SOFT_HALVINGS 6u
#define STIFF TC_C(32.0) /* from this of 1 + sum 1 / R on rounding is worth another step */

/* The search for y */
typedef struct yield_search {
    tc_real y[3];
    tc_real gradient[3]; /* of phi at y */
    tc_real phi;
    uint32_t active;    /* contacts that press at y */
    tc_real hessian[6]; /* of phi: 11, 12, 22, 13, 23, 33 */
    uint32_t built;     /* contacts that it is of */
} yield_search;

/* solve->z and w at y, and what phi is there */
static void press_contacts(const learned3_solve *solve, yield_search *s)
{
    const tc_real *const yield = solve->problem->soft->yield, *a = solve->J;
    tc_real phi = tc_vec_dot3(s->y, s->y), g0 = s->y[0], g1 = s->y[1], g2 = s->y[2];
    s->active = 0;
    for (uint32_t i = 0; i < solve->problem->patch->count; i++, a += 3) {
        const tc_real w = solve->q[i] + tc_vec_dot3(a, s->y);
        const int presses = w < TC_C(0.0);
        const tc_real z = presses ? -w / yield[i] : TC_C(0.0);
        solve->z[i] = z;
        solve->w[i] = presses ? TC_C(0.0) : w;
        phi = TC_MLS(phi, z, w);
        g0 = TC_MLS(g0, z, a[0]);
        g1 = TC_MLS(g1, z, a[1]);
        g2 = TC_MLS(g2, z, a[2]);
        s->active |= presses ? 1u << i : 0u;
    }
    s->phi = TC_C(0.5) * phi;
    s->gradient[0] = g0;
    s->gradient[1] = g1;
    s->gradient[2] = g2;
}

/* I + sum J_i^T J_i / R_i; the first column of J is the same for all contacts. */
static void build_hessian(const learned3_solve *solve, yield_search *s)
{
    const tc_real *const yield = solve->problem->soft->yield, *a = solve->J;
    tc_real sum = TC_C(0.0), h1 = TC_C(0.0), h2 = TC_C(0.0);
    tc_real h11 = TC_C(1.0), h12 = TC_C(0.0), h22 = TC_C(1.0);
    for (uint32_t i = 0; i < solve->problem->patch->count; i++, a += 3) {
        if ((s->active >> i & 1u) != 0u) {
            const tc_real share = TC_C(1.0) / yield[i], b1 = share * a[1], b2 = share * a[2];
            sum += share;
            h1 += b1;
            h2 += b2;
            h11 = TC_MLA(h11, b1, a[1]);
            h12 = TC_MLA(h12, b1, a[2]);
            h22 = TC_MLA(h22, b2, a[2]);
        }
    }
    s->hessian[0] = TC_C(1.0) + sum;
    s->hessian[1] = h1;
    s->hessian[2] = h11;
    s->hessian[3] = h2;
    s->hessian[4] = h12;
    s->hessian[5] = h22;
    s->built = s->active;
}

/* Solves H d = -g by L D L^T; H's pivots are 1 or more. */
static void yield_step(const yield_search *s, tc_real d[3])
{
    const tc_real *const H = s->hessian, *const g = s->gradient;
    const tc_real i1 = TC_C(1.0) / H[0], l21 = H[1] * i1, l31 = H[3] * i1;
    const tc_real d2 = tc_vec_max(TC_MLS(H[2], l21, H[1]), TC_C(1.0));
    const tc_real m32 = TC_MLS(H[4], l21, H[3]), i2 = TC_C(1.0) / d2, l32 = m32 * i2;
    const tc_real d3 = TC_MLS(TC_MLS(H[5], l31, H[3]), l32, m32);
    const tc_real b2 = TC_MLA(-g[1], l21, g[0]);
    const tc_real b3 = TC_MLS(TC_MLA(-g[2], l31, g[0]), l32, b2);
    d[2] = b3 / tc_vec_max(d3, TC_C(1.0));
    d[1] = TC_MLS(b2 * i2, l32, d[2]);
    d[0] = TC_MLS(TC_MLS(-g[0] * i1, l21, d[1]), l31, d[2]);
}

/* A step, or the part of it that makes phi less. Returns 1 if the set of contacts that press stayed:
 * then the step was exact. */
static int advance_yield(const learned3_solve *solve, yield_search *s)
{
    const tc_real y[3] = {s->y[0], s->y[1], s->y[2]}, phi = s->phi;
    tc_real d[3], share = TC_C(1.0);
    if (s->built != s->active) {
        build_hessian(solve, s);
    }
    yield_step(s, d);
    for (uint32_t half = 0; half < SOFT_HALVINGS; half++, share *= TC_C(0.5)) {
        for (uint32_t k = 0; k < 3u; k++) {
            s->y[k] = TC_MLA(y[k], share, d[k]);
        }
        press_contacts(solve, s);
        if (s->active == s->built || s->phi <= phi) {
            break;
        }
    }
    return share == TC_C(1.0) && s->active == s->built;
}

tc_status tc_learned3_yielding(const learned3_solve *solve, int refined)
{
    yield_search s;
    tc_real y0 = TC_C(0.0), y1 = TC_C(0.0), y2 = TC_C(0.0);
    const tc_real *a = solve->J;
    int exact = 0;
    for (uint32_t i = 0; i < solve->problem->patch->count; i++, a += 3) {
        const tc_real p = solve->corner[i].p[2];
        y0 = TC_MLA(y0, p, a[0]);
        y1 = TC_MLA(y1, p, a[1]);
        y2 = TC_MLA(y2, p, a[2]);
    }
    s.y[0] = y0;
    s.y[1] = y1;
    s.y[2] = y2;
    s.built = 0;
    s.hessian[0] = s.hessian[2] = s.hessian[5] = TC_C(1.0);
    s.hessian[1] = s.hessian[3] = s.hessian[4] = TC_C(0.0);
    press_contacts(solve, &s);
    for (uint32_t n = 0; n < YIELD_STEPS && !exact; n++) {
        exact = advance_yield(solve, &s);
    }
    if (refined && s.hessian[0] > STIFF) {
        (void)advance_yield(solve, &s);
    }
    return exact ? TC_OK : TC_NOTE_FALLBACK;
}

tc_real tc_learned3_stored(const learned3_solve *solve)
{
    const tc_learned3_problem *const problem = solve->problem;
    const tc_learned3_soft *const soft = problem->soft;
    const tc_real *const v = solve->v;
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        const tc_real *const arm = problem->patch->arm[i];
        const tc_real gap = problem->patch->gap[i];
        const tc_real u = v[2] + TC_MLS(v[3] * arm[1], v[4], arm[0]);
        const tc_real now = tc_vec_not_negative(-gap);
        const tc_real then = tc_vec_not_negative(-TC_MLA(gap, soft->step, u));
        sum = TC_MLA(sum, then - now, then + now);
    }
    return TC_C(0.5) * soft->spring * sum;
}
