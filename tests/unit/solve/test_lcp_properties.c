/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The complementarity solver on the families of lcp_families.c: against the enumeration in double
 * precision, and properties that need no reference: permutation, scaling, warm start, M against J,
 * proofs.
 *
 * Bounds: residuals 5e-6 of the scale (TC_LCP_TOLERANCE and the rounding of w); velocities of
 * well-conditioned problems 2e-5 of it; in rank-deficient ones the square root of the residual,
 * 5e-3.
 */
#include "test.h"

#include "lcp_families.h"
#include "lcp_oracle.h"

#define N TC_LCP_MAX
#define RESIDUAL 5e-6
#ifdef TC_DOUBLE
#define LINE_ERROR 1e-3 /* the truth, in double from J J^T, is no more precise */
#else
#define LINE_ERROR 1e-4
#endif
#ifdef __arm__
#define LINES 32u
#define SCALED 2u
#define MAGNITUDES 500u
#else
#define LINES TEST_ROUNDS(2000u)
#define SCALED TEST_ROUNDS(48u)
#define MAGNITUDES TEST_ROUNDS(20000u)
#endif

static family_problem problem, changed;
static tc_real z[N], w[N], z2[N], w2[N], work[TC_LCP_GENERAL_WORK(N)];
static tc_lcp_info info;
static double M[N * N], q[N], z_wide[N], w_wide[N];

static const family *named(const char *name)
{
    for (uint32_t f = 0; f < family_count; ++f) {
        if (strcmp(families[f].name, name) == 0) {
            return &families[f];
        }
    }
    TEST_FAIL_MESSAGE(name);
    return NULL;
}

static void widen(const family_problem *p)
{
    const uint32_t n = p->lcp.n;
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

static tc_status solve(const tc_lcp *p, tc_real *z_out, tc_real *w_out)
{
    return tc_lcp_solve(p, z_out, w_out, &info, work, TC_COUNT(work));
}

static double residual(uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        z_wide[i] = (double)z[i];
    }
    return oracle_residual(M, q, n, z_wide);
}

static void check_proof(uint32_t n, const char *name)
{
    double slope = 0, most = 0, terms = 0;
    TEST_ASSERT_NOT_NULL_MESSAGE(info.farkas, name);
    for (uint32_t i = 0; i < n; ++i) {
        double sum = 0, part = 0;
        TEST_ASSERT_TRUE_MESSAGE(info.farkas[i] >= 0 && info.farkas[i] <= 1, name);
        slope += q[i] * (double)info.farkas[i];
        for (uint32_t j = 0; j < n; ++j) {
            sum += M[j * n + i] * (double)info.farkas[j];
            part += fabs(M[j * n + i] * (double)info.farkas[j]);
        }
        most = fmax(most, sum);
        terms = fmax(terms, part);
    }
    TEST_ASSERT_TRUE_MESSAGE(slope < 0 && most <= 1e-5 * terms, name);
}

/* The error told beside q is no less than the true one, but for what rounding of w adds where terms
 * are small, and that is within TC_LCP_ERROR where the answer is TC_OK. */
static void check_error(uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; ++i) {
        z_wide[i] = (double)z[i];
    }
    TEST_ASSERT_TRUE_MESSAGE(oracle_error(M, q, n, z_wide) <= 1.01 * (double)info.error + 5e-5,
                             name);
}

/* Every family, every n: nothing called solved that is not, no solvable problem called unsolvable,
 * every proof a proof, and next to nothing left uncertified; but of the triangular family beyond 40
 * contacts, whose numbers grow by a factor with each contact: what float cannot hold is told as
 * such. */
static void test_families(void)
{
    for (uint32_t f = 0; f < family_count; ++f) {
        const uint32_t counted = strcmp(families[f].name, "general_triangular") == 0 ? 40u : N;
        uint32_t left = 0, count = 0;
        for (uint32_t n = families[f].smallest; n <= N; n += n < 8 ? 1 : 4) {
            for (uint32_t index = 0; index < 12; ++index, count += n <= counted) {
                family_draw(&families[f], &problem, n, 7000000u + index);
                widen(&problem);
                const tc_status status = solve(&problem.lcp, z, w);
                if (status == TC_OK) {
                    TEST_ASSERT_TRUE_MESSAGE(families[f].truth != FAMILY_INFEASIBLE,
                                             families[f].name);
                    TEST_ASSERT_TRUE_MESSAGE(residual(n) <= RESIDUAL, families[f].name);
                    TEST_ASSERT_TRUE_MESSAGE(info.residual <= TC_LCP_TOLERANCE, families[f].name);
                    TEST_ASSERT_TRUE_MESSAGE(info.error <= TC_LCP_ERROR, families[f].name);
                    check_error(n, families[f].name);
                } else if (status == TC_NOTE_PRECISION) {
                    TEST_ASSERT_TRUE_MESSAGE(families[f].truth != FAMILY_INFEASIBLE,
                                             families[f].name);
                    TEST_ASSERT_TRUE_MESSAGE(residual(n) <= RESIDUAL, families[f].name);
                    TEST_ASSERT_TRUE_MESSAGE(info.error > TC_LCP_ERROR || info.scale > 0,
                                             families[f].name);
                    check_error(n, families[f].name);
                } else if (status == TC_ERR_NO_SOLUTION) {
                    TEST_ASSERT_TRUE_MESSAGE(families[f].truth != FAMILY_SOLVABLE,
                                             families[f].name);
                    check_proof(n, families[f].name);
                } else {
                    TEST_ASSERT_EQUAL_MESSAGE(TC_ERR_NOT_CERTIFIED, status, families[f].name);
                    left += n <= counted;
                }
            }
        }
        TEST_ASSERT_TRUE_MESSAGE(families[f].truth == FAMILY_EITHER || 50u * left <= count,
                                 families[f].name);
    }
}

/* Problems in which rounding decides about rank: the active set gives up, the proximal method must
 * not. */
static void test_proximal(void)
{
    static const uint32_t found[][2] = {{3, 258},  {3, 798}, {3, 1237},
                                        {4, 1659}, {5, 503}, {12, 28}};
    for (uint32_t k = 0; k < TC_COUNT(found); ++k) {
        family_draw(named("psd"), &problem, found[k][0], found[k][1]);
        widen(&problem);
        TEST_ASSERT_EQUAL(TC_OK, solve(&problem.lcp, z, w));
        TEST_ASSERT_TRUE(residual(found[k][0]) <= RESIDUAL);
    }
}

/* Rank-deficient problems by Lemke whose dictionary has piled up errors: only built again is it
 * good for an answer. */
static void test_rebuilt(void)
{
    static const uint32_t found[][2] = {{8, 25}, {9, 2843}, {11, 221}, {12, 1955}, {14, 586}};
    for (uint32_t k = 0; k < TC_COUNT(found); ++k) {
        family_draw(named("psd"), &problem, found[k][0], found[k][1]);
        problem.lcp.kind = TC_LCP_GENERAL;
        widen(&problem);
        TEST_ASSERT_EQUAL(TC_OK, solve(&problem.lcp, z, w));
        TEST_ASSERT_TRUE(residual(found[k][0]) <= RESIDUAL);
    }
}

/* For matrices of any kind a ray proves nothing: there may be a solution or none, by all 2^n sets
 * in double, and both are told as what they are, not as short of precision. */
static void test_ray(void)
{
    static tc_real any[36], b[6];
    uint32_t solvable = 0, without = 0, precision = 0;
    test_seed(19);
    for (uint32_t k = 0; k < 240; ++k) {
        const uint32_t n = 2u + k % 5u;
        test_fill(any, n * n, -1, 1);
        test_fill(b, n, -1, 1);
        memcpy(problem.M, any, n * n * sizeof any[0]);
        memcpy(problem.q, b, n * sizeof b[0]);
        problem.lcp = (tc_lcp){.n = n, .kind = TC_LCP_GENERAL, .M = problem.M, .q = problem.q};
        widen(&problem);
        const tc_status status = solve(&problem.lcp, z, w);
        const int known = oracle_solve(M, q, n, 1e-9, z_wide, w_wide);
        precision += status == TC_ERR_NOT_CERTIFIED;
        solvable += status == TC_ERR_RAY && known;
        without += status == TC_ERR_RAY && !known;
        TEST_ASSERT_TRUE(known ? status != TC_ERR_NO_SOLUTION : status != TC_OK);
    }
    TEST_ASSERT_TRUE(solvable > 5 && without > 5 && precision == 0);
}

/* Bodies on a line, masses apart by 2^13 (from J up to 2^20): w is within 1e-4 of the approach
 * speed. The truth is the solution in double on the contacts that the answer says carry, if that is
 * one: w is unique. */
static void line_of(const char *name, uint32_t index, uint32_t *imprecise)
{
    /* in longer lines what carries is not told to 1e-9 */
    const uint32_t n = 1u + index % (N < 16u ? N : 16u);
    double largest = 0;
    tc_lcp_set carrying;
    family_draw(named(name), &problem, n, 8000000u + index);
    widen(&problem);
    const tc_status status = solve(&problem.lcp, z, w);
    TEST_ASSERT_TRUE_MESSAGE(status == TC_OK || status == TC_NOTE_PRECISION, name);
    *imprecise += status != TC_OK;
    carrying = info.active;
    TEST_ASSERT_TRUE_MESSAGE(oracle_try(M, q, n, carrying, 1e-9, z_wide, w_wide), name);
    for (uint32_t i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(q[i]));
    }
    for (uint32_t i = 0; i < n; ++i) {
        TEST_ASSERT_TRUE_MESSAGE(fabs((double)w[i] - w_wide[i]) <= LINE_ERROR * largest, name);
    }
}

static void test_line(void)
{
    uint32_t imprecise = 0, any = 0;
    for (uint32_t index = 0; index < LINES; ++index) {
        line_of("line_13", index, &imprecise);
        line_of("velocity_line", index, &any);
    }
    TEST_ASSERT_TRUE_MESSAGE(20u * imprecise <= LINES, "most impulses are right in tc_real, too");
}

/* More contacts than a default build takes (TC_LCP_MAX above 16): the set that carries has bits
 * above the 16th and the 32nd, is complementary in double, and is where a guess of all contacts, or
 * of that set, leads as well. */
static void test_many_contacts(void)
{
    for (uint32_t n = 17; n <= N; ++n) {
        tc_lcp_set seen = 0;
        for (uint32_t k = 0; k < 20u; ++k) {
            family_draw(named("spd"), &problem, n, 9000000u + 64u * k + n);
            widen(&problem);
            for (uint32_t guess = 0; guess < 3u; ++guess) {
                problem.lcp.warm = guess == 0 ? 0 : guess == 1u ? ~(tc_lcp_set)0u : info.active;
                TEST_ASSERT_TRUE(tc_lcp_certified(solve(&problem.lcp, z, w)));
                TEST_ASSERT_TRUE(oracle_try(M, q, n, info.active, 1e-4, z_wide, w_wide));
                for (uint32_t i = 0; i < n; ++i) {
                    TEST_ASSERT_TRUE((info.active >> i & 1u) == (z[i] > 0));
                }
            }
            seen |= info.active;
        }
        TEST_ASSERT_TRUE(seen >> (n - 1u) == 1u);
    }
}

static int not_finite(const tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        if (!(x[i] - x[i] == 0)) {
            return 1;
        }
    }
    return 0;
}

/* Helium's vectors take subnormal numbers for 0: what comes of those is finite, and no more is
 * claimed. */
static int flushed(const tc_real *x, uint32_t n)
{
#if defined(__ARM_FEATURE_MVE)
    for (uint32_t i = 0; i < n; ++i) {
        if (x[i] != 0 && fabs((double)x[i]) < 1.2e-38) {
            return 1;
        }
    }
#else
    (void)x;
    (void)n;
#endif
    return 0;
}

/* What holds of any answer whatever the size of the numbers; `least`: what subnormals may hide */
static void check_any(tc_status status, uint32_t n, double least, const char *name)
{
    double largest = 0, scale = 0;
    TEST_ASSERT_TRUE_MESSAGE(!not_finite(z, n) && !not_finite(w, n), name);
    TEST_ASSERT_TRUE_MESSAGE(!not_finite(&info.residual, 1) && !not_finite(&info.scale, 1), name);
    TEST_ASSERT_TRUE_MESSAGE(!not_finite(&info.error, 1), name);
    TEST_ASSERT_TRUE_MESSAGE((status == TC_ERR_NO_SOLUTION) == (info.farkas != NULL), name);
    for (uint32_t i = 0; i < n; ++i) {
        double size = fabs(q[i]);
        z_wide[i] = (double)z[i];
        TEST_ASSERT_TRUE_MESSAGE(z[i] >= 0, name);
        TEST_ASSERT_TRUE_MESSAGE(
            info.farkas == NULL || (info.farkas[i] >= 0 && info.farkas[i] <= 1), name);
        largest = fmax(largest, fabs(q[i]));
        for (uint32_t j = 0; j < n; ++j) {
            size += fabs(M[i * n + j]) * (double)z[j];
        }
        scale = fmax(scale, size);
    }
    const int plain = !flushed(z, n) && !flushed(problem.q, n) && !flushed(problem.M, n * n);
    if (status == TC_OK && plain) {
        TEST_ASSERT_TRUE_MESSAGE(
            oracle_residual(M, q, n, z_wide) * scale <= RESIDUAL * scale + least, name);
        TEST_ASSERT_TRUE_MESSAGE(
            oracle_error(M, q, n, z_wide) * largest <= 1.1e-3 * largest + least, name);
    }
}

/* Every family with M, J and q by powers of ten from 1e-38 to 1e38, in tc_real: subnormals, zeros
 * and infinite numbers among them. Nothing that is not finite comes out, and no answer is called
 * right that is not. */
static void test_magnitudes(void)
{
    static const tc_real by[] = {TC_C(1e-38), TC_C(1e-30), TC_C(1e-19), TC_C(1e-9), TC_C(1.0),
                                 TC_C(1e9),   TC_C(1e19),  TC_C(1e30),  TC_C(1e38)};
    for (uint32_t k = 0; k < MAGNITUDES; ++k) {
        const family *f = &families[k % family_count];
        const tc_real a = by[k / family_count % 9u], b = by[k / family_count / 9u % 9u];
        uint32_t n = 1u + k % 13u;
        n = n < f->smallest ? f->smallest : n;
        family_draw(f, &problem, n, 900u + k);
        for (uint32_t i = 0; i < n * n; ++i) {
            problem.M[i] *= a;
        }
        for (uint32_t i = 0; i < n * problem.columns; ++i) {
            problem.J[i] *= a;
        }
        for (uint32_t i = 0; i < n; ++i) {
            problem.q[i] *= b;
        }
        widen(&problem);
        const tc_status status = solve(&problem.lcp, z, w);
        check_any(status, n, 1e-36, f->name);
        const int wild = not_finite(problem.q, n)
                         || (problem.lcp.J != NULL ? not_finite(problem.J, n * problem.columns)
                                                   : not_finite(problem.M, n * n));
        TEST_ASSERT_TRUE_MESSAGE(wild == (status == TC_ERR_NOT_FINITE), f->name);
    }
}

/* Against all 2^n sets in double. Integer families, so that what has a solution has one exactly. */
static void against_oracle(const char *name, double tolerance)
{
    const family *f = named(name);
    for (uint32_t n = 1; n <= 6; ++n) {
        for (uint32_t index = 0; index < 6; ++index) {
            double scale = 0;
            family_draw(f, &problem, n, 9000000u + index);
            widen(&problem);
            const int solvable = oracle_solve(M, q, n, 1e-12, z_wide, w_wide);
            const tc_status status = solve(&problem.lcp, z, w);
            TEST_ASSERT_EQUAL_MESSAGE(solvable ? TC_OK : TC_ERR_NO_SOLUTION, status, name);
            for (uint32_t i = 0; i < n && solvable; ++i) {
                scale = fmax(scale, fabs(q[i]) + fabs(w_wide[i]));
            }
            for (uint32_t i = 0; i < n && solvable; ++i) {
                TEST_ASSERT_TRUE_MESSAGE(fabs((double)w[i] - w_wide[i]) <= tolerance * scale, name);
            }
        }
    }
}

static void test_oracle(void)
{
    against_oracle("spd", 2e-5);
    against_oracle("ties", 2e-5);
    against_oracle("infeasible", 2e-5);
    against_oracle("velocity_ties", 2e-5);
    against_oracle("general_skew", 2e-5);
}

/* Solves p and the same problem with its contacts in reverse order: w must be the same. */
static void reversed(const char *name, uint32_t n, uint32_t index)
{
    family_draw(named(name), &problem, n, index);
    changed = problem;
    for (uint32_t i = 0; i < n; ++i) {
        changed.q[n - 1u - i] = problem.q[i];
        for (uint32_t j = 0; j < n; ++j) {
            changed.M[(n - 1u - i) * n + n - 1u - j] = problem.M[i * n + j];
        }
        for (uint32_t k = 0; k < problem.columns; ++k) {
            changed.J[(n - 1u - i) * problem.columns + k] = problem.J[i * problem.columns + k];
        }
    }
    changed.lcp.M = problem.lcp.M != NULL ? changed.M : NULL;
    changed.lcp.J = problem.lcp.J != NULL ? changed.J : NULL;
    changed.lcp.q = changed.q;
    TEST_ASSERT_EQUAL(TC_OK, solve(&problem.lcp, z, w));
    TEST_ASSERT_EQUAL(TC_OK, solve(&changed.lcp, z2, w2));
    for (uint32_t i = 0; i < n; ++i) {
        test_near(w[i], w2[n - 1u - i], TC_C(2e-5) * (info.scale + 1), 0, name);
    }
}

static void test_permutation(void)
{
    for (uint32_t n = 2; n <= 12; n += 2) {
        for (uint32_t index = 0; index < 8; ++index) {
            reversed("spd", n, 100u + index);
            reversed("ties", n, 100u + index);
            reversed("velocity_6", n, 100u + index);
            reversed("general_spd", n, 100u + index);
        }
    }
}

/* Units: M by 2^a, q by 2^b scales z by 2^(b - a), w by 2^b, exactly, whatever method is behind. */
static void test_units(void)
{
    static const char *const names[] = {"spd",        "psd",          "gram_3",
                                        "infeasible", "general_skew", "near_rank_3"};
    for (uint32_t f = 0; f < TC_COUNT(names); ++f) {
        for (uint32_t n = 1; n <= 10; ++n) {
            const tc_real a = n % 2 ? TC_C(1024.0) : TC_C(0.0009765625);
            const tc_real b = n % 3 ? TC_C(0.0078125) : TC_C(64.0);
            family_draw(named(names[f]), &problem, n, 200u + n);
            const tc_status status = solve(&problem.lcp, z, w);
            for (uint32_t i = 0; i < n * n; ++i) {
                problem.M[i] *= a;
            }
            for (uint32_t i = 0; i < n; ++i) {
                problem.q[i] *= b;
            }
            TEST_ASSERT_EQUAL_MESSAGE(status, solve(&problem.lcp, z2, w2), names[f]);
            for (uint32_t i = 0; i < n; ++i) {
                TEST_ASSERT_TRUE_MESSAGE(z2[i] == z[i] * (b / a) && w2[i] == w[i] * b, names[f]);
            }
        }
    }
}

/* From any guess the same w; from the right one, with fewer changes than from none. */
static void test_warm(void)
{
    static const char *const names[] = {"spd",        "gram_3", "velocity_3",
                                        "velocity_6", "ties",   "duplicates"};
    test_seed(5);
    for (uint32_t f = 0; f < TC_COUNT(names); ++f) {
        uint32_t warm_changes = 0, cold_changes = 0;
        for (uint32_t k = 0; k < 40; ++k) {
            const uint32_t n = 5u + k % 12u;
            family_draw(named(names[f]), &problem, n, 300u + k);
            TEST_ASSERT_EQUAL(TC_OK, solve(&problem.lcp, z, w));
            const tc_lcp_info cold = info;
            problem.lcp.warm = cold.active;
            TEST_ASSERT_EQUAL(TC_OK, solve(&problem.lcp, z2, w2));
            cold_changes += cold.iterations;
            warm_changes += info.iterations;
            for (uint32_t guess = 0; guess < 3; ++guess) {
                problem.lcp.warm = guess == 0   ? cold.active
                                   : guess == 1 ? 0xffffffffu
                                                : test_bits();
                TEST_ASSERT_EQUAL_MESSAGE(TC_OK, solve(&problem.lcp, z2, w2), names[f]);
                for (uint32_t i = 0; i < n; ++i) {
                    test_near(w[i], w2[i], TC_C(1e-4) * (cold.scale + 1), 0, names[f]);
                }
            }
        }
        TEST_ASSERT_TRUE_MESSAGE(warm_changes < cold_changes, names[f]);
    }
}

/* The two roads to one w: M formed, and J as it is */
static void test_matrix_and_velocity(void)
{
    for (uint32_t k = 0; k < 60; ++k) {
        const uint32_t n = 1u + k % N;
        family_draw(named(k % 2 ? "velocity_3" : "velocity_6"), &problem, n, 400u + k);
        TEST_ASSERT_EQUAL(TC_OK, solve(&problem.lcp, z, w));
        problem.lcp.J = NULL;
        problem.lcp.M = problem.M;
        TEST_ASSERT_EQUAL(TC_OK, solve(&problem.lcp, z2, w2));
        for (uint32_t i = 0; i < n; ++i) {
            test_near(w[i], w2[i], TC_C(5e-3) * (info.scale + 1), 0, "M and J");
        }
    }
}

/* Passivity: contacts take kinetic energy, z^T (q + w) / 2 <= 0, in every solved problem with q = J
 * v. */
static void test_passive(void)
{
    static const char *const names[] = {"spd",        "psd",        "chain",
                                        "mass_ratio", "velocity_6", "scaled_rows"};
    for (uint32_t f = 0; f < TC_COUNT(names); ++f) {
        for (uint32_t k = 0; k < 40; ++k) {
            const uint32_t n = 1u + k % N;
            double gain = 0, size = 0;
            family_draw(named(names[f]), &problem, n, 500u + k);
            TEST_ASSERT_EQUAL(TC_OK, solve(&problem.lcp, z, w));
            for (uint32_t i = 0; i < n; ++i) {
                gain += 0.5 * (double)z[i] * ((double)w[i] + (double)problem.q[i]);
                size += (double)z[i] * (double)info.scale;
            }
            TEST_ASSERT_TRUE_MESSAGE(gain <= 1e-5 * size, names[f]);
        }
    }
}

/* M that is symmetric, but not semi-definite, is the caller's mistake; z < 0 or a wrong "solved" is
 * ours. */
static void test_indefinite(void)
{
    static tc_real A[36], b[6];
    test_seed(17);
    for (uint32_t k = 0; k < 3000; ++k) {
        const uint32_t n = 1u + k % 6u;
        problem.lcp = (tc_lcp){.n = n, .M = A, .q = b};
        test_fill(b, n, -1, 1);
        for (uint32_t i = 0; i < n; ++i) {
            test_fill(A + i * n, i + 1u, -1, 1);
            for (uint32_t j = 0; j < i; ++j) {
                A[j * n + i] = A[i * n + j];
            }
        }
        memcpy(problem.M, A, n * n * sizeof A[0]);
        memcpy(problem.q, b, n * sizeof b[0]);
        widen(&problem);
        if (solve(&problem.lcp, z, w) == TC_OK) {
            for (uint32_t i = 0; i < n; ++i) {
                TEST_ASSERT_TRUE(z[i] >= 0);
            }
            TEST_ASSERT_TRUE(residual(n) <= RESIDUAL);
        }
    }
}

/* The bits of all families: equal on every machine */
static void test_bits_golden(void)
{
    uint32_t hash = TEST_HASH_START;
    for (uint32_t f = 0; f < family_count; ++f) {
        for (uint32_t n = families[f].smallest; n <= N; n += 3) {
            family_draw(&families[f], &problem, n, 600u + n);
            (void)solve(&problem.lcp, z, w);
            hash = test_hash(test_hash(hash, z, n), w, n);
        }
    }
    if (N == 16u) { /* what is drawn depends on N, here and below */
        test_golden("lcp", hash);
    }
}

/* q times a power of two: z, w and the scale are that many times as large, to the bit, and all else
 * is as it was. Catches: a number with a unit where none may be, such as a maximum that does not
 * begin at 0. */
static void test_size_of_q_does_not_matter(void)
{
    static const tc_real factors[2] = {TC_C(9.5367431640625e-7), TC_C(4096.0)};
    for (uint32_t f = 0; f < family_count; ++f) {
        for (uint32_t k = 0; k < 2u * SCALED; ++k) {
            const uint32_t n = families[f].smallest + k / 2u % (N + 1u - families[f].smallest);
            const tc_real factor = factors[k % 2u];
            tc_real z1[N], w1[N];
            family_draw(&families[f], &problem, n, 800u + k / 2u);
            const tc_status status = solve(&problem.lcp, z1, w1);
            const tc_lcp_info before = info;
            for (uint32_t i = 0; i < n; ++i) {
                problem.q[i] *= factor;
                z1[i] *= factor;
                w1[i] *= factor;
            }
            TEST_ASSERT_EQUAL_MESSAGE(status, solve(&problem.lcp, z, w), families[f].name);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(z1, z, n * sizeof *z, families[f].name);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(w1, w, n * sizeof *w, families[f].name);
            TEST_ASSERT_EQUAL_UINT32_MESSAGE(before.active, info.active, families[f].name);
            TEST_ASSERT_EQUAL_UINT32_MESSAGE(before.iterations, info.iterations, families[f].name);
            TEST_ASSERT_TRUE_MESSAGE(before.residual == info.residual && before.error == info.error,
                                     families[f].name);
            TEST_ASSERT_TRUE_MESSAGE(before.scale * factor == info.scale, families[f].name);
        }
    }
}

/* More of each family, and what is told beside z and w */
static void test_more_bits(void)
{
    uint32_t hash = TEST_HASH_START;
    for (uint32_t f = 0; f < family_count; ++f) {
        for (uint32_t k = 0; k < 16u; ++k) {
            const uint32_t n = families[f].smallest + k % (N + 1u - families[f].smallest);
            family_draw(&families[f], &problem, n, 700u + k);
            (void)solve(&problem.lcp, z, w);
            const tc_real told[5] = {info.residual, info.error, info.scale,
                                     (tc_real)info.iterations, (tc_real)info.active};
            hash = test_hash(test_hash(test_hash(hash, z, n), w, n), told, 5);
        }
    }
    if (N == 16u) {
        test_golden("lcp.told", hash);
    }
}

void suite_lcp_properties(void)
{
    RUN_TEST(test_families);
    RUN_TEST(test_proximal);
    RUN_TEST(test_rebuilt);
    RUN_TEST(test_ray);
    RUN_TEST(test_line);
    RUN_TEST(test_many_contacts);
    RUN_TEST(test_magnitudes);
    RUN_TEST(test_oracle);
    RUN_TEST(test_permutation);
    RUN_TEST(test_units);
    RUN_TEST(test_warm);
    RUN_TEST(test_matrix_and_velocity);
    RUN_TEST(test_passive);
    RUN_TEST(test_indefinite);
    RUN_TEST(test_bits_golden);
    RUN_TEST(test_size_of_q_does_not_matter);
    RUN_TEST(test_more_bits);
}
