/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The robot's firmware (boards/apps/robot/robot.c), frame by frame: it answers with what tc_feet_update computes, to
 * the bit; a limb that is silent or sends nonsense is lost and the others go on; a refusal changes nothing.
 */
#include "test.h"

#include "apps/robot/robot.c"

#include <math.h>

#define LIMBS 2u

static const tc_robot_link leg_links[2] = {
    {.axis = {0, 1, 0},
     .mass = TC_C(1.0),
     .com = {0, 0, TC_C(-0.1)},
     .inertia = {TC_C(4e-3), TC_C(4e-3), TC_C(4e-4), 0, 0, 0},
     .rotor = TC_C(1e-3)},
    {.axis = {0, 1, 0},
     .origin = {0, 0, TC_C(-0.2)},
     .mass = TC_C(0.3),
     .com = {0, 0, TC_C(-0.1)},
     .inertia = {TC_C(1e-3), TC_C(1e-3), TC_C(1e-4), 0, 0, 0},
     .rotor = TC_C(1e-3)}};
static const tc_robot_link slide_link = {.joint = TC_CHAIN_PRISMATIC,
                                         .axis = {0, 0, 1},
                                         .origin = {TC_C(-0.3), 0, 0},
                                         .mass = TC_C(0.8),
                                         .com = {0, 0, TC_C(-0.2)},
                                         .inertia = {TC_C(4e-3), TC_C(4e-3), TC_C(4e-4), 0, 0, 0}};
static const tc_robot_limb both_limbs[LIMBS] = {
    {.joints = 2, .links = leg_links, .foot = {0, 0, TC_C(-0.2)}, .radius = TC_C(0.02)},
    {.joints = 1, .links = &slide_link, .foot = {0, 0, TC_C(-0.35)}, .radius = TC_C(0.02)}};
static const tc_robot biped = {.root = TC_ROBOT_FLOATING,
                               .limbs = LIMBS,
                               .limb = both_limbs,
                               .g = TC_C(9.81),
                               .mass = TC_C(8.0),
                               .imu_axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
static tc_feet_config biped_config;

static robot app;
static tc_wire_encoder desk;
static tc_wire_decoder ears;
static tc_wire_feet said;
static tc_wire_nak nak;
static tc_wire_stats stats;
static tc_wire_boot boot;
static tc_wire_event event;
static uint32_t heard, answers, events; /* type of the last numbered answer; how many came */
static uint32_t now, pace;              /* of the clock, and what each look at it takes */

static void hear(const void *bytes, size_t n)
{
    tc_wire_frame frame;
    tc_wire_result result;
    TEST_ASSERT_EQUAL_UINT32(n, tc_wire_decode(&ears, bytes, (uint32_t)n, &frame, &result));
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, result);
    if (frame.type == TC_WIRE_EVENT) {
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_event(&frame, &event));
        events++;
        return;
    }
    heard = frame.type;
    answers++;
    switch (frame.type) {
    case TC_WIRE_FEET: TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_feet(&frame, &said)); break;
    case TC_WIRE_STATS: TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_stats(&frame, &stats)); break;
    case TC_WIRE_BOOT: TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_boot(&frame, &boot)); break;
    default: TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_nak(&frame, &nak)); break;
    }
}

static uint32_t clock_of_robot(void)
{
    return now += pace;
}

static size_t stack_of_robot(void)
{
    return 4321;
}

static void send(uint32_t length, uint32_t type)
{
    const uint32_t before = answers;
    TEST_ASSERT_TRUE(length > 0u);
    robot_receive(&app, desk.frame, length);
    TEST_ASSERT_EQUAL_UINT32(before + 1u, answers);
    TEST_ASSERT_EQUAL_HEX32(type, heard);
}

static void power_up(void)
{
    static const robot_board board = {
        .name = "test",
        .tick_hz = 1000000u,
        .ticks = clock_of_robot,
        .stack_used = stack_of_robot,
        .write = hear,
    };
    const tc_wire_hello hello = {.session = 6, .budget_us = 100, .silence_ms = 20};
    const tc_feet_sensing sensing = tc_feet_sensing_default();
    now = 0;
    pace = 7;
    events = 0;
    memset(&desk, 0, sizeof desk);
    tc_wire_decoder_init(&ears);
    test_seed(192);
    TEST_ASSERT_EQUAL(TC_OK, tc_feet_default_for(&biped, TC_C(0.001), &sensing, &biped_config));
    robot_init(&app, &board, &biped, &biped_config);
    TEST_ASSERT_EQUAL_HEX32(TC_WIRE_BOOT, heard);
    TEST_ASSERT_EQUAL_UINT32(0, boot.session);
    send(tc_wire_put_hello(&desk, &hello), TC_WIRE_BOOT);
    TEST_ASSERT_EQUAL_UINT32(6, boot.session);
}

/* A robot that stands, whose joints and load shake a little. */
static tc_wire_robot sample(uint32_t tick)
{
    tc_wire_robot m = {.tick = tick, .limbs = LIMBS, .given = TC_FEET_ATTITUDE, .joints = {2, 1}};
    m.attitude[0] = 1.0f;
    m.accel[2] = 9.81f;
    for (uint32_t k = 0; k < LIMBS; k++) {
        for (uint32_t i = 0; i < m.joints[k]; i++) {
            m.encoder[k][i] = 0.3f + 1e-4f * (float)test_uniform(TC_C(-1.0), TC_C(1.0));
            m.torque[k][i] = -20.0f + (float)test_uniform(TC_C(-1.0), TC_C(1.0));
        }
    }
    m.gyro[1] = 0.01f * (float)test_uniform(TC_C(-1.0), TC_C(1.0));
    return m;
}

static void send_sample(const tc_wire_robot *m)
{
    send(tc_wire_put_robot(&desk, m), TC_WIRE_FEET);
    TEST_ASSERT_EQUAL_UINT32(m->tick, said.tick);
}

static void refused(uint32_t length, tc_wire_reason reason, tc_status status)
{
    static tc_feet before;
    const tc_wire_feet told = app.estimate;
    before = app.feet;
    send(length, TC_WIRE_NAK);
    TEST_ASSERT_EQUAL(reason, nak.reason);
    TEST_ASSERT_EQUAL(status, nak.status);
    TEST_ASSERT_EQUAL_MEMORY(&before, &app.feet, sizeof before);
    TEST_ASSERT_EQUAL_MEMORY(&told, &app.estimate, sizeof told);
}

/* ---- The library's own numbers --------------------------------------------------------------- */

static tc_feet direct;
static tc_real direct_state[TC_FEET_STATE(LIMBS)], direct_work[TC_FEET_WORK];

static void same_foot(const tc_feet_foot *mine, const tc_wire_foot *told)
{
    for (uint32_t i = 0; i < 3u; i++) {
        TEST_ASSERT_TRUE((float)mine->p[i] == told->p[i]
                         && (float)mine->impulse[i] == told->impulse[i]);
        TEST_ASSERT_TRUE((float)mine->impulse_variance[i] == told->impulse_variance[i]);
        TEST_ASSERT_TRUE(i == 2u || (float)mine->slip[i] == told->slip[i]);
    }
    TEST_ASSERT_TRUE((float)mine->slip_variance == told->slip_variance
                     && (float)mine->friction == told->friction
                     && (float)mine->since == told->since);
    TEST_ASSERT_TRUE(mine->contact == told->contact && mine->flags == told->flags);
}

static tc_feet_sensors sensors; /* of the last tick */

/* Ticks that never came: the IMU as it was, all limbs lost. `counted`: of the limbs before. */
static void pass_direct(uint32_t ticks, const uint32_t *counted)
{
    static tc_feet_estimate unsaid;
    const uint32_t given = sensors.given & TC_FEET_ATTITUDE;
    for (uint32_t i = 1; i <= ticks; i++) {
        for (uint32_t k = 0; k < LIMBS; k++) {
            sensors.lost[k] = counted[k] + i;
        }
        sensors.given = given;
        TEST_ASSERT_TRUE(
            tc_feet_update(&direct, &sensors, &unsaid, direct_work, TC_COUNT(direct_work))
            >= TC_OK);
    }
}

/* The same tick by the library; `lost` per limb. */
static void same_as_direct(const tc_wire_robot *m, const uint32_t *lost, int first)
{
    static tc_feet_estimate mine;
    memset(&sensors, 0, sizeof sensors);
    for (uint32_t k = 0; k < LIMBS; k++) {
        for (uint32_t i = 0; i < m->joints[k]; i++) {
            sensors.encoder[k][i] = (tc_real)m->encoder[k][i];
            sensors.torque[k][i] = (tc_real)m->torque[k][i];
        }
        sensors.lost[k] = lost[k];
        sensors.touch[k] = (tc_real)m->touch[k];
        sensors.given |= (m->touched >> k & 1u) * TC_FEET_TOUCH(k);
    }
    for (uint32_t i = 0; i < 3u; i++) {
        sensors.gyro[i] = (tc_real)m->gyro[i];
        sensors.accel[i] = (tc_real)m->accel[i];
        sensors.attitude[i + 1u] = (tc_real)m->attitude[i + 1u];
        sensors.base_velocity[i] = (tc_real)m->base_velocity[i];
        sensors.base_velocity_variance[i] = (tc_real)m->base_velocity_variance[i];
    }
    sensors.attitude[0] = (tc_real)m->attitude[0];
    sensors.step = (tc_real)m->step;
    sensors.given |= m->given;
    if (first) {
        TEST_ASSERT_EQUAL(TC_OK, tc_feet_init(&direct, &biped_config, &biped, &sensors,
                                              direct_state, TC_COUNT(direct_state)));
    }
    TEST_ASSERT_TRUE(tc_feet_update(&direct, &sensors, &mine, direct_work, TC_COUNT(direct_work))
                     >= TC_OK);
    TEST_ASSERT_EQUAL_UINT32(LIMBS, said.limbs);
    for (uint32_t k = 0; k < LIMBS; k++) {
        same_foot(&mine.foot[k], &said.foot[k]);
    }
    for (uint32_t i = 0; i < 3u; i++) {
        TEST_ASSERT_TRUE((float)mine.velocity[i] == said.velocity[i]);
        TEST_ASSERT_TRUE(i == 2u || (float)mine.velocity_variance[i] == said.velocity_variance[i]);
        TEST_ASSERT_TRUE(i == 2u || (float)mine.slope[i] == said.slope[i]);
    }
    TEST_ASSERT_TRUE((float)mine.height == said.height && mine.flags == said.flags);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Lost frames, silent limbs and optional sensors among them. */
static void test_robot_answers_as_the_library(void)
{
    uint32_t tick = 1, unseen[LIMBS] = {0, 0};
    power_up();
    for (uint32_t round = 0; round < TEST_ROUNDS(200); round++) {
        tc_wire_robot m = sample(tick);
        uint32_t lost[LIMBS];
        const uint32_t passed = round > 0u && test_below(8) == 0u ? test_below(4) : 0u;
        m.tick = tick += passed;
        m.silent = round > 0u && test_below(6) == 0u ? test_below(1u << LIMBS) : 0u;
        m.touched = test_below(4) == 0u ? test_below(1u << LIMBS) : 0u;
        m.touch[0] = m.touched != 0u ? 0.25f : 0.0f;
        if (test_below(4) == 0u) {
            m.given |= TC_FEET_BASE_VELOCITY | TC_FEET_STEP;
            m.step = 0.0011f;
            m.base_velocity[0] = 0.1f;
            m.base_velocity_variance[0] = m.base_velocity_variance[1] = 0.01f;
            m.base_velocity_variance[2] = 0.02f;
        }
        for (uint32_t k = 0; k < LIMBS; k++) {
            const uint32_t gone = m.silent >> k & 1u;
            lost[k] = gone != 0u ? unseen[k] + passed + 1u : 0u;
        }
        pass_direct(passed, unseen);
        memcpy(unseen, lost, sizeof unseen);
        send_sample(&m);
        TEST_ASSERT_TRUE(said.status >= TC_OK);
        same_as_direct(&m, lost, round == 0u);
        tick++;
    }
    send(tc_wire_encode(&desk, TC_WIRE_STATS_REQUEST, 0), TC_WIRE_STATS);
    TEST_ASSERT_TRUE(stats.stack == 4321u && stats.worst == 7u && stats.refused == 0u
                     && stats.naks == 0u);
    TEST_ASSERT_EQUAL_UINT32(tick - 1u, stats.ticks + stats.missed);
}

static void begin(uint32_t ticks)
{
    power_up();
    for (uint32_t k = 1; k <= ticks; k++) {
        const tc_wire_robot m = sample(k);
        send_sample(&m);
        TEST_ASSERT_EQUAL(TC_OK, said.status);
    }
}

static void test_robot_ticks_count_once(void)
{
    begin(5);
    const tc_wire_feet last = said;
    tc_wire_robot m = sample(5);
    send_sample(&m);
    TEST_ASSERT_EQUAL_MEMORY(&last, &said, sizeof last);
    m.tick = 4;
    refused(tc_wire_put_robot(&desk, &m), TC_WIRE_NAK_OLD, TC_OK);
    m.tick = 9;
    send_sample(&m);
    send(tc_wire_encode(&desk, TC_WIRE_STATS_REQUEST, 0), TC_WIRE_STATS);
    TEST_ASSERT_TRUE(stats.missed == 3u && stats.old == 2u && stats.ticks == 6u
                     && stats.naks == 1u);
}

/* A longer gap takes as many updates, and one beyond ROBOT_GAP begins anew with the next sensors. */
static void test_gaps_of_robots(void)
{
    const uint32_t none[LIMBS] = {0, 0};
    begin(20);
    tc_wire_robot m = sample(20 + ROBOT_GAP + 1u);
    send_sample(&m);
    TEST_ASSERT_TRUE(said.status >= TC_OK && app.good_tick == m.tick && app.unseen[0] == 0u);
    TEST_ASSERT_TRUE(app.sensors.lost[0] == 0u);
    m = sample(m.tick + ROBOT_GAP + 2u);
    send_sample(&m);
    same_as_direct(&m, none, 1);
    m = sample(m.tick + 0x7FFFFFFFu);
    send_sample(&m);
    same_as_direct(&m, none, 1);
}

/* A gap that is longer than the updates that would make up for it: the estimator begins again. */
static void test_gaps_of_slow_robots(void)
{
    begin(30);
    biped_config.step = TC_C(0.02);
    tc_wire_robot m = sample(30u + 15u);
    send_sample(&m);
    TEST_ASSERT_TRUE(said.status >= TC_OK && app.good_tick == m.tick && app.feet.ticks > 30u);
    m = sample(m.tick + 17u);
    send_sample(&m);
    TEST_ASSERT_TRUE(said.status >= TC_OK && app.good_tick == m.tick && app.feet.ticks == 1u);
    power_up(); /* makes the configuration again */
}

/* A motor that sends NaN costs its own limb; the other one's estimate goes on. */
static void test_limb_of_nonsense_is_lost(void)
{
    static const float nonsense[] = {(float)NAN, (float)INFINITY, -2e4f, 1e30f};
    for (uint32_t i = 0; i < TC_COUNT(nonsense); i++) {
        begin(20);
        tc_wire_robot m = sample(21);
        m.encoder[1][0] = nonsense[i];
        send_sample(&m);
        TEST_ASSERT_TRUE(said.status >= TC_OK && (said.foot[1].flags & TC_FEET_LOST) != 0u
                         && (said.foot[0].flags & TC_FEET_LOST) == 0u);
        m = sample(22);
        m.torque[0][1] = i == 2u ? (float)NAN : nonsense[i] * 1e3f;
        send_sample(&m);
        TEST_ASSERT_TRUE(said.status >= TC_OK && (said.foot[0].flags & TC_FEET_LOST) != 0u
                         && (said.foot[1].flags & TC_FEET_LOST) == 0u);
        m = sample(23);
        send_sample(&m);
        TEST_ASSERT_TRUE(said.status >= TC_OK
                         && ((said.foot[0].flags | said.foot[1].flags) & TC_FEET_LOST) == 0u);
    }
}

/* A torque beyond what the library takes costs its limb, whatever the range of the sensor is; one that is not read
 * costs nothing. */
static void test_torques_beyond_their_range(void)
{
    begin(20);
    biped_config.torque_limit = TC_C(30.0);
    tc_wire_robot m = sample(21);
    m.torque[0][1] = 5e4f;
    send_sample(&m);
    TEST_ASSERT_TRUE(said.status >= TC_OK && (said.foot[0].flags & TC_FEET_LOST) != 0u
                     && (said.foot[1].flags & TC_FEET_LOST) == 0u);
    biped_config.torqueless = 1u;
    m = sample(22);
    m.torque[0][1] = 5e4f;
    send_sample(&m);
    TEST_ASSERT_TRUE(said.status >= TC_OK && (said.foot[0].flags & TC_FEET_LOST) == 0u);
    power_up(); /* makes the configuration again */
}

/* Without an IMU nothing is known: the estimate before is repeated, flagged, and what comes next counts the loss. */
static void test_robot_refuses_an_imu_of_nonsense(void)
{
    begin(20);
    const tc_wire_feet last = said;
    tc_wire_robot m = sample(21);
    m.gyro[2] = (float)NAN;
    send_sample(&m);
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, said.status);
    TEST_ASSERT_TRUE((said.flags & TC_FEET_STALE) != 0u && said.limbs == LIMBS);
    TEST_ASSERT_EQUAL_MEMORY(&last.foot, &said.foot, sizeof last.foot);
    m = sample(22);
    send_sample(&m);
    TEST_ASSERT_TRUE(said.status >= TC_OK && (said.flags & TC_FEET_STALE) == 0u);
    send(tc_wire_encode(&desk, TC_WIRE_STATS_REQUEST, 0), TC_WIRE_STATS);
    TEST_ASSERT_EQUAL_UINT32(1, stats.refused);
}

/* It cannot begin with a limb that is silent. */
static void test_robot_begins_whole(void)
{
    power_up();
    tc_wire_robot m = sample(1);
    m.silent = 2;
    send_sample(&m);
    TEST_ASSERT_TRUE(said.status < TC_OK && (said.flags & TC_FEET_STALE) != 0u);
    m = sample(2);
    m.encoder[0][0] = (float)NAN;
    send_sample(&m);
    TEST_ASSERT_TRUE(said.status < TC_OK);
    m = sample(3);
    send_sample(&m);
    TEST_ASSERT_EQUAL(TC_OK, said.status);
    TEST_ASSERT_TRUE((said.flags & TC_FEET_LOST) == 0u);
}

static void test_robot_refuses(void)
{
    begin(3);
    tc_wire_robot m = sample(4);
    m.limbs = 1;
    m.joints[1] = 0;
    refused(tc_wire_put_robot(&desk, &m), TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
    m = sample(4);
    m.joints[1] = 2;
    refused(tc_wire_put_robot(&desk, &m), TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
    m = sample(4);
    m.limbs = 3;
    m.joints[2] = 1;
    refused(tc_wire_put_robot(&desk, &m), TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
    refused(tc_wire_encode(&desk, TC_WIRE_SENSORS, 40), TC_WIRE_NAK_TYPE, TC_OK);
    refused(tc_wire_encode(&desk, TC_WIRE_ROBOT, 40), TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
    refused(tc_wire_encode(&desk, TC_WIRE_RESET, 3), TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
    memset(desk.body, 0, sizeof desk.body);
    refused(tc_wire_encode(&desk, TC_WIRE_HELLO, 12), TC_WIRE_NAK_CONTENT, TC_ERR_RANGE);
    static const uint8_t garbage[] = {3, 1, 2, 0};
    const uint32_t before = answers;
    robot_receive(&app, garbage, sizeof garbage);
    TEST_ASSERT_TRUE(answers == before + 1u && heard == TC_WIRE_NAK
                     && nak.reason == TC_WIRE_NAK_FRAME);
}

static void test_robot_watches_its_clock(void)
{
    begin(3);
    now += 19000;
    robot_watch(&app);
    TEST_ASSERT_EQUAL_UINT32(0, events);
    now += 2000;
    robot_watch(&app);
    robot_watch(&app);
    TEST_ASSERT_TRUE(events == 1u && event.kind == TC_WIRE_EVENT_SILENCE && event.tick == 3u
                     && event.value == 21u);
    pace = 101; /* a tick of more than 100 us */
    const tc_wire_robot m = sample(4);
    send_sample(&m);
    TEST_ASSERT_TRUE(events == 2u && event.kind == TC_WIRE_EVENT_OVERRUN && event.value == 101u);
    pace = 7;
    now += 30000;
    robot_watch(&app);
    TEST_ASSERT_EQUAL_UINT32(3, events);
    send(tc_wire_encode(&desk, TC_WIRE_STATS_REQUEST, 0), TC_WIRE_STATS);
    TEST_ASSERT_TRUE(stats.silences == 2u && stats.overruns == 1u && stats.last == 101u);
}

static void test_robot_sessions(void)
{
    tc_wire_reset reset = {TC_WIRE_RESET_ESTIMATOR};
    begin(4);
    send(tc_wire_put_reset(&desk, &reset), TC_WIRE_BOOT);
    TEST_ASSERT_EQUAL_UINT32(6, boot.session);
    tc_wire_robot m = sample(2); /* an earlier tick begins again */
    const uint32_t none[LIMBS] = {0, 0};
    send_sample(&m);
    same_as_direct(&m, none, 1);
    reset.what = TC_WIRE_RESET_ALL;
    send(tc_wire_put_reset(&desk, &reset), TC_WIRE_BOOT);
    TEST_ASSERT_EQUAL_UINT32(0, boot.session);
    send(tc_wire_encode(&desk, TC_WIRE_STATS_REQUEST, 0), TC_WIRE_STATS);
    TEST_ASSERT_EQUAL_UINT32(0, stats.ticks);
}

void suite_robot_firmware(void)
{
    RUN_TEST(test_robot_answers_as_the_library);
    RUN_TEST(test_robot_ticks_count_once);
    RUN_TEST(test_gaps_of_robots);
    RUN_TEST(test_gaps_of_slow_robots);
    RUN_TEST(test_limb_of_nonsense_is_lost);
    RUN_TEST(test_torques_beyond_their_range);
    RUN_TEST(test_robot_refuses_an_imu_of_nonsense);
    RUN_TEST(test_robot_begins_whole);
    RUN_TEST(test_robot_refuses);
    RUN_TEST(test_robot_watches_its_clock);
    RUN_TEST(test_robot_sessions);
}
