/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What Python asks about contacts with friction (tools/tinycontact/impact/cone.py): the sizes that
 * are macros in C, and many problems in one call, so that a time has no interpreter in it. Host
 * only; linked into the shared library.
 */
#ifndef NATIVE_CONE_H
#define NATIVE_CONE_H

#include "tc_impact.h"

TC_BEGIN

#define NATIVE_CONE_STRIDE 64u /* tc_reals between the answers of two problems */

/* Length of a workspace that does for tc_cone_solve and tc_impact_solve. */
uint32_t native_cone_work(uint32_t n, uint32_t rows, uint32_t d);

/* Largest number of contacts with one or two rows, and with three; of columns. */
void native_cone_sizes(uint32_t sizes[3]);

/* Largest coefficient of friction. */
double native_cone_friction(void);

/* Solves count problems, all of them rounds times: f, u, w [count][NATIVE_CONE_STRIDE], status
 * [count]. */
void native_cone_many(const tc_cone *problems, uint32_t count, uint32_t rounds, tc_real *f,
                      tc_real *u, tc_real *w, int32_t *status);

/* tc_impact_solve by the convex law: outputs one after the other, f_c, u_c [n rows], w_c [d], f, u
 * [n rows], w [d]; infos of compression and restitution. e and target may be null. */
int32_t native_impact_solve(const tc_cone *contact, const tc_real *e, const tc_real *target,
                            tc_real *outputs, tc_cone_info infos[2], tc_real *work,
                            size_t work_len);

/* The classical way, to compare with: projected Gauss-Seidel on whole contacts in double, from f = 0,
 * with the step 1 / (largest row sum of A_ii). No floors, no compliance. u [count][NATIVE_CONE_STRIDE]. */
void native_cone_sweeps(const tc_cone *problems, uint32_t count, uint32_t sweeps, double *u);

TC_END

#endif
