/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The spatial contact detector: gaps of all vertices, then the corners of the contacts' hull along
 * the plane.
 *
 * As in tc_detect2.c the plane comes to the body: the rows of its frame F are turned into body
 * axes, F R, once; a vertex's gap is then one dot product, its place along the plane two.
 *
 * Hull from outside to inside (quickhull's idea, cut short). The contact farthest from any point is
 * a corner of the hull, and so is the one farthest outside a line. With o the outward normal of the
 * side from corner P to corner Q (dy, -dx)/|PQ|, and g = o_0 F_0 + o_1 F_1 in body axes, a contact
 * lies outside that side by g . v - g . P: three products per vertex. For each side the farthest
 * contact outside it is remembered; the farthest of all becomes a corner and makes two sides of
 * one. Where several are equally far, on a straight side parallel to this one, the one at its end
 * is taken: so whatever is taken is a corner, and nothing has to be given back. Looks through the
 * contacts: 4 at first, 3 for each of at most 6 further corners, and one for each corner in the end
 * if there are contacts that are no corners.
 *
 * Cost on Cortex-M4F: 450 instructions and 18 per vertex; a contact costs 16 to 35 per look, 1,000
 * at most. A box on its face 2,700, on an edge 1,200; 64 vertices that are all contacts 50,000.
 */
#include "tc_exact.h"
#include "tc_detect3.h"

#include "tc_detect3_internal.h"
#include "tc_vec.h"

typedef struct hull {
    const tc_real *vertices;
    tc_real axis[9];    /* rows: tangents and normal, body axes */
    tc_real lift;       /* gap of a vertex at the centre of mass [m] */
    tc_real resolution; /* [m] */
    uint32_t contacts;
    uint32_t corners;
    tc_real at[TC_PATCH_MAX][2];   /* corners along the plane, counter-clockwise [m] */
    tc_real out[TC_PATCH_MAX];     /* how far `next` lies outside the side that begins here [m] */
    uint8_t corner[TC_PATCH_MAX];  /* vertex */
    uint8_t next[TC_PATCH_MAX];    /* vertex farthest outside that side */
    uint8_t contact[TC_SHAPE_MAX]; /* vertices that are contacts, ascending */
} hull;

static inline const tc_real *vertex_of(const hull *s, uint32_t i)
{
    return s->vertices + 3u * i;
}

static inline tc_real gap_of_detect3(const hull *s, uint32_t i)
{
    return s->lift + tc_vec_dot3(s->axis + 6, vertex_of(s, i));
}

static uint32_t corner_after(const hull *s, uint32_t e)
{
    return e + 1u == s->corners ? 0u : e + 1u;
}

/* Index of the contact farthest from a place along the plane; the first of equals. *square: its
 * distance squared. */
static uint32_t farthest_from(const hull *s, const tc_real place[2], tc_real *square)
{
    tc_real most = TC_C(-1.0);
    uint32_t best = s->contact[0];
    for (uint32_t k = 0; k < s->contacts; ++k) {
        const tc_real *v = vertex_of(s, s->contact[k]);
        const tc_real x = tc_vec_dot3(s->axis, v) - place[0];
        const tc_real y = tc_vec_dot3(s->axis + 3, v) - place[1];
        const tc_real distance = TC_MLA(x * x, y, y);
        if (distance > most) {
            most = distance;
            best = s->contact[k];
        }
    }
    *square = most;
    return best;
}

static void set_corner(hull *s, uint32_t e, uint32_t vertex)
{
    s->corner[e] = (uint8_t)vertex;
    s->at[e][0] = tc_vec_dot3(s->axis, vertex_of(s, vertex));
    s->at[e][1] = tc_vec_dot3(s->axis + 3, vertex_of(s, vertex));
}

/* Unit normal to the right of the way from P to Q: outward of a counter-clockwise side */
static void outward_normal(const tc_real P[2], const tc_real Q[2], tc_real o[2])
{
    const tc_real x = Q[0] - P[0], y = Q[1] - P[1];
    const tc_real scale = TC_C(1.0) / tc_sqrt(TC_MLA(x * x, y, y));
    o[0] = y * scale;
    o[1] = -x * scale;
}

/* Finds the contact farthest outside the side that begins at corner e. */
static void look_detect3(hull *s, uint32_t e)
{
    tc_real o[2], g[3];
    outward_normal(s->at[e], s->at[corner_after(s, e)], o);
    for (int k = 0; k < 3; ++k) g[k] = TC_MLA(o[0] * s->axis[k], o[1], s->axis[3 + k]);
    tc_real most = tc_vec_dot3(g, vertex_of(s, s->contact[0]));
    uint32_t best = s->contact[0];
    for (uint32_t k = 1; k < s->contacts; ++k) {
        const tc_real distance = tc_vec_dot3(g, vertex_of(s, s->contact[k]));
        if (distance > most) {
            most = distance;
            best = s->contact[k];
        }
    }
    s->next[e] = (uint8_t)best;
    s->out[e] = most - tc_vec_dot3(g, vertex_of(s, s->corner[e]));
}

static void copy_corner(hull *s, uint32_t from, uint32_t to)
{
    s->corner[to] = s->corner[from];
    s->at[to][0] = s->at[from][0];
    s->at[to][1] = s->at[from][1];
    s->next[to] = s->next[from];
    s->out[to] = s->out[from];
}

/* Of the contacts as far outside the side at corner e as the farthest one (on a straight side
 * parallel to it, perhaps with vertices along it) the last in the direction of the side: a
 * corner. */
static uint32_t end_of_ties(const hull *s, uint32_t e)
{
    const tc_real *P = s->at[e];
    const tc_real least = s->out[e] - TC_C(0.5) * s->resolution;
    tc_real o[2], most = TC_C(-1e30);
    uint32_t best = s->next[e];
    outward_normal(P, s->at[corner_after(s, e)], o);
    for (uint32_t k = 0; k < s->contacts; ++k) {
        const tc_real *v = vertex_of(s, s->contact[k]);
        const tc_real x = tc_vec_dot3(s->axis, v) - P[0];
        const tc_real y = tc_vec_dot3(s->axis + 3, v) - P[1];
        const tc_real along = TC_MLS(o[0] * y, o[1], x);
        if (TC_MLA(o[0] * x, o[1], y) >= least && along > most) {
            most = along;
            best = s->contact[k];
        }
    }
    return best;
}

/* Splits the side that begins at corner e at the contact farthest outside it. */
static void split_side(hull *s, uint32_t e)
{
    const uint32_t vertex = end_of_ties(s, e);
    for (uint32_t k = s->corners; k > e + 1u; --k) copy_corner(s, k - 1u, k);
    ++s->corners;
    set_corner(s, e + 1u, vertex);
    look_detect3(s, e);
    look_detect3(s, e + 1u);
}

/* The side with the farthest contact outside it; the first of equals */
static uint32_t widest_detect3(const hull *s)
{
    uint32_t best = 0;
    for (uint32_t e = 1; e < s->corners; ++e) best = s->out[e] > s->out[best] ? e : best;
    return best;
}

/* The corners of the contacts' hull, at most TC_PATCH_MAX, counter-clockwise: see tc_detect3.h. */
static void find_corners(hull *s, tc_real height)
{
    static const tc_real foot[2] = {TC_C(0.0), TC_C(0.0)};
    tc_real square;
    s->corners = 1;
    if (s->contacts == 1u) {
        s->resolution = TC_C(0.0);
        set_corner(s, 0, s->contact[0]);
        return;
    }
    const uint32_t first = farthest_from(s, foot, &square);
    s->resolution = TC_PATCH_RESOLUTION * tc_sqrt(TC_MLA(square, height, height));
    set_corner(s, 0, first);
    const uint32_t second = farthest_from(s, s->at[0], &square);
    if (!(square > s->resolution * s->resolution)) return;
    s->corners = 2;
    set_corner(s, 1, second);
    look_detect3(s, 0);
    look_detect3(s, 1);
    while (s->corners < TC_PATCH_MAX) {
        const uint32_t e = widest_detect3(s);
        if (!(s->out[e] > s->resolution)) return;
        split_side(s, e);
    }
}

/* Of the contacts within `reach` of corner e along the plane the lowest, and of these the first;
 * margin: above the gaps of all contacts */
static void take_lowest_detect3(hull *s, uint32_t e, tc_real reach, tc_real margin)
{
    const tc_real x = s->at[e][0], y = s->at[e][1];
    uint32_t best = s->corner[e];
    tc_real least = margin;
    for (uint32_t k = 0; k < s->contacts; ++k) {
        const tc_real *v = vertex_of(s, s->contact[k]);
        const tc_real dx = tc_vec_dot3(s->axis, v) - x;
        const tc_real dy = tc_vec_dot3(s->axis + 3, v) - y;
        const tc_real gap = gap_of_detect3(s, s->contact[k]);
        if (TC_MLA(dx * dx, dy, dy) <= reach * reach && gap < least) {
            least = gap;
            best = s->contact[k];
        }
    }
    set_corner(s, e, best);
}

/* The corners as contacts, from the smallest index on */
static void fill_detect3(const hull *s, tc_real height, tc_patch3 *patch)
{
    uint32_t e = 0;
    for (uint32_t k = 1; k < s->corners; ++k) e = s->corner[k] < s->corner[e] ? k : e;
    patch->count = s->corners;
    patch->dimension = s->corners < 3u ? s->corners - 1u : 2u;
    for (uint32_t i = 0; i < s->corners; ++i, e = corner_after(s, e)) {
        patch->vertex[i] = s->corner[e];
        patch->arm[i][0] = s->at[e][0];
        patch->arm[i][1] = s->at[e][1];
        patch->arm[i][2] = -height;
        patch->gap[i] = gap_of_detect3(s, s->corner[e]);
    }
}

void tc_detect3_turned(const tc_shape3 *shape, const tc_real position[3], const tc_real R[9],
                       const tc_plane3 *plane, tc_real margin, tc_patch3 *patch)
{
    static const tc_patch3 none = {0};
    const tc_real height = tc_vec_dot3(plane->normal, position) - plane->offset;
    hull s;
    *patch = none;
    tci_detect3_frame(plane->normal, patch->frame);
    for (uint32_t k = 0; k < 3u; ++k) tc_mat3_vec_t(R, patch->frame[k], s.axis + 3u * k);
    s.vertices = shape->vertices;
    s.lift = height - shape->radius;
    s.contacts = 0;
    for (uint32_t i = 0; i < shape->count; ++i) {
        if (gap_of_detect3(&s, i) < margin) s.contact[s.contacts++] = (uint8_t)i;
    }
    if (s.contacts == 0u) return;
    find_corners(&s, height);
    for (uint32_t e = 0; s.contacts > s.corners && e < s.corners; ++e) {
        take_lowest_detect3(&s, e, TC_C(0.25) * s.resolution, margin);
    }
    fill_detect3(&s, height, patch);
}

void tc_detect3_unchecked(const tc_shape3 *shape, const tc_body3_state *state,
                          const tc_plane3 *plane, tc_real margin, tc_patch3 *patch)
{
    tc_real R[9];
    tc_vec_rotation(state->orientation, R);
    tc_detect3_turned(shape, state->position, R, plane, margin, patch);
}

static tc_status check_call_detect3(const tc_shape3 *shape, const tc_body3_state *state,
                                    const tc_plane3 *plane, tc_real margin)
{
    if (!shape || !state || !plane || !shape->vertices) return TC_ERR_NULL;
    if (shape->count - 1u >= TC_SHAPE_MAX) return TC_ERR_SIZE;
    const tc_real numbers = tc_vec_zero(state->position, 3) + tc_vec_zero(state->orientation, 4)
                            + tc_vec_zero(plane->normal, 3);
    const tc_real rest = TC_C(0.0) * margin * plane->offset * shape->radius;
    if (!(numbers + rest == TC_C(0.0))) return TC_ERR_NOT_FINITE;
    if (shape->radius < TC_C(0.0)) return TC_ERR_RANGE;
    return tc_vec_is_unit(plane->normal, 3) && tc_vec_is_unit(state->orientation, 4) ? TC_OK
                                                                                     : TC_ERR_UNIT;
}

tc_status tc_detect3(const tc_shape3 *shape, const tc_body3_state *state, const tc_plane3 *plane,
                     tc_real margin, tc_patch3 *patch)
{
    static const tc_patch3 none = {0};
    if (!patch) return TC_ERR_NULL;
    tc_status status = check_call_detect3(shape, state, plane, margin);
    if (status >= TC_OK) {
        tc_detect3_unchecked(shape, state, plane, margin, patch);
        tc_real numbers = TC_C(0.0) * patch->arm[0][2];
        for (uint32_t i = 0; i < patch->count; ++i) {
            numbers = numbers * patch->arm[i][0] * patch->arm[i][1] * patch->gap[i];
        }
        if (numbers == TC_C(0.0)) return TC_OK;
        status = TC_ERR_RANGE;
    }
    *patch = none;
    return status;
}
