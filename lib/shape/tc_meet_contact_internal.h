/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the contacts of a pair are made of. Not for users.
 */
#ifndef TC_MEET_CONTACT_INTERNAL_H
#define TC_MEET_CONTACT_INTERNAL_H

#include "tc_meet_contact.h"

#include "tc_meet_internal.h"

/* Two convex polygons leave at most 8 + 8 corners. A cylinder has 16 rim points, and of stored
 * points 8 count. The last is the closest pair. */
#define TCI_MEET_CONTACT_FOUND 25u

/* Added to a feature that is a corner of b, or of b's face where that was cut */
#define TCI_MEET_CONTACT_SECOND 128u

#define TCI_MEET_CONTACT_CORNERS 16u /* of a polygon while it is cut */

/* A polygon while it is cut: each corner with its feature, and the side that begins there: below 8
 * the corner of the first face where it begins, else 8 and a side of the second */
typedef struct tci_meet_polygon {
    uint32_t count;
    tc_real at[TCI_MEET_CONTACT_CORNERS][3];
    uint8_t feature[TCI_MEET_CONTACT_CORNERS];
    uint8_t side[TCI_MEET_CONTACT_CORNERS];
} tci_meet_polygon;

/* Contacts of one pair of parts, before the reduction. While faces are cut there are none, and the
 * polygons take their place: the last of these begins behind the contacts of its 16 corners. */
typedef struct tci_meet_contact_found {
    union {
        tc_meet_contact contact[TCI_MEET_CONTACT_FOUND];
        tci_meet_polygon polygon[4];
    };
    uint32_t count;
    tc_real margin;
} tci_meet_contact_found;

/* The contact of the feature at height above and below along the normal from `origin`, and at
 * place along frame's tangents, if its gap is below the margin */
void tci_meet_contact_add(const tc_real frame[3][3], const tc_real origin[3],
                          const tc_real place[2], const tc_real height[2], uint32_t feature,
                          tci_meet_contact_found *found);

/* Adds the corners in which the faces of a convex pair overlap, seen along gap's normal. One of the
 * two may be a half-space. `found` is empty before. */
void tci_meet_contact_clip(const tci_meet_pair *pair, const tc_convex_gap *gap,
                           tci_meet_contact_found *found);

/* Eight directions in a plane, and places on a rim of radius 1 */
extern const tc_real tci_meet_contact_rim[8][2];

/* The core of a convex shape; NULL: it is not convex */
const tc_convex *tci_meet_contact_core(const tc_sdf *shape, tc_convex *core);

/* Number of a core's corners; corner i, its own axes */
uint32_t tci_meet_contact_corners(const tc_convex *core);
void tci_meet_contact_corner(const tc_convex *core, uint32_t i, tc_real corner[3]);

#endif
