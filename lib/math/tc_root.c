/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Powell's hybrid method (M. J. D. Powell, A hybrid method for nonlinear equations, 1970).
 *
 * Symbols: F residuals, J their Jacobian or what stands for it, s the step, R the trust radius. In
 * every round:
 *
 *   1. Two ways from x: Newton's, J s_N = -F, and the steepest descent of |F|^2 / 2, g = J^T F,
 *      whose minimum along -g is s_C = -g (g.g) / |J g|^2. The dogleg: s_N if it lies within R; -g
 *      scaled to R if even s_C is beyond; else the point at distance R on the line from s_C to s_N.
 *   2. Of the predicted reduction of |F|, |F| - |F + J s|, a tenth must come true for the step to
 *      be taken. R halves if it does not; it grows to at least 2 |s| where more than half came
 *      true.
 *   3. J s would have been F(x + s) - F(x): Broyden's formula adds the difference along s, taken
 *      step or not.
 *   4. After two steps in a row that were not taken, J is made anew by differences. After TRIES in
 *      a row no step helps any more, and the search ends.
 *
 * J s = -F is solved by elimination with column-scaled partial pivoting; if a pivot is rounding,
 * the Newton step is left out and descent alone goes on.
 *
 * Every round evaluates F at least once, so the rounds are bounded by max_evaluations.
 */
#include "tc_exact.h"
#include "tc_root.h"

#include "tc_math.h"
#include "tc_work.h"
#include "tc_vec.h"

#include <string.h>

/* the trust region is then 1000 times smaller than it was when a step last helped */
#define TRIES 10u

typedef struct search_root {
    const tc_root_config *config;
    tc_root_function function;
    void *context;
    uint32_t n;
    tc_real *x, *F; /* the best point so far */
    tc_real *trial, *F_trial;
    tc_real *step, *descent;
    tc_real *J, *LU; /* [n x n]; LU is scratch of the elimination */
    tc_real *newton;
    tc_real radius;
    tc_root_info info;
} search_root;

tc_root_config tc_root_default(void)
{
    const tc_root_config config = {
#ifdef TC_DOUBLE
        .tolerance = 1e-10,
        .difference = 1.5e-8,
        .smallest = 1.5e-8,
#else
        .tolerance = 1e-5f,
        .difference = 3e-4f,
        .smallest = 3e-4f,
#endif
        .radius = TC_C(100.0),
        .max_evaluations = 200};
    return config;
}

static tc_real largest_root(const tc_real *x, uint32_t n)
{
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) {
        most = tc_vec_max(tc_vec_magnitude(x[i]), most);
    }
    return most;
}

/* Euclidean length, scaled so that squares neither overflow nor vanish */
static tc_real length_root(const tc_real *x, uint32_t n)
{
    const tc_real scale = largest_root(x, n);
    tc_real sum = TC_C(0.0);
    if (!(scale > TC_C(0.0))) {
        return scale;
    }
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real part = x[i] / scale;
        sum += part * part;
    }
    return scale * tc_sqrt(sum);
}

static tc_status evaluate_root(search_root *s, const tc_real *x, tc_real *F)
{
    ++s->info.evaluations;
    const tc_status status = s->function(s->context, x, F);
    return status < TC_OK ? status : tc_all_finite(F, s->n) ? TC_OK : TC_ERR_NOT_FINITE;
}

/* J by forward differences from x */
static tc_status renew_jacobian(search_root *s)
{
    for (uint32_t j = 0; j < s->n; ++j) {
        tc_real difference = s->config->difference * tc_vec_magnitude(s->x[j]);
        difference = difference > s->config->smallest ? difference : s->config->smallest;
        memcpy(s->trial, s->x, s->n * sizeof *s->x);
        s->trial[j] = s->x[j] + difference;
        difference = s->trial[j] - s->x[j]; /* as rounded */
        const tc_status status = evaluate_root(s, s->trial, s->F_trial);
        if (status < TC_OK) {
            return status;
        }
        for (uint32_t i = 0; i < s->n; ++i) {
            s->J[i * s->n + j] = (s->F_trial[i] - s->F[i]) / difference;
        }
    }
    ++s->info.jacobians;
    return TC_OK;
}

/* Eliminates column k below the pivot, which it brings to row k. False if the pivot is rounding. */
static int eliminate_root(tc_real *A, tc_real *b, uint32_t n, uint32_t k, tc_real smallest)
{
    uint32_t pivot = k;
    for (uint32_t i = k + 1u; i < n; ++i) {
        pivot = tc_vec_magnitude(A[i * n + k]) > tc_vec_magnitude(A[pivot * n + k]) ? i : pivot;
    }
    if (!(tc_vec_magnitude(A[pivot * n + k]) > smallest)) {
        return 0;
    }
    for (uint32_t j = k; j < n; ++j) {
        const tc_real swap = A[k * n + j];
        A[k * n + j] = A[pivot * n + j];
        A[pivot * n + j] = swap;
    }
    const tc_real swap = b[k];
    b[k] = b[pivot];
    b[pivot] = swap;
    for (uint32_t i = k + 1u; i < n; ++i) {
        const tc_real factor = A[i * n + k] / A[k * n + k];
        for (uint32_t j = k + 1u; j < n; ++j) {
            A[i * n + j] -= factor * A[k * n + j];
        }
        b[i] -= factor * b[k];
    }
    return 1;
}

/* newton = -J^-1 F; false if J is singular to rounding */
static int newton_step(search_root *s)
{
    const uint32_t n = s->n;
    memcpy(s->LU, s->J, n * n * sizeof *s->J);
    for (uint32_t i = 0; i < n; ++i) {
        s->newton[i] = -s->F[i];
    }
    for (uint32_t k = 0; k < n; ++k) {
        tc_real column = TC_C(0.0);
        for (uint32_t i = 0; i < n; ++i) {
            column = tc_vec_max(tc_vec_magnitude(s->J[i * n + k]), column);
        }
        if (!eliminate_root(s->LU, s->newton, n, k, TC_C(8.0) * TC_EPSILON * column)) {
            return 0;
        }
    }
    for (uint32_t k = n; k-- > 0u;) {
        for (uint32_t j = k + 1u; j < n; ++j) {
            s->newton[k] -= s->LU[k * n + j] * s->newton[j];
        }
        s->newton[k] /= s->LU[k * n + k];
    }
    return tc_all_finite(s->newton, n);
}

/* |J v|, and J v in `image` */
static tc_real image_of(const search_root *s, const tc_real *v, tc_real *image)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        image[i] = TC_C(0.0);
        for (uint32_t j = 0; j < s->n; ++j) {
            image[i] += s->J[i * s->n + j] * v[j];
        }
    }
    return length_root(image, s->n);
}

/* descent = -g / |g|; its slope |g|, 0 at a stationary point of |F|^2 */
static tc_real descent_direction(search_root *s)
{
    for (uint32_t j = 0; j < s->n; ++j) {
        s->descent[j] = TC_C(0.0);
        for (uint32_t i = 0; i < s->n; ++i) {
            s->descent[j] -= s->J[i * s->n + j] * s->F[i];
        }
    }
    const tc_real slope = length_root(s->descent, s->n);
    for (uint32_t j = 0; j < s->n && slope > TC_C(0.0); ++j) {
        s->descent[j] /= slope;
    }
    return slope;
}

/* The point at distance R on the way from s_C = cauchy * descent to s_N:
 * |s_C + t (s_N - s_C)| = R, the root in 0..1 of a t^2 + 2 b t - c = 0 */
static void bend_step(search_root *s, tc_real cauchy)
{
    tc_real a = TC_C(0.0);
    tc_real b = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real corner = cauchy * s->descent[i];
        const tc_real way = s->newton[i] - corner;
        a += way * way;
        b += way * corner;
    }
    const tc_real c = s->radius * s->radius - cauchy * cauchy;
    const tc_real root = tc_sqrt(b * b + a * c);
    const tc_real t = b > TC_C(0.0) ? c / (b + root) : a > TC_C(0.0) ? (root - b) / a : TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real corner = cauchy * s->descent[i];
        s->step[i] = corner + t * (s->newton[i] - corner);
    }
}

/* False if there is no way down. */
static int choose_dogleg(search_root *s)
{
    const int newton = newton_step(s);
    if (newton && length_root(s->newton, s->n) <= s->radius) {
        memcpy(s->step, s->newton, s->n * sizeof *s->step);
        return 1;
    }
    const tc_real slope = descent_direction(s);
    const tc_real steepness = image_of(s, s->descent, s->step);
    if (!(slope > TC_C(0.0)) || !(steepness > TC_C(0.0))) {
        return 0;
    }
    const tc_real cauchy = slope / steepness / steepness;
    if (cauchy >= s->radius || !newton) {
        const tc_real reach = cauchy < s->radius ? cauchy : s->radius;
        for (uint32_t i = 0; i < s->n; ++i) {
            s->step[i] = reach * s->descent[i];
        }
    } else {
        bend_step(s, cauchy);
    }
    return 1;
}

/* Step 3: J += (F_trial - F - J s) s^T / s.s. `descent` is scratch. */
static void update_broyden(search_root *s)
{
    const tc_real size = length_root(s->step, s->n);
    (void)image_of(s, s->step, s->descent);
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real miss = (s->F_trial[i] - s->F[i] - s->descent[i]) / size;
        for (uint32_t j = 0; j < s->n; ++j) {
            s->J[i * s->n + j] += miss * (s->step[j] / size);
        }
    }
}

/* One round with the J at hand. Returns 1 if the step was taken, 0 if not, -1 if there is none. */
static int try_step(search_root *s)
{
    if (!choose_dogleg(s)) {
        return -1;
    }
    const tc_real size = length_root(s->step, s->n);
    (void)image_of(s, s->step, s->descent);
    for (uint32_t i = 0; i < s->n; ++i) {
        s->trial[i] = s->x[i] + s->step[i];
        s->descent[i] += s->F[i];
    }
    const tc_real now = length_root(s->F, s->n);
    const tc_real predicted = now - length_root(s->descent, s->n);
    if (!(size > TC_EPSILON * length_root(s->x, s->n)) || !(predicted > TC_C(0.0))) {
        return -1;
    }
    if (evaluate_root(s, s->trial, s->F_trial) < 0) {
        s->radius = TC_C(0.25) * size;
        return 0;
    }
    const tc_real actual = now - length_root(s->F_trial, s->n);
    const int taken = actual >= TC_C(0.1) * predicted;
    update_broyden(s);
    if (!taken) {
        s->radius = TC_C(0.5) * (size < s->radius ? size : s->radius);
        return 0;
    }
    if (actual >= TC_C(0.5) * predicted && s->radius < TC_C(2.0) * size) {
        s->radius = TC_C(2.0) * size;
    }
    memcpy(s->x, s->trial, s->n * sizeof *s->x);
    memcpy(s->F, s->F_trial, s->n * sizeof *s->F);
    return 1;
}

/* Whether evaluations and patience are left, and the Jacobian is new where it has to be. */
static int ready_root(search_root *s, uint32_t failures, int renew)
{
    const uint32_t left = s->config->max_evaluations - s->info.evaluations;
    return left != 0u && failures < TRIES
           && (!renew || (left >= s->n + 1u && renew_jacobian(s) >= 0));
}

static tc_status run_root(search_root *s)
{
    uint32_t failures = 0; /* steps in a row that were not taken */
    int renew = 1;
    const tc_real size = length_root(s->x, s->n);
    s->radius = s->config->radius * (size > TC_C(0.0) ? size : TC_C(1.0));
    while (largest_root(s->F, s->n) > s->config->tolerance) {
        if (!ready_root(s, failures, renew)) {
            return TC_NOTE_LIMIT;
        }
        const int fresh = renew;
        const int taken = try_step(s);
        if (taken < 0 && fresh) {
            return TC_NOTE_LIMIT;
        }
        failures = taken > 0 ? 0u : failures + 1u;
        renew = taken < 0 || (taken == 0 && failures % 2u == 0u);
    }
    return TC_OK;
}

static tc_status check_numbers_root(const tc_root_config *config, uint32_t n, const tc_real *x)
{
    const tc_real numbers[4] = {config->tolerance, config->difference, config->smallest,
                                config->radius};
    if (!tc_all_finite(numbers, 4) || !tc_all_finite(x, n)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; i < 4u; ++i) {
        if (!(numbers[i] > TC_C(0.0))) {
            return TC_ERR_RANGE;
        }
    }
    return config->difference > TC_C(0.1) || config->max_evaluations < n + 2u ? TC_ERR_RANGE
                                                                              : TC_OK;
}

static tc_status check_root(const tc_root_config *config, uint32_t n, tc_root_function function,
                            const tc_real *x, const tc_real *work, size_t work_len)
{
    if (config == NULL || function == NULL || x == NULL || work == NULL) {
        return TC_ERR_NULL;
    }
    if (n - 1u >= TC_ROOT_MAX) {
        return TC_ERR_SIZE;
    }
    const tc_status fit = tc_work_check(work, work_len, TC_ROOT_WORK(n));
    return fit < TC_OK ? fit : check_numbers_root(config, n, x);
}

tc_status tc_root_solve(const tc_root_config *config, uint32_t n, tc_root_function function,
                        void *context, tc_real *x, tc_real *residual, tc_root_info *info,
                        tc_real *work, size_t work_len)
{
    search_root s = {.config = config, .function = function, .context = context, .n = n, .x = x};
    tc_status status = check_root(config, n, function, x, work, work_len);
    if (status >= TC_OK) {
        tc_real **const rows[7] = {&s.F,       &s.trial,  &s.F_trial, &s.step,
                                   &s.descent, &s.newton, NULL};
        for (uint32_t i = 0; rows[i] != NULL; ++i) {
            *rows[i] = work + i * n;
        }
        s.J = work + 6u * n;
        s.LU = s.J + n * n;
        status = evaluate_root(&s, x, s.F);
        if (status >= TC_OK) {
            status = run_root(&s);
            s.info.residual = largest_root(s.F, n);
        }
        for (uint32_t i = 0; i < n && residual != NULL; ++i) {
            residual[i] = status < TC_OK ? TC_C(0.0) : s.F[i];
        }
    }
    if (info != NULL) {
        *info = s.info;
    }
    return status;
}
