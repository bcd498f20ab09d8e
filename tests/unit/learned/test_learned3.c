/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One spatial contact: the impulse of each class, what is made legal, and what nets see of it.
 */
#include "learned3_case.h"

#include <math.h>

/* A body of unit mobility, touching 1 m below its centre of mass: W = diag(2, 2, 1). Catches: the
 * branches of a contact mixed up, a ratio along the wrong axis, a flag not told. */
static void test_contact(void)
{
    static const tc_real W[6] = {TC_C(2.0), TC_C(0.0), TC_C(2.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)};
    static const tc_real u[3] = {TC_C(3.0), TC_C(4.0), TC_C(-1.0)};
    tc_learned3_query query;
    tc_real inverse[6], p[3];
    uint32_t flags = 0;
    tc_learned3_query_init(&query, W, u, inverse);
    test_near(TC_C(0.5), inverse[0], TC_C(1e-7), TC_C(0.0), "inverse");
    test_near(TC_C(-1.5), query.stop[0], TC_C(1e-6), TC_C(0.0), "stop");
    test_near(TC_C(1.0), query.stop[2], TC_C(1e-6), TC_C(0.0), "stop");
    test_near(TC_C(2.5), query.tangential, TC_C(1e-6), TC_C(0.0), "tangential");
    test_near(TC_C(-0.6), query.axis[0], TC_C(1e-6), TC_C(0.0), "axis");
    test_near(TC_C(-0.8), query.axis[1], TC_C(1e-6), TC_C(0.0), "axis");

    const tc_real slides[2] = {TC_C(0.5), TC_C(0.1)};
    TEST_ASSERT_EQUAL(0, tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, slides, p));
    test_near(TC_C(0.5) * TC_C(-0.6) + TC_C(0.1) * TC_C(0.8), p[0], TC_C(1e-6), TC_C(0.0),
              "friction");
    test_near(TC_C(0.5) * TC_C(-0.8) - TC_C(0.1) * TC_C(0.6), p[1], TC_C(1e-6), TC_C(0.0),
              "friction");
    test_near(TC_C(1.0), p[2], TC_C(1e-6), TC_C(0.0), "normal");
    const tc_real feeds[2] = {TC_C(-0.5), TC_C(0.0)};
    TEST_ASSERT_EQUAL(TC_LEARNED_CLAMPED,
                      tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, feeds, p));
    learned3_check_zero(p, 2, TC_C(1e-7), "friction that feeds");
    const tc_real ends[2] = {TC_C(30.0), TC_C(0.0)};
    TEST_ASSERT_EQUAL(TC_LEARNED_CLAMPED, tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, ends, p));
    TEST_ASSERT_EQUAL_MEMORY(query.stop, p, sizeof p);
    const tc_real none[2] = {(tc_real)NAN, TC_C(0.5)};
    TEST_ASSERT_EQUAL(0, tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, none, p));
    learned3_check_zero(p, 2, TC_C(1e-7), "no ratio");
    TEST_ASSERT_EQUAL(0, tc_learned3_impulse(&query, TC_LEARNED_STATIC, none, p));
    TEST_ASSERT_EQUAL_MEMORY(query.stop, p, sizeof p);
    TEST_ASSERT_EQUAL(0, tc_learned3_impulse(&query, TC_LEARNED_DETACH, none, p));
    learned3_check_zero(p, 3, TC_C(0.0), "left");

    static const tc_real straight[3] = {TC_C(0.0), TC_C(0.0), TC_C(-1.0)},
                         smooth[2] = {TC_C(0.0), TC_C(0.0)};
    tc_learned3_query_init(&query, W, straight, NULL);
    /* nothing is cut */
    TEST_ASSERT_EQUAL(0, tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, smooth, p));
    TEST_ASSERT_EQUAL_MEMORY(query.stop, p, sizeof p);
    tc_learned3_query_init(&query, W, u, NULL);

    TEST_ASSERT_EQUAL(TC_LEARNED_DYNAMIC, tc_learned3_legal(&query, TC_LEARNED_DETACH, &flags));
    TEST_ASSERT_EQUAL(TC_LEARNED_OVERRULED, flags);
    const tc_real away[3] = {TC_C(3.0), TC_C(4.0), TC_C(1.0)};
    flags = 0;
    tc_learned3_query_init(&query, W, away, NULL);
    TEST_ASSERT_EQUAL(TC_LEARNED_DETACH, tc_learned3_legal(&query, TC_LEARNED_STATIC, &flags));
    TEST_ASSERT_EQUAL(TC_LEARNED_OVERRULED | TC_LEARNED_PULLED, flags);
    TEST_ASSERT_EQUAL(0, tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, slides, p));
    learned3_check_zero(p, 3, TC_C(0.0), "leaves");
}

/* Friction that wedges the contact, W_nn + W_nt.rho -> 0, but cannot end the sliding. Catches: a
 * pivot left alone. */
static void test_jam(void)
{
    static const tc_real W[6] = {TC_C(4.0), TC_C(0.0), TC_C(4.0), TC_C(2.5), TC_C(0.0), TC_C(2.0)};
    static const tc_real u[3] = {TC_C(10.0), TC_C(0.0), TC_C(-0.1)},
                         ratio[2] = {TC_C(0.78), TC_C(0.0)};
    tc_learned3_query query;
    tc_real p[3];
    tc_learned3_query_init(&query, W, u, NULL);
    test_near(TC_C(-1.0), query.axis[0], TC_C(1e-6), TC_C(0.0), "axis");
    TEST_ASSERT_EQUAL(TC_LEARNED_CLAMPED,
                      tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, ratio, p));
    /* 2 if it were left alone */
    test_near(TC_C(1.0), p[2], TC_C(1e-4), TC_C(0.0), "0.1 over 5 % of W_nn");
    test_near(TC_C(-0.76), p[0], TC_C(1e-4), TC_C(0.0), "of the ratio what fits");
}

/* ---- Features -------------------------------------------------------------------------------- */

/* A contact matrix as bodies have it: 1 + C^T C */
static void random_query(tc_real W[6], tc_real u[3])
{
    tc_real C[9];
    test_fill(C, 9, TC_C(-1.5), TC_C(1.5));
    test_fill(u, 3, TC_C(-2.0), TC_C(2.0));
    static const uint8_t row[6] = {0, 0, 1, 0, 1, 2}, column[6] = {0, 1, 1, 2, 2, 2};
    for (uint32_t e = 0; e < 6u; e++) {
        W[e] = row[e] == column[e] ? TC_C(1.0) : TC_C(0.0);
        for (uint32_t k = 0; k < 3u; k++) {
            W[e] += C[3u * k + row[e]] * C[3u * k + column[e]];
        }
    }
}

/* The same contact seen from axes turned by an angle, or mirrored */
static void seen_from(tc_real c, tc_real s, int mirrored, tc_real W[6], tc_real u[3])
{
    const tc_real a = W[0], b = W[1], d = W[2], x = W[3], y = W[4], u1 = u[0], u2 = u[1];
    const tc_real m = mirrored ? TC_C(-1.0) : TC_C(1.0);
    W[0] = c * c * a + 2 * c * s * b + s * s * d;
    W[1] = m * (c * s * (d - a) + (c * c - s * s) * b);
    W[2] = s * s * a - 2 * c * s * b + c * c * d;
    W[3] = c * x + s * y;
    W[4] = m * (c * y - s * x);
    u[0] = c * u1 + s * u2;
    u[1] = m * (c * u2 - s * u1);
}

/* Catches: a feature that depends on the axes, or on which side things are. */
static void test_features_invariant(void)
{
    tc_real W[6], u[3], first[TC_LEARNED3_FEATURES_MAX], second[TC_LEARNED3_FEATURES_MAX];
    tc_real bound[TC_LEARNED3_FEATURES_MAX];
    tc_learned3_query query;
    test_seed(20701u);
    TEST_ASSERT_EQUAL(13, tc_learned3_features_bounds(63, bound));
    for (uint32_t round = 0; round < 200u; round++) {
        const double angle = (double)test_uniform(TC_C(-3.0), TC_C(3.0));
        random_query(W, u);
        tc_learned3_query_init(&query, W, u, NULL);
        TEST_ASSERT_EQUAL(13, tc_learned3_features(&query, 30, first));
        seen_from((tc_real)cos(angle), (tc_real)sin(angle), round % 2u == 0u, W, u);
        tc_learned3_query_init(&query, W, u, NULL);
        TEST_ASSERT_EQUAL(13, tc_learned3_features(&query, 30, second));
        for (uint32_t i = 0; i < 13u; i++) {
            test_near(first[i], second[i], TC_C(1e-4), TC_C(1e-4), "feature");
            TEST_ASSERT_TRUE(first[i] <= bound[i] && first[i] >= -bound[i]);
        }
    }
}

/* In numbers that can be followed by hand: W = diag(2, 2, 1), u = (3, 4, -1). Catches: a feature
 * out of order or another than the header's, a group that is not left out. */
static void test_features(void)
{
    static const tc_real W[6] = {TC_C(2.0), TC_C(0.0), TC_C(2.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)};
    static const tc_real u[3] = {TC_C(3.0), TC_C(4.0), TC_C(-1.0)};
    const double speed = sqrt(26.0), stop = sqrt(7.25);
    const double expected[13] = {0,          0,          2,          2,        0, -5 / speed, 0,
                                 -1 / speed, log(speed), 2.5 / stop, 1 / stop, 2, 2};
    tc_real features[TC_LEARNED3_FEATURES_MAX], part[TC_LEARNED3_FEATURES_MAX];
    tc_learned3_query query;
    tc_learned3_query_init(&query, W, u, NULL);
    TEST_ASSERT_EQUAL(13, tc_learned3_features(&query, 30, features));
    for (uint32_t i = 0; i < 13u; i++) {
        test_near((tc_real)expected[i], features[i], TC_C(2e-6), TC_C(2e-6), "feature");
    }
    TEST_ASSERT_EQUAL(7, tc_learned3_features(&query, 2u + 8u, part));
    TEST_ASSERT_EQUAL_MEMORY(features, part, 5 * sizeof part[0]);
    TEST_ASSERT_EQUAL_MEMORY(features + 9, part + 5, 2 * sizeof part[0]);
    static const tc_real rest[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    tc_learned3_query_init(&query, W, rest, NULL);
    TEST_ASSERT_EQUAL(13, tc_learned3_features(&query, 30, features));
    test_near((tc_real)log(1e-6), features[8], TC_C(1e-5), TC_C(0.0), "least size");
    learned3_check_zero(features + 9, 4, TC_C(0.0), "no direction");
}

void suite_learned3(void)
{
    RUN_TEST(test_contact);
    RUN_TEST(test_jam);
    RUN_TEST(test_features_invariant);
    RUN_TEST(test_features);
}
