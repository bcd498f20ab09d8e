/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What is particular to AN386.
 */
#include "board.h"
#include "common/mps.h"

#define RX_IRQ 0

const mps_map mps = {
    .uart = 0x40004000u, .fpga_io = 0x40028000u, .hz = 25000000u, .rx_irq = RX_IRQ};

static void (*const interrupts[RX_IRQ + 1])(void) __attribute__((used, section(".vectors_irq"))) = {
    [RX_IRQ] = mps_receive,
};

const char *board_name(void)
{
    return "mps2-an386";
}
