/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The data-augmented contact model of a body that is the last link of a limb (Jiang & Liu, Algorithm 2): a
 * law learned from the body alone, thrown at a floor, serves it on the robot.
 *
 * Joint force f_j and contact impulse p depend on each other: p = H(f_j) is Algorithm 1 for the free body
 * pushed by f_j, and f_j has to keep the joint together,
 *
 *     G(f_j) = A f_j + J M^-1 H(f_j) + c = 0          (Eq. 6; here with impulses lambda = h f_j)
 *
 * Two solvers behind one call:
 *
 *   TC_LIMB2_BRANCH, the default. Evaluate the law at lambda; freeze its class and ratio; solve the
 *     whole limb for that branch exactly, friction clamped and normals unilateral ON THE LIMB; evaluate the
 *     law once more at the lambda that comes out, and be done if G is within tolerance; else solve for the
 *     branch that it answers now, and take that (TC_NOTE_CONTACT: class and ratio were not found again). It
 *     begins without contact, lambda_0 = -A^-1 c, or with the branch of the step before (`warm`: one
 *     evaluation in a typical step instead of two). In every case, whatever the law says: the joint holds (to
 *     rounding), no contact approaches, no normal pulls, and the contact impulse creates no kinetic energy.
 *     G is evaluated at most TC_LIMB2_EVALUATIONS times.
 *   TC_LIMB2_POWELL, as published, for comparison: Powell's hybrid method on G from the start of Eq.
 *     7, to 0.5 % of the joint's speed. What is left of G when it ends is dropped with the rates (see
 *     `violation`); it is no safe value where it did not converge (TC_NOTE_CONTACT).
 *
 * tc_limb2_step moves a tc_chain2; tc_limb2_mechanism_solve takes any limb by its M-hat and J-hat.
 * State: joint coordinates and rates, so that positions cannot drift off the joints. Each step takes the
 * velocity of the last link from them, gives the upstream its gravity and velocity-product forces and the
 * last link, besides gravity,
 * -m times its velocity-product acceleration; contact-free motion is then the limb's equation of motion,
 * integrated explicitly.
 * In scheme TOC the limb takes the step's force, and moves to its first touch at those rates. Its
 * contacts are solved there without a force, in the inertia of that pose. Then it moves on as
 * tc_foot2_step does.
 */
#ifndef TC_LIMB2_H
#define TC_LIMB2_H

#include "tc_chain2.h"
#include "tc_foot2.h"

TC_BEGIN

#define TC_LIMB2_MECHANISM_MAX 16u          /* upstream rates */
#define TC_LIMB2_EVALUATIONS 2u /* of the law; each may lead to a branch solve, a warm start adds one */

/* How joint and contact are made to agree: trying the classes in turn, or a root of the mismatch. */
typedef enum tc_limb2_solver { TC_LIMB2_BRANCH = 0, TC_LIMB2_POWELL = 1 } tc_limb2_solver;

typedef enum tc_limb2_start {
    TC_LIMB2_FREE = 0,   /* lambda_0 = -A^-1 c: as if there were no contact */
    TC_LIMB2_AT_REST = 1 /* Eq. 7: as if the joint came to rest; singular when the upstream links are
                               * straight, then as FREE. Powell only */
} tc_limb2_start;

typedef struct tc_limb2_config {
    tc_limb2_solver solver;
    tc_limb2_start start;
    tc_real tolerance;        /* of |G|, relative to the joint's speed without contact */
    tc_real tolerance_least;  /* and at least this [m/s] (of a prismatic joint [m/s] and [rad/s] alike) */
    uint32_t max_evaluations; /* of G, Powell */
    int warm;                 /* branch iteration: begin with the branch of the step before instead of an
                               * evaluation without contact. Held to the same tolerance; the step then
                               * depends on state->last too */
} tc_limb2_config;

tc_limb2_config tc_limb2_default(void);   /* branch, free, 5e-5 and at least 5e-6 m/s, warm */
tc_limb2_config tc_limb2_published(void); /* Powell, Eq. 7, 5e-3 and at least 5e-5 m/s, 45
                                                     * evaluations */

/* A limb at one instant. "Upstream" is everything but its last link. The joint has two rows:
 *   revolute    the velocity of the joint, x and y; a joint impulse is a force impulse
 *   prismatic   the angular velocity, and the velocity across `at` (along z x at) of the upstream point
 *               that lies under the last link's centre of mass; a joint impulse is a torque, then a force
 *               along z x at */
typedef struct tc_limb2_mechanism {
    uint32_t n;               /* upstream rates, 0 (the joint stands in the world) to TC_LIMB2_MECHANISM_MAX */
    const tc_real *mass;      /* [n x n] M-hat, symmetric positive definite */
    const tc_real *jacobian;  /* [2 x n] J-hat: upstream rates to the rows of the joint */
    const tc_real *rate;      /* [n] qd-hat */
    const tc_real *force;     /* [n] tau-hat with gravity and velocity products, without the last link's
                               * load */
    tc_chain_joint joint;           /* revolute or prismatic */
    tc_real at[2];            /* revolute: the joint from the last link's centre of mass, world axes [m];
                               * prismatic: direction of travel, unit length, world axes */
    tc_real velocity[3];      /* of the last link's centre of mass [m/s], omega [rad/s] */
    tc_real load[3];          /* on the last link: force [N] and torque [N m] with gravity and -m a, a its
                               * velocity-product acceleration; without joint and contact */
} tc_limb2_mechanism;

/* Two touches in a step (TOC) add up their impulses, flags and counts. The rest is of the last. */
typedef struct tc_limb2_info {
    tc_foot2_info contact;     /* as of one body. Its decision is the law's last one that counted;
                               * contact.decision.branch is what was solved */
    uint32_t evaluations;     /* of G, that is, of the law */
    uint32_t solves;          /* branch solves of the whole limb */
    int consistent;           /* class and ratio found again at the solution (Powell: converged); else the
                               * solution is for what was said close by */
    tc_real residual;         /* |G| of the last evaluation [m/s] */
    tc_real violation;        /* |J v - J-hat qd-hat| of the velocities handed back, before anything is
                               * dropped [m/s] */
    tc_real penetration;      /* of the deepest vertex [m] >= 0: scheme dart at the beginning
                               * of the step, else after it */
    tc_real joint[2];         /* joint impulse on the last link [N s] (prismatic: [N m s], [N s]) */
} tc_limb2_info;

/* Workspace for n upstream rates and a law that needs `law` of its own. */
#define TC_LIMB2_MECHANISM_WORK(n, model_work) \
    (((n) + 1u) * ((n) + 1u) + 17u * ((n) + 1u) + 20u + (model_work))

/* One contact solve: rates_after[n] of the upstream, velocity_after[3] of the last link. `foot` is the
 * last link alone (body, step h, law; its position scheme and vertices are not looked at); the gaps of the
 * patch count if use_gap (non-penetrating scheme). A patch of 0 contacts gives the free motion. `info` may
 * be null.
 *   TC_OK, TC_NOTE_RANGE, TC_NOTE_CONTACT  done; notes as in tc_foot2_step, and if info->consistent is 0
 *   TC_NOTE_FALLBACK  done, but there was no velocity that the law can be asked about (beyond the limits
 *   of tc_learned.h), or it had no answer (TC_ERR_RANGE, TC_ERR_NOT_CERTIFIED): contacts stop approaching,
 *   without friction. Or Powell's method could not begin: the branch iteration's answer
 *   TC_ERR_NULL, TC_ERR_SIZE, TC_ERR_WORK, TC_ERR_ALIGN, TC_ERR_NOT_FINITE,
 *   TC_ERR_RANGE (overflow), TC_ERR_PATCH, TC_ERR_BODY (mass, gyration),
 *   TC_ERR_UNSUPPORTED (joint, or a restitution), TC_ERR_SINGULAR, TC_ERR_INDEFINITE (M-hat, even with a
 *   part in a thousand of its diagonal added), or the law's own, if it is another: results are zero. Powell's
 *   method returns it at the first and at the last evaluation; between them that trial is not taken */
tc_status tc_limb2_mechanism_solve(const tc_foot2 *foot, const tc_limb2_config *config,
                             const tc_limb2_mechanism *limb,
                             const tc_patch2 *patch, int use_gap, tc_real *rates_after,
                             tc_real velocity_after[3], tc_limb2_info *info, tc_real *work,
                                 size_t work_len);

/* A chain, its last link's contact model, and how to solve. Fill it and check it once. */
typedef struct tc_limb2 {
    tc_chain2 chain;
    tc_foot2 foot;         /* its body must be the last link's. positions: TC_SCHEME_DART, contact where a
                           * vertex is below the plane, velocities without the gap, then a slow push-out on
                           * positions, DART's in the limb's metric; TC_SCHEME_GAP, contact where a
                           * vertex would be below after the step, gap / h in the right-hand side, solved
                           * again (3 times in all at most) where that leaves another one below, and what
                           * rotation leaves below lifted, once: info->penetration is what is left.
                           * TC_SCHEME_TOC splits the step at its touches, as tc_foot2_step does.
                           * The end of the step is lifted as with TC_SCHEME_GAP */
    tc_limb2_config config;
} tc_limb2;

/* The chain's own check; TC_ERR_MODEL_MISMATCH if the foot's body is not the last link's (1e-5 relative);
 * TC_ERR_UNSUPPORTED (the last link's joint is free; restitution not 0; positions), TC_ERR_RANGE (step,
 * tolerances; a vertex more than TC_LEARNED_LEVER_MAX radii of gyration from the centre of mass),
 * TC_ERR_NULL, TC_ERR_UNIT (plane), TC_ERR_SIZE (vertices). tc_limb2_step takes a checked one. */
tc_status tc_limb2_check(const tc_limb2 *limb);

/* The branch that a step ended with. */
typedef struct tc_limb2_branch {
    uint32_t count;          /* contacts; 0: nothing to go by */
    tc_learned_class branch;
    tc_real ratio;           /* p_f / p_n of a dynamic one */
} tc_limb2_branch;

/* q and qd are the caller's to set and read; motion is the step's scratch. Whoever sets another state than
 * the one the last step left makes last.count 0 (the whole struct zero to begin with): then nothing is
 * carried over. */
typedef struct tc_limb2_state {
    tc_real q[TC_CHAIN2_DOF];  /* [m or rad] */
    tc_real qd[TC_CHAIN2_DOF]; /* [m/s or rad/s] */
    tc_limb2_branch last;
    tc_chain2_motion motion;
} tc_limb2_state;

/* Workspace of a step: chain of `dof` coordinates, and a law that needs `law` of its own. */
#define TC_LIMB2_WORK(dof, model_work) \
    ((dof) * (dof) + 5u * (dof) + 6u + TC_LIMB2_MECHANISM_WORK((dof) - 1u, model_work))

/* One step of h: q and qd move on. torque[dof]: joint torques or forces (of a floating root: forces and
 * torque on link 0), constant over the step; null: none. `info` may be null.
 *   TC_OK, TC_NOTE_RANGE, TC_NOTE_CONTACT, TC_NOTE_FALLBACK  as tc_limb2_mechanism_solve. A limb within the
 *   limits of tc_chain2.h always ends here. A mass matrix that is singular to rounding is factored with as
 *   little slack as it takes. Rates that would end beyond TC_CHAIN_RATE_MAX are slowed down together
 *   (TC_NOTE_FALLBACK, told without contact), to 0 if they overflow: explicit integration of fast limbs in
 *   long steps ends so, and motion then means nothing
 *   TC_ERR_NULL, TC_ERR_WORK, TC_ERR_ALIGN, TC_ERR_NOT_FINITE (q, qd, torque),
 *   TC_ERR_RANGE (qd, torque beyond the limits of tc_chain2.h, q so large that positions
 *   overflow), or, as tc_limb2_mechanism_solve, another of its contact model: q and qd are as they were */
tc_status tc_limb2_step(const tc_limb2 *limb, const tc_real *torque, tc_limb2_state *state,
                             tc_limb2_info *info, tc_real *work, size_t work_len);

TC_END

#endif
