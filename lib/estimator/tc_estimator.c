/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact estimator: an interacting-multiple-model filter.
 *
 * A tick, in order:
 *   sensors     checked; the noise of encoders and torques followed (tc_estimator_sensors.c)
 *   base        integrates its IMU (tc_estimator_base.c)
 *   leg         M, bias, J at the encoders (tc_leg.c)
 *   gains       of the torque sensors, told by the ticks before if they were in the air
 *               (tc_estimator_gain.c)
 *   transition  air -> contact with the hazard of meeting a floor whose height is normal about the
 *               last one's, given that it was not met above: phi(g/s)/Phi(g/s) (-v H)/s, g the
 *               foot's height, v its velocity; contact -> air rarely, more often when the normal
 *               force is small or the foot rises above the floor, at once where no floor can be;
 *               contacts change their kind with the probability 1 - keep, or more where the model
 *               contradicts them
 *   bank        each hypothesis mixed, moved, constrained, compared (tc_estimator_bank_internal.h)
 *   posterior   p_j ~ predicted p_j exp(log likelihood), differences cut at `distrust`: one tick,
 *               however strange, decides nothing for good
 *   contact     the impulse is what moved the contact point from where it would be without: W p =
 *               v - v_free, over the contacts' mean; W is regularised, for a straight leg is stiff
 *               along itself
 */
#include "tc_exact.h"

/* Helium's vectors do not pay in unrolled scalar code: gcc gathers scalars on the stack to store
 * four at once. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "tc_estimator_internal.h"

#include "tc_work.h"
#include "tc_vec.h"

#include <string.h>

#define LOST_MOST 20u /* ticks; beyond, the filter begins anew */
#define JUMPS_MOST 5u /* readings in a row that no motion explains: then they are right */

static const tc_real PROBABILITY_LEAST = TC_C(1e-12);
static const tc_real SLIP = TC_C(0.05); /* [m/s]: faster than this a contact counts as sliding */
static const tc_real FAR = TC_C(3.0);   /* spreads of the floor's height */
static const tc_real LEAVE_AT_ONCE = TC_C(0.97);
static const tc_real KIND_PART = TC_C(0.25); /* of contacts that change their kind: to each of the
                                              * four */
static const tc_real MODEL_AFTER = TC_C(0.005); /* of a touch-down: when the model is first asked
                                                 * [s] */
static const tc_real MODEL_HEED = TC_C(0.4);    /* of contacts that the model contradicts: may
                                                 * change kind in a tick */
static const tc_real MODEL_SPREAD = TC_C(0.2);  /* of the model's friction about the true one */
static const tc_real FORCE_TIME = TC_C(0.005);  /* of the force's filter [s] */
static const tc_real RATE_TIME = TC_C(0.01);    /* of the filter of joint accelerations [s] */

static const tci_estimator_bank *bank_of(const tc_leg *leg)
{
#if TC_ESTIMATOR_MANY
    return leg->joints == 2u ? &tci_estimator_bank_two : &tci_estimator_bank_many;
#else
    (void)leg;
    return &tci_estimator_bank_two;
#endif
}

/* ---- The start ------------------------------------------------------------------------------- */

/* All hypotheses at the encoders, at rest. */
static void begin_estimator(tc_estimator *e, const tc_estimator_sensors *s)
{
    bank_of(e->leg)->start(e, s->encoder);
    tci_estimator_sensors_start(e, s);
    e->p[TC_MODE_AIR] = TC_C(0.98); /* what moves nothing looks like contact in the first tick */
    e->p[TC_MODE_STICK] = e->p[TC_MODE_RIGHT] = e->p[TC_MODE_LEFT] = e->p[TC_MODE_FREE] =
        TC_C(0.005);
    e->force[0] = e->force[1] = e->force_change = TC_C(0.0);
    e->friction = e->config->friction;
    e->friction_variance = e->config->friction_spread * e->config->friction_spread;
    e->since = e->gone = e->settling = TC_C(0.0);
    e->contact = e->ticks = 0;
    tci_estimator_base_start(e);
}

static tc_status check_start(const tc_estimator_config *config, const tc_leg *leg,
                             const tc_estimator_sensors *first, const tc_real *state,
                             size_t state_len)
{
    tc_status status = tc_leg_check(leg);
    if (status >= TC_OK && !TC_ESTIMATOR_MANY && leg->joints != 2u) {
        status = TC_ERR_UNSUPPORTED;
    }
    if (status >= TC_OK) {
        status = tci_estimator_check(config, leg->joints);
    }
    if (status >= TC_OK) {
        status = tc_work_check(state, state_len, TC_ESTIMATOR_STATE(leg->joints));
    }
    return status >= TC_OK ? tci_estimator_sensors_check(config, leg->joints, first) : status;
}

tc_status tc_estimator_init(tc_estimator *e, const tc_estimator_config *config, const tc_leg *leg,
                            const tc_estimator_model *model, const tc_estimator_sensors *first,
                            tc_real *state, size_t state_len)
{
    if (e == NULL) {
        return TC_ERR_NULL;
    }
    memset(e, 0, sizeof *e);
    if (config == NULL || first == NULL || state == NULL || (model != NULL && model->ask == NULL)) {
        return TC_ERR_NULL;
    }
    const tc_status status = check_start(config, leg, first, state, state_len);
    if (status < TC_OK) {
        return status;
    }
    e->config = config;
    e->leg = leg;
    e->model = model;
    e->state = state;
    e->pitch = first->given & TC_GIVEN_PITCH ? first->pitch : TC_C(0.0);
    tci_estimator_gain_start(e);
    begin_estimator(e, first);
    return TC_OK;
}

/* ---- Transition ------------------------------------------------------------------------------ */

/* How well the floor's height under the foot is known, against the last floor [m] */
static tc_real floor_spread(const tc_estimator *e)
{
    return tc_sqrt(e->config->floor_spread * e->config->floor_spread + e->vertical_covariance[0]);
}

/* Probability of a touch-down in this tick; `above` the foot's height over the last floor, `speed`
 * its velocity */
static tc_real touch_down(const tc_estimator *e, tc_real above, tc_real spread, tc_real speed,
                          tc_real H)
{
    const tc_estimator_config *const c = e->config;
    const tc_real most = TC_C(0.5);
    if (!(speed < TC_C(0.0))) {
        return c->touch_down_least;
    }
    const tc_real hazard =
        c->touch_down_least + tc_normal_ratio(above / spread) * (-speed * H) / spread;
    return hazard < most ? hazard : most;
}

/* Far above any floor a foot may hang as still as one that stands, for as long as the base is at
 * the top of its flight: a contact there must prove itself anew each tick. */
static tc_real lift_off(const tc_estimator *e, tc_real above, tc_real spread, tc_real speed)
{
    const tc_estimator_config *const c = e->config;
    if (above > FAR * spread) {
        return LEAVE_AT_ONCE;
    }
    if (above > c->rise && speed > TC_C(0.0)) {
        return c->lift_off_rising;
    }
    const tc_real light = tci_estimator_logistic((c->light - e->force[1]) * TC_C(4.0) / c->light);
    return c->lift_off + (c->lift_off_light - c->lift_off) * light;
}

/* Predicted probabilities into e->p, and how the hypotheses mix */
static void predict_modes(tc_estimator *e, tci_estimator_bank_tick *tick, tc_real down, tc_real up)
{
    const tc_estimator_config *const c = e->config;
    const tc_real slide = TC_C(0.5) * (TC_C(1.0) - c->land_stick - c->land_free);
    const tc_real landing[TC_ESTIMATOR_MODES] = {TC_C(0.0), c->land_stick, slide, slide,
                                                 c->land_free};
    const tc_real keep = tick->keep * (TC_C(1.0) - up);
    const tc_real swap = TC_C(1.0) - up - keep;
    const tc_real air = e->p[TC_MODE_AIR], contact = tci_estimator_contact(e);
    tc_real next[TC_ESTIMATOR_MODES];
    next[0] = (TC_C(1.0) - down) * air + up * contact;
    tick->own[0] = (TC_C(1.0) - down) * air / next[0];
    tick->pool[0] = up / next[0];
    tick->air[0] = TC_C(0.0);
    for (uint32_t k = 1; k < TC_ESTIMATOR_MODES; ++k) {
        const tc_real stays = keep * e->p[k], comes = swap * KIND_PART,
                      lands = down * landing[k] * air;
        next[k] = stays + comes * contact + lands;
        tick->own[k] = stays / next[k];
        tick->pool[k] = comes / next[k];
        tick->air[k] = lands / next[k];
    }
    memcpy(e->p, next, sizeof next);
}

/* e->p after the tick's likelihoods and a touch sensor's word */
static void weigh_estimator(tc_estimator *e, const tci_estimator_bank_tick *tick,
                            const tc_estimator_sensors *s)
{
    const tc_real *const l = tick->likelihood;
    const tc_real cut = -e->config->distrust;
    tc_real most = l[0], sum = TC_C(0.0);
    tc_real says[2] = {TC_C(1.0), TC_C(1.0)};
    if (s->given & TC_GIVEN_TOUCH) {
        const tc_real right = e->config->touch_reliability;
        says[1] = s->touch * right + (TC_C(1.0) - s->touch) * (TC_C(1.0) - right);
        says[0] = TC_C(1.0) - says[1];
    }
    for (uint32_t k = 1; k < TC_ESTIMATOR_MODES; ++k) {
        most = l[k] > most ? l[k] : most;
    }
    for (uint32_t k = 0; k < TC_ESTIMATOR_MODES; ++k) {
        const tc_real difference = l[k] - most;
        e->p[k] *= tc_exp(difference > cut ? difference : cut) * says[k != TC_MODE_AIR];
        sum += e->p[k];
    }
    const tc_real scale = TC_C(1.0) / sum;
    for (uint32_t k = 0; k < TC_ESTIMATOR_MODES; ++k) {
        const tc_real p = e->p[k] * scale;
        e->p[k] = p > PROBABILITY_LEAST ? p : PROBABILITY_LEAST;
    }
}

/* ---- What comes out -------------------------------------------------------------------------- */

/* inverse of W, packed, regularised */
static void invert_W(const tc_real W[3], tc_real inverse[3])
{
    const tc_real more = TC_C(1e-4) * (W[0] + W[2]);
    const tc_real tt = W[0] + more, nn = W[2] + more;
    const tc_real scale = TC_C(1.0) / (tt * nn - W[1] * W[1]);
    inverse[0] = nn * scale;
    inverse[1] = -W[1] * scale;
    inverse[2] = tt * scale;
}

static void estimate_impulse(tc_estimator *e, const tci_estimator_bank_tick *tick,
                             const tci_estimator_bank_sum *sum, tc_real contact,
                             tc_estimator_estimate *estimate)
{
    const uint32_t n = e->leg->joints;
    tc_real I[3];
    invert_W(tick->W, I);
    const tc_real v[2] = {sum->velocity[0] - tick->free[0], sum->velocity[1] - tick->free[1]};
    const tc_real *const V = sum->variance;
    estimate->impulse[0] = contact * (I[0] * v[0] + I[1] * v[1]);
    estimate->impulse[1] = contact * (I[1] * v[0] + I[2] * v[1]);
    estimate->impulse_variance[0] =
        I[0] * (I[0] * V[0] + TC_C(2.0) * I[1] * V[1]) + I[1] * I[1] * V[2];
    estimate->impulse_variance[1] =
        I[2] * (I[2] * V[2] + TC_C(2.0) * I[1] * V[1]) + I[1] * I[1] * V[0];
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real part = tick->sensors->torque[i] * tick->step * contact;
        const tc_real x = (I[0] * tick->turned[0][i] + I[1] * tick->turned[1][i]) * part;
        const tc_real y = (I[1] * tick->turned[0][i] + I[2] * tick->turned[1][i]) * part;
        estimate->impulse_variance[0] += e->scale_variance[i] * x * x;
        estimate->impulse_variance[1] += e->scale_variance[i] * y * y;
    }
}

/* Friction is the force's ratio while the foot slides. */
static void identify_friction(tc_estimator *e, tc_real sliding,
                              const tc_estimator_estimate *estimate)
{
    const tc_real least = e->config->friction_least, noise = TC_C(0.1);
    const tc_real speed = tc_vec_magnitude(estimate->slip) - SLIP;
    if (sliding > TC_C(0.8) && e->force[1] > e->config->light && speed > TC_C(0.0)
        && speed * speed > TC_C(4.0) * estimate->slip_variance) {
        const tc_real ratio = tc_vec_magnitude(e->force[0]) / e->force[1];
        const tc_real gain = e->friction_variance / (e->friction_variance + noise * noise);
        const tc_real mu =
            e->friction + gain * ((ratio < TC_C(3.0) ? ratio : TC_C(3.0)) - e->friction);
        e->friction = mu > least ? mu : least;
        e->friction_variance -= gain * e->friction_variance;
    }
}

/* Contact with hysteresis. A foot that has just landed bounces: until it has settled, short and low
 * flights are none. */
static void decide_estimator(tc_estimator *e, const tci_estimator_bank_tick *tick, tc_real H)
{
    const tc_estimator_config *const c = e->config;
    const tc_real contact = tci_estimator_contact(e);
    const int settling = e->settling > TC_C(0.0) && tick->ground.above < c->rise;
    e->settling -= H;
    e->since += e->contact != 0u ? H : -H;
    e->gone = contact < c->off ? e->gone + H : TC_C(0.0);
    if (e->contact == 0u && contact > c->on) {
        e->contact = 1;
        e->settling = e->since < -c->settle ? c->settle : e->settling;
        e->since = H;
        e->friction = c->friction;
        e->friction_variance = c->friction_spread * c->friction_spread;
        tci_estimator_base_land(e, tick);
    } else if (e->contact != 0u && e->gone > (settling ? c->bounce : TC_C(0.0))) {
        e->contact = 0;
        e->since = -e->gone;
    }
}

static void report_estimator(tc_estimator *e, const tci_estimator_bank_tick *tick,
                             const tci_estimator_bank_sum *sum, tc_real shared,
                             tc_estimator_estimate *estimate)
{
    const tc_real contact = tci_estimator_contact(e);
    estimate->p[0] = e->p[TC_MODE_AIR];
    estimate->p[1] = e->p[TC_MODE_STICK] + (TC_C(1.0) - shared) * e->p[TC_MODE_FREE];
    estimate->p[2] = e->p[TC_MODE_RIGHT] + e->p[TC_MODE_LEFT] + shared * e->p[TC_MODE_FREE];
    estimate->slip = tick->base[0] + sum->velocity[0];
    estimate->slip_variance = sum->variance[0] + tick->slide_variance;
    estimate_impulse(e, tick, sum, contact, estimate);
    estimate->since = e->since;
    estimate->contact = e->contact;
}

/* Part of free impact that counts as sliding: by its own velocity along the floor */
static tc_real sliding_part(const tc_estimator *e, const tci_estimator_bank_tick *tick)
{
    const uint32_t n = e->leg->joints;
    const tc_real *const w = e->state + TC_MODE_FREE * TC_ESTIMATOR_HYPOTHESIS(n) + n;
    tc_real v = tick->base[0];
    for (uint32_t i = 0; i < n; ++i) {
        v += tick->motion.J[i] * w[i];
    }
    return tci_estimator_logistic((tc_vec_magnitude(v) - SLIP) * TC_C(50.0));
}

static void conclude_tick(tc_estimator *e, const tci_estimator_bank_tick *tick,
                          tc_estimator_estimate *estimate)
{
    const tc_real contact = tci_estimator_contact(e);
    const tc_real scale = TC_C(1.0) / contact;
    tc_real weight[TC_ESTIMATOR_MODES];
    tci_estimator_bank_sum sum;
    for (uint32_t k = 0; k < TC_ESTIMATOR_MODES; ++k) {
        weight[k] = e->p[k] * scale;
    }
    bank_of(e->leg)->sum(e, tick, weight, &sum);
    decide_estimator(e, tick, tick->step);
    report_estimator(e, tick, &sum, sliding_part(e, tick), estimate);
    tci_estimator_base_correct(e, tick, &sum, contact, e->p[TC_MODE_STICK]);
    const tc_real pace = tick->step < FORCE_TIME ? tick->step / FORCE_TIME : TC_C(1.0);
    const tc_real before = e->force[1];
    for (uint32_t i = 0; i < 2u; ++i) {
        e->force[i] += pace * (estimate->impulse[i] / tick->step - e->force[i]);
    }
    e->force_change += pace * ((e->force[1] - before) / tick->step - e->force_change);
    identify_friction(e, e->p[TC_MODE_RIGHT] + e->p[TC_MODE_LEFT], estimate);
}

/* ---- Friction -------------------------------------------------------------------------------- */

/* The identified friction, and nothing known of who will stick */
static void expect_friction(const tc_estimator *e, tci_estimator_bank_tick *tick)
{
    const tc_real width = e->config->friction_width;
    tick->friction = e->friction;
    tick->friction_spread = tc_sqrt(e->friction_variance + width * width);
    tick->keep = e->config->keep;
}

/* Friction by both, weighted by their variances. Of the sticking and sliding, the more the model
 * contradicts the fewer keep their kind. That the encoders decide which they change to, and the
 * model only that they do, was measured to be better than the other way round
 * (tests/hil/README.md): a prior of the kinds also holds back those whom the model is wrong
 * about. */
static void heed_model(const tc_estimator *e, const tc_estimator_answer *answer,
                       tci_estimator_bank_tick *tick)
{
    const tc_real width = e->config->friction_width, variance = e->friction_variance;
    const tc_real gain = variance / (variance + MODEL_SPREAD * MODEL_SPREAD);
    const tc_real stick = e->p[TC_MODE_STICK], slip = e->p[TC_MODE_RIGHT] + e->p[TC_MODE_LEFT];
    const tc_real against =
        ((TC_C(1.0) - answer->stick) * stick + answer->stick * slip) / (stick + slip);
    tick->friction = e->friction + gain * (answer->ratio - e->friction);
    tick->friction_spread = tc_sqrt((TC_C(1.0) - gain) * variance + width * width);
    tick->keep = e->config->keep * (TC_C(1.0) - MODEL_HEED * against);
}

/* Asks the model, where there is one. Not at a touch-down: an impact is shorter than a tick, what
 * its velocity would be at the tick's end says little of who sticks, and slip that is believed then
 * moves the base's velocity along the floor. */
static void ask_model(const tc_estimator *e, tci_estimator_bank_tick *tick, tc_real *work)
{
    tc_estimator_answer answer;
    if (e->model == NULL || e->contact == 0u || e->since < MODEL_AFTER) {
        return;
    }
    const tc_estimator_query query = {
        {tick->W[0], tick->W[1], tick->W[2]},
        {tick->base[0] + tick->free[0], tick->base[1] + tick->free[1]},
        tick->motion.angle,
        tick->motion.rate,
        {tick->motion.lever[0], tick->motion.lever[1]}};
    if (e->model->ask(e->model->context, &query, &answer, work) >= 0 && answer.ratio >= TC_C(0.0)
        && answer.ratio <= TC_C(10.0) && answer.stick >= TC_C(0.0) && answer.stick <= TC_C(1.0)) {
        heed_model(e, &answer, tick);
    }
}

/* ---- A tick ---------------------------------------------------------------------------------- */

/* Joint accelerations, for predictions: `rates` are those before this tick of `step` */
static void follow_rates(tc_estimator *e, const tc_real *rates, tc_real step)
{
    const tc_real pace = step < RATE_TIME ? step / RATE_TIME : TC_C(1.0),
                  inverse = TC_C(1.0) / step;
    for (uint32_t i = 0; i < e->leg->joints; ++i) {
        e->rate_change[i] += pace * ((rates[i] - e->rate[i]) * inverse - e->rate_change[i]);
        e->rate[i] = rates[i];
    }
}

/* The arrays of the leg's motion; returns what is left of `work` */
static tc_real *carve_estimator(tc_leg_view *motion, tc_real *turned[2], tc_real *work, uint32_t n)
{
    motion->M = work;
    motion->bias = motion->M + n * n;
    motion->J = motion->bias + n;
    turned[0] = motion->J + 2u * n;
    turned[1] = turned[0] + n;
    return turned[1] + n;
}

/* What the bank says of itself, and of the base likewise; and whether the estimate's numbers are
 * finite, which they are not where W is none: of a foot on the axis of its leg's only joint. */
static int is_healthy(const tc_estimator *e, const tci_estimator_bank_tick *tick,
                      const tc_estimator_estimate *estimate)
{
    const tc_real sum = estimate->impulse[0] + estimate->impulse[1] + estimate->impulse_variance[0]
                        + estimate->impulse_variance[1] + estimate->slip + estimate->slip_variance;
    return tick->sound != 0u && e->vertical_covariance[0] >= TC_C(0.0)
           && e->vertical_covariance[3] >= TC_C(0.0) && e->horizontal_covariance[0] >= TC_C(0.0)
           && e->p[0] + tci_estimator_contact(e) < TC_C(2.0) && TC_C(0.0) * sum == TC_C(0.0);
}

/* The ground below the foot, and the base's velocity and its variance in contact axes */
static void stand_tick(const tc_estimator *e, tci_estimator_bank_tick *tick, tc_real rate)
{
    const tc_estimator_config *const c = e->config;
    const tc_real velocity[2] = {e->horizontal[0], e->vertical[1]};
    tci_estimator_ground_look(e, e->place, e->vertical[0], rate, &tick->motion, &tick->ground);
    const tc_real *const n = tick->ground.normal;
    const tc_real x = n[0] * n[0], y = n[1] * n[1];
    const tc_real along = e->horizontal_covariance[0], up = e->vertical_covariance[3];
    tci_estimator_ground_turn(n, velocity, tick->base);
    for (uint32_t i = 0; i < 2u; ++i) {
        tick->base[i] += tick->motion.carried[i];
    }
    tick->slide_variance = TC_MLA(y * along, x, up);
    tick->base_variance[0] = c->stick_speed * c->stick_speed + tick->slide_variance;
    tick->base_variance[1] = c->normal_speed * c->normal_speed + TC_MLA(y * up, x, along);
}

/* 1, or 0 if the filter has to begin again */
static int advance_estimator(tc_estimator *e, const tc_estimator_sensors *s,
                             tc_estimator_estimate *estimate, tc_real *work)
{
    const uint32_t n = e->leg->joints;
    const tci_estimator_bank *const bank = bank_of(e->leg);
    const tc_estimator_config *const c = e->config;
    tci_estimator_bank_tick tick;
    tc_leg_base base;
    tc_real *const R = work, *const noise = R + n, *const mean = noise + n;
    tc_real *const rest = carve_estimator(&tick.motion, tick.turned, mean + 2u * n, n);
    tick.sensors = s;
    tick.R = R;
    tick.torque_noise = noise;
    tick.mean = mean;
    /* after more the filter has just begun */
    const uint32_t lost = s->lost > LOST_MOST ? 0u : s->lost;
    tick.step = c->step * (tc_real)(lost + 1u);
    tick.noise = lost != 0u ? c->lost_scale : TC_C(1.0);
    bank->mean(e, mean);
    estimate->flags = tci_estimator_sensors_flags(e, s);
    e->ticks = s->lost != 0u ? 0u : e->ticks + (e->ticks < 4u);
    estimate->flags |= tci_estimator_sensors_encoders(e, s, mean, tick.step, R);
    tci_estimator_sensors_torques(e, s, noise);
    tci_estimator_base_move(e, s, tick.step, &base);
    tc_leg_look(e->leg, &base, s->encoder, mean + n, &tick.motion);
    stand_tick(e, &tick, base.rate);
    tci_estimator_gain_follow(e, &tick);
    follow_rates(e, mean + n, tick.step);
    bank->prepare(e, &tick, rest);
    expect_friction(e, &tick);
    ask_model(e, &tick, rest + TC_BANK_WORK(n));
    const tc_real above = tick.ground.above, speed = tick.base[1] + tick.free[1];
    const tc_real spread = floor_spread(e);
    predict_modes(e, &tick, touch_down(e, above, spread, speed, tick.step),
                  lift_off(e, above, spread, speed));
    bank->move(e, &tick, rest);
    weigh_estimator(e, &tick, s);
    conclude_tick(e, &tick, estimate);
    return is_healthy(e, &tick, estimate);
}

/* The estimate of a filter that has just begun */
static void nothing_known(const tc_estimator *e, tc_estimator_estimate *estimate)
{
    const uint32_t flags = estimate->flags;
    memset(estimate, 0, sizeof *estimate);
    estimate->p[0] = e->p[TC_MODE_AIR];
    estimate->p[1] = estimate->p[2] = TC_C(0.5) * tci_estimator_contact(e);
    estimate->slip_variance = TC_START_SPEED * TC_START_SPEED;
    estimate->flags = flags | TC_ESTIMATE_SATURATED | TC_ESTIMATE_DEGRADED;
}

static tc_status check_call_estimator(const tc_estimator *e, const tc_estimator_sensors *sensors,
                                      const tc_real *work, size_t work_len)
{
    if (e == NULL || sensors == NULL || work == NULL || e->leg == NULL) {
        return TC_ERR_NULL;
    }
    const uint32_t n = e->leg->joints;
    const size_t needed = TC_ESTIMATOR_WORK(n, e->model == NULL ? 0u : (size_t)e->model->work_len);
    const tc_status fit = tc_work_check(work, work_len, needed);
    return fit < TC_OK ? fit : tci_estimator_sensors_check(e->config, n, sensors);
}

tc_status tc_estimator_update(tc_estimator *e, const tc_estimator_sensors *sensors,
                              tc_estimator_estimate *estimate, tc_real *work, size_t work_len)
{
    if (estimate == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = check_call_estimator(e, sensors, work, work_len);
    if (status < TC_OK) {
        memset(estimate, 0, sizeof *estimate);
        return status;
    }
    if (sensors->lost > LOST_MOST || e->jumps >= JUMPS_MOST) {
        begin_estimator(e, sensors);
    }
    if (!advance_estimator(e, sensors, estimate, work)) {
        begin_estimator(e, sensors);
        nothing_known(e, estimate);
    }
    return TC_OK;
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
