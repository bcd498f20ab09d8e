/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A planar serial leg, described for its sensors: 1 to 6 revolute or prismatic joints with motors
 * on a base that moves in the plane, and a circular foot.
 *
 * The leg moves in a vertical plane: x along the floor, y up, angles counter-clockwise. The base
 * frame is fixed in the base. Its origin is the place of the accelerometer, and link 0's anchor is
 * measured from it. The motion of the base is measured, not modelled: an accelerometer measures the
 * specific force f, the acceleration minus gravity. The equation
 *
 *     M(q) qdd + bias(q, qd, base) = tau + J^T F
 *
 * in the frame of the base therefore needs neither the base's mass nor its forces. F is the contact
 * force. tc_chain2.h has chains on a fixed or floating root, without motors.
 *
 * Cost: loops over the joints and over pairs of them; one sine and cosine for each revolute joint.
 */
#ifndef TC_LEG_H
#define TC_LEG_H

#include "tc_chain2.h"

TC_BEGIN

#define TC_LEG_JOINTS 6u /* largest number of joints */

/* Motion of the base. */
typedef enum tc_leg_root {
    TC_LEG_FIXED = 0,   /* none */
    TC_LEG_RAIL = 1,    /* along y, without turning */
    TC_LEG_FLOATING = 2 /* any motion in the plane */
} tc_leg_root;

/* One link and the joint before it. */
typedef struct tc_leg_link {
    tc_body2 body;        /* inertia of the link; at most 1e3 each */
    tc_chain_joint joint; /* TC_CHAIN_REVOLUTE or TC_CHAIN_PRISMATIC, between the link before
                           * (link 0: the base) and this one */
    tc_real anchor[2];    /* joint from the centre of mass of the link before (link 0: from the
                           * base's origin), in that frame [m] */
    tc_real arm[2];       /* centre of mass from the joint (prismatic: at q = 0), in this link's
                           * frame [m] */
    tc_real axis[2];      /* prismatic: direction of travel in the frame of the link before; unit
                           * length */
    tc_real rest;         /* angle of this link's frame to the one before at q = 0 [rad] */
    tc_real rotor;        /* inertia of the motor, reflected to the joint [kg m^2] or [kg]; >= 0 */
    tc_real damping;      /* viscous damping of the joint [N m s] or [N s/m]; >= 0 */
} tc_leg_link;

/* A leg. Every length and every number of a link is at most 1e3. */
typedef struct tc_leg {
    uint32_t joints;          /* number of joints and links; 1..TC_LEG_JOINTS */
    tc_leg_root root;         /* motion of the base */
    const tc_leg_link *links; /* [joints] the links, hip first */
    tc_real g;                /* gravity [m/s^2]; > 0, at most 1e3; 9.81 on Earth */
    tc_real foot[2];          /* centre of the foot's circle from the last link's centre of mass,
                               * in its frame [m] */
    tc_real radius;           /* radius of the foot's circle [m]; >= 0; 0: a point */
} tc_leg;

/* Accuracy of a leg's sensors. tc_estimator_default_for scales a configuration by it. */
typedef struct tc_leg_sensing {
    tc_real encoder_counts[TC_LEG_JOINTS];         /* resolution: steps per turn of the joint
                                                    * (2^bits times the gear ratio), per metre
                                                    * for a prismatic one; 1..1e9; 65536 */
    tc_real encoder_noise[TC_LEG_JOINTS];          /* standard deviation of a reading, without
                                                    * its rounding [rad] or [m]; 0..1; 0: below a
                                                    * third of a step */
    tc_real torque_noise[TC_LEG_JOINTS];           /* standard deviation of a torque, the joint's
                                                    * dry friction included [N m] or [N]; > 0;
                                                    * 0.05. From a motor current: torque constant
                                                    * times gear ratio times the current's */
    tc_real gyro_noise;                            /* standard deviation of the gyro [rad/s]; >
                                                    * 0; 0.003 */
    tc_real accel_noise;                           /* standard deviation of the accelerometer's
                                                    * mean over a tick [m/s^2]; > 0; 0.06. From a
                                                    * noise density [m/s^2 per root Hz]: divide by
                                                    * the root of two ticks [s] */
    tc_real base_velocity_noise;                   /* standard deviation of the base velocity, if
                                                    * given [m/s]; > 0; 0.02 */
    tc_real torque_limit, gyro_limit, accel_limit; /* ends of the sensors' ranges [N m] or [N],
                                                    * [rad/s], [m/s^2]; > 0; 1e3, 35, 160 */
} tc_leg_sensing;

/* Returns the sensing of the legs of tests/hil; the fields' comments have the values. Change the
 * fields that differ for your leg. */
tc_leg_sensing tc_leg_sensing_default(void);

/* Motion of the base at one instant. */
typedef struct tc_leg_base {
    tc_real angle;        /* pitch: from world x to base x [rad] */
    tc_real cosine, sine; /* cosine and sine of the angle */
    tc_real rate;         /* rate of the angle [rad/s] */
    tc_real acceleration; /* second derivative of the angle [rad/s^2] */
    tc_real force[2];     /* specific force at the base's origin, world axes [m/s^2]; (0, g) at
                           * rest */
} tc_leg_base;

/* Kinematics and dynamics of a leg at one instant. The contact point is the lowest point of the
 * foot's circle, as a point of the last link. Under a rolling foot it is at rest. */
typedef struct tc_leg_motion {
    tc_real M[TC_LEG_JOINTS * TC_LEG_JOINTS]; /* mass matrix, n x n for n joints, row-major,
                                               * symmetric; rotors included */
    tc_real bias[TC_LEG_JOINTS];              /* joint torques that keep qdd = 0 without contact
                                               * [N m] or [N] */
    tc_real J[2u * TC_LEG_JOINTS];            /* 2 x n: maps joint rates to the contact point's
                                               * velocity (x, y), world axes */
    tc_real foot[2];                          /* contact point from the base's origin, world axes
                                               * [m] */
    tc_real carried[2];                       /* its velocity from the base's rotation alone
                                               * [m/s] */
    tc_real angle, rate;                      /* angle of the last link in the world [rad] and
                                               * its rate [rad/s] */
    tc_real lever[2];                         /* contact point from the last link's centre of
                                               * mass, world axes [m] */
} tc_leg_motion;

/* Checks a leg. tc_leg_move takes a checked leg.
 * Returns:
 *   TC_OK               the leg is valid.
 *   TC_ERR_NULL         leg or its links are NULL.
 *   TC_ERR_SIZE         joints is 0 or beyond TC_LEG_JOINTS.
 *   TC_ERR_UNSUPPORTED  a joint or the root has another type than those above.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_BODY         a mass or inertia is not positive, or a rotor or damping is negative.
 *   TC_ERR_RANGE        a number is beyond 1e3, g is not positive, the radius is negative, or an
 *                       axis is not of unit length within TC_UNIT_TOLERANCE. */
tc_status tc_leg_check(const tc_leg *leg);

/* Computes `motion` from q[joints] and qd[joints]. The function checks nothing: results are finite
 * if the inputs are, rates are below 1e4 and accelerations below 1e6.
 * Cost: see above; 480 bytes of stack. */
void tc_leg_move(const tc_leg *leg, const tc_leg_base *base, const tc_real *q, const tc_real *qd,
                 tc_leg_motion *motion);

TC_END

#endif
