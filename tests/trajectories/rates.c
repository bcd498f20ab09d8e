/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Rates of limbs; see rates.h.
 *
 * Energy. T = 1/2 qd^T M qd of the rates that the library leaves and of those that go without
 * contact, which are solved for here in double. M is the library's, in float: where joints nearly
 * depend on each other (arms many radii of gyration long) its rounding alone makes an energy of n
 * eps sum |v_i M_ij v_j|, which is what TERMS stands for; and the rates with contact carry the
 * rounding of a solve, TOLERANCE of T, as limb3_case.h has it.
 *
 * Where a step touches within (TOC), M is neither that of its beginning nor that of its end, but
 * lies between: the contact's work is the smaller of both, and may be off by what either energy
 * changes from one to the other.
 */
#include "rates.h"

#include <math.h>

#define TOLERANCE 1e-4
#define TERMS 5e-7      /* 4 eps */
#define TURN_MOST 0.5   /* [rad or m] in a step */
#define RATE_MOST 100.0 /* [rad/s or m/s] */

void rates_prepare(rates *x, const tc_real *M, const tc_real *force, const tc_real *qd)
{
    const uint32_t n = x->n;
    double A[RATES_MOST][RATES_MOST + 1u];
    for (uint32_t i = 0; i < n; i++) {
        const double damped = x->damping * (double)M[i * n + i] * (double)qd[i];
        x->torque[i] = i < x->root ? TC_C(0.0) : (tc_real)-damped;
        for (uint32_t j = 0; j < n; j++) {
            x->mass[i][j] = A[i][j] = (double)M[i * n + j];
        }
        A[i][n] = x->step * ((double)force[i] + (double)x->torque[i]);
    }
    for (uint32_t k = 0; k < n; k++) { /* Gauss-Jordan: M is definite */
        for (uint32_t i = 0; i < n; i++) {
            const double factor = i == k ? 0.0 : A[i][k] / A[k][k];
            for (uint32_t j = k; j <= n; j++) {
                A[i][j] -= factor * A[k][j];
            }
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        x->gained[k] = A[k][n] / A[k][k];
        x->free[k] = (double)qd[k] + x->gained[k];
    }
}

/* T; the terms that cancel in it are added to *terms. */
static double kinetic(const rates *x, const double *v, double *terms)
{
    double sum = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        for (uint32_t j = 0; j < x->n; j++) {
            sum += 0.5 * v[i] * x->mass[i][j] * v[j];
            *terms += 0.5 * fabs(v[i] * x->mass[i][j] * v[j]);
        }
    }
    return sum;
}

void rates_judge_energy(run *r, const rates *x, const tc_real *qd)
{
    double after[RATES_MOST], terms = 1e-30;
    for (uint32_t k = 0; k < x->n; k++) {
        after[k] = (double)qd[k];
    }
    const double most = kinetic(x, x->free, &terms), is = kinetic(x, after, &terms);
    expect_most(r, FAIL_ENERGY, is - most, TOLERANCE * most + TERMS * terms, &r->counts.gain,
                "kinetic energy of the contact");
}

void rates_judge_touches(run *r, const rates *x, const tc_real *M, tc_real waited,
                         const tc_real *qd)
{
    double after[RATES_MOST], terms = 1e-30;
    rates end = *x;
    for (uint32_t k = 0; k < x->n; k++) {
        after[k] = (double)qd[k] + (double)waited / x->step * x->gained[k];
        for (uint32_t j = 0; j < x->n; j++) {
            end.mass[k][j] = (double)M[k * x->n + j];
        }
    }
    const double most = kinetic(x, x->free, &terms), is = kinetic(x, after, &terms);
    const double most_then = kinetic(&end, x->free, &terms), is_then = kinetic(&end, after, &terms);
    const double between = fabs(most_then - most) + fabs(is_then - is);
    expect_most(r, FAIL_ENERGY, fmin(is - most, is_then - most_then),
                between + TOLERANCE * most + TERMS * terms, &r->counts.gain,
                "kinetic energy of the contact");
}

int rates_flee(const rates *x, const tc_real *qd)
{
    for (uint32_t k = 0; k < x->n; k++) {
        const double rate = fabs((double)qd[k]);
        if (rate * x->step > TURN_MOST || rate > RATE_MOST) {
            return 1;
        }
    }
    return 0;
}
