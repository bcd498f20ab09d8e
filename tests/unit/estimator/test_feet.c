/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The estimator of all feet: cases whose answer is known in closed form, and the plant of feet_case.h, whose truth is
 * known. How good it is on simulated robots is measured by tools/tinycontact/robots; here stands what must never break.
 */
#include "feet_case.h"
#include "test.h"

#include "tc_feet_internal.h"
#include "tc_vec.h"

#include <math.h>

static feet_case plant;
static tc_feet_config config;
static tc_feet f;
static tc_real state[TC_FEET_STATE(TC_ROBOT_LIMBS)], work[TC_FEET_WORK];
static tc_feet_sensors sensors;
static tc_feet_estimate estimate;

static void begin(void)
{
    TEST_ASSERT_EQUAL_INT(
        TC_OK, tc_feet_init(&f, &config, &plant.robot, &sensors, state, TC_COUNT(state)));
}

static void configure(void)
{
    const tc_feet_sensing sensing = tc_feet_sensing_default();
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_default_for(&plant.robot, plant.step, &sensing, &config));
}

static void start(uint32_t limbs, uint32_t joints, uint32_t seed)
{
    feet_case_init(&plant, limbs, joints);
    plant.random = seed;
    configure();
    feet_case_tick(&plant, &sensors);
    begin();
}

static void update(void)
{
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_feet_update(&f, &sensors, &estimate, work, TC_COUNT(work)));
}

static void tick(void)
{
    feet_case_tick(&plant, &sensors);
    update();
}

/* Shares of ticks, and errors, of a run; a tick of grace about each change of the truth */
typedef struct tally {
    uint32_t ticks, right, stick, slip, landings, seen;
    double impulse, size, velocity;
} tally;

static void count_foot(tally *t, uint32_t k, uint32_t before)
{
    const tc_feet_foot *const foot = &estimate.foot[k];
    const uint32_t mode = plant.mode[k];
    t->landings += mode != 0u && before == 0u;
    if (mode != before) {
        return;
    }
    t->ticks++;
    t->right += (foot->contact != 0u) == (mode != 0u);
    t->seen += foot->p[1] + foot->p[2] > TC_C(0.5) ? mode != 0u : mode == 0u;
    t->stick += mode == 1u;
    t->slip += mode == 1u && foot->p[2] > TC_C(0.5);
    for (uint32_t i = 0; i < 3u; ++i) {
        const double error = (double)foot->impulse[i] - (double)plant.impulse[k][i];
        t->impulse += error * error;
        t->size += (double)plant.impulse[k][i] * (double)plant.impulse[k][i];
    }
}

static tally run(uint32_t ticks, uint32_t skip)
{
    tally t = {0};
    for (uint32_t now = 0; now < ticks; ++now) {
        uint32_t before[TC_ROBOT_LIMBS];
        memcpy(before, plant.mode, sizeof before);
        tick();
        if (now >= skip) {
            for (uint32_t k = 0; k < plant.robot.limbs; ++k) {
                count_foot(&t, k, before[k]);
            }
            const double x = (double)(estimate.velocity[0] - plant.velocity[0]),
                         y = (double)(estimate.velocity[1] - plant.velocity[1]);
            t.velocity += x * x + y * y;
        }
    }
    t.velocity = sqrt(t.velocity / (double)(ticks - skip));
    return t;
}

/* ---- Known answers --------------------------------------------------------------------------- */

/* A robot at rest in its axes, with a force on each foot that its joints' torques hold */
static void hold(const tc_real push[TC_ROBOT_LIMBS][3])
{
    const tc_robot_base base = {.force = {TC_C(0.0), TC_C(0.0), plant.robot.g},
                                .normal = {TC_C(0.0), TC_C(0.0), TC_C(1.0)}};
    tc_robot_motion m;
    memset(&sensors, 0, sizeof sensors);
    for (uint32_t k = 0; k < plant.robot.limbs; ++k) {
        const uint32_t n = plant.limb[k].joints;
        tc_real still[TC_ROBOT_JOINTS] = {TC_C(0.0)};
        tc_robot_move(&plant.limb[k], &base, plant.q[k], still, &m);
        for (uint32_t i = 0; i < n; ++i) {
            sensors.encoder[k][i] = plant.q[k][i];
            sensors.torque[k][i] = m.bias[i];
            for (uint32_t a = 0; a < 3u; ++a) {
                sensors.torque[k][i] -= m.J[a * n + i] * push[k][a];
            }
        }
    }
    const tc_real up[3] = {TC_C(0.0), TC_C(0.0), plant.robot.g};
    tc_mat3_vec_t(plant.robot.imu_axes, up, sensors.accel);
    const tc_real half = tc_sqrt(TC_C(0.5)); /* the IMU is turned by a quarter about z */
    sensors.attitude[0] = sensors.attitude[3] = half;
    sensors.given = TC_FEET_ATTITUDE;
}

static void test_feet_at_rest_stick_with_their_force(void)
{
    static const tc_real push[TC_ROBOT_LIMBS][3] = {{TC_C(3.0), TC_C(-2.0), TC_C(35.0)},
                                                    {TC_C(-4.0), TC_C(1.0), TC_C(28.0)},
                                                    {TC_C(2.0), TC_C(4.0), TC_C(31.0)},
                                                    {TC_C(-1.0), TC_C(-3.0), TC_C(40.0)}};
    feet_case_init(&plant, 4, 3);
    configure();
    hold(push);
    begin();
    for (uint32_t t = 0; t < 300u; ++t) {
        update();
    }
    for (uint32_t k = 0; k < 4u; ++k) {
        TEST_ASSERT_EQUAL_UINT32(1, estimate.foot[k].contact);
        TEST_ASSERT_TRUE(estimate.foot[k].p[1] > TC_C(0.9));
        TEST_ASSERT_TRUE(estimate.foot[k].since > TC_C(0.29));
        for (uint32_t i = 0; i < 3u; ++i) {
            test_near(push[k][i] * TC_C(0.001), estimate.foot[k].impulse[i], TC_C(1.5e-4),
                      TC_C(0.01), "impulse");
        }
        test_near(TC_C(0.0), estimate.foot[k].slip[0], TC_C(5e-3), TC_C(0.0), "slip");
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        test_near(TC_C(0.0), estimate.velocity[i], TC_C(2e-3), TC_C(0.0), "velocity");
    }
    /* numbers that never change are no sensor's */
    TEST_ASSERT_TRUE((estimate.flags & TC_FEET_SATURATED) != 0u);
}

static void test_free_fall_is_air(void)
{
    static const tc_real nothing[TC_ROBOT_LIMBS][3];
    feet_case_init(&plant, 4, 3);
    configure();
    hold(nothing);
    memset(sensors.accel, 0, sizeof sensors.accel);
    memset(sensors.torque, 0, sizeof sensors.torque);
    begin();
    tc_real before = TC_C(0.0);
    for (uint32_t t = 0; t < 200u; ++t) {
        before = t == 100u ? estimate.velocity[2] : before;
        update();
    }
    for (uint32_t k = 0; k < 4u; ++k) {
        TEST_ASSERT_EQUAL_UINT32(0, estimate.foot[k].contact);
        TEST_ASSERT_TRUE(estimate.foot[k].p[0] > TC_C(0.95));
        TEST_ASSERT_TRUE(estimate.foot[k].since < TC_C(-0.1));
        test_near(TC_C(0.0), estimate.foot[k].impulse[2], TC_C(1e-4), TC_C(0.0), "impulse");
    }
    test_near(TC_C(-0.981), estimate.velocity[2] - before, TC_C(0.03), TC_C(0.0), "fall");
}

/* A limb of one joint that slides upright: the impulse is its force, to the last figure. */
static void test_a_sliding_joint_weighs(void)
{
    feet_case_init(&plant, 1, 1);
    plant.robot.root = TC_ROBOT_FIXED;
    plant.links[0][0].joint = TC_CHAIN_PRISMATIC;
    plant.links[0][0].axis[0] = plant.links[0][0].axis[1] = TC_C(0.0);
    plant.links[0][0].axis[2] = TC_C(-1.0);
    configure();
    static const tc_real push[TC_ROBOT_LIMBS][3] = {{TC_C(0.0), TC_C(0.0), TC_C(20.0)}};
    plant.q[0][0] = TC_C(0.1);
    hold(push);
    begin();
    for (uint32_t t = 0; t < 200u; ++t) {
        update();
    }
    TEST_ASSERT_EQUAL_UINT32(1, estimate.foot[0].contact);
    test_near(TC_C(0.02), estimate.foot[0].impulse[2], TC_C(3e-4), TC_C(0.0), "impulse");
    test_near(TC_C(0.0), estimate.foot[0].impulse[0], TC_C(1e-6), TC_C(0.0), "across");
}

/* ---- The plant ------------------------------------------------------------------------------- */

static void test_robots_of_all_sizes(void)
{
    static const uint32_t shapes[][2] = {{4, 3}, {1, 3}, {2, 4}, {1, 5}, {2, 6}, {1, 7}, {3, 3}};
    for (uint32_t i = 0; i < TC_COUNT(shapes); ++i) {
        start(shapes[i][0], shapes[i][1], 7u + i);
        const tally t = run(TEST_ROUNDS_SLOW(1600), 100);
        TEST_ASSERT_TRUE_MESSAGE(t.landings > 0u, "lands");
        TEST_ASSERT_TRUE_MESSAGE(t.right * 100u > t.ticks * 97u, "contact");
        TEST_ASSERT_TRUE_MESSAGE(t.slip * 100u < t.stick * 8u, "stick as slip");
        TEST_ASSERT_TRUE_MESSAGE(t.impulse < 0.06 * t.size, "impulse");
        TEST_ASSERT_TRUE_MESSAGE(t.velocity < (shapes[i][0] > 1u ? 0.02 : 0.05), "velocity");
    }
}

void suite_feet(void)
{
    RUN_TEST(test_feet_at_rest_stick_with_their_force);
    RUN_TEST(test_free_fall_is_air);
    RUN_TEST(test_a_sliding_joint_weighs);
    RUN_TEST(test_robots_of_all_sizes);
}
