/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 1 for a single spatial contact, and what a patch of them is asked to be.
 *
 * Frame of a contact. Axis 1 along the tangential part of the stick impulse p_s = -W^-1 u (where
 * there is none, against the slip; where there is no slip either, tangent 1), axis 2 on the side
 * where W_2n >= 0. Turned and mirrored contacts are then one and the same; a floor with a direction
 * of its own is not described.
 *
 * Slide. p_t = rho p_n with u_n+ = 0: p_n = -u_n / (W_nn + W_nt.rho). Where |rho| p_sn >= |p_st|
 * and p_sn > 0, friction could end the sliding, and the impulse is p_s. Else friction must not feed
 * the slip that it works against, rho.u_t+ <= 0. Along lambda rho, with a = W_nt.rho, b =
 * rho.W_tt.rho, s = rho.u_t,
 *
 *     p_n = -u_n / (W_nn + lambda a),
 *     (W_nn + lambda a) rho.u_t+ = g_0 + lambda (s a - u_n b),    g_0 = s W_nn - u_n a:
 *
 * linear; where it is positive at 1, rho is cut to its root, to 0 if g_0 >= 0.
 *
 * The pivot W_nn + lambda a is kept above PIVOT W_nn, at the price of a smaller lambda: there the
 * contact jams.
 *
 * Energy of one contact: dT = p.u+ - p.W p / 2, and p.u+ = p_t.u_t+ + p_n u_n+ with p_t.u_t+ <= 0
 * and p_n u_n+ <= 0 (0, or -p_n gap / h): so dT <= 0 whatever rho is. A stop has u+ = 0 but for the
 * gap, the same.
 *
 * Levers. A contact's impulses along its axes a turn the body by K c_a, K the mobility, and so add
 * c_a K c_a to W_aa: the square of a lever in units of the radius of gyration about THAT axis.
 * Their sum over the axes, trace(K) r^2 - r K r, is the same in whatever frame; in the body's it is
 * sum_i (r^2 - r_i^2) m / I_i, known when body and shape are. It is not trace(K) r^2: along a
 * needle r is 122 times the least radius of gyration, which is that about r itself. Of a solid body
 * let J_i be the mean of x_i^2, m / I_i = 1 / (J_j + J_k): no vertex has r_i^2 > 15 J_i (a simplex;
 * of a box 3), so the sum is 45 at most, of every box 9.
 *
 * What W's size means: trace W = 3 + lever^2. Slides divide by W_nn, at least 1. The stop divides
 * by det W, a difference of products of the size lever^4; of random patches 1e-6 of the contacts'
 * speed is left of their approach at a lever of 5, 1e-5 at 11, 1e-3 at 90; energy is not created at
 * any.
 *
 * Where the plane is far from the vertices, an arm that ends on it is longer than the body: of one
 * that sank in by many times its thickness (DART, v h), or will only arrive at the end of the step
 * (GAP). If that is beyond the limits, arms end at the lowest contact instead; contacts that are
 * then beyond them, for they are as far above that one, are left out of the patch
 * (tc_learned3_reduce). The lowest is where its vertex is, and stays.
 *
 * Why nothing overflows: |u| <= 1e5, 1 <= W <= 1e4 + 1, det W >= 1, |rho| <= 1e3: nothing is beyond
 * 1e25.
 *
 * Cost on Cortex-M4F: `make bench`, spatial.
 */
#include "tc_exact.h"
#include "tc_learned3_core.h"

#include "tc_vec.h"
#include "tc_learned_core.h"

#include <string.h>

#define PIVOT TC_C(0.05)
#define RATIO_MOST_LEARNED3 TC_C(1e3) /* a larger |p_t / p_n| says the same: no sliding */

/* Friction that is cut by less than this part of it is not told as clamped. */
#define CLAMP_TOLD_LEARNED3 TC_C(1e-3)

/* ---- One contact ----------------------------------------------------------------------------- */

static inline void scale_axis(tc_real x, tc_real y, tc_real inverse, tc_real axis[2])
{
    axis[0] = x * inverse;
    axis[1] = y * inverse;
}

static void axis_of_slip(const tc_real u[3], tc_real axis[2])
{
    const tc_real square = TC_MLA(u[0] * u[0], u[1], u[1]);
    axis[0] = TC_C(1.0);
    axis[1] = TC_C(0.0);
    if (square >= LEARNED3_SMALL * LEARNED3_SMALL) {
        scale_axis(u[0], u[1], TC_C(-1.0) / tc_sqrt(square), axis);
    }
}

void tc_learned3_query_stop(tc_learned3_query *query, const tc_real inverse[6])
{
    tc_real *const stop = query->stop, *const axis = query->axis;
    const tc_real *const W = query->W;
    const tc_real against[3] = {-query->u[0], -query->u[1], -query->u[2]};
    learned3_apply(inverse, against, stop);
    const tc_real square = TC_MLA(stop[0] * stop[0], stop[1], stop[1]);
    query->tangential = tc_sqrt(square);
    if (square >= LEARNED3_SMALL * LEARNED3_SMALL) {
        scale_axis(stop[0], stop[1], TC_C(1.0) / query->tangential, axis);
    } else {
        axis_of_slip(query->u, axis);
    }
    query->side = TC_MLS(axis[0] * W[4], axis[1], W[3]) < TC_C(0.0) ? TC_C(-1.0) : TC_C(1.0);
}

void tc_learned3_query_init(tc_learned3_query *query, const tc_real W[6], const tc_real u[3],
                            tc_real inverse[6])
{
    tc_real own[6];
    learned3_invert(W, TC_C(1.0), own);
    query->W = W;
    memcpy(query->u, u, sizeof query->u);
    query->problem = NULL;
    query->contact = 0;
    tc_learned3_query_stop(query, own);
    if (inverse != NULL) {
        memcpy(inverse, own, sizeof own);
    }
}

uint32_t tc_learned3_query_count(const tc_learned3_query *query)
{
    return query->problem != NULL ? query->problem->patch->count : 1u;
}

tc_real tc_learned3_query_slip(const tc_learned3_query *query)
{
    const tc_learned3_problem *const problem = query->problem;
    tc_real before[3];
    const tc_real *u = query->u;
    if (problem != NULL) {
        const tc_real *const arm = problem->patch->arm[query->contact];
        learned3_contact(problem->velocity, arm, -problem->height, before);
        u = before;
    }
    return tc_sqrt(TC_MLA(u[0] * u[0], u[1], u[1]));
}

tc_real tc_learned3_query_load(const tc_learned3_query *query)
{
    return tc_vec_not_negative(-query->u[2] / query->W[5]);
}

tc_learned_class tc_learned3_legal(const tc_learned3_query *query, tc_learned_class said,
                                   uint32_t *flags)
{
    const int leaves = query->u[2] >= TC_C(0.0);
    if (said == TC_LEARNED_STATIC && query->stop[2] < TC_C(0.0)) {
        *flags |= (uint32_t)TC_LEARNED_OVERRULED | (uint32_t)TC_LEARNED_PULLED;
        return leaves ? TC_LEARNED_DETACH : TC_LEARNED_DYNAMIC;
    }
    if (said == TC_LEARNED_DETACH && !leaves) {
        *flags |= (uint32_t)TC_LEARNED_OVERRULED;
        return TC_LEARNED_DYNAMIC;
    }
    return said;
}

/* lambda: by how much rho, along the patch's tangents, must be shortened. */
static inline tc_real friction_cut(const tc_learned3_query *query, const tc_real rho[2], tc_real a)
{
    const tc_real *const W = query->W;
    const tc_real x = TC_MLA(W[0] * rho[0], W[1], rho[1]), y = TC_MLA(W[1] * rho[0], W[2], rho[1]);
    const tc_real b = TC_MLA(rho[0] * x, rho[1], y);
    const tc_real s = TC_MLA(rho[0] * query->u[0], rho[1], query->u[1]);
    const tc_real least = (PIVOT - TC_C(1.0)) * W[5];
    const tc_real start = TC_MLS(s * W[5], query->u[2], a), slope = TC_MLS(s * a, query->u[2], b);
    if (start >= TC_C(0.0)) {
        return TC_C(0.0);
    }
    const tc_real share = a < least ? least / a : TC_C(1.0);
    return start + share * slope > TC_C(0.0) ? -start / slope : share;
}

static inline uint32_t slide_learned3(const tc_learned3_query *query, const tc_real ratio[2],
                                      tc_real impulse[3])
{
    const tc_real *const W = query->W, *const axis = query->axis, *const stop = query->stop;
    const tc_real across = ratio[1] * query->side;
    const tc_real rho[2] = {TC_MLS(ratio[0] * axis[0], across, axis[1]),
                            TC_MLA(ratio[0] * axis[1], across, axis[0])};
    const tc_real square = TC_MLA(ratio[0] * ratio[0], ratio[1], ratio[1]);
    const tc_real ends = query->tangential * query->tangential,
                  reached = square * (stop[2] * stop[2]);
    if (stop[2] > TC_C(0.0) && reached >= ends) {
        memcpy(impulse, stop, sizeof query->stop);
        return reached > ends + TC_C(2.0) * CLAMP_TOLD_LEARNED3 * ends
                   ? (uint32_t)TC_LEARNED_CLAMPED
                   : 0u;
    }
    const tc_real a = TC_MLA(W[3] * rho[0], W[4], rho[1]);
    const tc_real share = friction_cut(query, rho, a);
    const tc_real normal = -query->u[2] / TC_MLA(W[5], a, share), friction = share * normal;
    impulse[0] = rho[0] * friction;
    impulse[1] = rho[1] * friction;
    impulse[2] = normal;
    return share < TC_C(1.0) - CLAMP_TOLD_LEARNED3 && square > TC_C(0.0)
               ? (uint32_t)TC_LEARNED_CLAMPED
               : 0u;
}

uint32_t tc_learned3_respond(const tc_learned3_query *query, tc_learned_class branch,
                             const tc_real ratio[2], tc_real impulse[3])
{
    if (branch == TC_LEARNED_STATIC) {
        memcpy(impulse, query->stop, sizeof query->stop);
        return 0;
    }
    if (branch == TC_LEARNED_DYNAMIC && query->u[2] < TC_C(0.0)) {
        return slide_learned3(query, ratio, impulse);
    }
    impulse[0] = impulse[1] = impulse[2] = TC_C(0.0);
    return 0;
}

static inline tc_real within_learned3(tc_real x)
{
    return x > RATIO_MOST_LEARNED3    ? RATIO_MOST_LEARNED3
           : x < -RATIO_MOST_LEARNED3 ? -RATIO_MOST_LEARNED3
                                      : x;
}

void tc_learned3_sane_ratio(tc_real ratio[2])
{
    const int finite = (ratio[0] - ratio[0]) + (ratio[1] - ratio[1]) == TC_C(0.0);
    ratio[0] = finite ? within_learned3(ratio[0]) : TC_C(0.0);
    ratio[1] = finite ? within_learned3(ratio[1]) : TC_C(0.0);
}

uint32_t tc_learned3_impulse(const tc_learned3_query *query, tc_learned_class branch,
                             const tc_real ratio[2], tc_real impulse[3])
{
    tc_real sane[2] = {ratio[0], ratio[1]};
    tc_learned3_sane_ratio(sane);
    return tc_learned3_respond(query, branch, sane, impulse);
}

/* ---- The problem of a patch ------------------------------------------------------------------ */

/* mobility = A diag(m / I) A^T, A = F R */
static void turn_inertia(const tc_body3 *body, const tc_real A[9], tc_real mobility[6])
{
    const tc_real *const I = body->inertia;
    const tc_real d[3] = {body->mass / I[0], body->mass / I[1], body->mass / I[2]};
    const tc_real row[3][3] = {{A[0] * d[0], A[1] * d[1], A[2] * d[2]},
                               {A[3] * d[0], A[4] * d[1], A[5] * d[2]},
                               {A[6] * d[0], A[7] * d[1], A[8] * d[2]}};
    mobility[0] = tc_vec_dot3(row[0], A);
    mobility[1] = tc_vec_dot3(row[1], A);
    mobility[2] = tc_vec_dot3(row[1], A + 3);
    mobility[3] = tc_vec_dot3(row[2], A);
    mobility[4] = tc_vec_dot3(row[2], A + 3);
    mobility[5] = tc_vec_dot3(row[2], A + 6);
}

static void fill_learned3(tc_learned3_problem *problem, const tc_patch3 *patch,
                          const tc_body3 *body, const tc_body3_state *state, const tc_real *offset)
{
    tc_real R[9], A[9];
    tc_vec_rotation(state->orientation, R);
    for (uint32_t k = 0; k < 3u; k++) {
        tc_mat3_vec_t(R, patch->frame[k], A + 3u * k);
        problem->velocity[k] = tc_vec_dot3(patch->frame[k], state->velocity);
        problem->velocity[3u + k] = tc_vec_dot3(patch->frame[k], state->velocity + 3);
    }
    turn_inertia(body, A, problem->mobility);
    problem->patch = patch;
    problem->soft = NULL;
    problem->height = -patch->arm[0][2];
    for (uint32_t i = 0; i < patch->count; i++) {
        problem->offset[i] = offset != NULL ? offset[i] : TC_C(0.0);
    }
}

/* Contact i with the problem's height. c_1 K c_1 + c_2 K c_2 + c_n K c_n = trace(K) r^2 - r K r.
 * Comparisons that fail on NaN and infinities. */
static int contact_in_limits(const tc_learned3_problem *problem, uint32_t i)
{
    const tc_real *const K = problem->mobility, *const arm = problem->patch->arm[i];
    const tc_real r[3] = {arm[0], arm[1], -problem->height}, offset = problem->offset[i];
    tc_real turn[3], u[3];
    learned3_apply(K, r, turn);
    learned3_contact(problem->velocity, arm, r[2], u);
    const tc_real lever = (K[0] + K[2] + K[5]) * tc_vec_dot3(r, r) - tc_vec_dot3(r, turn);
    const tc_real speed = tc_vec_dot3(u, u) + offset * offset;
    return lever <= TC_LEARNED_LEVER_MAX * TC_LEARNED_LEVER_MAX
           && speed <= TC_LEARNED_SPEED_MAX * TC_LEARNED_SPEED_MAX;
}

static int each_in_limits(const tc_learned3_problem *problem)
{
    const tc_real *const v = problem->velocity;
    int all = tc_vec_dot3(v, v) <= TC_LEARNED_SPEED_MAX * TC_LEARNED_SPEED_MAX;
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        all = all && contact_in_limits(problem, i);
    }
    return all;
}

/* Where the plane is too far from the contacts for that, arms end at the lowest of them. */
static LEARNED3_APART int in_limits_nearer(tc_learned3_problem *problem)
{
    const tc_patch3 *const patch = problem->patch;
    tc_real lowest = patch->gap[0];
    if (each_in_limits(problem)) {
        return 1;
    }
    for (uint32_t i = 1; i < patch->count; i++) {
        lowest = patch->gap[i] < lowest ? patch->gap[i] : lowest;
    }
    problem->height -= lowest;
    return each_in_limits(problem);
}

LEARNED3_APART void tc_learned3_reduce(const tc_learned3_problem *problem, tc_patch3 *patch)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < patch->count; i++) {
        if (contact_in_limits(problem, i)) {
            patch->vertex[count] = patch->vertex[i];
            patch->gap[count] = patch->gap[i];
            memcpy(patch->arm[count], patch->arm[i], sizeof patch->arm[i]);
            count++;
        }
    }
    patch->count = count;
    patch->dimension = count > 3u ? 2u : count - (count > 0u ? 1u : 0u);
}

/* All contacts at once, from above; comparisons that fail on NaN and infinities. */
static int in_limits(tc_learned3_problem *problem)
{
    const tc_real *const K = problem->mobility, *const v = problem->velocity;
    tc_real reach = problem->height * problem->height, speed = tc_vec_dot3(v, v);
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        const tc_real *const arm = problem->patch->arm[i];
        reach = TC_MLA(TC_MLA(reach, arm[0], arm[0]), arm[1], arm[1]);
        speed = TC_MLA(speed, problem->offset[i], problem->offset[i]);
    }
    const tc_real lever = (K[0] + K[2] + K[5]) * reach;
    speed += reach * tc_vec_dot3(v + 3, v + 3);
    return (lever <= TC_LEARNED_LEVER_MAX * TC_LEARNED_LEVER_MAX
            && speed <= TC_LEARNED_SPEED_MAX * TC_LEARNED_SPEED_MAX)
           || in_limits_nearer(problem);
}

int tc_body3_in_range(const tc_body3 *body)
{
    return tc_learned_body_in_range(body->mass, body->inertia[0])
           && tc_learned_body_in_range(body->mass, body->inertia[1])
           && tc_learned_body_in_range(body->mass, body->inertia[2]);
}

static int given_finite_learned3(const tc_patch3 *patch, const tc_body3_state *state,
                                 const tc_real *offset)
{
    return tc_all_finite(&patch->arm[0][0], 3u * patch->count)
           && tc_all_finite(&patch->frame[0][0], 9) && tc_all_finite(state->velocity, 6)
           && tc_all_finite(state->orientation, 4)
           && (offset == NULL || tc_all_finite(offset, patch->count));
}

int tc_learned3_problem_make(tc_learned3_problem *problem, const tc_patch3 *patch,
                             const tc_body3 *body, const tc_body3_state *state,
                             const tc_real *offset)
{
    fill_learned3(problem, patch, body, state, offset);
    return in_limits(problem);
}

tc_status tc_learned3_problem_init(tc_learned3_problem *problem, const tc_patch3 *patch,
                                   const tc_body3 *body, const tc_body3_state *state,
                                   const tc_real *offset)
{
    if (problem == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = TC_OK;
    if (patch == NULL || state == NULL || body == NULL) {
        status = TC_ERR_NULL;
    } else if (patch->count - 1u >= TC_PATCH_MAX) {
        status = TC_ERR_SIZE;
    } else {
        status = tc_body3_check(body);
    }
    if (status >= TC_OK) {
        if (tc_body3_in_range(body)
            && tc_learned3_problem_make(problem, patch, body, state, offset)) {
            return TC_OK;
        }
        status = given_finite_learned3(patch, state, offset) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
    }
    memset(problem, 0, sizeof *problem);
    return status;
}
