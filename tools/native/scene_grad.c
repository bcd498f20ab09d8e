/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roll-outs with directions. A leap: particles without gravity move on straight lines, so the time
 * at which two may come within reach is the root of a quadratic. Steps that end before it are taken
 * at once, which is the sum of what they do, but for rounding.
 */
#include "scene_grad.h"

#include "tc_scene_grad.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A roll-out on its way */
typedef struct carried_run {
    const tc_scene *scene;
    tc_scene_sizes sizes;
    tc_scene_step_config config;
    tc_real *q, *v;                   /* the state */
    tc_scene_grad_direction *tangent; /* [count] */
    tc_real *numbers;                 /* what they point to */
    uint32_t count;
    tc_real *work;
    size_t work_len;
} carried_run;

static tc_real *take_some(const double *from, uint32_t n, tc_real **room)
{
    tc_real *const to = *room;
    if (from == NULL) return NULL;
    for (uint32_t i = 0; i < n; ++i) to[i] = (tc_real)from[i];
    *room += n;
    return to;
}

static void give_some(const tc_real *from, uint32_t n, double *to)
{
    for (uint32_t i = 0; i < n; ++i) to[i] = (double)from[i];
}

static void take_directions(carried_run *run, const native_scene_direction *direction)
{
    const tc_scene *const scene = run->scene;
    tc_real *room = run->numbers;
    for (uint32_t k = 0; k < run->count; ++k) {
        const native_scene_direction *const from = &direction[k];
        run->tangent[k] =
            (tc_scene_grad_direction){.q = take_some(from->q, run->sizes.rates, &room),
                                      .v = take_some(from->v, run->sizes.rates, &room),
                                      .gravity = take_some(from->gravity, 3, &room),
                                      .mass = take_some(from->mass, scene->movers, &room),
                                      .inertia = take_some(from->inertia, scene->movers, &room),
                                      .surface = take_some(from->surface, scene->surfaces, &room),
                                      .mu = take_some(from->mu, scene->materials, &room),
                                      .e = take_some(from->e, scene->materials, &room)};
    }
}

static void close_run(carried_run *run)
{
    free(run->q);
    free(run->tangent);
    free(run->numbers);
    free(run->work);
}

static int open_run(carried_run *run, const native_scene_direction *direction,
                    const native_scene_carried *roll)
{
    const tc_scene *const s = run->scene;
    tc_scene_measure(s, &run->sizes);
    const size_t nq = run->sizes.coordinates, d = run->sizes.rates;
    const size_t each = 2u * d + 3u + 2u * s->movers + s->surfaces + 2u * s->materials;
    run->work_len = tc_scene_grad_work(s, run->count);
    run->q = malloc((nq + d) * sizeof(tc_real));
    run->tangent = calloc(run->count + 1u, sizeof *run->tangent);
    run->numbers = malloc((run->count * each + 1u) * sizeof(tc_real));
    run->work = malloc(run->work_len * sizeof(tc_real));
    if (run->q == NULL || run->tangent == NULL || run->numbers == NULL || run->work == NULL) {
        return 0;
    }
    tc_real *room = run->q;
    (void)take_some(roll->q, (uint32_t)nq, &room);
    run->v = room;
    (void)take_some(roll->v, (uint32_t)d, &room);
    take_directions(run, direction);
    return 1;
}

/* ---- Leaps ----------------------------------------------------------------------------------- */

static int leaps(const tc_scene *scene)
{
    int can = scene->joints == 0u && scene->limits == 0u && scene->springs == 0u;
    for (uint32_t k = 0; k < 3u; ++k) can = can && scene->gravity[k] == TC_C(0.0);
    for (uint32_t m = 0; m < scene->movers; ++m) {
        can = can && scene->mover[m].kind == TC_SCENE_PARTICLE;
    }
    for (uint32_t p = 0; p < scene->pairs; ++p) {
        const tc_scene_surface *const a = &scene->surface[scene->pair[p].a];
        can = can && (scene->dimension == 2u ? a->shape2->count : a->shape3->count) == 1u;
    }
    return can;
}

static double radius_of(const tc_scene *scene, const tc_scene_surface *surface)
{
    return (double)(scene->dimension == 2u ? surface->shape2->radius : surface->shape3->radius);
}

static const tc_real *centre_of(const tc_scene *scene, const tc_scene_surface *surface)
{
    return scene->dimension == 2u ? surface->shape2->vertices : surface->shape3->vertices;
}

/* Time until a ball comes within `near` of a half space */
static double time_to_plane(const carried_run *run, const tc_scene_pair *pair, double near)
{
    const tc_scene *const scene = run->scene;
    const tc_scene_surface *const a = &scene->surface[pair->a], *const b = &scene->surface[pair->b];
    const tc_real *const n = scene->dimension == 2u ? b->plane2->normal : b->plane3->normal;
    const uint32_t at = a->mover * scene->dimension;
    double gap = -radius_of(scene, a), speed = 0;
    gap -= (double)(scene->dimension == 2u ? b->plane2->offset : b->plane3->offset);
    for (uint32_t k = 0; k < scene->dimension; ++k) {
        gap += (double)n[k] * ((double)run->q[at + k] + (double)centre_of(scene, a)[k]);
        speed += (double)n[k] * (double)run->v[at + k];
    }
    if (gap <= near) return speed == 0 ? INFINITY : 0;
    return speed < 0 ? (near - gap) / speed : (double)INFINITY;
}

/* Time until two balls come within `near`: |d + u t| = R */
static double time_to_ball(const carried_run *run, const tc_scene_pair *pair, double near)
{
    const tc_scene *const scene = run->scene;
    const tc_scene_surface *const a = &scene->surface[pair->a], *const b = &scene->surface[pair->b];
    const uint32_t i = a->mover * scene->dimension, j = b->mover * scene->dimension;
    const double R = radius_of(scene, a) + radius_of(scene, b) + near;
    double dd = 0, du = 0, uu = 0;
    for (uint32_t k = 0; k < scene->dimension; ++k) {
        const double d = (double)run->q[i + k] + (double)centre_of(scene, a)[k]
                         - (double)run->q[j + k] - (double)centre_of(scene, b)[k];
        const double u = (double)run->v[i + k] - (double)run->v[j + k];
        dd += d * d;
        du += d * u;
        uu += u * u;
    }
    if (dd <= R * R) return uu == 0 ? INFINITY : 0;
    const double root = du * du - uu * (dd - R * R);
    return du < 0 && root > 0 ? (-du - sqrt(root)) / uu : (double)INFINITY;
}

/* Steps, at most `most`, in which nothing can come within twice `touch`; one less, for rounding */
static uint32_t quiet_steps(const carried_run *run, uint32_t most)
{
    const tc_scene *const scene = run->scene;
    const double h = (double)run->config.h, near = 2 * (double)run->config.touch;
    double time = h * (most + 1.0);
    for (uint32_t p = 0; p < scene->pairs && time > 0; ++p) {
        const tc_scene_pair *const pair = &scene->pair[p];
        const int plane = scene->surface[pair->b].mover == TC_SCENE_WORLD;
        time = fmin(time, plane ? time_to_plane(run, pair, near) : time_to_ball(run, pair, near));
    }
    const double steps = floor(time / h) - 1;
    return steps > 0 ? (uint32_t)steps : 0;
}

static void leap_over(carried_run *run, uint32_t steps)
{
    const tc_real time = run->config.h * (tc_real)steps;
    for (uint32_t i = 0; i < run->sizes.rates; ++i) {
        run->q[i] += time * run->v[i];
        for (uint32_t k = 0; k < run->count; ++k) {
            run->tangent[k].q[i] += time * run->tangent[k].v[i];
        }
    }
}

/* ---- Rolling out ----------------------------------------------------------------------------- */

static tc_status step_once(carried_run *run, native_scene_carried *roll)
{
    const tc_scene_grad grad = {run->count, run->tangent};
    tc_scene_step_info info;
    const tc_status status = run->count > 0u
                                 ? tc_scene_grad_step(run->scene, &run->config, run->q, run->v,
                                                      &grad, &info, run->work, run->work_len)
                                 : tc_scene_step(run->scene, &run->config, run->q, run->v, &info,
                                                 run->work, run->work_len);
    if (status < TC_OK) return status;
    ++roll->taken;
    roll->impacts += info.impacts;
    if (roll->note == 0) roll->note = (int32_t)status;
    return status;
}

static void keep_path(const carried_run *run, uint32_t row, native_scene_carried *roll)
{
    const uint32_t nq = run->sizes.coordinates;
    if (roll->path != NULL) give_some(run->q, nq, roll->path + (size_t)nq * row);
}

static tc_status roll_out(carried_run *run, uint32_t steps, native_scene_carried *roll)
{
    const int leap = roll->leap && roll->path == NULL && leaps(run->scene);
    tc_status status = TC_OK;
    keep_path(run, 0, roll);
    while (roll->done < steps) {
        const uint32_t quiet = leap ? quiet_steps(run, steps - roll->done) : 0u;
        if (quiet > 0u) {
            leap_over(run, quiet);
            roll->done += quiet;
            continue;
        }
        status = step_once(run, roll);
        if (status < TC_OK) return status;
        keep_path(run, ++roll->done, roll);
    }
    return TC_OK;
}

static void give_directions(const carried_run *run, const native_scene_direction *direction)
{
    for (uint32_t k = 0; k < run->count; ++k) {
        give_some(run->tangent[k].q, run->sizes.rates, direction[k].q);
        give_some(run->tangent[k].v, run->sizes.rates, direction[k].v);
    }
}

int32_t native_scene_carry(native_scene *handle, const native_scene_config *config, uint32_t steps,
                           const native_scene_direction *direction, uint32_t count,
                           native_scene_carried *roll)
{
    carried_run run = {.scene = native_scene_tables(handle),
                       .config = {.h = (tc_real)config->h,
                                  .law = (tc_impact_law)config->law,
                                  .compensation = (tc_real)config->compensation,
                                  .impacts = config->impacts,
                                  .touch = (tc_real)config->touch},
                       .count = count};
    roll->done = roll->taken = roll->impacts = 0;
    roll->note = 0;
    tc_status status = open_run(&run, direction, roll) ? TC_OK : TC_ERR_WORK;
    if (status >= TC_OK) status = roll_out(&run, steps, roll);
    if (status >= TC_OK) {
        give_some(run.q, run.sizes.coordinates, roll->q);
        give_some(run.v, run.sizes.rates, roll->v);
        give_directions(&run, direction);
    }
    close_run(&run);
    return roll->status = (int32_t)status;
}
