/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Spatial serial chains: tc_chain2.c in three dimensions, in its symbols. w angular velocity, e
 * angular acceleration of velocity products, link p before link i, d the step from where something
 * is known to where it is wanted:
 *
 *   rigid step  v + w x d,   a + e x d + w x (w x d)
 *   revolute    w_i = w_p + s qd,   e_i = e_p + w_p x s qd,      s = R_p axis
 *   prismatic   v + s qd,           a + 2 w x s qd
 *   R_i = R_p exp(axis q) rest
 *
 * Mass matrix: M_jk = m v_j(c) . v_k(c) + turn_j . I turn_k with mass m, centre c and inertia I
 * (world axes, about c) of what moves with coordinate k. Two bodies joined: I = I_1 + I_2 + mu (d.d
 * 1 - d d^T), mu the reduced mass, d = c_1 - c_2.
 *
 * Forces on a link: F = m (g - a) and the torque N = -(I e + w x I w) about its centre of mass.
 *
 * Cost: about 200 multiplications and two elementary functions a link, 90 a link for the mass
 * matrix and 10 a pair of coordinates.
 */
#include "tc_exact.h"
#include "tc_chain3.h"

#include "tc_vec.h"
#include "tc_chain_core.h"

#include <string.h>

static void add_scaled(tc_real *to, const tc_real *x, tc_real by)
{
    to[0] += by * x[0];
    to[1] += by * x[1];
    to[2] += by * x[2];
}

static tc_status check_joint_chain3(const tc_chain3_link *link)
{
    if (!tc_chain_all_within(link->anchor, 3, TC_CHAIN_LENGTH_MAX)
        || !tc_chain_all_within(link->arm, 3, TC_CHAIN_LENGTH_MAX)) {
        const int finite = tc_all_finite(link->anchor, 3) && tc_all_finite(link->arm, 3);
        return finite ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
    }
    return tc_vec_is_unit(link->axis, 3) && tc_vec_is_unit(link->rest, 4) ? TC_OK : TC_ERR_UNIT;
}

static tc_status check_link_chain3(const tc_chain3_link *link, int first)
{
    const tc_real *const I = link->body.inertia;
    const tc_real body[4] = {link->body.mass, I[0], I[1], I[2]};
    if (link->joint > TC_CHAIN_FREE || (link->joint == TC_CHAIN_FREE && !first)) {
        return TC_ERR_UNSUPPORTED;
    }
    const tc_status status = tc_chain_check_body(body, 4);
    return status < TC_OK || link->joint == TC_CHAIN_FREE ? status : check_joint_chain3(link);
}

tc_status tc_chain3_check(const tc_chain3 *chain)
{
    if (chain == NULL || chain->links == NULL) {
        return TC_ERR_NULL;
    }
    if (chain->count - 1u >= TC_CHAIN_MAX) {
        return TC_ERR_SIZE;
    }
    if (!tc_chain_all_within(chain->gravity, 3, TC_CHAIN_GRAVITY_MAX)) {
        return tc_all_finite(chain->gravity, 3) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; i < chain->count; ++i) {
        const tc_status status = check_link_chain3(&chain->links[i], i == 0u);
        if (status < TC_OK) {
            return status;
        }
    }
    return TC_OK;
}

uint32_t tc_chain3_dof(const tc_chain3 *chain, uint32_t links)
{
    return links == 0 ? 0u : chain->links[0].joint == TC_CHAIN_FREE ? links + 5u : links;
}

/* c = a b */
static void multiply_chain3(const tc_real a[4], const tc_real b[4], tc_real c[4])
{
    c[0] = a[0] * b[0] - tc_vec_dot3(a + 1, b + 1);
    tc_vec_cross(a + 1, b + 1, c + 1);
    add_scaled(c + 1, b + 1, a[0]);
    add_scaled(c + 1, a + 1, b[0]);
}

/* x turned by the link's orientation, into world axes */
static void turn_chain3(const tc_chain3_link_motion *link, const tc_real x[3], tc_real turned[3])
{
    tc_real R[9];
    tc_vec_rotation(link->orientation, R);
    for (uint32_t i = 0; i < 3u; ++i) {
        turned[i] = tc_vec_dot3(R + 3u * i, x);
    }
}

/* Moves `to` along `step` as a point of a body with to's own angular velocity and acceleration. */
static void step_rigidly_chain3(const tc_real step[3], tc_chain3_link_motion *to)
{
    const tc_real *omega = to->velocity + 3;
    tc_real swept[3];
    tc_real part[3];
    tc_vec_cross(omega, step, swept);
    add_scaled(to->position, step, TC_C(1.0));
    add_scaled(to->velocity, swept, TC_C(1.0));
    tc_vec_cross(omega, swept, part);
    add_scaled(to->acceleration, part, TC_C(1.0));
    tc_vec_cross(to->acceleration + 3, step, part);
    add_scaled(to->acceleration, part, TC_C(1.0));
}

static tc_chain3_column *add_column_chain3(tc_chain3_motion *motion, uint32_t link, uint32_t turns)
{
    tc_chain3_column *column = &motion->column[motion->dof++];
    memset(column, 0, sizeof *column);
    column->turns = turns;
    column->link = link;
    return column;
}

static void move_free(const tc_real *q, const tc_real *qd, tc_chain3_motion *motion)
{
    tc_chain3_link_motion *self = &motion->link[0];
    memcpy(motion->origin, q, sizeof motion->origin);
    memcpy(self->orientation, q + 3, sizeof self->orientation);
    memcpy(self->velocity, qd, sizeof self->velocity);
    for (uint32_t k = 0; k < 6u; ++k) {
        tc_chain3_column *column = add_column_chain3(motion, 0, k / 3u);
        (k < 3u ? column->at : column->turn)[k % 3u] = TC_C(1.0);
    }
}

/* `self` stands at the joint, moving with the link before; `axis` in world axes. */
static void move_revolute(const tc_chain3_link *link, uint32_t i, tc_real q, tc_real qd,
                          const tc_real axis[3], tc_chain3_motion *motion)
{
    tc_chain3_link_motion *self = &motion->link[i];
    tc_chain3_column *column = add_column_chain3(motion, i, 1u);
    const tc_real sine = tc_sin(TC_C(0.5) * q);
    const tc_real turned[4] = {tc_cos(TC_C(0.5) * q), sine * link->axis[0], sine * link->axis[1],
                               sine * link->axis[2]};
    tc_real half[4];
    tc_real product[3];
    memcpy(column->turn, axis, sizeof column->turn);
    memcpy(column->at, self->position, sizeof column->at);
    multiply_chain3(self->orientation, turned, half);
    multiply_chain3(half, link->rest, self->orientation);
    tc_vec_cross(self->velocity + 3, axis, product);
    add_scaled(self->acceleration + 3, product, qd);
    add_scaled(self->velocity + 3, axis, qd);
}

static void move_prismatic(const tc_chain3_link *link, uint32_t i, tc_real q, tc_real qd,
                           const tc_real axis[3], tc_chain3_motion *motion)
{
    tc_chain3_link_motion *self = &motion->link[i];
    tc_chain3_column *column = add_column_chain3(motion, i, 0u);
    const tc_real step[3] = {q * axis[0], q * axis[1], q * axis[2]};
    tc_real before[4];
    tc_real product[3];
    memcpy(column->at, axis, sizeof column->at);
    memcpy(before, self->orientation, sizeof before);
    multiply_chain3(before, link->rest, self->orientation);
    step_rigidly_chain3(step, self);
    tc_vec_cross(self->velocity + 3, axis, product);
    add_scaled(self->velocity, axis, qd);
    add_scaled(self->acceleration, product, TC_C(2.0) * qd);
}

static void move_joint(const tc_chain3 *chain, uint32_t i, tc_real q, tc_real qd,
                       tc_chain3_motion *motion)
{
    const tc_chain3_link *link = &chain->links[i];
    tc_chain3_link_motion *self = &motion->link[i];
    tc_real axis[3];
    tc_real step[3];
    if (i == 0) {
        memcpy(motion->origin, link->anchor, sizeof motion->origin);
        self->orientation[0] = TC_C(1.0);
    } else {
        *self = motion->link[i - 1u];
        turn_chain3(self, link->anchor, step);
        step_rigidly_chain3(step, self);
    }
    turn_chain3(self, link->axis, axis);
    if (link->joint == TC_CHAIN_REVOLUTE) {
        move_revolute(link, i, q, qd, axis, motion);
    } else {
        move_prismatic(link, i, q, qd, axis, motion);
    }
    turn_chain3(self, link->arm, step);
    step_rigidly_chain3(step, self);
}

static tc_status unmoved_chain3(tc_status status, tc_chain3_motion *motion)
{
    memset(motion, 0, sizeof *motion);
    return status;
}

/* Angles and rates are numbers, and a free body's quaternion is a unit. */
static tc_status check_state_chain3(const tc_real *q, const tc_real *qd, uint32_t dof,
                                    uint32_t floating)
{
    if (!tc_all_finite(q, dof + floating) || !tc_chain_rates_within(qd, dof)) {
        const int finite = tc_all_finite(q, dof + floating) && tc_all_finite(qd, dof);
        return finite ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
    }
    return floating && !tc_vec_is_unit(q + 3, 4) ? TC_ERR_UNIT : TC_OK;
}

/* Infinities and NaN are handed on from link to link: the last one knows of all. */
static int moved_chain3(const tc_chain3_motion *motion, const tc_chain3_link_motion *last)
{
    return tc_all_finite(last->position, 3) && tc_all_finite(last->velocity, 6)
           && tc_all_finite(last->acceleration, 6) && tc_all_finite(motion->origin, 3);
}

tc_status tc_chain3_move(const tc_chain3 *chain, const tc_real *q, const tc_real *qd,
                         tc_chain3_motion *motion)
{
    if (chain == NULL || q == NULL || qd == NULL || motion == NULL) {
        return TC_ERR_NULL;
    }
    const uint32_t dof = tc_chain3_dof(chain, chain->count);
    const uint32_t floating = chain->links[0].joint == TC_CHAIN_FREE;
    const tc_status status = check_state_chain3(q, qd, dof, floating);
    if (status < TC_OK) {
        return unmoved_chain3(status, motion);
    }
    motion->links = chain->count;
    motion->dof = 0;
    memset(&motion->link[0], 0, sizeof motion->link[0]);
    if (floating) {
        move_free(q, qd, motion);
    }
    for (uint32_t i = floating; i < chain->count; ++i) {
        const uint32_t k = motion->dof;
        move_joint(chain, i, q[k + floating], qd[k], motion);
    }
    const int moved = moved_chain3(motion, &motion->link[chain->count - 1u]);
    return moved ? TC_OK : unmoved_chain3(TC_ERR_RANGE, motion);
}

tc_status tc_chain3_integrate(const tc_chain3 *chain, const tc_real *qd, tc_real h, tc_real *q)
{
    if (chain == NULL || qd == NULL || q == NULL) {
        return TC_ERR_NULL;
    }
    const uint32_t dof = tc_chain3_dof(chain, chain->count);
    const uint32_t floating = chain->links[0].joint == TC_CHAIN_FREE;
    tc_body3_state root;
    tc_real zero = TC_C(0.0) * h;
    for (uint32_t k = 0; k < dof; ++k) {
        zero += TC_C(0.0) * (q[k + floating] + h * qd[k]);
    }
    if (!(zero == TC_C(0.0))) {
        return TC_ERR_NOT_FINITE;
    }
    if (floating) {
        memcpy(root.position, q, sizeof root.position);
        memcpy(root.orientation, q + 3, sizeof root.orientation);
        memcpy(root.velocity, qd, sizeof root.velocity);
        const tc_status status = tc_body3_move(h, &root);
        if (status < TC_OK) {
            return status;
        }
        memcpy(q, root.position, sizeof root.position);
        memcpy(q + 3, root.orientation, sizeof root.orientation);
    }
    for (uint32_t k = floating ? 6u : 0u; k < dof; ++k) {
        q[k + floating] += h * qd[k];
    }
    return TC_OK;
}

/* ----
 * Dynamics
 * ------------------------------------------------------------------------------------------- */

/* I[9] of a link about its centre of mass, world axes */
static void world_inertia(const tc_chain3_link *link, const tc_chain3_link_motion *motion,
                          tc_real I[9])
{
    tc_real R[9];
    tc_vec_rotation(motion->orientation, R);
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real row[3] = {R[3u * i] * link->body.inertia[0],
                                R[3u * i + 1u] * link->body.inertia[1],
                                R[3u * i + 2u] * link->body.inertia[2]};
        for (uint32_t j = 0; j <= i; ++j) {
            I[3u * i + j] = tc_vec_dot3(row, R + 3u * j);
            I[3u * j + i] = I[3u * i + j];
        }
    }
}

/* Everything from some link to the tip as one body. */
typedef struct composite_chain3 {
    tc_real mass, inertia[9], centre[3];
} composite_chain3;

static void add_link_chain3(const tc_chain3_link *link, const tc_chain3_link_motion *motion,
                            composite_chain3 *all)
{
    const tc_real mass = all->mass + link->body.mass;
    const tc_real share = link->body.mass / mass;
    const tc_real reduced = all->mass * share;
    tc_real I[9];
    tc_real away[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        away[i] = motion->position[i] - all->centre[i];
    }
    const tc_real square = tc_vec_dot3(away, away);
    world_inertia(link, motion, I);
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            const tc_real steiner = (i == j ? square : TC_C(0.0)) - away[i] * away[j];
            all->inertia[3u * i + j] += I[3u * i + j] + reduced * steiner;
        }
    }
    add_scaled(all->centre, away, share);
    all->mass = mass;
}

/* Velocity of point x per unit rate of a column that moves it */
static void column_velocity(const tc_chain3_column *column, const tc_real x[3], tc_real v[3])
{
    if (column->turns) {
        const tc_real away[3] = {x[0] - column->at[0], x[1] - column->at[1], x[2] - column->at[2]};
        tc_vec_cross(column->turn, away, v);
    } else {
        memcpy(v, column->at, sizeof column->at);
    }
}

void tc_chain3_mass_matrix(const tc_chain3 *chain, const tc_chain3_motion *motion, uint32_t links,
                           tc_real *M)
{
    const uint32_t dof = tc_chain3_dof(chain, links);
    composite_chain3 all;
    uint32_t joined = links;
    memset(&all, 0, sizeof all);
    for (uint32_t k = dof; k-- > 0u;) {
        const tc_chain3_column *column = &motion->column[k];
        tc_real v[3];
        tc_real spun[3];
        while (joined > column->link) {
            --joined;
            add_link_chain3(&chain->links[joined], &motion->link[joined], &all);
        }
        column_velocity(column, all.centre, v);
        for (uint32_t i = 0; i < 3u; ++i) {
            spun[i] = tc_vec_dot3(all.inertia + 3u * i, column->turn);
        }
        for (uint32_t j = 0; j <= k; ++j) {
            tc_real u[3];
            column_velocity(&motion->column[j], all.centre, u);
            const tc_real entry =
                all.mass * tc_vec_dot3(u, v) + tc_vec_dot3(motion->column[j].turn, spun);
            M[j * dof + k] = entry;
            M[k * dof + j] = entry;
        }
    }
}

/* Adds a link's F to force and its N + c x F to moment, about the origin. */
static void add_forces_chain3(const tc_chain3 *chain, const tc_chain3_motion *motion, uint32_t i,
                              tc_real force[3], tc_real moment[3])
{
    const tc_chain3_link *link = &chain->links[i];
    const tc_chain3_link_motion *self = &motion->link[i];
    tc_real I[9];
    tc_real momentum[3];
    tc_real part[3];
    tc_real f[3];
    world_inertia(link, self, I);
    for (uint32_t k = 0; k < 3u; ++k) {
        f[k] = link->body.mass * (chain->gravity[k] - self->acceleration[k]);
        momentum[k] = tc_vec_dot3(I + 3u * k, self->velocity + 3);
        moment[k] -= tc_vec_dot3(I + 3u * k, self->acceleration + 3);
    }
    tc_vec_cross(self->velocity + 3, momentum, part);
    add_scaled(moment, part, TC_C(-1.0));
    tc_vec_cross(self->position, f, part);
    add_scaled(moment, part, TC_C(1.0));
    add_scaled(force, f, TC_C(1.0));
}

void tc_chain3_forces(const tc_chain3 *chain, const tc_chain3_motion *motion, uint32_t links,
                      tc_real *force)
{
    tc_real F[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    tc_real moment[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    uint32_t joined = links;
    for (uint32_t k = tc_chain3_dof(chain, links); k-- > 0u;) {
        const tc_chain3_column *column = &motion->column[k];
        tc_real shifted[3];
        while (joined > column->link) {
            --joined;
            add_forces_chain3(chain, motion, joined, F, moment);
        }
        tc_vec_cross(column->at, F, shifted);
        force[k] = column->turns
                       ? tc_vec_dot3(column->turn, moment) - tc_vec_dot3(column->turn, shifted)
                       : tc_vec_dot3(column->at, F);
    }
}

void tc_chain3_jacobian(const tc_chain3_motion *motion, uint32_t link, tc_real *J)
{
    uint32_t dof = 0;
    while (dof < motion->dof && motion->column[dof].link <= link) {
        ++dof;
    }
    for (uint32_t k = 0; k < dof; ++k) {
        tc_real v[3];
        column_velocity(&motion->column[k], motion->link[link].position, v);
        for (uint32_t i = 0; i < 3u; ++i) {
            J[i * dof + k] = v[i];
            J[(3u + i) * dof + k] = motion->column[k].turn[i];
        }
    }
}

tc_real tc_chain3_kinetic(const tc_chain3 *chain, const tc_chain3_motion *motion)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < motion->links; ++i) {
        const tc_real *v = motion->link[i].velocity;
        tc_real I[9];
        tc_real momentum[3];
        world_inertia(&chain->links[i], &motion->link[i], I);
        for (uint32_t k = 0; k < 3u; ++k) {
            momentum[k] = tc_vec_dot3(I + 3u * k, v + 3);
        }
        sum += TC_C(0.5)
               * (chain->links[i].body.mass * tc_vec_dot3(v, v) + tc_vec_dot3(v + 3, momentum));
    }
    return sum;
}

tc_real tc_chain3_potential(const tc_chain3 *chain, const tc_chain3_motion *motion)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < motion->links; ++i) {
        const tc_real *p = motion->link[i].position;
        sum -= chain->links[i].body.mass
               * (tc_vec_dot3(chain->gravity, motion->origin) + tc_vec_dot3(chain->gravity, p));
    }
    return sum;
}
