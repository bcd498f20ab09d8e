/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The planar contact detector.
 *
 * The plane is turned into body axes, not the vertices into the world: with n_b = R^T n and
 * t_b = (n_by, -n_bx)
 *
 *     gap_i   = n_b . v_i + (n . x - offset - radius)
 *     lever_i = t_b . v_i
 *
 * are two products each. A rounding radius moves the contact along the normal only, so lever and
 * height stay those of the vertex and of the centre of mass.
 *
 * Cost on Cortex-M4F: 180 instructions, sine and cosine included, 13 per vertex, and 20 to 30 more
 * per contact; 70 for the checks. A rectangle on its side 310.
 */
#include "tc_exact.h"
#include "tc_detect2.h"

#include "tc_vec.h"

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

/* Moves the extreme contacts to the lowest vertices within `near` of them along the plane; of
 * equals the first. */
static void take_lowest_detect2(const view_detect2 *v, uint32_t count, tc_real near,
                                uint32_t *first, uint32_t *last)
{
    const tc_real low = lever_of_detect2(v, *first) + near,
                  high = lever_of_detect2(v, *last) - near;
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
static void put_detect2(tc_patch2 *patch, uint32_t slot, const view_detect2 *v, uint32_t i,
                        int used)
{
    patch->vertex[slot] = used ? i : 0u;
    patch->lever[slot] = used ? lever_of_detect2(v, i) : TC_C(0.0);
    patch->gap[slot] = used ? gap_of_detect2(v, i) : TC_C(0.0);
}

/* The extreme contacts `first` and `last` as a patch. Vertices one above the other have levers that
 * differ by rounding, a few times 6e-8 of the arm; a quarter of the resolution finds them and keeps
 * the ends apart. */
static void reduce_edge(const view_detect2 *v, uint32_t count, uint32_t found, uint32_t first,
                        uint32_t last, tc_patch2 *patch)
{
    int edge = 0;
    if (found > 1u) {
        const tc_real low = lever_of_detect2(v, first), high = lever_of_detect2(v, last);
        const tc_real far = tc_vec_max(tc_vec_magnitude(low), tc_vec_magnitude(high));
        const tc_real resolution = TC_PATCH_RESOLUTION * (far + tc_vec_magnitude(patch->height));
        edge = high - low > resolution;
        if (found > 2u || !edge) {
            take_lowest_detect2(v, count, edge ? TC_C(0.25) * resolution : high - low, &first,
                                &last);
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
    const tc_real height =
        TC_MLA(TC_MLA(-plane->offset, nx, state->position[0]), ny, state->position[1]);
    const view_detect2 v = {shape->vertices, TC_MLA(cosine * nx, sine, ny),
                            TC_MLS(cosine * ny, sine, nx), height - shape->radius};

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
        reduce_edge(&v, count, found, first, last, patch);
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

tc_status tc_detect2(const tc_shape2 *shape, const tc_body2_state *state, const tc_plane2 *plane,
                     tc_real margin, tc_patch2 *patch)
{
    static const tc_patch2 none = {0};
    if (!patch) return TC_ERR_NULL;
    tc_status status = check_call_detect2(shape, state, plane, margin);
    if (status >= TC_OK) {
        tc_detect2_unchecked(shape, state, plane, margin, patch);
        const tc_real numbers = tc_vec_zero(patch->lever, 2) + tc_vec_zero(patch->gap, 2);
        if (numbers + TC_C(0.0) * patch->height == TC_C(0.0)) return TC_OK;
        status = TC_ERR_RANGE;
    }
    *patch = none;
    return status;
}
