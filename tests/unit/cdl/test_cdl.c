/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: the scheme itself, contact, rest, projection, and what is refused.
 */
#include "cdl_case.h"

#define SMALL TC_C(2e-6)

/* ---- The scheme ------------------------------------------------------------------------------ */

/* Catches: a position step of h/2 (Eq. 5), F = +dV/dq, forces at the old position, velocity not
 * scaled by 1/m. */
static void test_flight(void)
{
    static const tc_real torque[1] = {TC_C(3.0)};
    cdl_begin(1, 1);
    cdl.mass[0] = TC_C(2.0);
    cdl.weight[0] = TC_C(-4.0);
    cdl.config.potential = tc_cdl_laws_pendulums(torque);
    cdl.Q[0] = TC_C(0.5);
    cdl.V[0] = TC_C(3.0);
    cdl_ready();
    TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    test_near(TC_C(0.53), cdl.Q[0], SMALL, 0, "Q + h V");
    test_near(TC_C(3.0) - TC_C(0.005) * (TC_C(4.0) + TC_C(3.0) * TC_C(0.505533341)), cdl.V[0],
              SMALL, 0, "V + h F / m");
    TEST_ASSERT_EQUAL(0, cdl.info.acting);
    TEST_ASSERT_NULL(cdl.info.impulse);
}

/* Catches: damping of the wrong sign or undivided by the mass; the user's force forgotten beside
 * it. */
static void test_damping_and_force(void)
{
    static const tc_real damping[2] = {TC_C(0.5), TC_C(0.0)}, force[2] = {TC_C(1.0), TC_C(-6.0)};
    for (uint32_t matrices = 0; matrices < 2u; matrices++) {
        cdl_begin(2, 1);
        cdl.mass[0] = cdl.matrix[0] = TC_C(2.0);
        cdl.mass[1] = cdl.matrix[1] = TC_C(3.0);
        cdl.weight[1] = TC_C(0.3);
        cdl.config.damping = damping;
        cdl.config.mass = matrices ? NULL : cdl.mass;
        cdl.config.mass_matrix = matrices ? cdl.matrix : NULL;
        cdl.V[0] = cdl.V[1] = TC_C(4.0);
        cdl_ready();
        TEST_ASSERT_EQUAL(
            TC_OK, tc_cdl_step(&cdl.cdl, force, cdl.Q, cdl.V, NULL, cdl.work, TC_COUNT(cdl.work)));
        test_near(TC_C(4.0) + TC_C(0.005) * (TC_C(1.0) - TC_C(2.0)), cdl.V[0], SMALL, 0, "damped");
        test_near(TC_C(4.0) + TC_C(0.01) * TC_C(-1.9), cdl.V[1], SMALL, 0, "pushed");
    }
}

/* Between contacts the scheme runs backwards as it ran forwards. Catches: forces at another time
 * than Q. */
static void test_reversible(void)
{
    tc_real before = 0;
    cdl_cradle();
    cdl.config.contacts = 0;
    cdl.Q[1] = TC_C(0.7);
    cdl_ready();
    for (uint32_t i = 0; i < 500u; i++) {
        before = cdl.V[0];
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    }
    cdl.V[0] = -before;
    for (uint32_t i = 0; i < 500u; i++) {
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    }
    test_near(TC_C(0.0), cdl.Q[0], TC_C(2e-5), 0, "back");
}

/* Angle of a pendulum after 1 s, step h. */
static tc_real pendulum_after(uint32_t steps)
{
    cdl_cradle();
    cdl.config.contacts = 0;
    cdl.config.step = TC_C(1.0) / (tc_real)steps;
    cdl.V[0] = TC_C(0.0);
    cdl.Q[0] = TC_C(1.0);
    cdl.V[0] = TC_C(-0.5) * cdl.config.step * TC_C(9.81) * TC_C(0.84147098); /* half a step ahead */
    cdl_ready();
    for (uint32_t i = 0; i < steps; i++) {
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    }
    return cdl.Q[0];
}

/* Halving the step divides the error by four. Catches: an order lost. */
static void test_order(void)
{
    const tc_real finest = pendulum_after(400), coarse = pendulum_after(25) - finest;
    const tc_real fine = pendulum_after(50) - finest;
    test_near(TC_C(4.05), coarse / fine, TC_C(0.15), 0, "second order");
}

/* ---- One contact ----------------------------------------------------------------------------- */

/* Catches: the sign of Eq. 49; e applied to the speed after the force; contact without approach. */
static void test_bounce(void)
{
    static const tc_real e[3] = {TC_C(1.0), TC_C(0.7), TC_C(0.0)};
    for (uint32_t i = 0; i < 3u; i++) {
        cdl_ball(e[i]);
        cdl.Q[0] = TC_C(0.01);
        cdl.V[0] = TC_C(-3.0);
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        test_near(TC_C(-0.05), cdl.Q[0], SMALL, 0, "sinks in");
        test_near(TC_C(3.0) * e[i], cdl.V[0], SMALL, 0, "-e V");
        TEST_ASSERT_EQUAL(1, cdl.info.acting);
        test_near(TC_C(3.0) * (TC_C(1.0) + e[i]) + TC_C(0.1962), cdl.info.impulse[0], SMALL, 0,
                  "impulse");
        cdl.Q[0] = TC_C(-0.5); /* below and parting: left alone */
        cdl.V[0] = TC_C(1.0);
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        TEST_ASSERT_EQUAL(0, cdl.info.acting);
        test_near(TC_C(0.8038), cdl.V[0], SMALL, 0, "gravity only");
    }
}

/* Without restitution the ball stands still to the bit: then it does not approach, falls for a
 * step, and strikes again. Catches: contact steps that hang on rounding. */
static void test_plastic(void)
{
    for (uint32_t i = 0; i < 40u; i++) {
        cdl_ball(TC_C(0.0));
        cdl.mass[0] = test_uniform(TC_C(0.1), TC_C(9.0));
        cdl.weight[0] = TC_C(-9.81) * cdl.mass[0];
        cdl_ready();
        cdl.V[0] = test_uniform(TC_C(-9.0), TC_C(-1.0));
        cdl.Q[0] = TC_C(0.0);
        for (uint32_t k = 0; k < 20u; k++) {
            TEST_ASSERT_EQUAL(TC_OK, cdl_step());
            TEST_ASSERT_EQUAL(1u - k % 2u, cdl.info.acting);
            TEST_ASSERT_EQUAL(1u - k % 2u, cdl.V[0] == TC_C(0.0));
        }
    }
}

/* A force that parts the body faster than it would bounce is not held back. Catches: lambda < 0. */
static void test_no_pull(void)
{
    cdl_ball(TC_C(0.5));
    cdl.weight[0] = TC_C(500.0);
    cdl_ready();
    cdl.Q[0] = TC_C(0.0);
    cdl.V[0] = TC_C(-1.0);
    TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    test_near(TC_C(9.0), cdl.V[0], SMALL, 0, "V + h F / m");
    TEST_ASSERT_EQUAL(0, cdl.info.acting);
}

/* The contact closes at gap 0 exactly, and not just above. */
static void test_threshold(void)
{
    for (uint32_t i = 0; i < 2u; i++) {
        cdl_ball(TC_C(1.0));
        cdl.config.step = TC_C(0.25);
        cdl_ready();
        cdl.Q[0] = i == 0u ? TC_C(0.5) : TC_C(0.5) * (TC_C(1.0) + TC_EPSILON);
        cdl.V[0] = TC_C(-2.0);
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        TEST_ASSERT_EQUAL(1u - i, cdl.info.acting);
    }
}

/* ---- Rest ------------------------------------------------------------------------------------ */

/* Catches: a rest that sinks, creeps up or leaves; a threshold that also swallows faster
 * bounces. */
static void test_rest(void)
{
    cdl_ball(TC_C(0.7));
    cdl.config.rest_speed = TC_C(0.4);
    cdl_ready();
    cdl.Q[0] = TC_C(1.0);
    uint32_t first = 0;
    tc_real where = 0;
    for (uint32_t i = 0; i < 1000u; i++) {
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        if (first == 0u && cdl.V[0] == TC_C(0.0) && cdl.info.acting == 1u) {
            first = i;
            where = cdl.Q[0];
        }
    }
    TEST_ASSERT_TRUE(first > 100u && first < 300u);
    TEST_ASSERT_TRUE(where <= TC_C(0.0) && where > TC_C(-0.01));
    TEST_ASSERT_EQUAL_MEMORY(&where, &cdl.Q[0], sizeof where);
    test_near(TC_C(0.1962), cdl.info.impulse[0], SMALL, 0, "carries h m g");
    cdl.V[0] = TC_C(1.0); /* lifted: leaves */
    TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    TEST_ASSERT_EQUAL(0, cdl.info.acting);
}

/* What tc_cdl.h says of rest without a threshold: it sinks with (1 - e) / (1 + e) h g / 2, unless
 * e = 1. */
static void test_zeno(void)
{
    static const tc_real e[3] = {TC_C(0.0), TC_C(0.5), TC_C(1.0)};
    for (uint32_t i = 0; i < 3u; i++) {
        cdl_ball(e[i]);
        cdl.Q[0] = TC_C(0.0);
        for (uint32_t k = 0; k < 1000u; k++) {
            TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        }
        const tc_real speed = TC_C(0.5) * TC_C(0.1962) * (TC_C(1.0) - e[i]) / (TC_C(1.0) + e[i]);
        test_near(TC_C(-20.0) * speed, cdl.Q[0], TC_C(0.01), 0, "sinks");
    }
}

/* ---- Projection ------------------------------------------------------------------------------ */

/* Catches: the plain mean instead of the weighted one; projection without contact; forces after
 * projection. */
static void test_projection(void)
{
    cdl_cradle();
    cdl.mass[0] = TC_C(3.0);
    cdl_ready();
    cdl.Q[0] = TC_C(0.01);
    cdl.Q[1] = TC_C(0.02);
    cdl.V[0] = TC_C(-2.0);
    cdl.V[1] = TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    test_near(TC_C(0.25) * (TC_C(3.0) * TC_C(-0.01) + TC_C(0.03)), cdl.Q[0], TC_C(1e-8), TC_C(1e-6),
              "weighted mean");
    test_near(cdl.Q[0], cdl.Q[1], TC_C(0.03) * TC_EPSILON, 0, "together");
    test_near(TC_C(3.0), cdl.V[0] - cdl.V[1], SMALL, 0, "bounced");
    const tc_real smooth = TC_C(-0.0981) * (TC_C(-0.00999983) + TC_C(0.0299955)); /* sum of h F */
    test_near(TC_C(-5.0) + smooth, TC_C(3.0) * cdl.V[0] + cdl.V[1], SMALL, 0, "forces of before");
    TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    TEST_ASSERT_TRUE(cdl.Q[0] - cdl.Q[1] > TC_C(0.02));
}

/* Spheres of radius 0.1 and 0.2 end touching, on their line. */
static void test_projection_of_spheres(void)
{
    cdl_begin(2, 3);
    cdl.config.signal = tc_cdl_laws_spheres();
    cdl.config.project = 1;
    cdl_contact(0, 1, 0, TC_C(0.0), TC_C(0.3));
    cdl_ready();
    cdl.Q[3] = TC_C(0.12);
    cdl.Q[4] = TC_C(0.16);
    cdl.V[3] = TC_C(-3.0);
    TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    TEST_ASSERT_EQUAL(1, cdl.info.acting);
    const tc_real x = cdl.Q[3] - cdl.Q[0], y = cdl.Q[4] - cdl.Q[1];
    test_near(TC_C(0.09), x * x + y * y, TC_C(1e-7), 0, "touching");
    test_near(TC_C(0.09), cdl.Q[3] + cdl.Q[0], TC_C(1e-7), 0, "mean stays");
    TEST_ASSERT_TRUE(cdl.Q[0] != TC_C(0.0));
}

/* ---- Energy ---------------------------------------------------------------------------------- */

static void test_energy(void)
{
    tc_real energy = 7;
    cdl_ball(TC_C(1.0));
    cdl.V[0] = TC_C(2.0);
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_cdl_energy(&cdl.cdl, cdl.Q, cdl.V, &energy, cdl.work, TC_COUNT(cdl.work)));
    test_near(TC_C(100.1), energy, 0, TC_C(1e-6), "m v^2 / 2 + m g q");
    cdl_cradle();
    cdl.Q[1] = TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_cdl_energy(&cdl.cdl, cdl.Q, cdl.V, &energy, cdl.work, TC_COUNT(cdl.work)));
    test_near(TC_C(2.0) + TC_C(9.81) * TC_C(0.4596976941), energy, 0, TC_C(1e-6), "pendulums");
    cdl.Q[0] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_cdl_energy(&cdl.cdl, cdl.Q, cdl.V, &energy, cdl.work, TC_COUNT(cdl.work)));
    TEST_ASSERT_TRUE(energy == TC_C(0.0));
}

void suite_cdl(void)
{
    RUN_TEST(test_flight);
    RUN_TEST(test_damping_and_force);
    RUN_TEST(test_reversible);
    RUN_TEST(test_order);
    RUN_TEST(test_bounce);
    RUN_TEST(test_plastic);
    RUN_TEST(test_no_pull);
    RUN_TEST(test_threshold);
    RUN_TEST(test_rest);
    RUN_TEST(test_zeno);
    RUN_TEST(test_projection);
    RUN_TEST(test_projection_of_spheres);
    RUN_TEST(test_energy);
}
