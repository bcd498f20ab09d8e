/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Which library this is: the version of the headers, and of what was linked.
 */
#ifndef TC_VERSION_H
#define TC_VERSION_H

#include "tc_config.h"

TC_BEGIN

#define TC_VERSION 0x000900u /* 0xMMmmpp: major, minor, patch */
#define TC_VERSION_TEXT "0.9.0"

/* The version of the library that was linked, which may differ from the header's TC_VERSION. */
uint32_t tc_version(void);

/* What was linked, as one line for boot messages and logs:
 * "tinycontact 0.9.0 exact cortex-m4 tanh=table". The profile is part of it because logs of the
 * profile `fast` replay within tolerances, those of `exact` to the bit. It is "contracted", whatever the build
 * claims, where the compiler fuses products and sums; a build in double precision ends in " double". */
const char *tc_version_text(void);

TC_END

#endif
