/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Bodies thrown on stairs, a slope, a ball and into a notch: where they end, and their energy.
 */
#include "learned2_case.h"
#include "learned3_case.h"

#include <math.h>

#define H TC_C(0.001)
#ifdef __arm__
#define FALLS(n) TEST_ROUNDS(4)
#else
#define FALLS(n) TEST_ROUNDS(n)
#endif

static const tc_sdf block = TC_SDF_BOX(TC_C(2.0), TC_C(2.0), TC_C(1.0), TC_C(0.0));
static const tc_sdf_part treads[3] = {{&block, {TC_C(2.0), TC_C(0.0), TC_C(-0.9)}, NULL},
                                      {&block, {TC_C(2.4), TC_C(0.0), TC_C(-0.8)}, NULL},
                                      {&block, {TC_C(2.8), TC_C(0.0), TC_C(-0.7)}, NULL}};
static const tc_sdf_parts three = {treads, 3};
static const tc_sdf stairs = TC_SDF_DATA(tc_sdf_union, &three);
static const tc_sdf flat = TC_SDF_HALFSPACE, ball = TC_SDF_SPHERE(TC_C(0.5));
static const tc_real turned[2][9] = {{TC_C(0.8660254), TC_C(0.0), TC_C(0.5), TC_C(0.0), TC_C(1.0),
                                      TC_C(0.0), TC_C(-0.5), TC_C(0.0), TC_C(0.8660254)},
                                     {TC_C(0.8660254), TC_C(0.0), TC_C(-0.5), TC_C(0.0), TC_C(1.0),
                                      TC_C(0.0), TC_C(0.5), TC_C(0.0), TC_C(0.8660254)}};
static const tc_sdf_part banks[2] = {{&flat, {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, turned[0]},
                                     {&flat, {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, turned[1]}};
static const tc_sdf_parts two = {banks, 2};
static const tc_sdf notch = TC_SDF_DATA(tc_sdf_union, &two);

static const tc_real corners[24] = {TC_C(-0.08), TC_C(-0.05), TC_C(-0.03), TC_C(0.08),  TC_C(-0.05),
                                    TC_C(-0.03), TC_C(-0.08), TC_C(0.05),  TC_C(-0.03), TC_C(0.08),
                                    TC_C(0.05),  TC_C(-0.03), TC_C(-0.08), TC_C(-0.05), TC_C(0.03),
                                    TC_C(0.08),  TC_C(-0.05), TC_C(0.03),  TC_C(-0.08), TC_C(0.05),
                                    TC_C(0.03),  TC_C(0.08),  TC_C(0.05),  TC_C(0.03)};
static const tc_body3 body = {TC_C(1.0), {TC_C(0.0011333), TC_C(0.0024333), TC_C(0.0029667)}};
static const tc_real weight[6] = {TC_C(0.0), TC_C(0.0), TC_C(-9.81),
                                  TC_C(0.0), TC_C(0.0), TC_C(0.0)};
static const double mu = 0.7;
static tc_foot3 box;
static tc_foot3_info info;
static tc_learned3_warm warm;
static tc_real work[TC_GROUND_STEP3_WORK(0u, 8u, 0u)];

static void make_box(tc_scheme positions)
{
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&box, &body, H, &law));
    box.shape = (tc_shape3){corners, 8, TC_C(0.0)};
    box.positions = positions;
    memset(&warm, 0, sizeof warm);
}

static tc_body3_state thrown(tc_real x, tc_real z, tc_real speed, tc_real spin)
{
    tc_body3_state state = {
        {x, TC_C(0.0), z}, {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)}, {TC_C(0.0)}};
    double norm = 0.0;
    for (uint32_t k = 1; k < 4u; k++) state.orientation[k] = test_uniform(TC_C(-0.3), TC_C(0.3));
    for (uint32_t k = 0; k < 4u; k++) norm += (double)(state.orientation[k] * state.orientation[k]);
    for (uint32_t k = 0; k < 4u; k++) state.orientation[k] /= (tc_real)sqrt(norm);
    test_fill(state.velocity, 3, -speed, speed);
    test_fill(state.velocity + 3, 3, -spin, spin);
    return state;
}

/* Lowest signed distance of the body's vertices, each by the shape itself */
static double deepest(const tc_ground3 *ground, const tc_body3_state *state)
{
    double least = 1e9;
    for (uint32_t i = 0; i < 8u; i++) {
        const double w = (double)state->orientation[0], x = (double)state->orientation[1],
                     y = (double)state->orientation[2], z = (double)state->orientation[3];
        const double R[3][3] = {
            {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
        tc_real p[3], gap, n[3];
        for (int r = 0; r < 3; r++) {
            double at = (double)state->position[r];
            for (int c = 0; c < 3; c++) at += R[r][c] * (double)corners[3u * i + (uint32_t)c];
            p[r] = (tc_real)at;
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_ground3_look(ground, p, &gap, n, NULL, 0));
        least = (double)gap < least ? (double)gap : least;
    }
    return least;
}

static double energy(const tc_body3_state *state)
{
    const double w = (double)state->orientation[0], x = (double)state->orientation[1],
                 y = (double)state->orientation[2], z = (double)state->orientation[3];
    const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    double sum = 9.81 * (double)state->position[2];
    for (int k = 0; k < 3; k++) {
        double turn = 0.0;
        for (int r = 0; r < 3; r++) turn += R[r][k] * (double)state->velocity[3 + r];
        sum += 0.5 * (double)(state->velocity[k] * state->velocity[k])
               + 0.5 * (double)body.inertia[k] * turn * turn;
    }
    return sum;
}

/* A board judges one step in so many, in double without a unit, and the last. */
#ifdef __arm__
#define JUDGED(k, steps) ((k) % 8u == 0u || (k) + 1u == (steps))
#else
#define JUDGED(k, steps) ((k) < (steps))
#endif

/* What a fall came to. */
typedef struct fall {
    double sunk;  /* deepest of all steps [m] */
    double gain;  /* largest rise of the energy over its minimum so far [J]: at most the weight
                   * times the depth that the scheme lifts it out of */
    double speed; /* at the end [m/s] */
} fall;

static fall let_fall(const tc_ground3 *ground, tc_body3_state *state, uint32_t steps)
{
    fall seen = {0.0, 0.0, 0.0};
    double least = energy(state);
    for (uint32_t k = 0; k < steps; k++) {
        const tc_status status =
            tc_ground_step_foot3(&box, ground, weight, state, &warm, &info, work, TC_COUNT(work));
        TEST_ASSERT_TRUE(status >= TC_OK);
        if (!JUDGED(k, steps)) continue;
        const double depth = -deepest(ground, state), now = energy(state);
        seen.sunk = depth > seen.sunk ? depth : seen.sunk;
        seen.gain = now - least > seen.gain ? now - least : seen.gain;
        least = now < least ? now : least;
    }
    for (uint32_t k = 0; k < 3u; k++) seen.speed += fabs((double)state->velocity[k]);
    return seen;
}

/* Catches: a step whose plane is not the ground's, vertices of another tread that carry in the air,
 * a body that comes to rest inside a step. */
static void test_stairs(void)
{
    const tc_ground3 ground = {&stairs, NULL};
    test_seed(11);
    for (uint32_t round = 0; round < FALLS(24); round++) {
        make_box(round % 2u == 0u ? TC_SCHEME_GAP : TC_SCHEME_TOC);
        tc_body3_state state =
            thrown(test_uniform(TC_C(0.1), TC_C(1.0)), TC_C(0.6), TC_C(0.5), TC_C(2.0));
        const fall seen = let_fall(&ground, &state, 1500);
        TEST_ASSERT_TRUE(seen.sunk < 2e-3);
        TEST_ASSERT_TRUE(seen.gain < 1e-3 + 10.0 * seen.sunk);
        TEST_ASSERT_TRUE(seen.speed < 0.05);
        TEST_ASSERT_TRUE(fabs(deepest(&ground, &state)) < 1e-3);
    }
}

/* Below the cone's slope it sticks; its height over the slope is that of its lowest corners. */
static void test_slope(void)
{
    const tc_convex_pose tilt = {{TC_C(0.9659258), TC_C(0.0), TC_C(0.258819), TC_C(0.0), TC_C(1.0),
                                  TC_C(0.0), TC_C(-0.258819), TC_C(0.0), TC_C(0.9659258)},
                                 {TC_C(0.0), TC_C(0.0), TC_C(0.0)}};
    const tc_ground3 ground = {&flat, &tilt};
    test_seed(12);
    for (uint32_t round = 0; round < FALLS(16); round++) {
        make_box((tc_scheme)(round % 3u));
        tc_body3_state state = thrown(TC_C(0.0), TC_C(0.2), TC_C(0.5), TC_C(2.0));
        const fall seen = let_fall(&ground, &state, 1200);
        TEST_ASSERT_TRUE(seen.sunk < (box.positions == TC_SCHEME_DART ? 3e-3 : 1e-4));
        TEST_ASSERT_TRUE(seen.gain < 1e-3 + 10.0 * seen.sunk);
        TEST_ASSERT_TRUE(seen.speed < 0.01);
    }
}

/* On top of a large ball the tangent plane follows the body; it does not sink. */
static void test_ball(void)
{
    const tc_convex_pose at = {{TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0), TC_C(0.0),
                                TC_C(0.0), TC_C(0.0), TC_C(1.0)},
                               {TC_C(0.0), TC_C(0.0), TC_C(-0.5)}};
    const tc_ground3 ground = {&ball, &at};
    test_seed(13);
    for (uint32_t round = 0; round < FALLS(16); round++) {
        make_box(TC_SCHEME_GAP);
        tc_body3_state state =
            thrown(test_uniform(TC_C(-0.1), TC_C(0.1)), TC_C(0.2), TC_C(0.2), TC_C(1.0));
        const fall seen = let_fall(&ground, &state, 300);
        TEST_ASSERT_TRUE(seen.sunk < 2e-3);
        TEST_ASSERT_TRUE(seen.gain < 1e-3 + 10.0 * seen.sunk);
    }
}

/* Between two banks of 30 degrees it comes to rest on both. */
static void test_notch(void)
{
    const tc_ground3 ground = {&notch, NULL};
    test_seed(14);
    for (uint32_t round = 0; round < FALLS(16); round++) {
        make_box(TC_SCHEME_GAP);
        tc_body3_state state = thrown(TC_C(0.0), TC_C(0.3), TC_C(0.5), TC_C(2.0));
        const fall seen = let_fall(&ground, &state, 1500);
        TEST_ASSERT_TRUE(seen.sunk < 2e-3);
        TEST_ASSERT_TRUE(seen.gain < 1e-3 + 10.0 * seen.sunk);
        TEST_ASSERT_TRUE(seen.speed < 0.03);
        TEST_ASSERT_TRUE(fabs(deepest(&ground, &state)) < 1e-3);
    }
}

/* A half-space is a floor: the same as tc_foot3_step to rounding, over the first touches. */
static void test_as_on_floor(void)
{
    const tc_ground3 ground = {&flat, NULL};
    test_seed(15);
    for (uint32_t round = 0; round < FALLS(8); round++) {
        make_box((tc_scheme)(round % 3u));
        tc_body3_state state = thrown(TC_C(0.0), TC_C(0.12), TC_C(1.0), TC_C(3.0)), same = state;
        tc_learned3_warm other = warm;
        for (uint32_t k = 0; k < 120u; k++) {
            TEST_ASSERT_TRUE(tc_ground_step_foot3(&box, &ground, weight, &state, &warm, &info, work,
                                                  TC_COUNT(work))
                             >= TC_OK);
            TEST_ASSERT_TRUE(tc_foot3_step(&box, weight, &same, &other, &info, work, TC_COUNT(work))
                             >= TC_OK);
        }
        for (uint32_t k = 0; k < 3u; k++) {
            test_near(same.position[k], state.position[k], TC_C(2e-4), TC_C(0.0), "position");
        }
    }
}

/* ---- In the plane ---------------------------------------------------------------------------- */

static void test_plane(void)
{
    static const tc_real square[8] = {TC_C(-0.08), TC_C(-0.03), TC_C(0.08),  TC_C(-0.03),
                                      TC_C(0.08),  TC_C(0.03),  TC_C(-0.08), TC_C(0.03)};
    static tc_real scratch[TC_GROUND_STEP2_WORK(0u, 4u)];
    const tc_body2 flat_body = {TC_C(1.0), TC_C(0.0024333)};
    const tc_real force[3] = {TC_C(0.0), TC_C(-9.81), TC_C(0.0)};
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    const tc_ground2 grounds[2] = {TC_GROUND2(&stairs), TC_GROUND2(&notch)};
    tc_foot2 foot;
    tc_foot2_info seen;
    test_seed(16);
    for (uint32_t round = 0; round < FALLS(32); round++) {
        const tc_ground2 *const ground = &grounds[round % 2u];
        TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&foot, &flat_body, H, &law));
        foot.shape = (tc_shape2){square, 4, TC_C(0.0)};
        foot.positions = TC_SCHEME_AHEAD ? TC_SCHEME_GAP : TC_SCHEME_DART;
        tc_body2_state state = {{round % 2u == 0u ? test_uniform(TC_C(0.1), TC_C(1.0)) : TC_C(0.0),
                                 TC_C(0.55), test_uniform(TC_C(-0.5), TC_C(0.5))},
                                {test_uniform(TC_C(-0.5), TC_C(0.5)), TC_C(0.0), TC_C(1.0)}};
        for (uint32_t k = 0; k < 1500u; k++) {
            TEST_ASSERT_TRUE(tc_ground_step_foot2(&foot, ground, force, &state, &seen, scratch,
                                                  TC_COUNT(scratch))
                             >= TC_OK);
            for (uint32_t i = 0; JUDGED(k, 1500u) && i < 4u; i++) {
                const double c = cos((double)state.position[2]), s = sin((double)state.position[2]);
                const double x = (double)square[2u * i], y = (double)square[2u * i + 1u];
                const tc_real p[2] = {(tc_real)((double)state.position[0] + c * x - s * y),
                                      (tc_real)((double)state.position[1] + s * x + c * y)};
                tc_real gap, n[2];
                TEST_ASSERT_EQUAL(TC_OK, tc_ground2_look(ground, p, &gap, n));
                TEST_ASSERT_TRUE(gap > TC_C(-3e-3));
            }
        }
        const double speed = fabs((double)state.velocity[0]) + fabs((double)state.velocity[1]);
        TEST_ASSERT_TRUE(speed < 0.03);
    }
}

static void test_refused(void)
{
    const tc_ground3 ground = {&flat, NULL}, none = {NULL, NULL};
    make_box(TC_SCHEME_GAP);
    tc_body3_state state = thrown(TC_C(0.0), TC_C(0.2), TC_C(0.5), TC_C(2.0)), before = state;
    const tc_real wrong[6] = {(tc_real)NAN};
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_ground_step_foot3(&box, &none, weight, &state, &warm, &info,
                                                        work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_ground_step_foot3(&box, &ground, weight, NULL, &warm, &info,
                                                        work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_ground_step_foot3(&box, &ground, wrong, &state, &warm,
                                                              &info, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_ground_step_foot3(&box, &ground, weight, &state, &warm, &info,
                                                        work, TC_COUNT(work) - 1u));
    box.step = TC_C(-1.0);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_ground_step_foot3(&box, &ground, weight, &state, &warm,
                                                         &info, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_MEMORY(&before, &state, sizeof state);
    TEST_ASSERT_EQUAL(TC_LEARNED_NONE, info.contact.branch);
}

void suite_ground_step(void)
{
    RUN_TEST(test_stairs);
    RUN_TEST(test_slope);
    RUN_TEST(test_ball);
    RUN_TEST(test_notch);
    RUN_TEST(test_as_on_floor);
    RUN_TEST(test_plane);
    RUN_TEST(test_refused);
}
