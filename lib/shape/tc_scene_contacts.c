/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts of a placed scene: who touches where, and the rows of what touches.
 *
 * A shape on a half space has the contacts of its detector, whose arms end on the plane. A ball's
 * contact with a plane lies there too. Two balls touch halfway between their surfaces. Where a
 * surface is centred, and for a particle, impulses act at the ball's centre.
 */
#include "tc_exact.h"
#include "tc_scene_core.h"

#include "tc_detect2.h"
#include "tc_detect3.h"
#include "tc_vec.h"

#include <string.h>

/* A surface of either dimension: vertices and radius. */
typedef struct scene_hull {
    const tc_real *vertices;
    uint32_t count;
    tc_real radius;
} scene_hull;

static scene_hull scene_hull_of(const tc_scene *scene, const tc_scene_surface *surface)
{
    if (scene->dimension == 2u) {
        const tc_shape2 *const shape = surface->shape2;
        return (scene_hull){shape->vertices, shape->count, shape->radius};
    }
    const tc_shape3 *const shape = surface->shape3;
    return (scene_hull){shape->vertices, shape->count, shape->radius};
}

static const tc_scene_frame *frame_under(const tc_scene_placed *placed,
                                         const tc_scene_surface *surface)
{
    return &placed->frame[placed->span[surface->mover].link + surface->link];
}

/* World position of vertex i */
static void place_vertex(const tc_scene_placed *placed, const tc_scene_surface *surface, uint32_t i,
                         tc_real x[3])
{
    const uint32_t dimension = placed->scene->dimension;
    const scene_hull shape = scene_hull_of(placed->scene, surface);
    const tc_scene_frame *const frame = frame_under(placed, surface);
    tc_real local[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    memcpy(local, shape.vertices + (size_t)dimension * i, dimension * sizeof *local);
    tc_mat3_vec(frame->R, local, x);
    for (uint32_t k = 0; k < 3u; ++k) x[k] += frame->at[k];
}

/* Normal and offset of a half space; returns 0 if the surface is none. */
static int take_plane(const tc_scene *scene, const tc_scene_surface *surface, tc_real normal[3],
                      tc_real *offset)
{
    if (surface->mover != TC_SCENE_WORLD) return 0;
    normal[2] = TC_C(0.0);
    memcpy(normal, scene->dimension == 2u ? surface->plane2->normal : surface->plane3->normal,
           scene->dimension * sizeof *normal);
    *offset = scene->dimension == 2u ? surface->plane2->offset : surface->plane3->offset;
    return 1;
}

/* ---- Gaps ------------------------------------------------------------------------------------ */

/* From b's ball to a's: n, the place halfway; returns the gap. Balls at one place have no normal:
 * then it is up. */
static tc_real meet_balls(const tc_scene_placed *placed, const tc_scene_pair *pair, tc_real n[3],
                          tc_real x[3])
{
    const tc_scene *const scene = placed->scene;
    const tc_scene_surface *const a = &scene->surface[pair->a], *const b = &scene->surface[pair->b];
    const tc_real ra = scene_hull_of(scene, a).radius, rb = scene_hull_of(scene, b).radius;
    tc_real centre_a[3], centre_b[3];
    place_vertex(placed, a, 0, centre_a);
    place_vertex(placed, b, 0, centre_b);
    const tc_real distance = tc_scene_between(centre_b, centre_a, n);
    const tc_real gap = distance - ra - rb;
    if (!(distance > TC_C(0.0))) {
        n[0] = n[2] = TC_C(0.0);
        n[1] = TC_C(1.0);
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        n[k] = distance > TC_C(0.0) ? n[k] / distance : n[k];
        x[k] = TC_MLS(centre_a[k], TC_MLA(ra, TC_C(0.5), gap), n[k]);
    }
    return gap;
}

static tc_real lowest_gap(const tc_scene_placed *placed, const tc_scene_surface *surface,
                          const tc_real normal[3], tc_real offset)
{
    const scene_hull shape = scene_hull_of(placed->scene, surface);
    tc_real least = TC_C(0.0);
    for (uint32_t i = 0; i < shape.count; ++i) {
        tc_real x[3];
        place_vertex(placed, surface, i, x);
        const tc_real gap = tc_vec_dot3(normal, x) - offset - shape.radius;
        least = i == 0u || gap < least ? gap : least;
    }
    return least;
}

/* The stack of signed distances is not counted here: tc_scene_shapes.h has it. */
/* tc_calls: tc_scene_gap tc_scene_between */
tc_real tc_scene_gap(const tc_scene_placed *placed, uint32_t source)
{
    const tc_scene *const scene = placed->scene;
    tc_real normal[3], x[3], offset;
    uint16_t side;
    if (source >= scene->pairs) {
        return tc_scene_limit_gap(placed, &scene->limit[source - scene->pairs], &side);
    }
    const tc_scene_pair *const pair = &scene->pair[source];
    if (scene->surface[pair->a].sdf != NULL) return scene->meeting->gap(placed, pair);
    if (take_plane(scene, &scene->surface[pair->b], normal, &offset)) {
        return lowest_gap(placed, &scene->surface[pair->a], normal, offset);
    }
    return meet_balls(placed, pair, normal, x);
}

/* tc_calls: tc_scene_gap_bound tc_scene_between */
tc_real tc_scene_gap_bound(const tc_scene_placed *placed, uint32_t pair)
{
    const tc_scene *const scene = placed->scene;
    const tc_scene_pair *const own = &scene->pair[pair];
    const tc_scene_surface *const a = &scene->surface[own->a];
    tc_real normal[3], offset;
    if (a->sdf != NULL) return scene->meeting->bound(placed, own);
    if (!(a->reach > TC_C(0.0)) || scene->dimension != 3u
        || !take_plane(scene, &scene->surface[own->b], normal, &offset)) {
        return -TC_SCENE_NO_BOUND;
    }
    return tc_vec_dot3(normal, frame_under(placed, a)->at) - offset - a->reach;
}

/* ---- Finding --------------------------------------------------------------------------------- */

void tc_scene_keep(const tc_scene_contact *found, tc_scene_contacts *contacts)
{
    if (contacts->count < contacts->max) {
        contacts->contact[contacts->count++] = *found;
        return;
    }
    ++contacts->dropped;
    uint32_t last = 0;
    for (uint32_t i = 1; i < contacts->count; ++i) {
        if (contacts->contact[i].gap > contacts->contact[last].gap) last = i;
    }
    if (contacts->count > 0u && found->gap < contacts->contact[last].gap) {
        contacts->contact[last] = *found;
    }
}

/* Where impulses act: at the point, or at the vertex */
static void set_arm(const tc_scene_placed *placed, const tc_scene_surface *surface,
                    tc_scene_contact *found)
{
    const int at_vertex =
        surface->centred || placed->scene->mover[surface->mover].kind == TC_SCENE_PARTICLE;
    memcpy(found->arm, found->point, sizeof found->arm);
    if (at_vertex) place_vertex(placed, surface, found->feature, found->arm);
}

static void find_ball(const tc_scene_placed *placed, uint16_t source, tc_real margin,
                      tc_scene_contacts *contacts)
{
    const tc_scene *const scene = placed->scene;
    const tc_scene_pair *const pair = &scene->pair[source];
    const tc_scene_surface *const a = &scene->surface[pair->a];
    tc_scene_contact found = {.source = source};
    tc_real offset;
    if (take_plane(scene, &scene->surface[pair->b], found.normal, &offset)) {
        place_vertex(placed, a, 0, found.point);
        const tc_real height = tc_vec_dot3(found.normal, found.point) - offset;
        found.gap = height - scene_hull_of(scene, a).radius;
        for (uint32_t k = 0; k < 3u; ++k) {
            found.point[k] = TC_MLS(found.point[k], height, found.normal[k]);
        }
    } else {
        found.gap = meet_balls(placed, pair, found.normal, found.point);
    }
    if (!(found.gap < margin)) return;
    set_arm(placed, a, &found);
    tc_scene_keep(&found, contacts);
}

static void find_polygon(const tc_scene_placed *placed, uint16_t source, tc_real margin,
                         tc_scene_contacts *contacts)
{
    const tc_scene *const scene = placed->scene;
    const tc_scene_surface *const a = &scene->surface[scene->pair[source].a];
    const tc_plane2 *const plane = scene->surface[scene->pair[source].b].plane2;
    const tc_scene_frame *const frame = frame_under(placed, a);
    const tc_real angle = tc_atan2(frame->R[3], frame->R[0]);
    const tc_body2_state state = {.position = {frame->at[0], frame->at[1], angle}};
    tc_patch2 patch;
    tc_detect2_unchecked(a->shape2, &state, plane, margin, &patch);
    for (uint32_t i = 0; i < patch.count; ++i) {
        const tc_real *const n = patch.normal, x = patch.lever[i], y = patch.height;
        tc_scene_contact found = {.point = {frame->at[0] + x * n[1] - y * n[0],
                                            frame->at[1] - x * n[0] - y * n[1], TC_C(0.0)},
                                  .normal = {n[0], n[1], TC_C(0.0)},
                                  .gap = patch.gap[i],
                                  .source = source,
                                  .feature = (uint16_t)patch.vertex[i]};
        set_arm(placed, a, &found);
        tc_scene_keep(&found, contacts);
    }
}

static void find_polyhedron(const tc_scene_placed *placed, uint16_t source, tc_real margin,
                            tc_scene_contacts *contacts)
{
    const tc_scene *const scene = placed->scene;
    const tc_scene_surface *const a = &scene->surface[scene->pair[source].a];
    const tc_plane3 *const plane = scene->surface[scene->pair[source].b].plane3;
    const tc_scene_frame *const frame = frame_under(placed, a);
    tc_patch3 patch;
    tc_detect3_turned(a->shape3, frame->at, frame->R, plane, margin, &patch);
    for (uint32_t i = 0; i < patch.count; ++i) {
        tc_scene_contact found = {
            .gap = patch.gap[i], .source = source, .feature = (uint16_t)patch.vertex[i]};
        memcpy(found.normal, patch.frame[2], sizeof found.normal);
        tc_mat3_vec_t(&patch.frame[0][0], patch.arm[i], found.point);
        for (uint32_t k = 0; k < 3u; ++k) found.point[k] += frame->at[k];
        set_arm(placed, a, &found);
        tc_scene_keep(&found, contacts);
    }
}

static void find_limit(const tc_scene_placed *placed, uint32_t i, tc_real margin,
                       tc_scene_contacts *contacts)
{
    tc_scene_contact found = {.source = (uint16_t)(placed->scene->pairs + i)};
    found.gap = tc_scene_limit_gap(placed, &placed->scene->limit[i], &found.feature);
    if (found.gap < margin) tc_scene_keep(&found, contacts);
}

/* tc_calls: tc_scene_find_pair tc_scene_between */
/* tc_calls: tc_scene_find tc_scene_between */
void tc_scene_find_pair(const tc_scene_placed *placed, uint32_t pair, tc_real margin,
                        tc_scene_contacts *contacts)
{
    const tc_scene *const scene = placed->scene;
    const tc_scene_surface *const a = &scene->surface[scene->pair[pair].a];
    const uint16_t source = (uint16_t)pair;
    if (a->sdf == NULL && a->reach > TC_C(0.0) && tc_scene_gap_bound(placed, pair) > margin) return;
    if (a->sdf != NULL) {
        scene->meeting->find(placed, source, margin, contacts);
    } else if (scene_hull_of(scene, a).count == 1u) {
        find_ball(placed, source, margin, contacts);
    } else if (scene->dimension == 2u) {
        find_polygon(placed, source, margin, contacts);
    } else {
        find_polyhedron(placed, source, margin, contacts);
    }
}

void tc_scene_find(const tc_scene_placed *placed, tc_real margin, tc_scene_contacts *contacts)
{
    const tc_scene *const scene = placed->scene;
    contacts->count = contacts->dropped = 0;
    for (uint32_t p = 0; p < scene->pairs; ++p) tc_scene_find_pair(placed, p, margin, contacts);
    for (uint32_t i = 0; i < scene->limits; ++i) find_limit(placed, i, margin, contacts);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void tc_scene_tangents(uint32_t dimension, const tc_real n[3], tc_real t[2][3])
{
    if (dimension == 2u) {
        t[0][0] = n[1];
        t[0][1] = -n[0];
        t[0][2] = TC_C(0.0);
        return;
    }
    uint32_t least = 0;
    for (uint32_t k = 1; k < 3u; ++k) {
        if (tc_vec_magnitude(n[k]) < tc_vec_magnitude(n[least])) least = k;
    }
    tc_real axis[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    axis[least] = TC_C(1.0);
    tc_vec_cross(axis, n, t[0]);
    const tc_real scale = TC_C(1.0) / tc_sqrt(tc_vec_dot3(t[0], t[0]));
    for (uint32_t k = 0; k < 3u; ++k) t[0][k] *= scale;
    tc_vec_cross(n, t[0], t[1]);
}

static void write_contact_row(const tc_scene_placed *placed, const tc_scene_contact *c,
                              const tc_real arm_b[3], const tc_real n[3], tc_real *row)
{
    const tc_scene *const scene = placed->scene;
    const tc_scene_pair *const pair = &scene->pair[c->source];
    const tc_scene_surface *const a = &scene->surface[pair->a], *const b = &scene->surface[pair->b];
    tc_scene_add_row(placed, a->mover, a->link, c->arm, n, TC_C(1.0), row);
    tc_scene_add_row(placed, b->mover, b->link, arm_b, n, TC_C(-1.0), row);
    tc_scene_whiten_part(placed, a->mover, row);
    if (b->mover != a->mover) tc_scene_whiten_part(placed, b->mover, row);
}

static int is_body3(const tc_scene_placed *placed, uint16_t mover)
{
    return placed->span[mover].rates == 6u && placed->span[mover].slides == 3u;
}

/* The rows of a body in space, whitened: what tc_scene_add_row and tc_scene_whiten_part write */
static void write_body_rows(const tc_scene_placed *placed, uint16_t mover, const tc_real arm[3],
                            tc_real n[3][3], uint32_t rows, tc_real scale, tc_real *G)
{
    const tc_scene_span *const span = &placed->span[mover];
    const tc_real *const L = placed->factor + span->factor;
    const tc_real *const at = placed->frame[span->link].at;
    const tc_real r[3] = {arm[0] - at[0], arm[1] - at[1], arm[2] - at[2]};
    for (uint32_t i = 0; i < rows; ++i) {
        tc_real *const x = G + (size_t)i * placed->rates + span->v;
        tc_real moment[3];
        tc_vec_cross(r, n[i], moment);
        for (uint32_t k = 0; k < 3u; ++k) {
            x[k] = scale * n[i][k];
            x[3u + k] = scale * moment[k];
        }
        tc_scene_solve_lower_body3(L, x);
    }
}

/* The other side's point: its own centre, if it is centred */
static void find_other_arm(const tc_scene_placed *placed, const tc_scene_contact *c,
                           const tc_scene_surface *b, tc_real arm[3])
{
    memcpy(arm, c->arm, 3u * sizeof *arm);
    if (b->mover == TC_SCENE_WORLD) return;
    tc_scene_contact other = *c;
    other.feature = 0;
    set_arm(placed, b, &other);
    memcpy(arm, other.arm, 3u * sizeof *arm);
}

void tc_scene_rows(const tc_scene_placed *placed, const tc_scene_contact *c, uint32_t rows,
                   tc_real *G)
{
    const tc_scene *const scene = placed->scene;
    const uint32_t d = placed->rates;
    tc_real n[3][3];
    (void)tc_vec_zeroed(TC_OK, G, rows * d);
    if (c->source >= scene->pairs) {
        tc_scene_limit_row(placed, &scene->limit[c->source - scene->pairs], c->feature, G);
        tc_scene_whiten_row(placed, G);
        return;
    }
    const tc_scene_pair *const pair = &scene->pair[c->source];
    const tc_scene_surface *const a = &scene->surface[pair->a], *const b = &scene->surface[pair->b];
    const int world = b->mover == TC_SCENE_WORLD;
    tc_real arm[3];
    memcpy(n[0], c->normal, sizeof n[0]);
    tc_scene_tangents(scene->dimension, c->normal, n + 1);
    find_other_arm(placed, c, b, arm);
    if (!is_body3(placed, a->mover) || b->mover == a->mover
        || (!world && !is_body3(placed, b->mover))) {
        for (uint32_t r = 0; r < rows; ++r) {
            write_contact_row(placed, c, arm, n[r], G + (size_t)r * d);
        }
        return;
    }
    write_body_rows(placed, a->mover, c->arm, n, rows, TC_C(1.0), G);
    if (!world) write_body_rows(placed, b->mover, arm, n, rows, TC_C(-1.0), G);
}
