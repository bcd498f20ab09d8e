/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The leg on a ground of any shape: what the filter of a flat floor sees in contact axes.
 *
 * Symbols: c the centre of the foot's circle, r its radius, phi(c) the ground's distance there, n
 * its gradient, t = (n_y, -n_x). The contact point is c - r n in place of c - (0, r), so it lies d =
 * r (-n_x, 1 - n_y) beside the one that tc_leg_look has: a link that turns with w moves it by w
 * (-d_y, d_x) more. J, the velocity that the base's turn carries, and the lever turn into (t, n);
 * the gap is phi(c) - r. On a flat floor all this is the identity.
 *
 * Height of the ground below the contact point: that height of the base at which the gap is 0, to
 * first order, is gap / n_y lower. Where the foot is deeper than DEEP_GROUND, the height is unknown
 * (before the first contact) and the nearest surface may be a side: then the surface straight above
 * it is looked for.
 */
#include "tc_exact.h"

#include "tc_estimator_internal.h"
#include "tc_vec.h"

static const tc_real DEEP_GROUND = TC_C(0.05); /* [m] */
static const tc_real RISE_GROUND = TC_C(0.02); /* least step on the way up [m] */
static const tc_real NEAR_GROUND = TC_C(1e-4); /* of the surface [m] */
static const tc_real STEEP_LOOK = TC_C(0.3);   /* least n_y that is divided by */

#define LOOKS_GROUND 20u

/* Moves y to where a circle of the radius r at (x, y) touches, up or down. normal[2]: there */
static tc_status find_height(const tc_ground2 *ground, tc_real x, tc_real r, tc_real *y,
                             tc_real normal[2])
{
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < LOOKS_GROUND && status >= TC_OK; ++i) {
        const tc_real at[2] = {x, *y};
        tc_real phi;
        status = tc_ground2_look(ground, at, &phi, normal);
        const tc_real gap = phi - r;
        if (status < TC_OK || tc_vec_magnitude(gap) < NEAR_GROUND) break;
        *y -= gap > TC_C(0.0) ? gap : -tc_vec_max(-gap, RISE_GROUND);
    }
    return status;
}

/* Contact point and axes for the normal */
static void turn_motion(const tc_leg *leg, tc_real rate, const tc_real n[2], tc_leg_view *motion)
{
    const uint32_t joints = leg->joints;
    const tc_real d[2] = {-leg->radius * n[0], leg->radius * (TC_C(1.0) - n[1])};
    const tc_real carried[2] = {TC_MLS(motion->carried[0], rate, d[1]),
                                TC_MLA(motion->carried[1], rate, d[0])};
    const tc_real lever[2] = {motion->lever[0] + d[0], motion->lever[1] + d[1]};
    for (uint32_t i = 0; i < joints; ++i) {
        const tc_real turns = leg->links[i].joint == TC_CHAIN_REVOLUTE ? TC_C(1.0) : TC_C(0.0);
        const tc_real column[2] = {TC_MLS(motion->J[i], turns, d[1]),
                                   TC_MLA(motion->J[joints + i], turns, d[0])};
        tc_real turned[2];
        tci_estimator_ground_turn(n, column, turned);
        motion->J[i] = turned[0];
        motion->J[joints + i] = turned[1];
    }
    tci_estimator_ground_turn(n, carried, motion->carried);
    tci_estimator_ground_turn(n, lever, motion->lever);
    motion->foot[0] += d[0];
    motion->foot[1] += d[1];
}

/* tc_calls: advance_estimator lib/estimator/tc_estimator_ground.c:look_below */
/* tc_calls: look_ahead lib/estimator/tc_estimator_ground.c:look_below */
static void look_below(const tc_estimator *e, const tc_real base[3], void *view, void *below)
{
    tc_leg_view *const motion = view;
    tci_estimator_ground *const ground = below;
    tc_real *const n = ground->normal;
    const tc_real r = e->leg->radius, x = base[0], z = base[1];
    const tc_real centre[2] = {x + motion->foot[0], z + motion->foot[1] + r};
    tc_real phi, height = centre[1];
    tc_status status = tc_ground2_look(e->ground, centre, &phi, n);
    ground->above = phi - r;
    tc_real rise = -ground->above / tc_vec_max(n[1], STEEP_LOOK);
    if (status >= TC_OK && ground->above < -DEEP_GROUND) {
        status = find_height(e->ground, centre[0], r, &height, n);
        rise = height - centre[1];
        ground->above = -rise * n[1];
    }
    if (status < TC_OK) { /* a base beyond all numbers: as on a flat floor */
        n[0] = TC_C(0.0);
        n[1] = TC_C(1.0);
        ground->above = rise = TC_C(0.0);
    }
    turn_motion(e->leg, base[2], n, motion);
    if (e->model != NULL) { /* which alone is asked by the angle */
        motion->angle -= tc_atan2(-n[0], n[1]);
    }
    ground->surface = z + motion->foot[1] + rise;
}

tc_status tc_estimator_stand_on(tc_estimator *e, const tc_ground2 *ground, tc_real place)
{
    if (e == NULL || e->leg == NULL || (ground != NULL && ground->shape_ref == NULL)) {
        return TC_ERR_NULL;
    }
    if (!tc_all_finite(&place, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    if (ground == NULL) {
        e->ground = NULL;
        e->look = NULL;
        return TC_OK;
    }
    tc_leg_base base = {.angle = e->pitch, .force = {TC_C(0.0), e->leg->g}};
    tc_leg_motion motion;
    const tc_real still[TC_LEG_JOINTS] = {TC_C(0.0)};
    tc_real normal[2], height = TC_C(0.0);
    tc_sincos(e->pitch, &base.sine, &base.cosine);
    tc_leg_move(e->leg, &base, e->state, still, &motion);
    const tc_real x = place + motion.foot[0];
    const tc_status status = find_height(ground, x, e->leg->radius, &height, normal);
    if (status < TC_OK) {
        return status;
    }
    e->ground = ground;
    e->look = look_below;
    e->place = place;
    e->vertical[0] = height - e->leg->radius - motion.foot[1];
    return TC_OK;
}
