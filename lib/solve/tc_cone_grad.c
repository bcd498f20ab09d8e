/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of a cone problem's answer.
 *
 * Pattern. While no contact changes its kind, f moves in the columns T that its kind leaves it,
 *
 *     stick        (1, 0, 0), (0, 1, 0), (0, 0, 1)
 *     slip         the ray (1, mu tau), and (0, tau'), tau' the normal of tau: the angle
 *     floor, stick (0, 1, 0), (0, 0, 1)
 *     floor, slip  (0, tau')
 *
 * df = T z + p, where p is what mu and the floor move: (0, f_n tau) dmu, (1, mu tau) dfloor. The
 * answer has T^T u = 0 with u = G w + c f. Along a change, with B = T^T G:
 *
 *     dw = x = v + B^T z,   v = dw0 + dG^T f + G^T p                                          (1)
 *     B x + D z + h = 0,    h = T^T (dG w + c p + dc f) + (tau . u_t) dmu at rays             (2)
 *     D = T^T c T + C,      C = -tau . u_t / |f_t| at angles, else 0                          (3)
 *
 * C is the turning of tau: d tau = tau' z / |f_t|, and T^T u has tau' . u_t in it.
 *
 * The adjoint solves the same equations. With gw of w and gf of f, let (x, z) be their solution for
 * v = gw, h = T^T gf. Then
 *
 *     gw0 = x,   gG = f x^T + (T z) w^T,   gc = (T z) . f,   r = gf + G x + c T z
 *     gmu = f_n tau . r_t + (tau . u_t) z_ray,   gfloor = r_n + mu tau . r_t                  (4)
 *
 * tc_cone_grad_pattern.c solves (1) and (2).
 */
#define TC_MAT_LOOP /* loops stay loops */
#include "tc_exact.h"
#include "tc_cone_grad_internal.h"

#include "tc_vec.h"
#include "tc_work.h"

/* ---- Columns -------------------------------------------------------------------------------- */

/* Rows of T' at column k, which is T but for the rays of Coulomb's law */
static uint32_t tested_rows(const tci_cone_grad_pattern *s, uint32_t k)
{
    return s->coulomb && tci_cone_grad_is_ray(s, k) ? 1u : s->problem->rows;
}

/* by_row[n rows] = T z, or for the adjoint by Coulomb's law T' z */
static void spread_columns(const tci_cone_grad_pattern *s, int adjoint)
{
    const uint32_t rows = s->problem->rows, m = s->problem->n * rows;
    for (uint32_t k = 0; k < m; ++k) s->by_row[k] = TC_C(0.0);
    for (uint32_t k = 0; k < s->columns; ++k) {
        tc_real *const to = s->by_row + s->contact[k] * rows;
        tci_cone_grad_add(to, s->z[k], s->T + k * rows, adjoint ? tested_rows(s, k) : rows);
    }
}

/* x and z, by the law of the answer */
static void solve_columns(tci_cone_grad_pattern *s, int adjoint)
{
    if (s->coulomb)
        tci_cone_grad_solve_coulomb(s, adjoint);
    else
        tci_cone_grad_solve(s);
}

/* Whether column k is a ray whose direction turns with mu, and tau . u_t there */
static int ray_drag(const tci_cone_grad_pattern *s, uint32_t k, tc_real *drag)
{
    const uint32_t rows = s->problem->rows, i = s->contact[k];
    *drag = TC_C(0.0);
    if (s->coulomb || rows == 1u || !tci_cone_grad_is_ray(s, k)) return 0;
    *drag = tci_cone_grad_dot(s->tau + 3u * i, s->u + i * rows + 1u, rows - 1u);
    return 1;
}

/* ---- Adjoint: (4) ---------------------------------------------------------------------------- */

/* The cotangents of mu and floor of contact i; r[rows]: see (4) */
static void pull_bounds(const tci_cone_grad_pattern *s, uint32_t i, const tc_real *r,
                        const tc_cone_grad *by)
{
    const uint32_t rows = s->problem->rows;
    const tc_cone_kind kind = s->kind[i];
    const int slips = kind == TC_CONE_SLIP || kind == TC_CONE_FLOOR_SLIP;
    const tc_real along =
        rows > 1u && slips ? tci_cone_grad_dot(s->tau + 3u * i, r + 1, rows - 1u) : TC_C(0.0);
    if (by->mu != NULL && rows > 1u) by->mu[i] = TC_MLA(by->mu[i], s->f[i * rows], along);
    if (by->floor == NULL || (kind != TC_CONE_FLOOR_STICK && kind != TC_CONE_FLOOR_SLIP)) return;
    by->floor[i] += rows > 1u ? TC_MLA(r[0], s->problem->mu[i], along) : r[0];
}

/* r = by_f + G x + c T z, and what it gives */
static void pull_contact(const tci_cone_grad_pattern *s, uint32_t i, const tc_real *by_f,
                         const tc_cone_grad *by)
{
    const uint32_t rows = s->problem->rows, d = s->problem->d;
    const tc_real c = s->compliance != NULL ? s->compliance[i] : TC_C(0.0);
    tc_real r[CONE_ROWS];
    for (uint32_t k = 0; k < rows; ++k) {
        const uint32_t at = i * rows + k;
        r[k] = tci_cone_grad_dot(tci_cone_grad_rows(s, i) + k * d, s->x, d);
        r[k] = TC_MLA(r[k], c, s->by_row[at]) + (by_f != NULL ? by_f[at] : TC_C(0.0));
    }
    pull_bounds(s, i, r, by);
    if (by->compliance != NULL) {
        by->compliance[i] += tci_cone_grad_dot(s->by_row + i * rows, s->f + i * rows, rows);
    }
}

/* to = f x^T + z w^T, a row for each of `rows` rows */
TC_MAT_INLINE void spread_body(const tci_cone_grad_pattern *s, uint32_t from, tc_real *to,
                               uint32_t d)
{
    const uint32_t rows = s->problem->rows;
    tc_real x[6], w[6];
    TC_MAT_UNROLLED
    for (uint32_t j = 0; j < d; ++j) {
        x[j] = s->x[j];
        w[j] = s->w[j];
    }
    for (uint32_t k = from; k < from + rows; ++k, to += d) {
        const tc_real f = s->f[k], z = s->by_row[k];
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j < d; ++j) to[j] = TC_MLA(f * x[j], z, w[j]);
    }
}

/* by->G = f x^T + (T z) w^T, added to it if `add` */
static void pull_matrix(const tci_cone_grad_pattern *s, uint32_t i, tc_real *by_G, int add)
{
    const uint32_t rows = s->problem->rows, d = s->problem->d;
    tc_real *to = by_G + i * rows * d;
    if (d == 6u && !add) {
        spread_body(s, i * rows, to, 6u);
        return;
    }
    for (uint32_t k = i * rows; k < (i + 1u) * rows; ++k, to += d) {
        const tc_real f = s->f[k], z = s->by_row[k];
        for (uint32_t j = 0; j < d; ++j) {
            to[j] = TC_MLA(f * s->x[j], z, s->w[j]) + (add ? to[j] : TC_C(0.0));
        }
    }
}

/* What contact i gives, and what it does not: an open one's rows are 0 */
static void pull_kind(const tci_cone_grad_pattern *s, uint32_t i, const tc_real *by_f,
                      const tc_cone_grad *by, int add)
{
    const int open = s->kind[i] == TC_CONE_OPEN;
    if (by->G != NULL && !(add && open)) pull_matrix(s, i, by->G, add);
    if (open || (by->mu == NULL && by->floor == NULL && by->compliance == NULL)) return;
    pull_contact(s, i, by_f, by);
}

void tci_cone_grad_pull(tci_cone_grad_pattern *s, const tc_real *by_w, const tc_real *by_f,
                        const tc_cone_grad *by, int add)
{
    const uint32_t rows = s->problem->rows, d = s->problem->d;
    for (uint32_t j = 0; j < d; ++j) s->x[j] = by_w[j];
    for (uint32_t k = 0; k < s->columns; ++k) {
        const tc_real *const T = s->T + k * rows;
        s->h[k] =
            by_f != NULL ? tci_cone_grad_dot(T, by_f + s->contact[k] * rows, rows) : TC_C(0.0);
    }
    solve_columns(s, 1);
    spread_columns(s, 1);
    if (by->w0 != NULL) tci_cone_grad_add(by->w0, TC_C(1.0), s->x, d);
    for (uint32_t i = 0; i < s->problem->n; ++i) pull_kind(s, i, by_f, by, add);
    for (uint32_t k = 0; k < s->columns && by->mu != NULL; ++k) {
        tc_real drag;
        if (ray_drag(s, k, &drag)) by->mu[s->contact[k]] += s->z[k] * drag;
    }
}

/* ---- Tangent: (1) and (2) -------------------------------------------------------------------- */

/* p of contact i */
static void push_bounds(const tci_cone_grad_pattern *s, uint32_t i, const tc_cone_grad *along,
                        tc_real *p)
{
    const uint32_t rows = s->problem->rows;
    const tc_cone_kind kind = s->kind[i];
    const int at_floor = kind == TC_CONE_FLOOR_STICK || kind == TC_CONE_FLOOR_SLIP;
    const tc_real rise = at_floor && along->floor != NULL ? along->floor[i] : TC_C(0.0);
    const tc_real mu = rows > 1u ? s->problem->mu[i] : TC_C(0.0);
    const tc_real turn = rows > 1u && along->mu != NULL ? along->mu[i] : TC_C(0.0);
    p[0] = rise;
    for (uint32_t r = 1; r < rows; ++r) {
        p[r] = s->tau[3u * i + r - 1u] * TC_MLA(mu * rise, turn, s->f[i * rows]);
    }
}

/* v += dG^T f + G^T p; by_row = dG w + c p + dc f */
static void push_contact(tci_cone_grad_pattern *s, uint32_t i, const tc_cone_grad *along,
                         const tc_real *p)
{
    const uint32_t rows = s->problem->rows, d = s->problem->d;
    const tc_real c = s->compliance != NULL ? s->compliance[i] : TC_C(0.0);
    const tc_real dc = along->compliance != NULL ? along->compliance[i] : TC_C(0.0);
    for (uint32_t r = 0; r < rows; ++r) {
        const uint32_t k = i * rows + r;
        tc_real sum = TC_MLA(c * p[r], dc, s->f[k]);
        tci_cone_grad_add(s->x, p[r], tci_cone_grad_rows(s, i) + r * d, d);
        if (along->G != NULL) {
            tci_cone_grad_add(s->x, s->f[k], along->G + k * d, d);
            sum += tci_cone_grad_dot(along->G + k * d, s->w, d);
        }
        s->by_row[k] = sum;
    }
}

static void push_inputs(tci_cone_grad_pattern *s, const tc_cone_grad *along, tc_real *df)
{
    const uint32_t rows = s->problem->rows, d = s->problem->d;
    for (uint32_t j = 0; j < d; ++j) s->x[j] = along->w0 != NULL ? along->w0[j] : TC_C(0.0);
    for (uint32_t i = 0; i < s->problem->n; ++i) {
        tc_real p[CONE_ROWS] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
        if (s->kind[i] != TC_CONE_OPEN) {
            push_bounds(s, i, along, p);
            push_contact(s, i, along, p);
        }
        for (uint32_t r = 0; r < rows && df != NULL; ++r) df[i * rows + r] = p[r];
    }
    for (uint32_t k = 0; k < s->columns; ++k) {
        tc_real drag;
        const uint32_t i = s->contact[k];
        const int turns = ray_drag(s, k, &drag) && along->mu != NULL;
        s->h[k] = tci_cone_grad_dot(s->T + k * rows, s->by_row + i * rows, tested_rows(s, k))
                  + (turns ? drag * along->mu[i] : TC_C(0.0));
    }
}

void tci_cone_grad_push(tci_cone_grad_pattern *s, const tc_cone_grad *along, tc_real *df)
{
    push_inputs(s, along, df);
    solve_columns(s, 0);
    if (df == NULL) return;
    spread_columns(s, 0);
    tci_cone_grad_add(df, TC_C(1.0), s->by_row, s->problem->n * s->problem->rows);
}

/* ---- Borders --------------------------------------------------------------------------------- */

/* Sizes as in tc_cone_solve */
static int bad_size(const tc_cone *p)
{
    const uint32_t most = p->rows == 3u ? TC_CONE3_MAX : TC_CONE_MAX;
    return p->rows - 1u >= 3u || p->n > most || p->d - 1u >= TC_CONE_FREEDOM_MAX;
}

/* All but sizes */
static tc_status check_inputs(const tc_cone *p, const tc_real *f, const tc_cone_info *info,
                              const tc_real *work, size_t work_len)
{
    if (p->w0 == NULL || info == NULL || work == NULL) return TC_ERR_NULL;
    if (p->n != 0u && (p->G == NULL || f == NULL)) return TC_ERR_NULL;
    if (p->n != 0u && p->rows > 1u && p->mu == NULL) return TC_ERR_NULL;
    return tc_work_check(work, work_len, TC_CONE_GRAD_WORK(p->n, p->rows, p->d));
}

/* A result is not finite: by an input, or by overflow? */
static tc_status blame_cone(const tc_cone *p, const tc_real *f)
{
    const uint32_t m = p->n * p->rows;
    const int finite = tc_all_finite(p->G, m * p->d) && tc_all_finite(p->w0, p->d)
                       && tc_all_finite(f, m) && (p->mu == NULL || tc_all_finite(p->mu, p->n));
    return finite ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
}

static void clear_numbers(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n && x != NULL; ++i) x[i] = TC_C(0.0);
}

/* whole: G's, too */
static void clear_cotangents(const tc_cone *p, const tc_cone_grad *by, int whole)
{
    if (whole) clear_numbers(by->G, p->n * p->rows * p->d);
    clear_numbers(by->w0, p->d);
    clear_numbers(by->mu, p->n);
    clear_numbers(by->floor, p->n);
    clear_numbers(by->compliance, p->n);
}

/* 1 unless a number that is there is NaN or infinite */
static int numbers_finite(const tc_real *x, uint32_t n)
{
    return x == NULL || tc_all_finite(x, n);
}

static int cotangents_finite(const tc_cone *p, const tc_cone_grad *by)
{
    return numbers_finite(by->G, p->n * p->rows * p->d) && numbers_finite(by->w0, p->d)
           && numbers_finite(by->mu, p->n) && numbers_finite(by->floor, p->n)
           && numbers_finite(by->compliance, p->n);
}

static tc_status compute_adjoint(const tc_cone *problem, const tc_real *f, const tc_cone_info *info,
                                 const tc_real *by_w, const tc_cone_grad *by, tc_real *work)
{
    tci_cone_grad_pattern s;
    if (!tc_all_finite(by_w, problem->d)) return TC_ERR_NOT_FINITE;
    const tci_cone_grad_answer answer = {problem, f, NULL, info->kind, problem->compliance, 0};
    if (!tci_cone_grad_open(&s, &answer, work)) return TC_ERR_RANGE;
    clear_cotangents(problem, by, 0);
    tci_cone_grad_pull(&s, by_w, NULL, by, 0);
    if (tc_all_finite(s.x, problem->d) && cotangents_finite(problem, by)) return TC_OK;
    return blame_cone(problem, f);
}

tc_status tc_cone_grad_adjoint(const tc_cone *problem, const tc_real *f, const tc_cone_info *info,
                               const tc_real *by_w, const tc_cone_grad *by, tc_real *work,
                               size_t work_len)
{
    if (problem == NULL || by == NULL) return TC_ERR_NULL;
    if (bad_size(problem)) return TC_ERR_SIZE;
    tc_status status = by_w == NULL ? TC_ERR_NULL : check_inputs(problem, f, info, work, work_len);
    if (status >= TC_OK) status = compute_adjoint(problem, f, info, by_w, by, work);
    if (status < TC_OK) clear_cotangents(problem, by, 1);
    return status;
}

tc_status tc_cone_grad_tangent(const tc_cone *problem, const tc_real *f, const tc_cone_info *info,
                               const tc_cone_grad *along, tc_real *dw, tc_real *work,
                               size_t work_len)
{
    tci_cone_grad_pattern s;
    if (problem == NULL || dw == NULL) return TC_ERR_NULL;
    if (bad_size(problem)) return TC_ERR_SIZE;
    clear_numbers(dw, problem->d);
    if (along == NULL) return TC_ERR_NULL;
    const tc_status status = check_inputs(problem, f, info, work, work_len);
    if (status < TC_OK) return status;
    if (!cotangents_finite(problem, along)) return TC_ERR_NOT_FINITE;
    const tci_cone_grad_answer answer = {problem, f, NULL, info->kind, problem->compliance, 0};
    if (!tci_cone_grad_open(&s, &answer, work)) return TC_ERR_RANGE;
    tci_cone_grad_push(&s, along, NULL);
    if (!tc_all_finite(s.x, problem->d)) return blame_cone(problem, f);
    for (uint32_t j = 0; j < problem->d; ++j) dw[j] = s.x[j];
    return TC_OK;
}
