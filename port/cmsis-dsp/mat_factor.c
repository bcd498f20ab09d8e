/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Cholesky by arm_mat_cholesky_f32, forward solve by arm_mat_solve_lower_triangular_f32.
 *
 * Both write what the contract allows and work in place, but they stop at a pivot that is not
 * positive, or a zero diagonal, where the contract lets NaN and infinities run on: what they left
 * out is NaN here. The backward solve wants the transposed factor as a matrix of its own; rather
 * than copy, the portable text does it.
 *
 * Bits without vectors: the forward solve's equal the portable ones. Cholesky's diagonal is s * (1
 * / sqrt(s)) and may differ from sqrt(s) by a unit in the last place; the elements below it are
 * equal.
 */
#define TC_MAT_LOOP
#include "tc_exact.h"
#include "tc_mat_fixed.h"

#include "tc_cmsis.h"

/* From the first pivot that is not positive, the diagonal becomes NaN. */
static void mark_failed(tc_real *L, uint32_t n)
{
    uint32_t j = 0;
    while (j < n && L[j * n + j] > 0.0f) {
        j++;
    }
    for (; j < n; j++) {
        L[j * n + j] = NAN;
    }
}

void tc_kernel_cholesky(const tc_real *A, tc_real *L, uint32_t n)
{
    const arm_matrix_instance_f32 a = tc_cmsis_matrix(A, n, n);
    arm_matrix_instance_f32 l = tc_cmsis_matrix(L, n, n);
    if (arm_mat_cholesky_f32(&a, &l) != ARM_MATH_SUCCESS) {
        mark_failed(L, n);
    }
}

void tc_kernel_solve_lower(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                           uint32_t columns)
{
    const arm_matrix_instance_f32 l = tc_cmsis_matrix(L, n, n), b = tc_cmsis_matrix(B, n, columns);
    arm_matrix_instance_f32 x = tc_cmsis_matrix(X, n, columns);
    if (arm_mat_solve_lower_triangular_f32(&l, &b, &x) != ARM_MATH_SUCCESS) {
        for (uint32_t i = 0; i < n * columns; i++) {
            X[i] = NAN;
        }
    }
}

void tc_kernel_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                             uint32_t columns)
{
    tc_mat_body_solve_lower_t(L, B, X, n, columns);
}
