/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts that persist: a pair of shapes that has not moved keeps its contacts, and faces are cut
 * again only after a motion. Host only.
 */
#ifndef NATIVE_KEPT_H
#define NATIVE_KEPT_H

#include "tc_scene_core.h"
#include "tc_scene_shapes.h"

TC_BEGIN

#define NATIVE_KEPT_MAX 16u /* contacts of a pair that are kept */

/* The contacts of one pair, where it was found last. */
typedef struct native_kept_pair {
    tc_convex_pose at[2]; /* of its surfaces */
    tc_real margin;       /* that they were found with */
    uint32_t count;       /* contacts; above NATIVE_KEPT_MAX: nothing is kept */
    tc_scene_contact contact[NATIVE_KEPT_MAX];
    tc_real place[NATIVE_KEPT_MAX][2][3]; /* its points of a and b, in the surfaces' axes */
} native_kept_pair;

/* A table for tc_scene.meeting: `base` first. */
typedef struct native_kept {
    struct tc_scene_meeting base;
    tc_real still;          /* [m] motion of a surface that keeps contacts */
    native_kept_pair *pair; /* [pairs of the scene] */
} native_kept;

/* Opens a table for a scene whose other fields are set; pair: room for scene->pairs. still: 0 keeps
 * nothing. */
void native_kept_open(native_kept *kept, const tc_scene *scene, tc_real still,
                      native_kept_pair *pair);

TC_END

#endif
