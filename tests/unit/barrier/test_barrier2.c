/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Barriers in the plane: derivatives by differences, momentum, the same pair in space, refusals, the
 * floor, faults. Pairs are separated by construction, every third with parallel sides.
 */
#include "../pose_case.h"

#include <math.h>

#ifdef __arm__
#define PAIRS 16u
#else
#define PAIRS 400u
#endif
#define VERTICES 9u
#define TENTH(single, twice) (sizeof(tc_real) == 8 ? (twice) : (single))

static tc_real vertices[2][2 * VERTICES];
static tc_barrier_set set[2];
static tc_barrier2_pose at[2];
static double angle[2];
static tc_barrier_config config;
static tc_barrier2_plane plane;
static tc_barrier2_pair pair;
static tc_barrier2_derivatives rates;
static double normal[2];

static tc_status ask(void)
{
    return tc_barrier2_solve(&config, &set[0], &at[0], &set[1], &at[1], &plane, &pair);
}

static tc_status ask_rates(void)
{
    return tc_barrier2_derive(&config, &set[0], &at[0], &set[1], &at[1], &plane, &rates);
}

static void forget(void)
{
    memset(&plane, 0, sizeof plane);
}

static void turn_to(uint32_t side, double to)
{
    at[side].cosine = (tc_real)cos(to);
    at[side].sine = (tc_real)sin(to);
}

static void body_random(uint32_t side, uint32_t kind)
{
    set[side].vertices = vertices[side];
    set[side].count = kind % 4 == 0 ? 4 : kind % 4 == 1 ? 1 : kind % 4 == 2 ? 2 : 1 + test_below(9);
    set[side].radius = kind % 4 == 0 ? 0 : test_uniform(0, TC_C(0.3));
    test_fill(vertices[side], 2 * VERTICES, TC_C(-0.5), TC_C(0.5));
    for (uint32_t i = 2; i < 8 && kind % 4 == 0; ++i) {
        const tc_real half = vertices[side][i % 2];
        vertices[side][i] = i / 2 >> i % 2 & 1 ? -half : half;
    }
}

static void place_of(uint32_t side, uint32_t i, double y[2])
{
    const double c = (double)at[side].cosine, s = (double)at[side].sine;
    const double u = (double)vertices[side][2 * i], v = (double)vertices[side][2 * i + 1];
    y[0] = c * u - s * v;
    y[1] = s * u + c * v;
}

static double reach_along(uint32_t side, const double n[2])
{
    double y[2], most = -1e9;
    for (uint32_t i = 0; i < set[side].count; ++i) {
        place_of(side, i, y);
        most = fmax(most, y[0] * n[0] + y[1] * n[1]);
    }
    return most + (double)set[side].radius;
}

static void draw_pair(uint32_t round, double gap)
{
    const double to = (double)test_uniform(-3, 3), slide = 0.3 * (double)test_uniform(-1, 1);
    for (uint32_t side = 0; side < 2; ++side) {
        body_random(side, side == 0 ? round : round / 4);
        angle[side] = side == 1 && round % 3 == 0 ? angle[0] : (double)test_uniform(-3, 3);
        turn_to(side, angle[side]);
    }
    normal[0] = round % 3 == 0 ? cos(angle[0]) : cos(to);
    normal[1] = round % 3 == 0 ? sin(angle[0]) : sin(to);
    const double back[2] = {-normal[0], -normal[1]};
    const double apart = reach_along(0, back) + reach_along(1, normal) + gap;
    for (uint32_t k = 0; k < 2; ++k) {
        const double origin = (double)test_uniform(-1, 1);
        const double aside = k == 0 ? -slide * normal[1] : slide * normal[0];
        at[1].position[k] = (tc_real)origin;
        at[0].position[k] = (tc_real)(origin + apart * normal[k] + aside);
    }
    config = tc_barrier_default();
    forget();
}

static double force_of(void)
{
    return hypot((double)rates.gradient[0], (double)rates.gradient[1]);
}

static double entry_of(const tc_real *hessian, uint32_t i, uint32_t j)
{
    return (double)(i >= j ? hessian[i * (i + 1) / 2 + j] : hessian[j * (j + 1) / 2 + i]);
}

static void move_body(const tc_barrier2_pose *from, uint32_t j, double x)
{
    at[j / 3] = *from;
    if (j % 3 == 2) {
        turn_to(j / 3, angle[j / 3] + x);
    } else {
        at[j / 3].position[j % 3] = (tc_real)((double)from->position[j % 3] + x);
    }
}

/* All of gradient, second derivatives and the plane's rate */
static void test_derivatives_by_differences(void)
{
    if (sizeof(tc_real) < 8) return;
    tc_barrier2_derivatives end[2];
    tc_real found[2][3];
    test_seed(61);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        draw_pair(round, test_log_uniform_wide(1e-3, 3));
        TEST_ASSERT_EQUAL(TC_OK, ask());
        TEST_ASSERT_EQUAL(TC_OK, ask_rates());
        const tc_barrier2_derivatives middle = rates;
        const tc_barrier2_plane here = plane;
        const double step = 1e-5 * (double)pair.gap / (1 + (double)pair.gap), force = force_of();
        double most = 0, turn = 0;
        for (uint32_t i = 0; i < 21; ++i) most = fmax(most, fabs((double)middle.hessian[i]));
        for (uint32_t i = 0; i < 18; ++i) turn = fmax(turn, fabs((double)middle.plane_rate[i]));
        for (uint32_t j = 0; j < 6; ++j) {
            const tc_barrier2_pose kept = at[j / 3];
            double value[2];
            for (uint32_t e = 0; e < 2; ++e) {
                move_body(&kept, j, e ? step : -step);
                plane = here;
                TEST_ASSERT_EQUAL(TC_OK, ask());
                TEST_ASSERT_EQUAL(TC_OK, ask_rates());
                value[e] = (double)pair.value;
                end[e] = rates;
                memcpy(found[e], plane.normal, sizeof plane.normal);
                found[e][2] = plane.offset;
            }
            at[j / 3] = kept;
            const double slope = (value[1] - value[0]) / (2 * step);
            TEST_ASSERT_TRUE(fabs(slope - (double)middle.gradient[j]) <= 1e-5 * force);
            for (uint32_t i = 0; i < 6; ++i) {
                const double up = (double)end[1].gradient[i], down = (double)end[0].gradient[i];
                const double bend = (up - down) / (2 * step);
                TEST_ASSERT_TRUE(fabs(bend - entry_of(middle.hessian, i, j)) <= 1e-6 * most);
            }
            for (uint32_t i = 0; i < 3; ++i) {
                const double rate = ((double)found[1][i] - (double)found[0][i]) / (2 * step);
                TEST_ASSERT_TRUE(fabs(rate - (double)middle.plane_rate[6 * i + j]) <= 1e-5 * turn);
            }
        }
    }
}

/* The bodies as flat ones in space: the same value, force, torque and second derivatives */
static void test_space_has_the_same(void)
{
    static tc_real flat[2][3 * VERTICES];
    static const uint32_t motion[6] = {0, 1, 5, 6, 7, 11};
    static tc_barrier3_derivatives there;
    test_seed(67);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        tc_barrier_set body[2];
        tc_convex_pose pose[2];
        tc_barrier3_plane wall = {{0}, 0};
        tc_barrier3_pair space;
        draw_pair(round, test_log_uniform_wide(3e-3, 3));
        for (uint32_t side = 0; side < 2; ++side) {
            body[side] = set[side];
            body[side].vertices = flat[side];
            for (uint32_t i = 0; i < 3 * VERTICES; ++i) {
                flat[side][i] = i % 3 == 2 ? 0 : vertices[side][i / 3 * 2 + i % 3];
            }
            const double q[4] = {cos(angle[side] / 2), 0, 0, sin(angle[side] / 2)};
            pose_set(&pose[side], q, (double)at[side].position[0], (double)at[side].position[1], 0);
        }
        config.kappa = round % 2 ? TC_C(30.0) : 1;
        config.length = round % 2 ? TC_C(0.1) : 0;
        TEST_ASSERT_EQUAL(TC_OK, ask());
        TEST_ASSERT_EQUAL(TC_OK, ask_rates());
        TEST_ASSERT_EQUAL(TC_OK, tc_barrier3_solve(&config, &body[0], &pose[0], &body[1], &pose[1],
                                                   &wall, &space));
        TEST_ASSERT_EQUAL(TC_OK, tc_barrier3_derive(&config, &body[0], &pose[0], &body[1], &pose[1],
                                                    &wall, &there));
        const double rough = TENTH(2e-5 + 4e-6 / (double)pair.gap, 1e-9);
        double most = 0, slope = 0;
        for (uint32_t i = 0; i < 21; ++i) most = fmax(most, fabs((double)rates.hessian[i]));
        for (uint32_t i = 0; i < 6; ++i) slope = fmax(slope, fabs((double)rates.gradient[i]));
        TEST_ASSERT_TRUE(fabs((double)space.value - (double)pair.value)
                         <= rough * (double)pair.value);
        TEST_ASSERT_TRUE(fabs((double)space.gap - (double)pair.gap) <= rough);
        for (uint32_t k = 0; k < 2; ++k) {
            TEST_ASSERT_TRUE(fabs((double)space.point_a[k] - (double)pair.point_a[k])
                             <= 10 * rough);
            TEST_ASSERT_TRUE(fabs((double)space.point_b[k] - (double)pair.point_b[k])
                             <= 10 * rough);
            TEST_ASSERT_TRUE(fabs((double)wall.normal[k] - (double)plane.normal[k]) <= 10 * rough);
        }
        for (uint32_t i = 0; i < 6; ++i) {
            const double off = (double)rates.gradient[i] - (double)there.gradient[motion[i]];
            TEST_ASSERT_TRUE(fabs(off) <= rough * slope);
            for (uint32_t j = 0; j <= i; ++j) {
                const double wrong =
                    entry_of(rates.hessian, i, j) - entry_of(there.hessian, motion[i], motion[j]);
                TEST_ASSERT_TRUE(fabs(wrong) <= 10 * rough * most);
            }
        }
    }
}

static void test_momentum_is_kept(void)
{
    test_seed(71);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        draw_pair(round, test_log_uniform_wide(1e-3, 30));
        TEST_ASSERT_EQUAL(TC_OK, ask());
        TEST_ASSERT_EQUAL(TC_OK, ask_rates());
        const tc_real *g = rates.gradient;
        const double x = (double)at[0].position[0] - (double)at[1].position[0];
        const double y = (double)at[0].position[1] - (double)at[1].position[1];
        const double moment = (double)g[2] + (double)g[5] + x * (double)g[1] - y * (double)g[0];
        const double bound = TENTH(5e-5, 1e-10) * (2 + hypot(x, y)) / fmin(1, (double)pair.gap);
        for (uint32_t k = 0; k < 2; ++k) {
            TEST_ASSERT_TRUE(fabs((double)g[k] + (double)g[3 + k]) <= 1e-6 * force_of());
        }
        TEST_ASSERT_TRUE(fabs(moment) <= bound * force_of());
        TEST_ASSERT_TRUE(force_of() > 0);
    }
}

static void test_nothing_apart_is_refused(void)
{
    test_seed(73);
    for (uint32_t round = 0; round < TEST_ROUNDS(40 * PAIRS); ++round) {
        draw_pair(round, test_log_uniform_wide(2e-4, 30));
        tc_status status = ask();
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_PRECISION);
        TEST_ASSERT_TRUE(pair.newton <= TC_BARRIER_NEWTON / 2);
        for (uint32_t k = 0; k < 2; ++k) {
            at[0].position[k] += TC_C(0.07) * pair.gap * test_uniform(-1, 1);
        }
        status = ask();
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_PRECISION);
        TEST_ASSERT_TRUE(pair.newton <= 10);
    }
}

/* Value and derivatives of the floor are those of a flat body in space */
static void test_floor_is_that_of_space(void)
{
    static tc_real flat[3 * VERTICES];
    static const uint32_t motion[3] = {0, 1, 5};
    test_seed(79);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        tc_barrier2_floor_pair made;
        tc_barrier3_floor_pair space;
        tc_convex_pose pose;
        draw_pair(round, 1);
        const double back[2] = {-normal[0], -normal[1]};
        const double here =
            normal[0] * (double)at[0].position[0] + normal[1] * (double)at[0].position[1];
        const double height = test_log_uniform_wide(1e-2, 3);
        const double offset = here - reach_along(0, back) - height;
        const tc_plane2 ground = {{(tc_real)normal[0], (tc_real)normal[1]}, (tc_real)offset};
        const tc_plane3 wall = {{(tc_real)normal[0], (tc_real)normal[1], 0}, (tc_real)offset};
        tc_barrier_set body = set[0];
        body.vertices = flat;
        for (uint32_t i = 0; i < 3 * VERTICES; ++i) {
            flat[i] = i % 3 == 2 ? 0 : vertices[0][i / 3 * 2 + i % 3];
        }
        const double q[4] = {cos(angle[0] / 2), 0, 0, sin(angle[0] / 2)};
        pose_set(&pose, q, (double)at[0].position[0], (double)at[0].position[1], 0);
        TEST_ASSERT_EQUAL(TC_OK, tc_barrier2_floor(&set[0], &at[0], &ground, &made));
        TEST_ASSERT_EQUAL(TC_OK, tc_barrier3_floor(&body, &pose, &wall, &space));
        const double rough = TENTH(1e-5 + 4e-6 / height, 1e-11);
        double most = 0, slope = 0;
        for (uint32_t i = 0; i < 6; ++i) most = fmax(most, fabs((double)made.hessian[i]));
        for (uint32_t i = 0; i < 3; ++i) slope = fmax(slope, fabs((double)made.gradient[i]));
        TEST_ASSERT_TRUE(fabs((double)made.value - (double)space.value)
                         <= rough * (double)made.value);
        TEST_ASSERT_TRUE(fabs((double)made.gap - height) <= rough * height);
        for (uint32_t i = 0; i < 3; ++i) {
            const double off = (double)made.gradient[i] - (double)space.gradient[motion[i]];
            TEST_ASSERT_TRUE(fabs(off) <= rough * slope);
            for (uint32_t j = 0; j <= i; ++j) {
                const double wrong =
                    entry_of(made.hessian, i, j) - entry_of(space.hessian, motion[i], motion[j]);
                TEST_ASSERT_TRUE(fabs(wrong) <= 10 * rough * most);
            }
        }
        const tc_plane2 above = {{ground.normal[0], ground.normal[1]},
                                 (tc_real)(offset + 3 * height)};
        TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, tc_barrier2_floor(&set[0], &at[0], &above, &made));
        TEST_ASSERT_TRUE(made.value == TC_C(0.0));
    }
}

static void test_touching_is_said(void)
{
    test_seed(83);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        draw_pair(round, 1);
        double y[2][2];
        for (uint32_t side = 0; side < 2; ++side) place_of(side, 0, y[side]);
        for (uint32_t k = 0; k < 2; ++k) {
            at[0].position[k] = (tc_real)((double)at[1].position[k] + y[1][k] - y[0][k]);
        }
        set[0].radius += TC_C(1e-4);
        TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, ask());
        TEST_ASSERT_TRUE(pair.value == TC_C(0.0) && plane.normal[0] == TC_C(0.0));
    }
}

static void refuse(tc_status expected)
{
    pair.value = 3;
    plane.normal[0] = 1;
    TEST_ASSERT_EQUAL(expected, ask());
    TEST_ASSERT_TRUE(pair.value == TC_C(0.0) && plane.normal[0] == TC_C(0.0));
    plane.normal[0] = 1;
    TEST_ASSERT_EQUAL(expected, ask_rates());
}

static void test_faults_are_refused(void)
{
    test_seed(89);
    draw_pair(3, 1);
    tc_real *const numbers[] = {&config.A,       &set[0].radius,     &vertices[0][1],
                                &vertices[1][0], &at[0].position[0], &at[1].position[1],
                                &at[0].cosine,   &at[1].sine};
    for (uint32_t i = 0; i < TC_COUNT(numbers); ++i) {
        const tc_real kept = *numbers[i];
        *numbers[i] = (tc_real)NAN;
        refuse(TC_ERR_NOT_FINITE);
        *numbers[i] = TC_C(3e6);
        refuse(i < 6 ? TC_ERR_RANGE : TC_ERR_UNIT);
        *numbers[i] = kept;
    }
    const tc_barrier_set *s = set;
    const tc_barrier2_pose *p = at;
    const tc_plane2 tilted = {{1, TC_C(0.1)}, -10};
    tc_barrier2_floor_pair made;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier2_check(NULL));
    TEST_ASSERT_EQUAL(TC_OK, tc_barrier2_check(s));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier2_solve(&config, s, NULL, s, p, &plane, &pair));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier2_solve(&config, s, p, s, p, NULL, &pair));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier2_solve(&config, s, p, s, p, &plane, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier2_derive(&config, s, p, NULL, p, &plane, &rates));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier2_derive(&config, s, p, s, p, NULL, &rates));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier2_derive(&config, s, p, s, p, &plane, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier2_floor(s, p, NULL, &made));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier2_floor(s, p, &tilted, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_barrier2_floor(s, p, &tilted, &made));
}

void suite_barrier2(void)
{
    RUN_TEST(test_derivatives_by_differences);
    RUN_TEST(test_space_has_the_same);
    RUN_TEST(test_momentum_is_kept);
    RUN_TEST(test_nothing_apart_is_refused);
    RUN_TEST(test_floor_is_that_of_space);
    RUN_TEST(test_touching_is_said);
    RUN_TEST(test_faults_are_refused);
}
