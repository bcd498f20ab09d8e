/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Whether the impulses that contacts are expected to have still answer their problem: a pile at rest
 * is then solved by one look.
 *
 * Expected impulses f lie in their cones. With w = w0 + G^T f and u = G w, a contact's part of the
 * residual of tc_cone.h is at most |(u_n + mu |u_t|, u_t)|, for the projection on the cone shortens
 * no distance. An open contact with f = 0 and u_n >= 0 has none. The residual's scale is at least
 * |G w0| and the square of a normal's row times its impulse. So f is an answer, by Coulomb's law
 * too, where the largest part is below the tolerance times the larger of these.
 *
 * A contact's rows have entries at its two movers alone, if no joint ties them to others.
 */
#include "tc_exact.h"
#include "tc_scene_step_internal.h"

#include "tc_vec.h"

#include <string.h>

/* As in the solver: square of the error of w that is told, relative to the velocities before */
#define DOUBTED_SQUARE TC_C(0.00048828125)

/* What the contacts come to */
typedef struct expected_sums {
    tc_real worst;    /* the largest part of the residual */
    tc_real load;     /* the largest square of a normal's row times its impulse */
    tc_real approach; /* the largest |G w0| of a normal */
} expected_sums;

void tci_scene_step_columns(const tci_scene_step_run *run, uint32_t i, tci_scene_columns *columns)
{
    const uint32_t source = run->contact[i].source;
    *columns = (tci_scene_columns){.end = {run->sizes.rates, 0}};
    if (run->joint.rank > 0u || source >= run->scene->pairs) return;
    const tc_scene_pair *const pair = &run->scene->pair[source];
    const uint16_t a = run->scene->surface[pair->a].mover, b = run->scene->surface[pair->b].mover;
    const uint16_t movers[2] = {a < b ? a : b, a < b ? b : a}; /* the world is the last */
    columns->end[0] = 0;
    for (uint32_t k = 0; k < 2u; ++k) {
        if (movers[k] == TC_SCENE_WORLD || (k == 1u && a == b)) continue;
        columns->from[k] = run->placed.span[movers[k]].v;
        columns->end[k] = columns->from[k] + run->placed.span[movers[k]].rates;
    }
}

/* A contact's rows; those that there are not are the last that there is, with weight 0. */
typedef struct expected_rows {
    const tc_real *row[3];
    const tci_scene_columns *columns;
} expected_rows;

static expected_rows rows_of(const tci_scene_step_run *run, const tci_scene_columns *columns,
                             uint32_t i)
{
    const uint32_t d = run->sizes.rates, rows = run->sizes.rows;
    const tc_real *const first = run->G + (size_t)d * rows * i;
    const uint32_t second = rows > 1u ? d : 0u;
    return (expected_rows){{first, first + second, first + (rows > 2u ? 2u * d : second)},
                           columns + i};
}

/* u[3] = rows x; returns the normal's row times y */
static tc_real multiply_expected(const expected_rows *own, const tc_real *x, const tc_real *y,
                                 tc_real u[3])
{
    tc_real s0 = TC_C(0.0), s1 = TC_C(0.0), s2 = TC_C(0.0), s3 = TC_C(0.0);
    for (uint32_t k = 0; k < 2u; ++k) {
        for (uint32_t c = own->columns->from[k]; c < own->columns->end[k]; ++c) {
            s0 = TC_MLA(s0, own->row[0][c], x[c]);
            s1 = TC_MLA(s1, own->row[1][c], x[c]);
            s2 = TC_MLA(s2, own->row[2][c], x[c]);
            s3 = TC_MLA(s3, own->row[0][c], y[c]);
        }
    }
    u[0] = s0;
    u[1] = s1;
    u[2] = s2;
    return s3;
}

/* x += rows^T f */
static void add_expected(const expected_rows *own, const tc_real f[3], tc_real *x)
{
    for (uint32_t k = 0; k < 2u; ++k) {
        for (uint32_t c = own->columns->from[k]; c < own->columns->end[k]; ++c) {
            x[c] = TC_MLA(TC_MLA(TC_MLA(x[c], f[0], own->row[0][c]), f[1], own->row[1][c]), f[2],
                          own->row[2][c]);
        }
    }
}

/* run->w = w0 + G^T f */
static void push_expected(tci_scene_step_run *run, const tci_scene_columns *all, uint32_t n)
{
    const uint32_t rows = run->sizes.rows;
    memcpy(run->w, run->w0, run->sizes.rates * sizeof *run->w);
    for (uint32_t i = 0; i < n; ++i) {
        tc_real f[3] = {TC_C(0.0)};
        const expected_rows own = rows_of(run, all, i);
        for (uint32_t r = 0; r < rows; ++r) f[r] = run->f_c[rows * i + r];
        add_expected(&own, f, run->w);
    }
}

/* u[3] = rows x, and the lower triangle of rows rows^T by rows: A[6] */
static void square_expected(const expected_rows *own, const tc_real *x, tc_real u[3], tc_real A[6])
{
    const tc_real *const a = own->row[0], *const b = own->row[1], *const c = own->row[2];
    tc_real sum[9] = {TC_C(0.0)};
    for (uint32_t part = 0; part < 2u; ++part) {
        for (uint32_t k = own->columns->from[part]; k < own->columns->end[part]; ++k) {
            const tc_real ak = a[k], bk = b[k], ck = c[k], xk = x[k];
            sum[0] = TC_MLA(sum[0], ak, xk);
            sum[1] = TC_MLA(sum[1], bk, xk);
            sum[2] = TC_MLA(sum[2], ck, xk);
            sum[3] = TC_MLA(sum[3], ak, ak);
            sum[4] = TC_MLA(sum[4], ak, bk);
            sum[5] = TC_MLA(sum[5], bk, bk);
            sum[6] = TC_MLA(sum[6], ak, ck);
            sum[7] = TC_MLA(sum[7], bk, ck);
            sum[8] = TC_MLA(sum[8], ck, ck);
        }
    }
    memcpy(u, sum, 3u * sizeof *u);
    memcpy(A, sum + 3, 6u * sizeof *A);
}

static tc_real divide_or_0(tc_real x, tc_real square)
{
    return square > TC_C(0.0) ? x / square : TC_C(0.0);
}

/* The change of contact i's impulses that stops its rows one after the other; run->u: the square of
 * its normal's row */
static void stop_rows(tci_scene_step_run *run, uint32_t i, const expected_rows *own,
                      tc_real change[3])
{
    const uint32_t rows = run->sizes.rows;
    tc_real u[3], A[6];
    square_expected(own, run->w, u, A);
    change[0] = divide_or_0(-u[0], A[0]);
    change[1] = divide_or_0(TC_MLS(-u[1], A[1], change[0]), A[2]);
    change[2] = divide_or_0(TC_MLS(TC_MLS(-u[2], A[3], change[0]), A[4], change[1]), A[5]);
    for (uint32_t r = rows; r < 3u; ++r) change[r] = TC_C(0.0);
    run->u[rows * i] = A[0];
}

/* One sweep over the contacts that stick: without it the rest of a step would add to that of the
 * next. */
static void relax_expected(tci_scene_step_run *run, const tci_scene_columns *all, uint32_t n)
{
    const uint32_t rows = run->sizes.rows;
    for (uint32_t i = 0; i < n; ++i) {
        const expected_rows own = rows_of(run, all, i);
        tc_real change[3], *const f = run->f_c + rows * i;
        stop_rows(run, i, &own, change);
        if (!(f[0] > TC_C(0.0))) continue;
        for (uint32_t r = 0; r < rows; ++r) f[r] += change[r];
        add_expected(&own, change, run->w);
    }
}

/* Adds contact i to the sums; returns 0 where its impulse is outside its cone. */
static int weigh_expected(tci_scene_step_run *run, const tci_scene_columns *all, uint32_t i,
                          expected_sums *sums)
{
    const uint32_t rows = run->sizes.rows;
    const expected_rows own = rows_of(run, all, i);
    const tc_real mu = rows > 1u ? run->mu[i] : TC_C(0.0);
    tc_real f[3] = {TC_C(0.0)}, u[3];
    const tc_real before = multiply_expected(&own, run->w, run->w0, u);
    for (uint32_t r = 0; r < 3u; ++r) {
        u[r] = r < rows ? u[r] : TC_C(0.0);
        f[r] = r < rows ? run->f_c[rows * i + r] : TC_C(0.0);
        if (r < rows) run->u_c[rows * i + r] = u[r];
    }
    const tc_real slip = TC_MLA(u[1] * u[1], u[2], u[2]), inside = mu * f[0];
    const tc_real normal = TC_MLA(u[0], mu, tc_sqrt(slip));
    const int carries = f[0] > TC_C(0.0), open = !carries && u[0] >= TC_C(0.0);
    if (!open) sums->worst = tc_vec_max(sums->worst, tc_sqrt(TC_MLA(slip, normal, normal)));
    sums->load = tc_vec_max(sums->load, run->u[rows * i] * f[0]);
    sums->approach = tc_vec_max(sums->approach, tc_vec_magnitude(before));
    run->impact->compression.kind[i] = carries ? TC_CONE_STICK : TC_CONE_OPEN;
    return f[0] >= TC_C(0.0) && TC_MLA(f[1] * f[1], f[2], f[2]) <= inside * inside;
}

/* run->impact of an answer by a look: its kinds are there. */
static void describe_expected(tci_scene_step_run *run, uint32_t n, const expected_sums *sums)
{
    tc_impact_info *const info = run->impact;
    info->compression.scale = tc_vec_max(sums->load, sums->approach);
    info->compression.residual = sums->worst / info->compression.scale;
    info->compression.error = sums->worst / sums->approach;
    info->restitution = info->compression;
    for (uint32_t i = 0; i < n; ++i) {
        info->least[i] = info->compression.kind[i];
        info->restitution.kind[i] = TC_CONE_OPEN;
    }
    info->unique = info->rests = 1;
}

/* `wide`: more rows than rates, where impulses are not unique and errors of w are told */
static int is_certified(const expected_sums *sums, int wide)
{
    const tc_real worst = sums->worst, load = sums->load, before = sums->approach;
    return before > TC_C(0.0) && worst <= TC_CONE_TOLERANCE * tc_vec_max(load, before)
           && worst <= TC_CONE_ERROR * before
           && (!wide || worst * load <= DOUBTED_SQUARE * before * before);
}

int tci_scene_step_holds(tci_scene_step_run *run, uint32_t n)
{
    const uint32_t m = n * run->sizes.rows, d = run->sizes.rates;
    expected_sums sums = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    int within = 1;
    memset(run->impact, 0, sizeof *run->impact);
    tci_scene_columns *const all = (void *)run->solve; /* as solvers do */
    for (uint32_t i = 0; i < n; ++i) tci_scene_step_columns(run, i, &all[i]);
    push_expected(run, all, n);
    relax_expected(run, all, n);
    for (uint32_t i = 0; i < n && within; ++i) within = weigh_expected(run, all, i, &sums);
    if (!within || !is_certified(&sums, m > d)) return 0;
    memcpy(run->w_c, run->w, d * sizeof *run->w);
    if (run->w_least != NULL) memcpy(run->w_least, run->w, d * sizeof *run->w);
    memcpy(run->u, run->u_c, m * sizeof *run->u);
    (void)tc_vec_zeroed(TC_OK, run->f, m);
    describe_expected(run, n, &sums);
    return 1;
}
