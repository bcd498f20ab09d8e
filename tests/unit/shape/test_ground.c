/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Planes of a ground: against closed forms of stairs, a slope and a ball in double.
 */
#include "test.h"

#include <math.h>

static const tc_sdf step1 = TC_SDF_BOX(TC_C(2.0), TC_C(2.0), TC_C(1.0), TC_C(0.0));
static const tc_sdf_part treads[3] = {{&step1, {TC_C(2.0), TC_C(0.0), TC_C(-0.9)}, NULL},
                                      {&step1, {TC_C(2.3), TC_C(0.0), TC_C(-0.8)}, NULL},
                                      {&step1, {TC_C(2.6), TC_C(0.0), TC_C(-0.7)}, NULL}};
static const tc_sdf_parts three = {treads, 3};
static const tc_sdf stairs = TC_SDF_DATA(tc_sdf_union, &three);
static const tc_sdf ball = TC_SDF_SPHERE(TC_C(0.5)), flat = TC_SDF_HALFSPACE;
static const tc_real sole[24] = {TC_C(-0.1),  TC_C(-0.04), TC_C(-0.01), TC_C(0.1),   TC_C(-0.04),
                                 TC_C(-0.01), TC_C(-0.1),  TC_C(0.04),  TC_C(-0.01), TC_C(0.1),
                                 TC_C(0.04),  TC_C(-0.01), TC_C(-0.1),  TC_C(-0.04), TC_C(0.01),
                                 TC_C(0.1),   TC_C(-0.04), TC_C(0.01),  TC_C(-0.1),  TC_C(0.04),
                                 TC_C(0.01),  TC_C(0.1),   TC_C(0.04),  TC_C(0.01)};
static const tc_shape3 foot = {sole, 8, TC_C(0.0)};
static tc_real work[TC_GROUND_WORK(8u, 0u)];
static tc_ground3_stands stands;

static double box_distance(const double p[3], const double middle[3])
{
    const double half[3] = {2.0, 2.0, 1.0};
    double outside = 0.0, inside = -1e9;
    for (int k = 0; k < 3; k++) {
        const double d = fabs(p[k] - middle[k]) - half[k];
        outside += d > 0.0 ? d * d : 0.0;
        inside = d > inside ? d : inside;
    }
    return outside > 0.0 ? sqrt(outside) : inside;
}

/* A body turned about all axes by up to `tilt` over x in 0..0.9, its lowest vertex near z */
static tc_body3_state random_pose(tc_real z, tc_real tilt)
{
    tc_body3_state state = {{test_uniform(TC_C(-0.1), TC_C(0.9)), TC_C(0.3), z},
                            {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)},
                            {TC_C(0.0)}};
    double norm = 0.0;
    for (uint32_t k = 1; k < 4u; k++) state.orientation[k] = test_uniform(-tilt, tilt);
    for (uint32_t k = 0; k < 4u; k++) norm += (double)(state.orientation[k] * state.orientation[k]);
    for (uint32_t k = 0; k < 4u; k++) state.orientation[k] /= (tc_real)sqrt(norm);
    return state;
}

static void world_of(const tc_body3_state *state, const tc_real vertex[3], double p[3])
{
    const double w = (double)state->orientation[0], x = (double)state->orientation[1],
                 y = (double)state->orientation[2], z = (double)state->orientation[3];
    const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) {
        p[i] = (double)state->position[i];
        for (int k = 0; k < 3; k++) p[i] += R[i][k] * (double)vertex[k];
    }
}

/* Catches: a pose applied the wrong way round, a normal that is not turned back, a section whose
 * axes are swapped. */
static void test_one_point(void)
{
    const tc_real turn = TC_C(0.3), c = (tc_real)cos(0.3), s = (tc_real)sin(0.3);
    const tc_convex_pose at = {{c, TC_C(0.0), s, TC_C(0.0), TC_C(1.0), TC_C(0.0), -s, TC_C(0.0), c},
                               {TC_C(0.1), TC_C(-0.2), TC_C(0.4)}};
    const tc_ground3 slope = {&flat, &at};
    tc_ground2 round_section = TC_GROUND2(&ball);
    (void)turn;
    test_seed(1);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); round++) {
        tc_real p[3], gap, n[3];
        test_fill(p, 3, TC_C(-1.0), TC_C(1.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_ground3_look(&slope, p, &gap, n, NULL, 0));
        const double expected = sin(0.3) * ((double)p[0] - 0.1) + cos(0.3) * ((double)p[2] - 0.4);
        test_near((tc_real)expected, gap, TC_C(1e-6), TC_C(0.0), "gap to a slope");
        test_near(s, n[0], TC_C(1e-6), TC_C(0.0), "normal of a slope, x");
        test_near(c, n[2], TC_C(1e-6), TC_C(0.0), "normal of a slope, z");
        /* beside the middle of the ball its section is a smaller circle: right at the surface */
        round_section.origin[1] = test_uniform(TC_C(-0.4), TC_C(0.4));
        const double y = (double)round_section.origin[1], r = sqrt(0.25 - y * y);
        const tc_real angle = test_uniform(TC_C(-3.0), TC_C(3.0));
        const double out = (double)test_uniform(TC_C(-1e-3), TC_C(1e-3));
        const tc_real q[2] = {(tc_real)((r + out) * cos((double)angle)),
                              (tc_real)((r + out) * sin((double)angle))};
        TEST_ASSERT_EQUAL(TC_OK, tc_ground2_look(&round_section, q, &gap, n));
        test_near((tc_real)out, gap, TC_C(4e-6), TC_C(0.0), "gap to a circle");
        test_near((tc_real)cos((double)angle), n[0], TC_C(2e-6), TC_C(0.0), "normal of a circle");
    }
}

/* Every vertex of the cluster has the ground's gap to the cluster's plane. */
static void check_levels(const tc_body3_state *state)
{
    uint32_t all = stands.dropped, near = 0;
    for (uint32_t k = 0; k < stands.count; k++) {
        const tc_ground3_stand *const stand = &stands.stand[k];
        all += stand->shape.count;
        for (uint32_t i = 0; i < stand->shape.count; i++) {
            double p[3], best = 1e9, gap = -(double)stand->plane.offset;
            world_of(state, stand->shape.vertices + 3u * i, p);
            for (int j = 0; j < 3; j++) gap += (double)stand->plane.normal[j] * p[j];
            for (uint32_t v = 0; v < 8u; v++) { /* the original vertex below or above it */
                double q[3], across = 0.0, along = 0.0, own = 1e9;
                world_of(state, sole + 3u * v, q);
                for (int j = 0; j < 3; j++) along += (double)stand->plane.normal[j] * (q[j] - p[j]);
                for (int j = 0; j < 3; j++) {
                    const double d = q[j] - p[j] - along * (double)stand->plane.normal[j];
                    across += d * d;
                }
                for (uint32_t b = 0; b < 3u; b++) {
                    const double middle[3] = {(double)treads[b].position[0],
                                              (double)treads[b].position[1],
                                              (double)treads[b].position[2]};
                    const double d = box_distance(q, middle);
                    own = d < own ? d : own;
                }
                if (across < 1e-10 && fabs(own - gap) < fabs(best - gap)) best = own;
            }
            test_near((tc_real)best, (tc_real)gap, TC_C(5e-5), TC_C(0.0), "gap of a moved vertex");
        }
    }
    for (uint32_t v = 0; v < 8u; v++) {
        double q[3], own = 1e9;
        world_of(state, sole + 3u * v, q);
        for (uint32_t b = 0; b < 3u; b++) {
            const double middle[3] = {(double)treads[b].position[0], (double)treads[b].position[1],
                                      (double)treads[b].position[2]};
            const double d = box_distance(q, middle);
            own = d < own ? d : own;
        }
        near += own < (double)TC_GROUND_MARGIN;
    }
    TEST_ASSERT_EQUAL_UINT(near > 0u ? near : 1u, all);
}

/* Catches: vertices of another tread left at their level, vertices in two clusters, a margin that
 * is not kept, a cluster that is not the nearest first. */
static void test_stairs(void)
{
    const tc_ground3 ground = {&stairs, NULL};
    uint32_t several = 0;
    test_seed(2);
    for (uint32_t round = 0; round < TEST_ROUNDS(400); round++) {
        const tc_real z = test_uniform(TC_C(0.1), TC_C(0.35));
        const tc_body3_state state = random_pose(z, TC_C(0.1));
        TEST_ASSERT_EQUAL(TC_OK, tc_ground3_find(&ground, &foot, &state, NULL, NULL, &stands, work,
                                                 TC_COUNT(work)));
        check_levels(&state);
        several += stands.count > 1u;
        for (uint32_t k = 1; k < stands.count; k++) {
            TEST_ASSERT_TRUE(stands.stand[k].gap >= stands.stand[k - 1u].gap);
        }
    }
    TEST_ASSERT_TRUE(several > 0u);
}

/* Two treads under one sole: one plane, heel and toe as far from it as from their treads. */
static void test_two_levels(void)
{
    const tc_ground3 ground = {&stairs, NULL};
    const tc_body3_state state = {{TC_C(0.3), TC_C(0.0), TC_C(0.215)},
                                  {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)},
                                  {TC_C(0.0)}};
    TEST_ASSERT_EQUAL(
        TC_OK, tc_ground3_find(&ground, &foot, &state, NULL, NULL, &stands, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_UINT(1, stands.count);
    TEST_ASSERT_EQUAL_UINT(2, stands.stand[0].shape.count);
    test_near(TC_C(0.2), stands.stand[0].plane.offset, TC_C(1e-6), TC_C(0.0), "upper tread");
    test_near(TC_C(0.005), stands.stand[0].gap, TC_C(1e-6), TC_C(0.0), "gap");
}

/* A fast foot that ends 30 mm deep beside a riser lands on the tread, not in the riser. */
static void test_fast(void)
{
    const tc_ground3 ground = {&stairs, NULL};
    const tc_body3_state now = {{TC_C(0.415), TC_C(0.0), TC_C(0.215)},
                                {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)},
                                {TC_C(0.0)}};
    tc_body3_state ahead = now;
    ahead.position[2] = TC_C(0.18);
    TEST_ASSERT_EQUAL(
        TC_OK, tc_ground3_find(&ground, &foot, &now, &ahead, NULL, &stands, work, TC_COUNT(work)));
    test_near(TC_C(1.0), stands.stand[0].plane.normal[2], TC_C(1e-6), TC_C(0.0), "normal");
    test_near(TC_C(-0.03), stands.stand[0].gap, TC_C(1e-6), TC_C(0.0), "gap");
}

/* The edge of a kerb under the middle of the sole: only the closest pair knows. */
static void test_closest_pair(void)
{
    static const tc_sdf kerb = TC_SDF_BOX(TC_C(0.02), TC_C(0.02), TC_C(0.5), TC_C(0.0));
    const tc_ground3 ground = {&kerb, NULL};
    const tc_body3_state state = {{TC_C(0.0), TC_C(0.0), TC_C(0.511)},
                                  {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)},
                                  {TC_C(0.0)}};
    const tc_convex_gap gap = {TC_C(0.001),
                               {TC_C(0.0), TC_C(0.0), TC_C(1.0)},
                               {TC_C(0.01), TC_C(0.0), TC_C(0.501)},
                               {TC_C(0.01), TC_C(0.0), TC_C(0.5)},
                               1};
    TEST_ASSERT_EQUAL(
        TC_OK, tc_ground3_find(&ground, &foot, &state, NULL, &gap, &stands, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_UINT(1, stands.count);
    TEST_ASSERT_EQUAL_UINT(1, stands.stand[0].shape.count);
    test_near(TC_C(0.5), stands.stand[0].plane.offset, TC_C(1e-6), TC_C(0.0), "offset");
    test_near(TC_C(0.01), stands.stand[0].shape.vertices[0], TC_C(1e-6), TC_C(0.0), "vertex x");
    test_near(TC_C(-0.01), stands.stand[0].shape.vertices[2], TC_C(1e-6), TC_C(0.0), "vertex z");
}

/* The section of stairs is what a body in space sees there. */
static void test_section(void)
{
    static const tc_real side[8] = {TC_C(-0.1), TC_C(-0.01), TC_C(0.1),  TC_C(-0.01),
                                    TC_C(0.1),  TC_C(0.01),  TC_C(-0.1), TC_C(0.01)};
    const tc_shape2 flat_foot = {side, 4, TC_C(0.0)};
    const tc_ground2 section = TC_GROUND2(&stairs);
    const tc_ground3 ground = {&stairs, NULL};
    static tc_ground2_stands flat_stands;
    test_seed(3);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); round++) {
        const double angle = (double)test_uniform(TC_C(-0.2), TC_C(0.2));
        const tc_real x = test_uniform(TC_C(0.0), TC_C(0.9)),
                      z = test_uniform(TC_C(0.1), TC_C(0.4));
        const tc_body2_state state = {{x, z, (tc_real)angle}, {TC_C(0.0)}};
        const tc_body3_state space = {
            {x, TC_C(0.0), z},
            {(tc_real)cos(angle / 2), TC_C(0.0), (tc_real)-sin(angle / 2), TC_C(0.0)},
            {TC_C(0.0)}};
        TEST_ASSERT_EQUAL(TC_OK, tc_ground2_find(&section, &flat_foot, &state, NULL, &flat_stands,
                                                 work, TC_COUNT(work)));
        const uint32_t count = flat_stands.stand[0].shape.count;
        const tc_real gap = flat_stands.stand[0].gap, nx = flat_stands.stand[0].plane.normal[0];
        TEST_ASSERT_EQUAL(TC_OK, tc_ground3_find(&ground, &foot, &space, NULL, NULL, &stands, work,
                                                 TC_COUNT(work)));
        test_near(stands.stand[0].gap, gap, TC_C(2e-6), TC_C(0.0), "gap");
        test_near(stands.stand[0].plane.normal[0], nx, TC_C(1e-4), TC_C(0.0), "normal");
        if (gap < TC_C(0.015)) {
            TEST_ASSERT_EQUAL_UINT(stands.stand[0].shape.count, 2u * count);
        }
    }
}

static void test_refused(void)
{
    const tc_ground3 ground = {&flat, NULL}, none = {NULL, NULL};
    const tc_shape3 empty = {sole, 0, TC_C(0.0)};
    tc_body3_state state = random_pose(TC_C(0.1), TC_C(0.0)), wrong = state;
    tc_real gap = TC_C(1.0), n[3], p[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_ground3_find(&none, &foot, &state, NULL, NULL, &stands, work,
                                                   TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_ground3_find(&ground, &empty, &state, NULL, NULL, &stands,
                                                   work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_ground3_find(&ground, &foot, &state, NULL, NULL, &stands,
                                                   work, TC_COUNT(work) - 1u));
    wrong.orientation[0] = TC_C(2.0);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_ground3_find(&ground, &foot, &state, &wrong, NULL, &stands,
                                                   work, TC_COUNT(work)));
    wrong = state;
    wrong.position[0] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_ground3_find(&ground, &foot, &wrong, NULL, NULL,
                                                         &stands, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_UINT(0, stands.count);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_ground3_look(&none, p, &gap, n, NULL, 0));
    TEST_ASSERT_TRUE(gap == TC_C(0.0));
    p[1] = (tc_real)INFINITY;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_ground3_look(&ground, p, &gap, n, NULL, 0));
}

void suite_ground(void)
{
    RUN_TEST(test_one_point);
    RUN_TEST(test_stairs);
    RUN_TEST(test_two_levels);
    RUN_TEST(test_fast);
    RUN_TEST(test_closest_pair);
    RUN_TEST(test_section);
    RUN_TEST(test_refused);
}
