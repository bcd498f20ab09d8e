/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A robot in space, described for its sensors: one base with an IMU, and 1 to 4 serial limbs. A
 * limb has 1 to 7 motorised joints and a spherical foot.
 *
 * Axes are the base's: x forward, y to the left, z up. Its origin is any point of the base. At
 * joint coordinates 0 the frames of all links are parallel to the base's. Torque is motor on link,
 * positive with the joint. The motion of the base is measured, not modelled: an accelerometer
 * measures the specific force f, the acceleration minus gravity. The equation of a limb,
 *
 *     M(q) w' + bias(q, w, base) = tau + J^T F,
 *
 * as the base sees it, therefore needs neither the base's mass nor its forces. F is the contact
 * force, w are the joints' rates. tc_leg.h has legs in the plane, tc_chain3.h chains in the world.
 *
 * `tinycontact leg import` makes a robot file of a robot's URDF or MJCF, `tinycontact leg export
 * --c` writes that file as these structures.
 */
#ifndef TC_ROBOT_H
#define TC_ROBOT_H

#include "tc_chain.h"

TC_BEGIN

#define TC_ROBOT_LIMBS 4u  /* largest number of limbs */
#define TC_ROBOT_JOINTS 7u /* largest number of joints of a limb */

/* Motion of the base. */
typedef enum tc_robot_root {
    TC_ROBOT_FIXED = 0,   /* none */
    TC_ROBOT_FLOATING = 1 /* any */
} tc_robot_root;

/* One link and the joint before it. */
typedef struct tc_robot_link {
    tc_chain_joint joint; /* TC_CHAIN_REVOLUTE or TC_CHAIN_PRISMATIC, between the link before (link
                           * 0: the base) and this one */
    tc_real axis[3];      /* axis of rotation, by the right hand, or direction of travel; unit
                           * length */
    tc_real origin[3];    /* joint from the joint before (link 0: from the base's origin) at q = 0,
                           * in the frame of the link before [m] */
    tc_real mass;         /* mass of the link; >= 0; > 0 of the last link [kg] */
    tc_real com[3];       /* centre of mass from the joint, in the link's frame [m] */
    tc_real inertia[6];   /* moments of inertia about the centre of mass, in the link's frame: xx,
                           * yy, zz, xy, xz, yz; 0 where the mass is 0 [kg m^2] */
    tc_real rotor;        /* inertia of the motor, reflected to the joint; >= 0 [kg m^2] or [kg] */
    tc_real damping;      /* viscous damping of the joint; >= 0 [N m s] or [N s/m] */
    tc_real range[2];     /* minimum and maximum of the coordinate; equal: it has no stops [rad] or
                           * [m] */
} tc_robot_link;

/* One limb. */
typedef struct tc_robot_limb {
    uint32_t joints;            /* number of joints and links; 1..TC_ROBOT_JOINTS */
    const tc_robot_link *links; /* [joints] the links, from the base outwards */
    tc_real foot[3];            /* centre of the foot's sphere from the last joint, in the last
                                 * link's frame [m] */
    tc_real radius;             /* radius of the foot's sphere; >= 0; 0: a point [m] */
} tc_robot_limb;

/* A robot. Every length and every number of a link is at most 1e3. */
typedef struct tc_robot {
    tc_robot_root root;        /* motion of the base */
    uint32_t limbs;            /* number of limbs; 1..TC_ROBOT_LIMBS */
    const tc_robot_limb *limb; /* [limbs] the limbs */
    tc_real g;                 /* gravity; > 0; 9.81 on Earth [m/s^2] */
    tc_real mass;              /* mass of the whole robot; at least that of its limbs [kg] */
    tc_real imu[3];            /* accelerometer from the base's origin [m] */
    tc_real imu_axes[9];       /* 3 x 3, row-major: its columns are the IMU's axes in the base's */
} tc_robot;

/* Motion of the base at one instant, base axes. */
typedef struct tc_robot_base {
    tc_real omega[3];  /* angular velocity [rad/s] */
    tc_real alpha[3];  /* angular acceleration [rad/s^2] */
    tc_real force[3];  /* specific force at the base's origin; g upwards at rest [m/s^2] */
    tc_real normal[3]; /* normal of the floor, out of it; unit length */
} tc_robot_base;

/* Kinematics and dynamics of a limb at one instant, base axes, n joints. The contact point is the
 * point of the foot's sphere farthest against the floor's normal, as a point of the last link.
 * Under a rolling foot it is at rest. */
typedef struct tc_robot_motion {
    tc_real M[28];    /* mass matrix: its lower triangle by rows, M_ij at i (i + 1) / 2 + j for j <=
                       * i; rotors included */
    tc_real bias[7];  /* joint torques that keep w' = 0 without contact [N m] or [N] */
    tc_real J[21];    /* 3 x n, row-major: maps the joints' rates to the contact point's velocity */
    tc_real place[3]; /* contact point from the base's origin [m] */
} tc_robot_motion;

/* Bits that tc_robot_near returns. */
#define TC_ROBOT_NEAR_STOP 1u
#define TC_ROBOT_NEAR_SINGULAR 2u

/* Checks a robot. The other functions take limbs of a checked robot.
 * Returns:
 *   TC_OK               the robot is valid.
 *   TC_ERR_NULL         robot, its limbs or their links are NULL.
 *   TC_ERR_SIZE         the number of limbs or of joints is 0, or beyond TC_ROBOT_LIMBS or
 *                       TC_ROBOT_JOINTS.
 *   TC_ERR_UNSUPPORTED  a joint or the root has another type than those above.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_BODY         a mass, rotor or damping is negative, the last link of a limb or the robot
 *                       has no mass, the limbs have more than the robot, or no body has such
 *                       moments of inertia.
 *   TC_ERR_RANGE        a number is beyond 1e3, g is not positive, a radius is negative, or a range
 *                       ends before it begins.
 *   TC_ERR_UNIT         an axis is not of unit length within TC_UNIT_TOLERANCE, or imu_axes is no
 *                       rotation within it. */
tc_status tc_robot_check(const tc_robot *robot);

/* Computes `motion` of a limb from q[joints] and w[joints]. Numbers of `motion` beyond the limb's
 * joints are left as they are. The function checks nothing: results are finite if the inputs are,
 * rates are below 1e4 and accelerations below 1e6.
 * Cost: linear in the joints, and 12 multiplications for each pair of them; one sine and cosine for
 * each revolute joint; 1 KB of stack. */
void tc_robot_move(const tc_robot_limb *limb, const tc_robot_base *base, const tc_real *q,
                   const tc_real *w, tc_robot_motion *motion);

/* Computes the motion of the base from the readings of the IMU and the gyro's rate of change
 * [m/s^2], [rad/s], [rad/s^2]. The readings are in the IMU's axes. The normal is left as it is. */
void tc_robot_feel(const tc_robot *robot, const tc_real accel[3], const tc_real gyro[3],
                   const tc_real gyro_rate[3], tc_robot_base *base);

/* Returns where a limb's equation of motion is not to be believed. A stop pushes with a torque that
 * no sensor measures, and near a singular pose small errors of torques are large forces.
 *   TC_ROBOT_NEAR_STOP      a joint with stops is less than `margin` [rad] or [m] before one, or
 *                           beyond it, or q is NaN.
 *   TC_ROBOT_NEAR_SINGULAR  the smallest singular value of J is below `ratio` of the root of the
 *                           sum of their squares, or J has a NaN. Two singular values of a limb of
 *                           two joints count. A limb of one joint is never near a singular pose.
 * Singular values are s in J^T J x = s^2 x. The harmonic mean of all stands for the smallest one.
 * Where two or three are equally small, the flag is set at ratios up to 1.7 `ratio`, with two
 * joints up to 1.4. */
uint32_t tc_robot_near(const tc_robot_limb *limb, const tc_robot_motion *motion, const tc_real *q,
                       tc_real margin, tc_real ratio);

TC_END

#endif
