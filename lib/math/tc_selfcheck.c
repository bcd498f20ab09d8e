/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The library's check of its own build: probes of the arithmetic, and golden hashes of what is
 * built on it.
 *
 * A probe reads its operands through `volatile`, so that nothing is computed by the compiler. u =
 * TC_EPSILON / 2 is half the spacing of numbers at 1:
 *     1 + u           lies half-way between 1 and 1 + 2u, of which 1 is even
 *     (1 + 2u) + u    lies half-way between 1 + 2u and 1 + 4u, of which the latter is even
 *     1 + 1.5 u       is nearest to 1 + 2u
 * The three together leave rounding to nearest even, in this precision, and no other way. And a * a
 * less the stored product is 0 if the product is rounded first, its rounding error if not.
 */
#include "tc_exact.h"
#include "tc_selfcheck.h"

#include "tc_mat.h"
#include "tc_math.h"

#ifndef TC_BUILD_EXACT
#define TC_BUILD_EXACT 1 /* 0: some kernel of this build may fuse or reorder */
#endif

#ifdef TC_DOUBLE
#define U TC_C(0x1p-53)
#define TINY TC_C(0x1p-1022)
#else
#define U TC_C(0x1p-24)
#define TINY TC_C(0x1p-126)
#endif

#define ONE TC_C(1.0)
/* of the matrices: an odd size, which no unrolled kernel and no full vector serves */
#define SIZE_SELFCHECK 5u

typedef volatile tc_real probe;

/* ---- The arithmetic -------------------------------------------------------------------------- */

static int rounds_to_even(void)
{
    probe one = ONE, half = U, next = ONE + TC_EPSILON, more = TC_C(1.5) * U;
    const tc_real even = one + half, up = next + half, nearest = one + more, down = -one - half;
    const tc_real in_order = (half + one) - one;
    return even == ONE && up == ONE + TC_C(2.0) * TC_EPSILON && nearest == next && down == -ONE
           && in_order == TC_C(0.0);
}

static int fuses_product(void)
{
    probe a = ONE / TC_C(3.0), square = a * a;
    const tc_real negative = -square, left = TC_MLA(negative, a, a), right = TC_MLS(square, a, a);
    return a * a - square != TC_C(0.0) || left != TC_C(0.0) || right != TC_C(0.0);
}

static int keeps_special(void)
{
    probe zero = TC_C(0.0), one = ONE;
    const tc_real nan = zero / zero, infinite = one / zero, below = one / -zero;
    return nan != nan && infinite > one && below < -one && !tc_all_finite(&nan, 1u)
           && !tc_all_finite(&infinite, 1u);
}

static int keeps_subnormal(void)
{
    probe tiny = TINY, more = TC_C(1.5) * TINY, half = TC_C(0.5);
    const tc_real rest = more - tiny, product = tiny * half;
    return rest != TC_C(0.0) && product == rest && rest + rest == tiny;
}

/* ---- What is built on it --------------------------------------------------------------------- */

/* FNV-1a over the bits of n numbers, as floats. */
static uint32_t hash_reals(uint32_t hash, const tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        const union {
            float number;
            uint32_t bits;
        } word = {(float)x[i]};
        hash = (hash ^ word.bits) * 16777619u;
    }
    return hash;
}

/* Uniform in [0, 1) with 24 bits, so that products are not exact; a linear congruence. */
static void draw_uniform(uint32_t *seed, tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        *seed = *seed * 1664525u + 1013904223u;
        x[i] = (tc_real)(*seed >> 8) * TC_C(0x1p-24);
    }
}

#ifndef TC_DOUBLE
/* Of the arguments at which gcc and clang get other bits when they fuse: some thousandth of all,
 * since a last bit is seldom in doubt. */
static uint32_t functions_hash(void)
{
    static const tc_real at[8] = {
        TC_C(2.479248046875), TC_C(12.3642578125),  TC_C(1.341064453125), TC_C(5.308837890625),
        TC_C(2.611572265625), TC_C(6.539794921875), TC_C(3.658447265625), TC_C(11.892578125),
    };
    tc_real y[8];
    for (uint32_t i = 0; i < 2u; ++i) {
        y[i] = tc_exp(at[i]);
        y[2u + i] = tc_log(at[2u + i]);
        y[4u + i] = tc_atan2(at[4u + i], -ONE);
        y[6u + i] = tc_sin(at[6u + i]);
    }
    return hash_reals(0u, y, 8u);
}
#endif

/* A symmetric and positive definite by its diagonal: P = A A, then P = L of A = L L^T, x = A^-1 b,
 * y = A x. */
static int hash_solution(uint32_t *hash)
{
    tc_real A[SIZE_SELFCHECK * SIZE_SELFCHECK], P[SIZE_SELFCHECK * SIZE_SELFCHECK],
        b[SIZE_SELFCHECK], x[SIZE_SELFCHECK], y[SIZE_SELFCHECK];
    uint32_t seed = 2u;
    draw_uniform(&seed, A, SIZE_SELFCHECK * SIZE_SELFCHECK);
    draw_uniform(&seed, b, SIZE_SELFCHECK);
    for (uint32_t i = 0; i < SIZE_SELFCHECK; ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            A[i * SIZE_SELFCHECK + j] = A[j * SIZE_SELFCHECK + i];
        }
        A[i * SIZE_SELFCHECK + i] += (tc_real)SIZE_SELFCHECK;
    }
    tc_status status = tc_mat_mul(A, A, P, SIZE_SELFCHECK, SIZE_SELFCHECK, SIZE_SELFCHECK);
    *hash = hash_reals(0u, P, SIZE_SELFCHECK * SIZE_SELFCHECK);
    status = status < TC_OK ? status : tc_mat_cholesky(A, P, SIZE_SELFCHECK);
    status = status < TC_OK ? status : tc_mat_cholesky_solve(P, b, x, SIZE_SELFCHECK, 1u);
    status = status < TC_OK ? status : tc_mat_vec(A, x, y, SIZE_SELFCHECK, SIZE_SELFCHECK);
    *hash = hash_reals(hash_reals(*hash, x, SIZE_SELFCHECK), y, SIZE_SELFCHECK);
    tc_real worst = TC_C(0.0);
    for (uint32_t i = 0; i < SIZE_SELFCHECK; ++i) {
        const tc_real error = y[i] > b[i] ? y[i] - b[i] : b[i] - y[i];
        worst = error > worst ? error : worst;
    }
    return status >= TC_OK && worst <= TC_C(64.0) * U;
}

/* ---- The check ------------------------------------------------------------------------------- */

/* As portable C computes them on every machine; a change on purpose of what it computes changes
 * them. */
#define FUNCTIONS_HASH 0x11c10573u
#define KERNELS_HASH 0x2a5d40deu

uint32_t tc_selfcheck(void)
{
    uint32_t found = 0u, hash;
    found |= rounds_to_even() ? 0u : TC_SELFCHECK_ROUNDING;
    found |= fuses_product() ? TC_SELFCHECK_FUSED : 0u;
    found |= keeps_special() ? 0u : TC_SELFCHECK_SPECIAL;
    found |= keeps_subnormal() ? 0u : TC_SELFCHECK_SUBNORMAL;
    found |= hash_solution(&hash) ? 0u : TC_SELFCHECK_KERNELS;
#ifndef TC_DOUBLE
    found |= TC_BUILD_EXACT && hash != KERNELS_HASH ? TC_SELFCHECK_KERNELS : 0u;
    found |= functions_hash() != FUNCTIONS_HASH ? TC_SELFCHECK_FUNCTIONS : 0u;
#endif
    return found;
}

const char *tc_selfcheck_text(uint32_t found)
{
    static const char *const texts[] = {
        "operations are not rounded to nearest even, or are reordered",
        "products and sums are fused: compile the library with -ffp-contract=off",
        "NaN, infinity or the sign of zero is lost: compile the library without -ffast-math",
        "subnormal numbers are flushed to zero: clear that mode of the processor",
        "elementary functions have other bits than the reference",
        "matrix kernels have other bits than the reference",
    };
    for (uint32_t i = 0; i < TC_COUNT(texts); ++i) {
        if (found >> i & 1u) return texts[i];
    }
    return found == 0u ? "ok" : "unknown finding";
}
