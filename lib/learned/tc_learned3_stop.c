/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The static branch of Algorithm 1 for an edge or a face: the patch's velocity zero in all of its effective
 * degrees of freedom, at once.
 *
 * Face: v+ = 0, omega+ = 0. Edge along e (unit), which may turn about itself, omega+ = alpha e, v+ =
 * -omega+ x r_1: with a = (-e x r_1, e) that motion, momentum along it is kept, <a, v+ - v0> = 0:
 *
 *     alpha = <a, v0> / <a, a>,   <a, b> = a_v . b_v + a_omega . I b_omega,   I = mobility^-1
 *
 * Of the impulse that takes v0 there the tangential force and the torque about the normal are friction's;
 * what the normals have to add, the LCP finds if none needs to pull: then no contact moves afterwards. With
 * offsets a face does not end in v+ = 0: what the LCP leaves of normal motion (v_n, omega_1, omega_2)
 * stands, and the contacts do not slip if v_1 = -omega_2 z, v_2 = omega_1 z, omega_n = 0: friction for
 * that, once more.
 *
 * How four corners share the impulse nobody knows. The law is asked with friction in proportion to the
 * normals, its torque as turning about their centre: f_i = n_i (f + rate n x (r_i - centre)) / sum n; or
 * shared as the sweeps have found. It has to call each corner that carries static, the others' impulses
 * held; then u = -W_ii p_i.
 */
#include "tc_exact.h"
#include "tc_learned3_core.h"
#include "tc_vec.h"

#include <string.h>

#define MOBILITY_LEAST TC_C(1e-37) /* cubed: below that of a body of TC_LEARNED_GYRATION_MAX */
#define STOPPED TC_C(1e-5)  /* of the fastest contact before, and a fifth of it of the body */
#define BODY TC_C(0.04)

/* Where an edge ends up */
static void stopped_edge(const tc_learned3_problem *problem, const tc_real inertia[6], tc_real wanted[6])
{
    const tc_real *const from = problem->patch->arm[0], *const to = problem->patch->arm[1];
    const tc_real *const v = problem->velocity;
    const tc_real z = -problem->height, x = to[0] - from[0], y = to[1] - from[1];
    const tc_real scale = TC_C(1.0) / tc_sqrt(TC_MLA(x * x, y, y));
    const tc_real e[3] = {x * scale, y * scale, TC_C(0.0)};
    const tc_real move[3] = {-e[1] * z, e[0] * z, TC_MLS(e[1] * from[0], e[0], from[1])};
    tc_real moment[3];
    spatial_apply(inertia, e, moment);
    const tc_real alpha = (tc_vec_dot3(move, v) + tc_vec_dot3(moment, v + 3)) / (tc_vec_dot3(move, move) + tc_vec_dot3(moment, e));
    for (uint32_t k = 0; k < 3u; k++) {
        wanted[k] = alpha * move[k];
        wanted[3u + k] = alpha * e[k];
    }
}

/* Friction's part in what takes the body there */
static void friction_to(const tc_learned3_problem *problem, const tc_real inertia[6], const tc_real wanted[6],
                        tc_real friction[3])
{
    const tc_real *const v = problem->velocity;
    const tc_real turn[3] = {wanted[3] - v[3], wanted[4] - v[4], wanted[5] - v[5]};
    friction[0] = wanted[0] - v[0];
    friction[1] = wanted[1] - v[1];
    friction[2] = TC_MLA(TC_MLA(inertia[3] * turn[0], inertia[4], turn[1]), inertia[5], turn[2]);
}

/* 0: a contact separates; 1: none does, but they slip; 2: none moves. A NaN is no 2. */
static int how_still(const learned3_solve *solve, tc_real limit)
{
    const tc_learned3_problem *const problem = solve->problem;
    int still = 2;
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        tc_real u[3];
        spatial_contact(solve->v, problem->patch->arm[i], -problem->height, u);
        if (!(solve->w[i] * solve->w[i] <= limit)) {
            return 0;
        }
        still = TC_MLA(u[0] * u[0], u[1], u[1]) <= limit ? still : 1;
    }
    return still;
}

static SPATIAL_APART void stop_carried(learned3_solve *solve, tc_real friction[3])
{
    solve->carrier->stop(solve, friction);
}

/* The stop in solve->v, z, w; 1 if there is one. That nothing moves and no normal pulls is all that is asked:
 * it need not be certified. */
static int stop_stop(learned3_solve *solve, tc_real friction[3])
{
    const tc_learned3_problem *const problem = solve->problem;
    const tc_real *const v = solve->v, speed = tc_vec_dot3(problem->velocity, problem->velocity);
    const tc_real limit = STOPPED * STOPPED * TC_MLA(solve->fastest, BODY, speed);
    if (solve->carrier != NULL) {
        stop_carried(solve, friction);
        (void)tc_learned3_carry(solve, friction);
        return how_still(solve, limit) == 2;
    }
    tc_real inertia[6], wanted[6] = {TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    spatial_invert(problem->mobility, MOBILITY_LEAST, inertia);
    if (problem->patch->count == 2u) {
        stopped_edge(problem, inertia, wanted);
    }
    friction_to(problem, inertia, wanted, friction);
    (void)tc_learned3_carry(solve, friction);
    int still = how_still(solve, limit);
    if (still == 1 && problem->patch->count > 2u) {
        const tc_real z = -problem->height;
        memcpy(wanted + 2, v + 2, 3 * sizeof *v);
        wanted[0] = -v[4] * z;
        wanted[1] = v[3] * z;
        friction_to(problem, inertia, wanted, friction);
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

static void share_of(const learned3_solve *solve, const spread_stop *s, const tc_real friction[3], uint32_t i,
                     tc_real p[3])
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
    spatial_apply(query.W, p, query.u);
    for (uint32_t k = 0; k < 3u; k++) {
        query.u[k] = -query.u[k];
    }
    tc_learned3_query_stop(&query, solve->corner[i].inverse);
    const tc_status status = tc_learned3_ask_class(solve, &query);
    *sticks = status >= TC_OK && solve->result->said == TC_LEARNED_STATIC;
    return status;
}

static tc_status ask_corners(learned3_solve *solve, spatial_share share, const tc_real friction[3], int *sticks)
{
    const spread_stop s = spread_of(solve, friction);
    const uint32_t count = solve->problem->patch->count;
    tc_status status = TC_OK;
    *sticks = s.per_normal > TC_C(0.0);
    for (uint32_t i = 0; i < count && *sticks; i++) {
        tc_real spread_p[3];
        share_of(solve, &s, friction, i, spread_p);
        const tc_real *const p = share == SPATIAL_SWEPT ? solve->corner[i].p : spread_p;
        if (p[2] > TC_C(0.0)) {
            status = ask_corner(solve, i, p, sticks);
        }
    }
    for (uint32_t i = 0; i < count && *sticks && share == SPATIAL_SPREAD; i++) {
        share_of(solve, &s, friction, i, solve->corner[i].p);
    }
    return status;
}

tc_status tc_learned3_try_stop(learned3_solve *solve, spatial_share share, tc_real friction[3], int *sticks)
{
    tc_real swept[6];
    memcpy(swept, solve->v, sizeof swept);
    tc_status status = TC_OK;
    *sticks = stop_stop(solve, friction);
    if (*sticks) {
        status = ask_corners(solve, share, friction, sticks);
    }
    if (!*sticks) {
        memcpy(solve->v, swept, sizeof swept);
    }
    return status;
}
