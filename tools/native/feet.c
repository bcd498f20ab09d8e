/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Whole episodes through the estimator of all feet.
 */
#include "feet.h"

#include "tc_feet_internal.h"
#include "tc_feet_predict.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const tc_real HORIZON = TC_C(0.1); /* [s] of predictions */

/* The numbers of a configuration by name; `count` of them in a row. */
typedef struct number {
    const char *name;
    size_t offset, count;
} number;

#define NUMBER(name) {#name, offsetof(tc_feet_config, name), 1}
#define NUMBERS(name)                                                                              \
    {#name, offsetof(tc_feet_config, name), sizeof(((tc_feet_config *)0)->name) / sizeof(tc_real)}

static const number numbers[] = {NUMBER(step),
                                 NUMBERS(encoder_step),
                                 NUMBERS(torque_noise),
                                 NUMBER(encoder_scale),
                                 NUMBER(torque_part),
                                 NUMBER(torque_gain),
                                 NUMBER(bias_part),
                                 NUMBER(lost_scale),
                                 NUMBER(accel_noise),
                                 NUMBER(accel_drift),
                                 NUMBER(touch_reliability),
                                 NUMBER(levelling),
                                 NUMBER(torque_limit),
                                 NUMBER(gyro_limit),
                                 NUMBER(accel_limit),
                                 NUMBERS(torque_unknown),
                                 NUMBER(stop_margin),
                                 NUMBER(singular),
                                 NUMBER(force),
                                 NUMBER(free_force),
                                 NUMBER(normal_speed),
                                 NUMBER(stick_speed),
                                 NUMBER(slide_part),
                                 NUMBER(friction),
                                 NUMBER(floor_spread),
                                 NUMBER(touch_down_least),
                                 NUMBER(land_free),
                                 NUMBER(lift_off),
                                 NUMBER(lift_off_light),
                                 NUMBER(lift_off_rising),
                                 NUMBER(light),
                                 NUMBER(rise),
                                 NUMBER(keep),
                                 NUMBER(distrust),
                                 NUMBER(on),
                                 NUMBER(off),
                                 NUMBER(rest),
                                 NUMBER(force_rate),
                                 NUMBER(odometry),
                                 NUMBER(foot_speed),
                                 NUMBER(settle),
                                 NUMBER(foot_height),
                                 NUMBER(doubt),
                                 NUMBER(opposes),
                                 NUMBER(slope_rate),
                                 NUMBER(stance)};

/* 1 if `name` is a field, set to `value`; all of a field that has many. Two fields are counts. */
static int set(tc_feet_config *config, const char *name, double value)
{
    if (strcmp(name, "frozen") == 0 || strcmp(name, "torqueless") == 0) {
        *(name[0] == 'f' ? &config->frozen : &config->torqueless) = (uint32_t)value;
        return 1;
    }
    for (size_t i = 0; i < TC_COUNT(numbers); i++) {
        if (strcmp(numbers[i].name, name) == 0) {
            tc_real *const place = (tc_real *)(void *)((char *)config + numbers[i].offset);
            for (size_t k = 0; k < numbers[i].count; k++) {
                place[k] = (tc_real)value;
            }
            return 1;
        }
    }
    return 0;
}

static void copy(const double *from, tc_real *to, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (tc_real)from[i];
    }
}

static void give(const tc_real *from, double *to, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (double)from[i];
    }
}

/* A robot and its links, which points into itself */
typedef struct taken {
    tc_robot robot;
    tc_robot_limb limb[TC_ROBOT_LIMBS];
    tc_robot_link links[TC_ROBOT_LIMBS][TC_ROBOT_JOINTS];
    tc_feet_config config;
} taken;

static void take_link(const native_feet_link *from, tc_robot_link *to)
{
    to->joint = (tc_chain_joint)from->joint;
    copy(from->axis, to->axis, 3);
    copy(from->origin, to->origin, 3);
    to->mass = (tc_real)from->mass;
    copy(from->com, to->com, 3);
    copy(from->inertia, to->inertia, 6);
    to->rotor = (tc_real)from->rotor;
    to->damping = (tc_real)from->damping;
    copy(from->range, to->range, 2);
}

static tc_status take_robot(const native_feet_robot *from, taken *to)
{
    if (from->limbs > TC_ROBOT_LIMBS) {
        return TC_ERR_SIZE;
    }
    to->robot = (tc_robot){.root = (tc_robot_root)from->root,
                           .limbs = from->limbs,
                           .limb = to->limb,
                           .g = (tc_real)from->g,
                           .mass = (tc_real)from->mass};
    copy(from->imu, to->robot.imu, 3);
    copy(from->imu_axes, to->robot.imu_axes, 9);
    for (uint32_t k = 0; k < from->limbs; k++) {
        const native_feet_limb *const limb = &from->limb[k];
        if (limb->joints > TC_ROBOT_JOINTS) {
            return TC_ERR_SIZE;
        }
        to->limb[k] = (tc_robot_limb){
            .joints = limb->joints, .links = to->links[k], .radius = (tc_real)limb->radius};
        copy(limb->foot, to->limb[k].foot, 3);
        for (uint32_t i = 0; i < limb->joints; i++) {
            take_link(&limb->links[i], &to->links[k][i]);
        }
    }
    return TC_OK;
}

/* Dry friction counts as noise of a torque. */
static void take_friction(const native_feet_robot *from, tc_feet_config *config)
{
    for (uint32_t k = 0; k < from->limbs; k++) {
        for (uint32_t i = 0; i < from->limb[k].joints; i++) {
            const double friction = from->limb[k].links[i].friction;
            tc_real *const noise = &config->torque_noise[k][i];
            if (friction > 0.0) {
                *noise = tc_sqrt(*noise * *noise + (tc_real)(friction * friction));
            }
        }
    }
}

static tc_status take(const native_feet_robot *robot, const native_feet_sensing *seen,
                      const native_feet_setting *settings, uint32_t count, taken *to,
                      uint32_t *wrong)
{
    const tc_feet_sensing sensing = {.encoder_counts = (tc_real)seen->encoder_counts,
                                     .encoder_noise = (tc_real)seen->encoder_noise,
                                     .torque_noise = (tc_real)seen->torque_noise,
                                     .torque_gain = (tc_real)seen->torque_gain,
                                     .accel_noise = (tc_real)seen->accel_noise,
                                     .torque_limit = (tc_real)seen->torque_limit,
                                     .gyro_limit = (tc_real)seen->gyro_limit,
                                     .accel_limit = (tc_real)seen->accel_limit};
    tc_status status = take_robot(robot, to);
    *wrong = count;
    if (status == TC_OK) {
        status = tc_feet_default_for(&to->robot, (tc_real)seen->tick, &sensing, &to->config);
    }
    if (status == TC_OK) {
        take_friction(robot, &to->config);
    }
    for (uint32_t i = 0; i < count && status == TC_OK; i++) {
        if (!set(&to->config, settings[i].name, settings[i].value)) {
            *wrong = i;
            status = TC_ERR_RANGE;
        }
    }
    return status;
}

static void read_row(const float *from, uint32_t tick, uint32_t n, tc_real *to)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (tc_real)from[tick * n + i];
    }
}

static void read_limbs(const native_feet_sensors *from, const tc_robot *robot, uint32_t tick,
                       tc_feet_sensors *to)
{
    uint32_t joints = 0, at = 0;
    for (uint32_t k = 0; k < robot->limbs; k++) {
        joints += robot->limb[k].joints;
    }
    for (uint32_t k = 0; k < robot->limbs; k++) {
        for (uint32_t i = 0; i < robot->limb[k].joints; i++, at++) {
            to->encoder[k][i] = (tc_real)from->encoder[tick * joints + at];
            to->torque[k][i] = (tc_real)from->torque[tick * joints + at];
        }
    }
}

/* The sensors of a tick; of a lost one those of the tick before stay */
static void read_sensors(const native_feet_sensors *from, const tc_robot *robot, uint32_t tick,
                         tc_feet_sensors *to)
{
    uint32_t lost = 0;
    for (uint32_t k = 0; k < robot->limbs; k++) {
        const int missing = from->lost != NULL && from->lost[tick * robot->limbs + k] > 0.5f;
        to->lost[k] = missing ? to->lost[k] + 1u : 0u;
        lost += missing ? 1u : 0u;
    }
    if (lost == robot->limbs) {
        return;
    }
    read_limbs(from, robot, tick, to);
    read_row(from->gyro, tick, 3, to->gyro);
    read_row(from->accel, tick, 3, to->accel);
    to->given = 0;
    if (from->attitude != NULL) {
        read_row(from->attitude, tick, 4, to->attitude);
        to->given |= TC_FEET_ATTITUDE;
    }
    if (from->base_velocity != NULL) {
        for (uint32_t i = 0; i < 3u; i++) {
            to->base_velocity[i] = (tc_real)from->base_velocity[tick * 6u + i];
            to->base_velocity_variance[i] = (tc_real)from->base_velocity[tick * 6u + 3u + i];
        }
        to->given |= TC_FEET_BASE_VELOCITY;
    }
    if (from->touch != NULL) {
        read_row(from->touch, tick, robot->limbs, to->touch);
        to->given |= TC_FEET_TOUCH(0) * ((1u << robot->limbs) - 1u);
    }
}

static void write_next(const tc_feet *f, uint32_t k, native_feet_foot *to)
{
    tc_feet_prediction next;
    const tc_status status = tc_feet_predict(f, k, HORIZON, &next);
    const int known = status >= TC_OK && next.kind == TC_FEET_PREDICT_TOUCH_DOWN;
    to->ahead = known ? (double)next.time : (double)NAN;
    to->early = known ? (double)next.early : (double)NAN;
    to->late = known ? (double)next.late : (double)NAN;
}

static void write_foot(const tc_feet *f, uint32_t k, const tc_feet_foot *from, native_feet_foot *to)
{
    const tci_feet_limb *const l = tci_feet_limb_of(f, k);
    give(from->p, to->p, 3);
    give(from->impulse, to->impulse, 3);
    give(from->impulse_variance, to->impulse_variance, 3);
    give(from->slip, to->slip, 2);
    to->slip_variance = (double)from->slip_variance;
    to->friction = (double)from->friction;
    to->since = (double)from->since;
    give(l->p, to->modes, TC_FEET_MODES);
    give(l->load, to->load, 3);
    give(l->scale, to->scale, TC_ROBOT_JOINTS);
    to->contact = from->contact;
    to->flags = from->flags;
    write_next(f, k, to);
}

static void write_row(const tc_feet *f, const tc_feet_estimate *from, native_feet_estimate *to)
{
    for (uint32_t k = 0; k < f->robot->limbs; k++) {
        write_foot(f, k, &from->foot[k], &to->foot[k]);
    }
    give(from->velocity, to->velocity, 3);
    give(from->velocity_variance, to->velocity_variance, 2);
    to->height = (double)from->height;
    give(from->slope, to->slope, 2);
    give(f->attitude, to->attitude, 4);
    to->noise = (double)f->noise;
    to->flags = from->flags;
}

/* A tick that was refused: the row before, flagged */
static void repeat_row(native_feet_estimate *rows, uint32_t tick, uint32_t limbs)
{
    if (tick > 0u) {
        rows[tick] = rows[tick - 1u];
    }
    rows[tick].flags |= TC_FEET_STALE;
    for (uint32_t k = 0; k < limbs; k++) {
        rows[tick].foot[k].flags |= TC_FEET_STALE;
    }
}

int32_t native_feet_run(const native_feet_robot *robot, const native_feet_sensing *sensing,
                        const native_feet_setting *settings, uint32_t count,
                        const native_feet_sensors *sensors, uint32_t ticks,
                        native_feet_estimate *rows, uint32_t *wrong)
{
    static const tc_feet_sensors nothing;
    tc_real state[TC_FEET_STATE(TC_ROBOT_LIMBS)], work[TC_FEET_WORK];
    tc_feet_sensors now = nothing;
    tc_feet_estimate estimate;
    tc_feet f;
    taken its;
    tc_status status = take(robot, sensing, settings, count, &its, wrong);
    if (status < 0 || ticks == 0u) {
        return status < 0 ? status : TC_ERR_SIZE;
    }
    read_sensors(sensors, &its.robot, 0, &now);
    memset(now.lost, 0, sizeof now.lost);
    status = tc_feet_init(&f, &its.config, &its.robot, &now, state, TC_COUNT(state));
    for (uint32_t t = 0; t < ticks && status >= TC_OK; t++) {
        read_sensors(sensors, &its.robot, t, &now);
        const tc_status done = tc_feet_update(&f, &now, &estimate, work, TC_COUNT(work));
        if (done >= TC_OK) {
            write_row(&f, &estimate, &rows[t]);
        } else {
            repeat_row(rows, t, its.robot.limbs);
        }
        rows[t].status = done;
    }
    return status;
}

const char *native_feet_field(uint32_t k, uint32_t *count)
{
    *count = k < TC_COUNT(numbers) ? (uint32_t)numbers[k].count : 0u;
    return k < TC_COUNT(numbers) ? numbers[k].name : NULL;
}

void native_feet_sizes(uint32_t sizes[6])
{
    sizes[0] = (uint32_t)sizeof(native_feet_robot);
    sizes[1] = (uint32_t)sizeof(native_feet_sensing);
    sizes[2] = (uint32_t)sizeof(native_feet_sensors);
    sizes[3] = (uint32_t)sizeof(native_feet_estimate);
    sizes[4] = (uint32_t)(sizeof(tc_real) * TC_FEET_STATE(TC_ROBOT_LIMBS));
    sizes[5] = (uint32_t)(sizeof(tc_real) * TC_FEET_WORK);
}
