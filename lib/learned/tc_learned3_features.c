/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Feature map 1 of a spatial point; the header has its definition.
 *
 * Bounds: W_nn >= 1, and all of W is at most 1 + TC_LEARNED_LEVER_MAX^2.
 */
#include "tc_exact.h"
#include "tc_learned3_features.h"

#include "tc_math.h"

#define SMALL_FEATURES3 TC_C(1e-12)     /* [m/s] no direction, no denominator */
#define SIZE_LEAST_FEATURES3 TC_C(1e-6) /* [m/s] least size that the logarithm tells */
#define RATIO_MOST_FEATURES3 TC_C(2.0)

#define MATRIX_BOUND (TC_C(1.01) * TC_LEARNED_LEVER_MAX * TC_LEARNED_LEVER_MAX)
#define UNIT_BOUND_FEATURES3 TC_C(2.0) /* of a direction: 1 and rounding */
#define LOG_BOUND_FEATURES3 TC_C(14.0) /* ln 1e-6 = -13.8; ln of the largest speed is 12 */

static tc_real *fill_features3(tc_real *at, uint32_t count, tc_real value)
{
    for (uint32_t i = 0; i < count; i++) {
        at[i] = value;
    }
    return at + count;
}

uint32_t tc_learned3_features_bounds(uint32_t mask, tc_real *bound)
{
    tc_real *at = bound;
    at = fill_features3(at, (mask & (uint32_t)TC_LEARNED_FEATURE_RATIO) != 0u ? 5u : 0u,
                        MATRIX_BOUND);
    at = fill_features3(at, (mask & (uint32_t)TC_LEARNED_FEATURE_VELOCITY) != 0u ? 3u : 0u,
                        UNIT_BOUND_FEATURES3);
    at = fill_features3(at, (mask & (uint32_t)TC_LEARNED_FEATURE_VELOCITY) != 0u ? 1u : 0u,
                        LOG_BOUND_FEATURES3);
    at = fill_features3(at, (mask & (uint32_t)TC_LEARNED_FEATURE_STICK) != 0u ? 2u : 0u,
                        UNIT_BOUND_FEATURES3);
    at = fill_features3(at, (mask & (uint32_t)TC_LEARNED_FEATURE_ARREST) != 0u ? 2u : 0u,
                        RATIO_MOST_FEATURES3);
    return (uint32_t)(at - bound);
}

/* a : b */
static inline tc_real clipped_features3(tc_real a, tc_real b)
{
    if (b < SMALL_FEATURES3 && b > -SMALL_FEATURES3) {
        return TC_C(0.0);
    }
    const tc_real ratio = a / b;
    return ratio > RATIO_MOST_FEATURES3    ? RATIO_MOST_FEATURES3
           : ratio < -RATIO_MOST_FEATURES3 ? -RATIO_MOST_FEATURES3
                                           : ratio;
}

static inline tc_real reciprocal_length(tc_real square)
{
    return square >= SMALL_FEATURES3 * SMALL_FEATURES3 ? TC_C(1.0) / tc_sqrt(square) : TC_C(0.0);
}

/* W turned into the contact's frame, over W_nn */
static void matrix_features(const tc_learned3_query *query, tc_real *out)
{
    const tc_real *const W = query->W;
    const tc_real c = query->axis[0], s = query->axis[1], scale = TC_C(1.0) / W[5];
    const tc_real across = scale * query->side, cc = c * c, ss = s * s, cs = c * s;
    const tc_real twice = TC_C(2.0) * cs * W[1];
    out[0] = TC_MLA(c * W[3], s, W[4]) * scale;
    out[1] = TC_MLS(c * W[4], s, W[3]) * across;
    out[2] = (TC_MLA(cc * W[0], ss, W[2]) + twice) * scale;
    out[3] = (TC_MLA(ss * W[0], cc, W[2]) - twice) * scale;
    out[4] = TC_MLA((cc - ss) * W[1], cs, W[2] - W[0]) * across;
}

static void velocity_features3(const tc_learned3_query *query, tc_real *out)
{
    const tc_real *const u = query->u, c = query->axis[0], s = query->axis[1];
    const tc_real square = TC_MLA(TC_MLA(u[0] * u[0], u[1], u[1]), u[2], u[2]);
    const tc_real scale = reciprocal_length(square),
                  least = SIZE_LEAST_FEATURES3 * SIZE_LEAST_FEATURES3;
    out[0] = TC_MLA(c * u[0], s, u[1]) * scale;
    out[1] = TC_MLS(c * u[1], s, u[0]) * (scale * query->side);
    out[2] = u[2] * scale;
    out[3] = TC_C(0.5) * tc_log(square > least ? square : least);
}

/* |W_tt^-1 u_t|; det W_tt >= 1 */
static tc_real tangential_stop(const tc_learned3_query *query)
{
    const tc_real *const W = query->W, *const u = query->u;
    const tc_real x = TC_MLS(W[2] * u[0], W[1], u[1]), y = TC_MLS(W[0] * u[1], W[1], u[0]);
    return tc_sqrt(TC_MLA(x * x, y, y)) / TC_MLS(W[0] * W[2], W[1], W[1]);
}

static void arrest_features3(const tc_learned3_query *query, tc_real *out)
{
    const int pulls = query->stop[2] < TC_C(0.0);
    const tc_real friction = pulls ? tangential_stop(query) : query->tangential;
    const tc_real normal = query->u[2] < TC_C(0.0) ? -query->u[2] / query->W[5] : TC_C(0.0);
    out[0] = clipped_features3(friction, normal);
    out[1] = pulls ? TC_C(0.0) : clipped_features3(friction, query->stop[2]);
}

uint32_t tc_learned3_features(const tc_learned3_query *query, uint32_t mask, tc_real *features)
{
    tc_real *out = features;
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_RATIO) != 0u) {
        matrix_features(query, out);
        out += 5;
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_VELOCITY) != 0u) {
        velocity_features3(query, out);
        out += 4;
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_STICK) != 0u) {
        const tc_real normal = query->stop[2], tangential = query->tangential;
        const tc_real scale = reciprocal_length(TC_MLA(tangential * tangential, normal, normal));
        out[0] = tangential * scale;
        out[1] = normal * scale;
        out += 2;
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_ARREST) != 0u) {
        arrest_features3(query, out);
        out += 2;
    }
    return (uint32_t)(out - features);
}
