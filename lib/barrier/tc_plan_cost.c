/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Cost of a plan, and its derivatives.
 *
 * A goal costs w max(0, s), s = |p - target|^2 - tolerance^2, with gradient 2 w (p - target) and
 * second derivatives 2 w where s > 0, and none elsewhere. A bound costs w d^2, d the distance from
 * the range.
 */
#include "tc_exact.h"
#include "tc_plan_internal.h"

/* p - target; returns whether the goal is missed, and by how much in *missed */
static int measure_goal(const tc_plan_goal *goal, const tc_real *state, tc_real *away,
                        tc_real *missed)
{
    tc_real square = TC_C(0.0);
    for (uint32_t i = 0; i < goal->count; ++i) {
        away[i] = state[goal->state + i] - goal->target[i];
        square = TC_MLA(square, away[i], away[i]);
    }
    *missed = TC_MLS(square, goal->tolerance, goal->tolerance);
    return *missed > TC_C(0.0);
}

/* Signed distance from the range; 0 within it */
static tc_real leave_range(const tc_plan_bound *bound, const tc_real *state)
{
    const tc_real x = state[bound->state];
    if (x > bound->high) return x - bound->high;
    return x < bound->low ? x - bound->low : TC_C(0.0);
}

static tc_real weigh_goal(const tc_plan_goal *goal, tc_real knot, tc_real end)
{
    return knot * goal->knot + end * goal->end;
}

tc_real tci_plan_cost(const tc_plan_task *task, const tc_real *state, tc_real knot, tc_real end)
{
    tc_real cost = TC_C(0.0), away[3], missed;
    for (uint32_t i = 0; i < task->goals; ++i) {
        if (measure_goal(&task->goal[i], state, away, &missed)) {
            cost = TC_MLA(cost, weigh_goal(&task->goal[i], knot, end), missed);
        }
    }
    for (uint32_t i = 0; i < task->bounds; ++i) {
        const tc_real d = leave_range(&task->bound[i], state);
        cost = TC_MLA(cost, knot * task->bound[i].weight, d * d);
    }
    return cost;
}

void tci_plan_cost_add(const tc_plan_task *task, const tc_real *state, tc_real knot, tc_real end,
                       tc_real *gradient)
{
    tc_real away[3], missed;
    for (uint32_t i = 0; i < task->goals; ++i) {
        const tc_plan_goal *const goal = &task->goal[i];
        if (!measure_goal(goal, state, away, &missed)) continue;
        const tc_real twice = TC_C(2.0) * weigh_goal(goal, knot, end);
        for (uint32_t c = 0; c < goal->count; ++c) {
            gradient[goal->tangent + c] = TC_MLA(gradient[goal->tangent + c], twice, away[c]);
        }
    }
    for (uint32_t i = 0; i < task->bounds; ++i) {
        const tc_plan_bound *const bound = &task->bound[i];
        const tc_real twice = TC_C(2.0) * knot * bound->weight;
        gradient[bound->tangent] =
            TC_MLA(gradient[bound->tangent], twice, leave_range(bound, state));
    }
}

void tci_plan_cost_bend(const tc_plan_task *task, const tc_real *state, tc_real knot, tc_real end,
                        tc_real *H)
{
    const uint32_t pitch = task->model->tangent + 1u;
    tc_real away[3], missed;
    for (uint32_t i = 0; i < task->goals; ++i) {
        const tc_plan_goal *const goal = &task->goal[i];
        if (!measure_goal(goal, state, away, &missed)) continue;
        for (uint32_t c = 0; c < goal->count; ++c) {
            H[(goal->tangent + c) * pitch] += TC_C(2.0) * weigh_goal(goal, knot, end);
        }
    }
    for (uint32_t i = 0; i < task->bounds; ++i) {
        const tc_plan_bound *const bound = &task->bound[i];
        if (leave_range(bound, state) == TC_C(0.0)) continue;
        H[bound->tangent * pitch] += TC_C(2.0) * knot * bound->weight;
    }
}

/* (u - rest) / scale of control i */
static tc_real strain_control(const tc_plan_task *task, const tc_real *control, uint32_t i)
{
    const tc_real rest = task->rest != NULL ? task->rest[i] : TC_C(0.0);
    return (control[i] - rest) / tci_plan_scale(task, i);
}

tc_real tci_plan_effort(const tc_plan_task *task, const tc_real *control)
{
    tc_real square = TC_C(0.0);
    for (uint32_t i = 0; i < task->model->control; ++i) {
        const tc_real strain = strain_control(task, control, i);
        square = TC_MLA(square, strain, strain);
    }
    return task->effort * square;
}

void tci_plan_effort_add(const tc_plan_task *task, const tc_real *control, tc_real *gradient)
{
    const tc_real twice = TC_C(2.0) * task->effort;
    for (uint32_t i = 0; i < task->model->control; ++i) {
        gradient[i] += twice * strain_control(task, control, i) / tci_plan_scale(task, i);
    }
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

tc_real tci_plan_hypotenuse(tc_real a, tc_real b)
{
    const tc_real large = tc_vec_max(a, b), small = a > b ? b : a;
    if (!(large > TC_C(0.0))) return TC_C(0.0);
    const tc_real ratio = small / large;
    return large * tc_sqrt(TC_MLA(TC_C(1.0), ratio, ratio));
}

tc_real tci_plan_size(const tc_plan_task *task, const tc_real *g)
{
    tc_real size = TC_C(0.0);
    for (uint32_t i = 0; i < task->model->control; ++i) {
        size = tci_plan_hypotenuse(size, tc_vec_magnitude(tci_plan_scale(task, i) * g[i]));
    }
    return size;
}
