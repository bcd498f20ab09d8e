/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Inside boards/: bytes on their way from a receiver's interrupt to board_read. One writer, one
 * reader; indices wrap by their type. Holds RING_SIZE - 1 bytes.
 */
#ifndef RING_H
#define RING_H

#include <stddef.h>
#include <stdint.h>

#define RING_SIZE 256u

typedef struct ring {
    volatile uint8_t bytes[RING_SIZE];
    volatile uint8_t head, tail; /* written next, read next */
} ring;

static inline int ring_empty(const ring *r)
{
    return r->tail == r->head;
}

static inline int ring_full(const ring *r)
{
    return (uint8_t)(r->head + 1u) == r->tail;
}

/* Not into a full one. */
static inline void ring_put(ring *r, uint8_t byte)
{
    r->bytes[r->head] = byte;
    r->head = (uint8_t)(r->head + 1u);
}

/* Up to n bytes; how many there were. */
static inline size_t ring_take(ring *r, void *bytes, size_t n)
{
    uint8_t *const to = (uint8_t *)bytes;
    size_t got = 0;
    while (got < n && !ring_empty(r)) {
        to[got++] = r->bytes[r->tail];
        r->tail = (uint8_t)(r->tail + 1u);
    }
    return got;
}

#endif
