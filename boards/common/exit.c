/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The end of a program, and the measurement of its stack.
 *
 * The exit is semihosting's SYS_EXIT_EXTENDED: a breakpoint that an emulator or a debugger answers
 * by ending with the status. On a part with neither, the breakpoint becomes a hard fault; the
 * handler in fault.c recognises it and sleeps, so the same image works in both worlds. (Where the
 * program ends inside a hard fault already, the breakpoint locks the processor up: it stands as
 * still.)
 */
#include "board.h"
#include "cortex_m.h"

#define SYS_EXIT_EXTENDED 0x20u
#define ADP_STOPPED_APPLICATION_EXIT 0x20026u

/* Painted words at the end of the stack that must survive. */
#define CANARY_WORDS 4u

_Noreturn void board_halt(int status)
{
    const uint32_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, (uint32_t)status & 0xffu};
    board_flush();
    register uint32_t operation __asm__("r0") = SYS_EXIT_EXTENDED;
    register const uint32_t *argument __asm__("r1") = block;
    __asm__ volatile("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
    for (;;) {
        __asm__ volatile("wfi");
    }
}

void board_exit(int status)
{
    for (uint32_t i = 0; i < CANARY_WORDS; ++i) {
        if (board_stack_bottom[i] != STACK_PAINT) {
            board_print("\nstack overflow: all ");
            board_print_u32((uint32_t)board_stack_size());
            board_print(" bytes of the stack were used; see BOARD_STACK\n");
            board_halt(BOARD_EXIT_STACK);
        }
    }
    board_halt(status);
}

size_t board_stack_size(void)
{
    return (size_t)((uintptr_t)board_stack_top - (uintptr_t)board_stack_bottom);
}

size_t board_stack_used(void)
{
    const volatile uint32_t *deepest = board_stack_bottom;
    while (deepest < board_stack_top && *deepest == STACK_PAINT) {
        ++deepest;
    }
    return (size_t)((uintptr_t)board_stack_top - (uintptr_t)deepest);
}

const char *board_argument(void)
{
    return NULL;
}
