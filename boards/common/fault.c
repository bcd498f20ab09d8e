/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * When the processor faults: says over the UART which fault, where and why, and exits with
 * BOARD_EXIT_FAULT. For example
 *
 *   fault at pc=0x000001c2 lr=0x000001b1: usage fault: undefined instruction
 *     exception=6 cfsr=0x00010000 hfsr=0x00000000
 *
 * pc is where the program was, lr (with its lowest bit set, for Thumb) where it would have
 * returned. Exceptions and interrupts without a handler end here too.
 *
 * A stack overflow runs out of the start of RAM (sections.ld), so the fault arrives with a stack
 * pointer that cannot be used: the handler changes to a stack of its own before it does anything.
 */
#include "board.h"
#include "cortex_m.h"

/* The words a processor pushes on exception entry. */
enum { FRAME_LR = 5, FRAME_PC = 6, FRAME_WORDS = 8 };

#define CFSR_MMARVALID (1u << 7)
#define CFSR_BFARVALID (1u << 15)
#define CFSR_STKOF (1u << 20)
#define HFSR_VECTTBL (1u << 1)
/* A push by exception entry failed (memory management, bus). */
#define CFSR_STACKING ((1u << 4) | (1u << 12))

/* BKPT n is 0xBE00 + n; 0xAB is semihosting's, here always the exit. */
#define BKPT_MASK 0xFF00u
#define BKPT 0xBE00u
#define BKPT_SEMIHOSTING 0xBEABu

/* An access this far below the stack is taken for an overflow: what a function's frame may
 * reach. */
#define OVERFLOW_REACH 0x10000u

static const struct {
    uint32_t bit;
    const char *text;
} causes[] = {
    {1u << 0, "memory management fault: instruction fetch from a forbidden address"},
    {1u << 1, "memory management fault: data access forbidden"},
    {1u << 3, "memory management fault: on return from an exception"},
    {1u << 4, "memory management fault: on entry to an exception"},
    {1u << 5, "memory management fault: while saving floating-point registers"},
    {1u << 8, "bus fault: instruction fetch from nowhere"},
    {1u << 9, "bus fault: data access"},
    {1u << 10, "bus fault: an earlier store (pc is past it)"},
    {1u << 11, "bus fault: on return from an exception"},
    {1u << 12, "bus fault: on entry to an exception"},
    {1u << 13, "bus fault: while saving floating-point registers"},
    {1u << 16, "usage fault: undefined instruction"},
    {1u << 17, "usage fault: not Thumb code (call through a null or wild pointer?)"},
    {1u << 18, "usage fault: invalid return from an exception"},
    {1u << 19, "usage fault: coprocessor or FPU not there or not enabled"},
    {CFSR_STKOF, "usage fault: stack limit"},
    {1u << 24, "usage fault: unaligned access"},
    {1u << 25, "usage fault: division by zero"},
};

enum { HARD_FAULT = 3, SECURE_FAULT = 7 };

typedef struct fault_registers {
    uint32_t exception, cfsr, hfsr, mmfar, bfar;
    uint32_t instruction; /* at pc, where that may be read; else 0 */
} fault_registers;

/* CFSR is cleared, so that a breakpoint in this handler is not taken for the first fault again. */
static fault_registers read_registers(void)
{
    fault_registers fault = {
        .exception = ICSR & 0x1ffu,
        .cfsr = CFSR,
        .hfsr = HFSR,
        .mmfar = MMFAR,
        .bfar = BFAR,
    };
    CFSR = fault.cfsr;
    return fault;
}

/* r0 = frame. The stack is changed unless the fault arose in this handler, whose frame then lies
 * on its own stack and must not be overwritten. */
__attribute__((naked)) void board_fault_entry(void)
{
    __asm__(".syntax unified                 \n"
            "mov r0, lr                      \n"
            "movs r1, #4                     \n"
            "tst r0, r1                      \n"
            "bne 1f                          \n"
            "mrs r0, msp                     \n"
            "b 2f                            \n"
            "1: mrs r0, psp                  \n"
            "2: ldr r1, =board_stack_top     \n"
            "cmp r0, r1                      \n"
            "bhs 3f                          \n"
            "ldr r1, =board_fault_stack_top  \n"
            "mov sp, r1                      \n"
            "3: ldr r1, =board_fault         \n"
            "bx r1                           \n");
}

/* Whether the frame was really written: it lies in RAM, the push did not fail, and it is not where
 * Armv8-M leaves the stack pointer when the push would have crossed the limit. */
static int is_written(const uint32_t *frame, uint32_t cfsr)
{
    return frame >= board_stack_bottom && frame + FRAME_WORDS <= board_ram_end
           && !(cfsr & CFSR_STACKING) && !((cfsr & CFSR_STKOF) && frame == board_stack_bottom);
}

static int is_just_below_stack(uint32_t address)
{
    return (uint32_t)(uintptr_t)board_stack_bottom - address - 1u < OVERFLOW_REACH;
}

static int is_overflow(const uint32_t *frame, const fault_registers *fault)
{
    return frame < board_stack_bottom || (fault->cfsr & (CFSR_STKOF | CFSR_STACKING))
           || ((fault->cfsr & CFSR_BFARVALID) && is_just_below_stack(fault->bfar))
           || ((fault->cfsr & CFSR_MMARVALID) && is_just_below_stack(fault->mmfar));
}

static void print_labelled(const char *label, uint32_t value)
{
    board_print(label);
    board_print_hex(value);
}

/* The causes, each behind a separator: ": " before the first. */
static void print_cause(const char **separator, const char *text)
{
    board_print(*separator);
    board_print(text);
    *separator = ", ";
}

static void print_causes(const uint32_t *frame, const fault_registers *fault)
{
    const char *separator = ": ";
    if (is_overflow(frame, fault)) {
        print_cause(&separator, "stack overflow");
    }
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; ++i) {
        if (fault->cfsr & causes[i].bit) {
            print_cause(&separator, causes[i].text);
        }
    }
    if (fault->hfsr & HFSR_VECTTBL) {
        print_cause(&separator, "hard fault: vector table cannot be read");
    } else if ((fault->instruction & BKPT_MASK) == BKPT) {
        print_cause(&separator, "hard fault: breakpoint without a debugger");
#if __ARM_ARCH == 6
    } else if (fault->exception == HARD_FAULT) {
        print_cause(&separator, "hard fault (Armv6-M does not tell the cause)");
#endif
    } else if (fault->exception > HARD_FAULT && fault->cfsr == 0u) {
        int secure = fault->exception == SECURE_FAULT;
        print_cause(&separator,
                    secure ? "secure fault" : "exception or interrupt without a handler");
    }
}

static void print_registers(const fault_registers *fault)
{
    board_print("\n  exception=");
    board_print_u32(fault->exception);
    print_labelled(" cfsr=", fault->cfsr);
    print_labelled(" hfsr=", fault->hfsr);
    if (fault->cfsr & CFSR_MMARVALID) {
        print_labelled(" mmfar=", fault->mmfar);
    }
    if (fault->cfsr & CFSR_BFARVALID) {
        print_labelled(" bfar=", fault->bfar);
    }
#if __ARM_ARCH >= 8
    print_labelled(" sfsr=", SFSR);
#endif
    board_print("\n");
}

_Noreturn void board_fault(const uint32_t *frame);

_Noreturn void board_fault(const uint32_t *frame)
{
    fault_registers fault = read_registers();
    int readable = is_written(frame, fault.cfsr);

    /* With a cause in CFSR the pc may point anywhere; without one, its instruction was executed. */
    if (readable && fault.cfsr == 0u && fault.hfsr != 0u) {
        fault.instruction = *(const uint16_t *)(uintptr_t)frame[FRAME_PC];
    }
    while (fault.instruction == BKPT_SEMIHOSTING) {
        __asm__ volatile("wfi"); /* the exit's, with nobody to answer: there is no more to do */
    }
    board_print("\nfault");
    if (readable) {
        print_labelled(" at pc=", frame[FRAME_PC]);
        print_labelled(" lr=", frame[FRAME_LR]);
    }
    print_causes(frame, &fault);
    print_registers(&fault);
    board_halt(BOARD_EXIT_FAULT);
}
