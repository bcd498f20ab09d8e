/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Impacts in two phases: what each answer must obey, on random boxes and rows by both laws; impulses
 * of least norm; answers known by hand; borders. And derivatives right through both phases.
 */
#include "cone_families.h"
#include "test.h"

#include <math.h>

#define ROWS CONE_FAMILY_ROWS
#define GUARDED(n) ((n) + 2u * TEST_GUARD_WORDS)
#define FREEDOMS 6u
#define WORK TC_IMPACT_WORK(TC_CONE3_MAX, 3u, FREEDOMS)

static cone_problem drawn;
static tc_impact problem;
static tc_impact_info info;
static tc_real f_c[ROWS], u_c[ROWS], w_c[ROWS], f[ROWS], u[ROWS], w[ROWS], w_least[ROWS];
static const tc_impact_answer answer = {f_c, u_c, w_c, f, u, w, w_least};
static tc_real work[WORK];

static tc_status solve(void)
{
    const tc_cone *const c = &problem.contact;
    return tc_impact_solve(&problem, &answer, &info, work, TC_IMPACT_WORK(c->n, c->rows, c->d));
}

/* ---- Boxes that fall ------------------------------------------------------------------------- */

/* The row of a body of mass 1 for direction `along` at `arm`; scale[3]: 1 / sqrt(inertia) */
static void write_row(const tc_real along[3], const tc_real arm[3], const tc_real scale[3],
                      tc_real *row)
{
    for (uint32_t k = 0; k < 3u; ++k) {
        const uint32_t a = (k + 1u) % 3u, b = (k + 2u) % 3u;
        row[k] = along[k];
        row[3u + k] = (arm[a] * along[b] - arm[b] * along[a]) * scale[k];
    }
}

/* A box of random sides that falls on up to four of its corners, with random spin */
static void draw_box(uint32_t n, uint32_t index)
{
    static const tc_real axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    test_seed(77u + index);
    for (uint32_t k = 0; k < 8u; ++k) (void)test_bits();
    const tc_real half[3] = {test_uniform(TC_C(0.2), 1), test_uniform(TC_C(0.2), 1),
                             test_uniform(TC_C(0.2), 1)};
    tc_real scale[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real a = half[(k + 1u) % 3u], b = half[(k + 2u) % 3u];
        scale[k] = (tc_real)sqrt(3 / (double)(a * a + b * b));
    }
    const tc_real mu = test_uniform(TC_C(0.05), 1), e = test_uniform(TC_C(0.05), TC_C(0.95));
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real arm[3] = {i & 1u ? half[0] : -half[0], i & 2u ? half[1] : -half[1], -half[2]};
        for (uint32_t r = 0; r < 3u; ++r)
            write_row(axes[r], arm, scale, drawn.G + 18u * i + 6u * r);
        drawn.mu[i] = mu;
        drawn.e[i] = e;
    }
    test_fill(drawn.w0, 6u, -1, 1);
    drawn.w0[2] = -test_uniform(TC_C(0.2), 1);
    problem = (tc_impact){
        .contact = {.n = n, .rows = 3, .d = 6, .G = drawn.G, .w0 = drawn.w0, .mu = drawn.mu},
        .e = drawn.e};
}

/* Random rows of a body in the plane or in space */
static void draw_rows(uint32_t rows, uint32_t n, uint32_t index)
{
    cone_draw(&cone_families[CONE_BODY], &drawn, rows, n, index);
    test_seed(index + 5u);
    test_fill(drawn.e, n, 0, 1);
    problem = (tc_impact){.contact = drawn.cone, .e = drawn.e};
}

static double energy(const tc_real *velocity)
{
    double sum = 0;
    for (uint32_t k = 0; k < problem.contact.d; ++k) {
        sum += (double)velocity[k] * (double)velocity[k];
    }
    return sum;
}

/* Largest |after - before - G^T impulses| */
static double momentum_error(const tc_real *before, const tc_real *after, const tc_real *impulses)
{
    const tc_cone *const c = &problem.contact;
    double most = 0;
    for (uint32_t k = 0; k < c->d; ++k) {
        double sum = (double)after[k] - (double)before[k];
        for (uint32_t r = 0; r < c->n * c->rows; ++r) {
            sum -= (double)c->G[r * c->d + k] * (double)impulses[r];
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* Cones, floors, momentum, energy; the sum of |impulses| scales what rounds */
static void judge_answer(void)
{
    const tc_cone *const c = &problem.contact;
    double size = 1;
    for (uint32_t r = 0; r < c->n * c->rows; ++r) {
        size += fabs((double)f_c[r]) + fabs((double)f[r]);
    }
    const double rounding = 64 * (double)TC_EPSILON * size;
    for (uint32_t i = 0; i < c->n; ++i) {
        const tc_real *const a = f_c + i * c->rows, *const b = f + i * c->rows;
        const double mu = (double)c->mu[i];
        const double a_t = hypot((double)a[1], c->rows > 2u ? (double)a[2] : 0);
        const double b_t = hypot((double)b[1], c->rows > 2u ? (double)b[2] : 0);
        TEST_ASSERT_TRUE_MESSAGE(a[0] >= 0 && b[0] >= drawn.e[i] * a[0], "floors");
        TEST_ASSERT_TRUE_MESSAGE(a_t <= mu * (double)a[0] + rounding, "cone of compression");
        TEST_ASSERT_TRUE_MESSAGE(b_t <= mu * (double)b[0] + rounding, "cone of restitution");
    }
    TEST_ASSERT_TRUE_MESSAGE(momentum_error(problem.contact.w0, w_c, f_c) <= rounding, "momentum");
    TEST_ASSERT_TRUE_MESSAGE(momentum_error(w_c, w, f) <= rounding, "momentum of restitution");
    TEST_ASSERT_TRUE_MESSAGE(energy(w_c) <= energy(c->w0) * (1 + rounding), "compression creates");
    TEST_ASSERT_TRUE_MESSAGE(energy(w) <= energy(c->w0) * (1 + rounding), "impact creates energy");
}

/* Both laws, boxes and rows. Boxes are all certified, by Coulomb's law but for one in a hundred.
 * Random rows, which are nobody's body, may swing for ever by Coulomb's law: only convex. */
static void test_properties(void)
{
    uint32_t limits = 0, judged = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(240u); ++index) {
        draw_box(1u + index % 4u, index);
        problem.law = index % 3u == 0u ? TC_IMPACT_COULOMB : TC_IMPACT_CONVEX;
        const tc_status status = solve();
        TEST_ASSERT_TRUE(status >= TC_OK);
        limits += status == TC_NOTE_LIMIT;
        ++judged;
        judge_answer();
        draw_rows(2u + index % 2u, 1u + index % 4u, index);
        TEST_ASSERT_TRUE(solve() >= TC_OK);
        judge_answer();
    }
    TEST_ASSERT_TRUE_MESSAGE(limits <= 1u + judged / 100u, "impacts that are not certified");
}

/* Without friction and with e = 1 nothing is lost. Contacts whose impulses are unique: one. */
static void test_conserving(void)
{
    for (uint32_t index = 0; index < TEST_ROUNDS(40u); ++index) {
        draw_box(1u, index);
        drawn.mu[0] = 0;
        drawn.e[0] = 1;
        TEST_ASSERT_EQUAL(TC_OK, solve());
        test_near((tc_real)energy(drawn.w0), (tc_real)energy(w), 0, TC_C(4e-6), "energy");
    }
}

/* Contacts in another order: the same velocity */
static void test_permutation(void)
{
    tc_real first[FREEDOMS], G[72];
    for (uint32_t index = 0; index < TEST_ROUNDS(40u); ++index) {
        draw_box(4u, index);
        if (solve() != TC_OK) continue;
        memcpy(first, w, sizeof first);
        for (uint32_t i = 0; i < 4u; ++i) {
            memcpy(G + 18u * i, drawn.G + 18u * ((i + 1u) % 4u), 18u * sizeof G[0]);
        }
        problem.contact.G = G;
        const tc_status status = solve(); /* how much rounding is feared depends on the order */
        TEST_ASSERT(status == TC_OK || status == TC_NOTE_PRECISION);
        /* floors of least norm are known to 6e-3 in float (tc_impact_bias.c) */
        for (uint32_t k = 0; k < 6u; ++k) test_near(first[k], w[k], TC_C(5e-3), 0, "order");
    }
}

/* ---- Impulses of least norm ------------------------------------------------------------------ */

/* A box that falls flat: equal corners share equally, also in the floors. */
static void test_equal_corners(void)
{
    for (uint32_t law = 0; law < 2u; ++law) {
        draw_box(4u, 3u);
        for (uint32_t k = 0; k < 6u; ++k) drawn.w0[k] = k == 2u ? -1 : 0;
        for (uint32_t i = 0; i < 4u; ++i) drawn.e[i] = TC_C(0.5);
        problem.law = law ? TC_IMPACT_COULOMB : TC_IMPACT_CONVEX;
        TEST_ASSERT_EQUAL(TC_OK, solve());
        TEST_ASSERT_EQUAL_UINT32(0, info.unique);
        for (uint32_t i = 0; i < 4u; ++i) {
            test_near(TC_C(0.25), f_c[3u * i], TC_C(1e-4), 0, "share of the compression");
            test_near(TC_C(0.125), f[3u * i], TC_C(1e-4), 0, "share of the restitution");
        }
        test_near(TC_C(0.5), w[2], TC_C(1e-5), 0, "bounce");
    }
}

/* sum a_i |f_i|^2 */
static double weighted_norm(const tc_real *impulses)
{
    const tc_cone *const c = &problem.contact;
    const uint32_t length = c->rows * c->d;
    double sum = 0;
    for (uint32_t i = 0; i < c->n; ++i) {
        double a = 0, square = 0;
        for (uint32_t k = i * length; k < (i + 1u) * length; ++k) {
            a += (double)c->G[k] * (double)c->G[k] / c->rows;
        }
        for (uint32_t r = i * c->rows; r < (i + 1u) * c->rows; ++r) {
            square += (double)impulses[r] * (double)impulses[r];
        }
        sum += a * square;
    }
    return sum;
}

/* No impulses that the cone solver finds for the same problem have a smaller norm, wherever it
 * starts from; and the velocity is that of the cone problem. Each may err by TC_CONE_ERROR times
 * velocities that are at most 1. */
static void test_least_norm(void)
{
    static tc_real other[ROWS], velocity[ROWS], start[ROWS], state[ROWS];
    uint32_t deficient = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(120u); ++index) {
        draw_box(4u, index);
        for (uint32_t k = 3; k < 6u; ++k) drawn.w0[k] *= TC_C(0.2);
        if (solve() != TC_OK || info.unique) continue;
        ++deficient;
        tc_cone again = problem.contact;
        test_fill(start, 12u, 0, TC_C(0.4));
        again.warm = index % 2u ? start : NULL;
        if (tc_cone_solve(&again, other, velocity, state, NULL, work, WORK) != TC_OK) continue;
        const double least = weighted_norm(f_c), found = weighted_norm(other);
        TEST_ASSERT_TRUE_MESSAGE(least <= found * 1.003, "norm");
        for (uint32_t k = 0; k < 6u; ++k)
            test_near(state[k], w_c[k], 2 * TC_CONE_ERROR, 0, "velocity");
    }
    TEST_ASSERT_TRUE_MESSAGE(deficient >= TEST_ROUNDS(120u) / 8u, "boxes whose impulses vary");
}

/* ---- Laws ------------------------------------------------------------------------------------ */

/* One corner that slips: by the convex law it leaves with mu |u_t|, by Coulomb's not at all; friction
 * is at its limit and against the slip in both */
static void test_lift(void)
{
    uint32_t slips = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(60u); ++index) {
        for (uint32_t law = 0; law < 2u; ++law) {
            draw_box(1u, index);
            drawn.e[0] = 0;
            problem.law = law ? TC_IMPACT_COULOMB : TC_IMPACT_CONVEX;
            TEST_ASSERT_EQUAL(TC_OK, solve());
            if (info.compression.kind[0] != TC_CONE_SLIP) continue;
            const double slip = hypot((double)u_c[1], (double)u_c[2]), mu = (double)drawn.mu[0];
            const double power = (double)(f_c[1] * u_c[1] + f_c[2] * u_c[2]);
            const tc_real lift = law ? 0 : (tc_real)(mu * slip);
            /* the certificate times the scale, which is below 20 here */
            test_near(lift, u_c[0], TC_C(2e-4), 0, "normal velocity");
            test_near((tc_real)(-mu * (double)f_c[0] * slip), (tc_real)power, TC_C(2e-4), 0,
                      "friction against the slip");
            ++slips;
        }
    }
    TEST_ASSERT_TRUE(slips >= TEST_ROUNDS(60u) / 2u);
}

/* Coulomb's residual on 99 % within 1e-5, in at most 30 solves per phase and 8 in the median */
static void test_coulomb(void)
{
    uint32_t counts[80] = {0}, wrong = 0, judged = 0, sum = 0, median = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(200u); ++index) {
        draw_box(4u, index);
        drawn.e[0] = drawn.e[1] = drawn.e[2] = drawn.e[3] = 0;
        problem.law = TC_IMPACT_COULOMB;
        wrong += solve() < TC_OK || info.coulomb > TC_C(1e-5);
        TEST_ASSERT_TRUE(info.solves <= TC_IMPACT_SOLVES_MAX);
        ++counts[info.solves];
        ++judged;
    }
    while (2u * sum < judged) sum += counts[median++];
    TEST_ASSERT_TRUE_MESSAGE(wrong <= 1u + judged / 100u, "residual");
#ifndef TC_DOUBLE /* which asks for 1e-10 */
    TEST_ASSERT_TRUE_MESSAGE(median - 1u <= 8u, "median of the solves");
#endif
}

/* A point that rests inside the floor gets the velocity that the target asks for, and one that
 * leaves faster keeps its own */
static void test_target(void)
{
    static const tc_real G[4] = {1, 0, 0, 1}, mu = TC_C(0.5), e = 0;
    static const tc_real target[2] = {TC_C(0.3), 0};
    static const tc_real starts[3] = {-1, 0, 1}, ends[3] = {TC_C(0.3), TC_C(0.3), 1};
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real w0[2] = {starts[k], 0};
        problem = (tc_impact){.contact = {.n = 1, .rows = 2, .d = 2, .G = G, .w0 = w0, .mu = &mu},
                              .e = &e,
                              .target = target};
        TEST_ASSERT_EQUAL(TC_OK, solve());
        test_near(ends[k], w[0], TC_C(1e-6), 0, "normal");
        test_near(0, w[1], TC_C(1e-6), 0, "tangent");
        test_near(ends[k], u[0], TC_C(1e-6), 0, "velocity of the contact");
    }
}

/* e = 0 and no target: restitution has nothing to do */
static void test_rest(void)
{
    draw_box(4u, 1u);
    problem.e = NULL;
    TEST_ASSERT_EQUAL(TC_OK, solve());
    TEST_ASSERT_EQUAL_UINT32(1, info.rests);
    TEST_ASSERT_EQUAL_UINT32(1, info.solves);
    TEST_ASSERT_EQUAL_MEMORY(w_c, w, 6u * sizeof w[0]);
    for (uint32_t r = 0; r < 12u; ++r) TEST_ASSERT_TRUE(f[r] == 0);
}

/* ---- Borders --------------------------------------------------------------------------------- */

static void expect_failure(tc_status expected, const tc_impact *p, size_t len)
{
    for (uint32_t k = 0; k < 6u; ++k) f_c[k] = w_c[k] = f[k] = w[k] = u[k] = u_c[k] = 7;
    info.solves = 7;
    TEST_ASSERT_EQUAL(expected, tc_impact_solve(p, &answer, &info, work, len));
    TEST_ASSERT_EQUAL_UINT32(0, info.solves);
    if (p == NULL || expected == TC_ERR_SIZE) return;
    for (uint32_t k = 0; k < 6u; ++k) {
        TEST_ASSERT_TRUE(f_c[k] == 0 && w_c[k] == 0 && f[k] == 0 && w[k] == 0);
        TEST_ASSERT_TRUE(u[k] == 0 && u_c[k] == 0);
    }
}

static void test_borders(void)
{
    draw_box(2u, 4u);
    const size_t len = TC_IMPACT_WORK(2u, 3u, 6u);
    const tc_impact good = problem;
    tc_impact bad = good;
    expect_failure(TC_ERR_NULL, NULL, len);
    expect_failure(TC_ERR_WORK, &good, len - 1u);
    bad.contact.n = TC_CONE3_MAX + 1u;
    expect_failure(TC_ERR_SIZE, &bad, len);
    bad = good;
    bad.contact.d = TC_CONE_FREEDOM_MAX + 1u;
    expect_failure(TC_ERR_SIZE, &bad, len);
    bad.contact.d = TC_CONE_FREEDOM_MAX;
    bad.law = TC_IMPACT_COULOMB; /* its shift takes a column */
    expect_failure(TC_ERR_SIZE, &bad, len);
    bad = good;
    bad.law = (tc_impact_law)2;
    expect_failure(TC_ERR_UNSUPPORTED, &bad, len);
    bad = good;
    bad.contact.floor = drawn.mu;
    expect_failure(TC_ERR_RANGE, &bad, len);
    bad = good;
    bad.contact.mu = NULL;
    expect_failure(TC_ERR_NULL, &bad, len);
    drawn.e[1] = TC_C(1.01);
    expect_failure(TC_ERR_RANGE, &good, len);
    drawn.e[1] = (tc_real)NAN;
    expect_failure(TC_ERR_NOT_FINITE, &good, len);
    drawn.e[1] = 1;
    drawn.mu[0] = -1;
    expect_failure(TC_ERR_RANGE, &good, len);
    drawn.mu[0] = 1;
    drawn.w0[3] = (tc_real)INFINITY;
    expect_failure(TC_ERR_NOT_FINITE, &good, len);
    drawn.w0[3] = 0;
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_impact_solve(&good, &answer, NULL, TEST_ODD(work), len));
    TEST_ASSERT_EQUAL(TC_OK, tc_impact_solve(&good, &answer, NULL, work, len));
}

/* Nothing is written outside the arrays, and without w_least the answer is the same. */
static void test_guards(void)
{
    static tc_real storage[GUARDED(WORK)], first[FREEDOMS];
    tc_impact_answer other = answer;
    other.w_least = NULL;
    for (uint32_t index = 0; index < TEST_ROUNDS(40u); ++index) {
        draw_box(1u + index % 4u, index);
        problem.law = index % 2u ? TC_IMPACT_COULOMB : TC_IMPACT_CONVEX;
        const uint32_t len = TC_IMPACT_WORK(problem.contact.n, 3u, 6u);
        tc_real *const guarded = test_guard(storage, len);
        (void)solve();
        memcpy(first, w, sizeof first);
        (void)tc_impact_solve(&problem, &other, &info, guarded, len);
        test_guard_check(storage, len);
        TEST_ASSERT_EQUAL_MEMORY(first, w, sizeof first);
    }
}

static void test_same_bits(void)
{
    uint32_t hash = TEST_HASH_START;
    for (uint32_t index = 0; index < 12u; ++index) {
        draw_box(1u + index % 4u, index);
        problem.law = index % 2u ? TC_IMPACT_COULOMB : TC_IMPACT_CONVEX;
        if (solve() < TC_OK) continue;
        hash = test_hash(hash, f_c, 3u * problem.contact.n);
        hash = test_hash(hash, f, 3u * problem.contact.n);
        hash = test_hash(hash, w, 6u);
    }
    test_golden("impact", hash);
}

void suite_impact(void)
{
    RUN_TEST(test_properties);
    RUN_TEST(test_conserving);
    RUN_TEST(test_permutation);
    RUN_TEST(test_equal_corners);
    RUN_TEST(test_least_norm);
    RUN_TEST(test_lift);
    RUN_TEST(test_coulomb);
    RUN_TEST(test_target);
    RUN_TEST(test_rest);
    RUN_TEST(test_borders);
    RUN_TEST(test_guards);
    RUN_TEST(test_same_bits);
}
