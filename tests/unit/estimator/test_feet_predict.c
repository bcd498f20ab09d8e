/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Predictions of the next touch-down, of a posterior that is set by hand: against the assumed motion in small steps, in
 * double. The filters that each update moves, against the same sums in double. And a run on the
 * plant of feet_case.h. How good predictions are on simulated robots is measured by tools/tinycontact/robots.
 */
#include "feet_case.h"
#include "test.h"

#include "tc_feet_internal.h"
#include "tc_feet_predict.h"

#include <math.h>

#ifdef __arm__
#define ROUNDS 20u
#else
#define ROUNDS TEST_ROUNDS(300u)
#endif

#define STEP_AHEAD 2e-5 /* [s] */

static feet_case plant;
static tc_feet_config config;
static tc_feet f;
static tc_real state[TC_FEET_STATE(2)], work[TC_FEET_WORK];
static tc_feet_sensors sensors;
static tc_feet_estimate estimate;
static tc_feet_prediction p;

static void start(uint32_t joints, uint32_t seed)
{
    const tc_feet_sensing sensing = tc_feet_sensing_default();
    feet_case_init(&plant, 2, joints);
    plant.random = seed;
    feet_case_tick(&plant, &sensors);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_default_for(&plant.robot, plant.step, &sensing, &config));
    TEST_ASSERT_EQUAL_INT(
        TC_OK, tc_feet_init(&f, &config, &plant.robot, &sensors, state, TC_COUNT(state)));
}

static void predict(tc_status expected, uint32_t limb, tc_real horizon)
{
    static tc_real kept[TC_FEET_STATE(2)];
    const tc_feet before = f;
    memcpy(kept, state, sizeof kept);
    memset(&p, 0x55, sizeof p);
    TEST_ASSERT_EQUAL_INT(expected, tc_feet_predict(&f, limb, horizon, &p));
    TEST_ASSERT_EQUAL_MEMORY(&before, &f, sizeof f);
    TEST_ASSERT_EQUAL_MEMORY(kept, state, sizeof kept);
}

/* ---- The motion ahead ------------------------------------------------------------------------ */

static double foot_reach(void)
{
    double reach = 0.0;
    for (uint32_t i = 0; i <= plant.robot.limb[1].joints; ++i) {
        const tc_robot_limb *const limb = &plant.robot.limb[1];
        const tc_real *const part = i < limb->joints ? limb->links[i].origin : limb->foot;
        const double x = (double)part[0], y = (double)part[1], z = (double)part[2];
        reach += i == 0u ? 0.0 : sqrt(x * x + y * y + z * z);
    }
    return reach;
}

/* Foot 1 in the air, `height` over a leaning floor */
static void hang(tc_real height)
{
    tci_feet_limb *const l = tci_feet_limb_of(&f, 1);
    f.contact[1] = 0;
    for (uint32_t i = 0; i < 2u; ++i) {
        f.slope[i] = test_uniform(TC_C(-0.3), TC_C(0.3));
        f.place[i] = test_uniform(TC_C(-0.5), TC_C(0.5));
        f.velocity[i] = test_uniform(TC_C(-0.5), TC_C(0.5));
        l->step[i] = f.place[i] + l->arm[i] - test_uniform(TC_C(-0.1), TC_C(0.1));
    }
    f.vertical[0] = test_uniform(TC_C(-0.2), TC_C(0.2));
    f.vertical[1] = test_uniform(TC_C(-0.2), TC_C(0.2));
    for (uint32_t i = 0; i < 3u; ++i) {
        l->relative[i] = test_uniform(TC_C(-1.0), TC_C(1.0));
    }
    double leans = 0.0;
    for (uint32_t i = 0; i < 2u; ++i) {
        leans += ((double)f.place[i] + (double)l->arm[i] - (double)l->step[i]) * (double)f.slope[i];
    }
    l->floor =
        f.vertical[0] + l->arm[2] - (tc_real)(leans + (double)height + 1e-3 * foot_reach() / 0.506);
    f.vertical_covariance[0] = test_uniform(TC_C(1e-8), TC_C(1e-5));
    f.vertical_covariance[1] = TC_C(1e-7);
    f.vertical_covariance[3] = test_uniform(TC_C(1e-6), TC_C(1e-2));
    l->x[0][26] = test_uniform(TC_C(1e-6), TC_C(1e-2));
    config.floor_spread = test_uniform(TC_C(5e-4), TC_C(8e-3));
}

static void fall(tc_real v, tc_real a, tc_real b, tc_real u)
{
    tci_feet_limb *const l = tci_feet_limb_of(&f, 1);
    l->fall = (tci_feet_fall){.speed = v, .rate = a, .trend = b, .habit = u};
}

static double lasts_expected(double v, double a, double b, double u)
{
    const double r = b < -10.0 ? fmin(fmax((a / b - 0.8) / 0.2, 0.0), 1.0) : 0.0;
    const double e = 0.003 + r * 0.009;
    return fmin(e + r * (r > 0.0 ? fmax((u - v) / a - e, 0.0) : 0.0), 0.03);
}

/* When the height is `floor`, at most `most` */
static double landing_expected(double h, double v, double a, double d, double most)
{
    for (double t = 0.0; t < most; t += STEP_AHEAD) {
        const double w = t <= d ? 0.5 * a * t * t : a * d * (t - 0.5 * d);
        if (h + v * t + w <= 0.0) {
            return t;
        }
    }
    return most;
}

/* A parabola that only just reaches the floor has no time to compare */
static int grazes(double h, double v, double a, double d, double away)
{
    return fabs(landing_expected(h + 1e-5, v, a, d, 1.1) - landing_expected(h - 1e-5, v, a, d, 1.1))
               > 1e-3
           || fabs(landing_expected(h + away + 1e-5, v, a, d, 1.1)
                   - landing_expected(h + away - 1e-5, v, a, d, 1.1))
                  > 1e-3
           || fabs(landing_expected(h - away + 1e-5, v, a, d, 1.1)
                   - landing_expected(h - away - 1e-5, v, a, d, 1.1))
                  > 1e-3;
}

static void compare_fall(double h, double v, double a, double d)
{
    const tci_feet_limb *const l = tci_feet_limb_of(&f, 1);
    const tc_real *const P = f.vertical_covariance;
    const double horizon = 0.1, t = landing_expected(h, v, a, d, horizon);
    const double rate = (double)P[3] + (double)l->x[0][26], spread = (double)config.floor_spread;
    const double away = 1.2816
                        * sqrt((double)P[0] + 2.0 * t * (double)P[1] + t * t * rate
                               + 100.0 * t * t * t * t + spread * spread);
    if (grazes(h, v, a, d, away)) {
        return;
    }
    const tc_real near = TC_C(1.5e-4);
    TEST_ASSERT_EQUAL_INT(t < horizon ? TC_FEET_PREDICT_TOUCH_DOWN : TC_FEET_PREDICT_NONE, p.kind);
    test_near((tc_real)t, p.time, near, TC_C(0.0), "time");
    test_near((tc_real)landing_expected(h - away, v, a, d, horizon), p.early, near, TC_C(0.0),
              "early");
    test_near((tc_real)landing_expected(h + away, v, a, d, horizon + 1.0), p.late, near, TC_C(3e-3),
              "late");
    const double now = (double)l->relative[2] + (double)f.vertical[1];
    test_near((tc_real)(now + (t < horizon ? a * fmin(t, d) : 0.0)), p.velocity[2], TC_C(0.02),
              TC_C(0.0), "velocity");
    test_near(l->relative[0] + f.velocity[0], p.velocity[0], TC_C(1e-6), TC_C(0.0), "along x");
}

static void test_falls(void)
{
    test_seed(77);
    start(3, 5);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        const tc_real h = test_uniform(TC_C(-0.002), TC_C(0.05));
        const tc_real v = test_uniform(TC_C(-2.0), TC_C(0.3));
        const tc_real a = test_uniform(TC_C(-80.0), TC_C(30.0));
        const tc_real b = a * test_uniform(TC_C(0.8), TC_C(1.5));
        const tc_real u = test_uniform(TC_C(-2.5), TC_C(0.0));
        hang(h);
        fall(v, a, b, u);
        predict(TC_OK, 1, TC_C(0.1));
        compare_fall((double)h, (double)v, (double)a,
                     lasts_expected((double)v, (double)a, (double)b, (double)u));
    }
}

/* ---- What each update follows ---------------------------------------------------------------- */

static void test_filters(void)
{
    double before = 0.0, a = 0.0, b = 0.0, fastest = 0.0, u = 0.0;
    test_seed(78);
    start(3, 6);
    hang(TC_C(0.05));
    memset(&tci_feet_limb_of(&f, 1)->fall, 0, sizeof(tci_feet_fall));
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        tci_feet_limb *const l = tci_feet_limb_of(&f, 1);
        f.contact[1] = round % 11u < 3u;
        l->relative[2] = test_uniform(TC_C(-2.0), TC_C(1.0));
        tci_feet_predict_follow(&f, 1, TC_C(0.002));
        double v = (double)l->relative[2] + (double)f.vertical[1];
        for (uint32_t i = 0; i < 2u; ++i) {
            v -= ((double)l->relative[i] + (double)f.velocity[i]) * (double)f.slope[i];
        }
        const double change = (v - before) / 0.002;
        if (f.contact[1] != 0u) {
            u = fastest < 0.0 ? (u < 0.0 ? 0.75 * u + 0.25 * fastest : fastest) : u;
            a = b = fastest = 0.0;
        } else {
            a = 0.3 * a + 0.7 * change;
            b = 0.8 * b + 0.2 * change;
            fastest = fmin(fastest, v);
        }
        before = v;
        test_near((tc_real)v, l->fall.speed, TC_C(1e-5), TC_C(0.0), "speed");
        test_near((tc_real)a, l->fall.rate, TC_C(1e-2), TC_C(1e-4), "rate");
        test_near((tc_real)b, l->fall.trend, TC_C(1e-2), TC_C(1e-4), "trend");
        test_near((tc_real)u, l->fall.habit, TC_C(1e-5), TC_C(0.0), "habit");
    }
}

/* ---- A plant --------------------------------------------------------------------------------- */

/* Whatever the filter thinks, the numbers are in order, and of a foot in contact nothing is foreseen. */
static void test_predictions_of_a_run(void)
{
    uint32_t events = 0, hash = TEST_HASH_START;
    start(3, 9);
    for (uint32_t tick = 0; tick < 1000u; ++tick) {
        feet_case_tick(&plant, &sensors);
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_update(&f, &sensors, &estimate, work, TC_COUNT(work)));
        for (uint32_t k = 0; k < 2u; ++k) {
            predict(TC_OK, k, TC_C(0.05));
            TEST_ASSERT_TRUE(TC_C(0.0) <= p.early && p.early <= p.time && p.time <= p.late);
            TEST_ASSERT_TRUE(p.late <= TC_C(0.05) + TC_FEET_PREDICT_LATE);
            TEST_ASSERT_TRUE(f.contact[k] == 0u || p.kind == TC_FEET_PREDICT_NONE);
            events += p.kind == TC_FEET_PREDICT_TOUCH_DOWN;
            const tc_real numbers[3] = {p.time, p.early, p.late};
            hash = test_hash(hash, numbers, 3);
            hash = test_hash(hash, p.velocity, 3);
        }
    }
    TEST_ASSERT_GREATER_THAN_UINT32(20, events);
    test_golden("feet_predict", hash);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void expect_zero(tc_status expected, uint32_t limb, tc_real horizon)
{
    static const tc_feet_prediction nothing;
    predict(expected, limb, horizon);
    TEST_ASSERT_EQUAL_MEMORY(&nothing, &p, sizeof p);
}

static void test_bad_questions(void)
{
    start(2, 3);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_feet_predict(&f, 0, TC_C(0.1), NULL));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_feet_predict(NULL, 0, TC_C(0.1), &p));
    expect_zero(TC_ERR_SIZE, 2, TC_C(0.1));
    expect_zero(TC_ERR_RANGE, 0, TC_C(0.0));
    expect_zero(TC_ERR_RANGE, 0, TC_C(1.01));
    expect_zero(TC_ERR_RANGE, 0, NAN);
    hang(TC_C(0.01));
    fall(TC_C(-1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0));
    tci_feet_limb_of(&f, 1)->relative[0] = NAN;
    expect_zero(TC_ERR_NOT_FINITE, 1, TC_C(0.1));
    memset(&f, 0, sizeof f);
    expect_zero(TC_ERR_NULL, 0, TC_C(0.1));
}

/* A foot in contact, and one that rises */
static void test_no_event(void)
{
    start(3, 4);
    predict(TC_OK, 1, TC_C(0.05));
    TEST_ASSERT_EQUAL_INT(TC_FEET_PREDICT_NONE, p.kind);
    test_near(TC_C(0.05), p.time, TC_C(0.0), TC_C(0.0), "time");
    hang(TC_C(0.01));
    fall(TC_C(0.5), TC_C(5.0), TC_C(5.0), TC_C(-1.0));
    predict(TC_OK, 1, TC_C(0.05));
    TEST_ASSERT_EQUAL_INT(TC_FEET_PREDICT_NONE, p.kind);
    test_near(TC_C(0.05), p.time, TC_C(0.0), TC_C(0.0), "time");
    test_near(TC_C(0.05) + TC_FEET_PREDICT_LATE, p.late, TC_C(0.0), TC_C(1e-6), "late");
}

void suite_feet_predict(void)
{
    RUN_TEST(test_falls);
    RUN_TEST(test_filters);
    RUN_TEST(test_predictions_of_a_run);
    RUN_TEST(test_bad_questions);
    RUN_TEST(test_no_event);
}
