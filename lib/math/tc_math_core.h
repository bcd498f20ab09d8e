/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bodies of the elementary functions, internal: inlined by tc_math.c (the public functions) and
 * by port/portable/activation.c (the same bits, elementwise).
 *
 * All of it is float: additions, products, one division here and there, and integer operations on
 * the bits of a float. These are rounded alike on every machine, so the results are too. Nothing
 * depends on how subnormals are treated, but for inputs that are themselves subnormal: results
 * below 2^-126 are set to 0 here, and intermediates that small are only ever added to larger ones.
 *
 * Polynomials come from tools/ref/math_fit.py, which fits them with their coefficients rounded to
 * float; "fit" below is the error of that alone, the rest of a stated bound is rounding.
 * u = 2^-24, half the spacing of floats just above 1.
 */
#ifndef TC_MATH_CORE_H
#define TC_MATH_CORE_H

#include "tc_math.h"

/* p[n] = softmax of x[n], finite, n > 0; p may be x. In tc_math.c: not inlined. */
void tc_softmax_core(const tc_real *x, uint32_t n, tc_real *p);

#ifdef TC_DOUBLE
#include "tc_math_double.h"
#else

#include "tc_softplus_table.h"
#include "tc_tanh_table.h"

#include <string.h>

/* ---- Bits ------------------------------------------------------------------------------------ */

#define TC_SIGN_BIT 0x80000000u
#define TC_EXPONENT_BITS 0x7f800000u /* those of infinity */
#define TC_TINY 0x1p-126f            /* the smallest normal number */

static inline uint32_t tc_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float tc_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A result that must not be subnormal: below TC_TINY it becomes 0. x >= 0. */
static inline float tc_flush(float x)
{
    return x < TC_TINY ? 0.0f : x;
}

/* Adding 1.5 * 2^23 to a number below 2^22 rounds it to an integer, found in the low bits of the
 * sum and, after subtraction, as a float: two additions and no conversion. */
#define TC_ROUND_MAGIC 12582912.0f

/* x * scale truncated toward zero to an integer, saturated: VCVT.S32.F32 with fraction bits. */
static inline int32_t tc_saturate(float x, float scale)
{
    const float limit = 2147483648.0f;
    const float y = x * scale;
    if (y >= limit) return INT32_MAX;
    if (!(y > -limit)) return INT32_MIN;
    return (int32_t)y;
}

/* ---- Exponential and logarithm --------------------------------------------------------------- */

#define TC_EXP_MIN -0x1.5d589ep+6f /* -87.33654: the last float whose e^x is not subnormal */
#define TC_EXP_MAX 0x1.62e42ep+6f  /* 88.72283: the last float whose e^x is finite */
#define TC_LOG2E 0x1.715476p+0f

/* ln 2 in two parts. The first has 9 bits, so its product with any exponent is exact. */
#define TC_LN2_HIGH 0.693359375f
#define TC_LN2_LOW -0x1.bd0106p-13f

/* x - n ln 2, given n. */
static inline float tc_exp_reduce(float x, float n)
{
    return TC_MLS(TC_MLS(x, n, TC_LN2_HIGH), n, TC_LN2_LOW);
}

/* 2^k e^r for |r| <= ln(2)/2 and a normal result. k is added to the exponent; k comes as the bits
 * of k + TC_ROUND_MAGIC, whose upper part the shift drops. e^r = 1 + (r + r^2 q(r)); fit 3.5e-9.
 * Rounded last are r, the bracket (both at most u/4 where the result is below 1, its spacing u) and
 * the result: <= 1 ulp. */
static inline float tc_exp_scaled(float r, uint32_t k)
{
    float q = 0x1.6afe12p-10f;
    q = TC_MLA(0x1.124492p-7f, q, r);
    q = TC_MLA(0x1.555826p-5f, q, r);
    q = TC_MLA(0x1.555482p-3f, q, r);
    q = TC_MLA(0x1.fffffcp-2f, q, r);
    const float p = 1.0f + TC_MLA(r, r * r, q);
    return tc_from_bits(tc_bits(p) + (k << 23));
}

/* e^x for x <= TC_EXP_MAX. */
static inline float tc_exp_bounded(float x)
{
    if (!(x >= TC_EXP_MIN)) return x != x ? x : 0.0f;
    const float shifted = x * TC_LOG2E + TC_ROUND_MAGIC;
    return tc_exp_scaled(tc_exp_reduce(x, shifted - TC_ROUND_MAGIC), tc_bits(shifted));
}

static inline float tc_exp_core(float x)
{
    return x > TC_EXP_MAX ? INFINITY : tc_exp_bounded(x);
}

/* x = 2^k m, sqrt(1/2) <= m < sqrt(2); f = m - 1 is exact, and
 * log x = f - f^2/2 + f^3 P(f) + k ln 2, added from the small end. Fit 6.6e-9. */
static inline float tc_log_core(float x)
{
    const uint32_t root_half = 0x3f3504f3u;
    if (!(x >= TC_TINY)) return x != x || x <= -TC_TINY ? NAN : -INFINITY;
    const uint32_t bits = tc_bits(x);
    if (bits == TC_EXPONENT_BITS) return x;

    const uint32_t above = (bits - root_half) & 0xff800000u; /* k << 23, two's complement */
    const float k = (float)(int32_t)above * 0x1p-23f;
    const float f = tc_from_bits(bits - above) - 1.0f;
    const float f2 = f * f;
    float p = -0x1.38fddep-4f;
    p = TC_MLA(0x1.0572aap-3f, p, f);
    p = TC_MLA(-0x1.0d8138p-3f, p, f);
    p = TC_MLA(0x1.22d5e4p-3f, p, f);
    p = TC_MLA(-0x1.547228p-3f, p, f);
    p = TC_MLA(0x1.99a036p-3f, p, f);
    p = TC_MLA(-0x1.000228p-2f, p, f);
    p = TC_MLA(0x1.555554p-2f, p, f);
    const float small = TC_MLS(TC_MLA(k * TC_LN2_LOW, f * f2, p), 0.5f, f2);
    return TC_MLA(small + f, k, TC_LN2_HIGH);
}

/* ---- tanh, sigmoid, softplus: also kernels, for finite x ------------------------------------- */

#if TC_TANH_TABLE

/* The value at r = x * 2^28; tc_tanh_table.h has the specification. */
static inline float tc_tanh_segment(int32_t r)
{
    const float *c = tc_tanh_table + 4 * (((uint32_t)r >> 24) ^ 0x80u);
    const float t = (float)((uint32_t)r & 0xffffffu) * 0x1p-24f;
    return TC_MLA(c[0], TC_MLA(c[1], TC_MLA(c[2], c[3], t), t), t);
}

static inline float tc_tanh_core(float x)
{
    return tc_tanh_segment(tc_saturate(x, 0x1p28f));
}

static inline float tc_sigmoid_core(float x)
{
    return 0.5f + 0.5f * tc_tanh_segment(tc_saturate(x, 0x1p27f));
}

#else

/* tanh |x| = 1 - 2 / (2^y + 1) with y = |x| 2 log2(e), 2^y = 2^k 2^f, f in [-1/2, 1/2]. y may be a
 * single float: its error counts for little where it is large, since d tanh falls as 2^-y.
 * Beyond 9.2 the quotient is below u/2 and the result 1. Fit of 2^f 5.3e-9; error 1.2e-7, at
 * small x: 2^y + 1 and the quotient are rounded at u each. Exactly odd by construction. */
static inline float tc_tanh_core(float x)
{
    const float limit = 9.2f;
    const float magnitude = fabsf(x);
    const float y = (magnitude > limit ? limit : magnitude) * 0x1.715476p+1f;
    const float shifted = y + TC_ROUND_MAGIC;
    const float f = y - (shifted - TC_ROUND_MAGIC);
    float p = 0x1.4bc85ap-13f;
    p = TC_MLA(0x1.5fbd9cp-10f, p, f);
    p = TC_MLA(0x1.3b21ccp-7f, p, f);
    p = TC_MLA(0x1.c6ada8p-5f, p, f);
    p = TC_MLA(0x1.ebfbe6p-3f, p, f);
    p = TC_MLA(0x1.62e432p-1f, p, f);
    p = TC_MLA(1.0f, p, f);
    const float power = tc_from_bits(tc_bits(p) + (tc_bits(shifted) << 23));
    const float result = 1.0f - 2.0f / (power + 1.0f);
    return tc_from_bits(tc_bits(result) | (tc_bits(x) & TC_SIGN_BIT));
}

static inline float tc_sigmoid_core(float x)
{
    return 0.5f + 0.5f * tc_tanh_core(0.5f * x);
}

#endif

#if TC_TANH_TABLE

/* tc_softplus_table.h has the specification. */
static inline float tc_softplus_segment(float x)
{
    const int32_t r = tc_saturate(fabsf(x), 0x1p27f);
    const float *c = tc_softplus_table + 4 * ((uint32_t)r >> 24);
    const float t = (float)((uint32_t)r & 0xffffffu) * 0x1p-24f;
    return (x > 0.0f ? x : 0.0f) + TC_MLA(c[0], TC_MLA(c[1], TC_MLA(c[2], c[3], t), t), t);
}

static inline float tc_softplus_core(float x)
{
    return x >= TC_SOFTPLUS_LAST ? tc_softplus_segment(x) : tc_exp_bounded(x);
}

#else

/* max(x, 0) + log(1 + u), u = e^-|x| in [0, 1]; log(1 + u) = u L(u) by a polynomial alone (fit
 * 5.7e-9): nine products cost less than one division. */
static inline float tc_softplus_core(float x)
{
    const float u = tc_exp_bounded(-fabsf(x));
    float p = -0x1.b07782p-9f;
    p = TC_MLA(0x1.499f8ap-6f, p, u);
    p = TC_MLA(-0x1.d7103cp-5f, p, u);
    p = TC_MLA(0x1.b4cefap-4f, p, u);
    p = TC_MLA(-0x1.3a48e4p-3f, p, u);
    p = TC_MLA(0x1.934c0cp-3f, p, u);
    p = TC_MLA(-0x1.ff23e6p-3f, p, u);
    p = TC_MLA(0x1.554ddp-2f, p, u);
    p = TC_MLA(-0x1.ffffd2p-2f, p, u);
    p = TC_MLA(1.0f, p, u);
    return TC_MLA(x > 0.0f ? x : 0.0f, u, p);
}

#endif

/* ---- Circular functions ---------------------------------------------------------------------- */

/* pi/2 in three parts of 8, 11 and 24 bits: up to n = 5216 (13 bits) the first two products are
 * exact, and so are the differences; the parts miss pi/2 by 1.7e-15. */
#define TC_REDUCE_MAX 8192.0f
#define TC_TWO_OVER_PI 0x1.45f306p-1f
#define TC_HALF_PI_1 0x1.92p+0f
#define TC_HALF_PI_2 0x1.fb4p-12f
#define TC_HALF_PI_3 0x1.4442d2p-24f

/* x modulo pi/2 for large x, after Payne and Hanek (1983): |x| = m 2^e with a 24-bit m, and of 2/pi
 * only the 64 bits matter that are neither multiples of 4 nor below 2^-38 in the product: its upper
 * two bits are the quadrant, the next 32 the angle. */
static inline float tc_reduce_large(float x, uint32_t *quadrant)
{
    static const uint32_t two_over_pi[7] = {0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                            0xf534ddc0u, 0xdb629599u, 0x3c439041u};
    const uint32_t bits = tc_bits(x);
    /* of the first bit; 13 <= exponent <= 127 */
    const uint32_t offset = ((bits >> 23) & 0xffu) - 120u;
    const uint32_t *word = two_over_pi + (offset >> 5);
    const uint32_t shift = offset & 31u;
    const uint64_t high = ((uint64_t)word[0] << 32) | word[1];
    const uint64_t window = (high << shift) | (((uint64_t)word[2] << shift) >> 32);
    const uint64_t turns = window * ((bits & 0x7fffffu) | 0x800000u); /* 2^62 is one quadrant */

    const uint32_t nearest = (uint32_t)(turns >> 62) + ((uint32_t)(turns >> 61) & 1u);
    /* of a quadrant, 2^-32, rounded to nearest */
    const int32_t fraction = (int32_t)(uint32_t)(turns >> 30);
    const float r = (float)fraction * 0x1.921fb6p-32f;
    *quadrant = bits & TC_SIGN_BIT ? 0u - nearest : nearest;
    return bits & TC_SIGN_BIT ? -r : r;
}

/* x = n pi/2 + r, |r| <= pi/4 (and a rounding more); n modulo 2^22 in the low bits of quadrant. x
 * finite. */
static inline float tc_reduce(float x, uint32_t *quadrant)
{
    if (fabsf(x) > TC_REDUCE_MAX) return tc_reduce_large(x, quadrant);
    const float shifted = x * TC_TWO_OVER_PI + TC_ROUND_MAGIC;
    const float n = shifted - TC_ROUND_MAGIC;
    *quadrant = tc_bits(shifted);
    return TC_MLS(TC_MLS(TC_MLS(x, n, TC_HALF_PI_1), n, TC_HALF_PI_2), n, TC_HALF_PI_3);
}

/* sin(r + quadrant pi/2). Fits: sine 4.0e-9 relative, cosine 2.5e-10. */
static inline float tc_sine_in_quadrant(float r, uint32_t quadrant)
{
    const float s = r * r;
    float p;
    if (quadrant & 1u) {
        p = TC_MLA(-0x1.6c1164p-10f, 0x1.9b39c8p-16f, s);
        p = TC_MLA(0x1.555554p-5f, p, s);
        p = TC_MLA(TC_MLA(1.0f, -0.5f, s), s * s, p);
    } else {
        p = TC_MLA(0x1.110776p-7f, -0x1.9952fap-13f, s);
        p = TC_MLA(-0x1.555546p-3f, p, s);
        p = TC_MLA(r, r * s, p);
    }
    return quadrant & 2u ? -p : p;
}

static inline float tc_sin_core(float x)
{
    uint32_t quadrant;
    if (!(fabsf(x) < INFINITY)) return NAN;
    const float r = tc_reduce(x, &quadrant);
    return tc_sine_in_quadrant(r, quadrant);
}

static inline float tc_cos_core(float x)
{
    uint32_t quadrant;
    if (!(fabsf(x) < INFINITY)) return NAN;
    const float r = tc_reduce(x, &quadrant);
    return tc_sine_in_quadrant(r, quadrant + 1u);
}

/* Both, with the bits of tc_sin_core and tc_cos_core: one reduction serves the two. */
static inline void tc_sincos_core(float x, float *sine, float *cosine)
{
    uint32_t quadrant;
    if (!(fabsf(x) < INFINITY)) {
        *sine = *cosine = NAN;
        return;
    }
    const float r = tc_reduce(x, &quadrant);
    *sine = tc_sine_in_quadrant(r, quadrant);
    *cosine = tc_sine_in_quadrant(r, quadrant + 1u);
}

/* ---- Angle of a vector ----------------------------------------------------------------------- */

#define TC_TAN_EIGHTH 0.4142135624f      /* tan(pi/8) */
#define TC_QUARTER_PI_HIGH 0x1.921fbp-1f /* 22 bits: four times it is exact */
#define TC_QUARTER_PI_LOW 0x1.5110b4p-23f

/* low / high in a form that the polynomial can take: for ratios above tan(pi/8), tan of the angle
 * less pi/4, which is (low - high) / (low + high): still one division. 0 <= low <= high. */
static inline float tc_octant_tangent(float low, float high, int beyond)
{
    if (high == 0.0f) return 0.0f;
    if (high == INFINITY) return 0.0f; /* low finite: no angle; both infinite: pi/4 exactly */
    if (!beyond) return low / high;
    if (high > 0x1p126f) { /* the sum would overflow */
        low *= 0.25f;
        high *= 0.25f;
    }
    return (low - high) / (low + high);
}

/* The angle is n pi/4 + s p: p = atan of the above, n counts quarters of pi, s mirrors.
 * |y| <= |x|: p or pi - p; otherwise pi/2 -+ p; each with pi/4 more inside where `beyond`. */
static inline float tc_atan2_core(float y, float x)
{
    if (x != x || y != y) return NAN;
    const float ax = fabsf(x);
    const float ay = fabsf(y);
    const int steep = ay > ax;
    const int left = (tc_bits(x) & TC_SIGN_BIT) != 0;
    const float low = steep ? ax : ay;
    const float high = steep ? ay : ax;
    const int beyond = low > TC_TAN_EIGHTH * high || low == INFINITY;
    const int mirrored = steep != left;
    const int base = steep ? 2 : (left ? 4 : 0);
    const float n = (float)(mirrored ? base - beyond : base + beyond);

    const float a = tc_octant_tangent(low, high, beyond);
    const float s = a * a;
    float p = TC_MLA(-0x1.1c3066p-3f, 0x1.49b27ep-4f, s);
    p = TC_MLA(0x1.992432p-3f, p, s);
    p = TC_MLA(-0x1.555452p-2f, p, s);
    p = TC_MLA(a, a * s, p);
    const float angle =
        TC_MLA(TC_MLA(mirrored ? -p : p, n, TC_QUARTER_PI_LOW), n, TC_QUARTER_PI_HIGH);
    return tc_from_bits(tc_bits(tc_flush(angle)) | (tc_bits(y) & TC_SIGN_BIT));
}

/* ---- Normal distribution --------------------------------------------------------------------- */

#define TC_NORMAL_MAX 13.2f /* phi(13.15) is 2^-126 */
#define TC_INV_SQRT_TAU 0x1.988454p-2f

/* phi(x) = e^(-x^2/2) / sqrt(2 pi). x^2/2 rounded to float would cost up to 86 u of relative error;
 * so x = h + l with 12 bits in h: h^2/2 is exact, and l (h + l/2) joins after the reduction. */
static inline float tc_normal_density_core(float x)
{
    const float a = fabsf(x);
    if (!(a < TC_NORMAL_MAX)) return x != x ? x : 0.0f;
    const float h = tc_from_bits((tc_bits(a) + 0x800u) & 0xfffff000u);
    const float l = a - h;
    const float square = -0.5f * h * h;
    const float rest = l * TC_MLA(h, 0.5f, l);
    const float shifted = (square - rest) * TC_LOG2E + TC_ROUND_MAGIC;
    const float r = tc_exp_reduce(square, shifted - TC_ROUND_MAGIC) - rest;
    return tc_flush(TC_INV_SQRT_TAU * tc_exp_scaled(r, tc_bits(shifted)));
}

/* Mills' ratio (1 - Phi(t)) / phi(t) for t >= 0 as a fraction. Up to 8 a rational function, all of
 * its coefficients positive, so that nothing cancels (fit 2.6e-8); beyond, the continued fraction's
 * expansion 1 / (t + (1 - 2u + 10u^2 ..) / t), u = 1/t^2 (fit 2.9e-8). */
static inline float tc_mills(float t, float *denominator)
{
    if (t > 8.0f) {
        const float v = 1.0f / t;
        const float u = v * v;
        *denominator =
            TC_MLA(t, v, TC_MLA(0x1.fffaf2p-1f, u, TC_MLA(-0x1.fc033ap+0f, u, 0x1.05165cp+3f)));
        return 1.0f;
    }
    float q = 0x1.350eeap-7f;
    q = TC_MLA(0x1.8811bep-4f, q, t);
    q = TC_MLA(0x1.ccba7ap-2f, q, t);
    q = TC_MLA(0x1.2bda9ap+0f, q, t);
    q = TC_MLA(0x1.a769p+0f, q, t);
    *denominator = TC_MLA(1.0f, q, t);
    float p = 0x1.35111ep-7f;
    p = TC_MLA(0x1.88059ap-4f, p, t);
    p = TC_MLA(0x1.c34dap-2f, p, t);
    p = TC_MLA(0x1.12aa7ap+0f, p, t);
    return TC_MLA(0x1.40d932p+0f, p, t);
}

/* Phi(-t) = phi(t) mills(t), and the other half by symmetry. */
static inline float tc_normal_distribution_core(float x)
{
    float denominator;
    if (x != x) return x;
    const float numerator = tc_mills(fabsf(x), &denominator);
    const float tail = tc_normal_density_core(x) * numerator / denominator;
    return x > 0.0f ? 1.0f - tail : tc_flush(tail);
}

/* phi/Phi: for x <= 0 the inverse of Mills' ratio, in which phi has cancelled. */
static inline float tc_normal_ratio_core(float x)
{
    float denominator;
    if (x != x) return x;
    const float numerator = tc_mills(fabsf(x), &denominator);
    if (x <= 0.0f) return denominator / numerator;
    const float density = tc_normal_density_core(x);
    return density / (1.0f - density * numerator / denominator);
}

#endif
#endif
