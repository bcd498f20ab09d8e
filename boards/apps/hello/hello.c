/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The smallest application, and the smoke test of a board: it says where it runs, waits a moment
 * for input, echoes what comes, and ends. A digit in the input becomes the exit status.
 *
 *   tinycontact 0.9.0 exact cortex-m4 tanh=table
 *   hello from mps2-an386, clock 25000000 Hz
 *   echo: abc7
 *   waited 1.35659997e-03 s, stack 124 of 32768 bytes
 */
#include "board.h"
#include "tinycontact.h"

/* The wait for input [ms]. */
#define PATIENCE 250u

/* Echoes bytes until the clock has run for PATIENCE or a digit came, which it returns. */
static int echo(void)
{
    uint32_t start = board_ticks(), wait = board_tick_hz() / 1000u * PATIENCE;
    char byte;
    while (board_ticks() - start < wait) {
        if (board_read(&byte, 1) == 0) {
            continue;
        }
        board_write(&byte, 1);
        if (byte >= '0' && byte <= '9') {
            return byte - '0';
        }
    }
    return 0;
}

int app_main(void)
{
    board_print(tc_version_text());
    board_print("\nhello from ");
    board_print(board_name());
    board_print(", clock ");
    board_print_u32(board_tick_hz());
    board_print(" Hz\necho: ");

    uint32_t start = board_ticks();
    int status = echo();
    uint32_t ticks = board_ticks() - start;

    board_print("\nwaited ");
    board_print_real((float)ticks / (float)board_tick_hz());
    board_print(" s, stack ");
    board_print_u32((uint32_t)board_stack_used());
    board_print(" of ");
    board_print_u32((uint32_t)board_stack_size());
    board_print(" bytes\n");
    return status;
}
