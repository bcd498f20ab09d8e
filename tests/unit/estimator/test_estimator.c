/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact estimator: cases whose answer is known in closed form, and the plant of leg_case.h,
 * whose truth is known. How good it is on simulated robots is measured by tools/tinycontact/hil;
 * here stands what must never break.
 */
#include "learned2_case.h"
#include "leg_case.h"
#include "model_bytes.h"

#include "tc_estimator_internal.h"

#include <math.h>

static leg_case plant;
static tc_estimator_config config;
static tc_estimator e;
static tc_real state[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)], work[TC_ESTIMATOR_WORK(TC_LEG_JOINTS, 0)];
static tc_estimator_sensors sensors;
static tc_estimator_estimate estimate;

static void begin(void)
{
    config = tc_estimator_default();
    TEST_ASSERT_EQUAL_INT(
        TC_OK, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors, state, TC_COUNT(state)));
}

static void start(uint32_t joints, uint32_t root, uint32_t seed)
{
    leg_case_init(&plant, joints, root);
    plant.random = seed;
    leg_case_tick(&plant, &sensors);
    begin();
}

static void update(void)
{
    TEST_ASSERT_EQUAL_INT(TC_OK,
                          tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work)));
}

static void tick(void)
{
    leg_case_tick(&plant, &sensors);
    update();
}

/* ---- Known answers --------------------------------------------------------------------------- */

static void test_free_fall_is_air(void)
{
    start(2, TC_LEG_RAIL, 5);
    plant.noise = plant.bob = TC_C(0.0);
    memset(sensors.accel, 0, sizeof sensors.accel);
    memset(sensors.torque, 0, sizeof sensors.torque);
    begin();
    tc_real velocity = TC_C(0.0);
    for (uint32_t k = 0; k < 200u; k++) {
        velocity = k == 100u ? e.vertical[1] : velocity;
        update();
    }
    TEST_ASSERT_TRUE(estimate.p[0] > TC_C(0.99));
    TEST_ASSERT_EQUAL_UINT32(0, estimate.contact);
    test_near(TC_C(0.0), estimate.impulse[1], TC_C(1e-5), TC_C(0.0), "impulse");
    test_near(TC_C(-0.981), e.vertical[1] - velocity, TC_C(0.02), TC_C(0.0),
              "acceleration of the base");
}

/* A leg that rests on its foot under the torques that carry a force: every tick has the impulse of
 * that force. */
static void test_a_foot_at_rest_is_static(void)
{
    const tc_real push[2] = {TC_C(3.0), TC_C(25.0)};
    const tc_leg_base base = {.cosine = TC_C(1.0), .force = {TC_C(0.0), TC_C(9.81)}};
    tc_leg_motion m;
    start(2, TC_LEG_FIXED, 5);
    tc_leg_move(&plant.leg, &base, plant.q, plant.qd, &m);
    for (uint32_t i = 0; i < 2u; i++) {
        sensors.encoder[i] = plant.q[i];
        plant.qd[i] = TC_C(0.0);
    }
    tc_leg_move(&plant.leg, &base, plant.q, plant.qd, &m);
    for (uint32_t i = 0; i < 2u; i++) {
        sensors.torque[i] = m.bias[i] - m.J[i] * push[0] - m.J[2u + i] * push[1];
    }
    sensors.accel[0] = TC_C(0.0);
    sensors.accel[1] = TC_C(9.81);
    begin();
    for (uint32_t k = 0; k < 100u; k++) {
        update();
    }
    TEST_ASSERT_TRUE(estimate.p[1] > TC_C(0.9));
    TEST_ASSERT_EQUAL_UINT32(1, estimate.contact);
    test_near(TC_C(0.003), estimate.impulse[0], TC_C(3e-4), TC_C(0.0), "impulse along the floor");
    test_near(TC_C(0.025), estimate.impulse[1], TC_C(3e-4), TC_C(0.0), "impulse along the normal");
    test_near(TC_C(0.0), estimate.slip, TC_C(0.01), TC_C(0.0), "slip");
    TEST_ASSERT_TRUE(estimate.since > TC_C(0.05));
    /* numbers that never change are no sensor's */
    TEST_ASSERT_TRUE((estimate.flags & TC_ESTIMATE_SATURATED) != 0u);
}

/* A leg on a fixed base swings before it has met any floor. Catches: a floor taken to lie at the
 * base's height, which the foot is then due to meet in every tick in which it goes down. */
static void test_a_fixed_base_knows_no_floor_at_first(void)
{
    const tc_leg_base base = {.cosine = TC_C(1.0), .force = {TC_C(0.0), TC_C(9.81)}};
    tc_leg_motion m;
    start(1, TC_LEG_FIXED, 16);
    test_seed(17);
    for (uint32_t k = 0; k < 2000u; k++) {
        tc_real sine, cosine;
        tc_sincos(TC_C(0.02) * (tc_real)k, &sine, &cosine);
        const tc_real q = TC_C(0.5) + TC_C(0.4) * cosine, qd = TC_C(-8.0) * sine,
                      qdd = TC_C(-160.0) * cosine;
        tc_leg_move(&plant.leg, &base, &q, &qd, &m);
        sensors.encoder[0] = q + test_uniform(TC_C(-1e-4), TC_C(1e-4));
        sensors.torque[0] = m.bias[0] + m.M[0] * qdd + test_uniform(TC_C(-0.1), TC_C(0.1));
        sensors.accel[1] = TC_C(9.81) + test_uniform(TC_C(-0.1), TC_C(0.1));
        if (k == 0u) {
            begin();
        }
        update();
        TEST_ASSERT_EQUAL_UINT32(0, estimate.contact);
        TEST_ASSERT_TRUE(estimate.p[0] > TC_C(0.9));
    }
}

/* ---- Against the plant's truth --------------------------------------------------------------- */

/* Share of ticks whose class is the plant's, two ticks round its changes left out, after a second
 * of learning */
static tc_real agreement(uint32_t ticks, uint32_t lost_every)
{
    uint32_t right = 0, judged = 0, same = 0, last = 3, before = 3;
    for (uint32_t k = 0; k < ticks; k++) {
        leg_case_tick(&plant, &sensors);
        const uint32_t truth = before; /* of the tick before: a new mode shows a tick later */
        same = plant.mode == last ? same + 1u : 0u;
        before = last = plant.mode;
        if (lost_every != 0u && k % lost_every == 1u) {
            continue;
        }
        sensors.lost = lost_every != 0u && k % lost_every == 2u;
        update();
        const uint32_t class_ = estimate.contact == 0u          ? 0u
                                : estimate.p[2] > estimate.p[1] ? 2u
                                                                : 1u;
        if (k > ticks / 2u && same > 4u && truth == plant.mode) {
            judged++;
            right += class_ == truth;
        }
    }
    TEST_ASSERT_TRUE(judged > ticks / 6u);
    return (tc_real)right / (tc_real)judged;
}

static void test_modes_are_those_of_the_plant(void)
{
    start(2, TC_LEG_RAIL, 7);
    const tc_real rail = agreement(800, 0);
    start(2, TC_LEG_FLOATING, 8);
    const tc_real floating = agreement(800, 0);
    test_near(TC_C(1.0), rail, TC_C(0.04), TC_C(0.0), "on a rail");
    test_near(TC_C(1.0), floating, TC_C(0.06), TC_C(0.0), "floating");
}

static void test_other_numbers_of_joints(void)
{
    static const uint32_t joints[2] = {3, 4};
    for (uint32_t i = 0; i < 2u; i++) {
        start(joints[i], TC_LEG_FLOATING, 9);
        test_near(TC_C(1.0), agreement(500, 0), TC_C(0.12), TC_C(0.0), "class");
    }
}

static void test_lost_frames_are_bridged(void)
{
    start(2, TC_LEG_FLOATING, 10);
    test_near(TC_C(1.0), agreement(800, 10), TC_C(0.08), TC_C(0.0), "class");
}

static void test_many_lost_frames_begin_anew(void)
{
    start(2, TC_LEG_RAIL, 11);
    for (uint32_t k = 0; k < 100u; k++) {
        tick();
    }
    for (uint32_t k = 0; k < 300u; k++) {
        leg_case_tick(&plant, &sensors);
    }
    sensors.lost = 300;
    update();
    TEST_ASSERT_TRUE((estimate.flags & TC_ESTIMATE_LOST) != 0u);
    test_near(TC_C(1.0), agreement(840, 0), TC_C(0.06), TC_C(0.0), "class");
}

/* Joint accelerations and the foot's force are low passes, of 10 and 5 ms, that a longer gap passes
 * whole. Catches: a gain of theirs beyond 1. */
static void test_filters_follow_a_gap_at_most_whole(void)
{
    const uint32_t gaps[] = {0, 3, 9, 14};
    start(2, TC_LEG_FLOATING, 12);
    for (uint32_t k = 0; k < TC_COUNT(gaps); k++) {
        for (uint32_t i = 0; i < 20u; i++) {
            tick();
        }
        const tc_estimator before = e;
        const tc_real time = config.step * (tc_real)(gaps[k] + 1u);
        const tc_real pace = time < TC_C(0.01) ? time / TC_C(0.01) : TC_C(1.0);
        const tc_real force_pace = time < TC_C(0.005) ? time / TC_C(0.005) : TC_C(1.0);
        for (uint32_t i = 0; i < gaps[k]; i++) {
            leg_case_tick(&plant, &sensors);
        }
        leg_case_tick(&plant, &sensors);
        sensors.lost = gaps[k];
        update();
        for (uint32_t i = 0; i < 2u; i++) {
            const tc_real seen = (e.rate[i] - before.rate[i]) / time;
            test_near(before.rate_change[i] + pace * (seen - before.rate_change[i]),
                      e.rate_change[i], TC_C(1e-3), TC_C(1e-5), "acceleration");
            test_near(before.force[i] + force_pace * (estimate.impulse[i] / time - before.force[i]),
                      e.force[i], TC_C(1e-3), TC_C(1e-5), "force");
        }
    }
}

/* The impulse of whole contacts: sums over a bout of the plant's hops */
static void test_impulses_add_up(void)
{
    tc_real truth = TC_C(0.0), sum = TC_C(0.0), variance = TC_C(0.0);
    start(2, TC_LEG_RAIL, 12);
    for (uint32_t k = 0; k < 840u; k++) {
        tick();
        truth += plant.impulse[1];
        sum += estimate.impulse[1];
        variance += estimate.impulse_variance[1];
    }
    test_near(truth, sum, TC_C(0.0), TC_C(0.05), "impulse");
    TEST_ASSERT_TRUE(variance > TC_C(0.0));
}

/* Sensors that say 5 % too much and too little are found out in the air, to a part of what is
 * allowed for. */
static void test_torque_gains_are_identified(void)
{
    const tc_real allowed = tc_estimator_default().torque_gain;
    start(2, TC_LEG_FLOATING, 13);
    plant.gain[0] = TC_C(1.05);
    plant.gain[1] = TC_C(0.95);
    for (uint32_t k = 0; k < 2000u; k++) {
        tick();
    }
    for (uint32_t i = 0; i < 2u; i++) {
        test_near(TC_C(1.0), e.scale[i] * plant.gain[i], TC_C(0.015), TC_C(0.0), "torque");
        TEST_ASSERT_TRUE(e.scale_variance[i] < TC_C(0.1) * allowed * allowed);
    }
}

/* Four times the noise that sensors have shows in both trackers; white noise of deviation s has the
 * median 3.02 s in its third differences, and what moves is hardly seen there. */
static void test_noise_of_sensors_is_followed(void)
{
    const tc_real *const encoder = state + TC_ESTIMATOR_MODES * TC_ESTIMATOR_HYPOTHESIS(2u),
                         *const torque = encoder + 8;
    start(2, TC_LEG_FLOATING, 16);
    plant.noise = TC_C(4.0);
    for (uint32_t k = 0; k < 800u; k++) {
        tick();
    }
    for (uint32_t i = 0; i < 2u; i++) {
        test_near(TC_C(1.2e-4), encoder[4u * i + 3u] / TC_C(3.02), TC_C(0.0), TC_C(0.3), "encoder");
        test_near(TC_C(0.2), torque[4u * i + 3u] / TC_C(3.02), TC_C(0.0), TC_C(0.3), "torque");
    }
}

/* A window of 16 ticks in which one torque acts on an inertia of 1 that turns `part` as fast as it
 * should; after the last the foot is in the air with the probability `flies` */
static void gain_window(tc_real part, tc_real flies)
{
    tc_real M[4] = {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)}, none[2] = {TC_C(0.0)},
            mean[4] = {TC_C(0.0)};
    tci_estimator_bank_tick t;
    memset(&t, 0, sizeof t);
    memset(state, 0, sizeof state);
    memset(e.rate, 0, sizeof e.rate);
    t.sensors = &sensors;
    t.mean = mean;
    t.step = config.step;
    t.motion.M = M;
    t.motion.bias = none;
    t.torque_noise = config.torque_noise;
    e.ticks = 4;
    sensors.torque[0] = TC_C(2.0);
    sensors.torque[1] = TC_C(0.0);
    for (uint32_t k = 0; k <= 16u; k++) {
        e.p[TC_MODE_AIR] = k == 0u ? TC_C(0.0) : k == 16u ? flies : TC_C(1.0); /* a window begins */
        tci_estimator_gain_follow(&e, &t);
        e.rate[0] = mean[2];
        mean[2] += part * sensors.torque[0] * t.step;
    }
}

/* A window weighs as a measurement of its scale with the variance of the torque's noise; one that
 * met the floor, or that no gain explains, does not count. */
static void test_a_window_tells_a_torques_scale(void)
{
    start(2, TC_LEG_RAIL, 14);
    const tc_real push = TC_C(16.0) * TC_C(2.0) * config.step,
                  noise = config.torque_noise[0] * config.step;
    const tc_real prior = config.torque_gain * config.torque_gain, R = noise * noise * TC_C(80.0);
    const tc_real gain = prior * push / (push * push * prior + R);
    gain_window(TC_C(1.03), TC_C(0.5));
    gain_window(TC_C(1.5), TC_C(1.0));
    TEST_ASSERT_TRUE(e.scale[0] == TC_C(1.0));
    gain_window(TC_C(1.03), TC_C(1.0));
    test_near(TC_C(1.0) + gain * TC_C(0.03) * push, e.scale[0], TC_C(1e-5), TC_C(0.0), "scale");
    test_near(prior * (TC_C(1.0) - gain * push), e.scale_variance[0], prior * TC_C(1e-4), TC_C(0.0),
              "variance");
    TEST_ASSERT_TRUE(e.scale[1] == TC_C(1.0));
}

/* A base that hangs at rest, its leg held still, looks like a leg that stands, but for the height
 * of its foot: whatever was believed, contact does not last there. */
static void test_a_foot_that_hangs_far_above_its_floor_is_in_the_air(void)
{
    const tc_leg_base base = {.cosine = TC_C(1.0)};
    tc_leg_motion m;
    tci_estimator_bank_tick first = {0};
    start(2, TC_LEG_RAIL, 15);
    tc_leg_move(&plant.leg, &base, plant.q, plant.qd, &m);
    memcpy(first.motion.foot, m.foot, sizeof m.foot);
    tci_estimator_base_land(&e, &first);
    plant.bob = TC_C(0.0);
    plant.noise = TC_C(3.0);
    plant.height += TC_C(0.1);
    e.vertical[0] += TC_C(0.1);
    for (uint32_t k = 0; k < 300u; k++) {
        tick();
        TEST_ASSERT_EQUAL_UINT32(0, estimate.contact);
    }
    memcpy(state + TC_MODE_STICK * TC_ESTIMATOR_HYPOTHESIS(2u), state,
           TC_ESTIMATOR_HYPOTHESIS(2u) * sizeof *state);
    e.p[TC_MODE_STICK] = TC_C(0.8);
    e.p[TC_MODE_AIR] = TC_C(0.2);
    tick();
    TEST_ASSERT_TRUE(estimate.p[0] > TC_C(0.5));
}

/* ---- Properties ------------------------------------------------------------------------------ */

/* P = L L^T exists for every hypothesis, up to rounding: no pivot below -1e-4 of what stood
 * there */
static void check_covariances(uint32_t n)
{
    const uint32_t N = 2u * n;
    const tc_real *P = state;
    for (uint32_t k = 0; k < TC_ESTIMATOR_MODES; k++) {
        double A[4u * TC_LEG_JOINTS * TC_LEG_JOINTS], diagonal[2u * TC_LEG_JOINTS];
        P += N;
        for (uint32_t i = 0; i < N; i++) {
            for (uint32_t j = i; j < N; j++) {
                A[i * N + j] = A[j * N + i] = (double)*P++;
            }
            diagonal[i] = A[i * N + i];
        }
        for (uint32_t i = 0; i < N; i++) {
            TEST_ASSERT_TRUE_MESSAGE(diagonal[i] > 0.0, "a variance is not positive");
            TEST_ASSERT_TRUE_MESSAGE(A[i * N + i] > -1e-4 * diagonal[i],
                                     "a covariance is not positive definite");
            for (uint32_t j = i + 1u; A[i * N + i] > 0.0 && j < N; j++) {
                for (uint32_t l = j; l < N; l++) {
                    A[j * N + l] -= A[i * N + j] * A[i * N + l] / A[i * N + i];
                }
            }
        }
    }
}

static void check_estimate(void)
{
    const tc_real numbers[11] = {estimate.p[0],
                                 estimate.p[1],
                                 estimate.p[2],
                                 estimate.impulse[0],
                                 estimate.impulse[1],
                                 estimate.impulse_variance[0],
                                 estimate.impulse_variance[1],
                                 estimate.slip,
                                 estimate.slip_variance,
                                 estimate.since,
                                 e.pitch};
    TEST_ASSERT_TRUE(tc_all_finite(numbers, 11));
    test_near(TC_C(1.0), estimate.p[0] + estimate.p[1] + estimate.p[2], TC_C(2e-6), TC_C(0.0),
              "sum of p");
    for (uint32_t i = 0; i < 3u; i++) {
        TEST_ASSERT_TRUE(estimate.p[i] >= TC_C(0.0));
    }
    TEST_ASSERT_TRUE(estimate.impulse_variance[0] >= TC_C(0.0)
                     && estimate.impulse_variance[1] >= TC_C(0.0)
                     && estimate.slip_variance >= TC_C(0.0));
    TEST_ASSERT_TRUE(e.vertical_covariance[0] >= TC_C(0.0) && e.vertical_covariance[3] >= TC_C(0.0)
                     && e.horizontal_covariance[0] >= TC_C(0.0));
}

static void test_estimates_are_lawful_in_sense_and_nonsense(void)
{
    for (uint32_t round = 0; round < 3u; round++) {
        start(2, TC_LEG_FLOATING, 20u + round);
        test_seed(31u + round);
        for (uint32_t k = 0; k < 200u; k++) {
            leg_case_tick(&plant, &sensors);
            if (round > 0u && test_below(20) == 0u) { /* wild, but within the ranges */
                const tc_real wild = round == 1u ? TC_C(3.0) : TC_C(3000.0);
                sensors.encoder[test_below(2)] += test_uniform(-wild, wild);
                sensors.torque[test_below(2)] += test_uniform(-wild, wild);
                sensors.accel[test_below(2)] += test_uniform(-wild, wild);
                sensors.gyro += test_uniform(-wild, wild);
                sensors.lost = test_below(3);
            }
            update();
            check_estimate();
            if (round < 2u) {
                check_covariances(2);
            }
        }
    }
}

/* A foot on the axis of its leg's only joint: no torque moves it and none tells of the floor.
 * Catches: the inverse of a W that is zero, handed on as an impulse. */
static void test_a_foot_that_cannot_move(void)
{
    for (uint32_t root = TC_LEG_FIXED; root <= TC_LEG_FLOATING; root++) {
        start(1, root, 25);
        plant.leg.foot[1] = -plant.links[0].arm[1];
        plant.leg.radius = TC_C(0.0);
        begin();
        for (uint32_t k = 0; k < 20u; k++) {
            tick();
            check_estimate();
        }
    }
}

/* Left and right are alike: a mirrored leg over a mirrored floor gives mirrored estimates. */
static void test_mirrored_legs_give_mirrored_estimates(void)
{
    static leg_case other;
    static tc_real other_state[TC_ESTIMATOR_STATE(2)];
    tc_estimator mirrored;
    tc_estimator_sensors seen;
    tc_estimator_estimate reflected;
    leg_case_init(&other, 2, TC_LEG_FLOATING);
    leg_case_mirror(&other);
    other.random = 41;
    leg_case_tick(&other, &seen);
    start(2, TC_LEG_FLOATING, 41);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_estimator_init(&mirrored, &config, &other.leg, NULL, &seen,
                                                   other_state, TC_COUNT(other_state)));
    for (uint32_t k = 0; k < 300u; k++) {
        tick();
        leg_case_tick(&other, &seen);
        TEST_ASSERT_TRUE(seen.encoder[1] == -sensors.encoder[1]
                         && seen.accel[0] == -sensors.accel[0]);
        TEST_ASSERT_EQUAL_INT(
            TC_OK, tc_estimator_update(&mirrored, &seen, &reflected, work, TC_COUNT(work)));
        for (uint32_t i = 0; i < 3u; i++) {
            test_near(estimate.p[i], reflected.p[i], TC_C(5e-3), TC_C(0.0), "p");
        }
        test_near(-estimate.impulse[0], reflected.impulse[0], TC_C(2e-4), TC_C(0.0),
                  "impulse along the floor");
        test_near(estimate.impulse[1], reflected.impulse[1], TC_C(2e-4), TC_C(0.0),
                  "impulse along the normal");
        test_near(-estimate.slip, reflected.slip, TC_C(2e-3), TC_C(0.0), "slip");
    }
}

/* A leg of three joints whose angles are negative begins anew no more often than its mirror image.
 * Catches: a variance that is looked for one too far, where the next hypothesis has an angle. */
static void test_signs_of_angles_are_sound(void)
{
    for (uint32_t side = 0; side < 2u; side++) {
        leg_case_init(&plant, 3, TC_LEG_FLOATING);
        if (side == 1u) {
            leg_case_mirror(&plant);
        }
        plant.random = 44;
        leg_case_tick(&plant, &sensors);
        begin();
        for (uint32_t k = 0; k < 60u; k++) {
            tick();
            TEST_ASSERT_EQUAL_UINT32(0, estimate.flags);
        }
    }
}

/* The arrays of a tick of two joints */
static void lay(tci_estimator_bank_tick *t, tc_real room[14])
{
    t->motion.M = room;
    t->motion.bias = room + 4;
    t->motion.J = room + 6;
    t->turned[0] = room + 10;
    t->turned[1] = room + 12;
}

/* Two joints through the unrolled text and through the loops: the same bits */
static void test_the_unrolled_bank_has_the_bits_of_the_loops(void)
{
    tc_real kept[TC_ESTIMATOR_STATE(2)], unrolled[TC_ESTIMATOR_STATE(2)], mean[5], again[5];
    tc_real room[14], other[14];
    const tc_real R[2] = {TC_C(2e-9), TC_C(2e-9)};
    tci_estimator_bank_tick t;
    start(2, TC_LEG_FLOATING, 45);
    for (uint32_t k = 0; k < 60u; k++) {
        tick();
        memcpy(kept, state, sizeof kept);
        memset(&t, 0, sizeof t);
        const tc_leg_base base = {.cosine = TC_C(1.0), .force = {TC_C(0.0), TC_C(9.81)}};
        mean[4] = again[4] = TC_C(7.0); /* behind the last */
        tci_estimator_bank_two.mean(&e, mean);
        tci_estimator_bank_many.mean(&e, again);
        TEST_ASSERT_TRUE(mean[4] == TC_C(7.0) && again[4] == TC_C(7.0));
        TEST_ASSERT_EQUAL_MEMORY(mean, again, sizeof mean);
        t.sensors = &sensors;
        t.R = R;
        t.torque_noise = config.torque_noise;
        t.mean = mean;
        t.step = config.step;
        t.noise = TC_C(1.0);
        t.base_variance[0] = t.base_variance[1] = t.friction = t.friction_spread = TC_C(0.01);
        lay(&t, room);
        tc_leg_look(&plant.leg, &base, sensors.encoder, mean + 2, &t.motion);
        for (uint32_t i = 0; i < TC_ESTIMATOR_MODES; i++) {
            t.own[i] = TC_C(0.9);
            t.pool[i] = t.air[i] = TC_C(0.05);
        }
        tci_estimator_bank_tick loops = t;
        lay(&loops, other);
        memcpy(other, room, sizeof room);
        tci_estimator_bank_two.prepare(&e, &t, work);
        tci_estimator_bank_two.move(&e, &t, work);
        memcpy(unrolled, state, sizeof kept);
        memcpy(state, kept, sizeof kept);
        tci_estimator_bank_many.prepare(&e, &loops, work);
        tci_estimator_bank_many.move(&e, &loops, work);
        TEST_ASSERT_EQUAL_MEMORY(unrolled, state, sizeof kept);
        TEST_ASSERT_EQUAL_MEMORY(t.likelihood, loops.likelihood, sizeof t.likelihood);
        TEST_ASSERT_EQUAL_UINT32(1, t.sound & loops.sound);
        tci_estimator_bank_two.start(&e, sensors.encoder);
        memcpy(unrolled, state, sizeof kept);
        tci_estimator_bank_many.start(&e, sensors.encoder);
        TEST_ASSERT_EQUAL_MEMORY(unrolled, state, sizeof kept);
        memcpy(state, kept, sizeof kept);
    }
}

/* ---- Optional sensors ------------------------------------------------------------------------ */

static void test_a_touch_sensor_is_believed_as_far_as_it_is_reliable(void)
{
    start(2, TC_LEG_FLOATING, 51);
    sensors.given |= TC_GIVEN_TOUCH;
    sensors.touch = TC_C(1.0);
    update();
    const tc_real touched = estimate.p[0];
    begin();
    sensors.touch = TC_C(0.0);
    update();
    const tc_real untouched = estimate.p[0], right = config.touch_reliability;
    const tc_real odds = touched / (TC_C(1.0) - touched) * right / (TC_C(1.0) - right);
    test_near(odds * right / (TC_C(1.0) - right), untouched / (TC_C(1.0) - untouched), TC_C(0.0),
              TC_C(1e-3), "odds");
}

/* Without a given angle the gyro is integrated, and what is wrong at the start is forgotten */
static void test_pitch_is_levelled(void)
{
    start(2, TC_LEG_FLOATING, 52);
    plant.sway = plant.tilt = TC_C(0.0);
    config.levelling = TC_C(0.1);
    e.pitch = TC_C(0.1);
    for (uint32_t k = 0; k < 600u; k++) {
        leg_case_tick(&plant, &sensors);
        sensors.given = 0;
        update();
    }
    test_near(TC_C(0.0), e.pitch, TC_C(0.01), TC_C(0.0), "pitch");
}

static void test_a_given_base_velocity_is_taken(void)
{
    start(2, TC_LEG_FLOATING, 53);
    for (uint32_t k = 0; k < 100u; k++) {
        leg_case_tick(&plant, &sensors);
        sensors.given |= TC_GIVEN_BASE_VELOCITY;
        sensors.base_velocity = TC_C(0.4);
        update();
    }
    test_near(TC_C(0.4), e.horizontal[0], TC_C(0.05), TC_C(0.0), "velocity");
}

/* ---- A law ----------------------------------------------------------------------------------- */

static tc_learned2_query asked;
static tc_real told_static, told_ratio;
static tc_status told;

static tc_status classify(const void *context, const tc_learned2_query *query, tc_real *probability,
                          tc_real *scratch)
{
    (void)context;
    scratch[1] = TC_C(0.0); /* its own */
    asked = *query;
    probability[0] = told_static;
    probability[1] = TC_C(0.9) - told_static;
    probability[2] = TC_C(0.1);
    return told;
}

static tc_status ratio(const void *context, const tc_learned2_query *query, tc_real *answer,
                       tc_real *scratch)
{
    (void)context;
    (void)query;
    (void)scratch;
    *answer = told_ratio;
    return TC_OK;
}

/* The probability of sticking (1) or sliding (2) a tick after the other was sure, by what the law
 * says in that tick. */
static tc_real changed_to(uint32_t kind, tc_real probability, tc_real friction, tc_status status)
{
    uint32_t settled = 0;
    start(2, TC_LEG_FLOATING, 55);
    const tc_estimator_foot foot = {{classify, ratio, NULL, 2}, plant.links[1].body};
    const tc_estimator_model law = tc_estimator_foot_model(&foot);
    TEST_ASSERT_EQUAL_INT(
        TC_OK, tc_estimator_init(&e, &config, &plant.leg, &law, &sensors, state, TC_COUNT(state)));
    told = TC_ERR_UNSUPPORTED;
    for (uint32_t k = 0; k < 2000u && settled < 5u; k++) {
        tick();
        settled = estimate.p[3u - kind] > TC_C(0.9) ? settled + 1u : 0u;
    }
    TEST_ASSERT_EQUAL_UINT32(5, settled);
    told_static = probability;
    told_ratio = friction;
    told = status;
    memset(&asked, 0, sizeof asked);
    leg_case_tick(&plant, &sensors);
    TEST_ASSERT_EQUAL_INT(TC_ERR_WORK, tc_estimator_update(&e, &sensors, &estimate, work,
                                                           TC_ESTIMATOR_WORK(2, 2) - 1u));
    TEST_ASSERT_EQUAL_INT(
        TC_OK, tc_estimator_update(&e, &sensors, &estimate, work, TC_ESTIMATOR_WORK(2, 2)));
    return estimate.p[kind];
}

/* Contradicted by the law a contact changes its kind more readily, either way; so does one whose
 * friction it explains better. An answer that cannot be is none. */
static void test_a_law_is_asked_and_heard(void)
{
    for (uint32_t kind = 1; kind < 3u; kind++) {
        const tc_real agrees = kind == 1u ? TC_C(0.01) : TC_C(0.89),
                      contradicts = TC_C(0.9) - agrees;
        const tc_real alone = changed_to(kind, contradicts, TC_C(0.5), TC_ERR_UNSUPPORTED);
        const tc_real heard = changed_to(kind, contradicts, TC_C(0.5), TC_OK);
        test_near(TC_C(-0.1) - plant.leg.radius, -asked.height * asked.gyration, TC_C(0.1),
                  TC_C(0.0), "height");
        test_near(asked.velocity[0] - asked.velocity[2] * -asked.height * asked.gyration,
                  asked.space.slip, TC_C(1e-4), TC_C(1e-4), "slip");
        test_near(asked.velocity[1] + asked.velocity[2] * asked.lever[0] * asked.gyration,
                  asked.space.approach[0], TC_C(1e-4), TC_C(1e-4), "approach");
        TEST_ASSERT_TRUE(heard > TC_C(2.0) * alone);
        TEST_ASSERT_TRUE(changed_to(kind, agrees, TC_C(0.5), TC_OK) < TC_C(1.5) * alone);
        TEST_ASSERT_TRUE(changed_to(kind, contradicts, TC_C(3.0), TC_OK) != heard);
        TEST_ASSERT_TRUE(changed_to(kind, contradicts, (tc_real)NAN, TC_OK) == alone);
        TEST_ASSERT_TRUE(changed_to(kind, TC_C(100.0), TC_C(0.5), TC_OK) == alone);
    }
}

/* Catches: a model taken for a leg of another last link, for another tick, or without nets for a
 * point. */
static void test_a_model_is_for_a_leg(void)
{
    static _Alignas(16) uint8_t blob[LEARNED2_BLOB_SIZE];
    static const tc_estimator_foot none;
    static tc_learned2_nets nets;
    tc_estimator_foot foot;
    tc_model model;
    test_seed(92);
    start(2, TC_LEG_FLOATING, 55);
    const uint32_t n = learned2_blob(blob);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_model_open(&model, blob, n));
    TEST_ASSERT_EQUAL_INT(TC_ERR_MODEL_MISMATCH,
                          tc_estimator_foot_open(&foot, &nets, &model, &plant.leg, TC_C(0.002)));
    TEST_ASSERT_EQUAL_MEMORY(&none, &foot, sizeof foot);
    plant.links[1].body = (tc_body2){.mass = TC_C(1.01), .inertia = TC_C(0.0045)};
    TEST_ASSERT_EQUAL_INT(TC_OK,
                          tc_estimator_foot_open(&foot, &nets, &model, &plant.leg, TC_C(0.002)));
    TEST_ASSERT_EQUAL_PTR(&nets, foot.model.context);
    TEST_ASSERT_TRUE(foot.body.mass == TC_C(1.01)
                     && foot.model.work_len == TC_LEARNED2_NETS_WORK(19));
    TEST_ASSERT_EQUAL_INT(TC_ERR_MODEL_MISMATCH,
                          tc_estimator_foot_open(&foot, &nets, &model, &plant.leg, TC_C(0.001)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_estimator_foot_open(NULL, &nets, &model, &plant.leg, TC_C(0.002)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_estimator_foot_open(&foot, NULL, &model, &plant.leg, TC_C(0.002)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_estimator_foot_open(&foot, &nets, NULL, &plant.leg, TC_C(0.002)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_estimator_foot_open(&foot, &nets, &model, NULL, TC_C(0.002)));
    blob[LEARNED2_CONTACT_AT + 6u] = 2u; /* edges alone */
    put32(blob + LEARNED2_CONTACT_AT + 36u, 0u);
    put32(blob + LEARNED2_CONTACT_AT + 48u, 0u);
    repair_crc(blob, n);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_model_open(&model, blob, n));
    TEST_ASSERT_EQUAL_INT(TC_ERR_MODEL_MISMATCH,
                          tc_estimator_foot_open(&foot, &nets, &model, &plant.leg, TC_C(0.002)));
    TEST_ASSERT_EQUAL_MEMORY(&none, &foot, sizeof foot);
}

/* ---- Records --------------------------------------------------------------------------------- */

/* What is written is read, to the bit; cut off anywhere, or with another head, it is refused.
 * Catches: a field that is written and read wrongly in the same way. */
static void test_records_come_back(void)
{
    static const tc_estimator_record zero;
    static tc_estimator_record read;
    static uint8_t bytes[TC_ESTIMATOR_RECORD_MAX], bad[TC_ESTIMATOR_RECORD_MAX];
    test_seed(57);
    for (uint32_t joints = 1; joints <= TC_LEG_JOINTS; joints++) {
        start(joints < 2u ? 2u : joints, TC_LEG_FLOATING, 58);
        plant.leg.joints = joints;
        /* as float has it, in the double build too */
        plant.leg.g = test_uniform(TC_C(0.0), TC_C(1.0));
        plant.leg.radius = test_uniform(TC_C(0.0), TC_C(1.0));
        test_fill(plant.leg.foot, 2, TC_C(-1.0), TC_C(1.0));
        config.frozen = test_bits() >> 8;
        test_fill(
            &config.step,
            (uint32_t)((offsetof(tc_estimator_config, frozen) - offsetof(tc_estimator_config, step))
                       / sizeof(tc_real)),
            TC_C(0.0), TC_C(1.0));
        test_fill(
            &config.force,
            (uint32_t)((sizeof config - offsetof(tc_estimator_config, force)) / sizeof(tc_real)),
            TC_C(0.0), TC_C(1.0));
        for (uint32_t i = 0; i < joints; i++) {
            tc_leg_link *const link = &plant.links[i];
            tc_real *const numbers[] = {&link->body.mass, &link->body.inertia, &link->rest,
                                        &link->rotor,     &link->damping,      &link->anchor[0],
                                        &link->anchor[1], &link->arm[0],       &link->arm[1],
                                        &link->axis[0],   &link->axis[1]};
            for (uint32_t k = 0; k < TC_COUNT(numbers); k++) {
                *numbers[k] = test_uniform(TC_C(-1.0), TC_C(1.0));
            }
            link->joint = i % 2u ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE;
        }
        const size_t n = tc_estimator_record_write(&plant.leg, &config, bytes, sizeof bytes);
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_estimator_record_read(bytes, n, &read));
        TEST_ASSERT_EQUAL_MEMORY(&config, &read.config, sizeof config);
        TEST_ASSERT_EQUAL_MEMORY(plant.links, read.links, joints * sizeof plant.links[0]);
        TEST_ASSERT_EQUAL_UINT32(joints, read.leg.joints);
        TEST_ASSERT_EQUAL_UINT32(TC_LEG_FLOATING, read.leg.root);
        TEST_ASSERT_TRUE(read.leg.g == plant.leg.g && read.leg.radius == plant.leg.radius
                         && read.leg.links == read.links);
        TEST_ASSERT_EQUAL_MEMORY(plant.leg.foot, read.leg.foot, sizeof read.leg.foot);
        for (size_t k = 0; k < n; k += k < 12u ? 1u : 7u) {
            TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_estimator_record_read(bytes, k, &read));
            TEST_ASSERT_EQUAL_MEMORY(&zero, &read, sizeof zero);
            TEST_ASSERT_EQUAL_UINT32(0, tc_estimator_record_write(&plant.leg, &config, bad, k));
        }
        for (uint32_t k = 0; k < 8u; k++) { /* magic, version, joints, root */
            memcpy(bad, bytes, n);
            bad[k] ^= 0x80u;
            const tc_status expected = k < 4u   ? TC_ERR_MODEL_MAGIC
                                       : k < 6u ? TC_ERR_MODEL_VERSION
                                       : k < 7u ? TC_ERR_RANGE
                                                : TC_ERR_UNSUPPORTED;
            TEST_ASSERT_EQUAL_INT(expected, tc_estimator_record_read(bad, n, &read));
        }
    }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

static void expect_refusal(tc_status expected, const char *what)
{
    static const tc_estimator_estimate none;
    static tc_real kept[TC_COUNT(state)];
    const tc_estimator before = e;
    memcpy(kept, state, sizeof kept);
    memset(&estimate, 0x55, sizeof estimate);
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        expected, tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work)), what);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&before, &e, sizeof e, what);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(kept, state, sizeof kept, what);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&none, &estimate, sizeof none, what);
}

static void test_bad_sensors_are_refused_and_change_nothing(void)
{
    start(2, TC_LEG_FLOATING, 61);
    for (uint32_t k = 0; k < 50u; k++) {
        tick();
    }
    sensors.given = TC_GIVEN_PITCH | TC_GIVEN_BASE_VELOCITY | TC_GIVEN_TOUCH;
    const tc_estimator_sensors good = sensors;
    tc_real *const slots[] = {&sensors.encoder[0], &sensors.encoder[1], &sensors.torque[0],
                              &sensors.torque[1],  &sensors.gyro,       &sensors.accel[0],
                              &sensors.accel[1],   &sensors.pitch,      &sensors.base_velocity,
                              &sensors.touch};
    for (uint32_t i = 0; i < TC_COUNT(slots); i++) {
        *slots[i] = (tc_real)NAN;
        expect_refusal(TC_ERR_NOT_FINITE, "NaN");
        *slots[i] = (tc_real)-INFINITY;
        expect_refusal(TC_ERR_NOT_FINITE, "infinity");
        *slots[i] = TC_C(1e9);
        expect_refusal(TC_ERR_RANGE, "far too large");
        sensors = good;
    }
    sensors.encoder[2] = (tc_real)NAN; /* of no joint */
    update();
}

/* Each reading up to its border and beyond, of either sign; where it is not given, anything. */
static void test_sensors_up_to_their_borders(void)
{
    start(2, TC_LEG_FLOATING, 66);
    tick();
    const tc_estimator_sensors good = sensors;
    const struct {
        tc_real *slot, low, high;
        uint32_t given;
    } all[10] = {
        {&sensors.encoder[0], TC_C(-1e4), TC_C(1e4), 0},
        {&sensors.encoder[1], TC_C(-1e4), TC_C(1e4), 0},
        {&sensors.torque[0], TC_C(-1e3) * config.torque_limit, TC_C(1e3) * config.torque_limit, 0},
        {&sensors.torque[1], TC_C(-1e3) * config.torque_limit, TC_C(1e3) * config.torque_limit, 0},
        {&sensors.gyro, TC_C(-1e3) * config.gyro_limit, TC_C(1e3) * config.gyro_limit, 0},
        {&sensors.accel[0], TC_C(-1e3) * config.accel_limit, TC_C(1e3) * config.accel_limit, 0},
        {&sensors.accel[1], TC_C(-1e3) * config.accel_limit, TC_C(1e3) * config.accel_limit, 0},
        {&sensors.pitch, TC_C(-1e3), TC_C(1e3), TC_GIVEN_PITCH},
        {&sensors.base_velocity, TC_C(-1e3), TC_C(1e3), TC_GIVEN_BASE_VELOCITY},
        {&sensors.touch, TC_C(0.0), TC_C(1.0), TC_GIVEN_TOUCH}};
    for (uint32_t i = 0; i < TC_COUNT(all); i++) {
        const tc_real least = TC_C(1e-3) * all[i].high;
        sensors = good;
        sensors.given = TC_GIVEN_PITCH | TC_GIVEN_BASE_VELOCITY | TC_GIVEN_TOUCH;
        *all[i].slot = all[i].low - least;
        expect_refusal(TC_ERR_RANGE, "below");
        *all[i].slot = all[i].high + least;
        expect_refusal(TC_ERR_RANGE, "above");
        *all[i].slot = all[i].low;
        update();
        begin();
        *all[i].slot = all[i].high;
        update();
        begin();
        *all[i].slot = (tc_real)NAN;
        expect_refusal(TC_ERR_NOT_FINITE, "NaN");
        sensors.given = all[i].given != 0u ? sensors.given & ~all[i].given : sensors.given;
        TEST_ASSERT_EQUAL_INT(all[i].given != 0u ? TC_OK : TC_ERR_NOT_FINITE,
                              tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work)));
        sensors = good;
        begin();
    }
}

/* Readings of joints that the leg does not have change no bit. */
static void test_joints_that_are_not_there(void)
{
    static tc_real other_state[TC_ESTIMATOR_STATE(2)];
    tc_estimator other;
    tc_estimator_estimate same;
    start(2, TC_LEG_FLOATING, 67);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_estimator_init(&other, &config, &plant.leg, NULL, &sensors,
                                                   other_state, TC_COUNT(other_state)));
    for (uint32_t k = 0; k < 200u; k++) {
        tick();
        for (uint32_t i = 2; i < TC_LEG_JOINTS; i++) {
            sensors.encoder[i] = k % 2u ? (tc_real)NAN : TC_C(1e3);
            sensors.torque[i] = k % 2u ? TC_C(-1e3) : (tc_real)INFINITY;
        }
        TEST_ASSERT_EQUAL_INT(TC_OK,
                              tc_estimator_update(&other, &sensors, &same, work, TC_COUNT(work)));
        TEST_ASSERT_EQUAL_MEMORY(&estimate, &same, sizeof same);
    }
    TEST_ASSERT_EQUAL_MEMORY(state, other_state, sizeof other_state);
}

static void test_flags_tell_what_is_wrong(void)
{
    start(2, TC_LEG_FLOATING, 62);
    tick();
    TEST_ASSERT_EQUAL_UINT32(0, estimate.flags);
    sensors.torque[1] = config.torque_limit;
    update();
    TEST_ASSERT_EQUAL_UINT32(TC_ESTIMATE_SATURATED, estimate.flags);
    for (uint32_t k = 0; k < config.frozen; k++) {
        TEST_ASSERT_EQUAL_UINT32(
            0, (sensors.torque[1] = TC_C(0.0), estimate.flags & ~TC_ESTIMATE_SATURATED));
        update();
    }
    TEST_ASSERT_EQUAL_UINT32(TC_ESTIMATE_SATURATED, estimate.flags);
    plant.noise = TC_C(12.0);
    for (uint32_t k = 0; k < 400u; k++) {
        tick();
    }
    TEST_ASSERT_EQUAL_UINT32(TC_ESTIMATE_DEGRADED, estimate.flags);
}

/* Flags of a leg that moves while its gyro and pitch say the same for 200 ticks */
static uint32_t flags_of_a_still_base(uint32_t root, uint32_t frozen)
{
    start(2, root, 65);
    config.frozen = frozen;
    for (uint32_t k = 0; k < 200u; k++) {
        leg_case_tick(&plant, &sensors);
        sensors.gyro = TC_C(0.002);
        sensors.pitch = TC_C(0.01);
        sensors.given |= TC_GIVEN_PITCH;
        update();
    }
    return estimate.flags;
}

/* Catches: a base on a rail whose gyro is told to be frozen, a product of ticks that overflows. */
static void test_what_may_stand_still(void)
{
    const uint32_t eight = tc_estimator_default().frozen, overflows = UINT32_MAX / 12u + 1u;
    TEST_ASSERT_TRUE(flags_of_a_still_base(TC_LEG_FLOATING, eight) & TC_ESTIMATE_SATURATED);
    TEST_ASSERT_FALSE(flags_of_a_still_base(TC_LEG_FLOATING, overflows) & TC_ESTIMATE_SATURATED);
    TEST_ASSERT_FALSE(flags_of_a_still_base(TC_LEG_RAIL, eight) & TC_ESTIMATE_SATURATED);
}

static void test_bad_arguments_are_refused(void)
{
    start(2, TC_LEG_RAIL, 63);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_estimator_update(NULL, &sensors, &estimate, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_estimator_update(&e, NULL, &estimate, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_estimator_update(&e, &sensors, NULL, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_estimator_update(&e, &sensors, &estimate, NULL, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_WORK, tc_estimator_update(&e, &sensors, &estimate, work,
                                                           TC_ESTIMATOR_WORK(2, 0) - 1u));
    TEST_ASSERT_EQUAL_INT(TC_ERR_ALIGN, tc_estimator_update(&e, &sensors, &estimate, TEST_ODD(work),
                                                            TC_ESTIMATOR_WORK(2, 0)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_WORK, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors,
                                                         state, TC_ESTIMATOR_STATE(2) - 1u));
    TEST_ASSERT_EQUAL_INT(TC_ERR_ALIGN, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors,
                                                          TEST_ODD(state), TC_ESTIMATOR_STATE(2)));
    TEST_ASSERT_NULL(e.leg);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work)));
    tc_real *const bad[] = {&config.step, &config.encoder_step[1], &config.force, &config.keep,
                            &config.off};
    for (uint32_t i = 0; i < TC_COUNT(bad); i++) {
        config = tc_estimator_default();
        *bad[i] = (tc_real)NAN;
        TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tc_estimator_init(&e, &config, &plant.leg, NULL,
                                                              &sensors, state, TC_COUNT(state)));
    }
    config = tc_estimator_default();
    plant.leg.joints = 0;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors,
                                                         state, TC_COUNT(state)));
}

/* Every number of a configuration inside its borders, beyond either, and none. Catches: a number
 * that is not looked at, or with another's borders. */
static void test_every_number_of_a_configuration_has_its_borders(void)
{
    tc_estimator_config c;
    static const tc_real least[6] = {TC_C(1e-9), TC_C(0.0), TC_C(1e-12),
                                     TC_C(0.0),  TC_C(0.5), TC_C(1e-5)};
    static const tc_real most[6] = {TC_C(1e6),    TC_C(100.0),  TC_C(0.5),
                                    TC_C(0.9999), TC_C(0.9999), TC_C(0.1)};
    const struct {
        tc_real *number;
        uint32_t kind;
    } all[] = {{&c.torque_noise[0], 0},
               {&c.torque_noise[1], 0},
               {&c.lost_scale, 0},
               {&c.accel_noise, 0},
               {&c.accel_bias, 0},
               {&c.base_velocity_noise, 0},
               {&c.levelling, 0},
               {&c.torque_limit, 0},
               {&c.gyro_limit, 0},
               {&c.accel_limit, 0},
               {&c.force, 0},
               {&c.stick_speed, 0},
               {&c.normal_speed, 0},
               {&c.friction_spread, 0},
               {&c.floor_spread, 0},
               {&c.light, 0},
               {&c.distrust, 0},
               {&c.foot_speed, 0},
               {&c.foot_height, 0},
               {&c.torque_part, 1},
               {&c.torque_gain, 1},
               {&c.bias_part, 1},
               {&c.accel_drift, 1},
               {&c.friction, 1},
               {&c.rise, 1},
               {&c.gyro_noise, 1},
               {&c.start_speed, 1},
               {&c.friction_least, 1},
               {&c.friction_width, 1},
               {&c.doubt, 1},
               {&c.settle, 1},
               {&c.bounce, 1},
               {&c.land_stick, 2},
               {&c.land_free, 2},
               {&c.touch_down_least, 2},
               {&c.lift_off, 2},
               {&c.lift_off_light, 2},
               {&c.lift_off_rising, 2},
               {&c.keep, 3},
               {&c.touch_reliability, 4},
               {&c.step, 5}};
    for (uint32_t i = 0; i < TC_COUNT(all); i++) {
        const tc_real low = least[all[i].kind], high = most[all[i].kind];
        const tc_real good[2] = {low, high},
                      bad[4] = {low * TC_C(0.999) - (low == TC_C(0.0) ? TC_C(1e-9) : TC_C(0.0)),
                                high * TC_C(1.001), (tc_real)NAN, (tc_real)INFINITY};
        for (uint32_t k = 0; k < 6u; k++) {
            c = tc_estimator_default();
            *all[i].number = k < 2u ? good[k] : bad[k - 2u];
            TEST_ASSERT_EQUAL_INT(k < 2u ? TC_OK : TC_ERR_RANGE, tci_estimator_check(&c, 2));
        }
    }
    c = tc_estimator_default();
    c.encoder_step[1] = TC_C(1.001);
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tci_estimator_check(&c, 2));
    TEST_ASSERT_EQUAL_INT(TC_OK, tci_estimator_check(&c, 1)); /* of no joint */
    c = tc_estimator_default();
    c.on = TC_C(1.001);
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tci_estimator_check(&c, 2));
    c.on = TC_C(1.0);
    c.off = TC_C(1.001);
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tci_estimator_check(&c, 2));
    c.off = TC_C(1.0);
    TEST_ASSERT_EQUAL_INT(TC_OK, tci_estimator_check(&c, 2));
    c.on = c.off = TC_C(0.0);
    TEST_ASSERT_EQUAL_INT(TC_OK, tci_estimator_check(&c, 2));
}

static void test_memory_is_what_the_macros_say(void)
{
    static tc_real kept[TC_ESTIMATOR_STATE(3) + 2u * TEST_GUARD_WORDS],
        lent[TC_ESTIMATOR_WORK(3, 0) + 2u * TEST_GUARD_WORDS];
    tc_real *const own = test_guard(kept, TC_ESTIMATOR_STATE(3)), *const scratch = test_guard(
                                                                      lent,
                                                                      TC_ESTIMATOR_WORK(3, 0));
    start(3, TC_LEG_FLOATING, 64);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors, own,
                                                   TC_ESTIMATOR_STATE(3)));
    for (uint32_t k = 0; k < 50u; k++) {
        leg_case_tick(&plant, &sensors);
        TEST_ASSERT_EQUAL_INT(
            TC_OK, tc_estimator_update(&e, &sensors, &estimate, scratch, TC_ESTIMATOR_WORK(3, 0)));
    }
    test_guard_check(kept, TC_ESTIMATOR_STATE(3));
    test_guard_check(lent, TC_ESTIMATOR_WORK(3, 0));
    TEST_ASSERT_TRUE(
        sizeof(tc_real) != 4u
        || sizeof(tc_estimator) + 4u * (TC_ESTIMATOR_STATE(2) + TC_ESTIMATOR_WORK(2, 0)) <= 1024u);
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static void run_golden(const char *name, uint32_t joints, uint32_t ticks)
{
    uint32_t hash = TEST_HASH_START;
    start(joints, TC_LEG_FLOATING, 71);
    for (uint32_t k = 0; k < ticks; k++) {
        leg_case_tick(&plant, &sensors);
        sensors.given = k % 3u == 0u ? 0u : TC_GIVEN_PITCH;
        sensors.lost = k % 50u == 49u;
        update();
        hash = test_hash(hash, estimate.p, 10);
    }
    test_golden(name, hash);
}

/* A law that is right, wrong, without an answer or senseless in turn; exact in float. */
static tc_status fickle(const void *context, const tc_estimator_query *query,
                        tc_estimator_answer *answer, tc_real *scratch)
{
    (void)context;
    scratch[0] = query->free[0] + query->lever[1] + query->rate;
    answer->stick = test_uniform(TC_C(0.0), TC_C(1.02));
    answer->ratio =
        query->W[0] / query->W[2] + query->angle * query->angle + scratch[0] * scratch[0];
    return test_below(10) == 0u ? TC_ERR_RANGE : TC_OK;
}

/* Sensors that come and go, stand still, jump or lose frames */
static void spoil(uint32_t k)
{
    sensors.given = test_below(8);
    sensors.touch = test_uniform(TC_C(0.0), TC_C(1.0));
    sensors.base_velocity = test_uniform(TC_C(-0.1), TC_C(0.1));
    sensors.lost = test_below(30) == 0u ? test_below(25) : 0u;
    if (k % 64u > 48u) {
        sensors.accel[0] = sensors.accel[1] = TC_C(4.0);
        sensors.torque[1] = TC_C(0.5);
    }
    if (test_below(25) == 0u) {
        sensors.encoder[test_below(2)] += test_uniform(TC_C(-0.3), TC_C(0.3));
        sensors.torque[test_below(2)] += test_uniform(TC_C(-20.0), TC_C(20.0));
    }
}

static uint32_t hash_all(uint32_t hash)
{
    tc_estimator_prediction next;
    const tc_real counted[2] = {(tc_real)estimate.contact, (tc_real)estimate.flags};
    hash = test_hash(test_hash(hash, estimate.p, 10), counted, 2);
    if (tc_estimator_predict(&e, TC_C(0.05), 40, &next) >= TC_OK) {
        const tc_real kinds[2] = {(tc_real)next.kind, (tc_real)next.mode};
        hash = test_hash(test_hash(hash, &next.time, 6), kinds, 2);
    }
    return hash;
}

/* What the runs above do not come by: a law, a touch sensor, a base velocity, sensors that spoil,
 * other roots, legs and ticks; predictions; the numbers of the default. */
static void run_spoiled(void)
{
    const tc_estimator_model law = {fickle, NULL, 1};
    uint32_t hash;
    config = tc_estimator_default();
    hash = test_hash(TEST_HASH_START, &config.step,
                     (offsetof(tc_estimator_config, frozen) - offsetof(tc_estimator_config, step))
                         / sizeof(tc_real));
    hash = test_hash(hash, &config.force,
                     (sizeof config - offsetof(tc_estimator_config, force)) / sizeof(tc_real));
    test_seed(73);
    for (uint32_t round = 0; round < 6u; round++) {
        start(round < 4u ? 2 : 3, round % 3u, 74u + round);
        plant.height += round < 3u ? TC_C(0.0) : TC_C(-0.01);
        TEST_ASSERT_EQUAL_INT(TC_OK,
                              tc_estimator_init(&e, &config, &plant.leg, round % 2u ? &law : NULL,
                                                &sensors, state, TC_COUNT(state)));
        config.frozen = 5;
        for (uint32_t k = 0; k < 150u; k++) {
            leg_case_tick(&plant, &sensors);
            spoil(k);
            update();
            hash = k % 5u == 0u ? hash_all(hash) : test_hash(hash, estimate.p, 10);
        }
    }
    test_golden("estimator.spoiled", hash);
}

static void test_bits_are_the_same_everywhere(void)
{
    run_golden("estimator.two", 2, 500);
    run_golden("estimator.many", 3, 100);
    run_spoiled();
}

void suite_estimator(void)
{
    RUN_TEST(test_free_fall_is_air);
    RUN_TEST(test_a_foot_at_rest_is_static);
    RUN_TEST(test_a_fixed_base_knows_no_floor_at_first);
    RUN_TEST(test_modes_are_those_of_the_plant);
    RUN_TEST(test_other_numbers_of_joints);
    RUN_TEST(test_lost_frames_are_bridged);
    RUN_TEST(test_many_lost_frames_begin_anew);
    RUN_TEST(test_filters_follow_a_gap_at_most_whole);
    RUN_TEST(test_impulses_add_up);
    RUN_TEST(test_torque_gains_are_identified);
    RUN_TEST(test_noise_of_sensors_is_followed);
    RUN_TEST(test_a_window_tells_a_torques_scale);
    RUN_TEST(test_a_foot_that_hangs_far_above_its_floor_is_in_the_air);
    RUN_TEST(test_estimates_are_lawful_in_sense_and_nonsense);
    RUN_TEST(test_a_foot_that_cannot_move);
    RUN_TEST(test_mirrored_legs_give_mirrored_estimates);
    RUN_TEST(test_signs_of_angles_are_sound);
    RUN_TEST(test_the_unrolled_bank_has_the_bits_of_the_loops);
    RUN_TEST(test_a_touch_sensor_is_believed_as_far_as_it_is_reliable);
    RUN_TEST(test_pitch_is_levelled);
    RUN_TEST(test_a_given_base_velocity_is_taken);
    RUN_TEST(test_a_law_is_asked_and_heard);
    RUN_TEST(test_a_model_is_for_a_leg);
    RUN_TEST(test_records_come_back);
    RUN_TEST(test_bad_sensors_are_refused_and_change_nothing);
    RUN_TEST(test_sensors_up_to_their_borders);
    RUN_TEST(test_joints_that_are_not_there);
    RUN_TEST(test_flags_tell_what_is_wrong);
    RUN_TEST(test_what_may_stand_still);
    RUN_TEST(test_bad_arguments_are_refused);
    RUN_TEST(test_every_number_of_a_configuration_has_its_borders);
    RUN_TEST(test_memory_is_what_the_macros_say);
    RUN_TEST(test_bits_are_the_same_everywhere);
}
