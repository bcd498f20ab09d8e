/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Predictions of a two-joint leg 20 ms ahead, 20 steps: a touch-down in the last of them, and none.
 * And of two and of six joints, in as many steps as 60,000 instructions are said to be enough for,
 * a touch-down in the last. Compared with: the time of a free fall.
 */
#include "bench.h"
#include "tinycontact.h"

static tc_leg_link links[TC_LEG_JOINTS];
static tc_leg leg;
static tc_estimator_config config;
static tc_estimator e;
static tc_real state[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)];
static tc_estimator_prediction p;
static uint32_t steps;

static void fly(uint32_t joints, uint32_t ticks, tc_real height)
{
    static const tc_leg_base base = {.cosine = TC_C(1.0)};
    tc_estimator_sensors sensors = {.encoder = {TC_C(0.6), TC_C(-1.2)}};
    tc_leg_motion motion;
    steps = ticks;
    for (uint32_t i = 0; i < joints; ++i) {
        const tc_leg_link link = {.body = {TC_C(0.4), TC_C(2e-3)},
                                  .joint = TC_CHAIN_REVOLUTE,
                                  .anchor = {TC_C(0.0), i == 0u ? TC_C(0.0) : TC_C(-0.1)},
                                  .arm = {TC_C(0.0), TC_C(-0.1)},
                                  .rotor = TC_C(5e-3)};
        links[i] = link;
    }
    leg.joints = joints;
    leg.root = TC_LEG_FLOATING;
    leg.links = links;
    leg.g = TC_C(9.81);
    leg.foot[1] = TC_C(-0.1);
    leg.radius = TC_C(0.015);
    config = tc_estimator_default();
    (void)tc_estimator_init(&e, &config, &leg, NULL, &sensors, state, TC_COUNT(state));
    tc_leg_move(&leg, &base, sensors.encoder, state + joints, &motion);
    e.vertical[0] = height - motion.foot[1];
    e.vertical[1] = TC_C(-1.0);
    bench.compared = 1;
    bench.expected[0] = TC_C(1e-3) * (tc_real)steps;
}

static void touching(void)
{
    fly(2, 20, TC_C(0.021425));
    bench.expected[0] = TC_C(0.01955); /* at -1 m/s */
}

static void none(void)
{
    fly(2, 20, TC_C(1.0));
}

/* Down by h = t + g t^2 / 2 in t, 0.5 ms before the last step's end */
static void most(uint32_t joints)
{
    const uint32_t n = TC_PREDICT_STEPS(joints, 60000u);
    const tc_real t = TC_C(1e-3) * ((tc_real)n - TC_C(0.5));
    fly(joints, n, t + TC_C(4.905) * t * t);
    bench.expected[0] = t;
}

static void most_of_two(void)
{
    most(2);
}

static void most_of_six(void)
{
    most(6);
}

static void run(void)
{
    BENCH_REGION((void)tc_estimator_predict(&e, TC_C(1e-3) * (tc_real)steps, steps, &p));
    bench.result[0] = p.time;
}

static const bench_case cases[] = {
    {"estimator_predict", "2", "public", touching, run, 0, TC_C(1e-4)},
    {"estimator_predict_none", "2", "public", none, run, 0, TC_C(1e-4)},
    {"estimator_predict_most", "2", "public", most_of_two, run, 0, TC_C(1e-4)},
    {"estimator_predict_most", "6", "public", most_of_six, run, 0, TC_C(1e-4)},
};

void bench_predict(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run(&cases[i]);
    }
}
