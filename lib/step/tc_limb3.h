/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact of a body in space that is the last link of a limb: Algorithm 2 of Jiang & Liu. The
 * contact model of tc_learned3.h is learned from throws of that body alone. It then serves the body
 * on the robot. For the plane see tc_limb2.h.
 *
 *     tc_limb3_mechanism_solve   one contact solve of any mechanism, given its mass matrix and
 *                                Jacobian
 *     tc_limb3_step              the whole step of a tc_chain3
 *
 * The query describes the last link as a free body. Its velocity is that after the step without the
 * contact impulses on the link. The joint's impulse h f_j, which depends on those impulses, is
 * included. The step uses the model's class and the size of its ratio. The limb is then solved with
 * its own inertia. Friction acts against the remaining slip of the LIMB, because a free body would
 * slide in another direction. Friction is cut where it would reverse that slip.
 *
 * A point is asked again at the solution until its answer repeats, at most TC_LIMB3_ASKED times.
 * Without a repeat the solution with the most probable class counts. The corners of edges and faces
 * are swept as those of a free body (tc_learned3.h), each with the limb's inertia.
 *
 * These properties hold for any answer of the contact model, even a wrong one.
 * - The joints hold, because the state is joint coordinates.
 * - No contact approaches afterwards. No normal impulse pulls; none acts on a contact that opens.
 * - At a point friction never feeds the slip.
 * - The contact impulse creates no kinetic energy of the limb, whatever its restitution.
 * - A contact that sticks does not move.
 */
#ifndef TC_LIMB3_H
#define TC_LIMB3_H

#include "tc_chain3.h"
#include "tc_foot3.h"

TC_BEGIN

#define TC_LIMB3_MECHANISM_MAX 24u /* largest number of rates */
#define TC_LIMB3_ASKED 3u          /* largest number of queries about a point */

/* A limb at one instant: the whole mechanism that moves with the last link, that link included.
 * Example: M-hat is the mass matrix of the links before the last joint, J-hat their Jacobian at
 * that joint, S the last joint's columns. Then J = [J-hat S] and
 * M = [M-hat 0; 0 0] + J^T diag(m, m, m, I) J. */
typedef struct tc_limb3_mechanism {
    uint32_t n;              /* number of rates; 1..TC_LIMB3_MECHANISM_MAX */
    const tc_real *mass;     /* [n x n] M: mass matrix, symmetric positive definite */
    const tc_real *jacobian; /* [6 x n] J: rates to velocity of the last link's centre of mass and
                              * its omega, world axes */
    const tc_real *rate;     /* [n] rates at the beginning of the step [m/s or rad/s] */
    const tc_real *force;    /* [n] all forces except joints and contact: motors, gravity, velocity
                              * products [N or N m] */
    tc_real orientation[4];  /* quaternion of the last link, from its axes to the world's; unit
                              * length [1] */
} tc_limb3_mechanism;

/* How a solve or step got its result. A step of TOC may have two touches. Then impulse, flags and
 * counts are sums, and the other fields are those of the last touch. */
typedef struct tc_limb3_info {
    tc_foot3_info contact; /* as of one body */
    tc_real velocity[6];   /* velocity of the last link afterwards, world axes [m/s], [rad/s] */
    uint32_t solves;       /* points: number of solves of the limb */
    int consistent;        /* points: 0: the model's answer at the solution differs from the one
                            * that was solved for, or the model had no answer. Else 1 */
    tc_real penetration;   /* depth of the deepest contact [m]; >= 0; DART: at the beginning of the
                            * step, else after it */
} tc_limb3_info;

/* Workspace for n rates and a contact model that needs `model_work`. Its last part holds the info
 * of a solve that is called without one. */
#define TC_LIMB3_MECHANISM_WORK(n, model_work)                                                     \
    ((n) * (n) + 15u * (n) + 51u + 25u * TC_PATCH_MAX + TC_LEARNED3_WORK(model_work)               \
     + TC_LIMB3_INFO_WORK)
#define TC_LIMB3_INFO_WORK ((uint32_t)(sizeof(tc_limb3_info) / sizeof(tc_real)))

/* Solves one contact of a limb. `foot`: the last link, with body, step h, contact model and sweeps;
 * its scheme, plane and shape are not read. `patch`: from a detector, with arms from the last
 * link's centre of mass; with 0 contacts the result is the free motion. `use_gap`: 1: gap / h
 * counts, as in scheme GAP. `warm`: as in tc_learned3_solve; may be NULL. `rates_after[n]`: rates
 * afterwards. `info`: may be NULL.
 * Returns: one of these; of several notes the first one listed.
 *   TC_OK               done.
 *   TC_NOTE_FALLBACK    no answer was certified. Or the model had none (TC_ERR_RANGE,
 *                       TC_ERR_NOT_CERTIFIED), or the last link was beyond the limits of
 *                       tc_learned.h; then warm is zero. Contacts stop approaching, without
 *                       friction, as nearly as the best set of up to three of them can.
 *   TC_NOTE_RANGE       a query was outside the model's training range.
 *   TC_NOTE_CONTACT     a class was overruled, friction was cut, or info->consistent is 0.
 *   TC_ERR_NULL         a pointer other than warm and info, an array of the limb, or a function of
 *                       the model is NULL.
 *   TC_ERR_SIZE         n, the patch's count or `sweeps` is out of range.
 *   TC_ERR_WORK         work_len is below TC_LIMB3_MECHANISM_WORK of n and the contact model.
 *   TC_ERR_ALIGN        work is misaligned.
 *   TC_ERR_BODY         mass or a moment of inertia of the foot is not positive and finite.
 *   TC_ERR_NOT_FINITE   a number of limb or patch is NaN or infinite.
 *   TC_ERR_UNIT         the orientation is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_UNSUPPORTED  stiffness is not 0: a limb's contacts are rigid.
 *   TC_ERR_SINGULAR, TC_ERR_INDEFINITE  M is not positive definite, even with a thousandth of its
 *                       diagonal added.
 *   TC_ERR_RANGE        a result overflows, the step is not in 0..1 s, or restitution not in 0..1.
 *   negative            another status of the contact model.
 * On error: rates and info are zero, with the class TC_LEARNED_NONE. warm is zero after
 * TC_ERR_RANGE, else unchanged.
 * Cost: a point takes up to TC_LIMB3_ASKED queries, other patches the time of tc_learned3_solve. M
 * is factored in n^3 / 6. At most 1,560 bytes of stack with nets. */
tc_status tc_limb3_mechanism_solve(const tc_foot3 *foot, const tc_limb3_mechanism *limb,
                                   const tc_patch3 *patch, int use_gap, tc_learned3_warm *warm,
                                   tc_real *rates_after, tc_limb3_info *info, tc_real *work,
                                   size_t work_len);

/* ---- Chains ---------------------------------------------------------------------------------- */

/* A chain, and its last link's contact model. The caller fills it and checks it once. */
typedef struct tc_limb3 {
    tc_chain3 chain; /* the chain; its last joint must not be free */
    tc_foot3 foot;   /* the last link: its `body` must be that of the chain; restitution as below;
                   * compliance zero; step at most 1 s; any position scheme */
} tc_limb3;

/* Checks a limb. tc_limb3_step takes a checked limb.
 * Returns: the statuses of tc_chain3_check and tc_shape3_check, and
 *   TC_ERR_NULL            the limb or a function of the contact model is NULL.
 *   TC_ERR_SIZE            `sweeps` is out of range.
 *   TC_ERR_MODEL_MISMATCH  the foot's body is not the last link's, within 1e-5 relative.
 *   TC_ERR_UNSUPPORTED     the last joint is free, stiffness is not 0, or the scheme is unknown.
 *   TC_ERR_UNIT            the plane's normal is not of unit length within TC_UNIT_TOLERANCE, or
 *                          its offset is NaN or infinite.
 *   TC_ERR_RANGE           the step or restitution is not in 0..1, or the lever of a vertex is
 *                          above TC_LEARNED_LEVER_MAX.
 * Cost: that of tc_shape3_check; 264 bytes of stack. */
tc_status tc_limb3_check(const tc_limb3 *limb);

/* State of a limb. The caller sets it to zero at first, then sets and reads q and qd. A caller who
 * changes the state between steps sets `warm` to zero. */
typedef struct tc_limb3_state {
    tc_real q[TC_CHAIN3_DOF + 1u]; /* coordinates [m or rad]; a floating root: its quaternion [1] */
    tc_real qd[TC_CHAIN3_DOF];     /* rates [m/s or rad/s] */
    tc_learned3_warm warm;         /* impulses of the last step */
    tc_learned3_warm next;         /* scratch of a step */
    tc_chain3_motion motion;       /* scratch of a step */
    tc_patch3 patch;               /* scratch of a step */
} tc_limb3_state;

/* Workspace of a step for a chain of `dof` rates and a contact model that needs `model_work`. */
#define TC_LIMB3_WORK(dof, model_work)                                                             \
    ((dof) * (dof) + 11u * (dof) + 11u + TC_LIMB3_MECHANISM_WORK(dof, model_work))

/* Advances q and qd by one step h. `torque[dof]`: joint torques or forces [N m or N], constant over
 * the step; NULL: none. For a floating root they are force and torque on link 0, world axes.
 * `info`: may be NULL. A limb within the limits of tc_chain.h always moves, with TC_OK or a note.
 * The position scheme of the foot determines contacts and motion:
 * - DART: contacts are vertices below the plane, and velocities ignore the gap. Then q moves with
 *   the rates and with a push-out: the smallest rates from rest that lift each contact by min(0.01
 *   depth / h, 1 mm/s).
 * - GAP: contacts are vertices that would end below the plane, the lowest among them, with gap / h
 *   in the right-hand side. Two lifts of the positions then take out the remaining depth, by the
 *   smallest motion in the metric of M. A lift moves a joint by at most 0.05 rad or m. It is undone
 *   if it makes the limb go deeper, as a wedged one may. The remaining depth is info->penetration.
 * - TOC: the limb takes the step's force and moves to its first touch at those rates. Its contacts
 *   are solved there without a force, in the inertia of that pose. The limb goes on through at most
 *   one more touch, as tc_foot3_step does. The end of the step is lifted as in GAP.
 *
 * Restitution is foot.restitution, which tc_foot3_open takes from the contact record; tc_limb2.h
 * has its rules. A limb refuses compliance.
 *
 * Returns: one of these; of several notes one, and info->contact.contact.flags has all.
 *   TC_OK              done.
 *   TC_NOTE_FALLBACK   as tc_limb3_mechanism_solve; or no push-out was certified. Or rates exceeded
 *                      TC_CHAIN_RATE_MAX and were scaled down together (to 0 if they overflowed);
 *                      info then has no contact.
 *   TC_NOTE_RANGE, TC_NOTE_CONTACT  as tc_limb3_mechanism_solve.
 *   TC_ERR_NULL        limb, state or work is NULL.
 *   TC_ERR_WORK        work_len is below TC_LIMB3_WORK of chain and contact model.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_NOT_FINITE  q, qd or torque is NaN or infinite.
 *   TC_ERR_UNIT        the quaternion of a floating root is not of unit length within
 *                      TC_UNIT_TOLERANCE.
 *   TC_ERR_RANGE       qd or torque is beyond the limits of tc_chain.h, or q is so large that
 *                      positions overflow.
 *   negative           another status of the contact model.
 * On error: q, qd and `warm` are unchanged; info is zero, with the class TC_LEARNED_NONE.
 * Cost: one mass matrix and one solve; in TOC up to three matrices and two solves. At most 1,704
 * bytes of stack with nets. */
tc_status tc_limb3_step(const tc_limb3 *limb, const tc_real *torque, tc_limb3_state *state,
                        tc_limb3_info *info, tc_real *work, size_t work_len);

TC_END

#endif
