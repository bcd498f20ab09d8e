/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roots of small nonlinear systems F(x) = 0 by Powell's hybrid method: a trust region whose step bends from
 * the gradient of |F|^2 to Newton's (the dogleg), a Jacobian by finite differences, renewed by Broyden's
 * formula and only when that stops helping by differences again.
 *
 * Bounded by `max_evaluations`, the only loop; each step costs O(n^3). Memory is the caller's.
 */
#ifndef TC_ROOT_H
#define TC_ROOT_H

#include "tc_status.h"

TC_BEGIN

#define TC_ROOT_MAX 8u /* unknowns */

/* Writes F(x). A negative status at the start is returned. Later it is as an F that is not finite:
 * that x is not taken, and where differences need it the search ends with TC_NOTE_LIMIT. */
typedef tc_status (*tc_root_function)(void *context, const tc_real *x, tc_real *residual);

typedef struct tc_root_config {
    tc_real tolerance;        /* done when max |F_i| <= tolerance, in F's unit; > 0 */
    tc_real difference;       /* step of the differences relative to |x_i|; > 0, at most 0.1 */
    tc_real smallest;         /* and at least this, in x's unit; > 0 */
    tc_real radius;           /* first trust radius relative to |x| (or to 1 if x is 0); > 0 */
    uint32_t max_evaluations; /* of F, n + 2 at least */
} tc_root_config;

typedef struct tc_root_info {
    uint32_t evaluations;
    uint32_t jacobians;   /* by differences */
    tc_real residual;     /* max |F_i| at the x handed back */
} tc_root_info;

/* tolerance 1e-5, differences 3e-4 and at least that, for x of order 1 (in double 1e-10, 1.5e-8), radius
 * 100, 200 evaluations */
tc_root_config tc_root_default(void);

/* Searches from x, and hands back in x the best point seen and in `residual` (may be null) F there.
 *   TC_OK          max |F_i| <= tolerance
 *   TC_NOTE_LIMIT  out of evaluations, or no step helps any more (a local minimum of |F|, or rounding)
 *   TC_ERR_NOT_FINITE  x or F(x) at the start; x is then as it was. A later F that is not finite only
 * shortens the step. `info` may be null. */
#define TC_ROOT_WORK(n) (2u * (n) * (n) + 6u * (n))
tc_status tc_root_solve(const tc_root_config *config, uint32_t n, tc_root_function function, void *context,
                        tc_real *x, tc_real *residual, tc_real *work, size_t work_len, tc_root_info *info);

TC_END

#endif
