/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A scene's motion without contacts.
 *
 * Where nothing ties movers together, each moves alone: in closed form, or by the fourth-order
 * Runge-Kutta formula. With joints, springs or a field all move together by that formula. Accelerations in
 * whitened coordinates are
 *
 *     a = (I - P) L^-1 force - E^+ b
 *
 * with the joints' rows E and their accelerations b at constant rates (tc_joint.h). After the step
 * one shift -E^+ c takes the joints' errors c out of the coordinates, and I - P takes them out of
 * the rates.
 */
#include "tc_exact.h"
#include "tc_scene_step_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

/* Movers first..end-1 move together. */
typedef struct movers_range {
    uint32_t first, end;
    int tied;
} movers_range;

/* x += h y, n numbers */
static void add_multiple(tc_real *x, tc_real h, const tc_real *y, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) x[i] = TC_MLA(x[i], h, y[i]);
}

static void make_units(const tc_scene_placed *placed, const movers_range *range, tc_real *q)
{
    for (uint32_t m = range->first; m < range->end; ++m) {
        const tc_scene_span *const span = &placed->span[m];
        if (span->coordinates == span->rates) continue;
        tc_real *const p = q + span->q + 3u;
        const tc_real turned[4] = {p[0], p[1], p[2], p[3]};
        tc_vec_quaternion_set(turned, p);
    }
}

tc_status tci_scene_step_tie(tci_scene_step_run *run)
{
    const uint32_t k = run->sizes.joint_rows;
    tc_scene_joint_rows(&run->placed, run->E, run->c, run->b);
    const tc_status status = tc_joint_factor(&run->joint, run->E, k, run->sizes.rates, run->scale);
    return status == TC_ERR_NOT_FINITE ? TC_ERR_RANGE : status;
}

/* run->v_rate: from forces, whitened, to accelerations */
static tc_status accelerate_tied(tci_scene_step_run *run)
{
    const tc_status status = tci_scene_step_tie(run);
    if (status < TC_OK) return status;
    tc_joint_project(&run->joint, run->v_rate);
    tc_joint_solve(&run->joint, run->b, run->w0);
    add_multiple(run->v_rate, TC_C(-1.0), run->w0, run->sizes.rates);
    return TC_OK;
}

static tc_status place_range(tci_scene_step_run *run, const movers_range *range, const tc_real *q,
                             const tc_real *v)
{
    for (uint32_t m = range->first; m < range->end; ++m) {
        const tc_status status = tc_scene_place_one(&run->placed, m, q, v, 1);
        if (status < TC_OK) return status;
    }
    return range->tied ? tc_scene_add_springs(&run->placed) : TC_OK;
}

/* tc_calls: derive_range lib/shape/tc_scene_movers.c:derive_particle2 */
/* tc_calls: derive_range lib/shape/tc_scene_movers.c:derive_particle3 tc_scene_derive_body3 */
/* tc_calls: derive_range lib/shape/tc_scene_chains.c:derive_chain2 */
/* tc_calls: derive_range lib/shape/tc_scene_chains.c:derive_chain3 */
/* tc_calls: evaluate_range lib/shape/tc_scene_movers.c:derive_particle2 */
/* tc_calls: evaluate_range lib/shape/tc_scene_movers.c:derive_particle3 tc_scene_derive_body3 */
/* tc_calls: evaluate_range lib/shape/tc_scene_chains.c:derive_chain2 */
/* tc_calls: evaluate_range lib/shape/tc_scene_chains.c:derive_chain3 */
/* tc_calls: move_together lib/shape/tc_scene_movers.c:derive_particle2 */
/* tc_calls: move_together lib/shape/tc_scene_movers.c:derive_particle3 tc_scene_derive_body3 */
/* tc_calls: move_together lib/shape/tc_scene_chains.c:derive_chain2 */
/* tc_calls: move_together lib/shape/tc_scene_chains.c:derive_chain3 */
static void derive_range(tci_scene_step_run *run, const movers_range *range)
{
    for (uint32_t m = range->first; m < range->end; ++m) {
        const tc_scene_span *const span = &run->placed.span[m];
        tc_scene_type_of(run->scene, m)
            ->derive(&run->scene->mover[m], run->q_stage + span->q, run->v_stage + span->v,
                     run->q_rate + span->q);
    }
}

/* Adds wrenches on bodies in space, and the force of the step's method, to the forces. */
static void add_pushes(const tci_scene_step_run *run)
{
    const tc_scene *const scene = run->scene;
    for (uint32_t m = 0; m < scene->movers; ++m) {
        const tc_scene_wrench *const wrench = scene->mover[m].wrench_ref;
        if (wrench == NULL) continue;
        tc_real *const force = run->placed.force + run->placed.span[m].v;
        add_multiple(force, TC_C(1.0), wrench->force, 3);
        add_multiple(force + 3, TC_C(1.0), wrench->torque, 3);
    }
    if (run->push != NULL) add_multiple(run->placed.force, TC_C(1.0), run->push, run->sizes.rates);
}

/* Derivatives at the stage */
static tc_status evaluate_range(tci_scene_step_run *run, const movers_range *range)
{
    make_units(&run->placed, range, run->q_stage);
    tc_status status = place_range(run, range, run->q_stage, run->v_stage);
    if (status < TC_OK) return status;
    if (range->tied) add_pushes(run);
    for (uint32_t m = range->first; m < range->end; ++m) {
        const tc_scene_span *const span = &run->placed.span[m];
        memcpy(run->v_rate + span->v, run->placed.force + span->v, span->rates * sizeof(tc_real));
        tc_scene_solve_lower(&run->placed, m, run->v_rate + span->v);
    }
    if (run->sizes.joint_rows > 0u) status = accelerate_tied(run);
    for (uint32_t m = range->first; m < range->end; ++m) {
        tc_scene_solve_upper(&run->placed, m, run->v_rate + run->placed.span[m].v);
    }
    derive_range(run, range);
    return status;
}

/* q, v are the arrays of the whole scene. */
static tc_status move_together(tci_scene_step_run *run, const movers_range *range, tc_real h,
                               tc_real *q, tc_real *v)
{
    static const tc_real ahead[4] = {TC_C(0.0), TC_C(0.5), TC_C(0.5), TC_C(1.0)};
    static const tc_real weight[4] = {TC_C(1.0), TC_C(2.0), TC_C(2.0), TC_C(1.0)};
    const tc_scene_span *const from = &run->placed.span[range->first];
    const tc_scene_span *const to = &run->placed.span[range->end - 1u];
    const uint32_t at = from->q, n = to->q + to->coordinates - at;
    const uint32_t rate = from->v, d = to->v + to->rates - rate;
    tc_real sixth = h * TC_C(0.16666666666666667);
    memcpy(run->q_start + at, q + at, n * sizeof *q);
    memcpy(run->v_start + rate, v + rate, d * sizeof *v);
    for (uint32_t s = 0; s < 4u; ++s) {
        memcpy(run->q_stage + at, run->q_start + at, n * sizeof *q);
        memcpy(run->v_stage + rate, run->v_start + rate, d * sizeof *v);
        if (s > 0u) {
            add_multiple(run->q_stage + at, ahead[s] * h, run->q_rate + at, n);
            add_multiple(run->v_stage + rate, ahead[s] * h, run->v_rate + rate, d);
        }
        const tc_status status = evaluate_range(run, range);
        if (status < TC_OK) return status;
        add_multiple(q + at, weight[s] * sixth, run->q_rate + at, n);
        add_multiple(v + rate, weight[s] * sixth, run->v_rate + rate, d);
    }
    make_units(&run->placed, range, q);
    return TC_OK;
}

/* ---- Joints held ----------------------------------------------------------------------------- */

/* tc_calls: shift_all lib/shape/tc_scene_movers.c:shift_particle2 */
/* tc_calls: shift_all lib/shape/tc_scene_movers.c:shift_particle3 */
/* tc_calls: shift_all lib/shape/tc_scene_movers.c:shift_body3 */
/* tc_calls: shift_all lib/shape/tc_scene_chains.c:shift_chain2 */
/* tc_calls: shift_all lib/shape/tc_scene_chains.c:shift_chain3 */
/* tc_calls: hold_joints lib/shape/tc_scene_movers.c:shift_particle2 */
/* tc_calls: hold_joints lib/shape/tc_scene_movers.c:shift_particle3 */
/* tc_calls: hold_joints lib/shape/tc_scene_movers.c:shift_body3 */
/* tc_calls: hold_joints lib/shape/tc_scene_chains.c:shift_chain2 */
/* tc_calls: hold_joints lib/shape/tc_scene_chains.c:shift_chain3 */
static void shift_all(tci_scene_step_run *run, const tc_real *change, tc_real *q)
{
    for (uint32_t m = 0; m < run->scene->movers; ++m) {
        const tc_scene_span *const span = &run->placed.span[m];
        tc_scene_type_of(run->scene, m)
            ->shift(&run->scene->mover[m], TC_C(-1.0), change + span->v, q + span->q);
    }
}

static tc_status hold_joints(tci_scene_step_run *run, tc_real *q, tc_real *v)
{
    const movers_range all = {0, run->scene->movers, 1};
    const uint32_t d = run->sizes.rates;
    tc_status status = place_range(run, &all, q, v);
    if (status >= TC_OK) status = tci_scene_step_tie(run);
    if (status < TC_OK) return status;
    tc_joint_solve(&run->joint, run->c, run->w0);
    tc_scene_unwhiten(&run->placed, run->w0);
    shift_all(run, run->w0, q);
    status = place_range(run, &all, q, v);
    if (status >= TC_OK) status = tci_scene_step_tie(run);
    if (status < TC_OK) return status;
    memcpy(run->w0, v, d * sizeof *v);
    tc_scene_whiten(&run->placed, run->w0);
    memcpy(run->w, run->w0, d * sizeof *v);
    tc_joint_project(&run->joint, run->w);
    add_multiple(run->w, TC_C(-1.0), run->w0, d);
    tc_scene_unwhiten(&run->placed, run->w);
    add_multiple(v, TC_C(1.0), run->w, d);
    return TC_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

/* tc_calls: move_alone lib/shape/tc_scene_movers.c:coast_particle2 */
/* tc_calls: move_alone lib/shape/tc_scene_movers.c:coast_particle3 */
/* tc_calls: move_alone lib/shape/tc_scene_movers.c:coast_body2 */
/* tc_calls: move_alone lib/shape/tc_scene_movers.c:coast_body3 */
/* tc_calls: tci_scene_step_move lib/shape/tc_scene_movers.c:coast_particle2 */
/* tc_calls: tci_scene_step_move lib/shape/tc_scene_movers.c:coast_particle3 */
/* tc_calls: tci_scene_step_move lib/shape/tc_scene_movers.c:coast_body2 */
/* tc_calls: tci_scene_step_move lib/shape/tc_scene_movers.c:coast_body3 */
/* tc_calls: tci_scene_step_move lib/shape/tc_scene_movers.c:shift_particle2 */
/* tc_calls: tci_scene_step_move lib/shape/tc_scene_movers.c:shift_particle3 */
/* tc_calls: tci_scene_step_move lib/shape/tc_scene_movers.c:shift_body3 */
/* tc_calls: tci_scene_step_move lib/shape/tc_scene_chains.c:shift_chain2 */
/* tc_calls: tci_scene_step_move lib/shape/tc_scene_chains.c:shift_chain3 */
static tc_status move_alone(tci_scene_step_run *run, uint32_t m, tc_real h, tc_real *q, tc_real *v)
{
    const tc_scene *const scene = run->scene;
    const tc_scene_type *const type = tc_scene_type_of(scene, m);
    const tc_scene_span *const span = &run->placed.span[m];
    if (type->coast == NULL) {
        const movers_range range = {m, m + 1u, 0};
        return move_together(run, &range, h, q, v);
    }
    type->coast(&scene->mover[m], scene->gravity, h, q + span->q, v + span->v);
    return TC_OK;
}

/* tc_calls: tci_scene_step_move_tied lib/shape/tc_scene_movers.c:derive_particle2 */
/* tc_calls: tci_scene_step_move_tied lib/shape/tc_scene_movers.c:derive_particle3 tc_scene_derive_body3 */
/* tc_calls: tci_scene_step_move_tied lib/shape/tc_scene_chains.c:derive_chain2 */
/* tc_calls: tci_scene_step_move_tied lib/shape/tc_scene_chains.c:derive_chain3 */
/* tc_calls: tci_scene_step_move_tied lib/shape/tc_scene_movers.c:shift_particle2 */
/* tc_calls: tci_scene_step_move_tied lib/shape/tc_scene_movers.c:shift_particle3 */
/* tc_calls: tci_scene_step_move_tied lib/shape/tc_scene_movers.c:shift_body3 */
/* tc_calls: tci_scene_step_move_tied lib/shape/tc_scene_chains.c:shift_chain2 */
/* tc_calls: tci_scene_step_move_tied lib/shape/tc_scene_chains.c:shift_chain3 */
tc_status tci_scene_step_move_tied(tci_scene_step_run *run, tc_real h, tc_real *q, tc_real *v)
{
    const movers_range all = {0, run->scene->movers, 1};
    const tc_status status = move_together(run, &all, h, q, v);
    return status < TC_OK || run->scene->joints == 0u ? status : hold_joints(run, q, v);
}

tc_status tci_scene_step_move(tci_scene_step_run *run, tc_real h, tc_real *q, tc_real *v)
{
    tc_status status = TC_OK;
    const tc_scene *const scene = run->scene;
    if (scene->joints > 0u || scene->springs > 0u || scene->field != NULL) {
        return tci_scene_step_move_tied(run, h, q, v);
    }
    for (uint32_t m = 0; m < scene->movers && status >= TC_OK; ++m) {
        status = move_alone(run, m, h, q, v);
    }
    return status;
}
