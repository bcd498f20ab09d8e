/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Scenes whose surfaces are signed distances (tc_sdf.h): spheres, boxes, cylinders, terrains,
 * grids, nets and unions of these, on bodies and in the world.
 *
 *     static const tc_sdf cube = TC_SDF_BOX(0.1f, 0.1f, 0.1f, 0.01f), ground = TC_SDF_HALFSPACE;
 *     static const tc_scene_surface surfaces[] = {{.mover = 0, .sdf = &cube},
 *                                                 {.mover = TC_SCENE_WORLD, .sdf = &ground}};
 *     const tc_scene scene = {..., .surface = surfaces, .meeting = &tc_scene_shapes};
 *
 * Pairs of such surfaces have the gap of tc_meet_distance by TC_MEET_DEEPEST, and the contacts of
 * tc_meet_contacts. A scene without them does not link this code.
 *
 * Broad phase: a surface whose `reach` is given is skipped where the sphere of that radius is
 * further from the other surface than the margin.
 */
#ifndef TC_SCENE_SHAPES_H
#define TC_SCENE_SHAPES_H

#include "tc_scene.h"

TC_BEGIN

/* For tc_scene.meeting.
 * Cost: that of tc_meet_contacts per pair and detection, of which a step makes one to four.
 * Stack: on Cortex-M4F tc_scene_find takes 4.3 KB, tc_scene_check and tc_scene_gap 2.1 KB. */
extern const struct tc_scene_meeting tc_scene_shapes;

/* Returns the radius about its origin that a checked shape is within [m], for
 * tc_scene_surface.reach. 0: none is known, as for a half-space, a terrain, a net and NULL. */
tc_real tc_scene_shapes_reach(const tc_sdf *shape);

TC_END

#endif
