/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Impacts for the tests, the bench and the campaign of the identification: random bodies that
 * strike a floor, and the truth of it in double. Written from the definitions, never from lib/,
 * which has closed forms and other solvers. Uses no function of libm but sqrt: the same bits on
 * every machine.
 */
#ifndef IDENTIFY_CASE_H
#define IDENTIFY_CASE_H

#include <stdint.h>

#define IDENTIFY_CASE_CONTACTS 4u
#define IDENTIFY_CASE_ROWS (3u * IDENTIFY_CASE_CONTACTS)

/* What is to be identified, and the model */
typedef struct identify_truth {
    double mu, e, ratio; /* ratio: of the true moments of inertia to the nominal ones */
    int convex;          /* 1: the convex model; 0: Coulomb's */
    int plane;           /* 1: the body moves in the plane of its first two axes */
    uint32_t n;          /* contacts */
} identify_truth;

/* One impact, in the body's axes */
typedef struct identify_case {
    double mass, inertia[3]; /* nominal [kg], [kg m^2]; the true mass is the nominal one */
    double normal[3], arm[3u * IDENTIFY_CASE_CONTACTS], orientation[4];
    double J[6u * IDENTIFY_CASE_ROWS]; /* of each contact the normal's row, then two tangents' */
    double before[6], after[6];        /* velocity of the centre of mass, rate of turn */
    int sticks;                        /* one contact: it sticks in compression */
} identify_case;

void identify_case_seed(uint32_t seed);
double identify_case_uniform(double low, double high);
/* The sum of 12 uniform numbers: normal to 1 % of its density within 3 deviations */
double identify_case_normal(void);

/* Draws a body of 0.5 to 2 kg and 10 to 40 cm that strikes with this speed [m/s] in a random
 * direction towards the floor and turns with up to 5 rad/s about each axis, until a contact
 * approaches with 0.1 m/s and the truth is solved. */
void identify_case_draw(identify_case *x, const identify_truth *truth, double speed);

/* The rates after the same impact with this truth. Returns 0 if no contact approaches with 0.1 m/s or
 * the truth is not solved. */
int identify_case_solve(identify_case *x, const identify_truth *truth);

/* y = x turned from the body's axes to the world's */
void identify_case_turn(const identify_case *x, const double a[3], double b[3]);

#endif
