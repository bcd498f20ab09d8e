/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The text of a bank of hypotheses, internal: included by tc_estimator_two.c, where TC_BANK_JOINTS
 * is 2 and all loops vanish, and by tc_estimator_many.c, where it is not defined and n is the
 * leg's.
 *
 * A hypothesis is x = (q, w), mean [2 n], and its covariance P. Symbols: N = 2 n, J_t and J_n the
 * rows of the contact point's Jacobian, H the tick, z the encoders.
 *
 *   mix        x_j = sum_i m_ij x_i, P_j = sum_i m_ij (P_i + x_i x_i^T) - x_j x_j^T, all x from the
 *              common mean, which keeps the difference of squares small. Of T's columns only three
 *              numbers differ: what a hypothesis keeps of itself, what it takes of the pool of all
 *              contacts, and of air; so 14 numbers are summed three times and not five.
 *   predict, constrain and compare: tc_estimator_hypothesis_internal.h
 */
#include "tc_estimator_internal.h"
#include "tc_mat_fixed.h"
#include "tc_vec.h"

/* BANK_NEAR: the numbers of a hypothesis where they are worked on, in registers if they fit;
 * BANK_BACK puts them back. */
#ifdef TC_BANK_JOINTS
#define BANK_NAME(name) name##_two
#define BANK_LOOP TC_MAT_UNROLLED
#define BANK_JOINTS(e) ((uint32_t)TC_BANK_JOINTS)
#define BANK_MOST TC_BANK_JOINTS
#define BANK_NEAR(near, far, length)                                                               \
    tc_real near[TC_ESTIMATOR_HYPOTHESIS(BANK_MOST)];                                              \
    copy_bank(near, far, length)
#define BANK_BACK(near, far, length) copy_bank(far, near, length)
#else
#define BANK_NAME(name) name##_many
#define BANK_LOOP
#define BANK_JOINTS(e) ((e)->leg->joints)
#define BANK_MOST TC_LEG_JOINTS
#define BANK_NEAR(near, far, length) tc_real *const near = (far)
#define BANK_BACK(near, far, length) ((void)0)
#endif

/* Both instantiations may stand in one translation unit: each has names of its own. */
#define copy_bank BANK_NAME(copy_bank)
#define packed_at BANK_NAME(packed_at)
#define symmetric_at BANK_NAME(symmetric_at)
#define carve_bank BANK_NAME(carve_bank)
#define invert_inplace BANK_NAME(invert_inplace)
#define share_noise BANK_NAME(share_noise)
#define bank_prepare BANK_NAME(bank_prepare)
#define to_moments BANK_NAME(to_moments)
#define mix_moments BANK_NAME(mix_moments)
#define pool_moments BANK_NAME(pool_moments)
#define mode_noise BANK_NAME(mode_noise)
#define predict_bank BANK_NAME(predict_bank)
#define condition_scalar BANK_NAME(condition_scalar)
#define constrain_row BANK_NAME(constrain_row)
#define compare_encoders BANK_NAME(compare_encoders)
#define track_mode BANK_NAME(track_mode)
#define is_sound BANK_NAME(is_sound)
#define bank_mean BANK_NAME(bank_mean)
#define bank_start BANK_NAME(bank_start)
#define bank_move BANK_NAME(bank_move)
#define bank_sum BANK_NAME(bank_sum)
#define shared BANK_NAME(shared)

TC_MAT_INLINE void copy_bank(tc_real *to, const tc_real *from, uint32_t length)
{
    BANK_LOOP
    for (uint32_t i = 0; i < length; ++i) {
        to[i] = from[i];
    }
}

/* Place of element (i, j), i <= j, in the packed triangle of an n x n matrix */
TC_MAT_INLINE uint32_t packed_at(uint32_t i, uint32_t j, uint32_t n)
{
    return i * (2u * n - i - 1u) / 2u + j;
}

TC_MAT_INLINE uint32_t symmetric_at(uint32_t i, uint32_t j, uint32_t n)
{
    return i <= j ? packed_at(i, j, n) : packed_at(j, i, n);
}

/* ---- What all hypotheses share in a tick ----------------------------------------------------- */

typedef struct shared {
    tc_real *pool;    /* second moments of all contacts together: a hypothesis' numbers */
    tc_real *change;  /* H a [n] */
    tc_real *torque;  /* noise of the torques, packed [n] */
    tc_real *push[3]; /* noise of a contact force: tt, tn, nn, packed */
} shared;

static void carve_bank(shared *s, tc_real *work, uint32_t n)
{
    s->pool = work;
    s->change = s->pool + TC_ESTIMATOR_HYPOTHESIS(n);
    s->torque = s->change + n;
    for (uint32_t i = 0; i < 3u; ++i) {
        s->push[i] = s->torque + (i + 1u) * TC_PACKED(n);
    }
}

/* A^-1 in place by sweeping each diagonal element: for a symmetric positive definite A no pivoting
 * is needed. */
TC_MAT_INLINE void invert_inplace(tc_real *A, uint32_t n)
{
    TC_MAT_NO_FUSE
    BANK_LOOP
    for (uint32_t k = 0; k < n; ++k) {
        const tc_real inverse = TC_C(1.0) / A[k * n + k];
        BANK_LOOP
        for (uint32_t i = 0; i < n; ++i) {
            const tc_real part = A[i * n + k] * inverse;
            BANK_LOOP
            for (uint32_t j = 0; j < n; ++j) {
                if (i != k && j != k) {
                    A[i * n + j] = TC_MLS(A[i * n + j], part, A[k * n + j]);
                }
            }
        }
        BANK_LOOP
        for (uint32_t i = 0; i < n; ++i) {
            if (i != k) {
                A[i * n + k] *= inverse;
                A[k * n + i] = A[i * n + k];
            }
        }
        A[k * n + k] = -inverse;
    }
    BANK_LOOP
    for (uint32_t i = 0; i < n * n; ++i) {
        A[i] = -A[i];
    }
}

/* The noise of H a: of the torques, of variance error[], and of a contact force whose square is
 * square / H^2 */
TC_MAT_INLINE void share_noise(const shared *s, const tc_real *inverse, const tc_real *error,
                               tc_real *const B[2], tc_real square, uint32_t n)
{
    TC_MAT_NO_FUSE
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        BANK_LOOP
        for (uint32_t j = i; j < n; ++j) {
            const uint32_t ij = packed_at(i, j, n);
            tc_real sum = TC_C(0.0);
            BANK_LOOP
            for (uint32_t k = 0; k < n; ++k) {
                sum = TC_MLA(sum, inverse[i * n + k] * error[k], inverse[k * n + j]);
            }
            s->torque[ij] = sum;
            s->push[0][ij] = square * B[0][i] * B[0][j];
            s->push[1][ij] = square * (B[0][i] * B[1][j] + B[1][i] * B[0][j]);
            s->push[2][ij] = square * B[1][i] * B[1][j];
        }
    }
}

/* turned = J M^-1, W, what torques do in the tick and what their errors and a contact force may
 * do */
static void bank_prepare(const tc_estimator *e, tci_estimator_bank_tick *tick, tc_real *work)
{
    TC_MAT_NO_FUSE
    const uint32_t n = BANK_JOINTS(e);
    const tc_estimator_config *const c = e->config;
    const tc_real H = tick->step;
    const tc_real *const bias = tick->motion.bias, *const torque = tick->sensors->torque;
    tc_real *const inverse = tick->motion.M;
    tc_real *const B[2] = {tick->turned[0], tick->turned[1]};
    tc_real error[BANK_MOST], load[BANK_MOST];
    shared carved;
    const shared *const s = &carved;
    carve_bank(&carved, work, n);
    invert_inplace(inverse, n);
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real part = c->torque_part + tc_sqrt(e->scale_variance[i]);
        const tc_real wrong = (tick->torque_noise[i] + part * tc_vec_magnitude(torque[i])
                               + c->bias_part * tc_vec_magnitude(bias[i]))
                              * tick->noise * H;
        error[i] = wrong * wrong;
        load[i] = (e->scale[i] * torque[i] - bias[i]) * H;
    }
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real *const row = inverse + i * n;
        s->change[i] = tc_mat_body_dot(row[0] * load[0], row, 1, load, 1, 1, n);
        B[0][i] = tc_mat_body_dot(row[0] * tick->motion.J[0], row, 1, tick->motion.J, 1, 1, n);
        B[1][i] = tc_mat_body_dot(row[0] * tick->motion.J[n], row, 1, tick->motion.J + n, 1, 1, n);
    }
    share_noise(s, inverse, error, B, c->force * H * c->force * H, n);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real *const J = tick->motion.J + (k == 2u ? n : 0u), *const b =
                                                                          B[k == 0u ? 0u : 1u];
        tick->W[k] = tc_mat_body_dot(J[0] * b[0], J, 1, b, 1, 1, n);
    }
    tick->free[0] = tick->free[1] = TC_C(0.0);
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real w = tick->mean[n + i] + s->change[i];
        tick->free[0] = TC_MLA(tick->free[0], tick->motion.J[i], w);
        tick->free[1] = TC_MLA(tick->free[1], tick->motion.J[n + i], w);
    }
}

/* ---- Mixing ---------------------------------------------------------------------------------- */

/* Turns a hypothesis (x, P) into moments about the mean, (d, P + d d^T), d = x - mean, and adds
 * weight times these to the pool. */
TC_MAT_INLINE void to_moments(tc_real *h, const tc_real *mean, tc_real weight, tc_real *pool,
                              uint32_t n)
{
    TC_MAT_NO_FUSE
    const uint32_t N = 2u * n;
    tc_real *const P = h + N;
    tc_real d[2u * BANK_MOST];
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        h[i] = d[i] = h[i] - mean[i];
        pool[i] = TC_MLA(pool[i], weight, d[i]);
    }
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        BANK_LOOP
        for (uint32_t j = i; j < N; ++j) {
            const tc_real moment = TC_MLA(P[packed_at(i, j, N)], d[i], d[j]);
            pool[N + packed_at(i, j, N)] = TC_MLA(pool[N + packed_at(i, j, N)], weight, moment);
            P[packed_at(i, j, N)] = moment;
        }
    }
}

/* h = own h + pool p + air a, and back from moments */
TC_MAT_INLINE void mix_moments(tc_real *h, const tc_real *p, const tc_real *a,
                               const tc_real weight[3], const tc_real *mean, uint32_t n)
{
    TC_MAT_NO_FUSE
    const uint32_t N = 2u * n;
    tc_real *const P = h + N;
    BANK_LOOP
    for (uint32_t i = 0; i < TC_ESTIMATOR_HYPOTHESIS(n); ++i) {
        h[i] = TC_MLA(TC_MLA(weight[0] * h[i], weight[1], p[i]), weight[2], a[i]);
    }
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        BANK_LOOP
        for (uint32_t j = i; j < N; ++j) {
            P[packed_at(i, j, N)] = TC_MLS(P[packed_at(i, j, N)], h[i], h[j]);
        }
    }
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        h[i] += mean[i];
    }
}

/* The moments of all hypotheses, and of all contacts together, weighted by their probabilities */
TC_MAT_INLINE void pool_moments(const tc_estimator *e, const tc_real *mean, tc_real *pooled,
                                uint32_t n)
{
    const uint32_t length = TC_ESTIMATOR_HYPOTHESIS(n);
    BANK_LOOP
    for (uint32_t i = 0; i < length; ++i) {
        pooled[i] = TC_C(0.0);
    }
    BANK_NEAR(pool, pooled, length);
    for (uint32_t k = 0; k < TC_ESTIMATOR_MODES; ++k) {
        to_moments(e->state + k * length, mean, k == TC_MODE_AIR ? TC_C(0.0) : e->p[k], pool, n);
    }
    BANK_BACK(pool, pooled, length);
}

#include "tc_estimator_hypothesis_internal.h"

/* ---- The bank -------------------------------------------------------------------------------- */

static void bank_mean(const tc_estimator *e, tc_real *mean)
{
    TC_MAT_NO_FUSE
    const uint32_t n = BANK_JOINTS(e), N = 2u * n;
    const tc_real *x = e->state;
    tc_real sum[2u * BANK_MOST];
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        sum[i] = e->p[0] * x[i];
    }
    for (uint32_t k = 1; k < TC_ESTIMATOR_MODES; ++k) {
        x += TC_ESTIMATOR_HYPOTHESIS(n);
        BANK_LOOP
        for (uint32_t i = 0; i < N; ++i) {
            sum[i] = TC_MLA(sum[i], e->p[k], x[i]);
        }
    }
    BANK_LOOP
    for (uint32_t i = 0; i < N; ++i) {
        mean[i] = sum[i];
    }
}

static void bank_start(const tc_estimator *e, const tc_real *q)
{
    const uint32_t n = BANK_JOINTS(e), N = 2u * n;
    tc_real variance[2u * BANK_MOST];
    BANK_LOOP
    for (uint32_t i = 0; i < n; ++i) {
        variance[i] = e->config->encoder_step[i] * e->config->encoder_step[i];
        variance[n + i] = TC_START_SPEED * TC_START_SPEED;
    }
    for (uint32_t k = 0; k < TC_ESTIMATOR_MODES; ++k) {
        tc_real *const x = e->state + k * TC_ESTIMATOR_HYPOTHESIS(n), *const P = x + N;
        BANK_LOOP
        for (uint32_t i = 0; i < N; ++i) {
            x[i] = i < n ? q[i] : TC_C(0.0);
            BANK_LOOP
            for (uint32_t j = i; j < N; ++j) {
                P[packed_at(i, j, N)] = i == j ? variance[i] : TC_C(0.0);
            }
        }
    }
}

static void bank_move(const tc_estimator *e, tci_estimator_bank_tick *tick, tc_real *work)
{
    TC_MAT_NO_FUSE
    const uint32_t n = BANK_JOINTS(e), length = TC_ESTIMATOR_HYPOTHESIS(n);
    tc_real *const air = e->state;
    shared s;
    carve_bank(&s, work, n);
    pool_moments(e, tick->mean, s.pool, n);
    tick->sound = 1;
    for (uint32_t k = TC_ESTIMATOR_MODES; k-- > 0u;) { /* air last: the others take of it */
        tc_real *const stored = e->state + k * length;
        const tc_real weight[3] = {tick->own[k], tick->pool[k], tick->air[k]};
        BANK_NEAR(h, stored, length);
        mix_moments(h, s.pool, air, weight, tick->mean, n);
        tick->likelihood[k] = track_mode(h, h + 2u * n, tick, &s, k, n);
        tick->sound &= is_sound(h + 2u * n, 2u * n);
        BANK_BACK(h, stored, length);
    }
}

/* The spread of the means joins the covariances. */
static void bank_sum(const tc_estimator *e, const tci_estimator_bank_tick *tick,
                     const tc_real *weight, tci_estimator_bank_sum *sum)
{
    TC_MAT_NO_FUSE
    const uint32_t n = BANK_JOINTS(e), length = TC_ESTIMATOR_HYPOTHESIS(n);
    const tc_real *const J = tick->motion.J;
    tc_real mean[BANK_MOST], spread[TC_PACKED(BANK_MOST)];
    mean[0] = TC_C(0.0);
    BANK_LOOP
    for (uint32_t i = 1; i < n; ++i) {
        mean[i] = TC_C(0.0);
    }
    for (uint32_t k = 1; k < TC_ESTIMATOR_MODES; ++k) {
        const tc_real *const w = e->state + k * length + n;
        BANK_LOOP
        for (uint32_t i = 0; i < n; ++i) {
            mean[i] = TC_MLA(mean[i], weight[k], w[i]);
        }
    }
    BANK_LOOP
    for (uint32_t i = 0; i < TC_PACKED(n); ++i) {
        spread[i] = TC_C(0.0);
    }
    for (uint32_t k = 1; k < TC_ESTIMATOR_MODES; ++k) {
        const tc_real *const w = e->state + k * length + n, *const P = w + n;
        BANK_LOOP
        for (uint32_t i = 0; i < n; ++i) {
            BANK_LOOP
            for (uint32_t j = i; j < n; ++j) {
                const tc_real square =
                    TC_MLA(P[packed_at(n + i, n + j, 2u * n)], w[i] - mean[i], w[j] - mean[j]);
                spread[packed_at(i, j, n)] = TC_MLA(spread[packed_at(i, j, n)], weight[k], square);
            }
        }
    }
    for (uint32_t r = 0; r < 2u; ++r) {
        sum->velocity[r] = tc_mat_body_dot(J[r * n] * mean[0], J + r * n, 1, mean, 1, 1, n);
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real *const a = J + (k == 2u ? n : 0u), *const b = J + (k == 0u ? 0u : n);
        sum->variance[k] = TC_C(0.0);
        BANK_LOOP
        for (uint32_t i = 0; i < n; ++i) {
            BANK_LOOP
            for (uint32_t j = 0; j < n; ++j) {
                sum->variance[k] =
                    TC_MLA(sum->variance[k], a[i] * b[j], spread[symmetric_at(i, j, n)]);
            }
        }
    }
}

/* The table, and the end of what this text defined. */
#ifdef TC_BANK_JOINTS
const tci_estimator_bank tci_estimator_bank_two =
#else
const tci_estimator_bank tci_estimator_bank_many =
#endif
    {bank_start, bank_mean, bank_prepare, bank_move, bank_sum};

#undef BANK_NAME
#undef BANK_LOOP
#undef BANK_JOINTS
#undef BANK_MOST
#undef BANK_NEAR
#undef BANK_BACK
#undef TC_BANK_JOINTS
#undef copy_bank
#undef at
#undef symmetric
#undef carve_bank
#undef invert_inplace
#undef share_noise
#undef bank_prepare
#undef to_moments
#undef mix
#undef pool_moments
#undef mode_noise
#undef predict_bank
#undef condition
#undef constrain
#undef compare
#undef track
#undef is_sound
#undef bank_mean
#undef bank_start
#undef bank_move
#undef bank_sum
#undef shared
