/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Powell's hybrid method on the literature's problems (Moré, Garbow, Hillstrom 1981, numbers in
 * brackets), and on what has no root. Tolerances: |F| is the method's own promise; x follows from
 * it by the Jacobian at the root, stated beside.
 */
#include "test.h"

#include "tc_root.h"

static tc_real x[TC_ROOT_MAX], F[TC_ROOT_MAX];
static tc_real work[TC_ROOT_WORK(TC_ROOT_MAX) + 2 * TEST_GUARD_WORDS];
static tc_root_info info;
static uint32_t calls;

static tc_status solve(uint32_t n, tc_root_function f, const tc_root_config *config)
{
    tc_real *inner = test_guard(work, TC_ROOT_WORK(n));
    calls = 0;
    const tc_status status =
        tc_root_solve(config, n, f, &calls, x, F, &info, inner, TC_ROOT_WORK(n));
    test_guard_check(work, TC_ROOT_WORK(n));
    TEST_ASSERT_EQUAL_UINT32(calls, info.evaluations);
    TEST_ASSERT_TRUE(info.evaluations <= config->max_evaluations);
    return status;
}

static tc_status counted(void *context)
{
    ++*(uint32_t *)context;
    return TC_OK;
}

/* As tc_root.h has them. */
static void test_default(void)
{
    const tc_root_config config = tc_root_default();
    const int wide = sizeof(tc_real) == 8;
    test_near(wide ? TC_C(1e-10) : TC_C(1e-5), config.tolerance, 0, TC_C(1e-6), "tolerance");
    test_near(wide ? TC_C(1.5e-8) : TC_C(3e-4), config.difference, 0, TC_C(1e-6), "difference");
    test_near(wide ? TC_C(1.5e-8) : TC_C(3e-4), config.smallest, 0, TC_C(1e-6), "smallest");
    test_near(TC_C(100.0), config.radius, 0, 0, "radius");
    TEST_ASSERT_EQUAL_UINT32(200, config.max_evaluations);
}

static tc_status rosenbrock(void *context, const tc_real *v, tc_real *f)
{
    f[0] = TC_C(10.0) * (v[1] - v[0] * v[0]);
    f[1] = TC_C(1.0) - v[0];
    return counted(context);
}

/* [1] From (-1.2, 1) to (1, 1); det J = -10 there */
static void test_rosenbrock(void)
{
    const tc_root_config config = tc_root_default();
    x[0] = TC_C(-1.2);
    x[1] = TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_OK, solve(2, rosenbrock, &config));
    test_near(TC_C(1.0), x[0], TC_C(2e-5), 0, "x");
    test_near(TC_C(1.0), x[1], TC_C(5e-5), 0, "y");
    TEST_ASSERT_TRUE(info.evaluations <= 60);
}

static tc_status powell_singular(void *context, const tc_real *v, tc_real *f)
{
    const tc_real a = v[1] - TC_C(2.0) * v[2], b = v[0] - v[3];
    f[0] = v[0] + TC_C(10.0) * v[1];
    f[1] = TC_C(2.23606798) * (v[2] - v[3]);
    f[2] = a * a;
    f[3] = TC_C(3.16227766) * b * b;
    return counted(context);
}

/* [13] The Jacobian is singular at the root: only linear convergence, and |x| is about the root
 * of |F|. */
static void test_powell_singular(void)
{
    const tc_real start[4] = {TC_C(3.0), TC_C(-1.0), TC_C(0.0), TC_C(1.0)};
    const tc_root_config config = tc_root_default();
    memcpy(x, start, sizeof start);
    TEST_ASSERT_EQUAL(TC_OK, solve(4, powell_singular, &config));
    for (uint32_t i = 0; i < 4; ++i) {
        test_near(TC_C(0.0), x[i], TC_C(0.02), 0, "x");
    }
}

static tc_status helical(void *context, const tc_real *v, tc_real *f)
{
    f[0] = TC_C(10.0) * (v[2] - TC_C(1.59154943) * tc_atan2(v[1], v[0]));
    f[1] = TC_C(10.0) * (tc_sqrt(v[0] * v[0] + v[1] * v[1]) - TC_C(1.0));
    f[2] = v[2];
    return counted(context);
}

/* [7] From behind the branch cut of the angle */
static void test_helical_valley(void)
{
    const tc_root_config config = tc_root_default();
    x[0] = TC_C(-1.0);
    x[1] = x[2] = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_OK, solve(3, helical, &config));
    test_near(TC_C(1.0), x[0], TC_C(1e-4), 0, "x");
    test_near(TC_C(0.0), x[2], TC_C(1e-4), 0, "z");
}

static tc_status tridiagonal(void *context, const tc_real *v, tc_real *f)
{
    for (uint32_t i = 0; i < 8; ++i) {
        f[i] = (TC_C(3.0) - TC_C(2.0) * v[i]) * v[i] - (i > 0 ? v[i - 1] : TC_C(0.0))
               - TC_C(2.0) * (i < 7 ? v[i + 1] : TC_C(0.0)) + TC_C(1.0);
    }
    return counted(context);
}

/* [30] Broyden's own, with the largest n */
static void test_broyden_tridiagonal(void)
{
    const tc_root_config config = tc_root_default();
    for (uint32_t i = 0; i < 8; ++i) {
        x[i] = TC_C(-1.0);
    }
    TEST_ASSERT_EQUAL(TC_OK, solve(8, tridiagonal, &config));
    test_near(TC_C(-0.5707), x[0], TC_C(1e-3), 0, "x_1");
    TEST_ASSERT_TRUE(info.jacobians <= 2); /* Broyden's updates do the rest */
}

static tc_status affine(void *context, const tc_real *v, tc_real *f)
{
    f[0] = TC_C(2.0) * v[0] + v[1] - TC_C(3.0);
    f[1] = v[0] + TC_C(3.0) * v[1] - TC_C(5.0);
    return counted(context);
}

/* G of a chain within one branch is affine: start, two differences, and the step that ends it. */
static void test_linear_takes_four(void)
{
    tc_root_config config = tc_root_default();
    config.tolerance = TC_C(5e-3);
    x[0] = x[1] = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_OK, solve(2, affine, &config));
    TEST_ASSERT_EQUAL_UINT32(4, info.evaluations);
    test_near(TC_C(0.8), x[0], TC_C(5e-3), 0, "x");
    test_near(TC_C(1.4), x[1], TC_C(5e-3), 0, "y");
}

static tc_status far_off(void *context, const tc_real *v, tc_real *f)
{
    f[0] = TC_C(0.5) * (v[0] - TC_C(100.0));
    return counted(context);
}

/* Every step comes true, so the radius doubles: from 1 steps of r, 2 r, 4 r, .. reach a root 99
 * away in the least k with (2^k - 1) r >= 99, after the start and a difference. Catches: a radius
 * that grows less often, or otherwise. */
static void test_radius_doubles(void)
{
    tc_root_config config = tc_root_default();
    test_seed(30601u);
    for (uint32_t round = 0; round < 30u; ++round) {
        uint32_t steps = 0;
        config.radius = test_uniform(TC_C(0.02), TC_C(40.0));
        for (double left = 99.0, r = (double)config.radius; left > 0.0; left -= r, r *= 2.0) {
            ++steps;
        }
        x[0] = TC_C(1.0);
        TEST_ASSERT_EQUAL(TC_OK, solve(1, far_off, &config));
        test_near(TC_C(100.0), x[0], TC_C(2e-4), 0, "x");
        TEST_ASSERT_EQUAL_UINT32(1, info.jacobians);
        /* and one for rounding */
        TEST_ASSERT_TRUE(info.evaluations >= 2u + steps && info.evaluations <= 3u + steps);
    }
}

static tc_status rootless(void *context, const tc_real *v, tc_real *f)
{
    f[0] = v[0] * v[0] + TC_C(1.0);
    f[1] = v[1];
    return counted(context);
}

/* No root: ends near the least |F|, says so, and hands back what F is there. */
static void test_no_root(void)
{
    const tc_root_config config = tc_root_default();
    x[0] = TC_C(2.0);
    x[1] = TC_C(3.0);
    TEST_ASSERT_EQUAL(TC_NOTE_LIMIT, solve(2, rootless, &config));
    TEST_ASSERT_TRUE(info.residual < TC_C(1.1));
    test_near(x[0] * x[0] + TC_C(1.0), F[0], TC_C(1e-6), 0, "F at the x handed back");
}

static tc_status ever_worse(void *context, const tc_real *v, tc_real *f)
{
    const tc_status status = counted(context);
    f[0] = v[0] + (tc_real)(100u * *(uint32_t *)context);
    return status;
}

/* Whatever is tried is worse. Catches: steps that are shortened until rounding stops them. */
static void test_gives_up(void)
{
    const tc_root_config config = tc_root_default();
    x[0] = TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_NOTE_LIMIT, solve(1, ever_worse, &config));
    test_near(TC_C(1.0), x[0], 0, 0, "x as it was");
    TEST_ASSERT_TRUE(info.evaluations <= 16);
}

static tc_status half_plane(void *context, const tc_real *v, tc_real *f)
{
    f[0] = v[0] > TC_C(0.0) ? tc_log(v[0]) : (tc_real)NAN;
    return counted(context);
}

/* Newton from 3 jumps to a negative x: where F is no number the step only shortens. */
static void test_function_may_fail_on_the_way(void)
{
    const tc_root_config config = tc_root_default();
    x[0] = TC_C(3.0);
    TEST_ASSERT_EQUAL(TC_OK, solve(1, half_plane, &config));
    test_near(TC_C(1.0), x[0], TC_C(2e-5), 0, "x");
    x[0] = TC_C(-3.0);
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, solve(1, half_plane, &config));
    test_near(TC_C(-3.0), x[0], 0, 0, "x as it was");
}

static uint32_t refused; /* the evaluation that is */

static tc_status rosenbrock_but_one(void *context, const tc_real *v, tc_real *f)
{
    const tc_status status = rosenbrock(context, v, f);
    return *(const uint32_t *)context == refused ? TC_ERR_MODEL_WEIGHT : status;
}

/* An error of F is returned where the search begins, and nowhere else: a step is not taken,
 * differences end it. */
static void test_function_may_refuse_on_the_way(void)
{
    const tc_root_config config = tc_root_default();
    uint32_t solved = 0, ended = 0;
    for (refused = 1; refused <= 20u; ++refused) {
        x[0] = TC_C(-1.2);
        x[1] = TC_C(1.0);
        const tc_status status = solve(2, rosenbrock_but_one, &config);
        TEST_ASSERT_TRUE(status == (refused == 1u ? TC_ERR_MODEL_WEIGHT : TC_OK)
                         || status == TC_NOTE_LIMIT);
        solved += status == TC_OK;
        ended += status == TC_NOTE_LIMIT;
    }
    TEST_ASSERT_TRUE(solved >= 8u && ended >= 2u);
}

/* Whatever the budget, it is kept, and the residual never gets worse. */
static void test_budget(void)
{
    tc_root_config config = tc_root_default();
    tc_real before = TC_C(1e9);
    for (uint32_t budget = 4; budget < 40; ++budget) {
        config.max_evaluations = budget;
        x[0] = TC_C(-1.2);
        x[1] = TC_C(1.0);
        const tc_status status = solve(2, rosenbrock, &config);
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_LIMIT);
        TEST_ASSERT_TRUE(info.residual <= TC_C(1.4143) * before);
        before = info.residual;
    }
}

static void test_bad_arguments(void)
{
    tc_root_config config = tc_root_default();
    x[0] = x[1] = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_root_solve(NULL, 2, affine, &calls, x, F, NULL, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_root_solve(&config, 2, NULL, &calls, x, F, NULL, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE,
                      tc_root_solve(&config, 0, affine, &calls, x, F, NULL, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_root_solve(&config, TC_ROOT_MAX + 1u, affine, &calls, x, F,
                                                 NULL, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_root_solve(&config, 2, affine, &calls, x, F, NULL, work,
                                                 TC_ROOT_WORK(2) - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_root_solve(&config, 2, affine, &calls, x, F, NULL,
                                                  TEST_ODD(work), TC_ROOT_WORK(2)));
    x[1] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_root_solve(&config, 2, affine, &calls, x, F, NULL, work, TC_COUNT(work)));
    x[1] = TC_C(0.0);
    config.tolerance = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE,
                      tc_root_solve(&config, 2, affine, &calls, x, F, NULL, work, TC_COUNT(work)));
    config = tc_root_default();
    config.max_evaluations = 3;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE,
                      tc_root_solve(&config, 2, affine, &calls, x, F, NULL, work, TC_COUNT(work)));
}

/* Every problem from any start, with any first radius: the way, not only where it ends. */
static void test_golden_ways(void)
{
    static const struct {
        tc_root_function function;
        uint32_t n;
    } problems[6] = {{rosenbrock, 2},  {powell_singular, 4}, {helical, 3},
                     {tridiagonal, 8}, {rootless, 2},        {half_plane, 1}};
    tc_root_config config = tc_root_default();
    uint32_t hash = TEST_HASH_START;
    test_seed(30602u);
#ifndef TC_DOUBLE
    hash = test_hash(hash, &config.tolerance, 4);
#endif
    for (uint32_t round = 0; round < 60u; ++round) {
        const uint32_t n = problems[round % 6u].n;
        config.radius = round % 4u < 2u ? TC_C(100.0) : test_uniform(TC_C(0.01), TC_C(2.0));
        config.max_evaluations = round % 10u == 0u ? 20u : 200u;
        config.difference = test_uniform(TC_C(1e-4), TC_C(1e-2));
        config.smallest = test_uniform(TC_C(1e-4), TC_C(1e-2));
        test_fill(x, n, TC_C(-3.0), TC_C(3.0));
        x[0] = n == 1u && x[0] < TC_C(0.0) ? -x[0] : x[0];
        TEST_ASSERT_TRUE(solve(n, problems[round % 6u].function, &config) >= TC_OK);
        const tc_real ended[3] = {info.residual, (tc_real)info.evaluations,
                                  (tc_real)info.jacobians};
        hash = test_hash(test_hash(test_hash(hash, x, n), F, n), ended, 3);
    }
    test_golden("root", hash);
}

void suite_root(void)
{
    RUN_TEST(test_default);
    RUN_TEST(test_rosenbrock);
    RUN_TEST(test_powell_singular);
    RUN_TEST(test_helical_valley);
    RUN_TEST(test_broyden_tridiagonal);
    RUN_TEST(test_linear_takes_four);
    RUN_TEST(test_radius_doubles);
    RUN_TEST(test_no_root);
    RUN_TEST(test_gives_up);
    RUN_TEST(test_function_may_fail_on_the_way);
    RUN_TEST(test_function_may_refuse_on_the_way);
    RUN_TEST(test_budget);
    RUN_TEST(test_bad_arguments);
    RUN_TEST(test_golden_ways);
}
