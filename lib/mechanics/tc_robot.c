/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Robots in space: their check, how an IMU shows their base's motion, and where their equations are
 * not to be believed. tc_robot_move.c has the equations.
 *
 * Moments of inertia I about the centre of mass belong to a body if their mass can lie somewhere:
 * its second moments E = tr(I)/2 1 - I have no negative eigenvalue, so no principal minor is
 * negative. (That no moment exceeds the sum of the other two is the same.) Files round: INERTIA_SLACK
 * of the trace is granted.
 *
 * Singular values s_i of J by A = J J^T, or J^T J of two joints: l_i = s_i^2 are its eigenvalues.
 * With e_1 = sum l_i, e_2 = sum of l_i l_j, d = product of all,
 *
 *   1 / sum 1/l_i = d / e_2  (two: d / e_1)  lies in [l_min / N, l_min] of N eigenvalues,
 *
 * and is compared with ratio^2 e_1. If all three l_i are at least r e_1, e_2 is at least 2/3 r
 * e_1^2: a smaller e_2 settles it before rounding can.
 */
#include "tc_exact.h"
#include "tc_robot.h"

#include "tc_chain_core.h"
#include "tc_vec.h"

static const tc_real ROBOT_LARGEST = TC_C(1e3);   /* [m], [kg], [kg m^2], ... */
static const tc_real INERTIA_SLACK = TC_C(0.005); /* as tools/tinycontact/robot/space.py has it */

/* Of finite numbers: within -1e3..1e3, or the error that they are */
static tc_status check_numbers_robot(const tc_real *x, uint32_t n)
{
    if (tc_chain_all_within(x, n, ROBOT_LARGEST)) {
        return TC_OK;
    }
    return tc_all_finite(x, n) ? TC_ERR_RANGE : TC_ERR_NOT_FINITE;
}

/* det of the symmetric matrix xx, yy, zz, xy, xz, yz; `minors` gets the sum of its 2 x 2 principal
 * minors. */
static tc_real determinant_robot(const tc_real A[6], tc_real *minors)
{
    const tc_real x = A[1] * A[2] - A[5] * A[5];
    const tc_real y = A[0] * A[2] - A[4] * A[4];
    const tc_real z = A[0] * A[1] - A[3] * A[3];
    *minors = x + y + z;
    return A[0] * x - A[3] * (A[3] * A[2] - A[5] * A[4]) + A[4] * (A[3] * A[5] - A[1] * A[4]);
}

/* Whether a body can have these moments; all 0 is a point. */
static int inertia_fits_robot(const tc_real I[6])
{
    const tc_real trace = I[0] + I[1] + I[2];
    const tc_real half = (TC_C(0.5) + INERTIA_SLACK) * trace;
    const tc_real E[6] = {half - I[0], half - I[1], half - I[2], -I[3], -I[4], -I[5]};
    tc_real minors;
    const int diagonal = I[0] >= TC_C(0.0) && I[1] >= TC_C(0.0) && I[2] >= TC_C(0.0)
                         && E[0] >= TC_C(0.0) && E[1] >= TC_C(0.0) && E[2] >= TC_C(0.0);
    return diagonal && E[0] * E[1] >= E[3] * E[3] && E[0] * E[2] >= E[4] * E[4]
           && E[1] * E[2] >= E[5] * E[5] && determinant_robot(E, &minors) >= TC_C(0.0);
}

static int body_fits_robot(const tc_robot_link *link, int last)
{
    tc_real used = TC_C(0.0);
    for (uint32_t i = 0; i < 6u; ++i) {
        used += tc_vec_magnitude(link->inertia[i]);
    }
    if (link->rotor < TC_C(0.0) || link->damping < TC_C(0.0) || link->mass < TC_C(0.0)) {
        return 0;
    }
    return link->mass > TC_C(0.0) ? inertia_fits_robot(link->inertia) : !last && used == TC_C(0.0);
}

static tc_status check_link_robot(const tc_robot_link *link, int last)
{
    const tc_real single[5] = {link->mass, link->rotor, link->damping, link->range[0],
                               link->range[1]};
    const tc_real *const groups[5] = {link->axis, link->origin, link->com, link->inertia, single};
    static const uint8_t counts[5] = {3, 3, 3, 6, 5};
    if (link->joint != TC_CHAIN_REVOLUTE && link->joint != TC_CHAIN_PRISMATIC) {
        return TC_ERR_UNSUPPORTED;
    }
    for (uint32_t i = 0; i < 5u; ++i) {
        const tc_status status = check_numbers_robot(groups[i], counts[i]);
        if (status < TC_OK) {
            return status;
        }
    }
    if (!body_fits_robot(link, last)) {
        return TC_ERR_BODY;
    }
    if (!tc_vec_is_unit(link->axis, 3)) {
        return TC_ERR_UNIT;
    }
    return link->range[0] <= link->range[1] ? TC_OK : TC_ERR_RANGE;
}

/* Adds the limb's mass to `mass`. */
static tc_status check_limb_robot(const tc_robot_limb *limb, tc_real *mass)
{
    const tc_real foot[4] = {limb->foot[0], limb->foot[1], limb->foot[2], limb->radius};
    if (limb->links == NULL) {
        return TC_ERR_NULL;
    }
    if (limb->joints - 1u >= TC_ROBOT_JOINTS) {
        return TC_ERR_SIZE;
    }
    tc_status status = check_numbers_robot(foot, 4);
    if (status >= TC_OK && limb->radius < TC_C(0.0)) {
        status = TC_ERR_RANGE;
    }
    for (uint32_t i = 0; i < limb->joints && status >= TC_OK; ++i) {
        status = check_link_robot(&limb->links[i], i + 1u == limb->joints);
        *mass += limb->links[i].mass;
    }
    return status;
}

/* Rows of unit length, the third the product of the first two */
static int is_rotation_robot(const tc_real R[9])
{
    tc_real third[3];
    tc_vec_cross(R, R + 3, third);
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real error = third[i] - R[6u + i];
        if (!tc_vec_is_unit(R + 3u * i, 3)
            || !(error <= TC_UNIT_TOLERANCE && error >= -TC_UNIT_TOLERANCE)) {
            return 0;
        }
    }
    return 1;
}

static tc_status check_base_robot(const tc_robot *robot)
{
    const tc_real numbers[5] = {robot->g, robot->mass, robot->imu[0], robot->imu[1], robot->imu[2]};
    tc_status status = check_numbers_robot(numbers, 5);
    if (status >= TC_OK) {
        status = check_numbers_robot(robot->imu_axes, 9);
    }
    if (status < TC_OK) {
        return status;
    }
    if (robot->g <= TC_C(0.0)) {
        return TC_ERR_RANGE;
    }
    return is_rotation_robot(robot->imu_axes) ? TC_OK : TC_ERR_UNIT;
}

tc_status tc_robot_check(const tc_robot *robot)
{
    if (robot == NULL || robot->limb == NULL) {
        return TC_ERR_NULL;
    }
    if (robot->limbs - 1u >= TC_ROBOT_LIMBS) {
        return TC_ERR_SIZE;
    }
    if ((uint32_t)robot->root > TC_ROBOT_FLOATING) {
        return TC_ERR_UNSUPPORTED;
    }
    tc_real mass = TC_C(0.0);
    tc_status status = check_base_robot(robot);
    for (uint32_t i = 0; i < robot->limbs && status >= TC_OK; ++i) {
        status = check_limb_robot(&robot->limb[i], &mass);
    }
    if (status < TC_OK) {
        return status;
    }
    /* what adding rounds */
    return mass <= robot->mass * (TC_C(1.0) + TC_C(32.0) * TC_EPSILON) ? TC_OK : TC_ERR_BODY;
}

void tc_robot_feel(const tc_robot *robot, const tc_real accel[3], const tc_real gyro[3],
                   const tc_real gyro_rate[3], tc_robot_base *base)
{
    tc_real swept[3];
    tc_real part[3];
    tc_mat3_vec(robot->imu_axes, accel, base->force);
    tc_mat3_vec(robot->imu_axes, gyro, base->omega);
    tc_mat3_vec(robot->imu_axes, gyro_rate, base->alpha);
    tc_vec_cross(base->omega, robot->imu, swept);
    tc_vec_cross(base->omega, swept, part);
    tc_vec_cross(base->alpha, robot->imu, swept);
    for (uint32_t i = 0; i < 3u; ++i) {
        base->force[i] -= part[i] + swept[i];
    }
}

/* ---- Near stops and singular poses ----------------------------------------------------------- */

static int near_stop_robot(const tc_robot_limb *limb, const tc_real *q, tc_real margin)
{
    int near = 0;
    for (uint32_t k = 0; k < limb->joints; ++k) {
        const tc_real *const range = limb->links[k].range;
        near |= range[0] < range[1] && !(q[k] - range[0] >= margin && range[1] - q[k] >= margin);
    }
    return near;
}

static tc_real rows_robot(const tc_real *a, const tc_real *b, uint32_t n)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t k = 0; k < n; ++k) {
        sum = TC_MLA(sum, a[k], b[k]);
    }
    return sum;
}

/* Of two joints; J[3 x 2] */
static int flat_robot(const tc_real *J, tc_real limit)
{
    const tc_real one = J[0] * J[0] + J[2] * J[2] + J[4] * J[4];
    const tc_real two = J[1] * J[1] + J[3] * J[3] + J[5] * J[5];
    const tc_real both = J[0] * J[1] + J[2] * J[3] + J[4] * J[5];
    const tc_real sum = one + two;
    return !(one * two - both * both > limit * sum * sum);
}

static int singular_robot(const tc_real *J, uint32_t n, tc_real limit)
{
    const tc_real *const y = J + n;
    const tc_real *const z = J + 2u * n;
    const tc_real A[6] = {rows_robot(J, J, n), rows_robot(y, y, n), rows_robot(z, z, n),
                          rows_robot(J, y, n), rows_robot(J, z, n), rows_robot(y, z, n)};
    const tc_real sum = A[0] + A[1] + A[2];
    tc_real minors;
    const tc_real product = determinant_robot(A, &minors);
    return !(minors > TC_C(0.5) * limit * sum * sum && product > limit * sum * minors);
}

uint32_t tc_robot_near(const tc_robot_limb *limb, const tc_robot_motion *motion, const tc_real *q,
                       tc_real margin, tc_real ratio)
{
    const uint32_t n = limb->joints;
    const tc_real limit = ratio * ratio;
    const int stop = near_stop_robot(limb, q, margin);
    int singular = 0;
    if (n == 2u) {
        singular = flat_robot(motion->J, limit);
    } else if (n > 2u) {
        singular = singular_robot(motion->J, n, limit);
    }
    return (stop ? TC_ROBOT_NEAR_STOP : 0u) | (singular ? TC_ROBOT_NEAR_SINGULAR : 0u);
}
