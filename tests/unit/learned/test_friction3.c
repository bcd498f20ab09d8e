/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Coulomb's friction as a contact model: its ratio against the exact one in double, its coefficient
 * by patch, slip and load.
 */
#include "learned3_case.h"

#include <math.h>

static learned3_scene scene;
static tc_learned3_problem problem;
static tc_real work[TC_FRICTION3_WORK];

/* The numbers of 342 tosses of a cube */
static tc_friction3 of_tosses(void)
{
    tc_friction3 friction = tc_friction3_default(TC_C(0.185));
    const tc_real gain[2] = {TC_C(-0.022), TC_C(0.0065)}, slip[2] = {TC_C(0.44), TC_C(0.92)};
    const tc_real load[2] = {TC_C(1.05), TC_C(-0.09)}, bias[2] = {TC_C(1.26), TC_C(0.20)};
    memcpy(friction.gain, gain, sizeof gain);
    memcpy(friction.slip, slip, sizeof slip);
    memcpy(friction.load, load, sizeof load);
    memcpy(friction.bias, bias, sizeof bias);
    friction.weight = TC_C(0.00981);
    return friction;
}

/* The length of the ratio that the model gives */
static tc_real size_said(const tc_friction3 *friction, const tc_learned3_query *query)
{
    const tc_learned3_model model = tc_friction3_model(friction);
    tc_real ratio[2];
    TEST_ASSERT_EQUAL(TC_OK, model.observe(model.context, query, work));
    TEST_ASSERT_EQUAL(TC_OK, model.ratio(model.context, query, ratio, work));
    return tc_sqrt(ratio[0] * ratio[0] + ratio[1] * ratio[1]);
}

/* A query about the first contact of a random patch, without impulses */
static void ask_about(uint32_t count, tc_real W[6], tc_learned3_query *query)
{
    learned3_random(count, &scene);
    TEST_ASSERT_EQUAL(
        TC_OK, tc_learned3_problem_init(&problem, &scene.patch, &scene.body, &scene.state, NULL));
    const learned3_double exact = learned3_in_double(&problem);
    double u[3];
    tc_real before[3];
    learned3_at(&exact, exact.velocity, 0, u);
    for (uint32_t k = 0; k < 3u; k++) {
        static const uint32_t at[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
        double v[6] = {0, 0, 0, 0, 0, 0}, unit[3] = {0, 0, 0}, w[3];
        learned3_double still = exact;
        unit[k] = 1;
        memset(still.offset, 0, sizeof still.offset);
        learned3_push(&still, 0, unit, v);
        learned3_at(&still, v, 0, w);
        for (uint32_t j = 0; j < 3u; j++) {
            W[at[j][k]] = (tc_real)w[j];
        }
        before[k] = (tc_real)u[k];
    }
    before[2] = before[2] < TC_C(0.0) ? before[2] : -before[2] - TC_C(0.1);
    tc_learned3_query_init(query, W, before, NULL);
    query->problem = &problem;
}

/* Catches: a root that is not Coulomb's, a direction in other axes. The impulse is judged, for the
 * ratio of a contact that friction stops says nothing. */
static void test_impulse_is_coulombs(void)
{
    test_seed(71u);
    for (uint32_t round = 0; round < TEST_ROUNDS(4000); round++) {
        const double mu = test_log_uniform_wide(0.01, 1.0);
        const tc_friction3 friction = tc_friction3_default((tc_real)mu);
        const tc_learned3_model ours = tc_friction3_model(&friction);
        const tc_learned3_model exact = learned3_coulomb_law(&mu);
        tc_real W[6], ratio[2], got[3], expected[3];
        tc_learned3_query query;
        ask_about(1, W, &query);
        TEST_ASSERT_EQUAL(TC_OK, ours.observe(ours.context, &query, work));
        TEST_ASSERT_EQUAL(TC_OK, ours.ratio(ours.context, &query, ratio, work));
        (void)tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, ratio, got);
        TEST_ASSERT_EQUAL(TC_OK, exact.ratio(exact.context, &query, ratio, work));
        (void)tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, ratio, expected);
        tc_real scale = TC_C(0.0);
        for (uint32_t k = 0; k < 3u; k++) {
            scale = fmax((double)scale, fabs((double)expected[k]));
        }
        for (uint32_t k = 0; k < 3u; k++) {
            test_near(expected[k], got[k], TC_C(5e-3) * scale, TC_C(0.0), "impulse");
        }
    }
}

/* Catches: a class that is not what the impulses say. */
static void test_classes(void)
{
    test_seed(72u);
    uint32_t seen[3] = {0, 0, 0};
    for (uint32_t round = 0; round < TEST_ROUNDS(1000); round++) {
        const double mu = test_log_uniform_wide(0.05, 2.0);
        const tc_friction3 friction = tc_friction3_default((tc_real)mu);
        const tc_learned3_model ours = tc_friction3_model(&friction);
        const tc_learned3_model exact = learned3_coulomb_law(&mu);
        tc_real W[6], got[3], expected[3];
        tc_learned3_query query;
        ask_about(1, W, &query);
        query.u[2] = round % 5u == 0u ? TC_C(0.0) : query.u[2];
        TEST_ASSERT_EQUAL(TC_OK, ours.observe(ours.context, &query, work));
        TEST_ASSERT_EQUAL(TC_OK, ours.classify(ours.context, &query, got, work));
        TEST_ASSERT_EQUAL(TC_OK, exact.classify(exact.context, &query, expected, work));
        TEST_ASSERT_EQUAL_MEMORY(expected, got, sizeof got);
        for (uint32_t k = 0; k < 3u; k++) {
            seen[k] += got[k] > TC_C(0.0);
        }
    }
    TEST_ASSERT_TRUE(seen[0] > 0u && seen[1] > 0u && seen[2] > 0u);
}

/* Catches: the coefficient of another patch. */
static void test_patch_chooses(void)
{
    tc_friction3 friction = tc_friction3_default(TC_C(0.0));
    tc_real W[6];
    tc_learned3_query query;
    friction.mu[0] = TC_C(0.17);
    friction.mu[1] = TC_C(0.18);
    friction.mu[2] = TC_C(0.22);
    test_seed(73u);
    for (uint32_t count = 1; count <= TC_PATCH_MAX; count++) {
        ask_about(count, W, &query);
        TEST_ASSERT_EQUAL(count, tc_learned3_query_count(&query));
        const tc_real expected = friction.mu[count < 3u ? count - 1u : 2u];
        test_near(expected, size_said(&friction, &query), TC_C(1e-7), TC_C(1e-6), "mu");
    }
    query.problem = NULL;
    TEST_ASSERT_EQUAL(1, tc_learned3_query_count(&query));
    test_near(friction.mu[0], size_said(&friction, &query), TC_C(1e-7), TC_C(1e-6), "point");
}

/* The formula of tc_friction3.h in double. Catches: another slip or load, units, signs; a bound
 * that is missing. */
static void test_residual(void)
{
    const tc_friction3 friction = of_tosses();
    test_seed(74u);
    for (uint32_t round = 0; round < TEST_ROUNDS(400); round++) {
        tc_real W[6];
        tc_learned3_query query;
        ask_about(1u + round % TC_PATCH_MAX, W, &query);
        const double slip = hypot((double)query.u[0], (double)query.u[1]);
        const double needed = -(double)query.u[2] / (double)W[5];
        test_near((tc_real)slip, tc_learned3_query_slip(&query), TC_C(1e-5), TC_C(1e-4), "slip");
        test_near((tc_real)needed, tc_learned3_query_load(&query), TC_C(0.0), TC_C(1e-5), "load");
        const double s = log((slip + 0.02) / 0.5), l = log((needed / 0.00981 + 0.05) / 10);
        const double mu = 0.185 - 0.022 * tanh(0.44 * s + 1.05 * l + 1.26)
                          + 0.0065 * tanh(0.92 * s - 0.09 * l + 0.20);
        test_near((tc_real)mu, size_said(&friction, &query), TC_C(2e-6), TC_C(1e-5), "mu");
    }
    tc_friction3 steep = friction;
    tc_real W[6];
    tc_learned3_query query;
    ask_about(1, W, &query);
    steep.gain[0] = TC_C(-50.0);
    steep.bias[0] = TC_C(1e3);
    test_near(TC_C(0.0), size_said(&steep, &query), TC_C(0.0), TC_C(0.0), "not negative");
    steep.bias[0] = TC_C(-1e3);
    test_near(TC_FRICTION3_MU_MAX, size_said(&steep, &query), TC_C(0.0), TC_C(1e-6), "bounded");
}

static void test_statuses(void)
{
    tc_friction3 friction = of_tosses();
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_friction3_check(NULL));
    TEST_ASSERT_EQUAL(TC_OK, tc_friction3_check(&friction));
    friction.weight = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_friction3_check(&friction));
    friction.gain[0] = friction.gain[1] = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_OK, tc_friction3_check(&friction));
    friction.gain[1] = TC_C(0.1);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_friction3_check(&friction));
    for (uint32_t k = 0; k < 3u; k++) {
        friction = tc_friction3_default(TC_C(0.3));
        friction.mu[k] = TC_C(-1e-3);
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_friction3_check(&friction));
        friction.mu[k] = TC_C(10.1);
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_friction3_check(&friction));
        friction.mu[k] = TC_FRICTION3_MU_MAX;
        TEST_ASSERT_EQUAL(TC_OK, tc_friction3_check(&friction));
    }
    tc_real *const number = friction.mu;
    for (uint32_t k = 0; k < sizeof friction / sizeof *number; k++) {
        friction = tc_friction3_default(TC_C(0.3));
        number[k] = (tc_real)NAN;
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_friction3_check(&friction));
    }
}

void suite_friction3(void)
{
    RUN_TEST(test_impulse_is_coulombs);
    RUN_TEST(test_classes);
    RUN_TEST(test_patch_chooses);
    RUN_TEST(test_residual);
    RUN_TEST(test_statuses);
}
