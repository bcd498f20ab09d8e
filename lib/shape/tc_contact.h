/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact list: which bodies touch, and where, in arrays of the caller. Detectors fill it
 * (tc_detect2_list, tc_detect3_list). A solver takes one pair of it at a time, as a patch.
 *
 *     static const tc_contact_between on_ground = {{0, TC_CONTACT_WORLD}, 0};
 *     static const tc_contact_between on_wall = {{0, TC_CONTACT_WORLD}, 1};
 *     static tc_contact_list list;
 *     static tc_contact_pair pair[2];
 *     static tc_contact contact[TC_CONTACT_LIST3_MAX(2)];
 *     tc_contact_list_init(&list, pair, 2, contact, TC_COUNT(contact));
 *     tc_detect3_list(&shape, &state, &ground, margin, &on_ground, &list);
 *     tc_detect3_list(&shape, &state, &wall, margin, &on_wall, &list);
 *     for (uint32_t k = 0; k < list.pairs; ++k) {
 *         tc_contact_list_patch3(&list, k, &patch);
 *         tc_learned3_problem_init(&problem, &patch, &body, &state, NULL);
 *     }
 *
 * A pair is two bodies that touch along one plane. Its contacts follow each other in the list and
 * are reduced already (tc_patch3_reduce). Solvers read one pair as a patch. The patch is a copy, so
 * the list may be filled again while the patch is in use.
 *
 * A list may hold planar and spatial pairs together. A planar pair is stored as a spatial one in
 * the plane z = 0: tangent 1 = (normal_y, -normal_x, 0), tangent 2 = (0, 0, -1), and arms
 * (lever, 0, -height). It takes at most TC_CONTACT_LIST2_MAX(1) contacts.
 */
#ifndef TC_CONTACT_H
#define TC_CONTACT_H

#include "tc_patch.h"

TC_BEGIN

#define TC_CONTACT_WORLD 0xffffu    /* the body that never moves: floor, walls */
#define TC_CONTACT_LIST_MAX 0xffffu /* pairs of a list, and contacts of a list */

/* Contacts that a list of so many pairs can hold at most, planar and spatial. */
#define TC_CONTACT_LIST2_MAX(pairs) (2u * (pairs))
#define TC_CONTACT_LIST3_MAX(pairs) (TC_PATCH_MAX * (pairs))

/* One point where two bodies touch. */
typedef struct tc_contact {
    tc_real arm[3];   /* from the centre of mass of body a to the plane, in the pair's frame [m] */
    tc_real gap;      /* distance along the normal [m]; negative: inside */
    uint32_t feature; /* of body a: index of the vertex in its shape */
} tc_contact;

/* Two bodies. The caller numbers bodies and materials; the library only passes them on. */
typedef struct tc_contact_between {
    uint16_t body[2];  /* a, b: an index of the caller's, or TC_CONTACT_WORLD */
    uint16_t material; /* an index of the caller's, for the pair */
} tc_contact_between;

/* Two bodies and the plane along which they touch. */
typedef struct tc_contact_pair {
    tc_real frame[3][3];        /* rows: tangent 1, tangent 2, normal out of b into a; world */
    tc_contact_between between; /* the bodies, and their material */
    uint16_t first;             /* index of the pair's first contact in the list */
    uint16_t count;             /* contacts, 1..TC_PATCH_MAX */
} tc_contact_pair;

/* The arrays and their use. tc_contact_list_init fills it; the caller reads the fields. */
typedef struct tc_contact_list {
    tc_contact_pair *pair; /* [pairs_max], the caller's */
    tc_contact *contact;   /* [contacts_max], the caller's */
    uint16_t pairs_max;    /* length of `pair` */
    uint16_t contacts_max; /* length of `contact` */
    uint16_t pairs;        /* pairs in use */
    uint16_t contacts;     /* contacts in use */
    uint16_t dropped;      /* contacts of pairs that did not fit, since the last reset */
} tc_contact_list;

/* Makes an empty list of two arrays, which must outlive it. An array of length 0 may be NULL.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        `list` is NULL, or an array whose length is not 0 is NULL.
 *   TC_ERR_SIZE        a length is above TC_CONTACT_LIST_MAX.
 *   TC_ERR_ALIGN       an array is misaligned.
 * On error: the list is zero, and nothing fits into it. */
tc_status tc_contact_list_init(tc_contact_list *list, tc_contact_pair *pair, size_t pairs_max,
                               tc_contact *contact, size_t contacts_max);

/* Empties the list and sets `dropped` to 0, for the next step.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        `list` is NULL. */
tc_status tc_contact_list_reset(tc_contact_list *list);

/* Adds a patch as one pair, whole or not at all. The function serves the caller's own detectors;
 * tc_detect2_list and tc_detect3_list add their patch themselves. A patch of 0 contacts adds
 * nothing.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_WORK        the pair does not fit; `dropped` grows by its contacts.
 *   TC_ERR_NULL        `between`, `patch` or `list` is NULL.
 *   TC_ERR_SIZE        the count of contacts is above its limit, or the dimension is not that
 *                      of so many contacts.
 *   TC_ERR_NOT_FINITE  a number of the patch is NaN or infinite.
 *   TC_ERR_UNIT        normal or frame is not of unit length, or the frame not right-handed.
 *   TC_ERR_RANGE       the square of an arm overflows.
 *   TC_ERR_PATCH       tc_patch2_check or tc_patch3_check refuses the contacts.
 * On error: pairs and contacts of the list are as they were. */
tc_status tc_contact_list_add2(const tc_contact_between *between, const tc_patch2 *patch,
                               tc_contact_list *list);
tc_status tc_contact_list_add3(const tc_contact_between *between, const tc_patch3 *patch,
                               tc_contact_list *list);

/* Writes pair k as the patch that a solver takes, bit for bit the detector's. A planar pair is also
 * a spatial patch.
 * Returns:
 *   TC_OK               done.
 *   TC_ERR_NULL         `list` or `patch` is NULL.
 *   TC_ERR_SIZE         the list has no pair k, or the pair's contacts are not in the list.
 *   TC_ERR_UNSUPPORTED  tc_contact_list_patch2: the pair does not lie in the plane z = 0.
 * On error: the patch is zero. */
tc_status tc_contact_list_patch2(const tc_contact_list *list, uint32_t k, tc_patch2 *patch);
tc_status tc_contact_list_patch3(const tc_contact_list *list, uint32_t k, tc_patch3 *patch);

TC_END

#endif
