/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the sensors say of themselves: whether they are in range, frozen or at their limits, and how
 * noisy they are.
 *
 * The noise of encoders and torques is followed by the median of their third differences, which
 * motion hardly moves and white noise of deviation s moves by sqrt(20) s: |d3| has the median 3.02
 * s.
 *
 * Cost: some 30 operations for each joint in a tick.
 */
#include "tc_exact.h"

/* See tc_estimator.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "tc_estimator_internal.h"

#include "tc_vec.h"

#include <string.h>

/* times config.frozen: a held joint of a hopping leg says the same for up to 4 times */
#define FROZEN_LONG 12u

static const tc_real MEDIAN_OF_THIRD = TC_C(3.02);
static const tc_real MEDIAN_STEP = TC_C(0.01);
static const tc_real JUMP = TC_C(0.1); /* of an encoder in a tick, beyond what it was to
                                        * move [rad] or [m] */
static const tc_real WARY = TC_C(2.5); /* times what is stated: noise that is not yet known */

/* Behind the hypotheses, of each encoder and then of each torque: see follow_noise */
static tc_real *noise_history(const tc_estimator *e)
{
    return e->state + TC_ESTIMATOR_MODES * TC_ESTIMATOR_HYPOTHESIS(e->leg->joints);
}

void tci_estimator_sensors_start(tc_estimator *e, const tc_estimator_sensors *s)
{
    tc_real *h = noise_history(e);
    for (uint32_t i = 0; i < e->leg->joints; ++i, h += 4) {
        h[0] = h[1] = h[2] = s->encoder[i];
        h[3] = WARY * e->config->encoder_step[i];
        tc_real *const torque = h + 4u * e->leg->joints;
        torque[0] = torque[1] = torque[2] = s->torque[i];
        torque[3] = WARY * MEDIAN_OF_THIRD * e->config->torque_noise[i];
        e->rate[i] = e->rate_change[i] = TC_C(0.0);
    }
    e->gyro = s->gyro;
    e->accel[0] = s->accel[0];
    e->accel[1] = s->accel[1];
    e->still = e->jumps = 0;
    memset(e->same, 0, sizeof e->same);
}

/* x from -most to most: not so of what is NaN */
static int within_sensor(tc_real x, tc_real most)
{
    return tc_vec_magnitude(x) <= most;
}

/* Of the sensors that are there on some legs only. */
static int given_in_range(const tc_estimator_sensors *s, tc_real beyond)
{
    return (!(s->given & TC_GIVEN_PITCH) || within_sensor(s->pitch, beyond))
           && (!(s->given & TC_GIVEN_BASE_VELOCITY) || within_sensor(s->base_velocity, beyond))
           && (!(s->given & TC_GIVEN_PLACE) || within_sensor(s->place, beyond))
           && (!(s->given & TC_GIVEN_TOUCH) || (s->touch >= TC_C(0.0) && s->touch <= TC_C(1.0)));
}

static int in_range_sensors(const tc_estimator_config *c, uint32_t n, const tc_estimator_sensors *s)
{
    const tc_real beyond = TC_C(1e3), accel = beyond * c->accel_limit,
                  torque = beyond * c->torque_limit;
    for (uint32_t i = 0; i < n; ++i) {
        if (!(within_sensor(s->encoder[i], TC_C(1e4)) && within_sensor(s->torque[i], torque))) {
            return 0;
        }
    }
    return within_sensor(s->gyro, beyond * c->gyro_limit) && within_sensor(s->accel[0], accel)
           && within_sensor(s->accel[1], accel) && given_in_range(s, beyond);
}

/* What is in range is finite. */
tc_status tci_estimator_sensors_check(const tc_estimator_config *c, uint32_t n,
                                      const tc_estimator_sensors *s)
{
    if (in_range_sensors(c, n, s)) {
        return TC_OK;
    }
    const tc_real others[7] = {s->gyro,
                               s->accel[0],
                               s->accel[1],
                               s->given & TC_GIVEN_PITCH ? s->pitch : TC_C(0.0),
                               s->given & TC_GIVEN_BASE_VELOCITY ? s->base_velocity : TC_C(0.0),
                               s->given & TC_GIVEN_PLACE ? s->place : TC_C(0.0),
                               s->given & TC_GIVEN_TOUCH ? s->touch : TC_C(0.0)};
    const int finite =
        tc_all_finite(s->encoder, n) && tc_all_finite(s->torque, n) && tc_all_finite(others, 7);
    return finite ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
}

/* Whether the base or a joint moves, of which a sensor that lives would tell: a specific force that
 * is not gravity's to 10 %, or an encoder that moved by two steps. */
static int moves_sensor(const tc_estimator *e, const tc_estimator_sensors *s)
{
    const tc_real g = e->leg->g, part = TC_C(0.2);
    const tc_real force = s->accel[0] * s->accel[0] + s->accel[1] * s->accel[1];
    const tc_real *h = noise_history(e);
    int moved = tc_vec_magnitude(force - g * g) > part * g * g;
    for (uint32_t i = 0; i < e->leg->joints; ++i, h += 4) {
        moved |= tc_vec_magnitude(s->encoder[i] - h[0]) >= TC_C(2.0) * e->config->encoder_step[i];
    }
    return moved;
}

/* Counts a tick in which a sensor said the same, or none since it did not; returns the count. */
static uint32_t count_same(uint16_t *count, int same, uint32_t moved)
{
    *count = (uint16_t)(same ? *count + (*count < UINT16_MAX ? moved : 0u) : 0u);
    return *count;
}

/* The longest run of equal readings of a joint's encoder or torque. */
static uint32_t same_of_joints(tc_estimator *e, const tc_estimator_sensors *s, uint32_t moved)
{
    const uint32_t n = e->leg->joints;
    const tc_real *h = noise_history(e);
    uint16_t *count = e->same;
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; ++i, h += 4, count += 2) {
        const uint32_t encoder = count_same(count, s->encoder[i] == h[0], moved);
        const uint32_t torque =
            count_same(count + 1, s->torque[i] == h[4u * n] && s->torque[i] != TC_C(0.0), moved);
        most = encoder > most ? encoder : most;
        most = torque > most ? torque : most;
    }
    return most;
}

/* Whether a sensor other than the accelerometer is frozen. 0 is no news of motors without current
 * and of sensors that there are not; an encoder may stand there. Of a base that cannot turn, gyro
 * and pitch rightly say the same for ever. */
static int is_frozen(tc_estimator *e, const tc_estimator_sensors *s)
{
    const uint32_t moved = moves_sensor(e, s) ? 1u : 0u;
    const int turns = e->leg->root == TC_LEG_FLOATING;
    const tc_real now[3] = {
        turns ? s->gyro : TC_C(0.0), turns && s->given & TC_GIVEN_PITCH ? s->pitch : TC_C(0.0),
        turns && s->given & TC_GIVEN_BASE_VELOCITY ? s->base_velocity : TC_C(0.0)};
    const tc_real before[3] = {e->gyro, e->pitch, e->base_velocity};
    uint32_t most = same_of_joints(e, s, moved);
    uint16_t *count = e->same + 2u * e->leg->joints;
    for (uint32_t i = 0; i < 3u; ++i, ++count) {
        const uint32_t other = count_same(count, now[i] == before[i] && now[i] != TC_C(0.0), moved);
        most = other > most ? other : most;
    }
    e->base_velocity = s->base_velocity;
    /* a product might overflow */
    return e->config->frozen != 0u && most / FROZEN_LONG >= e->config->frozen;
}

static int at_limit(const tc_estimator *e, const tc_estimator_sensors *s)
{
    const tc_estimator_config *const c = e->config;
    int bad = tc_vec_magnitude(s->gyro) >= c->gyro_limit
              || tc_vec_magnitude(s->accel[0]) >= c->accel_limit
              || tc_vec_magnitude(s->accel[1]) >= c->accel_limit;
    for (uint32_t i = 0; i < e->leg->joints; ++i) {
        bad |= tc_vec_magnitude(s->torque[i]) >= c->torque_limit;
    }
    return bad;
}

uint32_t tci_estimator_sensors_flags(tc_estimator *e, const tc_estimator_sensors *s)
{
    const tc_estimator_config *const c = e->config;
    const int same = s->accel[0] == e->accel[0] && s->accel[1] == e->accel[1];
    e->still = same ? e->still + (e->still < UINT32_MAX) : 0u;
    e->accel[0] = s->accel[0];
    e->accel[1] = s->accel[1];
    const int bad = is_frozen(e, s) || (c->frozen != 0u && e->still >= c->frozen) || at_limit(e, s);
    return (bad ? TC_ESTIMATE_SATURATED : 0u) | (s->lost != 0u ? TC_ESTIMATE_LOST : 0u);
}

/* Follows the deviation of white noise on what moves smoothly: h has the last three readings,
 * newest first, and the median of the magnitude of their third difference. */
static tc_real follow_noise(const tc_estimator *e, tc_real h[4], tc_real z, tc_real least)
{
    const tc_real third = tc_vec_magnitude(z - h[2] + TC_C(3.0) * (h[1] - h[0]));
    if (e->ticks > 3u) {
        const tc_real median =
            h[3] * (third > h[3] ? TC_C(1.0) + MEDIAN_STEP : TC_C(1.0) - MEDIAN_STEP);
        h[3] = median > least ? median : least;
    }
    h[2] = h[1];
    h[1] = h[0];
    h[0] = z;
    return h[3] * (TC_C(1.0) / MEDIAN_OF_THIRD);
}

void tci_estimator_sensors_torques(tc_estimator *e, const tc_estimator_sensors *s, tc_real *noise)
{
    const uint32_t n = e->leg->joints;
    tc_real *h = noise_history(e) + 4u * n;
    for (uint32_t i = 0; i < n; ++i, h += 4) {
        const tc_real stated = e->config->torque_noise[i];
        const tc_real seen = follow_noise(e, h, s->torque[i], TC_C(0.1) * stated);
        noise[i] = seen > stated ? seen : stated;
    }
}

uint32_t tci_estimator_sensors_encoders(tc_estimator *e, const tc_estimator_sensors *s,
                                        const tc_real *mean, tc_real H, tc_real *R)
{
    const uint32_t n = e->leg->joints;
    uint32_t flags = 0, jumps = 0;
    tc_real *h = noise_history(e);
    for (uint32_t i = 0; i < n; ++i, h += 4) {
        const tc_real z = s->encoder[i], resolution = e->config->encoder_step[i];
        const tc_real deviation = follow_noise(e, h, z, TC_C(0.1) * resolution),
                      seen = deviation * deviation;
        const tc_real built = resolution * resolution * TC_C(0.0833333333333333);
        R[i] = TC_C(2.0) * (seen > built ? seen : built);
        flags |= seen > TC_C(9.0) * built ? TC_ESTIMATE_DEGRADED : 0u;
        const tc_real jump = z - mean[i] - H * mean[n + i];
        if (!(tc_vec_magnitude(jump) < JUMP)) {
            R[i] += jump * jump;
            jumps = 1;
        }
    }
    e->jumps = jumps != 0u ? e->jumps + 1u : 0u;
    return flags | (jumps != 0u ? TC_ESTIMATE_SATURATED : 0u);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
