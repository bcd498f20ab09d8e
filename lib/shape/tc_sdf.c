/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Shapes by their signed distance: the public functions, which ask the shape's kind.
 *
 * A kind is a constant table, so only the kinds that an application names are linked.
 */
#include "tc_exact.h"
#include "tc_sdf.h"

#include "tc_sdf_internal.h"
#include "tc_sdf_points.h"

#define LEAST TC_C(1e-9) /* [m] squares of what is smaller are subnormal */

/* Where the calls through a kind's table can go; parts of a union are no unions. */
/* tc_calls: tc_sdf_check lib/shape/tc_sdf_round.c:check_halfspace */
/* tc_calls: tc_sdf_check lib/shape/tc_sdf_round.c:check_sphere */
/* tc_calls: tc_sdf_check lib/shape/tc_sdf_round.c:check_capsule */
/* tc_calls: tc_sdf_check lib/shape/tc_sdf_box.c:check_box */
/* tc_calls: tc_sdf_check lib/shape/tc_sdf_box.c:check_cylinder */
/* tc_calls: tc_sdf_check lib/shape/tc_sdf_terrain.c:check_terrain */
/* tc_calls: tc_sdf_check lib/shape/tc_sdf_grid.c:check_grid */
/* tc_calls: tc_sdf_check lib/shape/tc_sdf_union.c:check_union */
/* tc_calls: tc_sdf_check lib/learned/tc_sdf_net.c:check_sdf_net */
/* tc_calls: tc_sdf_eval lib/shape/tc_sdf_round.c:eval_halfspace */
/* tc_calls: tc_sdf_eval lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: tc_sdf_eval lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: tc_sdf_eval lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: tc_sdf_eval lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: tc_sdf_eval lib/shape/tc_sdf_terrain.c:eval_terrain */
/* tc_calls: tc_sdf_eval lib/shape/tc_sdf_grid.c:eval_grid */
/* tc_calls: tc_sdf_eval lib/shape/tc_sdf_union.c:eval_union */
/* tc_calls: tc_sdf_eval lib/learned/tc_sdf_net.c:eval_sdf_net */
/* tc_calls: tc_sdf_grad lib/shape/tc_sdf_round.c:grad_sphere */
/* tc_calls: tc_sdf_grad lib/shape/tc_sdf_round.c:grad_capsule */
/* tc_calls: tc_sdf_grad lib/shape/tc_sdf_box.c:grad_box */
/* tc_calls: tc_sdf_grad lib/shape/tc_sdf_box.c:grad_cylinder */
/* tc_calls: tc_sdf_grad lib/shape/tc_sdf_union.c:grad_union */
/* tc_calls: tc_sdf_grad lib/learned/tc_sdf_net.c:grad_sdf_net */
/* tc_calls: tc_sdf_parameters lib/shape/tc_sdf_union.c:count_union */
/* tc_calls: tc_sdf_parameters lib/learned/tc_sdf_net.c:count_sdf_net */

tc_status tci_sdf_refuse(const tc_real p[3], tc_real *distance, tc_real gradient[3])
{
    *distance = TC_C(0.0);
    return tc_vec_zeroed(tc_all_finite(p, 3) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE, gradient, 3);
}

tc_status tci_sdf_check_positive(const tc_real *x, uint32_t n)
{
    if (!tc_all_finite(x, n)) return TC_ERR_NOT_FINITE;
    for (uint32_t i = 0; i < n; ++i) {
        if (x[i] > TCI_SHAPE_COORDINATE_MAX) return TC_ERR_RANGE;
        if (!(x[i] >= LEAST)) return TC_ERR_SHAPE;
    }
    return TC_OK;
}

tc_status tci_sdf_check_rounding(tc_real rounding, const tc_real *x, uint32_t n)
{
    if (!tc_all_finite(&rounding, 1)) return TC_ERR_NOT_FINITE;
    if (rounding < TC_C(0.0)) return TC_ERR_SHAPE;
    for (uint32_t i = 0; i < n; ++i) {
        if (rounding > x[i]) return TC_ERR_SHAPE;
    }
    return TC_OK;
}

tc_status tc_sdf_points_check(const tc_sdf_stored *stored)
{
    const tc_real *p = stored->points_ref;
    if (stored->points > (p ? TC_SDF_POINTS : 0u)) return TC_ERR_SIZE;
    for (uint32_t i = 0; i < stored->points; ++i, p += 3) {
        if (!(tc_vec_dot3(p, p) <= TCI_SDF_FAR2))
            return tc_all_finite(p, 3) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
    }
    return TC_OK;
}

uint32_t tc_sdf_points_at(const tc_sdf *shape, const tc_real centre[3], tc_real reach, uint32_t i,
                          tc_real p[3])
{
    const tc_sdf_stored *const stored = shape->data_ref;
    (void)centre, (void)reach;
    for (uint32_t k = 0; k < 3u && i < stored->points; ++k) p[k] = stored->points_ref[3u * i + k];
    return stored->points;
}

tc_status tci_sdf_check_stored(const tc_sdf_stored *stored)
{
    if (!tc_all_finite(&stored->error, 1)) return TC_ERR_NOT_FINITE;
    if (stored->error < TC_C(0.0)) return TC_ERR_SHAPE;
    if (stored->error > TCI_SHAPE_COORDINATE_MAX) return TC_ERR_RANGE;
    tc_status status = tc_sdf_points_check(stored);
    if (status < TC_OK) return status;
    const tc_sdf_inertia *const known = stored->inertia_ref;
    if (!known) return TC_OK;
    status = tci_sdf_check_positive(&known->volume, 1);
    if (status < TC_OK) return status;
    return tc_all_finite(known->centre, 3) && tc_all_finite(known->inertia, 6) ? TC_OK
                                                                               : TC_ERR_NOT_FINITE;
}

tc_status tc_sdf_check(const tc_sdf *shape)
{
    if (!shape || !shape->kind) return TC_ERR_NULL;
    return shape->kind->check(shape);
}

uint32_t tc_sdf_parameters(const tc_sdf *shape)
{
    if (!shape) return 0u;
    const tc_sdf_kind *const kind = shape->kind;
    return kind->count ? kind->count(shape) : kind->parameters;
}

tc_real tc_sdf_error(const tc_sdf *shape)
{
    if (!shape || shape->kind->contract != TC_SDF_CONTRACT_APPROXIMATE) return TC_C(0.0);
    return ((const tc_sdf_stored *)shape->data_ref)->error;
}

tc_status tc_sdf_eval(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                      tc_real gradient[3], tc_real *work, size_t work_len)
{
    if (!shape || !p || !distance || !gradient) {
        if (distance) *distance = TC_C(0.0);
        return gradient ? tc_vec_zeroed(TC_ERR_NULL, gradient, 3) : TC_ERR_NULL;
    }
    return shape->kind->eval(shape, p, distance, gradient, work, work_len);
}

tc_status tc_sdf_grad(const tc_sdf *shape, const tc_real p[3], tc_real *derivative, tc_real *work,
                      size_t work_len)
{
    if (!shape || !derivative) return TC_ERR_NULL;
    const uint32_t count = tc_sdf_parameters(shape);
    if (count == 0u) return TC_ERR_UNSUPPORTED;
    if (!p) return tc_vec_zeroed(TC_ERR_NULL, derivative, count);
    const tc_status status = shape->kind->grad(shape, p, derivative, work, work_len);
    return status < TC_OK ? tc_vec_zeroed(status, derivative, count) : status;
}
