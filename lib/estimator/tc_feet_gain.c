/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The scale of each torque sensor, identified while the foot is in the air.
 *
 * A torque's gain is the largest error of an estimated impulse, and under load a gain and a force
 * look the same. In the air the limb's momentum changes by torques, gravity and the base alone; over
 * a window of ticks, for each joint,
 *
 *     y = sum (M dw + H bias)_i,   x = sum H tau_i,   y = k x + e
 *
 * and a Kalman filter of one number finds k. dw is how the reference moved in a tick, by torques and
 * by what the bank and the encoders returned to it:
 *
 *     M dw + H bias = H k tau + J^T f + r M (z - q - B W^-1 y)
 *
 * f the returned impulse, r the rate at which the encoders' rest goes into w. What is wrong with w
 * stands in y at the window's two ends only: its variance is that of the air hypothesis, J^T V J with
 * V = W^-1 P_vv W^-1. e further has the torque's noise, white over the window, and its dry friction,
 * which is not: twice that of one sign through the window. Short windows keep apart the pushes of
 * either sign by which a swing begins and ends.
 *
 * A window that meets the floor is dropped, and one that no gain explains does not count. Masses that
 * are wrong look like gains, and what is identified then is right for the air.
 *
 * Cost: n^2 products a tick in the air, n divisions in every sixteenth.
 */
#include "tc_exact.h"
#include "tc_feet_internal.h"

#include "tc_vec.h"

static const tc_real WINDOW_TICKS = TC_C(16.0);
static const tc_real FLIES_SURELY = TC_C(0.99);
static const tc_real GATE_SCALE = TC_C(50.0);  /* of an error's square over its variance */
static const tc_real SCALE_DRIFT = TC_C(1e-5); /* of the variance at the start, per window, */
static const tc_real SCALE_MOST = TC_C(4.0);   /* up to so many times it */

void tci_feet_gain_start(const tc_feet_config *c, tci_feet_limb *l)
{
    for (uint32_t i = 0; i < TC_ROBOT_JOINTS; ++i) {
        l->scale[i] = TC_C(1.0);
        l->scale_variance[i] = c->torque_gain * c->torque_gain;
        l->pushed[i] = l->moved[i] = TC_C(0.0);
    }
    l->window = TC_C(0.0);
}

void tci_feet_gain_doubt(const tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t)
{
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_real *const torque = s->lost[k] != 0u ? l->torque : s->torque[k];
    const tc_real push = t->H * (TC_C(1.0) - l->p[TCI_FEET_AIR]);
    if (f->config->torqueless >> k & 1u) {
        return;
    }
    for (uint32_t i = 0; i < f->robot->limb[k].joints; ++i) {
        const tc_real part = push * torque[i], variance = part * part * l->scale_variance[i];
        tc_real x[3];
        tci_feet_apply(t->inverse, t->B[i], x);
        for (uint32_t a = 0; a < 3u; ++a) {
            t->impulse_variance[a] = TC_MLA(t->impulse_variance[a], variance * x[a], x[a]);
        }
    }
}

/* M x with M = L D L^T as tc_feet_reference.c leaves it */
static void multiply_limb(const tc_real *L, const tc_real *x, tc_real *y, uint32_t n)
{
    const tc_real *row = L;
    for (uint32_t i = 0; i < n; row += ++i) { /* L^T x, over D */
        y[i] = x[i];
        for (uint32_t k = 0; k < i; ++k) {
            y[k] = TC_MLA(y[k], row[k], x[i]);
        }
    }
    for (uint32_t i = n; i-- > 0u;) {
        row = L + i * (i + 1u) / 2u;
        y[i] /= row[i];
    }
    for (uint32_t i = n; i-- > 1u;) {
        row = L + i * (i + 1u) / 2u;
        for (uint32_t k = 0; k < i; ++k) {
            y[i] = TC_MLA(y[i], row[k], y[k]);
        }
    }
}

/* V = W^-1 P_vv W^-1 of the air hypothesis */
static void impulse_variance(const tci_feet_limb *l, const tci_feet_tick *t, tc_real V[6])
{
    const tc_real *const P = l->x[TCI_FEET_AIR] + 21, *const I = t->inverse;
    const tc_real rows[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
    tc_real turned[3];
    for (uint32_t i = 0, at = 0; i < 3u; ++i) {
        tci_feet_apply(P, rows[i], turned);
        for (uint32_t j = i; j < 3u; ++j, ++at) {
            V[at] = tc_vec_dot3(rows[j], turned);
        }
    }
}

/* A full window as a measurement of all scales: y = k x + e */
static void weigh_windows(const tc_feet *f, uint32_t k, const tci_feet_tick *t)
{
    const tc_feet_config *const c = f->config;
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_real start = c->torque_gain * c->torque_gain;
    const tc_real white = WINDOW_TICKS * (TC_C(1.0) + TC_C(4.0) * WINDOW_TICKS);
    tc_real V[6], turned[3];
    impulse_variance(l, t, V);
    for (uint32_t i = 0; i < f->robot->limb[k].joints; ++i) {
        const tc_real noise = c->torque_noise[k][i] * t->H, x = l->pushed[i];
        tci_feet_apply(V, t->J[i], turned);
        const tc_real R = TC_MLA(TC_C(2.0) * tc_vec_dot3(turned, t->J[i]), noise * noise, white);
        const tc_real error = l->moved[i] - l->scale[i] * x;
        const tc_real s = TC_MLA(R, x * x, l->scale_variance[i]);
        if (error * error < GATE_SCALE * s) {
            const tc_real gain = l->scale_variance[i] * x / s;
            const tc_real rest = l->scale_variance[i] * TC_MLS(TC_C(1.0), gain, x);
            const tc_real grown = TC_MLA(tc_vec_not_negative(rest), SCALE_DRIFT, start);
            l->scale[i] = TC_MLA(l->scale[i], gain, error);
            l->scale_variance[i] = grown < SCALE_MOST * start ? grown : SCALE_MOST * start;
        }
        l->pushed[i] = l->moved[i] = TC_C(0.0);
    }
    l->window = TC_C(0.0);
}

static void drop_window(tci_feet_limb *l, uint32_t n)
{
    if (l->window > TC_C(0.0)) {
        for (uint32_t i = 0; i < n; ++i) {
            l->pushed[i] = l->moved[i] = TC_C(0.0);
        }
        l->window = TC_C(0.0);
    }
}

void tci_feet_gain_follow(const tc_feet *f, const tc_feet_sensors *s, uint32_t k,
                          const tci_feet_tick *t, const tc_real speed[3], const tc_real seen[3],
                          tc_real rate)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const uint32_t n = f->robot->limb[k].joints;
    const int known = s->lost[k] == 0u && !(f->config->torqueless >> k & 1u);
    tc_real rest[TC_ROBOT_JOINTS];
    if (!known || !(l->p[TCI_FEET_AIR] > FLIES_SURELY) || f->config->torque_gain == TC_C(0.0)) {
        drop_window(l, n);
        return;
    }
    multiply_limb(t->motion.M, t->away, rest, n);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real push = t->H * s->torque[k][i];
        const tc_real taken =
            TC_MLA(tc_vec_dot3(t->J[i], speed), rate, rest[i] - tc_vec_dot3(t->J[i], seen));
        l->pushed[i] += push;
        l->moved[i] += TC_MLA(taken, l->scale[i], push);
    }
    l->window += TC_C(1.0);
    if (l->window >= WINDOW_TICKS) {
        weigh_windows(f, k, t);
    }
}
