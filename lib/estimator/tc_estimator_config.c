/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The estimator's configuration, and how it is scaled.
 *
 * It was tuned on one leg. For another, what has a dimension grows as what it stands for does.
 * Symbols: m the mass that a contact at the foot has to stop and L the leg's reach (tc_leg_size.c),
 * h the tick, d the step of an encoder, each over that of the leg of the tuning, so that all are 1
 * there and nothing changes, not even a bit.
 *
 *   forces      what a landing or a press does to a leg's velocities is F / m: `force` and `light`
 *               grow with m
 *   encoders    to the filter a contact force is constant over a tick, so its noise has rank one,
 *               and where positions are believed to the end the velocity follows from them alone:
 *               w+ = 2 dq / h - w, which rings from tick to tick (measured: encoders of 20 bits
 *               told as such see lift-offs 32 ms late). So no encoder is told finer than the way
 *               that a foot moves unforeseen in a tick asks for (tc_leg_size.c): bits beyond those
 *               of the tuning add nothing
 *   coarseness  c, how many times coarser than that an encoder is, 1 or more. What tells contact
 *               from air is how much wider a contact spreads the positions than they are read,
 *               force h^2 / (m L d): where d alone grows, air and contact look alike and the prior
 *               decides. So `force` grows a little with it, as c^(1/4): as c, the ratio were kept
 *               and soft contacts lost. And contact begins and ends only with more certainty: 1 -
 *               on falls as c^(-3/4), 1 - off as c^(-1/2). The exponents were chosen on tuning
 *               seeds
 *   chances     per tick, of what is rare, grow with h
 *   speeds      a sticking foot is asked in each tick, so its variance goes as 1 / h for as much to
 *               be said in a second. So does that of a foot in contact along the normal where h is
 *               above 1: its landing is over within a tick, and a wider one lets the velocity ring
 *               as above (measured at 4 ms, h times as wide: lift-offs 25 to 200 ms late, impulses
 *               of either sign in turn). Below 1 the deviation falls as h^(3/4), for a foot gains
 *               less in a tick; the exponent was chosen on tuning seeds. Of the accelerometer: what
 *               is not the sensor's own noise is white in time, of variance ~ 1 / h in a tick's mean
 *   sensors     torque noise in proportion; gyro, base velocity, ranges as they are. The filter
 *               does not use the gyro's noise: 0.003 rad/s at 0.4 m are 1.2 mm/s of the foot,
 *               beside the 21 mm/s that a sticking foot may slip
 *
 * Heights, frictions, times and speeds along the floor are the floor's and the gait's business and
 * stay.
 */
#include "tc_exact.h"
#include "tc_estimator_internal.h"

#include <string.h>

static const tc_real MOST_CHANCE = TC_C(0.5);

static int within_config(tc_real x, tc_real low, tc_real high)
{
    return x >= low && x <= high;
}

tc_estimator_config tc_estimator_default(void)
{
    tc_estimator_config c;
    memset(&c, 0, sizeof c);
    c.step = TC_C(0.001);
    for (uint32_t i = 0; i < TC_LEG_JOINTS; ++i) {
        c.encoder_step[i] = TC_C(9.58737992e-5); /* 2 pi / 2^16 */
        c.torque_noise[i] = TC_C(0.049);
    }
    c.torque_part = TC_C(0.05);
    c.torque_gain = TC_C(0.03);
    c.bias_part = TC_C(0.15);
    c.lost_scale = TC_C(15.0);
    c.gyro_noise = TC_C(0.003);
    c.accel_noise = TC_C(0.38);
    c.accel_bias = TC_C(0.15);
    c.accel_drift = TC_C(0.0056);
    c.base_velocity_noise = TC_C(0.02);
    c.touch_reliability = TC_C(0.9);
    c.levelling = TC_C(5.0);
    c.torque_limit = TC_C(1e3);
    c.gyro_limit = TC_C(35.0);
    c.accel_limit = TC_C(160.0);
    c.frozen = 8;
    c.force = TC_C(170.0);
    c.stick_speed = TC_C(0.021);
    c.normal_speed = TC_C(0.161);
    c.doubt = TC_C(0.12);
    c.start_speed = TC_C(0.3);
    c.friction_least = TC_C(0.26);
    c.friction_width = TC_C(0.23);
    c.friction = TC_C(0.48);
    c.friction_spread = TC_C(0.096);
    c.touch_down_least = TC_C(5.2e-09);
    c.land_stick = TC_C(0.3);
    c.land_free = TC_C(0.48);
    c.floor_spread = TC_C(0.0106);
    c.lift_off = TC_C(0.0029);
    c.lift_off_light = TC_C(0.024);
    c.lift_off_rising = TC_C(0.28);
    c.light = TC_C(0.35);
    c.rise = TC_C(0.0027);
    c.keep = TC_C(0.894);
    c.distrust = TC_C(45.0);
    c.on = TC_C(0.579);
    c.off = TC_C(0.496);
    c.settle = TC_C(0.057);
    c.bounce = TC_C(0.005);
    c.foot_speed = TC_C(1.1);
    c.foot_height = TC_C(0.00059);
    return c;
}

/* ---- Scaling --------------------------------------------------------------------------------- */

/* A chance per tick, over h times the tick */
static tc_real chance_per_tick(tc_real p, tc_real h)
{
    return p * h < MOST_CHANCE ? p * h : MOST_CHANCE;
}

/* A probability whose distance to 1 is divided; exactly itself for 1 */
static tc_real surer_probability(tc_real p, tc_real by)
{
    return p + (TC_C(1.0) - p) * (TC_C(1.0) - TC_C(1.0) / by);
}

static void scale_sensors(tc_estimator_config *c, uint32_t joints, const tc_leg_sensing *s,
                          tc_real h)
{
    const tc_leg_sensing tuned = tc_leg_sensing_default();
    const tc_real excess =
        (s->accel_noise - tuned.accel_noise) * (s->accel_noise + tuned.accel_noise);
    c->accel_noise =
        tc_sqrt(c->accel_noise * c->accel_noise / h + (excess < TC_C(0.0) ? TC_C(0.0) : excess));
    for (uint32_t i = 0; i < joints; ++i) {
        c->torque_noise[i] *= s->torque_noise[i] / tuned.torque_noise[i];
    }
    c->gyro_noise = s->gyro_noise;
    c->base_velocity_noise = s->base_velocity_noise;
    c->torque_limit = s->torque_limit;
    c->gyro_limit = s->gyro_limit;
    c->accel_limit = s->accel_limit;
}

static void scale_tick(tc_estimator_config *c, tc_real h)
{
    const tc_real change = TC_C(1.0) - c->keep, most = TC_C(0.9) - change, root = tc_sqrt(h);
    c->keep -= change * (h - TC_C(1.0)) < most ? change * (h - TC_C(1.0)) : most;
    c->touch_down_least = chance_per_tick(c->touch_down_least, h);
    c->lift_off = chance_per_tick(c->lift_off, h);
    c->lift_off_light = chance_per_tick(c->lift_off_light, h);
    c->lift_off_rising = chance_per_tick(c->lift_off_rising, h);
    c->normal_speed *= h < TC_C(1.0) ? root * tc_sqrt(root) : TC_C(1.0) / root;
    c->stick_speed /= root;
}

tc_status tc_estimator_default_for(const tc_leg *leg, tc_real tick, const tc_leg_sensing *sensing,
                                   tc_estimator_config *config)
{
    if (config == NULL) {
        return TC_ERR_NULL;
    }
    memset(config, 0, sizeof *config);
    tc_status status = sensing == NULL ? TC_ERR_NULL : tc_leg_check(leg);
    if (status >= TC_OK) {
        status = within_config(tick, TC_C(1e-5), TC_C(0.1))
                     ? tc_leg_sensing_check(sensing, leg->joints)
                     : TC_ERR_RANGE;
    }
    if (status < TC_OK) {
        return status;
    }
    *config = tc_estimator_default();
    const tc_real h = tick / config->step,
                  mass = tc_leg_size_of(leg).mass / tc_leg_size_reference().mass;
    const tc_real c = tc_leg_steps(leg, tick, sensing, config->encoder_step);
    const tc_real root = tc_sqrt(c), fourth = tc_sqrt(root);
    config->step = tick;
    scale_tick(config, h);
    scale_sensors(config, leg->joints, sensing, h);
    config->force *= mass * fourth;
    config->light *= mass;
    config->on = surer_probability(config->on, root * fourth);
    config->off = surer_probability(config->off, root);
    status = tci_estimator_check(config, leg->joints);
    if (status < TC_OK) {
        memset(config, 0, sizeof *config);
    }
    return status;
}

/* ---- Checking -------------------------------------------------------------------------------- */

static int check_all(const tc_real *x, uint32_t n, tc_real low, tc_real high)
{
    int good = 1;
    for (uint32_t i = 0; i < n; ++i) {
        good &= within_config(x[i], low, high);
    }
    return good;
}

static int chances_good(const tc_estimator_config *c)
{
    const tc_real chances[] = {c->land_stick, c->land_free,      c->touch_down_least,
                               c->lift_off,   c->lift_off_light, c->lift_off_rising};
    return check_all(chances, TC_COUNT(chances), TC_C(1e-12), TC_C(0.5))
           && within_config(c->keep, TC_C(0.0), TC_C(0.9999))
           && within_config(c->touch_reliability, TC_C(0.5), TC_C(0.9999))
           && within_config(c->on, TC_C(0.0), TC_C(1.0)) && within_config(c->off, TC_C(0.0), c->on);
}

tc_status tci_estimator_check(const tc_estimator_config *c, uint32_t joints)
{
    const tc_real least = TC_C(1e-9), most = TC_C(1e6), one = TC_C(1.0);
    const tc_real positive[] = {c->lost_scale,          c->accel_noise,  c->accel_bias,
                                c->base_velocity_noise, c->levelling,    c->torque_limit,
                                c->gyro_limit,          c->accel_limit,  c->force,
                                c->stick_speed,         c->normal_speed, c->friction_spread,
                                c->floor_spread,        c->light,        c->distrust,
                                c->foot_speed,          c->foot_height};
    const tc_real parts[] = {c->torque_part,   c->torque_gain, c->bias_part,   c->accel_drift,
                             c->friction,      c->rise,        c->gyro_noise,  c->doubt,
                             c->settle,        c->bounce,      c->start_speed, c->friction_least,
                             c->friction_width};
    const int good = within_config(c->step, TC_C(1e-5), TC_C(0.1))
                     && check_all(c->encoder_step, joints, least, one)
                     && check_all(c->torque_noise, joints, least, most)
                     && check_all(positive, TC_COUNT(positive), least, most)
                     && check_all(parts, TC_COUNT(parts), TC_C(0.0), TC_C(100.0))
                     && chances_good(c);
    return good ? TC_OK : TC_ERR_RANGE;
}
