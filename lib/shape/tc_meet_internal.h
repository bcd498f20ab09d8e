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

/* The distance of a convex pair by TC_MEET_DEEPEST; a may be a half-space */
tc_status tci_meet_deepest(const tci_meet_pair *pair, tc_convex_gap *gap);

/* The distance of a convex pair by TC_MEET_TRANSLATION */
tc_status tci_meet_translation(const tci_meet_pair *pair, tc_convex_gap *gap);

/* Number of parts: 1 where the shape is no union */
uint32_t tci_meet_parts(const tc_sdf *shape);

/* Part i of a shape that is at `at`, and its pose, which may be `at` itself or *placed */
const tc_sdf *tci_meet_part(const tc_sdf *shape, const tc_convex_pose *at, uint32_t i,
                            tc_convex_pose *placed, const tc_convex_pose **part_at);

#endif
