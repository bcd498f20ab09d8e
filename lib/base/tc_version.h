/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The version of the headers and of the linked library.
 */
#ifndef TC_VERSION_H
#define TC_VERSION_H

#include "tc_config.h"

TC_BEGIN

#define TC_VERSION 0x000900u /* 0xMMmmpp: major, minor, patch */
#define TC_VERSION_TEXT "0.9.0"

/* Returns the version of the linked library, as TC_VERSION. It differs from the application's
 * TC_VERSION if the header is of another version. */
uint32_t tc_version(void);

/* Returns one line about the linked library, for boot messages and logs; never NULL. Example:
 *
 *     tinycontact 0.9.0 exact cortex-m4 tanh=table
 *
 * The third word is the profile: logs of `exact` replay to the bit, those of `fast` within
 * tolerances. It is "contracted" in any build whose compiler fused products and sums. The line ends
 * in " double" if tc_real is double. */
const char *tc_version_text(void);

TC_END

#endif
