/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Matrix product by arm_mat_mult_f32. Without vectors: the portable bits, but for a sum whose
 * products are all -0, which is +0 here.
 */
#include "tc_exact.h"
#include "tc_cmsis.h"

void tc_kernel_mat_mul(const tc_real *A, const tc_real *B, tc_real *C, uint32_t m, uint32_t k,
                       uint32_t n)
{
    const arm_matrix_instance_f32 a = tc_cmsis_matrix(A, m, k), b = tc_cmsis_matrix(B, k, n);
    arm_matrix_instance_f32 c = tc_cmsis_matrix(C, m, n);
    (void)arm_mat_mult_f32(&a, &b, &c); /* can only fail on sizes that do not match */
}
