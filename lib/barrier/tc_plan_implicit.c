/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A scene as the model of a plan. The plan hands out as much workspace as the model asks for. And
 * goals that lie inside what does not move.
 */
#include "tc_exact.h"
#include "tc_plan_implicit.h"

#include "tc_implicit_internal.h"
#include "tc_work.h"

#include <string.h>

static tc_status step_scene(const void *scene, const tc_real *state, const tc_real *control,
                            const tc_real *warm, tc_real *next, tc_real *record, tc_real *space)
{
    return tc_implicit_step(scene, state, control, warm, next, record, space, SIZE_MAX, NULL);
}

static tc_status pull_scene(const void *scene, const tc_real *state, const tc_real *control,
                            const tc_real *next, const tc_real *record,
                            const tc_real *gradient_next, tc_real *gradient_state,
                            tc_real *gradient_control, tc_real *space)
{
    return tc_implicit_pull(scene, state, control, next, record, gradient_next, gradient_state,
                            gradient_control, space, SIZE_MAX);
}

static tc_status column_scene(const void *scene, const tc_real *state, const tc_real *control,
                              const tc_real *next, const tc_real *record, tc_real *A, tc_real *B,
                              tc_real *space)
{
    return tc_implicit_columns(scene, state, control, next, record, A, B, space, SIZE_MAX);
}

static void differ_scene(const void *scene, const tc_real *to, const tc_real *from,
                         tc_real *increment)
{
    (void)tc_implicit_difference(scene, to, from, increment);
}

tc_status tc_plan_implicit(const tc_implicit_scene *scene, tc_plan_model *model)
{
    tc_implicit_sizes sizes;
    if (model == NULL) return TC_ERR_NULL;
    memset(model, 0, sizeof *model);
    const tc_status status = tc_implicit_check(scene, &sizes);
    if (status < TC_OK) return status;
    if (sizes.control == 0u || sizes.control > TC_PLAN_CONTROL_MAX
        || sizes.state > TC_PLAN_STATE_MAX || sizes.tangent > TC_PLAN_STATE_MAX) {
        return TC_ERR_SIZE;
    }
    *model = (tc_plan_model){.scene = scene,
                             .state = sizes.state,
                             .tangent = sizes.tangent,
                             .control = sizes.control,
                             .record = sizes.record,
                             .work = sizes.work,
                             .step = step_scene,
                             .pull = pull_scene,
                             .columns = column_scene,
                             .difference = differ_scene};
    return status;
}

/* ---- Goals ----------------------------------------------------------------------------------- */

/* Whether a pair touches, of which one body is fixed */
static int touches_fixed(const tci_implicit_run *run, uint32_t pair)
{
    const tc_implicit_pair *const given = &run->scene->pair[pair];
    tci_implicit_found found;
    if (tci_implicit_meets_floors(run, given->a) && tci_implicit_meets_floors(run, given->b))
        return 0;
    return run->space->solve(run->scene, pair, run->at, TC_C(-1.0),
                             tci_implicit_sums(run->sums, pair), tci_implicit_sums(run->spare, 0u),
                             &found)
           == TC_ERR_TOUCHING;
}

static int touches_floor(const tci_implicit_run *run, uint32_t floor, uint32_t piece)
{
    tc_real height = TC_C(1e30);
    if (!tci_implicit_meets_floors(run, piece)) return 0;
    (void)run->space->rise(run->scene, floor, piece, run->at, &height, NULL, NULL);
    return !(height > TC_C(0.0));
}

/* The pair or floor that touches something fixed at the run's coordinates; if none does, their
 * number */
static uint32_t find_fixed(const tci_implicit_run *run)
{
    const tc_implicit_scene *const scene = run->scene;
    uint32_t number = 0;
    run->space->place(scene, run->q, run->at, NULL);
    for (; number < scene->pairs; ++number) {
        if (touches_fixed(run, number)) return number;
    }
    for (uint32_t f = 0; f < scene->floors; ++f) {
        for (uint32_t p = 0; p < scene->pieces; ++p, ++number) {
            if (touches_floor(run, f, p)) return number;
        }
    }
    return number;
}

static tc_status try_goal(const tci_implicit_run *run, const tc_plan_goal *goal,
                          tc_plan_implicit_block *block)
{
    const uint32_t n = run->sizes.coordinates;
    tc_real zero = TC_C(0.0);
    if (goal->count > 3u || goal->state >= n || goal->count > n - goal->state) return TC_ERR_SIZE;
    memcpy(run->q, run->state, n * sizeof *run->q);
    memcpy(run->q + goal->state, goal->target, goal->count * sizeof *run->q);
    for (uint32_t i = 0; i < n; ++i) zero += TC_C(0.0) * run->q[i];
    if (!(zero == TC_C(0.0))) return TC_ERR_NOT_FINITE;
    block->pair = find_fixed(run);
    return block->pair < run->scene->pairs + run->scene->floors * run->scene->pieces
               ? TC_ERR_TOUCHING
               : TC_OK;
}

tc_status tc_plan_implicit_goals(const tc_implicit_scene *scene, const tc_plan_goal *goal,
                                 uint32_t goals, const tc_real *state,
                                 tc_plan_implicit_block *block, tc_real *work, size_t work_len)
{
    tci_implicit_run run;
    tc_plan_implicit_block mine;
    tc_plan_implicit_block *const found = block == NULL ? &mine : block;
    memset(found, 0, sizeof *found);
    if (scene == NULL || goal == NULL || state == NULL || work == NULL) return TC_ERR_NULL;
    tc_status status = tc_work_check(work, work_len, tci_implicit_lay(&run, scene, work));
    if (status < TC_OK) return status;
    run.state = state;
    for (found->goal = 0; found->goal < goals; ++found->goal) {
        found->pair = 0;
        status = try_goal(&run, &goal[found->goal], found);
        if (status < TC_OK) return status;
    }
    memset(found, 0, sizeof *found);
    return TC_OK;
}

/* Calls through the table of a space. */
/* tc_calls: touches_fixed lib/barrier/tc_implicit2.c:solve_plane */
/* tc_calls: touches_fixed lib/barrier/tc_implicit3.c:solve_space */
/* tc_calls: touches_floor lib/barrier/tc_implicit2.c:rise_plane */
/* tc_calls: touches_floor lib/barrier/tc_implicit3.c:rise_space */
/* tc_calls: find_fixed lib/barrier/tc_implicit2.c:place_plane */
/* tc_calls: find_fixed lib/barrier/tc_implicit3.c:place_space */
/* tc_calls: tc_plan_implicit_goals lib/barrier/tc_implicit2.c:solve_plane */
/* tc_calls: tc_plan_implicit_goals lib/barrier/tc_implicit3.c:solve_space */
/* tc_calls: tc_plan_implicit_goals lib/barrier/tc_implicit2.c:rise_plane */
/* tc_calls: tc_plan_implicit_goals lib/barrier/tc_implicit3.c:rise_space */
/* tc_calls: tc_plan_implicit_goals lib/barrier/tc_implicit2.c:place_plane */
/* tc_calls: tc_plan_implicit_goals lib/barrier/tc_implicit3.c:place_space */
