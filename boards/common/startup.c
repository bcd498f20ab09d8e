/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * From reset to app_main, for every Cortex-M.
 *
 * Order matters in board_reset: the stack is painted before anything is on it, and the floating-
 * point unit is enabled before any compiled code runs, because a compiler may use its registers
 * wherever it likes. Hence assembler, which uses neither.
 */
#include "board.h"
#include "cortex_m.h"

#include <string.h>

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

/* CPACR: full access to coprocessors 10 and 11, which are the FPU and Helium. */
#ifdef __ARM_FP
#define ENABLE_FPU                                                                                 \
    "ldr r0, =0xE000ED88  \n"                                                                      \
    "ldr r1, [r0]         \n"                                                                      \
    "orr r1, r1, #0xF00000\n"                                                                      \
    "str r1, [r0]         \n"                                                                      \
    "dsb                  \n"                                                                      \
    "isb                  \n"
#else
#define ENABLE_FPU ""
#endif

/* Armv8-M checks every change of the stack pointer against a limit. */
#if __ARM_ARCH >= 8
#define LIMIT_STACK "msr msplim, r0\n"
#else
#define LIMIT_STACK ""
#endif

/* Instructions that Armv6-M has, too. */
__attribute__((naked)) void board_reset(void)
{
    __asm__(".syntax unified             \n"
            "ldr r0, =board_stack_bottom \n"
            "ldr r1, =board_stack_top    \n"
            "mov sp, r1                  \n" LIMIT_STACK
            "ldr r2, =" TEXT(STACK_PAINT) "\n"
                                          "1: str r2, [r0]             \n"
                                          "adds r0, #4                 \n"
                                          "cmp r0, r1                  \n"
                                          "blo 1b                      \n" ENABLE_FPU
                                          "ldr r0, =board_start        \n"
                                          "bx r0                       \n");
}

static size_t bytes_between(const uint32_t *start, const uint32_t *end)
{
    return (size_t)((uintptr_t)end - (uintptr_t)start);
}

/* An application takes one of these by defining a function of its name. */
void SVC_Handler(void) __attribute__((weak, alias("board_unexpected")));
void PendSV_Handler(void) __attribute__((weak, alias("board_unexpected")));
void SysTick_Handler(void) __attribute__((weak, alias("board_unexpected")));
void board_unexpected(void);

__attribute__((naked)) void board_unexpected(void)
{
    __asm__("ldr r0, =board_fault_entry\n"
            "bx r0\n");
}

/* The architecture's table: initial stack pointer, then exceptions 1 to 15. */
static const struct {
    const void *stack;
    void (*exceptions[15])(void);
} vectors __attribute__((used, section(".vectors"))) = {
    board_stack_top,
    {
        board_reset,
        board_fault_entry /* NMI */,
        board_fault_entry /* hard fault */,
        board_fault_entry /* memory management */,
        board_fault_entry /* bus */,
        board_fault_entry /* usage */,
        board_fault_entry /* secure */,
        0,
        0,
        0,
        SVC_Handler,
        board_fault_entry /* debug monitor */,
        0,
        PendSV_Handler,
        SysTick_Handler,
    },
};

_Noreturn void board_start(void);

_Noreturn void board_start(void)
{
    memcpy(board_data_start, board_data_load, bytes_between(board_data_start, board_data_end));
    memset(board_bss_start, 0, bytes_between(board_bss_start, board_bss_end));
    VTOR = (uint32_t)(uintptr_t)&vectors;
    CCR |= CCR_DIV_0_TRP;
#if __ARM_ARCH >= 8
    SHCSR |= SHCSR_FAULTS | SHCSR_SECURE_FAULT;
#else
    SHCSR |= SHCSR_FAULTS;
#endif
    board_init();
    board_exit(app_main());
}
