/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The data-augmented contact model of one planar body (Jiang & Liu, Algorithm 1): a learned law says whether
 * a patch sticks, slides or leaves, and how friction relates to the normals; equations do the rest.
 *
 * Three floors, each usable alone:
 *   tc_learned2_space   a patch in contact space, W and u, of a free body or of the end of a chain: the impulse
 *                   of each branch of Algorithm 1, in closed form
 *   tc_learned2_query   what a law is asked about one body: its contact space, and the impulses known beforehand
 *   tc_learned2_solve   the law's answer made legal, and its impulse
 * tc_learned2_nets.h has the law made of nets, tc_foot2.h the whole step of a body.
 *
 * Frame: tangent t, normal n of the plane (tc_patch.h). Masses are divided out: impulses are per unit mass
 * [m/s], moments of inertia are k^2 [m^2].
 *
 * Whatever the law says, even nonsense (proofs in tc_learned2.c; tests/unit/learned/test_learned2_properties.c tries):
 *   - no normal impulse pulls; none acts on a corner that leaves (p_i > 0 only with u_i+ = 0)
 *   - no corner approaches afterwards: u_i+ >= -tolerance, where tolerance is rounding
 *   - friction slows the sliding, ends it at most: never feeds or reverses it; so, with restitution 0,
 *     the contact impulse creates no kinetic energy (what a step does with positions is tc_foot2.h's)
 */
#ifndef TC_LEARNED2_H
#define TC_LEARNED2_H

#include "tc_learned.h"
#include "tc_patch.h"

TC_BEGIN

/* ---- Contact space -------------------------------------------------------------------------------- */

/* A patch of one or two contacts: u+ = u + W p with p = (p_f, p_1, p_2). W is symmetric and positive
 * semi-definite; of a free body it is W_tt = 1 + y^2/k^2, W_ti = x_i y/k^2, W_ij = 1 + x_i x_j/k^2. */
typedef struct tc_learned2_space {
    uint32_t count;      /* contacts, 1 or 2; with 1 the elements of contact 2 are 0 */
    tc_real W_tt;        /* dimensionless (per unit mass) */
    tc_real W_tn[2];     /* W_t1, W_t2 */
    tc_real W_nn[3];     /* W_11, W_12, W_22 */
    tc_real slip;        /* u_t, the tangential velocity of the contacts [m/s] */
    tc_real approach[2]; /* u_1, u_2: the velocities that must not end below 0 [m/s] */
} tc_learned2_space;

/* Impulses that follow from (W, u) alone, without any law of friction. Friction first, then normals. */
typedef struct tc_learned2_stops {
    tc_real stop[3];      /* stops the whole patch; any sign. Where that cannot be (three equations
                           * of a limb of fewer freedoms) all of it but contact 2 */
    tc_real corner[2][2]; /* stops corner i alone: friction, normal; any sign. One contact: as stop */
    tc_real arrest[3];    /* ends the sliding with unilateral normals: f*, n_1, n_2 >= 0 */
} tc_learned2_stops;

/* Fills `stops` for a contact space of one or two contacts. */
void tc_learned2_space_stops(const tc_learned2_space *space, tc_learned2_stops *stops);

/* The frictionless LCP (line 10) for a given friction: normals[2] >= 0 such that u + W p >= 0 in the
 * normals, complementary. Element 1 is 0 for one contact. */
void tc_learned2_space_normals(const tc_learned2_space *space, tc_real friction, tc_real *normals);

/* The dynamic branch: the friction that is ratio times the sum of the normals that go with it, f* if that
 * much could end the sliding, 0 if it would feed it; then the frictionless LCP. impulse[3]: friction,
 * normals. Returns TC_LEARNED_CLAMPED or 0. A ratio that is not a number counts as 0. */
uint32_t tc_learned2_space_slide(const tc_learned2_space *space, const tc_learned2_stops *stops, tc_real ratio,
                             tc_real *impulse);

/* The class, or what it must be instead:
 *   detach with a corner that approaches      -> dynamic
 *   static whose `stop` has a normal that pulls -> detach if all corners separate, else dynamic
 * (The latter answer has TC_LEARNED_PULLED in flags, both have TC_LEARNED_OVERRULED; flags are added to.) */
tc_learned_class tc_learned2_legal(const tc_learned2_space *space, const tc_learned2_stops *stops, tc_learned_class said,
                               uint32_t *flags);

/* The impulse[3] of a legal class: static the arrest, which is `stop` wherever the patch can be stopped;
 * dynamic that of the ratio. Returns TC_LEARNED_CLAMPED or 0. */
uint32_t tc_learned2_space_impulse(const tc_learned2_space *space, const tc_learned2_stops *stops,
                               tc_learned_class branch, tc_real ratio, tc_real *impulse);

/* ---- A query to the law --------------------------------------------------------------------------- */

/* What is asked of the law: one patch of one free body about to be solved, with everything that Algorithm 1
 * knows before the law speaks; computed once, shared by features and solves. */
typedef struct tc_learned2_query {
    tc_learned2_space space;
    tc_learned2_stops stops;
    tc_real frictionless[2]; /* normal impulses without friction (their sum is n0) [m/s] */
    tc_real gyration;        /* k = sqrt(inertia / mass) [m] */
    tc_real lever[2];        /* x_i / k, ascending [1] */
    tc_real height;          /* y / k [1] */
    tc_real velocity[3];     /* of the body, force included: tangential, normal [m/s], omega [rad/s] */
} tc_learned2_query;

/* An edge shorter than this many radii of gyration counts as a point: its corner that approaches faster.
 * In float nothing better can be said about how two such corners share an impulse. */
#define TC_LEARNED_EDGE_MIN TC_C(2e-3)

/* Fills a query. velocity[3] is in the frame of the patch: tangential, normal, omega, the applied force
 * included (line 1 of Algorithm 1). offset[2] is added to approach[]: gap / h where the position scheme says
 * so, restitution times an approach; null: nothing.
 * TC_ERR_SIZE the patch is not of one or two contacts; TC_ERR_BODY k is not positive; TC_ERR_NOT_FINITE and
 * TC_ERR_RANGE as said. On an error the query is zero. */
tc_status tc_learned2_query_init(tc_learned2_query *query, const tc_patch2 *patch, const tc_real *velocity,
                             tc_real gyration, const tc_real *offset);

/* The law: learned nets (tc_learned2_nets.h), or any other, an exact one in tests. Called with a query as
 * tc_learned2_query_init made it; blocks on nothing. A negative status ends the solve and is passed on;
 * TC_NOTE_RANGE says that the query lies outside the range of the law. */
typedef struct tc_learned2_model {
    /* probability[3] of static, dynamic, detach */
    tc_status (*classify)(const void *context, const tc_learned2_query *query, tc_real *probability,
                          tc_real *work);
    /* p_f / p_n of the sliding patch, signed along the tangent. Always asked after classify, with the same
     * query, and the work that classify left. */
    tc_status (*ratio)(const void *context, const tc_learned2_query *query, tc_real *ratio, tc_real *work);
    const void *context;
    uint32_t work_len; /* tc_reals that they need in `work` */
} tc_learned2_model;

/* Workspace of the calls below, with a contact model that needs `model_work`. */
#define TC_LEARNED2_WORK(model_work) (model_work)

/* ---- Algorithm 1 ---------------------------------------------------------------------------------- */

typedef struct tc_learned2_decision {
    tc_learned_class branch;  /* the class after tc_learned2_legal */
    tc_learned_class said;    /* the law's most probable class; ties go to the lower number */
    tc_real probability[3];   /* the law's */
    tc_real ratio;            /* the law's, asked only if branch is dynamic; else 0 */
    uint32_t flags;           /* tc_learned_flags */
} tc_learned2_decision;

/* Class and ratio alone: what a chain asks of its last link. Zero after an error (branch: none). */
tc_status tc_learned2_decide(const tc_learned2_model *law, const tc_learned2_query *query, tc_learned2_decision *decision,
                         tc_real *work, size_t work_len);

/* Asks the contact model for p_f / p_n where the branch was static and must now be dynamic (in a chain). Follows
 * a tc_learned2_decide with the same query and work. Adds to `flags`.
 * Returns: TC_OK; TC_NOTE_RANGE or else TC_NOTE_CONTACT as the flags say; TC_ERR_NULL, TC_ERR_WORK, TC_ERR_ALIGN;
 * the model's negative status. On an error `decision` is zero (branch: none). */
tc_status tc_learned2_ratio(const tc_learned2_model *law, const tc_learned2_query *query,
                            tc_learned2_decision *decision, tc_real *work, size_t work_len);

typedef struct tc_learned2_result {
    tc_learned2_decision decision; /* flags: with what happened to the impulse */
    tc_real impulse[3];        /* friction along t, normals, per unit mass [m/s] */
    tc_real torque;            /* of the impulse about the centre of mass, per unit mass [m^2/s] */
    tc_real velocity[3];       /* of the body afterwards: tangential, normal, omega */
} tc_learned2_result;

/* Lines 2 to 14 of Algorithm 1. Status: TC_OK; TC_NOTE_RANGE or else TC_NOTE_CONTACT as the flags say (range
 * first). TC_ERR_NULL, TC_ERR_WORK, TC_ERR_ALIGN, or the law's negative status: no impulse, velocity
 * as it was.
 * Time: the law twice at most, and no loop. Stack: see `make stack`. */
tc_status tc_learned2_solve(const tc_learned2_model *law, const tc_learned2_query *query, tc_learned2_result *result,
                        tc_real *work, size_t work_len);

TC_END

#endif
