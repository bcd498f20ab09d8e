/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The simplex of the search for the closest points of two cores. Not for users.
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

/* The public function without its checks */
tc_status tci_convex_distance(const tc_convex *a, const tc_convex_pose *at_a, const tc_convex *b,
                              const tc_convex_pose *at_b, tc_convex_gap *gap);

/* TC_OK or what a pose has against it */
tc_status tci_convex_check_pose(const tc_convex_pose *at);

/* TC_OK or what the sizes have against them; vertices are not looked at */
tc_status tci_convex_check_sizes(const tc_convex *shape);

#endif
