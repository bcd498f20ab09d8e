/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * An impact in two phases: which problems are solved, in which order, and what is handed back.
 *
 * Compression is one cone problem. Its velocity is unique, its impulses are where the columns that
 * they may move in (tc_cone_grad.c) are independent; then they are the floors' as they are. Else
 * tc_impact_bias.c finds those of least norm.
 *
 * Restitution starts from w_c - target with f = e f_c. If all floors and the target are 0, w_c is
 * the answer: it is in the set on which it would be projected.
 */
#define TC_MAT_LOOP /* loops stay loops */
#include "tc_exact.h"
#include "tc_cone_grad_internal.h"
#include "tc_cone_internal.h"
#include "tc_impact_internal.h"

#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

/* ---- Borders --------------------------------------------------------------------------------- */

static tc_status fail_impact(tc_status status, const tc_impact *p, const tc_impact_answer *answer,
                             tc_impact_info *info)
{
    if (info != NULL) memset(info, 0, sizeof *info);
    if (p == NULL || answer == NULL || status == TC_ERR_SIZE) return status;
    const uint32_t m = p->contact.n * p->contact.rows, d = p->contact.d;
    tc_real *const by_row[4] = {answer->f_c, answer->u_c, answer->f, answer->u};
    tc_real *const by_freedom[4] = {answer->w_c, answer->w, answer->w_least, NULL};
    for (uint32_t k = 0; k < 4u; ++k) {
        for (uint32_t i = 0; i < m && by_row[k] != NULL; ++i) by_row[k][i] = TC_C(0.0);
        for (uint32_t i = 0; i < d && by_freedom[k] != NULL; ++i) by_freedom[k][i] = TC_C(0.0);
    }
    return status;
}

static int outside_limits(const tc_impact *p)
{
    const tc_cone *const c = &p->contact;
    const uint32_t most = c->rows == 3u ? TC_CONE3_MAX : TC_CONE_MAX;
    const uint32_t column = p->law == TC_IMPACT_COULOMB ? 1u : 0u; /* of the shift */
    return c->rows - 1u >= 3u || c->n > most || c->d - 1u >= TC_CONE_FREEDOM_MAX - column;
}

static tc_status check_coefficients(const tc_impact *p)
{
    if (p->contact.floor != NULL) return TC_ERR_RANGE;
    if (p->target != NULL && !tc_all_finite(p->target, p->contact.d)) return TC_ERR_NOT_FINITE;
    if (p->e == NULL) return TC_OK;
    if (!tc_all_finite(p->e, p->contact.n)) return TC_ERR_NOT_FINITE;
    for (uint32_t i = 0; i < p->contact.n; ++i) {
        if (!(p->e[i] >= TC_C(0.0) && p->e[i] <= TC_C(1.0))) return TC_ERR_RANGE;
    }
    return TC_OK;
}

static int lacks_array(const tc_impact *p, const tc_impact_answer *answer)
{
    return answer->f_c == NULL || answer->u_c == NULL || answer->f == NULL || answer->u == NULL
           || p->contact.G == NULL || (p->contact.mu == NULL && p->contact.rows > 1u);
}

static int lacks_end(const tc_impact *p, const tc_impact_answer *answer)
{
    return answer->w_c == NULL || answer->w == NULL || p->contact.w0 == NULL;
}

/* What tc_cone_solve does not check itself */
static tc_status check_impact(const tc_impact *p, const tc_impact_answer *answer,
                              const tc_real *work, size_t work_len)
{
    if (p == NULL || answer == NULL) return TC_ERR_NULL;
    if ((uint32_t)p->law > (uint32_t)TC_IMPACT_COULOMB) return TC_ERR_UNSUPPORTED;
    if (outside_limits(p)) return TC_ERR_SIZE;
    if (lacks_end(p, answer)) return TC_ERR_NULL;
    if (p->contact.n == 0u) return check_coefficients(p);
    if (lacks_array(p, answer) || work == NULL) return TC_ERR_NULL;
    const tc_status status =
        tc_work_check(work, work_len, TC_IMPACT_WORK(p->contact.n, p->contact.rows, p->contact.d));
    return status < TC_OK ? status : check_coefficients(p);
}

static void divide_impact(tci_impact_state *s, const tc_impact *p, tc_real *work, size_t work_len)
{
    const uint32_t n = p->contact.n, m = n * p->contact.rows, d = p->contact.d;
    s->problem = p;
    s->G = work;
    s->f = s->G + m * (d + 1u);
    s->f_least = s->f + m;
    s->u_least = s->f_least + m;
    s->soft = s->u_least + m;
    s->floor = s->soft + n;
    s->shift = s->floor + n;
    s->history = s->shift + n;
    s->start = s->history + (2u * IMPACT_MEMORY + 3u) * n;
    s->w = s->start + d + 1u;
    s->info = (void *)(s->w + d + 1u);
    s->of_faces = (void *)(s->w + d + 1u + TC_IMPACT_REALS(tc_impact_info));
    s->rest = (tc_real *)(void *)s->of_faces + TC_IMPACT_REALS(tc_cone_info);
    memset(s->info, 0, sizeof *s->info);
    s->rest_len = work_len - (size_t)(s->rest - work);
    s->solves = 0;
    s->coulomb = TC_C(0.0);
}

/* ---- Phases ---------------------------------------------------------------------------------- */

tc_status tci_impact_cone(tci_impact_state *s, const tc_cone *cone, const tci_impact_output *to)
{
    ++s->solves;
    return tc_cone_solve(cone, to->f, to->u, to->w, to->info, s->rest, s->rest_len);
}

/* The velocities of the shift's column do not leave the solver: u = G w */
static void set_contact_velocities(const tci_impact_state *s, const tc_real *w, tc_real *u)
{
    const tc_cone *const c = &s->problem->contact;
    tc_mat_body_vec(c->G, w, u, c->n * c->rows, c->d);
}

static tc_status solve_phase(tci_impact_state *s, tc_cone *cone, const tci_impact_output *to)
{
    if (s->problem->law == TC_IMPACT_CONVEX) return tci_impact_cone(s, cone, to);
    return tci_impact_coulomb(s, cone, to);
}

/* The worse of two notes, or the error: limit, precision, ok */
static tc_status worse_note(tc_status a, tc_status b)
{
    if (a < TC_OK || b < TC_OK) return a < TC_OK ? a : b;
    if (a == TC_NOTE_LIMIT || b == TC_NOTE_LIMIT) return TC_NOTE_LIMIT;
    return a != TC_OK ? a : b;
}

/* A contact on the border of its kind may carry or not: then other impulses may do as well, though
 * the columns of these kinds are independent. */
static const tc_real on_border = TC_C(16.0) * TC_CONE_TOLERANCE;

/* Apart: its pattern is not on the solver's stack. */
CONE_APART CONE_APART static int
impulses_unique(const tci_impact_state *s, const tc_impact_answer *answer, const tc_cone_info *info)
{
    tci_cone_grad_pattern pattern;
    const tc_cone *const c = &s->problem->contact;
    const tci_cone_grad_answer solved = {c, answer->f_c, answer->w_c, info->kind, c->compliance, 0};
    if (info->margin <= on_border) return 0;
    return tci_cone_grad_open(&pattern, &solved, s->rest) && pattern.weak == 0u;
}

/* Impulses may lie on the cone's edge though their contact sticks: others, as good, lie inside. Its
 * kind is what the velocity u[n rows] shows, and what derivatives of the velocity need. */
static void settle_kinds(const tci_impact_state *s, const tc_real *u, tc_cone_info *info)
{
    const tc_cone *const c = &s->problem->contact;
    for (uint32_t i = 0; i < c->n && c->rows > 1u; ++i) {
        const tc_real *const t = u + i * c->rows + 1u;
        const tc_real y = c->rows > 2u ? t[1] : TC_C(0.0);
        if (tc_sqrt(TC_MLA(t[0] * t[0], y, y)) > on_border * info->scale) continue;
        if (info->kind[i] == TC_CONE_SLIP && c->mu[i] > TC_C(0.0)) info->kind[i] = TC_CONE_STICK;
        if (info->kind[i] == TC_CONE_FLOOR_SLIP && c->mu[i] > TC_C(0.0)) {
            info->kind[i] = TC_CONE_FLOOR_STICK;
        }
    }
}

static void copy_numbers(tc_real *to, const tc_real *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) to[i] = from[i];
}

static int needs_floors(const tc_impact *p)
{
    int any = 0;
    for (uint32_t i = 0; i < p->contact.n && p->e != NULL; ++i) any |= p->e[i] > TC_C(0.0);
    return any;
}

CONE_APART static tc_status compress_impact(tci_impact_state *s, const tc_impact_answer *answer,
                                            tc_impact_info *info)
{
    tc_cone cone = s->problem->contact;
    const tci_impact_output to = {answer->f_c, answer->u_c, s->w, &info->compression};
    const tc_status status = solve_phase(s, &cone, &to);
    if (status < TC_OK) return status;
    copy_numbers(answer->w_c, s->w, s->problem->contact.d);
    if (s->problem->law != TC_IMPACT_CONVEX) set_contact_velocities(s, answer->w_c, answer->u_c);
    info->unique = 1;
    if (needs_floors(s->problem) && !impulses_unique(s, answer, &info->compression)) {
        info->unique = 0;
        if (tci_impact_least(s, answer, info) == 0) return TC_NOTE_LIMIT;
        set_contact_velocities(s, answer->w_c, answer->u_c);
    }
    for (uint32_t i = 0; i < cone.n && info->unique; ++i) {
        info->least[i] = info->compression.kind[i];
    }
    return status;
}

/* f_i expected: e_i f_c,i, which is feasible */
static void set_floors(const tci_impact_state *s, const tc_real *f_c)
{
    const uint32_t n = s->problem->contact.n, rows = s->problem->contact.rows;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real e = s->problem->e != NULL ? s->problem->e[i] : TC_C(0.0);
        for (uint32_t r = 0; r < rows; ++r) s->f[i * rows + r] = e * f_c[i * rows + r];
        s->floor[i] = s->f[i * rows];
    }
}

/* max |G w| */
static tc_real largest_velocity(const tc_cone *c, const tc_real *w)
{
    tc_real most = TC_C(0.0);
    for (uint32_t r = 0; r < c->n * c->rows; ++r) {
        most = tc_vec_max(tc_vec_magnitude(tci_impact_dot(c->G + r * c->d, w, c->d)), most);
    }
    return most;
}

/* The error of restitution, which may start from rest, is relative to the velocities before both
 * phases. */
static tc_status refer_error(const tci_impact_state *s, tc_status status, tc_cone_info *info)
{
    const tc_cone *const c = &s->problem->contact;
    const tc_real approach = largest_velocity(c, c->w0);
    const tc_real own = largest_velocity(c, s->start);
    if (own > TC_C(0.0))
        info->error = approach > TC_C(0.0) ? info->error * own / approach : info->residual;
    if (status != TC_OK && status != TC_NOTE_PRECISION) return status;
    return info->error <= TC_CONE_ERROR ? TC_OK : TC_NOTE_PRECISION;
}

CONE_APART static tc_status restitute_impact(tci_impact_state *s, const tc_impact_answer *answer,
                                             tc_impact_info *info)
{
    const tc_impact *const p = s->problem;
    const uint32_t d = p->contact.d;
    tc_cone cone = p->contact;
    set_floors(s, answer->f_c);
    for (uint32_t k = 0; k < d; ++k) {
        s->start[k] = answer->w_c[k] - (p->target != NULL ? p->target[k] : TC_C(0.0));
    }
    cone.w0 = s->start;
    cone.floor = s->floor;
    cone.warm = s->f;
    const tci_impact_output to = {answer->f, answer->u, s->w, &info->restitution};
    const tc_status status = solve_phase(s, &cone, &to);
    settle_kinds(s, answer->u, &info->restitution);
    for (uint32_t k = 0; k < d; ++k) {
        answer->w[k] = s->w[k] + (p->target != NULL ? p->target[k] : TC_C(0.0));
    }
    set_contact_velocities(s, answer->w, answer->u);
    return refer_error(s, status, &info->restitution);
}

/* Nothing is left to do: all contacts open, with velocities that may stay */
static void rest_impact(const tci_impact_state *s, const tc_impact_answer *answer,
                        tc_impact_info *info)
{
    const uint32_t m = s->problem->contact.n * s->problem->contact.rows;
    for (uint32_t k = 0; k < m; ++k) answer->f[k] = TC_C(0.0);
    copy_numbers(answer->u, answer->u_c, m);
    copy_numbers(answer->w, answer->w_c, s->problem->contact.d);
    info->restitution = info->compression;
    info->restitution.iterations = 0;
    for (uint32_t i = 0; i < s->problem->contact.n; ++i) info->restitution.kind[i] = TC_CONE_OPEN;
    info->rests = 1;
}

/* No contact: velocities stay */
static tc_status answer_nothing(const tc_impact *p, const tc_impact_answer *answer,
                                tc_impact_info *info)
{
    (void)fail_impact(TC_OK, p, answer, info);
    if (!tc_all_finite(p->contact.w0, p->contact.d)) return TC_ERR_NOT_FINITE;
    copy_numbers(answer->w_c, p->contact.w0, p->contact.d);
    copy_numbers(answer->w, p->contact.w0, p->contact.d);
    return TC_OK;
}

tc_status tc_impact_solve(const tc_impact *problem, const tc_impact_answer *answer,
                          tc_impact_info *info, tc_real *work, size_t work_len)
{
    tci_impact_state s;
    tc_status status = check_impact(problem, answer, work, work_len);
    if (status < TC_OK) return fail_impact(status, problem, answer, info);
    if (problem->contact.n == 0u) return answer_nothing(problem, answer, info);
    divide_impact(&s, problem, work, work_len);
    status = compress_impact(&s, answer, s.info);
    if (status < TC_OK) return fail_impact(status, problem, answer, info);
    if (!needs_floors(problem) && problem->target == NULL) {
        rest_impact(&s, answer, s.info);
    } else {
        status = worse_note(status, restitute_impact(&s, answer, s.info));
    }
    if (status < TC_OK) return fail_impact(status, problem, answer, info);
    if (!tc_all_finite(answer->w, problem->contact.d)
        || !tc_all_finite(answer->u, problem->contact.n * problem->contact.rows)) {
        return fail_impact(TC_ERR_RANGE, problem, answer, info);
    }
    s.info->solves = s.solves;
    s.info->coulomb = s.coulomb;
    if (info != NULL) *info = *s.info;
    return status;
}
