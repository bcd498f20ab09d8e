/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Levenberg-Marquardt against problems whose answer is known: straight lines of sums solved in
 * double, bounded ones tried on every set of bounds, curves that made their own data.
 *
 * Tolerances: observations are of order 1, so a parameter is right to a few 1e-6 in float where the
 * columns are independent; test_lines keeps the condition number below 1e3.
 */
#include "test.h"

#include "tc_fit.h"

#include <math.h>

#define N TC_FIT_MAX
#define ROWS 40u

static tc_real guarded[TC_FIT_WORK(N) + 2u * TEST_GUARD_WORDS], *work;
static tc_real theta[N], low[N], high[N], deviation[N];
static tc_fit_info info;
static tc_fit_config config;

/* What a test's residuals are made of. */
typedef struct problem_fit {
    uint32_t n, rows, calls;
    double X[ROWS][N], y[ROWS];
    int fails_beyond; /* a residual does not exist for theta[0] > 1 */
    int nan;
    tc_status status;
} problem_fit;
static problem_fit problem;

static tc_status lines(void *context, const tc_real *at, tc_fit_sums *sums)
{
    problem_fit *const p = context;
    ++p->calls;
    if (p->status < TC_OK || (p->fails_beyond && at[0] > TC_C(1.0))) {
        return p->status < TC_OK ? p->status : TC_ERR_NO_SOLUTION;
    }
    for (uint32_t m = 0; m < p->rows; ++m) {
        tc_real row[N], r = (tc_real)-p->y[m];
        for (uint32_t i = 0; i < p->n; ++i) {
            row[i] = (tc_real)p->X[m][i];
            r += row[i] * at[i];
        }
        tc_fit_add(sums, p->nan ? (tc_real)NAN : r, row);
    }
    return TC_OK;
}

/* a exp(-b t) + c at 30 instants; the data are those of (2, 3, 0.5) */
static tc_status decay(void *context, const tc_real *at, tc_fit_sums *sums)
{
    (void)context;
    for (uint32_t m = 0; m < 30u; ++m) {
        const double t = 0.05 * m, truth = 2.0 * exp(-3.0 * t) + 0.5;
        const double e = exp(-(double)at[1] * t);
        const tc_real row[3] = {(tc_real)e, (tc_real)(-(double)at[0] * t * e), TC_C(1.0)};
        tc_fit_add(sums, (tc_real)((double)at[0] * e + (double)at[2] - truth), row);
    }
    return TC_OK;
}

/* sin(w t): many minima in w; the data are those of w = 7 */
static tc_status wave(void *context, const tc_real *at, tc_fit_sums *sums)
{
    (void)context;
    for (uint32_t m = 0; m < 40u; ++m) {
        const double t = 0.1 * m;
        const tc_real row[1] = {(tc_real)(t * cos((double)at[0] * t))};
        tc_fit_add(sums, (tc_real)(sin((double)at[0] * t) - sin(7.0 * t)), row);
    }
    return TC_OK;
}

static void prepare(uint32_t n)
{
    work = test_guard(guarded, TC_FIT_WORK(n));
    config = tc_fit_default();
    memset(&problem, 0, sizeof problem);
    problem.n = n;
    for (uint32_t i = 0; i < N; ++i) {
        theta[i] = TC_C(0.0);
        low[i] = TC_C(-100.0);
        high[i] = TC_C(100.0);
    }
}

static void solve(tc_status expected, uint32_t n, tc_fit_function function)
{
    TEST_ASSERT_EQUAL(expected, tc_fit_solve(&config, n, function, &problem, low, high, theta,
                                             deviation, &info, work, TC_FIT_WORK(n)));
    test_guard_check(guarded, TC_FIT_WORK(n));
}

static void draw_lines(uint32_t n, uint32_t rows)
{
    prepare(n);
    problem.rows = rows;
    for (uint32_t m = 0; m < rows; ++m) {
        for (uint32_t i = 0; i < n; ++i) {
            problem.X[m][i] =
                (double)test_uniform(TC_C(-1.0), TC_C(1.0)) + (m % n == i ? 2.0 : 0.0);
        }
        problem.y[m] = (double)test_uniform(TC_C(-3.0), TC_C(3.0));
    }
}

/* x of the normal equations in double, the parameters of `held` at theirs; `inverse` their
 * covariance by the noise of one. By Gauss and Jordan. */
static void solve_lines(uint32_t held, const double *at, double *x, double *inverse)
{
    const uint32_t n = problem.n;
    double A[N][2u * N + 1u];
    memset(A, 0, sizeof A);
    for (uint32_t i = 0; i < n; ++i) {
        A[i][i] = 1.0;
        A[i][2u * n] = at[i];
        A[i][n + i] = 1.0;
        for (uint32_t j = 0; j < n && (held >> i & 1u) == 0u; ++j) {
            A[i][j] = 0.0;
            for (uint32_t m = 0; m < problem.rows; ++m) {
                A[i][j] += problem.X[m][i] * problem.X[m][j];
            }
        }
        for (uint32_t m = 0; m < problem.rows && (held >> i & 1u) == 0u; ++m) {
            A[i][2u * n] = (m == 0u ? 0.0 : A[i][2u * n]) + problem.X[m][i] * problem.y[m];
        }
    }
    for (uint32_t k = 0; k < n; ++k) {
        for (uint32_t i = 0; i < n; ++i) {
            const double factor = A[i][k] / A[k][k];
            for (uint32_t j = 0; j <= 2u * n && i != k; ++j) {
                A[i][j] -= factor * A[k][j];
            }
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        x[i] = A[i][2u * n] / A[i][i];
        inverse[i] = A[i][n + i] / A[i][i];
    }
}

static double loss_of(const double *x)
{
    double sum = 0.0;
    for (uint32_t m = 0; m < problem.rows; ++m) {
        double r = -problem.y[m];
        for (uint32_t i = 0; i < problem.n; ++i) {
            r += problem.X[m][i] * x[i];
        }
        sum += r * r;
    }
    return sum;
}

static void test_lines(void)
{
    test_seed(101);
    for (uint32_t k = 0; k < TEST_ROUNDS(200); ++k) {
        const uint32_t n = 1u + k % N;
        double x[N], inverse[N], zero[N] = {0};
        draw_lines(n, n + 1u + test_below(ROWS - n));
        solve_lines(0, zero, x, inverse);
        solve(TC_OK, n, lines);
        const double noise = sqrt(loss_of(x) / (problem.rows - n));
        for (uint32_t i = 0; i < n; ++i) {
            test_near((tc_real)x[i], theta[i], TC_C(5e-5), TC_C(5e-5), "parameter");
            test_near((tc_real)(noise * sqrt(inverse[i])), deviation[i], TC_C(2e-5), TC_C(2e-3),
                      "deviation");
        }
        test_near((tc_real)sqrt(loss_of(x) / problem.rows), info.rms, TC_C(1e-5), TC_C(1e-4),
                  "rms");
        TEST_ASSERT_EQUAL_UINT32(problem.rows, info.rows);
        TEST_ASSERT_EQUAL_UINT32(problem.calls, info.evaluations);
        TEST_ASSERT_TRUE(info.evaluations <= 5u && info.at_bound == 0u && info.unseen == 0u);
        config.noise = TC_C(0.25);
        solve(TC_OK, n, lines);
        test_near((tc_real)(0.25 * sqrt(inverse[0])), deviation[0], TC_C(1e-6), TC_C(2e-3),
                  "noise");
    }
}

/* The least loss over all sets of parameters that are held at a bound, whose rest is within. */
static double bounded_loss_of(uint32_t n)
{
    uint32_t sets = 1;
    double best = (double)INFINITY;
    for (uint32_t i = 0; i < n; ++i) {
        sets *= 3u;
    }
    for (uint32_t set = 0; set < sets; ++set) {
        double at[N], x[N], inverse[N];
        uint32_t held = 0, inside = 1;
        for (uint32_t i = 0, code = set; i < n; ++i, code /= 3u) {
            held |= code % 3u == 0u ? 0u : 1u << i;
            at[i] = (double)(code % 3u == 1u ? low[i] : high[i]);
        }
        solve_lines(held, at, x, inverse);
        for (uint32_t i = 0; i < n; ++i) {
            inside &= x[i] >= (double)low[i] - 1e-9 && x[i] <= (double)high[i] + 1e-9;
        }
        best = inside && loss_of(x) < best ? loss_of(x) : best;
    }
    return best;
}

static void test_bounds(void)
{
    test_seed(103);
    for (uint32_t k = 0; k < TEST_ROUNDS(120); ++k) {
        const uint32_t n = 1u + k % 4u;
        double x[N];
        draw_lines(n, n + 2u + test_below(10));
        for (uint32_t i = 0; i < n; ++i) {
            low[i] = test_uniform(TC_C(-0.5), TC_C(0.0));
            high[i] = test_uniform(TC_C(0.0), TC_C(0.5));
        }
        solve(TC_OK, n, lines);
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t met = theta[i] <= low[i] || theta[i] >= high[i];
            TEST_ASSERT_TRUE(theta[i] >= low[i] && theta[i] <= high[i]);
            TEST_ASSERT_EQUAL_UINT32(met, info.at_bound >> i & 1u);
            x[i] = (double)theta[i];
        }
        const double best = bounded_loss_of(n);
        TEST_ASSERT_TRUE(loss_of(x) <= best + 1e-4 * (1.0 + best));
    }
}

static void test_curve(void)
{
    prepare(3);
    theta[0] = TC_C(1.0);
    theta[1] = TC_C(1.0);
    solve(TC_OK, 3, decay);
    test_near(TC_C(2.0), theta[0], TC_C(2e-5), 0, "a");
    test_near(TC_C(3.0), theta[1], TC_C(5e-5), 0, "b");
    test_near(TC_C(0.5), theta[2], TC_C(2e-5), 0, "c");
    TEST_ASSERT_TRUE(info.evaluations <= 12u && info.rms < TC_C(1e-5));
}

/* Four residuals of size 1 that no parameter changes by much; the minimum is at 0. Two columns are
 * parallel but for a part `apart` of each. */
static void level_lines(uint32_t n, double size, double apart)
{
    prepare(n);
    problem.rows = 4;
    for (uint32_t m = 0; m < 4u; ++m) {
        problem.X[m][0] = 1.0;
        problem.X[m][1] = m % 2u == 0u ? 1.0 + apart : 1.0 - apart;
        problem.y[m] = m < 2u ? size : -size;
    }
}

/* Each reason to stop alone: the first damping leaves 1e-4 of the way for the second step, the next
 * 1e-5 of that, so that the evaluations tell at which step the search saw the reason. */
static void test_stops(void)
{
    level_lines(1, 1.0, 0.0); /* the second step changes residuals by 0.6e-3 of them, or by 2e-3 */
    theta[0] = TC_C(6.0);
    solve(TC_OK, 1, lines);
    TEST_ASSERT_EQUAL_UINT32(3, info.evaluations);
    theta[0] = TC_C(20.0);
    solve(TC_OK, 1, lines);
    TEST_ASSERT_EQUAL_UINT32(4, info.evaluations);
    level_lines(1, 0.0, 0.0); /* no residual remains: the second step is 1e-4 of the parameter */
    for (uint32_t m = 0; m < 4u; ++m) problem.y[m] = 3.0;
    config.tolerance = TC_C(1e-3);
    solve(TC_OK, 1, lines);
    TEST_ASSERT_EQUAL_UINT32(3, info.evaluations);
    theta[0] = TC_C(0.0);
    config.tolerance = TC_C(1e-5);
    solve(TC_OK, 1, lines);
    TEST_ASSERT_TRUE(info.evaluations > 3u);
#ifndef TC_DOUBLE
    level_lines(2, 1.0, 0.15); /* a way along which the loss falls by less than its rounding */
    theta[0] = TC_C(2e-3);
    theta[1] = TC_C(-2e-3);
    solve(TC_OK, 2, lines);
    TEST_ASSERT_EQUAL_UINT32(2, info.evaluations);
#endif
}

/* One start ends in a minimum beside; several find the least. */
static void test_several_starts(void)
{
    prepare(1);
    low[0] = TC_C(0.5);
    high[0] = TC_C(20.0);
    theta[0] = TC_C(13.0);
    config.max_evaluations = 200; /* far from the data steps are short of the true curvature */
    solve(TC_OK, 1, wave);
    TEST_ASSERT_TRUE(fabs((double)theta[0] - 7.0) > 1.0);
    config.starts = 32;
    config.enough = TC_C(1e-4);
    solve(TC_OK, 1, wave);
    test_near(TC_C(7.0), theta[0], TC_C(1e-5), 0, "frequency");
    TEST_ASSERT_TRUE(info.starts > 1u && info.starts < 32u && info.start == info.starts - 1u);
    config.enough = TC_C(0.0); /* none, except after an exact fit */
    theta[0] = TC_C(13.0);
    solve(TC_OK, 1, wave);
    TEST_ASSERT_TRUE(info.starts == 32u || info.rms == TC_C(0.0));
    test_near(TC_C(7.0), theta[0], TC_C(1e-5), 0, "frequency");
}

/* Other units of a parameter, other numbers only. */
static void test_units(void)
{
    test_seed(107);
    for (uint32_t k = 0; k < TEST_ROUNDS(20); ++k) {
        static const double unit[3] = {1048576.0, 1.0, 1.0 / 1048576.0};
        tc_real first[3];
        draw_lines(3, 12);
        low[0] = low[1] = low[2] = TC_C(-1e9);
        high[0] = high[1] = high[2] = TC_C(1e9);
        solve(TC_OK, 3, lines);
        memcpy(first, theta, sizeof first);
        const uint32_t evaluations = info.evaluations;
        for (uint32_t m = 0; m < problem.rows; ++m) {
            for (uint32_t i = 0; i < 3u; ++i) {
                problem.X[m][i] = (double)(tc_real)problem.X[m][i] / unit[i];
            }
        }
        theta[0] = theta[1] = theta[2] = TC_C(0.0);
        solve(TC_OK, 3, lines);
        TEST_ASSERT_EQUAL_UINT32(evaluations, info.evaluations);
        for (uint32_t i = 0; i < 3u; ++i) {
            TEST_ASSERT_TRUE(theta[i] == (tc_real)unit[i] * first[i]);
        }
    }
}

/* Without effect, or two with the same effect */
static void test_unseen(void)
{
    test_seed(109);
    draw_lines(3, 20);
    for (uint32_t m = 0; m < problem.rows; ++m) {
        problem.X[m][1] = 0.0;
    }
    theta[1] = TC_C(4.0);
    solve(TC_NOTE_RANK, 3, lines);
    TEST_ASSERT_EQUAL_UINT32(2, info.unseen);
    TEST_ASSERT_TRUE(theta[1] == TC_C(4.0) && deviation[1] == TC_C(0.0));
    TEST_ASSERT_TRUE(deviation[0] > TC_C(0.0) && deviation[2] > TC_C(0.0));
    draw_lines(2, 20);
    for (uint32_t m = 0; m < problem.rows; ++m) {
        problem.X[m][1] = problem.X[m][0];
    }
    solve(TC_NOTE_RANK, 2, lines);
    TEST_ASSERT_EQUAL_UINT32(3, info.unseen);
    TEST_ASSERT_TRUE(deviation[0] == TC_C(0.0) && deviation[1] == TC_C(0.0));
}

/* No residual beyond theta = 1, where the minimum would be; and too few evaluations. */
static void test_ends(void)
{
    prepare(1);
    problem.rows = 4;
    problem.fails_beyond = 1;
    for (uint32_t m = 0; m < 4u; ++m) {
        problem.X[m][0] = 1.0;
        problem.y[m] = 2.0;
    }
    tc_status status = tc_fit_solve(&config, 1, lines, &problem, NULL, NULL, theta, NULL, NULL,
                                    work, TC_FIT_WORK(1u));
    TEST_ASSERT_TRUE(status >= TC_OK && theta[0] <= TC_C(1.0) && theta[0] > TC_C(0.9));
    prepare(3);
    theta[0] = theta[1] = TC_C(1.0);
    config.max_evaluations = 3;
    solve(TC_NOTE_LIMIT, 3, decay);
    TEST_ASSERT_EQUAL_UINT32(3, info.evaluations);
}

static void refuse(tc_status expected, uint32_t n)
{
    tc_real before[N];
    memcpy(before, theta, sizeof before);
    memset(&info, 1, sizeof info);
    deviation[0] = TC_C(1.0);
    solve(expected, n, lines);
    TEST_ASSERT_EQUAL_MEMORY(before, theta, sizeof before);
    TEST_ASSERT_TRUE(deviation[0] == TC_C(0.0) && info.evaluations == 0u && info.rows == 0u);
}

static void test_refused(void)
{
    static const tc_real wrong[2] = {(tc_real)NAN, (tc_real)INFINITY};
    test_seed(113);
    for (uint32_t k = 0; k < 2u; ++k) {
        draw_lines(2, 5);
        theta[1] = wrong[k];
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                          tc_fit_solve(&config, 2, lines, &problem, low, high, theta, deviation,
                                       &info, work, TC_FIT_WORK(2u)));
        draw_lines(2, 5);
        low[1] = wrong[k];
        refuse(TC_ERR_NOT_FINITE, 2);
        draw_lines(2, 5);
        config.noise = wrong[k];
        refuse(TC_ERR_NOT_FINITE, 2);
    }
    draw_lines(2, 5);
    problem.nan = 1;
    refuse(TC_ERR_NOT_FINITE, 2);
    draw_lines(2, 5);
    problem.status = TC_ERR_BODY;
    config.starts = 4;
    refuse(TC_ERR_BODY, 2);
    TEST_ASSERT_EQUAL_UINT32(4, problem.calls);
    draw_lines(2, 5);
    low[0] = TC_C(0.5);
    refuse(TC_ERR_RANGE, 2);
    for (uint32_t k = 0; k < 8u; ++k) {
        draw_lines(2, 5);
        config.tolerance = k == 0u ? TC_C(0.0) : k == 1u ? TC_C(0.2) : config.tolerance;
        config.damping = k == 2u ? TC_C(0.0) : config.damping;
        config.noise = k == 3u ? TC_C(-1.0) : config.noise;
        config.enough = k == 4u ? TC_C(-1.0) : config.enough;
        config.starts = k == 5u ? 0u : k == 6u ? TC_FIT_STARTS + 1u : 1u;
        config.max_evaluations = k == 7u ? 1u : 40u;
        refuse(TC_ERR_RANGE, 2);
    }
    draw_lines(2, 5);
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_fit_solve(&config, 0, lines, &problem, low, high, theta,
                                                deviation, &info, work, TC_FIT_WORK(2u)));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_fit_solve(&config, N + 1u, lines, &problem, low, high, theta,
                                                deviation, &info, work, TC_FIT_WORK(2u)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_fit_solve(&config, 2, lines, &problem, low, high, theta,
                                                deviation, &info, work, TC_FIT_WORK(2u) - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                      tc_fit_solve(&config, 2, lines, &problem, low, high, theta, deviation, &info,
                                   TEST_ODD(work), TC_FIT_WORK(2u)));
}

static void test_null(void)
{
    draw_lines(2, 5);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_fit_solve(NULL, 2, lines, &problem, low, high, theta, NULL,
                                                NULL, work, TC_FIT_WORK(2u)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_fit_solve(&config, 2, NULL, &problem, low, high, theta, NULL,
                                                NULL, work, TC_FIT_WORK(2u)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_fit_solve(&config, 2, lines, &problem, low, high, NULL, NULL,
                                                NULL, work, TC_FIT_WORK(2u)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_fit_solve(&config, 2, lines, &problem, low, high, theta, NULL,
                                                NULL, NULL, TC_FIT_WORK(2u)));
    config.starts = 2;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_fit_solve(&config, 2, lines, &problem, NULL, high, theta,
                                                NULL, NULL, work, TC_FIT_WORK(2u)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_fit_solve(&config, 2, lines, &problem, low, NULL, theta, NULL,
                                                NULL, work, TC_FIT_WORK(2u)));
}

void suite_fit(void)
{
    RUN_TEST(test_lines);
    RUN_TEST(test_bounds);
    RUN_TEST(test_curve);
    RUN_TEST(test_stops);
    RUN_TEST(test_several_starts);
    RUN_TEST(test_units);
    RUN_TEST(test_unseen);
    RUN_TEST(test_ends);
    RUN_TEST(test_refused);
    RUN_TEST(test_null);
}
