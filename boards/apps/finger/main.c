/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The finger's firmware on a board: bytes from its UART to finger.c and back.
 *
 *     make firmware BOARD=mps2-an386 APP=finger
 */
#include "finger.h"

#include "apps/checked.h"
#include "board.h"

static finger application;

int app_main(void)
{
    const finger_board board = {
        .name = board_name(),
        .tick_hz = board_tick_hz(),
        .ticks = board_ticks,
        .stack_used = board_stack_used,
        .write = board_write,
    };
    if (!app_checked()) return 1;
    finger_init(&application, &board);
    for (;;) {
        uint8_t bytes[64];
        const size_t n = board_read(bytes, sizeof bytes);
        if (n > 0u) {
            finger_receive(&application, bytes, n);
        } else {
            board_wait();
        }
    }
}
