/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The potential of two bodies: checks, and twelve freedoms of the six of the sum.
 *
 * The sum is a function F of A's move (tau, eta) while B is at rest. With both moving, R = exp([theta])
 * of each, c_A - c_B = r, B's frame sees to second order
 *
 *     eta = theta_A - theta_B - theta_B x theta_A / 2
 *     tau = t_A - t_B - theta_B x r + theta_B x (theta_B x r) / 2 - theta_B x (t_A - t_B)
 *
 * so that with J = d(tau, eta)/dq = [ 1  0  -1  [r]x ]   and (f, g) = grad F
 *                                   [ 0  1   0  -1   ]
 *
 *     gradient  J' (f, g)
 *     Hessian   J' F'' J, and of the terms of second order
 *               theta_B theta_B   (f r' + r f')/2 - (f . r) 1
 *               theta_B t_A       [f]x,  theta_B t_B  - [f]x      from - f . (theta_B x t)
 *               theta_B theta_A   [g]x / 2                        from - g . (theta_B x theta_A) / 2
 *
 * because -f . (b x t) = b' [f]x t.
 */
#include "tc_exact.h"
#include "tc_hierarchy.h"

#include "tc_hierarchy_internal.h"

tc_hierarchy_config tc_hierarchy_default(void)
{
    return (tc_hierarchy_config){tc_barrier_default(), TC_C(0.5)};
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static tc_status check_bodies(const tc_hierarchy *a, const tc_hierarchy *b,
                              const tc_hierarchy_cache *cache)
{
    if (!a || !b || !a->nodes_ref || !b->nodes_ref) return TC_ERR_NULL;
    if (!cache) return TC_OK;
    if ((cache->count & (cache->count - 1u)) != 0u) return TC_ERR_SIZE;
    return cache->count > 0u && !cache->slots ? TC_ERR_NULL : TC_OK;
}

static tc_status check_margin(const tc_hierarchy_config *config)
{
    const tc_status status = tc_barrier_check(&config->barrier);
    if (status != TC_OK) return status;
    if (TC_C(0.0) * config->epsilon != TC_C(0.0)) return TC_ERR_NOT_FINITE;
    return config->epsilon >= TC_C(1e-3) && config->epsilon <= TC_C(1e6) ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_body_pose(const tc_convex_pose *at)
{
    const tc_real *const x = at->position;
    if (tc_vec_zero(at->rotation, 9) != TC_C(0.0) || tc_vec_zero(x, 3) != TC_C(0.0))
        return TC_ERR_NOT_FINITE;
    for (uint32_t i = 0; i < 3u; ++i) {
        if (tc_vec_magnitude(x[i]) > TCI_HIERARCHY_FAR) return TC_ERR_RANGE;
        if (!tc_vec_is_unit(at->rotation + 3u * i, 3)) return TC_ERR_UNIT;
    }
    return TC_OK;
}

/* A in B's axes */
static void see_body(const tc_convex_pose *at_a, const tc_convex_pose *at_b, tc_convex_pose *at)
{
    tc_real apart[3];
    for (uint32_t i = 0; i < 3u; ++i) apart[i] = at_a->position[i] - at_b->position[i];
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real column[3] = {at_b->rotation[i], at_b->rotation[3u + i],
                                   at_b->rotation[6u + i]};
        at->position[i] = tc_vec_dot3(column, apart);
        for (uint32_t k = 0; k < 3u; ++k) {
            const tc_real of_a[3] = {at_a->rotation[k], at_a->rotation[3u + k],
                                     at_a->rotation[6u + k]};
            at->rotation[3u * i + k] = tc_vec_dot3(column, of_a);
        }
    }
}

/* Checks all but what a mode has beside; view: the bodies. */
static tc_status open_view(const tc_hierarchy_config *config, const tc_hierarchy *a,
                           const tc_convex_pose *at_a, const tc_hierarchy *b,
                           const tc_convex_pose *at_b, tc_hierarchy_cache *cache,
                           tci_hierarchy_view *view)
{
    if (!config || !at_a || !at_b || !view->work) return TC_ERR_NULL;
    tc_status status = check_bodies(a, b, cache);
    if (status == TC_OK) status = check_margin(config);
    if (status == TC_OK) status = check_body_pose(at_a);
    if (status == TC_OK) status = check_body_pose(at_b);
    if (status != TC_OK) return status;
    view->config = config;
    view->a = a;
    view->b = b;
    view->cache = cache;
    see_body(at_a, at_b, &view->at);
    return TC_OK;
}

/* ---- Twelve freedoms ------------------------------------------------------------------------- */

/* C = A B A' of 3 x 3 blocks with a rotation A: B's axes to world axes */
static void turn_block(const tc_real R[9], const tc_real *B, tc_real *C)
{
    tc_real half[9];
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t k = 0; k < 3u; ++k)
            half[3u * i + k] = TC_MLA(TC_MLA(R[3u * i] * B[k], R[3u * i + 1u], B[6u + k]),
                                      R[3u * i + 2u], B[12u + k]);
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t k = 0; k < 3u; ++k) C[6u * i + k] = tc_vec_dot3(half + 3u * i, R + 3u * k);
    }
}

/* The six freedoms in world axes: gradient[6], H[6 x 6]; full: scratch */
static void turn_sum(const tc_hierarchy_sum *sum, const tc_real R[9], tc_real gradient[6],
                     tc_real H[36], tc_real full[36])
{
    for (uint32_t i = 0; i < 6u; ++i) {
        for (uint32_t j = 0; j <= i; ++j)
            full[6u * i + j] = full[6u * j + i] = sum->hessian[i * (i + 1u) / 2u + j];
    }
    for (uint32_t i = 0; i < 6u; i += 3u) {
        tci_hierarchy_turn(R, sum->gradient + i, gradient + i);
        for (uint32_t j = 0; j < 6u; j += 3u) turn_block(R, full + 6u * i + j, H + 6u * i + j);
    }
}

/* [x]x */
static void set_cross(const tc_real x[3], tc_real X[9])
{
    const tc_real filled[9] = {0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0};
    for (uint32_t i = 0; i < 9u; ++i) X[i] = filled[i];
}

/* J[6 x 12] */
static void set_lift(const tc_real r[3], tc_real J[72])
{
    tc_real turn[9];
    set_cross(r, turn);
    for (uint32_t i = 0; i < 72u; ++i) J[i] = TC_C(0.0);
    for (uint32_t i = 0; i < 3u; ++i) {
        J[12u * i + i] = J[12u * (i + 3u) + 3u + i] = TC_C(1.0);
        J[12u * i + 6u + i] = J[12u * (i + 3u) + 9u + i] = TC_C(-1.0);
        for (uint32_t k = 0; k < 3u; ++k) J[12u * i + 9u + k] = turn[3u * i + k];
    }
}

/* Adds the terms of second order: rows of theta_B. */
static void bend_lift(const tc_real f[3], const tc_real g[3], const tc_real r[3], tc_real *hessian)
{
    tc_real force[9], torque[9];
    const tc_real along = tc_vec_dot3(f, r);
    set_cross(f, force);
    set_cross(g, torque);
    for (uint32_t i = 0; i < 3u; ++i) {
        tc_real *const row = hessian + (9u + i) * (10u + i) / 2u;
        for (uint32_t k = 0; k < 3u; ++k) {
            row[k] += force[3u * i + k];
            row[3u + k] += TC_C(0.5) * torque[3u * i + k];
            row[6u + k] -= force[3u * i + k];
            if (k <= i) row[9u + k] += TC_C(0.5) * TC_MLA(f[i] * r[k], r[i], f[k]);
        }
        row[9u + i] -= along;
    }
}

TCI_HIERARCHY_APART static void lift_sum(const tc_hierarchy_sum *sum, const tc_convex_pose *at_a,
                                         const tc_convex_pose *at_b, tc_real work[216],
                                         tc_hierarchy_pair *pair)
{
    tc_real six[6], r[3];
    tc_real *const H = work, *const full = work + 36, *const J = work + 72, *const HJ = work + 144;
    for (uint32_t i = 0; i < 3u; ++i) r[i] = at_a->position[i] - at_b->position[i];
    turn_sum(sum, at_b->rotation, six, H, full);
    set_lift(r, J);
    tc_mat_body_mul(H, J, HJ, 6, 6, 12);
    tc_mat_body_vec_t(J, six, pair->gradient, 6, 12);
    tc_real *entry = pair->hessian;
    for (uint32_t i = 0; i < 12u; ++i) {
        for (uint32_t k = 0; k <= i; ++k)
            *entry++ = tc_mat_body_dot(TC_C(0.0), J + i, 12, HJ + k, 12, 0, 6);
    }
    bend_lift(six, six + 3, r, pair->hessian);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* Walks, and writes the pair unless the walk fails. */
static tc_status walk_bodies(tci_hierarchy_view *view, const tc_convex_pose *at_a,
                             const tc_convex_pose *at_b, tc_hierarchy_pair *pair)
{
    const tc_hierarchy_sum *const sum = &view->work->frames[0].sum;
    const tc_status status = tci_hierarchy_walk(view);
    if (status < TC_OK) return status;
    pair->value = sum->value;
    pair->exact = sum->exact;
    pair->centred = sum->centred;
    pair->newton = sum->newton;
    if (view->derive) lift_sum(sum, at_a, at_b, view->work->lift, pair);
    return sum->status;
}

tc_status tc_hierarchy_derive(const tc_hierarchy_config *config, const tc_hierarchy *a,
                              const tc_convex_pose *at_a, const tc_hierarchy *b,
                              const tc_convex_pose *at_b, tc_hierarchy_cache *cache,
                              tc_hierarchy_pair *pair, tc_hierarchy_work *work)
{
    static const tc_hierarchy_pair none = {0};
    tci_hierarchy_view view = {.work = work, .derive = 1};
    if (!pair) return TC_ERR_NULL;
    *pair = none;
    const tc_status status = open_view(config, a, at_a, b, at_b, cache, &view);
    return status != TC_OK ? status : walk_bodies(&view, at_a, at_b, pair);
}

tc_status tc_hierarchy_value(const tc_hierarchy_config *config, const tc_hierarchy *a,
                             const tc_convex_pose *at_a, const tc_hierarchy *b,
                             const tc_convex_pose *at_b, tc_hierarchy_cache *cache,
                             tc_hierarchy_pair *pair, tc_hierarchy_work *work)
{
    static const tc_hierarchy_pair none = {0};
    tci_hierarchy_view view = {.work = work};
    if (!pair) return TC_ERR_NULL;
    *pair = none;
    const tc_status status = open_view(config, a, at_a, b, at_b, cache, &view);
    return status != TC_OK ? status : walk_bodies(&view, at_a, at_b, pair);
}

tc_status tc_hierarchy_part(const tc_hierarchy_config *config, const tc_hierarchy *a,
                            const tc_convex_pose *at_a, const tc_hierarchy *b,
                            const tc_convex_pose *at_b, uint32_t part, tc_hierarchy_cache *cache,
                            tc_hierarchy_sum *sum, tc_hierarchy_work *work)
{
    static const tc_hierarchy_sum none = {0};
    tci_hierarchy_view view = {.work = work, .derive = 1, .mode = TCI_HIERARCHY_PART, .part = part};
    if (!sum) return TC_ERR_NULL;
    *sum = none;
    tc_status status = open_view(config, a, at_a, b, at_b, cache, &view);
    if (status == TC_OK && part >= TC_HIERARCHY_PARTS) status = TC_ERR_SIZE;
    if (status == TC_OK) status = tci_hierarchy_walk(&view);
    if (status < TC_OK) {
        sum->status = status;
        return status;
    }
    *sum = work->frames[0].sum;
    return sum->status;
}

tc_status tc_hierarchy_join(const tc_hierarchy_config *config, const tc_hierarchy *a,
                            const tc_convex_pose *at_a, const tc_hierarchy *b,
                            const tc_convex_pose *at_b, const tc_hierarchy_sum *parts,
                            tc_hierarchy_pair *pair, tc_hierarchy_work *work)
{
    static const tc_hierarchy_pair none = {0};
    tci_hierarchy_view view = {
        .work = work, .derive = 1, .parts = parts, .mode = TCI_HIERARCHY_JOIN};
    if (!pair) return TC_ERR_NULL;
    *pair = none;
    if (!parts) return TC_ERR_NULL;
    const tc_status status = open_view(config, a, at_a, b, at_b, NULL, &view);
    if (status != TC_OK) return status;
    for (uint32_t i = 0; i < TC_HIERARCHY_PARTS; ++i) {
        if (parts[i].status < TC_OK) return parts[i].status;
    }
    return walk_bodies(&view, at_a, at_b, pair);
}
