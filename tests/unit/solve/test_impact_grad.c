/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of impacts, right through both phases: against differences (fine ones in the double
 * build, coarse ones in float), adjoint against tangent, and answers known by hand.
 */
#include "test.h"

#include <math.h>

#define N 4u
#define D 3u
#define ROWS (2u * N)
#define WORK TC_IMPACT_WORK(N, 2u, D)

/* The step of differences, and what an answer may differ by: in float differences see the
 * certificate over the step; in double, where impulses are not unique, their compliance 1e-5. */
#ifdef TC_DOUBLE
static const double step = 1e-3, unique_limit = 1e-6, other_limit = 1e-4;
#else
static const double step = 1e-2, unique_limit = 5e-3, other_limit = 2e-2;
#endif

static tc_real G[ROWS * D], w0[D], mu[N], e[N], target[D];
static tc_impact problem;
static tc_impact_info info;
static tc_real f_c[ROWS], u_c[ROWS], w_c[D], f[ROWS], u[ROWS], w[D], w_least[D], work[WORK];
static const tc_impact_answer answer = {f_c, u_c, w_c, f, u, w, w_least};
static tc_real by_G[ROWS * D], by_w0[D], by_mu[N], by_e[N], by_target[D], by_w[D], dw[D];
static const tc_impact_grad by = {by_G, by_w0, by_mu, by_e, by_target};
static tc_real along[ROWS * D];

static tc_status solve(void)
{
    return tc_impact_solve(&problem, &answer, &info, work, WORK);
}

static tc_status pull(void)
{
    return tc_impact_grad_adjoint(&problem, &answer, &info, by_w, &by, work,
                                  TC_IMPACT_GRAD_WORK(problem.contact.n, 2u, D));
}

static tc_status push(const tc_impact_grad *direction)
{
    return tc_impact_grad_tangent(&problem, &answer, &info, direction, dw, work,
                                  TC_IMPACT_GRAD_WORK(problem.contact.n, 2u, D));
}

/* The rows of n contacts along the lower side of a planar box, given its half length */
static void write_side(uint32_t n, tc_real half, tc_real *rows)
{
    const tc_real depth = TC_C(0.5), spin = TC_C(1.5);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real x = n == 1u ? half : half * (2 * (tc_real)i / (tc_real)(n - 1u) - 1);
        const tc_real both[6] = {0, 1, x * spin, 1, 0, depth * spin};
        memcpy(rows + 6u * i, both, sizeof both);
    }
}

/* A planar box on up to four contacts: with two that stick, impulses are not unique. */
static tc_status draw(uint32_t index)
{
    const uint32_t n = 1u + index % N;
    test_seed(index + 1u);
    for (uint32_t k = 0; k < 8u; ++k) (void)test_bits();
    write_side(n, test_uniform(TC_C(0.5), 1), G);
    test_fill(w0, D, -1, 1);
    w0[1] = -test_uniform(TC_C(0.5), 1);
    w0[2] *= TC_C(0.2);
    const tc_real friction = test_uniform(TC_C(0.2), 1), back = test_uniform(TC_C(0.1), TC_C(0.9));
    for (uint32_t i = 0; i < n; ++i) {
        mu[i] = friction;
        e[i] = back;
    }
    target[0] = target[2] = 0;
    target[1] = test_uniform(0, TC_C(0.05));
    test_fill(by_w, D, -1, 1);
    problem = (tc_impact){.contact = {.n = n, .rows = 2, .d = D, .G = G, .w0 = w0, .mu = mu},
                          .e = e,
                          .target = target};
    return solve();
}

/* ---- Differences ----------------------------------------------------------------------------- */

static int same_kinds(const tc_impact_info *before)
{
    int same = info.unique == before->unique;
    for (uint32_t i = 0; i < problem.contact.n; ++i) {
        same = same && info.restitution.kind[i] == before->restitution.kind[i]
               && info.compression.kind[i] == before->compression.kind[i]
               && info.least[i] == before->least[i];
    }
    return same;
}

/* The error of dw along the first n numbers of `along` at `values`, relative to 1 + the slope, or
 * -1 where a kind changes on the way */
static double slope_error(tc_real *values, uint32_t n)
{
    const tc_impact_info before = info;
    tc_real kept[ROWS * D], first[2][D];
    memcpy(kept, values, n * sizeof kept[0]);
    int same = 1;
    for (uint32_t side = 0; side < 2u; ++side) {
        const double part = side ? step : -step;
        for (uint32_t k = 0; k < n; ++k)
            values[k] = (tc_real)((double)kept[k] + part * (double)along[k]);
        same = same && solve() == TC_OK && same_kinds(&before);
        memcpy(first[side], w, sizeof w);
    }
    memcpy(values, kept, n * sizeof kept[0]);
    double most = 0, size = 1;
    for (uint32_t k = 0; k < D; ++k) {
        const double slope = ((double)first[1][k] - (double)first[0][k]) / (2 * step);
        most = fmax(most, fabs(slope - (double)dw[k]));
        size = fmax(size, fabs(slope));
    }
    return same ? most / size : -1;
}

/* One input; central differences err by the third derivative times step^2 / 6, which curved inputs
 * (all but the target) have: 1e-6 in double */
static void compare_input(uint32_t input, uint32_t rounds)
{
    uint32_t wrong = 0, judged = 0, deficient = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(rounds); ++index) {
        if (draw(index) != TC_OK || info.restitution.margin < TC_C(0.01)) continue;
        const uint32_t n = input == 0u || input == 3u ? D : problem.contact.n;
        tc_real *const values = input == 0u ? w0 : input == 1u ? mu : input == 2u ? e : target;
        test_fill(along, n, -1, 1);
        for (uint32_t k = 0; k < n; ++k) along[k] = input == 0u ? along[k] : along[0] * values[k];
        const tc_impact_grad direction = {.w0 = input == 0u ? along : NULL,
                                          .mu = input == 1u ? along : NULL,
                                          .e = input == 2u ? along : NULL,
                                          .target = input == 3u ? along : NULL};
        TEST_ASSERT_EQUAL(TC_OK, push(&direction));
        const double limit = info.unique ? unique_limit : other_limit;
        const uint32_t varies = !info.unique;
        const double error = slope_error(values, n);
        if (error < 0) continue;
        wrong += error > limit;
        deficient += varies;
        ++judged;
    }
    TEST_ASSERT_TRUE_MESSAGE(wrong <= 1u + judged / 100u, "differences say otherwise");
    TEST_ASSERT_TRUE_MESSAGE(deficient >= TEST_ROUNDS(rounds) / 50u,
                             "impulses that are not unique");
}

static void test_differences(void)
{
    for (uint32_t input = 0; input < 4u; ++input) compare_input(input, 160u);
}

/* The box grows: all rows change together, and keep their rank. */
static void test_geometry(void)
{
    uint32_t wrong = 0, judged = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(160u); ++index) {
        if (draw(index) != TC_OK || info.restitution.margin < TC_C(0.01)) continue;
        const uint32_t n = problem.contact.n;
        for (uint32_t k = 0; k < 6u * n; ++k) along[k] = k % 6u == 2u ? G[k] : 0;
        const tc_impact_grad direction = {.G = along};
        TEST_ASSERT_EQUAL(TC_OK, push(&direction));
        const double limit = info.unique ? unique_limit : other_limit;
        const double error = slope_error(G, 6u * n);
        if (error < 0) continue;
        wrong += error > limit;
        ++judged;
    }
    TEST_ASSERT_TRUE(judged >= TEST_ROUNDS(160u) / 4u);
    TEST_ASSERT_TRUE_MESSAGE(wrong <= 1u + judged / 100u, "differences say otherwise");
}

/* ---- Adjoint and tangent --------------------------------------------------------------------- */

static void compare_twins(const tc_real *cotangent, const tc_impact_grad *direction, uint32_t n)
{
    double difference = 0, size = 1;
    TEST_ASSERT_EQUAL(TC_OK, push(direction));
    for (uint32_t k = 0; k < n; ++k) {
        difference += (double)cotangent[k] * (double)along[k];
        size += fabs((double)cotangent[k] * (double)along[k]);
    }
    for (uint32_t k = 0; k < D; ++k) difference -= (double)by_w[k] * (double)dw[k];
    /* the compliant problem's condition is 1 / eps, 1e3 in float and 1e5 in double */
    TEST_ASSERT_TRUE_MESSAGE(fabs(difference) <= 2e5 * (double)TC_EPSILON * size, "twins differ");
}

static void test_twins(void)
{
    for (uint32_t index = 0; index < TEST_ROUNDS(80u); ++index) {
        if (draw(index) != TC_OK) continue;
        const uint32_t n = problem.contact.n;
        TEST_ASSERT_EQUAL(TC_OK, pull());
        test_fill(along, D, -1, 1);
        compare_twins(by_w0, &(const tc_impact_grad){.w0 = along}, D);
        compare_twins(by_mu, &(const tc_impact_grad){.mu = along}, n);
        compare_twins(by_e, &(const tc_impact_grad){.e = along}, n);
        compare_twins(by_target, &(const tc_impact_grad){.target = along}, D);
        test_fill(along, 6u * n, -1, 1);
        if (info.unique) compare_twins(by_G, &(const tc_impact_grad){.G = along}, 6u * n);
    }
}

/* A point that falls: w = -e w0 along the normal, so dw/dw0 = -e and dw/de = -w0; at e = 1 and at
 * mu = 0, too, to one side */
static void test_falling_point(void)
{
    static const tc_real point[4] = {0, 1, 1, 0}, es[2] = {TC_C(0.5), 1};
    for (uint32_t k = 0; k < 2u; ++k) {
        TEST_ASSERT_TRUE(draw(0u) >= TC_OK);
        for (uint32_t j = 0; j < 6u; ++j) G[j] = j % 3u == 2u ? 0 : point[j / 3u * 2u + j % 3u];
        w0[0] = w0[2] = target[1] = mu[0] = 0;
        w0[1] = TC_C(-0.75);
        e[0] = es[k];
        by_w[0] = by_w[2] = 0;
        by_w[1] = 1;
        TEST_ASSERT_EQUAL(TC_OK, solve());
        TEST_ASSERT_EQUAL(TC_OK, pull());
        test_near(-es[k], by_w0[1], TC_C(4e-6), 0, "by w0");
        test_near(TC_C(0.75), by_e[0], TC_C(4e-6), 0, "by e");
    }
}

/* ---- Borders --------------------------------------------------------------------------------- */

static void expect_nothing(tc_status expected, const tc_impact *p, const tc_impact_answer *a,
                           const tc_impact_info *known, size_t len)
{
    const tc_impact_grad direction = {.w0 = by_w};
    by_w0[0] = by_e[0] = dw[0] = 7;
    TEST_ASSERT_EQUAL(expected, tc_impact_grad_adjoint(p, a, known, by_w, &by, work, len));
    TEST_ASSERT_EQUAL(expected, tc_impact_grad_tangent(p, a, known, &direction, dw, work, len));
    if (p == NULL || expected == TC_ERR_SIZE) return;
    TEST_ASSERT_TRUE(by_w0[0] == 0 && by_e[0] == 0 && dw[0] == 0);
}

static void test_borders(void)
{
    TEST_ASSERT_EQUAL(TC_OK, draw(3u));
    TEST_ASSERT_EQUAL_UINT32(0, info.unique);
    const size_t len = TC_IMPACT_GRAD_WORK(4u, 2u, D);
    const tc_impact good = problem;
    tc_impact bad = good;
    tc_impact_answer without = answer;
    tc_impact_info strange = info;
    expect_nothing(TC_ERR_NULL, NULL, &answer, &info, len);
    expect_nothing(TC_ERR_NULL, &good, NULL, &info, len);
    expect_nothing(TC_ERR_NULL, &good, &answer, NULL, len);
    expect_nothing(TC_ERR_WORK, &good, &answer, &info, len - 1u);
    without.w_least = NULL;
    expect_nothing(TC_ERR_NULL, &good, &without, &info, len);
    bad.law = (tc_impact_law)2;
    expect_nothing(TC_ERR_UNSUPPORTED, &bad, &answer, &info, len);
    bad = good;
    bad.contact.rows = 0;
    expect_nothing(TC_ERR_SIZE, &bad, &answer, &info, len);
    strange.restitution.kind[1] = (tc_cone_kind)9;
    expect_nothing(TC_ERR_RANGE, &good, &answer, &strange, len);
    by_w[2] = (tc_real)NAN;
    expect_nothing(TC_ERR_NOT_FINITE, &good, &answer, &info, len);
    by_w[2] = 0;
    mu[0] = (tc_real)NAN;
    info.compression.kind[0] = TC_CONE_SLIP;
    expect_nothing(TC_ERR_NOT_FINITE, &good, &answer, &info, len);
}

static void test_same_bits(void)
{
    uint32_t hash = TEST_HASH_START;
    for (uint32_t index = 0; index < 12u; ++index) {
        if (draw(index) < TC_OK) continue;
        (void)pull();
        hash = test_hash(hash, by_G, 6u * problem.contact.n);
        hash = test_hash(hash, by_w0, D);
        hash = test_hash(hash, by_mu, problem.contact.n);
        hash = test_hash(hash, by_e, problem.contact.n);
    }
    test_golden("impact.grad", hash);
}

void suite_impact_grad(void)
{
    RUN_TEST(test_differences);
    RUN_TEST(test_geometry);
    RUN_TEST(test_twins);
    RUN_TEST(test_falling_point);
    RUN_TEST(test_borders);
    RUN_TEST(test_same_bits);
}
