/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The entrances: border checks, choice of method, and what may be said about an answer.
 *
 *   n <= 4 from M        closed forms (tc_lcp_small.c)
 *   M semi-definite      active set (tc_lcp_active.c), then the proximal method (tc_lcp_proximal.c)
 *   J                    active set in velocity space (tc_lcp_rows.c)
 *   any M                Lemke (tc_lcp_lemke.c)
 *
 * None is believed. An answer is right when the judge's numbers say so, comparisons that a NaN
 * fails; so which input is not finite is looked at only when an answer failed. The judge reads
 * every number of q and J, but of M only the columns that carry: M is summed here.
 *
 * Growth. w is the rest of terms that cancel, and rounding is a part of the terms: where they are
 * far larger than q (a light body between heavy ones, M nearly singular) a residual relative to
 * them proves nothing about w. So an answer is believed at once only if sum M_ii z_i, which no z
 * that makes large terms leaves small, is at most LCP_PLAIN max |q_i|. All others are judged by
 * sums of twice the length, corrected by those, and, if they stay beyond FINE of q, solved again in
 * numbers of twice the length (tc_lcp_twofold.c). Beyond LAST_BIT of q the last bits of M move w by
 * as much as q: no answer.
 *
 * "No solution" is said with y >= 0, M y ~ 0 and q^T y < 0 at hand: then y^T (M z + q) < 0 for all
 * z >= 0 but those so large that the roundings in M y count. q^T y must be RAY_FALL of its terms.
 */
#include "tc_exact.h"
#include "tc_lcp_internal.h"
#include "tc_vec.h"

#define RAY_FALL_LCP TC_C(1e-3)
#define RAY_RISE_LCP TC_C(4e-6)
#define RAY_GROWTH TC_C(1e4)
#define FINE (TC_C(4.0) * TC_LCP_TOLERANCE) /* of max |q_i|: as good as wanted */
#define LAST_BIT (TC_C(2.0) / TC_EPSILON)
#define REFINEMENTS 2u
#define PIECE 12u /* of M, summed without a loop: a multiple of it, or little more, for even n */

static LCP_COLD tc_status fail_lcp(tc_status status, const tc_lcp *problem, tc_real *z, tc_real *w,
                                   tc_lcp_info *info)
{
    const uint32_t n = problem != NULL && problem->n <= TC_LCP_MAX ? problem->n : 0u;
    for (uint32_t i = 0; i < n; ++i) {
        if (z != NULL) {
            z[i] = TC_C(0.0);
        }
        if (w != NULL) {
            w[i] = TC_C(0.0);
        }
    }
    if (info != NULL) {
        *info = (tc_lcp_info){0u, 0u, TC_C(0.0), TC_C(0.0), NULL, TC_C(0.0)};
    }
    return status;
}

TC_MAT_INLINE tc_real add_elements(tc_real sum, const tc_real *M)
{
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k < PIECE; ++k) {
        sum += M[k];
    }
    return sum;
}

/* Whether q is finite and the sum of all elements of M, so that each is. The judge has read all of
 * J. */
static int is_readable(const tci_lcp_state *s)
{
    tc_real sum = TC_C(0.0);
    const tc_real *M = s->M;
    if (M == NULL || !lcp_positive(s->largest_q)) {
        return M == NULL && lcp_positive(s->largest_q);
    }
    uint32_t left = s->n * s->n;
    for (; left >= 3u * PIECE; left -= 3u * PIECE, M += 3u * PIECE) {
        sum = add_elements(add_elements(add_elements(sum, M), M + PIECE), M + 2u * PIECE);
    }
    for (; left >= PIECE; left -= PIECE, M += PIECE) {
        sum = add_elements(sum, M);
    }
    for (; left != 0; --left) {
        sum += *M++;
    }
    return sum - sum == TC_C(0.0);
}

/* Whether sum M_ii z_i lets w, as it was judged, be believed; once q is known to be finite, z is,
 * too */
TC_MAT_INLINE int is_plain(const tci_lcp_state *s)
{
    const tc_real *const diagonal = s->J != NULL ? s->spare + s->n : s->M;
    const uint32_t stride = s->J != NULL ? 1u : s->n + 1u;
    tc_real reach = TC_C(0.0);
    const uint8_t *const end = s->order + s->count;
    for (const uint8_t *contact = s->order; contact != end; ++contact) {
        reach = TC_MLA(reach, diagonal[*contact * stride], s->z[*contact]);
    }
    return reach <= LCP_PLAIN * s->largest_q;
}

static int certified_lcp(const tci_lcp_state *s)
{
    return s->violation <= TC_LCP_TOLERANCE * s->scale;
}

/* Judged exactly: right beside the terms, which M as it is rounded must be able to tell, and beside
 * q by `error` */
static LCP_COLD int certified_beside(const tci_lcp_state *s, tc_real error)
{
    return certified_lcp(s) && (s->J != NULL || s->scale <= LAST_BIT * s->largest_q)
           && s->violation <= error * s->largest_q;
}

/* By the exact scale, after a few corrections at most; if not 1, judged by sums of twice the
 * length */
static LCP_COLD int polish_answer(tci_lcp_state *s, const tc_real *q, tc_real error)
{
    tci_lcp_exact_scale(s, q);
    if (certified_lcp(s) && s->scale <= LCP_PLAIN * s->largest_q) {
        return 1;
    }
    for (uint32_t round = 0;; ++round) {
        tci_lcp_judge_exactly(s, q);
        if (certified_beside(s, error) || round == REFINEMENTS) {
            return certified_beside(s, error);
        }
        tci_lcp_correct(s, s->w, s->z, TC_C(0.0));
    }
}

/* Whether the ray, scaled to max y = 1, proves that a solution needs
 *     sum_i sqrt(M_ii) z_i > RAY_GROWTH max_i |q_i| / sqrt(M_ii),
 * for 0 <= y^T (M z + q) bounds that sum from below by -y^T q / max_i ((M y)_i / sqrt(M_ii)), if y
 * >= 0. */
static LCP_COLD int proves_lcp(tci_lcp_state *s, const tc_real *q)
{
    tc_real most = TC_C(0.0), slope = TC_C(0.0), size = TC_C(0.0), rise = TC_C(0.0),
            weight = TC_C(0.0);
    tc_real *product = s->spare + s->n;
    for (uint32_t i = 0; i < s->n; ++i) {
        most = tc_vec_max(most, s->ray[i]);
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        s->ray[i] /= most;
        if (!lcp_positive(s->ray[i])) {
            return 0;
        }
    }
    tci_lcp_multiply(s, s->ray, product);
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real root = tci_lcp_root(s, i);
        slope = TC_MLA(slope, q[i], s->ray[i]);
        if (root > TC_C(0.0)) {
            weight = TC_MLA(weight, root, s->ray[i]);
            size = tc_vec_max(size, tc_vec_magnitude(q[i]) / root);
            rise = tc_vec_max(rise, product[i] / root);
        }
    }
    return s->solvable == 0 && slope < -RAY_FALL_LCP * size * weight
           && rise <= RAY_RISE_LCP * weight && -slope > RAY_GROWTH * rise * size;
}

/* An answer whose scale is max |q_i|, so that one quotient tells both errors */
static tc_status deliver_answer(const tci_lcp_state *s, tc_lcp_info *info)
{
    if (info != NULL) {
        const tc_real residual = s->scale > TC_C(0.0) ? s->violation / s->scale : TC_C(0.0);
        *info = (tc_lcp_info){s->active, s->changes, residual, s->scale, NULL, residual};
    }
    return TC_OK;
}

/* Any other; refused if a number of it is not finite */
static LCP_COLD tc_status deliver_doubtful(const tci_lcp_state *s, tc_status status,
                                           const tc_lcp *problem, tc_lcp_info *info)
{
    const tc_real q = s->largest_q;
    tc_lcp_info found = {s->active, s->changes, TC_C(0.0), s->scale, NULL, TC_C(0.0)};
    if (s->scale > TC_C(0.0)) {
        found.residual = s->violation / s->scale;
        found.error = q > TC_C(0.0) ? s->violation / q : found.residual;
    }
    if (!tc_all_finite(s->z, s->n) || !tc_all_finite(s->w, s->n) || !lcp_positive(found.residual)
        || !lcp_positive(found.scale) || !lcp_positive(found.error)) {
        return fail_lcp(TC_ERR_RANGE, problem, s->z, s->w, info);
    }
    if (info != NULL) {
        *info = found;
    }
    return status;
}

static LCP_COLD tc_status without_solution(const tci_lcp_state *s, const tc_lcp *problem,
                                           tc_lcp_info *info)
{
    const uint32_t changes = s->changes;
    fail_lcp(TC_ERR_NO_SOLUTION, problem, s->z, s->w, info);
    if (info != NULL) {
        info->farkas = s->ray;
        info->iterations = changes;
    }
    return TC_ERR_NO_SOLUTION;
}

/* NOT_FINITE, or RANGE beyond the limits of tc_lcp.h */
static LCP_COLD tc_status in_range_lcp(const tci_lcp_state *s, const tc_real *q)
{
    const tc_real *const matrix = s->J != NULL ? s->J : s->M;
    const tc_real most = s->J != NULL ? TC_LCP_LARGEST_J : TC_LCP_LARGEST;
    const uint32_t cells = s->J != NULL ? s->n * s->d : s->n * s->n;
    tc_real largest = TC_C(0.0);
    if (!tc_all_finite(q, s->n) || !tc_all_finite(matrix, cells)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; i < cells; ++i) {
        largest = tc_vec_max(largest, tc_vec_magnitude(matrix[i]));
    }
    return lcp_in_range(largest, s->largest_q, most) ? TC_OK : TC_ERR_RANGE;
}

/* What a judgement by sums of twice the length amounts to */
static tc_status status_of_twofold(const tci_lcp_state *s)
{
    if (certified_beside(s, TC_LCP_ERROR)) {
        return TC_OK;
    }
    return certified_beside(s, TC_LCP_LARGEST) ? TC_NOTE_PRECISION : TC_ERR_NOT_CERTIFIED;
}

/* In numbers of twice the length, from the contacts that carry. LCP_RAY: `ray`, this one's or that
 * before, may prove that there is no solution; else z is judged, and, if it is no answer, what was
 * found before. */
static LCP_COLD lcp_outcome at_length(tci_lcp_state *s, const tc_real *q, lcp_outcome before)
{
    if (before == LCP_SOLVED) {
        memcpy(s->ray, s->z, s->n * sizeof s->z[0]);
    }
    const lcp_outcome outcome =
        TC_LCP_TWOFOLD ? tci_lcp_twofold(s, q, s->active, before != LCP_SOLVED) : LCP_STUCK;
    s->solvable = outcome == LCP_SOLVED;
    if (outcome == LCP_SOLVED && status_of_twofold(s) >= TC_OK
        && (before != LCP_SOLVED || s->scale <= LAST_BIT * s->largest_q)) {
        return LCP_SOLVED;
    }
    if (before == LCP_RAY || (before != LCP_SOLVED && outcome == LCP_RAY)) {
        return LCP_RAY;
    }
    if (before == LCP_SOLVED) {
        memcpy(s->z, s->ray, s->n * sizeof s->z[0]);
    }
    tci_lcp_gather(s);
    tci_lcp_judge_exactly(s, q);
    return LCP_STUCK;
}

/* What the active set could not settle */
static LCP_COLD tc_status settle_doubtful(tci_lcp_state *s, lcp_outcome outcome,
                                          const tc_lcp *problem, tc_lcp_info *info)
{
    const tc_real *q = problem->q;
    const tc_status range = in_range_lcp(s, q);
    if (range < TC_OK) {
        return fail_lcp(range, problem, s->z, s->w, info);
    }
    if (outcome == LCP_SOLVED && polish_answer(s, q, FINE)) {
        return deliver_doubtful(s, TC_OK, problem, info);
    }
    const lcp_outcome found = at_length(s, q, outcome);
    if (found == LCP_RAY && proves_lcp(s, q)) {
        return without_solution(s, problem, info);
    }
    if (found != LCP_RAY && status_of_twofold(s) >= TC_OK) {
        return deliver_doubtful(s, status_of_twofold(s), problem, info);
    }
    if (s->from->otherwise != NULL) {
        outcome = s->from->otherwise(s, q);
        if (outcome == LCP_RAY && proves_lcp(s, q)) {
            return without_solution(s, problem, info);
        }
        if (outcome != LCP_RAY
            && (polish_answer(s, q, TC_LCP_ERROR) || status_of_twofold(s) >= TC_OK)) {
            return deliver_doubtful(s, status_of_twofold(s), problem, info);
        }
    }
    return outcome == LCP_LIMIT ? deliver_doubtful(s, TC_NOTE_LIMIT, problem, info)
                                : fail_lcp(TC_ERR_NOT_CERTIFIED, problem, s->z, s->w, info);
}

/* z = 0, max |q_i| into scale; contacts that approach before any carries */
static void find_approaching(tci_lcp_state *s)
{
    const tc_real *q = s->q;
    tc_real *z = s->z, *const end = z + s->n;
    lcp_bits largest = 0, most = LCP_INFINITE;
    tc_lcp_set mask = 0, worst = 0;
    for (tc_lcp_set bit = 1; z != end; bit <<= 1u) {
        const lcp_bits bits = lcp_to_bits(*q++), size = bits & ~LCP_SIGN;
        *z++ = TC_C(0.0);
        largest = size > largest ? size : largest;
        if (bits >= LCP_INFINITE) {
            mask |= bit;
            if (bits > most) {
                most = bits;
                worst = bit;
            }
        }
    }
    s->scale = lcp_from_bits(largest);
    s->violated = mask;
    s->worst = worst;
}

static LCP_APART tc_status solve_semidefinite(const tc_lcp *problem, tc_real *z, tc_real *w,
                                              tc_lcp_info *info, tc_real *work,
                                              const lcp_source *from)
{
    const uint32_t n = problem->n;
    tci_lcp_state s;
    s.from = from;
    s.M = problem->M;
    s.J = problem->J;
    s.q = problem->q;
    s.z = z;
    s.w = w;
    s.n = n;
    s.d = problem->d;
    s.c = work;
    s.x = s.c + n;
    s.ray = s.x + n;
    s.spare = s.ray + n;
    s.Q = s.spare + 2u * n;
    s.L = s.Q + (s.J != NULL ? n * s.d : 0u);
    s.changes = 0;
    s.limit = LCP_LIMIT_OF(n);
    s.solvable = 0;
    s.shift = TC_C(1.0);
    find_approaching(&s);
    s.largest_q = s.scale;
    const lcp_outcome outcome = tci_lcp_active(&s, problem->warm & lcp_first(n));
    if (outcome == LCP_SOLVED && certified_lcp(&s) && is_plain(&s) && is_readable(&s)) {
        return deliver_answer(&s, info);
    }
    return settle_doubtful(&s, outcome, problem, info);
}

/* What is wrong with the arguments; `matrix` is the problem's M or J */
TC_MAT_INLINE tc_status check_border(const tc_lcp *problem, const tc_real *z, const tc_real *w,
                                     const tc_real *work, const tc_real *matrix, int enough)
{
    if (problem->n > TC_LCP_MAX || (problem->J != NULL && problem->d - 1u >= TC_LCP_FREEDOM_MAX)) {
        return TC_ERR_SIZE;
    }
    if (z == NULL || w == NULL || work == NULL || problem->q == NULL || matrix == NULL) {
        return TC_ERR_NULL;
    }
    return tc_work_aligned(work) ? (enough ? TC_OK : TC_ERR_WORK) : TC_ERR_ALIGN;
}

LCP_APART tc_status tci_lcp_any(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                                tc_real *work, size_t work_len)
{
    if (problem == NULL || problem->n == 0) {
        return fail_lcp(problem == NULL ? TC_ERR_NULL : TC_OK, problem, z, w, info);
    }
    const tc_status status =
        check_border(problem, z, w, work, problem->M, work_len >= TC_LCP_WORK(problem->n));
    return status >= TC_OK ? solve_semidefinite(problem, z, w, info, work, &tci_lcp_matrix)
                           : fail_lcp(status, problem, z, w, info);
}

LCP_APART tc_status tc_lcp_from_rows(const tc_lcp *problem, tc_real *z, tc_real *w,
                                     tc_lcp_info *info, tc_real *work, size_t work_len)
{
    if (problem == NULL || problem->n == 0) {
        return fail_lcp(problem == NULL ? TC_ERR_NULL : TC_OK, problem, z, w, info);
    }
    const tc_status status =
        check_border(problem, z, w, work, problem->J, work_len >= TC_LCP_WORK(problem->n));
    return status >= TC_OK ? solve_semidefinite(problem, z, w, info, work, &tci_lcp_rows)
                           : fail_lcp(status, problem, z, w, info);
}

/* J, or any M, or no problem */
static LCP_APART tc_status from_rows_or_general(const tc_lcp *problem, tc_real *z, tc_real *w,
                                                tc_lcp_info *info, tc_real *work, size_t work_len)
{
    if (problem == NULL || problem->J != NULL || problem->n == 0) {
        return tc_lcp_from_rows(problem, z, w, info, work, work_len);
    }
    const int enough = work_len >= TC_LCP_GENERAL_WORK(problem->n);
    const tc_status status = check_border(problem, z, w, work, problem->M, enough);
    return status >= TC_OK ? tci_lcp_lemke(problem, z, w, info, work)
                           : fail_lcp(status, problem, z, w, info);
}

/* From semi-definite M, the method for so many contacts */
TC_MAT_INLINE tc_status by_size(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                                tc_real *work, size_t work_len)
{
    switch (TC_LCP_CLOSED ? problem->n : 0u) {
    case 2: return tci_lcp_two(problem, z, w, info, work, work_len);
    case 3: return tci_lcp_three(problem, z, w, info, work, work_len);
    case 4: return tci_lcp_four(problem, z, w, info, work, work_len);
    case 1: return tci_lcp_one(problem, z, w, info, work, work_len);
    default: return tci_lcp_any(problem, z, w, info, work, work_len);
    }
}

tc_status tc_lcp_from_matrix(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                             tc_real *work, size_t work_len)
{
    if (problem == NULL || problem->J != NULL || problem->kind != TC_LCP_SEMIDEFINITE) {
        return fail_lcp(problem == NULL ? TC_ERR_NULL : TC_ERR_UNSUPPORTED, problem, z, w, info);
    }
    return by_size(problem, z, w, info, work, work_len);
}

tc_status tc_lcp_solve(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                       tc_real *work, size_t work_len)
{
    if (problem == NULL || problem->J != NULL || problem->kind != TC_LCP_SEMIDEFINITE) {
        return from_rows_or_general(problem, z, w, info, work, work_len);
    }
    return by_size(problem, z, w, info, work, work_len);
}

/* tc_calls: polish_answer lib/solve/tc_lcp_matrix.c:judge_matrix lib/solve/tc_lcp_rows.c:judge_rows */
/* tc_calls: settle_doubtful tci_lcp_proximal */
