/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nets: gradients, judged three ways: against central differences of the double reference (fourth
 * order, in tools/ref/net_vectors.py), against forward-mode differentiation written out here, and
 * by properties that hold exactly.
 */
#include "net_case.h"

#include <math.h>

#define WORK TC_NET_GRAD_WORK(NET_CASE_WIDTH, NET_CASE_LAYERS)
#define GUARDED(n) ((n) + 2u * TEST_GUARD_WORDS)

static tc_net net;
static tc_real input[NET_CASE_WIDTH], cotangent[NET_CASE_WIDTH], output[NET_CASE_WIDTH],
    grad[NET_CASE_WIDTH];
static tc_real work[WORK];
static tc_real guarded_work[GUARDED(WORK)], guarded_output[GUARDED(NET_CASE_WIDTH)],
    guarded_grad[GUARDED(NET_CASE_WIDTH)];

static void load(const net_case *c, uint32_t sample)
{
    const uint32_t n_in = c->dims[0], n_out = c->dims[c->n_layers];
    for (uint32_t i = 0; i < n_in; i++) {
        input[i] = (tc_real)c->inputs[sample * n_in + i];
    }
    for (uint32_t o = 0; o < n_out; o++) {
        cotangent[o] = (tc_real)c->cotangents[sample * n_out + o];
    }
}

static int differentiable(const net_case *c)
{
    return c->weight != TC_NET_WEIGHT_I8_ACT;
}

static void assert_all_zero(const tc_real *x, uint32_t n, const char *message)
{
    for (uint32_t i = 0; i < n; i++) {
        TEST_ASSERT_TRUE_MESSAGE(x[i] == TC_C(0.0), message);
    }
}

/* Catches: a wrong derivative, a layer's transpose, normalisation forgotten at either end. */
static void test_vectors(void)
{
    for (uint32_t k = 0; k < net_case_count(); k++) {
        const net_case *const c = net_case_at(k);
        net_case_build(c, 8, 1, &net);
        for (uint32_t s = 0; s < c->n_samples && differentiable(c); s++) {
            load(c, s);
            TEST_ASSERT_EQUAL_MESSAGE(
                TC_OK, tc_net_grad(&net, input, cotangent, output, grad, work, TC_COUNT(work)),
                c->name);
            for (uint32_t i = 0; i < net.n_in; i++) {
                const uint32_t at = s * net.n_in + i;
                test_near(c->grads[at], grad[i], NET_CASE_BOUND(c->grad_bounds[at]), 0, c->name);
            }
        }
    }
}

/* ---- Forward mode: the tangent u is carried along with the value ----------------------------- */

static tc_real slope(uint32_t activation, tc_real pre)
{
    switch (activation) {
    case TC_NET_RELU: return pre > TC_C(0.0) ? TC_C(1.0) : TC_C(0.0);
    case TC_NET_TANH: return TC_C(1.0) - tc_tanh(pre) * tc_tanh(pre);
    case TC_NET_SIGMOID: return tc_sigmoid(pre) * tc_sigmoid(-pre);
    case TC_NET_SOFTPLUS: return tc_sigmoid(pre);
    default: return TC_C(1.0);
    }
}

static tc_real value(uint32_t activation, tc_real pre)
{
    switch (activation) {
    case TC_NET_RELU: return pre > TC_C(0.0) ? pre : TC_C(0.0);
    case TC_NET_TANH: return tc_tanh(pre);
    case TC_NET_SIGMOID: return tc_sigmoid(pre);
    case TC_NET_SOFTPLUS: return tc_softplus(pre);
    default: return pre;
    }
}

static tc_real weight_of(const tc_net_dense *layer, uint32_t o, uint32_t i)
{
    const size_t at = tc_net_dense_index(layer, o, i);
    return layer->weight == TC_NET_WEIGHT_F32 ? (tc_real)((const float *)layer->weights)[at]
                                              : (tc_real)((const int8_t *)layer->weights)[at];
}

static void push_layer(const tc_net_dense *layer, tc_real *x, tc_real *u)
{
    tc_real y[NET_CASE_WIDTH], v[NET_CASE_WIDTH];
    for (uint32_t o = 0; o < layer->n_out; o++) {
        tc_real pre = TC_C(0.0), tangent = TC_C(0.0);
        for (uint32_t i = 0; i < layer->n_in; i++) {
            pre += weight_of(layer, o, i) * x[i];
            tangent += weight_of(layer, o, i) * u[i];
        }
        const tc_real scale = layer->scale != NULL ? (tc_real)layer->scale[o] : TC_C(1.0);
        pre = pre * scale + (tc_real)layer->bias[o];
        y[o] = value(layer->activation, pre);
        v[o] = tangent * scale * slope(layer->activation, pre);
    }
    memcpy(x, y, sizeof y);
    memcpy(u, v, sizeof v);
}

/* cotangent . J u, by forward mode */
static tc_real push(const tc_real *direction)
{
    tc_real x[NET_CASE_WIDTH], u[NET_CASE_WIDTH], result = TC_C(0.0);
    for (uint32_t i = 0; i < net.n_in; i++) {
        const tc_real scale = net.input_scale != NULL ? (tc_real)net.input_scale[i] : TC_C(1.0);
        const tc_real mean = net.input_mean != NULL ? (tc_real)net.input_mean[i] : TC_C(0.0);
        x[i] = (input[i] - mean) * scale;
        u[i] = direction[i] * scale;
    }
    for (uint32_t l = 0; l < net.n_layers; l++) {
        push_layer(&net.layers[l], x, u);
    }
    if (net.head == TC_NET_HEAD_SOFTMAX) {
        tc_real mean = TC_C(0.0);
        (void)tc_softmax_inplace(x, net.n_out);
        for (uint32_t o = 0; o < net.n_out; o++) {
            mean += x[o] * u[o];
        }
        for (uint32_t o = 0; o < net.n_out; o++) {
            u[o] = x[o] * (u[o] - mean);
        }
    }
    for (uint32_t o = 0; o < net.n_out; o++) {
        const tc_real scale = net.output_scale != NULL ? (tc_real)net.output_scale[o] : TC_C(1.0);
        result += cotangent[o] * u[o] * scale;
    }
    return result;
}

/* (J^T v) . u = v . (J u) for every tile. Catches: what the vectors' layout (8, 1) cannot show. */
static void test_equals_forward_mode(void)
{
    test_seed(4711);
    for (uint32_t k = 0; k < net_case_count(); k++) {
        const net_case *const c = net_case_at(k);
        for (uint32_t t = 0; t < NET_CASE_TILES && differentiable(c); t++) {
            uint32_t rows, columns;
            tc_real u[NET_CASE_WIDTH], dot = TC_C(0.0), size = TC_C(0.0);
            net_case_tile(t, &rows, &columns);
            net_case_build(c, rows, columns, &net);
            load(c, t % c->n_samples);
            test_fill(u, net.n_in, TC_C(-1.0), TC_C(1.0));
            memset(work, 0xFF, sizeof work);
            TEST_ASSERT_EQUAL(
                TC_OK, tc_net_grad(&net, input, cotangent, output, grad, work, TC_COUNT(work)));
            for (uint32_t i = 0; i < net.n_in; i++) {
                dot += grad[i] * u[i];
                size += c->grad_bounds[(t % c->n_samples) * net.n_in + i];
            }
            test_near(push(u), dot, NET_CASE_BOUND(TC_C(2.0) * size), 0, c->name);
        }
    }
}

/* Catches: an order of summation in the vjp kernels that depends on the tile, or padding that
 * leaks. */
static void test_layout_changes_no_bit(void)
{
    tc_real first[NET_CASE_WIDTH];
    for (uint32_t k = 0; k < net_case_count(); k++) {
        const net_case *const c = net_case_at(k);
        load(c, 0);
        for (uint32_t t = 0; t < NET_CASE_TILES && differentiable(c); t++) {
            uint32_t rows, columns;
            net_case_tile(t, &rows, &columns);
            net_case_build(c, rows, columns, &net);
            memset(work, 0xFF, sizeof work);
            TEST_ASSERT_EQUAL(
                TC_OK, tc_net_grad(&net, input, cotangent, NULL, grad, work, TC_COUNT(work)));
            if (t == 0u) {
                memcpy(first, grad, sizeof grad);
            }
            test_same(first, grad, net.n_in, c->name);
        }
    }
}

/* The output that comes along is tc_net_eval's, to the bit, and nothing outside is written.
 * Catches: another path for the forward pass, a slot of the workspace used twice, a workspace macro
 * too small. */
static void test_output_equals_eval_and_stays_inside(void)
{
    for (uint32_t k = 0; k < net_case_count(); k++) {
        const net_case *const c = net_case_at(k);
        if (!differentiable(c)) {
            continue;
        }
        net_case_build(c, 8, 1, &net);
        load(c, 2);
        const uint32_t n_work = TC_NET_GRAD_WORK((uint32_t)net.width, net.n_layers);
        tc_real *const w = test_guard(guarded_work, n_work);
        tc_real *const y = test_guard(guarded_output, net.n_out);
        tc_real *const g = test_guard(guarded_grad, net.n_in);
        TEST_ASSERT_EQUAL(TC_OK, tc_net_eval(&net, input, output, work, TC_COUNT(work)));
        TEST_ASSERT_EQUAL(TC_OK, tc_net_grad(&net, input, cotangent, y, g, w, n_work));
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(output, y, net.n_out * sizeof(tc_real), c->name);
        test_guard_check(guarded_work, n_work);
        test_guard_check(guarded_output, net.n_out);
        test_guard_check(guarded_grad, net.n_in);
        memcpy(grad, g, net.n_in * sizeof(tc_real));
        memset(w, 0xFF, n_work * sizeof(tc_real));
        TEST_ASSERT_EQUAL(TC_OK, tc_net_grad(&net, input, cotangent, NULL, g, w, n_work));
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(grad, g, net.n_in * sizeof(tc_real), c->name);
    }
}

/* Doubling the cotangent doubles the gradient to the bit; a zero cotangent gives zero. */
static void test_linear_in_cotangent(void)
{
    tc_real twice[NET_CASE_WIDTH];
    for (uint32_t k = 0; k < net_case_count(); k++) {
        const net_case *const c = net_case_at(k);
        if (!differentiable(c)) {
            continue;
        }
        net_case_build(c, 8, 1, &net);
        load(c, 0);
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_net_grad(&net, input, cotangent, NULL, grad, work, TC_COUNT(work)));
        for (uint32_t o = 0; o < net.n_out; o++) {
            cotangent[o] *= TC_C(2.0);
        }
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_net_grad(&net, input, cotangent, NULL, twice, work, TC_COUNT(work)));
        for (uint32_t i = 0; i < net.n_in; i++) {
            TEST_ASSERT_TRUE_MESSAGE(twice[i] == TC_C(2.0) * grad[i], c->name);
        }
        memset(cotangent, 0, sizeof cotangent);
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_net_grad(&net, input, cotangent, NULL, grad, work, TC_COUNT(work)));
        assert_all_zero(grad, net.n_in, "gradient of nothing");
    }
}

/* ---- Single derivatives ---------------------------------------------------------------------- */

static float unit[8] = {1.0f}, none[8];

static tc_real derivative(uint32_t activation, tc_real x)
{
    const tc_real one = TC_C(1.0);
    tc_real g = TC_C(7.0);
    memset(&net, 0, sizeof net);
    net.n_in = net.n_out = net.width = 1;
    net.n_layers = 1;
    net.layers[0] = (tc_net_dense){.weights = unit,
                                   .bias = none,
                                   .n_in = 1,
                                   .n_out = 1,
                                   .activation = (uint8_t)activation,
                                   .weight = TC_NET_WEIGHT_F32,
                                   .tile_rows = 1,
                                   .tile_columns = 1};
    TEST_ASSERT_EQUAL(TC_OK, tc_net_check(&net));
    TEST_ASSERT_EQUAL(TC_OK, tc_net_grad(&net, &x, &one, NULL, &g, work, TC_COUNT(work)));
    return g;
}

/* softplus' = sigmoid, with a RELATIVE error that stays small where it is tiny and across the seam
 * between its two formulas. Catches: 1 - e^-y, which is 0 or wrong by a half below e^-16. */
static void test_softplus_slope(void)
{
    for (int k = -60; k <= 20; k++) {
        const tc_real x = (tc_real)k * TC_C(0.4);
        const double exact = 1.0 / (1.0 + exp(-(double)x));
        test_near((tc_real)exact, derivative(TC_NET_SOFTPLUS, x), 0, NET_CASE_BOUND(TC_C(2e-6)),
                  "softplus'");
    }
    for (int k = -50; k <= 50; k++) { /* softplus is 1/8 at x = -2.0153 */
        const tc_real x = TC_C(-2.0153) + (tc_real)k * TC_C(1e-3);
        const double exact = 1.0 / (1.0 + exp(-(double)x));
        test_near((tc_real)exact, derivative(TC_NET_SOFTPLUS, x), 0, NET_CASE_BOUND(TC_C(2e-6)),
                  "at the seam");
    }
}

static void test_relu_slope_at_zero(void)
{
    TEST_ASSERT_TRUE(derivative(TC_NET_RELU, TC_C(0.0)) == TC_C(0.0));
    TEST_ASSERT_TRUE(derivative(TC_NET_RELU, TC_C(1e-30)) == TC_C(1.0));
    TEST_ASSERT_TRUE(derivative(TC_NET_RELU, TC_C(-1e-30)) == TC_C(0.0));
}

/* ---- Bad input ------------------------------------------------------------------------------- */

static void fails(tc_status expected, const tc_real *x, const tc_real *v, tc_real *y, tc_real *g,
                  tc_real *w, size_t n_work)
{
    memset(output, 0xFF, sizeof output);
    memset(grad, 0xFF, sizeof grad);
    TEST_ASSERT_EQUAL(expected, tc_net_grad(&net, x, v, y, g, w, n_work));
    if (y == output) {
        assert_all_zero(output, net.n_out, "output not zero after an error");
    }
    if (g == grad) {
        assert_all_zero(grad, net.n_in, "gradient not zero after an error");
    }
}

static void test_bad_arguments(void)
{
    const net_case *const c = net_case_named("tanh");
    const size_t n = TC_NET_GRAD_WORK(33u, 2u);
    net_case_build(c, 8, 1, &net);
    load(c, 0);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_net_grad(NULL, input, cotangent, output, grad, work, n));
    fails(TC_ERR_NULL, NULL, cotangent, output, grad, work, n);
    fails(TC_ERR_NULL, input, NULL, output, grad, work, n);
    fails(TC_ERR_NULL, input, cotangent, output, NULL, work, n);
    fails(TC_ERR_NULL, input, cotangent, output, grad, NULL, n);
    fails(TC_ERR_WORK, input, cotangent, output, grad, work, n - 1u);
    fails(TC_ERR_ALIGN, (const void *)((const uint8_t *)input + 2), cotangent, output, grad, work,
          n);
    fails(TC_ERR_ALIGN, input, (const void *)((const uint8_t *)cotangent + 1), output, grad, work,
          n);
    fails(TC_ERR_ALIGN, input, cotangent, (void *)((uint8_t *)output + 2), grad, work, n);
    fails(TC_ERR_ALIGN, input, cotangent, output, (void *)((uint8_t *)grad + 2), work, n);
    fails(TC_ERR_ALIGN, input, cotangent, output, grad, (void *)((uint8_t *)work + 2), n);
    TEST_ASSERT_EQUAL(TC_OK, tc_net_grad(&net, input, cotangent, output, grad, work, n));
    net_case_build(net_case_named("int8_act_relu"), 4, 4, &net);
    fails(TC_ERR_UNSUPPORTED, input, cotangent, output, grad, work, TC_COUNT(work));
    memset(&net, 0, sizeof net);
    fails(TC_ERR_SIZE, input, cotangent, output, grad, work, TC_COUNT(work));
}

static void test_bad_numbers(void)
{
    const tc_real bad[3] = {(tc_real)NAN, (tc_real)-INFINITY, TC_C(1e37)};
    const net_case *const c = net_case_named("tanh");
    net_case_build(c, 8, 1, &net);
    for (uint32_t b = 0; b < 3u; b++) {
        const tc_status expected = b < 2u ? TC_ERR_NOT_FINITE : TC_ERR_RANGE;
        for (uint32_t i = 0; i < net.n_in; i++) {
            load(c, 0);
            input[i] = bad[b];
            fails(expected, input, cotangent, output, grad, work, TC_COUNT(work));
        }
        for (uint32_t o = 0; o < net.n_out; o++) {
            load(c, 0);
            cotangent[o] = bad[b];
            fails(expected, input, cotangent, output, grad, work, TC_COUNT(work));
        }
    }
}

static void test_golden_hashes(void)
{
    static const uint16_t dims[4] = {6, 13, 9, 3};
    static const char *const names[2] = {"net_grad.f32", "net_grad.i8"};
    for (uint32_t weight = 0; weight < 2u; weight++) {
        uint32_t hash = TEST_HASH_START;
        test_seed(500u + weight);
        for (uint32_t activation = TC_NET_IDENTITY; activation <= TC_NET_SOFTPLUS; activation++) {
            net_case_random(dims, 3, activation, weight, 8, 1, &net);
            test_fill(input, 6, TC_C(-2.0), TC_C(2.0));
            test_fill(cotangent, 3, TC_C(-1.0), TC_C(1.0));
            TEST_ASSERT_EQUAL(
                TC_OK, tc_net_grad(&net, input, cotangent, output, grad, work, TC_COUNT(work)));
            hash = test_hash(hash, grad, 6);
        }
        test_golden(names[weight], hash);
    }
}

void suite_net_grad(void);

void suite_net_grad(void)
{
    RUN_TEST(test_vectors);
    RUN_TEST(test_equals_forward_mode);
    RUN_TEST(test_layout_changes_no_bit);
    RUN_TEST(test_output_equals_eval_and_stays_inside);
    RUN_TEST(test_linear_in_cotangent);
    RUN_TEST(test_softplus_slope);
    RUN_TEST(test_relu_slope_at_zero);
    RUN_TEST(test_bad_arguments);
    RUN_TEST(test_bad_numbers);
    RUN_TEST(test_golden_hashes);
}
