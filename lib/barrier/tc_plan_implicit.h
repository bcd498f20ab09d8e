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

/* A goal inside something fixed. */
typedef struct tc_plan_implicit_block {
    uint32_t goal; /* index of the goal */
    uint32_t pair; /* the pair or floor that touches, numbered as in tc_implicit_info */
} tc_plan_implicit_block;

/* Looks for a goal inside something fixed: a floor, or a body that welds tie to the world.
 *
 * Each goal[goals] is tried alone: its coordinates of state[state] are set to the target, and the
 * others stay. The scene must be checked, and its fixed parts must touch nothing in `state`. A goal
 * with a tolerance may be met in front of what it lies in: the caller decides. `block` may be NULL.
 * Returns:
 *   TC_OK              no goal is inside.
 *   TC_ERR_TOUCHING    a goal is inside; block has the first one.
 *   TC_ERR_NULL        a required pointer is NULL.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_WORK        work_len is below sizes.work of tc_implicit_check.
 *   TC_ERR_SIZE        a goal's coordinates are beyond the scene's; block has its index.
 *   TC_ERR_NOT_FINITE  a target or a coordinate is NaN or infinite.
 * Cost: per goal that of the pairs with fixed bodies, as in a step without a warm start. */
tc_status tc_plan_implicit_goals(const tc_implicit_scene *scene, const tc_plan_goal *goal,
                                 uint32_t goals, const tc_real *state,
                                 tc_plan_implicit_block *block, tc_real *work, size_t work_len);

TC_END

#endif
