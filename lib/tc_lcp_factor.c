/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The working set's factor from M, and the judge of every answer.
 *
 * Row p is appended to L by forward substitution, l_j = (M_pj - sum_{i<j} l_i L_ji) / L_jj, and
 *
 *     rest = M_pp - sum l_j^2,   L_pp = sqrt(rest),   c_p = (-q_p - sum l_j c_j) / L_pp
 *
 * Dependence. rest is the square of the distance of contact p's row of J from the span of those in A. M
 * itself carries roundings |dM_ij| <= u sqrt(M_ii M_jj), u = 2^-24, and rest = v^T M v for v = (r, 1),
 * r = -L^-T l: they make up to u (sum |v_i| sqrt(M_ii))^2 of it. Four times that counts as zero. The test
 * costs a substitution, so only a rest below 1 % of M_pp is put to it.
 *
 * The judge recomputes w from M (or J), q and z, never from the factor, so errors cannot pile up.
 * violation = max over the contacts of |w_i| in A, of max(0, -w_i) outside; it bounds max |min(z_i, w_i)|
 * and, unlike that, does not compare impulses with velocities. The scale is taken from below, for
 * sum_j |M_ij| z_j >= |sum_j M_ij z_j|: cheaper, and never too kind. Outside A a w_i < 0 within rounding
 * of its own terms is no approach.
 *
 * Cost: append k^2 / 2 multiply-accumulates for the k-th row, back substitution k^2 / 2, judge n k.
 */
#include "tc_lcp_core.h"

/* A pivot below this part of its diagonal is looked at for dependence. */
#define GATE TC_C(0.01)
#define LOOK TC_C(1e-2)

/* A violation below this part of the scale is held against its own terms. */
#define DOUBTFUL TC_C(1e-4)

void tc_lcp_back(const tc_lcp_state *s, const tc_real *c, tc_real *x)
{
    const tc_real *row = lcp_row(s, s->count);
    for (uint32_t j = 0; j < s->count; ++j) {
        x[j] = c[j];
    }
    for (uint32_t j = s->count; j-- > 0;) {
        row -= j + 1u;
        const tc_real x_j = x[j] * row[j];
        x[j] = x_j;
        for (uint32_t i = 0; i < j; ++i) {
            x[i] = TC_MLS(x[i], row[i], x_j);
        }
    }
}

static LCP_COLD void null_direction(tc_lcp_state *s)
{
    tc_lcp_back(s, lcp_row(s, s->count), s->x);
    for (uint32_t j = 0; j < s->count; ++j) {
        s->x[j] = -s->x[j];
    }
}

/* Whether `rest` may be zero but for the roundings in M; x becomes the null direction. */
static LCP_COLD int dependent(tc_lcp_state *s, uint32_t p, tc_real rest)
{
    const uint32_t next = s->n + 1u;
    if (s->shift != TC_C(1.0)) {
        return !(rest > TC_C(0.0)); /* proximal: the shift decides it */
    }
    tc_real sum = tc_sqrt(s->M[p * next]);
    null_direction(s);
    for (uint32_t j = 0; j < s->count; ++j) {
        sum += lcp_magnitude(s->x[j]) * tc_sqrt(s->M[s->order[j] * next]);
    }
    s->doubt = 1;
    return !(rest > TC_C(2.0) * TC_EPSILON * sum * sum);
}

TC_MAT_INLINE int append_from_matrix(tc_lcp_state *s, uint32_t p, int gate)
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
    if (gate && !(c > GATE * lcp_magnitude(q))) {
        return 0;
    }
    if (!(rest > LOOK * diagonal) && dependent(s, p, rest)) {
        return 0;
    }
    const tc_real inverse = TC_C(1.0) / tc_sqrt(rest);
    l[k] = inverse;
    s->c[k] = c * inverse;
    return 1;
}

int tc_lcp_append(tc_lcp_state *s, uint32_t p)
{
    const uint32_t k = s->count;
    ++s->changes;
    if (s->J == NULL ? append_from_matrix(s, p, 0) : tc_lcp_velocity_append(s, p)) {
        s->order[k] = (uint8_t)p;
        s->count = k + 1u;
        return 1;
    }
    if (s->J != NULL) {
        null_direction(s);
    }
    return 0;
}

void tc_lcp_append_all(tc_lcp_state *s, uint32_t mask, int gate)
{
    for (uint32_t p = 0; mask != 0; ++p, mask >>= 1u) {
        if ((mask & 1u) == 0) {
            continue;
        }
        ++s->changes;
        if (s->J == NULL ? append_from_matrix(s, p, gate) : tc_lcp_velocity_append(s, p)) {
            s->order[s->count] = (uint8_t)p;
            ++s->count;
        }
    }
}

/* Four rows of w = M z + q from i on; returns their sum. */
TC_MAT_INLINE tc_real four_rows(tc_lcp_state *s, const tc_real *q, uint32_t i, uint32_t active)
{
    const uint32_t n = s->n;
    const uint8_t *order = s->order, *const end = order + s->count;
    const tc_real *const z = s->z, *const M = s->M + i;
    tc_real w0 = q[i], w1 = q[i + 1u], w2 = q[i + 2u], w3 = q[i + 3u];
    for (; order != end; ++order) {
        const tc_real *column = M + *order * n; /* M is symmetric */
        const tc_real z_j = z[*order];
        w0 = TC_MLA(w0, column[0], z_j);
        w1 = TC_MLA(w1, column[1], z_j);
        w2 = TC_MLA(w2, column[2], z_j);
        w3 = TC_MLA(w3, column[3], z_j);
    }
    tc_lcp_row(s, q[i], i, w0, active);
    tc_lcp_row(s, q[i + 1u], i + 1u, w1, active);
    tc_lcp_row(s, q[i + 2u], i + 2u, w2, active);
    tc_lcp_row(s, q[i + 3u], i + 3u, w3, active);
    return (w0 + w1) + (w2 + w3);
}

static tc_real one_row(tc_lcp_state *s, const tc_real *q, uint32_t i, uint32_t active)
{
    tc_real w = q[i];
    for (uint32_t j = 0; j < s->count; ++j) {
        w = TC_MLA(w, s->M[s->order[j] * s->n + i], s->z[s->order[j]]);
    }
    tc_lcp_row(s, q[i], i, w, active);
    return w;
}

/* All rows; the last four may overlap those before them. */
TC_MAT_INLINE tc_real matrix_rows(tc_lcp_state *s, const tc_real *q, uint32_t active)
{
    const uint32_t n = s->n;
    tc_real total = TC_C(0.0);
    for (uint32_t i = 0; i < n && n < 4u; ++i) {
        total += one_row(s, q, i, active);
    }
    for (uint32_t i = 0; i < n && n >= 4u; i += 4u) {
        i = i + 4u <= n ? i : n - 4u;
        total += four_rows(s, q, i, active);
    }
    return total;
}

LCP_COLD void tc_lcp_correct(tc_lcp_state *s, const tc_real *error, tc_real *values, tc_real least)
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
    tc_lcp_back(s, c, s->x);
    for (uint32_t k = 0; k < s->count; ++k) {
        tc_real *value = values + s->order[k];
        *value = lcp_max(*value - s->x[k], least);
    }
}

LCP_COLD void tc_lcp_multiply(const tc_lcp_state *s, const tc_real *y, tc_real *product)
{
    memset(product, 0, s->n * sizeof product[0]);
    for (uint32_t j = 0; j < s->n; ++j) {
        for (uint32_t i = 0; i < s->n && y[j] != TC_C(0.0); ++i) {
            product[i] = TC_MLA(product[i], lcp_element(s, i, j), y[j]);
        }
    }
}

/* sum_j |M_ij| z_j + |q_i| */
static LCP_COLD tc_real terms(const tc_lcp_state *s, uint32_t i, tc_real q)
{
    tc_real size = lcp_magnitude(q);
    for (uint32_t j = 0; j < s->count; ++j) {
        const uint32_t contact = s->order[j];
        size = TC_MLA(size, lcp_magnitude(lcp_element(s, contact, i)), s->z[contact]);
    }
    return size;
}

void tc_lcp_approach(tc_lcp_state *s, uint32_t i, tc_real w, tc_real q)
{
    const tc_real size = lcp_magnitude(w - q) + lcp_magnitude(q);
    s->violation = lcp_max(s->violation, -w);
    if (!(-w > LCP_NOISE * size) || (s->ignored >> i & 1u) != 0) {
        return;
    }
    if (-w < DOUBTFUL * s->scale && s->shift == TC_C(1.0) && !(-w > LCP_NOISE * terms(s, i, q))) {
        return;
    }
    const tc_real merit = s->J == NULL ? w * w / s->M[i * (s->n + 1u)] : w * w;
    if (s->violated == 0 || !(merit <= s->merit)) { /* also a zero row's infinity */
        s->merit = merit;
        s->worst = i;
    }
    s->violated |= 1u << i;
}

void tc_lcp_judge(tc_lcp_state *s, const tc_real *q)
{
    tc_real carrying = TC_C(0.0);
    uint32_t active = 0;
    const uint8_t *const order = s->order, *const end = order + s->count;
    for (const uint8_t *contact = order; contact != end; ++contact) {
        active |= 1u << *contact;
    }
    s->active = active;
    s->violated = 0;
    s->violation = TC_C(0.0);
    const tc_real total = s->J == NULL ? matrix_rows(s, q, active) : tc_lcp_velocity_rows(s, q, active);
    for (const uint8_t *contact = order; contact != end; ++contact) {
        carrying = lcp_max(carrying, lcp_magnitude(s->w[*contact]));
    }
    s->carrying = carrying;
    s->violation = lcp_max(s->violation, carrying) + TC_C(0.0) * total;
}

LCP_COLD void tc_lcp_exact_scale(tc_lcp_state *s, const tc_real *q)
{
    s->scale = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        s->scale = lcp_max(s->scale, terms(s, i, q[i]));
    }
}
