/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Small dense matrices: products, factorisations and solves for sizes 1 to TC_MAT_MAX.
 *
 * Matrices are row-major and contiguous: element (i, j) of an m x n matrix A is A[i*n + j].
 * Names: A, B, C matrices; L unit or plain lower triangular; d diagonal; x, y, b vectors.
 * Quantities have the caller's units.
 *
 * Every function may return these common errors:
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_ALIGN       a pointer is not aligned for tc_real.
 *   TC_ERR_SIZE        a dimension is 0 or beyond TC_MAT_MAX.
 *   TC_ERR_NOT_FINITE  an input is NaN or infinite.
 *   TC_ERR_RANGE       the inputs are finite, but a result overflows.
 *
 * On error: outputs are zero. After TC_ERR_SIZE nothing is written, nor to an output that is NULL
 * or misaligned.
 *
 * Inputs and outputs must not overlap unless the name ends in _inplace. A workspace may hold
 * anything before the call and after it.
 *
 * tc_mat_fixed.h has the same algorithms, with the same bits, as inline functions without checks.
 * They serve code that knows its size at compile time.
 *
 * Every sum runs over ascending index, starts with its first product, and rounds each product and
 * each addition. This order defines the bits (port/tc_kernel_mat.h).
 *
 * Cost: no loop depends on the values, except that tc_mat_psd_solve ends at the rank. At most 330
 * bytes of stack.
 *
 * Scale: multiplying a matrix by a number changes no status while its diagonal stays above the
 * smallest normal number, 1.2e-38 in float. Smaller pivots count as zero.
 */
#ifndef TC_MAT_H
#define TC_MAT_H

#include "tc_status.h"

TC_BEGIN

/* ---- Products -------------------------------------------------------------------------------- */

/* Computes C[m x n] = A[m x k] B[k x n].
 * Returns: TC_OK or a common error.
 * Cost: m k n multiply-accumulates. */
tc_status tc_mat_mul(const tc_real *A, const tc_real *B, tc_real *C, uint32_t m, uint32_t k,
                     uint32_t n);

/* Computes y[m] = A[m x n] x[n].
 * Returns: TC_OK or a common error. */
tc_status tc_mat_vec(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);

/* Computes y[n] = A[m x n]^T x[m].
 * Returns: TC_OK or a common error. */
tc_status tc_mat_vec_t(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m, uint32_t n);

/* Adds A[m x n] x[n] to y[m].
 * Returns: TC_OK or a common error.
 * On error: y is unchanged. */
tc_status tc_mat_vec_add_inplace(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m,
                                 uint32_t n);

/* Adds A[m x n]^T x[m] to y[n].
 * Returns: TC_OK or a common error.
 * On error: y is unchanged. */
tc_status tc_mat_vec_t_add_inplace(const tc_real *A, const tc_real *x, tc_real *y, uint32_t m,
                                   uint32_t n);

/* Computes C[m x m] = A[m x n] diag(d[n]) A^T, exactly symmetric. An example is the contact matrix
 * J M^-1 J^T of a body whose inverse mass matrix is diagonal.
 * Returns: TC_OK or a common error. */
tc_status tc_mat_congruence_diag(const tc_real *A, const tc_real *d, tc_real *C, uint32_t m,
                                 uint32_t n);

/* Computes C[m x m] = A[m x n] D[n x n] A^T, exactly symmetric, for symmetric D. The function reads
 * only the lower triangle of D.
 * Returns: TC_OK, a common error, or
 *   TC_ERR_WORK  work_len is below TC_MAT_CONGRUENCE_WORK(n).
 * Cost: work of TC_MAT_CONGRUENCE_WORK(n), one row of A D. */
#define TC_MAT_CONGRUENCE_WORK(n) (n)
tc_status tc_mat_congruence(const tc_real *A, const tc_real *D, tc_real *C, uint32_t m, uint32_t n,
                            tc_real *work, size_t work_len);

/* ---- Factorisations ---------------------------------------------------------------------------
 * A[n x n] is symmetric; only its lower triangle is read. The strict upper triangle of L is set to
 * zero. */

/* Factorises a positive definite A = L L^T; in place, A becomes L.
 * Pivot j must exceed the bound n * TC_EPSILON * A_jj, the rounding of its computation from A_jj,
 * and be a normal number. The first pivot that fails decides the status.
 * Returns: TC_OK, TC_ERR_NULL, TC_ERR_ALIGN, TC_ERR_SIZE, or
 *   TC_ERR_SINGULAR    a pivot is within its bound of zero.
 *   TC_ERR_INDEFINITE  a pivot is below minus its bound.
 *   TC_ERR_NOT_FINITE  an element of A is NaN or infinite, or an L_ij overflows. The latter needs
 *                      an element beyond 1e19 sqrt(A_ii A_jj).
 * Cost: n^3 / 6 multiply-accumulates. */
tc_status tc_mat_cholesky(const tc_real *A, tc_real *L, uint32_t n);
tc_status tc_mat_cholesky_inplace(tc_real *A, uint32_t n);

/* Factorises A = L diag(d[n]) L^T without square roots. L has a unit diagonal, whose ones are
 * stored. The function does not pivot. It serves positive definite and quasi-definite matrices; for
 * other indefinite matrices L may grow.
 * Returns: TC_OK, a common error (TC_ERR_RANGE if L grew until it overflowed), or
 *   TC_ERR_SINGULAR  a pivot vanishes: |d_j| is not above
 *                    n * TC_EPSILON * max(|A_jj|, sum_{k<j} |L_jk^2 d_k|).
 * Cost: n^3 / 6 multiply-accumulates. */
tc_status tc_mat_ldlt(const tc_real *A, tc_real *L, tc_real *d, uint32_t n);

/* ---- Solves ------------------------------------------------------------------------------------
 * B and X[n x columns] hold `columns` right-hand sides side by side; columns: 1..TC_MAT_MAX. Only
 * the lower triangle of L[n x n] is read. */

/* Solves L X = B, or L^T X = B (..._t).
 * Returns: TC_OK, a common error, or
 *   TC_ERR_SINGULAR  the diagonal of L has a zero.
 * Cost: columns n^2 / 2 multiply-accumulates. */
tc_status tc_mat_solve_lower(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                             uint32_t columns);
tc_status tc_mat_solve_lower_t(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                               uint32_t columns);

/* Solves A X = B with the factors of A from tc_mat_cholesky or tc_mat_ldlt.
 * Returns: TC_OK, a common error, or
 *   TC_ERR_SINGULAR  the diagonal of L, or d, has a zero.
 * Cost: columns n^2 multiply-accumulates. */
tc_status tc_mat_cholesky_solve(const tc_real *L, const tc_real *B, tc_real *X, uint32_t n,
                                uint32_t columns);
tc_status tc_mat_ldlt_solve(const tc_real *L, const tc_real *d, const tc_real *B, tc_real *X,
                            uint32_t n, uint32_t columns);

/* Findings of tc_mat_psd_solve; all zero after an error. */
typedef struct tc_mat_psd_info {
    uint32_t rank;    /* number of pivots above the tolerance; 0..n */
    tc_real residual; /* max_i |(A x - b)_i| / (sum_j |A_ij x_j| + |b_i|) [1]; 0..1 */
} tc_mat_psd_info;

/* Solves A x = b for a symmetric positive SEMI-definite A[n x n], whose lower triangle is read.
 * info: may be NULL.
 * The method is Cholesky with diagonal pivoting. It stops when the remainder of every diagonal
 * element is at most tau times the element, tau = (n + 8) * TC_EPSILON. The result is a basic
 * solution: zero in the coordinates left out, not of minimum norm. A x is the same for all
 * solutions.
 * Returns: TC_OK if A has full rank, a common error, or
 *   TC_NOTE_RANK          A is rank-deficient, and b is in its range: residual <= sqrt(tau), about
 *                         1e-3.
 *   TC_NOTE_INCONSISTENT  A is rank-deficient, and b is not in its range. A b_i that is only
 *                         rounding noise has this effect; set it to zero first.
 *   TC_ERR_INDEFINITE     the remainder beside the pivots is above 8 tau.
 *   TC_ERR_WORK           work_len is below TC_MAT_PSD_WORK(n).
 * Cost: at most n^3 / 2 + 4 n^2 multiply-accumulates; work of TC_MAT_PSD_WORK(n). */
#define TC_MAT_PSD_WORK(n) ((n) * (n) + 3 * (n))
tc_status tc_mat_psd_solve(const tc_real *A, const tc_real *b, tc_real *x, uint32_t n,
                           tc_mat_psd_info *info, tc_real *work, size_t work_len);

/* Computes the inverse[n x n] of a symmetric positive definite A[n x n], exactly symmetric. A solve
 * is cheaper; use this where every element is needed, as in a contact-space mass matrix.
 * Returns: TC_OK, a status of tc_mat_cholesky, or
 *   TC_ERR_RANGE  an element of the inverse overflows.
 *   TC_ERR_WORK   work_len is below TC_MAT_INVERSE_WORK(n).
 * Cost: n^3 / 2 multiply-accumulates; work of TC_MAT_INVERSE_WORK(n). */
#define TC_MAT_INVERSE_WORK(n) ((n) * (n))
tc_status tc_mat_inverse_spd(const tc_real *A, tc_real *inverse, uint32_t n, tc_real *work,
                             size_t work_len);

TC_END

#endif
