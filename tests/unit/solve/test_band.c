/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The banded solver: known answers, families against Gauss-Seidel in double, properties that need
 * no reference, borders.
 *
 * Bounds: the residual in double, 5e-6 of the terms (TC_BAND_TOLERANCE and the rounding of w); w
 * beside Gauss-Seidel's, 2e-5 of them.
 */
#include "band_case.h"

#include <math.h>

#define N BAND_CASE_MAX
#define LENGTH(n) TC_BAND_WORK(n, TC_BAND_WIDTH_MAX)
#define GUARDED(n) ((n) + 2u * TEST_GUARD_WORDS)
#ifdef TC_DOUBLE
#define RESIDUAL 2e-11
#define TOLD 1e-15
#else
#define RESIDUAL 5e-6
#define TOLD 3e-7 /* the rounding of w */
#endif

static band_case drawn;
static tc_real f_storage[GUARDED(N)], w_storage[GUARDED(N)], work_storage[GUARDED(LENGTH(N))];
static tc_real *f, *w;
static tc_band_info info;
static double wide[N], f_right[N], w_right[N];

/* Solves with guard words round everything; outputs and workspace hold rubbish before. */
static tc_status solve(const tc_band *p)
{
    const uint32_t len = TC_BAND_WORK(p->n, p->width);
    tc_real *const work = test_guard(work_storage, len);
    f = test_guard(f_storage, p->n);
    w = test_guard(w_storage, p->n);
    for (uint32_t i = 0; i < p->n; ++i) f[i] = w[i] = -7;
    for (uint32_t i = 0; i < len; ++i) work[i] = (tc_real)NAN;
    const tc_status status = tc_band_solve(p, f, w, &info, work, len);
    test_guard_check(f_storage, p->n);
    test_guard_check(w_storage, p->n);
    test_guard_check(work_storage, len);
    for (uint32_t i = 0; i < p->n && status < TC_OK; ++i) {
        TEST_ASSERT_TRUE_MESSAGE(f[i] == 0 && w[i] == 0, "zero after an error");
    }
    return status;
}

static void test_none(void)
{
    const tc_band p = {.n = 0};
    TEST_ASSERT_EQUAL(TC_OK, tc_band_solve(&p, NULL, NULL, &info, NULL, 0));
    TEST_ASSERT_EQUAL_UINT32(0, info.active);
    TEST_ASSERT_EQUAL(TC_OK, tc_band_solve(&p, NULL, NULL, NULL, NULL, 0));
}

/* One contact stops, and bounces with e = 1/2: both phases by hand */
static void test_one_contact(void)
{
    static const tc_real A[1] = {4}, coming[1] = {-2}, stopped[1] = {0}, floor[1] = {TC_C(0.25)};
    tc_band p = {.n = 1, .A = A, .q = coming};
    TEST_ASSERT_EQUAL(TC_OK, solve(&p));
    TEST_ASSERT_TRUE(f[0] == TC_C(0.5) && w[0] == 0 && info.active == 1u);
    p.q = stopped;
    p.floor = floor;
    TEST_ASSERT_EQUAL(TC_OK, solve(&p));
    TEST_ASSERT_TRUE(f[0] == TC_C(0.25) && w[0] == 1 && info.active == 0u);
}

/* Two springs of a rope that hangs from nothing: the second approaches only because the first
 * holds */
static void test_two_contacts(void)
{
    static const tc_real A[4] = {2, 0, 2, -1}, q[2] = {-3, 1};
    const tc_band p = {.n = 2, .width = 1, .A = A, .q = q};
    TEST_ASSERT_EQUAL(TC_OK, solve(&p));
    test_near(TC_C(5.0) / 3, f[0], TC_C(1e-6), 0, "the first carries");
    test_near(TC_C(1.0) / 3, f[1], TC_C(1e-6), 0, "the second, too");
    TEST_ASSERT_TRUE(info.active == 2u && info.iterations > 1u);
    test_near(0, w[0], TC_C(1e-6), 0, "held");
}

static void check_drawn(double bound, int relaxed, const char *what)
{
    const uint32_t n = drawn.problem.n;
    double scale;
    const double violation = band_case_violation(&drawn, f, wide, &scale);
    TEST_ASSERT_TRUE_MESSAGE(violation <= RESIDUAL * scale, what);
    TEST_ASSERT_TRUE_MESSAGE(info.residual <= TC_BAND_TOLERANCE, what);
    TEST_ASSERT_TRUE_MESSAGE(fabs((double)info.residual * scale - violation) <= TOLD * scale,
                             "told");
    TEST_ASSERT_TRUE_MESSAGE(info.iterations <= TC_BAND_ITERATIONS(n), what);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real base = drawn.problem.floor != NULL ? drawn.floor[i] : 0;
        TEST_ASSERT_TRUE_MESSAGE(f[i] >= base, what);
        TEST_ASSERT_TRUE_MESSAGE(fabs((double)w[i] - wide[i]) <= RESIDUAL * scale,
                                 "w is that of f");
        if (relaxed) {
            TEST_ASSERT_TRUE_MESSAGE(fabs((double)w[i] - w_right[i]) <= bound * scale, what);
        }
    }
}

/* All families, widths and sizes, with floors and without: always solved, and as Gauss-Seidel
 * does, where that converges */
static void test_families(void)
{
    uint32_t compared = 0, count = 0;
    test_seed(41);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(400u); ++round) {
        const band_family family = (band_family)(round % BAND_FAMILIES);
        const uint32_t n = 1u + test_below(24), least = family == BAND_BENDING ? 2u : 1u;
        const uint32_t width = least + test_below(TC_BAND_WIDTH_MAX + 1u - least);
        const int floors = (int)test_below(2);
        band_case_draw(&drawn, family, n, width, floors);
        const tc_status status = solve(&drawn.problem);
        TEST_ASSERT_TRUE_MESSAGE(status == TC_OK || status == TC_NOTE_PRECISION, "solved");
        const int relaxed = band_case_relax(&drawn, 20000u, f_right, w_right);
        check_drawn(2e-5, relaxed, "family");
        compared += (uint32_t)relaxed;
        ++count;
    }
    TEST_ASSERT_TRUE_MESSAGE(4u * compared >= 3u * count, "Gauss-Seidel converges in most");
}

/* Full width, and zero width, where each contact is alone */
static void test_widths(void)
{
    test_seed(42);
    band_case_draw(&drawn, BAND_RANDOM, 20, 0, 0);
    TEST_ASSERT_EQUAL(TC_OK, solve(&drawn.problem));
    for (uint32_t i = 0; i < 20u; ++i) {
        const tc_real alone = drawn.q[i] < 0 ? -drawn.q[i] / drawn.A[i] : 0;
        test_near(alone, f[i], 0, TC_C(1e-6), "alone");
    }
    band_case_draw(&drawn, BAND_RANDOM, N, TC_BAND_WIDTH_MAX, 1);
    TEST_ASSERT_EQUAL(TC_OK, solve(&drawn.problem));
    check_drawn(0, 0, "widest");
}

/* Compression takes energy away, q^T f + f^T A f / 2 <= 0, and restitution with e = 1 does not
 * bring more than that back */
static void test_energy(void)
{
    static tc_real stopped[N];
    test_seed(43);
    for (uint32_t round = 0; round < TEST_ROUNDS(200u); ++round) {
        double lost = 0, gained = 0;
        band_case_draw(&drawn, (band_family)(round % BAND_TWICE), 2u + test_below(30), 2, 1);
        drawn.problem.floor = NULL;
        TEST_ASSERT_TRUE(solve(&drawn.problem) >= TC_OK);
        for (uint32_t i = 0; i < drawn.problem.n; ++i) {
            lost += 0.5 * (double)f[i] * ((double)w[i] + (double)drawn.q[i]);
            drawn.floor[i] = f[i];
            stopped[i] = w[i];
        }
        TEST_ASSERT_TRUE_MESSAGE(lost <= 1e-6, "compression");
        drawn.problem.floor = drawn.floor;
        drawn.problem.q = stopped;
        TEST_ASSERT_TRUE(solve(&drawn.problem) >= TC_OK);
        for (uint32_t i = 0; i < drawn.problem.n; ++i) {
            gained += 0.5 * (double)f[i] * ((double)w[i] + (double)stopped[i]);
        }
        TEST_ASSERT_TRUE_MESSAGE(gained <= -lost * 1.0001 + 1e-5, "restitution");
    }
}

/* The same problem from the other end */
static void test_reversed(void)
{
    static band_case turned;
    static tc_real kept[N];
    test_seed(44);
    for (uint32_t round = 0; round < TEST_ROUNDS(100u); ++round) {
        const uint32_t width = 1u + test_below(6), n = 2u + test_below(30);
        band_case_draw(&drawn, BAND_RANDOM, n, width, 1);
        turned = drawn;
        turned.problem.A = turned.A;
        turned.problem.q = turned.q;
        turned.problem.floor = turned.floor;
        for (uint32_t i = 0; i < n; ++i) {
            turned.q[i] = drawn.q[n - 1u - i];
            turned.floor[i] = drawn.floor[n - 1u - i];
            for (uint32_t c = 0; c <= width && c <= i; ++c) {
                turned.A[i * (width + 1u) + c] = drawn.A[(n - 1u - i + c) * (width + 1u) + c];
            }
        }
        TEST_ASSERT_TRUE(solve(&drawn.problem) >= TC_OK);
        memcpy(kept, w, n * sizeof kept[0]);
        const tc_real scale = info.scale;
        TEST_ASSERT_TRUE(solve(&turned.problem) >= TC_OK);
        for (uint32_t i = 0; i < n; ++i) {
            test_near(kept[n - 1u - i], w[i], TC_C(2e-5) * scale, 0, "reversed");
        }
    }
}

/* Started from its answer, which may be f itself, a solve takes one factorisation and changes
 * nothing */
static void test_warm(void)
{
    static tc_real before[N], again[N], work[LENGTH(N)];
    test_seed(45);
    for (uint32_t round = 0; round < TEST_ROUNDS(100u); ++round) {
        band_case_draw(&drawn, BAND_RANDOM, 1u + test_below(40), 3, (int)(round % 2u));
        TEST_ASSERT_TRUE(solve(&drawn.problem) >= TC_OK);
        memcpy(before, f, drawn.problem.n * sizeof f[0]);
        memcpy(again, f, drawn.problem.n * sizeof f[0]);
        drawn.problem.warm = again;
        TEST_ASSERT_TRUE(tc_band_solve(&drawn.problem, again, w, &info, work, TC_COUNT(work))
                         >= TC_OK);
        TEST_ASSERT_EQUAL_UINT32(1, info.iterations);
        TEST_ASSERT_EQUAL_MEMORY(before, again, drawn.problem.n * sizeof f[0]);
    }
}

/* Problem k of a search through 20,000 of each family, with its sizes */
static void draw_found(band_family family, uint32_t k)
{
    test_seed(1000003u * (uint32_t)family + 7919u * k + 1u);
    const uint32_t n = 1u + test_below(48), width = 2u + test_below(7);
    band_case_draw(&drawn, family, n, width, (int)test_below(2));
}

/* Problems in which blocks of contacts change sides for ever, and so do they on the way that
 * descends, if its points may rise */
static void test_cycling(void)
{
    static const uint32_t random[] = {1493, 9871, 11961, 14922, 19752};
    static const uint32_t bending[] = {3704, 4385, 5431, 6979, 7726, 8161, 10767};
    for (uint32_t k = 0; k < TC_COUNT(random) + TC_COUNT(bending); ++k) {
        const int first = k < TC_COUNT(random);
        draw_found(first ? BAND_RANDOM : BAND_BENDING,
                   first ? random[k] : bending[k - TC_COUNT(random)]);
        TEST_ASSERT_EQUAL(TC_OK, solve(&drawn.problem));
        TEST_ASSERT_TRUE(info.iterations <= 32u);
        check_drawn(0, 0, "found");
    }
}

#ifndef TC_DOUBLE
/* The one of 120,000 in which float sees no way down from where it is: the iterate is feasible, and
 * its residual is told */
static void test_limit(void)
{
    double scale;
    draw_found(BAND_BENDING, 18935);
    TEST_ASSERT_EQUAL(TC_NOTE_LIMIT, solve(&drawn.problem));
    for (uint32_t i = 0; i < drawn.problem.n; ++i) TEST_ASSERT_TRUE(f[i] >= 0);
    const double violation = band_case_violation(&drawn, f, wide, &scale);
    TEST_ASSERT_TRUE(info.residual > TC_BAND_TOLERANCE);
    TEST_ASSERT_TRUE(fabs((double)info.residual * scale - violation) <= TOLD * scale);
}
#endif

/* A line as long as the RAM of boards allows, all of it approaching: few factorisations, whatever
 * its length */
static void test_long_line(void)
{
#ifdef __arm__
    enum { LONG = 60 };
#else
    enum { LONG = 20000 };
#endif
    static tc_real A[LONG * 3u], q[LONG], z[LONG], u[LONG], work[TC_BAND_WORK(LONG, 2u)];
    test_seed(46);
    for (uint32_t i = 0; i < LONG; ++i) {
        A[3u * i] = TC_C(2.0) + test_uniform(0, 1);
        A[3u * i + 1u] = TC_C(-0.75);
        A[3u * i + 2u] = test_uniform(TC_C(-0.2), TC_C(0.2));
        q[i] = test_uniform(-1, TC_C(0.5));
    }
    const tc_band p = {.n = LONG, .width = 2, .A = A, .q = q};
    TEST_ASSERT_EQUAL(TC_OK, tc_band_solve(&p, z, u, &info, work, TC_COUNT(work)));
    TEST_ASSERT_TRUE(info.iterations <= 12u);
    for (uint32_t i = 0; i < LONG; ++i) {
        double sum = (double)q[i] + (double)A[3u * i] * (double)z[i];
        for (uint32_t c = 1; c <= 2u; ++c) {
            sum += c <= i ? (double)A[3u * i + c] * (double)z[i - c] : 0;
            sum += i + c < LONG ? (double)A[3u * (i + c) + c] * (double)z[i + c] : 0;
        }
        TEST_ASSERT_TRUE(sum >= -1e-5 && z[i] >= 0 && (z[i] == 0 || sum <= 1e-5));
    }
}

/* Two contacts that face each other: A is singular. Both may hold; both cannot be opened. */
static void test_opposed(void)
{
    static const tc_real A[4] = {1, 0, 1, -1}, fair[2] = {-1, 1}, unfair[2] = {-1, TC_C(-0.5)};
    tc_band p = {.n = 2, .width = 1, .A = A, .q = fair};
    TEST_ASSERT_EQUAL(TC_OK, solve(&p));
    test_near(0, w[0], TC_C(1e-5), 0, "held");
    test_near(0, w[1], TC_C(1e-5), 0, "held by the other");
    p.q = unfair;
    TEST_ASSERT_EQUAL_MESSAGE(TC_ERR_NOT_CERTIFIED, solve(&p), "no minimum");
}

static void test_statuses(void)
{
    static tc_real A[6], q[3], floor[3], warm[3], work[TC_BAND_WORK(3, 1) + 1u], f3[3], w3[3];
    const size_t len = TC_BAND_WORK(3u, 1u);
    tc_band p = {.n = 3, .width = 1, .A = A, .q = q, .floor = floor, .warm = warm};
    for (uint32_t i = 0; i < 3u; ++i) {
        A[2u * i] = 2;
        A[2u * i + 1u] = TC_C(0.5);
        q[i] = -1;
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_band_solve(&p, f3, w3, NULL, work, len));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_band_solve(&p, f3, w3, NULL, work, len - 1u));
    TEST_ASSERT_TRUE_MESSAGE(f3[0] == 0 && w3[2] == 0, "zero after an error");
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_band_solve(&p, f3, w3, NULL, TEST_ODD(work), len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_band_solve(NULL, f3, w3, NULL, work, len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_band_solve(&p, NULL, w3, NULL, work, len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_band_solve(&p, f3, NULL, NULL, work, len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_band_solve(&p, f3, w3, NULL, NULL, len));
    p.A = NULL;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_band_solve(&p, f3, w3, NULL, work, len));
    p.A = A;
    p.q = NULL;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_band_solve(&p, f3, w3, NULL, work, len));
    p.q = q;
    f3[1] = -7;
    p.n = TC_BAND_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_band_solve(&p, f3, w3, NULL, work, len));
    p.n = 3;
    p.width = TC_BAND_WIDTH_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_band_solve(&p, f3, w3, NULL, work, len));
    TEST_ASSERT_TRUE_MESSAGE(f3[1] == -7, "unchanged after TC_ERR_SIZE");
}

/* A number that cannot be, in each place that is read */
static void test_numbers(void)
{
    static tc_real A[6] = {2, 0, 2, 1, 2, 1}, q[3] = {-1, -1, -1}, floor[3], warm[3];
    tc_band p = {.n = 3, .width = 1, .A = A, .q = q, .floor = floor, .warm = warm};
    tc_real *const places[] = {&A[0],     &A[2],    &A[3],    &A[4],     &A[5],
                               &q[0],     &q[1],    &q[2],    &floor[0], &floor[1],
                               &floor[2], &warm[0], &warm[1], &warm[2]};
    for (uint32_t k = 0; k < TC_COUNT(places); ++k) {
        const tc_real good = *places[k];
        *places[k] = (tc_real)NAN;
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, solve(&p));
        *places[k] = -(tc_real)INFINITY;
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, solve(&p));
        *places[k] = -2 * TC_BAND_LARGEST;
        const int guess = places[k] >= warm && places[k] <= warm + 2;
        TEST_ASSERT_EQUAL(guess ? TC_OK : TC_ERR_RANGE, solve(&p));
        *places[k] = good;
    }
    A[1] = (tc_real)NAN;
    TEST_ASSERT_EQUAL_MESSAGE(TC_OK, solve(&p), "left of column 0");
    A[2] = 0;
    TEST_ASSERT_EQUAL_MESSAGE(TC_ERR_RANGE, solve(&p), "a row of length 0");
    A[2] = 2;
    floor[1] = TC_C(-1e-3);
    TEST_ASSERT_EQUAL_MESSAGE(TC_ERR_RANGE, solve(&p), "a negative floor");
    floor[1] = 0;
}

static void test_golden_bits(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(47);
    for (uint32_t round = 0; round < 64u; ++round) {
        const uint32_t n = 1u + test_below(N - 1u), width = 2u + test_below(7);
        band_case_draw(&drawn, (band_family)(round % BAND_FAMILIES), n, width,
                       (int)(round % 3u == 0u));
        (void)solve(&drawn.problem);
        hash = test_hash(test_hash(hash, f, n), w, n);
    }
    test_golden("band.solve", hash);
}

void suite_band(void)
{
    RUN_TEST(test_none);
    RUN_TEST(test_one_contact);
    RUN_TEST(test_two_contacts);
    RUN_TEST(test_families);
    RUN_TEST(test_widths);
    RUN_TEST(test_energy);
    RUN_TEST(test_reversed);
    RUN_TEST(test_warm);
    RUN_TEST(test_cycling);
#ifndef TC_DOUBLE
    RUN_TEST(test_limit);
#endif
    RUN_TEST(test_long_line);
    RUN_TEST(test_opposed);
    RUN_TEST(test_statuses);
    RUN_TEST(test_numbers);
    RUN_TEST(test_golden_bits);
}
