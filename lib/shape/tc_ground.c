/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Planes of a ground of any shape.
 *
 * Symbols: p a vertex in the world at the pose ahead, p0 now, phi the ground's distance, n its
 * gradient there, r the shape's rounding, gap = phi - r, d the plane's offset.
 *
 * The plane of one vertex is n . x = d with d = n . p - phi: of a point s its gap is then phi(p) at
 * p, and right to first order beside it. Inside a step a fast vertex may end so deep that the
 * nearest surface is another one, a riser in place of a tread. So n is taken where the vertex
 * enters, at the share (phi0 - r) / (phi0 - phi) of a straight way.
 *
 * A cluster has n of its lowest vertex. Another vertex j of the cluster has the gap n . p_j - d_j -
 * r, that to the common plane is n . p_j - d - r: the vertex is moved by (d - d_j) n.
 *
 * A section is the same with points (x, y, 0): one text serves both.
 */
#include "tc_exact.h"
#include "tc_ground.h"

#include "tc_math.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

#define STEEP_GROUND TC_C(0.1)  /* least part of a gradient within the section */
#define TAKEN_GROUND TC_C(1e30) /* gap of a vertex that has its cluster [m] */

/* A vertex. The next vertices of the stands take the place in front of these. */
typedef struct ground_vertex {
    tc_real point[3];  /* p */
    tc_real normal[3]; /* n */
    tc_real offset;    /* d_j */
    tc_real gap;
} ground_vertex;

/* One call. */
typedef struct ground_search {
    const tc_ground3 *space; /* the one or the other */
    const tc_ground2 *section;
    tc_real radius;
    ground_vertex *vertex; /* [count] */
    uint32_t count;
    tc_real *out; /* where the next vertex of a stand goes */
    tc_real *work;
    size_t work_len;
    tc_status note;
} ground_search;

/* ---- One point ------------------------------------------------------------------------------- */

static void normal_or_up(tc_real *normal, uint32_t n)
{
    const tc_real square = tc_vec_dot3(normal, normal);
    if (!(square > TC_C(1e-12))) {
        normal[0] = normal[1] = normal[2] = TC_C(0.0);
        normal[n - 1u] = TC_C(1.0);
        return;
    }
    const tc_real scale = TC_C(1.0) / tc_sqrt(square);
    for (uint32_t k = 0; k < 3u; ++k) normal[k] *= scale;
}

static tc_status look_space(const tc_ground3 *ground, const tc_real p[3], tc_real *phi,
                            tc_real normal[3], tc_real *work, size_t work_len)
{
    const tc_convex_pose *const at = ground->at_ref;
    tc_real local[3], gradient[3];
    if (at == NULL) {
        const tc_status same = tc_sdf_eval(ground->shape_ref, p, phi, normal, work, work_len);
        if (same >= TC_OK) normal_or_up(normal, 3);
        return same;
    }
    const tc_real from[3] = {p[0] - at->position[0], p[1] - at->position[1],
                             p[2] - at->position[2]};
    tc_mat3_vec_t(at->rotation, from, local);
    const tc_status status = tc_sdf_eval(ground->shape_ref, local, phi, gradient, work, work_len);
    tc_mat3_vec(at->rotation, gradient, normal);
    if (status >= TC_OK) normal_or_up(normal, 3);
    return status;
}

static tc_status look_section(const tc_ground2 *ground, const tc_real p[2], tc_real *phi,
                              tc_real normal[3])
{
    tc_real local[3], gradient[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        local[k] = TC_MLA(TC_MLA(ground->origin[k], p[0], ground->along[k]), p[1], ground->up[k]);
    }
    normal[0] = normal[1] = normal[2] = TC_C(0.0);
    const tc_status status = tc_sdf_eval(ground->shape_ref, local, phi, gradient, NULL, 0);
    if (status < TC_OK) return status;
    const tc_real x = tc_vec_dot3(gradient, ground->along), y = tc_vec_dot3(gradient, ground->up);
    const tc_real square = TC_MLA(x * x, y, y), whole = tc_vec_dot3(gradient, gradient);
    if (square > STEEP_GROUND * STEEP_GROUND * whole) {
        normal[0] = x;
        normal[1] = y;
        *phi *= tc_sqrt(whole / square);
    }
    normal_or_up(normal, 2);
    return status;
}

static tc_status look_ground(ground_search *search, const tc_real p[3], tc_real *phi,
                             tc_real normal[3])
{
    const tc_status status = search->space != NULL ? look_space(search->space, p, phi, normal,
                                                                search->work, search->work_len)
                                                   : look_section(search->section, p, phi, normal);
    if (status > TC_OK) search->note = status;
    return status;
}

/* Fills vertex->normal, offset and gap; `now` and vertex->point are the ends of its way. */
static tc_status see_vertex(ground_search *search, const tc_real now[3], ground_vertex *vertex)
{
    const tc_real r = search->radius, *const ahead = vertex->point;
    tc_real phi, before, at[3] = {ahead[0], ahead[1], ahead[2]};
    tc_status status = look_ground(search, ahead, &phi, vertex->normal);
    if (status >= TC_OK && phi < r) {
        status = look_ground(search, now, &before, vertex->normal);
        const tc_real share = before > r ? (before - r) / (before - phi) : TC_C(0.0);
        for (uint32_t k = 0; k < 3u; ++k) at[k] = TC_MLA(now[k], share, ahead[k] - now[k]);
        phi = before;
        if (status >= TC_OK && share > TC_C(0.0)) {
            status = look_ground(search, at, &phi, vertex->normal);
        }
    }
    vertex->offset = tc_vec_dot3(vertex->normal, at) - phi;
    vertex->gap = tc_vec_dot3(vertex->normal, ahead) - vertex->offset - r;
    return status;
}

/* ---- Clusters -------------------------------------------------------------------------------- */

static ground_vertex *nearest_vertex(const ground_search *search)
{
    ground_vertex *least = search->vertex;
    for (uint32_t i = 1; i < search->count; ++i) {
        if (search->vertex[i].gap < least->gap) least = &search->vertex[i];
    }
    return least;
}

static int is_alike(const tc_real a[3], const tc_real b[3])
{
    const tc_real d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return tc_vec_dot3(d, d) <= TC_GROUND_ALIKE * TC_GROUND_ALIKE;
}

/* The vertices of a cluster, moved to its level, in body axes, to search->out; R: body to world.
 * Returns how many. */
static uint32_t gather_cluster(ground_search *search, const ground_vertex *lead,
                               const tc_real position[3], const tc_real R[9], uint32_t width)
{
    const ground_vertex of = *lead;
    uint32_t found = 0;
    for (uint32_t i = 0; i < search->count; ++i) {
        ground_vertex *const v = &search->vertex[i];
        const int near = v == lead || v->gap < TC_GROUND_MARGIN;
        if (!near || v->gap >= TAKEN_GROUND || !is_alike(of.normal, v->normal)) continue;
        tc_real from[3], local[3];
        for (uint32_t k = 0; k < 3u; ++k) {
            from[k] = TC_MLA(v->point[k], of.offset - v->offset, of.normal[k]) - position[k];
        }
        tc_mat3_vec_t(R, from, local);
        memcpy(search->out, local, width * sizeof *local);
        search->out += width;
        v->gap = TAKEN_GROUND;
        ++found;
    }
    return found;
}

static uint32_t count_left(const ground_search *search)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < search->count; ++i) left += search->vertex[i].gap < TC_GROUND_MARGIN;
    return left;
}

/* ---- Public ---------------------------------------------------------------------------------- */

/* Of a search in a checked workspace: vertices of the stands first, then those that are searched */
static void begin_search(ground_search *search, tc_real *work, size_t work_len, uint32_t count)
{
    const size_t room = count + 1u;
    memset(search, 0, sizeof *search);
    search->out = work;
    search->vertex = (ground_vertex *)(void *)(work + 3u * room);
    search->work = work + TC_GROUND_WORK(count, 0u);
    search->work_len = work_len - TC_GROUND_WORK(count, 0u);
}

static tc_status check_ground_work(const tc_sdf *ground, const void *vertices, uint32_t count,
                                   tc_real radius, const tc_real *work, size_t work_len)
{
    if (ground == NULL || vertices == NULL || work == NULL) return TC_ERR_NULL;
    if (count - 1u >= TC_SHAPE_MAX) return TC_ERR_SIZE;
    if (!tc_all_finite(&radius, 1)) return TC_ERR_NOT_FINITE;
    return tc_work_check(work, work_len, TC_GROUND_WORK((size_t)count, 0u));
}

/* A pose: R of a unit quaternion */
static tc_status read_pose3(const tc_body3_state *state, tc_real R[9])
{
    if (!tc_all_finite(state->position, 3) || !tc_all_finite(state->orientation, 4)) {
        return TC_ERR_NOT_FINITE;
    }
    tc_vec_rotation(state->orientation, R);
    return tc_vec_is_unit(state->orientation, 4) ? TC_OK : TC_ERR_UNIT;
}

static void point_of_body(const tc_real position[3], const tc_real R[9], const tc_real vertex[3],
                          tc_real point[3])
{
    tc_mat3_vec(R, vertex, point);
    for (uint32_t k = 0; k < 3u; ++k) point[k] += position[k];
}

/* The middle of the ball round which a closest pair's point of the body lies: with the rounding it
 * is a vertex like others. */
static tc_status join_closest_pair(ground_search *search, const tc_convex_gap *closest)
{
    ground_vertex *const v = &search->vertex[search->count];
    for (uint32_t k = 0; k < 3u; ++k) {
        v->point[k] = TC_MLA(closest->point_a[k], search->radius, closest->normal[k]);
        v->normal[k] = closest->normal[k];
    }
    if (!tc_all_finite(v->point, 3) || !tc_all_finite(&closest->distance, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    if (!tc_vec_is_unit(v->normal, 3)) return TC_ERR_UNIT;
    v->gap = closest->distance;
    v->offset = tc_vec_dot3(v->normal, v->point) - search->radius - v->gap;
    ++search->count;
    return TC_OK;
}

static tc_status see_vertices3(ground_search *search, const tc_shape3 *shape, const tc_real *now,
                               const tc_real R0[9], const tc_real *ahead, const tc_real R[9])
{
    tc_status status = TC_OK;
    for (uint32_t i = 0; status >= TC_OK && i < shape->count; ++i) {
        tc_real start[3];
        ground_vertex *const v = &search->vertex[i];
        point_of_body(now, R0, shape->vertices + 3u * i, start);
        point_of_body(ahead, R, shape->vertices + 3u * i, v->point);
        status = see_vertex(search, start, v);
        search->count = i + 1u;
    }
    return status;
}

static void cluster_space(ground_search *search, const tc_shape3 *shape, const tc_real position[3],
                          const tc_real R[9], tc_ground3_stands *stands)
{
    while (stands->count < TC_GROUND_PLANES) {
        const ground_vertex *const lead = nearest_vertex(search);
        if (stands->count > 0u && !(lead->gap < TC_GROUND_MARGIN)) break;
        tc_ground3_stand *const stand = &stands->stand[stands->count++];
        memcpy(stand->plane.normal, lead->normal, sizeof stand->plane.normal);
        stand->plane.offset = lead->offset;
        stand->gap = lead->gap;
        stand->shape.vertices = search->out;
        stand->shape.radius = shape->radius;
        stand->shape.count = gather_cluster(search, lead, position, R, 3);
    }
    stands->dropped = count_left(search);
}

/* The checked search of a body in space, its vertices seen */
static tc_status search_space(ground_search *search, const tc_shape3 *shape,
                              const tc_body3_state *now, const tc_body3_state *ahead,
                              const tc_convex_gap *closest, tc_real R[9])
{
    tc_real R0[9];
    tc_status status = read_pose3(now, R0);
    if (status >= TC_OK) status = read_pose3(ahead, R);
    if (status < TC_OK) return status;
    search->radius = shape->radius;
    status = see_vertices3(search, shape, now->position, R0, ahead->position, R);
    return status >= TC_OK && closest != NULL ? join_closest_pair(search, closest) : status;
}

tc_status tc_ground3_find(const tc_ground3 *ground, const tc_shape3 *shape,
                          const tc_body3_state *now, const tc_body3_state *ahead,
                          const tc_convex_gap *closest, tc_ground3_stands *stands, tc_real *work,
                          size_t work_len)
{
    ground_search search;
    tc_real R[9];
    if (stands == NULL) return TC_ERR_NULL;
    memset(stands, 0, sizeof *stands);
    if (ground == NULL || shape == NULL || now == NULL) return TC_ERR_NULL;
    tc_status status = check_ground_work(ground->shape_ref, shape->vertices, shape->count,
                                         shape->radius, work, work_len);
    if (status < TC_OK) return status;
    const tc_body3_state *const then = ahead == NULL ? now : ahead;
    begin_search(&search, work, work_len, shape->count);
    search.space = ground;
    status = search_space(&search, shape, now, then, closest, R);
    if (status < TC_OK) return status;
    cluster_space(&search, shape, then->position, R, stands);
    return search.note;
}

/* As three coordinates: a turn about the third axis */
static tc_status read_pose2(const tc_body2_state *state, tc_real position[3], tc_real R[9])
{
    tc_real sine, cosine;
    if (!tc_all_finite(state->position, 3)) return TC_ERR_NOT_FINITE;
    tc_sincos(state->position[2], &sine, &cosine);
    const tc_real turned[9] = {cosine,    -sine,     TC_C(0.0), sine,     cosine,
                               TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)};
    memcpy(R, turned, sizeof turned);
    position[0] = state->position[0];
    position[1] = state->position[1];
    position[2] = TC_C(0.0);
    return TC_OK;
}

static tc_status see_vertices2(ground_search *search, const tc_shape2 *shape, const tc_real *now,
                               const tc_real R0[9], const tc_real *ahead, const tc_real R[9])
{
    tc_status status = TC_OK;
    for (uint32_t i = 0; status >= TC_OK && i < shape->count; ++i) {
        const tc_real vertex[3] = {shape->vertices[2u * i], shape->vertices[2u * i + 1u],
                                   TC_C(0.0)};
        tc_real start[3];
        ground_vertex *const v = &search->vertex[i];
        point_of_body(now, R0, vertex, start);
        point_of_body(ahead, R, vertex, v->point);
        status = see_vertex(search, start, v);
        search->count = i + 1u;
    }
    return status;
}

static void cluster_section(ground_search *search, const tc_shape2 *shape,
                            const tc_real position[3], const tc_real R[9],
                            tc_ground2_stands *stands)
{
    while (stands->count < TC_GROUND_PLANES) {
        const ground_vertex *const lead = nearest_vertex(search);
        if (stands->count > 0u && !(lead->gap < TC_GROUND_MARGIN)) break;
        tc_ground2_stand *const stand = &stands->stand[stands->count++];
        memcpy(stand->plane.normal, lead->normal, sizeof stand->plane.normal);
        stand->plane.offset = lead->offset;
        stand->gap = lead->gap;
        stand->shape.vertices = search->out;
        stand->shape.radius = shape->radius;
        stand->shape.count = gather_cluster(search, lead, position, R, 2);
    }
    stands->dropped = count_left(search);
}

static tc_status search_section(ground_search *search, const tc_shape2 *shape,
                                const tc_body2_state *now, const tc_body2_state *ahead,
                                tc_real end[3], tc_real R[9])
{
    tc_real R0[9], start[3];
    tc_status status = read_pose2(now, start, R0);
    if (status >= TC_OK) status = read_pose2(ahead, end, R);
    if (status < TC_OK) return status;
    search->radius = shape->radius;
    return see_vertices2(search, shape, start, R0, end, R);
}

tc_status tc_ground2_find(const tc_ground2 *ground, const tc_shape2 *shape,
                          const tc_body2_state *now, const tc_body2_state *ahead,
                          tc_ground2_stands *stands, tc_real *work, size_t work_len)
{
    ground_search search;
    tc_real R[9], end[3];
    if (stands == NULL) return TC_ERR_NULL;
    memset(stands, 0, sizeof *stands);
    if (ground == NULL || shape == NULL || now == NULL) return TC_ERR_NULL;
    tc_status status = check_ground_work(ground->shape_ref, shape->vertices, shape->count,
                                         shape->radius, work, work_len);
    if (status < TC_OK) return status;
    begin_search(&search, work, work_len, shape->count);
    search.section = ground;
    status = search_section(&search, shape, now, ahead == NULL ? now : ahead, end, R);
    if (status < TC_OK) return status;
    cluster_section(&search, shape, end, R, stands);
    return search.note;
}

/* The result of a look at a point, zero after an error */
static tc_status finish_look(tc_status status, tc_real *gap, tc_real *normal, uint32_t n)
{
    if (status >= TC_OK) return status;
    if (gap != NULL) *gap = TC_C(0.0);
    return normal != NULL ? tc_vec_zeroed(status, normal, n) : status;
}

tc_status tc_ground3_look(const tc_ground3 *ground, const tc_real point[3], tc_real *gap,
                          tc_real normal[3], tc_real *work, size_t work_len)
{
    if (ground == NULL || ground->shape_ref == NULL || point == NULL || gap == NULL
        || normal == NULL) {
        return finish_look(TC_ERR_NULL, gap, normal, 3);
    }
    return finish_look(look_space(ground, point, gap, normal, work, work_len), gap, normal, 3);
}

tc_status tc_ground2_look(const tc_ground2 *ground, const tc_real point[2], tc_real *gap,
                          tc_real normal[2])
{
    tc_real flat[3];
    if (ground == NULL || ground->shape_ref == NULL || point == NULL || gap == NULL
        || normal == NULL) {
        return finish_look(TC_ERR_NULL, gap, normal, 2);
    }
    const tc_status status = look_section(ground, point, gap, flat);
    memcpy(normal, flat, 2u * sizeof *flat);
    return finish_look(status, gap, normal, 2);
}
