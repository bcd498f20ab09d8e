/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The complementarity problem by brute force, in double precision: the reference, which shares
 * nothing with lib/ but the largest n.
 *
 * For every set A of contacts: solve M_AA z_A = -q_A by Gaussian elimination with full pivoting,
 * and take A if z_A >= 0 and w >= 0. 2^n sets; for n <= 6. A set whose M_AA is singular is left
 * out: if there is a solution at all there is a basic one, whose M_AA is not.
 */
#ifndef LCP_ORACLE_H
#define LCP_ORACLE_H

#include "tc_config.h"

#include <math.h>
#include <stdint.h>

#define ORACLE_MAX TC_LCP_MAX

/* Solves the k x k system in `a` (k rows of k + 1 numbers, the last the right-hand side); 0:
 * singular. */
static inline int oracle_eliminate(double a[][ORACLE_MAX + 1u], double *x, uint32_t k)
{
    uint32_t column[ORACLE_MAX];
    double largest = 0;
    for (uint32_t i = 0; i < k; ++i) {
        column[i] = i;
    }
    for (uint32_t s = 0; s < k; ++s) {
        uint32_t row = s, at = s;
        for (uint32_t i = s; i < k; ++i) {
            for (uint32_t j = s; j < k; ++j) {
                if (fabs(a[i][column[j]]) > fabs(a[row][column[at]])) {
                    row = i;
                    at = j;
                }
            }
        }
        const uint32_t pivot = column[at];
        column[at] = column[s];
        column[s] = pivot;
        for (uint32_t j = 0; j <= k; ++j) {
            const double swap = a[s][j];
            a[s][j] = a[row][j];
            a[row][j] = swap;
        }
        largest = fmax(largest, fabs(a[s][pivot]));
        if (fabs(a[s][pivot]) <= 1e-12 * largest) {
            return 0;
        }
        for (uint32_t i = 0; i < k; ++i) {
            const double factor = i == s ? 0 : a[i][pivot] / a[s][pivot];
            for (uint32_t j = 0; factor != 0 && j <= k; ++j) {
                a[i][j] -= factor * a[s][j];
            }
        }
    }
    for (uint32_t s = 0; s < k; ++s) {
        x[column[s]] = a[s][k] / a[s][column[s]];
    }
    return 1;
}

/* 1 and z, w if A = `mask` is complementary, errors up to `tolerance` times the terms allowed */
static inline int oracle_try(const double *M, const double *q, uint32_t n, uint64_t mask,
                             double tolerance, double *z, double *w)
{
    double a[ORACLE_MAX][ORACLE_MAX + 1u], x[ORACLE_MAX];
    uint32_t set[ORACLE_MAX], k = 0;
    for (uint32_t i = 0; i < n; ++i) {
        z[i] = 0;
        if ((mask >> i & 1u) != 0) {
            set[k++] = i;
        }
    }
    for (uint32_t i = 0; i < k; ++i) {
        for (uint32_t j = 0; j < k; ++j) {
            a[i][j] = M[set[i] * n + set[j]];
        }
        a[i][k] = -q[set[i]];
    }
    if (!oracle_eliminate(a, x, k)) {
        return 0;
    }
    for (uint32_t i = 0; i < k; ++i) {
        if (!(x[i] >= 0)) {
            return 0;
        }
        z[set[i]] = x[i];
    }
    for (uint32_t i = 0; i < n; ++i) {
        double size = fabs(q[i]);
        w[i] = q[i];
        for (uint32_t j = 0; j < n; ++j) {
            w[i] += M[i * n + j] * z[j];
            size += fabs(M[i * n + j]) * z[j];
        }
        if (!(w[i] >= -tolerance * size)) {
            return 0;
        }
    }
    return 1;
}

/* 1 and a solution, or 0: there is none. The empty set is tried first. */
static inline int oracle_solve(const double *M, const double *q, uint32_t n, double tolerance,
                               double *z, double *w)
{
    for (uint32_t mask = 0; mask < 1u << n; ++mask) {
        if (oracle_try(M, q, n, mask, tolerance, z, w)) {
            return 1;
        }
    }
    return 0;
}

/* max |min(z, w)| / max_i (sum_j |M_ij| |z_j| + |q_i|), w recomputed; infinite if z or w is not
 * finite */
static inline double oracle_residual(const double *M, const double *q, uint32_t n, const double *z)
{
    double worst = 0, scale = 0;
    for (uint32_t i = 0; i < n; ++i) {
        double w = q[i], size = fabs(q[i]);
        for (uint32_t j = 0; j < n; ++j) {
            w += M[i * n + j] * z[j];
            size += fabs(M[i * n + j] * z[j]);
        }
        if (!isfinite(w) || !isfinite(z[i])) {
            return HUGE_VAL;
        }
        worst = fmax(worst, fabs(fmin(z[i], w)));
        scale = fmax(scale, size);
    }
    return scale > 0 ? worst / scale : worst;
}

/* The same over max |q_i|, |w_i| where z_i > 0: what an answer is wrong by beside what comes in */
static inline double oracle_error(const double *M, const double *q, uint32_t n, const double *z)
{
    double worst = 0, largest = 0;
    for (uint32_t i = 0; i < n; ++i) {
        double w = q[i];
        for (uint32_t j = 0; j < n; ++j) {
            w += M[i * n + j] * z[j];
        }
        worst = fmax(worst, z[i] > 0 ? fabs(w) : -w);
        largest = fmax(largest, fabs(q[i]));
    }
    return largest > 0 ? worst / largest : worst;
}

#endif
