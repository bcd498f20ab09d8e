/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Union of posed parts: the lowest distance.
 *
 * Outside of the union its nearest point is the nearest of one part, so the lowest distance is the
 * distance. Inside, the way out of the union leads out of each part that p is in, so the deepest
 * part's depth is at most the union's: a bound.
 *
 * A part with rotation R and position x has the point R' (p - x), and its gradient g is R g in the
 * union's axes.
 */
#include "tc_exact.h"
#include "tc_sdf.h"

#include "tc_sdf_internal.h"

/* tc_calls: check_part lib/shape/tc_sdf_round.c:check_halfspace */
/* tc_calls: check_part lib/shape/tc_sdf_round.c:check_sphere */
/* tc_calls: check_part lib/shape/tc_sdf_round.c:check_capsule */
/* tc_calls: check_part lib/shape/tc_sdf_box.c:check_box */
/* tc_calls: check_part lib/shape/tc_sdf_box.c:check_cylinder */
/* tc_calls: check_part lib/shape/tc_sdf_terrain.c:check_terrain */
/* tc_calls: check_part lib/shape/tc_sdf_grid.c:check_grid */
/* tc_calls: check_part lib/learned/tc_sdf_net.c:check_sdf_net */
/* tc_calls: find_lowest lib/shape/tc_sdf_round.c:eval_halfspace */
/* tc_calls: find_lowest lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: find_lowest lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: find_lowest lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: find_lowest lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: find_lowest lib/shape/tc_sdf_terrain.c:eval_terrain */
/* tc_calls: find_lowest lib/shape/tc_sdf_grid.c:eval_grid */
/* tc_calls: find_lowest lib/learned/tc_sdf_net.c:eval_sdf_net */
/* tc_calls: grad_union lib/shape/tc_sdf_round.c:grad_sphere */
/* tc_calls: grad_union lib/shape/tc_sdf_round.c:grad_capsule */
/* tc_calls: grad_union lib/shape/tc_sdf_box.c:grad_box */
/* tc_calls: grad_union lib/shape/tc_sdf_box.c:grad_cylinder */
/* tc_calls: grad_union lib/learned/tc_sdf_net.c:grad_sdf_net */
/* tc_calls: count_part lib/learned/tc_sdf_net.c:count_sdf_net */
/* tc_calls: check_union lib/shape/tc_sdf_round.c:check_halfspace */
/* tc_calls: check_union lib/shape/tc_sdf_round.c:check_sphere */
/* tc_calls: check_union lib/shape/tc_sdf_round.c:check_capsule */
/* tc_calls: check_union lib/shape/tc_sdf_box.c:check_box */
/* tc_calls: check_union lib/shape/tc_sdf_box.c:check_cylinder */
/* tc_calls: check_union lib/shape/tc_sdf_terrain.c:check_terrain */
/* tc_calls: check_union lib/shape/tc_sdf_grid.c:check_grid */
/* tc_calls: check_union lib/learned/tc_sdf_net.c:check_sdf_net */
/* tc_calls: count_union lib/learned/tc_sdf_net.c:count_sdf_net */

/* 1 if the rows are of unit length and normal to each other and form a right-handed system */
static int is_rotation(const tc_real R[9])
{
    tc_real across[3], excess = TC_C(0.0);
    if (!tc_vec_is_unit(R, 3) || !tc_vec_is_unit(R + 3, 3)) return 0;
    tc_vec_cross(R, R + 3, across);
    for (uint32_t i = 0; i < 3u; ++i)
        excess = tc_vec_max(tc_vec_magnitude(across[i] - R[6u + i]), excess);
    return tc_vec_magnitude(tc_vec_dot3(R, R + 3)) <= TC_UNIT_TOLERANCE
           && excess <= TC_UNIT_TOLERANCE;
}

static tc_status check_part(const tc_sdf_part *part)
{
    const tc_sdf *const shape = part->shape_ref;
    if (!shape || !shape->kind) return TC_ERR_NULL;
    if (shape->kind == &tc_sdf_union) return TC_ERR_UNSUPPORTED;
    if (!tc_all_finite(part->position, 3)) return TC_ERR_NOT_FINITE;
    if (!(tc_vec_dot3(part->position, part->position) <= TCI_SDF_FAR2)) return TC_ERR_RANGE;
    if (part->rotation_ref) {
        if (!tc_all_finite(part->rotation_ref, 9)) return TC_ERR_NOT_FINITE;
        if (!is_rotation(part->rotation_ref)) return TC_ERR_UNIT;
    }
    return shape->kind->check(shape);
}

static tc_status check_union(const tc_sdf *shape)
{
    const tc_sdf_parts *const u = shape->data_ref;
    if (!u || !u->parts) return TC_ERR_NULL;
    if (u->count - 1u >= TC_SDF_PARTS) return TC_ERR_SIZE;
    for (uint32_t i = 0; i < u->count; ++i) {
        const tc_status status = check_part(&u->parts[i]);
        if (status < TC_OK) return status;
    }
    return TC_OK;
}

/* p in the part's axes */
static void place_point(const tc_sdf_part *part, const tc_real p[3], tc_real local[3])
{
    const tc_real *const R = part->rotation_ref;
    const tc_real d[3] = {p[0] - part->position[0], p[1] - part->position[1],
                          p[2] - part->position[2]};
    for (uint32_t i = 0; i < 3u; ++i)
        local[i] = R ? TC_MLA(TC_MLA(R[i] * d[0], R[3u + i], d[1]), R[6u + i], d[2]) : d[i];
}

static uint32_t count_part(const tc_sdf_part *part)
{
    const tc_sdf_kind *const kind = part->shape_ref->kind;
    return kind->count ? kind->count(part->shape_ref) : kind->parameters;
}

static uint32_t count_union(const tc_sdf *shape)
{
    const tc_sdf_parts *const u = shape->data_ref;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < u->count; ++i) sum += count_part(&u->parts[i]);
    return sum <= TC_SDF_PARAMETERS ? sum : 0u;
}

/* *lowest: the part that counts; its distance, and its gradient in its own axes */
static tc_status find_lowest(const tc_sdf_parts *u, const tc_real p[3], uint32_t *lowest,
                             tc_real lowest_value[4], tc_real *work, size_t work_len)
{
    tc_status found = TC_ERR_SIZE;
    for (uint32_t i = 0; i < u->count; ++i) {
        const tc_sdf_part *const part = &u->parts[i];
        tc_real local[3], value[4];
        place_point(part, p, local);
        const tc_status status =
            part->shape_ref->kind->eval(part->shape_ref, local, value, value + 1, work, work_len);
        if (status < TC_OK) return status;
        if (i > 0u && !(value[0] < lowest_value[0])) continue;
        for (uint32_t k = 0; k < 4u; ++k) lowest_value[k] = value[k];
        *lowest = i;
        found = status;
    }
    return found;
}

static tc_status eval_union(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                            tc_real gradient[3], tc_real *work, size_t work_len)
{
    const tc_sdf_parts *const u = shape->data_ref;
    tc_real value[4];
    uint32_t lowest = 0;
    const tc_status status = find_lowest(u, p, &lowest, value, work, work_len);
    *distance = TC_C(0.0);
    if (status < TC_OK) return tc_vec_zeroed(status, gradient, 3);
    *distance = value[0];
    const tc_real *const R = u->parts[lowest].rotation_ref;
    for (uint32_t i = 0; i < 3u; ++i)
        gradient[i] = R ? tc_vec_dot3(R + 3u * i, value + 1) : value[1u + i];
    return status;
}

static tc_status grad_union(const tc_sdf *shape, const tc_real p[3], tc_real *derivative,
                            tc_real *work, size_t work_len)
{
    const tc_sdf_parts *const u = shape->data_ref;
    tc_real value[4], local[3];
    uint32_t lowest = 0, first = 0, sum = 0;
    const tc_status status = find_lowest(u, p, &lowest, value, work, work_len);
    if (status < TC_OK) return status;
    for (uint32_t i = 0; i < u->count; ++i) {
        if (i == lowest) first = sum;
        sum += count_part(&u->parts[i]);
    }
    (void)tc_vec_zeroed(status, derivative, sum);
    const tc_sdf_part *const part = &u->parts[lowest];
    if (count_part(part) == 0u) return status;
    place_point(part, p, local);
    return part->shape_ref->kind->grad(part->shape_ref, local, derivative + first, work, work_len);
}

const tc_sdf_kind tc_sdf_union = {
    "union", TC_SDF_CONTRACT_BOUND, 0, count_union, check_union, eval_union, grad_union, NULL, NULL,
    0};
