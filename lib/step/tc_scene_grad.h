/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of a scene's step: tc_scene_step, which carries any number of directions (tangents)
 * along. They pass smooth motion, the times of impact and both phases of every impact. Events are
 * found once; the state has the bits of tc_scene_step.
 *
 *     tc_real dq[3] = {1}, dv[3] = {0};              // by the first coordinate of a planar body
 *     tc_scene_grad_direction along[1] = {{.q = dq, .v = dv}};
 *     tc_scene_grad grad = {.count = 1, .along = along};
 *     static tc_real work[...];                      // tc_scene_grad_work(&scene, 1) numbers
 *     for (...) s = tc_scene_grad_step(&scene, &config, q, v, &grad, &info, work, TC_COUNT(work));
 *
 * After n steps dq and dv are the derivatives of q and v by what the direction stands for. A
 * direction has changes of parameters too; they act in each step, while dq and dv are carried on.
 *
 * The time t of an impact moves with the state: gap(q(t)) = 0 gives dt = -dgap / (gap's rate). The
 * rest of the step is shorter by dt. Without that the derivative of a collision is wrong in all
 * that the time of impact decides.
 *
 * The derivative holds while the order of impacts and the kinds of contacts stay; where they change
 * it is one of two one-sided derivatives. So are those by mu at 0 and by e at 0 and 1. A pair that
 * begins a step within config.touch and strikes at once counts as met at that instant.
 *
 * Particles, planar bodies, and spatial bodies with three equal moments of inertia (balls, cubes)
 * are differentiated, on half spaces and as balls on balls. Chains, other spatial bodies, joints,
 * limits, springs and a field are not: TC_ERR_UNSUPPORTED.
 *
 * The adjoint of a whole roll-out is not provided. A few numbers, such as a cue ball's four or a
 * material's two, cost less as directions than the record of a roll-out.
 */
#ifndef TC_SCENE_GRAD_H
#define TC_SCENE_GRAD_H

#include "tc_impact_grad.h"
#include "tc_scene_step.h"

TC_BEGIN

#define TC_SCENE_GRAD_MAX 64u /* largest number of directions of one call */

/* A direction. Pointers that are const are changes of parameters; NULL: they do not change. */
typedef struct tc_scene_grad_direction {
    tc_real *q;             /* [rates] of coordinates, read and written; of an orientation in space
                             * a small turn, world axes [rad] */
    tc_real *v;             /* [rates] of rates, read and written */
    const tc_real *gravity; /* [3] */
    const tc_real *mass;    /* [movers] */
    const tc_real *inertia; /* [movers] of bodies; in space of all three moments */
    const tc_real *surface; /* [surfaces] radius of a shape, offset of a half space */
    const tc_real *mu;      /* [materials] */
    const tc_real *e;       /* [materials] */
} tc_scene_grad_direction;

/* Directions of one call. */
typedef struct tc_scene_grad {
    uint32_t count;                       /* 1..TC_SCENE_GRAD_MAX */
    const tc_scene_grad_direction *along; /* [count] */
} tc_scene_grad;

/* Length of the workspace beyond that of the step, from tc_scene_sizes and the number of
 * directions; usable as array size. */
#define TC_SCENE_GRAD_RUN (17u * sizeof(void *) / sizeof(tc_real) + 2u)
#define TC_SCENE_GRAD_WORK(rates, n, rows, count)                                                  \
    (TC_SCENE_GRAD_RUN + (n) * (rows) * ((rates) + 2u) + 2u * (n) + 8u * (rates)                   \
     + (count) * (2u * (rates) + 1u))

/* Returns the length of the workspace for a checked scene: tc_scene_step_work and
 * TC_SCENE_GRAD_WORK. */
size_t tc_scene_grad_work(const tc_scene *scene, uint32_t count);

/* Moves a checked scene by one step, as tc_scene_step does, and the directions with it. info: may
 * be NULL.
 * Returns: the statuses of tc_scene_step, and
 *   TC_NOTE_PRECISION   also: a gap did not close at its impact; that time counts as fixed. Or
 *                       tc_impact_grad_tangent returned it.
 *   TC_ERR_NULL         also: a direction's q or v is NULL.
 *   TC_ERR_SIZE         also: grad->count is 0 or beyond its limit.
 *   TC_ERR_WORK         work_len is below tc_scene_grad_work.
 *   TC_ERR_NOT_FINITE   also: a number of a direction is NaN or infinite.
 *   TC_ERR_UNSUPPORTED  also: the scene has what is not differentiated, see above.
 *   TC_ERR_RANGE        also: a derivative overflows.
 * On error: q, v and all directions are unchanged, info is zero.
 * Cost: that of the step, and per impact and direction one derivative of tc_impact_grad.h. */
tc_status tc_scene_grad_step(const tc_scene *scene, const tc_scene_step_config *config, tc_real *q,
                             tc_real *v, const tc_scene_grad *grad, tc_scene_step_info *info,
                             tc_real *work, size_t work_len);

TC_END

#endif
