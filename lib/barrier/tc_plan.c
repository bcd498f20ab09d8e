/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Making, starting and shifting a plan: the border checks and the workspace.
 */
#include "tc_exact.h"
#include "tc_plan_internal.h"

#include "tc_math.h"
#include "tc_work.h"

#include <string.h>

#define PLAN_ITERATIONS_MAX 65535u
/* A horizon that moves on keeps its damping, but at least this share of the first: with the damping
 * that a calm frame ends with, the next move is a blow. Of 100 pushes of five settings all then
 * succeed, 91 without the bound, 78 if each frame begins with the first damping. */
#define DAMPING_SHARE TC_C(0.1)

tc_plan_config tc_plan_default(void)
{
    return (tc_plan_config){.method = TC_PLAN_KNOTS,
                            .horizon = 30u,
                            .iterations = 10u,
                            .step = TC_C(0.01),
                            .beta1 = TC_C(0.3),
                            .beta2 = TC_C(0.5),
                            .damping = TC_C(1.0)};
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static int size_fits(uint32_t n, uint32_t most)
{
    return n > 0u && n <= most;
}

static tc_status check_plan_method(const tc_plan_model *model, tc_plan_method method)
{
    if (tci_plan_method_of(method) == NULL) return TC_ERR_UNSUPPORTED;
    if (method != TC_PLAN_NEWTON) return TC_OK;
    return model->columns != NULL && model->difference != NULL ? TC_OK : TC_ERR_UNSUPPORTED;
}

static tc_status check_plan_model(const tc_plan_model *model, tc_plan_method method)
{
    if (model == NULL || model->step == NULL || model->pull == NULL) return TC_ERR_NULL;
    if (!size_fits(model->state, TC_PLAN_STATE_MAX) || !size_fits(model->tangent, TC_PLAN_STATE_MAX)
        || !size_fits(model->control, TC_PLAN_CONTROL_MAX)) {
        return TC_ERR_SIZE;
    }
    return check_plan_method(model, method);
}

/* TC_OK if all n numbers are finite and at least `least` */
static tc_status check_least(const tc_real *x, uint32_t n, tc_real least)
{
    if (!tc_all_finite(x, n)) return TC_ERR_NOT_FINITE;
    for (uint32_t i = 0; i < n; ++i) {
        if (x[i] < least) return TC_ERR_RANGE;
    }
    return TC_OK;
}

static tc_status check_plan_config(const tc_plan_config *config)
{
    const tc_real positive[5] = {config->step, config->beta1, config->beta2, config->damping,
                                 TC_C(0.0)};
    if (!size_fits(config->horizon, TC_PLAN_HORIZON_MAX)
        || !size_fits(config->iterations, PLAN_ITERATIONS_MAX)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = check_least(positive, 5u, TC_C(0.0));
    if (status < TC_OK) return status;
    const int small = config->beta1 < TC_C(1.0) && config->beta2 < TC_C(1.0);
    return small && config->step > TC_C(0.0) ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_goal(const tc_plan_model *model, const tc_plan_goal *goal)
{
    const tc_real weights[3] = {goal->tolerance, goal->end, goal->knot};
    if (!size_fits(goal->count, 3u) || goal->state >= model->state
        || goal->tangent >= model->tangent || goal->count > model->state - goal->state
        || goal->count > model->tangent - goal->tangent) {
        return TC_ERR_SIZE;
    }
    if (!tc_all_finite(goal->target, goal->count)) return TC_ERR_NOT_FINITE;
    return check_least(weights, 3u, TC_C(0.0));
}

static tc_status check_plan_bound(const tc_plan_model *model, const tc_plan_bound *bound)
{
    const tc_real range[2] = {bound->low, bound->high};
    if (bound->state >= model->state || bound->tangent >= model->tangent) return TC_ERR_SIZE;
    if (!tc_all_finite(range, 2u)) return TC_ERR_NOT_FINITE;
    if (bound->low > bound->high) return TC_ERR_RANGE;
    return check_least(&bound->weight, 1u, TC_C(0.0));
}

static tc_status check_terms(const tc_plan_task *task)
{
    if (!size_fits(task->goals, TC_PLAN_TERMS_MAX) || task->bounds > TC_PLAN_TERMS_MAX) {
        return TC_ERR_SIZE;
    }
    if (task->goal == NULL || (task->bounds > 0u && task->bound == NULL)) return TC_ERR_NULL;
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < task->goals && status >= TC_OK; ++i) {
        status = check_goal(task->model, &task->goal[i]);
    }
    for (uint32_t i = 0; i < task->bounds && status >= TC_OK; ++i) {
        status = check_plan_bound(task->model, &task->bound[i]);
    }
    return status;
}

static int finite_or_none(const tc_real *x, uint32_t n)
{
    return x == NULL || tc_all_finite(x, n);
}

static tc_status check_controls(const tc_plan_task *task)
{
    const uint32_t n = task->model->control;
    if (!finite_or_none(task->low, n) || !finite_or_none(task->high, n)
        || !finite_or_none(task->scale, n) || !finite_or_none(task->rest, n)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (!(tci_plan_scale(task, i) > TC_C(0.0))) return TC_ERR_RANGE;
        if (task->low != NULL && task->high != NULL && task->low[i] > task->high[i]) {
            return TC_ERR_RANGE;
        }
    }
    return check_least(&task->effort, 1u, TC_C(0.0));
}

static tc_status check_task(const tc_plan_task *task, const tc_plan_config *config)
{
    tc_status status = check_plan_model(task->model, config->method);
    if (status >= TC_OK) status = check_plan_config(config);
    if (status >= TC_OK) status = check_terms(task);
    return status >= TC_OK ? check_controls(task) : status;
}

/* ---- Workspace ------------------------------------------------------------------------------- */

/* Hands out the next n numbers of the workspace, or counts them if it is NULL. */
static tc_real *hand_part(tc_real *work, size_t *at, size_t n)
{
    tc_real *const part = work != NULL ? work + *at : NULL;
    *at += n;
    return part;
}

/* tc_calls: lay_plan lib/barrier/tc_plan_descent.c:keep_means lib/barrier/tc_plan_newton.c:keep_newton */
/* tc_calls: lay_plan lib/barrier/tc_plan_descent.c:keep_knot_means */
/* tc_calls: tc_plan_work_len lib/barrier/tc_plan_descent.c:keep_means lib/barrier/tc_plan_newton.c:keep_newton */
/* tc_calls: tc_plan_work_len lib/barrier/tc_plan_descent.c:keep_knot_means */
/* tc_calls: tc_plan_init lib/barrier/tc_plan_descent.c:keep_means lib/barrier/tc_plan_newton.c:keep_newton */
/* tc_calls: tc_plan_init lib/barrier/tc_plan_descent.c:keep_knot_means */
static size_t lay_plan(tc_plan *plan, tc_real *work)
{
    const tc_plan_model *const model = plan->task.model;
    const tci_plan_method *const method = tci_plan_method_of(plan->config.method);
    const size_t knots = plan->config.horizon;
    size_t at = 0;
    plan->control = hand_part(work, &at, knots * model->control);
    plan->state = hand_part(work, &at, (knots + 1u) * model->state);
    plan->gradient = hand_part(work, &at, knots * model->control);
    plan->record = hand_part(work, &at, knots * model->record);
    plan->warm = hand_part(work, &at, model->record);
    plan->pulled = hand_part(work, &at, 2u * (size_t)model->tangent);
    plan->space = hand_part(work, &at, model->work);
    plan->moment = hand_part(work, &at, method->keeps(&plan->task, plan->config.horizon));
    return at;
}

size_t tc_plan_work_len(const tc_plan_task *task, const tc_plan_config *config)
{
    if (task == NULL || config == NULL) return 0u;
    if (check_plan_model(task->model, config->method) < TC_OK
        || !size_fits(config->horizon, TC_PLAN_HORIZON_MAX)) {
        return 0u;
    }
    tc_plan plan;
    plan.task = *task;
    plan.config = *config;
    return lay_plan(&plan, NULL);
}

tc_status tc_plan_init(tc_plan *plan, const tc_plan_task *task, const tc_plan_config *config,
                       tc_real *work, size_t work_len)
{
    if (plan == NULL) return TC_ERR_NULL;
    memset(plan, 0, sizeof *plan);
    if (task == NULL || config == NULL || work == NULL) return TC_ERR_NULL;
    tc_status status = check_task(task, config);
    if (status >= TC_OK) status = tc_work_check(work, work_len, tc_plan_work_len(task, config));
    if (status < TC_OK) return status;
    plan->task = *task;
    plan->config = *config;
    const size_t length = lay_plan(plan, work);
    (void)memset(work, 0, length * sizeof *work);
    plan->phase = TCI_PLAN_DONE;
    return TC_OK;
}

/* ---- Starts ---------------------------------------------------------------------------------- */

void tci_plan_confine(const tc_plan *plan, tc_real *control)
{
    const tc_plan_task *const task = &plan->task;
    for (uint32_t i = 0; i < task->model->control; ++i) {
        if (task->low != NULL && control[i] < task->low[i]) control[i] = task->low[i];
        if (task->high != NULL && control[i] > task->high[i]) control[i] = task->high[i];
    }
}

void tci_plan_shift_rows(tc_real *x, uint32_t rows, uint32_t n)
{
    memmove(x, x + n, (size_t)(rows - 1u) * n * sizeof *x);
}

static tc_status check_plan_start(const tc_plan *plan, const tc_real *state)
{
    if (plan == NULL || plan->task.model == NULL || state == NULL) return TC_ERR_NULL;
    return tc_all_finite(state, plan->task.model->state) ? TC_OK : TC_ERR_NOT_FINITE;
}

/* All n numbers may be more than tc_all_finite's caller counts in 32 bits: they are not, by the
 * limits of horizon and control. */
static tc_status check_plan_controls(const tc_plan *plan, const tc_real *controls)
{
    if (controls == NULL) return TC_OK;
    const uint32_t n = plan->config.horizon * plan->task.model->control;
    return tc_all_finite(controls, n) ? TC_OK : TC_ERR_NOT_FINITE;
}

static void begin_plan(tc_plan *plan, const tc_real *state)
{
    const uint32_t n = plan->task.model->state;
    for (uint32_t k = 0; k < plan->config.horizon; ++k) {
        tci_plan_confine(plan, tci_plan_control(plan, k));
    }
    if (state != plan->state) memmove(plan->state, state, n * sizeof *state);
    memset(&plan->info, 0, sizeof plan->info);
    plan->tries = 0u;
    tci_plan_roll(plan);
}

/* tc_calls: tc_plan_start lib/barrier/tc_plan_descent.c:keep_means lib/barrier/tc_plan_newton.c:keep_newton */
/* tc_calls: tc_plan_start lib/barrier/tc_plan_descent.c:keep_knot_means */
tc_status tc_plan_start(tc_plan *plan, const tc_real *state, const tc_real *controls)
{
    tc_status status = check_plan_start(plan, state);
    if (status >= TC_OK) status = check_plan_controls(plan, controls);
    if (status < TC_OK) return status;
    const tc_plan_model *const model = plan->task.model;
    const uint32_t knots = plan->config.horizon;
    if (controls != NULL) {
        memmove(plan->control, controls, (size_t)knots * model->control * sizeof *controls);
    }
    const size_t kept = tci_plan_method_of(plan->config.method)->keeps(&plan->task, knots);
    memset(plan->moment, 0, kept * sizeof *plan->moment);
    plan->warmed = 0u;
    plan->counted = 0u;
    plan->damping = plan->config.damping;
    begin_plan(plan, state);
    return TC_OK;
}

/* tc_calls: tc_plan_shift lib/barrier/tc_plan_descent.c:shift_knot_means */
/* tc_calls: tc_plan_shift lib/barrier/tc_plan_descent.c:shift_means */
tc_status tc_plan_shift(tc_plan *plan, const tc_real *state)
{
    const tc_status status = check_plan_start(plan, state);
    if (status < TC_OK) return status;
    const tc_plan_model *const model = plan->task.model;
    const tci_plan_method *const method = tci_plan_method_of(plan->config.method);
    tci_plan_shift_rows(plan->control, plan->config.horizon, model->control);
    if (method->moved != NULL) method->moved(plan);
    memcpy(plan->warm, plan->record, model->record * sizeof *plan->warm);
    plan->damping = tc_vec_max(DAMPING_SHARE * plan->config.damping, plan->damping);
    plan->warmed = plan->info.reach > 0u;
    begin_plan(plan, state);
    return TC_OK;
}
