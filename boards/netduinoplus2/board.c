/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * STM32F405: USART1 as byte stream, TIM2 as clock. Registers as in ST's reference manual RM0090.
 *
 * The part stays on its internal oscillator HSI, 16 MHz, as it comes out of reset: flash then has
 * no wait states, so measured cycles are the processor's own.
 *
 * Bytes come in by interrupt into a ring, because at 115200 baud the receiver's single register is
 * overwritten after 87 us and a control loop looks once a millisecond (12 bytes). When the ring is
 * full the interrupt is masked until board_read has made room: an emulated sender then waits, a
 * real one loses what comes, so it must not be more than RING_SIZE - 1 bytes ahead.
 *
 * QEMU knows the USART and the timers, but not RCC and GPIO, which read 0 there: nothing here waits
 * for them. Its timers count at 1 GHz; that RCC says the oscillator is not running, which no
 * program on a real part can ever read, is how board_tick_hz tells.
 */
#include "board.h"
#include "common/cortex_m.h"

#define HSI_HZ 16000000u
#define QEMU_TIMER_HZ 1000000000u
#define BAUD 115200u

#define RCC_CR REGISTER(0x40023800u)
#define RCC_CR_HSIRDY (1u << 1)
#define RCC_AHB1ENR REGISTER(0x40023830u)
#define RCC_AHB1ENR_GPIOA (1u << 0)
#define RCC_APB1ENR REGISTER(0x40023840u)
#define RCC_APB1ENR_TIM2 (1u << 0)
#define RCC_APB2ENR REGISTER(0x40023844u)
#define RCC_APB2ENR_USART1 (1u << 4)

#define GPIOA_MODER REGISTER(0x40020000u) /* 2 bits per pin */
#define GPIOA_PUPDR REGISTER(0x4002000Cu) /* 2 bits per pin */
#define GPIOA_AFRH REGISTER(0x40020024u)  /* 4 bits per pin, from pin 8 */
#define PIN2(pin, value) ((uint32_t)(value) << (2 * (pin)))
#define PIN4(pin, value) ((uint32_t)(value) << (4 * ((pin) - 8)))
#define TX_PIN 9
#define RX_PIN 10
#define MODE_ALTERNATE 2u
#define AF_USART1 7u
#define PULL_UP 1u

#define USART1_SR REGISTER(0x40011000u)
#define USART1_DR REGISTER(0x40011004u)
#define USART1_BRR REGISTER(0x40011008u)
#define USART1_CR1 REGISTER(0x4001100Cu)
#define SR_ORE (1u << 3)
#define SR_RXNE (1u << 5)
#define SR_TC (1u << 6)
#define SR_TXE (1u << 7)
#define CR1_RE (1u << 2)
#define CR1_TE (1u << 3)
#define CR1_RXNEIE (1u << 5)
#define CR1_UE (1u << 13)

#define TIM2_CR1 REGISTER(0x40000000u)
#define TIM2_CNT REGISTER(0x40000024u)
#define TIM2_ARR REGISTER(0x4000002Cu)
#define CR1_CEN 1u

#define USART1_IRQ 37
#define USART1_IRQ_BIT (1u << (USART1_IRQ - 32))
#define NVIC_ISER1 REGISTER(0xE000E104u) /* set enable, interrupts 32 to 63 */
#define NVIC_ISPR1 REGISTER(0xE000E204u) /* set pending */
#define NVIC_ICER1 REGISTER(0xE000E184u) /* clear enable */

static ring received;
static volatile uint8_t masked; /* the ring was full */

void USART1_IRQHandler(void);

/* Reading SR, then DR, also clears an overrun, which would otherwise interrupt for ever. Where SR
 * tells of neither a byte nor an overrun, DR is left alone: a byte that came since would be taken
 * out and thrown away. Until there is no byte: QEMU takes the interrupt back when DR is read, even
 * if that has brought the next byte. */
void USART1_IRQHandler(void)
{
    uint32_t status;
    do {
        if (ring_full(&received)) {
            masked = 1;
            NVIC_ICER1 = USART1_IRQ_BIT;
            return;
        }
        status = USART1_SR;
        const uint32_t byte = status & (SR_RXNE | SR_ORE) ? USART1_DR : 0u;
        if (status & SR_RXNE) {
            ring_put(&received, (uint8_t)byte);
        }
    } while (status & SR_RXNE);
}

/* The STM32F405's 82 interrupts. Entries left 0 fault when taken, as not Thumb code. */
static void (*const interrupts[82])(void) __attribute__((used, section(".vectors_irq"))) = {
    [USART1_IRQ] = USART1_IRQHandler,
};

const char *board_name(void)
{
    return "netduinoplus2";
}

void board_init(void)
{
    RCC_AHB1ENR |= RCC_AHB1ENR_GPIOA;
    RCC_APB1ENR |= RCC_APB1ENR_TIM2;
    RCC_APB2ENR |= RCC_APB2ENR_USART1;
    (void)RCC_APB2ENR; /* a clock is there two cycles after its bit is set */

    GPIOA_AFRH = (GPIOA_AFRH & ~(PIN4(TX_PIN, 15u) | PIN4(RX_PIN, 15u))) | PIN4(TX_PIN, AF_USART1)
                 | PIN4(RX_PIN, AF_USART1);
    GPIOA_PUPDR = (GPIOA_PUPDR & ~PIN2(RX_PIN, 3u)) | PIN2(RX_PIN, PULL_UP);
    GPIOA_MODER = (GPIOA_MODER & ~(PIN2(TX_PIN, 3u) | PIN2(RX_PIN, 3u)))
                  | PIN2(TX_PIN, MODE_ALTERNATE) | PIN2(RX_PIN, MODE_ALTERNATE);

    USART1_BRR = (HSI_HZ + BAUD / 2u) / BAUD;
    USART1_CR1 = CR1_UE | CR1_TE | CR1_RE | CR1_RXNEIE;
    NVIC_ISER1 = USART1_IRQ_BIT;

    TIM2_ARR = 0xFFFFFFFFu;
    TIM2_CR1 = CR1_CEN;
}

void board_write(const void *bytes, size_t n)
{
    const uint8_t *next = (const uint8_t *)bytes;
    for (size_t i = 0; i < n; ++i) {
        while (!(USART1_SR & SR_TXE)) {
        }
        USART1_DR = next[i];
    }
}

void board_flush(void)
{
    while (!(USART1_SR & SR_TC)) {
    }
}

size_t board_read(void *bytes, size_t n)
{
    const size_t got = ring_take(&received, bytes, n);
    if (masked && got > 0u) {
        masked = 0;
        NVIC_ISPR1 = USART1_IRQ_BIT; /* the byte that found no room */
        NVIC_ISER1 = USART1_IRQ_BIT;
    }
    return got;
}

void board_wait(void)
{
    board_wait_for(&received, HSI_HZ);
}

uint32_t board_ticks(void)
{
    return TIM2_CNT;
}

uint32_t board_tick_hz(void)
{
    return (RCC_CR & RCC_CR_HSIRDY) ? HSI_HZ : QEMU_TIMER_HZ;
}
