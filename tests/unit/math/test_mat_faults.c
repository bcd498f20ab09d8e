/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Bad input, for every function of tc_mat.h alike: NaN and infinities in each slot that is read and
 * in each that is not, null and misaligned pointers, dimensions of 0 and beyond the limit,
 * workspace one short. Guard words round every output and workspace; inputs must not change;
 * outputs are zero after an error, and untouched when the dimensions themselves were bad.
 */
#include "test_mat_util.h"

/* One call: inputs a, b, c, outputs x, y and sizes as the table below says. */
typedef struct call {
    const tc_real *a, *b, *c;
    tc_real *x, *y, *work;
    uint32_t m, k, n;
    size_t work_len;
} call;

typedef enum shape { NONE, FULL, LOWER } shape;

/* m, k, n = 3, 4, 2, or square where the function is. An output that is also input starts as it is
 * and must come back so. */
typedef struct operation {
    const char *name;
    tc_status (*run)(const call *c);
    shape shape_a;
    uint32_t a, b, c; /* elements of the inputs; LOWER: n x n, only the lower triangle is read */
    uint32_t x, y, work;
    int keeps_x;    /* on an error x is as it was, not zero */
    uint32_t sizes; /* which of m, k, n it takes: bits 0, 1, 2 */
} operation;

static tc_status run_mul(const call *c)
{
    return tc_mat_mul(c->a, c->b, c->x, c->m, c->k, c->n);
}

static tc_status run_vec(const call *c)
{
    return tc_mat_vec(c->a, c->b, c->x, c->m, c->k);
}

static tc_status run_vec_t(const call *c)
{
    return tc_mat_vec_t(c->a, c->b, c->x, c->k, c->m);
}

static tc_status run_vec_add(const call *c)
{
    return tc_mat_vec_add_inplace(c->a, c->b, c->x, c->m, c->k);
}

static tc_status run_vec_t_add(const call *c)
{
    return tc_mat_vec_t_add_inplace(c->a, c->b, c->x, c->k, c->m);
}

static tc_status run_congruence_diag(const call *c)
{
    return tc_mat_congruence_diag(c->a, c->b, c->x, c->m, c->k);
}

static tc_status run_congruence(const call *c)
{
    return tc_mat_congruence(c->b, c->a, c->x, c->m, c->n, c->work, c->work_len);
}

static tc_status run_cholesky(const call *c)
{
    return tc_mat_cholesky(c->a, c->x, c->n);
}

static tc_status run_ldlt(const call *c)
{
    return tc_mat_ldlt(c->a, c->x, c->y, c->n);
}

static tc_status run_solve_lower(const call *c)
{
    return tc_mat_solve_lower(c->a, c->b, c->x, c->n, c->k);
}

static tc_status run_solve_lower_t(const call *c)
{
    return tc_mat_solve_lower_t(c->a, c->b, c->x, c->n, c->k);
}

static tc_status run_cholesky_solve(const call *c)
{
    return tc_mat_cholesky_solve(c->a, c->b, c->x, c->n, c->k);
}

static tc_status run_ldlt_solve(const call *c)
{
    return tc_mat_ldlt_solve(c->a, c->c, c->b, c->x, c->n, c->k);
}

static tc_status run_psd_solve(const call *c)
{
    return tc_mat_psd_solve(c->a, c->b, c->x, c->n, NULL, c->work, c->work_len);
}

static tc_status run_inverse(const call *c)
{
    return tc_mat_inverse_spd(c->a, c->x, c->n, c->work, c->work_len);
}

#define M 3u
#define K 4u
#define N 5u

static const operation operations[] = {
    {"mul", run_mul, FULL, M *K, K *N, 0, M *N, 0, 0, 0, 7},
    {"vec", run_vec, FULL, M *K, K, 0, M, 0, 0, 0, 3},
    {"vec_t", run_vec_t, FULL, K *M, K, 0, M, 0, 0, 0, 3},
    {"vec_add", run_vec_add, FULL, M *K, K, 0, M, 0, 0, 1, 3},
    {"vec_t_add", run_vec_t_add, FULL, K *M, K, 0, M, 0, 0, 1, 3},
    {"congruence_diag", run_congruence_diag, FULL, M *K, K, 0, M *M, 0, 0, 0, 3},
    {"congruence", run_congruence, LOWER, N *N, M *N, 0, M *M, 0, TC_MAT_CONGRUENCE_WORK(N), 0, 5},
    {"cholesky", run_cholesky, LOWER, N *N, 0, 0, N *N, 0, 0, 0, 4},
    {"ldlt", run_ldlt, LOWER, N *N, 0, 0, N *N, N, 0, 0, 4},
    {"solve_lower", run_solve_lower, LOWER, N *N, N *K, 0, N *K, 0, 0, 0, 6},
    {"solve_lower_t", run_solve_lower_t, LOWER, N *N, N *K, 0, N *K, 0, 0, 0, 6},
    {"cholesky_solve", run_cholesky_solve, LOWER, N *N, N *K, 0, N *K, 0, 0, 0, 6},
    {"ldlt_solve", run_ldlt_solve, LOWER, N *N, N *K, N, N *K, 0, 0, 0, 6},
    {"psd_solve", run_psd_solve, LOWER, N *N, N, 0, N, 0, TC_MAT_PSD_WORK(N), 0, 4},
    {"inverse_spd", run_inverse, LOWER, N *N, 0, 0, N *N, 0, TC_MAT_INVERSE_WORK(N), 0, 4},
};

static tc_real in[3][N * N], kept[3][N * N], x_storage[GUARDED(N * N)], y_storage[GUARDED(N * N)];
static tc_real work_storage[GUARDED(TC_MAT_PSD_WORK(N))];

/* A good call: inputs that every function accepts, outputs filled with 7. */
static call prepare(const operation *op)
{
    call c = {in[0], in[1], in[2], NULL, NULL, NULL, M, K, N, op->work};
    if (op->shape_a == LOWER) {
        mat_random_spd(in[0], N);
    } else {
        test_fill(in[0], op->a, TC_C(-1.0), TC_C(1.0));
    }
    test_fill(in[1], N * N, TC_C(-1.0), TC_C(1.0));
    test_fill(in[2], N, TC_C(1.0), TC_C(2.0));
    memcpy(kept, in, sizeof kept);
    c.x = test_guard(x_storage, op->x);
    c.y = test_guard(y_storage, op->y);
    c.work = test_guard(work_storage, op->work);
    for (uint32_t i = 0; i < N * N; ++i) {
        if (i < op->x) {
            c.x[i] = 7;
        }
        if (i < op->y) {
            c.y[i] = 7;
        }
    }
    return c;
}

static void check_outputs(const operation *op, const call *c, tc_real expected)
{
    for (uint32_t i = 0; c->x != NULL && i < op->x; ++i) {
        TEST_ASSERT_TRUE_MESSAGE(c->x[i] == (op->keeps_x ? 7 : expected), op->name);
    }
    for (uint32_t i = 0; c->y != NULL && i < op->y; ++i) {
        TEST_ASSERT_TRUE_MESSAGE(c->y[i] == expected, op->name);
    }
    test_guard_check(x_storage, op->x);
    test_guard_check(y_storage, op->y);
    test_guard_check(work_storage, op->work);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(kept, in, sizeof in, op->name);
}

static void test_good_calls_are_good(void)
{
    test_seed(41);
    for (size_t o = 0; o < TC_COUNT(operations); ++o) {
        const call c = prepare(&operations[o]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(TC_OK, operations[o].run(&c), operations[o].name);
        TEST_ASSERT_TRUE_MESSAGE(tc_all_finite(c.x, operations[o].x), operations[o].name);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(kept, in, sizeof in, operations[o].name);
    }
}

/* Catches an input whose NaN or infinity does not reach the results by which it is judged: an
 * infinite diagonal, for one, divides to a harmless zero. */
static void poison(const operation *op, int which, uint32_t slot, tc_real value)
{
    const call c = prepare(op);
    const int read = !(which == 0 && op->shape_a == LOWER && slot % N > slot / N);
    in[which][slot] = value;
    memcpy(kept, in, sizeof kept);
    const tc_status status = op->run(&c);
    if (read) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(TC_ERR_NOT_FINITE, status, op->name);
        check_outputs(op, &c, 0);
    } else {
        TEST_ASSERT_EQUAL_INT_MESSAGE(TC_OK, status, op->name);
    }
}

static void test_every_slot_not_finite(void)
{
    const tc_real bad[] = {mat_nan(), mat_infinity(), -mat_infinity()};
    test_seed(42);
    for (size_t o = 0; o < TC_COUNT(operations); ++o) {
        const uint32_t counts[] = {operations[o].a, operations[o].b, operations[o].c};
        for (int which = 0; which < 3; ++which) {
            for (uint32_t slot = 0; slot < 3 * counts[which]; ++slot) {
                poison(&operations[o], which, slot / 3, bad[slot % 3]);
            }
        }
    }
}

/* The operations that write where they read: an infinity must not be mistaken for a result. */
static void test_inplace_not_finite(void)
{
    const tc_real bad[] = {mat_nan(), mat_infinity(), -mat_infinity()};
    test_seed(43);
    for (uint32_t slot = 0; slot < 3 * N * N; ++slot) {
        tc_real *a = test_guard(x_storage, N * N);
        mat_random_spd(a, N);
        const int read = slot / 3 % N <= slot / 3 / N;
        a[slot / 3] = bad[slot % 3];
        TEST_ASSERT_EQUAL(read ? TC_ERR_NOT_FINITE : TC_OK, tc_mat_cholesky_inplace(a, N));
        test_guard_check(x_storage, N * N);
        if (read) {
            mat_all_zero(a, N * N, "A in place, after an error");
        }
    }
    for (uint32_t slot = 0; slot < 3 * M; ++slot) {
        tc_real y[M] = {1, 2, 3}, before[M];
        y[slot / 3] = bad[slot % 3];
        memcpy(before, y, sizeof y);
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_mat_vec_add_inplace(in[1], in[2], y, M, K));
        TEST_ASSERT_EQUAL_MEMORY(before, y, sizeof y);
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_mat_vec_t_add_inplace(in[1], in[2], y, K, M));
        TEST_ASSERT_EQUAL_MEMORY(before, y, sizeof y);
    }
}

/* Each pointer in turn null, then off by one byte. The other outputs are zeroed all the same. */
static void test_pointers(void)
{
    test_seed(44);
    for (size_t o = 0; o < TC_COUNT(operations); ++o) {
        const operation *op = &operations[o];
        const uint32_t used[] = {op->a, op->b, op->c, op->x, op->y, op->work};
        for (int which = 0; which < 12; ++which) {
            call c = prepare(op);
            tc_real *odd = (tc_real *)(void *)((char *)in[0] + 1), *bad = which < 6 ? NULL : odd;
            tc_real *outputs[] = {c.x, c.y, c.work};
            if (used[which % 6] == 0) {
                continue;
            }
            c.a = which % 6 == 0 ? bad : c.a;
            c.b = which % 6 == 1 ? bad : c.b;
            c.c = which % 6 == 2 ? bad : c.c;
            c.x = which % 6 == 3 ? bad : c.x;
            c.y = which % 6 == 4 ? bad : c.y;
            c.work = which % 6 == 5 ? bad : c.work;
            TEST_ASSERT_EQUAL_INT_MESSAGE(which < 6 ? TC_ERR_NULL : TC_ERR_ALIGN, op->run(&c),
                                          op->name);
            c.x = c.x == outputs[0] ? c.x : NULL;
            c.y = c.y == outputs[1] ? c.y : NULL;
            check_outputs(op, &c, 0);
        }
    }
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_mat_cholesky_inplace(NULL, 3));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                      tc_mat_cholesky_inplace((tc_real *)(void *)((char *)in[0] + 1), 3));
}

/* Nobody knows how long the outputs are when the dimensions are wrong: they stay as they were. */
static void test_dimensions(void)
{
    const uint32_t wrong[] = {0, TC_MAT_MAX + 1, 0xffffffffu, 0x80000000u};
    test_seed(45);
    for (size_t o = 0; o < TC_COUNT(operations); ++o) {
        const operation *op = &operations[o];
        for (uint32_t which = 0; which < 3 * TC_COUNT(wrong); ++which) {
            call c = prepare(op);
            if ((op->sizes >> which % 3 & 1u) == 0) {
                continue;
            }
            c.m = which % 3 == 0 ? wrong[which / 3] : c.m;
            c.k = which % 3 == 1 ? wrong[which / 3] : c.k;
            c.n = which % 3 == 2 ? wrong[which / 3] : c.n;
            c.work_len = (size_t)-1;
            TEST_ASSERT_EQUAL_INT_MESSAGE(TC_ERR_SIZE, op->run(&c), op->name);
            check_outputs(op, &c, 7);
        }
    }
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_mat_cholesky_inplace(in[0], 0));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_mat_cholesky_inplace(in[0], TC_MAT_MAX + 1));
}

static void test_work_one_short(void)
{
    test_seed(46);
    for (size_t o = 0; o < TC_COUNT(operations); ++o) {
        const operation *op = &operations[o];
        call c = prepare(op);
        if (op->work == 0) {
            continue;
        }
        c.work_len = op->work - 1;
        TEST_ASSERT_EQUAL_INT_MESSAGE(TC_ERR_WORK, op->run(&c), op->name);
        check_outputs(op, &c, 0);
        c = prepare(op);
        TEST_ASSERT_EQUAL_INT_MESSAGE(TC_OK, op->run(&c), op->name);
        test_guard_check(work_storage, op->work);
    }
}

void suite_mat_faults(void)
{
    RUN_TEST(test_good_calls_are_good);
    RUN_TEST(test_every_slot_not_finite);
    RUN_TEST(test_inplace_not_finite);
    RUN_TEST(test_pointers);
    RUN_TEST(test_dimensions);
    RUN_TEST(test_work_one_short);
}
