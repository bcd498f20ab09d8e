/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The correctness campaign of the cone solver on the host: draws problems of every family, in plane
 * and space, solves compression and restitution, judges each answer in double precision from f and
 * w0 alone, and prints one CSV line per family, dimension and phase.
 *
 *     cone_campaign [problems per cell] [family]
 *
 * not_certified   status other than TC_OK and TC_NOTE_PRECISION
 * imprecise       TC_NOTE_PRECISION
 * false           certified, but the residual in double is above 4.1e-6, or an impulse leaves its
 *                 cone, or the returned u or w differ from those of f
 * residual        largest of certified answers, in double
 * iterations      linear systems solved: mean, 99.9 %, largest
 * Ends with 1 if any answer is false.
 */
#include "cone_families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TC_DOUBLE
#define RESIDUAL 1.05e-11
#else
#define RESIDUAL 4.1e-6
#endif
#define ROUNDING (16 * (double)TC_EPSILON)

typedef struct tally {
    uint32_t count, not_certified, imprecise, wrong;
    double residual, iterations;
    uint32_t histogram[4096], most;
} tally;

typedef struct judgement {
    double residual, outside, drift; /* drift: of u and w, relative to the scale */
} judgement;

static double clip(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Projection on {y_n >= floor, |y_t| <= mu y_n}, by another way than the library's: in the plane
 * of the normal and y_t, the nearest point of two edges */
static void project(double mu, double floor, double *y, uint32_t rows)
{
    const double t = rows == 3u ? hypot(y[1], y[2]) : rows == 2u ? fabs(y[1]) : 0;
    if (y[0] >= floor && t <= mu * y[0]) return;
    const double s = fmax(floor, (y[0] + mu * t) / (1 + mu * mu)); /* on the slope */
    const double b = clip(t, 0, mu * floor);                       /* on the bottom */
    const double slope = hypot(s - y[0], mu * s - t), bottom = hypot(floor - y[0], b - t);
    const double n = slope < bottom ? s : floor, p = slope < bottom ? mu * s : b;
    y[0] = n;
    for (uint32_t r = 1; r < rows; ++r) y[r] = t > 0 ? y[r] * p / t : 0;
}

static judgement judge(const cone_problem *p, const tc_real *f, const tc_real *u, const tc_real *w)
{
    const tc_cone *const c = &p->cone;
    const uint32_t total = c->n * c->rows;
    double wide[CONE_FAMILY_ROWS], size[CONE_FAMILY_ROWS], v[CONE_FAMILY_ROWS], scale = 0;
    judgement j = {0, 0, 0};
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
        double a = 0, y[3], e[3], part = 0, out = 0, own = 0;
        for (uint32_t k = 0; k < c->rows * c->d; ++k) {
            a += (double)c->G[i * c->rows * c->d + k] * (double)c->G[i * c->rows * c->d + k];
        }
        a = a / c->rows + (c->compliance != NULL ? (double)c->compliance[i] : 0);
        for (uint32_t r = 0; r < c->rows; ++r) {
            e[r] = (double)f[i * c->rows + r];
            y[r] = e[r] - v[i * c->rows + r] / a;
        }
        project(mu, low, y, c->rows);
        for (uint32_t r = 0; r < c->rows; ++r) {
            part += (e[r] - y[r]) * (e[r] - y[r]);
            y[r] = e[r];
            own = fmax(own, fabs(e[r]));
        }
        project(mu, low, y, c->rows);
        for (uint32_t r = 0; r < c->rows; ++r) out = fmax(out, fabs(e[r] - y[r]));
        j.residual = fmax(j.residual, sqrt(part) * a);
        j.outside = fmax(j.outside, own > 0 ? out / own : 0);
    }
    j.residual = scale > 0 ? j.residual / scale : 0;
    j.drift = scale > 0 ? j.drift / scale : 0;
    for (uint32_t k = 0; k < c->d; ++k) {
        const double off = fabs((double)w[k] - wide[k]);
        if (!(off <= ROUNDING * (size[k] + 1))) j.drift = HUGE_VAL;
    }
    return j;
}

static void count_answer(tally *t, const cone_problem *p, tc_status status, const tc_real *f,
                         const tc_real *u, const tc_real *w, const tc_cone_info *info)
{
    const int certified = status == TC_OK || status == TC_NOTE_PRECISION;
    ++t->count;
    t->iterations += info->iterations;
    ++t->histogram[info->iterations < 4095u ? info->iterations : 4095u];
    t->most = info->iterations > t->most ? info->iterations : t->most;
    t->not_certified += !certified;
    t->imprecise += status == TC_NOTE_PRECISION;
    if (certified) {
        const judgement j = judge(p, f, u, w);
        t->residual = fmax(t->residual, j.residual);
        t->wrong += !(j.residual <= RESIDUAL) || !(j.outside <= ROUNDING) || !(j.drift <= ROUNDING);
    }
}

static void print_tally(const char *name, uint32_t rows, const char *phase, const tally *t)
{
    uint32_t high = 0, seen = t->histogram[0];
    while (seen * 1000.0 < t->count * 999.0) seen += t->histogram[++high];
    printf("%s,%u,%s,%u,%u,%u,%u,%.2g,%.2f,%u,%u\n", name, (unsigned)rows, phase,
           (unsigned)t->count, (unsigned)t->not_certified, (unsigned)t->imprecise,
           (unsigned)t->wrong, t->residual, t->iterations / t->count, (unsigned)high,
           (unsigned)t->most);
    fflush(stdout);
}

static int run_cell(const cone_family *family, uint32_t rows, uint32_t count)
{
    static cone_problem p;
    static tally phase[2];
    static tc_real f[CONE_FAMILY_ROWS], u[CONE_FAMILY_ROWS], w[CONE_FAMILY_ROWS];
    static tc_real work[TC_CONE_WORK(TC_CONE_MAX, 3u, TC_CONE_FREEDOM_MAX)];
    const int verbose = getenv("CONE_VERBOSE") != NULL; /* names the problems that failed */
    memset(phase, 0, sizeof phase);
    for (uint32_t index = 0; index < count; ++index) {
        cone_draw(family, &p, rows, 0, index);
        for (uint32_t k = 0; k < 2u; ++k) {
            tc_cone_info info;
            const size_t len = TC_CONE_WORK(p.cone.n, rows, p.cone.d);
            const tc_status status = tc_cone_solve(&p.cone, f, u, w, &info, work, len);
            count_answer(&phase[k], &p, status, f, u, w, &info);
            if (verbose && status != TC_OK && status != TC_NOTE_PRECISION) {
                printf("# %s rows %u index %u phase %u n %u: %s %g\n", family->name, (unsigned)rows,
                       (unsigned)index, (unsigned)k, (unsigned)p.cone.n, tc_status_name(status),
                       (double)info.residual);
            }
            if (status < TC_OK) break;
            if (k == 0) cone_restitute(&p, f, w);
        }
    }
    print_tally(family->name, rows, "compression", &phase[0]);
    print_tally(family->name, rows, "restitution", &phase[1]);
    return phase[0].wrong + phase[1].wrong != 0;
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000u;
    int bad = 0;
    printf("family,rows,phase,problems,not_certified,imprecise,false,residual,mean_iterations,"
           "iterations_999,most_iterations\n");
    for (uint32_t k = 0; k < cone_family_count; ++k) {
        for (uint32_t rows = 3; rows >= 2u; --rows) {
            if (argc <= 2 || strcmp(argv[2], cone_families[k].name) == 0) {
                bad |= run_cell(&cone_families[k], rows, count);
            }
        }
    }
    return bad;
}
