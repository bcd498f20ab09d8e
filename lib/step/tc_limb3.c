/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One step of a spatial chain whose last link touches a plane.
 *
 *   1. Kinematics; mass matrix, forces and the last link's Jacobian, of the whole chain.
 *   2. The patch. Scheme dart: vertices below the plane. Scheme gap: vertices that would be below
 *      it after the step, predicted with the velocity of the limb without contact and its velocity
 *      products; the lowest of them, too, where the upper corners of a thin foot hide it.
 *   3. The contact solve (tc_limb3_mechanism.c).
 *   4. q += h (rates + d). Scheme dart: d lifts the contacts, DART's position correction in the
 *      limb's metric. Scheme gap: d is 0; then q += h d', LIFTS times, for what is below the plane
 *      all the same: the curvature of the path, of second order in h, and corners that turned down
 *      when others were stopped. A lift keeps the contacts of the step above the plane, and what
 *      was lifted before it: else a foot would tilt from corner to corner. The rates handed on are
 *      without either.
 *
 * Scheme toc: the rates without contact, then tc_scheme_internal.h. The limb moves to each touch.
 * It is factored again there, without a force, which its rates hold already. The end is lifted as
 * with gap.
 *
 * Everything stands relative to the chain's origin, so that nothing is rounded for being far from
 * the world's.
 */
#include "tc_exact.h"
#include "tc_limb3_internal.h"

#include "tc_body_core.h"
#include "tc_chain_core.h"
#include "tc_scheme_internal.h"
#include "tc_work.h"

#include <string.h>

#define LIFTS 2u              /* each takes an order of h off what is left */
#define SINK_LIMB3 TC_C(1e-7) /* [m] what ends less deep does not touch: u+ = 0 up to rounding */
#define ABOVE_LIMB3 (TC_C(16.0) * TC_EPSILON) /* of the height: what TCI_SCHEME_TOUCH may miss */
#define TOLD_LIMB3 (6u + COUNTS_LIMB3)        /* impulse, and counts */
#define COUNTS_LIMB3 4u

/* A step on its way. */
typedef struct limb3_run {
    limb_task task;
    tc_limb3_mechanism mechanism;
    const tc_limb3 *limb;
    tc_limb3_state *state;
    tc_limb3_info *info;
    tc_real *next; /* rates after [n], coordinates [n + 1] of before, then after, scratch [n]; for
                    * TOC what the step's force gave to the rates [n], what was told so far
                    * [TOLD_LIMB3] */
    int prepared;
} limb3_run;

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
    if (foot->positions > TC_SCHEME_GAP) {
        return TC_ERR_UNSUPPORTED;
    }
    const tc_status status = tci_foot3_for_limb(foot);
    if (status < TC_OK) {
        return status;
    }
    if (!(foot->step > TC_C(0.0) && foot->step <= TC_C(1.0))) {
        return TC_ERR_RANGE;
    }
    if (!tc_vec_is_unit(foot->plane.normal, 3) || !tc_all_finite(&foot->plane.offset, 1)) {
        return TC_ERR_UNIT;
    }
    return tc_learned3_check_solve(&foot->model, &foot->sweeps, 1u);
}

/* A vertex's distances from the axes of inertia in their radii of gyration, TC_LEARNED_LEVER_MAX
 * altogether at most: decided here, so that no step has to. */
static int reaches_too_far_limb3(const tc_foot3 *foot)
{
    const tc_real *const I = foot->body.inertia, *vertex = foot->shape.vertices;
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < foot->shape.count; i++, vertex += 3) {
        const tc_real square = tc_vec_dot3(vertex, vertex),
                      round = foot->shape.radius * foot->shape.radius;
        tc_real lever = TC_C(0.0);
        for (uint32_t k = 0; k < 3u; k++) {
            lever += (square - vertex[k] * vertex[k] + round) / I[k];
        }
        most = lever > most ? lever : most;
    }
    return !(foot->body.mass * most <= TC_LEARNED_LEVER_MAX * TC_LEARNED_LEVER_MAX);
}

tc_status tc_limb3_check(const tc_limb3 *limb)
{
    if (limb == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = tc_chain3_check(&limb->chain);
    if (status < TC_OK) {
        return status;
    }
    const tc_chain3_link *const last = &limb->chain.links[limb->chain.count - 1u];
    if (last->joint == TC_CHAIN_FREE) {
        return TC_ERR_UNSUPPORTED;
    }
    status = check_foot_limb3(&last->body, &limb->foot);
    if (status >= TC_OK) {
        status = tc_shape3_check(&limb->foot.shape);
    }
    return status >= TC_OK && reaches_too_far_limb3(&limb->foot) ? TC_ERR_RANGE : status;
}

/* work: M, J, force */
static void fill_limb_limb3(const tc_limb3 *limb, const tc_limb3_state *state,
                            const tc_real *torque, tc_limb3_mechanism *mechanism, tc_real *work)
{
    const tc_chain3_motion *const motion = &state->motion;
    const uint32_t n = motion->dof;
    tc_real *const mass = work, *const J = mass + n * n, *const force = J + 6u * n;
    tc_chain3_mass_matrix(&limb->chain, motion, motion->links, mass);
    tc_chain3_jacobian(motion, motion->links - 1u, J);
    tc_chain3_forces(&limb->chain, motion, motion->links, force);
    for (uint32_t k = 0; k < n; k++) {
        force[k] += torque != NULL ? torque[k] : TC_C(0.0);
    }
    mechanism->n = n;
    mechanism->mass = mass;
    mechanism->jacobian = J;
    mechanism->force = force;
    mechanism->rate = state->qd;
    memcpy(mechanism->orientation, motion->link[motion->links - 1u].orientation,
           sizeof mechanism->orientation);
}

/* The last link's pose, and the plane as seen from the chain's origin */
static void pose_foot(const tc_foot3 *foot, const tc_chain3_motion *motion, tc_body3_state *state,
                      tc_plane3 *plane)
{
    const tc_chain3_link_motion *const link = &motion->link[motion->links - 1u];
    *plane = foot->plane;
    plane->offset -= tc_vec_dot3(plane->normal, motion->origin);
    memcpy(state->position, link->position, sizeof state->position);
    memcpy(state->orientation, link->orientation, sizeof state->orientation);
}

static LEARNED3_APART void find_limb3(void *mover)
{
    limb3_run *const run = mover;
    const tc_foot3 *const foot = run->task.foot;
    tc_plane3 plane;
    tc_body3_state state;
    pose_foot(foot, &run->state->motion, &state, &plane);
    tc_detect3_unchecked(&foot->shape, &state, &plane, TC_C(0.0), &run->state->patch);
}

static int holds_vertex(const tc_patch3 *patch, uint32_t vertex)
{
    int any = 0;
    for (uint32_t i = 0; i < patch->count; i++) {
        any |= patch->vertex[i] == vertex;
    }
    return any;
}

static uint32_t highest_contact(const tc_patch3 *patch)
{
    uint32_t most = 0;
    for (uint32_t i = 1; i < patch->count; i++) {
        most = patch->gap[i] > patch->gap[most] ? i : most;
    }
    return most;
}

/* Corners of what is less than `margin` above the plane in this pose, and the lowest vertex: of a
 * thin foot it may lie inside the corners' hull. It takes the last place, or the highest corner's
 * if there is none; its arm and gap are left to tci_foot3_place. */
static void find_low(const tc_foot3 *foot, const tc_plane3 *plane, const tc_body3_state *state,
                     tc_real margin, tc_patch3 *patch)
{
    uint32_t vertex;
    tc_detect3_unchecked(&foot->shape, state, plane, margin, patch);
    if (patch->count == 0u) {
        return;
    }
    (void)tci_foot3_lowest(foot, plane, state, &vertex);
    if (!holds_vertex(patch, vertex)) {
        patch->vertex[patch->count < TC_PATCH_MAX ? patch->count++ : highest_contact(patch)] =
            vertex;
    }
}

/* What is touched after a step without contact, as seen from before it */
static LEARNED3_APART void foresee_limb3(void *mover)
{
    limb3_run *const run = mover;
    const tc_foot3 *const foot = run->task.foot;
    const tc_chain3_motion *const motion = &run->state->motion;
    const tc_real *const bend = motion->link[motion->links - 1u].acceleration;
    tc_plane3 plane;
    tc_body3_state state, ahead;
    if (!run->prepared) {
        return;
    }
    pose_foot(foot, motion, &state, &plane);
    for (uint32_t k = 0; k < 6u; k++) {
        state.velocity[k] = TC_MLA(run->task.velocity[k], TC_C(0.5) * foot->step, bend[k]);
    }
    ahead = state;
    tc_body3_move_core(foot->step, &ahead);
    find_low(foot, &plane, &ahead, TC_C(0.0), &run->state->patch);
    tci_foot3_place(foot, &plane, &state, &run->state->patch);
}

/* The patch of a lift: what is below the plane now, and, as far as there is run, what was to be
 * lifted or held before, which has to stay above it. Returns how deep the lowest vertex is; if that
 * is nothing, the patch is left alone. */
static LEARNED3_APART tc_real gather_lift(const tc_foot3 *foot, const tc_chain3_motion *motion,
                                          tc_patch3 *patch)
{
    tc_plane3 plane;
    tc_body3_state state;
    tc_patch3 below;
    pose_foot(foot, motion, &state, &plane);
    find_low(foot, &plane, &state, -TCI_SCHEME_ROUNDING, &below);
    if (below.count == 0u) {
        return TC_C(0.0);
    }
    for (uint32_t i = 0; i < patch->count && below.count < TC_PATCH_MAX; i++) {
        if (!holds_vertex(&below, patch->vertex[i])) {
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

/* All but dart: after[n + 1] are lifted out of the plane; total[n]: scratch. Of a limb that is
 * wedged a lift may turn out to go deeper; it is taken back. */
static LEARNED3_APART tc_status lift_limb3(limb_task *task, const tc_chain3 *chain,
                                           tc_limb3_state *state, tc_real *after, tc_real *total,
                                           tc_real *penetration)
{
    const size_t size = bytes_of(chain, task->limb->n);
    tc_real speed[TC_PATCH_MAX], *const before = task->white.scratch;
    tc_status lifted = TC_OK;
    for (uint32_t round = 0;; round++) {
        tc_status status = tc_chain3_move(chain, after, state->qd, &state->motion);
        if (status < TC_OK) {
            return status;
        }
        const tc_real depth = gather_lift(task->foot, &state->motion, &state->patch);
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

/* Scheme dart: the contacts of the step are pushed out, slowly. next: rates after [n], coordinates
 * after [n + 1], scratch [n] */
static LEARNED3_APART tc_status push_out_limb3(limb_task *task, const tc_chain3 *chain,
                                               tc_real *next)
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

/* Rates after, in run->next; `motion` and the arrays of the limb are filled. */
LEARNED_INLINE tc_status find_rates_limb3(limb3_run *run, int ahead, tc_learned3_warm *warm)
{
    tc_limb3_state *const state = run->state;
    tc_status status = TC_ERR_NOT_CERTIFIED;
    if (run->prepared) {
        status = tci_limb3_solve(&run->task, ahead, warm, run->next, run->info);
    }
    status = tci_limb3_bound(&run->task, status, run->next, run->info);
    if (status >= TC_OK && run->info->contact.count == 0u) {
        state->patch.count = 0;
        memset(&state->next, 0, sizeof state->next);
    }
    return status;
}

static tc_status respond_limb3(void *mover, int ahead)
{
    limb3_run *const run = mover;
    return find_rates_limb3(run, ahead, &run->state->next);
}

/* Coordinates after the step, without a correction */
static tc_status move_on(limb3_run *run)
{
    return tc_chain3_integrate(&run->limb->chain, run->next, run->task.foot->step,
                               run->next + run->mechanism.n);
}

static tc_status push_limb3(void *mover)
{
    limb3_run *const run = mover;
    return run->state->patch.count > 0u ? push_out_limb3(&run->task, &run->limb->chain, run->next)
                                        : move_on(run);
}

/* ---- Time of contact ------------------------------------------------------------------------- */

static inline tc_real *told_limb3(const limb3_run *run)
{
    return run->next + 4u * run->mechanism.n + 1u;
}

static LEARNED3_APART tc_real share_limb3(void *mover, tc_real left)
{
    const limb3_run *const run = mover;
    const tc_foot3 *const foot = run->task.foot;
    tc_plane3 plane;
    tc_body3_state state;
    pose_foot(foot, &run->state->motion, &state, &plane);
    memcpy(state.velocity, run->info->velocity, sizeof state.velocity);
    return tci_foot3_share(foot, &plane, &state, left, SINK_LIMB3);
}

/* The limb where it touches: what its last link touches there, and M */
static LEARNED3_APART void look_around(limb3_run *run)
{
    const tc_foot3 *const foot = run->task.foot;
    const uint32_t n = run->mechanism.n;
    tc_real *const rate = run->next + 2u * n + 1u, *const arrays = told_limb3(run) + TOLD_LIMB3;
    tc_plane3 plane;
    tc_body3_state state;
    uint32_t vertex;
    pose_foot(foot, &run->state->motion, &state, &plane);
    const tc_real level = tc_vec_not_negative(tci_foot3_lowest(foot, &plane, &state, &vertex));
    const tc_real height = tc_vec_magnitude(level - foot->shape.radius);
    tc_detect3_unchecked(&foot->shape, &state, &plane,
                         TC_MLA(level + TCI_SCHEME_TOUCH, ABOVE_LIMB3, height), &run->state->patch);
    fill_limb_limb3(run->limb, run->state, NULL, &run->mechanism, arrays);
    memset(arrays + n * n + 6u * n, 0, n * sizeof *arrays);
    memcpy(rate, run->next, n * sizeof *rate);
    run->mechanism.rate = rate;
    run->prepared = tci_limb3_factor(&run->task, run->next, arrays + n * n + 7u * n) >= TC_OK;
}

/* Moves to a touch. */
static LEARNED3_APART tc_status arrive_limb3(limb3_run *run, tc_real time)
{
    const tc_chain3 *const chain = &run->limb->chain;
    tc_real *const after = run->next + run->mechanism.n;
    tc_status status = tc_chain3_integrate(chain, run->next, time, after);
    if (status >= TC_OK) {
        status = tc_chain3_move(chain, after, run->next, &run->state->motion);
    }
    if (status >= TC_OK) {
        look_around(run);
    }
    return status;
}

static void counts_of(tc_limb3_info *info, uint32_t *count[COUNTS_LIMB3])
{
    count[0] = &info->contact.contact.flags;
    count[1] = &info->contact.contact.ratios;
    count[2] = &info->contact.contact.classes;
    count[3] = &info->solves;
}

/* Keeps what was told before a touch. */
static LEARNED3_APART void keep_told(limb3_run *run)
{
    tc_real *const told = told_limb3(run);
    uint32_t *count[COUNTS_LIMB3];
    counts_of(run->info, count);
    memcpy(told, run->info->contact.impulse, 6u * sizeof *told);
    for (uint32_t k = 0; k < COUNTS_LIMB3; k++) {
        memcpy(told + 6u + k, count[k], sizeof *count[k]);
    }
}

/* Adds that. A limb that was slowed down is told without contact. */
static LEARNED3_APART void add_told_limb3(limb3_run *run, tc_status status)
{
    tc_limb3_info *const info = run->info;
    const tc_real *const told = told_limb3(run);
    uint32_t *count[COUNTS_LIMB3], flags = info->contact.contact.flags;
    counts_of(info, count);
    for (uint32_t k = 0; k < 6u; k++) {
        const int slowed = status == TC_NOTE_FALLBACK && info->contact.count == 0u;
        info->contact.impulse[k] += slowed ? TC_C(0.0) : told[k];
    }
    for (uint32_t k = 0; k < COUNTS_LIMB3; k++) {
        uint32_t before;
        memcpy(&before, told + 6u + k, sizeof before);
        *count[k] += before;
        flags |= k == 0u ? before : 0u;
    }
    info->contact.contact.flags = flags;
}

/* Of two touches the second does not begin warm: `next` is of the first one. */
static tc_status touch_limb3(void *mover, tc_real left, tc_real share)
{
    limb3_run *const run = mover;
    tc_status status = arrive_limb3(run, share * left);
    if (status >= TC_OK) {
        const int first = run->info->contact.count == 0u;
        keep_told(run);
        status = find_rates_limb3(run, 0, first ? &run->state->next : NULL);
        add_told_limb3(run, status);
    }
    return status;
}

/* The coordinates move on at the rates so far; what they were stays in the scratch. *depth: of the
 * lowest vertex there */
static LEARNED3_APART tc_status try_end(limb3_run *run, tc_real left, tc_real *depth)
{
    const tc_chain3 *const chain = &run->limb->chain;
    const uint32_t n = run->mechanism.n;
    tc_real *const after = run->next + n;
    tc_plane3 plane;
    tc_body3_state state;
    uint32_t vertex;
    memcpy(run->task.white.scratch, after, bytes_of(chain, n));
    tc_status status = tc_chain3_integrate(chain, run->next, left, after);
    if (status >= TC_OK) {
        status = tc_chain3_move(chain, after, run->next, &run->state->motion);
    }
    if (status >= TC_OK) {
        pose_foot(run->task.foot, &run->state->motion, &state, &plane);
        *depth = -tci_foot3_lowest(run->task.foot, &plane, &state, &vertex);
    }
    return status;
}

/* Scheme gap lifts what its contacts leave below, at once. */
static LEARNED3_APART tc_status settle_limb3(void *mover, tc_real left, int ahead, int *deep)
{
    limb3_run *const run = mover;
    const tc_chain3 *const chain = &run->limb->chain;
    const uint32_t n = run->mechanism.n;
    tc_real *const after = run->next + n;
    tc_status status;
    *deep = 0;
    if (ahead) {
        status = move_on(run);
        if (status < TC_OK || run->state->patch.count == 0u) {
            return status;
        }
        return lift_limb3(&run->task, chain, run->state, after, after + n + 1u,
                          &run->info->penetration);
    }
    tc_real depth = TC_C(0.0);
    run->info->penetration = TC_C(0.0);
    status = try_end(run, left, &depth);
    *deep = status >= TC_OK && depth > TCI_SCHEME_ROUNDING;
    if (*deep) {
        memcpy(after, run->task.white.scratch, bytes_of(chain, n));
        status = tc_chain3_move(chain, after, run->next, &run->state->motion);
    }
    return status;
}

static LEARNED3_APART void wait_limb3(void *mover, tc_real left, tc_real share)
{
    limb3_run *const run = mover;
    tc_limb3_info *const info = run->info;
    tc_real *const after = run->next + run->mechanism.n;
    tc_status status = try_end(run, share * left, &info->penetration);
    info->penetration = info->penetration > TCI_SCHEME_ROUNDING ? info->penetration : TC_C(0.0);
    if (status >= TC_OK && run->prepared && run->state->patch.count == 0u) {
        find_limb3(run);
        status = tci_limb3_pose(&run->task);
    }
    if (status >= TC_OK && run->prepared && run->state->patch.count > 0u) {
        status = lift_limb3(&run->task, &run->limb->chain, run->state, after,
                            after + run->mechanism.n + 1u, &info->penetration);
    }
    info->contact.contact.flags |= status < TC_OK ? (uint32_t)TC_LEARNED_FALLBACK : 0u;
}

/* The rates without contact, which the task's velocity goes with, and what the force gave to
 * them */
static LEARNED3_APART void begin_toc_limb3(limb3_run *run)
{
    const uint32_t n = run->mechanism.n;
    tc_real *const gained = run->next + 3u * n + 1u;
    tci_limb3_no_contact(run->info);
    memcpy(run->info->velocity, run->task.velocity, sizeof run->info->velocity);
    (void)tci_limb3_bound(&run->task, run->prepared ? TC_OK : TC_ERR_NOT_CERTIFIED, run->next,
                          run->info);
    run->state->patch.count = 0;
    for (uint32_t k = 0; k < n; k++) {
        gained[k] = run->next[k] - run->state->qd[k];
    }
}

/* Takes the force of the time that was waited back; flight ends what is known of a contact. */
static LEARNED3_APART tc_status end_toc_limb3(limb3_run *run, tc_status status, tc_real waited)
{
    const uint32_t n = run->mechanism.n;
    const tc_real *const gained = run->next + 3u * n + 1u, share = waited / run->task.foot->step;
    tc_limb3_info *const info = run->info;
    if (status < TC_OK) {
        return status;
    }
    if (waited > TC_C(0.0)) {
        for (uint32_t k = 0; k < n; k++) {
            run->next[k] -= share * gained[k];
        }
        tci_limb3_velocity(&run->mechanism, run->next, info->velocity);
        status = tci_limb3_bound(&run->task, status, run->next, info);
    }
    info->contact.waited = waited;
    if (info->contact.count == 0u) {
        memset(&run->state->next, 0, sizeof run->state->next);
    }
    const int fell = (info->contact.contact.flags & (uint32_t)TC_LEARNED_FALLBACK) != 0u;
    return fell ? TC_NOTE_FALLBACK : status;
}

static const tci_scheme_mover scheme_limb3 = {find_limb3,  foresee_limb3, respond_limb3,
                                              push_limb3,  settle_limb3,  share_limb3,
                                              touch_limb3, wait_limb3};

/* What is known before the contacts; limb, state, info and next of the room are set. */
static LEARNED3_APART void begin_limb3(limb3_run *run, const tc_real *torque)
{
    tc_limb3_state *const state = run->state;
    const uint32_t n = state->motion.dof;
    tc_real *const arrays = run->next + 4u * n + 1u + TOLD_LIMB3;
    fill_limb_limb3(run->limb, state, torque, &run->mechanism, arrays);
    state->next = state->warm;
    memcpy(run->next + n, state->q, bytes_of(&run->limb->chain, n));
    run->task.foot = &run->limb->foot;
    run->task.limb = &run->mechanism;
    run->task.patch = &state->patch;
    run->prepared = tci_limb3_factor(&run->task, run->next, arrays + n * n + 7u * n) >= TC_OK;
    if (run->limb->foot.positions == TC_SCHEME_TOC) {
        begin_toc_limb3(run);
    }
}

/* Ends it: the state moves on. */
static LEARNED3_APART tc_status end_limb3(limb3_run *run, tc_status status, tc_real waited)
{
    tc_limb3_state *const state = run->state;
    const uint32_t n = run->mechanism.n;
    if (run->limb->foot.positions == TC_SCHEME_TOC) {
        status = end_toc_limb3(run, status, waited);
    }
    if (status < TC_OK) {
        return status;
    }
    run->info->contact.contact.flags |=
        status == TC_NOTE_FALLBACK ? (uint32_t)TC_LEARNED_FALLBACK : 0u;
    memcpy(state->qd, run->next, n * sizeof *run->next);
    memcpy(state->q, run->next + n, bytes_of(&run->limb->chain, n));
    state->warm = state->next;
    return status;
}

static tc_status advance_limb3(const tc_limb3 *limb, const tc_real *torque, tc_limb3_state *state,
                               tc_limb3_info *info, tc_real *work)
{
    limb3_run run;
    tc_real waited;
    run.limb = limb;
    run.state = state;
    run.info = info;
    run.next = work;
    begin_limb3(&run, torque);
    const tc_status status =
        tci_scheme_step(&scheme_limb3, &run, limb->foot.positions, limb->foot.step, &waited);
    return end_limb3(&run, status, waited);
}

tc_status tc_limb3_step(const tc_limb3 *limb, const tc_real *torque, tc_limb3_state *state,
                        tc_limb3_info *info, tc_real *work, size_t work_len)
{
    if (limb == NULL || state == NULL || work == NULL) {
        tci_limb3_no_contact(info);
        return TC_ERR_NULL;
    }
    const uint32_t n = tc_chain3_dof(&limb->chain, limb->chain.count);
    const size_t needed = TC_LIMB3_WORK(n, (size_t)limb->foot.model.work_len);
    tc_status status = tc_work_check(work, work_len, needed);
    if (status >= TC_OK) {
        status = tc_chain_check_torque(torque, n);
    }
    if (status >= TC_OK) {
        status = tc_chain3_move(&limb->chain, state->q, state->qd, &state->motion);
    }
    if (status >= TC_OK) {
        info = tci_limb3_info(info, work, needed);
        status = advance_limb3(limb, torque, state, info, work);
    }
    if (status < TC_OK) {
        tci_limb3_no_contact(info);
    }
    return status;
}
