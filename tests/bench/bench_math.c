/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Elementary functions, 64 calls in a loop over arguments spread over the range where they do work.
 * A case's count is that of all 64 calls and the loop round them (load, call, store, count: about 7
 * each); the cost table divides by 64. Kernels work on the whole array in place.
 */
#include "bench.h"
#include "tinycontact.h"

#include "tc_kernel_net.h"

#include <math.h>

#define N BENCH_CALLS

static double identity_logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static double reference_softplus(double x)
{
    return x > 30 ? x : log1p(exp(x));
}

static double reference_density(double x)
{
    return exp(-0.5 * x * x) * 0.3989422804014327;
}

static double reference_distribution(double x)
{
    return 0.5 * erfc(-x * 0.7071067811865476);
}

static double reference_ratio(double x)
{
    return reference_density(x) / reference_distribution(x);
}

static double reference_atan(double x)
{
    return atan2(x, 1);
}

static void spread(tc_real low, tc_real high, double (*function)(double))
{
    for (uint32_t i = 0; i < N; i++) {
        bench.A[i] = low + (high - low) * (tc_real)i / (tc_real)(N - 1);
        bench.result[i] = bench.A[i]; /* for the kernels, which work in place */
        bench.expected[i] = (tc_real)function((double)bench.A[i]);
    }
    bench.compared = N;
}

/* prepare_<f>: arguments over [low, high]; <f>_public: the library; <f>_newlib: the C library. */
#define ARGUMENTS(f, low, high, reference)                                                         \
    static void prepare_##f(void)                                                                  \
    {                                                                                              \
        spread(TC_C(low), TC_C(high), reference);                                                  \
    }
#define PUBLIC(f, call)                                                                            \
    static __attribute__((noinline)) void f##_map(const tc_real *x, tc_real *y)                    \
    {                                                                                              \
        for (uint32_t i = 0; i < N; i++) {                                                         \
            y[i] = call;                                                                           \
        }                                                                                          \
    }                                                                                              \
    static void f##_public(void)                                                                   \
    {                                                                                              \
        BENCH_REGION(f##_map(bench.A, bench.result));                                              \
    }
#define NEWLIB(f)                                                                                  \
    static void f##_newlib(void)                                                                   \
    {                                                                                              \
        newlib_map(#f "f", bench.A, bench.result, N);                                              \
    }

ARGUMENTS(tanh, -6.0, 6.0, tanh)
ARGUMENTS(sigmoid, -12.0, 12.0, identity_logistic)
ARGUMENTS(softplus, -12.0, 12.0, reference_softplus)
ARGUMENTS(exp, -10.0, 3.0, exp)
ARGUMENTS(log, 0.01, 50.0, log)
ARGUMENTS(sin, -12.0, 12.0, sin)
ARGUMENTS(cos, -12.0, 12.0, cos)
ARGUMENTS(atan2, -4.0, 4.0, reference_atan)
ARGUMENTS(density, -4.0, 4.0, reference_density)
ARGUMENTS(distribution, -5.0, 5.0, reference_distribution)
ARGUMENTS(ratio, -8.0, 5.0, reference_ratio)
PUBLIC(tanh, tc_tanh(x[i]))
PUBLIC(sigmoid, tc_sigmoid(x[i]))
PUBLIC(softplus, tc_softplus(x[i]))
PUBLIC(exp, tc_exp(x[i]))
PUBLIC(log, tc_log(x[i]))
PUBLIC(sin, tc_sin(x[i]))
PUBLIC(cos, tc_cos(x[i]))
PUBLIC(atan2, tc_atan2(x[i], 1))
PUBLIC(density, tc_normal_density(x[i]))
PUBLIC(distribution, tc_normal_distribution(x[i]))
PUBLIC(ratio, tc_normal_ratio(x[i]))
NEWLIB(tanh)
NEWLIB(exp)
NEWLIB(log)
NEWLIB(sin)
NEWLIB(cos)
NEWLIB(atan2)

static void tanh_kernel(void)
{
    BENCH_REGION(tc_kernel_tanh(bench.result, N));
}

static void sigmoid_kernel(void)
{
    BENCH_REGION(tc_kernel_sigmoid(bench.result, N));
}

static void softplus_kernel(void)
{
    BENCH_REGION(tc_kernel_softplus(bench.result, N));
}

/* ---- softmax: n elements in place ------------------------------------------------------------ */

static void prepare_softmax(void)
{
    double sum = 0;

    bench_seed(12345u);
    bench_fill(bench.result, bench.n, -4, 4);
    for (uint32_t i = 0; i < bench.n; i++) {
        sum += exp((double)bench.result[i]);
    }
    for (uint32_t i = 0; i < bench.n; i++) {
        bench.expected[i] = (tc_real)(exp((double)bench.result[i]) / sum);
    }
    bench.compared = bench.n;
}

static void softmax_public(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_softmax_inplace(bench.result, n));
}

/* ---- The library's check of itself ----------------------------------------------------------- */

static uint32_t found;

static void selfcheck_public(void)
{
    BENCH_REGION(found = tc_selfcheck());
    bench.result[0] = (tc_real)found;
    bench.expected[0] = 0;
    bench.compared = 1;
}

#define CASE(f, variant, limit) {#f, "64", #variant, prepare_##f, f##_##variant, 0, TC_C(limit)}

static const bench_case cases[] = {
    CASE(tanh, public, 3e-7),         CASE(tanh, kernel, 3e-7),    CASE(tanh, newlib, 3e-7),
    CASE(sigmoid, public, 3e-7),      CASE(sigmoid, kernel, 3e-7), CASE(softplus, public, 3e-7),
    CASE(softplus, kernel, 3e-7),     CASE(exp, public, 3e-7),     CASE(exp, newlib, 3e-7),
    CASE(log, public, 3e-7),          CASE(log, newlib, 3e-7),     CASE(sin, public, 3e-7),
    CASE(sin, newlib, 3e-7),          CASE(cos, public, 3e-7),     CASE(cos, newlib, 3e-7),
    CASE(atan2, public, 3e-7),        CASE(atan2, newlib, 3e-7),   CASE(density, public, 3e-7),
    CASE(distribution, public, 3e-7), CASE(ratio, public, 3e-7),
};

void bench_math(void)
{
    static const bench_case softmax = {"softmax",      NULL, "public",  prepare_softmax,
                                       softmax_public, 0,    TC_C(3e-7)};

    static const bench_case selfcheck = {"selfcheck", "1", "public", NULL, selfcheck_public, 0, 0};

    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run(&cases[i]);
    }
    bench_run(&selfcheck);
    for (bench.n = 3; bench.n <= 32; bench.n = bench.n == 3 ? 8 : bench.n * 4) {
        bench_run(&softmax);
    }
}
