/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of an impact: the chain of up to three cone problems.
 *
 *     w_c = P(w0)                        the compression, rigid
 *     f_c = f of P(w0; compliance eps a) its impulses of least norm
 *     w   = P(w_c - target; floor = e f_c,n) + target
 *
 * Each is differentiated by its own pattern (tc_cone_grad.c; Coulomb's: tc_cone_grad_coulomb.c). Where f_c is unique, it is
 * differentiated with w_c, by one pattern. Else the pattern of the compliant problem is that of its
 * kinds, with f_c, which differs from its impulses by eps only, and its velocity w_least, since
 * eps a f + G w_least decides about kinds and curvature where G w_c is 0. With a_i the mean square
 * of its rows, compliance moves with G: da_i = 2 G_i . dG_i / rows.
 */
#include "tc_exact.h"
#include "tc_cone_grad_internal.h"
#include "tc_impact_grad.h"
#include "tc_impact_internal.h"

#include "tc_vec.h"
#include "tc_work.h"

/* A derivative on its way */
typedef struct impact_chain {
    const tc_impact *problem;
    const tc_impact_answer *answer;
    const tc_impact_info *info;
    tc_real *by_f;     /* [n rows] of f_c: cotangent or direction */
    tc_real *soft;     /* [n] compliance of the problem that makes f_c unique */
    tc_real *by_soft;  /* [n] its cotangent or direction */
    tc_real *floor;    /* [n] */
    tc_real *by_floor; /* [n] */
    tc_real *start;    /* [d] velocity at the beginning of restitution */
    tc_real *by_start; /* [d] */
    tc_real *none;     /* [d] zeros */
    tc_real *rest;     /* workspace of a pattern */
    uint32_t loose;    /* equations that Coulomb's law leaves open, of all patterns */
} impact_chain;

static void set_zero(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n && x != NULL; ++i) x[i] = TC_C(0.0);
}

/* ---- The three problems ---------------------------------------------------------------------- */

static void divide_chain(impact_chain *s, tc_real *work)
{
    const tc_cone *const c = &s->problem->contact;
    const uint32_t n = c->n, d = c->d;
    s->by_f = work;
    s->soft = s->by_f + n * c->rows;
    s->by_soft = s->soft + n;
    s->floor = s->by_soft + n;
    s->by_floor = s->floor + n;
    s->start = s->by_floor + n;
    s->by_start = s->start + d;
    s->none = s->by_start + d;
    s->rest = s->none + d;
    set_zero(s->by_f, n * c->rows);
    set_zero(s->by_soft, n);
    set_zero(s->by_floor, n);
    set_zero(s->none, d);
}

static int open_compression(const impact_chain *s, tci_cone_grad_pattern *pattern)
{
    const tc_cone *const c = &s->problem->contact;
    const tci_cone_grad_answer solved = {c,
                                         s->answer->f_c,
                                         s->answer->w_c,
                                         s->info->compression.kind,
                                         c->compliance,
                                         s->problem->law == TC_IMPACT_COULOMB};
    return tci_cone_grad_open(pattern, &solved, s->rest);
}

static int open_least(const impact_chain *s, tci_cone_grad_pattern *pattern)
{
    const tc_cone *const c = &s->problem->contact;
    const tci_cone_grad_answer solved = {c,
                                         s->answer->f_c,
                                         s->answer->w_least,
                                         s->info->least,
                                         s->soft,
                                         s->problem->law == TC_IMPACT_COULOMB};
    tci_impact_set_soft(c, s->soft);
    return tci_cone_grad_open(pattern, &solved, s->rest);
}

/* `second`: the problem of restitution, which the pattern points to */
static int open_restitution(const impact_chain *s, tc_cone *second, tci_cone_grad_pattern *pattern)
{
    const tc_impact *const p = s->problem;
    *second = p->contact;
    for (uint32_t i = 0; i < second->n; ++i) {
        s->floor[i] = p->e != NULL ? p->e[i] * s->answer->f_c[i * second->rows] : TC_C(0.0);
    }
    for (uint32_t k = 0; k < second->d; ++k) {
        s->start[k] = s->answer->w[k] - (p->target != NULL ? p->target[k] : TC_C(0.0));
    }
    second->floor = s->floor;
    const tci_cone_grad_answer solved = {second,
                                         s->answer->f,
                                         s->start,
                                         s->info->restitution.kind,
                                         second->compliance,
                                         p->law == TC_IMPACT_COULOMB};
    return tci_cone_grad_open(pattern, &solved, s->rest);
}

/* ---- Adjoint --------------------------------------------------------------------------------- */

/* by_start, by_f, and what restitution gives the inputs */
static int pull_restitution(impact_chain *s, const tc_real *by_w, const tc_impact_grad *by)
{
    const tc_cone *const c = &s->problem->contact;
    tci_cone_grad_pattern pattern;
    tc_cone second;
    if (s->info->rests) {
        for (uint32_t k = 0; k < c->d; ++k) s->by_start[k] = by_w[k];
        return 1;
    }
    set_zero(s->by_start, c->d);
    if (!open_restitution(s, &second, &pattern)) return 0;
    const tc_cone_grad part = {by->G, s->by_start, by->mu, s->by_floor, NULL};
    tci_cone_grad_pull(&pattern, by_w, NULL, &part, 1);
    s->loose += pattern.loose;
    for (uint32_t i = 0; i < c->n; ++i) {
        const tc_real e = s->problem->e != NULL ? s->problem->e[i] : TC_C(0.0);
        s->by_f[i * c->rows] = e * s->by_floor[i];
        if (by->e != NULL) by->e[i] = s->by_floor[i] * s->answer->f_c[i * c->rows];
    }
    for (uint32_t k = 0; k < c->d && by->target != NULL; ++k) {
        by->target[k] = by_w[k] - s->by_start[k];
    }
    return 1;
}

/* What by_f gives through the compliant problem */
static int pull_least(impact_chain *s, const tc_impact_grad *by)
{
    const tc_cone *const c = &s->problem->contact;
    tci_cone_grad_pattern pattern;
    if (!open_least(s, &pattern)) return 0;
    const tc_cone_grad part = {by->G, by->w0, by->mu, NULL, s->by_soft};
    tci_cone_grad_pull(&pattern, s->none, s->by_f, &part, 1);
    const uint32_t length = c->rows * c->d;
    for (uint32_t i = 0; i < c->n && by->G != NULL; ++i) {
        const tc_real by_a = TC_C(2.0) * IMPACT_SOFT * s->by_soft[i] / (tc_real)c->rows;
        for (uint32_t k = i * length; k < (i + 1u) * length; ++k) {
            by->G[k] = TC_MLA(by->G[k], by_a, c->G[k]);
        }
    }
    return 1;
}

static int pull_impact(impact_chain *s, const tc_real *by_w, const tc_impact_grad *by)
{
    tci_cone_grad_pattern pattern;
    if (!pull_restitution(s, by_w, by) || !open_compression(s, &pattern)) return 0;
    const tc_cone_grad part = {by->G, by->w0, by->mu, NULL, NULL};
    tci_cone_grad_pull(&pattern, s->by_start, s->info->unique ? s->by_f : NULL, &part, 1);
    s->loose += pattern.loose;
    return s->info->unique || pull_least(s, by);
}

/* ---- Tangent --------------------------------------------------------------------------------- */

static int push_least(impact_chain *s, const tc_cone_grad *inputs)
{
    const tc_cone *const c = &s->problem->contact;
    tci_cone_grad_pattern pattern;
    const uint32_t length = c->rows * c->d;
    if (!open_least(s, &pattern)) return 0;
    for (uint32_t i = 0; i < c->n && inputs->G != NULL; ++i) {
        const tc_real *const G = c->G + i * length, *const dG = inputs->G + i * length;
        const tc_real sum = tc_mat_body_dot(TC_C(0.0), G, 1, dG, 1, 0, length);
        s->by_soft[i] = TC_C(2.0) * IMPACT_SOFT * sum / (tc_real)c->rows;
    }
    tc_cone_grad with = *inputs;
    with.compliance = s->by_soft;
    tci_cone_grad_push(&pattern, &with, s->by_f);
    return 1;
}

/* The directions of w_c and of the floors */
static int push_compression(impact_chain *s, const tc_impact_grad *along)
{
    const tc_cone *const c = &s->problem->contact;
    const tc_cone_grad inputs = {along->G, along->w0, along->mu, NULL, NULL};
    tci_cone_grad_pattern pattern;
    if (!open_compression(s, &pattern)) return 0;
    tci_cone_grad_push(&pattern, &inputs, s->info->unique ? s->by_f : NULL);
    s->loose += pattern.loose;
    for (uint32_t k = 0; k < c->d; ++k) s->by_start[k] = pattern.x[k];
    if (!s->info->unique && !push_least(s, &inputs)) return 0;
    for (uint32_t i = 0; i < c->n; ++i) {
        const tc_real e = s->problem->e != NULL ? s->problem->e[i] : TC_C(0.0);
        const tc_real de = along->e != NULL ? along->e[i] : TC_C(0.0);
        s->by_floor[i] = TC_MLA(e * s->by_f[i * c->rows], de, s->answer->f_c[i * c->rows]);
    }
    return 1;
}

static int push_impact(impact_chain *s, const tc_impact_grad *along, tc_real *dw)
{
    const tc_cone *const c = &s->problem->contact;
    tci_cone_grad_pattern pattern;
    tc_cone second;
    if (!push_compression(s, along)) return 0;
    if (s->info->rests) {
        for (uint32_t k = 0; k < c->d; ++k) dw[k] = s->by_start[k];
        return 1;
    }
    for (uint32_t k = 0; k < c->d && along->target != NULL; ++k) {
        s->by_start[k] -= along->target[k];
    }
    if (!open_restitution(s, &second, &pattern)) return 0;
    const tc_cone_grad inputs = {along->G, s->by_start, along->mu, s->by_floor, NULL};
    tci_cone_grad_push(&pattern, &inputs, NULL);
    s->loose += pattern.loose;
    for (uint32_t k = 0; k < c->d; ++k) {
        dw[k] = pattern.x[k] + (along->target != NULL ? along->target[k] : TC_C(0.0));
    }
    return 1;
}

/* ---- Borders --------------------------------------------------------------------------------- */

static int beyond_limits(const tc_impact *p)
{
    const tc_cone *const c = &p->contact;
    const uint32_t most = c->rows == 3u ? TC_CONE3_MAX : TC_CONE_MAX;
    return c->rows - 1u >= 3u || c->n > most || c->d - 1u >= TC_CONE_FREEDOM_MAX;
}

static int misses_array(const impact_chain *s)
{
    const tc_cone *const c = &s->problem->contact;
    return s->answer->f_c == NULL || s->answer->f == NULL || c->G == NULL
           || (c->mu == NULL && c->rows > 1u) || (!s->info->unique && s->answer->w_least == NULL);
}

static tc_status check_chain(const impact_chain *s, const tc_real *work, size_t work_len)
{
    const tc_impact *const p = s->problem;
    const tc_impact_answer *const a = s->answer;
    if (a == NULL || s->info == NULL || work == NULL || p->contact.w0 == NULL) return TC_ERR_NULL;
    if (a->w_c == NULL || a->w == NULL) return TC_ERR_NULL;
    if (p->contact.n != 0u && misses_array(s)) return TC_ERR_NULL;
    if ((uint32_t)p->law > (uint32_t)TC_IMPACT_COULOMB) return TC_ERR_UNSUPPORTED;
    return tc_work_check(work, work_len,
                         TC_IMPACT_GRAD_WORK(p->contact.n, p->contact.rows, p->contact.d));
}

static int all_finite_or_none(const tc_impact *p, const tc_impact_grad *x)
{
    const uint32_t n = p->contact.n, d = p->contact.d;
    return (x->G == NULL || tc_all_finite(x->G, n * p->contact.rows * d))
           && (x->w0 == NULL || tc_all_finite(x->w0, d))
           && (x->mu == NULL || tc_all_finite(x->mu, n)) && (x->e == NULL || tc_all_finite(x->e, n))
           && (x->target == NULL || tc_all_finite(x->target, d));
}

static void zero_cotangents(const tc_impact *p, const tc_impact_grad *by)
{
    set_zero(by->G, p->contact.n * p->contact.rows * p->contact.d);
    set_zero(by->w0, p->contact.d);
    set_zero(by->mu, p->contact.n);
    set_zero(by->e, p->contact.n);
    set_zero(by->target, p->contact.d);
}

/* The note of a derivative that was computed */
static tc_status note_loose(const impact_chain *s, tc_status status)
{
    return status == TC_OK && s->loose > 0u ? TC_NOTE_PRECISION : status;
}

/* A result is not finite: by an input, or by overflow? */
static tc_status blame_problem(const impact_chain *s)
{
    const tc_cone *const c = &s->problem->contact;
    const uint32_t m = c->n * c->rows;
    const int finite = tc_all_finite(c->G, m * c->d) && tc_all_finite(s->answer->f_c, m)
                       && tc_all_finite(s->answer->f, m) && tc_all_finite(s->answer->w_c, c->d)
                       && tc_all_finite(s->answer->w, c->d)
                       && (c->mu == NULL || tc_all_finite(c->mu, c->n))
                       && (s->problem->e == NULL || tc_all_finite(s->problem->e, c->n));
    return finite ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
}

tc_status tc_impact_grad_adjoint(const tc_impact *problem, const tc_impact_answer *answer,
                                 const tc_impact_info *info, const tc_real *by_w,
                                 const tc_impact_grad *by, tc_real *work, size_t work_len)
{
    impact_chain s = {.problem = problem, .answer = answer, .info = info};
    if (problem == NULL || by == NULL) return TC_ERR_NULL;
    if (beyond_limits(problem)) return TC_ERR_SIZE;
    zero_cotangents(problem, by);
    if (by_w == NULL) return TC_ERR_NULL;
    tc_status status = check_chain(&s, work, work_len);
    if (status < TC_OK) return status;
    if (!tc_all_finite(by_w, problem->contact.d)) return TC_ERR_NOT_FINITE;
    divide_chain(&s, work);
    if (!pull_impact(&s, by_w, by))
        status = TC_ERR_RANGE;
    else if (!all_finite_or_none(problem, by))
        status = blame_problem(&s);
    if (status < TC_OK) zero_cotangents(problem, by);
    return note_loose(&s, status);
}

tc_status tc_impact_grad_tangent(const tc_impact *problem, const tc_impact_answer *answer,
                                 const tc_impact_info *info, const tc_impact_grad *along,
                                 tc_real *dw, tc_real *work, size_t work_len)
{
    impact_chain s = {.problem = problem, .answer = answer, .info = info};
    if (problem == NULL || dw == NULL) return TC_ERR_NULL;
    if (beyond_limits(problem)) return TC_ERR_SIZE;
    const uint32_t d = problem->contact.d;
    set_zero(dw, d);
    if (along == NULL) return TC_ERR_NULL;
    tc_status status = check_chain(&s, work, work_len);
    if (status < TC_OK) return status;
    if (!all_finite_or_none(problem, along)) return TC_ERR_NOT_FINITE;
    divide_chain(&s, work);
    if (!push_impact(&s, along, dw))
        status = TC_ERR_RANGE;
    else if (!tc_all_finite(dw, d))
        status = blame_problem(&s);
    if (status < TC_OK) set_zero(dw, d);
    return note_loose(&s, status);
}
