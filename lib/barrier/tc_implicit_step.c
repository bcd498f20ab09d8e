/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Newton's method with a line search. Where the hessian is not positive definite, its diagonal
 * grows until it is. The last iterate's factor is what derivatives need, so an iterate is judged by
 * the length of the step that its own factor gives, and that step is not taken.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

#include "tc_work.h"

#include <string.h>

static const tc_real shorter = TC_C(0.6);        /* of a refused share */
static const tc_real enough = TC_C(1e-4);        /* share of the slope that a trial has to gain */
static const tc_real more_than_half = TC_C(0.6); /* of the slope: what a parabola does not gain */
static const tc_real turn_at_once = TC_C(1.0);   /* [rad] largest turn of a trial */

/* Locked freedoms: no force, no coupling */
static void lock_freedoms(tci_implicit_run *run)
{
    const uint32_t n = run->sizes.freedoms;
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        const tc_implicit_body *const body = &run->scene->body[b];
        if (body->locked == 0u) continue;
        for (uint32_t i = 0; i < run->space->freedoms[body->joint]; ++i) {
            const uint32_t f = tci_implicit_first(run, b, 1) + i;
            if (!(body->locked >> i & 1u)) continue;
            for (uint32_t j = 0; j < n; ++j) *tci_implicit_cell(run->hessian, f, j) = TC_C(0.0);
            run->hessian[TCI_IMPLICIT_PACKED(f) + f] = TC_C(1.0);
            run->gradient[f] = TC_C(0.0);
        }
    }
}

/* Factorises the hessian. Returns whether it is positive definite. If not, inertia is added until
 * it is: what makes it indefinite are contacts that turn with their bodies, and a multiple of the
 * largest diagonal, which is a contact's, would stop all motion. */
static int factor_hessian(tci_implicit_run *run)
{
    const uint32_t n = run->sizes.freedoms;
    tc_real *const inertia = run->direction;
    tc_real before = TC_C(0.0), share = TC_C(0.25);
    if (tci_implicit_factor(run->hessian, n, run->factor, run->columns)) return 1;
    tci_implicit_weigh(run, inertia);
    for (uint32_t round = 0; round < 24u; ++round) {
        for (uint32_t i = 0; i < n; ++i) {
            tc_real *const cell = run->hessian + TCI_IMPLICIT_PACKED(i) + i;
            *cell = TC_MLA(*cell, share - before, inertia[i]);
        }
        if (tci_implicit_factor(run->hessian, n, run->factor, run->columns)) return 0;
        before = share;
        share *= TC_C(4.0);
    }
    return 0;
}

/* The step -H^-1 gradient; returns its largest number */
static tc_real solve_direction(tci_implicit_run *run)
{
    const uint32_t n = run->sizes.freedoms;
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) run->direction[i] = -run->gradient[i];
    tci_implicit_solve(run->factor, n, run->direction);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real size = tc_vec_magnitude(run->direction[i]);
        if (!(size <= most)) most = size;
    }
    return most;
}

static tc_real slope_of(const tci_implicit_run *run)
{
    return tci_implicit_dot(TC_C(0.0), run->gradient, run->direction, run->sizes.freedoms);
}

/* Where the last step's motion leads again is a better start than rest, if nothing is crossed on
 * the way: what slides under dry friction goes on sliding. Planes are kept. */
static void start_in_motion(tci_implicit_run *run, uint32_t *trials)
{
    const uint32_t planes = tci_implicit_planes(run->scene), n = run->sizes.freedoms;
    tc_real most = TC_C(0.0);
    tci_implicit_part(run->scene, run->state, run->state + run->sizes.coordinates, run->direction);
    tci_implicit_lock(run, run->direction);
    for (uint32_t i = 0; i < n; ++i) most = tc_vec_max(most, tc_vec_magnitude(run->direction[i]));
    if (!(most > run->scene->tolerance)) return;
    memset(run->rate, 0, (size_t)planes * 2u * run->space->chart * sizeof *run->rate);
    tci_implicit_push(run, run->at, run->axes, run->direction, run->move);
    tci_implicit_bound(run);
    if (run->turn > turn_at_once) return;
    for (tc_real share = TC_C(1.0); share > TC_C(0.2); share *= shorter) {
        ++*trials;
        if (!tci_implicit_try(run, share) || !(run->value_trial < run->value)) continue;
        tci_implicit_accept(run);
        return;
    }
}

/* A barrier that pushes off gains more than the half of the slope that a parabola would: its Newton
 * steps are short, from a gap x to 1.5 x at most. The same again. */
static void go_farther(tci_implicit_run *run, tc_real gained, uint32_t *trials)
{
    ++*trials;
    if (!tci_implicit_try(run, TC_C(1.0))) return;
    if (run->value - run->value_trial > TC_C(0.25) * gained) tci_implicit_accept(run);
}

/* Walks along the direction as far as it pays; returns whether it moved. */
static int walk_line(tci_implicit_run *run, tc_real slope, uint32_t *trials)
{
    const tc_real noise = TC_C(8.0) * TC_EPSILON * tc_vec_magnitude(run->value);
    tci_implicit_push(run, run->at, run->axes, run->direction, run->move);
    tci_implicit_bound(run);
    tc_real share = run->turn > turn_at_once ? turn_at_once / run->turn : TC_C(1.0);
    for (uint32_t t = 0; t < run->scene->trials; ++t, share *= shorter) {
        ++*trials;
        if (!tci_implicit_try(run, share)) continue;
        if (run->value_trial <= run->value + enough * share * slope + noise) {
            const tc_real gained = run->value - run->value_trial;
            tci_implicit_accept(run);
            if (share == TC_C(1.0) && gained > -more_than_half * slope)
                go_farther(run, gained, trials);
            return 1;
        }
    }
    return 0;
}

/* Coordinates' resolution */
static tc_real coordinate_resolution(const tci_implicit_run *run)
{
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < run->sizes.coordinates; ++i) {
        most = tc_vec_max(most, tc_vec_magnitude(run->q[i]));
    }
    return TC_C(4.0) * TC_EPSILON * most;
}

/* Derivatives overflow, at a gap near rounding. What was reached is apart; the record has inertia
 * alone. */
static tc_status give_up(tci_implicit_run *run, uint32_t steps)
{
    const uint32_t n = run->sizes.freedoms;
    if (steps == 0u) return TC_ERR_NOT_FINITE;
    tci_implicit_weigh(run, run->direction);
    for (uint32_t i = 0; i < TCI_IMPLICIT_PACKED(n); ++i) run->factor[i] = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) {
        run->factor[TCI_IMPLICIT_PACKED(i) + i] = TC_C(1.0) / tc_sqrt(run->direction[i]);
    }
    return TC_NOTE_LIMIT;
}

/* The step is short enough, or it is near the resolution and no longer falls: rounding makes it. A
 * joint's angle may be small where its bodies are not, so that a metre is added. */
static int has_settled(const tci_implicit_run *run, tc_real size, tc_real before)
{
    const tc_real tolerance = run->scene->tolerance;
    if (size <= tolerance) return 1;
    const tc_real finest = coordinate_resolution(run);
    if (size <= finest) return 1;
    if (size > TC_C(10.0) * tolerance) return 0;
    return size <= TC_C(16.0) * (finest + TC_C(4.0) * TC_EPSILON) && size > TC_C(0.5) * before;
}

/* Planes that are near the best ones only become the best; the iterate has to be judged again. */
static int refine_planes(tci_implicit_run *run)
{
    return run->rough && tci_implicit_refine(run) >= TC_OK;
}

/* No trial is better: at the resolution of value or coordinates it is the minimum. */
static tc_status judge_end(const tci_implicit_run *run, int plain, tc_real size)
{
    const tc_real noise = TC_C(64.0) * TC_EPSILON * tc_vec_magnitude(run->value);
    const int still = -slope_of(run) <= noise || size <= TC_C(10.0) * run->scene->tolerance;
    return plain && still ? run->note : TC_NOTE_LIMIT;
}

static tc_status minimise_value(tci_implicit_run *run, tc_implicit_info *info)
{
    tc_real before = TC_C(1e30);
    for (uint32_t k = 0; k <= run->scene->iterations; ++k) {
        tci_implicit_derive(run);
        lock_freedoms(run);
        const int plain = factor_hessian(run);
        const tc_real size = solve_direction(run);
        info->residual = size;
        info->newton = k;
        if (!(size < TC_C(1e30))) return give_up(run, k);
        const int settled = plain && has_settled(run, size, before);
        before = size;
        if (!settled) {
            if (k == run->scene->iterations) break;
            if (walk_line(run, slope_of(run), &info->trials)) continue;
        }
        if (!refine_planes(run)) return settled ? run->note : judge_end(run, plain, size);
    }
    return TC_NOTE_LIMIT;
}

/* Whether all numbers are finite and quaternions of unit length. */
static tc_status check_coordinates(const tc_implicit_scene *scene, const tc_real *q)
{
    tc_real zero = TC_C(0.0);
    int units = 1;
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        const tc_implicit_joint joint = scene->body[b].joint;
        const uint32_t scalars = scene->space->scalars[joint];
        const uint32_t count = scene->space->coordinates[joint];
        for (uint32_t i = 0; i < count; ++i) zero += TC_C(0.0) * q[i];
        if (count > scalars) units &= tc_vec_is_unit(q + scalars, 4u);
        q += count;
    }
    if (!(zero == TC_C(0.0))) return TC_ERR_NOT_FINITE;
    return units ? TC_OK : TC_ERR_UNIT;
}

static tc_status check_given(const tci_implicit_run *run)
{
    tc_real zero = TC_C(0.0);
    tc_status status = check_coordinates(run->scene, run->state);
    if (status >= TC_OK) {
        status = check_coordinates(run->scene, run->state + run->sizes.coordinates);
    }
    for (uint32_t i = 0; i < run->sizes.control; ++i) zero += TC_C(0.0) * run->control[i];
    return status >= TC_OK && !(zero == TC_C(0.0)) ? TC_ERR_NOT_FINITE : status;
}

static void write_record(const tci_implicit_run *run, tc_real *record)
{
    const uint32_t planes = tci_implicit_planes(run->scene);
    const size_t packed = TCI_IMPLICIT_PACKED((size_t)run->sizes.freedoms);
    memcpy(record, run->plane, planes * sizeof *record);
    for (uint32_t p = 0; p < run->scene->pairs; ++p) {
        if (tci_implicit_are_balls(run, p)) {
            tci_implicit_part_balls(run, p, record + p * run->space->plane);
        }
    }
    memcpy(record + planes, run->factor, packed * sizeof *record);
    if (tci_implicit_rubs(run->scene)) {
        memcpy(record + planes + packed, run->plane_now, planes * sizeof *record);
    }
}

/* All arguments are there. */
static tc_status step_opened(tci_implicit_run *run, const tc_real *warm, tc_real *next,
                             tc_real *record, tc_implicit_info *info)
{
    const size_t bytes = run->sizes.coordinates * sizeof *next;
    tc_status status = check_given(run);
    if (status >= TC_OK) status = tci_implicit_begin(run, warm);
    if (status >= TC_OK) {
        start_in_motion(run, &info->trials);
        status = minimise_value(run, info);
    }
    info->pair = run->culprit;
    info->value = run->value;
    info->gap = run->gap;
    if (status < TC_OK) return status;
    write_record(run, record);
    memmove(next + run->sizes.coordinates, run->state, bytes);
    memcpy(next, run->q, bytes);
    return status;
}

tc_status tc_implicit_step(const tc_implicit_scene *scene, const tc_real *state,
                           const tc_real *control, const tc_real *warm, tc_real *next,
                           tc_real *record, tc_real *work, size_t work_len, tc_implicit_info *info)
{
    tci_implicit_run run;
    tc_implicit_info mine;
    tc_implicit_info *const report = info == NULL ? &mine : info;
    memset(report, 0, sizeof *report);
    if (scene == NULL || state == NULL || next == NULL || record == NULL || work == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = tc_work_check(work, work_len, tci_implicit_lay(&run, scene, work));
    if (status < TC_OK) return status;
    if (control == NULL && run.sizes.control > 0u) return TC_ERR_NULL;
    run.state = state;
    run.control = control;
    return step_opened(&run, warm, next, record, report);
}
