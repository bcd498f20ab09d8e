/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One hypothesis through a tick, internal: a part of the text of the bank
 * (tc_estimator_bank_internal.h), which has the symbols and the macros BANK_ and includes it once
 * for each number of joints.
 *
 *   predict    w += H a, q += H w + H^2/2 a, a = M^-1 (tau - bias) of the mean; P = F P F^T +
 *              noise, where a noise V of H a stands in ww, H/2 V in qw, H^2/4 V in qq (constant
 *              acceleration within the tick)
 *   noise      V = H^2 M^-1 diag(s^2) M^-1 of the torques, and (f H)^2 B C B^T of the contact, B =
 *              M^-1 J^T, C the second moments of the force's direction: none in air, 1 where it may
 *              point anywhere, that of (-+mu, 1) with a spread along t where the foot slides
 *   constrain  the contact point's velocity u + J w is 0 up to a variance: along n except in free
 *              impact, along t only where it sticks. Conditioning on a scalar h^T x = y with
 *              variance r: g = P h, s = h^T g + r, x += g (y - h^T x)/s, P -= g g^T / s; s < r can
 *              only be rounding
 *   compare    the encoders one by one, likewise; log likelihood = -1/2 sum (e^2/s + log(s/R)).
 *              What the constraint changes is not counted: it is what the hypothesis means.
 */

/* Noise of H a for a mode, packed */
TC_MAT_INLINE void mode_noise(const tci_estimator_bank_tick *tick, const shared *s, uint32_t mode,
                              tc_real *V, uint32_t n)
{
    TC_MAT_NO_FUSE
    const tc_real mu = mode == TC_MODE_RIGHT  ? -tick->friction
                       : mode == TC_MODE_LEFT ? tick->friction
                                              : TC_C(0.0);
    const tc_real spread = tick->friction_spread;
    const int slides = mode == TC_MODE_RIGHT || mode == TC_MODE_LEFT;
    const tc_real along = slides ? mu * mu + spread * spread : TC_C(1.0);
    BANK_LOOP
    for (uint32_t i = 0; i < TC_PACKED(n); ++i) {
        const tc_real sum = TC_MLA(TC_MLA(s->push[2][i], along, s->push[0][i]), mu, s->push[1][i]);
        V[i] = mode == TC_MODE_AIR ? s->torque[i] : s->torque[i] + sum;
    }
}

TC_MAT_INLINE void predict_bank(tc_real *x, tc_real *P, const tc_real *change, const tc_real *V,
                                tc_real H, uint32_t n)
{
    TC_MAT_NO_FUSE
    const uint32_t N = 2u * n;
    const tc_real half = TC_C(0.5) * H;
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        x[i] = TC_MLA(x[i], H, TC_MLA(x[n + i], TC_C(0.5), change[i]));
        x[n + i] += change[i];
    }
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) { /* qq = qq + H (qw + wq) + H^2 (ww + V/4) */
        BANK_LOOP
        for (uint32_t j = i; j < n; ++j) {
            const tc_real ww =
                TC_MLA(P[packed_at(n + i, n + j, N)], TC_C(0.25), V[packed_at(i, j, n)]);
            const tc_real both = P[packed_at(i, n + j, N)] + P[packed_at(j, n + i, N)];
            P[packed_at(i, j, N)] = TC_MLA(P[packed_at(i, j, N)], H, TC_MLA(both, H, ww));
        }
    }
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) { /* qw = qw + H (ww + V/2) */
        BANK_LOOP
        for (uint32_t j = 0; j < n; ++j) {
            const tc_real ww = P[symmetric_at(n + i, n + j, N)];
            P[packed_at(i, n + j, N)] =
                TC_MLA(TC_MLA(P[packed_at(i, n + j, N)], H, ww), half, V[symmetric_at(i, j, n)]);
        }
    }
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        BANK_LOOP
        for (uint32_t j = i; j < n; ++j) {
            P[packed_at(n + i, n + j, N)] += V[packed_at(i, j, n)];
        }
    }
}

/* Conditions on a scalar: g = P h is given, s = h^T g + r, e = y - h^T x. Returns e / s. */
TC_MAT_INLINE tc_real condition_scalar(tc_real *x, tc_real *P, const tc_real *g, tc_real s,
                                       tc_real e, uint32_t N)
{
    TC_MAT_NO_FUSE
    const tc_real inverse = TC_C(1.0) / s;
    const tc_real step = e * inverse;
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        x[i] = TC_MLA(x[i], g[i], step);
    }
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        const tc_real gain = g[i] * inverse;
        BANK_LOOP
        for (uint32_t j = i; j < N; ++j) {
            P[packed_at(i, j, N)] = TC_MLS(P[packed_at(i, j, N)], gain, g[j]);
        }
    }
    return step;
}

/* The contact point's velocity along a row of J is -u up to the variance r */
TC_MAT_INLINE void constrain_row(tc_real *x, tc_real *P, const tc_real *J, tc_real u, tc_real r,
                                 uint32_t n)
{
    TC_MAT_NO_FUSE
    const uint32_t N = 2u * n;
    tc_real g[2u * BANK_MOST];
    tc_real s = r, e = -u;
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        g[i] = P[symmetric_at(i, n, N)] * J[0];
        BANK_LOOP
        for (uint32_t j = 1; j < n; ++j) {
            g[i] = TC_MLA(g[i], P[symmetric_at(i, n + j, N)], J[j]);
        }
    }
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        s = TC_MLA(s, J[i], g[n + i]);
        e = TC_MLS(e, J[i], x[n + i]);
    }
    (void)condition_scalar(x, P, g, s > r ? s : r, e, N);
}

/* All encoders; returns the log likelihood */
TC_MAT_INLINE tc_real compare_encoders(tc_real *x, tc_real *P, const tc_real *z, const tc_real *R,
                                       uint32_t n)
{
    TC_MAT_NO_FUSE
    const tc_real widest = TC_C(1e6); /* of s/R: keeps the product of six of them finite */
    const uint32_t N = 2u * n;
    tc_real sum = TC_C(0.0), product = TC_C(1.0);
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        tc_real g[2u * BANK_MOST];
        BANK_LOOP
        for (uint32_t j = 0; j < N; ++j) {
            g[j] = P[symmetric_at(i, j, N)];
        }
        const tc_real own = P[packed_at(i, i, N)];
        const tc_real s = (own > TC_C(0.0) ? own : TC_C(0.0)) + R[i];
        const tc_real e = z[i] - x[i];
        const tc_real ratio = s / R[i];
        sum = TC_MLA(sum, e, condition_scalar(x, P, g, s, e, N));
        product *= ratio < widest ? ratio : widest;
    }
    return TC_C(-0.5) * (sum + tc_log(product));
}

TC_MAT_INLINE tc_real track_mode(tc_real *x, tc_real *P, const tci_estimator_bank_tick *tick,
                                 const shared *s, uint32_t mode, uint32_t n)
{
    tc_real V[TC_PACKED(BANK_MOST)];
    mode_noise(tick, s, mode, V, n);
    predict_bank(x, P, s->change, V, tick->step, n);
    if (mode != TC_MODE_AIR && mode != TC_MODE_FREE) {
        constrain_row(x, P, tick->motion.J + n, tick->base[1], tick->base_variance[1], n);
    }
    if (mode == TC_MODE_STICK) {
        constrain_row(x, P, tick->motion.J, tick->base[0], tick->base_variance[0], n);
    }
    return compare_encoders(x, P, tick->sensors->encoder, tick->R, n);
}

/* Sensors within their ranges may still contradict each other beyond what float holds: variances
 * that are none. */
TC_MAT_INLINE uint32_t is_sound(const tc_real *P, uint32_t N)
{
    const tc_real most = TC_C(1e8);
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        if (!(P[packed_at(i, i, N)] > TC_C(0.0) && P[packed_at(i, i, N)] < most)) {
            return 0;
        }
    }
    return 1;
}
