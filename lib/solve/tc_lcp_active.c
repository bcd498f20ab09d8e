/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Symmetric positive semi-definite problems: a dual active set method.
 *
 * The problem is that of the minimum of z^T M z / 2 + q^T z over z >= 0. Two phases share the
 * factor of tc_lcp_matrix.c; a contact that leaves cuts it off at its position, and those behind
 * are appended again.
 *
 * 1. Exchange. Start with the contacts that approach, q_i < 0, the worst first, leaving out those
 *    that no longer do when those before them carry; or with those of the last tick. Drop the one
 *    that pulls most until none does; judge; append all that approach; repeat, at most ROUNDS
 *    times. Mostly right at once, and without a proof that it ends. From J, whose judge costs next
 *    to nothing and whose rank is small, the start is tc_lcp_rows.c's, and nothing is exchanged.
 * 2. Active set (Lawson and Hanson's, which is Goldfarb and Idnani's on the dual). z_A >= 0 with
 *    w_A = 0. Append the worst contact p, let x solve for the enlarged set, and go from z towards
 *    x. If another contact reaches zero on the way, stop there, drop it, and go on. The objective
 *    falls with each p, so no set occurs twice. If p depends on A, M v = 0 for v = (r, 1): go along
 *    v, which changes no velocity, until a contact reaches zero and makes room for p. If none does,
 *    v >= 0, and q^T v = w_p < 0: v proves (Farkas) that M z + q >= 0 has no solution z >= 0.
 *
 * A p whose x_p comes out negative approached by rounding only; it is ignored until the set
 * changes. Bound: LCP_LIMIT_OF(n) rows tried, counting those appended again; most seen:
 * tests/lcp/results.csv.
 */
#include "tc_exact.h"
#include "tc_lcp_internal.h"
#include "tc_vec.h"

#define UNBOUNDED_ACTIVE TC_C(3e38)
#define CORRECTIONS_ACTIVE 3u
#define VANISHING TC_C(1e-5)
#define ROUNDS 3u

/* Judges; but where contacts that carry are left with more than rounding, their impulses are
 * corrected before others are said to approach. */
TC_MAT_INLINE void look_active(tci_lcp_state *s)
{
    s->from->judge(s, s->q);
    if (s->violated != 0 && s->carrying > LCP_NOISE * s->scale && s->shift == TC_C(1.0)) {
        tci_lcp_correct(s, s->w, s->z, TC_C(0.0));
        s->from->judge(s, s->q);
    }
}

/* z_A = x, after all contacts that would pull were dropped, again and again, each round at least
 * one; 0: limit */
static int drop_pulling(tci_lcp_state *s)
{
    while (s->changes <= s->limit) {
        const uint32_t count = s->count;
        tc_lcp_set again = 0, active = 0;
        uint32_t first = count;
        tc_real least = TC_C(0.0);
        tci_lcp_back(s, s->c, s->x);
        for (uint32_t j = 0; j < count; ++j) {
            const tc_real x = s->x[j];
            const uint32_t contact = s->order[j];
            s->z[contact] = x;
            active |= LCP_BIT(contact);
            if (!(x > least)) {
                least = x;
                first = j;
            }
        }
        s->active = active;
        if (first == count) {
            return 1;
        }
        s->z[s->order[first]] = TC_C(0.0);
        for (uint32_t j = first + 1u; j < count; ++j) {
            again |= LCP_BIT(s->order[j]);
            s->z[s->order[j]] = TC_C(0.0);
        }
        s->count = first;
        s->from->append(s, again, 0);
    }
    return 0;
}

/* How far z may go towards x before a contact reaches zero, if one does; that contact's position,
 * or count */
static uint32_t blocking_active(const tci_lcp_state *s, tc_real *step)
{
    uint32_t at = s->count;
    for (uint32_t j = 0; j < s->count; ++j) {
        if (!(s->x[j] > TC_C(0.0))) {
            const tc_real z = s->z[s->order[j]], fall = z - s->x[j];
            if (at == s->count || z < *step * fall) {
                *step = fall > TC_C(0.0) ? z / fall : TC_C(0.0);
                at = j;
            }
        }
    }
    return at;
}

/* The same along the ray, without an end */
static LCP_COLD uint32_t blocking_ray(const tci_lcp_state *s, tc_real *step)
{
    uint32_t at = s->count;
    *step = UNBOUNDED_ACTIVE;
    for (uint32_t j = 0; j < s->count; ++j) {
        const tc_real z = s->z[s->order[j]], fall = -s->ray[s->order[j]];
        if (fall > TC_C(0.0) && z < *step * fall) {
            *step = z / fall;
            at = j;
        }
    }
    return at;
}

/* Cuts position `at` out; 0 if one behind it has become dependent by rounding. */
static int leave_active(tci_lcp_state *s, uint32_t at)
{
    const uint32_t count = s->count;
    tc_lcp_set again = 0;
    s->z[s->order[at]] = TC_C(0.0);
    s->active &= ~LCP_BIT(s->order[at]);
    s->count = at;
    for (uint32_t j = at + 1u; j < count; ++j) {
        again |= LCP_BIT(s->order[j]);
    }
    s->from->append(s, again, 0);
    return s->count + 1u == count;
}

/* v = (x, 1) over (A, p) into `ray` */
static LCP_COLD void write_ray_active(tci_lcp_state *s, uint32_t p)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        s->ray[i] = TC_C(0.0);
    }
    s->ray[p] = TC_C(1.0);
    for (uint32_t j = 0; j < s->count; ++j) {
        s->ray[s->order[j]] = s->x[j];
    }
}

/* From M: v corrected by what M v is not zero over A */
static LCP_COLD void correct_ray(tci_lcp_state *s)
{
    for (uint32_t round = 0; round < CORRECTIONS_ACTIVE; ++round) {
        tci_lcp_multiply(s, s->ray, s->w);
        tci_lcp_correct(s, s->w, s->ray, -UNBOUNDED_ACTIVE);
    }
}

/* Parts of v that may be rounding are set to zero, or contacts that v does not touch would block
 * it. */
static LCP_COLD void clean_ray(tci_lcp_state *s, uint32_t p)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        sum += tc_vec_magnitude(s->ray[i]) * tci_lcp_root(s, i);
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real part = tc_vec_magnitude(s->ray[i]) * tci_lcp_root(s, i);
        s->ray[i] = part > VANISHING * sum || i == p ? s->ray[i] : TC_C(0.0);
    }
}

/* Whether q^T v < 0 is more than rounding. Errors of v_i are parts of sum sqrt(M_jj) v_j /
 * sqrt(M_ii). */
static LCP_COLD int rises_surely(const tci_lcp_state *s, uint32_t p)
{
    const tc_real root_p = tci_lcp_root(s, p);
    tc_real slope = s->q[p], weight = root_p, carried = TC_C(0.0);
    tc_real size = root_p > TC_C(0.0) ? tc_vec_magnitude(slope) / root_p : TC_C(0.0);
    for (uint32_t j = 0; j < s->count; ++j) {
        const uint32_t a = s->order[j];
        const tc_real root = tci_lcp_root(s, a);
        slope = TC_MLA(slope, s->x[j], s->q[a]);
        weight = TC_MLA(weight, root, tc_vec_magnitude(s->x[j]));
        size = tc_vec_max(size, tc_vec_magnitude(s->q[a]) / root);
        carried = TC_MLA(carried, root * root_p, s->z[a]);
    }
    return slope < -LCP_NOISE * (size * weight + carried);
}

/* The direction along which nothing blocks contact p; corrected from M, it may be blocked after
 * all, or be no direction at all. */
static LCP_COLD uint32_t along_ray(tci_lcp_state *s, uint32_t p, tc_real *step)
{
    write_ray_active(s, p);
    clean_ray(s, p);
    uint32_t at = blocking_ray(s, step);
    if (at == s->count && s->J == NULL) {
        write_ray_active(s, p);
        correct_ray(s);
        clean_ray(s, p);
        at = blocking_ray(s, step);
    }
    return at;
}

/* Of the contacts that approach the one that does so most: how much the objective falls with it
 * alone. From J there is one. */
static uint32_t worst_active(const tci_lcp_state *s)
{
    tc_real most = TC_C(-1.0);
    uint32_t at = lcp_lowest(s->violated);
    for (tc_lcp_set left = s->violated; s->J == NULL && left != 0; left &= left - 1u) {
        const uint32_t i = lcp_lowest(left);
        const tc_real w = s->w[i], merit = w * w / s->M[i * (s->n + 1u)];
        if (!(merit <= most)) { /* also a zero row's infinity */
            most = merit;
            at = i;
        }
    }
    return at;
}

/* Lets contact p carry. LCP_SOLVED: z is the solution on the new working set. */
static lcp_outcome enter_active(tci_lcp_state *s, uint32_t p)
{
    uint32_t round = 0;
    for (; round <= s->n && s->changes <= s->limit; ++round) {
        const uint32_t before = s->count;
        tc_real step;
        s->from->append(s, LCP_BIT(p), 0);
        const int appended = s->count != before;
        if (appended) {
            tci_lcp_back(s, s->c, s->x);
            if (!(s->x[s->count - 1u] > TC_C(0.0))) {
                --s->count;
                break;
            }
        } else if (!rises_surely(s, p)) {
            break;
        }
        const uint32_t at = appended ? blocking_active(s, &step) : along_ray(s, p, &step);
        if (appended && at == s->count) {
            s->active |= LCP_BIT(p);
            for (uint32_t j = 0; j < s->count; ++j) {
                s->z[s->order[j]] = s->x[j];
            }
            s->ignored = 0;
            look_active(s);
            return LCP_SOLVED;
        }
        if (at == s->count) {
            return LCP_RAY;
        }
        for (uint32_t j = 0; j < s->count; ++j) {
            const uint32_t i = s->order[j];
            s->z[i] += step * (appended ? s->x[j] - s->z[i] : s->ray[i]);
        }
        s->z[p] += appended ? TC_C(0.0) : step;
        s->count -= (uint32_t)appended;
        if (!leave_active(s, at)) {
            return LCP_STUCK;
        }
    }
    s->ignored |= LCP_BIT(p);
    if (round == 0) {
        s->violated &= ~s->ignored;
    } else {
        look_active(s);
    }
    return s->z[p] > TC_C(0.0) ? LCP_STUCK : LCP_SOLVED;
}

static lcp_outcome active_set(tci_lcp_state *s)
{
    while (s->violated != 0) {
        const lcp_outcome outcome = enter_active(s, worst_active(s));
        if (outcome != LCP_SOLVED) {
            return outcome;
        }
        if (s->changes > s->limit) {
            return LCP_LIMIT;
        }
    }
    return LCP_SOLVED;
}

static lcp_outcome both_phases(tci_lcp_state *s, tc_lcp_set guess)
{
    s->count = 0;
    s->ignored = 0;
    if (guess != 0) {
        s->from->append(s, guess, 0);
    } else {
        s->from->start(s);
    }
    for (uint32_t round = s->J == NULL ? 0u : ROUNDS;; ++round) {
        if (!drop_pulling(s)) {
            return LCP_LIMIT;
        }
        look_active(s);
        if (s->violated == 0) {
            return LCP_SOLVED;
        }
        const uint32_t count = s->count;
        if (round < ROUNDS) {
            s->from->append(s, s->violated, s->worst);
        }
        if (s->count == count) {
            return active_set(s);
        }
    }
}

LCP_COLD void tci_lcp_gather(tci_lcp_state *s)
{
    s->count = 0;
    s->active = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        if (s->z[i] > TC_C(0.0)) {
            s->order[s->count++] = (uint8_t)i;
            s->active |= LCP_BIT(i);
        } else {
            s->z[i] = TC_C(0.0);
        }
    }
}

lcp_outcome tci_lcp_active(tci_lcp_state *s, tc_lcp_set guess)
{
    const lcp_outcome outcome = both_phases(s, guess);
    if (outcome != LCP_SOLVED) {
        tci_lcp_gather(s);
        s->from->judge(s, s->q);
    }
    return outcome;
}

/* tc_calls: tci_lcp_active lib/solve/tc_lcp_matrix.c:append_matrix lib/solve/tc_lcp_rows.c:append_rows */
/* tc_calls: tci_lcp_active lib/solve/tc_lcp_matrix.c:judge_matrix lib/solve/tc_lcp_rows.c:judge_rows */
/* tc_calls: tci_lcp_active lib/solve/tc_lcp_matrix.c:start_matrix lib/solve/tc_lcp_rows.c:start_rows */
/* tc_calls: both_phases lib/solve/tc_lcp_matrix.c:append_matrix lib/solve/tc_lcp_rows.c:append_rows */
/* tc_calls: both_phases lib/solve/tc_lcp_matrix.c:judge_matrix lib/solve/tc_lcp_rows.c:judge_rows */
/* tc_calls: both_phases lib/solve/tc_lcp_matrix.c:start_matrix lib/solve/tc_lcp_rows.c:start_rows */
/* tc_calls: active_set lib/solve/tc_lcp_matrix.c:append_matrix lib/solve/tc_lcp_rows.c:append_rows */
/* tc_calls: active_set lib/solve/tc_lcp_matrix.c:judge_matrix lib/solve/tc_lcp_rows.c:judge_rows */
/* tc_calls: enter_active lib/solve/tc_lcp_matrix.c:append_matrix lib/solve/tc_lcp_rows.c:append_rows */
/* tc_calls: enter_active lib/solve/tc_lcp_matrix.c:judge_matrix lib/solve/tc_lcp_rows.c:judge_rows */
/* tc_calls: drop_pulling lib/solve/tc_lcp_matrix.c:append_matrix lib/solve/tc_lcp_rows.c:append_rows */
/* tc_calls: leave_active lib/solve/tc_lcp_matrix.c:append_matrix lib/solve/tc_lcp_rows.c:append_rows */
