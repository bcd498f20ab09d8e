/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact detector in the plane: finds the patch where a convex shape touches a line.
 *
 *     static const tc_real corners[] = {-0.1f, -0.1f, 0.1f, -0.1f, 0.1f, 0.1f, -0.1f, 0.1f};
 *     const tc_shape2 box = {corners, 4, 0};
 *     const tc_plane2 ground = {{0, 1}, 0};
 *     tc_patch2 patch;
 *     tc_status s = tc_detect2(&box, &state, &ground, 0, &patch);   // patch.count: 0, 1 or 2
 *
 * A vertex v is a contact if gap < margin, with gap = n . (x + R v) - offset - radius. The arm of
 * the contact ends on the plane below the vertex. The margin [m] may have any sign. Margin 0 finds
 * the vertices below the surface; margin h |v| finds those that may arrive within a step.
 *
 * Reduction. The patch has the two contacts with the smallest and the largest lever, in that order.
 * Contacts nearer than TC_PATCH_RESOLUTION of the largest arm count as one. If vertices lie above
 * each other, the lowest one counts. A short edge becomes a point, so no two contacts of a patch
 * coincide.
 *
 * The result depends on the pose relative to the plane only, except for rounding.
 *
 * Cost: one pass over the vertices, and a second one if there are more than two contacts.
 * Cortex-M4F: 180 instructions, 13 per vertex and 20 to 30 per contact; the checks take 70.
 */
#ifndef TC_DETECT2_H
#define TC_DETECT2_H

#include "tc_contact.h"
#include "tc_patch.h"
#include "tc_shape.h"

TC_BEGIN

/* Finds the patch of a shape at the position of `state`, whose velocity is not read. All inputs are
 * checked except the vertices: see tc_shape2_check.
 * Returns:
 *   TC_OK              done; `patch->count` is 0 if there is no contact.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_SIZE        the shape's count is 0 or above TC_SHAPE_MAX.
 *   TC_ERR_NOT_FINITE  position, plane, margin or radius is NaN or infinite.
 *   TC_ERR_RANGE       the radius is negative, or a number of the patch would be NaN or infinite
 *                      because of its vertices.
 *   TC_ERR_UNIT        the plane's normal is not of unit length within TC_UNIT_TOLERANCE.
 * On error: the patch is zero.
 * Cost: see above; at most 176 bytes of stack. */
tc_status tc_detect2(const tc_shape2 *shape, const tc_body2_state *state, const tc_plane2 *plane,
                     tc_real margin, tc_patch2 *patch);

/* Adds the patch of tc_detect2 to a contact list as one pair, whole or not at all. Without a
 * contact it adds nothing. `between`: the shape's body first, then the plane's.
 * Returns: the statuses of tc_detect2, and
 *   TC_ERR_WORK  the pair does not fit; `dropped` of the list grows by its contacts.
 *   TC_ERR_NULL  `between` or `list` is NULL.
 * On error: pairs and contacts of the list are unchanged.
 * Cost: that of tc_detect2, and a copy of the patch. */
tc_status tc_detect2_list(const tc_shape2 *shape, const tc_body2_state *state,
                          const tc_plane2 *plane, tc_real margin, const tc_contact_between *between,
                          tc_contact_list *list);

/* Does the same as tc_detect2, with the same bits, without checks. For steps that have checked
 * shape, state and plane. */
void tc_detect2_unchecked(const tc_shape2 *shape, const tc_body2_state *state,
                          const tc_plane2 *plane, tc_real margin, tc_patch2 *patch);

TC_END

#endif
