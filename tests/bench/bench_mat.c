/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Small matrices, square, n = 2, 3, 4, 6, 8, 12, 16, 32: multiply, matrix times vector, Cholesky,
 * triangular solve with one right-hand side, symmetric inverse. References by the textbook in
 * double.
 */
#include "bench.h"
#include "tinycontact.h"

#include "tc_kernel_mat.h"

#include <math.h>

const uint32_t bench_sizes[8] = {2, 3, 4, 6, 8, 12, 16, 32};

static double reference[BENCH_MAX * BENCH_MAX]; /* 8 KB: factor or inverse before rounding */

/* ---- Inputs and references: computed once per size, kept for all variants -------------------- */

static void (*prepared)(void);
static uint32_t prepared_n;

static int is_prepared(void (*which)(void), uint32_t compared)
{
    int done = prepared == which && prepared_n == bench.n;

    prepared = which;
    prepared_n = bench.n;
    bench.compared = compared;
    bench_seed(2463534242u + bench.n);
    return done;
}

void bench_prepare_square(void)
{
    uint32_t n = bench.n;

    if (is_prepared(bench_prepare_square, n * n)) {
        return;
    }
    bench_fill(bench.A, n * n, -1, 1);
    bench_fill(bench.B, n * n, -1, 1);
    for (uint32_t i = 0; i < n * n; i++) {
        double sum = 0;
        for (uint32_t k = 0; k < n; k++) {
            sum += (double)bench.A[i / n * n + k] * (double)bench.B[k * n + i % n];
        }
        bench.expected[i] = (tc_real)sum;
    }
}

void bench_prepare_vector(void)
{
    uint32_t n = bench.n;

    if (is_prepared(bench_prepare_vector, n)) {
        return;
    }
    bench_fill(bench.A, n * n, -1, 1);
    bench_fill(bench.B, n, -1, 1);
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0;
        for (uint32_t k = 0; k < n; k++) {
            sum += (double)bench.A[i * n + k] * (double)bench.B[k];
        }
        bench.expected[i] = (tc_real)sum;
    }
}

/* A = U + U^T + 2 n I with U uniform in (-1, 1): diagonally dominant, so positive definite. */
static void fill_spd(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            tc_real x = bench_uniform(-2, 2) + (i == j ? (tc_real)(2 * n) : 0);
            bench.A[i * n + j] = x;
            bench.A[j * n + i] = x;
        }
    }
}

static void reference_cholesky(uint32_t n)
{
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = j; i < n; i++) {
            double sum = (double)bench.A[i * n + j];
            for (uint32_t k = 0; k < j; k++) {
                sum -= reference[i * n + k] * reference[j * n + k];
            }
            reference[i * n + j] = i == j ? sqrt(sum) : sum / reference[j * n + j];
        }
    }
}

/* Kernels write the lower triangle only, and may leave the upper one as it was. */
static void mask_upper(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i + 1; j < n; j++) {
            x[i * n + j] = 0;
        }
    }
}

void bench_prepare_spd(void)
{
    uint32_t n = bench.n;

    if (is_prepared(bench_prepare_spd, n * n)) {
        return;
    }
    fill_spd(n);
    reference_cholesky(n);
    for (uint32_t i = 0; i < n * n; i++) {
        bench.expected[i] = (tc_real)reference[i];
    }
    mask_upper(bench.expected, n);
}

void bench_prepare_lower(void)
{
    uint32_t n = bench.n;

    if (is_prepared(bench_prepare_lower, n)) {
        return;
    }
    bench_fill(bench.A, n * n, -1, 1);
    mask_upper(bench.A, n);
    bench_fill(bench.B, n, -1, 1);
    for (uint32_t i = 0; i < n; i++) {
        double sum = (double)bench.B[i];
        bench.A[i * n + i] = (tc_real)n;
        for (uint32_t k = 0; k < i; k++) {
            sum -= (double)bench.A[i * n + k] * reference[k];
        }
        reference[i] = sum / (double)bench.A[i * n + i];
        bench.expected[i] = (tc_real)reference[i];
    }
}

/* Gauss-Jordan in place; no pivoting needed for a diagonally dominant matrix. */
static void reference_inverse(uint32_t n)
{
    for (uint32_t i = 0; i < n * n; i++) {
        reference[i] = (double)bench.A[i];
    }
    for (uint32_t p = 0; p < n; p++) {
        double pivot = 1 / reference[p * n + p];
        reference[p * n + p] = 1;
        for (uint32_t j = 0; j < n; j++) {
            reference[p * n + j] *= pivot;
        }
        for (uint32_t i = 0; i < n; i++) {
            double factor = i == p ? 0 : reference[i * n + p];
            if (i != p) {
                reference[i * n + p] = 0;
            }
            for (uint32_t j = 0; j < n && i != p; j++) {
                reference[i * n + j] -= factor * reference[p * n + j];
            }
        }
    }
}

/* CMSIS-DSP's inverse overwrites its source, so A is made anew each time. */
void bench_prepare_inverse(void)
{
    uint32_t n = bench.n;
    int done = is_prepared(bench_prepare_inverse, n * n);

    fill_spd(n);
    if (done) {
        return;
    }
    reference_inverse(n);
    for (uint32_t i = 0; i < n * n; i++) {
        bench.expected[i] = (tc_real)reference[i];
    }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

#define FIXED(name, call_of)                                                                       \
    static void name(void)                                                                         \
    {                                                                                              \
        switch (bench.n) {                                                                         \
            TC_KERNEL_SIZES(call_of)                                                               \
        default: bench_applies = 0; break;                                                         \
        }                                                                                          \
    }

#define MUL(n)                                                                                     \
    case n: BENCH_REGION(tc_kernel_mat_mul_##n(bench.A, bench.B, bench.result)); break;
#define VEC(n)                                                                                     \
    case n: BENCH_REGION(tc_kernel_mat_vec_##n(bench.A, bench.B, bench.result)); break;
#define CHOLESKY(n)                                                                                \
    case n: BENCH_REGION(tc_kernel_cholesky_##n(bench.A, bench.result)); break;
#define SOLVE(n)                                                                                   \
    case n: BENCH_REGION(tc_kernel_solve_lower_##n(bench.A, bench.B, bench.result)); break;

FIXED(mul_fixed, MUL)
FIXED(vec_fixed, VEC)
static void cholesky_fixed(void)
{
    switch (bench.n) {
        TC_KERNEL_SIZES(CHOLESKY)
    default: bench_applies = 0; break;
    }
    mask_upper(bench.result, bench.n);
}
FIXED(solve_fixed, SOLVE)

static void mul_kernel(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_kernel_mat_mul(bench.A, bench.B, bench.result, n, n, n));
}

static void mul_public(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_mat_mul(bench.A, bench.B, bench.result, n, n, n));
}

static void mul_plain(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(plain_mat_mul(bench.A, bench.B, bench.result, n));
}

static void vec_kernel(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_kernel_mat_vec(bench.A, bench.B, bench.result, n, n));
}

static void vec_public(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_mat_vec(bench.A, bench.B, bench.result, n, n));
}

static void vec_plain(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(plain_mat_vec(bench.A, bench.B, bench.result, n));
}

static void vec_t_kernel(void)
{
    uint32_t n = bench.n;
    for (uint32_t i = 0; i < n; i++) { /* the same product by the transposed matrix */
        for (uint32_t j = 0; j < n; j++) {
            bench.work[j * n + i] = bench.A[i * n + j];
        }
    }
    BENCH_REGION(tc_kernel_mat_vec_t(bench.work, bench.B, bench.result, n, n));
}

static void cholesky_kernel(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_kernel_cholesky(bench.A, bench.result, n));
    mask_upper(bench.result, n);
}

static void cholesky_public(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_mat_cholesky(bench.A, bench.result, n));
}

static void cholesky_plain(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(plain_cholesky(bench.A, bench.result, n));
    mask_upper(bench.result, n);
}

static void solve_kernel(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_kernel_solve_lower(bench.A, bench.B, bench.result, n, 1));
}

static void solve_public(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_mat_solve_lower(bench.A, bench.B, bench.result, n, 1));
}

static void solve_plain(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(plain_solve_lower(bench.A, bench.B, bench.result, n));
}

static void inverse_public(void)
{
    uint32_t n = bench.n;
    BENCH_REGION(tc_mat_inverse_spd(bench.A, bench.result, n, bench.work, TC_COUNT(bench.work)));
}

/* `inputs` here counts matrices in the high half and vectors in the low half; run_size resolves
 * it. */
#define INPUTS(matrices, vectors) ((uint32_t)(matrices) << 16 | (vectors))

static const bench_case cases[] = {
    {"mat_mul", NULL, "fixed", bench_prepare_square, mul_fixed, 0, TC_C(2e-6)},
    {"mat_mul", NULL, "kernel", bench_prepare_square, mul_kernel, 0, TC_C(2e-6)},
    {"mat_mul", NULL, "public", bench_prepare_square, mul_public, INPUTS(2, 0), TC_C(2e-6)},
    {"mat_mul", NULL, "plain", bench_prepare_square, mul_plain, 0, TC_C(2e-6)},
    {"mat_vec", NULL, "fixed", bench_prepare_vector, vec_fixed, 0, TC_C(2e-6)},
    {"mat_vec", NULL, "kernel", bench_prepare_vector, vec_kernel, 0, TC_C(2e-6)},
    {"mat_vec", NULL, "public", bench_prepare_vector, vec_public, INPUTS(1, 1), TC_C(2e-6)},
    {"mat_vec", NULL, "plain", bench_prepare_vector, vec_plain, 0, TC_C(2e-6)},
    {"mat_vec_t", NULL, "kernel", bench_prepare_vector, vec_t_kernel, 0, TC_C(2e-6)},
    {"cholesky", NULL, "fixed", bench_prepare_spd, cholesky_fixed, 0, TC_C(2e-6)},
    {"cholesky", NULL, "kernel", bench_prepare_spd, cholesky_kernel, 0, TC_C(2e-6)},
    {"cholesky", NULL, "public", bench_prepare_spd, cholesky_public, INPUTS(1, 0), TC_C(2e-6)},
    {"cholesky", NULL, "plain", bench_prepare_spd, cholesky_plain, 0, TC_C(2e-6)},
    {"solve_lower", NULL, "fixed", bench_prepare_lower, solve_fixed, 0, TC_C(2e-6)},
    {"solve_lower", NULL, "kernel", bench_prepare_lower, solve_kernel, 0, TC_C(2e-6)},
    {"solve_lower", NULL, "public", bench_prepare_lower, solve_public, INPUTS(1, 1), TC_C(2e-6)},
    {"solve_lower", NULL, "plain", bench_prepare_lower, solve_plain, 0, TC_C(2e-6)},
    {"inverse_spd", NULL, "public", bench_prepare_inverse, inverse_public, INPUTS(1, 0),
     TC_C(2e-6)},
};

void bench_mat(void)
{
    for (uint32_t s = 0; s < TC_COUNT(bench_sizes); s++) {
        bench.n = bench_sizes[s];
        for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
            bench_case c = cases[i];
            c.inputs = (c.inputs >> 16) * bench.n * bench.n + (c.inputs & 0xffffu) * bench.n;
            bench_run(&c);
        }
#if !defined(BENCH_CYCLES)
        bench_cmsis_mat();
#endif
    }
}
