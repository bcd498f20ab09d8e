/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The working set in velocity space: contacts of one body, given by J.
 *
 * With J's rows a_i = M^-1/2 J_i^T (d numbers, 3 planar, 6 spatial) the problem reads
 *
 *     u = sum_j z_j a_j,   w_i = q_i + a_i . u
 *
 * u is the body's change of velocity in the metric of its mass. Contacts that carry have w_A = 0,
 * so u is the point nearest to the origin on d-dimensional planes, and at most d of them are
 * independent. J_A = L Q by Gram-Schmidt, a second pass when the first left less than a tenth
 * of |a| (orthogonality is lost by at most ten roundings without, and restored with one). What is
 * left of a_p is computed, not a difference of squares: dependent rows leave (1e-7)^2 |a|^2, so
 * 1e-11 separates them, where a factor from M = J J^T has 1e-7 to go by.
 *
 * u = Q^T c without z. So the first working set is chosen greedily, the worst contact and again the
 * worst that is left, without a back substitution in between; z is looked at when there are d
 * contacts, or GREEDY: where more are needed, some of the first pull, and have to be dropped again.
 *
 * Cost: 2 k d multiply-accumulates to append (4 k d in two passes), d (k + n) for w.
 */
#include "tc_exact.h"
#include "tc_lcp_internal.h"

#define DEPENDENT_ROWS (TC_C(1e-4) * TC_EPSILON) /* of |a|^2; 1.2e-11 in float */
#define SECOND_PASS TC_C(0.01)
#define GREEDY 4u /* contacts chosen without a look at z */

/* The planar d = 3 is written out where it is a constant; other d take the loops. */
TC_MAT_INLINE tc_real dot_rows(const tc_real *a, const tc_real *b, uint32_t d)
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

TC_MAT_INLINE void clear_column(tc_real *y, uint32_t d)
{
    if (d == 3u) {
        y[0] = y[1] = y[2] = TC_C(0.0);
    } else {
        for (uint32_t i = 0; i < d; ++i) {
            y[i] = TC_C(0.0);
        }
    }
}

/* y = a x */
TC_MAT_INLINE void scale_rows(tc_real *y, tc_real a, const tc_real *x, uint32_t d)
{
    if (d == 3u) {
        y[0] = a * x[0];
        y[1] = a * x[1];
        y[2] = a * x[2];
    } else {
        y[0] = a * x[0];
        for (uint32_t i = 1; i < d; ++i) {
            y[i] = a * x[i];
        }
    }
}

/* y += a x */
TC_MAT_INLINE void add_rows(tc_real *y, tc_real a, const tc_real *x, uint32_t d)
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

/* Takes the directions of Q out of rho; l collects how much of each, and the sum over them comes
 * off c. */
TC_MAT_INLINE tc_real project_rows(const tci_lcp_state *s, tc_real *rho, tc_real *l, tc_real c,
                                   int again, uint32_t d)
{
    const tc_real *direction = s->Q;
    for (uint32_t j = 0; j < s->count; ++j, direction += d) {
        const tc_real part = dot_rows(direction, rho, d);
        add_rows(rho, -part, direction, d);
        l[j] = again ? l[j] + part : part;
        c = TC_MLS(c, part, s->c[j]);
    }
    return c;
}

TC_MAT_INLINE int append_row(tci_lcp_state *s, uint32_t p, uint32_t d)
{
    const uint32_t k = s->count;
    const tc_real *a = s->J + p * d;
    tc_real *l = lcp_row(s, k), rho[TC_LCP_FREEDOM_MAX];
    scale_rows(rho, TC_C(1.0), a, d);
    const tc_real size = dot_rows(a, a, d);
    tc_real c = project_rows(s, rho, l, -s->q[p], 0, d);
    tc_real rest = dot_rows(rho, rho, d);
    if (rest < SECOND_PASS * size) {
        c = project_rows(s, rho, l, c, 1, d);
        rest = dot_rows(rho, rho, d);
    }
    if (k == d || !(rest > DEPENDENT_ROWS * size)) {
        return 0;
    }
    const tc_real inverse = TC_C(1.0) / tc_sqrt(rest);
    scale_rows(s->Q + k * d, inverse, rho, d);
    l[k] = inverse;
    s->c[k] = c * inverse;
    s->spare[s->n + p] = size;
    s->order[k] = (uint8_t)p;
    s->count = k + 1u;
    return 1;
}

/* w = J u + q. Outside A only the worst contact is of interest. */
TC_MAT_INLINE lcp_bits rows_rows(tci_lcp_state *s, const tc_real *q, int by_factor, uint32_t d)
{
    tc_real u[TC_LCP_FREEDOM_MAX];
    const tc_real *a = s->J;
    tc_real *const first = s->w, *const end = first + s->n, *worst = first;
    lcp_bits violation = 0;
    clear_column(u, d);
    for (uint32_t j = 0; j < s->count; ++j) {
        const uint32_t contact = s->order[j];
        if (by_factor) {
            add_rows(u, s->c[j], s->Q + j * d, d);
        } else {
            add_rows(u, s->z[contact], s->J + contact * d, d);
        }
    }
    for (tc_real *row = first; row != end; ++row, a += d) {
        const tc_real w = *q++ + dot_rows(a, u, d);
        const lcp_bits bits = lcp_to_bits(w);
        *row = w;
        const lcp_bits size = bits & ~LCP_SIGN;
        if (bits >= LCP_INFINITE && size > violation && (s->active >> (row - first) & 1u) == 0) {
            violation = size;
            worst = row;
        }
    }
    s->worst = violation != 0 ? LCP_BIT(worst - first) : 0u;
    s->violated = s->worst;
    return violation;
}

static int append_contact_rows(tci_lcp_state *s, uint32_t p)
{
    ++s->changes;
    const int appended = s->d == 3u ? append_row(s, p, 3u) : append_row(s, p, s->d);
    if (!appended) {
        tci_lcp_null_direction(s);
    }
    return appended;
}

static void append_rows(tci_lcp_state *s, tc_lcp_set mask, tc_lcp_set first)
{
    (void)first; /* there is one, or none is asked to come first */
    for (; mask != 0; mask &= mask - 1u) {
        (void)append_contact_rows(s, lcp_lowest(mask));
    }
}

static lcp_bits any_rows(tci_lcp_state *s, const tc_real *q, int by_factor)
{
    return s->d == 3u ? rows_rows(s, q, by_factor, 3u) : rows_rows(s, q, by_factor, s->d);
}

static void judge_rows(tci_lcp_state *s, const tc_real *q)
{
    lcp_weigh(s, q, any_rows(s, q, 0));
}

/* The worst contact, and again the worst that is left, whatever the signs of z */
static void start_rows(tci_lcp_state *s)
{
    s->active = 0;
    while (s->worst != 0 && append_contact_rows(s, lcp_lowest(s->worst))) {
        if (s->count == s->d || s->count == GREEDY) {
            return;
        }
        s->active |= s->worst;
        (void)any_rows(s, s->q, 1);
    }
}

const lcp_source tci_lcp_rows = {append_rows, judge_rows, start_rows, NULL};
