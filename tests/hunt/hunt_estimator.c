/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_estimator_update under the hunt: a leg of two joints on a floating base, whose sensors say
 * anything within what is not refused, for a few ticks of which the last is counted. size: joints.
 */
#include "hunt.h"

#define TICKS 4u
#define JOINTS 2u

static tc_leg_link links[JOINTS];
static tc_leg leg = {.joints = JOINTS,
                     .root = TC_LEG_FLOATING,
                     .links = links,
                     .g = TC_C(9.81),
                     .foot = {TC_C(0.0), TC_C(-0.1)},
                     .radius = TC_C(0.015)};
static tc_estimator_config config;
static tc_estimator estimator;
static tc_real state[TC_ESTIMATOR_STATE(JOINTS)], work[TC_ESTIMATOR_WORK(JOINTS, 0)];

static void make_leg(const tc_real **numbers)
{
    for (uint32_t i = 0; i < JOINTS; i++) {
        const tc_leg_link link = {.body = {TC_C(0.5), TC_C(0.0017)},
                                  .joint = TC_CHAIN_REVOLUTE,
                                  .anchor = {TC_C(0.0), i == 0u ? TC_C(0.0) : TC_C(-0.1)},
                                  .arm = {TC_C(0.0), TC_C(-0.1)},
                                  .rest = hunt_signed(numbers, TC_C(3.2)),
                                  .rotor = hunt_between(numbers, TC_C(0.0), TC_C(0.01))};
        links[i] = link;
    }
}

/* A reading that is ordinary half the time: then 1/1000 of what it may be */
static tc_real reading(const tc_real **numbers, tc_real most)
{
    const tc_real wild = hunt_between(numbers, TC_C(0.0), TC_C(1.0));
    return hunt_signed(numbers, wild < TC_C(0.5) ? TC_C(1e-3) * most : most);
}

static void read_sensors(const tc_real **numbers, tc_estimator_sensors *s)
{
    const tc_real lost = hunt_between(numbers, TC_C(-30.0), TC_C(30.0));
    for (uint32_t i = 0; i < JOINTS; i++) {
        s->encoder[i] = reading(numbers, TC_C(1e4));
        s->torque[i] = reading(numbers, TC_C(1e3) * config.torque_limit);
    }
    s->gyro = reading(numbers, TC_C(1e3) * config.gyro_limit);
    s->accel[0] = reading(numbers, TC_C(1e3) * config.accel_limit);
    s->accel[1] = reading(numbers, TC_C(1e3) * config.accel_limit);
    s->pitch = hunt_signed(numbers, TC_C(1e3));
    s->base_velocity = reading(numbers, TC_C(1e3));
    s->touch = hunt_between(numbers, TC_C(0.0), TC_C(1.0));
    s->given = (uint32_t)hunt_between(numbers, TC_C(0.0), TC_C(7.99));
    s->lost = lost > TC_C(0.0) ? (uint32_t)lost : 0u;
}

hunt_result hunt_estimator(const hunt_file *file, const uint32_t *input)
{
    const tc_real *numbers = (const tc_real *)input;
    tc_estimator_sensors sensors;
    tc_estimator_estimate estimate;
    tc_status status;
    (void)file;
    config = tc_estimator_default();
    make_leg(&numbers);
    read_sensors(&numbers, &sensors);
    (void)tc_estimator_init(&estimator, &config, &leg, NULL, &sensors, state, TC_COUNT(state));
    for (uint32_t k = 1; k < TICKS; k++) {
        read_sensors(&numbers, &sensors);
        (void)tc_estimator_update(&estimator, &sensors, &estimate, work, TC_COUNT(work));
    }
    read_sensors(&numbers, &sensors);
    HUNT_REGION(status =
                    tc_estimator_update(&estimator, &sensors, &estimate, work, TC_COUNT(work)));
    return (hunt_result){status, estimate.contact};
}
