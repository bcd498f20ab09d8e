/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Exact planar Coulomb friction by enumeration, in double.
 *
 * Normals n_i >= 0, friction f, N = sum n: w_i = u_i + W_ti f + sum_j W_ij n_j >= 0, n_i w_i = 0,
 * and
 *     slip after > 0: f = -mu_right N   slip after < 0: f = mu_left N   slip after = 0: f between
 * Each contact closed or open, the slip zero, right or left. A candidate solves the equations of
 * its pattern, its violation is how far it is from the inequalities; the first without one is the
 * answer, in the order of tools/tinycontact/sim/coulomb.py: no impulse; stuck; sliding as before;
 * sliding the other way; in each both contacts closed, then contact 1, then contact 2.
 */
#include "coulomb.h"

#include <math.h>

#define TOLERANCE 1e-9 /* of the largest velocity: conditions met to rounding */

typedef struct problem {
    double tt, tn[2], nn[3]; /* W */
    double slip, u[2];
    double mu[2]; /* right, left */
    uint32_t count;
    double scale;
} problem;

typedef struct answer {
    double f, n[2];
    double violation;
    tc_learned_class class_;
} answer;

static problem problem_of(const tc_learned2_space *space, const coulomb *friction)
{
    problem p = {.tt = (double)space->W_tt, .slip = (double)space->slip, .count = space->count};
    p.scale = fabs(p.slip) + 1e-300;
    for (uint32_t i = 0; i < 2u; i++) {
        p.tn[i] = (double)space->W_tn[i];
        p.u[i] = (double)space->approach[i];
        p.mu[i] = friction->mu[i];
        p.scale += fabs(p.u[i]);
    }
    for (uint32_t i = 0; i < 3u; i++) {
        p.nn[i] = (double)space->W_nn[i];
    }
    return p;
}

/* Normals of the closed contacts (bits) with u + M n = 0 there. */
static void normals(const double M[4], const double u[2], uint32_t closed, double n[2])
{
    n[0] = n[1] = 0;
    if (closed == 3u) {
        const double det = M[0] * M[3] - M[1] * M[2];
        n[0] = (M[1] * u[1] - M[3] * u[0]) / det;
        n[1] = (M[2] * u[0] - M[0] * u[1]) / det;
    } else {
        const uint32_t i = closed - 1u;
        n[i] = -u[i] / M[3u * i];
    }
}

/* Friction = ratio times the sum of the normals. */
static void sliding(const problem *p, uint32_t closed, double ratio, answer *a)
{
    const double M[4] = {p->nn[0] + ratio * p->tn[0], p->nn[1] + ratio * p->tn[0],
                         p->nn[1] + ratio * p->tn[1], p->nn[2] + ratio * p->tn[1]};
    normals(M, p->u, closed, a->n);
    a->f = ratio * (a->n[0] + a->n[1]);
}

/* No slip afterwards: friction eliminated, then the normals. */
static void stuck(const problem *p, uint32_t closed, answer *a)
{
    const double c0 = p->tn[0] / p->tt, c1 = p->tn[1] / p->tt;
    const double mixed = p->nn[1] - c0 * p->tn[1];
    const double M[4] = {p->nn[0] - c0 * p->tn[0], mixed, mixed, p->nn[2] - c1 * p->tn[1]};
    const double u[2] = {p->u[0] - c0 * p->slip, p->u[1] - c1 * p->slip};
    normals(M, u, closed, a->n);
    a->f = -(p->slip + p->tn[0] * a->n[0] + p->tn[1] * a->n[1]) / p->tt;
}

static double worse(double violation, double by)
{
    return by > violation ? by : violation;
}

/* direction: 0 stuck, 1 right, -1 left */
static void judge(const problem *p, int direction, answer *a)
{
    const double sum = a->n[0] + a->n[1];
    const double after = p->slip + p->tt * a->f + p->tn[0] * a->n[0] + p->tn[1] * a->n[1];
    double violation = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const double w = p->u[i] + p->tn[i] * a->f + p->nn[i] * a->n[0] + p->nn[i + 1u] * a->n[1];
        violation = worse(worse(violation, -w), -a->n[i]);
    }
    if (direction == 0) {
        violation = worse(worse(violation, -a->f - p->mu[0] * sum), a->f - p->mu[1] * sum);
    } else {
        violation = worse(violation, -direction * after);
    }
    a->violation = isfinite(violation) ? violation : HUGE_VAL;
}

/* Tries one candidate; 1 if it is the answer. */
static int settle(const problem *p, uint32_t closed, int direction, answer *best)
{
    const uint32_t all = (1u << p->count) - 1u;
    answer a = {.class_ = direction == 0 && closed == all ? TC_LEARNED_STATIC : TC_LEARNED_DYNAMIC};
    if ((closed & ~all) != 0u) {
        return 0;
    }
    if (closed == 0u) {
        a.class_ = TC_LEARNED_DETACH;
        for (uint32_t i = 0; i < p->count; i++) {
            a.violation = worse(a.violation, -p->u[i]);
        }
    } else {
        if (direction == 0) {
            stuck(p, closed, &a);
        } else {
            sliding(p, closed, direction > 0 ? -p->mu[0] : p->mu[1], &a);
        }
        judge(p, direction, &a);
    }
    if (a.violation < best->violation) {
        *best = a;
    }
    return a.violation <= TOLERANCE * p->scale;
}

static answer solve(const problem *p)
{
    static const uint32_t pattern[3] = {3, 1, 2};
    const int before = p->slip >= 0 ? 1 : -1;
    const int direction[3] = {0, before, -before};
    answer best = {.violation = HUGE_VAL};
    if (settle(p, 0, 0, &best)) {
        return best;
    }
    for (uint32_t d = 0; d < 3u; d++) {
        for (uint32_t k = 0; k < 3u; k++) {
            if (settle(p, pattern[k], direction[d], &best)) {
                return best;
            }
        }
    }
    return best;
}

static tc_status classify(const void *context, const tc_learned2_query *query, tc_real *probability,
                          tc_real *work)
{
    const problem p = problem_of(&query->space, context);
    const answer a = solve(&p);
    (void)work;
    for (int k = 0; k < 3; k++) {
        probability[k] = k == (int)a.class_ ? TC_C(1.0) : TC_C(0.0);
    }
    return TC_OK;
}

static tc_status ratio(const void *context, const tc_learned2_query *query, tc_real *value,
                       tc_real *work)
{
    const problem p = problem_of(&query->space, context);
    const answer a = solve(&p);
    const double sum = a.n[0] + a.n[1];
    (void)work;
    *value = sum > 0 ? (tc_real)(a.f / sum) : TC_C(0.0);
    return TC_OK;
}

tc_learned2_model coulomb_law(const coulomb *friction)
{
    const tc_learned2_model law = {classify, ratio, friction, 0};
    return law;
}
