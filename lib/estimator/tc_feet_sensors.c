/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The sensors of a robot: whether they are in range, frozen or at their limits, and how noisy the
 * encoders are.
 *
 * The noise of all encoders is one factor on the deviation of their rounding, step / sqrt(12). It
 * follows the median of their third differences, which motion hardly moves and white noise of
 * deviation s moves by sqrt(20) s: |d3| has the median 3.02 s.
 */
#include "tc_exact.h"
#include "tc_feet_internal.h"

#include "tc_vec.h"

#include <string.h>

#define FROZEN_FEET 12u /* times config.frozen, where a sensor may rightly say the same for long */

static const tc_real MEDIAN_THIRD = TC_C(0.8717985); /* 3.02 / sqrt(12) */
static const tc_real NOISE_STEP = TC_C(0.02);
static const tc_real NOISE_START = TC_C(1.4452756); /* 4e-5 rad of 16 bits */
static const tc_real NOISE_MIN = TC_C(0.036), NOISE_MAX = TC_C(360.0);
static const tc_real NOISY = TC_C(3.0);
static const tc_real BEYOND = TC_C(1e3), ANGLE_MOST = TC_C(1e4);

/* ---- Checks ---------------------------------------------------------------------------------- */

/* |x| <= most of all n: not so of what is NaN */
static int within_feet(const tc_real *x, uint32_t n, tc_real most)
{
    int good = 1;
    for (uint32_t i = 0; i < n; ++i) {
        good &= tc_vec_magnitude(x[i]) <= most;
    }
    return good;
}

static int limbs_within(const tc_feet *f, const tc_feet_sensors *s)
{
    const tc_real torque = BEYOND * f->config->torque_limit;
    int good = 1;
    for (uint32_t k = 0; k < f->robot->limbs; ++k) {
        const uint32_t n = f->robot->limb[k].joints;
        if (s->lost[k] == 0u) {
            good &= within_feet(s->encoder[k], n, ANGLE_MOST);
            good &= f->config->torqueless >> k & 1u ? 1 : within_feet(s->torque[k], n, torque);
        }
        if (s->given & TC_FEET_TOUCH(k)) {
            good &= s->touch[k] >= TC_C(0.0) && s->touch[k] <= TC_C(1.0);
        }
    }
    return good;
}

static int given_within(const tc_feet_sensors *s)
{
    int good = 1;
    if (s->given & TC_FEET_ATTITUDE) {
        good &= within_feet(s->attitude, 4, BEYOND);
    }
    if (s->given & TC_FEET_BASE_VELOCITY) {
        good &= within_feet(s->base_velocity, 3, BEYOND);
        for (uint32_t i = 0; i < 3u; ++i) {
            const tc_real variance = s->base_velocity_variance[i];
            good &= variance >= TC_C(1e-12) && variance <= TC_C(1e6);
        }
    }
    if (s->given & TC_FEET_STEP) {
        good &= s->step >= TC_C(1e-5) && s->step <= TC_C(0.1);
    }
    return good;
}

static int limbs_finite(const tc_feet *f, const tc_feet_sensors *s)
{
    int good = 1;
    for (uint32_t k = 0; k < f->robot->limbs; ++k) {
        const uint32_t n = f->robot->limb[k].joints;
        if (s->lost[k] == 0u) {
            good &= tc_all_finite(s->encoder[k], n);
            good &= f->config->torqueless >> k & 1u ? 1 : tc_all_finite(s->torque[k], n);
        }
        good &= !(s->given & TC_FEET_TOUCH(k)) || tc_all_finite(&s->touch[k], 1);
    }
    return good;
}

static int given_finite(const tc_feet_sensors *s)
{
    return (!(s->given & TC_FEET_ATTITUDE) || tc_all_finite(s->attitude, 4))
           && (!(s->given & TC_FEET_BASE_VELOCITY)
               || (tc_all_finite(s->base_velocity, 3)
                   && tc_all_finite(s->base_velocity_variance, 3)))
           && (!(s->given & TC_FEET_STEP) || tc_all_finite(&s->step, 1));
}

tc_status tci_feet_sensors_check(const tc_feet *f, const tc_feet_sensors *s)
{
    const tc_feet_config *const c = f->config;
    const int within = within_feet(s->gyro, 3, BEYOND * c->gyro_limit)
                       & within_feet(s->accel, 3, BEYOND * c->accel_limit);
    if (limbs_within(f, s) & given_within(s) & within) {
        const int unit = !(s->given & TC_FEET_ATTITUDE) || tc_vec_is_unit(s->attitude, 4);
        return unit ? TC_OK : TC_ERR_UNIT;
    }
    const int finite = limbs_finite(f, s) & given_finite(s) & tc_all_finite(s->gyro, 3)
                       & tc_all_finite(s->accel, 3);
    return finite ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
}

/* ---- Each tick ------------------------------------------------------------------------------- */

void tci_feet_sensors_start(tc_feet *f, const tc_feet_sensors *s, uint32_t k)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    memset(f->same[k], 0, sizeof f->same[k]);
    f->seen[k] = 0;
    for (uint32_t i = 0; i < f->robot->limb[k].joints; ++i) {
        if (s->lost[k] == 0u) {
            l->encoder[0][i] = s->encoder[k][i];
            l->torque[i] = s->torque[k][i];
        }
        l->q[i] = l->encoder[0][i];
        l->w[i] = TC_C(0.0);
    }
    if (f->noise == TC_C(0.0)) {
        f->noise = NOISE_START;
    }
}

/* Counts a tick in which a sensor said the same, or none since it did not; returns the count. */
static uint32_t count_equal(uint16_t *count, int same, uint32_t moved)
{
    *count = (uint16_t)(same ? *count + (*count < UINT16_MAX ? moved : 0u) : 0u);
    return *count;
}

/* The longest run of equal readings of a limb's encoders and torques while it moved. A motor without
 * current has a torque of 0. */
static uint32_t equal_most(tc_feet *f, const tc_feet_sensors *s, uint32_t k)
{
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const uint32_t n = f->robot->limb[k].joints, without = f->config->torqueless >> k & 1u;
    uint32_t moved = 0, most = 0;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real step = TC_C(2.0) * f->config->encoder_step[k][i];
        moved |= tc_vec_magnitude(s->encoder[k][i] - l->encoder[0][i]) >= step;
    }
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real tau = s->torque[k][i];
        const uint32_t encoder =
            count_equal(&f->same[k][i], s->encoder[k][i] == l->encoder[0][i], moved);
        const uint32_t torque = count_equal(&f->same[k][TC_ROBOT_JOINTS + i],
                                            tau == l->torque[i] && tau != TC_C(0.0), moved);
        most = encoder > most ? encoder : most;
        most = torque > most && without == 0u ? torque : most;
    }
    return most;
}

/* Joints whose third difference is above the median, less those below */
static int32_t compare_thirds(const tc_feet *f, const tc_feet_sensors *s, uint32_t k)
{
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_real scale = MEDIAN_THIRD * f->noise;
    int32_t above = 0;
    for (uint32_t i = 0; i < f->robot->limb[k].joints; ++i) {
        const tc_real third =
            s->encoder[k][i] - l->encoder[2][i] + TC_C(3.0) * (l->encoder[1][i] - l->encoder[0][i]);
        above += tc_vec_magnitude(third) > scale * f->config->encoder_step[k][i] ? 1 : -1;
    }
    return above;
}

static void keep_readings(tci_feet_limb *l, const tc_feet_sensors *s, uint32_t k, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        l->encoder[2][i] = l->encoder[1][i];
        l->encoder[1][i] = l->encoder[0][i];
        l->encoder[0][i] = s->encoder[k][i];
        l->torque[i] = s->torque[k][i];
    }
}

static uint32_t torque_flags(const tc_feet_config *c, const tc_feet_sensors *s, uint32_t k,
                             uint32_t n)
{
    if (c->torqueless >> k & 1u) {
        return TC_FEET_DEGRADED;
    }
    uint32_t flags = 0;
    for (uint32_t i = 0; i < n && s->lost[k] == 0u; ++i) {
        flags |= tc_vec_magnitude(s->torque[k][i]) >= c->torque_limit ? TC_FEET_SATURATED : 0u;
    }
    return flags;
}

static uint32_t follow_limb(tc_feet *f, const tc_feet_sensors *s, uint32_t k, int32_t *above,
                            uint32_t *joints)
{
    const tc_feet_config *const c = f->config;
    const uint32_t n = f->robot->limb[k].joints;
    uint32_t flags = torque_flags(c, s, k, n);
    if (s->lost[k] != 0u) {
        f->seen[k] = 0;
        return flags | TC_FEET_LOST | (s->lost[k] > TCI_FEET_LOST_MOST ? TC_FEET_STALE : 0u);
    }
    if (f->seen[k] > 0u && c->frozen != 0u
        && equal_most(f, s, k) / FROZEN_FEET >= c->frozen) { /* a product might overflow */
        flags |= TC_FEET_SATURATED;
    }
    if (f->seen[k] >= 3u) {
        *above += compare_thirds(f, s, k);
        *joints += n;
    } else {
        ++f->seen[k];
    }
    keep_readings(tci_feet_limb_of(f, k), s, k, n);
    return flags;
}

/* An IMU that says the same for long, or is at the end of its range. That of a base that never moves
 * may say the same for ever. */
static uint32_t follow_imu(tc_feet *f, const tc_feet_sensors *s)
{
    const tc_feet_config *const c = f->config;
    const tc_real *const now[2] = {s->accel, s->gyro}, *const before[2] = {f->accel, f->gyro};
    const tc_real most[2] = {c->accel_limit, c->gyro_limit};
    uint32_t bad = 0;
    for (uint32_t i = 0; i < 2u; ++i) {
        const int same = now[i][0] == before[i][0] && now[i][1] == before[i][1]
                         && now[i][2] == before[i][2] && f->robot->root == TC_ROBOT_FLOATING;
        f->still[i] = same ? f->still[i] + (f->still[i] < UINT32_MAX) : 0u;
        bad |= c->frozen != 0u && f->still[i] / (i == 0u ? 1u : FROZEN_FEET) >= c->frozen;
        for (uint32_t a = 0; a < 3u; ++a) {
            bad |= tc_vec_magnitude(now[i][a]) >= most[i];
        }
    }
    return bad ? TC_FEET_SATURATED : 0u;
}

uint32_t tci_feet_sensors_follow(tc_feet *f, const tc_feet_sensors *s, uint32_t *flags)
{
    int32_t above = 0;
    uint32_t joints = 0;
    for (uint32_t k = 0; k < f->robot->limbs; ++k) {
        flags[k] = follow_limb(f, s, k, &above, &joints);
    }
    if (joints != 0u) {
        const tc_real u = NOISE_STEP * (tc_real)above / (tc_real)joints;
        f->noise = tci_feet_clamp(f->noise * (TC_C(1.0) + TC_MLA(u, TC_C(0.5) * u, u)), NOISE_MIN,
                                  NOISE_MAX);
    }
    const uint32_t noisy = f->noise > NOISY ? TC_FEET_DEGRADED : 0u;
    return noisy | follow_imu(f, s);
}
