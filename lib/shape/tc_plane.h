/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The floor: a half plane or half space.
 */
#ifndef TC_PLANE_H
#define TC_PLANE_H

#include "tc_config.h"

TC_BEGIN

/* Floor of a body in the plane: the half plane n . x <= offset is solid. */
typedef struct tc_plane2 {
    tc_real normal[2]; /* n: unit normal out of the solid, world axes [1] */
    tc_real offset;    /* distance of the surface from the origin along n [m] */
} tc_plane2;

/* Floor of a body in space: the half space n . x <= offset is solid. */
typedef struct tc_plane3 {
    tc_real normal[3]; /* n: unit normal out of the solid, world axes [1] */
    tc_real offset;    /* distance of the surface from the origin along n [m] */
} tc_plane3;

TC_END

#endif
