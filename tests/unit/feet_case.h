/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A small plant for the tests and the bench of the estimator of all feet: a base that is led along
 * sines in space and turns about an oblique axis, limbs whose joints are held by springs and step in
 * turn, over a hard floor with Coulomb friction. Feet land, stick, are dragged until they slip, and
 * lift off.
 */
#ifndef FEET_CASE_H
#define FEET_CASE_H

#include "tinycontact.h"

#define FEET_CASE_SUBSTEPS 4u

typedef struct feet_case {
    tc_robot robot;
    tc_robot_limb limb[TC_ROBOT_LIMBS];
    tc_robot_link links[TC_ROBOT_LIMBS][TC_ROBOT_JOINTS];
    tc_real home[TC_ROBOT_JOINTS]; /* where the joints' springs pull to [rad] */
    tc_real q[TC_ROBOT_LIMBS][TC_ROBOT_JOINTS], w[TC_ROBOT_LIMBS][TC_ROBOT_JOINTS];
    tc_real stiffness, damping; /* of the joints [N m/rad, N m s/rad] */
    tc_real lift, lift_rate;  /* a limb's spring pulls its foot up: part of the bend [1], [rad/s] */
    tc_real height;           /* of the base's origin at the start [m] */
    tc_real sway[3], rate[3]; /* amplitude [m] and rate [rad/s] of the base's place */
    tc_real tilt, tilt_rate;  /* the same of its angle about `axis` [rad] */
    tc_real axis[3];
    tc_real slope[2]; /* of the floor along x and y: its height is slope . (x, y) */
    tc_real friction;
    tc_real gain[TC_ROBOT_JOINTS]; /* readings of the torque sensors over what is true */
    tc_real noise;                 /* of all sensors, 1: as a robot has them, 0: none, nor
                                    * quantisation */
    tc_real step;                  /* [s] */
    uint32_t random;               /* of the noise, not 0 */
    uint32_t tick;
    /* truth of the last tick */
    tc_real impulse[TC_ROBOT_LIMBS][3]; /* world axes [N s] */
    tc_real slip[TC_ROBOT_LIMBS][3];    /* [m/s] */
    uint32_t mode[TC_ROBOT_LIMBS];      /* 0 air, 1 static, 2 dynamic: faster than 0.05 m/s */
    tc_real velocity[3];                /* of the IMU [m/s] */
} feet_case;

/* A robot of `limbs` limbs of `joints` revolute links about x, y, y, x, y, y, x, 0.4 to 0.5 m long, that hang
 * bent at the corners of a base, a centimetre over the floor z = 0. Its IMU is off the base's origin
 * and turned. */
void feet_case_init(feet_case *c, uint32_t limbs, uint32_t joints);

/* One tick of the plant, and what its sensors read */
void feet_case_tick(feet_case *c, tc_feet_sensors *sensors);

#endif
