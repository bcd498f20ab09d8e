/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Position schemes of the steps.
 */
#ifndef TC_SCHEME_H
#define TC_SCHEME_H

#include "tc_config.h"

TC_BEGIN

/* How positions follow velocities, and what is done about the gap. */
typedef enum tc_scheme {
    TC_SCHEME_DART = 0, /* contact below the floor; pushed out on positions alone, slowly, as DART does */
    TC_SCHEME_TOC = 1,  /* advance to the time of contact, solve there, go on: does not penetrate */
    TC_SCHEME_GAP = 2   /* gap / h in the right-hand side of the LCP: does not penetrate */
} tc_scheme;

TC_END

#endif
