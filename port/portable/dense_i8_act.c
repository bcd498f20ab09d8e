/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dense layer, int8 weights and int8 activations: the reference of tc_kernel_dense_i8_act and
 * tc_kernel_dense_i8_act_relu.
 *
 *   acc_o = sum_i W_oi q_i, exact: |acc| <= 512 * 128 * 127 < 2^23, so also its conversion to float
 *   pre_o = acc_o * scale_o + b_o, two roundings
 *   y_o = pre_o, as ReLU says; or q_o = trunc(pre_o) clamped to 0..127
 *
 * Backends that read whole tiles give the same integers, because weights in the padding are zero.
 */
#include "tc_exact.h"
#include "dense_relu.h"

/* acc_o; w points at row o's first element in the first tile of its row group. */
static int32_t row_i8_act(const tc_net_dense *layer, const int8_t *w, const int8_t *x)
{
    const uint32_t columns = layer->tile_columns;
    const uint32_t jump = (layer->tile_rows - 1u) * columns; /* over the other rows of the tile */
    const int8_t *const end = x + layer->n_in;
    uint32_t left = columns;
    int32_t acc = 0;
    while (x != end) {
        acc += *w++ * *x++;
        if (--left == 0u) {
            left = columns;
            w += jump;
        }
    }
    return acc;
}

static tc_real preactivation_i8(const tc_net_dense *layer, uint32_t o, const int8_t *x)
{
    const int8_t *const weights = layer->weights;
    const int32_t acc = row_i8_act(layer, weights + tc_net_dense_index(layer, o, 0), x);
    return TC_MLA((tc_real)layer->bias[o], (tc_real)acc, (tc_real)layer->scale[o]);
}

void tc_kernel_dense_i8_act(const tc_net_dense *layer, const int8_t *x, tc_real *y)
{
    const int positive = layer->activation == TC_NET_RELU;
    for (uint32_t o = 0; o < layer->n_out; o++) {
        const tc_real pre = preactivation_i8(layer, o, x);
        y[o] = pre;
        if (positive) {
            relu_store(&y[o], pre);
        }
    }
}

void tc_kernel_dense_i8_act_relu(const tc_net_dense *layer, const int8_t *x, int8_t *q)
{
    for (uint32_t o = 0; o < layer->n_out; o++) {
        const tc_real pre = preactivation_i8(layer, o, x);
        /* clamped before the conversion, which is undefined out of range */
        const tc_real low = pre > TC_C(0.0) ? pre : TC_C(0.0);
        q[o] = (int8_t)(low < TC_C(127.0) ? low : TC_C(127.0));
    }
}
