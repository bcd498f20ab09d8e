/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The generalized-momentum observer (De Luca and Mattone, 2003), written so that it asks for no
 * matrix C.
 *
 * With p = M qd, M qdd + bias = tau + tau_e and M' = C + C^T, the usual observer of the torque
 * tau_e from outside is
 *
 *     r' = K (p' - tau - C^T qd + g - r),   bias = C qd + g.
 *
 * p' - C^T qd + g is M qdd + bias: what it filters is the torque that is missing in the equation of
 * motion. Over a tick T, M qdd is M (qd_k - qd_k-1) / T, and the filter's exact step is
 *
 *     x_k = M_k (qd_k - qd_k-1) / T + bias_k - tau_k,   r_k = r_k-1 + (1 - e^-KT) (x_k - r_k-1).
 *
 * No acceleration is stored or filtered beside r: a differenced rate is integrated again by the
 * filter, with K as its weight, which is what made the observer preferable to inverse dynamics.
 *
 * The force F along the rows of J is the one whose torques agree with r in the metric of M^-1, the
 * accelerations: J M^-1 J^T F = J M^-1 r.
 *
 * Cost: a Cholesky factor of M, n^2 (rows + 1) products for the solves, one small semi-definite
 * solve, two exponentials.
 */
#include "tc_exact.h"
#include "tc_momentum.h"

#include "tc_leg_core.h"
#include "tc_mat.h"
#include "tc_math.h"

#include <string.h>

tc_momentum_config tc_momentum_default(void)
{
    const tc_momentum_config config = {.step = TC_C(1e-3),
                                       .rate_filter = TC_C(800.0),
                                       .gain = TC_C(700.0),
                                       .on = TC_C(12.0),
                                       .off = TC_C(8.4),
                                       .debounce_on = 1,
                                       .debounce_off = 1};
    return config;
}

static int good_filters(const tc_momentum_config *c)
{
    return c->step >= TC_C(1e-5) && c->step <= TC_C(0.1) && c->rate_filter > TC_C(0.0)
           && c->rate_filter <= TC_C(1e6) && c->gain > TC_C(0.0) && c->gain <= TC_C(1e6);
}

static int good_config(const tc_momentum_config *c)
{
    return good_filters(c) && c->on >= c->off && c->on <= TC_C(1e9) && c->off >= TC_C(-1e9)
           && c->debounce_on >= 1u && c->debounce_off >= 1u;
}

/* A force is told by torques and a mass times differences of velocities: what passes for one in the
 * air grows with the mass m that the foot moves, the thresholds with it. Noise of encoders grows
 * with their coarseness c, differenced twice; low passes of bandwidth w take it off as w^2 and cost
 * 1 / w of delay. Both give a little: w falls as c^(-3/8), which leaves a noise of c^(1/4), as the
 * thresholds grow. */
tc_status tc_momentum_default_for(const tc_leg *leg, tc_real tick, const tc_leg_sensing *sensing,
                                  tc_momentum_config *config)
{
    tc_real steps[TC_LEG_JOINTS];
    if (config == NULL) {
        return TC_ERR_NULL;
    }
    memset(config, 0, sizeof *config);
    tc_status status = sensing == NULL ? TC_ERR_NULL : tc_leg_check(leg);
    status = status == TC_OK ? tc_leg_sensing_check(sensing, leg->joints) : status;
    if (status != TC_OK) {
        return status;
    }
    const tc_real mass = tc_leg_size_of(leg).mass / tc_leg_size_reference().mass;
    const tc_real root = tc_sqrt(tc_leg_steps(leg, tick, sensing, steps)), fourth = tc_sqrt(root);
    const tc_real slower = fourth * tc_sqrt(fourth);
    tc_momentum_config c = tc_momentum_default();
    c.step = tick;
    c.rate_filter /= slower;
    c.gain /= slower;
    c.on *= mass * fourth;
    c.off *= mass * fourth;
    status = good_config(&c) ? TC_OK : TC_ERR_RANGE;
    if (status == TC_OK) {
        *config = c;
    }
    return status;
}

tc_status tc_momentum_init(tc_momentum *m, const tc_momentum_config *config, uint32_t joints)
{
    if (m == NULL) {
        return TC_ERR_NULL;
    }
    memset(m, 0, sizeof *m);
    if (config == NULL) {
        return TC_ERR_NULL;
    }
    if (joints - 1u >= TC_MOMENTUM_JOINTS) {
        return TC_ERR_SIZE;
    }
    if (!good_config(config)) {
        return TC_ERR_RANGE;
    }
    m->config = *config;
    m->joints = joints;
    return TC_OK;
}

/* Time since the sample before [s] */
static tc_real elapsed_time(const tc_momentum *m, uint32_t lost)
{
    return m->config.step * ((tc_real)lost + TC_C(1.0));
}

static tc_real share_momentum(tc_real bandwidth, tc_real time)
{
    return TC_C(1.0) - tc_exp(-bandwidth * time);
}

tc_status tc_momentum_rates(const tc_momentum *m, const tc_real *q, uint32_t lost, tc_real *qd)
{
    if (m == NULL || qd == NULL) {
        return TC_ERR_NULL;
    }
    const uint32_t n = m->joints;
    if (n - 1u >= TC_MOMENTUM_JOINTS) {
        return TC_ERR_SIZE;
    }
    memset(qd, 0, n * sizeof *qd);
    if (q == NULL) {
        return TC_ERR_NULL;
    }
    const tc_real time = elapsed_time(m, lost);
    /* no rate yet to keep */
    const tc_real part = m->ticks == 1u ? TC_C(1.0) : share_momentum(m->config.rate_filter, time);
    if (m->ticks != 0u) {
        for (uint32_t i = 0; i < n; ++i) {
            qd[i] = m->qd[i] + part * ((q[i] - m->q[i]) / time - m->qd[i]);
        }
    }
    if (tc_all_finite(q, n) && tc_all_finite(qd, n)) {
        return TC_OK;
    }
    memset(qd, 0, n * sizeof *qd);
    return TC_ERR_NOT_FINITE;
}

/* x: the torque that the equation of motion is short of in this tick. */
static void missing_torque(const tc_momentum *m, const tc_momentum_tick *tick, tc_real time,
                           tc_real *x)
{
    const uint32_t n = m->joints;
    for (uint32_t i = 0; i < n; ++i) {
        tc_real sum = tick->bias[i] - tick->torque[i];
        for (uint32_t j = 0; j < n; ++j) {
            sum = TC_MLA(sum, tick->M[i * n + j], (tick->qd[j] - m->qd[j]) / time);
        }
        x[i] = sum;
    }
}

/* force[rows] of the torques r: J M^-1 J^T F = J M^-1 r. */
static tc_status force_of(const tc_momentum *m, const tc_momentum_tick *tick, const tc_real *r,
                          tc_real *force)
{
    const uint32_t n = m->joints, rows = tick->rows;
    tc_real L[TC_MOMENTUM_JOINTS * TC_MOMENTUM_JOINTS], W[TC_MOMENTUM_ROWS * TC_MOMENTUM_ROWS];
    tc_real y[TC_MOMENTUM_JOINTS], a[TC_MOMENTUM_ROWS], work[TC_MAT_PSD_WORK(TC_MOMENTUM_ROWS)];
    tc_status status = tc_mat_cholesky(tick->M, L, n);
    for (uint32_t k = 0; k < rows && status == TC_OK; ++k) {
        status = tc_mat_cholesky_solve(L, tick->J + k * n, y, n, 1); /* M^-1 J_k^T */
        if (status == TC_OK) {
            (void)tc_mat_vec(tick->J, y, a, rows, n);
            for (uint32_t i = 0; i < rows; ++i) {
                W[i * rows + k] = a[i];
            }
            force[k] = TC_C(0.0);
            for (uint32_t j = 0; j < n; ++j) {
                force[k] = TC_MLA(force[k], y[j], r[j]);
            }
        }
    }
    if (status != TC_OK) {
        return status;
    }
    memcpy(a, force, rows * sizeof *a);
    status = tc_mat_psd_solve(W, a, force, rows, NULL, work, TC_COUNT(work));
    return status == TC_NOTE_INCONSISTENT ? TC_NOTE_RANK : status;
}

/* Threshold with hysteresis, and as many ticks in a row as the debounce wants. */
static void decide_momentum(tc_momentum *m, tc_real force)
{
    const int against = m->contact ? force < m->config.off : force > m->config.on;
    const uint32_t wanted = m->contact ? m->config.debounce_off : m->config.debounce_on;
    m->count = against ? m->count + 1u : 0u;
    if (m->count >= wanted) {
        m->contact = !m->contact;
        m->count = 0;
    }
}

static int complete_tick(const tc_momentum_tick *t)
{
    return t != NULL && t->q != NULL && t->qd != NULL && t->M != NULL && t->bias != NULL
           && t->torque != NULL && t->J != NULL;
}

static int finite_tick(const tc_momentum_tick *t, uint32_t n)
{
    return tc_all_finite(t->q, n) && tc_all_finite(t->qd, n) && tc_all_finite(t->M, n * n)
           && tc_all_finite(t->bias, n) && tc_all_finite(t->torque, n)
           && tc_all_finite(t->J, t->rows * n);
}

static tc_status check_tick(const tc_momentum *m, const tc_momentum_tick *t)
{
    if (!complete_tick(t)) {
        return TC_ERR_NULL;
    }
    const uint32_t n = m->joints;
    if (n - 1u >= TC_MOMENTUM_JOINTS || t->rows - 1u >= TC_MOMENTUM_ROWS) {
        return TC_ERR_SIZE;
    }
    return finite_tick(t, n) ? TC_OK : TC_ERR_NOT_FINITE;
}

tc_status tc_momentum_update(tc_momentum *m, const tc_momentum_tick *tick, tc_momentum_info *info)
{
    if (info != NULL) {
        memset(info, 0, sizeof *info);
    }
    if (m == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = check_tick(m, tick);
    if (status != TC_OK) {
        return status;
    }
    const uint32_t n = m->joints;
    const tc_real time = elapsed_time(m, tick->lost);
    tc_real residual[TC_MOMENTUM_JOINTS] = {TC_C(0.0)}, force[TC_MOMENTUM_ROWS] = {TC_C(0.0)};
    if (m->ticks > 1u) {
        /* the first rate is 0 for want of a second sample, the next difference of rates nonsense */
        const tc_real part = share_momentum(m->config.gain, time);
        missing_torque(m, tick, time, residual);
        for (uint32_t i = 0; i < n; ++i) {
            residual[i] = m->residual[i] + part * (residual[i] - m->residual[i]);
        }
    }
    status = force_of(m, tick, residual, force);
    if (status < TC_OK) {
        return status == TC_ERR_NOT_FINITE ? TC_ERR_RANGE : status; /* what came in is finite */
    }
    if (!tc_all_finite(residual, n) || !tc_all_finite(force, tick->rows)) {
        return TC_ERR_RANGE;
    }
    memcpy(m->q, tick->q, n * sizeof *m->q);
    memcpy(m->qd, tick->qd, n * sizeof *m->qd);
    memcpy(m->residual, residual, sizeof residual);
    m->ticks += m->ticks != UINT32_MAX;
    decide_momentum(m, force[tick->rows - 1u]);
    if (info != NULL) {
        memcpy(info->torque, residual, sizeof residual);
        memcpy(info->force, force, sizeof force);
        info->contact = m->contact;
    }
    return status;
}
