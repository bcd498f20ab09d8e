/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The reduction of contacts that any detector found to those of a patch.
 *
 * One reduction serves all detectors: tc_detect2.c and tc_detect3.c have its text and derivation.
 * It takes points v under a linear map,
 *
 *     place = (e_0 . v, e_1 . v),   gap = e_n . v + lift,   lift = height - radius,
 *
 * with e the plane's frame in body axes. Contacts (x, y, gap) in the plane's own frame are such
 * points. The body stands upright on the plane z = 0, so that e is the identity. Its centre of mass
 * is `height` above the plane. The radius is the height, so that lift is 0. Such a map rounds no
 * product: places and gaps come out as they went in, -0 as 0.
 *
 * Which contacts stay. In space the corners of the contacts' hull: in every direction along the
 * plane the farthest contact is a corner. With up to eight corners the patch therefore bears every
 * moment that all contacts together could bear. Of more corners the reduction leaves out those
 * that lie outside by least. In the plane the hull is an interval, and its two ends stay.
 */
#include "tc_exact.h"
#include "tc_patch.h"

#include "tc_detect2.h"
#include "tc_detect3.h"
#include "tc_shape_internal.h"
#include "tc_vec.h"

static tc_status check_points(const tc_real *points, uint32_t count, uint32_t dimension,
                              tc_real height, tc_real margin)
{
    if (count - 1u >= TC_SHAPE_MAX) return TC_ERR_SIZE;
    const tc_real given[2] = {height, margin};
    if (!tc_all_finite(points, count * dimension) || !tc_all_finite(given, 2)) {
        return TC_ERR_NOT_FINITE;
    }
    tc_real largest = tc_vec_magnitude(height);
    for (uint32_t i = 0; i < count * dimension; ++i) {
        largest = tc_vec_max(tc_vec_magnitude(points[i]), largest);
    }
    return largest <= TCI_SHAPE_COORDINATE_MAX ? TC_OK : TC_ERR_RANGE;
}

/* Checks the plane's directions: a patch of one contact at the centre of mass has no other fault.
 * `patch` is zero, and again after an error. */
static tc_status check_normal(const tc_real normal[2], tc_patch2 *patch)
{
    static const tc_patch2 none = {0};
    patch->count = 1;
    for (uint32_t k = 0; k < 2u; ++k) patch->normal[k] = normal[k];
    const tc_status status = tc_patch2_check(patch);
    if (status < TC_OK) *patch = none;
    return status;
}

static tc_status check_frame(const tc_real frame[3][3], tc_patch3 *patch)
{
    static const tc_patch3 none = {0};
    patch->count = 1;
    for (uint32_t k = 0; k < 9u; ++k) patch->frame[k / 3u][k % 3u] = frame[k / 3u][k % 3u];
    const tc_status status = tc_patch3_check(patch);
    if (status < TC_OK) *patch = none;
    return status;
}

tc_status tc_patch2_reduce(const tc_real *points, uint32_t count, const tc_real normal[2],
                           tc_real height, tc_real margin, tc_patch2 *patch)
{
    static const tc_patch2 none = {0};
    if (!patch) return TC_ERR_NULL;
    *patch = none;
    if (!points || !normal) return TC_ERR_NULL;
    tc_status status = check_points(points, count, 2, height, margin);
    if (status >= TC_OK) status = check_normal(normal, patch);
    if (status < TC_OK) return status;
    const tc_shape2 shape = {points, count, height};
    const tc_body2_state upright = {{TC_C(0.0), height, TC_C(0.0)}, {TC_C(0.0)}};
    const tc_plane2 ground = {{TC_C(0.0), TC_C(1.0)}, TC_C(0.0)};
    tc_detect2_unchecked(&shape, &upright, &ground, margin, patch);
    for (uint32_t k = 0; k < 2u; ++k) patch->normal[k] = normal[k];
    return TC_OK;
}

tc_status tc_patch3_reduce(const tc_real *points, uint32_t count, const tc_real frame[3][3],
                           tc_real height, tc_real margin, tc_patch3 *patch)
{
    static const tc_patch3 none = {0};
    static const tc_real upright[9] = {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0),
                                       TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)};
    if (!patch) return TC_ERR_NULL;
    *patch = none;
    if (!points || !frame) return TC_ERR_NULL;
    tc_status status = check_points(points, count, 3, height, margin);
    if (status >= TC_OK) status = check_frame(frame, patch);
    if (status < TC_OK) return status;
    const tc_shape3 shape = {points, count, height};
    const tc_real position[3] = {TC_C(0.0), TC_C(0.0), height};
    const tc_plane3 ground = {{TC_C(0.0), TC_C(0.0), TC_C(1.0)}, TC_C(0.0)};
    tc_detect3_turned(&shape, position, upright, &ground, margin, patch);
    for (uint32_t k = 0; k < 9u; ++k) patch->frame[k / 3u][k % 3u] = frame[k / 3u][k % 3u];
    return TC_OK;
}
