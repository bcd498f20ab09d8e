/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Provokes a fault of the processor, chosen by one byte on the UART, so that a test can check what
 * the handler says and how the program ends. The table below says what each byte does and which
 * words must appear; the exit status is in brackets.
 *
 *   u  undefined instruction            usage fault: undefined instruction [99]
 *   z  integer division by zero         usage fault: division by zero [99]
 *   a  LDRD from an odd address         usage fault: unaligned access [99]
 *   n  call through a null pointer      usage fault: not Thumb code [99]
 *   b  load from an unmapped address    bus fault: data access [99]
 *   i  call of an unmapped address      memory management fault: instruction fetch [99]
 *   s  stack overflow, push by push     stack overflow [99]
 *   f  stack overflow by a big frame    stack overflow [99]
 *   e  an exception without handler     exception or interrupt without a handler [99]
 *   k  a breakpoint, no debugger        hard fault: breakpoint without a debugger [99]
 *   c  stack used to its last word      stack overflow: all N bytes [98]
 *   x  none of it: the exit             [0]
 *
 * On the host, which has no such handler, only x is known.
 */
#include "board.h"

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

#include "common/cortex_m.h"

#define UNMAPPED 0xF8000000u /* nothing is there on any board */
#define PENDSVSET (1u << 28) /* in ICSR: requests the exception PendSV */

typedef void call(void);

static void divide_by_zero(void)
{
#if __ARM_ARCH > 6
    __asm__ volatile("movs r0, #0\n udiv r0, r0, r0" ::: "r0");
#endif
}

static void load_unaligned(void)
{
    uint32_t words[4] = {0};
#if __ARM_ARCH > 6
    __asm__ volatile("ldrd r2, r3, [%0]" ::"r"((char *)words + 1) : "r2", "r3", "memory");
#else
    __asm__ volatile("ldr r2, [%0]" ::"r"((char *)words + 1) : "r2", "memory");
#endif
}

static void call_address(uint32_t address)
{
    ((call *)(uintptr_t)address)();
}

static void overflow_by_pushes(void)
{
    __asm__ volatile("1: push {r0-r3}\n b 1b");
}

/* A frame of the whole stack's size, written from its far end, as a large local array would be. */
static void overflow_by_frame(void)
{
    __asm__ volatile(
        ".syntax unified\n mov r0, sp\n subs r0, r0, %0\n mov sp, r0\n str r0, [r0]" ::"l"(
            (uint32_t)board_stack_size())
        : "r0", "memory");
}

/* Writes the stack's whole free part, down to its very first word, without going below it. */
static void fill_stack(void)
{
    volatile uint32_t mark = 0u;
    for (volatile uint32_t *word = board_stack_bottom; word < &mark; ++word) {
        *word = 0u;
    }
}

static void provoke(char what)
{
    switch (what) {
    case 'u': __asm__ volatile("udf #0"); break;
    case 'z': divide_by_zero(); break;
    case 'a': load_unaligned(); break;
    case 'n': call_address(0u); break;
    case 'b': (void)REGISTER(UNMAPPED); break;
    case 'i': call_address(UNMAPPED | 1u); break;
    case 's': overflow_by_pushes(); break;
    case 'f': overflow_by_frame(); break;
    case 'e': ICSR = PENDSVSET; break;
    case 'k': __asm__ volatile("bkpt 1"); break;
    case 'c': fill_stack(); break;
    default: break;
    }
}

#else

static void provoke(char what)
{
    (void)what;
}

#endif

int app_main(void)
{
    char byte = '\n';
    board_print("fault: u z a n b i s f e k c, x to leave\n");
    while (byte == '\n') {
        (void)board_read(&byte, 1);
    }
    provoke(byte);
    board_print("still here\n");
    return 0;
}
