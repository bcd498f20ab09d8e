/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The floor under the foot, identified from impacts: PRIOR, IMPACT, SAVE and RESTORE of
 * docs/reference/wire.md, each answered by one frame. foot.c hands these frames on.
 *
 *     nothing known --PRIOR--> at the prior --IMPACT--> identified --HELLO, RESET, PRIOR--> at the
 *     prior
 *
 * RESTORE puts a saved estimate in the place of this one, after PRIOR has said whose impacts come.
 * What is refused leaves the estimate as it was. Answers depend on the bytes alone.
 */
#ifndef FLOOR_H
#define FLOOR_H

#include "tinycontact.h"
#include "tc_identify.h"

/* What one IMPACT needs of the foot's workspace. */
#define FOOT_FLOOR_WORK TC_IDENTIFY_BODY3_WORK(1u)

typedef struct foot_floor {
    tc_identify identify;    /* version 0: no PRIOR yet */
    tc_body3 body;           /* whose impacts these are */
    tc_wire_identified said; /* the last answer; number 0: no IMPACT since PRIOR or RESTORE */
} foot_floor;

/* What is answered: a frame of `length` bytes, or (length 0) a NAK with reason and status. */
typedef struct foot_floor_answer {
    uint32_t length;
    tc_wire_reason reason;
    tc_status status;
} foot_floor_answer;

/* A session begins: the prior stays, what was identified goes. */
void foot_floor_reset(foot_floor *f);

/* Acts on a frame of one of the four types and writes the answer to `e`. */
foot_floor_answer foot_floor_act(foot_floor *f, const tc_wire_frame *frame, tc_wire_encoder *e,
                                 tc_real *work, size_t work_len);

#endif
