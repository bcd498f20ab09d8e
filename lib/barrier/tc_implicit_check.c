/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Whether a scene can be stepped.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

#include <string.h>

static const tc_real most_number = TC_C(1e6);

static int in_bounds(tc_real x, tc_real low)
{
    return x >= low && x <= most_number;
}

static int all_within(const tc_real *x, uint32_t n)
{
    int all = 1;
    for (uint32_t i = 0; i < n; ++i) all &= in_bounds(x[i], -most_number);
    return all;
}

/* All numbers of a body in one sum: 0, or NaN */
static tc_real sum_of_body(const tc_implicit_body *body)
{
    tc_real zero = tc_vec_zero(body->inertia, 3) + tc_vec_zero(body->anchor_at, 3)
                   + tc_vec_zero(body->anchor, 3) + tc_vec_zero(body->rest, 4)
                   + tc_vec_zero(body->axis, 3) + tc_vec_zero(body->stiffness, 2)
                   + tc_vec_zero(body->damping, 2);
    return zero + TC_C(0.0) * body->mass + TC_C(0.0) * body->drag + TC_C(0.0) * body->drag_radius;
}

/* Mass and inertia; in space no second moment may be negative */
static int is_heavy(const tc_implicit_space *space, const tc_implicit_body *body)
{
    const int held = body->joint == TC_IMPLICIT_WELD;
    const uint32_t count = space->dimension == 2u ? 1u : 3u;
    const tc_real *const I = body->inertia;
    int heavy = held ? body->mass >= TC_C(0.0) : body->mass > TC_C(0.0);
    for (uint32_t i = 0; i < count; ++i) {
        heavy &= held ? I[i] >= TC_C(0.0) : I[i] > TC_C(0.0);
        if (count == 3u) {
            const tc_real rest = TC_C(1.0001) * (I[(i + 1u) % 3u] + I[(i + 2u) % 3u]);
            heavy &= I[i] <= rest;
        }
    }
    return heavy;
}

/* Whether the bodies between a body and the world come before it, and are few. */
static int has_root(const tc_implicit_scene *scene, uint32_t b)
{
    for (uint32_t depth = 0; depth < TC_IMPLICIT_DEPTH_MAX; ++depth) {
        const uint32_t parent = tci_implicit_parent(&scene->body[b]);
        if (parent == TC_IMPLICIT_WORLD) return 1;
        if (parent >= b) return 0;
        b = parent;
    }
    return 0;
}

/* 4 numbers; all 0: the same axes */
static int is_rest(const tc_real *rest, uint32_t D)
{
    tc_real size = TC_C(0.0);
    for (uint32_t i = 0; i < 4u; ++i) size = tc_vec_max(size, tc_vec_magnitude(rest[i]));
    return D == 2u || size == TC_C(0.0) || tc_vec_is_unit(rest, 4u);
}

static tc_status check_held(const tc_implicit_scene *scene, uint32_t b)
{
    const tc_implicit_body *const body = &scene->body[b];
    const uint32_t D = scene->space->dimension;
    if (tci_implicit_is_free(body)) return TC_OK;
    if (!has_root(scene, b)) return TC_ERR_SIZE;
    const int hinge = body->joint == TC_IMPLICIT_HINGE && D == 3u;
    if ((hinge || body->joint == TC_IMPLICIT_SLIDE) && !tc_vec_is_unit(body->axis, D)) {
        return TC_ERR_UNIT;
    }
    return is_rest(body->rest, D) ? TC_OK : TC_ERR_UNIT;
}

static int drives_within(const tc_implicit_body *body)
{
    int within = in_bounds(body->drag, TC_C(0.0)) && in_bounds(body->drag_radius, TC_C(0.0));
    for (uint32_t i = 0; i < 2u; ++i) {
        within &= body->stiffness[i] >= TC_C(0.0) && body->damping[i] >= TC_C(0.0);
    }
    return within && all_within(body->anchor_at, 3u) && all_within(body->anchor, 3u);
}

static tc_status check_one_body(const tc_implicit_scene *scene, uint32_t b)
{
    const tc_implicit_body *const body = &scene->body[b];
    if ((uint32_t)body->joint > 4u || !scene->space->supported[body->joint]
        || (uint32_t)body->drive > 2u) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!(sum_of_body(body) == TC_C(0.0))) return TC_ERR_NOT_FINITE;
    if (!is_heavy(scene->space, body)) return TC_ERR_BODY;
    if (!drives_within(body)) return TC_ERR_RANGE;
    return check_held(scene, b);
}

static tc_status check_set(const tc_implicit_space *space, const tc_barrier_set *set)
{
    tc_real zero = TC_C(0.0) * set->radius;
    int within = in_bounds(set->radius, TC_C(0.0));
    if (set->vertices == NULL) return TC_ERR_NULL;
    if (set->count == 0u || set->count > TC_BARRIER_VERTICES_MAX) return TC_ERR_SIZE;
    for (uint32_t i = 0; i < set->count * space->dimension; ++i) {
        zero += TC_C(0.0) * set->vertices[i];
        within &= in_bounds(set->vertices[i], -most_number);
    }
    if (!(zero == TC_C(0.0))) return TC_ERR_NOT_FINITE;
    return within ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_one_floor(const tc_implicit_space *space, const tc_implicit_floor *floor)
{
    const tc_real zero =
        tc_vec_zero(floor->normal, 3) + TC_C(0.0) * floor->offset + TC_C(0.0) * floor->friction;
    if (!(zero == TC_C(0.0))) return TC_ERR_NOT_FINITE;
    if (!tc_vec_is_unit(floor->normal, space->dimension)) return TC_ERR_UNIT;
    if (space->dimension == 2u && floor->normal[2] != TC_C(0.0)) return TC_ERR_UNIT;
    return all_within(&floor->offset, 1u) && in_bounds(floor->friction, TC_C(0.0)) ? TC_OK
                                                                                   : TC_ERR_RANGE;
}

static tc_status check_one_pair(const tc_implicit_scene *scene, const tc_implicit_pair *pair)
{
    if (pair->a >= scene->pieces || pair->b >= scene->pieces
        || scene->piece[pair->a].body == scene->piece[pair->b].body) {
        return TC_ERR_SIZE;
    }
    if (!(TC_C(0.0) * pair->friction == TC_C(0.0))) return TC_ERR_NOT_FINITE;
    return in_bounds(pair->friction, TC_C(0.0)) ? TC_OK : TC_ERR_RANGE;
}

static int is_above_zero(tc_real x, tc_real most)
{
    return x > TC_C(0.0) && x <= most;
}

static tc_status check_tuning(const tc_implicit_scene *scene)
{
    const tc_real zero = tc_vec_zero(scene->gravity, 3) + TC_C(0.0) * scene->step
                         + TC_C(0.0) * scene->weight + TC_C(0.0) * scene->slow
                         + TC_C(0.0) * scene->tolerance;
    const uint32_t iterations = scene->iterations - 1u, trials = scene->trials - 1u;
    int right = is_above_zero(scene->step, most_number) && is_above_zero(scene->slow, most_number);
    if (!(zero == TC_C(0.0))) return TC_ERR_NOT_FINITE;
    right &= is_above_zero(scene->tolerance, TC_C(1.0)) && in_bounds(scene->weight, TC_C(0.0));
    right &= iterations < 1000u && trials < 100u && all_within(scene->gravity, 3u);
    return right ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_parts(const tc_implicit_scene *scene)
{
    tc_status status = TC_OK;
    for (uint32_t b = 0; b < scene->bodies && status >= TC_OK; ++b) {
        status = check_one_body(scene, b);
    }
    for (uint32_t p = 0; p < scene->pieces && status >= TC_OK; ++p) {
        status = scene->piece[p].body >= scene->bodies
                     ? TC_ERR_SIZE
                     : check_set(scene->space, &scene->piece[p].set);
    }
    for (uint32_t f = 0; f < scene->floors && status >= TC_OK; ++f) {
        status = check_one_floor(scene->space, &scene->floor[f]);
    }
    for (uint32_t p = 0; p < scene->pairs && status >= TC_OK; ++p) {
        status = check_one_pair(scene, &scene->pair[p]);
    }
    return status;
}

/* Arrays that have members are there. */
static int has_all_arrays(const tc_implicit_scene *scene)
{
    return scene->space != NULL && (scene->body != NULL || scene->bodies == 0u)
           && (scene->piece != NULL || scene->pieces == 0u)
           && (scene->floor != NULL || scene->floors == 0u)
           && (scene->pair != NULL || scene->pairs == 0u);
}

static tc_status check_whole(const tc_implicit_scene *scene, tc_implicit_sizes *sizes)
{
    if (scene->bodies == 0u || scene->bodies > TC_IMPLICIT_BODIES_MAX) return TC_ERR_SIZE;
    tc_status status = tc_barrier_check(&scene->barrier);
    if (status >= TC_OK) status = check_tuning(scene);
    if (status >= TC_OK) status = check_parts(scene);
    if (status < TC_OK) return status;
    tc_implicit_measure(scene, sizes);
    return sizes->freedoms - 1u < TC_IMPLICIT_FREEDOM_MAX ? TC_OK : TC_ERR_SIZE;
}

tc_status tc_implicit_check(const tc_implicit_scene *scene, tc_implicit_sizes *sizes)
{
    if (sizes == NULL) return TC_ERR_NULL;
    memset(sizes, 0, sizeof *sizes);
    if (scene == NULL || !has_all_arrays(scene)) return TC_ERR_NULL;
    const tc_status status = check_whole(scene, sizes);
    if (status < TC_OK) memset(sizes, 0, sizeof *sizes);
    return status;
}
