/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The least start-up code of a Cortex-M with FPU, for an emulated board with memory at 0 (QEMU's mps2-an386); newlib's
 * _start goes on and prints by semihosting. Your part's vendor has its own.
 */
#include <stdint.h>

extern void _start(void);
void start_reset(void);
extern void (*const start_vectors[2])(void);

#define STACK_TOP 0x20400000u
#define CPACR (*(volatile uint32_t *)0xE000ED88u)

__attribute__((section(".vectors"))) void (*const start_vectors[2])(void) = {
    (void (*)(void))STACK_TOP,
    start_reset,
};

void start_reset(void)
{
    CPACR |= 0xFu << 20; /* the FPU on, before the first float */
    __asm volatile("dsb\n\tisb");
    _start();
}
