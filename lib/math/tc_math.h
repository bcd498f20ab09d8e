/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Elementary functions in single precision, with the same bits on every machine: exp, log, tanh,
 * sigmoid, softplus, softmax, sin, cos, atan2 and the normal distribution.
 *
 * The library calls nothing from libm except the square root. No two C runtimes agree on tanhf, and
 * a log recorded on a robot must replay on a desktop to the bit.
 *
 * Each comment states the bound of the function's error. `make math-exhaustive` measures the errors
 * over all 2^32 floats (tests/math_errors.csv), the unit tests over a dense sample. An ulp is the
 * spacing of floats at the exact result, at most 1.2e-7 of it.
 *
 * For all functions:
 * - Angles are in radians [rad].
 * - NaN gives NaN. Every other argument, infinities included, has a defined result.
 * - A subnormal result is flushed to zero; only the sine of a subnormal number is that number.
 * - Cost: bounded, no loop over the value; at most 48 bytes of stack. docs/reference/costs.md has
 *   the instructions.
 */
#ifndef TC_MATH_H
#define TC_MATH_H

#include "tc_status.h"

#include <math.h>

TC_BEGIN

/* Returns sqrt(x), correctly rounded; NaN for x < 0. This is the one function taken from the C
 * library, one instruction on a core that has it.
 *
 * There is no reciprocal square root, because 1 / tc_sqrt(x) is as fast. On Cortex-M4F it takes 3
 * instructions, some 30 cycles, and errs by at most 1.5 ulp. An integer guess with three Newton
 * steps takes 26 instructions and as many cycles, and errs by 2.2 ulp. Without an FPU (Cortex-M3)
 * the two take 518 and 474 instructions. */
static inline tc_real tc_sqrt(tc_real x)
{
#ifdef TC_DOUBLE
    return sqrt(x);
#else
    return sqrtf(x);
#endif
}

/* Returns e^x; monotone. +inf above 88.7228, 0 below -87.3365. Error <= 1 ulp. */
tc_real tc_exp(tc_real x);

/* Returns the natural logarithm of x; monotone. -inf for 0 and for subnormal x, NaN for x < 0.
 * Error <= 1 ulp. */
tc_real tc_log(tc_real x);

/* Returns the hyperbolic tangent of x; monotone, |result| <= 1, tanh(0) = 0.
 * - TC_TANH_TABLE 1: absolute error <= 1.7e-7, reached near |x| = 8, and <= 7e-8 below 7.9. From 8
 *   on |result| is 1 - 2^-24. tanh(-x) and -tanh(x) may differ by the error. The table truncates x
 *   to multiples of 2^-28, so tiny results have no relative accuracy.
 * - TC_TANH_TABLE 0: absolute error <= 1.2e-7; exactly odd; 1 from 9.02 on. */
tc_real tc_tanh(tc_real x);

/* Returns 1 / (1 + e^-x) = (1 + tanh(x/2)) / 2; monotone, in [0, 1]. Absolute error <= 1.2e-7 with
 * TC_TANH_TABLE, <= 1e-7 without.
 * Results near 0 have no relative accuracy; the smallest by table is 3e-8. For the logarithm of a
 * probability take -tc_softplus(-x). */
tc_real tc_sigmoid(tc_real x);

/* Returns log(1 + e^x), stable for all x: x for large x, e^x for very negative x. Error <= 2.5 ulp,
 * with TC_TANH_TABLE and without. */
tc_real tc_softplus(tc_real x);

/* Returns the sine or the cosine of x [rad], in [-1, 1]; NaN for infinite x. The sine is exactly
 * odd, the cosine exactly even. Absolute error <= 1e-7 for |x| <= 8192, <= 1.3e-7 for every finite
 * x.
 * Cost: beyond 8192 half as many instructions again. */
tc_real tc_sin(tc_real x);
tc_real tc_cos(tc_real x);

/* Computes the sine and the cosine of x [rad], with the bits of tc_sin and tc_cos.
 * Cost: one and a half times tc_sin. */
void tc_sincos(tc_real x, tc_real *sine, tc_real *cosine);

/* Returns the angle of the vector (x, y) [rad], in [-pi, pi]; exactly odd in y. Zeros and
 * infinities follow IEC 60559: atan2(0, 0) = 0, atan2(-0, -1) = -pi. Error <= 2.5 ulp. */
tc_real tc_atan2(tc_real y, tc_real x);

/* Returns a function of the standard normal distribution at x:
 * - the density phi(x); error <= 2.5 ulp;
 * - the distribution function Phi(x); error <= 8 ulp;
 * - the ratio phi(x) / Phi(x); error <= 6 ulp.
 *
 * The ratio is the mean shift of a normal variable truncated from below at -x. It keeps its
 * accuracy for x -> -inf, where it tends to -x, although phi and Phi underflow there. */
tc_real tc_normal_density(tc_real x);
tc_real tc_normal_distribution(tc_real x);
tc_real tc_normal_ratio(tc_real x);

/* Replaces x[n] by p_i = e^(x_i) / sum_j e^(x_j). Each p_i is in [0, 1]; their sum is 1 within
 * (n + 1) * 6e-8. No finite x overflows, because the largest is subtracted first.
 * n: 1..TC_NET_WIDTH_MAX.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        x is NULL.
 *   TC_ERR_SIZE        n is 0 or beyond TC_NET_WIDTH_MAX.
 *   TC_ERR_NOT_FINITE  an x_i is NaN or infinite.
 * On error: x is unchanged; after TC_ERR_NOT_FINITE x is zero.
 * Cost: n exponentials. */
tc_status tc_softmax_inplace(tc_real *x, uint32_t n);

/* A vector or quaternion counts as of unit length if | |x|^2 - 1 | is at most this. The library
 * does not normalise inputs: an error of a thousandth in a normal gives gaps with that relative
 * error. */
#define TC_UNIT_TOLERANCE TC_C(2e-3)

/* Returns 1 if all n numbers are finite or n is 0, else 0.
 * Cost: one multiplication per number, since 0 * x is NaN only if x is not finite. */
int tc_all_finite(const tc_real *x, uint32_t n);

TC_END

#endif
