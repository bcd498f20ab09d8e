/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The search for the deepest point of a pair that has no closed form. Not for users.
 */
#ifndef TC_MEET_SAMPLES_INTERNAL_H
#define TC_MEET_SAMPLES_INTERNAL_H

#include "tc_meet_internal.h"

#define TCI_MEET_KEPT 4u   /* starts of a descent */
#define TCI_MEET_STEPS 24u /* steps of a descent */

/* A point of a and b's value there, less `shrink`, with its gradient; a's axes [m] */
typedef struct tci_meet_start {
    tc_real value, gradient[3];
    tc_real note; /* the evaluation's status */
    tc_real x[3];
} tci_meet_start;

/* The search, in a's axes */
typedef struct tci_meet_search {
    const tci_meet_pair *pair;
    tc_real turn[9]; /* a's axes to b's axes */
    tc_real at[3];   /* a's origin in b's axes */
    tc_real half[3]; /* half edges of the box about what is searched */
    tc_real reach;   /* radius of a about its origin, rounding included */
    tc_real shrink;  /* a's rounding where its core is searched: b's value falls by it */
    int on_core;     /* 1: a's core is searched, 0: its surface */
    uint32_t asked;  /* evaluations of b */
    uint32_t count;  /* starts */
    tci_meet_start start[TCI_MEET_KEPT];
    tc_real close[TCI_MEET_KEPT][4]; /* a's value at points of b's surface, and the points */
    uint32_t close_count;
    tc_real highest; /* of these values */
} tci_meet_search;

/* b's value, gradient and place */
tc_status tci_meet_ask(tci_meet_search *s, tci_meet_start *to);

/* Moves x to the nearest point of a's core or surface; normal: a's there, 0 for a core */
tc_status tci_meet_settle(tci_meet_search *s, tc_real x[3], tc_real normal[3]);

/* Fills `start`, and `close` unless a is a ball, whose deepest point b's value at the centre gives; TC_ERR_UNSUPPORTED where a has no points */
tc_status tci_meet_find_starts(tci_meet_search *s);

/* a's value and gradient at x */
tc_status tci_meet_ask_a(const tci_meet_search *s, const tc_real x[3], tc_real value[4]);

#endif
