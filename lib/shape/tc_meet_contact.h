/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact points of a posed pair of shapes (tc_sdf.h): what a step needs beside the distance.
 *
 * A distance has one closest pair of points. A body that rests on a face needs the corners, too:
 *
 *     a \ b               contacts
 *     convex, convex      corners of the area in which the facing faces of both overlap, seen along
 *                         the pair's normal; of two edges the ends of their common part
 *     convex, half-space  corners of a's face
 *     convex, terrain     a's corners, each with b's own normal there
 *     convex, grid or net the same, and b's stored points near a
 *     grid or net, any    a's stored points near b, and b's corners
 *     union               those of all pairs of parts
 *
 * and the closest pair, where no corner is as near. A sphere has the closest pair alone. A cylinder
 * that stands has eight points of its rim, one that lies has the two ends of its side line. Corners
 * are those of the core: a rounded box touches with the corners of its flat part. The stored
 * points that count are those furthest along eight directions across the normal.
 *
 * Contacts lie in planes. Two contacts share one if their normals differ by at most
 * TC_MEET_CONTACT_ALIGNED and b's surface is level between them to the same angle. In each plane
 * the corners of the hull stay, at most TC_PATCH_MAX (tc_detect3.h), and always the deepest
 * contact.
 *
 * Normal. All contacts of a convex pair have the normal of the closest pair (tc_meet_distance by
 * TC_MEET_DEEPEST). Apart, this normal is common to both shapes. Where a corner or an edge of one
 * shape touches a face of the other it is the face's.
 *
 * Example: the contacts of a sole on a box.
 *
 *     tc_meet_contact contact[TC_PATCH_MAX];
 *     tc_convex_gap gap;
 *     uint32_t count;
 *     tc_status status = tc_meet_contacts(&sole, &at_sole, &box, &at_box, margin, contact,
 *                                         TC_COUNT(contact), &count, &gap, NULL, 0);
 */
#ifndef TC_MEET_CONTACT_H
#define TC_MEET_CONTACT_H

#include "tc_contact.h"
#include "tc_meet.h"

TC_BEGIN

#define TC_MEET_CONTACT_MAX 32u /* largest number of contacts of a pair */
#define TC_MEET_CONTACT_ALIGNED                                                                    \
    TC_C(1e-2)                        /* [rad] normals and slopes of one plane differ by less */
#define TC_MEET_CONTACT_CLOSEST 0xffu /* feature of the closest pair, without its parts */

/* One point where two shapes touch. */
typedef struct tc_meet_contact {
    tc_real point[3];  /* halfway between both surfaces, world axes [m] */
    tc_real normal[3]; /* out of b into a, of unit length, world axes */
    tc_real gap;       /* distance of both surfaces along the normal [m]; negative: sunk */
    uint32_t feature;  /* which corner, or which crossing of two edges: the same from step to step,
                        * as long as the same faces meet */
    uint32_t plane;    /* index of the contact's plane, ascending from 0 */
} tc_meet_contact;

/* Finds the contacts of a pair: points with a gap below the margin.
 * Contacts of one plane follow each other. The deepest plane is the first.
 *
 * a, b: checked shapes (tc_sdf_check). at_a, at_b: their poses. margin: [m], of any sign.
 * contact[max]: the contacts. max: 1..TC_MEET_CONTACT_MAX. count: the number of contacts written;
 * 0: none. gap: the closest pair by TC_MEET_DEEPEST, whatever the margin is. work[work_len]: nets
 * need TC_SDF_NET_WORK. The other kinds take NULL, 0.
 * Returns:
 *   TC_OK            done.
 *   TC_NOTE_LIMIT    more contacts than `max` were found, and the deepest were kept; or as in
 *                    tc_meet_distance.
 *   TC_NOTE_OVERLAP  as in tc_meet_distance: one shape holds the middle of the other.
 *   TC_NOTE_RANGE    as in tc_meet_distance.
 *   TC_ERR_SIZE      `max` is 0 or above TC_MEET_CONTACT_MAX.
 *   TC_ERR_NOT_FINITE  the margin, or a number of a pose, is NaN or infinite.
 *   others           as in tc_meet_distance.
 * On error: `count` and `gap` are zero, `contact` is undefined.
 * Cost: that of tc_meet_distance for each pair of parts, and at most 16 corners clipped by 8 sides
 * each. */
tc_status tc_meet_contacts(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                           const tc_convex_pose *at_b, tc_real margin, tc_meet_contact *contact,
                           uint32_t max, uint32_t *count, tc_convex_gap *gap, tc_real *work,
                           size_t work_len);

/* Adds the contacts of a pair to a contact list: each plane as one pair of the list, whole or not
 * at all. Arms begin at the position of a's pose and end on b. The feature of a contact is that of
 * tc_meet_contact.
 *
 * between: the bodies of a and b. The other arguments are those of tc_meet_contacts.
 * Returns: the statuses of tc_meet_contacts, and
 *   TC_ERR_WORK  a plane did not fit; `dropped` of the list grows by its contacts. Those that fit
 *                are in the list.
 *   TC_ERR_NULL  `between` or `list` is NULL.
 * On any other error: the list is unchanged.
 * Cost: that of tc_meet_contacts, and one reduction per plane. */
tc_status tc_meet_contact_list(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                               const tc_convex_pose *at_b, tc_real margin,
                               const tc_contact_between *between, tc_contact_list *list,
                               tc_real *work, size_t work_len);

TC_END

#endif
