/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dense layer, float weights, by arm_mat_vec_mult_f32 and arm_add_f32: tile (1, 1), plain
 * row-major, which is what CMSIS-DSP reads. Any other tile takes a plain loop.
 *
 * Bits differ from the portable ones: the bias is added last, and with Helium the sums are fused
 * and run in another order. Not for M55: see mat_vec.c.
 */
#include "tc_exact.h"
#include "tc_cmsis.h"

static void relu_after(tc_real *y, uint32_t n)
{
    for (uint32_t o = 0; o < n; o++) {
        y[o] = y[o] > 0.0f ? y[o] : 0.0f;
    }
}

static tc_real dense_row(const tc_net_dense *layer, uint32_t o, const tc_real *x)
{
    const float *const w = layer->weights;
    tc_real acc = layer->bias[o];
    for (uint32_t i = 0; i < layer->n_in; i++) {
        acc = TC_MLA(acc, w[tc_net_dense_index(layer, o, i)], x[i]);
    }
    return acc;
}

void tc_kernel_dense(const tc_net_dense *layer, const tc_real *x, tc_real *y)
{
    const uint32_t n_in = layer->n_in, n_out = layer->n_out;
    if (layer->tile_rows == 1u && layer->tile_columns == 1u) {
        const arm_matrix_instance_f32 w = tc_cmsis_matrix(layer->weights, n_out, n_in);
        arm_mat_vec_mult_f32(&w, x, y);
        arm_add_f32(y, layer->bias, y, n_out);
    } else {
        for (uint32_t o = 0; o < n_out; o++) {
            y[o] = dense_row(layer, o, x);
        }
    }
    if (layer->activation == TC_NET_RELU) {
        relu_after(y, n_out);
    }
}
