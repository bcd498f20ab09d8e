/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The data-augmented contact model of one spatial body: Algorithm 1 (Jiang & Liu) for a point, and for an
 * edge or a face by sweeping the law of the point over its corners.
 *
 *   tc_learned3_query         one contact as a law is asked about it, all else held
 *   tc_learned3_impulse  the impulse of a law's answer
 *   tc_learned3_solve    a whole patch
 *
 * tc_learned3_nets.h has the law made of nets, tc_foot3.h the whole step of a body.
 *
 * Frame: the patch's own, tangents 1 and 2, normal n (tc_patch.h). Masses are divided out: impulses are per
 * unit mass [m/s].
 *
 * Whatever the law says, even nonsense (proofs in tc_learned3_close.c;
 * tests/unit/learned/test_learned3_properties.c tries):
 *   - no normal impulse pulls; none acts on a corner that leaves (p_i > 0 only with u_n+ = 0)
 *   - no corner approaches afterwards: u_n+ >= -tolerance, where tolerance is rounding
 *   - with restitution 0 the contact impulse creates no kinetic energy (of a whole step: tc_foot3.h); of a
 *     point friction slows the sliding, ends it at most
 */
#ifndef TC_LEARNED3_H
#define TC_LEARNED3_H

#include "tc_learned2.h"
#include "tc_lcp.h"

TC_BEGIN

/* ---- One contact ---------------------------------------------------------------------------------- */

/* u+ = u + W p, p = (p_1, p_2, p_n). The frame of the contact: e_1 along the tangential part of the impulse
 * that stops it, e_2 across, on that side where W_2n >= 0. */
typedef struct tc_learned3_query {
    const tc_real *W; /* [6] W_11, W_12, W_22, W_1n, W_2n, W_nn; dimensionless */
    tc_real u[3];     /* velocity without the contact's own impulse; u_n must not end below 0 [m/s] */
    tc_real stop[3];  /* -W^-1 u: the impulse that stops it; any sign [m/s] */
    tc_real tangential; /* length of the tangential part of stop [m/s] */
    tc_real axis[2];  /* e_1 = (axis_0, axis_1), unit */
    tc_real side;     /* 1 or -1: e_2 = side (-axis_1, axis_0) */
} tc_learned3_query;

/* The law of a point: nets (tc_learned3_nets.h), or any other. It blocks on nothing; a negative status ends
 * the solve and is passed on. */
typedef struct tc_learned3_model {
    /* Looks at a query: what the others need of it goes to `work`. TC_NOTE_RANGE: it lies outside the range
     * that the law was trained on. */
    tc_status (*observe)(const void *context, const tc_learned3_query *query, tc_real *work);
    /* After observe, in any order, and not always both: probability[3] of static, dynamic, detach */
    tc_status (*classify)(const void *context, const tc_learned3_query *query, tc_real *probability,
                          tc_real *work);
    /* ratio[2]: p_t / p_n of the sliding contact, along e_1 and e_2; of one that sticks, what it could be */
    tc_status (*ratio)(const void *context, const tc_learned3_query *query, tc_real *ratio, tc_real *work);
    const void *context;
    uint32_t work_len; /* tc_reals that they need in `work` */
} tc_learned3_model;

/* A query from W and u; `inverse` (may be null) receives W^-1 in the order of W. W must be that of a free
 * body: 1 + something positive semi-definite. */
void tc_learned3_query_init(tc_learned3_query *query, const tc_real W[6], const tc_real u[3],
                           tc_real inverse[6]);

/* The class, or what it must be instead:
 *   detach that approaches     -> dynamic
 *   static whose stop pulls    -> detach if the contact separates, else dynamic
 * (The latter has TC_LEARNED_PULLED, both have TC_LEARNED_OVERRULED; flags are added to.) */
tc_learned_class tc_learned3_legal(const tc_learned3_query *query, tc_learned_class said, uint32_t *flags);

/* impulse[3] of a legal class, with ratio[2] along e_1 and e_2 where it is dynamic: normal and friction that
 * go together, friction cut where it would feed the slip, the stop where it could end it. Returns
 * TC_LEARNED_CLAMPED or 0. A ratio that is not finite counts as 0. */
uint32_t tc_learned3_impulse(const tc_learned3_query *query, tc_learned_class branch,
                                 const tc_real ratio[2], tc_real impulse[3]);

/* ---- A patch -------------------------------------------------------------------------------------- */

/* How the law is swept over the corners of an edge or a face. `rounds` times it is asked for the ratio of
 * each corner that approaches, in turn; after each time `frozen` sweeps are made with the last answers.
 * Where the corners come nearly to rest, it is asked whether they stay there. So it gives at most rounds *
 * count ratios and 2 count classes. An even number of frozen sweeps does better than the odd one
 * next to it. */
typedef struct tc_learned3_sweeps {
    uint32_t rounds; /* 1..TC_LEARNED3_ROUNDS_MAX, default 3 */
    uint32_t frozen; /* 0..TC_LEARNED3_FROZEN_MAX, default 4 */
} tc_learned3_sweeps;

#define TC_LEARNED3_ROUNDS_MAX 20u
#define TC_LEARNED3_FROZEN_MAX 20u

/* Returns the defaults above. */
tc_learned3_sweeps tc_learned3_sweeps_default(void);

/* The impulses of the last tick by vertex, where the sweeps start; caller-owned, zero at first. */
typedef struct tc_learned3_warm {
    uint32_t count;
    uint32_t stopped; /* 1: the patch stuck */
    uint32_t vertex[TC_PATCH_MAX];
    tc_real impulse[TC_PATCH_MAX][3]; /* in the patch's frame, which is the plane's and stays */
} tc_learned3_warm;

/* One patch of one free body about to be solved. */
typedef struct tc_learned3_problem {
    const tc_patch3 *patch; /* the caller's: must stay as it is */
    tc_real height;                /* of the centre of mass above the plane, or above the lowest contact where
                                      that is too far from the plane [m] */
    tc_real mobility[6];           /* (inertia / mass)^-1 in the frame: 11, 12, 22, 13, 23, 33 [1/m^2] */
    tc_real velocity[6];           /* v, then omega, in the frame, force included [m/s, rad/s] */
    tc_real offset[TC_PATCH_MAX];  /* added to u_n: gap / h, or restitution times an approach [m/s] */
} tc_learned3_problem;

/* Fills a problem. `state` has orientation and velocity, the applied force included; offset[count] may be
 * null. TC_ERR_SIZE a patch without contacts or with too many; TC_ERR_BODY, TC_ERR_NOT_FINITE, TC_ERR_RANGE
 * (beyond the limits of tc_learned.h). On an error the problem is zero. */
tc_status tc_learned3_problem_init(tc_learned3_problem *problem, const tc_patch3 *patch,
                                  const tc_body3 *body, const tc_body3_state *state,
                                  const tc_real *offset);

typedef struct tc_learned3_result {
    tc_learned_class branch;       /* static: all that carry stick; detach: none carries; else dynamic */
    tc_learned_class said;         /* of a point: the law's most probable class; else as branch */
    tc_real probability[3];        /* of a point: the law's; else 0 */
    uint32_t flags;                /* tc_learned_flags; of corners those that carry */
    uint32_t ratios, classes;      /* how many of each the law was asked for */
    uint8_t corner[TC_PATCH_MAX];  /* class of each contact */
    tc_real friction[3];           /* forces along tangents 1, 2, and torque about the normal through the
                                      patch's centre, as tc_patch.h has them [m/s, m^2/s] */
    tc_real normal[TC_PATCH_MAX];  /* >= 0 [m/s] */
    tc_real impulse[6];            /* all of it, about the centre of mass, in the frame [m/s, m^2/s] */
    tc_real velocity[6];           /* afterwards, in the frame */
} tc_learned3_result;

/* Workspace of tc_learned3_solve with a contact model that needs `model_work`. */
#define TC_LEARNED3_WORK(model_work) \
    (26u * TC_PATCH_MAX + 6u * TC_PATCH_MAX + TC_LCP_WORK(TC_PATCH_MAX) + (model_work))

/* Lines 2 to 14 of Algorithm 1. `warm` may be null: start from no impulse; else it is read and written.
 * Needs work of TC_LEARNED3_WORK(law->work_len). Status: TC_OK; TC_NOTE_FALLBACK, TC_NOTE_RANGE or else
 * TC_NOTE_CONTACT as the flags say; TC_ERR_NULL, TC_ERR_SIZE (sweeps), TC_ERR_WORK, TC_ERR_ALIGN,
 * or the law's negative status: then no impulse, velocity as it was, `warm` untouched.
 * An LCP that cannot be certified is solved again by trying every working set; TC_LEARNED_FALLBACK: that was not
 * certified either, so friction and restitution are left out.
 * Time: a point, the law once; else as said above, and eight LCPs of `count` contacts at most, each with up
 * to 92 working sets of three contacts (one step of a thin plate in 10^4 needs them). */
tc_status tc_learned3_solve(const tc_learned3_model *law, const tc_learned3_sweeps *sweeps,
                                const tc_learned3_problem *problem, tc_learned3_warm *warm,
                                tc_learned3_result *result, tc_real *work, size_t work_len);

TC_END

#endif
