/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Factorisations, triangular solves and the inverse.
 *
 * Bounds. Factors, solutions and inverses against the exact reference: n * TC_EPSILON * condition,
 * relative to the largest element; the condition number comes with the vectors. Without reference:
 * L L^T - A within (n + 1) * TC_EPSILON * sqrt(A_ii A_jj) (Cholesky is stable row by row), and
 * residuals of solves within 4 n * TC_EPSILON * (|A| |x| + |b|), taken at its largest element.
 */
#include "test_mat_util.h"

#include "../../vectors/mat_definite.h"

static tc_real A[MAT_NN], copy[MAT_NN], B[MAT_NN], d[MAT_N], work[MAT_NN];
static tc_real L_storage[GUARDED(MAT_NN)], X_storage[GUARDED(MAT_NN)], d_storage[GUARDED(MAT_N)];

static void load(tc_real *to, const int32_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        to[i] = (tc_real)from[i] / 1024;
    }
}

static void near_all(const tc_real *expected, const tc_real *actual, uint32_t n, tc_real bound,
                     const char *what)
{
    for (uint32_t i = 0; i < n; ++i) {
        test_near(expected[i], actual[i], bound, 0, what);
    }
}

static void test_factors_match_reference(void)
{
    for (size_t v = 0; v < TC_COUNT(mat_definite); ++v) {
        const uint32_t n = mat_definite[v].n;
        /* A backend that is not exact may round differently (CMSIS-DSP's diagonal is s * (1 /
         * sqrt(s))). */
        const tc_real relative =
            (tc_real)(TEST_EXACT ? n : 4 * n) * TC_EPSILON * mat_definite[v].condition;
        tc_real *L = test_guard(L_storage, n * n), *X = test_guard(X_storage, n);
        tc_real *out_d = test_guard(d_storage, n);
        load(A, mat_definite[v].A, n * n);
        load(B, mat_definite[v].b, n);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(A, L, n));
        near_all(mat_definite[v].L, L, n * n, relative * mat_largest(mat_definite[v].L, n * n),
                 "L");
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_solve(L, B, X, n, 1));
        near_all(mat_definite[v].x, X, n, relative * mat_largest(mat_definite[v].x, n),
                 "Cholesky x");
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_ldlt(A, L, out_d, n));
        near_all(mat_definite[v].unit, L, n * n,
                 relative * mat_largest(mat_definite[v].unit, n * n), "unit");
        near_all(mat_definite[v].d, out_d, n, relative * mat_largest(mat_definite[v].d, n), "d");
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_ldlt_solve(L, out_d, B, X, n, 1));
        near_all(mat_definite[v].x, X, n, relative * mat_largest(mat_definite[v].x, n), "LDL^T x");
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_inverse_spd(A, L, n, work, TC_MAT_INVERSE_WORK(n)));
        const tc_real largest = mat_largest(mat_definite[v].inverse, n * n);
        near_all(mat_definite[v].inverse, L, n * n, relative * largest, "A^-1");
        test_guard_check(L_storage, n * n);
        test_guard_check(X_storage, n);
        test_guard_check(d_storage, n);
    }
}

/* sum_k L_ik scale_k L_jk against A_ij, and zeros above the diagonal of L */
static void check_product(const tc_real *L, const tc_real *scale, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            if (j > i) {
                TEST_ASSERT_TRUE_MESSAGE(L[i * n + j] == 0, "zero above the diagonal");
                continue;
            }
            tc_real sum = 0;
            for (uint32_t k = 0; k <= j; ++k) {
                sum += L[i * n + k] * L[j * n + k] * (scale != NULL ? scale[k] : 1);
            }
            const tc_real size = tc_sqrt(A[i * n + i]) * tc_sqrt(A[j * n + j]);
            test_near(A[i * n + j], sum, 2 * (tc_real)(n + 1) * TC_EPSILON * size, 0, "L L^T = A");
        }
    }
}

/* Every size, so that the switch between constant-size kernels and loops is crossed both ways. The
 * strict upper triangle of A is NaN: catches whatever reads it. */
static void test_every_size_factors(void)
{
    test_seed(21);
    for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {
        tc_real *L = test_guard(L_storage, n * n), *out_d = test_guard(d_storage, n);
        mat_random_spd(A, n);
        memcpy(copy, A, sizeof A);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(A, L, n));
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(copy, A, n * n * sizeof A[0], "const is true");
        check_product(L, NULL, n);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_inplace(copy, n));
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(L, copy, n * n * sizeof A[0], "in place = out of place");
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_ldlt(A, L, out_d, n));
        check_product(L, out_d, n);
        for (uint32_t i = 0; i < n; ++i) {
            TEST_ASSERT_TRUE_MESSAGE(L[i * n + i] == 1, "unit diagonal");
        }
        test_guard_check(L_storage, n * n);
        test_guard_check(d_storage, n);
    }
}

/* op(T) X = B for the triangle T: within n roundings of |op(T)| |X|, element by element */
static void check_triangle(const tc_real *T, int transposed, const tc_real *X, uint32_t n,
                           uint32_t columns)
{
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t c = 0; c < columns; ++c) {
            tc_real sum = 0, size = 0;
            for (uint32_t k = transposed ? i : 0; k < (transposed ? n : i + 1); ++k) {
                const tc_real term =
                    (transposed ? T[k * n + i] : T[i * n + k]) * X[k * columns + c];
                sum += term;
                size += mat_abs(term);
            }
            test_near(B[i * columns + c], sum, 2 * (tc_real)(n + 1) * TC_EPSILON * size, 0,
                      "L X = B");
        }
    }
}

static void test_triangular_solves(void)
{
    test_seed(22);
    for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {
        const uint32_t columns = n % 4 == 0 ? 1 + test_below(5) : 1;
        tc_real *X = test_guard(X_storage, n * columns);
        mat_random_lower(A, n);
        for (uint32_t i = 0; i < n * n; ++i) {
            A[i] = i % (n + 1) == 0 ? A[i] : A[i] / (tc_real)n;
        }
        test_fill(B, n * columns, TC_C(-1.0), TC_C(1.0));
        memcpy(copy, B, sizeof B);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_solve_lower(A, B, X, n, columns));
        check_triangle(A, 0, X, n, columns);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_solve_lower_t(A, B, X, n, columns));
        check_triangle(A, 1, X, n, columns);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(copy, B, n * columns * sizeof B[0], "const is true");
        test_guard_check(X_storage, n * columns);
    }
}

/* |A X - B| against its own terms; A symmetric, lower triangle given */
static void check_solution(const tc_real *X, uint32_t n, uint32_t columns)
{
    tc_real worst = 0, size = 0;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t c = 0; c < columns; ++c) {
            tc_real sum = 0, terms = mat_abs(B[i * columns + c]);
            for (uint32_t k = 0; k < n; ++k) {
                const tc_real term = (k > i ? A[k * n + i] : A[i * n + k]) * X[k * columns + c];
                sum += term;
                terms += mat_abs(term);
            }
            worst = mat_abs(sum - B[i * columns + c]) > worst ? mat_abs(sum - B[i * columns + c])
                                                              : worst;
            size = terms > size ? terms : size;
        }
    }
    test_near(0, worst, 4 * (tc_real)n * TC_EPSILON * size, 0, "A X = B");
}

/* Also: several right-hand sides at once give the bits of each one alone, which at the constant
 * sizes compares the loops with the unrolled kernels. */
static void test_every_size_solves(void)
{
    static tc_real b[MAT_N], x[MAT_N];
    test_seed(23);
    for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {
        const uint32_t columns = 2 + test_below(3);
        tc_real *X = test_guard(X_storage, n * columns), *L = test_guard(L_storage, n * n);
        mat_random_spd(A, n);
        test_fill(B, n * columns, TC_C(-1.0), TC_C(1.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_ldlt(A, L, d, n));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_ldlt_solve(L, d, B, X, n, columns));
        check_solution(X, n, columns);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(A, L, n));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_solve(L, B, X, n, columns));
        check_solution(X, n, columns);
        for (uint32_t c = 0; c < columns; ++c) {
            tc_real together[MAT_N];
            for (uint32_t i = 0; i < n; ++i) {
                b[i] = B[i * columns + c];
                together[i] = X[i * columns + c];
            }
            TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_solve(L, b, x, n, 1));
            mat_same(together, x, n, mat_largest(x, n) * 16, "one column of several");
        }
        test_guard_check(X_storage, n * columns);
    }
}

static void test_inverse_is_symmetric_and_inverse(void)
{
    test_seed(24);
    for (uint32_t n = 1; n <= TC_MAT_MAX; n += n < 13 ? 1 : 6) {
        tc_real *inverse = test_guard(X_storage, n * n);
        tc_real *room = test_guard(L_storage, TC_MAT_INVERSE_WORK(n));
        mat_random_spd(A, n);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_inverse_spd(A, inverse, n, room, TC_MAT_INVERSE_WORK(n)));
        memset(B, 0, sizeof B);
        for (uint32_t i = 0; i < n; ++i) {
            B[i * n + i] = 1;
            for (uint32_t j = 0; j < n; ++j) {
                TEST_ASSERT_TRUE_MESSAGE(inverse[i * n + j] == inverse[j * n + i],
                                         "exactly symmetric");
            }
        }
        check_solution(inverse, n, n);
        test_guard_check(X_storage, n * n);
        test_guard_check(L_storage, TC_MAT_INVERSE_WORK(n));
    }
}

/* Multiplying A by 4^k multiplies L by 2^k exactly and changes no verdict: catches absolute
 * tolerances. 1e30 and 1e-30 are inside the range tried. */
static void test_cholesky_is_scale_free(void)
{
    static const uint32_t sizes[] = {3, 5, 12};
    tc_real *L = L_storage;
    test_seed(25);
    for (size_t s = 0; s < TC_COUNT(sizes); ++s) {
        const uint32_t n = sizes[s];
        mat_random_spd(A, n);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(A, L, n));
        for (int direction = 0; direction < 2; ++direction) {
            tc_real root = 1;
            for (int k = 0; k < 52; ++k) {
                root *= direction ? TC_C(2.0) : TC_C(0.5);
            }
            for (uint32_t i = 0; i < n * n; ++i) {
                copy[i] = A[i] * root * root;
            }
            TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_inplace(copy, n));
            for (uint32_t i = 0; i < n * n; ++i) {
                TEST_ASSERT_TRUE(copy[i] == L[i] * root);
            }
        }
    }
}

/* The pivots of the Hilbert matrix are known: d_n = ((n-1)!)^4 / ((2n-2)! (2n-1)!). Well above the
 * bound of the pivot test the factorisation must succeed. Below it the rounded matrix may itself be
 * indefinite, so either error is right; but whatever succeeds must reproduce the matrix, and that
 * must have an end. Catches a pivot test left out: without it n = 16 gives NaN. */
static void test_hilbert_meets_the_pivot_test(void)
{
    tc_real pivot = 1;
    uint32_t succeeded = 0;
    tc_status status = TC_OK;
    for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {
        const tc_real m = (tc_real)(n - 1);
        pivot *= n == 1 ? 1 : m * m * m * m / ((2 * m - 1) * (2 * m) * (2 * m) * (2 * m + 1));
        for (uint32_t i = 0; i < n * n; ++i) {
            A[i] = 1 / (tc_real)(i / n + i % n + 1);
        }
        status = tc_mat_cholesky(A, L_storage, n);
        if (pivot > 8 * (tc_real)n * TC_EPSILON * A[n * n - 1]) {
            TEST_ASSERT_EQUAL(TC_OK, status);
            ++succeeded;
        }
        if (status == TC_OK) {
            check_product(L_storage, NULL, n);
        } else {
            TEST_ASSERT_TRUE(status == TC_ERR_SINGULAR || status == TC_ERR_INDEFINITE);
            mat_all_zero(L_storage, n * n, "L after an error");
        }
        TEST_ASSERT_EQUAL(status, tc_mat_cholesky_inplace(A, n));
    }
    TEST_ASSERT_TRUE(succeeded >= 6 && status < 0);
}

/* Statuses of 2 x 2 and 3 x 3 matrices, each at scales 1, 2^-96 and 2^96 */
static const struct {
    tc_status cholesky, ldlt;
    uint32_t n;
    int8_t A[9];
} verdicts[] = {
    /* 0 - 1/7 + 9/63, rounded */
    {TC_OK, TC_OK, 1, {4}},
    {TC_ERR_SINGULAR, TC_ERR_SINGULAR, 1, {0}},
    {TC_ERR_INDEFINITE, TC_OK, 1, {-1}},
    {TC_ERR_SINGULAR, TC_ERR_SINGULAR, 2, {0, 0, 0, 0}},
    {TC_ERR_SINGULAR, TC_ERR_SINGULAR, 2, {1, 1, 1, 1}},
    {TC_ERR_SINGULAR, TC_ERR_SINGULAR, 2, {4, 2, 2, 1}},
    {TC_ERR_INDEFINITE, TC_OK, 2, {1, 2, 2, 1}},
    {TC_ERR_SINGULAR, TC_ERR_SINGULAR, 2, {0, 1, 1, 0}},
    {TC_ERR_INDEFINITE, TC_OK, 2, {1, 0, 0, -1}},
    {TC_ERR_INDEFINITE, TC_OK, 2, {1, 1, 1, 0}},
    {TC_ERR_SINGULAR, TC_ERR_SINGULAR, 3, {1, 1, 0, 1, 1, 0, 0, 0, 1}},
    {TC_ERR_SINGULAR, TC_ERR_SINGULAR, 3, {1, 2, 3, 2, 5, 8, 3, 8, 13}},
    {TC_ERR_INDEFINITE, TC_OK, 3, {1, 0, 0, 0, 1, 2, 0, 2, 1}},
    {TC_ERR_INDEFINITE, TC_ERR_SINGULAR, 3, {-1, 1, 0, 1, -1, 0, 0, 0, 1}},
    {TC_OK, TC_OK, 3, {2, -1, 0, -1, 2, -1, 0, -1, 2}},
    {TC_ERR_INDEFINITE, TC_ERR_SINGULAR, 3, {7, 0, 1, 0, -63, 3, 1, 3, 0}},
};

static void test_singular_and_indefinite(void)
{
    for (size_t v = 0; v < TC_COUNT(verdicts); ++v) {
        const uint32_t n = verdicts[v].n;
        for (int k = 0; k < 3; ++k) {
            const tc_real two24 = TC_C(16777216.0), two96 = two24 * two24 * two24 * two24;
            for (uint32_t i = 0; i < n * n; ++i) {
                A[i] = (tc_real)verdicts[v].A[i] * (k == 0 ? 1 : k == 1 ? two96 : 1 / two96);
            }
            L_storage[0] = d[0] = 7;
            TEST_ASSERT_EQUAL(verdicts[v].cholesky, tc_mat_cholesky(A, L_storage, n));
            if (verdicts[v].cholesky < 0) {
                mat_all_zero(L_storage, n * n, "L after an error");
            }
            memcpy(copy, A, n * n * sizeof A[0]);
            TEST_ASSERT_EQUAL(verdicts[v].cholesky, tc_mat_cholesky_inplace(copy, n));
            TEST_ASSERT_EQUAL_MEMORY(L_storage, copy, n * n * sizeof A[0]);
            TEST_ASSERT_EQUAL(verdicts[v].ldlt, tc_mat_ldlt(A, L_storage, d, n));
            if (verdicts[v].ldlt < 0) {
                mat_all_zero(L_storage, n * n, "L after an error");
                mat_all_zero(d, n, "d after an error");
            }
        }
    }
}

/* A matrix of subnormal numbers has no relative precision left: singular, not garbage. A factor
 * that overflows although its matrix is finite: out of range, not NaN. */
static void test_ends_of_the_range(void)
{
    tc_real smallest = 1, L[4], x[2];
    while (smallest / 2 > 0) {
        smallest /= 2;
    }
    const tc_real subnormal[] = {8 * smallest, smallest, smallest, 8 * smallest};
    TEST_ASSERT_EQUAL(TC_ERR_SINGULAR, tc_mat_cholesky(subnormal, L, 2));
    TEST_ASSERT_EQUAL(TC_ERR_SINGULAR, tc_mat_ldlt(subnormal, L, d, 2));
    tc_real big = 1;
    while (big * big < mat_infinity()) {
        big *= 2;
    }
    const tc_real wild[] = {1 / big, big, big, 0};
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_mat_ldlt(wild, L, d, 2));
    mat_all_zero(L, 4, "L");
    const tc_real part = big * TC_C(0.75), steep[] = {1, part, part, -part * part};
    TEST_ASSERT_EQUAL_MESSAGE(TC_ERR_RANGE, tc_mat_ldlt(steep, L, d, 2),
                              "both terms finite, their sum not");
    const tc_real wilder[] = {1 / big / big, 0, big, 1};
    TEST_ASSERT_EQUAL(TC_ERR_INDEFINITE, tc_mat_cholesky((const tc_real[]){1, big, big, 1}, L, 2));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_mat_solve_lower(wilder, (const tc_real[]){big, 1}, x, 2, 1));
    mat_all_zero(x, 2, "x");
    const tc_real zero_diagonal[] = {1, 0, 1, 0};
    TEST_ASSERT_EQUAL(TC_ERR_SINGULAR,
                      tc_mat_solve_lower(zero_diagonal, (const tc_real[]){1, 1}, x, 2, 1));
    TEST_ASSERT_EQUAL(TC_ERR_SINGULAR,
                      tc_mat_solve_lower_t(zero_diagonal, (const tc_real[]){1, 1}, x, 2, 1));
    mat_all_zero(x, 2, "x");
}

/* One hash each for the factor and the solution (Cholesky, LDL^T) and for the inverse. */
static uint32_t hash_factors(int which)
{
    uint32_t hash = TEST_HASH_START;
    tc_real *L = L_storage, *X = X_storage;
    test_seed(26);
    for (uint32_t n = 1; n <= 16; ++n) {
        mat_random_spd(A, n);
        test_fill(B, n, TC_C(-1.0), TC_C(1.0));
        if (which == 0) {
            TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(A, L, n));
            TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_solve(L, B, X, n, 1));
            hash = test_hash(test_hash(hash, L, n * n), X, n);
        } else if (which == 1) {
            TEST_ASSERT_EQUAL(TC_OK, tc_mat_ldlt(A, L, d, n));
            TEST_ASSERT_EQUAL(TC_OK, tc_mat_ldlt_solve(L, d, B, X, n, 1));
            hash = test_hash(test_hash(test_hash(hash, L, n * n), d, n), X, n);
        } else {
            TEST_ASSERT_EQUAL(TC_OK, tc_mat_inverse_spd(A, X, n, work, TC_COUNT(work)));
            hash = test_hash(hash, X, n * n);
        }
    }
    return hash;
}

static void test_golden_cholesky(void)
{
    test_golden("mat.cholesky", hash_factors(0));
}

static void test_golden_ldlt(void)
{
    test_golden("mat.ldlt", hash_factors(1));
}

static void test_golden_inverse(void)
{
    test_golden("mat.inverse", hash_factors(2));
}

void suite_mat_factor(void)
{
    RUN_TEST(test_factors_match_reference);
    RUN_TEST(test_every_size_factors);
    RUN_TEST(test_triangular_solves);
    RUN_TEST(test_every_size_solves);
    RUN_TEST(test_inverse_is_symmetric_and_inverse);
    RUN_TEST(test_cholesky_is_scale_free);
    RUN_TEST(test_hilbert_meets_the_pivot_test);
    RUN_TEST(test_singular_and_indefinite);
    RUN_TEST(test_ends_of_the_range);
    RUN_TEST(test_golden_cholesky);
    RUN_TEST(test_golden_ldlt);
    RUN_TEST(test_golden_inverse);
}
