/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A planar serial leg as its own sensors see it: 1 to 6 revolute or prismatic joints with their motors on a base
 * that moves in the plane, and a circular foot.
 *
 * The leg moves in a vertical plane: x along the floor, y up, angles counter-clockwise. The base frame is fixed in
 * the base; its origin is where the accelerometer stands and where link 0's anchor is measured from. What the base
 * does is measured, not modelled: an accelerometer gives the specific force f (acceleration minus gravity), so that in
 * the frame that falls and turns with the base
 *
 *     M(q) qdd + bias(q, qd, base) = tau + J^T F
 *
 * holds without the base's mass, its forces or gravity. tc_chain2.h has chains on a fixed or free root, without motors.
 *
 * Cost: loops over the joints and over pairs of them; one sine and cosine for each revolute joint.
 */
#ifndef TC_LEG_H
#define TC_LEG_H

#include "tc_chain2.h"

TC_BEGIN

#define TC_LEG_JOINTS 6u

/* How the base may move. */
typedef enum tc_leg_root {
    TC_LEG_FIXED = 0,   /* not at all */
    TC_LEG_RAIL = 1,    /* along y, never turning */
    TC_LEG_FLOATING = 2 /* anyhow in the plane */
} tc_leg_root;

typedef struct tc_leg_link {
    tc_body2 body;
    tc_chain_joint joint;    /* TC_CHAIN_REVOLUTE or TC_CHAIN_PRISMATIC, between what is before (link 0: the base) and this */
    tc_real anchor[2]; /* the joint, from the centre of mass of the link before (link 0: from the base's origin), in
                        * that one's frame [m] */
    tc_real arm[2];    /* centre of mass from the joint (prismatic: at q = 0), in this link's frame [m] */
    tc_real axis[2];   /* prismatic: direction of travel, unit length, in the frame of the link before */
    tc_real rest;      /* angle of this link's frame to the one before at q = 0 [rad] */
    tc_real rotor;     /* inertia of the motor, seen at the joint [kg m^2] or [kg], >= 0 */
    tc_real damping;   /* viscous [N m s] or [N s/m], >= 0 */
} tc_leg_link;

typedef struct tc_leg {
    uint32_t joints;          /* 1..TC_LEG_JOINTS */
    uint32_t root;            /* tc_leg_root */
    const tc_leg_link *links; /* [joints] */
    tc_real g;                /* [m/s^2], > 0: 9.81 */
    tc_real foot[2];          /* centre of the foot's circle, from the last link's centre of mass, its frame [m] */
    tc_real radius;           /* of the circle [m], >= 0; 0 a point */
} tc_leg;

/* How well the sensors of a leg see: what configurations are scaled by (tc_estimator_default_for). */
typedef struct tc_leg_sensing {
    tc_real encoder_counts[TC_LEG_JOINTS]; /* steps of a turn of the joint (2^bits, times the gear between), of a metre
                                            * if it slides; 1..1e9 */
    tc_real encoder_noise[TC_LEG_JOINTS];  /* of a reading, beside its rounding [rad] or [m], up to 1; 0: no more than a
                                            * third of a step */
    tc_real torque_noise[TC_LEG_JOINTS];   /* of a torque, the joint's dry friction included [N m] or [N] */
    tc_real gyro_noise;                    /* [rad/s] */
    tc_real accel_noise;                   /* of the mean over a tick [m/s^2] */
    tc_real base_velocity_noise;           /* [m/s], where it is given */
    tc_real torque_limit, gyro_limit, accel_limit; /* ends of the ranges [N m], [rad/s], [m/s^2] */
} tc_leg_sensing;

/* The sensors of the legs of tests/hil: 16 bits, 0.05 N m, 0.003 rad/s, 0.06 m/s^2; change what yours do otherwise. */
tc_leg_sensing tc_leg_sensing_default(void);

/* What the base does at an instant. */
typedef struct tc_leg_base {
    tc_real angle;        /* base x to world x [rad] */
    tc_real cosine, sine; /* of it */
    tc_real rate;         /* [rad/s] */
    tc_real acceleration; /* of the angle [rad/s^2] */
    tc_real force[2];     /* specific force at the base's origin, world axes [m/s^2]: (0, g) at rest */
} tc_leg_base;

/* What follows at an instant. The contact point is the lowest of the foot's circle, as a point of the last link: where
 * a rolling foot touches the floor it rests. */
typedef struct tc_leg_motion {
    tc_real M[TC_LEG_JOINTS * TC_LEG_JOINTS]; /* n x n, rows n long, symmetric; rotors included */
    tc_real bias[TC_LEG_JOINTS];              /* the joint torques that keep qdd = 0 without contact [N m] or [N] */
    tc_real J[2u * TC_LEG_JOINTS];            /* 2 x n: joint rates to the contact point's velocity (x, y) */
    tc_real foot[2];                          /* contact point from the base's origin, world axes [m] */
    tc_real carried[2];                       /* its velocity from the base's turning alone [m/s] */
    tc_real angle, rate;                      /* of the last link, world [rad], [rad/s] */
    tc_real lever[2];                         /* contact point from the last link's centre of mass, world axes [m] */
} tc_leg_motion;

/* TC_ERR_NULL, TC_ERR_SIZE (joints), TC_ERR_NOT_FINITE, TC_ERR_BODY (a mass or inertia not positive, a rotor or
 * damping negative), TC_ERR_UNSUPPORTED (a joint or root that is not one of the above), TC_ERR_RANGE (an axis not of
 * unit length within TC_UNIT_TOLERANCE, a number of a link beyond 1e3, g not in (0, 1e3], a radius negative).
 * tc_leg_move takes a checked leg. */
tc_status tc_leg_check(const tc_leg *leg);

/* Everything in tc_leg_motion at q, qd [joints]. Checks nothing: finite numbers in, finite numbers out as long as rates
 * stay below 1e4 and accelerations below 1e6. Time: see above; stack: 0.4 KB. */
void tc_leg_move(const tc_leg *leg, const tc_leg_base *base, const tc_real *q, const tc_real *qd,
                 tc_leg_motion *motion);

TC_END

#endif
