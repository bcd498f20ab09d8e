/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The implicit step of the planar push (tests/unit/barrier/push_scene.h): a box on a rough table and
 * a rod. Far: the rod moves 0.15 m in front of the box. In contact: it pushes the box. Draws differ
 * in angle, and in the steps that were made before. The unit tests hold the results.
 */
#include "tinycontact.h"

#include "../unit/barrier/push_scene.h"
#include "bench.h"

#include <math.h>

#define DRAWS 32u

static tc_implicit_scene scene;
static tc_real state[PUSH_STATE], next[PUSH_STATE], control[PUSH_CONTROL];
static tc_real warm[PUSH_RECORD], record[PUSH_RECORD], work[PUSH_WORK];
static tc_real gradient[PUSH_TANGENT], by_state[PUSH_TANGENT], by_control[PUSH_CONTROL];

static void step_on(const tc_real *from, tc_real *to)
{
    (void)tc_implicit_step(&scene, state, control, from, next, to, work, PUSH_WORK, NULL);
}

/* Some steps towards or away from the box */
static void prepare_push(float nearer)
{
    bench_seed(97u + 31u * bench.draw);
    const float angle = bench_uniform(-0.5f, 0.5f);
    const uint32_t steps = 8u + bench.draw % 8u;
    scene = push_scene(1e-6f, 1.0f, 0.0f);
    push_start(cosf(angle), sinf(angle), state);
    memcpy(control, state + 3, sizeof control);
    memset(warm, 0, sizeof warm);
    for (uint32_t k = 0; k < steps; ++k) {
        control[0] -= nearer * cosf(angle);
        control[1] -= nearer * sinf(angle) + bench_uniform(-0.005f, 0.005f);
        step_on(warm, warm);
        memcpy(state, next, sizeof state);
    }
    bench.compared = 1;
}

static void prepare_far(void)
{
    prepare_push(0.01f);
}

static void prepare_contact(void)
{
    prepare_push(0.05f);
}

static void run_step(void)
{
    BENCH_REGION(step_on(warm, record));
    bench.result[0] = bench.expected[0] = next[0];
}

static void prepare_pull(void)
{
    prepare_push(0.05f);
    step_on(warm, record);
    bench_fill(gradient, PUSH_TANGENT, -1.0f, 1.0f);
}

static void run_pull(void)
{
    BENCH_REGION((void)tc_implicit_pull(&scene, state, control, next, record, gradient, by_state,
                                        by_control, work, PUSH_WORK));
    bench.result[0] = bench.expected[0] = by_state[0];
}

void bench_implicit(void)
{
    static const bench_case cases[] = {
        {"implicit_step", "push_far", "public", prepare_far, run_step, 15, 1e-6f},
        {"implicit_step", "push_contact", "public", prepare_contact, run_step, 15, 1e-6f},
        {"implicit_pull", "push", "public", prepare_pull, run_pull, 27, 1e-6f},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) bench_run_draws(&cases[i], DRAWS);
}
