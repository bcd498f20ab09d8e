/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Asleep until something happens, for board_wait.
 *
 * WFI ends when an enabled interrupt is pending, masked by PRIMASK or not: so nothing has to be handled, and no
 * interrupt slips in between the caller's last look and the instruction. SysTick bounds the time; it is started here
 * if the application has not, and pends only while asleep.
 */
#include "cortex_m.h"

#define SYST_CSR REGISTER(0xE000E010u)
#define SYST_RVR REGISTER(0xE000E014u)
#define SYST_CVR REGISTER(0xE000E018u)
#define CSR_ENABLE (1u << 0)
#define CSR_TICKINT (1u << 1)
#define CSR_CLKSOURCE (1u << 2) /* the processor's clock */
#define ICSR_PENDSTCLR (1u << 25)

void board_sleep(uint32_t hz)
{
    const uint32_t before = SYST_CSR;
    if ((before & CSR_ENABLE) == 0u) {
        SYST_RVR = hz / 1000u - 1u;
        SYST_CVR = 0u;
    }
    SYST_CSR = before | CSR_ENABLE | CSR_TICKINT | CSR_CLKSOURCE;
    __asm__ volatile("dsb\n wfi" ::: "memory");
    if ((before & CSR_TICKINT) == 0u) { /* else it is the application's: its handler waits for it */
        SYST_CSR = before | CSR_ENABLE | CSR_CLKSOURCE;
        ICSR = ICSR_PENDSTCLR;
    }
}
