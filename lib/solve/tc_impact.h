/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One impact in two phases, in whitened coordinates: compression, then restitution by Poisson's
 * hypothesis (Zhong, Dey, Chakraborty 2021, equations 5 and 7).
 *
 *     compression   w_c = w0 + G^T f_c            f_c solves the cone problem without floors
 *     restitution   w   = w_c + G^T f             f solves it from w_c - target, with the floors
 *                                                 floor_i = e_i f_c,i,n
 *
 * The target is the velocity that takes penetration out. The velocity kept is w, without the
 * target.
 *
 * Which f_c. Restitution depends on f_c, which is not unique when G has more rows than rank. The
 * library takes the impulses of least norm: the limit of the problem with the compliance eps a_i
 * at each contact, for eps -> 0.
 */
#ifndef TC_IMPACT_H
#define TC_IMPACT_H

#include "tc_cone_grad.h"

TC_BEGIN

/* Friction of contacts that slip. */
typedef enum tc_impact_law {
    TC_IMPACT_CONVEX = 0, /* the cone problem as it is: a slipping contact leaves with
                           * u_n = mu |u_t| */
    TC_IMPACT_COULOMB = 1 /* Coulomb's: u_n = 0 while f_n > floor, by De Saxce's shift, repeated */
} tc_impact_law;

#define TC_IMPACT_SOLVES_MAX 30u /* largest number of cone problems per phase, TC_IMPACT_COULOMB */

/* Limit on the residual of Coulomb's law. Certificates of float are 3.8e-6. */
#ifdef TC_DOUBLE
#define TC_IMPACT_TOLERANCE 1e-10
#else
#define TC_IMPACT_TOLERANCE TC_C(1e-5)
#endif

/* A problem. */
typedef struct tc_impact {
    tc_cone contact;       /* n, rows, d, G, w0, mu, compliance, warm; floor must be NULL.
                            * TC_IMPACT_COULOMB: d < TC_CONE_FREEDOM_MAX */
    const tc_real *e;      /* [n] coefficients of restitution, 0..1; NULL: 0 */
    const tc_real *target; /* [d] whitened velocity that takes penetration out; NULL: 0 */
    tc_impact_law law;     /* friction of contacts that slip */
} tc_impact;

/* Where the answers go; all are the caller's. None may be NULL, except w_least. */
typedef struct tc_impact_answer {
    tc_real *f_c;     /* [n rows] impulses of compression, of least norm */
    tc_real *u_c;     /* [n rows] contact velocities after compression */
    tc_real *w_c;     /* [d] whitened velocity after compression */
    tc_real *f;       /* [n rows] impulses of restitution; f_n >= e f_c,n */
    tc_real *u;       /* [n rows] contact velocities after both, G w */
    tc_real *w;       /* [d] whitened velocity after both */
    tc_real *w_least; /* [d] velocity of the problem with compliance that makes f_c unique; NULL:
                       * not wanted. tc_impact_grad.h needs it where f_c is not unique */
} tc_impact_answer;

/* How a problem was solved. */
typedef struct tc_impact_info {
    tc_cone_info compression;        /* of the compression */
    tc_cone_info restitution;        /* of the restitution; its error is relative to the velocities
                                      * before the compression */
    tc_cone_kind least[TC_CONE_MAX]; /* [n] kinds of the problem that makes f_c unique; those of
                                      * the compression where `unique` is 1 */
    uint32_t unique;                 /* 1: f_c is unique, or does not matter: all e are 0 */
    uint32_t rests;                  /* 1: nothing to do in restitution: f = 0 and w = w_c */
    uint32_t solves;                 /* cone problems solved in all */
    tc_real coulomb; /* TC_IMPACT_COULOMB: residual of the nonlinear complementarity, relative to
                      * the scale [1]; else 0 */
} tc_impact_info;

/* Length of the workspace, usable as array size. */
#define TC_IMPACT_WORK(n, rows, d)                                                                 \
    ((n) * (rows) * ((d) + 6u) + 10u * (n) + 3u * (d) + 3u + TC_IMPACT_REALS(tc_impact_info)       \
     + TC_IMPACT_REALS(tc_cone_info) + TC_IMPACT_CONE_WORK(n, rows, d))
/* Numbers that a struct takes */
#define TC_IMPACT_REALS(type) ((sizeof(type) + sizeof(tc_real) - 1u) / sizeof(tc_real))
/* Part of it that the cone solver and the test for uniqueness share */
#define TC_IMPACT_CONE_WORK(n, rows, d)                                                            \
    (TC_CONE_WORK(n, rows, (d) + 1u) > TC_CONE_GRAD_WORK(n, rows, d)                               \
         ? TC_CONE_WORK(n, rows, (d) + 1u)                                                         \
         : TC_CONE_GRAD_WORK(n, rows, d))

/* Solves both phases.
 *
 * The outputs and work must not overlap the inputs or each other. info: may be NULL.
 * Returns: the worse note of both phases, or an error.
 *   TC_OK                 both phases are certified.
 *   TC_NOTE_PRECISION     both are certified; the error of one is above TC_CONE_ERROR.
 *   TC_NOTE_LIMIT         a phase reached its bound: impulses are feasible, info has the residual.
 *                         Or f_c is an answer, but not that of least norm.
 *   TC_ERR_NULL           a required pointer is NULL.
 *   TC_ERR_ALIGN          work is misaligned.
 *   TC_ERR_SIZE           n, rows or d is beyond its limit.
 *   TC_ERR_WORK           work_len is too small.
 *   TC_ERR_NOT_FINITE     an input is NaN or infinite.
 *   TC_ERR_RANGE          an e is not in 0..1, contact.floor is not NULL, or tc_cone_solve refuses
 *                         a number.
 *   TC_ERR_UNSUPPORTED    `law` is no tc_impact_law.
 *   TC_ERR_NOT_CERTIFIED  tc_cone_solve certifies no answer.
 * On error: the answers and info are zero; after TC_ERR_SIZE the answers are unchanged.
 * Cost: with TC_IMPACT_CONVEX one solve per phase. Where f_c is not unique and an e is above 0, one
 * more in most cases and at most four, which start from the first. TC_IMPACT_COULOMB takes at most
 * TC_IMPACT_SOLVES_MAX per phase and those.
 */
tc_status tc_impact_solve(const tc_impact *problem, const tc_impact_answer *answer,
                          tc_impact_info *info, tc_real *work, size_t work_len);

TC_END

#endif
