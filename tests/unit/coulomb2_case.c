/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "coulomb2_case.h"

#define MET 1e-7      /* conditions met, relative to the largest |u| */
#define DISTINCT 1e-4 /* of two solutions' velocities, likewise */

enum { STUCK, RIGHT, LEFT, MODES };

/* Gauss-Jordan with pivoting, n <= 3, columns n + 1; 0 if singular */
static int solve_small(double A[3][4], uint32_t n)
{
    for (uint32_t k = 0; k < n; ++k) {
        uint32_t pivot = k;
        for (uint32_t i = k + 1; i < n; ++i) {
            pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
        }
        if (fabs(A[pivot][k]) < 1e-10) {
            return 0;
        }
        for (uint32_t j = 0; j <= n; ++j) {
            const double swap = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = swap;
        }
        for (uint32_t i = 0; i < n; ++i) {
            const double factor = i == k ? 0.0 : A[i][k] / A[k][k];
            for (uint32_t j = k; j <= n; ++j) {
                A[i][j] -= factor * A[k][j];
            }
        }
    }
    for (uint32_t k = 0; k < n; ++k) {
        A[k][n] /= A[k][k];
    }
    return 1;
}

/* p with zero velocity in the closed rows (and of the slip, if stuck), friction = ratio sum of
 * normals otherwise */
static int candidate(const coulomb_problem *c, uint32_t closed, uint32_t mode, double p[3])
{
    uint32_t rows[3], n = 0;
    double A[3][4];
    const double ratio = mode == RIGHT ? -c->mu : c->mu;
    for (uint32_t i = mode == STUCK ? 0u : 1u; i < 3; ++i) {
        if (i == 0 || (closed >> (i - 1u) & 1u)) {
            rows[n++] = i;
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            A[i][j] = c->W[rows[i]][rows[j]] + (mode == STUCK ? 0.0 : ratio * c->W[rows[i]][0]);
        }
        A[i][n] = -c->u[rows[i]];
    }
    if (!solve_small(A, n)) {
        return 0;
    }
    memset(p, 0, 3 * sizeof *p);
    for (uint32_t i = 0; i < n; ++i) {
        p[rows[i]] = A[i][n];
    }
    p[0] = mode == STUCK ? p[0] : ratio * (p[1] + p[2]);
    return 1;
}

static double worse(double a, double b)
{
    return a > b ? a : b;
}

static void after(const coulomb_problem *c, const double p[3], double u[3])
{
    for (uint32_t i = 0; i < 3; ++i) {
        u[i] = c->u[i] + c->W[i][0] * p[0] + c->W[i][1] * p[1] + c->W[i][2] * p[2];
    }
}

static double violation(const coulomb_problem *c, const double p[3], uint32_t mode)
{
    double u[3], worst = 0, most = c->mu * (p[1] + p[2]);
    after(c, p, u);
    for (uint32_t i = 1; i <= c->count; ++i) {
        worst = worse(worst, worse(-p[i], -u[i]));
    }
    if (mode == STUCK) {
        return worse(worst, fabs(p[0]) - most);
    }
    return worse(worst, mode == RIGHT ? -u[0] : u[0]);
}

static double scale_of(const coulomb_problem *c)
{
    return worse(1e-12,
                 worse(fabs(c->u[0]), worse(fabs(c->u[1]), c->count == 2 ? fabs(c->u[2]) : 0)));
}

static void consider(const coulomb_problem *c, const double p[3], double bad,
                     tc_learned_class found, coulomb_answer *best)
{
    double u[3], v[3], apart = 0;
    after(c, p, u);
    after(c, best->p, v);
    for (uint32_t i = 0; i < 3; ++i) {
        apart = worse(apart, fabs(u[i] - v[i]) / scale_of(c));
    }
    if (bad <= MET && (best->violation > MET || apart > DISTINCT)) {
        ++best->solutions;
    }
    if (bad < best->violation && best->violation > MET) {
        memcpy(best->p, p, sizeof best->p);
        best->violation = bad;
        best->found = found;
    }
}

void coulomb_solve(const coulomb_problem *c, coulomb_answer *answer)
{
    const uint32_t all = c->count == 2 ? 3u : 1u;
    const double none[3] = {0, 0, 0};
    memset(answer, 0, sizeof *answer);
    answer->violation = 1e30;
    consider(c, none,
             worse(0, -(c->count == 2 && c->u[2] < c->u[1] ? c->u[2] : c->u[1])) / scale_of(c),
             TC_LEARNED_DETACH, answer);
    for (uint32_t mode = 0; mode < MODES; ++mode) {
        for (uint32_t closed = all; closed > 0; --closed) {
            double p[3];
            if (candidate(c, closed, mode, p)) {
                consider(c, p, violation(c, p, mode) / scale_of(c),
                         mode == STUCK && closed == all ? TC_LEARNED_STATIC : TC_LEARNED_DYNAMIC,
                         answer);
            }
        }
    }
}

void coulomb_solve_query(const tc_learned2_query *query, double mu, coulomb_answer *answer)
{
    const tc_learned2_space *s = &query->space;
    const coulomb_problem c = {
        .count = s->count,
        .W = {{(double)s->W_tt, (double)s->W_tn[0], (double)s->W_tn[1]},
              {(double)s->W_tn[0], (double)s->W_nn[0], (double)s->W_nn[1]},
              {(double)s->W_tn[1], (double)s->W_nn[1], (double)s->W_nn[2]}},
        .u = {(double)s->slip, (double)s->approach[0], (double)s->approach[1]},
        .mu = mu};
    coulomb_solve(&c, answer);
}

static tc_status classify(const void *context, const tc_learned2_query *query, tc_real *probability,
                          tc_real *work)
{
    coulomb_answer answer;
    (void)work;
    coulomb_solve_query(query, *(const double *)context, &answer);
    for (uint32_t i = 0; i < 3; ++i) {
        probability[i] = i == (uint32_t)answer.found ? TC_C(1.0) : TC_C(0.0);
    }
    return TC_OK;
}

static tc_status ratio(const void *context, const tc_learned2_query *query, tc_real *result,
                       tc_real *work)
{
    coulomb_answer answer;
    (void)work;
    coulomb_solve_query(query, *(const double *)context, &answer);
    const double sum = answer.p[1] + answer.p[2];
    *result = sum > 0 ? (tc_real)(answer.p[0] / sum) : TC_C(0.0);
    return TC_OK;
}

tc_learned2_model coulomb_law_of(const double *mu)
{
    const tc_learned2_model law = {classify, ratio, mu, 0};
    return law;
}
