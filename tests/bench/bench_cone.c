/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Frictional contacts, 40 draws of each kind and size in which at least one contact approaches:
 *
 *   cone2, cone3       rows of one free body, uniform in (-1, 1): d = 3 in the plane, 6 in space
 *   cone3_box          corners of a box, five and more contacts also at walls
 *   ..._warm           from the impulses of the last tick: w0 differs by up to 2 %
 *   ..._restitution    with floors e f_n of the compression before, e and the target random
 *
 * The answers are judged in double from f and w0, by the residual of tc_cone.h.
 */
#include "bench.h"
#include "cone_families.h"
#include "tinycontact.h"

#define DRAWS 40u
#define ROWS (TC_CONE3_MAX * 3u)

static cone_problem drawn;
static tc_real f[CONE_FAMILY_ROWS], u[CONE_FAMILY_ROWS], w[CONE_FAMILY_ROWS];

static void draw(uint32_t family, uint32_t rows)
{
    uint32_t index = 1000u * bench.draw;
    do {
        cone_draw(&cone_families[family], &drawn, rows, bench.n, index++);
    } while (!cone_approaches(&drawn.cone));
    bench.expected[0] = 0;
    bench.compared = 1;
}

static void solve(void)
{
    const tc_cone *const c = &drawn.cone;
    (void)tc_cone_solve(c, f, u, w, NULL, bench.work, TC_CONE_WORK(c->n, c->rows, c->d));
}

static void prepare_two(void)
{
    draw(CONE_BODY, 2u);
}

static void prepare_three(void)
{
    draw(CONE_BODY, 3u);
}

static void prepare_box(void)
{
    draw(CONE_BOX, 3u);
}

static void restitute(void)
{
    solve();
    cone_restitute(&drawn, f, w);
}

static void prepare_two_back(void)
{
    prepare_two();
    restitute();
}

static void prepare_three_back(void)
{
    prepare_three();
    restitute();
}

static void prepare_box_back(void)
{
    prepare_box();
    restitute();
}

static void prepare_warm(void)
{
    static tc_real before[ROWS];
    prepare_box();
    solve();
    for (uint32_t r = 0; r < bench.n * 3u; r++) {
        before[r] = f[r];
    }
    bench_seed(88172645u + bench.draw);
    for (uint32_t k = 0; k < drawn.cone.d; k++) {
        drawn.w0[k] *= bench_uniform(TC_C(0.98), TC_C(1.02));
    }
    drawn.cone.warm = before;
}

static double root(double x)
{
    double y = x > 1 ? x : 1;
    for (uint32_t i = 0; i < 60u; i++) {
        y = 0.5 * (y + x / y);
    }
    return y;
}

/* Distance of y from its projection on the truncated cone */
static void project(double mu, double low, double *y, uint32_t rows)
{
    double t = 0, n = y[0];
    for (uint32_t r = 1; r < rows; r++) {
        t += y[r] * y[r];
    }
    t = root(t);
    if (t > mu * n) {
        n = (n + mu * t) / (1 + mu * mu);
    }
    n = n > low ? n : low;
    y[0] = n;
    for (uint32_t r = 1; r < rows && t > mu * n; r++) {
        y[r] *= mu * n / t;
    }
}

static double residual(void)
{
    const tc_cone *const c = &drawn.cone;
    const uint32_t rows = c->rows, d = c->d;
    double wide[6], size[6], most = 0, scale = 0;
    for (uint32_t k = 0; k < d; k++) {
        wide[k] = (double)c->w0[k];
        size[k] = wide[k] < 0 ? -wide[k] : wide[k];
        for (uint32_t r = 0; r < c->n * rows; r++) {
            const double part = (double)c->G[r * d + k] * (double)f[r];
            wide[k] += part;
            size[k] += part < 0 ? -part : part;
        }
    }
    for (uint32_t i = 0; i < c->n; i++) {
        double y[3] = {0}, a = 0, square = 0;
        for (uint32_t r = 0; r < rows; r++) {
            double sum = 0;
            for (uint32_t k = 0; k < d; k++) {
                const double g = (double)c->G[(i * rows + r) * d + k];
                y[r] += g * wide[k];
                sum += (g < 0 ? -g : g) * size[k];
                a += g * g / rows;
            }
            scale = sum > scale ? sum : scale;
        }
        for (uint32_t r = 0; r < rows; r++) {
            y[r] = (double)f[i * rows + r] - y[r] / a;
        }
        project((double)c->mu[i], c->floor != NULL ? (double)c->floor[i] : 0, y, rows);
        for (uint32_t r = 0; r < rows; r++) {
            const double part = (double)f[i * rows + r] - y[r];
            square += part * part * a * a;
        }
        most = square > most ? square : most;
    }
    return root(most) / scale;
}

static void run_cone(void)
{
    static size_t work_len; /* an application's is a constant */
    tc_status status;
    work_len = TC_CONE_WORK(bench.n, drawn.cone.rows, drawn.cone.d);
    BENCH_REGION(status = tc_cone_solve(&drawn.cone, f, u, w, NULL, bench.work, work_len));
    if (status >= TC_OK && status != TC_NOTE_LIMIT) {
        bench.result[0] = (tc_real)residual();
    }
}

void bench_cone(void)
{
    static const struct {
        bench_case run;
        uint32_t sizes[4];
    } cases[] = {
        {{"cone2", NULL, "public", prepare_two, run_cone, 0, TC_C(5e-6)}, {1, 2, 4, 8}},
        {{"cone2_restitution", NULL, "public", prepare_two_back, run_cone, 0, TC_C(5e-6)},
         {1, 2, 4, 8}},
        {{"cone3", NULL, "public", prepare_three, run_cone, 0, TC_C(5e-6)}, {1, 2, 4, 8}},
        {{"cone3_restitution", NULL, "public", prepare_three_back, run_cone, 0, TC_C(5e-6)},
         {1, 4, 8, 0}},
        {{"cone3_box", NULL, "public", prepare_box, run_cone, 0, TC_C(5e-6)}, {4, 8, 0, 0}},
        {{"cone3_box_warm", NULL, "public", prepare_warm, run_cone, 0, TC_C(5e-6)}, {4, 8, 0, 0}},
        {{"cone3_box_restitution", NULL, "public", prepare_box_back, run_cone, 0, TC_C(5e-6)},
         {4, 8, 0, 0}},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        for (uint32_t k = 0; k < TC_COUNT(cases[i].sizes) && cases[i].sizes[k] != 0; k++) {
            bench.n = cases[i].sizes[k];
            bench_run_draws(&cases[i].run, DRAWS);
        }
    }
}
