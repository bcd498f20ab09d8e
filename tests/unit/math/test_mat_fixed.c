/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The inline constant-size forms give the bits of the checked functions, in place as out of place.
 * Catches a size left out of a loop by unrolling, a factor read after it was overwritten, and a
 * compiler that fuses where the library's own build does not.
 */
#include "test_mat_util.h"

#define MOST 12u

static tc_real A[MOST * MOST], B[MOST * MOST], b[MOST], expected[MOST * MOST], expected_d[MOST];
static tc_real out_storage[GUARDED(MOST * MOST)], d_storage[GUARDED(MOST)];

/* Lower triangles only: the inline forms leave the rest alone. */
static void same_lower(const tc_real *L, uint32_t n, const char *what)
{
    for (uint32_t i = 0; i < n; ++i) {
        mat_same(expected + i * n, L + i * n, i + 1, 8, what);
        for (uint32_t j = i + 1; j < n; ++j) {
            TEST_ASSERT_TRUE_MESSAGE(L[i * n + j] == 7, "above the diagonal");
        }
    }
}

static void sevens(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        x[i] = 7;
    }
}

/* One function per size, as a user would write it */
#define FORMS(n)                                                                                   \
    static void products_##n(tc_real *out)                                                         \
    {                                                                                              \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(A, B, expected, n, n, n));                             \
        tc_mat##n##_mul(A, B, out);                                                                \
        mat_same(expected, out, n *n, n, "mul " #n);                                               \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec(A, b, expected, n, n));                                \
        tc_mat##n##_vec(A, b, out);                                                                \
        mat_same(expected, out, n, n, "vec " #n);                                                  \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_add_inplace(B, b, expected, n, n));                    \
        tc_mat##n##_vec_add(B, b, out);                                                            \
        mat_same(expected, out, n, n, "vec_add " #n);                                              \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_t(A, b, expected, n, n));                              \
        tc_mat##n##_vec_t(A, b, out);                                                              \
        mat_same(expected, out, n, n, "vec_t " #n);                                                \
    }                                                                                              \
    static void factors_##n(tc_real *out, tc_real *d)                                              \
    {                                                                                              \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(A, expected, n));                                 \
        sevens(out, n *n);                                                                         \
        tc_mat##n##_cholesky(A, out);                                                              \
        same_lower(out, n, "cholesky " #n);                                                        \
        sevens(out, n *n);                                                                         \
        for (uint32_t i = 0; i < n; ++i) {                                                         \
            memcpy(out + i * n, A + i * n, (i + 1) * sizeof A[0]);                                 \
        }                                                                                          \
        tc_mat##n##_cholesky(out, out);                                                            \
        same_lower(out, n, "cholesky in place " #n);                                               \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_ldlt(A, expected, expected_d, n));                         \
        sevens(out, n *n);                                                                         \
        tc_mat##n##_ldlt(A, out, d);                                                               \
        same_lower(out, n, "ldlt " #n);                                                            \
        mat_same(expected_d, d, n, 8, "ldlt d " #n);                                               \
        for (uint32_t i = 0; i < n; ++i) {                                                         \
            memcpy(out + i * n, A + i * n, (i + 1) * sizeof A[0]);                                 \
        }                                                                                          \
        tc_mat##n##_ldlt(out, out, d);                                                             \
        same_lower(out, n, "ldlt in place " #n);                                                   \
    }                                                                                              \
    static void solves_##n(tc_real *out)                                                           \
    {                                                                                              \
        tc_real L[n * n], scale;                                                                   \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(A, L, n));                                        \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_solve_lower(L, b, expected, n, 1));                        \
        scale = 64 * mat_largest(expected, n);                                                     \
        tc_mat##n##_solve_lower(L, b, out);                                                        \
        mat_same(expected, out, n, scale, "solve_lower " #n);                                      \
        memcpy(out, b, n * sizeof b[0]);                                                           \
        tc_mat##n##_solve_lower(L, out, out);                                                      \
        mat_same(expected, out, n, scale, "solve_lower in place " #n);                             \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_solve_lower_t(L, b, expected, n, 1));                      \
        scale = 64 * mat_largest(expected, n);                                                     \
        tc_mat##n##_solve_lower_t(L, b, out);                                                      \
        mat_same(expected, out, n, scale, "solve_lower_t " #n);                                    \
        memcpy(out, b, n * sizeof b[0]);                                                           \
        tc_mat##n##_solve_lower_t(L, out, out);                                                    \
        mat_same(expected, out, n, scale, "solve_lower_t in place " #n);                           \
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_solve(L, b, expected, n, 1));                     \
        scale = 64 * mat_largest(expected, n);                                                     \
        tc_mat##n##_cholesky_solve(L, b, out);                                                     \
        mat_same(expected, out, n, scale, "cholesky_solve " #n);                                   \
        memcpy(out, b, n * sizeof b[0]);                                                           \
        tc_mat##n##_cholesky_solve(L, out, out);                                                   \
        mat_same(expected, out, n, scale, "cholesky_solve in place " #n);                          \
    }                                                                                              \
    static void test_size_##n(void)                                                                \
    {                                                                                              \
        test_seed(500 + n);                                                                        \
        for (int round = 0; round < 20; ++round) {                                                 \
            tc_real *out = test_guard(out_storage, n * n), *d = test_guard(d_storage, n);          \
            test_fill(A, n *n, TC_C(-1.0), TC_C(1.0));                                             \
            test_fill(B, n *n, TC_C(-1.0), TC_C(1.0));                                             \
            test_fill(b, n, TC_C(-1.0), TC_C(1.0));                                                \
            products_##n(out);                                                                     \
            mat_random_spd(A, n);                                                                  \
            factors_##n(out, d);                                                                   \
            solves_##n(out);                                                                       \
            test_guard_check(out_storage, n *n);                                                   \
            test_guard_check(d_storage, n);                                                        \
        }                                                                                          \
    }

FORMS(2)
FORMS(3)
FORMS(4)
FORMS(6)
FORMS(12)

/* They check nothing, and say so: a singular matrix shows in the result, and nothing traps. */
static void test_singular_shows(void)
{
    const tc_real singular[] = {0, 0, 0, 0}, indefinite[] = {1, 2, 2, 1};
    tc_real L[4];
    tc_mat2_cholesky(singular, L);
    TEST_ASSERT_TRUE(L[0] == 0 && L[2] != L[2]);
    tc_mat2_cholesky(indefinite, L);
    TEST_ASSERT_TRUE(L[3] != L[3]);
}

void suite_mat_fixed(void)
{
    RUN_TEST(test_size_2);
    RUN_TEST(test_size_3);
    RUN_TEST(test_size_4);
    RUN_TEST(test_size_6);
    RUN_TEST(test_size_12);
    RUN_TEST(test_singular_shows);
}
