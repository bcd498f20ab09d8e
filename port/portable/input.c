/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What is done with a net's inputs before its first layer: normalisation, and the question whether they
 * lie in the range of training. The reference of tc_kernel_normalise and tc_kernel_within.
 *
 * Cost on Cortex-M4F: 8 and 12 instructions per input.
 */
#include "tc_kernel.h"

void tc_kernel_normalise(const tc_real *x, const float *mean, const float *scale, tc_real *y, uint32_t n)
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
