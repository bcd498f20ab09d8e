/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Exact planar Coulomb friction by brute force, in double: a law for tests, and the oracle that a
 * whole limb is held to.
 */
#ifndef COULOMB2_CASE_H
#define COULOMB2_CASE_H

#include "test.h"

#include "tc_learned2.h"

/* u+ = u + W p, p = (friction, normal 1, normal 2) */
typedef struct coulomb_problem {
    uint32_t count;
    double W[3][3];
    double u[3];
    double mu;
} coulomb_problem;

typedef struct coulomb_answer {
    double p[3];
    double violation;   /* of the conditions, relative to the largest |u| */
    uint32_t solutions; /* distinct ones that meet the conditions */
    tc_learned_class found;
} coulomb_answer;

/* Every combination of closed contacts and sticking, sliding left, sliding right; the one that
 * violates least. */
void coulomb_solve(const coulomb_problem *problem, coulomb_answer *answer);

/* The same of a query, of a free body. */
void coulomb_solve_query(const tc_learned2_query *query, double mu, coulomb_answer *answer);

/* As a law: class and ratio of the free body. `mu` must outlive it. */
tc_learned2_model coulomb_law_of(const double *mu);

#endif
