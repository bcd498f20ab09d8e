/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The estimator of all feet on the plant of feet_case.h. One draw is one tick of a run that lands,
 * sticks, slips and lifts off again and again, so that the worst of all draws has seen every branch:
 *
 *   3, 6, 7   one limb of so many joints
 *   4x3       four limbs of three joints
 *   lost      four limbs of three joints, of which one is lost in each tick
 *   level     one limb of three joints, without attitude
 *   predict   the next touch-down of one limb of three joints after each of these ticks
 *
 * Compared with: probabilities sum to 1, and no tick is refused. A prediction's interval holds its
 * time.
 */
#include "bench.h"
#include "tinycontact.h"
#include "feet_case.h"

#include <string.h>

#define TICKS 400u
#define LIMIT TC_C(1e-5)

static feet_case plant;
static tc_feet_config config;
static tc_feet before, f;
static tc_real kept[TC_FEET_STATE(TC_ROBOT_LIMBS)], state[TC_FEET_STATE(TC_ROBOT_LIMBS)];
static tc_real work[TC_FEET_WORK];
static tc_feet_sensors sensors;
static tc_feet_estimate estimate;
static uint32_t done;

static void start(uint32_t limbs, uint32_t joints)
{
    const tc_feet_sensing sensing = tc_feet_sensing_default();
    feet_case_init(&plant, limbs, joints);
    feet_case_tick(&plant, &sensors);
    (void)tc_feet_default_for(&plant.robot, plant.step, &sensing, &config);
    (void)tc_feet_init(&before, &config, &plant.robot, &sensors, kept, TC_COUNT(kept));
    done = 0;
}

/* The sensors of draw `bench.draw`, and the estimator as it is before it; two runs of a draw get
 * the same. */
static void tick(uint32_t limbs, uint32_t joints)
{
    if (bench.draw == 0u) {
        start(limbs, joints);
    }
    if (bench.draw > done) {
        before = f;
        memcpy(kept, state, sizeof kept);
        done = bench.draw;
        feet_case_tick(&plant, &sensors);
    }
    f = before;
    memcpy(state, kept, sizeof state);
    f.state = state;
    bench.compared = 2;
    bench.expected[0] = TC_C(1.0);
    bench.expected[1] = TC_C(0.0);
}

static void prepare_three(void)
{
    tick(1, 3);
}

static void prepare_six(void)
{
    tick(1, 6);
}

static void prepare_seven(void)
{
    tick(1, 7);
}

static void prepare_four(void)
{
    tick(4, 3);
}

static void prepare_lost(void)
{
    tick(4, 3);
    sensors.lost[1] = 1;
}

static void prepare_level(void)
{
    tick(1, 3);
    sensors.given = 0;
}

static void run_update(void)
{
    tc_status status = TC_OK;
    BENCH_REGION(status = tc_feet_update(&f, &sensors, &estimate, work, TC_COUNT(work)));
    bench.result[0] = estimate.foot[0].p[0] + estimate.foot[0].p[1] + estimate.foot[0].p[2];
    bench.result[1] = (tc_real)status;
}

static void prepare_predict(void)
{
    tick(1, 3);
    (void)tc_feet_update(&f, &sensors, &estimate, work, TC_COUNT(work));
    bench.expected[0] = TC_C(1.0);
}

static void run_predict(void)
{
    tc_feet_prediction p;
    tc_status status = TC_OK;
    BENCH_REGION(status = tc_feet_predict(&f, 0, TC_C(0.1), &p));
    bench.result[0] = p.early <= p.time && p.time <= p.late ? TC_C(1.0) : TC_C(0.0);
    bench.result[1] = (tc_real)status;
}

static const bench_case cases[] = {
    {"feet_update", "3", "public", prepare_three, run_update, 16, LIMIT},
    {"feet_update", "6", "public", prepare_six, run_update, 22, LIMIT},
    {"feet_update", "7", "public", prepare_seven, run_update, 24, LIMIT},
    {"feet_update", "4x3", "public", prepare_four, run_update, 34, LIMIT},
    {"feet_update_lost", "4x3", "public", prepare_lost, run_update, 34, LIMIT},
    {"feet_update_level", "3", "public", prepare_level, run_update, 16, LIMIT},
    {"feet_predict", "3", "public", prepare_predict, run_predict, 0, LIMIT},
};

void bench_feet(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run_draws(&cases[i], i < 4u || i == 6u ? TICKS : TICKS / 4u);
    }
}
