/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Model files: reading one, trusting none of it. lib/MODEL_FORMAT.md has the bytes.
 *
 * Fields are read byte by byte through field16 and field32, at offsets whose record was claimed
 * before: `claim` is the only place where an offset from the file becomes a position, and it lets
 * nothing through that is misaligned, outside the file, or before the end of what was claimed
 * last. So nothing overlaps, arrays can be handed out as pointers into the file, and the time
 * for all checks is bounded by the file's length: CRC once, every number three times.
 *
 * Sizes: no array is longer than 65535 * 512 * 4 < 2^27 bytes, so lengths fit 32 bits; ends are compared as
 * `length <= size - offset` after `offset <= size`, so no sum can wrap. A blob of 4 GB on a 64-bit
 * host cannot confuse: total_size is at most 2^31 - 1.
 *
 * The arrays are read as float where they lie. This is why a big-endian machine is refused.
 *
 * Cost: about 25 instructions per byte for the CRC (Cortex-M4F), and tc_net_check.
 */
#include "tc_model.h"

#include "tc_net_core.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "model files are used in place and hold little-endian numbers: this machine is big-endian"
#endif
#endif
_Static_assert(sizeof(float) == 4, "model files hold IEC 60559 binary32");

#define HEADER_SIZE 64u
#define NET_SIZE 96u
#define LAYER_SIZE 32u
#define NAME_SIZE (TC_MODEL_NAME_MAX + 1u)

#define SIZE_LEAST (HEADER_SIZE + NET_SIZE + LAYER_SIZE)
#define SIZE_MOST 0x7FFFFFFFu
#define SAMPLES_LIMIT 0xFFFFu
#define EXPONENT_BITS 0x7F800000u /* all set: NaN or infinite */

/* The file while it is read: [0, size) may be looked at, [0, claimed) has been given out. All readers
 * return 1, or 0 after the first fault, which ends the reading. */
typedef struct reader {
    const uint8_t *blob;
    uint32_t size;
    uint32_t claimed;
    tc_status status;
    uint32_t fault; /* offset of what was wrong */
} reader;

/* The samples of a net. */
typedef struct samples {
    uint32_t count;
    const float *inputs;  /* [count][n_in] */
    const float *outputs; /* [count][n_out] */
    float tolerance;
} samples;

/* ---- Bytes ---------------------------------------------------------------------------------------- */

static uint32_t field16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static uint32_t field32(const uint8_t *at)
{
    return field16(at) | field16(at + 2) << 16;
}

static float field_float(const uint8_t *at)
{
    const uint32_t bits = field32(at);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Finite and not negative: exponent below the top one, sign clear (-0 is not written by exporters). */
static int is_magnitude(const uint8_t *at)
{
    return field32(at) < EXPONENT_BITS;
}

static int all_zero(const uint8_t *at, uint32_t n)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < n; i++) {
        any |= at[i];
    }
    return any == 0u;
}

/* CRC-32 (IEEE 802.3), four bits at a time: 64 bytes of table, half the time of single bits. */
static uint32_t crc32(const uint8_t *data, uint32_t n)
{
    static const uint32_t table[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u, 0x4DB26158u, 0x5005713Cu,
        0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu, 0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
    };
    uint32_t crc = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < n; i++) {
        crc ^= data[i];
        crc = crc >> 4 ^ table[crc & 15u];
        crc = crc >> 4 ^ table[crc & 15u];
    }
    return ~crc;
}

static int fail(reader *r, uint32_t at, tc_status status)
{
    r->status = status;
    r->fault = at;
    return 0;
}

static int expect(reader *r, uint32_t at, int condition, tc_status otherwise)
{
    return condition ? 1 : fail(r, at, otherwise);
}

/* Takes [offset, offset + length) out of the file, offset being the u32 at `field`. The caller
 * guarantees that the field itself lies in the file, and length < 2^31. */
static int claim(reader *r, uint32_t field, uint32_t length, uint32_t *start)
{
    const uint32_t offset = field32(r->blob + field);
    if (offset % 16u != 0u) {
        return fail(r, field, TC_ERR_MODEL_FIELD);
    }
    if (offset < r->claimed || offset > r->size || length > r->size) {
        return fail(r, field, TC_ERR_MODEL_BOUNDS);
    }
    const uint32_t end = offset + length; /* no wrap: both are at most SIZE_MOST */
    if (end > r->size) {
        return fail(r, field, TC_ERR_MODEL_BOUNDS);
    }
    r->claimed = end;
    *start = offset;
    return 1;
}

/* The same for an array of n finite floats. */
static int claim_floats(reader *r, uint32_t field, uint32_t n, const float **array)
{
    uint32_t start = 0;
    if (!claim(r, field, 4u * n, &start)) {
        return 0;
    }
    for (uint32_t at = start; at < r->claimed; at += 4u) {
        if ((field32(r->blob + at) & EXPONENT_BITS) == EXPONENT_BITS) {
            return fail(r, at, TC_ERR_MODEL_WEIGHT);
        }
    }
    *array = (const float *)(const void *)(r->blob + start);
    return 1;
}

/* The same for two arrays that are both present or both absent (offset 0). */
static int claim_pair(reader *r, uint32_t field, uint32_t n, const float **first, const float **second)
{
    const int has_first = field32(r->blob + field) != 0u, has_second = field32(r->blob + field + 4u) != 0u;
    if (has_first != has_second) {
        return fail(r, field, TC_ERR_MODEL_FIELD);
    }
    return !has_first || (claim_floats(r, field, n, first) && claim_floats(r, field + 4u, n, second));
}

/* ---- Records -------------------------------------------------------------------------------------- */

static int is_dimension(uint32_t n)
{
    return n >= 1u && n <= TC_NET_MAX_WIDTH;
}

static int is_tile(uint32_t rows, uint32_t columns)
{
    return (rows == 1u || rows == 4u || rows == 8u) && (columns == 1u || columns == 4u || columns == 16u);
}

/* The fields of the layer record at `at` that are no offsets. `weight` is the net's. The record was
 * claimed with its neighbours; its place is looked at again so that what is read below is seen to be
 * inside by this function alone, by a reader as by a prover that knows no relations between variables. */
static int read_layer_fields(reader *r, uint32_t at, uint32_t weight, tc_dense *layer)
{
    if (at > r->size - LAYER_SIZE) {
        return fail(r, at, TC_ERR_MODEL_BOUNDS);
    }
    const uint8_t *const record = r->blob + at;
    layer->n_in = (uint16_t)field16(record);
    layer->n_out = (uint16_t)field16(record + 2);
    layer->activation = record[4];
    layer->weight = (uint8_t)weight;
    layer->tile_rows = record[5];
    layer->tile_columns = record[6];
    return expect(r, at, is_dimension(layer->n_in), TC_ERR_MODEL_FIELD)
           && expect(r, at + 2u, is_dimension(layer->n_out), TC_ERR_MODEL_FIELD)
           && expect(r, at + 4u, layer->activation <= TC_SOFTPLUS, TC_ERR_MODEL_FIELD)
           && expect(r, at + 5u, is_tile(layer->tile_rows, layer->tile_columns), TC_ERR_MODEL_FIELD)
           && expect(r, at + 7u, record[7] == 0u, TC_ERR_MODEL_FIELD)
           && expect(r, at + 20u, all_zero(record + 20, 12), TC_ERR_MODEL_FIELD);
}

/* The weights, bias and scale of that layer. */
static int read_layer_arrays(reader *r, uint32_t at, tc_dense *layer)
{
    const uint32_t padded = (layer->n_out + 7u) & ~7u, count = (uint32_t)tc_dense_count(layer);
    if (layer->weight == TC_WEIGHT_F32) {
        const float *weights = NULL;
        const int good = claim_floats(r, at + 8u, count, &weights) && claim_floats(r, at + 12u, padded, &layer->bias);
        layer->weights = weights;
        return good && expect(r, at + 16u, field32(r->blob + at + 16u) == 0u, TC_ERR_MODEL_FIELD);
    }
    uint32_t start = 0;
    const int good = claim(r, at + 8u, count, &start);
    layer->weights = r->blob + start;
    return good && claim_floats(r, at + 12u, padded, &layer->bias)
           && claim_floats(r, at + 16u, padded, &layer->scale);
}

/* Printable ASCII without the space, one at least, then zeros, one at least. */
static int name_is_good(const uint8_t *name)
{
    int good = name[0] != 0u && name[NAME_SIZE - 1u] == 0u, ended = 0;
    for (uint32_t i = 0; i < NAME_SIZE; i++) {
        const int printable = name[i] >= 0x21u && name[i] <= 0x7Eu;
        ended |= name[i] == 0u;
        good &= ended ? name[i] == 0u : printable;
    }
    return good;
}

/* The fields of the net record at `at` that are no offsets. */
static int read_net_fields(reader *r, uint32_t at, tc_net *net)
{
    const uint8_t *const record = r->blob + at;
    net->n_in = (uint16_t)field16(record + 24);
    net->n_out = (uint16_t)field16(record + 26);
    net->n_layers = record[28];
    net->head = record[29];
    net->input_quant = field_float(record + 60);
    net->width = net->n_in;
    return expect(r, at, name_is_good(record), TC_ERR_MODEL_FIELD)
           && expect(r, at + 24u, is_dimension(net->n_in), TC_ERR_MODEL_FIELD)
           && expect(r, at + 26u, is_dimension(net->n_out), TC_ERR_MODEL_FIELD)
           && expect(r, at + 28u, net->n_layers >= 1u && net->n_layers <= TC_NET_MAX_LAYERS, TC_ERR_MODEL_FIELD)
           && expect(r, at + 29u, net->head <= TC_HEAD_SOFTMAX, TC_ERR_MODEL_FIELD)
           && expect(r, at + 30u, record[30] <= TC_WEIGHT_I8_ACT, TC_ERR_MODEL_FIELD)
           && expect(r, at + 31u, record[31] == 0u, TC_ERR_MODEL_FIELD)
           && expect(r, at + 60u, is_magnitude(record + 60), TC_ERR_MODEL_WEIGHT)
           && expect(r, at + 80u, all_zero(record + 80, 16), TC_ERR_MODEL_FIELD);
}

static int read_samples(reader *r, uint32_t at, const tc_net *net, samples *s)
{
    const uint8_t *const record = r->blob + at;
    s->count = field32(record + 64);
    s->tolerance = field_float(record + 76);
    if (!expect(r, at + 64u, s->count <= SAMPLES_LIMIT, TC_ERR_MODEL_FIELD)
        || !expect(r, at + 76u, is_magnitude(record + 76), TC_ERR_MODEL_WEIGHT)) {
        return 0;
    }
    if (s->count == 0u) {
        return expect(r, at + 68u, all_zero(record + 68, 8), TC_ERR_MODEL_FIELD);
    }
    return claim_floats(r, at + 68u, s->count * net->n_in, &s->inputs)
           && claim_floats(r, at + 72u, s->count * net->n_out, &s->outputs);
}

/* The layers, whose records start at `first`. */
static int read_layers(reader *r, uint32_t first, uint32_t weight, tc_net *net)
{
    for (uint32_t l = 0; l < net->n_layers; l++) {
        tc_dense *const layer = &net->layers[l];
        const uint32_t at = first + LAYER_SIZE * l;
        if (!read_layer_fields(r, at, weight, layer) || !read_layer_arrays(r, at, layer)) {
            return 0;
        }
        net->width = layer->n_out > net->width ? layer->n_out : net->width;
    }
    return 1;
}

/* Net `index`, whose record lies in the file: everything it points to is claimed, in file order. */
static int read_net(reader *r, uint32_t index, tc_net *net, samples *s)
{
    const uint32_t at = HEADER_SIZE + NET_SIZE * index;
    uint32_t layers = 0;
    memset(net, 0, sizeof *net);
    memset(s, 0, sizeof *s);
    return read_net_fields(r, at, net) && claim(r, at + 32u, LAYER_SIZE * (uint32_t)net->n_layers, &layers)
           && claim_pair(r, at + 36u, net->n_in, &net->input_mean, &net->input_scale)
           && claim_pair(r, at + 44u, net->n_out, &net->output_mean, &net->output_scale)
           && claim_pair(r, at + 52u, net->n_in, &net->input_low, &net->input_high)
           && read_layers(r, layers, r->blob[at + 30u], net) && read_samples(r, at, net, s);
}

/* ---- Opening -------------------------------------------------------------------------------------- */

/* Magic, version, length and checksum: whether this is one of our files, whole. */
static int read_envelope(reader *r, size_t blob_size)
{
    static const uint8_t magic[4] = {'T', 'C', 'M', 0x1A};
    if (blob_size >= sizeof magic && memcmp(r->blob, magic, sizeof magic) != 0) {
        return fail(r, 0, TC_ERR_MODEL_MAGIC);
    }
    if (blob_size < HEADER_SIZE) {
        return fail(r, (uint32_t)blob_size, TC_ERR_MODEL_SHORT);
    }
    if (field16(r->blob + 4) != TC_MODEL_VERSION || field16(r->blob + 6) != HEADER_SIZE) {
        return fail(r, 4, TC_ERR_MODEL_VERSION);
    }
    const uint32_t size = field32(r->blob + 8);
    if (size % 16u != 0u || size < SIZE_LEAST || size > SIZE_MOST) {
        return fail(r, 8, TC_ERR_MODEL_FIELD);
    }
    if (size > blob_size) {
        return fail(r, 8, TC_ERR_MODEL_SHORT);
    }
    r->size = size;
    return expect(r, 12, crc32(r->blob + 16, size - 16u) == field32(r->blob + 12), TC_ERR_MODEL_CRC);
}

static int read_header(reader *r, tc_model *model)
{
    const uint8_t *const header = r->blob;
    uint32_t start = 0;
    model->blob = header;
    model->size = r->size;
    model->n_nets = field32(header + 32);
    model->step_size = field_float(header + 40);
    model->hash = header + 16;
    model->metadata_size = field32(header + 48);
    if (model->n_nets < 1u || model->n_nets > TC_MODEL_MAX_NETS) {
        return fail(r, 32, TC_ERR_MODEL_FIELD);
    }
    if (model->n_nets > (r->size - HEADER_SIZE) / NET_SIZE) {
        return fail(r, 32, TC_ERR_MODEL_BOUNDS);
    }
    r->claimed = HEADER_SIZE + NET_SIZE * model->n_nets;
    const int good = expect(r, 36, field32(header + 36) == HEADER_SIZE, TC_ERR_MODEL_FIELD)
                     && expect(r, 40, is_magnitude(header + 40), TC_ERR_MODEL_WEIGHT)
                     && expect(r, 52, all_zero(header + 52, 12), TC_ERR_MODEL_FIELD);
    if (!good || model->metadata_size == 0u) {
        return good && expect(r, 44, field32(header + 44) == 0u, TC_ERR_MODEL_FIELD);
    }
    if (!claim(r, 44, model->metadata_size, &start)) {
        return 0;
    }
    model->metadata = (const char *)header + start;
    return 1;
}

/* tc_net_check's findings about net `index` as a model file's, at the record of the layer (or the net)
 * that they belong to. */
static int check_net(reader *r, uint32_t index, const tc_net *net)
{
    const uint32_t at = HEADER_SIZE + NET_SIZE * index;
    uint32_t layer = 0;
    const tc_status status = tc_net_check_where(net, &layer);
    if (status == TC_OK) {
        return 1;
    }
    const int value = status == TC_ERR_NOT_FINITE || status == TC_ERR_RANGE;
    const uint32_t record = layer < net->n_layers ? field32(r->blob + at + 32u) + LAYER_SIZE * layer : at;
    return fail(r, record, value ? TC_ERR_MODEL_WEIGHT : TC_ERR_MODEL_FIELD);
}

/* Whether no earlier net has this one's name; at most 120 comparisons in a file. */
static int name_is_new(const reader *r, uint32_t index)
{
    const uint8_t *const names = r->blob + HEADER_SIZE;
    for (uint32_t i = 0; i < index; i++) {
        if (memcmp(names + NET_SIZE * i, names + NET_SIZE * index, NAME_SIZE) == 0) {
            return 0;
        }
    }
    return 1;
}

static int read_nets(reader *r, tc_model *model)
{
    for (uint32_t i = 0; i < model->n_nets; i++) {
        samples s;
        if (!read_net(r, i, &model->room, &s) || !check_net(r, i, &model->room)
            || !expect(r, HEADER_SIZE + NET_SIZE * i, name_is_new(r, i), TC_ERR_MODEL_FIELD)) {
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
    reader r = {.blob = blob, .status = TC_OK};
    if (!read_envelope(&r, blob_size) || !read_header(&r, model) || !read_nets(&r, model)) {
        memset(model, 0, sizeof *model);
        model->fault_offset = r.fault;
    }
    return r.status;
}

/* ---- Nets of an open model ------------------------------------------------------------------------ */

/* Net `index` and its samples, read again from the first net on, as what each may claim depends on
 * where the one before it ended. Everything but tc_net_check is done anew. */
static tc_status find(const tc_model *model, uint32_t index, tc_net *net, samples *s)
{
    reader r = {.blob = model->blob, .size = model->size, .claimed = HEADER_SIZE + NET_SIZE * model->n_nets,
                .status = TC_OK};
    for (uint32_t i = 0; i <= index; i++) {
        if (!read_net(&r, i, net, s)) {
            return r.status;
        }
    }
    return TC_OK;
}

tc_status tc_model_net_at(const tc_model *model, uint32_t index, tc_net *net)
{
    samples unused;
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
    const tc_status status = find(model, index, net, &unused);
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
    return (const char *)model->blob + HEADER_SIZE + NET_SIZE * index;
}

/* Compares at most the bytes of the field, whatever is in it. */
static int name_is(const char *field, const char *name)
{
    for (uint32_t i = 0; i < NAME_SIZE; i++) {
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

/* ---- Self-test ------------------------------------------------------------------------------------ */

/* One sample: evaluates input, compares with the stored output, counts. */
static void test_sample(const tc_net *net, const samples *s, uint32_t k, tc_real *work,
                        tc_model_selftest_info *info)
{
    const uint32_t padded = TC_NET_PADDED((uint32_t)net->width);
    tc_real *const input = work, *const output = work + padded;
    for (uint32_t i = 0; i < net->n_in; i++) {
        input[i] = (tc_real)s->inputs[k * net->n_in + i];
    }
    const tc_status status = tc_net_eval(net, input, output, work + 2u * padded, TC_NET_WORK((size_t)net->width));
    for (uint32_t o = 0; o < net->n_out; o++) {
        const tc_real error = output[o] - (tc_real)s->outputs[k * net->n_out + o];
        const tc_real size = error < TC_C(0.0) ? -error : error;
        info->max_error = size > info->max_error ? size : info->max_error;
        info->failed += status != TC_OK || size > (tc_real)s->tolerance;
    }
    info->samples++;
}

tc_status tc_model_selftest(tc_model *model, tc_real *work, size_t work_len, tc_model_selftest_info *info)
{
    tc_model_selftest_info seen = {0, 0, TC_C(0.0)};
    tc_status status = model == NULL || work == NULL ? TC_ERR_NULL : TC_OK;
    if (status == TC_OK && !tc_net_aligned(work)) {
        status = TC_ERR_ALIGN;
    }
    for (uint32_t i = 0; status == TC_OK && i < model->n_nets; i++) {
        tc_net *const net = &model->room;
        samples s;
        status = find(model, i, net, &s);
        if (status == TC_OK && work_len < TC_MODEL_SELFTEST_WORK((size_t)net->width)) {
            status = TC_ERR_WORK;
        }
        for (uint32_t k = 0; status == TC_OK && k < s.count; k++) {
            test_sample(net, &s, k, work, &seen);
        }
    }
    if (info != NULL) {
        *info = seen;
    }
    return status == TC_OK && seen.failed > 0u ? TC_ERR_MODEL_SELFTEST : status;
}
