/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What a step is held to; see trajectories.h.
 *
 * Energy. An impulse P that leaves v+ did the work P.(v- + v+)/2 = P.v+ - P.M^-1 P/2, whatever it
 * was made of, and whatever the motion before it did wrong. An inelastic contact has P.v+ <= 0 for
 * each of its parts: normals act where nothing leaves, friction against the slip. So the work lies
 * below 0 by P.M^-1 P/2, far more than the rounding of the two terms in float (told P, told v+),
 * and is held to 1e-6 (8 eps) of them.
 */
#include "judge.h"

#include <math.h>
#include <stdarg.h>

#define WORK_TOLERANCE 1e-6

const char *const failure_name[FAILURES] = {"none", "status", "finite", "energy",
                                            "told", "sank",   "stuck",  "rest"};

void fail(run *r, failure what, const char *format, ...)
{
    if (r->failed != FAIL_NONE) {
        return;
    }
    va_list rest;
    va_start(rest, format);
    (void)vsnprintf(r->reason, sizeof r->reason, format, rest);
    va_end(rest);
    r->failed = what;
}

int status_fits(run *r, tc_status status)
{
    r->counts.steps++;
    r->counts.status[(int)status - STATUS_LEAST]++;
    if (status < TC_OK) {
        fail(r, FAIL_STATUS, "%s", tc_status_name(status));
    }
    return status >= TC_OK;
}

void expect_finite(run *r, const tc_real *x, size_t n, const char *what)
{
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(x[k])) {
            fail(r, FAIL_FINITE, "%s[%u] = %g", what, (unsigned)k, (double)x[k]);
        }
    }
}

void expect_most(run *r, failure what, double value, double tolerance, double *most,
                 const char *text)
{
    const double part = value / tolerance;
    *most = part > *most ? part : *most;
    if (!(value <= tolerance)) {
        fail(r, what, "%s %.3g > %.3g", text, value, tolerance);
    }
}

void expect_passive(run *r, uint32_t n, const double *P, const double *after, const double *moved,
                    double slack)
{
    double work = -slack, terms = 1e-30;
    for (uint32_t k = 0; k < n; k++) {
        work += P[k] * (after[k] - 0.5 * moved[k]);
        terms += fabs(P[k]) * (fabs(after[k]) + 0.5 * fabs(moved[k]));
    }
    expect_most(r, FAIL_ENERGY, work, WORK_TOLERANCE * terms, &r->counts.gain,
                "work of the contact");
}

void judge_rotation(const tc_real q[4], double R[3][3])
{
    double c[4], size = 0;
    for (int k = 0; k < 4; k++) {
        size += (double)q[k] * (double)q[k];
    }
    for (int k = 0; k < 4; k++) {
        c[k] = (double)q[k] / sqrt(size);
    }
    const double w = c[0], x = c[1], y = c[2], z = c[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(R, rows, sizeof rows);
}

void show(const char *name, const tc_real *x, uint32_t n)
{
    printf(" %s", name);
    for (uint32_t k = 0; k < n; k++) {
        printf(" %.6g", (double)x[k]);
    }
}

void show_setting(const setting *s, uint32_t corners, double radius)
{
    printf("%.4g m x %.4g x %.4g, %u corners, radius %.4g m", s->size, s->aspect[0], s->aspect[1],
           (unsigned)corners, radius);
    printf(", %.4g kg, h %.4g s, mu %.3g, e %.3g, tilt %.3g rad", s->mass, s->step, s->mu,
           s->restitution, s->tilt);
    printf(s->calm ? ", has to rest\n" : "\n");
}

void show_status(const run *r, tc_status status, uint32_t contacts)
{
    printf("%4u %s, %u contacts", (unsigned)r->step, tc_status_name(status), (unsigned)contacts);
}
