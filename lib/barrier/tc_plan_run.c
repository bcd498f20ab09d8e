/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The machine of a plan: rolling out, pulling back, and the units that a call may take.
 *
 * Pulling. With g_k+1 the gradient of J with respect to x_k+1 and dl the cost's own gradients,
 *
 *     g_N = dl(x_N),   (g_k, dJ/du_k) = pull_k(g_k+1),   g_k += dl(x_k),   dJ/du_k += dl(u_k)
 */
#include "tc_exact.h"
#include "tc_plan_internal.h"

#include "tc_math.h"

#include <string.h>

const tci_plan_method *tci_plan_method_of(tc_plan_method method)
{
    if (method == TC_PLAN_KNOTS) return &tci_plan_knots;
    if (method == TC_PLAN_ADAM) return &tci_plan_adam;
    return method == TC_PLAN_NEWTON ? &tci_plan_newton : NULL;
}

/* ---- Rolling out ----------------------------------------------------------------------------- */

void tci_plan_roll(tc_plan *plan)
{
    plan->phase = TCI_PLAN_ROLL;
    plan->knot = 0u;
    plan->trial_cost = TC_C(0.0);
}

/* tc_calls: end_roll lib/barrier/tc_plan_newton.c:judge_roll tci_plan_judge */
static void end_roll(tc_plan *plan, const tci_plan_method *method, tc_status failed)
{
    plan->info.reach = plan->knot;
    plan->info.failed = failed;
    plan->trial_cost +=
        tci_plan_cost(&plan->task, tci_plan_state(plan, plan->knot), TC_C(0.0), TC_C(1.0));
    method->rolled(plan);
}

/* One step of the model, from `knot` to the next */
/* tc_calls: step_knot lib/barrier/tc_plan_implicit.c:step_scene */
static tc_status step_knot(tc_plan *plan)
{
    const tc_plan_model *const model = plan->task.model;
    const uint32_t k = plan->knot;
    const tc_real *warm = k > 0u ? tci_plan_record(plan, k - 1u) : NULL;
    if (k == 0u && plan->warmed) warm = plan->warm;
    return model->step(model->scene, tci_plan_state(plan, k), tci_plan_control(plan, k), warm,
                       tci_plan_state(plan, k + 1u), tci_plan_record(plan, k), plan->space);
}

/* tc_calls: roll_unit lib/barrier/tc_plan_newton.c:choose_control */
/* tc_calls: roll_unit lib/barrier/tc_plan_newton.c:judge_roll tci_plan_judge */
/* tc_calls: roll_unit lib/barrier/tc_plan_implicit.c:step_scene */
static tc_status roll_unit(tc_plan *plan, const tci_plan_method *method)
{
    if (method->choose != NULL) method->choose(plan);
    const tc_status status = step_knot(plan);
    if (status < TC_OK) {
        if (plan->knot == 0u) return status;
        end_roll(plan, method, status);
        return TC_OK;
    }
    const uint32_t k = plan->knot++;
    plan->trial_cost +=
        tci_plan_cost(&plan->task, tci_plan_state(plan, k + 1u), TC_C(1.0), TC_C(0.0))
        + tci_plan_effort(&plan->task, tci_plan_control(plan, k));
    if (plan->knot == plan->config.horizon) end_roll(plan, method, TC_OK);
    return TC_OK;
}

/* ---- Pulling back ---------------------------------------------------------------------------- */

void tci_plan_judge(tc_plan *plan)
{
    plan->info.cost = plan->trial_cost;
    tci_plan_pull(plan);
}

void tci_plan_pull(tc_plan *plan)
{
    const uint32_t n = plan->task.model->tangent;
    plan->info.gradient = TC_C(0.0);
    plan->phase = TCI_PLAN_PULL;
    plan->knot = plan->info.reach;
    (void)tc_vec_zeroed(TC_OK, plan->pulled, n);
    tci_plan_cost_add(&plan->task, tci_plan_state(plan, plan->knot), TC_C(1.0), TC_C(1.0),
                      plan->pulled);
}

/* tc_calls: pull_unit lib/barrier/tc_plan_implicit.c:pull_scene */
/* tc_calls: pull_unit lib/barrier/tc_plan_descent.c:descend_knots */
/* tc_calls: pull_unit lib/barrier/tc_plan_descent.c:descend_coordinates */
/* tc_calls: pull_unit lib/barrier/tc_plan_newton.c:begin_feedback */
/* tc_calls: pull_unit lib/barrier/tc_plan_run.c:end_gradient */
static tc_status pull_unit(tc_plan *plan, const tci_plan_method *method)
{
    const tc_plan_model *const model = plan->task.model;
    const uint32_t k = plan->knot - 1u;
    tc_real *const later = plan->pulled, *const now = later + model->tangent;
    tc_real *const gradient = plan->gradient + (size_t)k * model->control;
    const tc_real *const state = tci_plan_state(plan, k), *const u = tci_plan_control(plan, k);
    const tc_status status =
        model->pull(model->scene, state, u, tci_plan_state(plan, k + 1u), tci_plan_record(plan, k),
                    later, now, gradient, plan->space);
    if (status < TC_OK) {
        tci_plan_pull(plan);
        return status;
    }
    plan->knot = k;
    memcpy(later, now, model->tangent * sizeof *now);
    if (k > 0u) tci_plan_cost_add(&plan->task, state, TC_C(1.0), TC_C(0.0), later);
    tci_plan_effort_add(&plan->task, u, gradient);
    plan->info.gradient = tc_vec_max(tci_plan_size(&plan->task, gradient), plan->info.gradient);
    if (k == 0u) method->pulled(plan);
    return TC_OK;
}

/* ---- Units ----------------------------------------------------------------------------------- */

int tci_plan_count(tc_plan *plan)
{
    if (++plan->info.iterations < plan->config.iterations) return 1;
    tci_plan_finish(plan);
    return 0;
}

void tci_plan_finish(tc_plan *plan)
{
    plan->phase = TCI_PLAN_DONE;
    plan->info.done = 1u;
}

/* tc_calls: advance_unit lib/barrier/tc_plan_newton.c:feed_back */
/* tc_calls: tc_plan_update lib/barrier/tc_plan_newton.c:feed_back */
/* tc_calls: tc_plan_gradient lib/barrier/tc_plan_newton.c:feed_back */
static tc_status advance_unit(tc_plan *plan, const tci_plan_method *method)
{
    if (plan->phase == TCI_PLAN_ROLL) return roll_unit(plan, method);
    if (plan->phase == TCI_PLAN_PULL) return pull_unit(plan, method);
    return method->backed(plan);
}

tc_status tc_plan_update(tc_plan *plan, uint32_t budget, tc_plan_info *info)
{
    tc_status status = TC_OK;
    if (info != NULL) memset(info, 0, sizeof *info);
    if (plan == NULL || plan->task.model == NULL) return TC_ERR_NULL;
    const tci_plan_method *const method = tci_plan_method_of(plan->config.method);
    uint32_t units = 0;
    while (units < budget && plan->phase != TCI_PLAN_DONE && status >= TC_OK) {
        status = advance_unit(plan, method);
        ++units;
    }
    plan->info.units = units;
    if (info != NULL) *info = plan->info;
    return status < TC_OK ? status : TC_OK;
}

/* ---- Gradient alone -------------------------------------------------------------------------- */

static void end_gradient(tc_plan *plan)
{
    plan->phase = TCI_PLAN_DONE;
}

static tc_status roll_and_pull(tc_plan *plan, const tc_real *state, const tc_real *controls)
{
    static const tci_plan_method alone = {.rolled = tci_plan_judge, .pulled = end_gradient};
    tc_status status = tc_plan_start(plan, state, controls);
    while (status >= TC_OK && plan->phase != TCI_PLAN_DONE) status = advance_unit(plan, &alone);
    return status >= TC_OK ? plan->info.failed : status;
}

tc_status tc_plan_gradient(tc_plan *plan, const tc_real *state, const tc_real *controls,
                           tc_real *cost, tc_real *gradient)
{
    if (cost != NULL) *cost = TC_C(0.0);
    if (plan == NULL || plan->task.model == NULL) return TC_ERR_NULL;
    const size_t size = (size_t)plan->config.horizon * plan->task.model->control * sizeof *gradient;
    if (gradient != NULL) memset(gradient, 0, size);
    if (controls == NULL) return TC_ERR_NULL;
    const tc_status status = roll_and_pull(plan, state, controls);
    if (status < TC_OK) return status;
    if (cost != NULL) *cost = plan->info.cost;
    if (gradient != NULL) memcpy(gradient, plan->gradient, size);
    return TC_OK;
}
