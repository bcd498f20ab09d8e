/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nets for tests; see net_case.h. The layout is written here a second time, from the words of
 * tc_net.h and not with its tc_net_dense_index.
 */
#include "net_case.h"

#include "../vectors/net.h"

/* 20 KB and 4 KB: the largest case is 33 x 33 in tiles of 8 x 16, twice. */
#define POOL_FLOATS 5120u
#define BIAS_FLOATS 512u

static float pool[POOL_FLOATS];
static float biases[BIAS_FLOATS], scales[BIAS_FLOATS];
static uint32_t pool_used, bias_used;

uint32_t net_case_count(void)
{
    return TC_COUNT(cases);
}

const net_case *net_case_at(uint32_t index)
{
    return &cases[index];
}

const net_case *net_case_named(const char *name)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        if (strcmp(cases[i].name, name) == 0) {
            return &cases[i];
        }
    }
    TEST_FAIL_MESSAGE("no net case of that name");
    return NULL;
}

void net_case_tile(uint32_t index, uint32_t *rows, uint32_t *columns)
{
    static const uint8_t choice[2][3] = {{1, 4, 8}, {1, 4, 16}};
    *rows = choice[0][index / 3u];
    *columns = choice[1][index % 3u];
}

/* Element (o, i) of the row-major array at `from` goes to its tile at `to`. */
static void lay_out(const tc_net_dense *layer, const void *from, void *to)
{
    const uint32_t R = layer->tile_rows, C = layer->tile_columns, n_in = layer->n_in;
    const uint32_t K = (n_in + C - 1u) / C * C;
    for (uint32_t o = 0; o < layer->n_out; o++) {
        for (uint32_t i = 0; i < n_in; i++) {
            const uint32_t at = o / R * R * K + i / C * R * C + o % R * C + i % C;
            if (layer->weight == TC_NET_WEIGHT_F32) {
                ((float *)to)[at] = ((const float *)from)[o * n_in + i];
            } else {
                ((int8_t *)to)[at] = ((const int8_t *)from)[o * n_in + i];
            }
        }
    }
}

static void *take_weights(const tc_net_dense *layer)
{
    const uint32_t R = layer->tile_rows, C = layer->tile_columns;
    const uint32_t count = (layer->n_out + R - 1u) / R * R * ((layer->n_in + C - 1u) / C * C);
    const uint32_t words = layer->weight == TC_NET_WEIGHT_F32 ? count : (count + 3u) / 4u;
    void *const start = pool + pool_used;
    pool_used += words;
    TEST_ASSERT_TRUE_MESSAGE(pool_used <= POOL_FLOATS, "net_case.c: pool too small");
    memset(start, 0, words * sizeof(float));
    return start;
}

/* bias and scale of the next layer, zeroed up to a multiple of 8. */
static void take_rows(tc_net_dense *layer, float **bias, float **scale)
{
    *bias = biases + bias_used;
    *scale = scales + bias_used;
    bias_used += (layer->n_out + 7u) / 8u * 8u;
    TEST_ASSERT_TRUE_MESSAGE(bias_used <= BIAS_FLOATS, "net_case.c: too many rows");
    memset(*bias, 0, (size_t)(biases + bias_used - *bias) * sizeof(float));
    memset(*scale, 0, (size_t)(scales + bias_used - *scale) * sizeof(float));
    layer->bias = *bias;
    layer->scale = layer->weight == TC_NET_WEIGHT_F32 ? NULL : *scale;
}

static void start(const uint16_t *dims, uint32_t n_layers, uint32_t weight, uint32_t rows,
                  uint32_t columns, tc_net *net)
{
    pool_used = bias_used = 0;
    memset(net, 0, sizeof *net);
    net->n_in = net->width = dims[0];
    net->n_out = dims[n_layers];
    net->n_layers = (uint8_t)n_layers;
    for (uint32_t l = 0; l < n_layers; l++) {
        tc_net_dense *const layer = &net->layers[l];
        layer->n_in = dims[l];
        layer->n_out = dims[l + 1u];
        layer->weight = (uint8_t)weight;
        layer->tile_rows = (uint8_t)rows;
        layer->tile_columns = (uint8_t)columns;
        net->width = layer->n_out > net->width ? layer->n_out : net->width;
    }
}

void net_case_build(const net_case *c, uint32_t rows, uint32_t columns, tc_net *net)
{
    const uint8_t *weights = c->weights;
    uint32_t row = 0;
    start(c->dims, c->n_layers, c->weight, rows, columns, net);
    for (uint32_t l = 0; l < c->n_layers; l++) {
        tc_net_dense *const layer = &net->layers[l];
        float *bias, *scale;
        void *const to = take_weights(layer);
        lay_out(layer, weights, to);
        layer->weights = to;
        weights += (size_t)layer->n_in * layer->n_out
                   * (c->weight == TC_NET_WEIGHT_F32 ? sizeof(float) : 1u);
        take_rows(layer, &bias, &scale);
        memcpy(bias, c->biases + row, layer->n_out * sizeof(float));
        if (layer->scale != NULL) {
            memcpy(scale, c->scales + row, layer->n_out * sizeof(float));
        }
        row += layer->n_out;
        layer->activation = c->activations[l];
    }
    net->head = c->head;
    net->input_quant = c->input_quant;
    net->input_mean = c->input_mean;
    net->input_scale = c->input_scale;
    net->output_mean = c->output_mean;
    net->output_scale = c->output_scale;
}

/* A weight of a random layer: float, or as an int8. */
static float draw(float spread)
{
    return (float)test_uniform(TC_C(-1.0), TC_C(1.0)) * spread;
}

void net_case_random(const uint16_t *dims, uint32_t n_layers, uint32_t activation, uint32_t weight,
                     uint32_t rows, uint32_t columns, tc_net *net)
{
    start(dims, n_layers, weight, rows, columns, net);
    for (uint32_t l = 0; l < n_layers; l++) {
        tc_net_dense *const layer = &net->layers[l];
        float *bias, *scale;
        void *const to = take_weights(layer);
        for (uint32_t o = 0; o < layer->n_out; o++) {
            for (uint32_t i = 0; i < layer->n_in; i++) {
                const size_t at = tc_net_dense_index(layer, o, i);
                if (weight == TC_NET_WEIGHT_F32) {
                    ((float *)to)[at] = draw(0.5f);
                } else {
                    ((int8_t *)to)[at] = (int8_t)draw(127.9f);
                }
            }
        }
        layer->weights = to;
        take_rows(layer, &bias, &scale);
        for (uint32_t o = 0; o < layer->n_out; o++) {
            bias[o] = draw(0.5f);
            scale[o] = 0.002f + 0.003f * (float)test_uniform(TC_C(0.0), TC_C(1.0));
        }
        layer->activation = (uint8_t)(l + 1u < n_layers ? activation : (uint32_t)TC_NET_IDENTITY);
    }
    net->input_quant = weight == TC_NET_WEIGHT_I8_ACT ? 63.5f : 0.0f;
}
