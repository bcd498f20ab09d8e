/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Scenes for the tests: one of each kind of mover, surface, joint, limit and spring, in the plane and
 * in space; and memory for their steps.
 */
#ifndef SCENE_CASE_H
#define SCENE_CASE_H

#include "test.h"

#define SCENE_CASE_WORK (9000u + 1300u * (TC_CONE3_MAX - 8u)) /* most of it are rows times rows */

typedef struct scene_case {
    tc_scene scene;
    tc_scene_sizes sizes;
    tc_real q[64], v[32];
} scene_case;

extern scene_case sc;
extern tc_real scene_case_work[SCENE_CASE_WORK];

/* A particle, a body and a chain of three links, balls and a polygon; pairs with the floor and with
 * each other, a limit of each kind, a spring. `tied`: a rod and a ball joint, too. */
void scene_case_mixed(uint32_t dimension, int tied);

/* Random coordinates and rates, apart from the floor. */
void scene_case_shake(void);

/* `n` balls of radius 0.1 and mass 1 on the line y = 0.5, touching, in the plane, no gravity. */
void scene_case_row(uint32_t n, tc_real e);

/* One ball of radius 0.1 above the floor y = 0, gravity 10. */
void scene_case_ball(tc_real height, tc_real mu, tc_real e);

/* One ball of radius 0.1 at `height` between the floor and a ceiling `gap` above it, no gravity. */
void scene_case_slot(tc_real height, tc_real gap);

/* A cube of side 0.2 above the floor, in the plane or in space, gravity 10. */
void scene_case_box(uint32_t dimension, tc_real height, tc_real mu, tc_real e);

/* Energy of sc.q, sc.v, with the workspace's end. */
double scene_case_energy(void);

/* Steps with the shared workspace. */
tc_status scene_case_step(const tc_scene_step_config *config, tc_scene_step_info *info);

#endif
