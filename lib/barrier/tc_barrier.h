/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Barriers between convex bodies that push from any distance: the body and the weights. The header
 * tc_barrier2.h has the functions in the plane, tc_barrier3.h those in space.
 *
 * A body is the hull of its vertices, swept by a radius. A plane (n, d) lies between two bodies.
 * u is a vertex's distance from the plane less the radius, times |n|. The potential P is the
 * minimum over all planes:
 *
 *     P = min A / (1 - |n|) + sum 1/u
 *
 * P grows without bound as the bodies approach each other. It pushes them apart at any distance,
 * and its derivatives are smooth wherever they are apart.
 *
 * Q is the minimum of sum 1/u at |n| = 1. Then P = A + Q + 2 sqrt(A Q). Q is the barrier near
 * touch, the root acts from afar. The configuration weighs the far part and bounds it:
 *
 *     value = A + Q + kappa 2 sqrt(A Q) / sqrt(1 + length Q)
 *
 * With kappa = 1 and length = 0 the value is P. The caller multiplies it by a stiffness.
 */
#ifndef TC_BARRIER_H
#define TC_BARRIER_H

#include "tc_status.h"

TC_BEGIN

#define TC_BARRIER_VERTICES_MAX 64u /* largest number of vertices of a set */
#define TC_BARRIER_NEWTON 40u       /* largest number of Newton steps of a solve */
/* A gap below this share of the larger body's size is too small for the stated accuracy. */
#define TC_BARRIER_PRECISE TC_C(1e-4)

/* A convex body: the hull of its vertices, swept by a radius. */
typedef struct tc_barrier_set {
    const tc_real *vertices; /* [count x 2] or [count x 3], body's axes [m]; each within 1e6 */
    uint32_t count;          /* number of vertices; 1..TC_BARRIER_VERTICES_MAX */
    tc_real radius;          /* rounding [m]; 0..1e6 */
} tc_barrier_set;

/* The weights of near and far. */
typedef struct tc_barrier_config {
    tc_real A;      /* weight of |n| [1/m]; 0..1e6; 12; higher: a stronger far part */
    tc_real kappa;  /* factor of the far part [1]; 0..1e6; 1; higher: it is stronger */
    tc_real length; /* bound of the far part [m]; 0..1e6; 0; higher: it is weaker near touch */
} tc_barrier_config;

/* Returns the paper's weights: A = 12, kappa = 1, length = 0. */
tc_barrier_config tc_barrier_default(void);

/* Checks the weights.
 * Returns:
 *   TC_OK               the weights are valid.
 *   TC_ERR_NULL         `config` is NULL.
 *   TC_ERR_NOT_FINITE   a weight is NaN or infinite.
 *   TC_ERR_RANGE        a weight is negative or above 1e6.
 * Cost: constant. */
tc_status tc_barrier_check(const tc_barrier_config *config);

TC_END

#endif
