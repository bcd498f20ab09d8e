/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact detector in space: finds the patch where a convex shape touches a plane.
 *
 * A vertex v is a contact if gap < margin, with gap = n . (x + R v) - offset - radius. The arm of
 * the contact ends on the plane below the vertex. The margin [m] may have any sign. Margin 0 finds
 * the vertices below the surface; margin h |v| finds those that may arrive within a step.
 *
 * Reduction. The patch has corners of the contacts' convex hull along the plane, at most 8. They
 * run counter-clockwise about the normal and begin with the smallest index. The search goes from
 * outside to inside:
 * - The first corner is the contact farthest from the foot of the centre of mass.
 * - The second corner is the contact farthest from the first.
 * - Each further corner is the contact farthest outside the polygon so far.
 * - The search ends with 8 corners, or if none lies outside by more than the resolution. The
 *   resolution is TC_PATCH_RESOLUTION of the largest arm.
 * - Of equal distances the end of a straight side wins, then the smaller index.
 *
 * The search keeps a hull of up to 8 corners whole. From a larger hull it drops the corners that
 * lie outside by the smallest distance. A regular polygon of 64 corners becomes an octagon; the
 * dropped ones lie outside by up to 7.6 % of its radius. Contacts nearer than the resolution count
 * as one. If vertices lie above each other, the lowest one counts. A thin face becomes an edge and
 * a short edge a point, so no two contacts of a patch coincide.
 *
 * The result depends on the pose relative to the plane only, except for rounding.
 *
 * Cost: one pass over the vertices, then at most 30 over the contacts. Cortex-M4F: 450
 * instructions, 18 per vertex and up to 1,000 per contact. A box on its face takes 2,700; 64
 * vertices that all touch take 50,000.
 */
#ifndef TC_DETECT3_H
#define TC_DETECT3_H

#include "tc_contact.h"
#include "tc_patch.h"
#include "tc_shape.h"

TC_BEGIN

/* Finds the patch of a shape at position and orientation of `state`, whose velocity is not read.
 * All inputs are checked except the vertices: see tc_shape3_check.
 * Returns:
 *   TC_OK              done; `patch->count` is 0 if there is no contact.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_SIZE        the shape's count is 0 or above TC_SHAPE_MAX.
 *   TC_ERR_NOT_FINITE  position, orientation, plane, margin or radius is NaN or infinite.
 *   TC_ERR_RANGE       the radius is negative, or a number of the patch would be NaN or infinite
 *                      because of its vertices.
 *   TC_ERR_UNIT        normal or quaternion is not of unit length within TC_UNIT_TOLERANCE.
 * On error: the patch is zero.
 * Cost: see above; at most 720 bytes of stack. */
tc_status tc_detect3(const tc_shape3 *shape, const tc_body3_state *state, const tc_plane3 *plane,
                     tc_real margin, tc_patch3 *patch);

/* Adds the patch of tc_detect3 to a contact list as one pair, whole or not at all. Without a
 * contact it adds nothing. `between`: the shape's body first, then the plane's.
 * Returns: the statuses of tc_detect3, and
 *   TC_ERR_WORK  the pair does not fit; `dropped` of the list grows by its contacts.
 *   TC_ERR_NULL  `between` or `list` is NULL.
 * On error: pairs and contacts of the list are unchanged.
 * Cost: that of tc_detect3, and a copy of the patch. */
tc_status tc_detect3_list(const tc_shape3 *shape, const tc_body3_state *state,
                          const tc_plane3 *plane, tc_real margin, const tc_contact_between *between,
                          tc_contact_list *list);

/* Does the same as tc_detect3, with the same bits, without checks. For steps that have checked
 * shape, state and plane. */
void tc_detect3_unchecked(const tc_shape3 *shape, const tc_body3_state *state,
                          const tc_plane3 *plane, tc_real margin, tc_patch3 *patch);

/* Does the same as tc_detect3_unchecked for a known rotation matrix. R[9]: rows of the matrix that
 * turns body axes into world axes. */
void tc_detect3_turned(const tc_shape3 *shape, const tc_real position[3], const tc_real R[9],
                       const tc_plane3 *plane, tc_real margin, tc_patch3 *patch);

TC_END

#endif
