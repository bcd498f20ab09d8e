/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Impacts of bodies and limbs: whitened coordinates, the target, and the way back.
 *
 * Whitened. With M = L L^T and w = L^T v, kinetic energy is |w|^2 / 2 and contact rows J become
 * G = J L^-T. A planar body has L = diag(sqrt m, sqrt m, sqrt I). A spatial one has, in world axes,
 * I = R diag(I_k) R^T; w_k = sqrt(I_k) (R^T omega)_k serves as well as any root, for M = L L^T is
 * all that is asked of it.
 *
 * Target. The normals of penetrating contacts are to have v_i = recovery depth_i / h, all other
 * rows 0: G w* = b. Rows may depend on each other and may contradict (three feet that are inside by
 * what no rigid motion takes out), so w* solves
 *
 *     (G^T G + delta) w* = G^T b,   delta_k = 1e-5 ((G^T G)_kk + trace / d)
 *
 * delta keeps the smallest pivot above what rounding leaves of it, and costs 1e-5 of the target.
 *
 * Way back. v changes by L^-T G^T (f_c + f): where nothing happens, velocities keep their bits.
 */
#include "tc_exact.h"
#include "tc_twophase.h"

#include "tc_mat.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

static const tc_real little = TC_C(1e-5);

/* One impact on its way; all arrays lie in the workspace. */
typedef struct twophase_problem {
    uint32_t n, rows, d;
    tc_real *G;   /* [n rows x d] */
    tc_real *f_c; /* [n rows], as the next three */
    tc_real *u_c;
    tc_real *f;
    tc_real *u;
    tc_real *mu;  /* [n] */
    tc_real *e;   /* [n] */
    tc_real *gap; /* [n] */
    tc_real *w0;  /* [d], as the next four */
    tc_real *w_c;
    tc_real *w;
    tc_real *target;
    tc_real *change;       /* w - w0, then that of the velocity */
    tc_impact_info *found; /* its report: here, not on the stack */
    tc_real *rest;         /* workspace of the impact */
    size_t rest_len;
} twophase_problem;

tc_twophase tc_twophase_default(void)
{
    return (tc_twophase){.friction = TC_C(0.5),
                         .restitution = TC_C(0.0),
                         .step = TC_C(0.001),
                         .recovery = TC_C(0.125),
                         .law = TC_IMPACT_CONVEX};
}

static void divide_twophase(twophase_problem *p, tc_real *work, size_t work_len)
{
    const uint32_t m = p->n * p->rows, n = p->n, d = p->d;
    p->G = work;
    p->f_c = p->G + m * d;
    p->u_c = p->f_c + m;
    p->f = p->u_c + m;
    p->u = p->f + m;
    p->mu = p->u + m;
    p->e = p->mu + n;
    p->gap = p->e + n;
    p->w0 = p->gap + n;
    p->w_c = p->w0 + d;
    p->w = p->w_c + d;
    p->target = p->w + d;
    p->change = p->target + d;
    p->found = (void *)(p->change + d);
    p->rest = p->change + d + TC_IMPACT_REALS(tc_impact_info);
    p->rest_len = work_len - (size_t)(p->rest - work);
}

/* ---- Target ---------------------------------------------------------------------------------- */

/* right[d] += G^T b; returns whether a contact penetrates */
static int add_recovery(const twophase_problem *p, tc_real rate, tc_real *right)
{
    int any = 0;
    for (uint32_t k = 0; k < p->d; ++k) right[k] = TC_C(0.0);
    for (uint32_t i = 0; i < p->n; ++i) {
        const tc_real *const row = p->G + i * p->rows * p->d;
        const tc_real speed = tc_vec_not_negative(-p->gap[i]) * rate;
        any |= speed > TC_C(0.0);
        for (uint32_t k = 0; k < p->d; ++k) right[k] = TC_MLA(right[k], speed, row[k]);
    }
    return any;
}

/* H = G^T G + delta, lower triangle */
static void square_rows(const twophase_problem *p, tc_real *H)
{
    const uint32_t d = p->d, m = p->n * p->rows;
    tc_real trace = TC_C(0.0);
    for (uint32_t i = 0; i < d; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            tc_real sum = TC_C(0.0);
            for (uint32_t r = 0; r < m; ++r) sum = TC_MLA(sum, p->G[r * d + i], p->G[r * d + j]);
            H[i * d + j] = sum;
        }
        trace += H[i * d + i];
    }
    const tc_real mean = trace / (tc_real)d;
    for (uint32_t i = 0; i < d; ++i) H[i * (d + 1u)] += little * (H[i * (d + 1u)] + mean);
}

/* *target: p->target, or null where nothing penetrates */
static tc_status find_target(const twophase_problem *p, const tc_twophase *floor,
                             const tc_real **target)
{
    tc_real *const H = p->rest, *const right = p->rest + p->d * p->d;
    *target = NULL;
    if (!add_recovery(p, floor->recovery / floor->step, right)) return TC_OK;
    square_rows(p, H);
    tc_status status = tc_mat_cholesky_inplace(H, p->d);
    if (status >= TC_OK) status = tc_mat_cholesky_solve(H, right, p->target, p->d, 1u);
    *target = p->target;
    return status;
}

/* ---- Impact ---------------------------------------------------------------------------------- */

static tc_status check_floor(const tc_twophase *floor)
{
    const tc_real numbers[4] = {floor->friction, floor->restitution, floor->step, floor->recovery};
    if (!tc_all_finite(numbers, 4u)) return TC_ERR_NOT_FINITE;
    const int valid =
        floor->step > TC_C(0.0) && floor->recovery >= TC_C(0.0) && floor->recovery <= TC_C(1.0);
    return valid ? TC_OK : TC_ERR_RANGE;
}

static void report_impact(const twophase_problem *p, const tc_impact_info *impact,
                          tc_twophase_info *info)
{
    if (info == NULL) return;
    memset(info, 0, sizeof *info);
    info->impact = *impact;
    info->n = p->n;
    info->rows = p->rows;
    for (uint32_t k = 0; k < p->n * p->rows; ++k) info->impulse[k] = p->f_c[k] + p->f[k];
    for (uint32_t i = 0; i < p->n; ++i) info->normal_compressed[i] = p->f_c[i * p->rows];
}

/* change = G^T (f_c + f), which is 0 to the bit where no contact carries, as w - w0 is not */
static void sum_impulses(const twophase_problem *p)
{
    for (uint32_t k = 0; k < p->d; ++k) p->change[k] = TC_C(0.0);
    for (uint32_t r = 0; r < p->n * p->rows; ++r) {
        const tc_real impulse = p->f_c[r] + p->f[r];
        const tc_real *const row = p->G + r * p->d;
        for (uint32_t k = 0; k < p->d; ++k) p->change[k] = TC_MLA(p->change[k], impulse, row[k]);
    }
}

/* From G, w0, mu, e and gap: p->change = w - w0, and the report */
static tc_status solve_impact(const twophase_problem *p, const tc_twophase *floor,
                              tc_twophase_info *info)
{
    tc_impact problem = {
        .contact = {.n = p->n, .rows = p->rows, .d = p->d, .G = p->G, .w0 = p->w0, .mu = p->mu},
        .e = p->e,
        .law = floor->law};
    const tc_impact_answer answer = {p->f_c, p->u_c, p->w_c, p->f, p->u, p->w, NULL};
    tc_status status = find_target(p, floor, &problem.target);
    if (status < TC_OK) return status;
    status = tc_impact_solve(&problem, &answer, p->found, p->rest, p->rest_len);
    if (status < TC_OK) return status;
    sum_impulses(p);
    report_impact(p, p->found, info);
    return status;
}

static void set_material(const twophase_problem *p, const tc_twophase *floor)
{
    for (uint32_t i = 0; i < p->n; ++i) {
        p->mu[i] = floor->friction;
        p->e[i] = floor->restitution;
    }
}

/* velocity += change, unless a sum overflows */
static tc_status change_velocity(const tc_real *change, tc_real *sum, tc_real *velocity, uint32_t d)
{
    for (uint32_t k = 0; k < d; ++k) sum[k] = velocity[k] + change[k];
    if (!tc_all_finite(sum, d)) return TC_ERR_RANGE;
    for (uint32_t k = 0; k < d; ++k) velocity[k] = sum[k];
    return TC_OK;
}

static void clear_twophase(tc_twophase_info *info)
{
    if (info != NULL) memset(info, 0, sizeof *info);
}

/* The beginning of each call: clears info, and checks the floor and that no pointer is null. */
static tc_status begin_twophase(const tc_twophase *floor, int complete, tc_twophase_info *info)
{
    clear_twophase(info);
    if (floor == NULL || !complete) return TC_ERR_NULL;
    return check_floor(floor);
}

/* Its end: on error info is zero. */
static tc_status end_twophase(tc_status status, tc_twophase_info *info)
{
    if (status < TC_OK) clear_twophase(info);
    return status;
}

/* ---- Planar body ----------------------------------------------------------------------------- */

static tc_status check_body2(const tc_patch2 *patch, const tc_body2 *body,
                             const tc_body2_state *state, const tc_real *work, size_t work_len)
{
    if (work == NULL) return TC_ERR_NULL;
    tc_status status = tc_body2_check(body);
    if (status >= TC_OK) status = tc_patch2_check(patch);
    if (status >= TC_OK) status = tc_work_check(work, work_len, TC_TWOPHASE_BODY2_WORK);
    if (status < TC_OK) return status;
    return tc_all_finite(state->velocity, 3u) ? TC_OK : TC_ERR_NOT_FINITE;
}

static tc_status impact_body2(const tc_twophase *floor, const tc_patch2 *patch,
                              const tc_body2 *body, tc_body2_state *state, tc_twophase_info *info,
                              tc_real *work, size_t work_len)
{
    twophase_problem p = {.n = patch->count, .rows = 2u, .d = 3u};
    const tc_real root[3] = {tc_sqrt(body->mass), tc_sqrt(body->mass), tc_sqrt(body->inertia)};
    tc_real normals[6], tangent[3];
    divide_twophase(&p, work, work_len);
    tc_status status = tc_patch2_rows(patch, normals, tangent);
    if (status < TC_OK) return status;
    for (uint32_t k = 0; k < 3u; ++k) {
        p.w0[k] = root[k] * state->velocity[k];
        for (uint32_t i = 0; i < p.n; ++i) {
            p.G[6u * i + k] = normals[3u * i + k] / root[k];
            p.G[6u * i + 3u + k] = tangent[k] / root[k];
        }
    }
    set_material(&p, floor);
    for (uint32_t i = 0; i < p.n; ++i) p.gap[i] = patch->gap[i];
    status = solve_impact(&p, floor, info);
    if (status < TC_OK) return status;
    for (uint32_t k = 0; k < 3u; ++k) p.change[k] /= root[k];
    const tc_status changed = change_velocity(p.change, p.w, state->velocity, 3u);
    return changed < TC_OK ? changed : status;
}

tc_status tc_twophase_body2_solve(const tc_twophase *floor, const tc_patch2 *patch,
                                  const tc_body2 *body, tc_body2_state *state,
                                  tc_twophase_info *info, tc_real *work, size_t work_len)
{
    const int complete = patch != NULL && body != NULL && state != NULL;
    tc_status status = begin_twophase(floor, complete, info);
    if (status < TC_OK || patch->count == 0u) return status;
    status = check_body2(patch, body, state, work, work_len);
    if (status >= TC_OK) status = impact_body2(floor, patch, body, state, info, work, work_len);
    return end_twophase(status, info);
}

/* ---- Spatial body ---------------------------------------------------------------------------- */

static tc_status check_body3(const tc_patch3 *patch, const tc_body3 *body,
                             const tc_body3_state *state, const tc_real *work, size_t work_len)
{
    if (work == NULL) return TC_ERR_NULL;
    tc_status status = tc_body3_check(body);
    if (status >= TC_OK) status = tc_patch3_check(patch);
    if (status >= TC_OK) status = tc_work_check(work, work_len, TC_TWOPHASE_BODY3_WORK);
    if (status < TC_OK) return status;
    if (!tc_all_finite(state->velocity, 6u) || !tc_all_finite(state->orientation, 4u)) {
        return TC_ERR_NOT_FINITE;
    }
    return tc_vec_is_unit(state->orientation, 4u) ? TC_OK : TC_ERR_UNIT;
}

/* y = R^T x, or R x */
static void whiten_spin(const tc_real R[9], const tc_real x[3], tc_real y[3])
{
    for (uint32_t k = 0; k < 3u; ++k) y[k] = R[k] * x[0] + R[3u + k] * x[1] + R[6u + k] * x[2];
}

static void turn_spin(const tc_real R[9], const tc_real x[3], tc_real y[3])
{
    for (uint32_t k = 0; k < 3u; ++k) y[k] = tc_vec_dot3(R + 3u * k, x);
}

/* The row of G that belongs to a body's row */
static void whiten_row(const tc_real R[9], const tc_real root[4], const tc_real row[6], tc_real *g)
{
    whiten_spin(R, row + 3, g + 3);
    for (uint32_t k = 0; k < 3u; ++k) {
        g[k] = row[k] / root[0];
        g[3u + k] /= root[1u + k];
    }
}

static tc_status whiten_patch3(const twophase_problem *p, const tc_patch3 *patch,
                               const tc_real R[9], const tc_real root[4])
{
    tc_real *const rows = p->rest; /* 18 of them, free until the impact is solved */
    for (uint32_t i = 0; i < p->n; ++i) {
        const tc_status status = tc_patch3_contact_rows(patch, i, rows);
        if (status < TC_OK) return status;
        whiten_row(R, root, rows + 12, p->G + 18u * i);
        whiten_row(R, root, rows, p->G + 18u * i + 6u);
        whiten_row(R, root, rows + 6, p->G + 18u * i + 12u);
        p->gap[i] = patch->gap[i];
    }
    return TC_OK;
}

static tc_status impact_body3(const tc_twophase *floor, const tc_patch3 *patch,
                              const tc_body3 *body, tc_body3_state *state, tc_twophase_info *info,
                              tc_real *work, size_t work_len)
{
    twophase_problem p = {.n = patch->count, .rows = 3u, .d = 6u};
    const tc_real root[4] = {tc_sqrt(body->mass), tc_sqrt(body->inertia[0]),
                             tc_sqrt(body->inertia[1]), tc_sqrt(body->inertia[2])};
    tc_real R[9];
    divide_twophase(&p, work, work_len);
    tc_vec_rotation(state->orientation, R);
    tc_status status = whiten_patch3(&p, patch, R, root);
    if (status < TC_OK) return status;
    whiten_spin(R, state->velocity + 3, p.w0 + 3);
    for (uint32_t k = 0; k < 3u; ++k) {
        p.w0[k] = root[0] * state->velocity[k];
        p.w0[3u + k] *= root[1u + k];
    }
    set_material(&p, floor);
    status = solve_impact(&p, floor, info);
    if (status < TC_OK) return status;
    tc_real *const change = p.target; /* done with */
    for (uint32_t k = 0; k < 3u; ++k) {
        change[k] = p.change[k] / root[0];
        p.change[3u + k] /= root[1u + k];
    }
    turn_spin(R, p.change + 3, change + 3);
    const tc_status changed = change_velocity(change, p.w, state->velocity, 6u);
    return changed < TC_OK ? changed : status;
}

tc_status tc_twophase_body3_solve(const tc_twophase *floor, const tc_patch3 *patch,
                                  const tc_body3 *body, tc_body3_state *state,
                                  tc_twophase_info *info, tc_real *work, size_t work_len)
{
    const int complete = patch != NULL && body != NULL && state != NULL;
    tc_status status = begin_twophase(floor, complete, info);
    if (status < TC_OK || patch->count == 0u) return status;
    status = check_body3(patch, body, state, work, work_len);
    if (status >= TC_OK) status = impact_body3(floor, patch, body, state, info, work, work_len);
    return end_twophase(status, info);
}

/* ---- Limb ------------------------------------------------------------------------------------ */

static int exceeds_size(const tc_twophase_limb *limb)
{
    const uint32_t most = limb->rows == 3u ? TC_CONE3_MAX : TC_CONE_MAX;
    return limb->rows - 1u >= 3u || limb->n > most || limb->d > TC_MAT_MAX
           || limb->d - 1u >= TC_CONE_FREEDOM_MAX;
}

static int finite_limb(const tc_twophase_limb *limb, const tc_real *rates)
{
    return tc_all_finite(rates, limb->d)
           && tc_all_finite(limb->jacobian, limb->n * limb->rows * limb->d)
           && (limb->gap == NULL || tc_all_finite(limb->gap, limb->n));
}

static tc_status check_twophase_limb(const tc_twophase_limb *limb, const tc_real *rates,
                                     const tc_real *work, size_t work_len)
{
    if (exceeds_size(limb)) return TC_ERR_SIZE;
    if (limb->n == 0u) return TC_OK;
    if (limb->mass == NULL || limb->jacobian == NULL || work == NULL) return TC_ERR_NULL;
    const tc_status status =
        tc_work_check(work, work_len, TC_TWOPHASE_LIMB_WORK(limb->n, limb->rows, limb->d));
    if (status < TC_OK) return status;
    return finite_limb(limb, rates) ? TC_OK : TC_ERR_NOT_FINITE;
}

static void set_limb_contacts(const twophase_problem *p, const tc_twophase *floor,
                              const tc_twophase_limb *limb)
{
    set_material(p, floor);
    for (uint32_t i = 0; i < p->n; ++i) {
        if (limb->friction != NULL) p->mu[i] = limb->friction[i];
        if (limb->restitution != NULL) p->e[i] = limb->restitution[i];
        p->gap[i] = limb->gap != NULL ? limb->gap[i] : TC_C(0.0);
    }
}

/* G = J L^-T and w0 = L^T v */
static tc_status whiten_limb(const twophase_problem *p, const tc_twophase_limb *limb,
                             const tc_real *L, const tc_real *rates)
{
    const uint32_t d = p->d;
    tc_status status = TC_OK;
    for (uint32_t r = 0; r < p->n * p->rows && status >= TC_OK; ++r) {
        status = tc_mat_solve_lower(L, limb->jacobian + r * d, p->G + r * d, d, 1u);
    }
    for (uint32_t k = 0; k < d; ++k) {
        tc_real sum = L[k * (d + 1u)] * rates[k];
        for (uint32_t j = k + 1u; j < d; ++j) sum = TC_MLA(sum, L[j * d + k], rates[j]);
        p->w0[k] = sum;
    }
    return status;
}

static tc_status impact_limb(const tc_twophase *floor, const tc_twophase_limb *limb, tc_real *rates,
                             tc_twophase_info *info, tc_real *work, size_t work_len)
{
    const uint32_t d = limb->d;
    twophase_problem p = {.n = limb->n, .rows = limb->rows, .d = d};
    tc_real *const L = work;
    divide_twophase(&p, work + d * d, work_len - d * d);
    tc_status status = tc_mat_cholesky(limb->mass, L, d);
    if (status >= TC_OK) status = whiten_limb(&p, limb, L, rates);
    if (status < TC_OK) return status;
    set_limb_contacts(&p, floor, limb);
    status = solve_impact(&p, floor, info);
    if (status < TC_OK) return status;
    tc_status changed = tc_mat_solve_lower_t(L, p.change, p.target, d, 1u);
    if (changed >= TC_OK) changed = change_velocity(p.target, p.w, rates, d);
    return changed < TC_OK ? changed : status;
}

tc_status tc_twophase_limb_solve(const tc_twophase *floor, const tc_twophase_limb *limb,
                                 tc_real *rates, tc_twophase_info *info, tc_real *work,
                                 size_t work_len)
{
    tc_status status = begin_twophase(floor, limb != NULL && rates != NULL, info);
    if (status >= TC_OK) status = check_twophase_limb(limb, rates, work, work_len);
    if (status < TC_OK || limb->n == 0u) return status;
    return end_twophase(impact_limb(floor, limb, rates, info, work, work_len), info);
}
