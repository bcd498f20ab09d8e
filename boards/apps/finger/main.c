/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The finger's firmware on a board: bytes from its UART to finger.c and back.
 *
 *     make firmware BOARD=mps2-an386 APP=finger
 */
#include "finger.h"

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
    const uint32_t found = tc_selfcheck();
    if (found != 0u) { /* in words: no frame leaves a build whose numbers are not the library's */
        board_print("failed its check: ");
        board_print(tc_selfcheck_text(found));
        board_print("\n");
        return 1;
    }
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
