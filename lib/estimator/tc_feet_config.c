/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The configuration of the estimator of all feet, and how it follows the robot.
 *
 * It was tuned on a quadruped. For another robot, m is its mass and L the mean reach of its limbs,
 * each over that quadruped's; h is the tick over 1 ms:
 *
 *   forces     `force`, `free_force` and `light` grow with m: what a landing does to a foot's
 *              velocity goes as F / m
 *   heights    `floor_spread`, `foot_height`, `rise` and `stance` grow with L
 *   torques    noise grows with the limb's mass times its reach, as its weight's torque does
 *   chances    per tick, of what is rare, grow with h; so does 1 - keep
 *   speeds     `normal_speed`, `stick_speed` and the feet's words to the base are asked in each
 *              tick: their variances go as 1 / h, for as much to be said in a second
 *   sensors    encoders as they are stated. The accelerometer's noise is white: its variance in a
 *              tick's mean goes as 1 / h
 */
#include "tc_exact.h"
#include "tc_feet_internal.h"

#include "tc_vec.h"

#include <string.h>

/* Of the tuning */
static const tc_real TUNED_MASS = TC_C(12.04), TUNED_REACH = TC_C(0.506); /* [kg], [m] */
static const tc_real TUNED_LIMB = TC_C(1.71);                             /* mass of a limb [kg] */
static const tc_real TUNED_STEP = TC_C(9.58737992e-5);                    /* 2 pi / 2^16 */
static const tc_real TURN = TC_C(6.2831853);
static const tc_real UNKNOWN_PART = TC_C(100.0); /* of torque_noise: torques that no one reads */
static const tc_real CHANCE_MOST = TC_C(0.5);

static int between_feet(tc_real x, tc_real low, tc_real high)
{
    return x >= low && x <= high;
}

tc_feet_sensing tc_feet_sensing_default(void)
{
    return (tc_feet_sensing){.encoder_counts = TC_C(65536.0),
                             .torque_gain = TC_C(0.05),
                             .accel_noise = TC_C(0.06),
                             .torque_limit = TC_C(1e3),
                             .gyro_limit = TC_C(35.0),
                             .accel_limit = TC_C(160.0)};
}

static void default_hypotheses(tc_feet_config *c)
{
    c->stop_margin = TC_C(0.03);
    c->singular = TC_C(0.03);
    c->force = TC_C(220.0);
    c->free_force = TC_C(300.0);
    c->normal_speed = TC_C(0.15);
    c->stick_speed = TC_C(0.023);
    c->slide_part = TC_C(0.3);
    c->friction = TC_C(0.6);
    c->floor_spread = TC_C(0.008);
    c->touch_down_least = TC_C(1e-4);
    c->land_free = TC_C(0.3);
    c->lift_off = TC_C(0.002);
    c->lift_off_light = TC_C(0.03);
    c->lift_off_rising = TC_C(0.2);
    c->light = TC_C(12.0);
    c->rise = TC_C(0.002);
    c->keep = TC_C(0.95);
    c->distrust = TC_C(14.0);
    c->on = TC_C(0.8);
    c->off = TC_C(0.24);
    c->rest = TC_C(0.3);
    c->force_rate = TC_C(40.0);
    c->odometry = TC_C(0.06);
    c->foot_speed = TC_C(0.1);
    c->settle = TC_C(0.005);
    c->foot_height = TC_C(0.003);
    c->doubt = TC_C(0.3);
    c->opposes = TC_C(0.05);
    c->slope_rate = TC_C(3.0);
    c->stance = TC_C(0.03);
}

tc_feet_config tc_feet_default(void)
{
    tc_feet_config c = {.step = TC_C(0.001),
                        .encoder_scale = TC_C(1.6),
                        .torque_part = TC_C(0.07),
                        .torque_gain = TC_C(0.05),
                        .bias_part = TC_C(0.7),
                        .lost_scale = TC_C(15.0),
                        .accel_noise = TC_C(0.1),
                        .accel_drift = TC_C(0.1),
                        .touch_reliability = TC_C(0.9),
                        .levelling = TC_C(5.0),
                        .torque_limit = TC_C(1e3),
                        .gyro_limit = TC_C(35.0),
                        .accel_limit = TC_C(160.0),
                        .frozen = 8};
    default_hypotheses(&c);
    for (uint32_t k = 0; k < TC_ROBOT_LIMBS; ++k) {
        for (uint32_t i = 0; i < TC_ROBOT_JOINTS; ++i) {
            c.encoder_step[k][i] = TUNED_STEP;
            c.torque_noise[k][i] = TC_C(0.1);
        }
        c.torque_unknown[k] = TC_C(10.0);
    }
    return c;
}

/* ---- Scaling --------------------------------------------------------------------------------- */

tc_real tci_feet_reach(const tc_robot_limb *limb)
{
    tc_real reach = tc_sqrt(tc_vec_dot3(limb->foot, limb->foot));
    for (uint32_t i = 1; i < limb->joints; ++i) {
        reach += tc_sqrt(tc_vec_dot3(limb->links[i].origin, limb->links[i].origin));
    }
    return reach;
}

static tc_real limb_mass(const tc_robot_limb *limb)
{
    tc_real mass = TC_C(0.0);
    for (uint32_t i = 0; i < limb->joints; ++i) {
        mass += limb->links[i].mass;
    }
    return mass;
}

static void scale_limb(tc_feet_config *c, const tc_robot_limb *limb, uint32_t k,
                       const tc_feet_sensing *s)
{
    const tc_real size = limb_mass(limb) * tci_feet_reach(limb) / (TUNED_LIMB * TUNED_REACH);
    for (uint32_t i = 0; i < TC_ROBOT_JOINTS; ++i) {
        const int slides = i < limb->joints && limb->links[i].joint == TC_CHAIN_PRISMATIC;
        const tc_real built = (slides ? TC_C(1.0) : TURN) / s->encoder_counts;
        c->encoder_step[k][i] =
            tc_sqrt(TC_MLA(built * built, TC_C(12.0) * s->encoder_noise, s->encoder_noise));
        c->torque_noise[k][i] *= size;
        c->torque_noise[k][i] = tc_vec_max(c->torque_noise[k][i], s->torque_noise);
    }
    c->torque_unknown[k] = UNKNOWN_PART * c->torque_noise[k][0];
}

static tc_real tick_chance(tc_real p, tc_real h)
{
    return p * h < CHANCE_MOST ? p * h : CHANCE_MOST;
}

static void scale_feet_tick(tc_feet_config *c, tc_real h)
{
    const tc_real change = (TC_C(1.0) - c->keep) * h, root = TC_C(1.0) / tc_sqrt(h);
    c->keep = TC_C(1.0) - (change < CHANCE_MOST ? change : CHANCE_MOST);
    c->touch_down_least = tick_chance(c->touch_down_least, h);
    c->lift_off = tick_chance(c->lift_off, h);
    c->lift_off_light = tick_chance(c->lift_off_light, h);
    c->lift_off_rising = tick_chance(c->lift_off_rising, h);
    c->normal_speed *= root;
    c->stick_speed *= root;
    c->odometry *= root;
    c->foot_speed *= root;
    c->foot_height *= root;
    c->accel_noise *= root;
}

static void scale_robot(tc_feet_config *c, const tc_robot *robot, const tc_feet_sensing *s)
{
    const tc_real mass = robot->mass / TUNED_MASS;
    tc_real reach = TC_C(0.0);
    for (uint32_t k = 0; k < robot->limbs; ++k) {
        reach += tci_feet_reach(&robot->limb[k]);
        scale_limb(c, &robot->limb[k], k, s);
    }
    reach /= TUNED_REACH * (tc_real)robot->limbs;
    c->force *= mass;
    c->free_force *= mass;
    c->light *= mass;
    c->floor_spread *= reach;
    c->foot_height *= reach;
    c->rise *= reach;
    c->stance *= reach;
}

static tc_status check_sensing(const tc_feet_sensing *s)
{
    const tc_real most = TC_C(1e9);
    const int good = between_feet(s->encoder_counts, TC_C(1.0), most)
                     && between_feet(s->encoder_noise, TC_C(0.0), TC_C(1.0))
                     && between_feet(s->torque_noise, TC_C(0.0), most)
                     && between_feet(s->torque_gain, TC_C(0.0), TC_C(1.0))
                     && between_feet(s->accel_noise, TC_C(1e-9), TC_C(100.0));
    return good ? TC_OK : TC_ERR_RANGE;
}

tc_status tc_feet_default_for(const tc_robot *robot, tc_real tick, const tc_feet_sensing *sensing,
                              tc_feet_config *config)
{
    if (config == NULL) {
        return TC_ERR_NULL;
    }
    memset(config, 0, sizeof *config);
    tc_status status = sensing == NULL ? TC_ERR_NULL : tc_robot_check(robot);
    if (status >= TC_OK) {
        status = between_feet(tick, TC_C(1e-5), TC_C(0.1)) ? check_sensing(sensing) : TC_ERR_RANGE;
    }
    if (status < TC_OK) {
        return status;
    }
    *config = tc_feet_default();
    const tc_real tuned = tc_feet_sensing_default().accel_noise, ticks = tick / config->step;
    const tc_real excess = (sensing->accel_noise * sensing->accel_noise - tuned * tuned) / ticks;
    scale_feet_tick(config, ticks);
    scale_robot(config, robot, sensing);
    if (excess > TC_C(0.0)) {
        config->accel_noise = tc_sqrt(TC_MLA(excess, config->accel_noise, config->accel_noise));
    }
    config->step = tick;
    config->torque_gain = sensing->torque_gain;
    config->torque_limit = sensing->torque_limit;
    config->gyro_limit = sensing->gyro_limit;
    config->accel_limit = sensing->accel_limit;
    status = tci_feet_config_check(config, robot);
    if (status < TC_OK) {
        memset(config, 0, sizeof *config);
    }
    return status;
}

/* ---- Checking -------------------------------------------------------------------------------- */

static int all_between(const tc_real *x, uint32_t n, tc_real low, tc_real high)
{
    int good = 1;
    for (uint32_t i = 0; i < n; ++i) {
        good &= between_feet(x[i], low, high);
    }
    return good;
}

static int feet_chances_good(const tc_feet_config *c)
{
    const tc_real chances[] = {c->touch_down_least, c->land_free, c->lift_off, c->lift_off_light,
                               c->lift_off_rising};
    return all_between(chances, TC_COUNT(chances), TC_C(1e-12), TC_C(0.5))
           && between_feet(c->keep, TC_C(0.0), TC_C(0.9999))
           && between_feet(c->touch_reliability, TC_C(0.5), TC_C(0.9999))
           && between_feet(c->on, TC_C(0.0), TC_C(1.0)) && between_feet(c->off, TC_C(0.0), c->on);
}

static int limbs_good(const tc_feet_config *c, const tc_robot *robot)
{
    const tc_real least = TC_C(1e-9), most = TC_C(1e6);
    int good = 1;
    for (uint32_t k = 0; k < robot->limbs; ++k) {
        const uint32_t n = robot->limb[k].joints;
        good &= all_between(c->encoder_step[k], n, least, TC_C(1.0))
                && all_between(c->torque_noise[k], n, least, most)
                && between_feet(c->torque_unknown[k], least, most);
    }
    return good;
}

tc_status tci_feet_config_check(const tc_feet_config *c, const tc_robot *robot)
{
    const tc_real least = TC_C(1e-9), most = TC_C(1e6);
    const tc_real positive[] = {c->encoder_scale, c->lost_scale,   c->accel_noise, c->levelling,
                                c->torque_limit,  c->gyro_limit,   c->accel_limit, c->force,
                                c->free_force,    c->normal_speed, c->stick_speed, c->floor_spread,
                                c->light,         c->distrust,     c->force_rate,  c->odometry,
                                c->foot_speed,    c->foot_height,  c->stance};
    const tc_real parts[] = {c->torque_part, c->torque_gain, c->bias_part,  c->accel_drift,
                             c->slide_part,  c->friction,    c->rise,       c->doubt,
                             c->opposes,     c->settle,      c->stop_margin};
    int good = between_feet(c->step, TC_C(1e-5), TC_C(0.1))
               && all_between(positive, TC_COUNT(positive), least, most)
               && all_between(parts, TC_COUNT(parts), TC_C(0.0), TC_C(100.0))
               && between_feet(c->rest, least, TC_C(1.0))
               && between_feet(c->singular, TC_C(0.0), TC_C(1.0))
               && between_feet(c->slope_rate, TC_C(0.0), TC_C(1e3)) && feet_chances_good(c);
    return good && limbs_good(c, robot) ? TC_OK : TC_ERR_RANGE;
}
