/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The next contact, from the posterior of now.
 *
 * Symbols: h height of the contact point over the floor, v its velocity upwards, t time ahead, H
 * the tick.
 *
 * From the air, at t = 0, H, 2 H, ...:
 *
 *     q = q0 + w0 t + a t^2 / 2      a: joint accelerations of late (tc_estimator.rate_change)
 *     z = z0 + u0 t + b t^2 / 2      b: of the base, from its accelerometer, gravity and bias off
 *     h = z + foot(q, pitch + gyro t), on a ground its gap there
 *
 * with the exact kinematics: over 20 ms a leg turns far enough that a parabola of h would miss by
 * millimetres. h = 0 is the event. It is known up to
 *
 *     s^2 = P_zz + 2 t P_zu + t^2 (P_uu + J P_w J^T) + (A t^2 / 2)^2 + floor_spread^2,
 *
 * A what accelerations change within the horizon, so the event lies with 80 % between the times at
 * which h = 1.28 s and h = -1.28 s; each is found between two steps by a straight line.
 *
 * The contact that follows sticks if the impulse p that stops the foot, J M^-1 J^T p = -v, lies
 * within friction's cone.
 *
 * From a contact: the normal force F, filtered, and its slope F' give the time -F / F'. Its limits
 * come from what the hopper and the leg of tests/hil do.
 */
#include "tc_exact.h"
#include "tc_estimator_predict.h"

#include "tc_estimator_internal.h"
#include "tc_mat.h"
#include "tc_vec.h"

#include <string.h>

static const tc_real EIGHTY = TC_C(1.2816); /* standard deviations */
static const tc_real CHANGE = TC_C(5.0);    /* A [m/s^2] */
static const tc_real EARLIER = TC_C(0.5);   /* of the time to a lift-off */
static const tc_real LATER = TC_C(2.0);

/* The foot at one instant of the roll-out. */
typedef struct instant {
    tc_real time, height, spread; /* [s], [m], standard deviation of the height [m] */
    tc_real velocity[2];
} instant;

/* What does not change on the way. */
typedef struct roll {
    const tc_estimator *e;
    tc_real base[2];    /* acceleration of the base along x and y [m/s^2] */
    tc_leg_view motion; /* of these: */
    tc_real M[TC_LEG_JOINTS * TC_LEG_JOINTS], bias[TC_LEG_JOINTS], J[2u * TC_LEG_JOINTS];
    tc_real q[TC_LEG_JOINTS], w[TC_LEG_JOINTS];
} roll;

static void start_horizon(roll *r, const tc_estimator *e)
{
    tc_real sine, cosine;
    r->e = e;
    r->motion.M = r->M;
    r->motion.bias = r->bias;
    r->motion.J = r->J;
    tc_sincos(e->pitch, &sine, &cosine);
    r->base[0] = r->base[1] = TC_C(0.0);
    if (e->leg->root != TC_LEG_FIXED) {
        r->base[1] = sine * e->accel[0] + cosine * e->accel[1] - e->leg->g - e->vertical[2];
    }
    if (e->leg->root == TC_LEG_FLOATING) {
        r->base[0] = cosine * e->accel[0] - sine * e->accel[1] - e->horizontal[1];
    }
}

/* J_n P_w J_n^T of the hypothesis air, whose covariance stands packed behind its mean */
static tc_real rate_variance(const roll *r)
{
    const uint32_t n = r->e->leg->joints;
    const tc_real *const J = r->motion.J + n;
    const tc_real *P = r->e->state + 2u * n + n * (3u * n + 1u) / 2u; /* behind the rows of q */
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) {
        sum += J[i] * J[i] * *P++;
        for (uint32_t j = i + 1u; j < n; ++j) {
            sum += TC_C(2.0) * J[i] * J[j] * *P++;
        }
    }
    return sum;
}

static void look_ahead(roll *r, tc_real t, instant *at)
{
    const tc_estimator *const e = r->e;
    const uint32_t n = e->leg->joints;
    const tc_real half = TC_C(0.5) * t * t, *const P = e->vertical_covariance;
    tc_leg_base base = {.angle = e->pitch, .rate = TC_C(0.0), .force = {TC_C(0.0), e->leg->g}};
    if (e->leg->root == TC_LEG_FLOATING) {
        base.angle += e->gyro * t;
        base.rate = e->gyro;
    }
    tc_sincos(base.angle, &base.sine, &base.cosine);
    for (uint32_t i = 0; i < n; ++i) {
        r->w[i] = e->state[n + i] + e->rate_change[i] * t;
        r->q[i] = e->state[i] + e->state[n + i] * t + e->rate_change[i] * half;
    }
    tc_leg_look(e->leg, &base, r->q, r->w, &r->motion);
    at->time = t;
    const tc_real x = e->place + e->horizontal[0] * t + r->base[0] * half;
    const tc_real z = e->vertical[0] + e->vertical[1] * t + r->base[1] * half;
    const tc_real velocity[2] = {e->horizontal[0] + r->base[0] * t,
                                 e->vertical[1] + r->base[1] * t};
    tci_estimator_ground ground;
    tci_estimator_ground_look(e, x, z, base.rate, &r->motion, &ground);
    at->height = ground.above;
    tci_estimator_ground_turn(ground.normal, velocity, at->velocity);
    at->velocity[0] += r->motion.carried[0];
    at->velocity[1] += r->motion.carried[1];
    for (uint32_t i = 0; i < n; ++i) {
        at->velocity[0] = TC_MLA(at->velocity[0], r->motion.J[i], r->w[i]);
        at->velocity[1] = TC_MLA(at->velocity[1], r->motion.J[n + i], r->w[i]);
    }
    const tc_real floor_spread = e->config->floor_spread;
    at->spread = tc_sqrt(P[0] + t * (TC_C(2.0) * P[1] + t * (P[3] + rate_variance(r)))
                         + CHANGE * CHANGE * half * half + floor_spread * floor_spread);
}

/* When h - part s passes 0 on the way from a to b, which it does; 0 if it had before a = now. */
static tc_real passing_time(const instant *a, const instant *b, tc_real part)
{
    const tc_real x = a->height - part * a->spread, y = b->height - part * b->spread;
    return x <= TC_C(0.0) ? a->time : a->time + (b->time - a->time) * x / (x - y);
}

/* When it would from b on, along a straight line */
static tc_real extrapolated_time(const instant *b, tc_real part)
{
    const tc_real y = b->height - part * b->spread;
    const tc_real left = b->velocity[1] < TC_C(0.0) ? -y / b->velocity[1] : TC_PREDICT_LATE;
    return left < TC_PREDICT_LATE - b->time ? b->time + left : TC_PREDICT_LATE;
}

/* 1 static, 2 dynamic: whether the impulse that stops the foot lies within the cone. M is replaced
 * by its factor, q and w, which the next instant has anew, by M^-1 J^T. */
static uint32_t mode_after(roll *r, const tc_real velocity[2])
{
    const uint32_t n = r->e->leg->joints;
    tc_real *const L = r->motion.M;
    tc_real *const x = r->q, *const y = r->w;
    tc_real W[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    if (tc_mat_cholesky_inplace(L, n) < 0) {
        return 1u;
    }
    (void)tc_mat_cholesky_solve(L, r->motion.J, x, n, 1);
    (void)tc_mat_cholesky_solve(L, r->motion.J + n, y, n, 1);
    for (uint32_t i = 0; i < n; ++i) {
        W[0] = TC_MLA(W[0], r->motion.J[i], x[i]);
        W[1] = TC_MLA(W[1], r->motion.J[i], y[i]);
        W[2] = TC_MLA(W[2], r->motion.J[n + i], y[i]);
    }
    /* p times the determinant of W: its sign does not matter to the cone, for both are of positive
     * definite W */
    const tc_real along = W[1] * velocity[1] - W[2] * velocity[0];
    const tc_real up = W[1] * velocity[0] - W[0] * velocity[1];
    return tc_vec_magnitude(along) <= r->e->friction * up ? 1u : 2u;
}

static void roll_down(const tc_estimator *e, uint32_t steps, tc_estimator_prediction *p)
{
    const tc_real H = e->config->step;
    instant a, b;
    roll r;
    int early = 0, late = 0;
    start_horizon(&r, e);
    look_ahead(&r, TC_C(0.0), &a);
    p->time = p->early = p->horizon;
    b = a;
    for (uint32_t k = 1; k <= steps && !late; ++k, a = b) {
        look_ahead(&r, H * (tc_real)k, &b);
        if (!early && b.height <= EIGHTY * b.spread) {
            early = 1;
            p->early = passing_time(&a, &b, EIGHTY);
        }
        if (p->kind == TC_ESTIMATOR_PREDICT_NONE && b.height <= TC_C(0.0)) {
            p->kind = TC_ESTIMATOR_PREDICT_TOUCH_DOWN;
            p->time = passing_time(&a, &b, TC_C(0.0));
            memcpy(p->velocity, b.velocity, sizeof p->velocity);
            p->mode = mode_after(&r, b.velocity);
        }
        late = b.height <= -EIGHTY * b.spread;
        p->late = late ? passing_time(&a, &b, -EIGHTY) : p->late;
    }
    if (!late) {
        p->late = extrapolated_time(&b, -EIGHTY);
    }
    if (p->kind == TC_ESTIMATOR_PREDICT_NONE) {
        memcpy(p->velocity, b.velocity, sizeof p->velocity);
    }
}

static void predict_unload(const tc_estimator *e, tc_estimator_prediction *p)
{
    const tc_real falls = -e->force_change * p->horizon;
    p->time = p->early = p->horizon;
    p->late = TC_PREDICT_LATE;
    p->mode = 1;
    if (e->force[1] <= falls) {
        const tc_real force = e->force[1] > TC_C(0.0) ? e->force[1] : TC_C(0.0);
        p->time = falls > TC_C(0.0) ? p->horizon * force / falls : TC_C(0.0);
        p->early = EARLIER * p->time;
        p->late = LATER * p->time + e->config->step;
        p->kind = TC_ESTIMATOR_PREDICT_LIFT_OFF;
        p->mode = 0;
    }
}

static tc_status check_question(const tc_estimator *e, tc_real horizon, uint32_t budget)
{
    if (e == NULL || e->leg == NULL) {
        return TC_ERR_NULL;
    }
    if (!(horizon > TC_C(0.0) && horizon <= TC_C(1.0))) {
        return TC_ERR_RANGE;
    }
    return budget == 0u ? TC_ERR_SIZE : TC_OK;
}

tc_status tc_estimator_predict(const tc_estimator *e, tc_real horizon, uint32_t budget,
                               tc_estimator_prediction *p)
{
    if (p == NULL) {
        return TC_ERR_NULL;
    }
    memset(p, 0, sizeof *p);
    const tc_status status = check_question(e, horizon, budget);
    if (status != TC_OK) {
        return status;
    }
    const tc_real H = e->config->step, wanted = horizon / H;
    const uint32_t whole = (uint32_t)wanted;
    const uint32_t asked = whole + ((tc_real)whole < wanted * TC_C(0.999999));
    const uint32_t steps = asked < budget ? asked : budget;
    p->horizon = H * (tc_real)steps;
    if (e->contact != 0u) {
        predict_unload(e, p);
    } else {
        roll_down(e, steps, p);
    }
    const tc_real numbers[5] = {p->time, p->early, p->late, p->velocity[0], p->velocity[1]};
    if (!tc_all_finite(numbers, 5)) {
        memset(p, 0, sizeof *p);
        return TC_ERR_NOT_FINITE;
    }
    return steps < asked ? TC_NOTE_LIMIT : TC_OK;
}
