/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Cholesky and triangular solves for Helium, any size.
 *
 * Specification (port/tc_kernel_mat.h), the texts of lib/math/tc_mat_fixed.h:
 *
 *     cholesky       s_ij = A_ij - sum of L_ik L_jk over k < j, ascending;
 *                    L_jj = sqrt(s_jj), L_ij = s_ij * (1 / L_jj) for i > j
 *     solve_lower    X_i = (B_i - sum of L_ik X_k over k < i, ascending) / L_ii
 *     solve_lower_t  X_i = (B_i - sum of L_ki X_k over k > i, ascending) / L_ii
 *
 * Cholesky: lanes are rows. Column j below the diagonal is a matrix times row j of L, so it goes as
 * in mat_vec.S: vectors of addresses gather one element of each of four rows and move on by
 * themselves, eight rows at a time. Addresses beyond the last row stay on it, and what they compute
 * is not stored. Solves: lanes are right-hand sides; with fewer than four of them, the scalar text.
 * The divisions are scalar: a product with the reciprocal would round differently.
 *
 * Bits equal the portable ones in both profiles: nothing is fused here, because MVE has no fused
 * multiply-subtract with a scalar. Subnormal elements, products and sums count as zero, but not in
 * the square root, the divisions and the scalar text.
 *
 * Below n = 6 Cholesky's scalar text is faster and taken.
 *
 * Cost in instructions at n = 6, 12, 32: cholesky 500, 1410, 9870 (scalar text 600, 2820, 35780);
 * solve_lower with n right-hand sides 770, 2410, 31000 (1170, 7070, 110970). Stack 160 bytes.
 */
#define TC_MAT_LOOP
#include "tc_exact.h"
#include "tc_mat_fixed.h"

#include "tc_helium.h"

/* From this n on Cholesky is done in vectors; below, the scalar text takes fewer instructions. */
#define CHOLESKY_VECTORS 6u

/* a, b -= q2, q3 (columns of the eight rows) * s */
#define LESS8(s, at)                                                                               \
    "vldrw.u32 q2, [%q[p], " at "\n\t"                                                             \
    "vldrw.u32 q3, [%q[r], " at "\n\t"                                                             \
    "vmul.f32 q2, q2, " s "\n\t"                                                                   \
    "vmul.f32 q3, q3, " s "\n\t"                                                                   \
    "vsub.f32 %q[a], %q[a], q2\n\t"                                                                \
    "vsub.f32 %q[b], %q[b], q3\n\t"
#define LESS4(s, at)                                                                               \
    "vldrw.u32 q2, [%q[p], " at "\n\t"                                                             \
    "vmul.f32 q2, q2, " s "\n\t"                                                                   \
    "vsub.f32 %q[a], %q[a], q2\n\t"

/* a (and b) -= the sum over k < n of the elements behind the addresses p (and r) times x_k; p and r
 * come 4 bytes early and have moved on by n elements. */
#define SUBTRACT(TERM, a, b, p, r, x, n)                                                           \
    __asm volatile(                                                                                \
        "wls lr, %[fours], 2f\n"                                                                   \
        "1:\n\t"                                                                                   \
        "ldm %[at]!, {r4, r5, r6, r8}\n\t" TERM("r4", "#4]") TERM("r5", "#8]") TERM("r6", "#12]")  \
            TERM("r8", "#16]!") "le lr, 1b\n"                                                      \
                                "2:\n\t"                                                           \
                                "wls lr, %[rest], 4f\n"                                            \
                                "3:\n\t"                                                           \
                                "ldr r4, [%[at]], #4\n\t" TERM("r4", "#4]!") "le lr, 3b\n"         \
                                                                             "4:"                  \
        : [a] "+w"(a), [b] "+w"(b), [p] "+w"(p), [r] "+w"(r), [at] "+r"(x)                         \
        : [fours] "r"((n) / 4u), [rest] "r"((n) % 4u)                                              \
        : "r4", "r5", "r6", "r8", "lr", "q2", "q3", "memory")

/* The addresses of column 0 of the four rows from i, none beyond the last. */
static inline uint32x4_t rows_from(const tc_real *M, uint32_t i, uint32_t n)
{
    const uint32x4_t row = vminq_u32(vidupq_n_u32(i, 1), vdupq_n_u32(n - 1u));
    return vaddq_n_u32(vmulq_n_u32(row, 4u * n), (uint32_t)(uintptr_t)M);
}

/* Column j of L for the rows from i: up to eight, of which `left` are stored. s_ij * scale, and
 * where the first row is the diagonal, scale is found from it and handed back. */
static inline float factor_rows8(const tc_real *A, tc_real *L, uint32_t n, uint32_t j, uint32_t i,
                                 float scale)
{
    const uint32_t left = n - i;
    uint32x4_t p = rows_from(L, i, n), r = p;
    const uint32x4_t source = vdupq_n_u32((uint32_t)(uintptr_t)A - (uint32_t)(uintptr_t)L + 4u * j);
    const tc_real *x = L + j * n;
    float32x4_t a = vldrwq_gather_base_f32(vaddq_u32(p, source), 0), b = a;
    p = vsubq_n_u32(p, 4);
    if (left > 4u) {
        r = rows_from(L, i + 4u, n);
        b = vldrwq_gather_base_f32(vaddq_u32(r, source), 0);
        r = vsubq_n_u32(r, 4);
        SUBTRACT(LESS8, a, b, p, r, x, j);
    } else {
        SUBTRACT(LESS4, a, b, p, r, x, j);
    }
    if (i == j) {
        const float root = tc_sqrt(vgetq_lane_f32(a, 0));
        scale = 1.0f / root;
        a = vsetq_lane_f32(root, vmulq_n_f32(a, scale), 0);
    } else {
        a = vmulq_n_f32(a, scale);
    }
    vstrwq_scatter_base_p_f32(p, 4, a, vctp32q(left));
    if (left > 4u) {
        vstrwq_scatter_base_p_f32(r, 4, vmulq_n_f32(b, scale), vctp32q(left - 4u));
    }
    TC_HELIUM_FENCE();
    return scale;
}

void tc_kernel_cholesky(const tc_real *A, tc_real *L, uint32_t n)
{
    if (n < CHOLESKY_VECTORS) {
        tc_mat_body_cholesky(A, L, n);
        return;
    }
    for (uint32_t j = 0; j < n; j++) {
        float scale = 0.0f;
        for (uint32_t i = j; i < n; i += 8u) {
            scale = factor_rows8(A, L, n, j, i, scale);
        }
    }
}

/* b -= sum of l[k * step] * X_k over k < n, four right-hand sides; X_k is `columns` apart. */
static inline float32x4_t subtract_products(float32x4_t b, const tc_real *l, uint32_t step,
                                            const tc_real *X, uint32_t columns, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        b = vsubq_f32(b, vmulq_n_f32(TC_HELIUM_LOAD(X), *l));
        l += step;
        X += columns;
    }
    return b;
}

/* x = s / d for four right-hand sides */
static inline void divide_four(tc_real *x, float32x4_t s, tc_real d)
{
    x[0] = vgetq_lane_f32(s, 0) / d;
    x[1] = vgetq_lane_f32(s, 1) / d;
    x[2] = vgetq_lane_f32(s, 2) / d;
    x[3] = vgetq_lane_f32(s, 3) / d;
}

/* The last right-hand sides of a number that is no multiple of four: one by one, as in the text. */
static inline void row_rest(const tc_real *l, uint32_t step, const tc_real *B, tc_real *X,
                            const tc_real *from, uint32_t columns, uint32_t n, tc_real d)
{
    for (uint32_t c = columns & ~3u; c < columns; c++) {
        X[c] = tc_mat_body_dot_sub(B[c], l, step, from + c, columns, 0, n) / d;
    }
}

/* Row i of X: the n products of l, `step` apart, with the rows from `from`. */
static inline void row_of_columns(const tc_real *l, uint32_t step, const tc_real *B, tc_real *X,
                                  const tc_real *from, uint32_t columns, uint32_t n, tc_real d)
{
    for (uint32_t c = 0; c + 4u <= columns; c += 4u) {
        divide_four(X + c, subtract_products(TC_HELIUM_LOAD(B + c), l, step, from + c, columns, n),
                    d);
    }
    row_rest(l, step, B, X, from, columns, n, d);
}

void tc_kernel_solve_lower(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                           uint32_t columns)
{
    if (columns < 4u) {
        tc_mat_body_solve_lower(L, B, X, n, columns);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        row_of_columns(L + i * n, 1, B + i * columns, X + i * columns, X, columns, i, L[i * n + i]);
    }
}

void tc_kernel_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                             uint32_t columns)
{
    if (columns < 4u) {
        tc_mat_body_solve_lower_t(L, B, X, n, columns);
        return;
    }
    for (uint32_t i = n; i-- > 0u;) {
        const tc_real *const below = L + (i + 1u) * n + i;
        row_of_columns(below, n, B + i * columns, X + i * columns, X + (i + 1u) * columns, columns,
                       n - i - 1u, L[i * n + i]);
    }
}
