/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Frames: consistent overhead byte stuffing (Cheshire and Baker, IEEE/ACM Trans. Networking 7(2),
 * 1999), a checksum, and sequence numbers.
 *
 * COBS: the body, with a zero thought behind it, is cut behind every zero and after 254 bytes
 * without one. A block of k bytes and its zero is sent as the code k + 1 and the k bytes; code 255
 * is 254 bytes and no zero. No code is 0, so a zero byte ends the frame and nothing else can. One
 * byte is added per 254 begun.
 *
 * Resynchronisation: the decoder's state within a frame is forgotten at each zero byte. Garbage
 * without a zero swallows the frame behind it; the zero that ends that one ends the garbage. An
 * error that makes a zero of a byte cuts one frame in two bad ones; one that unmakes the final zero
 * joins two. So at most two frames are lost. What is left to chance: a bad body whose CRC-32 is
 * right, one in 2^32.
 */
#include "tc_exact.h"
#include "tc_wire.h"

#include "tc_bytes.h"

#define BODY_LEAST (TC_WIRE_HEAD + 4u)
#define BLOCK_MAX 254u

/* ---- Sending --------------------------------------------------------------------------------- */

/* Ends the block whose code belongs at `code`; returns where the next one's does. */
static uint32_t end_block(uint8_t *frame, uint32_t code, uint32_t end)
{
    frame[code] = (uint8_t)(end - code);
    return end;
}

/* COBS of n body bytes; returns the length with the final zero. */
static uint32_t stuff_bytes(const uint8_t *body, uint32_t n, uint8_t *frame)
{
    uint32_t code = 0, length = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (length - code > BLOCK_MAX) {
            code = end_block(frame, code, length++);
        }
        if (body[i] == 0u) {
            code = end_block(frame, code, length++);
        } else {
            frame[length++] = body[i];
        }
    }
    (void)end_block(frame, code, length);
    frame[length++] = 0u;
    return length;
}

static void put_u32(uint8_t *at, uint32_t value)
{
    for (uint32_t i = 0; i < 4u; i++) {
        at[i] = (uint8_t)(value >> 8u * i);
    }
}

static int begins_numbering(uint32_t type)
{
    return type == TC_WIRE_HELLO || type == TC_WIRE_BOOT;
}

uint32_t tc_wire_encode(tc_wire_encoder *e, uint32_t type, uint32_t length)
{
    if (length > TC_WIRE_PAYLOAD_MAX) {
        return 0;
    }
    const int numbered = (type & TC_WIRE_UNNUMBERED) == 0u;
    const uint32_t sequence = numbered && !begins_numbering(type) ? e->sequence : 0u;
    if (numbered) {
        e->sequence = (uint16_t)(sequence + 1u);
    }
    put_u32(e->body, TC_WIRE_VERSION | (type & 255u) << 8 | sequence << 16);
    put_u32(e->body + TC_WIRE_HEAD + length, tc_bytes_crc32(0, e->body, TC_WIRE_HEAD + length));
    return stuff_bytes(e->body, TC_WIRE_HEAD + length + 4u, e->frame);
}

/* ---- Receiving ------------------------------------------------------------------------------- */

void tc_wire_decoder_init(tc_wire_decoder *d)
{
    memset(d, 0, sizeof *d);
}

static void append_wire(tc_wire_decoder *d, uint8_t byte)
{
    if (d->length < TC_WIRE_BODY_MAX) {
        d->body[d->length++] = byte;
    } else {
        d->over = 1;
    }
}

/* One byte that is not zero: the code of a block, or one of its bytes. */
static void unstuff_byte(tc_wire_decoder *d, uint8_t byte)
{
    if (d->run > 0u) {
        append_wire(d, byte);
        d->run--;
        return;
    }
    if (d->zero) {
        append_wire(d, 0u);
    }
    d->begun = 1;
    d->run = (uint8_t)(byte - 1u);
    d->zero = byte <= BLOCK_MAX;
}

/* Where the number puts a frame, and what is missing before it. */
static tc_wire_result place_wire(tc_wire_decoder *d, tc_wire_frame *frame)
{
    if (begins_numbering(frame->type) || !d->numbered) {
        d->next = (uint16_t)frame->sequence;
        d->numbered = 1;
    }
    const uint32_t ahead = (frame->sequence - d->next) & 0xFFFFu;
    if (ahead >= 0x8000u) {
        d->counters.repeated += ahead == 0xFFFFu;
        d->counters.late += ahead != 0xFFFFu;
        return TC_WIRE_OLD;
    }
    frame->lost = ahead;
    d->counters.lost += ahead;
    d->next = (uint16_t)(frame->sequence + 1u);
    return TC_WIRE_FRAME;
}

static tc_wire_result refuse_frame(tc_wire_decoder *d, uint32_t *counter)
{
    d->bad = 1;
    ++*counter;
    return TC_WIRE_BAD;
}

/* Judges the body between two zeros. */
static tc_wire_result judge_wire(tc_wire_decoder *d, tc_wire_frame *frame)
{
    if (d->over || d->run > 0u || d->length < BODY_LEAST) {
        return refuse_frame(d, &d->counters.form);
    }
    const uint32_t content = d->length - 4u;
    if (tc_bytes_crc32(0, d->body, content) != tc_bytes_u32(d->body + content)) {
        return refuse_frame(d, &d->counters.crc);
    }
    if (d->body[0] != TC_WIRE_VERSION) {
        return refuse_frame(d, &d->counters.version);
    }
    d->counters.resyncs += d->bad;
    d->bad = 0;
    frame->length = content - TC_WIRE_HEAD;
    frame->type = d->body[1];
    frame->sequence = tc_bytes_u16(d->body + 2);
    const tc_wire_result result =
        frame->type & TC_WIRE_UNNUMBERED ? TC_WIRE_FRAME : place_wire(d, frame);
    d->counters.frames += result == TC_WIRE_FRAME;
    return result;
}

uint32_t tc_wire_decode(tc_wire_decoder *d, const uint8_t *bytes, uint32_t n, tc_wire_frame *frame,
                        tc_wire_result *result)
{
    memset(frame, 0, sizeof *frame);
    frame->payload = d->body + TC_WIRE_HEAD;
    *result = TC_WIRE_MORE;
    for (uint32_t i = 0; i < n; i++) {
        if (bytes[i] != 0u) {
            unstuff_byte(d, bytes[i]);
        } else if (d->begun) { /* zeros between frames are silence */
            *result = judge_wire(d, frame);
            d->length = 0;
            d->run = d->begun = d->zero = d->over = 0;
            return i + 1u;
        }
    }
    return n;
}
