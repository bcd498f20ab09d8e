/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A small plant for the tests and the bench of the estimator: a leg under a base that is led along
 * sines, its joints held by springs, over a hard floor with Coulomb friction. It lands, sticks, is
 * dragged until it slips, and lifts off.
 */
#ifndef LEG_CASE_H
#define LEG_CASE_H

#include "tinycontact.h"

#define LEG_CASE_SUBSTEPS 4u

typedef struct leg_case {
    tc_leg leg;
    tc_leg_link links[TC_LEG_JOINTS];
    tc_real home[TC_LEG_JOINTS]; /* where the joints' springs pull to [rad] */
    tc_real q[TC_LEG_JOINTS], qd[TC_LEG_JOINTS];
    tc_real stiffness, damping;    /* of the joints [N m/rad, N m s/rad] */
    tc_real height, bob, bob_rate; /* base: mean height [m], amplitude [m] and rate [rad/s] of its
                                    * sine */
    tc_real sway, sway_rate;       /* the same along the floor */
    tc_real tilt, tilt_rate;       /* the same of the angle [rad] */
    tc_real friction;
    tc_real gain[TC_LEG_JOINTS]; /* what the torque sensors say over what is true */
    tc_real noise;               /* of all sensors, 1: as a leg has them, 0: none, nor
                                  * quantisation */
    tc_real step;                /* [s] */
    tc_real side;                /* -1 mirrored: then so is the noise */
    uint32_t random;             /* of the noise, not 0 */
    uint32_t tick;
    /* truth of the last tick */
    tc_real impulse[2]; /* [N s] */
    tc_real slip;       /* [m/s] */
    uint32_t mode;      /* 0 air, 1 static, 2 dynamic: faster than 0.05 m/s */
} leg_case;

/* A leg of `joints` equal revolute links of 0.2 m, bent alternately, its foot hanging a centimetre
 * over the floor y = 0 at the base's mean height; root TC_LEG_RAIL or TC_LEG_FLOATING. */
void leg_case_init(leg_case *c, uint32_t joints, uint32_t root);

/* Mirrors x: angles and torques change their sign. */
void leg_case_mirror(leg_case *c);

/* One tick of the plant, and what its sensors say of it */
void leg_case_tick(leg_case *c, tc_estimator_sensors *sensors);

#endif
