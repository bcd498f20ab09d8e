/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Messages of a robot with several limbs to bytes and back; tc_wire_message.c has how.
 *
 * A frame has only what its first bytes name. Each count is checked before it counts fields, so
 * the longest walk is that of four limbs with seven joints.
 */
#include "tc_exact.h"
#include "tc_wire_robot.h"

#include "tc_wire_message_internal.h"

/* Bits TC_FEET_... of tc_feet.h, which this floor does not see. */
#define GIVEN_ATTITUDE 1u
#define GIVEN_VELOCITY 2u
#define GIVEN_STEP 4u

static void walk_counts(tc_cursor *c, tc_wire_robot *m)
{
    tc_cursor_number(c, 1, &m->limbs);
    tc_cursor_number(c, 1, &m->given);
    tc_cursor_number(c, 1, &m->silent);
    tc_cursor_number(c, 1, &m->touched);
    tc_cursor_require(c, m->limbs >= 1u && m->limbs <= TC_WIRE_LIMBS, TC_ERR_RANGE);
    tc_cursor_require(c, m->given <= (GIVEN_ATTITUDE | GIVEN_VELOCITY | GIVEN_STEP), TC_ERR_RANGE);
    tc_cursor_require(c, ((m->silent | m->touched) >> (m->limbs & 7u)) == 0u, TC_ERR_RANGE);
    for (uint32_t k = 0; k < TC_WIRE_LIMBS; k++) {
        tc_cursor_number(c, 1, &m->joints[k]);
        tc_cursor_require(c, m->joints[k] <= TC_WIRE_LIMB_JOINTS, TC_ERR_RANGE);
        tc_cursor_require(c, (m->joints[k] >= 1u) == (k < m->limbs), TC_ERR_RANGE);
    }
}

static void walk_robot(tc_cursor *c, tc_wire_robot *m)
{
    tc_cursor_word(c, &m->tick);
    walk_counts(c, m);
    const uint32_t given = c->status >= TC_OK ? m->given : 0u;
    const uint32_t limbs = c->status >= TC_OK ? m->limbs : 0u;
    const uint32_t velocity = (given & GIVEN_VELOCITY) != 0u ? 3u : 0u;
    tc_cursor_reals(c, m->gyro, 3);
    tc_cursor_reals(c, m->accel, 3);
    tc_cursor_reals(c, m->attitude, (given & GIVEN_ATTITUDE) != 0u ? 4u : 0u);
    tc_cursor_reals(c, m->base_velocity, velocity);
    tc_cursor_reals(c, m->base_velocity_variance, velocity);
    tc_cursor_reals(c, &m->step, (given & GIVEN_STEP) != 0u ? 1u : 0u);
    tc_cursor_reals(c, m->touch, m->touched != 0u ? limbs : 0u);
    for (uint32_t k = 0; k < limbs; k++) {
        tc_cursor_reals(c, m->encoder[k], m->joints[k]);
        tc_cursor_reals(c, m->torque[k], m->joints[k]);
    }
}

static void walk_foot(tc_cursor *c, tc_wire_foot *m)
{
    tc_cursor_word(c, &m->contact);
    tc_cursor_word(c, &m->flags);
    tc_cursor_reals(c, m->p, 3);
    tc_cursor_reals(c, m->impulse, 3);
    tc_cursor_reals(c, m->impulse_variance, 3);
    tc_cursor_reals(c, m->slip, 2);
    tc_cursor_reals(c, &m->slip_variance, 1);
    tc_cursor_reals(c, &m->friction, 1);
    tc_cursor_reals(c, &m->since, 1);
    tc_cursor_require(c, m->contact <= 1u, TC_ERR_RANGE);
}

static void walk_feet(tc_cursor *c, tc_wire_feet *m)
{
    tc_cursor_word(c, &m->tick);
    tc_cursor_signed_word(c, &m->status);
    tc_cursor_word(c, &m->flags);
    tc_cursor_word(c, &m->limbs);
    tc_cursor_reals(c, m->velocity, 3);
    tc_cursor_reals(c, m->velocity_variance, 2);
    tc_cursor_reals(c, &m->height, 1);
    tc_cursor_reals(c, m->slope, 2);
    tc_cursor_require(c, m->limbs >= 1u && m->limbs <= TC_WIRE_LIMBS, TC_ERR_RANGE);
    for (uint32_t k = 0; k < TC_WIRE_LIMBS && c->status >= TC_OK && k < m->limbs; k++) {
        walk_foot(c, &m->foot[k]);
    }
}

TCI_WIRE_BOTH_WAYS(robot, TC_WIRE_ROBOT)
TCI_WIRE_BOTH_WAYS(feet, TC_WIRE_FEET)
