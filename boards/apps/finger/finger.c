/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The finger's state machine: one function per message, each of which answers with one frame.
 */
#include "finger.h"

#include "apps/checked.h"

#include <string.h>

/* ---- Answers ------------------------------------------------------------------------------------ */

static void answer(finger *f, uint32_t length)
{
    f->board.write(f->encoder.frame, length);
}

static void refuse(finger *f, const tc_wire_frame *frame, tc_wire_reason reason, tc_status status)
{
    const tc_wire_nak nak = {frame->type, frame->sequence, reason, status};
    f->stats.naks++;
    answer(f, tc_wire_put_nak(&f->encoder, &nak));
}

static void say_boot(finger *f)
{
    tc_wire_boot boot = {
        .session = f->session, .version = tc_version(), .tick_hz = f->board.tick_hz};
    app_text(boot.text, f->board.name);
    answer(f, tc_wire_put_boot(&f->encoder, &boot));
}

/* The ball of the touches so far, and what became of the last one. */
static void tell(finger *f, uint32_t number, tc_status status, tc_touch_outcome outcome)
{
    const uint32_t missed = f->said.missed;
    tc_touch_ball ball;
    memset(&f->said, 0, sizeof f->said);
    f->said.found = tc_touch_read(&f->touch, &ball);
    f->said.number = number;
    f->said.status = status;
    f->said.outcome = (uint32_t)outcome;
    f->said.touches = f->touch.touches;
    f->said.normals = f->touch.normals;
    f->said.repeated = f->touch.repeated;
    f->said.missed = missed;
    for (uint32_t i = 0; i < 3u; i++) {
        f->said.centre[i] = (float)ball.centre[i];
    }
    for (uint32_t i = 0; i < 4u; i++) {
        f->said.sd[i] = (float)tc_sqrt(ball.covariance[5u * i]);
    }
    f->said.radius = (float)ball.radius;
    f->said.low = (float)ball.low;
    f->said.high = (float)ball.high;
    f->said.noise = (float)ball.noise;
}

static void say_felt(finger *f)
{
    answer(f, tc_wire_put_felt(&f->encoder, &f->said));
}

/* ---- Sessions ----------------------------------------------------------------------------------- */

/* Forgets the touches and keeps what FEEL said. */
static void begin_again(finger *f)
{
    memset(&f->said, 0, sizeof f->said);
    if (tc_touch_reset(&f->touch) == TC_OK) {
        tell(f, 0, TC_OK, TC_TOUCH_NONE);
    }
}

void finger_init(finger *f, const finger_board *board)
{
    const finger_board kept = *board; /* which may be f's own */
    memset(f, 0, sizeof *f);
    f->board = kept;
    tc_wire_decoder_init(&f->decoder);
    say_boot(f);
}

static void on_hello(finger *f, const tc_wire_frame *frame)
{
    tc_wire_hello hello;
    const tc_status status = tc_wire_get_hello(frame, &hello);
    if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
        return;
    }
    f->session = hello.session;
    begin_again(f);
    say_boot(f);
}

static void on_reset(finger *f, const tc_wire_frame *frame)
{
    tc_wire_reset reset;
    const tc_status status = tc_wire_get_reset(frame, &reset);
    if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
    } else if (reset.what == TC_WIRE_RESET_ALL) {
        finger_init(f, &f->board);
    } else {
        begin_again(f);
        say_boot(f);
    }
}

/* ---- Touches ------------------------------------------------------------------------------------ */

static void on_feel(finger *f, const tc_wire_frame *frame)
{
    tc_wire_feel said;
    tc_touch fresh;
    tc_status status = tc_wire_get_feel(frame, &said);
    if (status == TC_OK) {
        const tc_touch_config config = {.reach = (tc_real)said.reach,
                                        .noise = (tc_real)said.noise,
                                        .normal_noise = (tc_real)said.normal_noise,
                                        .tip = (tc_real)said.tip,
                                        .apart = (tc_real)said.apart};
        status = tc_touch_init(&fresh, &config);
    }
    if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
        return;
    }
    f->touch = fresh;
    begin_again(f);
    say_felt(f);
}

/* Adds the touch and reads the ball, timed. */
static void feel(finger *f, const tc_wire_touch *said)
{
    const uint32_t before = f->board.ticks();
    tc_touch_outcome outcome;
    tc_real point[3], normal[3];
    for (uint32_t i = 0; i < 3u; i++) {
        point[i] = (tc_real)said->point[i];
        normal[i] = (tc_real)said->normal[i];
    }
    const tc_status status =
        tc_touch_add(&f->touch, point, said->given != 0u ? normal : NULL, &outcome);
    tell(f, said->number, status, outcome);
    f->stats.last = f->board.ticks() - before;
    f->stats.worst = f->stats.last > f->stats.worst ? f->stats.last : f->stats.worst;
    f->stats.ticks++;
    f->stats.refused += status < TC_OK ? 1u : 0u;
}

static void on_touch(finger *f, const tc_wire_frame *frame)
{
    tc_wire_touch said;
    const tc_status status = tc_wire_get_touch(frame, &said);
    const uint32_t ahead = said.number - f->said.number;
    if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
    } else if (!(f->touch.scale > TC_C(0.0))) {
        refuse(f, frame, TC_WIRE_NAK_STATE, TC_OK);
    } else if (f->said.number > 0u && ahead >= 0x80000000u) {
        refuse(f, frame, TC_WIRE_NAK_OLD, TC_OK);
    } else {
        if (ahead > 0u) { /* else the answer was lost on its way */
            f->said.missed += f->said.number > 0u ? ahead - 1u : 0u;
            feel(f, &said);
        }
        say_felt(f);
    }
}

/* ---- The rest ----------------------------------------------------------------------------------- */

static void on_stats(finger *f)
{
    f->stats.stack = (uint32_t)f->board.stack_used();
    f->stats.wire = f->decoder.counters;
    answer(f, tc_wire_put_stats(&f->encoder, &f->stats));
}

static void act(finger *f, const tc_wire_frame *frame)
{
    switch (frame->type) {
    case TC_WIRE_HELLO: on_hello(f, frame); break;
    case TC_WIRE_RESET: on_reset(f, frame); break;
    case TC_WIRE_FEEL: on_feel(f, frame); break;
    case TC_WIRE_TOUCH: on_touch(f, frame); break;
    case TC_WIRE_STATS_REQUEST: on_stats(f); break;
    default: refuse(f, frame, TC_WIRE_NAK_TYPE, TC_OK); break;
    }
}

void finger_receive(finger *f, const uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        tc_wire_frame frame;
        tc_wire_result result;
        at += tc_wire_decode(&f->decoder, bytes + at, (uint32_t)(n - at), &frame, &result);
        if (result == TC_WIRE_FRAME) {
            act(f, &frame);
        } else if (result == TC_WIRE_OLD) {
            refuse(f, &frame, TC_WIRE_NAK_OLD, TC_OK);
        } else if (result == TC_WIRE_BAD) {
            refuse(f, &frame, TC_WIRE_NAK_FRAME, TC_OK);
        }
    }
}
