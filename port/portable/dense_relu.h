/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * ReLU of the portable dense kernels: max(y, 0), with -0 and every negative number to +0.
 *
 * For float the bits are looked at as a signed integer, which is negative exactly when the number
 * is (or is -0): that comparison costs one instruction on every Cortex-M (BIC with ASR #31), where
 * a comparison of floats and a select cost four, and the result is stored from the integer
 * register.
 */
#ifndef DENSE_RELU_H
#define DENSE_RELU_H

#include "tc_kernel_net.h"
#include "tc_net.h"

#include <string.h>

/* *y = max(x, 0) */
static inline void relu_store(tc_real *y, tc_real x)
{
#ifdef TC_DOUBLE
    *y = x > TC_C(0.0) ? x : TC_C(0.0);
#else
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits < 0 ? 0 : bits;
    memcpy(y, &bits, sizeof bits);
#endif
}

#endif
