/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A planar leg on a base whose motion is measured.
 *
 * Symbols: c_i centre of mass of link i, r_i its joint, w and A rate and acceleration of angles, z
 * x x = (-x_y, x_x). Positions from the base's origin, world axes. Accelerations are specific
 * forces, that is, less gravity: the base's is what its accelerometer shows, and a link that falls
 * freely has none.
 *
 * Outwards from the base, link p before link i, at qdd = 0 (all links then have the base's angular
 * acceleration A):
 *
 *   revolute    r = c_p + R_p anchor,  c = r + R_i arm,  w_i = w_p + qd
 *               a = a_p + (A z x - w_p^2)(r - c_p) + (A z x - w_i^2)(c - r)
 *   prismatic   u = R_p axis,  c = c_p + R_p anchor + q u + R_i arm,  w_i = w_p
 *               a = a_p + (A z x - w_p^2)(c - c_p) + 2 w_p qd z x u
 *
 * Inwards, what moves with coordinate k is one body of mass m, centre c, inertia I, that needs the
 * force F = sum m a and the moment N = sum (c x m a + I A) about the origin; with v_j the velocity
 * that a unit of qd_j gives to c,
 *
 *   M_jk = m v_j . v_k + I turn_j turn_k,   bias_k = N - r_k x F (revolute) or u_k . F (prismatic).
 *
 * A rotor turns with its joint alone: its inertia stands on the diagonal, without coupling to the
 * base.
 */
#include "tc_exact.h"

/* Helium's vectors do not pay in unrolled scalar code: gcc gathers scalars on the stack to store
 * four at once. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "tc_leg_core.h"

#include "tc_chain_core.h"
#include "tc_vec.h"

static const tc_real LONGEST = TC_C(1e3); /* [m], and [m/s^2] of g */

static int good_body_leg(const tc_leg_link *link)
{
    return link->body.mass > TC_C(0.0) && link->body.inertia > TC_C(0.0) && link->rotor >= TC_C(0.0)
           && link->damping >= TC_C(0.0);
}

static tc_status check_link_leg(const tc_leg_link *link)
{
    const tc_real numbers[11] = {link->anchor[0], link->anchor[1], link->arm[0],
                                 link->arm[1],    link->rest,      link->rotor,
                                 link->damping,   link->body.mass, link->body.inertia,
                                 link->axis[0],   link->axis[1]};
    const uint32_t slides = link->joint == TC_CHAIN_PRISMATIC;
    if (link->joint != TC_CHAIN_REVOLUTE && !slides) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!tc_all_finite(numbers, slides ? 11u : 9u)) {
        return TC_ERR_NOT_FINITE;
    }
    if (!good_body_leg(link)) {
        return TC_ERR_BODY;
    }
    if (!tc_chain_all_within(numbers, 9, LONGEST)) {
        return TC_ERR_RANGE;
    }
    return !slides || tc_vec_is_unit(link->axis, 2) ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_numbers_leg(const tc_leg *leg)
{
    const tc_real numbers[4] = {leg->g, leg->radius, leg->foot[0], leg->foot[1]};
    if (!tc_all_finite(numbers, 4)) {
        return TC_ERR_NOT_FINITE;
    }
    const int good =
        tc_chain_all_within(numbers, 4, LONGEST) && leg->g > TC_C(0.0) && leg->radius >= TC_C(0.0);
    return good ? TC_OK : TC_ERR_RANGE;
}

tc_status tc_leg_check(const tc_leg *leg)
{
    if (leg == NULL || leg->links == NULL) {
        return TC_ERR_NULL;
    }
    if (leg->joints - 1u >= TC_LEG_JOINTS) {
        return TC_ERR_SIZE;
    }
    if ((uint32_t)leg->root > TC_LEG_FLOATING) {
        return TC_ERR_UNSUPPORTED;
    }
    tc_status status = check_numbers_leg(leg);
    for (uint32_t i = 0; i < leg->joints && status >= TC_OK; ++i) {
        status = check_link_leg(&leg->links[i]);
    }
    return status;
}

/* The frame of what was reached last: its point of reference, orientation, and how both move. */
typedef struct frame {
    tc_real at[2];
    tc_real angle, cosine, sine;
    tc_real rate, acceleration;
    tc_real a[2];
} frame;

/* One link as a part of what moves with its joint. */
typedef struct part {
    tc_chain2_column column;
    tc_real centre[2];
    tc_real a[2];
} part;

static void turn_leg(const frame *f, const tc_real x[2], tc_real turned[2])
{
    turned[0] = f->cosine * x[0] - f->sine * x[1];
    turned[1] = f->sine * x[0] + f->cosine * x[1];
}

/* From the point of reference by `step`, rigidly */
static inline void go_leg(frame *f, const tc_real step[2])
{
    const tc_real square = f->rate * f->rate;
    f->at[0] += step[0];
    f->at[1] += step[1];
    f->a[0] -= f->acceleration * step[1] + square * step[0];
    f->a[1] += f->acceleration * step[0] - square * step[1];
}

static void face_leg(frame *f, tc_real by)
{
    tc_real sine, cosine;
    f->angle += by;
    tc_sincos(f->angle, &sine, &cosine);
    f->sine = sine;
    f->cosine = cosine;
}

static void pass_revolute(frame *f, const tc_leg_link *link, tc_real q, tc_real qd,
                          tc_chain2_column *column)
{
    tc_real step[2];
    turn_leg(f, link->anchor, step);
    go_leg(f, step);
    column->turn = TC_C(1.0);
    column->at[0] = f->at[0];
    column->at[1] = f->at[1];
    face_leg(f, link->rest + q);
    f->rate += qd;
}

static void pass_prismatic(frame *f, const tc_leg_link *link, tc_real q, tc_real qd,
                           tc_chain2_column *column)
{
    const tc_real along[2] = {link->anchor[0] + q * link->axis[0],
                              link->anchor[1] + q * link->axis[1]};
    const tc_real coriolis = TC_C(2.0) * f->rate * qd;
    tc_real step[2];
    turn_leg(f, along, step);
    go_leg(f, step);
    turn_leg(f, link->axis, column->at);
    column->turn = TC_C(0.0);
    f->a[0] -= coriolis * column->at[1];
    f->a[1] += coriolis * column->at[0];
    if (link->rest != TC_C(0.0)) {
        face_leg(f, link->rest);
    }
}

/* All links, and the foot; leaves the frame at the foot. */
static void walk_outwards(const tc_leg *leg, const tc_leg_base *base, const tc_real *q,
                          const tc_real *qd, part *parts, frame *f)
{
    tc_real step[2];
    f->at[0] = f->at[1] = TC_C(0.0);
    f->angle = base->angle;
    f->cosine = base->cosine;
    f->sine = base->sine;
    f->rate = base->rate;
    f->acceleration = base->acceleration;
    f->a[0] = base->force[0];
    f->a[1] = base->force[1];
    for (uint32_t i = 0; i < leg->joints; ++i) {
        const tc_leg_link *const link = &leg->links[i];
        if (link->joint == TC_CHAIN_REVOLUTE) {
            pass_revolute(f, link, q[i], qd[i], &parts[i].column);
        } else {
            pass_prismatic(f, link, q[i], qd[i], &parts[i].column);
        }
        turn_leg(f, link->arm, step);
        go_leg(f, step);
        parts[i].centre[0] = f->at[0];
        parts[i].centre[1] = f->at[1];
        parts[i].a[0] = f->a[0];
        parts[i].a[1] = f->a[1];
    }
    turn_leg(f, leg->foot, step);
    f->at[0] += step[0];
    f->at[1] += step[1];
}

/* What moves with a joint, joined link by link. */
typedef struct load {
    tc_real mass, centre[2], inertia, force[2], moment;
} load;

static void join_load(load *l, const tc_leg_link *link, const part *p, tc_real acceleration)
{
    const tc_real m = link->body.mass;
    const tc_real force[2] = {m * p->a[0], m * p->a[1]};
    const tc_real away[2] = {p->centre[0] - l->centre[0], p->centre[1] - l->centre[1]};
    const tc_real sum = l->mass + m;
    const tc_real share = m / sum;
    l->inertia += link->body.inertia + l->mass * share * (away[0] * away[0] + away[1] * away[1]);
    l->centre[0] += share * away[0];
    l->centre[1] += share * away[1];
    l->mass = sum;
    l->force[0] += force[0];
    l->force[1] += force[1];
    l->moment +=
        p->centre[0] * force[1] - p->centre[1] * force[0] + link->body.inertia * acceleration;
}

static void walk_inwards(const tc_leg *leg, tc_real acceleration, const tc_real *qd,
                         const part *parts, tc_leg_view *view)
{
    const uint32_t n = leg->joints;
    load l = {.mass = TC_C(0.0)};
    for (uint32_t k = n; k-- > 0u;) {
        const tc_leg_link *const link = &leg->links[k];
        const tc_chain2_column *const column = &parts[k].column;
        join_load(&l, link, &parts[k], acceleration);
        tc_real v[2];
        tc_chain2_column_velocity(column, l.centre, v);
        v[0] *= l.mass;
        v[1] *= l.mass;
        for (uint32_t j = 0; j <= k; ++j) {
            tc_real u[2];
            tc_chain2_column_velocity(&parts[j].column, l.centre, u);
            const tc_real both = column->turn * parts[j].column.turn;
            view->M[j * n + k] = view->M[k * n + j] = u[0] * v[0] + u[1] * v[1] + both * l.inertia;
        }
        view->M[k * n + k] += link->rotor;
        const tc_real carried =
            column->turn != TC_C(0.0)
                ? l.moment - column->at[0] * l.force[1] + column->at[1] * l.force[0]
                : column->at[0] * l.force[0] + column->at[1] * l.force[1];
        view->bias[k] = carried + link->damping * qd[k];
    }
}

void tc_leg_look(const tc_leg *leg, const tc_leg_base *base, const tc_real *q, const tc_real *qd,
                 tc_leg_view *view)
{
    part parts[TC_LEG_JOINTS];
    frame f;
    walk_outwards(leg, base, q, qd, parts, &f);
    view->foot[0] = f.at[0];
    view->foot[1] = f.at[1] - leg->radius;
    view->lever[0] = view->foot[0] - parts[leg->joints - 1u].centre[0];
    view->lever[1] = view->foot[1] - parts[leg->joints - 1u].centre[1];
    view->angle = f.angle;
    view->rate = f.rate;
    view->carried[0] = -base->rate * view->foot[1];
    view->carried[1] = base->rate * view->foot[0];
    for (uint32_t i = 0; i < leg->joints; ++i) {
        tc_real v[2];
        tc_chain2_column_velocity(&parts[i].column, view->foot, v);
        view->J[i] = v[0];
        view->J[leg->joints + i] = v[1];
    }
    walk_inwards(leg, base->acceleration, qd, parts, view);
}

void tc_leg_move(const tc_leg *leg, const tc_leg_base *base, const tc_real *q, const tc_real *qd,
                 tc_leg_motion *motion)
{
    tc_leg_view view = {.M = motion->M, .bias = motion->bias, .J = motion->J};
    tc_leg_look(leg, base, q, qd, &view);
    for (uint32_t i = 0; i < 2u; ++i) {
        motion->foot[i] = view.foot[i];
        motion->carried[i] = view.carried[i];
        motion->lever[i] = view.lever[i];
    }
    motion->angle = view.angle;
    motion->rate = view.rate;
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
