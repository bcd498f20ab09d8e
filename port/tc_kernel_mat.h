/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The kernel contract: the leaf operations that a backend may supply, and what they must compute.
 * Here those on matrices; tc_kernel_net.h has those of nets.
 *
 * A backend is a folder beside this file with some of the kernels, one source file per line of the
 * table in kernels.mk, which says for each profile and core whose file is linked. `portable` has
 * all of them and defines the bits. In profile `exact` a kernel may be taken only if its results
 * equal portable's bit for bit (no subnormal or NaN operand or result assumed); in `fast` it may
 * fuse or reorder and is held to the tolerances in test_kernel_*.c.
 *
 * Kernels check nothing: dimensions are within the limits of tc_config.h, pointers are valid and
 * 4-byte aligned, outputs do not overlap inputs unless said, numbers are finite. They hold no
 * state, use at most 256 bytes of stack, and their loops are bounded by the dimensions.
 *
 * Order of summation: acc starts with the first product (or with what is named), then
 * acc = acc + round(a * b) over ascending index, each rounded once: TC_MLA of tc_config.h.
 */
#ifndef TC_KERNEL_MAT_H
#define TC_KERNEL_MAT_H

#include "tc_config.h"

TC_BEGIN

/* ---- Matrices (kernel files mat_mul, mat_vec, mat_vec_t, mat_factor) ------------------------- */

/* C[m x n] = A[m x k] B[k x n] */
void tc_kernel_mat_mul(const tc_real *A, const tc_real *B, tc_real *C, uint32_t m, uint32_t k,
                       uint32_t n);

/* y[m] = A[m x n] x, and y += A x with the sum started at y */
void tc_kernel_mat_vec(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);
void tc_kernel_mat_vec_add(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);

/* y[n] = A[m x n]^T x (ascending row), and y += A^T x with the sum started at y */
void tc_kernel_mat_vec_t(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);
void tc_kernel_mat_vec_t_add(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m,
                             uint32_t n);

/* A = L L^T from the lower triangle; writes the lower triangle of L only. L may be A.
 *   s = A_ij - sum_{k<j} L_ik L_jk, subtracted in ascending k from A_ij (TC_MLS)
 *   L_jj = sqrt(s);  r_j = 1 / L_jj;  L_ij = s * r_j for i > j
 * A pivot that is not positive yields NaN or inf, never a trap: the caller looks afterwards. */
void tc_kernel_cholesky(const tc_real *A, tc_real *L, uint32_t n);

/* L X = B and L^T X = B, X and B n x columns, X may be B:
 *   forward   X_i = (B_i - sum_{k<i} L_ik X_k) / L_ii, k ascending from 0
 *   backward  X_i = (B_i - sum_{k>i} L_ki X_k) / L_ii, k ascending from i+1 */
void tc_kernel_solve_lower(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                           uint32_t columns);
void tc_kernel_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                             uint32_t columns);

/* The same at constant sizes, square, one right-hand side: files mat_mul_fixed, mat_vec_fixed,
 * mat_factor_fixed. Linked only when TC_MAT_UNROLL says so or when the application calls them. */
#define TC_KERNEL_SIZES(X) X(2) X(3) X(4) X(6) X(12)
#define TC_KERNEL_DECLARE_FIXED(n)                                                                 \
    void tc_kernel_mat_mul_##n(const tc_real *A, const tc_real *B, tc_real *C);                    \
    void tc_kernel_mat_vec_##n(const tc_real *A, const tc_real *x, tc_real *y);                    \
    void tc_kernel_cholesky_##n(const tc_real *A, tc_real *L);                                     \
    void tc_kernel_solve_lower_##n(const tc_real *L, const tc_real *b, tc_real *x);                \
    void tc_kernel_solve_lower_t_##n(const tc_real *L, const tc_real *b, tc_real *x);
TC_KERNEL_SIZES(TC_KERNEL_DECLARE_FIXED)
#undef TC_KERNEL_DECLARE_FIXED

TC_END

#endif
