/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Frames: receiving one byte at a time, never trusting a length before it is compared.
 */
#include "frame.h"

#include "board.h"

static const uint8_t magic[4] = {'T', 'C', 'R', 0x31};

/* CRC-32, bit by bit: 60 instructions a byte, little beside the byte's way through a UART. */
static uint32_t crc32(uint32_t crc, const void *bytes, size_t n)
{
    const uint8_t *const next = bytes;
    for (size_t i = 0; i < n; i++) {
        crc ^= next[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
        }
    }
    return crc;
}

static uint32_t frame_crc(const frame *f)
{
    uint32_t crc = crc32(0xFFFFFFFFu, &f->length, 4);
    crc = crc32(crc, &f->id, 4);
    return ~crc32(crc, f->payload, f->length);
}

/* Takes exactly n bytes; 0 if `ms` milliseconds pass without one. */
static int take(void *bytes, size_t n, uint32_t ms)
{
    uint8_t *const to = bytes;
    const uint32_t tick_ms = board_tick_hz() / 1000u;
    uint32_t waited = 0, last = board_ticks();
    for (size_t got = 0; got < n;) {
        const size_t more = board_read(to + got, n - got);
        if (more > 0u) {
            got += more;
            waited = 0;
            last = board_ticks();
        } else if (board_ticks() - last >= tick_ms) { /* counted in milliseconds: the ticks wrap */
            last += tick_ms;
            if (++waited >= ms) {
                return 0;
            }
        }
    }
    return 1;
}

frame_result frame_receive(frame *f)
{
    uint32_t seen = 0, crc;
    f->id = 0;
    while (seen < sizeof magic) {
        uint8_t byte;
        if (!take(&byte, 1, FRAME_IDLE_S * 1000u)) {
            return FRAME_IDLE;
        }
        seen = byte == magic[seen] ? seen + 1u : byte == magic[0];
    }
    uint32_t id;
    if (!take(&f->length, 4, FRAME_STALL_MS) || f->length < 4u || f->length > FRAME_PAYLOAD_MAX
        || f->length % 4u != 0u) {
        return FRAME_BAD;
    }
    if (!take(&id, 4, FRAME_STALL_MS) || !take(&crc, 4, FRAME_STALL_MS)
        || !take(f->payload, f->length, FRAME_STALL_MS)) {
        return FRAME_BAD;
    }
    f->id = id;
    if (frame_crc(f) != crc) {
        f->id = 0;
        return FRAME_BAD;
    }
    return FRAME_GOOD;
}

void frame_send(const frame *f)
{
    const uint32_t crc = frame_crc(f);
    board_write(magic, sizeof magic);
    board_write(&f->length, 4);
    board_write(&f->id, 4);
    board_write(&crc, 4);
    board_write(f->payload, f->length);
}
