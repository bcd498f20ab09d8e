/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The ball's flight without checks: for the identification.
 */
#ifndef TC_BOUNCE_INTERNAL_H
#define TC_BOUNCE_INTERNAL_H

#include "tc_bounce.h"

/* TC_ERR_SHAPE: the ball begins inside a plane. */
tc_status tci_bounce_begin(tc_bounce_track *track, const tc_bounce *ball,
                           const tc_bounce_value *parameters, uint32_t n);

/* Passes all touches up to `time`. */
void tci_bounce_pass(tc_bounce_track *track, tc_real time);

/* Checks parameters[n]. */
tc_status tci_bounce_parameters(const tc_bounce_value *parameters, uint32_t n);

#endif
