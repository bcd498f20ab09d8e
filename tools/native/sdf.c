/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "sdf.h"

#include <stdlib.h>
#include <string.h>

#define WORK TC_SDF_NET_WORK(TC_NET_WIDTH_MAX, TC_NET_LAYERS_MAX)

static const tc_sdf_kind *const native_sdf_kinds[] = {
    &tc_sdf_halfspace, &tc_sdf_sphere, &tc_sdf_capsule, &tc_sdf_box, &tc_sdf_cylinder,
    &tc_sdf_terrain,   &tc_sdf_grid,   &tc_sdf_union,   &tc_sdf_net};

/* A shape and what its pointers lead to */
typedef struct sdf_room {
    tc_sdf shape;
    tc_sdf_inertia inertia;
    tc_sdf_heights heights;
    tc_sdf_values values;
    tc_sdf_net_data net;
    tc_real code[TC_SDF_NET_CODES], rotation[9], points[3u * TC_SDF_POINTS];
    void *array;
} sdf_room;

struct native_sdf {
    sdf_room own, part[TC_SDF_PARTS];
    tc_sdf_part parts[TC_SDF_PARTS];
    tc_sdf_parts all;
    tc_real work[WORK];
};

static void copy_reals(const double *from, uint32_t n, tc_real *to)
{
    for (uint32_t i = 0; i < n; ++i) to[i] = (tc_real)from[i];
}

static void *copy_bytes(const void *from, size_t size)
{
    void *const to = malloc(size > 0u ? size : 1u);
    if (to && from) memcpy(to, from, size);
    return to;
}

static void fill_terrain(const native_sdf_shape *s, tc_sdf_stored stored, sdf_room *room)
{
    tc_sdf_heights *const t = &room->heights;
    room->array = copy_bytes(s->data, (size_t)s->count[0] * (size_t)s->count[1] * 2u);
    *t = (tc_sdf_heights){stored,
                          room->array,
                          (uint32_t)s->count[0],
                          (uint32_t)s->count[1],
                          (tc_real)s->scale,
                          (tc_real)s->spacing,
                          {0}};
    copy_reals(s->origin, 3, t->origin);
    room->shape.data_ref = t;
}

static void fill_grid(const native_sdf_shape *s, tc_sdf_stored stored, sdf_room *room)
{
    tc_sdf_values *const g = &room->values;
    size_t size = 1;
    for (uint32_t i = 0; i < 3u; ++i) size *= (size_t)s->count[i];
    room->array = copy_bytes(s->data, size);
    *g = (tc_sdf_values){stored, room->array, {0}, (tc_real)s->scale, (tc_real)s->spacing, {0}};
    for (uint32_t i = 0; i < 3u; ++i) g->count[i] = (uint32_t)s->count[i];
    copy_reals(s->origin, 3, g->origin);
    room->shape.data_ref = g;
}

static void fill_net(const native_sdf_shape *s, tc_sdf_stored stored, sdf_room *room)
{
    const uint32_t codes = (uint32_t)s->count[0];
    if (s->code && codes <= TC_SDF_NET_CODES) copy_reals(s->code, codes, room->code);
    room->net = (tc_sdf_net_data){stored, s->data, room->code, codes};
    room->shape.data_ref = &room->net;
}

static tc_status fill_room(const native_sdf_shape *s, sdf_room *room)
{
    if ((uint32_t)s->kind >= TC_COUNT(native_sdf_kinds)) return TC_ERR_UNSUPPORTED;
    for (uint32_t i = 0; i < 3u; ++i) {
        if (s->count[i] < 0 || s->count[i] > (int32_t)TC_SDF_NODES) return TC_ERR_SIZE;
    }
    room->shape.kind = native_sdf_kinds[s->kind];
    copy_reals(s->size, TC_SDF_SIZES, room->shape.size);
    room->inertia.volume = (tc_real)s->volume;
    copy_reals(s->centre, 3, room->inertia.centre);
    copy_reals(s->inertia, 6, room->inertia.inertia);
    if (s->n_points < 0 || s->n_points > (int32_t)TC_SDF_POINTS) return TC_ERR_SIZE;
    const uint32_t n = s->points ? (uint32_t)s->n_points : 0u;
    if (n > 0u) copy_reals(s->points, 3u * n, room->points);
    const tc_sdf_stored stored = {(tc_real)s->error, s->volume != 0.0 ? &room->inertia : NULL,
                                  n > 0u ? room->points : NULL, n};
    if (room->shape.kind == &tc_sdf_terrain) fill_terrain(s, stored, room);
    if (room->shape.kind == &tc_sdf_grid) fill_grid(s, stored, room);
    if (room->shape.kind == &tc_sdf_net) fill_net(s, stored, room);
    return room->shape.kind == &tc_sdf_union ? TC_OK : tc_sdf_check(&room->shape);
}

static tc_status fill_parts(const native_sdf_shape *parts, uint32_t n, native_sdf *h, int32_t *part)
{
    if (n > TC_SDF_PARTS) return TC_ERR_SIZE;
    for (uint32_t i = 0; i < n; ++i) {
        *part = (int32_t)i;
        const tc_status status = fill_room(&parts[i], &h->part[i]);
        if (status < TC_OK) return status;
        int turned = 0;
        for (uint32_t k = 0; k < 9u; ++k) turned |= parts[i].rotation[k] != 0.0;
        copy_reals(parts[i].rotation, 9, h->part[i].rotation);
        copy_reals(parts[i].position, 3, h->parts[i].position);
        h->parts[i].shape_ref = &h->part[i].shape;
        h->parts[i].rotation_ref = turned ? h->part[i].rotation : NULL;
    }
    *part = -1;
    h->all.parts = h->parts;
    h->all.count = n;
    h->own.shape.data_ref = &h->all;
    return tc_sdf_check(&h->own.shape);
}

native_sdf *native_sdf_open(const native_sdf_shape *shape, const native_sdf_shape *parts,
                            uint32_t n_parts, int32_t *status, int32_t *part)
{
    native_sdf *const h = calloc(1, sizeof *h);
    *part = -1;
    *status = TC_ERR_NULL;
    if (!h) return NULL;
    *status = fill_room(shape, &h->own);
    if (*status >= TC_OK && h->own.shape.kind == &tc_sdf_union)
        *status = fill_parts(parts, n_parts, h, part);
    if (*status >= TC_OK) return h;
    native_sdf_free(h);
    return NULL;
}

void native_sdf_free(native_sdf *handle)
{
    if (!handle) return;
    free(handle->own.array);
    for (uint32_t i = 0; i < TC_SDF_PARTS; ++i) free(handle->part[i].array);
    free(handle);
}

const tc_sdf *native_sdf_get(const native_sdf *handle)
{
    return &handle->own.shape;
}

tc_real *native_sdf_work(native_sdf *handle, size_t *length)
{
    *length = WORK;
    return handle->work;
}

uint32_t native_sdf_parameters(const native_sdf *handle)
{
    return tc_sdf_parameters(&handle->own.shape);
}

void native_sdf_eval(native_sdf *handle, const double *points, uint32_t n, int32_t *status,
                     double *distance, double *gradient, double *derivative)
{
    const tc_sdf *const shape = &handle->own.shape;
    const uint32_t count = tc_sdf_parameters(shape);
    for (uint32_t i = 0; i < n; ++i) {
        tc_real p[3], d, g[3], by[TC_SDF_PARAMETERS];
        copy_reals(points + 3u * i, 3, p);
        status[i] = tc_sdf_eval(shape, p, &d, g, handle->work, WORK);
        distance[i] = (double)d;
        for (uint32_t k = 0; k < 3u; ++k) gradient[3u * i + k] = (double)g[k];
        if (!derivative || count == 0u) continue;
        (void)tc_sdf_grad(shape, p, by, handle->work, WORK);
        for (uint32_t k = 0; k < count; ++k) derivative[count * i + k] = (double)by[k];
    }
}

int32_t native_sdf_mass(const native_sdf *handle, double *rows)
{
    const tc_sdf *const shape = &handle->own.shape;
    tc_sdf_inertia all[1u + TC_SDF_PARAMETERS];
    const int stored = shape->kind->contract == TC_SDF_CONTRACT_APPROXIMATE;
    const uint32_t n = stored ? 0u : shape->kind->parameters;
    const tc_status status = tc_sdf_mass(shape, all, stored ? NULL : all + 1);
    for (uint32_t i = 0; status >= TC_OK && i <= n; ++i) {
        double *const row = rows + 10u * i;
        row[0] = (double)all[i].volume;
        for (uint32_t k = 0; k < 3u; ++k) row[1u + k] = (double)all[i].centre[k];
        for (uint32_t k = 0; k < 6u; ++k) row[4u + k] = (double)all[i].inertia[k];
    }
    return status;
}
