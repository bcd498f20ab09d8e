/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The kernel contract: the leaf operations that a backend may supply, and what they must compute.
 *
 * A backend is a folder beside this file with some of the kernels, one source file per line of the
 * table in kernels.mk, which says for each profile and core whose file is linked. `portable` has
 * all of them and defines the bits. In profile `exact` a kernel may be taken only if its results
 * equal portable's bit for bit (no subnormal or NaN operand or result assumed); in `fast` it may fuse or
 * reorder and is held to the tolerances in tests/unit/test_kernel.c.
 *
 * Kernels check nothing: dimensions are within the limits of tc_config.h, pointers are valid and
 * 4-byte aligned, outputs do not overlap inputs unless said, numbers are finite. They hold no
 * state, use at most 256 bytes of stack, and their loops are bounded by the dimensions.
 *
 * Order of summation: acc starts with the first product (or with what is named), then
 * acc = acc + round(a * b) over ascending index, each rounded once: TC_MLA of tc_config.h.
 */
#ifndef TC_KERNEL_H
#define TC_KERNEL_H

#include "tc_net.h"

TC_BEGIN

/* ---- Matrices (kernel files mat_mul, mat_vec, mat_vec_t, mat_factor) -------------------------- */

/* C[m x n] = A[m x k] B[k x n] */
void tc_kernel_mat_mul(const tc_real *A, const tc_real *B, tc_real *C, uint32_t m, uint32_t k, uint32_t n);

/* y[m] = A[m x n] x, and y += A x with the sum started at y */
void tc_kernel_mat_vec(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);
void tc_kernel_mat_vec_add(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);

/* y[n] = A[m x n]^T x (ascending row), and y += A^T x with the sum started at y */
void tc_kernel_mat_vec_t(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);
void tc_kernel_mat_vec_t_add(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);

/* A = L L^T from the lower triangle; writes the lower triangle of L only. L may be A.
 *   s = A_ij - sum_{k<j} L_ik L_jk, subtracted in ascending k from A_ij (TC_MLS)
 *   L_jj = sqrt(s);  r_j = 1 / L_jj;  L_ij = s * r_j for i > j
 * A pivot that is not positive yields NaN or inf, never a trap: the caller looks afterwards. */
void tc_kernel_cholesky(const tc_real *A, tc_real *L, uint32_t n);

/* L X = B and L^T X = B, X and B n x columns, X may be B:
 *   forward   X_i = (B_i - sum_{k<i} L_ik X_k) / L_ii, k ascending from 0
 *   backward  X_i = (B_i - sum_{k>i} L_ki X_k) / L_ii, k ascending from i+1 */
void tc_kernel_solve_lower(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n, uint32_t columns);
void tc_kernel_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n, uint32_t columns);

/* The same at constant sizes, square, one right-hand side: files mat_mul_fixed, mat_vec_fixed,
 * mat_factor_fixed. Linked only when TC_MAT_UNROLL says so or when the application calls them. */
#define TC_KERNEL_SIZES(X) X(2) X(3) X(4) X(6) X(12)
#define TC_KERNEL_DECLARE_FIXED(n)                                                             \
    void tc_kernel_mat_mul_##n(const tc_real *A, const tc_real *B, tc_real *C);                \
    void tc_kernel_mat_vec_##n(const tc_real *A, const tc_real *x, tc_real *y);                \
    void tc_kernel_cholesky_##n(const tc_real *A, tc_real *L);                                 \
    void tc_kernel_solve_lower_##n(const tc_real *L, const tc_real *b, tc_real *x);            \
    void tc_kernel_solve_lower_t_##n(const tc_real *L, const tc_real *b, tc_real *x);
TC_KERNEL_SIZES(TC_KERNEL_DECLARE_FIXED)
#undef TC_KERNEL_DECLARE_FIXED

/* ---- Nets (kernel files input, dense, dense_vjp, dense_i8, dense_i8_vjp, dense_i8_act, activation) ----
 * Outputs y, q are writable up to their length rounded up to TC_NET_PAD. Float inputs are read up to
 * their length only; int8 inputs up to their length rounded up to TC_NET_PAD, where whatever lies in
 * the padding meets zero weights. tc_net.h has the layout and the formulas. */

/* y_i = (x_i - mean_i) * scale_i, two roundings; y may be x, and is written up to n only. And 1 if
 * low_i <= x_i <= high_i for all i, 0 if not: a NaN is outside, a subnormal x may count as 0. */
void tc_kernel_normalise(const tc_real *x, const float *mean, const float *scale, tc_real *y, uint32_t n);
uint32_t tc_kernel_within(const tc_real *x, const float *low, const float *high, uint32_t n);

/* q_i = trunc(v + 128.5) - 128 with v = x_i * steps clamped to -127..127: to nearest, halves up; of a NaN -127.
 * q may begin where x does. */
void tc_kernel_quantise(const tc_real *x, tc_real steps, int8_t *q, uint32_t n);

/* y = W x + b, then ReLU if layer->activation is TC_NET_RELU (max(y, 0), -0 and negative to +0; any
 * other activation is applied afterwards by the caller). TC_NET_WEIGHT_F32. Sum starts at b. */
void tc_kernel_dense(const tc_net_dense *layer, const tc_real *x, tc_real *y);

/* dx[n_in] = W^T dy[n_out]: sum over ascending output, started with the first product. */
void tc_kernel_dense_vjp(const tc_net_dense *layer, const tc_real *dy, tc_real *dx);

/* TC_NET_WEIGHT_I8: y_o = b_o + scale_o * s_o, s_o = sum of (float)W_oi * x_i started at its first
 * product; then ReLU as above. And dx_i = sum over o of (float)W_oi * (scale_o * dy_o). */
void tc_kernel_dense_i8(const tc_net_dense *layer, const tc_real *x, tc_real *y);
void tc_kernel_dense_i8_vjp(const tc_net_dense *layer, const tc_real *dy, tc_real *dx);

/* TC_NET_WEIGHT_I8_ACT: y_o = acc_o * scale_o + b_o as float; and, for hidden ReLU layers,
 * q_o = that, truncated and clamped to 0..127. */
void tc_kernel_dense_i8_act(const tc_net_dense *layer, const int8_t *x, tc_real *y);
void tc_kernel_dense_i8_act_relu(const tc_net_dense *layer, const int8_t *x, int8_t *q);

/* Elementwise, in place, x finite; bits as tc_tanh, tc_sigmoid, tc_softplus of tc_math.h. May run over the
 * padding up to n rounded up to 4. */
void tc_kernel_tanh(tc_real *x, uint32_t n);
void tc_kernel_sigmoid(tc_real *x, uint32_t n);
void tc_kernel_softplus(tc_real *x, uint32_t n);

/* ---- Nets with one row behind a hidden layer (kernel file row) ----------------------------------------
 * a[n] is a row of weights that lie side by side; nothing behind it, nor behind x and t, is touched. */

/* ((start + a_0 x_0) + a_1 x_1) + .. */
tc_real tc_kernel_row_sum(const float *a, const tc_real *x, tc_real start, uint32_t n);

/* t_i = a_i s(t_i), s the bits of tc_sigmoid (kernel file activation), and t_i = a_i (1 - t_i t_i), each operation
 * rounded. */
void tc_kernel_row_sigmoid(const float *a, tc_real *t, uint32_t n);
void tc_kernel_row_slope(const float *a, tc_real *t, uint32_t n);

TC_END

#endif
