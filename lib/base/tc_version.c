/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What was linked: version, profile and port, named by the build (TC_BUILD_PROFILE, TC_BUILD_PORT).
 * Whether products and sums are fused against the build's word is found out.
 */
#include "tc_exact.h"
#include "tc_version.h"

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

#if TC_TANH_TABLE
#define TANH_TEXT " tanh=table"
#else
#define TANH_TEXT " tanh=small"
#endif
#ifdef TC_DOUBLE
#define REAL_TEXT " double"
#else
#define REAL_TEXT ""
#endif
#define TEXT(profile)                                                                              \
    "tinycontact " TC_VERSION_TEXT " " profile " " TC_BUILD_PORT TANH_TEXT REAL_TEXT

/* a * a less what it is once stored: 0, or the product's rounding error where it was not
 * rounded. */
static int contraction_error(void)
{
    volatile tc_real a = TC_C(1.0) / TC_C(3.0), square = a * a;
    return a * a - square != TC_C(0.0);
}

const char *tc_version_text(void)
{
    return contraction_error() ? TEXT("contracted") : TEXT(TC_BUILD_PROFILE);
}
