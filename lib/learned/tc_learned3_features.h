/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Feature map 1 of a contact in space: computes the inputs of the nets from a query. All vectors
 * are in the contact's own frame (tc_learned3.h). Axis 1 is along the tangential stop impulse, axis
 * 2 across it, and n is the normal. Turned and mirrored contacts therefore have the same features.
 * The features contain neither a coefficient of friction nor lever arms; W and u determine them.
 *
 * Symbols:
 * - p: the stop impulse; p_t: the length of its tangential part.
 * - f*, n*: p_t and p_n if p_n >= 0, else |W_tt^-1 u_t| and 0.
 * - n0: max(0, -u_n) / W_nn.
 * - dir, L and the quotient a : b are those of tc_learned2_features.h.
 *
 *     group      13 inputs
 *     RATIO      W_1n, W_2n, W_11, W_22, W_12, each over W_nn
 *     VELOCITY   dir(u_1, u_2, u_n), L(|u|)
 *     STICK      dir(p_t, p_n)
 *     ARREST     f* : n0, f* : n*
 *
 * The inputs are in the order of the table. tools/tinycontact/spatial/features.py computes the same
 * map in Python.
 */
#ifndef TC_LEARNED3_FEATURES_H
#define TC_LEARNED3_FEATURES_H

#include "tc_learned3.h"

TC_BEGIN

#define TC_LEARNED3_FEATURES_MAX 13u /* array length that holds all features */

/* Writes the largest magnitude that each feature can have, for any query.
 * `bound[TC_LEARNED3_FEATURES_MAX]`: receives one number per feature. Returns their number with the
 * groups of `mask`. */
uint32_t tc_learned3_features_bounds(uint32_t mask, tc_real *bound);

/* Computes the features of a query that tc_learned3_query_init filled. Every feature is finite.
 * `features[TC_LEARNED3_FEATURES_MAX]`: receives one number per feature. Returns their number.
 * Cost: about 230 instructions on Cortex-M4F, with one logarithm; 120 bytes of stack. */
uint32_t tc_learned3_features(const tc_learned3_query *query, uint32_t mask, tc_real *features);

TC_END

#endif
