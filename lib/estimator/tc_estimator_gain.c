/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The scale of each torque sensor, told by what torques do while the foot is in the air.
 *
 * A torque's gain is the largest error of an estimated impulse, and cannot be seen while the floor
 * pushes, too. In the air the leg's momentum changes by torques and by what the model says of
 * gravity and the base alone; over a window of ticks, for each joint,
 *
 *     y = sum (M dw + H bias)_i,   x = sum H tau_i,   y = k x + e
 *
 * and a Kalman filter of one number finds k. dw is how the mean of all hypotheses, then that of
 * air, moved in a tick; it is known when the next begins, and what is wrong with w stands in y at
 * the window's two ends only. e further has the torque's noise (white over the window) and its dry
 * friction (not white: half the window at once). Short windows keep apart the pushes of either sign
 * by which a swing begins and ends; their dry friction has either sign, too, and cancels.
 *
 * A window that meets the floor is dropped, and one that no gain explains (it met the floor
 * unnoticed) does not count. Masses that are wrong look like gains. What is identified then is
 * right for the air, where contact is told from it, and wrong for impulses by as much as the masses
 * are.
 *
 * Cost: n^2 products a tick, n divisions in every sixteenth.
 */
#include "tc_exact.h"
#include "tc_estimator_internal.h"

#define WINDOW 16u /* ticks */

static const tc_real SURELY = TC_C(0.99);     /* p(air) */
static const tc_real GATE_GAIN = TC_C(50.0);  /* of an error's square over its variance: wide
                                               * enough for wrong masses */
static const tc_real DRIFT = TC_C(1e-5);      /* of the variance at the start, per window, */
static const tc_real LEAST_KNOWN = TC_C(4.0); /* up to so many times it: hours without a torque make
                                               * it grow so far that rounding of what a window then
                                               * takes off might leave less than none */

void tci_estimator_gain_start(tc_estimator *e)
{
    for (uint32_t i = 0; i < e->leg->joints; ++i) {
        e->scale[i] = TC_C(1.0);
        e->scale_variance[i] = e->config->torque_gain * e->config->torque_gain;
        e->pushed[i] = e->moved[i] = TC_C(0.0);
    }
    e->window = 0;
}

/* One window as a measurement of joint i's scale: y = k x + e */
static void weigh_window(tc_estimator *e, const tci_estimator_bank_tick *tick, uint32_t i)
{
    const uint32_t n = e->leg->joints, w = n + i;
    /* P_ww of the air hypothesis, packed */
    const tc_real rate = e->state[2u * n + w * (4u * n - w + 1u) / 2u];
    const tc_real ticks = (tc_real)WINDOW, noise = tick->torque_noise[i] * e->config->step;
    const tc_real inertia = tick->motion.M[i * n + i];
    const tc_real R = noise * noise * ticks * (TC_C(1.0) + TC_C(0.25) * ticks)
                      + TC_C(2.0) * inertia * inertia * rate;
    const tc_real start = e->config->torque_gain * e->config->torque_gain;
    const tc_real x = e->pushed[i], error = e->moved[i] - e->scale[i] * x;
    const tc_real s = x * x * e->scale_variance[i] + R;
    if (error * error < GATE_GAIN * s) {
        const tc_real gain = e->scale_variance[i] * x / s;
        e->scale[i] += gain * error;
        e->scale_variance[i] -= gain * x * e->scale_variance[i];
    }
    if (e->scale_variance[i] < LEAST_KNOWN * start) {
        e->scale_variance[i] += DRIFT * start;
    }
}

void tci_estimator_gain_follow(tc_estimator *e, const tci_estimator_bank_tick *tick)
{
    const uint32_t n = e->leg->joints;
    const tc_real *const w = tick->mean + n, *const before = e->rate;
    const int flies = e->p[TC_MODE_AIR] > SURELY && e->ticks > 1u;
    const int full = ++e->window == WINDOW;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            e->moved[i] += tick->motion.M[i * n + j] * (w[j] - before[j]);
        }
        if (flies && full) {
            weigh_window(e, tick, i);
        }
        if (!flies || full) {
            e->moved[i] = e->pushed[i] = TC_C(0.0);
        }
        e->pushed[i] += tick->sensors->torque[i] * tick->step; /* of the tick that begins */
        e->moved[i] += tick->motion.bias[i] * tick->step;
    }
    e->window = flies && !full ? e->window : 0u;
}
