/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Whole episodes through the contact estimator.
 */
#include "estimator.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a configuration by name; `count` of them in a row. */
typedef struct field {
    const char *name;
    size_t offset, count;
} field;

#define ONE(name) {#name, offsetof(tc_estimator_config, name), 1}
#define EACH(name)                                                                                 \
    {#name, offsetof(tc_estimator_config, name), TC_COUNT(((tc_estimator_config *)0)->name)}

static const field fields[] = {ONE(step),
                               EACH(encoder_step),
                               EACH(torque_noise),
                               ONE(torque_part),
                               ONE(torque_gain),
                               ONE(bias_part),
                               ONE(lost_scale),
                               ONE(gyro_noise),
                               ONE(accel_noise),
                               ONE(accel_bias),
                               ONE(accel_drift),
                               ONE(base_velocity_noise),
                               ONE(touch_reliability),
                               ONE(levelling),
                               ONE(torque_limit),
                               ONE(gyro_limit),
                               ONE(accel_limit),
                               ONE(force),
                               ONE(stick_speed),
                               ONE(normal_speed),
                               ONE(friction),
                               ONE(friction_spread),
                               ONE(friction_least),
                               ONE(friction_width),
                               ONE(start_speed),
                               ONE(doubt),
                               ONE(settle),
                               ONE(bounce),
                               ONE(land_stick),
                               ONE(land_free),
                               ONE(touch_down_least),
                               ONE(floor_spread),
                               ONE(lift_off),
                               ONE(lift_off_light),
                               ONE(lift_off_rising),
                               ONE(light),
                               ONE(rise),
                               ONE(keep),
                               ONE(distrust),
                               ONE(on),
                               ONE(off),
                               ONE(foot_speed),
                               ONE(foot_height)};

/* 1 if `name` is a field, set to `value`; "frozen" is a count and not a number */
static int set(tc_estimator_config *config, const char *name, double value)
{
    const size_t length = strcspn(name, "[");
    if (strcmp(name, "frozen") == 0) {
        config->frozen = (uint32_t)value;
        return 1;
    }
    for (size_t i = 0; i < TC_COUNT(fields); i++) {
        if (strncmp(fields[i].name, name, length) != 0 || fields[i].name[length] != '\0') {
            continue;
        }
        tc_real *const numbers = (tc_real *)(void *)((char *)config + fields[i].offset);
        const size_t first = name[length] == '[' ? strtoul(name + length + 1u, NULL, 10) : 0u;
        const size_t last = name[length] == '[' ? first + 1u : fields[i].count;
        for (size_t k = first; k < last && k < fields[i].count; k++) {
            numbers[k] = (tc_real)value;
        }
        return first < fields[i].count;
    }
    return 0;
}

static void copy_pair(const double from[2], tc_real to[2])
{
    to[0] = (tc_real)from[0];
    to[1] = (tc_real)from[1];
}

static void copy_link(const native_leg_link *from, tc_leg_link *to)
{
    memset(to, 0, sizeof *to);
    to->body.mass = (tc_real)from->mass;
    to->body.inertia = (tc_real)from->inertia;
    to->joint = (tc_chain_joint)from->joint;
    copy_pair(from->anchor, to->anchor);
    copy_pair(from->arm, to->arm);
    copy_pair(from->axis, to->axis);
    to->rest = (tc_real)from->rest;
    to->rotor = (tc_real)from->rotor;
    to->damping = (tc_real)from->damping;
}

static void read_tick(const native_sensors *from, uint32_t joints, uint32_t tick,
                      tc_estimator_sensors *to)
{
    memset(to, 0, sizeof *to);
    for (uint32_t i = 0; i < joints; i++) {
        to->encoder[i] = (tc_real)from->encoder[tick * joints + i];
        to->torque[i] = (tc_real)from->torque[tick * joints + i];
    }
    to->gyro = (tc_real)from->gyro[tick];
    to->accel[0] = (tc_real)from->accel[2u * tick];
    to->accel[1] = (tc_real)from->accel[2u * tick + 1u];
    to->pitch = from->pitch == NULL ? 0 : (tc_real)from->pitch[tick];
    to->base_velocity = from->base_velocity == NULL ? 0 : (tc_real)from->base_velocity[tick];
    to->touch = from->touch == NULL ? 0 : (tc_real)from->touch[tick];
    to->place = from->place == NULL ? 0 : (tc_real)from->place[tick];
    to->given = (from->place == NULL ? 0u : TC_GIVEN_PLACE)
                | (from->pitch == NULL ? 0u : TC_GIVEN_PITCH)
                | (from->base_velocity == NULL ? 0u : TC_GIVEN_BASE_VELOCITY)
                | (from->touch == NULL ? 0u : TC_GIVEN_TOUCH);
}

static void write_tick(const tc_estimator *e, const tc_estimator_estimate *from,
                       native_estimate *to)
{
    for (uint32_t i = 0; i < 3u; i++) {
        to->p[i] = from->p[i];
        to->vertical[i] = e->vertical[i];
    }
    for (uint32_t i = 0; i < 2u; i++) {
        to->impulse[i] = from->impulse[i];
        to->impulse_variance[i] = from->impulse_variance[i];
        to->horizontal[i] = e->horizontal[i];
    }
    for (uint32_t i = 0; i < TC_ESTIMATOR_MODES; i++) {
        to->modes[i] = e->p[i];
    }
    to->slip = from->slip;
    to->slip_variance = from->slip_variance;
    to->since = from->since;
    to->friction = e->friction;
    to->friction_variance = e->friction_variance;
    for (uint32_t i = 0; i < e->leg->joints; i++) {
        to->scale[i] = e->scale[i];
    }
    to->contact = from->contact;
    to->flags = from->flags;
}

/* The estimate of a sample is published a tick after it was taken. */
static void predict(const tc_estimator *e, native_estimate *to)
{
    const tc_real horizon = TC_C(0.05);
    const double H = e->config->step;
    tc_estimator_prediction p;
    to->ahead = to->early = to->late = NAN;
    if (e->contact == 0u && tc_estimator_predict(e, horizon, 1000u, &p) == TC_OK
        && p.kind == TC_ESTIMATOR_PREDICT_TOUCH_DOWN) {
        to->ahead = (double)p.time - H;
        to->early = (double)p.early - H;
        to->late = (double)p.late - H;
    }
}

/* ---- The law --------------------------------------------------------------------------------- */

/* A foot whose queries are noted. */
typedef struct noted {
    tc_model file;
    tc_learned2_nets nets;
    tc_learned2_model model; /* of the model; without one `classify` is null */
    tc_estimator_foot foot;  /* this, and behind it the model's */
    tc_estimator_model asked;
    float *features; /* of the tick, or null */
} noted;

static tc_status note(const void *context, const tc_learned2_query *query, tc_real *probability,
                      tc_real *work)
{
    const noted *const n = context;
    tc_real x[TC_LEARNED2_FEATURES_MAX];
    const uint32_t count = tc_learned2_features(query, TC_LEARNED_FEATURE_ALL, x);
    for (uint32_t i = 0; n->features != NULL && i < count; i++) {
        n->features[i] = (float)x[i];
    }
    return n->model.classify == NULL
               ? TC_ERR_UNSUPPORTED
               : n->model.classify(n->model.context, query, probability, work);
}

static tc_status pass_on(const void *context, const tc_learned2_query *query, tc_real *ratio,
                         tc_real *work)
{
    const noted *const n = context;
    return n->model.ratio(n->model.context, query, ratio, work);
}

/* The law of a model, if there is one, behind the notes. */
static tc_status open_law(noted *n, const native_law *from, const tc_leg *leg, tc_real step)
{
    tc_status status = TC_OK;
    memset(n, 0, sizeof *n);
    if (from->model != NULL) {
        status = tc_model_open(&n->file, from->model, from->size);
        status = status == TC_OK ? tc_estimator_foot_open(&n->foot, &n->nets, &n->file, leg, step)
                                 : status;
        n->model = n->foot.model;
    }
    n->features = from->features;
    n->foot.body = leg->links[leg->joints - 1u].body;
    n->foot.model = (tc_learned2_model){note, pass_on, n, n->model.work_len};
    n->asked = tc_estimator_foot_model(&n->foot);
    return status;
}

/* ---- Episodes -------------------------------------------------------------------------------- */

static void run(tc_estimator *e, noted *law, const native_sensors *sensors, uint32_t ticks,
                native_estimate *rows)
{
    const uint32_t n = e->leg->joints;
    tc_real work[TC_ESTIMATOR_WORK(TC_LEG_JOINTS, TC_LEARNED2_NETS_WORK(TC_NET_WIDTH_MAX))];
    tc_estimator_sensors now;
    tc_estimator_estimate estimate;
    uint32_t lost = 0;
    memset(rows, 0, ticks * sizeof *rows);
    for (uint32_t k = 0; k < ticks; k++) {
        tc_status status = TC_OK;
        int missing = sensors->lost != NULL && sensors->lost[k] > 0.5f;
        if (!missing) {
            read_tick(sensors, n, k, &now);
            now.lost = lost;
            status = tc_estimator_update(e, &now, &estimate, work, TC_COUNT(work));
            missing = status < 0;
        }
        if (missing) {
            lost++;
            rows[k] = rows[k == 0u ? 0u : k - 1u];
            rows[k].flags |= TC_ESTIMATE_STALE;
        } else {
            lost = 0;
            write_tick(e, &estimate, &rows[k]);
            predict(e, &rows[k]);
        }
        rows[k].status = status;
        law->features += law->features == NULL ? 0 : TC_LEARNED2_FEATURES_MAX;
    }
}

/* A leg and what its configuration is made for, from what Python says */
static tc_status take_leg(const native_leg *from, const native_sensing *seen, tc_leg *leg,
                          tc_leg_link links[TC_LEG_JOINTS], tc_leg_sensing *sensing)
{
    if (from->joints - 1u >= TC_LEG_JOINTS) {
        return TC_ERR_SIZE;
    }
    for (uint32_t i = 0; i < from->joints; i++) {
        copy_link(&from->links[i], &links[i]);
    }
    *leg = (tc_leg){.joints = from->joints,
                    .root = (tc_leg_root)from->root,
                    .links = links,
                    .g = (tc_real)from->g,
                    .radius = (tc_real)from->radius};
    copy_pair(from->foot, leg->foot);
    *sensing = tc_leg_sensing_default();
    for (uint32_t i = 0; i < TC_LEG_JOINTS; i++) {
        sensing->encoder_counts[i] = (tc_real)seen->encoder_counts[i];
        sensing->encoder_noise[i] = (tc_real)seen->encoder_noise[i];
        sensing->torque_noise[i] = (tc_real)seen->torque_noise[i];
    }
    sensing->gyro_noise = (tc_real)seen->gyro_noise;
    sensing->accel_noise = (tc_real)seen->accel_noise;
    sensing->base_velocity_noise = (tc_real)seen->base_velocity_noise;
    sensing->torque_limit = (tc_real)seen->torque_limit;
    sensing->gyro_limit = (tc_real)seen->gyro_limit;
    sensing->accel_limit = (tc_real)seen->accel_limit;
    return TC_OK;
}

/* What Python runs an estimator with. */
typedef struct taken {
    tc_leg leg;
    tc_leg_link links[TC_LEG_JOINTS];
    tc_estimator_config config;
} taken;

/* A leg and its configuration but for `settings`; `wrong`: the setting that names no field, `count`
 * if none does not */
static tc_status take(const native_leg *leg, const native_sensing *seen,
                      const native_setting *settings, uint32_t count, taken *to, uint32_t *wrong)
{
    tc_leg_sensing sensing;
    tc_status status = take_leg(leg, seen, &to->leg, to->links, &sensing);
    *wrong = count;
    if (status == TC_OK) {
        status = tc_estimator_default_for(&to->leg, (tc_real)seen->tick, &sensing, &to->config);
    }
    for (uint32_t i = 0; i < count && status == TC_OK; i++) {
        if (!set(&to->config, settings[i].name, settings[i].value)) {
            *wrong = i;
            status = TC_ERR_RANGE;
        }
    }
    return status;
}

/* A ground of a handful of primitives as the board has it */
static tc_status take_ground(const native_ground *from, tc_estimator_record_ground *to)
{
    memset(to, 0, sizeof *to);
    if (from->count > TC_SDF_PARTS) {
        return TC_ERR_SIZE;
    }
    to->count = from->count;
    for (uint32_t k = 0; k < 3u; k++) {
        to->section.origin[k] = (tc_real)from->origin[k];
        to->section.along[k] = (tc_real)from->along[k];
        to->section.up[k] = (tc_real)from->up[k];
    }
    for (uint32_t i = 0; i < from->count; i++) {
        to->kind[i] = (tc_estimator_record_part)from->parts[i].kind;
        for (uint32_t k = 0; k < TC_SDF_SIZES; k++) {
            to->shape[i].size[k] = (tc_real)from->parts[i].size[k];
        }
        for (uint32_t k = 0; k < 3u; k++) {
            to->part[i].position[k] = (tc_real)from->parts[i].position[k];
        }
    }
    return tc_estimator_record_ground_join(to);
}

int32_t native_estimate_run(const native_leg *leg, const native_sensing *sensing,
                            const native_setting *settings, uint32_t count, const native_law *law,
                            const native_ground *ground, const native_sensors *sensors,
                            uint32_t ticks, native_estimate *rows, uint32_t *wrong)
{
    tc_real state[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)];
    tc_estimator_record_ground under;
    tc_estimator e;
    tc_estimator_sensors first;
    taken its;
    noted asked;
    tc_status status = take(leg, sensing, settings, count, &its, wrong);
    if (status < 0 || ticks == 0u) {
        return status < 0 ? status : TC_ERR_SIZE;
    }
    status = open_law(&asked, law, &its.leg, its.config.step);
    if (status >= 0) {
        const int silent = law->model == NULL && law->features == NULL;
        read_tick(sensors, leg->joints, 0, &first);
        status = tc_estimator_init(&e, &its.config, &its.leg, silent ? NULL : &asked.asked, &first,
                                   state, TC_COUNT(state));
    }
    if (status >= 0 && ground->count > 0u) {
        status = take_ground(ground, &under);
        status = status < 0 ? status : tc_estimator_stand_on(&e, &under.section, first.place);
    }
    if (status >= 0) {
        run(&e, &asked, sensors, ticks, rows);
    }
    return status;
}

int32_t native_estimate_record(const native_leg *leg, const native_sensing *sensing,
                               const native_setting *settings, uint32_t count,
                               const native_ground *ground, uint8_t bytes[TC_ESTIMATOR_RECORD_MAX],
                               uint32_t *wrong)
{
    tc_estimator_record_ground under;
    taken its;
    tc_status status = take(leg, sensing, settings, count, &its, wrong);
    if (status >= 0) {
        status = take_ground(ground, &under);
    }
    if (status < 0) {
        return status;
    }
    size_t size = tc_estimator_record_write(&its.leg, &its.config, bytes, TC_ESTIMATOR_RECORD_MAX);
    if (under.count > 0u) {
        size = tc_estimator_record_append(&under, bytes, size, TC_ESTIMATOR_RECORD_MAX);
    }
    return (int32_t)size;
}

const char *native_estimate_field(uint32_t k, uint32_t *count)
{
    *count = k < TC_COUNT(fields) ? (uint32_t)fields[k].count : 0u;
    return k < TC_COUNT(fields) ? fields[k].name : NULL;
}

int32_t native_estimate_config(const native_leg *leg, const native_sensing *sensing,
                               const native_setting *settings, uint32_t count, double *numbers,
                               uint32_t length, uint32_t *wrong)
{
    taken its;
    tc_status status = take(leg, sensing, settings, count, &its, wrong);
    uint32_t at = 0;
    for (size_t i = 0; i < TC_COUNT(fields) && status == TC_OK; i++) {
        const tc_real *const from =
            (const tc_real *)(const void *)((const char *)&its.config + fields[i].offset);
        for (size_t k = 0; k < fields[i].count && status == TC_OK; k++, at++) {
            status = at < length ? TC_OK : TC_ERR_SIZE;
            numbers[status == TC_OK ? at : 0u] = (double)from[k];
        }
    }
    return status == TC_OK && at != length ? TC_ERR_SIZE : status;
}

int32_t native_momentum_settings(const native_leg *leg, const native_sensing *sensing,
                                 double numbers[4])
{
    tc_leg_link links[TC_LEG_JOINTS];
    tc_momentum_config config;
    tc_leg planar;
    tc_leg_sensing seen;
    tc_status status = take_leg(leg, sensing, &planar, links, &seen);
    if (status == TC_OK) {
        status = tc_momentum_default_for(&planar, (tc_real)sensing->tick, &seen, &config);
    }
    if (status == TC_OK) {
        numbers[0] = config.rate_filter;
        numbers[1] = config.gain;
        numbers[2] = config.on;
        numbers[3] = config.off;
    }
    return status;
}
