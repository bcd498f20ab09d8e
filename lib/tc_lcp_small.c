/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One to four contacts from M: exchanges with closed forms.
 *
 * The set S of contacts that carry starts as the one that approaches most. For S of size 1 to 4
 * z_S = -M_SS^-1 q_S is written out by elimination with Schur complements,
 *
 *     M_ii' = M_ii - M_ik^2 / M_kk,   q_i' = q_i - q_k M_ik / M_kk
 *
 * All z_i <= 0 leave S; else the most negative w outside S enters; else S is right. Mostly it is after |S|
 * steps; the first two are written out. There is no proof that it always ends, so after STEPS, or with a
 * pivot below SINGULAR of its diagonal, the active set takes over. An answer is certified from M like any
 * other: all of w is recomputed, the scale is taken from below (the terms of one contact that carries),
 * and all of M is summed, so that a number which is not finite fails the certificate.
 *
 * Two contacts need no search. With q_i / sqrt(M_ii) the more negative, i carries: if only j did,
 * w_i = q_i - q_j M_ij / M_jj >= 0 would say |M_ij| > sqrt(M_ii M_jj).
 *
 * Cost on Cortex-M4F: tests/bench, lcp.
 */
#include "tc_lcp_core.h"

#define SINGULAR TC_C(1e-5)
#define STEPS 10u

TC_MAT_INLINE void report(tc_lcp_info *info, uint32_t active, tc_real residual, tc_real scale)
{
    if (info != NULL) {
        info->active = active;
        info->iterations = 0;
        info->residual = residual;
        info->scale = scale;
        info->farkas = NULL;
    }
}

/* No contact approaches: z = 0, w = q, provided that M is finite. */
TC_MAT_INLINE int rest(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w, tc_lcp_info *info,
                       uint32_t n)
{
    tc_real most = q[0], total = TC_C(0.0);
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n; ++i) {
        z[i] = TC_C(0.0);
        w[i] = q[i];
        total += q[i];
        most = lcp_max(most, q[i]);
    }
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n * n; ++i) {
        total += M[i];
    }
    report(info, 0u, TC_C(0.0), most);
    return TC_C(0.0) * total == TC_C(0.0);
}

TC_MAT_INLINE int one(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w, tc_lcp_info *info)
{
    if (q[0] >= TC_C(0.0)) {
        return rest(M, q, z, w, info, 1u);
    }
    const tc_real z_0 = -q[0] / M[0], w_0 = q[0] + M[0] * z_0, residual = lcp_magnitude(w_0) / -q[0];
    if (!(M[0] > TC_C(0.0) && residual <= TC_LCP_TOLERANCE)) {
        return 0;
    }
    z[0] = z_0;
    w[0] = w_0;
    report(info, 1u, residual, -q[0]);
    return 1;
}

/* Contacts i and j of two both carry, as i alone left w_j < 0. */
TC_MAT_INLINE int both(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w, tc_lcp_info *info,
                       tc_real w_j, uint32_t i, uint32_t j)
{
    const tc_real m_i = M[3u * i], m_j = M[3u * j], m = M[i + i + j], q_i = q[i];
    const tc_real schur = m_i * m_j - m * m, z_j = -w_j * m_i / schur, z_i = -(q_i + m * z_j) / m_i;
    const tc_real w_i = q_i + m_i * z_i + m * z_j;
    w_j = q[j] + M[j + j + i] * z_i + m_j * z_j;
    const tc_real scale = m_i * z_i + lcp_magnitude(m) * z_j - q_i;
    const tc_real residual = lcp_max(lcp_magnitude(w_i), lcp_magnitude(w_j)) / scale;
    if (!(schur > SINGULAR * (m_i * m_j) && z_i > TC_C(0.0) &&
          residual + TC_C(0.0) * w_j <= TC_LCP_TOLERANCE)) {
        return 0;
    }
    z[i] = z_i;
    z[j] = z_j;
    w[i] = w_i;
    w[j] = w_j;
    report(info, 3u, residual, scale);
    return 1;
}

/* Contact i of two carries, and j perhaps. */
TC_MAT_INLINE int lead(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w, tc_lcp_info *info,
                       uint32_t i, uint32_t j)
{
    const tc_real m_i = M[3u * i], scale = -q[i], z_i = scale / m_i;
    const tc_real w_i = q[i] + m_i * z_i, w_j = q[j] + M[i + i + j] * z_i;
    tc_real violation = lcp_magnitude(w_i);
    if (!(m_i > TC_C(0.0))) {
        return 0;
    }
    if (w_j < TC_C(0.0)) {
        if (w_j < -LCP_NOISE * lcp_magnitude(q[j])) {
            return both(M, q, z, w, info, w_j, i, j);
        }
        violation = lcp_max(violation, -w_j);
    }
    const tc_real residual = violation / scale, unread = M[3u * j] + M[j + j + i] + w_j;
    if (!(residual + TC_C(0.0) * unread <= TC_LCP_TOLERANCE)) {
        return 0;
    }
    z[i] = z_i;
    z[j] = TC_C(0.0);
    w[i] = w_i;
    w[j] = w_j;
    report(info, 1u << i, residual, scale);
    return 1;
}

TC_MAT_INLINE int two(const tc_real *M, const tc_real *q, tc_real *z, tc_real *w, tc_lcp_info *info)
{
    const tc_real q0 = q[0], q1 = q[1];
    if (q0 < TC_C(0.0)) {
        if (q1 < TC_C(0.0) && q1 * q1 * M[0] > q0 * q0 * M[3]) {
            return lead(M, q, z, w, info, 1, 0);
        }
        return lead(M, q, z, w, info, 0, 1);
    }
    if (q1 < TC_C(0.0)) {
        return lead(M, q, z, w, info, 1, 0);
    }
    return rest(M, q, z, w, info, 2u);
}

/* What the search hands round */
typedef struct small {
    const tc_real *M;
    const tc_real *q;
    tc_real *z;
    tc_real *w;
} small;

/* x = -M_SS^-1 q_S for the k contacts of S; 0: singular */
TC_MAT_INLINE int solve(const small *s, const uint8_t *S, uint32_t k, uint32_t n, tc_real *x)
{
    const tc_real *a = s->M + S[0] * n;
    const tc_real m00 = a[S[0]], q0 = -s->q[S[0]];
    if (!(m00 > TC_C(0.0))) {
        return 0;
    }
    const tc_real inverse0 = TC_C(1.0) / m00;
    if (k == 1u) {
        x[0] = q0 * inverse0;
        return 1;
    }
    const tc_real *b = s->M + S[1] * n;
    const tc_real m10 = a[S[1]], l10 = m10 * inverse0, diagonal1 = b[S[1]];
    const tc_real d1 = diagonal1 - l10 * m10, q1 = -s->q[S[1]] - l10 * q0;
    if (!(d1 > SINGULAR * diagonal1)) {
        return 0;
    }
    const tc_real inverse1 = TC_C(1.0) / d1;
    tc_real x1 = q1 * inverse1;
    if (k == 2u) {
        x[1] = x1;
        x[0] = q0 * inverse0 - l10 * x1;
        return 1;
    }
    const tc_real *c = s->M + S[2] * n;
    const tc_real m20 = a[S[2]], l20 = m20 * inverse0, m21 = b[S[2]] - l10 * m20, l21 = m21 * inverse1;
    const tc_real diagonal2 = c[S[2]], d2 = diagonal2 - l20 * m20 - l21 * m21;
    const tc_real q2 = -s->q[S[2]] - l20 * q0 - l21 * q1;
    if (!(d2 > SINGULAR * diagonal2)) {
        return 0;
    }
    const tc_real inverse2 = TC_C(1.0) / d2;
    tc_real x2 = q2 * inverse2, x0 = q0 * inverse0;
    if (k == 4u) {
        const tc_real m30 = a[S[3]], l30 = m30 * inverse0, m31 = b[S[3]] - l10 * m30, l31 = m31 * inverse1;
        const tc_real m32 = c[S[3]] - l20 * m30 - l21 * m31, l32 = m32 * inverse2;
        const tc_real diagonal3 = s->M[S[3] * n + S[3]], d3 = diagonal3 - l30 * m30 - l31 * m31 - l32 * m32;
        if (!(d3 > SINGULAR * diagonal3)) {
            return 0;
        }
        x[3] = (-s->q[S[3]] - l30 * q0 - l31 * q1 - l32 * q2) / d3;
        x2 -= l32 * x[3];
        x1 -= l31 * x[3];
        x0 -= l30 * x[3];
    }
    x[2] = x2;
    x1 -= l21 * x2;
    x[1] = x1;
    x[0] = x0 - l20 * x2 - l10 * x1;
    return 1;
}

/* The contact with the most negative w, or n if that is no more than `noise`, as it is where w is zero */
TC_MAT_INLINE uint32_t look(const tc_real *w, uint32_t n, tc_real noise, tc_real *violation)
{
    tc_real least = w[0];
    uint32_t next = 0;
    TC_MAT_UNROLLED
    for (uint32_t i = 1; i < n; ++i) {
        if (w[i] < least) {
            least = w[i];
            next = i;
        }
    }
    *violation = -least;
    return -least > noise ? next : n;
}

/* Takes all contacts with x <= 0 out of S; how many are left */
TC_MAT_INLINE uint32_t drop(uint8_t *S, uint32_t k, const tc_real *x)
{
    uint32_t kept = 0;
    for (uint32_t j = 0; j < k; ++j) {
        const uint8_t contact = S[j];
        if (x[j] > TC_C(0.0)) {
            S[kept++] = contact;
        }
    }
    return kept;
}

/* Writes w, and z = 0 for the time being; 0 times the sum of all that was given */
TC_MAT_INLINE tc_real write(const small *s, const tc_real *w, uint32_t n)
{
    tc_real total = TC_C(0.0);
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n; ++i) {
        s->z[i] = TC_C(0.0);
        s->w[i] = w[i];
        total += w[i];
    }
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < n * n; ++i) {
        total += s->M[i];
    }
    return TC_C(0.0) * total;
}

/* Exchanges from S on, k contacts */
static LCP_APART int walk(const small *s, uint8_t *S, uint32_t k, uint32_t n, tc_lcp_info *info)
{
    tc_real x[4], w[4], violation;
    for (uint32_t step = 0; step < STEPS; ++step) {
        if (k == 0 || !solve(s, S, k, n, x)) {
            return 0;
        }
        const uint32_t kept = drop(S, k, x);
        if (kept != k) {
            k = kept;
            continue;
        }
        for (uint32_t i = 0; i < n; ++i) {
            w[i] = s->q[i];
            for (uint32_t j = 0; j < k; ++j) {
                w[i] = TC_MLA(w[i], s->M[S[j] * n + i], x[j]);
            }
        }
        tc_real scale = lcp_magnitude(s->q[S[0]]); /* of the first contact's row */
        for (uint32_t j = 0; j < k; ++j) {
            scale += lcp_magnitude(s->M[S[j] * n + S[0]]) * x[j];
        }
        const uint32_t next = look(w, n, LCP_NOISE * scale, &violation);
        if (next != n) {
            if (k == n) {
                return 0;
            }
            S[k++] = (uint8_t)next;
            continue;
        }
        violation = lcp_max(violation, TC_C(0.0)) + write(s, w, n);
        uint32_t active = 0;
        for (uint32_t j = 0; j < k; ++j) {
            s->z[S[j]] = x[j];
            active |= 1u << S[j];
            violation = lcp_max(lcp_magnitude(w[S[j]]), violation);
        }
        report(info, active, violation / scale, scale);
        return violation <= TC_LCP_TOLERANCE * scale;
    }
    return 0;
}

/* The usual: one contact carries, or that and the one which then approaches most; else the walk. */
TC_MAT_INLINE int begin(const small *s, uint32_t n, tc_lcp_info *info)
{
    tc_real w[4], least = s->q[0], violation;
    uint32_t i = 0;
    TC_MAT_UNROLLED
    for (uint32_t k = 1; k < n; ++k) {
        if (s->q[k] < least) {
            least = s->q[k];
            i = k;
        }
    }
    if (least >= TC_C(0.0)) {
        return rest(s->M, s->q, s->z, s->w, info, n);
    }
    const tc_real scale = -least, noise = LCP_NOISE * scale;
    const tc_real *row = s->M + i * n;
    const tc_real m_i = row[i];
    if (!(m_i > TC_C(0.0))) {
        return 0;
    }
    const tc_real z = scale / m_i;
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k < n; ++k) {
        w[k] = s->q[k] + row[k] * z;
    }
    const uint32_t j = look(w, n, noise, &violation);
    if (j == n) {
        const tc_real residual = (lcp_max(violation, s->q[i] + m_i * z) + write(s, w, n)) / scale;
        s->z[i] = z;
        report(info, 1u << i, residual, scale);
        return residual <= TC_LCP_TOLERANCE;
    }
    const tc_real *second = s->M + j * n;
    const tc_real m = row[j], m_j = second[j], schur = m_i * m_j - m * m;
    const tc_real z_j = violation * m_i / schur, z_i = (scale - m * z_j) / m_i;
    uint8_t S[4] = {(uint8_t)i, (uint8_t)j, 0, 0};
    if (!(schur > SINGULAR * (m_i * m_j) && z_i > TC_C(0.0))) {
        S[0] = (uint8_t)j;
        return walk(s, S, 1u, n, info);
    }
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k < n; ++k) {
        w[k] = s->q[k] + row[k] * z_i + second[k] * z_j;
    }
    const tc_real terms = m_i * z_i + lcp_magnitude(m) * z_j + scale;
    S[2] = (uint8_t)look(w, n, LCP_NOISE * terms, &violation);
    if (S[2] != n) {
        return walk(s, S, 3u, n, info);
    }
    violation = lcp_max(violation, s->q[i] + m_i * z_i + m * z_j);
    violation = lcp_max(violation, s->q[j] + m * z_i + m_j * z_j);
    const tc_real residual = (violation + write(s, w, n)) / terms;
    s->z[i] = z_i;
    s->z[j] = z_j;
    report(info, 1u << i | 1u << j, residual, terms);
    return residual <= TC_LCP_TOLERANCE;
}

/* The method of this name: borders, the closed form, or all the rest */
#define METHOD(name, n, form)                                                                        \
    tc_status name(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, size_t work_len,    \
                   tc_lcp_info *info)                                                                \
    {                                                                                                \
        const tc_real *M = problem->M, *q = problem->q;                                              \
        if (M == NULL || q == NULL || work_len < TC_LCP_WORK(n) || !(form)) {                        \
            return tc_lcp_other(problem, z, w, work, work_len, info);                                \
        }                                                                                            \
        return TC_OK;                                                                                \
    }

METHOD(tc_lcp_one, 1u, one(M, q, z, w, info))
METHOD(tc_lcp_two, 2u, two(M, q, z, w, info))
METHOD(tc_lcp_three, 3u, begin(&(const small){M, q, z, w}, 3u, info))
METHOD(tc_lcp_four, 4u, begin(&(const small){M, q, z, w}, 4u, info))
