/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * How accurate impacts and their derivatives are, on the host: one CSV line per number, beside its
 * floor where it has one.
 *
 *     impact_accuracy write COUNT FILE     (double) writes the adjoints of COUNT boxes and bodies
 *     impact_accuracy COUNT [FILE]         prints; FILE: what the double build wrote
 *
 * adjoint_w0, adjoint_mu  float against double, 99 % of problems: relative to 1 + the largest number
 * slope_*                 double: tangents against central differences, 99 %, away from changes of kinds
 * coulomb_*               residual and solves of both phases by Coulomb's law, four corners
 * lift_*                  u_n = mu |u_t| that a slipping contact leaves with by the convex law, as part
 *                         of the whitened speed before
 * stick                   part of carrying contacts that stick in compression
 * certified               part of impacts without TC_NOTE_LIMIT
 * Ends with 1 if a number is beyond its floor.
 */
#include "cone_families.h"
#include "tc_impact_grad.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS CONE_FAMILY_ROWS
#define MOST 20000u

static cone_problem drawn;
static tc_impact problem;
static tc_impact_info info;
static tc_real f_c[ROWS], u_c[ROWS], w_c[ROWS], f[ROWS], u[ROWS], w[ROWS], w_least[ROWS];
static const tc_impact_answer answer = {f_c, u_c, w_c, f, u, w, w_least};
static tc_real work[TC_IMPACT_WORK(TC_CONE3_MAX, 3u, 6u)];
static int bad;

static tc_status solve(void)
{
    return tc_impact_solve(&problem, &answer, &info, work, TC_COUNT(work));
}

/* A box or rows of a body, which comes nearer; `flat`: with little spin, one mu and one e */
static int draw(uint32_t family, uint32_t n, uint32_t index, int flat, tc_impact_law law)
{
    cone_draw(&cone_families[family], &drawn, 3u, n, index);
    for (uint32_t k = 3; k < 6u && flat; ++k) drawn.w0[k] *= TC_C(0.2);
    for (uint32_t i = 0; i < n && flat; ++i) {
        drawn.mu[i] = drawn.mu[0];
        drawn.e[i] = drawn.e[0];
    }
    if (flat) drawn.w0[2] = -(tc_real)fabs((double)drawn.w0[2]) - TC_C(0.2);
    problem = (tc_impact){.contact = drawn.cone, .e = drawn.e, .law = law};
    return cone_approaches(&drawn.cone);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double quantile(double *x, uint32_t n, double part)
{
    qsort(x, n, sizeof *x, compare_numbers);
    return n == 0u ? 0 : x[(uint32_t)(part * (n - 1u))];
}

/* One line. limit: at most, or at least if `least`; below 0: none */
static void print_line(const char *what, const char *family, uint32_t count, double value,
                       double limit, int least)
{
    printf("%s,%s,%u,%.3g,", what, family, (unsigned)count, value);
    if (limit >= 0) printf("%s %.3g", least ? ">=" : "<=", limit);
    printf("\n");
    fflush(stdout);
    if (limit >= 0 && !(least ? value >= limit : value <= limit)) bad = 1;
}

/* ---- Float against double -------------------------------------------------------------------- */

/* w0's six and mu's four cotangents of problem `index`; 0: none. both: with restitution */
static int take_adjoint(uint32_t family, uint32_t index, int both, double by[10])
{
    tc_real by_w[6], by_w0[6], by_mu[4];
    const tc_impact_grad to = {.w0 = by_w0, .mu = by_mu};
    if (!draw(family, 4u, index, 0, TC_IMPACT_CONVEX)) return 0;
    if (!both) problem.e = NULL;
    if (solve() != TC_OK) return 0;
    for (uint32_t k = 0; k < 6u; ++k) by_w[k] = k % 2u ? TC_C(0.5) : TC_C(-1.0);
    if (tc_impact_grad_adjoint(&problem, &answer, &info, by_w, &to, work, TC_COUNT(work))
        != TC_OK) {
        return 0;
    }
    for (uint32_t k = 0; k < 6u; ++k) by[k] = (double)by_w0[k];
    for (uint32_t k = 0; k < 4u; ++k) by[6u + k] = (double)by_mu[k];
    /* problems whose kinds may change by rounding have two derivatives */
    return (double)info.compression.margin > 1e-4 && (double)info.restitution.margin > 1e-4;
}

static const uint32_t families[2] = {CONE_BOX, CONE_BODY};

static int write_adjoints(uint32_t count, const char *name)
{
    FILE *const file = fopen(name, "w");
    if (file == NULL) return 1;
    for (uint32_t k = 0; k < 4u * count; ++k) {
        const uint32_t cell = k / count;
        double by[10] = {0};
        fprintf(file, "%d", take_adjoint(families[cell / 2u], k % count, cell % 2u, by));
        for (uint32_t j = 0; j < 10u; ++j) fprintf(file, " %.17g", by[j]);
        fprintf(file, "\n");
    }
    return fclose(file) != 0;
}

static double relative_error(const double *x, const double *truth, uint32_t n)
{
    double most = 0, size = 1;
    for (uint32_t k = 0; k < n; ++k) {
        most = fmax(most, fabs(x[k] - truth[k]));
        size = fmax(size, fabs(truth[k]));
    }
    return most / size;
}

#ifndef TC_DOUBLE
static int compare_adjoints(uint32_t count, const char *name)
{
    static double error[2][MOST];
    FILE *const file = fopen(name, "r");
    if (file == NULL) return 1;
    for (uint32_t cell = 0; cell < 4u; ++cell) {
        const int both = cell % 2u;
        uint32_t judged = 0;
        for (uint32_t k = 0; k < count; ++k) {
            double truth[10], by[10];
            int good = 0;
            if (fscanf(file, "%d", &good) != 1) good = 0;
            for (uint32_t j = 0; j < 10u; ++j) good = fscanf(file, "%lf", &truth[j]) == 1 && good;
            if (!take_adjoint(families[cell / 2u], k, both, by) || !good || !info.unique) continue;
            error[0][judged] = relative_error(by, truth, 6u);
            error[1][judged++] = relative_error(by + 6, truth + 6, 4u);
        }
        /* random rows of a body miss the floor of 1e-4, and are reported */
        const double floor = cell / 2u ? -1 : 1e-4;
        const char *const who = cell / 2u ? "body" : "box";
        print_line(both ? "adjoint_w0_both" : "adjoint_w0", who, judged,
                   quantile(error[0], judged, 0.99), floor, 0);
        print_line(both ? "adjoint_mu_both" : "adjoint_mu", who, judged,
                   quantile(error[1], judged, 0.99), 1e-2, 0);
    }
    return fclose(file) != 0;
}
#endif

/* ---- Slopes ---------------------------------------------------------------------------------- */

#ifdef TC_DOUBLE
/* The error of the tangent of w0 against a difference of fourth order, or -1 near a change */
static double slope_error(uint32_t index)
{
    static const double step = 1e-4, parts[4] = {-2, -1, 1, 2}, weights[4] = {1, -8, 8, -1};
    tc_real along[6], dw[6], kept[6];
    const tc_impact_grad direction = {.w0 = along};
    double slope[6] = {0}, tangent[6];
    memcpy(kept, drawn.w0, sizeof kept);
    for (uint32_t k = 0; k < 6u; ++k) along[k] = (tc_real)sin(index * 6.0 + k + 1.0);
    if ((double)info.restitution.margin < 1e-3 || (double)info.compression.margin < 1e-3) return -1;
    if (tc_impact_grad_tangent(&problem, &answer, &info, &direction, dw, work, TC_COUNT(work))
        != TC_OK) {
        return -1;
    }
    for (uint32_t side = 0; side < 4u; ++side) {
        for (uint32_t k = 0; k < 6u; ++k) drawn.w0[k] = kept[k] + parts[side] * step * along[k];
        if (solve() != TC_OK) return -1;
        for (uint32_t k = 0; k < 6u; ++k) slope[k] += weights[side] * w[k] / (12 * step);
    }
    for (uint32_t k = 0; k < 6u; ++k) tangent[k] = dw[k];
    return relative_error(tangent, slope, 6u);
}

static void print_slopes(uint32_t count, tc_impact_law law)
{
    static double error[2][MOST];
    uint32_t judged[2] = {0, 0};
    for (uint32_t index = 0; index < count; ++index) {
        const uint32_t n = law == TC_IMPACT_COULOMB ? 1u + index % 3u : 4u;
        if (!draw(CONE_BOX, n, index, index & 1u, law) || solve() != TC_OK) continue;
        const uint32_t unique = info.unique;
        const double own = slope_error(index);
        if (own >= 0) error[unique][judged[unique]++] = own;
    }
    const char *const names[2][2] = {{"slope_deficient", "slope"},
                                     {"slope_coulomb_deficient", "slope_coulomb"}};
    for (uint32_t k = 0; k < 2u; ++k) {
        print_line(names[law == TC_IMPACT_COULOMB][k], "box", judged[k],
                   quantile(error[k], judged[k], 0.99), k == 0u ? 1e-4 : 1e-6, 0);
    }
}
#else

/* ---- Laws ------------------------------------------------------------------------------------ */

static void print_coulomb(uint32_t count, int flat)
{
    static double residual[MOST], solves[MOST];
    const char *const family = flat ? "flat box" : "box";
    uint32_t judged = 0, limits = 0;
    for (uint32_t index = 0; index < count; ++index) {
        if (!draw(CONE_BOX, 4u, index, flat, TC_IMPACT_COULOMB)) continue;
        limits += solve() == TC_NOTE_LIMIT && info.coulomb <= TC_IMPACT_TOLERANCE;
        residual[judged] = (double)info.coulomb;
        solves[judged++] = info.solves;
    }
    print_line("coulomb_residual_99", family, judged, quantile(residual, judged, 0.99), 1e-5, 0);
    print_line("coulomb_solves_median", family, judged, quantile(solves, judged, 0.5), 8, 0);
    print_line("coulomb_solves_99", family, judged, quantile(solves, judged, 0.99), 30, 0);
    print_line("coulomb_solves_most", family, judged, solves[judged - 1u], -1, 0);
    print_line("coulomb_not_least", family, judged, (double)limits / judged, 0.01, 0);
}

static void print_lift(uint32_t count, uint32_t n)
{
    static double lift[MOST];
    uint32_t judged = 0, carry = 0, stick = 0, certified = 0, all = 0;
    for (uint32_t index = 0; index < count; ++index) {
        if (!draw(CONE_BOX, n, index, 0, TC_IMPACT_CONVEX)) continue;
        double speed = 0, most = 0;
        for (uint32_t k = 0; k < 6u; ++k) speed += (double)drawn.w0[k] * (double)drawn.w0[k];
        certified += solve() == TC_OK;
        ++all;
        for (uint32_t i = 0; i < n; ++i) {
            carry += f_c[3u * i] > 0;
            stick += f_c[3u * i] > 0 && info.compression.kind[i] == TC_CONE_STICK;
            if (info.compression.kind[i] != TC_CONE_SLIP) continue;
            most = fmax(most, (double)u_c[3u * i] / sqrt(speed));
        }
        if (most > 0) lift[judged++] = most;
    }
    char family[16];
    snprintf(family, sizeof family, "box of %u", (unsigned)n);
    print_line("lift_median", family, judged, quantile(lift, judged, 0.5), -1, 0);
    print_line("lift_most", family, judged, judged > 0u ? lift[judged - 1u] : 0, -1, 0);
    print_line("stick", family, carry, carry > 0u ? (double)stick / carry : 0, -1, 0);
    print_line("certified", family, all, (double)certified / all, 0.99, 1);
}
#endif

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "write") == 0) {
        return write_adjoints((uint32_t)strtoul(argv[2], NULL, 10), argv[3]);
    }
    uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2000u;
    if (count > MOST) count = MOST;
#ifdef TC_DOUBLE
    print_slopes(count, TC_IMPACT_CONVEX);
    print_slopes(count, TC_IMPACT_COULOMB);
#else
    printf("what,family,judged,value,floor\n");
    for (int flat = 0; flat < 2; ++flat) print_coulomb(count, flat);
    print_lift(count, 1u);
    print_lift(count, 4u);
    if (argc > 2 && compare_adjoints(count, argv[2]) != 0) bad = 1;
#endif
    return bad;
}
