/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dense layer, float weights: y = W x + b and ReLU. The reference of tc_kernel_dense.
 *
 *   y_o = (((b_o + W_o0 x_0) + W_o1 x_1) + ...), every product and every sum rounded
 *
 * Two ways with the same bits, since the sums of different rows do not meet:
 *   tile (8, 1)  eight rows advance together, so that one load of x_i serves eight products and the
 *                weights are read in the order in which they lie; columns eight at a time, to
 *                spread the loop's own instructions. Eight sums, one x and the products fit FPv4's
 *                32 registers: nothing is spilled inside the loop (looked at in gcc's
 *                assembler, 12.2 -O2). A last group of up to four rows takes a narrower loop: the
 *                padding would cost more.
 *   any tile     one row after the other, elements found by tc_net_dense_index.
 *
 * Cost on Cortex-M4F, tile (8, 1): 3.2 instructions per weight, plus about 45 per eight rows.
 */
#include "tc_exact.h"
#include "dense_relu.h"

/* Column k of a group of eight rows: w[8 k + r] belongs to row r. HALF is the first four rows. */
#define HALF(k)                                                                                    \
    const tc_real x##k = x[k];                                                                     \
    y0 = TC_MLA(y0, (tc_real)w[8 * k], x##k);                                                      \
    y1 = TC_MLA(y1, (tc_real)w[8 * k + 1], x##k);                                                  \
    y2 = TC_MLA(y2, (tc_real)w[8 * k + 2], x##k);                                                  \
    y3 = TC_MLA(y3, (tc_real)w[8 * k + 3], x##k);
#define COLUMN(k)                                                                                  \
    HALF(k)                                                                                        \
    y4 = TC_MLA(y4, (tc_real)w[8 * k + 4], x##k);                                                  \
    y5 = TC_MLA(y5, (tc_real)w[8 * k + 5], x##k);                                                  \
    y6 = TC_MLA(y6, (tc_real)w[8 * k + 6], x##k);                                                  \
    y7 = TC_MLA(y7, (tc_real)w[8 * k + 7], x##k);

/* Eight rows: y[0..8) = bias[0..8) + W x, w the group's n_in tiles of eight weights. */
static void rows8_dense(const float *w, const float *bias, const tc_real *x, uint32_t n_in,
                        int positive, tc_real *y)
{
    const tc_real *const end = x + n_in;
    const tc_real *const end8 = x + (n_in & ~7u);
    tc_real y0 = (tc_real)bias[0], y1 = (tc_real)bias[1], y2 = (tc_real)bias[2],
            y3 = (tc_real)bias[3];
    tc_real y4 = (tc_real)bias[4], y5 = (tc_real)bias[5], y6 = (tc_real)bias[6],
            y7 = (tc_real)bias[7];
    for (; x != end8; x += 8, w += 64) {
        COLUMN(0) COLUMN(1) COLUMN(2) COLUMN(3) COLUMN(4) COLUMN(5) COLUMN(6) COLUMN(7)
    }
    for (; x != end; x += 1, w += 8) {
        COLUMN(0)
    }
    if (positive) {
        relu_store(&y[0], y0);
        relu_store(&y[1], y1);
        relu_store(&y[2], y2);
        relu_store(&y[3], y3);
        relu_store(&y[4], y4);
        relu_store(&y[5], y5);
        relu_store(&y[6], y6);
        relu_store(&y[7], y7);
        return;
    }
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
    y[3] = y3;
    y[4] = y4;
    y[5] = y5;
    y[6] = y6;
    y[7] = y7;
}

/* The first four rows of a group. */
static void dense_rows4(const float *w, const float *bias, const tc_real *x, uint32_t n_in,
                        int positive, tc_real *y)
{
    const tc_real *const end = x + n_in;
    const tc_real *const end4 = x + (n_in & ~3u);
    tc_real y0 = (tc_real)bias[0], y1 = (tc_real)bias[1], y2 = (tc_real)bias[2],
            y3 = (tc_real)bias[3];
    for (; x != end4; x += 4, w += 32) {
        HALF(0) HALF(1) HALF(2) HALF(3)
    }
    for (; x != end; x += 1, w += 8) {
        HALF(0)
    }
    if (positive) {
        relu_store(&y[0], y0);
        relu_store(&y[1], y1);
        relu_store(&y[2], y2);
        relu_store(&y[3], y3);
        return;
    }
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
    y[3] = y3;
}

/* Any tile: row o alone. */
static tc_real row_dense(const tc_net_dense *layer, uint32_t o, const tc_real *x)
{
    const float *const w = layer->weights;
    tc_real y = (tc_real)layer->bias[o];
    for (uint32_t i = 0; i < layer->n_in; i++) {
        y = TC_MLA(y, (tc_real)w[tc_net_dense_index(layer, o, i)], x[i]);
    }
    return y;
}

void tc_kernel_dense(const tc_net_dense *layer, const tc_real *x, tc_real *y)
{
    const uint32_t n_in = layer->n_in;
    const int positive = layer->activation == TC_NET_RELU;
    if (layer->tile_rows == 8u && layer->tile_columns == 1u) {
        const float *w = layer->weights, *bias = layer->bias;
        int32_t left = layer->n_out;
        for (; left > 4; left -= 8, w += 8u * n_in, bias += 8, y += 8) {
            rows8_dense(w, bias, x, n_in, positive, y);
        }
        if (left > 0) {
            dense_rows4(w, bias, x, n_in, positive, y);
        }
        return;
    }
    for (uint32_t o = 0; o < layer->n_out; o++) {
        y[o] = row_dense(layer, o, x);
        if (positive) {
            relu_store(&y[o], y[o]);
        }
    }
}
