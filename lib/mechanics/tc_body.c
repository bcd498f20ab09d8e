/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Rigid bodies: the checks round tc_body_core.h, where the formulas stand.
 *
 * Gyroscopic torque. In world axes L = R I R^T omega and L' = torque, so omega' = I^-1 (torque -
 * omega x I omega). An explicit step of that is a chord: it adds h^2/2 g^T I^-1 g, g = omega x I
 * omega, to the energy, by parts (h |omega|)^2 of it, and doubles that of a rod at 20 rad/s per
 * axis and 2 ms within a second. So wrenches and impulses change L alone, and what turns the body
 * (tc_body3_coast) carries L along.
 *
 * Symbols: m mass, I inertia, v velocity, omega angular velocity, R rotation from body to world.
 *
 * Cost on Cortex-M4F: see docs/reference/costs.md. No loop but over components; no function uses
 * more than 200 bytes of stack.
 */
#include "tc_exact.h"
#include "tc_body_core.h"

/* Neither 0, negative, infinite nor NaN */
static int is_positive(tc_real x)
{
    return x > TC_C(0.0) && x * TC_C(0.0) == TC_C(0.0);
}

static int is_finite1(tc_real x)
{
    return x * TC_C(0.0) == TC_C(0.0);
}

/* A result is handed over whole or, if it overflowed, not at all. */
static tc_status replace_body(tc_real *target, const tc_real *result, uint32_t n)
{
    if (!tc_all_finite(result, n)) return TC_ERR_RANGE;
    for (uint32_t i = 0; i < n; ++i) target[i] = result[i];
    return TC_OK;
}

static tc_status result_or_zero(tc_real *result, uint32_t n)
{
    return tc_all_finite(result, n) ? TC_OK : tc_vec_zeroed(TC_ERR_RANGE, result, n);
}

/* ---- Planar ---------------------------------------------------------------------------------- */

tc_status tc_body2_check(const tc_body2 *body)
{
    if (!body) return TC_ERR_NULL;
    return is_positive(body->mass) && is_positive(body->inertia) ? TC_OK : TC_ERR_BODY;
}

tc_status tc_body2_apply_wrench(const tc_body2 *body, const tc_real wrench[3], tc_real h,
                                tc_body2_state *state)
{
    const tc_status status = tc_body2_check(body);
    if (status < TC_OK) return status;
    if (!wrench || !state) return TC_ERR_NULL;
    if (!is_finite1(h) || !tc_all_finite(wrench, 3) || !tc_all_finite(state->velocity, 3)) {
        return TC_ERR_NOT_FINITE;
    }
    tc_real velocity[3] = {state->velocity[0], state->velocity[1], state->velocity[2]};
    tc_body2_apply_wrench_core(body, wrench, h, velocity);
    return replace_body(state->velocity, velocity, 3);
}

tc_status tc_body2_apply_impulse(const tc_body2 *body, const tc_real impulse[3],
                                 tc_body2_state *state)
{
    return tc_body2_apply_wrench(body, impulse, TC_C(1.0), state);
}

tc_status tc_body2_move(tc_real h, tc_body2_state *state)
{
    if (!state) return TC_ERR_NULL;
    if (!is_finite1(h) || !tc_all_finite(state->position, 3)
        || !tc_all_finite(state->velocity, 3)) {
        return TC_ERR_NOT_FINITE;
    }
    tc_real position[3] = {state->position[0], state->position[1], state->position[2]};
    tc_body2_move_core(h, state->velocity, position);
    return replace_body(state->position, position, 3);
}

tc_status tc_body2_point_velocity(const tc_body2_state *state, const tc_real arm[2],
                                  tc_real velocity[2])
{
    if (!velocity) return TC_ERR_NULL;
    if (!state || !arm) return tc_vec_zeroed(TC_ERR_NULL, velocity, 2);
    const tc_real *v = state->velocity;
    if (!tc_all_finite(v, 3) || !tc_all_finite(arm, 2))
        return tc_vec_zeroed(TC_ERR_NOT_FINITE, velocity, 2);
    const tc_real x = TC_MLS(v[0], v[2], arm[1]);
    const tc_real y = TC_MLA(v[1], v[2], arm[0]);
    velocity[0] = x;
    velocity[1] = y;
    return result_or_zero(velocity, 2);
}

tc_status tc_body2_energy(const tc_body2 *body, const tc_body2_state *state, tc_real *energy)
{
    if (!energy) return TC_ERR_NULL;
    const tc_status status = state ? tc_body2_check(body) : TC_ERR_NULL;
    if (status < TC_OK) return tc_vec_zeroed(status, energy, 1);
    const tc_real *v = state->velocity;
    if (!tc_all_finite(v, 3)) return tc_vec_zeroed(TC_ERR_NOT_FINITE, energy, 1);
    const tc_real linear = body->mass * TC_MLA(v[0] * v[0], v[1], v[1]);
    *energy = TC_C(0.5) * TC_MLA(linear, body->inertia * v[2], v[2]);
    return result_or_zero(energy, 1);
}

/* ---- Spatial --------------------------------------------------------------------------------- */

tc_status tc_body3_check(const tc_body3 *body)
{
    if (!body) return TC_ERR_NULL;
    for (int i = 0; i < 3; ++i) {
        if (!is_positive(body->inertia[i])) return TC_ERR_BODY;
    }
    return is_positive(body->mass) ? TC_OK : TC_ERR_BODY;
}

static tc_status check_orientation(const tc_real q[4])
{
    if (!tc_all_finite(q, 4)) return TC_ERR_NOT_FINITE;
    return tc_vec_is_unit(q, 4) ? TC_OK : TC_ERR_UNIT;
}

/* Body, orientation and velocity: what forces need */
static tc_status check_moving_body3(const tc_body3 *body, const tc_body3_state *state)
{
    if (!state) return TC_ERR_NULL;
    tc_status status = tc_body3_check(body);
    if (status >= TC_OK) status = check_orientation(state->orientation);
    if (status < TC_OK) return status;
    return tc_all_finite(state->velocity, 6) ? TC_OK : TC_ERR_NOT_FINITE;
}

/* What wrench and impulse share: `scale` turns the one into the other. */
static tc_status kick_body3(const tc_body3 *body, const tc_real wrench[6], tc_real scale,
                            tc_body3_state *state)
{
    const tc_status status = check_moving_body3(body, state);
    if (status < TC_OK) return status;
    if (!wrench) return TC_ERR_NULL;
    if (!is_finite1(scale) || !tc_all_finite(wrench, 6)) return TC_ERR_NOT_FINITE;
    tc_real impulse[6], velocity[6];
    for (int i = 0; i < 6; ++i) {
        impulse[i] = scale * wrench[i];
        velocity[i] = state->velocity[i];
    }
    tc_body3_kick_core(body, state->orientation, impulse, velocity);
    return replace_body(state->velocity, velocity, 6);
}

tc_status tc_body3_apply_wrench(const tc_body3 *body, const tc_real wrench[6], tc_real h,
                                tc_body3_state *state)
{
    return kick_body3(body, wrench, h, state);
}

tc_status tc_body3_apply_impulse(const tc_body3 *body, const tc_real impulse[6],
                                 tc_body3_state *state)
{
    return kick_body3(body, impulse, TC_C(1.0), state);
}

/* A state is handed over whole or not at all. */
static tc_status store_state3(const tc_body3_state *moved, tc_body3_state *state)
{
    if (!tc_all_finite(moved->position, 3) || !tc_all_finite(moved->orientation, 4)
        || !tc_all_finite(moved->velocity, 6)) {
        return TC_ERR_RANGE;
    }
    *state = *moved;
    return TC_OK;
}

/* What moving asks of a state */
static tc_status check_motion(tc_real h, const tc_body3_state *state)
{
    if (!state) return TC_ERR_NULL;
    if (!is_finite1(h) || !tc_all_finite(state->position, 3)
        || !tc_all_finite(state->velocity, 6)) {
        return TC_ERR_NOT_FINITE;
    }
    return check_orientation(state->orientation);
}

tc_status tc_body3_move(tc_real h, tc_body3_state *state)
{
    const tc_status status = check_motion(h, state);
    if (status < TC_OK) return status;
    tc_body3_state moved = *state;
    tc_body3_move_core(h, &moved);
    return store_state3(&moved, state);
}

void tc_body3_turn_again(const tc_body3 *body, const tc_body3_turn *turn, tc_real time,
                         tc_real velocity[6], tc_real q[4])
{
    tc_body3_turn again = *turn;
    tc_real ahead[3], change[3], turned[4], w[3], m[3], before, after, excess = TC_C(0.0);
    tc_mat3_vec(turn->R, turn->ahead, ahead);
    for (int i = 0; i < 3; ++i) velocity[3 + i] -= ahead[i];
    tc_mat3_vec_t(turn->R, velocity + 3, w);
    (void)tc_body3_turn_mean_core(body, time, w, TC_TURN_ROUNDS_MAX, &again.half, m);
    for (int i = 0; i < 3; ++i)
        excess = TC_MLA(excess, body->inertia[i] * (m[i] - w[i]), m[i] + w[i]);
    /* a midpoint has less than its ends */
    tc_body3_turn_set_core(w, m, excess <= TC_C(0.0), velocity, &again);
    tc_body3_turn_part_core(body, &again, TC_C(1.0), NULL, velocity + 3, q, change, turned, &before,
                            &after);
    const tc_real slower = after > before ? tc_sqrt(before / after) : TC_C(1.0);
    for (int i = 0; i < 3; ++i) velocity[3 + i] = slower * (velocity[3 + i] + change[i]);
    tc_vec_quaternion_set(turned, q);
}

tc_status tc_body3_coast(const tc_body3 *body, tc_real h, tc_body3_state *state)
{
    tc_status status = state ? tc_body3_check(body) : TC_ERR_NULL;
    if (status >= TC_OK) status = check_motion(h, state);
    if (status < TC_OK) return status;
    tc_body3_state moved = *state;
    tc_body3_coast_core(body, h, &moved);
    return store_state3(&moved, state);
}

tc_status tc_body3_point_velocity(const tc_body3_state *state, const tc_real arm[3],
                                  tc_real velocity[3])
{
    if (!velocity) return TC_ERR_NULL;
    if (!state || !arm) return tc_vec_zeroed(TC_ERR_NULL, velocity, 3);
    if (!tc_all_finite(state->velocity, 6) || !tc_all_finite(arm, 3)) {
        return tc_vec_zeroed(TC_ERR_NOT_FINITE, velocity, 3);
    }
    tc_real turning[3];
    tc_vec_cross(state->velocity + 3, arm, turning);
    for (int i = 0; i < 3; ++i) velocity[i] = state->velocity[i] + turning[i];
    return result_or_zero(velocity, 3);
}

tc_status tc_body3_inverse_inertia(const tc_body3 *body, const tc_body3_state *state,
                                   tc_real inverse[9])
{
    if (!inverse) return TC_ERR_NULL;
    tc_status status = state ? tc_body3_check(body) : TC_ERR_NULL;
    if (status >= TC_OK) status = check_orientation(state->orientation);
    if (status < TC_OK) return tc_vec_zeroed(status, inverse, 9);
    tc_real R[9];
    tc_vec_rotation(state->orientation, R);
    tc_body3_inverse_inertia_core(body, R, inverse);
    return result_or_zero(inverse, 9);
}

tc_status tc_body3_energy(const tc_body3 *body, const tc_body3_state *state, tc_real *energy)
{
    if (!energy) return TC_ERR_NULL;
    const tc_status status = check_moving_body3(body, state);
    if (status < TC_OK) return tc_vec_zeroed(status, energy, 1);
    tc_real R[9], omega[3];
    tc_vec_rotation(state->orientation, R);
    tc_mat3_vec_t(R, state->velocity + 3, omega);
    tc_real twice = body->mass * tc_vec_dot3(state->velocity, state->velocity);
    for (int i = 0; i < 3; ++i) twice = TC_MLA(twice, body->inertia[i] * omega[i], omega[i]);
    *energy = TC_C(0.5) * twice;
    return result_or_zero(energy, 1);
}
