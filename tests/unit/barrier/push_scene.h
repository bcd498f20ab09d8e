/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The planar push: a box on a rough table seen from above, and a rod that a servo moves. The rod
 * begins in front of the box, within half a radian of the way to the goal: it has to go round.
 *
 *     box   edge 0.2 m, 0.5 kg, friction on the table 1.5 N (coefficient 0.3)
 *     rod   capsule of length 0.1 m and radius 0.01 m, 0.2 kg; servo 200 N/m, 10 N s/m, 1 N m/rad
 *     step  0.04 s
 *
 * The start has the box at the origin, the rod at PUSH_AHEAD in the direction of the angle; the goal
 * is PUSH_GOAL along x. A state has (box x, y, angle, rod x, y, angle) now, then before. Controls
 * are the rod's targets (x, y, angle).
 */
#ifndef PUSH_SCENE_H
#define PUSH_SCENE_H

#include "tc_implicit2.h"

#include <string.h>

#define PUSH_AHEAD TC_C(0.3) /* [m] the rod from the box */
#define PUSH_GOAL TC_C(0.8)  /* [m] the goal from the box */
#define PUSH_NEAR TC_C(0.05) /* [m] distance from the goal that counts as there */
#define PUSH_STATE 12u
#define PUSH_TANGENT 12u
#define PUSH_CONTROL 3u
#define PUSH_RECORD 24u
#define PUSH_WORK 440u /* numbers that a call needs, and some more */

static const tc_real push_box[8] = {TC_C(-0.1), TC_C(-0.1), TC_C(0.1),  TC_C(-0.1),
                                    TC_C(0.1),  TC_C(0.1),  TC_C(-0.1), TC_C(0.1)};
static const tc_real push_rod[4] = {TC_C(0.0), TC_C(-0.05), TC_C(0.0), TC_C(0.05)};

static const tc_implicit_body push_body[2] = {{.mass = TC_C(0.5),
                                               .inertia = {TC_C(0.0033333333)},
                                               .drag = TC_C(1.5),
                                               .drag_radius = TC_C(0.08)},
                                              {.mass = TC_C(0.2),
                                               .inertia = {TC_C(0.0005)},
                                               .drive = TC_IMPLICIT_SERVO,
                                               .driven = 7u,
                                               .stiffness = {TC_C(200.0), TC_C(1.0)},
                                               .damping = {TC_C(10.0), TC_C(0.05)}}};
static const tc_implicit_piece push_piece[2] = {{{push_box, 4u, TC_C(0.0)}, 0u},
                                                {{push_rod, 2u, TC_C(0.01)}, 1u}};
static const tc_implicit_pair push_pair[1] = {{0u, 1u, TC_C(0.0)}};

static inline tc_implicit_scene push_scene(tc_real weight, tc_real kappa, tc_real length)
{
    tc_implicit_scene scene = tc_implicit_default(tc_implicit2_space());
    scene.body = push_body;
    scene.bodies = 2u;
    scene.piece = push_piece;
    scene.pieces = 2u;
    scene.pair = push_pair;
    scene.pairs = 1u;
    scene.weight = weight;
    scene.barrier.kappa = kappa;
    scene.barrier.length = length;
    return scene;
}

/* At rest; ahead_x, ahead_y: the unit vector from the box to the rod */
static inline void push_start(tc_real ahead_x, tc_real ahead_y, tc_real state[PUSH_STATE])
{
    memset(state, 0, PUSH_STATE * sizeof *state);
    state[3] = state[9] = PUSH_AHEAD * ahead_x;
    state[4] = state[10] = PUSH_AHEAD * ahead_y;
}

#endif
