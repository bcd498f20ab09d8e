/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts with Coulomb friction, all at once: the impulses f of minimal kinetic energy after.
 *
 *     minimise  |w|^2 / 2 + sum_i c_i |f_i|^2 / 2   over   w = w0 + G^T f
 *     subject to  f_i,n >= floor_i,   |f_i,t| <= mu_i f_i,n   for each contact i
 *
 * w is the velocity in whitened coordinates, w = M^(1/2) v. G has the contact rows times M^(-1/2).
 * So u = G w + c f is the velocity at the contacts, and A = G G^T the contact matrix. Each f_i has
 * the normal's impulse first, then one tangent's (in the plane) or two (in space).
 *
 * w is unique, and |dw / dw0| <= 1: it is the projection of w0 on an intersection of cones. The
 * impulses are not unique when G has more rows than rank, as with four corners of a foot.
 * Compare and differentiate w or u, never f.
 *
 * The model is convex: a contact that slips leaves the floor with u_n = mu |u_t|. tc_impact.h has
 * Coulomb's model without that.
 *
 * Why w0 and not the contact velocities q = G w0: rounding q alone leaves the range of G, and the
 * problem then has no minimum.
 *
 * The library judges every answer by two numbers, which it recomputes from the problem and f. Here
 * a_i is the mean square of contact i's rows plus c_i. P_i is the projection on the set that f_i
 * must lie in:
 *
 *     residual = max_i |f_i - P_i(f_i - u_i / a_i)| a_i / scale
 *     scale    = max_r (sum_c |G_rc| (|w0_c| + sum_s |G_sc f_s|) + c |f_r|)
 *     error    = the same numerator / max_r |(G w0)_r|
 *
 * The residual is relative to the terms that cancel, the error to the velocities that come in.
 *
 * A small residual need not mean that w is near, as |w - w*|^2 <= u^T (f - f*) has impulses in it.
 * Where opposed walls hold a body that could slip along them, these are huge. So two more numbers
 * raise the error:
 *
 *     root(numerator max_i a_i f_i,n) / max_r |(G w0)_r|   above 2^-5.5, where n rows > d
 *     1   where the plane's method meets a direction that it cannot follow for rounding
 *
 * Cost:
 * - One contact in space: closed form, at most 8 steps of an angle.
 * - The plane, and contacts without friction, for d up to TC_CONE_RAYS_FREEDOM and without
 *   compliance: at most 8 + 4 n rounds of an active set. Each takes n rows d + 4 d^3
 *   multiply-accumulates.
 * - Otherwise, and if these fail: at most 182 linear systems (double: 362) of d unknowns. Each
 *   takes n rows (d^2 / 2 + 5 d) + d^3 / 6 multiply-accumulates. Between two of them are at most 3
 *   sweeps or 8 evaluations, each of 2 n rows d. Most problems take 1 to 5 systems.
 * - A free body, 3 rows and d = 6 or 2 rows and d = 3, has code of constant size.
 * - Stack: see `make stack`.
 */
#ifndef TC_CONE_H
#define TC_CONE_H

#include "tc_lcp.h"

TC_BEGIN

/* largest number of contacts with one or two rows each; TC_CONE3_MAX of tc_config.h: with three */
#if TC_CONE3_MAX <= 16u
#define TC_CONE_MAX 16u
#else
#define TC_CONE_MAX TC_CONE3_MAX
#endif
#define TC_CONE_RAYS_FREEDOM 6u /* largest d of the plane's own method */
/* limit on the residual: 3.8e-6 in float */
#ifdef TC_DOUBLE
#define TC_CONE_TOLERANCE 1e-11
#else
#define TC_CONE_TOLERANCE (TC_C(32.0) * TC_EPSILON)
#endif
#define TC_CONE_ERROR TC_C(0.0009765625) /* limit on the error: 2^-10 */
#define TC_CONE_FRICTION_MAX TC_C(1e4)   /* largest coefficient of friction */
#define TC_CONE_LARGEST TC_C(1e9)   /* limit on |w0_c|, the length of a row, floors, compliances */
#define TC_CONE_SMALLEST TC_C(1e-9) /* a shorter row is 0 */

/* State of a contact in the answer. */
typedef enum tc_cone_kind {
    TC_CONE_OPEN = 0,        /* f = 0 */
    TC_CONE_STICK = 1,       /* f is inside its cone: the rows' velocities are 0 */
    TC_CONE_SLIP = 2,        /* f is on the cone, and so is each contact with mu = 0 that carries */
    TC_CONE_FLOOR_STICK = 3, /* f_n = floor > 0, f_t inside the disc: tangential velocity is 0 */
    TC_CONE_FLOOR_SLIP = 4   /* f_n = floor > 0, f_t on the disc's edge */
} tc_cone_kind;

/* A problem. */
typedef struct tc_cone {
    uint32_t n;           /* number of contacts; 0..TC_CONE_MAX, with three rows 0..TC_CONE3_MAX */
    uint32_t rows;        /* rows of each contact: 1 without friction, 2 in the plane, 3 in space */
    uint32_t d;           /* number of columns of G; 1..TC_CONE_FREEDOM_MAX */
    const tc_real *G;     /* [n rows x d] row-major; of each contact the normal's row first. Rows of
                            * tangents may be 0 where mu is 0 */
    const tc_real *w0;    /* [d] whitened velocity before */
    const tc_real *mu;    /* [n] coefficients of friction, 0..TC_CONE_FRICTION_MAX; unused with
                            * one row */
    const tc_real *floor; /* [n] lower bounds of the normal impulses, >= 0; NULL: 0 */
    const tc_real *compliance; /* [n] c_i: velocity per impulse of the contact itself,
                                * 0..TC_CONE_LARGEST; NULL: 0, rigid */
    const tc_real *warm;       /* [n rows] impulses expected, those of the last tick; NULL: none */
} tc_cone;

/* How a problem was solved. */
typedef struct tc_cone_info {
    tc_cone_kind kind[TC_CONE_MAX]; /* [n] of each contact */
    uint32_t iterations;            /* linear systems solved; 0: closed form */
    tc_real residual;               /* see above [1] */
    tc_real scale;                  /* see above [unit of u] */
    tc_real error;                  /* see above [1] */
    tc_real margin; /* smallest distance of a contact to another kind, relative to the scale [1]:
                     * derivatives of w jump where it is 0 */
} tc_cone_info;

/* Length of the workspace, usable as array size. Its content before and after a call is
 * arbitrary. */
#define TC_CONE_WORK(n, rows, d)                                                                   \
    (4u * (n) * ((rows) + 3u) + (d) * ((d) + 4u) + TC_CONE_WORK_RAYS(d))
#define TC_CONE_WORK_RAYS(d)                                                                       \
    ((d) < TC_CONE_RAYS_FREEDOM ? (d) * (d) : TC_CONE_RAYS_FREEDOM * TC_CONE_RAYS_FREEDOM)

/* Solves a problem for f[n rows], u[n rows] and w[d].
 *
 * The outputs and work must not overlap the inputs, except that `warm` may be f.
 * work: see TC_CONE_WORK. info: may be NULL.
 * Returns:
 *   TC_OK                 residual <= TC_CONE_TOLERANCE and error <= TC_CONE_ERROR; also for n = 0.
 *   TC_NOTE_PRECISION     residual <= TC_CONE_TOLERANCE, error larger; info->error has it.
 *   TC_NOTE_LIMIT         the bound on iterations was reached: f is the best feasible iterate,
 *                         info->residual its residual, at most TC_CONE_ERROR.
 *   TC_ERR_NULL           a required pointer is NULL.
 *   TC_ERR_ALIGN          work is misaligned.
 *   TC_ERR_SIZE           n, rows or d is beyond its limit.
 *   TC_ERR_WORK           work_len is too small.
 *   TC_ERR_NOT_FINITE     an input is NaN or infinite.
 *   TC_ERR_RANGE          mu, a floor or a compliance is negative or beyond its limit, a normal's
 *                         row is 0, a tangent's row is 0 though mu > 0, or a result overflows.
 *   TC_ERR_NOT_CERTIFIED  the same, and the residual is above TC_CONE_ERROR.
 * On error: f, u and w are zero; after TC_ERR_SIZE they are unchanged.
 * Cost: see above. */
tc_status tc_cone_solve(const tc_cone *problem, tc_real *f, tc_real *u, tc_real *w,
                        tc_cone_info *info, tc_real *work, size_t work_len);

TC_END

#endif
