/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Feature map 1 of planar patches: from a query to the inputs of the nets. Free of any coefficient of
 * friction, and the same for every vertex and pose: what the nets see is the patch in contact space.
 *
 * dir(a, b, ..) is the vector divided by its Euclidean norm, 0 if the norm is below 1e-12 m/s; L(v) is
 * ln(max(v, 1e-6 m/s)); a : b is a / b clamped into [-2, 2], 0 if |b| < 1e-12 m/s. u is velocity of contact,
 * p stops, (f*, n*) is the arrest with n* the sum of its normals, n0 the sum of the frictionless ones.
 *
 *   group      point, 13 inputs                   edge, 19 inputs, corners by ascending x
 *   LEVER      x/k, y/k                           x_1/k, x_2/k, y/k
 *   RATIO      W_nt/W_nn, W_nt/W_tt               (none)
 *   VELOCITY   dir(u_t, u_n), L(|(u_t, u_n)|)     dir(u_t, u_1, u_2), L(|(u_t, u_1, u_2)|)
 *   STICK      dir(p_f, p_n)                      dir(p_f, p_1, p_2) of the patch
 *   SHARE      (none)                             frictionless n_1 / n0, 0 if n0 is below 1e-12
 *   STICK      (none)                             dir(p_f, p_1), dir(p_f, p_2) of the corners alone
 *   ARREST     dir(f*, n*), f* : n0, f* : n*      the same
 *
 * in the order of the table. Groups: tc_learned_feature of tc_learned.h.
 */
#ifndef TC_LEARNED2_FEATURES_H
#define TC_LEARNED2_FEATURES_H

#include "tc_learned2.h"

TC_BEGIN

#define TC_LEARNED2_FEATURES_MAX 20u /* room for those of any patch */

/* How many features a patch of `count` contacts has with the groups of `mask`; 0 if count is not 1 or 2. */
uint32_t tc_learned2_features_count(uint32_t count, uint32_t mask);

/* What the magnitude of each cannot exceed, whatever the query; returns how many. With it the nets' inputs
 * are proved harmless when a model is opened, and need no check in flight. */
uint32_t tc_learned2_features_bounds(uint32_t count, uint32_t mask, tc_real *bound);

/* Writes them, and returns how many. The query is as tc_learned2_query_init made it. Every feature is finite.
 * Cost on Cortex-M4F: about 200 instructions (point), 270 (edge), a logarithm in each. */
uint32_t tc_learned2_features(const tc_learned2_query *query, uint32_t mask, tc_real *features);

TC_END

#endif
