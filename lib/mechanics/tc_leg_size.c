/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * How large a leg is, told without a posture: what a configuration that was tuned on one leg is
 * scaled by for another.
 *
 * A joint that turns alone moves the foot of the leg stretched out, at the distance r from it, by r
 * qd, and carries the inertia I about itself (rotor included); one that slides moves it by qd and
 * carries a mass. So each adds r^2 / I, or 1 / m, to how easily the foot is moved, and the inverse
 * of their sum is a mass: what a contact has to stop. It leaves out how the joints couple and how
 * the leg is bent, which the ratio of two legs hardly sees.
 *
 * Encoders are told by the step that rounds as badly as they read: rounding by d has the variance
 * d^2 / 12, noise of deviation s beside it makes d^2 + 12 s^2. Of no use is a step much below the
 * way that a foot may move in a tick h without being foreseen, which is v h at the foot and v h / L
 * as an angle of a leg of reach L; what is told of the legs of the tuning was a quarter of it
 * (v = 0.16 m/s), and serves as the bound.
 */
#include "tc_exact.h"
#include "tc_leg_core.h"

#include "tc_math.h"

/* Of the tuning: 2 pi / 2^16 [rad], [s] */
static const tc_real STEP = TC_C(9.58737992e-5), TICK = TC_C(0.001);

static tc_real length_size(const tc_real v[2])
{
    return tc_sqrt(v[0] * v[0] + v[1] * v[1]);
}

/* From a link's joint to the next one, or to the foot */
static tc_real segment_length(const tc_leg *leg, uint32_t k)
{
    const tc_real *const next = k + 1u < leg->joints ? leg->links[k + 1u].anchor : leg->foot;
    const tc_real whole[2] = {leg->links[k].arm[0] + next[0], leg->links[k].arm[1] + next[1]};
    return length_size(whole);
}

tc_leg_size tc_leg_size_of(const tc_leg *leg)
{
    tc_leg_size size = {TC_C(0.0), TC_C(0.0)};
    tc_real mobility = TC_C(0.0);
    for (uint32_t j = leg->joints; j-- > 0u;) {
        /* the hip last, whose distance to the foot is the reach */
        const int slides = leg->links[j].joint == TC_CHAIN_PRISMATIC;
        tc_real inertia = leg->links[j].rotor, far = TC_C(0.0);
        for (uint32_t k = j; k < leg->joints; ++k) {
            const tc_body2 *const body = &leg->links[k].body;
            const tc_real lever = far + length_size(leg->links[k].arm);
            inertia += slides ? body->mass : body->inertia + body->mass * lever * lever;
            far += segment_length(leg, k);
        }
        mobility += (slides ? TC_C(1.0) : far * far) / inertia;
        size.reach = far;
    }
    size.mass = TC_C(1.0) / mobility;
    return size;
}

tc_leg_size tc_leg_size_reference(void)
{
    static const tc_leg_link links[2] = {{.body = {TC_C(0.6), TC_C(0.002)},
                                          .joint = TC_CHAIN_REVOLUTE,
                                          .arm = {TC_C(0.0), TC_C(-0.1)},
                                          .rotor = TC_C(0.005)},
                                         {.body = {TC_C(0.25), TC_C(0.00083)},
                                          .joint = TC_CHAIN_REVOLUTE,
                                          .anchor = {TC_C(0.0), TC_C(-0.1)},
                                          .arm = {TC_C(0.0), TC_C(-0.1)},
                                          .rotor = TC_C(0.005)}};
    static const tc_leg leg = {.joints = 2,
                               .root = TC_LEG_FLOATING,
                               .links = links,
                               .g = TC_C(9.81),
                               .foot = {TC_C(0.0), TC_C(-0.1)},
                               .radius = TC_C(0.015)};
    return tc_leg_size_of(&leg);
}

tc_status tc_leg_sensing_check(const tc_leg_sensing *s, uint32_t joints)
{
    const tc_real most = TC_C(1e9);
    const tc_real others[] = {s->gyro_noise,   s->accel_noise, s->base_velocity_noise,
                              s->torque_limit, s->gyro_limit,  s->accel_limit};
    int good = 1;
    for (uint32_t i = 0; i < joints; ++i) {
        good &= s->encoder_counts[i] >= TC_C(1.0) && s->encoder_counts[i] <= most
                && s->encoder_noise[i] >= TC_C(0.0) && s->encoder_noise[i] <= TC_C(1.0)
                && s->torque_noise[i] > TC_C(0.0) && s->torque_noise[i] <= most;
    }
    for (uint32_t i = 0; i < TC_COUNT(others); ++i) {
        good &= others[i] >= TC_C(0.0) && others[i] <= most;
    }
    return good ? TC_OK : TC_ERR_RANGE;
}

tc_real tc_leg_steps(const tc_leg *leg, tc_real tick, const tc_leg_sensing *sensing, tc_real *steps)
{
    const tc_real tuned = tc_leg_size_reference().reach, way = STEP * (tick / TICK);
    const tc_real ratio = tuned / tc_leg_size_of(leg).reach;
    tc_real coarseness = TC_C(1.0);
    for (uint32_t i = 0; i < leg->joints; ++i) {
        const int slides = leg->links[i].joint == TC_CHAIN_PRISMATIC;
        const tc_real built =
            (slides ? TC_C(1.0) : TC_C(65536.0) * STEP) / sensing->encoder_counts[i];
        const tc_real noise = sensing->encoder_noise[i], least = way * (slides ? tuned : ratio);
        const tc_real step = tc_sqrt(built * built + TC_C(12.0) * noise * noise);
        steps[i] = step > least ? step : least;
        coarseness = steps[i] > coarseness * least ? steps[i] / least : coarseness;
    }
    return coarseness;
}

tc_leg_sensing tc_leg_sensing_default(void)
{
    tc_leg_sensing s;
    for (uint32_t i = 0; i < TC_LEG_JOINTS; ++i) {
        s.encoder_counts[i] = TC_C(65536.0);
        s.encoder_noise[i] = TC_C(0.0);
        s.torque_noise[i] = TC_C(0.05);
    }
    s.gyro_noise = TC_C(0.003);
    s.accel_noise = TC_C(0.06);
    s.base_velocity_noise = TC_C(0.02);
    s.torque_limit = TC_C(1e3);
    s.gyro_limit = TC_C(35.0);
    s.accel_limit = TC_C(160.0);
    return s;
}
