/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What was linked: version, profile and port, named by the build (TC_BUILD_PROFILE, TC_BUILD_PORT).
 */
#include "tinycontact.h"

#ifndef TC_BUILD_PROFILE
#define TC_BUILD_PROFILE "exact"
#endif
#ifndef TC_BUILD_PORT
#define TC_BUILD_PORT "portable"
#endif

uint32_t tc_version(void)
{
    return TC_VERSION;
}

const char *tc_build_text(void)
{
    return "tinycontact " TC_VERSION_TEXT " " TC_BUILD_PROFILE " " TC_BUILD_PORT
#if TC_TANH_TABLE
           " tanh=table";
#else
           " tanh=small";
#endif
}
