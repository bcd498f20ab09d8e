/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The implicit step of the planar push (tests/unit/barrier/push_scene.h): a box on a rough table and
 * a rod that moves towards it at 0.25 m/s. Far: from 0.5 m. In contact: it pushes the box. Draws
 * differ in the box's angle, the rod's way, and the steps that were made before. The unit tests hold the results.
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

/* Some steps towards the box, at 0.25 m/s, from a distance of the rod from its middle */
static void prepare_push(float distance)
{
    bench_seed(97u + 31u * bench.draw);
    const float angle = bench_uniform(-0.5f, 0.5f), shift = bench_uniform(-0.03f, 0.03f);
    const uint32_t steps = 8u + bench.draw % 8u;
    scene = push_scene(1e-6f, 1.0f, 0.0f);
    push_start(1.0f, 0.0f, state);
    state[2] = state[8] = angle;
    state[3] = state[9] = distance;
    state[4] = state[10] = shift;
    memcpy(control, state + 3, sizeof control);
    memset(warm, 0, sizeof warm);
    for (uint32_t k = 0; k < steps; ++k) {
        control[0] -= 0.01f;
        control[1] += bench_uniform(-0.002f, 0.002f);
        step_on(warm, warm);
        memcpy(state, next, sizeof state);
    }
    bench.compared = 1;
}

static void prepare_far(void)
{
    prepare_push(0.5f);
}

static void prepare_contact(void)
{
    prepare_push(0.16f);
}

static void run_step(void)
{
    BENCH_REGION(step_on(warm, record));
    bench.result[0] = bench.expected[0] = next[0];
}

static void prepare_pull(void)
{
    prepare_push(0.16f);
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
