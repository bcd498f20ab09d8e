/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Joints as rows: the projector on what k linear equations E x = b leave free.
 *
 * In whitened coordinates, E = J_E M^(-1/2), a joint's impulses change w by E^T lambda. Then
 *
 *     w  <- (I - P) w      the velocity that the joints allow, nearest in kinetic energy
 *     G  <- G (I - P)      rows of contacts: an impulse and the joints' answer to it
 *     P  =  E^+ E          projector on the rows
 *
 * tc_joint_factor drops rows that depend on others, as closed loops in the plane have them.
 */
#ifndef TC_JOINT_H
#define TC_JOINT_H

#include "tc_status.h"

TC_BEGIN

/* largest numbers of rows and of columns */
#if TC_CONE_FREEDOM_MAX <= 32u
#define TC_JOINT_ROWS_MAX 24u
#define TC_JOINT_RATES_MAX 32u
#else
#define TC_JOINT_ROWS_MAX TC_CONE_FREEDOM_MAX
#define TC_JOINT_RATES_MAX TC_CONE_FREEDOM_MAX
#endif

/* A factored set of rows. tc_joint_factor fills it; E and scale are the caller's and must outlive
 * it. */
typedef struct tc_joint_rows {
    uint32_t k, d;  /* rows and columns */
    uint32_t rank;  /* independent rows */
    tc_real *E;     /* [k x d] reflectors and the triangle R, by rows in `order` */
    tc_real *scale; /* [2 k] 2 / |reflector|^2, then the diagonal of R */
    uint8_t order[TC_JOINT_ROWS_MAX]; /* row of E of each pivot */
} tc_joint_rows;

/* Factors E[k x d] in place by Householder reflections, the row with the largest rest first. A row
 * whose rest is at most 1000 TC_EPSILON of its length counts as dependent.
 * The function writes scale[2 k]. k = 0 is a joint that allows everything. E and scale may then be
 * NULL.
 * Returns:
 *   TC_OK              done; joint->rank is the number of independent rows.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_SIZE        k is above TC_JOINT_ROWS_MAX, or d is 0 or above TC_JOINT_RATES_MAX.
 *   TC_ERR_NOT_FINITE  E has a NaN or an infinity.
 * On error: the joint allows everything.
 * Cost: k^2 d multiply-accumulates, two square roots a row. */
tc_status tc_joint_factor(tc_joint_rows *joint, tc_real *E, uint32_t k, uint32_t d, tc_real *scale);

/* Replaces x[d] by (I - P) x.
 * Cost: 4 rank d multiply-accumulates. */
void tc_joint_project(const tc_joint_rows *joint, tc_real *x);

/* Writes to x[d] the shortest x with E x = b[k] in the independent rows. b is overwritten. */
void tc_joint_solve(const tc_joint_rows *joint, tc_real *b, tc_real *x);

TC_END

#endif
