/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What unit/math/test_math.c and math_exhaustive.c share: the error bounds that lib/math/tc_math.h
 * states, and the functions in double, from the C library and the textbook. ULP: |error| <= bound *
 * spacing of floats at the exact result. ABSOLUTE: |error| <= bound.
 */
#ifndef MATH_REFERENCE_H
#define MATH_REFERENCE_H

#include "tc_config.h"

#include <math.h>

#define EXP_ULP 1.0
#define LOG_ULP 1.0
#if TC_TANH_TABLE
#define CHOICE "" /* ends the names of what depends on TC_TANH_TABLE */
#define TANH_ABSOLUTE 1.7e-7
#define SIGMOID_ABSOLUTE 1.2e-7
#else
#define CHOICE ".small"
#define TANH_ABSOLUTE 1.2e-7
#define SIGMOID_ABSOLUTE 1.0e-7
#endif
#define SOFTPLUS_ULP 2.5
#define SIN_ABSOLUTE 1.3e-7
#define ATAN2_ULP 2.5
#define NORMAL_DENSITY_ULP 2.5
#define NORMAL_DISTRIBUTION_ULP 8.0
#define NORMAL_RATIO_ULP 6.0

static inline double exact_exp(double x)
{
    return exp(x);
}

static inline double exact_log(double x)
{
    return fabs(x) < 0x1p-126 ? -(double)INFINITY : log(x); /* subnormal x counts as 0 */
}

static inline double exact_tanh(double x)
{
    return tanh(x);
}

static inline double exact_sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static inline double exact_softplus(double x)
{
    return fmax(x, 0.0) + log1p(exp(-fabs(x)));
}

static inline double exact_sin(double x)
{
    return sin(x);
}

static inline double exact_cos(double x)
{
    return cos(x);
}

static inline double exact_normal_density(double x)
{
    return 0.39894228040143267794 * exp(-0.5 * x * x);
}

static inline double exact_normal_distribution(double x)
{
    return 0.5 * erfc(-0.70710678118654752440 * x);
}

/* From -30 down by the asymptotic series, whose first term left out is 8162 / x^11. */
static inline double exact_normal_ratio(double x)
{
    const double u = 1.0 / (x * x);
    if (x < -30.0) return -x - (1.0 - u * (2.0 - u * (10.0 - u * (74.0 - u * 706.0)))) / x;
    return exact_normal_density(x) / exact_normal_distribution(x);
}

/* Whether a float result is beyond reproach: equal, both NaN, 0 where the exact result is below
 * 2^-126 (the flushing rule), or infinite where it is beyond the floats. */
static inline int is_exact(double actual, double exact)
{
    if (actual == exact || (actual != actual && exact != exact)) return 1;
    if (actual == 0.0) return fabs(exact) < 0x1p-126;
    return exact >= 0x1.ffffffp+127 && actual == (double)INFINITY;
}

/* Spacing of floats at x, not less than that of the smallest normal number. */
static inline double float_spacing(double x)
{
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

#endif
