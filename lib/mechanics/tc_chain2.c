/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Planar serial chains.
 *
 * Symbols: c_i centre of mass of link i, r_i its joint, w angular velocity, [x] turned by +90
 * degrees is z x x = (-x_y, x_x). All from the chain's origin, in world axes.
 *
 * Kinematics, from the root outwards, link p before link i:
 *
 *   revolute    r = c_p + R_p anchor,           c = r + R_i arm,              w_i = w_p + qd
 *               v_r = v_p + w_p z x (r - c_p),  v = v_r + w_i z x (c - r)
 *               a_r = a_p - w_p^2 (r - c_p),    a = a_r - w_i^2 (c - r)
 *   prismatic   d = R_p axis,                   c = r + d q + R_p arm,        w_i = w_p
 *               v = v_p + w_p z x (c - c_p) + d qd
 *               a = a_p - w_p^2 (c - c_p) + 2 w_p z x d qd
 *
 * a is the acceleration at qdd = 0; in the plane angular accelerations have no such part.
 *
 * Mass matrix, from the tip inwards: what moves with coordinate k moves with every j <= k as one
 * body of mass m, centre c and inertia I about it; with v_j(c) and turn_j the velocities that one
 * unit of qd_j gives to it,
 *
 *   M_jk = m v_j(c) . v_k(c) + I turn_j turn_k.
 *
 * Two bodies joined: m = m_1 + m_2, c = (m_1 c_1 + m_2 c_2) / m, I = I_1 + I_2 + m_1 m_2 / m |c_1 -
 * c_2|^2. Inertias about the common centre of mass, and not about the origin, keep a light tip on a
 * long limb from drowning in rounding.
 *
 * Forces: F = sum m_i (g - a_i) over what a coordinate moves, and its moment about the origin: at .
 * F of a prismatic, moment - at x F of a revolute one.
 *
 * Cost, links n: move 30 to 40 multiplications and two elementary functions each; mass matrix one
 * division and 15 multiplications a link, 5 a pair of coordinates.
 */
#include "tc_exact.h"
#include "tc_chain2.h"

#include "tc_chain_core.h"
#include "tc_vec.h"

#include <string.h>

tc_status tc_chain_check_body(const tc_real *numbers, uint32_t n)
{
    tc_real most = TC_CHAIN_BODY_MAX;
    int positive = 1;
    int within = 1;
    for (uint32_t i = 0; i < n; ++i) {
        positive &= numbers[i] > TC_C(0.0);
        within &= numbers[i] <= most && numbers[i] >= TC_C(1.0) / most;
        most = TC_CHAIN_BODY_MAX * TC_CHAIN_BODY_MAX;
    }
    if (!tc_all_finite(numbers, n)) {
        return TC_ERR_NOT_FINITE;
    }
    return !positive ? TC_ERR_BODY : within ? TC_OK : TC_ERR_RANGE;
}

static tc_real largest_chain2(const tc_real *rates, uint32_t n)
{
    tc_real most = TC_C(0.0);
    for (uint32_t k = 0; k < n; ++k) {
        most = tc_vec_max(tc_vec_magnitude(rates[k]), most);
    }
    return most;
}

void tc_chain_shorten(tc_real *rates, uint32_t n, tc_real h)
{
    const tc_real way = h * largest_chain2(rates, n);
    for (uint32_t k = 0; way > TC_CHAIN_LIFT_MAX && k < n; ++k) {
        rates[k] *= TC_CHAIN_LIFT_MAX / way;
    }
}

int tc_chain_slow(tc_real *rates, uint32_t n)
{
    if (tc_chain_rates_within(rates, n)) {
        return 0;
    }
    const int finite = tc_all_finite(rates, n);
    const tc_real most = largest_chain2(rates, n);
    const tc_real scale = TC_C(0.5) * TC_CHAIN_RATE_MAX / tc_sqrt((tc_real)n);
    for (uint32_t k = 0; k < n; ++k) {
        rates[k] = finite ? rates[k] / most * scale : TC_C(0.0);
    }
    return 1;
}

/* How many of a link's numbers its joint uses. */
static uint32_t used_by_joint(uint32_t joint)
{
    return joint == TC_CHAIN_PRISMATIC ? 8u : joint == TC_CHAIN_REVOLUTE ? 6u : 2u;
}

static tc_status check_link_chain2(const tc_chain2_link *link, int first)
{
    const tc_real numbers[8] = {link->body.mass, link->body.inertia, link->anchor[0],
                                link->anchor[1], link->arm[0],       link->arm[1],
                                link->axis[0],   link->axis[1]};
    if (link->joint > TC_CHAIN_FREE || (link->joint == TC_CHAIN_FREE && !first)) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!tc_all_finite(numbers, used_by_joint(link->joint))) {
        return TC_ERR_NOT_FINITE;
    }
    const tc_status status = tc_chain_check_body(numbers, 2);
    if (status < TC_OK) {
        return status;
    }
    if (link->joint != TC_CHAIN_FREE && !tc_chain_all_within(numbers + 2, 4, TC_CHAIN_LENGTH_MAX)) {
        return TC_ERR_RANGE;
    }
    return link->joint != TC_CHAIN_PRISMATIC || tc_vec_is_unit(link->axis, 2) ? TC_OK
                                                                              : TC_ERR_RANGE;
}

tc_status tc_chain2_check(const tc_chain2 *chain)
{
    if (chain == NULL || chain->links == NULL) {
        return TC_ERR_NULL;
    }
    if (chain->count - 1u >= TC_CHAIN_MAX) {
        return TC_ERR_SIZE;
    }
    if (!tc_chain_all_within(chain->gravity, 2, TC_CHAIN_GRAVITY_MAX)) {
        return tc_all_finite(chain->gravity, 2) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; i < chain->count; ++i) {
        const tc_status status = check_link_chain2(&chain->links[i], i == 0);
        if (status < TC_OK) {
            return status;
        }
    }
    return TC_OK;
}

uint32_t tc_chain2_dof(const tc_chain2 *chain, uint32_t links)
{
    return links == 0 ? 0u : chain->links[0].joint == TC_CHAIN_FREE ? links + 2u : links;
}

/* x turned by the link's angle, into world axes */
static void turn_chain2(const tc_chain2_link_motion *link, const tc_real x[2], tc_real turned[2])
{
    turned[0] = link->cosine * x[0] - link->sine * x[1];
    turned[1] = link->sine * x[0] + link->cosine * x[1];
}

static void add_column_chain2(tc_chain2_motion *motion, uint32_t link, tc_real turns,
                              const tc_real at[2])
{
    tc_chain2_column *column = &motion->column[motion->dof++];
    column->turn = turns;
    column->at[0] = at[0];
    column->at[1] = at[1];
    column->link = link;
}

/* ---- Where links stand ----------------------------------------------------------------------- */

static void face_chain2(tc_chain2_link_motion *self, tc_real angle)
{
    self->position[2] = angle;
    tc_sincos_core(angle, &self->sine, &self->cosine);
}

static void place_free(const tc_real *q, tc_chain2_motion *motion)
{
    static const tc_real x[2] = {TC_C(1.0), TC_C(0.0)}, y[2] = {TC_C(0.0), TC_C(1.0)}, none[2];
    memcpy(motion->origin, q, sizeof motion->origin);
    memcpy(motion->link[0].position, none, sizeof none);
    face_chain2(&motion->link[0], q[2]);
    add_column_chain2(motion, 0, TC_C(0.0), x);
    add_column_chain2(motion, 0, TC_C(0.0), y);
    add_column_chain2(motion, 0, TC_C(1.0), none);
}

/* Link i behind its joint, which stands at `joint` in what comes before. */
static void place_link(const tc_chain2_link *link, uint32_t i, tc_real q, const tc_real joint[2],
                       const tc_chain2_link_motion *before, tc_chain2_motion *motion)
{
    tc_chain2_link_motion *self = &motion->link[i];
    tc_real arm[2];
    tc_real axis[2] = {TC_C(0.0), TC_C(0.0)};
    if (link->joint == TC_CHAIN_REVOLUTE) {
        add_column_chain2(motion, i, TC_C(1.0), joint);
        face_chain2(self, before->position[2] + q);
    } else {
        turn_chain2(before, link->axis, axis);
        add_column_chain2(motion, i, TC_C(0.0), axis);
        self->position[2] = before->position[2];
        self->cosine = before->cosine;
        self->sine = before->sine;
    }
    turn_chain2(self, link->arm, arm);
    self->position[0] = joint[0] + axis[0] * q + arm[0];
    self->position[1] = joint[1] + axis[1] * q + arm[1];
}

/* The world, as the link before link 0 */
static const tc_chain2_link_motion ground = {.cosine = TC_C(1.0)};

void tc_chain2_place(const tc_chain2 *chain, const tc_real *q, tc_chain2_motion *motion)
{
    const tc_chain2_link_motion *before = &ground;
    uint32_t i = 0;
    motion->links = chain->count;
    motion->dof = 0;
    if (chain->links[0].joint == TC_CHAIN_FREE) {
        place_free(q, motion);
        i = 1;
    } else {
        memcpy(motion->origin, chain->links[0].anchor, sizeof motion->origin);
    }
    for (; i < chain->count; ++i) {
        const tc_chain2_link *link = &chain->links[i];
        tc_real joint[2] = {TC_C(0.0), TC_C(0.0)};
        if (i > 0u) {
            before = &motion->link[i - 1u];
            turn_chain2(before, link->anchor, joint);
            joint[0] += before->position[0];
            joint[1] += before->position[1];
        }
        place_link(link, i, q[motion->dof], joint, before, motion);
    }
}

/* ---- How they move --------------------------------------------------------------------------- */

/* Moves on along `step` within a body that turns with `omega`. */
static void step_rigidly_chain2(tc_real omega, tc_real x, tc_real y, tc_chain2_link_motion *to)
{
    to->velocity[0] -= omega * y;
    to->velocity[1] += omega * x;
    to->acceleration[0] -= omega * omega * x;
    to->acceleration[1] -= omega * omega * y;
}

static void move_link(const tc_chain2_column *column, const tc_chain2_link_motion *before,
                      tc_real qd, tc_chain2_link_motion *self)
{
    const tc_real *at = column->at;
    const tc_real *from = before->position;
    const tc_real *to = self->position;
    const tc_real omega = before->velocity[2];
    memcpy(self->velocity, before->velocity, sizeof self->velocity);
    memcpy(self->acceleration, before->acceleration, sizeof self->acceleration);
    if (column->turn != TC_C(0.0)) {
        step_rigidly_chain2(omega, at[0] - from[0], at[1] - from[1], self);
        self->velocity[2] = omega + qd;
        step_rigidly_chain2(omega + qd, to[0] - at[0], to[1] - at[1], self);
    } else {
        step_rigidly_chain2(omega, to[0] - from[0], to[1] - from[1], self);
        self->velocity[0] += at[0] * qd;
        self->velocity[1] += at[1] * qd;
        self->acceleration[0] -= TC_C(2.0) * omega * at[1] * qd;
        self->acceleration[1] += TC_C(2.0) * omega * at[0] * qd;
    }
}

static void move_links(const tc_real *qd, tc_chain2_motion *motion)
{
    static const tc_real none[2];
    const tc_chain2_link_motion *before = &ground;
    uint32_t k = motion->dof - motion->links;
    uint32_t i = 0;
    if (k > 0u) {
        memcpy(motion->link[0].velocity, qd, sizeof motion->link[0].velocity);
        memcpy(motion->link[0].acceleration, none, sizeof none);
        before = &motion->link[0];
        k = 3;
        i = 1;
    }
    for (; i < motion->links; ++i, ++k) {
        move_link(&motion->column[k], before, qd[k], &motion->link[i]);
        before = &motion->link[i];
    }
}

/* Infinities and NaN are handed on from link to link: the last one knows of all. */
static int motion_is_finite(const tc_chain2_motion *motion)
{
    const tc_chain2_link_motion *last = &motion->link[motion->links - 1u];
    tc_real zero = TC_C(0.0) * motion->origin[0] + TC_C(0.0) * motion->origin[1];
    for (uint32_t i = 0; i < 3u; ++i) {
        zero += TC_C(0.0) * last->position[i] + TC_C(0.0) * last->velocity[i];
    }
    zero += TC_C(0.0) * last->acceleration[0] + TC_C(0.0) * last->acceleration[1];
    return zero == TC_C(0.0);
}

static tc_status unmoved_chain2(tc_status status, tc_chain2_motion *motion)
{
    memset(motion, 0, sizeof *motion);
    return status;
}

tc_status tc_chain2_move(const tc_chain2 *chain, const tc_real *q, const tc_real *qd,
                         tc_chain2_motion *motion)
{
    if (chain == NULL || q == NULL || qd == NULL || motion == NULL) {
        return TC_ERR_NULL;
    }
    const uint32_t dof = tc_chain2_dof(chain, chain->count);
    if (!tc_all_finite(q, dof) || !tc_chain_rates_within(qd, dof)) {
        const int finite = tc_all_finite(q, dof) && tc_all_finite(qd, dof);
        return unmoved_chain2(finite ? TC_ERR_RANGE : TC_ERR_NOT_FINITE, motion);
    }
    tc_chain2_place(chain, q, motion);
    move_links(qd, motion);
    return motion_is_finite(motion) ? TC_OK : unmoved_chain2(TC_ERR_RANGE, motion);
}

/* Everything from some link to the tip as one body. */
typedef struct composite_chain2 {
    tc_real mass, inertia, centre[2];
} composite_chain2;

static void add_link_chain2(const tc_chain2_link *link, const tc_chain2_link_motion *motion,
                            composite_chain2 *all)
{
    const tc_real mass = all->mass + link->body.mass;
    const tc_real share = link->body.mass / mass;
    const tc_real away[2] = {motion->position[0] - all->centre[0],
                             motion->position[1] - all->centre[1]};
    all->inertia +=
        link->body.inertia + all->mass * share * (away[0] * away[0] + away[1] * away[1]);
    all->centre[0] += share * away[0];
    all->centre[1] += share * away[1];
    all->mass = mass;
}

void tc_chain2_mass_matrix(const tc_chain2 *chain, const tc_chain2_motion *motion, uint32_t links,
                           tc_real *M)
{
    const uint32_t dof = tc_chain2_dof(chain, links);
    composite_chain2 all = {TC_C(0.0), TC_C(0.0), {TC_C(0.0), TC_C(0.0)}};
    uint32_t joined = links; /* links from here on are in `all` */
    for (uint32_t k = dof; k-- > 0u;) {
        const tc_chain2_column *column = &motion->column[k];
        while (joined > column->link) {
            --joined;
            add_link_chain2(&chain->links[joined], &motion->link[joined], &all);
        }
        tc_real v[2];
        tc_chain2_column_velocity(column, all.centre, v);
        for (uint32_t j = 0; j <= k; ++j) {
            const tc_chain2_column *other = &motion->column[j];
            tc_real u[2];
            tc_chain2_column_velocity(other, all.centre, u);
            const tc_real entry =
                all.mass * (u[0] * v[0] + u[1] * v[1]) + all.inertia * column->turn * other->turn;
            M[j * dof + k] = entry;
            M[k * dof + j] = entry;
        }
    }
}

void tc_chain2_forces(const tc_chain2 *chain, const tc_chain2_motion *motion, uint32_t links,
                      tc_real *force)
{
    const uint32_t dof = tc_chain2_dof(chain, links);
    tc_real F[2] = {TC_C(0.0), TC_C(0.0)};
    tc_real moment = TC_C(0.0);
    uint32_t joined = links;
    for (uint32_t k = dof; k-- > 0u;) {
        const tc_chain2_column *column = &motion->column[k];
        while (joined > column->link) {
            --joined;
            const tc_chain2_link_motion *link = &motion->link[joined];
            const tc_real mass = chain->links[joined].body.mass;
            const tc_real f[2] = {mass * (chain->gravity[0] - link->acceleration[0]),
                                  mass * (chain->gravity[1] - link->acceleration[1])};
            F[0] += f[0];
            F[1] += f[1];
            moment += link->position[0] * f[1] - link->position[1] * f[0];
        }
        force[k] = column->turn != TC_C(0.0)
                       ? moment - (column->at[0] * F[1] - column->at[1] * F[0])
                       : column->at[0] * F[0] + column->at[1] * F[1];
    }
}

void tc_chain2_jacobian(const tc_chain2_motion *motion, uint32_t link, tc_real *J)
{
    uint32_t dof = 0;
    while (dof < motion->dof && motion->column[dof].link <= link) {
        ++dof;
    }
    for (uint32_t k = 0; k < dof; ++k) {
        tc_real v[2];
        tc_chain2_column_velocity(&motion->column[k], motion->link[link].position, v);
        J[k] = v[0];
        J[dof + k] = v[1];
        J[2u * dof + k] = motion->column[k].turn;
    }
}

tc_real tc_chain2_kinetic(const tc_chain2 *chain, const tc_chain2_motion *motion)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < motion->links; ++i) {
        const tc_body2 *body = &chain->links[i].body;
        const tc_real *v = motion->link[i].velocity;
        sum += TC_C(0.5) * (body->mass * (v[0] * v[0] + v[1] * v[1]) + body->inertia * v[2] * v[2]);
    }
    return sum;
}

tc_real tc_chain2_potential(const tc_chain2 *chain, const tc_chain2_motion *motion)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < motion->links; ++i) {
        const tc_real *p = motion->link[i].position;
        sum -= chain->links[i].body.mass
               * (chain->gravity[0] * (motion->origin[0] + p[0])
                  + chain->gravity[1] * (motion->origin[1] + p[1]));
    }
    return sum;
}
