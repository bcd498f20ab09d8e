/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Many frictionless contacts along a line, such as the limits of a rope. The contact matrix is
 * banded, and a solve takes time in proportion to the number of contacts.
 *
 *     minimise  f^T A f / 2 + q^T f   subject to  f_i >= floor_i
 *
 * A = J M^-1 J^T is symmetric positive semi-definite. Contacts are sorted along the line: A_ij is 0
 * where |i - j| > width. The impulses are f. The contact velocities are q without impulses and
 * w = q + A f with them. At the solution each w_i >= 0, and w_i = 0 for each active contact, one
 * with f_i > floor_i.
 *
 * Two phases. Compression solves with floor = NULL for f_c and w_c. Restitution then solves with
 * q = w_c - target and floor = e f_c. The target is the velocity that takes penetration out.
 *
 * w is unique; f is unique where A is positive definite.
 *
 * The library judges every answer by two numbers, which it recomputes from the problem and f:
 *
 *     residual = max_i |min(A_ii (f_i - floor_i), w_i)| / scale
 *     scale    = max_i (sum_j |A_ij f_j| + |q_i|)
 *     error    = the same numerator / max_i max(|q_i|, |(q + A floor)_i|)
 *
 * The residual is relative to the terms that cancel, the error to the velocities that come in. Rows
 * of different units, such as angles and lengths, want to be scaled to one unit.
 */
#ifndef TC_BAND_H
#define TC_BAND_H

#include "tc_status.h"

TC_BEGIN

#define TC_BAND_MAX 65535u   /* largest number of contacts */
#define TC_BAND_WIDTH_MAX 8u /* largest half-bandwidth */
/* limit on the residual: 3.8e-6 in float */
#ifdef TC_DOUBLE
#define TC_BAND_TOLERANCE 1e-11
#else
#define TC_BAND_TOLERANCE (TC_C(32.0) * TC_EPSILON)
#endif
#define TC_BAND_ERROR TC_C(0.0009765625) /* limit on the error: 2^-10 */
/* Limits on |A_ij|, |q_i| and floor_i, and from below on A_ii. */
#define TC_BAND_LARGEST TC_C(1e15)
#define TC_BAND_SMALLEST TC_C(1e-15)
/* Factorisations that one solve of n contacts may take. */
#define TC_BAND_ITERATIONS(n) (64u + 2u * ((n) < 64u ? (n) : 64u))

/* A problem. */
typedef struct tc_band {
    uint32_t n;           /* number of contacts; 0..TC_BAND_MAX */
    uint32_t width;       /* half-bandwidth of A; 0..TC_BAND_WIDTH_MAX */
    const tc_real *A;     /* [n x (width + 1)] row i has A_ii, A_i,i-1, ..., A_i,i-width; elements
                           * left of column 0 are unused */
    const tc_real *q;     /* [n] contact velocities without impulses */
    const tc_real *floor; /* [n] lower bounds of the impulses, >= 0; NULL: 0 */
    const tc_real *warm; /* [n] impulses expected, those of the last tick; only whether one is above
                           * its floor counts; NULL: contacts that approach */
} tc_band;

/* How a problem was solved. */
typedef struct tc_band_info {
    uint32_t active;     /* number of active contacts */
    uint32_t iterations; /* factorisations */
    tc_real residual;    /* see above [1] */
    tc_real scale;       /* see above [unit of w] */
    tc_real error;       /* see above [1] */
    tc_real margin; /* smallest max(A_ii (f_i - floor_i), w_i) of a contact, relative to the scale
                     * [1]: derivatives jump where it is 0 */
} tc_band_info;

/* Length of the workspace, usable as array size. tc_band_grad.h reads the factor that a solve
 * leaves in it. */
#define TC_BAND_WORK(n, width) ((n) * ((width) + 5u) + 1u)

/* Solves a problem for f[n] and w[n].
 *
 * f, w and work must not overlap the inputs, except that `warm` may be f. work: see TC_BAND_WORK.
 * info: may be NULL.
 * Returns:
 *   TC_OK                 residual <= TC_BAND_TOLERANCE and error <= TC_BAND_ERROR; also for n = 0.
 *   TC_NOTE_PRECISION     residual <= TC_BAND_TOLERANCE, error larger; info->error has it.
 *   TC_NOTE_LIMIT         the bound on iterations was reached, or rounding hides what is left: f
 *                         is the last feasible iterate, info->residual its residual.
 *   TC_ERR_NULL           a required pointer is NULL.
 *   TC_ERR_ALIGN          work is misaligned.
 *   TC_ERR_SIZE           n or width is beyond its limit.
 *   TC_ERR_WORK           work_len is too small.
 *   TC_ERR_NOT_FINITE     an input is NaN or infinite.
 *   TC_ERR_RANGE          a number is beyond TC_BAND_LARGEST, an A_ii is below TC_BAND_SMALLEST, a
 *                         floor is negative, or a result overflows.
 *   TC_ERR_NOT_CERTIFIED  the residual of the answer is too large: A is not positive semi-definite,
 *                         or the problem has no minimum.
 * On error: f and w are zero; after TC_ERR_SIZE they are unchanged.
 * Cost: an iteration takes n (width^2 / 2 + 5 width) multiply-accumulates at most; inactive
 * contacts cost n (2 width). 3 iterations are usual; TC_BAND_ITERATIONS bounds them. */
tc_status tc_band_solve(const tc_band *problem, tc_real *f, tc_real *w, tc_band_info *info,
                        tc_real *work, size_t work_len);

TC_END

#endif
