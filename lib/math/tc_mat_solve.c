/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Solves with small triangles: substitution forwards and backwards between the border checks that
 * tc_mat.c describes. One exception to checking results alone: a diagonal that is infinite divides
 * to zero, so diagonals are looked at.
 *
 * Symbols: L lower triangular, d diagonal, B right-hand sides, X solutions; n rows, `columns`
 * right-hand sides. Cost: the kernel's (port/tc_kernel_mat.h) plus at most 60 + 3 per input; stack
 * <= 256 bytes.
 */
#include "tc_exact.h"
#include "tc_mat.h"
#include "tc_mat_internal.h"

#include "tc_kernel_mat.h"

/* ---- Substitution by size -------------------------------------------------------------------- */

TC_MAT_INLINE void substitute_forward(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                                      uint32_t columns)
{
#if TC_MAT_UNROLL
#define CASE(size)                                                                                 \
    case size: tc_kernel_solve_lower_##size(L, B, X); return;
    if (columns == 1u) {
        switch (n) {
            TC_KERNEL_SIZES(CASE)
        default: break;
        }
    }
#undef CASE
#endif
    tc_kernel_solve_lower(L, B, X, n, columns);
}

TC_MAT_INLINE void substitute_backward(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                                       uint32_t columns)
{
#if TC_MAT_UNROLL
#define CASE(size)                                                                                 \
    case size: tc_kernel_solve_lower_t_##size(L, B, X); return;
    if (columns == 1u) {
        switch (n) {
            TC_KERNEL_SIZES(CASE)
        default: break;
        }
    }
#undef CASE
#endif
    tc_kernel_solve_lower_t(L, B, X, n, columns);
}

/* ---- Solves ---------------------------------------------------------------------------------- */

/* Why a solve with the triangle L and the diagonal d (step apart) went wrong. */
MAT_COLD static tc_status failed_solve(const tc_real *L, const tc_real *d, uint32_t step,
                                       const tc_real *B, uint32_t n, uint32_t columns)
{
    if (!tci_mat_lower_finite(L, n) || !mat_finite(d, step, n) || !tc_all_finite(B, n * columns)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (d[i * step] == TC_C(0.0) || L[i * (n + 1u)] == TC_C(0.0)) {
            return TC_ERR_SINGULAR;
        }
    }
    return TC_ERR_RANGE;
}

/* Sizes and pointers of a solve; on an error X is zero. */
TC_MAT_INLINE tc_status check_solve(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                                    uint32_t columns)
{
    if (mat_bad_size(n) || mat_bad_size(columns)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = mat_check_pointers(L, B, X);
    return status >= TC_OK ? TC_OK : tci_mat_fail(status, X, n * columns);
}

/* The verdict on a finished solve. Dividing by an infinite diagonal is the one error that would not
 * show in X. */
TC_MAT_INLINE tc_status finish_solve(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                                     uint32_t columns)
{
    if (mat_finite(L, n + 1u, n) && mat_finite(X, 1, n * columns)) {
        return TC_OK;
    }
    return tci_mat_fail(failed_solve(L, L, n + 1u, B, n, columns), X, n * columns);
}

tc_status tc_mat_solve_lower(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                             uint32_t columns)
{
    const tc_status status = check_solve(L, B, X, n, columns);
    if (status < TC_OK) {
        return status;
    }
    substitute_forward(L, B, X, n, columns);
    return finish_solve(L, B, X, n, columns);
}

tc_status tc_mat_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                               uint32_t columns)
{
    const tc_status status = check_solve(L, B, X, n, columns);
    if (status < TC_OK) {
        return status;
    }
    substitute_backward(L, B, X, n, columns);
    return finish_solve(L, B, X, n, columns);
}

tc_status tc_mat_cholesky_solve(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                                uint32_t columns)
{
    const tc_status status = check_solve(L, B, X, n, columns);
    if (status < TC_OK) {
        return status;
    }
    substitute_forward(L, B, X, n, columns);
    substitute_backward(L, X, X, n, columns);
    return finish_solve(L, B, X, n, columns);
}

tc_status tc_mat_ldlt_solve(const tc_real *L, const tc_real *d, const tc_real *B, tc_real *X,
                            uint32_t n, uint32_t columns)
{
    tc_status status = check_solve(L, B, X, n, columns);
    if (status < TC_OK) {
        return status;
    }
    status = mat_check_pointers(d, d, d);
    if (status < TC_OK) {
        return tci_mat_fail(status, X, n * columns);
    }
    substitute_forward(L, B, X, n, columns);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t c = 0; c < columns; ++c) {
            X[i * columns + c] /= d[i];
        }
    }
    substitute_backward(L, X, X, n, columns);
    if (mat_finite(L, n + 1u, n) && mat_finite(d, 1, n) && mat_finite(X, 1, n * columns)) {
        return TC_OK;
    }
    return tci_mat_fail(failed_solve(L, d, 1, B, n, columns), X, n * columns);
}
