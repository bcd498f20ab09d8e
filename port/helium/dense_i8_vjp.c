/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Backward pass of a dense layer, int8 weights and float activations, for Helium.
 *
 * Specification (port/tc_kernel_net.h), W in tiles of (8, 1): eight rows of one column lie
 * together.
 *
 *     g_o = scale[o] * dy[o]
 *     dx[i] = (float)W_0i * g_0;  dx[i] = dx[i] + (float)W_oi * g_o over ascending o
 *
 * Lanes are columns, whose weights lie eight bytes apart: a gather takes four and widens them.
 * Sixteen columns share each g_o, then four at a time. Lanes beyond n_in repeat the last column,
 * and what they compute is not stored. Sums start at -0, which added to any first product p gives
 * p. Bits equal the portable ones when not fused (TC_PORT_FUSED 0). Other tiles take plain C.
 *
 * Cost per sixteen columns: 27 n_out (fused 23 n_out) + 30 instructions; per four: 14 (13)
 * n_out + 25. Subnormal dy, products and sums count as zero, but not in the plain C.
 */
#include "tc_exact.h"
#include "tc_helium.h"

/* acc + (float)(the weights of four columns) * g; w: the row's weight in the first of them */
static inline float32x4_t add_term(float32x4_t acc, const int8_t *w, uint32x4_t columns, float g)
{
    const int32x4_t q = vldrbq_gather_offset_s32(w, columns);
    return TC_HELIUM_MLA(acc, vcvtq_f32_s32(q), g);
}

static inline const int8_t *next_row(const int8_t *w, uint32_t o, uint32_t n_in)
{
    return (o & 7u) == 7u ? w + 8u * n_in - 7 : w + 1;
}

static void add_sixteen(const tc_net_dense *layer, const int8_t *w, const tc_real *dy, tc_real *dx)
{
    const uint32x4_t columns = vidupq_n_u32(0, 8);
    float32x4_t a = vdupq_n_f32(-0.0f), b = a, c = a, d = a;
    for (uint32_t o = 0; o < layer->n_out; o++) {
        const float g = layer->scale[o] * dy[o];
        a = add_term(a, w, columns, g);
        b = add_term(b, w + 32, columns, g);
        c = add_term(c, w + 64, columns, g);
        d = add_term(d, w + 96, columns, g);
        w = next_row(w, o, layer->n_in);
    }
    TC_HELIUM_STORE(dx, a);
    TC_HELIUM_STORE(dx + 4, b);
    TC_HELIUM_STORE(dx + 8, c);
    TC_HELIUM_STORE(dx + 12, d);
}

/* Up to four columns. */
static void four_columns(const tc_net_dense *layer, const int8_t *w, const tc_real *dy, tc_real *dx,
                         uint32_t left)
{
    const uint32x4_t columns = vminq_u32(vidupq_n_u32(0, 8), vdupq_n_u32(8u * (left - 1u)));
    float32x4_t a = vdupq_n_f32(-0.0f);
    for (uint32_t o = 0; o < layer->n_out; o++) {
        a = add_term(a, w, columns, layer->scale[o] * dy[o]);
        w = next_row(w, o, layer->n_in);
    }
    vstrwq_p_f32(dx, a, vctp32q(left));
    TC_HELIUM_FENCE();
}

static void columns_of_any_tile(const tc_net_dense *layer, const tc_real *dy, tc_real *dx)
{
    const int8_t *const w = layer->weights;
    for (uint32_t o = 0; o < layer->n_out; o++) {
        const tc_real g = layer->scale[o] * dy[o];
        for (uint32_t i = 0; i < layer->n_in; i++) {
            const tc_real p = (tc_real)w[tc_net_dense_index(layer, o, i)] * g;
            dx[i] = o == 0u ? p : dx[i] + p;
        }
    }
}

void tc_kernel_dense_i8_vjp(const tc_net_dense *layer, const tc_real *dy, tc_real *dx)
{
    const uint32_t n_in = layer->n_in;
    const int8_t *const w = layer->weights;
    if (layer->tile_rows != 8u || layer->tile_columns != 1u) {
        columns_of_any_tile(layer, dy, dx);
        return;
    }
    uint32_t i = 0;
    for (; i + 16u <= n_in; i += 16u) {
        add_sixteen(layer, w + 8u * i, dy, dx + i);
    }
    for (; i < n_in; i += 4u) {
        four_columns(layer, w + 8u * i, dy, dx + i, n_in - i);
    }
}
