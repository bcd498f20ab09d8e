/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact of one body in the plane: Algorithm 1 of Jiang & Liu. A contact model, learned or other,
 * answers two questions about a patch:
 * - Does the patch stick, slip or open?
 * - What is the ratio of friction to the normals if it slips?
 *
 * Equations do the rest: they turn class and ratio into an impulse. This header has three parts,
 * each usable alone:
 *
 *     tc_learned2_space   a patch in contact space, W and u, of a free body or of the end of a
 *                         chain: the impulse of each branch of Algorithm 1, in closed form
 *     tc_learned2_query   a question to the contact model: the contact space of one body, and the
 *                         impulses known beforehand
 *     tc_learned2_solve   the model's answer, replaced if it is impossible, and its impulse
 *
 * tc_learned2_nets.h has the contact model made of nets, tc_foot2.h the whole step of a body.
 *
 *     tc_learned2_query query;
 *     tc_learned2_result result;
 *     tc_status s = tc_learned2_query_init(&query, &patch, velocity, gyration, NULL);
 *     if (s >= 0) s = tc_learned2_solve(&model, &query, &result, work, TC_COUNT(work));
 *
 * Frame: tangent t and normal n of the plane (tc_patch.h). Masses are divided out: impulses are per
 * unit mass [m/s], and moments of inertia are k^2 [m^2], with k the radius of gyration.
 *
 * These properties hold for any answer of the contact model, even a wrong one. The proofs are in
 * tc_learned2.c and tc_learned2_space.c; tests/unit/learned/test_learned2_properties.c tests them.
 * - No normal impulse pulls. None acts on a corner that opens: p_i > 0 only with u_i+ = 0.
 * - No corner approaches afterwards: u_i+ >= 0 to rounding.
 * - Friction slows the sliding or ends it. It never feeds or reverses it.
 * - With restitution 0 the contact impulse creates no kinetic energy. For positions see tc_foot2.h.
 */
#ifndef TC_LEARNED2_H
#define TC_LEARNED2_H

#include "tc_learned.h"
#include "tc_patch.h"

TC_BEGIN

/* ---- Contact space --------------------------------------------------------------------------- */

/* A patch of one or two contacts in contact space: u+ = u + W p with p = (p_f, p_1, p_2). W is
 * symmetric and positive semi-definite. For a free body W_tt = 1 + y^2/k^2, W_ti = x_i y/k^2 and
 * W_ij = 1 + x_i x_j/k^2. */
typedef struct tc_learned2_space {
    uint32_t count;      /* number of contacts; 1 or 2; with 1 the elements of contact 2 are 0 */
    tc_real W_tt;        /* inverse mass along the tangent, per unit mass [1] */
    tc_real W_tn[2];     /* W_t1, W_t2: coupling of tangent and normals [1] */
    tc_real W_nn[3];     /* W_11, W_12, W_22: inverse mass of the normals [1] */
    tc_real slip;        /* u_t: tangential velocity of the contacts [m/s] */
    tc_real approach[2]; /* u_1, u_2: normal velocities plus offsets; they must not end below 0
                          * [m/s] */
} tc_learned2_space;

/* Impulses that W and u determine, without the contact model. Each array has friction first, then
 * normals [m/s]. */
typedef struct tc_learned2_stops {
    tc_real stop[3];      /* impulse that stops the whole patch; any sign. A limb with fewer than
                           * three degrees of freedom may have no such impulse; then it stops all
                           * but contact 2 */
    tc_real corner[2][2]; /* impulse that stops corner i alone; any sign; one contact: as `stop` */
    tc_real arrest[3];    /* f*, n_1, n_2: impulse that ends the sliding with normals >= 0 */
} tc_learned2_stops;

/* Computes `stops` for a contact space of one or two contacts. Cost: 60 instructions for one
 * contact and 250 for two on Cortex-M4F; 152 bytes of stack. */
void tc_learned2_space_stops(const tc_learned2_space *space, tc_learned2_stops *stops);

/* Solves the frictionless LCP (line 10 of Algorithm 1) for a given friction [m/s]. `normals[2]`:
 * receives the normals >= 0 with u + W p >= 0, complementary [m/s]; element 1 is 0 for one contact.
 * Cost: 27 instructions for one contact and 100 for two on Cortex-M4F; 112 bytes of stack. */
void tc_learned2_space_normals(const tc_learned2_space *space, tc_real friction, tc_real *normals);

/* Computes the impulse of the dynamic branch: friction is `ratio` times the sum of the normals that
 * go with it. Friction is f* (see `arrest`) if the ratio could end the sliding, and 0 if it would
 * feed the sliding. The frictionless LCP then gives the normals.
 * `ratio`: p_f / p_n, signed along the tangent [1]; NaN counts as 0. `impulse[3]`: receives
 * friction and normals [m/s]. Returns TC_LEARNED_CLAMPED if friction was cut, else 0.
 * Cost: 120 instructions for one contact and 300 for two on Cortex-M4F; 176 bytes of stack. */
uint32_t tc_learned2_space_slide(const tc_learned2_space *space, const tc_learned2_stops *stops,
                                 tc_real ratio, tc_real *impulse);

/* Returns the class `said` if it is possible, else the class that replaces it.
 * - Detach is impossible if a corner approaches. The class becomes dynamic.
 * - Static is impossible if a normal of `stop` pulls. The class becomes detach if all corners
 *   separate, else dynamic.
 *
 * Both replacements set TC_LEARNED_OVERRULED in `flags`; the second one sets TC_LEARNED_PULLED too.
 * Other bits of `flags` are unchanged. */
tc_learned_class tc_learned2_legal(const tc_learned2_space *space, const tc_learned2_stops *stops,
                                   tc_learned_class said, uint32_t *flags);

/* Computes the impulse[3] of a class that tc_learned2_legal returned [m/s]. Static: the arrest,
 * which equals `stop` if the patch can be stopped. Dynamic: tc_learned2_space_slide with `ratio`.
 * Detach: zero. Returns TC_LEARNED_CLAMPED if friction was cut, else 0. */
uint32_t tc_learned2_space_impulse(const tc_learned2_space *space, const tc_learned2_stops *stops,
                                   tc_learned_class branch, tc_real ratio, tc_real *impulse);

/* ---- A query to the contact model ------------------------------------------------------------ */

/* A question to the contact model about one patch of one body. It has all that Algorithm 1 knows
 * before the model answers, computed once. */
typedef struct tc_learned2_query {
    tc_learned2_space space; /* the patch in contact space */
    tc_learned2_stops stops; /* its stops */
    tc_real frictionless[2]; /* normal impulses without friction [m/s]; their sum is n0 */
    tc_real gyration;        /* k: radius of gyration sqrt(inertia / mass) [m] */
    tc_real lever[2];        /* x_i / k: levers of the contacts [1]; ascending */
    tc_real height;          /* y / k: height of the centre of mass [1] */
    tc_real velocity[3];     /* velocity of the body, applied force included: tangential, normal
                              * [m/s], omega [rad/s] */
} tc_learned2_query;

/* Shortest edge [radii of gyration]. A shorter edge counts as a point, the corner that approaches
 * faster. Float cannot resolve how two such corners share an impulse. */
#define TC_LEARNED_EDGE_MIN TC_C(2e-3)

/* Fills a query for a free body. `velocity[3]`: of the body in the patch's frame, applied force
 * included (line 1 of Algorithm 1): tangential, normal [m/s], omega [rad/s]. `gyration`: k [m].
 * `offset[2]`: added to `approach` [m/s]; gap / h in the scheme GAP, or restitution times an
 * approach; may be NULL: none.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        query, patch or velocity is NULL.
 *   TC_ERR_SIZE        the patch has neither one nor two contacts.
 *   TC_ERR_BODY        k is not positive.
 *   TC_ERR_NOT_FINITE  velocity, patch or offset is NaN or infinite.
 *   TC_ERR_RANGE       a speed or a lever is beyond the limits of tc_learned.h.
 *   TC_ERR_PATCH       the levers of the edge descend.
 * On error: query is zero.
 * Cost: 190 instructions for one contact and 430 for two on Cortex-M4F; 256 bytes of stack. */
tc_status tc_learned2_query_init(tc_learned2_query *query, const tc_patch2 *patch,
                                 const tc_real *velocity, tc_real gyration, const tc_real *offset);

/* A contact model: learned nets (tc_learned2_nets.h), or functions of the caller. The functions
 * take a query of tc_learned2_query_init and must not block.
 * Returns: TC_OK, TC_NOTE_RANGE if the query is outside the training range, or a negative status,
 * which ends the solve. The solve returns the status. */
typedef struct tc_learned2_model {
    /* Writes probability[3] of static, dynamic and detach [1]. */
    tc_status (*classify)(const void *context, const tc_learned2_query *query, tc_real *probability,
                          tc_real *work);
    /* Writes p_f / p_n of the patch that slips, signed along the tangent [1]. The library calls it
     * after `classify`, with the same query and the `work` that `classify` left. */
    tc_status (*ratio)(const void *context, const tc_learned2_query *query, tc_real *ratio,
                       tc_real *work);
    const void *context; /* first argument of both functions; must outlive the model */
    uint32_t work_len;   /* length of `work` */
} tc_learned2_model;

/* Workspace of the calls below, with a contact model that needs `model_work`. */
#define TC_LEARNED2_WORK(model_work) (model_work)

/* ---- Algorithm 1 ----------------------------------------------------------------------------- */

/* The contact model's answer, and what became of it. */
typedef struct tc_learned2_decision {
    tc_learned_class branch; /* class of the solve, from tc_learned2_legal; NONE after an error */
    tc_learned_class said;   /* most probable class of the model; of equal ones the lower number */
    tc_real probability[3];  /* the model's probabilities of static, dynamic, detach [1] */
    tc_real ratio;           /* the model's p_f / p_n [1]; 0 if `branch` is not dynamic */
    uint32_t flags;          /* bits of tc_learned_flags */
} tc_learned2_decision;

/* Asks the contact model for a class and, if `branch` is dynamic, for a ratio. A chain asks this
 * about its last link.
 * Returns: one of these; TC_NOTE_RANGE goes before TC_NOTE_CONTACT.
 *   TC_OK            done.
 *   TC_NOTE_RANGE    the query is outside the model's training range.
 *   TC_NOTE_CONTACT  the class was overruled.
 *   TC_ERR_NULL      a pointer or a function of the model is NULL; work may be, if work_len is 0.
 *   TC_ERR_WORK      work_len is below TC_LEARNED2_WORK(model->work_len).
 *   TC_ERR_ALIGN     work is misaligned.
 *   negative         the status of the model.
 * On error: decision is zero, with the class TC_LEARNED_NONE.
 * Cost: the model's two functions; 356 bytes of stack with nets. */
tc_status tc_learned2_decide(const tc_learned2_model *model, const tc_learned2_query *query,
                             tc_learned2_decision *decision, tc_real *work, size_t work_len);

/* Asks the contact model for a ratio and writes it to `decision`. A limb calls it if the branch was
 * static and must become dynamic. The call follows a tc_learned2_decide with the same query and
 * work. It adds to `decision->flags`.
 * Returns: the statuses of tc_learned2_decide.
 * On error: decision is zero, with the class TC_LEARNED_NONE.
 * Cost: one function of the model; 316 bytes of stack with nets. */
tc_status tc_learned2_ratio(const tc_learned2_model *model, const tc_learned2_query *query,
                            tc_learned2_decision *decision, tc_real *work, size_t work_len);

/* Result of Algorithm 1. */
typedef struct tc_learned2_result {
    tc_learned2_decision decision; /* the answer; flags include TC_LEARNED_CLAMPED */
    tc_real impulse[3];            /* friction along t, then normals, per unit mass [m/s] */
    tc_real torque;                /* the impulse's torque about the centre of mass, per unit mass
                                    * [m^2/s] */
    tc_real velocity[3];           /* velocity of the body afterwards: tangential, normal [m/s],
                                    * omega [rad/s] */
} tc_learned2_result;

/* Solves lines 2 to 14 of Algorithm 1.
 * Returns: one of these; TC_NOTE_RANGE goes before TC_NOTE_CONTACT.
 *   TC_OK            done.
 *   TC_NOTE_RANGE    the query is outside the model's training range.
 *   TC_NOTE_CONTACT  the class was overruled, or friction was cut.
 *   TC_ERR_NULL      a pointer or a function of the model is NULL; work may be, if work_len is 0.
 *   TC_ERR_WORK      work_len is below TC_LEARNED2_WORK(model->work_len).
 *   TC_ERR_ALIGN     work is misaligned.
 *   negative         the status of the model.
 * On error: the impulse is zero, and the velocity is that of the query.
 * Cost: the model's two functions once each, and no loop; without them 260 instructions for one
 * contact and 440 for two on Cortex-M4F. 356 bytes of stack with nets. */
tc_status tc_learned2_solve(const tc_learned2_model *model, const tc_learned2_query *query,
                            tc_learned2_result *result, tc_real *work, size_t work_len);

TC_END

#endif
