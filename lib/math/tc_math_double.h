/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The elementary functions of the host's reference build (TC_DOUBLE), internal. The difference
 * between that build and the float one measures rounding, so these are as true as double allows:
 * libm's, which only this build calls. Tails are not flushed.
 */
#ifndef TC_MATH_DOUBLE_H
#define TC_MATH_DOUBLE_H

#include "tc_math.h"

/* Softmax calls this; double's subnormals are left alone. */
static inline double tc_flush(double x)
{
    return x;
}

static inline double tc_exp_core(double x)
{
    return exp(x);
}

static inline double tc_exp_bounded(double x)
{
    return exp(x);
}

static inline double tc_log_core(double x)
{
    return log(x);
}

static inline double tc_tanh_core(double x)
{
    return tanh(x);
}

static inline double tc_sigmoid_core(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static inline double tc_softplus_core(double x)
{
    return fmax(x, 0.0) + log1p(exp(-fabs(x)));
}

static inline double tc_sin_core(double x)
{
    return sin(x);
}

static inline double tc_cos_core(double x)
{
    return cos(x);
}

static inline void tc_sincos_core(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

static inline double tc_atan2_core(double y, double x)
{
    return atan2(y, x);
}

static inline double tc_normal_density_core(double x)
{
    return 0.39894228040143267794 * exp(-0.5 * x * x);
}

static inline double tc_normal_distribution_core(double x)
{
    return 0.5 * erfc(-0.70710678118654752440 * x);
}

/* Below -6, where phi and Phi both head for underflow, the continued fraction
 * phi/Phi = t + 1/(t + 2/(t + 3/(t + ...))), t = -x; 60 levels leave less than 1e-16. */
static inline double tc_normal_ratio_core(double x)
{
    if (x > -6.0 || x != x) return tc_normal_density_core(x) / tc_normal_distribution_core(x);
    double ratio = -x;
    for (int level = 60; level > 0; level--) ratio = -x + level / ratio;
    return ratio;
}

#endif
