/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The whole step of one body in space against a floor: detection, the applied force, Algorithm 1,
 * and the pose. Firmware calls it from its timer; a prediction off board calls it in a loop.
 *
 *     tc_status s = tc_foot3_open(&foot, &nets, &model, &body, 0.001f);
 *     foot.shape = (tc_shape3){corners, 8, 0};
 *     if (s >= 0) s = tc_foot3_check(&foot);
 *     while (s >= 0) s = tc_foot3_step(&foot, weight, &state, &warm, &info, work, TC_COUNT(work));
 *
 * Each step computes v1 = v + h M^-1 force. Its omega is the mean omega of the step's free turn
 * (tc_body3_coast). The position scheme (tc_scheme.h) then determines the contacts and the motion.
 * v2 is the velocity after Algorithm 1.
 * - DART: contacts are vertices below the plane, and Algorithm 1 ignores the gap. The pose moves
 *   with v2 + d. d is the smallest velocity from rest that lifts each contact by min(0.01 depth /
 *   h, 1 mm/s).
 * - TOC: the body moves with v1 to the first touch of a vertex, predicted linear in time. Algorithm
 *   1 solves there, for all vertices within 20 um of the lowest. The body goes on with v2, through
 *   at most one more touch.
 * - GAP: contacts are vertices that would end below the plane with v1. Algorithm 1 has gap / h in
 *   its LCP, except for contacts that bounce. The pose moves with v2. If a vertex would still go
 *   below the plane, the body goes through at most one touch as with TOC.
 *
 * Compliance: with foot->compliance.stiffness above 0 contacts are springs and dampers. The step
 * then reads neither the scheme nor the restitution. Contacts are vertices that would end below the
 * plane with v1, and those that the contact of others presses below it. The pose moves with v2,
 * without a lift, and the body never waits.
 *
 * TOC and GAP end the step where one more vertex would go below the plane. The body waits there,
 * and the force of the waiting time is taken back. It never waits before a sixteenth of h: then the
 * vertex is lifted. Depth from rounding, 1 um, is lifted as well.
 *
 * Energy: with restitution 0 the impulses of the contacts create none. A step in contact gains at
 * most the energy below, kinetic plus potential, with g the acceleration by the force. This holds
 * if friction opposes the slip that remains, as Coulomb's does.
 * - TOC and GAP: m (g h)^2, and m g times the lift. The proof is in tc_foot3.c.
 * - DART: the lift of the push-out, m g h 1 mm/s.
 * - Compliance, the energy of the springs included: m (g h)^2, and the force of the springs times
 *   what rotation bends, (h omega)^2 / 2 of an arm.
 *
 * Free turning keeps its energy as tc_body3_coast does.
 *
 * Momentum: the final omega follows from the angular momentum at the new orientation. It grows by
 * (h - info->waited) torque and by info->impulse, to rounding. This holds up to half a radian per
 * step. Beyond it, the energy of turning never grows, and momentum may change.
 */
#ifndef TC_FOOT3_H
#define TC_FOOT3_H

#include "tc_learned3_nets.h"
#include "tc_compliance.h"
#include "tc_detect3.h"
#include "tc_scheme.h"

TC_BEGIN

/* One body, the floor, and the contact model between them. tc_foot3_init or tc_foot3_open fills it.
 * The caller must then set `shape`, and may set `plane`, `positions`, `restitution`, `sweeps` and
 * `compliance`. All six may change between steps. */
typedef struct tc_foot3 {
    tc_body3 body;             /* mass and principal moments of inertia */
    tc_real step;              /* h: time step [s]; >= TC_LEARNED_STEP_MIN; higher: less accurate */
    tc_real restitution;       /* Newton's coefficient of restitution [1]; 0..1; 0; higher: faster
                                * bounces; see TC_LEARNED_BOUNCE_MIN of tc_foot2.h */
    tc_scheme positions;       /* position scheme; TC_SCHEME_DART */
    tc_plane3 plane;           /* the floor; z = 0 */
    tc_shape3 shape;           /* the body's shape; no default; vertices must outlive the foot */
    tc_learned3_sweeps sweeps; /* sweeps over corners; tc_learned3_sweeps_default */
    tc_learned3_model model;   /* the contact model */
    tc_compliance compliance;  /* of the contacts; zero: rigid */
} tc_foot3;

/* Report of a step. A step of TOC or GAP may have two touches. Then `impulse`, flags and the
 * counts of answers are sums, and the other fields are those of the last touch. */
typedef struct tc_foot3_info {
    tc_learned3_result contact;    /* result of the solve, its impulses times the mass [N s],
                                    * [N m s]; branch NONE without a patch */
    uint32_t count;                /* number of contacts of the solved patch; 0: none */
    uint32_t vertex[TC_PATCH_MAX]; /* vertices of the contacts */
    tc_real impulse[6];            /* whole impulse about the centre of mass, world axes [N s],
                                    * [N m s] */
    tc_real waited;                /* time that the body waited at the end of the step, without the
                                    * force [s]; 0 in DART */
} tc_foot3_info;

/* Makes a foot of body, step [s] and contact model, still without a shape.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_BODY        mass or a moment of inertia is not positive and finite.
 *   TC_ERR_NOT_FINITE  step is NaN or infinite.
 *   TC_ERR_RANGE       step or body is beyond the limits of tc_learned.h.
 * On error: the foot is zero, and tc_foot3_step refuses it.
 * Cost: 120 bytes of stack. */
tc_status tc_foot3_init(tc_foot3 *foot, const tc_body3 *body, tc_real step,
                        const tc_learned3_model *model);

/* Checks a foot. Call it once, when all fields are set. A foot that passed is refused by a step
 * only because of state, force, workspace or contact model.
 * Returns:
 *   TC_OK               the foot is valid.
 *   TC_ERR_NULL         the foot, its vertices or a function of its contact model is NULL.
 *   TC_ERR_BODY         mass or a moment of inertia is not positive and finite.
 *   TC_ERR_SIZE         the number of vertices is 0 or above TC_SHAPE_MAX, or `sweeps` is out of
 *                       range.
 *   TC_ERR_UNSUPPORTED  `positions` is no scheme.
 *   TC_ERR_UNIT         the plane's normal is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_NOT_FINITE   a vertex or the rounding radius is NaN or infinite.
 *   TC_ERR_PATCH        two vertices coincide: tc_shape3_check.
 *   TC_ERR_RANGE        step, body or a lever of the shape is beyond the limits of tc_learned.h, a
 *                       coordinate or the radius is beyond 1e6 m, or restitution is not in 0..1.
 *                       Stiffness k is not 0 and h (h k + c) / mass is not in 1e-3..1e3, or damping
 *                       or slope is negative, or the slope above 1e3 s/m.
 * Cost: that of tc_shape3_check; at most 248 bytes of stack. */
tc_status tc_foot3_check(const tc_foot3 *foot);

/* Workspace of a step with a contact model that needs `model_work`. Its last part holds the info of
 * a step that is called without one. */
#define TC_FOOT3_WORK(model_work) (TC_LEARNED3_WORK(model_work) + TC_FOOT3_INFO_WORK)
#define TC_FOOT3_INFO_WORK ((uint32_t)(sizeof(tc_foot3_info) / sizeof(tc_real)))

/* Advances the body by one step h. `force[6]`: applied wrench about the centre of mass [N], [N m],
 * gravity included, constant over the step, world axes; NULL: none. `state`: read and written.
 * `warm`: impulses of this body's last step, where the sweeps begin; read and written; NULL: the
 * sweeps begin without impulse. `info`: may be NULL. `work`: TC_FOOT3_WORK of the contact model.
 * Returns: one of these; of several notes one, and info->contact.flags has all.
 *   TC_OK               done.
 *   TC_NOTE_FALLBACK    no answer was certified: an inelastic stop, or no push-out, instead.
 *   TC_NOTE_RANGE       a query was outside the model's training range.
 *   TC_NOTE_CONTACT     a class was overruled, or friction was cut.
 *   TC_ERR_NULL         foot, state, vertices, work, or a function of the contact model is NULL.
 *   TC_ERR_BODY         mass or a moment of inertia is not positive and finite.
 *   TC_ERR_SIZE         the number of vertices is 0 or above TC_SHAPE_MAX, or `sweeps` is out of
 *                       range.
 *   TC_ERR_UNIT         the plane's normal or the quaternion is not of unit length within
 *                       TC_UNIT_TOLERANCE.
 *   TC_ERR_UNSUPPORTED  `positions` is no scheme.
 *   TC_ERR_WORK         work_len is below TC_FOOT3_WORK of the contact model.
 *   TC_ERR_ALIGN        work is misaligned.
 *   TC_ERR_NOT_FINITE   state or force is NaN or infinite.
 *   TC_ERR_RANGE        step, restitution or compliance is out of range, a speed in contact is
 *                       beyond the limit of tc_learned.h, the pose overflows, or tc_foot3_check
 *                       refuses the shape.
 *   negative            the status of the contact model.
 * On error: state and warm are unchanged; info is zero, with the class TC_LEARNED_NONE. Exception:
 * in DART, warm may be that of the failed step if the body turns by more than 1e9 rad in it.
 * Cost: detection and tc_learned3_solve, in TOC and GAP at most twice each. Further passes over the
 * vertices: 1 in GAP, 5 in TOC. DART solves one more LCP. Compliance: at most three solves, without
 * an LCP. At most 1,944 bytes of stack with nets. */
tc_status tc_foot3_step(const tc_foot3 *foot, const tc_real *force, tc_body3_state *state,
                        tc_learned3_warm *warm, tc_foot3_info *info, tc_real *work,
                        size_t work_len);

/* Applies Algorithm 1 once at the pose of `state`, without force, motion or gap: contacts are the
 * vertices less than 20 um above the plane. For a body that touches a second plane in a step, as
 * tc_ground_step_foot3 does. `warm` and `info` as in tc_foot3_step.
 * Returns: the statuses of tc_foot3_step.
 * On error: state and warm are unchanged; info is zero, with the class TC_LEARNED_NONE.
 * Cost: detection and tc_learned3_solve; stack as tc_foot3_step. */
tc_status tc_foot3_respond(const tc_foot3 *foot, tc_body3_state *state, tc_learned3_warm *warm,
                           tc_foot3_info *info, tc_real *work, size_t work_len);

/* ---- From a model ---------------------------------------------------------------------------- */

/* Calls tc_learned3_nets_open and tc_foot3_init, and sets restitution and position scheme to those
 * of the contact record. The caller must then set the shape. The foot keeps a pointer to `nets`.
 * Returns: the statuses of both.
 * On error: the foot is zero.
 * Cost: at most 564 bytes of stack. */
tc_status tc_foot3_open(tc_foot3 *foot, tc_learned3_nets *nets, const tc_model *model,
                        const tc_body3 *body, tc_real step);

TC_END

#endif
