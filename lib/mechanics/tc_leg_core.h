/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_leg_move into memory that is no longer than the leg's joints ask for, and a leg's size,
 * internal.
 */
#ifndef TC_LEG_CORE_H
#define TC_LEG_CORE_H

#include "tc_leg.h"

/* tc_leg_motion with its arrays elsewhere. */
typedef struct tc_leg_view {
    tc_real *M;    /* [n x n] */
    tc_real *bias; /* [n] */
    tc_real *J;    /* [2 x n] */
    tc_real foot[2], carried[2];
    tc_real angle, rate;
    tc_real lever[2];
} tc_leg_view;

/* tc_leg_move; the view's pointers are read. */
void tc_leg_look(const tc_leg *leg, const tc_leg_base *base, const tc_real *q, const tc_real *qd,
                 tc_leg_view *view);

/* tc_leg_size.c: of a checked leg, and of the one that the configurations were tuned on
 * (tests/hil). */
typedef struct tc_leg_size {
    tc_real mass;  /* that a contact at the foot has to stop [kg] */
    tc_real reach; /* of the leg stretched out, joints that slide at 0 [m] */
} tc_leg_size;

tc_leg_size tc_leg_size_of(const tc_leg *leg);
tc_leg_size tc_leg_size_reference(void);

/* TC_OK or TC_ERR_RANGE (which NaN is too): no counts, a noise or a range that cannot be */
tc_status tc_leg_sensing_check(const tc_leg_sensing *sensing, uint32_t joints);

/* steps[joints] of encoders as a filter at this tick is to believe them; returns how many times the
 * least of use the worst of them is, 1 or more. */
tc_real tc_leg_steps(const tc_leg *leg, tc_real tick, const tc_leg_sensing *sensing,
                     tc_real *steps);

#endif
