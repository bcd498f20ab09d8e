/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One to four contacts from M: closed forms.
 *
 * Each size is brought down to the one below it. Let i be the contact that approaches most, and
 * assume that it carries, w_i = 0. Elimination of z_i leaves the problem of the others with the
 * Schur complement,
 *
 *     M_jk' = M_jk - M_ji M_ik / M_ii,   q_j' = q_j - q_i M_ji / M_ii
 *     z_i = -(q_i + sum_j M_ij z_j) / M_ii
 *
 * and its solution is right if z_i > 0. If not, i does not carry, and the active set takes over.
 * Three contacts are written out for each i; the places of four are known at run time only, or the
 * code would be four times as long.
 *
 * Two contacts need no search. With q_i / sqrt(M_ii) the more negative, i carries: if only j did,
 * w_i = q_i - q_j M_ij / M_jj >= 0 would say |M_ij| > sqrt(M_ii M_jj). Then j carries, too, if i
 * alone leaves w_j < 0.
 *
 * In a Schur complement what is below NOISE |q_i| is no approach, and a pivot below SINGULAR of the
 * diagonal of M is not divided by. Quotients that are positive for semi-definite M are taken
 * without their sign: z >= 0 whatever M is, and a wrong sign fails the certificate. That is
 * recomputed from M with all of its numbers, those times 0, too, so that one that is not finite
 * fails it: by the scale that costs nothing, |sum_j M_ij z_j| + |q_i| = 2 |q_i|, then by the true
 * one. Terms M_ii z_i beyond LCP_PLAIN |q_i|, beside which rounding hides what is wrong, fail it,
 * too. What fails goes to the active set.
 *
 * Cost on Cortex-M4F: tests/bench, lcp.
 */
#include "tc_exact.h"
#include "tc_lcp_internal.h"
#include "tc_vec.h"

#define SINGULAR_SMALL TC_C(1e-5)
#define NOISE_SMALL (TC_C(8.0) * TC_EPSILON) /* in a Schur complement, of |q_i| */

#define ALLOWED (TC_C(2.0) * TC_LCP_TOLERANCE) /* of |q_i|: its terms in w_i are twice as large */
/* of sum M_ii z_i, which counts as a violation */
#define SHARE_SMALL (ALLOWED / LCP_PLAIN)

/* What may come of a closed form: DONE, or no answer (LEFT), or one that is to be judged
 * (DOUBTFUL), or one in which the contact that approaches most does not carry (NOT_LEAD); inside,
 * bits of those that carry */
enum { DONE = 0, LEFT = 16, DOUBTFUL = 32, NOT_LEAD = 64 };

/* ---- Certificate ----------------------------------------------------------------------------- */

/* Writes z and w = M z + q: DONE, or DOUBTFUL. carrying: bits of the x_i > 0; largest: |q_i| of one
 * of them, or 0. DONE: the sum of all violations is not above what is allowed for the largest. */
TC_MAT_INLINE int certified_small(const tc_real *M, const tc_real *q, const tc_real *x, tc_real *z,
                                  tc_real *w, uint32_t n, uint32_t carrying, tc_real largest)
{
    const tc_real allowed = ALLOWED * largest;
    tc_real v[4], reach = TC_C(0.0);
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n; ++i) {
        tc_real sum = q[i];
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j < n; ++j) {
            const tc_real element = M[i * n + j];
            sum = TC_MLA(sum, element, x[j]);
            if (i == j) {
                reach = i == 0 ? element * x[0] : TC_MLA(reach, element, x[j]);
            }
        }
        v[i] = sum;
    }
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n; ++i) {
        z[i] = x[i];
        w[i] = v[i];
    }
    tc_real violation =
        (carrying & 1u) != 0 || !lcp_positive(v[0]) ? tc_vec_magnitude(v[0]) : TC_C(0.0);
    TC_MAT_UNROLLED
    for (uint32_t i = 1; i < n; ++i) {
        if ((carrying >> i & 1u) != 0 || !lcp_positive(v[i])) {
            violation += tc_vec_magnitude(v[i]);
        }
    }
    return TC_MLA(violation, SHARE_SMALL, reach) <= allowed ? DONE : DOUBTFUL;
}

/* z and w as written, judged by the true scale, and everything that info tells; or all the rest */
static LCP_COLD tc_status judge_small(const tc_lcp *problem, tc_real *z, tc_real *w,
                                      tc_lcp_info *info, tc_real *work, size_t work_len)
{
    const uint32_t n = problem->n;
    const tc_real *M = problem->M;
    tc_real scale = TC_C(0.0), violation = TC_C(0.0), total = TC_C(0.0), largest = TC_C(0.0);
    uint32_t active = 0;
    for (uint32_t i = 0; i < n; ++i) {
        tc_real size = tc_vec_magnitude(problem->q[i]);
        largest = tc_vec_max(largest, size);
        for (uint32_t j = 0; j < n; ++j) {
            size = TC_MLA(size, tc_vec_magnitude(*M++), z[j]);
        }
        scale = tc_vec_max(scale, size);
        total += size;
        violation = tc_vec_max(violation, z[i] > TC_C(0.0) ? tc_vec_magnitude(w[i]) : -w[i]);
        active |= (z[i] > TC_C(0.0) ? 1u : 0u) << i;
    }
    if (!(violation + TC_C(0.0) * total <= TC_LCP_TOLERANCE * scale
          && scale <= LCP_PLAIN * largest)) {
        return tci_lcp_any(problem, z, w, info, work, work_len);
    }
    if (info != NULL) {
        const tc_real none = TC_C(0.0), residual = scale > none ? violation / scale : none;
        *info = (tc_lcp_info){active, 0u,   residual,
                              scale,  NULL, scale > none ? violation / largest : none};
    }
    return TC_OK;
}

/* ---- One and two contacts -------------------------------------------------------------------- */

TC_MAT_INLINE int solve_one(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w)
{
    const tc_real x = q[0] < TC_C(0.0) ? -q[0] / M[0] : TC_C(0.0);
    if (!(x >= TC_C(0.0))) {
        return LEFT;
    }
    z[0] = x;
    w[0] = q[0] + M[0] * x;
    const tc_real violation = q[0] < TC_C(0.0) ? tc_vec_magnitude(w[0]) : TC_C(0.0) * w[0];
    return violation <= ALLOWED * tc_vec_magnitude(q[0]) ? DONE : DOUBTFUL;
}

/* Contact i of two carries, and j perhaps. */
TC_MAT_INLINE int lead_two(const tc_real *M, tc_real q_i, tc_real q_j, tc_real *z, tc_real *w,
                           uint32_t i, uint32_t j)
{
    const tc_real m_i = M[3u * i], m_ij = M[i + i + j], m_ji = M[j + j + i], m_j = M[3u * j];
    tc_real z_i = tc_vec_magnitude(q_i / m_i);
    tc_real z_j = TC_C(0.0), w_i = q_i + m_i * z_i, w_j = q_j + m_ji * z_i;
    const tc_real unread = m_j + m_ij;
    tc_real rest = unread - unread; /* of the violation */
    if (!lcp_positive(w_j)) {
        if (!(w_j < -LCP_NOISE * tc_vec_magnitude(q_j))) {
            rest += tc_vec_magnitude(w_j); /* not finite, perhaps */
        } else {
            const tc_real schur = m_i * m_j - m_ij * m_ij;
            z_j = tc_vec_magnitude(w_j * m_i / schur);
            z_i = -(q_i + m_ij * z_j) / m_i;
            w_i = q_i + m_i * z_i + m_ij * z_j;
            w_j = q_j + m_ji * z_i + m_j * z_j;
            rest = TC_MLA(tc_vec_magnitude(w_j), SHARE_SMALL, TC_MLA(m_i * z_i, m_j, z_j));
            if (!(schur > SINGULAR_SMALL * (m_i * m_j) && z_i > TC_C(0.0))) {
                return LEFT;
            }
        }
    }
    z[i] = z_i;
    z[j] = z_j;
    w[i] = w_i;
    w[j] = w_j;
    return tc_vec_magnitude(w_i) + rest <= -ALLOWED * q_i ? DONE : DOUBTFUL;
}

TC_MAT_INLINE int solve_two(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w)
{
    const tc_real q0 = q[0], q1 = q[1];
    if (q0 < TC_C(0.0) && !(q1 < TC_C(0.0) && q1 * q1 * M[0] > q0 * q0 * M[3])) {
        return lead_two(M, q0, q1, z, w, 0, 1);
    }
    if (q1 < TC_C(0.0)) {
        return lead_two(M, q1, q0, z, w, 1, 0);
    }
    z[0] = TC_C(0.0);
    z[1] = TC_C(0.0);
    w[0] = q0;
    w[1] = q1;
    const tc_real total = (M[0] + M[1]) + (M[2] + M[3]) + (q0 + q1);
    return total - total == TC_C(0.0) ? DONE : DOUBTFUL;
}

/* ---- Three contacts -------------------------------------------------------------------------- */

/* Two contacts j and k, what elimination has left of them */
typedef struct pair_small {
    tc_real m_jj, m_jk, m_kk, q_j, q_k;
    tc_real d_j, d_k; /* the diagonal of M that the pivots are compared with */
    tc_real noise;    /* negative: q below it approaches */
} pair_small;

/* Contact j carries, and k perhaps: bits, 1 for j and 2 for k, or LEFT */
TC_MAT_INLINE uint32_t lead_pair(tc_real m_jj, tc_real m_jk, tc_real m_kk, tc_real q_j, tc_real q_k,
                                 tc_real d_j, tc_real d_k, tc_real noise, tc_real *x_j,
                                 tc_real *x_k)
{
    const tc_real z_j = tc_vec_magnitude(q_j / m_jj), w_k = q_k + m_jk * z_j;
    if (!(m_jj > SINGULAR_SMALL * d_j)) {
        return LEFT;
    }
    *x_j = z_j;
    if (!(w_k < noise)) {
        return 1;
    }
    const tc_real l = m_jk / m_jj, schur = m_kk - m_jk * l;
    if (!(schur > SINGULAR_SMALL * d_k)) {
        return 1; /* w_k may be rounding: the certificate tells */
    }
    const tc_real z_k = tc_vec_magnitude(w_k / schur);
    *x_k = z_k;
    *x_j = z_j - l * z_k;
    return *x_j > TC_C(0.0) ? 3 : LEFT;
}

/* At least one approaches: bits of those that carry, or LEFT. x_j and x_k are 0 before. */
TC_MAT_INLINE uint32_t solve_pair(const pair_small *p, tc_real *x_j, tc_real *x_k)
{
    const tc_real q_j = p->q_j, q_k = p->q_k;
    if (q_j < p->noise && !(q_k < p->noise && q_k * q_k * p->m_jj > q_j * q_j * p->m_kk)) {
        return lead_pair(p->m_jj, p->m_jk, p->m_kk, q_j, q_k, p->d_j, p->d_k, p->noise, x_j, x_k);
    }
    const uint32_t found =
        lead_pair(p->m_kk, p->m_jk, p->m_jj, q_k, q_j, p->d_k, p->d_j, p->noise, x_k, x_j);
    return found == 1u ? 2u : found;
}

/* Contact i of three carries, and j and k perhaps: bits of those that do, or LEFT or NOT_LEAD */
TC_MAT_INLINE uint32_t lead_three(const tc_real *M, const tc_real *q, tc_real *x, uint32_t i,
                                  uint32_t j, uint32_t k)
{
    const tc_real m_ij = M[3u * i + j], m_ik = M[3u * i + k], inverse = TC_C(1.0) / M[4u * i];
    const tc_real l_j = m_ij * inverse, l_k = m_ik * inverse, noise = NOISE_SMALL * q[i];
    const tc_real q_j = q[j] - l_j * q[i], q_k = q[k] - l_k * q[i];
    uint32_t found = 0;
    x[j] = TC_C(0.0);
    x[k] = TC_C(0.0);
    if (q_j < noise || q_k < noise) {
        const tc_real d_j = M[4u * j], d_k = M[4u * k], m_jk = M[3u * j + k] - l_j * m_ik;
        const pair_small p = {d_j - l_j * m_ij, m_jk, d_k - l_k * m_ik, q_j, q_k, d_j, d_k, noise};
        found = solve_pair(&p, &x[j], &x[k]);
    }
    x[i] = -q[i] * inverse - l_j * x[j] - l_k * x[k];
    if (found == LEFT) {
        return LEFT;
    }
    return x[i] > TC_C(0.0) ? 1u << i | (found & 1u) << j | found >> 1u << k : NOT_LEAD;
}

TC_MAT_INLINE int solve_three(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w)
{
    const tc_real q0 = q[0], q1 = q[1], q2 = q[2];
    tc_real x[3] = {TC_C(0.0)}, largest = TC_C(0.0);
    uint32_t found = 0;
    if (q0 < TC_C(0.0) && q0 <= q1 && q0 <= q2) {
        largest = -q0;
        found = lead_three(M, q, x, 0, 1, 2);
    } else if (q1 < TC_C(0.0) && q1 <= q2) {
        largest = -q1;
        found = lead_three(M, q, x, 1, 0, 2);
    } else if (q2 < TC_C(0.0)) {
        largest = -q2;
        found = lead_three(M, q, x, 2, 0, 1);
    }
    return found < LEFT ? certified_small(M, q, x, z, w, 3u, found, largest) : (int)found;
}

/* ---- Four contacts --------------------------------------------------------------------------- */

/* A contact of four whose place is known at run time only; what elimination of others has left of
 * it */
typedef struct place_small {
    uint32_t at;
    tc_real q, l; /* q_j', and M_ji / M_ii of the contact i that was eliminated first */
} place_small;

TC_MAT_INLINE void exchange_small(place_small *a, place_small *b)
{
    const place_small kept = *a;
    *a = *b;
    *b = kept;
}

TC_MAT_INLINE place_small eliminate_row(const tc_real *row, const tc_real *q, tc_real inverse,
                                        tc_real q_i, uint32_t at)
{
    const tc_real l = row[at] * inverse;
    return (place_small){at, q[at] - l * q_i, l};
}

/* M_jk' once contact i is eliminated */
TC_MAT_INLINE tc_real schur_element(const tc_real *M, const tc_real *row, const place_small *j,
                                    const place_small *k)
{
    return M[4u * j->at + k->at] - k->l * row[j->at];
}

/* Contact i of four carries, and the others perhaps: z and bits of those that do, or LEFT or
 * NOT_LEAD */
TC_MAT_INLINE uint32_t lead_four(const tc_real *M, const tc_real *q, tc_real *z, uint32_t i)
{
    const tc_real *const row = M + 4u * i;
    const tc_real q_i = q[i], inverse = TC_C(1.0) / row[i];
    tc_real noise = NOISE_SMALL * q_i, x_j = TC_C(0.0), x_k = TC_C(0.0), x_m = TC_C(0.0);
    uint32_t carrying = 1u << i;
    place_small j = eliminate_row(row, q, inverse, q_i, i == 0 ? 1u : 0u);
    place_small k = eliminate_row(row, q, inverse, q_i, i <= 1u ? 2u : 1u);
    place_small m = eliminate_row(row, q, inverse, q_i, i <= 2u ? 3u : 2u);
    if (k.q < j.q) {
        exchange_small(&j, &k);
    }
    if (m.q < j.q) {
        exchange_small(&j, &m);
    }
    if (j.q < noise) {
        const tc_real m_jj = schur_element(M, row, &j, &j), inverse_j = TC_C(1.0) / m_jj;
        const tc_real m_jk = schur_element(M, row, &j, &k), m_jm = schur_element(M, row, &j, &m);
        const tc_real h_k = m_jk * inverse_j, h_m = m_jm * inverse_j;
        const tc_real q_k = k.q - h_k * j.q, q_m = m.q - h_m * j.q;
        uint32_t found = 0;
        noise += NOISE_SMALL * j.q;
        if (q_k < noise || q_m < noise) {
            const pair_small p = {schur_element(M, row, &k, &k) - h_k * m_jk,
                                  schur_element(M, row, &k, &m) - h_k * m_jm,
                                  schur_element(M, row, &m, &m) - h_m * m_jm,
                                  q_k,
                                  q_m,
                                  M[5u * k.at],
                                  M[5u * m.at],
                                  noise};
            found = solve_pair(&p, &x_k, &x_m);
        }
        if (!(m_jj > SINGULAR_SMALL * M[5u * j.at]) || found == LEFT) {
            return LEFT;
        }
        carrying |= 1u << j.at | (found & 1u) << k.at | found >> 1u << m.at;
        x_j = -j.q * inverse_j - h_k * x_k - h_m * x_m;
        if (!(x_j > TC_C(0.0))) {
            return NOT_LEAD;
        }
    }
    const tc_real x_i = -q_i * inverse - j.l * x_j - k.l * x_k - m.l * x_m;
    z[i] = x_i;
    z[j.at] = x_j;
    z[k.at] = x_k;
    z[m.at] = x_m;
    return x_i > TC_C(0.0) ? carrying : NOT_LEAD;
}

TC_MAT_INLINE int solve_four(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w)
{
    const tc_real q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
    const uint32_t a = q1 < q0 ? 1u : 0u, b = q3 < q2 ? 3u : 2u;
    const tc_real q_a = q1 < q0 ? q1 : q0, q_b = q3 < q2 ? q3 : q2, least = q_b < q_a ? q_b : q_a;
    uint32_t carrying = 0;
    if (least < TC_C(0.0)) {
        carrying = lead_four(M, q, z, q_b < q_a ? b : a);
        if (carrying >= LEFT) {
            return (int)carrying;
        }
    } else {
        z[0] = z[1] = z[2] = z[3] = TC_C(0.0);
    }
    const tc_real x[4] = {z[0], z[1], z[2], z[3]};
    return certified_small(M, q, x, z, w, 4u, carrying, tc_vec_magnitude(least));
}

/* ---- Entrances ------------------------------------------------------------------------------- */

#define BORDER(n)                                                                                  \
    (z != NULL && w != NULL && work != NULL && M != NULL && q != NULL                              \
     && work_len >= TC_LCP_WORK(n) && tc_work_aligned(work))

/* The method of this name: borders, the closed form, or all the rest. Each a function of its own,
 * so that it saves the registers it needs and no more. */
#define METHOD(name, n, form)                                                                      \
    tc_status name(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,               \
                   tc_real *work, size_t work_len)                                                 \
    {                                                                                              \
        const tc_real *const M = problem->M, *const q = problem->q;                                \
        const int found = BORDER(n) ? form(M, q, z, w) : LEFT;                                     \
        if (found == DONE && info == NULL) {                                                       \
            return TC_OK;                                                                          \
        }                                                                                          \
        return found == LEFT || found == NOT_LEAD                                                  \
                   ? tci_lcp_any(problem, z, w, info, work, work_len)                              \
                   : judge_small(problem, z, w, info, work, work_len);                             \
    }

METHOD(tci_lcp_one, 1u, solve_one)
METHOD(tci_lcp_two, 2u, solve_two)
METHOD(tci_lcp_three, 3u, solve_three)
METHOD(tci_lcp_four, 4u, solve_four)
