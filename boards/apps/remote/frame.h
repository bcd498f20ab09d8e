/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Frames over the board's byte stream. All numbers little-endian, as the processors are.
 *
 *     offset  type  field
 *     0       u8[4] 'T' 'C' 'R' 0x31
 *     4       u32   length of the payload, 4 to FRAME_PAYLOAD_MAX, a multiple of 4 [bytes]
 *     8       u32   id, chosen by the host; a reply carries its request's
 *     12      u32   CRC-32 (IEEE 802.3, as in zlib) of bytes 4 to 11 and the payload
 *     16      ...   payload
 *
 * What comes between frames is skipped up to the next 'T' 'C' 'R' 0x31. A frame that is too long,
 * stalls for longer than FRAME_STALL_MS between two bytes, or fails its CRC is answered by
 * frame_receive's caller with FRAME_BAD; the host repeats nothing by itself.
 */
#ifndef FRAME_H
#define FRAME_H

#include "tc_config.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The largest payload: a call that takes two 32 x 32 matrices and a vector, with 48 bytes of
 * header, rounded up. Replies are shorter. */
#define FRAME_PAYLOAD_MAX 8448u
#define FRAME_STALL_MS 1000u
/* A board that nobody speaks to ends, so that a forgotten emulator does not run for ever. */
#define FRAME_IDLE_S 600u

typedef struct frame {
    uint32_t length; /* of the payload [bytes] */
    uint32_t id;
    uint32_t payload[FRAME_PAYLOAD_MAX / 4u];
} frame;

typedef enum frame_result { FRAME_GOOD, FRAME_BAD, FRAME_IDLE } frame_result;

/* Waits for a frame. FRAME_BAD: bytes came that are none, id is 0. FRAME_IDLE: nothing came. */
frame_result frame_receive(frame *f);

void frame_send(const frame *f);

/* The number whose float32 bits a word of a payload has. */
static inline tc_real frame_number(uint32_t word)
{
    float x;
    memcpy(&x, &word, sizeof x);
    return (tc_real)x;
}

/* Writes the next n numbers of a payload to to[n]. Returns what follows them. */
static inline const uint32_t *frame_numbers(const uint32_t *words, tc_real *to, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = frame_number(words[i]);
    }
    return words + n;
}

#endif
