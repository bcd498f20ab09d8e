/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The families of frictional contact problems that the tests draw from; the unit tests take some
 * of each, the campaign ten thousand.
 *
 * All numbers are drawn in 23 bits, so that the float and the double build see the same problem
 * wherever a family computes nothing from them.
 */
#ifndef CONE_FAMILIES_H
#define CONE_FAMILIES_H

#include "tinycontact.h"

#define CONE_FAMILY_ROWS 32u /* of G at most; as many columns */

typedef struct cone_problem {
    tc_cone cone; /* points into the arrays below */
    tc_real G[CONE_FAMILY_ROWS * CONE_FAMILY_ROWS];
    tc_real w0[CONE_FAMILY_ROWS];
    tc_real mu[TC_CONE_MAX];
    tc_real floor[TC_CONE_MAX];       /* of the restitution */
    tc_real soft[TC_CONE_MAX];        /* compliances */
    tc_real e[TC_CONE_MAX];           /* coefficients of restitution */
    tc_real target[CONE_FAMILY_ROWS]; /* velocity that the restitution aims at */
} cone_problem;

typedef struct cone_family {
    const char *name;
    void (*draw)(cone_problem *p);
} cone_family;

/* One more than `cone_family_count`: the last, random rows of one free body, is for counting. */
enum {
    CONE_SPD,
    CONE_BOX,
    CONE_CHAIN,
    CONE_SMOOTH,
    CONE_TINY,
    CONE_HUGE,
    CONE_DUPLICATE,
    CONE_GRASP,
    CONE_LOWRANK,
    CONE_BODY
};
extern const cone_family cone_families[];
extern const uint32_t cone_family_count;

/* Draws problem number `index` of a family with n contacts (0: any number) of 2 or 3 rows: the same
 * one whatever was drawn before. It has no floors. */
void cone_draw(const cone_family *family, cone_problem *p, uint32_t rows, uint32_t n,
               uint32_t index);

/* Gives each contact the compliance `part` a_i, a_i the mean square of its rows. */
void cone_soften(cone_problem *p, tc_real part);

/* Makes the restitution that follows from a compression with impulses f and velocity w. */
void cone_restitute(cone_problem *p, const tc_real *f, const tc_real *w);

/* Whether a contact of the problem comes nearer. */
int cone_approaches(const tc_cone *c);

#endif
