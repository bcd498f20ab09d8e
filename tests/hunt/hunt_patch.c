/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Detectors and the maps of a patch under the hunt. Shapes: the corners of a regular polygon, seen
 * from above in space, each drawn inwards and moved up or down by numbers of its own, and taken in
 * an order that a stride makes; planar ones an ellipse, since they have to be convex. The changes
 * told are contacts.
 */
#include "hunt.h"

#include <string.h>

/* Tilted a little, and turned */
static void orient(const tc_real **numbers, tc_real q[4])
{
    q[0] = TC_C(1.0);
    q[1] = hunt_signed(numbers, TC_C(0.3));
    q[2] = hunt_signed(numbers, TC_C(0.3));
    q[3] = hunt_signed(numbers, TC_C(1.0));
    const tc_real length = tc_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (uint32_t k = 0; k < 4u; k++) {
        q[k] /= length;
    }
}

static void corner(uint32_t i, uint32_t n, tc_real *x, tc_real *y)
{
    const tc_real angle = TC_C(6.2831853) * (tc_real)i / (tc_real)n;
    *x = TC_C(0.1) * tc_cos(angle);
    *y = TC_C(0.1) * tc_sin(angle);
}

static void make_polyhedron(const tc_real **numbers, uint32_t n, tc_real *vertices)
{
    const uint32_t stride = 2u * (uint32_t)hunt_between(numbers, TC_C(0.0), TC_C(15.9)) + 1u;
    for (uint32_t i = 0; i < n; i++) {
        tc_real *const v = vertices + 3u * i;
        corner(i * stride % n, n, &v[0], &v[1]);
        const tc_real inwards = hunt_signed(numbers, TC_C(0.5));
        v[0] *= TC_C(1.0) - inwards * inwards;
        v[1] *= TC_C(1.0) - inwards * inwards;
        v[2] = hunt_signed(numbers, TC_C(0.05));
    }
}

/* size: vertices */
hunt_result hunt_detect2(const hunt_file *file, const uint32_t *input)
{
    static tc_real vertices[2u * TC_SHAPE_MAX];
    const tc_plane2 floor = {{TC_C(0.0), TC_C(1.0)}, TC_C(0.0)};
    const tc_real *numbers = (const tc_real *)input;
    tc_body2_state state;
    tc_patch2 patch;
    tc_status status;
    const tc_real flat = hunt_between(&numbers, TC_C(0.02), TC_C(1.0));
    for (uint32_t i = 0; i < file->size[0]; i++) {
        corner(i, file->size[0], &vertices[2u * i], &vertices[2u * i + 1u]);
        vertices[2u * i + 1u] *= flat;
    }
    memset(&state, 0, sizeof state);
    state.position[1] = hunt_between(&numbers, TC_C(-0.15), TC_C(0.15));
    state.position[2] = hunt_signed(&numbers, TC_C(10.0));
    const tc_shape2 shape = {vertices, file->size[0], TC_C(0.0)};
    const tc_real margin = hunt_signed(&numbers, TC_C(0.1));
    HUNT_REGION(status = tc_detect2(&shape, &state, &floor, margin, &patch));
    return (hunt_result){status, patch.count};
}

static tc_status detect(const hunt_file *file, const tc_real **numbers, int counted,
                        tc_patch3 *patch)
{
    static tc_real vertices[3u * TC_SHAPE_MAX];
    const tc_plane3 floor = {{TC_C(0.0), TC_C(0.0), TC_C(1.0)}, TC_C(0.0)};
    const tc_shape3 shape = {vertices, file->size[0], TC_C(0.0)};
    tc_body3_state state;
    tc_status status;
    make_polyhedron(numbers, file->size[0], vertices);
    memset(&state, 0, sizeof state);
    orient(numbers, state.orientation);
    state.position[2] = hunt_between(numbers, TC_C(-0.15), TC_C(0.1));
    const tc_real margin = hunt_signed(numbers, TC_C(0.1));
    if (counted) {
        HUNT_REGION(status = tc_detect3(&shape, &state, &floor, margin, patch));
    } else {
        status = tc_detect3(&shape, &state, &floor, margin, patch);
    }
    return status;
}

/* size: vertices */
hunt_result hunt_detect3(const hunt_file *file, const uint32_t *input)
{
    const tc_real *numbers = (const tc_real *)input;
    tc_patch3 patch;
    const tc_status status = detect(file, &numbers, 1, &patch);
    return (hunt_result){status, patch.count};
}

/* size: vertices; 0 rows, 1 impulse, 2 velocity, 3 check */
hunt_result hunt_patch(const hunt_file *file, const uint32_t *input)
{
    const tc_real *numbers = (const tc_real *)input;
    tc_real given[TC_PATCH_MAX + TC_PATCH3_FRICTION_MAX], normal[6u * TC_PATCH_MAX], friction[18],
        result[6];
    tc_patch3 patch;
    tc_status status;
    (void)detect(file, &numbers, 0, &patch);
    for (uint32_t i = 0; i < TC_COUNT(given); i++) {
        given[i] = hunt_signed(&numbers, TC_C(1e3));
    }
    if (file->size[1] == 0u) {
        HUNT_REGION(status = tc_patch3_rows(&patch, normal, friction));
    } else if (file->size[1] == 1u) {
        HUNT_REGION(status = tc_patch3_impulse(&patch, given, given + TC_PATCH_MAX, result));
    } else if (file->size[1] == 2u) {
        HUNT_REGION(status = tc_patch3_velocity(&patch, given, normal, friction));
    } else {
        HUNT_REGION(status = tc_patch3_check(&patch));
    }
    return (hunt_result){status, patch.count};
}
