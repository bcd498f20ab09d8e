/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Small symmetric matrices: the solve for semi-definite ones, and the inverse of definite ones.
 *
 * Semi-definite solve. Contact matrices A = J M^-1 J^T lose rank as soon as there are more contact
 * points than freedoms. Cholesky with diagonal pivoting takes the rows of A in an order p_0, p_1,
 * .. each time the one of which most is left, relative to its A_ii (so that rows in different
 * units, or with different masses behind them, are treated alike):
 *
 *   rest_i = A_ii - sum_{k<r} L_ik^2         what columns 0..r-1 leave of the diagonal
 *   p_r    = argmax rest_i / A_ii,           L_pr = sqrt(rest_p)
 *   L_ir   = (A_ip - sum_{k<r} L_ik L_pk) / L_pr   for the rows not yet taken
 *
 * L is indexed by the row's own number and the step; no row is moved. It ends at rank r when every
 * rest_i <= tau A_ii, tau = (n + 8) TC_EPSILON: n for the roundings of the elimination, 8 for those
 * that A's own elements carry. Measured on 2*10^4 Gram matrices J J^T of each of n = 2..32, rank
 * 1..12, plain, with mass ratios of 1e4, and with rows scaled by 10^+-3: with n alone one in 200 of
 * the 2 x 2 and 4 x 4 ones was taken for full rank; rest_i / A_ii of true zeros reached 12
 * TC_EPSILON, 25 at mass ratio 1e4.
 *
 * What is left then, W = A - L L^T over the rows not taken, must be zero: |W_ij| beyond
 * 8 tau sqrt(A_ii A_jj), or a diagonal below minus that, is no rounding, and A is indefinite.
 * (Largest seen on the same matrices: 25 TC_EPSILON, at most 1.5 tau.)
 *
 * x solves the r equations taken, with x = 0 elsewhere. b is in the range of A if the other
 * equations then hold, too. A direction dropped with rest_i just below tau A_ii could have carried
 * a part sqrt(tau) of b, so residuals up to sqrt(tau), about 1e-3, prove nothing.
 *
 * Inverse. With Z = L^-1, A^-1 = Z^T Z: one triangle of it is computed and mirrored.
 *
 * Cost: solve at most n^3/2 + 4 n^2 multiply-accumulates, work n^2 + 3 n; inverse n^3/2, work n^2.
 */
#define TC_MAT_LOOP /* loops stay loops */
#include "tc_exact.h"
#include "tc_mat_internal.h"
#include "tc_vec.h"

/* One semi-definite solve on its way. */
typedef struct psd {
    const tc_real *A;
    tc_real *L;                /* [n x n], row: of A; column: step */
    tc_real *rest;             /* [n] */
    tc_real *inverse_diagonal; /* [n] 1 / A_ii, or 0: never taken */
    tc_real *y;                /* [n] L y = b */
    uint32_t n;
    uint32_t rank;             /* steps done */
    uint8_t order[TC_MAT_MAX]; /* rows: the `rank` taken first, in the order taken */
} psd;

static void start_psd(psd *s, const tc_real *A, tc_real *work, uint32_t n)
{
    s->A = A;
    s->L = work;
    s->rest = work + n * n;
    s->inverse_diagonal = s->rest + n;
    s->y = s->inverse_diagonal + n;
    s->n = n;
    s->rank = 0;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real A_ii = A[i * (n + 1u)];
        s->order[i] = (uint8_t)i;
        s->rest[i] = A_ii;
        s->inverse_diagonal[i] = A_ii > MAT_TINY ? TC_C(1.0) / A_ii : TC_C(0.0);
    }
}

static tc_real relative_rest(const psd *s, uint32_t at)
{
    const uint32_t i = s->order[at];
    return s->rest[i] * s->inverse_diagonal[i];
}

/* The place in `order` of the row to be taken next: the first of the largest. */
static uint32_t next_pivot(const psd *s)
{
    uint32_t best = s->rank;
    tc_real most = relative_rest(s, best);
    for (uint32_t at = s->rank + 1u; at < s->n; ++at) {
        const tc_real rest = relative_rest(s, at);
        best = rest > most ? at : best;
        most = rest > most ? rest : most;
    }
    return best;
}

/* W_ij = A_ij - sum_k L_ik L_jk over the steps done */
static tc_real remainder_at(const psd *s, uint32_t i, uint32_t j)
{
    const tc_real *L_i = s->L + i * s->n;
    const tc_real *L_j = s->L + j * s->n;
    return tc_mat_body_dot_sub(mat_symmetric(s->A, s->n, i, j), L_i, 1, L_j, 1, 0, s->rank);
}

static void eliminate_psd(psd *s, uint32_t at)
{
    const uint32_t n = s->n;
    const uint32_t r = s->rank;
    const uint32_t p = s->order[at];
    const tc_real root = tc_sqrt(s->rest[p]);
    const tc_real reciprocal = TC_C(1.0) / root;
    s->order[at] = s->order[r];
    s->order[r] = (uint8_t)p;
    s->L[p * n + r] = root;
    for (uint32_t k = r + 1u; k < n; ++k) {
        const uint32_t i = s->order[k];
        const tc_real l = remainder_at(s, i, p) * reciprocal;
        s->L[i * n + r] = l;
        s->rest[i] = TC_MLS(s->rest[i], l, l);
    }
    s->rank = r + 1u;
}

/* 1 if nothing but rounding is left in the rows not taken. Written so that NaN counts as something:
 * elements much larger than a semi-definite matrix can have may overflow on the way here. */
static int remainder_is_rounding(const psd *s, tc_real tolerance)
{
    for (uint32_t k = s->rank; k < s->n; ++k) {
        const uint32_t i = s->order[k];
        const tc_real A_ii = tc_vec_magnitude(s->A[i * (s->n + 1u)]);
        const tc_real root_i = tolerance * tc_sqrt(A_ii);
        if (!(s->rest[i] >= -(tolerance * A_ii + MAT_TINY))) {
            return 0;
        }
        for (uint32_t l = s->rank; l < k; ++l) {
            const uint32_t j = s->order[l];
            const tc_real bound =
                root_i * tc_sqrt(tc_vec_magnitude(s->A[j * (s->n + 1u)])) + MAT_TINY;
            if (!(tc_vec_magnitude(remainder_at(s, i, j)) <= bound)) {
                return 0;
            }
        }
    }
    return 1;
}

/* The basic solution: L y = b and L^T x = y over the rows taken, x = 0 in the others. */
static void solve_basic(const psd *s, const tc_real *b, tc_real *x)
{
    const uint32_t n = s->n;
    for (uint32_t k = 0; k < s->rank; ++k) {
        const tc_real *row = s->L + s->order[k] * n;
        s->y[k] = tc_mat_body_dot_sub(b[s->order[k]], row, 1, s->y, 1, 0, k) / row[k];
    }
    for (uint32_t i = 0; i < n; ++i) {
        x[i] = TC_C(0.0);
    }
    for (uint32_t up = 0; up < s->rank; ++up) {
        const uint32_t k = s->rank - 1u - up;
        tc_real sum = s->y[k];
        for (uint32_t m = k + 1u; m < s->rank; ++m) {
            sum = TC_MLS(sum, s->L[s->order[m] * n + k], x[s->order[m]]);
        }
        x[s->order[k]] = sum / s->L[s->order[k] * n + k];
    }
}

/* max_i |(A x - b)_i| / (sum_j |A_ij x_j| + |b_i|); infinite or NaN if a sum overflows */
static tc_real relative_residual(const psd *s, const tc_real *b, const tc_real *x)
{
    tc_real worst = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_real difference = -b[i];
        tc_real scale = tc_vec_magnitude(b[i]);
        for (uint32_t j = 0; j < s->n; ++j) {
            const tc_real term = mat_symmetric(s->A, s->n, i, j) * x[j];
            difference += term;
            scale += tc_vec_magnitude(term);
        }
        if (scale != TC_C(0.0)) {
            const tc_real ratio = tc_vec_magnitude(difference) / scale;
            worst = ratio <= worst ? worst : ratio;
        }
        if (!tc_all_finite(&scale, 1)) {
            return scale;
        }
    }
    return worst;
}

/* All pointers and sizes are good. On an error `info` is left as it was. */
static tc_status psd_solve(const tc_real *A, const tc_real *b, tc_real *x, uint32_t n,
                           tc_real *work, tc_mat_psd_info *info)
{
    const tc_real tolerance = ((tc_real)n + TC_C(8.0)) * TC_EPSILON;
    psd s;
    if (!tci_mat_lower_finite(A, n) || !tc_all_finite(b, n)) {
        return TC_ERR_NOT_FINITE;
    }
    start_psd(&s, A, work, n);
    while (s.rank < n) {
        const uint32_t at = next_pivot(&s);
        if (!(relative_rest(&s, at) > tolerance)) {
            break;
        }
        eliminate_psd(&s, at);
    }
    if (!remainder_is_rounding(&s, TC_C(8.0) * tolerance)) {
        return TC_ERR_INDEFINITE;
    }
    solve_basic(&s, b, x);
    const tc_real residual = relative_residual(&s, b, x);
    if (!tc_all_finite(x, n) || !tc_all_finite(&residual, 1)) {
        return TC_ERR_RANGE;
    }
    info->rank = s.rank;
    info->residual = residual;
    if (s.rank == n) {
        return TC_OK;
    }
    return residual * residual > tolerance ? TC_NOTE_INCONSISTENT : TC_NOTE_RANK;
}

tc_status tc_mat_psd_solve(const tc_real *A, const tc_real *b, tc_real *x, uint32_t n,
                           tc_mat_psd_info *info, tc_real *work, size_t work_len)
{
    tc_mat_psd_info found = {0, TC_C(0.0)};
    tc_status status = mat_bad_size(n) ? TC_ERR_SIZE : mat_check_pointers(A, b, x);
    if (status >= TC_OK) {
        status = mat_check_pointers(A, b, work);
    }
    if (status >= TC_OK && work_len < TC_MAT_PSD_WORK(n)) {
        status = TC_ERR_WORK;
    }
    if (status >= TC_OK) {
        status = psd_solve(A, b, x, n, work, &found);
    }
    if (info != NULL) {
        *info = found;
    }
    return status < TC_OK ? tci_mat_fail(status, x, mat_bad_size(n) ? 0u : n) : status;
}

/* L becomes Z = L^-1: Z_jj = 1 / L_jj, Z_ij = -Z_ii sum_{j<=k<i} L_ik Z_kj. Rows above i are Z
 * already; within row i, element (i, j) is not needed again once Z_ij is known. */
static void invert_lower(tc_real *L, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        tc_real *row = L + i * n;
        row[i] = TC_C(1.0) / row[i];
        for (uint32_t j = 0; j < i; ++j) {
            row[j] = -row[i] * tc_mat_body_dot(row[j] * L[j * n + j], row, 1, L + j, n, j + 1u, i);
        }
    }
}

tc_status tc_mat_inverse_spd(const tc_real *A, tc_real *inverse, uint32_t n, tc_real *work,
                             size_t work_len)
{
    if (mat_bad_size(n)) {
        return TC_ERR_SIZE;
    }
    tc_status status = mat_check_pointers(A, inverse, work);
    if (status >= TC_OK && work_len < TC_MAT_INVERSE_WORK(n)) {
        status = TC_ERR_WORK;
    }
    if (status >= TC_OK) {
        status = tc_mat_cholesky(A, work, n);
    }
    if (status < TC_OK) {
        return tci_mat_fail(status, inverse, n * n);
    }
    invert_lower(work, n);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            const tc_real *Z_i = work + i;
            const tc_real *Z_j = work + j;
            inverse[i * n + j] =
                tc_mat_body_dot(Z_i[i * n] * Z_j[i * n], Z_i, n, Z_j, n, i + 1u, n);
            inverse[j * n + i] = inverse[i * n + j];
        }
    }
    return tc_all_finite(inverse, n * n) ? TC_OK : tci_mat_fail(TC_ERR_RANGE, inverse, n * n);
}
