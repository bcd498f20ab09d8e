/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A scene of tc_implicit.h as the model of a plan.
 *
 *     tc_plan_model model;
 *     tc_status s = tc_plan_implicit(&scene, &model);
 *     const tc_plan_task task = {.model = &model, .goal = &goal, .goals = 1};
 *
 * The plan's state, tangent and control are the scene's. A goal for the position of a free body in
 * the plane has the body's first coordinate as `state` and its first freedom as `tangent`.
 */
#ifndef TC_PLAN_IMPLICIT_H
#define TC_PLAN_IMPLICIT_H

#include "tc_implicit.h"
#include "tc_plan.h"

TC_BEGIN

/* Makes the model of a scene. The scene must stay valid and unchanged while the model is in use.
 * Returns:
 *   TC_OK        done.
 *   TC_ERR_NULL  a pointer is NULL.
 *   a status of tc_implicit_check.
 *   TC_ERR_SIZE  also: the scene has no control, or more than a plan's limits.
 * On error: model is zero. */
tc_status tc_plan_implicit(const tc_implicit_scene *scene, tc_plan_model *model);

TC_END

#endif
