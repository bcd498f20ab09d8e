/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The one entrance: border checks, choice of method, and what may be said about an answer.
 *
 *   n <= 4 from M        closed forms (tc_lcp_small.c)
 *   M semi-definite      active set (tc_lcp_active.c), then the proximal method (tc_lcp_proximal.c)
 *   J                    active set in velocity space (tc_lcp_velocity.c)
 *   any M                Lemke (tc_lcp_lemke.c)
 *
 * None is believed. An answer is right when the judge's numbers say so, comparisons that a NaN fails; so
 * whether the inputs are finite is looked at only when an answer failed. The judge reads every number
 * of q and J; of M the columns that carry, and the others are summed here.
 *
 * Growth. Where M is nearly singular an infeasible problem has "solutions" of the size 1 / rounding whose
 * terms dwarf their error: residuals relative to them prove nothing. Where a pivot was small, the answer is
 * therefore compared with |q|, too: beyond LCP_GROWTH of it terms are no answer, and the violation must be
 * below REMAINDER of it.
 *
 * "No solution" is said with y >= 0, M y ~ 0 and q^T y < 0 at hand: then y^T (M z + q) < 0 for all z >= 0 but
 * those so large that the roundings in M y count. q^T y must be RAY_FALL of its terms.
 */
#include "tc_lcp_core.h"

#define RAY_FALL TC_C(1e-3)
#define RAY_RISE TC_C(4e-6)
#define RAY_GROWTH TC_C(1e4)
#define REMAINDER TC_C(2e-3)
#define REFINEMENTS 3u

static LCP_COLD tc_status failed(tc_status status, const tc_lcp *problem, tc_real *z, tc_real *w,
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
        *info = (tc_lcp_info){0u, 0u, TC_C(0.0), TC_C(0.0), NULL};
    }
    return status;
}

/* Sum over the rows that the judge has not read, times 0: 0, or NaN if anything in them is not finite */
static tc_real unread(const tc_lcp_state *s)
{
    tc_real sum = TC_C(0.0);
    const tc_real *row = s->M;
    for (uint32_t i = 0; i < s->n && row != NULL; ++i) {
        const tc_real *const end = row + s->n;
        if ((s->active >> i & 1u) != 0) {
            row = end;
        }
        for (; end - row >= 4; row += 4) {
            sum += (row[0] + row[1]) + (row[2] + row[3]);
        }
        while (row != end) {
            sum += *row++;
        }
    }
    return TC_C(0.0) * sum;
}

static int certified(const tc_lcp_state *s)
{
    if (!(s->violation <= TC_LCP_TOLERANCE * s->scale)) {
        return 0;
    }
    if (s->doubt == 0) {
        return 1;
    }
    return s->scale <= LCP_GROWTH * s->largest_q && s->violation <= REMAINDER * s->largest_q;
}

/* By the exact scale, after a few corrections at most */
static LCP_COLD int polished(tc_lcp_state *s, const tc_real *q, uint32_t refinements)
{
    for (uint32_t round = 0;; ++round) {
        tc_lcp_exact_scale(s, q);
        if (certified(s) || round == refinements) {
            return certified(s);
        }
        tc_lcp_correct(s, s->w, s->z, TC_C(0.0));
        tc_lcp_judge(s, q);
        s->violation += unread(s);
    }
}

/* Whether the ray, scaled to max y = 1, proves that a solution needs
 *     sum_i sqrt(M_ii) z_i > RAY_GROWTH max_i |q_i| / sqrt(M_ii),
 * for 0 <= y^T (M z + q) bounds that sum from below by -y^T q / max_i ((M y)_i / sqrt(M_ii)). */
static LCP_COLD int proves(tc_lcp_state *s, const tc_real *q)
{
    tc_real most = TC_C(0.0), slope = TC_C(0.0), size = TC_C(0.0), rise = TC_C(0.0), weight = TC_C(0.0);
    tc_real *product = s->spare + s->n;
    for (uint32_t i = 0; i < s->n; ++i) {
        most = lcp_max(most, s->ray[i]);
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        s->ray[i] /= most;
    }
    tc_lcp_multiply(s, s->ray, product);
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real root = tc_sqrt(lcp_element(s, i, i));
        slope = TC_MLA(slope, q[i], s->ray[i]);
        if (root > TC_C(0.0)) {
            weight = TC_MLA(weight, root, s->ray[i]);
            size = lcp_max(size, lcp_magnitude(q[i]) / root);
            rise = lcp_max(rise, product[i] / root);
        }
    }
    return slope < -RAY_FALL * size * weight && rise <= RAY_RISE * weight &&
           -slope > RAY_GROWTH * rise * size;
}

static tc_status deliver(const tc_lcp_state *s, tc_status status, tc_lcp_info *info)
{
    if (info != NULL) {
        info->active = s->active;
        info->iterations = s->changes;
        info->residual = s->scale > TC_C(0.0) ? s->violation / s->scale : TC_C(0.0);
        info->scale = s->scale;
        info->farkas = NULL;
    }
    return status;
}

static LCP_COLD tc_status without_solution(const tc_lcp_state *s, const tc_lcp *problem, tc_lcp_info *info)
{
    const uint32_t changes = s->changes;
    failed(TC_ERR_NO_SOLUTION, problem, s->z, s->w, info);
    if (info != NULL) {
        info->farkas = s->ray;
        info->iterations = changes;
    }
    return TC_ERR_NO_SOLUTION;
}

/* What the active set could not settle at once */
static LCP_COLD tc_status doubtful(tc_lcp_state *s, lcp_outcome outcome, const tc_lcp *problem,
                                   tc_lcp_info *info)
{
    const uint32_t n = s->n, cells = s->J != NULL ? n * s->d : n * n;
    const tc_real *q = problem->q;
    if (outcome == LCP_SOLVED && polished(s, q, REFINEMENTS)) {
        return deliver(s, TC_OK, info);
    }
    if (!tc_all_finite(q, n) || !tc_all_finite(s->J != NULL ? s->J : s->M, cells)) {
        return failed(TC_ERR_NOT_FINITE, problem, s->z, s->w, info);
    }
    if (outcome == LCP_RAY && proves(s, q)) {
        return without_solution(s, problem, info);
    }
    if (s->J == NULL) {
        outcome = tc_lcp_proximal(s, q);
        if (outcome != LCP_RAY && polished(s, q, outcome == LCP_SOLVED ? REFINEMENTS : 0u)) {
            return deliver(s, TC_OK, info);
        }
        if (outcome == LCP_RAY && proves(s, q)) {
            return without_solution(s, problem, info);
        }
    }
    if (outcome == LCP_LIMIT) {
        return deliver(s, TC_NOTE_LIMIT, info);
    }
    return failed(TC_ERR_NOT_CERTIFIED, problem, s->z, s->w, info);
}

/* z = 0, max |q_i| into scale; contacts that approach before any carries, of J only the worst */
static uint32_t approaching(tc_lcp_state *s)
{
    tc_real most = TC_C(0.0), least = TC_C(0.0);
    tc_real *z = s->z;
    uint32_t mask = 0, worst = 0, bit = 1;
    for (const tc_real *q = s->q, *const end = q + s->n; q != end; ++q, bit <<= 1u) {
        const tc_real q_i = *q;
        *z++ = TC_C(0.0);
        if (q_i < TC_C(0.0)) {
            mask |= bit;
            if (q_i < least) {
                least = q_i;
                worst = bit;
            }
        } else if (q_i > most) {
            most = q_i;
        }
    }
    s->scale = lcp_max(most, -least);
    return s->J != NULL ? worst : mask;
}

static tc_status symmetric(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, tc_lcp_info *info)
{
    const uint32_t n = problem->n;
    tc_lcp_state s;
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
    s.doubt = 0;
    s.shift = TC_C(1.0);
    uint32_t mask = approaching(&s);
    s.largest_q = s.scale;
    mask = problem->warm != 0 ? problem->warm & ((1u << n) - 1u) : mask;
    const lcp_outcome outcome = tc_lcp_active(&s, mask, problem->warm == 0);
    s.violation += unread(&s);
    if (outcome == LCP_SOLVED && certified(&s)) {
        return deliver(&s, TC_OK, info);
    }
    return doubtful(&s, outcome, problem, info);
}

static tc_status border(const tc_lcp *problem, const tc_real *z, const tc_real *w, const tc_real *work,
                        size_t work_len)
{
    if (problem == NULL) {
        return TC_ERR_NULL;
    }
    const uint32_t n = problem->n;
    if (n == 0) {
        return TC_OK;
    }
    if (n > TC_LCP_MAX || (problem->J != NULL && problem->d - 1u >= TC_LCP_MAX_FREEDOM)) {
        return TC_ERR_SIZE;
    }
    if (z == NULL || w == NULL || work == NULL || problem->q == NULL ||
        (problem->M == NULL && problem->J == NULL)) {
        return TC_ERR_NULL;
    }
    const int general = problem->J == NULL && problem->kind == TC_LCP_GENERAL;
    return work_len < (general ? TC_LCP_GENERAL_WORK(n) : TC_LCP_WORK(n)) ? TC_ERR_WORK : TC_OK;
}

LCP_APART tc_status tc_lcp_other(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work,
                                 size_t work_len, tc_lcp_info *info)
{
    const tc_status status = border(problem, z, w, work, work_len);
    if (status != TC_OK || problem->n == 0) {
        return failed(status, problem, z, w, info);
    }
    if (problem->J == NULL && problem->kind == TC_LCP_GENERAL) {
#if TC_LCP_LEMKE
        return tc_lcp_lemke(problem, z, w, work, info);
#else
        return failed(TC_ERR_UNSUPPORTED, problem, z, w, info);
#endif
    }
    return symmetric(problem, z, w, work, info);
}

tc_status tc_lcp_solve(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, size_t work_len,
                       tc_lcp_info *info)
{
    if (!TC_LCP_CLOSED || problem == NULL || z == NULL || w == NULL || work == NULL || problem->J != NULL ||
        problem->kind != TC_LCP_SEMIDEFINITE) {
        return tc_lcp_other(problem, z, w, work, work_len, info);
    }
    switch (problem->n) {
    case 2:
        return tc_lcp_two(problem, z, w, work, work_len, info);
    case 3:
        return tc_lcp_three(problem, z, w, work, work_len, info);
    case 4:
        return tc_lcp_four(problem, z, w, work, work_len, info);
    case 1:
        return tc_lcp_one(problem, z, w, work, work_len, info);
    default:
        return tc_lcp_other(problem, z, w, work, work_len, info);
    }
}
