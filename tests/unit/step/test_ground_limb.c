/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Limbs on a ground: a plane that is given as a shape moves them as the plane does, and stairs hold
 * an arm.
 */
#include "chain_case.h"
#include "learned2_case.h"
#include "limb3_case.h"

#include <math.h>

static const tc_sdf flat = TC_SDF_HALFSPACE;
static const double mu = 0.6;
static limb_case a;
static tc_real work[TC_LIMB3_WORK(LIMB_CASE_DOF, 0u) + TC_GROUND_WORK(8u, 0u)];

/* The half-space n . x <= offset as a posed shape */
static tc_convex_pose pose_of(const tc_plane3 *plane)
{
    const double n[3] = {(double)plane->normal[0], (double)plane->normal[1],
                         (double)plane->normal[2]};
    double t[3] = {1.0 - n[0] * n[0], -n[0] * n[1], -n[0] * n[2]};
    if (fabs(n[0]) > 0.9) {
        t[0] = -n[1] * n[0];
        t[1] = 1.0 - n[1] * n[1];
        t[2] = -n[1] * n[2];
    }
    const double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (int k = 0; k < 3; k++) t[k] /= length;
    const double b[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                         n[0] * t[1] - n[1] * t[0]};
    tc_convex_pose pose;
    for (int k = 0; k < 3; k++) {
        pose.rotation[3 * k] = (tc_real)t[k];
        pose.rotation[3 * k + 1] = (tc_real)b[k];
        pose.rotation[3 * k + 2] = (tc_real)n[k];
        pose.position[k] = (tc_real)(n[k] * (double)plane->offset);
    }
    return pose;
}

/* Catches: a pose without the chain's origin, vertices of another link. */
static void test_as_on_a_plane(void)
{
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    uint32_t touched = 0;
    test_seed(41);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(40u); round++) {
        limb_case_random(&a, 2u + test_below(2), round % 2u == 0u, 4, TC_C(2.0), TC_C(0.5), &law);
        const tc_convex_pose pose = pose_of(&a.leg.foot.plane);
        const tc_ground3 ground = {&flat, &pose};
        tc_limb3_state other = a.state;
        tc_limb3_info info;
        for (uint32_t k = 0; k < 6u; k++) {
            TEST_ASSERT_TRUE(
                tc_ground_step_limb3(&a.leg, &ground, a.torque, &other, &info, work, TC_COUNT(work))
                >= TC_OK);
            TEST_ASSERT_TRUE(
                tc_limb3_step(&a.leg, a.torque, &a.state, &a.info, work, TC_COUNT(work)) >= TC_OK);
            touched += a.info.contact.count > 0u && info.contact.count > 0u;
        }
        for (uint32_t k = 0; k < a.n; k++) {
            test_near(a.state.q[k], other.q[k], TC_C(2e-3), TC_C(1e-3), limb_case_text(round));
        }
    }
    TEST_ASSERT_TRUE(touched > 0u);
}

/* ---- In the plane ---------------------------------------------------------------------------- */

static const tc_real square[8] = {TC_C(-0.05), TC_C(-0.05), TC_C(0.05),  TC_C(-0.05),
                                  TC_C(0.05),  TC_C(0.05),  TC_C(-0.05), TC_C(0.05)};

/* An arm that falls about its shoulder onto the second of two treads, and rests there. */
static void test_an_arm_on_stairs(void)
{
    static const tc_sdf block = TC_SDF_BOX(TC_C(2.0), TC_C(2.0), TC_C(1.0), TC_C(0.0));
    static const tc_sdf_part parts[2] = {{&flat, {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, NULL},
                                         {&block, {TC_C(2.3), TC_C(0.0), TC_C(-0.9)}, NULL}};
    static const tc_sdf_parts two = {parts, 2};
    static const tc_sdf stairs = TC_SDF_DATA(tc_sdf_union, &two);
    static const tc_chain2_link links[2] = {{{TC_C(1.0), TC_C(0.01)},
                                             TC_CHAIN_REVOLUTE,
                                             {TC_C(0.0), TC_C(0.4)},
                                             {TC_C(0.2), TC_C(0.0)},
                                             {TC_C(0.0), TC_C(0.0)}},
                                            {{TC_C(0.5), TC_C(0.002)},
                                             TC_CHAIN_REVOLUTE,
                                             {TC_C(0.2), TC_C(0.0)},
                                             {TC_C(0.05), TC_C(0.0)},
                                             {TC_C(0.0), TC_C(0.0)}}};
    static tc_real scratch[TC_LIMB2_WORK(2u, 0u) + TC_GROUND_WORK(4u, 0u)];
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    const tc_ground2 ground = TC_GROUND2(&stairs);
    tc_limb2 arm;
    tc_limb2_state state;
    tc_limb2_info info;
    tc_real gap = TC_C(1.0), least = TC_C(1.0);
    memset(&arm, 0, sizeof arm);
    memset(&state, 0, sizeof state);
    arm.chain = (tc_chain2){2, links, {TC_C(0.0), TC_C(-9.81)}};
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&arm.foot, &links[1].body, TC_C(0.001), &law));
    arm.foot.shape = (tc_shape2){square, 4, TC_C(0.0)};
    arm.foot.positions = TC_SCHEME_AHEAD ? TC_SCHEME_GAP : TC_SCHEME_DART;
    arm.config = tc_limb2_default();
    TEST_ASSERT_EQUAL(TC_OK, tc_limb2_check(&arm));
    for (uint32_t k = 0; k < 1500u; k++) {
        const tc_real torque[2] = {TC_C(-0.2) * state.qd[0], TC_C(-0.2) * state.qd[1]};
        TEST_ASSERT_TRUE(
            tc_ground_step_limb2(&arm, &ground, torque, &state, &info, scratch, TC_COUNT(scratch))
            >= TC_OK);
        const tc_chain2_link_motion *const link = &state.motion.link[1];
        gap = TC_C(1.0);
        for (uint32_t i = 0; i < 4u; i++) {
            const tc_real *const v = square + 2u * i;
            const tc_real p[2] = {state.motion.origin[0] + link->position[0] + link->cosine * v[0]
                                      - link->sine * v[1],
                                  state.motion.origin[1] + link->position[1] + link->sine * v[0]
                                      + link->cosine * v[1]};
            tc_real here, n[2];
            TEST_ASSERT_EQUAL(TC_OK, tc_ground2_look(&ground, p, &here, n));
            gap = here < gap ? here : gap;
        }
        least = gap < least ? gap : least;
    }
    TEST_ASSERT_TRUE(least > TC_C(-3e-3));
    TEST_ASSERT_TRUE(gap < TC_C(1e-3));
    test_near(TC_C(0.0), state.qd[0], TC_C(0.02), TC_C(0.0), "shoulder at rest");
    test_near(TC_C(0.0), state.qd[1], TC_C(0.05), TC_C(0.0), "hand at rest");
}

static void test_refused(void)
{
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    const tc_ground3 ground = {&flat, NULL}, none = {NULL, NULL};
    tc_limb3_info info;
    test_seed(42);
    limb_case_random(&a, 2, 0, 4, TC_C(2.0), TC_C(0.5), &law);
    tc_limb3_state before = a.state;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_ground_step_limb3(&a.leg, &none, a.torque, &a.state, &info,
                                                        work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_ground_step_limb3(NULL, &ground, a.torque, &a.state, &info,
                                                        work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_ground_step_limb3(&a.leg, &ground, a.torque, &a.state, &info, work, 20));
    TEST_ASSERT_EQUAL_MEMORY(before.q, a.state.q, sizeof before.q);
    TEST_ASSERT_EQUAL(TC_LEARNED_NONE, info.contact.contact.branch);
}

void suite_ground_limb(void)
{
    RUN_TEST(test_as_on_a_plane);
    RUN_TEST(test_an_arm_on_stairs);
    RUN_TEST(test_refused);
}
