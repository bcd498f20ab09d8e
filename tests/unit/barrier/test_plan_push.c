/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Plans of the planar push (push_scene.h): the gradient through contact against the product of the
 * steps' columns and, in double, against differences; a whole push; its memory; the same bits however
 * the work is cut; scenes that are no model of a plan.
 *
 * Bounds: gradient beside columns 2e-4 of its largest number (1e-9 in double); beside differences
 * 1e-5 in double.
 */
#include "push_scene.h"
#include "test.h"

#include <math.h>

#define KNOTS 20u
#define UNKNOWN (KNOTS * PUSH_CONTROL)
#define FEW 6u                      /* knots of the gradients */
#define LENGTH ((12u * 1024u) / 4u) /* 12 KB in float: a plan's limit */
#ifdef TC_DOUBLE
#define COLUMNS 1e-9
#else
#define COLUMNS 2e-4
#endif

static tc_real storage[LENGTH + 2u * TEST_GUARD_WORDS];
static tc_real state[PUSH_STATE], next[PUSH_STATE], record[PUSH_RECORD], work[PUSH_WORK];
static tc_real controls[UNKNOWN], found[UNKNOWN];
static tc_implicit_scene planned, thin;
static tc_plan_model model;
static tc_plan plan;
static tc_plan_info info;

static const tc_plan_goal goal = {0, 0, 2, {PUSH_GOAL, 0, 0}, TC_C(0.02), 0, 1};
static const tc_real low[3] = {TC_C(-1.2), TC_C(-1.2), -3}, high[3] = {TC_C(1.2), TC_C(1.2), 3};

/* The planner's model has a bounded far term, the real one is thin. */
static void make_scenes(void)
{
    planned = push_scene(TC_C(1e-6), TC_C(1e3), TC_C(0.1));
    thin = push_scene(TC_C(1e-6), 1, 0);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_implicit(&planned, &model));
}

static tc_plan_task make_task(void)
{
    return (tc_plan_task){.model = &model, .goal = &goal, .goals = 1, .low = low, .high = high};
}

static void make_push_plan(tc_plan_method method, uint32_t horizon, uint32_t iterations)
{
    const tc_plan_task task = make_task();
    tc_plan_config config = tc_plan_default();
    config.method = method;
    config.horizon = horizon;
    config.iterations = iterations;
    tc_real *const numbers = test_guard(storage, LENGTH);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_init(&plan, &task, &config, numbers, LENGTH));
}

/* The rod at rest, at this angle about the box; all knots hold it there */
static void hold_rod(tc_real angle)
{
    push_start((tc_real)cos((double)angle), (tc_real)sin((double)angle), state);
    for (uint32_t i = 0; i < UNKNOWN; ++i) controls[i] = state[3u + i % PUSH_CONTROL];
}

/* The rod pushes the box along x from behind, so that it moves. */
static void push_rod_forward(void)
{
    hold_rod(TC_C(3.0));
    state[3] = state[9] = TC_C(-0.13);
    state[4] = state[10] = TC_C(0.01);
    for (uint32_t k = 0; k < KNOTS; ++k) {
        controls[3u * k] = TC_C(-0.1) + TC_C(0.02) * (tc_real)k;
        controls[3u * k + 1u] = TC_C(0.005);
        controls[3u * k + 2u] = TC_C(0.05);
    }
}

/* ---- Gradient -------------------------------------------------------------------------------- */

/* dJ/du = sum over later knots of dl/dx A .. A B, forwards from the control on */
static void multiply_columns(double *gradient)
{
    static tc_real A[PUSH_TANGENT * PUSH_TANGENT], B[PUSH_TANGENT * PUSH_CONTROL];
    static double moved[FEW * PUSH_CONTROL][PUSH_TANGENT], old[PUSH_TANGENT];
    for (uint32_t i = 0; i < FEW * PUSH_CONTROL; ++i) gradient[i] = 0;
    for (uint32_t k = 0; k < FEW; ++k) {
        const tc_real *const x = plan.state + k * PUSH_STATE;
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_columns(&planned, x, controls + k * PUSH_CONTROL,
                                                     x + PUSH_STATE, plan.record + k * model.record,
                                                     A, B, work, PUSH_WORK));
        for (uint32_t c = 0; c < (k + 1u) * PUSH_CONTROL; ++c) {
            memcpy(old, moved[c], sizeof old);
            for (uint32_t i = 0; i < PUSH_TANGENT; ++i) {
                moved[c][i] =
                    c / PUSH_CONTROL == k ? (double)B[i * PUSH_CONTROL + c % PUSH_CONTROL] : 0;
                for (uint32_t j = 0; j < PUSH_TANGENT && c / PUSH_CONTROL < k; ++j) {
                    moved[c][i] += (double)A[i * PUSH_TANGENT + j] * old[j];
                }
            }
            for (uint32_t i = 0; i < 2u; ++i) {
                const double away = (double)x[PUSH_STATE + i] - (double)goal.target[i];
                gradient[c] += 2 * away * moved[c][i];
            }
        }
    }
}

#ifdef TC_DOUBLE
static void check_differences(void)
{
    for (uint32_t i = 0; i < FEW * PUSH_CONTROL; ++i) {
        tc_real above, below, largest = 0;
        const tc_real h = 1e-5, was = controls[i];
        controls[i] = was + h;
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_gradient(&plan, state, controls, &above, NULL));
        controls[i] = was - h;
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_gradient(&plan, state, controls, &below, NULL));
        controls[i] = was;
        for (uint32_t j = 0; j < FEW * PUSH_CONTROL; ++j) largest = fmax(largest, fabs(found[j]));
        TEST_ASSERT_TRUE_MESSAGE(fabs((above - below) / (2 * h) - found[i]) <= 1e-5 * largest,
                                 "differences");
    }
}
#endif

static void check_gradient(void)
{
    static double right[FEW * PUSH_CONTROL];
    double largest = 0;
    make_push_plan(TC_PLAN_KNOTS, FEW, 1);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_gradient(&plan, state, controls, NULL, found));
    multiply_columns(right);
    for (uint32_t i = 0; i < FEW * PUSH_CONTROL; ++i) largest = fmax(largest, fabs(right[i]));
    TEST_ASSERT_TRUE_MESSAGE(largest > 0, "never zero");
    for (uint32_t i = 0; i < FEW * PUSH_CONTROL; ++i) {
        TEST_ASSERT_TRUE_MESSAGE(fabs((double)found[i] - right[i]) <= COLUMNS * largest, "columns");
    }
}

static void test_gradient_in_contact(void)
{
    make_scenes();
    push_rod_forward();
    check_gradient();
    TEST_ASSERT_TRUE_MESSAGE(plan.state[FEW * PUSH_STATE] > TC_C(0.001), "the box moves");
#ifdef TC_DOUBLE
    check_differences();
#endif
}

/* Far away, where a local contact model has none */
static void test_gradient_far(void)
{
    make_scenes();
    test_seed(1711);
    for (uint32_t round = 0; round < TEST_ROUNDS(10u); ++round) {
        hold_rod(test_uniform(-3, 3));
        check_gradient();
    }
}

/* ---- A push ---------------------------------------------------------------------------------- */

static double distance_to_goal(void)
{
    return hypot((double)(state[0] - goal.target[0]), (double)(state[1] - goal.target[1]));
}

/* Frames until the box is there, or `frames` */
static uint32_t move_box(uint32_t frames)
{
    const tc_real *warm = NULL;
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, state, controls));
    for (uint32_t f = 0; f < frames; ++f) {
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 100000, &info));
        TEST_ASSERT_EQUAL_UINT32(plan.config.horizon, info.reach);
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_step(&thin, state, plan.control, warm, next, record,
                                                  work, PUSH_WORK, NULL));
        memcpy(state, next, sizeof state);
        warm = record;
        if (distance_to_goal() < (double)PUSH_NEAR) return f;
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_shift(&plan, state));
    }
    return frames;
}

/* From in front of the box, round it, and to the goal. A board takes up halfway. */
static void test_push(void)
{
    make_scenes();
#ifdef __arm__
    hold_rod(TC_C(2.6));
#else
    hold_rod(TC_C(0.3));
#endif
    make_push_plan(TC_PLAN_KNOTS, KNOTS, 5);
    TEST_ASSERT_TRUE_MESSAGE(move_box(150) < 150u, "pushed");
    test_guard_check(storage, LENGTH);
}

/* Gauss-Newton pushes, too, once the rod is behind the box. */
static void test_push_newton(void)
{
    make_scenes();
    hold_rod(TC_C(2.8));
    make_push_plan(TC_PLAN_NEWTON, 10, 3);
    plan.config.step = TC_C(0.1);
    TEST_ASSERT_TRUE_MESSAGE(move_box(60) < 60u, "pushed");
    test_guard_check(storage, LENGTH);
}

static void test_cut_push(void)
{
    make_scenes();
    for (uint32_t method = 0; method < 3u; ++method) {
        push_rod_forward();
        make_push_plan((tc_plan_method)method, 8, 3);
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, state, controls));
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 10000, &info));
        memcpy(found, plan.control, 8u * PUSH_CONTROL * sizeof *found);
        TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, state, controls));
        do {
            TEST_ASSERT_EQUAL(TC_OK, tc_plan_update(&plan, 1u + test_below(5), &info));
        } while (!info.done);
        test_same(found, plan.control, 8u * PUSH_CONTROL, "cut");
    }
}

/* ---- Memory and faults ----------------------------------------------------------------------- */

/* A plan of 20 knots takes at most 12 KB by each method. */
static void test_memory(void)
{
    const tc_plan_task task = make_task();
    tc_plan_config config = tc_plan_default();
    make_scenes();
    config.horizon = 20;
    for (uint32_t method = 0; method < 3u; ++method) {
        config.method = (tc_plan_method)method;
        const size_t length = tc_plan_work_len(&task, &config);
        TEST_ASSERT_TRUE(length > 0u);
        TEST_ASSERT_TRUE(length * sizeof(float) + sizeof(tc_plan) <= 12u * 1024u);
    }
}

static void test_other_scenes(void)
{
    tc_implicit_scene scene;
    tc_implicit_body many[6];
    tc_plan_model refused;
    make_scenes();
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_implicit(&planned, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_plan_implicit(NULL, &refused));
    scene = planned;
    scene.bodies = 0;
    refused = model;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_plan_implicit(&scene, &refused));
    TEST_ASSERT_TRUE(refused.step == NULL && refused.scene == NULL);
    /* no control; and 18 controls */
    scene = planned;
    for (uint32_t i = 0; i < 6u; ++i) many[i] = push_body[0];
    scene.body = many;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_plan_implicit(&scene, &refused));
    for (uint32_t i = 0; i < 6u; ++i) many[i] = push_body[1];
    scene.bodies = 6;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_plan_implicit(&scene, &refused));
    scene.bodies = 5;
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_implicit(&scene, &refused));
    TEST_ASSERT_EQUAL_UINT32(15, refused.control);
}

/* A rod that begins in the box: the step's status, and nothing is planned. */
static void test_touching(void)
{
    make_scenes();
    hold_rod(1);
    state[3] = state[9] = TC_C(0.05);
    state[4] = state[10] = 0;
    make_push_plan(TC_PLAN_KNOTS, KNOTS, 5);
    TEST_ASSERT_EQUAL(TC_OK, tc_plan_start(&plan, state, controls));
    TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, tc_plan_update(&plan, 1000, &info));
    TEST_ASSERT_TRUE(info.done == 0u && info.units == 1u);
    test_same(controls, plan.control, UNKNOWN, "unchanged");
}

/* Goals of the box in a welded wall, or below a floor, are found at just that depth; a goal in the
 * rod, which can move, is none of these. */
#define WALL_AT TC_C(0.8) /* [m] its near side; the box, turned by 0, has half an edge of 0.1 */

static void test_goals_in_fixed_bodies(void)
{
    static const tc_real wall[8] = {TC_C(0.0), -2, TC_C(0.2), -2, TC_C(0.2), 2, TC_C(0.0), 2};
    static const tc_implicit_floor ground = {.normal = {0, TC_C(1.0)}, .offset = TC_C(-1.0)};
    tc_real *const numbers = test_guard(storage, LENGTH);
    tc_implicit_scene scene = push_scene(TC_C(1e-6), TC_C(1.0), 0);
    tc_implicit_body bodies[3] = {push_body[0], push_body[1]};
    tc_implicit_piece pieces[3] = {push_piece[0], push_piece[1], {{wall, 4u, 0}, 2u}};
    tc_implicit_pair pairs[3] = {{0, 1, 0}, {2, 0, 0}, {1, 2, 0}};
    tc_plan_implicit_block block;
    tc_implicit_sizes sizes;
    tc_plan_goal goals[2] = {{.count = 2, .target = {TC_C(0.3), 0}}, {.count = 2}};
    bodies[2] = (tc_implicit_body){
        .joint = TC_IMPLICIT_WELD, .parent = TC_IMPLICIT_WORLD, .anchor_at = {WALL_AT, 0, 0}};
    scene.body = bodies;
    scene.piece = pieces;
    scene.pair = pairs;
    scene.floor = &ground;
    scene.bodies = scene.pieces = scene.pairs = 3u;
    scene.floors = 1u;
    push_start(TC_C(1.0), 0, state);
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_check(&scene, &sizes));
    TEST_ASSERT_TRUE(sizes.work <= LENGTH);
    for (int k = TEST_ROUNDS(200); k > 0; --k) {
        const tc_real x = test_uniform(TC_C(0.5), TC_C(0.9));
        const tc_real y = test_uniform(TC_C(-1.1), TC_C(-0.7));
        const int in_wall = x > WALL_AT - TC_C(0.1), in_floor = y < TC_C(-0.9);
        if (fabs((double)(x - WALL_AT) + 0.1) < 1e-4) continue;
        if (fabs((double)y + 0.9) < 1e-4) continue;
        goals[1].target[0] = x;
        goals[1].target[1] = y;
        TEST_ASSERT_EQUAL(
            in_wall || in_floor ? TC_ERR_TOUCHING : TC_OK,
            tc_plan_implicit_goals(&scene, goals, 2u, state, &block, numbers, sizes.work));
        TEST_ASSERT_EQUAL_UINT32(in_wall || in_floor, block.goal);
        TEST_ASSERT_EQUAL_UINT32(in_wall ? 1 : in_floor ? 3 : 0, block.pair);
    }
    goals[1].state = 8;
    TEST_ASSERT_EQUAL(
        TC_ERR_SIZE, tc_plan_implicit_goals(&scene, goals, 2u, state, &block, numbers, sizes.work));
    TEST_ASSERT_EQUAL_UINT32(1, block.goal);
    goals[0].target[1] = NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_plan_implicit_goals(&scene, goals, 2u, state, NULL, numbers, sizes.work));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_plan_implicit_goals(&scene, NULL, 2u, state, NULL, numbers, sizes.work));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_plan_implicit_goals(&scene, goals, 2u, state, NULL, numbers,
                                                          sizes.work - 1u));
}

void suite_plan_push(void)
{
    RUN_TEST(test_gradient_in_contact);
    RUN_TEST(test_gradient_far);
    RUN_TEST(test_push);
    RUN_TEST(test_push_newton);
    RUN_TEST(test_cut_push);
    RUN_TEST(test_memory);
    RUN_TEST(test_other_scenes);
    RUN_TEST(test_touching);
    RUN_TEST(test_goals_in_fixed_bodies);
}
