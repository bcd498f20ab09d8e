/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What limbs in the plane and in space are judged by alike: mass matrix, rates, kinetic energy.
 */
#ifndef RATES_H
#define RATES_H

#include "judge.h"

#include "tc_chain3.h"

#define RATES_MOST TC_CHAIN3_DOF

typedef struct rates {
    uint32_t n, root;     /* rates; how many of them are a floating root's */
    double step, damping; /* [s]; torque = -damping M_kk qd_k, but of the root [1/s] */
    tc_real torque[RATES_MOST];
    double mass[RATES_MOST][RATES_MOST], free[RATES_MOST]; /* before the step; after it, without a
                                                            * contact */
    double gained[RATES_MOST];                             /* what the forces of the step gave */
} rates;

/* From M and the forces at hand, in double */
void rates_prepare(rates *x, const tc_real *M, const tc_real *force, const tc_real *qd);

/* The contact made no kinetic energy. */
void rates_judge_energy(run *r, const rates *x, const tc_real *qd);

/* The same of a step that touched between its beginning and its end (TOC), where the mass matrix is
 * M; the forces of the time that was waited were taken back. */
void rates_judge_touches(run *r, const rates *x, const tc_real *M, tc_real waited,
                         const tc_real *qd);

/* A limb that turns or travels too fast for its step: an explicit integration of its free motion
 * says nothing then. */
int rates_flee(const rates *x, const tc_real *qd);

#endif
