/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What is particular to AN385.
 */
#include "board.h"
#include "common/mps.h"

const mps_map mps = {.uart = 0x40004000u, .fpga_io = 0x40028000u, .hz = 25000000u, .rx_irq = 0u};

const char *board_name(void)
{
    return "mps2-an385";
}
