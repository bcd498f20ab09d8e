/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Feature map 1; the header has its definition.
 *
 * Why these: what limits small nets in closed loop is the relative error of small impulses, and
 * inputs free of scale cure it: directions, and sizes only as a logarithm. The impulses of STICK
 * and ARREST are what the branches of Algorithm 1 solve anyway; they hold no coefficient of
 * friction.
 *
 * Norms: the guard compares squares (1e-24 is far above float's smallest normal number), so one
 * root and one divide serve a whole vector.
 */
#include "tc_exact.h"
#include "tc_learned2_features.h"

#include "tc_math.h"

#define SMALL_FEATURES2 TC_C(1e-12)     /* [m/s] no direction, no denominator */
#define SIZE_LEAST_FEATURES2 TC_C(1e-6) /* [m/s] least size that the logarithm tells */
#define RATIO_MOST_FEATURES2 TC_C(2.0)

/* Group and bound of every feature in order; the number of features is where the first 0 stands. */
typedef struct feature {
    uint8_t group, bound;
} feature;

#define LEVER_BOUND (uint8_t) TC_LEARNED_LEVER_MAX
#define UNIT_BOUND_FEATURES2 2 /* of a direction: 1 and rounding */
#define LOG_BOUND_FEATURES2 14 /* ln 1e-6 = -13.8; ln of the largest speed is 12 */
#define CLIP_BOUND 2
#define LEVER {TC_LEARNED_FEATURE_LEVER, LEVER_BOUND}
#define RATIO {TC_LEARNED_FEATURE_RATIO, LEVER_BOUND} /* |x y| / (1 + x^2) and |x y| / (1 + y^2) */
#define MOTION {TC_LEARNED_FEATURE_VELOCITY, UNIT_BOUND_FEATURES2}
#define SIZE_FEATURES2 {TC_LEARNED_FEATURE_VELOCITY, LOG_BOUND_FEATURES2}
#define STICK {TC_LEARNED_FEATURE_STICK, UNIT_BOUND_FEATURES2}
#define SHARE_FEATURES2 {TC_LEARNED_FEATURE_SHARE, CLIP_BOUND}
#define ARREST {TC_LEARNED_FEATURE_ARREST, UNIT_BOUND_FEATURES2}
#define CLIPPED {TC_LEARNED_FEATURE_ARREST, CLIP_BOUND}

static const feature map[2][TC_LEARNED2_FEATURES_MAX] = {
    {LEVER, LEVER, RATIO, RATIO, MOTION, MOTION, SIZE_FEATURES2, STICK, STICK, ARREST, ARREST,
     CLIPPED, CLIPPED},
    {LEVER, LEVER, LEVER, MOTION, MOTION, MOTION, SIZE_FEATURES2, STICK, STICK, STICK,
     SHARE_FEATURES2, STICK, STICK, STICK, STICK, ARREST, ARREST, CLIPPED, CLIPPED},
};

uint32_t tc_learned2_features_bounds(uint32_t count, uint32_t mask, tc_real *bound)
{
    uint32_t n = 0;
    if (count == 0u || count > 2u) {
        return 0;
    }
    for (const feature *f = map[count - 1u]; f->group != 0u; f++) {
        if ((mask & f->group) != 0u) {
            bound[n++] = (tc_real)f->bound;
        }
    }
    return n;
}

uint32_t tc_learned2_features_count(uint32_t count, uint32_t mask)
{
    tc_real bound[TC_LEARNED2_FEATURES_MAX];
    return tc_learned2_features_bounds(count, mask, bound);
}

/* dir(a, b) to out[2]; returns where to go on. */
static tc_real *put_direction2(tc_real a, tc_real b, tc_real *out)
{
    const tc_real square = a * a + b * b;
    const tc_real scale =
        square >= SMALL_FEATURES2 * SMALL_FEATURES2 ? TC_C(1.0) / tc_sqrt(square) : TC_C(0.0);
    out[0] = a * scale;
    out[1] = b * scale;
    return out + 2;
}

static tc_real *put_direction3(const tc_real *v, tc_real *out)
{
    const tc_real square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const tc_real scale =
        square >= SMALL_FEATURES2 * SMALL_FEATURES2 ? TC_C(1.0) / tc_sqrt(square) : TC_C(0.0);
    for (uint32_t i = 0; i < 3u; i++) {
        out[i] = v[i] * scale;
    }
    return out + 3;
}

/* L(v) of the square of v: half the logarithm saves the root. */
static tc_real log_size(tc_real square)
{
    return TC_C(0.5)
           * tc_log(square > SIZE_LEAST_FEATURES2 * SIZE_LEAST_FEATURES2
                        ? square
                        : SIZE_LEAST_FEATURES2 * SIZE_LEAST_FEATURES2);
}

/* a : b */
static tc_real clipped_features2(tc_real a, tc_real b)
{
    if (b < SMALL_FEATURES2 && b > -SMALL_FEATURES2) {
        return TC_C(0.0);
    }
    const tc_real ratio = a / b;
    return ratio > RATIO_MOST_FEATURES2    ? RATIO_MOST_FEATURES2
           : ratio < -RATIO_MOST_FEATURES2 ? -RATIO_MOST_FEATURES2
                                           : ratio;
}

static tc_real *arrest_features2(const tc_learned2_query *query, tc_real *out)
{
    const tc_real f = query->stops.arrest[0], n = query->stops.arrest[1] + query->stops.arrest[2];
    out = put_direction2(f, n, out);
    out[0] = clipped_features2(f, query->frictionless[0] + query->frictionless[1]);
    out[1] = clipped_features2(f, n);
    return out + 2;
}

static tc_real *point_features(const tc_learned2_query *query, uint32_t mask, tc_real *out)
{
    const tc_learned2_space *const space = &query->space;
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_LEVER) != 0u) {
        out[0] = query->lever[0];
        out[1] = query->height;
        out += 2;
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_RATIO) != 0u) {
        out[0] = space->W_tn[0] / space->W_nn[0];
        out[1] = space->W_tn[0] / space->W_tt;
        out += 2;
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_VELOCITY) != 0u) {
        const tc_real a = space->slip, b = space->approach[0];
        out = put_direction2(a, b, out);
        *out++ = log_size(a * a + b * b);
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_STICK) != 0u) {
        out = put_direction2(query->stops.stop[0], query->stops.stop[1], out);
    }
    return out;
}

static tc_real *edge_features(const tc_learned2_query *query, uint32_t mask, tc_real *out)
{
    const tc_learned2_stops *const stops = &query->stops;
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_LEVER) != 0u) {
        out[0] = query->lever[0];
        out[1] = query->lever[1];
        out[2] = query->height;
        out += 3;
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_VELOCITY) != 0u) {
        const tc_real u[3] = {query->space.slip, query->space.approach[0],
                              query->space.approach[1]};
        out = put_direction3(u, out);
        *out++ = log_size(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_STICK) != 0u) {
        out = put_direction3(stops->stop, out);
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_SHARE) != 0u) {
        *out++ = clipped_features2(query->frictionless[0],
                                   query->frictionless[0] + query->frictionless[1]);
    }
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_STICK) != 0u) {
        out = put_direction2(stops->corner[0][0], stops->corner[0][1], out);
        out = put_direction2(stops->corner[1][0], stops->corner[1][1], out);
    }
    return out;
}

uint32_t tc_learned2_features(const tc_learned2_query *query, uint32_t mask, tc_real *features)
{
    tc_real *out = query->space.count == 1u ? point_features(query, mask, features)
                                            : edge_features(query, mask, features);
    if ((mask & (uint32_t)TC_LEARNED_FEATURE_ARREST) != 0u) {
        out = arrest_features2(query, out);
    }
    return (uint32_t)(out - features);
}
