/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Cholesky's factor of a packed symmetric matrix, row by row:
 *
 *     L_ij = (A_ij - sum_k<j L_ik L_jk) / L_jj,   L_ii = sqrt(A_ii - sum_k<i L_ik^2)
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

int tci_implicit_factor(const tc_real *packed, uint32_t n, tc_real *L)
{
    tc_real *row = L;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real *other = L;
        for (uint32_t j = 0; j < i; ++j) {
            const tc_real rest = tci_implicit_less(packed[j], row, other, j);
            row[j] = rest * other[j];
            other += j + 1u;
        }
        const tc_real pivot = tci_implicit_less(packed[i], row, row, i);
        /* a pivot that rounding of the diagonal may have made */
        if (!(pivot > TC_C(4.0) * TC_EPSILON * tc_vec_magnitude(packed[i]))) return 0;
        row[i] = TC_C(1.0) / tc_sqrt(pivot);
        row += i + 1u;
        packed += i + 1u;
    }
    return 1;
}

void tci_implicit_solve(const tc_real *L, uint32_t n, tc_real *x)
{
    const tc_real *row = L;
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
