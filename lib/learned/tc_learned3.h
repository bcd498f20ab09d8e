/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact of one body in space: Algorithm 1 of Jiang & Liu. A contact model, learned or other,
 * returns class and ratio of a point: see tc_learned2.h. For an edge or a face the library asks the
 * model corner by corner, in sweeps.
 *
 *     tc_learned3_query     a question to the contact model about one contact, all others held
 *     tc_learned3_impulse   the impulse of an answer
 *     tc_learned3_solve     a whole patch
 *
 * tc_learned3_nets.h has the contact model made of nets, tc_foot3.h the whole step of a body.
 *
 *     tc_learned3_problem problem;
 *     tc_learned3_result result;
 *     const tc_learned3_sweeps sweeps = tc_learned3_sweeps_default();
 *     tc_status s = tc_learned3_problem_init(&problem, &patch, &body, &state, NULL);
 *     if (s >= 0) s = tc_learned3_solve(&model, &sweeps, &problem, NULL, &result, work,
 *                                       TC_COUNT(work));
 *
 * Frame: the patch's own, tangents 1 and 2 and normal n (tc_patch.h). Masses are divided out:
 * impulses are per unit mass [m/s].
 *
 * These properties hold for any answer of the contact model, even a wrong one. The proofs are in
 * tc_learned3_close.c; tests/unit/learned/test_learned3_properties.c tests them.
 * - No normal impulse pulls. None acts on a corner that opens: p_i > 0 only with u_n+ = 0.
 * - No corner approaches afterwards: u_n+ >= 0 to rounding.
 * - With restitution 0 the contact impulse creates no kinetic energy. For a whole step see
 *   tc_foot3.h.
 * - At a point friction slows the sliding or ends it.
 */
#ifndef TC_LEARNED3_H
#define TC_LEARNED3_H

#include "tc_learned2.h"
#include "tc_lcp.h"

TC_BEGIN

/* ---- One contact ----------------------------------------------------------------------------- */

/* A question to the contact model about one contact: u+ = u + W p with p = (p_1, p_2, p_n). The
 * contact's own axis e_1 is along the tangential part of `stop`; e_2 is across it, on the side with
 * W_2n >= 0. */
typedef struct tc_learned3_query {
    const tc_real *W;   /* [6] W_11, W_12, W_22, W_1n, W_2n, W_nn: inverse mass per unit mass, along
                         * the patch's axes [1]; must outlive the query */
    tc_real u[3];       /* velocity without the contact's own impulse, along the patch's axes [m/s];
                         * u_n must not end below 0 */
    tc_real stop[3];    /* -W^-1 u: impulse that stops the contact, any sign [m/s] */
    tc_real tangential; /* length of the tangential part of `stop` [m/s] */
    tc_real axis[2];    /* e_1 along tangents 1 and 2; unit length [1] */
    tc_real side;       /* 1 or -1: e_2 = side (-axis_1, axis_0) */
    const struct tc_learned3_problem
        *problem;     /* of the patch; NULL: the contact is a point, `u` its
                                                * velocity before all impulses */
    uint32_t contact; /* which of the patch's contacts it is */
} tc_learned3_query;

/* A contact model of a point: learned nets (tc_learned3_nets.h), or functions of the caller. The
 * functions must not block.
 * Returns: TC_OK, TC_NOTE_RANGE (`observe` only), or a negative status, which ends the solve. The
 * solve returns the status. */
typedef struct tc_learned3_model {
    /* Reads a query and writes to `work` what the other two functions need of it. Returns
     * TC_NOTE_RANGE if the query is outside the training range. */
    tc_status (*observe)(const void *context, const tc_learned3_query *query, tc_real *work);
    /* Writes probability[3] of static, dynamic and detach [1]. The library calls `classify` and
     * `ratio` after `observe`, in any order, and not always both. */
    tc_status (*classify)(const void *context, const tc_learned3_query *query, tc_real *probability,
                          tc_real *work);
    /* Writes ratio[2]: p_t / p_n along e_1 and e_2 of the contact that slips [1]. If the contact
     * sticks, this is the ratio that it would have. */
    tc_status (*ratio)(const void *context, const tc_learned3_query *query, tc_real *ratio,
                       tc_real *work);
    const void *context; /* first argument of the functions; must outlive the model */
    uint32_t work_len;   /* length of `work` */
} tc_learned3_model;

/* Fills a query from W[6] and u[3]. W must be that of a free body: the identity plus a positive
 * semi-definite matrix. The query keeps the pointer W. Its problem is NULL. `inverse[6]`: receives
 * W^-1 in the order of W; may be NULL. Cost: 184 bytes of stack. */
void tc_learned3_query_init(tc_learned3_query *query, const tc_real W[6], const tc_real u[3],
                            tc_real inverse[6]);

/* Number of contacts of a query's patch. The query's problem must still be there.
 * Returns: 1 for a point, 2 for an edge, 3 or more for a face. */
uint32_t tc_learned3_query_count(const tc_learned3_query *query);

/* Slip of a query's contact. The query's problem must still be there.
 * Returns: tangential speed of the contact before the impulses of the patch [m/s]. */
tc_real tc_learned3_query_slip(const tc_learned3_query *query);

/* Load of a query's contact, from its W and u.
 * Returns: normal impulse per unit mass that the contact needs if it had no friction [m/s]. The
 * impulses of the others are held. It is -u_n / W_nn, and at least 0. */
tc_real tc_learned3_query_load(const tc_learned3_query *query);

/* Returns the class `said` if it is possible, else the class that replaces it.
 * - Detach is impossible if the contact approaches. The class becomes dynamic.
 * - Static is impossible if `stop` pulls. The class becomes detach if the contact separates, else
 *   dynamic.
 *
 * Both replacements set TC_LEARNED_OVERRULED in `flags`; the second one sets TC_LEARNED_PULLED too.
 * Other bits of `flags` are unchanged. */
tc_learned_class tc_learned3_legal(const tc_learned3_query *query, tc_learned_class said,
                                   uint32_t *flags);

/* Computes the impulse[3] of a class that tc_learned3_legal returned, along the patch's axes [m/s].
 * - Static: the stop.
 * - Dynamic: normal and friction that go together, with ratio[2] along e_1 and e_2 [1]. Friction is
 *   cut if it would feed the slip. The impulse is the stop if friction could end the sliding.
 * - Detach: zero.
 *
 * A ratio that is NaN or infinite counts as 0. Returns TC_LEARNED_CLAMPED if friction was cut, else
 * 0. Cost: 136 bytes of stack. */
uint32_t tc_learned3_impulse(const tc_learned3_query *query, tc_learned_class branch,
                             const tc_real ratio[2], tc_real impulse[3]);

/* ---- A patch --------------------------------------------------------------------------------- */

/* Sweeps of the contact model over the corners of an edge or a face. A sweep solves each corner
 * once, with the impulses of the others held. In each of `rounds` rounds the library asks the model
 * for the ratio of each corner that approaches, one after the other. After each round it makes
 * `frozen` sweeps with the last answers. If the corners come nearly to rest, it asks whether they
 * stick. The bound is rounds * count ratios and 2 * count classes per solve. An even number of
 * frozen sweeps gives better results than the odd numbers beside it. */
typedef struct tc_learned3_sweeps {
    uint32_t rounds; /* number of rounds; 1..TC_LEARNED3_ROUNDS_MAX; 3; higher: friction is more
                      * accurate, a step costs more */
    uint32_t frozen; /* sweeps per round without the model; 0..TC_LEARNED3_FROZEN_MAX; 4; higher:
                      * corners share the impulse more accurately, a step costs more */
} tc_learned3_sweeps;

#define TC_LEARNED3_ROUNDS_MAX 20u
#define TC_LEARNED3_FROZEN_MAX 20u

/* Returns 3 rounds with 4 frozen sweeps each. */
tc_learned3_sweeps tc_learned3_sweeps_default(void);

/* Impulses of the last tick, where the sweeps start. The caller owns it and sets it to zero at
 * first. */
typedef struct tc_learned3_warm {
    uint32_t count;                   /* number of contacts; 0..TC_PATCH_MAX */
    uint32_t stopped;                 /* 1: the patch stuck */
    uint32_t vertex[TC_PATCH_MAX];    /* vertices of the contacts */
    tc_real impulse[TC_PATCH_MAX][3]; /* impulses per unit mass in the patch's frame, which depends
                                       * on the plane only [m/s] */
} tc_learned3_warm;

/* Compliance of a patch's contacts in one step (tc_compliance.h). A contact then has
 * u_n + yield p_n + offset >= 0 instead of u_n + offset >= 0, with offset = gap / (h + c / k). */
typedef struct tc_learned3_soft {
    tc_real spring;              /* k / m: stiffness of a contact per unit mass [1/s^2] */
    tc_real step;                /* h: time step [s] */
    tc_real yield[TC_PATCH_MAX]; /* R = m / (h^2 k + h c) of each contact [1] */
} tc_learned3_soft;

/* One patch of one free body, ready to be solved. */
typedef struct tc_learned3_problem {
    const tc_patch3 *patch;       /* the caller's; must outlive the problem unchanged */
    tc_real height;               /* height of the centre of mass above the plane [m]; above the
                                   * lowest contact if that is too far from the plane */
    tc_real mobility[6];          /* (inertia / mass)^-1 in the patch's frame: 11, 12, 22, 13, 23,
                                   * 33 [1/m^2] */
    tc_real velocity[6];          /* velocity of the body in the patch's frame, applied force
                                   * included: v [m/s], omega [rad/s] */
    tc_real offset[TC_PATCH_MAX]; /* added to u_n of each contact [m/s]: gap / h, or restitution
                                   * times an approach */
    const tc_learned3_soft *soft; /* compliance of the contacts; NULL: rigid; the caller's; must
                                   * outlive the problem */
} tc_learned3_problem;

/* Fills a problem. `state`: orientation and velocity of the body, applied force included; the
 * position is not read. `offset[count]`: may be NULL: zero.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        problem, patch, body or state is NULL.
 *   TC_ERR_SIZE        the patch has no contact or more than TC_PATCH_MAX.
 *   TC_ERR_BODY        mass or a moment of inertia is not positive and finite.
 *   TC_ERR_NOT_FINITE  patch, orientation, velocity or offset is NaN or infinite.
 *   TC_ERR_RANGE       body, a speed or a lever is beyond the limits of tc_learned.h.
 * On error: problem is zero.
 * Cost: 208 bytes of stack. */
tc_status tc_learned3_problem_init(tc_learned3_problem *problem, const tc_patch3 *patch,
                                   const tc_body3 *body, const tc_body3_state *state,
                                   const tc_real *offset);

/* Result of a solve. A contact is active if its normal impulse is above 0. */
typedef struct tc_learned3_result {
    tc_learned_class branch;      /* static: all active contacts stick; detach: no contact is
                                   * active; else dynamic; NONE after an error */
    tc_learned_class said;        /* points: most probable class of the model, before
                                   * tc_learned3_legal; edges and faces: as `branch` */
    tc_real probability[3];       /* points: the model's probabilities of static, dynamic, detach
                                   * [1]; edges and faces: 0 */
    uint32_t flags;               /* bits of tc_learned_flags; CLAMPED: of active contacts only */
    uint32_t ratios, classes;     /* number of ratios and of classes that the model was asked for */
    uint8_t corner[TC_PATCH_MAX]; /* tc_learned_class of each contact */
    tc_real friction[3];          /* forces along tangents 1 and 2 [m/s], and torque about the
                                   * normal through the patch's centre [m^2/s]: see tc_patch.h */
    tc_real normal[TC_PATCH_MAX]; /* normal impulses per unit mass [m/s]; >= 0 */
    tc_real impulse[6];           /* whole impulse about the centre of mass, per unit mass, in the
                                   * patch's frame [m/s], [m^2/s] */
    tc_real velocity[6];          /* velocity of the body afterwards, in the patch's frame [m/s],
                                   * [rad/s] */
} tc_learned3_result;

/* Workspace of tc_learned3_solve with a contact model that needs `model_work`. */
#define TC_LEARNED3_WORK(model_work)                                                               \
    (26u * TC_PATCH_MAX + 6u * TC_PATCH_MAX + TC_LCP_WORK(TC_PATCH_MAX) + (model_work))

/* Solves lines 2 to 14 of Algorithm 1. `warm`: read, then written; may be NULL: the sweeps start
 * from no impulse. An LCP that tc_lcp_solve cannot certify is solved again by trying every working
 * set. If this answer is not certified either, friction and restitution are left out.
 * Returns: one of these; of several notes the first one listed.
 *   TC_OK             done.
 *   TC_NOTE_FALLBACK  no answer was certified; the result is an inelastic stop.
 *   TC_NOTE_RANGE     a query was outside the model's training range.
 *   TC_NOTE_CONTACT   a class was overruled, or friction was cut.
 *   TC_ERR_NULL       a pointer other than warm, or a function of the model, is NULL.
 *   TC_ERR_SIZE       `sweeps` or the patch's count is out of range.
 *   TC_ERR_WORK       work_len is below TC_LEARNED3_WORK(model->work_len).
 *   TC_ERR_ALIGN      work is misaligned.
 *   negative          the status of the model.
 * On error: the impulses are zero, the velocity is that of the problem, and warm is unchanged.
 * Cost: for a point one query to the model. Otherwise the sweeps, and at most eight LCPs of `count`
 * contacts, each with up to 92 working sets of three contacts. One step of a thin plate in 10^4
 * needs those sets. At most 1,184 bytes of stack with nets. */
tc_status tc_learned3_solve(const tc_learned3_model *model, const tc_learned3_sweeps *sweeps,
                            const tc_learned3_problem *problem, tc_learned3_warm *warm,
                            tc_learned3_result *result, tc_real *work, size_t work_len);

TC_END

#endif
