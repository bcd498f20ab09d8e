/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distance of two convex cores A and B, in A's axes: the point of least norm of the difference
 * D = {p - q: p in A, q in B}.
 *
 * Support. The point of D that is least along v is w = p - q with p least in A and q greatest in B.
 *     point, segment, box   p_i = -half_i sign(v_i)
 *     cylinder              p = (-half_0 (v_x, v_y) / |(v_x, v_y)|, -half_2 sign(v_z))
 *     vertices              the best of them
 *
 * Certificate. Each v in D is an upper bound of the distance, |v| >= d. All of D lies beyond the
 * plane through w across v, so v.w / |v| <= d. The search ends when
 *
 *     (|v|^2 - v.w)^2 <= TCI_CONVEX_ROUNDING |v|^2 |w|^2:
 *
 * then the distance is certain to the rounding of w. Else w goes to the simplex, whose nearest point
 * is the next v (tc_convex_simplex.c). Corners of polyhedra are finitely many, so the search ends
 * exactly, between nearly parallel faces too: it leaves a face only for one that is nearer. On a rim
 * the corners close in on the closest point, and the error of the distance is the square of theirs.
 *
 * Start. p is the projection of B's origin to A, q that of p to B, and v = p - q is in D: with a
 * point or a half-space on one side that is the answer already, and one support proves it.
 *
 * |v| falls by the square of what v turns, so between nearly parallel faces it stands still in its
 * last bit while the bounds still close in: the v of the closest bounds is kept, not the least. The
 * search also ends when w is a corner already. A note says that the bounds are further apart than
 * the root of TCI_CONVEX_CERTAIN.
 */
#include "tc_exact.h"

#include "tc_convex_internal.h"
#include "tc_shape_internal.h"

/* Squares of shares of |w| */
#define TCI_CONVEX_ROUNDING (TC_C(9.0) * TC_EPSILON * TC_EPSILON)
#define TCI_CONVEX_CERTAIN (TC_C(256.0) * TC_EPSILON * TC_EPSILON)
/* A bit per step after which rims are polished: 2, 5, 8, 11, 14, 21, 28 */
#define TCI_CONVEX_RIMS 0x10204924u
#define TCI_CONVEX_CLOSER TC_C(0.1) /* of the last share, for rims to be taken */
/* Cores nearer than this overlap: no direction is left in v */
#define TCI_CONVEX_TOUCHING (TC_C(4.0) * TC_EPSILON * TC_EPSILON)

/* ---- Cores ----------------------------------------------------------------------------------- */

/* The vertex that is least along v */
static void support_vertex(const tc_convex *shape, const tc_real v[3], tc_real p[3])
{
    const tc_real *best = shape->vertices;
    tc_real least = tc_vec_dot3(best, v);
    for (uint32_t i = 1; i < shape->count; ++i) {
        const tc_real along = tc_vec_dot3(shape->vertices + 3u * i, v);
        if (along < least) {
            least = along;
            best = shape->vertices + 3u * i;
        }
    }
    for (uint32_t k = 0; k < 3u; ++k) p[k] = best[k];
}

void tci_convex_support(const tc_convex *shape, const tc_real v[3], tc_real p[3])
{
    const tc_real *half = shape->half;
    p[0] = p[1] = p[2] = TC_C(0.0);
    switch (shape->kind) {
    case TC_CONVEX_BOX:
        p[0] = v[0] > TC_C(0.0) ? -half[0] : half[0];
        p[1] = v[1] > TC_C(0.0) ? -half[1] : half[1];
        break;
    case TC_CONVEX_CYLINDER: {
        const tc_real square = TC_MLA(v[0] * v[0], v[1], v[1]);
        const tc_real scale = square > TC_C(0.0) ? -half[0] / tc_sqrt(square) : TC_C(0.0);
        p[0] = scale * v[0];
        p[1] = scale * v[1];
        break;
    }
    case TC_CONVEX_SEGMENT: break;
    case TC_CONVEX_VERTICES: support_vertex(shape, v, p); return;
    default: return;
    }
    p[2] = v[2] > TC_C(0.0) ? -half[2] : half[2];
}

static tc_real clamp_to(tc_real x, tc_real half)
{
    return x > half ? half : x < -half ? -half : x;
}

void tci_convex_project(const tc_convex *shape, const tc_real x[3], tc_real p[3])
{
    const tc_real *half = shape->half;
    p[0] = p[1] = p[2] = TC_C(0.0);
    if (shape->kind == TC_CONVEX_VERTICES) {
        for (uint32_t k = 0; k < 3u; ++k) p[k] = shape->vertices[k];
        return;
    }
    if (shape->kind == TC_CONVEX_POINT) return;
    p[2] = clamp_to(x[2], half[2]);
    if (shape->kind == TC_CONVEX_BOX) {
        p[0] = clamp_to(x[0], half[0]);
        p[1] = clamp_to(x[1], half[1]);
    }
    if (shape->kind == TC_CONVEX_CYLINDER) {
        const tc_real square = TC_MLA(x[0] * x[0], x[1], x[1]);
        const tc_real scale = square > half[0] * half[0] ? half[0] / tc_sqrt(square) : TC_C(1.0);
        p[0] = scale * x[0];
        p[1] = scale * x[1];
    }
}

/* ---- The pair -------------------------------------------------------------------------------- */

void tci_convex_look(tci_convex_view *view, const tc_convex_pose *at_a, const tc_convex_pose *at_b)
{
    tc_real away[3], column[3], turned[3];
    for (uint32_t i = 0; i < 3u; ++i) away[i] = at_b->position[i] - at_a->position[i];
    tci_convex_back(at_a->rotation, away, view->at);
    for (uint32_t j = 0; j < 3u; ++j) {
        for (uint32_t i = 0; i < 3u; ++i) column[i] = at_b->rotation[3u * i + j];
        tci_convex_back(at_a->rotation, column, turned);
        for (uint32_t i = 0; i < 3u; ++i) view->turn[3u * i + j] = turned[i];
    }
}

/* q of B from B's axes to A's, and w = p - q */
static void difference_of(const tci_convex_view *view, const tc_real in_b[3], const tc_real p[3],
                          tc_real w[3])
{
    tc_real q[3];
    tci_convex_turn(view->turn, in_b, q);
    for (uint32_t k = 0; k < 3u; ++k) w[k] = p[k] - (q[k] + view->at[k]);
}

/* The first point of the simplex */
static void start_simplex(const tci_convex_view *view, tci_convex_simplex *s)
{
    tc_real away[3], in_b[3], q[3];
    tci_convex_project(view->a, view->at, s->p[0]);
    for (uint32_t k = 0; k < 3u; ++k) away[k] = s->p[0][k] - view->at[k];
    tci_convex_back(view->turn, away, in_b);
    tci_convex_project(view->b, in_b, q);
    difference_of(view, q, s->p[0], s->w[0]);
    for (uint32_t k = 0; k < 3u; ++k) s->v[k] = s->w[0][k];
    s->weight[0] = TC_C(1.0);
    s->count = 1;
}

/* w, least along v, and its p */
static void support_pair(const tci_convex_view *view, const tc_real v[3], tc_real w[3],
                         tc_real p[3])
{
    tc_real in_b[3], q[3];
    tci_convex_back(view->turn, v, in_b);
    for (uint32_t k = 0; k < 3u; ++k) in_b[k] = -in_b[k];
    tci_convex_support(view->a, v, p);
    tci_convex_support(view->b, in_b, q);
    difference_of(view, q, p, w);
}

/* The mean of the corners' p by their weights */
static void mean_point(const tci_convex_simplex *s, tc_real p[3])
{
    for (uint32_t k = 0; k < 3u; ++k) {
        p[k] = s->weight[0] * s->p[0][k];
        for (uint32_t i = 1; i < s->count; ++i) p[k] = TC_MLA(p[k], s->weight[i], s->p[i][k]);
    }
}

static void keep_certain(const tci_convex_simplex *s, tc_real share, tci_convex_found *found)
{
    mean_point(s, found->p);
    for (uint32_t k = 0; k < 3u; ++k) found->v[k] = s->v[k];
    found->share = share;
}

/* 1 if one of the cores has a rim and both can be projected on */
static int has_rims(const tci_convex_view *view)
{
    const tc_convex_kind a = view->a->kind, b = view->b->kind;
    if (a == TC_CONVEX_VERTICES || b == TC_CONVEX_VERTICES) return 0;
    return a == TC_CONVEX_CYLINDER || b == TC_CONVEX_CYLINDER;
}

/* gap^2 / (|v| |w|)^2, 0 where the bounds meet */
static tc_real bounds_apart(tc_real gap, tc_real square, tc_real w_square)
{
    return gap > TC_C(0.0) ? gap * gap / (square * w_square) : TC_C(0.0);
}

/* Newton at the rims, in place of the corners where its bounds are much closer */
static void polish_rims(const tci_convex_view *view, tci_convex_simplex *s, tc_real share, int flat)
{
    tc_real q[3], p[3], v[3], w[3], p_w[3];
    mean_point(s, p);
    for (uint32_t k = 0; k < 3u; ++k) {
        v[k] = s->v[k];
        q[k] = p[k] - v[k];
    }
    tci_convex_polish(view, q, flat, p, v);
    const tc_real square = tc_vec_dot3(v, v);
    if (!(square > TC_C(0.0) && square < tc_vec_dot3(s->v, s->v))) return;
    support_pair(view, v, w, p_w);
    const tc_real gap = square - tc_vec_dot3(v, w);
    if (bounds_apart(gap, square, tc_vec_dot3(w, w)) > TCI_CONVEX_CLOSER * share) return;
    for (uint32_t k = 0; k < 3u; ++k) {
        s->p[0][k] = p[k];
        s->w[0][k] = s->v[k] = v[k];
    }
    s->weight[0] = TC_C(1.0);
    s->count = 1;
}

/* 1 if w is a corner already: then nothing more is to be had */
static int is_corner(const tci_convex_simplex *s, const tc_real w[3])
{
    for (uint32_t i = 0; i < s->count; ++i) {
        if (w[0] == s->w[i][0] && w[1] == s->w[i][1] && w[2] == s->w[i][2]) return 1;
    }
    return 0;
}

/* 1 if the bounds meet, or were certain already and are no closer: the rest is rounding */
static int is_enough(tc_real share, tc_real before)
{
    return share <= TCI_CONVEX_ROUNDING || (before <= TCI_CONVEX_CERTAIN && share >= before);
}

tc_status tci_convex_search(const tci_convex_view *view, tci_convex_found *found)
{
    tci_convex_simplex s;
    tc_real w[3], p[3];
    uint32_t tries = 0;
    start_simplex(view, &s);
    found->share = TC_C(1e30);
    const int round = has_rims(view);
    for (found->steps = 0; found->steps < TC_CONVEX_STEPS;) {
        ++found->steps;
        support_pair(view, s.v, w, p);
        const tc_real w_square = tc_vec_dot3(w, w), square = tc_vec_dot3(s.v, s.v);
        if (square <= TCI_CONVEX_TOUCHING * w_square) return TC_NOTE_OVERLAP;
        const tc_real share = bounds_apart(square - tc_vec_dot3(s.v, w), square, w_square);
        const tc_real before = found->share;
        if (share < before) keep_certain(&s, share, found);
        if (is_enough(share, before) || is_corner(&s, w)) break;
        if (tci_convex_add(&s, w, p)) return TC_NOTE_OVERLAP;
        if (round && (TCI_CONVEX_RIMS >> 1u >> (found->steps - 1u) & 1u))
            polish_rims(view, &s, found->share, ++tries & 1u);
    }
    if (found->share <= TCI_CONVEX_CERTAIN) return TC_OK;
    keep_certain(&s, found->share, found); /* none is certain: |v| fell on the whole way */
    return TC_NOTE_LIMIT;
}

/* A half-space's distance is that of the core's lowest point, also when that is below the floor */
static void stand_on_floor(const tci_convex_view *view, tc_real normal[3], tc_real *height,
                           tci_convex_found *found)
{
    tc_real away[3];
    for (uint32_t k = 0; k < 3u; ++k) normal[k] = view->turn[3u * k + 2u];
    tci_convex_support(view->a, normal, found->p);
    for (uint32_t k = 0; k < 3u; ++k) away[k] = found->p[k] - view->at[k];
    *height = tc_vec_dot3(normal, away);
    found->steps = 1;
}

/* The middle of the origins, and the direction from one to the other */
static void overlap_gap(const tci_convex_view *view, const tc_convex_pose *at_a, tc_convex_gap *gap)
{
    tc_real away[3];
    tci_convex_turn(at_a->rotation, view->at, away);
    const tc_real square = tc_vec_dot3(away, away);
    const int known = square > TC_C(1e-30);
    const tc_real inverse = known ? TC_C(-1.0) / tc_sqrt(square) : TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        gap->normal[k] = inverse * away[k];
        gap->point_a[k] = TC_MLA(at_a->position[k], TC_C(0.5), away[k]);
        gap->point_b[k] = gap->point_a[k];
    }
    if (!known) gap->normal[2] = TC_C(1.0);
}

tc_status tci_convex_measure(const tci_convex_view *view, const tc_convex_pose *at_a,
                             tc_convex_gap *gap)
{
    const tc_convex *const a = view->a;
    tci_convex_found found;
    tc_real normal[3], apart, surface[3];
    tc_status status = TC_OK;
    if (view->b->kind == TC_CONVEX_HALFSPACE) {
        stand_on_floor(view, normal, &apart, &found);
    } else {
        status = tci_convex_search(view, &found);
        apart = status == TC_NOTE_OVERLAP ? TC_C(0.0) : tc_sqrt(tc_vec_dot3(found.v, found.v));
        for (uint32_t k = 0; k < 3u && apart > TC_C(0.0); ++k) normal[k] = found.v[k] / apart;
    }
    gap->steps = found.steps;
    gap->distance = apart - (a->radius + view->b->radius);
    if (status == TC_NOTE_OVERLAP) {
        overlap_gap(view, at_a, gap);
        return status;
    }
    tci_convex_turn(at_a->rotation, normal, gap->normal);
    for (uint32_t k = 0; k < 3u; ++k) surface[k] = TC_MLS(found.p[k], a->radius, normal[k]);
    tci_convex_turn(at_a->rotation, surface, gap->point_a);
    for (uint32_t k = 0; k < 3u; ++k) {
        gap->point_a[k] += at_a->position[k];
        gap->point_b[k] = TC_MLS(gap->point_a[k], gap->distance, gap->normal[k]);
    }
    return status;
}

tc_status tci_convex_distance(const tc_convex *a, const tc_convex_pose *at_a, const tc_convex *b,
                              const tc_convex_pose *at_b, tc_convex_gap *gap)
{
    tci_convex_view view = {.a = a, .b = b};
    tci_convex_look(&view, at_a, at_b);
    return tci_convex_measure(&view, at_a, gap);
}

/* ---- The public functions -------------------------------------------------------------------- */

/* 0 <= x <= 1e6; NaN is not finite */
static tc_status check_size(const tc_real *x, uint32_t n)
{
    if (tc_vec_zero(x, n) != TC_C(0.0)) return TC_ERR_NOT_FINITE;
    for (uint32_t i = 0; i < n; ++i) {
        if (x[i] < TC_C(0.0) || x[i] > TCI_SHAPE_COORDINATE_MAX) return TC_ERR_RANGE;
    }
    return TC_OK;
}

tc_status tci_convex_check_sizes(const tc_convex *shape)
{
    if ((uint32_t)shape->kind > (uint32_t)TC_CONVEX_HALFSPACE) return TC_ERR_UNSUPPORTED;
    if (shape->kind == TC_CONVEX_VERTICES) {
        if (shape->vertices == NULL) return TC_ERR_NULL;
        if (shape->count == 0u || shape->count > TC_CONVEX_VERTICES_MAX) return TC_ERR_SIZE;
    }
    const tc_status status = check_size(shape->half, 3);
    return status != TC_OK ? status : check_size(&shape->radius, 1);
}

tc_status tc_convex_check(const tc_convex *shape)
{
    if (shape == NULL) return TC_ERR_NULL;
    const tc_status status = tci_convex_check_sizes(shape);
    if (status != TC_OK || shape->kind != TC_CONVEX_VERTICES) return status;
    for (uint32_t i = 0; i < 3u * shape->count; ++i) {
        const tc_real x = tc_vec_magnitude(shape->vertices[i]);
        const tc_status found = check_size(&x, 1);
        if (found != TC_OK) return found;
    }
    return TC_OK;
}

tc_status tci_convex_check_pose(const tc_convex_pose *at)
{
    if (tc_vec_zero(at->rotation, 9) != TC_C(0.0)) return TC_ERR_NOT_FINITE;
    if (tc_vec_zero(at->position, 3) != TC_C(0.0)) return TC_ERR_NOT_FINITE;
    for (uint32_t i = 0; i < 3u; ++i) {
        if (tc_vec_magnitude(at->position[i]) > TCI_SHAPE_COORDINATE_MAX) return TC_ERR_RANGE;
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        if (!tc_vec_is_unit(at->rotation + 3u * i, 3)) return TC_ERR_UNIT;
    }
    return TC_OK;
}

static tc_status check_posed(const tc_convex *shape, const tc_convex_pose *at)
{
    const tc_status status = tci_convex_check_sizes(shape);
    return status != TC_OK ? status : tci_convex_check_pose(at);
}

tc_status tc_convex_distance(const tc_convex *a, const tc_convex_pose *at_a, const tc_convex *b,
                             const tc_convex_pose *at_b, tc_convex_gap *gap)
{
    static const tc_convex_gap none = {0};
    if (gap == NULL) return TC_ERR_NULL;
    *gap = none;
    if (a == NULL || at_a == NULL || b == NULL || at_b == NULL) return TC_ERR_NULL;
    tc_status status = check_posed(a, at_a);
    if (status == TC_OK) status = check_posed(b, at_b);
    if (status != TC_OK) return status;
    if (a->kind == TC_CONVEX_HALFSPACE) return TC_ERR_UNSUPPORTED;
    return tci_convex_distance(a, at_a, b, at_b, gap);
}
