/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_leg_move into memory that is no longer than the leg's joints ask for, internal.
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
void tc_leg_look(const tc_leg *leg, const tc_leg_base *base, const tc_real *q, const tc_real *qd, tc_leg_view *view);

#endif
