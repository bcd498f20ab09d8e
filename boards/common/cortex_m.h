/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Inside boards/: what start-up, fault handler and a board's own file share.
 *
 * Register addresses and bits are those of the Armv7-M and Armv8-M reference manuals (DDI 0403,
 * DDI 0553), by their names there.
 */
#ifndef CORTEX_M_H
#define CORTEX_M_H

#include "ring.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* interrupt control: number of the active exception in bits 8:0 */
#define ICSR REGISTER(0xE000ED04u)
#define VTOR REGISTER(0xE000ED08u)  /* vector table offset */
#define CCR REGISTER(0xE000ED14u)   /* configuration and control */
#define SHCSR REGISTER(0xE000ED24u) /* system handlers: which faults have handlers of their own */
#define CFSR REGISTER(0xE000ED28u)  /* memory management, bus and usage faults: what happened */
#define HFSR REGISTER(0xE000ED2Cu)  /* hard fault: why */
#define MMFAR REGISTER(0xE000ED34u) /* address of a memory management fault */
#define BFAR REGISTER(0xE000ED38u)  /* address of a bus fault */
#define MPU_CTRL REGISTER(0xE000ED94u) /* memory protection, Armv7-M form */
#define MPU_RNR REGISTER(0xE000ED98u)
#define MPU_RBAR REGISTER(0xE000ED9Cu)
#define MPU_RASR REGISTER(0xE000EDA0u)
#define SFSR REGISTER(0xE000EDE4u) /* secure fault (Armv8-M) */

#define CCR_DIV_0_TRP (1u << 4)
#define SHCSR_FAULTS ((1u << 16) | (1u << 17) | (1u << 18)) /* memory management, bus, usage */
#define SHCSR_SECURE_FAULT (1u << 19)
#define HFSR_VECTTBL (1u << 1)

/* What the stack is painted with; without a suffix, because assembler reads it too. */
#define STACK_PAINT 0xC5C5C5C5

/* From sections.ld. RAM holds, from its start: stack, fault handler's stack, data. */
extern uint32_t board_stack_bottom[], board_stack_top[], board_fault_stack_top[], board_ram_end[];
extern uint32_t board_data_start[], board_data_end[], board_bss_start[], board_bss_end[];
extern const uint32_t board_data_load[];

/* startup.c */
void board_reset(void);

/* fault.c: entry of every exception nobody handles. */
void board_fault_entry(void);

/* exit.c: ends the program at once, whatever state the stack is in. */
_Noreturn void board_halt(int status);

/* wait.c: until there is a byte in the ring, or about a millisecond at `hz`. */
void board_wait_for(const ring *r, uint32_t hz);

/* A board's own: prepares UART and clock; waits until the UART has sent all. */
void board_init(void);
void board_flush(void);

#endif
