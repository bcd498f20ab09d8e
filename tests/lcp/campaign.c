/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The correctness campaign of the complementarity solver on the host: draws problems of every
 * family and size, solves each, judges the answer in double precision and prints one CSV line per
 * family and n.
 *
 *     lcp_campaign [problems per cell] [family]
 *
 * false_solved         TC_OK with a residual above 5e-6 in double, or for an infeasible problem; so
 *                      with TC_NOTE_PRECISION
 * false_beside         TC_OK with a violation above 1e-3 max |q_i| in double, or an error told that
 *                      is below the true one by more than 5e-5
 * imprecise            TC_NOTE_PRECISION
 * false_no_solution    TC_ERR_NO_SOLUTION for a problem that, as it stands after rounding to float,
 *                      has a solution that is not large (below); found by trying all sets in double
 * bad_proof            TC_ERR_NO_SOLUTION whose vector y proves nothing: y < 0, q^T y >= 0, or
 *                      neither M^T y <= 1e-5 of its terms nor the proof that every solution is
 *                      large
 * large: sum_i sqrt(M_ii) z_i > 1e6 max_i |q_i| / sqrt(M_ii); float cannot tell such a solution
 * from none Ends with 1 if any family has an answer that is wrong.
 */
#include "lcp_families.h"
#include "lcp_oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESIDUAL 5e-6
#define BESIDE 1e-3
#define LARGE 1e6  /* of a solution */
#define PROVED 1e4 /* what a proof says of every solution */

typedef struct tally {
    uint32_t false_solved, false_beside, false_no_solution, bad_proof, imprecise, not_certified,
        limit;
    uint32_t most_changes;
    double changes, residual, reported, error;
} tally;

static double M[TC_LCP_MAX * TC_LCP_MAX], q[TC_LCP_MAX];

static void widen(const family_problem *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        q[i] = (double)p->q[i];
        for (uint32_t j = 0; j < n; ++j) {
            M[i * n + j] = p->lcp.J == NULL ? (double)p->M[i * n + j] : 0;
            for (uint32_t k = 0; k < p->columns && p->lcp.J != NULL; ++k) {
                M[i * n + j] += (double)p->J[i * p->columns + k] * (double)p->J[j * p->columns + k];
            }
        }
    }
}

/* max_i |q_i| / sqrt(M_ii): the size of what is asked for, whatever the units of the contacts */
static double asked(uint32_t n)
{
    double most = 0;
    for (uint32_t i = 0; i < n; ++i) {
        most = M[i * n + i] > 0 ? fmax(most, fabs(q[i]) / sqrt(M[i * n + i])) : most;
    }
    return most;
}

static int proves(const tc_real *y, uint32_t n)
{
    double slope = 0, most = 0, terms = 0, rise = 0;
    for (uint32_t i = 0; i < n; ++i) {
        double sum = 0, part = 0;
        slope += q[i] * (double)y[i];
        for (uint32_t j = 0; j < n; ++j) {
            sum += M[j * n + i] * (double)y[j];
            part += fabs(M[j * n + i] * (double)y[j]);
        }
        most = fmax(most, sum);
        terms = fmax(terms, part);
        rise = M[i * n + i] > 0 ? fmax(rise, sum / sqrt(M[i * n + i])) : sum > 0 ? HUGE_VAL : rise;
        if (!(y[i] >= 0)) {
            return 0;
        }
    }
    /* 0 <= y^T (M z + q) <= rise sum_i sqrt(M_ii) z_i + slope */
    return slope < 0 && (most <= 1e-5 * terms || -slope > PROVED * rise * asked(n));
}

/* Whether the problem has a basic solution that is not large */
static int solvable(uint32_t n)
{
    double z[TC_LCP_MAX], w[TC_LCP_MAX];
    for (uint32_t mask = 0; mask < 1u << n; ++mask) {
        if (oracle_try(M, q, n, mask, 1e-9, z, w)) {
            double sum = 0;
            for (uint32_t i = 0; i < n; ++i) {
                sum += sqrt(fmax(M[i * n + i], 0)) * z[i];
            }
            if (sum <= LARGE * asked(n)) {
                return 1;
            }
        }
    }
    return 0;
}

static void judge(tally *t, const family *f, uint32_t n, tc_status status, const tc_real *z,
                  const tc_lcp_info *info)
{
    double wide[TC_LCP_MAX], residual, error;
    for (uint32_t i = 0; i < n; ++i) {
        wide[i] = (double)z[i];
    }
    switch (status) {
    case TC_OK:
    case TC_NOTE_PRECISION:
        residual = oracle_residual(M, q, n, wide);
        error = oracle_error(M, q, n, wide);
        t->imprecise += status != TC_OK;
        t->false_solved += f->truth == FAMILY_INFEASIBLE || !(residual <= RESIDUAL);
        t->false_beside += (status == TC_OK && !(error <= BESIDE))
                           || !(error <= 1.01 * (double)info->error + 5e-5);
        t->error = fmax(t->error, status == TC_OK ? error : 0);
        t->residual = fmax(t->residual, residual);
        t->reported = fmax(t->reported, (double)info->residual);
        break;
    case TC_ERR_NO_SOLUTION:
        t->false_no_solution += f->truth != FAMILY_INFEASIBLE && solvable(n);
        t->bad_proof += !proves(info->farkas, n);
        break;
    case TC_NOTE_LIMIT: ++t->limit; break;
    default: ++t->not_certified; break;
    }
    t->changes += info->iterations;
    t->most_changes = info->iterations > t->most_changes ? info->iterations : t->most_changes;
}

static int cell(const family *f, uint32_t n, uint32_t count)
{
    static family_problem p;
    static tc_real z[TC_LCP_MAX], w[TC_LCP_MAX], work[TC_LCP_GENERAL_WORK(TC_LCP_MAX)];
    const int verbose = getenv("LCP_VERBOSE") != NULL; /* names the problems that were not solved */
    tally t;
    memset(&t, 0, sizeof t);
    for (uint32_t index = 0; index < count; ++index) {
        tc_lcp_info info;
        family_draw(f, &p, n, index);
        widen(&p, n);
        const size_t len = p.lcp.kind == TC_LCP_GENERAL ? TC_LCP_GENERAL_WORK(n) : TC_LCP_WORK(n);
        const tc_status status = tc_lcp_solve(&p.lcp, z, w, &info, work, len);
        judge(&t, f, n, status, z, &info);
        if (verbose && status != TC_OK
            && (status != TC_ERR_NO_SOLUTION || f->truth != FAMILY_INFEASIBLE)) {
            printf("# %s n %u index %u: %s\n", f->name, (unsigned)n, (unsigned)index,
                   tc_status_name(status));
        }
    }
    printf("%s,%u,%u,%u,%u,%u,%u,%u,%u,%u,%.2g,%.2g,%.2g,%.2f,%u\n", f->name, (unsigned)n,
           (unsigned)count, (unsigned)t.false_solved, (unsigned)t.false_beside,
           (unsigned)t.false_no_solution, (unsigned)t.bad_proof, (unsigned)t.imprecise,
           (unsigned)t.not_certified, (unsigned)t.limit, t.residual, t.reported, t.error,
           t.changes / count, (unsigned)t.most_changes);
    fflush(stdout);
    return t.false_solved != 0 || t.false_beside != 0 || t.bad_proof != 0
           || t.false_no_solution != 0;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 6, 8, 12, 16};
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000u;
    int bad = 0;
    printf(
        "family,n,problems,false_solved,false_beside,false_no_solution,bad_proof,imprecise,not_certified,limit,"
        "residual,reported_residual,error,mean_changes,most_changes\n");
    for (uint32_t f = 0; f < family_count; ++f) {
        for (uint32_t s = 0; s < TC_COUNT(sizes); ++s) {
            if ((argc <= 2 || strcmp(argv[2], families[f].name) == 0)
                && sizes[s] >= families[f].smallest) {
                bad |= cell(&families[f], sizes[s], count);
            }
        }
    }
    return bad;
}
