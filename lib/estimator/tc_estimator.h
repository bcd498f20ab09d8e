/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact estimator of a leg. Each tick it computes the probabilities of air, sticking and
 * slipping, the contact's impulse and slip with variances, and the time since touch-down. Its
 * inputs are encoders, joint torques and an IMU.
 *
 *     static tc_real state[TC_ESTIMATOR_STATE(2)], work[TC_ESTIMATOR_WORK(2, 0)];
 *     tc_leg_sensing sensing = tc_leg_sensing_default();      then change what differs
 *     tc_estimator_config config;
 *     tc_estimator e;
 *     tc_status s = tc_estimator_default_for(&leg, 0.001f, &sensing, &config);
 *     s = tc_estimator_init(&e, &config, &leg, NULL, &sensors, state, TC_COUNT(state));
 *     ...each tick:
 *     s = tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work));
 *
 * The method is an interacting-multiple-model filter with five hypotheses: air, stick, slip to
 * either side, and free impact. Free impact is a force without a constraint. The file
 * tc_estimator.c derives the filter. The IMU measures the base, so the filter needs neither its
 * mass nor its forces. The filter identifies floor height, friction, torque gains, the noise of
 * encoders and torques, and slow errors of the sensors.
 *
 * Axes are those of tc_leg.h: x along the floor, y up, angles counter-clockwise.
 *
 * Ground: tc_estimator_stand_on puts the leg on a terrain, with the same update. Impulse and slip
 * of an estimate are then along the ground's tangent and normal below the foot.
 *
 * Cost: no loop depends on values; O(n^3) in the joints; 1.2 KB of stack. The caller owns all
 * memory, and instances share nothing.
 */
#ifndef TC_ESTIMATOR_H
#define TC_ESTIMATOR_H

#include "tc_ground.h"
#include "tc_leg.h"

TC_BEGIN

/* ---- Sensors --------------------------------------------------------------------------------- */

/* Optional sensors that are valid: bits of tc_estimator_sensors.given. */
#define TC_GIVEN_PITCH 1u
#define TC_GIVEN_BASE_VELOCITY 2u
#define TC_GIVEN_TOUCH 4u
#define TC_GIVEN_PLACE 64u

/* Sensors of one tick. */
typedef struct tc_estimator_sensors {
    tc_real encoder[TC_LEG_JOINTS]; /* joint coordinates [rad] or [m]; magnitude at most 1e4 */
    tc_real torque[TC_LEG_JOINTS];  /* of the motor on the link, mean over the tick that ends now
                                     * [N m] or [N] */
    tc_real gyro;                   /* turn rate of the base, counter-clockwise [rad/s] */
    tc_real accel[2];               /* specific force, base axes, mean over the tick [m/s^2]; (0,
                                     * g) at rest */
    tc_real pitch;                  /* angle of the base [rad], if given; else the filter
                                     * integrates the gyro and levels the result */
    tc_real base_velocity;          /* velocity of the base along the floor, world [m/s], if
                                     * given; without it steady slip looks like sticking */
    tc_real touch;                  /* touch sensor, 0 (air) to 1 (contact), if given */
    tc_real place;                  /* position of the base along x on the ground of
                                     * tc_estimator_stand_on [m], if given; else integrated */
    uint32_t given;                 /* bits TC_GIVEN_... */
    uint32_t lost;                  /* ticks without sensors before this one */
} tc_estimator_sensors;

/* ---- Estimates ------------------------------------------------------------------------------- */

/* Flags of an estimate. */
/* no sensors for too long; the caller that repeats an estimate sets it */
#define TC_ESTIMATE_STALE 1u
#define TC_ESTIMATE_LOST 2u /* ticks were lost before this one */
/* a sensor is at the end of its range, or is frozen (config.frozen) */
#define TC_ESTIMATE_SATURATED 4u
/* the encoders' noise is more than three times that of the configuration */
#define TC_ESTIMATE_DEGRADED 8u

/* Estimate of one tick. */
typedef struct tc_estimator_estimate {
    tc_real p[3];                /* probabilities of air, sticks, slips [1]; their sum is 1 */
    tc_real impulse[2];          /* impulse of the floor on the foot in this tick, x and y [N s] */
    tc_real impulse_variance[2]; /* its variance, the torques' gain error included [N^2 s^2] */
    tc_real slip;                /* velocity of the contact point along the floor [m/s] */
    tc_real slip_variance;       /* its variance [m^2/s^2] */
    tc_real since;               /* time since touch-down; in the air minus the time since
                                  * lift-off [s] */
    uint32_t contact;            /* 1 from p(contact) > config.on until p(contact) < config.off */
    uint32_t flags;              /* bits TC_ESTIMATE_... */
} tc_estimator_estimate;

/* ---- Configuration --------------------------------------------------------------------------- */

/* Configuration. The form of a field: quantity [unit]; range, 1e-9..1e6 if omitted; default; effect
 * of a higher value. A standard deviation describes an error that the filter assumes. */
typedef struct tc_estimator_config {
    tc_real step; /* tick [s]; 1e-5..0.1; 0.001 */
    /* sensors */
    tc_real encoder_step[TC_LEG_JOINTS];           /* resolution of the encoders [rad] or [m];
                                                    * 1e-9..1; 2 pi / 2^16. The filter takes the
                                                    * observed noise if that is larger; higher:
                                                    * positions count less */
    tc_real torque_noise[TC_LEG_JOINTS];           /* standard deviation of a torque: noise and
                                                    * dry friction [N m] or [N]; 0.049. The
                                                    * filter takes the observed one if that is
                                                    * larger; higher: torques count less */
    tc_real torque_part;                           /* standard deviation of a torque's error as a
                                                    * part of the torque, besides its gain [1];
                                                    * 0..100; 0.05; higher: large torques count
                                                    * less */
    tc_real torque_gain;                           /* standard deviation of a torque's gain
                                                    * before identification [1]; 0..100; 0.03;
                                                    * higher: gains are identified faster, with
                                                    * more noise */
    tc_real bias_part;                             /* standard deviation of the modelled forces'
                                                    * error as a part of them [1]; 0..100; 0.15;
                                                    * higher: the model of the leg counts less */
    tc_real lost_scale;                            /* factor on the deviations of torques and
                                                    * modelled forces after lost ticks [1]; 15;
                                                    * higher: the first tick after a loss counts
                                                    * less */
    tc_real gyro_noise;                            /* standard deviation of the gyro [rad/s];
                                                    * 0..100; 0.003; checked and stored, without
                                                    * effect on the filter */
    tc_real accel_noise;                           /* standard deviation of the accelerometer in
                                                    * one tick [m/s^2]; 0.38; higher: the base's
                                                    * velocity follows contacts more */
    tc_real accel_bias;                            /* initial standard deviation of the
                                                    * accelerometer's bias, tilt times g included
                                                    * [m/s^2]; 0.15; higher: the bias is
                                                    * identified faster */
    tc_real accel_drift;                           /* random walk of that bias [m/s^2 per root of
                                                    * a second]; 0..100; 0.0056; higher: the bias
                                                    * follows faster, with more noise */
    tc_real base_velocity_noise;                   /* standard deviation of
                                                    * tc_estimator_sensors.base_velocity [m/s];
                                                    * 0.02; higher: it counts less */
    tc_real touch_reliability;                     /* probability that the touch sensor is right
                                                    * [1]; 0.5..0.9999; 0.9; higher: it decides
                                                    * sooner */
    tc_real levelling;                             /* time constant in which an integrated pitch
                                                    * follows the accelerometer [s]; 5; higher:
                                                    * less disturbance, more drift */
    tc_real torque_limit, gyro_limit, accel_limit; /* ends of the sensors' ranges [N m] or [N],
                                                    * [rad/s], [m/s^2]; 1e3, 35, 160; at an end
                                                    * the flag is TC_ESTIMATE_SATURATED */
    uint32_t frozen;                               /* threshold for a frozen accelerometer: equal
                                                    * readings in as many ticks; 8; 0: never.
                                                    * Other sensors: 12 times as many ticks in
                                                    * which the leg moves; gyro, pitch and base
                                                    * velocity only for a floating base; higher:
                                                    * later flags, fewer false ones */
    /* hypotheses */
    tc_real force;                 /* process noise: standard deviation of the contact force per
                                    * tick [N]; 170; higher: contacts are believed sooner, with
                                    * more false ones */
    tc_real stick_speed;           /* standard deviation of the slip of a sticking foot [m/s];
                                    * 0.021; higher: slow slip counts as sticking */
    tc_real normal_speed;          /* standard deviation of the velocity along y of a foot in
                                    * contact [m/s]; 0.161; higher: lift-offs are seen later */
    tc_real doubt;                 /* growth of the standard deviation of the base's velocity
                                    * along the floor while a foot slips [m/s per root of a
                                    * second]; 0..100; 0.12. Higher: the filter returns sooner
                                    * from slip that a wrong velocity simulates */
    tc_real start_speed;           /* standard deviation of the base's velocity along the floor
                                    * at the start [m/s]; 0..100; 0.3; higher: the first
                                    * contacts count more */
    tc_real friction_least;        /* minimum of the identified coefficient of friction [1];
                                    * 0..100; 0.26; higher: floors of lower friction are
                                    * modelled with too much friction */
    tc_real friction_width;        /* standard deviation of a contact's friction about the
                                    * identified value [1]; 0..100; 0.23; higher: friction
                                    * separates stick and slip less */
    tc_real friction;              /* coefficient of friction at the start and at each touch-down
                                    * [1]; 0..100; 0.48 */
    tc_real friction_spread;       /* its standard deviation then [1]; 0.096; higher:
                                    * identification is faster, with more noise */
    tc_real touch_down_least;      /* minimum probability of a touch-down per tick, at any height
                                    * [1]; 1e-12..0.5; 5.2e-9; higher: unexpected contacts are
                                    * believed sooner, with more false ones */
    tc_real land_stick, land_free; /* probabilities that a touch-down begins with sticking, with
                                    * free impact [1]; 1e-12..0.5; 0.3, 0.48; else it begins with
                                    * slip */
    tc_real floor_spread;          /* standard deviation of the floor's height against the last
                                    * one [m]; 0.0106; higher: touch-downs are expected over a
                                    * wider range of heights */
    tc_real lift_off;              /* probability of a lift-off per tick under load [1];
                                    * 1e-12..0.5; 0.0029; higher: contacts end sooner, with more
                                    * false ends */
    tc_real lift_off_light;        /* the same at a small normal force [1]; 1e-12..0.5; 0.024 */
    tc_real lift_off_rising;       /* the same of a foot that is above the floor and rises [1];
                                    * 1e-12..0.5; 0.28 */
    tc_real light;                 /* threshold of a small normal force [N]; 0.35; higher:
                                    * lift_off_light applies sooner */
    tc_real rise;                  /* threshold of the height above the floor [m]; 0..100;
                                    * 0.0027; higher: lift_off_rising applies later */
    tc_real keep;                  /* probability that sticking, slip or free impact lasts for a
                                    * tick [1]; 0..0.9999; 0.894; higher: fewer changes between
                                    * them, later ones */
    tc_real distrust;              /* limit on the difference of two log likelihoods in one tick
                                    * [1]; 45; higher: a single tick may decide more */
    tc_real on, off;               /* thresholds of p(contact): `contact` begins above `on`, ends
                                    * below `off` [1]; off <= on, 0..1; 0.579, 0.496; higher:
                                    * later touch-downs, earlier lift-offs */
    tc_real settle, bounce;        /* for `settle` after a touch-down, flights up to `bounce`
                                    * below `rise` do not end `contact` [s]; 0..100; 0.057,
                                    * 0.005; higher: fewer bounces are reported */
    /* base */
    tc_real foot_speed;  /* standard deviation of the contact foot's vertical velocity, for the
                          * base's velocity [m/s]; 1.1; higher: contacts correct the base less */
    tc_real foot_height; /* standard deviation of the contact foot's height over its floor [m];
                          * 0.00059; higher: contacts correct the base's height less */
} tc_estimator_config;

/* Returns the configuration tuned for the legs of tests/hil (16-bit encoders, 1 kHz). */
tc_estimator_config tc_estimator_default(void);

/* Scales tc_estimator_default() to another leg, tick [s] and sensors. For those of tests/hil the
 * result has the same bits. tc_estimator_config.c derives the scaling. Legs of 0.3 to 30 kg, 14 to
 * 20 bits and ticks of 0.5 to 2 ms have the contact right in at least 99.4 % of ticks
 * (tests/hil/README.md). Encoders of 12 bits do not reach that. At 4 and 5 ms a contact is known
 * one to two ticks late; two ticks after a change it is right in 99.9 %.
 * Returns: the statuses of tc_leg_check, and
 *   TC_ERR_NULL   a pointer is NULL.
 *   TC_ERR_RANGE  the tick is not in 1e-5..0.1, or a number of the sensing is NaN, impossible, or
 *                 leads to a configuration that tc_estimator_init refuses.
 * On error: config is zero. */
tc_status tc_estimator_default_for(const tc_leg *leg, tc_real tick, const tc_leg_sensing *sensing,
                                   tc_estimator_config *config);

/* ---- A model of friction --------------------------------------------------------------------- */

/* Question to a friction model: the foot as the end of its leg, W = J M^-1 J^T. */
typedef struct tc_estimator_query {
    tc_real W[3];     /* elements tt, tn, nn of W [1/kg] */
    tc_real free[2];  /* velocity of the contact point at the end of the tick without contact, x
                       * and y [m/s] */
    tc_real angle;    /* angle of the last link, world [rad] */
    tc_real rate;     /* its rate [rad/s] */
    tc_real lever[2]; /* contact point from the last link's centre of mass, world axes [m] */
} tc_estimator_query;

/* Answer of a friction model. */
typedef struct tc_estimator_answer {
    tc_real stick; /* probability that a foot in contact sticks [1]; 0..1 */
    tc_real ratio; /* friction over normal impulse if it slips [1]; 0..10 */
} tc_estimator_answer;

/* A learned or other friction model of the foot and its floor. The estimator calls `ask` once per
 * tick during a contact, from 5 ms after touch-down on. Without a model (NULL) the estimator
 * identifies friction from the contacts alone. A negative status of `ask`, or an answer out of
 * range, counts as no answer in this tick. */
typedef struct tc_estimator_model {
    tc_status (*ask)(const void *context, const tc_estimator_query *query,
                     tc_estimator_answer *answer, tc_real *work);
    const void *context; /* first argument of `ask` */
    uint32_t work_len;   /* length of `work` */
} tc_estimator_model;

/* ---- The estimator --------------------------------------------------------------------------- */

#define TC_ESTIMATOR_MODES 5u /* air, stick, slip to +x, slip to -x, free impact */

/* Length of one hypothesis: the mean of (q, qd) and the upper triangle of its covariance. */
#define TC_ESTIMATOR_HYPOTHESIS(n) (2u * (n) + (n) * (2u * (n) + 1u))

/* Lengths for n joints: the state kept between ticks, and the workspace of a call. `model_work` is
 * the work_len of the friction model, 0 without one. */
#define TC_ESTIMATOR_STATE(n) (TC_ESTIMATOR_MODES * TC_ESTIMATOR_HYPOTHESIS(n) + 8u * (n))
#define TC_ESTIMATOR_WORK(n, model_work)                                                           \
    (TC_ESTIMATOR_HYPOTHESIS(n) + 3u * (n) * (n) + 12u * (n) + (model_work))

/* An estimator. The caller may read the fields and must not write them. */
typedef struct tc_estimator {
    const tc_estimator_config *config; /* as given to tc_estimator_init */
    const tc_leg *leg;                 /* as given to tc_estimator_init */
    const tc_estimator_model *model;   /* as given to tc_estimator_init; NULL: none */
    tc_real *state;                    /* [TC_ESTIMATOR_STATE(joints)] the hypotheses and
                                            * the sensors' history */
    tc_real p[TC_ESTIMATOR_MODES];     /* probabilities of the hypotheses */
    const tc_ground2 *ground;          /* as given to tc_estimator_stand_on; NULL: a flat
                                            * floor of unknown height */
    /* Looks at the ground below a base at x, z that turns with a rate; tc_estimator_stand_on sets
     * it. NULL: a flat floor */
    void (*look)(const struct tc_estimator *e, const tc_real base[3], void *motion, void *below);
    tc_real place;                         /* base: position along the ground's x [m] */
    tc_real vertical[3];                   /* base: height over the last floor, or over the
                                            * ground's origin [m], velocity [m/s], bias
                                            * [m/s^2] */
    tc_real vertical_covariance[6];        /* its covariance: upper triangle by rows */
    tc_real horizontal[2];                 /* base: velocity along x [m/s], bias [m/s^2] */
    tc_real horizontal_covariance[3];      /* its covariance: upper triangle by rows */
    tc_real pitch, gyro;                   /* of the last tick [rad], [rad/s] */
    tc_real accel[2];                      /* accelerometer of the last tick [m/s^2] */
    tc_real base_velocity;                 /* of the last tick [m/s] */
    tc_real force[2];                      /* of the floor on the foot, x and y, filtered [N] */
    tc_real force_change;                  /* rate of force[1], filtered [N/s] */
    tc_real rate[TC_LEG_JOINTS];           /* rates of the joints at the last tick [rad/s] or
                                            * [m/s] */
    tc_real rate_change[TC_LEG_JOINTS];    /* their rates of change, filtered [rad/s^2] or
                                            * [m/s^2] */
    tc_real friction, friction_variance;   /* identified coefficient and its variance [1] */
    tc_real scale[TC_LEG_JOINTS];          /* true torque over the sensor's, identified [1] */
    tc_real scale_variance[TC_LEG_JOINTS]; /* its variance [1] */
    tc_real pushed[TC_LEG_JOINTS], moved[TC_LEG_JOINTS]; /* sums over a window of
                                                          * tc_estimator_gain.c [N m s] or [N s] */
    uint32_t window;                                     /* ticks of that window */
    tc_real since, gone;                    /* as in the estimate; time of improbable contact [s] */
    tc_real settling;                       /* rest of config.settle after a touch-down [s] */
    uint32_t contact;                       /* as in the estimate */
    uint32_t ticks, still, jumps;           /* ticks without a loss, of equal accelerations, of
                                             * inexplicable readings */
    uint16_t same[2u * TC_LEG_JOINTS + 3u]; /* ticks with equal readings while the leg moved:
                                             * encoder and torque of each joint, gyro, pitch,
                                             * base velocity */
} tc_estimator;

/* Starts an estimator at the sensors `first`, at rest, in the air or on the floor. The caller keeps
 * config, leg, model and state[TC_ESTIMATOR_STATE(joints)] as long as e. model: may be NULL.
 * Returns: the statuses of tc_leg_check, and
 *   TC_ERR_NULL         another pointer than model is NULL, or model->ask is.
 *   TC_ERR_UNSUPPORTED  the build serves two joints only (TC_ESTIMATOR_MANY 0).
 *   TC_ERR_RANGE        a number of config or of first is out of its range.
 *   TC_ERR_WORK         state_len is below TC_ESTIMATOR_STATE(joints).
 *   TC_ERR_ALIGN        state is misaligned.
 *   TC_ERR_NOT_FINITE   a sensor is NaN or infinite.
 * On error: e is zero. */
tc_status tc_estimator_init(tc_estimator *e, const tc_estimator_config *config, const tc_leg *leg,
                            const tc_estimator_model *model, const tc_estimator_sensors *first,
                            tc_real *state, size_t state_len);

/* Puts the leg on this ground, whose section's x and y are those of the world. The normal below the
 * foot replaces the y axis in the contact's equations, and the gap replaces the height over the
 * last floor. Call this after tc_estimator_init, and again when the ground changes.
 *
 * ground: its shape is checked, and the caller keeps it as long as e. NULL: a flat floor of unknown
 * height, as after tc_estimator_init.
 * place: position of the base along x [m]. Sensors may give it each tick (TC_GIVEN_PLACE). Without
 * them the estimator integrates its velocity, which drifts: give it on stairs.
 * The height of the base is found at the first contact.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        e is NULL or not initialised, or the ground has no shape.
 *   TC_ERR_NOT_FINITE  place is NaN or infinite.
 *   others             the statuses of tc_ground2_look below the base.
 * On error: e is unchanged.
 * Cost: that of 20 tc_sdf_eval. Each update then takes one tc_sdf_eval and 700 instructions more,
 * and 20 of them while the foot is deep in the ground. */
tc_status tc_estimator_stand_on(tc_estimator *e, const tc_ground2 *ground, tc_real place);

/* Advances the estimator by one tick.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_WORK        work_len is below TC_ESTIMATOR_WORK(joints, model->work_len).
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_NOT_FINITE  a sensor is NaN or infinite.
 *   TC_ERR_RANGE       an encoder is beyond 1e4, the touch sensor not in 0..1, pitch, base
 *                      velocity or place beyond 1e3, or another sensor beyond 1e3 times its range.
 * On error: e is unchanged and the estimate zero, p included, which no valid estimate is. The
 * caller keeps the previous estimate, flags it TC_ESTIMATE_STALE, and calls the next tick with
 * `lost` one higher.
 * Cost: see above; work of TC_ESTIMATOR_WORK(joints, model->work_len). */
tc_status tc_estimator_update(tc_estimator *e, const tc_estimator_sensors *sensors,
                              tc_estimator_estimate *estimate, tc_real *work, size_t work_len);

TC_END

#endif
