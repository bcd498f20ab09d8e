/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What Python calls for scenes of implicit steps (tools/tinycontact/plan/native.py): whole roll-outs
 * and their derivatives in one call. Host only. Numbers cross as tc_real.
 */
#ifndef NATIVE_PLAN_H
#define NATIVE_PLAN_H

#include "tc_plan_implicit.h"

TC_BEGIN

/* What a roll-out came to. */
typedef struct native_plan_report {
    uint32_t done;   /* steps that were made */
    int32_t status;  /* tc_status of the step that failed, or TC_OK */
    int32_t note;    /* the first positive status */
    uint32_t noted;  /* the step that had it */
    uint32_t newton; /* Newton steps of all */
    uint32_t pair;   /* tc_implicit_info's pair of the step that failed */
    double gap;      /* smallest gap of all steps [m] */
} native_plan_report;

/* Sizes in bytes of tc_implicit_body, _piece, _floor, _pair, _scene, _sizes, _info and of
 * native_plan_report, so that Python can tell whether it knows them. */
void native_plan_sizes(uint32_t *size);

/* The same of tc_plan_model, _goal, _bound, _task, _config, _info and tc_plan. */
void native_plan_task_sizes(uint32_t *size);

/* Rolls states[0] out into states[(steps + 1) x state], with controls[rows x control], of which the
 * last row holds on; records[steps x record] for native_plan_pull, or [record] if `keep` is 0.
 * Returns the report's status. */
int32_t native_plan_roll(const tc_implicit_scene *scene, const tc_real *controls, uint32_t rows,
                         uint32_t steps, uint32_t keep, tc_real *states, tc_real *records,
                         tc_real *work, uint32_t work_len, native_plan_report *report);

/* Pulls gradients[(steps + 1) x tangent] of a cost by each state, itself, back: each then has the
 * whole derivative by that state. by_control[steps x control] has that by each step's control. */
int32_t native_plan_pull(const tc_implicit_scene *scene, const tc_real *controls, uint32_t rows,
                         uint32_t steps, const tc_real *states, const tc_real *records,
                         tc_real *gradients, tc_real *by_control, tc_real *work, uint32_t work_len);

TC_END

#endif
