/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The base that all feet share: velocity and the accelerometer's bias along x and y, height,
 * velocity and bias along z.
 *
 * The accelerometer moves it. A foot that sticks gives its velocity along x and y, a foot in contact
 * that along z, and its height by the floor that it found at touch-down. Variances along x and y are
 * the same.
 *
 * A base whose velocity is wrong makes all feet seem to slip, and none is asked again. Two feet and
 * more that really slide hardly do so with the same velocity, and friction opposes what really
 * slides. So where all loaded feet seem to slip as one for some ticks, or the only one without
 * friction, the velocity's variance grows. The slip of two feet and more also corrects the velocity.
 * Variance alone would not do: a foot that sticks to a base of unknown velocity may move and push as
 * it likes. Slip explains that with less, so it stays with slip. The variance also grows in the first
 * 100 ticks, and a foot that has just landed counts less.
 *
 * The floor leans as the plane through the last footholds, by least squares with a ridge.
 *
 * Where no attitude is given, the gyro turns the last one, and the accelerometer levels it: the
 * specific force of a base at rest points up.
 */
#include "tc_exact.h"
#include "tc_feet_internal.h"

#include "tc_vec.h"

#include <string.h>

static const tc_real START_HEIGHT = TC_C(1e-6), START_SPEED = TC_C(0.02), START_BIAS = TC_C(1e-2);
static const tc_real HEIGHT_GROWS = TC_C(1e-12); /* variance per tick [m^2] */
static const tc_real SURELY_STICKS = TC_C(0.5), SURELY_STANDS = TC_C(0.9);
static const tc_real SLIDE_HEIGHT = TC_C(0.05);  /* [s]: a sliding foot's height, per slip */
static const tc_real FINE_NOISE = TC_C(0.69191); /* over that of 4e-5 rad of 16 bits */
static const tc_real FASTEST_SLIP = TC_C(1.5);   /* of a base's error [m/s] */
static const tc_real ALL_SLIP = TC_C(0.95);      /* of the feet that stand */
static const tc_real OPPOSED_PACE = TC_C(0.05);  /* per tick */
static const uint32_t DOUBT_AGAIN = 20u, ALIKE_TICKS = 5u, ALONE_TICKS = 20u, BEGINS = 100u;
static const tc_real ALIKE_PART = TC_C(0.2), ALIKE_SPEED = TC_C(0.03); /* of the slip, [m/s] */
static const tc_real FAR_AWAY = TC_C(16.0);                            /* [m] */
static const tc_real SPEED_LEAST = TC_C(1e-6), FORCE_LEAST = TC_C(1e-6);

/* The shortest turn that puts the specific force upright */
static void level_attitude(const tc_real accel[3], tc_real q[4])
{
    const tc_real size = tc_sqrt(tc_vec_dot3(accel, accel));
    const tc_real up = size > TCI_FEET_TINY ? accel[2] / size : TC_C(1.0);
    const tc_real w = TC_C(1.0) + up;
    q[0] = q[1] = q[2] = q[3] = TC_C(0.0);
    if (!(w > TC_C(1e-6)) || !(size > TCI_FEET_TINY)) { /* upside down, or falling: any such turn */
        q[w > TC_C(1e-6) ? 0 : 1] = TC_C(1.0);
        return;
    }
    const tc_real turned[4] = {w, accel[1] / size, -accel[0] / size, TC_C(0.0)};
    tc_vec_quaternion_set(turned, q);
}

static void follow_attitude(tc_feet *f, const tc_feet_sensors *s, tc_real H)
{
    if (s->given & TC_FEET_ATTITUDE) {
        tc_vec_quaternion_set(s->attitude, f->attitude);
        return;
    }
    /* turns are in IMU axes, on the right: q exp(a) = conj(exp(-a) conj(q)) */
    tc_real R[9], tilt[3], turn[3],
        q[4] = {f->attitude[0], -f->attitude[1], -f->attitude[2], -f->attitude[3]};
    tc_vec_rotation(f->attitude, R);
    const tc_real up[3] = {R[6], R[7], R[8]};
    tc_vec_cross(s->accel, up, tilt);
    const tc_real pace = TC_C(1.0) / (f->robot->g * f->config->levelling);
    for (uint32_t i = 0; i < 3u; ++i) {
        turn[i] = -TC_MLS(s->gyro[i], pace, tilt[i]);
    }
    tc_vec_quaternion_turn(H, turn, q);
    f->attitude[0] = q[0];
    for (uint32_t i = 1; i < 4u; ++i) {
        f->attitude[i] = -q[i];
    }
}

void tci_feet_base_start(tc_feet *f, const tc_feet_sensors *s)
{
    if (s->given & TC_FEET_ATTITUDE) {
        tc_vec_quaternion_set(s->attitude, f->attitude);
    } else {
        level_attitude(s->accel, f->attitude);
    }
    memset(f->velocity, 0, sizeof f->velocity);
    memset(f->bias, 0, sizeof f->bias);
    memset(f->vertical, 0, sizeof f->vertical);
    memset(f->vertical_covariance, 0, sizeof f->vertical_covariance);
    memset(f->place, 0, sizeof f->place);
    memset(f->slope, 0, sizeof f->slope);
    f->velocity_covariance[0] = f->vertical_covariance[3] = START_SPEED;
    f->velocity_covariance[1] = TC_C(0.0);
    f->velocity_covariance[2] = f->vertical_covariance[5] = START_BIAS;
    f->vertical_covariance[0] = START_HEIGHT;
    f->opposed = TC_C(2.0) * f->config->opposes;
    f->doubted = f->alike = f->ticks = 0;
    memcpy(f->gyro, s->gyro, sizeof f->gyro);
    memcpy(f->accel, s->accel, sizeof f->accel);
}

/* What limbs need: the base's turning, and the specific force at its origin, base axes */
static void feel_base(const tc_feet *f, const tc_feet_sensors *s, const tc_real R[9],
                      tci_feet_tick *t)
{
    tc_real rate[3];
    const tc_real inverse = TC_C(1.0) / t->H;
    for (uint32_t i = 0; i < 3u; ++i) { /* A = R axes^T */
        tci_feet_turn(f->robot->imu_axes, R + 3u * i, t->A + 3u * i);
        rate[i] = (s->gyro[i] - f->gyro[i]) * inverse;
    }
    tc_robot_base *const b = &t->base;
    tc_robot_feel(f->robot, s->accel, s->gyro, rate, b);
    memcpy(b->normal, t->A + 6, sizeof b->normal);
    tci_feet_turn(t->A, b->omega, t->spin);
}

/* Covariances of (velocity, bias) and of (height, velocity, bias) over a tick */
static void spread_base(tc_feet *f, tc_real H)
{
    const tc_feet_config *const c = f->config;
    const tc_real white = c->accel_noise * H * (c->accel_noise * H),
                  drift = c->accel_drift * c->accel_drift * H;
    tc_real *const V = f->velocity_covariance, *const Z = f->vertical_covariance;
    V[0] += TC_MLA(white, H, TC_MLA(TC_C(2.0) * V[1], H, V[2]));
    V[1] = TC_MLA(V[1], H, V[2]);
    V[2] += drift;
    /* rows of F Z: F = {1, H, H^2/2}, {0, 1, H}, {0, 0, 1} */
    const tc_real half = TC_C(0.5) * H * H;
    const tc_real a = TC_MLA(TC_MLA(Z[0], H, Z[1]), half, Z[2]),
                  b = TC_MLA(TC_MLA(Z[1], H, Z[3]), half, Z[4]),
                  d = TC_MLA(TC_MLA(Z[2], H, Z[4]), half, Z[5]);
    const tc_real e = TC_MLA(Z[3], H, Z[4]), g = TC_MLA(Z[4], H, Z[5]);
    Z[0] = TC_MLA(TC_MLA(a, H, b), half, d) + HEIGHT_GROWS;
    Z[1] = TC_MLA(b, H, d);
    Z[2] = d;
    Z[3] = TC_MLA(e, H, g) + white;
    Z[4] = g;
    Z[5] += drift;
}

void tci_feet_base_move(tc_feet *f, const tc_feet_sensors *s, tci_feet_tick *t)
{
    tc_real R[9], accel[3];
    const tc_real H = t->H;
    follow_attitude(f, s, H);
    tc_vec_rotation(f->attitude, R);
    feel_base(f, s, R, t);
    if (f->robot->root == TC_ROBOT_FIXED) {
        memset(f->velocity_covariance, 0, sizeof f->velocity_covariance);
        memset(f->vertical_covariance, 0, sizeof f->vertical_covariance);
    } else {
        tci_feet_turn(R, s->accel, accel);
        accel[2] -= f->robot->g;
        for (uint32_t i = 0; i < 2u; ++i) {
            f->velocity[i] = TC_MLA(f->velocity[i], H, accel[i] + f->bias[i]);
        }
        tc_real *const z = f->vertical;
        z[0] = TC_MLA(z[0], H, TC_MLA(z[1], TC_C(0.5) * H, accel[2] + z[2]));
        z[1] = TC_MLA(z[1], H, accel[2] + z[2]);
        spread_base(f, H);
    }
    t->velocity[0] = f->velocity[0];
    t->velocity[1] = f->velocity[1];
    t->velocity[2] = f->vertical[1];
    t->variance[0] = f->velocity_covariance[0];
    t->variance[1] = f->vertical_covariance[3];
    t->coarse = tc_vec_max(f->noise * FINE_NOISE, TC_C(1.0));
}

/* ---- Corrections ----------------------------------------------------------------------------- */

static void correct_flat(tc_feet *f, tc_real x, tc_real y, tc_real variance)
{
    tc_real *const V = f->velocity_covariance;
    const tc_real inverse = TC_C(1.0) / (V[0] + variance);
    const tc_real a = V[0] * inverse, b = V[1] * inverse;
    const tc_real e[2] = {x - f->velocity[0], y - f->velocity[1]};
    for (uint32_t i = 0; i < 2u; ++i) {
        f->velocity[i] = TC_MLA(f->velocity[i], a, e[i]);
        f->bias[i] = TC_MLA(f->bias[i], b, e[i]);
    }
    V[2] = TC_MLS(V[2], b, V[1]);
    V[1] = TC_MLS(V[1], a, V[1]);
    V[0] = TC_MLS(V[0], a, V[0]);
}

/* Height (row 0) or velocity (row 1) is `value` */
static void correct_up(tc_feet *f, uint32_t row, tc_real value, tc_real variance)
{
    tc_real *const Z = f->vertical_covariance, *const z = f->vertical;
    const tc_real g[3] = {Z[row], row == 0u ? Z[1] : Z[3], row == 0u ? Z[2] : Z[4]};
    const tc_real inverse = TC_C(1.0) / (g[row] + variance), e = value - z[row];
    const tc_real K[3] = {g[0] * inverse, g[1] * inverse, g[2] * inverse};
    tc_real *P = Z;
    for (uint32_t i = 0; i < 3u; ++i) {
        z[i] = TC_MLA(z[i], K[i], e);
        for (uint32_t j = i; j < 3u; ++j, ++P) {
            *P = TC_MLS(*P, K[i], g[j]);
        }
    }
}

static void hear_foot(tc_feet *f, uint32_t k)
{
    const tc_feet_config *const c = f->config;
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    const tc_real stick = l->p[TCI_FEET_STICK], stands = TC_C(1.0) - l->p[TCI_FEET_AIR];
    const tc_real age = (f->contact[k] != 0u ? l->since : TC_C(0.0)) + TC_C(0.5) * c->step;
    const tc_real part = c->settle / age, young = TC_MLA(TC_C(1.0), part, part);
    if (stick > SURELY_STICKS) {
        const tc_real deviation = c->odometry / (stick * stick);
        const tc_real coarse = tc_vec_max(f->noise * FINE_NOISE, TC_C(1.0));
        correct_flat(f, -l->relative[0], -l->relative[1], young * coarse * deviation * deviation);
    }
    if (stands > SURELY_STANDS) {
        const tc_real u = f->velocity[0] + l->relative[0], v = f->velocity[1] + l->relative[1];
        const tc_real slides = c->slide_part * c->slide_part * TC_MLA(u * u, v, v);
        correct_up(f, 1, -l->relative[2], TC_MLA(slides, young * c->foot_speed, c->foot_speed));
        if (f->contact[k] != 0u) {
            const tc_real height =
                TC_MLA(SLIDE_HEIGHT * SLIDE_HEIGHT * slides, c->foot_height, c->foot_height);
            correct_up(f, 0, l->floor - l->arm[2], height);
        }
    }
}

/* What loaded feet seem to do along the floor */
typedef struct slippage {
    tc_real stands, slips; /* sums of probabilities */
    tc_real load, along;   /* of slipping feet: their load, and their friction along the slip */
    tc_real velocity[2];   /* their mean velocity */
    tc_real differ;        /* the largest difference from it [m/s] */
    uint32_t standing;     /* feet that surely stand */
} slippage;

/* Force of the floor on a foot, along its normal (the return value) and along the rest */
static tc_real split_load(const tc_feet *f, const tc_real load[3], tc_real along[2])
{
    const tc_real a = f->slope[0], b = f->slope[1];
    const tc_real scale = TC_C(1.0) / tc_sqrt(TC_MLA(TC_MLA(TC_C(1.0), a, a), b, b));
    const tc_real press = scale * TC_MLS(TC_MLS(load[2], a, load[0]), b, load[1]);
    along[0] = TC_MLA(load[0], press * scale, a);
    along[1] = TC_MLA(load[1], press * scale, b);
    return press;
}

static void add_foot(const tc_feet *f, uint32_t k, slippage *all)
{
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    tc_real rubs[2];
    const tc_real press = split_load(f, l->load, rubs);
    const tc_real stands = press > TC_C(0.0) ? TC_C(1.0) - l->p[TCI_FEET_AIR] : TC_C(0.0);
    all->stands += stands;
    all->standing += stands > TC_C(0.5) ? 1u : 0u;
    if (l->p[TCI_FEET_SLIP] > TC_C(0.5)) {
        const tc_real u = f->velocity[0] + l->relative[0], v = f->velocity[1] + l->relative[1];
        const tc_real speed = tc_vec_max(tc_sqrt(TC_MLA(u * u, v, v)), SPEED_LEAST);
        all->slips += stands;
        all->load = TC_MLA(all->load, stands, press);
        all->along += stands * TC_MLA(rubs[0] * u, rubs[1], v) / speed;
        all->velocity[0] = TC_MLA(all->velocity[0], stands, u);
        all->velocity[1] = TC_MLA(all->velocity[1], stands, v);
    }
}

/* The mean velocity of feet that slip, and how far from it they are */
static void differ_feet(const tc_feet *f, slippage *all)
{
    const tc_real scale = TC_C(1.0) / tc_vec_max(all->slips, SPEED_LEAST);
    all->velocity[0] *= scale;
    all->velocity[1] *= scale;
    for (uint32_t k = 0; k < f->robot->limbs; ++k) {
        const tci_feet_limb *const l = tci_feet_limb_of(f, k);
        tc_real rubs[2];
        if (l->p[TCI_FEET_SLIP] > TC_C(0.5) && split_load(f, l->load, rubs) > TC_C(0.0)) {
            const tc_real u = f->velocity[0] + l->relative[0] - all->velocity[0],
                          v = f->velocity[1] + l->relative[1] - all->velocity[1];
            const tc_real stands = TC_C(1.0) - l->p[TCI_FEET_AIR];
            all->differ = tc_vec_max(all->differ, stands * tc_sqrt(TC_MLA(u * u, v, v)));
        }
    }
}

/* Whether the feet slip as if the base's velocity were wrong */
static int seems_wrong(tc_feet *f, tc_real slip[2], int *several)
{
    slippage all = {.slips = TC_C(0.0)};
    for (uint32_t k = 0; k < f->robot->limbs; ++k) {
        add_foot(f, k, &all);
    }
    if (!(all.slips > ALL_SLIP * all.stands && all.stands > SURELY_STANDS)) {
        f->opposed = TC_C(2.0) * f->config->opposes;
        f->alike = 0;
        return 0;
    }
    differ_feet(f, &all);
    slip[0] = all.velocity[0];
    slip[1] = all.velocity[1];
    const tc_real speed =
        tc_sqrt(TC_MLA(all.velocity[0] * all.velocity[0], all.velocity[1], all.velocity[1]));
    const int same = all.differ < TC_MLA(ALIKE_SPEED, ALIKE_PART, speed);
    f->alike = same ? f->alike + (f->alike < UINT32_MAX) : 0u;
    const tc_real ratio = -all.along / tc_vec_max(all.load, FORCE_LEAST);
    f->opposed = TC_MLA(f->opposed, OPPOSED_PACE, ratio - f->opposed);
    if (speed >= FASTEST_SLIP) {
        return 0;
    }
    *several = all.standing > 1u;
    return *several ? f->alike >= ALIKE_TICKS
                    : f->alike >= ALONE_TICKS && f->opposed < f->config->opposes;
}

static uint32_t doubt_base(tc_feet *f)
{
    const tc_real doubt = f->config->doubt;
    tc_real slip[2];
    int several = 0;
    const int wrong = seems_wrong(f, slip, &several);
    if (f->ticks % DOUBT_AGAIN == 0u && f->ticks < BEGINS) {
        f->velocity_covariance[0] = tc_vec_max(f->velocity_covariance[0], doubt * doubt);
        f->vertical_covariance[3] = tc_vec_max(f->vertical_covariance[3], doubt * doubt);
    }
    f->ticks += f->ticks < BEGINS;
    if (wrong && f->doubted == 0u) {
        f->velocity_covariance[0] = tc_vec_max(f->velocity_covariance[0], doubt * doubt);
        if (several) {
            correct_flat(f, f->velocity[0] - slip[0], f->velocity[1] - slip[1],
                         f->config->odometry * f->config->odometry);
        }
        f->doubted = DOUBT_AGAIN;
        return 1;
    }
    f->doubted -= f->doubted != 0u;
    return 0;
}

uint32_t tci_feet_base_correct(tc_feet *f, const tc_feet_sensors *s)
{
    if (f->robot->root == TC_ROBOT_FIXED) {
        return 0;
    }
    for (uint32_t k = 0; k < f->robot->limbs; ++k) {
        if (s->lost[k] <= TCI_FEET_LOST_MOST) {
            hear_foot(f, k);
        }
    }
    if (s->given & TC_FEET_BASE_VELOCITY) {
        const tc_real *const v = s->base_velocity, *const variance = s->base_velocity_variance;
        correct_flat(f, v[0], v[1], TC_C(0.5) * (variance[0] + variance[1]));
        correct_up(f, 1, v[2], variance[2]);
    }
    return doubt_base(f);
}

/* Far from where it began, numbers of float are coarse: all places move back together. */
static void move_origin(tc_feet *f)
{
    for (uint32_t i = 0; i < 2u; ++i) {
        if (tc_vec_magnitude(f->place[i]) > FAR_AWAY) {
            for (uint32_t k = 0; k < f->robot->limbs; ++k) {
                tci_feet_limb_of(f, k)->step[i] -= f->place[i];
            }
            f->place[i] = TC_C(0.0);
        }
    }
}

void tci_feet_base_lean(tc_feet *f, const tci_feet_tick *t)
{
    const uint32_t count = f->robot->limbs;
    tc_real mean[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, xz = TC_C(0.0), yz = TC_C(0.0);
    f->place[0] = TC_MLA(f->place[0], t->H, f->velocity[0]);
    f->place[1] = TC_MLA(f->place[1], t->H, f->velocity[1]);
    move_origin(f);
    if (count < 3u) {
        return;
    }
    const tc_real part = count == 3u ? TC_C(0.33333333333333333) : TC_C(0.25);
    for (uint32_t k = 0; k < count; ++k) {
        const tci_feet_limb *const l = tci_feet_limb_of(f, k);
        mean[0] = TC_MLA(mean[0], part, l->step[0]);
        mean[1] = TC_MLA(mean[1], part, l->step[1]);
        mean[2] = TC_MLA(mean[2], part, l->floor);
    }
    tc_real xx = f->config->stance * f->config->stance, xy = TC_C(0.0), yy = xx;
    for (uint32_t k = 0; k < count; ++k) {
        const tci_feet_limb *const l = tci_feet_limb_of(f, k);
        const tc_real x = l->step[0] - mean[0], y = l->step[1] - mean[1], z = l->floor - mean[2];
        xx = TC_MLA(xx, x, x);
        xy = TC_MLA(xy, x, y);
        yy = TC_MLA(yy, y, y);
        xz = TC_MLA(xz, x, z);
        yz = TC_MLA(yz, y, z);
    }
    const tc_real inverse = TC_C(1.0) / TC_MLS(xx * yy, xy, xy),
                  pace = f->config->slope_rate * t->H;
    const tc_real a = TC_MLS(yy * xz, xy, yz) * inverse, b = TC_MLS(xx * yz, xy, xz) * inverse;
    f->slope[0] = TC_MLA(f->slope[0], pace, a - f->slope[0]);
    f->slope[1] = TC_MLA(f->slope[1], pace, b - f->slope[1]);
}
