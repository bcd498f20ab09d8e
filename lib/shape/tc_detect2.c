/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact detectors, planar, and the checks of planar shapes.
 *
 * The plane is turned into body axes, not the vertices into the world: with n_b = R^T n and
 * t_b = (n_by, -n_bx)
 *
 *     gap_i   = n_b . v_i + (n . x - offset - radius)
 *     lever_i = t_b . v_i
 *
 * are two products each. A rounding radius moves the contact along the normal only, so lever and height stay
 * those of the vertex and of the centre of mass.
 *
 * Cost on Cortex-M4F: 180 instructions, sine and cosine included, 13 per vertex, and 20 to 30 more per
 * contact; 70 for the checks. A rectangle on its side 310.
 */
#include "tc_exact.h"
#include "tc_detect2.h"

#include "tc_vec.h"
#include "tc_detect_internal.h"

/* The plane seen from the body */
typedef struct view_detect2 {
    const tc_real *vertices;
    tc_real nx, ny; /* normal, body axes */
    tc_real lift;   /* gap of a vertex at the centre of mass [m] */
} view_detect2;

static inline tc_real gap_of_detect2(const view_detect2 *v, uint32_t i)
{
    return TC_MLA(TC_MLA(v->lift, v->nx, v->vertices[2u * i]), v->ny, v->vertices[2u * i + 1u]);
}

static inline tc_real lever_of_detect2(const view_detect2 *v, uint32_t i)
{
    return TC_MLS(v->ny * v->vertices[2u * i], v->nx, v->vertices[2u * i + 1u]);
}

/* Moves the extreme contacts to the lowest vertices within `near` of them along the plane; of equals the
 * first. */
static void take_lowest_detect2(const view_detect2 *v, uint32_t count, tc_real near, uint32_t *first, uint32_t *last)
{
    const tc_real low = lever_of_detect2(v, *first) + near, high = lever_of_detect2(v, *last) - near;
    tc_real least = TC_C(1e30), least_last = TC_C(1e30);
    for (uint32_t i = 0; i < count; ++i) {
        const tc_real lever = lever_of_detect2(v, i);
        if (lever > low && lever < high) continue;
        const tc_real gap = gap_of_detect2(v, i);
        if (lever <= low && gap < least) {
            least = gap;
            *first = i;
        }
        if (lever >= high && gap < least_last) {
            least_last = gap;
            *last = i;
        }
    }
}

/* Vertex i as contact `slot`; an unused slot is zero. */
static void put_detect2(tc_patch2 *patch, uint32_t slot, const view_detect2 *v, uint32_t i, int used)
{
    patch->vertex[slot] = used ? i : 0u;
    patch->lever[slot] = used ? lever_of_detect2(v, i) : TC_C(0.0);
    patch->gap[slot] = used ? gap_of_detect2(v, i) : TC_C(0.0);
}

/* The extreme contacts `first` and `last` as a patch. Vertices one above the other have levers that differ by
 * rounding, a few times 6e-8 of the arm; a quarter of the resolution finds them and keeps the ends apart. */
static void reduce(const view_detect2 *v, uint32_t count, uint32_t found, uint32_t first, uint32_t last,
                   tc_patch2 *patch)
{
    int edge = 0;
    if (found > 1u) {
        const tc_real low = lever_of_detect2(v, first), high = lever_of_detect2(v, last);
        const tc_real far = tc_vec_max(tc_vec_magnitude(low), tc_vec_magnitude(high));
        const tc_real resolution = TC_PATCH_RESOLUTION * (far + tc_vec_magnitude(patch->height));
        edge = high - low > resolution;
        if (found > 2u || !edge) {
            take_lowest_detect2(v, count, edge ? TC_C(0.25) * resolution : high - low, &first, &last);
        }
    }
    patch->count = edge ? 2u : 1u;
    put_detect2(patch, 0, v, first, 1);
    put_detect2(patch, 1, v, last, edge);
}

void tc_detect2_unchecked(const tc_shape2 *shape, const tc_body2_state *state,
                                const tc_plane2 *plane, tc_real margin, tc_patch2 *patch)
{
    const tc_real nx = plane->normal[0], ny = plane->normal[1];
    const uint32_t count = shape->count;
    tc_real sine, cosine;
    tc_sincos_core(state->position[2], &sine, &cosine);
    const tc_real height = TC_MLA(TC_MLA(-plane->offset, nx, state->position[0]), ny, state->position[1]);
    const view_detect2 v = {shape->vertices, TC_MLA(cosine * nx, sine, ny), TC_MLS(cosine * ny, sine, nx),
                    height - shape->radius};

    uint32_t found = 0, first = 0, last = 0;
    tc_real low = TC_C(1e30), high = TC_C(-1e30);
    for (uint32_t i = 0; i < count; ++i) {
        if (!(gap_of_detect2(&v, i) < margin)) continue;
        const tc_real lever = lever_of_detect2(&v, i);
        ++found;
        if (lever < low) {
            low = lever;
            first = i;
        }
        if (lever > high) {
            high = lever;
            last = i;
        }
    }
    patch->normal[0] = nx;
    patch->normal[1] = ny;
    patch->height = height;
    if (found != 0u) {
        reduce(&v, count, found, first, last, patch);
        return;
    }
    patch->count = 0;
    put_detect2(patch, 0, &v, 0, 0);
    put_detect2(patch, 1, &v, 0, 0);
}

static tc_status check_call_detect2(const tc_shape2 *shape, const tc_body2_state *state,
                            const tc_plane2 *plane, tc_real margin)
{
    if (!shape || !state || !plane || !shape->vertices) return TC_ERR_NULL;
    if (shape->count - 1u >= TC_SHAPE_MAX) return TC_ERR_SIZE;
    const tc_real numbers = tc_vec_zero(state->position, 3) + tc_vec_zero(plane->normal, 2);
    const tc_real rest = TC_C(0.0) * margin * plane->offset * shape->radius;
    if (!(numbers + rest == TC_C(0.0))) return TC_ERR_NOT_FINITE;
    if (shape->radius < TC_C(0.0)) return TC_ERR_RANGE;
    return tc_vec_is_unit(plane->normal, 2) ? TC_OK : TC_ERR_UNIT;
}

tc_status tc_detect2(const tc_shape2 *shape, const tc_body2_state *state,
                           const tc_plane2 *plane, tc_real margin, tc_patch2 *patch)
{
    static const tc_patch2 none = {0};
    if (!patch) return TC_ERR_NULL;
    tc_status status = check_call_detect2(shape, state, plane, margin);
    if (status == TC_OK) {
        tc_detect2_unchecked(shape, state, plane, margin, patch);
        const tc_real numbers = tc_vec_zero(patch->lever, 2) + tc_vec_zero(patch->gap, 2);
        if (numbers + TC_C(0.0) * patch->height == TC_C(0.0)) return TC_OK;
        status = TC_ERR_RANGE;
    }
    *patch = none;
    return status;
}

/* ---- Shapes ------------------------------------------------------------------------------------ */

/* Twice the area of the triangle of corners i, j, k, counter-clockwise positive */
static tc_real turn_of_detect2(const tc_real *v, uint32_t i, uint32_t j, uint32_t k)
{
    const tc_real ax = v[2u * j] - v[2u * i], ay = v[2u * j + 1u] - v[2u * i + 1u];
    const tc_real bx = v[2u * k] - v[2u * i], by = v[2u * k + 1u] - v[2u * i + 1u];
    return TC_MLS(ax * by, ay, bx);
}

/* Every corner lies left of every side, up to 8 roundings of the largest arm squared: that is convexity, and
 * excludes going round twice. Some corner lies left of it by more: that is an area. */
static int is_convex(const tc_real *v, uint32_t n, tc_real largest)
{
    const tc_real rounding = TC_C(8.0) * TC_EPSILON * largest * largest;
    int area = 0;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t next = i + 1u == n ? 0u : i + 1u;
        for (uint32_t k = 0; k < n; ++k) {
            const tc_real turn = turn_of_detect2(v, i, next, k);
            if (turn < -rounding) return 0;
            area |= turn > rounding;
        }
    }
    return area;
}

tc_status tci_detect_check_vertices(const tc_real *vertices, uint32_t count, uint32_t dimension, tc_real radius,
                                  tc_real *largest)
{
    if (!vertices) return TC_ERR_NULL;
    if (count - 1u >= TC_SHAPE_MAX) return TC_ERR_SIZE;
    if (!tc_all_finite(vertices, count * dimension) || !tc_all_finite(&radius, 1)) return TC_ERR_NOT_FINITE;
    *largest = TC_C(0.0);
    for (uint32_t i = 0; i < count * dimension; ++i) {
        *largest = tc_vec_max(tc_vec_magnitude(vertices[i]), *largest);
    }
    if (radius < TC_C(0.0) || radius > TCI_DETECT_COORDINATE_MAX || *largest > TCI_DETECT_COORDINATE_MAX) {
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
    const tc_status status = tci_detect_check_vertices(v, shape->count, 2, shape->radius, &largest);
    if (status != TC_OK || shape->count < 3u) return status;
    return is_convex(v, shape->count, largest) ? TC_OK : TC_ERR_PATCH;
}
