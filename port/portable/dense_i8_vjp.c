/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Backward pass of a dense layer, int8 weights and float activations: the reference of
 * tc_kernel_dense_i8_vjp.
 *
 *   g_o = scale_o * dy_o;  dx_i = (W_0i g_0 + W_1i g_1) + ..., every product and every sum rounded
 *
 * Row after row, so that each g_o is computed once and the weights are read as they lie.
 */
#include "tc_exact.h"
#include "tc_kernel_net.h"
#include "tc_net.h"

/* dx (+)= W_o g; w points at row o's first element in the first tile of its row group. */
static void row_i8_vjp(const tc_net_dense *layer, const int8_t *w, tc_real g, tc_real *dx,
                       int first)
{
    const uint32_t columns = layer->tile_columns;
    const uint32_t jump = (layer->tile_rows - 1u) * columns; /* over the other rows of the tile */
    uint32_t left = columns;
    for (uint32_t i = 0; i < layer->n_in; i++) {
        const tc_real weight = (tc_real)*w++;
        dx[i] = first ? weight * g : TC_MLA(dx[i], weight, g);
        if (--left == 0u) {
            left = columns;
            w += jump;
        }
    }
}

void tc_kernel_dense_i8_vjp(const tc_net_dense *layer, const tc_real *dy, tc_real *dx)
{
    const int8_t *const weights = layer->weights;
    for (uint32_t o = 0; o < layer->n_out; o++) {
        row_i8_vjp(layer, weights + tc_net_dense_index(layer, o, 0),
                   (tc_real)layer->scale[o] * dy[o], dx, o == 0u);
    }
}
