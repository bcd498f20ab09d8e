/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts of a pair: each pair of parts finds its own, planes gather and reduce them.
 *
 * A convex pair has one normal and so one plane. A body on terrain, on a grid or on a net has the
 * normal of the other's surface at each corner, and each corner begins as a plane of its own.
 *
 * Planes. The deepest contact that is left begins a plane. Those join it whose convex pair is the
 * same, or whose normal and point on b agree with it: |n' - n| and |n . (q' - q)| / |q' - q| are at
 * most TC_MEET_CONTACT_ALIGNED. Then the hull along the plane (tc_detect3.c) keeps its corners: the
 * contacts are its vertices, projected on the plane through the deepest one and lifted by their
 * gaps. If the deepest is none of these corners and is deeper than all of them, it takes the place
 * of the nearest.
 *
 * Contacts of a union pass twice through this: with their part, so that at most 8 of a convex pair
 * are kept, and all together, so that a sole over two boxes of one height has one plane, whose
 * hull does not hold the seam.
 */
#include "tc_exact.h"
#include "tc_meet_contact.h"

#include "tc_contact_internal.h"
#include "tc_detect3.h"
#include "tc_detect3_internal.h"
#include "tc_meet_contact_internal.h"
#include "tc_shape_internal.h"

/* Contacts of all parts */
typedef struct meet_gather {
    tc_meet_contact *contact; /* [max] */
    uint32_t max, count;
    int dropped;
    const tc_real *origin; /* of a's pose: arms begin there */
} meet_gather;

/* ---- Contacts -------------------------------------------------------------------------------- */

void tci_meet_contact_add(const tc_real frame[3][3], const tc_real origin[3],
                          const tc_real place[2], const tc_real height[2], uint32_t feature,
                          tci_meet_contact_found *found)
{
    const tc_real gap = height[0] - height[1];
    if (!(gap < found->margin) || found->count == TCI_MEET_CONTACT_FOUND) return;
    tc_meet_contact *const contact = &found->contact[found->count++];
    const tc_real middle = TC_C(0.5) * (height[0] + height[1]);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real along = TC_MLA(frame[0][k] * place[0], frame[1][k], place[1]);
        contact->point[k] = origin[k] + TC_MLA(along, frame[2][k], middle);
        contact->normal[k] = frame[2][k];
    }
    contact->gap = gap;
    contact->feature = feature;
}

/* The distance of a point of the world from b, and the direction of its gradient in the world, of
 * unit length: 0 where there is none */
static tc_status field_value(const tci_meet_pair *pair, const tc_real point[3], tc_real *value,
                             tc_real direction[3])
{
    const tc_convex_pose *const at = pair->at_b;
    tc_real away[3], local[3], gradient[3];
    for (uint32_t k = 0; k < 3u; ++k) away[k] = point[k] - at->position[k];
    tc_mat3_vec_t(at->rotation, away, local);
    const tc_status status =
        tc_sdf_eval(pair->b, local, value, gradient, pair->work, pair->work_len);
    tc_mat3_vec(at->rotation, gradient, direction);
    const tc_real square = tc_vec_dot3(direction, direction);
    const tc_real scale = square > TC_C(0.0) ? TC_C(1.0) / tc_sqrt(square) : TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) direction[k] *= scale;
    return status;
}

/* A contact of a point of a's surface, or of its core with a radius, where b's value is known */
static void set_contact(const tc_real point[3], tc_real value, const tc_real normal[3],
                        tc_real radius, int turned, uint32_t feature, tc_meet_contact *contact)
{
    const tc_real sign = turned ? TC_C(-1.0) : TC_C(1.0);
    contact->gap = value - radius;
    contact->feature = turned ? TCI_MEET_CONTACT_SECOND + feature : feature;
    const tc_real way = TC_MLA(radius, TC_C(0.5), contact->gap);
    for (uint32_t k = 0; k < 3u; ++k) {
        contact->point[k] = TC_MLS(point[k], way, normal[k]);
        contact->normal[k] = sign * normal[k];
    }
}

static void place_world(const tc_convex_pose *at, const tc_real p[3], tc_real world[3])
{
    tc_mat3_vec(at->rotation, p, world);
    for (uint32_t k = 0; k < 3u; ++k) world[k] += at->position[k];
}

/* The corners of a's core against b's values; turned: the pair has changed sides */
static tc_status meet_corners(const tci_meet_pair *pair, int turned, tci_meet_contact_found *found)
{
    const tc_convex *const core = pair->core_a;
    for (uint32_t i = 0; i < tci_meet_contact_corners(core); ++i) {
        tc_real corner[3], world[3], value, normal[3];
        tci_meet_contact_corner(core, i, corner);
        place_world(pair->at_a, corner, world);
        const tc_status status = field_value(pair, world, &value, normal);
        if (status < TC_OK) return status;
        if (!(value - core->radius < found->margin)) continue;
        set_contact(world, value, normal, core->radius, turned, i, &found->contact[found->count++]);
    }
    return TC_OK;
}

/* Keeps a contact where it lies further along one of eight directions than those before it */
static void keep_furthest(const tc_meet_contact *contact, tc_real frame[3][3], uint32_t first,
                          tc_real furthest[8], tci_meet_contact_found *found)
{
    const tc_real x = tc_vec_dot3(frame[0], contact->point);
    const tc_real y = tc_vec_dot3(frame[1], contact->point);
    for (uint32_t d = 0; d < 8u; ++d) {
        const tc_real *const rim = tci_meet_contact_rim[d];
        const tc_real along = TC_MLA(rim[0] * x, rim[1], y);
        if (!(along > furthest[d])) continue;
        furthest[d] = along;
        found->contact[first + d] = *contact;
    }
}

/* The stored points of a's surface against b's values: of those below the margin the furthest along
 * eight directions across n, each once. Features are the points' indices modulo 64. */
static tc_status meet_stored(const tci_meet_pair *pair, int turned, const tc_real n[3],
                             tci_meet_contact_found *found)
{
    const tc_sdf_stored *const stored = pair->a->data_ref;
    const uint32_t first = found->count;
    tc_real frame[3][3], furthest[8];
    tc_meet_contact contact = {.plane = 0};
    for (uint32_t d = 0; d < 8u; ++d) furthest[d] = TC_C(-1e30);
    tci_detect3_frame(n, frame);
    for (uint32_t i = 0; i < stored->points; ++i) {
        tc_real world[3], value, normal[3];
        place_world(pair->at_a, stored->points_ref + 3u * i, world);
        const tc_status status = field_value(pair, world, &value, normal);
        if (status < TC_OK) return status;
        if (!(value < found->margin)) continue;
        set_contact(world, value, normal, TC_C(0.0), turned, i % 64u, &contact);
        keep_furthest(&contact, frame, first, furthest, found);
        found->count = first + 8u;
    }
    return TC_OK;
}

/* ---- Planes ---------------------------------------------------------------------------------- */

static tc_real square_between(const tc_real p[3], const tc_real q[3], tc_real way[3])
{
    for (uint32_t k = 0; k < 3u; ++k) way[k] = q[k] - p[k];
    return tc_vec_dot3(way, way);
}

/* 1 if a contact is in the plane of another */
static int shares_plane(const tc_meet_contact *first, const tc_meet_contact *other,
                        const tc_real origin[3])
{
    static const tc_real aligned = TC_MEET_CONTACT_ALIGNED * TC_MEET_CONTACT_ALIGNED;
    tc_real way[3], q[2][3];
    if (first->plane == other->plane) return 1;
    if (square_between(first->normal, other->normal, way) > aligned) return 0;
    for (uint32_t k = 0; k < 3u; ++k) {
        q[0][k] = TC_MLS(first->point[k], TC_C(0.5) * first->gap, first->normal[k]);
        q[1][k] = TC_MLS(other->point[k], TC_C(0.5) * other->gap, other->normal[k]);
    }
    const tc_real arm = square_between(origin, q[0], way);
    const tc_real square = square_between(q[0], q[1], way);
    const tc_real rise = tc_vec_dot3(first->normal, way);
    return rise * rise <= TC_MLA(aligned * square, TC_PATCH_RESOLUTION * TC_PATCH_RESOLUTION, arm);
}

static void swap_contacts(tc_meet_contact *p, tc_meet_contact *q)
{
    const tc_meet_contact kept = *p;
    *p = *q;
    *q = kept;
}

/* Brings the deepest contact to the front and those of its plane behind it; returns their number */
static uint32_t gather_plane(tc_meet_contact *contact, uint32_t count, const tc_real origin[3])
{
    uint32_t deepest = 0, end = 1;
    for (uint32_t i = 1; i < count; ++i)
        deepest = contact[i].gap < contact[deepest].gap ? i : deepest;
    swap_contacts(&contact[0], &contact[deepest]);
    for (uint32_t i = 1; i < count; ++i) {
        if (shares_plane(&contact[0], &contact[i], origin))
            swap_contacts(&contact[end++], &contact[i]);
    }
    return end;
}

/* The hull's corners of one plane's contacts; the deepest is the first of these */
TCI_MEET_APART static void plane_patch(const tc_meet_contact *contact, uint32_t count,
                                       const tc_real origin[3], tc_patch3 *patch)
{
    static const tc_real rest[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    static const tc_real upright[9] = {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0),
                                       TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)};
    tc_real vertex[3u * TC_MEET_CONTACT_MAX], way[3];
    const tc_real *const n = contact[0].normal;
    tc_plane3 plane;
    for (uint32_t k = 0; k < 3u; ++k) {
        plane.normal[k] = n[k];
        way[k] = TC_MLS(contact[0].point[k], TC_C(0.5) * contact[0].gap, n[k]) - origin[k];
    }
    plane.offset = tc_vec_dot3(n, way);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < 3u; ++k) way[k] = contact[i].point[k] - origin[k];
        const tc_real lift = plane.offset + contact[i].gap - tc_vec_dot3(n, way);
        for (uint32_t k = 0; k < 3u; ++k) vertex[3u * i + k] = TC_MLA(way[k], lift, n[k]);
    }
    const tc_shape3 shape = {vertex, count, TC_C(0.0)};
    tc_detect3_turned(&shape, rest, upright, &plane, TCI_SHAPE_COORDINATE_MAX, patch);
    for (uint32_t i = 0; i < patch->count; ++i) patch->gap[i] = contact[patch->vertex[i]].gap;
}

/* Puts the deepest contact, index 0, in the place of the nearest corner, if it is none itself and
 * they are less deep */
static void keep_deepest(const tc_meet_contact *contact, tc_patch3 *patch)
{
    tc_real way[3], least = TC_C(1e30), gap = TC_C(1e30);
    uint32_t nearest = 0;
    for (uint32_t i = 0; i < patch->count; ++i) {
        const tc_real square =
            square_between(contact[0].point, contact[patch->vertex[i]].point, way);
        if (square < least) {
            least = square;
            nearest = i;
        }
        if (patch->gap[i] < gap) gap = patch->gap[i];
    }
    const tc_real arm = tc_vec_dot3(patch->arm[nearest], patch->arm[nearest]);
    if (gap - contact[0].gap > TC_PATCH_RESOLUTION * tc_sqrt(arm)) patch->vertex[nearest] = 0;
}

/* Keeps the corners of each plane and numbers the planes; returns how many contacts are left */
TCI_MEET_APART static uint32_t reduce_contacts(tc_meet_contact *contact, uint32_t count,
                                               const tc_real origin[3])
{
    uint32_t planes = 0, kept = 0;
    for (uint32_t begin = 0; begin < count; ++planes) {
        tc_meet_contact *const first = contact + begin;
        const uint32_t number = gather_plane(first, count - begin, origin);
        uint32_t stays = 0;
        tc_patch3 patch;
        plane_patch(first, number, origin, &patch);
        keep_deepest(first, &patch);
        for (uint32_t i = 0; i < patch.count; ++i) stays |= 1u << patch.vertex[i];
        for (uint32_t i = 0; i < number; ++i) {
            if (!(stays >> i & 1u)) continue;
            contact[kept] = first[i];
            contact[kept++].plane = planes;
        }
        begin += number;
    }
    return kept;
}

/* ---- Pairs of parts -------------------------------------------------------------------------- */

/* Adds the closest pair where no corner is as near */
static void add_closest_pair(const tc_convex_gap *gap, const tc_real origin[3],
                             tci_meet_contact_found *found)
{
    tc_real way[3], least = TC_C(1e30);
    for (uint32_t i = 0; i < found->count; ++i)
        least = found->contact[i].gap < least ? found->contact[i].gap : least;
    const tc_real arm = tc_sqrt(square_between(origin, gap->point_b, way));
    if (!(least - gap->distance > TC_PATCH_RESOLUTION * arm)) return;
    if (!(gap->distance < found->margin) || found->count == TCI_MEET_CONTACT_FOUND) return;
    tc_meet_contact *const contact = &found->contact[found->count++];
    for (uint32_t k = 0; k < 3u; ++k) {
        contact->point[k] = TC_C(0.5) * (gap->point_a[k] + gap->point_b[k]);
        contact->normal[k] = gap->normal[k];
    }
    contact->gap = gap->distance;
    contact->feature = TC_MEET_CONTACT_CLOSEST;
}

/* 1 if a shape has stored points of its surface, and no core */
static int has_points(const tc_sdf *shape, const tc_convex *core)
{
    return !core && ((const tc_sdf_stored *)shape->data_ref)->points > 0u;
}

static int has_corners(const tc_convex *core)
{
    return core && tci_meet_contact_corners(core) > 0u;
}

/* 1 if the closest pair is all that there is */
static int is_round_core(const tc_convex *core)
{
    return core && core->kind == TC_CONVEX_POINT;
}

/* Adds the corners of a convex side and the stored points of the other; turned: the pair has
 * changed sides */
static tc_status meet_field(const tci_meet_pair *pair, const tci_meet_pair *turned,
                            const tc_real n[3], tci_meet_contact_found *found)
{
    tc_status status = TC_OK;
    if (has_corners(pair->core_a)) status = meet_corners(pair, 0, found);
    if (has_corners(pair->core_b)) status = meet_corners(turned, 1, found);
    if (status >= TC_OK && has_points(pair->a, pair->core_a) && !is_round_core(pair->core_b))
        return meet_stored(pair, 0, n, found);
    if (status >= TC_OK && has_points(pair->b, pair->core_b) && !is_round_core(pair->core_a))
        return meet_stored(turned, 1, n, found);
    return status;
}

static tc_status find_corners_of(const tci_meet_pair *pair, const tc_convex_gap *gap,
                                 tci_meet_contact_found *found)
{
    const tci_meet_pair turned = {pair->b,      pair->a,      pair->at_b, pair->at_a,
                                  pair->core_b, pair->core_a, pair->work, pair->work_len};
    if (!pair->core_a || !pair->core_b) return meet_field(pair, &turned, gap->normal, found);
    tci_meet_contact_clip(pair, gap, found);
    return TC_OK;
}

/* Two parts, their poses and their cores */
typedef struct meet_placed {
    tci_meet_pair pair;
    tc_convex_pose at[2];
    tc_convex core[2];
} meet_placed;

/* Pair `number` of the parts of two shapes */
static void place_parts(const tci_meet_pair *whole, uint32_t number, meet_placed *placed)
{
    const uint32_t columns = tci_meet_parts(whole->b);
    tci_meet_pair *const pair = &placed->pair;
    *pair = *whole;
    pair->a = tci_meet_part(whole->a, whole->at_a, number / columns, &placed->at[0]);
    pair->b = tci_meet_part(whole->b, whole->at_b, number % columns, &placed->at[1]);
    pair->at_a = &placed->at[0];
    pair->at_b = &placed->at[1];
    pair->core_a = tci_meet_contact_core(pair->a, &placed->core[0]);
    pair->core_b = tci_meet_contact_core(pair->b, &placed->core[1]);
}

/* Adds what one pair of parts has */
TCI_MEET_APART static tc_status find_contacts(const tci_meet_pair *whole, uint32_t number,
                                              const tc_convex_gap *gap, const tc_real origin[3],
                                              tci_meet_contact_found *found)
{
    meet_placed placed;
    place_parts(whole, number, &placed);
    const tc_status status = find_corners_of(&placed.pair, gap, found);
    if (status < TC_OK) return status;
    add_closest_pair(gap, origin, found);
    const uint32_t own = placed.pair.core_a && placed.pair.core_b ? 0u : 1u;
    for (uint32_t i = 0; i < found->count; ++i) found->contact[i].plane = own * i;
    return status;
}

/* Adds contacts of one pair of parts to those of all; where they do not fit, the deepest stay */
static void keep_contacts(const tci_meet_contact_found *found, uint32_t pair, meet_gather *all)
{
    for (uint32_t i = 0; i < found->count; ++i) {
        const tc_meet_contact *const contact = &found->contact[i];
        uint32_t place = all->count;
        if (all->count == all->max) {
            place = 0;
            for (uint32_t k = 1; k < all->max; ++k)
                if (all->contact[k].gap > all->contact[place].gap) place = k;
            all->dropped = 1;
            if (!(contact->gap < all->contact[place].gap)) continue;
        } else {
            ++all->count;
        }
        all->contact[place] = *contact;
        all->contact[place].feature |= pair << 8u;
        all->contact[place].plane |= pair << 8u;
    }
}

/* 1 if the spheres round two convex parts are further apart than a distance */
static int spheres_beyond(const tci_meet_pair *pair, tc_real distance)
{
    const tc_convex *const a = pair->core_a, *const b = pair->core_b;
    tc_real way[3];
    if (!a || !b || a->kind == TC_CONVEX_HALFSPACE || b->kind == TC_CONVEX_HALFSPACE) return 0;
    const tc_real reach = distance + tci_meet_extent(a) + tci_meet_extent(b);
    const tc_real square = square_between(pair->at_a->position, pair->at_b->position, way);
    return reach > TC_C(0.0) && square > reach * reach;
}

/* The distance of a pair of parts. *near: 0 where their spheres are further apart than `beyond`,
 * which leaves the pair out. */
TCI_MEET_APART static tc_status part_distance(const tci_meet_pair *whole, uint32_t number,
                                              tc_real beyond, int *near, tc_convex_gap *gap)
{
    meet_placed placed;
    place_parts(whole, number, &placed);
    *near = number == 0u || !spheres_beyond(&placed.pair, beyond);
    if (!*near) return TC_OK;
    tc_status status = tci_convex_check_pose(&placed.at[0]);
    if (status >= TC_OK) status = tci_convex_check_pose(&placed.at[1]);
    return status < TC_OK ? status : tci_meet_measure(&placed.pair, TC_MEET_DEEPEST, gap);
}

/* The contacts of a pair of parts with this gap */
TCI_MEET_APART static tc_status part_contacts(const tci_meet_pair *whole, uint32_t number,
                                              tc_real margin, const tc_convex_gap *gap,
                                              meet_gather *all)
{
    tci_meet_contact_found found;
    found.count = 0;
    found.margin = margin;
    const tc_status status = find_contacts(whole, number, gap, all->origin, &found);
    if (status < TC_OK) return status;
    if (found.count > 1u) found.count = reduce_contacts(found.contact, found.count, all->origin);
    keep_contacts(&found, number, all);
    return status;
}

/* A pair of parts: its distance, and its contacts where it is near. Parts that are further apart
 * than the margin and than the nearest so far are left out. */
static tc_status meet_number(const tci_meet_pair *whole, uint32_t number, tc_real margin,
                             tc_convex_gap *least, meet_gather *all)
{
    tc_convex_gap gap;
    int near;
    const tc_real beyond = tc_vec_max(margin, least->distance);
    const tc_status status = part_distance(whole, number, beyond, &near, &gap);
    if (status < TC_OK || !near) return status;
    if (number == 0u || gap.distance < least->distance) *least = gap;
    if (!(gap.distance < margin)) return status;
    const tc_status corners = part_contacts(whole, number, margin, &gap, all);
    return corners < TC_OK ? corners : status;
}

/* All pairs of parts; the status of the nearest that is not TC_OK */
static tc_status meet_unions(const tci_meet_pair *whole, tc_real margin, tc_convex_gap *least,
                             meet_gather *all)
{
    const uint32_t pairs = tci_meet_parts(whole->a) * tci_meet_parts(whole->b);
    tc_status worst = TC_OK;
    for (uint32_t i = 0; i < pairs; ++i) {
        const tc_status status = meet_number(whole, i, margin, least, all);
        if (status < TC_OK) return status;
        if (status > TC_OK) worst = status;
    }
    const uint32_t before = all->count;
    if ((pairs > 1u || all->dropped) && before > 0u)
        all->count = reduce_contacts(all->contact, before, all->origin);
    return all->dropped ? TC_NOTE_LIMIT : worst;
}

/* ---- The public functions -------------------------------------------------------------------- */

static tc_status check_contacts(const tci_meet_pair *whole, tc_real margin, uint32_t max)
{
    if (!whole->a || !whole->at_a || !whole->b || !whole->at_b) return TC_ERR_NULL;
    if (max - 1u >= TC_MEET_CONTACT_MAX) return TC_ERR_SIZE;
    if (!tc_all_finite(&margin, 1)) return TC_ERR_NOT_FINITE;
    const tc_status status = tci_convex_check_pose(whole->at_a);
    return status < TC_OK ? status : tci_convex_check_pose(whole->at_b);
}

tc_status tc_meet_contacts(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                           const tc_convex_pose *at_b, tc_real margin, tc_meet_contact *contact,
                           uint32_t max, uint32_t *count, tc_convex_gap *gap, tc_real *work,
                           size_t work_len)
{
    static const tc_convex_gap none = {0};
    if (count) *count = 0;
    if (gap) *gap = none;
    if (!contact || !count || !gap) return TC_ERR_NULL;
    const tci_meet_pair whole = {a, b, at_a, at_b, NULL, NULL, work, work_len};
    tc_status status = check_contacts(&whole, margin, max);
    if (status < TC_OK) return status;
    meet_gather all = {contact, max, 0, 0, at_a->position};
    status = meet_unions(&whole, margin, gap, &all);
    if (status < TC_OK) *gap = none;
    if (status >= TC_OK) *count = all.count;
    return status;
}

/* One plane as a pair of the list */
TCI_MEET_APART static tc_status list_plane(const tc_meet_contact *contact, uint32_t count,
                                           const tc_real origin[3],
                                           const tc_contact_between *between, tc_contact_list *list)
{
    tc_patch3 patch;
    plane_patch(contact, count, origin, &patch);
    for (uint32_t i = 0; i < patch.count; ++i) patch.vertex[i] = contact[patch.vertex[i]].feature;
    return tci_contact_list_put3(between, &patch, list);
}

tc_status tc_meet_contact_list(const tc_sdf *a, const tc_convex_pose *at_a, const tc_sdf *b,
                               const tc_convex_pose *at_b, tc_real margin,
                               const tc_contact_between *between, tc_contact_list *list,
                               tc_real *work, size_t work_len)
{
    tc_meet_contact contact[TC_MEET_CONTACT_MAX];
    tc_convex_gap gap;
    uint32_t count;
    if (!between || !list) return TC_ERR_NULL;
    tc_status status = tc_meet_contacts(a, at_a, b, at_b, margin, contact, TC_MEET_CONTACT_MAX,
                                        &count, &gap, work, work_len);
    for (uint32_t i = 0, end; status >= TC_OK && i < count; i = end) {
        for (end = i + 1u; end < count && contact[end].plane == contact[i].plane;) ++end;
        if (list_plane(contact + i, end - i, at_a->position, between, list) < TC_OK)
            status = TC_ERR_WORK;
    }
    return status;
}
