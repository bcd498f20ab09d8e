/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Identification from a robot's own impacts: the friction and the restitution of the floor, and
 * ratios of masses and inertias. One call per impact updates an iterated extended Kalman filter.
 *
 *     tc_identify identify;
 *     tc_identify_config config = tc_identify_default();
 *     config.ratios = 1;
 *     tc_status s = tc_identify_init(&identify, &config);
 *     ...each impact:
 *     s = tc_identify_update(&identify, &impact, estimate, &info, work, TC_COUNT(work));
 *     or, for a free body, tc_identify_update_body3, tc_identify_update_body2
 *
 * The unknowns are, in this order:
 *     [TC_IDENTIFY_FRICTION]     mu, coefficient of friction, shared by all contacts; >= 0
 *     [TC_IDENTIFY_RESTITUTION]  e, coefficient of restitution (Poisson's), shared; 0..1
 *     [TC_IDENTIFY_RATIO + k]    r_k, ratio of inertial parameter k to its nominal value; > 0
 *
 * The mass matrix is M(r) = M + sum_k (r_k - 1) part_k. M is the nominal matrix.
 * part_k is its share that grows with parameter k: the inertia of a body, or a load at the foot.
 *
 * Impacts determine only what changes the velocity after. A fixed floor gives no scale of mass: a
 * body with all masses and inertias doubled bounces the same. Its ratio of inertia to mass is
 * determined, and so is a load relative to the rest of a limb. An impact that sticks gives no value
 * of mu, only a lower bound. The filter keeps that bound beside its Gaussian.
 *
 * Velocities are those just before and just after the impact. The caller takes out what other
 * forces change in between, or keeps it well below the noise.
 *
 * Numbers of the filter: e below 0.001 and mu below 0.001 count as those values in the model of an
 * impact, because derivatives at 0 are one-sided.
 */
#ifndef TC_IDENTIFY_H
#define TC_IDENTIFY_H

#include "tc_body.h"
#include "tc_impact_grad.h"

TC_BEGIN

#define TC_IDENTIFY_RATIOS_MAX 4u /* largest number of unknown ratios */
#define TC_IDENTIFY_MAX 6u        /* largest number of unknowns: mu, e and the ratios */

/* Index of an unknown. */
typedef enum tc_identify_unknown {
    TC_IDENTIFY_FRICTION = 0,    /* mu */
    TC_IDENTIFY_RESTITUTION = 1, /* e */
    TC_IDENTIFY_RATIO = 2        /* first ratio; the others follow */
} tc_identify_unknown;

/* Configuration. Arrays have one number per unknown; those of ratios are of log(r_k). */
typedef struct tc_identify_config {
    uint32_t ratios;                /* number of unknown ratios; 0..TC_IDENTIFY_RATIOS_MAX; 0 */
    tc_impact_law law;              /* friction of contacts that slip; TC_IMPACT_COULOMB */
    tc_real start[TC_IDENTIFY_MAX]; /* first values: mu, e, r_k (not logarithms) [1]; 0.8, 0.3, 1 */
    tc_real sd[TC_IDENTIFY_MAX];    /* standard deviations of the first values: mu, e, log r_k [1];
                                     * 0: the value is known and stays; 0.4, 0.3, 0.4 */
    tc_real drift[TC_IDENTIFY_MAX]; /* process noise: standard deviation of the change per impact
                                     * [1]; 0; higher: follows a changing floor, wider intervals */
    tc_real reopen[TC_IDENTIFY_MAX]; /* standard deviation that a re-opening adds [1]; 0.2, 0.2,
                                      * 0.2; higher: follows larger jumps */
    tc_real gate;      /* threshold of outliers, in standard deviations of the normal distribution
                        * with the same probability; 2..10; 3.5; higher: fewer rejections */
    uint32_t patience; /* rejections in a row that re-open the estimate; >= 1; 3; higher: slower
                        * after a jump, safer from outliers in a row */
} tc_identify_config;

/* An estimator: a plain struct without pointers. The caller may read the fields and must not write
 * them. To keep it across a reboot see tc_identify_save. */
typedef struct tc_identify {
    uint32_t version;          /* TC_IDENTIFY_VERSION; 0: not initialised */
    uint32_t checksum;         /* written by tc_identify_save only: CRC-32 of all that follows */
    tc_identify_config config; /* copy of the configuration */
    uint32_t impacts;          /* impacts with a contact that approaches, up to UINT32_MAX */
    uint32_t outliers;         /* impacts that were rejected */
    uint32_t sticks;           /* impacts that gave a lower bound of mu */
    uint32_t reopened;         /* re-openings */
    uint32_t rejected;         /* rejections in a row, up to now */
    uint32_t unused;           /* 0 */
    tc_real mean[TC_IDENTIFY_MAX];                   /* of the Gaussian: mu, e, log r_k [1] */
    tc_real root[TC_IDENTIFY_MAX * TC_IDENTIFY_MAX]; /* lower triangular S; covariance S S^T [1] */
    tc_real bound;    /* mu is at least this, from impacts that stuck [1]; 0: none */
    tc_real bound_sd; /* standard deviation of the bound [1] */
} tc_identify;

#define TC_IDENTIFY_VERSION 0x54430d01u /* changes with the struct */

/* One impact of any mover with d rates. Matrices are row-major. */
typedef struct tc_identify_impact {
    uint32_t d;        /* rates; 1..TC_CONE_FREEDOM_MAX, at most TC_MAT_MAX */
    uint32_t n;        /* contacts; 1..TC_CONE_MAX, with three rows 1..TC_CONE3_MAX */
    uint32_t rows;     /* rows of each contact: 2 in the plane, 3 in space */
    uint32_t diagonal; /* 1: M and parts have their diagonals only, d numbers each; cheaper */
    const tc_real *M;  /* [d x d] nominal mass matrix; symmetric positive definite, in any unit */
    const tc_real *parts;  /* [ratios x d x d] shares of M that grow with each ratio; symmetric;
                           * M - sum of them is positive semidefinite; NULL without ratios */
    const tc_real *J;      /* [n rows x d] rates to the contacts' velocities: of each the normal's
                           * row first, away from the floor, then orthonormal tangents */
    const tc_real *before; /* [d] measured rates before [unit of the rate] */
    const tc_real *after;  /* [d] measured rates after */
    const tc_real *before_sd; /* [d] their standard deviations; >= 0 */
    const tc_real *after_sd;  /* [d] their standard deviations; > 0 */
} tc_identify_impact;

/* One impact of a free body in space, in world axes. With config.ratios = 1 the ratio is that of
 * all moments of inertia to the mass; with 3, of each principal moment. */
typedef struct tc_identify_touch3 {
    uint32_t n;             /* contacts of the patch; 1..TC_CONE3_MAX */
    const tc_real *arms;    /* [n x 3] contact points from the centre of mass [m] */
    tc_real normal[3];      /* of the floor, away from it; unit length */
    tc_real orientation[4]; /* quaternion w, x, y, z from body to world axes; unit length */
    tc_real before[6];  /* measured vx, vy, vz of the centre of mass [m/s], wx, wy, wz [rad/s] */
    tc_real after[6];   /* the same after the impact */
    tc_real linear_sd;  /* standard deviation of each measured velocity [m/s]; > 0 */
    tc_real angular_sd; /* standard deviation of each measured rate of turn [rad/s]; > 0 */
} tc_identify_touch3;

/* One impact of a free body in the plane, in world axes. With config.ratios = 1 the ratio is that
 * of the moment of inertia to the mass. */
typedef struct tc_identify_touch2 {
    uint32_t n;          /* contacts of the patch; 1..TC_CONE_MAX */
    const tc_real *arms; /* [n x 2] contact points from the centre of mass [m] */
    tc_real normal[2];   /* of the floor, away from it; unit length */
    tc_real before[3];   /* measured vx, vy of the centre of mass [m/s], omega [rad/s] */
    tc_real after[3];    /* the same after the impact */
    tc_real linear_sd;   /* standard deviation of each measured velocity [m/s]; > 0 */
    tc_real angular_sd;  /* standard deviation of the measured rate of turn [rad/s]; > 0 */
} tc_identify_touch2;

/* The estimate of one unknown. Ratios are not logarithms here. */
typedef struct tc_identify_estimate {
    tc_real value;     /* mean; of a ratio, median [1] */
    tc_real sd;        /* standard deviation [1] */
    tc_real low, high; /* 90 % interval, inside the unknown's range and above the bound of mu [1] */
} tc_identify_estimate;

/* Outcome of an impact. */
typedef enum tc_identify_outcome {
    TC_IDENTIFY_NONE = 0,     /* no contact approaches: the estimate is unchanged */
    TC_IDENTIFY_ACCEPTED = 1, /* the estimate was updated */
    TC_IDENTIFY_OUTLIER = 2,  /* beyond the gate: the estimate is unchanged */
    TC_IDENTIFY_REOPENED = 3  /* the last of several beyond the gate: wider, then updated */
} tc_identify_outcome;

/* Findings of one impact; all zero after an error. */
typedef struct tc_identify_info {
    tc_identify_outcome outcome; /* see there */
    uint32_t stuck;              /* 1: a contact stuck, and gave a lower bound of mu */
    uint32_t iterations;         /* linearisations; 1..3 */
    tc_real bound;               /* the lower bound of mu that this impact gave [1]; 0: none */
    tc_real distance;            /* normalised innovation squared [1]; about d if the model holds */
    tc_real limit;               /* distance beyond which an impact is an outlier [1] */
} tc_identify_info;

/* Lengths of the workspaces, usable as array sizes. Their content before and after a call is
 * arbitrary. */
#define TC_IDENTIFY_WORK(d, n, rows)                                                               \
    (4u * (d) * (d) + 28u * (d) + (n) * (rows) * (2u * (d) + 5u) + 3u * (n) + 76u                  \
     + TC_IDENTIFY_TRIALS + TC_IDENTIFY_FOUND + TC_IDENTIFY_IMPACT_WORK(n, rows, d))
/* Parts of it: what is found on both sides of sticking, and the solver's findings */
#define TC_IDENTIFY_TRIALS 112u
#define TC_IDENTIFY_FOUND (1u + sizeof(tc_impact_info) / sizeof(tc_real))
/* Part of it that the solver and its derivatives share */
#define TC_IDENTIFY_IMPACT_WORK(n, rows, d)                                                        \
    (TC_IMPACT_WORK(n, rows, d) > TC_IMPACT_GRAD_WORK(n, rows, d)                                  \
         ? TC_IMPACT_WORK(n, rows, d)                                                              \
         : TC_IMPACT_GRAD_WORK(n, rows, d))
#define TC_IDENTIFY_BODY3_WORK(n) (18u * (n) + 64u + TC_IDENTIFY_WORK(6u, n, 3u))
#define TC_IDENTIFY_BODY2_WORK(n) (6u * (n) + 32u + TC_IDENTIFY_WORK(3u, n, 2u))

/* Returns the configuration with the defaults named at its fields. */
tc_identify_config tc_identify_default(void);

/* Starts an estimator; it copies the configuration.
 * Returns:
 *   TC_OK         done.
 *   TC_ERR_NULL   a pointer is NULL.
 *   TC_ERR_SIZE   config->ratios is beyond TC_IDENTIFY_RATIOS_MAX.
 *   TC_ERR_RANGE  a field of config is NaN or out of its range.
 * On error: identify is zero, and the other functions refuse it with TC_ERR_SIZE. */
tc_status tc_identify_init(tc_identify *identify, const tc_identify_config *config);

/* Starts again from the configuration's first values; the counts become 0.
 * Returns: TC_OK, TC_ERR_NULL, or TC_ERR_SIZE if identify is not initialised. */
tc_status tc_identify_reset(tc_identify *identify);

/* Updates the estimate by one impact.
 * estimate[2 + ratios]: the estimates after it; may be NULL. info: may be NULL.
 * work: see TC_IDENTIFY_WORK.
 * Returns:
 *   TC_OK              done; info->outcome has what became of the impact.
 *   TC_ERR_NULL        a required pointer is NULL.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_SIZE        d, n or rows is beyond its limit, or identify is not initialised.
 *   TC_ERR_WORK        work_len is too small.
 *   TC_ERR_NOT_FINITE  an input is NaN or infinite.
 *   TC_ERR_RANGE       a standard deviation is negative, or 0 after the impact, or a number
 *                      overflows.
 *   TC_ERR_SINGULAR, TC_ERR_INDEFINITE  the mass matrix is not positive definite.
 *   TC_ERR_UNSUPPORTED    several contacts with TC_IMPACT_COULOMB.
 *   TC_ERR_NOT_CERTIFIED  the model found no answer for this impact; of one contact also where its
 *                         directions are not independent, as those of a limb with too few joints.
 * On error: identify is unchanged, estimate and info are zero.
 * Cost: 1 to 3 linearisations of the model, 1 once the estimate has settled. With one contact each
 * is in closed form. With several, each is a tc_impact_solve and 2 + ratios + d tangents. Stack:
 * 2 KB. */
tc_status tc_identify_update(tc_identify *identify, const tc_identify_impact *impact,
                             tc_identify_estimate *estimate, tc_identify_info *info, tc_real *work,
                             size_t work_len);

/* Updates the estimate by one impact of a free body. config.ratios: 0, 1 or 3 in space, 0 or 1 in
 * the plane.
 * work: see TC_IDENTIFY_BODY3_WORK, TC_IDENTIFY_BODY2_WORK.
 * Returns: the statuses of tc_identify_update, and
 *   TC_ERR_BODY         the mass or a moment of inertia is not finite and positive.
 *   TC_ERR_UNIT         the normal or the quaternion is not of unit length.
 *   TC_ERR_UNSUPPORTED  another number of ratios.
 * On error: as tc_identify_update. */
tc_status tc_identify_update_body3(tc_identify *identify, const tc_body3 *body,
                                   const tc_identify_touch3 *touch, tc_identify_estimate *estimate,
                                   tc_identify_info *info, tc_real *work, size_t work_len);
tc_status tc_identify_update_body2(tc_identify *identify, const tc_body2 *body,
                                   const tc_identify_touch2 *touch, tc_identify_estimate *estimate,
                                   tc_identify_info *info, tc_real *work, size_t work_len);

/* Reads the estimate[2 + ratios] without an impact.
 * Returns: TC_OK, TC_ERR_NULL, or TC_ERR_SIZE if identify is not initialised.
 * On error: estimate is unchanged. */
tc_status tc_identify_read(const tc_identify *identify, tc_identify_estimate *estimate);

/* Copies an estimator into `saved` and writes the checksum there. The bytes of `saved` are what a
 * program stores across a reboot; the same build reads them again.
 * Returns: TC_OK, TC_ERR_NULL, or TC_ERR_SIZE if identify is not initialised.
 * On error: saved is unchanged.
 * Cost: 10 instructions per byte. */
tc_status tc_identify_save(const tc_identify *identify, tc_identify *saved);

/* Checks the bytes that tc_identify_save wrote.
 * Returns:
 *   TC_OK                 they are undamaged.
 *   TC_ERR_NULL           saved is NULL.
 *   TC_ERR_MODEL_VERSION  another version, or nothing saved.
 *   TC_ERR_MODEL_CRC      a byte differs.
 *   TC_ERR_MODEL_FIELD    a number is not finite or out of its range. */
tc_status tc_identify_check(const tc_identify *saved);

/* Checks `saved` and copies it.
 * Returns: the statuses of tc_identify_check, and TC_ERR_NULL if identify is NULL.
 * On error: identify is unchanged. */
tc_status tc_identify_restore(tc_identify *identify, const tc_identify *saved);

TC_END

#endif
