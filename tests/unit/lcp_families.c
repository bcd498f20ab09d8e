/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "lcp_families.h"

#include <string.h>

static uint64_t state;

static uint32_t bits(void)
{
    state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t x = state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) >> 32);
}

static tc_real uniform(void) /* in (-1, 1), 23 bits */
{
    return (tc_real)((int32_t)(bits() >> 8) - 8388608) * TC_C(1.1920928955078125e-7);
}

static tc_real integer(int32_t most) /* in -most..most */
{
    return (tc_real)((int32_t)(bits() % (uint32_t)(2 * most + 1)) - most);
}

static tc_real power(tc_real base, uint32_t exponent)
{
    tc_real result = 1;
    for (uint32_t i = 0; i < exponent; ++i) {
        result *= base;
    }
    return result;
}

static void rows(family_problem *p, uint32_t n, uint32_t columns)
{
    p->columns = columns;
    for (uint32_t i = 0; i < n * columns; ++i) {
        p->J[i] = uniform();
    }
}

static void gram(family_problem *p, uint32_t n)
{
    const uint32_t d = p->columns;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            tc_real sum = 0;
            for (uint32_t k = 0; k < d; ++k) {
                sum += p->J[i * d + k] * p->J[j * d + k];
            }
            p->M[i * n + j] = sum;
        }
    }
    p->lcp.M = p->M;
}

/* q = J v: v velocity before the contact, so -v is the impulse that solves it; always solvable */
static void approach(family_problem *p, uint32_t n)
{
    tc_real v[TC_LCP_MAX + 2u];
    for (uint32_t k = 0; k < p->columns; ++k) {
        v[k] = uniform();
    }
    for (uint32_t i = 0; i < n; ++i) {
        p->q[i] = 0;
        for (uint32_t k = 0; k < p->columns; ++k) {
            p->q[i] += p->J[i * p->columns + k] * v[k];
        }
    }
}

static void from_rows(family_problem *p, uint32_t n)
{
    approach(p, n);
    gram(p, n);
}

static void by_velocity(family_problem *p)
{
    p->lcp.M = NULL;
    p->lcp.J = p->J;
    p->lcp.d = p->columns;
}

static void draw_spd(family_problem *p, uint32_t n)
{
    rows(p, n, n + 2u);
    from_rows(p, n);
}

static void draw_psd(family_problem *p, uint32_t n)
{
    rows(p, n, (n + 1u) / 2u);
    from_rows(p, n);
}

static void draw_gram3(family_problem *p, uint32_t n)
{
    rows(p, n, 3u);
    from_rows(p, n);
}

static void draw_gram6(family_problem *p, uint32_t n)
{
    rows(p, n, 6u);
    from_rows(p, n);
}

/* Every contact a copy of one of the first half, bit for bit */
static void duplicate(family_problem *p, uint32_t n)
{
    const uint32_t half = (n + 1u) / 2u;
    for (uint32_t i = half; i < n; ++i) {
        memcpy(p->J + i * p->columns, p->J + bits() % half * p->columns,
               p->columns * sizeof p->J[0]);
    }
}

static void draw_duplicates(family_problem *p, uint32_t n)
{
    rows(p, n, 3u + bits() % 4u);
    duplicate(p, n);
    from_rows(p, n);
}

static void integer_rows(family_problem *p, uint32_t n, uint32_t columns)
{
    p->columns = columns;
    for (uint32_t i = 0; i < n * columns; ++i) {
        p->J[i] = integer(1);
    }
}

/* Small integers: zero rows, equal rows, opposite rows, ties everywhere */
static void integer_approach(family_problem *p, uint32_t n)
{
    tc_real v[TC_LCP_MAX];
    for (uint32_t k = 0; k < p->columns; ++k) {
        v[k] = integer(2);
    }
    for (uint32_t i = 0; i < n; ++i) {
        p->q[i] = 0;
        for (uint32_t k = 0; k < p->columns; ++k) {
            p->q[i] += p->J[i * p->columns + k] * v[k];
        }
    }
}

static void draw_ties(family_problem *p, uint32_t n)
{
    integer_rows(p, n, 1u + bits() % 6u);
    integer_approach(p, n);
    gram(p, n);
}

/* Bodies 10^4 times as light as others: columns of J scaled by 1 .. 100 */
static void light_columns(family_problem *p, uint32_t n)
{
    for (uint32_t k = 0; k < p->columns; ++k) {
        const tc_real factor = k % 2u != 0 ? TC_C(100.0) : TC_C(1.0);
        for (uint32_t i = 0; i < n; ++i) {
            p->J[i * p->columns + k] *= factor;
        }
    }
}

static void draw_mass_ratio(family_problem *p, uint32_t n)
{
    rows(p, n, n + 2u);
    light_columns(p, n);
    from_rows(p, n);
}

/* n contacts between n + 1 bodies on a line, masses from 1 to 10^4: tridiagonal */
static void draw_chain(family_problem *p, uint32_t n)
{
    p->columns = n + 1u;
    memset(p->J, 0, n * p->columns * sizeof p->J[0]);
    for (uint32_t k = 0; k < n; ++k) {
        p->J[k * p->columns + k] =
            -power(TC_C(10.0), bits() % 3u) * TC_C(0.01) * (TC_C(1.5) + uniform());
        p->J[k * p->columns + k + 1u] = k == 0 ? TC_C(1.0) : TC_C(0.0);
    }
    for (uint32_t k = 0; k < n; ++k) { /* body k + 1 stands in contacts k and k + 1 with one mass */
        const uint32_t next = k + 1u < n ? k + 1u : k;
        p->J[k * p->columns + k + 1u] = next != k ? -p->J[next * p->columns + next] : TC_C(1.0);
    }
    from_rows(p, n);
}

static void draw_scaled_rows(family_problem *p, uint32_t n)
{
    rows(p, n, n + 2u);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real factor = power(TC_C(10.0), bits() % 7u) * TC_C(1e-3);
        for (uint32_t k = 0; k < p->columns; ++k) {
            p->J[i * p->columns + k] *= factor;
        }
    }
    from_rows(p, n);
}

/* The last row is minus a positive integer combination y of others, y_n = 1: J^T y = 0, and q^T y <
 * 0 */
static void cancel(family_problem *p, uint32_t n)
{
    tc_real y[TC_LCP_MAX] = {0}, *last = p->J + (n - 1u) * p->columns, slope = 0;
    memset(last, 0, p->columns * sizeof p->J[0]);
    y[n - 1u] = 1;
    for (uint32_t i = 0; i + 1u < n; ++i) {
        y[i] = (tc_real)(bits() % 3u);
        for (uint32_t k = 0; k < p->columns; ++k) {
            last[k] -= y[i] * p->J[i * p->columns + k];
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        p->q[i] = integer(4);
        slope += y[i] * p->q[i];
    }
    p->q[n - 1u] -= slope >= 0 ? slope + 1 : 0;
}

static void draw_infeasible(family_problem *p, uint32_t n)
{
    integer_rows(p, n, 1u + bits() % 6u);
    cancel(p, n);
    gram(p, n);
}

/* Rank 3 + epsilon I, epsilon 2^-8 .. 2^-15: nearly singular */
static void draw_near_rank(family_problem *p, uint32_t n)
{
    rows(p, n, 3u);
    from_rows(p, n);
    const tc_real epsilon = power(TC_C(0.5), 8u + bits() % 8u);
    for (uint32_t i = 0; i < n; ++i) {
        p->M[i * n + i] += epsilon;
    }
}

static void draw_near_rank_anywhere(family_problem *p, uint32_t n)
{
    draw_near_rank(p, n);
    for (uint32_t i = 0; i < n; ++i) {
        p->q[i] = uniform();
    }
}

static void draw_velocity3(family_problem *p, uint32_t n)
{
    draw_gram3(p, n);
    by_velocity(p);
}

static void draw_velocity6(family_problem *p, uint32_t n)
{
    draw_gram6(p, n);
    by_velocity(p);
}

static void draw_velocity_duplicates(family_problem *p, uint32_t n)
{
    draw_duplicates(p, n);
    by_velocity(p);
}

static void draw_velocity_ties(family_problem *p, uint32_t n)
{
    draw_ties(p, n);
    by_velocity(p);
}

static void draw_velocity_infeasible(family_problem *p, uint32_t n)
{
    draw_infeasible(p, n);
    by_velocity(p);
}

static void draw_velocity_mass_ratio(family_problem *p, uint32_t n)
{
    rows(p, n, bits() % 2u != 0 ? 3u : 6u);
    light_columns(p, n);
    from_rows(p, n);
    by_velocity(p);
}

/* Pairs of rows parallel to 10^-4 */
static void draw_velocity_parallel(family_problem *p, uint32_t n)
{
    rows(p, n, bits() % 2u != 0 ? 3u : 6u);
    duplicate(p, n);
    for (uint32_t i = (n + 1u) / 2u * p->columns; i < n * p->columns; ++i) {
        p->J[i] += TC_C(1e-4) * uniform();
    }
    from_rows(p, n);
    by_velocity(p);
}

static void general(family_problem *p)
{
    p->lcp.kind = TC_LCP_GENERAL;
}

static void draw_general_spd(family_problem *p, uint32_t n)
{
    draw_spd(p, n);
    general(p);
}

/* Positive definite plus skew */
static void draw_general_skew(family_problem *p, uint32_t n)
{
    draw_spd(p, n);
    for (uint32_t i = 0; i < n; ++i) {
        p->q[i] = uniform();
        for (uint32_t j = 0; j < i; ++j) {
            const tc_real skew = uniform();
            p->M[i * n + j] += skew;
            p->M[j * n + i] -= skew;
        }
    }
    general(p);
}

/* Diagonally dominant, columns scaled by 10^-1.5 .. 10^1.5 */
static void draw_general_dominant(family_problem *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        tc_real sum = TC_C(0.1);
        for (uint32_t j = 0; j < n; ++j) {
            p->M[i * n + j] = uniform();
            sum += i == j ? 0 : p->M[i * n + j] < 0 ? -p->M[i * n + j] : p->M[i * n + j];
        }
        p->M[i * n + i] = sum;
        p->q[i] = uniform();
    }
    for (uint32_t j = 0; j < n; ++j) {
        const tc_real factor = power(TC_C(10.0), bits() % 4u) * TC_C(0.0316);
        for (uint32_t i = 0; i < n; ++i) {
            p->M[i * n + j] *= factor;
        }
    }
    p->lcp.M = p->M;
    general(p);
}

/* Unit triangular, off-diagonals up to 3: all principal minors are 1 */
static void draw_general_triangular(family_problem *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        p->q[i] = uniform();
        for (uint32_t j = 0; j < n; ++j) {
            p->M[i * n + j] = j < i ? 3 * uniform() : (tc_real)(i == j);
        }
    }
    p->lcp.M = p->M;
    general(p);
}

static void draw_general_infeasible(family_problem *p, uint32_t n)
{
    draw_infeasible(p, n);
    general(p);
}

/* The inverse masses of bodies on a line whose masses are apart by up to `ratio`: light and heavy
 * in turn, anyhow, or heavier (lighter) from one to the next */
static void inverse_masses(tc_real *inverse, uint32_t bodies, tc_real ratio)
{
    const uint32_t order = bits() % 4u;
    uint32_t doublings = 0;
    while (power(2, doublings + 1u) <= ratio) {
        ++doublings;
    }
    for (uint32_t i = 0; i < bodies; ++i) {
        const uint32_t place = order == 2u ? i : bodies - 1u - i;
        const uint32_t part = order == 0    ? i % 2u * doublings
                              : order == 1u ? bits() % (doublings + 1u)
                                            : doublings * place / bodies;
        inverse[i] = power(2, part) * (TC_C(1.0) + TC_C(0.4) * uniform());
    }
}

/* Contact i between bodies i and i + 1 on a line. floors: 1 the first body is the floor, 2 the
 * last, 3 both */
static void line(family_problem *p, uint32_t n, tc_real ratio, uint32_t floors)
{
    tc_real inverse[TC_LCP_MAX + 1u], v[TC_LCP_MAX + 1u];
    const int falls = bits() % 3u == 0; /* one body falls on a stack at rest */
    inverse_masses(inverse, n + 1u, ratio);
    for (uint32_t i = 0; i <= n; ++i) {
        v[i] = !falls ? uniform() : i == n ? TC_C(-1.0) : TC_C(0.0);
    }
    for (uint32_t end = 0; end < 2u; ++end) {
        if ((floors >> end & 1u) != 0) {
            inverse[end * n] = 0;
            v[end * n] = 0;
        }
    }
    memset(p->M, 0, n * n * sizeof p->M[0]);
    for (uint32_t i = 0; i < n; ++i) {
        p->M[i * n + i] = inverse[i] + inverse[i + 1u];
        p->q[i] = v[i + 1u] - v[i];
        if (i + 1u < n) {
            p->M[i * n + i + 1u] = -inverse[i + 1u];
            p->M[(i + 1u) * n + i] = -inverse[i + 1u];
        }
    }
    p->columns = 0;
    p->lcp.M = p->M;
}

static void draw_line_13(family_problem *p, uint32_t n)
{
    line(p, n, TC_C(8192.0), bits() % 3u);
}

/* A column between two walls, too: rank n - 1, or indefinite once its M_ii are rounded */
static void draw_line(family_problem *p, uint32_t n)
{
    const tc_real ratio = power(2, bits() % 21u);
    line(p, n, ratio, bits() % (n > 1u ? 4u : 3u));
}

/* A stack of up to six bodies on the floor by J, each contact beyond the sixth a copy of one
 * before */
static void draw_velocity_line(family_problem *p, uint32_t n)
{
    const uint32_t bodies = n < 6u ? n : 6u;
    tc_real inverse[6];
    p->columns = bodies;
    inverse_masses(inverse, bodies, power(2, bits() % 21u));
    memset(p->J, 0, n * bodies * sizeof p->J[0]);
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t b = i % bodies;
        p->J[i * bodies + b] = tc_sqrt(inverse[b]);
        if (b != 0) {
            p->J[i * bodies + b - 1u] = -tc_sqrt(inverse[b - 1u]);
        }
        p->q[i] = uniform();
    }
    by_velocity(p);
}

const family families[] = {
    {"spd", FAMILY_SOLVABLE, 1, draw_spd},
    {"psd", FAMILY_SOLVABLE, 1, draw_psd},
    {"gram_3", FAMILY_SOLVABLE, 1, draw_gram3},
    {"gram_6", FAMILY_SOLVABLE, 1, draw_gram6},
    {"duplicates", FAMILY_SOLVABLE, 1, draw_duplicates},
    {"ties", FAMILY_SOLVABLE, 1, draw_ties},
    {"mass_ratio", FAMILY_SOLVABLE, 1, draw_mass_ratio},
    {"chain", FAMILY_SOLVABLE, 1, draw_chain},
    {"scaled_rows", FAMILY_SOLVABLE, 1, draw_scaled_rows},
    {"infeasible", FAMILY_INFEASIBLE, 1, draw_infeasible},
    {"near_rank_3", FAMILY_SOLVABLE, 1, draw_near_rank},
    {"near_rank_3_anywhere", FAMILY_EITHER, 1, draw_near_rank_anywhere},
    {"velocity_3", FAMILY_SOLVABLE, 1, draw_velocity3},
    {"velocity_6", FAMILY_SOLVABLE, 1, draw_velocity6},
    {"velocity_duplicates", FAMILY_SOLVABLE, 1, draw_velocity_duplicates},
    {"velocity_ties", FAMILY_SOLVABLE, 1, draw_velocity_ties},
    {"velocity_infeasible", FAMILY_INFEASIBLE, 1, draw_velocity_infeasible},
    {"velocity_mass_ratio", FAMILY_SOLVABLE, 1, draw_velocity_mass_ratio},
    {"velocity_parallel", FAMILY_EITHER, 2, draw_velocity_parallel},
    {"general_spd", FAMILY_SOLVABLE, 1, draw_general_spd},
    {"general_skew", FAMILY_SOLVABLE, 1, draw_general_skew},
    {"general_dominant", FAMILY_SOLVABLE, 1, draw_general_dominant},
    {"general_triangular", FAMILY_SOLVABLE, 1, draw_general_triangular},
    {"general_infeasible", FAMILY_INFEASIBLE, 1, draw_general_infeasible},
    {"line_13", FAMILY_SOLVABLE, 1, draw_line_13},
    {"line", FAMILY_EITHER, 1, draw_line},
    {"velocity_line", FAMILY_SOLVABLE, 1, draw_velocity_line},
};
const uint32_t family_count = TC_COUNT(families);

void family_draw(const family *f, family_problem *p, uint32_t n, uint32_t index)
{
    memset(&p->lcp, 0, sizeof p->lcp);
    state = ((uint64_t)(f - families) << 56) ^ ((uint64_t)n << 48) ^ index;
    (void)bits();
    p->lcp.n = n;
    p->lcp.q = p->q;
    f->draw(p, n);
}
