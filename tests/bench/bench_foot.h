/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The body that bench_foot2.c strikes the floor with, for the bench of limbs.
 */
#ifndef BENCH_FOOT_H
#define BENCH_FOOT_H

#include "bench.h"
#include "tinycontact.h"

/* Rectangle of 0.20 m x 0.12 m, 1 kg, nets 16-16 that say dynamic; made anew by each call. */
const tc_foot2 *bench_small_foot(void);

/* A tanh net of random weights in tiles of 8 x 1, what backends are fastest with, whose last biases
 * are these; range as tools/tinycontact/learn exports them. 3 outputs: a classifier. Up to 4 layers
 * at most 32 wide; memory for 4 nets, by index. */
void bench_make_net(uint32_t index, const uint16_t *dims, uint32_t n_layers, const tc_real *last,
                    tc_net *net);

#endif
