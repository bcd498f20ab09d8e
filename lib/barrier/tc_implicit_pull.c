/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of a step, by the implicit function theorem. At the minimum the gradient L_+ is zero,
 * so that with H = L_++ of the last iterate
 *
 *     dq+ = -H^-1 (L_+now dq_now + L_+before dq_before + L_+control du)
 *
 * A gradient g by q+ gives y = H^-1 g, and what is pulled back is -L_+x^T y: products alone, so that
 * gradients of 1e-7 keep their digits. The next state's `before` is the state's `now`.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

#include "tc_work.h"

#include <string.h>

/* Bodies' charts by freedoms; arrays of the run that a pull has no other use for */
typedef struct pull_charts {
    tc_real *y, *now, *before; /* [bodies x chart] */
} pull_charts;

static void pull_friction(const tci_implicit_run *run, const pull_charts *charts)
{
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t F = run->space->chart;
    for (uint32_t p = 0; p < scene->pairs; ++p) {
        const uint32_t a = scene->piece[scene->pair[p].a].body * F;
        const uint32_t b = scene->piece[scene->pair[p].b].body * F;
        if (!(scene->pair[p].friction > TC_C(0.0))) continue;
        tci_implicit_rub_back(run, p, run->at, charts->y + a, charts->y + b, charts->now + a,
                              charts->now + b);
    }
    for (uint32_t f = 0; f < scene->floors; ++f) {
        if (!(scene->floor[f].friction > TC_C(0.0))) continue;
        for (uint32_t p = 0; p < scene->pieces; ++p) {
            const uint32_t b = scene->piece[p].body * F;
            if (!tci_implicit_meets_floors(run, p)) continue;
            tci_implicit_scrape_back(run, f, p, run->at, charts->y + b, charts->now + b);
        }
    }
}

/* Planes' derivatives at the state, of pairs with friction */
static void rate_planes(tci_implicit_run *run, const tc_real *record)
{
    const uint32_t P = run->space->plane, planes = tci_implicit_planes(run->scene);
    const uint32_t rates = P * 2u * run->space->chart;
    tci_implicit_local local;
    if (!tci_implicit_rubs(run->scene)) return;
    memcpy(run->plane_now, record + planes + TCI_IMPLICIT_PACKED((size_t)run->sizes.freedoms),
           planes * sizeof *record);
    for (uint32_t p = 0; p < run->scene->pairs; ++p) {
        tc_real clear[2];
        tci_barrier_state *const sums = tci_implicit_sums(run->sums, p);
        if (!(run->scene->pair[p].friction > TC_C(0.0))) continue;
        (void)run->space->look(run->scene, p, run->at_now, run->plane_now + p * P, sums, clear);
        const tci_barrier_result result = {local.gradient, local.hessian, run->rate + p * rates,
                                           TC_C(1.0), NULL};
        run->space->derive(run->scene, p, run->at_now, sums, &result);
    }
}

/* Whether some floor or pair has friction */
static int any_friction(const tc_implicit_scene *scene)
{
    for (uint32_t f = 0; f < scene->floors; ++f) {
        if (scene->floor[f].friction > TC_C(0.0)) return 1;
    }
    return tci_implicit_rubs(scene);
}

/* Poses of a step that was made */
static void open_step(tci_implicit_run *run, const tc_real *next, const tc_real *record)
{
    const int whole = run->held || any_friction(run->scene);
    void (*const place)(const tc_implicit_scene *, const tc_real *, tc_real *, tc_real *) =
        whole ? run->space->place : run->space->mark;
    tci_implicit_number(run);
    place(run->scene, next, run->at, NULL);
    place(run->scene, run->state, run->at_now, NULL);
    place(run->scene, run->state + run->sizes.coordinates, run->at_before, NULL);
    rate_planes(run, record);
}

/* y += J^T chart at other coordinates than the iterate's; axes are scratch */
static void gather_at(tci_implicit_run *run, const tc_real *q, tc_real *at, const tc_real *chart,
                      tc_real *y)
{
    if (run->held) run->space->place(run->scene, q, at, run->axes);
    tci_implicit_gather(run, at, run->axes, chart, y);
}

/* One pull; gradient_state may be gradient_next. run->gradient, direction are scratch. */
static void pull_once(tci_implicit_run *run, const tc_real *next, const tc_real *factor,
                      const tc_real *gradient_next, tc_real *gradient_state,
                      tc_real *gradient_control)
{
    const tc_implicit_space *const space = run->space;
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t n = run->sizes.freedoms, F = space->chart;
    const pull_charts charts = {run->move, run->body_gradient, run->coast};
    tc_real *const y = run->direction, *const now = run->gradient;
    memcpy(y, gradient_next, n * sizeof *y);
    memcpy(now, gradient_next + n, n * sizeof *now);
    tci_implicit_lock(run, y);
    tci_implicit_solve(factor, n, y);
    if (run->held) space->place(scene, next, run->at, run->axes);
    tci_implicit_push(run, run->at, run->axes, y, charts.y);
    memset(charts.now, 0, scene->bodies * (size_t)F * sizeof *y);
    memset(charts.before, 0, scene->bodies * (size_t)F * sizeof *y);
    if (run->sizes.control > 0u) memset(gradient_control, 0, run->sizes.control * sizeof *y);
    memset(gradient_state + n, 0, n * sizeof *y);
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        space->carry_back(scene, &scene->body[b], run->at_before + b * space->pose,
                          run->at_now + b * space->pose, run->at + b * space->pose,
                          charts.y + b * F, charts.now + b * F, charts.before + b * F);
    }
    pull_friction(run, &charts);
    tci_implicit_drive_back(run, next, y, now, gradient_control);
    gather_at(run, run->state, run->at_now, charts.now, now);
    gather_at(run, run->state + run->sizes.coordinates, run->at_before, charts.before,
              gradient_state + n);
    memcpy(gradient_state, now, n * sizeof *now);
    tci_implicit_lock(run, gradient_state);
    tci_implicit_lock(run, gradient_state + n);
}

/* Whether the space's own pull does: all bodies are free, nothing has friction. */
static int pulls_freely(const tc_implicit_scene *scene)
{
    const tc_implicit_body *body = scene->body;
    if (scene->space->pull == NULL || any_friction(scene)) return 0;
    for (uint32_t b = 0; b < scene->bodies; ++b, ++body) {
        if (!tci_implicit_is_free(body)) return 0;
    }
    return 1;
}

static int has_controls(const tc_implicit_scene *scene)
{
    const tc_implicit_body *body = scene->body;
    for (uint32_t b = 0; b < scene->bodies; ++b, ++body) {
        if (body->drive != TC_IMPLICIT_NONE && (body->driven & 7u) != 0u) return 1;
    }
    return 0;
}

static tc_status open_pull_run(tci_implicit_run *run, const tc_implicit_scene *scene,
                               const tc_real *state, const tc_real *control, const tc_real *next,
                               const tc_real *record, tc_real *work, size_t work_len)
{
    if (scene == NULL || state == NULL || next == NULL || record == NULL || work == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = tc_work_check(work, work_len, tci_implicit_lay(run, scene, work));
    if (status < TC_OK) return status;
    if (control == NULL && run->sizes.control > 0u) return TC_ERR_NULL;
    run->state = state;
    run->control = control;
    open_step(run, next, record);
    return TC_OK;
}

static tc_status pull_freely(const tc_implicit_scene *scene, const tc_real *state,
                             const tc_real *control, const tc_real *next, const tc_real *record,
                             const tc_real *gradient_next, tc_real *gradient_state,
                             tc_real *gradient_control, tc_real *work, size_t work_len)
{
    if (state == NULL || next == NULL || record == NULL || work == NULL) return TC_ERR_NULL;
    const tc_status status = tc_work_check(work, work_len, tci_implicit_length(scene));
    if (status < TC_OK) return status;
    if ((control == NULL || gradient_control == NULL) && has_controls(scene)) return TC_ERR_NULL;
    scene->space->pull(scene, state, next, record + tci_implicit_planes(scene), gradient_next,
                       gradient_state, gradient_control, work);
    return TC_OK;
}

tc_status tc_implicit_pull(const tc_implicit_scene *scene, const tc_real *state,
                           const tc_real *control, const tc_real *next, const tc_real *record,
                           const tc_real *gradient_next, tc_real *gradient_state,
                           tc_real *gradient_control, tc_real *work, size_t work_len)
{
    tci_implicit_run run;
    if (scene == NULL || gradient_next == NULL || gradient_state == NULL) return TC_ERR_NULL;
    if (pulls_freely(scene)) {
        return pull_freely(scene, state, control, next, record, gradient_next, gradient_state,
                           gradient_control, work, work_len);
    }
    const tc_status status =
        open_pull_run(&run, scene, state, control, next, record, work, work_len);
    if (status < TC_OK) return status;
    if (gradient_control == NULL && run.sizes.control > 0u) return TC_ERR_NULL;
    pull_once(&run, next, record + tci_implicit_planes(scene), gradient_next, gradient_state,
              gradient_control);
    return TC_OK;
}

/* Rows of d next / d state and d next / d control, which are 0 before */
static void pull_rows(tci_implicit_run *run, const tc_real *next, const tc_real *factor, tc_real *A,
                      tc_real *B)
{
    const uint32_t tangent = run->sizes.tangent, controls = run->sizes.control;
    const int freely = pulls_freely(run->scene);
    for (uint32_t i = 0; i < run->sizes.freedoms; ++i) {
        tc_real *const row = A + (size_t)i * tangent;
        tc_real *const by_control = controls > 0u ? B + (size_t)i * controls : row;
        row[i] = TC_C(1.0);
        if (freely) {
            run->space->pull(run->scene, run->state, next, factor, row, row, by_control,
                             run->direction);
        } else {
            pull_once(run, next, factor, row, row, by_control);
        }
    }
}

tc_status tc_implicit_columns(const tc_implicit_scene *scene, const tc_real *state,
                              const tc_real *control, const tc_real *next, const tc_real *record,
                              tc_real *A, tc_real *B, tc_real *work, size_t work_len)
{
    tci_implicit_run run;
    if (A == NULL) return TC_ERR_NULL;
    const tc_status status =
        open_pull_run(&run, scene, state, control, next, record, work, work_len);
    if (status < TC_OK) return status;
    if (B == NULL && run.sizes.control > 0u) return TC_ERR_NULL;
    const uint32_t n = run.sizes.freedoms, tangent = run.sizes.tangent,
                   controls = run.sizes.control;
    memset(A, 0, (size_t)tangent * tangent * sizeof *A);
    if (controls > 0u) memset(B, 0, (size_t)tangent * controls * sizeof *B);
    pull_rows(&run, next, record + tci_implicit_planes(scene), A, B);
    for (uint32_t i = 0; i < n; ++i) A[(size_t)(n + i) * tangent + i] = TC_C(1.0);
    for (uint32_t i = 0; i < n; ++i) tci_implicit_lock(&run, A + (size_t)(n + i) * tangent);
    return TC_OK;
}

/* Where calls through a space's table go, for the check of the stack. */
/* tc_calls: open_pull_run lib/barrier/tc_implicit2.c:place_plane */
/* tc_calls: open_pull_run lib/barrier/tc_implicit3.c:place_space */
/* tc_calls: pull_rows lib/barrier/tc_implicit2.c:pull_plane */
/* tc_calls: tc_implicit_columns lib/barrier/tc_implicit2.c:pull_plane */
/* tc_calls: pull_freely lib/barrier/tc_implicit2.c:pull_plane */
/* tc_calls: tc_implicit_pull lib/barrier/tc_implicit2.c:pull_plane */
/* tc_calls: pull_once lib/barrier/tc_implicit2.c:carry_back_plane */
/* tc_calls: pull_once lib/barrier/tc_implicit3.c:carry_back_space */
/* tc_calls: pull_once lib/barrier/tc_implicit2.c:place_plane */
/* tc_calls: pull_once lib/barrier/tc_implicit3.c:place_space */
/* tc_calls: rate_planes lib/barrier/tc_implicit2.c:look_pair2 */
/* tc_calls: rate_planes lib/barrier/tc_implicit3.c:look_pair3 */
/* tc_calls: rate_planes lib/barrier/tc_implicit2.c:derive_plane */
/* tc_calls: rate_planes lib/barrier/tc_implicit3.c:derive_space */
