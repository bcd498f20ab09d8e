/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Net kernels: the linked backend against the portable reference (ref_kernel_...), over random
 * sizes, every tile, every activation.
 *
 * Exact backends: bit for bit. Others: |difference| <= (n + 4) 2^-23 (|b| + |W| |x|), which covers
 * any order of summation and fused products, and 4e-7 absolute for the elementwise functions.
 *
 * Contract of memory, tested with it: float inputs are read up to their length only (NaN follows
 * them), int8 inputs up to their length rounded up to TC_NET_PAD (noise follows), outputs are
 * written up to their length rounded up to TC_NET_PAD (guard words follow).
 */
#include "net_case.h"

#include "tc_kernel_net.h"

#include <math.h>

void ref_kernel_quantise(const tc_real *x, tc_real steps, int8_t *q, uint32_t n);
void ref_kernel_normalise(const tc_real *x, const float *mean, const float *scale, tc_real *y,
                          uint32_t n);
uint32_t ref_kernel_within(const tc_real *x, const float *low, const float *high, uint32_t n);
void ref_kernel_dense(const tc_net_dense *layer, const tc_real *x, tc_real *y);
void ref_kernel_dense_vjp(const tc_net_dense *layer, const tc_real *dy, tc_real *dx);
void ref_kernel_dense_i8(const tc_net_dense *layer, const tc_real *x, tc_real *y);
void ref_kernel_dense_i8_vjp(const tc_net_dense *layer, const tc_real *dy, tc_real *dx);
void ref_kernel_dense_i8_act(const tc_net_dense *layer, const int8_t *x, tc_real *y);
void ref_kernel_dense_i8_act_relu(const tc_net_dense *layer, const int8_t *x, int8_t *q);
void ref_kernel_tanh(tc_real *x, uint32_t n);
void ref_kernel_sigmoid(tc_real *x, uint32_t n);
void ref_kernel_softplus(tc_real *x, uint32_t n);
tc_real ref_kernel_row_sum(const float *a, const tc_real *x, tc_real start, uint32_t n);
void ref_kernel_row_sigmoid(const float *a, tc_real *t, uint32_t n);
void ref_kernel_row_slope(const float *a, tc_real *t, uint32_t n);

#define WIDEST 64u
#define ROOM (WIDEST + 2u * TEST_GUARD_WORDS)

typedef void dense_kernel(const tc_net_dense *layer, const tc_real *x, tc_real *y);

static tc_net net;
static tc_real storage[ROOM], expected[WIDEST], inputs[WIDEST + TC_NET_PAD];

static uint32_t padded(uint32_t n)
{
    return (n + TC_NET_PAD - 1u) / TC_NET_PAD * TC_NET_PAD;
}

/* Sizes round the tiles' edges first, then any. */
static uint16_t draw_size(void)
{
    static const uint8_t edges[12] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33};
    return (uint16_t)(test_below(2) ? edges[test_below(12)] : 1u + test_below(48));
}

static tc_net_dense *draw_layer(uint32_t weight, uint32_t round)
{
    const uint16_t dims[2] = {draw_size(), draw_size()};
    uint32_t rows, columns;
    net_case_tile(round % NET_CASE_TILES, &rows, &columns);
    net_case_random(dims, 1, TC_NET_IDENTITY, weight, rows, columns, &net);
    net.layers[0].activation = (uint8_t)(test_below(2) ? TC_NET_RELU : TC_NET_IDENTITY);
    return &net.layers[0];
}

/* n numbers, some zero, and NaN behind them. */
static void draw_inputs(uint32_t n)
{
    for (uint32_t i = 0; i < WIDEST + TC_NET_PAD; i++) {
        inputs[i] = i < n ? test_uniform(TC_C(-2.0), TC_C(2.0)) : (tc_real)NAN;
        if (i < n && test_below(8) == 0u) {
            inputs[i] = TC_C(0.0);
        }
    }
}

static void compare(const tc_real *actual, uint32_t n, const tc_net_dense *layer, const char *what)
{
    if (TEST_EXACT) {
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(expected, actual, n * sizeof(tc_real), what);
        return;
    }
    /* inputs <= 2, weights <= 0.5 or 127 * 0.005; every term counted at its largest */
    const uint32_t terms = layer->n_in > layer->n_out ? layer->n_in : layer->n_out;
    const tc_real size = TC_C(1.0) + (tc_real)terms * TC_C(1.3);
    for (uint32_t k = 0; k < n; k++) {
        test_near(expected[k], actual[k], ((tc_real)terms + TC_C(4.0)) * TC_EPSILON * size, 0,
                  what);
    }
}

/* One layer, `from` inputs to `to` outputs. */
static void float_layer(dense_kernel *kernel, dense_kernel *reference, const tc_net_dense *layer,
                        uint32_t from, uint32_t to, const char *what)
{
    draw_inputs(from);
    tc_real *const y = test_guard(storage, padded(to));
    memset(y, 0xFF, padded(to) * sizeof(tc_real));
    memset(expected, 0xFF, sizeof expected);
    kernel(layer, inputs, y);
    reference(layer, inputs, expected);
    test_guard_check(storage, padded(to));
    compare(y, to, layer, what);
}

static void float_kernel(dense_kernel *kernel, dense_kernel *reference, uint32_t weight,
                         int backward, const char *what)
{
    for (uint32_t round = 0; round < 180u; round++) {
        const tc_net_dense *const layer = draw_layer(weight, round);
        const uint32_t from = backward ? layer->n_out : layer->n_in;
        const uint32_t to = backward ? layer->n_in : layer->n_out;
        float_layer(kernel, reference, layer, from, to, what);
    }
}

/* Catches: a tail of rows or columns that is wrong, an input read too far, -0 from a ReLU. */
static void test_dense(void)
{
    test_seed(901);
    float_kernel(tc_kernel_dense, ref_kernel_dense, TC_NET_WEIGHT_F32, 0, "dense");
}

/* The tile that backends are made for. Catches: a last group of one to eight rows, or a remainder
 * of columns from one to seven, that has code of its own and is wrong. */
static void test_dense_tile(void)
{
    test_seed(908);
    for (uint16_t n_out = 1; n_out <= 17u; n_out++) {
        for (uint16_t n_in = 1; n_in <= 17u; n_in++) {
            const uint16_t dims[2] = {n_in, n_out};
            net_case_random(dims, 1, TC_NET_IDENTITY, TC_NET_WEIGHT_F32, 8, 1, &net);
            for (uint32_t relu = 0; relu < 2u; relu++) {
                net.layers[0].activation = (uint8_t)(relu ? TC_NET_RELU : TC_NET_IDENTITY);
                float_layer(tc_kernel_dense, ref_kernel_dense, &net.layers[0], n_in, n_out,
                            "tile (8, 1)");
            }
        }
    }
}

static void test_dense_vjp(void)
{
    test_seed(902);
    float_kernel(tc_kernel_dense_vjp, ref_kernel_dense_vjp, TC_NET_WEIGHT_F32, 1, "dense_vjp");
}

static void test_dense_i8(void)
{
    test_seed(903);
    float_kernel(tc_kernel_dense_i8, ref_kernel_dense_i8, TC_NET_WEIGHT_I8, 0, "dense_i8");
}

static void test_dense_i8_vjp(void)
{
    test_seed(904);
    float_kernel(tc_kernel_dense_i8_vjp, ref_kernel_dense_i8_vjp, TC_NET_WEIGHT_I8, 1,
                 "dense_i8_vjp");
}

static void draw_integers(int8_t *q)
{
    for (uint32_t i = 0; i < WIDEST; i++) {
        /* behind the input too: it meets zero weights */
        q[i] = (int8_t)((int32_t)test_below(255) - 127);
    }
}

static void test_dense_i8_act(void)
{
    _Alignas(4) int8_t q[WIDEST];
    test_seed(905);
    for (uint32_t round = 0; round < 180u; round++) {
        const tc_net_dense *const layer = draw_layer(TC_NET_WEIGHT_I8_ACT, round);
        const uint32_t n = padded(layer->n_out);
        tc_real *const y = test_guard(storage, n);
        draw_integers(q);
        tc_kernel_dense_i8_act(layer, q, y);
        ref_kernel_dense_i8_act(layer, q, expected);
        test_guard_check(storage, n);
        if (TEST_EXACT) {
            TEST_ASSERT_EQUAL_MEMORY(expected, y, layer->n_out * sizeof(tc_real));
        }
        for (uint32_t o = 0; o < layer->n_out; o++) {
            test_near(expected[o], y[o], TC_C(1e-6), TC_C(1e-6), "dense_i8_act");
        }
    }
}

/* Integers out: equal, or one step apart where the backend fuses and the value is at an edge. */
static void test_dense_i8_act_relu(void)
{
    _Alignas(4) int8_t q[WIDEST], reference[WIDEST];
    test_seed(906);
    uint32_t clamped = 0, zero = 0;
    for (uint32_t round = 0; round < 180u; round++) {
        tc_net_dense *const layer = draw_layer(TC_NET_WEIGHT_I8_ACT, round);
        const uint32_t words = padded(layer->n_out) / sizeof(tc_real);
        int8_t *const out = (int8_t *)test_guard(storage, words);
        layer->activation = TC_NET_RELU;
        draw_integers(q);
        tc_kernel_dense_i8_act_relu(layer, q, out);
        ref_kernel_dense_i8_act_relu(layer, q, reference);
        test_guard_check(storage, words);
        for (uint32_t o = 0; o < layer->n_out; o++) {
            TEST_ASSERT_INT8_WITHIN(TEST_EXACT ? 0 : 1, reference[o], out[o]);
            clamped += reference[o] == 127;
            zero += reference[o] == 0;
        }
    }
    TEST_ASSERT_TRUE_MESSAGE(clamped > 20u && zero > 20u, "both ends of the range must occur");
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* Catches: a tail of one to three inputs left out or written behind, mean and scale exchanged, an
 * output that may not be its input. */
static void test_normalise(void)
{
    test_seed(909);
    for (uint32_t n = 1; n <= 37u; n++) {
        float mean[WIDEST], scale[WIDEST];
        draw_inputs(n);
        for (uint32_t i = 0; i < WIDEST; i++) {
            mean[i] = i < n ? (float)test_uniform(TC_C(-2.0), TC_C(2.0)) : NAN;
            scale[i] = i < n ? (float)test_uniform(TC_C(0.1), TC_C(3.0)) : NAN;
        }
        tc_real *const y = test_guard(storage, n);
        ref_kernel_normalise(inputs, mean, scale, expected, n);
        tc_kernel_normalise(inputs, mean, scale, y, n);
        TEST_ASSERT_EQUAL_MEMORY(expected, y, n * sizeof(tc_real));
        test_guard_check(storage, n);
        memcpy(y, inputs, n * sizeof(tc_real));
        tc_kernel_normalise(y, mean, scale, y, n);
        TEST_ASSERT_EQUAL_MEMORY(expected, y, n * sizeof(tc_real));
    }
}

/* Catches: an input that is not looked at, an end of the range that does not belong to it, NaN
 * inside, -0 below 0, numbers behind the last that count. */
static void test_within(void)
{
    static const tc_real outside[4] = {TC_C(-1.0000002), TC_C(1.0000002), (tc_real)NAN,
                                       -(tc_real)INFINITY};
    float low[WIDEST], high[WIDEST];
    test_seed(910);
    for (uint32_t i = 0; i < WIDEST; i++) {
        low[i] = i % 3u == 0u ? 0.0f : -1.0f;
        high[i] = i % 3u == 1u ? -0.0f : 1.0f;
    }
    for (uint32_t n = 1; n <= 21u; n++) {
        for (uint32_t i = 0; i < WIDEST; i++) { /* on an end, within, or a zero of the other sign */
            inputs[i] = i % 3u == 0u ? TC_C(-0.0) : i % 3u == 1u ? TC_C(0.0) : TC_C(1.0);
            inputs[i] = i < n ? inputs[i] : (tc_real)NAN;
        }
        TEST_ASSERT_EQUAL(1, tc_kernel_within(inputs, low, high, n));
        TEST_ASSERT_EQUAL(1, ref_kernel_within(inputs, low, high, n));
        for (uint32_t i = 0; i < n; i++) {
            const tc_real kept = inputs[i];
            for (uint32_t k = 0; k < 4u; k++) {
                inputs[i] = outside[k];
                TEST_ASSERT_EQUAL(0, tc_kernel_within(inputs, low, high, n));
                TEST_ASSERT_EQUAL(0, ref_kernel_within(inputs, low, high, n));
            }
            inputs[i] = kept;
        }
    }
}

/* Catches: halves rounded down, a clamp before or after the wrong rounding (two numbers in one step
 * of int8 around each edge), a NaN or an infinity that wraps, a tail left out, bytes in another
 * order, q that may not lie on x. */
static void test_quantise(void)
{
    static const tc_real special[8] = {(tc_real)NAN, (tc_real)INFINITY, -(tc_real)INFINITY,
                                       TC_C(-0.0),   TC_C(1e9),         TC_C(-1e9),
                                       TC_C(127.0),  TC_C(-127.0)};
    static const tc_real steps[3] = {TC_C(1.0), TC_C(127.0), TC_C(37.41)};
    int8_t reference[64], q[64];
    test_seed(911);
    for (uint32_t round = 0; round < 600u; round++) {
        const uint32_t n = 1u + round % 37u;
        const tc_real by = steps[round % 3u];
        draw_inputs(n);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t kind = test_below(8);
            if (kind == 0u) {
                inputs[i] = special[test_below(8)];
            } else if (kind < 5u) { /* on a half, or next to it */
                const tc_real half = (tc_real)(int32_t)(test_below(262)) - TC_C(130.5);
                inputs[i] = (half + (tc_real)(int32_t)(kind - 2u) * TC_C(1.6e-5)) / by;
            }
        }
        ref_kernel_quantise(inputs, by, reference, n);
        tc_kernel_quantise(inputs, by, q, n);
        TEST_ASSERT_EQUAL_MEMORY(reference, q, n);
        tc_kernel_quantise(inputs, by, (int8_t *)inputs, n);
        TEST_ASSERT_EQUAL_MEMORY(reference, inputs, n);
    }
}

/* ---- Elementwise ----------------------------------------------------------------------------- */

typedef void map_kernel(tc_real *x, uint32_t n);
typedef tc_real scalar(tc_real x);

/* A backend's kernel, the reference's, and the public function agree. Catches: a tail of one to
 * three elements, elements written behind the padding, another polynomial. */
static void map(map_kernel *kernel, map_kernel *reference, scalar *function, const char *what)
{
    test_seed(907);
    for (uint32_t round = 0; round < 120u; round++) {
        const uint32_t n = 1u + round % 40u;
        const tc_real range = round < 60u ? TC_C(2.0) : TC_C(40.0);
        tc_real *const x = test_guard(storage, (n + 3u) / 4u * 4u);
        memset(x, 0, (n + 3u) / 4u * 4u * sizeof(tc_real));
        test_fill(x, n, -range, range);
        memcpy(inputs, x, n * sizeof(tc_real));
        memcpy(expected, x, n * sizeof(tc_real));
        kernel(x, n);
        reference(expected, n);
        test_guard_check(storage, (n + 3u) / 4u * 4u);
        if (TEST_EXACT) {
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(expected, x, n * sizeof(tc_real), what);
        }
        for (uint32_t k = 0; k < n; k++) {
            const tc_real same = function(inputs[k]);
            TEST_ASSERT_TRUE_MESSAGE(same == expected[k], what);
            test_near(same, x[k], TC_C(4e-7), TC_C(4e-7), what);
        }
    }
}

static void test_activations(void)
{
    map(tc_kernel_tanh, ref_kernel_tanh, tc_tanh, "tanh");
    map(tc_kernel_sigmoid, ref_kernel_sigmoid, tc_sigmoid, "sigmoid");
    map(tc_kernel_softplus, ref_kernel_softplus, tc_softplus, "softplus");
}

typedef void row_kernel(const float *a, tc_real *t, uint32_t n);

static void compare_row(row_kernel *kernel, row_kernel *reference, const float *a, uint32_t n,
                        const char *what)
{
    tc_real *const t = test_guard(storage, n);
    test_fill(expected, n, -1, 1);
    memcpy(t, expected, n * sizeof *t);
    kernel(a, t, n);
    reference(a, expected, n);
    test_same(expected, t, n, what);
    test_guard_check(storage, n);
}

/* Catches: a tail left out or done twice, a sum in another order, NaN behind the row drawn in. */
static void test_rows(void)
{
    static float a[WIDEST + 1u];
    test_seed(41);
    for (uint32_t round = 0; round < 200u; round++) {
        const uint32_t n = draw_size();
        test_fill(inputs, n, -1, 1);
        inputs[n] = (tc_real)NAN;
        for (uint32_t i = 0; i < n; i++) {
            a[i] = (float)test_uniform(-1, 1);
        }
        a[n] = NAN;
        const tc_real start = test_uniform(-1, 1), sum = tc_kernel_row_sum(a, inputs, start, n);
        const tc_real wanted = ref_kernel_row_sum(a, inputs, start, n);
        test_same(&wanted, &sum, 1, "sum");
        compare_row(tc_kernel_row_sigmoid, ref_kernel_row_sigmoid, a, n, "sigmoid");
        compare_row(tc_kernel_row_slope, ref_kernel_row_slope, a, n, "slope");
    }
}

void suite_kernel_net(void);

void suite_kernel_net(void)
{
    RUN_TEST(test_normalise);
    RUN_TEST(test_quantise);
    RUN_TEST(test_within);
    RUN_TEST(test_dense);
    RUN_TEST(test_dense_tile);
    RUN_TEST(test_dense_vjp);
    RUN_TEST(test_dense_i8);
    RUN_TEST(test_dense_i8_vjp);
    RUN_TEST(test_dense_i8_act);
    RUN_TEST(test_dense_i8_act_relu);
    RUN_TEST(test_activations);
    RUN_TEST(test_rows);
}
