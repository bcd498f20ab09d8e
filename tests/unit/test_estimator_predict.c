/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Predictions of an estimator whose posterior is set by hand, so that the answer is known in closed form. What they are
 * worth on simulated robots is measured by tools/tinycontact/hil.
 */
#include "leg_case.h"
#include "test.h"

#include <math.h>

static leg_case plant;
static tc_estimator_config config;
static tc_estimator e;
static tc_real state[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)];
static tc_leg_prediction p;

/* A leg on a rail in free flight: its foot `height` over the floor, all of it moving with `speed` along y. */
static void fly(tc_real height, tc_real speed)
{
    const tc_leg_base base = {.cosine = TC_C(1.0), .force = {TC_C(0.0), TC_C(9.81)}};
    tc_leg_sensors sensors;
    tc_leg_motion motion;
    leg_case_init(&plant, 2, TC_LEG_RAIL);
    leg_case_tick(&plant, &sensors);
    memset(sensors.accel, 0, sizeof sensors.accel);
    config = tc_estimator_default();
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors, state, TC_COUNT(state)));
    tc_leg_move(&plant.leg, &base, sensors.encoder, state + 2, &motion);
    e.vertical[0] = height - motion.foot[1];
    e.vertical[1] = speed;
    memset(e.vertical_covariance, 0, sizeof e.vertical_covariance);
    for (uint32_t i = 0; i < 10u; ++i) {
        state[4u + i] = TC_C(0.0); /* covariance of the hypothesis air */
    }
}

static void predict(tc_status expected, tc_real horizon, uint32_t budget)
{
    const tc_estimator before = e;
    memset(&p, 0x55, sizeof p);
    TEST_ASSERT_EQUAL_INT(expected, tc_estimator_predict(&e, horizon, budget, &p));
    TEST_ASSERT_EQUAL_MEMORY(&before, &e, sizeof e);
}

/* h + v t - g t^2 / 2 = 0 */
static tc_real fall(tc_real h, tc_real v)
{
    const tc_real g = TC_C(9.81);
    return (v + tc_sqrt(v * v + TC_C(2.0) * g * h)) / g;
}

static void test_falling(void)
{
    test_seed(41);
    for (int round = 0; round < 50; ++round) {
        const tc_real v = test_uniform(TC_C(-2.0), TC_C(0.1)), h = test_uniform(TC_C(1e-3), TC_C(0.02));
        fly(h, v);
        predict(TC_OK, TC_C(0.1), 200);
        TEST_ASSERT_EQUAL_UINT32(TC_LEG_TOUCH_DOWN, p.kind);
        test_near(fall(h, v), p.time, TC_C(2e-5), 0, "time");
        test_near(v - TC_C(9.81) * p.time, p.velocity[1], TC_C(0.011), 0, "velocity"); /* at the end of its tick */
        TEST_ASSERT_TRUE(p.early <= p.time && p.time < p.late);
        test_near(TC_C(0.1), p.horizon, TC_C(1e-6), 0, "horizon");
    }
}

/* Only the floor is uncertain: the limits are the times at which the foot is 1.28 of its deviation away. */
static void test_interval_of_an_uncertain_floor(void)
{
    fly(TC_C(0.01), TC_C(-1.0));
    config.floor_spread = TC_C(0.005);
    predict(TC_OK, TC_C(0.1), 200);
    const tc_real away = TC_C(1.2816) * TC_C(0.005);
    test_near(fall(TC_C(0.01) - away, TC_C(-1.0)), p.early, TC_C(1e-4), 0, "early"); /* accelerations add 0.25 mm at 10 ms */
    test_near(fall(TC_C(0.01) + away, TC_C(-1.0)), p.late, TC_C(2e-4), 0, "late");
    const tc_real late = p.late;
    e.vertical_covariance[3] = TC_C(0.04); /* and the speed, by 0.2 m/s */
    predict(TC_OK, TC_C(0.1), 200);
    TEST_ASSERT_TRUE(p.late > late + TC_C(5e-4));
}

/* A joint that swings down: the roll-out follows its arc, not its tangent. */
static void test_swinging(void)
{
    fly(TC_C(0.004), TC_C(0.0));
    e.accel[1] = TC_C(9.81); /* the base stands still */
    const tc_leg_base base = {.cosine = TC_C(1.0), .force = {TC_C(0.0), TC_C(9.81)}};
    tc_leg_motion motion;
    tc_leg_move(&plant.leg, &base, state, state + 2, &motion);
    for (uint32_t i = 0; i < 2u; ++i) { /* rates that lower the foot, and grow */
        state[2u + i] = motion.J[2u + i] > TC_C(0.0) ? TC_C(-3.0) : TC_C(3.0);
        e.rate_change[i] = TC_C(20.0) * state[2u + i];
    }
    predict(TC_OK, TC_C(0.2), 200);
    TEST_ASSERT_EQUAL_UINT32(TC_LEG_TOUCH_DOWN, p.kind);
    tc_real q[2], qd[2];
    for (uint32_t i = 0; i < 2u; ++i) {
        qd[i] = state[2u + i] + e.rate_change[i] * p.time;
        q[i] = state[i] + p.time * (state[2u + i] + TC_C(0.5) * p.time * e.rate_change[i]);
    }
    tc_leg_move(&plant.leg, &base, q, qd, &motion);
    test_near(TC_C(0.0), e.vertical[0] + motion.foot[1], TC_C(2e-5), 0, "height at touch-down");
}

static void test_budget_shortens_the_horizon(void)
{
    fly(TC_C(0.03), TC_C(-1.0));
    predict(TC_NOTE_LIMIT, TC_C(0.05), 10);
    TEST_ASSERT_EQUAL_UINT32(TC_LEG_NO_EVENT, p.kind);
    test_near(TC_C(0.01), p.horizon, TC_C(1e-6), 0, "horizon");
    test_near(TC_C(0.01), p.time, TC_C(1e-6), 0, "time");
    TEST_ASSERT_TRUE(p.late > fall(TC_C(0.03), TC_C(-1.0)));
    fly(TC_C(0.03), TC_C(3.0));
    predict(TC_OK, TC_C(0.01), 10);
    TEST_ASSERT_EQUAL_UINT32(TC_LEG_NO_EVENT, p.kind);
    test_near(TC_PREDICT_LATE, p.late, 0, 0, "late");
}

static void test_mode_follows_the_cone(void)
{
    const tc_real rough = TC_C(50.0), smooth = TC_C(0.001);
    fly(TC_C(0.01), TC_C(-1.0));
    e.friction = rough;
    predict(TC_OK, TC_C(0.05), 100);
    TEST_ASSERT_EQUAL_UINT32(1, p.mode);
    e.friction = smooth;
    predict(TC_OK, TC_C(0.05), 100);
    TEST_ASSERT_EQUAL_UINT32(2, p.mode);
}

static void test_unloading(void)
{
    fly(TC_C(0.0), TC_C(0.0));
    e.contact = 1;
    e.force[1] = TC_C(40.0);
    e.force_change = TC_C(-4000.0);
    predict(TC_OK, TC_C(0.02), 20);
    TEST_ASSERT_EQUAL_UINT32(TC_LEG_LIFT_OFF, p.kind);
    TEST_ASSERT_EQUAL_UINT32(0, p.mode);
    test_near(TC_C(0.01), p.time, TC_C(1e-6), 0, "time");
    TEST_ASSERT_TRUE(p.early < p.time && p.time < p.late);
    e.force_change = TC_C(100.0);
    predict(TC_OK, TC_C(0.02), 20);
    TEST_ASSERT_EQUAL_UINT32(TC_LEG_NO_EVENT, p.kind);
    TEST_ASSERT_EQUAL_UINT32(1, p.mode);
}

static void refuse(tc_status expected, tc_real horizon, uint32_t budget)
{
    static const tc_leg_prediction zero;
    predict(expected, horizon, budget);
    TEST_ASSERT_EQUAL_MEMORY(&zero, &p, sizeof p);
}

static void test_bad_arguments(void)
{
    fly(TC_C(0.03), TC_C(-1.0));
    refuse(TC_ERR_RANGE, TC_C(0.0), 10);
    refuse(TC_ERR_RANGE, TC_C(1.01), 10);
    refuse(TC_ERR_RANGE, (tc_real)NAN, 10);
    refuse(TC_ERR_SIZE, TC_C(0.02), 0);
    e.vertical[1] = (tc_real)INFINITY;
    refuse(TC_ERR_NOT_FINITE, TC_C(0.02), 20);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_estimator_predict(NULL, TC_C(0.02), 20, &p));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_estimator_predict(&e, TC_C(0.02), 20, NULL));
    memset(&e, 0, sizeof e);
    refuse(TC_ERR_NULL, TC_C(0.02), 20);
}

void suite_estimator_predict(void)
{
    RUN_TEST(test_falling);
    RUN_TEST(test_interval_of_an_uncertain_floor);
    RUN_TEST(test_swinging);
    RUN_TEST(test_budget_shortens_the_horizon);
    RUN_TEST(test_mode_follows_the_cone);
    RUN_TEST(test_unloading);
    RUN_TEST(test_bad_arguments);
}
