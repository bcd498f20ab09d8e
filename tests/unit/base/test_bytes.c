/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The two internal headers that everything from outside passes: numbers from bytes (tc_bytes.h), and the walk over
 * the fields of a record (tc_cursor.h). Frames and model files only use parts of them, so faults could hide there.
 */
#include "model_bytes.h"
#include "test.h"

#include "tc_bytes.h"
#include "tc_cursor.h"

#define ROOM 24u

static uint8_t bytes[ROOM + 8u];

static void fill_bytes(void)
{
    for (uint32_t i = 0; i < sizeof bytes; ++i) {
        bytes[i] = (uint8_t)(test_bits() >> 11);
    }
}

/* ---- tc_bytes.h -------------------------------------------------------------------------------- */

/* Catches: bytes in the machine's order, and a load that asks for alignment. */
static void test_numbers_at_any_address(void)
{
    test_seed(401);
    fill_bytes();
    for (uint32_t at = 0; at < 9u; ++at) {
        const uint8_t *const b = bytes + at;
        const uint32_t low = b[0] + 256u * b[1];
        const uint32_t all = low + 65536u * b[2] + 16777216u * b[3];
        const float real = tc_bytes_float(b);
        uint32_t bits;
        memcpy(&bits, &real, sizeof bits);
        TEST_ASSERT_EQUAL_HEX32(low, tc_bytes_u16(b));
        TEST_ASSERT_EQUAL_HEX32(all, tc_bytes_u32(b));
        TEST_ASSERT_EQUAL_HEX32(all, bits);
    }
    for (uint32_t k = 0; k < 4u; ++k) { /* the top bit of each byte, alone */
        uint8_t alone[4] = {0};
        alone[k] = 0x80u;
        TEST_ASSERT_EQUAL_HEX32(0x80u << 8u * k, tc_bytes_u32(alone));
    }
}

/* Catches: a wrong word of the table; each byte alone reaches all sixteen. */
static void test_crc_is_its_definition(void)
{
    TEST_ASSERT_EQUAL_HEX32(0xCBF43926u,
                            tc_bytes_crc32(0, "123456789", 9)); /* the published check value */
    TEST_ASSERT_EQUAL_HEX32(0u, tc_bytes_crc32(0, "", 0));
    for (uint32_t value = 0; value < 256u; ++value) {
        const uint8_t byte = (uint8_t)value;
        TEST_ASSERT_EQUAL_HEX32(crc_by_bits(&byte, 1), tc_bytes_crc32(0, &byte, 1));
    }
    test_seed(402);
    for (uint32_t n = 0; n <= ROOM; ++n) {
        fill_bytes();
        const uint32_t whole = crc_by_bits(bytes, n);
        for (uint32_t cut = 0; cut <= n; ++cut) {
            const uint32_t first = tc_bytes_crc32(0, bytes, cut);
            TEST_ASSERT_EQUAL_HEX32(whole, tc_bytes_crc32(first, bytes + cut, n - cut));
        }
    }
}

/* ---- tc_cursor.h ------------------------------------------------------------------------------- */

/* A number of each length at each place, in arrays of each length: what fits is little-endian, what does not leaves
 * TC_ERR_SIZE and the cursor at the end, and nothing behind the end is written or read. */
static void test_each_length_at_each_place(void)
{
    test_seed(403);
    for (uint32_t length = 0; length <= 6u; ++length) {
        for (uint32_t at = 0; at <= length; ++at) {
            for (uint32_t n = 1; n <= 4u; ++n) {
                const int fits = at + n <= length;
                const uint32_t mask = n == 4u ? 0xFFFFFFFFu : (1u << 8u * n) - 1u;
                const uint32_t sent = test_bits();
                uint32_t got = 0xFFFFFFFFu, value = sent;
                memset(bytes, 0xA5, sizeof bytes);
                tc_cursor writing = {.to = bytes, .at = at, .length = length};
                tc_cursor_number(&writing, n, &value);
                TEST_ASSERT_EQUAL_HEX32(sent, value); /* writing changes no number */
                TEST_ASSERT_EQUAL(fits ? TC_OK : TC_ERR_SIZE, writing.status);
                TEST_ASSERT_EQUAL_UINT32(fits ? at + n : length, writing.at);
                for (uint32_t i = 0; i < sizeof bytes; ++i) {
                    const int inside = fits && i >= at && i < at + n;
                    TEST_ASSERT_EQUAL_HEX8(inside ? sent >> 8u * (i - at) & 255u : 0xA5u, bytes[i]);
                }
                tc_cursor reading = {.from = bytes, .at = at, .length = length};
                tc_cursor_number(&reading, n, &got);
                TEST_ASSERT_EQUAL_HEX32(fits ? sent & mask : 0u, got);
                TEST_ASSERT_EQUAL(writing.status, reading.status);
                TEST_ASSERT_EQUAL_UINT32(writing.at, reading.at);
            }
        }
    }
}

/* Signed words and reals come back with every bit, NaN's too. */
static void test_words_and_reals(void)
{
    static const int32_t numbers[] = {0, 1, -1, INT32_MAX, INT32_MIN, -1234567};
    static const uint32_t patterns[] = {0u,          0x80000000u, 0x3F800000u, 0x7F800000u,
                                        0xFFC00001u, 0x7FA12345u, 1u};
    for (uint32_t i = 0; i < TC_COUNT(numbers); ++i) {
        int32_t sent = numbers[i], got = 77;
        tc_cursor to = {.to = bytes, .length = 4}, from = {.from = bytes, .length = 4};
        tc_cursor_signed_word(&to, &sent);
        tc_cursor_signed_word(&from, &got);
        TEST_ASSERT_EQUAL_INT32(numbers[i], got);
        TEST_ASSERT_EQUAL_INT32(numbers[i], sent);
        TEST_ASSERT_EQUAL_HEX32((uint32_t)numbers[i], tc_bytes_u32(bytes));
    }
    for (uint32_t n = 0; n <= 6u; ++n) {
        float sent[7], got[7];
        memcpy(sent, patterns, sizeof sent);
        memset(got, 0x11, sizeof got);
        tc_cursor to = {.to = bytes, .length = ROOM}, from = {.from = bytes, .length = ROOM};
        tc_cursor_reals(&to, sent, n);
        tc_cursor_reals(&from, got, n);
        TEST_ASSERT_EQUAL_UINT32(4u * n, to.at);
        TEST_ASSERT_EQUAL_UINT32(4u * n, from.at);
        TEST_ASSERT_TRUE(n == 0u || memcmp(patterns, got, n * sizeof *got) == 0);
        TEST_ASSERT_TRUE(((const uint8_t *)got)[n * sizeof *got]
                         == 0x11u); /* and the next is left alone */
    }
}

/* Every value round the two ends, in each length, reading and writing. */
static void test_choices(void)
{
    for (uint32_t n = 1; n <= 4u; ++n) {
        for (uint32_t value = 0; value <= 9u; ++value) {
            const int allowed = value >= 3u && value <= 7u;
            tc_cursor to = {.to = bytes, .length = 4}, from = {.from = bytes, .length = 4};
            TEST_ASSERT_EQUAL_UINT32(allowed ? value : 3u, tc_cursor_choice(&to, n, value, 3u, 7u));
            TEST_ASSERT_EQUAL(allowed ? TC_OK : TC_ERR_RANGE, to.status);
            TEST_ASSERT_EQUAL_UINT32(allowed ? value : 3u, tc_cursor_choice(&from, n, 5u, 3u, 7u));
            TEST_ASSERT_EQUAL(allowed ? TC_OK : TC_ERR_RANGE, from.status);
        }
    }
    tc_cursor empty = {.from = bytes, .length = 0};
    TEST_ASSERT_EQUAL_UINT32(0u, tc_cursor_choice(&empty, 1, 5u, 0u, 7u));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, empty.status);
}

/* Reserved bytes are written as zeros, and any other bit in any of them is refused. */
static void test_reserved(void)
{
    for (uint32_t n = 1; n <= 4u; ++n) {
        memset(bytes, 0xFF, sizeof bytes);
        tc_cursor to = {.to = bytes, .length = ROOM};
        tc_cursor_reserved(&to, n);
        TEST_ASSERT_EQUAL(TC_OK, to.status);
        for (uint32_t bit = 0; bit <= 8u * n; ++bit) {
            tc_cursor from = {.from = bytes, .length = ROOM};
            bytes[bit / 8u] ^= (uint8_t)(1u << bit % 8u);
            tc_cursor_reserved(&from, n);
            TEST_ASSERT_EQUAL(bit < 8u * n ? TC_ERR_RANGE : TC_OK,
                              from.status); /* the last one lies behind */
            TEST_ASSERT_EQUAL_UINT32(n, from.at);
            bytes[bit / 8u] ^= (uint8_t)(1u << bit % 8u);
        }
    }
}

/* The first fault is the one that is reported, except that a record's wrong length goes before all: the values that it
 * lacks read as 0, and whatever is said of those is not the cause. */
static void test_first_fault(void)
{
    tc_cursor c = {.from = bytes, .length = 2};
    uint32_t value = 9;
    tc_cursor_require(&c, 1, TC_ERR_BODY);
    TEST_ASSERT_EQUAL(TC_OK, c.status);
    tc_cursor_require(&c, 0, TC_ERR_UNIT);
    tc_cursor_require(&c, 0, TC_ERR_RANGE);
    tc_cursor_require(&c, 1, TC_ERR_RANGE);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, c.status);
    tc_cursor_word(&c, &value);
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, c.status);
    tc_cursor_require(&c, 0, TC_ERR_RANGE);
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, c.status);
    TEST_ASSERT_EQUAL_UINT32(2u, c.at);
}

void suite_bytes(void)
{
    RUN_TEST(test_numbers_at_any_address);
    RUN_TEST(test_crc_is_its_definition);
    RUN_TEST(test_each_length_at_each_place);
    RUN_TEST(test_words_and_reals);
    RUN_TEST(test_choices);
    RUN_TEST(test_reserved);
    RUN_TEST(test_first_fault);
}
