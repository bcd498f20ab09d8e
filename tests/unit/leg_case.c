/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The plant of leg_case.h: semi-implicit Euler in substeps; contact as an impulse that stops the
 * foot, cut to the friction cone.
 */
#include "leg_case.h"

#include <string.h>

void leg_case_init(leg_case *c, uint32_t joints, uint32_t root)
{
    memset(c, 0, sizeof *c);
    c->leg.joints = joints;
    c->leg.root = (tc_leg_root)root;
    c->leg.links = c->links;
    c->leg.g = TC_C(9.81);
    c->leg.foot[1] = TC_C(-0.1);
    c->leg.radius = TC_C(0.015);
    for (uint32_t i = 0; i < joints; i++) {
        tc_leg_link *const link = &c->links[i];
        link->body.mass = TC_C(0.5);
        link->body.inertia = TC_C(0.0017);
        link->joint = TC_CHAIN_REVOLUTE;
        link->anchor[1] = i == 0u ? TC_C(0.0) : TC_C(-0.1);
        link->arm[1] = TC_C(-0.1);
        link->rotor = TC_C(0.005);
        c->gain[i] = TC_C(1.0);
        c->home[i] = c->q[i] = i == 0u ? TC_C(0.5) : i % 2u != 0u ? TC_C(-1.0) : TC_C(1.0);
    }
    c->stiffness = TC_C(150.0);
    c->damping = TC_C(1.5);
    c->bob = TC_C(0.03);
    c->bob_rate = TC_C(15.0);
    c->sway = root == TC_LEG_FLOATING ? TC_C(0.02) : TC_C(0.0);
    c->sway_rate = TC_C(11.0);
    c->tilt = root == TC_LEG_FLOATING ? TC_C(0.05) : TC_C(0.0);
    c->tilt_rate = TC_C(7.0);
    c->friction = TC_C(0.5);
    c->noise = TC_C(1.0);
    c->step = TC_C(0.001);
    c->side = TC_C(1.0);
    c->random = 1u;
    const tc_leg_base base = {.cosine = TC_C(1.0)};
    tc_leg_motion motion;
    tc_leg_move(&c->leg, &base, c->q, c->qd, &motion);
    c->height = TC_C(0.01) - motion.foot[1];
}

void leg_case_mirror(leg_case *c)
{
    for (uint32_t i = 0; i < c->leg.joints; i++) {
        c->home[i] = -c->home[i];
        c->q[i] = -c->q[i];
        c->qd[i] = -c->qd[i];
        c->links[i].anchor[0] = -c->links[i].anchor[0];
        c->links[i].arm[0] = -c->links[i].arm[0];
    }
    c->leg.foot[0] = -c->leg.foot[0];
    c->side = -c->side;
    c->sway = -c->sway;
    c->tilt = -c->tilt;
}

/* amplitude sin(angle), angle = rate t, its first and its second derivative */
static void sine(tc_real amplitude, tc_real rate, tc_real angle, tc_real out[3])
{
    const tc_real s = amplitude * tc_sin(angle), c = amplitude * tc_cos(angle);
    out[0] = s;
    out[1] = rate * c;
    out[2] = -rate * rate * s;
}

/* The impulse that a foot with velocity v takes from the floor */
static void strike(const tc_real W[3], const tc_real v[2], tc_real mu, tc_real p[2])
{
    const tc_real det = W[0] * W[2] - W[1] * W[1];
    p[0] = -(W[2] * v[0] - W[1] * v[1]) / det;
    p[1] = -(W[0] * v[1] - W[1] * v[0]) / det;
    const tc_real side = p[0] > TC_C(0.0) ? TC_C(1.0) : TC_C(-1.0);
    if (p[1] > TC_C(0.0) && side * p[0] <= mu * p[1]) {
        return;
    }
    p[1] = -v[1] / (W[2] + side * mu * W[1]);
    p[0] = side * mu * p[1];
}

static void substep(leg_case *c, const tc_leg_base *base, const tc_real rate[2], tc_real above,
                    tc_real h, const tc_real *torque)
{
    const uint32_t n = c->leg.joints;
    tc_leg_motion m;
    tc_real L[TC_LEG_JOINTS * TC_LEG_JOINTS], rows[2][TC_LEG_JOINTS], load[TC_LEG_JOINTS];
    tc_real v[2], W[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, p[2];
    tc_leg_move(&c->leg, base, c->q, c->qd, &m);
    for (uint32_t i = 0; i < n; i++) {
        load[i] = h * (torque[i] - m.bias[i]);
    }
    (void)tc_mat_cholesky(m.M, L, n);
    (void)tc_mat_cholesky_solve(L, load, load, n, 1);
    (void)tc_mat_cholesky_solve(L, m.J, rows[0], n, 1);
    (void)tc_mat_cholesky_solve(L, m.J + n, rows[1], n, 1);
    v[0] = rate[0] + m.carried[0];
    v[1] = rate[1] + m.carried[1];
    for (uint32_t i = 0; i < n; i++) {
        c->qd[i] += load[i];
        v[0] += m.J[i] * c->qd[i];
        v[1] += m.J[n + i] * c->qd[i];
        W[0] += m.J[i] * rows[0][i];
        W[1] += m.J[i] * rows[1][i];
        W[2] += m.J[n + i] * rows[1][i];
    }
    if (above + m.foot[1] <= TC_C(0.0) && v[1] < TC_C(0.0)) {
        strike(W, v, c->friction, p);
        c->impulse[0] += p[0];
        c->impulse[1] += p[1];
        c->slip = v[0] + W[0] * p[0] + W[1] * p[1];
        c->mode = c->slip > TC_C(0.05) || c->slip < TC_C(-0.05) ? 2u : 1u;
        for (uint32_t i = 0; i < n; i++) {
            c->qd[i] += rows[0][i] * p[0] + rows[1][i] * p[1];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        c->q[i] += h * c->qd[i];
    }
}

static tc_real uniform(leg_case *c)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 17;
    c->random ^= c->random << 5;
    return (tc_real)(c->random >> 8) * TC_C(5.9604644775390625e-8);
}

/* x with noise of this deviation, rounded to multiples of `resolution` */
static tc_real seen(leg_case *c, tc_real x, tc_real deviation, tc_real resolution)
{
    if (c->noise == TC_C(0.0)) {
        return x;
    }
    tc_real sum = TC_C(-6.0); /* twelve uniform numbers: normal enough */
    for (uint32_t i = 0; i < 12u; i++) {
        sum += uniform(c);
    }
    x += c->noise * deviation * sum;
    if (resolution > TC_C(0.0)) {
        const tc_real steps = x / resolution;
        x = resolution * (tc_real)(int32_t)(steps + (steps > TC_C(0.0) ? TC_C(0.5) : TC_C(-0.5)));
    }
    return x;
}

void leg_case_tick(leg_case *c, tc_estimator_sensors *sensors)
{
    const uint32_t n = c->leg.joints;
    const tc_real h = c->step / (tc_real)LEG_CASE_SUBSTEPS;
    tc_real torque[TC_LEG_JOINTS], accel[2] = {TC_C(0.0), TC_C(0.0)};
    tc_real tilt[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    c->mode = 0;
    c->slip = c->impulse[0] = c->impulse[1] = TC_C(0.0);
    for (uint32_t i = 0; i < n; i++) {
        torque[i] = c->stiffness * (c->home[i] - c->q[i]) - c->damping * c->qd[i];
    }
    for (uint32_t k = 0; k < LEG_CASE_SUBSTEPS; k++) {
        const tc_real time = (tc_real)c->tick * c->step + (tc_real)(k + 1u) * h;
        tc_real bob[3], sway[3];
        sine(c->bob, c->bob_rate, c->bob_rate * time, bob);
        sine(c->sway, c->sway_rate, c->sway_rate * time - TC_C(1.5707963), sway); /* from rest */
        sine(c->tilt, c->tilt_rate, c->tilt_rate * time, tilt);
        tc_leg_base base = {.angle = tilt[0],
                            .rate = tilt[1],
                            .acceleration = tilt[2],
                            .force = {sway[2], bob[2] + c->leg.g}};
        const tc_real rate[2] = {sway[1], bob[1]};
        tc_sincos(tilt[0], &base.sine, &base.cosine);
        substep(c, &base, rate, c->height + bob[0], h, torque);
        accel[0] +=
            (base.cosine * base.force[0] + base.sine * base.force[1]) / (tc_real)LEG_CASE_SUBSTEPS;
        accel[1] +=
            (base.cosine * base.force[1] - base.sine * base.force[0]) / (tc_real)LEG_CASE_SUBSTEPS;
    }
    c->tick++;
    memset(sensors, 0, sizeof *sensors);
    for (uint32_t i = 0; i < n; i++) {
        sensors->encoder[i] = seen(c, c->q[i], c->side * TC_C(3e-5), TC_C(9.58737992e-5));
        sensors->torque[i] = seen(c, c->gain[i] * torque[i], c->side * TC_C(0.05), TC_C(0.0));
    }
    sensors->gyro = seen(c, tilt[1], c->side * TC_C(0.003), TC_C(0.0));
    sensors->accel[0] = seen(c, accel[0], c->side * TC_C(0.06), TC_C(0.0));
    sensors->accel[1] = seen(c, accel[1], TC_C(0.06), TC_C(0.0));
    sensors->pitch = tilt[0];
    sensors->given = TC_GIVEN_PITCH;
}
