/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 2 in space: against the whole limb solved in double, and its promises under any law.
 *
 * Tolerances: TOLERANCE of the contacts' speed for velocities; what masses of 1 : 9 do to M's condition is in
 * it.
 */
#include "limb_case.h"

#include <math.h>
#include <stdio.h>

#ifdef TC_DOUBLE
#define TOLERANCE 2e-5 /* false position of the ratio ends there */
#else
#define TOLERANCE 5e-4
#endif

/* Double is software on the boards. */
#ifdef __arm__
#define ROUNDS(n) ((n) / 40u + 2u)
#define SWEEPS 60u
#else
#define ROUNDS(n) (n)
#define SWEEPS 3000u
#endif

static limb_case a;
static limb_double truth;
static double mu;
static double after[LIMB_CASE_DOF];

static void take_rates(void)
{
    for (uint32_t k = 0; k < a.n; k++) {
        after[k] = (double)a.state.qd[k];
    }
}

static const char *at_round(uint32_t round)
{
    static char text[] = "round 0000";
    for (uint32_t i = 0; i < 4u; i++) {
        text[9u - i] = (char)('0' + round % 10u);
        round /= 10u;
    }
    return text;
}

/* 1 to 4 joints, some on a floating root */
static void draw(uint32_t corners, tc_real speed, const tc_spatial_law *law)
{
    const uint32_t joints = 1u + test_below(4);
    const int floating = test_below(4) == 0u;
    limb_case_random(&a, joints + (uint32_t)floating, floating, corners, TC_C(3.0), speed, law);
}

static void draw_and_step(uint32_t corners, tc_real speed, const tc_spatial_law *law)
{
    draw(corners, speed, law);
    TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
    limb_double_make(&a, &truth);
    TEST_ASSERT_EQUAL(corners, truth.count);
    take_rates();
}

/* How far the contacts' velocities are from expected rates, over their speed before */
static double off(const double *expected)
{
    double difference[LIMB_CASE_DOF];
    for (uint32_t k = 0; k < a.n; k++) {
        difference[k] = after[k] - expected[k];
    }
    return limb_double_speed(&truth, difference) / limb_double_speed(&truth, truth.free);
}

/* ---- Against the whole limb ------------------------------------------------------------------------- */

/* Catches: a force left out, a whitened column of the wrong sign. */
static void test_free_motion(void)
{
    const spatial_said said = spatial_says(TC_CONTACT_DYNAMIC, TC_C(0.5));
    const tc_spatial_law law = spatial_said_law(&said);
    test_seed(30701u);
    for (uint32_t round = 0; round < ROUNDS(200u); round++) {
        draw(1, TC_C(2.0), &law);
        a.leg.foot.plane.offset -= TC_C(1.0);
        TEST_ASSERT_EQUAL(TC_OK, limb_case_step(&a));
        TEST_ASSERT_EQUAL(TC_CONTACT_NONE, a.info.contact.contact.branch);
        limb_double_make(&a, &truth);
        take_rates();
        for (uint32_t k = 0; k < a.n; k++) {
            test_near((tc_real)truth.free[k], a.state.qd[k], TC_C(5e-4), TC_C(1e-3), at_round(round));
        }
    }
}

/* Catches: a query that is not the free body's, a limb solved with the body's inertia, a wrong shift. */
static void test_point_is_coulombs(void)
{
    const tc_spatial_law law = spatial_coulomb_law(&mu);
    uint32_t exact = 0, consistent = 0, slid = 0;
    test_seed(30702u);
    for (uint32_t round = 0; round < ROUNDS(1000u); round++) {
        double p[TC_PATCH_MAX][3], expected[LIMB_CASE_DOF];
        mu = (double)test_uniform(TC_C(0.05), TC_C(1.0));
        draw_and_step(1, TC_C(2.0), &law);
        limb_double_coulomb(&truth, mu, 1, p, expected);
        exact += off(expected) <= TOLERANCE;
        consistent += a.info.consistent != 0;
        slid += a.info.contact.contact.branch == TC_CONTACT_DYNAMIC;
    }
    printf("exact %u consistent %u slid %u\n", exact, consistent, slid);
    TEST_ASSERT_TRUE(exact * 1000u >= ROUNDS(1000u) * 990u);
    TEST_ASSERT_TRUE(consistent * 1000u >= ROUNDS(1000u) * 990u);
    TEST_ASSERT_TRUE(slid * 5u >= ROUNDS(1000u));
}

/* Catches: sweeps that converge to something else. */
static void test_patch_is_coulombs(void)
{
    const tc_spatial_law law = spatial_coulomb_law(&mu);
    static const tc_spatial_sweeps many = {20u, 20u};
    uint32_t exact[2] = {0, 0}, near[2] = {0, 0};
    test_seed(30703u);
    for (uint32_t round = 0; round < ROUNDS(400u); round++) {
        double p[TC_PATCH_MAX][3], expected[LIMB_CASE_DOF];
        const uint32_t face = round % 2u;
        mu = (double)test_uniform(TC_C(0.1), TC_C(0.8));
        draw_and_step(face ? 4u : 2u, TC_C(2.0), &law);
        limb_double_coulomb(&truth, mu, SWEEPS, p, expected);
        near[face] += off(expected) <= 0.05;
        a.state = a.before;
        a.leg.foot.sweeps = many;
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
        take_rates();
        exact[face] += off(expected) <= 5e-3;
    }
    printf("edge %u %u face %u %u of %u\n", exact[0], near[0], exact[1], near[1], ROUNDS(400u) / 2u);
}

/* ---- Promises --------------------------------------------------------------------------------------- */

/* Says something else each time it is asked, of which no training gives much. */
static tc_status fickle_observe(const void *context, const tc_spatial_query *query, tc_real *work)
{
    (void)context;
    (void)query;
    (void)work;
    return test_below(8) == 0u ? TC_NOTE_RANGE : TC_OK;
}

static tc_status fickle_class(const void *context, const tc_spatial_query *query, tc_real *probability,
                              tc_real *work)
{
    (void)context;
    (void)query;
    (void)work;
    test_fill(probability, 3, TC_C(-1.0), TC_C(1.0));
    return TC_OK;
}

static tc_status fickle_ratio(const void *context, const tc_spatial_query *query, tc_real *ratio,
                              tc_real *work)
{
    static const tc_real ratios[8] = {TC_C(0.0), TC_C(-0.75), TC_C(0.75), TC_C(-1e6), TC_C(1e6), TC_C(-1e30),
                                      TC_C(30.0), TC_C(1e-9)};
    (void)context;
    (void)query;
    (void)work;
    for (uint32_t k = 0; k < 2u; k++) {
        const uint32_t pick = test_below(16);
        ratio[k] = pick < 8u ? ratios[pick] : test_uniform(TC_C(-2.0), TC_C(2.0));
        ratio[k] = pick == 15u ? (tc_real)NAN : ratio[k];
    }
    return TC_OK;
}

static const tc_spatial_law fickle = {fickle_observe, fickle_class, fickle_ratio, NULL, 0};

/* Properties (1) to (3) of the paper, and energy, of the step that `a` has made */
static void check_promises(const char *text)
{
    const tc_spatial_result *const result = &a.info.contact.contact;
    const double speed = limb_double_speed(&truth, truth.free);
    const double before = limb_double_kinetic(&truth, truth.free);
    for (uint32_t i = 0; i < truth.count; i++) {
        double u[3];
        limb_double_at(&truth, i, after, u);
        TEST_ASSERT_TRUE_MESSAGE(result->normal[i] >= 0, text);
        TEST_ASSERT_TRUE_MESSAGE(u[2] >= -TOLERANCE * speed, text);
        TEST_ASSERT_TRUE_MESSAGE(result->normal[i] == 0 || u[2] <= TOLERANCE * speed, text);
    }
    TEST_ASSERT_TRUE_MESSAGE(limb_double_kinetic(&truth, after) <= before * (1 + 0.02 * TOLERANCE), text);
}

/* Catches: friction that feeds, a cut left out, normals of another inertia than the limb's. */
static void test_any_law_keeps_the_promises(void)
{
    static const uint32_t corners[4] = {1, 2, 4, 1};
    test_seed(30704u);
    for (uint32_t round = 0; round < ROUNDS(4000u); round++) {
        const tc_real speed = round % 5u == 0u ? TC_C(20.0) : TC_C(2.0);
        draw_and_step(corners[round % 4u], speed, &fickle);
        check_promises(at_round(round));
    }
}

/* Friction of a point works against the slip of the limb. */
static void test_friction_of_a_point(void)
{
    test_seed(30705u);
    for (uint32_t round = 0; round < ROUNDS(1000u); round++) {
        double u[3];
        draw_and_step(1, TC_C(2.0), &fickle);
        const tc_real *const friction = a.info.contact.contact.friction;
        limb_double_at(&truth, 0, after, u);
        const double size = fabs((double)friction[0]) + fabs((double)friction[1]);
        const double power = u[0] * (double)friction[0] + u[1] * (double)friction[1];
        TEST_ASSERT_TRUE_MESSAGE(power <= TOLERANCE * size * limb_double_speed(&truth, truth.free),
                                 at_round(round));
    }
}

/* Catches: an impulse told that is not the one applied. M (rates - free) = J^T impulse. */
static void test_impulse_is_told(void)
{
    static const uint32_t corners[3] = {1, 2, 4};
    test_seed(30706u);
    for (uint32_t round = 0; round < ROUNDS(300u); round++) {
        double moved[LIMB_CASE_DOF];
        draw_and_step(corners[round % 3u], TC_C(2.0), &fickle);
        const tc_spatial_result *const result = &a.info.contact.contact;
        memcpy(moved, truth.free, sizeof moved);
        limb_double centre = truth;
        memset(centre.J, 0, sizeof centre.J);
        for (uint32_t i = 0; i < truth.count; i++) {
            const double normal[3] = {0, 0, (double)result->normal[i]};
            limb_double_push(&truth, i, normal, moved);
            for (uint32_t k = 0; k < truth.n; k++) {
                for (uint32_t r = 0; r < 2u; r++) {
                    centre.J[0][r][k] += truth.J[i][r][k] / truth.count;
                }
            }
        }
        /* the torque about the normal, as two forces: the spin from the contacts' velocities */
        const double force[3] = {(double)result->friction[0], (double)result->friction[1], 0};
        limb_double_push(&centre, 0, force, moved);
        if (truth.count > 1u) {
            const tc_real *const p = truth.patch.arm[0], *const q = truth.patch.arm[1];
            const double x = (double)(q[0] - p[0]), y = (double)(q[1] - p[1]), square = x * x + y * y;
            const double twist = (double)result->friction[2] / square;
            const double there[3] = {-y * twist, x * twist, 0}, back[3] = {y * twist, -x * twist, 0};
            limb_double_push(&truth, 1, there, moved);
            limb_double_push(&truth, 0, back, moved);
        }
        TEST_ASSERT_TRUE_MESSAGE(off(moved) <= 4 * TOLERANCE, at_round(round));
    }
}

/* Catches: a stop that stops only the centre, or with the body's inertia. What the law calls static does not
 * move; a limb of few joints too. */
static void test_static_stands_still(void)
{
    static const uint32_t corners[3] = {1, 2, 4};
    const spatial_said said = spatial_says(TC_CONTACT_STATIC, TC_C(1e3));
    const tc_spatial_law law = spatial_said_law(&said);
    uint32_t stuck[3] = {0, 0, 0};
    test_seed(30707u);
    for (uint32_t round = 0; round < ROUNDS(900u); round++) {
        draw_and_step(corners[round % 3u], TC_C(2.0), &law);
        if (a.info.contact.contact.branch == TC_CONTACT_STATIC) {
            stuck[round % 3u]++;
            const double speed = limb_double_speed(&truth, truth.free);
            TEST_ASSERT_TRUE_MESSAGE(limb_double_speed(&truth, after) <= TOLERANCE * speed, at_round(round));
        }
    }
    printf("stuck %u %u %u of %u\n", stuck[0], stuck[1], stuck[2], ROUNDS(900u)/3);
    for (uint32_t k = 0; k < 3u; k++) {
        TEST_ASSERT_TRUE(stuck[k] * 20u >= ROUNDS(900u) / 3u);
    }
}

void suite_spatial_limb(void)
{
    RUN_TEST(test_free_motion);
    RUN_TEST(test_point_is_coulombs);
    RUN_TEST(test_patch_is_coulombs);
    RUN_TEST(test_any_law_keeps_the_promises);
    RUN_TEST(test_friction_of_a_point);
    RUN_TEST(test_impulse_is_told);
    RUN_TEST(test_static_stands_still);
}
