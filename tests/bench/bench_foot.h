/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The body that bench_dacm.c strikes the floor with, for the bench of limbs.
 */
#ifndef BENCH_FOOT_H
#define BENCH_FOOT_H

#include "bench.h"

/* Rectangle of 0.20 m x 0.12 m, 1 kg, nets 16-16 that say dynamic; made anew by each call. */
const tc_dacm *bench_small_foot(void);

#endif
