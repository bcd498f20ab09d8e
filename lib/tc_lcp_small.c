/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One to four contacts from M: closed forms.
 *
 * Each size is brought down to the one below it. Let i be the contact that approaches most, and assume that
 * it carries, w_i = 0. Elimination of z_i leaves the problem of the others with the Schur complement,
 *
 *     M_jk' = M_jk - M_ji M_ik / M_ii,   q_j' = q_j - q_i M_ji / M_ii,   z_i = -(q_i + sum_j M_ij z_j) / M_ii
 *
 * and its solution is right if z_i > 0. If not, i does not carry, and the problem of the others is solved
 * without it. So four contacts are at most two problems of three, those at most two of two each.
 *
 * Two contacts need no search. With q_i / sqrt(M_ii) the more negative, i carries: if only j did,
 * w_i = q_i - q_j M_ij / M_jj >= 0 would say |M_ij| > sqrt(M_ii M_jj). Then j carries, too, if i alone leaves
 * w_j < 0.
 *
 * In a Schur complement what is below NOISE |q_i| is no approach, and a pivot below SINGULAR of the
 * diagonal of M is not divided by: then, or with an answer that is not certified, the active set takes over.
 * The certificate is recomputed from M with all of its numbers, those times 0, too, so that one that is not
 * finite fails it: by the scale that costs nothing, |sum_j M_ij z_j| + |q_i| = 2 |q_i|, then by the true one.
 *
 * Cost on Cortex-M4F: tests/bench, lcp.
 */
#include "tc_lcp_core.h"

#define SINGULAR TC_C(1e-5)
#define NOISE (TC_C(8.0) * TC_EPSILON) /* in a Schur complement, of |q_i| */

/* What may come of a closed form */
enum { LEFT, DONE, NOT_LEAD, DOUBTFUL }; /* NOT_LEAD: the contact that approaches most does not carry */

/* ---- Certificate ---------------------------------------------------------------------------------- */

/* Whether z and w are complementary but for `allowed` in w; NaN and infinity are not. */
TC_MAT_INLINE int complementary(tc_real z, tc_real w, tc_real allowed)
{
    return lcp_magnitude(w) <= allowed || (lcp_positive(w) && z == TC_C(0.0));
}

/* Writes z and w = M z + q: DONE, or DOUBTFUL. largest: |q_i| of a contact that carries, or 0 */
TC_MAT_INLINE int certified(const tc_real *M, const tc_real *q, const tc_real *x, tc_real *z, tc_real *w,
                            uint32_t n, tc_real largest)
{
    const tc_real allowed = TC_C(2.0) * TC_LCP_TOLERANCE * largest;
    tc_real v[4];
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n; ++i) {
        tc_real sum = q[i];
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j < n; ++j) {
            sum = TC_MLA(sum, M[i * n + j], x[j]);
        }
        v[i] = sum;
    }
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n; ++i) {
        z[i] = x[i];
        w[i] = v[i];
    }
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n; ++i) {
        if (!complementary(x[i], v[i], allowed)) {
            return DOUBTFUL;
        }
    }
    return DONE;
}

/* z and w as written, judged by the true scale, and everything that info tells; or all the rest */
static LCP_COLD tc_status judge(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, size_t work_len,
                                tc_lcp_info *info)
{
    const uint32_t n = problem->n;
    const tc_real *M = problem->M;
    tc_real scale = TC_C(0.0), violation = TC_C(0.0), total = TC_C(0.0);
    uint32_t active = 0;
    for (uint32_t i = 0; i < n; ++i) {
        tc_real size = lcp_magnitude(problem->q[i]);
        for (uint32_t j = 0; j < n; ++j) {
            size = TC_MLA(size, lcp_magnitude(*M++), z[j]);
        }
        scale = lcp_max(scale, size);
        total += size;
        violation = lcp_max(violation, z[i] > TC_C(0.0) ? lcp_magnitude(w[i]) : -w[i]);
        active |= (z[i] > TC_C(0.0) ? 1u : 0u) << i;
    }
    if (!(violation + TC_C(0.0) * total <= TC_LCP_TOLERANCE * scale)) {
        return tc_lcp_other(problem, z, w, work, work_len, info);
    }
    if (info != NULL) {
        *info = (tc_lcp_info){active, 0u, scale > TC_C(0.0) ? violation / scale : TC_C(0.0), scale, NULL};
    }
    return TC_OK;
}

/* ---- One and two contacts ------------------------------------------------------------------------- */

TC_MAT_INLINE int one(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w)
{
    const tc_real x = q[0] < TC_C(0.0) ? -q[0] / M[0] : TC_C(0.0);
    return x >= TC_C(0.0) ? certified(M, q, &x, z, w, 1u, lcp_magnitude(q[0])) : LEFT;
}

/* Contact i of two carries, and j perhaps. */
TC_MAT_INLINE int lead_two(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w, uint32_t i, uint32_t j)
{
    const tc_real m_i = M[3u * i], m_ij = M[i + i + j], m_ji = M[j + j + i], m_j = M[3u * j];
    const tc_real allowed = TC_C(-2.0) * TC_LCP_TOLERANCE * q[i];
    tc_real z_i = -q[i] / m_i, z_j = TC_C(0.0), w_i = q[i] + m_i * z_i, w_j = q[j] + m_ji * z_i;
    tc_real violation = lcp_magnitude(w_i) + TC_C(0.0) * (m_j + m_ij + w_j);
    const int approaches = w_j < TC_C(0.0);
    if (approaches && w_j < -LCP_NOISE * lcp_magnitude(q[j])) {
        const tc_real schur = m_i * m_j - m_ij * m_ij;
        if (!(schur > SINGULAR * (m_i * m_j))) {
            return LEFT;
        }
        z_j = -w_j * m_i / schur;
        z_i = -(q[i] + m_ij * z_j) / m_i;
        w_i = q[i] + m_i * z_i + m_ij * z_j;
        w_j = q[j] + m_ji * z_i + m_j * z_j;
        violation = lcp_magnitude(w_i) + lcp_magnitude(w_j);
    } else if (approaches) {
        violation -= w_j;
    }
    if (!(z_i > TC_C(0.0))) {
        return LEFT;
    }
    z[i] = z_i;
    z[j] = z_j;
    w[i] = w_i;
    w[j] = w_j;
    return violation <= allowed ? DONE : DOUBTFUL;
}

TC_MAT_INLINE int two(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w)
{
    const tc_real q0 = q[0], q1 = q[1];
    if (q0 < TC_C(0.0) && !(q1 < TC_C(0.0) && q1 * q1 * M[0] > q0 * q0 * M[3])) {
        return lead_two(M, q, z, w, 0, 1);
    }
    if (q1 < TC_C(0.0)) {
        return lead_two(M, q, z, w, 1, 0);
    }
    z[0] = TC_C(0.0);
    z[1] = TC_C(0.0);
    w[0] = q0;
    w[1] = q1;
    const tc_real total = (M[0] + M[1]) + (M[2] + M[3]) + (q0 + q1);
    return TC_C(0.0) * total == TC_C(0.0) ? DONE : DOUBTFUL;
}

/* ---- Three contacts ------------------------------------------------------------------------------- */

/* Three contacts, perhaps what is left of four; the pivots are compared with the diagonal of `original`. */
typedef struct small {
    const tc_real *M;        /* [3 x 3] */
    const tc_real *q;        /* [3] */
    const tc_real *original; /* [3 x 3] */
} small;

/* Contact j of the contacts j and k carries, and k perhaps */
TC_MAT_INLINE int lead_pair(const small *s, tc_real m_jj, tc_real m_jk, tc_real m_kk, tc_real q_j,
                            tc_real q_k, tc_real noise, tc_real *x, uint32_t j, uint32_t k)
{
    tc_real z_j = -q_j / m_jj, z_k = TC_C(0.0);
    const tc_real w_k = q_k + m_jk * z_j;
    if (!(m_jj > SINGULAR * s->original[4u * j])) {
        return LEFT;
    }
    if (w_k < -noise) {
        const tc_real l = m_jk / m_jj, schur = m_kk - m_jk * l;
        if (!(schur > SINGULAR * s->original[4u * k])) {
            return LEFT;
        }
        z_k = -w_k / schur;
        z_j -= l * z_k;
    }
    x[j] = z_j;
    x[k] = z_k;
    return z_j > TC_C(0.0) ? DONE : LEFT;
}

TC_MAT_INLINE int solve_pair(const small *s, tc_real m_jj, tc_real m_jk, tc_real m_kk, tc_real q_j,
                             tc_real q_k, tc_real noise, tc_real *x, uint32_t j, uint32_t k)
{
    if (q_j < -noise && !(q_k < -noise && q_k * q_k * m_jj > q_j * q_j * m_kk)) {
        return lead_pair(s, m_jj, m_jk, m_kk, q_j, q_k, noise, x, j, k);
    }
    if (q_k < -noise) {
        return lead_pair(s, m_kk, m_jk, m_jj, q_k, q_j, noise, x, k, j);
    }
    x[j] = TC_C(0.0);
    x[k] = TC_C(0.0);
    return DONE;
}

/* Contact i of three carries, and j and k perhaps. */
TC_MAT_INLINE int lead_three(const small *s, tc_real noise, tc_real *x, uint32_t i, uint32_t j, uint32_t k)
{
    const tc_real *M = s->M, *q = s->q;
    const tc_real m_ii = M[4u * i], m_ij = M[3u * i + j], m_ik = M[3u * i + k];
    if (!(m_ii > SINGULAR * s->original[4u * i])) {
        return LEFT;
    }
    const tc_real inverse = TC_C(1.0) / m_ii, l_j = m_ij * inverse, l_k = m_ik * inverse;
    const tc_real m_jj = M[4u * j] - l_j * m_ij, m_jk = M[3u * j + k] - l_j * m_ik;
    const tc_real m_kk = M[4u * k] - l_k * m_ik, q_j = q[j] - l_j * q[i], q_k = q[k] - l_k * q[i];
    if (!solve_pair(s, m_jj, m_jk, m_kk, q_j, q_k, noise - NOISE * q[i], x, j, k)) {
        return LEFT;
    }
    x[i] = -q[i] * inverse - l_j * x[j] - l_k * x[k];
    return x[i] > TC_C(0.0) ? DONE : NOT_LEAD;
}

/* largest: |q_i| of the contact that approaches most, by more than the noise; 0 if none does */
TC_MAT_INLINE int solve_three(const small *s, tc_real noise, tc_real *x, tc_real *largest)
{
    const tc_real q0 = s->q[0], q1 = s->q[1], q2 = s->q[2];
    if (q0 < -noise && q0 <= q1 && q0 <= q2) {
        *largest = -q0;
        return lead_three(s, noise, x, 0, 1, 2);
    }
    if (q1 < -noise && q1 <= q2) {
        *largest = -q1;
        return lead_three(s, noise, x, 1, 0, 2);
    }
    if (q2 < -noise) {
        *largest = -q2;
        return lead_three(s, noise, x, 2, 0, 1);
    }
    *largest = TC_C(0.0);
    x[0] = x[1] = x[2] = TC_C(0.0);
    return DONE;
}

TC_MAT_INLINE int three(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w)
{
    const small s = {M, q, M};
    tc_real x[3], largest;
    const int found = solve_three(&s, TC_C(0.0), x, &largest);
    return found == DONE ? certified(M, q, x, z, w, 3u, largest) : found;
}

/* ---- Four contacts -------------------------------------------------------------------------------- */

/* Contact i of four: z_i eliminated with factor = 1 / M_ii, or left out with factor = 0; what the other three
 * then do. */
static LCP_APART int around(const tc_real *M, const tc_real *q, uint32_t i, tc_real factor, tc_real *x)
{
    tc_real A[9], b[3], original[9], y[3], l[3], z_i = -q[i] * factor;
    const tc_real *const row = M + 4u * i;
    tc_real largest;
    uint32_t a[3];
    TC_MAT_UNROLLED
    for (uint32_t j = 0; j < 3u; ++j) {
        a[j] = j + (j >= i ? 1u : 0u);
        l[j] = row[a[j]] * factor;
        b[j] = q[a[j]] - l[j] * q[i];
        original[4u * j] = M[5u * a[j]];
        TC_MAT_UNROLLED
        for (uint32_t k = 0; k <= j; ++k) {
            A[3u * k + j] = M[4u * a[j] + a[k]] - l[k] * row[a[j]];
            A[3u * j + k] = A[3u * k + j];
        }
    }
    const small s = {A, b, original};
    const int found = solve_three(&s, LCP_NOISE * lcp_magnitude(q[i]), y, &largest);
    if (found != DONE) {
        return found;
    }
    TC_MAT_UNROLLED
    for (uint32_t j = 0; j < 3u; ++j) {
        x[a[j]] = y[j];
        z_i -= l[j] * y[j];
    }
    x[i] = z_i;
    return z_i > TC_C(0.0) || factor == TC_C(0.0) ? DONE : NOT_LEAD;
}

TC_MAT_INLINE int four(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w)
{
    tc_real x[4] = {TC_C(0.0)}, least = q[0];
    uint32_t i = 0;
    int found = DONE;
    TC_MAT_UNROLLED
    for (uint32_t k = 1; k < 4u; ++k) {
        if (q[k] < least) {
            least = q[k];
            i = k;
        }
    }
    if (least < TC_C(0.0)) {
        const tc_real m_ii = M[5u * i];
        found = m_ii > TC_C(0.0) ? around(M, q, i, TC_C(1.0) / m_ii, x) : LEFT;
        found = found == NOT_LEAD ? around(M, q, i, TC_C(0.0), x) : found;
    }
    return found == DONE ? certified(M, q, x, z, w, 4u, lcp_magnitude(least)) : LEFT;
}

/* ---- Entrances ------------------------------------------------------------------------------------ */

/* Three contacts of which the one that approaches most does not carry */
static LCP_COLD tc_status without_lead(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work,
                                       size_t work_len, tc_lcp_info *info)
{
    const tc_real *M = problem->M, *q = problem->q;
    const uint32_t i = q[0] <= q[1] && q[0] <= q[2] ? 0u : q[1] <= q[2] ? 1u : 2u;
    const uint32_t j = i == 0 ? 1u : 0u, k = 3u - i - j;
    z[i] = TC_C(0.0);
    const small s = {M, q, M};
    if (solve_pair(&s, M[4u * j], M[3u * j + k], M[4u * k], q[j], q[k], TC_C(0.0), z, j, k) != DONE) {
        return tc_lcp_other(problem, z, w, work, work_len, info);
    }
    for (uint32_t r = 0; r < 3u; ++r) {
        w[r] = q[r] + M[3u * r] * z[0] + M[3u * r + 1u] * z[1] + M[3u * r + 2u] * z[2];
    }
    return judge(problem, z, w, work, work_len, info);
}

#define BORDER(n) (problem->M != NULL && problem->q != NULL && work_len >= TC_LCP_WORK(n))

/* The method of this name: borders, the closed form, or all the rest */
#define METHOD(name, n, form, again)                                                                 \
    tc_status name(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, size_t work_len,    \
                   tc_lcp_info *info)                                                                \
    {                                                                                                \
        const int found = BORDER(n) ? form(problem->M, problem->q, z, w) : LEFT;                     \
        if (found == DONE && info == NULL) {                                                         \
            return TC_OK;                                                                            \
        }                                                                                            \
        if (found == LEFT) {                                                                         \
            return tc_lcp_other(problem, z, w, work, work_len, info);                                \
        }                                                                                            \
        if (found == NOT_LEAD) {                                                                     \
            return again(problem, z, w, work, work_len, info);                                       \
        }                                                                                            \
        return judge(problem, z, w, work, work_len, info);                                           \
    }

METHOD(tc_lcp_one, 1u, one, tc_lcp_other)
METHOD(tc_lcp_two, 2u, two, tc_lcp_other)
METHOD(tc_lcp_three, 3u, three, without_lead)
METHOD(tc_lcp_four, 4u, four, tc_lcp_other)
