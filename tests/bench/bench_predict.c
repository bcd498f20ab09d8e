/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Predictions of a two-joint leg 20 ms ahead, 20 steps: a touch-down in the last of them, and none. Compared with: the
 * time of a free fall.
 */
#include "bench.h"

static tc_leg_link links[2];
static tc_leg leg;
static tc_estimator_config config;
static tc_estimator e;
static tc_real state[TC_ESTIMATOR_STATE(2)];
static tc_leg_prediction p;

static void fly(tc_real height)
{
    static const tc_leg_base base = {.cosine = TC_C(1.0)};
    tc_leg_sensors sensors = {.encoder = {TC_C(0.6), TC_C(-1.2)}};
    tc_leg_motion motion;
    for (uint32_t i = 0; i < 2u; ++i) {
        const tc_leg_link link = {.body = {TC_C(0.4), TC_C(2e-3)}, .joint = TC_JOINT_REVOLUTE,
                                  .anchor = {TC_C(0.0), i == 0u ? TC_C(0.0) : TC_C(-0.1)},
                                  .arm = {TC_C(0.0), TC_C(-0.1)}, .rotor = TC_C(5e-3)};
        links[i] = link;
    }
    leg.joints = 2;
    leg.root = TC_LEG_FLOATING;
    leg.links = links;
    leg.g = TC_C(9.81);
    leg.foot[1] = TC_C(-0.1);
    leg.radius = TC_C(0.015);
    config = tc_estimator_default();
    (void)tc_estimator_init(&e, &config, &leg, NULL, &sensors, state, TC_COUNT(state));
    tc_leg_move(&leg, &base, sensors.encoder, state + 2, &motion);
    e.vertical[0] = height - motion.foot[1];
    e.vertical[1] = TC_C(-1.0);
    bench.compared = 1;
    bench.expected[0] = height > TC_C(0.1) ? TC_C(0.02) : TC_C(0.01955); /* -1 m/s, 21.425 mm */
}

static void touching(void)
{
    fly(TC_C(0.021425));
}

static void none(void)
{
    fly(TC_C(1.0));
}

static void run(void)
{
    BENCH_REGION((void)tc_estimator_predict(&e, TC_C(0.02), 20, &p));
    bench.result[0] = p.time;
}

static const bench_case cases[] = {
    {"estimator_predict", "2", "public", touching, run, 0, TC_C(1e-4)},
    {"estimator_predict_none", "2", "public", none, run, 0, TC_C(1e-4)},
};

void bench_predict(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run(&cases[i]);
    }
}
