/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One function per message, each of which makes one answer.
 */
#include "floor.h"

#include <string.h>

_Static_assert(TC_WIRE_UNKNOWNS <= TC_IDENTIFY_MAX, "what goes over the wire fits the estimator");
_Static_assert(sizeof(tc_real) > sizeof(float) || sizeof(tc_identify) <= TC_WIRE_PAYLOAD_MAX,
               "a saved estimator fits a frame");

static foot_floor_answer refusal(tc_wire_reason reason, tc_status status)
{
    return (foot_floor_answer){0, reason, status};
}

/* ---- The estimates, as they are told ------------------------------------------------------------ */

static void tell(foot_floor *f, uint32_t number, tc_status status, tc_identify_outcome outcome)
{
    tc_identify_estimate found[TC_IDENTIFY_MAX];
    const uint32_t unknowns = 2u + f->identify.config.ratios, missed = f->said.missed;
    memset(&f->said, 0, sizeof f->said);
    (void)tc_identify_read(&f->identify, found);
    for (uint32_t i = 0; i < unknowns; ++i) {
        f->said.value[i] = (float)found[i].value;
        f->said.sd[i] = (float)found[i].sd;
        f->said.low[i] = (float)found[i].low;
        f->said.high[i] = (float)found[i].high;
    }
    f->said.number = number;
    f->said.status = status;
    f->said.outcome = (uint32_t)outcome;
    f->said.impacts = f->identify.impacts;
    f->said.outliers = f->identify.outliers;
    f->said.sticks = f->identify.sticks;
    f->said.reopened = f->identify.reopened;
    f->said.missed = missed;
    f->said.bound = (float)f->identify.bound;
}

static foot_floor_answer say(const foot_floor *f, tc_wire_encoder *e)
{
    return (foot_floor_answer){.length = tc_wire_put_identified(e, &f->said)};
}

static void begin_again(foot_floor *f)
{
    memset(&f->said, 0, sizeof f->said);
    tell(f, 0, TC_OK, TC_IDENTIFY_NONE);
}

void foot_floor_reset(foot_floor *f)
{
    if (tc_identify_reset(&f->identify) == TC_OK) {
        begin_again(f);
    }
}

/* ---- The messages ------------------------------------------------------------------------------- */

static void take_prior(const tc_wire_prior *from, tc_body3 *body, tc_identify_config *to)
{
    const tc_identify_config unused = tc_identify_default();
    memset(to, 0, sizeof *to); /* holes, too: what is saved has the same bytes on every board */
    memcpy(to->start, unused.start, sizeof to->start);
    memcpy(to->sd, unused.sd, sizeof to->sd);
    memcpy(to->drift, unused.drift, sizeof to->drift);
    memcpy(to->reopen, unused.reopen, sizeof to->reopen);
    to->ratios = from->ratios;
    to->law = (tc_impact_law)from->law;
    to->gate = (tc_real)from->gate;
    to->patience = from->patience;
    for (uint32_t i = 0; i < 2u + from->ratios; ++i) {
        to->start[i] = (tc_real)from->start[i];
        to->sd[i] = (tc_real)from->sd[i];
        to->drift[i] = (tc_real)from->drift[i];
        to->reopen[i] = (tc_real)from->reopen[i];
    }
    body->mass = (tc_real)from->mass;
    for (uint32_t i = 0; i < 3u; ++i) {
        body->inertia[i] = (tc_real)from->inertia[i];
    }
}

static foot_floor_answer on_prior(foot_floor *f, const tc_wire_frame *frame, tc_wire_encoder *e)
{
    tc_wire_prior prior;
    tc_identify_config config;
    tc_identify fresh;
    tc_body3 body;
    tc_status status = tc_wire_get_prior(frame, &prior);
    if (status == TC_OK) {
        take_prior(&prior, &body, &config);
        status = tc_body3_check(&body);
    }
    if (status == TC_OK) {
        status = tc_identify_init(&fresh, &config);
    }
    if (status != TC_OK) {
        return refusal(TC_WIRE_NAK_CONTENT, status);
    }
    f->identify = fresh;
    f->body = body;
    begin_again(f);
    return say(f, e);
}

static void take_impact(const tc_wire_impact *from, tc_real arm[3], tc_identify_touch3 *to)
{
    memset(to, 0, sizeof *to);
    to->n = 1;
    to->arms = arm;
    to->orientation[0] = TC_C(1.0); /* body axes are the world's */
    for (uint32_t i = 0; i < 3u; ++i) {
        to->normal[i] = (tc_real)from->normal[i];
        arm[i] = (tc_real)from->arm[i];
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        to->before[i] = (tc_real)from->before[i];
        to->after[i] = (tc_real)from->after[i];
    }
    to->linear_sd = (tc_real)from->linear_sd;
    to->angular_sd = (tc_real)from->angular_sd;
}

/* An impact that is refused is told like one that is not, with the estimates before it. */
static foot_floor_answer on_impact(foot_floor *f, const tc_wire_frame *frame, tc_wire_encoder *e,
                                   tc_real *work, size_t work_len)
{
    tc_wire_impact said;
    tc_identify_touch3 touch;
    tc_identify_info info;
    tc_real arm[3];
    tc_status status = tc_wire_get_impact(frame, &said);
    if (status != TC_OK) {
        return refusal(TC_WIRE_NAK_CONTENT, status);
    }
    const uint32_t ahead = said.number - f->said.number;
    if (f->said.number > 0u && ahead == 0u) { /* the answer was lost on its way */
        return say(f, e);
    }
    if (f->said.number > 0u && ahead >= 0x80000000u) {
        return refusal(TC_WIRE_NAK_OLD, TC_OK);
    }
    f->said.missed += f->said.number > 0u ? ahead - 1u : 0u;
    take_impact(&said, arm, &touch);
    status = tc_identify_update_body3(&f->identify, &f->body, &touch, NULL, &info, work, work_len);
    tell(f, said.number, status, info.outcome);
    return say(f, e);
}

static foot_floor_answer on_save(const foot_floor *f, tc_wire_encoder *e)
{
    tc_identify kept;
    const tc_wire_saved saved = {sizeof kept, (const uint8_t *)&kept};
    const tc_status status = tc_identify_save(&f->identify, &kept);
    const uint32_t length = status == TC_OK ? tc_wire_put_saved(e, &saved) : 0u;
    if (length == 0u) {
        return refusal(TC_WIRE_NAK_FAILED, status < TC_OK ? status : TC_ERR_SIZE);
    }
    return (foot_floor_answer){.length = length};
}

static foot_floor_answer on_restore(foot_floor *f, const tc_wire_frame *frame, tc_wire_encoder *e)
{
    tc_wire_restore restore;
    tc_identify kept; /* aligned, which the bytes in a frame are not */
    tc_status status = tc_wire_get_restore(frame, &restore);
    if (status == TC_OK && restore.n != sizeof kept) {
        status = TC_ERR_SIZE;
    }
    if (status == TC_OK) {
        memcpy(&kept, restore.bytes, sizeof kept);
        status = tc_identify_check(&kept);
    }
    if (status == TC_OK && kept.config.ratios != f->identify.config.ratios) {
        status = TC_ERR_UNSUPPORTED; /* other unknowns than PRIOR has announced */
    }
    if (status == TC_OK) {
        status = tc_identify_restore(&f->identify, &kept);
    }
    if (status != TC_OK) {
        return refusal(TC_WIRE_NAK_CONTENT, status);
    }
    begin_again(f);
    return say(f, e);
}

foot_floor_answer foot_floor_act(foot_floor *f, const tc_wire_frame *frame, tc_wire_encoder *e,
                                 tc_real *work, size_t work_len)
{
    if (frame->type == TC_WIRE_PRIOR) {
        return on_prior(f, frame, e);
    }
    if (f->identify.version == 0u) {
        return refusal(TC_WIRE_NAK_STATE, TC_OK);
    }
    switch (frame->type) {
    case TC_WIRE_IMPACT: return on_impact(f, frame, e, work, work_len);
    case TC_WIRE_SAVE: return on_save(f, e);
    default: return on_restore(f, frame, e);
    }
}
