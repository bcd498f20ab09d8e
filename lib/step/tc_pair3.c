/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Momentum. A contact gives a the wrench (f, t) about a's centre of mass, and the rates change by
 * M^-1 J^T (f, t): a's by f and t, b's by -f and -(t + s x f), s = x_a - x_b, which is the opposite
 * wrench about b's centre of mass. The sums vanish line by line; the rounding of J^T and of L^-1 is
 * left.
 *
 * The solver keeps changes apart from what was there (tc_limb3_mechanism.c). A heavy b at rest
 * therefore receives its small share to rounding.
 */
#include "tc_exact.h"
#include "tc_pair3.h"

#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

static tc_status check_side(const tc_body3 *body, const tc_body3_state *state)
{
    if (body == NULL || state == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = tc_body3_check(body);
    if (status < TC_OK) {
        return status;
    }
    if (!tc_all_finite(state->position, 3) || !tc_all_finite(state->orientation, 4)
        || !tc_all_finite(state->velocity, 6)) {
        return TC_ERR_NOT_FINITE;
    }
    return tc_vec_is_unit(state->orientation, 4) ? TC_OK : TC_ERR_UNIT;
}

static tc_status check_pair(const tc_pair3 *pair, const tc_real *matrices, size_t matrices_len)
{
    if (pair == NULL || matrices == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = tc_work_check(matrices, matrices_len, TC_PAIR3_STATE);
    for (uint32_t side = 0; side < 2u && status >= TC_OK; side++) {
        status = check_side(pair->body[side], pair->state[side]);
    }
    return status;
}

/* The six rows of a body in M: m, and R diag(inertia) R^T, summed the same way on both sides of the
 * diagonal */
static void write_mass(const tc_body3 *body, const tc_real orientation[4], tc_real *block)
{
    tc_real R[9];
    tc_vec_rotation(orientation, R);
    for (uint32_t i = 0; i < 3u; i++) {
        block[(TC_PAIR3_RATES + 1u) * i] = body->mass;
        for (uint32_t j = 0; j < 3u; j++) {
            tc_real sum = TC_C(0.0);
            for (uint32_t k = 0; k < 3u; k++) {
                sum = TC_MLA(sum, body->inertia[k], R[3u * i + k] * R[3u * j + k]);
            }
            block[TC_PAIR3_RATES * (3u + i) + 3u + j] = sum;
        }
    }
}

/* Fills a zeroed J: -(v + omega x s) = -v + s x omega */
static void write_jacobian(const tc_real s[3], tc_real *J)
{
    for (uint32_t k = 0; k < 6u; k++) {
        J[TC_PAIR3_RATES * k + k] = TC_C(1.0);
        J[TC_PAIR3_RATES * k + 6u + k] = TC_C(-1.0);
    }
    for (uint32_t k = 0; k < 3u; k++) {
        const uint32_t next = (k + 1u) % 3u, last = (k + 2u) % 3u;
        J[TC_PAIR3_RATES * k + 9u + last] = s[next];
        J[TC_PAIR3_RATES * k + 9u + next] = -s[last];
    }
}

tc_status tc_pair3_mechanism(const tc_pair3 *pair, tc_limb3_mechanism *mechanism, tc_real *matrices,
                             size_t matrices_len)
{
    if (mechanism == NULL) {
        return TC_ERR_NULL;
    }
    memset(mechanism, 0, sizeof *mechanism);
    const tc_status status = check_pair(pair, matrices, matrices_len);
    if (status < TC_OK) {
        return status;
    }
    const tc_body3_state *const a = pair->state[0], *const b = pair->state[1];
    tc_real *const mass = matrices, *const jacobian = mass + TC_PAIR3_RATES * TC_PAIR3_RATES;
    tc_real *const rate = jacobian + 6u * TC_PAIR3_RATES, *const force = rate + TC_PAIR3_RATES;
    const tc_real s[3] = {a->position[0] - b->position[0], a->position[1] - b->position[1],
                          a->position[2] - b->position[2]};
    memset(matrices, 0, TC_PAIR3_STATE * sizeof *matrices);
    write_mass(pair->body[0], a->orientation, mass);
    write_mass(pair->body[1], b->orientation, mass + (TC_PAIR3_RATES + 1u) * 6u);
    write_jacobian(s, jacobian);
    memcpy(rate, a->velocity, sizeof a->velocity);
    memcpy(rate + 6, b->velocity, sizeof b->velocity);
    if (pair->wrench != NULL) {
        memcpy(force, pair->wrench, TC_PAIR3_RATES * sizeof *force);
    }
    mechanism->n = TC_PAIR3_RATES;
    mechanism->mass = mass;
    mechanism->jacobian = jacobian;
    mechanism->rate = rate;
    mechanism->force = force;
    memcpy(mechanism->orientation, a->orientation, sizeof a->orientation);
    return TC_OK;
}
