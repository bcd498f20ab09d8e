/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The entrance: border checks, the proximal method where A is singular, the judge.
 *
 * Singular A. Where the active contacts' rows are dependent, a pivot vanishes. The proximal method
 * then solves a sequence of positive definite problems,
 *
 *     z_k = argmin z^T A z / 2 + start^T z + SHIFT |z - z_k-1|_D^2 / 2 over z >= 0,   D = diag(A)
 *
 * each by the same active set: A_ii (1 + SHIFT) on the diagonal and q = start - SHIFT D z_k-1. It
 * converges for every problem that has a minimum. The judge ends it, or PROXIMAL_STEPS does.
 *
 * The judge recomputes w from A, q and f, and believes no method.
 */
#include "tc_exact.h"
#include "tc_band_internal.h"

#include "tc_math.h"
#include "tc_work.h"

#define SHIFT_BAND (TC_C(1.0) / TC_C(256.0))
#define PROXIMAL_STEPS 16u

/* What the judge found */
typedef struct band_verdict {
    tc_real violation, scale, incoming, margin;
} band_verdict;

static tc_status fail_band(tc_status status, const tc_band *problem, tc_real *f, tc_real *w,
                           tc_band_info *info)
{
    const uint32_t n = problem != NULL && status != TC_ERR_SIZE ? problem->n : 0u;
    if (f != NULL) (void)tc_vec_zeroed(status, f, n);
    if (w != NULL) (void)tc_vec_zeroed(status, w, n);
    if (info != NULL) {
        *info = (tc_band_info){0u, 0u, TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    }
    return status;
}

/* TC_OK, or what is wrong with n numbers that must lie in -most..most */
static tc_status check_values(const tc_real *x, uint32_t n, tc_real least)
{
    if (!tc_all_finite(x, n)) return TC_ERR_NOT_FINITE;
    for (uint32_t i = 0; i < n; ++i) {
        if (!(x[i] >= least && x[i] <= TC_BAND_LARGEST)) return TC_ERR_RANGE;
    }
    return TC_OK;
}

/* The same for the rows of A; the numbers left of column 0 are not read */
static tc_status check_rows(const tc_band *p)
{
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < p->n && status >= TC_OK; ++i) {
        const tc_real *const row = p->A + i * (p->width + 1u);
        const uint32_t left = tci_band_left(i, p->width);
        status = check_values(row, left + 1u, -TC_BAND_LARGEST);
        if (status >= TC_OK && row[0] < TC_BAND_SMALLEST) status = TC_ERR_RANGE;
    }
    return status;
}

/* The same for all inputs */
static tc_status check_band_numbers(const tc_band *p)
{
    if (p->warm != NULL && !tc_all_finite(p->warm, p->n)) return TC_ERR_NOT_FINITE;
    tc_status status = check_values(p->q, p->n, -TC_BAND_LARGEST);
    if (status >= TC_OK && p->floor != NULL) status = check_values(p->floor, p->n, TC_C(0.0));
    return status >= TC_OK ? check_rows(p) : status;
}

static tc_status check_band(const tc_band *p, const tc_real *f, const tc_real *w,
                            const tc_real *work, size_t work_len)
{
    if (p->n > TC_BAND_MAX || p->width > TC_BAND_WIDTH_MAX) return TC_ERR_SIZE;
    if (f == NULL || w == NULL || work == NULL || p->A == NULL || p->q == NULL) return TC_ERR_NULL;
    const tc_status status = tc_work_check(work, work_len, TC_BAND_WORK(p->n, p->width));
    return status >= TC_OK ? check_band_numbers(p) : status;
}

/* Row i of sum_j |A_ij f_j| + |q_i| */
static tc_real sum_terms(const tc_band *p, const tc_real *f, uint32_t i)
{
    const uint32_t pitch = p->width + 1u, left = tci_band_left(i, p->width);
    const uint32_t right = tci_band_right(i, p->n, p->width);
    const tc_real *const row = p->A + i * pitch;
    tc_real terms = tc_vec_magnitude(p->q[i]) + tc_vec_magnitude(row[0] * f[i]);
    for (uint32_t c = 1; c <= left; ++c) terms += tc_vec_magnitude(row[c] * f[i - c]);
    for (uint32_t c = 1; c <= right; ++c) terms += tc_vec_magnitude(row[c * pitch + c] * f[i + c]);
    return terms;
}

/* w of f, and how far both are from a solution */
static band_verdict judge_band(const tc_band *p, const tc_real *start, const tc_real *f, tc_real *w)
{
    band_verdict v = {TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_BAND_LARGEST};
    for (uint32_t i = 0; i < p->n; ++i) {
        const tc_real base = p->floor != NULL ? p->floor[i] : TC_C(0.0);
        const tc_real push = p->A[i * (p->width + 1u)] * (f[i] - base);
        w[i] = tci_band_velocity(p->A, f, i, p->n, p->width, p->q[i]);
        const tc_real gap = tc_vec_magnitude(push < w[i] ? push : w[i]);
        const tc_real far = push < w[i] ? w[i] : push;
        v.violation = tc_vec_max(gap, v.violation);
        if (far < v.margin) v.margin = far;
        v.incoming = tc_vec_max(tc_vec_magnitude(p->q[i]), v.incoming);
        v.incoming = tc_vec_max(tc_vec_magnitude(start[i]), v.incoming);
        v.scale = tc_vec_max(sum_terms(p, f, i), v.scale);
    }
    return v;
}

static int certified_band(const band_verdict *v)
{
    return v->violation <= TC_BAND_TOLERANCE * v->scale && v->scale <= TC_BAND_LARGEST / TC_EPSILON;
}

/* The workspace's parts; q + A floor; marks of the contacts that are expected to be active */
static void begin_band(tci_band_state *s, const tc_band *p, tc_real *f, tc_real *w, tc_real *work)
{
    const uint32_t n = p->n, pitch = p->width + 1u;
    tc_real *const start = work + n * pitch;
    *s = (tci_band_state){.A = p->A,
                          .L = work,
                          .start = start,
                          .q = start + n,
                          .past = start + 2u * n,
                          .held = start + 3u * n,
                          .shift = start + 4u * n,
                          .z = f,
                          .w = w,
                          .n = n,
                          .width = p->width,
                          .limit = TC_BAND_ITERATIONS(n)};
    *s->shift = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) {
        start[i] =
            p->floor != NULL ? tci_band_velocity(p->A, p->floor, i, n, p->width, p->q[i]) : p->q[i];
        s->q[i] = start[i];
        const tc_real base = p->floor != NULL ? p->floor[i] : TC_C(0.0);
        const int active = p->warm != NULL ? p->warm[i] > base : start[i] < TC_C(0.0);
        s->L[i * pitch] = active ? TC_C(1.0) : TC_C(0.0);
    }
}

/* f = floor + z, judged */
static band_verdict finish_band(const tci_band_state *s, const tc_band *p)
{
    if (p->floor != NULL) {
        for (uint32_t i = 0; i < s->n; ++i) s->z[i] += p->floor[i];
    }
    return judge_band(p, s->start, s->z, s->w);
}

/* The proximal method, from all contacts that approach */
static int solve_proximal(tci_band_state *s, const tc_band *p, band_verdict *verdict)
{
    const uint32_t pitch = s->width + 1u;
    int found = 1;
    *s->shift = SHIFT_BAND;
    for (uint32_t i = 0; i < s->n; ++i) {
        s->past[i] = TC_C(0.0);
        s->L[i * pitch] = s->start[i] < TC_C(0.0) ? TC_C(1.0) : TC_C(0.0);
    }
    for (uint32_t step = 0; step < PROXIMAL_STEPS && found == 1; ++step) {
        for (uint32_t i = 0; i < s->n; ++i) {
            s->q[i] = TC_MLS(s->start[i], SHIFT_BAND * s->A[i * pitch], s->past[i]);
        }
        found = tci_band_active(s);
        for (uint32_t i = 0; i < s->n; ++i) s->past[i] = s->z[i];
        *verdict = finish_band(s, p);
        if (certified_band(verdict)) return 1;
    }
    return found;
}

/* The verdict in the terms of tc_band_info */
static tc_band_info describe_band(const tci_band_state *s, const band_verdict *v)
{
    tc_band_info told = {s->active, s->iterations, TC_C(0.0), v->scale, TC_C(0.0), TC_C(0.0)};
    if (v->scale > TC_C(0.0)) {
        told.residual = v->violation / v->scale;
        told.margin = v->margin / v->scale;
        told.error = v->incoming > TC_C(0.0) ? v->violation / v->incoming : told.residual;
    }
    return told;
}

static tc_status deliver_band(const tci_band_state *s, const tc_band *p, const band_verdict *v,
                              int found, tc_band_info *info)
{
    const tc_band_info told = describe_band(s, v);
    if (!tc_all_finite(s->z, s->n) || !tc_all_finite(s->w, s->n)
        || !(told.error <= TC_BAND_LARGEST)) {
        return fail_band(TC_ERR_RANGE, p, s->z, s->w, info);
    }
    if (!certified_band(v) && found != -1) {
        return fail_band(TC_ERR_NOT_CERTIFIED, p, s->z, s->w, info);
    }
    if (info != NULL) *info = told;
    if (!certified_band(v)) return TC_NOTE_LIMIT;
    return told.error <= TC_BAND_ERROR ? TC_OK : TC_NOTE_PRECISION;
}

tc_status tc_band_solve(const tc_band *problem, tc_real *f, tc_real *w, tc_band_info *info,
                        tc_real *work, size_t work_len)
{
    if (problem == NULL || problem->n == 0u) {
        return fail_band(problem == NULL ? TC_ERR_NULL : TC_OK, problem, f, w, info);
    }
    const tc_status status = check_band(problem, f, w, work, work_len);
    if (status < TC_OK) return fail_band(status, problem, f, w, info);
    tci_band_state s;
    begin_band(&s, problem, f, w, work);
    int found = tci_band_active(&s);
    band_verdict verdict = {TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    if (found != 0) verdict = finish_band(&s, problem);
    if (found == 0 || (found == 1 && !certified_band(&verdict))) {
        found = solve_proximal(&s, problem, &verdict);
    }
    return deliver_band(&s, problem, &verdict, found, info);
}
