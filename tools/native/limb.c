/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roll-outs of native_limb.
 */
#include "limb.h"

#include <stdlib.h>
#include <string.h>

/* A chain with room for its links and workspace. */
typedef struct rig {
    tc_chain3_link links[TC_CHAIN_MAX];
    tc_limb3 leg;
    tc_limb3_state state;
    uint32_t dof, coordinates;
    tc_real *work;
    size_t work_len;
} rig;

static void copy(const double *from, tc_real *to, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        to[k] = (tc_real)from[k];
    }
}

static tc_status build(rig *r, const native_spatial *foot, const native_limb_link *links,
                       uint32_t count)
{
    if (count == 0u || count > TC_CHAIN_MAX) {
        return TC_ERR_SIZE;
    }
    for (uint32_t i = 0; i < count; i++) {
        const native_limb_link *const from = &links[i];
        tc_chain3_link *const to = &r->links[i];
        to->body.mass = (tc_real)from->mass;
        to->joint = (tc_chain_joint)from->joint;
        copy(from->inertia, to->body.inertia, 3);
        copy(from->anchor, to->anchor, 3);
        copy(from->axis, to->axis, 3);
        copy(from->rest, to->rest, 4);
        copy(from->arm, to->arm, 3);
    }
    double gravity;
    r->leg.foot = native_spatial_settings(foot, &gravity);
    r->leg.chain.links = r->links;
    r->leg.chain.count = count;
    r->leg.chain.gravity[2] = (tc_real)-gravity;
    r->dof = tc_chain3_dof(&r->leg.chain, count);
    r->coordinates = r->dof + (r->links[0].joint == TC_CHAIN_FREE);
    r->work_len = TC_LIMB3_WORK(r->dof, (size_t)r->leg.foot.model.work_len);
    r->work = calloc(r->work_len, sizeof *r->work);
    return r->work == NULL ? TC_ERR_WORK : tc_limb3_check(&r->leg);
}

static void look(const rig *r, const tc_limb3_info *info, tc_status status, native_limb_tick *tick)
{
    tc_chain3_motion motion;
    memset(tick, 0, sizeof *tick);
    for (uint32_t k = 0; k < r->coordinates; k++) {
        tick->q[k] = (double)r->state.q[k];
    }
    for (uint32_t k = 0; k < r->dof; k++) {
        tick->qd[k] = (double)r->state.qd[k];
    }
    if (tc_chain3_move(&r->leg.chain, r->state.q, r->state.qd, &motion) == TC_OK) {
        tick->energy = (double)tc_chain3_kinetic(&r->leg.chain, &motion)
                       + (double)tc_chain3_potential(&r->leg.chain, &motion);
    }
    tick->penetration = (double)info->penetration;
    tick->status = (int32_t)status;
    tick->contacts = (int32_t)info->contact.count;
    tick->class_ = (int32_t)info->contact.contact.branch;
    tick->ratios = (int32_t)info->contact.contact.ratios;
    tick->classes = (int32_t)info->contact.contact.classes;
    tick->consistent = info->consistent;
}

static tc_status roll(rig *r, uint32_t ticks, native_limb_tick *tick)
{
    tc_limb3_info info;
    tc_status status = TC_OK;
    memset(&info, 0, sizeof info);
    info.contact.contact.branch = TC_LEARNED_NONE;
    look(r, &info, status, tick);
    for (uint32_t i = 1; i <= ticks && status >= 0; i++) {
        status = tc_limb3_step(&r->leg, NULL, &r->state, &info, r->work, r->work_len);
        look(r, &info, status, tick + i);
    }
    return status;
}

int32_t native_limb_run(native_spatial *foot, const native_limb_link *links, uint32_t count,
                        const double *q, const double *qd, uint32_t ticks, native_limb_tick *tick)
{
    rig *const r = calloc(1, sizeof *r);
    tc_status status = r == NULL ? TC_ERR_WORK : build(r, foot, links, count);
    if (status >= 0) {
        copy(q, r->state.q, r->coordinates);
        copy(qd, r->state.qd, r->dof);
        status = roll(r, ticks, tick);
    }
    if (r != NULL) {
        free(r->work);
        free(r);
    }
    return (int32_t)status;
}
