/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What is done with a net's inputs before its first layer: normalisation, the question whether they
 * lie in the range of training, and steps of int8, which hidden layers' values take too. The
 * reference of tc_kernel_normalise, tc_kernel_within and tc_kernel_quantise.
 *
 * Cost on Cortex-M4F: 8, 12 and 14 instructions per input.
 */
#include "tc_exact.h"
#include "tc_kernel_net.h"
#include "tc_net.h"
#include "tc_vec.h"

void tc_kernel_normalise(const tc_real *x, const float *mean, const float *scale, tc_real *y,
                         uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        y[i] = (x[i] - (tc_real)mean[i]) * (tc_real)scale[i];
    }
}

uint32_t tc_kernel_within(const tc_real *x, const float *low, const float *high, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const int inside = x[i] >= (tc_real)low[i] && x[i] <= (tc_real)high[i];
        if (!inside) {
            return 0;
        }
    }
    return 1;
}

void tc_kernel_quantise(const tc_real *x, tc_real steps, int8_t *q, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        /* byte i belongs to element i / sizeof(tc_real) <= i, which has been read */
        tc_real v = x[i] * steps;
        if (!(tc_vec_magnitude(v) <= TC_C(127.0))) {
            /* rare: one comparison for both ends, and for NaN */
            v = v > TC_C(0.0) ? TC_C(127.0) : TC_C(-127.0);
        }
        q[i] = (int8_t)((int32_t)(v + TC_C(128.5)) - 128);
    }
}
