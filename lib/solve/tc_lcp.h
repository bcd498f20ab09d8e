/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The linear complementarity problem of frictionless contact: find z with
 *
 *     z >= 0,   w = M z + q >= 0,   z^T w = 0.
 *
 * z_i is the normal impulse of contact i, w_i its velocity after the step, or that plus gap / h.
 * Contact matrices are Gram matrices M = J J^T and usually rank-deficient: four corners of a foot,
 * but three degrees of freedom. Then w is unique and z is not. Units are the caller's.
 *
 * The library judges every answer by two numbers, which it recomputes from M (or J), q and z. The
 * first is relative to the terms that cancel in w, the second to the velocities that come in:
 *
 *     residual = max_i |min(z_i, w_i)| / scale,   scale = max_i (sum_j |M_ij| z_j + |q_i|)
 *     error    = max_i |min(z_i, w_i)| / max_i |q_i|
 *
 * TC_OK means residual <= TC_LCP_TOLERANCE and error <= TC_LCP_ERROR for the returned z. Both
 * numbers are upper bounds: |w_i| replaces |min(z_i, w_i)| where z_i > 0, and the scale is a lower
 * bound.
 *
 * Large terms. A light body between heavy ones can make the scale thousands of times as large as q.
 * From about 10^4 on, the rounding of z to float alone exceeds TC_LCP_ERROR. The library then
 * computes in numbers of twice the length (tc_lcp_twofold.c): w and the active contacts are
 * accurate, and z is the rounded solution. If that rounding costs more than TC_LCP_ERROR, the
 * status is TC_NOTE_PRECISION. From about 10^7 on, one last bit of M moves w by as much as q. Such
 * a problem from M may return TC_ERR_NOT_CERTIFIED, or TC_ERR_NO_SOLUTION if rounding made M
 * indefinite. Give J if you have it.
 *
 * Limits. No output is ever NaN or infinite. TC_ERR_RANGE refuses numbers beyond TC_LCP_LARGEST and
 * TC_LCP_LARGEST_J, or below TC_LCP_SMALLEST, because products would overflow or vanish. A trivial
 * problem is solved all the same.
 *
 * Cost:
 * - M, n <= 4: closed forms, each of one problem of n - 1.
 * - M or J otherwise, and if a closed form fails: 5 n + 20 changes of the working set, n / 16 times
 *   that above n = 16. From M each change takes at most n^2 / 2 multiply-accumulates, and n^2 to
 *   judge; from J it takes 4 n d, and 2 n d to judge. Large terms take as many changes again, each
 *   multiply-accumulate in twice the length (40 instructions). If rounding decides about the rank
 *   of M, they come once more, in at most 24 steps (not from J).
 * - TC_LCP_GENERAL: 6 n + 20 pivots of n (n + 2), and 5 (n + 1) to build the last basis again. If
 *   no path ends, three times more.
 * - Largest counts found by a search on Cortex-M4F (tests/hunt): 45,000 instructions at n = 6,
 *   160,000 at n = 12, 380,000 at n = 16, all without twice the length. Lemke's first path: 60,000
 *   at n = 6, 280,000 at n = 12.
 * - Stack: see `make stack`.
 */
#ifndef TC_LCP_H
#define TC_LCP_H

#include "tc_status.h"

TC_BEGIN

#define TC_LCP_FREEDOM_MAX 6u /* largest number of columns of J */
/* limit on the residual, 3.8e-6 in float; w itself is rounded by up to 1e-6 */
#define TC_LCP_TOLERANCE (TC_C(32.0) * TC_EPSILON)
#define TC_LCP_ERROR TC_C(0.0009765625) /* limit on the error: 2^-10 */
/* limit on |M_ij| and |q_i|; max |M_ij| is 0 or at least 1 / TC_LCP_LARGEST */
#define TC_LCP_LARGEST TC_C(1e18)
#define TC_LCP_LARGEST_J TC_C(1e9)  /* limit on |J_ij| */
#define TC_LCP_SMALLEST TC_C(1e-30) /* minimum of max |q_i|, unless that is 0 */

/* A set of contacts: bit i is contact i. It has 64 bits if TC_LCP_MAX (tc_config.h) is above 32. */
#if TC_LCP_MAX > 32u
typedef uint64_t tc_lcp_set;
#else
typedef uint32_t tc_lcp_set;
#endif

/* Kind of a problem given by M. */
typedef enum tc_lcp_kind {
    TC_LCP_SEMIDEFINITE = 0, /* M is symmetric positive semi-definite; both triangles are given */
    TC_LCP_GENERAL = 1       /* any M, also non-symmetric: lexicographic Lemke */
} tc_lcp_kind;

/* A problem. Give M, or J for contacts of one body. From J the library never forms M, whose
 * condition number is the square of J's. */
typedef struct tc_lcp {
    uint32_t n;       /* number of contacts; 0..TC_LCP_MAX */
    tc_lcp_kind kind; /* kind of M; unused if J is given */
    const tc_real *M; /* [n x n] row-major, BOTH triangles; NULL if J is given */
    const tc_real *q; /* [n] velocities without impulses */
    const tc_real *J; /* [n x d] contact rows times M_body^(-1/2), so that M = J J^T; NULL if M
                       * is given */
    uint32_t d;       /* number of columns of J; 1..TC_LCP_FREEDOM_MAX; unused if M is given */
    tc_lcp_set warm;  /* contacts expected to be active, info.active of the last tick; 0: no
                       * guess */
} tc_lcp;

/* How a problem was solved. */
typedef struct tc_lcp_info {
    tc_lcp_set active;     /* active contacts: those of the working set, z_i > 0 */
    uint32_t iterations;   /* changes of the working set, or pivots; 0: closed form */
    tc_real residual;      /* upper bound of the residual [1] */
    tc_real scale;         /* lower bound of the scale [unit of w] */
    const tc_real *farkas; /* after TC_ERR_NO_SOLUTION: certificate y[n], in the workspace: y >=
                            * 0, max y_i = 1, M^T y <= 0 to rounding, q^T y < 0. So y^T (M z + q)
                            * < 0 for every z >= 0. Else NULL */
    tc_real error;         /* upper bound of the error [1] */
} tc_lcp_info;

/* Length of the workspace, usable as array size. Its content before and after a call is arbitrary.
 * A workspace for both kinds takes the larger length; the second is smaller up to n = 8. */
#define TC_LCP_WORK(n) ((n) * ((n) + 1u) / 2u + 12u * (n) + 4u) /* semi-definite M, or J */
#define TC_LCP_GENERAL_WORK(n) ((n) * (n) + 8u * (n) + 4u)      /* TC_LCP_GENERAL */

/* Solves a problem for z[n] and w[n].
 *
 * z, w and work must not overlap M, J or q. work: see TC_LCP_WORK and TC_LCP_GENERAL_WORK.
 * info: may be NULL.
 *
 * The library recomputes w from z, for large terms from z before its rounding. For semi-definite M
 * the solution w is unique. The returned z is basic: the columns of M of active contacts are
 * linearly independent. So at most rank(M) of the z_i are positive, up to rounding. The choice
 * among several depends only on the problem and `warm`, and has the same bits on every machine.
 * Returns:
 *   TC_OK                 residual <= TC_LCP_TOLERANCE and error <= TC_LCP_ERROR; also for n = 0.
 *   TC_NOTE_PRECISION     residual <= TC_LCP_TOLERANCE, error larger; info->error has it.
 *   TC_NOTE_LIMIT         the bound on changes was reached: z >= 0 is the best iterate,
 *                         info->residual its residual.
 *   TC_ERR_NULL           a required pointer is NULL.
 *   TC_ERR_ALIGN          work is misaligned.
 *   TC_ERR_SIZE           n is beyond TC_LCP_MAX, or d not in 1..TC_LCP_FREEDOM_MAX.
 *   TC_ERR_WORK           work_len is too small.
 *   TC_ERR_NOT_FINITE     an input is NaN or infinite.
 *   TC_ERR_RANGE          a number is beyond the limits above, or a result overflows.
 *   TC_ERR_NO_SOLUTION    no solution exists: for every z >= 0 some w_i is negative. info->farkas
 *                         proves it.
 *   TC_ERR_NOT_CERTIFIED  the residual of the answer is too large.
 *   TC_ERR_RAY            TC_LCP_GENERAL: no path of Lemke's method ends. For this M that proves
 *                         neither that solutions exist nor that none does, and precision is not the
 *                         cause.
 * On error: z and w are zero; after TC_ERR_SIZE because of n they are unchanged.
 * Cost: see above. */
tc_status tc_lcp_solve(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                       tc_real *work, size_t work_len);

/* Solves as tc_lcp_solve, from semi-definite M only or from J only. A program that calls one of
 * them, and not tc_lcp_solve, does not link the code for other kinds.
 * Returns: the statuses of tc_lcp_solve, and
 *   TC_ERR_UNSUPPORTED  tc_lcp_from_matrix: J is given, or kind is TC_LCP_GENERAL.
 *   TC_ERR_NULL         tc_lcp_from_rows: J is NULL.
 * On error, Cost: as tc_lcp_solve; work of TC_LCP_WORK(n). */
tc_status tc_lcp_from_matrix(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                             tc_real *work, size_t work_len);
tc_status tc_lcp_from_rows(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                           tc_real *work, size_t work_len);

/* Returns 1 if `status` means a certified solution, TC_OK or TC_NOTE_PRECISION, whose z may act on
 * a contact; else 0. */
static inline int tc_lcp_certified(tc_status status)
{
    return status == TC_OK || status == TC_NOTE_PRECISION;
}

TC_END

#endif
