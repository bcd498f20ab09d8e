/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Boxes, cylinders and capsules from touches. The touches are made on the surface in double, without
 * signed distances: on faces, sides and ends, turned and moved.
 */
#include "test.h"

#include "tc_touch_shape.h"

#include <math.h>

#define TOUCHES 120u
#define NOISE 0.0003
#ifdef TC_DOUBLE
#define CLOSE TC_C(1e-8)
#else
#define CLOSE TC_C(2e-6)
#endif

static tc_real points[3u * TOUCHES], work[TC_TOUCH_SHAPE_WORK(TC_FIT_MAX)], deviation[TC_FIT_MAX];
static tc_sdf shape;
static tc_convex_pose pose;
static tc_touch_shape_felt felt;
static tc_fit_info info;
static tc_fit_config config;
static double R[9], x[3];

static double draw(double low, double high)
{
    return low + (high - low) * (double)test_uniform(TC_C(0.0), TC_C(1.0));
}

static double normal_draw(void)
{
    double sum = -6.0;
    for (uint32_t j = 0; j < 12u; ++j) {
        sum += draw(0.0, 1.0);
    }
    return sum;
}

/* R = exp[turn], x somewhere */
static void draw_pose(double most)
{
    double a[3], angle = 0.0;
    for (uint32_t i = 0; i < 3u; ++i) {
        a[i] = draw(-most, most);
        x[i] = draw(-0.2, 0.2);
        angle += a[i] * a[i];
    }
    angle = sqrt(angle) + 1e-12;
    const double s = sin(angle) / angle, c = (1.0 - cos(angle)) / (angle * angle);
    const double K[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            double square = 0.0;
            for (uint32_t k = 0; k < 3u; ++k) {
                square += K[3u * i + k] * K[3u * k + j];
            }
            R[3u * i + j] = (i == j ? 1.0 : 0.0) + s * K[3u * i + j] + c * square;
        }
    }
}

static void put_point(uint32_t m, const double y[3], double noise)
{
    for (uint32_t i = 0; i < 3u; ++i) {
        points[3u * m + i] = (tc_real)(x[i] + R[3u * i] * y[0] + R[3u * i + 1u] * y[1]
                                       + R[3u * i + 2u] * y[2] + noise * normal_draw());
    }
}

/* Touches of a cylinder, grown by the fingertip: a third of them on its ends */
static void feel_cylinder(double r, double half, double tip, double noise)
{
    for (uint32_t m = 0; m < TOUCHES; ++m) {
        const double angle = draw(0.0, 6.2831853), end = m % 2u ? 1.0 : -1.0;
        const double out = m % 3u == 0u ? r * sqrt(draw(0.0, 0.95)) : r + tip;
        const double y[3] = {out * cos(angle), out * sin(angle),
                             m % 3u == 0u ? end * (half + tip) : draw(-0.95, 0.95) * half};
        put_point(m, y, noise);
    }
    felt = (tc_touch_shape_felt){TOUCHES, points, (tc_real)tip};
}

static void feel_box(const double h[3], double noise)
{
    for (uint32_t m = 0; m < TOUCHES; ++m) {
        double y[3];
        for (uint32_t i = 0; i < 3u; ++i) {
            y[i] = m % 3u == i ? (m / 3u % 2u ? h[i] : -h[i]) : draw(-0.9, 0.9) * h[i];
        }
        put_point(m, y, noise);
    }
    felt = (tc_touch_shape_felt){TOUCHES, points, TC_C(0.0)};
}

static void begin(void)
{
    static const tc_convex_pose here = {{TC_C(1.0), 0, 0, 0, TC_C(1.0), 0, 0, 0, TC_C(1.0)}, {0}};
    pose = here;
    config = tc_fit_default();
}

/* The guess: where the truth is, but for `off` */
static void guess_pose(double off)
{
    for (uint32_t i = 0; i < 3u; ++i) {
        pose.position[i] = (tc_real)(x[i] + draw(-off, off));
    }
}

static tc_status fit(const tc_touch_shape_unknown *unknown, uint32_t n)
{
    return tc_touch_shape_fit(&shape, &pose, &felt, unknown, n, &config, NULL, NULL, deviation,
                              &info, work, TC_TOUCH_SHAPE_WORK(n));
}

/* ---- Tests -------------------------------------------------------------------------------------- */

/* Radius, half length, place and tilt of a cylinder; exact touches give it to rounding. */
static void test_cylinder_in_any_pose(void)
{
    static const tc_touch_shape_unknown unknown[7] = {
        TC_TOUCH_SHAPE_SIZE,         TC_TOUCH_SHAPE_SIZE + 1,     TC_TOUCH_SHAPE_POSITION,
        TC_TOUCH_SHAPE_POSITION + 1, TC_TOUCH_SHAPE_POSITION + 2, TC_TOUCH_SHAPE_TURN,
        TC_TOUCH_SHAPE_TURN + 1};
    test_seed(401);
    for (uint32_t k = 0; k < TEST_ROUNDS(40); ++k) {
        const double r = draw(0.02, 0.06), half = draw(0.03, 0.09), tip = k % 2u ? 0.008 : 0.0;
        begin();
        draw_pose(0.25);
        feel_cylinder(r, half, tip, 0.0);
        shape = (tc_sdf)TC_SDF_CYLINDER((tc_real)(r * draw(0.8, 1.25)),
                                        (tc_real)(half * draw(0.8, 1.25)), 0);
        guess_pose(0.01);
        TEST_ASSERT_EQUAL(TC_OK, fit(unknown, 7));
        test_near((tc_real)r, shape.size[0], CLOSE, 0, "radius");
        test_near((tc_real)half, shape.size[1], CLOSE, 0, "half length");
        for (uint32_t i = 0; i < 3u; ++i) {
            test_near((tc_real)x[i], pose.position[i], CLOSE, 0, "position");
            test_near((tc_real)R[3u * i + 2u], pose.rotation[3u * i + 2u], TC_C(100.0) * CLOSE, 0,
                      "axis");
        }
        TEST_ASSERT_TRUE(info.evaluations <= 25u && info.unseen == 0u);
    }
}

static void test_box_in_any_pose(void)
{
    static const tc_touch_shape_unknown unknown[6] = {
        TC_TOUCH_SHAPE_SIZE, TC_TOUCH_SHAPE_SIZE + 1, TC_TOUCH_SHAPE_SIZE + 2,
        TC_TOUCH_SHAPE_TURN, TC_TOUCH_SHAPE_TURN + 1, TC_TOUCH_SHAPE_TURN + 2};
    test_seed(403);
    for (uint32_t k = 0; k < TEST_ROUNDS(40); ++k) {
        const double h[3] = {draw(0.03, 0.06), draw(0.03, 0.06), draw(0.03, 0.06)};
        begin();
        draw_pose(0.12);
        feel_box(h, 0.0);
        shape =
            (tc_sdf)TC_SDF_BOX((tc_real)(h[0] * draw(0.9, 1.1)), (tc_real)(h[1] * draw(0.9, 1.1)),
                               (tc_real)(h[2] * draw(0.9, 1.1)), 0);
        guess_pose(0.0);
        TEST_ASSERT_EQUAL(TC_OK, fit(unknown, 6));
        for (uint32_t i = 0; i < 3u; ++i) {
            test_near((tc_real)h[i], shape.size[i], CLOSE, 0, "half edge");
            for (uint32_t j = 0; j < 3u; ++j) {
                test_near((tc_real)R[3u * i + j], pose.rotation[3u * i + j], TC_C(100.0) * CLOSE, 0,
                          "axes");
            }
        }
    }
}

/* Errors by their deviations are of variance one. */
static void test_deviations_of_a_shape(void)
{
    static const tc_touch_shape_unknown unknown[4] = {TC_TOUCH_SHAPE_SIZE, TC_TOUCH_SHAPE_SIZE + 1,
                                                      TC_TOUCH_SHAPE_POSITION,
                                                      TC_TOUCH_SHAPE_POSITION + 2};
    const uint32_t rounds = TEST_ROUNDS(160);
    double sum = 0.0;
    test_seed(405);
    for (uint32_t k = 0; k < rounds; ++k) {
        begin();
        draw_pose(0.0);
        feel_cylinder(0.03, 0.05, 0.0, NOISE);
        shape = (tc_sdf)TC_SDF_CYLINDER(TC_C(0.033), TC_C(0.046), 0);
        guess_pose(0.0);
        TEST_ASSERT_EQUAL(TC_OK, fit(unknown, 4));
        const double found[4] = {(double)shape.size[0] - 0.03, (double)shape.size[1] - 0.05,
                                 (double)pose.position[0] - x[0], (double)pose.position[2] - x[2]};
        for (uint32_t i = 0; i < 4u; ++i) {
            const double e = found[i] / (double)deviation[i];
            sum += e * e / (4.0 * rounds);
        }
        TEST_ASSERT_TRUE(info.rms > TC_C(0.6) * (tc_real)NOISE
                         && info.rms < TC_C(1.3) * (tc_real)NOISE);
    }
    TEST_ASSERT_TRUE(sum > 1.0 - 4.0 / sqrt((double)rounds)
                     && sum < 1.0 + 4.0 / sqrt((double)rounds));
}

/* A can whose ends nobody touched has no length; one that turns about its axis stays the same. */
static void test_shape_unseen(void)
{
    static const tc_touch_shape_unknown unknown[3] = {TC_TOUCH_SHAPE_SIZE, TC_TOUCH_SHAPE_SIZE + 1,
                                                      TC_TOUCH_SHAPE_TURN + 2};
    test_seed(407);
    begin();
    draw_pose(0.0);
    for (uint32_t m = 0; m < TOUCHES; ++m) {
        const double angle = draw(0.0, 6.2831853);
        const double y[3] = {0.03 * cos(angle), 0.03 * sin(angle), draw(-0.02, 0.02)};
        put_point(m, y, 1e-5);
    }
    felt = (tc_touch_shape_felt){TOUCHES, points, TC_C(0.0)};
    shape = (tc_sdf)TC_SDF_CYLINDER(TC_C(0.028), TC_C(0.08), 0);
    guess_pose(0.0);
    TEST_ASSERT_EQUAL(TC_NOTE_RANK, fit(unknown, 3));
    TEST_ASSERT_TRUE((info.unseen & 2u) != 0u && shape.size[1] == TC_C(0.08));
    test_near(TC_C(0.03), shape.size[0], TC_C(2e-5), 0, "radius");
}

/* A guess that is far off: several starts between bounds find it. */
static void test_starts_of_a_shape(void)
{
    static const tc_touch_shape_unknown unknown[3] = {TC_TOUCH_SHAPE_SIZE, TC_TOUCH_SHAPE_SIZE + 1,
                                                      TC_TOUCH_SHAPE_SIZE + 2};
    static const tc_real low[3] = {TC_C(0.01), TC_C(0.01), TC_C(0.01)};
    static const tc_real high[3] = {TC_C(0.2), TC_C(0.2), TC_C(0.2)};
    test_seed(409);
    for (uint32_t k = 0; k < TEST_ROUNDS(20); ++k) {
        const double h[3] = {draw(0.02, 0.15), draw(0.02, 0.15), draw(0.02, 0.15)};
        begin();
        draw_pose(0.0);
        feel_box(h, 0.0);
        shape = (tc_sdf)TC_SDF_BOX(TC_C(0.1), TC_C(0.1), TC_C(0.1), 0);
        guess_pose(0.0);
        config.starts = 32;
        config.enough = TC_C(1e-5);
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_touch_shape_fit(&shape, &pose, &felt, unknown, 3, &config, low, high,
                                             deviation, &info, work, TC_TOUCH_SHAPE_WORK(3u)));
        for (uint32_t i = 0; i < 3u; ++i) {
            test_near((tc_real)h[i], shape.size[i], CLOSE, 0, "half edge");
        }
    }
}

/* The same bits everywhere: boxes' touches take no sine. */
static void test_bits_of_shapes(void)
{
    static const tc_touch_shape_unknown unknown[6] = {
        TC_TOUCH_SHAPE_SIZE,         TC_TOUCH_SHAPE_SIZE + 1, TC_TOUCH_SHAPE_SIZE + 2,
        TC_TOUCH_SHAPE_POSITION + 1, TC_TOUCH_SHAPE_TURN,     TC_TOUCH_SHAPE_TURN + 2};
    static const double h[3] = {0.03, 0.05, 0.04};
    uint32_t hash = TEST_HASH_START;
    test_seed(413);
    for (uint32_t k = 0; k < 4u; ++k) {
        begin();
        draw_pose(0.0);
        feel_box(h, NOISE);
        shape = (tc_sdf)TC_SDF_BOX(TC_C(0.035), TC_C(0.045), TC_C(0.042), 0);
        guess_pose(0.001);
        TEST_ASSERT_TRUE(fit(unknown, 6) >= TC_OK);
        hash = test_hash(hash, shape.size, 3);
        hash = test_hash(hash, pose.rotation, 9);
        hash = test_hash(hash, pose.position, 3);
        hash = test_hash(hash, deviation, 6);
    }
    test_golden("touch.shape", hash);
}

static void refuse(tc_status expected, const tc_touch_shape_unknown *unknown, uint32_t n)
{
    const tc_sdf before = shape;
    const tc_convex_pose at = pose;
    memset(&info, 1, sizeof info);
    deviation[0] = TC_C(1.0);
    TEST_ASSERT_EQUAL(expected, fit(unknown, n));
    TEST_ASSERT_EQUAL_MEMORY(before.size, shape.size, sizeof before.size);
    TEST_ASSERT_EQUAL_MEMORY(&at, &pose, sizeof at);
    TEST_ASSERT_TRUE(info.evaluations == 0u && (n > TC_FIT_MAX || n == 0u || deviation[0] == 0));
}

static void test_touch_shape_refused(void)
{
    static const tc_touch_shape_unknown good[2] = {TC_TOUCH_SHAPE_SIZE, TC_TOUCH_SHAPE_POSITION};
    static const tc_touch_shape_unknown lacking[1] = {TC_TOUCH_SHAPE_SIZE + 3};
    static const tc_touch_shape_unknown none[1] = {TC_TOUCH_SHAPE_UNKNOWNS};
    for (uint32_t k = 0; k < 11u; ++k) {
        static const tc_status expected[11] = {TC_ERR_RANGE, TC_ERR_RANGE,      TC_ERR_SIZE,
                                               TC_ERR_SIZE,  TC_ERR_NOT_FINITE, TC_ERR_NOT_FINITE,
                                               TC_ERR_UNIT,  TC_ERR_SHAPE,      TC_ERR_UNSUPPORTED,
                                               TC_ERR_RANGE, TC_ERR_NULL};
        test_seed(411);
        begin();
        draw_pose(0.0);
        feel_cylinder(0.03, 0.05, 0.0, 0.0);
        shape = (tc_sdf)TC_SDF_CYLINDER(TC_C(0.03), TC_C(0.05), 0);
        points[4] = k == 4u ? (tc_real)NAN : points[4];
        pose.position[1] = k == 5u ? (tc_real)INFINITY : TC_C(0.0);
        pose.rotation[0] = k == 6u ? TC_C(0.5) : TC_C(1.0);
        shape.size[0] = k == 7u ? TC_C(0.0) : shape.size[0];
        shape.kind = k == 8u ? &tc_sdf_halfspace : shape.kind;
        felt.tip = k == 9u ? TC_C(-1.0) : TC_C(0.0);
        felt.points = k == 10u ? NULL : points;
        felt.n = k == 3u ? 0u : TOUCHES;
        refuse(expected[k],
               k == 0u   ? lacking
               : k == 1u ? none
                         : good,
               k < 2u    ? 1u
               : k == 2u ? 0u
                         : 2u);
    }
    begin();
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_touch_shape_fit(&shape, NULL, &felt, good, 2, &config, NULL,
                                                      NULL, NULL, NULL, work, TC_COUNT(work)));
    felt.points = points;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, fit(NULL, 2));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_touch_shape_fit(&shape, &pose, &felt, good, 2, NULL, NULL,
                                                      NULL, NULL, NULL, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_touch_shape_fit(&shape, &pose, &felt, good, 2, &config, NULL,
                                                      NULL, NULL, NULL, NULL, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_touch_shape_fit(&shape, &pose, &felt, good, 2, &config, NULL, NULL, NULL,
                                         NULL, work, TC_TOUCH_SHAPE_WORK(2u) - 1u));
    config.starts = 2;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, fit(good, 2));
}

void suite_touch_shape(void)
{
    RUN_TEST(test_cylinder_in_any_pose);
    RUN_TEST(test_box_in_any_pose);
    RUN_TEST(test_deviations_of_a_shape);
    RUN_TEST(test_shape_unseen);
    RUN_TEST(test_starts_of_a_shape);
    RUN_TEST(test_bits_of_shapes);
    RUN_TEST(test_touch_shape_refused);
}
