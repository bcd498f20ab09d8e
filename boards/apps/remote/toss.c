/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A convex body in space of the remote firmware. It moves as tools/native/toss.c does; lengths of
 * steps come with the request, because boards have no double to make them from.
 */
#include "toss.h"

#include "frame.h"

#include <string.h>

enum { COUNT, POSITIONS, ROUNDS, FROZEN, WARM, HEAD };
enum { NUMBERS = 28 }; /* floats before the vertices */

static const uint32_t *take_contact(toss_room *t, const uint32_t *next)
{
    tc_foot3 *const foot = &t->foot;
    next = frame_numbers(next, &foot->restitution, 1);
    next = frame_numbers(next, foot->plane.normal, 3);
    next = frame_numbers(next, &foot->plane.offset, 1);
    next = frame_numbers(next, &foot->shape.radius, 1);
    next = frame_numbers(next, &foot->compliance.stiffness, 1);
    next = frame_numbers(next, &foot->compliance.damping, 1);
    return frame_numbers(next, &foot->compliance.slope, 1);
}

static const uint32_t *take_friction(tc_friction3 *friction, const uint32_t *next)
{
    friction->weight = TC_C(1.0);
    next = frame_numbers(next, friction->mu, 3);
    next = frame_numbers(next, friction->gain, TC_FRICTION3_UNITS);
    next = frame_numbers(next, friction->slip, TC_FRICTION3_UNITS);
    next = frame_numbers(next, friction->load, TC_FRICTION3_UNITS);
    return frame_numbers(next, friction->bias, TC_FRICTION3_UNITS);
}

tc_status toss_take(toss_room *t, const uint32_t *words, uint32_t n)
{
    memset(t, 0, sizeof *t);
    if (n < HEAD + NUMBERS || words[COUNT] > TC_SHAPE_MAX
        || n != HEAD + NUMBERS + 3u * words[COUNT]) {
        return TC_ERR_SIZE;
    }
    tc_body3 body;
    tc_real step;
    const uint32_t *next = take_friction(&t->friction, words + HEAD);
    next = frame_numbers(next, &body.mass, 1);
    next = frame_numbers(next, body.inertia, 3);
    next = frame_numbers(next, &step, 1);
    next = frame_numbers(next, t->force, 3);
    const tc_learned3_model model = tc_friction3_model(&t->friction);
    tc_status status = tc_friction3_check(&t->friction);
    status = status < TC_OK ? status : tc_foot3_init(&t->foot, &body, step, &model);
    if (status < TC_OK) {
        return status;
    }
    (void)frame_numbers(take_contact(t, next), t->vertices, 3u * words[COUNT]);
    t->foot.shape.vertices = t->vertices;
    t->foot.shape.count = words[COUNT];
    t->foot.positions = (tc_scheme)words[POSITIONS];
    if (words[ROUNDS] > 0u) {
        t->foot.sweeps.rounds = words[ROUNDS];
        t->foot.sweeps.frozen = words[FROZEN];
    }
    t->keeps_warm = words[WARM] != 0u;
    return tc_foot3_check(&t->foot);
}

void toss_start(toss_room *t, const uint32_t *words)
{
    memset(&t->warm, 0, sizeof t->warm);
    words = frame_numbers(words, t->at.position, 3);
    words = frame_numbers(words, t->at.orientation, 4);
    (void)frame_numbers(words, t->at.velocity, 6);
}

tc_status toss_move(toss_room *t, const uint32_t *words)
{
    tc_status status = TC_OK;
    t->foot.step = frame_number(words[1]);
    t->friction.weight = frame_number(words[2]);
    for (uint32_t i = 0; i < words[0] && status >= TC_OK; i++) {
        status = tc_foot3_step(&t->foot, t->force, &t->at, t->keeps_warm ? &t->warm : NULL, NULL,
                               t->work, TC_COUNT(t->work));
    }
    return status;
}
