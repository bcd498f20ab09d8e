/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The plant of feet_case.h: semi-implicit Euler in substeps; contact as an impulse that stops the
 * foot, cut to the friction cone. It shares with the library the limb's dynamics (tc_robot_move),
 * which test_robot.c holds to other truths, and nothing of the estimator.
 */
#include "feet_case.h"

#include "tc_vec.h"

#include <string.h>

#define JOINTS TC_ROBOT_JOINTS

/* Sines of the base at one instant: value, first and second derivative */
typedef struct led {
    tc_real place[3][3];
    tc_real angle[3];
    tc_real R[9]; /* base axes to world axes */
    tc_robot_base base;
} led;

static void describe(feet_case *c, uint32_t k, uint32_t joints)
{
    tc_robot_limb *const limb = &c->limb[k];
    limb->joints = joints;
    limb->links = c->links[k];
    const tc_real length = joints > 3u ? TC_C(0.6) / (tc_real)joints : TC_C(0.2);
    const tc_real mass = joints > 3u ? TC_C(1.5) / (tc_real)joints : TC_C(0.5);
    limb->foot[2] = -length;
    limb->radius = TC_C(0.02);
    for (uint32_t i = 0; i < joints; i++) {
        tc_robot_link *const link = &c->links[k][i];
        link->joint = TC_CHAIN_REVOLUTE;
        link->axis[i % 3u == 0u && joints > 2u ? 0 : 1] = TC_C(1.0);
        link->mass = mass;
        link->com[2] = i % 3u == 0u && joints > 2u ? TC_C(0.0) : TC_C(-0.5) * length;
        link->inertia[0] = link->inertia[1] = mass * length * length * TC_C(0.09);
        link->inertia[2] = mass * length * length * TC_C(0.02);
        link->rotor = TC_C(0.005);
        link->origin[2] = i == 0u || (i % 3u == 1u && joints > 2u) ? TC_C(0.0) : -length;
    }
    c->links[k][0].origin[0] = k < 2u ? TC_C(0.2) : TC_C(-0.2);
    c->links[k][0].origin[1] = k % 2u == 0u ? TC_C(0.15) : TC_C(-0.15);
}

static void lead_sine(tc_real amplitude, tc_real rate, tc_real time, tc_real out[3])
{
    tc_real s, co;
    tc_sincos(rate * time, &s, &co);
    out[0] = amplitude * (TC_C(1.0) - co); /* from rest */
    out[1] = amplitude * rate * s;
    out[2] = amplitude * rate * rate * co;
}

static void lead(const feet_case *c, tc_real time, led *l)
{
    tc_real q[4];
    for (uint32_t i = 0; i < 3u; i++) {
        lead_sine(c->sway[i], c->rate[i], time, l->place[i]);
    }
    lead_sine(c->tilt, c->tilt_rate, time, l->angle);
    const tc_real half = TC_C(0.5) * l->angle[0];
    q[0] = tc_cos(half);
    for (uint32_t i = 0; i < 3u; i++) {
        q[1u + i] = c->axis[i] * tc_sin(half);
        l->base.omega[i] = c->axis[i] * l->angle[1];
        l->base.alpha[i] = c->axis[i] * l->angle[2];
    }
    tc_vec_rotation(q, l->R);
    const tc_real force[3] = {l->place[0][2], l->place[1][2], l->place[2][2] + c->robot.g};
    tc_mat3_vec_t(l->R, force, l->base.force);
    const tc_real size = tc_sqrt(TC_C(1.0) + c->slope[0] * c->slope[0] + c->slope[1] * c->slope[1]);
    const tc_real normal[3] = {-c->slope[0] / size, -c->slope[1] / size, TC_C(1.0) / size};
    tc_mat3_vec_t(l->R, normal, l->base.normal);
}

void feet_case_init(feet_case *c, uint32_t limbs, uint32_t joints)
{
    static const tc_real axes[9] = {TC_C(0.0), TC_C(-1.0), TC_C(0.0), TC_C(1.0), TC_C(0.0),
                                    TC_C(0.0), TC_C(0.0),  TC_C(0.0), TC_C(1.0)};
    static const tc_real bent[2][JOINTS] = {
        {TC_C(0.5), TC_C(-1.0)},
        {TC_C(0.1), TC_C(0.6), TC_C(-1.1), TC_C(-0.1), TC_C(0.3), TC_C(-0.4), TC_C(0.1)}};
    memset(c, 0, sizeof *c);
    c->robot =
        (tc_robot){.root = TC_ROBOT_FLOATING, .limbs = limbs, .limb = c->limb, .g = TC_C(9.81)};
    c->robot.mass = TC_C(4.0) + (tc_real)(limbs * joints) * TC_C(0.6);
    c->robot.imu[0] = TC_C(0.05);
    c->robot.imu[1] = TC_C(-0.02);
    c->robot.imu[2] = TC_C(0.03);
    memcpy(c->robot.imu_axes, axes, sizeof axes);
    for (uint32_t i = 0; i < JOINTS; i++) {
        c->gain[i] = TC_C(1.0);
    }
    memcpy(c->home, joints < 3u ? bent[0] : bent[1], sizeof c->home);
    for (uint32_t k = 0; k < limbs; k++) {
        describe(c, k, joints);
        memcpy(c->q[k], c->home, sizeof c->home);
    }
    c->stiffness = joints > 3u ? TC_C(220.0) : TC_C(150.0);
    c->damping = TC_C(1.5);
    c->lift = TC_C(0.25);
    c->lift_rate = TC_C(13.0);
    c->sway[0] = TC_C(0.03);
    c->sway[1] = TC_C(0.02);
    c->sway[2] = TC_C(-0.015);
    c->rate[0] = TC_C(5.0);
    c->rate[1] = TC_C(7.0);
    c->rate[2] = TC_C(11.0);
    c->axis[0] = TC_C(0.48);
    c->axis[1] = TC_C(0.6);
    c->axis[2] = TC_C(0.64);
    c->tilt = TC_C(0.04);
    c->tilt_rate = TC_C(6.0);
    c->friction = TC_C(0.5);
    c->noise = TC_C(1.0);
    c->step = TC_C(0.001);
    c->random = 1u;
    led l;
    tc_robot_motion motion;
    lead(c, TC_C(0.0), &l);
    tc_robot_move(&c->limb[0], &l.base, c->q[0], c->w[0], &motion);
    c->height = TC_C(0.01) - motion.place[2];
}

/* The impulse that a foot with velocity v takes from a floor with this normal */
static void strike(const tc_real W[9], const tc_real v[3], const tc_real normal[3], tc_real mu,
                   tc_real p[3])
{
    tc_real L[9], along[3], push[3], Wp[3];
    tc_mat3_cholesky(W, L);
    for (uint32_t i = 0; i < 3u; i++) {
        p[i] = -v[i];
    }
    tc_mat3_cholesky_solve(L, p, p);
    const tc_real press = tc_vec_dot3(p, normal);
    for (uint32_t i = 0; i < 3u; i++) {
        along[i] = p[i] - press * normal[i];
    }
    if (press > TC_C(0.0) && tc_sqrt(tc_vec_dot3(along, along)) <= mu * press) {
        return;
    }
    const tc_real approach = tc_vec_dot3(v, normal);
    for (uint32_t i = 0; i < 3u; i++) {
        along[i] = v[i] - approach * normal[i];
    }
    const tc_real speed = tc_sqrt(tc_vec_dot3(along, along)) + TC_C(1e-9);
    for (uint32_t i = 0; i < 3u; i++) {
        push[i] = normal[i] - mu * along[i] / speed;
    }
    tc_mat3_vec(W, push, Wp);
    for (uint32_t i = 0; i < 3u; i++) {
        p[i] = -approach / tc_vec_dot3(Wp, normal) * push[i];
    }
}

/* Right sides into accelerations, by the full mass matrix */
static void solve(const tc_robot_motion *m, uint32_t n, tc_real x[4][JOINTS])
{
    tc_real M[JOINTS * JOINTS];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            M[i * n + j] = i >= j ? m->M[i * (i + 1u) / 2u + j] : m->M[j * (j + 1u) / 2u + i];
        }
    }
    (void)tc_mat_cholesky(M, M, n);
    for (uint32_t k = 0; k < 4u; k++) {
        (void)tc_mat_cholesky_solve(M, x[k], x[k], n, 1);
    }
}

/* J in world axes: rows[3][n] */
static void turn_rows(const led *l, const tc_robot_motion *m, uint32_t n, tc_real rows[4][JOINTS])
{
    for (uint32_t i = 0; i < n; i++) {
        const tc_real column[3] = {m->J[i], m->J[n + i], m->J[2u * n + i]};
        for (uint32_t a = 0; a < 3u; a++) {
            rows[a][i] = tc_vec_dot3(l->R + 3u * a, column);
        }
    }
}

static void meet(feet_case *c, uint32_t k, const led *l, const tc_real W[9], const tc_real v[3],
                 tc_real rows[4][JOINTS])
{
    tc_real normal[3], p[3], after[3];
    tc_mat3_vec(l->R, l->base.normal, normal);
    strike(W, v, normal, c->friction, p);
    tc_mat3_vec(W, p, after);
    for (uint32_t i = 0; i < 3u; i++) {
        c->impulse[k][i] += p[i];
        c->slip[k][i] = v[i] + after[i];
    }
    c->mode[k] = tc_sqrt(tc_vec_dot3(c->slip[k], c->slip[k])) > TC_C(0.05) ? 2u : 1u;
    for (uint32_t i = 0; i < c->limb[k].joints; i++) {
        c->w[k][i] += rows[0][i] * p[0] + rows[1][i] * p[1] + rows[2][i] * p[2];
    }
}

static void substep(feet_case *c, uint32_t k, const led *l, tc_real h, const tc_real *torque)
{
    const uint32_t n = c->limb[k].joints;
    tc_robot_motion m;
    tc_real rows[4][JOINTS], J[4][JOINTS], W[9], v[3], place[3], swing[3];
    tc_robot_move(&c->limb[k], &l->base, c->q[k], c->w[k], &m);
    turn_rows(l, &m, n, rows);
    memcpy(J, rows, sizeof J);
    for (uint32_t i = 0; i < n; i++) {
        rows[3][i] = h * (torque[i] - m.bias[i]);
    }
    solve(&m, n, rows);
    tc_vec_cross(l->base.omega, m.place, swing);
    tc_mat3_vec(l->R, swing, v);
    tc_mat3_vec(l->R, m.place, place);
    for (uint32_t i = 0; i < n; i++) {
        c->w[k][i] += rows[3][i];
    }
    for (uint32_t a = 0; a < 3u; a++) {
        v[a] += l->place[a][1];
        place[a] += l->place[a][0];
        for (uint32_t i = 0; i < n; i++) {
            v[a] += J[a][i] * c->w[k][i];
        }
        for (uint32_t b = 0; b < 3u; b++) {
            W[3u * a + b] = a == b && n < 3u ? TC_C(1e-3) : TC_C(0.0);
            for (uint32_t i = 0; i < n; i++) {
                W[3u * a + b] += J[a][i] * rows[b][i];
            }
        }
    }
    const tc_real gap = c->height + place[2] - c->slope[0] * place[0] - c->slope[1] * place[1];
    const tc_real off = v[2] - c->slope[0] * v[0] - c->slope[1] * v[1];
    if (gap <= TC_C(0.0) && off < TC_C(0.0)) {
        meet(c, k, l, W, v, rows);
    }
    for (uint32_t i = 0; i < n; i++) {
        c->q[k][i] += h * c->w[k][i];
    }
}

static tc_real uniform(feet_case *c)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 17;
    c->random ^= c->random << 5;
    return (tc_real)(c->random >> 8) * TC_C(5.9604644775390625e-8);
}

/* x with noise of this deviation, rounded to multiples of `resolution` */
static tc_real seen(feet_case *c, tc_real x, tc_real deviation, tc_real resolution)
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

static void spring(const feet_case *c, uint32_t k, tc_real *torque)
{
    const uint32_t n = c->limb[k].joints;
    const tc_real phase = TC_C(1.5707963) * (tc_real)(k * 2u + k / 2u);
    const tc_real time = (tc_real)c->tick * c->step;
    const tc_real lift = c->lift * (TC_C(1.0) - tc_cos(c->lift_rate * time + phase));
    for (uint32_t i = 0; i < n; i++) {
        const tc_real home = i + 1u == n && n > 1u ? c->home[i] * (TC_C(1.0) + lift) : c->home[i];
        torque[i] = c->stiffness * (home - c->q[k][i]) - c->damping * c->w[k][i];
    }
}

/* The IMU: specific force at its place, turn rate, velocity and attitude */
static void sense_base(feet_case *c, const led *l, const tc_real mean[3], tc_feet_sensors *s)
{
    const tc_real *const axes = c->robot.imu_axes;
    tc_real swing[3], turned[3], gyro[3], accel[3];
    tc_mat3_vec_t(axes, l->base.omega, gyro);
    tc_mat3_vec_t(axes, mean, accel);
    for (uint32_t i = 0; i < 3u; i++) {
        s->gyro[i] = seen(c, gyro[i], TC_C(0.003), TC_C(0.0));
        s->accel[i] = seen(c, accel[i], TC_C(0.06), TC_C(0.0));
    }
    tc_vec_cross(l->base.omega, c->robot.imu, swing);
    tc_mat3_vec(l->R, swing, turned);
    for (uint32_t i = 0; i < 3u; i++) {
        c->velocity[i] = l->place[i][1] + turned[i];
    }
    /* attitude = turn of the base, times a quarter turn about z of the IMU on it */
    const tc_real half = TC_C(0.5) * l->angle[0], side = tc_sqrt(TC_C(0.5));
    const tc_real w = tc_cos(half), t = tc_sin(half);
    const tc_real *const e = c->axis;
    s->attitude[0] = side * (w - t * e[2]);
    s->attitude[1] = side * t * (e[0] + e[1]);
    s->attitude[2] = side * t * (e[1] - e[0]);
    s->attitude[3] = side * (w + t * e[2]);
    s->given = TC_FEET_ATTITUDE;
}

void feet_case_tick(feet_case *c, tc_feet_sensors *sensors)
{
    const tc_real h = c->step / (tc_real)FEET_CASE_SUBSTEPS;
    tc_real torque[TC_ROBOT_LIMBS][JOINTS], mean[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    led l;
    memset(c->impulse, 0, sizeof c->impulse);
    memset(c->slip, 0, sizeof c->slip);
    memset(c->mode, 0, sizeof c->mode);
    for (uint32_t k = 0; k < c->robot.limbs; k++) {
        spring(c, k, torque[k]);
    }
    for (uint32_t j = 0; j < FEET_CASE_SUBSTEPS; j++) {
        tc_real swing[3], push[3];
        lead(c, (tc_real)c->tick * c->step + (tc_real)(j + 1u) * h, &l);
        for (uint32_t k = 0; k < c->robot.limbs; k++) {
            substep(c, k, &l, h, torque[k]);
        }
        tc_vec_cross(l.base.omega, c->robot.imu, swing);
        tc_vec_cross(l.base.omega, swing, push);
        tc_vec_cross(l.base.alpha, c->robot.imu, swing);
        for (uint32_t i = 0; i < 3u; i++) {
            mean[i] += (l.base.force[i] + push[i] + swing[i]) / (tc_real)FEET_CASE_SUBSTEPS;
        }
    }
    c->tick++;
    memset(sensors, 0, sizeof *sensors);
    for (uint32_t k = 0; k < c->robot.limbs; k++) {
        for (uint32_t i = 0; i < c->limb[k].joints; i++) {
            sensors->encoder[k][i] = seen(c, c->q[k][i], TC_C(3e-5), TC_C(9.58737992e-5));
            sensors->torque[k][i] = seen(c, c->gain[i] * torque[k][i], TC_C(0.05), TC_C(0.0));
        }
    }
    sense_base(c, &l, mean, sensors);
}
