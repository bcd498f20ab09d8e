/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tanh, sigmoid and softplus over a vector, in place: the reference, which defines the bits. The
 * bodies are those of tc_tanh, tc_sigmoid and tc_softplus; lib/math/tc_tanh_table.h and
 * tc_softplus_table.h specify the tables.
 */
#include "tc_exact.h"
#include "tc_kernel_net.h"
#include "tc_net.h"
#include "tc_math_core.h"

void tc_kernel_tanh(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) x[i] = tc_tanh_core(x[i]);
}

void tc_kernel_sigmoid(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) x[i] = tc_sigmoid_core(x[i]);
}

void tc_kernel_softplus(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) x[i] = tc_softplus_core(x[i]);
}

void tc_kernel_row_sigmoid(const float *a, tc_real *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) t[i] = (tc_real)a[i] * tc_sigmoid_core(t[i]);
}
