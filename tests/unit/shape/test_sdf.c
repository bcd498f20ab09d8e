/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Exact kinds of tc_sdf. The oracle knows no distance, only who is inside, in double:
 *
 *     the value's sign is the oracle's
 *     nothing nearer   no point of the ball round p with radius |d| is on the other side
 *     something there  p - d g is on the surface: beyond it by a little the side changes
 *
 * Together these say that |d| is the distance, to the little.
 */
#include "test.h"

#include <math.h>

typedef int (*inside_of)(const tc_sdf *shape, const double p[3]);

static double positive_part(double x)
{
    return x > 0.0 ? x : 0.0;
}

static int inside_halfspace(const tc_sdf *shape, const double p[3])
{
    (void)shape;
    return p[2] <= 0.0;
}

static int inside_sphere(const tc_sdf *shape, const double p[3])
{
    const double r = (double)shape->size[0];
    return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] <= r * r;
}

static int inside_capsule(const tc_sdf *shape, const double p[3])
{
    const double r = (double)shape->size[0], z = positive_part(fabs(p[2]) - (double)shape->size[1]);
    return p[0] * p[0] + p[1] * p[1] + z * z <= r * r;
}

static int inside_box(const tc_sdf *shape, const double p[3])
{
    const double r = (double)shape->size[3];
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double h = (double)shape->size[i], m = positive_part(fabs(p[i]) - (h - r));
        if (fabs(p[i]) > h) return 0;
        sum += m * m;
    }
    return r == 0.0 || sum <= r * r;
}

static int inside_cylinder(const tc_sdf *shape, const double p[3])
{
    const double r = (double)shape->size[0], half = (double)shape->size[1];
    const double s = (double)shape->size[2], rho = sqrt(p[0] * p[0] + p[1] * p[1]);
    const double m = positive_part(rho - (r - s)), n = positive_part(fabs(p[2]) - (half - s));
    return rho <= r && fabs(p[2]) <= half && (s == 0.0 || m * m + n * n <= s * s);
}

static const struct {
    tc_sdf shape;
    inside_of inside;
} exact_shapes[] = {
    {TC_SDF_HALFSPACE, inside_halfspace},
    {TC_SDF_SPHERE(TC_C(0.3)), inside_sphere},
    {TC_SDF_CAPSULE(TC_C(0.2), TC_C(0.5)), inside_capsule},
    {TC_SDF_BOX(TC_C(0.3), TC_C(0.5), TC_C(0.2), TC_C(0.0)), inside_box},
    {TC_SDF_BOX(TC_C(0.3), TC_C(0.5), TC_C(0.2), TC_C(0.1)), inside_box},
    {TC_SDF_BOX(TC_C(0.3), TC_C(0.5), TC_C(0.2), TC_C(0.2)), inside_box},
    {TC_SDF_CYLINDER(TC_C(0.3), TC_C(0.4), TC_C(0.0)), inside_cylinder},
    {TC_SDF_CYLINDER(TC_C(0.3), TC_C(0.4), TC_C(0.1)), inside_cylinder},
    {TC_SDF_CYLINDER(TC_C(0.5), TC_C(0.1), TC_C(0.1)), inside_cylinder},
};

static tc_status ask(const tc_sdf *shape, const tc_real p[3], tc_real *d, tc_real g[3])
{
    return tc_sdf_eval(shape, p, d, g, NULL, 0);
}

/* A point about the shape; one in four with a coordinate of 0, one in eight on a face's plane */
static void draw_point(const tc_sdf *shape, tc_real p[3])
{
    test_fill(p, 3, TC_C(-1.0), TC_C(1.0));
    const uint32_t special = test_below(16);
    if (special < 4u) p[special % 3u] = TC_C(0.0);
    if (special == 4u || special == 5u) p[2] = shape->size[special - 3u];
}

/* The side of p + t v, in double */
static int side_at(inside_of inside, const tc_sdf *shape, const tc_real p[3], double t,
                   const double v[3])
{
    const double at[3] = {(double)p[0] + t * v[0], (double)p[1] + t * v[1],
                          (double)p[2] + t * v[2]};
    return inside(shape, at);
}

static void hold_exact(inside_of inside, const tc_sdf *shape, const tc_real p[3])
{
    tc_real d, g[3];
    TEST_ASSERT_EQUAL_INT(TC_OK, ask(shape, p, &d, g));
    const double little = 8.0 * (double)TC_EPSILON, way = (double)d;
    const double gradient[3] = {(double)g[0], (double)g[1], (double)g[2]};
    const double still[3] = {0.0, 0.0, 0.0};
    test_near(TC_C(1.0), tc_sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), 4 * TC_EPSILON, 0,
              "unit gradient");
    const int here = side_at(inside, shape, p, 0.0, still);
    if (fabs(way) > little) TEST_ASSERT_EQUAL_INT_MESSAGE(way < 0.0, here, "sign");
    TEST_ASSERT_TRUE_MESSAGE(side_at(inside, shape, p, -way - little, gradient), "surface, below");
    TEST_ASSERT_FALSE_MESSAGE(side_at(inside, shape, p, -way + little, gradient), "surface, above");
    const double radius = positive_part(fabs(way) - little);
    for (int k = 0; k < 16; ++k) {
        double v[3], length;
        for (int i = 0; i < 3; ++i) v[i] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
        length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        if (length < 0.01) continue;
        TEST_ASSERT_EQUAL_INT_MESSAGE(here, side_at(inside, shape, p, radius / length, v),
                                      "something is nearer");
    }
}

static void test_exact_kinds_hold_the_oracle(void)
{
    test_seed(4);
    for (uint32_t s = 0; s < TC_COUNT(exact_shapes); ++s) {
        const tc_sdf *const shape = &exact_shapes[s].shape;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_check(shape));
        TEST_ASSERT_EQUAL_INT(TC_SDF_CONTRACT_EXACT, shape->kind->contract);
        TEST_ASSERT_TRUE(tc_sdf_error(shape) == 0);
        for (uint32_t round = 0; round < TEST_ROUNDS(400); ++round) {
            tc_real p[3];
            draw_point(shape, p);
            hold_exact(exact_shapes[s].inside, shape, p);
        }
    }
}

/* |d(p) - d(q)| <= |p - q|, and equal at mirrored points with mirrored gradients */
static void test_values_are_lipschitz_and_symmetric(void)
{
    test_seed(5);
    for (uint32_t s = 1; s < TC_COUNT(exact_shapes); ++s) {
        const tc_sdf *const shape = &exact_shapes[s].shape;
        for (uint32_t round = 0; round < TEST_ROUNDS(100); ++round) {
            tc_real p[3], q[3], d, e, g[3], f[3], square = 0;
            draw_point(shape, p);
            for (int i = 0; i < 3; ++i) {
                q[i] = p[i] + test_uniform(TC_C(-0.1), TC_C(0.1));
                square += (p[i] - q[i]) * (p[i] - q[i]);
            }
            (void)ask(shape, p, &d, g);
            (void)ask(shape, q, &e, f);
            TEST_ASSERT_TRUE((d - e) * (d - e) <= square * TC_C(1.0001) + 8 * TC_EPSILON);
            for (int i = 0; i < 3; ++i) q[i] = -p[i];
            (void)ask(shape, q, &e, f);
            TEST_ASSERT_TRUE(d == e);
            for (int i = 0; i < 3; ++i) {
                if (p[i] != 0) TEST_ASSERT_TRUE_MESSAGE(f[i] == -g[i] || g[i] == 0, "mirrored");
            }
        }
    }
}

/* Central differences by p[i] or by a size, and how far the one-sided ones are apart, in which
 * curvature and rounding are */
static double differ(const tc_sdf *shape, const tc_real p[3], uint32_t i, double *slope)
{
    const tc_real step = sizeof(tc_real) == sizeof(double) ? TC_C(1e-6) : TC_C(4e-3);
    tc_real value[3], g[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        tc_sdf other = *shape;
        tc_real at[3] = {p[0], p[1], p[2]};
        tc_real *const moved = i < 3u ? &at[i] : &other.size[i - 3u];
        *moved += ((tc_real)k - TC_C(1.0)) * step;
        (void)ask(&other, at, &value[k], g);
    }
    const double before = (double)(value[1] - value[0]) / (double)step;
    const double after = (double)(value[2] - value[1]) / (double)step;
    *slope = 0.5 * (before + after);
    return fabs(before - after);
}

static void test_derivatives_are_those_of_the_value(void)
{
    const double bound = sizeof(tc_real) == sizeof(double) ? 1e-8 : 1e-3;
    const double kink = sizeof(tc_real) == sizeof(double) ? 1e-4 : 0.03;
    uint32_t counted = 0;
    test_seed(6);
    for (uint32_t s = 0; s < TC_COUNT(exact_shapes); ++s) {
        const tc_sdf *const shape = &exact_shapes[s].shape;
        const uint32_t count = tc_sdf_parameters(shape);
        for (uint32_t round = 0; round < TEST_ROUNDS(100); ++round) {
            tc_real p[3], d, g[3], by[TC_SDF_PARAMETERS];
            double slope;
            test_fill(p, 3, TC_C(-1.0), TC_C(1.0));
            (void)ask(shape, p, &d, g);
            if (count > 0u) TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_grad(shape, p, by, NULL, 0));
            for (uint32_t i = 0; i < 3u + count; ++i) {
                const double apart = differ(shape, p, i, &slope);
                if (apart > kink) continue;
                const double found = (double)(i < 3u ? g[i] : by[i - 3u]);
                ++counted;
                TEST_ASSERT_TRUE_MESSAGE(fabs(found - slope) < bound + apart, "derivative");
            }
        }
    }
    TEST_ASSERT_TRUE(counted > 1000u / test_sample / 8u);
}

static void expect_point(const tc_sdf *shape, const tc_real p[3], const tc_real expected[4])
{
    tc_real d, g[3];
    TEST_ASSERT_EQUAL_INT(TC_OK, ask(shape, p, &d, g));
    test_near(expected[0], d, TC_EPSILON, 0, "value");
    for (int i = 0; i < 3; ++i) test_near(expected[1 + i], g[i], 0, 0, "gradient");
}

static void test_degenerate_points_have_a_defined_gradient(void)
{
    static const tc_sdf sphere = TC_SDF_SPHERE(TC_C(0.25)), cube = TC_SDF_BOX(1, 1, 1, 0);
    static const tc_sdf capsule = TC_SDF_CAPSULE(TC_C(0.25), TC_C(0.5));
    static const tc_sdf cylinder = TC_SDF_CYLINDER(TC_C(0.25), TC_C(0.5), 0);
    static const tc_real centre[3] = {0, 0, 0}, tiny[3] = {TC_C(1e-30), 0, TC_C(-1e-30)};
    static const tc_real corner[3] = {-1, -1, -1}, edge[3] = {0, 1, -1};
    expect_point(&sphere, centre, (const tc_real[4]){TC_C(-0.25), 0, 0, 1});
    expect_point(&sphere, tiny, (const tc_real[4]){TC_C(-0.25), 0, 0, 1});
    expect_point(&capsule, centre, (const tc_real[4]){TC_C(-0.25), 1, 0, 0});
    expect_point(&cylinder, centre, (const tc_real[4]){TC_C(-0.25), 1, 0, 0});
    expect_point(&cube, centre, (const tc_real[4]){-1, 1, 0, 0});
    expect_point(&cube, corner, (const tc_real[4]){0, -1, 0, 0});
    expect_point(&cube, edge, (const tc_real[4]){0, 0, 1, 0});
}

static void test_bad_points_are_refused(void)
{
    static const tc_real zero[4] = {0, 0, 0, 0};
    volatile tc_real nothing = 0;
    const tc_real bad[3] = {nothing / nothing, 1 / nothing, TC_C(2e6)};
    for (uint32_t s = 0; s < TC_COUNT(exact_shapes); ++s) {
        const tc_sdf *const shape = &exact_shapes[s].shape;
        for (uint32_t k = 0; k < 9u; ++k) {
            tc_real p[3] = {0, 0, 0}, by[TC_SDF_PARAMETERS] = {1}, out[4] = {1, 1, 1, 1};
            const tc_status expected = k < 6u ? TC_ERR_NOT_FINITE : TC_ERR_RANGE;
            p[k % 3u] = bad[k / 3u];
            TEST_ASSERT_EQUAL_INT(expected, ask(shape, p, out, out + 1));
            TEST_ASSERT_EQUAL_MEMORY(zero, out, sizeof zero);
            if (tc_sdf_parameters(shape) == 0u) continue;
            TEST_ASSERT_EQUAL_INT(expected, tc_sdf_grad(shape, p, by, NULL, 0));
            TEST_ASSERT_TRUE(by[0] == 0);
        }
    }
    tc_real d = 1, g[3] = {1, 1, 1};
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, ask(NULL, zero, &d, g));
    TEST_ASSERT_EQUAL_MEMORY(zero, g, sizeof g);
    TEST_ASSERT_TRUE(d == 0);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, ask(&exact_shapes[1].shape, NULL, &d, g));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, ask(&exact_shapes[1].shape, zero, NULL, g));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, ask(&exact_shapes[1].shape, zero, &d, NULL));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_grad(&exact_shapes[1].shape, NULL, &d, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_grad(&exact_shapes[1].shape, zero, NULL, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_grad(NULL, zero, &d, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED,
                          tc_sdf_grad(&exact_shapes[0].shape, zero, &d, NULL, 0));
    TEST_ASSERT_EQUAL_UINT32(0, tc_sdf_parameters(NULL));
    TEST_ASSERT_TRUE(tc_sdf_error(NULL) == 0);
}

static void test_check_names_each_fault(void)
{
    volatile tc_real nothing = 0;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_check(NULL));
    const tc_sdf none = {NULL, {1, 1, 1, 0}, NULL};
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_check(&none));
    for (uint32_t s = 1; s < TC_COUNT(exact_shapes); ++s) {
        const uint32_t count = exact_shapes[s].shape.kind->parameters;
        for (uint32_t i = 0; i < count; ++i) {
            tc_sdf shape = exact_shapes[s].shape;
            const int rounding = i == count - 1u && count > 2u;
            shape.size[i] = nothing / nothing;
            TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_sdf_check(&shape));
            shape.size[i] = 1 / nothing;
            TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_sdf_check(&shape));
            shape.size[i] = -1;
            TEST_ASSERT_EQUAL_INT(TC_ERR_SHAPE, tc_sdf_check(&shape));
            shape.size[i] = 0;
            TEST_ASSERT_EQUAL_INT(rounding ? TC_OK : TC_ERR_SHAPE, tc_sdf_check(&shape));
            shape.size[i] = TC_C(2e6);
            TEST_ASSERT_EQUAL_INT(rounding ? TC_ERR_SHAPE : TC_ERR_RANGE, tc_sdf_check(&shape));
        }
    }
    tc_sdf shape = TC_SDF_CYLINDER(TC_C(0.1), TC_C(0.2), TC_C(0.11));
    TEST_ASSERT_EQUAL_INT(TC_ERR_SHAPE, tc_sdf_check(&shape));
    shape.size[2] = TC_C(0.1);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_check(&shape));
}

static void test_bits_of_exact_kinds(void)
{
    uint32_t hash = 2166136261u;
    test_seed(7);
    for (uint32_t s = 0; s < TC_COUNT(exact_shapes); ++s) {
        for (int k = 0; k < 50; ++k) {
            tc_real p[3], out[4], by[TC_SDF_PARAMETERS];
            draw_point(&exact_shapes[s].shape, p);
            (void)ask(&exact_shapes[s].shape, p, out, out + 1);
            hash = test_hash(hash, out, 4);
            if (s == 0u) continue;
            (void)tc_sdf_grad(&exact_shapes[s].shape, p, by, NULL, 0);
            hash = test_hash(hash, by, tc_sdf_parameters(&exact_shapes[s].shape));
        }
    }
    test_golden("sdf.exact", hash);
}

void suite_sdf(void)
{
    RUN_TEST(test_exact_kinds_hold_the_oracle);
    RUN_TEST(test_values_are_lipschitz_and_symmetric);
    RUN_TEST(test_derivatives_are_those_of_the_value);
    RUN_TEST(test_degenerate_points_have_a_defined_gradient);
    RUN_TEST(test_bad_points_are_refused);
    RUN_TEST(test_check_names_each_fault);
    RUN_TEST(test_bits_of_exact_kinds);
}
