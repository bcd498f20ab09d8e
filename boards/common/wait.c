/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Waiting for bytes that an interrupt puts into a ring.
 *
 * First a while of looking: the bytes of a frame follow each other closely, and to wake an emulated
 * processor costs more than to receive a byte. Then asleep: WFI ends when an enabled interrupt is
 * pending, masked by PRIMASK or not, so that none slips in between the last look and the
 * instruction. SysTick bounds the time; it is started here if the application has not, and pends
 * only while asleep.
 */
#include "cortex_m.h"

#define LOOKS 2000u

#define SYST_CSR REGISTER(0xE000E010u)
#define SYST_RVR REGISTER(0xE000E014u)
#define SYST_CVR REGISTER(0xE000E018u)
#define CSR_ENABLE (1u << 0)
#define CSR_TICKINT (1u << 1)
#define CSR_CLKSOURCE (1u << 2) /* the processor's clock */
#define ICSR_PENDSTCLR (1u << 25)

/* Until an interrupt is pending, or about a millisecond. */
static void doze(uint32_t hz)
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

void board_wait_for(const ring *r, uint32_t hz)
{
    for (uint32_t look = 0; look < LOOKS; look++) {
        if (!ring_empty(r)) {
            return;
        }
    }
    __asm__ volatile("cpsid i" ::: "memory");
    if (ring_empty(r)) {
        doze(hz);
    }
    __asm__ volatile("cpsie i" ::: "memory");
}
