/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The estimator's configuration.
 */
#include "tc_exact.h"
#include "tc_estimator_core.h"

#include <string.h>

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

static int within(tc_real x, tc_real low, tc_real high)
{
    return x >= low && x <= high;
}

static int check_all(const tc_real *x, uint32_t n, tc_real low, tc_real high)
{
    int good = 1;
    for (uint32_t i = 0; i < n; ++i) {
        good &= within(x[i], low, high);
    }
    return good;
}

tc_status tc_estimator_check(const tc_estimator_config *c, uint32_t joints)
{
    const tc_real least = TC_C(1e-9), most = TC_C(1e6), one = TC_C(1.0);
    const tc_real positive[] = {c->lost_scale, c->accel_noise, c->accel_bias, c->base_velocity_noise, c->levelling,
                                c->torque_limit, c->gyro_limit, c->accel_limit, c->force, c->stick_speed,
                                c->normal_speed, c->friction_spread, c->floor_spread, c->light, c->distrust,
                                c->foot_speed, c->foot_height};
    const tc_real parts[] = {c->torque_part, c->torque_gain, c->bias_part, c->accel_drift, c->friction, c->rise,
                             c->gyro_noise, c->doubt, c->settle, c->bounce};
    const tc_real chances[] = {c->land_stick, c->land_free, c->touch_down_least, c->lift_off, c->lift_off_light,
                               c->lift_off_rising};
    const int good = within(c->step, TC_C(1e-5), TC_C(0.1)) && check_all(c->encoder_step, joints, least, one) &&
                     check_all(c->torque_noise, joints, least, most) &&
                     check_all(positive, TC_COUNT(positive), least, most) &&
                     check_all(parts, TC_COUNT(parts), TC_C(0.0), TC_C(100.0)) &&
                     check_all(chances, TC_COUNT(chances), TC_C(1e-12), TC_C(0.5)) &&
                     within(c->keep, TC_C(0.0), TC_C(0.9999)) &&
                     within(c->touch_reliability, TC_C(0.5), TC_C(0.9999)) &&
                     within(c->on, TC_C(0.0), one) && within(c->off, TC_C(0.0), c->on);
    return good ? TC_OK : TC_ERR_RANGE;
}
