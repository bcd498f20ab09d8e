/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Reference kernels: square matrix times vector of constant size, tc_mat_fixed.h made callable.
 */
#include "tc_exact.h"
#include "tc_kernel_mat.h"
#include "tc_mat_fixed.h"

#define DEFINE_VEC(n)                                                                              \
    void tc_kernel_mat_vec_##n(const tc_real *A, const tc_real *x, tc_real *y)                     \
    {                                                                                              \
        tc_mat##n##_vec(A, x, y);                                                                  \
    }
TC_KERNEL_SIZES(DEFINE_VEC)
