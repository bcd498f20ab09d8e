/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Frames: what is sent arrives; what is damaged never arrives as something else, and the second
 * frame after any damage arrives; numbers tell what was lost. "Never" rests on CRC-32 (one in 2^32
 * per bad frame); the tests are seeded, so what passes once passes always.
 */
#include "test.h"

static tc_wire_encoder encoder;
static tc_wire_decoder decoder;
static tc_wire_frame frame;

/* Frames in a row, to be damaged and fed. */
static uint8_t stream[4 * TC_WIRE_FRAME_MAX];
static uint32_t stream_length;

static void begin(void)
{
    memset(&encoder, 0, sizeof encoder);
    tc_wire_decoder_init(&decoder);
    stream_length = 0;
}

static void keep(uint32_t length)
{
    TEST_ASSERT_TRUE(length > 0 && length <= TC_WIRE_FRAME_MAX);
    memcpy(stream + stream_length, encoder.frame, length);
    stream_length += length;
}

/* A frame with n bytes of payload that tell its type: bytes of type, zeros where (i % gap) == 0. */
static void keep_marked(uint32_t type, uint32_t n, uint32_t gap)
{
    for (uint32_t i = 0; i < n; i++) {
        encoder.body[TC_WIRE_HEAD + i] = (uint8_t)(gap > 0 && i % gap == 0u ? 0u : type);
    }
    keep(tc_wire_encode(&encoder, type, n));
}

/* Feeds n bytes; how many frames arrive, each looking like its type; the last one's type in
 * `last`. */
static uint32_t feed(const uint8_t *bytes, uint32_t n, uint32_t *last)
{
    uint32_t frames = 0;
    for (uint32_t at = 0; at < n;) {
        tc_wire_result result;
        at += tc_wire_decode(&decoder, bytes + at, n - at, &frame, &result);
        if (result != TC_WIRE_FRAME) {
            continue;
        }
        frames++;
        *last = frame.type;
        for (uint32_t i = 0; i < frame.length; i++) {
            TEST_ASSERT_TRUE(frame.payload[i] == 0u || frame.payload[i] == frame.type);
        }
    }
    return frames;
}

static uint32_t all_counted(const tc_wire_counters *c)
{
    return c->frames + c->repeated + c->late + c->crc + c->form + c->version;
}

/* The smallest frame and one with a float, byte for byte as in docs/reference/wire.md; the CRCs are
 * zlib's. */
static void test_bytes(void)
{
    static const uint8_t request[] = {0x03, 0x01, 0x06, 0x01, 0x05, 0xCB, 0xC4, 0x75, 0x9D, 0x00};
    static const uint8_t predict[] = {0x04, 0x01, 0x08, 0x01, 0x06, 0x0A, 0xD7, 0xA3, 0x3C,
                                      0x14, 0x01, 0x01, 0x05, 0x77, 0xD7, 0xF7, 0x6E, 0x00};
    const tc_wire_predict m = {0.02f, 20};
    begin();
    TEST_ASSERT_EQUAL_UINT32(sizeof request, tc_wire_encode(&encoder, TC_WIRE_STATS_REQUEST, 0));
    TEST_ASSERT_EQUAL_HEX8_ARRAY(request, encoder.frame, sizeof request);
    TEST_ASSERT_EQUAL_UINT32(sizeof predict, tc_wire_put_predict(&encoder, &m));
    TEST_ASSERT_EQUAL_HEX8_ARRAY(predict, encoder.frame, sizeof predict);
}

/* Every length, with no zeros, all zeros, few zeros and anything. */
static void test_any_payload(void)
{
    static uint8_t sent[TC_WIRE_PAYLOAD_MAX];
    begin();
    test_seed(61);
    for (uint32_t k = 0; k < 4u * (TC_WIRE_PAYLOAD_MAX + 1u); k += 1u + test_below(5)) {
        const uint32_t n = k / 4u;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t any = test_bits() >> 8;
            sent[i] = (uint8_t)(k % 4u == 0u   ? 1u + any % 255u
                                : k % 4u == 1u ? 0u
                                : k % 4u == 2u ? any & 1u
                                               : any);
        }
        memcpy(encoder.body + TC_WIRE_HEAD, sent, n);
        const uint32_t length = tc_wire_encode(&encoder, 0x20, n);
        TEST_ASSERT_TRUE(length <= TC_WIRE_FRAME_MAX);
        TEST_ASSERT_NULL(memchr(encoder.frame, 0, length - 1u));
        tc_wire_result result = TC_WIRE_BAD;
        TEST_ASSERT_EQUAL_UINT32(length,
                                 tc_wire_decode(&decoder, encoder.frame, length, &frame, &result));
        TEST_ASSERT_EQUAL(TC_WIRE_FRAME, result);
        TEST_ASSERT_EQUAL_UINT32(n, frame.length);
        TEST_ASSERT_EQUAL(0, memcmp(sent, frame.payload, n));
    }
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_encode(&encoder, 0x20, TC_WIRE_PAYLOAD_MAX + 1u));
    TEST_ASSERT_EQUAL_UINT32(decoder.counters.frames, all_counted(&decoder.counters));
}

/* What every test of damage asks: of frames 0x21, 0x22, 0x23 the first was damaged, the last
 * arrives. */
static void check_recovery(const uint8_t *bytes, uint32_t n)
{
    uint32_t last = 0;
    tc_wire_decoder_init(&decoder);
    const uint32_t frames = feed(bytes, n, &last);
    TEST_ASSERT_TRUE(frames >= 1u && frames <= 3u);
    TEST_ASSERT_EQUAL_HEX32(0x23, last);
    TEST_ASSERT_EQUAL_UINT32(decoder.counters.crc + decoder.counters.form > 0u,
                             decoder.counters.resyncs);
}

/* A short frame as sensors are, one full of zeros, one with blocks of 254. */
static const struct {
    uint32_t length, gap;
} shapes[] = {{0, 0}, {48, 7}, {30, 1}, {300, 0}};

static uint32_t keep_three(uint32_t shape)
{
    begin();
    keep_marked(0x21, shapes[shape].length, shapes[shape].gap);
    const uint32_t first = stream_length;
    keep_marked(0x22, 48, 7);
    keep_marked(0x23, 48, 7);
    return first;
}

static void test_every_bit(void)
{
    for (uint32_t shape = 0; shape < TC_COUNT(shapes); shape++) {
        const uint32_t first = keep_three(shape);
        /* odd to 8: all bits of a byte are hit */
        const uint32_t step = shapes[shape].length > 100u ? 5u : 1u;
        for (uint32_t bit = 0; bit < 8u * first; bit += step) {
            stream[bit / 8u] ^= (uint8_t)(1u << bit % 8u);
            check_recovery(stream, stream_length);
            stream[bit / 8u] ^= (uint8_t)(1u << bit % 8u);
        }
    }
}

/* The first `cut` bytes are missing, the last ones, or (deletion) one in the middle. */
static void test_every_truncation(void)
{
    static uint8_t damaged[sizeof stream + 1u];
    for (uint32_t shape = 0; shape < TC_COUNT(shapes); shape++) {
        const uint32_t first = keep_three(shape);
        for (uint32_t cut = 1; cut <= first; cut++) {
            check_recovery(stream + cut, stream_length - cut);
            memcpy(damaged, stream, first - cut);
            memcpy(damaged + first - cut, stream + first, stream_length - first);
            check_recovery(damaged, stream_length - cut);
            memcpy(damaged, stream, cut - 1u);
            memcpy(damaged + cut - 1u, stream + cut, stream_length - cut);
            check_recovery(damaged, stream_length - 1u);
        }
    }
}

static void test_every_insertion(void)
{
    static const uint8_t inserted[] = {0, 1, 2, 0x21, 255};
    static uint8_t damaged[sizeof stream + 1u];
    for (uint32_t k = 0; k < TC_COUNT(inserted) * TC_COUNT(shapes); k++) {
        const uint32_t first = keep_three(k % TC_COUNT(shapes));
        for (uint32_t at = 0; at < first; at++) {
            memcpy(damaged, stream, at);
            damaged[at] = inserted[k / TC_COUNT(shapes)];
            memcpy(damaged + at + 1u, stream + at, stream_length - at);
            check_recovery(damaged, stream_length + 1u);
        }
    }
}

/* Garbage of any kind, then two frames: the second arrives. Nothing arrives out of garbage. */
static void test_garbage(void)
{
    static uint8_t garbage[4096];
    uint32_t last = 0;
    test_seed(62);
    for (uint32_t round = 0; round < 40u; round++) {
        begin();
        for (uint32_t i = 0; i < sizeof garbage; i++) {
            const uint32_t any = test_bits() >> 8;
            garbage[i] = (uint8_t)(round % 4u == 0u   ? any
                                   : round % 4u == 1u ? any % 4u
                                   : round % 4u == 2u ? 1u
                                                      : 255u);
        }
        TEST_ASSERT_EQUAL_UINT32(0, feed(garbage, sizeof garbage - round, &last));
        keep_marked(0x22, 48, 7);
        keep_marked(0x23, 48, 7);
        TEST_ASSERT_TRUE(feed(stream, stream_length, &last) >= 1u);
        TEST_ASSERT_EQUAL_HEX32(0x23, last);
        TEST_ASSERT_EQUAL_UINT32(1, decoder.counters.resyncs);
    }
}

/* Whole frames that are refused, each counted as what it is. */
static void test_refused(void)
{
    static const uint8_t endless[2] = {1, 2};
    uint32_t last = 0;
    begin();
    for (uint32_t i = 0; i < 2000u; i++) {
        /* one zero every three bytes, no end */
        TEST_ASSERT_EQUAL_UINT32(0, feed(endless, 2, &last));
    }
    TEST_ASSERT_EQUAL_UINT32(0, all_counted(&decoder.counters));
    TEST_ASSERT_EQUAL_UINT32(0, feed((const uint8_t *)"\0\0\0", 3, &last));
    TEST_ASSERT_EQUAL_UINT32(1, decoder.counters.form);
    static const uint8_t version_2[] = {0x03, 0x02, 0x06, 0x01, 0x05, 0x25, 0x6B, 0xC0, 0x8F, 0x00};
    TEST_ASSERT_EQUAL_UINT32(0, feed(version_2, sizeof version_2, &last));
    TEST_ASSERT_EQUAL_UINT32(1, decoder.counters.version);
    keep_marked(0x21, 8, 3);
    stream[2] ^= 64;
    TEST_ASSERT_EQUAL_UINT32(0, feed(stream, stream_length, &last));
    TEST_ASSERT_EQUAL_UINT32(1, decoder.counters.crc);
    TEST_ASSERT_EQUAL_UINT32(3, all_counted(&decoder.counters));
}

/* One byte at a time, and all at once. */
static void test_any_portions(void)
{
    uint32_t last = 0;
    begin();
    keep_marked(0x21, 48, 7);
    keep_marked(0x22, 300, 0);
    keep_marked(0x23, 12, 2);
    TEST_ASSERT_EQUAL_UINT32(3, feed(stream, stream_length, &last));
    tc_wire_decoder_init(&decoder);
    uint32_t frames = 0;
    for (uint32_t i = 0; i < stream_length; i++) {
        frames += feed(stream + i, 1, &last);
    }
    TEST_ASSERT_EQUAL_UINT32(3, frames);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static tc_wire_result receive(uint32_t type, uint32_t sequence)
{
    tc_wire_result result;
    encoder.sequence = (uint16_t)sequence;
    const uint32_t length = tc_wire_encode(&encoder, type, 0);
    (void)tc_wire_decode(&decoder, encoder.frame, length, &frame, &result);
    return result;
}

static void test_numbers(void)
{
    begin();
    /* joined in the middle: nothing is missed */
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, receive(0x20, 40000));
    TEST_ASSERT_EQUAL_UINT32(0, frame.lost);
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, receive(0x20, 40001));
    TEST_ASSERT_EQUAL(TC_WIRE_OLD, receive(0x20, 40001));
    TEST_ASSERT_EQUAL_UINT32(1, decoder.counters.repeated);
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, receive(0x20, 40004));
    TEST_ASSERT_EQUAL_UINT32(2, frame.lost);
    TEST_ASSERT_EQUAL(TC_WIRE_OLD, receive(0x20, 40002));
    TEST_ASSERT_EQUAL_UINT32(1, decoder.counters.late);
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, receive(TC_WIRE_EVENT, 0)); /* has no number */
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, receive(0x20, 65535));
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, receive(0x20, 0));
    TEST_ASSERT_EQUAL_UINT32(0, frame.lost);
    TEST_ASSERT_EQUAL_UINT32(2u + 65535u - 40005u, decoder.counters.lost);
}

/* A peer that has started anew is heard at once. */
static void test_hello_begins(void)
{
    begin();
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, receive(0x20, 1000));
    TEST_ASSERT_EQUAL(TC_WIRE_OLD, receive(0x20, 0));
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, receive(TC_WIRE_HELLO, 77));
    TEST_ASSERT_EQUAL_UINT32(0, frame.sequence);
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, receive(0x20, encoder.sequence));
    TEST_ASSERT_EQUAL_UINT32(0, decoder.counters.lost);
    TEST_ASSERT_EQUAL(TC_WIRE_OLD, receive(0x20, 1001u + 0x8000u));
}

/* ---- Messages -------------------------------------------------------------------------------- */

static uint32_t hash_bytes(uint32_t hash, const uint8_t *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        hash = (hash ^ bytes[i]) * 16777619u;
    }
    return hash;
}

static uint32_t frames_hash;

/* Sends what is in encoder.frame to the decoder. */
static void deliver(uint32_t length, uint32_t type)
{
    tc_wire_result result;
    TEST_ASSERT_TRUE(length > 0);
    TEST_ASSERT_EQUAL_UINT32(length,
                             tc_wire_decode(&decoder, encoder.frame, length, &frame, &result));
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, result);
    TEST_ASSERT_EQUAL_HEX32(type, frame.type);
    frames_hash = hash_bytes(frames_hash, encoder.frame, length);
}

/* Draws whole words, so that an enumeration of one byte does not shift what is drawn next. */
static void fill(void *m, size_t n)
{
    for (size_t i = 0; i < ((n + 3u) & ~(size_t)3u); i++) {
        const uint8_t byte = (uint8_t)(test_bits() >> 8);
        if (i < n) {
            ((uint8_t *)m)[i] = byte;
        }
    }
}

#define ALL_BYTES (memcmp(&m, &got, sizeof m) == 0)

/* Every field arrives with every bit; a payload of any other length is refused, and leaves zeros.
 * `fix` puts what is not free to be anything. `same` compares m and got: ALL_BYTES, or the fields
 * of a struct that an enumeration of one byte leaves holes in. */
#define MESSAGE_TEST(name, type, fix, same)                                                        \
    static void test_##name(void)                                                                  \
    {                                                                                              \
        static const tc_wire_##name none;                                                          \
        tc_wire_##name m, got;                                                                     \
        fill(&m, sizeof m);                                                                        \
        fix;                                                                                       \
        deliver(tc_wire_put_##name(&encoder, &m), type);                                           \
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_##name(&frame, &got));                                \
        TEST_ASSERT_TRUE(same);                                                                    \
        const uint32_t whole = frame.length;                                                       \
        for (frame.length = 0; frame.length <= whole + 3u; frame.length++) {                       \
            if (frame.length != whole) {                                                           \
                TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_wire_get_##name(&frame, &got));                  \
                TEST_ASSERT_EQUAL(0, memcmp(&none, &got, sizeof got));                             \
            }                                                                                      \
        }                                                                                          \
    }

MESSAGE_TEST(hello, TC_WIRE_HELLO, m.session |= 1u, ALL_BYTES)
MESSAGE_TEST(sensors, TC_WIRE_SENSORS, (m.joints = TC_WIRE_JOINTS, m.given = 69), ALL_BYTES)
MESSAGE_TEST(upload_begin, TC_WIRE_UPLOAD_BEGIN, m.kind = TC_WIRE_MODEL,
             m.kind == got.kind && m.size == got.size && m.crc == got.crc)
MESSAGE_TEST(reset, TC_WIRE_RESET, m.what = TC_WIRE_RESET_ALL, m.what == got.what)
MESSAGE_TEST(predict, TC_WIRE_PREDICT, (void)0, ALL_BYTES)
MESSAGE_TEST(prior, TC_WIRE_PRIOR, (m.ratios = 3, m.law = 1), ALL_BYTES)
MESSAGE_TEST(impact, TC_WIRE_IMPACT, m.number |= 1u, ALL_BYTES)
MESSAGE_TEST(feel, TC_WIRE_FEEL, (void)0, ALL_BYTES)
MESSAGE_TEST(touch, TC_WIRE_TOUCH, (m.number |= 1u, m.given = 1u), ALL_BYTES)
MESSAGE_TEST(test, TC_WIRE_TEST, m.what = TC_WIRE_TEST_BURN,
             m.what == got.what && m.value == got.value)
MESSAGE_TEST(boot, TC_WIRE_BOOT, m.text[TC_WIRE_TEXT - 1u] = '\0', ALL_BYTES)
MESSAGE_TEST(estimate, TC_WIRE_ESTIMATE, m.contact = 1, ALL_BYTES)
MESSAGE_TEST(upload, TC_WIRE_UPLOAD, (void)0, ALL_BYTES)
MESSAGE_TEST(stats, TC_WIRE_STATS, (void)0, ALL_BYTES)
MESSAGE_TEST(nak, TC_WIRE_NAK, (m.type = 0x33, m.sequence = 0xFFFE, m.reason = TC_WIRE_NAK_STATE),
             m.type == got.type && m.sequence == got.sequence && m.reason == got.reason
                 && m.status == got.status)
MESSAGE_TEST(prediction, TC_WIRE_PREDICTION, (void)0, ALL_BYTES)
MESSAGE_TEST(identified, TC_WIRE_IDENTIFIED, (void)0, ALL_BYTES)
MESSAGE_TEST(felt, TC_WIRE_FELT, (void)0, ALL_BYTES)
MESSAGE_TEST(event, TC_WIRE_EVENT, m.kind = TC_WIRE_EVENT_OVERRUN,
             m.kind == got.kind && m.tick == got.tick && m.value == got.value)

static void test_fewer_joints(void)
{
    tc_wire_sensors m = {.tick = 9, .joints = 2, .encoder = {1, -2}, .torque = {3, 4}}, got;
    deliver(tc_wire_put_sensors(&encoder, &m), TC_WIRE_SENSORS);
    TEST_ASSERT_EQUAL_UINT32(48, frame.length);
    TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_sensors(&frame, &got));
    TEST_ASSERT_EQUAL(0, memcmp(&m, &got, sizeof m));
    m.joints = 7;
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_sensors(&encoder, &m));
    encoder.body[TC_WIRE_HEAD + 4u] = 3; /* says three, brings two */
    deliver(tc_wire_encode(&encoder, TC_WIRE_SENSORS, 48), TC_WIRE_SENSORS);
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_wire_get_sensors(&frame, &got));
    encoder.body[TC_WIRE_HEAD + 4u] = 200;
    deliver(tc_wire_encode(&encoder, TC_WIRE_SENSORS, 48), TC_WIRE_SENSORS);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_wire_get_sensors(&frame, &got));
}

static void test_chunk(void)
{
    static uint8_t bytes[TC_WIRE_CHUNK_MAX + 1u];
    tc_wire_upload_chunk m = {.offset = 0x12345678u, .n = TC_WIRE_CHUNK_MAX, .bytes = bytes}, got;
    fill(bytes, sizeof bytes);
    deliver(tc_wire_put_upload_chunk(&encoder, &m), TC_WIRE_UPLOAD_CHUNK);
    TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_upload_chunk(&frame, &got));
    TEST_ASSERT_EQUAL_HEX32(m.offset, got.offset);
    TEST_ASSERT_EQUAL_UINT32(m.n, got.n);
    TEST_ASSERT_EQUAL(0, memcmp(bytes, got.bytes, got.n));
    frame.length = 4;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_wire_get_upload_chunk(&frame, &got));
    m.n++;
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_upload_chunk(&encoder, &m));
    m.n = 0;
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_upload_chunk(&encoder, &m));
    m.n = 1;
    TEST_ASSERT_TRUE(tc_wire_put_upload_chunk(&encoder, &m) > 0u);
}

/* A state's bytes: as many as there are, one at least. */
#define STATE_TEST(name, type)                                                                     \
    static void test_##name(void)                                                                  \
    {                                                                                              \
        static uint8_t bytes[TC_WIRE_PAYLOAD_MAX + 1u];                                            \
        tc_wire_##name m = {.bytes = bytes}, got;                                                  \
        fill(bytes, sizeof bytes);                                                                 \
        for (m.n = 0; m.n <= TC_WIRE_PAYLOAD_MAX + 1u; m.n++) {                                    \
            const uint32_t length = tc_wire_put_##name(&encoder, &m);                              \
            TEST_ASSERT_EQUAL(m.n >= 1u && m.n <= TC_WIRE_PAYLOAD_MAX, length > 0u);               \
            if (length > 0u) {                                                                     \
                deliver(length, type);                                                             \
                TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_##name(&frame, &got));                        \
                TEST_ASSERT_EQUAL_UINT32(m.n, got.n);                                              \
                TEST_ASSERT_TRUE(got.bytes == frame.payload);                                      \
                TEST_ASSERT_EQUAL(0, memcmp(bytes, got.bytes, got.n));                             \
            }                                                                                      \
        }                                                                                          \
        frame.length = 0;                                                                          \
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_wire_get_##name(&frame, &got));                          \
        TEST_ASSERT_TRUE(got.n == 0u && got.bytes == NULL);                                        \
    }

STATE_TEST(restore, TC_WIRE_RESTORE)
STATE_TEST(saved, TC_WIRE_SAVED)

/* One field that is not allowed, in each message that has such. */
static void test_ranges(void)
{
    tc_wire_hello hello = {0, 1, 1};
    tc_wire_reset reset = {2};
    tc_wire_upload_begin upload = {3, 1, 1};
    tc_wire_event event = {0, 1, 1};
    tc_wire_nak nak = {1, 1, 7, 0};
    tc_wire_estimate estimate = {.contact = 2};
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_hello(&encoder, &hello));
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_reset(&encoder, &reset));
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_upload_begin(&encoder, &upload));
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_event(&encoder, &event));
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_nak(&encoder, &nak));
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_estimate(&encoder, &estimate));
    memset(encoder.body, 0, sizeof encoder.body);
    deliver(tc_wire_encode(&encoder, TC_WIRE_HELLO, 12), TC_WIRE_HELLO);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_wire_get_hello(&frame, &hello));
}

/* Catches: a number of four bytes that becomes an enumeration of one byte before it is checked. */
static void test_cut_enumerations(void)
{
    tc_wire_upload_begin upload;
    tc_wire_reset reset;
    tc_wire_test test;
    tc_wire_event event;
    for (uint32_t at = 1; at < 4u; at++) {
        memset(encoder.body, 0, sizeof encoder.body);
        encoder.body[TC_WIRE_HEAD] = 1;
        encoder.body[TC_WIRE_HEAD + at] = 1;
        deliver(tc_wire_encode(&encoder, TC_WIRE_UPLOAD_BEGIN, 12), TC_WIRE_UPLOAD_BEGIN);
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_wire_get_upload_begin(&frame, &upload));
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_wire_get_event(&frame, &event));
        deliver(tc_wire_encode(&encoder, TC_WIRE_TEST, 8), TC_WIRE_TEST);
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_wire_get_test(&frame, &test));
        deliver(tc_wire_encode(&encoder, TC_WIRE_RESET, 4), TC_WIRE_RESET);
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_wire_get_reset(&frame, &reset));
    }
}

static void test_messages(void)
{
    begin();
    test_seed(63);
    frames_hash = TEST_HASH_START;
    test_hello();
    test_sensors();
    test_upload_begin();
    test_reset();
    test_predict();
    test_test();
    test_boot();
    test_estimate();
    test_upload();
    test_stats();
    test_nak();
    test_prediction();
    test_event();
    test_fewer_joints();
    test_chunk();
    test_golden("wire.frames", frames_hash);
}

static void test_messages_of_touches(void)
{
    begin();
    test_seed(65);
    test_feel();
    test_touch();
    test_felt();
}

static void test_messages_of_impacts(void)
{
    begin();
    test_seed(64);
    test_prior();
    test_impact();
    test_restore();
    test_identified();
    test_saved();
}

void suite_wire(void)
{
    RUN_TEST(test_bytes);
    RUN_TEST(test_any_payload);
    RUN_TEST(test_every_bit);
    RUN_TEST(test_every_truncation);
    RUN_TEST(test_every_insertion);
    RUN_TEST(test_garbage);
    RUN_TEST(test_refused);
    RUN_TEST(test_any_portions);
    RUN_TEST(test_numbers);
    RUN_TEST(test_hello_begins);
    RUN_TEST(test_messages);
    RUN_TEST(test_messages_of_impacts);
    RUN_TEST(test_messages_of_touches);
    RUN_TEST(test_ranges);
    RUN_TEST(test_cut_enumerations);
}
