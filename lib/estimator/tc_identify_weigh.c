/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One linearisation of an impact: the step of a Kalman filter in square-root form.
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
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"
#include "tc_mat.h"

#define STRIDE TC_IDENTIFY_MAX

static const tc_real inflation = TC_C(0.1);

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

void tci_identify_weigh_vector(const tc_real *L, tc_real *x, uint32_t d)
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

tc_status tci_identify_weigh_step(const tci_identify_pass *pass, tci_identify_trial *trial)
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
        tci_identify_weigh_vector(pass->R, pass->X + k * d, d);
    }
    solve_step(pass, trial, d);
    trial->distance = measure_distance(pass, trial, d);
    return trial->distance <= TC_C(1e30) ? TC_OK : TC_ERR_RANGE;
}
