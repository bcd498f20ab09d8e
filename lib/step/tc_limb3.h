/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The data-augmented contact model of a spatial body that is the last link of a limb (Jiang & Liu,
 * Algorithm 2). The law of tc_learned3.h, learned from the body alone, serves it on the robot. What
 * tc_limb2.h is in the plane.
 *
 *   tc_limb3_mechanism_solve  one contact solve of any mechanism, by the mass matrix and Jacobian of your own
 *   tc_limb3_step   the whole step of a tc_chain3
 *
 * The law is asked about the last link as a free body whose velocity already holds the joint's impulse h f_j
 * that goes with the contact impulses at hand: the velocity after, less what the contact itself gives to the
 * free body. Its class and the size of its ratio are then taken for the limb: the limb is solved for them in
 * its own inertia, friction against the slip that the LIMB keeps, cut where it could end that slip. (The
 * direction in which the law saw the free body slide is not that of the limb; of a floor without directions
 * friction points against the slip.) A point is asked again at the solution, until that finds itself: three
 * times at most, then of the solutions the one whose class was most probable. The corners of edges and faces
 * are swept, as those of a free body (tc_learned3.h), each with the limb's inertia.
 *
 * In every case, whatever the law says: the joints hold, because the state is joint coordinates; no contact
 * approaches, no normal pulls, none acts on a contact that leaves; friction of a point never feeds the
 * slip; the contact impulse creates no kinetic energy of the limb; what sticks does not move.
 */
#ifndef TC_LIMB3_H
#define TC_LIMB3_H

#include "tc_chain3.h"
#include "tc_foot3.h"

TC_BEGIN

#define TC_LIMB3_MECHANISM_MAX 24u    /* rates */
#define TC_LIMB3_ASKED 3u   /* how often a point is asked about at most */

/* A limb at one instant: the whole mechanism that moves with the last link, that link included. From what
 * stands upstream of the last joint, M-hat, and J-hat to a frame there: M = [M-hat 0; 0 0] + J^T diag(m, m,
 * m, I) J with J = [J-hat S], S the motion of the last link by its own joint. */
typedef struct tc_limb3_mechanism {
    uint32_t n;               /* rates, 1..TC_LIMB3_MECHANISM_MAX */
    const tc_real *mass;      /* [n x n] M, symmetric positive definite */
    const tc_real *jacobian;  /* [6 x n] rates to velocity of the last link's centre of mass and its omega */
    const tc_real *rate;      /* [n] at the beginning of the step */
    const tc_real *force;     /* [n] all but joints and contact: motors, gravity, velocity products */
    tc_real orientation[4];   /* of the last link: its axes to the world's */
} tc_limb3_mechanism;

/* Two touches in a step (TOC) add up impulse, flags and counts. The rest is of the last. */
typedef struct tc_limb3_info {
    tc_foot3_info contact;  /* as of one body */
    tc_real velocity[6];      /* of the last link afterwards, world axes [m/s, rad/s] */
    uint32_t solves;          /* of a point: how often the limb was solved */
    int consistent;           /* of a point: the law's answer at the solution was what was solved for */
    tc_real penetration;      /* of the deepest contact [m] >= 0: scheme dart at the
                               * beginning of the step, else after it */
} tc_limb3_info;

/* Workspace for n rates and a contact model that needs `model_work`; without `info` the
 * solve keeps its own there. */
#define TC_LIMB3_MECHANISM_WORK(n, model_work) \
    ((n) * (n) + 15u * (n) + 51u + 25u * TC_PATCH_MAX + TC_LEARNED3_WORK(model_work) + TC_LIMB3_INFO_WORK)
#define TC_LIMB3_INFO_WORK ((uint32_t)(sizeof(tc_limb3_info) / sizeof(tc_real)))

/* One contact solve: rates_after[n]. `foot` is the last link: body, step, law, sweeps; its scheme, plane,
 * shape are not looked at. `patch` as a detector makes it (arms from the last link's centre of mass); of 0
 * contacts: the free motion. use_gap: gap / h counts. `warm` as for a body, may be null. `info` may be
 * null.
 *   TC_OK, TC_NOTE_RANGE, TC_NOTE_CONTACT  done; notes as in tc_learned3_solve, and if not consistent
 *   TC_NOTE_FALLBACK  done, but no answer was certified, the law had none (TC_ERR_RANGE,
 *   TC_ERR_NOT_CERTIFIED), or the last link was beyond what it can be asked about (tc_learned.h): contacts
 *   stop approaching, without friction, as nearly as the best set of up to three of them does it. Then `warm`
 *   is zero.
 *   TC_ERR_NULL, TC_ERR_SIZE (n, patch, sweeps), TC_ERR_WORK, TC_ERR_ALIGN, TC_ERR_BODY,
 *   TC_ERR_NOT_FINITE, TC_ERR_RANGE (overflow: then `warm` is zero), TC_ERR_UNIT,
 *   TC_ERR_UNSUPPORTED (a restitution), TC_ERR_SINGULAR, TC_ERR_INDEFINITE (M, even with a part in
 *   a thousand of its diagonal added), or the law's own, if it is another: results are zero,
 *   `warm` as it was.
 * Time: a point, the law three times; else as tc_learned3_solve; n^3 / 6 for M. */
tc_status tc_limb3_mechanism_solve(const tc_foot3 *foot, const tc_limb3_mechanism *limb,
                                const tc_patch3 *patch, int use_gap, tc_learned3_warm *warm,
                                tc_real *rates_after, tc_limb3_info *info, tc_real *work,
                                size_t work_len);

/* ---- Chains --------------------------------------------------------------------------------------- */

/* A chain, and its last link's contact model. Fill it and check it once. */
typedef struct tc_limb3 {
    tc_chain3 chain;
    tc_foot3 foot;  /* its body must be the last link's. positions: any scheme */
} tc_limb3;

/* The chain's own check; TC_ERR_MODEL_MISMATCH if the foot's body is not the last link's (1e-5 relative);
 * TC_ERR_UNSUPPORTED (the last link's joint is free; restitution not 0; positions), TC_ERR_RANGE (step; a
 * vertex that is more than TC_LEARNED_LEVER_MAX of their radii of gyration from the axes of inertia),
 * TC_ERR_NULL, TC_ERR_UNIT (plane), TC_ERR_SIZE (vertices, sweeps). tc_limb3_step takes a checked
 * one. */
tc_status tc_limb3_check(const tc_limb3 *leg);

/* q and qd are the caller's to set and read. Whoever sets another state than the one the last step left
 * zeroes `warm`, as it is to begin with. The rest is the step's scratch. */
typedef struct tc_limb3_state {
    tc_real q[TC_CHAIN3_DOF + 1u]; /* [m or rad; a floating root's quaternion] */
    tc_real qd[TC_CHAIN3_DOF];     /* [m/s or rad/s] */
    tc_learned3_warm warm;
    tc_learned3_warm next;
    tc_chain3_motion motion;
    tc_patch3 patch;
} tc_limb3_state;

/* Workspace of a step: chain of `dof` rates, and a contact model that needs `model_work`. */
#define TC_LIMB3_WORK(dof, model_work) \
    ((dof) * (dof) + 11u * (dof) + 11u + TC_LIMB3_MECHANISM_WORK(dof, model_work))

/* One step of h: q and qd move on. torque[dof]: joint torques or forces, constant over the step (of a floating
 * root: force and torque on link 0, world axes). Null: none. `info` may be null.
 *   DART  contacts are vertices below the plane; the gap plays no part in velocities; then q moves with the
 *         rates and with the least rates from rest that lift each contact by min(0.01 depth / h, 1 mm/s)
 *   GAP   contacts are vertices that would end below the plane, the lowest among them; gap / h in the
 *         right-hand side; what ends below all the same is lifted on positions, twice, in the limb's metric,
 *         by 0.05 rad or m of a joint each time at most, and not where that goes deeper (a wedged limb);
 *         info.penetration is what is left, of the lowest vertex
 *   TOC   the limb takes the step's force, and moves to its first touch at those rates. Its
 *         contacts are solved there without a force, in the inertia of that pose. Then it moves on
 *         through one more touch at most, as tc_foot3_step does. The end is lifted as with GAP
 *   TC_OK, TC_NOTE_RANGE, TC_NOTE_CONTACT, TC_NOTE_FALLBACK  as tc_limb3_mechanism_solve, the last one
 *   without a push-out, too. A limb within the limits of tc_chain2.h always ends here, as
 *   tc_limb2_step says.
 *   TC_ERR_NULL, TC_ERR_WORK, TC_ERR_ALIGN, TC_ERR_NOT_FINITE (q, qd, torque), TC_ERR_UNIT,
 *   TC_ERR_RANGE (qd, torque beyond the limits of tc_chain2.h, q so large that positions
 *   overflow), or the law's own: q, qd and `warm` are as they were */
tc_status tc_limb3_step(const tc_limb3 *leg, const tc_real *torque, tc_limb3_state *state,
                               tc_limb3_info *info, tc_real *work, size_t work_len);

TC_END

#endif
