/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What is particular to AN547: the processor starts in Secure state, so the peripherals are reached
 * at their Secure addresses.
 */
#include "board.h"
#include "common/mps.h"

const mps_map mps = {.uart = 0x59303000u, .fpga_io = 0x59302000u, .hz = 25000000u, .rx_irq = 33u};

const char *board_name(void)
{
    return "mps3-an547";
}
