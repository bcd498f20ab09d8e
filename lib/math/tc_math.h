/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Elementary functions: exp, log, tanh, sigmoid, softplus, softmax, sin, cos, atan2 and the
 * normal distribution, in single precision, with the same bits on every machine.
 *
 * The library calls nothing from libm but the square root: two C runtimes never agree on tanhf,
 * and a log recorded on a robot must replay on a desktop to the bit. Each function states its
 * error bound; `make math-exhaustive` measures it over all 2^32 floats (recorded in
 * tests/math_errors.csv), the unit tests over a dense sample. ulp: the spacing of floats at the exact
 * result, at most 1.2e-7 of it.
 *
 * All functions: angles in radians; NaN in gives NaN out; every other input, infinities
 * included, has a defined result; results that would be subnormal are flushed to zero (but the sine of
 * a subnormal number is that number).
 */
#ifndef TC_MATH_H
#define TC_MATH_H

#include "tc_status.h"

#include <math.h>

TC_BEGIN

/* sqrt(x), correctly rounded: the one function taken from the C library (one instruction where
 * the core has it). Negative x gives NaN.
 *
 * There is no reciprocal square root: 1 / tc_sqrt(x) is 3 instructions and some 30 cycles (VSQRT, VDIV)
 * on Cortex-M4F and errs by at most 1.5 ulp; an integer guess with three Newton steps is 26 instructions,
 * as many cycles and 2.2 ulp. Without an FPU (M3) it is 518 instructions against 474. */
static inline tc_real tc_sqrt(tc_real x)
{
#ifdef TC_DOUBLE
    return sqrt(x);
#else
    return sqrtf(x);
#endif
}

/* e^x. Overflows to +inf above 88.7228, flushes to 0 below -87.3365. Error <= 1 ulp; monotone. */
tc_real tc_exp(tc_real x);

/* Natural logarithm. log(0) = -inf, x < 0 gives NaN; subnormal x counts as 0. Error <= 1 ulp; monotone. */
tc_real tc_log(tc_real x);

/* Hyperbolic tangent, |result| <= 1, monotone, tanh(0) = 0. Which of the two is TC_TANH_TABLE's choice:
 *   by table  absolute error <= 1.7e-7, reached near |x| = 8, from where on |result| is 1 - 2^-24; below 7.9
 *             it is 7e-8. Not exactly odd: tanh(-x) and -tanh(x) may differ by that much.
 *             Arguments are truncated to multiples of 2^-28, so tiny results have no relative accuracy.
 *   small     absolute error <= 1.2e-7, exactly odd, 1 from 9.02 on. */
tc_real tc_tanh(tc_real x);

/* 1 / (1 + e^-x) = (1 + tanh(x/2)) / 2, in [0, 1], monotone. Absolute error <= 1.2e-7 by table,
 * 1e-7 small; no relative accuracy where it tends to 0 (by table it ends at 3e-8): for the logarithm of a
 * probability take -softplus(-x). */
tc_real tc_sigmoid(tc_real x);

/* log(1 + e^x), stable for all x: x for large x, e^x for very negative x. Error <= 2.5 ulp, by table and small. */
tc_real tc_softplus(tc_real x);

/* Sine and cosine. Absolute error <= 1e-7 for |x| <= 8192 rad and <= 1.3e-7 for every finite x (beyond
 * 8192 at half as many instructions again); in [-1, 1]; exactly odd and even. Infinite x gives NaN. */
tc_real tc_sin(tc_real x);
tc_real tc_cos(tc_real x);

/* Both at the price of one and a half, with their bits. */
void tc_sincos(tc_real x, tc_real *sine, tc_real *cosine);

/* Angle of the vector (x, y) in [-pi, pi], exactly odd in y; zeros and infinities as in IEC 60559:
 * atan2(0, 0) = 0, atan2(-0, -1) = -pi. Error <= 2.5 ulp. */
tc_real tc_atan2(tc_real y, tc_real x);

/* Standard normal density phi(x) (<= 2.5 ulp), distribution function Phi(x) (<= 8 ulp), and the ratio
 * phi(x) / Phi(x) (<= 6 ulp): the mean shift of a normal variable truncated from below at -x. The ratio
 * keeps that accuracy in the tail, x -> -inf, where it tends to -x and both phi and Phi have
 * underflowed. */
tc_real tc_normal_density(tc_real x);
tc_real tc_normal_distribution(tc_real x);
tc_real tc_normal_ratio(tc_real x);

/* p_i = e^(x_i) / sum_j e^(x_j) for i < n, computed with the largest x subtracted, so that no
 * finite input overflows. In place. The p_i are in [0, 1] and sum to 1 within (n + 1) * 6e-8.
 * n in 1..TC_NET_WIDTH_MAX, else TC_ERR_SIZE; TC_ERR_NOT_FINITE zeroes the p_i. */
tc_status tc_softmax_inplace(tc_real *x, uint32_t n);

/* What counts as of unit length: | |x|^2 - 1 | at most this. Nothing is normalised on the way in: a normal or
 * a quaternion that is off by a part in a thousand gives gaps that are off by as much. */
#define TC_UNIT_TOLERANCE TC_C(2e-3)

/* 1 if all n numbers are finite (or n = 0), else 0. One multiplication each: 0 * x is NaN iff x is not
 * finite. */
int tc_all_finite(const tc_real *x, uint32_t n);

TC_END

#endif
