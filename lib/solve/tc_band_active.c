/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Block principal pivoting on a banded matrix (Judice and Pires 1994), after the substitution
 * f = floor + z: find z >= 0 with w = q + A z >= 0 and z^T w = 0.
 *
 * Given a set a of active contacts, z_a = -A_aa^-1 q_a and z = 0 elsewhere. A contact is infeasible
 * if it is active with z_i < 0, or inactive with w_i < 0 by more than rounding. All infeasible
 * contacts change sides at once, and again, while their number falls below the smallest seen, or
 * for BLOCK_TRIES more rounds. That may cycle.
 *
 * Then a projected Newton method (Bertsekas 1982), which cannot: from a feasible z, a is the
 * contacts with z_i > 0 or w_i < 0. The next z lies on the way to the solution for a, cut off at 0,
 * where the energy z^T A z / 2 + q^T z is smaller.
 *
 * A_aa is banded like A. L D L^T without roots is one pass along the line, which takes the forward
 * substitution with it:
 *
 *     c_ij = A_ij - sum_t c_it L_jt,   L_ij = c_ij / D_j,   D_i = A_ii - sum_j c_ij L_ij
 *     y_i  = -q_i - sum_j L_ij y_j
 *
 * For an inactive j, 1 / D_j = 0 and L_ij = 0 follow without a question.
 *
 * Cost: a round takes width (width + 1) / 2 + 2 width multiply-accumulates per active contact,
 * 2 width for each w_i, and each of at most HALVINGS points on the way 2 width.
 */
#include "tc_exact.h"
#include "tc_band_internal.h"

#define BLOCK_TRIES 3u
#define HALVINGS 12u
#define PIVOT_LEAST (TC_C(16.0) * TC_EPSILON) /* of A_ii */
#define ENTER_NOISE (TC_C(4.0) * TC_EPSILON)  /* of the terms of w_i */

/* Row i of the factor, and D_i from d = A_ii */
static tc_real eliminate_any(const tc_real *A, tc_real *L, uint32_t width, uint32_t left, tc_real d)
{
    tc_real c[TC_BAND_WIDTH_MAX + 1u];
    for (uint32_t k = left; k >= 1u; --k) {
        const tc_real *const column = L - k * (width + 1u);
        tc_real sum = A[k];
        for (uint32_t t = left; t > k; --t) sum = TC_MLS(sum, c[t], column[t - k]);
        c[k] = sum;
        L[k] = sum * column[0];
        d = TC_MLS(d, sum, L[k]);
    }
    return d;
}

/* The same inside a band of half-width 4, with the same bits */
TC_MAT_INLINE tc_real eliminate_four(const tc_real *A, tc_real *L, tc_real d)
{
    const tc_real *const one = L - 5, *const two = L - 10, *const three = L - 15;
    const tc_real c4 = A[4], c3 = TC_MLS(A[3], c4, three[1]);
    const tc_real c2 = TC_MLS(TC_MLS(A[2], c4, two[2]), c3, two[1]);
    const tc_real c1 = TC_MLS(TC_MLS(TC_MLS(A[1], c4, one[3]), c3, one[2]), c2, one[1]);
    L[4] = c4 * *(L - 20);
    L[3] = c3 * three[0];
    L[2] = c2 * two[0];
    L[1] = c1 * one[0];
    return TC_MLS(TC_MLS(TC_MLS(TC_MLS(d, c4, L[4]), c3, L[3]), c2, L[2]), c1, L[1]);
}

/* y_i of the forward substitution from the right-hand side. The neighbour comes last: its y is
 * what the processor waits for. */
TC_MAT_INLINE tc_real descend_row(const tc_real *L, const tc_real *y, uint32_t left, tc_real sum)
{
    if (left == 4u) {
        sum = TC_MLS(TC_MLS(sum, L[4], *(y - 4)), L[3], *(y - 3));
        return TC_MLS(TC_MLS(sum, L[2], *(y - 2)), L[1], *(y - 1));
    }
    for (uint32_t c = left; c >= 1u; --c) sum = TC_MLS(sum, L[c], *(y - c));
    return sum;
}

/* x_i of the backward substitution from y_i / D_i */
TC_MAT_INLINE tc_real ascend_row(const tc_real *L, const tc_real *x, uint32_t width, uint32_t right,
                                 tc_real sum)
{
    if (width == 4u && right == 4u) {
        sum = TC_MLS(TC_MLS(sum, L[24], x[4]), L[18], x[3]);
        return TC_MLS(TC_MLS(sum, L[12], x[2]), L[6], x[1]);
    }
    for (uint32_t c = right; c >= 1u; --c) sum = TC_MLS(sum, L[c * (width + 1u) + c], x[c]);
    return sum;
}

void tci_band_forward(const tc_real *L, tc_real *x, uint32_t n, uint32_t width)
{
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real *const row = L + i * (width + 1u);
        const int active = row[0] != TC_C(0.0);
        x[i] = active ? descend_row(row, x + i, tci_band_left(i, width), x[i]) : TC_C(0.0);
    }
}

void tci_band_back(const tc_real *L, tc_real *x, uint32_t n, uint32_t width)
{
    for (uint32_t i = n; i-- != 0u;) {
        const tc_real *const row = L + i * (width + 1u);
        if (row[0] == TC_C(0.0)) continue;
        x[i] = ascend_row(row, x + i, width, tci_band_right(i, n, width), x[i] * row[0]);
    }
}

/* The row of a contact that is not active */
static void clear_row(tc_real *L, uint32_t width)
{
    for (uint32_t c = 0; c <= width; ++c) L[c] = TC_C(0.0);
}

/* From the marks to the factor, with y in z. Returns 0 if a pivot vanishes. */
static int factor_band(tci_band_state *s)
{
    const uint32_t width = s->width, pitch = width + 1u;
    const tc_real shift = *s->shift;
    s->active = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real *const A = s->A + i * pitch;
        tc_real *const L = s->L + i * pitch, *const z = s->z + i;
        const uint32_t left = tci_band_left(i, width);
        if (L[0] == TC_C(0.0) || L[0] == BAND_LEAVES) {
            clear_row(L, width);
            *z = TC_C(0.0);
            continue;
        }
        const tc_real diagonal = TC_MLA(A[0], A[0], shift);
        const tc_real d = width == 4u && left == 4u ? eliminate_four(A, L, diagonal)
                                                    : eliminate_any(A, L, width, left, diagonal);
        if (!(d > PIVOT_LEAST * A[0])) return 0;
        L[0] = TC_C(1.0) / d;
        *z = descend_row(L, z, left, -s->q[i]);
        ++s->active;
    }
    return 1;
}

/* Whether w_i < 0 is more than rounding */
static int approaches_band(const tci_band_state *s, uint32_t i)
{
    const uint32_t pitch = s->width + 1u, left = tci_band_left(i, s->width);
    const uint32_t right = tci_band_right(i, s->n, s->width);
    const tc_real *const row = s->A + i * pitch, *const z = s->z + i;
    tc_real terms = tc_vec_magnitude(s->q[i]);
    for (uint32_t c = 1; c <= left; ++c) terms += tc_vec_magnitude(row[c] * *(z - c));
    for (uint32_t c = 1; c <= right; ++c) terms += tc_vec_magnitude(row[c * pitch + c] * z[c]);
    return -s->w[i] > ENTER_NOISE * terms;
}

/* w of inactive contacts, a mark at each infeasible one; their number */
static uint32_t mark_infeasible(tci_band_state *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_real *const L = s->L + i * (s->width + 1u);
        if (L[0] != TC_C(0.0)) {
            if (!(s->z[i] < TC_C(0.0))) continue;
            L[0] = BAND_LEAVES;
        } else {
            s->w[i] = tci_band_velocity(s->A, s->z, i, s->n, s->width, s->q[i]);
            if (!(s->w[i] < TC_C(0.0)) || !approaches_band(s, i)) continue;
            L[0] = BAND_ENTERS;
        }
        ++count;
    }
    return count;
}

/* z^T A z / 2 + q^T z of s->w in place of z */
static tc_real trial_energy(const tci_band_state *s)
{
    tc_real energy = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real own = TC_MLA(s->q[i], *s->shift * s->A[i * (s->width + 1u)], s->w[i]);
        const tc_real w = tci_band_velocity(s->A, s->w, i, s->n, s->width, own);
        energy = TC_MLA(energy, s->w[i], TC_C(0.5) * (w + s->q[i]));
    }
    return energy;
}

/* From `held` towards z, cut off at 0, as far as the energy does not grow. Returns 0 if it grows
 * everywhere: what is left is rounding. */
static int search_segment(tci_band_state *s)
{
    tc_real part = TC_C(1.0);
    for (uint32_t i = 0; i < s->n; ++i) s->w[i] = s->held[i];
    const tc_real before = trial_energy(s);
    for (uint32_t half = 0; half < HALVINGS; ++half, part *= TC_C(0.5)) {
        for (uint32_t i = 0; i < s->n; ++i) {
            s->w[i] = tc_vec_not_negative(TC_MLA(s->held[i], part, s->z[i] - s->held[i]));
        }
        if (trial_energy(s) < before) {
            for (uint32_t i = 0; i < s->n; ++i) s->held[i] = s->w[i];
            return 1;
        }
    }
    return 0;
}

/* A mark at each contact that carries in `held`, or would approach there */
static void mark_held(tci_band_state *s)
{
    for (uint32_t i = 0; i < s->n; ++i) s->z[i] = s->held[i];
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_real *const L = s->L + i * (s->width + 1u);
        const tc_real own = TC_MLA(s->q[i], *s->shift * s->A[i * (s->width + 1u)], s->z[i]);
        s->w[i] = tci_band_velocity(s->A, s->z, i, s->n, s->width, own);
        *L = s->z[i] > TC_C(0.0) || (s->w[i] < TC_C(0.0) && approaches_band(s, i)) ? TC_C(1.0)
                                                                                   : TC_C(0.0);
    }
}

/* z = held, with the factor of the contacts that carry */
static int give_held(tci_band_state *s)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        s->L[i * (s->width + 1u)] = s->held[i] > TC_C(0.0) ? TC_C(1.0) : TC_C(0.0);
    }
    const int regular = factor_band(s);
    for (uint32_t i = 0; i < s->n; ++i) s->z[i] = s->held[i];
    return regular ? -1 : 0;
}

static int is_feasible(const tci_band_state *s)
{
    uint32_t i = 0;
    while (i < s->n && !(s->z[i] < TC_C(0.0))) ++i;
    return i == s->n;
}

/* The method that descends, from z cut off at 0 */
static int descend_band(tci_band_state *s)
{
    for (uint32_t i = 0; i < s->n; ++i) s->held[i] = tc_vec_not_negative(s->z[i]);
    mark_held(s);
    while (s->iterations < s->limit) {
        ++s->iterations;
        if (!factor_band(s)) return 0;
        tci_band_back(s->L, s->z, s->n, s->width);
        if (is_feasible(s)) {
            if (mark_infeasible(s) == 0u) return 1;
            for (uint32_t i = 0; i < s->n; ++i) s->held[i] = s->z[i];
        } else {
            if (!search_segment(s)) break;
            mark_held(s);
        }
    }
    return give_held(s);
}

int tci_band_active(tci_band_state *s)
{
    uint32_t least = s->n + 1u, tries = BLOCK_TRIES;
    while (s->iterations < s->limit) {
        ++s->iterations;
        if (!factor_band(s)) return 0;
        tci_band_back(s->L, s->z, s->n, s->width);
        const uint32_t count = mark_infeasible(s);
        if (count == 0u) return 1;
        if (count < least) {
            least = count;
            tries = BLOCK_TRIES;
        } else if (tries-- == 0u) {
            break;
        }
    }
    return descend_band(s);
}
