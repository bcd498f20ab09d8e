/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of cone problems, and impacts, 40 draws of each kind and size:
 *
 *   cone2_adjoint, cone3_adjoint, cone3_box_adjoint   cotangents of G, w0, mu and floor, after the
 *                                                     compression of bench_cone.c's draws
 *   impact3_box, impact3_box_coulomb                  both phases of a box, by either law
 *   impact3_box_adjoint                               of both phases
 *
 * A derivative is judged by its twin: by_w . dw must be the sum of cotangents times direction. An
 * impact is judged by its floors and by the energy, which must not grow.
 */
#include "bench.h"
#include "cone_families.h"
#include "tinycontact.h"

#define DRAWS 40u
#define ROWS (TC_CONE3_MAX * 3u)
#define FREEDOMS 6u

static cone_problem drawn;
static tc_cone_info info;
static tc_impact problem;
static tc_impact_info found;
static tc_real f_c[ROWS], u_c[ROWS], w_c[FREEDOMS], f[ROWS], u[ROWS], w[FREEDOMS], least[FREEDOMS];
static const tc_impact_answer answer = {f_c, u_c, w_c, f, u, w, least};
static tc_real by_G[ROWS * FREEDOMS], by_w0[FREEDOMS], by_mu[TC_CONE_MAX], by_floor[TC_CONE_MAX];
static tc_real by_w[FREEDOMS], direction[FREEDOMS], dw[FREEDOMS];
static tc_real rest[TC_IMPACT_WORK(TC_CONE3_MAX, 3u, FREEDOMS)];
static size_t work_len; /* an application's is a constant */

static void draw(uint32_t family, uint32_t rows)
{
    uint32_t index = 1000u * bench.draw;
    do {
        cone_draw(&cone_families[family], &drawn, rows, bench.n, index++);
    } while (!cone_approaches(&drawn.cone));
    bench_seed(88172645u + bench.draw);
    bench_fill(by_w, FREEDOMS, -1, 1);
    bench_fill(direction, FREEDOMS, -1, 1);
    bench.expected[0] = 0;
    bench.compared = 1;
}

static void solve_cone(uint32_t family, uint32_t rows)
{
    draw(family, rows);
    (void)tc_cone_solve(&drawn.cone, f, u, w, &info, rest, TC_COUNT(rest));
}

static void prepare_two(void)
{
    solve_cone(CONE_BODY, 2u);
}

static void prepare_three(void)
{
    solve_cone(CONE_BODY, 3u);
}

static void prepare_box(void)
{
    solve_cone(CONE_BOX, 3u);
}

static void draw_impact(tc_impact_law law)
{
    draw(CONE_BOX, 3u);
    problem = (tc_impact){.contact = drawn.cone, .e = drawn.e, .law = law};
    for (uint32_t i = 0; i < bench.n; i++) {
        drawn.e[i] = TC_C(0.5);
    }
}

static void prepare_impact(void)
{
    draw_impact(TC_IMPACT_CONVEX);
}

static void prepare_coulomb(void)
{
    draw_impact(TC_IMPACT_COULOMB);
}

static void prepare_impact_adjoint(void)
{
    draw_impact(TC_IMPACT_CONVEX);
    (void)tc_impact_solve(&problem, &answer, &found, rest, TC_COUNT(rest));
}

/* |by_w . dw - by_w0 . direction| */
static void compare_twins(tc_status status, tc_status twin)
{
    double difference = 0;
    for (uint32_t k = 0; k < drawn.cone.d; k++) {
        difference += (double)by_w[k] * (double)dw[k] - (double)by_w0[k] * (double)direction[k];
    }
    if (status == TC_OK && twin == TC_OK) {
        bench.result[0] = (tc_real)difference;
    }
}

static void run_adjoint(void)
{
    const tc_cone_grad by = {by_G, by_w0, by_mu, by_floor, NULL}, along = {.w0 = direction};
    tc_status status;
    work_len = TC_CONE_GRAD_WORK(bench.n, drawn.cone.rows, drawn.cone.d);
    BENCH_REGION(status = tc_cone_grad_adjoint(&drawn.cone, f, &info, by_w, &by, rest, work_len));
    compare_twins(status, tc_cone_grad_tangent(&drawn.cone, f, &info, &along, dw, rest, work_len));
}

static void run_impact_adjoint(void)
{
    const tc_impact_grad by = {by_G, by_w0, by_mu, by_floor, NULL}, along = {.w0 = direction};
    tc_status status;
    work_len = TC_IMPACT_GRAD_WORK(bench.n, drawn.cone.rows, drawn.cone.d);
    BENCH_REGION(status =
                     tc_impact_grad_adjoint(&problem, &answer, &found, by_w, &by, rest, work_len));
    compare_twins(status,
                  tc_impact_grad_tangent(&problem, &answer, &found, &along, dw, rest, work_len));
}

static void run_impact(void)
{
    double before = 0, after = 0;
    tc_status status;
    work_len = TC_IMPACT_WORK(bench.n, 3u, drawn.cone.d);
    BENCH_REGION(status = tc_impact_solve(&problem, &answer, &found, rest, work_len));
    for (uint32_t k = 0; k < drawn.cone.d; k++) {
        before += (double)drawn.w0[k] * (double)drawn.w0[k];
        after += (double)w[k] * (double)w[k];
    }
    bench.result[0] = after > before ? (tc_real)(after / before - 1) : 0;
    for (uint32_t i = 0; i < bench.n; i++) {
        bench.result[0] =
            status < TC_OK || f[3u * i] < drawn.e[i] * f_c[3u * i] ? TC_C(1.0) : bench.result[0];
    }
}

void bench_impact(void)
{
    static const struct {
        bench_case run;
        uint32_t sizes[4];
    } cases[] = {
        {{"cone2_adjoint", NULL, "public", prepare_two, run_adjoint, 0, TC_C(1e-5)}, {1, 2, 4, 8}},
        {{"cone3_adjoint", NULL, "public", prepare_three, run_adjoint, 0, TC_C(1e-5)},
         {1, 2, 4, 8}},
        {{"cone3_box_adjoint", NULL, "public", prepare_box, run_adjoint, 0, TC_C(1e-5)},
         {4, 8, 0, 0}},
        {{"impact3_box", NULL, "public", prepare_impact, run_impact, 0, TC_C(1e-5)}, {1, 4, 8, 0}},
        {{"impact3_box_coulomb", NULL, "public", prepare_coulomb, run_impact, 0, TC_C(1e-5)},
         {1, 4, 0, 0}},
        {{"impact3_box_adjoint", NULL, "public", prepare_impact_adjoint, run_impact_adjoint, 0,
          TC_C(1e-3)},
         {4, 8, 0, 0}},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        for (uint32_t k = 0; k < TC_COUNT(cases[i].sizes) && cases[i].sizes[k] != 0; k++) {
            bench.n = cases[i].sizes[k];
            bench_run_draws(&cases[i].run, DRAWS);
        }
    }
}
