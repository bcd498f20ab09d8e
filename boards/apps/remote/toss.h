/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A convex body in space of the remote firmware: taken from a request, tossed, and followed.
 */
#ifndef TOSS_H
#define TOSS_H

#include "tinycontact.h"

#define TOSS_STATE 13u /* numbers of a state: position, quaternion, v, omega */
#define TOSS_ROW 3u    /* words of a row of a request: steps, step, weight */

/* A body and its memory. Nothing of it moves while the body is in use. */
typedef struct toss_room {
    tc_foot3 foot;
    tc_friction3 friction;
    tc_body3_state at;
    tc_learned3_warm warm;
    int keeps_warm;
    tc_real force[6];
    tc_real vertices[3u * TC_SHAPE_MAX];
    tc_real work[TC_FOOT3_WORK(TC_FRICTION3_WORK)];
} toss_room;

/* The body that `n` words of a request describe (remote.c has them). TC_ERR_SIZE if they are too
 * few or too many, else as tc_friction3_check, tc_foot3_init and tc_foot3_check. */
tc_status toss_take(toss_room *t, const uint32_t *words, uint32_t n);

/* Puts the body at a state, TOSS_STATE words. */
void toss_start(toss_room *t, const uint32_t *words);

/* Moves by one row: words[0] steps of length words[1] [s]; words[2] is the residual's weight. */
tc_status toss_move(toss_room *t, const uint32_t *words);

#endif
