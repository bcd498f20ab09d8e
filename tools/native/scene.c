/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Scenes of the library made of numbers, and their roll-outs.
 */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* What stands behind a mover's pointers. */
typedef struct mover_parts {
    tc_body2 body2;
    tc_body3 body3;
    tc_chain2 chain2;
    tc_chain3 chain3;
    tc_chain2_link link2[TC_CHAIN_MAX];
    tc_chain3_link link3[TC_CHAIN_MAX];
} mover_parts;

typedef struct surface_parts {
    tc_shape2 shape2;
    tc_shape3 shape3;
    tc_plane2 plane2;
    tc_plane3 plane3;
    tc_real vertices[3u * TC_SHAPE_MAX];
} surface_parts;

struct native_scene {
    tc_scene scene;
    native_field field;
    tc_scene_sizes sizes;
    tc_scene_mover mover[TC_SCENE_MOVERS_MAX];
    mover_parts part[TC_SCENE_MOVERS_MAX];
    tc_scene_surface surface[TC_SCENE_TABLE_MAX];
    surface_parts place[TC_SCENE_TABLE_MAX];
    tc_scene_material material[TC_SCENE_TABLE_MAX];
    tc_scene_pair pair[TC_SCENE_TABLE_MAX];
    tc_scene_joint joint[TC_SCENE_TABLE_MAX];
    tc_scene_limit limit[TC_SCENE_TABLE_MAX];
    tc_scene_spring spring[TC_SCENE_TABLE_MAX];
    tc_real q[2u * TC_SCENE_RATES_MAX], v[TC_SCENE_RATES_MAX];
    tc_scene_placed placed;
    tc_real *seen; /* workspace of `placed` */
    tc_real *work;
    size_t work_len;
};

static void take_numbers(const double *from, uint32_t n, tc_real *to)
{
    for (uint32_t i = 0; i < n; ++i) to[i] = (tc_real)from[i];
}

static void give_numbers(const tc_real *from, uint32_t n, double *to)
{
    for (uint32_t i = 0; i < n; ++i) to[i] = (double)from[i];
}

/* ---- Taking a scene -------------------------------------------------------------------------- */

static void take_link2(const native_scene_link *from, tc_chain2_link *to)
{
    to->body = (tc_body2){(tc_real)from->mass, (tc_real)from->inertia[0]};
    to->joint = (tc_chain_joint)from->joint;
    take_numbers(from->anchor, 2, to->anchor);
    take_numbers(from->arm, 2, to->arm);
    take_numbers(from->axis, 2, to->axis);
}

static void take_link3(const native_scene_link *from, tc_chain3_link *to)
{
    to->body.mass = (tc_real)from->mass;
    to->joint = (tc_chain_joint)from->joint;
    take_numbers(from->inertia, 3, to->body.inertia);
    take_numbers(from->anchor, 3, to->anchor);
    take_numbers(from->axis, 3, to->axis);
    take_numbers(from->rest, 4, to->rest);
    take_numbers(from->arm, 3, to->arm);
}

static void take_mover(const native_scene_mover *from, tc_scene_mover *to, mover_parts *part)
{
    to->kind = (tc_scene_kind)from->kind;
    to->mass = (tc_real)from->link->mass;
    part->body2 = (tc_body2){(tc_real)from->link->mass, (tc_real)from->link->inertia[0]};
    part->body3.mass = (tc_real)from->link->mass;
    take_numbers(from->link->inertia, 3, part->body3.inertia);
    for (uint32_t i = 0; i < from->links && i < TC_CHAIN_MAX; ++i) {
        take_link2(&from->link[i], &part->link2[i]);
        take_link3(&from->link[i], &part->link3[i]);
    }
    part->chain2 = (tc_chain2){.count = from->links, .links = part->link2};
    part->chain3 = (tc_chain3){.count = from->links, .links = part->link3};
    to->body2 = &part->body2;
    to->body3 = &part->body3;
    to->chain2 = &part->chain2;
    to->chain3 = &part->chain3;
}

static void take_surface(const native_scene_surface *from, uint32_t dimension, tc_scene_surface *to,
                         surface_parts *part)
{
    const uint32_t kept = from->count <= TC_SHAPE_MAX ? from->count : 0u;
    take_numbers(from->vertices, kept * dimension, part->vertices);
    part->shape2 = (tc_shape2){part->vertices, from->count, (tc_real)from->radius};
    part->shape3 = (tc_shape3){part->vertices, from->count, (tc_real)from->radius};
    take_numbers(from->normal, 2, part->plane2.normal);
    take_numbers(from->normal, 3, part->plane3.normal);
    part->plane2.offset = part->plane3.offset = (tc_real)from->offset;
    *to = (tc_scene_surface){.mover = (uint16_t)from->mover,
                             .link = (uint16_t)from->link,
                             .centred = (uint16_t)from->centred,
                             .shape2 = &part->shape2,
                             .shape3 = &part->shape3,
                             .plane2 = &part->plane2,
                             .plane3 = &part->plane3};
}

static tc_scene_point taken_point(const native_scene_point *from)
{
    tc_scene_point to = {(uint16_t)from->mover, (uint16_t)from->link, {TC_C(0.0)}};
    take_numbers(from->at, 3, to.at);
    return to;
}

static void take_contacts(native_scene *handle, const native_scene_given *given)
{
    for (uint32_t i = 0; i < given->materials; ++i) {
        handle->material[i] = (tc_scene_material){(tc_real)given->material[2u * i],
                                                  (tc_real)given->material[2u * i + 1u]};
    }
    for (uint32_t i = 0; i < given->pairs; ++i) {
        const uint32_t *const pair = given->pair + 3u * i;
        handle->pair[i] = (tc_scene_pair){(uint16_t)pair[0], (uint16_t)pair[1], (uint16_t)pair[2]};
    }
}

static void take_ties(native_scene *handle, const native_scene_given *given)
{
    for (uint32_t i = 0; i < given->joints; ++i) {
        const native_scene_joint *const from = &given->joint[i];
        handle->joint[i] = (tc_scene_joint){(tc_scene_joint_kind)from->kind, taken_point(&from->a),
                                            taken_point(&from->b), (tc_real)from->length};
    }
    for (uint32_t i = 0; i < given->limits; ++i) {
        const native_scene_limit *const from = &given->limit[i];
        tc_scene_limit *const to = &handle->limit[i];
        to->kind = (tc_scene_limit_kind)from->kind;
        to->mover = (uint16_t)from->mover;
        to->coordinate = (uint16_t)from->coordinate;
        for (uint32_t k = 0; k < 3u; ++k) to->point[k] = taken_point(&from->point[k]);
        to->low = (tc_real)from->low;
        to->high = (tc_real)from->high;
    }
    for (uint32_t i = 0; i < given->springs; ++i) {
        const native_scene_spring *const from = &given->spring[i];
        handle->spring[i] = (tc_scene_spring){taken_point(&from->a), taken_point(&from->b),
                                              (tc_real)from->stiffness, (tc_real)from->length};
    }
}

static void take_tables(native_scene *handle, const native_scene_given *given)
{
    tc_scene *const scene = &handle->scene;
    *scene = (tc_scene){.dimension = given->dimension,
                        .movers = given->movers,
                        .surfaces = given->surfaces,
                        .materials = given->materials,
                        .pairs = given->pairs,
                        .joints = given->joints,
                        .limits = given->limits,
                        .springs = given->springs,
                        .mover = handle->mover,
                        .surface = handle->surface,
                        .material = handle->material,
                        .pair = handle->pair,
                        .joint = handle->joint,
                        .limit = handle->limit,
                        .spring = handle->spring};
    take_numbers(given->gravity, 3, scene->gravity);
    for (uint32_t i = 0; i < given->movers; ++i) {
        take_mover(&given->mover[i], &handle->mover[i], &handle->part[i]);
    }
    for (uint32_t i = 0; i < given->surfaces; ++i) {
        take_surface(&given->surface[i], given->dimension, &handle->surface[i], &handle->place[i]);
    }
    take_contacts(handle, given);
    take_ties(handle, given);
}

static int fits(const native_scene_given *given)
{
    const uint32_t lengths[6] = {given->surfaces, given->materials, given->pairs,
                                 given->joints,   given->limits,    given->springs};
    int good = given->movers <= TC_SCENE_MOVERS_MAX;
    for (uint32_t i = 0; i < 6u; ++i) good = good && lengths[i] <= TC_SCENE_TABLE_MAX;
    return good;
}

static tc_status open_scene(native_scene *handle, const native_scene_given *given,
                            native_scene_told *told)
{
    tc_scene_fault fault = {TC_SCENE_TABLE_SELF, 0};
    if (!fits(given)) return TC_ERR_SIZE;
    take_tables(handle, given);
    const tc_status status = tc_scene_check(&handle->scene, &fault);
    told->table = (int32_t)fault.table;
    told->index = fault.index;
    if (status < TC_OK) return status;
    tc_scene_measure(&handle->scene, &handle->sizes);
    told->coordinates = handle->sizes.coordinates;
    told->rates = handle->sizes.rates;
    told->links = handle->sizes.links;
    told->joint_rows = handle->sizes.joint_rows;
    handle->work_len = tc_scene_step_work(&handle->scene);
    handle->work = malloc(handle->work_len * sizeof(tc_real));
    handle->seen = malloc(tc_scene_work(&handle->scene) * sizeof(tc_real));
    if (handle->work == NULL || handle->seen == NULL) return TC_ERR_WORK;
    return tc_scene_open(&handle->scene, &handle->placed, handle->seen,
                         tc_scene_work(&handle->scene));
}

native_scene *native_scene_open(const native_scene_given *given, native_scene_told *told)
{
    native_scene *const handle = calloc(1, sizeof *handle);
    memset(told, 0, sizeof *told);
    const tc_status status = handle == NULL ? TC_ERR_WORK : open_scene(handle, given, told);
    told->status = (int32_t)status;
    if (status >= TC_OK) return handle;
    native_scene_free(handle);
    return NULL;
}

tc_scene *native_scene_tables(native_scene *handle)
{
    return &handle->scene;
}

int32_t native_scene_set_field(native_scene *handle, const tc_net *net, uint32_t distances,
                               const native_field_distance *distance, const double *force)
{
    native_field *const field = &handle->field;
    tc_status status = TC_OK;
    if (handle->scene.field == NULL) {
        status = native_field_open(field, &handle->scene);
        handle->scene.field = status >= TC_OK ? &field->base : NULL;
    }
    if (status >= TC_OK) status = native_field_set(field, net, distances, distance);
    if (status >= TC_OK && force != NULL) take_numbers(force, 3u * field->links, field->force);
    return (int32_t)status;
}

tc_real *native_scene_force(native_scene *handle, uint32_t link, uint32_t component)
{
    const native_field *const field = &handle->field;
    const int there = handle->scene.field != NULL && link < field->links && component < 3u;
    return there ? &field->force[3u * link + component] : NULL;
}

void native_scene_free(native_scene *handle)
{
    if (handle == NULL) return;
    native_field_close(&handle->field);
    free(handle->work);
    free(handle->seen);
    free(handle);
}

/* ---- Looking --------------------------------------------------------------------------------- */

int32_t native_scene_look(native_scene *handle, const double *q, const double *v, double *frames,
                          double *gaps, double *errors)
{
    const tc_scene *const scene = &handle->scene;
    tc_real E[TC_SCENE_JOINT_ROWS_MAX * TC_SCENE_RATES_MAX], c[TC_SCENE_JOINT_ROWS_MAX];
    take_numbers(q, handle->sizes.coordinates, handle->q);
    take_numbers(v, handle->sizes.rates, handle->v);
    const tc_status status = tc_scene_place(&handle->placed, handle->q, handle->v);
    if (status < TC_OK) return (int32_t)status;
    for (uint32_t i = 0; frames != NULL && i < handle->sizes.links; ++i) {
        const tc_scene_frame *const frame = &handle->placed.frame[i];
        double *const row = frames + (size_t)NATIVE_SCENE_FRAME * i;
        give_numbers(frame->at, 3, row);
        give_numbers(frame->R, 9, row + 3);
        give_numbers(frame->velocity, 3, row + 12);
        give_numbers(frame->omega, 3, row + 15);
    }
    for (uint32_t i = 0; gaps != NULL && i < scene->pairs + scene->limits; ++i) {
        gaps[i] = (double)tc_scene_gap(&handle->placed, i);
    }
    if (errors != NULL) {
        tc_scene_joint_rows(&handle->placed, E, c, NULL);
        give_numbers(c, handle->sizes.joint_rows, errors);
    }
    return (int32_t)status;
}

/* ---- Rolling out ----------------------------------------------------------------------------- */

static void write_touches(const tc_scene_step_info *info, uint32_t step, native_scene_roll *roll)
{
    for (uint32_t i = 0; i < info->touches; ++i) {
        const tc_scene_step_touch *const touch = &info->touch[i];
        const uint32_t at = roll->touches++;
        if (roll->touch == NULL || at >= roll->touches_max) continue;
        double *const row = roll->touch + (size_t)NATIVE_SCENE_TOUCH * at;
        row[0] = step;
        row[1] = touch->source;
        row[2] = touch->feature;
        give_numbers(touch->impulse, 3, row + 3);
        give_numbers(touch->point, 3, row + 6);
    }
}

static void count_step(const tc_scene_step_info *info, tc_status status, uint32_t step,
                       native_scene_roll *roll)
{
    roll->impacts += info->impacts;
    roll->dropped += info->dropped;
    roll->stopped += info->stopped;
    roll->residual =
        (double)info->residual > roll->residual ? (double)info->residual : roll->residual;
    if (status == TC_OK) return;
    if (roll->notes++ == 0u) {
        roll->note = (int32_t)status;
        roll->noted = step;
    }
}

static tc_status write_state(native_scene *handle, uint32_t row, native_scene_roll *roll)
{
    const uint32_t nq = handle->sizes.coordinates, nv = handle->sizes.rates;
    if (row > 0u) {
        give_numbers(handle->q, nq, roll->q + (size_t)nq * row);
        give_numbers(handle->v, nv, roll->v + (size_t)nv * row);
    }
    if (roll->energy == NULL) return TC_OK;
    const tc_status status = tc_scene_place(&handle->placed, handle->q, handle->v);
    if (status < TC_OK) return status;
    roll->energy[2u * row] = (double)tc_scene_kinetic(&handle->placed, handle->v);
    roll->energy[2u * row + 1u] = (double)tc_scene_potential(&handle->placed);
    return TC_OK;
}

int32_t native_scene_run(native_scene *handle, const native_scene_config *config, uint32_t steps,
                         native_scene_roll *roll)
{
    const tc_scene_step_config taken = {.h = (tc_real)config->h,
                                        .law = (tc_impact_law)config->law,
                                        .compensation = (tc_real)config->compensation,
                                        .impacts = config->impacts,
                                        .touch = (tc_real)config->touch};
    tc_scene_step_info info;
    roll->touches = roll->done = roll->noted = roll->notes = 0;
    roll->impacts = roll->dropped = roll->stopped = 0;
    roll->note = 0;
    roll->residual = 0;
    take_numbers(roll->q, handle->sizes.coordinates, handle->q);
    take_numbers(roll->v, handle->sizes.rates, handle->v);
    tc_status status = write_state(handle, 0, roll);
    while (status >= TC_OK && roll->done < steps) {
        status = tc_scene_step(&handle->scene, &taken, handle->q, handle->v, &info, handle->work,
                               handle->work_len);
        if (status < TC_OK) break;
        ++roll->done;
        count_step(&info, status, roll->done, roll);
        write_touches(&info, roll->done, roll);
        status = write_state(handle, roll->done, roll);
    }
    return roll->status = (int32_t)status;
}
