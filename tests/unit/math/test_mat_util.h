/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the matrix tests share: random matrices, comparisons to the bit or within the profile's
 * tolerance, and the plain sums that bounds are made of.
 */
#ifndef TEST_MAT_UTIL_H
#define TEST_MAT_UTIL_H

#include "test.h"

#define MAT_N TC_MAT_MAX
#define MAT_NN (TC_MAT_MAX * TC_MAT_MAX)
#define GUARDED(n) ((n) + 2u * TEST_GUARD_WORDS)

static inline tc_real mat_abs(tc_real x)
{
    return x < 0 ? -x : x;
}

static inline tc_real mat_nan(void)
{
    const volatile tc_real zero = 0;
    return zero / zero;
}

static inline tc_real mat_infinity(void)
{
    const volatile tc_real zero = 0;
    return 1 / zero;
}

static inline tc_real mat_largest(const tc_real *x, uint32_t n)
{
    tc_real largest = 0;
    for (uint32_t i = 0; i < n; ++i) {
        largest = mat_abs(x[i]) > largest ? mat_abs(x[i]) : largest;
    }
    return largest;
}

/* A = G G^T / n + I / 2 for random G: positive definite, condition below 10. The strict upper
 * triangle is NaN: nothing may read it. */
static inline void mat_random_spd(tc_real *A, uint32_t n)
{
    static tc_real G[MAT_NN];
    test_fill(G, n * n, TC_C(-1.0), TC_C(1.0));
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            tc_real sum = 0;
            for (uint32_t k = 0; k < n; ++k) {
                sum += G[i * n + k] * G[j * n + k];
            }
            A[i * n + j] = j > i ? mat_nan() : sum / (tc_real)n + (i == j ? TC_C(0.5) : 0);
        }
    }
}

/* Lower triangular with a diagonal in 1..2 and NaN above it */
static inline void mat_random_lower(tc_real *L, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            const tc_real x = test_uniform(TC_C(-1.0), TC_C(1.0));
            L[i * n + j] = j > i ? mat_nan() : j == i ? TC_C(1.5) + x / 2 : x;
        }
    }
}

static inline void mat_mirror(tc_real *A, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            A[j * n + i] = A[i * n + j];
        }
    }
}

static inline void mat_transpose(const tc_real *A, tc_real *T, uint32_t m, uint32_t n)
{
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            T[j * m + i] = A[i * n + j];
        }
    }
}

/* The same number computed by two routes that claim the same bits. Where the linked backends make
 * no such claim: within 64 roundings of `scale`, the size of the terms that were summed. */
static inline void mat_same(const tc_real *expected, const tc_real *actual, uint32_t n,
                            tc_real scale, const char *what)
{
#if TEST_EXACT
    (void)scale;
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(expected, actual, n * sizeof(tc_real), what);
#else
    for (uint32_t i = 0; i < n; ++i) {
        test_near(expected[i], actual[i], 64 * TC_EPSILON * scale, 0, what);
    }
#endif
}

static inline void mat_all_zero(const tc_real *x, uint32_t n, const char *what)
{
    for (uint32_t i = 0; i < n; ++i) {
        TEST_ASSERT_TRUE_MESSAGE(x[i] == 0, what);
    }
}

#endif
