/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The unit test application: every suite (or one group of them, TEST_GROUP), on
 * whatever board it is linked for. On the host an argument names the suites to run: "mat,lcp" runs
 * those whose names contain mat or lcp. `make run-unit TEST=name` compiles the name of a test in
 * (TEST_NAMED), for any board.
 */
#include "board.h"
#include "test.h"

/* A string: the tests whose names contain it. */
#ifndef TEST_NAMED
#define TEST_NAMED NULL
#endif

/* One in so many rounds of property tests. */
#ifndef TEST_SAMPLE
#define TEST_SAMPLE 1
#endif

/* Unity calls these round every test. */
void setUp(void);
void tearDown(void);

void setUp(void)
{
}

void tearDown(void)
{
}

/* Unity writes a character at a time; lines are gathered so that a board's UART sees few calls. */
void test_putc(int c);

void test_putc(int c)
{
    static char line[128];
    static size_t length;
    line[length++] = (char)c;
    if (c == '\n' || length == sizeof line) {
        board_write(line, length);
        length = 0;
    }
}

static uint32_t suites;

static void run_suite(const char *name, const char *file, void (*suite)(void))
{
    if (test_named(board_argument(), name)) {
        Unity.TestFile = file;
        suite();
        ++suites;
    }
}

int app_main(void)
{
    board_print(tc_version_text());
    board_print(" on ");
    board_print(board_name());
    board_print("\n");
    test_only = TEST_NAMED;
    test_sample = TEST_SAMPLE;
    UNITY_BEGIN();
#define RUN(name) run_suite(#name, "test_" #name ".c", suite_##name);
#if TEST_GROUP == 1
    SUITES_1(RUN)
#elif TEST_GROUP == 2
    SUITES_2(RUN)
#elif TEST_GROUP == 3
    SUITES_3(RUN)
#elif TEST_GROUP == 4
    SUITES_4(RUN)
#elif TEST_GROUP == 5
    SUITES_5(RUN)
#elif TEST_GROUP == 6
    SUITES_6(RUN)
#elif TEST_GROUP == 7
    SUITES_7(RUN)
#elif TEST_GROUP == 8
    SUITES_8(RUN)
#elif TEST_GROUP == 9
    SUITES_9(RUN)
#elif TEST_GROUP == 10
    SUITES_10(RUN)
#elif TEST_GROUP == 11
    SUITES_11(RUN)
#elif TEST_GROUP == 12
    SUITES_12(RUN)
#elif TEST_GROUP == 13
    SUITES_13(RUN)
#elif TEST_GROUP == 14
    SUITES_14(RUN)
#elif TEST_GROUP == 15
    SUITES_15(RUN)
#elif TEST_GROUP == 16
    SUITES_16(RUN)
#elif TEST_GROUP == 17
    SUITES_17(RUN)
#elif TEST_GROUP == 18
    SUITES_18(RUN)
#else
    SUITES(RUN)
#endif
#undef RUN
    if (suites == 0u) {
        board_print("no suite has such a name\n");
        return 1;
    }
    return UNITY_END() == 0 ? 0 : 1;
}
