/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Steps on ground of any shape.
 *
 * The step has one plane. Further planes get impulses at the end of the step, in turn, as a
 * projected Gauss-Seidel over planes does: two rounds. What is left of a velocity into one of them
 * is the depth of the next step, whose nearest plane is then that one.
 */
#include "tc_exact.h"
#include "tc_ground_step.h"

#include "tc_body_core.h"
#include "tc_scheme_internal.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

#define ROUNDS_GROUND 2u

/* ---- In space -------------------------------------------------------------------------------- */

static tc_status refuse_ground3(tc_status status, tc_foot3_info *info)
{
    if (info != NULL) {
        memset(info, 0, sizeof *info);
        info->contact.branch = info->contact.said = TC_LEARNED_NONE;
    }
    return status;
}

/* Where the force alone leads in a step */
static void foresee_ground3(const tc_foot3 *foot, const tc_real *force, tc_body3_state *ahead)
{
    tc_real kick[6];
    if (force != NULL) {
        for (uint32_t k = 0; k < 6u; ++k) kick[k] = foot->step * force[k];
        tc_body3_kick_core(&foot->body, ahead->orientation, kick, ahead->velocity);
    }
    tc_body3_move_core(foot->step, ahead);
}

static void stand_on3(const tc_ground3_stand *stand, tc_foot3 *foot)
{
    foot->plane = stand->plane;
    foot->shape = stand->shape;
}

static void add_info3(const tc_foot3_info *more, tc_foot3_info *info)
{
    info->contact.flags |= more->contact.flags;
    for (uint32_t k = 0; k < 6u; ++k) info->impulse[k] += more->impulse[k];
}

/* The further planes, and between them the first again */
static tc_status respond_ground3(const tc_ground3_stands *stands, tc_foot3 *foot,
                                 tc_body3_state *state, tc_foot3_info *info, tc_foot3_info *more,
                                 tc_real *work, size_t work_len)
{
    tc_status noted = TC_OK;
    const uint32_t turns = stands->count > 1u ? ROUNDS_GROUND * stands->count : 0u;
    for (uint32_t i = 1; i < turns; ++i) {
        stand_on3(&stands->stand[i % stands->count], foot);
        const tc_status status = tc_foot3_respond(foot, state, NULL, more, work, work_len);
        if (status < TC_OK) return status;
        if (status > TC_OK) noted = status;
        if (info != NULL) add_info3(more, info);
    }
    return noted;
}

/* All planes of a step on a state of its own */
static tc_status step_stands3(const tc_ground3_stands *stands, tc_foot3 *foot, const tc_real *force,
                              tc_body3_state *state, tc_learned3_warm *warm, tc_foot3_info *info,
                              tc_real *work, size_t work_len)
{
    tc_foot3_info *const more = (tc_foot3_info *)(void *)work;
    tc_real *const rest = work + TC_FOOT3_INFO_WORK;
    const size_t left = work_len - TC_FOOT3_INFO_WORK;
    tc_learned3_warm before;
    if (warm != NULL) before = *warm;
    stand_on3(&stands->stand[0], foot);
    tc_status status = tc_foot3_step(foot, force, state, warm, info, rest, left);
    if (status < TC_OK) return status;
    const tc_status noted = respond_ground3(stands, foot, state, info, more, rest, left);
    if (noted < TC_OK && warm != NULL) *warm = before;
    return noted != TC_OK ? noted : status;
}

static tc_status check_step3(const tc_foot3 *foot, const tc_real *force,
                             const tc_body3_state *state, const tc_real *work, size_t work_len,
                             size_t *step_len)
{
    if (foot == NULL || state == NULL || work == NULL) return TC_ERR_NULL;
    if (foot->shape.count > TC_SHAPE_MAX) return TC_ERR_SIZE;
    if (force != NULL && !tc_all_finite(force, 6)) return TC_ERR_NOT_FINITE;
    *step_len = TC_FOOT3_INFO_WORK + TC_FOOT3_WORK((size_t)foot->model.work_len);
    return tc_work_check(work, work_len, *step_len + TC_GROUND_WORK((size_t)foot->shape.count, 0u));
}

tc_status tc_ground_step_foot3(const tc_foot3 *foot, const tc_ground3 *ground, const tc_real *force,
                               tc_body3_state *state, tc_learned3_warm *warm, tc_foot3_info *info,
                               tc_real *work, size_t work_len)
{
    tc_ground3_stands stands;
    size_t step_len;
    tc_status status = check_step3(foot, force, state, work, work_len, &step_len);
    if (status < TC_OK) return refuse_ground3(status, info);
    tc_foot3 here = *foot;
    tc_body3_state next = *state;
    foresee_ground3(foot, force, &next);
    status = tc_ground3_find(ground, &foot->shape, state, &next, NULL, &stands, work + step_len,
                             work_len - step_len);
    if (status < TC_OK) return refuse_ground3(status, info);
    next = *state;
    const tc_status stepped =
        step_stands3(&stands, &here, force, &next, warm, info, work, step_len);
    if (stepped < TC_OK) return refuse_ground3(stepped, info);
    *state = next;
    return stepped != TC_OK ? stepped : status;
}

/* ---- In the plane ---------------------------------------------------------------------------- */

static tc_status refuse_ground2(tc_status status, tc_foot2_info *info)
{
    if (info != NULL) {
        memset(info, 0, sizeof *info);
        info->decision.branch = info->decision.said = TC_LEARNED_NONE;
    }
    return status;
}

static tc_status respond_ground2(const tc_ground2_stands *stands, tc_foot2 *foot,
                                 tc_body2_state *state, tc_real *work, size_t work_len)
{
    tc_status noted = TC_OK;
    const uint32_t turns = stands->count > 1u ? ROUNDS_GROUND * stands->count : 0u;
    for (uint32_t i = 1; i < turns; ++i) {
        const tc_ground2_stand *const stand = &stands->stand[i % stands->count];
        tc_patch2 patch;
        tc_detect2_unchecked(&stand->shape, state, &stand->plane, TCI_SCHEME_TOUCH, &patch);
        const tc_status status =
            tc_foot2_respond(foot, &patch, state->velocity, NULL, work, work_len);
        if (status < TC_OK) return status;
        if (status > TC_OK) noted = status;
    }
    return noted;
}

static tc_status step_stands2(const tc_ground2_stands *stands, tc_foot2 *foot, const tc_real *force,
                              tc_body2_state *state, tc_foot2_info *info, tc_real *work,
                              size_t work_len)
{
    foot->plane = stands->stand[0].plane;
    foot->shape = stands->stand[0].shape;
    const tc_status status = tc_foot2_step(foot, force, state, info, work, work_len);
    if (status < TC_OK) return status;
    const tc_status noted = respond_ground2(stands, foot, state, work, work_len);
    return noted != TC_OK ? noted : status;
}

static tc_status check_step2(const tc_foot2 *foot, const tc_real *force,
                             const tc_body2_state *state, const tc_real *work, size_t work_len,
                             size_t *step_len)
{
    if (foot == NULL || state == NULL || work == NULL) return TC_ERR_NULL;
    if (foot->shape.count > TC_SHAPE_MAX) return TC_ERR_SIZE;
    if (force != NULL && !tc_all_finite(force, 3)) return TC_ERR_NOT_FINITE;
    *step_len = TC_FOOT2_WORK((size_t)foot->model.work_len);
    return tc_work_check(work, work_len, *step_len + TC_GROUND_WORK((size_t)foot->shape.count, 0u));
}

static void foresee_ground2(const tc_foot2 *foot, const tc_real *force, tc_body2_state *ahead)
{
    if (force != NULL) {
        tc_body2_apply_wrench_core(&foot->body, force, foot->step, ahead->velocity);
    }
    tc_body2_move_core(foot->step, ahead->velocity, ahead->position);
}

tc_status tc_ground_step_foot2(const tc_foot2 *foot, const tc_ground2 *ground, const tc_real *force,
                               tc_body2_state *state, tc_foot2_info *info, tc_real *work,
                               size_t work_len)
{
    tc_ground2_stands stands;
    size_t step_len;
    tc_status status = check_step2(foot, force, state, work, work_len, &step_len);
    if (status < TC_OK) return refuse_ground2(status, info);
    tc_foot2 here = *foot;
    tc_body2_state next = *state;
    foresee_ground2(foot, force, &next);
    status = tc_ground2_find(ground, &foot->shape, state, &next, &stands, work + step_len,
                             work_len - step_len);
    if (status < TC_OK) return refuse_ground2(status, info);
    next = *state;
    const tc_status stepped = step_stands2(&stands, &here, force, &next, info, work, step_len);
    if (stepped < TC_OK) return refuse_ground2(stepped, info);
    *state = next;
    return stepped != TC_OK ? stepped : status;
}
