/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The system record, which says for which CD-Lagrange system nets were trained.
 * docs/reference/model-file.md has the bytes.
 *
 * Read with the file's distrust: opening the file claimed the record's bytes, and no more. Its
 * arrays have as many elements as its first bytes say; that this adds up to the record's length is
 * looked at before any of them is read.
 */
#include "tc_exact.h"
#include "tc_cdl_record.h"

#include "tc_model_read.h"

/* Offsets in the record; behind REST stand mass[K], damping[K], distance[C], normal[C][d],
 * pairs[C][2]. */
enum {
    KIND_SYSTEM = 0,
    INPUTS = 2,
    BODIES = 4,
    DIMENSION = 5,
    CONTACTS = 6,
    FLAGS = 7,
    RESTITUTION_SYSTEM = 8,
    REST_SPEED = 12,
    TOLERANCE_SYSTEM = 16,
    REST_SYSTEM = 20,
    ARRAYS = 32
};

#define SYSTEM_KIND 3u
#define FLAGS_MOST 7u
#define SIGN_BIT 0x80000000u

/* Bytes up to the pairs, and all of them. */
static uint32_t bytes_of_numbers(const uint8_t *record)
{
    const uint32_t contacts = record[CONTACTS];
    return ARRAYS + 4u * (2u * record[BODIES] + contacts * (1u + record[DIMENSION]));
}

static uint32_t bytes_of_record(const uint8_t *record)
{
    return (bytes_of_numbers(record) + 2u * record[CONTACTS] + 15u) & ~15u;
}

static int read_shape(tc_model_reader *r, uint32_t at)
{
    const uint8_t *const record = r->blob + at;
    const uint32_t nets =
        record[FLAGS] & (uint32_t)(TC_CDL_RECORD_POTENTIAL | TC_CDL_RECORD_CONTACT);
    const int asks = (nets & TC_CDL_RECORD_CONTACT) == 0u || record[CONTACTS] > 0u;
    const uint32_t bodies = record[BODIES];
    return tc_model_expect(r, at + INPUTS, tc_bytes_u16(record + INPUTS) == TC_CDL_RECORD_INPUTS)
           && tc_model_expect(r, at + BODIES, bodies >= 1u && bodies <= TC_CDL_RECORD_BODIES)
           && tc_model_expect(r, at + DIMENSION, record[DIMENSION] >= 1u && record[DIMENSION] <= 3u)
           && tc_model_expect(r, at + CONTACTS, record[CONTACTS] <= TC_CDL_RECORD_CONTACTS)
           && tc_model_expect(r, at + FLAGS, record[FLAGS] <= FLAGS_MOST && nets != 0u && asks);
}

/* n numbers from `at` on that are finite; not negative if `least` is 0, greater than 0 if it is
 * 1. */
static int read_numbers(tc_model_reader *r, uint32_t at, uint32_t n, int least)
{
    for (uint32_t i = at; i < at + 4u * n; i += 4u) {
        const uint32_t bits = tc_bytes_u32(r->blob + i);
        const int finite = (bits & TC_MODEL_EXPONENT_BITS) != TC_MODEL_EXPONENT_BITS;
        if (!tc_model_expect_number(r, i, finite && (least < 0 || (bits & SIGN_BIT) == 0u))
            || !tc_model_expect(r, i, least < 1 || bits != 0u)) {
            return 0;
        }
    }
    return 1;
}

static int read_pairs(tc_model_reader *r, uint32_t at, uint32_t contacts, uint32_t bodies)
{
    for (uint32_t i = at; i < at + 2u * contacts; i += 2u) {
        const uint32_t body = r->blob[i], other = r->blob[i + 1u];
        const int known = other < bodies || other == TC_CDL_RECORD_WALL;
        if (!tc_model_expect(r, i, body < bodies)
            || !tc_model_expect(r, i + 1u, other != body && known)) {
            return 0;
        }
    }
    return 1;
}

static int read_fraction_system(tc_model_reader *r, uint32_t at)
{
    return read_numbers(r, at, 1, 0)
           && tc_model_expect(r, at, tc_bytes_u32(r->blob + at) <= TC_MODEL_ONE_BITS);
}

/* What follows the fixed part: masses, damping, contacts, pairs, and zeros to the end. */
static int check_arrays(tc_model_reader *r, uint32_t at, uint32_t size)
{
    const uint8_t *const record = r->blob + at;
    const uint32_t bodies = record[BODIES], contacts = record[CONTACTS], mass = at + ARRAYS;
    const uint32_t pairs = at + bytes_of_numbers(record), end = pairs + 2u * contacts;
    return read_numbers(r, mass, bodies, 1) && read_numbers(r, mass + 4u * bodies, bodies, 0)
           && read_numbers(r, mass + 8u * bodies, contacts * (1u + record[DIMENSION]), -1)
           && read_pairs(r, pairs, contacts, bodies)
           && tc_model_expect(r, end, tc_model_all_zero(r->blob + end, at + size - end));
}

/* The rules in the order of docs/reference/model-file.md. */
static int check_system(tc_model_reader *r, uint32_t at, uint32_t size)
{
    const uint8_t *const record = r->blob + at;
    if (at == 0u || tc_bytes_u16(record + KIND_SYSTEM) != SYSTEM_KIND) {
        return tc_model_fail(r, at, TC_ERR_MODEL_MISMATCH);
    }
    if (!tc_model_expect(r, TC_MODEL_RECORD_SIZE_AT, size > ARRAYS) || !read_shape(r, at)
        || !tc_model_expect(r, TC_MODEL_RECORD_SIZE_AT, size == bytes_of_record(record))) {
        return 0;
    }
    const int unused = tc_model_all_zero(record + REST_SYSTEM, ARRAYS - REST_SYSTEM);
    return read_fraction_system(r, at + RESTITUTION_SYSTEM)
           && read_numbers(r, at + REST_SPEED, 1, 0)
           && read_fraction_system(r, at + TOLERANCE_SYSTEM)
           && tc_model_expect(r, at + REST_SYSTEM, unused) && check_arrays(r, at, size);
}

static void take_system(const uint8_t *from, tc_cdl_record *record)
{
    record->bodies = from[BODIES];
    record->dimension = from[DIMENSION];
    record->contacts = from[CONTACTS];
    record->flags = from[FLAGS];
    record->restitution = (tc_real)tc_bytes_float(from + RESTITUTION_SYSTEM);
    record->rest_speed = (tc_real)tc_bytes_float(from + REST_SPEED);
    record->tolerance = (tc_real)tc_bytes_float(from + TOLERANCE_SYSTEM);
    record->mass = (const float *)(const void *)(from + ARRAYS);
    record->damping = record->mass + record->bodies;
    record->distance = record->damping + record->bodies;
    record->normal = record->distance + record->contacts;
    record->pairs = from + bytes_of_numbers(from);
}

tc_status tc_cdl_record_read(const tc_model *model, tc_cdl_record *record, uint32_t *fault_offset)
{
    tc_model_reader r;
    uint32_t at = 0;
    if (record != NULL) {
        memset(record, 0, sizeof *record);
    }
    if (tc_model_record_begin(&r, record != NULL ? model : NULL, &at)
        && check_system(&r, at, model->record_size)) {
        take_system(r.blob + at, record);
    }
    return tc_model_record_end(&r, fault_offset);
}
