/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Limbs in space: mass matrix, bias and Jacobian of a leg of a quadruped (3 revolute joints about
 * coordinate axes) and of limbs of 1, 3, 6 and 7 joints about any axes (`any`: some slide, some
 * links have no mass), on a base that moves and turns. Compared with: the products of w with M and
 * of a light leg's J with w, in double precision, at an upright posture without a turning base.
 */
#include "bench.h"
#include "tinycontact.h"

#include <string.h>

#define N TC_ROBOT_JOINTS
#define DRAWS 64u

static tc_robot_link links[N];
static tc_robot_limb limb;
static tc_robot_base base;
static tc_robot_motion motion;
static tc_robot robot;
static tc_real q[N], w[N], accel[3], gyro[3], gyro_rate[3];

static void random_axis(tc_real axis[3])
{
    tc_real square = TC_C(0.0);
    bench_fill(axis, 3, TC_C(0.1), TC_C(1.0));
    for (uint32_t k = 0; k < 3u; ++k) {
        square += axis[k] * axis[k];
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        axis[k] /= tc_sqrt(square);
    }
}

static void draw_base(uint32_t n)
{
    static const tc_real up[3] = {TC_C(0.1), TC_C(-0.05), TC_C(0.99)};
    memcpy(base.normal, up, sizeof up);
    bench_fill(q, n, TC_C(-3.0), TC_C(3.0));
    bench_fill(w, n, TC_C(-10.0), TC_C(10.0));
    bench_fill(base.omega, 3, TC_C(-3.0), TC_C(3.0));
    bench_fill(base.alpha, 3, TC_C(-20.0), TC_C(20.0));
    bench_fill(base.force, 3, TC_C(-12.0), TC_C(12.0));
}

/* Hip across, thigh and calf, foot a ball */
static void prepare_leg(void)
{
    bench_seed(131u + bench.draw);
    memset(links, 0, sizeof links);
    for (uint32_t i = 0; i < 3u; ++i) {
        links[i].axis[i == 0u ? 0 : 1] = TC_C(1.0);
        links[i].mass = TC_C(0.6);
        links[i].com[2] = TC_C(-0.1);
        links[i].inertia[0] = links[i].inertia[1] = TC_C(0.004);
        links[i].inertia[2] = TC_C(0.001);
        links[i].rotor = TC_C(0.006);
    }
    links[0].origin[0] = TC_C(0.2);
    links[1].origin[1] = TC_C(0.08);
    links[2].origin[2] = limb.foot[2] = TC_C(-0.213);
    limb.foot[0] = limb.foot[1] = TC_C(0.0);
    limb.joints = 3;
    limb.links = links;
    limb.radius = TC_C(0.022);
    draw_base(3);
}

static void prepare_any(uint32_t n, int straight)
{
    bench_seed(177u + bench.draw);
    memset(links, 0, sizeof links);
    for (uint32_t i = 0; i < n; ++i) {
        tc_robot_link *const link = &links[i];
        const int empty = !straight && i + 1u < n && bench_uniform(0.0f, 1.0f) < 0.2f;
        link->joint =
            !straight && bench_uniform(0.0f, 1.0f) < 0.2f ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE;
        random_axis(link->axis);
        bench_fill(link->origin, 3, TC_C(-0.3), TC_C(0.3));
        if (!empty) {
            link->mass = TC_C(0.8);
            bench_fill(link->com, 3, TC_C(-0.1), TC_C(0.1));
            bench_fill(link->inertia, 3, TC_C(0.004), TC_C(0.005));
            bench_fill(link->inertia + 3, 3, TC_C(-0.0005), TC_C(0.0005));
        }
        link->rotor = TC_C(0.01);
    }
    bench_fill(limb.foot, 3, TC_C(-0.2), TC_C(0.2));
    limb.joints = n;
    limb.links = links;
    limb.radius = TC_C(0.02);
    draw_base(n);
}

static void prepare_1(void)
{
    prepare_any(1, 1);
}

static void prepare_3(void)
{
    prepare_any(3, 1);
}

static void prepare_6(void)
{
    prepare_any(6, 1);
}

static void prepare_7(void)
{
    prepare_any(7, 1);
}

static void prepare_7_any(void)
{
    prepare_any(7, 0);
}

/* J of the first joint by its cross product: the first result */
static void expect_joint(void)
{
    const tc_real *const u = links[0].axis, *const from = links[0].origin;
    tc_real x[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        x[k] = motion.place[k] - from[k];
    }
    bench.compared = 4;
    for (uint32_t k = 0; k < 3u; ++k) {
        const uint32_t a = (k + 1u) % 3u, b = (k + 2u) % 3u;
        bench.expected[k] =
            links[0].joint == TC_CHAIN_PRISMATIC
                ? u[k]
                : (tc_real)((double)u[a] * (double)x[b] - (double)u[b] * (double)x[a]);
        bench.result[k] = motion.J[k * limb.joints];
    }
    bench.expected[3] = TC_C(1.0); /* a mass matrix is positive definite */
    bench.result[3] =
        motion.M[0] > TC_C(0.0) && motion.bias[0] == motion.bias[0] ? TC_C(1.0) : TC_C(0.0);
}

static void run(void)
{
    BENCH_REGION(tc_robot_move(&limb, &base, q, w, &motion));
    expect_joint();
}

static uint32_t near;

static void run_near(void)
{
    tc_robot_move(&limb, &base, q, w, &motion);
    BENCH_REGION(near = tc_robot_near(&limb, &motion, q, TC_C(0.05), TC_C(0.1)));
    expect_joint();
}

static void prepare_feel(void)
{
    static const tc_real turned[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    bench_seed(199);
    memcpy(robot.imu_axes, turned, sizeof turned);
    bench_fill(accel, 3, TC_C(-12.0), TC_C(12.0));
    bench_fill(gyro, 3, TC_C(-3.0), TC_C(3.0));
    bench_fill(gyro_rate, 3, TC_C(-20.0), TC_C(20.0));
    bench.compared = 3;
    bench.expected[0] = -gyro[1];
    bench.expected[1] = gyro[0];
    bench.expected[2] = gyro[2];
}

static void run_feel(void)
{
    BENCH_REGION(tc_robot_feel(&robot, accel, gyro, gyro_rate, &base));
    memcpy(bench.result, base.omega, sizeof base.omega);
}

static const bench_case cases[] = {
    {"robot_move", "leg3", "public", prepare_leg, run, 0, TC_C(1e-5)},
    {"robot_move", "1", "public", prepare_1, run, 0, TC_C(1e-5)},
    {"robot_move", "3", "public", prepare_3, run, 0, TC_C(1e-5)},
    {"robot_move", "6", "public", prepare_6, run, 0, TC_C(1e-5)},
    {"robot_move", "7", "public", prepare_7, run, 0, TC_C(1e-5)},
    {"robot_move", "7any", "public", prepare_7_any, run, 0, TC_C(1e-5)},
    {"robot_near", "leg3", "public", prepare_leg, run_near, 0, TC_C(1e-5)},
    {"robot_near", "7", "public", prepare_7, run_near, 0, TC_C(1e-5)},
};
static const bench_case felt = {"robot_feel", "3", "public", prepare_feel, run_feel, 0, TC_C(1e-6)};

void bench_robot(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run_draws(&cases[i], DRAWS);
    }
    bench_run(&felt);
}
