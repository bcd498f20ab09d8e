/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A limb in reduced coordinates (tc_limb2_internal.h has the derivation): its factored inertia, its
 * contact space, and the way from a contact impulse back to rates and joint impulse.
 *
 * The joint, with e = z x at:
 *                 J (rows)                       G (J G = 1)          N (J N = 0)
 *   revolute      v - omega z x (-at) at the     v = rows             v = (at_y, -at_x), omega = 1
 *                 joint: (1, 0, -at_y),
 *                 (0, 1, at_x)
 *   prismatic     omega: (0, 0, 1)               omega = row 1        v = at
 *                 across: (e, 0)                 v = row 2 e
 *
 * Joint impulse: J^T lambda = M (v_2 - v_1) - R^T p, and G^T J^T = 1 gives lambda = G^T (M (v_2 -
 * v_1) - R^T p).
 *
 * W gets REGULARIZE times the free body's diagonal added. A limb stretched out straight over its
 * contact has W_nn = 0 up to the square of C's rounding; its impulse would be noise divided by
 * noise squared. The added 1e-9 is below the rounding of any W that is not small, and limits what
 * noise can do to 0.3 % of the velocities (where |C| is 3e-5 of the free body's).
 */
#include "tc_exact.h"
#include "tc_limb2_internal.h"

#include "tc_chain_core.h"
#include "tc_learned_core.h"
#include "tc_mat.h"
#include "tc_math.h"
#include "tc_root.h"

#include <string.h>

static const tc_real REGULARIZE = TC_C(1e-9);

/* of D and Y: velocity of the last link, and the change without contact */
#define COLUMNS_LIMB2_MECHANISM 4u

/* ---- The factored inertia -------------------------------------------------------------------- */

void tci_limb2_joint_rows(const tc_limb2_mechanism *limb, const tc_real v[3], tc_real rows[2])
{
    const tc_real *at = limb->at;
    if (limb->joint == TC_CHAIN_REVOLUTE) {
        rows[0] = v[0] - v[2] * at[1];
        rows[1] = v[1] + v[2] * at[0];
    } else {
        rows[0] = v[2];
        rows[1] = v[1] * at[0] - v[0] * at[1];
    }
}

/* G rows: the velocity of the last link with nothing along what the joint leaves free */
static void joint_lift(const tc_limb2_mechanism *limb, tc_real row_0, tc_real row_1, tc_real v[3])
{
    const int revolute = limb->joint == TC_CHAIN_REVOLUTE;
    v[0] = revolute ? row_0 : -limb->at[1] * row_1;
    v[1] = revolute ? row_1 : limb->at[0] * row_1;
    v[2] = revolute ? TC_C(0.0) : row_0;
}

static inline tc_real dot_limb2_mechanism(const tc_real a[3], const tc_real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* sum[3] of columns times x[n] */
static void add_columns(const tc_real *columns, const tc_real *x, uint32_t n, tc_real sum[3])
{
    tc_real v[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    for (uint32_t k = 0; k < n; ++k, columns += COLUMNS_LIMB2_MECHANISM) {
        v[0] += columns[0] * x[k];
        v[1] += columns[1] * x[k];
        v[2] += columns[2] * x[k];
    }
    memcpy(sum, v, sizeof v);
}

static void fill_velocity_rows(tci_limb2_system *s)
{
    const tc_limb2_mechanism *limb = s->limb;
    const int revolute = limb->joint == TC_CHAIN_REVOLUTE;
    for (uint32_t k = 0; k < s->n; ++k) {
        joint_lift(limb, limb->jacobian[k], limb->jacobian[s->n + k],
                   s->D + COLUMNS_LIMB2_MECHANISM * k);
        s->z[k] = limb->rate[k];
    }
    tc_real *last = s->D + COLUMNS_LIMB2_MECHANISM * s->n;
    last[0] = revolute ? limb->at[1] : limb->at[0];
    last[1] = revolute ? -limb->at[0] : limb->at[1];
    last[2] = revolute ? TC_C(1.0) : TC_C(0.0);
    s->z[s->n] = revolute ? limb->velocity[2]
                          : limb->velocity[0] * limb->at[0] + limb->velocity[1] * limb->at[1];
    add_columns(s->D, s->z, s->size, s->start);
}

/* H into L, with so much of its diagonal added, and what accelerates z into D's last column, both
 * per unit mass of the last link */
static void fill_inertia(tci_limb2_system *s, tc_real per_mass, tc_real slack)
{
    const tc_real push = per_mass * s->foot->step;
    const tc_real away[3] = {s->applied[0] - s->start[0], s->applied[1] - s->start[1],
                             s->applied[2] - s->start[2]};
    const tc_real *mass = s->limb->mass;
    tc_real *row = s->L;
    for (uint32_t j = 0; j < s->size; ++j, row += s->size) {
        tc_real *column = s->D + COLUMNS_LIMB2_MECHANISM * j;
        const tc_real weighed[3] = {column[0], column[1], s->gyration2 * column[2]};
        column[3] = dot_limb2_mechanism(weighed, away);
        for (uint32_t k = 0; k <= j; ++k) {
            row[k] = dot_limb2_mechanism(weighed, s->D + COLUMNS_LIMB2_MECHANISM * k);
        }
        if (j < s->n) {
            column[3] += push * s->limb->force[j];
            for (uint32_t k = 0; k <= j; ++k) {
                row[k] += per_mass * mass[k];
            }
            mass += s->n;
        }
    }
    for (uint32_t j = 0; j < s->size && slack > TC_C(0.0); ++j) {
        s->L[j * (s->size + 1u)] += slack * s->L[j * (s->size + 1u)];
    }
}

/* Links of very unlike masses make an H that is singular to its own rounding; it is given slack,
 * until it is not. */
static tc_status factor_inertia(tci_limb2_system *s, tc_real per_mass)
{
    fill_inertia(s, per_mass, TC_C(0.0));
    tc_status status = tc_mat_cholesky_inplace(s->L, s->size);
    for (tc_real slack = TC_CHAIN_SLACK_FIRST(s->size);
         status < TC_OK && slack < TC_CHAIN_SLACK_MAX; slack *= TC_CHAIN_SLACK_GROWTH) {
        fill_inertia(s, per_mass, slack);
        status = tc_mat_cholesky_inplace(s->L, s->size);
    }
    return status;
}

/* Y = L^-1 D, its columns side by side */
static void solve_forward(tci_limb2_system *s)
{
    const tc_real *row = s->L;
    const tc_real *D = s->D;
    tc_real *out = s->Y;
    for (uint32_t j = 0; j < s->size;
         ++j, row += s->size, D += COLUMNS_LIMB2_MECHANISM, out += COLUMNS_LIMB2_MECHANISM) {
        const tc_real *Y = s->Y;
        tc_real a = D[0];
        tc_real b = D[1];
        tc_real c = D[2];
        tc_real d = D[3];
        for (uint32_t k = 0; k < j; ++k, Y += COLUMNS_LIMB2_MECHANISM) {
            a -= row[k] * Y[0];
            b -= row[k] * Y[1];
            c -= row[k] * Y[2];
            d -= row[k] * Y[3];
        }
        const tc_real inverse = TC_C(1.0) / row[j];
        out[0] = inverse * a;
        out[1] = inverse * b;
        out[2] = inverse * c;
        out[3] = inverse * d;
    }
}

/* result = L^-T change */
static void solve_backward(tci_limb2_system *s)
{
    for (uint32_t k = s->size; k-- > 0u;) {
        tc_real left = s->change[k];
        for (uint32_t j = k + 1u; j < s->size; ++j) {
            left -= s->L[j * s->size + k] * s->result[j];
        }
        s->result[k] = left / s->L[k * s->size + k];
    }
}

tc_status tci_limb2_check(const tc_foot2 *foot, const tc_limb2_mechanism *limb, size_t work_len)
{
    if (limb->n > 0u
        && (limb->mass == NULL || limb->jacobian == NULL || limb->rate == NULL
            || limb->force == NULL)) {
        return TC_ERR_NULL;
    }
    if (limb->n > TC_LIMB2_MECHANISM_MAX) {
        return TC_ERR_SIZE;
    }
    if (limb->joint > TC_CHAIN_PRISMATIC) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!(foot->body.mass > TC_C(0.0) && foot->gyration > TC_C(0.0))) {
        return TC_ERR_BODY;
    }
    if (!tci_limb2_may_bounce(foot)) {
        return TC_ERR_RANGE;
    }
    if (work_len < TC_LIMB2_MECHANISM_WORK(limb->n, foot->model.work_len)) {
        return TC_ERR_WORK;
    }
    return tc_all_finite(limb->mass, limb->n * limb->n)
                   && tc_all_finite(limb->jacobian, 2u * limb->n)
                   && tc_all_finite(limb->rate, limb->n) && tc_all_finite(limb->force, limb->n)
                   && tc_all_finite(limb->at, 2) && tc_all_finite(limb->velocity, 3)
                   && tc_all_finite(limb->load, 3)
               ? TC_OK
               : TC_ERR_NOT_FINITE;
}

static void carve_limb2_mechanism(tci_limb2_system *s, tc_real *work)
{
    const uint32_t size = s->size;
    s->L = work;
    s->D = s->L + size * size;
    s->Y = s->D + COLUMNS_LIMB2_MECHANISM * size;
    s->C = s->Y + COLUMNS_LIMB2_MECHANISM * size;
    s->z = s->C + 3u * size;
    s->change = s->z + size;
    s->result = s->change + size;
    s->upstream = s->result + size;
    s->root_work = s->upstream + 3u * size;
    s->law_work = s->root_work + TC_ROOT_WORK(2u);
}

/* start + Y^T y */
static void fill_free_velocity(tci_limb2_system *s)
{
    const tc_real *Y = s->Y;
    memcpy(s->free, s->start, sizeof s->start);
    for (uint32_t k = 0; k < s->size; ++k, Y += COLUMNS_LIMB2_MECHANISM) {
        s->free[0] += Y[0] * Y[3];
        s->free[1] += Y[1] * Y[3];
        s->free[2] += Y[2] * Y[3];
    }
}

tc_status tci_limb2_prepare(tci_limb2_system *s, const tc_foot2 *foot,
                            const tc_limb2_config *config, const tc_limb2_mechanism *limb,
                            tc_real *work)
{
    const tc_real per_mass = TC_C(1.0) / foot->body.mass;
    const tc_real push = foot->step * per_mass;
    s->foot = foot;
    s->config = config;
    s->limb = limb;
    s->last = NULL;
    s->n = limb->n;
    s->size = limb->n + 1u;
    s->law_len = foot->model.work_len;
    s->gyration2 = foot->gyration * foot->gyration;
    s->applied[0] = limb->velocity[0] + push * limb->load[0];
    s->applied[1] = limb->velocity[1] + push * limb->load[1];
    s->applied[2] = limb->velocity[2] + push * limb->load[2] / s->gyration2;
    carve_limb2_mechanism(s, work);
    s->published = config->solver == TC_LIMB2_POWELL && tci_limb2_powell_prepare(s) >= TC_OK;
    fill_velocity_rows(s);
    const tc_status status = factor_inertia(s, per_mass);
    if (status >= TC_OK) {
        solve_forward(s);
        fill_free_velocity(s);
    }
    return status;
}

/* ---- Contact space --------------------------------------------------------------------------- */

/* What the rows of the contacts say of a velocity: slip, approach 1, approach 2 (0 without a second
 * contact) */
static inline void contact_rows(const tc_patch2 *patch, const tc_real v[3], tc_real rows[3])
{
    const tc_real *n = patch->normal;
    const tc_real along = n[0] * v[0] + n[1] * v[1];
    rows[0] = n[1] * v[0] - n[0] * v[1] + patch->height * v[2];
    rows[1] = along + patch->lever[0] * v[2];
    rows[2] = patch->count == 2u ? along + patch->lever[1] * v[2] : TC_C(0.0);
}

/* Offsets of contacts that bounce, as offsets_foot2 of tc_foot2.c has them: the approach is that of
 * the limb without contact. */
static LEARNED_APART void bounce_contacts(tci_limb2_system *s)
{
    tc_real u[3];
    contact_rows(&s->patch, s->free, u);
    for (uint32_t i = 0; i < s->patch.count; ++i) {
        const tc_real bounce = s->foot->restitution * u[1u + i];
        s->offset[i] = bounce < -TC_LEARNED_BOUNCE_MIN ? bounce : s->offset[i];
    }
}

void tci_limb2_set_patch(tci_limb2_system *s, const tc_patch2 *patch, int use_gap)
{
    s->patch = *patch;
    if (patch->count == 2u
        && patch->lever[1] - patch->lever[0] < TC_LEARNED_EDGE_MIN * s->foot->gyration) {
        tc_real v[3];
        tci_limb2_velocity(s, NULL, v);
        const tc_real apart = use_gap ? (patch->gap[1] - patch->gap[0]) / s->foot->step : TC_C(0.0);
        const tc_real faster = (patch->lever[1] - patch->lever[0]) * v[2];
        const uint32_t keep = apart + faster < TC_C(0.0) ? 1u : 0u; /* the one that ends lower */
        s->patch.count = 1;
        s->patch.vertex[0] = patch->vertex[keep];
        s->patch.lever[0] = patch->lever[keep];
        s->patch.gap[0] = patch->gap[keep];
    }
    if (s->patch.count == 1u) {
        s->patch.lever[1] = TC_C(0.0);
    }
    for (uint32_t i = 0; i < 2u; ++i) {
        s->offset[i] = use_gap && i < s->patch.count ? s->patch.gap[i] / s->foot->step : TC_C(0.0);
    }
    if (s->foot->restitution > TC_C(0.0)) {
        bounce_contacts(s);
    }
}

/* What REGULARIZE adds to the row of a contact with the given lever */
static tc_real added_regularizer(const tci_limb2_system *s, tc_real lever)
{
    return REGULARIZE * (TC_C(1.0) + lever * lever / s->gyration2);
}

void tci_limb2_contact_space(tci_limb2_system *s)
{
    const tc_patch2 *patch = &s->patch;
    const int edge = patch->count == 2u;
    const tc_real *Y = s->Y;
    tc_real *C = s->C;
    tc_learned2_space sum = {.count = patch->count,
                             .W_tt = added_regularizer(s, patch->height),
                             .W_nn = {added_regularizer(s, patch->lever[0]), TC_C(0.0),
                                      edge ? added_regularizer(s, patch->lever[1]) : TC_C(0.0)}};
    tc_real u[3];
    contact_rows(patch, s->start, u);
    for (uint32_t k = 0; k < s->size; ++k, Y += COLUMNS_LIMB2_MECHANISM, C += 3) {
        contact_rows(patch, Y, C);
        sum.W_tt += C[0] * C[0];
        sum.W_tn[0] += C[0] * C[1];
        sum.W_nn[0] += C[1] * C[1];
        u[0] += C[0] * Y[3];
        u[1] += C[1] * Y[3];
        if (edge) {
            sum.W_tn[1] += C[0] * C[2];
            sum.W_nn[1] += C[1] * C[2];
            sum.W_nn[2] += C[2] * C[2];
            u[2] += C[2] * Y[3];
        }
    }
    sum.slip = u[0];
    sum.approach[0] = u[1] + s->offset[0];
    sum.approach[1] = u[2] + s->offset[1];
    s->space = sum;
}

void tci_limb2_stand_still(tci_limb2_system *s)
{
    for (uint32_t k = 0; k < s->size; ++k) {
        s->Y[COLUMNS_LIMB2_MECHANISM * k + 3u] = TC_C(0.0);
        s->z[k] = TC_C(0.0);
    }
    memset(s->start, 0, sizeof s->start);
    memset(s->free, 0, sizeof s->free);
}

/* ---- Velocities ------------------------------------------------------------------------------ */

void tci_limb2_velocity(const tci_limb2_system *s, const tc_real *p, tc_real v[3])
{
    const tc_real *C = s->C;
    const tc_real *Y = s->Y;
    memcpy(v, s->free, sizeof s->free);
    for (uint32_t k = 0; p != NULL && k < s->size; ++k, C += 3, Y += COLUMNS_LIMB2_MECHANISM) {
        const tc_real change = C[0] * p[0] + C[1] * p[1] + C[2] * p[2];
        v[0] += Y[0] * change;
        v[1] += Y[1] * change;
        v[2] += Y[2] * change;
    }
}

void tci_limb2_push(const tci_limb2_system *s, const tc_real p[3], tc_real v[3])
{
    const tc_patch2 *patch = &s->patch;
    const tc_real *n = patch->normal;
    const tc_real normal = p[1] + p[2];
    v[0] += n[1] * p[0] + n[0] * normal;
    v[1] += n[1] * normal - n[0] * p[0];
    v[2] += (patch->height * p[0] + patch->lever[0] * p[1] + patch->lever[1] * p[2]) / s->gyration2;
}

/* What the law is asked about, and its answer. */
tc_status tci_limb2_ask(const tci_limb2_system *s, const tc_real v[3], tci_limb2_answer *answer)
{
    const tc_real *n = s->patch.normal;
    const tc_real in_frame[3] = {n[1] * v[0] - n[0] * v[1], n[0] * v[0] + n[1] * v[1], v[2]};
    if (tc_learned2_query_init(&answer->query, &s->patch, in_frame, s->foot->gyration, s->offset)
        < 0) {
        return TC_ERR_NOT_CERTIFIED;
    }
    return tc_learned2_solve(&s->foot->model, &answer->query, &answer->result, s->law_work,
                             s->law_len);
}

tc_status tci_limb2_evaluate(const tci_limb2_system *s, const tc_real *p, tci_limb2_answer *answer)
{
    tc_real v[3];
    tci_limb2_velocity(s, p, v);
    if (p != NULL) {
        const tc_real taken_away[3] = {-p[0], -p[1], -p[2]};
        tci_limb2_push(s, taken_away, v);
    }
    return tci_limb2_ask(s, v, answer);
}

tc_real tci_limb2_tolerance(const tci_limb2_system *s)
{
    tc_real rows[2];
    tci_limb2_joint_rows(s->limb, s->free, rows);
    const tc_real tolerance = s->config->tolerance * tc_sqrt(rows[0] * rows[0] + rows[1] * rows[1]);
    return tolerance > s->config->tolerance_least ? tolerance : s->config->tolerance_least;
}

/* ---- Back to rates --------------------------------------------------------------------------- */

/* The joint's rows of the last link against those of the upstream */
static tc_real violation_limb2_mechanism(const tci_limb2_system *s, const tc_real *rates,
                                         const tc_real v[3])
{
    tc_real rows[2];
    tci_limb2_joint_rows(s->limb, v, rows);
    for (uint32_t k = 0; k < s->n; ++k) {
        rows[0] -= s->limb->jacobian[k] * rates[k];
        rows[1] -= s->limb->jacobian[s->n + k] * rates[k];
    }
    return tc_sqrt(rows[0] * rows[0] + rows[1] * rows[1]);
}

void tci_limb2_report(const tci_limb2_system *s, const tc_real *p, const tc_real *rates,
                      const tc_real v[3], tc_limb2_info *info)
{
    const tc_real mass = s->foot->body.mass;
    tc_real joint[3] = {v[0] - s->applied[0], v[1] - s->applied[1], v[2] - s->applied[2]};
    if (p != NULL) {
        const tc_real taken_away[3] = {-p[0], -p[1], -p[2]};
        tci_limb2_push(s, taken_away, joint);
        info->contact.count = s->patch.count;
        memcpy(info->contact.vertex, s->patch.vertex, sizeof info->contact.vertex);
        info->contact.friction = mass * p[0];
        info->contact.normal[0] = mass * p[1];
        info->contact.normal[1] = mass * p[2];
        info->contact.torque =
            mass * (s->patch.height * p[0] + s->patch.lever[0] * p[1] + s->patch.lever[1] * p[2]);
    }
    const int revolute = s->limb->joint == TC_CHAIN_REVOLUTE;
    info->joint[0] = mass * (revolute ? joint[0] : s->gyration2 * joint[2]);
    info->joint[1] =
        mass * (revolute ? joint[1] : s->limb->at[0] * joint[1] - s->limb->at[1] * joint[0]);
    info->violation = violation_limb2_mechanism(s, rates, v);
}

/* z = z_t + L^-T (y + C p), v = D z */
void tci_limb2_rates(tci_limb2_system *s, const tc_real *p, tc_real *rates_after,
                     tc_real velocity_after[3])
{
    const tc_real *C = s->C;
    tc_real change[3];
    for (uint32_t k = 0; k < s->size; ++k, C += 3) {
        const tc_real y = s->Y[COLUMNS_LIMB2_MECHANISM * k + 3u];
        s->change[k] = p == NULL ? y : y + C[0] * p[0] + C[1] * p[1] + C[2] * p[2];
    }
    solve_backward(s);
    add_columns(s->D, s->result, s->size, change);
    for (uint32_t i = 0; i < 3u; ++i) {
        velocity_after[i] = s->start[i] + change[i];
    }
    for (uint32_t k = 0; k < s->n; ++k) {
        rates_after[k] = s->z[k] + s->result[k];
    }
}
