/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of the banded problem on a fixed set a of active contacts, b the others:
 *
 *     A_aa df_a = -(dq + dA f + A_ab dfloor_b)_a,   df_b = dfloor_b,   dw = dq + dA f + A df
 *
 * Adjoint. w = q + A f passes by_w to q, to A and, as A by_w, to f:
 *
 *     g = by_f + A by_w,   A_aa z_a = g_a,   z_b = 0,   y = by_w - z
 *     by_q = y,   by_A_ij = y_i f_j + y_j f_i  (i = j: y_i f_i),   by_floor_b = (g - A z)_b
 *
 * Singular A. The solve left the factor of A_aa + shift D. z_a <- z_a + (A_aa + shift D)^-1
 * (g - A z)_a, repeated, converges for every g_a in the range of A_aa, which A by_w is.
 */
#include "tc_exact.h"
#include "tc_band_grad.h"
#include "tc_band_internal.h"

#include "tc_math.h"
#include "tc_work.h"

#define REPEATS_SINGULAR 8u

/* What both functions know of a solve */
typedef struct grad_band {
    const tc_band *p;
    const tc_real *L;
    tc_real *z, *r, *x; /* [n] each: the workspace */
    uint32_t n, width;
    uint32_t repeats;
} grad_band;

static tc_status check_solved(const tc_band *p, const tc_real *f, const tc_real *solved,
                              const tc_real *work, size_t work_len)
{
    if (p->n > TC_BAND_MAX || p->width > TC_BAND_WIDTH_MAX) return TC_ERR_SIZE;
    if (f == NULL || solved == NULL || work == NULL || p->A == NULL) return TC_ERR_NULL;
    return tc_work_check(work, work_len, TC_BAND_GRAD_WORK(p->n));
}

static grad_band open_solved(const tc_band *p, const tc_real *solved, tc_real *work)
{
    const tc_real shift = solved[TC_BAND_WORK(p->n, p->width) - 1u];
    return (grad_band){.p = p,
                       .L = solved,
                       .z = work,
                       .r = work + p->n,
                       .x = work + 2u * p->n,
                       .n = p->n,
                       .width = p->width,
                       .repeats = shift > TC_C(0.0) ? REPEATS_SINGULAR : 1u};
}

static int is_active(const grad_band *g, uint32_t i)
{
    return g->L[i * (g->width + 1u)] != TC_C(0.0);
}

/* x_a <- A_aa^-1 x_a, 0 elsewhere */
static void solve_active(const grad_band *g, tc_real *x)
{
    tci_band_forward(g->L, x, g->n, g->width);
    tci_band_back(g->L, x, g->n, g->width);
}

/* z_a = A_aa^-1 r_a, 0 elsewhere; then r <- r - A z at all contacts. x is scratch. */
static void solve_repeated(const grad_band *g)
{
    for (uint32_t i = 0; i < g->n; ++i) g->z[i] = g->r[i];
    solve_active(g, g->z);
    for (uint32_t step = 1; step < g->repeats; ++step) {
        for (uint32_t i = 0; i < g->n; ++i) {
            g->x[i] = g->r[i] - tci_band_velocity(g->p->A, g->z, i, g->n, g->width, TC_C(0.0));
        }
        solve_active(g, g->x);
        for (uint32_t i = 0; i < g->n; ++i) g->z[i] += g->x[i];
    }
    for (uint32_t i = 0; i < g->n; ++i) {
        g->r[i] -= tci_band_velocity(g->p->A, g->z, i, g->n, g->width, TC_C(0.0));
    }
}

static tc_status blank_cotangents(tc_status status, const tc_band *p, const tc_band_grad *by)
{
    if (status == TC_ERR_SIZE || p == NULL || by == NULL) return status;
    if (by->A != NULL) (void)tc_vec_zeroed(status, by->A, p->n * (p->width + 1u));
    if (by->q != NULL) (void)tc_vec_zeroed(status, by->q, p->n);
    if (by->floor != NULL) (void)tc_vec_zeroed(status, by->floor, p->n);
    return status;
}

/* by_A, from y in x */
static void spread_products(const grad_band *g, const tc_real *f, tc_real *by_A)
{
    const uint32_t pitch = g->width + 1u;
    const tc_real *const y = g->x;
    for (uint32_t i = 0; i < g->n; ++i) {
        tc_real *const row = by_A + i * pitch;
        const uint32_t left = tci_band_left(i, g->width);
        row[0] = y[i] * f[i];
        for (uint32_t c = 1; c <= left; ++c) row[c] = TC_MLA(y[i] * f[i - c], y[i - c], f[i]);
        for (uint32_t c = left + 1u; c < pitch; ++c) row[c] = TC_C(0.0);
    }
}

/* Whether all that was computed is finite */
static int is_whole(const grad_band *g, const tc_band_grad *by)
{
    return tc_all_finite(g->x, g->n) && tc_all_finite(g->r, g->n)
           && (by->A == NULL || tc_all_finite(by->A, g->n * (g->width + 1u)));
}

/* Whether an array that may be NULL has only finite numbers */
static int is_readable_or_null(const tc_real *x, uint32_t n)
{
    return x == NULL || tc_all_finite(x, n);
}

TC_MAT_INLINE tc_real value_or_zero(const tc_real *x, uint32_t i)
{
    return x != NULL ? x[i] : TC_C(0.0);
}

/* r = by_f + A by_w */
static void gather_cotangents(const grad_band *g, const tc_real *by_f, const tc_real *by_w)
{
    for (uint32_t i = 0; i < g->n; ++i) {
        const tc_real own = value_or_zero(by_f, i);
        g->r[i] = by_w != NULL ? tci_band_velocity(g->p->A, by_w, i, g->n, g->width, own) : own;
    }
}

/* y = by_w - z into x, and all cotangents that are wanted */
static void spread_cotangents(const grad_band *g, const tc_real *f, const tc_real *by_w,
                              const tc_band_grad *by)
{
    for (uint32_t i = 0; i < g->n; ++i) {
        g->x[i] = value_or_zero(by_w, i) - g->z[i];
        if (by->q != NULL) by->q[i] = g->x[i];
        if (by->floor != NULL) by->floor[i] = is_active(g, i) ? TC_C(0.0) : g->r[i];
    }
    if (by->A != NULL) spread_products(g, f, by->A);
}

tc_status tc_band_grad_adjoint(const tc_band *problem, const tc_real *f, const tc_real *solved,
                               const tc_real *by_f, const tc_real *by_w, const tc_band_grad *by,
                               tc_real *work, size_t work_len)
{
    if (problem == NULL || by == NULL) return blank_cotangents(TC_ERR_NULL, problem, by);
    if (problem->n == 0u) return TC_OK;
    tc_status status = check_solved(problem, f, solved, work, work_len);
    if (status < TC_OK) return blank_cotangents(status, problem, by);
    if (!is_readable_or_null(by_f, problem->n) || !is_readable_or_null(by_w, problem->n)) {
        return blank_cotangents(TC_ERR_NOT_FINITE, problem, by);
    }
    const grad_band g = open_solved(problem, solved, work);
    gather_cotangents(&g, by_f, by_w);
    solve_repeated(&g);
    spread_cotangents(&g, f, by_w, by);
    return is_whole(&g, by) ? TC_OK : blank_cotangents(TC_ERR_RANGE, problem, by);
}

static tc_status fail_tangent(tc_status status, const tc_band *p, tc_real *df, tc_real *dw)
{
    if (status == TC_ERR_SIZE || p == NULL) return status;
    if (df != NULL) (void)tc_vec_zeroed(status, df, p->n);
    if (dw != NULL) (void)tc_vec_zeroed(status, dw, p->n);
    return status;
}

/* Whether the directions that are given are finite */
static int is_direction(const tc_band *p, const tc_band_grad *along)
{
    int finite = is_readable_or_null(along->q, p->n) && is_readable_or_null(along->floor, p->n);
    for (uint32_t i = 0; i < p->n && along->A != NULL && finite; ++i) {
        finite = tc_all_finite(along->A + i * (p->width + 1u), tci_band_left(i, p->width) + 1u);
    }
    return finite;
}

/* r = dq + dA f + A_.b dfloor_b, df = dfloor_b at the contacts b that are not active */
static void gather_directions(const grad_band *g, const tc_real *f, const tc_band_grad *along,
                              tc_real *df)
{
    const tc_real *const A = g->p->A;
    for (uint32_t i = 0; i < g->n; ++i) {
        df[i] = is_active(g, i) ? TC_C(0.0) : value_or_zero(along->floor, i);
    }
    for (uint32_t i = 0; i < g->n; ++i) {
        g->r[i] = tci_band_velocity(A, df, i, g->n, g->width, value_or_zero(along->q, i));
        if (along->A != NULL) {
            g->r[i] = tci_band_velocity(along->A, f, i, g->n, g->width, g->r[i]);
        }
    }
}

static tc_status check_tangent(const tc_band *p, const tc_band_grad *along, const tc_real *df,
                               const tc_real *dw)
{
    if (df == NULL || dw == NULL) return TC_ERR_NULL;
    return is_direction(p, along) ? TC_OK : TC_ERR_NOT_FINITE;
}

tc_status tc_band_grad_tangent(const tc_band *problem, const tc_real *f, const tc_real *solved,
                               const tc_band_grad *along, tc_real *df, tc_real *dw, tc_real *work,
                               size_t work_len)
{
    if (problem == NULL || along == NULL) return fail_tangent(TC_ERR_NULL, problem, df, dw);
    if (problem->n == 0u) return TC_OK;
    const uint32_t n = problem->n;
    tc_status status = check_solved(problem, f, solved, work, work_len);
    if (status >= TC_OK) status = check_tangent(problem, along, df, dw);
    if (status < TC_OK) return fail_tangent(status, problem, df, dw);
    const grad_band g = open_solved(problem, solved, work);
    gather_directions(&g, f, along, df);
    solve_repeated(&g);
    for (uint32_t i = 0; i < n; ++i) {
        df[i] -= g.z[i];
        dw[i] = g.r[i];
    }
    const int whole = tc_all_finite(df, n) && tc_all_finite(dw, n);
    return whole ? TC_OK : fail_tangent(TC_ERR_RANGE, problem, df, dw);
}
