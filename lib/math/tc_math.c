/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Elementary functions: the public entries. The scalar functions are tc_math_core.h's bodies (or
 * tc_math_double.h's); what stands here are the two that run over a vector.
 *
 * Cost on Cortex-M4F: see docs/reference/costs.md. No function uses more than 48 bytes of stack.
 */
#include "tc_exact.h"
#include "tc_math.h"

#include "tc_math_core.h"

tc_real tc_exp(tc_real x)
{
    return tc_exp_core(x);
}

tc_real tc_log(tc_real x)
{
    return tc_log_core(x);
}

/* By table, NaN would become a number. */
tc_real tc_tanh(tc_real x)
{
    return x != x ? x : tc_tanh_core(x);
}

tc_real tc_sigmoid(tc_real x)
{
    return x != x ? x : tc_sigmoid_core(x);
}

tc_real tc_softplus(tc_real x)
{
    return tc_softplus_core(x);
}

tc_real tc_sin(tc_real x)
{
    return tc_sin_core(x);
}

tc_real tc_cos(tc_real x)
{
    return tc_cos_core(x);
}

void tc_sincos(tc_real x, tc_real *sine, tc_real *cosine)
{
    tc_sincos_core(x, sine, cosine);
}

tc_real tc_atan2(tc_real y, tc_real x)
{
    return tc_atan2_core(y, x);
}

tc_real tc_normal_density(tc_real x)
{
    return tc_normal_density_core(x);
}

tc_real tc_normal_distribution(tc_real x)
{
    return tc_normal_distribution_core(x);
}

tc_real tc_normal_ratio(tc_real x)
{
    return tc_normal_ratio_core(x);
}

/* p_i = e^(x_i - largest), the largest itself giving 1; returns their sum, which is in [1, n]. */
static tc_real sum_exponentials(const tc_real *x, uint32_t n, tc_real *p)
{
    tc_real largest = x[0];
    for (uint32_t i = 1; i < n; i++) {
        if (x[i] > largest) largest = x[i];
    }
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < n; i++) {
        p[i] = tc_exp_bounded(x[i] - largest);
        sum += p[i];
    }
    return sum;
}

void tc_softmax_core(const tc_real *x, uint32_t n, tc_real *p)
{
    const tc_real scale = TC_C(1.0) / sum_exponentials(x, n, p);
    for (uint32_t i = 0; i < n; i++) p[i] = tc_flush(p[i] * scale);
}

tc_status tc_softmax_inplace(tc_real *x, uint32_t n)
{
    if (!x) return TC_ERR_NULL;
    if (n == 0 || n > TC_NET_WIDTH_MAX) return TC_ERR_SIZE;
    if (!tc_all_finite(x, n)) {
        for (uint32_t i = 0; i < n; i++) x[i] = TC_C(0.0);
        return TC_ERR_NOT_FINITE;
    }
    tc_softmax_core(x, n, x);
    return TC_OK;
}

/* Zero times everything: a product that starts at 0 stays 0, or becomes and stays NaN. Four of
 * them, so that no multiplication waits for the one before. */
int tc_all_finite(const tc_real *x, uint32_t n)
{
    tc_real a = TC_C(0.0), b = a, c = a, d = a;
    const uint32_t fours = n & ~3u;
    for (uint32_t i = 0; i < fours; i += 4) {
        a *= x[i];
        b *= x[i + 1];
        c *= x[i + 2];
        d *= x[i + 3];
    }
    for (uint32_t i = fours; i < n; i++) a *= x[i];
    return (a + b) + (c + d) == TC_C(0.0);
}
