/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Fuzzing of the model file (libFuzzer, with address and undefined-behaviour sanitizers).
 *
 *     make fuzz SECONDS=60
 *
 * Seeds are the unit tests' model files (tools/ref/net_vectors.py --blobs folder): without them it
 * takes long to find a file that opens.
 *
 * Every input is tried as it is and, because a random change would otherwise end at the checksum,
 * again with total_size and CRC made right. What opens must keep the promise: nets that check,
 * outputs that are finite for any input within the norm, a self-test and gradients that end.
 */
#include "tinycontact.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORK TC_NET_GRAD_WORK(TC_NET_WIDTH_MAX, TC_NET_LAYERS_MAX)

static tc_real work[WORK], input[TC_NET_WIDTH_MAX], output[TC_NET_WIDTH_MAX],
    grad[TC_NET_WIDTH_MAX], cotangent[TC_NET_WIDTH_MAX];

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

/* An input of about the largest norm once, a small one otherwise; normalised or not is the
 * net's. */
static void evaluate(const tc_net *net, tc_real size)
{
    for (uint32_t i = 0; i < net->n_in; i++) {
        input[i] = i % 2u == 0u ? size : -size;
    }
    for (uint32_t o = 0; o < net->n_out; o++) {
        cotangent[o] = o % 3u == 0u ? size : -size;
    }
    const tc_status status = tc_net_eval(net, input, output, work, WORK);
    require(status == TC_OK || status == TC_ERR_RANGE);
    require(tc_all_finite(output, net->n_out));
    const tc_status back = tc_net_grad(net, input, cotangent, NULL, grad, work, WORK);
    require(back == TC_OK || back == TC_ERR_RANGE || back == TC_ERR_UNSUPPORTED);
    require(tc_all_finite(grad, net->n_in));
    (void)tc_net_in_range(net, input);
}

static void check_net(const tc_model *model, uint32_t index)
{
    tc_net net, same;
    const char *const name = tc_model_net_name(model, index);
    require(tc_model_net_at(model, index, &net) == TC_OK);
    require(strlen(name) <= TC_MODEL_NAME_MAX);
    require(tc_model_net(model, name, &same) == TC_OK);
    require(memcmp(&net, &same, sizeof net) == 0);
    require(tc_net_check(&net) == TC_OK);
    evaluate(&net, TC_C(0.7));
    evaluate(&net, TC_NET_NORM_MAX / TC_C(32.0));
    evaluate(&net, TC_C(0.0));
}

static void check_numbers(const float *x, uint32_t n, float least)
{
    for (uint32_t i = 0; i < n; i++) {
        const tc_real number = (tc_real)x[i];
        require(tc_all_finite(&number, 1) && x[i] >= least);
    }
}

/* Whether a record was let through; if not, for a fault that lies in the file's header or in the
 * record. */
static int taken(tc_status status, const tc_model *model, uint32_t fault)
{
    const uint32_t at = model->record != NULL ? (uint32_t)(model->record - model->blob) : 0u;
    const int inside = fault == 56u || (fault >= at && fault < at + model->record_size);
    require(status == TC_OK || status == TC_ERR_MODEL_FIELD || status == TC_ERR_MODEL_WEIGHT
            || status == TC_ERR_MODEL_MISMATCH);
    require(status == TC_OK || status == TC_ERR_MODEL_MISMATCH ? fault == 0u || fault == at
                                                               : inside);
    return status == TC_OK;
}

/* A system record that was let through has numbers that can be computed with, all within the
 * file. */
static void check_system(const tc_model *model)
{
    tc_cdl_record record;
    uint32_t fault;
    if (!taken(tc_cdl_record_read(model, &record, &fault), model, fault)) {
        return;
    }
    require(record.bodies >= 1u && record.bodies <= TC_CDL_RECORD_BODIES
            && record.contacts <= TC_CDL_RECORD_CONTACTS);
    require(record.dimension >= 1u && record.dimension <= 3u);
    require((record.flags & (TC_CDL_RECORD_POTENTIAL | TC_CDL_RECORD_CONTACT)) != 0u);
    require(record.restitution >= TC_C(0.0) && record.restitution <= TC_C(1.0));
    require(record.tolerance >= TC_C(0.0) && record.tolerance <= TC_C(1.0));
    require(record.rest_speed >= TC_C(0.0) && tc_all_finite(&record.rest_speed, 1));
    check_numbers(record.mass, record.bodies, FLT_TRUE_MIN);
    check_numbers(record.damping, record.bodies, 0.0f);
    check_numbers(record.distance, record.contacts, -FLT_MAX);
    check_numbers(record.normal, record.contacts * record.dimension, -FLT_MAX);
    for (uint32_t c = 0; c < record.contacts; c++) {
        const uint32_t body = record.pairs[2u * c], other = record.pairs[2u * c + 1u];
        require(body < record.bodies && other != body
                && (other < record.bodies || other == TC_CDL_RECORD_WALL));
    }
}

/* So has a contact record, and no record is both. */
static void check_contact(const tc_model *model)
{
    tc_learned_record record;
    tc_cdl_record system;
    uint32_t fault;
    if (!taken(tc_learned_record_read(model, &record, &fault), model, fault)) {
        return;
    }
    require(tc_cdl_record_read(model, &system, NULL) == TC_ERR_MODEL_MISMATCH);
    require(model->step_size > 0.0f && record.mass > TC_C(0.0) && record.inertia[0] > TC_C(0.0));
    require(tc_all_finite(&record.mass, 1) && tc_all_finite(record.inertia, 3));
    require(record.restitution >= TC_C(0.0) && record.restitution <= TC_C(1.0));
    require(record.tolerance >= TC_C(0.0) && record.tolerance <= TC_C(1.0));
    require(record.gravity >= TC_C(0.0) && tc_all_finite(&record.gravity, 1));
    require(record.positions <= 2u && record.patches != 0u && record.patches <= 7u);
    for (uint32_t d = 0; d < 3u; d++) {
        const int given = (record.patches >> d & 1) != 0;
        require((record.mask[d] != 0u) == given && record.mask[d] <= TC_LEARNED_FEATURE_ALL);
        require((record.temperature[d] > TC_C(0.0)) == given
                && tc_all_finite(&record.temperature[d], 1));
    }
}

static void open_and_use(const uint8_t *blob, size_t size)
{
    tc_model model;
    const tc_status status = tc_model_open(&model, blob, size);
    if (status != TC_OK) {
        require(status < TC_OK && model.blob == NULL && model.n_nets == 0u
                && model.fault_offset <= size);
        return;
    }
    require(model.size <= size);
    uint32_t sum = 0; /* every byte of the metadata can be read */
    for (uint32_t i = 0; i < model.metadata_size; i++) {
        sum += (uint8_t)model.metadata[i];
    }
    require(sum <= 255u * model.metadata_size);
    check_system(&model);
    check_contact(&model);
    for (uint32_t i = 0; i < model.n_nets; i++) {
        check_net(&model, i);
    }
    (void)tc_model_selftest(&model, NULL, work, WORK);
}

static uint32_t crc32(const uint8_t *data, size_t n)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < n; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++) {
            crc = crc >> 1 ^ (0u - (crc & 1u) & 0xEDB88320u);
        }
    }
    return ~crc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *const exact = malloc(size > 0u ? size : 1u); /* its own: one byte too far is seen */
    require(exact != NULL);
    memcpy(exact, data, size);
    open_and_use(exact, size);
    if (size >= 192u) {
        const uint32_t whole = (uint32_t)size / 16u * 16u;
        memcpy(exact, "TCM\x1a\x02\0\x40\0", 8);
        memcpy(exact + 8, &whole, 4);
        const uint32_t crc = crc32(exact + 16, whole - 16u);
        memcpy(exact + 12, &crc, 4);
        open_and_use(exact, size);
    }
    free(exact);
    return 0;
}
