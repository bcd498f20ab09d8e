/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact record of model files: good ones, and every way in which one can be bad. Opening a
 * file refuses what the header says wrongly of a record, reading the record what it says itself.
 *
 * The files are written by tools/ref/net_vectors.py from docs/reference/model-file.md. Offsets
 * below are those of the format's tables.
 */
#include "model_bytes.h"
#include "test.h"

#include "../../vectors/model.h"

#include <math.h>

#define RECORD get32(model_planar + 52)
#define SPATIAL get32(model_spatial + 52)

static tc_model model;
static tc_learned_record record;
_Alignas(16) static uint8_t copy[sizeof model_spatial];

/* Catches: a field read from the wrong place, or with the wrong width. */
static void test_record2(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_planar, sizeof model_planar));
    TEST_ASSERT_EQUAL_PTR(model_planar + RECORD, model.record);
    TEST_ASSERT_EQUAL(128, model.record_size);
    uint32_t fault = 7;
    memset(&record, 0xFF, sizeof record);
    TEST_ASSERT_EQUAL(TC_OK, tc_learned_record_read(&model, &record, &fault));
    TEST_ASSERT_EQUAL(0, fault);
    TEST_ASSERT_EQUAL(TC_LEARNED_BODY2, record.kind);
    TEST_ASSERT_EQUAL(TC_LEARNED_FEATURES_VERSION, record.features);
    TEST_ASSERT_EQUAL(2, record.positions);
    TEST_ASSERT_EQUAL(TC_LEARNED_TARGET_RATIO, record.target);
    TEST_ASSERT_EQUAL(3, record.patches);
    TEST_ASSERT_TRUE(record.mass == TC_C(1.5) && record.inertia[0] == TC_C(0.25));
    TEST_ASSERT_TRUE(record.inertia[1] == TC_C(0.0) && record.inertia[2] == TC_C(0.0));
    TEST_ASSERT_TRUE(record.restitution == TC_C(0.125) && record.gravity == TC_C(9.75));
    TEST_ASSERT_TRUE(record.tolerance == TC_C(0.0625));
    TEST_ASSERT_EQUAL(31, record.mask[0]);
    TEST_ASSERT_EQUAL(61, record.mask[1]);
    TEST_ASSERT_EQUAL(0, record.mask[2]);
    TEST_ASSERT_TRUE(record.temperature[0] == TC_C(1.25) && record.temperature[1] == TC_C(0.75));
    TEST_ASSERT_TRUE(record.temperature[2] == TC_C(0.0));
}

static void test_record3(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_spatial, sizeof model_spatial));
    TEST_ASSERT_EQUAL(TC_OK, tc_learned_record_read(&model, &record, NULL));
    TEST_ASSERT_EQUAL(TC_LEARNED_BODY3, record.kind);
    TEST_ASSERT_EQUAL(5, record.patches);
    TEST_ASSERT_TRUE(record.inertia[0] == TC_C(0.5) && record.inertia[1] == TC_C(0.375));
    TEST_ASSERT_TRUE(record.inertia[2] == TC_C(0.625));
    TEST_ASSERT_EQUAL(0, record.mask[1]);
    TEST_ASSERT_EQUAL(63, record.mask[2]);
    TEST_ASSERT_TRUE(record.temperature[2] == TC_C(1.5));
}

static void assert_no_record(void)
{
    static const tc_learned_record none;
    TEST_ASSERT_EQUAL_MEMORY(&none, &record, sizeof none);
}

/* A file without a record is a good file, but no contact model. */
static void test_none(void)
{
    uint32_t fault = 7;
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_small, sizeof model_small));
    TEST_ASSERT_NULL(model.record);
    TEST_ASSERT_EQUAL(0, model.record_size);
    memset(&record, 0xFF, sizeof record);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, tc_learned_record_read(&model, &record, &fault));
    TEST_ASSERT_EQUAL(0, fault);
    assert_no_record();
    fault = 7;
    memset(&record, 0xFF, sizeof record);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned_record_read(NULL, &record, &fault));
    TEST_ASSERT_EQUAL(0, fault);
    assert_no_record();
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned_record_read(&model, NULL, NULL));
}

/* A record of a kind that nobody here knows: the file opens and its nets serve, no reader takes the
 * record. */
static void test_unknown_kind(void)
{
    tc_cdl_record system;
    tc_net net;
    uint32_t fault = 0;
    memcpy(copy, model_planar, sizeof model_planar);
    copy[RECORD] = 7;
    put32(copy + 56, 16);
    repair_crc(copy, sizeof model_planar);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy, sizeof copy));
    TEST_ASSERT_EQUAL_PTR(copy + RECORD, model.record);
    TEST_ASSERT_EQUAL(16, model.record_size);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_net_at(&model, 0, &net));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, tc_learned_record_read(&model, &record, &fault));
    TEST_ASSERT_EQUAL(RECORD, fault);
    fault = 0;
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, tc_cdl_record_read(&model, &system, &fault));
    TEST_ASSERT_EQUAL(RECORD, fault);
}

/* ---- One rule at a time ---------------------------------------------------------------------- */

static void refuses(tc_status expected, uint32_t fault, const char *what)
{
    repair_crc(copy, get32(copy + 8));
    memset(&model, 0xFF, sizeof model);
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_model_open(&model, copy, sizeof copy), what);
    TEST_ASSERT_EQUAL_MESSAGE(fault, model.fault_offset, what);
    TEST_ASSERT_NULL(model.record);
    TEST_ASSERT_NULL(model.blob);
}

/* The file opens, its record does not, and no call takes a body's nets out of it. */
static void refuses_record(tc_status expected, uint32_t fault, const char *what)
{
    static tc_learned2_nets nets;
    static tc_learned3_nets nets3;
    const tc_body2 body = {TC_C(1.5), TC_C(0.25)};
    const tc_body3 box = {TC_C(1.5), {TC_C(0.5), TC_C(0.375), TC_C(0.625)}};
    uint32_t found = 7;
    tc_foot2 foot;
    repair_crc(copy, get32(copy + 8));
    TEST_ASSERT_EQUAL_MESSAGE(TC_OK, tc_model_open(&model, copy, sizeof copy), what);
    memset(&record, 0xFF, sizeof record);
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_learned_record_read(&model, &record, &found), what);
    TEST_ASSERT_EQUAL_MESSAGE(fault, found, what);
    assert_no_record();
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_learned_record_read(&model, &record, NULL), what);
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_foot2_open(&foot, &nets, &model, &body, TC_C(0.002)),
                              what);
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_learned3_nets_open(&nets3, &model, &box, TC_C(0.002)),
                              what);
    TEST_ASSERT_EQUAL(0, nets.width + nets3.width);
}

#define BY(call, blob, change, expected, fault)                                                    \
    do {                                                                                           \
        memcpy(copy, blob, sizeof blob);                                                           \
        change;                                                                                    \
        call(expected, fault, #change);                                                            \
    } while (0)
#define REFUSES(blob, change, expected, fault) BY(refuses, blob, change, expected, fault)
#define REFUSES_RECORD(blob, change, expected, fault)                                              \
    BY(refuses_record, blob, change, expected, fault)

static void test_header(void)
{
    const uint32_t size = sizeof model_planar;
    REFUSES(model_planar, put32(copy + 56, 0), TC_ERR_MODEL_FIELD, 52);
    REFUSES(model_small, put32(copy + 52, 160), TC_ERR_MODEL_FIELD, 52);
    REFUSES(model_small, put32(copy + 56, 128), TC_ERR_MODEL_BOUNDS, 52);
    REFUSES_RECORD(model_planar, put32(copy + 56, 64), TC_ERR_MODEL_FIELD, 56);
    REFUSES_RECORD(model_planar, put32(copy + 56, 16), TC_ERR_MODEL_FIELD, 56);
    REFUSES(model_planar, put32(copy + 56, 120), TC_ERR_MODEL_FIELD, 56);
    REFUSES(model_planar, put32(copy + 56, 144), TC_ERR_MODEL_BOUNDS, 96); /* into the layers */
    REFUSES(model_planar, put32(copy + 56, 0xFFFFFFFFu), TC_ERR_MODEL_FIELD, 56);
    REFUSES(model_planar, put32(copy + 52, RECORD + 8u), TC_ERR_MODEL_FIELD, 52);
    REFUSES(model_planar, put32(copy + 52, 144), TC_ERR_MODEL_BOUNDS, 52);
    REFUSES(model_planar, put32(copy + 52, size - 112u), TC_ERR_MODEL_BOUNDS, 52);
    REFUSES(model_planar, put32(copy + 52, 0xFFFFFFF0u), TC_ERR_MODEL_BOUNDS, 52);
    REFUSES(model_planar, put_float(copy + 40, 0.0f), TC_ERR_MODEL_FIELD, 40);
    /* the record where the metadata lie: nothing overlaps */
    REFUSES(model_spatial, put32(copy + 52, get32(copy + 44)), TC_ERR_MODEL_BOUNDS, 52);
    /* a whole record, but where the layers begin: their claim comes too late */
    REFUSES(model_planar, put32(copy + 52, RECORD + 16u), TC_ERR_MODEL_BOUNDS, 96);
    /* a model that no file gives: its record ends behind it */
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_planar, size));
    model.size = RECORD + 112u;
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_FIELD, tc_learned_record_read(&model, &record, NULL));
    /* a record that is too long, as a file with a gap before its layers has */
    uint32_t fault = 0;
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_planar, size));
    model.record_size += 16u;
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_FIELD, tc_learned_record_read(&model, &record, &fault));
    TEST_ASSERT_EQUAL(56, fault);
}

static void test_kind_fields(void)
{
    uint8_t *const at = copy + RECORD;
    const uint32_t fault = RECORD;
    tc_cdl_record system;
    uint32_t found = 0;
    REFUSES_RECORD(model_planar, at[0] = 0, TC_ERR_MODEL_MISMATCH, fault);
    /* a system: without nets */
    REFUSES_RECORD(model_planar, at[0] = 3, TC_ERR_MODEL_MISMATCH, fault);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_FIELD, tc_cdl_record_read(&model, &system, &found));
    TEST_ASSERT_EQUAL(fault + 7u, found);
    REFUSES_RECORD(model_planar, at[0] = 4, TC_ERR_MODEL_MISMATCH, fault);
    REFUSES_RECORD(model_planar, at[1] = 1, TC_ERR_MODEL_MISMATCH, fault);
    REFUSES_RECORD(model_planar, at[2] = 0, TC_ERR_MODEL_FIELD, fault + 2u);
    REFUSES_RECORD(model_planar, at[2] = 2, TC_ERR_MODEL_FIELD, fault + 2u);
    REFUSES_RECORD(model_planar, at[3] = 1, TC_ERR_MODEL_FIELD, fault + 2u);
    REFUSES_RECORD(model_planar, at[4] = 3, TC_ERR_MODEL_FIELD, fault + 4u);
    REFUSES_RECORD(model_planar, at[5] = 0, TC_ERR_MODEL_FIELD, fault + 5u);
    REFUSES_RECORD(model_planar, at[5] = 2, TC_ERR_MODEL_FIELD, fault + 5u);
    REFUSES_RECORD(model_planar, at[6] = 0, TC_ERR_MODEL_FIELD, fault + 6u);
    REFUSES_RECORD(model_planar, at[6] = 7, TC_ERR_MODEL_FIELD, fault + 6u);
    REFUSES_RECORD(model_spatial, copy[SPATIAL + 6u] = 8, TC_ERR_MODEL_FIELD, SPATIAL + 6u);
    REFUSES_RECORD(model_planar, at[7] = 2, TC_ERR_MODEL_FIELD, fault + 7u);
    REFUSES_RECORD(model_spatial, copy[SPATIAL + 7u] = 1, TC_ERR_MODEL_FIELD, SPATIAL + 7u);
    REFUSES_RECORD(model_planar, at[60] = 1, TC_ERR_MODEL_FIELD, fault + 60u);
    REFUSES_RECORD(model_planar, at[64] = 1, TC_ERR_MODEL_FIELD, fault + 64u);
    REFUSES_RECORD(model_planar, at[127] = 1, TC_ERR_MODEL_FIELD, fault + 64u);
}

/* Every number of the record: not finite and negative (-0 too) anywhere; 0, something or more than
 * 1 where it may not be. */
static void test_numbers(void)
{
    static const uint32_t numbers[10] = {8, 12, 16, 20, 24, 28, 32, 48, 52, 56};
    static const float bad[5] = {NAN, INFINITY, -INFINITY, -1.0f, -0.0f};
    for (uint32_t k = 0; k < 10u; k++) {
        const uint32_t at = RECORD + numbers[k];
        for (uint32_t b = 0; b < 5u; b++) {
            REFUSES_RECORD(model_planar, put_float(copy + at, bad[b]), TC_ERR_MODEL_WEIGHT, at);
        }
    }
    static const uint32_t positive[4] = {8, 12, 48, 52}, nothing[3] = {16, 20, 56},
                          fractions[2] = {24, 32};
    for (uint32_t k = 0; k < 4u; k++) {
        const uint32_t at = RECORD + positive[k];
        REFUSES_RECORD(model_planar, put32(copy + at, 0), TC_ERR_MODEL_FIELD, at);
    }
    for (uint32_t k = 0; k < 3u; k++) {
        const uint32_t at = RECORD + nothing[k];
        REFUSES_RECORD(model_planar, put32(copy + at, 1), TC_ERR_MODEL_FIELD, at);
    }
    for (uint32_t k = 0; k < 2u; k++) {
        const uint32_t at = RECORD + fractions[k];
        REFUSES_RECORD(model_planar, put_float(copy + at, 1.0f + 1.2e-7f), TC_ERR_MODEL_FIELD, at);
        memcpy(copy, model_planar, sizeof model_planar);
        put_float(copy + at, 1.0f);
        repair_crc(copy, sizeof model_planar);
        TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy, sizeof copy));
        TEST_ASSERT_EQUAL(TC_OK, tc_learned_record_read(&model, &record, NULL));
    }
    REFUSES_RECORD(model_spatial, put32(copy + SPATIAL + 20u, 0), TC_ERR_MODEL_FIELD,
                   SPATIAL + 20u);
}

/* The friction that nets fall back on: above 0, to 10, with its flag; +0 without. */
static void test_fallback(void)
{
    static const float good[3] = {1e-6f, 0.5f, 10.0f};
    const uint32_t flag = RECORD + 7u, at = RECORD + 60u;
    for (uint32_t k = 0; k < 3u; k++) {
        memcpy(copy, model_planar, sizeof model_planar);
        copy[flag] = 1;
        put_float(copy + at, good[k]);
        repair_crc(copy, sizeof model_planar);
        TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy, sizeof copy));
        TEST_ASSERT_EQUAL(TC_OK, tc_learned_record_read(&model, &record, NULL));
        TEST_ASSERT_EQUAL(1, record.fallback);
        TEST_ASSERT_TRUE(record.friction == (tc_real)good[k]);
    }
    REFUSES_RECORD(model_planar, (copy[flag] = 1, put_float(copy + at, 10.001f)),
                   TC_ERR_MODEL_FIELD, at);
    REFUSES_RECORD(model_planar, (copy[flag] = 1, put_float(copy + at, NAN)), TC_ERR_MODEL_WEIGHT,
                   at);
    REFUSES_RECORD(model_planar, (copy[flag] = 1, put_float(copy + at, -0.5f)), TC_ERR_MODEL_WEIGHT,
                   at);
    REFUSES_RECORD(model_planar, put_float(copy + at, 0.5f), TC_ERR_MODEL_FIELD, at);
    REFUSES_RECORD(model_planar, copy[flag] = 1, TC_ERR_MODEL_FIELD, at);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_planar, sizeof model_planar));
    TEST_ASSERT_EQUAL(TC_OK, tc_learned_record_read(&model, &record, NULL));
    TEST_ASSERT_TRUE(record.fallback == 0u && record.friction == TC_C(0.0));
}

/* A mask belongs to a patch dimension that has nets. */
static void test_masks(void)
{
    REFUSES_RECORD(model_planar, put32(copy + RECORD + 36u, 64), TC_ERR_MODEL_FIELD, RECORD + 36u);
    REFUSES_RECORD(model_planar, put32(copy + RECORD + 40u, 0), TC_ERR_MODEL_FIELD, RECORD + 40u);
    REFUSES_RECORD(model_planar, put32(copy + RECORD + 40u, 0x80000001u), TC_ERR_MODEL_FIELD,
                   RECORD + 40u);
    REFUSES_RECORD(model_planar, put32(copy + RECORD + 44u, 1), TC_ERR_MODEL_FIELD, RECORD + 44u);
    REFUSES_RECORD(model_planar, copy[RECORD + 6u] = 1, TC_ERR_MODEL_FIELD, RECORD + 40u);
    REFUSES_RECORD(model_spatial, copy[SPATIAL + 6u] = 7, TC_ERR_MODEL_FIELD, SPATIAL + 40u);
}

/* ---- Exhaustive corruption ------------------------------------------------------------------- */

/* Whatever the bytes are, a record that is handed out can be computed with. 1 if one is. */
static int assert_sound(const uint8_t *blob, uint32_t size)
{
    if (tc_model_open(&model, blob, size) != TC_OK) {
        TEST_ASSERT_NULL(model.record);
        return 0;
    }
    if (tc_learned_record_read(&model, &record, NULL) != TC_OK) {
        assert_no_record();
        return 0;
    }
    const int planar = record.kind == TC_LEARNED_BODY2;
    TEST_ASSERT_TRUE(planar || record.kind == TC_LEARNED_BODY3);
    TEST_ASSERT_TRUE(record.features == 1u && record.target == 1u && record.positions <= 2u);
    TEST_ASSERT_TRUE(record.mass > TC_C(0.0) && record.inertia[0] > TC_C(0.0));
    TEST_ASSERT_TRUE(tc_all_finite(&record.mass, 1) && tc_all_finite(record.inertia, 3));
    TEST_ASSERT_TRUE((record.inertia[1] > TC_C(0.0)) == !planar);
    TEST_ASSERT_TRUE((record.inertia[2] > TC_C(0.0)) == !planar);
    TEST_ASSERT_TRUE(record.restitution >= TC_C(0.0) && record.restitution <= TC_C(1.0));
    TEST_ASSERT_TRUE(record.tolerance >= TC_C(0.0) && record.tolerance <= TC_C(1.0));
    TEST_ASSERT_TRUE(record.fallback <= (planar ? 1u : 0u));
    TEST_ASSERT_TRUE(record.friction >= TC_C(0.0) && record.friction <= TC_C(10.0));
    TEST_ASSERT_TRUE((record.fallback == 1u) == (record.friction > TC_C(0.0)));
    TEST_ASSERT_TRUE(record.gravity >= TC_C(0.0) && tc_all_finite(&record.gravity, 1));
    TEST_ASSERT_TRUE(record.patches != 0u && record.patches <= (planar ? 3u : 7u));
    for (uint32_t d = 0; d < 3u; d++) {
        const int given = (record.patches >> d & 1) != 0;
        TEST_ASSERT_TRUE(record.mask[d] <= 63u && (record.mask[d] != 0u) == given);
        TEST_ASSERT_TRUE((record.temperature[d] > TC_C(0.0)) == given);
        TEST_ASSERT_TRUE(tc_all_finite(&record.temperature[d], 1));
    }
    return 1;
}

/* Every bit of the record and of the header's words about it, CRC repaired. A bit that changes what
 * must not change is noticed: a word that nobody looks at would leave the file good. */
static void test_every_flipped_bit(void)
{
    for (uint32_t at = 52; at < RECORD + 128u; at = at == 63u ? RECORD : at + 1u) {
        for (uint32_t bit = 0; bit < 8u; bit++) {
            memcpy(copy, model_planar, sizeof model_planar);
            copy[at] ^= (uint8_t)(1u << bit);
            repair_crc(copy, sizeof model_planar);
            const int good = assert_sound(copy, sizeof model_planar);
            const int must_be_zero = at >= RECORD + 60u || at == RECORD + 7u || at < 64u;
            TEST_ASSERT_TRUE(!must_be_zero || !good);
        }
    }
}

/* Every word of them replaced by numbers that break arithmetic. */
static void test_words_of_extremes(void)
{
    static const uint32_t extremes[10] = {0,           1,           16,          128,
                                          0x00800000u, 0x7F7FFFFFu, 0x7F800000u, 0x80000000u,
                                          0xFFFFFFF0u, 0xFFFFFFFFu};
    for (uint32_t at = 52; at < SPATIAL + 128u; at = at == 60u ? SPATIAL : at + 4u) {
        for (uint32_t k = 0; k < 10u; k++) {
            memcpy(copy, model_spatial, sizeof model_spatial);
            put32(copy + at, extremes[k]);
            repair_crc(copy, sizeof model_spatial);
            (void)assert_sound(copy, sizeof model_spatial);
        }
    }
}

void suite_learned_record(void);

void suite_learned_record(void)
{
    RUN_TEST(test_record2);
    RUN_TEST(test_record3);
    RUN_TEST(test_none);
    RUN_TEST(test_unknown_kind);
    RUN_TEST(test_header);
    RUN_TEST(test_kind_fields);
    RUN_TEST(test_numbers);
    RUN_TEST(test_fallback);
    RUN_TEST(test_masks);
    RUN_TEST(test_every_flipped_bit);
    RUN_TEST(test_words_of_extremes);
}
