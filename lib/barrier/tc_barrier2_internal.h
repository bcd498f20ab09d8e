/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The parts of tc_barrier2.h, without checks, for steps over many pairs. Not for users.
 *
 *     tci_barrier2_look(&view, a, at_a, b, at_b);
 *     known = tci_barrier2_open(&plane, &states[0]);
 *     status = tci_barrier2_search(&view.pair, known, states, enough, &newton);     value, plane
 *     tci_barrier2_derive(config, &view.pair, states[0], &result);       no second pass
 *     tci_barrier2_close(&weight, states[0], &plane);
 *
 * tci_barrier_total(states[0]) is Q, tci_barrier_weigh makes the value of it. To ask only
 * whether a plane separates, and for Q there: open, tci_barrier2_gather, tci_barrier_apart.
 */
#ifndef TC_BARRIER2_INTERNAL_H
#define TC_BARRIER2_INTERNAL_H

#include "tc_barrier2.h"
#include "tc_barrier_internal.h"

/* A view and the rotations that it points to: it stays where it is */
typedef struct tci_barrier2_view {
    tci_barrier_view pair;
    tc_real turn[2][4];
} tci_barrier2_view;

/* The view points to the sets */
void tci_barrier2_look(tci_barrier2_view *view, const tc_barrier_set *a,
                       const tc_barrier2_pose *at_a, const tc_barrier_set *b,
                       const tc_barrier2_pose *at_b);

/* A state's plane, without sums; 0 if the plane is not known */
int tci_barrier2_open(const tc_barrier2_plane *plane, tci_barrier_state *state);

/* The plane of a state, |n| by the weights */
void tci_barrier2_close(const tci_barrier_weight *weight, const tci_barrier_state *state,
                        tc_barrier2_plane *plane);

/* The sums of a state's plane */
void tci_barrier2_gather(const tci_barrier_view *view, tci_barrier_state *state);

/* Newton from states[0] where its plane is known and separates, else from the closest points. known:
 * 2 if it separates and has its sums. TC_OK,
 * TC_NOTE_LIMIT or TC_ERR_TOUCHING; the result becomes states[0].
 * enough: of tci_barrier_search; -1: none. */
tc_status tci_barrier2_search(const tci_barrier_view *view, int known, tci_barrier_state *states[2],
                              tc_real enough, uint32_t *newton);

/* Derivatives at a state that separates, with its sums, which are centred by it */
void tci_barrier2_derive(const tc_barrier_config *config, const tci_barrier_view *view,
                         tci_barrier_state *state, const tci_barrier_result *result);

/* tc_barrier2_floor without checks; 0: the body touches */
int tci_barrier2_floor(const tc_barrier_set *set, const tc_barrier2_pose *at,
                       const tc_plane2 *floor, tc_barrier2_floor_pair *pair);

#endif
