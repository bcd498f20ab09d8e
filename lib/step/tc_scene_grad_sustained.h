/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of a step of tc_scene_step_sustained.h, whose surfaces may be signed distances: by
 * sizes, masses, forces, materials, gravity and the start. Bodies have any inertia.
 *
 *     tc_scene more = scene, less = scene;       // with a parameter 1e-3 larger, and smaller
 *     tc_real dq[6] = {0}, dv[6] = {0};
 *     tc_scene_grad_sustained_direction along[1] = {{dq, dv, &more, &less, 1e-3f}};
 *     static tc_real work[...];                  // tc_scene_grad_sustained_work(&scene, 1)
 *     for (...) s = tc_scene_grad_sustained_step(&scene, &config, q, v, along, 1, &info, work,
 *                                                TC_COUNT(work));
 *
 * After n steps dq and dv are the derivatives of q and v by the parameter. A parameter is given by
 * two scenes. So the caller decides whether mass and inertia follow a size.
 *
 * Events are found once, in the scene itself; the state has the bits of tc_scene_step. Between
 * events all that is smooth is differenced centrally: flight, contact geometry, rows of contacts.
 * By the state, positions differ by at most TC_SCENE_GRAD_SUSTAINED_NEAR. Through cones, phases of
 * an impact and times of events the derivative passes by formula:
 *
 *     impact            tc_impact_grad_tangent
 *     time of contact   gap(t, p) = 0: dt = -dgap / (gap's rate); the rest of the step is shorter
 *     time of a stop    the same with the sliding velocity, which is 0 there
 *
 * In double a derivative errs by about 1e-7 of the largest. In float32 it errs by about 1e-3 per
 * impact, if `step` is 1e-2 of the parameter. A pair that begins a step within config.touch and
 * strikes at once counts as met at its own time.
 *
 * The time of a stop is that of the interval's own contacts. Where loads shift among corners, the
 * rates just after a stop err by a few parts in a hundred of what friction took.
 *
 * The derivative holds while the order of events and the kinds of contacts stay; where they change
 * it is one of two one-sided derivatives. A contact that appears in only one of the two scenes is
 * taken as fixed there: TC_NOTE_PRECISION.
 */
#ifndef TC_SCENE_GRAD_SUSTAINED_H
#define TC_SCENE_GRAD_SUSTAINED_H

#include "tc_scene_step_sustained.h"

TC_BEGIN

#define TC_SCENE_GRAD_SUSTAINED_MAX 16u /* largest number of directions of one call */
#ifdef TC_DOUBLE
#define TC_SCENE_GRAD_SUSTAINED_NEAR 1e-5 /* difference of positions [m or rad] */
#else
#define TC_SCENE_GRAD_SUSTAINED_NEAR TC_C(1e-3)
#endif

/* A direction: that of the state, and of a parameter. */
typedef struct tc_scene_grad_sustained_direction {
    tc_real *q;           /* [rates] of coordinates, read and written; of an orientation in space a
                           * small turn, world axes [rad] */
    tc_real *v;           /* [rates] of rates, read and written */
    const tc_scene *more; /* the scene with the parameter larger by `step`; NULL: no parameter */
    const tc_scene *less; /* the scene with the parameter smaller by `step` */
    tc_real step;         /* > 0; not read without a parameter */
} tc_scene_grad_sustained_direction;

/* Returns the length of the workspace for a checked scene and `count` directions. */
size_t tc_scene_grad_sustained_work(const tc_scene *scene, uint32_t count);

/* Moves a checked scene by one step, as tc_scene_step does, and the directions with it.
 * The method, config->method, is &tc_scene_step_sustained. Scenes `more` and `less` are checked.
 * They differ in numbers alone. An info of NULL is not wanted.
 * Returns: the statuses of tc_scene_step, and
 *   TC_NOTE_PRECISION   also: a contact or an event of the step was not found again nearby; it
 *                       counts as fixed. Or tc_impact_grad_tangent returned it.
 *   TC_ERR_NULL         also: a direction's q or v is NULL, or one of more and less.
 *   TC_ERR_SIZE         also: count is 0 or beyond its limit, or more or less has other sizes.
 *   TC_ERR_WORK         work_len is below tc_scene_grad_sustained_work.
 *   TC_ERR_NOT_FINITE   also: a number of a direction is NaN or infinite.
 *   TC_ERR_UNSUPPORTED  also: config->method is another, or config->bounce is not Poisson's; or the
 *                       scene has joints, limits, springs, a field or chains.
 *   TC_ERR_RANGE        also: `step` is not above 0, or a derivative overflows.
 *   TC_ERR_NOT_CERTIFIED  an impact was not certified: it has no derivative.
 * On error: q, v and all directions are unchanged, info is zero.
 * Cost: that of the step. Per interval and direction it has up to eight looks at the contacts that
 * act, as many flights, and two derivatives of tc_impact_grad.h.
 * Stack: on Cortex-M4F 2 KB, with signed distances 5.5 KB. */
tc_status tc_scene_grad_sustained_step(const tc_scene *scene, const tc_scene_step_config *config,
                                       tc_real *q, tc_real *v,
                                       const tc_scene_grad_sustained_direction *along,
                                       uint32_t count, tc_scene_step_info *info, tc_real *work,
                                       size_t work_len);

TC_END

#endif
