/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 1 for one planar body: what the law is asked, its answer made legal, and the impulse.
 *
 * With the arms of the contacts on the plane, (x_i, -y) from the centre of mass, the patch has the
 * Jacobian rows (1, 0, y) and (0, 1, x_i) in (v_t, v_n, omega), and with k^2 = inertia / mass
 *
 *     W_tt = 1 + (y/k)^2    W_ti = (x_i/k)(y/k)    W_ij = 1 + (x_i/k)(x_j/k)
 *     v+ = (v_t + p_f, v_n + sum p_i, omega + torque / k^2),    torque = y p_f + sum x_i p_i
 *
 * Why nothing overflows: speeds are below TC_LEARNED_SPEED_MAX and levers below
 * TC_LEARNED_LEVER_MAX k, so |u| <= 1e5, W <= 1e4, S_ii >= 1 (a free body), and with the ratio
 * below 1e3 no intermediate number of tc_learned2_space.c is beyond 1e20.
 *
 * Cost on Cortex-M4F, point / edge: query 190 / 430 instructions; beside the law, solve 260 / 440.
 */
#include "tc_exact.h"
#include "tc_learned2.h"

#include "tc_learned_core.h"
#include "tc_math.h"
#include "tc_work.h"

#include <string.h>

/* ---- Query ----------------------------------------------------------------------------------- */

/* Levers in units of k, W and u of a free body; of a point the elements of contact 2 are 0. */
static void fill_learned2(tc_learned2_query *query, const tc_patch2 *patch, const tc_real *offset)
{
    tc_learned2_space *const space = &query->space;
    const tc_real per_k = TC_C(1.0) / query->gyration, height = patch->height * per_k;
    const tc_real first = patch->lever[0] * per_k;
    const tc_real *const v = query->velocity;
    space->count = patch->count;
    space->W_tt = TC_C(1.0) + height * height;
    space->slip = v[0] + v[2] * patch->height;
    space->W_tn[0] = first * height;
    space->W_nn[0] = TC_C(1.0) + first * first;
    space->approach[0] = v[1] + v[2] * patch->lever[0];
    query->height = height;
    query->lever[0] = first;
    query->lever[1] = space->W_tn[1] = space->W_nn[1] = space->W_nn[2] = space->approach[1] =
        TC_C(0.0);
    if (patch->count == 2u) {
        const tc_real second = patch->lever[1] * per_k;
        query->lever[1] = second;
        space->W_tn[1] = second * height;
        space->W_nn[1] = TC_C(1.0) + first * second;
        space->W_nn[2] = TC_C(1.0) + second * second;
        space->approach[1] = v[1] + v[2] * patch->lever[1];
    }
    if (offset != NULL) {
        space->approach[0] += offset[0];
        space->approach[1] += patch->count == 2u ? offset[1] : TC_C(0.0);
    }
}

/* Takes contact `i` out of an edge, the other one becomes a point. */
static void drop_contact(tc_learned2_query *query, uint32_t i)
{
    tc_learned2_space *const space = &query->space;
    const uint32_t keep = 1u - i;
    query->lever[0] = query->lever[keep];
    space->W_tn[0] = space->W_tn[keep];
    space->W_nn[0] = space->W_nn[2u * keep];
    space->approach[0] = space->approach[keep];
    query->lever[1] = space->W_tn[1] = space->approach[1] = TC_C(0.0);
    space->W_nn[1] = space->W_nn[2] = TC_C(0.0);
    space->count = 1;
}

/* One comparison each for size and finiteness: a NaN or an infinity fails it. */
static int within_learned2(const tc_learned2_query *query)
{
    const tc_learned2_space *const space = &query->space;
    const tc_real *const v = query->velocity;
    const tc_real speed = v[0] * v[0] + v[1] * v[1] + space->slip * space->slip
                          + space->approach[0] * space->approach[0]
                          + space->approach[1] * space->approach[1];
    const tc_real lever = query->lever[0] * query->lever[0] + query->lever[1] * query->lever[1]
                          + query->height * query->height;
    return speed <= TC_LEARNED_SPEED_MAX * TC_LEARNED_SPEED_MAX
           && lever <= TC_LEARNED_LEVER_MAX * TC_LEARNED_LEVER_MAX;
}

/* The same number by number, and the spin not as if it were a speed */
static int each_within(const tc_learned2_query *query)
{
    const tc_learned2_space *const space = &query->space;
    const tc_real speed[5] = {query->velocity[0], query->velocity[1], space->slip,
                              space->approach[0], space->approach[1]};
    const tc_real lever[3] = {query->lever[0], query->lever[1], query->height};
    int all = 1;
    for (uint32_t i = 0; i < 5u; i++) {
        all = all && speed[i] * speed[i] <= TC_LEARNED_SPEED_MAX * TC_LEARNED_SPEED_MAX;
    }
    for (uint32_t i = 0; i < 3u; i++) {
        all = all && lever[i] * lever[i] <= TC_LEARNED_LEVER_MAX * TC_LEARNED_LEVER_MAX;
    }
    return all;
}

static int all_given_finite(const tc_patch2 *patch, const tc_real *velocity, const tc_real *offset)
{
    return tc_all_finite(velocity, 3) && tc_all_finite(patch->lever, patch->count)
           && tc_all_finite(&patch->height, 1)
           && (offset == NULL || tc_all_finite(offset, patch->count));
}

static tc_status zeroed_learned2(tc_learned2_query *query, tc_status status)
{
    memset(query, 0, sizeof *query);
    return status;
}

/* An edge that is too short becomes a point; what is known before the law speaks. */
LEARNED_INLINE tc_status settle_learned2(tc_learned2_query *query)
{
    if (query->space.count == 2u && query->lever[1] - query->lever[0] < TC_LEARNED_EDGE_MIN) {
        if (query->lever[1] < query->lever[0]) {
            return zeroed_learned2(query, TC_ERR_PATCH);
        }
        drop_contact(query, query->space.approach[0] <= query->space.approach[1]);
    }
    tc_learned2_space_stops(&query->space, &query->stops);
    tc_learned2_space_normals(&query->space, TC_C(0.0), query->frictionless);
    return TC_OK;
}

/* What `within` refused: as a whole, or because the plane is too far from the contacts, of a body
 * that sank in by many times its own size (DART, v h) or will only arrive at the end of the step
 * (GAP). Then arms end at the lower contact. */
static LEARNED_APART tc_status settle_nearer(tc_learned2_query *query, const tc_patch2 *patch,
                                             const tc_real *velocity, const tc_real *offset)
{
    tc_learned2_space *const space = &query->space;
    if (!each_within(query)) {
        const int second = patch->count == 2u && patch->gap[1] < patch->gap[0];
        const tc_real height = patch->height - patch->gap[second];
        query->height = height / query->gyration;
        space->W_tt = TC_C(1.0) + query->height * query->height;
        space->slip = velocity[0] + velocity[2] * height;
        space->W_tn[0] = query->lever[0] * query->height;
        space->W_tn[1] = query->lever[1] * query->height;
    }
    if (!each_within(query)) {
        return zeroed_learned2(
            query, all_given_finite(patch, velocity, offset) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE);
    }
    return settle_learned2(query);
}

tc_status tc_learned2_query_init(tc_learned2_query *query, const tc_patch2 *patch,
                                 const tc_real *velocity, tc_real gyration, const tc_real *offset)
{
    if (query == NULL) {
        return TC_ERR_NULL;
    }
    if (patch == NULL || velocity == NULL) {
        return zeroed_learned2(query, TC_ERR_NULL);
    }
    if (patch->count == 0u || patch->count > 2u) {
        return zeroed_learned2(query, TC_ERR_SIZE);
    }
    if (!(gyration > TC_C(0.0))) {
        return zeroed_learned2(query, TC_ERR_BODY);
    }
    query->gyration = gyration;
    memcpy(query->velocity, velocity, sizeof query->velocity);
    fill_learned2(query, patch, offset);
    return within_learned2(query) ? settle_learned2(query)
                                  : settle_nearer(query, patch, velocity, offset);
}

/* ---- Decision and impulse -------------------------------------------------------------------- */

static tc_status leave_undecided(tc_learned2_decision *decision, tc_status status)
{
    memset(decision, 0, sizeof *decision);
    decision->branch = decision->said = TC_LEARNED_NONE;
    return status;
}

static inline tc_status ask_ratio(const tc_learned2_model *model, const tc_learned2_query *query,
                                  tc_learned2_decision *decision, tc_real *work)
{
    const tc_status status = model->ratio(model->context, query, &decision->ratio, work);
    decision->flags |= status == TC_NOTE_RANGE ? (uint32_t)TC_LEARNED_RANGE : 0u;
    return status < TC_OK ? status : tc_learned_noted(decision->flags);
}

static tc_status check_call_learned2(const tc_learned2_model *model, const tc_learned2_query *query,
                                     const tc_real *work, size_t work_len)
{
    if (model == NULL || query == NULL || model->classify == NULL || model->ratio == NULL
        || (work == NULL && model->work_len > 0u)) {
        return TC_ERR_NULL;
    }
    return tc_work_check(work, work_len, model->work_len);
}

tc_status tc_learned2_ratio(const tc_learned2_model *model, const tc_learned2_query *query,
                            tc_learned2_decision *decision, tc_real *work, size_t work_len)
{
    tc_status status =
        decision == NULL ? TC_ERR_NULL : check_call_learned2(model, query, work, work_len);
    if (status >= TC_OK) {
        status = ask_ratio(model, query, decision, work);
    }
    return status < TC_OK && decision != NULL ? leave_undecided(decision, status) : status;
}

LEARNED_INLINE tc_status decide_learned2(const tc_learned2_model *model,
                                         const tc_learned2_query *query,
                                         tc_learned2_decision *decision, tc_real *work,
                                         size_t work_len)
{
    tc_status status = check_call_learned2(model, query, work, work_len);
    if (status >= TC_OK) {
        status = model->classify(model->context, query, decision->probability, work);
    }
    if (status < TC_OK) {
        return leave_undecided(decision, status);
    }
    decision->flags = status == TC_NOTE_RANGE ? (uint32_t)TC_LEARNED_RANGE : 0u;
    decision->ratio = TC_C(0.0);
    decision->said = tc_learned_most_probable(decision->probability);
    decision->branch =
        tc_learned2_legal(&query->space, &query->stops, decision->said, &decision->flags);
    if (decision->branch != TC_LEARNED_DYNAMIC) {
        return tc_learned_noted(decision->flags);
    }
    status = ask_ratio(model, query, decision, work);
    return status < TC_OK ? leave_undecided(decision, status) : status;
}

tc_status tc_learned2_decide(const tc_learned2_model *model, const tc_learned2_query *query,
                             tc_learned2_decision *decision, tc_real *work, size_t work_len)
{
    return decision == NULL ? TC_ERR_NULL : decide_learned2(model, query, decision, work, work_len);
}

/* What the impulse does to the body. */
static inline void apply_learned2(const tc_learned2_query *query, tc_learned2_result *result)
{
    const tc_real *const p = result->impulse;
    /* torque / k: levers are in units of k */
    const tc_real turn = query->height * p[0] + query->lever[0] * p[1] + query->lever[1] * p[2];
    result->torque = query->gyration * turn;
    result->velocity[0] = query->velocity[0] + p[0];
    result->velocity[1] = query->velocity[1] + (p[1] + p[2]);
    result->velocity[2] = query->velocity[2] + turn / query->gyration;
}

/* No impulse, velocity as it was; the decision says none already. */
static tc_status leave_unsolved(const tc_learned2_query *query, tc_learned2_result *result,
                                tc_status status)
{
    static const tc_real none[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    memcpy(result->impulse, none, sizeof none);
    memcpy(result->velocity, query != NULL ? query->velocity : none, sizeof none);
    result->torque = TC_C(0.0);
    return status;
}

tc_status tc_learned2_solve(const tc_learned2_model *model, const tc_learned2_query *query,
                            tc_learned2_result *result, tc_real *work, size_t work_len)
{
    if (result == NULL) {
        return TC_ERR_NULL;
    }
    tc_learned2_decision *const decision = &result->decision;
    const tc_status status = decide_learned2(model, query, decision, work, work_len);
    if (status < TC_OK) {
        return leave_unsolved(query, result, status);
    }
    decision->flags |= tc_learned2_space_impulse(&query->space, &query->stops, decision->branch,
                                                 decision->ratio, result->impulse);
    apply_learned2(query, result);
    return tc_learned_noted(decision->flags);
}
