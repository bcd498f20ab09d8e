/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Arm's MPS2 and MPS3 prototyping boards differ in addresses only: each board.c gives its map.
 */
#ifndef MPS_H
#define MPS_H

#include <stdint.h>

typedef struct mps_map {
    uint32_t uart;    /* base address of CMSDK UART 0 */
    uint32_t fpga_io; /* base address of the FPGA system control and I/O block */
    uint32_t hz;      /* clock of both */
    uint32_t rx_irq;  /* interrupt of the UART's receiver */
} mps_map;

extern const mps_map mps;

/* The receiver's interrupt, for the board's vector table. */
void mps_receive(void);

#endif
