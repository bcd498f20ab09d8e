/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The library's check of its own build. That it finds what it looks for is shown by builds and
 * modes that are broken on purpose: here the rounding mode and the flushing of subnormals, in
 * tests/python/test_selfcheck.py flags.
 */
#include "test.h"

/* The same check once more, in a build whose tc_all_finite() takes what is not finite for a
 * number. */
static int lies_about_nan, lies_about_infinite;

static int finite_they_say(const tc_real *x, size_t n)
{
    const int nan = *x != *x;
    return tc_all_finite(x, n) || (nan ? lies_about_nan : lies_about_infinite);
}

uint32_t misled_selfcheck(void);
const char *misled_selfcheck_text(uint32_t found);
/* In double precision these are macros already (tc_config_names.h). */
#pragma push_macro("tc_all_finite")
#pragma push_macro("tc_selfcheck")
#pragma push_macro("tc_selfcheck_text")
#undef tc_all_finite
#undef tc_selfcheck
#undef tc_selfcheck_text
#define tc_all_finite finite_they_say
#define tc_selfcheck misled_selfcheck
#define tc_selfcheck_text misled_selfcheck_text
#include "../../../lib/math/tc_selfcheck.c"
#pragma pop_macro("tc_all_finite")
#pragma pop_macro("tc_selfcheck")
#pragma pop_macro("tc_selfcheck_text")

#if defined(__arm__) && defined(__ARM_FP)
#define MODES 1
#define ROUNDING_AT 22
#define FLUSH (1u << 24)
static uint32_t mode_read(void)
{
    uint32_t mode;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(mode));
    return mode;
}
static void mode_write(uint32_t mode)
{
    __asm__ volatile("vmsr fpscr, %0" : : "r"(mode) : "memory");
}
#elif defined(__x86_64__)
#include <xmmintrin.h>
#define MODES 1
#define ROUNDING_AT 13
#define FLUSH (1u << 15)
static uint32_t mode_read(void)
{
    return _mm_getcsr();
}
static void mode_write(uint32_t mode)
{
    _mm_setcsr(mode);
}
#else
#define MODES 0
#endif

static void test_this_build_is_sound(void)
{
    const uint32_t found = tc_selfcheck();
    TEST_ASSERT_EQUAL_STRING("ok", tc_selfcheck_text(found));
    TEST_ASSERT_EQUAL_HEX32(0u, found);
}

static void test_every_finding_has_a_text_of_its_own(void)
{
    for (uint32_t bit = 1u; bit <= TC_SELFCHECK_KERNELS; bit <<= 1u) {
        for (uint32_t other = 0u; other < bit; other = other == 0u ? 1u : other << 1u) {
            TEST_ASSERT_TRUE(strcmp(tc_selfcheck_text(bit), tc_selfcheck_text(other)) != 0);
        }
    }
    TEST_ASSERT_EQUAL_STRING("unknown finding", tc_selfcheck_text(1u << 31));
    TEST_ASSERT_EQUAL_STRING(tc_selfcheck_text(TC_SELFCHECK_FUSED),
                             tc_selfcheck_text(TC_SELFCHECK_FUSED | TC_SELFCHECK_KERNELS));
}

/* Catches: a property of several whose loss goes unseen as long as the others hold. */
static void test_what_takes_nan_for_a_number_is_found(void)
{
    for (int lies = 0; lies < 4; ++lies) {
        lies_about_nan = lies % 2;
        lies_about_infinite = lies / 2;
        /* The copy does not know of a build whose kernels may fuse: what it finds of them there is
         * left out. */
        const uint32_t found =
            misled_selfcheck() & ~(TEST_EXACT ? 0u : (uint32_t)TC_SELFCHECK_KERNELS);
        TEST_ASSERT_EQUAL_HEX32(lies == 0 ? 0u : TC_SELFCHECK_SPECIAL, found);
    }
}

#if MODES
static void test_modes_of_the_processor_are_found(void)
{
    const uint32_t kept = mode_read();
    for (uint32_t mode = 1u; mode < 4u; ++mode) {
        /* up, down and toward zero, in one order or the other */
        mode_write(kept | mode << ROUNDING_AT);
        const uint32_t rounded = tc_selfcheck();
        mode_write(kept);
        TEST_ASSERT_BITS_HIGH(TC_SELFCHECK_ROUNDING, rounded);
    }
    mode_write(kept | FLUSH);
    const uint32_t flushed = tc_selfcheck();
    mode_write(kept);
    TEST_ASSERT_EQUAL_HEX32(TC_SELFCHECK_SUBNORMAL, flushed);
    TEST_ASSERT_EQUAL_HEX32(0u, tc_selfcheck());
}
#endif

void suite_selfcheck(void)
{
    RUN_TEST(test_this_build_is_sound);
    RUN_TEST(test_every_finding_has_a_text_of_its_own);
    RUN_TEST(test_what_takes_nan_for_a_number_is_found);
#if MODES
    RUN_TEST(test_modes_of_the_processor_are_found);
#endif
}
