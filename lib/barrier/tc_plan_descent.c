/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Descent with fixed steps: knot-wise, and Adam.
 *
 * With g = scale dJ/du of a knot, in units of scale,
 *
 *     m <- beta1 m + (1 - beta1) g,   s^2 <- beta2 s^2 + (1 - beta2) |g|^2
 *     u <- u - step scale (m / (1 - beta1^t)) / (s / sqrt(1 - beta2^t))
 *
 * Knot-wise, s is one number of the knot, so the move keeps the gradient's direction. Far away one
 * coordinate of the gradient may be 100 times another: Adam's s per coordinate then moves along a
 * diagonal whatever the gradient says.
 *
 * Gradients of 1e-25 occur. s is updated without squares, so that none is lost.
 */
#include "tc_exact.h"
#include "tc_plan_internal.h"

static size_t keep_means(const tc_plan_task *task, uint32_t horizon)
{
    return (size_t)horizon * 2u * task->model->control;
}

static size_t keep_knot_means(const tc_plan_task *task, uint32_t horizon)
{
    return (size_t)horizon * (task->model->control + 1u);
}

/* 1 - beta^t */
static tc_real complete_mean(tc_real beta, uint32_t t)
{
    tc_real power = TC_C(1.0);
    for (uint32_t i = 0; i < t && power > TC_EPSILON; ++i) power *= beta;
    return TC_C(1.0) - power;
}

/* Shares of old and new in the means, and the length of a move where both agree */
typedef struct descent_pace {
    tc_real old_mean, new_mean, old_size, new_size, step;
} descent_pace;

static descent_pace find_pace(const tc_plan *plan)
{
    const tc_plan_config *const config = &plan->config;
    const tc_real whole = complete_mean(config->beta2, plan->counted);
    return (descent_pace){config->beta1, TC_C(1.0) - config->beta1, tc_sqrt(config->beta2),
                          tc_sqrt(TC_C(1.0) - config->beta2),
                          config->step * tc_sqrt(whole)
                              / complete_mean(config->beta1, plan->counted)};
}

/* s, given |g| */
static tc_real update_size(const descent_pace *pace, tc_real size, tc_real now)
{
    return tci_plan_hypotenuse(pace->old_size * size, pace->new_size * now);
}

/* m of control i, given g */
static tc_real update_mean(const descent_pace *pace, tc_real mean, tc_real g)
{
    return TC_MLA(pace->old_mean * mean, pace->new_mean, g);
}

static void move_knot(tc_plan *plan, const descent_pace *pace, uint32_t knot)
{
    const tc_plan_task *const task = &plan->task;
    const uint32_t n = task->model->control;
    const tc_real *const g = plan->gradient + (size_t)knot * n;
    tc_real *const mean = plan->moment + (size_t)knot * (n + 1u), *const size = mean + n;
    tc_real *const u = tci_plan_control(plan, knot);
    *size = update_size(pace, *size, tci_plan_size(task, g));
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real scale = tci_plan_scale(task, i);
        mean[i] = update_mean(pace, mean[i], scale * g[i]);
        if (*size > TC_C(0.0)) u[i] = TC_MLS(u[i], pace->step * scale, mean[i] / *size);
    }
    tci_plan_confine(plan, u);
}

static void move_coordinates(tc_plan *plan, const descent_pace *pace, uint32_t knot)
{
    const tc_plan_task *const task = &plan->task;
    const uint32_t n = task->model->control;
    const tc_real *const g = plan->gradient + (size_t)knot * n;
    tc_real *const mean = plan->moment + (size_t)knot * 2u * n, *const size = mean + n;
    tc_real *const u = tci_plan_control(plan, knot);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real scale = tci_plan_scale(task, i);
        mean[i] = update_mean(pace, mean[i], scale * g[i]);
        size[i] = update_size(pace, size[i], tc_vec_magnitude(scale * g[i]));
        if (size[i] > TC_C(0.0)) u[i] = TC_MLS(u[i], pace->step * scale, mean[i] / size[i]);
    }
    tci_plan_confine(plan, u);
}

static void descend_knots(tc_plan *plan)
{
    ++plan->counted;
    const descent_pace pace = find_pace(plan);
    for (uint32_t k = 0; k < plan->info.reach; ++k) move_knot(plan, &pace, k);
    if (tci_plan_count(plan)) tci_plan_roll(plan);
}

static void descend_coordinates(tc_plan *plan)
{
    ++plan->counted;
    const descent_pace pace = find_pace(plan);
    for (uint32_t k = 0; k < plan->info.reach; ++k) move_coordinates(plan, &pace, k);
    if (tci_plan_count(plan)) tci_plan_roll(plan);
}

static void shift_knot_means(tc_plan *plan)
{
    tci_plan_shift_rows(plan->moment, plan->config.horizon, plan->task.model->control + 1u);
}

static void shift_means(tc_plan *plan)
{
    tci_plan_shift_rows(plan->moment, plan->config.horizon, 2u * plan->task.model->control);
}

const tci_plan_method tci_plan_knots = {
    .keeps = keep_knot_means,
    .moved = shift_knot_means,
    .rolled = tci_plan_judge,
    .pulled = descend_knots,
};

const tci_plan_method tci_plan_adam = {
    .keeps = keep_means,
    .moved = shift_means,
    .rolled = tci_plan_judge,
    .pulled = descend_coordinates,
};
