/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The whole step of one planar body against a plane: detect, integrate the applied force, Algorithm 1,
 * integrate the position. What a firmware calls from its timer, and what predictions off board run in a loop.
 */
#ifndef TC_FOOT2_H
#define TC_FOOT2_H

#include "tc_learned2_nets.h"
#include "tc_detect2.h"
#include "tc_scheme.h"

TC_BEGIN

/* One body, the floor, and the law between them. tc_foot2_init or tc_foot2_open fill it; `shape` must, `plane`,
 * `positions` and `restitution` may be set afterwards, and changed between steps. */
typedef struct tc_foot2 {
    tc_body2 body;
    tc_real gyration;        /* sqrt(inertia / mass) [m] */
    tc_real step;            /* h [s] */
    tc_real restitution;     /* coefficient 0..1, default 0; see below */
    tc_scheme positions;  /* default TC_SCHEME_DART */
    tc_plane2 plane;   /* default the floor y = 0 */
    tc_shape2 shape;   /* passed tc_foot2_check once */
    tc_learned2_model law;
} tc_foot2;

/* Restitution is Newton's, decided per contact: one that approaches with v leaves with at least e v, if e v
 * exceeds this speed; below, as at rest, e counts as 0. So in every scheme, at whatever moment of a step the
 * body touches; GAP turns it back up to a step's way above the plane. With friction it can create energy
 * (Kane's paradox), which 0 cannot. */
#define TC_LEARNED_BOUNCE_MIN TC_C(0.1) /* [m/s] */

/* What happened in a step. SI; friction along the tangent, normals along the normal of the plane. Of two
 * touches in a step (TOC, GAP) impulses and flags are added, the rest is that of the last. */
typedef struct tc_foot2_info {
    tc_learned2_decision decision; /* branch TC_LEARNED_NONE without a patch */
    uint32_t count;            /* contacts of the patch that was solved; 0 none */
    uint32_t vertex[2];        /* their indices */
    tc_real friction;          /* [N s] */
    tc_real normal[2];         /* [N s] >= 0; their sum is p_normal */
    tc_real torque;            /* about the centre of mass [N m s] */
    tc_real waited;            /* at the end of the step, without the force (TOC, GAP) [s]; else 0 */
} tc_foot2_info;

/* `dacm` with this body, step [s] and law; no shape yet. TC_ERR_NULL, TC_ERR_BODY, TC_ERR_NOT_FINITE,
 * TC_ERR_RANGE (step or body beyond the limits of tc_learned.h); on an error it is zero, and tc_foot2_step
 * refuses it. */
tc_status tc_foot2_init(tc_foot2 *dacm, const tc_body2 *body, tc_real step, const tc_learned2_model *law);

/* To be called once, when all is set: what tc_foot2_init and tc_shape2_check check, plane, positions
 * and restitution, and that the shape's levers are within the limits of tc_learned.h for this body
 * (TC_ERR_RANGE). What passed is never refused in motion but for state, force, workspace or the law. */
tc_status tc_foot2_check(const tc_foot2 *dacm);

/* Workspace of tc_foot2_respond and tc_foot2_step, with a contact model that needs `model_work`. */
#define TC_FOOT2_WORK(model_work) TC_LEARNED2_WORK(model_work)

/* Algorithm 1 for a patch that is at hand: velocity[3] (world: vx, vy, omega; the applied force included)
 * is replaced by the velocity after the impulse. No position scheme, so no gap; shape and plane are not
 * looked at. A patch without contacts is TC_OK. `info` may be null. Statuses as tc_foot2_step. */
tc_status tc_foot2_respond(const tc_foot2 *dacm, const tc_patch2 *patch, tc_real *velocity,
                          tc_foot2_info *info, tc_real *work, size_t work_len);

/* One step of h: `state` is moved. force[3] is the applied force (Fx, Fy [N], torque [N m]), gravity
 * included, constant over the step; null: none. `info` may be null. Needs work of
 * TC_FOOT2_WORK(dacm->law.work_len).
 *
 *   v1 = v + h M^-1 force, then by dacm->positions (tools/tinycontact/sim/schemes.py is their twin):
 *   DART  contacts are vertices below the plane; v2 from Algorithm 1, the gap plays no part; then
 *         q += h (v2 + d), d the least velocity from rest that lifts each contact by min(0.01 depth / h,
 *         1 mm/s)
 *   TOC   up to the first touch of a vertex, linear in time, with v1; Algorithm 1 there, for all vertices
 *         that are within 20 um of the plane then; so on with v2, through one more touch at most
 *   GAP   contacts are vertices that would end below the plane; Algorithm 1 with gap / h in its LCP, but of
 *         contacts that bounce; q += h v2, through one touch as with TOC at most if a vertex would go below the
 *         plane all the same
 * TOC and GAP end the step where one more vertex would go below: the body waits there, the force of that time is
 * taken back. (Not before a sixteenth of h: then it is lifted, which costs m g times that.) Rounding and rotation's
 * second order are lifted. The contacts' impulses create no energy (e = 0).
 *
 *   TC_OK, TC_NOTE_RANGE, TC_NOTE_CONTACT   done; the notes as info->decision.flags says
 *   TC_ERR_NULL, TC_ERR_BODY, TC_ERR_SIZE (shape), TC_ERR_UNIT (plane), TC_ERR_UNSUPPORTED (positions),
 *   TC_ERR_WORK, TC_ERR_ALIGN, TC_ERR_NOT_FINITE, TC_ERR_RANGE (step, restitution; the state's
 *   speeds beyond tc_learned.h's limit in contact; overflow of its position; a shape that
 *   tc_foot2_check refuses), or the law's own: the state is as it was, info is zero (branch: none)
 * Time: one pass over the vertices and one sine (DART), two (GAP) or five (TOC) of both; classify and ratio
 * of the law once each, for TOC twice; GAP at most as TOC and two more passes. */
tc_status tc_foot2_step(const tc_foot2 *dacm, const tc_real *force, tc_body2_state *state, tc_foot2_info *info,
                       tc_real *work, size_t work_len);

/* ---- From a model --------------------------------------------------------------------------------- */

/* tc_learned2_nets_open and tc_foot2_init in one, with restitution and position scheme of the record: a body that
 * lacks only its shape. */
tc_status tc_foot2_open(tc_foot2 *dacm, tc_learned2_nets *nets, const tc_model *model, const tc_body2 *body,
                       tc_real step);

/* tc_foot2_open of such a model, which must outlive `dacm`: TC_ERR_MODEL_MISMATCH a body or step that is not the
 * record's; TC_ERR_NULL, TC_ERR_BODY, TC_ERR_NOT_FINITE, TC_ERR_RANGE the arguments. On an error `dacm` is zero. */
tc_status tc_foot2_open_const(tc_foot2 *dacm, const tc_learned2_nets_const *model, const tc_body2 *body,
                             tc_real step);

TC_END

#endif
