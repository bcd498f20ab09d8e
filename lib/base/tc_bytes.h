/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Bytes, internal: little-endian numbers at any address, and the checksum, for what comes from
 * outside (model files, frames). Byte by byte: no alignment is asked for and no byte order of the
 * machine is assumed. Not for users.
 */
#ifndef TC_BYTES_H
#define TC_BYTES_H

#include "tc_config.h"

#include <string.h>

TC_BEGIN

static inline uint32_t tc_bytes_u16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t tc_bytes_u32(const uint8_t *at)
{
    return tc_bytes_u16(at) | tc_bytes_u16(at + 2) << 16;
}

static inline float tc_bytes_float(const uint8_t *at)
{
    const uint32_t bits = tc_bytes_u32(at);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* CRC-32 (IEEE 802.3, as in zlib) of the bytes before, whose CRC is `crc` (0: none), and these
 * n. */
uint32_t tc_bytes_crc32(uint32_t crc, const void *bytes, size_t n);

TC_END

#endif
