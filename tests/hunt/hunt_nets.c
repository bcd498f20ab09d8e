/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the subjects make of numbers in [0, 1]: quantities within bounds, and nets that say
 * anything.
 *
 * A net's weights are random; its last layer is `gain` times as large and has biases of its own, so
 * that the hunt moves between a net that always says the same (gain small) and one that contradicts
 * itself from one question to the next, which is what steps of a chain and sweeps of a patch pay
 * most for.
 */
#include "hunt.h"

#include <string.h>

#define NETS 4u
#define LAYERS 4u
#define WIDTH 32u

tc_real hunt_between(const tc_real **numbers, tc_real low, tc_real high)
{
    return low + (high - low) * *(*numbers)++;
}

tc_real hunt_signed(const tc_real **numbers, tc_real most)
{
    const tc_real x = hunt_between(numbers, TC_C(-1.0), TC_C(1.0));
    return most * x * x * x;
}

/* xorshift32 */
static float uniform(uint32_t *seed, float reach)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return reach * (2.0f * (float)(*seed >> 8) / 16777216.0f - 1.0f);
}

static void fill_layer(tc_net_dense *layer, float *weights, float *bias, float reach,
                       uint32_t *seed)
{
    layer->weights = weights;
    layer->bias = bias;
    layer->tile_rows = 8;
    layer->tile_columns = 1;
    memset(weights, 0, sizeof(float) * WIDTH * WIDTH);
    memset(bias, 0, sizeof(float) * WIDTH);
    for (uint32_t o = 0; o < layer->n_out; o++) {
        for (uint32_t i = 0; i < layer->n_in; i++) {
            weights[tc_net_dense_index(layer, o, i)] = uniform(seed, reach);
        }
    }
}

/* Range and normalisation, as every trained net has. */
static void dress(tc_net *net)
{
    static float low[WIDTH], high[WIDTH], mean[WIDTH], one[WIDTH];
    for (uint32_t i = 0; i < WIDTH; i++) {
        low[i] = -100.0f;
        high[i] = 100.0f;
        one[i] = 1.0f;
    }
    net->input_mean = mean;
    net->input_scale = one;
    net->input_low = low;
    net->input_high = high;
    net->head = net->n_out == 3u ? TC_NET_HEAD_SOFTMAX : TC_NET_HEAD_LINEAR;
    if (net->n_out < 3u) {
        net->output_mean = mean;
        net->output_scale = one;
    }
}

void hunt_net(uint32_t index, const uint16_t *dims, uint32_t n_layers, tc_net_activation hidden,
              const tc_real **numbers, tc_net *net)
{
    static float weights[NETS][LAYERS][WIDTH * WIDTH], biases[NETS][LAYERS][WIDTH];
    const float gain = hunt_signed(numbers, TC_C(30.0));
    uint32_t seed = 1u + (uint32_t)hunt_between(numbers, TC_C(0.0), TC_C(1e6));
    memset(net, 0, sizeof *net);
    net->n_in = dims[0];
    net->n_out = dims[n_layers];
    net->n_layers = (uint8_t)n_layers;
    net->width = WIDTH;
    for (uint32_t l = 0; l < n_layers; l++) {
        tc_net_dense *const layer = &net->layers[l];
        const float reach = tc_sqrt(TC_C(3.0) / (tc_real)dims[l]);
        layer->n_in = dims[l];
        layer->n_out = dims[l + 1u];
        layer->activation = l + 1u < n_layers ? hidden : TC_NET_IDENTITY;
        fill_layer(layer, weights[index][l], biases[index][l],
                   l + 1u < n_layers ? reach : gain * reach, &seed);
    }
    for (uint32_t o = 0; o < net->n_out; o++) {
        biases[index][n_layers - 1u][o] = hunt_signed(numbers, TC_C(5.0));
    }
    dress(net);
}

void hunt_small_net(uint32_t index, uint16_t n_in, uint16_t n_out, const tc_real **numbers,
                    tc_net *net)
{
    const uint16_t dims[4] = {n_in, 16, 16, n_out};
    hunt_net(index, dims, 3, TC_NET_TANH, numbers, net);
}

hunt_result hunt_net_eval(const hunt_file *file, const uint32_t *input)
{
    static const uint16_t dims[5] = {8, 32, 32, 16, 3};
    static tc_real work[TC_NET_GRAD_WORK(WIDTH, LAYERS)];
    const tc_real *numbers = (const tc_real *)input;
    tc_real x[8], y[3], cotangent[3], gradient[8];
    tc_net net;
    tc_status status;
    hunt_net(0, dims, LAYERS, (tc_net_activation)file->size[0], &numbers, &net);
    for (uint32_t i = 0; i < 8u; i++) {
        x[i] = hunt_signed(&numbers, TC_C(1e4));
    }
    for (uint32_t i = 0; i < 3u; i++) {
        cotangent[i] = hunt_signed(&numbers, TC_C(10.0));
    }
    if (file->size[1] != 0u) {
        HUNT_REGION(status = tc_net_grad(&net, x, cotangent, y, gradient, work, TC_COUNT(work)));
    } else {
        HUNT_REGION(status = tc_net_eval(&net, x, y, work, TC_COUNT(work)));
    }
    return (hunt_result){status, 0};
}
