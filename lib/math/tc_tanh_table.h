/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tanh by table (TC_TANH_TABLE=1): 256 cubic segments on [-8, 8), 4 KB, internal to the library
 * and the backends. This page is the specification that every backend's tanh and sigmoid obey.
 *
 *   r     = x * 2^28, truncated toward zero, saturated to int32   (VCVT.S32.F32 #28: one
 *           instruction that clamps x to [-8, 8) and splits it into segment and fraction at once)
 *   i     = (r >> 24) + 128, arithmetic shift: segment 0..255, each 1/16 wide
 *   t     = (r & 0xffffff) * 2^-24, in [0, 1), exact              (VCVT.F32.S32 #24)
 *   value = ((c3 * t + c2) * t + c1) * t + c0, every product and every sum rounded
 *
 * sigmoid(x) = 0.5 + 0.5 * value with r = x * 2^27 truncated and saturated: that is x / 2.
 * No intermediate is subnormal: t is 0 or at least 2^-24, the coefficients 0 or at least 2^-35.
 *
 * Error of tanh <= 1.7e-7: 1.66e-7 at |x| = 8, where the end value 1 - 2^-24 stands for everything
 * beyond, and 7e-8 below 7.9: 2e-8 is the cubic's, the rest is the rounding of c0 and of the
 * last sum. Monotone: tools/ref/math_table.py fits the joints. Not exactly odd: the segments of x
 * and -x start at different ends. Exact oddness would cost the sign handled apart, about 4 of 19
 * instructions per element.
 */
#ifndef TC_TANH_TABLE_H
#define TC_TANH_TABLE_H

#include "tc_config.h"

TC_BEGIN

#define TC_TANH_SEGMENTS 256

/* {c0, c1, c2, c3} of each segment, consecutive; 16-byte aligned. */
extern const float tc_tanh_table[TC_TANH_SEGMENTS * 4];

TC_END

#endif
