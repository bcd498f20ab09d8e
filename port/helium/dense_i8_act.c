/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dense layer, int8 weights and int8 activations, for Helium.
 *
 * Specification (port/tc_kernel_net.h; q the int8 inputs):
 *
 *     acc = sum of W_oi * q_i, exact in 32 bits;  pre = (float)acc * scale_o + b_o, two roundings
 *     tc_kernel_dense_i8_act:       y_o = pre, or max(pre, 0) if the layer's activation is ReLU
 *     tc_kernel_dense_i8_act_relu:  q_o = trunc(pre) clamped to 0..127
 *
 * W in tiles of (4, 16), four rows of sixteen columns: VMLADAVA multiplies sixteen weights by
 * sixteen inputs and adds the products to one integer register. Four such sums move to the lanes of
 * one vector, which is scaled and stored. Layers of up to 16 and up to 32 inputs keep these in
 * registers. The clamp costs nothing: pre converted with 25 fraction bits to an unsigned integer
 * saturates below 0 and above 127.99, and 25 bits further down it is the truncated number.
 *
 * Sums are exact and the rest is rounded as in the portable code, never fused: bits equal in both
 * profiles, as long as scale, bias and pre are not subnormal (MVE would flush; quantised nets have
 * scales near 1e-3). Layers with other tiles take plain C.
 *
 * Cost per four rows: 18 instructions (up to 16 inputs), 26 (up to 32), else 9 per 16 inputs + 17.
 * tc_kernel_dense_i8_act has two less. Stack 32 bytes.
 */
#include "tc_exact.h"
#include "tc_helium.h"

/* Registers: r0 groups of four rows, r1 x, r2 outputs, r3 weights, r5 bias, r7 scale, r9 n_in. */

/* r4, r6, r8, r10 (+)= the four rows of the tile at r3 times x; r3 is moved on by a tile. The
 * weights alternate between two vectors, so that a load does not wait for the product before it. */
#define TILE(op, x)                                                                                \
    "vldrb.u8 q2, [r3], #64\n\t" op ".s8 r4, q2, " x "\n\t"                                        \
    "vldrb.u8 q3, [r3, #-48]\n\t" op ".s8 r6, q3, " x "\n\t"                                       \
    "vldrb.u8 q2, [r3, #-32]\n\t" op ".s8 r8, q2, " x "\n\t"                                       \
    "vldrb.u8 q3, [r3, #-16]\n\t" op ".s8 r10, q3, " x "\n\t"

/* q2 = (float){r4, r6, r8, r10} * scale + bias */
#define SCALE                                                                                      \
    "vmov q2[2], q2[0], r4, r8\n\t"                                                                \
    "vmov q2[3], q2[1], r6, r10\n\t"                                                               \
    "vldrw.u32 q3, [r7], #16\n\t"                                                                  \
    "vcvt.f32.s32 q2, q2\n\t"                                                                      \
    "vmul.f32 q2, q2, q3\n\t"                                                                      \
    "vldrw.u32 q3, [r5], #16\n\t"                                                                  \
    "vadd.f32 q2, q2, q3\n\t"

/* Four outputs. ReLU of floats is done afterwards: it is rare in a last layer. */
#define STORE_INT8                                                                                 \
    "vcvt.u32.f32 q2, q2, #25\n\t"                                                                 \
    "vshr.u32 q2, q2, #25\n\t"                                                                     \
    "vstrb.32 q2, [r2], #4\n\t"
#define STORE_FLOAT "vstrw.32 q2, [r2], #16\n\t"

/* The whole layer: up to 16 inputs, up to 32, or an inner loop over tiles. A function without frame
 * of the compiler's, because it needs nearly all registers. */
#define LAYER(store)                                                                               \
    __asm volatile("push {r4-r10, lr}\n\t"                                                         \
                   "ldm r0, {r3, r5, r7, r9}\n\t" /* .., n_in | n_out << 16 */                     \
                   "add r0, r9, #0x30000\n\t"                                                      \
                   "lsr r0, r0, #18\n\t"                                                           \
                   "uxth r9, r9\n\t"                                                               \
                   "vldrb.u8 q0, [r1]\n\t"                                                         \
                   "cmp r9, #16\n\t"                                                               \
                   "bhi 2f\n\t"                                                                    \
                   "dls lr, r0\n"                                                                  \
                   "1:\n\t" TILE("vmladav", "q0") SCALE store                                      \
                   "le lr, 1b\n\t"                                                                 \
                   "pop {r4-r10, pc}\n"                                                            \
                   "2:\n\t"                                                                        \
                   "cmp r9, #32\n\t"                                                               \
                   "bhi 4f\n\t"                                                                    \
                   "vldrb.u8 q1, [r1, #16]\n\t"                                                    \
                   "dls lr, r0\n"                                                                  \
                   "3:\n\t" TILE("vmladav", "q0") TILE("vmladava", "q1") SCALE store               \
                   "le lr, 3b\n\t"                                                                 \
                   "pop {r4-r10, pc}\n"                                                            \
                   "4:\n\t"                                                                        \
                   "sub r9, r9, #1\n\t"                                                            \
                   "lsr r9, r9, #4\n" /* tiles behind the first */                                 \
                   "5:\n\t"                                                                        \
                   "mov r12, r1\n\t"                                                               \
                   "vldrb.u8 q0, [r12], #16\n\t" TILE(                                             \
                       "vmladav", "q0") "dls lr, r9\n"                                             \
                                        "6:\n\t"                                                   \
                                        "vldrb.u8 q0, [r12], #16\n\t" TILE(                        \
                                            "vmladava", "q0") "le lr, 6b\n\t" SCALE store          \
                                                              "subs r0, r0, #1\n\t"                \
                                                              "bne 5b\n\t"                         \
                                                              "pop {r4-r10, pc}")

static __attribute__((naked, noinline)) void tiles_of_16(const tc_net_dense *layer, const int8_t *x,
                                                         tc_real *y)
{
    (void)layer, (void)x, (void)y;
    LAYER(STORE_FLOAT);
}

static __attribute__((naked, noinline)) void layer_int8(const tc_net_dense *layer, const int8_t *x,
                                                        int8_t *q)
{
    (void)layer, (void)x, (void)q;
    LAYER(STORE_INT8);
}

static __attribute__((noinline)) void relu_inplace(tc_real *y, uint32_t n)
{
    for (uint32_t o = 0; o < n; o += 4u) {
        TC_HELIUM_STORE(y + o, vmaxnmq_f32(TC_HELIUM_LOAD(y + o), vdupq_n_f32(0.0f)));
    }
}

static int is_tile_of_16(const tc_net_dense *layer)
{
    return layer->tile_rows == 4u && layer->tile_columns == 16u;
}

/* ---- Any other tile: plain C, kept out of line; the fast way saves no registers for it ------- */

static tc_real row_of_weights(const tc_net_dense *layer, uint32_t o, const int8_t *x)
{
    const int8_t *const w = layer->weights;
    int32_t acc = 0;
    for (uint32_t i = 0; i < layer->n_in; i++) {
        acc += w[tc_net_dense_index(layer, o, i)] * x[i];
    }
    return layer->bias[o] + (tc_real)acc * layer->scale[o];
}

static __attribute__((noinline)) void any_float(const tc_net_dense *layer, const int8_t *x,
                                                tc_real *y)
{
    for (uint32_t o = 0; o < layer->n_out; o++) {
        const tc_real pre = row_of_weights(layer, o, x);
        y[o] = layer->activation == TC_NET_RELU && !(pre > 0.0f) ? 0.0f : pre;
    }
}

static __attribute__((noinline)) void any_int8(const tc_net_dense *layer, const int8_t *x,
                                               int8_t *q)
{
    for (uint32_t o = 0; o < layer->n_out; o++) {
        const tc_real pre = row_of_weights(layer, o, x);
        const tc_real low = pre > 0.0f ? pre : 0.0f;
        q[o] = (int8_t)(low < 127.0f ? low : 127.0f);
    }
}

void tc_kernel_dense_i8_act(const tc_net_dense *layer, const int8_t *x, tc_real *y)
{
    if (!is_tile_of_16(layer)) {
        any_float(layer, x, y);
    } else if (layer->activation == TC_NET_RELU) {
        tiles_of_16(layer, x, y);
        relu_inplace(y, layer->n_out);
    } else {
        tiles_of_16(layer, x, y);
    }
}

void tc_kernel_dense_i8_act_relu(const tc_net_dense *layer, const int8_t *x, int8_t *q)
{
    if (is_tile_of_16(layer)) {
        layer_int8(layer, x, q);
    } else {
        any_int8(layer, x, q);
    }
}
