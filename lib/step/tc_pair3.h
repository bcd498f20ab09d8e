/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Two moving bodies that touch, posed to the solver of limbs (tc_limb3_mechanism_solve) as one mechanism of
 * twelve rates: linear and angular velocity of body a, then of body b, world axes.
 *
 *   M = blockdiag(m_a, I_a, m_b, I_b),   J = [1, -X],   X (v, omega) = (v + omega x s, omega),   s = x_a - x_b
 *
 * J gives the twist of a relative to b at a's centre of mass. X takes b's twist there. The impulse of a contact
 * on a is therefore the opposite of that on b, along the same line: momentum and angular momentum of the pair
 * stay. The contact model is asked about body a alone, as about the last link of a limb.
 *
 *   tc_pair3 pair = {{&a, &b}, {&state_a, &state_b}, wrench};
 *   tc_pair3_mechanism(&pair, &mechanism, matrices, TC_PAIR3_WORK);
 *   tc_limb3_mechanism_solve(&foot_a, &mechanism, &patch, 0, &warm, rates, &info, work, work_len);
 *
 * The patch's normal points out of b into a. Its arms begin at a's centre of mass.
 */
#ifndef TC_PAIR3_H
#define TC_PAIR3_H

#include "tc_limb3.h"

TC_BEGIN

#define TC_PAIR3_RATES 12u

/* Numbers of workspace for the matrices of a pair. */
#define TC_PAIR3_WORK (TC_PAIR3_RATES * (TC_PAIR3_RATES + 8u))

/* Two bodies, a and b, at the beginning of a step. */
typedef struct tc_pair3 {
    const tc_body3 *body[2];
    const tc_body3_state *state[2];
    const tc_real *wrench; /* [12] force and torque about its centre of mass on a, then on b, world axes
                              [N, N m]; gyroscopic torques included if they matter; may be NULL: none */
} tc_pair3;

/* Writes mass matrix, Jacobian, rates and forces of a pair to work[work_len] and makes `mechanism` of them.
 * `mechanism` points into `work`, which must stay as it is until the pair is solved; `pair` may go.
 *
 * Returns:
 *   TC_OK
 *   TC_ERR_NULL        `pair`, a body, a state, `mechanism` or `work` is NULL
 *   TC_ERR_ALIGN       `work` is not aligned
 *   TC_ERR_WORK        work_len < TC_PAIR3_WORK
 *   TC_ERR_BODY        a mass or a moment of inertia is not positive and finite
 *   TC_ERR_NOT_FINITE  a position, an orientation or a velocity is not finite
 *   TC_ERR_UNIT        an orientation is not of unit length
 * On error: `mechanism` is zero, which the solver refuses.
 * Cost: 240 numbers written, two rotations. */
tc_status tc_pair3_mechanism(const tc_pair3 *pair, tc_limb3_mechanism *mechanism, tc_real *work,
                             size_t work_len);

TC_END

#endif
