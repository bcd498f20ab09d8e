/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Legs and configurations to bytes and back, by one walk (tc_cursor.h). A field that
 * tc_estimator_config gains belongs into walk_config, docs/reference/wire.md and, as older records
 * do not have it, a new version; the assertion below reminds of it.
 */
#include "tc_exact.h"
#include "tc_estimator_record.h"

#include "tc_cursor.h"

#define MAGIC 0x1A4C4354u /* "TCL" 0x1A */

/* tc_real as float. */
static void store_reals(tc_cursor *c, tc_real *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        float value = (float)values[i];
        tc_cursor_reals(c, &value, 1);
        values[i] = (tc_real)value;
    }
}

static void walk_link(tc_cursor *c, tc_leg_link *link)
{
    link->joint = (tc_chain_joint)tc_cursor_choice(c, 4, (uint32_t)link->joint, TC_CHAIN_REVOLUTE,
                                                   TC_CHAIN_FREE);
    store_reals(c, &link->body.mass, 1);
    store_reals(c, &link->body.inertia, 1);
    store_reals(c, link->anchor, 2);
    store_reals(c, link->arm, 2);
    store_reals(c, link->axis, 2);
    store_reals(c, &link->rest, 1);
    store_reals(c, &link->rotor, 1);
    store_reals(c, &link->damping, 1);
}

static void walk_config(tc_cursor *c, tc_estimator_config *f)
{
    tc_real *const numbers[] = {&f->step,
                                &f->torque_part,
                                &f->torque_gain,
                                &f->bias_part,
                                &f->lost_scale,
                                &f->gyro_noise,
                                &f->accel_noise,
                                &f->accel_bias,
                                &f->accel_drift,
                                &f->base_velocity_noise,
                                &f->touch_reliability,
                                &f->levelling,
                                &f->torque_limit,
                                &f->gyro_limit,
                                &f->accel_limit,
                                &f->start_speed,
                                &f->force,
                                &f->stick_speed,
                                &f->normal_speed,
                                &f->friction,
                                &f->friction_spread,
                                &f->friction_least,
                                &f->friction_width,
                                &f->touch_down_least,
                                &f->floor_spread,
                                &f->land_stick,
                                &f->land_free,
                                &f->lift_off,
                                &f->lift_off_light,
                                &f->lift_off_rising,
                                &f->light,
                                &f->rise,
                                &f->keep,
                                &f->distrust,
                                &f->on,
                                &f->off,
                                &f->foot_speed,
                                &f->foot_height,
                                &f->bounce,
                                &f->doubt,
                                &f->settle};
    _Static_assert(sizeof *f / sizeof(tc_real) == TC_COUNT(numbers) + 2u * TC_LEG_JOINTS + 1u,
                   "a field of tc_estimator_config is missing here, or is here twice");
    store_reals(c, f->encoder_step, TC_LEG_JOINTS);
    store_reals(c, f->torque_noise, TC_LEG_JOINTS);
    tc_cursor_word(c, &f->frozen);
    for (uint32_t i = 0; i < TC_COUNT(numbers); i++) {
        store_reals(c, numbers[i], 1);
    }
}

static void walk_record(tc_cursor *c, tc_estimator_record *r)
{
    uint32_t magic = MAGIC, version = TC_ESTIMATOR_RECORD_VERSION, root = (uint32_t)r->leg.root;
    tc_cursor_word(c, &magic);
    tc_cursor_require(c, magic == MAGIC, TC_ERR_MODEL_MAGIC);
    tc_cursor_number(c, 2, &version);
    tc_cursor_require(c, version == TC_ESTIMATOR_RECORD_VERSION, TC_ERR_MODEL_VERSION);
    tc_cursor_number(c, 1, &r->leg.joints);
    tc_cursor_number(c, 1, &root);
    tc_cursor_require(c, r->leg.joints >= 1u && r->leg.joints <= TC_LEG_JOINTS, TC_ERR_RANGE);
    tc_cursor_require(c, root <= TC_LEG_FLOATING, TC_ERR_UNSUPPORTED); /* as tc_leg_check has it */
    r->leg.root = (tc_leg_root)(root <= TC_LEG_FLOATING ? root : TC_LEG_FIXED);
    store_reals(c, &r->leg.g, 1);
    store_reals(c, r->leg.foot, 2);
    store_reals(c, &r->leg.radius, 1);
    for (uint32_t i = 0; i < TC_LEG_JOINTS && c->status == TC_OK && i < r->leg.joints; i++) {
        walk_link(c, &r->links[i]);
    }
    walk_config(c, &r->config);
}

tc_status tc_estimator_record_read(const uint8_t *bytes, size_t n, tc_estimator_record *record)
{
    if (record == NULL) {
        return TC_ERR_NULL;
    }
    memset(record, 0, sizeof *record);
    if (bytes == NULL) {
        return TC_ERR_NULL;
    }
    tc_cursor c = {.from = bytes,
                   .length = n < TC_ESTIMATOR_RECORD_MAX ? (uint32_t)n : TC_ESTIMATOR_RECORD_MAX};
    walk_record(&c, record);
    tc_cursor_require(&c, c.at == n, TC_ERR_SIZE);
    record->leg.links = record->links;
    if (c.status != TC_OK) {
        memset(record, 0, sizeof *record);
    }
    return c.status;
}

size_t tc_estimator_record_write(const tc_leg *leg, const tc_estimator_config *config,
                                 uint8_t *bytes, size_t bytes_len)
{
    tc_estimator_record record = {.leg = *leg, .config = *config};
    const uint32_t most = TC_ESTIMATOR_RECORD_MAX;
    tc_cursor c = {.to = bytes, .length = bytes_len < most ? (uint32_t)bytes_len : most};
    for (uint32_t i = 0; i < TC_LEG_JOINTS && i < leg->joints; i++) {
        record.links[i] = leg->links[i];
    }
    walk_record(&c, &record);
    return c.status == TC_OK ? c.at : 0u;
}
