/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The model of an impact of several contacts, in the convex model: tc_impact_solve and its tangents.
 *
 *     M = L L^T,  G = J L^-T,  w0 = L^T v,  v' = L^-T w
 *
 * In the direction dM the factor changes by dL = L E, where E is the lower triangle of
 * L^-1 dM L^-T with half its diagonal. So
 *
 *     dw0 = E^T w0,   dG = -G E^T,   dv' = L^-T (dw - E^T w)
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"
#include "tc_impact_grad.h"
#include "tc_mat.h"

#include <string.h>

/* The solver's problem, and what it works on */
typedef struct identify_several {
    tc_impact problem;
    tc_impact_answer answer;
    tc_impact_info *info;     /* in the workspace */
    tc_real *G, *w0, *mu, *e; /* of the problem */
    tc_real *E;               /* [d x d] */
    tc_real *dG, *dw0, *ones; /* a direction; ones[n] */
    tc_real *dw;              /* [d] */
    tc_real *work;
    size_t work_len;
} identify_several;

/* Takes n numbers from the workspace. */
static tc_real *take_several(identify_several *s, uint32_t n)
{
    tc_real *const part = s->work;
    s->work += n;
    return part;
}

IDENTIFY_APART static void share_several(const tci_identify_linear *linear, identify_several *s)
{
    const uint32_t n = linear->impact->n, d = linear->impact->d;
    const uint32_t rows = n * linear->impact->rows;
    tc_impact_answer *const a = &s->answer;
    s->info = (tc_impact_info *)(void *)linear->more;
    s->work = linear->more + TC_IDENTIFY_FOUND;
    s->G = take_several(s, rows * d);
    s->dG = take_several(s, rows * d);
    s->E = take_several(s, d * d);
    s->w0 = take_several(s, d);
    s->dw0 = take_several(s, d);
    s->dw = take_several(s, d);
    a->w_c = take_several(s, d);
    a->w = take_several(s, d);
    a->w_least = take_several(s, d);
    a->f_c = take_several(s, rows);
    a->u_c = take_several(s, rows);
    a->f = take_several(s, rows);
    a->u = take_several(s, rows);
    s->mu = take_several(s, n);
    s->e = take_several(s, n);
    s->ones = take_several(s, n);
    s->work_len = (size_t)(linear->more + linear->more_len - s->work);
}

/* y = L^T x */
static void whiten_rates(const tc_real *L, const tc_real *x, tc_real *y, uint32_t d)
{
    for (uint32_t i = 0; i < d; ++i) {
        y[i] = TC_C(0.0);
        for (uint32_t k = i; k < d; ++k) {
            y[i] = TC_MLA(y[i], L[k * d + i], x[k]);
        }
    }
}

IDENTIFY_APART static tc_status solve_several(const tci_identify_linear *linear,
                                              const tc_real *theta, identify_several *s)
{
    const tc_identify_impact *const impact = linear->impact;
    const uint32_t d = impact->d, n = impact->n;
    for (uint32_t i = 0; i < n * impact->rows; ++i) {
        const tc_status status =
            tc_mat_solve_lower(linear->mass, impact->J + i * d, s->G + i * d, d, 1u);
        if (status != TC_OK) {
            return status;
        }
    }
    whiten_rates(linear->mass, impact->before, s->w0, d);
    for (uint32_t i = 0; i < n; ++i) {
        s->mu[i] = theta[TC_IDENTIFY_FRICTION];
        s->e[i] = theta[TC_IDENTIFY_RESTITUTION];
        s->ones[i] = TC_C(1.0);
    }
    s->problem.contact.n = n;
    s->problem.contact.rows = impact->rows;
    s->problem.contact.d = d;
    s->problem.contact.G = s->G;
    s->problem.contact.w0 = s->w0;
    s->problem.contact.mu = s->mu;
    s->problem.e = s->e;
    s->problem.law = linear->law;
    const tc_status status =
        tc_impact_solve(&s->problem, &s->answer, s->info, s->work, s->work_len);
    return status < TC_OK ? TC_ERR_NOT_CERTIFIED : TC_OK;
}

/* dv = L^-T dw for the direction `along` */
static tc_status follow_several(const tci_identify_linear *linear, identify_several *s,
                                const tc_impact_grad *along)
{
    return tc_impact_grad_tangent(&s->problem, &s->answer, s->info, along, s->dw, s->work,
                                  s->work_len)
                   == TC_OK
               ? tc_mat_solve_lower_t(linear->mass, s->dw, linear->part, linear->impact->d, 1u)
               : TC_ERR_NOT_CERTIFIED;
}

/* E for dM = r part_k; F is scratch */
static tc_status write_turn(const tci_identify_linear *linear, identify_several *s, uint32_t k,
                            tc_real ratio)
{
    const tc_identify_impact *const impact = linear->impact;
    const uint32_t d = impact->d;
    tc_real *const scratch = linear->F;
    memset(s->E, 0, d * d * sizeof *s->E);
    for (uint32_t i = 0; i < d * d; ++i) {
        if (!impact->diagonal) {
            s->E[i] = ratio * impact->parts[k * d * d + i];
        } else if (i % (d + 1u) == 0u) {
            s->E[i] = ratio * impact->parts[k * d + i / (d + 1u)];
        }
    }
    tc_status status = tc_mat_solve_lower(linear->mass, s->E, scratch, d, d);
    for (uint32_t i = 0; i < d; ++i) {
        for (uint32_t j = 0; j < d; ++j) {
            s->E[i * d + j] = scratch[j * d + i];
        }
    }
    status = status == TC_OK ? tc_mat_solve_lower(linear->mass, s->E, scratch, d, d) : status;
    for (uint32_t i = 0; i < d * d; ++i) {
        const uint32_t row = i / d, column = i % d;
        const tc_real part = column == row ? TC_C(0.5) : TC_C(1.0);
        s->E[i] = column > row ? TC_C(0.0) : part * scratch[i];
    }
    return status;
}

/* y = E^T x */
static void apply_turn(const tc_real *E, const tc_real *x, tc_real *y, uint32_t d)
{
    whiten_rates(E, x, y, d);
}

static tc_status derive_ratio(const tci_identify_linear *linear, identify_several *s, uint32_t k,
                              tc_real ratio)
{
    const uint32_t d = linear->impact->d, rows = linear->impact->n * linear->impact->rows;
    tc_real *const row = linear->H + (TC_IDENTIFY_RATIO + k) * d;
    tc_status status = write_turn(linear, s, k, ratio);
    if (status != TC_OK) {
        return status;
    }
    apply_turn(s->E, s->w0, s->dw0, d);
    for (uint32_t i = 0; i < rows; ++i) { /* row i of -G E^T is -E times row i of G */
        for (uint32_t j = 0; j < d; ++j) {
            s->dG[i * d + j] = -tci_identify_dot(s->E + j * d, s->G + i * d, d);
        }
    }
    const tc_impact_grad along = {s->dG, s->dw0, NULL, NULL, NULL};
    status = follow_several(linear, s, &along);
    if (status != TC_OK) {
        return status;
    }
    memcpy(row, linear->part, d * sizeof *row);
    apply_turn(s->E, s->answer.w, s->dw, d);
    status = tc_mat_solve_lower_t(linear->mass, s->dw, linear->part, d, 1u);
    tci_identify_add(row, TC_C(-1.0), linear->part, d);
    return status;
}

/* Derivatives by mu, e and the ratios */
IDENTIFY_APART static tc_status derive_unknowns(const tci_identify_linear *linear,
                                                const tc_real *theta, identify_several *s)
{
    const uint32_t d = linear->impact->d;
    const tc_impact_grad by_mu = {NULL, NULL, s->ones, NULL, NULL};
    const tc_impact_grad by_e = {NULL, NULL, NULL, s->ones, NULL};
    tc_status status = follow_several(linear, s, &by_mu);
    memcpy(linear->H, linear->part, d * sizeof *linear->H);
    status = status == TC_OK ? follow_several(linear, s, &by_e) : status;
    memcpy(linear->H + d, linear->part, d * sizeof *linear->H);
    for (uint32_t k = TC_IDENTIFY_RATIO; k < linear->unknowns && status == TC_OK; ++k) {
        status = derive_ratio(linear, s, k - TC_IDENTIFY_RATIO, tc_exp(theta[k]));
    }
    return status;
}

/* F diag(s): column j is the change for dv = s_j along rate j */
IDENTIFY_APART static tc_status derive_rates(const tci_identify_linear *linear, identify_several *s)
{
    const uint32_t d = linear->impact->d;
    const tc_impact_grad along = {NULL, s->dw0, NULL, NULL, NULL};
    for (uint32_t j = 0; j < d; ++j) {
        for (uint32_t i = 0; i < d; ++i) { /* L^T of it */
            s->dw0[i] = i <= j ? linear->impact->before_sd[j] * linear->mass[j * d + i] : TC_C(0.0);
        }
        const tc_status status = follow_several(linear, s, &along);
        if (status != TC_OK) {
            return status;
        }
        for (uint32_t i = 0; i < d; ++i) {
            linear->F[i * d + j] = linear->part[i];
        }
    }
    return TC_OK;
}

tc_status tci_identify_general_at(tci_identify_linear *linear, const tc_real *theta)
{
    const uint32_t d = linear->impact->d;
    identify_several s;
    memset(&s, 0, sizeof s);
    if (linear->law != TC_IMPACT_CONVEX) {
        return TC_ERR_UNSUPPORTED;
    }
    share_several(linear, &s);
    tc_status status = solve_several(linear, theta, &s);
    if (status == TC_OK) {
        status = tc_mat_solve_lower_t(linear->mass, s.answer.w, linear->change, d, 1u);
        tci_identify_add(linear->change, TC_C(-1.0), linear->impact->before, d);
    }
    status = status == TC_OK ? derive_unknowns(linear, theta, &s) : status;
    status = status == TC_OK ? derive_rates(linear, &s) : status;
    linear->kept = linear->sticks = 0u;
    linear->stick = TC_CONE_FRICTION_MAX;
    linear->bound = linear->bound_sd = TC_C(0.0);
    return status;
}
