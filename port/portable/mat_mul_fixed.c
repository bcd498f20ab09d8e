/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Reference kernels: square products of constant size, tc_mat_fixed.h made callable.
 */
#include "tc_exact.h"
#include "tc_kernel_mat.h"
#include "tc_mat_fixed.h"

#define DEFINE_MUL(n)                                                                              \
    void tc_kernel_mat_mul_##n(const tc_real *A, const tc_real *B, tc_real *C)                     \
    {                                                                                              \
        tc_mat##n##_mul(A, B, C);                                                                  \
    }
TC_KERNEL_SIZES(DEFINE_MUL)
