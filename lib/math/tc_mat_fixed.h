/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Small matrices of a size known at compile time: unrolled inline forms for sizes 2, 3, 4, 6, 12.
 *
 *     tc_mat3_mul(A, B, C)                C = A B
 *     tc_mat3_vec(A, x, y)                y = A x
 *     tc_mat3_vec_t(A, x, y)              y = A^T x
 *     tc_mat3_vec_add(A, x, y)            y += A x, the sum started at y
 *     tc_mat3_cholesky(A, L)              A = L L^T; reads and writes lower triangles; L may be A
 *     tc_mat3_ldlt(A, L, d)               A = L diag(d) L^T, unit diagonal stored; L may be A
 *     tc_mat3_solve_lower(L, b, x)        L x = b;    x may be b
 *     tc_mat3_solve_lower_t(L, b, x)      L^T x = b;  x may be b
 *     tc_mat3_cholesky_solve(L, b, x)     L L^T x = b; x may be b
 *
 * No function here checks its arguments: a singular matrix gives NaN or infinities, never a trap.
 * The header tc_mat.h has the checked forms of the same algorithms, for every size, with the same
 * bits. Both come from one text per algorithm below (tc_mat_body_...), whose loops unroll where the
 * size is a constant.
 *
 * The bits are those of the library only if the compiler does not fuse multiply and add. A fused
 * multiply-add rounds once, these sums round twice. Compile the application with -ffp-contract=off,
 * as the pkg-config file does. For clang this header has a pragma, which -ffp-contract=fast
 * overrules; gcc has none.
 *
 * Cost: a call expands to the whole algorithm, up to 3 KB of flash for tc_mat12_cholesky. Two calls
 * of the form in tc_mat.h take less flash than two expansions.
 *
 * Symbols as in tc_mat.h. Sums run over ascending index and round each product and each addition
 * (TC_MLA and TC_MLS of tc_config.h), as port/tc_kernel_mat.h prescribes.
 */
#ifndef TC_MAT_FIXED_H
#define TC_MAT_FIXED_H

#include "tc_math.h"

#define TC_MAT_PRAGMA(text) _Pragma(#text)

#if defined(__clang__)
#define TC_MAT_NO_FUSE TC_MAT_PRAGMA(STDC FP_CONTRACT OFF)
#define TC_MAT_INLINE static inline __attribute__((always_inline, unused))
#elif defined(__GNUC__)
#define TC_MAT_NO_FUSE
#define TC_MAT_INLINE static inline __attribute__((always_inline, unused))
#else
#define TC_MAT_NO_FUSE
#define TC_MAT_INLINE static inline
#endif

/* Linkage of the forms that an application calls. gcc fuses by the flags of the function that an
 * inlined one ends in. On a core with a fused multiply-add the forms are therefore calls. They are
 * inlined if TC_CONTRACT_OFF states that the file is compiled with -ffp-contract=off; the flags.txt
 * of `make lib` has both. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__FP_FAST_FMAF) && !defined(TC_CONTRACT_OFF)
#define TC_MAT_FORM static __attribute__((noinline, unused, optimize("fp-contract=off")))
#else
#define TC_MAT_FORM TC_MAT_INLINE
#endif

/* Precedes a loop that vanishes at constant size. gcc at -O2 unrolls only on request. Unlike gcc,
 * clang unrolls by itself, and warns of a request that it cannot meet (sanitizers). */
#if defined(__GNUC__) && !defined(__clang__)
#define TC_MAT_UNROLLED TC_MAT_PRAGMA(GCC unroll 16)
#else
#define TC_MAT_UNROLLED
#endif

#if defined(__GNUC__)
#define TC_MAT_BARRIER __asm__ volatile("" ::: "memory")
#else
#define TC_MAT_BARRIER
#endif

/* Precedes the loops of the algorithms. The runtime kernels define it empty: their loops stay
 * loops. The row loop of products larger than 3 x 3 also stays one: an unrolled 12 x 12 product
 * would take 20 KB and gain three instructions per row. */
#ifndef TC_MAT_LOOP
#define TC_MAT_LOOP TC_MAT_UNROLLED
#endif

/* ---- Products -------------------------------------------------------------------------------- */

/* Returns acc + sum_k a[k * a_step] * x[k * x_step], for ascending k in from..n-1. */
TC_MAT_INLINE tc_real tc_mat_body_dot(tc_real acc, const tc_real *a, uint32_t a_step,
                                      const tc_real *x, uint32_t x_step, uint32_t from, uint32_t n)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t k = from; k < n; ++k) {
        acc = TC_MLA(acc, a[k * a_step], x[k * x_step]);
    }
    return acc;
}

/* Returns acc - the same sum: the inner loop of every factorisation and solve. */
TC_MAT_INLINE tc_real tc_mat_body_dot_sub(tc_real acc, const tc_real *a, uint32_t a_step,
                                          const tc_real *x, uint32_t x_step, uint32_t from,
                                          uint32_t n)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t k = from; k < n; ++k) {
        acc = TC_MLS(acc, a[k * a_step], x[k * x_step]);
    }
    return acc;
}

/* Computes one row of a product: c[n] = a[l] B[l x n]. */
TC_MAT_INLINE void tc_mat_body_mul_row(const tc_real *__restrict a, const tc_real *__restrict B,
                                       tc_real *__restrict c, uint32_t l, uint32_t n)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t j = 0; j < n; ++j) {
        c[j] = tc_mat_body_dot(a[0] * B[j], a, 1, B + j, n, 1, l);
    }
}

/* Computes C[m x n] = A[m x l] B[l x n], a loop over rows. The barrier makes every row load a large
 * B again. Without it gcc loads all of B first, which pays at 4 x 4 and 6 x 6, but spills 576 bytes
 * to the stack at 12 x 12. */
TC_MAT_INLINE void tc_mat_body_mul(const tc_real *__restrict A, const tc_real *__restrict B,
                                   tc_real *__restrict C, uint32_t m, uint32_t l, uint32_t n)
{
    for (uint32_t i = 0; i < m; ++i) {
        tc_mat_body_mul_row(A + i * l, B, C + i * n, l, n);
        if (l > 6u) {
            TC_MAT_BARRIER;
        }
    }
}

/* The same for n x n, n <= 3. The function gathers the result in registers first, because the
 * compiler must assume that a store to C changes A or B. */
TC_MAT_INLINE void tc_mat_body_mul_small(const tc_real *A, const tc_real *B, tc_real *C, uint32_t n)
{
    tc_real result[9];
    TC_MAT_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        tc_mat_body_mul_row(A + i * n, B, result + i * n, n, n);
    }
    TC_MAT_LOOP
    for (uint32_t i = 0; i < n * n; ++i) {
        C[i] = result[i];
    }
}

/* Computes y[m] = A[m x n] x. */
TC_MAT_INLINE void tc_mat_body_vec(const tc_real *__restrict A, const tc_real *__restrict x,
                                   tc_real *__restrict y, uint32_t m, uint32_t n)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t i = 0; i < m; ++i) {
        y[i] = tc_mat_body_dot(A[i * n] * x[0], A + i * n, 1, x, 1, 1, n);
    }
}

/* Adds A[m x n] x to y[m]. */
TC_MAT_INLINE void tc_mat_body_vec_add(const tc_real *__restrict A, const tc_real *__restrict x,
                                       tc_real *__restrict y, uint32_t m, uint32_t n)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t i = 0; i < m; ++i) {
        y[i] = tc_mat_body_dot(y[i], A + i * n, 1, x, 1, 0, n);
    }
}

/* Computes y[n] = A[m x n]^T x. */
TC_MAT_INLINE void tc_mat_body_vec_t(const tc_real *__restrict A, const tc_real *__restrict x,
                                     tc_real *__restrict y, uint32_t m, uint32_t n)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t j = 0; j < n; ++j) {
        y[j] = tc_mat_body_dot(A[j] * x[0], A + j, n, x, 1, 1, m);
    }
}

/* Adds A[m x n]^T x to y[n]. */
TC_MAT_INLINE void tc_mat_body_vec_t_add(const tc_real *__restrict A, const tc_real *__restrict x,
                                         tc_real *__restrict y, uint32_t m, uint32_t n)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t j = 0; j < n; ++j) {
        y[j] = tc_mat_body_dot(y[j], A + j, n, x, 1, 0, m);
    }
}

/* ---- Factorisations -------------------------------------------------------------------------- */

/* Factorises A = L L^T, column by column. Column j needs only the columns before it, so L may be A.
 * Each column takes one division; the other elements are multiplied by the reciprocal. */
TC_MAT_INLINE void tc_mat_body_cholesky(const tc_real *A, tc_real *L, uint32_t n)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t j = 0; j < n; ++j) {
        const tc_real pivot = tc_mat_body_dot_sub(A[j * n + j], L + j * n, 1, L + j * n, 1, 0, j);
        const tc_real root = tc_sqrt(pivot);
        const tc_real reciprocal = TC_C(1.0) / root;
        L[j * n + j] = root;
        TC_MAT_LOOP
        for (uint32_t i = j + 1; i < n; ++i) {
            L[i * n + j] =
                tc_mat_body_dot_sub(A[i * n + j], L + i * n, 1, L + j * n, 1, 0, j) * reciprocal;
        }
    }
}

/* Factorises A = L diag(d) L^T, row by row. With c_ij = L_ij d_j:
 *
 *     c_ij = A_ij - sum_{k<j} c_ik L_jk  (j < i),   L_ij = c_ij r_j,   r_j = 1 / d_j,
 *     d_i  = A_ii - sum_{k<i} c_ik L_ik
 *
 * Row i of L first holds c_i. Its diagonal holds r_i until the last row is done. */
TC_MAT_INLINE void tc_mat_body_ldlt(const tc_real *A, tc_real *L, tc_real *__restrict d, uint32_t n)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        tc_real pivot = A[i * n + i];
        TC_MAT_LOOP
        for (uint32_t j = 0; j < i; ++j) {
            L[i * n + j] = tc_mat_body_dot_sub(A[i * n + j], L + i * n, 1, L + j * n, 1, 0, j);
        }
        TC_MAT_LOOP
        for (uint32_t j = 0; j < i; ++j) {
            const tc_real c = L[i * n + j];
            const tc_real l = c * L[j * n + j];
            pivot = TC_MLS(pivot, c, l);
            L[i * n + j] = l;
        }
        d[i] = pivot;
        L[i * n + i] = TC_C(1.0) / pivot;
    }
    TC_MAT_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        L[i * n + i] = TC_C(1.0);
    }
}

/* ---- Solves: `columns` right-hand sides side by side; X may be B ----------------------------- */

/* Solves L X = B: X_i = (B_i - sum_{k<i} L_ik X_k) / L_ii, for ascending i. */
TC_MAT_INLINE void tc_mat_body_solve_lower(const tc_real *L, const tc_real *B, tc_real *X,
                                           uint32_t n, uint32_t columns)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t c = 0; c < columns; ++c) {
            const tc_real s =
                tc_mat_body_dot_sub(B[i * columns + c], L + i * n, 1, X + c, columns, 0, i);
            X[i * columns + c] = s / L[i * n + i];
        }
    }
}

/* Solves L^T X = B: X_i = (B_i - sum_{k>i} L_ki X_k) / L_ii, for descending i. */
TC_MAT_INLINE void tc_mat_body_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X,
                                             uint32_t n, uint32_t columns)
{
    TC_MAT_NO_FUSE
    TC_MAT_LOOP
    for (uint32_t up = 0; up < n; ++up) {
        const uint32_t i = n - 1u - up;
        for (uint32_t c = 0; c < columns; ++c) {
            const tc_real s =
                tc_mat_body_dot_sub(B[i * columns + c], L + i, n, X + c, columns, i + 1u, n);
            X[i * columns + c] = s / L[i * n + i];
        }
    }
}

/* ---- The constant-size forms ----------------------------------------------------------------- */

#define TC_MAT_DEFINE_FIXED(n)                                                                     \
    TC_MAT_FORM void tc_mat##n##_mul(const tc_real *A, const tc_real *B, tc_real *C)               \
    {                                                                                              \
        if (n <= 3) {                                                                              \
            tc_mat_body_mul_small(A, B, C, n);                                                     \
        } else {                                                                                   \
            tc_mat_body_mul(A, B, C, n, n, n);                                                     \
        }                                                                                          \
    }                                                                                              \
    TC_MAT_FORM void tc_mat##n##_vec(const tc_real *A, const tc_real *x, tc_real *y)               \
    {                                                                                              \
        tc_mat_body_vec(A, x, y, n, n);                                                            \
    }                                                                                              \
    TC_MAT_FORM void tc_mat##n##_vec_t(const tc_real *A, const tc_real *x, tc_real *y)             \
    {                                                                                              \
        tc_mat_body_vec_t(A, x, y, n, n);                                                          \
    }                                                                                              \
    TC_MAT_FORM void tc_mat##n##_vec_add(const tc_real *A, const tc_real *x, tc_real *y)           \
    {                                                                                              \
        tc_mat_body_vec_add(A, x, y, n, n);                                                        \
    }                                                                                              \
    TC_MAT_FORM void tc_mat##n##_cholesky(const tc_real *A, tc_real *L)                            \
    {                                                                                              \
        tc_mat_body_cholesky(A, L, n);                                                             \
    }                                                                                              \
    TC_MAT_FORM void tc_mat##n##_ldlt(const tc_real *A, tc_real *L, tc_real *d)                    \
    {                                                                                              \
        tc_mat_body_ldlt(A, L, d, n);                                                              \
    }                                                                                              \
    TC_MAT_FORM void tc_mat##n##_solve_lower(const tc_real *L, const tc_real *b, tc_real *x)       \
    {                                                                                              \
        tc_mat_body_solve_lower(L, b, x, n, 1);                                                    \
    }                                                                                              \
    TC_MAT_FORM void tc_mat##n##_solve_lower_t(const tc_real *L, const tc_real *b, tc_real *x)     \
    {                                                                                              \
        tc_mat_body_solve_lower_t(L, b, x, n, 1);                                                  \
    }                                                                                              \
    TC_MAT_FORM void tc_mat##n##_cholesky_solve(const tc_real *L, const tc_real *b, tc_real *x)    \
    {                                                                                              \
        tc_mat_body_solve_lower(L, b, x, n, 1);                                                    \
        tc_mat_body_solve_lower_t(L, x, x, n, 1);                                                  \
    }

TC_MAT_DEFINE_FIXED(2)
TC_MAT_DEFINE_FIXED(3)
TC_MAT_DEFINE_FIXED(4)
TC_MAT_DEFINE_FIXED(6)
TC_MAT_DEFINE_FIXED(12)
#undef TC_MAT_DEFINE_FIXED

#endif
