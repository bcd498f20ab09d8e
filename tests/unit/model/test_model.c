/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Model files: good ones, and every way in which a small one can be bad.
 *
 * The files are written by tools/ref/net_vectors.py from docs/reference/model-file.md, with zlib's
 * CRC and hashlib's SHA-256; the CRC of altered files is computed here, bit by bit, a second time.
 * Offsets below are those of the format's tables: net record 64, layer records where the record
 * says. The contact record has test_learned_record.c.
 */
#include "model_bytes.h"
#include "test.h"

#include "../../vectors/model.h"

#include <math.h>
#ifndef __arm__
#include <stdlib.h>
#endif

#define NET_AT 64u
#define SMALL sizeof model_small
#define WORK TC_MODEL_SELFTEST_WORK(16)

static tc_model model;
static tc_net net;
_Alignas(16) static uint8_t copy[sizeof model_kinds + 64u];
static tc_real work[WORK];

/* After an error nothing of the model may be left but the place of the fault. */
static void assert_empty(const tc_model *m)
{
    static const tc_net none;
    TEST_ASSERT_NULL(m->blob);
    TEST_ASSERT_NULL(m->hash);
    TEST_ASSERT_NULL(m->metadata);
    TEST_ASSERT_NULL(m->record);
    TEST_ASSERT_EQUAL(0, m->record_size);
    TEST_ASSERT_EQUAL(0, m->n_nets);
    TEST_ASSERT_EQUAL(0, m->size);
    TEST_ASSERT_EQUAL_MEMORY(&none, &m->room, sizeof none);
}

/* ---- Good files ------------------------------------------------------------------------------ */

/* Catches: a field read from the wrong place. */
static void test_fields(void)
{
    static const char *const names[4] = {"friction", "contact-mode", "int8", "int8-act"};
    static const char text[] = "{\"unit\": \"N s\", \"note\": \"Reibung \xce\xbc\"}";
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_kinds, sizeof model_kinds));
    TEST_ASSERT_EQUAL(4, model.n_nets);
    TEST_ASSERT_EQUAL(sizeof model_kinds, model.size);
    TEST_ASSERT_EQUAL_FLOAT(0.001f, model.step_size);
    TEST_ASSERT_EQUAL(sizeof text - 1u, model.metadata_size);
    TEST_ASSERT_EQUAL_MEMORY(text, model.metadata, sizeof text - 1u);
    TEST_ASSERT_EQUAL_PTR(model_kinds + 16, model.hash);
    for (uint32_t i = 0; i < 4u; i++) {
        TEST_ASSERT_EQUAL_STRING(names[i], tc_model_net_name(&model, i));
        TEST_ASSERT_EQUAL(TC_OK, tc_model_net(&model, names[i], &net));
        TEST_ASSERT_EQUAL(TC_OK, tc_net_check(&net));
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_model_net(&model, "friction", &net));
    TEST_ASSERT_EQUAL(3, net.n_in);
    TEST_ASSERT_EQUAL(2, net.n_out);
    TEST_ASSERT_EQUAL(5, net.width);
    TEST_ASSERT_EQUAL(2, net.n_layers);
    TEST_ASSERT_EQUAL(TC_NET_RELU, net.layers[0].activation);
    TEST_ASSERT_EQUAL(TC_NET_IDENTITY, net.layers[1].activation);
    TEST_ASSERT_EQUAL_FLOAT(-2.5f, net.input_low[1]);
    TEST_ASSERT_EQUAL_FLOAT(3.0f, net.input_high[2]);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_net_at(&model, 1, &net));
    TEST_ASSERT_EQUAL(TC_NET_HEAD_SOFTMAX, net.head);
    TEST_ASSERT_NULL(net.input_mean);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_net_at(&model, 3, &net));
    TEST_ASSERT_EQUAL(TC_NET_WEIGHT_I8_ACT, net.layers[1].weight);
    TEST_ASSERT_EQUAL_FLOAT(42.0f, net.input_quant);
}

/* Nothing is copied: all that a net points to lies in the file. */
static void test_used_in_place(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_kinds, sizeof model_kinds));
    for (uint32_t i = 0; i < 4u; i++) {
        TEST_ASSERT_EQUAL(TC_OK, tc_model_net_at(&model, i, &net));
        for (uint32_t l = 0; l < net.n_layers; l++) {
            const uint8_t *const w = net.layers[l].weights;
            const uint8_t *const b = (const uint8_t *)net.layers[l].bias;
            TEST_ASSERT_TRUE(w > model_kinds && w < model_kinds + sizeof model_kinds);
            TEST_ASSERT_TRUE(b > model_kinds && b < model_kinds + sizeof model_kinds);
        }
    }
}

/* The stored samples come from the double reference: the self-test is a test of values too. */
static void test_selftest(void)
{
    tc_model_selftest_info info;
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_kinds, sizeof model_kinds));
    TEST_ASSERT_EQUAL(TC_OK, tc_model_selftest(&model, &info, work, WORK));
    TEST_ASSERT_EQUAL(4, info.samples);
    TEST_ASSERT_EQUAL(0, info.failed);
    TEST_ASSERT_TRUE(info.max_error < TC_C(1e-5));
    TEST_ASSERT_EQUAL(TC_OK, tc_model_selftest(&model, NULL, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_model_selftest(&model, &info, work, TC_MODEL_SELFTEST_WORK(6) - 1));
    TEST_ASSERT_EQUAL(TC_OK, tc_model_selftest(&model, &info, work, TC_MODEL_SELFTEST_WORK(6)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_model_selftest(NULL, &info, work, WORK));
    TEST_ASSERT_EQUAL(0, info.samples);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_model_selftest(&model, &info, NULL, WORK));
    void *const odd = (uint8_t *)work + 2;
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_model_selftest(&model, &info, odd, WORK - 1u));
}

/* Catches: a self-test that never fails. */
static void test_selftest_sees_a_wrong_output(void)
{
    tc_model_selftest_info info;
    memcpy(copy, model_small, SMALL);
    const uint32_t outputs = get32(copy + NET_AT + 72);
    float stored;
    memcpy(&stored, copy + outputs, sizeof stored);
    put_float(copy + outputs, stored + 1e-3f);
    repair_crc(copy, SMALL);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy, SMALL));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_SELFTEST, tc_model_selftest(&model, &info, work, WORK));
    TEST_ASSERT_EQUAL(1, info.failed);
    test_near(TC_C(1e-3), info.max_error, TC_C(1e-5), 0, "largest error");
    /* a sample that the net refuses counts as failed, even if zero is what is stored */
    put_float(copy + get32(copy + NET_AT + 68), 3e38f);
    put_float(copy + outputs, 0.0f);
    repair_crc(copy, SMALL);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy, SMALL));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_SELFTEST, tc_model_selftest(&model, &info, work, WORK));
}

/* The same contents tiled for another core: another file, the same hash, the same bits. */
static void test_layouts_agree(void)
{
    tc_model tiled;
    tc_net other;
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_kinds, sizeof model_kinds));
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&tiled, model_kinds_tiled, sizeof model_kinds_tiled));
    TEST_ASSERT_EQUAL_MEMORY(model.hash, tiled.hash, TC_MODEL_HASH_BYTES);
    test_seed(5);
    for (uint32_t i = 0; i < 4u; i++) {
        tc_real x[8], y[8], z[8];
        TEST_ASSERT_EQUAL(TC_OK, tc_model_net_at(&model, i, &net));
        TEST_ASSERT_EQUAL(TC_OK, tc_model_net_at(&tiled, i, &other));
        test_fill(x, net.n_in, TC_C(-2.0), TC_C(2.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_net_eval(&net, x, y, work, WORK));
        TEST_ASSERT_EQUAL(TC_OK, tc_net_eval(&other, x, z, work, WORK));
        test_same(y, z, net.n_out, "tiled");
    }
}

/* Flash pages behind the file do not matter. */
static void test_padding_behind_the_file(void)
{
    memset(copy, 0xFF, sizeof copy);
    memcpy(copy, model_small, SMALL);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy, sizeof copy));
    TEST_ASSERT_EQUAL(SMALL, model.size);
}

static void test_names(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, model_kinds, sizeof model_kinds));
    static const char *const wrong[5] = {"", "frictio", "friction2", "INT8", "int8 "};
    for (uint32_t i = 0; i < 5u; i++) {
        memset(&net, 0xFF, sizeof net);
        TEST_ASSERT_EQUAL(TC_ERR_MODEL_NAME, tc_model_net(&model, wrong[i], &net));
        TEST_ASSERT_EQUAL(0, net.n_layers);
    }
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_NAME, tc_model_net_at(&model, 4, &net));
    TEST_ASSERT_NULL(tc_model_net_name(&model, 4));
    TEST_ASSERT_NULL(tc_model_net_name(NULL, 0));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_model_net(&model, NULL, &net));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_model_net(NULL, "int8", &net));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_model_net(&model, "int8", NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_model_net_at(&model, 0, NULL));
    memset(&model, 0, sizeof model);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_NAME, tc_model_net(&model, "int8", &net));
}

/* ---- Bad files, one rule at a time ----------------------------------------------------------- */

static void test_pointers(void)
{
    memcpy(copy + 4, model_small, SMALL);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_model_open(NULL, model_small, SMALL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_model_open(&model, NULL, SMALL));
    assert_empty(&model);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, copy + 4, SMALL));
    for (uint32_t shift = 1; shift < 4u; shift++) {
        memmove(copy + shift, model_small, SMALL);
        TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_model_open(&model, copy + shift, SMALL));
        assert_empty(&model);
    }
}

/* `size` bytes of `copy` must be refused so, with the fault at `fault`. */
static void refuses(tc_status expected, uint32_t fault, const char *what)
{
    repair_crc(copy, get32(copy + 8));
    memset(&model, 0xFF, sizeof model);
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_model_open(&model, copy, sizeof copy), what);
    TEST_ASSERT_EQUAL_MESSAGE(fault, model.fault_offset, what);
    assert_empty(&model);
}

#define REFUSES(blob, change, expected, fault)                                                     \
    do {                                                                                           \
        memcpy(copy, blob, sizeof blob);                                                           \
        change;                                                                                    \
        refuses(expected, fault, #change);                                                         \
    } while (0)

#define LAYER_AT (get32(copy + NET_AT + 32))
#define SMALL_LAYER get32(model_small + NET_AT + 32)

static void test_envelope(void)
{
    for (uint32_t i = 0; i < 4u; i++) {
        REFUSES(model_small, copy[i] ^= 1u, TC_ERR_MODEL_MAGIC, 0);
    }
    REFUSES(model_small, copy[4] = 1, TC_ERR_MODEL_VERSION, 4);
    REFUSES(model_small, copy[4] = 3, TC_ERR_MODEL_VERSION, 4);
    REFUSES(model_small, copy[5] = 1, TC_ERR_MODEL_VERSION, 4);
    REFUSES(model_small, copy[6] = 80, TC_ERR_MODEL_VERSION, 4);
    memcpy(copy, model_small, SMALL);
    put32(copy + 8, SMALL + 16u);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_SHORT, tc_model_open(&model, copy, SMALL));
    TEST_ASSERT_EQUAL(8, model.fault_offset);
    put32(copy + 8, SMALL + 4u);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_FIELD, tc_model_open(&model, copy, sizeof copy));
    put32(copy + 8, 0xFFFFFFF0u);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_FIELD, tc_model_open(&model, copy, sizeof copy));
    put32(copy + 8, 176u);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_FIELD, tc_model_open(&model, copy, sizeof copy));
    put32(copy + 8, SMALL);
    copy[12] ^= 1u;
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_CRC, tc_model_open(&model, copy, sizeof copy));
    TEST_ASSERT_EQUAL(12, model.fault_offset);
    TEST_ASSERT_EQUAL_HEX32(0xCBF43926u, crc_by_bits((const uint8_t *)"123456789", 9));
}

static void test_header_fields(void)
{
    REFUSES(model_small, put32(copy + 32, 0), TC_ERR_MODEL_FIELD, 32);
    REFUSES(model_small, put32(copy + 32, 17), TC_ERR_MODEL_FIELD, 32);
    REFUSES(model_small, put32(copy + 32, 0x80000001u), TC_ERR_MODEL_FIELD, 32);
    REFUSES(model_small, put32(copy + 36, 80), TC_ERR_MODEL_FIELD, 36);
    REFUSES(model_small, put_float(copy + 40, NAN), TC_ERR_MODEL_WEIGHT, 40);
    REFUSES(model_small, put_float(copy + 40, -1.0f), TC_ERR_MODEL_WEIGHT, 40);
    REFUSES(model_small, put32(copy + 44, 160), TC_ERR_MODEL_FIELD, 44);
    REFUSES(model_small, (put32(copy + 44, 160), put32(copy + 48, 0xFFFFFFF0u)),
            TC_ERR_MODEL_BOUNDS, 44);
    REFUSES(model_kinds, put32(copy + 44, 64), TC_ERR_MODEL_BOUNDS, 44);
    REFUSES(model_kinds, put32(copy + 44, get32(copy + 44) + 1u), TC_ERR_MODEL_FIELD, 44);
    REFUSES(model_small, copy[63] = 1, TC_ERR_MODEL_FIELD, 60);
    /* more nets than the file has room for */
    REFUSES(model_small, put32(copy + 32, 3), TC_ERR_MODEL_BOUNDS, 32);
}

static void test_net_fields(void)
{
    REFUSES(model_small, copy[NET_AT] = 0, TC_ERR_MODEL_FIELD, NET_AT);
    REFUSES(model_small, copy[NET_AT + 1u] = ' ', TC_ERR_MODEL_FIELD, NET_AT);
    REFUSES(model_small, copy[NET_AT + 2u] = 'x', TC_ERR_MODEL_FIELD, NET_AT);
    REFUSES(model_small, memset(copy + NET_AT, 'x', 24), TC_ERR_MODEL_FIELD, NET_AT);
    REFUSES(model_kinds, memcpy(copy + NET_AT + 96u, copy + NET_AT, 24), TC_ERR_MODEL_FIELD,
            NET_AT + 96u);
    REFUSES(model_small, copy[NET_AT + 24u] = 0, TC_ERR_MODEL_FIELD, NET_AT + 24u);
    REFUSES(model_small, copy[NET_AT + 25u] = 3, TC_ERR_MODEL_FIELD, NET_AT + 24u);
    REFUSES(model_small, copy[NET_AT + 26u] = 0, TC_ERR_MODEL_FIELD, NET_AT + 26u);
    REFUSES(model_small, copy[NET_AT + 28u] = 0, TC_ERR_MODEL_FIELD, NET_AT + 28u);
    REFUSES(model_small, copy[NET_AT + 28u] = 9, TC_ERR_MODEL_FIELD, NET_AT + 28u);
    REFUSES(model_small, copy[NET_AT + 29u] = 2, TC_ERR_MODEL_FIELD, NET_AT + 29u);
    REFUSES(model_small, copy[NET_AT + 30u] = 3, TC_ERR_MODEL_FIELD, NET_AT + 30u);
    REFUSES(model_small, copy[NET_AT + 31u] = 1, TC_ERR_MODEL_FIELD, NET_AT + 31u);
    REFUSES(model_small, put32(copy + NET_AT + 32u, 0xFFFFFFF0u), TC_ERR_MODEL_BOUNDS,
            NET_AT + 32u);
    REFUSES(model_small, put32(copy + NET_AT + 32u, SMALL), TC_ERR_MODEL_BOUNDS, NET_AT + 32u);
    REFUSES(model_small, put32(copy + NET_AT + 32u, 168), TC_ERR_MODEL_FIELD, NET_AT + 32u);
    REFUSES(model_small, put32(copy + NET_AT + 36u, 0), TC_ERR_MODEL_FIELD, NET_AT + 36u);
    REFUSES(model_small, put32(copy + NET_AT + 40u, 0), TC_ERR_MODEL_FIELD, NET_AT + 36u);
    const uint32_t mean = get32(model_small + NET_AT + 36u);
    REFUSES(model_small, put32(copy + NET_AT + 40u, mean), TC_ERR_MODEL_BOUNDS, NET_AT + 40u);
    REFUSES(model_small, put_float(copy + NET_AT + 60u, INFINITY), TC_ERR_MODEL_WEIGHT,
            NET_AT + 60u);
    REFUSES(model_small, put_float(copy + NET_AT + 60u, 1.0f), TC_ERR_MODEL_FIELD, NET_AT);
    REFUSES(model_small, put32(copy + NET_AT + 64u, 65536), TC_ERR_MODEL_FIELD, NET_AT + 64u);
    REFUSES(model_small, put32(copy + NET_AT + 64u, 65535), TC_ERR_MODEL_BOUNDS, NET_AT + 68u);
    REFUSES(model_small, put32(copy + NET_AT + 64u, 0), TC_ERR_MODEL_FIELD, NET_AT + 68u);
    REFUSES(model_small, put_float(copy + NET_AT + 76u, -1.0f), TC_ERR_MODEL_WEIGHT, NET_AT + 76u);
    REFUSES(model_small, copy[NET_AT + 95u] = 1, TC_ERR_MODEL_FIELD, NET_AT + 80u);
}

static void test_layer_fields(void)
{
    const uint32_t at = SMALL_LAYER;
    REFUSES(model_small, copy[at] = 0, TC_ERR_MODEL_FIELD, at);
    REFUSES(model_small, copy[at + 1u] = 3, TC_ERR_MODEL_FIELD, at);
    REFUSES(model_small, copy[at] = 3, TC_ERR_MODEL_FIELD, at);
    REFUSES(model_small, copy[at + 2u] = 0, TC_ERR_MODEL_FIELD, at + 2u);
    REFUSES(model_small, copy[at + 2u] = 2, TC_ERR_MODEL_FIELD, at);
    REFUSES(model_small, copy[at + 4u] = 5, TC_ERR_MODEL_FIELD, at + 4u);
    REFUSES(model_small, copy[at + 5u] = 0, TC_ERR_MODEL_FIELD, at + 5u);
    REFUSES(model_small, copy[at + 5u] = 2, TC_ERR_MODEL_FIELD, at + 5u);
    REFUSES(model_small, copy[at + 6u] = 8, TC_ERR_MODEL_FIELD, at + 5u);
    REFUSES(model_small, copy[at + 7u] = 1, TC_ERR_MODEL_FIELD, at + 7u);
    REFUSES(model_small, put32(copy + at + 8u, 0), TC_ERR_MODEL_BOUNDS, at + 8u);
    REFUSES(model_small, put32(copy + at + 8u, SMALL), TC_ERR_MODEL_BOUNDS, at + 8u);
    REFUSES(model_small, put32(copy + at + 12u, get32(copy + at + 8u)), TC_ERR_MODEL_BOUNDS,
            at + 12u);
    REFUSES(model_small, put32(copy + at + 16u, 16), TC_ERR_MODEL_FIELD, at + 16u);
    REFUSES(model_small, copy[at + 31u] = 1, TC_ERR_MODEL_FIELD, at + 20u);
    REFUSES(model_small, put_float(copy + get32(copy + at + 8u), 1e38f), TC_ERR_MODEL_WEIGHT, at);
    REFUSES(model_small, put_float(copy + get32(copy + at + 12u) + 4u, 1.0f), TC_ERR_MODEL_FIELD,
            at);
}

/* Not finite, in every array: the fault is the number itself. Catches: an array nobody looks at. */
static void test_numbers_not_finite(void)
{
    const uint32_t net_arrays[4] = {36, 40, 68, 72}, layer_arrays[2] = {8, 12};
    for (uint32_t k = 0; k < 6u; k++) {
        const uint32_t field = k < 4u ? NET_AT + net_arrays[k] : SMALL_LAYER + layer_arrays[k - 4u];
        const uint32_t number = get32(model_small + field);
        REFUSES(model_small, put_float(copy + number, NAN), TC_ERR_MODEL_WEIGHT, number);
        REFUSES(model_small, put_float(copy + number, INFINITY), TC_ERR_MODEL_WEIGHT, number);
        REFUSES(model_small, put_float(copy + number, -INFINITY), TC_ERR_MODEL_WEIGHT, number);
    }
}

/* ---- Exhaustive corruption ------------------------------------------------------------------- */

/* Opens exactly n bytes. On the host they lie at the end of an allocation of their own, where the
 * address sanitizer sees a read behind them; elsewhere NaN bytes follow. */
static tc_status open_exactly(const uint8_t *bytes, uint32_t n)
{
#ifndef __arm__
    uint8_t *const own = malloc(n > 0u ? n : 1u);
    TEST_ASSERT_NOT_NULL(own);
    memcpy(own, bytes, n);
    const tc_status status = tc_model_open(&model, own, n);
    free(own);
#else
    memset(copy, 0xFF, SMALL);
    memcpy(copy, bytes, n);
    const tc_status status = tc_model_open(&model, copy, n);
#endif
    return status;
}

static void test_every_truncation(void)
{
    for (uint32_t n = 0; n < SMALL; n++) {
        const tc_status status = open_exactly(model_small, n);
        TEST_ASSERT_EQUAL(TC_ERR_MODEL_SHORT, status);
        TEST_ASSERT_EQUAL(n < 64u ? n : 8u, model.fault_offset);
        assert_empty(&model);
    }
    TEST_ASSERT_EQUAL(TC_OK, open_exactly(model_small, SMALL));
}

static void test_every_flipped_bit(void)
{
    static uint8_t flipped[sizeof model_small];
    for (uint32_t bit = 0; bit < 8u * SMALL; bit++) {
        memcpy(flipped, model_small, SMALL);
        flipped[bit / 8u] ^= (uint8_t)(1u << (bit % 8u));
        const tc_status status = open_exactly(flipped, SMALL);
        TEST_ASSERT_TRUE_MESSAGE(status < TC_OK, "a flipped bit was not noticed");
        TEST_ASSERT_TRUE(model.fault_offset < SMALL);
        assert_empty(&model);
    }
}

/* Whatever a file with a good CRC says, if it opens then its nets are sound. */
static void assert_sound(const uint8_t *blob, uint32_t size)
{
    tc_real x[2] = {TC_C(0.5), TC_C(-0.25)}, y[16];
    if (tc_model_open(&model, blob, size) != TC_OK) {
        assert_empty(&model);
        return;
    }
    TEST_ASSERT_EQUAL(1, model.n_nets);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_net_at(&model, 0, &net));
    TEST_ASSERT_EQUAL(TC_OK, tc_net_check(&net));
    TEST_ASSERT_TRUE(net.n_in <= 2u && net.n_out <= 16u);
    TEST_ASSERT_TRUE(tc_net_eval(&net, x, y, work, WORK) <= TC_OK);
    TEST_ASSERT_TRUE(tc_all_finite(y, net.n_out));
    (void)tc_model_selftest(&model, NULL, work, WORK);
}

/* The CRC repaired, so that every check behind it is reached. Catches: a field nobody looks at. */
static void test_every_flipped_bit_with_good_crc(void)
{
    for (uint32_t bit = 0; bit < 8u * SMALL; bit++) {
        const uint32_t at = bit / 8u;
        if (at >= 8u && at < 16u) {
            continue; /* length and CRC: the test before */
        }
        memcpy(copy, model_small, SMALL);
        copy[at] ^= (uint8_t)(1u << (bit % 8u));
        repair_crc(copy, SMALL);
        assert_sound(copy, SMALL);
    }
}

/* The same for every byte of the records set to values that break arithmetic. */
static void test_records_of_extremes(void)
{
    static const uint32_t extremes[8] = {0,           1,           16,          0x7FFFFFF0u,
                                         0x80000000u, 0xFFFFFFF0u, 0xFFFFFFFFu, SMALL};
    const uint32_t end = SMALL_LAYER + 32u;
    for (uint32_t at = 16; at < end; at += 4u) {
        for (uint32_t k = 0; k < 8u; k++) {
            memcpy(copy, model_small, SMALL);
            put32(copy + at, extremes[k]);
            repair_crc(copy, SMALL);
            assert_sound(copy, SMALL);
        }
    }
}

void suite_model(void);

void suite_model(void)
{
    RUN_TEST(test_fields);
    RUN_TEST(test_used_in_place);
    RUN_TEST(test_selftest);
    RUN_TEST(test_selftest_sees_a_wrong_output);
    RUN_TEST(test_layouts_agree);
    RUN_TEST(test_padding_behind_the_file);
    RUN_TEST(test_names);
    RUN_TEST(test_pointers);
    RUN_TEST(test_envelope);
    RUN_TEST(test_header_fields);
    RUN_TEST(test_net_fields);
    RUN_TEST(test_layer_fields);
    RUN_TEST(test_numbers_not_finite);
    RUN_TEST(test_every_truncation);
    RUN_TEST(test_every_flipped_bit);
    RUN_TEST(test_every_flipped_bit_with_good_crc);
    RUN_TEST(test_records_of_extremes);
}
