/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Parts common to chains in the plane and in space: joints and limits.
 */
#ifndef TC_CHAIN_H
#define TC_CHAIN_H

#include "tc_body.h"

TC_BEGIN

#define TC_CHAIN_MAX 8u /* largest number of links */

/* Limits of a chain's numbers. Within them every number of a step is finite; beyond them functions
 * return TC_ERR_RANGE. */
#define TC_CHAIN_LENGTH_MAX TC_C(1e6) /* coordinates of anchors and arms [m] */
/* mass [kg]; its square limits a moment of inertia [kg m^2]; the minima are the reciprocals */
#define TC_CHAIN_BODY_MAX TC_C(1e9)
#define TC_CHAIN_GRAVITY_MAX TC_C(1e6) /* coordinate of gravity [m/s^2] */
/* torque or force at a joint, in the steps of limbs [N m] or [N] */
#define TC_CHAIN_TORQUE_MAX TC_C(1e12)
#define TC_CHAIN_RATE_MAX TC_C(1e5) /* Euclidean norm of the rates [rad/s and m/s] */

/* Type of a joint. */
typedef enum tc_chain_joint {
    TC_CHAIN_REVOLUTE = 0,  /* the link turns about the joint */
    TC_CHAIN_PRISMATIC = 1, /* the link moves along an axis and keeps its orientation in the link
                             * before */
    TC_CHAIN_FREE = 2       /* a floating root: link 0 only, which then needs no anchor, arm and
                             * axis */
} tc_chain_joint;

TC_END

#endif
