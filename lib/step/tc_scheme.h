/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Position schemes: how the positions of a body or limb follow its velocities in a step.
 */
#ifndef TC_SCHEME_H
#define TC_SCHEME_H

#include "tc_config.h"

TC_BEGIN

/* Position scheme of a step. tc_foot2.h describes each scheme. */
typedef enum tc_scheme {
    TC_SCHEME_DART = 0, /* contacts are vertices below the floor; positions are pushed out slowly,
                         * as the simulator DART does */
    TC_SCHEME_TOC = 1,  /* time of contact: the step advances to the touch, solves there and goes
                         * on; no penetration */
    TC_SCHEME_GAP = 2   /* gap / h is in the right-hand side of the LCP; no penetration */
} tc_scheme;

TC_END

#endif
