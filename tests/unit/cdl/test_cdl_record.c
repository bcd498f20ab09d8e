/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The system record of model files, and the CD-Lagrange system that is opened from one.
 *
 * The file is written by tools/ref/net_vectors.py from docs/reference/model-file.md. Offsets below
 * are those of the format's tables.
 */
#include "model_bytes.h"
#include "test.h"

#include "../../vectors/model.h"

#include <math.h>

#define SIZE ((uint32_t)sizeof model_system)
#define RECORD get32(model_system + 52)
#define RECORD_SIZE 80u /* 32 + 4 (2 + 2 + 2 + 2) + 4, in steps of 16 */

static tc_model model;
static tc_cdl_record record;
_Alignas(16) static uint8_t copy[sizeof model_system];

/* Catches: a field read from the wrong place, or with the wrong width. */
static void test_fields(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_system, SIZE));
    TEST_ASSERT_EQUAL(RECORD_SIZE, get32(model_system + 56));
    TEST_ASSERT_EQUAL(TC_OK, tc_cdl_record_read(&model, &record, NULL));
    TEST_ASSERT_EQUAL(2, record.bodies);
    TEST_ASSERT_EQUAL(1, record.dimension);
    TEST_ASSERT_EQUAL(2, record.contacts);
    TEST_ASSERT_EQUAL(7, record.flags);
    TEST_ASSERT_TRUE(record.restitution == TC_C(0.75) && record.rest_speed == TC_C(0.125));
    TEST_ASSERT_TRUE(record.tolerance == TC_C(0.03125));
    TEST_ASSERT_TRUE(record.mass[0] == 1.5f && record.mass[1] == 2.5f);
    TEST_ASSERT_TRUE(record.damping[0] == 0.25f && record.damping[1] == 0.0f);
    TEST_ASSERT_TRUE(record.distance[0] == 0.5f && record.distance[1] == -0.125f);
    TEST_ASSERT_TRUE(record.normal[0] == 1.0f && record.normal[1] == -1.0f);
    TEST_ASSERT_TRUE(record.pairs[0] == 0u && record.pairs[1] == TC_CDL_RECORD_WALL);
    TEST_ASSERT_TRUE(record.pairs[2] == 1u && record.pairs[3] == 0u);
}

/* A system is no contact model, and the other way round. */
static void test_kinds_apart(void)
{
    tc_learned_record contact;
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_system, SIZE));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, tc_learned_record_read(&model, &contact, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_record_read(&model, NULL, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_record_read(NULL, &record, NULL));
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_planar, sizeof model_planar));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, tc_cdl_record_read(&model, &record, NULL));
    TEST_ASSERT_EQUAL(0, record.bodies);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_small, sizeof model_small));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, tc_cdl_record_read(&model, &record, NULL));
}

/* ---- One rule at a time ---------------------------------------------------------------------- */

/* By opening the file. */
static void refuses_file(tc_status expected, uint32_t fault, const char *what)
{
    repair_crc(copy, SIZE);
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_model_open(&model, copy, SIZE), what);
    TEST_ASSERT_EQUAL_MESSAGE(fault, model.fault_offset, what);
    TEST_ASSERT_NULL(model.record);
}

static tc_cdl_nets nets;

/* By reading the record, and by what takes the nets of a system; the file opens. */
static void refuses(tc_status expected, uint32_t fault, const char *what)
{
    static const tc_cdl_record none;
    tc_cdl_config config;
    uint32_t found = 7;
    repair_crc(copy, SIZE);
    TEST_ASSERT_EQUAL_MESSAGE(TC_OK, tc_model_open(&model, copy, SIZE), what);
    memset(&record, 0xFF, sizeof record);
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_cdl_record_read(&model, &record, &found), what);
    TEST_ASSERT_EQUAL_MESSAGE(fault, found, what);
    TEST_ASSERT_EQUAL_MEMORY(&none, &record, sizeof none);
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_cdl_nets_config(&nets, &model, TC_C(0.01), &config),
                              what);
    TEST_ASSERT_EQUAL(0, config.bodies);
}

#define BY(call, change, expected, fault)                                                          \
    do {                                                                                           \
        memcpy(copy, model_system, SIZE);                                                          \
        change;                                                                                    \
        call(expected, fault, #change);                                                            \
    } while (0)
#define REFUSES(change, expected, fault) BY(refuses, change, expected, fault)
#define REFUSES_FILE(change, expected, fault) BY(refuses_file, change, expected, fault)

static void test_shape(void)
{
    uint8_t *const at = copy + RECORD;
    const uint32_t fault = RECORD;
    REFUSES(put32(copy + 56, 64), TC_ERR_MODEL_FIELD, 56);
    REFUSES_FILE(put32(copy + 56, 96), TC_ERR_MODEL_BOUNDS, 96); /* into the layers */
    REFUSES(put32(copy + 56, 32), TC_ERR_MODEL_FIELD, 56);
    REFUSES_FILE(put32(copy + 56, 79), TC_ERR_MODEL_FIELD, 56);
    REFUSES_FILE(put_float(copy + 40, 0.0f), TC_ERR_MODEL_FIELD, 40);
    REFUSES(at[0] = 4, TC_ERR_MODEL_MISMATCH, fault);
    REFUSES(at[1] = 1, TC_ERR_MODEL_MISMATCH, fault);
    REFUSES(at[2] = 2, TC_ERR_MODEL_FIELD, fault + 2u);
    REFUSES(at[4] = 0, TC_ERR_MODEL_FIELD, fault + 4u);
    REFUSES(at[4] = 17, TC_ERR_MODEL_FIELD, fault + 4u);
    REFUSES(at[4] = 12, TC_ERR_MODEL_FIELD, 56);
    REFUSES(at[5] = 0, TC_ERR_MODEL_FIELD, fault + 5u);
    REFUSES(at[5] = 4, TC_ERR_MODEL_FIELD, fault + 5u);
    REFUSES(at[6] = 17, TC_ERR_MODEL_FIELD, fault + 6u);
    REFUSES(at[6] = 0, TC_ERR_MODEL_FIELD, fault + 7u);
    REFUSES(at[7] = 0, TC_ERR_MODEL_FIELD, fault + 7u);
    REFUSES(at[7] = 4, TC_ERR_MODEL_FIELD, fault + 7u);
    REFUSES(at[7] = 8, TC_ERR_MODEL_FIELD, fault + 7u);
    REFUSES(at[20] = 1, TC_ERR_MODEL_FIELD, fault + 20u);
    REFUSES(at[31] = 1, TC_ERR_MODEL_FIELD, fault + 20u);
    REFUSES(at[64] = 2, TC_ERR_MODEL_FIELD, fault + 64u);
    REFUSES(at[65] = 2, TC_ERR_MODEL_FIELD, fault + 65u);
    REFUSES(at[67] = 1, TC_ERR_MODEL_FIELD, fault + 67u); /* a pair with itself */
    REFUSES(at[68] = 1, TC_ERR_MODEL_FIELD, fault + 68u);
    REFUSES(at[79] = 1, TC_ERR_MODEL_FIELD, fault + 68u);
    /* a record that is too long, as a file with a gap before its layers has */
    uint32_t found = 0;
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_system, SIZE));
    model.record_size += 16u;
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_FIELD, tc_cdl_record_read(&model, &record, &found));
    TEST_ASSERT_EQUAL(56, found);
}

static void test_numbers(void)
{
    static const uint32_t unsigned_ones[7] = {8, 12, 16, 32, 36, 40, 44};
    static const uint32_t signed_ones[4] = {48, 52, 56, 60};
    for (uint32_t k = 0; k < 7u; k++) {
        const uint32_t at = RECORD + unsigned_ones[k];
        REFUSES(put_float(copy + at, -1.0f), TC_ERR_MODEL_WEIGHT, at);
        REFUSES(put_float(copy + at, -0.0f), TC_ERR_MODEL_WEIGHT, at);
        REFUSES(put_float(copy + at, NAN), TC_ERR_MODEL_WEIGHT, at);
        REFUSES(put_float(copy + at, INFINITY), TC_ERR_MODEL_WEIGHT, at);
    }
    for (uint32_t k = 0; k < 4u; k++) {
        REFUSES(put_float(copy + RECORD + signed_ones[k], -INFINITY), TC_ERR_MODEL_WEIGHT,
                RECORD + signed_ones[k]);
    }
    REFUSES(put_float(copy + RECORD + 8u, 1.0001f), TC_ERR_MODEL_FIELD, RECORD + 8u);
    REFUSES(put_float(copy + RECORD + 16u, 1.0001f), TC_ERR_MODEL_FIELD, RECORD + 16u);
    REFUSES(put_float(copy + RECORD + 36u, 0.0f), TC_ERR_MODEL_FIELD, RECORD + 36u);
    for (uint32_t k = 0; k < 7u; k++) {
        /* a mass may not be 0, and all else may; 1 is the most of a fraction */
        const uint32_t at = RECORD + unsigned_ones[k];
        for (uint32_t value = 0; value < 2u; value++) {
            memcpy(copy, model_system, SIZE);
            put_float(copy + at, (float)value);
            repair_crc(copy, SIZE);
            const int mass = k == 3u || k == 4u;
            TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy, SIZE));
            TEST_ASSERT_EQUAL(mass && value == 0u ? TC_ERR_MODEL_FIELD : TC_OK,
                              tc_cdl_record_read(&model, &record, NULL));
        }
    }
}

/* Whatever a byte of the record becomes, what is handed out lies in the record and can be computed
 * with. */
static void test_every_byte(void)
{
    for (uint32_t at = 52; at < RECORD + RECORD_SIZE; at = at == 59u ? RECORD : at + 1u) {
        for (uint32_t value = 0; value < 256u; value += 5u) {
            memcpy(copy, model_system, SIZE);
            copy[at] = (uint8_t)value;
            repair_crc(copy, SIZE);
            if (tc_model_open(&model, copy, SIZE) != TC_OK
                || tc_cdl_record_read(&model, &record, NULL) != TC_OK) {
                continue;
            }
            const uint8_t *const end = model.record + model.record_size;
            TEST_ASSERT_TRUE((const uint8_t *)(record.normal + record.contacts * record.dimension)
                             <= record.pairs);
            TEST_ASSERT_TRUE(record.pairs + 2u * record.contacts <= end);
            TEST_ASSERT_TRUE(record.mass[0] > 0.0f && record.mass[record.bodies - 1u] > 0.0f);
            TEST_ASSERT_TRUE(record.restitution <= TC_C(1.0));
        }
    }
}

/* ---- The
 * system
 * ----------------------------------------------------------------------------------------- */

static tc_cdl cdl;
static tc_real room[TC_CDL_STATE(2, 1, 2)], work[TC_CDL_WORK(2, 1, 2, TC_CDL_NETS_WORK(7))];

/* One step equals what the nets say by themselves. */
static void test_open(void)
{
    tc_real Q[2] = {TC_C(0.4), TC_C(0.6)}, V[2] = {TC_C(-1.0), TC_C(-2.0)}, grad[2], y, margin[2],
            asked[4];
    tc_real net_work[TC_NET_GRAD_WORK(7, 2)];
    const tc_real one = TC_C(1.0), h = TC_C(0.01);
    tc_cdl_info info;
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_system, SIZE));
    TEST_ASSERT_EQUAL(TC_OK, tc_cdl_nets_open(&cdl, &nets, &model, h, room, TC_COUNT(room)));
    TEST_ASSERT_EQUAL(TC_COUNT(work), cdl.work_len);
    TEST_ASSERT_EQUAL(2, cdl.config.bodies);
    TEST_ASSERT_EQUAL(1, cdl.config.project);
    TEST_ASSERT_EQUAL(TC_CDL_WALL, cdl.config.contact[0].other);
    TEST_ASSERT_EQUAL(0, cdl.config.contact[1].other);
    TEST_ASSERT_TRUE(cdl.config.restitution == TC_C(0.75) && cdl.config.mass[1] == TC_C(2.5));
    for (uint32_t i = 0; i < 2u; i++) {
        asked[i] = Q[i] + h * V[i];
        asked[2u + i] = V[i];
    }
    TEST_ASSERT_EQUAL(
        TC_OK, tc_net_grad(&nets.potential, asked, &one, &y, grad, net_work, TC_COUNT(net_work)));
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_net_eval(&nets.contact, asked, margin, net_work, TC_COUNT(net_work)));
    TEST_ASSERT_TRUE(tc_cdl_step(&cdl, NULL, Q, V, &info, work, TC_COUNT(work)) >= TC_OK);
    const tc_real D0 = h * (-grad[0] - TC_C(0.25) * TC_C(-1.0)) / TC_C(1.5);
    /* the wall; the pair parts, for its normal is turned round */
    const int struck = margin[0] >= TC_C(0.0);
    TEST_ASSERT_EQUAL(struck ? 1 : 0, info.impulse != NULL && info.impulse[0] > TC_C(0.0));
    if (!struck) {
        test_near(TC_C(-1.0) + D0, V[0], TC_C(2e-6), 0, "force");
    } else {
        test_near(TC_C(0.75), V[0], TC_C(2e-6), 0, "bounce");
    }
}

static void test_open_refuses(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_system, SIZE));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH,
                      tc_cdl_nets_open(&cdl, &nets, &model, TC_C(0.0104), room, TC_COUNT(room)));
    TEST_ASSERT_EQUAL(0, cdl.coordinates);
    TEST_ASSERT_EQUAL(0, nets.potential.n_layers);
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_cdl_nets_open(&cdl, &nets, &model, (tc_real)NAN, room, TC_COUNT(room)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_cdl_nets_open(&cdl, &nets, &model, TC_C(0.01), room, TC_COUNT(room) - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_cdl_nets_open(NULL, &nets, &model, TC_C(0.01), room, TC_COUNT(room)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_cdl_nets_open(&cdl, NULL, &model, TC_C(0.01), room, TC_COUNT(room)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_cdl_nets_open(&cdl, &nets, NULL, TC_C(0.01), room, TC_COUNT(room)));
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_planar, sizeof model_planar));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH,
                      tc_cdl_nets_open(&cdl, &nets, &model, TC_C(0.002), room, TC_COUNT(room)));
    memcpy(copy, model_system, SIZE); /* a net of another name; a normal that is none */
    copy[64] = 'P';
    repair_crc(copy, SIZE);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy, SIZE));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_NAME,
                      tc_cdl_nets_open(&cdl, &nets, &model, TC_C(0.01), room, TC_COUNT(room)));
    memcpy(copy, model_system, SIZE);
    put_float(copy + RECORD + 56u, 0.5f);
    repair_crc(copy, SIZE);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy, SIZE));
    TEST_ASSERT_EQUAL(TC_ERR_UNIT,
                      tc_cdl_nets_open(&cdl, &nets, &model, TC_C(0.01), room, TC_COUNT(room)));
}

void suite_cdl_record(void)
{
    RUN_TEST(test_fields);
    RUN_TEST(test_kinds_apart);
    RUN_TEST(test_shape);
    RUN_TEST(test_numbers);
    RUN_TEST(test_every_byte);
    RUN_TEST(test_open);
    RUN_TEST(test_open_refuses);
}
