/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The kernel contract, nets: tc_kernel_mat.h has what holds for all kernels.
 */
#ifndef TC_KERNEL_NET_H
#define TC_KERNEL_NET_H

#include "tc_config.h"

TC_BEGIN

struct tc_net_dense; /* tc_net.h; so this contract needs no header of the library but its
                      * configuration */

/* ---- Nets (kernel files input, dense, dense_vjp, dense_i8, dense_i8_vjp, dense_i8_act,
 * activation) ---- Outputs y, q are writable up to their length rounded up to TC_NET_PAD. Float
 * inputs are read up to their length only; int8 inputs up to their length rounded up to TC_NET_PAD,
 * where whatever lies in the padding meets zero weights. tc_net.h has the layout and the
 * formulas. */

/* y_i = (x_i - mean_i) * scale_i, two roundings; y may be x, and is written up to n only. And 1 if
 * low_i <= x_i <= high_i for all i, 0 if not: a NaN is outside, a subnormal x may count as 0. */
void tc_kernel_normalise(const tc_real *x, const float *mean, const float *scale, tc_real *y,
                         uint32_t n);
uint32_t tc_kernel_within(const tc_real *x, const float *low, const float *high, uint32_t n);

/* q_i = trunc(v + 128.5) - 128 with v = x_i * steps clamped to -127..127: to nearest, halves up; of
 * a NaN -127. q may begin where x does. */
void tc_kernel_quantise(const tc_real *x, tc_real steps, int8_t *q, uint32_t n);

/* y = W x + b, then ReLU if layer->activation is TC_NET_RELU (max(y, 0), -0 and negative to +0; any
 * other activation is applied afterwards by the caller). TC_NET_WEIGHT_F32. Sum starts at b. */
void tc_kernel_dense(const struct tc_net_dense *layer, const tc_real *x, tc_real *y);

/* dx[n_in] = W^T dy[n_out]: sum over ascending output, started with the first product. */
void tc_kernel_dense_vjp(const struct tc_net_dense *layer, const tc_real *dy, tc_real *dx);

/* TC_NET_WEIGHT_I8: y_o = b_o + scale_o * s_o, s_o = sum of (float)W_oi * x_i started at its first
 * product; then ReLU as above. And dx_i = sum over o of (float)W_oi * (scale_o * dy_o). */
void tc_kernel_dense_i8(const struct tc_net_dense *layer, const tc_real *x, tc_real *y);
void tc_kernel_dense_i8_vjp(const struct tc_net_dense *layer, const tc_real *dy, tc_real *dx);

/* TC_NET_WEIGHT_I8_ACT: y_o = acc_o * scale_o + b_o as float; and, for hidden ReLU layers,
 * q_o = that, truncated and clamped to 0..127. */
void tc_kernel_dense_i8_act(const struct tc_net_dense *layer, const int8_t *x, tc_real *y);
void tc_kernel_dense_i8_act_relu(const struct tc_net_dense *layer, const int8_t *x, int8_t *q);

/* Elementwise, in place, x finite; bits as tc_tanh, tc_sigmoid, tc_softplus of tc_math.h. May run
 * over the padding up to n rounded up to 4. */
void tc_kernel_tanh(tc_real *x, uint32_t n);
void tc_kernel_sigmoid(tc_real *x, uint32_t n);
void tc_kernel_softplus(tc_real *x, uint32_t n);

/* ---- Nets with one row behind a hidden layer (kernel file
 * row) ---------------------------------------- a[n] is a row of weights that lie side by side;
 * nothing behind it, nor behind x and t, is touched. */

/* ((start + a_0 x_0) + a_1 x_1) + .. */
tc_real tc_kernel_row_sum(const float *a, const tc_real *x, tc_real start, uint32_t n);

/* t_i = a_i s(t_i), s the bits of tc_sigmoid (kernel file activation), and t_i = a_i (1 - t_i t_i),
 * each operation rounded. */
void tc_kernel_row_sigmoid(const float *a, tc_real *t, uint32_t n);
void tc_kernel_row_slope(const float *a, tc_real *t, uint32_t n);

TC_END

#endif
