/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Impacts of boxes in space that fall almost flat, by both laws: impulses of least norm are found,
 * Coulomb's residual and solves, and derivatives against differences and against their twins. Half of
 * the boxes have speeds along the floor that friction just stops, so that feet stick on the edges of
 * their cones.
 */
#include "cone_families.h"
#include "test.h"

#include <math.h>

#define N 4u
#define D 6u
#define ROWS (3u * N)
#define WORK TC_IMPACT_WORK(N, 3u, D)

#ifdef TC_DOUBLE
static const double step = 1e-5, limit = 1e-4, twins = 1e-7;
#else
static const double step = 1e-2, limit = 5e-2, twins = 2e-3;
#endif

static cone_problem drawn;
static tc_impact problem;
static tc_impact_info info;
static tc_real f_c[ROWS], u_c[ROWS], w_c[D], f[ROWS], u[ROWS], w[D], w_least[D], work[WORK];
static const tc_impact_answer answer = {f_c, u_c, w_c, f, u, w, w_least};
static tc_real along[ROWS * D], dw[D], by_G[ROWS * D], by_w0[D], by_mu[N], by_e[N], by_w[D];

static tc_status solve(void)
{
    return tc_impact_solve(&problem, &answer, &info, work, WORK);
}

/* A box on n corners with one mu and one e. edge: slow along the floor, with little friction */
static tc_status draw(uint32_t n, uint32_t index, int edge, tc_impact_law law)
{
    cone_draw(&cone_families[CONE_BOX], &drawn, 3u, n, index);
    const tc_real own = drawn.mu[0], slow = edge ? own * own : TC_C(0.2);
    for (uint32_t k = 0; k < D; ++k) {
        if (k >= 3u || (edge && k != 2u)) drawn.w0[k] *= slow;
    }
    drawn.w0[2] = -(tc_real)fabs((double)drawn.w0[2]) - TC_C(0.2);
    for (uint32_t i = 0; i < n; ++i) {
        drawn.mu[i] = edge ? slow : own;
        drawn.e[i] = drawn.e[0];
    }
    problem = (tc_impact){.contact = drawn.cone, .e = drawn.e, .law = law};
    return solve();
}

/* ---- Impulses of least norm, and Coulomb's law ----------------------------------------------- */

/* Hardly an answer whose impulses are not of least norm: at most one in a hundred */
static void test_least_norm_found(void)
{
    for (uint32_t k = 0; k < 4u; ++k) {
        uint32_t limits = 0, vary = 0, rounds = TEST_ROUNDS(400u);
        for (uint32_t index = 0; index < rounds; ++index) {
            const tc_status status = draw(N, index, k & 1u, k & 2u ? TC_IMPACT_COULOMB : 0);
            TEST_ASSERT_TRUE(status >= TC_OK);
            limits += status == TC_NOTE_LIMIT;
            vary += !info.unique;
        }
        TEST_ASSERT_TRUE_MESSAGE(limits <= 1u + rounds / 100u, "least norm");
        TEST_ASSERT_TRUE_MESSAGE(vary >= rounds / 8u, "impulses that vary");
    }
}

/* The residual on 99 %, in at most 30 solves on 99 % and 8 in the median, both phases */
static void test_coulomb_cost(void)
{
    uint32_t counts[2u * TC_IMPACT_SOLVES_MAX + 9u] = {0};
    uint32_t wrong = 0, many = 0, sum = 0, median = 0;
    const uint32_t rounds = TEST_ROUNDS(400u);
    for (uint32_t index = 0; index < rounds; ++index) {
        (void)draw(N, index, index & 1u, TC_IMPACT_COULOMB);
        wrong += info.coulomb > TC_IMPACT_TOLERANCE;
        many += info.solves > 30u;
        ++counts[info.solves];
    }
    while (2u * sum < rounds) sum += counts[median++];
    TEST_ASSERT_TRUE_MESSAGE(wrong <= 1u + rounds / 100u, "residual");
    TEST_ASSERT_TRUE_MESSAGE(many <= 1u + rounds / 100u, "solves");
    TEST_ASSERT_TRUE_MESSAGE(median - 1u <= 8u, "median of the solves");
}

/* ---- Derivatives ----------------------------------------------------------------------------- */

/* The error of dw along `along` of w0, relative to 1 + the slope; -1 where w has a corner, or an end of
 * the difference is not certified */
static double slope_error(void)
{
    tc_real kept[D], middle[D], end[2][D];
    double most = 0, size = 1, bend = 0;
    int good = 1;
    memcpy(kept, drawn.w0, sizeof kept);
    memcpy(middle, w, sizeof middle);
    for (uint32_t side = 0; side < 2u; ++side) {
        const double part = side ? step : -step;
        for (uint32_t k = 0; k < D; ++k) {
            drawn.w0[k] = (tc_real)((double)kept[k] + part * (double)along[k]);
        }
        good = good && solve() == TC_OK;
        memcpy(end[side], w, sizeof end[side]);
    }
    memcpy(drawn.w0, kept, sizeof kept);
    for (uint32_t k = 0; k < D; ++k) {
        const double low = (double)end[0][k], high = (double)end[1][k];
        const double slope = (high - low) / (2 * step);
        most = fmax(most, fabs(slope - (double)dw[k]));
        size = fmax(size, fabs(slope));
        bend = fmax(bend, fabs(high + low - 2 * (double)middle[k]) / step);
    }
    return good && bend < limit ? most / size : -1;
}

/* Boxes on up to four corners, three by Coulomb's law: four that slip are not determined by it. */
static void compare_slopes(int edge, tc_impact_law law)
{
    uint32_t wrong = 0, judged = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(400u); ++index) {
        const uint32_t n = law == TC_IMPACT_COULOMB ? 1u + index % 3u : N;
        if (draw(n, index, edge, law) != TC_OK) continue;
        test_seed(1400u + index);
        for (uint32_t k = 0; k < 8u; ++k) (void)test_bits();
        test_fill(along, D, -1, 1);
        const tc_impact_grad direction = {.w0 = along};
        TEST_ASSERT_EQUAL(TC_OK, tc_impact_grad_tangent(&problem, &answer, &info, &direction, dw,
                                                        work, TC_IMPACT_GRAD_WORK(n, 3u, D)));
        const double error = slope_error();
        if (error < 0) continue;
        wrong += error > limit;
        ++judged;
    }
    TEST_ASSERT_TRUE_MESSAGE(judged >= TEST_ROUNDS(400u) / 8u, "too few are smooth");
    TEST_ASSERT_TRUE_MESSAGE(wrong <= 1u + judged / 50u, "differences say otherwise");
}

static void test_slopes(void)
{
    for (int edge = 0; edge < 2; ++edge) {
        compare_slopes(edge, TC_IMPACT_CONVEX);
        compare_slopes(edge, TC_IMPACT_COULOMB);
    }
}

static void compare_twins(const tc_real *cotangent, const tc_impact_grad *direction, uint32_t n)
{
    double difference = 0, size = 1;
    const tc_status status = tc_impact_grad_tangent(&problem, &answer, &info, direction, dw, work,
                                                    TC_IMPACT_GRAD_WORK(problem.contact.n, 3u, D));
    TEST_ASSERT_TRUE(status >= TC_OK);
    for (uint32_t k = 0; k < n; ++k) {
        difference += (double)cotangent[k] * (double)along[k];
        size += fabs((double)cotangent[k] * (double)along[k]);
    }
    for (uint32_t k = 0; k < D; ++k) difference -= (double)by_w[k] * (double)dw[k];
    TEST_ASSERT_TRUE_MESSAGE(fabs(difference) <= twins * size, "twins differ");
}

/* Coulomb's law on up to three corners, all inputs */
static void test_coulomb_twins(void)
{
    const tc_impact_grad by = {by_G, by_w0, by_mu, by_e, NULL};
    for (uint32_t index = 0; index < TEST_ROUNDS(120u); ++index) {
        const uint32_t n = 1u + index % 3u;
        if (draw(n, index, 0, TC_IMPACT_COULOMB) != TC_OK || !info.unique) continue;
        test_fill(by_w, D, -1, 1);
        TEST_ASSERT_TRUE(tc_impact_grad_adjoint(&problem, &answer, &info, by_w, &by, work,
                                                TC_IMPACT_GRAD_WORK(n, 3u, D))
                         >= TC_OK);
        test_fill(along, 3u * n * D, -1, 1);
        compare_twins(by_w0, &(const tc_impact_grad){.w0 = along}, D);
        compare_twins(by_mu, &(const tc_impact_grad){.mu = along}, n);
        compare_twins(by_e, &(const tc_impact_grad){.e = along}, n);
        compare_twins(by_G, &(const tc_impact_grad){.G = along}, 3u * n * D);
    }
}

/* Four corners that slip: normals of rank three, and a note */
static void test_undetermined(void)
{
    uint32_t noted = 0;
    for (uint32_t index = 0; index < 40u; ++index) {
        if (draw(N, index, 0, TC_IMPACT_COULOMB) != TC_OK) continue;
        uint32_t slips = 0;
        for (uint32_t i = 0; i < N; ++i) slips += info.compression.kind[i] == TC_CONE_SLIP;
        test_fill(along, D, -1, 1);
        const tc_impact_grad direction = {.w0 = along};
        const tc_status status = tc_impact_grad_tangent(&problem, &answer, &info, &direction, dw,
                                                        work, TC_IMPACT_GRAD_WORK(N, 3u, D));
        if (slips == N) TEST_ASSERT_EQUAL(TC_NOTE_PRECISION, status);
        noted += status == TC_NOTE_PRECISION;
    }
    TEST_ASSERT_TRUE(noted > 0u);
}

void suite_impact_space(void)
{
    RUN_TEST(test_least_norm_found);
    RUN_TEST(test_coulomb_cost);
    RUN_TEST(test_slopes);
    RUN_TEST(test_coulomb_twins);
    RUN_TEST(test_undetermined);
}
