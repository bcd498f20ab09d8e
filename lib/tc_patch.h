/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact patches: where a body touches a plane, as a point, a line or a face, and nothing else.
 *
 * A patch is what a detector hands to a contact model: the plane's frame, the vertices of the patch as lever
 * arms from the centre of mass, and their gaps. A contact's arm ends ON the plane below the vertex.
 */
#ifndef TC_PATCH_H
#define TC_PATCH_H

#include "tc_body.h"

TC_BEGIN

/* The half plane or half space n . x <= offset is solid. */
typedef struct tc_planar_plane {
    tc_real normal[2]; /* unit, out of the solid */
    tc_real offset;    /* [m] */
} tc_planar_plane;

typedef struct tc_spatial_plane {
    tc_real normal[3];
    tc_real offset;
} tc_spatial_plane;

/* Planar: dimension 0 (point) or 1 (edge). Its frame: tangent t = (normal_y, -normal_x), so that for the floor
 * y = 0 the tangent is +x and the normal +y. */
typedef struct tc_planar_patch {
    uint32_t count;      /* contacts: 0 no patch, 1 point, 2 edge; the dimension is count - 1 */
    uint32_t vertex[2];  /* their indices in the shape */
    tc_real normal[2];   /* of the plane, world */
    tc_real lever[2];    /* x_i: contact i from the centre of mass, along the tangent [m], ascending */
    tc_real height;      /* y: the centre of mass above the plane [m] */
    tc_real gap[2];      /* vertex i above the plane [m]; negative: inside */
} tc_planar_patch;

#define TC_PATCH_MAX 8u /* vertices of a face after reduction */

/* Spatial: dimension 0 (point), 1 (edge) or 2 (face, at least three vertices not on a line). */
typedef struct tc_spatial_patch {
    uint32_t count;                /* contacts, 0..TC_PATCH_MAX */
    uint32_t dimension;            /* 0, 1, 2; meaningless if count is 0 */
    uint32_t vertex[TC_PATCH_MAX];
    tc_real frame[3][3];           /* rows: tangent 1, tangent 2, normal; right-handed, world */
    tc_real arm[TC_PATCH_MAX][3];  /* from the centre of mass to the plane below the vertex, in the frame [m] */
    tc_real gap[TC_PATCH_MAX];     /* [m] */
} tc_spatial_patch;

TC_END

#endif
