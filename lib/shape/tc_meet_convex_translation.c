/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The least translation that parts a convex pair, by TC_MEET_TRANSLATION.
 */
#include "tc_exact.h"

#include "tc_meet_internal.h"

#define TCI_MEET_TURNS 12u          /* largest number of searches for a way out */
#define TCI_MEET_SHORTER TC_C(0.01) /* share of near by which a way has to shorten */

/* A direction and the way along it that parts the cores */
typedef struct tci_meet_way {
    const tci_convex_view *view;
    tc_real n[3];  /* from b to a, a's axes */
    tc_real reach; /* [m] */
    tc_real p[3];  /* A's support point */
} tci_meet_way;

/* The way along n, which points from b to a */
static void measure_way(const tci_convex_view *view, const tc_real n[3], tci_meet_way *way)
{
    tc_real in_b[3], q[3], turned[3];
    for (uint32_t k = 0; k < 3u; ++k) in_b[k] = -n[k];
    tci_convex_support(view->a, n, way->p);
    tci_convex_back(view->turn, in_b, turned);
    tci_convex_support(view->b, turned, q);
    tci_convex_turn(view->turn, q, in_b);
    for (uint32_t k = 0; k < 3u; ++k) {
        way->n[k] = n[k];
        in_b[k] += view->at[k] - way->p[k];
    }
    way->view = view;
    way->reach = tc_vec_dot3(n, in_b);
}

/* Takes the direction side x if its way is shorter; x need not be of unit length */
static void try_direction(tci_meet_way *best, const tc_real x[3], tc_real side)
{
    const tc_real square = tc_vec_dot3(x, x);
    tci_meet_way way;
    tc_real n[3];
    if (!(square > TC_C(1e-18))) return;
    const tc_real scale = side / tc_sqrt(square);
    for (uint32_t k = 0; k < 3u; ++k) n[k] = scale * x[k];
    measure_way(best->view, n, &way);
    if (way.reach < best->reach) *best = way;
}

/* The same with x turned to point from b's origin to a's */
static void try_way(tci_meet_way *best, const tc_real x[3])
{
    const int beyond = tc_vec_dot3(x, best->view->at) > TC_C(0.0);
    try_direction(best, x, beyond ? TC_C(-1.0) : TC_C(1.0));
}

/* Faces of both, and the products of their edges */
static void try_axes(tci_meet_way *best)
{
    static const tc_real unit[9] = {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0),
                                    TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)};
    for (uint32_t j = 0; j < 3u; ++j) {
        tc_real column[3], across[3];
        for (uint32_t k = 0; k < 3u; ++k) column[k] = best->view->turn[3u * k + j];
        try_way(best, unit + 3u * j);
        try_way(best, column);
        for (uint32_t i = 0; i < 3u; ++i) {
            tc_vec_cross(unit + 3u * i, column, across);
            if (tc_vec_dot3(across, across) > TC_C(1e-6)) try_way(best, across);
        }
    }
}

/* Across the axes of round shapes, from one origin to the other */
static void try_radii(tci_meet_way *best)
{
    const tci_convex_view *const view = best->view;
    const tc_real axis[3] = {view->turn[2], view->turn[5], view->turn[8]};
    const tc_real along = tc_vec_dot3(axis, view->at);
    const tc_real across_a[3] = {view->at[0], view->at[1], TC_C(0.0)};
    tc_real across_b[3];
    for (uint32_t k = 0; k < 3u; ++k) across_b[k] = TC_MLS(view->at[k], along, axis[k]);
    try_way(best, across_a);
    try_way(best, across_b);
}

/* Moves a out along the best way and a little further: there the closest points are known, and the
 * way along their normal is no longer. */
static uint32_t shorten_way(tci_meet_way *best, tc_real near)
{
    tci_convex_view moved = *best->view;
    tci_convex_found found;
    uint32_t steps = 0;
    for (uint32_t turn = 0; turn < TCI_MEET_TURNS; ++turn) {
        const tc_real before = best->reach;
        for (uint32_t k = 0; k < 3u; ++k) {
            moved.at[k] = TC_MLS(best->view->at[k], before + near, best->n[k]);
        }
        const tc_status status = tci_convex_search(&moved, &found);
        steps += found.steps;
        if (status == TC_NOTE_OVERLAP) return steps;
        try_direction(best, found.v, TC_C(1.0));
        if (!(best->reach < before - TCI_MEET_SHORTER * near)) return steps;
    }
    return steps;
}

/* The least way that parts cores which overlap; adds to gap's steps */
TCI_MEET_APART static void push_apart(const tci_meet_pair *pair, tc_convex_gap *gap)
{
    const tc_convex *const a = pair->core_a, *const b = pair->core_b;
    static const tc_real up[3] = {TC_C(0.0), TC_C(0.0), TC_C(1.0)};
    tci_convex_view view = {.a = a, .b = b};
    tci_meet_way best;
    tci_convex_look(&view, pair->at_a, pair->at_b);
    measure_way(&view, up, &best);
    try_way(&best, up);
    try_way(&best, view.at);
    try_axes(&best);
    try_radii(&best);
    const tc_real extent = tci_meet_extent(a) + tci_meet_extent(b);
    gap->steps += shorten_way(&best, TCI_MEET_NEAR * extent);
    tc_real x[3];
    for (uint32_t k = 0; k < 3u; ++k) x[k] = TC_MLS(best.p[k], a->radius, best.n[k]);
    tci_meet_tell(pair->at_a, x, best.n, -best.reach - (a->radius + b->radius), gap);
}

tc_status tci_meet_translation(const tci_meet_pair *pair, tc_convex_gap *gap)
{
    const tc_convex *const a = pair->core_a, *const b = pair->core_b;
    if (a->kind == TC_CONVEX_HALFSPACE) {
        (void)tci_convex_distance(b, pair->at_b, a, pair->at_a, gap);
        tci_meet_swap(gap);
        return TC_OK;
    }
    const tc_status status = tci_convex_distance(a, pair->at_a, b, pair->at_b, gap);
    if (status == TC_NOTE_OVERLAP) push_apart(pair, gap);
    return status;
}
