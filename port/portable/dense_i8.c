/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dense layer, int8 weights and float activations: the reference of tc_kernel_dense_i8.
 *
 *   s_o = (W_o0 x_0 + W_o1 x_1) + ..., the weights converted to float (exact), every product and
 *   every sum rounded;  y_o = b_o + scale_o * s_o, two roundings;  then ReLU.
 *
 * The scale is applied once per row instead of once per weight: fewer roundings and fewer products.
 * Tile (8, 1): eight rows advance together, so that one load of x_i serves eight products, 6.5
 * instructions per weight on Cortex-M4F. Any other tile: one row after the other, 11 to 15.
 */
#include "tc_exact.h"
#include "dense_relu.h"

/* Where a sum starts: -0 + p is p for every p, +0 included, so this is starting at the first
 * product. */
#define START TC_C(-0.0)

/* s_o .. s_(o+7) into y[0..8), w the group's n_in tiles of eight weights. */
static void rows8_i8(const int8_t *w, const tc_real *x, uint32_t n_in, tc_real *y)
{
    const tc_real *const end = x + n_in;
    tc_real s0 = START, s1 = START, s2 = START, s3 = START, s4 = START, s5 = START, s6 = START,
            s7 = START;
    for (; x != end; x++, w += 8) {
        const tc_real xi = *x;
        s0 = TC_MLA(s0, (tc_real)w[0], xi);
        s1 = TC_MLA(s1, (tc_real)w[1], xi);
        s2 = TC_MLA(s2, (tc_real)w[2], xi);
        s3 = TC_MLA(s3, (tc_real)w[3], xi);
        s4 = TC_MLA(s4, (tc_real)w[4], xi);
        s5 = TC_MLA(s5, (tc_real)w[5], xi);
        s6 = TC_MLA(s6, (tc_real)w[6], xi);
        s7 = TC_MLA(s7, (tc_real)w[7], xi);
    }
    y[0] = s0;
    y[1] = s1;
    y[2] = s2;
    y[3] = s3;
    y[4] = s4;
    y[5] = s5;
    y[6] = s6;
    y[7] = s7;
}

/* s_o; w points at row o's first element in the first tile of its row group. */
static tc_real row_i8(const tc_net_dense *layer, const int8_t *w, const tc_real *x)
{
    const uint32_t columns = layer->tile_columns;
    const uint32_t jump = (layer->tile_rows - 1u) * columns; /* over the other rows of the tile */
    const tc_real *const end = x + layer->n_in;
    uint32_t left = columns;
    tc_real s = START;
    for (; x != end; x++) {
        s = TC_MLA(s, (tc_real)*w++, *x);
        if (--left == 0u) {
            left = columns;
            w += jump;
        }
    }
    return s;
}

void tc_kernel_dense_i8(const tc_net_dense *layer, const tc_real *x, tc_real *y)
{
    const int8_t *const weights = layer->weights;
    const uint32_t n_in = layer->n_in, n_out = layer->n_out;
    const int positive = layer->activation == TC_NET_RELU;
    const int eight = layer->tile_rows == 8u && layer->tile_columns == 1u;
    for (uint32_t o = 0; o < n_out; o += eight ? 8u : 1u) {
        if (eight) {
            rows8_i8(weights + o * n_in, x, n_in, y + o); /* y has room: 8 divides TC_NET_PAD */
        } else {
            y[o] = row_i8(layer, weights + tc_net_dense_index(layer, o, 0), x);
        }
    }
    for (uint32_t o = 0; o < n_out; o++) {
        y[o] = TC_MLA((tc_real)layer->bias[o], (tc_real)layer->scale[o], y[o]);
        if (positive) {
            relu_store(&y[o], y[o]);
        }
    }
}
