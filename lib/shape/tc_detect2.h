/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact detector in the plane: a convex shape (tc_shape.h) against a line, and the patch where they touch.
 *
 * A vertex v is a contact if gap < margin, strictly, where gap = n . (x + R v) - offset - radius. Its arm
 * ends on the plane below it. margin [m] may have any sign: 0 finds what has sunk in, h times the speed what
 * may arrive within a step.
 *
 * Reduction: the two contacts with the smallest and largest lever, in that order.
 * Vertices one above the other count once, the lowest; so do contacts nearer than TC_PATCH_RESOLUTION of the
 * largest arm. What remains of a short edge is a point: detectors hand back no coincident contacts.
 *
 * The result depends on nothing but the pose relative to the plane (up to rounding).
 *
 * Bounds: one pass over the vertices, another if more than two are contacts. No contact is a result (TC_OK,
 * count 0), not an error.
 */
#ifndef TC_DETECT2_H
#define TC_DETECT2_H

#include "tc_contact.h"
#include "tc_patch.h"
#include "tc_shape.h"

TC_BEGIN

/* The patch of a shape at a state's position (its velocity is not looked at). Checks everything but the
 * vertices; if those are not finite, TC_ERR_RANGE comes out where they would be contacts, and never a
 * NaN. TC_ERR_UNIT: normal or quaternion. After an error the patch is zero. */
tc_status tc_detect2(const tc_shape2 *shape, const tc_body2_state *state,
                           const tc_plane2 *plane, tc_real margin, tc_patch2 *patch);

/* Adds the patch to a contact list as one pair, whole or not at all. Without a contact it adds
 * nothing. `between`: the shape's body first, then the plane's. The rest is as in tc_detect2.
 *
 * Returns:
 *   TC_OK.
 *   TC_ERR_WORK  The pair does not fit: `dropped` of the list grows by its contacts.
 *   TC_ERR_NULL  `between` or `list` is NULL.
 *   The errors of tc_detect2.
 * On error: pairs and contacts of the list are as they were. */
tc_status tc_detect2_list(const tc_shape2 *shape, const tc_body2_state *state,
                          const tc_plane2 *plane, tc_real margin,
                          const tc_contact_between *between, tc_contact_list *list);

/* tc_detect2 unchecked, with the same bits: for steps that have checked shape, state and plane. */
void tc_detect2_unchecked(const tc_shape2 *shape, const tc_body2_state *state,
                                const tc_plane2 *plane, tc_real margin, tc_patch2 *patch);

TC_END

#endif
