/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Status codes: every code has a name and a text of its own, and the sign says what it means.
 */
#include "test.h"

static const struct {
    tc_status status;
    const char *name;
} all[] = {
#define ROW(name, value, text) {name, #name},
    TC_STATUS_LIST(ROW)
#undef ROW
};

/* Catches a value used twice (the switch in tc_status.c would not compile) or a text copied
 * over. */
static void test_texts_are_distinct(void)
{
    for (size_t i = 0; i < TC_COUNT(all); ++i) {
        TEST_ASSERT_EQUAL_STRING(all[i].name, tc_status_name(all[i].status));
        for (size_t k = 0; k < i; ++k) {
            TEST_ASSERT_TRUE(strcmp(tc_status_text(all[i].status), tc_status_text(all[k].status))
                             != 0);
        }
    }
}

/* Catches an error listed with a positive value, which every caller would take for usable. */
static void test_sign_follows_name(void)
{
    for (size_t i = 0; i < TC_COUNT(all); ++i) {
        int expected =
            strncmp(all[i].name, "TC_ERR", 6) == 0 ? -1 : strncmp(all[i].name, "TC_NOTE", 7) == 0;
        int sign = (all[i].status > 0) - (all[i].status < 0);
        TEST_ASSERT_EQUAL_INT(expected, sign);
    }
}

static void test_unknown_value_has_text(void)
{
    TEST_ASSERT_EQUAL_STRING("unknown status", tc_status_text((tc_status)-99));
    TEST_ASSERT_EQUAL_STRING("unknown status", tc_status_name((tc_status)99));
}

static void test_version_matches_header(void)
{
    TEST_ASSERT_EQUAL_UINT32(TC_VERSION, tc_version());
    TEST_ASSERT_NOT_NULL(strstr(tc_version_text(), TC_VERSION_TEXT));
}

void suite_status(void)
{
    RUN_TEST(test_texts_are_distinct);
    RUN_TEST(test_sign_follows_name);
    RUN_TEST(test_unknown_value_has_text);
    RUN_TEST(test_version_matches_header);
}
