/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: closed contacts of systems on a line. A source of its own, so that the step keeps its
 * registers and the sequence is compiled for one dimension.
 *
 * Cost on Cortex-M4F: 20 instructions, and 50 for each contact that acts.
 */
#include "tc_cdl_core.h"

uint32_t tc_cdl_strike_line(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_real *D, tc_real *gap)
{
    const tc_cdl_room r = {.Q = Q, .V = V, .D = D, .gap = gap};
    return tc_cdl_sequence(cdl, &r, 1);
}
