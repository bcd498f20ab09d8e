/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Fuzzing of the wire protocol (libFuzzer, with address and undefined-behaviour sanitizers).
 *
 * Every input is fed as it comes and, because a random change would otherwise end at the checksum,
 * again as the content of a frame: type, then payload. The promises: a frame lies within the
 * decoder; a message that was read says the same when it is sent again; counters add up; good
 * frames behind the input arrive.
 */
#include "tc_wire_message.h"
#include "tc_wire_robot.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static tc_wire_encoder encoder;

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

/* The message's payload again, from its struct. */
#define AGAIN(name)                                                                                \
    {                                                                                              \
        tc_wire_##name m;                                                                          \
        const tc_status status = tc_wire_get_##name(f, &m);                                        \
        require(status == TC_OK || status == TC_ERR_SIZE || status == TC_ERR_RANGE);               \
        if (status == TC_OK) {                                                                     \
            memset(encoder.body, 0, sizeof encoder.body);                                          \
            require(tc_wire_put_##name(&encoder, &m) > 0u);                                        \
            require(memcmp(encoder.body + TC_WIRE_HEAD, f->payload, f->length) == 0);              \
        }                                                                                          \
    }                                                                                              \
    break

static void read_and_send_again(const tc_wire_frame *f)
{
    switch (f->type) {
    case TC_WIRE_HELLO: AGAIN(hello);
    case TC_WIRE_SENSORS: AGAIN(sensors);
    case TC_WIRE_UPLOAD_BEGIN: AGAIN(upload_begin);
    case TC_WIRE_UPLOAD_CHUNK: AGAIN(upload_chunk);
    case TC_WIRE_RESET: AGAIN(reset);
    case TC_WIRE_PREDICT: AGAIN(predict);
    case TC_WIRE_PRIOR: AGAIN(prior);
    case TC_WIRE_IMPACT: AGAIN(impact);
    case TC_WIRE_RESTORE: AGAIN(restore);
    case TC_WIRE_FEEL: AGAIN(feel);
    case TC_WIRE_TOUCH: AGAIN(touch);
    case TC_WIRE_TEST: AGAIN(test);
    case TC_WIRE_ROBOT: AGAIN(robot);
    case TC_WIRE_BOOT: AGAIN(boot);
    case TC_WIRE_ESTIMATE: AGAIN(estimate);
    case TC_WIRE_UPLOAD: AGAIN(upload);
    case TC_WIRE_STATS: AGAIN(stats);
    case TC_WIRE_NAK: AGAIN(nak);
    case TC_WIRE_PREDICTION: AGAIN(prediction);
    case TC_WIRE_IDENTIFIED: AGAIN(identified);
    case TC_WIRE_SAVED: AGAIN(saved);
    case TC_WIRE_FELT: AGAIN(felt);
    case TC_WIRE_FEET: AGAIN(feet);
    case TC_WIRE_EVENT: AGAIN(event);
    default: break;
    }
}

/* Feeds the bytes in portions; returns the frames that came. */
static uint32_t feed(tc_wire_decoder *d, const uint8_t *bytes, uint32_t n, uint32_t portion)
{
    uint32_t frames = 0;
    for (uint32_t at = 0; at < n;) {
        tc_wire_frame f;
        tc_wire_result result;
        const uint32_t left = n - at;
        const uint32_t taken =
            tc_wire_decode(d, bytes + at, left < portion ? left : portion, &f, &result);
        require(taken >= 1u && taken <= left);
        at += taken;
        if (result == TC_WIRE_FRAME) {
            require(f.length <= TC_WIRE_PAYLOAD_MAX && f.payload == d->body + TC_WIRE_HEAD);
            read_and_send_again(&f);
            frames++;
        }
    }
    return frames;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tc_wire_encoder sender;
    tc_wire_decoder d;
    uint8_t *const exact = malloc(size > 0u ? size : 1u); /* its own: one byte too far is seen */
    require(exact != NULL);
    memcpy(exact, data, size);
    tc_wire_decoder_init(&d);
    (void)feed(&d, exact, (uint32_t)size, size > 0u ? 1u + exact[0] : 1u);
    uint32_t length = tc_wire_encode(&sender, TC_WIRE_HELLO, 0);
    const uint32_t first = feed(&d, sender.frame, length, length);
    require(first + feed(&d, sender.frame, length, length) >= 1u);
    if (size > 0u && size <= TC_WIRE_PAYLOAD_MAX) {
        memcpy(sender.body + TC_WIRE_HEAD, data + 1, size - 1u);
        length = tc_wire_encode(&sender, data[0], (uint32_t)size - 1u);
        require(length > 0u && length <= TC_WIRE_FRAME_MAX
                && memchr(sender.frame, 0, length - 1u) == NULL);
        require(feed(&d, sender.frame, length, length) == 1u);
    }
    free(exact);
    return 0;
}
