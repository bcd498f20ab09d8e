/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 Derivatives of a sustained step: inputs and memory.
 */
#include "tc_exact.h"
#include "tc_scene_grad_sustained_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

/* ---- Memory ---------------------------------------------------------------------------------- */

static tc_real *take_some(tc_real **work, size_t n)
{
    tc_real *const taken = *work;
    *work += n;
    return taken;
}

/* Numbers of one impact that is kept, but for its info and contacts */
static size_t kept_length(const tc_scene_sizes *s)
{
    const size_t n = s->contacts, m = n * s->rows, d = s->rates;
    return m * d + 4u * m + 4u * d + 2u * n + s->coordinates + d;
}

static void lay_out_kept(tci_scene_step_kept *kept, const tc_scene_sizes *s, tc_real **work)
{
    const size_t n = s->contacts, m = n * s->rows, d = s->rates;
    tc_real **const of_rows[4] = {&kept->f_c, &kept->u_c, &kept->f, &kept->u};
    tc_real **const of_rates[5] = {&kept->w0, &kept->w_c, &kept->w, &kept->w_least, &kept->v};
    kept->info = (void *)take_some(work, TC_SCENE_REALS(tc_impact_info));
    kept->contact = (void *)take_some(work, n * TC_SCENE_REALS(tc_scene_contact));
    kept->G = take_some(work, m * d);
    for (uint32_t i = 0; i < 4u; ++i) *of_rows[i] = take_some(work, m);
    for (uint32_t i = 0; i < 5u; ++i) *of_rates[i] = take_some(work, d);
    kept->mu = take_some(work, n);
    kept->e = take_some(work, n);
    kept->q = take_some(work, s->coordinates);
}

size_t tc_scene_grad_sustained_work(const tc_scene *scene, uint32_t count)
{
    tc_scene_sizes s;
    tc_scene_measure(scene, &s);
    const size_t n = s.contacts, m = n * s.rows, d = s.rates;
    const size_t kept =
        kept_length(&s) + TC_SCENE_REALS(tc_impact_info) + n * TC_SCENE_REALS(tc_scene_contact);
    const size_t own =
        TC_SCENE_REALS(tci_scene_grad_sustained) + sizeof(void *) / sizeof(tc_real) + 1u;
    return tc_scene_step_work(scene) + own + 2u * kept + 4u * s.coordinates + 17u * d + m * d
           + 2u * n + count * (2u * d + 1u);
}

/* The run is the first part of work, at the next place for addresses, as in tc_scene_step.c. */
static tci_scene_grad_sustained *lay_out_sustained(tc_real *work, tci_scene_step_run *step,
                                                   uint32_t count)
{
    const uintptr_t last = sizeof(void *) - 1u;
    tci_scene_grad_sustained *const run = (void *)(((uintptr_t)work + last) & ~last);
    const tc_scene_sizes *const s = &step->sizes;
    const size_t d = s->rates, m = s->contacts * s->rows;
    memset(run, 0, sizeof *run);
    run->step = run->own.run = step;
    run->own.kept = run->kept;
    work += TC_SCENE_REALS(tci_scene_grad_sustained) + sizeof(void *) / sizeof(tc_real) + 1u;
    lay_out_kept(&run->kept[0], s, &work);
    lay_out_kept(&run->kept[1], s, &work);
    tc_real **const of_places[4] = {&run->q, &run->q_end, &run->q_probe, &run->q_middle};
    tc_real **const of_rates[17] = {
        &run->v,         &run->v_end,    &run->v_probe,   &run->turn,      &run->spare,
        &run->dw0,       &run->dw,       &run->dy,        &run->dq,        &run->dv,
        &run->by_all.q,  &run->by_all.v, &run->by_span.q, &run->by_span.v, &run->by_time.q,
        &run->by_time.v, &step->w_least};
    for (uint32_t i = 0; i < 4u; ++i) *of_places[i] = take_some(&work, s->coordinates);
    for (uint32_t i = 0; i < 17u; ++i) {
        *of_rates[i] = take_some(&work, d);
        (void)tc_vec_zeroed(TC_OK, *of_rates[i], (uint32_t)d);
    }
    run->dG = take_some(&work, m * d);
    run->dmu = take_some(&work, s->contacts);
    run->de = take_some(&work, s->contacts);
    run->columns = take_some(&work, count * (2u * d + 1u));
    return run;
}

/* ---- Inputs and the step --------------------------------------------------------------------- */

static tc_status check_nearby(const tc_scene *scene, const tc_scene_sizes *sizes,
                              const tc_scene *other)
{
    tc_scene_sizes own;
    if (other == NULL) return TC_ERR_NULL;
    int same = scene->dimension == other->dimension && scene->movers == other->movers
               && scene->surfaces == other->surfaces && scene->materials == other->materials
               && scene->pairs == other->pairs;
    for (uint32_t m = 0; same && m < scene->movers; ++m) {
        same = scene->mover[m].kind == other->mover[m].kind;
    }
    if (!same) return TC_ERR_SIZE;
    tc_scene_measure(other, &own);
    return memcmp(&own, sizes, sizeof own) == 0 ? TC_OK : TC_ERR_SIZE;
}

static tc_status check_along(const tc_scene *scene, const tc_scene_sizes *sizes,
                             const tc_scene_grad_sustained_direction *along)
{
    if (along->q == NULL || along->v == NULL) return TC_ERR_NULL;
    if (!tc_all_finite(along->q, sizes->rates) || !tc_all_finite(along->v, sizes->rates)) {
        return TC_ERR_NOT_FINITE;
    }
    if (along->more == NULL && along->less == NULL) return TC_OK;
    if (!tc_all_finite(&along->step, 1)) return TC_ERR_NOT_FINITE;
    if (!(along->step > TC_C(0.0))) return TC_ERR_RANGE;
    const tc_status status = check_nearby(scene, sizes, along->more);
    return status < TC_OK ? status : check_nearby(scene, sizes, along->less);
}

/* Whether this file's formulas are those of the step */
static int has_derivatives(const tc_scene *scene, const tc_scene_step_config *config)
{
    return config->method == &tc_scene_step_sustained && config->bounce != TC_SCENE_STEP_NEWTON
           && scene->limits == 0u && !tci_scene_step_is_tied(scene);
}

static tc_status check_directions(const tc_scene *scene, const tc_scene_step_config *config,
                                  const tc_scene_grad_sustained_direction *along, uint32_t count)
{
    tc_scene_sizes sizes;
    tc_status status = TC_OK;
    if (scene == NULL || config == NULL || along == NULL) return TC_ERR_NULL;
    if (count - 1u >= TC_SCENE_GRAD_SUSTAINED_MAX) return TC_ERR_SIZE;
    if (!has_derivatives(scene, config)) return TC_ERR_UNSUPPORTED;
    tc_scene_measure(scene, &sizes);
    for (uint32_t k = 0; k < count && status >= TC_OK; ++k) {
        status = check_along(scene, &sizes, &along[k]);
    }
    return status;
}

/* From the directions to the columns, or back */
static void copy_columns(const tci_scene_grad_sustained *run, int back)
{
    const uint32_t d = run->step->sizes.rates;
    for (uint32_t k = 0; k < run->count; ++k) {
        tc_real *const column = run->columns + (size_t)(2u * d + 1u) * k;
        const tc_scene_grad_sustained_direction *const along = &run->along[k];
        memcpy(back ? along->q : column, back ? column : along->q, d * sizeof *column);
        memcpy(back ? along->v : column + d, back ? column + d : along->v, d * sizeof *column);
        if (!back) column[2u * d] = TC_C(0.0);
    }
}

static tc_status move_directions(const tci_scene_step_inputs *inputs, tc_real *q, tc_real *v,
                                 const tc_scene_grad_sustained_direction *along, uint32_t count,
                                 tc_real *work)
{
    const size_t of_step = tc_scene_step_work(inputs->scene);
    tci_scene_step_run *step;
    tc_status status = tci_scene_step_begin(inputs, q, v, work, of_step, &step);
    if (status < TC_OK) return status;
    tci_scene_grad_sustained *const run = lay_out_sustained(work + of_step, step, count);
    run->along = along;
    run->count = count;
    copy_columns(run, 0);
    status = tci_scene_grad_sustained_advance(run);
    const uint32_t d = step->sizes.rates;
    if (status >= TC_OK && !tc_all_finite(run->columns, count * (2u * d + 1u))) {
        status = TC_ERR_RANGE;
    }
    status = tci_scene_step_end(step, status, q, v);
    if (status >= TC_OK) copy_columns(run, 1);
    return status;
}

tc_status tc_scene_grad_sustained_step(const tc_scene *scene, const tc_scene_step_config *config,
                                       tc_real *q, tc_real *v,
                                       const tc_scene_grad_sustained_direction *along,
                                       uint32_t count, tc_scene_step_info *info, tc_real *work,
                                       size_t work_len)
{
    if (info != NULL) memset(info, 0, sizeof *info);
    if (q == NULL || v == NULL || work == NULL) return TC_ERR_NULL;
    tc_status status = check_directions(scene, config, along, count);
    if (status < TC_OK) return status;
    status = tc_work_check(work, work_len, tc_scene_grad_sustained_work(scene, count));
    if (status < TC_OK) return status;
    const tci_scene_step_inputs inputs = {scene, config, info};
    status = move_directions(&inputs, q, v, along, count, work);
    if (status < TC_OK && info != NULL) memset(info, 0, sizeof *info);
    return status;
}
