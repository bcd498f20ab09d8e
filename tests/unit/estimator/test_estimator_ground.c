/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The estimator on a ground of any shape: contact axes against differences, a leg at rest on a
 * slope, touch-downs in closed form, the record. How good it is on simulated robots is measured by
 * tools/tinycontact/hil.
 */
#include "leg_case.h"
#include "test.h"

#include "tc_estimator_internal.h"
#include "tc_estimator_record.h"

#include <math.h>

static const tc_sdf flat = TC_SDF_HALFSPACE;
static leg_case plant;
static tc_estimator_config config;
static tc_estimator e, other;
static tc_real state[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)], more[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)];
static tc_real work[TC_ESTIMATOR_WORK(TC_LEG_JOINTS, 0)];
static tc_estimator_sensors sensors;
static tc_estimator_estimate estimate, plain;

/* The plane rises along x with this angle, through the origin. */
static tc_ground2 slope_of(double angle)
{
    const tc_real c = (tc_real)cos(angle), s = (tc_real)sin(angle);
    const tc_ground2 ground = {
        &flat, {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, {c, TC_C(0.0), -s}, {s, TC_C(0.0), c}};
    return ground;
}

static void start(uint32_t joints, uint32_t root)
{
    leg_case_init(&plant, joints, root);
    plant.random = 7;
    leg_case_tick(&plant, &sensors);
    config = tc_estimator_default();
    TEST_ASSERT_EQUAL(
        TC_OK, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors, state, TC_COUNT(state)));
}

/* Catches: a contact point that stays below the foot's centre, a lever or a velocity turned the
 * wrong way. The velocity of the contact point is that of the centre, by differences, and the turn
 * of the last link times the arm -r n. */
static void test_contact_axes(void)
{
    test_seed(31);
    for (uint32_t round = 0; round < TEST_ROUNDS(100); round++) {
        const double angle = (double)test_uniform(TC_C(-0.6), TC_C(0.6));
        const tc_ground2 slope = slope_of(angle);
        const double n[2] = {-sin(angle), cos(angle)}, t[2] = {cos(angle), sin(angle)};
        tc_real q[3], qd[3], M[9], bias[3], J[6];
        tc_leg_base base = {.angle = test_uniform(TC_C(-0.5), TC_C(0.5))};
        tc_leg_view view = {M, bias, J, {0}, {0}, 0, 0, {0}};
        tci_estimator_ground ground;
        double centre[2][2];
        start(3, TC_LEG_FLOATING);
        TEST_ASSERT_EQUAL(TC_OK, tc_estimator_stand_on(&e, &slope, TC_C(0.2)));
        test_fill(q, 3, TC_C(-1.0), TC_C(1.0));
        test_fill(qd, 3, TC_C(-2.0), TC_C(2.0));
        base.rate = test_uniform(TC_C(-2.0), TC_C(2.0));
        for (uint32_t k = 0; k < 2u; k++) { /* 2 ms apart */
            const tc_real h = k == 0u ? TC_C(-1e-3) : TC_C(1e-3);
            tc_leg_base then = base;
            tc_real at[3];
            then.angle += h * base.rate;
            tc_sincos(then.angle, &then.sine, &then.cosine);
            for (uint32_t i = 0; i < 3u; i++) at[i] = q[i] + h * qd[i];
            tc_leg_look(&plant.leg, &then, at, qd, &view);
            centre[k][0] = (double)view.foot[0];
            centre[k][1] = (double)(view.foot[1] + plant.leg.radius);
        }
        tc_sincos(base.angle, &base.sine, &base.cosine);
        tc_leg_look(&plant.leg, &base, q, qd, &view);
        const double r = (double)plant.leg.radius, w = (double)view.rate;
        const double middle[2] = {(double)view.foot[0], (double)view.foot[1] + r};
        const tc_real z = test_uniform(TC_C(0.3), TC_C(0.8));
        tci_estimator_ground_look(&e, TC_C(0.2), z, base.rate, &view, &ground);
        const double v[2] = {(centre[1][0] - centre[0][0]) / 2e-3 + w * r * n[1],
                             (centre[1][1] - centre[0][1]) / 2e-3 - w * r * n[0]};
        double got[2] = {(double)view.carried[0], (double)view.carried[1]};
        for (uint32_t i = 0; i < 3u; i++) {
            got[0] += (double)(J[i] * qd[i]);
            got[1] += (double)(J[3u + i] * qd[i]);
        }
        const double along = t[0] * v[0] + t[1] * v[1], up = n[0] * v[0] + n[1] * v[1];
        test_near((tc_real)along, (tc_real)got[0], TC_C(2e-3), TC_C(1e-3), "along the tangent");
        test_near((tc_real)up, (tc_real)got[1], TC_C(2e-3), TC_C(1e-3), "along the normal");
        const double gap = n[0] * (0.2 + middle[0]) + n[1] * ((double)z + middle[1]) - r;
        test_near((tc_real)gap, ground.above, TC_C(2e-4), TC_C(0.0), "gap");
        test_near((tc_real)(middle[1] - r * n[1]), view.foot[1], TC_C(1e-5), TC_C(0.0), "foot");
        /* the base that is lower by gap / n_y stands on it */
        test_near((tc_real)((double)z - gap / n[1]), ground.surface - view.foot[1], TC_C(3e-4),
                  TC_C(0.0), "height of a base that stands");
    }
}

/* A leg at rest on a slope: the impulse is along its tangent and normal. */
static void test_at_rest_on_a_slope(void)
{
    const double angle = 0.2;
    const tc_ground2 slope = slope_of(angle);
    const tc_real push[2] = {TC_C(1.0), TC_C(25.0)}; /* world axes [N] */
    const tc_leg_base base = {.cosine = TC_C(1.0), .force = {TC_C(0.0), TC_C(9.81)}};
    tc_leg_motion m;
    start(2, TC_LEG_FIXED);
    for (uint32_t i = 0; i < 2u; i++) {
        sensors.encoder[i] = plant.q[i];
        plant.qd[i] = TC_C(0.0);
    }
    tc_leg_move(&plant.leg, &base, plant.q, plant.qd, &m);
    const tc_real r = plant.leg.radius;
    const tc_real d[2] = {r * (tc_real)sin(angle), r * (tc_real)(1.0 - cos(angle))};
    for (uint32_t i = 0; i < 2u; i++) {
        sensors.torque[i] = m.bias[i] - (m.J[i] - d[1]) * push[0] - (m.J[2u + i] + d[0]) * push[1];
    }
    sensors.accel[0] = TC_C(0.0);
    sensors.accel[1] = TC_C(9.81);
    TEST_ASSERT_EQUAL(
        TC_OK, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors, state, TC_COUNT(state)));
    TEST_ASSERT_EQUAL(TC_OK, tc_estimator_stand_on(&e, &slope, TC_C(0.1)));
    for (uint32_t k = 0; k < 100u; k++) {
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work)));
    }
    const double along = cos(angle) * (double)push[0] + sin(angle) * (double)push[1];
    const double up = cos(angle) * (double)push[1] - sin(angle) * (double)push[0];
    TEST_ASSERT_EQUAL_UINT32(1, estimate.contact);
    TEST_ASSERT_TRUE(estimate.p[1] > TC_C(0.9));
    test_near((tc_real)(1e-3 * along), estimate.impulse[0], TC_C(3e-4), TC_C(0.0), "tangent");
    test_near((tc_real)(1e-3 * up), estimate.impulse[1], TC_C(3e-4), TC_C(0.0), "normal");
    /* the foot lies on the slope: n . (place + foot) = 0, of the contact point */
    const double x = 0.1 + (double)(m.foot[0] + d[0]);
    const double height = x * tan(angle) - (double)(m.foot[1] + d[1]);
    test_near((tc_real)height, e.vertical[0], TC_C(1e-3), TC_C(0.0), "height of the base");
}

/* A half-space is the floor that the estimator knows: the same contacts. */
static void test_as_on_floor(void)
{
    const tc_ground2 ground = TC_GROUND2(&flat);
    uint32_t differ = 0, touched = 0;
    start(2, TC_LEG_FLOATING);
    TEST_ASSERT_EQUAL(TC_OK, tc_estimator_init(&other, &config, &plant.leg, NULL, &sensors, more,
                                               TC_COUNT(more)));
    TEST_ASSERT_EQUAL(TC_OK, tc_estimator_stand_on(&e, &ground, TC_C(3.0)));
    const uint32_t ticks = TEST_ROUNDS(4000);
    for (uint32_t k = 0; k < ticks; k++) {
        leg_case_tick(&plant, &sensors);
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work)));
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_estimator_update(&other, &sensors, &plain, work, TC_COUNT(work)));
        differ += estimate.contact != plain.contact;
        touched += plain.contact;
    }
    TEST_ASSERT_TRUE(touched > ticks / 10u);
    TEST_ASSERT_TRUE(differ <= ticks / 400u + 4u);
}

/* Falling straight down over a step and over a slope: t of h + v t - g t^2 / 2 = 0, where the way
 * to a slope is gap / n_y. */
static void test_touch_down(void)
{
    const tc_ground2 raised = {&flat,
                               {TC_C(0.0), TC_C(0.0), TC_C(-0.05)},
                               {TC_C(1.0), TC_C(0.0), TC_C(0.0)},
                               {TC_C(0.0), TC_C(0.0), TC_C(1.0)}};
    const tc_leg_base base = {.cosine = TC_C(1.0), .force = {TC_C(0.0), TC_C(9.81)}};
    tc_leg_motion motion;
    tc_estimator_prediction p;
    for (uint32_t round = 0; round < 2u; round++) {
        const double angle = round == 0u ? 0.0 : 0.3;
        const tc_ground2 ground = round == 0u ? raised : slope_of(angle);
        start(2, TC_LEG_RAIL);
        memset(sensors.accel, 0, sizeof sensors.accel);
        TEST_ASSERT_EQUAL(TC_OK, tc_estimator_init(&e, &config, &plant.leg, NULL, &sensors, state,
                                                   TC_COUNT(state)));
        TEST_ASSERT_EQUAL(TC_OK, tc_estimator_stand_on(&e, &ground, TC_C(0.4)));
        tc_leg_move(&plant.leg, &base, sensors.encoder, state + 2, &motion);
        memset(e.vertical_covariance, 0, sizeof e.vertical_covariance);
        e.vertical[0] += TC_C(0.01); /* which stand_on had touch */
        e.vertical[1] = TC_C(-0.5);
        const double x = 0.4 + (double)motion.foot[0], r = (double)plant.leg.radius;
        const double z = (double)(e.vertical[0] + motion.foot[1]) + r;
        const double height = round == 0u ? z - r - 0.05 : z - x * tan(angle) - r / cos(angle);
        test_near(TC_C(0.01), (tc_real)height, TC_C(3e-4), TC_C(0.0), "height of the start");
        const double time = (-0.5 + sqrt(0.25 + 2 * 9.81 * height)) / 9.81;
        TEST_ASSERT_TRUE(tc_estimator_predict(&e, TC_C(0.05), 100u, &p) >= TC_OK);
        TEST_ASSERT_EQUAL(TC_ESTIMATOR_PREDICT_TOUCH_DOWN, p.kind);
        test_near((tc_real)time, p.time, TC_C(2e-5), TC_C(1e-3), "time of the touch-down");
    }
}

static void test_refused(void)
{
    const tc_ground2 none = {NULL, {0}, {0}, {0}}, ground = TC_GROUND2(&flat);
    start(2, TC_LEG_RAIL);
    const tc_estimator before = e;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_estimator_stand_on(NULL, &ground, TC_C(0.0)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_estimator_stand_on(&e, &none, TC_C(0.0)));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_estimator_stand_on(&e, &ground, (tc_real)NAN));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_estimator_stand_on(&e, &ground, TC_C(1e7)));
    TEST_ASSERT_EQUAL_MEMORY(&before, &e, sizeof e);
    sensors.given |= TC_GIVEN_PLACE;
    sensors.place = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work)));
    sensors.place = TC_C(2e3);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE,
                      tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_OK, tc_estimator_stand_on(&e, NULL, TC_C(0.0)));
}

/* ---- The record ------------------------------------------------------------------------------ */

/* Catches: parts in another order, a record that is cut inside a part, a kind that is none. */
static void test_record(void)
{
    static tc_estimator_record_ground ground;
    static tc_estimator_record back;
    static uint8_t bytes[TC_ESTIMATOR_RECORD_MAX];
    start(2, TC_LEG_RAIL);
    memset(&ground, 0, sizeof ground);
    ground.section = slope_of(0.1);
    ground.count = 2;
    ground.kind[1] = TC_ESTIMATOR_RECORD_BOX;
    for (uint32_t k = 0; k < 3u; k++) ground.shape[1].size[k] = TC_C(0.5);
    ground.part[1].position[0] = TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_OK, tc_estimator_record_ground_join(&ground));
    const size_t leg = tc_estimator_record_write(&plant.leg, &config, bytes, sizeof bytes);
    const size_t size = tc_estimator_record_append(&ground, bytes, leg, sizeof bytes);
    TEST_ASSERT_EQUAL_UINT(leg + 40u + 64u, size);
    for (size_t n = 0; n < size; n++) {
        TEST_ASSERT_EQUAL(n == leg ? TC_OK : TC_ERR_SIZE,
                          tc_estimator_record_read(bytes, n, &back));
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_estimator_record_read(bytes, size, &back));
    TEST_ASSERT_EQUAL_UINT(2, back.ground.count);
    for (uint32_t k = 0; k < 20u; k++) {
        const tc_real p[2] = {TC_C(0.1) * (tc_real)k, TC_C(0.7)};
        tc_real expected, got, n[2];
        TEST_ASSERT_EQUAL(TC_OK, tc_ground2_look(&ground.section, p, &expected, n));
        TEST_ASSERT_EQUAL(TC_OK, tc_ground2_look(&back.ground.section, p, &got, n));
        test_near(expected, got, TC_C(1e-6), TC_C(0.0), "distance, by float32 numbers");
    }
    TEST_ASSERT_EQUAL_UINT(0, tc_estimator_record_append(&ground, bytes, leg, size - 1u));
    bytes[leg + 40u] = 5;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_estimator_record_read(bytes, size, &back));
    bytes[leg + 40u] = 0;
    bytes[leg + 19u] ^= 0x40; /* the axis along x becomes long */
    TEST_ASSERT_TRUE(tc_estimator_record_read(bytes, size, &back) < TC_OK);
    ground.count = 9;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_estimator_record_ground_join(&ground));
    TEST_ASSERT_EQUAL_UINT(0, tc_estimator_record_append(&ground, bytes, leg, sizeof bytes));
}

void suite_estimator_ground(void)
{
    RUN_TEST(test_contact_axes);
    RUN_TEST(test_at_rest_on_a_slope);
    RUN_TEST(test_as_on_floor);
    RUN_TEST(test_touch_down);
    RUN_TEST(test_refused);
    RUN_TEST(test_record);
}
