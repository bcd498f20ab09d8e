/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Small dense matrices: the border checks round the kernels, and what is built from them.
 *
 * Checking is done on results wherever that is as good as checking the inputs. In a sum of products
 * a NaN or an infinity in any operand, or an overflow on the way, leaves the sum NaN or infinite:
 * inf * 0 is NaN, inf - inf is NaN, and neither is ever left again. So a product is right if its
 * m*n results are finite; the (m + n) * k inputs are looked at only to say what was wrong.
 *
 * Symbols: A, B, C matrices, L lower triangular, d diagonal, x, y, b vectors; m, n, k dimensions.
 * Cost: the kernel's (port/tc_kernel_mat.h) plus at most 60 + 3 per input; stack <= 256 bytes.
 */
#include "tc_exact.h"
#include "tc_mat.h"

#undef TC_MAT_LOOP
#define TC_MAT_LOOP /* the factorisation below stays a loop */
#include "tc_mat_internal.h"

#include "tc_kernel_mat.h"
#include "tc_vec.h"

/* ---- Failing --------------------------------------------------------------------------------- */

tc_status tci_mat_fail(tc_status status, tc_real *output, uint32_t count)
{
    if (output != NULL && !mat_bad_alignment(output)) {
        for (uint32_t i = 0; i < count; ++i) {
            output[i] = TC_C(0.0);
        }
    }
    return status;
}

int tci_mat_lower_finite(const tc_real *A, uint32_t n)
{
    int finite = 1;
    for (uint32_t i = 0; i < n; ++i) {
        finite &= tc_all_finite(A + i * n, i + 1u);
    }
    return finite;
}

/* A result is not finite: the inputs' fault, or did the arithmetic overflow? */
MAT_COLD static tc_status blame_overflow(const tc_real *a, uint32_t count_a, const tc_real *b,
                                         uint32_t count_b)
{
    return tc_all_finite(a, count_a) && tc_all_finite(b, count_b) ? TC_ERR_RANGE
                                                                  : TC_ERR_NOT_FINITE;
}

/* ---- Kernels by size ------------------------------------------------------------------------- */

TC_MAT_INLINE void multiply_mat(const tc_real *A, const tc_real *B, tc_real *C, uint32_t m,
                                uint32_t k, uint32_t n)
{
#if TC_MAT_UNROLL
#define CASE(size)                                                                                 \
    case size: tc_kernel_mat_mul_##size(A, B, C); return;
    if (m == n && k == n) {
        switch (n) {
            TC_KERNEL_SIZES(CASE)
        default: break;
        }
    }
#undef CASE
#endif
    tc_kernel_mat_mul(A, B, C, m, k, n);
}

TC_MAT_INLINE void multiply_vector(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m,
                                   uint32_t n)
{
#if TC_MAT_UNROLL
#define CASE(size)                                                                                 \
    case size: tc_kernel_mat_vec_##size(A, x, y); return;
    if (m == n) {
        switch (n) {
            TC_KERNEL_SIZES(CASE)
        default: break;
        }
    }
#undef CASE
#endif
    tc_kernel_mat_vec(A, x, y, m, n);
}

/* Zeroes what the kernels leave alone. Column by column: gcc would make row loops a call of
 * memset. */
TC_MAT_INLINE void clear_upper(tc_real *L, uint32_t n)
{
    for (uint32_t j = 1; j < n; ++j) {
        for (uint32_t i = 0; i < j; ++i) {
            L[i * n + j] = TC_C(0.0);
        }
    }
}

#if TC_MAT_UNROLL
#define DEFINE_CLEAR(size)                                                                         \
    TC_MAT_INLINE void clear_upper_##size(tc_real *L)                                              \
    {                                                                                              \
        TC_MAT_UNROLLED                                                                            \
        for (uint32_t j = 1; j < size; ++j) {                                                      \
            TC_MAT_UNROLLED                                                                        \
            for (uint32_t i = 0; i < j; ++i) {                                                     \
                L[i * size + j] = TC_C(0.0);                                                       \
            }                                                                                      \
        }                                                                                          \
    }
TC_KERNEL_SIZES(DEFINE_CLEAR)
#endif

static void factor_mat(const tc_real *A, tc_real *L, uint32_t n)
{
#if TC_MAT_UNROLL
#define CASE(size)                                                                                 \
    case size:                                                                                     \
        tc_kernel_cholesky_##size(A, L);                                                           \
        clear_upper_##size(L);                                                                     \
        return;
    switch (n) {
        TC_KERNEL_SIZES(CASE)
    default: break;
    }
#undef CASE
#endif
    tc_kernel_cholesky(A, L, n);
    clear_upper(L, n);
}

/* ---- Products -------------------------------------------------------------------------------- */

tc_status tc_mat_mul(const tc_real *A, const tc_real *B, tc_real *C, uint32_t m, uint32_t k,
                     uint32_t n)
{
    if (mat_bad_size(m) || mat_bad_size(k) || mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = mat_check_pointers(A, B, C);
    if (status < TC_OK) {
        return tci_mat_fail(status, C, m * n);
    }
    multiply_mat(A, B, C, m, k, n);
    return mat_finite(C, 1, m * n) ? TC_OK
                                   : tci_mat_fail(blame_overflow(A, m * k, B, k * n), C, m * n);
}

tc_status tc_mat_vec(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n)
{
    if (mat_bad_size(m) || mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = mat_check_pointers(A, x, y);
    if (status < TC_OK) {
        return tci_mat_fail(status, y, m);
    }
    multiply_vector(A, x, y, m, n);
    return mat_finite(y, 1, m) ? TC_OK : tci_mat_fail(blame_overflow(A, m * n, x, n), y, m);
}

tc_status tc_mat_vec_t(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n)
{
    if (mat_bad_size(m) || mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = mat_check_pointers(A, x, y);
    if (status < TC_OK) {
        return tci_mat_fail(status, y, n);
    }
    tc_kernel_mat_vec_t(A, x, y, m, n);
    return mat_finite(y, 1, n) ? TC_OK : tci_mat_fail(blame_overflow(A, m * n, x, m), y, n);
}

static void copy_mat(const tc_real *from, tc_real *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = from[i];
    }
}

/* y has become non-finite: put it back as it was, and say why. */
MAT_COLD static tc_status restore_saved(const tc_real *saved, tc_real *y, uint32_t count,
                                        tc_status status)
{
    copy_mat(saved, y, count);
    return tc_all_finite(y, count) ? status : TC_ERR_NOT_FINITE;
}

tc_status tc_mat_vec_add_inplace(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m,
                                 uint32_t n)
{
    tc_real saved[TC_MAT_MAX];
    if (mat_bad_size(m) || mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = mat_check_pointers(A, x, y);
    if (status < TC_OK) {
        return status;
    }
    copy_mat(y, saved, m);
    tc_kernel_mat_vec_add(A, x, y, m, n);
    return mat_finite(y, 1, m) ? TC_OK : restore_saved(saved, y, m, blame_overflow(A, m * n, x, n));
}

tc_status tc_mat_vec_t_add_inplace(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m,
                                   uint32_t n)
{
    tc_real saved[TC_MAT_MAX];
    if (mat_bad_size(m) || mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = mat_check_pointers(A, x, y);
    if (status < TC_OK) {
        return status;
    }
    copy_mat(y, saved, n);
    tc_kernel_mat_vec_t_add(A, x, y, m, n);
    return mat_finite(y, 1, n) ? TC_OK : restore_saved(saved, y, n, blame_overflow(A, m * n, x, m));
}

/* Row i of C = (A D) A^T up to the diagonal, from row i of A D; and its mirror image. */
static void congruence_row(const tc_real *AD_i, const tc_real *A, tc_real *C, uint32_t i,
                           uint32_t m, uint32_t n)
{
    tc_kernel_mat_vec(A, AD_i, C + i * m, i + 1u, n);
    for (uint32_t j = 0; j < i; ++j) {
        C[j * m + i] = C[i * m + j];
    }
}

tc_status tc_mat_congruence_diag(const tc_real *A, const tc_real *d, tc_real *C, uint32_t m,
                                 uint32_t n)
{
    tc_real row[TC_MAT_MAX];
    if (mat_bad_size(m) || mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = mat_check_pointers(A, d, C);
    if (status < TC_OK) {
        return tci_mat_fail(status, C, m * m);
    }
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t k = 0; k < n; ++k) {
            row[k] = A[i * n + k] * d[k];
        }
        congruence_row(row, A, C, i, m, n);
    }
    return mat_finite(C, 1, m * m) ? TC_OK : tci_mat_fail(blame_overflow(A, m * n, d, n), C, m * m);
}

static tc_status check_congruence(const tc_real *A, const tc_real *D, const tc_real *C, uint32_t n,
                                  const tc_real *work, size_t work_len)
{
    tc_status status = mat_check_pointers(A, D, C);
    if (status >= TC_OK) {
        status = mat_check_pointers(C, C, work);
    }
    return status >= TC_OK && work_len < TC_MAT_CONGRUENCE_WORK(n) ? TC_ERR_WORK : status;
}

tc_status tc_mat_congruence(const tc_real *A, const tc_real *D, tc_real *C, uint32_t m, uint32_t n,
                            tc_real *work, size_t work_len)
{
    if (mat_bad_size(m) || mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    tc_status status = check_congruence(A, D, C, n, work, work_len);
    if (status < TC_OK) {
        return tci_mat_fail(status, C, m * m);
    }
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t k = 0; k < n; ++k) {
            const tc_real left =
                tc_mat_body_dot(A[i * n] * D[k * n], A + i * n, 1, D + k * n, 1, 1, k + 1u);
            work[k] = tc_mat_body_dot(left, A + i * n, 1, D + k, n, k + 1u, n);
        }
        congruence_row(work, A, C, i, m, n);
    }
    if (mat_finite(C, 1, m * m)) {
        return TC_OK;
    }
    status =
        tc_all_finite(A, m * n) && tci_mat_lower_finite(D, n) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
    return tci_mat_fail(status, C, m * m);
}

/* ---- Factorisations -------------------------------------------------------------------------- */

/* The pivot test of tc_mat.h on what the kernel left: it tests nothing itself. A pivot that is
 * zero, negative or NaN, and any element of A that is not finite, make the root of that row's pivot
 * zero, infinite or NaN, and all of these fail the comparison. */
TC_MAT_INLINE int pivot_good(tc_real A_jj, tc_real root, uint32_t n)
{
    return TC_MLS(root * root, (tc_real)n * TC_EPSILON, A_jj) > MAT_TINY;
}

/* Some pivot failed; the rows before the first one are good. Its value again, from A_jj and row j
 * of L: the partial sums only fall, so the first one below -bound settles it. */
MAT_COLD static tc_status failed_cholesky(const tc_real *diagonal, uint32_t step, tc_real *L,
                                          uint32_t n)
{
    uint32_t j = 0;
    while (j + 1u < n && pivot_good(diagonal[j * step], L[j * (n + 1u)], n)) {
        ++j;
    }
    tc_real pivot = diagonal[j * step];
    const tc_real bound = (tc_real)n * TC_EPSILON * tc_vec_magnitude(pivot) + MAT_TINY;
    if (!tc_all_finite(L + j * n, j) || !tc_all_finite(&pivot, 1)) {
        return tci_mat_fail(TC_ERR_NOT_FINITE, L, n * n);
    }
    for (uint32_t k = 0; k < j && pivot >= -bound; ++k) {
        pivot = TC_MLS(pivot, L[j * n + k], L[j * n + k]);
    }
    return tci_mat_fail(pivot < -bound ? TC_ERR_INDEFINITE : TC_ERR_SINGULAR, L, n * n);
}

/* L may be A; the diagonal of A is then a copy. */
TC_MAT_INLINE tc_status factor_cholesky(const tc_real *A, const tc_real *diagonal, uint32_t step,
                                        tc_real *L, uint32_t n)
{
    factor_mat(A, L, n);
    for (uint32_t j = 0; j < n; ++j) {
        if (!pivot_good(diagonal[j * step], L[j * (n + 1u)], n)) {
            return failed_cholesky(diagonal, step, L, n);
        }
    }
    return TC_OK;
}

tc_status tc_mat_cholesky(const tc_real *A, tc_real *L, uint32_t n)
{
    if (mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = mat_check_pointers(A, L, L);
    return status >= TC_OK ? factor_cholesky(A, A, n + 1u, L, n) : tci_mat_fail(status, L, n * n);
}

tc_status tc_mat_cholesky_inplace(tc_real *A, uint32_t n)
{
    tc_real diagonal[TC_MAT_MAX];
    if (mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    const tc_status status = mat_check_pointers(A, A, A);
    if (status < TC_OK) {
        return tci_mat_fail(status, A, n * n);
    }
    for (uint32_t j = 0; j < n; ++j) {
        diagonal[j] = A[j * (n + 1u)];
    }
    return factor_cholesky(A, diagonal, 1, A, n);
}

/* Row i fails: the input's fault, a vanishing pivot, or overflow? */
MAT_COLD static tc_status failed_ldlt(const tc_real *A, tc_real d_i, uint32_t n)
{
    if (!tci_mat_lower_finite(A, n)) {
        return TC_ERR_NOT_FINITE;
    }
    return tc_all_finite(&d_i, 1) ? TC_ERR_SINGULAR : TC_ERR_RANGE;
}

tc_status tc_mat_ldlt(const tc_real *A, tc_real *L, tc_real *d, uint32_t n)
{
    const tc_real tolerance = (tc_real)n * TC_EPSILON;
    if (mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    tc_status status = mat_check_pointers(A, L, d);
    if (status < TC_OK) {
        tci_mat_fail(status, d, n);
        return tci_mat_fail(status, L, n * n);
    }
    tc_mat_body_ldlt(A, L, d, n);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real A_ii = tc_vec_magnitude(A[i * (n + 1u)]);
        tc_real removed = TC_C(0.0);
        for (uint32_t k = 0; k < i; ++k) {
            removed += tc_vec_magnitude(L[i * n + k] * (L[i * n + k] * d[k]));
        }
        const tc_real scale = removed > A_ii ? removed : A_ii;
        if (!(tc_vec_magnitude(d[i]) > tolerance * scale + MAT_TINY) || !tc_all_finite(d + i, 1)) {
            status = failed_ldlt(A, d[i], n);
            tci_mat_fail(status, d, n);
            return tci_mat_fail(status, L, n * n);
        }
    }
    clear_upper(L, n);
    return TC_OK;
}
