/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The linear complementarity problem of frictionless contact: find z with
 *
 *     z >= 0,   w = M z + q >= 0,   z^T w = 0.
 *
 * z_i is the normal impulse of contact i, w_i its velocity after the step (or that plus gap/h). Contact
 * matrices are Gram matrices, M = J J^T, and usually rank-deficient: four corners of a foot, three
 * degrees of freedom. Then z is not unique, but w is; nothing here is called solved that is not.
 *
 * Every answer, whichever method found it, is judged by one number, recomputed from M (or J), q and z:
 *
 *     residual = max_i |min(z_i, w_i)| / scale,   scale = max_i (sum_j |M_ij| z_j + |q_i|)
 *
 * and by a second one, which says what that means beside the velocities that come in:
 *
 *     error = max_i |min(z_i, w_i)| / max_i |q_i|
 *
 * TC_OK says residual <= TC_LCP_TOLERANCE and error <= TC_LCP_ERROR, of z as it is handed out. Both are upper
 * bounds: |w_i| stands for |min(z_i, w_i)| where z_i > 0, and the scale is taken from below as long as that
 * suffices. The scale is that of the terms which cancel in w. A light body between heavy ones makes it
 * thousands of times as large as q: float rounds z by so much that an error below TC_LCP_ERROR cannot be had
 * from about 10^4 on. Such problems are solved in numbers of twice the length (tc_lcp_twofold.c), so that w
 * and which contacts carry are right all the same; z is the solution rounded, and where that costs more than
 * TC_LCP_ERROR the answer is TC_NOTE_PRECISION.
 *
 * Bounds: n <= 4 from M closed forms, of one problem of n - 1 each. Else, and where those fail, 5 n + 20
 * rows (n / 16 times that above n = 16) are tried for the working set, each at most n^2 / 2
 * multiply-accumulates (from J 4 n d) and n^2 (2 n d) to judge; where terms are large beside q as
 * many again, each multiply-accumulate in twice the length (40 instructions); where rounding
 * decides about rank, that once more (not from J), in at most 24 steps. TC_LCP_GENERAL: 6 n + 20
 * pivots of n (n + 2), and 5 (n + 1) to build the last basis again; where that comes to nothing
 * three times more. On Cortex-M4F no problem was found (tests/hunt) that takes more than 45,000
 * instructions at n = 6, 160,000 at n = 12, 380,000 at n = 16 where tc_real does, or than 60,000 at
 * n = 6, 280,000 at n = 12 on Lemke's first path. Stack: make stack.
 *
 * Terms 10^7 times as large as q move w by as much as q if one last bit of M changes: such problems from M
 * may come back as TC_ERR_NOT_CERTIFIED, and if rounding has made M indefinite as TC_ERR_NO_SOLUTION. Give J
 * where there is one.
 *
 * Numbers. Nothing that is not finite is handed out, whatever comes in. What can be settled at once is,
 * whatever its size; else numbers beyond TC_LCP_LARGEST, TC_LCP_LARGEST_J or below TC_LCP_SMALLEST, beside
 * which products would overflow or vanish, are TC_ERR_RANGE.
 */
#ifndef TC_LCP_H
#define TC_LCP_H

#include "tc_status.h"

TC_BEGIN

#define TC_LCP_FREEDOM_MAX 6u /* columns of J */
#define TC_LCP_TOLERANCE (TC_C(32.0) * TC_EPSILON) /* 3.8e-6; w itself is rounded by up to 1e-6 */
#define TC_LCP_ERROR TC_C(0.0009765625) /* 2^-10, of max |q_i| */
#define TC_LCP_LARGEST TC_C(1e18)   /* |M_ij| and |q_i|; max |M_ij| is 0 or at least 1 / TC_LCP_LARGEST */
#define TC_LCP_LARGEST_J TC_C(1e9)  /* |J_ij| */
#define TC_LCP_SMALLEST TC_C(1e-30) /* max |q_i|, or 0 */

/* A set of contacts: bit i is contact i. As wide as TC_LCP_MAX (tc_config.h) asks for. */
#if TC_LCP_MAX > 32u
typedef uint64_t tc_lcp_set;
#else
typedef uint32_t tc_lcp_set;
#endif

typedef enum tc_lcp_kind {
    TC_LCP_SEMIDEFINITE = 0, /* M symmetric positive semi-definite, both triangles given */
    TC_LCP_GENERAL = 1       /* any M (non-symmetric): lexicographic Lemke */
} tc_lcp_kind;

/* A problem. Give M, or, for contacts of one body, J: then M is never formed, and its condition number
 * is not squared. */
typedef struct tc_lcp {
    uint32_t n;        /* 0..TC_LCP_MAX */
    tc_lcp_kind kind;  /* meaningless if J is given */
    const tc_real *M;  /* [n x n] row-major, BOTH triangles; null if J is given */
    const tc_real *q;  /* [n] */
    const tc_real *J;  /* [n x d] contact rows times the mass matrix to the -1/2: M = J J^T; or null */
    uint32_t d;        /* columns of J, 1..TC_LCP_FREEDOM_MAX; unused if M is given */
    tc_lcp_set warm;   /* bit i: contact i is expected to carry (info.active of the last tick); 0: no guess */
} tc_lcp;

typedef struct tc_lcp_info {
    tc_lcp_set active;     /* bit i: contact i is in the working set, z_i > 0 */
    uint32_t iterations;   /* rows tried for the working set, or pivots; 0: closed form */
    tc_real residual;      /* as above, dimensionless, from above */
    tc_real scale;         /* as above, in the unit of w, from below */
    const tc_real *farkas; /* with TC_ERR_NO_SOLUTION: [n] in the workspace, y >= 0, max y_i = 1, M^T y <= 0
                              but for rounding, q^T y < 0, so y^T (M z + q) < 0 for every z >= 0; else null */
    tc_real error;         /* max_i |min(z_i, w_i)| / max_i |q_i|, dimensionless, from above */
} tc_lcp_info;

/* Numbers of workspace, usable as array sizes; any content before and after. One workspace for both
 * kinds takes the larger: the second is smaller up to n = 8. */
#define TC_LCP_WORK(n) ((n) * ((n) + 1u) / 2u + 12u * (n) + 4u) /* M semi-definite, or J */
#define TC_LCP_GENERAL_WORK(n) ((n) * (n) + 8u * (n) + 4u) /* kind TC_LCP_GENERAL */

/* Solves for z[n] and w[n]; `info` may be null. M, J, q must not overlap z, w or work.
 *
 *   TC_OK                 residual <= TC_LCP_TOLERANCE and error <= TC_LCP_ERROR
 *   TC_NOTE_PRECISION     residual <= TC_LCP_TOLERANCE, but not the error, which is told
 *   TC_NOTE_LIMIT         the bound on changes was reached: the best iterate, z >= 0, and its residual
 *   TC_ERR_NO_SOLUTION    there is none (w < 0 whatever z: gap impossible to close); info->farkas proves it
 *   TC_ERR_NOT_CERTIFIED  an answer came out, but its residual is too large
 *   TC_ERR_RAY            TC_LCP_GENERAL: Lemke's paths do not end, and for this M that proves nothing:
 *                         there may be solutions or none. No matter of precision
 *   TC_ERR_RANGE          numbers beyond the limits above, or results that tc_real does not hold
 *   TC_ERR_NULL, _SIZE, _WORK, _NOT_FINITE  as said; with a size beyond the limit nothing is written,
 *                         with every other negative status z = w = 0
 *
 * w is recomputed from z, where terms are large from z before it was rounded; for semi-definite M it is
 * unique. z is a basic solution: the columns of M that carry are linearly independent, at most rank(M) of the
 * z_i are positive (where rounding decides about rank, as far as that can be told); which of several depends
 * on nothing but the problem and `warm`, and has the same bits on every machine.
 */
tc_status tc_lcp_solve(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, size_t work_len,
                       tc_lcp_info *info);

/* The same for problems with semi-definite M only, and for those with J only: a program that calls one of
 * them and not tc_lcp_solve does not link what the other kinds need. Other kinds: TC_ERR_UNSUPPORTED from
 * the first, TC_ERR_NULL (no J) from the second. */
tc_status tc_lcp_from_matrix(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, size_t work_len,
                             tc_lcp_info *info);
tc_status tc_lcp_from_rows(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, size_t work_len,
                           tc_lcp_info *info);

/* 1 if that status comes with a solution, as precise as float has it: what a contact may be given. */
static inline int tc_lcp_certified(tc_status status)
{
    return status == TC_OK || status == TC_NOTE_PRECISION;
}

TC_END

#endif
