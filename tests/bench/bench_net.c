/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The net 8-32-32-16-3 of the peers' comparisons: 1840 multiply-accumulates, 83 biases, ReLU or
 * tanh in the hidden layers, linear output. Weights are seeded and uniform; the reference runs in
 * double.
 *
 * Weights lie in the tile each backend is fastest with: float 8 x 1; int8 weights with float
 * activations 8 x 1; int8 activations BENCH_I8_ROWS x BENCH_I8_COLUMNS (4 x 4, with Helium 4 x 16),
 * which a build may replace by macros of that name.
 *
 * int8, per layer, with a the value of one input step: row scale s_w = max |W_o| / 127,
 *   last layer and tanh  scale = s_w a,        bias = b
 *   ReLU                 scale = s_w a / a',   bias = b / a' + 1/2, a' = largest activation / 127.
 */
#include "bench.h"
#include "tinycontact.h"

#include "tc_kernel_net.h"

#include <math.h>

#ifndef BENCH_I8_ROWS
#define BENCH_I8_ROWS 4u
#if defined(__ARM_FEATURE_MVE)
#define BENCH_I8_COLUMNS 16u
#else
#define BENCH_I8_COLUMNS 4u
#endif
#endif

#define SIZE "8-32-32-16-3"
#define TILED_MAX (BENCH_WIDTH * BENCH_WIDTH)

const uint16_t bench_widths[BENCH_LAYERS + 1u] = {8, 32, 32, 16, 3};
tc_real bench_weights[BENCH_LAYERS][BENCH_WIDTH * BENCH_WIDTH];
tc_real bench_biases[BENCH_LAYERS][BENCH_WIDTH];
tc_real bench_input[8];

/* The weights as the nets below point to them. */
static float tiled_f32[BENCH_LAYERS][TILED_MAX];
static int8_t rows_i8[BENCH_LAYERS][TILED_MAX]; /* row-major, before tiling */
static int8_t tiled_i8[BENCH_LAYERS][TILED_MAX];
static int8_t tiled_i8_act[BENCH_LAYERS][TILED_MAX];
static float weight_scale[BENCH_LAYERS][BENCH_WIDTH];
static float act_scale[2][BENCH_LAYERS][BENCH_WIDTH]; /* [0] ReLU, [1] tanh */
static float act_bias[2][BENCH_LAYERS][BENCH_WIDTH];
static tc_real net_work[TC_NET_GRAD_WORK(BENCH_WIDTH, BENCH_LAYERS)];
static const tc_real cotangent[3] = {1, TC_C(-0.5), TC_C(0.25)};

/* Layer l of a net; `scale_of` is one of the macros below, for a net without scales has null
 * there. */
#define LAYER(l, in, out, act, kind, w, b, scale_of, r, c)                                         \
    {w[l], b[l], scale_of(l), in, out, act, kind, r, c}
#define NET(name, act, kind, w, b, scale_of, r, c, quant)                                          \
    static const tc_net name = {                                                                   \
        .layers = {LAYER(0, 8, 32, act, kind, w, b, scale_of, r, c),                               \
                   LAYER(1, 32, 32, act, kind, w, b, scale_of, r, c),                              \
                   LAYER(2, 32, 16, act, kind, w, b, scale_of, r, c),                              \
                   LAYER(3, 16, 3, TC_NET_IDENTITY, kind, w, b, scale_of, r, c)},                  \
        .input_quant = quant,                                                                      \
        .n_in = 8,                                                                                 \
        .n_out = 3,                                                                                \
        .width = 32,                                                                               \
        .n_layers = 4,                                                                             \
        .head = TC_NET_HEAD_LINEAR}
#define NO_SCALE(l) NULL
#define WEIGHT_SCALE(l) weight_scale[l]
#define RELU_SCALE(l) act_scale[0][l]
#define TANH_SCALE(l) act_scale[1][l]

NET(relu_f32, TC_NET_RELU, TC_NET_WEIGHT_F32, tiled_f32, bench_biases, NO_SCALE, 8, 1, 0);
NET(tanh_f32, TC_NET_TANH, TC_NET_WEIGHT_F32, tiled_f32, bench_biases, NO_SCALE, 8, 1, 0);
NET(relu_i8, TC_NET_RELU, TC_NET_WEIGHT_I8, tiled_i8, bench_biases, WEIGHT_SCALE, 8, 1, 0);
NET(relu_i8_act, TC_NET_RELU, TC_NET_WEIGHT_I8_ACT, tiled_i8_act, act_bias[0], RELU_SCALE,
    BENCH_I8_ROWS, BENCH_I8_COLUMNS, 127);
NET(tanh_i8_act, TC_NET_TANH, TC_NET_WEIGHT_I8_ACT, tiled_i8_act, act_bias[1], TANH_SCALE,
    BENCH_I8_ROWS, BENCH_I8_COLUMNS, 127);

/* ---- The reference: forward and backward in double ------------------------------------------- */

static double outputs[BENCH_LAYERS + 1u][BENCH_WIDTH]; /* [0] the input */
static double largest[BENCH_LAYERS + 1u];              /* over all forward passes since it was
                                                        * cleared */
static int quantised;                                  /* the reference takes the int8 weights */

static double weight_at(uint32_t l, uint32_t o, uint32_t i)
{
    uint32_t at = o * bench_widths[l] + i;
    return quantised ? (double)rows_i8[l][at] * (double)weight_scale[l][o]
                     : (double)bench_weights[l][at];
}

static void reference_forward(int use_tanh)
{
    for (uint32_t i = 0; i < 8; i++) {
        outputs[0][i] = (double)bench_input[i];
    }
    for (uint32_t l = 0; l < BENCH_LAYERS; l++) {
        for (uint32_t o = 0; o < bench_widths[l + 1]; o++) {
            double sum = (double)bench_biases[l][o];
            for (uint32_t i = 0; i < bench_widths[l]; i++) {
                sum += weight_at(l, o, i) * outputs[l][i];
            }
            if (l + 1 < BENCH_LAYERS) {
                sum = use_tanh ? tanh(sum) : sum > 0 ? sum : 0;
            }
            outputs[l + 1][o] = sum;
            largest[l + 1] = fabs(sum) > largest[l + 1] ? fabs(sum) : largest[l + 1];
        }
    }
}

/* Gradient of cotangent . output with respect to the input, after reference_forward. */
static void reference_backward(int use_tanh, double gradient[BENCH_WIDTH])
{
    double delta[BENCH_WIDTH];

    for (uint32_t o = 0; o < 3; o++) {
        delta[o] = (double)cotangent[o];
    }
    for (uint32_t l = BENCH_LAYERS; l-- > 0;) {
        for (uint32_t i = 0; i < bench_widths[l]; i++) {
            double sum = 0, y = outputs[l][i];
            for (uint32_t o = 0; o < bench_widths[l + 1]; o++) {
                sum += weight_at(l, o, i) * delta[o];
            }
            gradient[i] = l == 0 ? sum : use_tanh ? sum * (1 - y * y) : y > 0 ? sum : 0;
        }
        for (uint32_t i = 0; i < bench_widths[l]; i++) {
            delta[i] = gradient[i];
        }
    }
}

/* ---- Weights --------------------------------------------------------------------------------- */

static uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

/* Where element (o, i) lies, by the formula of tc_net.h. */
static uint32_t tile_index(uint32_t o, uint32_t i, uint32_t n_in, uint32_t rows, uint32_t columns)
{
    uint32_t group = o / rows * rows * round_up(n_in, columns);
    uint32_t tile = i / columns * rows * columns;

    return group + tile + o % rows * columns + i % columns;
}

static void quantise_row(uint32_t l, uint32_t o)
{
    uint32_t n_in = bench_widths[l];
    const tc_real *row = &bench_weights[l][o * n_in];
    double most = 0;

    for (uint32_t i = 0; i < n_in; i++) {
        most = fabs((double)row[i]) > most ? fabs((double)row[i]) : most;
    }
    weight_scale[l][o] = (float)(most / 127);
    for (uint32_t i = 0; i < n_in; i++) {
        rows_i8[l][o * n_in + i] = (int8_t)floor((double)row[i] / (most / 127) + 0.5);
    }
}

static void tile_layer(uint32_t l)
{
    uint32_t n_in = bench_widths[l];

    for (uint32_t o = 0; o < bench_widths[l + 1]; o++) {
        quantise_row(l, o);
        for (uint32_t i = 0; i < n_in; i++) {
            uint32_t act_at = tile_index(o, i, n_in, BENCH_I8_ROWS, BENCH_I8_COLUMNS);
            uint32_t at = tile_index(o, i, n_in, 8, 1);

            tiled_f32[l][at] = (float)bench_weights[l][o * n_in + i];
            tiled_i8[l][at] = rows_i8[l][o * n_in + i];
            tiled_i8_act[l][act_at] = rows_i8[l][o * n_in + i];
        }
    }
}

/* step: the value of one step of each layer's input; largest[] as the reference saw it. */
static void quantise_activations(int use_tanh)
{
    double step = 1.0 / 127;

    for (uint32_t l = 0; l < BENCH_LAYERS; l++) {
        int relu = l + 1 < BENCH_LAYERS && !use_tanh;
        double next = relu ? largest[l + 1] * 1.05 / 127 : 1;

        for (uint32_t o = 0; o < bench_widths[l + 1]; o++) {
            act_scale[use_tanh][l][o] = (float)((double)weight_scale[l][o] * step / next);
            act_bias[use_tanh][l][o] =
                (float)((double)bench_biases[l][o] / next + (relu ? 0.5 : 0));
        }
        step = relu ? next : 1.0 / 127;
    }
}

static void make_weights(void)
{
    bench_seed(88172645u);
    for (uint32_t l = 0; l < BENCH_LAYERS; l++) {
        double reach = sqrt(6.0 / bench_widths[l]);
        uint32_t n = (uint32_t)bench_widths[l] * bench_widths[l + 1];
        bench_fill(bench_weights[l], n, (tc_real)-reach, (tc_real)reach);
        bench_fill(bench_biases[l], bench_widths[l + 1], TC_C(-0.1), TC_C(0.1));
        tile_layer(l);
    }
    for (int use_tanh = 0; use_tanh < 2; use_tanh++) {
        for (uint32_t l = 0; l <= BENCH_LAYERS; l++) {
            largest[l] = 0;
        }
        for (int sample = 0; sample < 8; sample++) {
            bench_fill(bench_input, 8, -1, 1);
            reference_forward(use_tanh);
        }
        /* the last sample stays the input: it is within the range */
        quantise_activations(use_tanh);
    }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void expect(int use_tanh)
{
    reference_forward(use_tanh);
    bench.compared = 3;
    for (uint32_t o = 0; o < 3; o++) {
        bench.expected[o] = (tc_real)outputs[BENCH_LAYERS][o];
    }
}

static void expect_gradient(int use_tanh)
{
    double gradient[BENCH_WIDTH];

    expect(use_tanh);
    reference_backward(use_tanh, gradient);
    bench.compared = 8;
    for (uint32_t i = 0; i < 8; i++) {
        bench.expected[i] = (tc_real)gradient[i];
    }
}

static void expect_relu(void)
{
    expect(0);
}

static void expect_tanh(void)
{
    expect(1);
}

static void expect_relu_i8(void)
{
    quantised = 1;
    expect(0);
    quantised = 0;
}

static void expect_relu_i8_gradient(void)
{
    quantised = 1;
    expect_gradient(0);
    quantised = 0;
}

static void expect_relu_gradient(void)
{
    expect_gradient(0);
}

static void expect_tanh_gradient(void)
{
    expect_gradient(1);
}

/* One layer alone: 32 x 32 with ReLU, fed with the first layer's outputs of the reference. */
static void expect_layer(void)
{
    reference_forward(0);
    bench.compared = 32;
    for (uint32_t o = 0; o < 32; o++) {
        bench.B[o] = (tc_real)outputs[1][o];
        bench.expected[o] = (tc_real)outputs[2][o];
    }
}

/* The int8 input as tc_net.h defines it, for the kernels alone. */
static int8_t bench_quantised[TC_NET_PAD];

static void expect_relu_quantised(void)
{
    expect_relu();
    for (uint32_t i = 0; i < bench_widths[0]; i++) {
        bench_quantised[i] =
            (int8_t)((int32_t)(bench_input[i] * (tc_real)relu_i8_act.input_quant + TC_C(128.5))
                     - 128);
    }
}

#define RUN(name, call)                                                                            \
    static void name(void)                                                                         \
    {                                                                                              \
        BENCH_REGION(call);                                                                        \
    }
#define FORWARD(net) RUN(net##_forward, tc_net_forward(&net, bench_input, bench.result, net_work))
#define EVAL(net)                                                                                  \
    RUN(net##_eval, tc_net_eval(&net, bench_input, bench.result, net_work, TC_COUNT(net_work)))
#define GRADIENT(net)                                                                              \
    RUN(net##_gradient, tc_net_grad(&net, bench_input, cotangent, NULL, bench.result, net_work,    \
                                    TC_COUNT(net_work)))

FORWARD(relu_f32)
FORWARD(tanh_f32)
FORWARD(relu_i8)
FORWARD(relu_i8_act)
FORWARD(tanh_i8_act)
EVAL(relu_f32)
EVAL(tanh_f32)
EVAL(relu_i8)
EVAL(relu_i8_act)
EVAL(tanh_i8_act)
GRADIENT(relu_f32)
GRADIENT(tanh_f32)
GRADIENT(relu_i8)

/* The contract's kernels alone, called in a row with nothing between them: what a prototype counts.
 * "forward" is tc_net_forward, which also finds out what to call. */
static tc_real layer_a[BENCH_WIDTH], layer_b[BENCH_WIDTH];

__attribute__((noinline)) static void relu_layers(const tc_net_dense *layer, const tc_real *x,
                                                  tc_real *y)
{
    tc_kernel_dense(layer, x, layer_a);
    tc_kernel_dense(layer + 1, layer_a, layer_b);
    tc_kernel_dense(layer + 2, layer_b, layer_a);
    tc_kernel_dense(layer + 3, layer_a, y);
}

__attribute__((noinline)) static void tanh_layers(const tc_net_dense *layer, const tc_real *x,
                                                  tc_real *y)
{
    tc_kernel_dense(layer, x, layer_a);
    tc_kernel_tanh(layer_a, 32);
    tc_kernel_dense(layer + 1, layer_a, layer_b);
    tc_kernel_tanh(layer_b, 32);
    tc_kernel_dense(layer + 2, layer_b, layer_a);
    tc_kernel_tanh(layer_a, 16);
    tc_kernel_dense(layer + 3, layer_a, y);
}

__attribute__((noinline)) static void relu_i8_layers(const tc_net_dense *layer, const int8_t *q,
                                                     tc_real *y)
{
    tc_kernel_dense_i8_act_relu(layer, q, (int8_t *)layer_a);
    tc_kernel_dense_i8_act_relu(layer + 1, (const int8_t *)layer_a, (int8_t *)layer_b);
    tc_kernel_dense_i8_act_relu(layer + 2, (const int8_t *)layer_b, (int8_t *)layer_a);
    tc_kernel_dense_i8_act(layer + 3, (const int8_t *)layer_a, y);
}

RUN(relu_f32_kernels, relu_layers(relu_f32.layers, bench_input, bench.result))
RUN(tanh_f32_kernels, tanh_layers(tanh_f32.layers, bench_input, bench.result))
RUN(relu_i8_act_kernels, relu_i8_layers(relu_i8_act.layers, bench_quantised, bench.result))

RUN(relu_plain, plain_net(bench_input, bench.result, 0))
RUN(tanh_plain, plain_net(bench_input, bench.result, 1))
RUN(layer_kernel, tc_kernel_dense(&relu_f32.layers[1], bench.B, bench.result))
RUN(layer_vjp_kernel, tc_kernel_dense_vjp(&relu_f32.layers[1], bench.B, bench.result))

/* The transposed product of the 32 x 32 layer; the same input serves as the cotangent. */
static void expect_layer_vjp(void)
{
    expect_layer();
    for (uint32_t i = 0; i < 32; i++) {
        double sum = 0;
        for (uint32_t o = 0; o < 32; o++) {
            sum += weight_at(1, o, i) * (double)bench.B[o];
        }
        bench.expected[i] = (tc_real)sum;
    }
}

/* int8 activations against the net in double: what 127 steps and four layers of random weights
 * leave. */
#define FLOAT_LIMIT TC_C(5e-6)
#define INT8_LIMIT TC_C(0.08)

static const bench_case cases[] = {
    {"mlp_relu_f32", SIZE, "forward", expect_relu, relu_f32_forward, 0, FLOAT_LIMIT},
    {"mlp_tanh_f32", SIZE, "forward", expect_tanh, tanh_f32_forward, 0, FLOAT_LIMIT},
    {"mlp_relu_f32", SIZE, "kernel", expect_relu, relu_f32_kernels, 0, FLOAT_LIMIT},
    {"mlp_tanh_f32", SIZE, "kernel", expect_tanh, tanh_f32_kernels, 0, FLOAT_LIMIT},
    {"mlp_relu_i8act", SIZE, "kernel", expect_relu_quantised, relu_i8_act_kernels, 0, INT8_LIMIT},
    {"mlp_relu_f32", SIZE, "public", expect_relu, relu_f32_eval, 8, FLOAT_LIMIT},
    {"mlp_relu_f32", SIZE, "plain", expect_relu, relu_plain, 0, FLOAT_LIMIT},
    {"mlp_tanh_f32", SIZE, "public", expect_tanh, tanh_f32_eval, 8, FLOAT_LIMIT},
    {"mlp_tanh_f32", SIZE, "plain", expect_tanh, tanh_plain, 0, FLOAT_LIMIT},
    {"mlp_relu_i8", SIZE, "forward", expect_relu_i8, relu_i8_forward, 0, FLOAT_LIMIT},
    {"mlp_relu_i8", SIZE, "public", expect_relu_i8, relu_i8_eval, 8, FLOAT_LIMIT},
    {"mlp_relu_i8act", SIZE, "forward", expect_relu, relu_i8_act_forward, 0, INT8_LIMIT},
    {"mlp_relu_i8act", SIZE, "public", expect_relu, relu_i8_act_eval, 8, INT8_LIMIT},
    {"mlp_tanh_i8act", SIZE, "forward", expect_tanh, tanh_i8_act_forward, 0, INT8_LIMIT},
    {"mlp_tanh_i8act", SIZE, "public", expect_tanh, tanh_i8_act_eval, 8, INT8_LIMIT},
    {"mlp_relu_f32_grad", SIZE, "public", expect_relu_gradient, relu_f32_gradient, 8, FLOAT_LIMIT},
    {"mlp_tanh_f32_grad", SIZE, "public", expect_tanh_gradient, tanh_f32_gradient, 8, FLOAT_LIMIT},
    {"mlp_relu_i8_grad", SIZE, "public", expect_relu_i8_gradient, relu_i8_gradient, 8, FLOAT_LIMIT},
    {"dense_relu_f32", "32-32", "kernel", expect_layer, layer_kernel, 0, FLOAT_LIMIT},
    {"dense_vjp_f32", "32-32", "kernel", expect_layer_vjp, layer_vjp_kernel, 0, FLOAT_LIMIT},
};

void bench_net(void)
{
    make_weights();
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run(&cases[i]);
    }
#if !defined(BENCH_CYCLES)
    bench_cmsis_net(&cases[0], &cases[1]);
#endif
}
