/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The foot's firmware on a board: bytes from its UART to foot.c and back.
 *
 *     make firmware BOARD=mps2-an386 APP=foot
 *
 * RAM: two rooms of FOOT_MODEL_BYTES for a model (one in use, one for an upload), 20 KB beside
 * them.
 */
#include "foot.h"

#include "apps/checked.h"
#include "board.h"

/* Largest model file [bytes]; with it the application fits the 128 KB of an STM32F405. */
#ifndef FOOT_MODEL_BYTES
#define FOOT_MODEL_BYTES 32768u
#endif

/* Set by the test firmware beside this. */
#ifndef FOOT_BURN
#define FOOT_BURN NULL
#endif

static foot application;
static _Alignas(16) uint8_t model_room[2][FOOT_MODEL_BYTES];

int app_main(void)
{
    const foot_board board = {
        .name = board_name(),
        .tick_hz = board_tick_hz(),
        .ticks = board_ticks,
        .stack_used = board_stack_used,
        .write = board_write,
        .burn = FOOT_BURN,
        .model_room = {model_room[0], model_room[1]},
        .model_bytes = FOOT_MODEL_BYTES,
    };
    if (!app_checked()) return 1;
    foot_init(&application, &board);
    for (;;) {
        uint8_t bytes[64];
        const size_t n = board_read(bytes, sizeof bytes);
        if (n > 0u) {
            foot_receive(&application, bytes, n);
        } else {
            board_wait();
        }
        foot_watch(&application);
    }
}
