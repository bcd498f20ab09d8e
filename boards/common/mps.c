/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * UART and clock of the MPS2 and MPS3 boards.
 *
 * The CMSDK UART (Arm DDI 0479) holds one byte each way: DATA at 0, STATE at 4 (bit 0 transmit
 * full, bit 1 receive full), CTRL at 8 (bit 0 transmit enable, bit 1 receive enable, bit 3 receive
 * interrupt), INTCLEAR at 0xC (bit 1 receive), BAUDDIV at 0x10. The clock is the FPGA block's
 * COUNTER at 0x18, which counts up once per PRESCALE (at 0x1C) + 1 cycles. The timers are left to
 * the application, and SysTick too, but see board_wait.
 *
 * Bytes come in by interrupt into a ring, because a single register is overwritten before a control
 * loop looks again. When the ring is full the interrupt is masked until board_read has made room:
 * an emulated sender then waits, a real one loses what comes.
 */
#include "mps.h"

#include "board.h"
#include "cortex_m.h"

#define BAUD 115200u

#define UART_DATA REGISTER(mps.uart)
#define UART_STATE REGISTER(mps.uart + 0x4u)
#define UART_CTRL REGISTER(mps.uart + 0x8u)
#define UART_BAUDDIV REGISTER(mps.uart + 0x10u)
#define UART_INTCLEAR REGISTER(mps.uart + 0xCu)
#define TX_FULL 1u
#define CTRL_ENABLE 3u
#define CTRL_RX_INTERRUPT 8u
#define RX_INTERRUPT 2u

/* Set enable, clear enable. */
#define NVIC_ISER REGISTER(0xE000E100u + 4u * (mps.rx_irq / 32u))
#define NVIC_ICER REGISTER(0xE000E180u + 4u * (mps.rx_irq / 32u))
#define RX_IRQ_BIT (1u << mps.rx_irq % 32u)

#define FPGA_COUNTER REGISTER(mps.fpga_io + 0x18u)
#define FPGA_PRESCALE REGISTER(mps.fpga_io + 0x1Cu)

static ring received;
static volatile uint8_t masked; /* the ring was full */

void mps_receive(void)
{
    if (ring_full(&received)) {
        masked = 1;
        NVIC_ICER = RX_IRQ_BIT;
        return;
    }
    UART_INTCLEAR = RX_INTERRUPT;
    ring_put(&received, (uint8_t)UART_DATA);
}

/* The FPGA answers reads and writes of addresses where nothing is, among them the 256 MB below the
 * RAM, so there a stack overflow would go on unseen. The memory protection unit forbids them. (An
 * Armv8-M processor has its stack limit instead.) */
static void guard_below_ram(void)
{
#if __ARM_ARCH < 8
    MPU_RNR = 0u;
    MPU_RBAR = 0x10000000u;
    /* no access, no execution; 2^(27 + 1) bytes; enabled */
    MPU_RASR = (1u << 28) | (27u << 1) | 1u;
    MPU_CTRL = (1u << 2) | 1u; /* elsewhere the default memory map; enabled */
    __asm__ volatile("dsb\n isb" ::: "memory");
#endif
}

void board_init(void)
{
    guard_below_ram();
    UART_BAUDDIV = (mps.hz + BAUD / 2u) / BAUD;
    UART_CTRL = CTRL_ENABLE | CTRL_RX_INTERRUPT;
    (void)UART_DATA; /* QEMU looks for input that came before the receiver was enabled */
    UART_INTCLEAR = RX_INTERRUPT;
    NVIC_ISER = RX_IRQ_BIT;
    FPGA_PRESCALE = 0u;
}

void board_write(const void *bytes, size_t n)
{
    const uint8_t *next = (const uint8_t *)bytes;
    for (size_t i = 0; i < n; ++i) {
        board_flush();
        UART_DATA = next[i];
    }
}

void board_flush(void)
{
    while (UART_STATE & TX_FULL) {
    }
}

size_t board_read(void *bytes, size_t n)
{
    const size_t got = ring_take(&received, bytes, n);
    if (masked && got > 0u) {
        masked = 0;
        NVIC_ISER = RX_IRQ_BIT;
    }
    return got;
}

void board_wait(void)
{
    board_wait_for(&received, mps.hz);
}

uint32_t board_ticks(void)
{
    return FPGA_COUNTER;
}

uint32_t board_tick_hz(void)
{
    return mps.hz;
}
