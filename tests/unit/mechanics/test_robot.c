/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Limbs in space on a base that moves. With the base as the free first link of a tc_chain3, the rows of the joints are
 * the limb's equation; a light link stands for one without mass. Other truths: power, shifts and turns of the base's
 * frame, and vectors by another method. Bounds: 2e-5 of the largest number for M and J, 1e-4 for bias, whose terms
 * cancel; against vectors, in double, 2e-6 and 5e-6.
 */
#include "test.h"
#include "../../vectors/robot.h"

#include "tc_vec.h"

#include <math.h>

#define JOINTS TC_ROBOT_JOINTS
#define DOF TC_CHAIN3_DOF

static tc_robot_link links[JOINTS];
static tc_robot_limb limb;
static tc_robot_base base;
static tc_chain3_link chain_links[TC_CHAIN_MAX];
static tc_chain3 chain;
static tc_real q[JOINTS], w[JOINTS];
static tc_robot_motion motion, other;

static void draw_direction(tc_real *x, uint32_t n)
{
    tc_real square = TC_C(0.0);
    test_fill(x, n, TC_C(0.1), TC_C(1.0));
    for (uint32_t k = 0; k < n; ++k) {
        x[k] = test_below(2) ? x[k] : -x[k];
        square += x[k] * x[k];
    }
    for (uint32_t k = 0; k < n; ++k) {
        x[k] /= tc_sqrt(square);
    }
}

static void rotate(const tc_real R[9], const tc_real x[3], tc_real turned[3])
{
    tc_mat3_vec(R, x, turned);
}

/* R diag(I) R^T as xx, yy, zz, xy, xz, yz */
static void tensor_of(const tc_real R[9], const tc_real I[3], tc_real six[6])
{
    static const uint32_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (uint32_t e = 0; e < 6u; ++e) {
        six[e] = TC_C(0.0);
        for (uint32_t k = 0; k < 3u; ++k) {
            six[e] += R[3u * row[e] + k] * I[k] * R[3u * column[e] + k];
        }
    }
}

/* quaternion product */
static void multiply(const tc_real a[4], const tc_real b[4], tc_real c[4])
{
    tc_real cross[3];
    tc_vec_cross(a + 1, b + 1, cross);
    c[0] = a[0] * b[0] - tc_vec_dot3(a + 1, b + 1);
    for (uint32_t k = 0; k < 3u; ++k) {
        c[k + 1u] = a[0] * b[k + 1u] + b[0] * a[k + 1u] + cross[k];
    }
}

/* A chain with a free root, whose frames are its links' principal axes. Of `empty`, links but the last may have next to
 * no mass. */
static void draw_chain(uint32_t joints, uint32_t empty)
{
    memset(chain_links, 0, sizeof chain_links);
    for (uint32_t i = 0; i <= joints; ++i) {
        tc_chain3_link *const link = &chain_links[i];
        const int none = empty && i > 0u && i < joints && test_below(2) == 0u;
        const tc_real moment = none ? TC_C(1e-9) : test_uniform(TC_C(0.001), TC_C(0.02));
        link->body.mass = none ? TC_C(1e-8) : test_uniform(TC_C(0.1), TC_C(2.0));
        link->body.inertia[0] = moment;
        link->body.inertia[1] = moment * test_uniform(TC_C(0.6), TC_C(1.0));
        link->body.inertia[2] = moment * test_uniform(TC_C(0.5), TC_C(1.5));
        link->joint = i == 0u               ? TC_CHAIN_FREE
                      : test_below(3) == 0u ? TC_CHAIN_PRISMATIC
                                            : TC_CHAIN_REVOLUTE;
        test_fill(link->anchor, 3, TC_C(-0.3), TC_C(0.3));
        test_fill(link->arm, 3, TC_C(-0.3), TC_C(0.3));
        draw_direction(link->axis, 3);
        draw_direction(link->rest, 4);
    }
    chain.count = joints + 1u;
    chain.links = chain_links;
    test_fill(chain.gravity, 3, TC_C(-9.81), TC_C(9.81));
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_chain3_check(&chain));
}

/* The same as a limb: all frames parallel to the base's. */
static void limb_of_chain(uint32_t joints)
{
    tc_real facing[4] = {TC_C(1.0)}, R[9], before[3] = {TC_C(0.0)}, step[3], foot[3];
    memset(links, 0, sizeof links);
    tc_vec_rotation(facing, R);
    for (uint32_t i = 0; i < joints; ++i) {
        const tc_chain3_link *const from = &chain_links[i + 1u];
        tc_robot_link *const link = &links[i];
        tc_real turned[4];
        link->joint = from->joint;
        rotate(R, from->axis, link->axis);
        rotate(R, from->anchor, step);
        for (uint32_t k = 0; k < 3u; ++k) {
            link->origin[k] = before[k] + step[k];
        }
        multiply(facing, from->rest, turned);
        tc_vec_quaternion_set(turned, facing);
        tc_vec_rotation(facing, R);
        rotate(R, from->arm, before);
        if (from->body.mass > TC_C(1e-7)) {
            link->mass = from->body.mass;
            memcpy(link->com, before, sizeof link->com);
            tensor_of(R, from->body.inertia, link->inertia);
        }
    }
    limb.joints = joints;
    limb.links = links;
    limb.radius = TC_C(0.02);
    test_fill(foot, 3, TC_C(-0.2), TC_C(0.2));
    memcpy(limb.foot, foot, sizeof foot);
}

/* Angles, rates and the base's motion; then `motion` */
static void draw_motion(void)
{
    test_fill(q, limb.joints, TC_C(-2.0), TC_C(2.0));
    test_fill(w, limb.joints, TC_C(-5.0), TC_C(5.0));
    test_fill(base.omega, 3, TC_C(-3.0), TC_C(3.0));
    test_fill(base.alpha, 3, TC_C(-20.0), TC_C(20.0));
    test_fill(base.force, 3, TC_C(-12.0), TC_C(12.0));
    draw_direction(base.normal, 3);
    memset(&motion, 0, sizeof motion);
    tc_robot_move(&limb, &base, q, w, &motion);
}

static void draw(uint32_t joints)
{
    draw_chain(joints, 1);
    limb_of_chain(joints);
    draw_motion();
}

static tc_real mass_entry(const tc_robot_motion *m, uint32_t i, uint32_t j)
{
    return i < j ? mass_entry(m, j, i) : m->M[i * (i + 1u) / 2u + j];
}

static tc_real largest(const tc_real *x, uint32_t n, tc_real least)
{
    for (uint32_t k = 0; k < n; ++k) {
        least = (tc_real)fmax((double)least, fabs((double)x[k]));
    }
    return least;
}

/* M, bias, J and place of n joints are those of `other`, the J and place of which are turned by R. */
static void same_motion(const tc_real R[9], const char *what)
{
    const uint32_t n = limb.joints;
    const tc_real scale[3] = {largest(motion.M, 28, TC_C(1e-3)), largest(motion.bias, 7, TC_C(0.1)),
                              largest(motion.J, 21, TC_C(0.1))};
    tc_real turned[3], column[3];
    for (uint32_t k = 0; k < n * (n + 1u) / 2u; ++k) {
        test_near(motion.M[k], other.M[k], TC_C(2e-5) * scale[0], TC_C(0.0), what);
    }
    for (uint32_t k = 0; k < n; ++k) {
        test_near(motion.bias[k], other.bias[k], TC_C(1e-4) * scale[1], TC_C(0.0), what);
        for (uint32_t axis = 0; axis < 3u; ++axis) {
            column[axis] = motion.J[axis * n + k];
        }
        rotate(R, column, turned);
        for (uint32_t axis = 0; axis < 3u; ++axis) {
            test_near(turned[axis], other.J[axis * n + k], TC_C(2e-5) * scale[2], TC_C(0.0), what);
        }
    }
    rotate(R, motion.place, turned);
    for (uint32_t axis = 0; axis < 3u; ++axis) {
        test_near(turned[axis], other.place[axis], TC_C(1e-5), TC_C(0.0), what);
    }
}

/* ---- Against chains ----------------------------------------------------------------------------- */

/* x of the base's axes in the world, and back */
static void to_base(const tc_real R[9], const tc_real x[3], tc_real turned[3])
{
    tc_mat3_vec_t(R, x, turned);
}

static tc_real all_q[DOF + 1u], rates[DOF], acceleration[6], from_chain[DOF * DOF];
static tc_real force_of[DOF], jacobian[6u * DOF];
static tc_chain3_motion moved;

/* The chain's state: a base that moves anyhow in the world, and its motion as the base sees it */
static void draw_world(uint32_t joints, tc_real R[9])
{
    tc_real f[3];
    test_fill(all_q, 3, TC_C(-0.5), TC_C(0.5));
    draw_direction(all_q + 3, 4);
    memcpy(all_q + 7, q, joints * sizeof *q);
    test_fill(rates, 6, TC_C(-3.0), TC_C(3.0));
    memcpy(rates + 6, w, joints * sizeof *w);
    test_fill(acceleration, 6, TC_C(-15.0), TC_C(15.0));
    tc_vec_rotation(all_q + 3, R);
    for (uint32_t k = 0; k < 3u; ++k) {
        f[k] = acceleration[k] - chain.gravity[k];
    }
    to_base(R, f, base.force);
    to_base(R, rates + 3, base.omega);
    to_base(R, acceleration + 3, base.alpha);
}

static void chain_as_other(uint32_t joints, const tc_real R[9])
{
    const uint32_t N = joints + 6u;
    const tc_chain3_link_motion *const last = &moved.link[joints];
    tc_real facing[9], arm[3], normal[3], x[3], foot[3];
    tc_chain3_mass_matrix(&chain, &moved, joints + 1u, from_chain);
    tc_chain3_forces(&chain, &moved, joints + 1u, force_of);
    tc_chain3_jacobian(&moved, joints, jacobian);
    for (uint32_t i = 0; i < joints; ++i) {
        other.bias[i] = -force_of[i + 6u];
        for (uint32_t k = 0; k < 6u; ++k) {
            other.bias[i] += from_chain[(i + 6u) * N + k] * acceleration[k];
        }
        for (uint32_t j = 0; j <= i; ++j) {
            other.M[i * (i + 1u) / 2u + j] = from_chain[(i + 6u) * N + j + 6u];
        }
    }
    /* the foot, from the last link's centre of mass: in the limb's axes R0 is the chain's rest */
    tc_real rest[4] = {TC_C(1.0)}, turned[4], R0[9];
    for (uint32_t i = 1; i <= joints; ++i) {
        multiply(rest, chain_links[i].rest, turned);
        tc_vec_quaternion_set(turned, rest);
    }
    tc_vec_rotation(rest, R0);
    tc_vec_rotation(last->orientation, facing);
    to_base(R0, limb.foot, foot);
    for (uint32_t k = 0; k < 3u; ++k) {
        foot[k] -= chain_links[joints].arm[k];
    }
    rotate(facing, foot, arm);
    rotate(R, base.normal, normal);
    for (uint32_t k = 0; k < 3u; ++k) {
        arm[k] -= limb.radius * normal[k];
        x[k] = last->position[k] + arm[k];
    }
    to_base(R, x, other.place);
    for (uint32_t j = 0; j < joints; ++j) {
        const tc_real turn[3] = {jacobian[3u * N + j + 6u], jacobian[4u * N + j + 6u],
                                 jacobian[5u * N + j + 6u]};
        tc_real column[3], seen[3];
        tc_vec_cross(turn, arm, column);
        for (uint32_t k = 0; k < 3u; ++k) {
            column[k] += jacobian[k * N + j + 6u];
        }
        to_base(R, column, seen);
        for (uint32_t k = 0; k < 3u; ++k) {
            other.J[k * joints + j] = seen[k];
        }
    }
}

static void test_dynamics_are_those_of_a_chain_with_a_free_root(void)
{
    static const tc_real same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    tc_real R[9];
    test_seed(181);
    for (uint32_t round = 0; round < TEST_ROUNDS(240); ++round) {
        const uint32_t n = 1u + round % JOINTS;
        draw(n);
        draw_world(n, R);
        memset(&motion, 0, sizeof motion);
        memset(&other, 0, sizeof other);
        tc_robot_move(&limb, &base, q, w, &motion);
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_chain3_move(&chain, all_q, rates, &moved));
        chain_as_other(n, R);
        same_motion(same, "as a chain");
    }
}

/* ---- Against positions as polynomials of time --------------------------------------------------- */

static void near_all(const tc_real *expected, const tc_real *actual, uint32_t n, tc_real part,
                     const char *what)
{
    const tc_real scale = largest(expected, n, TC_C(1e-6));
    for (uint32_t k = 0; k < n; ++k) {
        test_near(expected[k], actual[k], part * scale, TC_C(0.0), what);
    }
}

static void test_vectors_by_positions_alone(void)
{
    for (uint32_t i = 0; i < TC_COUNT(robot_vectors); ++i) {
        const robot_vector *const v = &robot_vectors[i];
        const uint32_t n = v->joints;
        limb.joints = n;
        limb.links = robot_links + v->first;
        limb.radius = v->radius;
        memcpy(limb.foot, v->foot, sizeof limb.foot);
        memcpy(base.omega, v->omega, sizeof base.omega);
        memcpy(base.alpha, v->alpha, sizeof base.alpha);
        memcpy(base.force, v->force, sizeof base.force);
        memcpy(base.normal, v->normal, sizeof base.normal);
        const tc_robot checked = {.root = TC_ROBOT_FLOATING,
                                  .limbs = 1,
                                  .limb = &limb,
                                  .g = TC_C(9.81),
                                  .mass = TC_C(100.0),
                                  .imu_axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_robot_check(&checked));
        tc_robot_move(&limb, &base, v->q, v->w, &motion);
        near_all(v->M, motion.M, n * (n + 1u) / 2u, TC_C(2e-6), "M");
        near_all(v->bias, motion.bias, n, TC_C(5e-6), "bias");
        near_all(v->J, motion.J, 3u * n, TC_C(2e-6), "J");
        near_all(v->place, motion.place, 3, TC_C(2e-6), "place");
    }
}

/* ---- Properties --------------------------------------------------------------------------------- */

/* Another origin of the base: the specific force there is f + alpha x d + omega x (omega x d). */
static void test_the_base_s_origin_does_not_matter(void)
{
    static const tc_real same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    test_seed(182);
    for (uint32_t round = 0; round < TEST_ROUNDS(60); ++round) {
        tc_real d[3], swept[3], part[3];
        draw(1u + round % JOINTS);
        test_fill(d, 3, TC_C(-1.0), TC_C(1.0));
        tc_vec_cross(base.omega, d, swept);
        tc_vec_cross(base.omega, swept, part);
        tc_vec_cross(base.alpha, d, swept);
        for (uint32_t k = 0; k < 3u; ++k) {
            base.force[k] += part[k] + swept[k];
            links[0].origin[k] -= d[k];
        }
        tc_robot_move(&limb, &base, q, w, &other);
        for (uint32_t k = 0; k < 3u; ++k) {
            other.place[k] += d[k];
        }
        same_motion(same, "another origin");
    }
}

/* All of it in other axes: M and bias are the same, J and place are turned. */
static void test_the_base_s_axes_do_not_matter(void)
{
    test_seed(183);
    for (uint32_t round = 0; round < TEST_ROUNDS(60); ++round) {
        tc_real facing[4], R[9], x[3];
        draw(1u + round % JOINTS);
        draw_direction(facing, 4);
        tc_vec_rotation(facing, R);
        tc_real *const base_s[4] = {base.omega, base.alpha, base.force, base.normal};
        for (uint32_t k = 0; k < 4u; ++k) {
            memcpy(x, base_s[k], sizeof x);
            rotate(R, x, base_s[k]);
        }
        memcpy(x, limb.foot, sizeof x);
        rotate(R, x, limb.foot);
        for (uint32_t i = 0; i < limb.joints; ++i) {
            const tc_real *const I = links[i].inertia;
            const tc_real rows[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
            tc_real *const link_s[3] = {links[i].axis, links[i].origin, links[i].com};
            tc_real T[9], turned[9];
            for (uint32_t k = 0; k < 3u; ++k) {
                memcpy(x, link_s[k], sizeof x);
                rotate(R, x, link_s[k]);
                rotate(R, rows + 3u * k, T + 3u * k); /* row k of I R^T */
            }
            for (uint32_t k = 0; k < 3u; ++k) {
                const tc_real column[3] = {T[k], T[3u + k], T[6u + k]};
                rotate(R, column, turned + 3u * k);
            }
            const tc_real six[6] = {turned[0], turned[4], turned[8],
                                    turned[1], turned[2], turned[5]};
            memcpy(links[i].inertia, six, sizeof six);
        }
        tc_robot_move(&limb, &base, q, w, &other);
        same_motion(R, "other axes");
    }
}

/* Motion costs w.(bias(w) - bias(0)) = w^T M' w / 2 of power, M' along w, on any base: what turning adds in proportion
 * to w does no work. */
static void test_power_is_the_change_of_kinetic_energy(void)
{
    const tc_real e = sizeof(tc_real) == 4u ? TC_C(2e-3) : TC_C(1e-5);
    test_seed(184);
    for (uint32_t round = 0; round < TEST_ROUNDS(60); ++round) {
        static const tc_real none[JOINTS];
        tc_real ahead[JOINTS];
        tc_robot_motion rest, back;
        double power = 0, change = 0, scale = 1;
        draw(1u + round % JOINTS);
        const uint32_t n = limb.joints;
        tc_robot_move(&limb, &base, q, none, &rest);
        for (uint32_t k = 0; k < n; ++k) {
            ahead[k] = q[k] - e * w[k];
        }
        tc_robot_move(&limb, &base, ahead, w, &back);
        for (uint32_t k = 0; k < n; ++k) {
            ahead[k] = q[k] + e * w[k];
        }
        tc_robot_move(&limb, &base, ahead, w, &other);
        for (uint32_t i = 0; i < n; ++i) {
            const double part = (double)w[i] * (double)(motion.bias[i] - rest.bias[i]);
            power += part;
            scale += fabs(part);
            for (uint32_t j = 0; j < n; ++j) {
                const double slope =
                    (double)(mass_entry(&other, i, j) - mass_entry(&back, i, j)) / (4 * (double)e);
                change += (double)w[i] * slope * (double)w[j];
                scale += fabs((double)w[i] * slope * (double)w[j]);
            }
        }
        test_near((tc_real)change, (tc_real)power, TC_C(2e-3) * (tc_real)scale, TC_C(0.0), "power");
    }
}

static void test_motors_turn_with_their_joints_alone(void)
{
    test_seed(185);
    for (uint32_t round = 0; round < TEST_ROUNDS(30); ++round) {
        draw(1u + round % JOINTS);
        const uint32_t n = limb.joints, of = test_below(n);
        links[of].rotor = TC_C(0.25);
        links[of].damping = TC_C(0.5);
        tc_robot_move(&limb, &base, q, w, &other);
        for (uint32_t i = 0; i < n; ++i) {
            const tc_real drag = i == of ? TC_C(0.5) * w[of] : TC_C(0.0);
            test_near(motion.bias[i] + drag, other.bias[i], TC_C(1e-5), TC_C(1e-6), "damping");
            for (uint32_t j = 0; j <= i; ++j) {
                const tc_real more = i == of && j == of ? TC_C(0.25) : TC_C(0.0);
                test_near(mass_entry(&motion, i, j) + more, mass_entry(&other, i, j), TC_C(1e-6),
                          TC_C(1e-6), "rotor");
            }
        }
    }
}

/* What falls freely needs no torque: no specific force, nothing turns. */
static void test_a_falling_limb_needs_no_torque(void)
{
    test_seed(186);
    for (uint32_t n = 1; n <= JOINTS; ++n) {
        draw(n);
        memset(w, 0, sizeof w);
        memset(&base, 0, sizeof base);
        tc_robot_move(&limb, &base, q, w, &motion);
        for (uint32_t k = 0; k < n; ++k) {
            TEST_ASSERT_TRUE(motion.bias[k] == TC_C(0.0));
        }
    }
}

/* Numbers of more joints than there are stay, and two calls have the same bits. */
static void test_nothing_else_is_written(void)
{
    test_seed(187);
    for (uint32_t n = 1; n <= JOINTS; ++n) {
        draw(n);
        memset(&motion, 0x55, sizeof motion);
        memset(&other, 0xAA, sizeof other);
        tc_robot_move(&limb, &base, q, w, &motion);
        tc_robot_move(&limb, &base, q, w, &other);
        const uint32_t M = n * (n + 1u) / 2u;
        TEST_ASSERT_EQUAL_MEMORY(motion.M, other.M, M * sizeof *motion.M);
        TEST_ASSERT_EQUAL_MEMORY(motion.bias, other.bias, n * sizeof *motion.bias);
        TEST_ASSERT_EQUAL_MEMORY(motion.J, other.J, 3u * n * sizeof *motion.J);
        TEST_ASSERT_EQUAL_MEMORY(motion.place, other.place, sizeof motion.place);
        if (n < JOINTS) {
            TEST_ASSERT_EACH_EQUAL_HEX8(0x55, motion.M + M, (28u - M) * sizeof *motion.M);
            TEST_ASSERT_EACH_EQUAL_HEX8(0x55, motion.bias + n, (7u - n) * sizeof *motion.bias);
            TEST_ASSERT_EACH_EQUAL_HEX8(0x55, motion.J + 3u * n, (21u - 3u * n) * sizeof *motion.J);
        }
    }
}

static void test_bits_are_the_same_everywhere(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(188);
    for (uint32_t round = 0; round < 28u; ++round) {
        draw(1u + round % JOINTS);
        const uint32_t n = limb.joints;
        hash = test_hash(hash, motion.M, n * (n + 1u) / 2u);
        hash = test_hash(hash, motion.bias, n);
        hash = test_hash(hash, motion.J, 3u * n);
        hash = test_hash(hash, motion.place, 3);
    }
    test_golden("robot_move", hash);
}

/* ---- The IMU ------------------------------------------------------------------------------------ */

/* An IMU anywhere on a limbless body shows f + alpha x r + omega x (omega x r) in its own axes. */
static void test_the_imu_shows_the_base(void)
{
    test_seed(189);
    for (uint32_t round = 0; round < TEST_ROUNDS(40); ++round) {
        tc_robot robot = {.root = TC_ROBOT_FLOATING};
        tc_real facing[4], swept[3], part[3], felt[3], accel[3], gyro[3], rate[3];
        tc_robot_base seen = {.normal = {TC_C(1.0), TC_C(2.0), TC_C(3.0)}};
        draw_direction(facing, 4);
        tc_vec_rotation(facing, robot.imu_axes);
        test_fill(robot.imu, 3, TC_C(-0.3), TC_C(0.3));
        draw(1);
        tc_vec_cross(base.omega, robot.imu, swept);
        tc_vec_cross(base.omega, swept, part);
        tc_vec_cross(base.alpha, robot.imu, swept);
        for (uint32_t k = 0; k < 3u; ++k) {
            felt[k] = base.force[k] + part[k] + swept[k];
        }
        to_base(robot.imu_axes, felt, accel);
        to_base(robot.imu_axes, base.omega, gyro);
        to_base(robot.imu_axes, base.alpha, rate);
        tc_robot_feel(&robot, accel, gyro, rate, &seen);
        for (uint32_t k = 0; k < 3u; ++k) {
            test_near(base.force[k], seen.force[k], TC_C(1e-4), TC_C(0.0), "force");
            test_near(base.omega[k], seen.omega[k], TC_C(1e-5), TC_C(0.0), "omega");
            test_near(base.alpha[k], seen.alpha[k], TC_C(1e-4), TC_C(0.0), "alpha");
            TEST_ASSERT_TRUE(seen.normal[k] == (tc_real)(k + 1u));
        }
    }
}

/* ---- Stops and singular poses ------------------------------------------------------------------- */

static void test_stops_are_near_within_the_margin(void)
{
    const tc_real margin = TC_C(0.0625);
    test_seed(190);
    draw(5);
    memset(q, 0, sizeof q);
    TEST_ASSERT_EQUAL_UINT32(0, tc_robot_near(&limb, &motion, q, margin, TC_C(1e-6)));
    for (uint32_t k = 0; k < 5u; ++k) {
        links[k].range[0] = TC_C(-1.0);
        links[k].range[1] = TC_C(0.5);
        const struct {
            tc_real at;
            uint32_t near;
        } all[] = {{TC_C(0.0), 0},
                   {TC_C(-0.9375), 0},
                   {TC_C(-0.94), TC_ROBOT_NEAR_STOP},
                   {TC_C(-1.5), TC_ROBOT_NEAR_STOP},
                   {TC_C(0.4375), 0},
                   {TC_C(0.44), TC_ROBOT_NEAR_STOP},
                   {TC_C(7.0), TC_ROBOT_NEAR_STOP},
                   {(tc_real)NAN, TC_ROBOT_NEAR_STOP}};
        for (uint32_t i = 0; i < TC_COUNT(all); ++i) {
            q[k] = all[i].at;
            TEST_ASSERT_EQUAL_UINT32(all[i].near,
                                     tc_robot_near(&limb, &motion, q, margin, TC_C(1e-6)));
        }
        q[k] = TC_C(0.0);
        links[k].range[0] = links[k].range[1];
    }
}

/* Least eigenvalue and sum of a symmetric 3 x 3 matrix, by Jacobi's turns */
static double least_eigenvalue(double A[3][3])
{
    for (uint32_t sweep = 0; sweep < 12u; ++sweep) {
        for (uint32_t i = 0; i < 3u; ++i) {
            const uint32_t a = i == 2u ? 0u : i, b = i == 0u ? 1u : 2u;
            const double angle = 0.5 * atan2(2 * A[a][b], A[a][a] - A[b][b]);
            const double c = cos(angle), s = sin(angle);
            for (uint32_t k = 0; k < 3u; ++k) {
                const double x = A[a][k], y = A[b][k];
                A[a][k] = c * x + s * y;
                A[b][k] = c * y - s * x;
            }
            for (uint32_t k = 0; k < 3u; ++k) {
                const double x = A[k][a], y = A[k][b];
                A[k][a] = c * x + s * y;
                A[k][b] = c * y - s * x;
            }
        }
    }
    return fmin(A[0][0], fmin(A[1][1], A[2][2]));
}

/* The smallest singular value of J (of two joints: of two) over the root of the sum of squares; J in double */
static double ratio_of(uint32_t n)
{
    double A[3][3] = {{0}}, sum = 0;
    const tc_real *const J = motion.J;
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t k = 0; k < n; ++k) {
            sum += (double)J[i * n + k] * (double)J[i * n + k];
        }
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            if (n == 2u && (i == 2u || j == 2u)) { /* J^T J, and a third that is never the least */
                A[i][j] = i == j ? 2 * sum : 0;
                continue;
            }
            for (uint32_t k = 0; k < (n == 2u ? 3u : n); ++k) {
                A[i][j] += n == 2u ? (double)J[k * n + i] * (double)J[k * n + j]
                                   : (double)J[i * n + k] * (double)J[j * n + k];
            }
        }
    }
    return sqrt(fmax(least_eigenvalue(A), 0) / sum);
}

static void test_singular_poses_are_near_by_their_ratio(void)
{
    uint32_t met[2] = {0, 0};
    test_seed(191);
    for (uint32_t round = 0; round < TEST_ROUNDS(600); ++round) {
        const uint32_t n = 2u + round % (JOINTS - 1u);
        limb.joints = n;
        test_fill(motion.J, 3u * n, TC_C(-1.0), TC_C(1.0));
        if (round % 2u) { /* all columns near a plane, or near a line */
            for (uint32_t k = 0; k < (n == 2u ? 2u : n); ++k) {
                motion.J[2u * n + k] *= TC_C(0.05);
                motion.J[n + k] *= n == 2u ? TC_C(0.05) : TC_C(1.0);
            }
        }
        const double ratio = ratio_of(n), up = n == 2u ? 1.42 : 1.74;
        const tc_real limit = TC_C(0.1);
        const uint32_t told = tc_robot_near(&limb, &motion, q, TC_C(0.1), limit);
        if (ratio < 0.0999) {
            TEST_ASSERT_EQUAL_UINT32(TC_ROBOT_NEAR_SINGULAR, told);
            ++met[0];
        }
        if (ratio > 0.1001 * up) {
            TEST_ASSERT_EQUAL_UINT32(0, told);
            ++met[1];
        }
    }
    TEST_ASSERT_TRUE(met[0] >= TEST_ROUNDS(100) && met[1] >= TEST_ROUNDS(100));
}

/* All joints move the foot along one line, to rounding: minors and determinant are noise. */
static void test_a_line_is_singular(void)
{
    test_seed(193);
    for (uint32_t round = 0; round < TEST_ROUNDS(400); ++round) {
        const uint32_t n = 2u + round % (JOINTS - 1u);
        tc_real line[3], turns[JOINTS];
        draw_direction(line, 3);
        test_fill(turns, n, TC_C(-1.0), TC_C(1.0));
        for (uint32_t i = 0; i < 3u; ++i) {
            for (uint32_t k = 0; k < n; ++k) {
                motion.J[i * n + k] = line[i] * turns[k];
            }
        }
        limb.joints = n;
        TEST_ASSERT_EQUAL_UINT32(TC_ROBOT_NEAR_SINGULAR,
                                 tc_robot_near(&limb, &motion, q, TC_C(0.1), TC_C(1e-3)));
    }
}

/* A leg of three joints, hip across, with thigh and calf of 0.2 m: straight it cannot lengthen. */
static void test_a_straight_leg_is_singular(void)
{
    memset(links, 0, sizeof links);
    for (uint32_t i = 0; i < 3u; ++i) {
        links[i].axis[i == 0u ? 0 : 1] = TC_C(1.0);
        links[i].mass = TC_C(1.0);
    }
    links[1].origin[1] = TC_C(0.08);
    links[2].origin[2] = limb.foot[2] = TC_C(-0.2);
    limb.foot[0] = limb.foot[1] = limb.radius = TC_C(0.0);
    limb.joints = 3;
    memset(q, 0, sizeof q);
    for (uint32_t i = 0; i < 3u; ++i) {
        static const tc_real knees[3] = {TC_C(0.0), TC_C(-0.1), TC_C(-1.2)};
        static const uint32_t near[3] = {TC_ROBOT_NEAR_SINGULAR, TC_ROBOT_NEAR_SINGULAR, 0};
        q[2] = knees[i];
        tc_robot_move(&limb, &base, q, w, &motion);
        TEST_ASSERT_EQUAL_UINT32(near[i], tc_robot_near(&limb, &motion, q, TC_C(0.1), TC_C(0.1)));
    }
    memset(motion.J, 0, sizeof motion.J);
    for (uint32_t n = 1; n <= JOINTS;
         ++n) { /* nothing moves the foot; NaN; one joint alone never is */
        limb.joints = n;
        motion.J[0] = TC_C(0.0);
        TEST_ASSERT_EQUAL_UINT32(n > 1u ? TC_ROBOT_NEAR_SINGULAR : 0u,
                                 tc_robot_near(&limb, &motion, q, TC_C(0.1), TC_C(0.1)));
        motion.J[0] = (tc_real)NAN;
        TEST_ASSERT_EQUAL_UINT32(n > 1u ? TC_ROBOT_NEAR_SINGULAR : 0u,
                                 tc_robot_near(&limb, &motion, q, TC_C(0.1), TC_C(0.1)));
    }
}

/* ---- The check ---------------------------------------------------------------------------------- */

static tc_robot_limb limbs[TC_ROBOT_LIMBS];
static tc_robot robot;

static void draw_robot(void)
{
    test_seed(192);
    draw(3);
    for (uint32_t i = 0; i < TC_ROBOT_LIMBS; ++i) {
        limbs[i] = limb;
    }
    const tc_robot made = {.root = TC_ROBOT_FLOATING,
                           .limbs = TC_ROBOT_LIMBS,
                           .limb = limbs,
                           .g = TC_C(9.81),
                           .mass = TC_C(50.0),
                           .imu_axes = {0, 1, 0, -1, 0, 0, 0, 0, 1}};
    robot = made;
    links[0].mass = TC_C(0.0);
    memset(links[0].inertia, 0, sizeof links[0].inertia);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_robot_check(&robot));
}

static void test_what_is_no_robot_is_refused(void)
{
    draw_robot();
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_robot_check(NULL));
    robot.limb = NULL;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_robot_check(&robot));
    draw_robot();
    limbs[3].links = NULL;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_robot_check(&robot));
    static const uint32_t bad_count[2] = {0, TC_ROBOT_LIMBS + 1u}, bad_joints[2] = {0, JOINTS + 1u};
    for (uint32_t i = 0; i < 2u; ++i) {
        draw_robot();
        robot.limbs = bad_count[i];
        TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_robot_check(&robot));
        draw_robot();
        limbs[2].joints = bad_joints[i];
        TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_robot_check(&robot));
    }
    draw_robot();
    robot.root = (tc_robot_root)2;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, tc_robot_check(&robot));
    draw_robot();
    links[1].joint = TC_CHAIN_FREE;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, tc_robot_check(&robot));
    draw_robot();
    links[2].mass = TC_C(0.0); /* the last one needs a mass */
    memset(links[2].inertia, 0, sizeof links[2].inertia);
    TEST_ASSERT_EQUAL_INT(TC_ERR_BODY, tc_robot_check(&robot));
    draw_robot();
    links[0].inertia[4] = TC_C(1e-6); /* moments without a mass */
    TEST_ASSERT_EQUAL_INT(TC_ERR_BODY, tc_robot_check(&robot));
    draw_robot();
    robot.mass = links[1].mass + links[2].mass; /* of one limb; there are four */
    TEST_ASSERT_EQUAL_INT(TC_ERR_BODY, tc_robot_check(&robot));
    robot.limbs = 1;
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_robot_check(&robot));
    draw_robot();
    robot.imu_axes[8] = TC_C(-1.0); /* a mirror */
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNIT, tc_robot_check(&robot));
    draw_robot();
    robot.imu_axes[0] = TC_C(0.7); /* rows that are not square to each other */
    robot.imu_axes[1] = TC_C(0.714);
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNIT, tc_robot_check(&robot));
}

static void test_robot_numbers_up_to_their_borders(void)
{
    tc_robot_link *const last = &links[2];
    draw_robot();
    const struct {
        tc_real *number;
        tc_real low, high; /* allowed */
        tc_real below, above;
        tc_status too_low, too_high;
    } all[] = {
        {&robot.g, TC_C(1e-3), TC_C(1e3), TC_C(0.0), TC_C(1.001e3), TC_ERR_RANGE, TC_ERR_RANGE},
        {&robot.mass, TC_C(40.0), TC_C(1e3), TC_C(-1.0), TC_C(1.001e3), TC_ERR_BODY, TC_ERR_RANGE},
        {&robot.imu[1], TC_C(-1e3), TC_C(1e3), TC_C(-1.001e3), TC_C(1.001e3), TC_ERR_RANGE,
         TC_ERR_RANGE},
        {&limbs[1].radius, TC_C(0.0), TC_C(1e3), TC_C(-1e-6), TC_C(1.001e3), TC_ERR_RANGE,
         TC_ERR_RANGE},
        {&limbs[1].foot[2], TC_C(-1e3), TC_C(1e3), TC_C(-1.001e3), TC_C(1.001e3), TC_ERR_RANGE,
         TC_ERR_RANGE},
        {&last->origin[0], TC_C(-1e3), TC_C(1e3), TC_C(-1.001e3), TC_C(1.001e3), TC_ERR_RANGE,
         TC_ERR_RANGE},
        {&last->com[1], TC_C(-1e3), TC_C(1e3), TC_C(-1.001e3), TC_C(1.001e3), TC_ERR_RANGE,
         TC_ERR_RANGE},
        {&last->rotor, TC_C(0.0), TC_C(1e3), TC_C(-1e-6), TC_C(1.001e3), TC_ERR_BODY, TC_ERR_RANGE},
        {&last->damping, TC_C(0.0), TC_C(1e3), TC_C(-1e-6), TC_C(1.001e3), TC_ERR_BODY,
         TC_ERR_RANGE},
        {&last->mass, TC_C(1e-3), TC_C(2.0), TC_C(-1e-3), TC_C(1.001e3), TC_ERR_BODY, TC_ERR_RANGE},
        {&last->range[0], TC_C(-1e3), TC_C(0.0), TC_C(-1.001e3), TC_C(0.001), TC_ERR_RANGE,
         TC_ERR_RANGE},
        {&last->range[1], TC_C(0.0), TC_C(1e3), TC_C(-0.001), TC_C(1.001e3), TC_ERR_RANGE,
         TC_ERR_RANGE},
    };
    for (uint32_t i = 0; i < TC_COUNT(all); ++i) {
        const tc_real kept = *all[i].number;
        *all[i].number = all[i].low;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_robot_check(&robot));
        *all[i].number = all[i].high;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_robot_check(&robot));
        *all[i].number = all[i].below;
        TEST_ASSERT_EQUAL_INT(all[i].too_low, tc_robot_check(&robot));
        *all[i].number = all[i].above;
        TEST_ASSERT_EQUAL_INT(all[i].too_high, tc_robot_check(&robot));
        *all[i].number = (tc_real)NAN;
        TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_robot_check(&robot));
        *all[i].number = kept;
    }
}

/* Every number of the tables as NaN and infinite */
static void test_each_number_is_looked_at(void)
{
    static const tc_real hostile[2] = {(tc_real)NAN, (tc_real)INFINITY};
    draw_robot();
    tc_real *const numbers[] = {
        links[1].axis,  links[1].origin, links[1].com,      links[1].inertia, &links[1].mass,
        links[1].range, &links[1].rotor, &links[1].damping, limbs[0].foot,    &limbs[0].radius,
        &robot.g,       &robot.mass,     robot.imu,         robot.imu_axes};
    static const uint32_t counts[] = {3, 3, 3, 6, 1, 2, 1, 1, 3, 1, 1, 1, 3, 9};
    for (uint32_t i = 0; i < TC_COUNT(numbers); ++i) {
        for (uint32_t k = 0; k < counts[i]; ++k) {
            const tc_real kept = numbers[i][k];
            for (uint32_t h = 0; h < 2u; ++h) {
                numbers[i][k] = hostile[h];
                TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_robot_check(&robot));
            }
            numbers[i][k] = kept;
        }
    }
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_robot_check(&robot));
    for (uint32_t k = 0; k < 3u; ++k) {
        draw_robot();
        links[1].axis[k] += links[1].axis[k] < TC_C(0.0) ? TC_C(-0.1) : TC_C(0.1);
        TEST_ASSERT_EQUAL_INT(TC_ERR_UNIT, tc_robot_check(&robot));
    }
}

/* Moments of inertia turned at random: bodies' pass, others do not, a hundredth on either side. */
static void test_inertias_that_no_body_has(void)
{
    static const struct {
        tc_real moments[3];
        tc_status status;
    } all[] = {
        {{TC_C(0.03), TC_C(0.02), TC_C(0.015)}, TC_OK},
        {{TC_C(0.03), TC_C(0.02), TC_C(0.0502)}, TC_OK}, /* a plate, rounded by its file */
        {{TC_C(0.03), TC_C(0.02), TC_C(0.052)}, TC_ERR_BODY},
        {{TC_C(0.03), TC_C(0.03), TC_C(0.0)}, TC_OK}, /* a rod */
        {{TC_C(0.03), TC_C(0.03), TC_C(-0.003)}, TC_ERR_BODY},
        {{TC_C(0.03), TC_C(0.02), TC_C(0.008)}, TC_ERR_BODY},
        {{TC_C(0.0), TC_C(0.0), TC_C(0.0)}, TC_OK}, /* a point */
        {{TC_C(-0.01), TC_C(-0.01), TC_C(-0.01)}, TC_ERR_BODY},
    };
    draw_robot();
    for (uint32_t round = 0; round < TEST_ROUNDS(40); ++round) {
        tc_real facing[4], R[9];
        draw_direction(facing, 4);
        tc_vec_rotation(facing, R);
        for (uint32_t i = 0; i < TC_COUNT(all); ++i) {
            tensor_of(R, all[i].moments, links[1].inertia);
            TEST_ASSERT_EQUAL_INT(all[i].status, tc_robot_check(&robot));
        }
    }
}

void suite_robot(void)
{
    RUN_TEST(test_dynamics_are_those_of_a_chain_with_a_free_root);
    RUN_TEST(test_vectors_by_positions_alone);
    RUN_TEST(test_the_base_s_origin_does_not_matter);
    RUN_TEST(test_the_base_s_axes_do_not_matter);
    RUN_TEST(test_power_is_the_change_of_kinetic_energy);
    RUN_TEST(test_motors_turn_with_their_joints_alone);
    RUN_TEST(test_a_falling_limb_needs_no_torque);
    RUN_TEST(test_nothing_else_is_written);
    RUN_TEST(test_bits_are_the_same_everywhere);
    RUN_TEST(test_the_imu_shows_the_base);
    RUN_TEST(test_stops_are_near_within_the_margin);
    RUN_TEST(test_singular_poses_are_near_by_their_ratio);
    RUN_TEST(test_a_line_is_singular);
    RUN_TEST(test_a_straight_leg_is_singular);
    RUN_TEST(test_what_is_no_robot_is_refused);
    RUN_TEST(test_robot_numbers_up_to_their_borders);
    RUN_TEST(test_each_number_is_looked_at);
    RUN_TEST(test_inertias_that_no_body_has);
}
