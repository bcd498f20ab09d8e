/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The linear complementarity problem of frictionless contact: find z with
 *
 *     z >= 0,   w = M z + q >= 0,   z^T w = 0.
 *
 * z_i is the normal impulse of contact i, w_i its velocity after the step (or that plus gap/h). Contact
 * matrices are Gram matrices, M = J M^-1 J^T, and usually rank-deficient: four corners of a foot, three
 * degrees of freedom. Then z is not unique, but w is; nothing here is called solved that is not.
 */
#ifndef TC_LCP_H
#define TC_LCP_H

#include "tc_status.h"

TC_BEGIN

#define TC_LCP_MAX 16u /* contacts; a bit of `active` each */

typedef enum tc_lcp_kind {
    TC_LCP_SEMIDEFINITE = 0, /* M symmetric positive semi-definite: its lower triangle is read */
    TC_LCP_GENERAL = 1       /* any M (non-symmetric): lexicographic Lemke */
} tc_lcp_kind;

/* A problem. Give M, or, for contacts of one body, J: then M is never formed, and its condition number
 * is not squared. */
typedef struct tc_lcp {
    uint32_t n;           /* 0..TC_LCP_MAX */
    tc_lcp_kind kind;
    const tc_real *M;     /* [n x n] row-major; null if J is given */
    const tc_real *q;     /* [n] */
    const tc_real *J;     /* [n x d] contact rows times the mass matrix to the -1/2: M = J J^T; null if M is given */
    uint32_t d;           /* columns of J, 1..6 */
    uint32_t warm;        /* bit i: contact i is expected to carry (info.active of the last tick); 0: no guess */
} tc_lcp;

typedef struct tc_lcp_info {
    uint32_t active;      /* bit i: z_i > 0 */
    uint32_t iterations;  /* changes of the active set, or pivots */
    tc_real residual;     /* max_i |min(z_i, w_i)| / max_i (sum_j |M_ij| z_j + |q_i|), dimensionless */
    const tc_real *farkas; /* with TC_ERR_NO_SOLUTION: [n] in the workspace, y >= 0, M y ~ 0, q^T y < 0; else null */
} tc_lcp_info;

TC_END

#endif
