/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The base of the leg, from its IMU and from feet that stand: two small Kalman filters. Their
 * variances decide how strictly a sticking foot is expected to rest.
 *
 * Vertical: height z over the last floor, velocity v, accelerometer bias b; over a tick v += H
 * (f_y - g - b), z += H v. A foot in contact says v + carried + J_n w = 0 and z + foot = 0.
 * Horizontal: velocity u and bias, alike, without a height; only a sticking foot speaks, or a
 * sensor of the base's velocity. Tilt errors of a slowly turning base are bias to both.
 *
 * While a foot touches and does not stick, both horizontal variances grow by `doubt`: a velocity
 * that is wrong makes a sticking foot look like a sliding one, which would never be asked again.
 *
 * On a ground of any shape (tc_estimator_ground.c) the contact's equations are along its tangent and
 * normal: of a foot that touches only n_x u + n_y v = -n . w is known, of one that sticks both.
 *
 * On a rail u is 0; of a fixed base nothing is unknown but its height over the floor, until the
 * foot first stands.
 */
#include "tc_exact.h"

/* Helium's vectors do not pay in unrolled scalar code: gcc gathers scalars on the stack to store
 * four at once. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "tc_estimator_internal.h"
#include "tc_mat_fixed.h"

#include <string.h>

static const tc_real STEEP_BASE = TC_C(0.3); /* least n_y of a ground that shows its height */
static const tc_real LOST_SPEED = TC_C(4.0); /* variance [m^2/s^2] from which on integration has
                                              * told nothing */

/* Over a ground the last height is worth more than none. */
static void start_height(tc_estimator *e)
{
    e->vertical[0] = e->ground == NULL ? TC_C(0.0) : e->vertical[0];
}

static void start_vertical(tc_estimator *e)
{
    const tc_real bias = e->config->accel_bias;
    memset(e->vertical_covariance, 0, sizeof e->vertical_covariance);
    start_height(e);
    e->vertical[1] = TC_C(0.0);
    e->vertical_covariance[0] = e->vertical_covariance[3] = TC_C(1.0);
    e->vertical_covariance[5] = bias * bias;
}

static void start_horizontal(tc_estimator *e)
{
    const tc_real bias = e->config->accel_bias;
    e->horizontal[0] = TC_C(0.0);
    e->horizontal_covariance[0] = e->config->start_speed * e->config->start_speed;
    e->horizontal_covariance[1] = TC_C(0.0);
    e->horizontal_covariance[2] = bias * bias;
}

void tci_estimator_base_start(tc_estimator *e)
{
    e->vertical[2] = e->horizontal[1] = TC_C(0.0);
    if (e->leg->root == TC_LEG_FIXED) {
        start_height(e);
        e->vertical_covariance[0] = TC_C(1.0);
    } else {
        start_vertical(e);
    }
    if (e->leg->root == TC_LEG_FLOATING) {
        start_horizontal(e);
    }
}

static void move_vertical(tc_estimator *e, tc_real force, tc_real H)
{
    const tc_estimator_config *const c = e->config;
    tc_real *const x = e->vertical, *const P = e->vertical_covariance; /* zz zv zb vv vb bb */
    const tc_real noise = c->accel_noise * H, drift = c->accel_drift;
    const tc_real change = H * (force - e->leg->g - x[2]);
    x[0] += H * (x[1] + TC_C(0.5) * change);
    x[1] += change;
    P[0] += H * (TC_C(2.0) * P[1] + H * P[3]);
    P[1] += H * (P[3] - P[2] - H * P[4]);
    P[2] += H * P[4];
    P[3] += H * (H * P[5] - TC_C(2.0) * P[4]) + noise * noise;
    P[4] -= H * P[5];
    P[5] += H * drift * drift;
    if (P[3] > LOST_SPEED || P[0] > LOST_SPEED) {
        start_vertical(e);
    }
}

static void move_horizontal(tc_estimator *e, tc_real force, tc_real H)
{
    const tc_estimator_config *const c = e->config;
    tc_real *const x = e->horizontal, *const P = e->horizontal_covariance; /* uu ub bb */
    const tc_real noise = c->accel_noise * H, drift = c->accel_drift;
    const tc_real doubt =
        (TC_C(1.0) - e->p[TC_MODE_AIR] - e->p[TC_MODE_STICK]) * c->doubt * c->doubt;
    x[0] += H * (force - x[1]);
    P[0] += H * (H * P[2] - TC_C(2.0) * P[1] + doubt) + noise * noise;
    P[1] -= H * P[2];
    P[2] += H * (drift * drift + doubt);
    if (P[0] > LOST_SPEED) {
        start_horizontal(e);
    }
}

/* u = y up to the variance r with the probability p, else nothing is known: mean and covariance of
 * the mixture, P - p g g^T s + p (1 - p) (g e)(g e)^T with the gain g, s = P_uu + r, e = y - u
 * (probabilistic data association). */
static void see_horizontal(tc_estimator *e, tc_real y, tc_real r, tc_real p)
{
    tc_real *const x = e->horizontal, *const P = e->horizontal_covariance;
    const tc_real s = P[0] + r, inverse = TC_C(1.0) / s;
    const tc_real gain[2] = {P[0] * inverse, P[1] * inverse};
    const tc_real error = y - x[0];
    const tc_real less = p * (s - (TC_C(1.0) - p) * error * error);
    x[0] += p * gain[0] * error;
    x[1] += p * gain[1] * error;
    P[2] -= gain[1] * gain[1] * less;
    P[1] -= gain[0] * gain[1] * less;
    P[0] -= gain[0] * gain[0] * less;
}

/* x[i] = y likewise, i 0 or 1 */
static void see_vertical(tc_estimator *e, uint32_t i, tc_real y, tc_real r, tc_real p)
{
    tc_real *const x = e->vertical, *const P = e->vertical_covariance;
    const tc_real g[3] = {P[i], P[i == 0u ? 1u : 3u], P[i == 0u ? 2u : 4u]};
    const tc_real inverse = TC_C(1.0) / (g[i] + r);
    const tc_real error = y - x[i], step = p * error * inverse;
    const tc_real less = p * inverse * (TC_C(1.0) - (TC_C(1.0) - p) * error * error * inverse);
    TC_MAT_UNROLLED
    for (uint32_t j = 0; j < 3u; ++j) {
        x[j] += g[j] * step;
        TC_MAT_UNROLLED
        for (uint32_t l = j; l < 3u; ++l) {
            P[j * (5u - j) / 2u + l] -= g[j] * g[l] * less;
        }
    }
}

/* The angle of the base: given, integrated, or 0 where it cannot turn. A level base shows no mean
 * force along x. */
static void turn_base(tc_estimator *e, const tc_estimator_sensors *sensors, tc_real H,
                      tc_leg_base *base)
{
    const int turns = e->leg->root == TC_LEG_FLOATING;
    base->rate = turns ? sensors->gyro : TC_C(0.0);
    base->acceleration = turns ? (sensors->gyro - e->gyro) / H : TC_C(0.0);
    if (sensors->given & TC_GIVEN_PITCH) {
        e->pitch = sensors->pitch;
    } else if (turns) {
        e->pitch += TC_C(0.5) * H * (sensors->gyro + e->gyro);
    }
    e->gyro = sensors->gyro;
    base->angle = e->pitch;
    tc_sincos(e->pitch, &base->sine, &base->cosine);
    base->force[0] = base->cosine * sensors->accel[0] - base->sine * sensors->accel[1];
    base->force[1] = base->sine * sensors->accel[0] + base->cosine * sensors->accel[1];
    if (turns && !(sensors->given & TC_GIVEN_PITCH)) {
        e->pitch += H * base->force[0] / (e->leg->g * e->config->levelling);
    }
}

void tci_estimator_base_move(tc_estimator *e, const tc_estimator_sensors *sensors, tc_real step,
                             tc_leg_base *base)
{
    turn_base(e, sensors, step, base);
    if (e->leg->root != TC_LEG_FIXED) {
        move_vertical(e, base->force[1], step);
    }
    if (e->leg->root == TC_LEG_FLOATING) {
        move_horizontal(e, base->force[0], step);
        if (sensors->given & TC_GIVEN_BASE_VELOCITY) {
            const tc_real noise = e->config->base_velocity_noise;
            see_horizontal(e, sensors->base_velocity, noise * noise, TC_C(1.0));
        }
        e->place += step * e->horizontal[0];
    }
    if (sensors->given & TC_GIVEN_PLACE) {
        e->place = sensors->place;
    }
}

void tci_estimator_base_land(tc_estimator *e, const tci_estimator_bank_tick *tick)
{
    const tc_real height = e->config->foot_height;
    e->vertical[0] = -(tick->motion.foot[1] - tick->ground.surface);
    e->vertical_covariance[0] = height * height;
    e->vertical_covariance[1] = e->vertical_covariance[2] = TC_C(0.0);
}

/* A contact that is only just possible, tick after tick, would pull as if each tick were news. */
static tc_real believed_contact(tc_real p)
{
    return p > TC_C(0.1) ? p : TC_C(0.0);
}

/* Along the normal n the contact point rests: n_y v = -(rest_n + n_x u). A steep ground does not
 * show how high it is. */
static void correct_vertical(tc_estimator *e, const tci_estimator_bank_tick *tick,
                             const tci_estimator_bank_sum *sum, tc_real touches)
{
    const tc_estimator_config *const c = e->config;
    const tc_real *const n = tick->ground.normal;
    if (n[1] < STEEP_BASE) {
        return;
    }
    const tc_real rest = tick->motion.carried[1] + sum->velocity[1];
    const tc_real noise = TC_MLA(c->foot_speed * c->foot_speed + sum->variance[2], n[0] * n[0],
                                 e->horizontal_covariance[0]);
    see_vertical(e, 1, -TC_MLA(rest, n[0], e->horizontal[0]) / n[1], noise / (n[1] * n[1]),
                 touches);
    see_vertical(e, 0, -(tick->motion.foot[1] - tick->ground.surface),
                 c->foot_height * c->foot_height, touches);
}

void tci_estimator_base_correct(tc_estimator *e, const tci_estimator_bank_tick *tick,
                                const tci_estimator_bank_sum *sum, tc_real touching,
                                tc_real sticking)
{
    const tc_estimator_config *const c = e->config;
    const tc_real *const n = tick->ground.normal, *const V = sum->variance;
    if (e->leg->root != TC_LEG_FIXED) {
        correct_vertical(e, tick, sum, believed_contact(touching));
    }
    if (e->leg->root == TC_LEG_FLOATING) {
        const tc_real *const carried = tick->motion.carried;
        const tc_real along = carried[0] + sum->velocity[0], up = carried[1] + sum->velocity[1];
        const tc_real across = TC_MLA(TC_C(2.0) * n[1] * V[1], n[0], V[2]);
        const tc_real variance = TC_MLA(n[1] * n[1] * V[0], n[0], across);
        see_horizontal(e, -TC_MLA(along * n[1], n[0], up),
                       c->stick_speed * c->stick_speed + variance, believed_contact(sticking));
    }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
