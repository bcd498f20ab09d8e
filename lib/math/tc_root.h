/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roots of small nonlinear systems F(x) = 0 by Powell's hybrid method.
 *
 * The step bends from the gradient of |F|^2 to Newton's step inside a trust region (the dogleg).
 * The Jacobian begins with finite differences, and Broyden's formula updates it. When two steps in
 * a row fail, the solver takes differences again.
 *
 * `max_evaluations` bounds the time. Each step costs one evaluation of F and O(n^3) operations, a
 * Jacobian by differences n evaluations. The caller owns all memory.
 */
#ifndef TC_ROOT_H
#define TC_ROOT_H

#include "tc_status.h"

TC_BEGIN

#define TC_ROOT_MAX 8u /* unknowns */

/* Writes F(x[n]) to residual[n].
 * Returns: a negative status if F has no value at x. tc_root_solve returns that of the first
 * evaluation. Later it shortens the step, or ends the search with TC_NOTE_LIMIT if finite
 * differences needed the value. An F that is NaN or infinite counts as TC_ERR_NOT_FINITE. */
typedef tc_status (*tc_root_function)(void *context, const tc_real *x, tc_real *residual);

/* Tuning of the search. Defaults in parentheses are those of the double build. */
typedef struct tc_root_config {
    tc_real tolerance;        /* threshold on max |F_i| [unit of F]; > 0; 1e-5 (1e-10); higher:
                               * fewer evaluations, a less accurate root */
    tc_real difference;       /* step of the finite differences relative to |x_i| [1]; > 0, at
                               * most 0.1; 3e-4 (1.5e-8); higher: less rounding in the Jacobian,
                               * more truncation */
    tc_real smallest;         /* minimum step of the finite differences [unit of x]; > 0; 3e-4
                               * (1.5e-8), for x of order 1; higher: as `difference`, for x near
                               * 0 */
    tc_real radius;           /* first trust radius relative to |x|, absolute if x is 0 [1]; > 0;
                               * 100; higher: longer first steps */
    uint32_t max_evaluations; /* limit on evaluations of F; >= n + 2; 200; higher: more time,
                               * fewer TC_NOTE_LIMIT */
} tc_root_config;

/* How the search went; all zero after an error that precedes the first evaluation. */
typedef struct tc_root_info {
    uint32_t evaluations; /* evaluations of F */
    uint32_t jacobians;   /* Jacobians by finite differences */
    tc_real residual;     /* max |F_i| at the returned x [unit of F] */
} tc_root_info;

/* Returns the default configuration; the fields' comments have the values. */
tc_root_config tc_root_default(void);

/* Solves F(x) = 0 from the start x[n] and replaces x by the best point found.
 * n: 1..TC_ROOT_MAX. context: passed to `function`; may be NULL. residual[n]: F at the returned x;
 * may be NULL. info: may be NULL.
 * Returns:
 *   TC_OK              max |F_i| <= tolerance.
 *   TC_NOTE_LIMIT      no evaluations are left, or no step reduces |F|: a local minimum or
 *                      rounding.
 *   TC_ERR_NULL        config, function, x or work is NULL.
 *   TC_ERR_SIZE        n is 0 or beyond TC_ROOT_MAX.
 *   TC_ERR_WORK        work_len is below TC_ROOT_WORK(n).
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_NOT_FINITE  x, F at the start, or a field of config is NaN or infinite.
 *   TC_ERR_RANGE       a field of config is out of range.
 *   negative           the status of `function` at the start.
 * On error: x is unchanged; residual is zero if `function` was called, else unchanged.
 * Cost: at most max_evaluations calls of `function` and O(n^3) operations for each; work of
 * TC_ROOT_WORK(n); 724 bytes of stack beside those of `function`. */
#define TC_ROOT_WORK(n) (2u * (n) * (n) + 6u * (n))
tc_status tc_root_solve(const tc_root_config *config, uint32_t n, tc_root_function function,
                        void *context, tc_real *x, tc_real *residual, tc_root_info *info,
                        tc_real *work, size_t work_len);

TC_END

#endif
