/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Products of small matrices.
 *
 * Bound against the exact reference: a sum of k products, each of them and each addition rounded,
 * is off by at most k * TC_EPSILON / 2 * sum |a b| (to first order); twice that is allowed. A D A^T
 * is two such sums.
 */
#include "test_mat_util.h"

#include "../../vectors/mat_products.h"

static tc_real A[MAT_NN], B[MAT_NN], C[MAT_NN], D[MAT_NN], x[MAT_N], y[MAT_N];
static tc_real work[TC_MAT_CONGRUENCE_WORK(MAT_N)];
static tc_real C_storage[GUARDED(MAT_NN)], work_storage[GUARDED(MAT_N)];

static void load(tc_real *to, const int32_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        to[i] = (tc_real)from[i] / 1024;
    }
}

/* Largest sum_k |A_ik| |B_kj|: the scale of all errors in A B */
static tc_real terms(const tc_real *a, const tc_real *b, uint32_t m, uint32_t k, uint32_t n)
{
    tc_real largest = 0;
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            tc_real sum = 0;
            for (uint32_t l = 0; l < k; ++l) {
                sum += mat_abs(a[i * k + l] * b[l * n + j]);
            }
            largest = sum > largest ? sum : largest;
        }
    }
    return largest;
}

static void near_all(const tc_real *expected, const tc_real *actual, uint32_t n, tc_real bound,
                     const char *what)
{
    for (uint32_t i = 0; i < n; ++i) {
        test_near(expected[i], actual[i], bound, 0, what);
    }
}

/* Catches swapped dimensions, a wrong stride and a wrong transposition: most cases are not
 * square. */
static void test_products_match_reference(void)
{
    for (size_t v = 0; v < TC_COUNT(mat_products); ++v) {
        const uint32_t m = mat_products[v].m, k = mat_products[v].k, n = mat_products[v].n;
        tc_real *product = test_guard(C_storage, m * n);
        load(A, mat_products[v].A, m * k);
        load(B, mat_products[v].B, k * n);
        const tc_real bound = (tc_real)k * TC_EPSILON * terms(A, B, m, k, n);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(A, B, product, m, k, n));
        near_all(mat_products[v].C, product, m * n, bound, "A B");
        test_guard_check(C_storage, m * n);
        for (uint32_t j = 0; j < n; ++j) {
            tc_real expected[MAT_N];
            for (uint32_t i = 0; i < k; ++i) {
                x[i] = B[i * n + j];
            }
            for (uint32_t i = 0; i < m; ++i) {
                expected[i] = mat_products[v].C[i * n + j];
            }
            tc_real *out = test_guard(C_storage, m);
            TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec(A, x, out, m, k));
            near_all(expected, out, m, bound, "A x");
            test_guard_check(C_storage, m);
            mat_transpose(A, D, m, k);
            TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_t(D, x, out, k, m));
            near_all(expected, out, m, bound, "A^T x");
            test_guard_check(C_storage, m);
        }
    }
}

static void test_congruence_matches_reference(void)
{
    static tc_real d[MAT_N], AD[MAT_NN], At[MAT_NN];
    for (size_t v = 0; v < TC_COUNT(mat_products); ++v) {
        const uint32_t m = mat_products[v].m, k = mat_products[v].k;
        tc_real *product = test_guard(C_storage, m * m);
        tc_real *room = test_guard(work_storage, TC_MAT_CONGRUENCE_WORK(k));
        load(A, mat_products[v].A, m * k);
        load(D, mat_products[v].D, k * k);
        for (uint32_t i = 0; i < m * k; ++i) {
            AD[i] = 0;
            for (uint32_t l = 0; l < k; ++l) {
                AD[i] += mat_abs(A[i / k * k + l] * D[l * k + i % k]);
            }
        }
        for (uint32_t i = 0; i < k; ++i) {
            d[i] = D[i * k + i];
            for (uint32_t j = i + 1; j < k; ++j) {
                D[i * k + j] = mat_nan();
            }
        }
        mat_transpose(A, At, m, k);
        const tc_real bound = 2 * (tc_real)k * TC_EPSILON * terms(AD, At, m, k, m);
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_mat_congruence(A, D, product, m, k, room, TC_MAT_CONGRUENCE_WORK(k)));
        near_all(mat_products[v].ADA, product, m * m, bound, "A D A^T");
        test_guard_check(C_storage, m * m);
        test_guard_check(work_storage, TC_MAT_CONGRUENCE_WORK(k));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_congruence_diag(A, d, product, m, k));
        near_all(mat_products[v].AdA, product, m * m, bound, "A diag(d) A^T");
        test_guard_check(C_storage, m * m);
    }
}

/* The order of summation is a promise: these plain loops are it. Catches a blocked or reordered sum
 * and a fused multiply-add. */
static void plain_multiply(const tc_real *a, const tc_real *b, tc_real *c, uint32_t m, uint32_t k,
                           uint32_t n)
{
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            volatile tc_real sum = a[i * k] * b[j];
            for (uint32_t l = 1; l < k; ++l) {
                const volatile tc_real product = a[i * k + l] * b[l * n + j];
                sum = sum + product;
            }
            c[i * n + j] = sum;
        }
    }
}

static void test_every_size_sums_in_order(void)
{
    static tc_real plain[MAT_NN], At[MAT_NN];
    test_seed(11);
    for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {
        const uint32_t m = n % 3 == 0 ? n : 1 + test_below(TC_MAT_MAX);
        const uint32_t k = n % 3 == 0 ? n : 1 + test_below(TC_MAT_MAX);
        const tc_real scale = (tc_real)k;
        tc_real *product = test_guard(C_storage, m * n);
        test_fill(A, m * k, TC_C(-1.0), TC_C(1.0));
        test_fill(B, k * n, TC_C(-1.0), TC_C(1.0));
        plain_multiply(A, B, plain, m, k, n);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(A, B, product, m, k, n));
        mat_same(plain, product, m * n, scale, "A B");
        test_guard_check(C_storage, m * n);
        plain_multiply(A, B, plain, m, k, 1);
        tc_real *out = test_guard(C_storage, m);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec(A, B, out, m, k));
        mat_same(plain, out, m, scale, "A x");
        test_guard_check(C_storage, m);
        mat_transpose(A, At, m, k);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_t(At, B, out, k, m));
        mat_same(plain, out, m, scale, "A^T x");
        test_guard_check(C_storage, m);
    }
}

/* -1 times 0 is -0, and so is a sum of these; a sum started at zero would be +0. */
static void test_sums_start_with_a_product(void)
{
    static tc_real zero[MAT_NN], negative_zero[MAT_N];
    for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {
        for (uint32_t i = 0; i < n * n; ++i) {
            A[i] = -1;
        }
        negative_zero[n - 1] = -zero[0];
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(A, zero, C, n, n, n));
        mat_same(negative_zero, C + n * n - n, n, 1, "A B");
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec(A, zero, C, n, n));
        mat_same(negative_zero, C, n, 1, "A x");
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_t(A, zero, C, n, n));
        mat_same(negative_zero, C, n, 1, "A^T x");
    }
}

/* y += A x is A' x' with y as a first column of A' and 1 on top of x': the sum starts at y. */
static void test_add_starts_at_y(void)
{
    static tc_real plain[MAT_N], wide[MAT_NN], tall[MAT_N], At[MAT_NN];
    test_seed(12);
    for (uint32_t n = 1; n < TC_MAT_MAX; ++n) {
        const uint32_t m = 1 + test_below(TC_MAT_MAX);
        test_fill(A, m * n, TC_C(-1.0), TC_C(1.0));
        test_fill(x, n, TC_C(-1.0), TC_C(1.0));
        test_fill(y, m, TC_C(-1.0), TC_C(1.0));
        tall[0] = 1;
        memcpy(tall + 1, x, n * sizeof x[0]);
        for (uint32_t i = 0; i < m; ++i) {
            wide[i * (n + 1)] = y[i];
            memcpy(wide + i * (n + 1) + 1, A + i * n, n * sizeof A[0]);
        }
        plain_multiply(wide, tall, plain, m, n + 1, 1);
        mat_transpose(A, At, m, n);
        tc_real *out = test_guard(C_storage, m);
        memcpy(out, y, m * sizeof y[0]);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_add_inplace(A, x, out, m, n));
        mat_same(plain, out, m, (tc_real)n, "y + A x");
        memcpy(out, y, m * sizeof y[0]);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_t_add_inplace(At, x, out, n, m));
        mat_same(plain, out, m, (tc_real)n, "y + A^T x");
        test_guard_check(C_storage, m);
    }
}

/* (P A) B = P (A B) to the bit for a permutation P, itself applied as a matrix: rows do not mix,
 * and products with 0 and 1 are exact. */
static void test_permutation_commutes(void)
{
    static tc_real P[MAT_NN], PA[MAT_NN], left[MAT_NN], right[MAT_NN];
    static const uint32_t sizes[] = {2, 3, 5, 6, 12, 17, 32};
    test_seed(13);
    for (size_t s = 0; s < TC_COUNT(sizes); ++s) {
        const uint32_t n = sizes[s];
        memset(P, 0, sizeof P);
        for (uint32_t i = 0; i < n; ++i) {
            P[i * n + (i + 1) % n] = 1;
        }
        test_fill(A, n * n, TC_C(0.5), TC_C(1.0));
        test_fill(B, n * n, TC_C(-1.0), TC_C(1.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(P, A, PA, n, n, n));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(PA, B, left, n, n, n));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(A, B, right, n, n, n));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(P, right, PA, n, n, n));
        for (uint32_t i = 0; i < n * n; ++i) {
            TEST_ASSERT_TRUE_MESSAGE(PA[i] == left[i], "(P A) B = P (A B)");
        }
    }
}

/* Catches an A D A^T computed element by element, whose halves differ in the last bit. */
static void test_congruence_is_symmetric(void)
{
    static tc_real d[MAT_N];
    test_seed(14);
    for (uint32_t m = 1; m <= TC_MAT_MAX; ++m) {
        const uint32_t n = 1 + test_below(TC_MAT_MAX);
        test_fill(A, m * n, TC_C(-1.0), TC_C(1.0));
        mat_random_spd(D, n);
        test_fill(d, n, TC_C(0.0), TC_C(1.0));
        for (int general = 0; general < 2; ++general) {
            const tc_status status = general
                                         ? tc_mat_congruence(A, D, C, m, n, work, TC_COUNT(work))
                                         : tc_mat_congruence_diag(A, d, C, m, n);
            TEST_ASSERT_EQUAL(TC_OK, status);
            for (uint32_t i = 0; i < m * m; ++i) {
                TEST_ASSERT_TRUE(C[i] == C[i % m * m + i / m]);
            }
        }
    }
}

/* A sum of a NaN, an infinity or an overflow stays bad, so results alone need checking; but a
 * result that only passes close to the limit is good. */
static void test_overflow_is_range(void)
{
    const tc_real huge = TC_C(1.0) / (TC_EPSILON * TC_EPSILON);
    tc_real big[4];
    for (int i = 0; i < 4; ++i) {
        big[i] = huge;
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(big, big, C, 2, 2, 2));
    TEST_ASSERT_TRUE(C[0] == 2 * huge * huge);
    while (tc_all_finite(&big[3], 1) && big[3] * big[3] < mat_infinity()) {
        big[3] *= 2;
    }
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_mat_mul(big, big, C, 2, 2, 2));
    mat_all_zero(C, 4, "product");
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_mat_vec(big, big + 2, C, 2, 2));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_mat_vec_t(big, big + 2, C, 2, 2));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_mat_congruence_diag(big, big + 2, C, 2, 2));
    C[0] = 1;
    C[1] = 2;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_mat_vec_add_inplace(big, big + 2, C, 2, 2));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_mat_vec_t_add_inplace(big, big + 2, C, 2, 2));
    TEST_ASSERT_TRUE_MESSAGE(C[0] == 1 && C[1] == 2, "y is as it was");
}

static void test_golden_mul(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(15);
    for (uint32_t n = 1; n <= 16; ++n) {
        test_fill(A, n * n, TC_C(-1.0), TC_C(1.0));
        test_fill(D, n * n, TC_C(-1.0), TC_C(1.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_mul(A, D, C, n, n, n));
        hash = test_hash(hash, C, n * n);
    }
    test_golden("mat.mul", hash);
}

static void test_golden_vec(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(16);
    for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {
        test_fill(A, n * n, TC_C(-1.0), TC_C(1.0));
        test_fill(x, n, TC_C(-1.0), TC_C(1.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec(A, x, C, n, n));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_add_inplace(A, x, C, n, n));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_t_add_inplace(A, x, C, n, n));
        hash = test_hash(hash, C, n);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_vec_t(A, x, C, n, n));
        hash = test_hash(hash, C, n);
    }
    test_golden("mat.vec", hash);
}

static void test_golden_congruence(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(17);
    for (uint32_t n = 1; n <= 16; ++n) {
        test_fill(A, n * n, TC_C(-1.0), TC_C(1.0));
        test_fill(D, n * n, TC_C(-1.0), TC_C(1.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_congruence(A, D, C, n, n, work, TC_COUNT(work)));
        hash = test_hash(hash, C, n * n);
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_congruence_diag(A, D, C, n, n));
        hash = test_hash(hash, C, n * n);
    }
    test_golden("mat.congruence", hash);
}

void suite_mat(void)
{
    RUN_TEST(test_products_match_reference);
    RUN_TEST(test_congruence_matches_reference);
    RUN_TEST(test_every_size_sums_in_order);
    RUN_TEST(test_sums_start_with_a_product);
    RUN_TEST(test_add_starts_at_y);
    RUN_TEST(test_permutation_commutes);
    RUN_TEST(test_congruence_is_symmetric);
    RUN_TEST(test_overflow_is_range);
    RUN_TEST(test_golden_mul);
    RUN_TEST(test_golden_vec);
    RUN_TEST(test_golden_congruence);
}
