/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The configuration of the estimator of all feet: what it makes of a robot, and what it refuses.
 */
#include "feet_case.h"
#include "test.h"

#include <math.h>

static feet_case plant;
static tc_feet_config config;
static tc_feet f;
static tc_real state[TC_FEET_STATE(TC_ROBOT_LIMBS)], work[TC_FEET_WORK];
static tc_feet_sensors sensors;
static tc_feet_estimate estimate;

/* A robot of this many times the lengths, and of masses to match */
static void build(tc_real length)
{
    const tc_real mass = length * length * length;
    feet_case_init(&plant, 4, 3);
    for (uint32_t k = 0; k < 4u; ++k) {
        plant.limb[k].radius *= length;
        for (uint32_t a = 0; a < 3u; ++a) {
            plant.limb[k].foot[a] *= length;
        }
        for (uint32_t i = 0; i < 3u; ++i) {
            tc_robot_link *const link = &plant.links[k][i];
            link->mass *= mass;
            link->rotor *= mass * length * length;
            for (uint32_t a = 0; a < 3u; ++a) {
                link->origin[a] *= length;
                link->com[a] *= length;
                link->inertia[a] *= mass * length * length;
            }
        }
    }
    plant.robot.mass *= mass;
}

static tc_status configure(tc_real tick)
{
    const tc_feet_sensing sensing = tc_feet_sensing_default();
    return tc_feet_default_for(&plant.robot, tick, &sensing, &config);
}

static void test_numbers_follow_mass_and_length(void)
{
    tc_feet_config small;
    build(TC_C(0.5));
    TEST_ASSERT_EQUAL_INT(TC_OK, configure(TC_C(0.001)));
    small = config;
    build(TC_C(1.0));
    TEST_ASSERT_EQUAL_INT(TC_OK, configure(TC_C(0.001)));
    test_near(small.force * TC_C(8.0), config.force, TC_C(0.0), TC_C(1e-4), "force");
    test_near(small.free_force * TC_C(8.0), config.free_force, TC_C(0.0), TC_C(1e-4), "free");
    test_near(small.light * TC_C(8.0), config.light, TC_C(0.0), TC_C(1e-4), "light");
    test_near(small.floor_spread * TC_C(2.0), config.floor_spread, TC_C(0.0), TC_C(1e-4), "floor");
    test_near(small.foot_height * TC_C(2.0), config.foot_height, TC_C(0.0), TC_C(1e-4), "height");
    test_near(small.rise * TC_C(2.0), config.rise, TC_C(0.0), TC_C(1e-4), "rise");
    test_near(small.stance * TC_C(2.0), config.stance, TC_C(0.0), TC_C(1e-4), "stance");
    test_near(small.torque_noise[2][1] * TC_C(16.0), config.torque_noise[2][1], TC_C(0.0),
              TC_C(1e-4), "torque");
    test_near(small.encoder_step[0][0], config.encoder_step[0][0], TC_C(0.0), TC_C(1e-6),
              "encoder");
    test_near(small.keep, config.keep, TC_C(0.0), TC_C(0.0), "keep");
}

/* The robot that was tuned on gets what was tuned */
static void test_the_tuned_robot_keeps_its_numbers(void)
{
    const tc_feet_config tuned = tc_feet_default();
    build(TC_C(1.0));
    plant.robot.mass = TC_C(12.04);
    for (uint32_t k = 0; k < 4u; ++k) {
        plant.limb[k].foot[2] = TC_C(-0.253);
        plant.links[k][2].origin[2] = TC_C(-0.253);
        for (uint32_t i = 0; i < 3u; ++i) {
            plant.links[k][i].mass = TC_C(0.57);
        }
    }
    TEST_ASSERT_EQUAL_INT(TC_OK, configure(TC_C(0.001)));
    test_near(tuned.force, config.force, TC_C(0.0), TC_C(1e-5), "force");
    test_near(tuned.floor_spread, config.floor_spread, TC_C(0.0), TC_C(1e-5), "floor");
    test_near(tuned.torque_noise[0][0], config.torque_noise[0][0], TC_C(0.0), TC_C(1e-5), "torque");
    test_near(tuned.encoder_step[0][0], config.encoder_step[0][0], TC_C(0.0), TC_C(1e-5),
              "encoder");
    TEST_ASSERT_TRUE(tuned.keep == config.keep && tuned.odometry == config.odometry);
}

static void test_numbers_follow_tick_and_sensors(void)
{
    tc_feet_config slow;
    build(TC_C(1.0));
    TEST_ASSERT_EQUAL_INT(TC_OK, configure(TC_C(0.002)));
    slow = config;
    TEST_ASSERT_EQUAL_INT(TC_OK, configure(TC_C(0.001)));
    test_near(TC_C(2.0) * config.lift_off, slow.lift_off, TC_C(0.0), TC_C(1e-5), "lift-off");
    test_near(TC_C(2.0) * (TC_C(1.0) - config.keep), TC_C(1.0) - slow.keep, TC_C(0.0), TC_C(1e-4),
              "keep");
    test_near(config.stick_speed / tc_sqrt(TC_C(2.0)), slow.stick_speed, TC_C(0.0), TC_C(1e-5),
              "speed");
    test_near(TC_C(0.002), slow.step, TC_C(0.0), TC_C(1e-7), "step");
    tc_feet_sensing sensing = tc_feet_sensing_default();
    sensing.encoder_counts = TC_C(4096.0);
    sensing.torque_noise = TC_C(0.7);
    sensing.accel_noise = TC_C(0.5);
    sensing.torque_gain = TC_C(0.15);
    sensing.gyro_limit = TC_C(8.0);
    plant.links[1][2].joint = TC_CHAIN_PRISMATIC;
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_default_for(&plant.robot, TC_C(0.001), &sensing, &config));
    test_near(TC_C(1.5339808e-3), config.encoder_step[0][2], TC_C(0.0), TC_C(1e-5), "turns");
    test_near(TC_C(2.44140625e-4), config.encoder_step[1][2], TC_C(0.0), TC_C(1e-5), "metres");
    test_near(TC_C(0.7), config.torque_noise[3][0], TC_C(0.0), TC_C(1e-6), "torque");
    TEST_ASSERT_TRUE(config.accel_noise > TC_C(0.5));
    const tc_real noise =
        config.accel_noise; /* of longer means it is smaller, whatever the sensor */
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_default_for(&plant.robot, TC_C(0.004), &sensing, &config));
    test_near(TC_C(0.5) * noise, config.accel_noise, TC_C(0.0), TC_C(1e-5), "accelerometer");
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_default_for(&plant.robot, TC_C(0.001), &sensing, &config));
    TEST_ASSERT_TRUE(config.torque_gain == TC_C(0.15) && config.gyro_limit == TC_C(8.0));
    sensing.encoder_noise = TC_C(1e-3);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_default_for(&plant.robot, TC_C(0.001), &sensing, &config));
    test_near(TC_C(3.789e-3), config.encoder_step[0][2], TC_C(0.0), TC_C(1e-3), "noise");
}

static void test_what_no_configuration_comes_of(void)
{
    static const tc_feet_config nothing;
    tc_feet_sensing sensing = tc_feet_sensing_default();
    build(TC_C(1.0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_default_for(&plant.robot, TC_C(0.001), &sensing, NULL));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_default_for(&plant.robot, TC_C(0.001), NULL, &config));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_feet_default_for(NULL, TC_C(0.001), &sensing, &config));
    TEST_ASSERT_EQUAL_MEMORY(&nothing, &config, sizeof config);
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, configure(TC_C(0.2)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, configure((tc_real)NAN));
    tc_real *const numbers[] = {&sensing.encoder_counts, &sensing.encoder_noise,
                                &sensing.torque_noise,   &sensing.torque_gain,
                                &sensing.accel_noise,    &sensing.torque_limit,
                                &sensing.gyro_limit,     &sensing.accel_limit};
    for (uint32_t i = 0; i < TC_COUNT(numbers); ++i) {
        static const tc_real bad[3] = {TC_C(-1.0), TC_C(1e12), (tc_real)NAN};
        const tc_real good = *numbers[i];
        for (uint32_t k = 0; k < 3u; ++k) {
            *numbers[i] = bad[k];
            TEST_ASSERT_EQUAL_INT(
                TC_ERR_RANGE, tc_feet_default_for(&plant.robot, TC_C(0.001), &sensing, &config));
            TEST_ASSERT_EQUAL_MEMORY(&nothing, &config, sizeof config);
        }
        *numbers[i] = good;
    }
    plant.links[2][1].mass = TC_C(-1.0);
    TEST_ASSERT_EQUAL_INT(TC_ERR_BODY, configure(TC_C(0.001)));
    TEST_ASSERT_EQUAL_MEMORY(&nothing, &config, sizeof config);
}

/* Each number of a configuration that is none, or far beyond what it may be, is refused. Those of joints that the robot
 * does not have are not looked at. */
static void test_each_number_of_a_configuration_is_looked_at(void)
{
    build(TC_C(1.0));
    feet_case_tick(&plant, &sensors);
    TEST_ASSERT_EQUAL_INT(TC_OK, configure(TC_C(0.001)));
    const tc_feet_config good = config;
    const size_t grid = TC_ROBOT_LIMBS * TC_ROBOT_JOINTS, count = sizeof config / sizeof(tc_real);
    const size_t frozen = (size_t)((tc_real *)(void *)&config.frozen - (tc_real *)(void *)&config);
    for (size_t i = 0; i < count; ++i) {
        if (i == frozen || i == frozen + 1u) { /* counts */
            continue;
        }
        static const tc_real bad[3] = {TC_C(-1.0), TC_C(1e9), (tc_real)NAN};
        const size_t joint = i >= 1u && i < 1u + 2u * grid ? (i - 1u) % TC_ROBOT_JOINTS : 0u;
        for (uint32_t k = 0; k < 3u; ++k) {
            config = good;
            ((tc_real *)(void *)&config)[i] = bad[k];
            const tc_status expected = joint < 3u ? TC_ERR_RANGE : TC_OK;
            TEST_ASSERT_EQUAL_INT(expected, tc_feet_init(&f, &config, &plant.robot, &sensors, state,
                                                         TC_COUNT(state)));
        }
    }
    config = good;
    config.off = config.on + TC_C(0.01);
    TEST_ASSERT_EQUAL_INT(
        TC_ERR_RANGE, tc_feet_init(&f, &config, &plant.robot, &sensors, state, TC_COUNT(state)));
}

/* A configuration made for a robot serves it, small and large, at other ticks. */
static void test_robots_of_many_sizes_are_served(void)
{
    static const tc_real lengths[3] = {TC_C(0.6), TC_C(1.0), TC_C(1.5)};
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real mass = lengths[i] * lengths[i] * lengths[i];
        uint32_t right = 0, ticks = 0;
        build(lengths[i]);
        plant.height *= lengths[i];
        plant.height -= TC_C(0.01) * lengths[i];
        plant.stiffness *= mass * lengths[i] * lengths[i];
        plant.damping *= mass * lengths[i] * lengths[i];
        TEST_ASSERT_EQUAL_INT(TC_OK, configure(plant.step));
        feet_case_tick(&plant, &sensors);
        TEST_ASSERT_EQUAL_INT(
            TC_OK, tc_feet_init(&f, &config, &plant.robot, &sensors, state, TC_COUNT(state)));
        for (uint32_t t = 0; t < 700u; ++t) {
            feet_case_tick(&plant, &sensors);
            TEST_ASSERT_EQUAL_INT(TC_OK,
                                  tc_feet_update(&f, &sensors, &estimate, work, TC_COUNT(work)));
            for (uint32_t k = 0; k < 4u && t > 50u; ++k) {
                right += (estimate.foot[k].contact != 0u) == (plant.mode[k] != 0u);
                ++ticks;
            }
        }
        TEST_ASSERT_TRUE(right * 100u > ticks * 90u);
    }
}

void suite_feet_config(void)
{
    RUN_TEST(test_numbers_follow_mass_and_length);
    RUN_TEST(test_the_tuned_robot_keeps_its_numbers);
    RUN_TEST(test_numbers_follow_tick_and_sensors);
    RUN_TEST(test_what_no_configuration_comes_of);
    RUN_TEST(test_each_number_of_a_configuration_is_looked_at);
    RUN_LONG_TEST(test_robots_of_many_sizes_are_served);
}
