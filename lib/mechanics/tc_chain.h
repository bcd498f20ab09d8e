/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What planar and spatial chains share: joints, and the limits of what a chain may be made of.
 */
#ifndef TC_CHAIN_H
#define TC_CHAIN_H

#include "tc_body.h"

TC_BEGIN

#define TC_CHAIN_MAX 8u                      /* links */

/* What a chain may be made of, and how fast it may be: so far all numbers of a step are finite. */
#define TC_CHAIN_LENGTH_MAX TC_C(1e6)   /* [m] anchors and arms */
#define TC_CHAIN_BODY_MAX TC_C(1e9)     /* [kg] mass, its square for a moment of inertia [kg m^2]; both at
                                          * least 1 / that */
#define TC_CHAIN_GRAVITY_MAX TC_C(1e6)  /* [m/s^2] */
#define TC_CHAIN_TORQUE_MAX TC_C(1e12)  /* [N m or N] at a joint, in the steps of limbs */
#define TC_CHAIN_RATE_MAX TC_C(1e5)     /* [rad/s, m/s] root of the sum of the rates' squares */

typedef enum tc_chain_joint {
    TC_CHAIN_REVOLUTE = 0,
    TC_CHAIN_PRISMATIC = 1, /* the link keeps the orientation it has in the link before */
    TC_CHAIN_FREE = 2       /* no joint: a floating root; link 0 only. anchor, arm and axis mean nothing
                             * then */
} tc_chain_joint;

TC_END

#endif
