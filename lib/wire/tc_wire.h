/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Frames over a byte stream between a desktop and a board. The page
 * docs/reference/wire.md has every byte, tc_wire_message.h and tc_wire_robot.h the contents of the
 * frames.
 *
 * The encoding (COBS) leaves no zero in a frame, and a zero ends each frame. The caller feeds the
 * decoder bytes as they arrive, and the decoder trusts none. The next zero ends any garbage, so
 * garbage costs at most the frame behind it. Frames are numbered, and the decoder detects a frame
 * that it saw before, or whose successor it saw.
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
 * The caller owns all state; no function fails or waits. `make prove` proves, by abstract
 * interpretation, that the decoder accesses only its own state and its arguments, for any bytes.
 */
#ifndef TC_WIRE_H
#define TC_WIRE_H

#include "tc_status.h"

TC_BEGIN

#define TC_WIRE_VERSION 1u       /* of the format; independent of TC_VERSION */
#define TC_WIRE_PAYLOAD_MAX 512u /* payload of a frame [bytes] */
#define TC_WIRE_HEAD 4u          /* version, type and sequence before the payload [bytes] */
/* Largest body (head, payload, checksum) and largest encoded frame [bytes]. */
#define TC_WIRE_BODY_MAX (TC_WIRE_HEAD + TC_WIRE_PAYLOAD_MAX + 4u)
#define TC_WIRE_FRAME_MAX (TC_WIRE_BODY_MAX + (TC_WIRE_BODY_MAX + 253u) / 254u + 1u)

/* Types of frames. tc_wire_message.h and, for ROBOT and FEET, tc_wire_robot.h have a struct for
 * each. Bit 6: the board sends it. Bit 7 (TC_WIRE_UNNUMBERED): the frame has no number, because it
 * depends on time and not only on the bytes received. The numbered frames are therefore the same in
 * a replay. HELLO and BOOT begin the numbering. */
typedef enum tc_wire_type {
    TC_WIRE_HELLO = 0x01,
    TC_WIRE_SENSORS = 0x02,
    TC_WIRE_UPLOAD_BEGIN = 0x03,
    TC_WIRE_UPLOAD_CHUNK = 0x04,
    TC_WIRE_UPLOAD_COMMIT = 0x05,
    TC_WIRE_STATS_REQUEST = 0x06,
    TC_WIRE_RESET = 0x07,
    TC_WIRE_PREDICT = 0x08,
    TC_WIRE_PRIOR = 0x09,
    TC_WIRE_IMPACT = 0x0A,
    TC_WIRE_SAVE = 0x0B,
    TC_WIRE_RESTORE = 0x0C,
    TC_WIRE_FEEL = 0x0D,
    TC_WIRE_TOUCH = 0x0E,
    TC_WIRE_TEST = 0x0F,
    TC_WIRE_ROBOT = 0x10,
    TC_WIRE_BOOT = 0x41,
    TC_WIRE_ESTIMATE = 0x42,
    TC_WIRE_UPLOAD = 0x43,
    TC_WIRE_STATS = 0x44,
    TC_WIRE_NAK = 0x45,
    TC_WIRE_PREDICTION = 0x46,
    TC_WIRE_IDENTIFIED = 0x47,
    TC_WIRE_SAVED = 0x48,
    TC_WIRE_FELT = 0x49,
    TC_WIRE_FEET = 0x4A,
    TC_WIRE_EVENT = 0xC1
} tc_wire_type;

#define TC_WIRE_UNNUMBERED 0x80u

/* ---- Sending --------------------------------------------------------------------------------- */

/* A frame under construction. Set the struct to zero before its first use. The caller writes the
 * payload to `body` from TC_WIRE_HEAD on. */
typedef struct tc_wire_encoder {
    uint8_t body[TC_WIRE_BODY_MAX];   /* head, payload, checksum */
    uint8_t frame[TC_WIRE_FRAME_MAX]; /* bytes to send, after tc_wire_encode */
    uint16_t sequence;                /* number of the next numbered frame; 0 before HELLO and
                                       * BOOT */
} tc_wire_encoder;

/* Encodes the `length` payload bytes in e->body as a frame of `type` in e->frame, and numbers it.
 * Returns the length of the frame with its final zero [bytes]; 0 if `length` is beyond
 * TC_WIRE_PAYLOAD_MAX.
 * On error: e is unchanged.
 * Cost: O(length), 22 instructions per byte. */
uint32_t tc_wire_encode(tc_wire_encoder *e, uint32_t type, uint32_t length);

/* ---- Receiving ------------------------------------------------------------------------------- */

/* Result of tc_wire_decode. */
typedef enum tc_wire_result {
    TC_WIRE_MORE = 0,  /* all bytes are consumed; no frame ended */
    TC_WIRE_FRAME = 1, /* a frame that is whole, of this version and new */
    TC_WIRE_OLD = 2,   /* a frame seen before, or one whose successor was seen: do not act on it */
    TC_WIRE_BAD = 3,   /* not a frame: cut, too long, of wrong checksum or of another version */
} tc_wire_result;

/* A decoded frame. */
typedef struct tc_wire_frame {
    const uint8_t *payload; /* the bytes, in the decoder; valid until its next call */
    uint32_t length;        /* payload [bytes]; 0..TC_WIRE_PAYLOAD_MAX */
    uint32_t type;          /* tc_wire_type, or a type unknown to this version */
    uint32_t sequence;      /* number of the frame */
    uint32_t lost;          /* frames missing before this one, by their numbers; 0 unless
                             * TC_WIRE_FRAME */
} tc_wire_frame;

/* Counts since tc_wire_decoder_init. Each wraps at 2^32. */
typedef struct tc_wire_counters {
    uint32_t frames;   /* results TC_WIRE_FRAME */
    uint32_t lost;     /* sum of tc_wire_frame.lost; a late frame is counted here too */
    uint32_t repeated; /* results TC_WIRE_OLD with the number of the frame before */
    uint32_t late;     /* other results TC_WIRE_OLD */
    uint32_t crc;      /* results TC_WIRE_BAD: wrong checksum */
    uint32_t form;     /* results TC_WIRE_BAD: cut, too short or too long */
    uint32_t version;  /* results TC_WIRE_BAD: whole, but of another version */
    uint32_t resyncs;  /* whole frames that followed one or more bad ones */
} tc_wire_counters;

/* State of a receiver. All fields except `counters` are internal. */
typedef struct tc_wire_decoder {
    uint8_t body[TC_WIRE_BODY_MAX]; /* decoded bytes of the current frame */
    uint32_t length;                /* bytes in body */
    uint8_t run;                    /* bytes left in the current block */
    uint8_t begun;                  /* a block has begun in this frame */
    uint8_t zero;                   /* a zero precedes the next block */
    uint8_t over;                   /* the frame is longer than a body */
    uint8_t numbered;               /* `next` is known */
    uint8_t bad;                    /* the last frame was TC_WIRE_BAD */
    uint16_t next;                  /* expected sequence */
    tc_wire_counters counters;      /* counts, for the caller to read */
} tc_wire_decoder;

/* Resets a decoder: no bytes, no numbers, all counts 0. */
void tc_wire_decoder_init(tc_wire_decoder *d);

/* Consumes bytes[n] up to the end of the next frame.
 * frame: the frame for TC_WIRE_FRAME and TC_WIRE_OLD, else empty. result: see tc_wire_result.
 * Returns the number of bytes consumed; 0..n. Call again with the rest.
 * Cost: O(bytes consumed), and the checksum of one frame, 20 instructions per byte. */
uint32_t tc_wire_decode(tc_wire_decoder *d, const uint8_t *bytes, uint32_t n, tc_wire_frame *frame,
                        tc_wire_result *result);

TC_END

#endif
