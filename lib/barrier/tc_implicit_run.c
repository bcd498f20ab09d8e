/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Lengths and arrays of a scene, and the coordinates' arithmetic.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

#include <string.h>

/* Next `count` numbers of the workspace */
static tc_real *carve_next(tc_real *work, size_t *used, size_t count)
{
    tc_real *const here = work == NULL ? NULL : work + *used;
    *used += count;
    return here;
}

static void lay_bodies(tci_implicit_run *run, tc_real *work, size_t *used)
{
    const tc_implicit_space *const space = run->space;
    const size_t bodies = run->scene->bodies;
    run->index = carve_next(work, used, 3u * bodies);
    run->reach = carve_next(work, used, run->scene->pieces);
    run->at_before = carve_next(work, used, bodies * space->pose);
    run->at_now = carve_next(work, used, bodies * space->pose);
    run->at = carve_next(work, used, bodies * space->pose);
    run->at_trial = carve_next(work, used, bodies * space->pose);
    run->coast = carve_next(work, used, bodies * space->target);
    run->move = carve_next(work, used, bodies * space->chart);
    run->bound = carve_next(work, used, 2u * bodies);
}

static void lay_pairs(tci_implicit_run *run, tc_real *work, size_t *used)
{
    const tc_implicit_space *const space = run->space;
    const size_t pairs = run->scene->pairs, planes = pairs * space->plane;
    const size_t sides = 2u * pairs + (size_t)run->scene->floors * run->scene->pieces;
    run->plane_now = carve_next(work, used, planes);
    run->plane = carve_next(work, used, planes);
    run->plane_trial = carve_next(work, used, planes);
    run->sums = carve_next(work, used, pairs * TCI_IMPLICIT_SUMS);
    run->sums_trial = carve_next(work, used, pairs * TCI_IMPLICIT_SUMS);
    run->spare = carve_next(work, used, TCI_IMPLICIT_SUMS);
    run->rate = carve_next(work, used, planes * 2u * space->chart);
    run->shift = carve_next(work, used, planes);
    run->clear = carve_next(work, used, sides);
    run->clear_trial = carve_next(work, used, sides);
}

static void lay_freedoms(tci_implicit_run *run, tc_real *work, size_t *used)
{
    const size_t n = run->sizes.freedoms, bodies = run->scene->bodies, chart = run->space->chart;
    run->axes = carve_next(work, used, 6u * n);
    run->q = carve_next(work, used, run->sizes.coordinates);
    run->q_trial = carve_next(work, used, run->sizes.coordinates);
    run->direction = carve_next(work, used, n);
    /* what derivatives are added to follows each other: one text makes it zero */
    run->body_gradient = carve_next(work, used, bodies * chart);
    run->body_hessian = carve_next(work, used, bodies * TCI_IMPLICIT_PACKED(chart));
    run->gradient = carve_next(work, used, n);
    run->hessian = carve_next(work, used, TCI_IMPLICIT_PACKED(n));
    run->factor = carve_next(work, used, TCI_IMPLICIT_PACKED(n));
    run->columns = carve_next(work, used, 2u * n * TCI_IMPLICIT_ROW(run->space));
}

static void count_bodies(const tc_implicit_scene *scene, tc_implicit_sizes *sizes)
{
    memset(sizes, 0, sizeof *sizes);
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        const tc_implicit_body *const body = &scene->body[b];
        sizes->coordinates += scene->space->coordinates[body->joint];
        sizes->freedoms += scene->space->freedoms[body->joint];
        sizes->control += tci_implicit_controls(scene->space, body);
    }
    sizes->state = 2u * sizes->coordinates;
    sizes->tangent = 2u * sizes->freedoms;
}

size_t tci_implicit_lay(tci_implicit_run *run, const tc_implicit_scene *scene, tc_real *work)
{
    size_t used = 0;
    run->scene = scene;
    run->space = scene->space;
    run->culprit = 0u;
    run->fresh = 0;
    run->value = run->gap = TC_C(0.0);
    count_bodies(scene, &run->sizes);
    run->held = run->sizes.freedoms != scene->bodies * scene->space->chart;
    lay_bodies(run, work, &used);
    lay_pairs(run, work, &used);
    lay_freedoms(run, work, &used);
    return used;
}

/* The sum of what is laid out above, for calls that lay nothing out */
size_t tci_implicit_length(const tc_implicit_scene *scene)
{
    const tc_implicit_space *const space = scene->space;
    const size_t F = space->chart, P = space->plane, n = scene->bodies * F;
    const size_t a_body = 5u + 4u * space->pose + space->target + 2u * F + TCI_IMPLICIT_PACKED(F)
                          + 2u * space->coordinates[TC_IMPLICIT_FREE];
    const size_t a_pair = (4u + 2u * F) * P + 2u * TCI_IMPLICIT_SUMS + 4u;
    return scene->bodies * a_body + scene->pairs * a_pair + scene->pieces + TCI_IMPLICIT_SUMS
           + 2u * (size_t)scene->floors * scene->pieces + (8u + 2u * TCI_IMPLICIT_ROW(space)) * n
           + 2u * TCI_IMPLICIT_PACKED(n);
}

void tci_implicit_number(tci_implicit_run *run)
{
    uint32_t at[3] = {0, 0, 0};
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        const tc_implicit_body *const body = &run->scene->body[b];
        for (uint32_t k = 0; k < 3u; ++k) run->index[3u * b + k] = (tc_real)at[k];
        at[0] += run->space->coordinates[body->joint];
        at[1] += run->space->freedoms[body->joint];
        at[2] += tci_implicit_controls(run->space, body);
    }
}

int tci_implicit_rubs(const tc_implicit_scene *scene)
{
    for (uint32_t p = 0; p < scene->pairs; ++p) {
        if (scene->pair[p].friction > TC_C(0.0)) return 1;
    }
    return 0;
}

uint32_t tci_implicit_planes(const tc_implicit_scene *scene)
{
    return scene->pairs * scene->space->plane;
}

void tc_implicit_measure(const tc_implicit_scene *scene, tc_implicit_sizes *sizes)
{
    tci_implicit_run run;
    const size_t work = tci_implicit_lay(&run, scene, NULL);
    *sizes = run.sizes;
    sizes->work = (uint32_t)work;
    sizes->record = tci_implicit_planes(scene) * (tci_implicit_rubs(scene) ? 2u : 1u)
                    + TCI_IMPLICIT_PACKED(sizes->freedoms);
}

/* ---- Coordinates ----------------------------------------------------------------------------- */

/* One body: q = from + share * direction */
static void advance_body(const tc_implicit_space *space, const tc_implicit_body *body,
                         const tc_real *from, tc_real share, const tc_real *direction, tc_real *q)
{
    const uint32_t scalars = space->scalars[body->joint];
    for (uint32_t i = 0; i < scalars; ++i) q[i] = TC_MLA(from[i], share, direction[i]);
    if (space->coordinates[body->joint] > scalars) {
        for (uint32_t i = scalars; i < scalars + 4u; ++i) q[i] = from[i];
        tc_vec_quaternion_turn(share, direction + scalars, q + scalars);
    }
}

void tci_implicit_advance(const tc_implicit_scene *scene, const tc_real *from, tc_real share,
                          const tc_real *direction, tc_real *q)
{
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        const tc_implicit_body *const body = &scene->body[b];
        const uint32_t count = scene->space->coordinates[body->joint];
        advance_body(scene->space, body, from, share, direction, q);
        from += count;
        q += count;
        direction += scene->space->freedoms[body->joint];
    }
}

/* The rotation vector of to from^-1; both of unit length */
static void part_quaternions(const tc_real *to, const tc_real *from, tc_real *v)
{
    const tc_real w = TC_MLA(tc_vec_dot3(to + 1, from + 1), to[0], from[0]);
    tc_vec_cross(from + 1, to + 1, v);
    for (uint32_t i = 0; i < 3u; ++i) v[i] += from[0] * to[i + 1u] - to[0] * from[i + 1u];
    const tc_real sine = tc_sqrt(tc_vec_dot3(v, v)), cosine = tc_vec_magnitude(w);
    /* 2 atan(x) / x is 2 up to rounding for small x */
    const int small = sine * sine <= TC_EPSILON * cosine * cosine;
    tc_real scale = small ? TC_C(2.0) / cosine : TC_C(2.0) * tc_atan2_core(sine, cosine) / sine;
    if (w < TC_C(0.0)) scale = -scale;
    for (uint32_t i = 0; i < 3u; ++i) v[i] *= scale;
}

void tci_implicit_part(const tc_implicit_scene *scene, const tc_real *to, const tc_real *from,
                       tc_real *increment)
{
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        const tc_implicit_joint joint = scene->body[b].joint;
        const uint32_t scalars = scene->space->scalars[joint];
        const uint32_t count = scene->space->coordinates[joint];
        for (uint32_t i = 0; i < scalars; ++i) increment[i] = to[i] - from[i];
        if (count > scalars) part_quaternions(to + scalars, from + scalars, increment + scalars);
        to += count;
        from += count;
        increment += scene->space->freedoms[joint];
    }
}

void tci_implicit_lock(const tci_implicit_run *run, tc_real *y)
{
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        const tc_implicit_body *const body = &run->scene->body[b];
        const uint32_t first = tci_implicit_first(run, b, 1);
        if (body->locked == 0u) continue;
        for (uint32_t i = 0; i < run->space->freedoms[body->joint]; ++i) {
            if (body->locked >> i & 1u) y[first + i] = TC_C(0.0);
        }
    }
}
