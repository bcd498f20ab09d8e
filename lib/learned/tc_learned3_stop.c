/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The static branch of Algorithm 1 for an edge or a face: the patch's velocity zero in all of its
 * effective degrees of freedom, at once.
 *
 * The mover knows the friction of such a stop; what the normals have to add, the LCP finds if none
 * needs to pull: then no contact moves afterwards. Where contacts slip still, for the offsets left
 * some of the normal motion, the mover may give friction for that, once more.
 *
 * How four corners share the impulse nobody knows. The law is asked with friction in proportion to
 * the normals, its torque as turning about their centre: f_i = n_i (f + rate n x (r_i - centre)) /
 * sum n; or shared as the sweeps have found. It has to call each corner that carries static, the
 * others' impulses held; then u = -W_ii p_i.
 */
#include "tc_exact.h"
#include "tc_learned3_core.h"
#include "tc_vec.h"

#include <string.h>

#define STOPPED TC_C(1e-5) /* of the fastest contact before, and a fifth of it of the body */
#define BODY TC_C(0.04)

/* 0: a contact separates; 1: none does, but they slip; 2: none moves. A NaN is no 2. */
static int how_still(const learned3_solve *solve, tc_real limit)
{
    const tc_learned3_problem *const problem = solve->problem;
    int still = 2;
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        tc_real u[3];
        learned3_contact(solve->v, problem->patch->arm[i], -problem->height, u);
        if (!(solve->w[i] * solve->w[i] <= limit)) {
            return 0;
        }
        still = TC_MLA(u[0] * u[0], u[1], u[1]) <= limit ? still : 1;
    }
    return still;
}

/* The stop in solve->v, z, w; 1 if there is one. That nothing moves and no normal pulls is all that
 * is asked: it need not be certified. */
static inline int stop_patch(learned3_solve *solve, tc_real friction[3])
{
    const tc_mobility *const mobility = solve->mobility;
    const tc_real *const v = solve->problem->velocity;
    const tc_real limit = STOPPED * STOPPED * TC_MLA(solve->fastest, BODY, tc_vec_dot3(v, v));
    int still = 1;
    for (uint32_t again = 0; still == 1 && mobility->stop(solve->mover, again, friction); again++) {
        (void)tc_learned3_carry(solve, friction);
        still = how_still(solve, limit);
    }
    return still == 2;
}

/* How the normals are spread: their sum, centre, and what friction adds per unit of normal */
typedef struct spread_stop {
    tc_real per_normal, centre[2], rate;
} spread_stop;

static spread_stop spread_of(const learned3_solve *solve, const tc_real friction[3])
{
    const tc_learned3_problem *const problem = solve->problem;
    tc_real sum = TC_C(0.0), x = TC_C(0.0), y = TC_C(0.0), square = TC_C(0.0);
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        const tc_real n = solve->z[i], *const arm = problem->patch->arm[i];
        sum += n;
        x = TC_MLA(x, n, arm[0]);
        y = TC_MLA(y, n, arm[1]);
    }
    spread_stop s;
    s.per_normal = sum > TC_C(0.0) ? TC_C(1.0) / sum : TC_C(0.0);
    s.centre[0] = x * s.per_normal;
    s.centre[1] = y * s.per_normal;
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        const tc_real *const arm = problem->patch->arm[i];
        const tc_real dx = arm[0] - s.centre[0], dy = arm[1] - s.centre[1];
        square = TC_MLA(square, solve->z[i], TC_MLA(dx * dx, dy, dy));
    }
    const tc_real twist = friction[2] - TC_MLS(s.centre[0] * friction[1], s.centre[1], friction[0]);
    s.rate = square > TC_C(0.0) ? twist / square : TC_C(0.0);
    return s;
}

static void share_of(const learned3_solve *solve, const spread_stop *s, const tc_real friction[3],
                     uint32_t i, tc_real p[3])
{
    const tc_real n = solve->z[i], *const arm = solve->problem->patch->arm[i];
    p[0] = n * TC_MLS(s->per_normal * friction[0], s->rate, arm[1] - s->centre[1]);
    p[1] = n * TC_MLA(s->per_normal * friction[1], s->rate, arm[0] - s->centre[0]);
    p[2] = n;
}

/* Whether the law calls a contact static that p stops. */
static tc_status ask_corner(learned3_solve *solve, uint32_t i, const tc_real p[3], int *sticks)
{
    tc_learned3_query query;
    query.W = solve->corner[i].W;
    learned3_apply(query.W, p, query.u);
    for (uint32_t k = 0; k < 3u; k++) {
        query.u[k] = -query.u[k];
    }
    tc_learned3_query_stop(&query, solve->corner[i].inverse);
    learned3_query_about(solve, i, &query);
    const tc_status status = tc_learned3_ask_class(solve, &query);
    *sticks = status >= TC_OK && solve->result->said == TC_LEARNED_STATIC;
    return status;
}

static tc_status ask_corners(learned3_solve *solve, learned3_share share, const tc_real friction[3],
                             int *sticks)
{
    const spread_stop s = spread_of(solve, friction);
    const uint32_t count = solve->problem->patch->count;
    tc_status status = TC_OK;
    *sticks = s.per_normal > TC_C(0.0);
    for (uint32_t i = 0; i < count && *sticks; i++) {
        tc_real spread_p[3];
        share_of(solve, &s, friction, i, spread_p);
        const tc_real *const p = share == LEARNED3_SWEPT ? solve->corner[i].p : spread_p;
        if (p[2] > TC_C(0.0)) {
            status = ask_corner(solve, i, p, sticks);
        }
    }
    for (uint32_t i = 0; i < count && *sticks && share == LEARNED3_SPREAD; i++) {
        share_of(solve, &s, friction, i, solve->corner[i].p);
    }
    return status;
}

tc_status tc_learned3_try_stop(learned3_solve *solve, learned3_share share, tc_real friction[3],
                               int *sticks)
{
    tc_real swept[6];
    memcpy(swept, solve->v, sizeof swept);
    tc_status status = TC_OK;
    *sticks = stop_patch(solve, friction);
    if (*sticks) {
        status = ask_corners(solve, share, friction, sticks);
    }
    if (!*sticks) {
        memcpy(solve->v, swept, sizeof swept);
    }
    return status;
}

/* tc_calls: tc_learned3_try_stop lib/learned/tc_learned3_body.c:stop_body */
/* tc_calls: tc_learned3_try_stop lib/step/tc_limb3_patch.c:stop_limb */
