/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Symbols: p a touch, x and R the shape's origin and axes in the world, y = R^T (p - x), phi the
 * signed distance with gradient g, delta the turn: R = R_0 exp[delta].
 *
 * The residual of a touch is phi(y) less the fingertip's radius. Its derivatives are
 *
 *     by a size    tc_sdf_grad
 *     by x         -R g
 *     by delta     J^T (g x y),   J = I - [delta] / 2 + [delta]^2 / 6 - ...
 *
 * because exp[delta + d] = exp[delta] exp[J d]. Two terms of J suffice: the third is below 1 % up to
 * half a radian, and scales a step only.
 */
#include "tc_exact.h"
#include "tc_touch_shape.h"

#include "tc_fit_core.h"
#include "tc_math.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

#define SIZE_FACTOR TC_C(1e3) /* of the first size, to either side */
#define FARTHEST TC_C(1e6)    /* tc_sdf_eval's [m] */
#define HALF_TURN TC_C(3.1415927)

typedef struct fit_touch {
    tc_sdf shape;
    tc_convex_pose first, pose;
    tc_real turn[3];
    const tc_touch_shape_felt *felt;
    const tc_touch_shape_unknown *unknown;
    uint32_t n;
} fit_touch;

static tc_real *number_of(fit_touch *f, tc_touch_shape_unknown unknown)
{
    const uint32_t i = (uint32_t)unknown;
    if (i < TC_TOUCH_SHAPE_POSITION) {
        return &f->shape.size[i];
    }
    return i < TC_TOUCH_SHAPE_TURN ? &f->pose.position[i - TC_TOUCH_SHAPE_POSITION]
                                   : &f->turn[i - TC_TOUCH_SHAPE_TURN];
}

/* The pose's rotation from the first one and the turn */
static void turn_pose(fit_touch *f)
{
    const tc_real half[3] = {TC_C(0.5) * f->turn[0], TC_C(0.5) * f->turn[1],
                             TC_C(0.5) * f->turn[2]};
    tc_real c, sinc, E[9];
    tc_vec_half_turn(tc_vec_dot3(half, half), &c, &sinc);
    const tc_real q[4] = {c, sinc * half[0], sinc * half[1], sinc * half[2]};
    tc_vec_rotation(q, E);
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real *const row = f->first.rotation + 3u * i;
        for (uint32_t j = 0; j < 3u; ++j) {
            const tc_real two = TC_MLA(row[0] * E[j], row[1], E[3u + j]);
            f->pose.rotation[3u * i + j] = TC_MLA(two, row[2], E[6u + j]);
        }
    }
}

/* slope = J^T (g x y) */
static void turn_slope(const tc_real turn[3], const tc_real g[3], const tc_real y[3],
                       tc_real slope[3])
{
    tc_real m[3], once[3], twice[3];
    tc_vec_cross(g, y, m);
    tc_vec_cross(turn, m, once);
    tc_vec_cross(turn, once, twice);
    for (uint32_t i = 0; i < 3u; ++i) {
        slope[i] = m[i] + TC_C(0.5) * once[i] + TC_C(0.16666667) * twice[i];
    }
}

/* all[TC_TOUCH_SHAPE_UNKNOWNS]: derivatives of the distance at y, whose gradient is g */
static tc_status shape_slopes(const fit_touch *f, const tc_real y[3], const tc_real g[3],
                              tc_real *all)
{
    const tc_real *const R = f->pose.rotation;
    tc_real sizes[TC_SDF_PARAMETERS];
    const tc_status status = tc_sdf_grad(&f->shape, y, sizes, NULL, 0);
    memcpy(all, sizes, TC_SDF_SIZES * sizeof *all);
    for (uint32_t i = 0; i < 3u; ++i) {
        all[TC_TOUCH_SHAPE_POSITION + i] = -tc_vec_dot3(R + 3u * i, g);
    }
    turn_slope(f->turn, g, y, all + TC_TOUCH_SHAPE_TURN);
    return status;
}

static tc_status add_felt_point(const fit_touch *f, const tc_real *point, tc_fit_sums *sums)
{
    const tc_real *const R = f->pose.rotation, *const x = f->pose.position;
    const tc_real d[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
    tc_real y[3], g[3], distance, all[TC_TOUCH_SHAPE_UNKNOWNS] = {0}, row[TC_FIT_MAX];
    for (uint32_t j = 0; j < 3u; ++j) {
        y[j] = TC_MLA(TC_MLA(R[j] * d[0], R[3u + j], d[1]), R[6u + j], d[2]);
    }
    tc_status status = tc_sdf_eval(&f->shape, y, &distance, g, NULL, 0);
    status = status < TC_OK ? status : shape_slopes(f, y, g, all);
    if (status < TC_OK) {
        return status;
    }
    for (uint32_t k = 0; k < f->n; ++k) {
        row[k] = all[f->unknown[k]];
    }
    tc_fit_add_core(sums, distance - f->felt->tip, row);
    return TC_OK;
}

static tc_status add_touches(void *context, const tc_real *theta, tc_fit_sums *sums)
{
    fit_touch *const f = context;
    for (uint32_t k = 0; k < f->n; ++k) {
        *number_of(f, f->unknown[k]) = theta[k];
    }
    turn_pose(f);
    tc_status status = tc_sdf_check(&f->shape);
    for (uint32_t m = 0; m < f->felt->n && status >= TC_OK; ++m) {
        status = add_felt_point(f, f->felt->points + 3u * m, sums);
    }
    return status;
}

/* ---- Checks ------------------------------------------------------------------------------------- */

static tc_status check_felt_pose(const tc_convex_pose *pose)
{
    if (!tc_all_finite(pose->rotation, 9) || !tc_all_finite(pose->position, 3)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        if (!tc_vec_is_unit(pose->rotation + 3u * i, 3)) {
            return TC_ERR_UNIT;
        }
    }
    return TC_OK;
}

static tc_status check_felt(const tc_touch_shape_felt *felt)
{
    if (felt == NULL || felt->points == NULL) {
        return TC_ERR_NULL;
    }
    if (felt->n - 1u >= UINT32_MAX / 3u) {
        return TC_ERR_SIZE;
    }
    if (!tc_all_finite(felt->points, 3u * felt->n) || !tc_all_finite(&felt->tip, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    return felt->tip >= TC_C(0.0) ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_unknown(const tc_sdf *shape, const tc_touch_shape_unknown *unknown,
                               uint32_t n)
{
    const uint32_t sizes = tc_sdf_parameters(shape);
    if (unknown == NULL) {
        return TC_ERR_NULL;
    }
    if (n - 1u >= TC_FIT_MAX) {
        return TC_ERR_SIZE;
    }
    if (sizes - 1u >= TC_SDF_SIZES || shape->data_ref != NULL) {
        return TC_ERR_UNSUPPORTED;
    }
    for (uint32_t k = 0; k < n; ++k) {
        const uint32_t i = (uint32_t)unknown[k];
        if (i >= TC_TOUCH_SHAPE_UNKNOWNS || (i >= sizes && i < TC_TOUCH_SHAPE_POSITION)) {
            return TC_ERR_RANGE;
        }
    }
    return TC_OK;
}

static tc_status check_touched(const tc_sdf *shape, const tc_convex_pose *pose,
                               const tc_touch_shape_felt *felt)
{
    if (pose == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = tc_sdf_check(shape);
    status = status < TC_OK ? status : check_felt_pose(pose);
    return status < TC_OK ? status : check_felt(felt);
}

/* ---- The fit ------------------------------------------------------------------------------------ */

/* theta[n] and bounds[2 n] of the unknown numbers */
static void begin_fit(fit_touch *f, const tc_real *low, const tc_real *high, tc_real *theta,
                      tc_real *bounds)
{
    for (uint32_t k = 0; k < f->n; ++k) {
        const uint32_t i = (uint32_t)f->unknown[k];
        const int turn = i >= TC_TOUCH_SHAPE_TURN;
        tc_real most = turn ? HALF_TURN : FARTHEST, least = -most;
        theta[k] = *number_of(f, f->unknown[k]);
        if (i < TC_TOUCH_SHAPE_POSITION) {
            least = theta[k] / SIZE_FACTOR;
            most = theta[k] * SIZE_FACTOR;
        }
        bounds[k] = low == NULL ? least : tc_vec_max(least, low[k]);
        bounds[f->n + k] = high == NULL || high[k] > most ? most : high[k];
    }
}

/* tc_calls: evaluate_fit lib/estimator/tc_touch_shape.c:add_touches */
static tc_status fit_touches(fit_touch *f, const tc_fit_config *config, const tc_real *low,
                             const tc_real *high, tc_real *deviation, tc_fit_info *info,
                             tc_real *work, size_t work_len)
{
    tc_real *const theta = work, *const bounds = work + f->n, *const rest = work + 3u * f->n;
    tc_status status = tc_work_check(work, work_len, TC_TOUCH_SHAPE_WORK(f->n));
    if (status == TC_OK && low != NULL
        && (!tc_all_finite(low, f->n) || !tc_all_finite(high, f->n))) {
        status = TC_ERR_NOT_FINITE;
    }
    if (status < TC_OK) {
        return status;
    }
    begin_fit(f, low, high, theta, bounds);
    status = tc_fit_solve(config, f->n, add_touches, f, bounds, bounds + f->n, theta, deviation,
                          info, rest, work_len - 3u * f->n);
    for (uint32_t k = 0; k < f->n && status >= TC_OK; ++k) {
        *number_of(f, f->unknown[k]) = theta[k];
    }
    turn_pose(f);
    return status;
}

/* Several starts are spread between bounds, which must be given then. */
static int bounds_complete(const tc_fit_config *config, const tc_real *low, const tc_real *high)
{
    const int several = config != NULL && config->starts > 1u;
    return (low == NULL) == (high == NULL) && !(several && low == NULL);
}

tc_status tc_touch_shape_fit(tc_sdf *shape, tc_convex_pose *pose, const tc_touch_shape_felt *felt,
                             const tc_touch_shape_unknown *unknown, uint32_t n,
                             const tc_fit_config *config, const tc_real *low, const tc_real *high,
                             tc_real *deviation, tc_fit_info *info, tc_real *work, size_t work_len)
{
    const uint32_t told = n <= TC_FIT_MAX && deviation != NULL ? n : 0u;
    tc_status status = check_touched(shape, pose, felt);
    if (info != NULL) {
        memset(info, 0, sizeof *info);
    }
    (void)tc_vec_zeroed(TC_OK, deviation, told);
    status = status < TC_OK ? status : check_unknown(shape, unknown, n);
    if (status == TC_OK && (work == NULL || !bounds_complete(config, low, high))) {
        status = TC_ERR_NULL;
    }
    if (status < TC_OK) {
        return status;
    }
    fit_touch f = {
        .shape = *shape, .first = *pose, .pose = *pose, .felt = felt, .unknown = unknown, .n = n};
    status = fit_touches(&f, config, low, high, deviation, info, work, work_len);
    if (status >= TC_OK) {
        *shape = f.shape;
        *pose = f.pose;
    }
    return status;
}
