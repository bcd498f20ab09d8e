/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "cone.h"

#include <math.h>
#include <string.h>

#define LONGEST(a, b) ((a) > (b) ? (a) : (b))

uint32_t native_cone_work(uint32_t n, uint32_t rows, uint32_t d)
{
    return LONGEST(TC_CONE_WORK(n, rows, d), TC_IMPACT_WORK(n, rows, d));
}

void native_cone_sizes(uint32_t sizes[3])
{
    sizes[0] = TC_CONE_MAX;
    sizes[1] = TC_CONE3_MAX;
    sizes[2] = TC_CONE_FREEDOM_MAX;
}

double native_cone_friction(void)
{
    return (double)TC_CONE_FRICTION_MAX;
}

void native_cone_many(const tc_cone *problems, uint32_t count, uint32_t rounds, tc_real *f,
                      tc_real *u, tc_real *w, int32_t *status)
{
    tc_real work[LONGEST(TC_CONE_WORK(TC_CONE_MAX, 2u, TC_CONE_FREEDOM_MAX),
                         TC_CONE_WORK(TC_CONE3_MAX, 3u, TC_CONE_FREEDOM_MAX))];
    for (uint32_t round = 0; round < rounds; ++round) {
        for (uint32_t k = 0; k < count; ++k) {
            const uint32_t at = k * NATIVE_CONE_STRIDE;
            status[k] = (int32_t)tc_cone_solve(&problems[k], f + at, u + at, w + at, NULL, work,
                                               TC_COUNT(work));
        }
    }
}

int32_t native_impact_solve(const tc_cone *contact, const tc_real *e, const tc_real *target,
                            tc_real *outputs, tc_cone_info infos[2], tc_real *work, size_t work_len)
{
    const uint32_t m = contact->n * contact->rows, both = 2u * m + contact->d;
    const tc_impact problem = {
        .contact = *contact, .e = e, .target = target, .law = TC_IMPACT_CONVEX};
    const tc_impact_answer answer = {.f_c = outputs,
                                     .u_c = outputs + m,
                                     .w_c = outputs + 2u * m,
                                     .f = outputs + both,
                                     .u = outputs + both + m,
                                     .w = outputs + both + 2u * m};
    tc_impact_info info;
    memset(&info, 0, sizeof info);
    const tc_status status = tc_impact_solve(&problem, &answer, &info, work, work_len);
    infos[0] = info.compression;
    infos[1] = info.restitution;
    return (int32_t)status;
}

/* y in place to the nearest point of its cone */
static void project(double *y, uint32_t rows, double mu)
{
    const double r = rows == 3 ? hypot(y[1], y[2]) : rows == 2 ? fabs(y[1]) : 0;
    if (r <= mu * y[0] || (rows == 1 && y[0] > 0)) {
        return;
    }
    const double normal = fmax(0, (y[0] + mu * r) / (1 + mu * mu));
    const double share = r > 0 ? mu * normal / r : 0;
    y[0] = rows == 1 ? 0 : normal;
    for (uint32_t k = 1; k < rows; ++k) {
        y[k] *= share;
    }
}

/* u_r = row r of G times w */
static double velocity(const tc_cone *p, uint32_t r, const double *w)
{
    double sum = 0;
    for (uint32_t c = 0; c < p->d; ++c) {
        sum += (double)p->G[r * p->d + c] * w[c];
    }
    return sum;
}

static double step_of(const tc_cone *p, uint32_t contact)
{
    double most = 0;
    for (uint32_t a = contact * p->rows; a < (contact + 1u) * p->rows; ++a) {
        double row = 0;
        for (uint32_t b = contact * p->rows; b < (contact + 1u) * p->rows; ++b) {
            double sum = 0;
            for (uint32_t c = 0; c < p->d; ++c) {
                sum += (double)p->G[a * p->d + c] * (double)p->G[b * p->d + c];
            }
            row += fabs(sum);
        }
        most = fmax(most, row);
    }
    return 1 / most;
}

static void sweep_contact(const tc_cone *p, uint32_t contact, double step, double *f, double *w)
{
    double y[3] = {0};
    double *const part = f + contact * p->rows;
    for (uint32_t k = 0; k < p->rows; ++k) {
        y[k] = part[k] - step * velocity(p, contact * p->rows + k, w);
    }
    project(y, p->rows, (double)p->mu[contact]);
    for (uint32_t k = 0; k < p->rows; ++k) {
        for (uint32_t c = 0; c < p->d; ++c) {
            w[c] += (double)p->G[(contact * p->rows + k) * p->d + c] * (y[k] - part[k]);
        }
        part[k] = y[k];
    }
}

void native_cone_sweeps(const tc_cone *problems, uint32_t count, uint32_t sweeps, double *u)
{
    for (uint32_t k = 0; k < count; ++k) {
        const tc_cone *const p = &problems[k];
        double f[NATIVE_CONE_STRIDE], w[TC_CONE_FREEDOM_MAX], step[TC_CONE_MAX];
        memset(f, 0, sizeof f);
        for (uint32_t c = 0; c < p->d; ++c) {
            w[c] = (double)p->w0[c];
        }
        for (uint32_t i = 0; i < p->n; ++i) {
            step[i] = step_of(p, i);
        }
        for (uint32_t sweep = 0; sweep < sweeps; ++sweep) {
            for (uint32_t i = 0; i < p->n; ++i) {
                sweep_contact(p, i, step[i], f, w);
            }
        }
        for (uint32_t r = 0; r < p->n * p->rows; ++r) {
            u[k * NATIVE_CONE_STRIDE + r] = velocity(p, r, w);
        }
    }
}
