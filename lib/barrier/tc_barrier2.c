/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The barrier of two convex bodies in the plane: tc_barrier_internal.h with dim = 2. A search that has no
 * plane starts from the closest points of the hulls, which separate all that are apart.
 *
 * Closest points. A segment of two corners w = x - y of the difference of the hulls is kept, and v, its
 * point that is nearest to the origin. The corner that is least along v joins it; the nearer of the two
 * sides with the new corner stays. It ends when no corner lies before v, or the triangle of the three
 * holds the origin.
 */
#include "tc_exact.h"

#include "tc_barrier2.h"
#include "tc_barrier2_internal.h"

#define TCI_BARRIER2_CORNERS (2u * TC_BARRIER_VERTICES_MAX) /* of the search for closest points */

/* ---- Without checks -------------------------------------------------------------------------- */

static void turn_matrix(const tc_barrier2_pose *at, tc_real turn[4])
{
    turn[0] = turn[3] = at->cosine;
    turn[1] = -at->sine;
    turn[2] = at->sine;
}

void tci_barrier2_look(tci_barrier2_view *view, const tc_barrier_set *a,
                       const tc_barrier2_pose *at_a, const tc_barrier_set *b,
                       const tc_barrier2_pose *at_b)
{
    turn_matrix(at_a, view->turn[0]);
    turn_matrix(at_b, view->turn[1]);
    view->pair.body[0].set = a;
    view->pair.body[1].set = b;
    view->pair.body[0].turn = view->turn[0];
    view->pair.body[1].turn = view->turn[1];
    view->pair.body[0].radius = a->radius;
    view->pair.body[1].radius = b->radius;
    for (uint32_t i = 0; i < 2u; ++i) view->pair.apart[i] = at_a->position[i] - at_b->position[i];
}

static void measure_plane(const tci_barrier_body *body, const tci_barrier_state *state,
                          const tci_barrier_datum *datum, uint32_t side, tci_barrier_sums *sums)
{
    tci_barrier_ruler ruler;
    tci_barrier_rule(body, state, datum, side, &ruler, 2);
    tci_barrier_sum(body->set, &ruler, sums, 2);
}

void tci_barrier2_gather(const tci_barrier_view *view, tci_barrier_state *state)
{
    tci_barrier_datum datum;
    tci_barrier_look(view, state, &datum, 2);
    for (uint32_t side = 0; side < 2u; ++side) {
        measure_plane(&view->body[side], state, &datum, side, &state->sums[side]);
    }
}

static void aim_start_plane(const tci_barrier_view *view, tci_barrier_state *state,
                            tci_barrier_step *step)
{
    if (tci_barrier_settle(view, state, TCI_BARRIER_ROUGH, tci_barrier2_gather, 2)) {
        (void)tci_barrier_centre(state, 2);
    }
    tci_barrier_newton(view, state, step, 2);
}

static int descend_plane(const tci_barrier_view *view, const tci_barrier_state *from,
                         const tci_barrier_step *step, tc_real share, tc_real most,
                         tci_barrier_state *to)
{
    return tci_barrier_descend(view, from, step, share, most, to, tci_barrier2_gather, 2);
}

static const tci_barrier_parts parts_of_plane = {tci_barrier2_gather, aim_start_plane,
                                                 descend_plane};

static void add_own_plane(const tci_barrier_state *state, const tci_barrier_mix *mix, tc_real first,
                          uint32_t at, tc_real *hessian)
{
    tci_barrier_own(state, mix, first, at, hessian, 2);
}

int tci_barrier2_open(const tc_barrier2_plane *plane, tci_barrier_state *state)
{
    return tci_barrier_open(plane->normal, plane->offset, state, 2);
}

/* The world place of the vertex that is least along sign v, from the body's position */
static void support_corner(const tci_barrier_body *body, const tc_real v[2], tc_real sign,
                           tc_real p[2])
{
    tc_real along[2];
    tc_mat2_vec_t(body->turn, v, along);
    const tc_real *x = body->set->vertices, *best = x;
    tc_real least = sign * tci_barrier_dot(x, along, 2);
    for (uint32_t i = 1; i < body->set->count; ++i) {
        x += 2;
        const tc_real here = sign * tci_barrier_dot(x, along, 2);
        if (here < least) {
            least = here;
            best = x;
        }
    }
    tc_mat2_vec(body->turn, best, p);
}

static void difference_corner(const tci_barrier_view *view, const tc_real v[2], tc_real w[2])
{
    tc_real p[2], q[2];
    support_corner(&view->body[0], v, TC_C(1.0), p);
    support_corner(&view->body[1], v, TC_C(-1.0), q);
    for (uint32_t i = 0; i < 2u; ++i) w[i] = (p[i] - q[i]) + view->apart[i];
}

/* v: the point of the segment p q that is nearest to the origin; its square. Within the segment it is
 * made of the normal, which is exact where v is short. */
static tc_real nearest_place(const tc_real p[2], const tc_real q[2], tc_real v[2])
{
    const tc_real e[2] = {q[0] - p[0], q[1] - p[1]};
    const tc_real square = tci_barrier_dot(e, e, 2), along = -tci_barrier_dot(p, e, 2);
    const tc_real *end = along <= TC_C(0.0) ? p : q;
    v[0] = end[0];
    v[1] = end[1];
    if (along > TC_C(0.0) && along < square) {
        const tc_real share = (p[0] * e[1] - p[1] * e[0]) / square;
        v[0] = share * e[1];
        v[1] = -share * e[0];
    }
    return tci_barrier_dot(v, v, 2);
}

static tc_real cross_plane(const tc_real p[2], const tc_real q[2])
{
    return p[0] * q[1] - p[1] * q[0];
}

/* 1 if the triangle holds the origin within it */
static int holds_origin(const tc_real p[2], const tc_real q[2], const tc_real r[2])
{
    const tc_real a = cross_plane(p, q), b = cross_plane(q, r), c = cross_plane(r, p);
    if (a > TC_C(0.0)) return b > TC_C(0.0) && c > TC_C(0.0);
    return a < TC_C(0.0) && b < TC_C(0.0) && c < TC_C(0.0);
}

/* The corner w replaces the segment's farther one; 0: the origin is within the three */
static int join_corner(tc_real segment[2][2], const tc_real w[2], tc_real v[2])
{
    tc_real near[2][2];
    if (holds_origin(segment[0], segment[1], w)) return 0;
    const tc_real first = nearest_place(segment[0], w, near[0]);
    const tc_real second = nearest_place(segment[1], w, near[1]);
    const uint32_t keep = first <= second ? 0u : 1u;
    for (uint32_t i = 0; i < 2u; ++i) {
        segment[1u - keep][i] = w[i];
        v[i] = near[keep][i];
    }
    return 1;
}

/* The normal that leaves most between the hulls, of those on the way to the closest points */
static int start_plane(const tci_barrier_view *view, tci_barrier_state *state)
{
    tc_real segment[2][2], v[2], w[2], normal[2] = {TC_C(0.0), TC_C(0.0)};
    tc_real most = TC_C(0.0);
    difference_corner(view, view->apart, segment[0]);
    for (uint32_t i = 0; i < 2u; ++i) v[i] = segment[1][i] = segment[0][i];
    for (uint32_t step = 0; step < TCI_BARRIER2_CORNERS; ++step) {
        difference_corner(view, v, w);
        const tc_real length = tc_sqrt(tci_barrier_dot(v, v, 2));
        const tc_real between = tci_barrier_dot(v, w, 2) / length;
        if (between > most) {
            most = between;
            normal[0] = v[0];
            normal[1] = v[1];
        }
        if (length - between <= TC_C(4.0) * TC_EPSILON * length) break;
        if (!join_corner(segment, w, v)) break;
    }
    return tci_barrier_open(normal, TC_C(0.0), state, 2);
}

tc_status tci_barrier2_search(const tci_barrier_view *view, int known, tci_barrier_state *states[2],
                              tc_real enough, uint32_t *newton)
{
    *newton = 0;
    if (known < 2 && (!known || !tci_barrier_resume(view, states[0], tci_barrier2_gather))) {
        if (!start_plane(view, states[0])) return TC_ERR_TOUCHING;
        if (!tci_barrier_begin(view, states, &parts_of_plane, 2)) return TC_ERR_TOUCHING;
    }
    return tci_barrier_search(view, states, enough, newton, &parts_of_plane, 2);
}

void tci_barrier2_derive(const tc_barrier_config *config, const tci_barrier_view *view,
                         tci_barrier_state *state, const tci_barrier_result *result)
{
    tc_real scratch[18];
    (void)tci_barrier_centre(state, 2);
    tci_barrier_derive(config, view, state, scratch, result, add_own_plane, 2);
}

void tci_barrier2_close(const tci_barrier_weight *weight, const tci_barrier_state *state,
                        tc_barrier2_plane *plane)
{
    for (uint32_t i = 0; i < 2u; ++i) plane->normal[i] = weight->length * state->frame[i];
    plane->offset = weight->length * state->offset;
}

/* The floor's half-space seen as the plane of body A alone */
int tci_barrier2_floor(const tc_barrier_set *set, const tc_barrier2_pose *at,
                       const tc_plane2 *floor, tc_barrier2_floor_pair *pair)
{
    tc_real turn[4];
    const tci_barrier_view view = {.body = {{set, turn, set->radius}}};
    tci_barrier_state state;
    tci_barrier_mix mix;
    tci_barrier_datum datum;
    turn_matrix(at, turn);
    if (!tci_barrier_open(floor->normal, TC_C(0.0), &state, 2)) return 0;
    state.offset = tci_barrier_dot(floor->normal, at->position, 2) - floor->offset;
    tci_barrier_look(&view, &state, &datum, 2);
    measure_plane(&view.body[0], &state, &datum, 0, &state.sums[0]);
    if (!(state.sums[0].least > TC_C(0.0))) return 0;
    tci_barrier_blend2(&state.sums[0], TC_C(1.0), state.sums[0].S, &mix);
    pair->value = state.sums[0].Q;
    pair->gap = state.sums[0].least;
    tci_barrier_lift(state.frame, mix.row[3], pair->gradient, 2);
    for (uint32_t i = 0; i < 6u; ++i) pair->hessian[i] = TC_C(0.0);
    add_own_plane(&state, &mix, TC_C(1.0), 0, pair->hessian);
    return 1;
}

/* ---- The public functions -------------------------------------------------------------------- */

static tc_status check_set_at(const tc_barrier_set *set, const tc_barrier2_pose *at, tc_real *size)
{
    if (at == NULL) return TC_ERR_NULL;
    tc_status status = tci_barrier_check_set(set, 2, size);
    if (status == TC_OK) status = tci_barrier_check_within(at->position, 2);
    if (status != TC_OK) return status;
    const tc_real turn[2] = {at->cosine, at->sine};
    if (tc_vec_zero(turn, 2) != TC_C(0.0)) return TC_ERR_NOT_FINITE;
    return tc_vec_is_unit(turn, 2) ? TC_OK : TC_ERR_UNIT;
}

static tc_status check_pair_at(const tc_barrier_config *config, const tc_barrier_set *a,
                               const tc_barrier2_pose *at_a, const tc_barrier_set *b,
                               const tc_barrier2_pose *at_b, tc_real *size)
{
    *size = TC_C(0.0);
    tc_status status = tc_barrier_check(config);
    if (status == TC_OK) status = check_set_at(a, at_a, size);
    return status != TC_OK ? status : check_set_at(b, at_b, size);
}

tc_status tc_barrier2_check(const tc_barrier_set *set)
{
    tc_real size = TC_C(0.0);
    return tci_barrier_check_set(set, 2, &size);
}

tc_status tc_barrier2_solve(const tc_barrier_config *config, const tc_barrier_set *a,
                            const tc_barrier2_pose *at_a, const tc_barrier_set *b,
                            const tc_barrier2_pose *at_b, tc_barrier2_plane *plane,
                            tc_barrier2_pair *pair)
{
    static const tc_barrier2_plane none = {{0}, 0};
    static const tc_barrier2_pair nothing = {0};
    tci_barrier2_view view;
    tci_barrier_state own[2], *states[2] = {own, own + 1};
    tci_barrier_weight weight;
    tc_real size;
    if (pair != NULL) *pair = nothing;
    if (pair == NULL || plane == NULL) return TC_ERR_NULL;
    const tc_barrier2_plane start = *plane;
    *plane = none;
    tc_status status = check_pair_at(config, a, at_a, b, at_b, &size);
    if (status != TC_OK) return status;
    tci_barrier2_look(&view, a, at_a, b, at_b);
    const int known = tci_barrier2_open(&start, own);
    status = tci_barrier2_search(&view.pair, known, states, TC_C(-1.0), &pair->newton);
    if (status < TC_OK) return status;
    const tci_barrier_state *state = states[0];
    tci_barrier_weigh(config, tci_barrier_total(state), &weight);
    tci_barrier2_close(&weight, state, plane);
    pair->value = weight.value;
    pair->gap = state->sums[0].least + state->sums[1].least;
    tci_barrier_point(state, 0, a->radius, pair->point_a, 2);
    tci_barrier_point(state, 1, b->radius, pair->point_b, 2);
    for (uint32_t i = 0; i < 2u; ++i) {
        pair->point_a[i] += at_a->position[i];
        pair->point_b[i] += at_b->position[i];
    }
    return status == TC_OK && pair->gap < TC_BARRIER_PRECISE * size ? TC_NOTE_PRECISION : status;
}

tc_status tc_barrier2_derive(const tc_barrier_config *config, const tc_barrier_set *a,
                             const tc_barrier2_pose *at_a, const tc_barrier_set *b,
                             const tc_barrier2_pose *at_b, const tc_barrier2_plane *plane,
                             tc_barrier2_derivatives *derivatives)
{
    static const tc_barrier2_derivatives nothing = {{0}, {0}, {0}};
    tci_barrier2_view view;
    tci_barrier_state state;
    tc_real size;
    if (derivatives != NULL) *derivatives = nothing;
    if (derivatives == NULL || plane == NULL) return TC_ERR_NULL;
    const tc_status status = check_pair_at(config, a, at_a, b, at_b, &size);
    if (status != TC_OK) return status;
    tci_barrier2_look(&view, a, at_a, b, at_b);
    if (!tci_barrier2_open(plane, &state)) return TC_ERR_TOUCHING;
    tci_barrier2_gather(&view.pair, &state);
    if (!tci_barrier_apart(&state)) return TC_ERR_TOUCHING;
    (void)tci_barrier_settle(&view.pair, &state, TCI_BARRIER_FINE, tci_barrier2_gather, 2);
    const tci_barrier_result result = {derivatives->gradient, derivatives->hessian,
                                       derivatives->plane_rate, TC_C(1.0), NULL};
    tci_barrier2_derive(config, &view.pair, &state, &result);
    return TC_OK;
}

tc_status tc_barrier2_floor(const tc_barrier_set *set, const tc_barrier2_pose *at,
                            const tc_plane2 *floor, tc_barrier2_floor_pair *pair)
{
    static const tc_barrier2_floor_pair nothing = {0};
    tc_real size = TC_C(0.0);
    if (pair == NULL) return TC_ERR_NULL;
    *pair = nothing;
    if (floor == NULL) return TC_ERR_NULL;
    tc_status status = check_set_at(set, at, &size);
    if (status == TC_OK) status = tci_barrier_check_within(&floor->offset, 1);
    if (status == TC_OK) status = tci_barrier_check_within(floor->normal, 2);
    if (status != TC_OK) return status;
    if (!tc_vec_is_unit(floor->normal, 2)) return TC_ERR_UNIT;
    if (!tci_barrier2_floor(set, at, floor, pair)) return TC_ERR_TOUCHING;
    return pair->gap < TC_BARRIER_PRECISE * size ? TC_NOTE_PRECISION : TC_OK;
}
