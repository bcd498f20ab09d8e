/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What is particular to AN505: the processor starts in Secure state, so the peripherals are reached
 * at their Secure addresses.
 */
#include "board.h"
#include "common/mps.h"

#define RX_IRQ 32

const mps_map mps = {
    .uart = 0x50200000u, .fpga_io = 0x50302000u, .hz = 20000000u, .rx_irq = RX_IRQ};

static void (*const interrupts[RX_IRQ + 1])(void) __attribute__((used, section(".vectors_irq"))) = {
    [RX_IRQ] = mps_receive,
};

const char *board_name(void)
{
    return "mps2-an505";
}
