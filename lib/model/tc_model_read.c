/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Model files: from records to nets, trusting no byte.
 *
 * Fields are read byte by byte, at offsets whose record was claimed before: tc_model_claim is the
 * only place where an offset from the file becomes a position, and it lets nothing through that is
 * misaligned, outside the file, or before the end of what was claimed last. So nothing overlaps,
 * arrays can be handed out as pointers into the file, and time is bounded by the file's length.
 *
 * Sizes: no array is longer than 65535 * 512 * 4 < 2^27 bytes and no file than 2^31 - 1, so no sum
 * of an offset within the file and a length up to the file's can wrap in 32 bits.
 */
#include "tc_exact.h"
#include "tc_model_read.h"

#define SAMPLES_LIMIT 0xFFFFu

int tc_model_claim(tc_model_reader *r, uint32_t field, uint32_t length, uint32_t *start)
{
    const uint32_t offset = tc_bytes_u32(r->blob + field);
    if (offset % 16u != 0u) {
        return tc_model_fail(r, field, TC_ERR_MODEL_FIELD);
    }
    if (offset < r->claimed || offset > r->size || length > r->size) {
        return tc_model_fail(r, field, TC_ERR_MODEL_BOUNDS);
    }
    const uint32_t end = offset + length; /* no wrap: both are less than 2^31 */
    if (end > r->size) {
        return tc_model_fail(r, field, TC_ERR_MODEL_BOUNDS);
    }
    r->claimed = end;
    *start = offset;
    return 1;
}

/* The same for an array of n finite floats. */
static int claim_floats(tc_model_reader *r, uint32_t field, uint32_t n, const float **array)
{
    uint32_t start = 0;
    if (!tc_model_claim(r, field, 4u * n, &start)) {
        return 0;
    }
    for (uint32_t at = start; at < r->claimed; at += 4u) {
        if ((tc_bytes_u32(r->blob + at) & TC_MODEL_EXPONENT_BITS) == TC_MODEL_EXPONENT_BITS) {
            return tc_model_fail(r, at, TC_ERR_MODEL_WEIGHT);
        }
    }
    *array = (const float *)(const void *)(r->blob + start);
    return 1;
}

/* The same for two arrays that are both present or both absent (offset 0). */
static int claim_pair(tc_model_reader *r, uint32_t field, uint32_t n, const float **first,
                      const float **second)
{
    const int has_first = tc_bytes_u32(r->blob + field) != 0u;
    const int has_second = tc_bytes_u32(r->blob + field + 4u) != 0u;
    if (has_first != has_second) {
        return tc_model_fail(r, field, TC_ERR_MODEL_FIELD);
    }
    return !has_first
           || (claim_floats(r, field, n, first) && claim_floats(r, field + 4u, n, second));
}

/* ---- Records --------------------------------------------------------------------------------- */

static int is_dimension(uint32_t n)
{
    return n >= 1u && n <= TC_NET_WIDTH_MAX;
}

static int is_tile(uint32_t rows, uint32_t columns)
{
    return (rows == 1u || rows == 4u || rows == 8u)
           && (columns == 1u || columns == 4u || columns == 16u);
}

/* The fields of the layer record at `at` that are no offsets. `weight` is the net's. The record was
 * claimed with its neighbours; its place is looked at again so that what is read below is seen to
 * be inside by this function alone, by a reader as by a prover that knows no relations between
 * variables. */
static int read_layer_fields(tc_model_reader *r, uint32_t at, uint32_t weight, tc_net_dense *layer)
{
    if (at > r->size - TC_MODEL_LAYER_SIZE) {
        return tc_model_fail(r, at, TC_ERR_MODEL_BOUNDS);
    }
    const uint8_t *const record = r->blob + at;
    layer->n_in = (uint16_t)tc_bytes_u16(record);
    layer->n_out = (uint16_t)tc_bytes_u16(record + 2);
    layer->activation = record[4];
    layer->weight = (uint8_t)weight;
    layer->tile_rows = record[5];
    layer->tile_columns = record[6];
    return tc_model_expect(r, at, is_dimension(layer->n_in))
           && tc_model_expect(r, at + 2u, is_dimension(layer->n_out))
           && tc_model_expect(r, at + 4u, layer->activation <= TC_NET_SOFTPLUS)
           && tc_model_expect(r, at + 5u, is_tile(layer->tile_rows, layer->tile_columns))
           && tc_model_expect(r, at + 7u, record[7] == 0u)
           && tc_model_expect(r, at + 20u, tc_model_all_zero(record + 20, 12));
}

/* The weights, bias and scale of that layer. */
static int read_layer_arrays(tc_model_reader *r, uint32_t at, tc_net_dense *layer)
{
    const uint32_t padded = (layer->n_out + 7u) & ~7u, count = (uint32_t)tc_net_dense_count(layer);
    if (layer->weight == TC_NET_WEIGHT_F32) {
        const float *weights = NULL;
        const int good = claim_floats(r, at + 8u, count, &weights)
                         && claim_floats(r, at + 12u, padded, &layer->bias);
        layer->weights = weights;
        return good && tc_model_expect(r, at + 16u, tc_bytes_u32(r->blob + at + 16u) == 0u);
    }
    uint32_t start = 0;
    const int good = tc_model_claim(r, at + 8u, count, &start);
    layer->weights = r->blob + start;
    return good && claim_floats(r, at + 12u, padded, &layer->bias)
           && claim_floats(r, at + 16u, padded, &layer->scale);
}

/* Printable ASCII without the space, one at least, then zeros, one at least. */
static int name_is_good(const uint8_t *name)
{
    int good = name[0] != 0u && name[TC_MODEL_NAME_SIZE - 1u] == 0u, ended = 0;
    for (uint32_t i = 0; i < TC_MODEL_NAME_SIZE; i++) {
        const int printable = name[i] >= 0x21u && name[i] <= 0x7Eu;
        ended |= name[i] == 0u;
        good &= ended ? name[i] == 0u : printable;
    }
    return good;
}

/* The fields of the net record at `at` that are no offsets. */
static int read_net_fields(tc_model_reader *r, uint32_t at, tc_net *net)
{
    const uint8_t *const record = r->blob + at;
    net->n_in = (uint16_t)tc_bytes_u16(record + 24);
    net->n_out = (uint16_t)tc_bytes_u16(record + 26);
    net->n_layers = record[28];
    net->head = record[29];
    net->input_quant = tc_bytes_float(record + 60);
    net->width = net->n_in;
    const int layers = net->n_layers >= 1u && net->n_layers <= TC_NET_LAYERS_MAX;
    return tc_model_expect(r, at, name_is_good(record))
           && tc_model_expect(r, at + 24u, is_dimension(net->n_in))
           && tc_model_expect(r, at + 26u, is_dimension(net->n_out))
           && tc_model_expect(r, at + 28u, layers)
           && tc_model_expect(r, at + 29u, net->head <= TC_NET_HEAD_SOFTMAX)
           && tc_model_expect(r, at + 30u, record[30] <= TC_NET_WEIGHT_I8_ACT)
           && tc_model_expect(r, at + 31u, record[31] == 0u)
           && tc_model_expect_number(r, at + 60u, tc_model_is_magnitude(record + 60))
           && tc_model_expect(r, at + 80u, tc_model_all_zero(record + 80, 16));
}

static int read_samples(tc_model_reader *r, uint32_t at, const tc_net *net, tc_model_samples *s)
{
    const uint8_t *const record = r->blob + at;
    s->count = tc_bytes_u32(record + 64);
    s->tolerance = tc_bytes_float(record + 76);
    if (!tc_model_expect(r, at + 64u, s->count <= SAMPLES_LIMIT)
        || !tc_model_expect_number(r, at + 76u, tc_model_is_magnitude(record + 76))) {
        return 0;
    }
    if (s->count == 0u) {
        return tc_model_expect(r, at + 68u, tc_model_all_zero(record + 68, 8));
    }
    return claim_floats(r, at + 68u, s->count * net->n_in, &s->inputs)
           && claim_floats(r, at + 72u, s->count * net->n_out, &s->outputs);
}

/* The layers, whose records start at `first`. */
static int read_layers(tc_model_reader *r, uint32_t first, uint32_t weight, tc_net *net)
{
    for (uint32_t l = 0; l < net->n_layers; l++) {
        tc_net_dense *const layer = &net->layers[l];
        const uint32_t at = first + TC_MODEL_LAYER_SIZE * l;
        if (!read_layer_fields(r, at, weight, layer) || !read_layer_arrays(r, at, layer)) {
            return 0;
        }
        net->width = layer->n_out > net->width ? layer->n_out : net->width;
    }
    return 1;
}

int tc_model_read_net(tc_model_reader *r, uint32_t index, tc_net *net, tc_model_samples *s)
{
    const uint32_t at = TC_MODEL_HEADER_SIZE + TC_MODEL_NET_SIZE * index;
    uint32_t layers = 0;
    memset(net, 0, sizeof *net);
    memset(s, 0, sizeof *s);
    return read_net_fields(r, at, net)
           && tc_model_claim(r, at + 32u, TC_MODEL_LAYER_SIZE * (uint32_t)net->n_layers, &layers)
           && claim_pair(r, at + 36u, net->n_in, &net->input_mean, &net->input_scale)
           && claim_pair(r, at + 44u, net->n_out, &net->output_mean, &net->output_scale)
           && claim_pair(r, at + 52u, net->n_in, &net->input_low, &net->input_high)
           && read_layers(r, layers, r->blob[at + 30u], net) && read_samples(r, at, net, s);
}
