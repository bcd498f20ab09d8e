/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The estimator of all feet and bad input: what is refused leaves it as it was, what is odd is flagged, what is missing
 * is not invented, and whatever is within its range leaves finite numbers.
 */
#include "feet_case.h"
#include "test.h"

#include "tc_feet_internal.h"
#include "tc_vec.h"

#include <math.h>

static feet_case plant;
static tc_feet_config config;
static tc_feet f, kept_f;
static tc_real state[TC_FEET_STATE(TC_ROBOT_LIMBS)], kept[TC_FEET_STATE(TC_ROBOT_LIMBS)],
    work[TC_FEET_WORK];
static tc_feet_sensors sensors;
static tc_feet_estimate estimate;
static const tc_feet_estimate zero;

static tc_status update(void)
{
    return tc_feet_update(&f, &sensors, &estimate, work, TC_COUNT(work));
}

static void begin(void)
{
    TEST_ASSERT_EQUAL_INT(
        TC_OK, tc_feet_init(&f, &config, &plant.robot, &sensors, state, TC_COUNT(state)));
}

static void start(uint32_t limbs, uint32_t joints, uint32_t seed)
{
    const tc_feet_sensing sensing = tc_feet_sensing_default();
    feet_case_init(&plant, limbs, joints);
    plant.random = seed;
    plant.height -= TC_C(0.02);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_default_for(&plant.robot, plant.step, &sensing, &config));
    feet_case_tick(&plant, &sensors);
    begin();
}

static void run(uint32_t ticks)
{
    for (uint32_t t = 0; t < ticks; ++t) {
        feet_case_tick(&plant, &sensors);
        TEST_ASSERT_EQUAL_INT(TC_OK, update());
    }
}

static void check_finite(void)
{
    for (uint32_t k = 0; k < plant.robot.limbs; ++k) {
        const tc_feet_foot *const foot = &estimate.foot[k];
        TEST_ASSERT_TRUE(tc_all_finite(foot->p, 3) && tc_all_finite(foot->impulse, 3));
        TEST_ASSERT_TRUE(tc_all_finite(foot->impulse_variance, 3) && tc_all_finite(foot->slip, 2));
        TEST_ASSERT_TRUE(tc_all_finite(&foot->slip_variance, 1)
                         && tc_all_finite(&foot->friction, 1));
        test_near(TC_C(1.0), foot->p[0] + foot->p[1] + foot->p[2], TC_C(1e-5), TC_C(0.0),
                  "sum of p");
        for (uint32_t i = 0; i < 3u; ++i) {
            TEST_ASSERT_TRUE(foot->p[i] >= TC_C(0.0) && foot->impulse_variance[i] >= TC_C(0.0));
        }
    }
    TEST_ASSERT_TRUE(tc_all_finite(estimate.velocity, 3) && tc_all_finite(estimate.slope, 2));
    TEST_ASSERT_TRUE(tc_all_finite(&estimate.height, 1));
}

/* ---- Refused --------------------------------------------------------------------------------- */

/* With the sensors as they are now */
static void expect_refused(tc_status status)
{
    kept_f = f;
    memcpy(kept, state, sizeof kept);
    memset(&estimate, 0x55, sizeof estimate);
    TEST_ASSERT_EQUAL_INT(status, update());
    TEST_ASSERT_EQUAL_MEMORY(&zero, &estimate, sizeof zero);
    TEST_ASSERT_EQUAL_MEMORY(&kept_f, &f, sizeof f);
    TEST_ASSERT_EQUAL_MEMORY(kept, state, sizeof kept);
}

/* Each number that is read, as NaN, infinite, and beyond its range */
static void spoil(tc_real *number, tc_real beyond, tc_status status)
{
    const tc_real good = *number;
    *number = (tc_real)NAN;
    expect_refused(TC_ERR_NOT_FINITE);
    *number = (tc_real)INFINITY;
    expect_refused(TC_ERR_NOT_FINITE);
    *number = beyond;
    expect_refused(status);
    *number = good;
}

static void test_numbers_that_are_none_are_refused(void)
{
    start(3, 4, 3);
    run(30);
    feet_case_tick(&plant, &sensors);
    sensors.given = TC_FEET_ATTITUDE | TC_FEET_BASE_VELOCITY | TC_FEET_STEP | TC_FEET_TOUCH(0)
                    | TC_FEET_TOUCH(2);
    sensors.step = TC_C(0.001);
    for (uint32_t i = 0; i < 3u; ++i) {
        sensors.base_velocity_variance[i] = TC_C(0.01);
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        for (uint32_t i = 0; i < 4u; ++i) {
            spoil(&sensors.encoder[k][i], TC_C(1.1e4), TC_ERR_RANGE);
            spoil(&sensors.torque[k][i], TC_C(-1.1e6), TC_ERR_RANGE);
        }
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        spoil(&sensors.gyro[i], TC_C(3.6e4), TC_ERR_RANGE);
        spoil(&sensors.accel[i], TC_C(-1.7e5), TC_ERR_RANGE);
        spoil(&sensors.base_velocity[i], TC_C(1.1e3), TC_ERR_RANGE);
        spoil(&sensors.base_velocity_variance[i], TC_C(0.0), TC_ERR_RANGE);
    }
    for (uint32_t i = 0; i < 4u; ++i) {
        spoil(&sensors.attitude[i], TC_C(2.0), TC_ERR_UNIT);
    }
    spoil(&sensors.touch[0], TC_C(1.1), TC_ERR_RANGE);
    spoil(&sensors.touch[2], TC_C(-0.1), TC_ERR_RANGE);
    spoil(&sensors.step, TC_C(0.2), TC_ERR_RANGE);
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
}

/* Nor does it matter what stands where nothing is read. */
static void test_what_is_not_given_is_not_read(void)
{
    start(2, 3, 4);
    run(40);
    feet_case_tick(&plant, &sensors);
    sensors.lost[1] = 1;
    kept_f = f;
    memcpy(kept, state, sizeof kept);
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
    const tc_feet_estimate clean = estimate;
    f = kept_f;
    memcpy(state, kept, sizeof kept);
    for (uint32_t i = 0; i < TC_ROBOT_JOINTS; ++i) {
        sensors.encoder[1][i] = sensors.torque[1][i] = sensors.encoder[2][i] =
            sensors.torque[3][i] = (tc_real)NAN;
        sensors.encoder[0][i] = i < 3u ? sensors.encoder[0][i] : (tc_real)NAN;
    }
    sensors.base_velocity[0] = sensors.touch[1] = sensors.step = (tc_real)NAN;
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
    TEST_ASSERT_EQUAL_MEMORY(&clean, &estimate, sizeof clean);
}

static void test_calls_that_lack_something(void)
{
    start(2, 3, 5);
    run(3);
    kept_f = f;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_feet_update(&f, &sensors, NULL, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_update(NULL, &sensors, &estimate, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_feet_update(&f, NULL, &estimate, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_update(&f, &sensors, &estimate, NULL, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_WORK,
                          tc_feet_update(&f, &sensors, &estimate, work, TC_FEET_WORK - 1u));
    TEST_ASSERT_EQUAL_INT(TC_ERR_ALIGN,
                          tc_feet_update(&f, &sensors, &estimate, TEST_ODD(work), TC_COUNT(work)));
    TEST_ASSERT_EQUAL_MEMORY(&kept_f, &f, sizeof f);
    const size_t needed = TC_FEET_STATE(2);
    tc_feet other;
    const tc_feet nothing = {.config = NULL};
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_init(NULL, &config, &plant.robot, &sensors, state, needed));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_init(&other, NULL, &plant.robot, &sensors, state, needed));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_init(&other, &config, NULL, &sensors, state, needed));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_init(&other, &config, &plant.robot, NULL, state, needed));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_init(&other, &config, &plant.robot, &sensors, NULL, needed));
    TEST_ASSERT_EQUAL_INT(
        TC_ERR_WORK, tc_feet_init(&other, &config, &plant.robot, &sensors, state, needed - 1u));
    TEST_ASSERT_EQUAL_INT(TC_ERR_ALIGN, tc_feet_init(&other, &config, &plant.robot, &sensors,
                                                     TEST_ODD(state), needed));
    sensors.lost[1] = 1;
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE,
                          tc_feet_init(&other, &config, &plant.robot, &sensors, state, needed));
    TEST_ASSERT_EQUAL_MEMORY(&nothing, &other, sizeof other);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_feet_update(&other, &sensors, &estimate, work, TC_COUNT(work)));
}

static void test_the_caller_s_arrays_end_where_they_end(void)
{
    static tc_real guarded_state[TC_FEET_STATE(2) + 2u * TEST_GUARD_WORDS];
    static tc_real guarded_work[TC_FEET_WORK + 2u * TEST_GUARD_WORDS];
    start(2, 7, 6);
    tc_real *const own = test_guard(guarded_state, TC_FEET_STATE(2));
    tc_real *const room = test_guard(guarded_work, TC_FEET_WORK);
    TEST_ASSERT_EQUAL_INT(TC_OK,
                          tc_feet_init(&f, &config, &plant.robot, &sensors, own, TC_FEET_STATE(2)));
    for (uint32_t t = 0; t < 100u; ++t) {
        feet_case_tick(&plant, &sensors);
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_update(&f, &sensors, &estimate, room, TC_FEET_WORK));
    }
    test_guard_check(guarded_state, TC_FEET_STATE(2));
    test_guard_check(guarded_work, TC_FEET_WORK);
    TEST_ASSERT_EQUAL_MEMORY(&zero.foot[2], &estimate.foot[2], 2u * sizeof zero.foot[2]);
}

/* ---- Flagged --------------------------------------------------------------------------------- */

static void test_a_silent_limb_is_flagged_and_comes_back(void)
{
    start(4, 3, 7);
    run(300);
    for (uint32_t t = 1; t <= 60u; ++t) {
        feet_case_tick(&plant, &sensors);
        sensors.lost[2] = t;
        TEST_ASSERT_EQUAL_INT(TC_OK, update());
        check_finite();
        TEST_ASSERT_EQUAL_UINT32(TC_FEET_LOST | (t > TCI_FEET_LOST_MOST ? TC_FEET_STALE : 0u),
                                 estimate.foot[2].flags & (TC_FEET_LOST | TC_FEET_STALE));
        TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[1].flags);
        TEST_ASSERT_TRUE((estimate.flags & TC_FEET_LOST) != 0u);
    }
    run(200);
    TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[2].flags);
    uint32_t right = 0;
    for (uint32_t t = 0; t < 300u; ++t) {
        run(1);
        right += (estimate.foot[2].contact != 0u) == (plant.mode[2] != 0u);
    }
    TEST_ASSERT_TRUE(right > 280u);
    for (uint32_t i = 0; i < 3u; ++i) {
        test_near(plant.velocity[i], estimate.velocity[i], TC_C(0.05), TC_C(0.0), "velocity");
    }
}

/* Frames that are lost now and then cost little. */
static void test_lost_frames(void)
{
    uint32_t right = 0, ticks = 0;
    start(4, 3, 8);
    run(200);
    test_seed(9);
    for (uint32_t t = 0; t < 800u; ++t) {
        feet_case_tick(&plant, &sensors);
        const uint32_t lost = test_below(20) == 0u ? 1u : 0u;
        for (uint32_t k = 0; k < 4u; ++k) {
            sensors.lost[k] = lost;
        }
        TEST_ASSERT_EQUAL_INT(TC_OK, update());
        for (uint32_t k = 0; k < 4u; ++k) {
            right += (estimate.foot[k].contact != 0u) == (plant.mode[k] != 0u);
            ++ticks;
        }
    }
    TEST_ASSERT_TRUE(right * 100u > ticks * 95u);
}

static void test_frozen_sensors_are_flagged(void)
{
    start(2, 3, 10);
    run(100);
    const tc_real encoder = sensors.encoder[1][2];
    uint32_t flagged = 0;
    for (uint32_t t = 0; t < 200u; ++t) {
        feet_case_tick(&plant, &sensors);
        sensors.encoder[1][2] = encoder;
        TEST_ASSERT_EQUAL_INT(TC_OK, update());
        check_finite();
        flagged += (estimate.foot[1].flags & TC_FEET_SATURATED) != 0u;
        TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[0].flags & TC_FEET_SATURATED);
    }
    TEST_ASSERT_TRUE(flagged > 60u);
    start(2, 3, 11);
    run(50);
    tc_real accel[3];
    memcpy(accel, sensors.accel, sizeof accel);
    for (uint32_t t = 0; t < 20u; ++t) {
        feet_case_tick(&plant, &sensors);
        memcpy(sensors.accel, accel, sizeof accel);
        TEST_ASSERT_EQUAL_INT(TC_OK, update());
        TEST_ASSERT_EQUAL_INT(t >= 7u, (estimate.flags & TC_FEET_SATURATED) != 0u);
    }
    config.frozen = 0;
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
    TEST_ASSERT_EQUAL_UINT32(0, estimate.flags & TC_FEET_SATURATED);
}

static void test_ends_of_ranges_are_flagged(void)
{
    start(2, 3, 12);
    run(20);
    feet_case_tick(&plant, &sensors);
    sensors.torque[0][1] = config.torque_limit;
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
    TEST_ASSERT_TRUE((estimate.foot[0].flags & TC_FEET_SATURATED) != 0u);
    TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[1].flags & TC_FEET_SATURATED);
    feet_case_tick(&plant, &sensors);
    sensors.gyro[2] = -config.gyro_limit;
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
    TEST_ASSERT_TRUE((estimate.flags & TC_FEET_SATURATED) != 0u);
    TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[0].flags & TC_FEET_SATURATED);
    config.frozen = 0; /* no threshold for frozen ones is no reason to miss it */
    feet_case_tick(&plant, &sensors);
    sensors.accel[1] = config.accel_limit;
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
    TEST_ASSERT_TRUE((estimate.flags & TC_FEET_SATURATED) != 0u);
}

/* A base whose numbers are lost begins again, and nothing of them is left in the feet. */
static void test_a_base_begins_again(void)
{
    start(2, 3, 16);
    run(50);
    f.velocity[0] = (tc_real)NAN;
    feet_case_tick(&plant, &sensors);
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
    TEST_ASSERT_TRUE((estimate.flags & TC_FEET_RESTARTED) != 0u);
    check_finite();
    run(400);
    check_finite();
}

/* An encoder that was set to another zero is believed after some ticks, and not before. */
static void test_a_jump_is_taken_in_the_end(void)
{
    start(2, 3, 13);
    run(200);
    uint32_t flagged = 0;
    for (uint32_t t = 0; t < 100u; ++t) {
        feet_case_tick(&plant, &sensors);
        sensors.encoder[0][0] += TC_C(0.5);
        TEST_ASSERT_EQUAL_INT(TC_OK, update());
        check_finite();
        flagged += (estimate.foot[0].flags & TC_FEET_SATURATED) != 0u;
    }
    TEST_ASSERT_TRUE(flagged >= 4u && flagged < 12u);
    const tci_feet_limb *const l = tci_feet_limb_of(&f, 0);
    test_near(sensors.encoder[0][0], l->q[0], TC_C(2e-3), TC_C(0.0), "reference");
}

/* A limb whose torques nobody measures says so, and leaves the others as they are. */
static void test_a_limb_without_torques(void)
{
    start(2, 3, 14);
    config.torqueless = 2u;
    begin();
    uint32_t right = 0;
    for (uint32_t t = 0; t < 600u; ++t) {
        feet_case_tick(&plant, &sensors);
        memset(sensors.torque[1], 0, sizeof sensors.torque[1]);
        sensors.torque[1][0] = (tc_real)NAN;
        sensors.torque[1][1] = TC_C(3.0); /* a driver's idea of nothing, for ever: not frozen */
        TEST_ASSERT_EQUAL_INT(TC_OK, update());
        check_finite();
        TEST_ASSERT_TRUE((estimate.foot[1].flags & TC_FEET_DEGRADED) != 0u);
        TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[1].flags & TC_FEET_SATURATED);
        TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[0].flags);
        right += (estimate.foot[0].contact != 0u) == (plant.mode[0] != 0u);
    }
    TEST_ASSERT_TRUE(right > 560u);
    sensors.encoder[0][0] = TC_C(2e4);
    expect_refused(TC_ERR_RANGE); /* not for the torque that nobody reads */
}

/* A joint at its stop, and a limb stretched out, where forces are not to be believed */
static void test_stops_and_straight_limbs_are_flagged(void)
{
    start(2, 3, 22);
    run(5);
    TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[0].flags & (TC_FEET_STOP | TC_FEET_SINGULAR));
    plant.links[0][1].range[0] = plant.q[0][1] - TC_C(1.0);
    plant.links[0][1].range[1] = plant.q[0][1] + TC_C(0.01);
    run(1);
    TEST_ASSERT_EQUAL_UINT32(TC_FEET_STOP, estimate.foot[0].flags & TC_FEET_STOP);
    TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[1].flags);
    TEST_ASSERT_TRUE((estimate.flags & TC_FEET_STOP) != 0u);
    feet_case_tick(&plant, &sensors);
    sensors.encoder[1][1] = sensors.encoder[1][2] = TC_C(0.0);
    begin();
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
    TEST_ASSERT_EQUAL_UINT32(TC_FEET_SINGULAR, estimate.foot[1].flags & TC_FEET_SINGULAR);
}

/* A foot without a limb that moves it: masses on the axis of the only joint */
static void test_a_foot_on_its_joint_s_axis(void)
{
    start(1, 1, 15);
    memset(plant.limb[0].foot, 0, sizeof plant.limb[0].foot);
    plant.limb[0].radius = TC_C(0.0);
    begin();
    for (uint32_t t = 0; t < 50u; ++t) {
        feet_case_tick(&plant, &sensors);
        TEST_ASSERT_EQUAL_INT(TC_OK, update());
        check_finite();
    }
}

/* ---- Anything -------------------------------------------------------------------------------- */

static tc_real wild(double most)
{
    const tc_real size = test_log_uniform(1e-6, most);
    return test_below(2) != 0u ? size : -size;
}

static void draw_sensors(void)
{
    memset(&sensors, 0, sizeof sensors);
    for (uint32_t k = 0; k < plant.robot.limbs; ++k) {
        for (uint32_t i = 0; i < TC_ROBOT_JOINTS; ++i) {
            sensors.encoder[k][i] = wild(1e4);
            sensors.torque[k][i] = wild(1e6);
        }
        sensors.lost[k] = test_below(8) == 0u ? test_below(30) : 0u;
        sensors.touch[k] = test_uniform(TC_C(0.0), TC_C(1.0));
    }
    tc_real size = TC_C(0.0);
    for (uint32_t i = 0; i < 4u; ++i) {
        sensors.attitude[i] = test_uniform(TC_C(-1.0), TC_C(1.0));
        size += sensors.attitude[i] * sensors.attitude[i];
    }
    for (uint32_t i = 0; i < 4u; ++i) {
        sensors.attitude[i] /= tc_sqrt(size);
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        sensors.gyro[i] = wild(3.5e4);
        sensors.accel[i] = wild(1.6e5);
        sensors.base_velocity[i] = wild(1e3);
        sensors.base_velocity_variance[i] = test_log_uniform(1e-11, 1e5);
    }
    sensors.step = test_log_uniform(1.1e-5, 0.09);
    sensors.given = test_bits() & 0xf7u;
}

static void test_whatever_is_in_range_leaves_finite_numbers(void)
{
    static const uint32_t shapes[][2] = {{4, 3}, {2, 7}, {1, 1}, {3, 2}};
    const uint32_t rounds = TEST_ROUNDS_SLOW(400);
    test_seed(77);
    for (uint32_t i = 0; i < TC_COUNT(shapes); ++i) {
        start(shapes[i][0], shapes[i][1], 16u + i);
        for (uint32_t t = 0; t < rounds; ++t) {
            if (test_below(3) != 0u) {
                feet_case_tick(&plant, &sensors);
            } else {
                draw_sensors();
            }
            TEST_ASSERT_EQUAL_INT(TC_OK, update());
            check_finite();
        }
    }
}

/* After anything it finds back. */
static void test_it_recovers(void)
{
    start(4, 3, 20);
    run(200);
    test_seed(78);
    for (uint32_t t = 0; t < 30u; ++t) {
        draw_sensors();
        TEST_ASSERT_EQUAL_INT(TC_OK, update());
    }
    run(1500);
    uint32_t right = 0;
    for (uint32_t t = 0; t < 300u; ++t) {
        run(1);
        for (uint32_t k = 0; k < 4u; ++k) {
            right += (estimate.foot[k].contact != 0u) == (plant.mode[k] != 0u);
        }
    }
    TEST_ASSERT_TRUE(right > 1100u);
}

/* Far from the start places are as fine as near it. */
static void test_long_ways(void)
{
    start(4, 3, 21);
    run(300);
    const tc_real foothold = tci_feet_limb_of(&f, 0)->step[0] - f.place[0];
    f.velocity[0] = TC_C(0.0);
    f.place[0] += TC_C(15.9999);
    for (uint32_t k = 0; k < 4u; ++k) {
        tci_feet_limb_of(&f, k)->step[0] += TC_C(15.9999);
    }
    f.velocity[0] = TC_C(3.0);
    feet_case_tick(&plant, &sensors);
    TEST_ASSERT_EQUAL_INT(TC_OK, update());
    TEST_ASSERT_TRUE(tc_vec_magnitude(f.place[0]) < TC_C(1.0));
    test_near(foothold, tci_feet_limb_of(&f, 0)->step[0] - f.place[0], TC_C(0.05), TC_C(0.0),
              "foothold");
}

void suite_feet_faults(void)
{
    RUN_TEST(test_numbers_that_are_none_are_refused);
    RUN_TEST(test_what_is_not_given_is_not_read);
    RUN_TEST(test_calls_that_lack_something);
    RUN_TEST(test_the_caller_s_arrays_end_where_they_end);
    RUN_TEST(test_a_silent_limb_is_flagged_and_comes_back);
    RUN_LONG_TEST(test_lost_frames);
    RUN_TEST(test_frozen_sensors_are_flagged);
    RUN_TEST(test_ends_of_ranges_are_flagged);
    RUN_TEST(test_a_base_begins_again);
    RUN_TEST(test_a_jump_is_taken_in_the_end);
    RUN_TEST(test_a_limb_without_torques);
    RUN_TEST(test_stops_and_straight_limbs_are_flagged);
    RUN_TEST(test_a_foot_on_its_joint_s_axis);
    RUN_TEST(test_whatever_is_in_range_leaves_finite_numbers);
    RUN_LONG_TEST(test_it_recovers);
    RUN_TEST(test_long_ways);
}
