/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contents of the frames of a robot with several limbs (tc_wire.h): its sensors, and the estimate
 * of all its feet.
 *
 * Both frames have as many limbs and joints as the robot: a quadruped with three joints a leg takes
 * 148 bytes to the board and 304 back. Real numbers are float in every build. Units are SI; axes
 * and signs are those of tc_feet.h.
 */
#ifndef TC_WIRE_ROBOT_H
#define TC_WIRE_ROBOT_H

#include "tc_wire.h"

TC_BEGIN

#define TC_WIRE_LIMBS 4u       /* limbs of a robot */
#define TC_WIRE_LIMB_JOINTS 7u /* joints of a limb */

/* The sensors of one tick of a robot. Optional ones that are not given are not in the frame, and 0
 * after tc_wire_get_robot. Answered by FEET, or by NAK. */
typedef struct tc_wire_robot {
    uint32_t tick;    /* number of the tick; above the last one + 1: ticks were lost; not above the
                       * last one: the board does not process it again */
    uint32_t limbs;   /* 1..TC_WIRE_LIMBS */
    uint32_t given;   /* bits TC_FEET_ATTITUDE, TC_FEET_BASE_VELOCITY, TC_FEET_STEP */
    uint32_t silent;  /* bit 1 << limb: its encoders and torques did not arrive in this tick */
    uint32_t touched; /* bit 1 << limb: its touch sensor is given */
    uint32_t joints[TC_WIRE_LIMBS];  /* of each limb; 1..TC_WIRE_LIMB_JOINTS; 0 beyond `limbs` */
    float gyro[3];                   /* turn rate, IMU axes [rad/s] */
    float accel[3];                  /* specific force, IMU axes [m/s^2] */
    float attitude[4];               /* unit quaternion w, x, y, z from IMU axes to world axes */
    float base_velocity[3];          /* velocity of the IMU, world axes [m/s] */
    float base_velocity_variance[3]; /* its variances [m^2/s^2] */
    float step;                      /* measured length of the tick [s] */
    float touch[TC_WIRE_LIMBS];      /* touch sensors; 0..1; in the frame unless `touched` is 0 */
    float encoder[TC_WIRE_LIMBS][TC_WIRE_LIMB_JOINTS]; /* joint coordinates [rad] or [m]; 0 beyond
                                                        * the joints of a limb */
    float torque[TC_WIRE_LIMBS][TC_WIRE_LIMB_JOINTS];  /* joint torques [N m] or forces [N]; 0
                                                        * beyond the joints of a limb */
} tc_wire_robot;

/* Estimate of one foot. */
typedef struct tc_wire_foot {
    uint32_t contact;          /* 1: the foot is in contact; 0: not */
    uint32_t flags;            /* bits TC_FEET_... */
    float p[3];                /* probabilities of air, sticks, slips [1] */
    float impulse[3];          /* contact impulse of the tick, world axes [N s] */
    float impulse_variance[3]; /* its variance [N^2 s^2] */
    float slip[2];             /* velocity of the contact point, world x and y [m/s] */
    float slip_variance;       /* variance of each [m^2/s^2] */
    float friction;            /* coefficient of friction [1] */
    float since;               /* time since touch-down; in the air minus the time since lift-off
                                * [s] */
} tc_wire_foot;

/* Estimate of one tick of a robot (tc_feet_estimate). */
typedef struct tc_wire_feet {
    uint32_t tick;     /* tick of the ROBOT that it answers */
    int32_t status;    /* tc_status of the update; negative: the fields below are the previous
                     * estimate, flagged stale */
    uint32_t flags;    /* bits TC_FEET_... */
    uint32_t limbs;    /* 1..TC_WIRE_LIMBS */
    float velocity[3]; /* of the IMU, world axes [m/s] */
    float velocity_variance[2];       /* of x and of y each; of z [m^2/s^2] */
    float height;                     /* of the IMU over its place at the start [m] */
    float slope[2];                   /* of the floor along x and y [1] */
    tc_wire_foot foot[TC_WIRE_LIMBS]; /* of each limb; 0 beyond `limbs` */
} tc_wire_feet;

/* Encodes message m as the frame e->frame.
 * Returns the length of the frame [bytes]; 0 if a count in m is not allowed.
 * On error: no number is used up.
 * Cost: about 25 instructions per field, and tc_wire_encode. */
uint32_t tc_wire_put_robot(tc_wire_encoder *e, const tc_wire_robot *m);
uint32_t tc_wire_put_feet(tc_wire_encoder *e, const tc_wire_feet *m);

/* Decodes message m from frame f, whose type must be that of the function. NaN and infinity pass;
 * tc_feet_update checks.
 * Returns:
 *   TC_OK         done.
 *   TC_ERR_SIZE   the length of f is not that of the message.
 *   TC_ERR_RANGE  a count or a reserved byte has a value that is not allowed.
 * On error: m is zero.
 * Cost: about 25 instructions per field. */
tc_status tc_wire_get_robot(const tc_wire_frame *f, tc_wire_robot *m);
tc_status tc_wire_get_feet(const tc_wire_frame *f, tc_wire_feet *m);

TC_END

#endif
