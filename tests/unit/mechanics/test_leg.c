/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The planar leg. On a base at rest or accelerating it is a tc_chain2 under another gravity; on a
 * base that turns it is the chain whose first link is that base. Bounds: 2e-5 of the largest number
 * for what both compute.
 */
#include "test.h"

#include <math.h>

static tc_leg_link links[TC_LEG_JOINTS];
static tc_leg leg;
static tc_chain2_link chain_links[TC_LEG_JOINTS + 1u];
static tc_real q[TC_LEG_JOINTS], qd[TC_LEG_JOINTS];

/* A random leg, and the same as a chain behind a first link without length that stands for the
 * base */
static void draw(uint32_t joints)
{
    memset(links, 0, sizeof links);
    memset(chain_links, 0, sizeof chain_links);
    chain_links[0].body.mass = chain_links[0].body.inertia = TC_C(1.0);
    for (uint32_t i = 0; i < joints; i++) {
        tc_leg_link *const link = &links[i];
        const tc_real angle = test_uniform(TC_C(-3.0), TC_C(3.0));
        link->body.mass = test_uniform(TC_C(0.1), TC_C(2.0));
        link->body.inertia = test_uniform(TC_C(0.001), TC_C(0.01));
        link->joint = test_below(3) == 0u ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE;
        test_fill(link->anchor, 2, TC_C(-0.3), TC_C(0.3));
        test_fill(link->arm, 2, TC_C(-0.3), TC_C(0.3));
        link->axis[0] = tc_cos(angle);
        link->axis[1] = tc_sin(angle);
        memcpy(chain_links[i + 1u].anchor, link->anchor, sizeof link->anchor);
        memcpy(chain_links[i + 1u].arm, link->arm, sizeof link->arm);
        memcpy(chain_links[i + 1u].axis, link->axis, sizeof link->axis);
        chain_links[i + 1u].body = link->body;
        chain_links[i + 1u].joint = link->joint;
    }
    test_fill(q, joints, TC_C(-1.0), TC_C(1.0));
    test_fill(qd, joints, TC_C(-5.0), TC_C(5.0));
    const tc_leg drawn = {joints,     TC_LEG_FLOATING,          links,
                          TC_C(9.81), {TC_C(0.02), TC_C(-0.1)}, TC_C(0.015)};
    leg = drawn;
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_leg_check(&leg));
}

static tc_leg_base at(tc_real angle, tc_real rate, tc_real acceleration, tc_real x, tc_real y)
{
    tc_leg_base base = {
        .angle = angle, .rate = rate, .acceleration = acceleration, .force = {x, y}};
    tc_sincos(angle, &base.sine, &base.cosine);
    return base;
}

static void test_dynamics_are_those_of_a_chain(void)
{
    test_seed(61);
    for (uint32_t round = 0; round < 60u; round++) {
        const uint32_t n = 1u + round % TC_LEG_JOINTS, N = n + 1u;
        draw(n);
        const tc_leg_base base = at(
            test_uniform(TC_C(-1.0), TC_C(1.0)), test_uniform(TC_C(-3.0), TC_C(3.0)),
            test_uniform(TC_C(-20.0), TC_C(20.0)), test_uniform(TC_C(-5.0), TC_C(5.0)), TC_C(12.0));
        const tc_chain2 chain = {N, chain_links, {-base.force[0], -base.force[1]}};
        tc_chain2_motion motion;
        tc_leg_motion m;
        tc_real all[TC_LEG_JOINTS + 1u], rates[TC_LEG_JOINTS + 1u], force[TC_CHAIN2_DOF];
        tc_real M[TC_CHAIN2_DOF * TC_CHAIN2_DOF], expected[TC_LEG_JOINTS];
        all[0] = base.angle;
        rates[0] = base.rate;
        memcpy(all + 1, q, n * sizeof *q);
        memcpy(rates + 1, qd, n * sizeof *qd);
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_chain2_move(&chain, all, rates, &motion));
        tc_chain2_mass_matrix(&chain, &motion, N, M);
        tc_chain2_forces(&chain, &motion, N, force);
        tc_leg_move(&leg, &base, q, qd, &m);
        tc_real scale = TC_C(1.0), largest = TC_C(0.1);
        for (uint32_t i = 0; i < n; i++) {
            expected[i] = M[(i + 1u) * N] * base.acceleration - force[i + 1u];
            scale = (tc_real)fmax((double)scale, fabs((double)expected[i]));
            for (uint32_t j = 0; j < n; j++) {
                largest = (tc_real)fmax((double)largest, fabs((double)M[(i + 1u) * N + j + 1u]));
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            test_near(expected[i], m.bias[i], TC_C(1e-4) * scale, TC_C(0.0), "bias");
            for (uint32_t j = 0; j < n; j++) {
                test_near(M[(i + 1u) * N + j + 1u], m.M[i * n + j], TC_C(2e-5) * largest, TC_C(0.0),
                          "M");
                TEST_ASSERT_TRUE(m.M[i * n + j] == m.M[j * n + i]);
            }
        }
    }
}

static void test_motors_and_rest_angles(void)
{
    test_seed(62);
    draw(3);
    const tc_leg_base base = at(TC_C(0.1), TC_C(0.5), TC_C(3.0), TC_C(1.0), TC_C(9.81));
    tc_leg_motion plain, m;
    tc_leg_move(&leg, &base, q, qd, &plain);
    links[1].rotor = TC_C(0.25);
    links[1].damping = TC_C(0.5);
    tc_leg_move(&leg, &base, q, qd, &m);
    test_near(plain.M[4] + TC_C(0.25), m.M[4], TC_C(1e-6), TC_C(1e-6),
              "a rotor stands on the diagonal");
    test_near(plain.M[1], m.M[1], TC_C(0.0), TC_C(0.0), "and nowhere else");
    test_near(plain.bias[1] + TC_C(0.5) * qd[1], m.bias[1], TC_C(1e-4), TC_C(1e-5), "damping");
    links[1].rotor = links[1].damping = TC_C(0.0);
    for (uint32_t i = 0; i < 3u; i++) {
        if (links[i].joint == TC_CHAIN_REVOLUTE) {
            links[i].rest = TC_C(0.3);
            q[i] -= TC_C(0.3);
        }
    }
    tc_leg_move(&leg, &base, q, qd, &m);
    for (uint32_t i = 0; i < 9u; i++) {
        test_near(plain.M[i], m.M[i], TC_C(1e-5), TC_C(1e-4), "rest angles shift q");
    }
}

/* J qd is the velocity of the foot's centre by differences, and the rolling of its lowest point */
static void test_jacobian_is_the_derivative_of_the_foot(void)
{
    test_seed(63);
    const tc_real d = sizeof(tc_real) == 4u ? TC_C(1e-3) : TC_C(1e-6);
    for (uint32_t round = 0; round < 30u; round++) {
        const uint32_t n = 1u + round % TC_LEG_JOINTS;
        draw(n);
        const tc_leg_base base = at(TC_C(0.2), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(9.81));
        tc_leg_motion m, low, high;
        tc_leg_move(&leg, &base, q, qd, &m);
        for (uint32_t i = 0; i < n; i++) {
            const tc_real kept = q[i];
            const tc_real rolls = links[i].joint == TC_CHAIN_REVOLUTE ? leg.radius : TC_C(0.0);
            q[i] = kept - d;
            tc_leg_move(&leg, &base, q, qd, &low);
            q[i] = kept + d;
            tc_leg_move(&leg, &base, q, qd, &high);
            q[i] = kept;
            for (uint32_t axis = 0; axis < 2u; axis++) {
                const tc_real slope = (high.foot[axis] - low.foot[axis]) / (TC_C(2.0) * d);
                test_near(slope + (axis == 0u ? rolls : TC_C(0.0)), m.J[axis * n + i], TC_C(1e-3),
                          TC_C(0.0), "J");
            }
        }
    }
}

static void test_what_falls_freely_needs_no_torque(void)
{
    test_seed(64);
    draw(4);
    memset(qd, 0, sizeof qd);
    const tc_leg_base base = at(TC_C(0.7), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0));
    tc_leg_motion m;
    tc_leg_move(&leg, &base, q, qd, &m);
    for (uint32_t i = 0; i < 4u; i++) {
        TEST_ASSERT_TRUE(m.bias[i] == TC_C(0.0));
    }
}

static void test_a_turning_base_carries_the_foot(void)
{
    test_seed(65);
    draw(2);
    const tc_leg_base base = at(TC_C(0.3), TC_C(2.0), TC_C(0.0), TC_C(0.0), TC_C(9.81));
    tc_leg_motion m;
    tc_leg_move(&leg, &base, q, qd, &m);
    test_near(TC_C(-2.0) * m.foot[1], m.carried[0], TC_C(1e-6), TC_C(0.0), "along x");
    test_near(TC_C(2.0) * m.foot[0], m.carried[1], TC_C(1e-6), TC_C(0.0), "along y");
}

static void refused(tc_status status, const char *what)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(status, tc_leg_check(&leg), what);
    test_seed(66);
    draw(3);
}

static void test_what_is_no_leg_is_refused(void)
{
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_leg_check(NULL));
    test_seed(66);
    draw(3);
    leg.links = NULL;
    refused(TC_ERR_NULL, "links");
    leg.joints = 0;
    refused(TC_ERR_SIZE, "no joint");
    leg.joints = TC_LEG_JOINTS + 1u;
    refused(TC_ERR_SIZE, "too many joints");
    leg.root = 3;
    refused(TC_ERR_UNSUPPORTED, "root");
    links[1].joint = TC_CHAIN_FREE;
    refused(TC_ERR_UNSUPPORTED, "joint");
    links[2].body.mass = TC_C(0.0);
    refused(TC_ERR_BODY, "mass");
    links[2].rotor = TC_C(-1.0);
    refused(TC_ERR_BODY, "rotor");
    links[0].arm[1] = (tc_real)NAN;
    refused(TC_ERR_NOT_FINITE, "arm");
    links[0].anchor[0] = TC_C(1e4);
    refused(TC_ERR_RANGE, "anchor");
    leg.g = TC_C(-9.81);
    refused(TC_ERR_RANGE, "g");
    leg.radius = (tc_real)INFINITY;
    refused(TC_ERR_NOT_FINITE, "radius");
    links[1].joint = TC_CHAIN_PRISMATIC;
    links[1].axis[0] = TC_C(2.0);
    refused(TC_ERR_RANGE, "axis");
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_leg_check(&leg));
}

/* What each number of a leg may be, with the first that may not on either side; of the last one of
 * three links. */
static void test_numbers_up_to_their_borders(void)
{
    const tc_real nan = (tc_real)NAN, most = TC_C(1e3), beyond = TC_C(1000.1), little = TC_C(1e-6),
                  nothing = TC_C(0.0);
    tc_leg_link *const last = &links[2];
    const struct {
        tc_real *number, low, high, below, above;
        tc_status too_low, too_high;
    } all[] = {{&leg.g, little, most, nothing, beyond, TC_ERR_RANGE, TC_ERR_RANGE},
               {&leg.radius, nothing, most, -little, beyond, TC_ERR_RANGE, TC_ERR_RANGE},
               {&leg.foot[0], -most, most, -beyond, beyond, TC_ERR_RANGE, TC_ERR_RANGE},
               {&leg.foot[1], -most, most, -beyond, beyond, TC_ERR_RANGE, TC_ERR_RANGE},
               {&last->anchor[0], -most, most, -beyond, beyond, TC_ERR_RANGE, TC_ERR_RANGE},
               {&last->anchor[1], -most, most, -beyond, beyond, TC_ERR_RANGE, TC_ERR_RANGE},
               {&last->arm[0], -most, most, -beyond, beyond, TC_ERR_RANGE, TC_ERR_RANGE},
               {&last->arm[1], -most, most, -beyond, beyond, TC_ERR_RANGE, TC_ERR_RANGE},
               {&last->rest, -most, most, -beyond, beyond, TC_ERR_RANGE, TC_ERR_RANGE},
               {&last->rotor, nothing, most, -little, beyond, TC_ERR_BODY, TC_ERR_RANGE},
               {&last->damping, nothing, most, -little, beyond, TC_ERR_BODY, TC_ERR_RANGE},
               {&last->body.mass, little, most, nothing, beyond, TC_ERR_BODY, TC_ERR_RANGE},
               {&last->body.inertia, little, most, nothing, beyond, TC_ERR_BODY, TC_ERR_RANGE}};
    for (uint32_t i = 0; i < TC_COUNT(all); i++) {
        test_seed(66);
        draw(3);
        *all[i].number = all[i].below;
        TEST_ASSERT_EQUAL_INT(all[i].too_low, tc_leg_check(&leg));
        *all[i].number = all[i].above;
        TEST_ASSERT_EQUAL_INT(all[i].too_high, tc_leg_check(&leg));
        *all[i].number = nan;
        TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_leg_check(&leg));
        *all[i].number = all[i].low;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_leg_check(&leg));
        *all[i].number = all[i].high;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_leg_check(&leg));
    }
    for (uint32_t i = 0; i < 4u; i++) { /* an axis is read where the joint slides */
        test_seed(66);
        draw(3);
        last->joint = i / 2u ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE;
        last->axis[i % 2u] = nan;
        TEST_ASSERT_EQUAL_INT(i / 2u ? TC_ERR_NOT_FINITE : TC_OK, tc_leg_check(&leg));
    }
}

void suite_leg(void)
{
    RUN_TEST(test_dynamics_are_those_of_a_chain);
    RUN_TEST(test_motors_and_rest_angles);
    RUN_TEST(test_jacobian_is_the_derivative_of_the_foot);
    RUN_TEST(test_what_falls_freely_needs_no_torque);
    RUN_TEST(test_a_turning_base_carries_the_foot);
    RUN_TEST(test_what_is_no_leg_is_refused);
    RUN_TEST(test_numbers_up_to_their_borders);
}
