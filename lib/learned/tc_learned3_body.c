/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What an impulse at a contact of a free body moves (tc_mobility.h). The mover is the solve itself:
 * the body's masses are in its problem, divided out.
 *
 * Normals. With the arm (y, -x) of a contact's torque about the tangents and mobility_tt = L L^T
 * the rows of J are (1, L^T (y, -x)).
 *
 * Face: v+ = 0, omega+ = 0. Edge along e (unit), which may turn about itself, omega+ = alpha e,
 * v+ = -omega+ x r_1: with a = (-e x r_1, e) that motion, momentum along it is kept, <a, v+ - v0> =
 * 0:
 *
 *     alpha = <a, v0> / <a, a>,   <a, b> = a_v . b_v + a_omega . I b_omega,   I = mobility^-1
 *
 * Of the impulse that takes v0 there the tangential force and the torque about the normal are
 * friction's; what the normals have to add, the LCP finds if none needs to pull: then no contact
 * moves afterwards. With offsets a face does not end in v+ = 0: what the LCP leaves of normal
 * motion (v_n, omega_1, omega_2) stands, and the contacts do not slip if v_1 = -omega_2 z, v_2 =
 * omega_1 z, omega_n = 0: friction for that, once more.
 */
#include "tc_exact.h"
#include "tc_learned3_core.h"
#include "tc_lcp.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

#define MOBILITY_LEAST TC_C(1e-37) /* cubed: below that of a body of TC_LEARNED_GYRATION_MAX */

/* ---- Normals and friction -------------------------------------------------------------------- */

static void apply_body(void *mover, uint32_t i, const tc_real d[3])
{
    learned3_solve *const solve = mover;
    learned3_add(solve->v, solve->corner[i].B, d);
}

static void write_rows(const tc_learned3_problem *problem, tc_real *J)
{
    const tc_real *const K = problem->mobility;
    const tc_real l11 = tc_sqrt(K[0]), l21 = K[1] / l11, left = TC_MLS(K[2], l21, l21);
    const tc_real l22 = left > TC_C(0.0) ? tc_sqrt(left) : TC_C(0.0);
    tc_real *row = J;
    for (uint32_t i = 0; i < problem->patch->count; i++, row += 3) {
        const tc_real x = problem->patch->arm[i][0], y = problem->patch->arm[i][1];
        row[0] = TC_C(1.0);
        row[1] = TC_MLS(l11 * y, l21, x);
        row[2] = -l22 * x;
    }
}

static void rows_body(void *mover, tc_real *J)
{
    const learned3_solve *const solve = mover;
    write_rows(solve->problem, J);
}

/* v[6] += the change by forces f_1, f_2, f_n and a torque */
static void add_wrench(const tc_learned3_problem *problem, const tc_real force[3],
                       const tc_real torque[3], tc_real v[6])
{
    tc_real turn[3];
    learned3_apply(problem->mobility, torque, turn);
    for (uint32_t k = 0; k < 3u; k++) {
        v[k] += force[k];
        v[3u + k] += turn[k];
    }
}

/* v[6] += the change by these normals */
static void add_normals(const tc_learned3_problem *problem, const tc_real *normal, tc_real v[6])
{
    tc_real lift[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)},
            tilt[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        lift[2] += normal[i];
        tilt[0] = TC_MLA(tilt[0], normal[i], problem->patch->arm[i][1]);
        tilt[1] = TC_MLS(tilt[1], normal[i], problem->patch->arm[i][0]);
    }
    add_wrench(problem, lift, tilt, v);
}

static void push_body(void *mover, const tc_real friction[3], tc_real *q)
{
    learned3_solve *const solve = mover;
    const tc_learned3_problem *const problem = solve->problem;
    const tc_real z = -problem->height;
    const tc_real force[3] = {friction[0], friction[1], TC_C(0.0)};
    const tc_real torque[3] = {-z * friction[1], z * friction[0], friction[2]};
    tc_real *const v = solve->v;
    memcpy(v, problem->velocity, sizeof solve->v);
    add_wrench(problem, force, torque, v);
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        const tc_real turned =
            TC_MLS(v[3] * problem->patch->arm[i][1], v[4], problem->patch->arm[i][0]);
        q[i] = (v[2] + turned) + problem->offset[i];
    }
}

static void lift_body(void *mover, const tc_real *normal)
{
    learned3_solve *const solve = mover;
    add_normals(solve->problem, normal, solve->v);
}

static tc_real work_body(const void *mover, const tc_real friction[3], const tc_real *normal,
                         tc_real *size)
{
    const learned3_solve *const solve = mover;
    const tc_learned3_problem *const problem = solve->problem;
    const tc_real *const before = problem->velocity, *const after = solve->v;
    tc_real p[6], sum = TC_C(0.0);
    tc_learned3_impulse_of(problem, friction, normal, p);
    *size = TC_C(0.0);
    for (uint32_t k = 0; k < 6u; k++) {
        sum = TC_MLA(sum, p[k], TC_C(0.5) * (before[k] + after[k]));
        *size +=
            tc_vec_magnitude(p[k]) * (tc_vec_magnitude(before[k]) + tc_vec_magnitude(after[k]));
    }
    return sum;
}

/* p along the normal: v_n = p, omega = p mobility c_n, u_n = v_n + c_n . omega */
static void rise_of_point(const tc_learned3_problem *problem, tc_real speed, tc_real change[6])
{
    const tc_real x = problem->patch->arm[0][0], y = problem->patch->arm[0][1];
    const tc_real *const K = problem->mobility;
    const tc_real b1 = TC_MLS(y * K[0], x, K[1]), b2 = TC_MLS(y * K[1], x, K[2]);
    const tc_real b3 = TC_MLS(y * K[3], x, K[4]);
    const tc_real p = speed / TC_MLS(TC_MLA(TC_C(1.0), y, b1), x, b2);
    change[0] = change[1] = TC_C(0.0);
    change[2] = p;
    change[3] = p * b1;
    change[4] = p * b2;
    change[5] = p * b3;
}

tc_status tc_learned3_rise(const tc_learned3_problem *problem, const tc_real *speed,
                           tc_real change[6], tc_real *work)
{
    const uint32_t count = problem->patch->count;
    tc_real *const J = work, *const q = J + 3u * count, *const z = q + count, *const w = z + count;
    if (count == 1u) {
        rise_of_point(problem, speed[0], change);
        return TC_OK;
    }
    memset(change, 0, 6u * sizeof *change);
    write_rows(problem, J);
    for (uint32_t i = 0; i < count; i++) {
        q[i] = -speed[i];
    }
    const tc_lcp lcp = {count, TC_LCP_SEMIDEFINITE, NULL, q, J, 3u, 0u};
    if (!tc_lcp_certified(tc_lcp_from_rows(&lcp, z, w, NULL, w + count, TC_LCP_WORK(count)))
        && tc_learned3_normals(count, J, q, z, w) != TC_OK) {
        return TC_NOTE_FALLBACK;
    }
    add_normals(problem, z, change);
    return TC_OK;
}

/* ---- Stop ------------------------------------------------------------------------------------ */

/* Where an edge ends up */
static void stopped_edge(const tc_learned3_problem *problem, const tc_real inertia[6],
                         tc_real wanted[6])
{
    const tc_real *const from = problem->patch->arm[0], *const to = problem->patch->arm[1];
    const tc_real *const v = problem->velocity;
    const tc_real z = -problem->height, x = to[0] - from[0], y = to[1] - from[1];
    const tc_real scale = TC_C(1.0) / tc_sqrt(TC_MLA(x * x, y, y));
    const tc_real e[3] = {x * scale, y * scale, TC_C(0.0)};
    const tc_real move[3] = {-e[1] * z, e[0] * z, TC_MLS(e[1] * from[0], e[0], from[1])};
    tc_real moment[3];
    learned3_apply(inertia, e, moment);
    const tc_real alpha = (tc_vec_dot3(move, v) + tc_vec_dot3(moment, v + 3))
                          / (tc_vec_dot3(move, move) + tc_vec_dot3(moment, e));
    for (uint32_t k = 0; k < 3u; k++) {
        wanted[k] = alpha * move[k];
        wanted[3u + k] = alpha * e[k];
    }
}

/* Friction's part in what takes the body there */
static void friction_to(const tc_learned3_problem *problem, const tc_real inertia[6],
                        const tc_real wanted[6], tc_real friction[3])
{
    const tc_real *const v = problem->velocity;
    const tc_real turn[3] = {wanted[3] - v[3], wanted[4] - v[4], wanted[5] - v[5]};
    friction[0] = wanted[0] - v[0];
    friction[1] = wanted[1] - v[1];
    friction[2] = TC_MLA(TC_MLA(inertia[3] * turn[0], inertia[4], turn[1]), inertia[5], turn[2]);
}

/* Of a face the second try keeps the normal motion that the first one left. */
static int stop_body(void *mover, uint32_t again, tc_real friction[3])
{
    const learned3_solve *const solve = mover;
    const tc_learned3_problem *const problem = solve->problem;
    const tc_real *const v = solve->v, z = -problem->height;
    tc_real inertia[6],
        wanted[6] = {TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    if (again > 1u || (again == 1u && problem->patch->count < 3u)) {
        return 0;
    }
    learned3_invert(problem->mobility, MOBILITY_LEAST, inertia);
    if (again == 1u) {
        memcpy(wanted + 2, v + 2, 3 * sizeof *v);
        wanted[0] = -v[4] * z;
        wanted[1] = v[3] * z;
    } else if (problem->patch->count == 2u) {
        stopped_edge(problem, inertia, wanted);
    }
    friction_to(problem, inertia, wanted, friction);
    return 1;
}

const tc_mobility tci_learned3_body = {apply_body, rows_body, push_body,
                                       lift_body,  work_body, stop_body};
