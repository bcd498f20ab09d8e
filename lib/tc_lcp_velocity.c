/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The working set in velocity space: contacts of one body, given by J.
 *
 * With J's rows a_i = M^-1/2 J_i^T (d numbers, 3 planar, 6 spatial) the problem reads
 *
 *     u = sum_j z_j a_j,   w_i = q_i + a_i . u
 *
 * u is the body's change of velocity in the metric of its mass. Contacts that carry have w_A = 0, so u
 * is the point nearest to the origin on d-dimensional planes, and at most d of them are independent.
 * J_A = L Q by Gram-Schmidt, a second pass when the first left less than a tenth of |a|^2 (one is then
 * enough for orthogonality to working precision). What is left of a_p is computed, not a difference of
 * squares: dependent rows leave (1e-7)^2 |a|^2, so 1e-11 separates them, where a factor from M = J J^T
 * has 1e-7 to go by.
 *
 * Cost: 2 k d multiply-accumulates to append (4 k d in two passes), d (k + n) for w.
 */
#include "tc_lcp_core.h"

#define DEPENDENT (TC_C(1e-4) * TC_EPSILON) /* of |a|^2; 1.2e-11 in float */
#define SECOND_PASS TC_C(0.1)

/* The planar d = 3 is written out where it is a constant; other d take the loops. */
TC_MAT_INLINE tc_real dot(const tc_real *a, const tc_real *b, uint32_t d)
{
    tc_real sum = a[0] * b[0];
    if (d == 3u) {
        return TC_MLA(TC_MLA(sum, a[1], b[1]), a[2], b[2]);
    }
    for (uint32_t i = 1; i < d; ++i) {
        sum = TC_MLA(sum, a[i], b[i]);
    }
    return sum;
}

TC_MAT_INLINE void clear(tc_real *y, uint32_t d)
{
    if (d == 3u) {
        y[0] = y[1] = y[2] = TC_C(0.0);
    } else {
        for (uint32_t i = 0; i < d; ++i) {
            y[i] = TC_C(0.0);
        }
    }
}

/* y += a x */
TC_MAT_INLINE void add(tc_real *y, tc_real a, const tc_real *x, uint32_t d)
{
    if (d == 3u) {
        y[0] = TC_MLA(y[0], a, x[0]);
        y[1] = TC_MLA(y[1], a, x[1]);
        y[2] = TC_MLA(y[2], a, x[2]);
    } else {
        for (uint32_t i = 0; i < d; ++i) {
            y[i] = TC_MLA(y[i], a, x[i]);
        }
    }
}

/* Takes the directions of Q out of rho; l collects how much of each. */
TC_MAT_INLINE void project(const tc_lcp_state *s, tc_real *rho, tc_real *l, int again, uint32_t d)
{
    const tc_real *direction = s->Q;
    for (uint32_t j = 0; j < s->count; ++j, direction += d) {
        const tc_real part = dot(direction, rho, d);
        add(rho, -part, direction, d);
        l[j] = again ? l[j] + part : part;
    }
}

TC_MAT_INLINE int append(tc_lcp_state *s, uint32_t p, uint32_t d)
{
    const uint32_t k = s->count;
    const tc_real *a = s->J + p * d;
    tc_real *l = lcp_row(s, k), rho[TC_LCP_MAX_FREEDOM];
    tc_real c = -s->q[p];
    clear(rho, d);
    add(rho, TC_C(1.0), a, d);
    const tc_real size = dot(a, a, d);
    project(s, rho, l, 0, d);
    tc_real rest = dot(rho, rho, d);
    if (rest < SECOND_PASS * size) {
        project(s, rho, l, 1, d);
        rest = dot(rho, rho, d);
    }
    if (k == d || !(rest > DEPENDENT * size)) {
        return 0;
    }
    const tc_real inverse = TC_C(1.0) / tc_sqrt(rest);
    clear(s->Q + k * d, d);
    add(s->Q + k * d, inverse, rho, d);
    for (uint32_t j = 0; j < k; ++j) {
        c = TC_MLS(c, l[j], s->c[j]);
    }
    l[k] = inverse;
    s->c[k] = c * inverse;
    return 1;
}

/* w = J u + q with u = J^T z; returns the sum over w. Outside A only the worst contact is of interest. */
TC_MAT_INLINE tc_real rows(tc_lcp_state *s, const tc_real *q, uint32_t active, uint32_t d)
{
    tc_real u[TC_LCP_MAX_FREEDOM], total = TC_C(0.0), most = TC_C(0.0);
    const tc_real *const J = s->J, *const end = q + s->n, *a = J;
    tc_real *row = s->w;
    uint32_t worst = TC_LCP_MAX;
    clear(u, d);
    for (uint32_t j = 0; j < s->count; ++j) {
        const uint32_t contact = s->order[j];
        const tc_real *carrier = J + contact * d;
        const tc_real z = s->z[contact];
        add(u, z, carrier, d);
    }
    for (; q != end; ++q, active >>= 1u, a += d) {
        const tc_real w = *q + dot(a, u, d);
        total += w;
        *row++ = w;
        if (w < most && (active & 1u) == 0) {
            most = w;
            worst = s->n - (uint32_t)(end - q);
        }
    }
    s->violation = -most;
    if (worst != TC_LCP_MAX) {
        tc_lcp_approach(s, worst, most, (end - s->n)[worst]);
    }
    return total;
}

int tc_lcp_velocity_append(tc_lcp_state *s, uint32_t p)
{
    return s->d == 3u ? append(s, p, 3u) : append(s, p, s->d);
}

tc_real tc_lcp_velocity_rows(tc_lcp_state *s, const tc_real *q, uint32_t active)
{
    return s->d == 3u ? rows(s, q, active, 3u) : rows(s, q, active, s->d);
}
