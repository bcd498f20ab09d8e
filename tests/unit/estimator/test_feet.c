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
    uint32_t ticks, right, stick, slip, landings;
    double impulse, size, velocity;
    double sums[TC_ROBOT_LIMBS][2][3]; /* of the impulses of some ticks: estimated, true */
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
    t->stick += mode == 1u;
    t->slip += mode == 1u && foot->p[2] > TC_C(0.5);
}

/* Impulses of 25 ticks: in one alone a landing is known to half its size */
static void count_impulse(tally *t, uint32_t k)
{
    for (uint32_t i = 0; i < 3u; ++i) {
        double *const told = &t->sums[k][0][i], *const was = &t->sums[k][1][i];
        *told += (double)estimate.foot[k].impulse[i];
        *was += (double)plant.impulse[k][i];
        if (plant.tick % 25u == 0u) {
            t->impulse += (*told - *was) * (*told - *was);
            t->size += *was * *was;
            *told = *was = 0.0;
        }
    }
}

static tally run(uint32_t ticks, uint32_t skip)
{
    tally t = {.ticks = 0};
    for (uint32_t now = 0; now < ticks; ++now) {
        uint32_t before[TC_ROBOT_LIMBS];
        memcpy(before, plant.mode, sizeof before);
        tick();
        if (now >= skip) {
            for (uint32_t k = 0; k < plant.robot.limbs; ++k) {
                count_foot(&t, k, before[k]);
                count_impulse(&t, k);
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
        TEST_ASSERT_TRUE(estimate.foot[k].since > TC_C(0.2));
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

/* A limb alone does not tell slip from a motion of its base: there only contact and impulse count. */
static void test_robots_of_all_sizes(void)
{
    static const uint32_t shapes[][2] = {{4, 3}, {1, 3}, {2, 4}, {1, 5},
                                         {2, 6}, {1, 7}, {3, 3}, {4, 7}};
    const uint32_t ticks = 1000u + TEST_ROUNDS_SLOW(600);
    for (uint32_t i = 0; i < TC_COUNT(shapes); ++i) {
        start(shapes[i][0], shapes[i][1], 7u + i);
        const tally t = run(ticks, 100);
        TEST_ASSERT_TRUE_MESSAGE(t.landings > 0u, "lands");
        TEST_ASSERT_TRUE_MESSAGE(t.right * 100u > t.ticks * 94u, "contact");
        TEST_ASSERT_TRUE_MESSAGE(t.impulse < 0.02 * t.size, "impulse");
        if (shapes[i][0] > 1u && shapes[i][1] < 7u) {
            TEST_ASSERT_TRUE_MESSAGE(t.slip * 100u <= t.stick * 8u, "stick as slip");
            TEST_ASSERT_TRUE_MESSAGE(t.velocity < 0.03, "velocity");
        }
    }
}

/* Heading is arbitrary: with all attitudes turned about z, vectors turn and nothing else changes. */
static void test_heading_does_not_matter(void)
{
    static tc_feet_estimate straight[40];
    const tc_real half = tc_sqrt(TC_C(0.5)), turn[4] = {half, TC_C(0.0), TC_C(0.0), half};
    for (uint32_t turned = 0; turned < 2u; ++turned) {
        start(4, 3, 21);
        for (uint32_t t = 0; t < 600u; ++t) {
            feet_case_tick(&plant, &sensors);
            if (turned != 0u) {
                const tc_real *const q = sensors.attitude;
                const tc_real product[4] = {
                    turn[0] * q[0] - turn[3] * q[3], turn[0] * q[1] - turn[3] * q[2],
                    turn[0] * q[2] + turn[3] * q[1], turn[0] * q[3] + turn[3] * q[0]};
                memcpy(sensors.attitude, product, sizeof product);
            }
            update();
            if (t % 15u != 14u) {
                continue;
            }
            if (turned == 0u) {
                straight[t / 15u] = estimate;
                continue;
            }
            const tc_feet_estimate *const was = &straight[t / 15u];
            test_near(-was->velocity[1], estimate.velocity[0], TC_C(2e-3), TC_C(0.0), "x");
            test_near(was->velocity[0], estimate.velocity[1], TC_C(2e-3), TC_C(0.0), "y");
            for (uint32_t k = 0; k < 4u; ++k) {
                test_near(was->foot[k].p[0], estimate.foot[k].p[0], TC_C(0.05), TC_C(0.0), "p");
                test_near(-was->foot[k].impulse[1], estimate.foot[k].impulse[0], TC_C(5e-3),
                          TC_C(0.05), "impulse");
            }
        }
    }
}

/* Limbs have no order. */
static void test_order_of_limbs_does_not_matter(void)
{
    static tc_feet_sensors all;
    tc_real p[4] = {TC_C(0.0)};
    uint32_t landed = 0;
    for (uint32_t swapped = 0; swapped < 2u; ++swapped) {
        start(4, 3, 22);
        if (swapped != 0u) {
            const tc_robot_limb first = plant.limb[0];
            plant.limb[0] = plant.limb[3];
            plant.limb[3] = first;
        }
        for (uint32_t t = 0; t < 500u; ++t) {
            if (swapped != 0u) { /* the plant has its own order */
                const tc_robot_limb first = plant.limb[0];
                plant.limb[0] = plant.limb[3];
                plant.limb[3] = first;
            }
            feet_case_tick(&plant, &all);
            sensors = all;
            if (swapped != 0u) {
                const tc_robot_limb first = plant.limb[0];
                plant.limb[0] = plant.limb[3];
                plant.limb[3] = first;
                memcpy(sensors.encoder[0], all.encoder[3], sizeof all.encoder[0]);
                memcpy(sensors.encoder[3], all.encoder[0], sizeof all.encoder[0]);
                memcpy(sensors.torque[0], all.torque[3], sizeof all.torque[0]);
                memcpy(sensors.torque[3], all.torque[0], sizeof all.torque[0]);
            }
            if (t == 0u) {
                begin();
            }
            update();
            landed += estimate.foot[1].contact;
        }
        for (uint32_t k = 0; k < 4u; ++k) {
            const uint32_t from = swapped != 0u && k % 3u == 0u ? 3u - k : k;
            const tc_real found = estimate.foot[from].p[0];
            test_near(swapped != 0u ? p[k] : found, found, TC_C(0.02), TC_C(0.0), "p");
            p[k] = found;
        }
    }
    TEST_ASSERT_TRUE(landed > 0u);
}

/* All feet press on the floor, under a base that hardly moves. */
static void stand(void)
{
    plant.sway[0] = plant.sway[1] = TC_C(0.004);
    plant.sway[2] = TC_C(0.0);
    plant.tilt = TC_C(0.01);
    plant.lift = TC_C(0.0);
    plant.height -= TC_C(0.04);
    plant.stiffness = TC_C(250.0);
}

/* ---- What is identified ---------------------------------------------------------------------- */

static void test_gains_are_identified_in_the_air(void)
{
    static const tc_real gains[3] = {TC_C(1.12), TC_C(0.9), TC_C(1.1)};
    double impulse[2];
    for (uint32_t known = 0; known < 2u; ++known) {
        start(2, 3, 31);
        memcpy(plant.gain, gains, sizeof gains);
        config.torque_gain = known != 0u ? TC_C(0.1) : TC_C(0.0);
        begin();
        const tally t = run(3200, 1200);
        impulse[known] = sqrt(t.impulse / t.size);
    }
    const tci_feet_limb *const l = tci_feet_limb_of(&f, 0);
    test_near(TC_C(1.0) / gains[1], l->scale[1], TC_C(0.03), TC_C(0.0), "hip");
    test_near(TC_C(1.0) / gains[2], l->scale[2], TC_C(0.03), TC_C(0.0), "knee");
    TEST_ASSERT_TRUE(l->scale_variance[1] < TC_C(1e-3));
    TEST_ASSERT_TRUE(impulse[1] < 0.75 * impulse[0]);
}

static void test_encoder_noise_is_followed(void)
{
    for (uint32_t loud = 1; loud < 10u; loud += 8u) {
        start(2, 3, 32);
        plant.noise = (tc_real)loud;
        (void)run(1200, 1000);
        /* jitter of 3e-5 and rounding of 9.6e-5 / sqrt(12) */
        const tc_real seen =
            tc_sqrt((tc_real)(loud * loud) * TC_C(9e-10) + TC_C(7.66e-10)) / TC_C(2.768e-5);
        test_near(seen, f.noise, TC_C(0.0), TC_C(0.25), "noise");
        TEST_ASSERT_EQUAL_UINT32(loud > 1u ? TC_FEET_DEGRADED : 0u,
                                 estimate.flags & TC_FEET_DEGRADED);
    }
}

static void test_slope_is_found(void)
{
    start(4, 3, 33);
    plant.sway[0] = plant.sway[1] = plant.sway[2] = TC_C(0.004);
    plant.height -= TC_C(0.05); /* feet stand, and step in turn */
    plant.lift = TC_C(0.6);
    plant.slope[0] = TC_C(0.12);
    plant.slope[1] = TC_C(-0.06);
    plant.friction = TC_C(0.9);
    (void)run(2500, 2400);
    test_near(plant.slope[0], estimate.slope[0], TC_C(0.035), TC_C(0.0), "along x");
    test_near(plant.slope[1], estimate.slope[1], TC_C(0.035), TC_C(0.0), "along y");
}

static void test_friction_of_a_sliding_foot(void)
{
    uint32_t seen = 0;
    double sum = 0.0;
    start(4, 3, 34);
    plant.friction = TC_C(0.15);
    for (uint32_t t = 0; t < 1600u; ++t) {
        tick();
        for (uint32_t k = 0; k < 4u; ++k) {
            if (t > 400u && plant.mode[k] == 2u && estimate.foot[k].p[2] > TC_C(0.9)
                && estimate.foot[k].since > TC_C(0.03)) {
                sum += (double)estimate.foot[k].friction;
                ++seen;
            }
        }
    }
    TEST_ASSERT_TRUE(seen > 50u);
    test_near(TC_C(0.15), (tc_real)(sum / seen), TC_C(0.08), TC_C(0.0), "friction");
}

/* A base with a wrong velocity makes all feet seem to slip; it comes back, as it does not without doubt. */
static void test_a_wrong_base_is_doubted(void)
{
    double left[2];
    for (uint32_t doubt = 0; doubt < 2u; ++doubt) {
        start(4, 3, 35);
        stand();
        config.doubt = doubt != 0u ? TC_C(0.3) : TC_C(0.0);
        begin();
        uint32_t flagged = 0;
        for (uint32_t t = 0; t < 800u; ++t) {
            tick();
            flagged += (estimate.flags & TC_FEET_DOUBTED) != 0u;
            if (t == 400u) {
                f.velocity[0] += TC_C(0.5);
                f.velocity_covariance[0] = TC_C(1e-6);
                flagged = 0;
            }
        }
        left[doubt] = fabs((double)(estimate.velocity[0] - plant.velocity[0]));
        TEST_ASSERT_TRUE(flagged > 0u);
    }
    TEST_ASSERT_TRUE(left[0] > 0.3);
    TEST_ASSERT_TRUE(left[1] < 0.05);
}

/* ---- Optional sensors ------------------------------------------------------------------------ */

/* Without attitude the gyro turns it and the accelerometer levels it; heading begins at 0. */
static void test_attitude_is_integrated(void)
{
    tc_real R[9], truth[9];
    start(4, 3, 41);
    plant.sway[0] = plant.sway[1] =
        TC_C(0.0); /* a start from rest: the first accelerations point up */
    feet_case_tick(&plant, &sensors);
    sensors.given = 0;
    begin();
    uint32_t right = 0, ticks = 0;
    for (uint32_t t = 0; t < 1500u; ++t) {
        feet_case_tick(&plant, &sensors);
        tc_vec_rotation(sensors.attitude, truth);
        sensors.given = 0;
        memset(sensors.attitude, 0, sizeof sensors.attitude);
        update();
        tc_vec_rotation(f.attitude, R);
        for (uint32_t i = 6; i < 9u; ++i) { /* where up is, in IMU axes */
            test_near(truth[i], R[i], TC_C(0.03), TC_C(0.0), "up");
        }
        for (uint32_t k = 0; k < 4u; ++k) {
            right += (estimate.foot[k].contact != 0u) == (plant.mode[k] != 0u);
            ++ticks;
        }
    }
    TEST_ASSERT_TRUE(right * 100u > ticks * 94u);
}

/* A limb alone on a base whose velocity is measured knows slip. */
static void test_base_velocity_tells_slip(void)
{
    uint32_t wrong = 0, sticks = 0;
    start(1, 3, 42);
    for (uint32_t t = 0; t < 1600u; ++t) {
        feet_case_tick(&plant, &sensors);
        for (uint32_t i = 0; i < 3u; ++i) {
            sensors.base_velocity[i] = plant.velocity[i];
            sensors.base_velocity_variance[i] = TC_C(4e-4);
        }
        sensors.given |= TC_FEET_BASE_VELOCITY;
        update();
        test_near(plant.velocity[0], estimate.velocity[0], TC_C(0.02), TC_C(0.0), "x");
        test_near(plant.velocity[2], estimate.velocity[2], TC_C(0.06), TC_C(0.0), "z");
        if (plant.mode[0] == 1u) {
            ++sticks;
            wrong += estimate.foot[0].p[2] > TC_C(0.5);
        }
    }
    TEST_ASSERT_TRUE(sticks > 100u);
    TEST_ASSERT_TRUE(wrong * 100u < sticks * 12u);
}

/* A touch sensor moves the odds by what it is worth, and one that says neither by nothing. */
static void test_touch_sensors_count(void)
{
    tc_real odds[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        start(2, 3, 43);
        (void)run(60, 0);
        feet_case_tick(&plant, &sensors);
        sensors.given |= TC_FEET_TOUCH(1);
        sensors.touch[1] = TC_C(0.5) * (tc_real)i;
        update();
        odds[i] = estimate.foot[1].p[0] / (estimate.foot[1].p[1] + estimate.foot[1].p[2]);
    }
    test_near(TC_C(9.0), odds[0] / odds[1], TC_C(0.0), TC_C(0.05), "air");
    test_near(TC_C(9.0), odds[1] / odds[2], TC_C(0.0), TC_C(0.05), "contact");
}

/* A tick that took twice as long, and says so, moves the base as two. */
static void test_a_measured_tick(void)
{
    static const tc_real nothing[TC_ROBOT_LIMBS][3];
    feet_case_init(&plant, 1, 3);
    configure();
    hold(nothing);
    memset(sensors.torque, 0, sizeof sensors.torque);
    memset(sensors.accel, 0, sizeof sensors.accel);
    begin();
    sensors.given |= TC_FEET_STEP;
    sensors.step = TC_C(0.002);
    for (uint32_t t = 0; t < 20u; ++t) {
        update();
    }
    test_near(TC_C(-0.3924), estimate.velocity[2], TC_C(0.02), TC_C(0.0), "fall");
    TEST_ASSERT_TRUE(estimate.foot[0].since < TC_C(-0.035));
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static void test_feet_bits_are_the_same_everywhere(void)
{
    uint32_t hash = TEST_HASH_START;
    static const uint32_t shapes[3][2] = {{4, 3}, {1, 7}, {2, 2}};
    for (uint32_t i = 0; i < 3u; ++i) {
        start(shapes[i][0], shapes[i][1], 51u + i);
        for (uint32_t t = 0; t < 150u; ++t) {
            feet_case_tick(&plant, &sensors);
            sensors.given = i == 1u ? 0u : sensors.given;
            update();
            for (uint32_t k = 0; k < shapes[i][0]; ++k) {
                hash = test_hash(hash, estimate.foot[k].p, 3);
                hash = test_hash(hash, estimate.foot[k].impulse, 3);
                hash = test_hash(hash, estimate.foot[k].slip, 2);
            }
            hash = test_hash(hash, estimate.velocity, 3);
        }
        hash = test_hash(hash, state, TC_FEET_STATE(shapes[i][0]));
    }
    test_golden("feet", hash);
}

void suite_feet(void)
{
    RUN_TEST(test_feet_at_rest_stick_with_their_force);
    RUN_TEST(test_free_fall_is_air);
    RUN_TEST(test_a_sliding_joint_weighs);
    RUN_LONG_TEST(test_robots_of_all_sizes);
    RUN_LONG_TEST(test_heading_does_not_matter);
    RUN_LONG_TEST(test_order_of_limbs_does_not_matter);
    RUN_LONG_TEST(test_gains_are_identified_in_the_air);
    RUN_LONG_TEST(test_encoder_noise_is_followed);
    RUN_LONG_TEST(test_slope_is_found);
    RUN_LONG_TEST(test_friction_of_a_sliding_foot);
    RUN_LONG_TEST(test_a_wrong_base_is_doubted);
    RUN_LONG_TEST(test_attitude_is_integrated);
    RUN_TEST(test_base_velocity_tells_slip);
    RUN_TEST(test_touch_sensors_count);
    RUN_TEST(test_a_measured_tick);
    RUN_TEST(test_feet_bits_are_the_same_everywhere);
}
