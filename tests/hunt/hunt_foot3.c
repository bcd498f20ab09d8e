/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_foot3_step under the hunt: a box of 0.2 m x 0.15 m x 0.1 m, two nets 16-16, the default
 * sweeps. size: position scheme; how many axes the box is tilted about (0 a face touches, 1 an
 * edge, 2 a corner, 3 nearly flat: about both, by little). The changes told are the answers of the
 * law.
 */
#include "hunt.h"

#include <string.h>

static tc_learned3_nets nets;
static tc_foot3 box;

static void make_box(const hunt_file *file, const tc_real **numbers)
{
    static tc_real corners[24];
    const tc_body3 body = {TC_C(1.0), {TC_C(0.0027083333), TC_C(0.0041666667), TC_C(0.0052083333)}};
    for (uint32_t i = 0; i < 8u; i++) {
        corners[3u * i] = (i & 1u) != 0u ? TC_C(0.1) : TC_C(-0.1);
        corners[3u * i + 1u] = (i & 2u) != 0u ? TC_C(0.075) : TC_C(-0.075);
        corners[3u * i + 2u] = (i & 4u) != 0u ? TC_C(0.05) : TC_C(-0.05);
    }
    memset(&nets, 0, sizeof nets);
    hunt_small_net(0, TC_LEARNED3_FEATURES_MAX, 3, numbers, &nets.classifier);
    hunt_small_net(1, TC_LEARNED3_FEATURES_MAX, 2, numbers, &nets.regressor);
    nets.mask = 30;
    nets.width = 32;
    const tc_learned3_model law = tc_learned3_nets_model(&nets);
    (void)tc_foot3_init(&box, &body, TC_C(0.002), &law);
    box.shape = (tc_shape3){corners, 8, TC_C(0.0)};
    box.positions = (tc_scheme)file->size[0];
    const tc_real bounce = hunt_between(numbers, TC_C(-1.0), TC_C(1.0));
    box.restitution = bounce > TC_C(0.0) ? bounce : TC_C(0.0);
}

/* q <- q turned by `angle` about a body axis */
static void turn(tc_real q[4], uint32_t axis, tc_real angle)
{
    const tc_real c = tc_cos(angle / 2), s = tc_sin(angle / 2), w = q[0], x = q[1], y = q[2],
                  z = q[3];
    const tc_real across[3][4] = {{-x, w, z, -y}, {-y, -z, w, x}, {-z, y, -x, w}};
    for (uint32_t k = 0; k < 4u; k++) {
        q[k] = c * q[k] + s * across[axis][k];
    }
}

static void place(const hunt_file *file, const tc_real **numbers, tc_body3_state *state)
{
    tc_real *const q = state->orientation;
    const tc_real yaw = hunt_between(numbers, TC_C(-3.0), TC_C(3.0));
    memset(state, 0, sizeof *state);
    q[0] = TC_C(1.0);
    turn(q, 2, yaw);
    for (uint32_t axis = 0; axis < 2u; axis++) {
        const tc_real angle = file->size[1] == 3u ? hunt_signed(numbers, TC_C(0.05))
                                                  : hunt_between(numbers, TC_C(0.2), TC_C(0.8));
        turn(q, axis, axis < file->size[1] ? angle : TC_C(0.0));
    }
    const tc_real row[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                            1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    tc_real lowest = TC_C(0.0);
    for (uint32_t i = 0; i < 8u; i++) {
        const tc_real *const v = box.shape.vertices + 3u * i;
        const tc_real z = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
        lowest = z < lowest ? z : lowest;
    }
    const tc_real size = hunt_between(numbers, TC_C(1e-6), TC_C(5e-3));
    state->position[2] = (file->size[0] == TC_SCHEME_DART ? -size : size) - lowest;
}

static void set_moving(const tc_real **numbers, tc_body3_state *state)
{
    for (uint32_t i = 0; i < 6u; i++) {
        state->velocity[i] = hunt_signed(numbers, i < 3u ? TC_C(10.0) : TC_C(30.0));
    }
}

hunt_result hunt_foot3(const hunt_file *file, const uint32_t *input)
{
    static tc_real work[TC_FOOT3_WORK(TC_LEARNED3_NETS_WORK(32))];
    static tc_foot3_info info;
    const tc_real *numbers = (const tc_real *)input;
    tc_body3_state state, before;
    tc_learned3_warm warm;
    tc_real force[6];
    tc_status status;
    make_box(file, &numbers);
    place(file, &numbers, &state);
    before = state;
    set_moving(&numbers, &before);
    set_moving(&numbers, &state);
    for (uint32_t i = 0; i < 6u; i++) {
        force[i] = hunt_signed(&numbers, TC_C(100.0));
    }
    memset(&warm, 0, sizeof warm);
    if (hunt_between(&numbers, TC_C(0.0), TC_C(1.0)) > TC_C(0.4)) {
        /* the last tick left its impulses */
        (void)tc_foot3_step(&box, force, &before, &warm, &info, work, TC_COUNT(work));
    }
    HUNT_REGION(status = tc_foot3_step(&box, force, &state, &warm, &info, work, TC_COUNT(work)));
    return (hunt_result){status, info.contact.ratios + info.contact.classes};
}
