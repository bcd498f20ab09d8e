/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact patches: a patch is the set of points, one line or one face, where a body touches a
 * plane.
 *
 * A detector makes a patch (tc_detect2.h, tc_detect3.h), and a contact model takes it. The patch
 * has the plane's frame, the arms of its contacts from the centre of mass, and their gaps. The arm
 * of a contact ends ON the plane below the vertex.
 *
 * The maps between a patch and generalized coordinates (Jiang & Liu, III-B) are
 *
 *     p = T_n p_n + T_f p_f          the impulse on the body, about its centre of mass, world axes
 *     u = T_n^T v,  s = T_f^T v      normal velocities of the contacts, slip of the patch
 *
 * with one normal impulse p_n per contact [N s]. The rows of T_n^T and T_f^T are the contact
 * Jacobian. Friction p_f and slip s have as many components as the patch can control:
 *
 *     plane               1   force along the tangent [N s]; slip [m/s]
 *     space, point        2   forces along tangents 1 and 2 at the contact [N s]; its slip [m/s]
 *     space, line, face   3   the same two forces at the centre, the mean of the contacts, and the
 *                             torque about the normal through the centre [N m s]; slip of the
 *                             centre [m/s] and spin [rad/s]
 *
 * Two contacts of a line transmit two tangential forces each. Along the line only their sum counts,
 * so three components remain.
 *
 * The impulse and the velocity of a body are those of tc_body.h: (x, y, angle) in the plane,
 * (x, y, z, about x, about y, about z) in space, in world axes.
 *
 * Cost: no loop is longer than the contacts of the patch, except those of the checks and of the
 * reductions. A row of a spatial patch takes some 20 operations.
 */
#ifndef TC_PATCH_H
#define TC_PATCH_H

#include "tc_body.h"
#include "tc_plane.h"

TC_BEGIN

/* Contacts nearer than this times the length of the largest arm, along the plane, count as one. The
 * rounding of an arm is 3e-7 of it. At this distance the rows of two contacts in the contact matrix
 * differ in the ninth digit. The checks of a patch refuse contacts nearer than half of it. */
#define TC_PATCH_RESOLUTION TC_C(2e-5)

/* Patch in the plane: a point or an edge. The tangent is (normal_y, -normal_x): for the floor y = 0
 * the tangent is +x and the normal +y. */
typedef struct tc_patch2 {
    uint32_t count;     /* number of contacts; 0: no contact, 1: point, 2: edge */
    uint32_t vertex[2]; /* indices of the contacts' vertices in the shape */
    tc_real normal[2];  /* unit normal of the plane, out of the solid, world axes [1] */
    tc_real lever[2];   /* x_i: distances of the contacts from the centre of mass along the
                         * tangent [m]; ascending */
    tc_real height;     /* y: height of the centre of mass above the plane [m] */
    tc_real gap[2];     /* height of vertex i above the plane [m]; negative: below the surface */
} tc_patch2;

#define TC_PATCH_MAX 8u /* largest number of contacts of a patch */

/* Patch in space: a point, a line or a face. A face has three or more contacts with an area. */
typedef struct tc_patch3 {
    uint32_t count;                /* number of contacts; 0..TC_PATCH_MAX */
    uint32_t dimension;            /* 0: point, 1: line, 2: face; undefined if count is 0 */
    uint32_t vertex[TC_PATCH_MAX]; /* indices of the contacts' vertices in the shape */
    tc_real frame[3][3];           /* rows: tangent 1, tangent 2, normal; right-handed, unit
                                    * length, world axes [1] */
    tc_real arm[TC_PATCH_MAX][3];  /* vectors from the centre of mass to the contacts, in the
                                    * patch's frame [m] */
    tc_real gap[TC_PATCH_MAX];     /* heights of the vertices above the plane [m]; negative: below
                                    * the surface */
} tc_patch3;

#define TC_PATCH2_FRICTION 1u     /* components of friction in the plane */
#define TC_PATCH3_FRICTION_MAX 3u /* components of friction in space: of a line or a face */

/* ---- Plane ----------------------------------------------------------------------------------- */

/* Checks a patch that does not come from a detector. A detector's patch passes.
 * Returns:
 *   TC_OK              the patch is valid.
 *   TC_ERR_NULL        `patch` is NULL.
 *   TC_ERR_SIZE        count is neither 1 nor 2.
 *   TC_ERR_NOT_FINITE  a number of the patch is NaN or infinite.
 *   TC_ERR_UNIT        the normal is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_PATCH       the levers of an edge do not ascend by more than half
 *                      TC_PATCH_RESOLUTION. */
tc_status tc_patch2_check(const tc_patch2 *patch);

/* Computes the rows of the contact Jacobian. normal_rows[count x 3]: T_n^T. friction_row[3]: T_f^T.
 * Returns: the statuses of tc_patch2_check except TC_ERR_PATCH, and
 *   TC_ERR_NULL  a pointer is NULL.
 * On error: the rows are zero. After TC_ERR_NULL and TC_ERR_SIZE they are unchanged. */
tc_status tc_patch2_rows(const tc_patch2 *patch, tc_real *normal_rows, tc_real *friction_row);

/* Computes impulse[3] = T_n normal + T_f friction. `normal[count]`: normal impulses of the contacts
 * [N s]. `friction`: impulse along the tangent [N s].
 * Returns: the statuses of tc_patch2_check except TC_ERR_PATCH, and
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_NOT_FINITE  `normal` or `friction` is NaN or infinite.
 *   TC_ERR_RANGE       the impulse overflows.
 * On error: the impulse is zero. After TC_ERR_NULL and TC_ERR_SIZE it is unchanged. */
tc_status tc_patch2_impulse(const tc_patch2 *patch, const tc_real *normal, tc_real friction,
                            tc_real impulse[3]);

/* Computes normal[count] = T_n^T velocity [m/s] and *slip = T_f^T velocity [m/s].
 * Returns: the statuses of tc_patch2_check except TC_ERR_PATCH, and
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_NOT_FINITE  the velocity is NaN or infinite.
 *   TC_ERR_RANGE       a result overflows.
 * On error: both results are zero. After TC_ERR_NULL and TC_ERR_SIZE they are unchanged. */
tc_status tc_patch2_velocity(const tc_patch2 *patch, const tc_real velocity[3], tc_real *normal,
                             tc_real *slip);

/* Reduces the contacts of any detector to a patch of the two outermost: see tc_detect2.h.
 * `points[count x 2]`: lever and gap of each contact [m]. `count`: 1..TC_SHAPE_MAX. `normal[2]`: of
 * the plane, world axes. `height`: of the centre of mass above the plane [m]. `margin`: points with
 * a smaller gap are contacts [m].
 * Returns:
 *   TC_OK              done; `vertex` has indices of points; count 0: no gap is below the margin.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_SIZE        `count` is 0 or above TC_SHAPE_MAX.
 *   TC_ERR_NOT_FINITE  a number is NaN or infinite.
 *   TC_ERR_RANGE       a coordinate or the height is beyond 1e6 m.
 *   TC_ERR_UNIT        the normal is not of unit length within TC_UNIT_TOLERANCE.
 * On error: the patch is zero.
 * Cost: that of tc_detect2_unchecked, and one check of each number. */
tc_status tc_patch2_reduce(const tc_real *points, uint32_t count, const tc_real normal[2],
                           tc_real height, tc_real margin, tc_patch2 *patch);

/* ---- Space ----------------------------------------------------------------------------------- */

/* Checks a patch that does not come from a detector. A detector's patch passes.
 * Returns:
 *   TC_OK              the patch is valid.
 *   TC_ERR_NULL        `patch` is NULL.
 *   TC_ERR_SIZE        count is 0 or above TC_PATCH_MAX, or the dimension is not that of so many
 *                      contacts: 0 for one, 1 for two, 2 for more.
 *   TC_ERR_NOT_FINITE  a number of the patch is NaN or infinite.
 *   TC_ERR_UNIT        the frame is not right-handed, orthogonal and of unit length within
 *                      TC_UNIT_TOLERANCE.
 *   TC_ERR_RANGE       the square of an arm overflows.
 *   TC_ERR_PATCH       two contacts are nearer than half TC_PATCH_RESOLUTION. Or the contacts of a
 *                      face are not convex, do not run counter-clockwise about the normal, or
 *                      have no area.
 * Cost: proportional to the square of the number of contacts. */
tc_status tc_patch3_check(const tc_patch3 *patch);

/* Returns the number of friction's components: 2 for a point, 3 for a line or face. It is 0 if the
 * patch has no contact or is NULL. */
uint32_t tc_patch3_friction(const tc_patch3 *patch);

/* Computes the rows of the contact Jacobian. normal_rows[count x 6]: T_n^T.
 * friction_rows[tc_patch3_friction x 6]: T_f^T.
 * Returns: the statuses of tc_patch3_check except TC_ERR_PATCH, and
 *   TC_ERR_NULL   a pointer is NULL.
 *   TC_ERR_RANGE  a row overflows.
 * On error: the rows are zero. After TC_ERR_NULL and TC_ERR_SIZE they are unchanged. */
tc_status tc_patch3_rows(const tc_patch3 *patch, tc_real *normal_rows, tc_real *friction_rows);

/* Computes the Jacobian of contact i alone. rows[3 x 6]: a body's velocity times these rows is the
 * contact's velocity along tangent 1, tangent 2 and normal.
 * Returns: the statuses of tc_patch3_check except TC_ERR_PATCH, and
 *   TC_ERR_NULL   a pointer is NULL.
 *   TC_ERR_SIZE   the patch has no contact i; the rows are zero.
 *   TC_ERR_RANGE  a row overflows.
 * On error: the rows are zero. If the patch itself causes TC_ERR_NULL or TC_ERR_SIZE they are
 * unchanged. */
tc_status tc_patch3_contact_rows(const tc_patch3 *patch, uint32_t i, tc_real rows[18]);

/* Computes impulse[6] = T_n normal + T_f friction. `normal[count]`: normal impulses of the contacts
 * [N s]. `friction[tc_patch3_friction]`: [N s], the third component [N m s].
 * Returns: the statuses of tc_patch3_check except TC_ERR_PATCH, and
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_NOT_FINITE  `normal` or `friction` has a NaN or an infinite number.
 *   TC_ERR_RANGE       the impulse overflows.
 * On error: the impulse is zero. After TC_ERR_NULL and TC_ERR_SIZE it is unchanged. */
tc_status tc_patch3_impulse(const tc_patch3 *patch, const tc_real *normal, const tc_real *friction,
                            tc_real impulse[6]);

/* Computes normal[count] = T_n^T velocity [m/s] and friction[tc_patch3_friction] = T_f^T velocity
 * [m/s], the third component [rad/s].
 * Returns: the statuses of tc_patch3_check except TC_ERR_PATCH, and
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_NOT_FINITE  the velocity has a NaN or an infinite number.
 *   TC_ERR_RANGE       a result overflows.
 * On error: both results are zero. After TC_ERR_NULL and TC_ERR_SIZE they are unchanged. */
tc_status tc_patch3_velocity(const tc_patch3 *patch, const tc_real velocity[6], tc_real *normal,
                             tc_real *friction);

/* Reduces the contacts of any detector to a patch of their hull's corners: see tc_detect3.h.
 * `points[count x 3]`: place along tangents 1 and 2 from the centre of mass, and gap [m]. `count`:
 * 1..TC_SHAPE_MAX. `frame[3][3]`: as in tc_patch3. `height`: of the centre of mass above the plane
 * [m]. `margin`: points with a smaller gap are contacts [m].
 * Returns:
 *   TC_OK              done; `vertex` has indices of points; count 0: no gap is below the margin.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_SIZE        `count` is 0 or above TC_SHAPE_MAX.
 *   TC_ERR_NOT_FINITE  a number is NaN or infinite.
 *   TC_ERR_RANGE       a coordinate or the height is beyond 1e6 m.
 *   TC_ERR_UNIT        the frame is not right-handed, orthogonal and of unit length within
 *                      TC_UNIT_TOLERANCE.
 * On error: the patch is zero.
 * Cost: that of tc_detect3_turned, and one check of each number. */
tc_status tc_patch3_reduce(const tc_real *points, uint32_t count, const tc_real frame[3][3],
                           tc_real height, tc_real margin, tc_patch3 *patch);

TC_END

#endif
