/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The floor: a half plane or half space.
 */
#ifndef TC_PLANE_H
#define TC_PLANE_H

#include "tc_config.h"

TC_BEGIN

/* The half plane or half space n . x <= offset is solid. */
typedef struct tc_plane2 {
    tc_real normal[2]; /* unit, out of the solid */
    tc_real offset;    /* [m] */
} tc_plane2;

/* The same in space. */
typedef struct tc_plane3 {
    tc_real normal[3]; /* unit, out of the solid */
    tc_real offset;    /* [m] */
} tc_plane3;

TC_END

#endif
