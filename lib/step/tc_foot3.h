/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The whole step of one spatial body against a plane: detect, integrate the applied force, Algorithm 1,
 * integrate the position. What a firmware calls from its timer, and what predictions off board run in a loop.
 */
#ifndef TC_FOOT3_H
#define TC_FOOT3_H

#include "tc_learned3_nets.h"
#include "tc_detect3.h"
#include "tc_scheme.h"

TC_BEGIN

/* One body, the floor, and the law between them. tc_foot3_init or tc_foot3_open fill it;
 * `shape` must, `plane`, `positions`, `restitution` and `sweeps` may be set afterwards, and
 * changed between steps. */
typedef struct tc_foot3 {
    tc_body3 body;
    tc_real step;             /* h [s] */
    tc_real restitution;      /* coefficient 0..1, default 0; as in tc_foot2.h */
    tc_scheme positions;   /* default TC_SCHEME_DART */
    tc_plane3 plane;   /* default the floor z = 0 */
    tc_shape3 shape;   /* passed tc_foot3_check once */
    tc_learned3_sweeps sweeps; /* default tc_learned3_sweeps_default */
    tc_learned3_model law;
} tc_foot3;

/* What happened in a step. Of two touches in a step (TOC, GAP) the impulse on the body, flags and counts of
 * answers are added, the rest is that of the last. */
typedef struct tc_foot3_info {
    tc_learned3_result contact;     /* branch TC_LEARNED_NONE without a patch; impulses in N s and N m s */
    uint32_t count;                /* contacts of the patch; 0 none */
    uint32_t vertex[TC_PATCH_MAX]; /* their indices */
    tc_real impulse[6];            /* all of it, about the centre of mass, world axes [N s, N m s] */
    tc_real waited;                /* at the end of the step, without the force (TOC, GAP) [s]; else 0 */
} tc_foot3_info;

/* `spatial` with this body, step [s] and law; no shape yet. TC_ERR_NULL, TC_ERR_BODY, TC_ERR_NOT_FINITE,
 * TC_ERR_RANGE (step or body beyond the limits of tc_learned.h); on an error it is zero, and tc_foot3_step
 * refuses it. */
tc_status tc_foot3_init(tc_foot3 *spatial, const tc_body3 *body, tc_real step,
                          const tc_learned3_model *law);

/* To be called once, when all is set: what tc_foot3_init and tc_shape3_check check, plane, positions,
 * restitution and sweeps, and that the shape's levers are within the limits of tc_learned.h for this body
 * (TC_ERR_RANGE). What passed is never refused in motion but for state, force, workspace or the law. */
tc_status tc_foot3_check(const tc_foot3 *spatial);

/* Workspace of a step with a contact model that needs `model_work`; without `info` the step
 * keeps its own there. */
#define TC_FOOT3_WORK(model_work) (TC_LEARNED3_WORK(model_work) + TC_FOOT3_INFO_WORK)
#define TC_FOOT3_INFO_WORK ((uint32_t)(sizeof(tc_foot3_info) / sizeof(tc_real)))

/* One step of h: `state` is moved. force[6] is the applied wrench about the centre of mass (N, N m, world
 * axes), gravity included, constant over the step; null: none. `warm` is where the sweeps begin, from the
 * last step of this body; null: anew. `info` may be null. Needs work of
 * TC_FOOT3_WORK(spatial->law.work_len).
 *
 *   v1 = v + h M^-1 force, with the mean omega of the step's free turn (tc_body3_coast); by
 *   spatial->positions:
 *   DART  contacts are vertices below the plane; v2 from Algorithm 1, the gap plays no part; then the pose
 *         moves with v2 + d, d the least velocity from rest that lifts each contact by min(0.01 depth / h,
 *         1 mm/s)
 *   TOC   up to the first touch of a vertex, linear in time, with v1; Algorithm 1 there, for all vertices
 *         within 20 um of the lowest; so on with v2, through one more touch at most
 *   GAP   contacts are vertices that would end below the plane with v1; Algorithm 1 with gap / h in its LCP,
 *         but of contacts that bounce; the pose moves with v2, through one touch as with TOC at most if a vertex
 *         would go below the plane all the same
 *   TOC and GAP end the step where one more vertex would go below: the body waits there, the force of that time
 *   is taken back. (Not before a sixteenth of h: then it is lifted.) Rounding, 1 um, is lifted.
 *
 * Energy: with e = 0 the contacts' impulses create none. Where friction opposes the slip that it leaves, as
 * Coulomb's, a step in contact gains, kinetic and potential, at most m (g h)^2 in TOC and GAP, g what the force
 * accelerates by, and what was lifted (tc_foot3.c has the proof); in DART what the push-out lifts, m g h 1
 * mm/s. Free turning keeps its own (tc_body3_coast).
 *
 * In the end omega is what the angular momentum makes at the new orientation: momentum is that of before, h
 * torque (h less info->waited) and info->impulse, to rounding, up to half a radian in a step; beyond that the energy of
 * turning is never gained, and momentum gives way.
 *
 *   TC_OK, TC_NOTE_FALLBACK, TC_NOTE_RANGE, TC_NOTE_CONTACT   done; the notes as info->contact.flags says
 *   TC_ERR_NULL, TC_ERR_BODY, TC_ERR_SIZE (shape, sweeps), TC_ERR_UNIT (plane, quaternion),
 *   TC_ERR_UNSUPPORTED (positions), TC_ERR_WORK, TC_ERR_ALIGN, TC_ERR_NOT_FINITE,
 *   TC_ERR_RANGE (step, restitution; the state's speeds beyond tc_learned.h's limit in contact;
 *   overflow of its position; a shape that tc_foot3_check refuses), or the law's own: the state
 *   and `warm` are as they were, info is zero (branch: none). With DART, `warm` may be of the
 *   failed step where a body turns by more than 1e9 rad in it.
 * Time: detection, one more pass over the vertices (GAP) or five (TOC), Algorithm 1, a further LCP
 * (DART). TOC and GAP detect and solve twice at most. */
tc_status tc_foot3_step(const tc_foot3 *spatial, const tc_real *force, tc_body3_state *state,
                          tc_learned3_warm *warm, tc_foot3_info *info, tc_real *work, size_t work_len);

/* ---- From a model --------------------------------------------------------------------------------- */

/* tc_learned3_nets_open and tc_foot3_init in one, with restitution and position scheme of the record: a body
 * that lacks only its shape. */
tc_status tc_foot3_open(tc_foot3 *spatial, tc_learned3_nets *nets, const tc_model *model,
                          const tc_body3 *body, tc_real step);

TC_END

#endif
