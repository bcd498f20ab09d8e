/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Steps of a body or limb on ground of any shape. They are those of tc_foot2.h, tc_foot3.h,
 * tc_limb2.h and tc_limb3.h, with the planes of tc_ground.h in the floor's place.
 *
 *     static const tc_sdf stairs = TC_SDF_DATA(tc_sdf_union, &treads);
 *     const tc_ground3 ground = {&stairs, NULL};
 *     s = tc_ground_step_foot3(&foot, &ground, weight, &state, &warm, &info, work, len);
 *
 * Each step looks for the ground on the way to where the force alone would lead. It steps on the
 * plane of the nearest cluster, in the position scheme of the foot. Then it applies the contact
 * model at the planes of the other clusters, without motion, at most twice each. So a body in a
 * notch comes to rest there.
 *
 * A plane is that of one step. On curved ground each step has its own tangent planes.
 *
 * Bounds. A vertex ends a step no deeper than the plane allows. On ground of the radius R this is
 * up to (v h)^2 / (2 R) below the surface, which is a depth to the next step. A foot's own `plane`
 * is not read.
 */
#ifndef TC_GROUND_STEP_H
#define TC_GROUND_STEP_H

#include "tc_foot2.h"
#include "tc_foot3.h"
#include "tc_ground.h"
#include "tc_limb2.h"
#include "tc_limb3.h"

TC_BEGIN

/* Workspace of the steps, for a shape of so many vertices and a contact model that needs
 * `model_work`. `net_work`: what tc_sdf_eval of the ground needs; 0 except for nets. */
#define TC_GROUND_STEP3_WORK(model_work, vertices, net_work)                                       \
    (TC_FOOT3_WORK(model_work) + TC_FOOT3_INFO_WORK + TC_GROUND_WORK(vertices, net_work))
#define TC_GROUND_STEP2_WORK(model_work, vertices)                                                 \
    (TC_FOOT2_WORK(model_work) + TC_GROUND_WORK(vertices, 0u))

/* Advances the body by one step on this ground. The arguments are those of tc_foot3_step and of
 * tc_ground3_find; work: TC_GROUND_STEP3_WORK. info: the contact with the nearest plane; impulse
 * and flags are those of all planes; vertices are those of the cluster's shape.
 * Returns: the statuses of tc_foot3_step and of tc_ground3_find.
 * On error: state and warm are unchanged; info is zero, with the class TC_LEARNED_NONE.
 * Cost: tc_ground3_find, tc_foot3_step, and tc_foot3_respond for each further plane, twice. */
tc_status tc_ground_step_foot3(const tc_foot3 *foot, const tc_ground3 *ground, const tc_real *force,
                               tc_body3_state *state, tc_learned3_warm *warm, tc_foot3_info *info,
                               tc_real *work, size_t work_len);

/* The same in the plane; work: TC_GROUND_STEP2_WORK. info: that of tc_foot2_step with the nearest
 * plane.
 * Returns: the statuses of tc_foot2_step and of tc_ground2_find.
 * On error: the state is unchanged; info is zero, with the class TC_LEARNED_NONE. */
tc_status tc_ground_step_foot2(const tc_foot2 *foot, const tc_ground2 *ground, const tc_real *force,
                               tc_body2_state *state, tc_foot2_info *info, tc_real *work,
                               size_t work_len);

/* ---- Limbs ----------------------------------------------------------------------------------- */

/* Advances a limb by one step with its last link on this ground: tc_limb3_step on the plane of the
 * nearest cluster. Further planes are not solved in this step. The plane and the shape's vertices
 * of limb->foot are replaced, as in tc_ground_step_foot3.
 *
 * limb: checked. work: TC_LIMB3_WORK and behind it TC_GROUND_WORK of the last link's vertices.
 * The other arguments are those of tc_limb3_step.
 * Returns: the statuses of tc_limb3_step, tc_chain3_move and tc_ground3_find.
 * On error: q, qd and `warm` are unchanged; info is zero, with the class TC_LEARNED_NONE.
 * Cost: tc_chain3_move, tc_ground3_find and tc_limb3_step. */
tc_status tc_ground_step_limb3(const tc_limb3 *limb, const tc_ground3 *ground,
                               const tc_real *torque, tc_limb3_state *state, tc_limb3_info *info,
                               tc_real *work, size_t work_len);

/* Does the same in the plane. work: TC_LIMB2_WORK and behind it TC_GROUND_WORK.
 * Returns: the statuses of tc_limb2_step, tc_chain2_move and tc_ground2_find.
 * On error: q, qd and last are unchanged; info is zero, with the class TC_LEARNED_NONE. */
tc_status tc_ground_step_limb2(const tc_limb2 *limb, const tc_ground2 *ground,
                               const tc_real *torque, tc_limb2_state *state, tc_limb2_info *info,
                               tc_real *work, size_t work_len);

TC_END

#endif
