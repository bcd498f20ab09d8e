/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The families of contact problems that the tests draw from; the unit tests take a few hundred of
 * each, the campaign up to a million. What is known about a family is known by construction.
 *
 * All numbers are drawn in tc_real, so the problem is exactly what its floats say.
 */
#ifndef LCP_FAMILIES_H
#define LCP_FAMILIES_H

#include "tinycontact.h"

typedef enum family_truth {
    FAMILY_SOLVABLE,
    FAMILY_INFEASIBLE, /* proven by the exact integer vector in `proof` */
    FAMILY_EITHER      /* solvable, but perhaps by impulses beyond what float tells from none */
} family_truth;

typedef struct family_problem {
    tc_lcp lcp;
    tc_real M[TC_LCP_MAX * TC_LCP_MAX];
    tc_real J[TC_LCP_MAX * (TC_LCP_MAX + 2u)]; /* columns: lcp.d, or more where lcp.J is null */
    tc_real q[TC_LCP_MAX];
    uint32_t columns;
} family_problem;

typedef struct family {
    const char *name;
    family_truth truth;
    uint32_t smallest; /* n */
    void (*draw)(family_problem *p, uint32_t n);
} family;

extern const family families[];
extern const uint32_t family_count;

void family_seed(uint64_t seed);

/* Draws problem number `index` of family f: the same one whatever was drawn before. */
void family_draw(const family *f, family_problem *p, uint32_t n, uint32_t index);

#endif
