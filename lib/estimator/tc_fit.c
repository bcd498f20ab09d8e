/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Levenberg-Marquardt (Marquardt, 1963) with bounds, on the normal equations.
 *
 * Symbols: r residuals, J their derivatives, g = J^T r, H = J^T J, d_i = H_ii^(1/2). Each step solves
 *
 *     (S + lambda I) y = -D^-1 g,    S = D^-1 H D^-1,    step = D^-1 y
 *
 * for the parameters that are free. A parameter is held if it is at a bound and its descent points
 * out, or if no residual depends on it. The step is cut at the bounds, parameter by parameter.
 * S has a unit diagonal whatever the units are, and lambda >= DAMPING_MIN keeps it regular.
 *
 * A step is taken if the loss does not grow, the last one by more than rounding. Where it falls by half
 * of what was promised, lambda falls to a tenth. After a step that is not taken it grows tenfold. A
 * start ends if
 *   - the step is below `tolerance` of each parameter, or
 *   - it changes the residuals by less than FIT_SETTLED of what remains, or
 *   - the loss promised to fall by less than its own rounding, or lambda is beyond DAMPING_MAX.
 *
 * Start k > 0 is spread by radical inverses of k in the bases 2, 3, 5, ... (Halton, 1960).
 *
 * Cost: per evaluation n^3 / 6 + n^2 multiply-accumulates; per start n^3 / 2 more for the deviations.
 */
#include "tc_exact.h"
#include "tc_fit.h"

#include "tc_fit_core.h"
#include "tc_mat.h"
#include "tc_math.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

#define DAMPING_MIN (TC_C(8.0) * TC_EPSILON)
#define DAMPING_MAX TC_C(1e10)
#define DAMPING_RATE TC_C(10.0)
#define FIT_SAME (TC_C(16.0) * TC_EPSILON) /* of the loss: its rounding */
#define FIT_SETTLED TC_C(1e-3) /* a hundredth of a standard deviation with 100 residuals */

typedef struct search_fit {
    const tc_fit_config *config;
    tc_fit_function function;
    void *context;
    const tc_real *low, *high;
    uint32_t n, held;                   /* held: bits of parameters that a step leaves */
    tc_real *theta, *trial;             /* [n] */
    tc_real *step, *scale;              /* [n] */
    tc_real *best, *deviation, *column; /* [n] */
    tc_real *matrix;                    /* [n x n] */
    tc_fit_sums at_theta, at_trial;
    uint32_t evaluations;
    tc_real best_loss;
} search_fit;

tc_fit_config tc_fit_default(void)
{
    const tc_fit_config config = {
#ifdef TC_DOUBLE
        .tolerance = 1e-9,
#else
        .tolerance = 1e-5f,
#endif
        .damping = TC_C(1e-4),
        .noise = TC_C(0.0),
        .enough = TC_C(0.0),
        .starts = 1,
        .max_evaluations = 40};
    return config;
}

void tc_fit_add(tc_fit_sums *sums, tc_real residual, const tc_real *row)
{
    tc_fit_add_core(sums, residual, row);
}

static tc_status evaluate_fit(search_fit *s, const tc_real *theta, tc_fit_sums *sums)
{
    const uint32_t triangle = s->n * (s->n + 1u) / 2u;
    sums->rows = 0;
    sums->loss = TC_C(0.0);
    memset(sums->gradient, 0, s->n * sizeof *sums->gradient);
    memset(sums->normal, 0, triangle * sizeof *sums->normal);
    ++s->evaluations;
    const tc_status status = s->function(s->context, theta, sums);
    if (status < TC_OK) {
        return status;
    }
    const int finite = tc_all_finite(&sums->loss, 1) && tc_all_finite(sums->gradient, s->n)
                       && tc_all_finite(sums->normal, triangle);
    return finite ? TC_OK : TC_ERR_NOT_FINITE;
}

static int bound_met(const search_fit *s, uint32_t i, int upper)
{
    const tc_real *const bound = upper ? s->high : s->low;
    return bound != NULL && (upper ? s->theta[i] >= bound[i] : s->theta[i] <= bound[i]);
}

/* scale[i] = d_i, and which parameters are held. */
static void hold_parameters(search_fit *s)
{
    s->held = 0;
    for (uint32_t i = 0, diagonal = 0; i < s->n; ++i, diagonal += i + 1u) {
        const tc_real g = s->at_theta.gradient[i];
        s->scale[i] = tc_sqrt(s->at_theta.normal[diagonal]);
        const int outward =
            (g > TC_C(0.0) && bound_met(s, i, 0)) || (g < TC_C(0.0) && bound_met(s, i, 1));
        if (outward || !(s->scale[i] > TC_C(0.0))) {
            s->held |= 1u << i;
        }
    }
}

/* matrix = the Cholesky factor of S + lambda I; rows and columns of held parameters are those of
 * the identity. */
static tc_status factor_fit(search_fit *s, tc_real lambda)
{
    const tc_real *normal = s->at_theta.normal;
    for (uint32_t i = 0; i < s->n; ++i) {
        for (uint32_t j = 0; j <= i; ++j, ++normal) {
            const int free_pair = ((s->held >> i | s->held >> j) & 1u) == 0u;
            const tc_real off = free_pair ? *normal / s->scale[i] / s->scale[j] : TC_C(0.0);
            s->matrix[i * s->n + j] = i == j ? TC_C(1.0) + lambda : off;
        }
    }
    return tc_mat_cholesky_inplace(s->matrix, s->n);
}

static tc_real clamp_fit(const search_fit *s, uint32_t i, tc_real x)
{
    if (s->low != NULL && x < s->low[i]) {
        return s->low[i];
    }
    return s->high != NULL && x > s->high[i] ? s->high[i] : x;
}

/* trial = theta + step, within the bounds; 0 if there is no step. */
static int propose_step(search_fit *s, tc_real lambda)
{
    if (factor_fit(s, lambda) < TC_OK) {
        return 0;
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        const int held = (s->held >> i & 1u) != 0u;
        s->column[i] = held ? TC_C(0.0) : -s->at_theta.gradient[i] / s->scale[i];
    }
    if (tc_mat_cholesky_solve(s->matrix, s->column, s->step, s->n, 1) < TC_OK) {
        return 0;
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        const int held = (s->held >> i & 1u) != 0u;
        s->trial[i] = held ? s->theta[i] : clamp_fit(s, i, s->theta[i] + s->step[i] / s->scale[i]);
    }
    return tc_all_finite(s->trial, s->n);
}

/* Whether the step to `trial` is too small for another one to matter; *promised: what the loss
 * should fall by at least. */
static int promises_little(const search_fit *s, tc_real *promised)
{
    const tc_real remains = FIT_SETTLED * tc_sqrt(s->at_theta.loss);
    int small = 1;
    *promised = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real moved = s->trial[i] - s->theta[i], size = tc_vec_magnitude(moved);
        *promised -= moved * s->at_theta.gradient[i];
        small &= size <= s->config->tolerance * tc_vec_magnitude(s->theta[i])
                 || size * s->scale[i] <= remains;
    }
    return small || *promised <= TC_EPSILON * s->at_theta.loss;
}

static void take_trial(search_fit *s)
{
    const tc_fit_sums sums = s->at_theta;
    tc_real *const theta = s->theta;
    s->at_theta = s->at_trial;
    s->at_trial = sums;
    s->theta = s->trial;
    s->trial = theta;
    hold_parameters(s);
}

/* From theta, where the sums are known, down to a minimum. */
static tc_status descend_fit(search_fit *s)
{
    tc_real lambda = tc_vec_max(s->config->damping, DAMPING_MIN);
    hold_parameters(s);
    for (uint32_t left = s->config->max_evaluations - 1u; left > 0u && lambda <= DAMPING_MAX;) {
        if (!propose_step(s, lambda)) {
            lambda *= DAMPING_RATE;
            continue;
        }
        tc_real promised;
        const int small = promises_little(s, &promised);
        const tc_status status = evaluate_fit(s, s->trial, &s->at_trial);
        --left;
        const tc_real most = small ? s->at_theta.loss * (TC_C(1.0) + FIT_SAME) : s->at_theta.loss;
        if (status >= TC_OK && s->at_trial.loss <= most) {
            const int good = s->at_theta.loss - s->at_trial.loss >= TC_C(0.5) * promised;
            take_trial(s);
            lambda = good ? tc_vec_max(lambda / DAMPING_RATE, DAMPING_MIN) : lambda;
        } else {
            lambda *= DAMPING_RATE;
        }
        if (small) {
            return TC_OK;
        }
    }
    return lambda > DAMPING_MAX ? TC_OK : TC_NOTE_LIMIT;
}

/* ---- Starts ------------------------------------------------------------------------------------ */

/* Radical inverse of k > 0 in `base`: in 0..1 */
static tc_real spread_start(uint32_t k, uint32_t base)
{
    tc_real part = TC_C(1.0), x = TC_C(0.0);
    for (; k > 0u; k /= base) {
        part /= (tc_real)base;
        x += part * (tc_real)(k % base);
    }
    return x;
}

static void place_start(search_fit *s, uint32_t start, const tc_real *first)
{
    static const uint8_t base[TC_FIT_MAX] = {2, 3, 5, 7, 11, 13, 17, 19};
    for (uint32_t i = 0; i < s->n; ++i) {
        s->theta[i] =
            start == 0u
                ? first[i]
                : clamp_fit(s, i,
                            s->low[i] + (s->high[i] - s->low[i]) * spread_start(start, base[i]));
    }
}

/* Variance of a residual */
static tc_real noise_squared(const search_fit *s)
{
    const uint32_t rows = s->at_theta.rows;
    if (s->config->noise > TC_C(0.0)) {
        return s->config->noise * s->config->noise;
    }
    return rows > s->n ? s->at_theta.loss / (tc_real)(rows - s->n) : TC_C(0.0);
}

/* deviation[n] from the diagonal of H^-1. TC_NOTE_RANK: H is singular. */
static tc_status deviate_fit(search_fit *s, uint32_t *unseen)
{
    const tc_real noise = tc_sqrt(noise_squared(s));
    *unseen = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        *unseen |= s->scale[i] > TC_C(0.0) ? 0u : 1u << i;
        s->deviation[i] = TC_C(0.0);
    }
    s->held = *unseen;
    if (factor_fit(s, TC_C(0.0)) < TC_OK) {
        *unseen = (1u << s->n) - 1u;
        return TC_NOTE_RANK;
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        memset(s->column, 0, s->n * sizeof *s->column);
        s->column[i] = TC_C(1.0);
        (void)tc_mat_solve_lower(s->matrix, s->column, s->step, s->n, 1);
        tc_real sum = TC_C(0.0);
        for (uint32_t j = i; j < s->n; ++j) {
            sum = TC_MLA(sum, s->step[j], s->step[j]);
        }
        const int seen = (*unseen >> i & 1u) == 0u;
        s->deviation[i] = seen ? noise * tc_sqrt(sum) / s->scale[i] : TC_C(0.0);
    }
    return *unseen != 0u ? TC_NOTE_RANK : TC_OK;
}

/* The answer so far, and what is said of it */
static tc_status keep_answer(search_fit *s, tc_status status, uint32_t start, tc_fit_info *info)
{
    s->best_loss = s->at_theta.loss;
    memcpy(s->best, s->theta, s->n * sizeof *s->best);
    info->start = start;
    info->rows = s->at_theta.rows;
    info->rms = info->rows == 0u ? TC_C(0.0) : tc_sqrt(s->best_loss / (tc_real)info->rows);
    info->at_bound = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        info->at_bound |= bound_met(s, i, 0) || bound_met(s, i, 1) ? 1u << i : 0u;
    }
    const tc_status rank = deviate_fit(s, &info->unseen);
    return rank == TC_OK ? status : rank;
}

/* The first error is returned if no start has a value. */
static tc_status search_starts(search_fit *s, const tc_real *first, tc_fit_info *info)
{
    tc_status answer = TC_OK;
    int found = 0;
    for (uint32_t k = 0; k < s->config->starts; ++k) {
        place_start(s, k, first);
        ++info->starts;
        tc_status status = evaluate_fit(s, s->theta, &s->at_theta);
        if (status < TC_OK) {
            answer = found || answer < TC_OK ? answer : status;
            continue;
        }
        status = descend_fit(s);
        if (!found || s->at_theta.loss < s->best_loss) {
            answer = keep_answer(s, status, k, info);
        }
        found = 1;
        if (info->rms <= s->config->enough) {
            break;
        }
    }
    info->evaluations = s->evaluations;
    return answer;
}

/* ---- Checks ------------------------------------------------------------------------------------ */

static tc_status check_fit_config(const tc_fit_config *c)
{
    const tc_real numbers[4] = {c->tolerance, c->damping, c->noise, c->enough};
    if (!tc_all_finite(numbers, 4)) {
        return TC_ERR_NOT_FINITE;
    }
    const int good = c->tolerance > TC_C(0.0) && c->tolerance <= TC_C(0.1) && c->damping > TC_C(0.0)
                     && c->noise >= TC_C(0.0) && c->enough >= TC_C(0.0);
    return good && c->starts - 1u < TC_FIT_STARTS && c->max_evaluations >= 2u ? TC_OK
                                                                              : TC_ERR_RANGE;
}

static int finite_bounds(const tc_real *x, uint32_t n)
{
    return x == NULL || tc_all_finite(x, n);
}

static tc_status check_fit_bounds(const search_fit *s, const tc_real *theta)
{
    if (!tc_all_finite(theta, s->n) || !finite_bounds(s->low, s->n)
        || !finite_bounds(s->high, s->n)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        if (clamp_fit(s, i, theta[i]) != theta[i]) {
            return TC_ERR_RANGE;
        }
    }
    return TC_OK;
}

static int complete_fit(const search_fit *s, const tc_real *theta, const tc_real *work)
{
    return s->config != NULL && s->function != NULL && theta != NULL && work != NULL;
}

static tc_status check_fit(const search_fit *s, const tc_real *theta, const tc_real *work,
                           size_t work_len)
{
    if (!complete_fit(s, theta, work)) {
        return TC_ERR_NULL;
    }
    if (s->n - 1u >= TC_FIT_MAX) {
        return TC_ERR_SIZE;
    }
    tc_status status = tc_work_check(work, work_len, TC_FIT_WORK(s->n));
    status = status < TC_OK ? status : check_fit_config(s->config);
    if (status == TC_OK && s->config->starts > 1u && (s->low == NULL || s->high == NULL)) {
        status = TC_ERR_NULL;
    }
    return status < TC_OK ? status : check_fit_bounds(s, theta);
}

static void place_fit(search_fit *s, tc_real *work)
{
    const uint32_t n = s->n, triangle = n * (n + 1u) / 2u;
    tc_real **const vectors[7] = {&s->theta, &s->trial,     &s->step,  &s->scale,
                                  &s->best,  &s->deviation, &s->column};
    for (uint32_t i = 0; i < 7u; ++i, work += n) {
        *vectors[i] = work;
    }
    s->at_theta = (tc_fit_sums){.n = n, .gradient = work, .normal = work + n};
    work += n + triangle;
    s->at_trial = (tc_fit_sums){.n = n, .gradient = work, .normal = work + n};
    s->matrix = work + n + triangle;
}

tc_status tc_fit_solve(const tc_fit_config *config, uint32_t n, tc_fit_function function,
                       void *context, const tc_real *low, const tc_real *high, tc_real *theta,
                       tc_real *deviation, tc_fit_info *info, tc_real *work, size_t work_len)
{
    search_fit s = {.config = config,
                    .function = function,
                    .context = context,
                    .low = low,
                    .high = high,
                    .n = n};
    tc_fit_info found = {0};
    tc_status status = check_fit(&s, theta, work, work_len);
    if (status >= TC_OK) {
        place_fit(&s, work);
        status = search_starts(&s, theta, &found);
    }
    if (status >= TC_OK) {
        memcpy(theta, s.best, n * sizeof *theta);
    } else {
        memset(&found, 0, sizeof found);
    }
    for (uint32_t i = 0; i < n && i < TC_FIT_MAX && deviation != NULL; ++i) {
        deviation[i] = status >= TC_OK ? s.deviation[i] : TC_C(0.0);
    }
    if (info != NULL) {
        *info = found;
    }
    return status;
}
