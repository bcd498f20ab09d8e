/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact patches: where a body touches a plane, as a point, a line or a face, and nothing else.
 *
 * A patch is what a detector hands to a contact model: the plane's frame, the vertices of the patch as lever
 * arms from the centre of mass, and their gaps. A contact's arm ends ON the plane below the vertex.
 *
 * The maps between a patch and generalized coordinates (Jiang & Liu, III-B): with normal impulses p_n, one
 * for each contact, and friction p_f in the directions that a patch of its dimension can be controlled in,
 *
 *     p = T_n p_n + T_f p_f          the impulse on the body, about its centre of mass, world axes
 *     u = T_n^T v,  s = T_f^T v      normal velocities of the contacts, slip of the patch
 *
 * and the rows of T_n^T and T_f^T are the contact Jacobian. Friction has
 *
 *     planar            1   force along the tangent [N s]; slip [m/s]
 *     spatial, point    2   forces along tangents 1 and 2 at the contact [N s]; its slip [m/s]
 *     spatial, line     3   the same two at the patch's centre (the mean of its contacts), and the torque
 *     and face              about the normal through it [N m s]; slip of that point [m/s] and spin [rad/s]
 *
 * Two contacts transmit 2 tangential forces each, but along their line only the sum counts: 3 again.
 *
 * Every function checks the patch (TC_ERR_NULL, TC_ERR_SIZE for a count of 0 or beyond the limit,
 * TC_ERR_UNIT, TC_ERR_NOT_FINITE), TC_ERR_RANGE says that the result overflows. After an error results are
 * zero, unless pointers or count were bad: then nothing is written.
 */
#ifndef TC_PATCH_H
#define TC_PATCH_H

#include "tc_body.h"
#include "tc_plane.h"

TC_BEGIN

/* Contacts nearer to each other along the plane than this times the length of the largest arm are one.
 * Between the rounding of an arm (3e-7 of it) and what a contact model in single precision can use: the
 * contact matrix of two such contacts differs in the ninth digit. (What is checked of patches from elsewhere
 * is half of it.) */
#define TC_PATCH_RESOLUTION TC_C(2e-5)

/* Planar: dimension 0 (point) or 1 (edge). Its frame: tangent t = (normal_y, -normal_x), so that for the
 * floor y = 0 the tangent is +x and the normal +y. */
typedef struct tc_patch2 {
    uint32_t count;      /* contacts: 0 no patch, 1 point, 2 edge; the dimension is count - 1 */
    uint32_t vertex[2];  /* their indices in the shape */
    tc_real normal[2];   /* of the plane, world */
    tc_real lever[2];    /* x_i: contact i from the centre of mass, along the tangent [m], ascending */
    tc_real height;      /* y: the centre of mass above the plane [m] */
    tc_real gap[2];      /* vertex i above the plane [m]; negative: inside */
} tc_patch2;

#define TC_PATCH_MAX 8u /* vertices of a face after reduction */

/* Spatial: dimension 0 (point), 1 (edge) or 2 (face, at least three vertices not on a line). */
typedef struct tc_patch3 {
    uint32_t count;                /* contacts, 0..TC_PATCH_MAX */
    uint32_t dimension;            /* 0, 1, 2; meaningless if count is 0 */
    uint32_t vertex[TC_PATCH_MAX]; /* their indices in the shape */
    tc_real frame[3][3];           /* rows: tangent 1, tangent 2, normal; right-handed, world */
    tc_real arm[TC_PATCH_MAX][3];  /* from the centre of mass to the plane below the vertex, in frame [m] */
    tc_real gap[TC_PATCH_MAX];     /* [m] */
} tc_patch3;

#define TC_PATCH2_FRICTION 1u      /* controllable dimensions of friction, planar */
#define TC_PATCH3_FRICTION_MAX 3u /* ... of a spatial line or face */

/* ---- Planar ------------------------------------------------------------------------------------ */

/* What the maps check and, of an edge, that its levers ascend by more than the resolution (TC_ERR_PATCH). For
 * patches that do not come from a detector: its patches pass. */
tc_status tc_patch2_check(const tc_patch2 *patch);

/* T_n^T: normal_rows[count x 3]; T_f^T: friction_row[3] */
tc_status tc_patch2_rows(const tc_patch2 *patch, tc_real *normal_rows, tc_real *friction_row);

/* impulse[3] = T_n normal[count] + T_f friction */
tc_status tc_patch2_impulse(const tc_patch2 *patch, const tc_real *normal, tc_real friction,
                                  tc_real impulse[3]);

/* normal[count] = T_n^T velocity, *slip = T_f^T velocity */
tc_status tc_patch2_velocity(const tc_patch2 *patch, const tc_real velocity[3], tc_real *normal,
                                   tc_real *slip);

/* Reduces the contacts that any detector found to a patch of the two outermost (tc_detect2.h).
 * `points` [count x 2]: lever and gap of each contact [m].
 * `count`: 1..TC_SHAPE_MAX.
 * `normal` [2]: of the plane, world.
 * `height`: of the centre of mass above the plane [m].
 * `margin`: points with a smaller gap are contacts [m].
 *
 * Returns:
 *   TC_OK.             `vertex` has indices of points. Count 0: no gap is below the margin.
 *   TC_ERR_NULL        A pointer is NULL.
 *   TC_ERR_SIZE        `count` is 0 or beyond TC_SHAPE_MAX.
 *   TC_ERR_NOT_FINITE  A number is NaN or infinite.
 *   TC_ERR_RANGE       A coordinate or the height is beyond 1e6 m.
 *   TC_ERR_UNIT        The normal is not of unit length.
 * On error: the patch is zero.
 * Cost: that of tc_detect2_unchecked and a look at each number. */
tc_status tc_patch2_reduce(const tc_real *points, uint32_t count, const tc_real normal[2],
                           tc_real height, tc_real margin, tc_patch2 *patch);

/* ---- Spatial ----------------------------------------------------------------------------------- */

/* What the maps check and that no two contacts coincide, that the dimension is the contacts' own (1: two, 0:
 * one, 2: three or more with an area) and that a face's contacts run counter-clockwise about the normal and
 * are convex; else TC_ERR_PATCH. */
tc_status tc_patch3_check(const tc_patch3 *patch);

/* Friction's controllable dimensions: 2 for a point, 3 for a line or face, 0 without contacts */
uint32_t tc_patch3_friction(const tc_patch3 *patch);

/* T_n^T: normal_rows[count x 6]; T_f^T: friction_rows[tc_patch3_friction x 6] */
tc_status tc_patch3_rows(const tc_patch3 *patch, tc_real *normal_rows, tc_real *friction_rows);

/* Jacobian of contact i alone, rows[3 x 6]: its velocity along tangent 1, tangent 2 and normal */
tc_status tc_patch3_contact_rows(const tc_patch3 *patch, uint32_t i, tc_real rows[18]);

/* impulse[6] = T_n normal[count] + T_f friction[tc_patch3_friction] */
tc_status tc_patch3_impulse(const tc_patch3 *patch, const tc_real *normal,
                                   const tc_real *friction, tc_real impulse[6]);

/* normal[count] = T_n^T velocity, friction[tc_patch3_friction] = T_f^T velocity */
tc_status tc_patch3_velocity(const tc_patch3 *patch, const tc_real velocity[6], tc_real *normal,
                                    tc_real *friction);

/* Reduces the contacts that any detector found to a patch of their hull's corners (tc_detect3.h).
 * `points` [count x 3]: place along tangents 1 and 2 from the centre of mass, and gap [m].
 * `count`: 1..TC_SHAPE_MAX.
 * `frame` [3][3]: as in tc_patch3.
 * `height`: of the centre of mass above the plane [m].
 * `margin`: points with a smaller gap are contacts [m].
 *
 * Returns:
 *   TC_OK.             `vertex` has indices of points. Count 0: no gap is below the margin.
 *   TC_ERR_NULL        A pointer is NULL.
 *   TC_ERR_SIZE        `count` is 0 or beyond TC_SHAPE_MAX.
 *   TC_ERR_NOT_FINITE  A number is NaN or infinite.
 *   TC_ERR_RANGE       A coordinate or the height is beyond 1e6 m.
 *   TC_ERR_UNIT        The frame is not right-handed and of unit length.
 * On error: the patch is zero.
 * Cost: that of tc_detect3_turned and a look at each number. */
tc_status tc_patch3_reduce(const tc_real *points, uint32_t count, const tc_real frame[3][3],
                           tc_real height, tc_real margin, tc_patch3 *patch);

TC_END

#endif
