/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Plans of the planar push (tests/unit/barrier/push_scene.h), 20 knots: roll-out and gradient with
 * the rod in front of the box and while it pushes; and the whole planning of a frame, five gradients,
 * at 20 frames of one push from the start to the goal, which is the same push on each core.
 */
#include "tinycontact.h"

#include "bench.h"

#include "../unit/barrier/push_scene.h"

#include <math.h>
#include <string.h>

#define DRAWS 12u
#define KNOTS 20u
#define FRAMES 20u /* draws of the push */
#define APART 4u   /* frames from one draw to the next */

static tc_real memory[1600], before[1600], scratch[PUSH_WORK], record[PUSH_RECORD];
static tc_real state[PUSH_STATE], controls[KNOTS * PUSH_CONTROL], gradient[KNOTS * PUSH_CONTROL];
static tc_implicit_scene planned, thin;
static tc_plan_model model;
static tc_plan plan, kept;
static tc_plan_info info;
static uint32_t frame;

static void make_plan(void)
{
    static const tc_plan_goal goal = {0, 0, 2, {PUSH_GOAL, 0, 0}, 0.02f, 0, 1};
    static const tc_real low[3] = {-1.2f, -1.2f, -3}, high[3] = {1.2f, 1.2f, 3};
    tc_plan_config config = tc_plan_default();
    planned = push_scene(1e-6f, 1e3f, 0.1f);
    planned.tolerance = 1e-6f;
    thin = push_scene(1e-6f, 1, 0);
    (void)tc_plan_implicit(&planned, &model);
    const tc_plan_task task = {
        .model = &model, .goal = &goal, .goals = 1, .low = low, .high = high};
    config.horizon = KNOTS;
    config.iterations = 5;
    bench.compared = 1;
    bench.expected[0] = tc_plan_init(&plan, &task, &config, memory, TC_COUNT(memory)) < TC_OK;
}

static void place_rod(float angle)
{
    push_start(cosf(angle), sinf(angle), state);
    for (uint32_t i = 0; i < KNOTS * PUSH_CONTROL; ++i) controls[i] = state[3u + i % PUSH_CONTROL];
}

/* The rod in front of the box */
static void prepare_far(void)
{
    make_plan();
    bench_seed(173u + bench.draw);
    place_rod(bench_uniform(-0.5f, 0.5f));
}

/* The rod behind the box, moving on by 5 to 15 mm per knot */
static void prepare_touch(void)
{
    make_plan();
    bench_seed(179u + bench.draw);
    place_rod(3.1f);
    state[3] = state[9] = -0.125f;
    state[4] = state[10] = bench_uniform(-0.03f, 0.03f);
    const float ahead = bench_uniform(0.005f, 0.015f);
    for (uint32_t k = 0; k < KNOTS; ++k) {
        controls[3u * k] = -0.11f + ahead * (float)k;
        controls[3u * k + 1u] = state[4];
    }
}

/* One frame of the push: plan, apply, move on */
static void push_frame(void)
{
    static tc_real next[PUSH_STATE];
    (void)tc_plan_update(&plan, 100000u, NULL);
    (void)tc_implicit_step(&thin, state, plan.control, frame > 0u ? record : NULL, next, record,
                           scratch, PUSH_WORK, NULL);
    memcpy(state, next, sizeof state);
    (void)tc_plan_shift(&plan, state);
    ++frame;
}

/* Draw d is planned at frame APART d; the second run of a draw begins as the first. */
static void prepare_frame(void)
{
    if (bench.draw == 0u) {
        make_plan();
        place_rod(0.3f);
        frame = 0u;
        (void)tc_plan_start(&plan, state, controls);
    }
    bench.compared = 1;
    bench.expected[0] = 0.0f;
    while (frame < APART * bench.draw) push_frame();
    kept = plan;
    memcpy(before, memory, sizeof before);
}

static void run_gradient(void)
{
    tc_real cost;
    BENCH_REGION((void)tc_plan_gradient(&plan, state, controls, &cost, gradient));
    bench.result[0] = plan.info.reach == KNOTS ? 0.0f : 1.0f;
}

static void run_frame(void)
{
    BENCH_REGION((void)tc_plan_update(&plan, 100000u, &info));
    bench.result[0] = info.done && info.reach == KNOTS ? 0.0f : 1.0f;
    plan = kept;
    memcpy(memory, before, sizeof before);
}

void bench_plan(void)
{
    static const bench_case far = {"plan_gradient", "push20_far", "public", prepare_far,
                                   run_gradient,    12,           0.0f};
    static const bench_case touch = {
        "plan_gradient", "push20_touch", "public", prepare_touch, run_gradient, 12, 0.0f};
    static const bench_case whole = {
        "plan_update", "push20_frame", "public", prepare_frame, run_frame, 12, 0.0f};
    bench_run_draws(&far, DRAWS);
    bench_run_draws(&touch, DRAWS);
    bench_run_draws(&whole, FRAMES);
}
