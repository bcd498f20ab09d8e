/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The compiler bug that port/helium/tc_helium.h guards against: gcc 12.2 takes an MVE store builtin
 * for a store of its first element, and moves or folds scalar accesses to the other three across
 * it.
 *
 * The functions below store vectors that scalar code reads back in a loop, one of the shapes in
 * which the bug was seen (sums of 33 instead of 36). They are compiled with -O3 and unrolled loops
 * whatever the rest is, because at plain -O2 the bug hides.
 *
 * Catches: TC_HELIUM_STORE changed to vst1q_f32, TC_HELIUM_FENCE left out after a predicated store,
 * and a compiler that breaks the guards. Build this file with -DTEST_HELIUM_PLAIN to see both tests
 * fail: the guards are then replaced by the plain builtins. On cores without Helium there is
 * nothing to test.
 */
#include "test.h"

void suite_helium_store(void);

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)

#include "../../port/helium/tc_helium.h"

#ifdef TEST_HELIUM_PLAIN
#define STORE(p, v) vst1q_f32(p, v)
#define FENCE() ((void)0)
#else
#define STORE(p, v) TC_HELIUM_STORE(p, v)
#define FENCE() TC_HELIUM_FENCE()
#endif

#ifdef __clang__
#define HARD __attribute__((noinline))
#else
#define HARD __attribute__((noinline, optimize("O3", "unroll-loops")))
#endif

/* Sum over k < n of x[k+1] + x[k+2] + x[k+3], by way of a copy. The bug reads part of the copy
 * before the store of the same round. */
static HARD float sum_by_copies(const float *x, int n)
{
    float copy[8] = {0};
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        STORE(copy, vld1q_f32(x + k));
        sum += copy[1] + copy[2] + copy[3];
    }
    return sum;
}

/* The same, elements 1 and 2 alone, with a predicated store. */
static HARD float sum_by_partial_copies(const float *x, int n)
{
    float copy[8] = {0};
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        vstrwq_p_f32(copy, vld1q_f32(x + k), vctp32q(3));
        FENCE();
        sum += copy[1] + copy[2];
    }
    return sum;
}

static const float counting[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static void test_scalar_reads_see_a_vector_store(void)
{
    for (int n = 0; n <= 12; n++) { /* the sum over k < n of 3 k + 9 */
        TEST_ASSERT_EQUAL_FLOAT((float)(3 * n * (n - 1) / 2 + 9 * n), sum_by_copies(counting, n));
    }
}

static void test_scalar_reads_see_a_predicated_store(void)
{
    for (int n = 0; n <= 12; n++) { /* the sum over k < n of 2 k + 5 */
        TEST_ASSERT_EQUAL_FLOAT((float)(n * (n - 1) + 5 * n), sum_by_partial_copies(counting, n));
    }
}

void suite_helium_store(void)
{
    RUN_TEST(test_scalar_reads_see_a_vector_store);
    RUN_TEST(test_scalar_reads_see_a_predicated_store);
}

#else

void suite_helium_store(void)
{
}

#endif
