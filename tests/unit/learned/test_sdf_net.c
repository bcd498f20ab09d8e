/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Learned shapes: the net's own numbers, and what is outside of its training range.
 */
#include "net_case.h"
#include "test.h"

#include <math.h>

#define CODES 2u

static tc_net net;
static tc_real code[CODES] = {TC_C(0.3), TC_C(-0.2)};
static tc_real work[TC_SDF_NET_WORK(16, 3)];
static const float low[5] = {-1, -1, -1, -1, -1}, high[5] = {1, 1, 1, 1, 1};

static tc_sdf_net_data make_data(void)
{
    static const uint16_t dims[] = {3 + CODES, 16, 16, 1};
    test_seed(61);
    net_case_random(dims, 3, TC_NET_TANH, TC_NET_WEIGHT_F32, 8, 1, &net);
    const tc_sdf_net_data data = {{TC_C(1e-3), NULL, NULL, 0}, &net, code, CODES};
    return data;
}

static void test_learned_shape_is_its_net(void)
{
    static const tc_real one = 1;
    const tc_sdf_net_data data = make_data();
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_net, &data);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_check(&shape));
    TEST_ASSERT_EQUAL_UINT32(CODES, tc_sdf_parameters(&shape));
    test_near(TC_C(1e-3), tc_sdf_error(&shape), 0, 0, "stored error");
    for (uint32_t round = 0; round < TEST_ROUNDS(50); ++round) {
        tc_real input[3 + CODES], value, slope[3 + CODES], d, g[3], by[CODES];
        test_fill(input, 3, TC_C(-1.0), TC_C(1.0));
        input[3] = code[0];
        input[4] = code[1];
        TEST_ASSERT_EQUAL_INT(TC_OK,
                              tc_net_grad(&net, input, &one, &value, slope, work, TC_COUNT(work)));
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_eval(&shape, input, &d, g, work, TC_COUNT(work)));
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_grad(&shape, input, by, work, TC_COUNT(work)));
        test_same(&value, &d, 1, "value");
        test_same(slope, g, 3, "gradient");
        test_same(slope + 3, by, CODES, "by the code");
    }
}

/* On from the nearest point of the training range: continuous, and noted */
static void test_learned_shape_outside_its_range(void)
{
    const tc_sdf_net_data data = make_data();
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_net, &data);
    const tc_real inside[3] = {1, TC_C(0.25), -1}, outside[3] = {4, TC_C(0.25), -5};
    tc_real d, e, g[3], f[3];
    net.input_low = low;
    net.input_high = high;
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_eval(&shape, inside, &d, g, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_NOTE_RANGE, tc_sdf_eval(&shape, outside, &e, f, work, TC_COUNT(work)));
    test_near(d + 5, e, 8 * TC_EPSILON, 0, "value");
    test_near(TC_C(0.6), f[0], 2 * TC_EPSILON, 0, "beyond");
    test_near(g[1], f[1], 0, 0, "along");
    test_near(TC_C(-0.8), f[2], 2 * TC_EPSILON, 0, "beyond");
    code[1] = 2;
    TEST_ASSERT_EQUAL_INT(TC_NOTE_RANGE, tc_sdf_eval(&shape, inside, &d, g, work, TC_COUNT(work)));
    code[1] = TC_C(-0.2);
}

static void test_learned_shape_names_each_fault(void)
{
    static const tc_real zero[3] = {0, 0, 0};
    volatile tc_real nothing = 0;
    tc_sdf_net_data data = make_data();
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_net, &data), none = TC_SDF_DATA(tc_sdf_net, NULL);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_check(&none));
    data.net_ref = NULL;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_check(&shape));
    data.net_ref = &net;
    data.code_ref = NULL;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_check(&shape));
    data.code_ref = code;
    data.codes = 1;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_sdf_check(&shape));
    data.codes = TC_SDF_NET_CODES + 1u;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_sdf_check(&shape));
    data.codes = CODES;
    data.stored.error = -1;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SHAPE, tc_sdf_check(&shape));
    data.stored.error = nothing / nothing;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_sdf_check(&shape));
    data.stored.error = 0;
    code[0] = nothing / nothing;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_sdf_check(&shape));
    tc_real d = 1, g[3] = {1, 1, 1}, p[3] = {nothing / nothing, 0, 0};
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE,
                          tc_sdf_eval(&shape, zero, &d, g, work, TC_COUNT(work)));
    TEST_ASSERT_TRUE(d == 0 && g[0] == 0);
    code[0] = TC_C(0.3);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_sdf_eval(&shape, p, &d, g, work, TC_COUNT(work)));
    p[0] = TC_C(2e6);
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tc_sdf_eval(&shape, p, &d, g, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_WORK, tc_sdf_eval(&shape, zero, &d, g, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_WORK, tc_sdf_eval(&shape, zero, &d, g, work, TC_COUNT(work) - 1u));
    net.head = TC_NET_HEAD_SOFTMAX;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, tc_sdf_check(&shape));
}

void suite_sdf_net(void)
{
    RUN_TEST(test_learned_shape_is_its_net);
    RUN_TEST(test_learned_shape_outside_its_range);
    RUN_TEST(test_learned_shape_names_each_fault);
}
