/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The estimator of all feet of a robot behind a byte stream: sensors in, estimates out, each tick.
 * docs/reference/wire.md has the messages.
 *
 * A state machine that is fed bytes and the time and emits bytes; main.c ties it to a board and to
 * the robot's tables. Numbered frames depend on the bytes alone, so the same bytes into the host's
 * build give the same frames. What the clock causes (silence, overruns) is told by EVENT and
 * counted in STATS.
 *
 *     waiting --ROBOT--> running --HELLO, RESET--> waiting
 *
 * Waiting, the next ROBOT is where the estimator begins; all its limbs must report then. A limb
 * whose sensors are silent, or make no sense, is lost in this tick, and the others go on. Ticks that
 * never came, or were refused, are made up for when the next one comes, in ROBOT_CATCH_UP updates at
 * most. After more than ROBOT_GAP, or more time than these updates can span (ROBOT_STEP_MOST each), the
 * estimator begins with it.
 */
#ifndef ROBOT_H
#define ROBOT_H

#include "tinycontact.h"

/* Sensors missing that long are a silence, and a tick that long an overrun, where HELLO says
 * nothing else. */
#define ROBOT_SILENCE_MS 20u
#define ROBOT_BUDGET_US 1000u

#define ROBOT_CATCH_UP 3u /* updates, besides that of the tick itself */
#define ROBOT_GAP 20u     /* ticks */

/* What tc_feet_update takes as one tick [s]. */
#define ROBOT_STEP_MOST 0.1f

/* What the application needs of a board. */
typedef struct robot_board {
    const char *name;
    uint32_t tick_hz;           /* rate of `ticks` [Hz] */
    uint32_t (*ticks)(void);    /* wraps at 2^32 */
    size_t (*stack_used)(void); /* [bytes] */
    void (*write)(const void *bytes, size_t n);
} robot_board;

typedef struct robot {
    robot_board board;
    const tc_robot *tables;
    const tc_feet_config *config;
    tc_wire_decoder decoder;
    tc_wire_encoder encoder;
    uint32_t session, budget, silence; /* budget and silence in ticks of the board's clock */

    tc_feet feet;
    tc_real state[TC_FEET_STATE(TC_ROBOT_LIMBS)];
    tc_real work[TC_FEET_WORK];
    int running;                     /* the estimator has begun */
    uint32_t tick, good_tick;        /* of the last ROBOT, and of the last that was not refused */
    uint32_t unseen[TC_ROBOT_LIMBS]; /* ticks without sensors of a limb, up to good_tick */
    tc_feet_sensors sensors;         /* of good_tick */
    tc_wire_feet estimate;           /* the last one sent */
    tc_wire_stats stats;             /* `wire` and `stack` are filled when asked for */
    uint32_t heard;                  /* when the last ROBOT came */
    int silent;
} robot;

/* As after power-up; says BOOT. The caller keeps tables and config. */
void robot_init(robot *r, const robot_board *board, const tc_robot *tables,
                const tc_feet_config *config);

/* Acts on every frame that ends within these bytes. */
void robot_receive(robot *r, const uint8_t *bytes, size_t n);

/* Looks at the clock: to be called whenever the loop comes round, at least once per 2^31 ticks of
 * it. */
void robot_watch(robot *r);

#endif
