/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the files of tc_feet share: the state of a limb, the numbers of a tick, and who fills which.
 *
 * Symmetric matrices of three are packed as upper triangles by rows: xx, xy, xz, yy, yz, zz.
 */
#ifndef TC_FEET_INTERNAL_H
#define TC_FEET_INTERNAL_H

#include "tc_feet.h"

#include "tc_math_core.h"

#define TCI_FEET_AIR 0u
#define TCI_FEET_STICK 1u
#define TCI_FEET_SLIP 2u
#define TCI_FEET_FREE 3u

#define TCI_FEET_TINY TC_C(1e-30) /* below every number that means something */
#define TCI_FEET_LOST_MOST 20u    /* ticks; beyond, a limb's filter begins again */

/* How a foot falls, for tc_feet_predict.c; downwards is negative. */
typedef struct tci_feet_fall {
    tc_real speed;       /* off the floor [m/s] */
    tc_real rate, trend; /* its filtered acceleration, in the air, and a slower filter of the same
                          * [m/s^2] */
    tc_real fastest;     /* least speed since the last contact [m/s] */
    tc_real habit;       /* the same of the last swings; 0: none [m/s] */
} tci_feet_fall;

/* State of one limb, of tc_real alone: it lies in the caller's array. */
typedef struct tci_feet_limb {
    tc_real x[TC_FEET_MODES][TC_FEET_HYPOTHESIS]; /* p, v of the contact point against the
                                                   * reference, world axes; their covariance */
    tc_real p[TC_FEET_MODES];
    tc_real q[TC_ROBOT_JOINTS], w[TC_ROBOT_JOINTS]; /* the reference */
    tc_real encoder[3][TC_ROBOT_JOINTS];            /* the last three, newest first */
    tc_real torque[TC_ROBOT_JOINTS];                /* of the last tick, as read */
    tc_real scale[TC_ROBOT_JOINTS], scale_variance[TC_ROBOT_JOINTS]; /* tc_feet_gain.c */
    tc_real pushed[TC_ROBOT_JOINTS], moved[TC_ROBOT_JOINTS];
    tc_real window;
    tc_real floor;   /* height under the foot at the last foothold [m] */
    tc_real step[2]; /* that foothold along x and y [m] */
    tc_real load[3]; /* filtered force [N] */
    tc_real friction, friction_variance;
    tc_real since;
    tc_real arm[3];      /* contact point from the IMU, world axes [m] */
    tc_real carried[3];  /* its velocity by the base's turning alone [m/s] */
    tc_real relative[3]; /* its velocity from the IMU's point of view [m/s] */
    tci_feet_fall fall;
} tci_feet_limb;

_Static_assert(sizeof(tci_feet_limb) == TC_FEET_LIMB * sizeof(tc_real), "TC_FEET_LIMB");

/* Numbers of one tick, of tc_real alone: they lie in the caller's workspace. First those of the
 * base, then those of one limb after another. */
typedef struct tci_feet_tick {
    tc_real H;           /* [s] */
    tc_real A[9];        /* base axes to world axes */
    tc_real spin[3];     /* of the base, world axes [rad/s] */
    tc_real velocity[3]; /* of the IMU [m/s] */
    tc_real variance[2]; /* of it, along x and y each, along z */
    tc_real coarse;      /* factor on variances of sticking feet, of encoders less than fine */
    tc_robot_base base;  /* what tc_robot_move wants */
    tc_robot_motion motion;
    tc_real J[TC_ROBOT_JOINTS][4];    /* columns, world axes; the fourth is not used */
    tc_real B[TC_ROBOT_JOINTS][4];    /* rows of M^-1 J^T; the fourth: M^-1 (tau - bias) */
    tc_real W[6], squared[6];         /* J B, and its square */
    tc_real inverse[6];               /* of W, regularised */
    tc_real torque_noise[6];          /* of a tick, in the contact's velocity */
    tc_real R[6];                     /* of the encoders, in the contact's place */
    tc_real y[3];                     /* what they say of it against the reference */
    tc_real away[TC_ROBOT_JOINTS];    /* encoders against the reference */
    tc_real predicted[TC_FEET_MODES]; /* probabilities */
    tc_real impulse[3], impulse_variance[3];
    tc_real mean[2], slide_variance; /* velocity of the contacts along x and y against the
                                       * reference, and the variance of each */
} tci_feet_tick;

_Static_assert(sizeof(tci_feet_tick) <= TC_FEET_WORK * sizeof(tc_real), "TC_FEET_WORK");

static inline tci_feet_limb *tci_feet_limb_of(const tc_feet *f, uint32_t k)
{
    return (tci_feet_limb *)(void *)f->state + k;
}

/* 1 / (1 + e^-x), for |x| up to 80 */
static inline tc_real tci_feet_logistic(tc_real x)
{
    return TC_C(1.0) / (TC_C(1.0) + tc_exp_bounded(-x));
}

static inline tc_real tci_feet_clamp(tc_real x, tc_real low, tc_real high)
{
    return x < low ? low : (x > high ? high : x);
}

/* S v, S packed */
static inline void tci_feet_apply(const tc_real S[6], const tc_real v[3], tc_real y[3])
{
    const tc_real a = v[0], b = v[1], c = v[2];
    y[0] = TC_MLA(TC_MLA(S[0] * a, S[1], b), S[2], c);
    y[1] = TC_MLA(TC_MLA(S[1] * a, S[3], b), S[4], c);
    y[2] = TC_MLA(TC_MLA(S[2] * a, S[4], b), S[5], c);
}

/* S += scale v v^T */
static inline void tci_feet_add(tc_real S[6], tc_real scale, const tc_real v[3])
{
    const tc_real a = scale * v[0], b = scale * v[1], c = scale * v[2];
    S[0] = TC_MLA(S[0], a, v[0]);
    S[1] = TC_MLA(S[1], a, v[1]);
    S[2] = TC_MLA(S[2], a, v[2]);
    S[3] = TC_MLA(S[3], b, v[1]);
    S[4] = TC_MLA(S[4], b, v[2]);
    S[5] = TC_MLA(S[5], c, v[2]);
}

/* R v of a matrix by rows */
static inline void tci_feet_turn(const tc_real R[9], const tc_real v[3], tc_real y[3])
{
    const tc_real a = v[0], b = v[1], c = v[2];
    y[0] = TC_MLA(TC_MLA(R[0] * a, R[1], b), R[2], c);
    y[1] = TC_MLA(TC_MLA(R[3] * a, R[4], b), R[5], c);
    y[2] = TC_MLA(TC_MLA(R[6] * a, R[7], b), R[8], c);
}

/* R^T v */
static inline void tci_feet_turn_back(const tc_real R[9], const tc_real v[3], tc_real y[3])
{
    const tc_real a = v[0], b = v[1], c = v[2];
    y[0] = TC_MLA(TC_MLA(R[0] * a, R[3], b), R[6], c);
    y[1] = TC_MLA(TC_MLA(R[1] * a, R[4], b), R[7], c);
    y[2] = TC_MLA(TC_MLA(R[2] * a, R[5], b), R[8], c);
}

/* ---- tc_feet_config.c ------------------------------------------------------------------------ */

/* TC_OK or TC_ERR_RANGE (which NaN is too) */
tc_status tci_feet_config_check(const tc_feet_config *config, const tc_robot *robot);

/* From the first joint to the foot, stretched out; joints that slide at 0 [m] */
tc_real tci_feet_reach(const tc_robot_limb *limb);

/* ---- tc_feet_sensors.c ----------------------------------------------------------------------- */

/* TC_OK, TC_ERR_UNIT, TC_ERR_RANGE or TC_ERR_NOT_FINITE */
tc_status tci_feet_sensors_check(const tc_feet *f, const tc_feet_sensors *s);

/* A limb's history at its first sensors, or where it begins again */
void tci_feet_sensors_start(tc_feet *f, const tc_feet_sensors *s, uint32_t k);

/* Follows the encoders' noise, and takes the readings into the history; returns flags of the base,
 * and those of each limb in flags[limbs]. Before the base moves */
uint32_t tci_feet_sensors_follow(tc_feet *f, const tc_feet_sensors *s, uint32_t *flags);

/* ---- tc_feet_base.c -------------------------------------------------------------------------- */

/* At the first sensors, or where the filter begins again */
void tci_feet_base_start(tc_feet *f, const tc_feet_sensors *s);

/* The base over the tick from its IMU, and what limbs need to know of it */
void tci_feet_base_move(tc_feet *f, const tc_feet_sensors *s, tci_feet_tick *t);

/* What feet in contact, and a given velocity, say about the base; 1 where it is doubted */
uint32_t tci_feet_base_correct(tc_feet *f, const tc_feet_sensors *s);

/* The base's place, and the slope of the plane through the last footholds */
void tci_feet_base_lean(tc_feet *f, const tci_feet_tick *t);

/* ---- tc_feet_reference.c --------------------------------------------------------------------- */

/* Moves the reference of limb k as in the air; fills J to R */
void tci_feet_reference_move(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t);

/* R, y and away; 0, and nothing, if the limb is lost, or reads what no motion explains: that counts
 * in *jumps */
int tci_feet_reference_compare(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t,
                               uint32_t *jumps);

/* Moves the reference by `place` and `speed`, each an impulse of the contact, and by what encoders
 * say that no contact causes */
void tci_feet_reference_take(tc_feet *f, const tc_feet_sensors *s, uint32_t k,
                             const tci_feet_tick *t, const tc_real place[3],
                             const tc_real speed[3]);

/* ---- tc_feet_bank.c -------------------------------------------------------------------------- */

void tci_feet_bank_start(tci_feet_limb *l);

/* Mixes, predicts, constrains, compares; returns the mean to the reference. Returns whether an
 * encoder jumped */
uint32_t tci_feet_bank_tick(tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t);

/* ---- tc_feet_gain.c -------------------------------------------------------------------------- */

void tci_feet_gain_start(const tc_feet_config *c, tci_feet_limb *l);

/* Adds the error of the torques' gains to the variance of a contact's impulse */
void tci_feet_gain_doubt(const tc_feet *f, const tc_feet_sensors *s, uint32_t k, tci_feet_tick *t);

/* Once the reference has taken an impulse `speed` of the contact, and the encoders' rest at a rate;
 * seen: W^-1 y */
void tci_feet_gain_follow(const tc_feet *f, const tc_feet_sensors *s, uint32_t k,
                          const tci_feet_tick *t, const tc_real speed[3], const tc_real seen[3],
                          tc_real rate);

/* ---- tc_feet_predict.c ----------------------------------------------------------------------- */

/* Follows the fall of foot k, once the base is corrected and contacts are decided */
void tci_feet_predict_follow(tc_feet *f, uint32_t k, tc_real H);

#endif
