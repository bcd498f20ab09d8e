/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Frames over a byte stream: what a desktop and a board say to each other. docs/reference/wire.md has every byte;
 * tc_wire_message.h has what the frames say.
 *
 * A frame is encoded so that it holds no zero (COBS) and ends with one. The receiver is fed bytes as they come
 * and trusts none: after any garbage the next zero ends it, so at most the one frame that the garbage touched
 * is lost with it. Frames are numbered, and a frame that was seen before, or whose successor was, is told apart.
 *
 *     tc_wire_decoder decoder;
 *     tc_wire_frame   frame;
 *     tc_wire_decoder_init(&decoder);
 *     for (uint32_t at = 0; at < n;) {
 *         tc_wire_result result;
 *         at += tc_wire_decode(&decoder, bytes + at, n - at, &frame, &result);
 *         if (result == TC_WIRE_FRAME) ...
 *     }
 *
 * All state is the caller's; nothing here fails or waits. That the decoder reads and writes nothing but its own
 * state, whatever the bytes, is proved by abstract interpretation (`make prove`).
 */
#ifndef TC_WIRE_H
#define TC_WIRE_H

#include "tc_status.h"

TC_BEGIN

#define TC_WIRE_VERSION 1u /* of the format, independent of TC_VERSION */
#define TC_WIRE_PAYLOAD_MAX 512u
#define TC_WIRE_HEAD 4u    /* version, type, sequence */
#define TC_WIRE_BODY_MAX (TC_WIRE_HEAD + TC_WIRE_PAYLOAD_MAX + 4u)
#define TC_WIRE_FRAME_MAX (TC_WIRE_BODY_MAX + (TC_WIRE_BODY_MAX + 253u) / 254u + 1u)

/* Types of frames. Bit 6: from the board. Bit 7: not numbered, for what depends on time rather than on the
 * bytes received, so that the numbered frames are the same in a replay. HELLO and BOOT begin the numbering. */
typedef enum tc_wire_type {
    TC_WIRE_HELLO = 0x01,
    TC_WIRE_SENSORS = 0x02,
    TC_WIRE_UPLOAD_BEGIN = 0x03,
    TC_WIRE_UPLOAD_CHUNK = 0x04,
    TC_WIRE_UPLOAD_COMMIT = 0x05,
    TC_WIRE_STATS_REQUEST = 0x06,
    TC_WIRE_RESET = 0x07,
    TC_WIRE_PREDICT = 0x08,
    TC_WIRE_TEST = 0x0F,
    TC_WIRE_BOOT = 0x41,
    TC_WIRE_ESTIMATE = 0x42,
    TC_WIRE_UPLOAD = 0x43,
    TC_WIRE_STATS = 0x44,
    TC_WIRE_NAK = 0x45,
    TC_WIRE_PREDICTION = 0x46,
    TC_WIRE_EVENT = 0xC1
} tc_wire_type;

#define TC_WIRE_UNNUMBERED 0x80u

/* ---- Sending ---------------------------------------------------------------------------------------- */

/* A frame under construction: a zero encoder is ready. The payload is written to `body` from TC_WIRE_HEAD on. */
typedef struct tc_wire_encoder {
    uint8_t body[TC_WIRE_BODY_MAX];
    uint8_t frame[TC_WIRE_FRAME_MAX]; /* what to send */
    uint16_t sequence;                /* of the next numbered frame; 0 before HELLO and BOOT */
} tc_wire_encoder;

/* Makes e->frame of the `length` payload bytes that lie in e->body; returns its bytes, the final zero included.
 * 0, and nothing is counted, if length > TC_WIRE_PAYLOAD_MAX. O(length): 22 instructions a byte. */
uint32_t tc_wire_encode(tc_wire_encoder *e, uint32_t type, uint32_t length);

/* ---- Receiving -------------------------------------------------------------------------------------- */

typedef enum tc_wire_result {
    TC_WIRE_MORE = 0,  /* all bytes were taken, no frame ended */
    TC_WIRE_FRAME = 1, /* a frame: whole, of this version, and new */
    TC_WIRE_OLD = 2,   /* a frame that came before, or one whose successor did: not to be acted on */
    TC_WIRE_BAD = 3,   /* no frame: cut, too long, its checksum wrong, or of another version */
} tc_wire_result;

typedef struct tc_wire_frame {
    const uint8_t *payload; /* in the decoder; valid until it is fed again */
    uint32_t length;        /* bytes of payload, up to TC_WIRE_PAYLOAD_MAX */
    uint32_t type;          /* tc_wire_type, or one not known to this version */
    uint32_t sequence;
    uint32_t lost;          /* frames that are missing before this one, by the numbers; 0 unless TC_WIRE_FRAME */
} tc_wire_frame;

/* What has happened since tc_wire_decoder_init. Each wraps at 2^32. */
typedef struct tc_wire_counters {
    uint32_t frames;   /* TC_WIRE_FRAME */
    uint32_t lost;     /* sum of `lost`; a frame that comes late has been counted here */
    uint32_t repeated; /* TC_WIRE_OLD, with the number of the frame before */
    uint32_t late;     /* TC_WIRE_OLD otherwise */
    uint32_t crc;      /* TC_WIRE_BAD: checksum wrong */
    uint32_t form;     /* ... cut, too short or too long */
    uint32_t version;  /* ... whole, but of another version */
    uint32_t resyncs;  /* times that a whole frame followed one or several bad ones */
} tc_wire_counters;

typedef struct tc_wire_decoder {
    uint8_t body[TC_WIRE_BODY_MAX];
    uint32_t length;   /* bytes in body */
    uint8_t run;       /* bytes that the block still has */
    uint8_t begun;     /* a block has begun in this frame */
    uint8_t zero;      /* a zero comes before the next block */
    uint8_t over;      /* more bytes came than a body has */
    uint8_t numbered;  /* `next` is known */
    uint8_t bad;       /* the last frame was TC_WIRE_BAD */
    uint16_t next;     /* sequence that comes next */
    tc_wire_counters counters;
} tc_wire_decoder;

void tc_wire_decoder_init(tc_wire_decoder *d);

/* Takes bytes up to the end of the next frame, n at most; returns how many. `frame` is told for TC_WIRE_FRAME and
 * TC_WIRE_OLD, and has no payload otherwise. Time: O(bytes taken), and the checksum of one frame: 20 instructions a
 * byte. */
uint32_t tc_wire_decode(tc_wire_decoder *d, const uint8_t *bytes, uint32_t n, tc_wire_frame *frame,
                        tc_wire_result *result);

TC_END

#endif
