/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Directions through an impact.
 *
 * All movers have a diagonal mass matrix M = L^2, l its square roots. With the rows G = J L^-1 and
 * the velocity w = L v,
 *
 *     dl_c = dM_c / (2 l_c),    dG_rc = (dJ_rc - G_rc dl_c) / l_c,    dw0_c = l_c dv_c + dl_c v_c,
 *     dv'_c = dv_c + (dw_c - dw0_c - dl_c (w_c - w0_c) / l_c) / l_c.                            (1)
 *
 * tc_impact_grad_tangent has dw. The target t = G^T x with (G G^T + delta D) x = aim has
 *
 *     (G G^T + delta D) dx = daim - dG t - G (dG^T x),                                          (2)
 *     dt = dG^T x + G^T dx.
 *
 * delta dD x is left out: it is rounding.
 *
 * Contacts that were stopped have w = w0 + t with aim = -G w0.
 */
#include "tc_exact.h"
#include "tc_scene_grad_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

static tc_real sum_products(const tc_real *a, const tc_real *b, uint32_t n)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) sum = TC_MLA(sum, a[i], b[i]);
    return sum;
}

/* y += a x */
static void add_times(tc_real *y, tc_real a, const tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) y[i] = TC_MLA(y[i], a, x[i]);
}

/* ---- What all directions share --------------------------------------------------------------- */

/* l, the velocity before, and w = w_c + G^T f, or w0 + G^T x */
static void gather_impact(tci_scene_grad_run *run)
{
    const tci_scene_step_run *const step = run->step;
    const uint32_t d = step->sizes.rates, m = step->count * step->sizes.rows;
    for (uint32_t i = 0; i < step->scene->movers; ++i) {
        const tc_scene_span *const span = &step->placed.span[i];
        for (uint32_t k = 0; k < span->rates; ++k) {
            run->length[span->v + k] = step->placed.factor[span->factor + (span->rates + 1u) * k];
        }
    }
    for (uint32_t c = 0; c < d; ++c) run->velocity[c] = step->w0[c] / run->length[c];
    memcpy(run->w, step->stopped ? step->w0 : step->w_c, d * sizeof *run->w);
    for (uint32_t r = 0; r < m; ++r) add_times(run->w, step->f[r], step->G + (size_t)r * d, d);
}

/* dl */
static void stretch_masses(tci_scene_grad_run *run, const tc_scene_grad_direction *along)
{
    const tci_scene_step_run *const step = run->step;
    for (uint32_t i = 0; i < step->scene->movers; ++i) {
        const tc_scene_span *const span = &step->placed.span[i];
        const tc_real dm = along->mass != NULL ? along->mass[i] : TC_C(0.0);
        const tc_real dI = along->inertia != NULL ? along->inertia[i] : TC_C(0.0);
        for (uint32_t k = 0; k < span->rates; ++k) {
            const uint32_t c = span->v + k;
            const tc_real dM = k < step->scene->dimension ? dm : dI;
            run->stretch[c] = TC_C(0.5) * dM / run->length[c];
        }
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Directions of the tangents of tc_scene_tangents, and the tangents */
static void turn_tangents(uint32_t dimension, const tc_real n[3], const tc_real dn[3],
                          tc_real t[2][3], tc_real dt[2][3])
{
    tc_scene_tangents(dimension, n, t);
    if (dimension == 2u) {
        dt[0][0] = dn[1];
        dt[0][1] = -dn[0];
        dt[0][2] = TC_C(0.0);
        return;
    }
    /* t0 = (axis x n) / |axis x n|: its number along the axis is 0 */
    tc_real axis[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, change[3], more[3];
    uint32_t least = 0;
    for (uint32_t k = 1; k < 3u; ++k) {
        if (tc_vec_magnitude(n[k]) < tc_vec_magnitude(n[least])) least = k;
    }
    axis[least] = TC_C(1.0);
    tc_vec_cross(axis, n, change);
    const tc_real inverse = TC_C(1.0) / tc_sqrt(tc_vec_dot3(change, change));
    tc_vec_cross(axis, dn, change);
    const tc_real along = tc_vec_dot3(t[0], change);
    for (uint32_t k = 0; k < 3u; ++k) dt[0][k] = inverse * TC_MLS(change[k], along, t[0][k]);
    tc_vec_cross(dn, t[0], dt[1]);
    tc_vec_cross(n, dt[0], more);
    for (uint32_t k = 0; k < 3u; ++k) dt[1][k] += more[k];
}

static void set_material_change(tci_scene_grad_run *run, const tci_scene_grad_column *column,
                                uint32_t i)
{
    const tc_scene *const scene = run->step->scene;
    const uint32_t material = scene->pair[run->step->contact[i].source].material;
    const tc_real *const dmu = column->along->mu, *const de = column->along->e;
    /* mu of a contact whose tangents move nothing was set to 0 */
    const int taken = run->step->mu[i] == scene->material[material].mu;
    run->mu[i] = dmu != NULL && taken ? dmu[material] : TC_C(0.0);
    run->e[i] = de != NULL ? de[material] : TC_C(0.0);
}

/* dG of contact i, its aim and its material */
static void change_contact(tci_scene_grad_run *run, const tci_scene_grad_column *column, uint32_t i)
{
    const tci_scene_step_run *const step = run->step;
    const tc_scene_contact *const contact = &step->contact[i];
    const uint32_t rows = step->sizes.rows, d = step->sizes.rates;
    tc_real t[2][3], dt[2][3];
    tci_scene_grad_touch touch;
    tci_scene_grad_meet(run, column, contact->source, contact->feature, &touch);
    turn_tangents(step->scene->dimension, touch.normal, touch.dnormal, t, dt);
    for (uint32_t r = 0; r < rows; ++r) {
        const size_t at = (size_t)(rows * i + r) * d;
        for (uint32_t c = 0; c < d; ++c) {
            run->G[at + c] = -step->G[at + c] * run->stretch[c] / run->length[c];
        }
        tci_scene_grad_add_row(run, column, contact->source, &touch,
                               r == 0u ? touch.normal : t[r - 1u],
                               r == 0u ? touch.dnormal : dt[r - 1u], run->G + at);
        run->aim[rows * i + r] = TC_C(0.0);
    }
    if (contact->gap < TC_C(0.0)) {
        run->aim[rows * i] = -step->config->compensation / step->config->h * touch.dgap;
    }
    set_material_change(run, column, i);
}

/* ---- Target ---------------------------------------------------------------------------------- */

/* (2): from run->aim, run->G and the x of the step to the direction dt[d] of t */
static tc_status reach_change(tci_scene_grad_run *run, const tc_real *t, tc_real *dt)
{
    tci_scene_step_run *const step = run->step;
    const uint32_t d = step->sizes.rates, m = step->count * step->sizes.rows;
    (void)tc_vec_zeroed(TC_OK, dt, d);
    for (uint32_t r = 0; r < m; ++r) add_times(dt, step->aim[r], run->G + (size_t)r * d, d);
    for (uint32_t r = 0; r < m; ++r) {
        run->x[r] = run->aim[r] - sum_products(run->G + (size_t)r * d, t, d)
                    - sum_products(step->G + (size_t)r * d, dt, d);
    }
    const tc_status status = tci_scene_step_nearest(step, step->count, run->x);
    for (uint32_t r = 0; r < m && status >= TC_OK; ++r) {
        add_times(dt, run->x[r], step->G + (size_t)r * d, d);
    }
    return status < TC_OK ? TC_ERR_RANGE : TC_OK;
}

/* ---- The impact ------------------------------------------------------------------------------ */

/* w = w0 + t */
static tc_status stop_change(tci_scene_grad_run *run)
{
    tci_scene_step_run *const step = run->step;
    const uint32_t d = step->sizes.rates, m = step->count * step->sizes.rows;
    for (uint32_t r = 0; r < m; ++r) {
        run->aim[r] = -sum_products(run->G + (size_t)r * d, step->w0, d)
                      - sum_products(step->G + (size_t)r * d, run->w0, d);
    }
    for (uint32_t c = 0; c < d; ++c) run->target[c] = run->w[c] - step->w0[c];
    const tc_status status = reach_change(run, run->target, run->dw);
    add_times(run->dw, TC_C(1.0), run->w0, d);
    return status;
}

static tc_status solve_change(tci_scene_grad_run *run)
{
    tci_scene_step_run *const step = run->step;
    const tc_impact problem = {.contact = {.n = step->count,
                                           .rows = step->sizes.rows,
                                           .d = step->sizes.rates,
                                           .G = step->G,
                                           .w0 = step->w0,
                                           .mu = step->mu},
                               .e = step->e,
                               .target = step->aimed ? step->target : NULL,
                               .law = step->config->law};
    const tc_impact_answer answer = {.f_c = step->f_c,
                                     .u_c = step->u_c,
                                     .w_c = step->w_c,
                                     .f = step->f,
                                     .u = step->u,
                                     .w = run->w,
                                     .w_least = run->w_least};
    const tc_impact_grad along = {run->G, run->w0, run->mu, run->e,
                                  step->aimed ? run->target : NULL};
    if (step->aimed) {
        const tc_status status = reach_change(run, step->target, run->target);
        if (status < TC_OK) return status;
    }
    return tc_impact_grad_tangent(&problem, &answer, step->impact, &along, run->dw, step->solve,
                                  step->solve_len);
}

static tc_status strike_column(tci_scene_grad_run *run, const tci_scene_grad_column *column)
{
    const tci_scene_step_run *const step = run->step;
    const uint32_t d = step->sizes.rates;
    stretch_masses(run, column->along);
    for (uint32_t i = 0; i < step->count; ++i) change_contact(run, column, i);
    for (uint32_t c = 0; c < d; ++c) {
        run->w0[c] = run->length[c] * column->v[c] + run->stretch[c] * run->velocity[c];
    }
    const tc_status status = step->stopped ? stop_change(run) : solve_change(run);
    if (status < TC_OK) return status == TC_ERR_NOT_FINITE ? TC_ERR_RANGE : status;
    for (uint32_t c = 0; c < d; ++c) {
        const tc_real kept = run->stretch[c] * (run->w[c] - step->w0[c]) / run->length[c];
        column->v[c] += (run->dw[c] - run->w0[c] - kept) / run->length[c];
    }
    return status;
}

tc_status tci_scene_grad_strike(tci_scene_grad_run *run)
{
    tc_status status = TC_OK;
    if (run->step->count == 0u) return TC_OK;
    gather_impact(run);
    for (uint32_t k = 0; k < run->grad->count && status >= TC_OK; ++k) {
        const tci_scene_grad_column column = tci_scene_grad_at(run, k);
        status = tci_scene_step_worse(status, strike_column(run, &column));
    }
    return status;
}
