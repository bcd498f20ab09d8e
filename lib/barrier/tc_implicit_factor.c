/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Cholesky's factor of a packed symmetric matrix, row by row:
 *
 *     L_ij = (A_ij - sum_k<j L_ik L_jk) / L_jj,   L_ii = sqrt(A_ii - sum_k<i L_ik^2)
 *
 * The zeros that a row begins with are left out of sums: locked freedoms, and bodies that do not meet.
 *
 * Six freedoms, two bodies in the plane or one in space, have loops of known length. Their sums have
 * the same order.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

/* Number of zeros that a row begins with */
static uint32_t leading_zeros(const tc_real *row, uint32_t n)
{
    uint32_t k = 0;
    while (k < n && row[k] == TC_C(0.0)) ++k;
    return k;
}

/* a pivot that is more than rounding of the diagonal may make */
static inline int is_sound_pivot(tc_real pivot, tc_real diagonal)
{
    return pivot > TC_C(4.0) * TC_EPSILON * tc_vec_magnitude(diagonal);
}

static int factor_six(const tc_real *packed, tc_real *L)
{
    tc_real own[TCI_IMPLICIT_PACKED(6u)]; /* in registers */
    int sound = 1;
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 6u; ++i) {
        tc_real *const row = own + TCI_IMPLICIT_PACKED(i);
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j <= i; ++j) {
            const tc_real *const other = own + TCI_IMPLICIT_PACKED(j);
            const tc_real given = *packed++;
            tc_real sum = given;
            TC_MAT_UNROLLED
            for (uint32_t k = 0; k < j; ++k) sum = TC_MLS(sum, row[k], other[k]);
            row[j] = j < i ? sum * other[j] : TC_C(1.0) / tc_sqrt(sum);
            if (j == i) sound &= is_sound_pivot(sum, given);
        }
    }
    for (uint32_t i = 0; i < TCI_IMPLICIT_PACKED(6u); ++i) L[i] = own[i];
    return sound;
}

static void solve_six(const tc_real *L, tc_real *x)
{
    tc_real y[6];
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 6u; ++i) {
        const tc_real *const row = L + TCI_IMPLICIT_PACKED(i);
        y[i] = x[i];
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j < i; ++j) y[i] = TC_MLS(y[i], row[j], y[j]);
        y[i] *= row[i];
    }
    TC_MAT_UNROLLED
    for (uint32_t up = 0; up < 6u; ++up) {
        const uint32_t i = 5u - up;
        const tc_real *const row = L + TCI_IMPLICIT_PACKED(i);
        y[i] *= row[i];
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j < i; ++j) y[j] = TC_MLS(y[j], row[j], y[i]);
    }
    for (uint32_t i = 0; i < 6u; ++i) x[i] = y[i];
}

int tci_implicit_factor(const tc_real *packed, uint32_t n, tc_real *L, tc_real *starts)
{
    tc_real *row = L;
    if (n == 6u) return factor_six(packed, L);
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t first = leading_zeros(packed, i);
        const tc_real *other = L + TCI_IMPLICIT_PACKED(first);
        starts[i] = (tc_real)first;
        for (uint32_t j = 0; j < first; ++j) row[j] = TC_C(0.0);
        for (uint32_t j = first; j < i; ++j) {
            const uint32_t start = (uint32_t)starts[j], from = start > first ? start : first;
            row[j] = tci_implicit_less(packed[j], row + from, other + from, j - from) * other[j];
            other += j + 1u;
        }
        const tc_real pivot = tci_implicit_less(packed[i], row + first, row + first, i - first);
        if (!is_sound_pivot(pivot, packed[i])) return 0;
        row[i] = TC_C(1.0) / tc_sqrt(pivot);
        row += i + 1u;
        packed += i + 1u;
    }
    return 1;
}

void tci_implicit_solve(const tc_real *L, uint32_t n, tc_real *x)
{
    const tc_real *row = L;
    if (n == 6u) {
        solve_six(L, x);
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        x[i] = tci_implicit_less(x[i], row, x, i) * row[i];
        row += i + 1u;
    }
    for (uint32_t i = n; i-- > 0u;) {
        row -= i + 1u;
        x[i] *= row[i];
        for (uint32_t j = 0; j < i; ++j) x[j] = TC_MLS(x[j], row[j], x[i]);
    }
}
