/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of the banded solver: the tangent against central differences of solves in double,
 * the adjoint against the tangent by the definition of an adjoint, borders.
 */
#include "band_case.h"

#include <math.h>

#define N 24u
#define PITCH BAND_CASE_PITCH
#ifdef TC_DOUBLE
#define DUAL 1e-8 /* of the terms: bending is ill-conditioned by 1e6 */
#else
#define DUAL 2e-4
#endif

static band_case drawn;
static tc_real f[N], w[N], solved[TC_BAND_WORK(N, TC_BAND_WIDTH_MAX)], work[TC_BAND_GRAD_WORK(N)];
static tc_real dA[N * PITCH], dq[N], dfloor[N], df[N], dw[N];
static tc_real by_A[N * PITCH], by_q[N], by_floor[N], by_f[N], by_w[N];
static const tc_band_grad along = {dA, dq, dfloor}, by = {by_A, by_q, by_floor};
static tc_band_info info;

static tc_status solve_drawn(void)
{
    return tc_band_solve(&drawn.problem, f, w, &info, solved, TC_COUNT(solved));
}

/* A direction of all inputs; of A and q that which a direction of G and w0 has, so that singular
 * problems stay in their family */
static void draw_direction(int singular)
{
    const uint32_t n = drawn.problem.n, width = drawn.problem.width;
    double w0[BAND_CASE_MAX + TC_BAND_WIDTH_MAX];
    for (uint32_t k = 0; k < drawn.columns; ++k) w0[k] = (double)test_uniform(-1, 1);
    for (uint32_t i = 0; i < n; ++i) {
        dq[i] = (tc_real)band_case_product(&drawn, i, w0);
        dfloor[i] = drawn.problem.floor != NULL ? test_uniform(-1, 1) : 0;
        for (uint32_t c = 0; c <= width; ++c) {
            dA[i * (width + 1u) + c] = c > i || singular ? 0 : test_uniform(-1, 1);
        }
    }
}

static void draw_any(uint32_t round)
{
    const band_family family = (band_family)(round % BAND_FAMILIES);
    const uint32_t least = family == BAND_BENDING ? 2u : 1u;
    band_case_draw(&drawn, family, 2u + test_below(N - 2u), least + test_below(5),
                   (int)(round / 4u % 2u));
    draw_direction(family == BAND_TWICE);
}

/* <by_f, df> + <by_w, dw> = <by_A, dA> + <by_q, dq> + <by_floor, dfloor> */
static void test_adjoint_is_adjoint(void)
{
    test_seed(51);
    for (uint32_t round = 0; round < TEST_ROUNDS(200u); ++round) {
        draw_any(round);
        const uint32_t n = drawn.problem.n, numbers = n * (drawn.problem.width + 1u);
        const int singular = round % BAND_FAMILIES == BAND_TWICE;
        double left = 0, right = 0, terms = 0;
        TEST_ASSERT_TRUE(solve_drawn() >= TC_OK);
        for (uint32_t i = 0; i < n; ++i) {
            by_f[i] = singular ? 0 : test_uniform(-1, 1);
            by_w[i] = test_uniform(-1, 1);
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_band_grad_tangent(&drawn.problem, f, solved, &along, df, dw,
                                                      work, TC_COUNT(work)));
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_band_grad_adjoint(&drawn.problem, f, solved, singular ? NULL : by_f,
                                               by_w, &by, work, TC_COUNT(work)));
        for (uint32_t i = 0; i < n; ++i) {
            const double a = (double)by_f[i] * (double)df[i], b = (double)by_w[i] * (double)dw[i];
            const double c = (double)by_q[i] * (double)dq[i];
            const double d = (double)by_floor[i] * (double)dfloor[i];
            const int active = solved[i * (drawn.problem.width + 1u)] != 0;
            TEST_ASSERT_TRUE_MESSAGE(!active || by_floor[i] == 0, "an active contact has no floor");
            left += a + b;
            right += c + d;
            terms += fabs(a) + fabs(b) + fabs(c) + fabs(d);
        }
        for (uint32_t k = 0; k < numbers; ++k) {
            right += (double)by_A[k] * (double)dA[k];
            terms += fabs((double)by_A[k] * (double)dA[k]);
        }
        TEST_ASSERT_TRUE(fabs(left - right) <= DUAL * terms);
    }
}

#ifdef TC_DOUBLE
#define STEP 1e-7

static band_case moved;

static tc_status solve_moved(double t, tc_real *f_out, tc_real *w_out)
{
    static tc_real unused[TC_BAND_WORK(N, TC_BAND_WIDTH_MAX)];
    const uint32_t pitch = drawn.problem.width + 1u;
    moved = drawn;
    moved.problem.A = moved.A;
    moved.problem.q = moved.q;
    moved.problem.floor = drawn.problem.floor != NULL ? moved.floor : NULL;
    for (uint32_t i = 0; i < drawn.problem.n; ++i) {
        moved.q[i] += t * dq[i];
        moved.floor[i] = fmax(0, moved.floor[i] + t * dfloor[i]);
        for (uint32_t c = 0; c < pitch && c <= i; ++c)
            moved.A[i * pitch + c] += t * dA[i * pitch + c];
    }
    return tc_band_solve(&moved.problem, f_out, w_out, NULL, unused, TC_COUNT(unused));
}

/* The tangent, of f where that is unique and of w always, against differences of solves that are
 * far from a change of the active set. A floor at 0 is held there. */
static void test_differences(void)
{
    static tc_real f_up[N], w_up[N], f_down[N], w_down[N];
    uint32_t counted = 0;
    test_seed(52);
    for (uint32_t round = 0; round < TEST_ROUNDS(400u); ++round) {
        draw_any(round);
        for (uint32_t i = 0; i < drawn.problem.n; ++i) dfloor[i] *= drawn.floor[i];
        const int singular = round % BAND_FAMILIES == BAND_TWICE;
        TEST_ASSERT_TRUE(solve_drawn() >= TC_OK);
        if (info.margin < 1e-3 && !singular) continue;
        if (round % BAND_FAMILIES == BAND_BENDING && drawn.problem.n > 8u) continue;
        TEST_ASSERT_EQUAL(TC_OK, tc_band_grad_tangent(&drawn.problem, f, solved, &along, df, dw,
                                                      work, TC_COUNT(work)));
        TEST_ASSERT_TRUE(solve_moved(STEP, f_up, w_up) >= TC_OK);
        TEST_ASSERT_TRUE(solve_moved(-STEP, f_down, w_down) >= TC_OK);
        double worst = 0, largest = 1;
        for (uint32_t i = 0; i < drawn.problem.n; ++i) {
            worst = fmax(worst, fabs((w_up[i] - w_down[i]) / (2 * STEP) - dw[i]));
            if (!singular) worst = fmax(worst, fabs((f_up[i] - f_down[i]) / (2 * STEP) - df[i]));
            largest = fmax(largest, singular ? fabs(dw[i]) : fmax(fabs(df[i]), fabs(dw[i])));
        }
        TEST_ASSERT_TRUE_MESSAGE(worst <= (singular ? 1e-3 : 1e-5) * largest, "differences");
        ++counted;
    }
    TEST_ASSERT_TRUE_MESSAGE(4u * counted >= TEST_ROUNDS(400u), "most are far from a change");
}
#endif

static void test_grad_statuses(void)
{
    test_seed(53);
    band_case_draw(&drawn, BAND_RANDOM, 5, 2, 1);
    draw_direction(0);
    TEST_ASSERT_EQUAL(TC_OK, solve_drawn());
    const tc_band *const p = &drawn.problem;
    const size_t len = TC_BAND_GRAD_WORK(5u);
    const tc_band none = {.n = 0};
    tc_band large = *p;
    memset(by_f, 0, sizeof by_f);
    TEST_ASSERT_EQUAL(TC_OK, tc_band_grad_adjoint(&none, NULL, NULL, NULL, NULL, &by, NULL, 0));
    TEST_ASSERT_EQUAL(TC_OK, tc_band_grad_tangent(&none, NULL, NULL, &along, NULL, NULL, NULL, 0));
    TEST_ASSERT_EQUAL(TC_OK, tc_band_grad_adjoint(p, f, solved, by_f, NULL, &by, work, len));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_band_grad_adjoint(p, f, solved, by_f, NULL, &by, work, len - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_band_grad_tangent(p, f, solved, &along, df, dw, work, len - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                      tc_band_grad_adjoint(p, f, solved, by_f, NULL, &by, TEST_ODD(work), len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_band_grad_adjoint(p, NULL, solved, by_f, NULL, &by, work, len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_band_grad_adjoint(p, f, NULL, by_f, NULL, &by, work, len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_band_grad_adjoint(p, f, solved, by_f, NULL, NULL, work, len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_band_grad_tangent(p, f, solved, &along, NULL, dw, work, len));
    by_q[1] = -7;
    large.n = TC_BAND_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE,
                      tc_band_grad_adjoint(&large, f, solved, by_f, NULL, &by, work, len));
    TEST_ASSERT_TRUE_MESSAGE(by_q[1] == -7, "unchanged after TC_ERR_SIZE");
    by_f[4] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_band_grad_adjoint(p, f, solved, by_f, NULL, &by, work, len));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_band_grad_adjoint(p, f, solved, NULL, by_f, &by, work, len));
    TEST_ASSERT_TRUE_MESSAGE(by_q[1] == 0 && by_A[4] == 0 && by_floor[4] == 0,
                             "zero after an error");
    dA[5] = (tc_real)INFINITY;
    TEST_ASSERT_EQUAL_MESSAGE(TC_OK, tc_band_grad_tangent(p, f, solved, &along, df, dw, work, len),
                              "left of column 0");
    dA[7] = (tc_real)INFINITY;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_band_grad_tangent(p, f, solved, &along, df, dw, work, len));
    TEST_ASSERT_TRUE_MESSAGE(df[4] == 0 && dw[0] == 0, "zero after an error");
}

/* Cotangents that are not wanted, and those of by_w = 0 */
static void test_parts(void)
{
    static tc_real alone[N];
    const tc_band_grad only = {NULL, alone, NULL};
    test_seed(54);
    draw_any(0);
    TEST_ASSERT_EQUAL(TC_OK, solve_drawn());
    test_fill(by_f, N, -1, 1);
    memset(by_w, 0, sizeof by_w);
    TEST_ASSERT_EQUAL(TC_OK, tc_band_grad_adjoint(&drawn.problem, f, solved, by_f, by_w, &by, work,
                                                  TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_OK, tc_band_grad_adjoint(&drawn.problem, f, solved, by_f, NULL, &only,
                                                  work, TC_COUNT(work)));
    for (uint32_t i = 0; i < drawn.problem.n; ++i) TEST_ASSERT_TRUE(alone[i] == by_q[i]);
}

void suite_band_grad(void)
{
    RUN_TEST(test_adjoint_is_adjoint);
#ifdef TC_DOUBLE
    RUN_TEST(test_differences);
#endif
    RUN_TEST(test_grad_statuses);
    RUN_TEST(test_parts);
}
