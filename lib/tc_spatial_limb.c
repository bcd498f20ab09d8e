/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One step of a spatial chain whose last link touches a plane.
 *
 *   1. Kinematics; mass matrix, forces and the last link's Jacobian, of the whole chain.
 *   2. Vertices below the plane; the contact solve (tc_spatial_limb_solve.c).
 *   3. q += h (rates + d): d lifts the contacts, DART's position correction in the limb's metric; the rates
 *      handed on are without it.
 *
 * Everything stands relative to the chain's origin, so that nothing is rounded for being far from the
 * world's.
 */
#include "tc_spatial_limb_core.h"

#include "tc_body_core.h"

#include <string.h>

static tc_status check_foot(const tc_spatial_body *body, const tc_spatial *foot)
{
    tc_real off = foot->body.mass - body->mass;
    int same = off * off <= TC_C(1e-10) * body->mass * body->mass;
    for (uint32_t k = 0; k < 3u; k++) {
        off = foot->body.inertia[k] - body->inertia[k];
        same = same && off * off <= TC_C(1e-10) * body->inertia[k] * body->inertia[k];
    }
    if (!same) {
        return TC_ERR_MODEL_MISMATCH;
    }
    if (foot->restitution != TC_C(0.0) || foot->positions != TC_POSITIONS_DART) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!(foot->step > TC_C(0.0) && foot->step <= TC_C(1.0))) {
        return TC_ERR_RANGE;
    }
    if (!tc_unit_core(foot->plane.normal, 3) || !tc_all_finite(&foot->plane.offset, 1)) {
        return TC_ERR_UNIT;
    }
    return tc_spatial_check_solve(&foot->law, &foot->sweeps, 1u);
}

tc_status tc_spatial_limb_check(const tc_spatial_leg *leg)
{
    if (leg == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = tc_spatial_chain_check(&leg->chain);
    if (status != TC_OK) {
        return status;
    }
    const tc_spatial_link *const last = &leg->chain.links[leg->chain.count - 1u];
    if (last->joint == TC_JOINT_FREE) {
        return TC_ERR_UNSUPPORTED;
    }
    status = check_foot(&last->body, &leg->foot);
    return status != TC_OK ? status : tc_spatial_shape_check(&leg->foot.shape);
}

/* work: M, J, force */
static void fill_limb(const tc_spatial_leg *leg, const tc_spatial_leg_state *state, const tc_real *torque,
                      tc_spatial_limb *limb, tc_real *work)
{
    const tc_spatial_chain_motion *const motion = &state->motion;
    const uint32_t n = motion->dof;
    tc_real *const mass = work, *const J = mass + n * n, *const force = J + 6u * n;
    tc_spatial_chain_mass_matrix(&leg->chain, motion, motion->links, mass);
    tc_spatial_chain_jacobian(motion, motion->links - 1u, J);
    tc_spatial_chain_forces(&leg->chain, motion, motion->links, force);
    for (uint32_t k = 0; k < n; k++) {
        force[k] += torque != NULL ? torque[k] : TC_C(0.0);
    }
    limb->n = n;
    limb->mass = mass;
    limb->jacobian = J;
    limb->force = force;
    limb->rate = state->qd;
    memcpy(limb->orientation, motion->link[motion->links - 1u].orientation, sizeof limb->orientation);
}

static SPATIAL_APART void find_patch(const tc_spatial *foot, const tc_spatial_chain_motion *motion,
                                     tc_spatial_patch *patch)
{
    const tc_spatial_link_motion *const link = &motion->link[motion->links - 1u];
    tc_spatial_plane plane = foot->plane;
    tc_spatial_state state;
    plane.offset -= tc_dot3_core(plane.normal, motion->origin);
    memcpy(state.position, link->position, sizeof state.position);
    memcpy(state.orientation, link->orientation, sizeof state.orientation);
    tc_spatial_detect_unchecked(&foot->shape, &state, &plane, TC_C(0.0), patch);
}

/* next: rates after [n], coordinates after [n + 1], scratch [n] */
static tc_status move_on(limb_task *task, const tc_spatial_chain *chain, const tc_real *q, tc_real *next)
{
    const uint32_t n = task->limb->n, coordinates = n + (chain->links[0].joint == TC_JOINT_FREE);
    const tc_real h = task->foot->step;
    tc_real *const after = next + n, *const total = after + n + 1u;
    tc_real speed[TC_PATCH_MAX];
    memcpy(after, q, coordinates * sizeof *q);
    if (task->patch->count == 0u) {
        return tc_spatial_chain_integrate(chain, next, h, after);
    }
    for (uint32_t i = 0; i < task->patch->count; i++) {
        speed[i] = tc_spatial_push_speed(task->patch->gap[i], h);
    }
    const tc_status status = tc_leg_rise(task, speed, total);
    if (status < TC_OK) {
        return status;
    }
    for (uint32_t k = 0; k < n; k++) {
        total[k] += next[k];
    }
    return tc_spatial_chain_integrate(chain, total, h, after);
}

static tc_status advance(const tc_spatial_leg *leg, const tc_real *torque, tc_spatial_leg_state *state,
                         tc_spatial_limb_info *info, tc_real *work)
{
    const uint32_t n = state->motion.dof;
    tc_real *const next = work, *const arrays = next + 3u * n + 1u;
    tc_spatial_limb limb;
    limb_task task;
    fill_limb(leg, state, torque, &limb, arrays);
    find_patch(&leg->foot, &state->motion, &state->patch);
    state->next = state->warm;
    task.foot = &leg->foot;
    task.limb = &limb;
    task.patch = &state->patch;
    const tc_status status = tc_leg_solve(&task, 0, &state->next, next, info, arrays + n * n + 7u * n);
    const tc_status moved = status < TC_OK ? status : move_on(&task, &leg->chain, state->q, next);
    if (moved < TC_OK) {
        return moved;
    }
    memcpy(state->qd, next, n * sizeof *next);
    memcpy(state->q, next + n, (n + (leg->chain.links[0].joint == TC_JOINT_FREE)) * sizeof *next);
    state->warm = state->next;
    return status;
}

tc_status tc_spatial_limb_step(const tc_spatial_leg *leg, const tc_real *torque, tc_spatial_leg_state *state,
                               tc_spatial_limb_info *info, tc_real *work, size_t work_len)
{
    if (info == NULL) {
        return TC_ERR_NULL;
    }
    if (leg == NULL || state == NULL || work == NULL) {
        tc_leg_no_contact(info);
        return TC_ERR_NULL;
    }
    const uint32_t n = tc_spatial_chain_dof(&leg->chain, leg->chain.count);
    tc_status status = work_len < TC_SPATIAL_LEG_WORK(n, (size_t)leg->foot.law.work_len) ? TC_ERR_WORK
                       : torque != NULL && !tc_all_finite(torque, n)                    ? TC_ERR_NOT_FINITE
                                                                                         : TC_OK;
    if (status >= TC_OK) {
        status = tc_spatial_chain_move(&leg->chain, state->q, state->qd, &state->motion);
    }
    if (status >= TC_OK) {
        status = advance(leg, torque, state, info, work);
    }
    if (status < TC_OK) {
        tc_leg_no_contact(info);
    }
    return status;
}
