/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Gaps and contacts of signed distances in a scene.
 *
 * A sphere of radius `reach` about c holds surface a. So b's distance at c, less the reach, is a
 * lower bound of the gap, as long as b's values are no larger than the distance; the error that b's
 * maker stored is taken off. Of two surfaces with a reach the spheres' distance is the bound. Far
 * apart the bound stands for the gap: it has the sign that searches for a time of contact need.
 */
#include "tc_exact.h"
#include "tc_scene_shapes.h"

#include "tc_meet_contact.h"
#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

#define FOUND_MAX 16u            /* contacts of a pair */
#define FAR_SHARE TC_C(0.5)      /* of the reach: from there on a bound stands for the gap */
#define NO_GAP TC_SCENE_NO_BOUND /* of a pair without a distance */

/* A pair with both surfaces where they are. */
typedef struct posed_pair {
    const tc_scene *scene;
    const tc_scene_surface *a, *b;
    tc_convex_pose at_a, at_b;
} posed_pair;

/* ---- Places ---------------------------------------------------------------------------------- */

static const tc_convex_pose nowhere = {{TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0),
                                        TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)},
                                       {TC_C(0.0), TC_C(0.0), TC_C(0.0)}};

void tc_scene_pose_surface(const tc_scene_placed *placed, const tc_scene_surface *surface,
                           tc_convex_pose *at)
{
    const tc_convex_pose *const own = surface->pose_ref != NULL ? surface->pose_ref : &nowhere;
    if (surface->mover == TC_SCENE_WORLD) {
        *at = *own;
        return;
    }
    const tc_scene_frame *const frame =
        &placed->frame[placed->span[surface->mover].link + surface->link];
    tc_mat3_vec(frame->R, own->position, at->position);
    for (uint32_t i = 0; i < 3u; ++i) {
        at->position[i] += frame->at[i];
        for (uint32_t j = 0; j < 3u; ++j) {
            const tc_real column[3] = {own->rotation[j], own->rotation[3u + j],
                                       own->rotation[6u + j]};
            at->rotation[3u * i + j] = tc_vec_dot3(frame->R + 3u * i, column);
        }
    }
}

/* Its position alone */
static void place_origin(const tc_scene_placed *placed, const tc_scene_surface *surface,
                         tc_real at[3])
{
    const tc_real *const own =
        surface->pose_ref != NULL ? surface->pose_ref->position : nowhere.position;
    const tc_scene_point point = {surface->mover, surface->link, {own[0], own[1], own[2]}};
    tc_scene_point_at(placed, &point, at);
}

static void pose_pair(const tc_scene_placed *placed, const tc_scene_pair *pair, posed_pair *posed)
{
    posed->scene = placed->scene;
    posed->a = &placed->scene->surface[pair->a];
    posed->b = &placed->scene->surface[pair->b];
    tc_scene_pose_surface(placed, posed->a, &posed->at_a);
    tc_scene_pose_surface(placed, posed->b, &posed->at_b);
}

/* ---- Broad phase ----------------------------------------------------------------------------- */

static tc_real reach_of_grid(const tc_sdf_values *grid)
{
    tc_real square = TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real low = grid->origin[k];
        const tc_real high = TC_MLA(low, (tc_real)(grid->count[k] - 1u), grid->spacing);
        const tc_real far = tc_vec_max(-low, high);
        square = TC_MLA(square, far, far);
    }
    return tc_sqrt(square);
}

/* Of all kinds but unions */
static tc_real reach_of_part(const tc_sdf *shape)
{
    const tc_real *const s = shape->size;
    if (shape->kind == &tc_sdf_sphere) return s[0];
    if (shape->kind == &tc_sdf_capsule) return s[0] + s[1];
    if (shape->kind == &tc_sdf_box) return tc_sqrt(tc_vec_dot3(s, s));
    if (shape->kind == &tc_sdf_cylinder) return tc_sqrt(TC_MLA(s[0] * s[0], s[1], s[1]));
    return shape->kind == &tc_sdf_grid ? reach_of_grid(shape->data_ref) : TC_C(0.0);
}

tc_real tc_scene_shapes_reach(const tc_sdf *shape)
{
    tc_real most = TC_C(0.0);
    if (shape == NULL) return most;
    if (shape->kind != &tc_sdf_union) return reach_of_part(shape);
    const tc_sdf_parts *const all = shape->data_ref;
    for (uint32_t i = 0; i < all->count; ++i) {
        const tc_real own = reach_of_part(all->parts[i].shape_ref);
        const tc_real *const at = all->parts[i].position;
        if (!(own > TC_C(0.0))) return TC_C(0.0);
        most = tc_vec_max(own + tc_sqrt(tc_vec_dot3(at, at)), most);
    }
    return most;
}

/* A lower bound of the gap of a's sphere and surface b */
static tc_real bound_by_value(const posed_pair *posed)
{
    tc_real p[3], local[3], distance, gradient[3];
    const tc_scene *const scene = posed->scene;
    for (uint32_t k = 0; k < 3u; ++k) p[k] = posed->at_a.position[k] - posed->at_b.position[k];
    tc_mat3_vec_t(posed->at_b.rotation, p, local);
    const tc_status status = tc_sdf_eval(posed->b->sdf, local, &distance, gradient,
                                         scene->meet_work, scene->meet_work_len);
    if (status != TC_OK) return -NO_GAP;
    return distance - tc_sdf_error(posed->b->sdf) - posed->a->reach;
}

/* A lower bound of the gap; -NO_GAP: none */
static tc_real bound_gap(const posed_pair *posed)
{
    if (!(posed->a->reach > TC_C(0.0))) return -NO_GAP;
    if (!(posed->b->reach > TC_C(0.0))) return bound_by_value(posed);
    tc_real d[3];
    return tc_scene_between(posed->at_b.position, posed->at_a.position, d) - posed->a->reach
           - posed->b->reach;
}

static tc_real bound_of_shapes(const tc_scene_placed *placed, const tc_scene_pair *pair)
{
    const tc_scene_surface *const a = &placed->scene->surface[pair->a];
    const tc_scene_surface *const b = &placed->scene->surface[pair->b];
    if (a->reach > TC_C(0.0) && b->reach > TC_C(0.0)) {
        tc_real p[3], q[3], d[3];
        place_origin(placed, a, p);
        place_origin(placed, b, q);
        return tc_scene_between(q, p, d) - a->reach - b->reach;
    }
    posed_pair posed;
    pose_pair(placed, pair, &posed);
    return bound_gap(&posed);
}

/* ---- The table ------------------------------------------------------------------------------- */

static tc_real gap_of_shapes(const tc_scene_placed *placed, const tc_scene_pair *pair)
{
    posed_pair posed;
    tc_convex_gap gap;
    pose_pair(placed, pair, &posed);
    const tc_real bound = bound_gap(&posed);
    if (bound > FAR_SHARE * posed.a->reach) return bound;
    const tc_status status =
        tc_meet_distance(posed.a->sdf, &posed.at_a, posed.b->sdf, &posed.at_b, TC_MEET_DEEPEST,
                         &gap, placed->scene->meet_work, placed->scene->meet_work_len);
    return status < TC_OK ? NO_GAP : gap.distance;
}

static void find_shapes(const tc_scene_placed *placed, uint16_t source, tc_real margin,
                        tc_scene_contacts *contacts)
{
    posed_pair posed;
    tc_meet_contact met[FOUND_MAX];
    tc_convex_gap gap;
    uint32_t count = 0;
    pose_pair(placed, &placed->scene->pair[source], &posed);
    if (bound_gap(&posed) > margin) return;
    const tc_status status = tc_meet_contacts(
        posed.a->sdf, &posed.at_a, posed.b->sdf, &posed.at_b, margin, met, FOUND_MAX, &count, &gap,
        placed->scene->meet_work, placed->scene->meet_work_len);
    for (uint32_t i = 0; status >= TC_OK && i < count; ++i) {
        tc_scene_contact found = {
            .gap = met[i].gap, .source = source, .feature = (uint16_t)met[i].feature};
        memcpy(found.point, met[i].point, sizeof found.point);
        memcpy(found.arm, met[i].point, sizeof found.arm);
        memcpy(found.normal, met[i].normal, sizeof found.normal);
        tc_scene_keep(&found, contacts);
    }
}

static tc_status check_pose(const tc_convex_pose *pose)
{
    if (pose == NULL) return TC_OK;
    if (!tc_all_finite(pose->rotation, 9) || !tc_all_finite(pose->position, 3)) {
        return TC_ERR_NOT_FINITE;
    }
    int unit = 1;
    for (uint32_t i = 0; i < 3u; ++i) unit = unit && tc_vec_is_unit(pose->rotation + 3u * i, 3);
    return unit ? TC_OK : TC_ERR_UNIT;
}

static tc_status check_shape_surface(const tc_scene *scene, const tc_scene_surface *surface)
{
    const int moves = surface->mover != TC_SCENE_WORLD;
    if (scene->dimension != 3u || surface->centred != 0u
        || (moves && scene->mover[surface->mover].kind == TC_SCENE_PARTICLE)) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!tc_all_finite(&surface->reach, 1)) return TC_ERR_NOT_FINITE;
    if (!(surface->reach >= TC_C(0.0))) return TC_ERR_RANGE;
    const tc_status status = tc_sdf_check(surface->sdf);
    return status < TC_OK ? status : check_pose(surface->pose_ref);
}

/* Whether the two have a distance at all */
static tc_status check_shape_pair(const tc_scene *scene, const tc_scene_pair *pair)
{
    tc_convex_gap gap;
    const tc_status status =
        tc_meet_distance(scene->surface[pair->a].sdf, &nowhere, scene->surface[pair->b].sdf,
                         &nowhere, TC_MEET_DEEPEST, &gap, scene->meet_work, scene->meet_work_len);
    return status < TC_OK ? status : TC_OK;
}

const struct tc_scene_meeting tc_scene_shapes = {check_shape_surface, check_shape_pair,
                                                 gap_of_shapes, bound_of_shapes, find_shapes};
