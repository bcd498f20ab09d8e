/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact estimator on the plant of leg_case.h. One draw is one tick of a run that lands,
 * sticks, slips and lifts off again and again, so that the worst of all draws has seen every
 * branch:
 *
 *   update     two joints, a base that moves along and turns, no pitch given, base velocity and
 *              touch sensor given
 *   lost       each tick comes after a lost frame
 *   restart    each tick comes after more lost frames than the filter bridges
 *   many       six joints
 *   model      as update, with nets 16-16 as the law
 *
 * Compared with: probabilities sum to 1, and the tick that follows is not refused.
 */
#include "bench.h"
#include "tinycontact.h"
#include "bench_foot.h"
#include "leg_case.h"

#include <string.h>

#define TICKS 400u
#define LIMIT TC_C(1e-5)

static leg_case plant;
static tc_estimator_config config;
static tc_estimator before, e;
static tc_real kept[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)], state[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)];
static tc_real work[TC_ESTIMATOR_WORK(TC_LEG_JOINTS, 0)];
static tc_estimator_foot foot;
static tc_estimator_model law;
static tc_estimator_sensors sensors;
static tc_estimator_estimate estimate;
static uint32_t done;

static void start(uint32_t joints, const tc_estimator_model *said)
{
    config = tc_estimator_default();
    leg_case_init(&plant, joints, TC_LEG_FLOATING);
    leg_case_tick(&plant, &sensors);
    (void)tc_estimator_init(&before, &config, &plant.leg, said, &sensors, kept, TC_COUNT(kept));
    done = 0;
}

/* The sensors of draw `bench.draw`, and the estimator as it is before it; two runs of a draw get
 * the same. */
static void tick(uint32_t joints, uint32_t lost, const tc_estimator_model *said)
{
    if (bench.draw == 0u) {
        start(joints, said);
    }
    if (bench.draw > done) {
        before = e;
        memcpy(kept, state, sizeof kept);
        done = bench.draw;
        leg_case_tick(&plant, &sensors);
        sensors.given = TC_GIVEN_BASE_VELOCITY | TC_GIVEN_TOUCH;
        sensors.base_velocity = plant.sway * plant.sway_rate
                                * tc_sin(plant.sway_rate * plant.step * (tc_real)plant.tick);
        sensors.touch = plant.mode != 0u ? TC_C(0.8) : TC_C(0.2);
        sensors.lost = lost;
    }
    e = before;
    memcpy(state, kept, sizeof state);
    e.state = state;
    bench.compared = 2;
    bench.expected[0] = TC_C(1.0);
    bench.expected[1] = TC_C(0.0);
}

static void prepare_update(void)
{
    tick(2, 0, NULL);
}

static void prepare_lost(void)
{
    tick(2, 1, NULL);
}

static void prepare_restart(void)
{
    tick(2, 1000, NULL);
}

static const tc_sdf floor_shape = TC_SDF_HALFSPACE;
static const tc_ground2 level = TC_GROUND2(&floor_shape);

/* The same on a ground, which is that floor */
static void prepare_ground(void)
{
    tick(2, 0, NULL);
    e.ground = &level;
}

static void prepare_many(void)
{
    tick(TC_LEG_JOINTS, 0, NULL);
}

static void prepare_model(void)
{
    foot.model = bench_small_foot()->model;
    law = tc_estimator_foot_model(&foot);
    tick(2, 0, &law);
    foot.body = plant.links[1].body;
}

static void run_update(void)
{
    tc_status status = TC_OK;
    BENCH_REGION(status = tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work)));
    bench.result[0] = estimate.p[0] + estimate.p[1] + estimate.p[2];
    bench.result[1] = (tc_real)status;
}

static const bench_case cases[] = {
    {"estimator_update", "2", "public", prepare_update, run_update, 10, LIMIT},
    {"estimator_update_lost", "2", "public", prepare_lost, run_update, 10, LIMIT},
    {"estimator_update_restart", "2", "public", prepare_restart, run_update, 10, LIMIT},
    {"estimator_update_ground", "2", "public", prepare_ground, run_update, 10, LIMIT},
    {"estimator_update", "6", "public", prepare_many, run_update, 18, LIMIT},
    {"estimator_update_model", "2", "public", prepare_model, run_update, 10, LIMIT},
};

void bench_estimator(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run_draws(&cases[i], i == 0u || i + 1u == TC_COUNT(cases) ? TICKS : TICKS / 10u);
    }
}
