/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Chains that the tests of tc_chain and tc_limb2 share.
 */
#ifndef CHAIN_CASE_H
#define CHAIN_CASE_H

#include "test.h"

#include "tc_chain2.h"

#define CHAIN_CASE_DOF TC_CHAIN2_DOF

/* A chain and the table of its links. */
typedef struct chain_case {
    tc_chain2_link links[TC_CHAIN_MAX];
    tc_chain2 chain;
    uint32_t dof;
} chain_case;

/* The study's limb: `count` links of 0.3 m and 1 kg hinged end to end, thin rods but the last, a
 * box of 0.3 x 0.06 m; the first hinge in the world at (0, height). Hanging straight to the right
 * at q = 0. */
void chain_case_swing(chain_case *c, uint32_t count, tc_real height);

/* Anything: masses and inertias within a factor `spread` of 1, joints of either kind,
 * a floating root if `floating`. */
void chain_case_random(chain_case *c, uint32_t count, int floating, tc_real spread);

#endif
