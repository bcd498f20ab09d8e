/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bank of a foot: four hypotheses in the contact's space.
 *
 * A contact force moves a limb along B = M^-1 J^T only, so a hypothesis need not know its joints. It
 * is the deviation (p, v) of the contact point from the reference (tc_feet_reference.c), world axes,
 * with its covariance P. In a tick:
 *
 *   mix        hypotheses by a Markov chain, as second moments about the reference, which is their
 *              mean: S_j = sum_i w_ij (P_i + x_i x_i^T), P_j = S_j - x_j x_j^T. From air to contact
 *              with the hazard of meeting a floor whose height is normal about the last one's, given
 *              that it was not met above: phi(a)/Phi(a) (-v H)/s, a = g/s, g the foot's height
 *   predict    p += H v. A force of deviation f, constant over the tick, adds N to the covariance of
 *              v, H/2 N and H^2/4 N to the others: N = T + (f H)^2 W C W, T of the torques. That of
 *              the free impact is white within the tick: H^2/3 N. C is 1 for stick and free impact,
 *              and E[(n - mu s)(n - mu s)^T] for slip, n the normal, s the direction of sliding. Its
 *              mean is d = v_t / sqrt(v_t^2 + 2 sigma^2), its second moment
 *              d d^T + (1 - |d|^2)/2 I: not known is d = 0, known |d| -> 1, without angle and
 *              switch. With a = W n, b = W d, k = mu^2 (1 - |d|^2)/2
 *                  W C W = (a - mu b)(a - mu b)^T + k (W W - a a^T)
 *   constrain  v + velocity of the reference and the base = 0: along z for stick and slip, along x
 *              and y for stick
 *   compare    p with the encoders, y = J (z - q), of covariance R
 *   return     the mean of all goes to the reference along B W^-1, and all shift by as much
 *
 * Conditioning (p or v) on three numbers is one text: S = L D L^T, U = P_.s L^-T,
 * P -= U D^-1 U^T. The likelihood has det S as the product of D.
 */
#include "tc_exact.h"

/* See tc_estimator.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "tc_feet_internal.h"

#include "tc_vec.h"

#include <string.h>

#define LOOP_FEET TC_MAT_UNROLLED

/* Where size counts, loops over the triangle stay loops, and conditioning is one function. */
#ifdef __OPTIMIZE_SIZE__
#define LOOP_TRIANGLE
#define FORM_FEET static __attribute__((noinline))
#else
#define LOOP_TRIANGLE TC_MAT_UNROLLED
#define FORM_FEET TC_MAT_INLINE
#endif

static const tc_real CHANCE_LEAST = TC_C(1e-12);
static const tc_real MEAN_LEAST = TC_C(1e-30);
static const tc_real RATE_MOST = TC_C(0.5);
static const tc_real DIRECTION_LEAST = TC_C(1e-12); /* [m^2/s^2] */
static const tc_real STICK_TO_SLIP = TC_C(0.8);     /* of those that change their kind */
static const tc_real FREE_KEEPS = TC_C(0.7), FREE_CHANGES = TC_C(0.15);
/* Of a force's noise: its share in the place over that in the velocity times H^2. An impact may lie
 * anywhere in its tick; were it constant, a hard one would let the velocity ring for many ticks. */
static const tc_real CONSTANT_FORCE = TC_C(0.25), WHITE_FORCE = TC_C(0.33333333333333333);
static const tc_real PLACE_START = TC_C(1e-8), SPEED_START = TC_C(1e-2); /* variances */

/* Where element i, j of P lies in a hypothesis, i <= j */
TC_MAT_INLINE uint32_t place_of(uint32_t i, uint32_t j)
{
    return i <= j ? 6u + i * (11u - i) / 2u + j : 6u + j * (11u - j) / 2u + i;
}

/* The same of a packed matrix of three */
TC_MAT_INLINE uint32_t place_of_three(uint32_t i, uint32_t j)
{
    return i <= j ? i * (5u - i) / 2u + j : j * (5u - j) / 2u + i;
}

void tci_feet_bank_start(tci_feet_limb *l)
{
    memset(l->x, 0, sizeof l->x);
    for (uint32_t k = 0; k < TC_FEET_MODES; ++k) {
        for (uint32_t i = 0; i < 3u; ++i) {
            l->x[k][place_of(i, i)] = PLACE_START;
            l->x[k][place_of(3u + i, 3u + i)] = SPEED_START;
        }
        l->p[k] = TC_C(0.25);
    }
}

/* ---- Mix ------------------------------------------------------------------------------------- */

/* Probability of a touch-down in this tick: `gap` over the last floor, `speed` off it */
static tc_real land_rate(const tc_feet_config *c, tc_real gap, tc_real speed, tc_real H)
{
    const tc_real inverse = TC_C(1.0) / c->floor_spread;
    const tc_real a = tci_feet_clamp(gap * inverse, TC_C(-6.0), TC_C(6.0));
    const tc_real below = speed < TC_C(0.0) ? -speed * H * inverse : TC_C(0.0);
    /* phi / Phi; Phi as a logistic of a cubic, to 1e-3 */
    const tc_real density = TC_C(0.3989423) * tc_exp_bounded(TC_C(-0.5) * a * a);
    const tc_real cubic = a * TC_MLA(TC_C(1.5976), TC_C(0.07056), a * a);
    const tc_real upper = TC_C(1.0) + tc_exp_bounded(-cubic);
    const tc_real ratio = density * (upper < TC_C(1e6) ? upper : TC_C(1e6));
    return tci_feet_clamp(TC_MLA(c->touch_down_least, below, ratio), TC_C(1e-9), RATE_MOST);
}

static tc_real leave_rate(const tc_feet_config *c, tc_real gap, tc_real speed, tc_real load)
{
    const tc_real over =
        tci_feet_clamp((load - c->light) * TC_C(4.0) / c->light, TC_C(-30.0), TC_C(30.0));
    const tc_real light = c->lift_off_light * tci_feet_logistic(-over);
    const tc_real rate = c->lift_off > light ? c->lift_off : light;
    const int rises = gap > c->rise && speed > TC_C(0.0);
    return rises && c->lift_off_rising > rate ? c->lift_off_rising : rate;
}

/* Height over the floor, which leans from the last foothold on, and velocity off it */
static void look_down(const tc_feet *f, const tci_feet_limb *l, const tci_feet_tick *t,
                      tc_real *gap, tc_real *speed)
{
    const tc_real *const x = l->x[TCI_FEET_AIR];
    *gap = f->vertical[0] + l->arm[2] - l->floor;
    *speed = l->relative[2] + x[5] + t->velocity[2];
    for (uint32_t i = 0; i < 2u; ++i) {
        const tc_real moved = f->place[i] + l->arm[i] - l->step[i];
        *gap = TC_MLS(*gap, moved, f->slope[i]);
        *speed = TC_MLS(*speed, l->relative[i] + x[3u + i] + t->velocity[i], f->slope[i]);
    }
}

/* w[from][to], of which each column has the sum 1, and the predicted probabilities */
static void chain_modes(const tc_feet_config *c, const tc_real p[4], tc_real down, tc_real up,
                        tc_real w[4][4], tc_real predicted[4])
{
    const tc_real lands = down * p[0], stays = TC_C(1.0) - up;
    const tc_real free = lands * c->land_free, kind = TC_C(0.5) * (lands - free);
    const tc_real change = TC_C(1.0) - c->keep, swap = stays * change * STICK_TO_SLIP,
                  loosen = stays * change * (TC_C(1.0) - STICK_TO_SLIP);
    const tc_real keep = stays * c->keep, settle = stays * FREE_CHANGES;
    const tc_real flow[4][4] = {
        {p[0] - lands, kind, kind, free},
        {up * p[1], keep * p[1], swap * p[1], loosen * p[1]},
        {up * p[2], swap * p[2], keep * p[2], loosen * p[2]},
        {up * p[3], settle * p[3], settle * p[3], stays * FREE_KEEPS * p[3]}};
    LOOP_FEET
    for (uint32_t j = 0; j < 4u; ++j) {
        const tc_real sum = flow[0][j] + flow[1][j] + flow[2][j] + flow[3][j];
        const tc_real inverse = TC_C(1.0) / (sum > MEAN_LEAST ? sum : MEAN_LEAST);
        predicted[j] = sum;
        LOOP_FEET
        for (uint32_t i = 0; i < 4u; ++i) {
            w[i][j] = flow[i][j] * inverse;
        }
    }
}

/* P + sign x x^T */
static void add_mean(tc_real *x, tc_real sign)
{
    tc_real *P = x + 6;
    LOOP_TRIANGLE
    for (uint32_t i = 0; i < 6u; ++i) {
        const tc_real a = sign * x[i];
        LOOP_TRIANGLE
        for (uint32_t j = i; j < 6u; ++j, ++P) {
            *P = TC_MLA(*P, a, x[j]);
        }
    }
}

static void mix_modes(tci_feet_limb *l, tc_real w[4][4])
{
    for (uint32_t k = 0; k < 4u; ++k) {
        add_mean(l->x[k], TC_C(1.0));
    }
    tc_real *a = l->x[0];
    for (uint32_t i = 0; i < TC_FEET_HYPOTHESIS; ++i, ++a) {
        tc_real *const b = a + TC_FEET_HYPOTHESIS, *const c = b + TC_FEET_HYPOTHESIS,
                       *const d = c + TC_FEET_HYPOTHESIS;
        const tc_real e[4] = {*a, *b, *c, *d};
        tc_real to[4];
        LOOP_FEET
        for (uint32_t j = 0; j < 4u; ++j) {
            to[j] =
                TC_MLA(TC_MLA(TC_MLA(w[0][j] * e[0], w[1][j], e[1]), w[2][j], e[2]), w[3][j], e[3]);
        }
        *a = to[0];
        *b = to[1];
        *c = to[2];
        *d = to[3];
    }
    for (uint32_t k = 0; k < 4u; ++k) {
        add_mean(l->x[k], TC_C(-1.0));
    }
}

/* ---- Predict --------------------------------------------------------------------------------- */

static void predict_mode(tc_real *x, const tc_real N[6], tc_real H, tc_real within)
{
    const tc_real half = TC_C(0.5) * H;
    LOOP_FEET
    for (uint32_t i = 0; i < 3u; ++i) {
        x[i] = TC_MLA(x[i], H, x[3u + i]);
    }
    LOOP_FEET
    for (uint32_t i = 0; i < 3u; ++i) { /* pp += H (pv + vp) + H^2 (vv + N/4) */
        LOOP_FEET
        for (uint32_t j = i; j < 3u; ++j) {
            const tc_real vv = TC_MLA(x[place_of(3u + i, 3u + j)], within, N[place_of_three(i, j)]);
            const tc_real both = x[place_of(i, 3u + j)] + x[place_of(j, 3u + i)];
            x[place_of(i, j)] = TC_MLA(x[place_of(i, j)], H, TC_MLA(both, H, vv));
        }
    }
    LOOP_FEET
    for (uint32_t i = 0; i < 3u; ++i) { /* pv += H (vv + N/2) */
        LOOP_FEET
        for (uint32_t j = 0; j < 3u; ++j) {
            const tc_real vv = x[place_of(3u + i, 3u + j)];
            x[place_of(i, 3u + j)] =
                TC_MLA(TC_MLA(x[place_of(i, 3u + j)], H, vv), half, N[place_of_three(i, j)]);
        }
    }
    LOOP_FEET
    for (uint32_t i = 0; i < 3u; ++i) {
        LOOP_FEET
        for (uint32_t j = i; j < 3u; ++j) {
            x[place_of(3u + i, 3u + j)] += N[place_of_three(i, j)];
        }
    }
}

/* W C W of slip */
static void push_sliding(const tc_feet_config *c, const tci_feet_limb *l, const tci_feet_tick *t,
                         tc_real N[6])
{
    const tc_real *const x = l->x[TCI_FEET_SLIP], *const W = t->W;
    const tc_real u = l->relative[0] + x[3] + t->velocity[0],
                  v = l->relative[1] + x[4] + t->velocity[1];
    const tc_real variance = x[place_of(3, 3)] + x[place_of(4, 4)] + TC_C(2.0) * t->variance[0];
    const tc_real square = TC_MLA(u * u, v, v);
    const tc_real inverse = TC_C(1.0) / (square + variance + DIRECTION_LEAST);
    const tc_real scale = c->friction * tc_sqrt(inverse);
    const tc_real x_part = scale * u, y_part = scale * v; /* mu d */
    const tc_real spread = TC_C(0.5) * c->friction * c->friction * (TC_C(1.0) - square * inverse);
    const tc_real a[3] = {W[2], W[4], W[5]};
    const tc_real e[3] = {TC_MLS(TC_MLS(a[0], x_part, W[0]), y_part, W[1]),
                          TC_MLS(TC_MLS(a[1], x_part, W[1]), y_part, W[3]),
                          TC_MLS(TC_MLS(a[2], x_part, W[2]), y_part, W[4])};
    LOOP_FEET
    for (uint32_t i = 0; i < 6u; ++i) {
        N[i] = spread * t->squared[i];
    }
    tci_feet_add(N, -spread, a);
    tci_feet_add(N, TC_C(1.0), e);
}

static void add_pushed(const tci_feet_tick *t, tc_real force, const tc_real pushed[6], tc_real N[6])
{
    const tc_real scale = force * t->H * (force * t->H);
    LOOP_FEET
    for (uint32_t i = 0; i < 6u; ++i) {
        N[i] = TC_MLA(t->torque_noise[i], scale, pushed[i]);
    }
}

static void predict_bank_modes(const tc_feet_config *c, tci_feet_limb *l, const tci_feet_tick *t)
{
    tc_real N[6];
    predict_mode(l->x[TCI_FEET_AIR], t->torque_noise, t->H, CONSTANT_FORCE);
    push_sliding(c, l, t, N);
    add_pushed(t, c->force, N, N);
    predict_mode(l->x[TCI_FEET_SLIP], N, t->H, CONSTANT_FORCE);
    add_pushed(t, c->force, t->squared, N);
    predict_mode(l->x[TCI_FEET_STICK], N, t->H, CONSTANT_FORCE);
    add_pushed(t, c->free_force, t->squared, N);
    predict_mode(l->x[TCI_FEET_FREE], N, t->H, WHITE_FORCE);
}

/* ---- Constrain and compare ------------------------------------------------------------------- */

/* Conditions on three numbers, p (from 0) or v (from 3): they are e + their mean, of covariance R.
 * scale: of the determinant's factors. Returns the log likelihood, or what of it R does not have */
FORM_FEET tc_real condition_three(tc_real *x, const tc_real e[3], const tc_real R[6], uint32_t from,
                                  tc_real scale)
{
    const tc_real S0 = x[place_of(from, from)] + R[0], S1 = x[place_of(from, from + 1u)] + R[1],
                  S2 = x[place_of(from, from + 2u)] + R[2],
                  S3 = x[place_of(from + 1u, from + 1u)] + R[3],
                  S4 = x[place_of(from + 1u, from + 2u)] + R[4],
                  S5 = x[place_of(from + 2u, from + 2u)] + R[5];
    const tc_real i0 = TC_C(1.0) / S0, l1 = S1 * i0, l2 = S2 * i0;
    const tc_real d1 = TC_MLS(S3, l1, S1), i1 = TC_C(1.0) / d1;
    const tc_real u4 = TC_MLS(S4, l2, S1), l4 = u4 * i1;
    const tc_real d2 = TC_MLS(TC_MLS(S5, l2, S2), l4, u4), i2 = TC_C(1.0) / d2;
    const tc_real e1 = TC_MLS(e[1], l1, e[0]), e2 = TC_MLS(TC_MLS(e[2], l2, e[0]), l4, e1);
    const tc_real f0 = e[0] * i0, f1 = e1 * i1, f2 = e2 * i2;
    tc_real U0[6], U1[6], U2[6];
    LOOP_FEET
    for (uint32_t i = 0; i < 6u; ++i) {
        U0[i] = x[place_of(i, from)];
        U1[i] = TC_MLS(x[place_of(i, from + 1u)], l1, U0[i]);
        U2[i] = TC_MLS(TC_MLS(x[place_of(i, from + 2u)], l2, U0[i]), l4, U1[i]);
    }
    tc_real *P = x + 6;
    LOOP_TRIANGLE
    for (uint32_t i = 0; i < 6u; ++i) {
        x[i] = TC_MLA(TC_MLA(TC_MLA(x[i], U0[i], f0), U1[i], f1), U2[i], f2);
        const tc_real a = U0[i] * i0, b = U1[i] * i1, c = U2[i] * i2;
        LOOP_TRIANGLE
        for (uint32_t j = i; j < 6u; ++j, ++P) {
            *P = TC_MLS(TC_MLS(TC_MLS(*P, a, U0[j]), b, U1[j]), c, U2[j]);
        }
    }
    const tc_real half = TC_MLA(TC_MLA(e[0] * f0, e1, f1), e2, f2);
    const tc_real det = S0 * scale * (d1 * scale) * (d2 * scale);
    return scale > TC_C(0.0) ? TC_C(-0.5) * (half + tc_log_core(det)) : TC_C(0.0);
}

/* Velocity along z is `value` against the reference, of this variance */
static void constrain_normal(tc_real *x, tc_real value, tc_real variance)
{
    tc_real g[6];
    LOOP_FEET
    for (uint32_t i = 0; i < 6u; ++i) {
        g[i] = x[place_of(i, 5)];
    }
    const tc_real inverse = TC_C(1.0) / (g[5] + variance), step = (value - x[5]) * inverse;
    tc_real *P = x + 6;
    LOOP_TRIANGLE
    for (uint32_t i = 0; i < 6u; ++i) {
        x[i] = TC_MLA(x[i], g[i], step);
        const tc_real gain = g[i] * inverse;
        LOOP_TRIANGLE
        for (uint32_t j = i; j < 6u; ++j, ++P) {
            *P = TC_MLS(*P, gain, g[j]);
        }
    }
}

static void constrain_modes(const tc_feet_config *c, tci_feet_limb *l, const tci_feet_tick *t)
{
    tc_real *const stick = l->x[TCI_FEET_STICK], *const slip = l->x[TCI_FEET_SLIP];
    const tc_real tangent = TC_MLA(t->variance[0], t->coarse * c->stick_speed, c->stick_speed);
    const tc_real normal = TC_MLA(t->variance[1], c->normal_speed, c->normal_speed);
    tc_real rest[3], e[3];
    LOOP_FEET
    for (uint32_t i = 0; i < 3u; ++i) {
        rest[i] = -(l->relative[i] + t->velocity[i]); /* of a contact point at rest */
        e[i] = rest[i] - stick[3u + i];
    }
    const tc_real u = slip[3] - rest[0], v = slip[4] - rest[1];
    const tc_real slides = c->slide_part * c->slide_part * TC_MLA(u * u, v, v);
    const tc_real R[6] = {tangent, TC_C(0.0), TC_C(0.0), tangent, TC_C(0.0), normal};
    (void)condition_three(stick, e, R, 3u, TC_C(0.0));
    constrain_normal(slip, rest[2], normal + slides);
}

/* Kept out of line: four calls */
static tc_real compare_mode(tc_real *x, const tc_real y[3], const tc_real R[6], tc_real scale)
{
    const tc_real e[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
    return condition_three(x, e, R, 0u, scale);
}

/* The probabilities after the tick's likelihoods and a touch sensor's word */
static void weigh_modes(const tc_feet_config *c, tci_feet_limb *l, const tc_real predicted[4],
                        const tc_real log[4], const tc_real says[2])
{
    tc_real most = log[0], sum = TC_C(0.0);
    for (uint32_t k = 1; k < TC_FEET_MODES; ++k) {
        most = log[k] > most ? log[k] : most;
    }
    for (uint32_t k = 0; k < TC_FEET_MODES; ++k) {
        const tc_real difference = log[k] - most;
        const tc_real chance = predicted[k] > CHANCE_LEAST ? predicted[k] : CHANCE_LEAST;
        l->p[k] = chance * says[k != TCI_FEET_AIR]
                  * tc_exp_bounded(difference > -c->distrust ? difference : -c->distrust);
        sum += l->p[k];
    }
    const tc_real scale = TC_C(1.0) / sum;
    for (uint32_t k = 0; k < TC_FEET_MODES; ++k) {
        l->p[k] *= scale;
    }
}

static uint32_t compare_modes(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    tc_real log[4] = {TC_C(0.0)}, says[2] = {TC_C(1.0), TC_C(1.0)};
    uint32_t jumps = 0;
    if (tci_feet_reference_compare(f, s, k, t, &jumps)) {
        const tc_real scale = TC_C(1.0) / (t->R[0] + t->R[3] + t->R[5]);
        for (uint32_t j = 0; j < TC_FEET_MODES; ++j) {
            log[j] = compare_mode(l->x[j], t->y, t->R, scale);
        }
    }
    if (s->given & TC_FEET_TOUCH(k)) {
        const tc_real right = f->config->touch_reliability;
        says[1] = s->touch[k] * right + (TC_C(1.0) - s->touch[k]) * (TC_C(1.0) - right);
        says[0] = TC_C(1.0) - says[1];
    }
    weigh_modes(f->config, l, t->predicted, log, says);
    return jumps;
}

/* ---- Return ---------------------------------------------------------------------------------- */

/* The impulse is what moves the contact point, of hypotheses in which there is one: W^-1 v. Its
 * variance is that of v over all hypotheses. */
static void conclude_impulse(const tci_feet_limb *l, const tc_real velocity[3], tci_feet_tick *t)
{
    tc_real V[6] = {TC_C(0.0)};
    for (uint32_t k = 1; k < TC_FEET_MODES; ++k) {
        const tc_real *const x = l->x[k], p = l->p[k];
        const tc_real own[6] = {x[place_of(3, 3)], x[place_of(3, 4)], x[place_of(3, 5)],
                                x[place_of(4, 4)], x[place_of(4, 5)], x[place_of(5, 5)]};
        LOOP_FEET
        for (uint32_t i = 0; i < 6u; ++i) {
            V[i] = TC_MLA(V[i], p, own[i]);
        }
        tci_feet_add(V, p, x + 3);
    }
    tci_feet_add(V, TC_C(-1.0), velocity);
    t->slide_variance = TC_C(0.5) * (V[0] + V[3]);
    tci_feet_apply(t->inverse, velocity, t->impulse);
    const tc_real *const I = t->inverse;
    const tc_real rows[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
    for (uint32_t i = 0; i < 3u; ++i) {
        tc_real turned[3];
        tci_feet_apply(V, rows[i], turned);
        const tc_real variance = tc_vec_dot3(rows[i], turned);
        t->impulse_variance[i] = variance > TC_C(0.0) ? variance : TC_C(0.0);
    }
}

static void return_mean(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    tc_real mean[6], pushed[3], back[6], place[3], speed[3];
    LOOP_FEET
    for (uint32_t i = 0; i < 6u; ++i) {
        const tc_real air = l->p[0] * l->x[0][i];
        const tc_real contact =
            TC_MLA(TC_MLA(l->p[1] * l->x[1][i], l->p[2], l->x[2][i]), l->p[3], l->x[3][i]);
        mean[i] = air + contact;
        if (i >= 3u) {
            pushed[i - 3u] = contact;
        }
    }
    conclude_impulse(l, pushed, t);
    tci_feet_gain_doubt(f, s, k, t);
    tci_feet_apply(t->inverse, mean, place);
    tci_feet_apply(t->inverse, mean + 3, speed);
    tci_feet_apply(t->W, place, back);
    tci_feet_apply(t->W, speed, back + 3);
    const tc_real contact = l->p[1] + l->p[2] + l->p[3];
    const tc_real inverse = TC_C(1.0) / (contact > CHANCE_LEAST ? contact : CHANCE_LEAST);
    t->mean[0] = pushed[0] * inverse - back[3];
    t->mean[1] = pushed[1] * inverse - back[4];
    t->slide_variance *= inverse;
    for (uint32_t j = 0; j < TC_FEET_MODES; ++j) {
        LOOP_FEET
        for (uint32_t i = 0; i < 6u; ++i) {
            l->x[j][i] -= back[i];
        }
    }
    tci_feet_reference_take(f, s, k, t, place, speed);
}

uint32_t tci_feet_bank_tick(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t)
{
    const tc_feet_config *const c = f->config;
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    tc_real gap, speed, w[4][4];
    look_down(f, l, t, &gap, &speed);
    chain_modes(c, l->p, land_rate(c, gap, speed, t->H), leave_rate(c, gap, speed, l->load[2]), w,
                t->predicted);
    mix_modes(l, w);
    predict_bank_modes(c, l, t);
    constrain_modes(c, l, t);
    const uint32_t jumps = compare_modes(f, s, k, t);
    return_mean(f, s, k, t);
    const tc_real pace = c->force_rate * t->H, inverse = TC_C(1.0) / t->H;
    for (uint32_t i = 0; i < 3u; ++i) {
        l->load[i] += pace * (t->impulse[i] * inverse - l->load[i]);
    }
    return jumps;
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
