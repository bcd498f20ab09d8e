/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Which contact is the foot in? From encoders, joint torques and an IMU, each tick: probabilities of air, static and
 * dynamic contact, the contact's impulse and slip velocity with variances, and the time since touch-down.
 *
 *     static tc_real state[TC_ESTIMATOR_STATE(2)], work[TC_ESTIMATOR_WORK(2)];
 *     tc_leg_sensing sensing = tc_leg_sensing_default();      what your sensors do otherwise goes in here
 *     tc_estimator_config config;
 *     tc_estimator e;
 *     tc_status s = tc_estimator_default_for(&leg, 0.001f, &sensing, &config);
 *     s = tc_estimator_init(&e, &config, &leg, NULL, &sensors, state, TC_COUNT(state));
 *     ...each tick:
 *     s = tc_estimator_update(&e, &sensors, &estimate, work, TC_COUNT(work));
 *
 * An interacting-multiple-model filter over five hypotheses (air, stick, slip either way, and free impact: a force
 * without a constraint); tc_estimator.c derives it. The base is measured by the IMU, not modelled: no mass, no forces of
 * it are asked for. Floor height, friction, torque gains, the noise of encoders and torques and the sensors' slow
 * errors are identified on the way.
 *
 * Time: no loop depends on values; O(n^3) in the joints. Memory: the caller's; nothing is shared between instances.
 */
#ifndef TC_ESTIMATOR_H
#define TC_ESTIMATOR_H

#include "tc_leg.h"

TC_BEGIN

/* ---- Sensors ------------------------------------------------------------------------------------ */

/* What of the optional sensors is valid; bits of tc_estimator_sensors.given. */
#define TC_GIVEN_PITCH 1u
#define TC_GIVEN_BASE_VELOCITY 2u
#define TC_GIVEN_TOUCH 4u

/* One tick. */
typedef struct tc_estimator_sensors {
    tc_real encoder[TC_LEG_JOINTS]; /* [rad] or [m] */
    tc_real torque[TC_LEG_JOINTS];  /* of the motor on the link, over the tick that ends now [N m] or [N] */
    tc_real gyro;                   /* rate of the base, counter-clockwise [rad/s] */
    tc_real accel[2];               /* specific force, base axes, mean over the tick [m/s^2]: (0, g) at rest */
    tc_real pitch;                  /* angle of the base [rad], if given; else the gyro is integrated and levelled */
    tc_real base_velocity;          /* of the base along the floor, world [m/s], if given: without it a foot that slides
                                     * evenly all the time cannot be told from one that sticks */
    tc_real touch;                  /* what a touch sensor says, 0 air .. 1 contact, if given */
    uint32_t given;                 /* TC_GIVEN_ bits */
    uint32_t lost;                  /* ticks without sensors before this one */
} tc_estimator_sensors;

/* ---- Estimates ---------------------------------------------------------------------------------- */

#define TC_ESTIMATE_STALE 1u     /* no sensors for too long: set by whoever repeats an estimate */
#define TC_ESTIMATE_LOST 2u      /* ticks were lost before this one */
#define TC_ESTIMATE_SATURATED 4u /* a sensor stands at the end of its range, or is frozen (config.frozen) */
#define TC_ESTIMATE_DEGRADED 8u  /* the encoders are noisier than the configuration says: more than three times */

typedef struct tc_estimator_estimate {
    tc_real p[3];                /* probability of air, static, dynamic; sum 1 */
    tc_real impulse[2];          /* of the floor on the foot in this tick, along x and y [N s] */
    tc_real impulse_variance[2]; /* [N^2 s^2], the torques' gain error included */
    tc_real slip;                /* velocity of the contact point along the floor [m/s] */
    tc_real slip_variance;       /* [m^2/s^2] */
    tc_real since;               /* time since touch-down [s]; in the air negative: time since lift-off */
    uint32_t contact;            /* 1 from p(contact) > config.on until < config.off */
    uint32_t flags;              /* TC_ESTIMATE_ bits */
} tc_estimator_estimate;

/* ---- Configuration ------------------------------------------------------------------------------ */

typedef struct tc_estimator_config {
    tc_real step; /* the tick [s], 1e-5..0.1 */
    /* sensors */
    tc_real encoder_step[TC_LEG_JOINTS]; /* resolution of the encoders [rad] or [m] */
    tc_real torque_noise[TC_LEG_JOINTS]; /* what is always wrong with a torque: noise, dry friction [N m] or [N]; what
                                          * it shows, if that is more */
    tc_real torque_part;                 /* part of a torque that may be wrong besides its gain */
    tc_real torque_gain;                 /* standard deviation of a torque's gain before it is identified */
    tc_real bias_part;                   /* part of the modelled forces that may be wrong */
    tc_real lost_scale;                  /* what is wrong with torques and modelled forces grows so after lost ticks */
    tc_real gyro_noise;                  /* [rad/s] */
    tc_real accel_noise;                 /* [m/s^2] in one tick */
    tc_real accel_bias;                  /* standard deviation of its bias [m/s^2], tilt times g included */
    tc_real accel_drift;                 /* how fast the bias may move [m/s^2 per square root of a second] */
    tc_real base_velocity_noise;         /* of tc_estimator_sensors.base_velocity [m/s] */
    tc_real touch_reliability;           /* probability that the touch sensor is right, 0.5..1 */
    tc_real levelling;                   /* time in which pitch follows the accelerometer where not given [s] */
    tc_real torque_limit, gyro_limit, accel_limit; /* ends of the ranges [N m], [rad/s], [m/s^2] */
    uint32_t frozen;                     /* equal accelerations in so many ticks: frozen; any other sensor that says
                                          * the same in 12 times as many ticks in which the leg moves (gyro, pitch and
                                          * base velocity: of a floating base); 0 never */
    /* hypotheses */
    tc_real force;            /* contact force of a tick that is not foreseen [N] */
    tc_real stick_speed;      /* sliding of a sticking foot [m/s] */
    tc_real normal_speed;     /* of a foot in contact, along y [m/s] */
    tc_real doubt;            /* growth of the base's velocity error while a foot slides [m/s per root of a second] */
    tc_real start_speed;      /* of the base along the floor at the start [m/s] */
    tc_real friction_least;   /* smallest friction there is */
    tc_real friction_width;   /* of a contact's friction about its identified value */
    tc_real friction;         /* where friction's identification starts [1] */
    tc_real friction_spread;  /* its standard deviation then, and at each touch-down */
    tc_real touch_down_least; /* probability of a touch-down in a tick anywhere */
    tc_real land_stick, land_free; /* what a touch-down leads to: sticking, free impact; sliding else */
    tc_real floor_spread;     /* height of the floor against the last one known [m] */
    tc_real lift_off;         /* probability of a lift-off in a tick while loaded */
    tc_real lift_off_light;   /* ... while the normal force is small */
    tc_real lift_off_rising;  /* ... while the foot is above the floor and rises */
    tc_real light;            /* a normal force is small around this [N] */
    tc_real rise;             /* above the floor: [m] */
    tc_real keep;             /* probability that contact stays of its kind for a tick */
    tc_real distrust;         /* largest difference of log likelihoods that one tick may make */
    tc_real on, off;          /* p(contact) that begin and end `contact` */
    tc_real settle, bounce;   /* so long after a touch-down [s] flights up to `bounce` [s] do not end it */
    /* base */
    tc_real foot_speed;       /* of a foot in contact, for the base's vertical velocity [m/s] */
    tc_real foot_height;      /* of a foot in contact over its floor [m] */
} tc_estimator_config;

/* The configuration that was tuned for the legs of tests/hil (16-bit encoders, 1 kHz). */
tc_estimator_config tc_estimator_default(void);

/* The same, scaled to another leg, tick [s] and sensors; for those of tests/hil, to the bit, tc_estimator_default().
 * tc_estimator_config.c derives what grows with what, tests/hil/README.md has what comes of it: legs of 0.3 to 30 kg,
 * 14 to 20 bits and ticks of 0.5 to 2 ms have contact right in 99.4 % of ticks and more; 12 bits do not. TC_ERR_NULL;
 * the statuses of tc_leg_check; TC_ERR_RANGE a tick out of 1e-5..0.1, a number of the sensors that cannot be or leads to
 * a configuration that tc_estimator_init refuses (NaN too). On an error `config` is zero. */
tc_status tc_estimator_default_for(const tc_leg *leg, tc_real tick, const tc_leg_sensing *sensing,
                                   tc_estimator_config *config);

/* ---- A law of friction -------------------------------------------------------------------------- */

/* What a law is asked about the tick: the foot as the end of its leg, W = J M^-1 J^T. */
typedef struct tc_estimator_query {
    tc_real W[3];     /* tt, tn, nn [1/kg] */
    tc_real free[2];  /* velocity of the contact point at the end of the tick without contact, along x and y [m/s] */
    tc_real angle;    /* of the last link, world [rad] */
    tc_real rate;     /* of the last link, world [rad/s] */
    tc_real lever[2]; /* contact point from the last link's centre of mass, world axes [m] */
} tc_estimator_query;

typedef struct tc_estimator_answer {
    tc_real stick; /* probability that a foot that touches sticks */
    tc_real ratio; /* friction over normal impulse where it slides, 0..10 */
} tc_estimator_answer;

/* A learned contact model, or any other, that knows the foot and its floor; asked once a tick while contact lasts, from
 * 5 ms after touch-down on. Where it is null, friction is identified from the contacts alone. A negative status of
 * `ask`, and numbers that cannot be, count as no answer in this tick. */
typedef struct tc_estimator_model {
    tc_status (*ask)(const void *context, const tc_estimator_query *query, tc_estimator_answer *answer,
                     tc_real *work);
    const void *context;
    uint32_t work_len; /* tc_reals that `ask` needs */
} tc_estimator_model;

/* ---- The estimator ------------------------------------------------------------------------------ */

#define TC_ESTIMATOR_MODES 5u /* air, stick, slip to +x, slip to -x, free impact */

/* Numbers of one hypothesis: the mean of (q, qd) and the upper triangle of its covariance. */
#define TC_ESTIMATOR_HYPOTHESIS(n) (2u * (n) + (n) * (2u * (n) + 1u))

/* tc_reals that the caller owns: what is kept between ticks, and what a call needs. */
#define TC_ESTIMATOR_STATE(n) (TC_ESTIMATOR_MODES * TC_ESTIMATOR_HYPOTHESIS(n) + 8u * (n))
#define TC_ESTIMATOR_WORK(n) (TC_ESTIMATOR_HYPOTHESIS(n) + 3u * (n) * (n) + 12u * (n))

/* All of it may be read; only the functions below write it. */
typedef struct tc_estimator {
    const tc_estimator_config *config;
    const tc_leg *leg;
    const tc_estimator_model *law;
    tc_real *state;                       /* [TC_ESTIMATOR_STATE(joints)] */
    tc_real p[TC_ESTIMATOR_MODES];        /* probabilities of the hypotheses */
    tc_real vertical[3];                  /* base: height over the last floor [m], velocity, accelerometer bias */
    tc_real vertical_covariance[6];       /* upper triangle by rows */
    tc_real horizontal[2];                /* base: velocity along x, accelerometer bias */
    tc_real horizontal_covariance[3];
    tc_real pitch, gyro;                  /* of the last tick */
    tc_real accel[2];                     /* of the last tick, as given */
    tc_real base_velocity;                /* likewise */
    tc_real force[2];                     /* of the floor on the foot, filtered [N] */
    tc_real force_change;                 /* of force[1], filtered [N/s] */
    tc_real rate[TC_LEG_JOINTS];          /* of the joints a tick ago, */
    tc_real rate_change[TC_LEG_JOINTS];   /* and how they change, filtered */
    tc_real friction, friction_variance;  /* identified [1] */
    tc_real scale[TC_LEG_JOINTS];         /* true torque over what its sensor says, identified [1], */
    tc_real scale_variance[TC_LEG_JOINTS];
    tc_real pushed[TC_LEG_JOINTS], moved[TC_LEG_JOINTS]; /* in a window of tc_estimator_gain.c [N m s] or [N s] */
    uint32_t window;                      /* its ticks so far */
    tc_real since, gone;                  /* as in the estimate; time for which contact was improbable [s] */
    tc_real settling;                     /* time that is left to a foot that has landed to bounce [s] */
    uint32_t contact;
    uint32_t ticks, still, jumps;         /* without a loss; of equal accelerations; of readings no motion explains */
    uint16_t same[2u * TC_LEG_JOINTS + 3u]; /* ticks in which the leg moved and a sensor said the same: encoder and
                                             * torque of each joint, gyro, pitch, base velocity */
} tc_estimator;

/* Begins at `first`, at rest, in the air or on the floor alike. `config`, `leg`, `law` (may be null) and `state` must
 * outlive `e`. TC_ERR_NULL; TC_ERR_WORK, TC_ERR_ALIGN state too short, misaligned; the statuses of
 * tc_leg_check; TC_ERR_UNSUPPORTED also a number of joints that was left out (TC_ESTIMATOR_MANY);
 * TC_ERR_RANGE a number of the configuration or of the sensors out of its range;
 * TC_ERR_NOT_FINITE. On an error `e` is zero. */
tc_status tc_estimator_init(tc_estimator *e, const tc_estimator_config *config, const tc_leg *leg,
                            const tc_estimator_model *law, const tc_estimator_sensors *first, tc_real *state,
                            size_t state_len);

/* One tick on. TC_ERR_NULL; TC_ERR_WORK (less than TC_ESTIMATOR_WORK(joints) and the law's),
 * TC_ERR_ALIGN; TC_ERR_NOT_FINITE a sensor is NaN or infinite, TC_ERR_RANGE far beyond its range
 * (1e3 times for torque, gyro and accelerometer, 1e4 rad or m for an encoder): then `e` is as it
 * was and the estimate zero, p too, which no estimate is: keep the one before, flagged
 * TC_ESTIMATE_STALE, and call the next tick with `lost` one higher. */
tc_status tc_estimator_update(tc_estimator *e, const tc_estimator_sensors *sensors, tc_estimator_estimate *estimate,
                              tc_real *work, size_t work_len);

TC_END

#endif
