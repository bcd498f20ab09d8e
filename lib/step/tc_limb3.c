/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One step of a spatial chain whose last link touches a plane.
 *
 *   1. Kinematics; mass matrix, forces and the last link's Jacobian, of the whole chain.
 *   2. The patch. Scheme dart: vertices below the plane. Scheme gap: vertices that would be below it after
 *      the step, predicted with the velocity of the limb without contact and its velocity products; the
 *      lowest of them, too, where the upper corners of a thin foot hide it.
 *   3. The contact solve (tc_limb3_mechanism.c).
 *   4. q += h (rates + d). Scheme dart: d lifts the contacts, DART's position correction in the limb's
 *      metric. Scheme gap: d is 0; then q += h d', LIFTS times, for what is below the plane all the same: the
 *      curvature of the path, of second order in h, and corners that turned down when others were stopped.
 *      A lift keeps the contacts of the step above the plane, and what was lifted before it: else a foot
 *      would tilt from corner to corner. The rates handed on are without either.
 *
 * Everything stands relative to the chain's origin, so that nothing is rounded for being far from the
 * world's.
 */
#include "tc_exact.h"
#include "tc_limb3_internal.h"

#include "tc_body_core.h"
#include "tc_chain_core.h"
#include "tc_scheme_internal.h"
#include "tc_work.h"

#include <string.h>

#define LIFTS 2u /* each takes an order of h off what is left */

/* A step on its way. */
typedef struct step_room_limb3 {
    limb_task task;
    tc_limb3_mechanism limb;
    const tc_limb3 *leg;
    tc_limb3_state *state;
    tc_limb3_info *info;
    tc_real *next; /* rates after [n], coordinates [n + 1] of before, then after, scratch [n] */
    int prepared;
} step_room_limb3;

static tc_status check_foot_limb3(const tc_body3 *body, const tc_foot3 *foot)
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
    if (foot->restitution != TC_C(0.0)
        || (foot->positions != TC_SCHEME_DART && foot->positions != TC_SCHEME_GAP)) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!(foot->step > TC_C(0.0) && foot->step <= TC_C(1.0))) {
        return TC_ERR_RANGE;
    }
    if (!tc_vec_is_unit(foot->plane.normal, 3) || !tc_all_finite(&foot->plane.offset, 1)) {
        return TC_ERR_UNIT;
    }
    return tc_learned3_check_solve(&foot->law, &foot->sweeps, 1u);
}

/* A vertex's distances from the axes of inertia in their radii of gyration, TC_LEARNED_LEVER_MAX altogether
 * at most: decided here, so that no step has to. */
static int reaches_too_far_limb3(const tc_foot3 *foot)
{
    const tc_real *const I = foot->body.inertia, *vertex = foot->shape.vertices;
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < foot->shape.count; i++, vertex += 3) {
        const tc_real square = tc_vec_dot3(vertex, vertex), round = foot->shape.radius * foot->shape.radius;
        tc_real lever = TC_C(0.0);
        for (uint32_t k = 0; k < 3u; k++) {
            lever += (square - vertex[k] * vertex[k] + round) / I[k];
        }
        most = lever > most ? lever : most;
    }
    return !(foot->body.mass * most <= TC_LEARNED_LEVER_MAX * TC_LEARNED_LEVER_MAX);
}

tc_status tc_limb3_check(const tc_limb3 *leg)
{
    if (leg == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = tc_chain3_check(&leg->chain);
    if (status != TC_OK) {
        return status;
    }
    const tc_chain3_link *const last = &leg->chain.links[leg->chain.count - 1u];
    if (last->joint == TC_CHAIN_FREE) {
        return TC_ERR_UNSUPPORTED;
    }
    status = check_foot_limb3(&last->body, &leg->foot);
    if (status == TC_OK) {
        status = tc_shape3_check(&leg->foot.shape);
    }
    return status == TC_OK && reaches_too_far_limb3(&leg->foot) ? TC_ERR_RANGE : status;
}

/* work: M, J, force */
static void fill_limb_limb3(const tc_limb3 *leg, const tc_limb3_state *state, const tc_real *torque,
                      tc_limb3_mechanism *limb, tc_real *work)
{
    const tc_chain3_motion *const motion = &state->motion;
    const uint32_t n = motion->dof;
    tc_real *const mass = work, *const J = mass + n * n, *const force = J + 6u * n;
    tc_chain3_mass_matrix(&leg->chain, motion, motion->links, mass);
    tc_chain3_jacobian(motion, motion->links - 1u, J);
    tc_chain3_forces(&leg->chain, motion, motion->links, force);
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

/* The last link's pose, and the plane as seen from the chain's origin */
static void pose(const tc_foot3 *foot, const tc_chain3_motion *motion, tc_body3_state *state,
                 tc_plane3 *plane)
{
    const tc_chain3_link_motion *const link = &motion->link[motion->links - 1u];
    *plane = foot->plane;
    plane->offset -= tc_vec_dot3(plane->normal, motion->origin);
    memcpy(state->position, link->position, sizeof state->position);
    memcpy(state->orientation, link->orientation, sizeof state->orientation);
}

static SPATIAL_APART void find_limb3(void *mover)
{
    step_room_limb3 *const room = mover;
    const tc_foot3 *const foot = room->task.foot;
    tc_plane3 plane;
    tc_body3_state state;
    pose(foot, &room->state->motion, &state, &plane);
    tc_detect3_unchecked(&foot->shape, &state, &plane, TC_C(0.0), &room->state->patch);
}

static int holds(const tc_patch3 *patch, uint32_t vertex)
{
    int any = 0;
    for (uint32_t i = 0; i < patch->count; i++) {
        any |= patch->vertex[i] == vertex;
    }
    return any;
}

static uint32_t highest(const tc_patch3 *patch)
{
    uint32_t most = 0;
    for (uint32_t i = 1; i < patch->count; i++) {
        most = patch->gap[i] > patch->gap[most] ? i : most;
    }
    return most;
}

/* Corners of what is less than `margin` above the plane in this pose, and the lowest vertex: of a thin foot
 * it may lie inside the corners' hull. It takes the last place, or the highest corner's if there is none;
 * its arm and gap are left to tci_foot3_place. */
static void find_low(const tc_foot3 *foot, const tc_plane3 *plane, const tc_body3_state *state,
                     tc_real margin, tc_patch3 *patch)
{
    uint32_t vertex;
    tc_detect3_unchecked(&foot->shape, state, plane, margin, patch);
    if (patch->count == 0u) {
        return;
    }
    (void)tci_foot3_lowest(foot, plane, state, &vertex);
    if (!holds(patch, vertex)) {
        patch->vertex[patch->count < TC_PATCH_MAX ? patch->count++ : highest(patch)] = vertex;
    }
}

/* What is touched after a step without contact, as seen from before it */
static SPATIAL_APART void foresee_limb3(void *mover)
{
    step_room_limb3 *const room = mover;
    const tc_foot3 *const foot = room->task.foot;
    const tc_chain3_motion *const motion = &room->state->motion;
    const tc_real *const bend = motion->link[motion->links - 1u].acceleration;
    tc_plane3 plane;
    tc_body3_state state, ahead;
    if (!room->prepared) {
        return;
    }
    pose(foot, motion, &state, &plane);
    for (uint32_t k = 0; k < 6u; k++) {
        state.velocity[k] = TC_MLA(room->task.velocity[k], TC_C(0.5) * foot->step, bend[k]);
    }
    ahead = state;
    tc_body3_move_core(foot->step, &ahead);
    find_low(foot, &plane, &ahead, TC_C(0.0), &room->state->patch);
    tci_foot3_place(foot, &plane, &state, &room->state->patch);
}

/* The patch of a lift: what is below the plane now, and, as far as there is room, what was to be lifted or
 * held before, which has to stay above it. Returns how deep the lowest vertex is; if that is nothing, the patch is left alone. */
static SPATIAL_APART tc_real gather(const tc_foot3 *foot, const tc_chain3_motion *motion,
                                    tc_patch3 *patch)
{
    tc_plane3 plane;
    tc_body3_state state;
    tc_patch3 below;
    pose(foot, motion, &state, &plane);
    find_low(foot, &plane, &state, -TCI_SCHEME_ROUNDING, &below);
    if (below.count == 0u) {
        return TC_C(0.0);
    }
    for (uint32_t i = 0; i < patch->count && below.count < TC_PATCH_MAX; i++) {
        if (!holds(&below, patch->vertex[i])) {
            below.vertex[below.count++] = patch->vertex[i];
        }
    }
    tci_foot3_place(foot, &plane, &state, &below);
    *patch = below;
    return tci_limb3_deepest(patch);
}

/* Of the coordinates that go with n rates */
static size_t bytes_of(const tc_chain3 *chain, uint32_t n)
{
    return (n + (chain->links[0].joint == TC_CHAIN_FREE)) * sizeof(tc_real);
}

/* Scheme gap: after[n + 1] are lifted out of the plane; total[n]: scratch. Of a limb that is wedged a lift
 * may turn out to go deeper; it is taken back. */
static SPATIAL_APART tc_status lift_limb3(limb_task *task, const tc_chain3 *chain, tc_limb3_state *state,
                        tc_real *after, tc_real *total, tc_real *penetration)
{
    const size_t size = bytes_of(chain, task->limb->n);
    tc_real speed[TC_PATCH_MAX], *const before = task->white.scratch;
    tc_status lifted = TC_OK;
    for (uint32_t round = 0;; round++) {
        tc_status status = tc_chain3_move(chain, after, state->qd, &state->motion);
        if (status < TC_OK) {
            return status;
        }
        const tc_real depth = gather(task->foot, &state->motion, &state->patch);
        if (round > 0u && depth > *penetration) {
            memcpy(after, before, size);
            return lifted;
        }
        *penetration = depth;
        if (depth == TC_C(0.0) || round == LIFTS || lifted != TC_OK) {
            return lifted;
        }
        for (uint32_t i = 0; i < state->patch.count; i++) {
            speed[i] = -state->patch.gap[i] / task->foot->step;
        }
        lifted = tci_limb3_rise(task, speed, total);
        memcpy(before, after, size);
        status = tc_chain3_integrate(chain, total, task->foot->step, after);
        if (status < TC_OK) {
            return status;
        }
    }
}

/* Scheme dart: the contacts of the step are pushed out, slowly. next: rates after [n], coordinates after
 * [n + 1], scratch [n] */
static SPATIAL_APART tc_status push_out_limb3(limb_task *task, const tc_chain3 *chain, tc_real *next)
{
    const uint32_t n = task->limb->n;
    const tc_real h = task->foot->step;
    tc_real *const after = next + n, *const total = after + n + 1u;
    tc_real speed[TC_PATCH_MAX];
    for (uint32_t i = 0; i < task->patch->count; i++) {
        speed[i] = tci_scheme_push_speed(task->patch->gap[i], h);
    }
    const tc_status lifted = tci_limb3_rise(task, speed, total);
    for (uint32_t k = 0; k < n; k++) {
        total[k] += next[k];
    }
    const tc_status status = tc_chain3_integrate(chain, total, h, after);
    return status < TC_OK ? status : lifted;
}

/* Rates after, in room->next; `motion` and the arrays of the limb are filled. */
static tc_status respond_limb3(void *mover, int ahead)
{
    step_room_limb3 *const room = mover;
    tc_limb3_state *const state = room->state;
    tc_status status = TC_ERR_NOT_CERTIFIED;
    if (room->prepared) {
        status = tci_limb3_solve(&room->task, ahead, &state->next, room->next, room->info);
    }
    status = tci_limb3_bound(&room->task, status, room->next, room->info);
    if (status >= TC_OK && room->info->contact.count == 0u) {
        state->patch.count = 0;
        memset(&state->next, 0, sizeof state->next);
    }
    return status;
}

/* Coordinates after the step, without a correction */
static tc_status move_on(step_room_limb3 *room)
{
    return tc_chain3_integrate(&room->leg->chain, room->next, room->task.foot->step, room->next + room->limb.n);
}

static tc_status push_limb3(void *mover)
{
    step_room_limb3 *const room = mover;
    return room->state->patch.count > 0u ? push_out_limb3(&room->task, &room->leg->chain, room->next)
                                         : move_on(room);
}

static tc_status settle_limb3(void *mover, tc_real left, int ahead, int *deep)
{
    step_room_limb3 *const room = mover;
    const uint32_t n = room->limb.n;
    tc_real *const after = room->next + n;
    const tc_status status = move_on(room);
    (void)left;
    (void)ahead;
    *deep = 0;
    if (status < TC_OK || room->state->patch.count == 0u) {
        return status;
    }
    return lift_limb3(&room->task, &room->leg->chain, room->state, after, after + n + 1u,
                      &room->info->penetration);
}

static const tci_scheme_mover scheme_limb3 = {.find = find_limb3,
                                              .foresee = foresee_limb3,
                                              .respond = respond_limb3,
                                              .push = push_limb3,
                                              .settle = settle_limb3};

static tc_status advance_limb3(const tc_limb3 *leg, const tc_real *torque, tc_limb3_state *state,
                         tc_limb3_info *info, tc_real *work)
{
    step_room_limb3 room;
    const uint32_t n = state->motion.dof;
    tc_real *const arrays = work + 3u * n + 1u, waited;
    fill_limb_limb3(leg, state, torque, &room.limb, arrays);
    state->next = state->warm;
    room.leg = leg;
    room.state = state;
    room.info = info;
    room.next = work;
    memcpy(room.next + n, state->q, bytes_of(&leg->chain, n));
    room.task.foot = &leg->foot;
    room.task.limb = &room.limb;
    room.task.patch = &state->patch;
    room.prepared = tci_limb3_factor(&room.task, work, arrays + n * n + 7u * n) >= TC_OK;
    const tc_status status =
        tci_scheme_step(&scheme_limb3, &room, leg->foot.positions, leg->foot.step, &waited);
    if (status < TC_OK) {
        return status;
    }
    info->contact.contact.flags |= status == TC_NOTE_FALLBACK ? (uint32_t)TC_LEARNED_FALLBACK : 0u;
    memcpy(state->qd, room.next, n * sizeof *room.next);
    memcpy(state->q, room.next + n, bytes_of(&leg->chain, n));
    state->warm = state->next;
    return status;
}

tc_status tc_limb3_step(const tc_limb3 *leg, const tc_real *torque, tc_limb3_state *state,
                               tc_limb3_info *info, tc_real *work, size_t work_len)
{
    if (leg == NULL || state == NULL || work == NULL) {
        tci_limb3_no_contact(info);
        return TC_ERR_NULL;
    }
    const uint32_t n = tc_chain3_dof(&leg->chain, leg->chain.count);
    const size_t needed = TC_LIMB3_WORK(n, (size_t)leg->foot.law.work_len);
    tc_status status = tc_work_check(work, work_len, needed);
    if (status == TC_OK) {
        status = tc_chain_check_torque(torque, n);
    }
    if (status >= TC_OK) {
        status = tc_chain3_move(&leg->chain, state->q, state->qd, &state->motion);
    }
    if (status >= TC_OK) {
        info = tci_limb3_info(info, work, needed);
        status = advance_limb3(leg, torque, state, info, work);
    }
    if (status < TC_OK) {
        tci_limb3_no_contact(info);
    }
    return status;
}
