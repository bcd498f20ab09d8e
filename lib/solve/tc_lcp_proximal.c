/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The proximal point method: for semi-definite problems in which rounding decides about rank.
 *
 * With D = diag(M), solve for k = 0, 1, ..
 *
 *     (M + phi D) z_(k+1) + q - phi D z_k  complementary to  z_(k+1)
 *
 * each by the active set, which never meets a dependent row in M + phi D. Its fixed points are the
 * solutions; if there are any, z converges to one, by a factor phi / (phi + lambda) per step in the
 * directions M sees. If there is none, z grows by a fixed step y along a null vector each time,
 * 1 / phi times as large as q at once, and y proves it. From M alone float cannot tell "none" from
 * "larger than that"; LCP_GROWTH says where the one is called the other.
 *
 * phi = 2e-6 is 17 roundings in M_ii: as small as keeps the pivots of M + phi D, which are
 * phi M_pp at least, above the roundings of forming them (tc_lcp_matrix.c).
 */
#include "tc_exact.h"
#include "tc_lcp_internal.h"
#include "tc_vec.h"

#define PHI (TC_C(16.0) * TC_EPSILON)
#define STALLED TC_C(0.7)
#define STEPS_PROXIMAL 24u

/* The contacts that carry; z becomes 0. */
static tc_lcp_set lift_proximal(tci_lcp_state *s)
{
    tc_lcp_set mask = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        mask |= (tc_lcp_set)(s->z[i] > TC_C(0.0) ? 1u : 0u) << i;
        s->z[i] = TC_C(0.0);
    }
    return mask;
}

static void keep_ray(tci_lcp_state *s)
{
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        most = tc_vec_max(most, s->z[i]);
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        s->ray[i] = s->z[i] / most;
    }
}

LCP_COLD lcp_outcome tci_lcp_proximal(tci_lcp_state *s, const tc_real *q)
{
    tc_real largest = TC_C(0.0), before = TC_C(3e38), *shifted = s->spare + s->n;
    for (uint32_t i = 0; i < s->n; ++i) {
        s->z[i] = TC_C(0.0);
        largest = tc_vec_max(largest, tc_vec_magnitude(q[i]));
    }
    s->q = shifted;
    s->shift = TC_C(1.0) + PHI;
    s->limit = s->changes + LCP_LIMIT_OF(s->n);
    for (uint32_t step = 0; step < STEPS_PROXIMAL; ++step) {
        for (uint32_t i = 0; i < s->n; ++i) {
            shifted[i] = q[i] - PHI * s->M[i * (s->n + 1u)] * s->z[i];
        }
        const lcp_outcome outcome = tci_lcp_active(s, lift_proximal(s));
        s->from->judge(s, q);
        for (uint32_t i = 0; i < s->n; ++i) {
            const tc_real size = s->M[i * (s->n + 1u)] * s->z[i] + tc_vec_magnitude(q[i]);
            s->scale = i == 0 ? size : tc_vec_max(s->scale, size);
        }
        if (s->scale > LCP_GROWTH * largest || s->violation > STALLED * before) {
            break;
        }
        if (outcome == LCP_LIMIT || s->violation <= TC_C(0.5) * TC_LCP_TOLERANCE * s->scale) {
            return outcome;
        }
        before = s->violation;
    }
    keep_ray(s);
    return s->scale > LCP_GROWTH * largest ? LCP_RAY : LCP_STUCK;
}

/* tc_calls: tci_lcp_proximal lib/solve/tc_lcp_matrix.c:judge_matrix lib/solve/tc_lcp_rows.c:judge_rows */
