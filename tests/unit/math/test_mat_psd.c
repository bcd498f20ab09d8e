/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The semi-definite solve: rank, consistency, the basic solution.
 *
 * Integer matrices J J^T have an exact rank and, with b = A z, an exact solution: nothing is left
 * to rounding but the solve itself, whose residual must stay below 32 TC_EPSILON times the amount
 * by which terms cancel (here: 1e-4 at worst, a tenth of what tc_mat.h calls inconsistent).
 */
#include "test_mat_util.h"

static tc_real A[MAT_NN], J[MAT_NN], b[MAT_N], z[MAT_N], rhs[MAT_N];
static tc_real x_storage[GUARDED(MAT_N)], work_storage[GUARDED(TC_MAT_PSD_WORK(MAT_N))];
static tc_mat_psd_info info;

/* Solves with guards all round; A's strict upper triangle is NaN unless the matrix was given
 * whole. */
static tc_status solve(uint32_t n, tc_real *x)
{
    tc_real *out = test_guard(x_storage, n), *work = test_guard(work_storage, TC_MAT_PSD_WORK(n));
    const tc_status status = tc_mat_psd_solve(A, b, out, n, &info, work, TC_MAT_PSD_WORK(n));
    test_guard_check(x_storage, n);
    test_guard_check(work_storage, TC_MAT_PSD_WORK(n));
    memcpy(x, out, n * sizeof x[0]);
    if (status < 0) {
        mat_all_zero(out, n, "x after an error");
        TEST_ASSERT_EQUAL_UINT32(0, info.rank);
        TEST_ASSERT_TRUE(info.residual == 0);
    }
    return status;
}

static void gram(uint32_t n, uint32_t r)
{
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            A[i * n + j] = j > i ? mat_nan() : 0;
            for (uint32_t k = 0; k < r && j <= i; ++k) {
                A[i * n + j] += J[i * r + k] * J[j * r + k];
            }
        }
    }
}

static tc_real element(uint32_t n, uint32_t i, uint32_t j)
{
    return i >= j ? A[i * n + j] : A[j * n + i];
}

static void range_vector(uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        b[i] = 0;
        for (uint32_t j = 0; j < n; ++j) {
            b[i] += element(n, i, j) * z[j];
        }
    }
}

/* n x r integers of rank r: the unit matrix on top, small integers (and many duplicates) below */
static void integer_rows(uint32_t n, uint32_t r)
{
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t k = 0; k < r; ++k) {
            J[i * r + k] = i < r ? (tc_real)(i == k) : (tc_real)test_below(3) - 1;
        }
        z[i] = (tc_real)test_below(9) - 4;
    }
}

/* Catches a wrong rank, a wrong tolerance, a mixed-up permutation. */
static void test_integer_gram(void)
{
    test_seed(31);
    for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {
        for (uint32_t r = 1; r <= n; r = 2 * r + 1) {
            tc_real x[MAT_N];
            uint32_t zeros = 0;
            integer_rows(n, r);
            gram(n, r);
            range_vector(n);
            TEST_ASSERT_EQUAL(r == n ? TC_OK : TC_NOTE_RANK, solve(n, x));
            TEST_ASSERT_EQUAL_UINT32(r, info.rank);
            TEST_ASSERT_TRUE(info.residual <= TC_C(1000.0) * TC_EPSILON);
            for (uint32_t i = 0; i < n; ++i) {
                zeros += x[i] == 0;
            }
            TEST_ASSERT_TRUE_MESSAGE(zeros >= n - r, "basic solution");
        }
    }
}

/* b in the range plus a part in the null space: what remains must be reported. The null vector is
 * exact: row n-1 repeats row 0, so e_0 - e_(n-1) is one. */
static void test_inconsistent(void)
{
    test_seed(32);
    for (uint32_t n = 2; n <= TC_MAT_MAX; n += 3) {
        const uint32_t r = (n + 1) / 2;
        tc_real x[MAT_N];
        integer_rows(n, r);
        memcpy(J + (n - 1) * r, J, r * sizeof J[0]);
        gram(n, r);
        range_vector(n);
        b[0] += 1;
        b[n - 1] -= 1;
        TEST_ASSERT_EQUAL(TC_NOTE_INCONSISTENT, solve(n, x));
        TEST_ASSERT_TRUE(info.residual > TC_C(2e-3) && info.residual <= 1);
        TEST_ASSERT_TRUE(tc_all_finite(x, n));
    }
}

/* Rows that nearly all depend on few: contacts with rounding in A and b, as a body makes them. Rank
 * must be the number of freedoms; measured in lib/math/tc_mat_psd.c. */
static void test_rounded_gram(void)
{
    static const uint32_t sizes[][2] = {{2, 1}, {4, 3}, {6, 3}, {8, 6}, {12, 3}, {12, 6}, {32, 6}};
    test_seed(33);
    for (size_t s = 0; s < TC_COUNT(sizes); ++s) {
        const uint32_t n = sizes[s][0], r = sizes[s][1];
        for (uint32_t round = 0; round < 1000u / (n * n) + 2u; ++round) {
            tc_real x[MAT_N];
            test_fill(J, n * r, TC_C(-1.0), TC_C(1.0));
            for (uint32_t i = 0; i < r && n > 2; ++i) {
                J[i * r + i] += 2; /* the first r rows are far from dependent */
            }
            gram(n, r);
            test_fill(z, r, TC_C(-1.0), TC_C(1.0));
            for (uint32_t i = 0; i < n; ++i) {
                b[i] = 0;
                for (uint32_t k = 0; k < r; ++k) {
                    b[i] += J[i * r + k] * z[k];
                }
            }
            TEST_ASSERT_EQUAL(TC_NOTE_RANK, solve(n, x));
            TEST_ASSERT_EQUAL_UINT32(r, info.rank);
        }
    }
}

/* D A D with D of powers of two, from 2^-40 to 2^40: the same pivots in the same order, x exactly
 * D^-1 x. Catches a test against the largest diagonal, which drops the light bodies. */
static void test_units_do_not_matter(void)
{
    test_seed(34);
    for (uint32_t n = 2; n <= 12; ++n) {
        const uint32_t r = (n + 1) / 2;
        tc_real x[MAT_N], scaled[MAT_N], D[MAT_N];
        integer_rows(n, r);
        gram(n, r);
        range_vector(n);
        const tc_status status = solve(n, x);
        const tc_mat_psd_info before = info;
        for (uint32_t i = 0; i < n; ++i) {
            D[i] = 1;
            for (uint32_t k = test_below(41); k > 0; --k) {
                D[i] *= i % 2 ? TC_C(2.0) : TC_C(0.5);
            }
        }
        for (uint32_t i = 0; i < n; ++i) {
            b[i] *= D[i];
            for (uint32_t j = 0; j < n; ++j) {
                A[i * n + j] *= D[i] * D[j];
            }
        }
        TEST_ASSERT_EQUAL(status, solve(n, scaled));
        TEST_ASSERT_EQUAL_UINT32(before.rank, info.rank);
        TEST_ASSERT_TRUE(before.residual == info.residual);
        for (uint32_t i = 0; i < n; ++i) {
            TEST_ASSERT_TRUE(scaled[i] * D[i] == x[i]);
        }
    }
}

/* Full rank: the same answer as Cholesky's, whatever the order of pivots. */
static void test_definite_agrees_with_cholesky(void)
{
    static tc_real L[MAT_NN];
    test_seed(35);
    for (uint32_t n = 1; n <= TC_MAT_MAX; n += 3) {
        tc_real x[MAT_N];
        mat_random_spd(A, n);
        test_fill(b, n, TC_C(-1.0), TC_C(1.0));
        TEST_ASSERT_EQUAL(TC_OK, solve(n, x));
        TEST_ASSERT_EQUAL_UINT32(n, info.rank);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(A, L, n));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_solve(L, b, rhs, n, 1));
        for (uint32_t i = 0; i < n; ++i) {
            test_near(rhs[i], x[i], 10 * (tc_real)n * TC_EPSILON * mat_largest(rhs, n), 0, "x");
        }
    }
}

static const struct {
    tc_status status;
    uint32_t rank, n;
    tc_real A[9], b[3];
} verdicts[] = {
    /* pivot 32 TC_EPSILON */
    /* pivot 4 TC_EPSILON */
    {TC_NOTE_RANK, 0, 1, {0}, {0}},
    {TC_NOTE_INCONSISTENT, 0, 1, {0}, {1}},
    {TC_OK, 1, 1, {4}, {2}},
    {TC_ERR_INDEFINITE, 0, 1, {-1}, {1}},
    {TC_NOTE_RANK, 0, 3, {0}, {0}},
    {TC_NOTE_RANK, 1, 2, {1, 1, 1, 1}, {3, 3}},
    {TC_NOTE_INCONSISTENT, 1, 2, {1, 1, 1, 1}, {1, -1}},
    {TC_ERR_INDEFINITE, 0, 2, {0, 1, 1, 0}, {1, 1}},
    {TC_ERR_INDEFINITE, 0, 2, {1, 2, 2, 1}, {1, 1}},
    {TC_ERR_INDEFINITE, 0, 2, {1, 1, 1, 0}, {1, 1}},
    {TC_ERR_INDEFINITE, 0, 2, {1, 0, 0, -1}, {1, 1}},
    {TC_ERR_INDEFINITE, 0, 3, {1, 0, 0, 0, 0, TC_C(1e-3), 0, TC_C(1e-3), 0}, {1, 1, 1}},
    {TC_ERR_INDEFINITE, 0, 3, {1, 1, 1, 1, 1, TC_C(0.9), 1, TC_C(0.9), 1}, {1, 1, 1}},
    {TC_NOTE_RANK, 2, 3, {4, 0, 2, 0, 1, 0, 2, 0, 1}, {2, 1, 1}},
    {TC_NOTE_RANK, 1, 2, {1, 0, 0, 0}, {1, 0}},
    {TC_NOTE_INCONSISTENT, 1, 2, {1, 0, 0, 0}, {1, TC_C(1e-6)}},
    {TC_OK, 2, 2, {1, 1 - 16 * TC_EPSILON, 1 - 16 * TC_EPSILON, 1}, {1, 1}},
    {TC_NOTE_RANK, 1, 2, {1, 1 - 2 * TC_EPSILON, 1 - 2 * TC_EPSILON, 1}, {1, 1}},
};

static void test_verdicts(void)
{
    for (size_t v = 0; v < TC_COUNT(verdicts); ++v) {
        const uint32_t n = verdicts[v].n;
        for (int k = 0; k < 3; ++k) {
            const tc_real scale = k == 0 ? 1 : k == 1 ? TC_C(1e30) : TC_C(1e-30);
            tc_real x[3];
            for (uint32_t i = 0; i < n * n; ++i) {
                A[i] = verdicts[v].A[i] * scale;
            }
            memcpy(b, verdicts[v].b, n * sizeof b[0]);
            TEST_ASSERT_EQUAL_INT_MESSAGE(verdicts[v].status, solve(n, x), "verdict");
            TEST_ASSERT_EQUAL_UINT32(verdicts[v].rank, info.rank);
        }
    }
}

/* Elements beyond sqrt(A_ii A_jj) may overflow on the way: still indefinite. A solution that does
 * is out of range. `info` may be null. */
static void test_extremes(void)
{
    tc_real x[2], work[TC_MAT_PSD_WORK(2)], big = 1;
    while (big * big < mat_infinity()) {
        big *= 2;
    }
    const tc_real wild[] = {1, big, big, 1}, tiny[] = {1 / big, 0, 0, 1}, plain[] = {4, 0, 0, 16};
    const tc_real ones[] = {1, 1}, large[] = {big, 1}, fours[] = {4, 4};
    TEST_ASSERT_EQUAL(TC_ERR_INDEFINITE,
                      tc_mat_psd_solve(wild, ones, x, 2, NULL, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE,
                      tc_mat_psd_solve(tiny, large, x, 2, NULL, work, TC_COUNT(work)));
    mat_all_zero(x, 2, "x");
    TEST_ASSERT_EQUAL(TC_OK, tc_mat_psd_solve(plain, fours, x, 2, NULL, work, TC_COUNT(work)));
    TEST_ASSERT_TRUE(x[0] == 1 && x[1] == TC_C(0.25));
}

static void test_golden_psd(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(36);
    for (uint32_t n = 1; n <= 16; ++n) {
        tc_real x[MAT_N];
        const uint32_t r = (n + 1) / 2;
        test_fill(J, n * r, TC_C(-1.0), TC_C(1.0));
        gram(n, r);
        test_fill(z, n, TC_C(-1.0), TC_C(1.0));
        range_vector(n);
        TEST_ASSERT_TRUE(solve(n, x) >= 0);
        hash = test_hash(test_hash(hash, x, n), &info.residual, 1) + info.rank;
    }
    test_golden("mat.psd", hash);
}

void suite_mat_psd(void)
{
    RUN_TEST(test_integer_gram);
    RUN_TEST(test_inconsistent);
    RUN_TEST(test_rounded_gram);
    RUN_TEST(test_units_do_not_matter);
    RUN_TEST(test_definite_agrees_with_cholesky);
    RUN_TEST(test_verdicts);
    RUN_TEST(test_extremes);
    RUN_TEST(test_golden_psd);
}
