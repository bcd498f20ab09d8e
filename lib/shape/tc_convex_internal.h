/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The search for the closest points of two cores, and its simplex. Not for users.
 */
#ifndef TC_CONVEX_INTERNAL_H
#define TC_CONVEX_INTERNAL_H

#include "tc_convex.h"
#include "tc_vec.h"

/* Points w = p - q of the difference of the cores, with their p; v = sum weight w is the point of
 * their hull that is nearest to the origin. */
typedef struct tci_convex_simplex {
    tc_real w[4][3];
    tc_real p[4][3];
    tc_real weight[4];
    tc_real v[3];
    uint32_t count;
} tci_convex_simplex;

/* Adds the point w with its p, whose weight is 0 so far, and finds v again. Returns 1 if the hull
 * holds the origin, else 0. */
int tci_convex_add(tci_convex_simplex *s, const tc_real w[3], const tc_real p[3]);

/* B as seen from A */
typedef struct tci_convex_view {
    const tc_convex *a, *b;
    tc_real turn[9]; /* B's axes to A's axes */
    tc_real at[3];   /* B's origin in A's axes */
} tci_convex_view;

/* The result of a search, in A's axes: v from B's closest point to A's, and A's closest point p.
 * gap = |v|^2 - v.w is the distance of the bounds; share is its square by |v|^2 |w|^2. */
typedef struct tci_convex_found {
    tc_real v[3];
    tc_real p[3];
    tc_real share;
    uint32_t steps;
} tci_convex_found;

/* Sets turn and at */
void tci_convex_look(tci_convex_view *view, const tc_convex_pose *at_a, const tc_convex_pose *at_b);

/* Searches the closest points of two cores, neither a half-space. TC_OK, TC_NOTE_LIMIT or
 * TC_NOTE_OVERLAP, with which only steps is written. */
tc_status tci_convex_search(const tci_convex_view *view, tci_convex_found *found);

/* p becomes the point of the core that is least along v */
void tci_convex_support(const tc_convex *shape, const tc_real v[3], tc_real p[3]);

/* p becomes the point of the core that is nearest to x; of vertices the first */
void tci_convex_project(const tc_convex *shape, const tc_real x[3], tc_real p[3]);

/* Newton for the closest points from v and q of B, A's axes; p becomes that of A, and v is from B's
 * to it. flat: 1 takes a flat end of B that v is nearly across for B's side. Cores without vertices. */
void tci_convex_polish(const tci_convex_view *view, const tc_real q[3], int flat, tc_real p[3],
                       tc_real v[3]);

/* y = R x and y = R' x */
static inline void tci_convex_turn(const tc_real R[9], const tc_real x[3], tc_real y[3])
{
    for (uint32_t i = 0; i < 3u; ++i) y[i] = tc_vec_dot3(R + 3u * i, x);
}

static inline void tci_convex_back(const tc_real R[9], const tc_real x[3], tc_real y[3])
{
    for (uint32_t i = 0; i < 3u; ++i) {
        y[i] = TC_MLA(TC_MLA(R[i] * x[0], R[3u + i], x[1]), R[6u + i], x[2]);
    }
}

/* The public function without its checks */
tc_status tci_convex_distance(const tc_convex *a, const tc_convex_pose *at_a, const tc_convex *b,
                              const tc_convex_pose *at_b, tc_convex_gap *gap);

/* The same for a pair that is looked at already; at_a: the pose of a */
tc_status tci_convex_measure(const tci_convex_view *view, const tc_convex_pose *at_a,
                             tc_convex_gap *gap);

/* TC_OK or what a pose has against it */
tc_status tci_convex_check_pose(const tc_convex_pose *at);

/* TC_OK or what the sizes have against them; vertices are not looked at */
tc_status tci_convex_check_sizes(const tc_convex *shape);

#endif
