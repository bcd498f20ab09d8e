/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The working set's factor from M, the judge of what comes of it, and what M and J share.
 *
 * Row p is appended to L by forward substitution, l_j = (M_pj - sum_{i<j} l_i L_ji) / L_jj, and
 *
 *     rest = M_pp - sum l_j^2,   L_pp = sqrt(rest),   c_p = (-q_p - sum l_j c_j) / L_pp
 *
 * Dependence. rest is the square of the distance of contact p's row of J from the span of those in
 * A. M itself carries roundings |dM_ij| <= u sqrt(M_ii M_jj), u = 2^-24, and rest = v^T M v for v =
 * (r, 1), r = -L^-T l: they make up to u (sum |v_i| sqrt(M_ii))^2 of it. Four times that counts as
 * zero. The test costs a substitution, so only a rest below 1 % of M_pp is put to it.
 *
 * The judge recomputes w from M (or J), q and z, never from the factor, so errors cannot pile up.
 * violation = max over the contacts of |w_i| in A, of max(0, -w_i) outside; it bounds max |min(z_i,
 * w_i)| and, unlike that, does not compare impulses with velocities. The scale is taken from below,
 * for sum_j |M_ij| z_j >= |sum_j M_ij z_j|: cheaper, and never too kind. Outside A a w_i < 0 within
 * rounding of its own terms is no approach.
 *
 * Cost: append k^2 / 2 multiply-accumulates for the k-th row, back substitution k^2 / 2, judge n k.
 */
#include "tc_exact.h"
#include "tc_lcp_internal.h"
#include "tc_vec.h"

#define GATE_MATRIX TC_C(0.01) /* a contact approaches still, by this part of its q */
/* a pivot below this part of its diagonal is looked at for dependence */
#define LOOK_MATRIX TC_C(1e-2)

#define BLOCK 6u /* rows of w at once */

void tci_lcp_back(const tci_lcp_state *s, const tc_real *c, tc_real *x)
{
    tc_real *const end = x + s->count;
    const tc_real *inverse = lcp_row(s, s->count) - 1;
    for (uint32_t j = s->count; j-- > 0;) {
        const tc_real *L = inverse;
        tc_real sum = c[j];
        uint32_t next = j;
        for (const tc_real *y = x + j + 1u; y != end; ++y) {
            L += ++next;
            sum = TC_MLS(sum, *L, *y);
        }
        x[j] = sum * *inverse;
        inverse -= j + 1u;
    }
}

LCP_COLD void tci_lcp_null_direction(tci_lcp_state *s)
{
    tci_lcp_back(s, lcp_row(s, s->count), s->x);
    for (uint32_t j = 0; j < s->count; ++j) {
        s->x[j] = -s->x[j];
    }
}

/* Whether `rest` may be zero but for the roundings in M; x becomes the null direction. */
static LCP_COLD int dependent_matrix(tci_lcp_state *s, uint32_t p, tc_real rest)
{
    const uint32_t next = s->n + 1u;
    if (s->shift != TC_C(1.0)) {
        return !(rest > TC_C(0.0)); /* proximal: the shift decides it */
    }
    tc_real sum = tc_sqrt(s->M[p * next]);
    tci_lcp_null_direction(s);
    for (uint32_t j = 0; j < s->count; ++j) {
        sum += tc_vec_magnitude(s->x[j]) * tc_sqrt(s->M[s->order[j] * next]);
    }
    return !(rest > TC_C(2.0) * TC_EPSILON * sum * sum);
}

TC_MAT_INLINE void append_contact_matrix(tci_lcp_state *s, uint32_t p, int gate)
{
    const uint32_t k = s->count;
    const tc_real *row = s->M + p * s->n, *L = s->L, *c_before = s->c;
    const uint8_t *order = s->order;
    tc_real *const l = lcp_row(s, k);
    const tc_real q = s->q[p], diagonal = row[p] * s->shift;
    tc_real rest = diagonal, c = -q;
    for (uint32_t j = 0; j < k; ++j) {
        tc_real l_j = row[order[j]];
        const tc_real *const end = L + j;
        for (const tc_real *part = l; L != end; ++L, ++part) {
            l_j = TC_MLS(l_j, *L, *part);
        }
        l_j *= *L++;
        l[j] = l_j;
        rest = TC_MLS(rest, l_j, l_j);
        c = TC_MLS(c, l_j, c_before[j]);
    }
    ++s->changes;
    if ((gate && !(c > GATE_MATRIX * tc_vec_magnitude(q)))
        || (!(rest > LOOK_MATRIX * diagonal) && dependent_matrix(s, p, rest))) {
        return;
    }
    const tc_real inverse = TC_C(1.0) / tc_sqrt(rest);
    l[k] = inverse;
    s->c[k] = c * inverse;
    s->order[k] = (uint8_t)p;
    s->count = k + 1u;
}

static void append_matrix(tci_lcp_state *s, tc_lcp_set mask, tc_lcp_set first)
{
    const int gate = first != 0;
    first &= mask;
    while (mask != 0) {
        const uint32_t p = lcp_lowest(first != 0 ? first : mask);
        mask &= ~LCP_BIT(p);
        first = 0;
        append_contact_matrix(s, p, gate);
        /* or what each row needs would be loaded before the loop and kept on the stack */
        TC_MAT_BARRIER;
    }
}

/* w = M z + q: `count` rows of it from i on */
TC_MAT_INLINE void rows_matrix(tci_lcp_state *s, const tc_real *q, uint32_t i, uint32_t count)
{
    const uint32_t n = s->n;
    const uint8_t *order = s->order, *const end = order + s->count;
    const tc_real *const z = s->z, *const M = s->M + i;
    tc_real sum[BLOCK];
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k < count; ++k) {
        sum[k] = q[i + k];
    }
    for (; order != end; ++order) {
        const tc_real *const column = M + *order * n; /* M is symmetric */
        const tc_real z_j = z[*order];
        TC_MAT_UNROLLED
        for (uint32_t k = 0; k < count; ++k) {
            sum[k] = TC_MLA(sum[k], column[k], z_j);
        }
    }
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k < count; ++k) {
        s->w[i + k] = sum[k];
    }
}

/* All rows */
TC_MAT_INLINE lcp_bits all_rows(tci_lcp_state *s, const tc_real *q)
{
    const uint32_t n = s->n;
    lcp_bits violation = 0;
    tc_lcp_set violated = 0;
    uint32_t worst = 0, i = 0;
    for (; i + BLOCK <= n; i += BLOCK) {
        rows_matrix(s, q, i, BLOCK);
    }
    for (; i < n; ++i) {
        rows_matrix(s, q, i, 1u);
    }
    const tc_lcp_set active = s->active;
    for (i = 0; i < n; ++i) {
        const lcp_bits bits = lcp_to_bits(s->w[i]);
        if (bits < LCP_INFINITE || (active >> i & 1u) != 0) {
            continue;
        }
        violated |= LCP_BIT(i);
        if ((bits & ~LCP_SIGN) > violation) {
            violation = bits & ~LCP_SIGN;
            worst = i;
        }
    }
    s->violated = violated;
    s->worst = LCP_BIT(worst);
    return violation;
}

LCP_COLD void tci_lcp_correct(tci_lcp_state *s, const tc_real *error, tc_real *values,
                              tc_real least)
{
    tc_real *c = s->spare;
    for (uint32_t k = 0; k < s->count; ++k) {
        const tc_real *row = lcp_row(s, k);
        tc_real c_k = error[s->order[k]];
        for (uint32_t j = 0; j < k; ++j) {
            c_k = TC_MLS(c_k, row[j], c[j]);
        }
        c[k] = c_k * row[k];
    }
    tci_lcp_back(s, c, s->x);
    for (uint32_t k = 0; k < s->count; ++k) {
        tc_real *value = values + s->order[k];
        *value = tc_vec_max(*value - s->x[k], least);
    }
}

LCP_COLD tc_real tci_lcp_element(const tci_lcp_state *s, uint32_t i, uint32_t j)
{
    tc_real sum = TC_C(0.0);
    if (s->J == NULL) {
        return s->M[i * s->n + j];
    }
    for (uint32_t k = 0; k < s->d; ++k) {
        sum = TC_MLA(sum, s->J[i * s->d + k], s->J[j * s->d + k]);
    }
    return sum;
}

LCP_COLD tc_real tci_lcp_root(const tci_lcp_state *s, uint32_t i)
{
    return tc_sqrt(tci_lcp_element(s, i, i));
}

LCP_COLD void tci_lcp_multiply(const tci_lcp_state *s, const tc_real *y, tc_real *product)
{
    memset(product, 0, s->n * sizeof product[0]);
    for (uint32_t j = 0; j < s->n; ++j) {
        for (uint32_t i = 0; i < s->n && y[j] != TC_C(0.0); ++i) {
            product[i] = TC_MLA(product[i], tci_lcp_element(s, i, j), y[j]);
        }
    }
}

LCP_COLD tc_real tci_lcp_terms(const tci_lcp_state *s, uint32_t i, tc_real q)
{
    tc_real size = tc_vec_magnitude(q);
    for (uint32_t j = 0; j < s->count; ++j) {
        const uint32_t contact = s->order[j];
        const tc_real element =
            s->J == NULL ? s->M[contact * s->n + i] : tci_lcp_element(s, contact, i);
        size = TC_MLA(size, tc_vec_magnitude(element), s->z[contact]);
    }
    return size;
}

LCP_COLD void tci_lcp_exact_scale(tci_lcp_state *s, const tc_real *q)
{
    s->scale = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        s->scale = tc_vec_max(s->scale, tci_lcp_terms(s, i, q[i]));
    }
}

static void judge_matrix(tci_lcp_state *s, const tc_real *q)
{
    lcp_weigh(s, q, all_rows(s, q));
}

static void start_matrix(tci_lcp_state *s)
{
    append_matrix(s, s->violated, s->worst);
}

const lcp_source tci_lcp_matrix = {append_matrix, judge_matrix, start_matrix, tci_lcp_proximal};
