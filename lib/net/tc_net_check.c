/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nets: the check that lets evaluation run without checks.
 *
 * Shapes first (kinds, tiles, dimensions, pointers), then the numbers: all finite, padding zero,
 * and no intermediate value beyond LIMIT = 2^100 for any input with norm N = TC_NET_NORM_MAX.
 * Proof, with B_l a bound on every |element| of a_l, and R_l = max_o sum_i |W_oi| (largest row sum
 * of layer l):
 *
 *   B_0 = N                              an element is at most the Euclidean norm
 *   |pre_o| <= |b_o| + R_l B_(l-1)       and so is every partial sum: the terms' magnitudes add up
 *   int8     s <= R_l B_(l-1), then |b_o| + |scale_o| s; with int8 activations B_(l-1) = 127
 *            for hidden layers and for the quantised input, and the integer sum is at most
 *            512 * 128 * 127 < 2^23
 *   B_l      tanh, sigmoid: 1 (127 as integers, ReLU too); softplus: |pre| + 1, as log 2 < 1;
 *            else |pre|
 *   output   B_L |output_scale| + |output_mean|; softmax: differences of logits <= 2 B_L
 *
 * Backward, with C_l = max_i sum_o |W_oi| |scale_o| (largest column sum; scale 1 for float weights)
 * and G_l a bound on the elements of g_l, all derivatives of activations being in [0, 1]:
 *
 *   G_L = N max(|output_scale|); softmax: |p.v| <= N, |p (v - p.v)| <= 2 N
 *   G_(l-1) = C_l G_l, and |scale_o| G_l by itself: it is formed before the product with W
 *   result    G_0 max(|input_scale|)
 *
 * Margin: each of these sums has at most 2 * 512 + 2 roundings of relative size 2^-24, a factor
 * of 1.00013, in the evaluation, in these bounds, and in the norm that tc_net_within_norm compares;
 * over eight layers both ways less than 1.01. Every product and partial sum that evaluation forms
 * is among the quantities above, so it stays below 1.01 * 2^100, far below 2^128; those that these
 * bounds form are compared before they are used again. With no overflow and finite numbers there is
 * no inf - inf and no 0 * inf, hence no NaN.
 *
 * Cost: three passes over the weights, 26 instructions per weight on Cortex-M4F, once per net.
 */
#include "tc_exact.h"

/* This file runs once per opened model: small code counts, not speed. gcc chooses the region of its
 * register allocator by the command line's -O, not by the pragma's. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC push_options
#pragma GCC optimize("Os", "ira-region=one")
#endif

#include "tc_net_core.h"
#include "tc_vec.h"

#define LIMIT TC_C(1.2676506002282294e30) /* 2^100 */

/* What is carried from layer to layer, forwards (reach) and backwards (pull): B_l, G_l. */
typedef struct bounds {
    tc_real reach;
    tc_real pull;
} bounds;

/* NaN and infinity are the two that do not vanish when subtracted from themselves. */
static int is_finite(const float *x, size_t n)
{
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] - x[i];
    }
    return sum == 0.0f;
}

static tc_real largest_net(const float *x, size_t n)
{
    tc_real most = TC_C(0.0);
    for (size_t i = 0; i < n; i++) {
        most = tc_vec_max(most, tc_vec_magnitude((tc_real)x[i]));
    }
    return most;
}

/* TC_OK if the bound holds; false for NaN too, which inf * 0 gives. */
static tc_status within_limit(tc_real bound)
{
    return bound < LIMIT ? TC_OK : TC_ERR_RANGE;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static int known_tile(const tc_net_dense *layer)
{
    const uint32_t R = layer->tile_rows, C = layer->tile_columns;
    return (R == 1u || R == 4u || R == 8u) && (C == 1u || C == 4u || C == 16u);
}

static tc_status layer_pointers(const tc_net_dense *layer)
{
    const int scaled = layer->weight != TC_NET_WEIGHT_F32;
    if (layer->weights == NULL || layer->bias == NULL || (scaled && layer->scale == NULL)) {
        return TC_ERR_NULL;
    }
    if (!scaled && layer->scale != NULL) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!tc_net_aligned(layer->weights) || !tc_net_aligned(layer->bias)
        || !tc_net_aligned(layer->scale)) {
        return TC_ERR_ALIGN;
    }
    return TC_OK;
}

/* What tc_config.h leaves out of this build. */
static int left_out(const tc_net_dense *layer)
{
    return (!TC_NET_USE_INT8 && layer->weight != TC_NET_WEIGHT_F32)
           || (!TC_NET_USE_FLOAT && layer->weight != TC_NET_WEIGHT_I8_ACT)
           || (!TC_NET_USE_SIGMOID && layer->activation == TC_NET_SIGMOID)
           || (!TC_NET_USE_SOFTPLUS && layer->activation == TC_NET_SOFTPLUS);
}

/* Whether this library evaluates such a layer at its place in the net. */
static int layer_known(const tc_net *net, const tc_net_dense *layer, int last)
{
    if (layer->activation > TC_NET_SOFTPLUS || layer->weight != net->layers[0].weight
        || !known_tile(layer) || left_out(layer)) {
        return 0;
    }
    if (last) {
        return net->head != TC_NET_HEAD_SOFTMAX || layer->activation == TC_NET_IDENTITY;
    }
    const int squashes = layer->activation >= TC_NET_RELU && layer->activation <= TC_NET_SIGMOID;
    return layer->weight != TC_NET_WEIGHT_I8_ACT || squashes;
}

static tc_status layer_shape(const tc_net *net, uint32_t l)
{
    const tc_net_dense *const layer = &net->layers[l];
    const uint32_t n_in = l == 0u ? net->n_in : net->layers[l - 1u].n_out;
    const int last = l + 1u == net->n_layers;
    if (layer->n_in != n_in || layer->n_out == 0u || layer->n_out > net->width) {
        return TC_ERR_SIZE;
    }
    if (last && layer->n_out != net->n_out) {
        return TC_ERR_SIZE;
    }
    return layer_known(net, layer, last) ? layer_pointers(layer) : TC_ERR_UNSUPPORTED;
}

/* Arrays come in pairs, or not at all. */
static tc_status pair_net(const float *a, const float *b)
{
    if ((a == NULL) != (b == NULL)) {
        return TC_ERR_NULL;
    }
    return tc_net_aligned(a) && tc_net_aligned(b) ? TC_OK : TC_ERR_ALIGN;
}

static uint32_t widest_net(const tc_net *net)
{
    uint32_t width = net->n_in;
    for (uint32_t l = 0; l < net->n_layers; l++) {
        width = net->layers[l].n_out > width ? net->layers[l].n_out : width;
    }
    return width;
}

static tc_status net_pairs(const tc_net *net)
{
    tc_status status = pair_net(net->input_mean, net->input_scale);
    if (status >= TC_OK) {
        status = pair_net(net->output_mean, net->output_scale);
    }
    return status >= TC_OK ? pair_net(net->input_low, net->input_high) : status;
}

static tc_status net_shape(const tc_net *net)
{
    if (net->n_layers == 0u || net->n_layers > TC_NET_LAYERS_MAX) {
        return TC_ERR_SIZE;
    }
    if (net->n_in == 0u || net->width > TC_NET_WIDTH_MAX || net->width != widest_net(net)) {
        return TC_ERR_SIZE;
    }
    if (net->head > TC_NET_HEAD_SOFTMAX || net->layers[0].weight > TC_NET_WEIGHT_I8_ACT) {
        return TC_ERR_UNSUPPORTED;
    }
    if (net->head == TC_NET_HEAD_SOFTMAX && net->output_mean != NULL) {
        return TC_ERR_UNSUPPORTED;
    }
    return net_pairs(net);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static tc_real weight_at(const tc_net_dense *layer, uint32_t o, uint32_t i)
{
    const size_t at = tc_net_dense_index(layer, o, i);
    if (layer->weight == TC_NET_WEIGHT_F32) {
        return (tc_real)((const float *)layer->weights)[at];
    }
    return (tc_real)((const int8_t *)layer->weights)[at];
}

static tc_real row_sum(const tc_net_dense *layer, uint32_t o)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < layer->n_in; i++) {
        sum += tc_vec_magnitude(weight_at(layer, o, i));
    }
    return sum;
}

static tc_real column_sum(const tc_net_dense *layer, uint32_t i)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t o = 0; o < layer->n_out; o++) {
        const tc_real scale =
            layer->scale != NULL ? tc_vec_magnitude((tc_real)layer->scale[o]) : TC_C(1.0);
        sum += scale * tc_vec_magnitude(weight_at(layer, o, i));
    }
    return sum;
}

/* Elements of the tiles that belong to no weight. Kernels for int8 multiply them with leftovers. */
static int padding_is_zero(const tc_net_dense *layer)
{
    const uint32_t R = layer->tile_rows, C = layer->tile_columns;
    const uint32_t rows = (layer->n_out + R - 1u) & ~(R - 1u),
                   columns = (layer->n_in + C - 1u) & ~(C - 1u);
    int zero = 1;
    for (uint32_t o = 0; o < rows; o++) {
        const uint32_t first = o < layer->n_out ? layer->n_in : 0u;
        for (uint32_t i = first; i < columns; i++) {
            zero &= weight_at(layer, o, i) == TC_C(0.0);
        }
    }
    for (uint32_t o = layer->n_out; o < ((layer->n_out + 7u) & ~7u); o++) {
        zero &= layer->bias[o] == 0.0f && (layer->scale == NULL || layer->scale[o] == 0.0f);
    }
    return zero;
}

/* B_l from B_(l-1), in place: the largest |pre_o|, and what the activation makes of it. */
static tc_status reach_forward(const tc_net_dense *layer, int last, tc_real *bound)
{
    const int integers = layer->weight == TC_NET_WEIGHT_I8_ACT;
    tc_real sums = TC_C(0.0), pre = TC_C(0.0);
    for (uint32_t o = 0; o < layer->n_out; o++) {
        const tc_real sum = row_sum(layer, o) * *bound;
        const tc_real scale =
            layer->scale != NULL ? tc_vec_magnitude((tc_real)layer->scale[o]) : TC_C(1.0);
        sums = tc_vec_max(sums, sum);
        pre = tc_vec_max(pre, tc_vec_magnitude((tc_real)layer->bias[o]) + scale * sum);
        if (!(sum < LIMIT) || !(pre < LIMIT)) {
            return TC_ERR_RANGE;
        }
    }
    switch (layer->activation) {
    case TC_NET_TANH:
    case TC_NET_SIGMOID: *bound = TC_C(1.0); break;
    case TC_NET_SOFTPLUS: *bound = pre + TC_C(1.0); break;
    default: *bound = pre; break;
    }
    if (integers && !last) {
        *bound = TC_C(127.0);
    }
    return within_limit(tc_vec_max(sums, pre));
}

/* G_(l-1) from G_l, in place. */
static tc_status pull_back(const tc_net_dense *layer, tc_real *bound)
{
    tc_real most = layer->scale != NULL ? largest_net(layer->scale, layer->n_out) : TC_C(0.0);
    if (within_limit(most * *bound) < TC_OK) {
        return TC_ERR_RANGE;
    }
    most = TC_C(0.0);
    for (uint32_t i = 0; i < layer->n_in; i++) {
        most = tc_vec_max(most, column_sum(layer, i));
    }
    *bound *= most;
    return within_limit(*bound);
}

static tc_status layer_finite(const tc_net_dense *layer)
{
    const size_t n_out = layer->n_out;
    const int weights =
        layer->weight != TC_NET_WEIGHT_F32 || is_finite(layer->weights, tc_net_dense_count(layer));
    const int scale = layer->scale == NULL || is_finite(layer->scale, n_out);
    return weights && scale && is_finite(layer->bias, n_out) ? TC_OK : TC_ERR_NOT_FINITE;
}

static tc_status array_finite(const float *x, size_t n)
{
    return x == NULL || is_finite(x, n) ? TC_OK : TC_ERR_NOT_FINITE;
}

static int net_finite(const tc_net *net)
{
    const float *const inputs[4] = {net->input_mean, net->input_scale, net->input_low,
                                    net->input_high};
    tc_status status = array_finite(net->output_mean, net->n_out);
    if (status >= TC_OK) {
        status = array_finite(net->output_scale, net->n_out);
    }
    for (uint32_t k = 0; k < 4u && status >= TC_OK; k++) {
        status = array_finite(inputs[k], net->n_in);
    }
    return status >= TC_OK && is_finite(&net->input_quant, 1);
}

/* Everything outside the layers: finite, ordered, and the quantised input as its kind wants it. */
static tc_status net_numbers(const tc_net *net)
{
    if (!net_finite(net)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; net->input_low != NULL && i < net->n_in; i++) {
        if (net->input_low[i] > net->input_high[i]) {
            return TC_ERR_RANGE;
        }
    }
    if (net->layers[0].weight != TC_NET_WEIGHT_I8_ACT) {
        return net->input_quant == 0.0f ? TC_OK : TC_ERR_UNSUPPORTED;
    }
    if (!(net->input_quant > 0.0f)) {
        return TC_ERR_UNSUPPORTED;
    }
    return within_limit(TC_NET_NORM_MAX * (tc_real)net->input_quant);
}

static tc_status forward_bound(const tc_net *net, uint32_t *fault)
{
    tc_real bound = net->layers[0].weight == TC_NET_WEIGHT_I8_ACT ? TC_C(127.0) : TC_NET_NORM_MAX;
    for (uint32_t l = 0; l < net->n_layers; l++) {
        *fault = l;
        const tc_net_dense *const layer = &net->layers[l];
        tc_status status = layer_finite(layer);
        if (status >= TC_OK && !padding_is_zero(layer)) {
            status = TC_ERR_UNSUPPORTED;
        }
        if (status >= TC_OK) {
            status = reach_forward(layer, l + 1u == net->n_layers, &bound);
        }
        if (status < TC_OK) {
            return status;
        }
    }
    *fault = net->n_layers;
    if (net->output_mean == NULL) {
        return within_limit(TC_C(2.0) * bound);
    }
    bound *= largest_net(net->output_scale, net->n_out);
    return within_limit(bound + largest_net(net->output_mean, net->n_out));
}

static tc_status backward_bound(const tc_net *net, uint32_t *fault)
{
    tc_real bound = TC_C(2.0) * TC_NET_NORM_MAX;
    *fault = net->n_layers;
    if (net->layers[0].weight == TC_NET_WEIGHT_I8_ACT) {
        return TC_OK;
    }
    if (net->output_scale != NULL) {
        bound *= largest_net(net->output_scale, net->n_out);
    }
    for (uint32_t l = net->n_layers; l > 0u; l--) {
        *fault = l - 1u;
        const tc_status status = pull_back(&net->layers[l - 1u], &bound);
        if (status < TC_OK) {
            return status;
        }
    }
    *fault = net->n_layers;
    return net->input_scale == NULL
               ? TC_OK
               : within_limit(bound * largest_net(net->input_scale, net->n_in));
}

/* ---- Public ---------------------------------------------------------------------------------- */

tc_status tc_net_check_where(const tc_net *net, uint32_t *fault)
{
    uint32_t unused;
    uint32_t *const where = fault != NULL ? fault : &unused;
    *where = 0;
    if (net == NULL) {
        return TC_ERR_NULL;
    }
    tc_status status = net_shape(net);
    for (uint32_t l = 0; l < net->n_layers && status >= TC_OK; l++) {
        *where = l;
        status = layer_shape(net, l);
        if (status < TC_OK) {
            return status;
        }
    }
    *where = net->n_layers;
    if (status >= TC_OK) {
        status = net_numbers(net);
    }
    if (status >= TC_OK) {
        status = forward_bound(net, where);
    }
    return status >= TC_OK ? backward_bound(net, where) : status;
}

tc_status tc_net_check(const tc_net *net)
{
    return tc_net_check_where(net, NULL);
}

#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC pop_options
#endif
