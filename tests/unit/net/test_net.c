/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nets: evaluation and its checks.
 *
 * Expected values are the double-precision reference's (tools/ref/net_vectors.py), within the
 * running error bound that the generator derived for each output: a float evaluation cannot be
 * further off without a mistake.
 */
#include "net_case.h"

#include <math.h>

#define WORK TC_NET_WORK(NET_CASE_WIDTH)
#define GUARDED(n) ((n) + 2u * TEST_GUARD_WORDS)

static tc_net net;
static tc_real input[NET_CASE_WIDTH], output[NET_CASE_WIDTH];
static tc_real guarded_work[GUARDED(WORK)], guarded_output[GUARDED(NET_CASE_WIDTH)];

static void load(const net_case *c, uint32_t sample)
{
    const uint32_t n = c->dims[0];
    for (uint32_t i = 0; i < n; i++) {
        input[i] = (tc_real)c->inputs[sample * n + i];
    }
}

static void assert_all_zero(const tc_real *x, uint32_t n, const char *message)
{
    for (uint32_t i = 0; i < n; i++) {
        TEST_ASSERT_TRUE_MESSAGE(x[i] == TC_C(0.0), message);
    }
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Catches: any mistake in a formula, an activation, the head, the normalisation, the order of
 * layers. */
static void test_vectors(void)
{
    tc_real work[WORK];
    for (uint32_t k = 0; k < net_case_count(); k++) {
        const net_case *const c = net_case_at(k);
        const uint32_t n_out = c->dims[c->n_layers];
        net_case_build(c, 8, 1, &net);
        TEST_ASSERT_EQUAL_MESSAGE(TC_OK, tc_net_check(&net), c->name);
        for (uint32_t s = 0; s < c->n_samples; s++) {
            load(c, s);
            TEST_ASSERT_EQUAL_MESSAGE(TC_OK, tc_net_eval(&net, input, output, work, TC_COUNT(work)),
                                      c->name);
            for (uint32_t o = 0; o < n_out; o++) {
                const uint32_t at = s * n_out + o;
                test_near(c->outputs[at], output[o], NET_CASE_BOUND(c->bounds[at]), 0, c->name);
            }
        }
    }
}

/* Every tile gives the bits of every other. Catches: a sum in another order, a wrong index, a
 * kernel that lets the padding of a tile in. The workspace is poisoned with NaN, which would
 * spread. */
static void test_layout_changes_no_bit(void)
{
    tc_real work[WORK], first[NET_CASE_WIDTH];
    for (uint32_t k = 0; k < net_case_count(); k++) {
        const net_case *const c = net_case_at(k);
        const size_t bytes = c->dims[c->n_layers] * sizeof(tc_real);
        load(c, 0);
        for (uint32_t t = 0; t < NET_CASE_TILES; t++) {
            uint32_t rows, columns;
            net_case_tile(t, &rows, &columns);
            net_case_build(c, rows, columns, &net);
            TEST_ASSERT_EQUAL_MESSAGE(TC_OK, tc_net_check(&net), c->name);
            memset(work, 0xFF, sizeof work);
            TEST_ASSERT_EQUAL_MESSAGE(TC_OK, tc_net_eval(&net, input, output, work, TC_COUNT(work)),
                                      c->name);
            if (t == 0u) {
                memcpy(first, output, bytes);
            }
            test_same(first, output, c->dims[c->n_layers], c->name);
        }
    }
}

/* Catches: a write outside workspace or output, a workspace macro that is too small, an input or
 * net written to, the checked and the unchecked call taking different paths. */
static void test_forward_equals_eval_and_stays_inside(void)
{
    tc_net before;
    for (uint32_t k = 0; k < net_case_count(); k++) {
        const net_case *const c = net_case_at(k);
        const uint32_t n_out = c->dims[c->n_layers];
        net_case_build(c, 8, 1, &net);
        const uint32_t n_work = TC_NET_WORK((uint32_t)net.width);
        tc_real *const work = test_guard(guarded_work, n_work);
        tc_real *const y = test_guard(guarded_output, n_out);
        load(c, 1);
        tc_real input_before[NET_CASE_WIDTH];
        memcpy(input_before, input, sizeof input);
        before = net;
        TEST_ASSERT_EQUAL_MESSAGE(TC_OK, tc_net_eval(&net, input, y, work, n_work), c->name);
        memcpy(output, y, n_out * sizeof(tc_real));
        memset(work, 0xFF, n_work * sizeof(tc_real));
        tc_net_forward(&net, input, y, work);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(output, y, n_out * sizeof(tc_real), c->name);
        test_guard_check(guarded_work, n_work);
        test_guard_check(guarded_output, n_out);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(input_before, input, sizeof input, c->name);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&before, &net, sizeof net, c->name);
    }
}

/* A classifier's outputs are probabilities. Catches: a head that is skipped or applied to the
 * padding. */
static void test_softmax_head(void)
{
    tc_real work[WORK], sum = TC_C(0.0);
    const net_case *const c = net_case_named("classifier");
    net_case_build(c, 8, 1, &net);
    load(c, 0);
    TEST_ASSERT_EQUAL(TC_OK, tc_net_eval(&net, input, output, work, TC_COUNT(work)));
    for (uint32_t o = 0; o < net.n_out; o++) {
        TEST_ASSERT_TRUE(output[o] > TC_C(0.0) && output[o] < TC_C(1.0));
        sum += output[o];
    }
    test_near(TC_C(1.0), sum, TC_C(1e-6), 0, "sum of probabilities");
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* The widest layers, a row and a column, and the deepest net. The hidden sums are small integers,
 * so the result is exact. Catches: 8- or 9-bit counters, a missing last layer. */
static void test_widest_and_deepest(void)
{
    static tc_real wide_input[TC_NET_WIDTH_MAX];
    static tc_real work[TC_NET_WORK(TC_NET_WIDTH_MAX)];
    static float ones[TC_NET_WIDTH_MAX];
    static float zeros[TC_NET_WIDTH_MAX];
    tc_real y;
    for (uint32_t i = 0; i < TC_NET_WIDTH_MAX; i++) {
        ones[i] = 1.0f;
        wide_input[i] = (tc_real)i;
    }
    memset(&net, 0, sizeof net);
    net.n_layers = TC_NET_LAYERS_MAX;
    net.n_out = 1;
    net.n_in = net.width = TC_NET_WIDTH_MAX;
    for (uint32_t l = 0; l < TC_NET_LAYERS_MAX; l++) {
        const uint16_t n_in = l % 2u == 0u ? (uint16_t)TC_NET_WIDTH_MAX : 1u;
        const uint16_t n_out = l % 2u == 0u ? 1u : (uint16_t)TC_NET_WIDTH_MAX;
        net.layers[l] = (tc_net_dense){.weights = ones,
                                       .bias = zeros,
                                       .n_in = n_in,
                                       .n_out = n_out,
                                       .activation = TC_NET_RELU,
                                       .weight = TC_NET_WEIGHT_F32,
                                       .tile_rows = 1,
                                       .tile_columns = 1};
    }
    net.layers[7].n_out = 1;
    net.layers[7].n_in = 1;
    net.layers[6].n_out = 1;
    TEST_ASSERT_EQUAL(TC_OK, tc_net_check(&net));
    TEST_ASSERT_EQUAL(TC_OK, tc_net_eval(&net, wide_input, &y, work, TC_COUNT(work)));
    /* 0 + 1 + ... + 511, then three times: to 512 copies and their sum */
    TEST_ASSERT_TRUE(y == TC_C(130816.0) * TC_C(134217728.0));
}

/* Inputs of the largest norm through weights close to the limit: the proof's promise, kept.
 * Catches: a bound that forgets a layer or takes softplus for bounded. */
static void test_no_overflow_at_the_limit(void)
{
    static const uint16_t dims[4] = {4, 3, 5, 2};
    tc_real work[WORK];
    test_seed(77);
    uint32_t accepted = 0;
    for (uint32_t k = 0; k < 200u; k++) {
        net_case_random(dims, 3, k % 2u == 0u ? TC_NET_RELU : TC_NET_SOFTPLUS, TC_NET_WEIGHT_F32, 8,
                        1, &net);
        /* scale each layer so that about a third of the nets are accepted; the biases by
         * themselves, for the weights alone are limited by the gradient's bound too */
        for (uint32_t l = 0; l < 3u; l++) {
            float *const weights = (float *)(uintptr_t)net.layers[l].weights;
            float *const bias = (float *)(uintptr_t)net.layers[l].bias;
            const float factor = ldexpf(1.0f, 5 + (int)test_below(35));
            const float shift = ldexpf(1.0f, (int)test_below(100));
            for (uint32_t i = 0; i < tc_net_dense_count(&net.layers[l]); i++) {
                weights[i] *= factor;
            }
            for (uint32_t o = 0; o < net.layers[l].n_out; o++) {
                bias[o] *= shift;
            }
        }
        if (tc_net_check(&net) != TC_OK) {
            continue;
        }
        accepted++;
        for (uint32_t i = 0; i < 4u; i++) {
            input[i] = TC_NET_NORM_MAX * (test_below(2) ? TC_C(0.49999) : TC_C(-0.49999));
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_net_eval(&net, input, output, work, TC_COUNT(work)));
        TEST_ASSERT_TRUE(tc_all_finite(output, 2));
    }
    TEST_ASSERT_TRUE_MESSAGE(accepted >= 20u && accepted <= 180u, "the factors miss the limit");
}

/* ---- Bad input ------------------------------------------------------------------------------- */

/* Catches: a slot that the border check leaves out (its loop takes four at a time), outputs left as
 * they were, and a finite input reported as NaN after the normalisation overflowed. */
static void test_input_not_finite_or_too_large(void)
{
    static const char *const names[2] = {"tanh", "relu"};
    const tc_real bad[4] = {(tc_real)NAN, (tc_real)INFINITY, (tc_real)-INFINITY, TC_C(3e38)};
    tc_real work[WORK];
    for (uint32_t k = 0; k < 2u; k++) {
        const net_case *const c = net_case_named(names[k]);
        net_case_build(c, 8, 1, &net);
        for (uint32_t slot = 0; slot < net.n_in; slot++) {
            for (uint32_t b = 0; b < 4u; b++) {
                load(c, 0);
                input[slot] = bad[b];
                memset(output, 0xFF, sizeof output);
                const tc_status status = tc_net_eval(&net, input, output, work, TC_COUNT(work));
                TEST_ASSERT_EQUAL(b < 3u ? TC_ERR_NOT_FINITE : TC_ERR_RANGE, status);
                assert_all_zero(output, net.n_out, "outputs not zero after a bad input");
            }
        }
    }
}

/* The norm's limit itself is allowed, the next number is not. */
static void test_norm_limit(void)
{
    tc_real work[WORK];
    net_case_build(net_case_named("point"), 1, 1, &net);
    input[0] = -TC_NET_NORM_MAX;
    TEST_ASSERT_EQUAL(TC_OK, tc_net_eval(&net, input, output, work, TC_COUNT(work)));
    input[0] = TC_NET_NORM_MAX * (TC_C(1.0) + TC_EPSILON);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_net_eval(&net, input, output, work, TC_COUNT(work)));
    net_case_build(net_case_named("relu"), 1, 1, &net);
    for (uint32_t i = 0; i < 3u; i++) {
        input[i] = TC_C(0.6) * TC_NET_NORM_MAX; /* each within, together beyond */
    }
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_net_eval(&net, input, output, work, TC_COUNT(work)));
}

/* Catches: a work length that is not looked at, or looked at after something was written. */
static void test_work_too_short(void)
{
    for (uint32_t k = 0; k < net_case_count(); k++) {
        const net_case *const c = net_case_at(k);
        net_case_build(c, 8, 1, &net);
        const uint32_t n_work = TC_NET_WORK((uint32_t)net.width) - 1u;
        tc_real *const work = test_guard(guarded_work, n_work);
        memset(work, 0x5A, n_work * sizeof(tc_real));
        load(c, 0);
        memset(output, 0xFF, sizeof output);
        TEST_ASSERT_EQUAL_MESSAGE(TC_ERR_WORK, tc_net_eval(&net, input, output, work, n_work),
                                  c->name);
        assert_all_zero(output, net.n_out, "outputs not zero after a short workspace");
        test_guard_check(guarded_work, n_work);
        for (uint32_t i = 0; i < n_work * sizeof(tc_real); i++) {
            TEST_ASSERT_EQUAL_HEX8_MESSAGE(0x5A, ((const uint8_t *)work)[i], "workspace touched");
        }
    }
}

static void test_null_and_misaligned(void)
{
    tc_real work[WORK];
    const size_t n = TC_COUNT(work);
    net_case_build(net_case_named("tanh"), 8, 1, &net);
    load(net_case_named("tanh"), 0);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_net_eval(NULL, input, output, work, n));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_net_eval(&net, NULL, output, work, n));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_net_eval(&net, input, NULL, work, n));
    memset(output, 0xFF, sizeof output);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_net_eval(&net, input, output, NULL, n));
    assert_all_zero(output, net.n_out, "outputs not zero after a null pointer");
    const uint8_t *const odd_input = (const uint8_t *)input + 2;
    uint8_t *const odd_output = (uint8_t *)output + 1;
    uint8_t *const odd_work = (uint8_t *)work + 2;
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_net_eval(&net, (const void *)odd_input, output, work, n));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_net_eval(&net, input, (void *)odd_output, work, n));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_net_eval(&net, input, output, (void *)odd_work, n - 1u));
    memset(&net, 0, sizeof net);
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_net_eval(&net, input, output, work, n));
}

static void test_in_range(void)
{
    static const float low[3] = {-1.0f, 0.0f, 2.0f}, high[3] = {1.0f, 0.0f, 3.0f};
    net_case_build(net_case_named("relu"), 1, 1, &net);
    const tc_real inside[3] = {TC_C(-1.0), TC_C(0.0), TC_C(3.0)};
    TEST_ASSERT_EQUAL(1, tc_net_in_range(&net, inside));
    net.input_low = low;
    net.input_high = high;
    TEST_ASSERT_EQUAL(TC_OK, tc_net_check(&net));
    TEST_ASSERT_EQUAL(1, tc_net_in_range(&net, inside));
    for (uint32_t i = 0; i < 3u; i++) {
        const tc_real below = (tc_real)low[i] - TC_C(0.01), above = (tc_real)high[i] + TC_C(0.01);
        const tc_real outside[3] = {below, above, (tc_real)NAN};
        for (uint32_t k = 0; k < 3u; k++) {
            memcpy(input, inside, sizeof inside);
            input[i] = outside[k];
            TEST_ASSERT_EQUAL(0, tc_net_in_range(&net, input));
        }
    }
    TEST_ASSERT_EQUAL(0, tc_net_in_range(NULL, input));
    TEST_ASSERT_EQUAL(0, tc_net_in_range(&net, NULL));
}

/* ---- tc_net_check: one rule broken at a time ------------------------------------------------- */

static void refuses(tc_status expected, uint32_t where, const char *what)
{
    uint32_t fault = 99;
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_net_check_where(&net, &fault), what);
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_net_check(&net), what);
    TEST_ASSERT_EQUAL_MESSAGE(where, fault, what);
}

#define REFUSES(name, change, expected, where)                                                     \
    do {                                                                                           \
        net_case_build(net_case_named(name), 4, 16, &net);                                         \
        change;                                                                                    \
        refuses(expected, where, #change);                                                         \
    } while (0)

static void test_check_shapes(void)
{
    static float some[NET_CASE_WIDTH + 1u];
    const float *const odd = (const float *)(const void *)((const uint8_t *)some + 2);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_net_check(NULL));
    REFUSES("relu", net.n_layers = 0, TC_ERR_SIZE, 0);
    REFUSES("relu", net.n_layers = 9, TC_ERR_SIZE, 9);
    REFUSES("relu", net.n_in = 0, TC_ERR_SIZE, 3);
    REFUSES("relu", net.width = 32, TC_ERR_SIZE, 3);
    REFUSES("relu", net.width = 34, TC_ERR_SIZE, 3);
    REFUSES("relu", (net.width = net.layers[1].n_out = net.layers[2].n_in = 513), TC_ERR_SIZE, 3);
    REFUSES("relu", net.n_out = 2, TC_ERR_SIZE, 2);
    REFUSES("relu", net.layers[1].n_in = 6, TC_ERR_SIZE, 1);
    REFUSES("relu", (net.layers[0].n_out = net.layers[1].n_in = 0), TC_ERR_SIZE, 0);
    REFUSES("relu", net.head = 2, TC_ERR_UNSUPPORTED, 3);
    REFUSES("relu", net.layers[0].weight = 3, TC_ERR_UNSUPPORTED, 3);
    REFUSES("relu", net.layers[1].weight = TC_NET_WEIGHT_I8, TC_ERR_UNSUPPORTED, 1);
    REFUSES("relu", net.layers[2].activation = 5, TC_ERR_UNSUPPORTED, 2);
    REFUSES("relu", net.layers[2].tile_rows = 2, TC_ERR_UNSUPPORTED, 2);
    REFUSES("relu", net.layers[2].tile_rows = 0, TC_ERR_UNSUPPORTED, 2);
    REFUSES("relu", net.layers[2].tile_columns = 8, TC_ERR_UNSUPPORTED, 2);
    REFUSES("relu", net.layers[0].weights = NULL, TC_ERR_NULL, 0);
    REFUSES("relu", net.layers[1].bias = NULL, TC_ERR_NULL, 1);
    REFUSES("relu", net.layers[1].scale = some, TC_ERR_UNSUPPORTED, 1);
    REFUSES("relu", net.layers[1].bias = odd, TC_ERR_ALIGN, 1);
    REFUSES("relu", net.layers[0].weights = odd, TC_ERR_ALIGN, 0);
    REFUSES("int8", net.layers[0].scale = NULL, TC_ERR_NULL, 0);
    REFUSES("int8", net.layers[1].scale = odd, TC_ERR_ALIGN, 1);
    REFUSES("relu", net.input_mean = some, TC_ERR_NULL, 3);
    REFUSES("relu", net.output_scale = some, TC_ERR_NULL, 3);
    REFUSES("relu", net.input_high = some, TC_ERR_NULL, 3);
    REFUSES("tanh", net.input_mean = odd, TC_ERR_ALIGN, 2);
    REFUSES("classifier", net.layers[2].activation = TC_NET_RELU, TC_ERR_UNSUPPORTED, 2);
    REFUSES("classifier", (net.output_mean = net.output_scale = some), TC_ERR_UNSUPPORTED, 3);
    REFUSES("int8_act_relu", net.layers[0].activation = TC_NET_IDENTITY, TC_ERR_UNSUPPORTED, 0);
    REFUSES("int8_act_relu", net.layers[1].activation = TC_NET_SOFTPLUS, TC_ERR_UNSUPPORTED, 1);
    REFUSES("int8_act_relu", net.input_quant = 0.0f, TC_ERR_UNSUPPORTED, 3);
    REFUSES("relu", net.input_quant = 1.0f, TC_ERR_UNSUPPORTED, 3);
}

/* The arrays of the storage, made writable again. */
static float *writable(const void *array)
{
    return (float *)(uintptr_t)array;
}

static void test_check_numbers(void)
{
    static float some[NET_CASE_WIDTH], less[NET_CASE_WIDTH];
    some[1] = 1e38f;
    less[1] = 1.0f;
    REFUSES("relu", writable(net.layers[1].weights)[0] = NAN, TC_ERR_NOT_FINITE, 1);
    REFUSES("relu", writable(net.layers[2].weights)[0] = INFINITY, TC_ERR_NOT_FINITE, 2);
    REFUSES("relu", writable(net.layers[0].bias)[6] = -INFINITY, TC_ERR_NOT_FINITE, 0);
    REFUSES("int8", writable(net.layers[1].scale)[2] = NAN, TC_ERR_NOT_FINITE, 1);
    REFUSES("relu", (some[2] = NAN, net.input_mean = net.input_scale = some), TC_ERR_NOT_FINITE, 3);
    REFUSES("relu", (net.output_mean = net.output_scale = some, some[0] = NAN), TC_ERR_NOT_FINITE,
            3);
    REFUSES("relu", (some[0] = 0.0f, net.input_low = less, net.input_high = some),
            TC_ERR_NOT_FINITE, 3);
    some[2] = 0.0f;
    REFUSES("relu", (net.input_low = some, net.input_high = less), TC_ERR_RANGE, 3);
    REFUSES("int8_act_relu", net.input_quant = NAN, TC_ERR_NOT_FINITE, 3);
    REFUSES("int8_act_relu", net.input_quant = 1e30f, TC_ERR_RANGE, 3);
    /* too large: forward in a row, in the bias, in an int8 scale; backward in a column; at both
     * ends */
    REFUSES("relu", writable(net.layers[0].weights)[0] = 1e30f, TC_ERR_RANGE, 0);
    REFUSES("relu", writable(net.layers[1].bias)[0] = 1e31f, TC_ERR_RANGE, 1);
    REFUSES("int8", writable(net.layers[1].scale)[0] = 1e32f, TC_ERR_RANGE, 1);
    REFUSES("tanh", writable(net.layers[0].weights)[0] = 5e23f, TC_ERR_RANGE, 0);
    REFUSES("relu", (some[0] = 1e29f, net.output_mean = less, net.output_scale = some),
            TC_ERR_RANGE, 3);
    REFUSES("relu", (some[0] = 1e29f, net.input_mean = less, net.input_scale = some), TC_ERR_RANGE,
            3);
    some[1] = 0.0f; /* the scales themselves are not, with what comes up to them they are */
    REFUSES("relu", (some[0] = 1e25f, net.output_mean = less, net.output_scale = some),
            TC_ERR_RANGE, 3);
    REFUSES("relu", (some[0] = 1e25f, net.input_mean = less, net.input_scale = some), TC_ERR_RANGE,
            3);
    /* padding: beyond the last column, beyond the last row, bias and scale */
    REFUSES("int8", ((int8_t *)writable(net.layers[0].weights))[15] = 1, TC_ERR_UNSUPPORTED, 0);
    REFUSES("relu", writable(net.layers[2].weights)[16] = 1.0f, TC_ERR_UNSUPPORTED, 2);
    REFUSES("relu", writable(net.layers[0].bias)[7] = 1.0f, TC_ERR_UNSUPPORTED, 0);
    REFUSES("int8", writable(net.layers[1].scale)[3] = 1.0f, TC_ERR_UNSUPPORTED, 1);
}

/* ---- Bits ------------------------------------------------------------------------------------ */

/* Random nets over many inputs. int8 activations depend on float results only through rounding. */
static uint32_t hash_of(uint32_t activation, uint32_t weight, uint32_t head, uint32_t rows,
                        uint32_t columns)
{
    static const uint16_t dims[5] = {8, 32, 32, 16, 3};
    tc_real work[WORK];
    uint32_t hash = TEST_HASH_START;
    test_seed(1000u + 10u * activation + weight);
    net_case_random(dims, 4, activation, weight, rows, columns, &net);
    net.head = (uint8_t)head;
    TEST_ASSERT_EQUAL(TC_OK, tc_net_check(&net));
    for (uint32_t k = 0; k < 50u; k++) {
        test_fill(input, 8, TC_C(-2.0), TC_C(2.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_net_eval(&net, input, output, work, TC_COUNT(work)));
        hash = test_hash(hash, output, 3);
    }
    return hash;
}

static void test_golden_hashes(void)
{
    test_golden("net.relu", hash_of(TC_NET_RELU, TC_NET_WEIGHT_F32, TC_NET_HEAD_LINEAR, 8, 1));
    test_golden("net.tanh", hash_of(TC_NET_TANH, TC_NET_WEIGHT_F32, TC_NET_HEAD_LINEAR, 8, 1));
    test_golden("net.sigmoid",
                hash_of(TC_NET_SIGMOID, TC_NET_WEIGHT_F32, TC_NET_HEAD_SOFTMAX, 8, 1));
    test_golden("net.softplus",
                hash_of(TC_NET_SOFTPLUS, TC_NET_WEIGHT_F32, TC_NET_HEAD_LINEAR, 8, 1));
    test_golden("net.i8", hash_of(TC_NET_RELU, TC_NET_WEIGHT_I8, TC_NET_HEAD_LINEAR, 8, 1));
    test_golden("net.i8_act_relu",
                hash_of(TC_NET_RELU, TC_NET_WEIGHT_I8_ACT, TC_NET_HEAD_LINEAR, 4, 4));
    test_golden("net.i8_act_relu",
                hash_of(TC_NET_RELU, TC_NET_WEIGHT_I8_ACT, TC_NET_HEAD_LINEAR, 4, 16));
    test_golden("net.i8_act_tanh",
                hash_of(TC_NET_TANH, TC_NET_WEIGHT_I8_ACT, TC_NET_HEAD_LINEAR, 4, 4));
    test_golden("net.i8_act_tanh",
                hash_of(TC_NET_TANH, TC_NET_WEIGHT_I8_ACT, TC_NET_HEAD_LINEAR, 4, 16));
}

void suite_net(void);

void suite_net(void)
{
    RUN_TEST(test_vectors);
    RUN_TEST(test_layout_changes_no_bit);
    RUN_TEST(test_forward_equals_eval_and_stays_inside);
    RUN_TEST(test_softmax_head);
    RUN_TEST(test_widest_and_deepest);
    RUN_TEST(test_no_overflow_at_the_limit);
    RUN_TEST(test_input_not_finite_or_too_large);
    RUN_TEST(test_norm_limit);
    RUN_TEST(test_work_too_short);
    RUN_TEST(test_null_and_misaligned);
    RUN_TEST(test_in_range);
    RUN_TEST(test_check_shapes);
    RUN_TEST(test_check_numbers);
    RUN_TEST(test_golden_hashes);
}
