/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roll-outs of native_chain.
 */
#include "chain.h"

#include "handle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A chain with room for its links and workspace. */
typedef struct rig {
    tc_chain2_link links[TC_CHAIN_MAX];
    tc_limb2 limb;
    tc_limb2_state state;
    uint32_t dof;
    tc_real *work;
    size_t work_len;
} rig;

static void copy_pair(const double from[2], tc_real to[2])
{
    to[0] = (tc_real)from[0];
    to[1] = (tc_real)from[1];
}

static tc_status build(rig *r, const native *foot, const native_chain *chain)
{
    if (chain->count == 0u || chain->count > TC_CHAIN_MAX) {
        return TC_ERR_SIZE;
    }
    for (uint32_t i = 0; i < chain->count; i++) {
        const native_link *const from = &chain->links[i];
        tc_chain2_link *const to = &r->links[i];
        to->body.mass = (tc_real)from->mass;
        to->body.inertia = (tc_real)from->inertia;
        to->joint = (tc_chain_joint)from->joint;
        copy_pair(from->anchor, to->anchor);
        copy_pair(from->arm, to->arm);
        copy_pair(from->axis, to->axis);
    }
    r->limb.chain.links = r->links;
    r->limb.chain.count = chain->count;
    r->limb.chain.gravity[1] = (tc_real)-foot->gravity;
    r->limb.foot = foot->dacm;
    r->limb.foot.positions = (tc_scheme)chain->positions;
    r->limb.foot.plane.offset = (tc_real)chain->floor;
    r->limb.config =
        chain->solver == TC_LIMB2_POWELL ? tc_limb2_default_published() : tc_limb2_default();
    r->limb.config.start = (tc_limb2_start)chain->start;
    r->limb.config.warm = chain->warm;
    if (chain->tolerance >= 0) {
        r->limb.config.tolerance = (tc_real)chain->tolerance;
        r->limb.config.tolerance_least = (tc_real)(chain->tolerance * 0.01);
    }
    r->dof = tc_chain2_dof(&r->limb.chain, chain->count);
    r->work_len = TC_LIMB2_WORK(r->dof, foot->dacm.model.work_len);
    r->work = calloc(r->work_len, sizeof *r->work);
    return r->work == NULL ? TC_ERR_WORK : tc_limb2_check(&r->limb);
}

/* Speed of the last joint: what is upstream of it, at its place */
static double joint_speed(const tc_chain2_motion *motion)
{
    const tc_chain2_column *const joint = &motion->column[motion->dof - 1u];
    const tc_chain2_link_motion *const link = &motion->link[motion->links - 1u];
    const double x = (double)(joint->at[0] - link->position[0]);
    const double y = (double)(joint->at[1] - link->position[1]);
    if (joint->turn == 0) {
        return hypot((double)link->velocity[0], (double)link->velocity[1]);
    }
    return hypot((double)link->velocity[0] - (double)link->velocity[2] * y,
                 (double)link->velocity[1] + (double)link->velocity[2] * x);
}

static void look(const rig *r, const tc_limb2_info *info, tc_status status, native_tick *tick)
{
    tc_chain2_motion motion;
    memset(tick, 0, sizeof *tick);
    for (uint32_t k = 0; k < r->dof; k++) {
        tick->q[k] = (double)r->state.q[k];
        tick->qd[k] = (double)r->state.qd[k];
    }
    if (tc_chain2_move(&r->limb.chain, r->state.q, r->state.qd, &motion) == TC_OK) {
        tick->energy = (double)tc_chain2_kinetic(&r->limb.chain, &motion)
                       + (double)tc_chain2_potential(&r->limb.chain, &motion);
        tick->speed = joint_speed(&motion);
    }
    tick->residual = (double)info->residual;
    tick->violation = (double)info->violation;
    tick->penetration = (double)info->penetration;
    tick->status = (int32_t)status;
    tick->contacts = (int32_t)info->contact.count;
    tick->class_ = (int32_t)info->contact.decision.branch;
    tick->evaluations = (int32_t)info->evaluations;
    tick->solves = (int32_t)info->solves;
    tick->consistent = info->consistent;
}

static tc_status roll(rig *r, uint32_t ticks, native_tick *tick)
{
    tc_limb2_info info = {.contact.decision.branch = TC_LEARNED_NONE, .consistent = 1};
    tc_status status = TC_OK;
    look(r, &info, status, tick);
    for (uint32_t i = 1; i <= ticks && status >= 0; i++) {
        status = tc_limb2_step(&r->limb, NULL, &r->state, &info, r->work, r->work_len);
        look(r, &info, status, tick + i);
    }
    return status;
}

int32_t native_chain_run(native *foot, const native_chain *chain, const double *q, const double *qd,
                         uint32_t ticks, native_tick *tick)
{
    rig *const r = calloc(1, sizeof *r);
    tc_status status = r == NULL ? TC_ERR_WORK : build(r, foot, chain);
    for (uint32_t k = 0; status >= 0 && k < r->dof; k++) {
        r->state.q[k] = (tc_real)q[k];
        r->state.qd[k] = (tc_real)qd[k];
    }
    if (status >= 0) {
        status = roll(r, ticks, tick);
    }
    if (r != NULL) {
        free(r->work);
        free(r);
    }
    return (int32_t)status;
}
