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

#include "tc_cone.h"

TC_BEGIN

/* Friction of contacts that slip. */
typedef enum tc_impact_law {
    TC_IMPACT_CONVEX = 0, /* the cone problem as it is: a slipping contact leaves with
                           * u_n = mu |u_t| */
    TC_IMPACT_COULOMB = 1 /* Coulomb's: u_n = 0 while f_n > 0, by De Saxce's shift, repeated */
} tc_impact_law;

/* A problem. */
typedef struct tc_impact {
    tc_cone contact;       /* n, rows, d, G, w0, mu, compliance, warm; floor must be NULL */
    const tc_real *e;      /* [n] coefficients of restitution, 0..1; NULL: 0 */
    const tc_real *target; /* [d] whitened velocity that takes penetration out; NULL: 0 */
    tc_impact_law law;     /* friction of contacts that slip */
} tc_impact;

/* Where the answers go; all are the caller's, none may be NULL. */
typedef struct tc_impact_answer {
    tc_real *f_c; /* [n rows] impulses of compression, of least norm */
    tc_real *u_c; /* [n rows] contact velocities after compression */
    tc_real *w_c; /* [d] whitened velocity after compression */
    tc_real *f;   /* [n rows] impulses of restitution */
    tc_real *u;   /* [n rows] contact velocities after both, G w */
    tc_real *w;   /* [d] whitened velocity after both */
} tc_impact_answer;

/* How a problem was solved. */
typedef struct tc_impact_info {
    tc_cone_info compression; /* of the compression */
    tc_cone_info restitution; /* of the restitution */
    uint32_t solves;          /* cone problems solved in all */
    tc_real coulomb; /* TC_IMPACT_COULOMB: residual of the nonlinear complementarity, relative to
                      * the scale [1]; else 0 */
} tc_impact_info;

#define TC_IMPACT_WORK(n, rows, d)                                                                 \
    (TC_CONE_WORK(n, rows, d) + 4u * (n) * (rows) + 4u * (d)) /* PROVISIONAL */

tc_status tc_impact_solve(const tc_impact *problem, const tc_impact_answer *answer,
                          tc_impact_info *info, tc_real *work, size_t work_len);

TC_END

#endif
