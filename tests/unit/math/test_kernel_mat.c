/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The linked matrix kernels against the portable reference, which is linked a second time under the
 * names ref_kernel_*: to the bit in profile `exact`, within 64 roundings of the terms summed in
 * `fast`. Every buffer starts at each multiple of 4 bytes within 16 and has guard words round it:
 * catches vector loads that want more alignment than the contract gives, and tails that run over.
 */
#include "test_mat_util.h"

#include "tc_kernel_mat.h"

void ref_kernel_mat_mul(const tc_real *A, const tc_real *B, tc_real *C, uint32_t m, uint32_t k,
                        uint32_t n);
void ref_kernel_mat_vec(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);
void ref_kernel_mat_vec_add(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);
void ref_kernel_mat_vec_t(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);
void ref_kernel_mat_vec_t_add(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m,
                              uint32_t n);
void ref_kernel_cholesky(const tc_real *A, tc_real *L, uint32_t n);
void ref_kernel_solve_lower(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                            uint32_t columns);
void ref_kernel_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                              uint32_t columns);

#define DECLARE(n)                                                                                 \
    void ref_kernel_mat_mul_##n(const tc_real *A, const tc_real *B, tc_real *C);                   \
    void ref_kernel_mat_vec_##n(const tc_real *A, const tc_real *x, tc_real *y);                   \
    void ref_kernel_cholesky_##n(const tc_real *A, tc_real *L);                                    \
    void ref_kernel_solve_lower_##n(const tc_real *L, const tc_real *b, tc_real *x);               \
    void ref_kernel_solve_lower_t_##n(const tc_real *L, const tc_real *b, tc_real *x);
TC_KERNEL_SIZES(DECLARE)

#define SHIFTS 4u
#define ROOM (MAT_NN + SHIFTS)

static tc_real a_storage[GUARDED(ROOM)], b_storage[GUARDED(ROOM)], out_storage[GUARDED(ROOM)];
static tc_real expected[MAT_NN];
static tc_real *a, *b, *out;

/* Lays out a call: `a` and `b` random, `out` of n_out elements guarded. Every use moves the buffers
 * on by one element, each on its own beat. */
static void lay_out(uint32_t n_a, uint32_t n_b, uint32_t n_out)
{
    static uint32_t turn;
    ++turn;
    a = test_guard(a_storage + turn % SHIFTS, n_a);
    b = test_guard(b_storage + turn / SHIFTS % SHIFTS, n_b);
    out = test_guard(out_storage + turn / 3u % SHIFTS, n_out);
    test_fill(a, n_a, TC_C(-1.0), TC_C(1.0));
    test_fill(b, n_b, TC_C(-1.0), TC_C(1.0));
    test_fill(out, n_out, TC_C(-1.0), TC_C(1.0));
    memcpy(expected, out, n_out * sizeof out[0]);
}

static void check(uint32_t n_out, tc_real scale, const char *what)
{
    mat_same(expected, out, n_out, scale, what);
    test_guard_check(out - TEST_GUARD_WORDS, n_out);
}

static void test_mul(void)
{
    test_seed(61);
    for (uint32_t round = 0; round < 100; ++round) {
        const uint32_t n = 1 + test_below(17), k = 1 + test_below(17), m = 1 + round % TC_MAT_MAX;
        lay_out(m * k, k * n, m * n);
        ref_kernel_mat_mul(a, b, expected, m, k, n);
        tc_kernel_mat_mul(a, b, out, m, k, n);
        check(m * n, (tc_real)k, "mat_mul");
    }
    lay_out(MAT_NN, MAT_NN, MAT_NN);
    ref_kernel_mat_mul(a, b, expected, MAT_N, MAT_N, MAT_N);
    tc_kernel_mat_mul(a, b, out, MAT_N, MAT_N, MAT_N);
    check(MAT_NN, MAT_N, "mat_mul 32");
}

#define VECTOR_KERNELS(X) X(mat_vec, m) X(mat_vec_add, m) X(mat_vec_t, n) X(mat_vec_t_add, n)

/* Every m, and every n with some m: row blocks and column blocks leave remainders of every kind. */
#define DEFINE_VECTOR(name, length)                                                                \
    static void test_##name(void)                                                                  \
    {                                                                                              \
        test_seed(62);                                                                             \
        for (uint32_t m = 1; m <= TC_MAT_MAX; ++m) {                                               \
            for (uint32_t n = 1 + m % 5; n <= TC_MAT_MAX; n += 5) {                                \
                lay_out(m *n, m + n, length);                                                      \
                ref_kernel_##name(a, b, expected, m, n);                                           \
                tc_kernel_##name(a, b, out, m, n);                                                 \
                check(length, (tc_real)(m + n), #name);                                            \
            }                                                                                      \
        }                                                                                          \
    }
VECTOR_KERNELS(DEFINE_VECTOR)

/* Only the lower triangle is written; in place gives the same. */
static void test_cholesky(void)
{
    test_seed(63);
    for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {
        lay_out(n * n, 1, n * n);
        mat_random_spd(a, n);
        ref_kernel_cholesky(a, expected, n);
        tc_kernel_cholesky(a, out, n);
        check(n * n, 8, "cholesky");
        for (uint32_t i = 0; i < n * n; ++i) {
            out[i] = i % n > i / n ? expected[i] : a[i];
        }
        tc_kernel_cholesky(out, out, n);
        check(n * n, 8, "cholesky in place");
    }
}

#define SOLVE_KERNELS(X) X(solve_lower) X(solve_lower_t)

#define DEFINE_SOLVE(name)                                                                         \
    static void test_##name(void)                                                                  \
    {                                                                                              \
        test_seed(64);                                                                             \
        for (uint32_t n = 1; n <= TC_MAT_MAX; ++n) {                                               \
            for (uint32_t columns = 1; columns <= 9; columns += 1 + n % 4) {                       \
                lay_out(n *n, n *columns, n *columns);                                             \
                mat_random_lower(a, n);                                                            \
                for (uint32_t i = 0; i < n * n; ++i) {                                             \
                    a[i] = i % (n + 1) == 0 ? a[i] : a[i] / (tc_real)n;                            \
                }                                                                                  \
                ref_kernel_##name(a, b, expected, n, columns);                                     \
                tc_kernel_##name(a, b, out, n, columns);                                           \
                check(n *columns, 8, #name);                                                       \
                memcpy(out, b, n *columns * sizeof b[0]);                                          \
                tc_kernel_##name(a, out, out, n, columns);                                         \
                check(n *columns, 8, #name " in place");                                           \
            }                                                                                      \
        }                                                                                          \
    }
SOLVE_KERNELS(DEFINE_SOLVE)

#define DEFINE_FIXED(n)                                                                            \
    static void test_fixed_##n(void)                                                               \
    {                                                                                              \
        test_seed(65);                                                                             \
        for (int round = 0; round < 16; ++round) {                                                 \
            lay_out(n *n, n *n, n *n);                                                             \
            ref_kernel_mat_mul_##n(a, b, expected);                                                \
            tc_kernel_mat_mul_##n(a, b, out);                                                      \
            check(n *n, n, "mat_mul " #n);                                                         \
            lay_out(n *n, n, n);                                                                   \
            ref_kernel_mat_vec_##n(a, b, expected);                                                \
            tc_kernel_mat_vec_##n(a, b, out);                                                      \
            check(n, n, "mat_vec " #n);                                                            \
            lay_out(n *n, n, n);                                                                   \
            mat_random_lower(a, n);                                                                \
            ref_kernel_solve_lower_##n(a, b, expected);                                            \
            tc_kernel_solve_lower_##n(a, b, out);                                                  \
            check(n, 8 * mat_largest(expected, n), "solve_lower " #n);                             \
            ref_kernel_solve_lower_t_##n(a, b, expected);                                          \
            tc_kernel_solve_lower_t_##n(a, b, out);                                                \
            check(n, 8 * mat_largest(expected, n), "solve_lower_t " #n);                           \
            lay_out(n *n, 1, n *n);                                                                \
            mat_random_spd(a, n);                                                                  \
            ref_kernel_cholesky_##n(a, expected);                                                  \
            tc_kernel_cholesky_##n(a, out);                                                        \
            check(n *n, 8, "cholesky " #n);                                                        \
            ref_kernel_cholesky(a, expected, n);                                                   \
            check(n *n, 8, "cholesky " #n " = runtime size");                                      \
        }                                                                                          \
    }
TC_KERNEL_SIZES(DEFINE_FIXED)

void suite_kernel_mat(void)
{
    RUN_TEST(test_mul);
#define RUN_VECTOR(name, length) RUN_TEST(test_##name);
    VECTOR_KERNELS(RUN_VECTOR)
    RUN_TEST(test_cholesky);
#define RUN_SOLVE(name) RUN_TEST(test_##name);
    SOLVE_KERNELS(RUN_SOLVE)
#define RUN_FIXED(n) RUN_TEST(test_fixed_##n);
    TC_KERNEL_SIZES(RUN_FIXED)
}
