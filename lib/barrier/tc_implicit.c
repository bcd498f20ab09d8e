/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Scenes and states: defaults, pairs, coordinates.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

#include <string.h>

tc_implicit_scene tc_implicit_default(const tc_implicit_space *space)
{
    tc_implicit_scene scene;
    memset(&scene, 0, sizeof scene);
    scene.space = space;
    scene.step = TC_C(0.04);
    scene.weight = TC_C(1e-6);
    scene.barrier = tc_barrier_default();
    scene.slow = TC_C(0.001);
#ifdef TC_DOUBLE
    scene.tolerance = TC_C(1e-10);
#else
    scene.tolerance = TC_C(1e-7);
#endif
    scene.iterations = 60u;
    scene.trials = 40u;
    return scene;
}

/* Whether a body is fixed to the world: welds lead there. */
static int is_fixed(const tc_implicit_scene *scene, uint32_t b)
{
    for (uint32_t depth = 0; depth < scene->bodies && b != TC_IMPLICIT_WORLD; ++depth) {
        if (scene->body[b].joint != TC_IMPLICIT_WELD) return 0;
        b = tci_implicit_parent(&scene->body[b]);
    }
    return 1;
}

static int may_touch(const tc_implicit_scene *scene, uint32_t a, uint32_t b)
{
    if (a == b || (is_fixed(scene, a) && is_fixed(scene, b))) return 0;
    return tci_implicit_parent(&scene->body[a]) != b && tci_implicit_parent(&scene->body[b]) != a;
}

uint32_t tc_implicit_pairs(const tc_implicit_scene *scene, tc_real friction, tc_implicit_pair *pair,
                           uint32_t length)
{
    uint32_t count = 0;
    if (scene == NULL || scene->piece == NULL || scene->body == NULL) return 0;
    for (uint32_t a = 0; a < scene->pieces; ++a) {
        for (uint32_t b = a + 1u; b < scene->pieces; ++b) {
            if (!may_touch(scene, scene->piece[a].body, scene->piece[b].body)) continue;
            if (pair != NULL && count < length) {
                const tc_implicit_pair here = {a, b, friction};
                pair[count] = here;
            }
            ++count;
        }
    }
    return count;
}

/* Quaternions of a body become of unit length. */
static tc_status make_unit(const tc_implicit_space *space, const tc_implicit_body *body, tc_real *q)
{
    const uint32_t scalars = space->scalars[body->joint];
    if (space->coordinates[body->joint] == scalars) return TC_OK;
    q += scalars;
    const tc_real given[4] = {q[0], q[1], q[2], q[3]};
    const tc_real length2 = TC_MLA(tc_vec_dot3(q + 1, q + 1), q[0], q[0]);
    if (!(length2 > TC_C(1e-12))) return TC_ERR_UNIT;
    tc_vec_quaternion_set(given, q);
    return TC_OK;
}

static int all_finite(const tc_real *x, uint32_t n)
{
    tc_real zero = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) zero += TC_C(0.0) * x[i];
    return zero == TC_C(0.0);
}

tc_status tc_implicit_start(const tc_implicit_scene *scene, const tc_real *coordinates,
                            const tc_real *velocity, tc_real *state)
{
    tc_implicit_sizes sizes;
    tc_status status = TC_OK;
    if (scene == NULL || coordinates == NULL || velocity == NULL || state == NULL) {
        return TC_ERR_NULL;
    }
    tc_implicit_measure(scene, &sizes);
    if (!all_finite(coordinates, sizes.coordinates) || !all_finite(velocity, sizes.freedoms)) {
        return tc_vec_zeroed(TC_ERR_NOT_FINITE, state, sizes.state);
    }
    memmove(state, coordinates, sizes.coordinates * sizeof *state);
    tc_real *q = state;
    for (uint32_t b = 0; b < scene->bodies && status >= TC_OK; ++b) {
        status = make_unit(scene->space, &scene->body[b], q);
        q += scene->space->coordinates[scene->body[b].joint];
    }
    if (status < TC_OK) return tc_vec_zeroed(status, state, sizes.state);
    tci_implicit_advance(scene, state, -scene->step, velocity, state + sizes.coordinates);
    return TC_OK;
}

tc_status tc_implicit_difference(const tc_implicit_scene *scene, const tc_real *to,
                                 const tc_real *from, tc_real *increment)
{
    tc_implicit_sizes sizes;
    if (scene == NULL || to == NULL || from == NULL || increment == NULL) return TC_ERR_NULL;
    tc_implicit_measure(scene, &sizes);
    tci_implicit_part(scene, to, from, increment);
    tci_implicit_part(scene, to + sizes.coordinates, from + sizes.coordinates,
                      increment + sizes.freedoms);
    return TC_OK;
}

tc_status tc_implicit_add(const tc_implicit_scene *scene, const tc_real *from,
                          const tc_real *increment, tc_real *to)
{
    tc_implicit_sizes sizes;
    if (scene == NULL || to == NULL || from == NULL || increment == NULL) return TC_ERR_NULL;
    tc_implicit_measure(scene, &sizes);
    tci_implicit_advance(scene, from, TC_C(1.0), increment, to);
    tci_implicit_advance(scene, from + sizes.coordinates, TC_C(1.0), increment + sizes.freedoms,
                         to + sizes.coordinates);
    return TC_OK;
}
