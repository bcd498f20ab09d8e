/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "field.h"

#include "tc_math.h"

#include <stdlib.h>
#include <string.h>

/* d = from a to b, or to a point of the world; returns its length. */
static tc_real span_of(const native_field_distance *k, const tc_scene_placed *placed, tc_real *d)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real to = k->b == TC_SCENE_WORLD ? (tc_real)k->at[i] : placed->frame[k->b].at[i];
        d[i] = to - placed->frame[k->a].at[i];
        sum += d[i] * d[i];
    }
    return tc_sqrt(sum);
}

static void fill_input(const native_field *f, const tc_scene_placed *placed)
{
    tc_real *z = f->input, d[3];
    for (uint32_t link = 0; link < f->links && f->distances == 0u; ++link) {
        for (uint32_t i = 0; i < f->dimension; ++i) *z++ = placed->frame[link].at[i];
    }
    for (uint32_t k = 0; k < f->distances; ++k) *z++ = span_of(&f->distance[k], placed, d);
}

/* A force on a link, numbered through all movers */
static void push_link(tc_scene_placed *placed, uint32_t link, const tc_real *force)
{
    uint32_t mover = 0;
    while (link >= placed->span[mover].link + placed->span[mover].links) ++mover;
    tc_scene_push(placed, mover, link - placed->span[mover].link, force);
}

static void push_distances(const native_field *f, tc_scene_placed *placed)
{
    const tc_real *const slope = f->gradient;
    for (uint32_t k = 0; k < f->distances; ++k) {
        const native_field_distance *const pair = &f->distance[k];
        tc_real d[3], back[3];
        const tc_real length = span_of(pair, placed, d);
        if (!(length > TC_C(0.0))) continue; /* no direction: no force */
        for (uint32_t i = 0; i < 3u; ++i) {
            d[i] *= slope[k] / length;
            back[i] = -d[i];
        }
        push_link(placed, pair->a, d);
        if (pair->b != TC_SCENE_WORLD) push_link(placed, pair->b, back);
    }
}

static tc_status push_field(const tc_scene_field *base, tc_scene_placed *placed)
{
    const native_field *const f = base->context;
    const tc_real one = TC_C(1.0);
    if (f->net.n_layers > 0u) {
        fill_input(f, placed);
        const tc_status status =
            tc_net_grad(&f->net, f->input, &one, NULL, f->gradient, f->work, f->work_len);
        if (status < TC_OK) return status;
    }
    const int by_place = f->net.n_layers > 0u && f->distances == 0u;
    for (uint32_t link = 0; link < f->links; ++link) {
        tc_real force[3];
        memcpy(force, f->force + 3u * link, sizeof force);
        for (uint32_t i = 0; by_place && i < f->dimension; ++i) {
            force[i] -= f->gradient[link * f->dimension + i];
        }
        push_link(placed, link, force);
    }
    if (f->net.n_layers > 0u) push_distances(f, placed);
    return TC_OK;
}

static tc_real energy_of_field(const tc_scene_field *base, const tc_scene_placed *placed)
{
    const native_field *const f = base->context;
    tc_real energy = TC_C(0.0);
    if (f->net.n_layers > 0u) {
        fill_input(f, placed);
        (void)tc_net_eval(&f->net, f->input, &energy, f->work, f->work_len);
    }
    for (uint32_t i = 0; i < 3u * f->links; ++i) {
        energy -= f->force[i] * placed->frame[i / 3u].at[i % 3u];
    }
    return energy;
}

tc_status native_field_open(native_field *field, const tc_scene *scene)
{
    tc_scene_sizes sizes;
    tc_scene_measure(scene, &sizes);
    memset(field, 0, sizeof *field);
    field->base = (tc_scene_field){push_field, energy_of_field, field};
    field->links = sizes.links;
    field->dimension = scene->dimension;
    field->force = calloc(3u * (size_t)sizes.links, sizeof *field->force);
    return field->force == NULL ? TC_ERR_WORK : TC_OK;
}

static void forget_net(native_field *field)
{
    free(field->distance);
    free(field->input);
    free(field->gradient);
    free(field->work);
    field->distance = NULL;
    field->input = field->gradient = field->work = NULL;
    field->distances = 0;
    field->net.n_layers = 0;
}

void native_field_close(native_field *field)
{
    forget_net(field);
    free(field->force);
    field->force = NULL;
}

static tc_status check_distances(const native_field *field, uint32_t distances,
                                 const native_field_distance *distance)
{
    for (uint32_t k = 0; k < distances; ++k) {
        const native_field_distance *const d = &distance[k];
        if (d->a >= field->links || (d->b >= field->links && d->b != TC_SCENE_WORLD)) {
            return TC_ERR_RANGE;
        }
    }
    return TC_OK;
}

tc_status native_field_set(native_field *field, const tc_net *net, uint32_t distances,
                           const native_field_distance *distance)
{
    forget_net(field);
    if (net == NULL) return TC_OK;
    const tc_status status = check_distances(field, distances, distance);
    const size_t n = distances > 0u ? distances : (size_t)field->links * field->dimension;
    if (status < TC_OK) return status;
    if (net->n_out != 1u || net->n_in != n) return TC_ERR_SIZE;
    field->work_len = TC_NET_GRAD_WORK((size_t)net->width, (size_t)net->n_layers);
    field->distance = malloc((distances + 1u) * sizeof *field->distance);
    field->input = calloc(n, sizeof *field->input);
    field->gradient = calloc(n, sizeof *field->gradient);
    field->work = calloc(field->work_len, sizeof *field->work);
    if (field->distance == NULL || field->input == NULL || field->gradient == NULL
        || field->work == NULL) {
        forget_net(field);
        return TC_ERR_WORK;
    }
    if (distances > 0u) memcpy(field->distance, distance, distances * sizeof *distance);
    field->distances = distances;
    field->net = *net;
    return TC_OK;
}
