/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Matrix times vector by arm_mat_vec_mult_f32. Without vectors: the portable bits, but for a sum
 * whose products are all -0, which is +0 here. y += A x adds the finished product, where the
 * portable sum starts at y: the bits differ. Stack: TC_MAT_MAX numbers.
 *
 * With Helium, CMSIS-DSP 1.10.3 reads up to three numbers behind the matrix when n is not a
 * multiple of four, and multiplies them by zero: an infinity or a NaN lying there makes the last
 * rows NaN (seen). This file must not be taken on M55.
 */
#include "tc_exact.h"
#include "tc_cmsis.h"

void tc_kernel_mat_vec(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n)
{
    const arm_matrix_instance_f32 a = tc_cmsis_matrix(A, m, n);
    arm_mat_vec_mult_f32(&a, x, y);
}

void tc_kernel_mat_vec_add(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n)
{
    tc_real product[TC_MAT_MAX];
    tc_kernel_mat_vec(A, x, product, m, n);
    arm_add_f32(y, product, y, m);
}
