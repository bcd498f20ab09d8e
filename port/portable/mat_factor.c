/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Reference kernels: Cholesky and the triangular solves, any size. The algorithms are the texts in
 * tc_mat_fixed.h, their loops left as loops.
 */
#define TC_MAT_LOOP
#include "tc_exact.h"
#include "tc_mat_fixed.h"
#include "tc_kernel_mat.h"

void tc_kernel_cholesky(const tc_real *A, tc_real *L, uint32_t n)
{
    tc_mat_body_cholesky(A, L, n);
}

void tc_kernel_solve_lower(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                           uint32_t columns)
{
    tc_mat_body_solve_lower(L, B, X, n, columns);
}

void tc_kernel_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                             uint32_t columns)
{
    tc_mat_body_solve_lower_t(L, B, X, n, columns);
}
