/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact of a body in the plane that is the last link of a limb: Algorithm 2 of Jiang & Liu. The
 * contact model is learned from throws of that body alone. It then serves the body on the robot.
 *
 * Joint force f_j and contact impulse p depend on each other. Algorithm 1 for the free body that
 * f_j pushes gives p = H(f_j). The force must keep the joint together:
 *
 *     G(f_j) = A f_j + J M^-1 H(f_j) + c = 0          (Eq. 6; here with impulses lambda = h f_j)
 *
 * Two solvers are behind one call. TC_LIMB2_BRANCH, the default, evaluates G at most
 * TC_LIMB2_EVALUATIONS times:
 * - Start: lambda_0 = -A^-1 c, as if without contact. With `warm` it is the branch of the step
 *   before, and a typical step needs one evaluation instead of two.
 * - It asks the contact model at lambda for a class and a ratio.
 * - It solves the whole limb for that branch exactly. On the limb, friction is clamped and normals
 *   are unilateral.
 * - It asks the model once more, at the new lambda. It ends if G is within tolerance.
 * - Else it solves for the branch of the new answer, takes that and returns TC_NOTE_CONTACT: class
 *   and ratio were not found again.
 *
 * For any answer of the contact model this solver keeps four properties. The joint holds, to
 * rounding. No contact approaches. No normal pulls. The contact impulse creates no kinetic energy.
 *
 * TC_LIMB2_POWELL is the published method, for comparison: Powell's hybrid method on G from the
 * start of Eq. 7, to 0.5 % of the joint's speed. The rest of G is dropped with the rates (see
 * `violation`). If it does not converge, its result is not safe, and the call returns
 * TC_NOTE_CONTACT.
 *
 * tc_limb2_step moves a tc_chain2; tc_limb2_mechanism_solve takes any limb by its M-hat and J-hat.
 * The state is joint coordinates and rates, so positions cannot drift off the joints. Each step
 * computes the velocity of the last link from them. The upstream links get gravity and
 * velocity-product forces. The last link gets gravity and -m times its velocity-product
 * acceleration. Without contact this is the limb's equation of motion, integrated explicitly.
 */
#ifndef TC_LIMB2_H
#define TC_LIMB2_H

#include "tc_chain2.h"
#include "tc_foot2.h"

TC_BEGIN

#define TC_LIMB2_MECHANISM_MAX 16u /* largest number of upstream rates */

/* Largest number of evaluations by TC_LIMB2_BRANCH. Each may lead to a branch solve; a warm start
 * adds one solve. */
#define TC_LIMB2_EVALUATIONS 2u

/* Solver of joint and contact. BRANCH: tries classes in turn. POWELL: finds a root of the mismatch
 * G. */
typedef enum tc_limb2_solver { TC_LIMB2_BRANCH = 0, TC_LIMB2_POWELL = 1 } tc_limb2_solver;

/* Start of Powell's method. */
typedef enum tc_limb2_start {
    TC_LIMB2_FREE = 0,   /* lambda_0 = -A^-1 c: as if there were no contact */
    TC_LIMB2_AT_REST = 1 /* Eq. 7: as if the joint came to rest; FREE if the upstream links are
                          * straight, where Eq. 7 is singular */
} tc_limb2_start;

/* Settings of the solver. Start from tc_limb2_default. */
typedef struct tc_limb2_config {
    tc_limb2_solver solver;   /* method; TC_LIMB2_BRANCH */
    tc_limb2_start start;     /* start of POWELL; TC_LIMB2_FREE */
    tc_real tolerance;        /* tolerance of |G| relative to the joint's speed without contact
                               * [1]; >= 0; 5e-5; higher: fewer evaluations, larger mismatch */
    tc_real tolerance_least;  /* smallest tolerance of |G| [m/s]; >= 0, POWELL > 0; 5e-6; prismatic
                               * joint: [m/s] and [rad/s]; higher: as `tolerance` */
    uint32_t max_evaluations; /* bound on the evaluations of G by POWELL; >= 4; 45; higher:
                               * converges more often, a step costs more */
    int warm;                 /* BRANCH. 1: start from the branch of the step before, to the same
                               * tolerance; the step then depends on state->last too. 0: start
                               * without contact. Default 1 */
} tc_limb2_config;

/* Returns the settings of each solver: BRANCH with the defaults above, or POWELL as published, with
 * Eq. 7, tolerance 5e-3 and at least 5e-5 m/s, 45 evaluations, not warm. */
tc_limb2_config tc_limb2_default(void);
tc_limb2_config tc_limb2_default_published(void);

/* A limb at one instant. "Upstream" is all of it except its last link. The joint before the last
 * link has two rows.
 * - Revolute: velocity of the joint, x and y. A joint impulse is a force impulse.
 * - Prismatic: angular velocity, then velocity across `at` (along z x at). The upstream point of
 *   the second row lies under the last link's centre of mass. A joint impulse is a torque, then a
 *   force along z x at. */
typedef struct tc_limb2_mechanism {
    uint32_t n;              /* number of upstream rates; 0..TC_LIMB2_MECHANISM_MAX; 0: the joint is
                              * fixed to the world */
    const tc_real *mass;     /* [n x n] M-hat: mass matrix of the upstream, symmetric positive
                              * definite */
    const tc_real *jacobian; /* [2 x n] J-hat: upstream rates to the rows of the joint */
    const tc_real *rate;     /* [n] qd-hat: upstream rates [m/s or rad/s] */
    const tc_real *force;    /* [n] tau-hat: forces with gravity and velocity products, without the
                              * last link's load [N or N m] */
    tc_chain_joint joint;    /* joint before the last link: revolute or prismatic */
    tc_real at[2];           /* revolute: joint from the last link's centre of mass, world axes [m];
                              * prismatic: direction of travel, unit length, world axes [1] */
    tc_real velocity[3];     /* velocity of the last link: centre of mass [m/s], omega [rad/s] */
    tc_real load[3];         /* load on the last link, without joint and contact: force [N] and
                              * torque [N m] with gravity and -m a, a its velocity-product
                              * acceleration */
} tc_limb2_mechanism;

/* How a solve or step got its result. A step of TOC may have two touches. Then impulses, flags and
 * counts are sums, and the other fields are those of the last touch. */
typedef struct tc_limb2_info {
    tc_foot2_info contact; /* as of one body. `decision` has the model's last answer that counted;
                            * its `branch` is the class that was solved */
    uint32_t evaluations;  /* number of evaluations of G, each with one query to the model */
    uint32_t solves;       /* number of branch solves of the whole limb */
    int consistent;        /* 1: class and ratio were found again at the solution (POWELL: it
                            * converged); 0: the solution belongs to an answer near it */
    tc_real residual;      /* |G| of the last evaluation [m/s] */
    tc_real violation;     /* |J v - J-hat qd-hat| of the returned velocities, before anything is
                            * dropped [m/s] */
    tc_real penetration;   /* depth of the deepest vertex [m]; >= 0; DART: at the beginning of the
                            * step, else after it */
    tc_real joint[2];      /* joint impulse on the last link [N s]; prismatic: [N m s], [N s] */
} tc_limb2_info;

/* Workspace for n upstream rates and a contact model that needs `model_work`. */
#define TC_LIMB2_MECHANISM_WORK(n, model_work)                                                     \
    (((n) + 1u) * ((n) + 1u) + 17u * ((n) + 1u) + 20u + (model_work))

/* Solves one contact of a limb. `foot`: the last link alone, with body, step h and contact model;
 * its scheme, plane and shape are not read. `patch`: its contacts; with 0 contacts the result is
 * the free motion. `use_gap`: 1: gap / h counts, as in scheme GAP. `rates_after[n]`: rates of the
 * upstream. `velocity_after[3]`: velocity of the last link. `info`: may be NULL.
 * Returns: one of these; of several notes the first one listed.
 *   TC_OK               done.
 *   TC_NOTE_FALLBACK    the contact model could not be asked, or had no answer (TC_ERR_RANGE,
 *                       TC_ERR_NOT_CERTIFIED); contacts stop approaching, without friction. Or
 *                       Powell's method could not begin, and BRANCH solved.
 *   TC_NOTE_RANGE       a query was outside the model's training range.
 *   TC_NOTE_CONTACT     a class was overruled, friction was cut, or info->consistent is 0.
 *   TC_ERR_NULL         a pointer other than info, or a function of the model, is NULL. With n = 0
 *                       rates_after and the arrays of the limb may be.
 *   TC_ERR_SIZE         n is above TC_LIMB2_MECHANISM_MAX, or the patch has more than two contacts.
 *   TC_ERR_WORK         work_len is below TC_LIMB2_MECHANISM_WORK of n and the contact model.
 *   TC_ERR_ALIGN        work is misaligned.
 *   TC_ERR_NOT_FINITE   a number of limb or patch is NaN or infinite.
 *   TC_ERR_UNIT, TC_ERR_PATCH  tc_patch2_check refuses the patch.
 *   TC_ERR_BODY         mass or gyration of the foot is not positive.
 *   TC_ERR_UNSUPPORTED  the joint is neither revolute nor prismatic.
 *   TC_ERR_SINGULAR, TC_ERR_INDEFINITE  the limb's mass matrix is not positive definite, even with
 *                       a thousandth of its diagonal added.
 *   TC_ERR_RANGE        a result overflows, or restitution is not in 0..1.
 *   negative            another status of the contact model. POWELL returns it from its first and
 *                       its last evaluation only.
 * On error: rates, velocity and info are zero, with the class TC_LEARNED_NONE. If velocity_after or
 * work is NULL, nothing is written.
 * Cost: the evaluations, and a factorization of an (n + 1) x (n + 1) matrix; at most 1,796 bytes of
 * stack with nets. */
tc_status tc_limb2_mechanism_solve(const tc_foot2 *foot, const tc_limb2_config *config,
                                   const tc_limb2_mechanism *limb, const tc_patch2 *patch,
                                   int use_gap, tc_real *rates_after, tc_real velocity_after[3],
                                   tc_limb2_info *info, tc_real *work, size_t work_len);

/* A chain, its last link's contact model, and the solver. The caller fills it and checks it once.
 * Position schemes of a limb:
 * - DART: contacts are vertices below the plane, and velocities ignore the gap. Then a slow
 *   push-out moves positions in the limb's metric.
 * - GAP: contacts are vertices that would be below the plane after the step, with gap / h in the
 *   right-hand side. If another vertex would end below, the limb is solved again, at most 3 times
 *   in all. Depth from rotation is lifted once; info->penetration is the rest.
 * - TOC: the limb takes the step's force and moves to its first touch at those rates. Its contacts
 *   are solved there without a force, in the inertia of that pose. It then goes on as tc_foot2_step
 *   does. The end of the step is lifted as in GAP.
 *
 * Restitution is foot.restitution, which tc_foot2_open takes from the contact record. A contact
 * leaves with it times its approach, in each scheme and at any time of a step (tc_foot2.h has the
 * threshold TC_LEARNED_BOUNCE_MIN). The approach is that of the limb without contact impulses.
 * - Contact impulses create no kinetic energy. Where friction and rebound would, friction is cut.
 * - Two contacts may contradict each other, as the ends of a rod that turns on a hinge. Then the
 *   rebound is cut.
 * - A cut sets TC_LEARNED_CLAMPED. TC_LIMB2_POWELL cuts nothing.
 * - The force of a step acts before its rebound, as of bodies: TOC and GAP may gain the work of
 *   that force in the rest of the step. */
typedef struct tc_limb2 {
    tc_chain2 chain;        /* the chain; its last joint must not be free */
    tc_foot2 foot;          /* the last link: its `body` must be that of the chain; restitution
                             * as above; step at most 1 s */
    tc_limb2_config config; /* the solver */
} tc_limb2;

/* Checks a limb. tc_limb2_step takes a checked limb.
 * Returns: the statuses of tc_chain2_check and tc_shape2_check, and
 *   TC_ERR_NULL            the limb or a function of the contact model is NULL.
 *   TC_ERR_MODEL_MISMATCH  the foot's body is not the last link's, within 1e-5 relative.
 *   TC_ERR_UNSUPPORTED     the last joint is free, or `positions` or the solver is unknown.
 *   TC_ERR_UNIT            the plane's normal is not of unit length within TC_UNIT_TOLERANCE, or
 *                          its offset is NaN or infinite.
 *   TC_ERR_RANGE           the step or restitution is not in 0..1, or gyration is not positive. A
 *                          vertex is
 *                          farther than TC_LEARNED_LEVER_MAX radii of gyration. A tolerance is
 *                          negative, or too small for POWELL. POWELL has fewer than 4 evaluations.
 * Cost: that of tc_shape2_check; 280 bytes of stack. */
tc_status tc_limb2_check(const tc_limb2 *limb);

/* The branch with which a step ended. */
typedef struct tc_limb2_branch {
    uint32_t count;          /* number of contacts; 0: the next step starts without a branch */
    tc_learned_class branch; /* class of the patch */
    tc_real ratio;           /* p_f / p_n if the class is dynamic [1] */
} tc_limb2_branch;

/* State of a limb. The caller sets it to zero at first, then sets and reads q and qd. A caller who
 * changes the state between steps sets last.count to 0. */
typedef struct tc_limb2_state {
    tc_real q[TC_CHAIN2_DOF];  /* coordinates [m or rad] */
    tc_real qd[TC_CHAIN2_DOF]; /* rates [m/s or rad/s] */
    tc_limb2_branch last;      /* branch of the last step */
    tc_chain2_motion motion;   /* scratch of a step */
} tc_limb2_state;

/* Workspace of a step for a chain of `dof` coordinates and a contact model that needs
 * `model_work`. */
#define TC_LIMB2_WORK(dof, model_work)                                                             \
    ((dof) * (dof) + 5u * (dof) + 6u + TC_LIMB2_MECHANISM_WORK((dof) - 1u, model_work))

/* Advances q and qd by one step h. `torque[dof]`: joint torques or forces [N m or N], constant over
 * the step; a floating root has forces and torque on link 0; NULL: none. `info`: may be NULL. A
 * mass matrix that is singular to rounding gets a small part of its diagonal added. A limb within
 * the limits of tc_chain.h always moves, with TC_OK or a note.
 * Returns: one of these; of several notes one, and info->contact.decision.flags has all.
 *   TC_OK              done.
 *   TC_NOTE_FALLBACK   as tc_limb2_mechanism_solve. Or rates beyond TC_CHAIN_RATE_MAX were slowed
 *                      down together, and to 0 if they overflowed; info then has no contact. Fast
 *                      limbs in long steps end so, and their motion means nothing.
 *   TC_NOTE_RANGE, TC_NOTE_CONTACT  as tc_limb2_mechanism_solve.
 *   TC_ERR_NULL        limb, state or work is NULL.
 *   TC_ERR_WORK        work_len is below TC_LIMB2_WORK of chain and contact model.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_NOT_FINITE  q, qd or torque is NaN or infinite.
 *   TC_ERR_RANGE       qd or torque is beyond the limits of tc_chain.h, or q is so large that
 *                      positions overflow.
 *   negative           another status of the contact model.
 * On error: q, qd and last are unchanged; info is zero, with the class TC_LEARNED_NONE.
 * Cost: DART takes one mass matrix and one solve, GAP one and up to three, TOC up to three and two.
 * At most 2,024 bytes of stack with nets. */
tc_status tc_limb2_step(const tc_limb2 *limb, const tc_real *torque, tc_limb2_state *state,
                        tc_limb2_info *info, tc_real *work, size_t work_len);

TC_END

#endif
