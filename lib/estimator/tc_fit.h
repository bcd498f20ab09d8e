/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Fits up to eight parameters to observations: bounded Levenberg-Marquardt with several starts. The
 * caller's function gives one residual at a time with its derivatives, so no matrix of all
 * observations is stored.
 *
 *     static tc_status residuals(void *context, const tc_real *theta, tc_fit_sums *sums)
 *     {
 *         for each observation: tc_fit_add(sums, predicted - observed, derivatives);
 *         return TC_OK;
 *     }
 *
 *     tc_real work[TC_FIT_WORK(1)], radius = TC_C(1.0), deviation;
 *     const tc_real low = TC_C(0.1), high = TC_C(2.0);
 *     tc_fit_config config = tc_fit_default();
 *     tc_fit_info info;
 *     tc_status s = tc_fit_solve(&config, 1, residuals, context, &low, &high, &radius, &deviation,
 *                                &info, work, TC_COUNT(work));
 *
 * The steps are scaled by the curvature of each parameter, so parameters may have any units.
 */
#ifndef TC_FIT_H
#define TC_FIT_H

#include "tc_status.h"

TC_BEGIN

#define TC_FIT_MAX 8u     /* parameters */
#define TC_FIT_STARTS 64u /* starts */

/* Sums over the residuals of one evaluation; tc_fit_add writes them. */
typedef struct tc_fit_sums {
    uint32_t n;        /* parameters */
    uint32_t rows;     /* residuals so far */
    tc_real loss;      /* sum of r^2 [unit of r, squared] */
    tc_real *gradient; /* [n] sum of r dr/dtheta_i */
    tc_real *normal;   /* [n (n + 1) / 2] sum of dr/dtheta_i dr/dtheta_j, j <= i, row by row */
} tc_fit_sums;

/* Adds all residuals r at theta[n] and their rows dr/dtheta[n] by tc_fit_add. A residual that is
 * divided by its standard deviation has the weight that statistics gives it.
 * Returns: a negative status if there is no residual at theta; then a shorter step is tried. */
typedef tc_status (*tc_fit_function)(void *context, const tc_real *theta, tc_fit_sums *sums);

/* Tuning of the search. Defaults in parentheses are those of the double build. */
typedef struct tc_fit_config {
    tc_real tolerance; /* the search ends with a step below this part of each parameter [1]; > 0,
                        * at most 0.1; 1e-5 (1e-9); higher: fewer evaluations */
    tc_real damping;   /* first damping relative to the curvature [1]; > 0; 1e-4; higher: shorter
                        * first steps */
    tc_real noise;     /* standard deviation of a residual if it is known [unit of r]; 0: it is
                        * taken from the residuals that remain; 0 */
    tc_real enough;    /* root mean square of the residuals at which no more starts are tried [unit
                        * of r]; >= 0; 0: only an exact fit ends them; higher: fewer starts */
    uint32_t starts;   /* limit on starts; 1..TC_FIT_STARTS; 1. The first is the caller's, the
                        * others are spread evenly between the bounds */
    uint32_t max_evaluations; /* limit on calls of the function per start; >= 2; 40 */
} tc_fit_config;

/* How the search went; all zero after an error. */
typedef struct tc_fit_info {
    uint32_t evaluations; /* calls of the function, over all starts */
    uint32_t starts;      /* starts that were tried */
    uint32_t start;       /* the start that ended in the answer, from 0 */
    uint32_t rows;        /* residuals of one evaluation */
    uint32_t at_bound;    /* bit i: theta[i] is at one of its bounds */
    uint32_t unseen;      /* bit i: the residuals do not determine theta[i] */
    tc_real rms;          /* root mean square of the residuals at the answer [unit of r] */
} tc_fit_info;

/* Returns the default configuration; the fields' comments have the values. */
tc_fit_config tc_fit_default(void);

/* Adds a residual and its derivatives row[n] to the sums. It checks nothing; NaN is found by
 * tc_fit_solve.
 * Cost: n (n + 3) / 2 + 1 multiply-accumulates. */
void tc_fit_add(tc_fit_sums *sums, tc_real residual, const tc_real *row);

/* Minimises the sum of squared residuals over low <= theta <= high.
 * n: 1..TC_FIT_MAX.
 * context: passed to `function`. May be NULL.
 * low[n], high[n]: bounds. May be NULL if config.starts is 1.
 * theta[n]: the first start. The best point found replaces it.
 * deviation[n]: standard deviations of theta, as if no bound were met. May be NULL. It is 0 for a
 * parameter of info.unseen. Without config.noise it is 0 if there are no more residuals than
 * parameters.
 * info: may be NULL.
 * Returns:
 *   TC_OK              converged.
 *   TC_NOTE_LIMIT      no evaluations were left in the start that gave the answer.
 *   TC_NOTE_RANK       the residuals do not determine the parameters of info.unseen, or not all
 *                      parameters at once. Takes precedence over TC_NOTE_LIMIT.
 *   TC_ERR_NULL        config, function, theta or work is NULL, or several starts lack a bound.
 *   TC_ERR_SIZE        n is 0 or beyond TC_FIT_MAX.
 *   TC_ERR_WORK        work_len is below TC_FIT_WORK(n).
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_NOT_FINITE  a number of config, theta, or a bound is NaN or infinite, or a residual or a
 *                      derivative at every start.
 *   TC_ERR_RANGE       a field of config is out of range, low[i] > high[i], or theta is not between
 *                      them.
 *   negative           the status of `function` at every start.
 * On error: theta is unchanged, deviation and info are zero.
 * Cost: at most config.starts times config.max_evaluations calls of `function`, and O(n^3)
 * operations after each. Work of TC_FIT_WORK(n). */
#define TC_FIT_WORK(n) (2u * (n) * (n) + 10u * (n))
tc_status tc_fit_solve(const tc_fit_config *config, uint32_t n, tc_fit_function function,
                       void *context, const tc_real *low, const tc_real *high, tc_real *theta,
                       tc_real *deviation, tc_fit_info *info, tc_real *work, size_t work_len);

TC_END

#endif
