/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The border of the cone solver: checks, the choice of a tier, what is handed back.
 */
#include "tc_exact.h"
#include "tc_cone_internal.h"

static CONE_COLD tc_status fail_cone(tc_status status, const tc_cone *problem, tc_real *f,
                                     tc_real *u, tc_real *w, tc_cone_info *info)
{
    if (info != NULL) {
        *info = (tc_cone_info){.iterations = 0};
    }
    if (problem == NULL || status == TC_ERR_SIZE) return status;
    for (uint32_t i = 0; i < problem->n * problem->rows; ++i) {
        if (f != NULL) f[i] = TC_C(0.0);
        if (u != NULL) u[i] = TC_C(0.0);
    }
    for (uint32_t k = 0; k < problem->d && w != NULL; ++k) w[k] = TC_C(0.0);
    return status;
}

static int fits_limits(const tc_cone *p)
{
    const uint32_t most = p->rows == 3u ? TC_CONE3_MAX : TC_CONE_MAX;
    return p->rows - 1u < 3u && p->n <= most && p->d - 1u < TC_CONE_FREEDOM_MAX;
}

static int lacks_rows(const tc_cone *p)
{
    return p->G == NULL || (p->mu == NULL && p->rows > 1u);
}

static tc_status check_border_cone(const tc_cone *p, const tc_real *f, const tc_real *u,
                                   const tc_real *w, const tc_real *work, size_t work_len)
{
    if (p == NULL) return TC_ERR_NULL;
    if (!fits_limits(p)) return TC_ERR_SIZE;
    if (p->w0 == NULL || w == NULL) return TC_ERR_NULL;
    if (p->n == 0) return TC_OK;
    if (lacks_rows(p) || f == NULL || u == NULL || work == NULL) return TC_ERR_NULL;
    return tc_work_check(work, work_len, TC_CONE_WORK(p->n, p->rows, p->d));
}

static int finite_or_null(const tc_real *x, uint32_t n)
{
    return x == NULL || tc_all_finite(x, n);
}

/* NaN and infinities first */
static CONE_COLD tc_status blame_input(const tc_cone *p)
{
    const uint32_t rows = p->n * p->rows;
    const int finite = tc_all_finite(p->G, rows * p->d) && tc_all_finite(p->w0, p->d)
                       && finite_or_null(p->rows > 1u ? p->mu : NULL, p->n)
                       && finite_or_null(p->floor, p->n) && finite_or_null(p->compliance, p->n)
                       && finite_or_null(p->warm, rows);
    return finite ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
}

/* 0 <= x <= most; NaN is not */
TC_MAT_INLINE int is_within(tc_real x, tc_real most)
{
    return x >= TC_C(0.0) && x <= most;
}

/* A contact's numbers beside its rows; 0 where they are not valid */
TC_MAT_INLINE int read_contact(const tc_cone *p, tci_cone_contact *c, uint32_t i)
{
    c->mu = p->rows > 1u ? p->mu[i] : TC_C(0.0);
    c->floor = p->floor != NULL ? p->floor[i] : TC_C(0.0);
    c->soft = p->compliance != NULL ? p->compliance[i] : TC_C(0.0);
    return is_within(c->mu, TC_CONE_FRICTION_MAX) && is_within(c->floor, TC_CONE_LARGEST)
           && is_within(c->soft, TC_CONE_LARGEST);
}

static int read_problem(const tc_cone *p, tci_cone_state *s)
{
    int valid = 1;
    for (uint32_t k = 0; k < s->d; ++k) {
        valid = valid && tc_vec_magnitude(s->w0[k]) <= TC_CONE_LARGEST;
    }
    for (uint32_t i = 0; i < s->n; ++i) valid = valid && read_contact(p, s->contact + i, i);
    return valid && tci_cone_read(s) && (p->warm == NULL || tc_all_finite(p->warm, s->n * s->rows));
}

static void divide_work(tci_cone_state *s, const tc_cone *p, tc_real *work)
{
    const uint32_t rows = p->n * p->rows, d = p->d;
    s->G = p->G;
    s->w0 = p->w0;
    s->n = p->n;
    s->rows = p->rows;
    s->d = d;
    s->contact = (tci_cone_contact *)(void *)work;
    s->trial = work + p->n * CONE_CONTACT;
    s->change = s->trial + rows;
    s->best = s->change + rows;
    s->centre = s->best + rows;
    s->dw = s->centre + rows;
    s->next = s->dw + d;
    s->row = s->next + d;
    s->H = s->row + 2u * d;
    s->iterations = 0;
}

/* The smaller; b where `counts` is 0 */
TC_MAT_INLINE tc_real least_of(int counts, tc_real a, tc_real b)
{
    return counts && a < b ? a : b;
}

/* Distance of y = f - u / a, whose projection is p, to the set of another kind */
static tc_real find_margin(const tci_cone_contact *c, const tc_real *y, const tc_real *p,
                           tc_real length, tc_cone_kind kind)
{
    const tc_real unit = tc_sqrt(c->length), mu = c->mu;
    const tc_real edge = TC_MLS(length, mu, y[0]) * unit; /* beyond the cone */
    const tc_real pole = TC_MLA(y[0], mu, length) * unit; /* beyond the polar cone */
    const int floor = c->floor > TC_C(0.0), rough = mu > TC_C(0.0);
    if (kind == TC_CONE_OPEN) return -pole;
    if (kind == TC_CONE_STICK) return least_of(floor, y[0] - c->floor, -edge);
    if (kind == TC_CONE_SLIP) {
        return least_of(floor, p[0] - c->floor, least_of(rough, edge, pole));
    }
    const tc_real below = edge > TC_C(0.0) ? TC_MLS(c->floor, pole, unit) : c->floor - y[0];
    return least_of(rough, tc_vec_magnitude(TC_MLS(length, mu, c->floor)), below);
}

static void describe_answer(tci_cone_state *s, tc_cone_info *info)
{
    tc_real margin = -TC_C(1.0);
    tci_cone_measure(s);
    for (uint32_t i = 0; i < s->n; ++i) {
        const tci_cone_contact *const c = s->contact + i;
        const tc_real *const f = s->f + i * s->rows, *const u = s->u + i * s->rows;
        tc_real y[3], p[3], length;
        for (uint32_t r = 0; r < s->rows; ++r) y[r] = p[r] = TC_MLS(f[r], c->inverse, u[r]);
        info->kind[i] = tci_cone_nearest(c, p, &length, s->rows);
        const tc_real own = tc_vec_not_negative(find_margin(c, y, p, length, info->kind[i])) * c->a;
        margin = margin < TC_C(0.0) || own < margin ? own : margin;
    }
    info->iterations = s->iterations;
    info->scale = s->scale;
    info->residual = s->scale > TC_C(0.0) ? s->violation / s->scale : TC_C(0.0);
    info->error = s->approach > TC_C(0.0) ? s->violation / s->approach : info->residual;
    info->error = tc_vec_max(info->error, s->doubt);
    info->margin = s->scale > TC_C(0.0) ? margin / s->scale : margin;
}

static tc_status solve_tiers(tci_cone_state *s, const tc_cone *problem)
{
    s->scale = s->measured = TC_C(0.0);
    s->doubt = TC_C(0.0);
    if (s->n == 1u && s->rows == 3u) {
        tci_cone_one(s);
        tci_cone_evaluate(s);
        if (tci_cone_certified(s)) return TC_OK;
    }
    if (tci_cone_rays(s, problem->warm, s->trial)) return TC_OK;
    return tci_cone_general(s, problem->warm);
}

/* The answer of a problem without contacts */
static tc_status keep_velocity(const tc_cone *problem, tc_real *w, tc_cone_info *info)
{
    const int finite = tc_all_finite(problem->w0, problem->d);
    (void)fail_cone(TC_OK, problem, NULL, NULL, w, info);
    for (uint32_t k = 0; k < problem->d && finite; ++k) w[k] = problem->w0[k];
    return finite ? TC_OK : TC_ERR_NOT_FINITE;
}

/* What the certificate says of the tiers' best */
static tc_status judge_answer(tci_cone_state *s, tc_status status)
{
    if (!(s->total - s->total == TC_C(0.0))) return TC_ERR_RANGE;
    if (status == TC_OK) {
        const int precise = s->doubt <= TC_C(0.0) && s->violation <= TC_CONE_ERROR * s->approach;
        return precise ? TC_OK : TC_NOTE_PRECISION;
    }
    tci_cone_measure(s);
    return s->violation > TC_CONE_ERROR * s->scale ? TC_ERR_NOT_CERTIFIED : status;
}

tc_status tc_cone_solve(const tc_cone *problem, tc_real *f, tc_real *u, tc_real *w,
                        tc_cone_info *info, tc_real *work, size_t work_len)
{
    tci_cone_state s;
    tc_status status = check_border_cone(problem, f, u, w, work, work_len);
    if (status < TC_OK) return fail_cone(status, problem, f, u, w, info);
    if (problem->n == 0) return keep_velocity(problem, w, info);
    divide_work(&s, problem, work);
    s.f = f;
    s.u = u;
    s.w = w;
    if (!read_problem(problem, &s)) {
        return fail_cone(blame_input(problem), problem, f, u, w, info);
    }
    status = judge_answer(&s, solve_tiers(&s, problem));
    if (status < TC_OK) return fail_cone(status, problem, f, u, w, info);
    if (info != NULL) describe_answer(&s, info);
    return status;
}
