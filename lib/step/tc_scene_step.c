/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A step of a scene: what is checked, where it works, and in which order.
 */
#include "tc_exact.h"
#include "tc_scene_step_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

_Static_assert(TC_SCENE_CONTACTS_MAX <= TC_CONE_MAX && TC_SCENE_CONTACTS3_MAX <= TC_CONE3_MAX,
               "a scene's contacts fit a cone problem");
_Static_assert(TC_SCENE_JOINT_ROWS_MAX <= TC_JOINT_ROWS_MAX
                   && TC_SCENE_RATES_MAX <= TC_JOINT_RATES_MAX,
               "a scene's joints fit a factored set of rows");

_Static_assert(sizeof(tci_scene_step_run) + sizeof(void *) <= TC_SCENE_STEP_RUN * sizeof(tc_real),
               "a step's run fits its part of the workspace");

tc_scene_step_config tc_scene_step_default(void)
{
    return (tc_scene_step_config){.h = TC_C(0.01),
                                  .law = TC_IMPACT_CONVEX,
                                  .compensation = TC_C(0.125),
                                  .impacts = 20,
                                  .touch = TC_C(1e-5)};
}

/* tc_scene_work of a scene of these sizes */
static size_t work_of_scene(const tc_scene *scene, const tc_scene_sizes *s)
{
    return TC_SCENE_WORK(scene->movers, s->links, s->rates, s->widest, s->chains);
}

static size_t work_of_step(const tc_scene *scene, const tc_scene_sizes *s)
{
    return TC_SCENE_STEP_WORK(work_of_scene(scene, s), s->coordinates, s->rates, s->joint_rows,
                              scene->pairs + scene->limits, s->contacts, s->rows);
}

size_t tc_scene_step_work(const tc_scene *scene)
{
    tc_scene_sizes s;
    tc_scene_measure(scene, &s);
    return work_of_step(scene, &s);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* 0 < x <= 1, or 0 too */
static int is_share(tc_real x, int zero)
{
    return x <= TC_C(1.0) && (x > TC_C(0.0) || (zero && x == TC_C(0.0)));
}

/* Laws of friction and restitution that there are, Newton's in methods alone */
static int has_laws(const tc_scene_step_config *config)
{
    const int friction = config->law == TC_IMPACT_CONVEX || config->law == TC_IMPACT_COULOMB;
    const int newton = config->bounce == TC_SCENE_STEP_NEWTON && config->method != NULL;
    return friction && (newton || config->bounce == TC_SCENE_STEP_POISSON);
}

static tc_status check_step_config(const tc_scene_step_config *config)
{
    const tc_real numbers[4] = {config->h, config->compensation, config->touch, config->rest};
    if (!tc_all_finite(numbers, 4)) return TC_ERR_NOT_FINITE;
    if (config->impacts > TC_SCENE_STEP_IMPACTS_MAX) return TC_ERR_SIZE;
    if (!has_laws(config)) return TC_ERR_UNSUPPORTED;
    const int within = is_share(config->h, 0) && is_share(config->compensation, 1)
                       && is_share(config->touch, 0) && config->rest >= TC_C(0.0);
    return within ? TC_OK : TC_ERR_RANGE;
}

static tc_real *take_numbers(tc_real **work, size_t n)
{
    tc_real *const taken = *work;
    *work += n;
    return taken;
}

static tc_real *lay_out_motion(tci_scene_step_run *run, tc_real *work)
{
    const size_t nq = run->sizes.coordinates, nv = run->sizes.rates, k = run->sizes.joint_rows;
    tc_real **const coordinates[5] = {&run->q, &run->q_try, &run->q_start, &run->q_stage,
                                      &run->q_rate};
    tc_real **const rates[5] = {&run->v, &run->v_try, &run->v_start, &run->v_stage, &run->v_rate};
    for (uint32_t i = 0; i < 5u; ++i) {
        *coordinates[i] = take_numbers(&work, nq);
        *rates[i] = take_numbers(&work, nv);
    }
    run->E = take_numbers(&work, k * nv);
    run->scale = take_numbers(&work, 2u * k);
    run->c = take_numbers(&work, k);
    run->b = take_numbers(&work, k);
    run->apart = take_numbers(&work, run->scene->pairs + run->scene->limits);
    run->gap = take_numbers(&work, run->scene->pairs + run->scene->limits);
    return work;
}

static void lay_out_impact(tci_scene_step_run *run, tc_real *work, const tc_real *end)
{
    const size_t n = run->sizes.contacts, m = n * run->sizes.rows, d = run->sizes.rates;
    run->impact = (void *)take_numbers(&work, TC_SCENE_REALS(tc_impact_info));
    run->contact = (void *)take_numbers(&work, n * TC_SCENE_REALS(tc_scene_contact));
    run->G = take_numbers(&work, m * d);
    run->f_c = take_numbers(&work, m);
    run->u_c = take_numbers(&work, m);
    run->f = take_numbers(&work, m);
    run->u = take_numbers(&work, m);
    run->aim = take_numbers(&work, m);
    run->w0 = take_numbers(&work, d);
    run->target = take_numbers(&work, d);
    run->w_c = take_numbers(&work, d);
    run->w = take_numbers(&work, d);
    run->mu = take_numbers(&work, n);
    run->e = take_numbers(&work, n);
    run->solve = work;
    run->solve_len = (size_t)(end - work);
}

/* The run itself is the first part of work, at the next place for addresses: 300 bytes less of
 * stack */
static tci_scene_step_run *place_run(tc_real *work)
{
    const uintptr_t last = sizeof(void *) - 1u;
    return (void *)(((uintptr_t)work + last) & ~last);
}

static tc_status open_run(tci_scene_step_run *run, tc_real *work, const tc_real *end)
{
    const size_t of_scene = work_of_scene(run->scene, &run->sizes);
    if (run->config->law == TC_IMPACT_COULOMB && run->sizes.rates >= TC_CONE_FREEDOM_MAX) {
        return TC_ERR_SIZE;
    }
    lay_out_impact(run, lay_out_motion(run, work + of_scene), end);
    return tc_scene_open(run->scene, &run->placed, work, of_scene);
}

/* A method's own stack is not counted here: its header has it. */
/* tc_calls: check_method tci_scene_step_worse */
/* tc_calls: tci_scene_step_begin tci_scene_step_worse */
/* Whether the step's method moves this scene */
static tc_status check_method(const tci_scene_step_run *run)
{
    const struct tc_scene_step_method *const method = run->config->method;
    if (method != NULL) return method->check(run);
    for (uint32_t m = 0; m < run->scene->movers; ++m) {
        if (run->scene->mover[m].wrench_ref != NULL) return TC_ERR_UNSUPPORTED;
    }
    return TC_OK;
}

/* ---- The step -------------------------------------------------------------------------------- */

tc_status tci_scene_step_worse(tc_status a, tc_status b)
{
    if (a < TC_OK || b < TC_OK) return a < TC_OK ? a : b;
    return a > b ? a : b;
}

static tc_status advance_scene(tci_scene_step_run *run)
{
    tc_real left = run->config->h;
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < run->config->impacts && left > TC_C(0.0) && status >= TC_OK; ++i) {
        status = tci_scene_step_worse(status, tci_scene_step_meet(run, &left));
        if (status >= TC_OK && left > TC_C(0.0)) {
            status = tci_scene_step_worse(status, tci_scene_step_impact(run, run->config->touch));
        }
    }
    if (left > TC_C(0.0) && status >= TC_OK) {
        if (run->config->impacts > 0u) status = tci_scene_step_worse(status, TC_NOTE_LIMIT);
        status = tci_scene_step_worse(status, tci_scene_step_move(run, left, run->q, run->v));
    }
    return status < TC_OK ? status
                          : tci_scene_step_worse(status, tci_scene_step_impact(run, TC_C(0.0)));
}

/* tc_calls: advance_by_method tci_scene_step_worse */
/* tc_calls: tc_scene_step tci_scene_step_worse */
static tc_status advance_by_method(tci_scene_step_run *run)
{
    const struct tc_scene_step_method *const method = run->config->method;
    return method != NULL ? method->advance(run) : advance_scene(run);
}

static tc_status check_state(const tci_scene_step_run *run, const tc_real *q, const tc_real *v)
{
    const uint32_t nq = run->sizes.coordinates, nv = run->sizes.rates;
    return tc_all_finite(q, nq) && tc_all_finite(v, nv) ? TC_OK : TC_ERR_NOT_FINITE;
}

static tc_status check_units(const tci_scene_step_run *run, const tc_real *q)
{
    for (uint32_t m = 0; m < run->scene->movers; ++m) {
        const tc_scene_span *const span = &run->placed.span[m];
        if (span->coordinates != span->rates && !tc_vec_is_unit(q + span->q + 3u, 4)) {
            return TC_ERR_UNIT;
        }
    }
    return TC_OK;
}

tc_status tci_scene_step_begin(const tci_scene_step_inputs *given, const tc_real *q,
                               const tc_real *v, tc_real *work, size_t work_len,
                               tci_scene_step_run **begun)
{
    tc_scene_sizes sizes;
    tc_scene_measure(given->scene, &sizes);
    const size_t needed = work_of_step(given->scene, &sizes);
    tc_status status = check_step_config(given->config);
    if (status >= TC_OK) status = tc_work_check(work, work_len, needed);
    if (status < TC_OK) return status;
    tci_scene_step_run *const run = *begun = place_run(work);
    memset(run, 0, sizeof *run);
    run->scene = given->scene;
    run->sizes = sizes;
    run->config = given->config;
    run->info = given->info;
    status = open_run(run, work + TC_SCENE_STEP_RUN, work + needed);
    if (status >= TC_OK) status = check_state(run, q, v);
    if (status >= TC_OK) status = check_units(run, q);
    if (status >= TC_OK) status = check_method(run);
    if (status < TC_OK) return status;
    memcpy(run->q, q, run->sizes.coordinates * sizeof *q);
    memcpy(run->v, v, run->sizes.rates * sizeof *v);
    return TC_OK;
}

tc_status tci_scene_step_end(const tci_scene_step_run *run, tc_status status, tc_real *q,
                             tc_real *v)
{
    if (status < TC_OK) return status;
    if (check_state(run, run->q, run->v) < TC_OK) return TC_ERR_RANGE;
    memcpy(q, run->q, run->sizes.coordinates * sizeof *q);
    memcpy(v, run->v, run->sizes.rates * sizeof *v);
    const int dropped = run->info != NULL && run->info->dropped > 0u;
    return dropped ? tci_scene_step_worse(status, TC_NOTE_LIMIT) : status;
}

tc_status tc_scene_step(const tc_scene *scene, const tc_scene_step_config *config, tc_real *q,
                        tc_real *v, tc_scene_step_info *info, tc_real *work, size_t work_len)
{
    if (info != NULL) memset(info, 0, sizeof *info);
    if (scene == NULL || config == NULL || q == NULL || v == NULL || work == NULL) {
        return TC_ERR_NULL;
    }
    const tci_scene_step_inputs inputs = {scene, config, info};
    tci_scene_step_run *run;
    tc_status status = tci_scene_step_begin(&inputs, q, v, work, work_len, &run);
    if (status >= TC_OK) status = tci_scene_step_end(run, advance_by_method(run), q, v);
    if (status < TC_OK && info != NULL) memset(info, 0, sizeof *info);
    return status;
}
