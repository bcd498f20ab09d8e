/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Backward pass of a dense layer, float weights: dx = W^T dy. The reference of tc_kernel_dense_vjp.
 *
 *   dx_i = ((W_0i dy_0 + W_1i dy_1) + W_2i dy_2) + ..., every product and every sum rounded
 *
 * Tile (8, 1): the eight weights of column i in a group of rows lie side by side, so each dx_i
 * takes a whole group's products while eight dy stay in registers: 3.9 instructions per weight on
 * Cortex-M4F. dy is read up to n_out only, hence the rows of a last partial group go one by one.
 * Any other tile: one column after the other, elements found by tc_net_dense_index.
 */
#include "tc_exact.h"
#include "tc_kernel_net.h"
#include "tc_net.h"

/* dx[0..n_in) (+)= the products of a full group of eight rows; `first` starts the sums. */
static void add_group8(const float *w, const tc_real *dy, tc_real *dx, uint32_t n_in, int first)
{
    const tc_real g0 = dy[0], g1 = dy[1], g2 = dy[2], g3 = dy[3];
    const tc_real g4 = dy[4], g5 = dy[5], g6 = dy[6], g7 = dy[7];
    for (uint32_t i = 0; i < n_in; i++, w += 8) {
        tc_real s = first ? (tc_real)w[0] * g0 : TC_MLA(dx[i], (tc_real)w[0], g0);
        s = TC_MLA(s, (tc_real)w[1], g1);
        s = TC_MLA(s, (tc_real)w[2], g2);
        s = TC_MLA(s, (tc_real)w[3], g3);
        s = TC_MLA(s, (tc_real)w[4], g4);
        s = TC_MLA(s, (tc_real)w[5], g5);
        s = TC_MLA(s, (tc_real)w[6], g6);
        dx[i] = TC_MLA(s, (tc_real)w[7], g7);
    }
}

/* The same for one row of a group: w points at its weight in the group's first tile. */
static void row_vjp(const float *w, tc_real g, tc_real *dx, uint32_t n_in, int first)
{
    for (uint32_t i = 0; i < n_in; i++, w += 8) {
        dx[i] = first ? (tc_real)w[0] * g : TC_MLA(dx[i], (tc_real)w[0], g);
    }
}

/* Any tile: column i alone. */
static tc_real column_product(const tc_net_dense *layer, uint32_t i, const tc_real *dy)
{
    const float *const w = layer->weights;
    tc_real s = (tc_real)w[tc_net_dense_index(layer, 0, i)] * dy[0];
    for (uint32_t o = 1; o < layer->n_out; o++) {
        s = TC_MLA(s, (tc_real)w[tc_net_dense_index(layer, o, i)], dy[o]);
    }
    return s;
}

void tc_kernel_dense_vjp(const tc_net_dense *layer, const tc_real *dy, tc_real *dx)
{
    const uint32_t n_in = layer->n_in, n_out = layer->n_out;
    if (layer->tile_rows == 8u && layer->tile_columns == 1u) {
        const float *w = layer->weights;
        uint32_t o = 0;
        for (; o + 8u <= n_out; o += 8u, w += 8u * n_in) {
            add_group8(w, dy + o, dx, n_in, o == 0u);
        }
        for (; o < n_out; o++, w++) {
            row_vjp(w, dy[o], dx, n_in, o == 0u);
        }
        return;
    }
    for (uint32_t i = 0; i < n_in; i++) {
        dx[i] = column_product(layer, i, dy);
    }
}
