/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Configurations for any leg, tick and sensors: those of the tuning change nothing, and every
 * number grows as tc_estimator_config.c and tc_momentum.c say. The mass of a foot is judged by the
 * dynamics of a leg stretched out. How good estimates then are is measured by `make hil-scales`.
 */
#include "test.h"

#include "tc_estimator_internal.h"

#include <math.h>

#ifdef __arm__
#define ROUNDS 5u
#else
#define ROUNDS TEST_ROUNDS(200u)
#endif

static tc_leg_link links[TC_LEG_JOINTS];
static tc_leg leg;
static tc_leg_sensing sensing;
static tc_estimator_config config;
static tc_momentum_config observer;

static void tuned(void)
{
    static const tc_leg_link of_tests_hil[2] = {{.body = {TC_C(0.6), TC_C(0.002)},
                                                 .joint = TC_CHAIN_REVOLUTE,
                                                 .arm = {TC_C(0.0), TC_C(-0.1)},
                                                 .rotor = TC_C(0.005)},
                                                {.body = {TC_C(0.25), TC_C(0.00083)},
                                                 .joint = TC_CHAIN_REVOLUTE,
                                                 .anchor = {TC_C(0.0), TC_C(-0.1)},
                                                 .arm = {TC_C(0.0), TC_C(-0.1)},
                                                 .rotor = TC_C(0.005)}};
    memcpy(links, of_tests_hil, sizeof of_tests_hil);
    leg = (tc_leg){2, TC_LEG_FLOATING, links, TC_C(9.81), {TC_C(0.0), TC_C(-0.1)}, TC_C(0.015)};
    sensing = tc_leg_sensing_default();
}

/* The leg of the tuning, its masses and lengths times these */
static void similar(tc_real mass, tc_real length)
{
    tuned();
    for (uint32_t i = 0; i < 2u; i++) {
        links[i].body.mass *= mass;
        links[i].body.inertia *= mass * length * length;
        links[i].rotor *= mass * length * length;
        links[i].arm[1] *= length;
        links[i].anchor[1] *= length;
    }
    leg.foot[1] *= length;
}

static void configure(tc_real tick)
{
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_estimator_default_for(&leg, tick, &sensing, &config));
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_momentum_default_for(&leg, tick, &sensing, &observer));
}

static void test_the_leg_of_the_tuning_gets_its_numbers_to_the_bit(void)
{
    const tc_estimator_config its = tc_estimator_default();
    const tc_momentum_config observers = tc_momentum_default();
    for (uint32_t root = TC_LEG_FIXED; root <= TC_LEG_FLOATING; root++) {
        tuned();
        leg.root = (tc_leg_root)root;
        configure(TC_C(0.001));
        TEST_ASSERT_EQUAL_MEMORY(&its, &config, sizeof its);
        TEST_ASSERT_EQUAL_MEMORY(&observers, &observer, sizeof observers);
    }
}

/* A stretched leg of random links, along -y, its sliding joints along x */
static void stretched(uint32_t joints)
{
    memset(links, 0, sizeof links);
    tc_real before = TC_C(0.0);
    for (uint32_t i = 0; i < joints; i++) {
        links[i].body.mass = test_uniform(TC_C(0.1), TC_C(5.0));
        links[i].body.inertia = test_uniform(TC_C(0.001), TC_C(0.1));
        links[i].joint = test_below(4) == 0u ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE;
        links[i].anchor[1] = -before;
        links[i].arm[1] = -test_uniform(TC_C(0.02), TC_C(0.3));
        links[i].axis[0] = TC_C(1.0);
        links[i].rotor = test_uniform(TC_C(0.0), TC_C(0.1));
        before = test_uniform(TC_C(0.02), TC_C(0.3));
    }
    leg = (tc_leg){joints, TC_LEG_FLOATING, links, TC_C(9.81), {TC_C(0.0), -before}, TC_C(0.0)};
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_leg_check(&leg));
}

static void test_mass_and_reach_are_those_of_the_leg_stretched_out(void)
{
    const tc_leg_base level = {.cosine = TC_C(1.0)};
    const tc_real still[TC_LEG_JOINTS] = {TC_C(0.0)};
    tc_leg_motion motion;
    test_seed(91);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t n = 1u + round % TC_LEG_JOINTS;
        stretched(n);
        tc_leg_move(&leg, &level, still, still, &motion);
        double mobility = 0.0;
        for (uint32_t j = 0; j < n; j++) {
            const double reaches = (double)motion.J[j];
            mobility += reaches * reaches / (double)motion.M[j * n + j];
        }
        const tc_leg_size size = tc_leg_size_of(&leg);
        test_near((tc_real)(1.0 / mobility), size.mass, TC_C(0.0), TC_C(1e-5), "mass");
        test_near(-motion.foot[1] + links[0].anchor[1], size.reach, TC_C(0.0), TC_C(1e-5), "reach");
    }
}

static void near(tc_real was, double times, tc_real is, const char *what)
{
    test_near((tc_real)((double)was * times), is, TC_C(1e-6), TC_C(1e-4), what);
}

static void test_numbers_grow_as_what_they_stand_for(void)
{
    const tc_estimator_config was = tc_estimator_default();
    const tc_momentum_config observed = tc_momentum_default();
    test_seed(92);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const tc_real m = tc_exp(test_uniform(TC_C(-2.0), TC_C(4.0))),
                      s = tc_exp(test_uniform(TC_C(-1.0), TC_C(1.0)));
        const tc_real h = tc_exp(test_uniform(TC_C(-1.0), TC_C(1.0))),
                      d = tc_exp(test_uniform(TC_C(-3.0), TC_C(3.0)));
        similar(m, s);
        for (uint32_t i = 0; i < 2u; i++) {
            sensing.encoder_counts[i] /= d;
            sensing.torque_noise[i] *= m * s;
        }
        configure(was.step * h);
        const double least = (double)(h / s), c = (double)d > least ? (double)d / least : 1.0;
        near(was.encoder_step[0], c * least, config.encoder_step[1], "encoder_step");
        near(was.torque_noise[0], (double)(m * s), config.torque_noise[1], "torque_noise");
        near(was.force, (double)m * pow(c, 0.25), config.force, "force");
        near(was.light, (double)m, config.light, "light");
        near(was.normal_speed, pow((double)h, h < TC_C(1.0) ? 0.75 : -0.5), config.normal_speed,
             "normal_speed");
        near(was.stick_speed, 1.0 / sqrt((double)h), config.stick_speed, "stick_speed");
        near(was.lift_off, (double)h, config.lift_off, "lift_off");
        near(TC_C(1.0) - was.keep, (double)h, TC_C(1.0) - config.keep, "keep");
        near(TC_C(1.0) - was.on, pow(c, -0.75), TC_C(1.0) - config.on, "on");
        near(TC_C(1.0) - was.off, 1.0 / sqrt(c), TC_C(1.0) - config.off, "off");
        near(observed.on, (double)m * pow(c, 0.25), observer.on, "observer's on");
        near(observed.gain, pow(c, -0.375), observer.gain, "observer's gain");
    }
}

/* Noise beside rounding is a coarser step; what an accelerometer has beyond the tuning's adds up as
 * variances do. */
static void test_noise_adds_as_variances_do(void)
{
    const tc_real step = tc_estimator_default().encoder_step[0];
    tuned();
    sensing.encoder_noise[1] = TC_C(3.0) * step;
    sensing.accel_noise = TC_C(0.6);
    configure(TC_C(0.001));
    const double was = (double)tc_estimator_default().accel_noise;
    test_near(step * TC_C(10.4403065), config.encoder_step[1], TC_C(0.0), TC_C(1e-5), "step");
    TEST_ASSERT_TRUE(config.encoder_step[0] == step);
    test_near((tc_real)sqrt(was * was + 0.6 * 0.6 - 0.06 * 0.06), config.accel_noise, TC_C(0.0),
              TC_C(1e-5), "accel");
    sensing.accel_noise = TC_C(0.0);
    configure(TC_C(0.001));
    TEST_ASSERT_TRUE(config.accel_noise == tc_estimator_default().accel_noise);
}

/* Any leg at any tick gets a configuration that init takes. */
static void test_init_takes_what_comes_out(void)
{
    static tc_real state[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)];
    const tc_estimator_sensors first = {.gyro = TC_C(0.0)};
    tc_estimator e;
    tc_momentum m;
    test_seed(93);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        stretched(1u + round % TC_LEG_JOINTS);
        sensing = tc_leg_sensing_default();
        configure(TC_C(1e-5) * tc_exp(test_uniform(TC_C(0.0), TC_C(9.2))));
        TEST_ASSERT_EQUAL_INT(
            TC_OK, tc_estimator_init(&e, &config, &leg, NULL, &first, state, TC_COUNT(state)));
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_momentum_init(&m, &observer, leg.joints));
    }
}

static void expect(tc_status status, tc_real tick)
{
    static const tc_estimator_config none;
    static const tc_momentum_config nothing;
    memset(&config, 1, sizeof config);
    memset(&observer, 1, sizeof observer);
    TEST_ASSERT_EQUAL_INT(status, tc_estimator_default_for(&leg, tick, &sensing, &config));
    TEST_ASSERT_EQUAL_INT(status, tc_momentum_default_for(&leg, tick, &sensing, &observer));
    TEST_ASSERT_EQUAL_MEMORY(&none, &config, sizeof none);
    TEST_ASSERT_EQUAL_MEMORY(&nothing, &observer, sizeof nothing);
}

static void test_what_cannot_be_is_refused(void)
{
    const tc_real ms = TC_C(0.001), nan = (tc_real)NAN, inf = (tc_real)INFINITY;
    const tc_real never[] = {nan, inf, -inf, TC_C(-1.0)};
    tuned();
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_estimator_default_for(NULL, ms, &sensing, &config));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_estimator_default_for(&leg, ms, NULL, &config));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_estimator_default_for(&leg, ms, &sensing, NULL));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_momentum_default_for(NULL, ms, &sensing, &observer));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_momentum_default_for(&leg, ms, NULL, &observer));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_momentum_default_for(&leg, ms, &sensing, NULL));
    tc_real *const fields[] = {
        &sensing.encoder_counts[1], &sensing.encoder_noise[1], &sensing.torque_noise[0],
        &sensing.gyro_noise,        &sensing.accel_noise,      &sensing.base_velocity_noise,
        &sensing.torque_limit,      &sensing.gyro_limit,       &sensing.accel_limit};
    for (uint32_t i = 0; i < TC_COUNT(fields); i++) {
        for (uint32_t k = 0; k < TC_COUNT(never); k++) {
            sensing = tc_leg_sensing_default();
            *fields[i] = never[k];
            expect(TC_ERR_RANGE, ms);
        }
    }
    tuned();
    expect(TC_ERR_RANGE, TC_C(0.0));
    expect(TC_ERR_RANGE, nan);
    expect(TC_ERR_RANGE, TC_C(0.2));
    links[1].body.mass = TC_C(0.0);
    expect(TC_ERR_BODY, ms);
    leg.joints = 0;
    expect(TC_ERR_SIZE, ms);
}

/* A foot on the axis of its leg's only joint: no reach, no mass that a contact stops. */
static void test_a_foot_that_no_joint_moves_is_refused(void)
{
    tuned();
    leg.joints = 1;
    leg.foot[1] = TC_C(0.1);
    expect(TC_ERR_RANGE, TC_C(0.001));
}

void suite_estimator_config(void)
{
    RUN_TEST(test_the_leg_of_the_tuning_gets_its_numbers_to_the_bit);
    RUN_TEST(test_mass_and_reach_are_those_of_the_leg_stretched_out);
    RUN_TEST(test_numbers_grow_as_what_they_stand_for);
    RUN_TEST(test_noise_adds_as_variances_do);
    RUN_TEST(test_init_takes_what_comes_out);
    RUN_TEST(test_what_cannot_be_is_refused);
    RUN_TEST(test_a_foot_that_no_joint_moves_is_refused);
}
