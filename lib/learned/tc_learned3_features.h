/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Feature map 1 of a spatial point: from a query to the inputs of the nets. All in the contact's own frame
 * (1 along the tangential stop impulse, 2 across, n the normal: tc_learned3.h), so that turned and
 * mirrored contacts are the same; free of any coefficient of friction, and of lever arms: what a contact is
 * to the law, W and u say.
 *
 * p is the stop impulse, p_t its tangential length; f*, n*: p_t and p_n if p_n >= 0, else |W_tt^-1 u_t| and
 * 0; n0 = max(0, -u_n) / W_nn. dir, L and : as in tc_learned2_features.h.
 *
 *   group      13 inputs
 *   RATIO      W_1n, W_2n, W_11, W_22, W_12, each over W_nn
 *   VELOCITY   dir(u_1, u_2, u_n), L(|u|)
 *   STICK      dir(p_t, p_n)
 *   ARREST     f* : n0, f* : n*
 *
 * in the order of the table. tools/tinycontact/spatial/features.py is the twin.
 */
#ifndef TC_LEARNED3_FEATURES_H
#define TC_LEARNED3_FEATURES_H

#include "tc_learned3.h"

TC_BEGIN

#define TC_LEARNED3_FEATURES_MAX 13u

/* What the magnitude of each cannot exceed, whatever the query; returns how many there are with the groups of
 * `mask`. */
uint32_t tc_learned3_features_bounds(uint32_t mask, tc_real *bound);

/* Writes them, and returns how many. Every feature is finite. Cost on Cortex-M4F: about 230 instructions, a
 * logarithm in them. */
uint32_t tc_learned3_features(const tc_learned3_query *query, uint32_t mask, tc_real *features);

TC_END

#endif
