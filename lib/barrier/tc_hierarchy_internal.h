/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The sum over two trees, in the axes of B: what the files of the hierarchy share. Not for users.
 */
#ifndef TC_HIERARCHY_INTERNAL_H
#define TC_HIERARCHY_INTERNAL_H

#include "tc_hierarchy.h"
#include "tc_vec.h"

#if defined(__GNUC__)
#define TCI_HIERARCHY_APART __attribute__((noinline)) /* its stack is not its caller's */
#else
#define TCI_HIERARCHY_APART
#endif

#define TCI_HIERARCHY_FAR TC_C(1e6)                        /* largest coordinate [m] */
#define TCI_HIERARCHY_OUTWARD (1 + TC_C(4.0) * TC_EPSILON) /* rounds a radius outwards */

/* How a traversal treats the pairs of grandchildren. */
typedef enum tci_hierarchy_mode {
    TCI_HIERARCHY_ALL = 0,  /* sums everything */
    TCI_HIERARCHY_PART = 1, /* sums one of them, nothing else */
    TCI_HIERARCHY_JOIN = 2  /* takes their sums from `parts` */
} tci_hierarchy_mode;

/* Two bodies as B sees them, and what a traversal counts. */
typedef struct tci_hierarchy_view {
    const tc_hierarchy_config *config;
    const tc_hierarchy *a, *b;
    tc_convex_pose at;         /* of A in B's axes */
    tc_hierarchy_cache *cache; /* may be NULL */
    tc_hierarchy_work *work;
    const tc_hierarchy_sum *parts; /* JOIN */
    tci_hierarchy_mode mode;
    uint32_t part;    /* PART: the one that is wanted */
    uint32_t met;     /* pairs of grandchildren so far */
    uint32_t derive;  /* 1: with derivatives */
    uint32_t waiting; /* items */
    uint32_t open;    /* frames */
} tci_hierarchy_view;

/* A function F of m = |y|^2: value, 2 F', 4 F''. Its gradient by y is alpha y, its Hessian alpha I +
 * beta y y'. */
typedef struct tci_hierarchy_radial {
    tc_real value, alpha, beta;
} tci_hierarchy_radial;

/* Sums the pairs of nodes below (0, 0) into view->work->frames[0].sum. */
tc_status tci_hierarchy_walk(tci_hierarchy_view *view);

/* Adds the exact potential of two leaves. y: from the centre of b to that of a, B's axes. */
tc_status tci_hierarchy_add_exact(const tci_hierarchy_view *view, uint32_t a, uint32_t b,
                                  const tc_real y[3], tc_hierarchy_sum *sum);

/* y = R x */
static inline void tci_hierarchy_turn(const tc_real R[9], const tc_real x[3], tc_real y[3])
{
    for (uint32_t i = 0; i < 3u; ++i) y[i] = tc_vec_dot3(R + 3u * i, x);
}

#endif
