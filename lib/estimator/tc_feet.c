/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The estimator of all feet. A tick, in order:
 *
 *   sensors    checked; the encoders' noise followed (tc_feet_sensors.c)
 *   base       integrates its IMU (tc_feet_base.c)
 *   each limb  its reference moves as in the air (tc_feet_reference.c); its bank mixes, moves and
 *              compares the hypotheses (tc_feet_bank.c)
 *   base       corrected by all feet in turn
 *   each foot  contact with hysteresis; a foot that lands, or slides, finds its floor
 *   slope      of the plane through the last footholds
 *   each foot  how it falls, for predictions (tc_feet_predict.c)
 */
#include "tc_exact.h"
#include "tc_feet_internal.h"

#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

#define JUMPS_FEET 5u /* readings in a row that no motion explains: then they are right */

static const tc_real SLIDES = TC_C(0.5);          /* p(slip) */
static const tc_real FLOOR_PACE = TC_C(0.05);     /* of the floor under a sliding foot, per tick */
static const tc_real FRICTION_SURE = TC_C(0.8);   /* p(slip) */
static const tc_real FRICTION_SPEED = TC_C(0.05); /* [m/s] */
static const tc_real FRICTION_START = TC_C(0.04), FRICTION_NOISE = TC_C(0.01);
static const tc_real FRICTION_LEAST = TC_C(5e-4), FRICTION_MOST = TC_C(3.0);
static const tc_real VARIANCE_MOST = TC_C(1e8);

/* ---- The start ------------------------------------------------------------------------------- */

static void start_limb(tc_feet *f, const tc_feet_sensors *s, uint32_t k)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    tci_feet_sensors_start(f, s, k);
    tci_feet_bank_start(l);
    memset(l->load, 0, sizeof l->load);
    memset(&l->fall, 0, sizeof l->fall);
    l->friction_variance = FRICTION_START;
    f->jumps[k] = 0;
}

static tc_status check_init(const tc_feet *f, const tc_feet_sensors *first, const tc_real *state,
                            size_t state_len)
{
    tc_status status = tc_robot_check(f->robot);
    if (status >= TC_OK) {
        status = tci_feet_config_check(f->config, f->robot);
    }
    if (status >= TC_OK) {
        status = tc_work_check(state, state_len, TC_FEET_STATE(f->robot->limbs));
    }
    if (status >= TC_OK) {
        status = tci_feet_sensors_check(f, first);
    }
    for (uint32_t k = 0; status >= TC_OK && k < f->robot->limbs; ++k) {
        status = first->lost[k] != 0u ? TC_ERR_RANGE : status;
    }
    return status;
}

tc_status tc_feet_init(tc_feet *f, const tc_feet_config *config, const tc_robot *robot,
                       const tc_feet_sensors *first, tc_real *state, size_t state_len)
{
    if (f == NULL) {
        return TC_ERR_NULL;
    }
    memset(f, 0, sizeof *f);
    if (config == NULL || first == NULL || state == NULL) {
        return TC_ERR_NULL;
    }
    f->config = config;
    f->robot = robot;
    const tc_status status = check_init(f, first, state, state_len);
    if (status < TC_OK) {
        memset(f, 0, sizeof *f);
        return status;
    }
    f->state = state;
    memset(state, 0, TC_FEET_STATE(robot->limbs) * sizeof *state);
    tci_feet_base_start(f, first);
    for (uint32_t k = 0; k < robot->limbs; ++k) {
        tci_feet_limb *const l = tci_feet_limb_of(f, k);
        start_limb(f, first, k);
        tci_feet_gain_start(config, l);
        l->friction = config->friction;
        f->contact[k] = 1;
    }
    return TC_OK;
}

/* ---- What comes out -------------------------------------------------------------------------- */

/* Friction is the force's ratio along the slip, against it. */
static void identify_slip(const tc_feet_config *c, tci_feet_limb *l, const tc_feet_foot *foot)
{
    const tc_real u = foot->slip[0], v = foot->slip[1], speed = tc_sqrt(TC_MLA(u * u, v, v));
    if (l->p[TCI_FEET_SLIP] > FRICTION_SURE && l->load[2] > c->light && speed > FRICTION_SPEED) {
        const tc_real ratio = -TC_MLA(l->load[0] * u, l->load[1], v) / (speed * l->load[2]);
        const tc_real gain = l->friction_variance / (l->friction_variance + FRICTION_NOISE);
        l->friction += gain * (tci_feet_clamp(ratio, TC_C(0.0), FRICTION_MOST) - l->friction);
        l->friction_variance = TC_MLS(l->friction_variance, gain, l->friction_variance);
        l->friction_variance = tc_vec_max(l->friction_variance, FRICTION_LEAST);
    }
}

/* The floor, and the foothold on it, where a foot lands or slides */
static void find_floor(tc_feet *f, uint32_t k, int lands, int slides)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_real place = f->vertical[0] + l->arm[2];
    if (lands || slides || !(f->begun >> k & 1u)) {
        l->step[0] = f->place[0] + l->arm[0];
        l->step[1] = f->place[1] + l->arm[1];
    }
    if (lands) {
        l->floor = place;
        l->friction_variance = FRICTION_START;
    } else if (slides) {
        l->floor = TC_MLA(l->floor, FLOOR_PACE, place - l->floor);
    }
}

/* Contact with hysteresis */
static void decide_foot(tc_feet *f, uint32_t k, tc_real H)
{
    const tc_feet_config *const c = f->config;
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_real stands = TC_C(1.0) - l->p[TCI_FEET_AIR];
    const uint32_t before = f->contact[k];
    const uint32_t contact = stands > (before != 0u ? c->off : c->on);
    const int slides = contact != 0u && l->p[TCI_FEET_SLIP] > SLIDES;
    find_floor(f, k, contact > before, slides);
    if (contact != before) {
        l->since = TC_C(0.0);
    }
    l->since += contact != 0u ? H : -H;
    f->contact[k] = contact;
    f->begun |= 1u << k;
}

static void report_foot(const tc_feet *f, uint32_t k, const tci_feet_tick *t, tc_feet_foot *foot)
{
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_real least = TC_C(1e-9), *const p = l->p;
    const tc_real sticks =
        (p[TCI_FEET_STICK] + least) / (p[TCI_FEET_STICK] + p[TCI_FEET_SLIP] + TC_C(2.0) * least);
    foot->p[0] = p[TCI_FEET_AIR];
    foot->p[1] = TC_MLA(p[TCI_FEET_STICK], p[TCI_FEET_FREE], sticks);
    foot->p[2] = TC_MLA(p[TCI_FEET_SLIP], p[TCI_FEET_FREE], TC_C(1.0) - sticks);
    for (uint32_t i = 0; i < 3u; ++i) {
        foot->impulse[i] = t->impulse[i];
        foot->impulse_variance[i] = t->impulse_variance[i];
    }
    foot->slip[0] = l->relative[0] + t->mean[0];
    foot->slip[1] = l->relative[1] + t->mean[1];
    foot->slip_variance = t->slide_variance;
}

static void report_base(const tc_feet *f, tc_feet_estimate *estimate)
{
    estimate->velocity[0] = f->velocity[0];
    estimate->velocity[1] = f->velocity[1];
    estimate->velocity[2] = f->vertical[1];
    estimate->velocity_variance[0] = f->velocity_covariance[0];
    estimate->velocity_variance[1] = f->vertical_covariance[3];
    estimate->height = f->vertical[0];
    estimate->slope[0] = f->slope[0];
    estimate->slope[1] = f->slope[1];
}

/* Once the base is corrected */
static void conclude_foot(tc_feet *f, uint32_t k, tc_real H, tc_feet_foot *foot)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    decide_foot(f, k, H);
    foot->slip[0] += f->velocity[0];
    foot->slip[1] += f->velocity[1];
    foot->slip_variance += f->velocity_covariance[0];
    identify_slip(f->config, l, foot);
    foot->friction = l->friction;
    foot->since = l->since;
    foot->contact = f->contact[k];
}

/* ---- A tick ---------------------------------------------------------------------------------- */

/* Sensors within their ranges may still contradict each other beyond what float holds. */
static int limb_healthy(const tci_feet_limb *l, const tc_feet_foot *foot, uint32_t n)
{
    static const uint32_t diagonal[6] = {6, 12, 17, 21, 24, 26};
    tc_real sum = foot->slip_variance;
    for (uint32_t k = 0; k < TC_FEET_MODES; ++k) {
        for (uint32_t i = 0; i < 6u; ++i) {
            const tc_real variance = l->x[k][diagonal[i]];
            if (!(variance >= TC_C(0.0) && variance < VARIANCE_MOST)) {
                return 0;
            }
        }
        sum += l->p[k] + l->x[k][0] + l->x[k][3];
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        sum += foot->impulse[i] + foot->impulse_variance[i];
    }
    for (uint32_t i = 0; i < n; ++i) {
        sum += l->q[i] + l->w[i];
    }
    return TC_C(0.0) * sum == TC_C(0.0);
}

static int base_healthy(const tc_feet *f)
{
    const tc_real *const V = f->velocity_covariance, *const Z = f->vertical_covariance;
    const tc_real sum = f->velocity[0] + f->velocity[1] + f->vertical[0] + f->vertical[1]
                        + f->slope[0] + f->slope[1] + f->place[0] + f->place[1];
    return V[0] >= TC_C(0.0) && V[2] >= TC_C(0.0) && Z[0] >= TC_C(0.0) && Z[3] >= TC_C(0.0)
           && Z[5] >= TC_C(0.0) && V[0] + Z[0] + Z[3] < VARIANCE_MOST
           && TC_C(0.0) * sum == TC_C(0.0);
}

/* The estimate of a foot whose filter has just begun */
static void begin_foot(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tc_feet_foot *foot)
{
    const uint32_t flags = foot->flags;
    start_limb(f, s, k);
    memset(foot, 0, sizeof *foot);
    foot->p[0] = TC_C(0.25);
    foot->p[1] = foot->p[2] = TC_C(0.375);
    foot->flags = flags | TC_FEET_RESTARTED;
}

/* Where the limb's equation of motion is not to be believed */
static uint32_t near_flags(const tc_feet *f, uint32_t k, const tci_feet_tick *t)
{
    const tc_feet_config *const c = f->config;
    const uint32_t near = tc_robot_near(&f->robot->limb[k], &t->motion, tci_feet_limb_of(f, k)->q,
                                        c->stop_margin, c->singular);
    return (near & TC_ROBOT_NEAR_STOP ? TC_FEET_STOP : 0u)
           | (near & TC_ROBOT_NEAR_SINGULAR ? TC_FEET_SINGULAR : 0u);
}

static void move_limb(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t,
                      tc_feet_foot *foot)
{
    tci_feet_limb *const l = tci_feet_limb_of(f, k);
    if (s->lost[k] == 0u && (f->missing[k] > TCI_FEET_LOST_MOST || f->jumps[k] >= JUMPS_FEET)) {
        start_limb(f, s, k);
    }
    f->missing[k] = s->lost[k];
    tci_feet_reference_move(f, s, k, t);
    if (!(f->begun >> k & 1u)) {
        l->floor = f->vertical[0] + l->arm[2];
    }
    const uint32_t jumped = tci_feet_bank_tick(f, s, k, t);
    f->jumps[k] = jumped != 0u ? f->jumps[k] + 1u : 0u;
    foot->flags |= jumped != 0u ? TC_FEET_SATURATED : 0u;
    foot->flags |= near_flags(f, k, t);
    report_foot(f, k, t, foot);
    if (!limb_healthy(l, foot, f->robot->limb[k].joints)) {
        begin_foot(f, s, k, foot);
    }
}

static void advance_feet(tc_feet *f, const tc_feet_sensors *s, tci_feet_tick *t,
                         tc_feet_estimate *estimate)
{
    uint32_t flags[TC_ROBOT_LIMBS];
    t->H = s->given & TC_FEET_STEP ? s->step : f->config->step;
    estimate->flags = tci_feet_sensors_follow(f, s, flags);
    tci_feet_base_move(f, s, t);
    for (uint32_t k = 0; k < f->robot->limbs; ++k) {
        estimate->foot[k].flags = flags[k];
        move_limb(f, s, k, t, &estimate->foot[k]);
    }
    estimate->flags |= tci_feet_base_correct(f, s) != 0u ? TC_FEET_DOUBTED : 0u;
    for (uint32_t k = 0; k < f->robot->limbs; ++k) {
        conclude_foot(f, k, t->H, &estimate->foot[k]);
        estimate->flags |= estimate->foot[k].flags;
    }
    tci_feet_base_lean(f, t);
    for (uint32_t k = 0; k < f->robot->limbs; ++k) {
        tci_feet_predict_follow(f, k, t->H);
    }
    report_base(f, estimate);
    memcpy(f->gyro, s->gyro, sizeof f->gyro);
    memcpy(f->accel, s->accel, sizeof f->accel);
}

tc_status tc_feet_update(tc_feet *f, const tc_feet_sensors *sensors, tc_feet_estimate *estimate,
                         tc_real *work, size_t work_len)
{
    if (estimate == NULL) {
        return TC_ERR_NULL;
    }
    memset(estimate, 0, sizeof *estimate);
    if (f == NULL || sensors == NULL || work == NULL || f->robot == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = tc_work_check(work, work_len, TC_FEET_WORK);
    if (status >= TC_OK) {
        status = tci_feet_sensors_check(f, sensors);
    }
    if (status < TC_OK) {
        return status;
    }
    advance_feet(f, sensors, (tci_feet_tick *)(void *)work, estimate);
    if (!base_healthy(f)) {
        tci_feet_base_start(f, sensors);
        f->begun = 0;
        for (uint32_t k = 0; k < f->robot->limbs; ++k) {
            begin_foot(f, sensors, k, &estimate->foot[k]);
        }
        report_base(f, estimate);
        estimate->flags |= TC_FEET_RESTARTED;
    }
    return TC_OK;
}
