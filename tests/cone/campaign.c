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
#include "cone_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TC_DOUBLE
#define RESIDUAL 1.05e-11
#else
#define RESIDUAL 4.1e-6
#endif

typedef struct tally {
    uint32_t count, not_certified, imprecise, wrong;
    double residual, iterations;
    uint32_t histogram[4096], most;
} tally;

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
        const oracle_judgement j = oracle_judge(&p->cone, f, u, w);
        t->residual = fmax(t->residual, j.residual);
        t->wrong += !(j.residual <= RESIDUAL) || !(j.outside <= ORACLE_ROUNDING)
                    || !(j.drift <= ORACLE_ROUNDING);
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
