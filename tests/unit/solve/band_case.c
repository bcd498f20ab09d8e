/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "band_case.h"

#include <math.h>

static void draw_row(band_case *c, band_family family, uint32_t i, uint32_t width)
{
    static const double stretch[2] = {1, -1}, bending[3] = {1, -2, 1};
    c->from[i] = i;
    for (uint32_t k = 0; k <= width; ++k) {
        double x = (double)test_uniform(-1, 1);
        /* the copy in the next row begins a column early */
        if (family == BAND_TWICE && k == width) x = 0;
        if (family == BAND_STRETCH) {
            x = k < 2u ? stretch[k] : 0;
        } else if (family == BAND_BENDING) {
            x = k < 3u ? bending[k] : 0;
        }
        c->G[i][k] = x;
    }
    if (family == BAND_TWICE && i % 2u == 1u) {
        c->from[i] = i - 1u;
        memcpy(c->G[i], c->G[i - 1u], sizeof c->G[i]);
    }
}

double band_case_product(const band_case *c, uint32_t i, const double *w0)
{
    double sum = 0;
    for (uint32_t k = 0; k <= c->problem.width; ++k) sum += c->G[i][k] * w0[c->from[i] + k];
    return sum;
}

/* (G G^T)_ij, j <= i */
static double row_product(const band_case *c, uint32_t i, uint32_t j)
{
    const uint32_t ahead = c->from[i] - c->from[j];
    double sum = 0;
    for (uint32_t k = 0; k + ahead <= c->problem.width; ++k) sum += c->G[i][k] * c->G[j][k + ahead];
    return sum;
}

void band_case_draw(band_case *c, band_family family, uint32_t n, uint32_t width, int floors)
{
    double w0[BAND_CASE_MAX + TC_BAND_WIDTH_MAX];
    memset(c, 0, sizeof *c);
    c->columns = n + width;
    c->problem = (tc_band){n, width, c->A, c->q, floors ? c->floor : NULL, NULL};
    for (uint32_t k = 0; k < c->columns; ++k) w0[k] = (double)test_uniform(-1, 1);
    for (uint32_t i = 0; i < n; ++i) draw_row(c, family, i, width);
    for (uint32_t i = 0; i < n; ++i) {
        c->q[i] = (tc_real)band_case_product(c, i, w0);
        c->floor[i] = floors && test_below(2) ? test_uniform(0, 1) : 0;
        for (uint32_t j = 0; j <= width; ++j) {
            /* what is left of column 0 must not be read */
            c->A[i * (width + 1u) + j] = j <= i ? (tc_real)row_product(c, i, i - j) : (tc_real)NAN;
        }
    }
}

double band_case_element(const band_case *c, uint32_t i, uint32_t j)
{
    const uint32_t width = c->problem.width, low = i > j ? j : i, high = i > j ? i : j;
    return high - low > width ? 0 : (double)c->problem.A[high * (width + 1u) + high - low];
}

double band_case_violation(const band_case *c, const tc_real *f, double *w, double *scale)
{
    double worst = 0;
    *scale = 0;
    for (uint32_t i = 0; i < c->problem.n; ++i) {
        const double base = c->problem.floor != NULL ? (double)c->floor[i] : 0;
        double terms = fabs((double)c->q[i]);
        w[i] = (double)c->q[i];
        for (uint32_t j = 0; j < c->problem.n; ++j) {
            const double part = band_case_element(c, i, j) * (double)f[j];
            w[i] += part;
            terms += fabs(part);
        }
        const double push = band_case_element(c, i, i) * ((double)f[i] - base);
        worst = fmax(worst, fabs(fmin(push, w[i])));
        *scale = fmax(*scale, terms);
    }
    return worst;
}

int band_case_relax(const band_case *c, uint32_t sweeps, double *f, double *w)
{
    const uint32_t n = c->problem.n;
    double moved = 1, largest = 0;
    for (uint32_t i = 0; i < n; ++i) f[i] = c->problem.floor != NULL ? (double)c->floor[i] : 0;
    for (; sweeps != 0u && moved > 1e-14 * largest; --sweeps) {
        moved = largest = 0;
        for (uint32_t i = 0; i < n; ++i) {
            const double base = c->problem.floor != NULL ? (double)c->floor[i] : 0;
            double sum = (double)c->q[i];
            const uint32_t first = i > c->problem.width ? i - c->problem.width : 0u;
            for (uint32_t j = first; j < n && j <= i + c->problem.width; ++j) {
                sum += band_case_element(c, i, j) * f[j];
            }
            const double next = fmax(base, f[i] - sum / band_case_element(c, i, i));
            moved = fmax(moved, fabs(next - f[i]));
            largest = fmax(largest, fabs(next));
            f[i] = next;
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        w[i] = (double)c->q[i];
        for (uint32_t j = 0; j < n; ++j) w[i] += band_case_element(c, i, j) * f[j];
    }
    return sweeps != 0u;
}
