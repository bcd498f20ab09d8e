/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The barrier of two convex bodies in space: tc_barrier_internal.h with dim = 3. A search that has no
 * plane starts from the closest points of the hulls (tc_convex.h), which separate all that are apart.
 */
#include "tc_exact.h"

#include "tc_barrier3.h"
#include "tc_barrier3_internal.h"

/* ---- Without checks -------------------------------------------------------------------------- */

void tci_barrier3_look(tci_barrier_view *view, const tc_barrier_set *a, const tc_convex_pose *at_a,
                       const tc_barrier_set *b, const tc_convex_pose *at_b)
{
    view->body[0].set = a;
    view->body[0].turn = at_a->rotation;
    view->body[1].set = b;
    view->body[1].turn = at_b->rotation;
    view->body[0].radius = a->radius;
    view->body[1].radius = b->radius;
    for (uint32_t i = 0; i < 3u; ++i) view->apart[i] = at_a->position[i] - at_b->position[i];
}

static void measure_space(const tci_barrier_body *body, const tci_barrier_state *state,
                          const tci_barrier_datum *datum, uint32_t side, tci_barrier_sums *sums)
{
    tci_barrier_ruler ruler;
    if (body->set->count == 1u) {
        tci_barrier_sum_one(body, state, datum, side, sums, 3);
        return;
    }
    tci_barrier_rule(body, state, datum, side, &ruler, 3);
    tci_barrier_sum(body->set, &ruler, sums, 3);
}

void tci_barrier3_gather(const tci_barrier_view *view, tci_barrier_state *state)
{
    tci_barrier_datum datum;
    tci_barrier_look(view, state, &datum, 3);
    for (uint32_t side = 0; side < 2u; ++side) {
        measure_space(&view->body[side], state, &datum, side, &state->sums[side]);
    }
}

static void aim_start_space(const tci_barrier_view *view, tci_barrier_state *state,
                            tci_barrier_step *step)
{
    if (tci_barrier_settle(view, state, TCI_BARRIER_ROUGH, tci_barrier3_gather, 3)) {
        (void)tci_barrier_centre(state, 3);
    }
    tci_barrier_newton(view, state, step, 3);
}

static int descend_space(const tci_barrier_view *view, const tci_barrier_state *from,
                         const tci_barrier_step *step, tc_real share, tc_real most,
                         tci_barrier_state *to)
{
    return tci_barrier_descend(view, from, step, share, most, to, tci_barrier3_gather, 3);
}

static const tci_barrier_parts parts_of_space = {tci_barrier3_gather, aim_start_space,
                                                 descend_space};

static void add_own_space(const tci_barrier_state *state, const tci_barrier_mix *mix, tc_real first,
                          uint32_t at, tc_real *hessian)
{
    tci_barrier_own(state, mix, first, at, hessian, 3);
}

int tci_barrier3_open(const tc_barrier3_plane *plane, tci_barrier_state *state)
{
    return tci_barrier_open(plane->normal, plane->offset, state, 3);
}

/* The normal of the closest points; 0: the hulls are not apart */
static int start_space(const tci_barrier_view *view, tci_barrier_state *state)
{
    tc_convex hull[2];
    tc_convex_pose at[2];
    tc_convex_gap gap;
    for (uint32_t side = 0; side < 2u; ++side) {
        const tci_barrier_body *body = &view->body[side];
        hull[side].kind = TC_CONVEX_VERTICES;
        hull[side].vertices = body->set->vertices;
        hull[side].count = body->set->count;
        hull[side].radius = TC_C(0.0);
        for (uint32_t i = 0; i < 9u; ++i) at[side].rotation[i] = body->turn[i];
        for (uint32_t i = 0; i < 3u; ++i) {
            hull[side].half[i] = TC_C(0.0);
            at[side].position[i] = side == 0u ? view->apart[i] : TC_C(0.0);
        }
    }
    const tc_status status = tc_convex_distance(&hull[0], &at[0], &hull[1], &at[1], &gap);
    if (status < TC_OK) return 0;
    return tci_barrier_open(gap.normal, TC_C(0.0), state, 3);
}

tc_status tci_barrier3_search(const tci_barrier_view *view, int known, tci_barrier_state *states[2],
                              tc_real enough, uint32_t *newton)
{
    *newton = 0;
    if (known < 2 && (!known || !tci_barrier_resume(view, states[0], tci_barrier3_gather))) {
        if (!start_space(view, states[0])) return TC_ERR_TOUCHING;
        if (!tci_barrier_begin(view, states, &parts_of_space, 3)) return TC_ERR_TOUCHING;
    }
    return tci_barrier_search(view, states, enough, newton, &parts_of_space, 3);
}

void tci_barrier3_derive(const tc_barrier_config *config, const tci_barrier_view *view,
                         tci_barrier_state *state, const tci_barrier_result *result)
{
    tc_real scratch[48];
    (void)tci_barrier_centre(state, 3);
    tci_barrier_derive(config, view, state, scratch, result, add_own_space, 3);
}

void tci_barrier3_close(const tci_barrier_weight *weight, const tci_barrier_state *state,
                        tc_barrier3_plane *plane)
{
    for (uint32_t i = 0; i < 3u; ++i) plane->normal[i] = weight->length * state->frame[i];
    plane->offset = weight->length * state->offset;
}

/* The floor's half-space seen as the plane of body A alone */
int tci_barrier3_floor(const tc_barrier_set *set, const tc_convex_pose *at, const tc_plane3 *floor,
                       tc_barrier3_floor_pair *pair)
{
    const tci_barrier_view view = {.body = {{set, at->rotation, set->radius}}};
    tci_barrier_state state;
    tci_barrier_mix mix;
    tci_barrier_datum datum;
    if (!tci_barrier_open(floor->normal, TC_C(0.0), &state, 3)) return 0;
    state.offset = tc_vec_dot3(floor->normal, at->position) - floor->offset;
    tci_barrier_look(&view, &state, &datum, 3);
    measure_space(&view.body[0], &state, &datum, 0, &state.sums[0]);
    if (!(state.sums[0].least > TC_C(0.0))) return 0;
    tci_barrier_blend3(&state.sums[0], TC_C(1.0), state.sums[0].S, &mix);
    pair->value = state.sums[0].Q;
    pair->gap = state.sums[0].least;
    tci_barrier_lift(state.frame, mix.row[3], pair->gradient, 3);
    for (uint32_t i = 0; i < 21u; ++i) pair->hessian[i] = TC_C(0.0);
    add_own_space(&state, &mix, TC_C(1.0), 0, pair->hessian);
    return 1;
}

/* ---- The public functions -------------------------------------------------------------------- */

static tc_status check_posed_set(const tc_barrier_set *set, const tc_convex_pose *at, tc_real *size)
{
    if (at == NULL) return TC_ERR_NULL;
    tc_status status = tci_barrier_check_set(set, 3, size);
    if (status == TC_OK) status = tci_barrier_check_within(at->position, 3);
    if (status != TC_OK) return status;
    const tc_real *const rotation = at->rotation;
    if (tc_vec_is_unit(rotation, 3) && tc_vec_is_unit(rotation + 3, 3)
        && tc_vec_is_unit(rotation + 6, 3)) {
        return TC_OK;
    }
    return tc_vec_zero(rotation, 9) != TC_C(0.0) ? TC_ERR_NOT_FINITE : TC_ERR_UNIT;
}

static tc_status check_posed_pair(const tc_barrier_config *config, const tc_barrier_set *a,
                                  const tc_convex_pose *at_a, const tc_barrier_set *b,
                                  const tc_convex_pose *at_b, tc_real *size)
{
    *size = TC_C(0.0);
    tc_status status = tc_barrier_check(config);
    if (status == TC_OK) status = check_posed_set(a, at_a, size);
    return status != TC_OK ? status : check_posed_set(b, at_b, size);
}

tc_status tc_barrier3_check(const tc_barrier_set *set)
{
    tc_real size = TC_C(0.0);
    return tci_barrier_check_set(set, 3, &size);
}

tc_status tc_barrier3_solve(const tc_barrier_config *config, const tc_barrier_set *a,
                            const tc_convex_pose *at_a, const tc_barrier_set *b,
                            const tc_convex_pose *at_b, tc_barrier3_plane *plane,
                            tc_barrier3_pair *pair)
{
    static const tc_barrier3_plane none = {{0}, 0};
    static const tc_barrier3_pair nothing = {0};
    tci_barrier_view view;
    tci_barrier_state own[2], *states[2] = {own, own + 1};
    tci_barrier_weight weight;
    tc_real size;
    if (pair != NULL) *pair = nothing;
    if (pair == NULL || plane == NULL) return TC_ERR_NULL;
    const tc_barrier3_plane start = *plane;
    *plane = none;
    tc_status status = check_posed_pair(config, a, at_a, b, at_b, &size);
    if (status != TC_OK) return status;
    tci_barrier3_look(&view, a, at_a, b, at_b);
    const int known = tci_barrier3_open(&start, own);
    status = tci_barrier3_search(&view, known, states, TC_C(-1.0), &pair->newton);
    if (status < TC_OK) return status;
    const tci_barrier_state *state = states[0];
    tci_barrier_weigh(config, tci_barrier_total(state), &weight);
    tci_barrier3_close(&weight, state, plane);
    pair->value = weight.value;
    pair->gap = state->sums[0].least + state->sums[1].least;
    tci_barrier_point(state, 0, a->radius, pair->point_a, 3);
    tci_barrier_point(state, 1, b->radius, pair->point_b, 3);
    for (uint32_t i = 0; i < 3u; ++i) {
        pair->point_a[i] += at_a->position[i];
        pair->point_b[i] += at_b->position[i];
    }
    return status == TC_OK && pair->gap < TC_BARRIER_PRECISE * size ? TC_NOTE_PRECISION : status;
}

tc_status tc_barrier3_derive(const tc_barrier_config *config, const tc_barrier_set *a,
                             const tc_convex_pose *at_a, const tc_barrier_set *b,
                             const tc_convex_pose *at_b, const tc_barrier3_plane *plane,
                             tc_barrier3_derivatives *derivatives)
{
    static const tc_barrier3_derivatives nothing = {{0}, {0}, {0}};
    tci_barrier_view view;
    tci_barrier_state state;
    tc_real size;
    if (derivatives != NULL) *derivatives = nothing;
    if (derivatives == NULL || plane == NULL) return TC_ERR_NULL;
    const tc_status status = check_posed_pair(config, a, at_a, b, at_b, &size);
    if (status != TC_OK) return status;
    tci_barrier3_look(&view, a, at_a, b, at_b);
    if (!tci_barrier3_open(plane, &state)) return TC_ERR_TOUCHING;
    tci_barrier3_gather(&view, &state);
    if (!tci_barrier_apart(&state)) return TC_ERR_TOUCHING;
    (void)tci_barrier_settle(&view, &state, TCI_BARRIER_FINE, tci_barrier3_gather, 3);
    const tci_barrier_result result = {derivatives->gradient, derivatives->hessian,
                                       derivatives->plane_rate, TC_C(1.0), NULL};
    tci_barrier3_derive(config, &view, &state, &result);
    return TC_OK;
}

tc_status tc_barrier3_floor(const tc_barrier_set *set, const tc_convex_pose *at,
                            const tc_plane3 *floor, tc_barrier3_floor_pair *pair)
{
    static const tc_barrier3_floor_pair nothing = {0};
    tc_real size = TC_C(0.0);
    if (pair == NULL) return TC_ERR_NULL;
    *pair = nothing;
    if (floor == NULL) return TC_ERR_NULL;
    tc_status status = check_posed_set(set, at, &size);
    if (status == TC_OK) status = tci_barrier_check_within(&floor->offset, 1);
    if (status == TC_OK) status = tci_barrier_check_within(floor->normal, 3);
    if (status != TC_OK) return status;
    if (!tc_vec_is_unit(floor->normal, 3)) return TC_ERR_UNIT;
    if (!tci_barrier3_floor(set, at, floor, pair)) return TC_ERR_TOUCHING;
    return pair->gap < TC_BARRIER_PRECISE * size ? TC_NOTE_PRECISION : TC_OK;
}
