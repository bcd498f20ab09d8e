/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A pair of posed shapes without unions, as the searches for its distance see it. Not for users.
 */
#ifndef TC_MEET_INTERNAL_H
#define TC_MEET_INTERNAL_H

#include "tc_meet.h"

#include "tc_convex_internal.h"
#include "tc_sdf_internal.h"

/* Kept out of its caller's frame: the two are not needed on the stack at the same time */
#if defined(__GNUC__)
#define TCI_MEET_APART __attribute__((noinline))
#else
#define TCI_MEET_APART
#endif

/* share of a pair's extent: the distance at which searches of sunk pairs stay apart */
#define TCI_MEET_NEAR (TC_C(1000.0) * TC_EPSILON)

/* A pair. Neither shape is a union. */
typedef struct tci_meet_pair {
    const tc_sdf *a, *b;
    const tc_convex_pose *at_a, *at_b;
    const tc_convex *core_a; /* a's core and rounding; NULL: a is not convex */
    const tc_convex *core_b; /* the same for b */
    tc_real *work;           /* for evaluations */
    size_t work_len;
} tci_meet_pair;

/* The pair's distance where a or b is not convex: a convex a over a terrain, grid or net, or a grid
 * or net with stored points over any b but itself one of these without values. Writes all of gap.
 * TC_OK, TC_NOTE_LIMIT, TC_NOTE_RANGE, TC_ERR_UNSUPPORTED, or what an evaluation returns. */
tc_status tci_meet_samples(const tci_meet_pair *pair, tc_convex_gap *gap);

/* The distance of a pair as tc_meet_distance has it. Poses and rule are not checked. */
tc_status tci_meet_measure(const tci_meet_pair *pair, tc_meet_rule rule, tc_convex_gap *gap);

/* The distance of a convex pair by TC_MEET_DEEPEST; a may be a half-space */
tc_status tci_meet_deepest(const tci_meet_pair *pair, tc_convex_gap *gap);

/* The distance of a convex pair by TC_MEET_TRANSLATION */
tc_status tci_meet_translation(const tci_meet_pair *pair, tc_convex_gap *gap);

/* Makes the gap of b with a that of a with b */
void tci_meet_swap(tc_convex_gap *gap);

/* The gap of a's point x with the normal n, both in a's axes, in world axes */
void tci_meet_tell(const tc_convex_pose *at, const tc_real x[3], const tc_real n[3],
                   tc_real distance, tc_convex_gap *gap);

/* The distance from a core's centre to the furthest point of its rounded surface */
tc_real tci_meet_extent(const tc_convex *core);

/* u becomes the support point along n of a core of this kind with all half edges 1. Returns n.u:
 * the support's loss per metre of inset beyond the rounding; 1 where there is none beyond it. */
tc_real tci_meet_loss(const tc_convex *core, const tc_real n[3], tc_real u[3]);

/* Number of parts: 1 where the shape is no union */
uint32_t tci_meet_parts(const tc_sdf *shape);

/* Part i of a shape that is at `at`; its pose is placed */
const tc_sdf *tci_meet_part(const tc_sdf *shape, const tc_convex_pose *at, uint32_t i,
                            tc_convex_pose *placed);

#endif
