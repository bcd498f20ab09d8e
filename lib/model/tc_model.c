/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Model files: opening one, its nets, and its self-test. docs/reference/model-file.md has the
 * bytes, tc_model_read.c the reading of nets. Records are read by the floors whose nets they go
 * with.
 *
 * The arrays are used as float where they lie. This is why a big-endian machine is refused.
 *
 * Cost on Cortex-M4F: 10 instructions per byte for the CRC, 8 per float to see that it is finite,
 * and tc_net_check: a file of 10 KB opens in 0.2 million. Stack: 260 bytes with all that is called.
 */
#include "tc_exact.h"
#include "tc_model.h"

#include "tc_model_read.h"
#include "tc_net_core.h"
#include "tc_vec.h"

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "model files are used in place and hold little-endian numbers: this machine is big-endian"
#endif
#endif
_Static_assert(sizeof(float) == 4, "model files hold IEC 60559 binary32");

#define SIZE_LEAST (TC_MODEL_HEADER_SIZE + TC_MODEL_NET_SIZE + TC_MODEL_LAYER_SIZE)
#define SIZE_MOST 0x7FFFFFFFu /* so that the sum of two sizes does not wrap */

/* ---- Opening --------------------------------------------------------------------------------- */

/* Magic and version: whether this is one of our files. */
static int read_magic(tc_model_reader *r, size_t blob_size)
{
    static const uint8_t magic[4] = {'T', 'C', 'M', 0x1A};
    if (blob_size >= sizeof magic && memcmp(r->blob, magic, sizeof magic) != 0) {
        return tc_model_fail(r, 0, TC_ERR_MODEL_MAGIC);
    }
    if (blob_size < TC_MODEL_HEADER_SIZE) {
        return tc_model_fail(r, (uint32_t)blob_size, TC_ERR_MODEL_SHORT);
    }
    if (tc_bytes_u16(r->blob + 4) != TC_MODEL_VERSION
        || tc_bytes_u16(r->blob + 6) != TC_MODEL_HEADER_SIZE) {
        return tc_model_fail(r, 4, TC_ERR_MODEL_VERSION);
    }
    return 1;
}

/* What comes before the contents, and whether these are whole: length and checksum. */
static int read_envelope(tc_model_reader *r, size_t blob_size)
{
    if (!read_magic(r, blob_size)) {
        return 0;
    }
    const uint32_t size = tc_bytes_u32(r->blob + 8);
    if (size % 16u != 0u || size < SIZE_LEAST || size > SIZE_MOST) {
        return tc_model_fail(r, 8, TC_ERR_MODEL_FIELD);
    }
    if (size > blob_size) {
        return tc_model_fail(r, 8, TC_ERR_MODEL_SHORT);
    }
    r->size = size;
    if (tc_bytes_crc32(0, r->blob + 16, size - 16u) != tc_bytes_u32(r->blob + 12)) {
        return tc_model_fail(r, 12, TC_ERR_MODEL_CRC);
    }
    return 1;
}

static int read_header(tc_model_reader *r, tc_model *model)
{
    const uint8_t *const header = r->blob;
    uint32_t start = 0;
    model->blob = header;
    model->size = r->size;
    model->n_nets = tc_bytes_u32(header + 32);
    model->step_size = tc_bytes_float(header + 40);
    model->hash = header + 16;
    model->metadata_size = tc_bytes_u32(header + 48);
    if (model->n_nets < 1u || model->n_nets > TC_MODEL_NETS_MAX) {
        return tc_model_fail(r, 32, TC_ERR_MODEL_FIELD);
    }
    if (model->n_nets > (r->size - TC_MODEL_HEADER_SIZE) / TC_MODEL_NET_SIZE) {
        return tc_model_fail(r, 32, TC_ERR_MODEL_BOUNDS);
    }
    r->claimed = TC_MODEL_HEADER_SIZE + TC_MODEL_NET_SIZE * model->n_nets;
    const int good = tc_model_expect(r, 36, tc_bytes_u32(header + 36) == TC_MODEL_HEADER_SIZE)
                     && tc_model_expect_number(r, 40, tc_model_is_magnitude(header + 40))
                     && tc_model_expect(r, 60, tc_model_all_zero(header + 60, 4));
    if (!good || model->metadata_size == 0u) {
        return good && tc_model_expect(r, 44, tc_bytes_u32(header + 44) == 0u);
    }
    if (!tc_model_claim(r, 44, model->metadata_size, &start)) {
        return 0;
    }
    model->metadata = (const char *)header + start;
    return 1;
}

/* The record, if the header names one: claimed, not read. Whose it is, and what its size may be,
 * the floors above know; the step size belongs to any. */
static int read_record(tc_model_reader *r, tc_model *model)
{
    const uint32_t size = tc_bytes_u32(r->blob + TC_MODEL_RECORD_SIZE_AT);
    uint32_t start = 0;
    if (size == 0u) {
        return tc_model_expect(r, 52, tc_bytes_u32(r->blob + 52) == 0u);
    }
    if (!tc_model_expect(r, TC_MODEL_RECORD_SIZE_AT, size % 16u == 0u)
        || !tc_model_claim(r, 52, size, &start)
        || !tc_model_expect(r, 40, tc_bytes_u32(r->blob + 40) != 0u)) {
        return 0;
    }
    model->record = r->blob + start;
    model->record_size = size;
    return 1;
}

/* tc_net_check's findings about net `index` as a model file's, at the record of the layer (or the
 * net) that they belong to. */
static int check_net_model(tc_model_reader *r, uint32_t index, const tc_net *net)
{
    const uint32_t at = TC_MODEL_HEADER_SIZE + TC_MODEL_NET_SIZE * index;
    uint32_t layer = 0;
    const tc_status status = tc_net_check_where(net, &layer);
    if (status == TC_OK) {
        return 1;
    }
    const int value = status == TC_ERR_NOT_FINITE || status == TC_ERR_RANGE;
    const int in_layer = layer < net->n_layers;
    const uint32_t record =
        in_layer ? tc_bytes_u32(r->blob + at + 32u) + TC_MODEL_LAYER_SIZE * layer : at;
    return tc_model_fail(r, record, value ? TC_ERR_MODEL_WEIGHT : TC_ERR_MODEL_FIELD);
}

/* Whether no earlier net has this one's name; at most 120 comparisons in a file. */
static int name_is_new(const tc_model_reader *r, uint32_t index)
{
    const uint8_t *const names = r->blob + TC_MODEL_HEADER_SIZE;
    for (uint32_t i = 0; i < index; i++) {
        const uint8_t *const other = names + TC_MODEL_NET_SIZE * i;
        if (memcmp(other, names + TC_MODEL_NET_SIZE * index, TC_MODEL_NAME_SIZE) == 0) {
            return 0;
        }
    }
    return 1;
}

static int read_nets(tc_model_reader *r, tc_model *model)
{
    for (uint32_t i = 0; i < model->n_nets; i++) {
        tc_model_samples s;
        if (!tc_model_read_net(r, i, &model->room, &s) || !check_net_model(r, i, &model->room)
            || !tc_model_expect(r, TC_MODEL_HEADER_SIZE + TC_MODEL_NET_SIZE * i,
                                name_is_new(r, i))) {
            return 0;
        }
    }
    return 1;
}

tc_status tc_model_open(tc_model *model, const void *blob, size_t blob_size)
{
    if (model == NULL) {
        return TC_ERR_NULL;
    }
    memset(model, 0, sizeof *model);
    if (blob == NULL) {
        return TC_ERR_NULL;
    }
    if (!tc_net_aligned(blob)) {
        return TC_ERR_ALIGN;
    }
    tc_model_reader r = {.blob = blob, .status = TC_OK};
    if (!read_envelope(&r, blob_size) || !read_header(&r, model) || !read_record(&r, model)
        || !read_nets(&r, model)) {
        memset(model, 0, sizeof *model);
        model->fault_offset = r.fault;
    }
    return r.status;
}

/* ---- Nets of an open model ------------------------------------------------------------------- */

/* Net `index` and its samples, read again from the first net on, as what each may claim depends on
 * where the one before it ended. Everything but tc_net_check is done anew. */
static tc_status find_net(const tc_model *model, uint32_t index, tc_net *net, tc_model_samples *s)
{
    tc_model_reader r = {.blob = model->blob,
                         .size = model->size,
                         .status = TC_OK,
                         .claimed = TC_MODEL_HEADER_SIZE + TC_MODEL_NET_SIZE * model->n_nets};
    for (uint32_t i = 0; i <= index; i++) {
        if (!tc_model_read_net(&r, i, net, s)) {
            return r.status;
        }
    }
    return TC_OK;
}

tc_status tc_model_net_at(const tc_model *model, uint32_t index, tc_net *net)
{
    tc_model_samples unused;
    if (net == NULL) {
        return TC_ERR_NULL;
    }
    memset(net, 0, sizeof *net);
    if (model == NULL) {
        return TC_ERR_NULL;
    }
    if (index >= model->n_nets) {
        return TC_ERR_MODEL_NAME;
    }
    const tc_status status = find_net(model, index, net, &unused);
    if (status != TC_OK) {
        memset(net, 0, sizeof *net);
    }
    return status;
}

const char *tc_model_net_name(const tc_model *model, uint32_t index)
{
    if (model == NULL || index >= model->n_nets) {
        return NULL;
    }
    return (const char *)model->blob + TC_MODEL_HEADER_SIZE + TC_MODEL_NET_SIZE * index;
}

/* Compares at most the bytes of the field, whatever is in it. */
static int name_is(const char *field, const char *name)
{
    for (uint32_t i = 0; i < TC_MODEL_NAME_SIZE; i++) {
        if (field[i] != name[i]) {
            return 0;
        }
        if (name[i] == '\0') {
            return 1;
        }
    }
    return 0;
}

tc_status tc_model_net(const tc_model *model, const char *name, tc_net *net)
{
    uint32_t index = 0;
    if (net == NULL || model == NULL || name == NULL) {
        return tc_model_net_at(NULL, 0, net);
    }
    while (index < model->n_nets && !name_is(tc_model_net_name(model, index), name)) {
        index++;
    }
    return tc_model_net_at(model, index, net);
}

/* ---- Self-test ------------------------------------------------------------------------------- */

/* One sample: evaluates input, compares with the stored output, counts. */
static void test_sample(const tc_net *net, const tc_model_samples *s, uint32_t k, tc_real *work,
                        tc_model_selftest_info *info)
{
    const uint32_t padded = TC_NET_PADDED((uint32_t)net->width);
    tc_real *const output = work + padded;
    for (uint32_t i = 0; i < net->n_in; i++) {
        work[i] = (tc_real)s->inputs[k * net->n_in + i];
    }
    const tc_status status =
        tc_net_eval(net, work, output, output + padded, TC_NET_WORK((size_t)net->width));
    for (uint32_t o = 0; o < net->n_out; o++) {
        const tc_real error = output[o] - (tc_real)s->outputs[k * net->n_out + o];
        const tc_real size = tc_vec_magnitude(error);
        info->max_error = size > info->max_error ? size : info->max_error;
        info->failed += status != TC_OK || size > (tc_real)s->tolerance;
    }
    info->samples++;
}

static tc_status test_net(tc_model *model, uint32_t i, tc_real *work, size_t work_len,
                          tc_model_selftest_info *seen)
{
    tc_net *const net = &model->room;
    tc_model_samples s;
    tc_status status = find_net(model, i, net, &s);
    if (status == TC_OK && work_len < TC_MODEL_SELFTEST_WORK((size_t)net->width)) {
        status = TC_ERR_WORK;
    }
    for (uint32_t k = 0; status == TC_OK && k < s.count; k++) {
        test_sample(net, &s, k, work, seen);
    }
    return status;
}

tc_status tc_model_selftest(tc_model *model, tc_model_selftest_info *info, tc_real *work,
                            size_t work_len)
{
    tc_model_selftest_info seen = {0, 0, TC_C(0.0)};
    tc_status status = model == NULL || work == NULL ? TC_ERR_NULL : TC_OK;
    if (status == TC_OK && !tc_net_aligned(work)) {
        status = TC_ERR_ALIGN;
    }
    for (uint32_t i = 0; status == TC_OK && i < model->n_nets; i++) {
        status = test_net(model, i, work, work_len, &seen);
    }
    if (info != NULL) {
        *info = seen;
    }
    return status == TC_OK && seen.failed > 0u ? TC_ERR_MODEL_SELFTEST : status;
}
