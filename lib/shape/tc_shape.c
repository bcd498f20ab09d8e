/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Checks of shapes: sizes, ranges, distinct vertices, and in the plane convexity.
 */
#include "tc_exact.h"
#include "tc_shape.h"

#include "tc_patch.h"
#include "tc_shape_internal.h"
#include "tc_vec.h"

/* Twice the area of the triangle of corners i, j, k, counter-clockwise positive */
static tc_real find_turn(const tc_real *v, uint32_t i, uint32_t j, uint32_t k)
{
    const tc_real ax = v[2u * j] - v[2u * i], ay = v[2u * j + 1u] - v[2u * i + 1u];
    const tc_real bx = v[2u * k] - v[2u * i], by = v[2u * k + 1u] - v[2u * i + 1u];
    return TC_MLS(ax * by, ay, bx);
}

/* Every corner lies left of every side, up to 8 roundings of the largest arm squared: that is
 * convexity, and excludes going round twice. Some corner lies left of it by more: that is an
 * area. */
static int is_convex(const tc_real *v, uint32_t n, tc_real largest)
{
    const tc_real rounding = TC_C(8.0) * TC_EPSILON * largest * largest;
    int area = 0;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t next = i + 1u == n ? 0u : i + 1u;
        for (uint32_t k = 0; k < n; ++k) {
            const tc_real turn = find_turn(v, i, next, k);
            if (turn < -rounding) return 0;
            area |= turn > rounding;
        }
    }
    return area;
}

/* Count, finiteness, ranges and distinctness of vertices [count x dimension]; *largest: the largest
 * coordinate */
static tc_status check_vertices(const tc_real *vertices, uint32_t count, uint32_t dimension,
                                tc_real radius, tc_real *largest)
{
    if (!vertices) return TC_ERR_NULL;
    if (count - 1u >= TC_SHAPE_MAX) return TC_ERR_SIZE;
    if (!tc_all_finite(vertices, count * dimension) || !tc_all_finite(&radius, 1))
        return TC_ERR_NOT_FINITE;
    *largest = TC_C(0.0);
    for (uint32_t i = 0; i < count * dimension; ++i) {
        *largest = tc_vec_max(tc_vec_magnitude(vertices[i]), *largest);
    }
    if (radius < TC_C(0.0) || radius > TCI_SHAPE_COORDINATE_MAX
        || *largest > TCI_SHAPE_COORDINATE_MAX) {
        return TC_ERR_RANGE;
    }
    const tc_real least = TC_PATCH_RESOLUTION * *largest;
    for (uint32_t i = 1; i < count; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            tc_real square = TC_C(0.0);
            for (uint32_t c = 0; c < dimension; ++c) {
                const tc_real d = vertices[i * dimension + c] - vertices[k * dimension + c];
                square = TC_MLA(square, d, d);
            }
            if (!(square > least * least)) return TC_ERR_PATCH;
        }
    }
    return TC_OK;
}

tc_status tc_shape2_check(const tc_shape2 *shape)
{
    if (!shape) return TC_ERR_NULL;
    const tc_real *const v = shape->vertices;
    tc_real largest;
    const tc_status status = check_vertices(v, shape->count, 2, shape->radius, &largest);
    if (status < TC_OK || shape->count < 3u) return status;
    return is_convex(v, shape->count, largest) ? TC_OK : TC_ERR_PATCH;
}

tc_status tc_shape3_check(const tc_shape3 *shape)
{
    if (!shape) return TC_ERR_NULL;
    tc_real largest;
    return check_vertices(shape->vertices, shape->count, 3, shape->radius, &largest);
}
