/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What a finger touches: touches in, a ball's centre and radius out, each with its uncertainty.
 * docs/reference/wire.md has the messages.
 *
 * A state machine that is fed bytes and emits bytes; main.c ties it to a board. Frames depend on the
 * bytes alone, so the same bytes into the host's build give the same frames.
 *
 *     nothing known --FEEL--> waiting --TOUCH--> feeling --HELLO, RESET 0, FEEL--> waiting
 *
 * Each TOUCH is answered by FELT. A TOUCH that is refused changes nothing and is answered with the
 * ball before it. Memory: this struct, 3 KB on a Cortex-M.
 */
#ifndef FINGER_H
#define FINGER_H

#include "tinycontact.h"

/* What the application needs of a board. */
typedef struct finger_board {
    const char *name;
    uint32_t tick_hz;           /* rate of `ticks` [Hz] */
    uint32_t (*ticks)(void);    /* wraps at 2^32 */
    size_t (*stack_used)(void); /* [bytes] */
    void (*write)(const void *bytes, size_t n);
} finger_board;

typedef struct finger {
    finger_board board;
    tc_wire_decoder decoder;
    tc_wire_encoder encoder;
    uint32_t session;
    tc_touch touch;      /* scale 0: no FEEL yet */
    tc_wire_felt said;   /* the last answer; number 0: no TOUCH since FEEL */
    tc_wire_stats stats; /* `ticks` counts touches; `wire` and `stack` are filled when asked for */
} finger;

/* As after power-up; says BOOT. */
void finger_init(finger *f, const finger_board *board);

/* Acts on every frame that ends within these bytes. */
void finger_receive(finger *f, const uint8_t *bytes, size_t n);

#endif
