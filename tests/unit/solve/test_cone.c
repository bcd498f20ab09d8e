/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The cone solver by example: a particle, whose answer is a projection; kinds, margins, borders.
 * Random families are in test_cone_properties.c, ten thousand problems each in tests/cone.
 */
#include "cone_oracle.h"
#include "test.h"

#define ROWS 32u
#define GUARDED(n) ((n) + 2u * TEST_GUARD_WORDS)
#define LONGEST TC_CONE_WORK(TC_CONE_MAX, 2u, TC_CONE_FREEDOM_MAX)

static tc_real f_storage[GUARDED(ROWS)], u_storage[GUARDED(ROWS)], w_storage[GUARDED(ROWS)],
    work_storage[GUARDED(LONGEST)];
static tc_real *f, *u, *w;
static tc_cone_info info;

/* Solves with guard words round everything; outputs and workspace hold rubbish before. */
static tc_status solve(const tc_cone *p)
{
    const uint32_t rows = p->n * p->rows, len = (uint32_t)TC_CONE_WORK(p->n, p->rows, p->d);
    tc_real *const work = test_guard(work_storage, len);
    f = test_guard(f_storage, rows);
    u = test_guard(u_storage, rows);
    w = test_guard(w_storage, p->d);
    for (uint32_t r = 0; r < rows; ++r) f[r] = u[r] = -7;
    for (uint32_t k = 0; k < p->d; ++k) w[k] = -7;
    const tc_status status = tc_cone_solve(p, f, u, w, &info, work, len);
    test_guard_check(f_storage, rows);
    test_guard_check(u_storage, rows);
    test_guard_check(w_storage, p->d);
    test_guard_check(work_storage, len);
    return status;
}

static const tc_real unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static tc_real w0[3], mu[1], low[1], soft[1];

/* A particle of mass 1: f is the projection of -w0 / (1 + c), whatever the tier */
static tc_cone particle(uint32_t rows)
{
    return (tc_cone){.n = 1, .rows = rows, .d = rows, .G = unit, .w0 = w0, .mu = mu};
}

/* G of `rows` x `rows` unit vectors */
static const tc_real *identity(uint32_t rows)
{
    static tc_real G[9];
    for (uint32_t k = 0; k < rows * rows; ++k) G[k] = k % (rows + 1u) == 0 ? 1 : 0;
    return G;
}

static void test_particle(void)
{
    test_seed(3);
    for (uint32_t round = 0; round < TEST_ROUNDS(3000); ++round) {
        const uint32_t rows = 1u + test_below(3);
        tc_cone p = particle(rows);
        double y[3];
        p.G = identity(rows);
        mu[0] = test_below(4) == 0 ? 0 : test_uniform(0, 2);
        low[0] = test_uniform(0, 1);
        soft[0] = test_uniform(0, 1);
        p.floor = test_below(2) != 0 ? low : NULL;
        p.compliance = test_below(2) != 0 ? soft : NULL;
        for (uint32_t r = 0; r < rows; ++r) {
            w0[r] = test_uniform(-1, 1);
            y[r] = -(double)w0[r] / (p.compliance != NULL ? 1 + (double)soft[0] : 1);
        }
        oracle_project(rows > 1u ? (double)mu[0] : 0, p.floor != NULL ? (double)low[0] : 0, y,
                       rows);
        const tc_status status = solve(&p);
        TEST_ASSERT_EQUAL_INT(TC_OK, status);
        for (uint32_t r = 0; r < rows; ++r) {
            /* the residual allows 3.8e-6 of a scale that is at most 10 */
            test_near((tc_real)y[r], f[r], TC_C(1e-5), 0, "projection");
        }
    }
}

static void expect_kind(tc_real normal, tc_real tangent, tc_real floor, tc_cone_kind kind,
                        double margin)
{
    tc_cone p = particle(3);
    w0[0] = -normal;
    w0[1] = TC_C(-0.6) * tangent;
    w0[2] = TC_C(-0.8) * tangent;
    mu[0] = TC_C(0.75);
    low[0] = floor;
    p.floor = floor > 0 ? low : NULL;
    TEST_ASSERT_EQUAL_INT(TC_OK, solve(&p));
    TEST_ASSERT_EQUAL_INT(kind, info.kind[0]);
    test_near((tc_real)margin, info.margin * info.scale, TC_C(2e-5), 0, "margin");
    TEST_ASSERT_TRUE(info.residual <= TC_CONE_TOLERANCE && info.error <= TC_CONE_ERROR);
    TEST_ASSERT_TRUE(info.scale > 0);
}

/* mu = 3/4: the cone's edge is (4, 3) / 5, its normal (-3, 4) / 5, all by hand */
static void test_kinds(void)
{
    expect_kind(-2, 1, 0, TC_CONE_OPEN, 2 * 0.8 - 0.6);
    expect_kind(2, 1, 0, TC_CONE_STICK, (1.5 - 1) * 0.8);
    expect_kind(1, 2, 0, TC_CONE_SLIP, (2 - 0.75) * 0.8);
    expect_kind(-1, 2, 0, TC_CONE_SLIP, (-1 + 1.5) * 0.8);
    expect_kind(2, 1, 1, TC_CONE_STICK, (1.5 - 1) * 0.8);
    expect_kind(2, 1, TC_C(1.75), TC_CONE_STICK, 0.25);
    expect_kind(1, TC_C(0.5), 2, TC_CONE_FLOOR_STICK, 1);
    expect_kind(1, 3, 3, TC_CONE_FLOOR_SLIP, 0.75);
    expect_kind(-3, 4, 3, TC_CONE_FLOOR_SLIP, 1.75);
}

static void test_none(void)
{
    tc_cone p = {.n = 0, .rows = 3, .d = 3, .w0 = w0};
    w0[0] = 1;
    w0[1] = -2;
    w0[2] = 3;
    TEST_ASSERT_EQUAL_INT(TC_OK, solve(&p));
    TEST_ASSERT_EQUAL_MEMORY(w0, w, sizeof w0);
    TEST_ASSERT_TRUE(info.iterations == 0 && info.residual == 0 && info.error == 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_cone_solve(&p, NULL, NULL, w, NULL, NULL, 0));
    w0[1] = (tc_real)NAN;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, solve(&p));
    TEST_ASSERT_TRUE(w[0] == 0 && w[1] == 0 && w[2] == 0);
}

/* Refused with `status`, and all outputs zero */
static void refuse(const tc_cone *p, tc_status status, const char *what)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(status, solve(p), what);
    for (uint32_t r = 0; r < p->n * p->rows; ++r) {
        TEST_ASSERT_TRUE_MESSAGE(f[r] == 0 && u[r] == 0, what);
    }
    for (uint32_t k = 0; k < p->d; ++k) TEST_ASSERT_TRUE_MESSAGE(w[k] == 0, what);
    TEST_ASSERT_TRUE_MESSAGE(info.iterations == 0 && info.scale == 0, what);
}

static void refuse_size(tc_cone p)
{
    static tc_real work[8];
    tc_real out[3] = {5, 5, 5};
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_cone_solve(&p, out, out, out, &info, work, 8));
    TEST_ASSERT_TRUE(out[0] == 5 && out[1] == 5 && out[2] == 5);
}

static void test_sizes(void)
{
    tc_cone p = particle(3);
    for (uint32_t rows = 0; rows < 5u; ++rows) {
        tc_cone q = p;
        q.rows = rows;
        q.n = rows == 3u ? TC_CONE3_MAX + 1u : TC_CONE_MAX + 1u;
        refuse_size(q);
    }
    p.d = 0;
    refuse_size(p);
    p.d = TC_CONE_FREEDOM_MAX + 1u;
    refuse_size(p);
    p.d = 3;
    p.rows = 4;
    refuse_size(p);
    p.rows = 0;
    refuse_size(p);
}

static void test_missing(void)
{
    tc_cone p = particle(3);
    tc_real *const work = test_guard(work_storage, TC_CONE_WORK(1u, 3u, 3u));
    const size_t len = TC_CONE_WORK(1u, 3u, 3u);
    w0[0] = w0[1] = w0[2] = 1;
    mu[0] = 1;
    (void)solve(&p);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_cone_solve(NULL, f, u, w, &info, work, len));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_cone_solve(&p, NULL, u, w, &info, work, len));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_cone_solve(&p, f, NULL, w, &info, work, len));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_cone_solve(&p, f, u, NULL, &info, work, len));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_cone_solve(&p, f, u, w, &info, NULL, len));
    TEST_ASSERT_EQUAL_INT(TC_ERR_WORK, tc_cone_solve(&p, f, u, w, &info, work, len - 1u));
    TEST_ASSERT_EQUAL_INT(TC_ERR_ALIGN, tc_cone_solve(&p, f, u, w, &info, TEST_ODD(work), len));
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_cone_solve(&p, f, u, w, NULL, work, len));
    p.G = NULL;
    refuse(&p, TC_ERR_NULL, "G");
    p = particle(3);
    p.w0 = NULL;
    refuse(&p, TC_ERR_NULL, "w0");
    p = particle(3);
    p.mu = NULL;
    refuse(&p, TC_ERR_NULL, "mu");
    p = particle(1);
    p.mu = NULL;
    TEST_ASSERT_EQUAL_INT(TC_OK, solve(&p));
}

/* Each number of a problem in turn is not finite, or too large */
static void test_numbers(void)
{
    static tc_real G[9], expected[3];
    tc_real *const slots[] = {G, G + 4, G + 8, w0, w0 + 2, mu, low, soft, expected, expected + 2};
    const tc_real bad[] = {(tc_real)NAN, (tc_real)INFINITY, -(tc_real)INFINITY};
    tc_cone p = particle(3);
    p.G = G;
    p.floor = low;
    p.compliance = soft;
    p.warm = expected;
    memcpy(G, unit, sizeof G);
    w0[0] = w0[1] = w0[2] = -1;
    mu[0] = low[0] = soft[0] = expected[0] = expected[1] = expected[2] = TC_C(0.5);
    TEST_ASSERT_EQUAL_INT(TC_OK, solve(&p));
    for (uint32_t i = 0; i < TC_COUNT(slots); ++i) {
        const tc_real before = *slots[i];
        for (uint32_t k = 0; k < TC_COUNT(bad); ++k) {
            *slots[i] = bad[k];
            refuse(&p, TC_ERR_NOT_FINITE, "not finite");
        }
        *slots[i] = TC_C(2e9);
        if (i < 8u) refuse(&p, TC_ERR_RANGE, "too large");
        *slots[i] = before;
    }
    for (uint32_t i = 5; i < 8u; ++i) {
        const tc_real before = *slots[i];
        *slots[i] = TC_C(-1e-6);
        refuse(&p, TC_ERR_RANGE, "negative");
        *slots[i] = before;
    }
    TEST_ASSERT_EQUAL_INT(TC_OK, solve(&p));
}

static void test_rows_of_zero(void)
{
    static tc_real G[9];
    tc_cone p = particle(3);
    p.G = G;
    w0[0] = w0[1] = w0[2] = -1;
    for (uint32_t r = 0; r < 3u; ++r) {
        memcpy(G, unit, sizeof G);
        G[4u * r] = 0;
        mu[0] = TC_C(0.5);
        refuse(&p, TC_ERR_RANGE, "a row of 0");
        mu[0] = 0;
        if (r == 0) refuse(&p, TC_ERR_RANGE, "a normal of 0");
        if (r != 0) TEST_ASSERT_EQUAL_INT(TC_OK, solve(&p));
    }
}

/* A box at rest on four corners, and the same from its own answer, in the same buffer */
static void test_warm(void)
{
    static cone_problem drawn;
    uint32_t cold = 0, warm = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(200); ++index) {
        cone_draw(&cone_families[CONE_BOX], &drawn, 3, 4, index);
        TEST_ASSERT_TRUE(solve(&drawn.cone) == TC_OK);
        cold += info.iterations;
        tc_real *const work = test_guard(work_storage, TC_CONE_WORK(4u, 3u, 6u));
        drawn.cone.warm = f;
        TEST_ASSERT_EQUAL_INT(
            TC_OK, tc_cone_solve(&drawn.cone, f, u, w, &info, work, TC_CONE_WORK(4u, 3u, 6u)));
        warm += info.iterations;
    }
    TEST_ASSERT_TRUE_MESSAGE(10u * warm <= cold, "the answer is its own warm start");
}

void suite_cone(void)
{
    RUN_TEST(test_particle);
    RUN_TEST(test_kinds);
    RUN_TEST(test_none);
    RUN_TEST(test_sizes);
    RUN_TEST(test_missing);
    RUN_TEST(test_numbers);
    RUN_TEST(test_rows_of_zero);
    RUN_TEST(test_warm);
}
