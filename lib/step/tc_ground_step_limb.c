/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Steps of a limb on ground of any shape.
 *
 * Where the last link will be is told by its velocity of now alone: what forces of one step change
 * of that, h^2 g, is far below the margin of a cluster.
 */
#include "tc_exact.h"
#include "tc_ground_step.h"

#include "tc_body_core.h"
#include "tc_work.h"

#include <string.h>

static tc_status refuse_ground_limb3(tc_status status, tc_limb3_info *info)
{
    if (info != NULL) {
        memset(info, 0, sizeof *info);
        info->contact.contact.branch = info->contact.contact.said = TC_LEARNED_NONE;
    }
    return status;
}

/* The last link now and a step ahead */
static tc_status project_limb3(const tc_limb3 *limb, tc_limb3_state *state, tc_body3_state *now,
                               tc_body3_state *ahead)
{
    tc_chain3_motion *const motion = &state->motion;
    const tc_status status = tc_chain3_move(&limb->chain, state->q, state->qd, motion);
    if (status < TC_OK) return status;
    const tc_chain3_link_motion *const link = &motion->link[motion->links - 1u];
    for (uint32_t k = 0; k < 3u; ++k) {
        now->position[k] = motion->origin[k] + link->position[k];
    }
    memcpy(now->orientation, link->orientation, sizeof now->orientation);
    memcpy(now->velocity, link->velocity, sizeof now->velocity);
    *ahead = *now;
    tc_body3_move_core(limb->foot.step, ahead);
    return status;
}

tc_status tc_ground_step_limb3(const tc_limb3 *limb, const tc_ground3 *ground,
                               const tc_real *torque, tc_limb3_state *state, tc_limb3_info *info,
                               tc_real *work, size_t work_len)
{
    tc_ground3_stands stands;
    tc_body3_state now, ahead;
    if (limb == NULL || state == NULL || work == NULL)
        return refuse_ground_limb3(TC_ERR_NULL, info);
    const uint32_t dof = tc_chain3_dof(&limb->chain, limb->chain.count);
    const size_t step_len = TC_LIMB3_WORK((size_t)dof, limb->foot.model.work_len);
    tc_status status = tc_work_check(work, work_len, step_len);
    if (status >= TC_OK) status = project_limb3(limb, state, &now, &ahead);
    if (status >= TC_OK) {
        status = tc_ground3_find(ground, &limb->foot.shape, &now, &ahead, NULL, &stands,
                                 work + step_len, work_len - step_len);
    }
    if (status < TC_OK) return refuse_ground_limb3(status, info);
    tc_limb3 here = *limb;
    here.foot.plane = stands.stand[0].plane;
    here.foot.shape = stands.stand[0].shape;
    const tc_status stepped = tc_limb3_step(&here, torque, state, info, work, step_len);
    return stepped != TC_OK ? stepped : status;
}

static tc_status refuse_ground_limb2(tc_status status, tc_limb2_info *info)
{
    if (info != NULL) {
        memset(info, 0, sizeof *info);
        info->contact.decision.branch = info->contact.decision.said = TC_LEARNED_NONE;
    }
    return status;
}

static tc_status project_limb2(const tc_limb2 *limb, tc_limb2_state *state, tc_body2_state *now,
                               tc_body2_state *ahead)
{
    tc_chain2_motion *const motion = &state->motion;
    const tc_status status = tc_chain2_move(&limb->chain, state->q, state->qd, motion);
    if (status < TC_OK) return status;
    const tc_chain2_link_motion *const link = &motion->link[limb->chain.count - 1u];
    now->position[0] = motion->origin[0] + link->position[0];
    now->position[1] = motion->origin[1] + link->position[1];
    now->position[2] = link->position[2];
    memcpy(now->velocity, link->velocity, sizeof now->velocity);
    *ahead = *now;
    tc_body2_move_core(limb->foot.step, ahead->velocity, ahead->position);
    return status;
}

tc_status tc_ground_step_limb2(const tc_limb2 *limb, const tc_ground2 *ground,
                               const tc_real *torque, tc_limb2_state *state, tc_limb2_info *info,
                               tc_real *work, size_t work_len)
{
    tc_ground2_stands stands;
    tc_body2_state now, ahead;
    if (limb == NULL || state == NULL || work == NULL)
        return refuse_ground_limb2(TC_ERR_NULL, info);
    const uint32_t dof = tc_chain2_dof(&limb->chain, limb->chain.count);
    const size_t step_len = TC_LIMB2_WORK((size_t)dof, limb->foot.model.work_len);
    tc_status status = tc_work_check(work, work_len, step_len);
    if (status >= TC_OK) status = project_limb2(limb, state, &now, &ahead);
    if (status >= TC_OK) {
        status = tc_ground2_find(ground, &limb->foot.shape, &now, &ahead, &stands, work + step_len,
                                 work_len - step_len);
    }
    if (status < TC_OK) return refuse_ground_limb2(status, info);
    tc_limb2 here = *limb;
    here.foot.plane = stands.stand[0].plane;
    here.foot.shape = stands.stand[0].shape;
    const tc_status stepped = tc_limb2_step(&here, torque, state, info, work, step_len);
    return stepped != TC_OK ? stepped : status;
}
