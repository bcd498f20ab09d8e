/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Small dense matrices: products, factorisations and solves for sizes 1 to TC_MAT_MAX.
 *
 * Matrices are row-major and contiguous: element (i, j) of an m x n matrix A is A[i*n + j].
 * Names: A, B, C matrices; L unit or plain lower triangular; d diagonal; x, y, b vectors.
 *
 * Every function here checks at the border: null or misaligned pointers (TC_ERR_NULL, TC_ERR_ALIGN),
 * dimensions of 0 or beyond TC_MAT_MAX (TC_ERR_SIZE), NaN or infinite inputs (TC_ERR_NOT_FINITE) and
 * results that overflow (TC_ERR_RANGE). On any error the outputs are zero, unless the dimensions
 * themselves were bad: then nothing is written. Inputs and outputs must not overlap unless the name
 * ends in _inplace. A workspace may hold anything before and after.
 *
 * For code that has checked already and knows its size at compile time, tc_mat_fixed.h has the same
 * algorithms, with the same bits, as inline functions.
 *
 * Summation order (it defines the bits, see port/tc_kernel_mat.h): every sum runs over ascending index,
 * starts with its first product, and rounds each product and each addition.
 *
 * Time: no loop depends on the values, except that the semi-definite solve ends at the rank.
 * Scales: multiplying a matrix by any number changes no verdict, as long as its diagonal stays
 * above the smallest normal number (1.2e-38 in float), which is where pivots count as zero.
 */
#ifndef TC_MAT_H
#define TC_MAT_H

#include "tc_status.h"

TC_BEGIN

/* ---- Products --------------------------------------------------------------------------------- */

/* C[m x n] = A[m x k] B[k x n] */
tc_status tc_mat_mul(const tc_real *A, const tc_real *B, tc_real *C, uint32_t m, uint32_t k, uint32_t n);

/* y[m] = A[m x n] x[n] */
tc_status tc_mat_vec(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);

/* y[n] = A[m x n]^T x[m] */
tc_status tc_mat_vec_t(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);

/* y[m] += A[m x n] x[n]. y is read and written; on an error it is left as it was. */
tc_status tc_mat_vec_add_inplace(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);

/* y[n] += A[m x n]^T x[m]. y is read and written; on an error it is left as it was. */
tc_status tc_mat_vec_t_add_inplace(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);

/* C[m x m] = A[m x n] diag(d[n]) A^T, exactly symmetric (the contact matrix J M^-1 J^T of a body
 * whose inverse mass is diagonal). */
tc_status tc_mat_congruence_diag(const tc_real *A, const tc_real *d, tc_real *C, uint32_t m, uint32_t n);

/* C[m x m] = A[m x n] D[n x n] A^T for symmetric D (only its lower triangle is read), exactly
 * symmetric. Needs work of TC_MAT_CONGRUENCE_WORK(n): one row of A D at a time. */
#define TC_MAT_CONGRUENCE_WORK(n) (n)
tc_status tc_mat_congruence(const tc_real *A, const tc_real *D, tc_real *C, uint32_t m, uint32_t n,
                            tc_real *work, size_t work_len);

/* ---- Factorisations ---------------------------------------------------------------------------
 * A is symmetric; only its lower triangle is read. The factor's strict upper triangle is zeroed.
 * Pivot test, relative and so free of units: pivot j must exceed n * TC_EPSILON * A_jj, the rounding
 * that forming it from A_jj may have left, and be a normal number. The first pivot that does not
 * decides: TC_ERR_INDEFINITE if it lies below minus that bound, else TC_ERR_SINGULAR. */

/* A = L L^T. Elements of A that are not finite fail the pivot of their row (TC_ERR_NOT_FINITE), and
 * so do off-diagonal ones so large, 1e19 sqrt(A_ii A_jj) and more, that their L_ij overflows. */
tc_status tc_mat_cholesky(const tc_real *A, tc_real *L, uint32_t n);
tc_status tc_mat_cholesky_inplace(tc_real *A, uint32_t n);

/* A = L diag(d) L^T with unit diagonal L (its ones are stored), no square root; also for indefinite A
 * as long as no pivot vanishes: |d_j| > n * TC_EPSILON * max(|A_jj|, sum_{k<j} |L_jk^2 d_k|), else
 * TC_ERR_SINGULAR. No pivoting: meant for positive definite and quasi-definite matrices; for others
 * L may grow, and TC_ERR_RANGE says that it overflowed. */
tc_status tc_mat_ldlt(const tc_real *A, tc_real *L, tc_real *d, uint32_t n);

/* ---- Solves ------------------------------------------------------------------------------------
 * B and X hold `columns` right-hand sides side by side, n x columns, columns in 1..TC_MAT_MAX. Of L
 * the lower triangle is read. A zero on a diagonal gives TC_ERR_SINGULAR. */

/* L X = B and L^T X = B */
tc_status tc_mat_solve_lower(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n, uint32_t columns);
tc_status tc_mat_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n, uint32_t columns);

/* A X = B from the factors of A, as tc_mat_cholesky and tc_mat_ldlt made them */
tc_status tc_mat_cholesky_solve(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n, uint32_t columns);
tc_status tc_mat_ldlt_solve(const tc_real *L, const tc_real *d, const tc_real *B, tc_real *X, uint32_t n,
                            uint32_t columns);

/* What the semi-definite solve found out; all zero after an error. */
typedef struct tc_mat_psd_info {
    uint32_t rank;    /* number of pivots above the tolerance, 0..n */
    tc_real residual; /* max_i |(A x - b)_i| / (sum_j |A_ij x_j| + |b_i|), dimensionless, 0..1 */
} tc_mat_psd_info;

/* A x = b for symmetric positive SEMI-definite A (its lower triangle is read): Cholesky with diagonal
 * pivoting, stopped where what remains of every diagonal element is rounding, tau = (n + 8) *
 * TC_EPSILON times the element itself. x is the basic solution: zero in the coordinates left out,
 * deterministic, not the minimum-norm one; A x is the same for all of them.
 *   TC_OK                  full rank
 *   TC_NOTE_RANK           rank-deficient, b in the range of A: residual <= sqrt(tau), about 1e-3
 *   TC_NOTE_INCONSISTENT   rank-deficient, b not in the range (a b_i that is itself rounding noise,
 *                          small beside its neighbours, counts as such: zero it first)
 *   TC_ERR_INDEFINITE      what remains beside the pivots is more than 8 tau
 * `info` may be null. */
#define TC_MAT_PSD_WORK(n) ((n) * (n) + 3 * (n))
tc_status tc_mat_psd_solve(const tc_real *A, const tc_real *b, tc_real *x, uint32_t n, tc_real *work,
                           size_t work_len, tc_mat_psd_info *info);

/* Inverse of a symmetric positive definite matrix, exactly symmetric. Prefer a solve; this is for
 * the case where every element of the inverse is needed (a contact-space mass matrix). */
#define TC_MAT_INVERSE_WORK(n) ((n) * (n))
tc_status tc_mat_inverse_spd(const tc_real *A, tc_real *inverse, uint32_t n, tc_real *work, size_t work_len);

TC_END

#endif
