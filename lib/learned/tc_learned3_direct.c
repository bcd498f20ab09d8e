/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A free body's contacts under the direct rule: the model's ratio along e_1 and e_2 of the query,
 * which is the contact itself. Answers become impulses in tc_learned3.c.
 *
 * Compliant contacts have a rule of their own, of the same text with `soft` 1. W_nn has their yield
 * R in it, and u_n + R p_n is the velocity that goes with it. The ratio is kept along the patch's
 * axes: between two questions the direction of friction stands, and sweeps converge. (The contact's
 * own axis e_1 turns with the stop, and e_2 may change sides.)
 */
#include "tc_exact.h"
#include "tc_learned3_core.h"
#include "tc_learned_core.h"

#include <string.h>

/* Corner i's velocity without its own impulse */
LEARNED_INLINE void query_direct(const learned3_solve *solve, uint32_t i, int soft,
                                 tc_learned3_query *query)
{
    const tc_learned3_problem *const problem = solve->problem;
    const learned3_corner *const c = &solve->corner[i];
    tc_real own[3];
    learned3_contact(solve->v, problem->patch->arm[i], -problem->height, query->u);
    learned3_apply(c->W, c->p, own);
    query->W = c->W;
    query->u[0] -= own[0];
    query->u[1] -= own[1];
    query->u[2] = (query->u[2] - own[2]) + problem->offset[i];
    if (soft) {
        query->u[2] = TC_MLA(query->u[2], problem->soft->yield[i], c->p[2]);
    }
}

/* The ratio along the patch's axes. */
static void turn_ratio(const tc_learned3_query *query, tc_real ratio[2])
{
    const tc_real along = ratio[0], across = ratio[1] * query->side, *const axis = query->axis;
    ratio[0] = TC_MLS(along * axis[0], across, axis[1]);
    ratio[1] = TC_MLA(along * axis[1], across, axis[0]);
}

LEARNED_INLINE tc_status ask_direct(learned3_solve *solve, uint32_t i, int soft,
                                    tc_learned3_query *query)
{
    learned3_query_about(solve, i, query);
    tc_status status = tc_learned3_observe(solve, query);
    if (status >= TC_OK) {
        status = tc_learned3_ask_ratio(solve, query, i);
    }
    if (soft) {
        turn_ratio(query, solve->corner[i].ratio);
        memcpy(solve->latest, solve->corner[i].ratio, sizeof solve->latest);
    }
    return status;
}

/* Solves corner i with its last ratio, or one asked for anew; returns the law's status. *change:
 * the square of how much its impulse changed, added up */
LEARNED_INLINE tc_status visit_contact(learned3_solve *solve, uint32_t i, int asks, int soft,
                                       tc_real *change)
{
    learned3_corner *const c = &solve->corner[i];
    tc_learned3_query query;
    tc_real p[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    query_direct(solve, i, soft, &query);
    solve->clamped &= ~(1u << i);
    solve->stuck |= 1u << i;
    if (query.u[2] < TC_C(0.0)) {
        tc_learned3_query_stop(&query, c->inverse);
        const tc_status status = asks ? ask_direct(solve, i, soft, &query) : TC_OK;
        if (status < TC_OK) {
            return status;
        }
        if (soft) {
            query.axis[0] = query.side = TC_C(1.0);
            query.axis[1] = TC_C(0.0);
        }
        const tc_real *const ratio = (solve->rated >> i & 1u) != 0u ? c->ratio : solve->latest;
        const uint32_t cut = tc_learned3_respond(&query, TC_LEARNED_DYNAMIC, ratio, p);
        if (memcmp(p, query.stop, sizeof p) != 0) {
            solve->stuck &= ~(1u << i);
            solve->clamped |= cut != 0u ? 1u << i : 0u;
        }
    }
    const tc_real d[3] = {p[0] - c->p[0], p[1] - c->p[1], p[2] - c->p[2]};
    memcpy(c->p, p, sizeof p);
    learned3_add(solve->v, c->B, d);
    *change += TC_MLA(TC_MLA(d[0] * d[0], d[1], d[1]), d[2], d[2]);
    return TC_OK;
}

static tc_status visit_direct(learned3_solve *solve, uint32_t i, int asks, tc_real *change)
{
    return visit_contact(solve, i, asks, 0, change);
}

static tc_status visit_soft(learned3_solve *solve, uint32_t i, int asks, tc_real *change)
{
    return visit_contact(solve, i, asks, 1, change);
}

static tc_status sweep_direct(learned3_solve *solve, int asks, int *settled)
{
    return learned3_sweep(solve, visit_direct, LEARNED3_SETTLED, asks, settled);
}

static tc_status sweep_soft(learned3_solve *solve, int asks, int *settled)
{
    return learned3_sweep(solve, visit_soft, LEARNED3_SETTLED_SOFT, asks, settled);
}

/* A point is asked about even if it leaves: its law may say that it sticks. */
static tc_status point_direct(learned3_solve *solve)
{
    const tc_learned3_problem *const problem = solve->problem;
    const tc_real *const arm = problem->patch->arm[0];
    learned3_corner *const c = solve->corner;
    tc_learned3_result *const result = solve->result;
    tc_learned3_query query;
    learned3_contact(problem->velocity, arm, -problem->height, query.u);
    query.u[2] += problem->offset[0];
    query.W = c->W;
    tc_learned3_query_stop(&query, c->inverse);
    learned3_query_about(solve, 0, &query);
    tc_status status = tc_learned3_ask_class(solve, &query);
    if (status < TC_OK) {
        return status;
    }
    result->branch = tc_learned3_legal(&query, result->said, &result->flags);
    if (result->branch == TC_LEARNED_DYNAMIC) {
        status = tc_learned3_ask_ratio(solve, &query, 0);
    }
    result->corner[0] = (uint8_t)result->branch;
    result->flags |= tc_learned3_respond(&query, result->branch, c->ratio, c->p);
    const tc_real *const p = c->p;
    const tc_real friction[3] = {p[0], p[1], TC_MLS(arm[0] * p[1], arm[1], p[0])};
    learned3_add(solve->v, c->B, p);
    result->normal[0] = p[2];
    tc_learned3_tell_impulse(solve, friction);
    return status;
}

const learned3_rule tci_learned3_direct = {point_direct, sweep_direct};
const learned3_rule tci_learned3_soft = {point_direct, sweep_soft};
