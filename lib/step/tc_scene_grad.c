/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The derivative of a step: what is checked, where it works, and the order, which is that of
 * tc_scene_step.c. Motions and impacts are those of the step; after each the directions follow.
 */
#include "tc_exact.h"
#include "tc_scene_grad_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

_Static_assert(sizeof(tci_scene_grad_run) + sizeof(void *) <= TC_SCENE_GRAD_RUN * sizeof(tc_real),
               "a derivative's run fits its part of the workspace");

size_t tc_scene_grad_work(const tc_scene *scene, uint32_t count)
{
    tc_scene_sizes s;
    tc_scene_measure(scene, &s);
    return tc_scene_step_work(scene) + TC_SCENE_GRAD_WORK(s.rates, s.contacts, s.rows, count);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static int is_differentiated(const tc_scene *scene, const tc_scene_mover *mover)
{
    if (mover->kind == TC_SCENE_PARTICLE) return 1;
    if (mover->kind != TC_SCENE_BODY) return 0;
    const tc_real *const I = scene->dimension == 3u ? mover->body3->inertia : NULL;
    return I == NULL || (I[0] == I[1] && I[1] == I[2]);
}

static tc_status check_supported(const tc_scene *scene)
{
    if (scene->joints > 0u || scene->limits > 0u || scene->springs > 0u || scene->field != NULL) {
        return TC_ERR_UNSUPPORTED;
    }
    for (uint32_t m = 0; m < scene->movers; ++m) {
        if (!is_differentiated(scene, &scene->mover[m])) return TC_ERR_UNSUPPORTED;
    }
    return TC_OK;
}

static tc_status check_direction(const tc_scene *scene, uint32_t rates,
                                 const tc_scene_grad_direction *along)
{
    const tc_real *const given[8] = {along->q,       along->v,       along->gravity, along->mass,
                                     along->inertia, along->surface, along->mu,      along->e};
    const uint32_t length[8] = {
        rates,           rates, 3, scene->movers, scene->movers, scene->surfaces, scene->materials,
        scene->materials};
    int finite = 1;
    if (along->q == NULL || along->v == NULL) return TC_ERR_NULL;
    for (uint32_t i = 0; i < 8u; ++i) {
        finite = finite && (given[i] == NULL || tc_all_finite(given[i], length[i]));
    }
    return finite ? TC_OK : TC_ERR_NOT_FINITE;
}

static tc_status check_grad(const tc_scene *scene, const tc_scene_step_config *config,
                            const tc_scene_grad *grad)
{
    tc_scene_sizes sizes;
    if (scene == NULL || config == NULL) return TC_ERR_NULL;
    if (grad == NULL || grad->along == NULL) return TC_ERR_NULL;
    if (grad->count - 1u >= TC_SCENE_GRAD_MAX) return TC_ERR_SIZE;
    tc_status status = check_supported(scene);
    tc_scene_measure(scene, &sizes);
    for (uint32_t k = 0; k < grad->count && status >= TC_OK; ++k) {
        status = check_direction(scene, sizes.rates, &grad->along[k]);
    }
    return status;
}

/* The run is the first part of work, at the next place for addresses, as in tc_scene_step.c. */
static tci_scene_grad_run *lay_out_grad(tci_scene_step_run *step, tc_real *work)
{
    const uintptr_t last = sizeof(void *) - 1u;
    tci_scene_grad_run *const run = (void *)(((uintptr_t)work + last) & ~last);
    run->step = step;
    work += TC_SCENE_GRAD_RUN;
    const tc_scene_sizes *const s = &run->step->sizes;
    const size_t n = s->contacts, m = n * s->rows, d = s->rates;
    tc_real **const of_rates[8] = {&run->length, &run->stretch, &run->w0,      &run->target,
                                   &run->w,      &run->dw,      &run->w_least, &run->velocity};
    run->G = work;
    run->aim = run->G + m * d;
    run->x = run->aim + m;
    run->mu = run->x + m;
    run->e = run->mu + n;
    work = run->e + n;
    for (uint32_t i = 0; i < 8u; ++i, work += d) *of_rates[i] = work;
    run->column = work;
    run->step->w_least = run->w_least;
    return run;
}

/* ---- The step -------------------------------------------------------------------------------- */

static void take_columns(tci_scene_grad_run *run)
{
    const size_t bytes = run->step->sizes.rates * sizeof(tc_real);
    for (uint32_t k = 0; k < run->grad->count; ++k) {
        const tci_scene_grad_column column = tci_scene_grad_at(run, k);
        memcpy(column.q, column.along->q, bytes);
        memcpy(column.v, column.along->v, bytes);
        *column.left = TC_C(0.0);
    }
}

static tc_status check_columns(const tci_scene_grad_run *run)
{
    const uint32_t d = run->step->sizes.rates;
    return tc_all_finite(run->column, run->grad->count * (2u * d + 1u)) ? TC_OK : TC_ERR_RANGE;
}

static void give_columns(const tci_scene_grad_run *run)
{
    const size_t bytes = run->step->sizes.rates * sizeof(tc_real);
    for (uint32_t k = 0; k < run->grad->count; ++k) {
        const tci_scene_grad_column column = tci_scene_grad_at(run, k);
        memcpy(column.along->q, column.q, bytes);
        memcpy(column.along->v, column.v, bytes);
    }
}

static tc_status strike_with(tci_scene_grad_run *run, tc_real margin)
{
    const tc_status status = tci_scene_step_impact(run->step, margin);
    return status < TC_OK ? status : tci_scene_step_worse(status, tci_scene_grad_strike(run));
}

/* To the next impact, and through it */
static tc_status meet_with(tci_scene_grad_run *run, tc_real *left)
{
    const tc_real before = *left;
    const int struck = run->step->struck;
    tc_status status = tci_scene_step_meet(run->step, left);
    if (status < TC_OK) return status;
    const int at_once = struck != run->step->struck, all = !(*left > TC_C(0.0));
    status = tci_scene_step_worse(status, at_once ? tci_scene_grad_touch_now(run)
                                                  : tci_scene_grad_move(run, before - *left, all));
    if (all) return status;
    return tci_scene_step_worse(status, strike_with(run, run->step->config->touch));
}

static tc_status advance_with(tci_scene_grad_run *run)
{
    const tc_scene_step_config *const config = run->step->config;
    tc_real left = config->h;
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < config->impacts && left > TC_C(0.0) && status >= TC_OK; ++i) {
        status = tci_scene_step_worse(status, meet_with(run, &left));
    }
    if (left > TC_C(0.0) && status >= TC_OK) {
        if (config->impacts > 0u) status = tci_scene_step_worse(status, TC_NOTE_LIMIT);
        const tc_status moved = tci_scene_step_move(run->step, left, run->step->q, run->step->v);
        status = tci_scene_step_worse(status, moved);
        if (status >= TC_OK)
            status = tci_scene_step_worse(status, tci_scene_grad_move(run, left, 1));
    }
    return status < TC_OK ? status : tci_scene_step_worse(status, strike_with(run, TC_C(0.0)));
}

static tc_status step_with(const tci_scene_step_inputs *given, const tc_scene_grad *grad,
                           tc_real *q, tc_real *v, tc_real *work, size_t work_len)
{
    const size_t of_step = tc_scene_step_work(given->scene);
    tci_scene_step_run *step;
    tc_status status = tc_work_check(work, work_len, tc_scene_grad_work(given->scene, grad->count));
    if (status >= TC_OK) status = tci_scene_step_begin(given, q, v, work, of_step, &step);
    if (status < TC_OK) return status;
    tci_scene_grad_run *const run = lay_out_grad(step, work + of_step);
    run->grad = grad;
    take_columns(run);
    status = advance_with(run);
    if (status >= TC_OK && check_columns(run) < TC_OK) status = TC_ERR_RANGE;
    status = tci_scene_step_end(step, status, q, v);
    if (status >= TC_OK) give_columns(run);
    return status;
}

tc_status tc_scene_grad_step(const tc_scene *scene, const tc_scene_step_config *config, tc_real *q,
                             tc_real *v, const tc_scene_grad *grad, tc_scene_step_info *info,
                             tc_real *work, size_t work_len)
{
    if (info != NULL) memset(info, 0, sizeof *info);
    if (q == NULL || v == NULL || work == NULL) return TC_ERR_NULL;
    const tci_scene_step_inputs inputs = {scene, config, info};
    tc_status status = check_grad(scene, config, grad);
    if (status >= TC_OK) status = step_with(&inputs, grad, q, v, work, work_len);
    if (status < TC_OK && info != NULL) memset(info, 0, sizeof *info);
    return status;
}
