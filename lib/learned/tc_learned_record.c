/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact record, which ties the nets of a contact model to a body, a time step and a feature
 * map. docs/reference/model-file.md has the bytes.
 *
 * Read with the file's distrust: opening the file claimed the record's bytes like those of an
 * array, and no more. Each field is checked here before any is handed out.
 */
#include "tc_exact.h"
#include "tc_learned_record.h"

#include "tc_model_read.h"

/* Offsets in the record. */
enum {
    KIND_RECORD = 0,
    FEATURES = 2,
    POSITIONS = 4,
    TARGET = 5,
    PATCHES_RECORD = 6,
    FLAGS_RECORD = 7,
    MASS = 8,
    INERTIA = 12,
    RESTITUTION_RECORD = 24,
    GRAVITY = 28,
    TOLERANCE_RECORD = 32,
    MASK = 36,
    TEMPERATURE = 48,
    FRICTION_RECORD = 60,
    REST_RECORD = 64
};

#define DIMENSIONS_RECORD 3u
#define RECORD_SIZE 128u
#define POSITIONS_MOST 2u
#define FALLBACK_FLAG 1u
#define FRICTION_BITS_MOST 0x41200000u /* 10.0f */

/* A number that is finite and not negative, and allowed besides. */
static int read_number(tc_model_reader *r, uint32_t at, int allowed)
{
    return tc_model_expect_number(r, at, tc_model_is_magnitude(r->blob + at))
           && tc_model_expect(r, at, allowed);
}

/* The same, greater than 0 if there must be one, exactly +0 if there is none. */
static int read_given(tc_model_reader *r, uint32_t at, int given)
{
    return read_number(r, at, (tc_bytes_u32(r->blob + at) != 0u) == given);
}

/* The same, at most 1. */
static int read_fraction_record(tc_model_reader *r, uint32_t at)
{
    return read_number(r, at, tc_bytes_u32(r->blob + at) <= TC_MODEL_ONE_BITS);
}

/* The coefficient of a fall-back: above 0, at most 10; +0 without one. */
static int read_friction(tc_model_reader *r, uint32_t at)
{
    const int given = r->blob[at + FLAGS_RECORD] == FALLBACK_FLAG;
    const int within = tc_bytes_u32(r->blob + at + FRICTION_RECORD) <= FRICTION_BITS_MOST;
    return read_given(r, at + FRICTION_RECORD, given)
           && tc_model_expect(r, at + FRICTION_RECORD, within);
}

/* What model it is for: small integers. */
static int read_kind(tc_model_reader *r, uint32_t at)
{
    const uint8_t *const record = r->blob + at;
    const uint32_t kind = tc_bytes_u16(record + KIND_RECORD), patches = record[PATCHES_RECORD];
    const uint32_t possible = kind == TC_LEARNED_BODY2 ? 3u : 7u;
    const uint32_t fallback = possible == 3u; /* the plane's alone */
    const uint32_t features = tc_bytes_u16(record + FEATURES), rest = RECORD_SIZE - REST_RECORD;
    return tc_model_expect(r, at + FEATURES, features == TC_LEARNED_FEATURES_VERSION)
           && tc_model_expect(r, at + POSITIONS, record[POSITIONS] <= POSITIONS_MOST)
           && tc_model_expect(r, at + TARGET, record[TARGET] == TC_LEARNED_TARGET_RATIO)
           && tc_model_expect(r, at + PATCHES_RECORD, patches >= 1u && patches <= possible)
           && tc_model_expect(r, at + FLAGS_RECORD, record[FLAGS_RECORD] <= fallback)
           && tc_model_expect(r, at + REST_RECORD, tc_model_all_zero(record + REST_RECORD, rest));
}

/* The body and its floor. */
static int read_body(tc_model_reader *r, uint32_t at)
{
    const int spatial = tc_bytes_u16(r->blob + at + KIND_RECORD) == TC_LEARNED_BODY3;
    return read_given(r, at + MASS, 1) && read_given(r, at + INERTIA, 1)
           && read_given(r, at + INERTIA + 4u, spatial) && read_given(r, at + INERTIA + 8u, spatial)
           && read_fraction_record(r, at + RESTITUTION_RECORD) && read_number(r, at + GRAVITY, 1)
           && read_fraction_record(r, at + TOLERANCE_RECORD) && read_friction(r, at);
}

/* What belongs to a patch dimension: given where there are nets for it, 0 where there are none. */
static int read_dimension(tc_model_reader *r, uint32_t at, uint32_t dimension)
{
    const uint8_t *const record = r->blob + at;
    const uint32_t mask_at = MASK + 4u * dimension, mask = tc_bytes_u32(record + mask_at);
    const int given = (record[PATCHES_RECORD] >> dimension & 1) != 0;
    return tc_model_expect(r, at + mask_at, mask <= TC_LEARNED_FEATURE_ALL && (mask != 0u) == given)
           && read_given(r, at + TEMPERATURE + 4u * dimension, given);
}

/* The rules in the order of docs/reference/model-file.md. The record's place is looked at again so
 * that what is read below is seen to be inside by this function alone, by a reader as by a
 * prover. */
static int check_record(tc_model_reader *r, uint32_t at, uint32_t size)
{
    const uint32_t kind = at != 0u ? tc_bytes_u16(r->blob + at + KIND_RECORD) : 0u;
    if (kind != TC_LEARNED_BODY2 && kind != TC_LEARNED_BODY3) {
        return tc_model_fail(r, at, TC_ERR_MODEL_MISMATCH);
    }
    const int whole = size == RECORD_SIZE && at <= r->size - RECORD_SIZE;
    return tc_model_expect(r, TC_MODEL_RECORD_SIZE_AT, whole) && read_kind(r, at)
           && read_body(r, at) && read_dimension(r, at, 0) && read_dimension(r, at, 1)
           && read_dimension(r, at, 2);
}

static void take_record(const uint8_t *from, tc_learned_record *record)
{
    record->kind = (uint16_t)tc_bytes_u16(from + KIND_RECORD);
    record->features = (uint16_t)tc_bytes_u16(from + FEATURES);
    record->positions = from[POSITIONS];
    record->target = from[TARGET];
    record->patches = from[PATCHES_RECORD];
    record->mass = (tc_real)tc_bytes_float(from + MASS);
    record->restitution = (tc_real)tc_bytes_float(from + RESTITUTION_RECORD);
    record->gravity = (tc_real)tc_bytes_float(from + GRAVITY);
    record->fallback = from[FLAGS_RECORD];
    record->friction = (tc_real)tc_bytes_float(from + FRICTION_RECORD);
    record->tolerance = (tc_real)tc_bytes_float(from + TOLERANCE_RECORD);
    for (uint32_t d = 0; d < DIMENSIONS_RECORD; d++) {
        record->inertia[d] = (tc_real)tc_bytes_float(from + INERTIA + 4u * d);
        record->mask[d] = tc_bytes_u32(from + MASK + 4u * d);
        record->temperature[d] = (tc_real)tc_bytes_float(from + TEMPERATURE + 4u * d);
    }
}

tc_status tc_learned_record_read(const tc_model *model, tc_learned_record *record,
                                 uint32_t *fault_offset)
{
    tc_model_reader r;
    uint32_t at = 0;
    if (record != NULL) {
        memset(record, 0, sizeof *record);
    }
    if (tc_model_record_begin(&r, record != NULL ? model : NULL, &at)
        && check_record(&r, at, model->record_size)) {
        take_record(r.blob + at, record);
    }
    return tc_model_record_end(&r, fault_offset);
}
