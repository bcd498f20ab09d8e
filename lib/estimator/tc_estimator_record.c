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
#include "tc_math.h"
#include "tc_vec.h"

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

/* Of `from`, and when reading to `to`, which may be the same */
static void walk_part(tc_cursor *c, uint32_t i, const tc_estimator_record_ground *from,
                      tc_estimator_record_ground *to)
{
    tc_real numbers[TC_SDF_SIZES + 3u];
    memcpy(numbers, from->shape[i].size, TC_SDF_SIZES * sizeof *numbers);
    memcpy(numbers + TC_SDF_SIZES, from->part[i].position, 3u * sizeof *numbers);
    const uint32_t kind = tc_cursor_choice(
        c, 4, (uint32_t)from->kind[i], TC_ESTIMATOR_RECORD_HALFSPACE, TC_ESTIMATOR_RECORD_CYLINDER);
    store_reals(c, numbers, TC_COUNT(numbers));
    if (to != NULL) {
        to->kind[i] = (tc_estimator_record_part)kind;
        memcpy(to->shape[i].size, numbers, TC_SDF_SIZES * sizeof *numbers);
        memcpy(to->part[i].position, numbers + TC_SDF_SIZES, 3u * sizeof *numbers);
    }
}

/* A ground ends the record; without one there is nothing, as in records before it. */
static void walk_ground(tc_cursor *c, const tc_estimator_record_ground *from,
                        tc_estimator_record_ground *to)
{
    uint32_t count = from->count;
    tc_real axes[9];
    memcpy(axes, from->section.origin, 3u * sizeof *axes);
    memcpy(axes + 3, from->section.along, 3u * sizeof *axes);
    memcpy(axes + 6, from->section.up, 3u * sizeof *axes);
    tc_cursor_number(c, 4, &count);
    tc_cursor_require(c, count - 1u < TC_SDF_PARTS, TC_ERR_SIZE);
    store_reals(c, axes, TC_COUNT(axes));
    if (to != NULL) {
        to->count = count;
        memcpy(to->section.origin, axes, 3u * sizeof *axes);
        memcpy(to->section.along, axes + 3, 3u * sizeof *axes);
        memcpy(to->section.up, axes + 6, 3u * sizeof *axes);
    }
    for (uint32_t i = 0; i < TC_SDF_PARTS && c->status == TC_OK && i < count; i++) {
        walk_part(c, i, from, to);
    }
}

/* What a record has without a ground. */
typedef struct record_leg {
    tc_leg leg;
    tc_leg_link links[TC_LEG_JOINTS];
    tc_estimator_config config;
} record_leg;

static void walk_record(tc_cursor *c, tc_leg *leg, tc_leg_link *links, tc_estimator_config *config)
{
    uint32_t magic = MAGIC, version = TC_ESTIMATOR_RECORD_VERSION, root = (uint32_t)leg->root;
    tc_cursor_word(c, &magic);
    tc_cursor_require(c, magic == MAGIC, TC_ERR_MODEL_MAGIC);
    tc_cursor_number(c, 2, &version);
    tc_cursor_require(c, version == TC_ESTIMATOR_RECORD_VERSION, TC_ERR_MODEL_VERSION);
    tc_cursor_number(c, 1, &leg->joints);
    tc_cursor_number(c, 1, &root);
    tc_cursor_require(c, leg->joints >= 1u && leg->joints <= TC_LEG_JOINTS, TC_ERR_RANGE);
    tc_cursor_require(c, root <= TC_LEG_FLOATING, TC_ERR_UNSUPPORTED); /* as tc_leg_check has it */
    leg->root = (tc_leg_root)(root <= TC_LEG_FLOATING ? root : TC_LEG_FIXED);
    store_reals(c, &leg->g, 1);
    store_reals(c, leg->foot, 2);
    store_reals(c, &leg->radius, 1);
    for (uint32_t i = 0; i < TC_LEG_JOINTS && c->status == TC_OK && i < leg->joints; i++) {
        walk_link(c, &links[i]);
    }
    walk_config(c, config);
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
    walk_record(&c, &record->leg, record->links, &record->config);
    if (c.status == TC_OK && c.at < n) {
        walk_ground(&c, &record->ground, &record->ground);
    }
    tc_cursor_require(&c, c.at == n, TC_ERR_SIZE);
    record->leg.links = record->links;
    if (c.status == TC_OK) {
        c.status = tc_estimator_record_ground_join(&record->ground);
    }
    if (c.status != TC_OK) {
        memset(record, 0, sizeof *record);
    }
    return c.status;
}

static tc_status check_axes(const tc_ground2 *section)
{
    const tc_real *const along = section->along, *const up = section->up;
    if (!tc_all_finite(section->origin, 3) || !tc_all_finite(along, 3) || !tc_all_finite(up, 3)) {
        return TC_ERR_NOT_FINITE;
    }
    const int orthogonal = tc_vec_magnitude(tc_vec_dot3(along, up)) <= TC_UNIT_TOLERANCE;
    return orthogonal && tc_vec_is_unit(along, 3) && tc_vec_is_unit(up, 3) ? TC_OK : TC_ERR_UNIT;
}

tc_status tc_estimator_record_ground_join(tc_estimator_record_ground *ground)
{
    static const tc_sdf_kind *const kinds[] = {&tc_sdf_halfspace, &tc_sdf_sphere, &tc_sdf_capsule,
                                               &tc_sdf_box, &tc_sdf_cylinder};
    if (ground == NULL) {
        return TC_ERR_NULL;
    }
    if (ground->count == 0u) {
        return TC_OK;
    }
    if (ground->count > TC_SDF_PARTS) {
        return TC_ERR_SIZE;
    }
    for (uint32_t i = 0; i < ground->count; i++) {
        if ((uint32_t)ground->kind[i] >= TC_COUNT(kinds)) {
            return TC_ERR_RANGE;
        }
        ground->shape[i].kind = kinds[ground->kind[i]];
        ground->shape[i].data_ref = NULL;
        ground->part[i].shape_ref = &ground->shape[i];
        ground->part[i].rotation_ref = NULL;
    }
    ground->parts = (tc_sdf_parts){ground->part, ground->count};
    ground->whole = (tc_sdf)TC_SDF_DATA(tc_sdf_union, &ground->parts);
    ground->section.shape_ref = &ground->whole;
    const tc_status status = check_axes(&ground->section);
    return status < TC_OK ? status : tc_sdf_check(&ground->whole);
}

size_t tc_estimator_record_write(const tc_leg *leg, const tc_estimator_config *config,
                                 uint8_t *bytes, size_t bytes_len)
{
    /* not a record, whose ground would lie on the stack */
    record_leg record = {.leg = *leg, .config = *config};
    const uint32_t most = TC_ESTIMATOR_RECORD_MAX;
    tc_cursor c = {.to = bytes, .length = bytes_len < most ? (uint32_t)bytes_len : most};
    for (uint32_t i = 0; i < TC_LEG_JOINTS && i < leg->joints; i++) {
        record.links[i] = leg->links[i];
    }
    walk_record(&c, &record.leg, record.links, &record.config);
    return c.status == TC_OK ? c.at : 0u;
}

size_t tc_estimator_record_append(const tc_estimator_record_ground *ground, uint8_t *bytes,
                                  size_t size, size_t bytes_len)
{
    const uint32_t most = TC_ESTIMATOR_RECORD_MAX;
    const uint32_t length = bytes_len < most ? (uint32_t)bytes_len : most;
    if (ground == NULL || bytes == NULL || size == 0u || size > length) {
        return 0u;
    }
    tc_cursor c = {.to = bytes, .at = (uint32_t)size, .length = length};
    walk_ground(&c, ground, NULL);
    return c.status == TC_OK ? c.at : 0u;
}
