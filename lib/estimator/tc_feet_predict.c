/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The next touch-down of a foot in the air. h is its height over the floor that it left, v its
 * velocity off that floor. Each update follows two filtered accelerations, a faster than b, and u,
 * the mean of the greatest speeds downwards of the last swings. From now on, with z = h at t = 0,
 *
 *     z = h + v t + a t^2 / 2                     t <= d, the acceleration goes on
 *     z = z(d) + (v + a d) (t - d)                then the velocity stays
 *
 * and z = 0 is the touch-down. d depends on whether the foot is still driven down:
 *
 *     r = (a / b - 0.8) / 0.2 within 0..1         1: a does not fall off against b
 *     e = 3 ms + r 9 ms
 *     d = e + r max((u - v) / a - e, 0), at most 30 ms
 *
 * The position is known up to
 *
 *     s^2 = P_zz + 2 t P_zv + t^2 (P_vv + P_foot) + (A t^2 / 2)^2 + floor_spread^2
 *
 * at the predicted time t, A what accelerations change in so short a time. The ends of the interval
 * are the touch-downs on floors 1.28 s higher and lower. A foot stands a little below where it
 * touched, in proportion to its limb's length: h is less by that.
 */
#include "tc_exact.h"
#include "tc_feet_predict.h"

#include "tc_feet_internal.h"
#include "tc_vec.h"

#include <string.h>

static const tc_real FALL_RATE = TC_C(0.7), FALL_TREND = TC_C(0.2); /* of a and b per tick */
static const tc_real FALL_HABIT = TC_C(0.25);                       /* of u per swing */
static const tc_real FALLS_OFF = TC_C(0.8);                         /* a / b */
static const tc_real FALLS_LEAST = TC_C(-10.0);                     /* b [m/s^2] */
static const tc_real ENDS_SOON = TC_C(0.003), ENDS_STEADY = TC_C(0.012), ENDS_MOST = TC_C(0.03);
static const tc_real FOOT_SUNK = TC_C(0.0019762846); /* of the limb's reach: 1 mm of 0.506 m */
static const tc_real FALL_EIGHTY = TC_C(1.2816);     /* standard deviations */
static const tc_real FALL_CHANGE = TC_C(20.0);       /* A [m/s^2] */
static const tc_real FALL_TINY = TC_C(1e-20);

/* The fall of a foot from now on. */
typedef struct falling_foot {
    tc_real height, speed, rate; /* h, v, a */
    tc_real lasts;               /* d */
} falling_foot;

/* ---- In each update -------------------------------------------------------------------------- */

static tc_real speed_off_floor(const tc_feet *f, const tci_feet_limb *l)
{
    const tc_real x = l->relative[0] + f->velocity[0], y = l->relative[1] + f->velocity[1];
    return l->relative[2] + f->vertical[1] - TC_MLA(x * f->slope[0], y, f->slope[1]);
}

void tci_feet_predict_follow(tc_feet *f, uint32_t k, tc_real H)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    tci_feet_fall *const fall = &l->fall;
    const tc_real speed = speed_off_floor(f, l), change = (speed - fall->speed) / H;
    fall->speed = speed;
    if (f->contact[k] == 0u) {
        fall->rate += FALL_RATE * (change - fall->rate);
        fall->trend += FALL_TREND * (change - fall->trend);
        fall->fastest = speed < fall->fastest ? speed : fall->fastest;
        return;
    }
    if (fall->fastest < TC_C(0.0)) { /* it has landed */
        const tc_real pace = fall->habit < TC_C(0.0) ? FALL_HABIT : TC_C(1.0);
        fall->habit += pace * (fall->fastest - fall->habit);
    }
    fall->rate = fall->trend = fall->fastest = TC_C(0.0);
}

/* ---- The prediction -------------------------------------------------------------------------- */

/* d */
static tc_real lasting_time(const tci_feet_fall *fall)
{
    if (!(fall->trend < FALLS_LEAST && fall->rate < FALLS_OFF * fall->trend)) {
        return ENDS_SOON;
    }
    const tc_real part = (fall->rate / fall->trend - FALLS_OFF) / (TC_C(1.0) - FALLS_OFF);
    const tc_real driven = part < TC_C(1.0) ? part : TC_C(1.0);
    const tc_real ends = TC_MLA(ENDS_SOON, driven, ENDS_STEADY - ENDS_SOON);
    const tc_real longer = (fall->habit - fall->speed) / fall->rate - ends;
    const tc_real lasts = longer > TC_C(0.0) ? TC_MLA(ends, driven, longer) : ends;
    return lasts < ENDS_MOST ? lasts : ENDS_MOST;
}

/* The time until z = -above, at most `most` */
static tc_real time_to_fall(const falling_foot *foot, tc_real above, tc_real most)
{
    const tc_real h = foot->height + above, v = foot->speed, a = foot->rate, d = foot->lasts;
    const tc_real square = TC_MLS(v * v, TC_C(2.0) * a, h), w = TC_MLA(v, a, d);
    tc_real time = most;
    if (h <= TC_C(0.0)) {
        return TC_C(0.0);
    }
    if (w < -FALL_TINY) {
        time = d - TC_MLA(h, d, TC_MLA(v, TC_C(0.5) * a, d)) / w;
    }
    if (square >= TC_C(0.0) && tc_sqrt(square) > v) {
        const tc_real first = TC_C(2.0) * h / (tc_sqrt(square) - v);
        time = first <= d ? first : time;
    }
    return time < most ? time : most;
}

/* s at the time t */
static tc_real height_deviation(const tc_feet *f, const tci_feet_limb *l, tc_real t)
{
    const tc_real *const P = f->vertical_covariance, foot = l->x[TCI_FEET_AIR][26];
    const tc_real spread = f->config->floor_spread, change = FALL_CHANGE * TC_C(0.5) * t * t;
    return tc_sqrt(P[0] + t * (TC_C(2.0) * P[1] + t * (P[3] + foot)) + change * change
                   + spread * spread);
}

static void start_fall(const tc_feet *f, const tci_feet_limb *l, uint32_t k, falling_foot *foot)
{
    tc_real gap = f->vertical[0] + l->arm[2] - l->floor;
    for (uint32_t i = 0; i < 2u; ++i) {
        gap = TC_MLS(gap, f->place[i] + l->arm[i] - l->step[i], f->slope[i]);
    }
    foot->height = TC_MLS(gap, FOOT_SUNK, tci_feet_reach(&f->robot->limb[k]));
    foot->speed = l->fall.speed;
    foot->rate = l->fall.rate;
    foot->lasts = lasting_time(&l->fall);
}

static void predict_landing(const tc_feet *f, uint32_t k, tc_real horizon, tc_feet_prediction *p)
{
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_real most = horizon + TC_FEET_PREDICT_LATE;
    falling_foot foot;
    start_fall(f, l, k, &foot);
    const tc_real time = time_to_fall(&foot, TC_C(0.0), most);
    const tc_real within = time < horizon ? time : horizon;
    const tc_real away = FALL_EIGHTY * height_deviation(f, l, within);
    const tc_real early = time_to_fall(&foot, -away, most);
    p->time = within;
    p->early = early < horizon ? early : horizon;
    p->late = time_to_fall(&foot, away, most);
    if (time <= horizon) {
        p->kind = TC_FEET_PREDICT_TOUCH_DOWN;
        p->velocity[2] += foot.rate * (time < foot.lasts ? time : foot.lasts);
    }
}

static tc_status check_foot(const tc_feet *f, uint32_t limb, tc_real horizon)
{
    if (f == NULL || f->robot == NULL || f->state == NULL) {
        return TC_ERR_NULL;
    }
    if (limb >= f->robot->limbs) {
        return TC_ERR_SIZE;
    }
    return horizon > TC_C(0.0) && horizon <= TC_C(1.0) ? TC_OK : TC_ERR_RANGE;
}

tc_status tc_feet_predict(const tc_feet *f, uint32_t limb, tc_real horizon, tc_feet_prediction *p)
{
    if (p == NULL) {
        return TC_ERR_NULL;
    }
    memset(p, 0, sizeof *p);
    const tc_status status = check_foot(f, limb, horizon);
    if (status < TC_OK) {
        return status;
    }
    const tci_feet_limb *const l = tci_feet_limb_of(f, limb);
    p->time = p->early = horizon;
    p->late = horizon + TC_FEET_PREDICT_LATE;
    p->velocity[0] = l->relative[0] + f->velocity[0];
    p->velocity[1] = l->relative[1] + f->velocity[1];
    p->velocity[2] = l->relative[2] + f->vertical[1];
    if (f->contact[limb] == 0u) {
        predict_landing(f, limb, horizon, p);
    }
    const tc_real numbers[6] = {p->time,        p->early,       p->late,
                                p->velocity[0], p->velocity[1], p->velocity[2]};
    if (!tc_all_finite(numbers, TC_COUNT(numbers))) {
        memset(p, 0, sizeof *p);
        return TC_ERR_NOT_FINITE;
    }
    return TC_OK;
}
