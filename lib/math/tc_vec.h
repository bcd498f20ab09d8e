/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Vectors of two to six numbers and quaternions, inlined and unchecked, shared by all floors above:
 * what else would be written once per file. tc_mat_fixed.h has the matrices.
 *
 * Rotation in a step. With a = h omega (world axes), R <- exp([a]x) R is in quaternions
 *
 *     q <- (cos(|a|/2), sin(|a|/2) a/|a|) q = (cos b, sinc(b) a/2) q
 *     b = |a|/2,   sinc(b) = sin(b)/b
 *
 * Both are even in b, so series in b^2 need no root and no division by a small number:
 *
 *     cos b  = 1 - b^2/2 + b^4/24 - b^6/720 + ...
 *     sinc b = 1 - b^2/6 + b^4/120 - b^6/5040 + ...
 *
 * Up to b^2 = TC_TURN_SERIES the first term left out, b^8/40320, is below a quarter of TC_EPSILON;
 * at 1 kHz that is up to 840 rad/s. Beyond it sine and cosine do the work. The product of two unit
 * quaternions is of unit length up to rounding; that is taken out in each step.
 */
#ifndef TC_VEC_H
#define TC_VEC_H

#include "tc_mat_fixed.h"
#include "tc_math_core.h"

/* (40320 TC_EPSILON / 4)^(1/4), rounded down */
#ifdef TC_DOUBLE
#define TC_TURN_SERIES 1.2e-3
#else
#define TC_TURN_SERIES 0.18f
#endif

/* ---- Numbers --------------------------------------------------------------------------------- */

/* |x|; of NaN, NaN */
TC_MAT_INLINE tc_real tc_vec_magnitude(tc_real x)
{
#ifdef TC_DOUBLE
    return fabs(x);
#else
    return fabsf(x);
#endif
}

/* The larger; b where one is NaN */
TC_MAT_INLINE tc_real tc_vec_max(tc_real a, tc_real b)
{
    return a > b ? a : b;
}

/* max(x, 0); 0 of NaN */
TC_MAT_INLINE tc_real tc_vec_not_negative(tc_real x)
{
    return x > TC_C(0.0) ? x : TC_C(0.0);
}

/* ---- Vectors --------------------------------------------------------------------------------- */

static inline tc_real tc_vec_dot3(const tc_real a[3], const tc_real b[3])
{
    return TC_MLA(TC_MLA(a[0] * b[0], a[1], b[1]), a[2], b[2]);
}

static inline void tc_vec_cross(const tc_real a[3], const tc_real b[3], tc_real c[3])
{
    c[0] = TC_MLS(a[1] * b[2], a[2], b[1]);
    c[1] = TC_MLS(a[2] * b[0], a[0], b[2]);
    c[2] = TC_MLS(a[0] * b[1], a[1], b[0]);
}

/* 0 if all n numbers are finite, else NaN; for n known at compile time, where it unrolls. */
static inline tc_real tc_vec_zero(const tc_real *x, uint32_t n)
{
    tc_real zero = TC_C(0.0) * x[0];
    TC_MAT_UNROLLED
    for (uint32_t i = 1; i < n; ++i) zero *= x[i];
    return zero;
}

/* x = 0; returns the status, so that a result that cannot be had is left in one statement */
static inline tc_status tc_vec_zeroed(tc_status status, tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) x[i] = TC_C(0.0);
    return status;
}

/* 1 if x is of unit length within TC_UNIT_TOLERANCE; NaN is not. */
static inline int tc_vec_is_unit(const tc_real *x, uint32_t n)
{
    tc_real excess = TC_C(-1.0);
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n; ++i) excess = TC_MLA(excess, x[i], x[i]);
    return excess <= TC_UNIT_TOLERANCE && excess >= -TC_UNIT_TOLERANCE;
}

/* ---- Quaternions (w, x, y, z) ---------------------------------------------------------------- */

/* R[3 x 3] of a unit quaternion: body axes to world axes */
static inline void tc_vec_rotation(const tc_real q[4], tc_real R[9])
{
    const tc_real w = q[0], x = q[1], y = q[2], z = q[3];
    const tc_real x2 = x + x, y2 = y + y, z2 = z + z;
    R[0] = TC_C(1.0) - (y * y2 + z * z2);
    R[1] = x * y2 - w * z2;
    R[2] = x * z2 + w * y2;
    R[3] = x * y2 + w * z2;
    R[4] = TC_C(1.0) - (x * x2 + z * z2);
    R[5] = y * z2 - w * x2;
    R[6] = x * z2 - w * y2;
    R[7] = y * z2 + w * x2;
    R[8] = TC_C(1.0) - (x * x2 + y * y2);
}

/* cos b and sinc b, given b^2 */
static inline void tc_vec_half_turn(tc_real square, tc_real *cosine, tc_real *sinc)
{
    if (square <= TC_TURN_SERIES) {
        tc_real c = TC_MLA(TC_C(0.041666666666666667), TC_C(-0.0013888888888888889), square);
        tc_real s = TC_MLA(TC_C(0.008333333333333333), TC_C(-0.0001984126984126984), square);
        c = TC_MLA(TC_C(-0.5), c, square);
        s = TC_MLA(TC_C(-0.16666666666666667), s, square);
        *cosine = TC_MLA(TC_C(1.0), c, square);
        *sinc = TC_MLA(TC_C(1.0), s, square);
        return;
    }
    const tc_real b = tc_sqrt(square);
    tc_real sine;
    tc_sincos_core(b, &sine, cosine);
    *sinc = sine / b;
}

/* q = turned, of unit length */
static inline void tc_vec_quaternion_set(const tc_real turned[4], tc_real q[4])
{
    const tc_real length2 = TC_MLA(tc_vec_dot3(turned + 1, turned + 1), turned[0], turned[0]);
    const tc_real scale = TC_C(1.0) / tc_sqrt(length2);
    for (int i = 0; i < 4; ++i) q[i] = scale * turned[i];
}

/* q <- exp(h omega) q, unit length again */
static inline void tc_vec_quaternion_turn(tc_real h, const tc_real omega[3], tc_real q[4])
{
    const tc_real half = TC_C(0.5) * h;
    tc_real v[3] = {half * omega[0], half * omega[1], half * omega[2]};
    tc_real c, sinc, turned[4];
    tc_vec_half_turn(tc_vec_dot3(v, v), &c, &sinc);
    for (int i = 0; i < 3; ++i) v[i] *= sinc;
    turned[0] = c * q[0] - tc_vec_dot3(v, q + 1);
    tc_vec_cross(v, q + 1, turned + 1);
    for (int i = 0; i < 3; ++i) turned[i + 1] += TC_MLA(c * q[i + 1], q[0], v[i]);
    tc_vec_quaternion_set(turned, q);
}

#endif
