/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Reference kernel: matrix product of any size. The algorithm is the text in tc_mat_fixed.h, its
 * loops left as loops.
 */
#define TC_MAT_LOOP
#include "tc_exact.h"
#include "tc_mat_fixed.h"
#include "tc_kernel_mat.h"

void tc_kernel_mat_mul(const tc_real *A, const tc_real *B, tc_real *C, uint32_t m, uint32_t k,
                       uint32_t n)
{
    tc_mat_body_mul(A, B, C, m, k, n);
}
