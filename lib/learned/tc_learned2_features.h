/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Feature map 1 of patches in the plane: computes the inputs of the nets from a query. The features
 * contain no coefficient of friction. They describe the patch in contact space, so they are equal
 * for every vertex and pose with the same contact space.
 *
 * Symbols:
 * - dir(a, b, ..): the vector divided by its Euclidean norm; 0 if the norm is below 1e-12 m/s.
 * - L(v): ln(max(v, 1e-6 m/s)).
 * - a : b: the quotient a / b clamped to [-2, 2]; 0 if |b| < 1e-12 m/s.
 * - u: contact velocity; p: the impulses of `stops`.
 * - f*, n*: friction of the arrest, and the sum of its normals.
 * - n0: sum of the frictionless normals.
 *
 *     group      point, 13 inputs                   edge, 19 inputs, corners by ascending x
 *     LEVER      x/k, y/k                           x_1/k, x_2/k, y/k
 *     RATIO      W_nt/W_nn, W_nt/W_tt               (none)
 *     VELOCITY   dir(u_t, u_n), L(|(u_t, u_n)|)     dir(u_t, u_1, u_2), L(|(u_t, u_1, u_2)|)
 *     STICK      dir(p_f, p_n)                      dir(p_f, p_1, p_2) of the patch
 *     SHARE      (none)                             frictionless n_1 / n0, 0 if n0 is below 1e-12
 *     STICK      (none)                             dir(p_f, p_1), dir(p_f, p_2) of single corners
 *     ARREST     dir(f*, n*), f* : n0, f* : n*      the same
 *
 * The inputs are in the order of the table. Groups: tc_learned_feature of tc_learned.h.
 */
#ifndef TC_LEARNED2_FEATURES_H
#define TC_LEARNED2_FEATURES_H

#include "tc_learned2.h"

TC_BEGIN

#define TC_LEARNED2_FEATURES_MAX 20u /* array length that holds the features of any patch */

/* Returns the number of features of a patch of `count` contacts with the groups of `mask`; 0 if
 * count is neither 1 nor 2. */
uint32_t tc_learned2_features_count(uint32_t count, uint32_t mask);

/* Writes the largest magnitude that each feature can have, for any query. With these bounds the
 * nets' inputs are checked once, when a model is opened, and never in a step.
 * `bound[TC_LEARNED2_FEATURES_MAX]`: receives one number per feature. Returns their number. */
uint32_t tc_learned2_features_bounds(uint32_t count, uint32_t mask, tc_real *bound);

/* Computes the features of a query that tc_learned2_query_init filled. Every feature is finite.
 * `features[TC_LEARNED2_FEATURES_MAX]`: receives one number per feature. Returns their number.
 * Cost: about 200 instructions (point) or 270 (edge) on Cortex-M4F, with one logarithm; 136 bytes
 * of stack. */
uint32_t tc_learned2_features(const tc_learned2_query *query, uint32_t mask, tc_real *features);

TC_END

#endif
