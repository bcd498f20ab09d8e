/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts that persist. A contact's normal n and its points on both surfaces were found where these
 * were then. If no point of either surface has moved by more than `still` since, the points are
 * carried along and the gap is n (a - b), exact but for still^2 / size.
 */
#include "kept.h"

#include "tc_mat_fixed.h"
#include "tc_vec.h"

#include <string.h>

/* Whether a surface with this reach is where it was; one without a reach must not turn at all */
static int has_stayed(const tc_convex_pose *was, const tc_convex_pose *is, tc_real reach,
                      tc_real still)
{
    tc_real moved = 0, turned = 0;
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real d = is->position[k] - was->position[k];
        moved = TC_MLA(moved, d, d);
    }
    for (uint32_t k = 0; k < 9u; ++k) {
        const tc_real d = is->rotation[k] - was->rotation[k];
        turned = TC_MLA(turned, d, d);
    }
    if (!(reach > 0) && turned > 0) return 0;
    return tc_sqrt(moved) + reach * tc_sqrt(turned) <= still;
}

/* A kept contact where its surfaces are now */
static void carry_contact(const native_kept_pair *own, uint32_t i, const tc_convex_pose at[2],
                          tc_scene_contact *contact)
{
    tc_real p[2][3], between[3];
    *contact = own->contact[i];
    for (uint32_t s = 0; s < 2u; ++s) {
        tc_mat3_vec(at[s].rotation, own->place[i][s], p[s]);
        for (uint32_t k = 0; k < 3u; ++k) p[s][k] += at[s].position[k];
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        between[k] = p[0][k] - p[1][k];
        contact->point[k] = contact->arm[k] = (tc_real)0.5 * (p[0][k] + p[1][k]);
    }
    contact->gap = tc_vec_dot3(between, contact->normal);
}

/* Where the contact's points are in the axes of both surfaces */
static void keep_contact(native_kept_pair *own, const tc_scene_contact *contact)
{
    const uint32_t i = own->count++;
    own->contact[i] = *contact;
    for (uint32_t s = 0; s < 2u; ++s) {
        const tc_real side = s == 0u ? (tc_real)0.5 : (tc_real)-0.5;
        tc_real p[3];
        for (uint32_t k = 0; k < 3u; ++k) {
            p[k] = TC_MLA(contact->point[k], side * contact->gap, contact->normal[k])
                   - own->at[s].position[k];
        }
        tc_mat3_vec_t(own->at[s].rotation, p, own->place[i][s]);
    }
}

/* Finds the contacts of a pair anew, with a margin that stays right while the surfaces do */
static void find_again(const native_kept *kept, const tc_scene_placed *placed, uint16_t source,
                       tc_real margin, native_kept_pair *own)
{
    tc_scene_contact found[NATIVE_KEPT_MAX];
    tc_scene_contacts list = {.contact = found, .max = NATIVE_KEPT_MAX};
    own->margin = margin;
    own->count = 0;
    tc_scene_shapes.find(placed, source, TC_MLA(margin, (tc_real)2, kept->still), &list);
    if (list.dropped > 0u) {
        own->count = NATIVE_KEPT_MAX + 1u;
        return;
    }
    for (uint32_t i = 0; i < list.count; ++i) keep_contact(own, &found[i]);
}

static void find_kept(const tc_scene_placed *placed, uint16_t source, tc_real margin,
                      tc_scene_contacts *contacts)
{
    const native_kept *const kept = (const native_kept *)(const void *)placed->scene->meeting;
    const tc_scene_pair *const pair = &placed->scene->pair[source];
    const tc_scene_surface *const a = &placed->scene->surface[pair->a];
    const tc_scene_surface *const b = &placed->scene->surface[pair->b];
    native_kept_pair *const own = &kept->pair[source];
    tc_convex_pose at[2];
    if (tc_scene_gap_bound(placed, source) > margin) return;
    tc_scene_pose_surface(placed, a, &at[0]);
    tc_scene_pose_surface(placed, b, &at[1]);
    const int same = own->margin == margin && has_stayed(&own->at[0], &at[0], a->reach, kept->still)
                     && has_stayed(&own->at[1], &at[1], b->reach, kept->still);
    if (!same) {
        memcpy(own->at, at, sizeof at);
        find_again(kept, placed, source, margin, own);
    }
    if (own->count > NATIVE_KEPT_MAX) {
        tc_scene_shapes.find(placed, source, margin, contacts);
        return;
    }
    for (uint32_t i = 0; i < own->count; ++i) {
        tc_scene_contact contact;
        carry_contact(own, i, at, &contact);
        if (contact.gap < margin) tc_scene_keep(&contact, contacts);
    }
}

void native_kept_open(native_kept *kept, const tc_scene *scene, tc_real still,
                      native_kept_pair *pair)
{
    kept->base = tc_scene_shapes;
    if (still > 0) kept->base.find = find_kept;
    kept->still = still;
    kept->pair = pair;
    for (uint32_t i = 0; i < scene->pairs && still > 0; ++i) pair[i].margin = -1;
}
