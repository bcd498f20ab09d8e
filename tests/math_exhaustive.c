/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Every elementary function of one argument over all 2^32 floats, atan2 over 2^27 pairs, against
 * the C library's double functions. A host program, minutes long; results: tests/math_errors.csv.
 *
 *   math_exhaustive                  all functions, CSV on stdout, progress on stderr
 *   math_exhaustive sin              one function
 *   math_exhaustive sin 3 64         the fourth of 64 slices of the bit patterns
 *
 * Built with TC_TANH_TABLE=0 it has tanh.small, sigmoid.small and softplus.small in the place of
 * the three.
 *
 * Columns: function, largest absolute error, largest error in units of the last place (of the exact
 * result), where the one that tc_math.h bounds is largest, and how many arguments were tried (NaN
 * not). Where the exact result is below 2^-126 a zero counts as exact, as the flushing rule has it.
 * Exit status 1 if a bound is exceeded, a result leaves its range, or a monotone function falls.
 */
#include "math_reference.h"
#include "tc_math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLICES 64u
#define PAIRS_PER_SLICE (1u << 21)

typedef struct measure {
    double max_abs, max_ulp;
    double claimed;  /* the larger is worse: error / bound */
    double at, at_y; /* where `claimed` is largest */
    uint64_t count;
    uint64_t broken; /* results out of range, not monotone, or NaN */
} measure;

typedef struct subject {
    const char *name;
    float (*f)(float);
    double (*exact)(double);
    double bound_abs, bound_ulp; /* one of them is 0: not claimed */
    float low, high;             /* range of results */
    int monotone;
} subject;

static const subject subjects[] = {
    {"exp", tc_exp, exact_exp, 0, EXP_ULP, 0.0f, INFINITY, 1},
    {"log", tc_log, exact_log, 0, LOG_ULP, -INFINITY, INFINITY, 1},
    {"tanh" CHOICE, tc_tanh, exact_tanh, TANH_ABSOLUTE, 0, -1.0f, 1.0f, 1},
    {"sigmoid" CHOICE, tc_sigmoid, exact_sigmoid, SIGMOID_ABSOLUTE, 0, 0.0f, 1.0f, 1},
    {"softplus" CHOICE, tc_softplus, exact_softplus, 0, SOFTPLUS_ULP, 0.0f, INFINITY, 0},
    {"sin", tc_sin, exact_sin, SIN_ABSOLUTE, 0, -1.0f, 1.0f, 0},
    {"cos", tc_cos, exact_cos, SIN_ABSOLUTE, 0, -1.0f, 1.0f, 0},
    {"normal_density", tc_normal_density, exact_normal_density, 0, NORMAL_DENSITY_ULP, 0.0f,
     0.39894229f, 0},
    {"normal_distribution", tc_normal_distribution, exact_normal_distribution, 0,
     NORMAL_DISTRIBUTION_ULP, 0.0f, 1.0f, 0},
    {"normal_ratio", tc_normal_ratio, exact_normal_ratio, 0, NORMAL_RATIO_ULP, 0.0f, INFINITY, 0},
};

static const subject pairs = {"atan2", NULL, NULL, 0, ATAN2_ULP, -INFINITY, INFINITY, 0};

static void judge(measure *m, const subject *s, double actual, double exact, double x, double y)
{
    m->count++;
    if (is_exact(actual, exact)) return;
    const double error = fabs(actual - exact);
    const double ulp = error / float_spacing(exact);
    if (!(error <= m->max_abs)) m->max_abs = error;
    if (!(ulp <= m->max_ulp)) m->max_ulp = ulp;
    const double claimed = s->bound_abs > 0 ? error / s->bound_abs : ulp / s->bound_ulp;
    if (!(claimed <= m->claimed)) {
        m->claimed = claimed;
        m->at = x;
        m->at_y = y;
    }
}

static void run_slice(const subject *s, uint32_t slice, uint32_t slices, measure *m)
{
    const uint64_t first = ((uint64_t)slice << 32) / slices;
    const uint64_t end = ((uint64_t)(slice + 1) << 32) / slices;
    float previous = NAN;
    for (uint64_t i = first; i < end; i++) {
        const uint32_t bits = (uint32_t)i;
        float x;
        memcpy(&x, &bits, sizeof x);
        if (isnan(x)) continue;
        const double exact = s->exact((double)x);
        const float y = s->f(x);
        judge(m, s, (double)y, exact, (double)x, 0.0);
        const int falls = bits >> 31 ? y > previous : y < previous; /* negative x run downwards */
        if (y < s->low || y > s->high || (s->monotone && falls && bits != 0x80000000u)) m->broken++;
        if (isnan(y) && !isnan(exact)) m->broken++;
        previous = y;
    }
}

static uint32_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Half of the pairs are any two floats, half have exponents within 2^4 of one another. */
static void run_pairs(uint32_t slice, measure *m)
{
    uint64_t state = slice + 1u;
    for (uint32_t i = 0; i < PAIRS_PER_SLICE; i++) {
        uint32_t a = random_bits(&state), b = random_bits(&state);
        if (i & 1u) b = (b & 0x87ffffffu) | (a & 0x78000000u);
        float x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        if (isnan(x) || isnan(y)) continue;
        judge(m, &pairs, (double)tc_atan2(y, x), atan2((double)y, (double)x), (double)x, (double)y);
    }
}

/* Runs one function, or a part of it, and prints its row. Returns 1 if it broke a promise. */
static int report(const subject *s, uint32_t first, uint32_t end, uint32_t slices)
{
    measure m = {0};
    for (uint32_t slice = first; slice < end; slice++) {
        if (s->f)
            run_slice(s, slice, slices, &m);
        else
            run_pairs(slice, &m);
        fprintf(stderr, "\r%-20s %3u / %u", s->name, slice + 1u, slices);
    }
    fputc('\n', stderr);
    printf("%s,%.3g,%.3g,", s->name, m.max_abs, m.max_ulp);
    if (s->f)
        printf("%.9g", m.at);
    else
        printf("%.9g:%.9g", m.at_y, m.at);
    printf(",%llu\n", (unsigned long long)m.count);
    fflush(stdout);
    if (m.broken) {
        fprintf(stderr, "%s: %llu results out of range or order\n", s->name,
                (unsigned long long)m.broken);
    }
    if (!(m.claimed <= 1.0)) fprintf(stderr, "%s: exceeds the bound of tc_math.h\n", s->name);
    return m.broken > 0 || !(m.claimed <= 1.0);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "all";
    const uint32_t slices = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : SLICES;
    const uint32_t first = argc > 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    const uint32_t end = argc > 3 ? first + 1u : slices;
    int failed = 0, found = 0;
    if (slices == 0 || first >= slices) {
        fprintf(stderr, "usage: math_exhaustive [function [slice slices]]\n");
        return 2;
    }
    printf("function,max_abs,max_ulp,at,count\n");
    for (size_t i = 0; i <= TC_COUNT(subjects); i++) {
        const subject *s = i < TC_COUNT(subjects) ? &subjects[i] : &pairs;
        if (strcmp(only, "all") != 0 && strcmp(only, s->name) != 0) continue;
        failed |= report(s, first, end, slices);
        found = 1;
    }
    if (!found) fprintf(stderr, "math_exhaustive: no function %s\n", only);
    return found ? failed : 2;
}
