/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Bytes of model files: little-endian numbers read and put, and the CRC made good after a change.
 * The CRC is computed bit by bit, another way than the library's.
 */
#ifndef MODEL_BYTES_H
#define MODEL_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t crc_by_bits(const uint8_t *data, uint32_t n)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < 8u * n; i++) {
        const uint32_t bit = (uint32_t)data[i / 8u] >> (i % 8u);
        crc = ((crc ^ bit) & 1u) != 0u ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

static inline uint32_t get32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void put32(uint8_t *at, uint32_t value)
{
    for (uint32_t k = 0; k < 4u; k++) {
        at[k] = (uint8_t)(value >> (8u * k));
    }
}

static inline void put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static inline void put_float(uint8_t *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put32(at, bits);
}

static inline void repair_crc(uint8_t *blob, uint32_t size)
{
    put32(blob + 12, crc_by_bits(blob + 16, size - 16u));
}

#endif
