/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The exact potential of two leaves, and the planes that are kept for the next call.
 *
 * tc_barrier3 does the work in B's axes: A's pose is the view's, B's is none. Of its twelve
 * derivatives the first six are those by A, the first 21 of the packed Hessian their triangle.
 */
#include "tc_exact.h"
#include "tc_hierarchy.h"

#include "tc_barrier3_internal.h"
#include "tc_hierarchy_internal.h"

static const tc_convex_pose hierarchy_at_rest = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

/* The slot of a pair of leaves; NULL without a cache */
static tc_hierarchy_slot *find_slot(const tc_hierarchy_cache *cache, uint32_t a, uint32_t b)
{
    if (!cache || cache->count == 0u) return NULL;
    uint32_t hash = a * 0x9e3779b1u ^ b * 0x85ebca77u;
    hash ^= hash >> 15;
    return &cache->slots[hash & (cache->count - 1u)];
}

/* The plane across the middle between two spheres that are apart; zero if they are not */
static tc_barrier3_plane guess_plane(const tci_hierarchy_view *view, const tc_hierarchy_node *a,
                                     const tc_hierarchy_node *b, const tc_real y[3])
{
    tc_barrier3_plane plane = {{0}, 0};
    const tc_real D = tc_sqrt(tc_vec_dot3(y, y)), gap = D - a->radius - b->radius;
    if (!(gap > TC_C(0.0))) return plane;
    const tc_real share = TC_C(0.5) / D, along = TC_C(0.5) * gap + b->radius;
    tc_real x[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        plane.normal[i] = share * y[i];
        x[i] = TC_C(0.5) * view->at.position[i] - b->centre[i];
    }
    plane.offset = tc_vec_dot3(plane.normal, x) - TC_C(0.5) * along;
    return plane;
}

static void add_derivatives(const tci_hierarchy_view *view, const tci_barrier_view *pair,
                            tci_barrier_state *state, tc_hierarchy_sum *sum)
{
    tc_barrier3_derivatives *const exact = &view->work->exact;
    const tci_barrier_result result = {exact->gradient, exact->hessian, exact->plane_rate,
                                       TC_C(1.0), NULL};
    tci_barrier3_derive(&view->config->barrier, pair, state, &result);
    for (uint32_t i = 0; i < 6u; ++i) sum->gradient[i] += exact->gradient[i];
    for (uint32_t i = 0; i < 21u; ++i) sum->hessian[i] += exact->hessian[i];
}

tc_status tci_hierarchy_add_exact(const tci_hierarchy_view *view, uint32_t a, uint32_t b,
                                  const tc_real y[3], tc_hierarchy_sum *sum)
{
    const tc_hierarchy_node *const node_a = &view->a->nodes_ref[a];
    const tc_hierarchy_node *const node_b = &view->b->nodes_ref[b];
    const tc_barrier_config *const config = &view->config->barrier;
    tc_hierarchy_slot *const slot = find_slot(view->cache, a, b);
    const tc_barrier3_plane start =
        slot && slot->a == a && slot->b == b ? slot->plane : guess_plane(view, node_a, node_b, y);
    tci_barrier_view pair;
    tci_barrier_state own[2], *states[2] = {own, own + 1};
    tci_barrier_weight weight;
    uint32_t newton;
    tci_barrier3_look(&pair, &view->a->pieces_ref[node_a->piece], &view->at,
                      &view->b->pieces_ref[node_b->piece], &hierarchy_at_rest);
    const int known = tci_barrier3_open(&start, own);
    tc_status status = tci_barrier3_search(&pair, known, states, TC_C(-1.0), &newton);
    if (status < TC_OK) return status;
    tci_barrier_state *const state = states[0];
    const tc_real gap = state->sums[0].least + state->sums[1].least;
    const tc_real size = tc_vec_max(node_a->radius, node_b->radius);
    if (status == TC_OK && gap < TC_BARRIER_PRECISE * size) status = TC_NOTE_PRECISION;
    tci_barrier_weigh(config, tci_barrier_total(state), &weight);
    if (slot) {
        tci_barrier3_close(&weight, state, &slot->plane);
        slot->a = a;
        slot->b = b;
    }
    ++sum->exact;
    sum->newton += newton;
    sum->value += weight.value - config->A;
    if (sum->status == TC_OK) sum->status = status;
    if (view->derive) add_derivatives(view, &pair, state, sum);
    return TC_OK;
}
