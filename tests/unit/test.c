/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the unit tests share; see test.h.
 */
#include "test.h"

#include "../vectors/golden.h"
#include "board.h"

#include <math.h>

#if TEST_EXACT && !defined(TC_DOUBLE)
#define TEST_CLAIMS_BITS 1
#else
#define TEST_CLAIMS_BITS 0
#endif

static uint32_t state = 1u;

const char *test_only;
uint32_t test_sample = 1u;

int test_named(const char *list, const char *name)
{
    while (list != NULL) {
        const char *const comma = strchr(list, ',');
        const size_t length = comma != NULL ? (size_t)(comma - list) : strlen(list);
        for (const char *at = name; length > 0u && strlen(at) >= length; ++at) {
            if (strncmp(at, list, length) == 0) {
                return 1;
            }
        }
        if (comma == NULL) {
            return 0;
        }
        list = comma + 1;
    }
    return 1;
}

void test_run(UnityTestFunction function, const char *name, int line)
{
    if (test_named(test_only, name)) {
        UnityDefaultTestRun(function, name, line);
    }
}

void test_seed(uint32_t seed)
{
    state = seed != 0u ? seed : 1u;
}

uint32_t test_bits(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

tc_real test_uniform(tc_real low, tc_real high)
{
    return low + (high - low) * ((tc_real)(test_bits() >> 8) * TC_C(5.9604644775390625e-8));
}

tc_real test_log_uniform(double low, double high)
{
    return (tc_real)exp((double)test_uniform((tc_real)log(low), (tc_real)log(high)));
}

double test_log_uniform_wide(double low, double high)
{
    return exp(log(low) + log(high / low) * (double)test_uniform(TC_C(0.0), TC_C(1.0)));
}

uint32_t test_below(uint32_t n)
{
    return test_bits() % n;
}

void test_fill(tc_real *x, uint32_t n, tc_real low, tc_real high)
{
    for (uint32_t i = 0; i < n; ++i) {
        x[i] = test_uniform(low, high);
    }
}

uint32_t test_hash(uint32_t hash, const tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        float value = (float)x[i];
        uint32_t word;
        memcpy(&word, &value, sizeof word);
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ ((word >> shift) & 0xffu)) * 16777619u;
        }
    }
    return hash;
}

/* "golden math.tanh 0x1234abcd": what a failure says, and what `make golden` gathers. */
static void golden_line(char *text, size_t size, const char *name, uint32_t hash)
{
    static const char digits[] = "0123456789abcdef";
    static const char start[] = "golden ";
    size_t at = sizeof start - 1;
    memcpy(text, start, at);
    for (; *name != '\0' && at + 12 < size; ++name) {
        text[at++] = *name;
    }
    memcpy(text + at, " 0x", 3);
    at += 3;
    for (int shift = 28; shift >= 0; shift -= 4) {
        text[at++] = digits[(hash >> shift) & 0xfu];
    }
    text[at] = '\0';
}

static int golden_known(const char *name, uint32_t hash)
{
    for (size_t i = 0; i < TC_COUNT(golden_hashes); ++i) {
        if (strcmp(golden_hashes[i].name, name) == 0) {
            return hash == (TC_TANH_TABLE ? golden_hashes[i].table : golden_hashes[i].small);
        }
    }
    return 0;
}

void test_golden(const char *name, uint32_t hash)
{
    char text[80];
    golden_line(text, sizeof text, name, hash);
#ifdef TEST_GATHER
    (void)golden_known;
    board_print(text);
    board_print("\n");
#else
    if (TEST_CLAIMS_BITS && !golden_known(name, hash)) {
        TEST_FAIL_MESSAGE(text);
    }
#endif
}

static uint32_t guard_word(uint32_t i)
{
    return 0x5afe0000u ^ (i * 0x9e3779b9u);
}

/* Guards are written as bytes, so that a tc_real of any size can carry them. */
static void guard_fill(uint8_t *bytes, uint32_t n, uint32_t salt)
{
    for (uint32_t i = 0; i < n; ++i) {
        bytes[i] = (uint8_t)(guard_word(i + salt) >> 11);
    }
}

static void guard_compare(const uint8_t *bytes, uint32_t n, uint32_t salt, const char *message)
{
    for (uint32_t i = 0; i < n; ++i) {
        if (bytes[i] != (uint8_t)(guard_word(i + salt) >> 11)) {
            TEST_FAIL_MESSAGE(message);
        }
    }
}

#define GUARD_BYTES ((uint32_t)(TEST_GUARD_WORDS * sizeof(tc_real)))

tc_real *test_guard(tc_real *storage, uint32_t n)
{
    guard_fill((uint8_t *)storage, GUARD_BYTES, 1u);
    guard_fill((uint8_t *)(storage + TEST_GUARD_WORDS + n), GUARD_BYTES, 2u);
    return storage + TEST_GUARD_WORDS;
}

void test_guard_check(const tc_real *storage, uint32_t n)
{
    guard_compare((const uint8_t *)storage, GUARD_BYTES, 1u, "written before the buffer");
    guard_compare((const uint8_t *)(storage + TEST_GUARD_WORDS + n), GUARD_BYTES, 2u,
                  "written behind the buffer");
}

void test_near(tc_real expected, tc_real actual, tc_real absolute, tc_real relative,
               const char *what)
{
    tc_real size = expected < 0 ? -expected : expected;
    tc_real error = actual > expected ? actual - expected : expected - actual;
    if (!(error <= absolute + relative * size)) {
        TEST_ASSERT_EQUAL_FLOAT_MESSAGE((float)expected, (float)actual, what);
        TEST_FAIL_MESSAGE(what);
    }
}

void test_same(const tc_real *expected, const tc_real *actual, uint32_t n, const char *what)
{
#if TEST_EXACT
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(expected, actual, n * sizeof *expected, what);
#else
    for (uint32_t i = 0; i < n; ++i) {
        test_near(expected[i], actual[i], 2000 * TC_EPSILON, 200 * TC_EPSILON, what);
    }
#endif
}
