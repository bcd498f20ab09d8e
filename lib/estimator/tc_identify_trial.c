/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One impact: an iterated extended Kalman filter in square-root form, with trials.
 *
 * The unknowns theta have the mean m and the covariance S S^T before the impact, S lower
 * triangular. The rates before, v, and after, v', are measured with deviations s and s'. With the
 * model v' = h(theta, v), H = dh/dtheta and F = dh/dv, at a point theta_i,
 *
 *     r = v' - h(theta_i, v) - H (m - theta_i)                                               (1)
 *     R = diag(s')^2 + F diag(s)^2 F^T + 0.1 diag(H S S^T H^T) = L L^T                       (2)
 *     X = L^-1 H S,   b = L^-1 r                                                             (3)
 *     N = 1 + X^T X = C^T C,  C lower triangular                                             (4)
 *     z = N^-1 X^T b,   theta = m + S z                                                      (5)
 *     distance = |z|^2 + |b - X z|^2,   that is r^T (R + H S S^T H^T)^-1 r                   (6)
 *
 * and the covariance after is S N^-1 S^T, whose root S C^-1 is lower triangular again. N is at least
 * 1, so nothing is lost where a measurement is far better than what was known. A row of S that is 0
 * is an unknown that is known. The model is linearised up to three times, each time at the last
 * theta, until steps are short. The third term of R is for what the linear model leaves out; without
 * it and with two iterations one run in ten locks on wrong values.
 *
 * A contact that sticks has d/dmu = 0, so the filter cannot leave a mu at which the contact sticks,
 * although it slipped. Each impact therefore has up to two trials: one begins at the mean, and
 * where it does not fit, another from the other side of mu = |f_t| / f_n of the contact that
 * sticks. A trial stays on its side. The better one counts. One that sticks pays for the
 * deviations that the mean lies below the bound.
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"
#include "tc_mat.h"

#define STRIDE TC_IDENTIFY_MAX
#define ITERATIONS 3u

static const tc_real inflation = TC_C(0.1);
/* A trial ends with a step below one of these, squared: in standard deviations before the impact, or
 * in the unknowns. What the linear model leaves out there is far below any sensor's noise. */
static const tc_real step_limit = TC_C(0.0025), small_step = TC_C(1e-4);
/* A trial that fits worse than this many deviations of a normal distribution calls for another. */
static const tc_real doubt = TC_C(1.0);
/* How far inside its side of |f_t| / f_n a trial stays. */
static const tc_real slip_side = TC_C(0.98), stick_side = TC_C(1.02);
/* A trial that sticks is preferred, unless slipping fits better by this. */
static const tc_real stick_credit = TC_C(2.5);

/* ---- One linearisation ----------------------------------------------------------------------- */

/* H S, and (1) in the last row */
static void write_innovation(const tci_identify_pass *pass, uint32_t d)
{
    const tci_identify_linear *const l = &pass->linear;
    const tc_identify_impact *const impact = l->impact;
    const uint32_t m = l->unknowns;
    tc_real *const r = pass->X + m * d;
    for (uint32_t i = 0; i < d; ++i) {
        r[i] = impact->after[i] - impact->before[i] - l->change[i];
    }
    for (uint32_t k = 0; k < m; ++k) {
        const tc_real *const S = pass->identify->root + k;
        tc_real *const row = pass->X + k * d;
        tci_identify_add(r, pass->theta[k] - pass->identify->mean[k], l->H + k * d, d);
        tci_identify_times(row, S[k * STRIDE], l->H + k * d, d);
        for (uint32_t j = k + 1u; j < m; ++j) {
            tci_identify_add(row, S[j * STRIDE], l->H + j * d, d);
        }
    }
}

/* R = F F^T, its lower triangle */
static void multiply_transfer(const tc_real *F, tc_real *R, uint32_t d)
{
    if (d != 6u) {
        for (uint32_t i = 0; i < d; ++i) {
            for (uint32_t j = 0; j <= i; ++j) {
                R[i * d + j] = tci_identify_dot(F + i * d, F + j * d, d);
            }
        }
        return;
    }
    for (uint32_t i = 0; i < 6u; ++i) {
        const tc_real *const x = F + 6u * i;
        const tc_real a = x[0], b = x[1], c = x[2], e = x[3], f = x[4], g = x[5];
        for (uint32_t j = 0; j <= i; ++j) {
            const tc_real *const y = F + 6u * j;
            const tc_real half = TC_MLA(TC_MLA(a * y[0], b, y[1]), c, y[2]);
            R[6u * i + j] = TC_MLA(TC_MLA(TC_MLA(half, e, y[3]), f, y[4]), g, y[5]);
        }
    }
}

/* R of (2), its lower triangle */
static void write_noise(const tci_identify_pass *pass, uint32_t d)
{
    const tci_identify_linear *const l = &pass->linear;
    tc_real *const spread = l->part;
    tci_identify_scale(pass->X, pass->X, spread, d);
    for (uint32_t k = 1; k < l->unknowns; ++k) {
        tci_identify_square(spread, pass->X + k * d, d);
    }
    multiply_transfer(l->F, pass->R, d);
    for (uint32_t i = 0; i < d; ++i) {
        const tc_real sd = l->impact->after_sd[i];
        tc_real *const diagonal = pass->R + i * d + i;
        *diagonal = TC_MLA(TC_MLA(*diagonal, sd, sd), inflation, spread[i]);
    }
}

/* R = L L^T in place. Returns 0 where a pivot is lost. */
static int factor_noise(tc_real *R, uint32_t d)
{
    if (d != 6u) {
        return tc_mat_cholesky_inplace(R, d) == TC_OK;
    }
    tc_mat6_cholesky(R, R);
    int good = 1;
    for (uint32_t i = 0; i < 36u; i += 7u) {
        good = good && R[i] > TC_C(0.0);
    }
    return good;
}

/* x = L^-1 x */
static void whiten_noise(const tc_real *L, tc_real *x, uint32_t d)
{
    if (d == 6u) {
        tc_mat6_solve_lower(L, x, x);
        return;
    }
    for (uint32_t i = 0; i < d; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            x[i] = TC_MLS(x[i], L[i * d + k], x[k]);
        }
        x[i] /= L[i * d + i];
    }
}

/* (4) and (5), from X with b beside it */
static void solve_step(const tci_identify_pass *pass, tci_identify_trial *trial, uint32_t d)
{
    const uint32_t m = pass->linear.unknowns;
    for (uint32_t i = 0; i < m; ++i) {
        const tc_real *const row = pass->X + i * d;
        for (uint32_t j = 0; j <= i; ++j) {
            trial->C[i * STRIDE + j] = tci_identify_dot(row, pass->X + j * d, d);
        }
        trial->C[i * STRIDE + i] += TC_C(1.0);
        trial->z[i] = tci_identify_dot(row, pass->X + m * d, d);
    }
    tci_identify_root_factor(trial->C, m);
    tci_identify_root_solve(trial->C, trial->z, m);
}

/* (6); overwrites b */
static tc_real measure_distance(const tci_identify_pass *pass, const tci_identify_trial *trial,
                                uint32_t d)
{
    const uint32_t m = pass->linear.unknowns;
    tc_real *const left = pass->X + m * d;
    for (uint32_t k = 0; k < m; ++k) {
        tci_identify_add(left, -trial->z[k], pass->X + k * d, d);
    }
    return tci_identify_dot(trial->z, trial->z, m) + tci_identify_dot(left, left, d);
}

static tc_status weigh_innovation(const tci_identify_pass *pass, tci_identify_trial *trial)
{
    const uint32_t d = pass->linear.impact->d;
    write_innovation(pass, d);
    if (!pass->linear.kept) {
        write_noise(pass, d);
        if (!factor_noise(pass->R, d)) {
            return TC_ERR_RANGE;
        }
    }
    for (uint32_t k = 0; k <= pass->linear.unknowns; ++k) {
        whiten_noise(pass->R, pass->X + k * d, d);
    }
    solve_step(pass, trial, d);
    trial->distance = measure_distance(pass, trial, d);
    return trial->distance <= TC_C(1e30) ? TC_OK : TC_ERR_RANGE;
}

/* Linearises at pass->theta, and computes the step from there. */
static tc_status linearise_pass(tci_identify_pass *pass, tci_identify_trial *trial)
{
    const tc_status status = tci_identify_model_at(&pass->linear, pass->theta);
    ++pass->iterations;
    if (status != TC_OK) {
        return status;
    }
    return weigh_innovation(pass, trial);
}

/* ---- Trials ---------------------------------------------------------------------------------- */

static tc_real limit_between(tc_real x, tc_real low, tc_real high)
{
    return x < low ? low : (x > high ? high : x);
}

/* theta = m + S z inside the unknowns' ranges and on the trial's side. Returns 1 if that is a step so
 * short that the trial ends. */
static int move_theta(tci_identify_pass *pass, tci_identify_trial *trial)
{
    const tc_identify *const identify = pass->identify;
    tc_real square = TC_C(0.0), size = TC_C(0.0);
    for (uint32_t i = 0; i < pass->linear.unknowns; ++i) {
        const tc_real *const row = identify->root + i * STRIDE;
        tc_real x = identify->mean[i], spread = TC_EPSILON;
        for (uint32_t k = 0; k <= i; ++k) {
            x = TC_MLA(x, row[k], trial->z[k]);
            spread = TC_MLA(spread, row[k], row[k]);
        }
        if (i == TC_IDENTIFY_FRICTION) {
            trial->crossed = trial->sticks != (uint32_t)(x > trial->stick);
            const tc_real side = trial->sticks ? stick_side : slip_side;
            const tc_real edge = side * trial->stick;
            x = trial->sticks == (uint32_t)(x > edge) ? x : edge;
            x = limit_between(x, TCI_IDENTIFY_LEAST, TC_CONE_FRICTION_MAX);
        } else if (i == TC_IDENTIFY_RESTITUTION) {
            x = limit_between(x, TCI_IDENTIFY_LEAST, TC_C(1.0));
        } else {
            x = limit_between(x, -TCI_IDENTIFY_LOG_MAX, TCI_IDENTIFY_LOG_MAX);
        }
        const tc_real change = x - pass->theta[i];
        square += change * change / spread;
        size = TC_MLA(size, change, change);
        pass->theta[i] = x;
    }
    return square < step_limit || size < small_step;
}

/* The bound of mu that a trial gives, if it sticks, and its deviation: by the noise before, and by
 * how far mu could lie below it with the contact slipping unseen. */
static void write_bound_of(const tci_identify_pass *pass, tci_identify_trial *trial)
{
    const tci_identify_linear *const l = &pass->linear;
    const uint32_t d = l->impact->d;
    whiten_noise(pass->R, l->edge, d);
    const tc_real seen = tci_identify_dot(l->edge, l->edge, d);
    trial->bound = seen > TC_C(1e-6) ? l->bound : TC_C(0.0);
    trial->bound_sd = tc_sqrt(TC_MLA(TC_C(1.0) / (seen + TC_C(1e-6)), l->bound_sd, l->bound_sd));
}

/* What a trial that sticks pays where the mean lies below its bound */
static tc_real price_bound(const tci_identify_pass *pass, const tci_identify_trial *trial)
{
    const tc_real below =
        tc_vec_not_negative(trial->stick - pass->identify->mean[TC_IDENTIFY_FRICTION]);
    const tc_real sd = tci_identify_read_sd(pass->identify, TC_IDENTIFY_FRICTION);
    const tc_real spread = TC_MLA(TC_MLA(TC_EPSILON, sd, sd), trial->bound_sd, trial->bound_sd);
    return trial->sticks ? below * below / spread : TC_C(0.0);
}

/* Value of a chi-square distribution with d degrees that is exceeded as a normal distribution is
 * beyond `deviations` (Wilson and Hilferty's approximation). */
static tc_real limit_distance(uint32_t d, tc_real deviations)
{
    const tc_real n = (tc_real)d, spread = TC_C(2.0) / (TC_C(9.0) * n);
    const tc_real root = TC_C(1.0) - spread + deviations * tc_sqrt(spread);
    return n * root * root * root;
}

/* Whether a trial on the other side could be better than this one, and be accepted */
static int doubt_trial(const tci_identify_pass *pass, const tci_identify_trial *trial)
{
    const tc_real sd = tci_identify_read_sd(pass->identify, TC_IDENTIFY_FRICTION);
    const tc_real far = pass->identify->mean[TC_IDENTIFY_FRICTION] - trial->stick;
    const tc_real most = trial->distance < pass->gate ? trial->distance : pass->gate;
    const int doubtful = trial->distance > pass->limit || (trial->crossed && !trial->sticks);
    return doubtful && pass->iterations < ITERATIONS && trial->stick < TC_CONE_FRICTION_MAX
           && trial->stick > TCI_IDENTIFY_LEAST && far * far <= most * sd * sd;
}

/* A trial from pass->theta; `side` 0 or 1: slips or sticks; 2: as the contact does there. The first
 * trial leaves one linearisation to a second one that it needs. */
static tc_status run_trial(tci_identify_pass *pass, uint32_t side, tci_identify_trial *trial)
{
    int settled = 0;
    pass->linear.kinds = 0u;
    trial->sticks = side;
    while (!settled) {
        const tc_status status = linearise_pass(pass, trial);
        if (status != TC_OK) {
            return status;
        }
        trial->sticks = trial->sticks == 2u ? pass->linear.sticks : trial->sticks;
        trial->stick = pass->linear.stick;
        settled =
            move_theta(pass, trial) || pass->iterations == ITERATIONS
            || (side == 2u && pass->iterations + 1u == ITERATIONS && doubt_trial(pass, trial));
    }
    trial->bound = TC_C(0.0);
    if (pass->linear.sticks) {
        write_bound_of(pass, trial);
    }
    trial->distance += price_bound(pass, trial);
    return TC_OK;
}

/* Whether the second trial, on the other side, is better than the first */
static int prefer_second(const tci_identify_trial *first, const tci_identify_trial *second)
{
    const tc_real one = first->distance - (first->sticks ? stick_credit : TC_C(0.0));
    const tc_real two = second->distance - (second->sticks ? stick_credit : TC_C(0.0));
    return two < one;
}

/* Up to two trials; the better one is trial[0] after. */
tc_status tci_identify_trial_run(tci_identify_pass *pass, tci_identify_trial trial[2])
{
    const uint32_t d = pass->linear.impact->d;
    pass->limit = limit_distance(d, doubt);
    pass->gate = limit_distance(d, pass->identify->config.gate);
    tci_identify_read_means(pass->identify, pass->theta);
    const tc_status status = run_trial(pass, 2u, &trial[0]);
    if (status != TC_OK || !doubt_trial(pass, &trial[0])) {
        return status;
    }
    const uint32_t sticks = trial[0].sticks;
    tc_real *const mu = pass->theta + TC_IDENTIFY_FRICTION;
    const tc_real edge = (sticks ? slip_side : stick_side) * trial[0].stick;
    tci_identify_read_means(pass->identify, pass->theta);
    *mu = sticks == (uint32_t)(*mu < edge) ? *mu : edge;
    if (run_trial(pass, !sticks, &trial[1]) == TC_OK && prefer_second(&trial[0], &trial[1])) {
        const tci_identify_trial better = trial[1];
        trial[1] = trial[0];
        trial[0] = better;
    }
    return TC_OK;
}
