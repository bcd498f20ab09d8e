/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Reference kernels: matrix times vector, any size. The algorithms are the texts in
 * tc_mat_fixed.h, their loops left as loops.
 */
#define TC_MAT_LOOP
#include "tc_exact.h"
#include "tc_mat_fixed.h"
#include "tc_kernel_mat.h"

void tc_kernel_mat_vec(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n)
{
    tc_mat_body_vec(A, x, y, m, n);
}

void tc_kernel_mat_vec_add(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n)
{
    tc_mat_body_vec_add(A, x, y, m, n);
}
