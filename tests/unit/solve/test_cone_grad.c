/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of cone problems: against a second algorithm in double (the normal matrix of the
 * pattern, dense, with a little on its diagonal), against differences in the double build, adjoint
 * against tangent, and answers known by hand.
 */
#include "cone_families.h"
#include "test.h"

#include <math.h>

#define ROWS CONE_FAMILY_ROWS
#define GUARDED(n) ((n) + 2u * TEST_GUARD_WORDS)
#define WORK TC_CONE_GRAD_WORK(TC_CONE_MAX, 2u, CONE_FAMILY_ROWS)

static cone_problem drawn;
static tc_cone_info info;
static tc_real f[ROWS], u[ROWS], w[ROWS], by_w[ROWS], dw[ROWS], work[WORK];
static tc_real by_G[ROWS * ROWS], by_w0[ROWS], by_mu[TC_CONE_MAX], by_floor[TC_CONE_MAX],
    by_soft[TC_CONE_MAX];
static tc_real along[ROWS * ROWS], soft[TC_CONE_MAX];
static const tc_cone_grad by = {by_G, by_w0, by_mu, by_floor, by_soft};

static size_t work_of(const tc_cone *c)
{
    return TC_CONE_GRAD_WORK(c->n, c->rows, c->d);
}

static tc_status solve(void)
{
    const tc_cone *const c = &drawn.cone;
    return tc_cone_solve(c, f, u, w, &info, work, TC_CONE_WORK(c->n, c->rows, c->d));
}

/* Problem `index` of a family with up to `most` contacts; every second one with floors */
static tc_status draw(uint32_t family, uint32_t rows, uint32_t most, uint32_t index)
{
    cone_draw(&cone_families[family], &drawn, rows, 1u + index % most, index);
    tc_status status = solve();
    if (index % 2u == 1u && status == TC_OK) {
        cone_restitute(&drawn, f, w);
        status = solve();
    }
    test_seed(index + 1u);
    test_fill(by_w, drawn.cone.d, -1, 1);
    return status;
}

static tc_status pull(void)
{
    return tc_cone_grad_adjoint(&drawn.cone, f, &info, by_w, &by, work, work_of(&drawn.cone));
}

static tc_status push(const tc_cone_grad *direction)
{
    return tc_cone_grad_tangent(&drawn.cone, f, &info, direction, dw, work, work_of(&drawn.cone));
}

/* ---- A second algorithm ---------------------------------------------------------------------- */

/* Columns of the pattern, their T^T G and diagonals, in double */
static double T[ROWS][3], B[ROWS][ROWS], D[ROWS], K[ROWS][ROWS + 1u];
static double wide_w[ROWS], wide_u[ROWS], wide_by[ROWS];
static uint32_t contact_of[ROWS], columns;

static void add_column(uint32_t i, double t0, double t1, double t2, double diagonal)
{
    const tc_cone *const c = &drawn.cone;
    const double t[3] = {t0, t1, t2};
    for (uint32_t k = 0; k < c->d; ++k) {
        B[columns][k] = 0;
        for (uint32_t r = 0; r < c->rows; ++r) {
            B[columns][k] += t[r] * (double)c->G[(i * c->rows + r) * c->d + k];
        }
    }
    D[columns] = diagonal;
    for (uint32_t r = 0; r < 3u; ++r) T[columns][r] = t[r];
    contact_of[columns++] = i;
}

static void find_tau(uint32_t i, double tau[2])
{
    const uint32_t rows = drawn.cone.rows;
    const double y = (double)f[i * rows + 1u], z = rows == 3u ? (double)f[i * rows + 2u] : 0;
    const double length = sqrt(y * y + z * z);
    tau[0] = length > 0 ? y / length : 0;
    tau[1] = length > 0 ? z / length : 0;
}

static void add_pattern(uint32_t i)
{
    const tc_cone *const c = &drawn.cone;
    const tc_cone_kind kind = info.kind[i];
    const double *const v = wide_u + i * c->rows;
    double tau[2];
    find_tau(i, tau);
    if (kind == TC_CONE_STICK) add_column(i, 1, 0, 0, 0);
    if (kind == TC_CONE_STICK || kind == TC_CONE_FLOOR_STICK) {
        add_column(i, 0, 1, 0, 0);
        if (c->rows == 3u) add_column(i, 0, 0, 1, 0);
    }
    if (kind == TC_CONE_SLIP) {
        add_column(i, 1, (double)c->mu[i] * tau[0], (double)c->mu[i] * tau[1], 0);
    }
    if ((kind == TC_CONE_SLIP || kind == TC_CONE_FLOOR_SLIP) && c->rows == 3u) {
        const double size = tau[0] * (double)f[i * 3u + 1u] + tau[1] * (double)f[i * 3u + 2u];
        const double drag = -(tau[0] * v[1] + tau[1] * v[2]);
        if (size > 0) add_column(i, 0, -tau[1], tau[0], drag / size);
    }
}

/* K z = right, in K's last column; K is overwritten */
static void eliminate(void)
{
    for (uint32_t p = 0; p < columns; ++p) {
        for (uint32_t q = p + 1u; q < columns; ++q) {
            const double l = K[q][p] / K[p][p];
            for (uint32_t j = p; j <= columns; ++j) K[q][j] -= l * K[p][j];
        }
    }
    for (uint32_t up = 0; up < columns; ++up) {
        const uint32_t p = columns - 1u - up;
        for (uint32_t j = p + 1u; j < columns; ++j) K[p][columns] -= K[p][j] * K[j][columns];
        K[p][columns] /= K[p][p];
    }
}

/* The cotangents of w0 (wide_by) and of mu by K = B B^T + D + 1e-10 diag */
static void solve_again(double *mu)
{
    const tc_cone *const c = &drawn.cone;
    const uint32_t m = c->n * c->rows;
    columns = 0;
    for (uint32_t k = 0; k < c->d; ++k) {
        wide_w[k] = (double)c->w0[k];
        for (uint32_t r = 0; r < m; ++r) wide_w[k] += (double)c->G[r * c->d + k] * (double)f[r];
        wide_by[k] = (double)by_w[k];
    }
    for (uint32_t r = 0; r < m; ++r) {
        wide_u[r] = 0;
        for (uint32_t k = 0; k < c->d; ++k) wide_u[r] += (double)c->G[r * c->d + k] * wide_w[k];
    }
    for (uint32_t i = 0; i < c->n; ++i) add_pattern(i);
    for (uint32_t p = 0; p < columns; ++p) {
        for (uint32_t q = 0; q < columns; ++q) {
            K[p][q] = p == q ? D[p] : 0;
            for (uint32_t k = 0; k < c->d; ++k) K[p][q] += B[p][k] * B[q][k];
        }
        K[p][p] += 1e-10 * K[p][p];
        K[p][columns] = 0;
        for (uint32_t k = 0; k < c->d; ++k) K[p][columns] += B[p][k] * (double)by_w[k];
    }
    eliminate();
    for (uint32_t p = 0; p < columns; ++p) {
        for (uint32_t k = 0; k < c->d; ++k) wide_by[k] -= K[p][columns] * B[p][k];
    }
    for (uint32_t i = 0; i < c->n; ++i) {
        const int slips = info.kind[i] == TC_CONE_SLIP || info.kind[i] == TC_CONE_FLOOR_SLIP;
        double tau[2];
        find_tau(i, tau);
        mu[i] = 0;
        for (uint32_t r = 1; r < c->rows && slips; ++r) {
            const tc_real *const row = c->G + (i * c->rows + r) * c->d;
            for (uint32_t k = 0; k < c->d; ++k) {
                mu[i] += (double)f[i * c->rows] * tau[r - 1u] * (double)row[k] * wide_by[k];
            }
        }
    }
    for (uint32_t p = 0; p < columns; ++p) {
        const uint32_t i = contact_of[p];
        double tau[2];
        find_tau(i, tau);
        for (uint32_t r = 1; r < c->rows && info.kind[i] == TC_CONE_SLIP && T[p][0] != 0; ++r) {
            mu[i] -= K[p][columns] * tau[r - 1u] * wide_u[i * c->rows + r];
        }
    }
}

/* Beyond these an answer counts as wrong, and one in a hundred may be: rounding of w0's cotangent,
 * and of mu's, which multiplies it by impulses. The float build's f is only certified. */
#ifdef TC_DOUBLE
static const double w0_limit = 1e-6, mu_limit = 1e-5;
#else
static const double w0_limit = 1e-4, mu_limit = 1e-2;
#endif

static void compare_again(uint32_t family, uint32_t rows, uint32_t most, uint32_t rounds)
{
    uint32_t wrong = 0, judged = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(rounds); ++index) {
        double mu[TC_CONE_MAX], size = 1, largest = 1, difference = 0, beside = 0;
        if (draw(family, rows, most, index) != TC_OK || info.margin < TC_C(1e-4)) continue;
        TEST_ASSERT_EQUAL(TC_OK, pull());
        solve_again(mu);
        for (uint32_t k = 0; k < drawn.cone.d; ++k) {
            difference = fmax(difference, fabs((double)by_w0[k] - wide_by[k]));
            size = fmax(size, fabs(wide_by[k]));
        }
        for (uint32_t i = 0; i < drawn.cone.n; ++i) {
            beside = fmax(beside, fabs((double)by_mu[i] - mu[i]));
            largest = fmax(largest, fabs(mu[i]));
        }
        wrong += difference > w0_limit * size || beside > mu_limit * largest;
        ++judged;
    }
    TEST_ASSERT_TRUE_MESSAGE(judged >= TEST_ROUNDS(rounds) / 4u, "problems off pattern changes");
    TEST_ASSERT_TRUE_MESSAGE(wrong <= 1u + judged / 100u, "the second algorithm says otherwise");
}

/* Of boxes only what sticks or slips uniquely: up to two corners. With more, mu's cotangent is one
 * of many (rays that depend on each other). */
static void test_second_algorithm(void)
{
    compare_again(CONE_BODY, 3u, 2u, 160u);
    compare_again(CONE_SPD, 3u, 4u, 80u);
    compare_again(CONE_SPD, 2u, 6u, 80u);
    compare_again(CONE_BODY, 2u, 2u, 80u);
}

/* ---- Differences ----------------------------------------------------------------------------- */

#ifdef TC_DOUBLE
static tc_real at[4][ROWS];

/* w at four places along `direction` of `values`; 0 where a kind changes or a solve fails */
static int sample_line(tc_real *values, const tc_real *direction, uint32_t n, double h)
{
    static const double places[4] = {-2, -1, 1, 2};
    tc_real kept[ROWS];
    const tc_cone_info before = info;
    int same = 1;
    memcpy(kept, values, n * sizeof kept[0]);
    for (uint32_t p = 0; p < 4u; ++p) {
        for (uint32_t k = 0; k < n; ++k) values[k] = kept[k] + places[p] * h * direction[k];
        same = same && solve() == TC_OK;
        for (uint32_t i = 0; i < drawn.cone.n; ++i) same = same && info.kind[i] == before.kind[i];
        memcpy(at[p], w, sizeof w);
    }
    memcpy(values, kept, n * sizeof kept[0]);
    return same;
}

/* Largest difference of dw from the slope, relative to 1 + the slope */
static double slope_error(double h)
{
    double most = 0, size = 1;
    for (uint32_t k = 0; k < drawn.cone.d; ++k) {
        const double slope = (8 * (at[2][k] - at[1][k]) - (at[3][k] - at[0][k])) / (12 * h);
        most = fmax(most, fabs(slope - dw[k]));
        size = fmax(size, fabs(slope));
    }
    return most / size;
}

static void compare_differences(uint32_t family, uint32_t rows, uint32_t most, uint32_t input)
{
    uint32_t wrong = 0, judged = 0;
    for (uint32_t index = 0; index < TEST_ROUNDS(200u); ++index) {
        if (draw(family, rows, most, index) != TC_OK || info.margin < 2e-3) continue;
        const tc_cone *const c = &drawn.cone;
        const uint32_t n = input == 0u ? c->d : c->n;
        tc_real *const values = input == 0u ? drawn.w0 : input == 1u ? drawn.mu : drawn.floor;
        if (input == 2u && c->floor == NULL) continue;
        test_fill(along, n, -1, 1);
        for (uint32_t k = 0; k < n && input > 0u; ++k) along[k] *= values[k];
        const tc_cone_grad direction = {.w0 = input == 0u ? along : NULL,
                                        .mu = input == 1u ? along : NULL,
                                        .floor = input == 2u ? along : NULL};
        TEST_ASSERT_EQUAL(TC_OK, push(&direction));
        if (!sample_line(values, along, n, 3e-4)) continue;
        wrong += slope_error(3e-4) > 1e-6;
        ++judged;
    }
    TEST_ASSERT_TRUE_MESSAGE(wrong <= 1u + judged / 100u, "differences say otherwise");
}

static void test_differences(void)
{
    static const uint32_t families[] = {CONE_BODY, CONE_BOX, CONE_SPD, CONE_GRASP};
    for (uint32_t k = 0; k < TC_COUNT(families); ++k) {
        for (uint32_t rows = 2; rows <= 3u; ++rows) {
            compare_differences(families[k], rows, 4u, 0u);
            compare_differences(families[k], rows, 4u, 2u);
        }
    }
    compare_differences(CONE_BODY, 2u, 4u, 1u);
    compare_differences(CONE_BODY, 3u, 4u, 1u);
}
#endif

/* ---- Adjoint and tangent --------------------------------------------------------------------- */

static double sum_products(const tc_real *a, const tc_real *b, uint32_t n)
{
    double sum = 0;
    for (uint32_t k = 0; k < n; ++k) sum += (double)a[k] * (double)b[k];
    return sum;
}

/* Rounding over the least part of a column that is not dropped: 1e-4 in float, 1e-9 in double */
#ifdef TC_DOUBLE
static const double twin_limit = 1e-8;
#else
static const double twin_limit = 5e-4;
#endif

/* by_w . dw is the sum over the inputs, each alone; scaled by the sizes of what is summed */
static void compare_twins(const tc_real *cotangent, const tc_cone_grad *direction, uint32_t n)
{
    TEST_ASSERT_EQUAL(TC_OK, pull());
    TEST_ASSERT_EQUAL(TC_OK, push(direction));
    double size = 1;
    for (uint32_t k = 0; k < n; ++k) size += fabs((double)cotangent[k] * (double)along[k]);
    const double difference =
        sum_products(cotangent, along, n) - sum_products(by_w, dw, drawn.cone.d);
    TEST_ASSERT_TRUE_MESSAGE(fabs(difference) <= twin_limit * size, "twins differ");
}

/* Of all inputs; every third problem has compliance, so that its columns are soft */
static void test_twins(void)
{
    static const uint32_t families[] = {CONE_BODY, CONE_SPD, CONE_BOX};
    for (uint32_t index = 0; index < TEST_ROUNDS(120u); ++index) {
        const uint32_t rows = 2u + index % 2u;
        if (draw(families[index / 2u % 3u], rows, 4u, index) != TC_OK) continue;
        const tc_cone *const c = &drawn.cone;
        if (index % 3u == 0u) {
            for (uint32_t i = 0; i < c->n; ++i) soft[i] = TC_C(0.1) * (tc_real)(1u + i);
            drawn.cone.compliance = soft;
            if (solve() != TC_OK) continue;
        }
        if (info.margin < TC_C(1e-6))
            continue; /* a kind may be either, with diagonals of any size */
        test_fill(along, c->n * rows * c->d, -1, 1);
        const tc_cone_grad each[5] = {
            {.w0 = along}, {.mu = along}, {.floor = along}, {.compliance = along}, {.G = along}};
        compare_twins(by_w0, &each[0], c->d);
        compare_twins(by_mu, &each[1], c->n);
        compare_twins(by_floor, &each[2], c->n);
        /* f of feet is one of many: so are G's and the compliance's derivatives */
        if (families[index / 2u % 3u] == CONE_BOX) continue;
        compare_twins(by_soft, &each[3], c->n);
        compare_twins(by_G, &each[4], c->n * rows * c->d);
    }
}

/* ---- Known answers --------------------------------------------------------------------------- */

/* A mass point that slips: f_n = (1 + mu) / (1 + mu^2), w = (f_n - 1, 1 - mu f_n); at mu = 0 the
 * derivative is (1, -1), to one side */
static void test_slipping_point(void)
{
    static const tc_real G[4] = {1, 0, 0, 1}, w0[2] = {-1, 1};
    const tc_real one = 1, mus[2] = {0, TC_C(0.5)};
    const tc_cone_grad direction = {.mu = along};
    along[0] = one;
    for (uint32_t k = 0; k < 2u; ++k) {
        const double mu = (double)mus[k], s = 1 + mu * mu;
        const double df = (s - (1 + mu) * 2 * mu) / (s * s), f_n = (1 + mu) / s;
        drawn.cone = (tc_cone){.n = 1, .rows = 2, .d = 2, .G = G, .w0 = w0, .mu = &mus[k]};
        TEST_ASSERT_EQUAL(TC_OK, solve());
        TEST_ASSERT_EQUAL(TC_CONE_SLIP, info.kind[0]);
        TEST_ASSERT_EQUAL(TC_OK, push(&direction));
        test_near((tc_real)df, dw[0], TC_C(2e-6), 0, "normal");
        test_near((tc_real)(-f_n - mu * df), dw[1], TC_C(2e-6), 0, "tangent");
    }
}

/* Four feet of a box that stick: nothing moves them. Twelve rows, six freedoms. */
static void test_sticking_feet(void)
{
    static tc_real G[72], mu[4];
    static const tc_real w0[6] = {TC_C(0.1), TC_C(-0.1), -1, 0, 0, 0};
    for (uint32_t i = 0; i < 4u; ++i) {
        const tc_real x = i & 1u ? 1 : -1, y = i & 2u ? 1 : -1, z = TC_C(-0.3);
        const tc_real rows[18] = {0, 0, 1, y, -x, 0, 1, 0, 0, 0, z, -y, 0, 1, 0, -z, 0, x};
        memcpy(G + 18u * i, rows, sizeof rows);
        mu[i] = 1;
    }
    drawn.cone = (tc_cone){.n = 4, .rows = 3, .d = 6, .G = G, .w0 = w0, .mu = mu};
    TEST_ASSERT_EQUAL(TC_OK, solve());
    test_seed(3u);
    for (uint32_t k = 0; k < 6u; ++k) {
        for (uint32_t j = 0; j < 6u; ++j) by_w[j] = j == k;
        TEST_ASSERT_EQUAL(TC_OK, pull());
        for (uint32_t j = 0; j < 6u; ++j) test_near(0, by_w0[j], TC_C(4e-6), 0, "feet stick");
    }
}

/* A contact twice: the velocity's derivative is that of the contact once. The direction of slip errs
 * by the certificate's 4e-6 over its speed, 1e-2 at least. */
static void test_twice(void)
{
    tc_real once[ROWS], G[36], mu[2];
    for (uint32_t index = 0; index < TEST_ROUNDS(40u); ++index) {
        cone_draw(&cone_families[CONE_BODY], &drawn, 3u, 1u, index);
        test_seed(index + 1u);
        test_fill(by_w, 6u, -1, 1);
        if (solve() != TC_OK || info.margin < TC_C(1e-2)) continue;
        TEST_ASSERT_EQUAL(TC_OK, pull());
        memcpy(once, by_w0, sizeof once);
        memcpy(G, drawn.cone.G, 18u * sizeof G[0]);
        memcpy(G + 18, drawn.cone.G, 18u * sizeof G[0]);
        mu[0] = mu[1] = drawn.mu[0];
        drawn.cone.n = 2;
        drawn.cone.G = G;
        drawn.cone.mu = mu;
        if (solve() != TC_OK) continue;
        TEST_ASSERT_EQUAL(TC_OK, pull());
        for (uint32_t k = 0; k < 6u; ++k) {
            test_near(once[k], by_w0[k], TC_C(2e-3), TC_C(2e-3), "twice the same contact");
        }
    }
}

/* ---- Borders --------------------------------------------------------------------------------- */

static void expect_refused(tc_status expected, const tc_cone *c, const tc_real *impulses,
                           const tc_cone_info *known, const tc_real *cotangent, size_t len)
{
    by_w0[0] = by_G[0] = by_mu[0] = 7;
    TEST_ASSERT_EQUAL(expected,
                      tc_cone_grad_adjoint(c, impulses, known, cotangent, &by, work, len));
    if (c != NULL && expected != TC_ERR_SIZE) {
        TEST_ASSERT_TRUE(by_w0[0] == 0 && by_G[0] == 0 && by_mu[0] == 0);
    }
    const tc_cone_grad direction = {.w0 = cotangent == NULL ? NULL : by_w};
    dw[0] = 7;
    if (cotangent == NULL) return;
    TEST_ASSERT_EQUAL(expected,
                      tc_cone_grad_tangent(c, impulses, known, &direction, dw, work, len));
    if (c != NULL && expected != TC_ERR_SIZE) TEST_ASSERT_TRUE(dw[0] == 0);
}

static void test_borders(void)
{
    TEST_ASSERT_EQUAL(TC_OK, draw(CONE_BODY, 3u, 2u, 2u));
    const tc_cone good = drawn.cone;
    const size_t len = work_of(&good);
    tc_cone bad = good;
    tc_cone_info strange = info;
    expect_refused(TC_ERR_NULL, NULL, f, &info, by_w, len);
    expect_refused(TC_ERR_NULL, &good, NULL, &info, by_w, len);
    expect_refused(TC_ERR_NULL, &good, f, NULL, by_w, len);
    expect_refused(TC_ERR_NULL, &good, f, &info, NULL, len);
    expect_refused(TC_ERR_WORK, &good, f, &info, by_w, len - 1u);
    bad.rows = 4u;
    expect_refused(TC_ERR_SIZE, &bad, f, &info, by_w, len);
    bad = good;
    bad.d = TC_CONE_FREEDOM_MAX + 1u;
    expect_refused(TC_ERR_SIZE, &bad, f, &info, by_w, len);
    bad = good;
    bad.mu = NULL;
    expect_refused(TC_ERR_NULL, &bad, f, &info, by_w, len);
    strange.kind[0] = (tc_cone_kind)5;
    expect_refused(TC_ERR_RANGE, &good, f, &strange, by_w, len);
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                      tc_cone_grad_adjoint(&good, f, &info, by_w, &by, TEST_ODD(work), len));
    by_w[1] = (tc_real)NAN;
    expect_refused(TC_ERR_NOT_FINITE, &good, f, &info, by_w, len);
    by_w[1] = 1;
    drawn.w0[0] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, pull());
}

/* What is not wanted is not written, nothing outside the workspace is, and the rest is the same. */
static void test_wanted(void)
{
    static tc_real storage[GUARDED(WORK)];
    TEST_ASSERT_TRUE(draw(CONE_BODY, 3u, 4u, 3u) >= TC_OK);
    const uint32_t len = (uint32_t)work_of(&drawn.cone);
    tc_real *const guarded = test_guard(storage, len), mu[TC_CONE_MAX];
    TEST_ASSERT_EQUAL(TC_OK, pull());
    memcpy(mu, by_mu, sizeof mu);
    const tc_cone_grad only = {.mu = by_mu};
    by_w0[0] = 7;
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_cone_grad_adjoint(&drawn.cone, f, &info, by_w, &only, guarded, len));
    test_guard_check(storage, len);
    TEST_ASSERT_TRUE(by_w0[0] == 7);
    TEST_ASSERT_EQUAL_MEMORY(mu, by_mu, drawn.cone.n * sizeof mu[0]);
    drawn.cone.n = 0;
    TEST_ASSERT_EQUAL(TC_OK, pull());
    TEST_ASSERT_EQUAL_MEMORY(by_w, by_w0, drawn.cone.d * sizeof by_w[0]);
}

static void test_same_bits(void)
{
    uint32_t hash = TEST_HASH_START;
    for (uint32_t index = 0; index < 24u; ++index) {
        const uint32_t rows = 2u + index % 2u;
        if (draw(index % 4u < 2u ? CONE_BODY : CONE_BOX, rows, 4u, index) < TC_OK) continue;
        (void)pull();
        hash = test_hash(hash, by_G, drawn.cone.n * rows * drawn.cone.d);
        hash = test_hash(hash, by_w0, drawn.cone.d);
        hash = test_hash(hash, by_mu, drawn.cone.n);
        hash = test_hash(hash, by_floor, drawn.cone.n);
    }
    test_golden("cone.grad", hash);
}

void suite_cone_grad(void)
{
    RUN_TEST(test_second_algorithm);
#ifdef TC_DOUBLE
    RUN_TEST(test_differences);
#endif
    RUN_TEST(test_twins);
    RUN_TEST(test_slipping_point);
    RUN_TEST(test_sticking_feet);
    RUN_TEST(test_twice);
    RUN_TEST(test_borders);
    RUN_TEST(test_wanted);
    RUN_TEST(test_same_bits);
}
