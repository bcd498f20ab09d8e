/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The ball's values from its positions: tc_fit on roll-outs with derivatives.
 */
#include "tc_exact.h"
#include "tc_bounce.h"

#include "tc_bounce_internal.h"
#include "tc_fit_core.h"
#include "tc_math.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

#define RADIUS_LEAST TC_C(1e-3) /* of the first radius */
#define UNBOUNDED TC_C(1e18)    /* its square is finite in float */

typedef struct fit_bounce {
    tc_bounce ball;
    const tc_bounce_seen *seen;
    const tc_bounce_value *parameters;
    uint32_t n;
} fit_bounce;

/* Residuals and their rows of one observation, t after the flight began */
static void add_observation(const tc_bounce_track *track, tc_real t, const tc_real seen[3],
                            tc_fit_sums *sums)
{
    const tc_real half = TC_C(0.5) * t;
    tc_real residual[3], rows[3u * TC_BOUNCE_PARAMETERS];
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real mean = TC_MLA(track->v[i], half, track->gravity[i]);
        residual[i] = TC_MLA(track->p[i], t, mean) - seen[i];
    }
    for (uint32_t i = 0; i < 3u * track->n; ++i) {
        rows[i] = TC_MLA(track->dp[i], t, track->dv[i]);
    }
    tc_fit_add_point(sums, residual, rows);
}

static tc_status add_residuals(void *context, const tc_real *theta, tc_fit_sums *sums)
{
    fit_bounce *const f = context;
    const tc_real *const times = f->seen->times;
    tc_bounce_track track;
    for (uint32_t k = 0; k < f->n; ++k) {
        f->ball.value[f->parameters[k]] = theta[k];
    }
    const tc_status status = tci_bounce_begin(&track, &f->ball, f->parameters, f->n);
    for (uint32_t m = 0; m < f->seen->n && status == TC_OK; ++m) {
        tci_bounce_pass(&track, times[m]);
        add_observation(&track, times[m] - track.begin, f->seen->positions + 3u * m, sums);
    }
    return status;
}

/* What a ball allows of a value */
static void allowed_values(tc_bounce_value value, tc_real first, tc_real *low, tc_real *high)
{
    *low = value < TC_BOUNCE_POSITION ? TC_C(0.0) : -UNBOUNDED;
    *high = value == TC_BOUNCE_RESTITUTION ? TC_C(1.0) : UNBOUNDED;
    if (value == TC_BOUNCE_RADIUS || value == TC_BOUNCE_INERTIA) {
        *low = RADIUS_LEAST * first;
    }
}

static tc_status check_times(const tc_bounce_seen *seen)
{
    tc_real before = TC_C(0.0);
    if (seen->n > UINT32_MAX / 3u) {
        return TC_ERR_SIZE;
    }
    if (!tc_all_finite(seen->times, seen->n) || !tc_all_finite(seen->positions, 3u * seen->n)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t m = 0; m < seen->n; ++m) {
        if (seen->times[m] < before) {
            return TC_ERR_RANGE;
        }
        before = seen->times[m];
    }
    return TC_OK;
}

static tc_status check_seen(const tc_bounce *ball, const tc_bounce_seen *seen,
                            const tc_bounce_value *parameters, uint32_t n)
{
    tc_status status = tc_bounce_check(ball);
    status = status < TC_OK ? status : tci_bounce_parameters(parameters, n);
    if (status < TC_OK) {
        return status;
    }
    if (seen == NULL || seen->times == NULL || seen->positions == NULL) {
        return TC_ERR_NULL;
    }
    return n == 0u || seen->n == 0u ? TC_ERR_SIZE : check_times(seen);
}

/* bounds[2 n]: the caller's, cut to what a ball allows */
static tc_status bound_values(const fit_bounce *f, const tc_real *low, const tc_real *high,
                              tc_real *bounds)
{
    if ((low == NULL) != (high == NULL)) {
        return TC_ERR_NULL;
    }
    for (uint32_t k = 0; k < f->n; ++k) {
        tc_real *const least = &bounds[k], *const most = &bounds[f->n + k];
        allowed_values(f->parameters[k], f->ball.value[f->parameters[k]], least, most);
        if (low != NULL) {
            if (!tc_all_finite(&low[k], 1) || !tc_all_finite(&high[k], 1)) {
                return TC_ERR_NOT_FINITE;
            }
            *least = tc_vec_max(low[k], *least);
            *most = high[k] < *most ? high[k] : *most;
        }
    }
    return TC_OK;
}

/* tc_calls: evaluate_fit lib/estimator/tc_bounce_identify.c:add_residuals */
static tc_status fit_values(fit_bounce *f, const tc_fit_config *config, const tc_real *low,
                            const tc_real *high, tc_real *deviation, tc_fit_info *info,
                            tc_real *work, size_t work_len)
{
    tc_real *const theta = work, *const bounds = work + f->n;
    tc_status status = tc_work_check(work, work_len, TC_BOUNCE_WORK(f->n));
    status = status < TC_OK ? status : bound_values(f, low, high, bounds);
    if (status == TC_OK && config != NULL && config->starts > 1u && low == NULL) {
        status = TC_ERR_NULL;
    }
    if (status < TC_OK) {
        return status;
    }
    for (uint32_t k = 0; k < f->n; ++k) {
        theta[k] = f->ball.value[f->parameters[k]];
    }
    return tc_fit_solve(config, f->n, add_residuals, f, bounds, bounds + f->n, theta, deviation,
                        info, work + 3u * f->n, work_len - 3u * f->n);
}

tc_status tc_bounce_identify(tc_bounce *ball, const tc_bounce_seen *seen,
                             const tc_bounce_value *parameters, uint32_t n,
                             const tc_fit_config *config, const tc_real *low, const tc_real *high,
                             tc_real *deviation, tc_fit_info *info, tc_real *work, size_t work_len)
{
    const uint32_t told = n <= TC_BOUNCE_PARAMETERS && deviation != NULL ? n : 0u;
    if (info != NULL) {
        memset(info, 0, sizeof *info);
    }
    (void)tc_vec_zeroed(TC_OK, deviation, told);
    tc_status status = check_seen(ball, seen, parameters, n);
    if (status == TC_OK && work == NULL) {
        status = TC_ERR_NULL;
    }
    if (status < TC_OK) {
        return status;
    }
    fit_bounce f = {*ball, seen, parameters, n};
    status = fit_values(&f, config, low, high, deviation, info, work, work_len);
    for (uint32_t k = 0; k < n && status >= TC_OK; ++k) {
        ball->value[parameters[k]] = work[k];
    }
    return status;
}
