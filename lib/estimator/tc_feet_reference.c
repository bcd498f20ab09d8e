/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The reference of a limb: one motion (q, w) that all hypotheses of its foot share.
 *
 * It moves as in the air, w += H a, a = M^-1 (tau - bias). One factorisation of M with four right
 * sides, the rows of J and tau - bias, gives
 *
 *     B = M^-1 J^T,   W = J B,   a
 *
 * An impulse f of the contact changes w by B f and the velocity of the contact point by W f, so
 * deviations in the contact's space, place and velocity alike, go back to the joints along B W^-1.
 * W is regularised by 2e-3 of its trace: limbs of one or two joints, and straight ones, cannot move
 * their foot along all axes. Motion with J w = 0 says nothing of contact; encoders correct it by a
 * fixed part of z - q per tick.
 *
 * The errors of torques, the deviation s of each joint, move the contact point by B^T diag(s^2) B.
 */
#include "tc_exact.h"

/* See tc_estimator.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "tc_feet_internal.h"

#include "tc_vec.h"

#include <string.h>

static const tc_real RIDGE = TC_C(0.00066666666666666667); /* of the trace of W */
static const tc_real RATE_PART =
    TC_C(0.02); /* of what encoders take up: into the rates, per tick */
static const tc_real STOP_TORQUE = TC_C(150.0); /* of a stop: times torque_noise */
static const tc_real JUMP_FEET =
    TC_C(0.1); /* of an encoder in a tick, beyond what it was to move [rad]
                                        * or [m] */
static const tc_real PLACE_LEAST = TC_C(1e-14);     /* variance of the contact's place [m^2] */
static const tc_real PLACE_LEAST_FEW = TC_C(1e-10); /* of limbs with less than three joints */

/* M = L D L^T in place: L below the diagonal, 1 / D on it. A pivot that is lost in rounding, or of a
 * joint that moves no mass, is kept away from zero. */
static void factor_limb(tc_real *M, uint32_t n)
{
    tc_real *row = M;
    for (uint32_t i = 0; i < n; row += ++i) {
        const tc_real *other = M;
        tc_real pivot = row[i];
        for (uint32_t j = 0; j < i; other += ++j) {
            tc_real u = row[j];
            for (uint32_t k = 0; k < j; ++k) {
                u = TC_MLS(u, row[k], other[k]);
            }
            row[j] = u; /* L d, until the row is done */
        }
        other = M;
        for (uint32_t j = 0; j < i; other += ++j) {
            const tc_real l = row[j] * other[j];
            pivot = TC_MLS(pivot, l, row[j]);
            row[j] = l;
        }
        row[i] = TC_C(1.0) / (pivot > TCI_FEET_TINY ? pivot : TCI_FEET_TINY);
    }
}

/* Four right sides at once, in place */
static void solve_limb(const tc_real *L, tc_real X[][4], uint32_t n)
{
    const tc_real *row = L;
    for (uint32_t i = 0; i < n; row += ++i) {
        tc_real a = X[i][0], b = X[i][1], c = X[i][2], d = X[i][3];
        for (uint32_t k = 0; k < i; ++k) {
            a = TC_MLS(a, row[k], X[k][0]);
            b = TC_MLS(b, row[k], X[k][1]);
            c = TC_MLS(c, row[k], X[k][2]);
            d = TC_MLS(d, row[k], X[k][3]);
        }
        X[i][0] = a;
        X[i][1] = b;
        X[i][2] = c;
        X[i][3] = d;
    }
    for (uint32_t i = n; i-- > 0u;) {
        row = L + i * (i + 1u) / 2u;
        tc_real a = X[i][0] * row[i], b = X[i][1] * row[i], c = X[i][2] * row[i],
                d = X[i][3] * row[i];
        const tc_real *below = row + i + 1u + i;
        for (uint32_t k = i + 1u; k < n; below += ++k) {
            a = TC_MLS(a, below[0], X[k][0]);
            b = TC_MLS(b, below[0], X[k][1]);
            c = TC_MLS(c, below[0], X[k][2]);
            d = TC_MLS(d, below[0], X[k][3]);
        }
        X[i][0] = a;
        X[i][1] = b;
        X[i][2] = c;
        X[i][3] = d;
    }
}

/* The inverse of W with its ridge */
static void invert_contact(const tc_real W[6], tc_real I[6])
{
    const tc_real ridge = RIDGE * (W[0] + W[3] + W[5]);
    const tc_real a = W[0] + ridge, d = W[3] + ridge, f = W[5] + ridge;
    const tc_real b = W[1], c = W[2], e = W[4];
    const tc_real A = TC_MLS(d * f, e, e), B = TC_MLS(c * e, b, f), C = TC_MLS(b * e, c, d);
    const tc_real scale = TC_C(1.0) / TC_MLA(TC_MLA(a * A, b, B), c, C);
    I[0] = A * scale;
    I[1] = B * scale;
    I[2] = C * scale;
    I[3] = TC_MLS(a * f, c, c) * scale;
    I[4] = TC_MLS(b * c, a, e) * scale;
    I[5] = TC_MLS(a * d, b, b) * scale;
}

/* W and its square, both symmetric */
static void square_contact(tci_feet_tick *t, uint32_t n)
{
    tc_real W[6] = {TC_C(0.0)};
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real *const J = t->J[i], *const B = t->B[i];
        W[0] = TC_MLA(W[0], J[0], B[0]);
        W[1] = TC_MLA(W[1], J[0], B[1]);
        W[2] = TC_MLA(W[2], J[0], B[2]);
        W[3] = TC_MLA(W[3], J[1], B[1]);
        W[4] = TC_MLA(W[4], J[1], B[2]);
        W[5] = TC_MLA(W[5], J[2], B[2]);
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        t->W[i] = W[i];
    }
    invert_contact(W, t->inverse);
    t->squared[0] = TC_MLA(TC_MLA(W[0] * W[0], W[1], W[1]), W[2], W[2]);
    t->squared[1] = TC_MLA(TC_MLA(W[0] * W[1], W[1], W[3]), W[2], W[4]);
    t->squared[2] = TC_MLA(TC_MLA(W[0] * W[2], W[1], W[4]), W[2], W[5]);
    t->squared[3] = TC_MLA(TC_MLA(W[1] * W[1], W[3], W[3]), W[4], W[4]);
    t->squared[4] = TC_MLA(TC_MLA(W[1] * W[2], W[3], W[4]), W[4], W[5]);
    t->squared[5] = TC_MLA(TC_MLA(W[2] * W[2], W[4], W[4]), W[5], W[5]);
}

static int at_stop(const tc_robot_link *link, tc_real q, tc_real margin)
{
    const tc_real *const range = link->range;
    return range[1] > range[0] && (q < range[0] + margin || q > range[1] - margin);
}

/* Torques and their errors: right sides, and the noise once B is known */
static void torque_of(const tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t,
                      tc_real deviation[TC_ROBOT_JOINTS])
{
    const tc_feet_config *const c = f->config;
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const int lost = s->lost[k] != 0u, without = (c->torqueless >> k & 1u) != 0u;
    for (uint32_t i = 0; i < f->robot->limb[k].joints; ++i) {
        const tc_real bias = t->motion.bias[i];
        tc_real tau = l->scale[i] * (lost ? l->torque[i] : s->torque[k][i]);
        const tc_real part = tc_sqrt(TC_MLA(l->scale_variance[i], c->torque_part, c->torque_part));
        tc_real error = TC_MLA(TC_MLA(c->torque_noise[k][i], part, tc_vec_magnitude(tau)),
                               c->bias_part, tc_vec_magnitude(bias));
        if (without) {
            tau = bias;
            error = c->torque_unknown[k];
        }
        t->B[i][3] = tau - bias;
        deviation[i] = t->H * (lost ? c->lost_scale * error : error);
    }
}

static void torque_noise(tci_feet_tick *t, const tc_real *deviation, uint32_t n)
{
    tc_real N[6] = {TC_C(0.0)};
    for (uint32_t i = 0; i < n; ++i) {
        tci_feet_add(N, deviation[i] * deviation[i], t->B[i]);
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        t->torque_noise[i] = N[i];
    }
}

/* The contact point: where it is, and how it moves by the reference alone */
static void place_contact(tci_feet_limb *l, const tc_real imu[3], tci_feet_tick *t)
{
    const tc_real place[3] = {t->motion.place[0] - imu[0], t->motion.place[1] - imu[1],
                              t->motion.place[2] - imu[2]};
    tci_feet_turn(t->A, place, l->arm);
    tc_vec_cross(t->spin, l->arm, l->carried);
}

static void relate_contact(tci_feet_limb *l, const tci_feet_tick *t, uint32_t n)
{
    tc_real x = l->carried[0], y = l->carried[1], z = l->carried[2];
    for (uint32_t i = 0; i < n; ++i) {
        x = TC_MLA(x, t->J[i][0], l->w[i]);
        y = TC_MLA(y, t->J[i][1], l->w[i]);
        z = TC_MLA(z, t->J[i][2], l->w[i]);
    }
    l->relative[0] = x;
    l->relative[1] = y;
    l->relative[2] = z;
}

void tci_feet_reference_move(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_robot_limb *const limb = &f->robot->limb[k];
    const uint32_t n = limb->joints;
    tc_real deviation[TC_ROBOT_JOINTS];
    tc_robot_move(limb, &t->base, l->q, l->w, &t->motion);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real column[3] = {t->motion.J[i], t->motion.J[n + i], t->motion.J[2u * n + i]};
        tci_feet_turn(t->A, column, t->J[i]);
        t->B[i][0] = t->J[i][0];
        t->B[i][1] = t->J[i][1];
        t->B[i][2] = t->J[i][2];
    }
    torque_of(f, s, k, t, deviation);
    factor_limb(t->motion.M, n);
    solve_limb(t->motion.M, t->B, n);
    square_contact(t, n);
    const tc_real half = TC_C(0.5) * t->H, stop = t->H * STOP_TORQUE;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real a = t->B[i][3];
        l->q[i] = TC_MLA(l->q[i], t->H, TC_MLA(l->w[i], half, a));
        l->w[i] = TC_MLA(l->w[i], t->H, a);
        if (at_stop(&limb->links[i], l->q[i], f->config->stop_margin)) {
            deviation[i] = TC_MLA(deviation[i], stop, f->config->torque_noise[k][i]);
        }
    }
    torque_noise(t, deviation, n);
    place_contact(l, f->robot->imu, t);
    relate_contact(l, t, n);
}

/* Encoders against the reference; 0, and nothing, of a limb that is lost or jumps */
static int read_limb(const tci_feet_limb *l, const tc_feet_sensors *s, uint32_t k, uint32_t n,
                     tci_feet_tick *t, uint32_t *jumps)
{
    int good = s->lost[k] == 0u;
    for (uint32_t i = 0; i < n && good; ++i) {
        t->away[i] = s->encoder[k][i] - l->q[i];
        *jumps += tc_vec_magnitude(t->away[i]) < JUMP_FEET ? 0u : 1u;
    }
    good = good && *jumps == 0u;
    if (!good) {
        memset(t->away, 0, sizeof t->away);
        memset(t->y, 0, sizeof t->y);
    }
    return good;
}

int tci_feet_reference_compare(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t,
                               uint32_t *jumps)
{
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_feet_config *const c = f->config;
    const uint32_t n = f->robot->limb[k].joints;
    tc_real R[6] = {TC_C(0.0)}, y[3] = {TC_C(0.0)};
    if (!read_limb(l, s, k, n, t, jumps)) {
        return 0;
    }
    /* rounding by a step has the variance step^2 / 12 */
    const tc_real noise = tc_vec_max(f->noise, TC_C(1.0));
    const tc_real scale = c->encoder_scale * noise * noise * TC_C(0.083333333333333333);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real step = c->encoder_step[k][i], away = t->away[i];
        tci_feet_add(R, scale * step * step, t->J[i]);
        y[0] = TC_MLA(y[0], t->J[i][0], away);
        y[1] = TC_MLA(y[1], t->J[i][1], away);
        y[2] = TC_MLA(y[2], t->J[i][2], away);
    }
    const tc_real least = n < 3u ? PLACE_LEAST_FEW : PLACE_LEAST;
    R[0] += least;
    R[3] += least;
    R[5] += least;
    memcpy(t->R, R, sizeof R);
    memcpy(t->y, y, sizeof y);
    return 1;
}

void tci_feet_reference_take(tc_feet *f, const tc_feet_sensors *s, uint32_t k,
                             const tci_feet_tick *t, const tc_real place[3], const tc_real speed[3])
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const uint32_t n = f->robot->limb[k].joints;
    const tc_real part = f->config->rest, rate = RATE_PART * part / t->H;
    tc_real seen[3];
    tci_feet_apply(t->inverse, t->y, seen);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real *const B = t->B[i];
        const tc_real rest = t->away[i] - tc_vec_dot3(B, seen);
        l->q[i] += TC_MLA(tc_vec_dot3(B, place), part, rest);
        l->w[i] += TC_MLA(tc_vec_dot3(B, speed), rate, rest);
    }
    tci_feet_gain_follow(f, s, k, t, speed, seen, rate);
    relate_contact(l, t, n);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
