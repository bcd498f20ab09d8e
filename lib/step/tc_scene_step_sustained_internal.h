/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Sustained contacts: flight and what impulses do to it.
 */
#ifndef TC_SCENE_STEP_SUSTAINED_INTERNAL_H
#define TC_SCENE_STEP_SUSTAINED_INTERNAL_H

#include "tc_scene_step_internal.h"

/* tc_scene_step_flight.c: moves q, v by h without contacts, wrenches included. */
void tci_scene_step_fly(const tci_scene_step_run *run, tc_real h, tc_real *q, tc_real *v);

/* Moves q by h times the rates `change`. */
void tci_scene_step_shift(const tci_scene_step_run *run, tc_real h, const tc_real *change,
                          tc_real *q);

/* Adds share times `change`, rates at q_middle, to the rates v at q_free: then those of q. Angular
 * momenta add. */
void tci_scene_step_add(const tci_scene_step_run *run, tc_real share, const tc_real *change,
                        const tc_real *q_middle, const tc_real *q_free, const tc_real *q,
                        tc_real *v);

#endif
