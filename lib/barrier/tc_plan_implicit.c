/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A scene as the model of a plan. The plan hands out as much workspace as the model asks for.
 */
#include "tc_exact.h"
#include "tc_plan_implicit.h"

#include <string.h>

static tc_status step_scene(const void *scene, const tc_real *state, const tc_real *control,
                            const tc_real *warm, tc_real *next, tc_real *record, tc_real *space)
{
    return tc_implicit_step(scene, state, control, warm, next, record, space, SIZE_MAX, NULL);
}

static tc_status pull_scene(const void *scene, const tc_real *state, const tc_real *control,
                            const tc_real *next, const tc_real *record,
                            const tc_real *gradient_next, tc_real *gradient_state,
                            tc_real *gradient_control, tc_real *space)
{
    return tc_implicit_pull(scene, state, control, next, record, gradient_next, gradient_state,
                            gradient_control, space, SIZE_MAX);
}

static tc_status column_scene(const void *scene, const tc_real *state, const tc_real *control,
                              const tc_real *next, const tc_real *record, tc_real *A, tc_real *B,
                              tc_real *space)
{
    return tc_implicit_columns(scene, state, control, next, record, A, B, space, SIZE_MAX);
}

static void differ_scene(const void *scene, const tc_real *to, const tc_real *from,
                         tc_real *increment)
{
    (void)tc_implicit_difference(scene, to, from, increment);
}

tc_status tc_plan_implicit(const tc_implicit_scene *scene, tc_plan_model *model)
{
    tc_implicit_sizes sizes;
    if (model == NULL) return TC_ERR_NULL;
    memset(model, 0, sizeof *model);
    const tc_status status = tc_implicit_check(scene, &sizes);
    if (status < TC_OK) return status;
    if (sizes.control == 0u || sizes.control > TC_PLAN_CONTROL_MAX
        || sizes.state > TC_PLAN_STATE_MAX || sizes.tangent > TC_PLAN_STATE_MAX) {
        return TC_ERR_SIZE;
    }
    *model = (tc_plan_model){.scene = scene,
                             .state = sizes.state,
                             .tangent = sizes.tangent,
                             .control = sizes.control,
                             .record = sizes.record,
                             .work = sizes.work,
                             .step = step_scene,
                             .pull = pull_scene,
                             .columns = column_scene,
                             .difference = differ_scene};
    return status;
}
