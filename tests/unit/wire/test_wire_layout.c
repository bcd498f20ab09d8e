/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bytes of docs/reference/wire.md, by tables of their own: encoder and decoder share one walk, so a field in the
 * wrong place comes back whole, and only a peer that reads the page would notice.
 */
#include "test.h"

#include <stddef.h>

static tc_wire_encoder encoder;
static tc_wire_decoder decoder;
static tc_wire_frame frame;
static uint8_t plain[TC_WIRE_PAYLOAD_MAX];

/* ---- Fields ------------------------------------------------------------------------------------- */

/* `size` bytes at `at` of the payload are the lowest of the member at `in`. */
typedef struct place {
    uint16_t at, size, in;
} place;

#define AT(at, size, message, member) {at, size, (uint16_t)offsetof(tc_wire_##message, member)}

static void send_frame(uint32_t length, uint32_t type)
{
    tc_wire_result result;
    TEST_ASSERT_TRUE(length > 0u);
    tc_wire_decoder_init(&decoder);
    TEST_ASSERT_EQUAL_UINT32(length,
                             tc_wire_decode(&decoder, encoder.frame, length, &frame, &result));
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, result);
    TEST_ASSERT_EQUAL_HEX32(type, frame.type);
}

/* Puts each field alone on top of `base`, looks for its bytes in the frame, and for no other change; then writes other
 * bytes there by hand, and looks for them in what is read. */
#define LAYOUT_TEST(name, type, bytes, base, ...)                                                  \
    static void test_layout_of_##name(void)                                                        \
    {                                                                                              \
        static const place all[] = {__VA_ARGS__};                                                  \
        tc_wire_##name m = base, got;                                                              \
        send_frame(tc_wire_put_##name(&encoder, &m), type);                                        \
        TEST_ASSERT_EQUAL_UINT32(bytes, frame.length);                                             \
        memcpy(plain, frame.payload, frame.length);                                                \
        for (uint32_t f = 0; f < TC_COUNT(all); f++) {                                             \
            for (uint32_t k = 0; k < all[f].size; k++) {                                           \
                const tc_wire_##name fresh = base;                                                 \
                const uint8_t mark = (uint8_t)(0x81u + 7u * k % 64u);                              \
                const uint32_t at = (uint32_t)all[f].at + k;                                       \
                m = fresh;                                                                         \
                ((uint8_t *)&m)[all[f].in + k] = mark;                                             \
                send_frame(tc_wire_put_##name(&encoder, &m), type);                                \
                for (uint32_t i = 0; i < bytes; i++) {                                             \
                    TEST_ASSERT_EQUAL_HEX8(i == at ? mark : plain[i], frame.payload[i]);           \
                }                                                                                  \
                memcpy(encoder.body + TC_WIRE_HEAD, plain, bytes);                                 \
                encoder.body[TC_WIRE_HEAD + at] = mark;                                            \
                send_frame(tc_wire_encode(&encoder, type, bytes), type);                           \
                TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_##name(&frame, &got));                        \
                TEST_ASSERT_EQUAL_HEX8(mark, ((const uint8_t *)&got)[all[f].in + k]);              \
            }                                                                                      \
        }                                                                                          \
    }

#define BASE(...) {__VA_ARGS__}

LAYOUT_TEST(hello, TC_WIRE_HELLO, 12u, BASE(.session = 1u), AT(0, 4, hello, session),
            AT(4, 4, hello, budget_us), AT(8, 4, hello, silence_ms))
LAYOUT_TEST(sensors, TC_WIRE_SENSORS, 80u, BASE(.joints = 6u), AT(0, 4, sensors, tick),
            AT(5, 1, sensors, given), AT(8, 4, sensors, gyro), AT(12, 8, sensors, accel),
            AT(20, 4, sensors, pitch), AT(24, 4, sensors, base_velocity), AT(28, 4, sensors, touch),
            AT(32, 24, sensors, encoder), AT(56, 24, sensors, torque))
LAYOUT_TEST(upload_begin, TC_WIRE_UPLOAD_BEGIN, 12u, BASE(.kind = TC_WIRE_MODEL),
            AT(4, 4, upload_begin, size), AT(8, 4, upload_begin, crc))
LAYOUT_TEST(predict, TC_WIRE_PREDICT, 8u, BASE(.budget = 0u), AT(0, 4, predict, horizon),
            AT(4, 4, predict, budget))
LAYOUT_TEST(prior, TC_WIRE_PRIOR, 108u, BASE(.ratios = 3u), AT(0, 4, prior, mass),
            AT(4, 12, prior, inertia), AT(20, 20, prior, start), AT(40, 20, prior, sd),
            AT(60, 20, prior, drift), AT(80, 20, prior, reopen), AT(100, 4, prior, gate),
            AT(104, 4, prior, patience))
LAYOUT_TEST(impact, TC_WIRE_IMPACT, 84u, BASE(.number = 1u), AT(0, 4, impact, number),
            AT(4, 12, impact, normal), AT(16, 12, impact, arm), AT(28, 24, impact, before),
            AT(52, 24, impact, after), AT(76, 4, impact, linear_sd), AT(80, 4, impact, angular_sd))
LAYOUT_TEST(feel, TC_WIRE_FEEL, 20u, BASE(.reach = 0.0f), AT(0, 4, feel, reach),
            AT(4, 4, feel, noise), AT(8, 4, feel, normal_noise), AT(12, 4, feel, tip),
            AT(16, 4, feel, apart))
LAYOUT_TEST(touch, TC_WIRE_TOUCH, 32u, BASE(.number = 1u), AT(0, 4, touch, number),
            AT(8, 12, touch, point), AT(20, 12, touch, normal))
LAYOUT_TEST(test, TC_WIRE_TEST, 8u, BASE(.what = TC_WIRE_TEST_BURN), AT(4, 4, test, value))
LAYOUT_TEST(boot, TC_WIRE_BOOT, 144u, BASE(.session = 0u), AT(0, 4, boot, session),
            AT(4, 4, boot, version), AT(8, 4, boot, tick_hz), AT(12, 4, boot, parameter_room),
            AT(16, 4, boot, model_room), AT(20, 4, boot, parameter_crc),
            AT(24, 4, boot, parameter_size), AT(28, 4, boot, model_size),
            AT(32, 16, boot, model_hash), AT(48, 95, boot, text))
LAYOUT_TEST(estimate, TC_WIRE_ESTIMATE, 56u, BASE(.tick = 0u), AT(0, 4, estimate, tick),
            AT(4, 4, estimate, status), AT(8, 4, estimate, flags), AT(16, 12, estimate, p),
            AT(28, 8, estimate, impulse), AT(36, 8, estimate, impulse_variance),
            AT(44, 4, estimate, slip), AT(48, 4, estimate, slip_variance),
            AT(52, 4, estimate, since))
LAYOUT_TEST(upload, TC_WIRE_UPLOAD, 16u, BASE(.kind = 0u), AT(0, 4, upload, kind),
            AT(4, 4, upload, status), AT(8, 4, upload, bytes), AT(12, 4, upload, fault))
LAYOUT_TEST(stats, TC_WIRE_STATS, 72u, BASE(.ticks = 0u), AT(0, 4, stats, ticks),
            AT(4, 4, stats, refused), AT(8, 4, stats, missed), AT(12, 4, stats, old),
            AT(16, 4, stats, overruns), AT(20, 4, stats, silences), AT(24, 4, stats, worst),
            AT(28, 4, stats, last), AT(32, 4, stats, stack), AT(36, 4, stats, naks),
            AT(40, 4, stats, wire.frames), AT(44, 4, stats, wire.lost),
            AT(48, 4, stats, wire.repeated), AT(52, 4, stats, wire.late),
            AT(56, 4, stats, wire.crc), AT(60, 4, stats, wire.form), AT(64, 4, stats, wire.version),
            AT(68, 4, stats, wire.resyncs))
LAYOUT_TEST(nak, TC_WIRE_NAK, 8u, BASE(.reason = TC_WIRE_NAK_OLD), AT(0, 1, nak, type),
            AT(2, 2, nak, sequence), AT(4, 4, nak, status))
LAYOUT_TEST(prediction, TC_WIRE_PREDICTION, 40u, BASE(.tick = 0u), AT(0, 4, prediction, tick),
            AT(4, 4, prediction, status), AT(8, 4, prediction, kind), AT(12, 4, prediction, mode),
            AT(16, 4, prediction, time), AT(20, 4, prediction, early), AT(24, 4, prediction, late),
            AT(28, 8, prediction, velocity), AT(36, 4, prediction, horizon))
LAYOUT_TEST(identified, TC_WIRE_IDENTIFIED, 116u, BASE(.number = 0u), AT(0, 4, identified, number),
            AT(4, 4, identified, status), AT(8, 4, identified, outcome),
            AT(12, 4, identified, impacts), AT(16, 4, identified, outliers),
            AT(20, 4, identified, sticks), AT(24, 4, identified, reopened),
            AT(28, 4, identified, missed), AT(32, 4, identified, bound),
            AT(36, 20, identified, value), AT(56, 20, identified, sd), AT(76, 20, identified, low),
            AT(96, 20, identified, high))
LAYOUT_TEST(felt, TC_WIRE_FELT, 76u, BASE(.number = 0u), AT(0, 4, felt, number),
            AT(4, 4, felt, status), AT(8, 4, felt, outcome), AT(12, 4, felt, found),
            AT(16, 4, felt, touches), AT(20, 4, felt, normals), AT(24, 4, felt, repeated),
            AT(28, 4, felt, missed), AT(32, 12, felt, centre), AT(44, 4, felt, radius),
            AT(48, 16, felt, sd), AT(64, 4, felt, low), AT(68, 4, felt, high),
            AT(72, 4, felt, noise))
LAYOUT_TEST(event, TC_WIRE_EVENT, 12u, BASE(.kind = TC_WIRE_EVENT_SILENCE), AT(4, 4, event, tick),
            AT(8, 4, event, value))

/* ---- Choices ------------------------------------------------------------------------------------ */

/* Every value of a byte in a field of `size` bytes at `at`: allowed from least to most, else TC_ERR_RANGE and zeros.
 * `bytes`: of the payload, zeros otherwise but for a one at `one` (beyond `bytes`: nowhere). */
#define CHOICES(name, type, bytes, at, size, one, least, most)                                     \
    for (uint32_t value = 0; value < 256u * size; value++) {                                       \
        static const tc_wire_##name none;                                                          \
        tc_wire_##name got;                                                                        \
        const uint32_t number = (value & 255u) << 8u * (value >> 8);                               \
        memset(encoder.body, 0, sizeof encoder.body);                                              \
        encoder.body[TC_WIRE_HEAD + one] = 1u;                                                     \
        encoder.body[TC_WIRE_HEAD + at + (value >> 8)] = (uint8_t)value;                           \
        send_frame(tc_wire_encode(&encoder, type, bytes), type);                                   \
        const int allowed = number >= least && number <= most;                                     \
        TEST_ASSERT_EQUAL(allowed ? TC_OK : TC_ERR_RANGE, tc_wire_get_##name(&frame, &got));       \
        TEST_ASSERT_TRUE(allowed || memcmp(&none, &got, sizeof got) == 0);                         \
    }

/* A variable: of a comparison of an unsigned number with 0 a compiler may warn. */
static uint32_t zero;

static void test_choices_read(void)
{
    memset(&encoder, 0, sizeof encoder);
    CHOICES(hello, TC_WIRE_HELLO, 12u, 0u, 4u, 12u, 1u, UINT32_MAX)
    CHOICES(sensors, TC_WIRE_SENSORS, 40u, 6u, 2u, 4u, zero, zero)
    CHOICES(upload_begin, TC_WIRE_UPLOAD_BEGIN, 12u, 0u, 4u, 12u, 1u, 2u)
    CHOICES(reset, TC_WIRE_RESET, 4u, 0u, 4u, 4u, zero, 1u)
    CHOICES(prior, TC_WIRE_PRIOR, 108u, 17u, 1u, 108u, zero, 1u)
    CHOICES(prior, TC_WIRE_PRIOR, 108u, 18u, 2u, 108u, zero, zero)
    CHOICES(impact, TC_WIRE_IMPACT, 84u, 0u, 4u, 84u, 1u, UINT32_MAX)
    CHOICES(touch, TC_WIRE_TOUCH, 32u, 0u, 4u, 32u, 1u, UINT32_MAX)
    CHOICES(touch, TC_WIRE_TOUCH, 32u, 4u, 4u, 0u, zero, 1u)
    CHOICES(test, TC_WIRE_TEST, 8u, 0u, 4u, 8u, 1u, 1u)
    CHOICES(boot, TC_WIRE_BOOT, 144u, 143u, 1u, 144u, zero, zero)
    CHOICES(estimate, TC_WIRE_ESTIMATE, 56u, 12u, 4u, 56u, zero, 1u)
    CHOICES(nak, TC_WIRE_NAK, 8u, 1u, 1u, 8u, 1u, 6u)
    CHOICES(event, TC_WIRE_EVENT, 12u, 0u, 4u, 12u, 1u, 2u)
    for (uint32_t ratios = 0; ratios < 256u; ratios++) { /* none, one, or one per moment */
        static const tc_wire_prior none;
        tc_wire_prior got;
        const int allowed = ratios <= 1u || ratios == 3u;
        memset(encoder.body, 0, sizeof encoder.body);
        encoder.body[TC_WIRE_HEAD + 16u] = (uint8_t)ratios;
        send_frame(tc_wire_encode(&encoder, TC_WIRE_PRIOR, 108), TC_WIRE_PRIOR);
        TEST_ASSERT_EQUAL(allowed ? TC_OK : TC_ERR_RANGE, tc_wire_get_prior(&frame, &got));
        TEST_ASSERT_TRUE(allowed || memcmp(&none, &got, sizeof got) == 0);
    }
    for (uint32_t joints = 0; joints < 256u; joints++) { /* 40 bytes are those of one joint */
        static const tc_wire_sensors none;
        tc_wire_sensors got;
        memset(encoder.body, 0, sizeof encoder.body);
        encoder.body[TC_WIRE_HEAD + 4u] = (uint8_t)joints;
        send_frame(tc_wire_encode(&encoder, TC_WIRE_SENSORS, 40), TC_WIRE_SENSORS);
        const tc_status expected = joints == 1u                   ? TC_OK
                                   : joints >= 2u && joints <= 6u ? TC_ERR_SIZE
                                                                  : TC_ERR_RANGE;
        TEST_ASSERT_EQUAL(expected, tc_wire_get_sensors(&frame, &got));
        TEST_ASSERT_TRUE(joints == 1u || memcmp(&none, &got, sizeof got) == 0);
    }
}

/* Sends m; what may not be sent makes no frame and takes no number. */
#define SENT(name, allowed)                                                                        \
    do {                                                                                           \
        const uint32_t taken = encoder.sequence;                                                   \
        TEST_ASSERT_EQUAL((allowed), tc_wire_put_##name(&encoder, &name) > 0u);                    \
        TEST_ASSERT_EQUAL_UINT32(taken + ((allowed) ? 1u : 0u), encoder.sequence);                 \
    } while (0)

static void test_choices_written(void)
{
    memset(&encoder, 0, sizeof encoder);
    for (uint32_t v = 0; v < 10u; v++) {
        tc_wire_sensors sensors = {.joints = v};
        const tc_wire_upload_begin upload_begin = {(tc_wire_kind)v, 1u, 1u};
        const tc_wire_reset reset = {(tc_wire_reset_what)v};
        const tc_wire_test test = {(tc_wire_test_what)v, 1u};
        const tc_wire_estimate estimate = {.contact = v};
        const tc_wire_nak nak = {1u, 1u, (tc_wire_reason)v, 0};
        const tc_wire_prior prior = {.ratios = v, .law = v / 5u};
        SENT(sensors, v >= 1u && v <= TC_WIRE_JOINTS);
        SENT(prior, v <= 1u || v == 3u);
        SENT(upload_begin, v >= 1u && v <= 2u);
        SENT(reset, v <= 1u);
        SENT(test, v == 1u);
        SENT(estimate, v <= 1u);
        SENT(nak, v >= 1u && v <= 6u);
        sensors.joints = 1u;
        sensors.given = 247u + v;
        SENT(sensors, sensors.given <= 255u);
    }
    for (uint32_t at = 0; at < TC_WIRE_TEXT; at++) { /* a text ends within its array */
        tc_wire_boot boot = {.session = 1u};
        memset(boot.text, 'x', sizeof boot.text);
        boot.text[at] = '\0';
        encoder.sequence = 5u;
        TEST_ASSERT_EQUAL(at == TC_WIRE_TEXT - 1u, tc_wire_put_boot(&encoder, &boot) > 0u);
        TEST_ASSERT_EQUAL_UINT32(at == TC_WIRE_TEXT - 1u ? 1u : 5u,
                                 encoder.sequence); /* BOOT begins the numbers */
    }
}

/* ---- Frames ------------------------------------------------------------------------------------- */

/* The page's rule: cut behind each zero of body and an imaginary one, and after 254 bytes without any. */
static uint32_t stuffed(const uint8_t *body, uint32_t n, uint8_t *out)
{
    uint32_t length = 0, at = 0;
    while (at <= n) {
        uint32_t k = 0;
        while (k < 254u && at + k < n && body[at + k] != 0u) {
            k++;
        }
        out[length] = (uint8_t)(k + 1u);
        memcpy(out + length + 1u, body + at, k);
        length += k + 1u;
        at += k == 254u ? k : k + 1u;
        if (k == 254u && at == n) {
            break; /* nothing follows for the imaginary zero */
        }
    }
    out[length] = 0u;
    return length + 1u;
}

/* Payloads of each length near the borders of a piece, with zeros from none to most. */
static void test_stuffing_is_the_pages(void)
{
    static uint8_t expected[TC_WIRE_FRAME_MAX + 8u];
    static const uint16_t lengths[] = {0,   1,   2,   243, 244, 245, 246, 247, 248, 249,
                                       250, 251, 252, 253, 254, 255, 256, 257, 497, 500,
                                       501, 502, 503, 504, 505, 510, 511, 512};
    test_seed(431);
    memset(&encoder, 0, sizeof encoder);
    for (uint32_t i = 0; i < TC_COUNT(lengths); i++) {
        for (uint32_t zeros = 0; zeros < 5u;
             zeros++) { /* 0: none; then one byte in 256, 64, 16, 4 */
            const uint32_t n = lengths[i], one_in = zeros == 0u ? 0u : 1024u >> 2u * zeros;
            for (uint32_t k = 0; k < n; k++) {
                const int is_zero = one_in > 0u && test_below(one_in) == 0u;
                encoder.body[TC_WIRE_HEAD + k] = is_zero ? 0u : (uint8_t)(1u + test_below(255));
            }
            encoder.sequence = (uint16_t)(0x0101u + test_below(0xF000u));
            const uint32_t length = tc_wire_encode(&encoder, 0x21u, n);
            TEST_ASSERT_EQUAL_UINT32(stuffed(encoder.body, n + 8u, expected), length);
            TEST_ASSERT_EQUAL_MEMORY(expected, encoder.frame, length);
            TEST_ASSERT_TRUE(length <= TC_WIRE_FRAME_MAX);
        }
    }
}

/* Too long a payload is refused, and leaves the encoder as it was; the numbers go round. */
static void test_lengths_and_numbers(void)
{
    static tc_wire_encoder kept;
    for (uint32_t i = 0; i < 3u; i++) {
        static const uint32_t lengths[] = {TC_WIRE_PAYLOAD_MAX + 1u, 65536u, UINT32_MAX};
        encoder.sequence = 77u;
        kept = encoder;
        TEST_ASSERT_EQUAL_UINT32(0u, tc_wire_encode(&encoder, 0x21u, lengths[i]));
        TEST_ASSERT_EQUAL_MEMORY(&kept, &encoder, sizeof kept);
    }
    encoder.sequence = 65535u;
    TEST_ASSERT_TRUE(tc_wire_encode(&encoder, 0x21u, TC_WIRE_PAYLOAD_MAX) > 0u);
    TEST_ASSERT_EQUAL_UINT32(0u, encoder.sequence);
    encoder.sequence = 9u;
    TEST_ASSERT_TRUE(tc_wire_encode(&encoder, TC_WIRE_EVENT, 0)
                     > 0u); /* has no number, and takes none */
    TEST_ASSERT_EQUAL_UINT32(9u, encoder.sequence);
    TEST_ASSERT_EQUAL_UINT32(0u, encoder.body[2] | encoder.body[3]);
}

void suite_wire_layout(void)
{
    memset(&encoder, 0, sizeof encoder);
    RUN_TEST(test_layout_of_hello);
    RUN_TEST(test_layout_of_sensors);
    RUN_TEST(test_layout_of_upload_begin);
    RUN_TEST(test_layout_of_predict);
    RUN_TEST(test_layout_of_prior);
    RUN_TEST(test_layout_of_impact);
    RUN_TEST(test_layout_of_feel);
    RUN_TEST(test_layout_of_touch);
    RUN_TEST(test_layout_of_test);
    RUN_TEST(test_layout_of_boot);
    RUN_TEST(test_layout_of_estimate);
    RUN_TEST(test_layout_of_upload);
    RUN_TEST(test_layout_of_stats);
    RUN_TEST(test_layout_of_nak);
    RUN_TEST(test_layout_of_prediction);
    RUN_TEST(test_layout_of_identified);
    RUN_TEST(test_layout_of_felt);
    RUN_TEST(test_layout_of_event);
    RUN_TEST(test_choices_read);
    RUN_TEST(test_choices_written);
    RUN_TEST(test_stuffing_is_the_pages);
    RUN_TEST(test_lengths_and_numbers);
}
