/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Reference kernels: Cholesky and triangular solves of constant size, tc_mat_fixed.h made callable.
 */
#include "tc_exact.h"
#include "tc_kernel_mat.h"
#include "tc_mat_fixed.h"

#define DEFINE_FACTOR(n)                                                                           \
    void tc_kernel_cholesky_##n(const tc_real *A, tc_real *L)                                      \
    {                                                                                              \
        tc_mat##n##_cholesky(A, L);                                                                \
    }                                                                                              \
    void tc_kernel_solve_lower_##n(const tc_real *L, const tc_real *b, tc_real *x)                 \
    {                                                                                              \
        tc_mat##n##_solve_lower(L, b, x);                                                          \
    }                                                                                              \
    void tc_kernel_solve_lower_t_##n(const tc_real *L, const tc_real *b, tc_real *x)               \
    {                                                                                              \
        tc_mat##n##_solve_lower_t(L, b, x);                                                        \
    }
TC_KERNEL_SIZES(DEFINE_FACTOR)
