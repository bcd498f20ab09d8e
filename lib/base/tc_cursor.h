/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A walk over the fields of a message or a record, internal: one function per kind of record names its fields in
 * the order of the bytes; with a cursor that writes it encodes, with one that reads it decodes.
 *
 * Every step is checked against the length; what lies beyond reads as 0 and leaves a status. For the library's own
 * sources, hence the short names.
 */
#ifndef TC_CURSOR_H
#define TC_CURSOR_H

#include "tc_status.h"

#include <string.h>

TC_BEGIN

typedef struct tc_cursor {
    uint8_t *to;         /* null: reading */
    const uint8_t *from; /* null: writing */
    uint32_t at, length;
    tc_status status;
} tc_cursor;

static inline void tc_cursor_require(tc_cursor *c, int condition, tc_status otherwise)
{
    if (!condition && c->status == TC_OK) {
        c->status = otherwise;
    }
}

/* A number of 1 to 4 bytes, the lowest first. */
static inline void tc_cursor_number(tc_cursor *c, uint32_t bytes, uint32_t *value)
{
    uint32_t seen = 0;
    if (bytes > c->length - c->at) {
        c->at = c->length;
        c->status = TC_ERR_SIZE;
    }
    for (uint32_t i = 0; i < bytes && c->at < c->length; i++, c->at++) {
        if (c->to != NULL) {
            c->to[c->at] = (uint8_t)(*value >> 8u * i);
        } else {
            seen |= (uint32_t)c->from[c->at] << 8u * i;
        }
    }
    if (c->to == NULL) {
        *value = seen;
    }
}

static inline void tc_cursor_word(tc_cursor *c, uint32_t *value)
{
    tc_cursor_number(c, 4, value);
}

static inline void tc_cursor_signed_word(tc_cursor *c, int32_t *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    tc_cursor_word(c, &bits);
    memcpy(value, &bits, sizeof bits);
}

static inline void tc_cursor_reals(tc_cursor *c, float *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        tc_cursor_word(c, &bits);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

/* As tc_cursor_number, by value: what is written, or what is read. It needs no place on the stack. */
static inline uint32_t tc_cursor_value(tc_cursor *c, uint32_t bytes, uint32_t value)
{
    uint32_t number = c->to != NULL ? value : 0u;
    if (bytes > c->length - c->at) {
        c->at = c->length;
        c->status = TC_ERR_SIZE;
    }
    for (uint32_t i = 0; i < bytes && c->at < c->length; i++, c->at++) {
        if (c->to != NULL) {
            c->to[c->at] = (uint8_t)(number >> 8u * i);
        } else {
            number |= (uint32_t)c->from[c->at] << 8u * i;
        }
    }
    return number;
}

/* An enumerator, for the caller to convert: a value out of least..most leaves TC_ERR_RANGE and reads as `least`,
 * before an enumeration of one byte could cut it off. */
static inline uint32_t tc_cursor_choice(tc_cursor *c, uint32_t bytes, uint32_t value,
                                        uint32_t least, uint32_t most)
{
    value = tc_cursor_value(c, bytes, value);
    const int known = value >= least && value <= most;
    tc_cursor_require(c, known, TC_ERR_RANGE);
    return known ? value : least;
}

/* Bytes that are zero and stay so. */
static inline void tc_cursor_reserved(tc_cursor *c, uint32_t bytes)
{
    uint32_t value = 0;
    tc_cursor_number(c, bytes, &value);
    tc_cursor_require(c, value == 0u, TC_ERR_RANGE);
}

TC_END

#endif
