/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Judges an answer of the cone solver in double, from the problem, f, u and w alone.
 */
#ifndef CONE_ORACLE_H
#define CONE_ORACLE_H

#include "cone_families.h"

#include <math.h>

/* What rounding may do to u, w and to f on its cone, relative to what they are sums of */
#define ORACLE_ROUNDING (16 * (double)TC_EPSILON)

typedef struct oracle_judgement {
    double residual, outside, drift; /* drift: of u and w, relative to the scale */
    double scale;
} oracle_judgement;

static inline double oracle_clip(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Projection on {y_n >= floor, |y_t| <= mu y_n}, by another way than the library's: in the plane
 * of the normal and y_t, the nearest point of two edges */
static inline void oracle_project(double mu, double floor, double *y, uint32_t rows)
{
    const double t = rows == 3u ? hypot(y[1], y[2]) : rows == 2u ? fabs(y[1]) : 0;
    if (y[0] >= floor && t <= mu * y[0]) return;
    const double s = fmax(floor, (y[0] + mu * t) / (1 + mu * mu)); /* on the slope */
    const double b = oracle_clip(t, 0, mu * floor);                /* on the bottom */
    const double slope = hypot(s - y[0], mu * s - t), bottom = hypot(floor - y[0], b - t);
    const double n = slope < bottom ? s : floor, p = slope < bottom ? mu * s : b;
    y[0] = n;
    for (uint32_t r = 1; r < rows; ++r) y[r] = t > 0 ? y[r] * p / t : 0;
}

static inline oracle_judgement oracle_judge(const tc_cone *c, const tc_real *f, const tc_real *u,
                                            const tc_real *w)
{
    const uint32_t total = c->n * c->rows;
    double wide[CONE_FAMILY_ROWS], size[CONE_FAMILY_ROWS], v[CONE_FAMILY_ROWS], scale = 0;
    oracle_judgement j = {0, 0, 0, 0};
    for (uint32_t k = 0; k < c->d; ++k) {
        wide[k] = (double)c->w0[k];
        size[k] = fabs(wide[k]);
        for (uint32_t r = 0; r < total; ++r) {
            const double part = (double)c->G[r * c->d + k] * (double)f[r];
            wide[k] += part;
            size[k] += fabs(part);
        }
    }
    for (uint32_t r = 0; r < total; ++r) {
        double sum = 0;
        v[r] = 0;
        for (uint32_t k = 0; k < c->d; ++k) {
            v[r] += (double)c->G[r * c->d + k] * wide[k];
            sum += fabs((double)c->G[r * c->d + k]) * size[k];
        }
        const double soft = c->compliance != NULL ? (double)c->compliance[r / c->rows] : 0;
        v[r] += soft * (double)f[r];
        scale = fmax(scale, sum + soft * fabs((double)f[r]));
        j.drift = fmax(j.drift, fabs((double)u[r] - v[r]));
    }
    for (uint32_t i = 0; i < c->n; ++i) {
        const double mu = (double)c->mu[i], low = c->floor != NULL ? (double)c->floor[i] : 0;
        double a = 0, y[3] = {0}, e[3] = {0}, part = 0, out = 0, own = 0;
        for (uint32_t k = 0; k < c->rows * c->d; ++k) {
            a += (double)c->G[i * c->rows * c->d + k] * (double)c->G[i * c->rows * c->d + k];
        }
        a = a / c->rows + (c->compliance != NULL ? (double)c->compliance[i] : 0);
        for (uint32_t r = 0; r < c->rows; ++r) {
            e[r] = (double)f[i * c->rows + r];
            y[r] = e[r] - v[i * c->rows + r] / a;
        }
        oracle_project(mu, low, y, c->rows);
        for (uint32_t r = 0; r < c->rows; ++r) {
            part += (e[r] - y[r]) * (e[r] - y[r]);
            y[r] = e[r];
            own = fmax(own, fabs(e[r]));
        }
        oracle_project(mu, low, y, c->rows);
        for (uint32_t r = 0; r < c->rows; ++r) out = fmax(out, fabs(e[r] - y[r]));
        j.residual = fmax(j.residual, sqrt(part) * a);
        j.outside = fmax(j.outside, own > 0 ? out / own : 0);
    }
    j.scale = scale;
    j.residual = scale > 0 ? j.residual / scale : 0;
    j.drift = scale > 0 ? j.drift / scale : 0;
    for (uint32_t k = 0; k < c->d; ++k) {
        const double off = fabs((double)w[k] - wide[k]);
        if (!(off <= ORACLE_ROUNDING * (size[k] + 1))) j.drift = HUGE_VAL;
    }
    return j;
}

#endif
