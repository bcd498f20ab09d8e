/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The foot's firmware, fed by a desktop of a few lines with the plant of leg_case.h: its estimates
 * are the library's, to the bit, and so are its predictions; its numbered frames depend on the
 * bytes alone; and whatever is done to the line, what was loaded stays loaded and nothing is
 * estimated that was not measured.
 */
#include "test.h"

#include "apps/foot/foot.c"
#include "learned2_case.h"
#include "leg_case.h"
#include "model_bytes.h"

/* ---- Both ends ------------------------------------------------------------------------------- */

static foot app;
static _Alignas(16) uint8_t room[2][LEARNED2_BLOB_SIZE];
static uint32_t now; /* the clock; moves by `pace` with each look */
static uint32_t pace;

static tc_wire_encoder desk; /* the desktop's ends */
static tc_wire_decoder ears;
static uint8_t to_board[8192]; /* all that was sent since `listen_again` */
static uint32_t sent;

/* What came back: frames in total and per type, the last of each message, and a hash of the
 * numbered ones. */
static struct {
    uint32_t frames, estimates, predictions, identified, naks, boots, uploads, events, hash;
    tc_wire_estimate estimate;
    tc_wire_prediction prediction;
    tc_wire_identified floor;
    tc_wire_nak nak;
    tc_wire_boot boot;
    tc_wire_upload upload;
    tc_wire_stats stats;
    tc_wire_event event;
} heard;

static void hear(const tc_wire_frame *f)
{
    heard.frames++;
    for (uint32_t i = 0; (f->type & TC_WIRE_UNNUMBERED) == 0u && i < f->length + TC_WIRE_HEAD;
         i++) {
        heard.hash = (heard.hash ^ ears.body[i]) * 16777619u;
    }
    switch (f->type) {
    case TC_WIRE_ESTIMATE:
        heard.estimates++;
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_estimate(f, &heard.estimate));
        break;
    case TC_WIRE_PREDICTION:
        heard.predictions++;
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_prediction(f, &heard.prediction));
        break;
    case TC_WIRE_IDENTIFIED:
        heard.identified++;
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_identified(f, &heard.floor));
        break;
    case TC_WIRE_NAK:
        heard.naks++;
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_nak(f, &heard.nak));
        break;
    case TC_WIRE_BOOT:
        heard.boots++;
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_boot(f, &heard.boot));
        break;
    case TC_WIRE_UPLOAD:
        heard.uploads++;
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_upload(f, &heard.upload));
        break;
    case TC_WIRE_STATS: TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_stats(f, &heard.stats)); break;
    case TC_WIRE_EVENT:
        heard.events++;
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_event(f, &heard.event));
        break;
    default: TEST_FAIL_MESSAGE("a frame that no board sends");
    }
}

static void board_says(const void *bytes, size_t n)
{
    for (uint32_t at = 0; at < n;) {
        tc_wire_frame f;
        tc_wire_result result;
        at += tc_wire_decode(&ears, (const uint8_t *)bytes + at, (uint32_t)n - at, &f, &result);
        TEST_ASSERT_TRUE(result == TC_WIRE_FRAME || result == TC_WIRE_MORE);
        if (result == TC_WIRE_FRAME) {
            hear(&f);
        }
    }
}

static uint32_t clock_now(void)
{
    return now += pace;
}

static size_t stack_used(void)
{
    return 1234;
}

static void burn(uint32_t loops)
{
    now += loops;
}

static void listen_again(void)
{
    memset(&heard, 0, sizeof heard);
    heard.hash = TEST_HASH_START;
    tc_wire_decoder_init(&ears);
    sent = 0;
}

static void power_up(void)
{
    static const foot_board board = {
        .name = "test",
        .tick_hz = 1000000u,
        .ticks = clock_now,
        .stack_used = stack_used,
        .write = board_says,
        .burn = burn,
        .model_room = {room[0], room[1]},
        .model_bytes = sizeof room[0],
    };
    now = 0xFFFFF000u; /* wraps soon */
    pace = 1;
    memset(&desk, 0, sizeof desk);
    listen_again();
    foot_init(&app, &board);
}

/* Keeps what stands in desk.frame for `cut_everywhere` and the replay, and delivers it. */
static void send(uint32_t length)
{
    TEST_ASSERT_TRUE(length > 0u && sent + length <= sizeof to_board);
    memcpy(to_board + sent, desk.frame, length);
    sent += length;
    foot_receive(&app, desk.frame, length);
}

static void hello(uint32_t session)
{
    const tc_wire_hello m = {session, 0, 0};
    send(tc_wire_put_hello(&desk, &m));
}

static void upload(uint32_t kind, const uint8_t *bytes, uint32_t n, uint32_t crc)
{
    const tc_wire_upload_begin begin = {kind, n, crc};
    send(tc_wire_put_upload_begin(&desk, &begin));
    for (uint32_t at = 0; at < n; at += 200u) {
        const tc_wire_upload_chunk chunk = {at, n - at < 200u ? n - at : 200u, bytes + at};
        send(tc_wire_put_upload_chunk(&desk, &chunk));
        TEST_ASSERT_EQUAL(TC_OK, heard.upload.status);
        TEST_ASSERT_EQUAL_UINT32(at + chunk.n, heard.upload.bytes);
    }
    send(tc_wire_encode(&desk, TC_WIRE_UPLOAD_COMMIT, 0));
}

/* ---- The plant ------------------------------------------------------------------------------- */

static leg_case plant;
static tc_estimator_sensors measured;
static uint8_t record[TC_ESTIMATOR_RECORD_MAX];
static uint32_t record_size;

static void upload_leg(void)
{
    leg_case_init(&plant, 2, TC_LEG_RAIL);
    const tc_estimator_config config = tc_estimator_default();
    record_size = (uint32_t)tc_estimator_record_write(&plant.leg, &config, record, sizeof record);
    TEST_ASSERT_TRUE(record_size > 0);
    upload(TC_WIRE_PARAMETERS, record, record_size, tc_bytes_crc32(0, record, record_size));
    TEST_ASSERT_EQUAL(TC_OK, heard.upload.status);
}

static void send_sensors(uint32_t tick)
{
    tc_wire_sensors m = {.tick = tick, .joints = plant.leg.joints, .given = measured.given};
    for (uint32_t i = 0; i < plant.leg.joints; i++) {
        m.encoder[i] = (float)measured.encoder[i];
        m.torque[i] = (float)measured.torque[i];
    }
    m.gyro = (float)measured.gyro;
    m.accel[0] = (float)measured.accel[0];
    m.accel[1] = (float)measured.accel[1];
    m.pitch = (float)measured.pitch;
    send(tc_wire_put_sensors(&desk, &m));
}

static void ask(tc_real horizon, uint32_t budget)
{
    const tc_wire_predict m = {(float)horizon, budget};
    send(tc_wire_put_predict(&desk, &m));
}

/* Ticks from..to of the plant, lock-step */
static void run(uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k <= to; k++) {
        const uint32_t before = heard.estimates;
        leg_case_tick(&plant, &measured);
        send_sensors(k);
        TEST_ASSERT_EQUAL_UINT32(before + 1u, heard.estimates);
        TEST_ASSERT_EQUAL_UINT32(k, heard.estimate.tick);
        sent = 0;
    }
}

/* A board with a leg, running since tick 1. */
static void begin_running(uint32_t ticks)
{
    power_up();
    hello(7);
    upload_leg();
    run(1, ticks);
}

/* ---- Sessions and ticks ---------------------------------------------------------------------- */

static void test_boot(void)
{
    power_up();
    TEST_ASSERT_EQUAL_UINT32(1, heard.boots);
    TEST_ASSERT_EQUAL_UINT32(0, heard.boot.session);
    TEST_ASSERT_EQUAL_HEX32(TC_VERSION, heard.boot.version);
    TEST_ASSERT_EQUAL_UINT32(0, heard.boot.parameter_size + heard.boot.model_size);
    TEST_ASSERT_NOT_NULL(strstr(heard.boot.text, "; test"));
    hello(7);
    TEST_ASSERT_EQUAL_UINT32(7, heard.boot.session);
    leg_case_init(&plant, 2, TC_LEG_RAIL);
    send_sensors(1);
    TEST_ASSERT_EQUAL_UINT32(0, heard.estimates);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_SENSORS, heard.nak.type);
    TEST_ASSERT_EQUAL_UINT32(1, heard.nak.sequence);
    send(tc_wire_encode(&desk, 0x3F, 0));
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_TYPE, heard.nak.reason);
}

/* A number of the double build after its way over the wire. Through memory: gcc 12 at -O2 was seen
 * to leave a pair of conversions there and back out. */
static tc_real as_sent(tc_real x)
{
    volatile float sent_as = (float)x;
    return (tc_real)sent_as;
}

/* The estimates of a board's next ticks are what the library says to the same sensors with this
 * law. */
static void check_estimates(const tc_estimator_model *law)
{
    static tc_real state[TC_ESTIMATOR_STATE(2)],
        work[TC_ESTIMATOR_WORK(2, TC_LEARNED2_NETS_WORK(19))];
    tc_estimator_record kept;
    tc_estimator direct;
    TEST_ASSERT_EQUAL(TC_OK, tc_estimator_record_read(record, record_size, &kept));
    for (uint32_t k = 1; k <= 300u; k++) {
        tc_estimator_estimate expected;
        run(k, k);
        for (uint32_t i = 0; i < 2u; i++) {
            measured.encoder[i] = as_sent(measured.encoder[i]);
            measured.torque[i] = as_sent(measured.torque[i]);
            measured.accel[i] = as_sent(measured.accel[i]);
        }
        measured.gyro = as_sent(measured.gyro);
        measured.pitch = as_sent(measured.pitch);
        if (k == 1u) {
            TEST_ASSERT_EQUAL(TC_OK, tc_estimator_init(&direct, &kept.config, &kept.leg, law,
                                                       &measured, state, TC_COUNT(state)));
        }
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_estimator_update(&direct, &measured, &expected, work, TC_COUNT(work)));
        TEST_ASSERT_EQUAL(TC_OK, heard.estimate.status);
        TEST_ASSERT_EQUAL_UINT32(expected.contact, heard.estimate.contact);
        TEST_ASSERT_EQUAL_HEX32(expected.flags, heard.estimate.flags);
        for (uint32_t i = 0; i < 3u; i++) {
            TEST_ASSERT_TRUE((float)expected.p[i] == heard.estimate.p[i]);
        }
        TEST_ASSERT_TRUE((float)expected.impulse[1] == heard.estimate.impulse[1]);
        TEST_ASSERT_TRUE((float)expected.slip == heard.estimate.slip);
        TEST_ASSERT_TRUE((float)expected.since == heard.estimate.since);
    }
    TEST_ASSERT_EQUAL_UINT32(0, heard.naks + heard.events);
}

static void test_estimates(void)
{
    power_up();
    hello(7);
    upload_leg();
    check_estimates(NULL);
}

/* The same bytes in other portions, at another pace of the clock, with silences: the same numbered
 * frames. */
static void test_replay(void)
{
    static uint8_t log[7000];
    uint32_t n = 0;
    power_up();
    hello(7);
    upload_leg();
    for (uint32_t k = 1; k <= 70u; k++) {
        leg_case_tick(&plant, &measured);
        send_sensors(k == 30u ? 29u : k);
        ask(TC_C(0.02), k % 3u * 8u);
    }
    TEST_ASSERT_EQUAL_UINT32(70, heard.predictions);
    n = sent;
    TEST_ASSERT_TRUE(n <= sizeof log);
    memcpy(log, to_board, n);
    const uint32_t hash = heard.hash, estimates = heard.estimates, events = heard.events;
    power_up();
    pace = 30000;
    for (uint32_t at = 0; at < n; at += 37u) {
        foot_receive(&app, log + at, n - at < 37u ? n - at : 37u);
        foot_watch(&app);
    }
    TEST_ASSERT_EQUAL_UINT32(estimates, heard.estimates);
    TEST_ASSERT_EQUAL_HEX32(hash, heard.hash);
    TEST_ASSERT_EQUAL_UINT32(0, events);
    TEST_ASSERT_TRUE(heard.events > 0u);
}

/* Lost, repeated, late: each tick is processed once, and the estimator hears what is missing. */
static void test_order(void)
{
    begin_running(20);
    const tc_wire_estimate last = heard.estimate;
    uint32_t estimates = heard.estimates;
    send_sensors(20); /* the estimate was lost on its way: again */
    TEST_ASSERT_EQUAL_UINT32(++estimates, heard.estimates);
    TEST_ASSERT_EQUAL(0, memcmp(&last, &heard.estimate, sizeof last));
    send_sensors(15);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_OLD, heard.nak.reason);
    foot_receive(&app, to_board, sent); /* the very frames again: not even looked at */
    TEST_ASSERT_EQUAL_UINT32(estimates, heard.estimates);
    send_sensors(24);
    TEST_ASSERT_EQUAL_UINT32(++estimates, heard.estimates);
    TEST_ASSERT_EQUAL_HEX32(TC_ESTIMATE_LOST, heard.estimate.flags & TC_ESTIMATE_LOST);
    send(tc_wire_encode(&desk, TC_WIRE_STATS_REQUEST, 0));
    TEST_ASSERT_EQUAL_UINT32(21, heard.stats.ticks);
    TEST_ASSERT_EQUAL_UINT32(3, heard.stats.missed);
    TEST_ASSERT_EQUAL_UINT32(2, heard.stats.old);
    TEST_ASSERT_EQUAL_UINT32(2, heard.stats.wire.repeated + heard.stats.wire.late);
    TEST_ASSERT_EQUAL_UINT32(1234, heard.stats.stack);
    TEST_ASSERT_EQUAL_UINT32(heard.naks, heard.stats.naks);
}

/* Sensors that are no numbers, or far out of range: told, nothing invented, and the next good tick
 * goes on. */
static void test_bad_sensors(void)
{
    /* NaN, inf, -inf, 1.7e38 */
    const uint32_t wrong[] = {0x7FC00000u, 0x7F800000u, 0xFF800000u, 0x7F000000u};
    for (uint32_t k = 0; k < 4u * TC_COUNT(wrong); k++) {
        begin_running(20);
        const tc_wire_estimate last = heard.estimate;
        float bad;
        memcpy(&bad, &wrong[k / 4u], sizeof bad);
        leg_case_tick(&plant, &measured);
        *(k % 4u == 0u   ? &measured.encoder[1]
          : k % 4u == 1u ? &measured.torque[0]
          : k % 4u == 2u ? &measured.gyro
                         : &measured.accel[1]) = (tc_real)bad;
        send_sensors(21);
        TEST_ASSERT_TRUE(heard.estimate.status == TC_ERR_NOT_FINITE
                         || heard.estimate.status == TC_ERR_RANGE);
        TEST_ASSERT_EQUAL_HEX32(last.flags | TC_ESTIMATE_STALE, heard.estimate.flags);
        TEST_ASSERT_EQUAL_UINT32(21, heard.estimate.tick);
        TEST_ASSERT_EQUAL_MEMORY(&last.contact, &heard.estimate.contact,
                                 sizeof last - offsetof(tc_wire_estimate, contact));
        run(22, 22);
        TEST_ASSERT_EQUAL(TC_OK, heard.estimate.status);
        TEST_ASSERT_EQUAL_HEX32(TC_ESTIMATE_LOST,
                                heard.estimate.flags & (TC_ESTIMATE_LOST | TC_ESTIMATE_STALE));
    }
}

/* Refused before there was any estimate: nothing to repeat, so zeros, and the estimator has not
 * begun. */
static void test_bad_first_sensors(void)
{
    static const tc_wire_estimate none;
    begin_running(0);
    leg_case_tick(&plant, &measured);
    const tc_estimator_sensors good = measured;
    measured.gyro = (tc_real)NAN;
    send_sensors(1);
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, heard.estimate.status);
    TEST_ASSERT_EQUAL_HEX32(TC_ESTIMATE_STALE, heard.estimate.flags);
    TEST_ASSERT_EQUAL_MEMORY(&none.contact, &heard.estimate.contact,
                             sizeof none - offsetof(tc_wire_estimate, contact));
    ask(TC_C(0.02), 0);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
    measured = good;
    send_sensors(2);
    TEST_ASSERT_EQUAL(TC_OK, heard.estimate.status);
    TEST_ASSERT_EQUAL_HEX32(0, heard.estimate.flags);
}

/* A silent plant is told once, and nothing is estimated meanwhile. */
static void test_silence(void)
{
    begin_running(20);
    const uint32_t frames = heard.frames;
    now += 19000;
    foot_watch(&app);
    TEST_ASSERT_EQUAL_UINT32(0, heard.events);
    now += 2000;
    for (uint32_t k = 0; k < 50u; k++) {
        now += 100000000u; /* beyond half of the clock's range */
        foot_watch(&app);
    }
    TEST_ASSERT_EQUAL_UINT32(1, heard.events);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_EVENT_SILENCE, heard.event.kind);
    TEST_ASSERT_EQUAL_UINT32(20, heard.event.tick);
    TEST_ASSERT_EQUAL_UINT32(frames + 1u, heard.frames);
    run(21, 21);
    TEST_ASSERT_EQUAL(TC_OK, heard.estimate.status);
    now += 30000;
    foot_watch(&app);
    TEST_ASSERT_EQUAL_UINT32(2, heard.events);
}

static void test_overrun(void)
{
    const tc_wire_test m = {TC_WIRE_TEST_BURN, 1500};
    begin_running(20);
    TEST_ASSERT_EQUAL_UINT32(0, heard.events);
    send(tc_wire_put_test(&desk, &m));
    run(21, 22);
    TEST_ASSERT_EQUAL_UINT32(1, heard.events);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_EVENT_OVERRUN, heard.event.kind);
    TEST_ASSERT_EQUAL_UINT32(21, heard.event.tick);
    TEST_ASSERT_TRUE(heard.event.value >= 1500u);
    send(tc_wire_encode(&desk, TC_WIRE_STATS_REQUEST, 0));
    TEST_ASSERT_EQUAL_UINT32(1, heard.stats.overruns);
    TEST_ASSERT_EQUAL_UINT32(heard.event.value, heard.stats.worst);
    TEST_ASSERT_TRUE(heard.stats.last < 100u);
}

/* ---- Predictions ----------------------------------------------------------------------------- */

#define MOST 62u /* steps of two joints in a tick of 1 ms: docs/reference/wire.md */

/* What the document says; a tick that the update fills leaves none, and no tick has more than a
 * prediction is worth. */
static void test_steps_of_a_tick(void)
{
    static const uint32_t said[TC_LEG_JOINTS] = {95, 62, 45, 30, 14, 1};
    for (uint32_t n = 1; n <= TC_LEG_JOINTS; n++) {
        const uint32_t most = TC_PREDICT_STEPS(n, FOOT_PREDICT_WORK);
        TEST_ASSERT_EQUAL_UINT32(said[n - 1u], steps_of_tick(n, 0, 1000));
        TEST_ASSERT_EQUAL_UINT32(0, steps_of_tick(n, 0, FOOT_UPDATE_WORK(n) / FOOT_WORK_PER_US));
        TEST_ASSERT_EQUAL_UINT32(most, steps_of_tick(n, 0, 2000));
        TEST_ASSERT_EQUAL_UINT32(most, steps_of_tick(n, 0, 0xFFFFFFFFu));
        /* a step on a ground of five parts takes 2.5 to 4 times as long */
        TEST_ASSERT_TRUE(steps_of_tick(n, 5, 1000) <= said[n - 1u]
                         && (n > 1u || steps_of_tick(n, 5, 1000) >= said[0] / 5u));
    }
}

/* What was heard is what the library says of the estimator as it is, and of this tick. */
static void check_prediction(tc_status status, float horizon, uint32_t budget, uint32_t tick)
{
    tc_estimator_prediction p;
    TEST_ASSERT_EQUAL(status, tc_estimator_predict(&app.estimator, (tc_real)horizon, budget, &p));
    const tc_wire_prediction *const said = &heard.prediction;
    TEST_ASSERT_EQUAL_UINT32(tick, said->tick);
    TEST_ASSERT_EQUAL(status, said->status);
    TEST_ASSERT_EQUAL_UINT32(p.kind, said->kind);
    TEST_ASSERT_EQUAL_UINT32(p.mode, said->mode);
    TEST_ASSERT_TRUE((float)p.time == said->time && (float)p.early == said->early
                     && (float)p.late == said->late);
    TEST_ASSERT_TRUE((float)p.velocity[0] == said->velocity[0]
                     && (float)p.velocity[1] == said->velocity[1]);
    TEST_ASSERT_TRUE((float)p.horizon == said->horizon);
}

/* Asked in each tick, through flight and contact: the estimates are those of a board that is not
 * asked. */
static void test_predictions(void)
{
    uint32_t kinds[3] = {0, 0, 0};
    begin_running(600);
    const tc_wire_estimate unasked = heard.estimate;
    begin_running(0);
    for (uint32_t k = 1; k <= 600u; k++) {
        run(k, k);
        ask(TC_C(0.02), 0);
        TEST_ASSERT_EQUAL_UINT32(k, heard.predictions);
        check_prediction(TC_OK, 0.02f, MOST, k);
        kinds[heard.prediction.kind]++;
    }
    TEST_ASSERT_TRUE(kinds[TC_ESTIMATOR_PREDICT_NONE] > 0u
                     && kinds[TC_ESTIMATOR_PREDICT_TOUCH_DOWN] > 0u
                     && kinds[TC_ESTIMATOR_PREDICT_LIFT_OFF] > 0u);
    TEST_ASSERT_EQUAL_MEMORY(&unasked, &heard.estimate, sizeof unasked);
    TEST_ASSERT_EQUAL_UINT32(0, heard.naks + heard.events);
}

/* However much is asked for in a tick, it takes MOST steps and no more; what is cut is told. */
static void test_predictions_of_a_tick_are_bounded(void)
{
    begin_running(20);
    ask(TC_C(1.0), 0);
    check_prediction(TC_NOTE_LIMIT, 1.0f, MOST, 20);
    TEST_ASSERT_TRUE(heard.prediction.horizon < 1e-3f * ((float)MOST + 0.5f));
    const tc_wire_prediction first = heard.prediction;
    memset(&heard.prediction, 0, sizeof heard.prediction);
    ask(TC_C(1.0), 0); /* the answer was lost on its way */
    TEST_ASSERT_EQUAL_MEMORY(&first, &heard.prediction, sizeof first);
    TEST_ASSERT_EQUAL_UINT32(0, heard.naks);
    ask(TC_C(0.01), 0);
    TEST_ASSERT_EQUAL_UINT32(1, heard.naks);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_PREDICT, heard.nak.type);
    send_sensors(20); /* the tick that was: no new steps */
    ask(TC_C(0.01), 0);
    TEST_ASSERT_EQUAL_UINT32(2, heard.naks);
    run(21, 21);
    ask(TC_C(1.0), MOST - 10u);
    check_prediction(TC_NOTE_LIMIT, 1.0f, MOST - 10u, 21);
    ask(TC_C(0.02), MOST);
    check_prediction(TC_NOTE_LIMIT, 0.02f, 10, 21);
    TEST_ASSERT_EQUAL_UINT32(2, heard.naks);
}

/* What is no horizon is refused and takes no steps; what no sensors have told is not predicted. */
static void test_predictions_refused(void)
{
    /* NaN, inf, -inf, 1.7e38 */
    /* -1, just over 1, 0, -0 */
    const uint32_t wrong[] = {0x7FC00000u, 0x7F800000u, 0xFF800000u, 0x7F000000u,
                              0xBF800000u, 0x3F800001u, 0u,          0x80000000u};
    power_up();
    ask(TC_C(0.02), 0);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
    begin_running(0);
    ask(TC_C(0.02), 0);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
    run(1, 20);
    for (uint32_t k = 0; k < TC_COUNT(wrong); k++) {
        tc_wire_predict m = {0.0f, 5};
        memcpy(&m.horizon, &wrong[k], sizeof m.horizon);
        heard.nak.reason = 0;
        send(tc_wire_put_predict(&desk, &m));
        TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_CONTENT, heard.nak.reason);
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, heard.nak.status);
    }
    send(tc_wire_encode(&desk, TC_WIRE_PREDICT, 4));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, heard.nak.status);
    TEST_ASSERT_EQUAL_UINT32(0, heard.predictions);
    leg_case_tick(&plant, &measured);
    measured.gyro = (tc_real)NAN;
    send_sensors(21);
    ask(TC_C(0.05), 0);
    check_prediction(TC_OK, 0.05f, MOST, 20); /* from the tick before, and says so */
    app.estimator.vertical[1] = (tc_real)INFINITY;
    ask(TC_C(0.01), 0);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_FAILED, heard.nak.reason);
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, heard.nak.status);
    ask(TC_C(0.01), 0);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
}

/* A prediction's time is its tick's: two thirds and two thirds of the budget are an overrun, told
 * once. */
static void test_prediction_counts_as_time(void)
{
    begin_running(20);
    pace = FOOT_BUDGET_US * 2u / 3u;
    run(21, 21);
    TEST_ASSERT_EQUAL_UINT32(0, heard.events);
    ask(TC_C(0.02), 0);
    ask(TC_C(0.03), 0);
    TEST_ASSERT_EQUAL_UINT32(1, heard.events);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_EVENT_OVERRUN, heard.event.kind);
    TEST_ASSERT_EQUAL_UINT32(21, heard.event.tick);
    TEST_ASSERT_EQUAL_UINT32(2u * pace, heard.event.value);
    pace = 1;
    run(22, 22);
    send(tc_wire_encode(&desk, TC_WIRE_STATS_REQUEST, 0));
    TEST_ASSERT_EQUAL_UINT32(1, heard.stats.overruns);
    TEST_ASSERT_TRUE(heard.stats.last < 100u && heard.stats.worst > FOOT_BUDGET_US);
}

/* ---- The floor ------------------------------------------------------------------------------- */

static void send_prior(void)
{
    const tc_identify_config config = tc_identify_default();
    tc_wire_prior m = {.mass = 1.0f,
                       .inertia = {0.01f, 0.01f, 0.01f},
                       .gate = (float)config.gate,
                       .patience = config.patience};
    for (uint32_t i = 0; i < 2u; i++) {
        m.start[i] = (float)config.start[i];
        m.sd[i] = (float)config.sd[i];
        m.reopen[i] = (float)config.reopen[i];
    }
    send(tc_wire_put_prior(&desk, &m));
}

/* A drop without any friction: e is 0.5. */
static void send_impact(uint32_t number)
{
    const tc_wire_impact m = {.number = number,
                              .normal = {0.0f, 0.0f, 1.0f},
                              .arm = {0.0f, 0.0f, -0.1f},
                              .before = {0.0f, 0.0f, -1.0f},
                              .after = {0.0f, 0.0f, 0.5f},
                              .linear_sd = 0.01f,
                              .angular_sd = 0.05f};
    send(tc_wire_put_impact(&desk, &m));
}

/* test_floor_firmware.c has what is answered; here, that it is, and that sessions end it. */
static void test_floor_without_a_leg(void)
{
    power_up();
    hello(7);
    send_impact(1);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_IMPACT, heard.nak.type);
    send_prior();
    for (uint32_t k = 1; k <= 5u; k++) {
        send_impact(k);
        TEST_ASSERT_EQUAL_UINT32(k + 1u, heard.identified);
        TEST_ASSERT_EQUAL_UINT32(k, heard.floor.number);
    }
    send_impact(5);
    TEST_ASSERT_EQUAL_UINT32(5, heard.floor.impacts);
    hello(8);
    send_impact(1);
    TEST_ASSERT_EQUAL_UINT32(1, heard.floor.impacts);
    const tc_wire_reset estimator = {TC_WIRE_RESET_ESTIMATOR}, all = {TC_WIRE_RESET_ALL};
    send_impact(2);
    TEST_ASSERT_EQUAL_UINT32(2, heard.floor.impacts);
    send(tc_wire_put_reset(&desk, &estimator));
    send_impact(2);
    TEST_ASSERT_EQUAL_UINT32(1, heard.floor.impacts);
    TEST_ASSERT_EQUAL_UINT32(1, heard.naks);
    send(tc_wire_put_reset(&desk, &all));
    send_impact(1);
    TEST_ASSERT_EQUAL_UINT32(2, heard.naks);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
}

/* Impacts between ticks change no estimate, and take their work from the tick's predictions. */
static void test_floor_beside_a_leg(void)
{
    begin_running(60);
    const tc_wire_estimate without = heard.estimate;
    begin_running(20);
    send_prior();
    for (uint32_t k = 21; k <= 60u; k++) {
        send_impact(k);
        run(k, k);
    }
    TEST_ASSERT_EQUAL_MEMORY(&without, &heard.estimate, sizeof without);
    TEST_ASSERT_EQUAL_UINT32(40, heard.floor.impacts);
    send_impact(61);
    ask(TC_C(1.0), 0); /* 20 steps of 62 are left of 60,000 instructions less 40,000 */
    TEST_ASSERT_EQUAL(TC_NOTE_LIMIT, heard.prediction.status);
    TEST_ASSERT_TRUE(heard.prediction.horizon > 0.01f && heard.prediction.horizon < 0.021f);
    run(61, 61);
    send_impact(62);
    send_impact(63);
    ask(TC_C(1.0), 0);
    TEST_ASSERT_EQUAL_UINT32(1, heard.naks);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
    TEST_ASSERT_EQUAL_UINT32(0, heard.events);
}

/* An impact's time is its tick's, and without a leg its own: told when it is too long. */
static void test_floor_counts_as_time(void)
{
    begin_running(20);
    send_prior();
    pace = FOOT_BUDGET_US * 2u / 3u;
    run(21, 21);
    TEST_ASSERT_EQUAL_UINT32(0, heard.events);
    send_impact(1);
    TEST_ASSERT_EQUAL_UINT32(1, heard.events);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_EVENT_OVERRUN, heard.event.kind);
    power_up();
    hello(7);
    send_prior();
    pace = FOOT_BUDGET_US * 2u / 3u;
    for (uint32_t k = 1; k <= 5u; k++) {
        send_impact(k);
    }
    TEST_ASSERT_EQUAL_UINT32(0, heard.events);
    pace = FOOT_BUDGET_US + 1u;
    send_impact(6);
    TEST_ASSERT_EQUAL_UINT32(1, heard.events);
}

/* ---- Uploads --------------------------------------------------------------------------------- */

/* The leg of this checksum is loaded, and runs. */
static void check_loaded(uint32_t crc, uint32_t tick)
{
    hello(9);
    TEST_ASSERT_EQUAL_UINT32(9, heard.boot.session);
    TEST_ASSERT_EQUAL_UINT32(record_size, heard.boot.parameter_size);
    TEST_ASSERT_EQUAL_HEX32(crc, heard.boot.parameter_crc);
    sent = 0;
    run(tick, tick);
    TEST_ASSERT_EQUAL(TC_OK, heard.estimate.status);
}

/* Another leg, its upload cut at every byte of the stream (on boards: at some); whole but for the
 * last byte, a zero that comes from elsewhere, it counts. */
static void test_cut_anywhere(void)
{
    static uint8_t stream[2048];
    begin_running(5);
    const uint32_t old = tc_bytes_crc32(0, record, record_size);
    record[12] ^= 1u; /* g, in its last bit */
    const uint32_t new = tc_bytes_crc32(0, record, record_size);
    upload(TC_WIRE_PARAMETERS, record, record_size, new);
    const uint32_t n = sent, step = sizeof(void *) == 8u ? 1u : 41u;
    TEST_ASSERT_TRUE(n <= sizeof stream);
    memcpy(stream, to_board, n);
    for (uint32_t cut = 0; cut + 1u < n + step; cut += step) {
        const uint32_t end = cut < n - 1u ? cut : n - 1u;
        begin_running(5);
        foot_receive(&app, stream, end);
        foot_receive(&app, (const uint8_t *)"\0", 1);
        check_loaded(end < n - 1u ? old : new, 6);
    }
}

/* What must be refused at COMMIT, with what is in use unharmed. */
static void test_bad_uploads(void)
{
    begin_running(5);
    upload(TC_WIRE_PARAMETERS, record, record_size, tc_bytes_crc32(0, record, record_size) ^ 1u);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_CRC, heard.upload.status);
    run(6, 6); /* not even the estimator stopped */
    static uint8_t bad[TC_ESTIMATOR_RECORD_MAX];
    const struct {
        uint32_t at, value;
        tc_status status;
    } changes[] = {{0, 0x55, TC_ERR_MODEL_MAGIC}, {4, 2, TC_ERR_MODEL_VERSION},
                   {6, 7, TC_ERR_RANGE},          {6, 1, TC_ERR_SIZE},
                   {7, 3, TC_ERR_UNSUPPORTED},    {15, 0xFF, TC_ERR_RANGE},
                   {24, 9, TC_ERR_RANGE}};
    for (uint32_t k = 0; k < TC_COUNT(changes); k++) {
        memcpy(bad, record, record_size);
        bad[changes[k].at] = (uint8_t)changes[k].value;
        upload(TC_WIRE_PARAMETERS, bad, record_size, tc_bytes_crc32(0, bad, record_size));
        TEST_ASSERT_EQUAL(changes[k].status, heard.upload.status);
        sent = 0;
    }
    check_loaded(tc_bytes_crc32(0, record, record_size), 1);
}

/* ---- Models ---------------------------------------------------------------------------------- */

static _Alignas(16) uint8_t blob[LEARNED2_BLOB_SIZE];

/* A model of the leg's last link but for its mass times `scale`; its length */
static uint32_t model_of(tc_real scale)
{
    const tc_body2 *const body = &plant.links[1].body;
    const uint32_t n = learned2_blob(blob);
    put_float(blob + LEARNED2_CONTACT_AT + 8u, (float)(scale * body->mass));
    put_float(blob + LEARNED2_CONTACT_AT + 12u, (float)body->inertia);
    put_float(blob + 40, 1e-3f);
    repair_crc(blob, n);
    return n;
}

static void upload_model(uint32_t n)
{
    upload(TC_WIRE_MODEL, blob, n, tc_bytes_crc32(0, blob, n));
    sent = 0;
}

/* A board with a leg and a model of it, about to begin. */
static uint32_t begin_with_model(void)
{
    test_seed(91);
    power_up();
    hello(7);
    upload_leg();
    const uint32_t n = model_of(TC_C(1.0));
    upload_model(n);
    TEST_ASSERT_EQUAL(TC_OK, heard.upload.status);
    return n;
}

/* Catches: a model that is checked and not used, or used with another body's mass. */
static void test_model_is_the_law(void)
{
    tc_model file;
    tc_learned2_nets nets;
    tc_estimator_foot learned;
    tc_estimator_record kept;
    const uint32_t n = begin_with_model();
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&file, blob, n));
    TEST_ASSERT_EQUAL(TC_OK, tc_estimator_record_read(record, record_size, &kept));
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_estimator_foot_open(&learned, &nets, &file, &kept.leg, kept.config.step));
    const tc_estimator_model law = tc_estimator_foot_model(&learned);
    check_estimates(&law);
    const uint32_t with = heard.hash;
    begin_running(300);
    TEST_ASSERT_TRUE(with != heard.hash);
}

/* A model of another body is refused and the old one stays; so do parameters that the model does
 * not fit, until an empty upload has taken it away. */
static void test_model_must_fit(void)
{
    const uint32_t n = begin_with_model();
    hello(8);
    uint8_t hash[TC_MODEL_HASH_BYTES];
    memcpy(hash, heard.boot.model_hash, sizeof hash);
    TEST_ASSERT_EQUAL_UINT32(n, heard.boot.model_size);
    upload_model(model_of(TC_C(1.03)));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, heard.upload.status);
    /* a mass that none has: the file opens, its record does not */
    upload_model(model_of(TC_C(-1.0)));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_WEIGHT, heard.upload.status);
    TEST_ASSERT_EQUAL_UINT32(LEARNED2_CONTACT_AT + 8u, heard.upload.fault);
    hello(9);
    TEST_ASSERT_EQUAL_MEMORY(hash, heard.boot.model_hash, sizeof hash);
    leg_case other;
    leg_case_init(&other, 2, TC_LEG_RAIL);
    other.links[1].body.inertia *= TC_C(1.03);
    const tc_estimator_config config = tc_estimator_default();
    record_size = (uint32_t)tc_estimator_record_write(&other.leg, &config, record, sizeof record);
    upload(TC_WIRE_PARAMETERS, record, record_size, tc_bytes_crc32(0, record, record_size));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, heard.upload.status);
    run(1, 20);
    TEST_ASSERT_EQUAL(TC_OK, heard.estimate.status);
    upload_model(0);
    TEST_ASSERT_EQUAL(TC_OK, heard.upload.status);
    upload(TC_WIRE_PARAMETERS, record, record_size, tc_bytes_crc32(0, record, record_size));
    TEST_ASSERT_EQUAL(TC_OK, heard.upload.status);
    hello(10);
    TEST_ASSERT_EQUAL_UINT32(0, heard.boot.model_size);
    run(1, 20);
    TEST_ASSERT_EQUAL(TC_OK, heard.estimate.status);
}

static void test_model_without_a_leg(void)
{
    power_up();
    hello(7);
    const tc_wire_upload_begin begin = {TC_WIRE_MODEL, 100, 0};
    send(tc_wire_put_upload_begin(&desk, &begin));
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_UPLOAD_BEGIN, heard.nak.type);
}

/* ---- The line -------------------------------------------------------------------------------- */

/* Chunks that are missing, come twice or reach beyond the end are asked for again. */
static void test_chunks(void)
{
    begin_running(5);
    const tc_wire_upload_begin begin = {TC_WIRE_PARAMETERS, 300, 0};
    tc_wire_upload_chunk chunk = {0, 100, record};
    send(tc_wire_put_upload_chunk(&desk, &chunk));
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
    send(tc_wire_encode(&desk, TC_WIRE_UPLOAD_COMMIT, 0));
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_UPLOAD_COMMIT, heard.nak.type);
    send(tc_wire_put_upload_begin(&desk, &begin));
    send(tc_wire_put_upload_chunk(&desk, &chunk));
    send(tc_wire_put_upload_chunk(&desk, &chunk));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, heard.upload.status);
    TEST_ASSERT_EQUAL_UINT32(100, heard.upload.bytes);
    chunk.offset = 200;
    send(tc_wire_put_upload_chunk(&desk, &chunk));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, heard.upload.status);
    chunk.offset = 100;
    chunk.n = 201;
    send(tc_wire_put_upload_chunk(&desk, &chunk));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, heard.upload.status);
    send(tc_wire_encode(&desk, TC_WIRE_UPLOAD_COMMIT, 0));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, heard.upload.status);
    const tc_wire_upload_begin large = {TC_WIRE_MODEL, sizeof room[0] + 1u, 0};
    send(tc_wire_put_upload_begin(&desk, &large));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, heard.upload.status);
    check_loaded(tc_bytes_crc32(0, record, record_size), 6);
}

static void test_reset(void)
{
    const tc_wire_reset estimator = {TC_WIRE_RESET_ESTIMATOR}, all = {TC_WIRE_RESET_ALL};
    begin_running(20);
    send(tc_wire_put_reset(&desk, &estimator));
    TEST_ASSERT_EQUAL_UINT32(7, heard.boot.session);
    TEST_ASSERT_EQUAL_UINT32(record_size, heard.boot.parameter_size);
    desk.sequence = 100;
    run(3, 3); /* any tick begins */
    TEST_ASSERT_EQUAL(TC_OK, heard.estimate.status);
    send(tc_wire_put_reset(&desk, &all));
    TEST_ASSERT_EQUAL_UINT32(0, heard.boot.session);
    TEST_ASSERT_EQUAL_UINT32(0, heard.boot.parameter_size);
    send_sensors(4);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_STATE, heard.nak.reason);
}

/* Anything on the line: no estimate comes of it, and the run goes on. */
static void test_garbage(void)
{
    uint8_t garbage[97];
    test_seed(64);
    begin_running(20);
    const uint32_t estimates = heard.estimates, rounds = sizeof(void *) == 8u ? 10000u : 300u;
    for (uint32_t k = 0; k < rounds; k++) {
        for (uint32_t i = 0; i < sizeof garbage; i++) {
            garbage[i] = (uint8_t)(k % 2u == 0u ? test_bits() >> 8 : test_below(4));
        }
        foot_receive(&app, garbage, sizeof garbage);
        foot_watch(&app);
    }
    TEST_ASSERT_EQUAL_UINT32(estimates, heard.estimates);
    TEST_ASSERT_EQUAL_UINT32(TC_WIRE_NAK_FRAME, heard.nak.reason);
    foot_receive(&app, (const uint8_t *)"\0", 1);
    run(21, 40);
    TEST_ASSERT_EQUAL(TC_OK, heard.estimate.status);
    TEST_ASSERT_EQUAL_HEX32(0, heard.estimate.flags & TC_ESTIMATE_LOST);
}

void suite_foot_firmware(void)
{
    RUN_TEST(test_boot);
    RUN_TEST(test_estimates);
    RUN_TEST(test_replay);
    RUN_TEST(test_order);
    RUN_TEST(test_bad_sensors);
    RUN_TEST(test_bad_first_sensors);
    RUN_TEST(test_silence);
    RUN_TEST(test_overrun);
    RUN_TEST(test_steps_of_a_tick);
    RUN_TEST(test_predictions);
    RUN_TEST(test_predictions_of_a_tick_are_bounded);
    RUN_TEST(test_predictions_refused);
    RUN_TEST(test_prediction_counts_as_time);
    RUN_TEST(test_floor_without_a_leg);
    RUN_TEST(test_floor_beside_a_leg);
    RUN_TEST(test_floor_counts_as_time);
    RUN_TEST(test_cut_anywhere);
    RUN_TEST(test_bad_uploads);
    RUN_TEST(test_model_is_the_law);
    RUN_TEST(test_model_must_fit);
    RUN_TEST(test_model_without_a_leg);
    RUN_TEST(test_chunks);
    RUN_TEST(test_reset);
    RUN_TEST(test_garbage);
}
