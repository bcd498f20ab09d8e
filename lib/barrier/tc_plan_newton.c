/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Gauss-Newton with feedback (iLQR, Tassa et al. 2012), with the damping that small gradients need.
 *
 * With x_k+1 ~ A x + B y, controls y = u / scale, the cost's derivatives l and its Gauss-Newton
 * second derivatives, from V = l_xx, v = l_x of the last state backwards:
 *
 *     Q_y = l_y + B'v,   Q_yy = l_yy + B'VB,   Q_yx = B'VA,   R = Q_yy + lambda I
 *     k = -R^-1 Q_y,     K = -R^-1 Q_yx
 *     v <- l_x + A'v + K'(Q_yy k + Q_y) + Q_yx'k
 *     V <- l_xx + A'VA + K'(Q_yy K + Q_yx) + Q_yx'K
 *
 * Damping. Far from contact the gradient is 1e-7 and Q_yy 1e-14: any fixed lambda is wrong.
 * lambda = damping max|dJ/dy| / step, so that the first moves are at most about `step`. No knot
 * moves by more than `step` in any case.
 *
 * Judging. A trial is accepted unless its cost is higher, where rounding of the cost, JUDGE_ROUNDING,
 * is forgiven: far away all that a move gains is below it. A rejected share is halved, SHARES_MAX
 * times. Then the damping grows, and the nominal roll-out is made again for its records.
 *
 * Controls at a border of their range whose gradient points outwards stay there: their rows of k and
 * K are zero.
 */
#include "tc_exact.h"
#include "tc_plan_internal.h"

#include "tc_mat.h"

#include <string.h>

#define SHARES_MAX 3u
#define JUDGE_ROUNDING (TC_C(16.0) * TC_EPSILON)
#define DAMPING_LEAST TC_C(1e-6)
#define DAMPING_MOST TC_C(1e6)

/* Numbers that are kept and scratch, within plan->moment */
typedef struct newton_parts {
    tc_real *state, *control; /* nominal roll-out */
    tc_real *feed, *gain;     /* [knots x c] k, [knots x c x t] K, both in u */
    tc_real *V, *A, *VA;      /* [t x t] */
    tc_real *B, *VB;          /* [t x c] */
    tc_real *v, *Av;          /* [t] */
    tc_real *Qyx;             /* [c x t] */
    tc_real *Qyy, *factor;    /* [c x c] */
    tc_real *Qy, *small;      /* [c] */
} newton_parts;

/* Length of all parts; fills them in from `base`, which may be NULL to count only. */
static size_t part_newton(const tc_plan_task *task, uint32_t horizon, tc_real *base,
                          newton_parts *parts)
{
    const size_t s = task->model->state, t = task->model->tangent, c = task->model->control;
    const size_t knots = horizon;
    const size_t length[16] = {(knots + 1u) * s,
                               knots * c,
                               knots * c,
                               knots * c * t,
                               t * t,
                               t * t,
                               t * t,
                               t * c,
                               t * c,
                               t,
                               t,
                               c * t,
                               c * c,
                               c * c,
                               c,
                               c};
    tc_real *part[16];
    size_t at = 0;
    for (uint32_t i = 0; i < 16u; ++i) {
        part[i] = base != NULL ? base + at : NULL;
        at += length[i];
    }
    *parts = (newton_parts){part[0],  part[1],  part[2],  part[3], part[4],  part[5],
                            part[6],  part[7],  part[8],  part[9], part[10], part[11],
                            part[12], part[13], part[14], part[15]};
    return at;
}

static size_t keep_newton(const tc_plan_task *task, uint32_t horizon)
{
    newton_parts parts;
    return part_newton(task, horizon, NULL, &parts);
}

static newton_parts find_parts(const tc_plan *plan)
{
    newton_parts parts;
    (void)part_newton(&plan->task, plan->config.horizon, plan->moment, &parts);
    return parts;
}

/* ---- Trials ---------------------------------------------------------------------------------- */

/* plan->tries: 0: the nominal roll-out; 1, 2, ...: trials. The share of a trial is trial_share. */
/* tc_calls: choose_control lib/barrier/tc_plan_implicit.c:differ_scene */
static void choose_control(tc_plan *plan)
{
    if (plan->tries == 0u) return;
    const tc_plan_model *const model = plan->task.model;
    const uint32_t k = plan->knot, c = model->control, t = model->tangent;
    const newton_parts parts = find_parts(plan);
    tc_real *const u = tci_plan_control(plan, k), *const gone = parts.v, *const move = parts.small;
    const tc_real *const gain = parts.gain + (size_t)k * c * t;
    model->difference(model->scene, tci_plan_state(plan, k), parts.state + (size_t)k * model->state,
                      gone);
    tc_mat_body_vec(gain, gone, move, c, t);
    tc_real size = TC_C(0.0);
    for (uint32_t i = 0; i < c; ++i) {
        move[i] = TC_MLA(move[i], plan->trial_share, parts.feed[(size_t)k * c + i]);
        size =
            tci_plan_hypotenuse(size, tc_vec_magnitude(move[i]) / tci_plan_scale(&plan->task, i));
    }
    const tc_real most = plan->config.step;
    const tc_real share = size > most ? most / size : TC_C(1.0);
    for (uint32_t i = 0; i < c; ++i) {
        u[i] = TC_MLA(parts.control[(size_t)k * c + i], share, move[i]);
    }
    tci_plan_confine(plan, u);
}

static void copy_nominal(const tc_plan *plan, const newton_parts *parts)
{
    const tc_plan_model *const model = plan->task.model;
    const size_t knots = plan->config.horizon;
    memcpy(parts->state, plan->state, (knots + 1u) * model->state * sizeof *parts->state);
    memcpy(parts->control, plan->control, knots * model->control * sizeof *parts->control);
}

static void take_nominal(tc_plan *plan)
{
    const newton_parts parts = find_parts(plan);
    const size_t n = (size_t)plan->config.horizon * plan->task.model->control;
    memcpy(plan->control, parts.control, n * sizeof *parts.control);
}

static void raise_damping(tc_plan *plan)
{
    plan->damping = plan->damping > TC_C(0.0) ? TC_C(8.0) * plan->damping : TC_C(1.0);
    plan->tries = 0u;
    if (plan->damping > DAMPING_MOST) tci_plan_finish(plan);
    if (tci_plan_count(plan) && !plan->info.done) tci_plan_roll(plan);
}

/* The share is halved, or the damping grows. */
static void reject_move(tc_plan *plan)
{
    if (plan->tries < SHARES_MAX) {
        ++plan->tries;
        plan->trial_share *= TC_C(0.5);
        tci_plan_roll(plan);
        return;
    }
    take_nominal(plan);
    raise_damping(plan);
}

static void accept_move(tc_plan *plan)
{
    if (plan->tries == 1u) {
        plan->damping = tc_vec_max(TC_C(0.25) * plan->damping,
                                   plan->config.damping > TC_C(0.0) ? DAMPING_LEAST : TC_C(0.0));
    }
    plan->info.cost = plan->trial_cost;
    if (tci_plan_count(plan)) tci_plan_pull(plan);
}

static void judge_roll(tc_plan *plan)
{
    const newton_parts parts = find_parts(plan);
    if (plan->tries == 0u) {
        copy_nominal(plan, &parts);
        tci_plan_judge(plan);
        return;
    }
    const tc_real most = TC_MLA(plan->info.cost, JUDGE_ROUNDING, plan->info.cost);
    if (plan->info.failed < TC_OK || !(plan->trial_cost <= most)) {
        reject_move(plan);
        return;
    }
    copy_nominal(plan, &parts);
    accept_move(plan);
}

/* ---- Feedback -------------------------------------------------------------------------------- */

/* After the pull: the gradient is known, the sweep begins at the state that was reached. */
static void begin_feedback(tc_plan *plan)
{
    const newton_parts parts = find_parts(plan);
    const uint32_t t = plan->task.model->tangent, reach = plan->info.reach;
    const tc_real *const last = tci_plan_state(plan, reach);
    memset(parts.V, 0, (size_t)t * t * sizeof *parts.V);
    (void)tc_vec_zeroed(TC_OK, parts.v, t);
    tci_plan_cost_bend(&plan->task, last, TC_C(1.0), TC_C(1.0), parts.V);
    tci_plan_cost_add(&plan->task, last, TC_C(1.0), TC_C(1.0), parts.v);
    plan->phase = TCI_PLAN_BACK;
    plan->knot = reach;
}

/* Q_y, Q_yy, Q_yx; B is scaled */
static void expand_knot(tc_plan *plan, const newton_parts *p, const tc_real *u)
{
    const tc_plan_task *const task = &plan->task;
    const uint32_t t = task->model->tangent, c = task->model->control;
    for (uint32_t j = 0; j < c; ++j) {
        const tc_real scale = tci_plan_scale(task, j);
        for (uint32_t i = 0; i < t; ++i) p->B[i * c + j] *= scale;
    }
    (void)tc_vec_zeroed(TC_OK, p->Qy, c);
    tci_plan_effort_add(task, u, p->Qy);
    tc_mat_body_mul(p->V, p->A, p->VA, t, t, t);
    tc_mat_body_mul(p->V, p->B, p->VB, t, t, c);
    for (uint32_t i = 0; i < c; ++i) {
        p->Qy[i] = tc_mat_body_dot(tci_plan_scale(task, i) * p->Qy[i], p->B + i, c, p->v, 1, 0, t);
        for (uint32_t j = 0; j < c; ++j) {
            p->Qyy[i * c + j] = tc_mat_body_dot(i == j ? TC_C(2.0) * task->effort : TC_C(0.0),
                                                p->B + i, c, p->VB + j, c, 0, t);
        }
        for (uint32_t j = 0; j < t; ++j) {
            p->Qyx[i * t + j] = tc_mat_body_dot(TC_C(0.0), p->B + i, c, p->VA + j, t, 0, t);
        }
    }
}

/* Whether control i is at a border of its range and wants to leave it */
static int stays_at_border(const tc_plan_task *task, const tc_real *u, uint32_t i, tc_real slope)
{
    if (task->low != NULL && u[i] <= task->low[i] && slope > TC_C(0.0)) return 1;
    return task->high != NULL && u[i] >= task->high[i] && slope < TC_C(0.0);
}

/* The factor of R; rows of controls that stay are the unit matrix's. 0: R is not positive. */
static int factor_knot(const tc_plan *plan, const newton_parts *p, uint32_t held)
{
    const uint32_t c = plan->task.model->control;
    const tc_real lambda = plan->damping * plan->info.gradient / plan->config.step;
    for (uint32_t i = 0; i < c; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            const int out = (int)((held >> i | held >> j) & 1u);
            p->factor[i * c + j] = out ? TC_C(0.0) : p->Qyy[i * c + j];
        }
        p->factor[i * c + i] += (held >> i & 1u) ? TC_C(1.0) : lambda;
    }
    return tc_mat_cholesky_inplace(p->factor, c) >= TC_OK;
}

/* k and K of a knot, in y */
static void solve_knot(const tc_plan *plan, const newton_parts *p, uint32_t held, tc_real *feed,
                       tc_real *gain)
{
    const uint32_t t = plan->task.model->tangent, c = plan->task.model->control;
    for (uint32_t i = 0; i < c; ++i) {
        const int out = (int)(held >> i & 1u);
        feed[i] = out ? TC_C(0.0) : -p->Qy[i];
        for (uint32_t j = 0; j < t; ++j) gain[i * t + j] = out ? TC_C(0.0) : -p->Qyx[i * t + j];
    }
    tc_mat_body_solve_lower(p->factor, feed, feed, c, 1);
    tc_mat_body_solve_lower_t(p->factor, feed, feed, c, 1);
    tc_mat_body_solve_lower(p->factor, gain, gain, c, t);
    tc_mat_body_solve_lower_t(p->factor, gain, gain, c, t);
}

/* v, without l_x */
static void fold_slope(const newton_parts *p, const tc_real *feed, const tc_real *gain, uint32_t t,
                       uint32_t c)
{
    tc_mat_body_vec(p->Qyy, feed, p->small, c, c);
    for (uint32_t i = 0; i < c; ++i) p->small[i] += p->Qy[i];
    tc_mat_body_vec_t(p->A, p->v, p->Av, t, t);
    for (uint32_t j = 0; j < t; ++j) {
        const tc_real more = tc_mat_body_dot(p->Av[j], gain + j, t, p->small, 1, 0, c);
        p->v[j] = tc_mat_body_dot(more, p->Qyx + j, t, feed, 1, 0, c);
    }
}

/* V, without l_xx; B becomes (Q_yy K + Q_yx)' */
static void fold_bend(const newton_parts *p, const tc_real *gain, uint32_t t, uint32_t c)
{
    for (uint32_t j = 0; j < t; ++j) {
        for (uint32_t i = 0; i < c; ++i) {
            p->B[j * c + i] =
                tc_mat_body_dot(p->Qyx[i * t + j], p->Qyy + i * c, 1, gain + j, t, 0, c);
        }
    }
    for (uint32_t i = 0; i < t; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            tc_real sum = tc_mat_body_dot(TC_C(0.0), p->A + i, t, p->VA + j, t, 0, t);
            sum = tc_mat_body_dot(sum, gain + i, t, p->B + j * c, 1, 0, c);
            sum = tc_mat_body_dot(sum, p->Qyx + i, t, gain + j, t, 0, c);
            p->V[i * t + j] = sum;
            p->V[j * t + i] = sum;
        }
    }
}

/* From y to u */
static void scale_feedback(const tc_plan_task *task, tc_real *feed, tc_real *gain)
{
    const uint32_t t = task->model->tangent;
    for (uint32_t i = 0; i < task->model->control; ++i) {
        const tc_real scale = tci_plan_scale(task, i);
        feed[i] *= scale;
        for (uint32_t j = 0; j < t; ++j) gain[i * t + j] *= scale;
    }
}

static void try_feedback(tc_plan *plan)
{
    plan->tries = 1u;
    plan->trial_share = TC_C(1.0);
    tci_plan_roll(plan);
}

/* One knot of the sweep; knot - 1 gets its feedback. */
/* tc_calls: feed_back lib/barrier/tc_plan_implicit.c:column_scene */
static tc_status feed_back(tc_plan *plan)
{
    const tc_plan_model *const model = plan->task.model;
    const newton_parts p = find_parts(plan);
    const uint32_t t = model->tangent, c = model->control, k = plan->knot - 1u;
    tc_real *const feed = p.feed + (size_t)k * c, *const gain = p.gain + (size_t)k * c * t;
    const tc_real *const u = tci_plan_control(plan, k), *const state = tci_plan_state(plan, k);
    const tc_status status = model->columns(model->scene, state, u, tci_plan_state(plan, k + 1u),
                                            tci_plan_record(plan, k), p.A, p.B, plan->space);
    if (status < TC_OK) {
        begin_feedback(plan);
        return status;
    }
    expand_knot(plan, &p, u);
    uint32_t held = 0;
    for (uint32_t i = 0; i < c; ++i) {
        if (stays_at_border(&plan->task, u, i, p.Qy[i])) held |= 1u << i;
    }
    if (!factor_knot(plan, &p, held)) {
        raise_damping(plan);
        return TC_OK;
    }
    solve_knot(plan, &p, held, feed, gain);
    fold_slope(&p, feed, gain, t, c);
    fold_bend(&p, gain, t, c);
    scale_feedback(&plan->task, feed, gain);
    tci_plan_cost_bend(&plan->task, state, TC_C(1.0), TC_C(0.0), p.V);
    tci_plan_cost_add(&plan->task, state, TC_C(1.0), TC_C(0.0), p.v);
    plan->knot = k;
    if (k == 0u) try_feedback(plan);
    return TC_OK;
}

const tci_plan_method tci_plan_newton = {
    .keeps = keep_newton,
    .choose = choose_control,
    .rolled = judge_roll,
    .pulled = begin_feedback,
    .backed = feed_back,
};
