/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The finger's firmware (boards/apps/finger/finger.c), frame by frame: it answers with the ball that
 * tc_touch reads, to the bit; a touch counts once however often it comes; a refusal changes nothing.
 */
#include "test.h"

#include "apps/finger/finger.c"

#include <math.h>

#define RADIUS 0.03
#define NOISE 0.0003

static finger app;
static tc_wire_encoder desk;
static tc_wire_decoder ears;
static tc_wire_felt felt;
static tc_wire_nak nak;
static tc_wire_stats stats;
static tc_wire_boot boot;
static uint32_t heard; /* type of the last answer */
static uint32_t answers;

static void hear(const void *bytes, size_t n)
{
    tc_wire_frame frame;
    tc_wire_result result;
    TEST_ASSERT_EQUAL_UINT32(n, tc_wire_decode(&ears, bytes, (uint32_t)n, &frame, &result));
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, result);
    heard = frame.type;
    ++answers;
    switch (frame.type) {
    case TC_WIRE_FELT: TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_felt(&frame, &felt)); break;
    case TC_WIRE_STATS: TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_stats(&frame, &stats)); break;
    case TC_WIRE_BOOT: TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_boot(&frame, &boot)); break;
    default: TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_nak(&frame, &nak)); break;
    }
}

static uint32_t clock_of_finger(void)
{
    static uint32_t now;
    return now += 7u;
}

static size_t stack_of_finger(void)
{
    return 1234;
}

static void send(uint32_t length, uint32_t type)
{
    const uint32_t before = answers;
    TEST_ASSERT_TRUE(length > 0u);
    finger_receive(&app, desk.frame, length);
    TEST_ASSERT_EQUAL_UINT32(before + 1u, answers);
    TEST_ASSERT_EQUAL_HEX32(type, heard);
}

static void refused(uint32_t length, tc_wire_reason reason, tc_status status)
{
    const tc_touch before = app.touch;
    const tc_wire_felt said = app.said;
    send(length, TC_WIRE_NAK);
    TEST_ASSERT_EQUAL(reason, nak.reason);
    TEST_ASSERT_EQUAL(status, nak.status);
    TEST_ASSERT_EQUAL_MEMORY(&before, &app.touch, sizeof before);
    TEST_ASSERT_EQUAL_MEMORY(&said, &app.said, sizeof said);
}

static void power_up(void)
{
    static const finger_board board = {
        .name = "test",
        .tick_hz = 1000000u,
        .ticks = clock_of_finger,
        .stack_used = stack_of_finger,
        .write = hear,
    };
    const tc_wire_hello hello = {.session = 5};
    memset(&desk, 0, sizeof desk);
    tc_wire_decoder_init(&ears);
    test_seed(191);
    finger_init(&app, &board);
    TEST_ASSERT_EQUAL_HEX32(TC_WIRE_BOOT, heard);
    TEST_ASSERT_EQUAL_UINT32(0, boot.session);
    send(tc_wire_put_hello(&desk, &hello), TC_WIRE_BOOT);
    TEST_ASSERT_EQUAL_UINT32(5, boot.session);
}

static const tc_wire_feel usual = {.reach = 0.06f, .normal_noise = 0.05f, .apart = 0.0006f};

static void begin(void)
{
    power_up();
    send(tc_wire_put_feel(&desk, &usual), TC_WIRE_FELT);
    TEST_ASSERT_TRUE(felt.number == 0u && felt.touches == 0u && felt.found == TC_ERR_SINGULAR);
}

static tc_wire_touch touch_of(uint32_t number, uint32_t given)
{
    tc_wire_touch m = {.number = number, .given = given};
    double n[3], length = 0.0;
    do {
        length = 0.0;
        for (uint32_t i = 0; i < 3u; ++i) {
            n[i] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
            length += n[i] * n[i];
        }
    } while (length > 1.0 || length < 0.1);
    for (uint32_t i = 0; i < 3u; ++i) {
        n[i] /= sqrt(length);
        m.normal[i] = (float)n[i];
        m.point[i] = (float)(0.1 * i + RADIUS * n[i]
                             + NOISE * 1.7 * (double)test_uniform(TC_C(-1.0), TC_C(1.0)));
    }
    return m;
}

static void send_touch(const tc_wire_touch *m)
{
    send(tc_wire_put_touch(&desk, m), TC_WIRE_FELT);
}

/* ---- Tests -------------------------------------------------------------------------------------- */

static void test_finger_feels_a_ball(void)
{
    begin();
    for (uint32_t k = 1; k <= 60u; ++k) {
        const tc_wire_touch m = touch_of(k, 0);
        send_touch(&m);
        TEST_ASSERT_EQUAL_UINT32(k, felt.number);
        TEST_ASSERT_EQUAL(k < 5u ? TC_ERR_SINGULAR : TC_OK, felt.found);
        TEST_ASSERT_EQUAL(TC_OK, felt.status);
    }
    TEST_ASSERT_EQUAL_UINT32(60, felt.touches + felt.repeated);
    TEST_ASSERT_TRUE(fabs((double)felt.radius - RADIUS) < 4.0 * (double)felt.sd[3]
                     && felt.sd[3] < 1e-4f && felt.low < felt.radius && felt.radius < felt.high);
    for (uint32_t i = 0; i < 3u; ++i) {
        TEST_ASSERT_TRUE(fabs((double)felt.centre[i] - 0.1 * i) < 4.0 * (double)felt.sd[i]);
    }
    send(tc_wire_encode(&desk, TC_WIRE_STATS_REQUEST, 0), TC_WIRE_STATS);
    TEST_ASSERT_TRUE(stats.ticks == 60u && stats.stack == 1234u && stats.worst == 7u
                     && stats.refused == 0u && stats.naks == 0u && stats.wire.frames == 63u);
}

/* Each answer is the library's, to the last bit. */
static void test_finger_answers_as_the_library(void)
{
    tc_touch direct;
    tc_touch_ball ball;
    tc_touch_config config = tc_touch_default((tc_real)usual.reach);
    begin();
    config.apart = (tc_real)usual.apart;
    config.normal_noise = (tc_real)usual.normal_noise;
    TEST_ASSERT_EQUAL(TC_OK, tc_touch_init(&direct, &config));
    for (uint32_t k = 1; k <= 40u; ++k) {
        const tc_wire_touch m = touch_of(k, k % 3u == 0u);
        tc_touch_outcome outcome;
        tc_real p[3], n[3];
        for (uint32_t i = 0; i < 3u; ++i) {
            p[i] = (tc_real)m.point[i];
            n[i] = (tc_real)m.normal[i];
        }
        send_touch(&m);
        TEST_ASSERT_EQUAL(tc_touch_add(&direct, p, m.given ? n : NULL, &outcome), felt.status);
        TEST_ASSERT_EQUAL(tc_touch_read(&direct, &ball), felt.found);
        TEST_ASSERT_TRUE(felt.outcome == (uint32_t)outcome && felt.touches == direct.touches
                         && felt.normals == direct.normals && felt.repeated == direct.repeated);
        TEST_ASSERT_TRUE(felt.radius == (float)ball.radius && felt.low == (float)ball.low
                         && felt.high == (float)ball.high && felt.noise == (float)ball.noise);
        for (uint32_t i = 0; i < 4u; ++i) {
            TEST_ASSERT_TRUE(felt.sd[i] == (float)tc_sqrt(ball.covariance[5u * i]));
            TEST_ASSERT_TRUE(i == 3u || felt.centre[i] == (float)ball.centre[i]);
        }
    }
}

static void test_touches_count_once(void)
{
    begin();
    for (uint32_t k = 1; k <= 6u; ++k) {
        const tc_wire_touch m = touch_of(k, 0);
        send_touch(&m);
    }
    const tc_wire_felt last = felt;
    tc_wire_touch m = touch_of(6, 0);
    send_touch(&m);
    TEST_ASSERT_EQUAL_MEMORY(&last, &felt, sizeof last);
    m.number = 5;
    refused(tc_wire_put_touch(&desk, &m), TC_WIRE_NAK_OLD, TC_OK);
    m.number = 10;
    send_touch(&m);
    TEST_ASSERT_TRUE(felt.missed == 3u && felt.touches == 7u);
    m.number = 11;
    send_touch(&m); /* where the last one was */
    TEST_ASSERT_TRUE(felt.missed == 3u && felt.touches == 7u && felt.repeated == 1u
                     && felt.outcome == TC_TOUCH_REPEATED);
}

static void test_finger_refuses(void)
{
    power_up();
    tc_wire_touch m = touch_of(1, 1);
    refused(tc_wire_put_touch(&desk, &m), TC_WIRE_NAK_STATE, TC_OK);
    refused(tc_wire_encode(&desk, TC_WIRE_IMPACT, 84), TC_WIRE_NAK_TYPE, TC_OK);
    begin();
    for (uint32_t k = 1; k <= 6u; ++k) {
        m = touch_of(k, 1);
        send_touch(&m);
    }
    tc_wire_feel bad = usual;
    bad.reach = -1.0f;
    refused(tc_wire_put_feel(&desk, &bad), TC_WIRE_NAK_CONTENT, TC_ERR_RANGE);
    bad.reach = (float)NAN;
    refused(tc_wire_put_feel(&desk, &bad), TC_WIRE_NAK_CONTENT, TC_ERR_NOT_FINITE);
    refused(tc_wire_encode(&desk, TC_WIRE_FEEL, 19), TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
    refused(tc_wire_encode(&desk, TC_WIRE_TOUCH, 31), TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
    memset(desk.body, 0, sizeof desk.body);
    refused(tc_wire_encode(&desk, TC_WIRE_TOUCH, 32), TC_WIRE_NAK_CONTENT, TC_ERR_RANGE);
    refused(tc_wire_encode(&desk, TC_WIRE_HELLO, 12), TC_WIRE_NAK_CONTENT, TC_ERR_RANGE);
    refused(tc_wire_encode(&desk, TC_WIRE_RESET, 3), TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
    const tc_wire_felt before = felt;
    m = touch_of(7, 1);
    m.point[1] = (float)NAN;
    send_touch(&m); /* with the ball before it */
    TEST_ASSERT_TRUE(felt.status == TC_ERR_NOT_FINITE && felt.outcome == TC_TOUCH_NONE
                     && felt.number == 7u);
    TEST_ASSERT_TRUE(felt.radius == before.radius && felt.touches == before.touches);
    m = touch_of(8, 1);
    m.normal[0] += 0.5f;
    send_touch(&m);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, felt.status);
}

static void test_finger_sessions(void)
{
    tc_wire_reset reset = {TC_WIRE_RESET_ESTIMATOR};
    begin();
    const tc_wire_felt first = felt;
    for (uint32_t k = 1; k <= 6u; ++k) {
        const tc_wire_touch m = touch_of(k, 0);
        send_touch(&m);
    }
    send(tc_wire_put_reset(&desk, &reset), TC_WIRE_BOOT);
    TEST_ASSERT_EQUAL_MEMORY(&first, &app.said, sizeof first);
    const tc_wire_touch m = touch_of(1, 0);
    send_touch(&m);
    TEST_ASSERT_EQUAL_UINT32(1, felt.touches);
    reset.what = TC_WIRE_RESET_ALL;
    send(tc_wire_put_reset(&desk, &reset), TC_WIRE_BOOT);
    TEST_ASSERT_EQUAL_UINT32(0, boot.session);
    TEST_ASSERT_TRUE(app.touch.scale == TC_C(0.0));
}

void suite_finger_firmware(void)
{
    RUN_TEST(test_finger_feels_a_ball);
    RUN_TEST(test_finger_answers_as_the_library);
    RUN_TEST(test_touches_count_once);
    RUN_TEST(test_finger_refuses);
    RUN_TEST(test_finger_sessions);
}
