/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "plan.h"

void native_plan_sizes(uint32_t *size)
{
    const size_t bytes[] = {sizeof(tc_implicit_body),  sizeof(tc_implicit_piece),
                            sizeof(tc_implicit_floor), sizeof(tc_implicit_pair),
                            sizeof(tc_implicit_scene), sizeof(tc_implicit_sizes),
                            sizeof(tc_implicit_info),  sizeof(native_plan_report)};
    for (uint32_t k = 0; k < TC_COUNT(bytes); ++k) size[k] = (uint32_t)bytes[k];
}

void native_plan_task_sizes(uint32_t *size)
{
    const size_t bytes[] = {sizeof(tc_plan_model), sizeof(tc_plan_goal),   sizeof(tc_plan_bound),
                            sizeof(tc_plan_task),  sizeof(tc_plan_config), sizeof(tc_plan_info),
                            sizeof(tc_plan)};
    for (uint32_t k = 0; k < TC_COUNT(bytes); ++k) size[k] = (uint32_t)bytes[k];
}

/* The control of a step: the last row holds on */
static const tc_real *control_row(const tc_real *controls, uint32_t rows, uint32_t k,
                                  uint32_t length)
{
    const uint32_t row = k < rows ? k : rows - 1u;
    return length > 0u ? controls + (size_t)row * length : NULL;
}

static void note_step(native_plan_report *report, tc_status status, uint32_t k,
                      const tc_implicit_info *info)
{
    if (status > TC_OK && report->note == 0) {
        report->note = (int32_t)status;
        report->noted = k;
    }
    report->newton += info->newton;
    if (k == 0u || (double)info->gap < report->gap) report->gap = (double)info->gap;
}

int32_t native_plan_roll(const tc_implicit_scene *scene, const tc_real *controls, uint32_t rows,
                         uint32_t steps, uint32_t keep, tc_real *states, tc_real *records,
                         tc_real *work, uint32_t work_len, native_plan_report *report)
{
    tc_implicit_sizes sizes;
    const tc_real *warm = NULL;
    tc_implicit_measure(scene, &sizes);
    *report = (native_plan_report){0};
    for (uint32_t k = 0; k < steps; ++k) {
        tc_implicit_info info;
        tc_real *record = records + (keep ? (size_t)k * sizes.record : 0u);
        tc_real *state = states + (size_t)k * sizes.state;
        const tc_status status =
            tc_implicit_step(scene, state, control_row(controls, rows, k, sizes.control), warm,
                             state + sizes.state, record, work, work_len, &info);
        if (status < TC_OK) {
            report->status = (int32_t)status;
            report->pair = info.pair;
            break;
        }
        note_step(report, status, k, &info);
        report->done = k + 1u;
        warm = record;
    }
    return report->status;
}

int32_t native_plan_pull(const tc_implicit_scene *scene, const tc_real *controls, uint32_t rows,
                         uint32_t steps, const tc_real *states, const tc_real *records,
                         tc_real *gradients, tc_real *by_control, tc_real *work, uint32_t work_len)
{
    tc_implicit_sizes sizes;
    tc_implicit_measure(scene, &sizes);
    tc_real *by_state = work, *space = work + sizes.tangent;
    for (uint32_t k = steps; k-- > 0u;) {
        tc_real *here = gradients + (size_t)k * sizes.tangent;
        const tc_real *state = states + (size_t)k * sizes.state;
        const tc_status status = tc_implicit_pull(
            scene, state, control_row(controls, rows, k, sizes.control), state + sizes.state,
            records + (size_t)k * sizes.record, here + sizes.tangent, by_state,
            by_control + (size_t)k * sizes.control, space, work_len - sizes.tangent);
        if (status < TC_OK) return (int32_t)status;
        for (uint32_t i = 0; i < sizes.tangent; ++i) here[i] += by_state[i];
    }
    return (int32_t)TC_OK;
}
