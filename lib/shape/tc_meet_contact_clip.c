/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Where the faces of two convex cores overlap.
 *
 * Frame. Everything is seen along the pair's normal n: places along two tangents, heights along n,
 * both from the middle of the closest points, so that numbers are as small as the contact area.
 *
 * Face. Of a box it is the one whose normal is nearest to the direction towards the other body, of
 * a cylinder an end where that direction is within 60 degrees of the axis, as eight rim points that
 * do not turn with the normal; else its side line. A segment is its own. Heights are those of the
 * surface: the core's and the rounding beyond it.
 *
 *     height over a face of normal m through p    z = (m . p - m_1 x - m_2 y) / m_3
 *
 * Two faces. The first is cut by each side of the second (Sutherland and Hodgman). A corner that
 * remains is one of the first, one of the second, or the crossing of two sides; each side carries
 * the number of the corner where it begins, so that a corner's feature does not depend on the way
 * there. The gap is the difference of both heights: at corners, since it is linear over the area.
 *
 * Two lines. They overlap between the ends of both, seen along the first. Off the second line by
 * delta, the surfaces of two round bars of radii rho, whose lines are Z apart, have the gap
 *
 *     sqrt(delta^2 + Z^2) - rho_a - rho_b,
 *
 * which leaves only the closest pair where bars cross.
 */
#include "tc_exact.h"

#include "tc_detect3_internal.h"
#include "tc_meet_contact_internal.h"

#define FACE_CORNERS 8u
#define CLIP_ROUNDING (TC_C(8.0) * TC_EPSILON) /* share of a side: what its place is known to */
#define FEATURE_OTHER 8u                       /* corners of the cutting face */
#define FEATURE_CROSSING 16u /* 8 times the corner where one side begins, and that of the other */

/* A face that looks at the other body, in the pair's frame */
typedef struct meet_face {
    uint32_t count;              /* 0: a plane without end; 1, 2, 4 or 8 corners */
    tc_real at[FACE_CORNERS][3]; /* places and heights, counter-clockwise */
    uint8_t id[FACE_CORNERS];    /* numbers of the corners in their core */
    tc_real height, slope[2];    /* of the face at the origin; where it has an area */
    tc_real radius;              /* of the bar, where the face is a line */
} meet_face;

/* The pair's frame */
typedef struct meet_view {
    tc_real frame[3][3];
    tc_real origin[3];
} meet_view;

const tc_real tci_meet_contact_rim[8][2] = {
    {TC_C(1.0), TC_C(0.0)},  {TC_C(0.70710678118654752), TC_C(0.70710678118654752)},
    {TC_C(0.0), TC_C(1.0)},  {TC_C(-0.70710678118654752), TC_C(0.70710678118654752)},
    {TC_C(-1.0), TC_C(0.0)}, {TC_C(-0.70710678118654752), TC_C(-0.70710678118654752)},
    {TC_C(0.0), TC_C(-1.0)}, {TC_C(0.70710678118654752), TC_C(-0.70710678118654752)}};

/* tc_calls: tci_meet_contact_core lib/shape/tc_sdf_round.c:core_halfspace */
/* tc_calls: tci_meet_contact_core lib/shape/tc_sdf_round.c:core_sphere */
/* tc_calls: tci_meet_contact_core lib/shape/tc_sdf_round.c:core_capsule */
/* tc_calls: tci_meet_contact_core lib/shape/tc_sdf_box.c:core_box */
/* tc_calls: tci_meet_contact_core lib/shape/tc_sdf_box.c:core_cylinder */

/* ---- Cores ----------------------------------------------------------------------------------- */

const tc_convex *tci_meet_contact_core(const tc_sdf *shape, tc_convex *core)
{
    if (!shape->kind->core || shape->kind->core(shape, TC_C(0.0), core) < TC_OK) return NULL;
    return core;
}

uint32_t tci_meet_contact_corners(const tc_convex *core)
{
    switch (core->kind) {
    case TC_CONVEX_SEGMENT: return 2u;
    case TC_CONVEX_BOX: return 8u;
    case TC_CONVEX_CYLINDER: return 16u;
    default: return 0u;
    }
}

/* Bit k of a box's corner is set where coordinate k is positive; a rim has eight points */
void tci_meet_contact_corner(const tc_convex *core, uint32_t i, tc_real corner[3])
{
    const tc_real *const half = core->half;
    const uint32_t top = core->kind == TC_CONVEX_SEGMENT ? 1u
                         : core->kind == TC_CONVEX_BOX   ? 4u
                                                         : 8u;
    corner[0] = corner[1] = TC_C(0.0);
    corner[2] = i & top ? half[2] : -half[2];
    if (core->kind == TC_CONVEX_BOX) {
        corner[0] = i & 1u ? half[0] : -half[0];
        corner[1] = i & 2u ? half[1] : -half[1];
    }
    if (core->kind == TC_CONVEX_CYLINDER) {
        corner[0] = half[0] * tci_meet_contact_rim[i & 7u][0];
        corner[1] = half[0] * tci_meet_contact_rim[i & 7u][1];
    }
}

/* ---- Faces ----------------------------------------------------------------------------------- */

/* Adds a corner: a point of the core in its axes, `out` beyond it along the normal */
static void face_corner(const meet_view *view, const tc_convex_pose *at, const tc_real p[3],
                        tc_real out, uint32_t id, meet_face *face)
{
    tc_real world[3];
    tc_real *const corner = face->at[face->count];
    tc_mat3_vec(at->rotation, p, world);
    for (uint32_t k = 0; k < 3u; ++k) world[k] += at->position[k] - view->origin[k];
    for (uint32_t k = 0; k < 3u; ++k) corner[k] = tc_vec_dot3(view->frame[k], world);
    corner[2] += out;
    face->id[face->count++] = (uint8_t)id;
}

/* Turns the corners round where the core's axis points down, and finds height and slope */
static void face_plane(const meet_view *view, const tc_real normal[3], meet_face *face)
{
    const tc_real up = tc_vec_dot3(view->frame[2], normal);
    for (uint32_t i = 0; up < TC_C(0.0) && 2u * i + 1u < face->count; ++i) {
        const uint32_t j = face->count - 1u - i;
        const uint8_t id = face->id[i];
        face->id[i] = face->id[j];
        face->id[j] = id;
        for (uint32_t k = 0; k < 3u; ++k) {
            const tc_real x = face->at[i][k];
            face->at[i][k] = face->at[j][k];
            face->at[j][k] = x;
        }
    }
    for (uint32_t k = 0; k < 2u; ++k) face->slope[k] = -tc_vec_dot3(view->frame[k], normal) / up;
    face->height = TC_MLS(TC_MLS(face->at[0][2], face->slope[0], face->at[0][0]), face->slope[1],
                          face->at[0][1]);
}

/* Column k of a rotation: an axis of the core */
static void core_axis(const tc_convex_pose *at, uint32_t k, tc_real axis[3])
{
    for (uint32_t i = 0; i < 3u; ++i) axis[i] = at->rotation[3u * i + k];
}

/* The corners of the face of a box that looks along d. Where a half edge is nearly 0, two of them
 * are one: a face without area is a line or a point. */
static void face_of_box(const meet_view *view, const tc_convex *core, const tc_convex_pose *at,
                        const tc_real d[3], tc_real out, meet_face *face)
{
    static const uint8_t round[4] = {3u, 2u, 0u, 1u};
    uint32_t axis = tc_vec_magnitude(d[1]) > tc_vec_magnitude(d[0]) ? 1u : 0u;
    if (tc_vec_magnitude(d[2]) > tc_vec_magnitude(d[axis])) axis = 2u;
    const uint32_t u = (axis + 1u) % 3u, v = (axis + 2u) % 3u;
    const uint32_t side = d[axis] > TC_C(0.0) ? 1u << axis : 0u;
    const tc_real least =
        TC_PATCH_RESOLUTION * (core->half[0] + core->half[1] + core->half[2] + core->radius);
    tc_real corner[3], normal[3];
    for (uint32_t i = 0; i < 4u; ++i) {
        const uint32_t along = round[i] & 1u, across = round[i] >> 1u;
        if ((!along && core->half[u] <= least) || (!across && core->half[v] <= least)) continue;
        const uint32_t id = side | along << u | across << v;
        tci_meet_contact_corner(core, id, corner);
        face_corner(view, at, corner, out, id, face);
    }
    face->radius = core->radius;
    if (face->count < 3u) return;
    core_axis(at, axis, normal);
    face_plane(view, normal, face);
}

/* The end of a cylinder that looks along d, or the line of its side that does */
static void face_of_cylinder(const meet_view *view, const tc_convex *core, const tc_convex_pose *at,
                             const tc_real d[3], tc_real out, meet_face *face)
{
    const tc_real square = TC_MLA(d[0] * d[0], d[1], d[1]);
    tc_real corner[3], normal[3];
    if (d[2] * d[2] >= TC_C(0.25) && core->half[0] > TC_C(0.0)) {
        for (uint32_t i = 0; i < 8u; ++i) {
            tci_meet_contact_corner(core, d[2] > TC_C(0.0) ? i + 8u : i, corner);
            face_corner(view, at, corner, out, i, face);
        }
        core_axis(at, 2, normal);
        face_plane(view, normal, face);
        return;
    }
    const tc_real scale = square > TC_C(0.0) ? core->half[0] / tc_sqrt(square) : TC_C(0.0);
    for (uint32_t i = 0; i < 2u; ++i) {
        if (i == 0u && !(core->half[2] > TC_C(0.0))) continue;
        corner[0] = scale * d[0];
        corner[1] = scale * d[1];
        corner[2] = i == 0u ? -core->half[2] : core->half[2];
        face_corner(view, at, corner, out, i, face);
    }
    face->radius = core->half[0] + core->radius;
}

/* The face of a core that looks along the frame's normal, or against it; side: 1 or -1 */
static void face_of(const meet_view *view, const tc_convex *core, const tc_convex_pose *at,
                    tc_real side, meet_face *face)
{
    tc_real d[3], corner[3];
    const tc_real out = side * core->radius;
    tc_mat3_vec_t(at->rotation, view->frame[2], d);
    for (uint32_t k = 0; k < 3u; ++k) d[k] *= side;
    face->count = 0;
    if (core->kind == TC_CONVEX_BOX) face_of_box(view, core, at, d, out, face);
    if (core->kind == TC_CONVEX_CYLINDER) face_of_cylinder(view, core, at, d, out, face);
    if (core->kind != TC_CONVEX_SEGMENT) return;
    for (uint32_t i = 0; i < 2u; ++i) {
        tci_meet_contact_corner(core, i, corner);
        face_corner(view, at, corner, out, i, face);
    }
    face->radius = core->radius;
}

/* ---- Cutting --------------------------------------------------------------------------------- */

static void polygon_put(const tc_real at[3], uint32_t feature, uint32_t side, tci_meet_polygon *to)
{
    if (to->count == TCI_MEET_CONTACT_CORNERS) return;
    for (uint32_t k = 0; k < 3u; ++k) to->at[to->count][k] = at[k];
    to->feature[to->count] = (uint8_t)feature;
    to->side[to->count++] = (uint8_t)side;
}

/* The feature where a polygon's side crosses side j of the cutting face */
static uint32_t crossing_feature(const meet_face *cutting, uint32_t side, uint32_t j)
{
    if (side < FACE_CORNERS) return FEATURE_CROSSING + FACE_CORNERS * side + cutting->id[j];
    const uint32_t k = side - FACE_CORNERS;
    return FEATURE_OTHER + cutting->id[k == (j + 1u) % cutting->count ? k : j];
}

/* What of the polygon lies to the left of side j, which is moved out by its rounding: of corners
 * on it the polygon's stay */
static void cut_polygon(const tci_meet_polygon *from, const meet_face *cutting, uint32_t j,
                        tci_meet_polygon *to)
{
    const tc_real *const start = cutting->at[j];
    const tc_real *const end = cutting->at[(j + 1u) % cutting->count];
    const tc_real x = end[0] - start[0], y = end[1] - start[1];
    const tc_real out = CLIP_ROUNDING * TC_MLA(x * x, y, y);
    tc_real left[TCI_MEET_CONTACT_CORNERS];
    to->count = 0;
    for (uint32_t i = 0; i < from->count; ++i) {
        const tc_real dx = from->at[i][0] - start[0], dy = from->at[i][1] - start[1];
        left[i] = out + TC_MLS(x * dy, y, dx);
    }
    for (uint32_t i = 0; i < from->count; ++i) {
        const uint32_t next = i + 1u == from->count ? 0u : i + 1u;
        const int inside = left[i] >= TC_C(0.0), stays = left[next] >= TC_C(0.0);
        if (inside) polygon_put(from->at[i], from->feature[i], from->side[i], to);
        if (inside == stays) continue;
        const tc_real share = left[i] / (left[i] - left[next]);
        tc_real at[3];
        for (uint32_t k = 0; k < 3u; ++k)
            at[k] = TC_MLA(from->at[i][k], share, from->at[next][k] - from->at[i][k]);
        polygon_put(at, crossing_feature(cutting, from->side[i], j),
                    inside ? FACE_CORNERS + j : from->side[i], to);
    }
}

static tc_real face_height(const meet_face *face, const tc_real at[2])
{
    return TC_MLA(TC_MLA(face->height, face->slope[0], at[0]), face->slope[1], at[1]);
}

_Static_assert(3u * sizeof(tci_meet_polygon) >= TCI_MEET_CONTACT_CORNERS * sizeof(tc_meet_contact),
               "contacts of the last polygon end before it");

/* Cuts one face by another that has an area, or by a plane. second: the face is b's. */
static void cut_face(const meet_view *view, const meet_face *face, const meet_face *cutting,
                     int second, tci_meet_contact_found *found)
{
    tci_meet_polygon *const polygon = found->polygon;
    uint32_t now = cutting->count % 2u ? 0u : 3u; /* the rest is the last polygon */
    polygon[now].count = 0;
    for (uint32_t i = 0; i < face->count; ++i)
        polygon_put(face->at[i], face->id[i], face->id[i], &polygon[now]);
    for (uint32_t j = 0; j < cutting->count; ++j, now = 3u - now) {
        cut_polygon(&polygon[now], cutting, j, &polygon[3u - now]);
    }
    const tci_meet_polygon *const rest = &polygon[3];
    for (uint32_t i = 0; i < rest->count; ++i) {
        const tc_real own = rest->at[i][2], other = face_height(cutting, rest->at[i]);
        const tc_real height[2] = {second ? other : own, second ? own : other};
        tci_meet_contact_add(view->frame, view->origin, rest->at[i], height,
                             second ? TCI_MEET_CONTACT_SECOND + rest->feature[i] : rest->feature[i],
                             found);
    }
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static tc_real clamp_share(tc_real x)
{
    return x < TC_C(0.0) ? TC_C(0.0) : x > TC_C(1.0) ? TC_C(1.0) : x;
}

/* Share of the way along a line, beyond its ends, too, that is nearest to a place */
static tc_real line_share(const meet_face *line, const tc_real way[2], tc_real square,
                          const tc_real at[3])
{
    return TC_MLA((at[0] - line->at[0][0]) * way[0], at[1] - line->at[0][1], way[1]) / square;
}

/* The contact at a share of a's line */
static void line_contact(const meet_view *view, const meet_face *a, const meet_face *b,
                         tc_real share, uint32_t feature, tci_meet_contact_found *found)
{
    const tc_real way[2] = {b->at[1][0] - b->at[0][0], b->at[1][1] - b->at[0][1]};
    const tc_real square = TC_MLA(way[0] * way[0], way[1], way[1]);
    tc_real p[3], q[3], place[2];
    for (uint32_t k = 0; k < 3u; ++k) p[k] = TC_MLA(a->at[0][k], share, a->at[1][k] - a->at[0][k]);
    const tc_real along = clamp_share(line_share(b, way, square, p));
    for (uint32_t k = 0; k < 3u; ++k) q[k] = TC_MLA(b->at[0][k], along, b->at[1][k] - b->at[0][k]);
    const tc_real x = p[0] - q[0], y = p[1] - q[1], radius = a->radius + b->radius;
    const tc_real apart = p[2] - q[2] + radius;
    tc_real gap = p[2] - q[2];
    if (apart > TC_C(0.0)) gap = tc_sqrt(TC_MLA(TC_MLA(apart * apart, x, x), y, y)) - radius;
    for (uint32_t k = 0; k < 2u; ++k) place[k] = TC_C(0.5) * (p[k] + q[k]);
    const tc_real height[2] = {q[2] + gap, q[2]};
    tci_meet_contact_add(view->frame, view->origin, place, height, feature, found);
}

/* The ends of what two lines have in common, seen along a's */
static void join_lines(const meet_view *view, const meet_face *a, const meet_face *b,
                       tci_meet_contact_found *found)
{
    const tc_real way[2] = {a->at[1][0] - a->at[0][0], a->at[1][1] - a->at[0][1]};
    const tc_real square = TC_MLA(way[0] * way[0], way[1], way[1]);
    const tc_real x = b->at[1][0] - b->at[0][0], y = b->at[1][1] - b->at[0][1];
    const tc_real least = TC_PATCH_RESOLUTION * (a->radius + b->radius);
    if (!(square > least * least) || !(TC_MLA(x * x, y, y) > least * least)) return;
    const tc_real end[2] = {line_share(a, way, square, b->at[0]),
                            line_share(a, way, square, b->at[1])};
    const uint32_t low = end[1] < end[0] ? 1u : 0u, high = low ^ 1u;
    if (end[low] > TC_C(1.0) || end[high] < TC_C(0.0)) return;
    line_contact(view, a, b, clamp_share(end[low]),
                 end[low] > TC_C(0.0) ? FEATURE_OTHER + b->id[low] : a->id[0], found);
    line_contact(view, a, b, clamp_share(end[high]),
                 end[high] < TC_C(1.0) ? FEATURE_OTHER + b->id[high] : a->id[1], found);
}

/* ---- The pair -------------------------------------------------------------------------------- */

static int face_cuts(const meet_face *face, const tc_convex *core)
{
    return face->count > 2u || core->kind == TC_CONVEX_HALFSPACE;
}

void tci_meet_contact_clip(const tci_meet_pair *pair, const tc_convex_gap *gap,
                           tci_meet_contact_found *found)
{
    meet_view view;
    meet_face a, b;
    tci_detect3_frame(gap->normal, view.frame);
    for (uint32_t k = 0; k < 3u; ++k)
        view.origin[k] = TC_C(0.5) * (gap->point_a[k] + gap->point_b[k]);
    face_of(&view, pair->core_a, pair->at_a, TC_C(-1.0), &a);
    face_of(&view, pair->core_b, pair->at_b, TC_C(1.0), &b);
    const tc_real half = TC_C(0.5) * gap->distance;
    if (a.count == 0u) {
        a.height = half;
        a.slope[0] = a.slope[1] = TC_C(0.0);
    }
    if (b.count == 0u) {
        b.height = -half;
        b.slope[0] = b.slope[1] = TC_C(0.0);
    }
    if (a.count > 1u && face_cuts(&b, pair->core_b)) {
        cut_face(&view, &a, &b, 0, found);
    } else if (b.count > 1u && face_cuts(&a, pair->core_a)) {
        cut_face(&view, &b, &a, 1, found);
    } else if (a.count == 2u && b.count == 2u) {
        join_lines(&view, &a, &b, found);
    }
}
