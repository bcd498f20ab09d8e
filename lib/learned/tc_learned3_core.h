/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the files behind tc_learned3.h share. Not for users.
 *
 * Arms are r_i = (x_i, y_i, z) with z = -height. With c_1, c_2, c_n = r x e_1, r x e_2, r x n
 *
 *     c_1 = (0, z, -y),   c_2 = (-z, 0, x),   c_n = (y, -x, 0)
 *     u = v + (c_1 . omega, c_2 . omega, c_n . omega),   omega += B p,   B = mobility (c_1 c_2 c_n)
 *     W_ab = delta_ab + c_a . B_b
 */
#ifndef TC_LEARNED3_CORE_H
#define TC_LEARNED3_CORE_H

#include "tc_learned3.h"
#include "tc_math.h"
#include "tc_mobility.h"

/* Kept whole: calls through the law's pointers stand where lib/learned/tc_learned3_nets.c says, and
 * what is done before and after the deepest call leaves no trace in its stack. */
#if defined(__GNUC__)
#define LEARNED3_APART __attribute__((noinline))
#else
#define LEARNED3_APART
#endif

#define LEARNED3_SMALL TC_C(1e-12) /* [m/s] no direction */
/* of the normal impulses: a sweep that changes less is the last of its kind */
#define LEARNED3_SETTLED TC_C(1e-3)
/* the same of compliant contacts, of whose error a sweep leaves a tenth */
#define LEARNED3_SETTLED_SOFT TC_C(5e-3)

/* A contact of it; all tc_real, for it lies in the caller's workspace. */
typedef struct learned3_corner {
    tc_real B[9];       /* row-major [1/m] */
    tc_real W[6];       /* as in tc_learned3_query */
    tc_real inverse[6]; /* of W */
    tc_real p[3];
    tc_real ratio[2]; /* the law's last */
} learned3_corner;

typedef struct learned3_solve learned3_solve;

/* How the contact model's answers become impulses, contact by contact, the impulses of the others
 * held.
 *
 *   direct (tc_learned3_direct.c)   the ratio along e_1 and e_2 of the query: what the model was
 *                                   trained on
 *   soft (tc_learned3_direct.c)     the same, of compliant contacts
 *   implicit (tc_limb3_point.c)     the size of the ratio against the slip that the mover keeps
 *
 * What the model is asked about, learned3_corner, is a free body in both. A free body under the
 * implicit rule has other answers (up to 15 % of the velocity, Coulomb's model): the rule is not
 * the mover's. */
typedef struct learned3_rule {
    tc_status (*point)(learned3_solve *solve); /* a patch of one contact, whose corner is
                                                * prepared */
    /* Each contact in turn, with its last ratio or (asks) one asked for anew. *settled: 1 if that
     * changed next to nothing */
    tc_status (*sweep)(learned3_solve *solve, int asks, int *settled);
} learned3_rule;

/* A patch being solved. */
struct learned3_solve {
    const tc_learned3_model *model;
    const tc_learned3_problem *problem;
    learned3_corner *corner; /* [count] */
    tc_real *J, *q, *z, *w;  /* the LCP's: [count x 3], [count] each */
    tc_real *lcp_work;
    tc_real *law_work;
    tc_real v[6];               /* the twist with the impulses so far: of the body that the problem
                                 * tells of */
    tc_real latest[2];          /* ratio that was given last, of whatever corner */
    tc_real fastest;            /* speed of the fastest contact before, squared [m^2/s^2] */
    uint32_t rated;             /* bit i: corner i has a ratio of its own */
    uint32_t stuck;             /* bit i: corner i was stopped at its last visit, or did not
                                 * carry */
    uint32_t clamped;           /* bit i: so was its ratio */
    uint32_t active;            /* of the last LCP */
    tc_learned3_result *result; /* counts of questions; flags: RANGE */
    const tc_mobility *mobility;
    void *mover; /* the mobility's; of the free body this solve */
    const learned3_rule *rule;
};

/* M x for a symmetric matrix in the order 11, 12, 22, 13, 23, 33 */
static inline void learned3_apply(const tc_real M[6], const tc_real x[3], tc_real y[3])
{
    y[0] = TC_MLA(TC_MLA(M[0] * x[0], M[1], x[1]), M[3], x[2]);
    y[1] = TC_MLA(TC_MLA(M[1] * x[0], M[2], x[1]), M[4], x[2]);
    y[2] = TC_MLA(TC_MLA(M[3] * x[0], M[4], x[1]), M[5], x[2]);
}

/* M^-1 by the adjugate; the determinant is taken as `least` where rounding makes it smaller. */
static inline void learned3_invert(const tc_real M[6], tc_real least, tc_real inverse[6])
{
    const tc_real a = TC_MLS(M[2] * M[5], M[4], M[4]), b = TC_MLS(M[3] * M[4], M[1], M[5]);
    const tc_real d = TC_MLS(M[1] * M[4], M[2], M[3]);
    const tc_real found = TC_MLA(TC_MLA(M[0] * a, M[1], b), M[3], d);
    const tc_real scale = TC_C(1.0) / (found > least ? found : least);
    inverse[0] = a * scale;
    inverse[1] = b * scale;
    inverse[2] = TC_MLS(M[0] * M[5], M[3], M[3]) * scale;
    inverse[3] = d * scale;
    inverse[4] = TC_MLS(M[1] * M[3], M[0], M[4]) * scale;
    inverse[5] = TC_MLS(M[0] * M[2], M[1], M[1]) * scale;
}

/* Velocity of a contact at (x, y, z), offset not included */
static inline void learned3_contact(const tc_real v[6], const tc_real *arm, tc_real z, tc_real u[3])
{
    u[0] = TC_MLS(TC_MLA(v[0], v[4], z), v[5], arm[1]);
    u[1] = TC_MLS(TC_MLA(v[1], v[5], arm[0]), v[3], z);
    u[2] = TC_MLS(TC_MLA(v[2], v[3], arm[1]), v[4], arm[0]);
}

/* v[6] += what the impulse d[3] at a contact of the free body does */
static inline void learned3_add(tc_real v[6], const tc_real B[9], const tc_real d[3])
{
    v[0] += d[0];
    v[1] += d[1];
    v[2] += d[2];
    v[3] += TC_MLA(TC_MLA(B[0] * d[0], B[1], d[1]), B[2], d[2]);
    v[4] += TC_MLA(TC_MLA(B[3] * d[0], B[4], d[1]), B[5], d[2]);
    v[5] += TC_MLA(TC_MLA(B[6] * d[0], B[7], d[1]), B[8], d[2]);
}

/* Solves contact i; returns the model's status. *change: the square of how much its impulse
 * changed, added up */
typedef tc_status learned3_visit(learned3_solve *solve, uint32_t i, int asks, tc_real *change);

/* The text of every rule's sweep: `visit` is a constant wherever this is called, and `limit`, which
 * a change has to be below. */
static inline tc_status learned3_sweep(learned3_solve *solve, learned3_visit *visit, tc_real limit,
                                       int asks, int *settled)
{
    tc_real change = TC_C(0.0), size = TC_C(0.0);
    for (uint32_t i = 0; i < solve->problem->patch->count; i++) {
        const tc_status status = visit(solve, i, asks, &change);
        if (status < TC_OK) {
            return status;
        }
        size = TC_MLA(size, solve->corner[i].p[2], solve->corner[i].p[2]);
    }
    *settled = change <= limit * limit * size;
    return TC_OK;
}

/* Whether mass and inertia are within the limits of tc_learned.h. */
int tc_body3_in_range(const tc_body3 *body);

/* tc_learned3_problem_init with arguments that were checked; 0 if the problem is beyond the limits,
 * or not finite. `offset` may be problem->offset. */
int tc_learned3_problem_make(tc_learned3_problem *problem, const tc_patch3 *patch,
                             const tc_body3 *body, const tc_body3_state *state,
                             const tc_real *offset);

/* Takes the contacts out of `patch`, the problem's, that are beyond the limits where
 * tc_learned3_problem_make has just said so. The lowest stays, if body and shape have passed
 * tc_foot3_check and speeds are within the limits; if none is left, count and
 * dimension are 0. */
void tc_learned3_reduce(const tc_learned3_problem *problem, tc_patch3 *patch);

/* impulse[6] of forces along the tangents, a torque about the normal through the centre of mass,
 * and normals */
void tc_learned3_impulse_of(const tc_learned3_problem *problem, const tc_real friction[3],
                            const tc_real *normal, tc_real impulse[6]);

/* A query is about contact i of the patch. */
static inline void learned3_query_about(const learned3_solve *solve, uint32_t i,
                                        tc_learned3_query *query)
{
    query->problem = solve->problem;
    query->contact = i;
}

/* Stop and axis of a query whose W and u are there. */
void tc_learned3_query_stop(tc_learned3_query *query, const tc_real inverse[6]);

/* What tc_learned3_impulse does, of an answer that is legal and finite already. */
uint32_t tc_learned3_respond(const tc_learned3_query *query, tc_learned_class branch,
                             const tc_real ratio[2], tc_real impulse[3]);

/* Components within 1e3; 0 if one is not finite. */
void tc_learned3_sane_ratio(tc_real ratio[2]);

/* Impulses about the patch's centre and the centre of mass, in solve->result */
void tc_learned3_tell_impulse(const learned3_solve *solve, const tc_real friction[3]);

/* tc_learned3_solve for arguments that were checked; model, problem, result, mobility, mover and
 * rule are set. */
tc_status tc_learned3_solve_checked(learned3_solve *solve, const tc_learned3_sweeps *sweeps,
                                    tc_learned3_warm *warm, tc_real *work);

/* What may be wrong with the arguments of a solve */
tc_status tc_learned3_check_solve(const tc_learned3_model *model, const tc_learned3_sweeps *sweeps,
                                  uint32_t count);

/* No impulse, velocity as before; returns status. */
tc_status tc_learned3_unsolved(const tc_learned3_problem *problem, tc_learned3_result *result,
                               tc_status status);

/* ---- tc_learned3_ask.c ----------------------------------------------------------------------- */

/* The law's three calls, and what is to be noted of them. Observing comes first; all return the
 * law's status. */
tc_status tc_learned3_observe(learned3_solve *solve, const tc_learned3_query *query);
tc_status tc_learned3_ask_ratio(learned3_solve *solve, const tc_learned3_query *query, uint32_t i);
tc_status tc_learned3_classify(learned3_solve *solve, const tc_learned3_query *query);

/* Observes and classifies: result->said is what the law says. */
tc_status tc_learned3_ask_class(learned3_solve *solve, const tc_learned3_query *query);

/* ---- tc_learned3_body.c, tc_learned3_direct.c ------------------------------------------------ */

extern const tc_mobility tci_learned3_body;
extern const learned3_rule tci_learned3_direct, tci_learned3_soft;

/* The least velocity change[6] from rest, by normals alone, that lifts each contact at speed[count]
 * or more. work[TC_LEARNED3_WORK(0)]. TC_NOTE_FALLBACK: it could not be certified, and is zero. */
tc_status tc_learned3_rise(const tc_learned3_problem *problem, const tc_real *speed,
                           tc_real change[6], tc_real *work);

/* ---- tc_learned3_close.c --------------------------------------------------------------------- */

/* From the velocities before contact: this friction (forces, and torque about the normal through
 * the centre of mass) and the normals that go with it. Leaves normals in solve->z, the contacts'
 * velocities along the normal, offsets included, in solve->w, and the body's velocity in solve->v.
 * TC_NOTE_FALLBACK: normals >= 0 that could not be certified. */
tc_status tc_learned3_carry(learned3_solve *solve, const tc_real friction[3]);

/* Between sweeps over compliant contacts: the corners' normals, and solve->v, that go with their
 * friction. */
void tc_learned3_share(learned3_solve *solve);

/* The friction of the sweeps, or as much of it as creates no energy, and its normals. *flags:
 * TC_LEARNED_CLAMPED is added where it was cut, TC_LEARNED_FALLBACK where an inelastic stop without
 * friction has taken its place (then also the status is TC_NOTE_FALLBACK). */
tc_status tc_learned3_close(learned3_solve *solve, tc_real friction[3], uint32_t *flags);

/* ---- tc_learned3_normals.c ------------------------------------------------------------------- */

/* For what tc_lcp_from_rows has no answer to: normals z[count] >= 0 for J[count x 3] and q, and w,
 * by trying every working set. TC_NOTE_FALLBACK: they violate the conditions by more than
 * TC_LCP_TOLERANCE, and are those that do so least. Creates no energy but by rounding, either way,
 * if no offset is negative. */
tc_status tc_learned3_normals(uint32_t count, const tc_real *J, const tc_real *q, tc_real *z,
                              tc_real *w);

/* ---- tc_learned3_soft.c ---------------------------------------------------------------------- */

/* For compliant contacts: solve->z >= 0 with solve->w = q + J J^T z + yield z >= 0 and z.w = 0. It
 * begins at the corners' p. Refined: where rounding could tell, one step of Newton's method more.
 * TC_NOTE_FALLBACK: after the last of them the set of contacts that press still changed. */
tc_status tc_learned3_yielding(const learned3_solve *solve, int refined);

/* The energy that the springs gain in the step, per unit mass; solve->v is the velocity after. */
tc_real tc_learned3_stored(const learned3_solve *solve);

/* ---- tc_learned3_stop.c ---------------------------------------------------------------------- */

/* How the corners are taken to share a stop when the law is asked */
typedef enum learned3_share {
    LEARNED3_SPREAD, /* friction in proportion to the normals; so their p are then */
    LEARNED3_SWEPT   /* as the sweeps left their p, which are kept */
} learned3_share;

/* The stop of the whole patch, if it needs no normal to pull and the law calls each contact that
 * carries static; then *sticks is 1 and all is as tc_learned3_carry leaves it. Else solve->v and
 * the p are as they were. A negative status is the law's. */
tc_status tc_learned3_try_stop(learned3_solve *solve, learned3_share share, tc_real friction[3],
                               int *sticks);

#endif
