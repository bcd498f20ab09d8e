/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The parts of tc_barrier3.h, without checks, for steps over many pairs. Not for users.
 *
 *     tci_barrier3_look(&view, a, at_a, b, at_b);
 *     known = tci_barrier3_open(&plane, &states[0]);
 *     status = tci_barrier3_search(&view, known, states, enough, &newton);     value, plane
 *     tci_barrier3_derive(config, &view, states[0], &result);       no second pass
 *     tci_barrier3_close(&weight, states[0], &plane);
 *
 * tci_barrier_total(states[0]) is Q, tci_barrier_weigh makes the value of it. To ask only
 * whether a plane separates, and for Q there: open, tci_barrier3_gather, tci_barrier_apart.
 */
#ifndef TC_BARRIER3_INTERNAL_H
#define TC_BARRIER3_INTERNAL_H

#include "tc_barrier3.h"
#include "tc_barrier_internal.h"

/* The view points to the sets and to the rotations of the poses */
void tci_barrier3_look(tci_barrier_view *view, const tc_barrier_set *a, const tc_convex_pose *at_a,
                       const tc_barrier_set *b, const tc_convex_pose *at_b);

/* A state's plane, without sums; 0 if the plane is not known */
int tci_barrier3_open(const tc_barrier3_plane *plane, tci_barrier_state *state);

/* The plane of a state, |n| by the weights */
void tci_barrier3_close(const tci_barrier_weight *weight, const tci_barrier_state *state,
                        tc_barrier3_plane *plane);

/* The sums of a state's plane */
void tci_barrier3_gather(const tci_barrier_view *view, tci_barrier_state *state);

/* Newton from states[0] where its plane is known and separates, else from the closest points. known:
 * 2 if it separates and has its sums. TC_OK,
 * TC_NOTE_LIMIT or TC_ERR_TOUCHING; the result becomes states[0].
 * enough: of tci_barrier_search; -1: none. */
tc_status tci_barrier3_search(const tci_barrier_view *view, int known, tci_barrier_state *states[2],
                              tc_real enough, uint32_t *newton);

/* Derivatives at a state that separates, with its sums, which are centred by it */
void tci_barrier3_derive(const tc_barrier_config *config, const tci_barrier_view *view,
                         tci_barrier_state *state, const tci_barrier_result *result);

/* tc_barrier3_floor without checks; 0: the body touches */
int tci_barrier3_floor(const tc_barrier_set *set, const tc_convex_pose *at, const tc_plane3 *floor,
                       tc_barrier3_floor_pair *pair);

#endif
