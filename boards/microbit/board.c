/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * nRF51822: UART as byte stream, TIMER0 as clock. Registers as in Nordic's reference manual.
 *
 * Bytes come in by interrupt into a ring. When the ring is full the interrupt is masked until
 * board_read has made room: an emulated sender then waits, a real one loses what comes.
 */
#include "board.h"
#include "common/cortex_m.h"

#define HZ 16000000u
#define BAUD_115200 0x01D7E000u

#define UART(offset) REGISTER(0x40002000u + (offset))
#define UART_STARTRX UART(0x000u)
#define UART_STARTTX UART(0x008u)
#define UART_RXDRDY UART(0x108u)
#define UART_TXDRDY UART(0x11Cu)
#define UART_INTENSET UART(0x304u)
#define UART_ENABLE UART(0x500u)
#define UART_PSELTXD UART(0x50Cu)
#define UART_PSELRXD UART(0x514u)
#define UART_RXD UART(0x518u)
#define UART_TXD UART(0x51Cu)
#define UART_BAUDRATE UART(0x524u)
#define RXDRDY_INTERRUPT (1u << 2)
#define ENABLED 4u
#define TX_PIN 24u
#define RX_PIN 25u

#define TIMER(offset) REGISTER(0x40008000u + (offset))
#define TIMER_START TIMER(0x000u)
#define TIMER_CAPTURE0 TIMER(0x040u)
#define TIMER_BITMODE TIMER(0x508u)
#define TIMER_PRESCALER TIMER(0x510u)
#define TIMER_CC0 TIMER(0x540u)
#define BITMODE_32 3u

#define UART_IRQ 2
#define NVIC_ISER REGISTER(0xE000E100u)
#define NVIC_ISPR REGISTER(0xE000E200u)
#define NVIC_ICER REGISTER(0xE000E180u)
#define UART_IRQ_BIT (1u << UART_IRQ)

static ring received;
static volatile uint8_t masked;  /* the ring was full */
static volatile uint8_t sending; /* a byte was given to the UART and TXDRDY is not read yet */

void UART0_IRQHandler(void);

void UART0_IRQHandler(void)
{
    while (UART_RXDRDY != 0u) {
        if (ring_full(&received)) {
            masked = 1;
            NVIC_ICER = UART_IRQ_BIT;
            return;
        }
        UART_RXDRDY = 0u;
        ring_put(&received, (uint8_t)UART_RXD);
    }
}

static void (*const interrupts[32])(void) __attribute__((used, section(".vectors_irq"))) = {
    [UART_IRQ] = UART0_IRQHandler,
};

const char *board_name(void)
{
    return "microbit";
}

void board_init(void)
{
    UART_PSELTXD = TX_PIN;
    UART_PSELRXD = RX_PIN;
    UART_BAUDRATE = BAUD_115200;
    UART_ENABLE = ENABLED;
    UART_STARTTX = 1u;
    UART_STARTRX = 1u;
    UART_INTENSET = RXDRDY_INTERRUPT;
    NVIC_ISER = UART_IRQ_BIT;
    TIMER_BITMODE = BITMODE_32;
    TIMER_PRESCALER = 0u;
    TIMER_START = 1u;
}

void board_flush(void)
{
    while (sending && UART_TXDRDY == 0u) {
    }
    sending = 0u;
}

void board_write(const void *bytes, size_t n)
{
    const uint8_t *next = (const uint8_t *)bytes;
    for (size_t i = 0; i < n; ++i) {
        board_flush();
        UART_TXDRDY = 0u;
        sending = 1u;
        UART_TXD = next[i];
    }
}

size_t board_read(void *bytes, size_t n)
{
    const size_t got = ring_take(&received, bytes, n);
    if (masked && got > 0u) {
        masked = 0;
        NVIC_ISPR = UART_IRQ_BIT; /* the byte that found no room */
        NVIC_ISER = UART_IRQ_BIT;
    }
    return got;
}

void board_wait(void)
{
    board_wait_for(&received, HZ);
}

uint32_t board_ticks(void)
{
    TIMER_CAPTURE0 = 1u;
    return TIMER_CC0;
}

uint32_t board_tick_hz(void)
{
    return HZ;
}
