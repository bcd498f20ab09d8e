/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Two moving bodies that touch, as one mechanism for the solver of limbs
 * (tc_limb3_mechanism_solve). The mechanism has twelve rates: linear and angular velocity of body
 * a, then of body b, world axes.
 *
 *     M = blockdiag(m_a, I_a, m_b, I_b)
 *     J = [1, -X],   X (v, omega) = (v + omega x s, omega),   s = x_a - x_b
 *
 * J gives the twist of a relative to b at a's centre of mass; X takes b's twist there. A contact's
 * impulse on a is therefore opposite to that on b, along the same line. Momentum and angular
 * momentum of the pair stay constant, to rounding. The contact model is asked about body a alone,
 * as about the last link of a limb.
 *
 *     tc_pair3 pair = {{&a, &b}, {&state_a, &state_b}, wrench};
 *     tc_pair3_mechanism(&pair, &mechanism, matrices, TC_PAIR3_STATE);
 *     tc_limb3_mechanism_solve(&foot_a, &mechanism, &patch, 0, &warm, rates, &info, work,
 *                              matrices_len);
 *
 * The patch's normal points out of b into a. Its arms begin at a's centre of mass.
 */
#ifndef TC_PAIR3_H
#define TC_PAIR3_H

#include "tc_limb3.h"

TC_BEGIN

#define TC_PAIR3_RATES 12u /* number of rates of a pair */

/* Length of the workspace for the matrices of a pair. */
#define TC_PAIR3_STATE (TC_PAIR3_RATES * (TC_PAIR3_RATES + 8u))

/* Two bodies, a and b, at the beginning of a step. */
typedef struct tc_pair3 {
    const tc_body3 *body[2];        /* inertia of a and b */
    const tc_body3_state *state[2]; /* state of a and b */
    const tc_real *wrench;          /* [12] applied force and torque about its own centre of mass,
                                     * on a, then on b, world axes [N], [N m]; may be NULL: none.
                                     * Gyroscopic torques are the caller's to include */
} tc_pair3;

/* Computes mass matrix, Jacobian, rates and forces of a pair in `matrices` and fills `mechanism`.
 * The mechanism points into `matrices`, which must stay unchanged until the pair is solved. `pair`
 * need not outlive the call. Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        pair, a body, a state, mechanism or matrices is NULL.
 *   TC_ERR_ALIGN       matrices is misaligned.
 *   TC_ERR_WORK        matrices_len is below TC_PAIR3_STATE.
 *   TC_ERR_BODY        a mass or a moment of inertia is not positive and finite.
 *   TC_ERR_NOT_FINITE  a position, an orientation or a velocity is NaN or infinite.
 *   TC_ERR_UNIT        an orientation is not of unit length within TC_UNIT_TOLERANCE.
 * On error: mechanism is zero, and the solver refuses it.
 * Cost: 240 numbers written and two rotations; 224 bytes of stack. */
tc_status tc_pair3_mechanism(const tc_pair3 *pair, tc_limb3_mechanism *mechanism, tc_real *matrices,
                             size_t matrices_len);

TC_END

#endif
