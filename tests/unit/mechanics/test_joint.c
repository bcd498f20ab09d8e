/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The projector of joints on random rows, dependent ones among them, judged by what defines it:
 * E x = 0, the change is a combination of rows, and twice is once.
 */
#include "test.h"

/* Of the largest number; the most of 20,000 cases with a spread of rows of 1e2: 2e-6. */
#ifdef TC_DOUBLE
#define JOINT_ERROR TC_C(1e-12)
#else
#define JOINT_ERROR TC_C(2e-5)
#endif

#define K TC_JOINT_ROWS_MAX
#define D TC_JOINT_RATES_MAX

static tc_real E[K * D], factored[K * D], scale[2u * K];
static tc_joint_rows joint;

/* `rank` random rows, then combinations of them, in a random order; rows of length 0.1 to 10 */
static void random_rows(uint32_t k, uint32_t d, uint32_t rank)
{
    test_fill(E, rank * d, TC_C(-1.0), TC_C(1.0));
    for (uint32_t r = rank; r < k; ++r) {
        const tc_real a = test_uniform(TC_C(0.2), TC_C(1.0)),
                      b = test_uniform(TC_C(0.5), TC_C(1.0));
        const uint32_t i = test_below(rank), j = (i + 1u) % rank;
        for (uint32_t c = 0; c < d; ++c) E[r * d + c] = a * E[i * d + c] + b * E[j * d + c];
    }
    for (uint32_t r = 0; r < k; ++r) {
        const uint32_t other = test_below(k);
        const tc_real size = test_log_uniform(0.1, 10.0);
        for (uint32_t c = 0; c < d; ++c) {
            const tc_real x = E[r * d + c];
            E[r * d + c] = E[other * d + c];
            E[other * d + c] = x * size;
        }
    }
    memcpy(factored, E, sizeof E);
}

static tc_real along(uint32_t r, uint32_t d, const tc_real *x)
{
    tc_real sum = TC_C(0.0), square = TC_C(1e-12);
    for (uint32_t c = 0; c < d; ++c) {
        sum += E[r * d + c] * x[c];
        square += E[r * d + c] * E[r * d + c];
    }
    return sum / tc_sqrt(square);
}

static void test_projection(void)
{
    test_seed(1301);
    for (uint32_t i = 0; i < TEST_ROUNDS(400); ++i) {
        const uint32_t d = 1u + test_below(D), most = d < K ? d : K;
        const uint32_t rank = 1u + test_below(most < 8u ? most : 8u);
        const uint32_t k = rank + test_below(K - rank + 1u);
        tc_real x[D], once[D], twice[D], free_part[D];
        random_rows(k, d, rank);
        TEST_ASSERT_EQUAL(TC_OK, tc_joint_factor(&joint, factored, k, d, scale));
        TEST_ASSERT_LESS_OR_EQUAL(rank, joint.rank);
        test_fill(x, d, TC_C(-1.0), TC_C(1.0));
        test_fill(free_part, d, TC_C(-1.0), TC_C(1.0));
        memcpy(once, x, sizeof x);
        tc_joint_project(&joint, once);
        tc_joint_project(&joint, free_part);
        memcpy(twice, once, sizeof x);
        tc_joint_project(&joint, twice);
        tc_real across = TC_C(0.0);
        for (uint32_t c = 0; c < d; ++c) {
            test_near(once[c], twice[c], JOINT_ERROR, TC_C(0.0), "twice");
            across += (x[c] - once[c]) * free_part[c];
        }
        test_near(TC_C(0.0), across, TC_C(10.0) * JOINT_ERROR, TC_C(0.0), "the change is free");
        for (uint32_t r = 0; r < k; ++r) {
            test_near(TC_C(0.0), along(r, d, once), TC_C(10.0) * JOINT_ERROR, TC_C(0.0), "a row");
        }
    }
}

static void test_solution(void)
{
    test_seed(1302);
    for (uint32_t i = 0; i < TEST_ROUNDS(400); ++i) {
        const uint32_t d = 6u + test_below(D - 5u), rank = 1u + test_below(5), k = rank + 2u;
        tc_real y[D], x[D], b[K], rest[D];
        random_rows(k, d, rank);
        test_fill(y, d, TC_C(-1.0), TC_C(1.0));
        for (uint32_t r = 0; r < k; ++r) {
            b[r] = TC_C(0.0);
            for (uint32_t c = 0; c < d; ++c) b[r] += E[r * d + c] * y[c];
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_joint_factor(&joint, factored, k, d, scale));
        tc_joint_solve(&joint, b, x);
        /* the shortest: y without its free part */
        memcpy(rest, y, sizeof y);
        tc_joint_project(&joint, rest);
        for (uint32_t c = 0; c < d; ++c) {
            test_near(y[c] - rest[c], x[c], TC_C(30.0) * JOINT_ERROR, TC_C(0.0), "solution");
        }
    }
}

static void test_joint_refused(void)
{
    tc_real x[3] = {TC_C(1.0), TC_C(2.0), TC_C(3.0)};
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_joint_factor(NULL, E, 1, 3, scale));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_joint_factor(&joint, NULL, 1, 3, scale));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_joint_factor(&joint, E, 1, 3, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_joint_factor(&joint, E, K + 1u, 3, scale));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_joint_factor(&joint, E, 1, 0, scale));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_joint_factor(&joint, E, 1, D + 1u, scale));
    memset(E, 0, sizeof E);
    E[2] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_joint_factor(&joint, E, 1, 3, scale));
    tc_joint_project(&joint, x);
    TEST_ASSERT_EQUAL_FLOAT(2.0f, (float)x[1]);
    E[2] = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_OK, tc_joint_factor(&joint, E, 1, 3, scale));
    TEST_ASSERT_EQUAL(0, joint.rank);
    TEST_ASSERT_EQUAL(TC_OK, tc_joint_factor(&joint, NULL, 0, 3, NULL));
    tc_joint_project(&joint, x);
    TEST_ASSERT_EQUAL_FLOAT(3.0f, (float)x[2]);
}

void suite_joint(void)
{
    RUN_TEST(test_projection);
    RUN_TEST(test_solution);
    RUN_TEST(test_joint_refused);
}
