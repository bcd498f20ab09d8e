/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Spatial limbs: statuses of tc_limb3_check and tc_limb3_step by the one number that causes each, inside its border
 * and beyond, of each link, vertex, coordinate, rate and torque. A step that is refused leaves coordinates, rates and warm
 * start to the bit.
 */
#include "limb3_case.h"

#include <math.h>

static limb_case a;
static tc_limb3 good;
static tc_real vertices[3u * 4u];
static const float none[] = {NAN, INFINITY, -INFINITY};

/* A hinged chain of three links, on a root that floats or not; mass 1 kg and gyration 0.1 m about each axis of the last;
 * four ends of an octahedron, 0.1 m from its middle. */
static void make_limb(int floating)
{
    static const learned3_said said = {{1, 0, 0}, {0, 0}, TC_OK, TC_OK, TC_OK};
    const tc_learned3_model law = learned3_said_law(&said);
    test_seed(441);
    limb_case_random(&a, 3, floating, 1, TC_C(1.0), TC_C(1.0), &law);
    tc_body3 *const last = &a.links[2].body;
    last->mass = TC_C(1.0);
    last->inertia[0] = last->inertia[1] = last->inertia[2] = TC_C(0.01);
    a.leg.foot.body = *last;
    memset(vertices, 0, sizeof vertices);
    for (uint32_t i = 0; i < 4u; ++i) {
        vertices[3u * i + i % 3u] = i < 3u ? TC_C(0.1) : TC_C(-0.1);
    }
    a.leg.foot.shape.vertices = vertices;
    a.leg.foot.shape.count = 4;
    a.leg.foot.shape.radius = TC_C(0.0);
    good = a.leg;
    TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&a.leg));
}

static void refused(tc_status expected)
{
    TEST_ASSERT_EQUAL(expected, tc_limb3_check(&a.leg));
    a.leg = good;
    TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&a.leg));
}

/* Each number of the foot: allowed up to `good`, and refused at `bad` with a status of its own. */
static void test_numbers_up_to_their_borders(void)
{
    tc_foot3 *const foot = &a.leg.foot;
    const tc_real nan = (tc_real)NAN, infinite = (tc_real)INFINITY;
    const struct {
        tc_real *number, good, bad;
        tc_status status;
    } all[] = {{&foot->step, TC_C(1.0), TC_C(1.001), TC_ERR_RANGE},
               {&foot->step, TC_C(1e-4), TC_C(0.0), TC_ERR_RANGE},
               {&foot->step, TC_C(1e-4), nan, TC_ERR_RANGE},
               {&foot->restitution, TC_C(0.0), TC_C(-1e-3), TC_ERR_RANGE},
               {&foot->restitution, TC_C(1.0), TC_C(1.001), TC_ERR_RANGE},
               {&foot->restitution, TC_C(1.0), nan, TC_ERR_RANGE},
               {&foot->compliance.stiffness, TC_C(0.0), TC_C(1.0), TC_ERR_UNSUPPORTED},
               {&foot->plane.offset, TC_C(-1e6), nan, TC_ERR_UNIT},
               {&foot->plane.offset, TC_C(1e6), infinite, TC_ERR_UNIT},
               {&foot->body.mass, TC_C(1.000009), TC_C(1.000012), TC_ERR_MODEL_MISMATCH},
               {&foot->body.mass, TC_C(0.999991), TC_C(0.999988), TC_ERR_MODEL_MISMATCH},
               {&foot->body.mass, TC_C(1.0), nan, TC_ERR_MODEL_MISMATCH},
               {&foot->body.inertia[0], TC_C(0.01) * TC_C(1.000009), TC_C(0.01) * TC_C(1.000012),
                TC_ERR_MODEL_MISMATCH},
               {&foot->body.inertia[1], TC_C(0.01) * TC_C(0.999991), TC_C(0.01) * TC_C(0.999988),
                TC_ERR_MODEL_MISMATCH},
               {&foot->body.inertia[2], TC_C(0.01) * TC_C(1.000009), TC_C(0.01) * TC_C(1.000012),
                TC_ERR_MODEL_MISMATCH},
               {&foot->shape.radius, TC_C(1.0), TC_C(-1e-3), TC_ERR_RANGE},
               {&foot->shape.radius, TC_C(1.0), infinite, TC_ERR_NOT_FINITE},
               {&foot->shape.radius, TC_C(5.7), TC_C(5.8),
                TC_ERR_RANGE}}; /* 3 r^2 and two of 0.1^2 over 0.01: 100^2 */
    for (uint32_t i = 0; i < TC_COUNT(all); ++i) {
        make_limb(0);
        *all[i].number = all[i].good;
        TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&a.leg));
        *all[i].number = all[i].bad;
        refused(all[i].status);
    }
}

static void test_parts_refused(void)
{
    make_limb(0);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_limb3_check(NULL));
    a.leg.chain.links = NULL;
    refused(TC_ERR_NULL);
    a.leg.chain.count = 0;
    refused(TC_ERR_SIZE);
    a.leg.chain.count = TC_CHAIN_MAX + 1u;
    refused(TC_ERR_SIZE);
    a.leg.foot.shape.vertices = NULL;
    refused(TC_ERR_NULL);
    a.leg.foot.model.classify = NULL;
    refused(TC_ERR_NULL);
    a.leg.foot.model.ratio = NULL;
    refused(TC_ERR_NULL);
    a.leg.foot.shape.count = 0;
    refused(TC_ERR_SIZE);
    a.leg.foot.shape.count = TC_SHAPE_MAX + 1u;
    refused(TC_ERR_SIZE);
    a.leg.foot.sweeps.rounds = 0;
    refused(TC_ERR_SIZE);
    a.leg.foot.sweeps.rounds = TC_LEARNED3_ROUNDS_MAX + 1u;
    refused(TC_ERR_SIZE);
    a.leg.foot.sweeps.frozen = TC_LEARNED3_FROZEN_MAX + 1u;
    refused(TC_ERR_SIZE);
    a.leg.foot.positions = (tc_scheme)(TC_SCHEME_GAP + 1);
    refused(TC_ERR_UNSUPPORTED);
    for (uint32_t k = 0; k < 3u; ++k) {
        a.leg.foot.plane.normal[k] = (tc_real)none[k];
        refused(TC_ERR_UNIT);
        a.leg.foot.plane.normal[k] += a.leg.foot.plane.normal[k] < 0 ? TC_C(-0.3) : TC_C(0.3);
        refused(TC_ERR_UNIT);
        a.leg.chain.gravity[k] = (tc_real)none[k];
        refused(TC_ERR_NOT_FINITE);
    }
    make_limb(1); /* a floating root alone: the link that touches would be free */
    a.links[0].body = a.leg.foot.body;
    a.leg.chain.count = 1;
    refused(TC_ERR_UNSUPPORTED);
}

/* Catches: a vertex that is not looked at. */
static void test_each_vertex_and_link(void)
{
    make_limb(0);
    for (uint32_t i = 0; i < 4u; ++i) {
        tc_real *const vertex = vertices + 3u * i;
        tc_real kept[3];
        memcpy(kept, vertex, sizeof kept);
        for (uint32_t k = 0; k < 3u; ++k) {
            memset(vertex, 0, sizeof kept);
            vertex[k] = TC_C(7.0); /* 2 * 7^2 / 0.01 < 100^2 */
            TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&a.leg));
            vertex[k] = TC_C(-7.1);
            TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_limb3_check(&a.leg));
            vertex[k] = (tc_real)none[k];
            TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_limb3_check(&a.leg));
            memcpy(vertex, kept, sizeof kept);
        }
        memcpy(vertex, vertices + 3u * ((i + 1u) % 4u), sizeof kept);
        TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_limb3_check(&a.leg));
        memcpy(vertex, kept, sizeof kept);
        TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&a.leg));
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_chain3_link kept = a.links[i];
        a.links[i].body.mass = TC_C(-1.0);
        TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_limb3_check(&a.leg));
        a.links[i] = kept;
        a.links[i].axis[1] += TC_C(2.5);
        TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_limb3_check(&a.leg));
        a.links[i] = kept;
        a.links[i].joint = (tc_chain_joint)(TC_CHAIN_FREE + 1);
        TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_limb3_check(&a.leg));
        a.links[i] = kept;
    }
}

/* ---- Steps -------------------------------------------------------------------------------------- */

/* Refuses, and leaves what a next step begins with; `state` has one number changed, and gets it back. */
static void step_refused(tc_status expected, tc_real *number, tc_real bad)
{
    const tc_real kept = *number;
    memset(a.state.warm.impulse, 0, sizeof a.state.warm.impulse);
    a.state.warm.count = 1;
    a.state.warm.impulse[0][2] = TC_C(0.125);
    *number = bad;
    TEST_ASSERT_EQUAL(expected, limb_case_step(&a));
    TEST_ASSERT_EQUAL_MEMORY(a.before.q, a.state.q, sizeof a.state.q);
    TEST_ASSERT_EQUAL_MEMORY(a.before.qd, a.state.qd, sizeof a.state.qd);
    TEST_ASSERT_EQUAL_MEMORY(&a.before.warm, &a.state.warm, sizeof a.state.warm);
    TEST_ASSERT_EQUAL(TC_LEARNED_NONE, a.info.contact.contact.branch);
    *number = kept;
}

/* Each coordinate, rate and torque as none, and the last two beyond their limits; in every scheme, on either root. */
static void test_each_number_of_a_step(void)
{
    for (uint32_t round = 0; round < 6u; ++round) {
        const uint32_t floating = round / 3u;
        make_limb((int)floating);
        limb_case_touch(&a, 2, TC_C(1e-4));
        a.leg.foot.positions = (tc_scheme)(round % 3u);
        memset(a.torque, 0, sizeof a.torque);
        for (uint32_t kind = 0; kind < TC_COUNT(none); ++kind) {
            const tc_real bad = (tc_real)none[kind];
            for (uint32_t k = 0; k < a.n + floating; ++k) {
                step_refused(TC_ERR_NOT_FINITE, &a.state.q[k], bad);
            }
            for (uint32_t k = 0; k < a.n; ++k) {
                step_refused(TC_ERR_NOT_FINITE, &a.state.qd[k], bad);
                step_refused(TC_ERR_NOT_FINITE, &a.torque[k], bad);
            }
        }
        for (uint32_t k = 0; k < a.n; ++k) {
            step_refused(TC_ERR_RANGE, &a.state.qd[k], TC_C(-1.001) * TC_CHAIN_RATE_MAX);
            step_refused(TC_ERR_RANGE, &a.torque[k], TC_C(1.001) * TC_CHAIN_TORQUE_MAX);
            step_refused(TC_ERR_RANGE, &a.torque[k], TC_C(-1.001) * TC_CHAIN_TORQUE_MAX);
        }
        if (floating) {
            step_refused(TC_ERR_UNIT, &a.state.q[3],
                         a.state.q[3] + (a.state.q[3] < 0 ? TC_C(-0.5) : TC_C(0.5)));
        }
        memset(&a.state.warm, 0, sizeof a.state.warm);
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
    }
}

/* A step depends on q, qd and the warm start: not on the scratch in the state, nor on what info or workspace held. */
static void test_scratch_is_not_read(void)
{
    uint32_t touched = 0;
    for (uint32_t round = 0; round < 6u; ++round) {
        static tc_limb3_state first, start;
        make_limb((int)(round / 3u));
        limb_case_touch(&a, 2, TC_C(1e-4));
        a.leg.foot.positions = (tc_scheme)(round % 3u);
        memset(&a.state.warm, 0, sizeof a.state.warm);
        start = a.state;
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
        const tc_limb3_info told = a.info;
        first = a.state;
        a.state = start;
        memset(&a.state.next, 0x7B, sizeof a.state.next);
        memset(&a.state.motion, 0xFF, sizeof a.state.motion);
        memset(&a.state.patch, 0xFF, sizeof a.state.patch);
        memset(&a.info, 0x7B, sizeof a.info);
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
        TEST_ASSERT_EQUAL_MEMORY(first.q, a.state.q, (a.n + round / 3u) * sizeof a.state.q[0]);
        TEST_ASSERT_EQUAL_MEMORY(first.qd, a.state.qd, a.n * sizeof a.state.qd[0]);
        TEST_ASSERT_EQUAL_UINT32(first.warm.count, a.state.warm.count);
        for (uint32_t i = 0; i < first.warm.count; ++i) {
            TEST_ASSERT_EQUAL_MEMORY(first.warm.impulse[i], a.state.warm.impulse[i],
                                     sizeof first.warm.impulse[i]);
        }
        touched += told.contact.count;
        TEST_ASSERT_TRUE(told.penetration == a.info.penetration);
        TEST_ASSERT_EQUAL_UINT32(told.contact.count, a.info.contact.count);
    }
    TEST_ASSERT_TRUE(touched > 0u); /* or nothing was tried */
}

void suite_limb3_checked(void)
{
    RUN_TEST(test_numbers_up_to_their_borders);
    RUN_TEST(test_parts_refused);
    RUN_TEST(test_each_vertex_and_link);
    RUN_TEST(test_each_number_of_a_step);
    RUN_TEST(test_scratch_is_not_read);
}
