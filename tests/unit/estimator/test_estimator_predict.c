/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Predictions of an estimator whose posterior is set by hand, so that the answer is known in closed
 * form. What they are worth on simulated robots is measured by tools/tinycontact/hil.
 */
#include "leg_case.h"
#include "test.h"

#include <math.h>

#ifdef __arm__
#define ROUNDS 30u
#else
#define ROUNDS TEST_ROUNDS(600u)
#endif

static leg_case plant;
static tc_estimator_config config;
static tc_estimator e;
static tc_real state[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)];
static tc_estimator_prediction p;

/* A leg on a rail in free flight: its foot `height` over the floor, all of it moving with `speed`
 * along y. */
static void fly(tc_real height, tc_real speed)
{
    const tc_leg_base base = {.cosine = TC_C(1.0), .force = {TC_C(0.0), TC_C(9.81)}};
    tc_estimator_sensors sensors;
    tc_leg_motion motion;
    leg_case_init(&plant, 2, TC_LEG_RAIL);
    leg_case_tick(&plant, &sensors);
    memset(sensors.accel, 0, sizeof sensors.accel);
    config = tc_estimator_default();
    TEST_ASSERT_EQUAL_INT(
        TC_OK, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors, state, TC_COUNT(state)));
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
        const tc_real v = test_uniform(TC_C(-2.0), TC_C(0.1)),
                      h = test_uniform(TC_C(1e-3), TC_C(0.02));
        fly(h, v);
        predict(TC_OK, TC_C(0.1), 200);
        TEST_ASSERT_EQUAL_UINT32(TC_ESTIMATOR_PREDICT_TOUCH_DOWN, p.kind);
        test_near(fall(h, v), p.time, TC_C(2e-5), 0, "time");
        /* at the end of its tick */
        test_near(v - TC_C(9.81) * p.time, p.velocity[1], TC_C(0.011), 0, "velocity");
        TEST_ASSERT_TRUE(p.early <= p.time && p.time < p.late);
        test_near(TC_C(0.1), p.horizon, TC_C(1e-6), 0, "horizon");
    }
}

/* Only the floor is uncertain: the limits are the times at which the foot is 1.28 of its deviation
 * away. */
static void test_interval_of_an_uncertain_floor(void)
{
    fly(TC_C(0.01), TC_C(-1.0));
    config.floor_spread = TC_C(0.005);
    predict(TC_OK, TC_C(0.1), 200);
    const tc_real away = TC_C(1.2816) * TC_C(0.005);
    /* accelerations add 0.25 mm at 10 ms */
    test_near(fall(TC_C(0.01) - away, TC_C(-1.0)), p.early, TC_C(1e-4), 0, "early");
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
    TEST_ASSERT_EQUAL_UINT32(TC_ESTIMATOR_PREDICT_TOUCH_DOWN, p.kind);
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
    TEST_ASSERT_EQUAL_UINT32(TC_ESTIMATOR_PREDICT_NONE, p.kind);
    test_near(TC_C(0.01), p.horizon, TC_C(1e-6), 0, "horizon");
    test_near(TC_C(0.01), p.time, TC_C(1e-6), 0, "time");
    TEST_ASSERT_TRUE(p.late > fall(TC_C(0.03), TC_C(-1.0)));
    fly(TC_C(0.03), TC_C(3.0));
    predict(TC_OK, TC_C(0.01), 10);
    TEST_ASSERT_EQUAL_UINT32(TC_ESTIMATOR_PREDICT_NONE, p.kind);
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

/* ---- Any posterior, in double ---------------------------------------------------------------- */

typedef struct ahead {
    double height, spread, velocity[2];
    tc_leg_motion motion;
} ahead;

/* The head of tc_estimator_predict.c */
static ahead truth(double t)
{
    const uint32_t n = plant.leg.joints;
    const int floats = plant.leg.root == TC_LEG_FLOATING, moves = plant.leg.root != TC_LEG_FIXED;
    const double c = cos((double)e.pitch), s = sin((double)e.pitch), g = (double)plant.leg.g;
    const double b[2] = {
        floats ? c * (double)e.accel[0] - s * (double)e.accel[1] - (double)e.horizontal[1] : 0.0,
        moves ? s * (double)e.accel[0] + c * (double)e.accel[1] - g - (double)e.vertical[2] : 0.0};
    const double angle = (double)e.pitch + (floats ? (double)e.gyro * t : 0.0);
    const tc_leg_base base = {.angle = (tc_real)angle,
                              .sine = (tc_real)sin(angle),
                              .cosine = (tc_real)cos(angle),
                              .rate = floats ? e.gyro : TC_C(0.0),
                              .force = {TC_C(0.0), plant.leg.g}};
    tc_real q[TC_LEG_JOINTS], w[TC_LEG_JOINTS];
    ahead a;
    for (uint32_t i = 0; i < n; ++i) {
        const double rate = (double)state[n + i], change = (double)e.rate_change[i];
        q[i] = (tc_real)((double)state[i] + t * (rate + 0.5 * t * change));
        w[i] = (tc_real)(rate + t * change);
    }
    tc_leg_move(&plant.leg, &base, q, w, &a.motion);
    a.height = (double)e.vertical[0] + t * ((double)e.vertical[1] + 0.5 * t * b[1])
               + (double)a.motion.foot[1];
    a.velocity[0] = (double)e.horizontal[0] + t * b[0] + (double)a.motion.carried[0];
    a.velocity[1] = (double)e.vertical[1] + t * b[1] + (double)a.motion.carried[1];
    double rates = 0.0;
    for (uint32_t i = 0, at = 2u * n + n * (3u * n + 1u) / 2u; i < n; ++i) {
        a.velocity[0] += (double)a.motion.J[i] * (double)w[i];
        a.velocity[1] += (double)a.motion.J[n + i] * (double)w[i];
        for (uint32_t j = i; j < n; ++j, ++at) {
            rates += (i == j ? 1.0 : 2.0) * (double)a.motion.J[n + i] * (double)a.motion.J[n + j]
                     * (double)state[at];
        }
    }
    const double P[3] = {(double)e.vertical_covariance[0], (double)e.vertical_covariance[1],
                         (double)e.vertical_covariance[3]};
    const double floor = (double)config.floor_spread, change = 5.0 * 0.5 * t * t;
    a.spread =
        sqrt(P[0] + 2.0 * t * P[1] + t * t * (P[2] + rates) + change * change + floor * floor);
    return a;
}

/* Everything about a foot in the air that has a say in where it will be. */
static void fly_anyhow(uint32_t round)
{
    tc_estimator_sensors sensors;
    const uint32_t n = 2u + round % 2u;
    leg_case_init(&plant, n, round % 3u);
    leg_case_tick(&plant, &sensors);
    config = tc_estimator_default();
    TEST_ASSERT_EQUAL_INT(
        TC_OK, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors, state, TC_COUNT(state)));
    config.floor_spread = test_uniform(TC_C(1e-3), TC_C(5e-3));
    e.pitch = test_uniform(TC_C(-0.5), TC_C(0.5));
    e.gyro = test_uniform(TC_C(-3.0), TC_C(3.0));
    test_fill(e.accel, 2, TC_C(-6.0), TC_C(6.0));
    test_fill(e.horizontal, 2, TC_C(-1.0), TC_C(1.0));
    test_fill(e.vertical, 3, TC_C(-1.0), TC_C(1.0));
    e.vertical[1] = test_uniform(TC_C(-2.0), TC_C(0.3));
    test_fill(e.rate_change, n, TC_C(-30.0), TC_C(30.0));
    /* rates of the hypothesis air, and their covariance */
    test_fill(state + n, n, TC_C(-3.0), TC_C(3.0));
    for (uint32_t i = 0, at = 2u * n + n * (3u * n + 1u) / 2u; i < n; ++i) {
        for (uint32_t j = i; j < n; ++j, ++at) {
            state[at] = i == j ? test_uniform(TC_C(0.005), TC_C(0.02))
                               : test_uniform(TC_C(-0.002), TC_C(0.002));
        }
    }
    test_fill(e.vertical_covariance, 6, TC_C(1e-6), TC_C(4e-6));
    e.vertical_covariance[3] = test_uniform(TC_C(1e-3), TC_C(1e-2));
    e.friction = test_uniform(TC_C(0.1), TC_C(1.5));
    e.vertical[0] = TC_C(0.0);
    e.vertical[0] = test_uniform(TC_C(0.005), TC_C(0.04)) - (tc_real)truth(0.0).height;
}

/* Whether the impulse that stops the foot is within the cone, -1 if it is on it to rounding */
static int sticks(const ahead *a)
{
    const uint32_t n = plant.leg.joints;
    tc_real L[TC_LEG_JOINTS * TC_LEG_JOINTS], x[2][TC_LEG_JOINTS];
    double W[3] = {0.0, 0.0, 0.0};
    TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(a->motion.M, L, n));
    for (uint32_t r = 0; r < 2u; ++r) {
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_solve(L, a->motion.J + r * n, x[r], n, 1));
    }
    for (uint32_t i = 0; i < n; ++i) {
        W[0] += (double)a->motion.J[i] * (double)x[0][i];
        W[1] += (double)a->motion.J[i] * (double)x[1][i];
        W[2] += (double)a->motion.J[n + i] * (double)x[1][i];
    }
    const double det = W[0] * W[2] - W[1] * W[1];
    const double impulse[2] = {(W[1] * a->velocity[1] - W[2] * a->velocity[0]) / det,
                               (W[1] * a->velocity[0] - W[0] * a->velocity[1]) / det};
    const double left = (double)e.friction * impulse[1] - fabs(impulse[0]);
    return fabs(left) < 1e-3 * (fabs(impulse[0]) + fabs(impulse[1])) ? -1 : left > 0.0;
}

/* h = part s at `time`, unless it was so from the start; between two ticks the course is a line. */
static void check_pass(double part, tc_real time, const char *what)
{
    const ahead start = truth(0.0), then = truth((double)time);
    if (start.height > part * start.spread + 1e-6) {
        test_near(TC_C(0.0), (tc_real)(then.height - part * then.spread), TC_C(4e-5), 0, what);
    } else if (start.height < part * start.spread - 1e-6) {
        TEST_ASSERT_TRUE_MESSAGE(time == TC_C(0.0), what);
    }
}

/* The event, its limits, the velocity and the mode, for any posterior, against the definition. */
static void test_any_flight(void)
{
    const double tick = 0.001, horizon = 0.03, eighty = 1.2816;
    uint32_t touched = 0, beyond = 0, modes[3] = {0, 0, 0};
    test_seed(43);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        fly_anyhow(round);
        predict(TC_OK, (tc_real)horizon, 100);
        double lowest = 1.0;
        uint32_t k = 0;
        for (; k < 30u && lowest > 0.0; ++k) {
            lowest = truth(tick * (double)(k + 1u)).height;
        }
        if (fabs(lowest) < 1e-6) {
            continue; /* to rounding at a tick */
        }
        const ahead end = truth(tick * (double)k);
        TEST_ASSERT_EQUAL_UINT32(
            lowest < 0.0 ? TC_ESTIMATOR_PREDICT_TOUCH_DOWN : TC_ESTIMATOR_PREDICT_NONE, p.kind);
        test_near((tc_real)end.velocity[0], p.velocity[0], TC_C(1e-4), 0, "velocity along x");
        test_near((tc_real)end.velocity[1], p.velocity[1], TC_C(1e-4), 0, "velocity along y");
        if (p.kind == TC_ESTIMATOR_PREDICT_TOUCH_DOWN) {
            check_pass(0.0, p.time, "time");
            TEST_ASSERT_TRUE((double)p.time > tick * (double)(k - 1u) - 1e-6
                             && (double)p.time < tick * (double)k + 1e-6);
            const int stick = sticks(&end);
            TEST_ASSERT_TRUE(stick < 0 || p.mode == (stick ? 1u : 2u));
            ++touched;
            ++modes[p.mode];
        }
        if ((double)p.early < horizon - 1e-6) {
            check_pass(eighty, p.early, "early");
        } else {
            TEST_ASSERT_TRUE(end.height > eighty * end.spread - 1e-5);
        }
        const ahead last = truth(horizon);
        if ((double)p.late <= horizon - 1e-6) {
            check_pass(-eighty, p.late, "late");
        } else {
            const double way = last.height + eighty * last.spread;
            const double left = last.velocity[1] < 0.0 ? -way / last.velocity[1] : 1.0;
            test_near((tc_real)fmin(1.0, horizon + left), p.late, TC_C(1e-3), TC_C(1e-3),
                      "late, straight on");
            ++beyond;
        }
    }
    TEST_ASSERT_TRUE(touched > ROUNDS / 4u && beyond > ROUNDS / 10u && modes[1] > 0u
                     && modes[2] > 0u);
}

static void test_unloading(void)
{
    fly(TC_C(0.0), TC_C(0.0));
    e.contact = 1;
    e.force[1] = TC_C(40.0);
    e.force_change = TC_C(-4000.0);
    predict(TC_OK, TC_C(0.02), 20);
    TEST_ASSERT_EQUAL_UINT32(TC_ESTIMATOR_PREDICT_LIFT_OFF, p.kind);
    TEST_ASSERT_EQUAL_UINT32(0, p.mode);
    test_near(TC_C(0.01), p.time, TC_C(1e-6), 0, "time");
    TEST_ASSERT_TRUE(p.early < p.time && p.time < p.late);
    e.force_change = TC_C(100.0);
    predict(TC_OK, TC_C(0.02), 20);
    TEST_ASSERT_EQUAL_UINT32(TC_ESTIMATOR_PREDICT_NONE, p.kind);
    TEST_ASSERT_EQUAL_UINT32(1, p.mode);
}

static void refuse(tc_status expected, tc_real horizon, uint32_t budget)
{
    static const tc_estimator_prediction zero;
    predict(expected, horizon, budget);
    TEST_ASSERT_EQUAL_MEMORY(&zero, &p, sizeof p);
}

static void test_bad_arguments(void)
{
    fly(TC_C(0.03), TC_C(-1.0));
    refuse(TC_ERR_RANGE, TC_C(0.0), 10);
    refuse(TC_ERR_RANGE, TC_C(1.001), 10);
    predict(TC_NOTE_LIMIT, TC_C(1.0), 10);
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
    RUN_TEST(test_any_flight);
    RUN_TEST(test_unloading);
    RUN_TEST(test_bad_arguments);
}
