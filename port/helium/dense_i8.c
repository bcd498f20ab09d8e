/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dense layer, int8 weights and float activations, for Helium.
 *
 * Specification (port/tc_kernel_net.h), W in tiles of (8, 1): eight rows of one column lie
 * together.
 *
 *     s = (float)W_o0 * x[0];  s = s + (float)W_oi * x[i] over ascending i
 *     y[o] = bias[o] + scale[o] * s, then ReLU if the layer says so
 *
 * Lanes are rows: VLDRB widens four weights to words, VCVT makes them float, which is exact. Eight
 * rows at a time, in two sums that start at -0 (which added to any first product p gives p); a last
 * group of up to four rows has one sum. ReLU without a branch: VMAXNM with 0, and for other
 * activations with a quiet NaN, which VMAXNM takes for "no number" and hands back the other
 * operand. Bits equal the portable ones when not fused (TC_PORT_FUSED 0). Other tiles take plain C.
 *
 * Cost per eight rows: 8.5 n_in (fused 6.5 n_in) + 35 instructions; four rows: 4.5 (3.5) n_in + 30.
 * Stack 40 bytes. Subnormal inputs, products and sums count as zero, but not in the plain C.
 */
#include "tc_exact.h"
#include "tc_helium.h"

#if TC_PORT_FUSED
#define MAC(acc, q, s) "vfma.f32 " acc ", " q ", " s "\n\t"
#else
#define MAC(acc, q, s)                                                                             \
    "vmul.f32 " q ", " q ", " s "\n\t"                                                             \
    "vadd.f32 " acc ", " acc ", " q "\n\t"
#endif

/* One input: s its register, `at` and `at4` how the weights of its rows 0..3 and 4..7 are
 * addressed. */
#define TERM8(s, at, at4)                                                                          \
    "vldrb.s32 q2, " at "\n\t"                                                                     \
    "vldrb.s32 q3, " at4 "\n\t"                                                                    \
    "vcvt.f32.s32 q2, q2\n\t"                                                                      \
    "vcvt.f32.s32 q3, q3\n\t" MAC("%q[a]", "q2", s) MAC("%q[b]", "q3", s)
#define TERM4(s, at, at4)                                                                          \
    "vldrb.s32 q2, " at "\n\t"                                                                     \
    "vcvt.f32.s32 q2, q2\n\t" MAC("%q[a]", "q2", s)

/* a, b += the weights of eight (a alone: four) rows times x: four inputs per round, then one. w is
 * moved on to the next rows. */
#define SUMS(TERM)                                                                                 \
    __asm volatile(                                                                                \
        "wls lr, %[fours], 2f\n"                                                                   \
        "1:\n\t"                                                                                   \
        "ldm %[x]!, {r4, r5, r6, r8}\n\t" TERM("r4", "[%[w]], #32", "[%[w], #-28]")                \
            TERM("r5", "[%[w], #-24]", "[%[w], #-20]") TERM("r6", "[%[w], #-16]", "[%[w], #-12]")  \
                TERM("r8", "[%[w], #-8]",                                                          \
                     "[%[w], #-4]") "le lr, 1b\n"                                                  \
                                    "2:\n\t"                                                       \
                                    "wls lr, %[rest], 4f\n"                                        \
                                    "3:\n\t"                                                       \
                                    "ldr r4, [%[x]], #4\n\t" TERM("r4", "[%[w]], #8",              \
                                                                  "[%[w], #-4]") "le lr, 3b\n"     \
                                                                                 "4:"              \
        : [w] "+r"(w), [x] "+r"(at), [a] "+w"(a), [b] "+w"(b)                                      \
        : [fours] "r"(n_in / 4u), [rest] "r"(n_in % 4u)                                            \
        : "r4", "r5", "r6", "r8", "lr", "q2", "q3", "memory")

/* y = relu(bias + scale * s) for the four rows from o */
static inline void finish_rows(const tc_net_dense *layer, uint32_t o, float32x4_t s,
                               float32x4_t least, tc_real *y)
{
    const float32x4_t bias = TC_HELIUM_LOAD(layer->bias + o),
                      scale = TC_HELIUM_LOAD(layer->scale + o);
    TC_HELIUM_STORE(y + o, vmaxnmq_f32(TC_HELIUM_MLA_V(bias, scale, s), least));
}

static inline void own_tile(const tc_net_dense *layer, const tc_real *x, tc_real *y)
{
    const uint32_t n_in = layer->n_in, n_out = layer->n_out;
    const float32x4_t least =
        vreinterpretq_f32_s32(vdupq_n_s32(layer->activation == TC_NET_RELU ? 0 : -1));
    const int8_t *w = layer->weights;
    for (uint32_t o = 0; o < n_out; o += 8u) {
        const tc_real *at = x;
        float32x4_t a = vdupq_n_f32(-0.0f), b = a;
        if (o + 4u < n_out) {
            SUMS(TERM8);
            finish_rows(layer, o + 4u, b, least, y);
        } else {
            SUMS(TERM4);
        }
        finish_rows(layer, o, a, least, y);
    }
}

static __attribute__((noinline)) void rows_of_any_tile(const tc_net_dense *layer, const tc_real *x,
                                                       tc_real *y)
{
    const int8_t *const w = layer->weights;
    for (uint32_t o = 0; o < layer->n_out; o++) {
        tc_real s = (tc_real)w[tc_net_dense_index(layer, o, 0)] * x[0];
        for (uint32_t i = 1; i < layer->n_in; i++) {
            s = s + (tc_real)w[tc_net_dense_index(layer, o, i)] * x[i];
        }
        s = layer->bias[o] + layer->scale[o] * s;
        y[o] = layer->activation == TC_NET_RELU && !(s > 0.0f) ? 0.0f : s;
    }
}

void tc_kernel_dense_i8(const tc_net_dense *layer, const tc_real *x, tc_real *y)
{
    if (layer->tile_rows == 8u && layer->tile_columns == 1u) {
        own_tile(layer, x, y);
    } else {
        rows_of_any_tile(layer, x, y);
    }
}
