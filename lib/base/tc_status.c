/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Status codes to text: both functions are generated from TC_STATUS_LIST.
 */
#include "tc_exact.h"
#include "tc_status.h"

const char *tc_status_text(tc_status status)
{
    switch (status) {
#define TC_STATUS_TEXT(name, value, text)                                                          \
    case name: return text;
        TC_STATUS_LIST(TC_STATUS_TEXT)
#undef TC_STATUS_TEXT
    }
    return "unknown status";
}

const char *tc_status_name(tc_status status)
{
    switch (status) {
#define TC_STATUS_NAME(name, value, text)                                                          \
    case name: return #name;
        TC_STATUS_LIST(TC_STATUS_NAME)
#undef TC_STATUS_NAME
    }
    return "unknown status";
}
