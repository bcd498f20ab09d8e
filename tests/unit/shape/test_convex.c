/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distance of convex pairs: closed forms; random pairs, two in five (nearly) parallel, held to the
 * optimality of a convex problem in double: both points lie in their cores and no point of either
 * core is nearer along the line between them. That proves the distance, whatever found it.
 */
#include "pose_case.h"

#include <math.h>

#ifdef __arm__
#define CONVEX_PAIRS 12u
#else
#define CONVEX_PAIRS 400u
#endif

static tc_convex shape[2];
static tc_convex_pose pose[2];
static tc_convex_gap gap;

static void shape_set(uint32_t i, tc_convex_kind kind, double size, double radius)
{
    memset(&shape[i], 0, sizeof shape[i]);
    shape[i].kind = kind;
    shape[i].radius = (tc_real)radius;
    for (uint32_t k = 0; k < 3; ++k) shape[i].half[k] = (tc_real)size;
}

static tc_status ask(void)
{
    return tc_convex_distance(&shape[0], &pose[0], &shape[1], &pose[1], &gap);
}

/* The most that the core of a pair's side reaches along n, from its origin, in double */
static double reach_of(uint32_t side, const double n[3])
{
    const tc_convex *s = &shape[side];
    double l[3] = {0, 0, 0}, best = -1e9;
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t k = 0; k < 3; ++k) l[i] += (double)pose[side].rotation[3 * k + i] * n[k];
    }
    if (s->kind == TC_CONVEX_VERTICES) {
        for (uint32_t i = 0; i < s->count; ++i) {
            const tc_real *v = s->vertices + 3 * i;
            best = fmax(best, l[0] * (double)v[0] + l[1] * (double)v[1] + l[2] * (double)v[2]);
        }
        return best;
    }
    const double z = (double)s->half[2] * fabs(l[2]);
    if (s->kind == TC_CONVEX_POINT) return 0;
    if (s->kind == TC_CONVEX_SEGMENT) return z;
    if (s->kind == TC_CONVEX_CYLINDER) return z + (double)s->half[0] * hypot(l[0], l[1]);
    return z + (double)s->half[0] * fabs(l[0]) + (double)s->half[1] * fabs(l[1]);
}

/* How far a world point lies outside of a side's core, by the distance along each axis */
static double outside_of(uint32_t side, const double x[3])
{
    const tc_convex *s = &shape[side];
    double l[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            l[i] +=
                (double)pose[side].rotation[3 * k + i] * (x[k] - (double)pose[side].position[k]);
        }
    }
    const int slim = s->kind == TC_CONVEX_POINT || s->kind == TC_CONVEX_SEGMENT;
    const double hx = slim ? 0 : (double)s->half[0], hy = slim ? 0 : (double)s->half[1];
    const double hz = s->kind == TC_CONVEX_POINT ? 0 : (double)s->half[2];
    const double across = s->kind == TC_CONVEX_CYLINDER ? hypot(l[0], l[1]) - hx
                                                        : fmax(fabs(l[0]) - hx, fabs(l[1]) - hy);
    return fmax(across, fabs(l[2]) - hz);
}

/* The gap is the best there is: weak duality leaves nothing between both bounds. */
static void judge(double tolerance, const char *what)
{
    double core[2][3], n[3], back[3], apart = 0, bound = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        n[k] = (double)gap.normal[k];
        back[k] = -n[k];
        core[0][k] = (double)gap.point_a[k] + (double)shape[0].radius * n[k];
        core[1][k] = (double)gap.point_b[k] - (double)shape[1].radius * n[k];
        apart += (core[0][k] - core[1][k]) * (core[0][k] - core[1][k]);
        bound += n[k] * ((double)pose[0].position[k] - (double)pose[1].position[k]);
    }
    apart = sqrt(apart);
    bound -= reach_of(0, back) + reach_of(1, n);
    const double sum = (double)shape[0].radius + (double)shape[1].radius;
    TEST_ASSERT_TRUE_MESSAGE(fabs((double)gap.distance + sum - bound) <= tolerance, what);
    TEST_ASSERT_TRUE_MESSAGE(fabs(apart - bound) <= 4 * tolerance, what);
    for (uint32_t i = 0; i < 2; ++i) {
        if (shape[i].kind != TC_CONVEX_VERTICES) {
            TEST_ASSERT_TRUE_MESSAGE(outside_of(i, core[i]) <= 4 * tolerance, what);
        }
    }
}

static void random_pair(uint32_t round)
{
    double q[4];
    for (uint32_t i = 0; i < 2; ++i) {
        shape_set(i, (tc_convex_kind)(i == 0 ? round % 4 : round / 4 % 4), 0, 0.01);
        const double turn = i == 1 && round % 5 < 2 ? (double)test_log_uniform(1e-7, 0.1) : 1;
        for (uint32_t k = 0; k < 3; ++k) shape[i].half[k] = test_uniform(TC_C(0.02), TC_C(0.2));
        for (uint32_t k = 0; k < 4; ++k) {
            const double x = (double)test_uniform(-1, 1);
            q[k] = turn < 1 ? q[k] + (round % 5 == 0 ? 0 : turn * x) : x;
        }
        tc_real at[3]; /* drawn in this order everywhere, as arguments are not */
        test_fill(at, 3, TC_C(-0.4), TC_C(0.4));
        pose_set(&pose[i], q, (double)at[0], (double)at[1], (double)at[2]);
    }
}

/* Newton takes over from the corners early */
static void test_rims_end_by_newton(void)
{
    uint32_t asked = 0, steps = 0;
    test_seed(15003);
    for (uint32_t round = 0; round < CONVEX_PAIRS; ++round) {
        random_pair(15u + 16u * round);
        if (ask() == TC_NOTE_OVERLAP) continue;
        judge(1.5e-6, "rims");
        ++asked;
        steps += gap.steps;
    }
#ifndef TC_DOUBLE
    TEST_ASSERT_TRUE(10 * steps <= 27 * asked + 100); /* 2.5 in the mean */
#endif
}

static void test_random_pairs_are_optimal(void)
{
    uint32_t limits = 0, asked = 0, steps = 0;
    test_seed(15001);
    for (uint32_t round = 0; round < 16 * CONVEX_PAIRS; ++round) {
        random_pair(round);
        const tc_status status = ask();
        if (status == TC_NOTE_OVERLAP) continue;
        ++asked;
        limits += status == TC_NOTE_LIMIT;
        steps += gap.steps;
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_LIMIT);
        if (status == TC_OK) judge(1.5e-6, "random pair");
    }
    TEST_ASSERT_TRUE(asked > 8 * CONVEX_PAIRS);
    TEST_ASSERT_TRUE(steps < 3 * asked); /* rims, too, which take 4.4 on corners alone */
#ifndef TC_DOUBLE
    TEST_ASSERT_TRUE(limits * 50 <= asked);
#endif
}

static void test_order_and_motion_change_nothing(void)
{
    test_seed(15002);
    for (uint32_t round = 0; round < 8 * CONVEX_PAIRS; ++round) {
        random_pair(round);
        const tc_status status = ask();
        const tc_convex_gap first = gap;
        if (status != TC_OK) continue;
        const tc_convex kept = shape[0];
        const tc_convex_pose at = pose[0];
        shape[0] = shape[1];
        shape[1] = kept;
        pose[0] = pose[1];
        pose[1] = at;
        if (ask() == TC_OK) test_near(first.distance, gap.distance, TC_C(2e-6), 0, "order");
        for (uint32_t i = 0; i < 2; ++i) {
            pose[i].position[0] += TC_C(0.25);
            for (uint32_t k = 0; k < 3; ++k) {
                const tc_real x = pose[i].rotation[k];
                pose[i].rotation[k] = -pose[i].rotation[3 + k];
                pose[i].rotation[3 + k] = x;
            }
            const tc_real x = pose[i].position[0];
            pose[i].position[0] = -pose[i].position[1];
            pose[i].position[1] = x;
        }
        if (ask() == TC_OK) test_near(first.distance, gap.distance, TC_C(2e-6), 0, "motion");
    }
}

static void test_closed_forms(void)
{
    static const double still[4] = {1, 0, 0, 0}, quarter[4] = {1, 1, 0, 0};
    static const double eighth[4] = {0.92387953251128674, 0, 0, 0.38268343236508977};
    shape_set(0, TC_CONVEX_POINT, 0, 0.1);
    shape_set(1, TC_CONVEX_POINT, 0, 0.2);
    pose_set(&pose[0], still, 0, 3, 4);
    pose_set(&pose[1], still, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, ask());
    test_near(TC_C(4.7), gap.distance, TC_C(1e-6), 0, "spheres");
    test_near(TC_C(0.6), gap.normal[1], TC_C(1e-6), 0, "from b to a");
    test_near(TC_C(2.94), gap.point_a[1], TC_C(1e-6), 0, "a's surface");
    test_near(TC_C(0.12), gap.point_b[1], TC_C(1e-6), 0, "b's surface");
    shape_set(0, TC_CONVEX_SEGMENT, 0.5, 0.1); /* crossed capsules, edge on edge */
    shape_set(1, TC_CONVEX_SEGMENT, 0.5, 0.1);
    pose_set(&pose[0], still, 0.3, 0, 0);
    pose_set(&pose[1], quarter, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, ask());
    test_near(TC_C(0.1), gap.distance, TC_C(1e-6), 0, "capsules");
    shape_set(0, TC_CONVEX_BOX, 0.1, 0); /* face over face; a vertical edge before a face */
    shape_set(1, TC_CONVEX_BOX, 0.2, 0);
    pose_set(&pose[0], still, 0.05, 0.05, 0.35);
    pose_set(&pose[1], still, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, ask());
    test_near(TC_C(0.05), gap.distance, TC_C(1e-7), 0, "parallel faces");
    test_near(TC_C(1.0), gap.normal[2], TC_C(1e-6), 0, "parallel faces");
    pose_set(&pose[0], eighth, 0.5, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, ask());
    test_near(TC_C(0.15857864), gap.distance, TC_C(2e-7), 0, "edge before a face");
    shape_set(1, TC_CONVEX_HALFSPACE, 0, 0); /* floor, also below it */
    pose_set(&pose[0], still, 7, 8, 0.07);
    TEST_ASSERT_EQUAL_INT(TC_OK, ask());
    test_near(TC_C(-0.03), gap.distance, TC_C(1e-7), 0, "sunk into the floor");
}

static void test_vertices_are_a_box(void)
{
    static tc_real corner[24];
    test_seed(15003);
    for (uint32_t round = 0; round < 4 * CONVEX_PAIRS; ++round) {
        random_pair(round);
        shape[0].kind = TC_CONVEX_BOX;
        const tc_status status = ask();
        const tc_real distance = gap.distance;
        for (uint32_t i = 0; i < 24; ++i) {
            const tc_real half = shape[0].half[i % 3];
            corner[i] = (((i / 3) >> (i % 3)) & 1u) ? half : -half;
        }
        shape[0].kind = TC_CONVEX_VERTICES;
        shape[0].vertices = corner;
        shape[0].count = 8;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_convex_check(&shape[0]));
        if (ask() == TC_OK && status == TC_OK) {
            test_near(distance, gap.distance, TC_C(2e-6), 0, "vertices");
            judge(1.5e-6, "vertices");
        }
    }
}

static void test_overlap_is_noted(void)
{
    static const double still[4] = {1, 0, 0, 0};
    for (uint32_t i = 0; i < 16; ++i) {
        shape_set(0, (tc_convex_kind)(i % 4), 0.1, 0.02);
        shape_set(1, (tc_convex_kind)(i / 4), 0.1, 0.03);
        pose_set(&pose[0], still, 0, 0, 0);
        pose_set(&pose[1], still, 0, 0, 0);
        TEST_ASSERT_EQUAL_INT(TC_NOTE_OVERLAP, ask());
        test_near(TC_C(-0.05), gap.distance, TC_C(1e-7), 0, "concentric");
        test_near(1, gap.normal[2], 0, 0, "concentric");
    }
    shape_set(0, TC_CONVEX_BOX, 0.1, 0); /* sharp faces that touch */
    shape_set(1, TC_CONVEX_BOX, 0.1, 0);
    pose_set(&pose[0], still, 0, 0, (double)TC_C(0.1) * 2);
    TEST_ASSERT_EQUAL_INT(TC_NOTE_OVERLAP, ask());
    test_near(0, gap.distance, 0, 0, "touching");
    test_near(1, gap.normal[2], TC_C(1e-6), 0, "touching");
}

static void test_faults_are_named(void)
{
    static const double still[4] = {1, 0, 0, 0};
    const tc_real zero = 0;
    shape_set(0, TC_CONVEX_BOX, 0.1, 0);
    shape_set(1, TC_CONVEX_BOX, 0.1, 0);
    pose_set(&pose[0], still, 0, 0, 1);
    pose_set(&pose[1], still, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_convex_check(NULL));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_convex_distance(&shape[0], &pose[0], NULL, &pose[1], &gap));
    shape[0].kind = TC_CONVEX_HALFSPACE;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, ask());
    shape[0].kind = TC_CONVEX_VERTICES;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, ask());
    shape[0].vertices = &zero;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_convex_check(&shape[0]));
    shape[0].kind = TC_CONVEX_BOX;
    shape[0].radius = -1;
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tc_convex_check(&shape[0]));
    shape[0].radius = zero / zero;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, ask());
    shape[0].radius = 0;
    pose[1].rotation[0] = 2;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNIT, ask());
    pose[1].rotation[0] = 1;
    pose[1].position[0] = TC_C(2e6);
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, ask());
    TEST_ASSERT_TRUE(gap.distance == 0 && gap.normal[2] == 0 && gap.steps == 0);
}

static void test_golden_distances(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(15004);
    for (uint32_t round = 0; round < 160; ++round) {
        random_pair(round);
        (void)ask();
        hash = test_hash(hash, &gap.distance, 1);
        hash = test_hash(hash, gap.normal, 3);
        hash = test_hash(hash, gap.point_a, 3);
        hash = test_hash(hash, gap.point_b, 3);
    }
    test_golden("convex.distances", hash);
}

void suite_convex(void)
{
    RUN_TEST(test_rims_end_by_newton);
    RUN_TEST(test_random_pairs_are_optimal);
    RUN_TEST(test_order_and_motion_change_nothing);
    RUN_TEST(test_closed_forms);
    RUN_TEST(test_vertices_are_a_box);
    RUN_TEST(test_overlap_is_noted);
    RUN_TEST(test_faults_are_named);
    RUN_TEST(test_golden_distances);
}
