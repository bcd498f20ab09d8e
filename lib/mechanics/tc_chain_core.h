/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the sources of chains and of limbs share: the limits of tc_chain.h. Not for users.
 */
#ifndef TC_CHAIN_CORE_H
#define TC_CHAIN_CORE_H

#include "tc_chain.h"
#include "tc_math.h"

/* How much of its diagonal a mass matrix gets that is singular to rounding, in the order of trying:
 * as if each joint had a rotor of so much of what it moves. The first is what summing and factoring
 * n terms may have left. */
#define TC_CHAIN_SLACK_FIRST(n) (TC_C(8.0) * (tc_real)(n) * TC_EPSILON)
#define TC_CHAIN_SLACK_GROWTH TC_C(8.0)
#define TC_CHAIN_SLACK_MAX TC_C(2e-3)

/* All n numbers within -limit..limit; NaN is not. */
static inline int tc_chain_all_within(const tc_real *x, uint32_t n, tc_real limit)
{
    int good = 1;
    for (uint32_t k = 0; k < n; ++k) {
        good &= x[k] <= limit && x[k] >= -limit;
    }
    return good;
}

/* What may be wrong with the torques of a step; null: there are none. */
static inline tc_status tc_chain_check_torque(const tc_real *torque, uint32_t dof)
{
    if (torque == NULL || tc_chain_all_within(torque, dof, TC_CHAIN_TORQUE_MAX)) {
        return TC_OK;
    }
    return tc_all_finite(torque, dof) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
}

/* Their Euclidean length at most TC_CHAIN_RATE_MAX; NaN is not. */
static inline int tc_chain_rates_within(const tc_real *rates, uint32_t n)
{
    tc_real square = TC_C(0.0);
    for (uint32_t k = 0; k < n; ++k) {
        square += rates[k] * rates[k];
    }
    return square <= TC_CHAIN_RATE_MAX * TC_CHAIN_RATE_MAX;
}

/* What may be wrong with a body's numbers: mass, then moments of inertia. */
tc_status tc_chain_check_body(const tc_real *numbers, uint32_t n);

/* Rates that a step must not end with are slowed down together to half the limit, or to 0 where
 * they are not finite. Then it returns 1. In the velocities that contacts allow (u_n >= 0, or
 * >= -gap / h with gap >= 0) 0 is one, and so is what lies between two: a slower motion in the same
 * direction is lawful too, and has less energy. */
int tc_chain_slow(tc_real *rates, uint32_t n);

/* A lift on positions is linear in the joints. One that a limb can hardly make, wedged over its
 * contact, would turn them so far that it lifts nothing: it is shortened to this [rad or m] and
 * goes on in the next step. */
#define TC_CHAIN_LIFT_MAX TC_C(0.05)
void tc_chain_shorten(tc_real *rates, uint32_t n, tc_real h);

#endif
