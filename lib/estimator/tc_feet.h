/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact estimator of all feet of a robot: 1 to 4 serial limbs of 1 to 7 joints in space on
 * one base with an IMU. Each tick it computes for each foot the probabilities of air, sticking and
 * slipping, the contact's impulse with its variance, and the slip. Friction and the time since
 * touch-down go with it. For the robot it computes the base's velocity and height and the floor's
 * slope. Its inputs are encoders, joint torques and the IMU.
 *
 *     static tc_real state[TC_FEET_STATE(4)], work[TC_FEET_WORK];
 *     tc_feet_sensing sensing = tc_feet_sensing_default();      then change what differs
 *     static tc_feet_config config;
 *     static tc_feet feet;
 *     tc_status s = tc_feet_default_for(&robot, 0.001f, &sensing, &config);
 *     s = tc_feet_init(&feet, &config, &robot, &sensors, state, TC_COUNT(state));
 *     ...each tick:
 *     s = tc_feet_update(&feet, &sensors, &estimate, work, TC_COUNT(work));
 *
 * The method is an interacting-multiple-model filter with four hypotheses per foot: air, stick,
 * slip and free impact, a force without a constraint. A hypothesis is the displacement and velocity
 * of the contact point, so that its cost does not depend on the number of joints. All feet share
 * one base, whose velocity and height the feet in contact correct. The file tc_feet_bank.c derives
 * the filter. The header tc_estimator.h has the estimator of one planar leg.
 *
 * Axes: world axes as the attitude has them, z up; base and IMU axes as in tc_robot.h.
 *
 * Cost: no loop depends on values. The caller owns all memory, and instances share nothing.
 */
#ifndef TC_FEET_H
#define TC_FEET_H

#include "tc_robot.h"

TC_BEGIN

/* ---- Sensors --------------------------------------------------------------------------------- */

/* Optional sensors that are valid: bits of tc_feet_sensors.given. */
#define TC_FEET_ATTITUDE 1u
#define TC_FEET_BASE_VELOCITY 2u
#define TC_FEET_STEP 4u
#define TC_FEET_TOUCH(limb) (16u << (limb)) /* of limb 0..3 */

/* Sensors of one tick. Rows: limbs; columns: joints, base first; what the robot does not have is
 * not read. */
typedef struct tc_feet_sensors {
    tc_real encoder[TC_ROBOT_LIMBS][TC_ROBOT_JOINTS]; /* joint coordinates [rad] or [m]; magnitude
                                                       * at most 1e4 */
    tc_real torque[TC_ROBOT_LIMBS][TC_ROBOT_JOINTS];  /* of the motor on the link, mean over the
                                                       * tick that ends now [N m] or [N] */
    tc_real gyro[3];                                  /* turn rate of the base, IMU axes [rad/s] */
    tc_real accel[3];                  /* specific force, IMU axes, mean over the tick [m/s^2] */
    tc_real attitude[4];               /* unit quaternion w, x, y, z from IMU axes to world axes, if
                                        * given; else the filter integrates the gyro and levels the
                                        * result */
    tc_real base_velocity[3];          /* velocity of the IMU, world axes [m/s], if given */
    tc_real base_velocity_variance[3]; /* its variances [m^2/s^2], if given; above 0 */
    tc_real touch[TC_ROBOT_LIMBS];     /* touch sensor, 0 (air) to 1 (contact), if given */
    tc_real step;                      /* measured length of this tick [s], if given; 1e-5..0.1 */
    uint32_t given;                    /* bits TC_FEET_... */
    uint32_t lost[TC_ROBOT_LIMBS];     /* ticks for which encoders and torques of the limb are
                                        * missing, this one included; 0: they are of this tick. A
                                        * lost limb's encoders and torques are not read */
} tc_feet_sensors;

/* ---- Estimates ------------------------------------------------------------------------------- */

/* Flags of a foot and of the robot. */
#define TC_FEET_STALE 1u /* no sensors of the limb for too long: p is a guess */
#define TC_FEET_LOST 2u  /* sensors of the limb are missing in this tick */
/* a sensor is at the end of its range, or is frozen (config.frozen), or an encoder reads what no
 * motion explains */
#define TC_FEET_SATURATED 4u
/* the encoders' noise is more than three times that of the configuration, or the limb has no
 * torques */
#define TC_FEET_DEGRADED 8u
#define TC_FEET_RESTARTED 16u /* the numbers were not finite: the filter began again */
#define TC_FEET_STOP 64u /* a joint is at a stop or close to one: its force is taken for contact */
/* the limb is close to a singular pose: errors of torques are large forces */
#define TC_FEET_SINGULAR 128u
#define TC_FEET_DOUBTED 32u /* the base's velocity is doubted: feet slip without friction */

/* Estimate of one foot. */
typedef struct tc_feet_foot {
    tc_real p[3];                /* probabilities of air, sticks, slips [1]; their sum is 1 */
    tc_real impulse[3];          /* of the floor on the foot in this tick, world axes [N s] */
    tc_real impulse_variance[3]; /* its variance, the torques' gain error included [N^2 s^2] */
    tc_real slip[2];             /* velocity of the contact point, world x and y [m/s] */
    tc_real slip_variance;       /* variance of each [m^2/s^2] */
    tc_real friction;            /* coefficient of friction, identified while the foot slips [1] */
    tc_real since;               /* time since touch-down; in the air minus the time since lift-off
                                  * [s] */
    uint32_t contact;            /* 1 from p(contact) > config.on until p(contact) < config.off */
    uint32_t flags;              /* bits TC_FEET_... */
} tc_feet_foot;

/* Estimate of one tick. */
typedef struct tc_feet_estimate {
    tc_feet_foot foot[TC_ROBOT_LIMBS]; /* zero beyond the robot's limbs */
    tc_real velocity[3];               /* of the IMU, world axes [m/s] */
    tc_real velocity_variance[2];      /* of x and of y each; of z [m^2/s^2] */
    tc_real height;                    /* of the IMU over its place at the start [m] */
    tc_real slope[2];                  /* of the floor along world x and y [1] */
    uint32_t flags;                    /* those of all feet, and those of the base */
} tc_feet_estimate;

/* ---- Configuration --------------------------------------------------------------------------- */

/* Accuracy of a robot's sensors. tc_feet_default_for scales a configuration by it. */
typedef struct tc_feet_sensing {
    tc_real encoder_counts; /* resolution: steps per turn of a joint (2^bits times the gear ratio),
                             * per metre for a prismatic one; 1..1e9; 65536 */
    tc_real encoder_noise;  /* standard deviation of a reading, without its rounding [rad] or [m];
                             * 0..1; 0: below a third of a step */
    tc_real torque_noise;   /* standard deviation of a torque, the joint's dry friction included
                             * [N m] or [N]; 0..1e9; 0: as tuned, in proportion to the limb */
    tc_real torque_gain;    /* standard deviation of a torque's gain [1]; 0..1; 0.05 */
    tc_real accel_noise;    /* standard deviation of the accelerometer's mean over 1 ms [m/s^2]; >
                             * 0; 0.06. From a noise density [m/s^2 per root Hz]: times 22.4 */
    tc_real torque_limit, gyro_limit, accel_limit; /* ends of the sensors' ranges [N m] or [N],
                                                    * [rad/s], [m/s^2]; > 0; 1e3, 35, 160 */
} tc_feet_sensing;

/* Returns the sensing of the simulated robots of tools/tinycontact/robots. */
tc_feet_sensing tc_feet_sensing_default(void);

/* Configuration. The form of a field: quantity [unit]; range, 1e-9..1e6 if omitted; default for a
 * quadruped of 12 kg at 1 kHz; effect of a higher value. A standard deviation describes an error
 * that the filter assumes. */
typedef struct tc_feet_config {
    tc_real step; /* tick [s]; 1e-5..0.1; 0.001 */
    /* sensors */
    tc_real encoder_step[TC_ROBOT_LIMBS][TC_ROBOT_JOINTS]; /* resolution of the encoders [rad] or
                                                            * [m]; 1e-9..1; 2 pi / 2^16. The filter
                                                            * takes the observed noise if that is
                                                            * larger; higher: positions count
                                                            * less */
    tc_real torque_noise[TC_ROBOT_LIMBS][TC_ROBOT_JOINTS]; /* standard deviation of a torque: noise
                                                            * and dry friction [N m] or [N]; 0.1;
                                                            * higher: torques count less */
    tc_real encoder_scale; /* factor on the encoders' variance [1]; 1.6; higher: positions count
                                  * less */
    tc_real torque_part; /* standard deviation of a torque's error as a part of the torque, besides
                          * its gain [1]; 0..100; 0.07; higher: large torques count less */
    tc_real torque_gain; /* standard deviation of a torque's gain before identification [1];
                                  * 0..100; 0.05; 0: gains are not identified; higher: gains are
                                  * identified faster, with more noise */
    tc_real bias_part;   /* standard deviation of the modelled forces' error as a part of
                                  * them [1]; 0..100; 0.7; higher: the model of the limb counts
                                  * less */
    tc_real lost_scale;  /* factor on the deviation of torques in lost ticks [1]; 15;
                                  * higher: the first tick after a loss counts less */
    tc_real accel_noise; /* standard deviation of the accelerometer in one tick, tilt
                                  * included [m/s^2]; 0.1; higher: the base's velocity follows
                                  * contacts more */
    tc_real accel_drift; /* random walk of its bias [m/s^2 per root of a second]; 0..100;
                                  * 0.1; higher: the bias follows faster, with more noise */
    tc_real touch_reliability; /* probability that a touch sensor is right [1]; 0.5..0.9999; 0.9;
                                  * higher: it decides sooner */
    tc_real levelling;         /* time constant in which an integrated attitude follows the
                                  * accelerometer [s]; 5; higher: less disturbance, more drift */
    tc_real torque_limit, gyro_limit, accel_limit; /* ends of the sensors' ranges [N m] or [N],
                                                    * [rad/s], [m/s^2]; 1e3, 35, 160; at an end the
                                                    * flag is TC_FEET_SATURATED */
    uint32_t frozen;     /* threshold for a frozen accelerometer or gyro: equal readings in
                                  * as many ticks; 8; 0: never. Encoders and torques: 12 times as
                                  * many ticks in which the limb moves; higher: later flags, fewer
                                  * false ones */
    uint32_t torqueless; /* limbs without torques: bits 1 << limb; 0. Their feet have the
                                  * flag TC_FEET_DEGRADED */
    tc_real torque_unknown[TC_ROBOT_LIMBS]; /* standard deviation of the joint torques of a limb
                                             * without torques [N m] or [N]; 10 */
    tc_real
        stop_margin;  /* distance from a joint's stop below which the flag is TC_FEET_STOP and its
                          * torque counts little [rad] or [m]; 0..100; 0.03 */
    tc_real singular; /* smallest singular value of J over all of them together, below which the
                          * flag is TC_FEET_SINGULAR [1]; 0..1; 0.03 */
    /* hypotheses */
    tc_real force;            /* process noise: standard deviation of the contact force per tick
                                  * [N]; 220; higher: contacts are believed sooner, with more false
                                  * ones */
    tc_real free_force;       /* the same of the free impact [N]; 300 */
    tc_real normal_speed;     /* standard deviation of the velocity along z of a foot in contact
                                  * [m/s]; 0.15; higher: lift-offs are seen later */
    tc_real stick_speed;      /* standard deviation of the slip of a sticking foot along x and y
                                  * [m/s]; 0.023; higher: slow slip counts as sticking */
    tc_real slide_part;       /* standard deviation of a sliding foot's velocity along z as a
                                  * part of its slip [1]; 0..100; 0.3; higher: slopes matter less */
    tc_real friction;         /* coefficient of friction that slip assumes [1]; 0..100; 0.6 */
    tc_real floor_spread;     /* standard deviation of the floor's height against the last one
                                  * [m]; 0.008; higher: touch-downs are expected over a wider range
                                  * of heights */
    tc_real touch_down_least; /* minimum probability of a touch-down per tick, at any height [1];
                                  * 1e-12..0.5; 1e-4; higher: unexpected contacts are believed
                                  * sooner, with more false ones */
    tc_real land_free;        /* probability that a touch-down begins with free impact [1];
                                  * 1e-12..0.5; 0.3 */
    tc_real lift_off;         /* probability of a lift-off per tick under load [1]; 1e-12..0.5;
                                  * 0.002; higher: contacts end sooner, with more false ends */
    tc_real lift_off_light;   /* the same at a small normal force [1]; 1e-12..0.5; 0.03 */
    tc_real lift_off_rising;  /* the same of a foot that is above the floor and rises [1];
                                  * 1e-12..0.5; 0.2 */
    tc_real light;            /* threshold of a small normal force [N]; 12; higher: lift_off_light
                                  * applies sooner */
    tc_real rise;             /* threshold of the height above the floor [m]; 0..100; 0.002;
                                  * higher: lift_off_rising applies later */
    tc_real keep;             /* probability that sticking or slip lasts for a tick [1];
                                  * 0..0.9999; 0.95; higher: fewer changes between them, later
                                  * ones */
    tc_real distrust;         /* limit on the difference of two log likelihoods in one tick [1];
                                  * 14; higher: a single tick may decide more */
    tc_real on, off;          /* thresholds of p(contact): `contact` begins above `on`, ends
                                  * below `off` [1]; off <= on, 0..1; 0.8, 0.24; higher: later
                                  * touch-downs, earlier lift-offs */
    tc_real rest;             /* part of the encoders' deviation that no contact causes, taken up
                                  * per tick [1]; 1e-9..1; 0.3; higher: less drift, more noise */
    tc_real force_rate;       /* bandwidth of the filtered contact force [1/s]; 40; higher: less
                                  * delay, more noise */
    /* base */
    tc_real odometry;   /* standard deviation of a sticking foot's velocity along x and y
                                  * [m/s]; 0.06; higher: contacts correct the base less */
    tc_real foot_speed; /* the same along z, of a foot in contact [m/s]; 0.1 */
    tc_real settle; /* time in which a foot that landed comes to rest [s]; 0..100; 0.005; higher:
                     * young contacts correct the base's velocity less */
    tc_real foot_height; /* standard deviation of the contact foot's height over its floor
                                  * [m]; 0.003; higher: contacts correct the base's height less */
    tc_real doubt;       /* least standard deviation of the base's velocity where it is doubted
                                  * [m/s]; 0..100; 0.3 */
    tc_real opposes;     /* least coefficient of friction of feet that really slide [1];
                                  * 0..100; 0.05; higher: the base is doubted sooner */
    tc_real slope_rate;  /* bandwidth of the floor's slope [1/s]; 0..1e3; 3 */
    tc_real stance;      /* spread of footholds below which the slope is not learned [m];
                                  * 0.03 */
} tc_feet_config;

/* Returns the configuration tuned for a quadruped of 12 kg (16-bit encoders, 1 kHz). */
tc_feet_config tc_feet_default(void);

/* Scales tc_feet_default() to a robot, tick [s] and sensors: forces with the robot's mass, heights
 * with its limbs' length, torques with both.
 * Returns: the statuses of tc_robot_check, and
 *   TC_ERR_NULL   a pointer is NULL.
 *   TC_ERR_RANGE  the tick is not in 1e-5..0.1, or a number of the sensing is NaN, impossible, or
 *                 leads to a configuration that tc_feet_init refuses.
 * On error: config is zero. */
tc_status tc_feet_default_for(const tc_robot *robot, tc_real tick, const tc_feet_sensing *sensing,
                              tc_feet_config *config);

/* ---- The estimator --------------------------------------------------------------------------- */

#define TC_FEET_MODES 4u /* air, stick, slip, free impact */

/* Length of one hypothesis: displacement and velocity of the contact point, and the upper triangle
 * of their covariance. */
#define TC_FEET_HYPOTHESIS 27u

/* Lengths: the state kept between ticks for a number of limbs, and the workspace of a call. */
#define TC_FEET_LIMB (TC_FEET_MODES * (TC_FEET_HYPOTHESIS + 1u) + 10u * TC_ROBOT_JOINTS + 24u)
#define TC_FEET_STATE(limbs) ((limbs) * TC_FEET_LIMB)
#define TC_FEET_WORK 240u

/* An estimator. The caller may read the fields and must not write them. */
typedef struct tc_feet {
    const tc_feet_config *config;   /* as given to tc_feet_init */
    const tc_robot *robot;          /* as given to tc_feet_init */
    tc_real *state;                 /* [TC_FEET_STATE(limbs)] the hypotheses and the sensors'
                                    * history */
    tc_real attitude[4];            /* of the IMU, as in the sensors */
    tc_real velocity[2], bias[2];   /* of the IMU along x and y [m/s]; bias of the accelerometer
                                    * [m/s^2] */
    tc_real velocity_covariance[3]; /* of velocity and bias along either: upper triangle by rows */
    tc_real vertical[3];            /* height [m], velocity [m/s], bias [m/s^2] along z */
    tc_real vertical_covariance[6]; /* upper triangle by rows */
    tc_real place[2];               /* of the IMU along x and y by integration [m] */
    tc_real slope[2];               /* of the floor along x and y [1] */
    tc_real noise;                  /* deviation of the encoders over that of their rounding [1] */
    tc_real gyro[3], accel[3];      /* of the last tick, IMU axes [rad/s], [m/s^2] */
    tc_real opposed;                /* filtered friction of feet that all seem to slip [1] */
    uint32_t doubted;               /* ticks for which the base is not doubted again */
    uint32_t alike;                 /* ticks in a row in which all feet seem to slip as one */
    uint32_t ticks;                 /* since the start, at most 100 */
    uint32_t begun;                 /* limbs whose floor is known: bits 1 << limb */
    uint32_t still[2];              /* ticks of equal accelerations, of equal turn rates */
    uint32_t contact[TC_ROBOT_LIMBS];                    /* as in the estimate */
    uint32_t seen[TC_ROBOT_LIMBS];                       /* ticks without a loss, at most 3 */
    uint32_t missing[TC_ROBOT_LIMBS];                    /* `lost` of the last tick */
    uint32_t jumps[TC_ROBOT_LIMBS];                      /* inexplicable readings in a row */
    uint16_t same[TC_ROBOT_LIMBS][2u * TC_ROBOT_JOINTS]; /* ticks with equal readings while the limb
                                                          * moved: encoders, torques */
} tc_feet;

/* Starts an estimator at the sensors `first`, at rest, in the air or on the floor. The caller keeps
 * config, robot and state[TC_FEET_STATE(robot->limbs)] as long as f.
 * Returns: the statuses of tc_robot_check, and
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_RANGE       a number of config or of first is out of its range, or a limb is lost.
 *   TC_ERR_WORK        state_len is below TC_FEET_STATE(limbs).
 *   TC_ERR_ALIGN       state is misaligned.
 *   TC_ERR_UNIT        the attitude is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_NOT_FINITE  a sensor is NaN or infinite.
 * On error: f is zero. */
tc_status tc_feet_init(tc_feet *f, const tc_feet_config *config, const tc_robot *robot,
                       const tc_feet_sensors *first, tc_real *state, size_t state_len);

/* Advances the estimator by one tick.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_WORK        work_len is below TC_FEET_WORK.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_UNIT        the attitude is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_NOT_FINITE  a sensor is NaN or infinite.
 *   TC_ERR_RANGE       an encoder is beyond 1e4, a touch sensor not in 0..1, the base's velocity
 *                      beyond 1e3, its variance not above 0, the step not in 1e-5..0.1, or another
 *                      sensor beyond 1e3 times its range.
 * On error: f is unchanged and the estimate zero, p included, which no valid estimate is. If only
 * one limb's sensors are bad, the caller may call again with that limb lost.
 * Cost: see above; work of TC_FEET_WORK. */
tc_status tc_feet_update(tc_feet *f, const tc_feet_sensors *sensors, tc_feet_estimate *estimate,
                         tc_real *work, size_t work_len);

TC_END

#endif
