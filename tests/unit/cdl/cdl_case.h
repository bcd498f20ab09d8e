/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange systems that tests share: one of them at a time, in storage of its own.
 */
#ifndef CDL_CASE_H
#define CDL_CASE_H

#include "test.h"

#define CDL_K 8u
#define CDL_D 3u
#define CDL_N (CDL_K * CDL_D)
#define CDL_C 16u

/* Whoever begins a system sets fields of `config` and calls cdl_ready. */
typedef struct cdl_case {
    tc_cdl cdl;
    tc_cdl_config config;
    tc_cdl_contact contact[CDL_C];
    tc_real mass[CDL_K], matrix[CDL_K * CDL_D * CDL_D], weight[CDL_N], Q[CDL_N], V[CDL_N];
    tc_cdl_info info;
    tc_real room[TC_CDL_STATE(CDL_K, CDL_D, CDL_C)];
    tc_real work[TC_CDL_SIMULTANEOUS_WORK(CDL_K, CDL_D, CDL_C, 0)];
} cdl_case;
extern cdl_case cdl;

/* Masses 1, no forces, no contacts, everything at 0; step 0.01 s, e = 1. */
void cdl_begin(uint32_t bodies, uint32_t dimension);

/* One more contact, along coordinate `axis`. */
void cdl_contact(uint32_t body, uint32_t other, uint32_t axis, tc_real sign, tc_real distance);

void cdl_ready(void);
tc_status cdl_step(void);

/* The paper's: a ball 10 m above its floor, h = 0.02 s; two pendulums, the first with 2 rad/s,
 * h = 0.01 s. */
void cdl_ball(tc_real restitution);
void cdl_cradle(void);

/* So many steps, all of them fine: a hash of every 50th state, and how many contacts acted. */
uint32_t cdl_roll(uint32_t steps, uint32_t *contacts);

/* L V of contact c, with its fixed normal. */
tc_real cdl_approach(uint32_t c, const tc_real *V);

#endif
