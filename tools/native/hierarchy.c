/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "hierarchy.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Fewer pairs of bodies than this are shared in parts. */
#define PAIRS_FEW 8u

typedef struct hierarchy_mesh {
    tc_real *points;
    tc_barrier_set *pieces;
    tc_hierarchy_node *nodes;
    tc_hierarchy tree;
} hierarchy_mesh;

/* A pair of bodies: who, what it came to, and its planes */
typedef struct hierarchy_couple {
    uint32_t a, b;
    tc_hierarchy_pair found;
    tc_status status;
    tc_hierarchy_sum *parts;  /* NULL: not shared */
    tc_hierarchy_slot *slots; /* of the pair, or of its parts one after another */
} hierarchy_couple;

struct native_hierarchy {
    uint32_t bodies, meshes, pairs, slots;
    tc_hierarchy_config config;
    hierarchy_mesh *mesh;
    uint32_t *mesh_of;
    tc_convex_pose *at;
    hierarchy_couple *couple;
    int32_t derive;
    atomic_uint next;
};

/* ---- Opening --------------------------------------------------------------------------------- */

static tc_status fill_mesh(hierarchy_mesh *mesh, uint32_t pieces, const uint32_t *counts,
                           const double *radii, const double *points)
{
    size_t vertices = 0;
    for (uint32_t i = 0; i < pieces; ++i) vertices += counts[i];
    mesh->points = malloc((3u * vertices + 1u) * sizeof *mesh->points);
    mesh->pieces = malloc((pieces + 1u) * sizeof *mesh->pieces);
    mesh->nodes = calloc(2u * (size_t)pieces + 1u, sizeof *mesh->nodes);
    if (!mesh->points || !mesh->pieces || !mesh->nodes) return TC_ERR_NULL;
    for (size_t i = 0; i < 3u * vertices; ++i) mesh->points[i] = (tc_real)points[i];
    const tc_real *at = mesh->points;
    for (uint32_t i = 0; i < pieces; at += 3u * counts[i], ++i)
        mesh->pieces[i] = (tc_barrier_set){at, counts[i], (tc_real)radii[i]};
    return tc_hierarchy_build(mesh->pieces, pieces, mesh->nodes,
                              pieces > 0u ? 2u * (size_t)pieces - 1u : 0u, &mesh->tree);
}

static tc_status fill_meshes(native_hierarchy *h, const native_hierarchy_scene *scene,
                             uint32_t *faulty)
{
    const uint32_t *counts = scene->counts;
    const double *radii = scene->radii, *points = scene->points;
    for (*faulty = 0; *faulty < scene->meshes; ++*faulty) {
        const uint32_t pieces = scene->pieces[*faulty];
        const tc_status status = fill_mesh(&h->mesh[*faulty], pieces, counts, radii, points);
        if (status != TC_OK) return status;
        for (uint32_t i = 0; i < pieces; ++i) points += 3u * counts[i];
        counts += pieces;
        radii += pieces;
    }
    return TC_OK;
}

static tc_status fill_couples(native_hierarchy *h)
{
    hierarchy_couple *couple = h->couple;
    const int shared = h->pairs < PAIRS_FEW;
    for (uint32_t a = 0; a < h->bodies; ++a) {
        for (uint32_t b = a + 1u; b < h->bodies; ++b, ++couple) {
            const size_t slots = h->slots * (shared ? (size_t)TC_HIERARCHY_PARTS : 1u);
            couple->a = a;
            couple->b = b;
            couple->slots = calloc(slots + 1u, sizeof *couple->slots);
            if (shared) couple->parts = calloc(TC_HIERARCHY_PARTS, sizeof *couple->parts);
            if (!couple->slots || (shared && !couple->parts)) return TC_ERR_NULL;
        }
    }
    return TC_OK;
}

static tc_status fill_scene(native_hierarchy *h, const native_hierarchy_scene *scene,
                            uint32_t *faulty)
{
    h->bodies = scene->bodies;
    h->slots = scene->slots;
    h->pairs = h->bodies > 0u ? h->bodies * (h->bodies - 1u) / 2u : 0u;
    h->config =
        (tc_hierarchy_config){{(tc_real)scene->A, (tc_real)scene->kappa, (tc_real)scene->length},
                              (tc_real)scene->epsilon};
    h->mesh = calloc(scene->meshes + 1u, sizeof *h->mesh);
    h->mesh_of = calloc(h->bodies + 1u, sizeof *h->mesh_of);
    h->at = calloc(h->bodies + 1u, sizeof *h->at);
    h->couple = calloc(h->pairs + 1u, sizeof *h->couple);
    if (!h->mesh || !h->mesh_of || !h->at || !h->couple) return TC_ERR_NULL;
    h->meshes = scene->meshes;
    for (uint32_t i = 0; i < h->bodies; ++i) {
        if (scene->mesh[i] >= scene->meshes) return TC_ERR_SIZE;
        h->mesh_of[i] = scene->mesh[i];
    }
    const tc_status status = fill_meshes(h, scene, faulty);
    return status != TC_OK ? status : fill_couples(h);
}

native_hierarchy *native_hierarchy_open(const native_hierarchy_scene *scene, int32_t *status,
                                        uint32_t *mesh)
{
    native_hierarchy *const handle = calloc(1, sizeof *handle);
    *mesh = 0;
    *status = handle ? fill_scene(handle, scene, mesh) : TC_ERR_NULL;
    if (*status == TC_OK) return handle;
    native_hierarchy_free(handle);
    return NULL;
}

void native_hierarchy_free(native_hierarchy *h)
{
    if (!h) return;
    for (uint32_t i = 0; i < h->meshes; ++i) {
        free(h->mesh[i].points);
        free(h->mesh[i].pieces);
        free(h->mesh[i].nodes);
    }
    for (uint32_t i = 0; h->couple && i < h->pairs; ++i) {
        free(h->couple[i].parts);
        free(h->couple[i].slots);
    }
    free(h->mesh);
    free(h->mesh_of);
    free(h->at);
    free(h->couple);
    free(h);
}

/* ---- Work ------------------------------------------------------------------------------------ */

void native_hierarchy_begin(native_hierarchy *h, const double *poses, int32_t derive)
{
    for (uint32_t i = 0; i < h->bodies; ++i, poses += 12) {
        for (uint32_t k = 0; k < 9u; ++k) h->at[i].rotation[k] = (tc_real)poses[k];
        for (uint32_t k = 0; k < 3u; ++k) h->at[i].position[k] = (tc_real)poses[9u + k];
    }
    h->derive = derive;
    atomic_store(&h->next, 0);
}

static void take_couple(native_hierarchy *h, hierarchy_couple *couple, tc_hierarchy_work *work)
{
    tc_hierarchy_cache cache = {couple->slots, h->slots};
    couple->status = (h->derive ? tc_hierarchy_derive : tc_hierarchy_value)(
        &h->config, &h->mesh[h->mesh_of[couple->a]].tree, &h->at[couple->a],
        &h->mesh[h->mesh_of[couple->b]].tree, &h->at[couple->b], &cache, &couple->found, work);
}

static void take_part(native_hierarchy *h, hierarchy_couple *couple, uint32_t part,
                      tc_hierarchy_work *work)
{
    tc_hierarchy_cache cache = {couple->slots + (size_t)part * h->slots, h->slots};
    (void)tc_hierarchy_part(&h->config, &h->mesh[h->mesh_of[couple->a]].tree, &h->at[couple->a],
                            &h->mesh[h->mesh_of[couple->b]].tree, &h->at[couple->b], part, &cache,
                            &couple->parts[part], work);
}

void native_hierarchy_take(native_hierarchy *h)
{
    tc_hierarchy_work work;
    const uint32_t parts = h->pairs < PAIRS_FEW ? TC_HIERARCHY_PARTS : 1u;
    for (;;) {
        const uint32_t item = atomic_fetch_add(&h->next, 1);
        if (item >= h->pairs * parts) return;
        if (parts > 1u)
            take_part(h, &h->couple[item / parts], item % parts, &work);
        else
            take_couple(h, &h->couple[item], &work);
    }
}

static void join_parts(native_hierarchy *h, hierarchy_couple *couple)
{
    tc_hierarchy_work work;
    couple->status = tc_hierarchy_join(&h->config, &h->mesh[h->mesh_of[couple->a]].tree,
                                       &h->at[couple->a], &h->mesh[h->mesh_of[couple->b]].tree,
                                       &h->at[couple->b], couple->parts, &couple->found, &work);
}

/* Adds a pair's twelve freedoms to those of all bodies. */
static void spread_pair(const hierarchy_couple *couple, uint32_t n, double *gradient,
                        double *hessian)
{
    size_t at[12];
    for (uint32_t i = 0; i < 12u; ++i) at[i] = 6u * (i < 6u ? couple->a : couple->b) + i % 6u;
    const tc_real *entry = couple->found.hessian;
    for (uint32_t i = 0; i < 12u; ++i) {
        if (gradient) gradient[at[i]] += (double)couple->found.gradient[i];
        for (uint32_t j = 0; hessian && j <= i; ++j, ++entry) {
            hessian[at[i] * n + at[j]] += (double)*entry;
            if (i != j) hessian[at[j] * n + at[i]] += (double)*entry;
        }
    }
}

int32_t native_hierarchy_sum(native_hierarchy *h, double *value, double *gradient, double *hessian,
                             double counts[3], uint32_t bad[2])
{
    const uint32_t n = 6u * h->bodies;
    tc_status worst = TC_OK;
    *value = 0;
    if (gradient) memset(gradient, 0, n * sizeof *gradient);
    if (hessian) memset(hessian, 0, (size_t)n * n * sizeof *hessian);
    for (uint32_t i = 0; i < 3u; ++i) counts[i] = 0;
    for (uint32_t i = 0; i < h->pairs; ++i) {
        hierarchy_couple *const couple = &h->couple[i];
        if (couple->parts) join_parts(h, couple);
        if (couple->status < TC_OK) {
            bad[0] = couple->a;
            bad[1] = couple->b;
            return couple->status;
        }
        if (couple->status > worst) worst = couple->status;
        *value += (double)couple->found.value;
        counts[0] += couple->found.exact;
        counts[1] += couple->found.centred;
        counts[2] += couple->found.newton;
        if (h->derive) spread_pair(couple, n, gradient, hessian);
    }
    return worst;
}
