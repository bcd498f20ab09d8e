/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The whole step of one body in the plane against a floor: detection, the applied force, Algorithm
 * 1, and the position. Firmware calls it from its timer; a prediction off board calls it in a loop.
 *
 *     tc_status s = tc_foot2_open(&foot, &nets, &model, &body, 0.001f);
 *     foot.shape = (tc_shape2){corners, 4, 0};
 *     if (s >= 0) s = tc_foot2_check(&foot);
 *     while (s >= 0) s = tc_foot2_step(&foot, weight, &state, &info, work, TC_COUNT(work));
 *
 * Each step computes v1 = v + h M^-1 force. The position scheme (tc_scheme.h) then determines the
 * contacts and the motion. v2 is the velocity after Algorithm 1.
 * - DART: contacts are vertices below the plane, and Algorithm 1 ignores the gap. Then q += h (v2 +
 *   d). d is the smallest velocity from rest that lifts each contact by min(0.01 depth / h, 1
 *   mm/s).
 * - TOC: the body moves with v1 to the first touch of a vertex, predicted linear in time. Algorithm
 *   1 solves there, for all vertices within 20 um of the plane. The body goes on with v2, through
 *   at most one more touch.
 * - GAP: contacts are vertices that would end below the plane. Algorithm 1 has gap / h in its LCP,
 *   except for contacts that bounce. Then q += h v2. If a vertex would still go below the plane,
 *   the body goes through at most one touch as with TOC.
 *
 * TOC and GAP end the step where one more vertex would go below the plane. The body waits there,
 * and the force of the waiting time is taken back. It never waits before a sixteenth of h: then the
 * vertex is lifted, which costs m g times the lift. Depth from rounding and from rotation's second
 * order is lifted as well.
 *
 * Energy: with restitution 0 the impulses of the contacts create no energy.
 * tools/tinycontact/sim/schemes.py computes the same schemes in Python.
 */
#ifndef TC_FOOT2_H
#define TC_FOOT2_H

#include "tc_learned2_nets.h"
#include "tc_detect2.h"
#include "tc_scheme.h"

TC_BEGIN

/* One body, the floor, and the contact model between them. tc_foot2_init or tc_foot2_open fills it.
 * The caller must then set `shape`, and may set `plane`, `positions` and `restitution`. All four
 * may change between steps. */
typedef struct tc_foot2 {
    tc_body2 body;           /* mass and moment of inertia */
    tc_real gyration;        /* radius of gyration sqrt(inertia / mass) [m] */
    tc_real step;            /* h: time step [s]; >= TC_LEARNED_STEP_MIN; higher: less accurate */
    tc_real restitution;     /* Newton's coefficient of restitution [1]; 0..1; 0; higher: faster
                              * bounces; see TC_LEARNED_BOUNCE_MIN */
    tc_scheme positions;     /* position scheme; TC_SCHEME_DART */
    tc_plane2 plane;         /* the floor; y = 0 */
    tc_shape2 shape;         /* the body's shape; no default; its vertices must outlive the foot */
    tc_learned2_model model; /* the contact model */
} tc_foot2;

/* Threshold on the speed of a bounce [m/s]. A contact that approaches with v leaves with at least
 * e v if e v exceeds this threshold; else its e counts as 0. The rule holds for each contact, in
 * every scheme, at any time of a step. In GAP such a contact may turn up to a step's way above the
 * plane. With friction, e > 0 can create energy (Kane's paradox); e = 0 cannot. */
#define TC_LEARNED_BOUNCE_MIN TC_C(0.1)

/* Report of a step. Friction is along the tangent, normals are along the normal of the
 * plane. A step of TOC or GAP may have two touches. Then impulses, torque and flags are sums, and
 * the other fields are those of the last touch. */
typedef struct tc_foot2_info {
    tc_learned2_decision decision; /* class and ratio; branch NONE without a patch */
    uint32_t count;                /* number of contacts of the solved patch; 0: none */
    uint32_t vertex[2];            /* vertices of the contacts */
    tc_real friction;              /* friction impulse [N s] */
    tc_real normal[2];             /* normal impulses of the contacts [N s]; >= 0 */
    tc_real torque;                /* torque impulse about the centre of mass [N m s] */
    tc_real waited;                /* time that the body waited at the end of the step, without the
                                    * force [s]; 0 in DART */
} tc_foot2_info;

/* Makes a foot of body, step [s] and contact model, still without a shape.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_BODY        mass or moment of inertia is not positive and finite.
 *   TC_ERR_NOT_FINITE  step is NaN or infinite.
 *   TC_ERR_RANGE       step or body is beyond the limits of tc_learned.h.
 * On error: the foot is zero, and tc_foot2_step refuses it.
 * Cost: 112 bytes of stack. */
tc_status tc_foot2_init(tc_foot2 *foot, const tc_body2 *body, tc_real step,
                        const tc_learned2_model *model);

/* Checks a foot. Call it once, when all fields are set. A foot that passed is refused by a step
 * only because of state, force, workspace or contact model.
 * Returns:
 *   TC_OK               the foot is valid.
 *   TC_ERR_NULL         the foot, its vertices or a function of its contact model is NULL.
 *   TC_ERR_BODY         mass, moment of inertia or gyration is not positive and finite.
 *   TC_ERR_SIZE         the number of vertices is 0 or above TC_SHAPE_MAX.
 *   TC_ERR_UNSUPPORTED  `positions` is no scheme, or one that tc_config.h leaves out.
 *   TC_ERR_UNIT         the plane's normal is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_NOT_FINITE   a vertex or the rounding radius is NaN or infinite.
 *   TC_ERR_PATCH        tc_shape2_check refuses the shape.
 *   TC_ERR_RANGE        step, body or a lever of the shape is beyond the limits of tc_learned.h, a
 *                       coordinate or the radius is beyond 1e6 m, or restitution is not in 0..1.
 * Cost: that of tc_shape2_check; at most 280 bytes of stack. */
tc_status tc_foot2_check(const tc_foot2 *foot);

/* Workspace of tc_foot2_respond and tc_foot2_step, with a contact model that needs `model_work`. */
#define TC_FOOT2_WORK(model_work) TC_LEARNED2_WORK(model_work)

/* Applies Algorithm 1 to a known patch, without a position scheme and so without gaps. Shape and
 * plane of the foot are not read. `velocity[3]`: vx, vy [m/s], omega [rad/s], applied force
 * included, world axes; replaced by the velocity after the impulse. It is unchanged if the patch
 * has no contact. `info`: may be NULL.
 * Returns: one of these; TC_NOTE_RANGE goes before TC_NOTE_CONTACT.
 *   TC_OK              done.
 *   TC_NOTE_RANGE      the query is outside the model's training range.
 *   TC_NOTE_CONTACT    the class was overruled, or friction was cut.
 *   TC_ERR_NULL        a pointer other than info, or a function of the contact model, is NULL.
 *   TC_ERR_BODY        mass, moment of inertia or gyration is not positive and finite.
 *   TC_ERR_SIZE        the patch has more than two contacts.
 *   TC_ERR_UNIT        its normal is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_PATCH       its levers descend.
 *   TC_ERR_WORK        work_len is below TC_FOOT2_WORK of the contact model.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_NOT_FINITE  velocity or patch is NaN or infinite.
 *   TC_ERR_RANGE       step or restitution is out of range, or a speed or lever is beyond the
 *                      limits of tc_learned.h.
 *   negative           the status of the contact model.
 * On error: velocity is unchanged; info is zero, with the class TC_LEARNED_NONE.
 * Cost: that of tc_learned2_query_init and tc_learned2_solve; 684 bytes of stack with nets. */
tc_status tc_foot2_respond(const tc_foot2 *foot, const tc_patch2 *patch, tc_real *velocity,
                           tc_foot2_info *info, tc_real *work, size_t work_len);

/* Advances the body by one step h. `force[3]`: applied force Fx, Fy [N] and torque [N m], gravity
 * included, constant over the step, world axes; NULL: none. `state`: read and written. `info`: may
 * be NULL. `work`: needed in contact only.
 * Returns: one of these; of several notes one, and info->decision.flags has all.
 *   TC_OK               done.
 *   TC_NOTE_RANGE       a query was outside the model's training range.
 *   TC_NOTE_CONTACT     a class was overruled, or friction was cut.
 *   TC_ERR_NULL         foot, state, vertices, work, or a function of the contact model is NULL.
 *   TC_ERR_BODY         mass, moment of inertia or gyration is not positive and finite.
 *   TC_ERR_SIZE         the number of vertices is 0 or above TC_SHAPE_MAX.
 *   TC_ERR_UNIT         the plane's normal is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_UNSUPPORTED  `positions` is no scheme, or one that tc_config.h leaves out.
 *   TC_ERR_WORK         work_len is below TC_FOOT2_WORK of the contact model.
 *   TC_ERR_ALIGN        work is misaligned.
 *   TC_ERR_NOT_FINITE   state or force is NaN or infinite.
 *   TC_ERR_RANGE        step or restitution is out of range, a speed in contact is beyond the limit
 *                       of tc_learned.h, the position overflows, or tc_foot2_check refuses the
 *                       shape.
 *   negative            the status of the contact model.
 * On error: the state is unchanged; info is zero, with the class TC_LEARNED_NONE.
 * Cost: passes over the vertices, each with one sine and cosine: 1 in DART, 5 in TOC, 2 in GAP. The
 * contact model's two functions once each, in TOC twice. GAP takes at most the time of TOC and two
 * more passes. At most 780 bytes of stack with nets. */
tc_status tc_foot2_step(const tc_foot2 *foot, const tc_real *force, tc_body2_state *state,
                        tc_foot2_info *info, tc_real *work, size_t work_len);

/* ---- From a model ---------------------------------------------------------------------------- */

/* Calls tc_learned2_nets_open and tc_foot2_init, and sets restitution and position scheme to those
 * of the contact record. The caller must then set the shape. The foot keeps a pointer to `nets`.
 * Returns: the statuses of both.
 * On error: the foot is zero.
 * Cost: at most 608 bytes of stack. */
tc_status tc_foot2_open(tc_foot2 *foot, tc_learned2_nets *nets, const tc_model *model,
                        const tc_body2 *body, tc_real step);

/* Does the same as tc_foot2_open for a compiled-in model, which must outlive the foot.
 * Returns: the statuses of tc_learned2_nets_check and tc_foot2_init.
 * On error: the foot is zero.
 * Cost: at most 152 bytes of stack. */
tc_status tc_foot2_open_const(tc_foot2 *foot, const tc_learned2_nets_const *model,
                              const tc_body2 *body, tc_real step);

TC_END

#endif
