/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Identification from impacts, against a truth in double that is not the library's
 * (identify_case.h).
 *
 * Tolerances. The model in float differs from the truth by rounding of its terms, some 1e-6 of
 * 3 m/s and 30 rad/s; a spin is divided by an inertia as small as 1e-3 kg m^2 first. So 1e-4 m/s,
 * five times that of the spin, is above what rounding does. Convergence is asked of one seeded
 * sequence, with a third of room to what the campaign finds in 90 % of runs.
 */
#include "test.h"

#include "identify_case.h"
#include "tc_identify.h"

#include <math.h>

#define UNKNOWNS 3u

static tc_identify identify;
static tc_identify_config config;
static tc_identify_info info;
static tc_identify_estimate estimate[UNKNOWNS];
static tc_real work[TC_IDENTIFY_BODY3_WORK(IDENTIFY_CASE_CONTACTS)];
static identify_case drawn;

static const identify_truth space = {0.45, 0.6, 1.3, 0, 0, 1};

static void start(uint32_t seed)
{
    identify_case_seed(seed);
    config = tc_identify_default();
    config.ratios = 1u;
}

static void begin(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_init(&identify, &config));
}

/* x[6] of the body's axes in the world's, with noise [m/s], five times that of the spin */
static void measure(const double *v, double noise, tc_real *out)
{
    double y[6];
    identify_case_turn(&drawn, v, y);
    identify_case_turn(&drawn, v + 3, y + 3);
    for (uint32_t i = 0; i < 6u; ++i) {
        const double e = noise > 0 ? noise * (i < 3u ? 1 : 5) * identify_case_normal() : 0;
        out[i] = (tc_real)(y[i] + e);
    }
}

static tc_real arms[3u * IDENTIFY_CASE_CONTACTS];

static tc_identify_touch3 make_touch(uint32_t contacts, double noise, double sd)
{
    tc_identify_touch3 touch;
    double y[3];
    for (uint32_t i = 0; i < 3u * contacts; ++i) {
        identify_case_turn(&drawn, drawn.arm + i - i % 3u, y);
        arms[i] = (tc_real)y[i % 3u];
    }
    identify_case_turn(&drawn, drawn.normal, y);
    for (uint32_t i = 0; i < 3u; ++i) {
        touch.normal[i] = (tc_real)y[i];
    }
    for (uint32_t i = 0; i < 4u; ++i) {
        touch.orientation[i] = (tc_real)drawn.orientation[i];
    }
    touch.n = contacts;
    touch.arms = arms;
    touch.linear_sd = (tc_real)sd;
    touch.angular_sd = (tc_real)(5 * sd);
    measure(drawn.before, noise, touch.before);
    measure(drawn.after, noise, touch.after);
    return touch;
}

static tc_body3 drawn_body(void)
{
    const tc_body3 body = {
        (tc_real)drawn.mass,
        {(tc_real)drawn.inertia[0], (tc_real)drawn.inertia[1], (tc_real)drawn.inertia[2]}};
    return body;
}

/* One impact in space, measured with this noise */
static void strike(const identify_truth *truth, double noise)
{
    identify_case_draw(&drawn, truth, identify_case_uniform(0.3, 3));
    const tc_identify_touch3 touch = make_touch(truth->n, noise, noise > 0 ? noise : 1e-4);
    const tc_body3 body = drawn_body();
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_update_body3(&identify, &body, &touch, estimate, &info,
                                                      work, TC_COUNT(work)));
}

static void expect_within(const identify_truth *truth, double relative)
{
    test_near((tc_real)truth->mu, estimate[0].value, 0, (tc_real)relative, "mu");
    test_near((tc_real)truth->e, estimate[1].value, 0, (tc_real)relative, "e");
    if (config.ratios == 1u) {
        test_near((tc_real)truth->ratio, estimate[2].value, 0, (tc_real)relative, "ratio");
    }
}

/* ---- The model ------------------------------------------------------------------------------- */

/* All unknowns known: the distance is that of the model's velocities from the truth's alone. */
static void compare_models(const identify_truth *truth, uint32_t rounds)
{
    for (uint32_t round = 0; round < rounds; ++round) {
        identify_truth now = *truth;
        now.mu = identify_case_uniform(0.05, 1.5);
        now.e = round % 8u == 0 ? 0.001 : identify_case_uniform(0.01, 1);
        now.ratio = identify_case_uniform(0.5, 2);
        config.start[0] = (tc_real)now.mu;
        config.start[1] = (tc_real)now.e;
        config.start[2] = (tc_real)now.ratio;
        config.sd[0] = config.sd[1] = config.sd[2] = TC_C(0.0);
        begin();
        strike(&now, 0);
        TEST_ASSERT_EQUAL(TC_IDENTIFY_ACCEPTED, info.outcome);
        TEST_ASSERT_TRUE(info.distance < TC_C(1.0));
        TEST_ASSERT_EQUAL(drawn.sticks, info.stuck);
        test_near((tc_real)now.mu, estimate[0].value, 0, TC_C(1e-6), "a known mu");
        test_near((tc_real)now.ratio, estimate[2].value, 0, TC_C(1e-6), "a known ratio");
    }
}

static void test_the_model_agrees_with_another_by_coulomb(void)
{
    start(11);
    compare_models(&space, TEST_ROUNDS(400));
}

static void test_the_model_agrees_with_another_that_is_convex(void)
{
    const identify_truth convex = {0.45, 0.6, 1.3, 1, 0, 1};
    start(12);
    config.law = TC_IMPACT_CONVEX;
    for (uint32_t i = 0; i < TEST_ROUNDS(100); ++i) {
        compare_models(&convex, 1);
    }
}

/* From slightly wrong values, by exact velocities, to the truth: only right derivatives lead there
 * in one impact, up to their change over the way. */
static void test_one_exact_impact_corrects_small_errors(void)
{
    uint32_t slips = 0;
    start(13);
    for (uint32_t i = 0; i < 3u; ++i) {
        config.sd[i] = TC_C(0.05);
    }
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        identify_truth now = space;
        now.mu = identify_case_uniform(0.1, 0.6);
        now.e = identify_case_uniform(0.1, 0.9);
        now.ratio = identify_case_uniform(0.7, 1.5);
        config.start[0] = (tc_real)(now.mu + identify_case_uniform(-0.03, 0.03));
        config.start[1] = (tc_real)(now.e + identify_case_uniform(-0.03, 0.03));
        config.start[2] = (tc_real)(now.ratio * (1 + identify_case_uniform(-0.03, 0.03)));
        begin();
        strike(&now, 0);
        TEST_ASSERT_EQUAL(TC_IDENTIFY_ACCEPTED, info.outcome);
        for (uint32_t i = 0; i < 3u; ++i) {
            const double exact = i == 0 ? now.mu : (i == 1u ? now.e : now.ratio);
            const double left = fabs((double)estimate[i].value - exact);
            TEST_ASSERT_TRUE(left <= 1e-3 + 4 * (double)estimate[i].sd);
        }
        slips += info.stuck == 0u && estimate[0].sd < TC_C(0.01);
    }
    TEST_ASSERT_TRUE(2u * slips > TEST_ROUNDS(200)); /* most of them do tell mu */
}

/* ---- Convergence ----------------------------------------------------------------------------- */

static void test_thirty_impacts_in_space_identify_all(void)
{
    start(21);
    begin();
    uint32_t held = 0;
    for (uint32_t k = 0; k < 30u; ++k) {
        strike(&space, 0.01);
        held += estimate[0].low <= TC_C(0.45) && TC_C(0.45) <= estimate[0].high;
    }
    expect_within(&space, 0.013);
    TEST_ASSERT_TRUE(held >= 20u); /* nominally 27 of 30; they are not independent */
    TEST_ASSERT_EQUAL(30u, identify.impacts);
    TEST_ASSERT_TRUE(estimate[0].sd < TC_C(0.01) && estimate[2].sd < TC_C(0.02));
}

static void test_impacts_of_two_contacts_identify_all(void)
{
    const identify_truth two = {0.45, 0.6, 1.3, 1, 0, 2};
    start(22);
    config.law = TC_IMPACT_CONVEX;
    begin();
    for (uint32_t k = 0; k < 20u; ++k) {
        strike(&two, 0.01);
    }
    expect_within(&two, 0.02);
}

/* A wrong start on the other side of sticking: each first impact seems to stick, though it slips. */
static void test_a_slippery_floor_is_found_from_a_rough_start(void)
{
    const identify_truth ice = {0.08, 0.5, 1, 0, 0, 1};
    start(23);
    config.start[0] = TC_C(1.0);
    begin();
    for (uint32_t k = 0; k < 20u; ++k) {
        strike(&ice, 0.01);
    }
    test_near(TC_C(0.08), estimate[0].value, TC_C(0.005), 0, "mu of ice");
}

/* The plane, and the same impacts as those of a mover with a full mass matrix */
static void test_a_body_in_the_plane_is_a_mover_of_three_rates(void)
{
    const identify_truth plane = {0.45, 0.6, 1.3, 0, 1, 1};
    tc_identify other;
    tc_identify_estimate same[UNKNOWNS];
    start(24);
    begin();
    other = identify;
    for (uint32_t k = 0; k < 30u; ++k) {
        identify_case_draw(&drawn, &plane, identify_case_uniform(0.3, 3));
        const tc_real m = (tc_real)drawn.mass, I = (tc_real)drawn.inertia[2];
        const tc_real arm[2] = {(tc_real)drawn.arm[0], (tc_real)drawn.arm[1]};
        const tc_real x = (tc_real)drawn.normal[0], y = (tc_real)drawn.normal[1];
        const tc_body2 body = {m, I};
        tc_real v[12];
        measure(drawn.before, 0.01, v);
        measure(drawn.after, 0.01, v + 6);
        const tc_identify_touch2 touch = {
            1u, arm, {x, y}, {v[0], v[1], v[5]}, {v[6], v[7], v[11]}, TC_C(0.01), TC_C(0.05)};
        TEST_ASSERT_EQUAL(TC_OK, tc_identify_update_body2(&identify, &body, &touch, estimate, &info,
                                                          work, TC_COUNT(work)));
        const tc_real M[9] = {m, 0, 0, 0, m, 0, 0, 0, I}, part[9] = {0, 0, 0, 0, 0, 0, 0, 0, I};
        const tc_real J[6] = {x, y, arm[0] * y - arm[1] * x, -y, x, arm[0] * x + arm[1] * y};
        const tc_real sd[3] = {TC_C(0.01), TC_C(0.01), TC_C(0.05)};
        const tc_identify_impact impact = {3u, 1u,           2u,          0u, M, part,
                                           J,  touch.before, touch.after, sd, sd};
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_identify_update(&other, &impact, same, &info, work, TC_COUNT(work)));
    }
    expect_within(&plane, 0.02);
    for (uint32_t i = 0; i < UNKNOWNS; ++i) {
        test_near(estimate[i].value, same[i].value, TC_C(1e-3), 0, "by a full matrix");
        test_near(estimate[i].sd, same[i].sd, 0, TC_C(0.05), "its deviation");
    }
}

/* ---- Bounds, outliers, changes --------------------------------------------------------------- */

/* Impacts that stick alone: mu stays open above, and no bound is above the truth. */
static void test_sticking_impacts_bound_mu_from_below(void)
{
    const identify_truth rough = {0.8, 0.6, 1.3, 0, 0, 1};
    uint32_t sticks = 0;
    start(31);
    config.start[0] = TC_C(0.2);
    begin();
    for (uint32_t k = 0; k < 40u; ++k) {
        identify_case_draw(&drawn, &rough, identify_case_uniform(1, 3));
        if (!drawn.sticks) {
            continue;
        }
        const tc_identify_touch3 touch = make_touch(1u, 0.003, 0.003);
        const tc_body3 body = drawn_body();
        TEST_ASSERT_EQUAL(TC_OK, tc_identify_update_body3(&identify, &body, &touch, estimate, &info,
                                                          work, TC_COUNT(work)));
        sticks += info.stuck;
        TEST_ASSERT_TRUE(info.bound < TC_C(0.85));
        TEST_ASSERT_TRUE(estimate[0].low <= TC_C(0.8) && estimate[0].low <= estimate[0].value);
    }
    TEST_ASSERT_TRUE(sticks >= 10u && identify.sticks == sticks);
    TEST_ASSERT_TRUE(estimate[0].value > TC_C(0.4)); /* far above its start */
    TEST_ASSERT_TRUE(estimate[0].sd > TC_C(0.03));   /* and not taken for known */
    test_near(TC_C(0.6), estimate[1].value, TC_C(0.02), 0, "e");
}

/* Impacts with noise that stick, all of them: an interval that is open above holds mu from the first
 * impact to the last. A filter that takes one for slipping is sure of a mu that is too low. */
static void test_a_floor_that_never_slips_stays_open(void)
{
    const identify_truth rough = {0.8, 0.6, 1.3, 0, 0, 1};
    uint32_t held = 0, impacts = 0;
    for (uint32_t run = 0; run < TEST_ROUNDS(8); ++run) {
        start(60u + run);
        begin();
        for (uint32_t k = 0; k < 30u; ++k) {
            do {
                identify_case_draw(&drawn, &rough, identify_case_uniform(0.3, 3));
            } while (!drawn.sticks);
            const tc_identify_touch3 touch = make_touch(1u, 0.01, 0.01);
            const tc_body3 body = drawn_body();
            TEST_ASSERT_EQUAL(TC_OK, tc_identify_update_body3(&identify, &body, &touch, estimate,
                                                              &info, work, TC_COUNT(work)));
            held += estimate[0].low <= TC_C(0.8) && TC_C(0.8) <= estimate[0].high;
            ++impacts;
        }
        TEST_ASSERT_TRUE(estimate[0].sd > TC_C(0.04));
        TEST_ASSERT_TRUE(estimate[0].low > TC_C(0.2)); /* the bound is in the interval */
    }
    TEST_ASSERT_TRUE(10u * held >= 9u * impacts);
}

/* One impact with exact rates before, e and ratio known: mu alone is open. Writes rates and their
 * deviations after. */
static void strike_once(double noise, tc_real after[6], tc_real sd[6])
{
    const tc_real m = (tc_real)drawn.mass, none[6] = {0};
    tc_real M[6] = {m, m, m}, part[6] = {0}, J[18], before[6];
    for (uint32_t i = 0; i < 18u; ++i) {
        J[i] = (tc_real)drawn.J[i];
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        M[i] = i < 3u ? m : (tc_real)drawn.inertia[i - 3u];
        part[i] = i < 3u ? TC_C(0.0) : M[i];
        sd[i] = (tc_real)(noise * (i < 3u ? 1 : 5));
        before[i] = (tc_real)drawn.before[i];
        after[i] = (tc_real)(drawn.after[i] + (double)sd[i] * identify_case_normal());
    }
    const tc_identify_impact impact = {6u, 1u, 3u, 1u, M, part, J, before, after, none, sd};
    TEST_ASSERT_EQUAL(
        TC_OK, tc_identify_update(&identify, &impact, estimate, &info, work, TC_COUNT(work)));
}

/* The density of mu after an impact, by the truth's solver at 200 values of mu: how far its mean is
 * from the estimate, in its deviation and the filter's inflation (a tenth of the variance before),
 * how much wider the estimate is than it, and how much of it lies in the interval. */
static void compare_density(double mu, double out[3])
{
    identify_truth now = space;
    double sum = 0, mean = 0, square = 0, inside = 0;
    tc_real after[6], sd[6];
    now.mu = mu;
    begin();
    identify_case_draw(&drawn, &now, identify_case_uniform(0.5, 2));
    strike_once(0.02, after, sd);
    for (uint32_t k = 0; k < 200u; ++k) {
        const double x = 0.01 * k + 0.005, off = (x - 0.8) / 0.3;
        double distance = off * off;
        now.mu = x;
        TEST_ASSERT_TRUE(identify_case_solve(&drawn, &now));
        for (uint32_t i = 0; i < 6u; ++i) {
            const double left = ((double)after[i] - drawn.after[i]) / (double)sd[i];
            distance += left * left;
        }
        const double density = exp(-0.5 * distance);
        sum += density;
        mean += x * density;
        square += x * x * density;
        inside += x >= (double)estimate[0].low && x <= (double)estimate[0].high ? density : 0;
    }
    const double spread = sqrt(fabs(square / sum - mean * mean / sum / sum)) + 0.01;
    out[0] = fabs((double)estimate[0].value - mean / sum) / sqrt(spread * spread + 0.009);
    out[1] = ((double)estimate[0].sd + 0.01) / spread;
    out[2] = inside / sum;
}

/* The estimate has about the density's mean and deviation, whether the contact slips, sticks, or
 * may have done either. */
static void test_one_impact_leaves_mu_as_open_as_it_is(void)
{
    const uint32_t rounds = TEST_ROUNDS_SLOW(40);
    uint32_t close = 0, narrow = 0, holds = 0;
    start(61);
    config.sd[0] = TC_C(0.3);
    config.sd[1] = config.sd[2] = TC_C(0.0);
    config.start[1] = TC_C(0.6);
    config.start[2] = TC_C(1.3);
    for (uint32_t round = 0; round < rounds; ++round) {
        double out[3];
        compare_density(identify_case_uniform(0.4, 1.2), out);
        close += out[0] < 0.75;
        narrow += out[1] < 0.6;
        holds += out[2] > 0.75;
    }
    /* two of a few may be what three iterations do not reach */
    TEST_ASSERT_TRUE(10u * close + 20u >= 9u * rounds);
    TEST_ASSERT_TRUE(10u * narrow <= rounds + 20u);
    TEST_ASSERT_TRUE(10u * holds + 20u >= 9u * rounds);
}

static void test_an_outlier_moves_nothing(void)
{
    start(32);
    begin();
    for (uint32_t k = 0; k < 15u; ++k) {
        strike(&space, 0.01);
    }
    const tc_identify before = identify;
    identify_case_draw(&drawn, &space, 1);
    tc_identify_touch3 touch = make_touch(1u, 0.01, 0.01);
    const tc_body3 body = drawn_body();
    touch.after[0] += TC_C(1.0);
    for (uint32_t k = 1; k <= 3u; ++k) { /* patience is 3 */
        TEST_ASSERT_EQUAL(TC_OK, tc_identify_update_body3(&identify, &body, &touch, estimate, &info,
                                                          work, TC_COUNT(work)));
        TEST_ASSERT_EQUAL(k < 3u ? TC_IDENTIFY_OUTLIER : TC_IDENTIFY_REOPENED, info.outcome);
        TEST_ASSERT_TRUE(info.distance > info.limit);
        TEST_ASSERT_EQUAL_MEMORY(before.mean, identify.mean, sizeof before.mean);
        TEST_ASSERT_EQUAL(before.outliers + k, identify.outliers);
        if (k < 3u) {
            TEST_ASSERT_EQUAL_MEMORY(before.root, identify.root, sizeof before.root);
        }
    }
    TEST_ASSERT_EQUAL(before.reopened + 1u, identify.reopened);
    TEST_ASSERT_TRUE(estimate[0].sd > TC_C(0.15));
}

static void test_a_floor_that_changes_is_followed(void)
{
    identify_truth now = space;
    start(33);
    begin();
    for (uint32_t k = 0; k < 20u; ++k) {
        strike(&now, 0.01);
    }
    now.mu = 0.2; /* wet */
    for (uint32_t k = 0; k < 20u; ++k) {
        strike(&now, 0.01);
    }
    expect_within(&now, 0.04);
    TEST_ASSERT_TRUE(identify.reopened >= 1u);
}

static void test_drift_keeps_an_estimate_open(void)
{
    start(34);
    config.drift[1] = TC_C(0.02);
    begin();
    for (uint32_t k = 0; k < 25u; ++k) {
        strike(&space, 0.003);
    }
    TEST_ASSERT_TRUE(estimate[1].sd >= TC_C(0.02) && estimate[1].sd < TC_C(0.03));
    TEST_ASSERT_TRUE(estimate[0].sd < TC_C(0.005));
}

static void test_a_contact_that_leaves_is_no_impact(void)
{
    start(35);
    begin();
    const tc_identify before = identify;
    identify_case_draw(&drawn, &space, 1);
    tc_identify_touch3 touch = make_touch(1u, 0.01, 0.01);
    const tc_body3 body = drawn_body();
    for (uint32_t i = 0; i < 6u; ++i) {
        touch.before[i] = -touch.before[i];
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_update_body3(&identify, &body, &touch, estimate, &info,
                                                      work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_IDENTIFY_NONE, info.outcome);
    TEST_ASSERT_EQUAL_MEMORY(&before, &identify, sizeof before);
    test_near(TC_C(0.8), estimate[0].value, TC_C(0.03), 0, "the start");
}

/* ---- Intervals ------------------------------------------------------------------------------- */

/* Truncated normal distributions by sums over a million of points in double: at 0.05 +- 0.3 in
 * [0, 1] mean 0.2573, deviation 0.1877, 90 % of it below 0.5233; far below 0, an exponential of
 * scale 0.01/0.5 (to 4 % at 5 deviations). */
static void test_intervals_stay_inside_the_ranges(void)
{
    start(41);
    config.start[1] = TC_C(0.05);
    begin();
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_read(&identify, estimate));
    test_near(TC_C(0.2573), estimate[1].value, TC_C(2e-3), 0, "mean of e");
    test_near(TC_C(0.1877), estimate[1].sd, TC_C(2e-3), 0, "deviation of e");
    test_near(TC_C(0.0), estimate[1].low, TC_C(1e-6), 0, "low e");
    test_near(TC_C(0.5233), estimate[1].high, TC_C(2e-3), 0, "high e");
    TEST_ASSERT_TRUE(estimate[0].low >= 0 && estimate[0].high < TC_C(1.6));
    test_near(TC_C(0.517916), estimate[2].low, 0, TC_C(1e-4), "e^(-1.645 0.4)");
    test_near(TC_C(1.930814), estimate[2].high, 0, TC_C(1e-4), "e^(1.645 0.4)");
    identify.mean[1] = TC_C(-0.5);
    identify.root[TC_IDENTIFY_MAX + 1u] = TC_C(0.1);
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_read(&identify, estimate));
    test_near(TC_C(0.02), estimate[1].value, TC_C(2e-3), 0, "mean of a tail");
    TEST_ASSERT_TRUE(estimate[1].low >= 0 && estimate[1].high < TC_C(0.06));
    identify.mean[1] = TC_C(1.5);
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_read(&identify, estimate));
    test_near(TC_C(0.98), estimate[1].value, TC_C(2e-3), 0, "mean of the other tail");
    TEST_ASSERT_TRUE(estimate[1].low > TC_C(0.94) && estimate[1].high <= TC_C(1.0));
}

static void test_the_bits_are_the_same_everywhere(void)
{
    uint32_t hash = TEST_HASH_START;
    start(51);
    begin();
    for (uint32_t k = 0; k < 12u; ++k) {
        strike(&space, 0.01);
        hash = test_hash(hash, &estimate[0].value, 4u * UNKNOWNS);
    }
    test_golden("identify", hash);
}

void suite_identify(void);
void suite_identify(void)
{
    RUN_TEST(test_the_model_agrees_with_another_by_coulomb);
    RUN_TEST(test_the_model_agrees_with_another_that_is_convex);
    RUN_TEST(test_one_exact_impact_corrects_small_errors);
    RUN_TEST(test_thirty_impacts_in_space_identify_all);
    RUN_TEST(test_impacts_of_two_contacts_identify_all);
    RUN_TEST(test_a_slippery_floor_is_found_from_a_rough_start);
    RUN_TEST(test_a_body_in_the_plane_is_a_mover_of_three_rates);
    RUN_TEST(test_sticking_impacts_bound_mu_from_below);
    RUN_TEST(test_a_floor_that_never_slips_stays_open);
    RUN_TEST(test_one_impact_leaves_mu_as_open_as_it_is);
    RUN_TEST(test_an_outlier_moves_nothing);
    RUN_TEST(test_a_floor_that_changes_is_followed);
    RUN_TEST(test_drift_keeps_an_estimate_open);
    RUN_TEST(test_a_contact_that_leaves_is_no_impact);
    RUN_TEST(test_intervals_stay_inside_the_ranges);
    RUN_TEST(test_the_bits_are_the_same_everywhere);
}
