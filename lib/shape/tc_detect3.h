/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact detector in space: a convex shape (tc_shape.h) against a plane, and the patch where they touch.
 *
 * A vertex v is a contact if gap < margin, strictly, where gap = n . (x + R v) - offset - radius. Its arm
 * ends on the plane below it. margin [m] may have any sign: 0 finds what has sunk in, h times the speed what
 * may arrive within a step.
 *
 * Reduction: the corners of the contacts' convex hull along the plane, at most 8, counter-clockwise about the normal and
 * beginning with the smallest index. They are found from outside to inside: the contact farthest from the
 * foot of the centre of mass; the farthest from that; then, again and again, the one that lies farthest
 * outside the polygon chosen so far, until 8 are chosen or none lies outside by more than TC_PATCH_RESOLUTION
 * of the largest arm. Equal distances: the end of a straight side, then the smaller index. So a hull of up to
 * 8 corners is kept whole, and nothing but corners is kept; of a larger one what is dropped lies outside by
 * least (of a regular polygon of n corners no two kept neighbours are more than n/8, rounded up, apart: 64
 * keep an octagon, 7.6 % of the radius outside it). Vertices one above the other count once, the lowest; so
 * do contacts nearer than the resolution. What remains of a thin face is an edge, of a short edge a point:
 * detectors hand back no coincident contacts.
 *
 * The result depends on nothing but the pose relative to the plane (up to rounding).
 *
 * Bounds: one pass over the vertices, then at most 30 over the contacts. No contact is a result (TC_OK, count
 * 0), not an error.
 */
#ifndef TC_DETECT3_H
#define TC_DETECT3_H

#include "tc_contact.h"
#include "tc_patch.h"
#include "tc_shape.h"

TC_BEGIN

/* The patch of a shape at a state's position (its velocity is not looked at). Checks everything but the
 * vertices; if those are not finite, TC_ERR_RANGE comes out where they would be contacts, and never a
 * NaN. TC_ERR_UNIT: normal or quaternion. After an error the patch is zero. */
tc_status tc_detect3(const tc_shape3 *shape, const tc_body3_state *state,
                            const tc_plane3 *plane, tc_real margin, tc_patch3 *patch);

/* Adds the patch to a contact list as one pair, whole or not at all. Without a contact it adds
 * nothing. `between`: the shape's body first, then the plane's. The rest is as in tc_detect3.
 *
 * Returns:
 *   TC_OK.
 *   TC_ERR_WORK  The pair does not fit: `dropped` of the list grows by its contacts.
 *   TC_ERR_NULL  `between` or `list` is NULL.
 *   The errors of tc_detect3.
 * On error: pairs and contacts of the list are as they were. */
tc_status tc_detect3_list(const tc_shape3 *shape, const tc_body3_state *state,
                          const tc_plane3 *plane, tc_real margin,
                          const tc_contact_between *between, tc_contact_list *list);

/* tc_detect3 unchecked, with the same bits: for steps that have checked shape, state and plane. */
void tc_detect3_unchecked(const tc_shape3 *shape, const tc_body3_state *state,
                                 const tc_plane3 *plane, tc_real margin, tc_patch3 *patch);

/* tc_detect3_unchecked with the rotation matrix R[9] of the orientation at hand */
void tc_detect3_turned(const tc_shape3 *shape, const tc_real position[3], const tc_real R[9],
                              const tc_plane3 *plane, tc_real margin, tc_patch3 *patch);

TC_END

#endif
