/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The board contract: a byte stream, a clock, an exit, and how deep the stack went.
 *
 * An application defines `int app_main(void)`. Start-up prepares memory, clock and UART, calls it,
 * and hands its result to board_exit. The same application text runs on every folder beside this
 * file; the host is a board too. A new board is one folder: board.mk names the processor and how to
 * run an image (common/cortex_m.mk says how), link.ld has the memory regions, and board.c defines
 * board_name, _write, _read, _wait, _ticks, _tick_hz and, of common/cortex_m.h, board_init and
 * board_flush.
 *
 * There is no heap: an image that wants malloc does not link.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define BOARD_NORETURN [[noreturn]]
extern "C" {
#else
#define BOARD_NORETURN _Noreturn
#endif

/* Exit statuses that start-up adds to those of the application. */
#define BOARD_EXIT_STACK 98 /* the stack reached its end; see board_exit */
#define BOARD_EXIT_FAULT 99 /* a processor fault, told in words on the byte stream */

/* The application's entry point. Supplied by the application, called once. */
int app_main(void);

/* The name of the folder. */
const char *board_name(void);

/* What the program was started with: on the host the first argument of the command line; null
 * without one, and on boards. */
const char *board_argument(void);

/* Sends n bytes over the board's UART (host: standard output); returns when the last was
 * accepted. */
void board_write(const void *bytes, size_t n);

/* Takes up to n bytes that have arrived on the UART (host: standard input). Never waits; returns
 * how many there were, 0 when none. What was sent before start-up opened the UART may be lost: let
 * the board speak first. */
size_t board_read(void *bytes, size_t n);

/* For a loop that has nothing to do: returns when bytes have arrived, or after about a millisecond,
 * or sooner. The processor sleeps meanwhile; under QEMU that is what leaves the emulator time to
 * bring the bytes. */
void board_wait(void);

/* A free-running counter that wraps at 2^32, and its rate [Hz]. Differences modulo 2^32 are good
 * for intervals up to 2^32 / board_tick_hz() seconds: 171 s or more on every board of this project
 * but an emulated netduinoplus2, whose counter runs at 1 GHz. */
uint32_t board_ticks(void);
uint32_t board_tick_hz(void);

/* Ends the program: waits for the last byte to leave, then ends the emulator or the process with
 * the low 8 bits of status. On a part with no debugger attached the processor sleeps for good.
 * If the stack was used to its last 16 bytes, says so and exits with BOARD_EXIT_STACK instead. */
BOARD_NORETURN void board_exit(int status);

/* Deepest use of the stack since reset, and the size of the stack [bytes]. Start-up paints the
 * stack and the paint is counted: O(board_stack_size()) time. The host does not measure: both
 * are 0. */
size_t board_stack_used(void);
size_t board_stack_size(void);

/* ---- Printing, the same on every board (common/print.c) -------------------------------------- */

void board_print(const char *text);
void board_print_char(int c);
void board_print_u32(uint32_t value); /* decimal */
void board_print_i32(int32_t value);  /* decimal */
void board_print_hex(uint32_t value); /* 0x and eight digits */

/* d.dddddddde+dd: nine significant digits, so that the nearest float to what is printed is x
 * itself; nan, inf and -inf as words. Integer arithmetic only: works before and without an FPU. */
void board_print_real(float x);

#ifdef __cplusplus
}
#endif

#endif
