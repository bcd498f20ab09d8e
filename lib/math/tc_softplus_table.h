/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * softplus by table (TC_TANH_TABLE=1): log(1 + e^x) = max(x, 0) + s(|x|), s(y) = log(1 + e^-y) in
 * 128 cubic segments on [0, 16), 2 KB, internal to the library and the backends. This page is the
 * specification that every backend's softplus obeys.
 *
 *   r     = |x| * 2^27, truncated, saturated to int32             (VCVT.S32.F32 #27)
 *   i     = r >> 24: segment 0..127, each 1/8 wide
 *   t     = (r & 0xffffff) * 2^-24, in [0, 1), exact              (VCVT.F32.S32 #24)
 *   value = max(x, 0) + (((c3 * t + c2) * t + c1) * t + c0), every product and every sum rounded,
 *   for x >= -16
 *           e^x of tc_exp, for x < -16
 *
 * No intermediate is subnormal: t is 0 or at least 2^-24, the coefficients 0 or at least 2^-36.
 *
 * The segments keep the relative error: with their rounding <= 2.5 ulp. From 16 on the table's end
 * stands for what is less than half a unit of x's last place; below -16, log(1 + e^x) is short of
 * e^x by less than one.
 */
#ifndef TC_SOFTPLUS_TABLE_H
#define TC_SOFTPLUS_TABLE_H

#include "tc_config.h"

TC_BEGIN

#define TC_SOFTPLUS_SEGMENTS 128
#define TC_SOFTPLUS_LAST (-16.0f) /* the table's end */

/* {c0, c1, c2, c3} of each segment, consecutive; 16-byte aligned. */
extern const float tc_softplus_table[TC_SOFTPLUS_SEGMENTS * 4];

TC_END

#endif
