/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The momentum observer against its definition, on masses whose motion is known.
 *
 * Tolerances: a rate is a difference of positions over 1 ms, so rounding of q (6e-8 of 1 m in
 * float) is 6e-5 m/s in it and, differenced again, 0.06 m/s^2 in an acceleration; cases are made of
 * rates instead where that would hide an error.
 */
#include "test.h"

#include "tc_momentum.h"

#include <math.h>

#define N TC_MOMENTUM_JOINTS
#define ROWS TC_MOMENTUM_ROWS

static tc_momentum m;
static tc_momentum_info info;
static tc_real q[N], qd[N], M[N * N], bias[N], torque[N], J[ROWS * N];
static tc_momentum_tick tick = {q, qd, M, bias, torque, J, 1, 0};

static tc_momentum_config quick(void)
{
    tc_momentum_config config = tc_momentum_default();
    config.rate_filter = config.gain = TC_C(1e6); /* e^-1000 is 0: no memory beyond a tick */
    return config;
}

static void start(const tc_momentum_config *config, uint32_t joints)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_momentum_init(&m, config, joints));
}

static void update(tc_status expected)
{
    TEST_ASSERT_EQUAL(expected, tc_momentum_update(&m, &tick, &info));
}

/* A positive definite matrix, a bias, torques and rates at random. */
static void random_mechanism(uint32_t n, uint32_t rows)
{
    tc_real A[N * N];
    test_fill(A, n * n, TC_C(-1.0), TC_C(1.0));
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            M[i * n + j] = i == j ? TC_C(1.0) : TC_C(0.0);
            for (uint32_t k = 0; k < n; ++k) {
                M[i * n + j] += A[i * n + k] * A[j * n + k];
            }
        }
    }
    test_fill(bias, n, TC_C(-5.0), TC_C(5.0));
    test_fill(q, n, TC_C(-1.0), TC_C(1.0));
    test_fill(qd, n, TC_C(-1.0), TC_C(1.0));
    test_fill(J, rows * n, TC_C(-1.0), TC_C(1.0));
    tick.rows = rows;
    tick.lost = 0;
}

/* torque so that J^T F is what is missing, when qd goes to `next` in one step */
static void explain(uint32_t n, const tc_real *next, const tc_real *F)
{
    for (uint32_t i = 0; i < n; ++i) {
        torque[i] = bias[i];
        for (uint32_t j = 0; j < n; ++j) {
            torque[i] += M[i * n + j] * (next[j] - qd[j]) / m.config.step;
        }
        for (uint32_t k = 0; k < tick.rows; ++k) {
            torque[i] -= J[k * n + i] * F[k];
        }
    }
}

/* 2 kg pushed with 10 N from rest: the residual comes up as 1 - e^-Kt. */
static void test_a_push_comes_up_as_the_filter_says(void)
{
    tc_momentum_config config = quick();
    config.gain = TC_C(100.0);
    start(&config, 1);
    M[0] = TC_C(2.0);
    J[0] = TC_C(1.0);
    bias[0] = torque[0] = TC_C(0.0);
    tick.rows = 1;
    tick.lost = 0;
    for (uint32_t k = 0; k < 40; ++k) {
        q[0] = TC_C(0.0);
        qd[0] = k < 2u ? TC_C(0.0) : TC_C(5e-3) * (tc_real)(k - 1u);
        update(TC_OK);
        const tc_real risen =
            k < 2u ? TC_C(0.0) : TC_C(10.0) * (TC_C(1.0) - tc_exp(TC_C(-0.1) * (tc_real)(k - 1u)));
        test_near(risen, info.force[0], TC_C(2e-5), 0, "force");
        test_near(info.torque[0], info.force[0], TC_C(1e-6), 0, "torque");
    }
}

static void test_rates_are_filtered_differences(void)
{
    tc_momentum_config config = tc_momentum_default();
    config.rate_filter = TC_C(500.0);
    start(&config, 1);
    M[0] = J[0] = TC_C(1.0);
    tick.rows = 1;
    const tc_real part = TC_C(1.0) - tc_exp(TC_C(-0.5)), slow = TC_C(1.0) - tc_exp(TC_C(-1.5));
    const tc_real at[5] = {TC_C(0.1), TC_C(0.102), TC_C(0.103), TC_C(0.106), TC_C(0.106)};
    tc_real expected = TC_C(0.0);
    for (uint32_t k = 0; k < 5; ++k) {
        tick.lost = k == 3u ? 2u : 0u;
        q[0] = at[k];
        TEST_ASSERT_EQUAL(TC_OK, tc_momentum_rates(&m, q, tick.lost, qd));
        const tc_real rate =
            k == 0u ? TC_C(0.0) : (at[k] - at[k - 1u]) / (TC_C(1e-3) * (tc_real)(tick.lost + 1u));
        expected = k < 2u ? rate : expected + (k == 3u ? slow : part) * (rate - expected);
        test_near(expected, qd[0], TC_C(1e-5), TC_C(1e-5), "rate");
        update(TC_OK);
    }
}

static void test_force_explains_what_is_missing(void)
{
    const tc_momentum_config config = quick();
    test_seed(31);
    for (int round = 0; round < 200; ++round) {
        const uint32_t n = 1u + test_below(N), rows = 1u + test_below(n < ROWS ? n : ROWS);
        tc_real F[ROWS], next[N];
        start(&config, n);
        random_mechanism(n, rows);
        update(TC_OK);
        update(TC_OK);
        test_fill(F, rows, TC_C(-100.0), TC_C(100.0));
        test_fill(next, n, TC_C(-1.0), TC_C(1.0));
        explain(n, next, F);
        memcpy(qd, next, sizeof next);
        TEST_ASSERT_TRUE(tc_momentum_update(&m, &tick, &info) >= 0);
        /* Rows nearly parallel leave F open; what it does to the joints is not. Torques are up to
         * 1e4. */
        for (uint32_t i = 0; i < n; ++i) {
            tc_real missing = TC_C(0.0), found = TC_C(0.0);
            for (uint32_t k = 0; k < rows; ++k) {
                missing += J[k * n + i] * F[k];
                found += J[k * n + i] * info.force[k];
            }
            test_near(missing, info.torque[i], TC_C(0.02), 0, "torque");
            test_near(missing, found, TC_C(0.2), 0, "torque of the force");
        }
    }
}

/* More rows than joints: one force of many, and it says so. */
static void test_rank(void)
{
    const tc_momentum_config config = quick();
    start(&config, 1);
    M[0] = TC_C(2.0);
    J[0] = TC_C(0.5);
    J[1] = TC_C(-1.0);
    q[0] = qd[0] = bias[0] = TC_C(0.0);
    torque[0] = TC_C(-3.0);
    tick.rows = 2;
    tick.lost = 0;
    for (int k = 0; k < 3; ++k) {
        update(TC_NOTE_RANK);
    }
    test_near(TC_C(3.0), info.torque[0], TC_C(1e-6), 0, "torque");
    test_near(TC_C(3.0), J[0] * info.force[0] + J[1] * info.force[1], TC_C(1e-5), 0, "force");
}

/* Contact at the second tick above 20 N, off at the third below 5 N; between the two it stays what
 * it was. */
static void test_hysteresis_and_debounce(void)
{
    static const tc_real push[16] = {30, 10, 30, 30, 10, 6, 4, 4, 10, 4, 4, 4, 10, 30, 10, 30};
    static const uint32_t touches[16] = {0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0};
    tc_momentum_config config = quick();
    config.on = TC_C(20.0);
    config.off = TC_C(5.0);
    config.debounce_on = 2;
    config.debounce_off = 3;
    start(&config, 1);
    M[0] = J[0] = TC_C(1.0);
    q[0] = qd[0] = bias[0] = torque[0] = TC_C(0.0);
    tick.rows = 1;
    update(TC_OK);
    update(TC_OK);
    for (uint32_t k = 0; k < 16; ++k) {
        torque[0] = -push[k];
        update(TC_OK);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(touches[k], info.contact, "contact");
    }
}

static void expect_refused(tc_status expected)
{
    static const tc_momentum_info zero;
    const tc_momentum before = m;
    memset(&info, 0x55, sizeof info);
    update(expected);
    TEST_ASSERT_EQUAL_MEMORY(&before, &m, sizeof m);
    TEST_ASSERT_EQUAL_MEMORY(&zero, &info, sizeof info);
}

static void test_bad_inputs_change_nothing(void)
{
    const tc_momentum_config config = tc_momentum_default();
    const tc_real nan = (tc_real)NAN;
    tc_real *const slots[6] = {q, qd, M, bias, torque, J};
    test_seed(32);
    random_mechanism(3, 2);
    start(&config, 3);
    update(TC_OK);
    for (uint32_t k = 0; k < 6; ++k) {
        tc_real *last = slots[k] + (k == 2u ? 8u : k == 5u ? 5u : 2u);
        const tc_real kept = *last;
        *last = nan;
        expect_refused(TC_ERR_NOT_FINITE);
        *last = kept;
    }
    tick.rows = 0;
    expect_refused(TC_ERR_SIZE);
    tick.rows = ROWS + 1u;
    expect_refused(TC_ERR_SIZE);
    tick.rows = 2;
    M[4] = -M[4];
    expect_refused(TC_ERR_INDEFINITE);
    M[4] = -M[4];
    tick.J = NULL;
    expect_refused(TC_ERR_NULL);
    tick.J = J;
    bias[1] = TC_C(3e38);
    torque[1] = TC_C(-3e38);
    update(TC_OK); /* the second tick has no residual yet */
#ifndef TC_DOUBLE
    expect_refused(TC_ERR_RANGE);
#endif
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_momentum_update(NULL, &tick, &info));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_momentum_update(&m, NULL, &info));
    q[1] = nan;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_momentum_rates(&m, q, 0, qd));
    TEST_ASSERT_TRUE(qd[1] == TC_C(0.0));
}

/* Each pointer and each number of a tick and of a configuration. Catches: one that is not looked
 * at. */
static void test_each_input_counts(void)
{
    const tc_momentum_config config = tc_momentum_default();
    const tc_real **const pointers[6] = {&tick.q,    &tick.qd,     &tick.M,
                                         &tick.bias, &tick.torque, &tick.J};
    const uint32_t sizes[6] = {3, 3, 9, 3, 3, 6};
    tc_real *const slots[6] = {q, qd, M, bias, torque, J};
    test_seed(34);
    random_mechanism(3, 2);
    start(&config, 3);
    update(TC_OK);
    for (uint32_t k = 0; k < 6; ++k) {
        const tc_real *const kept = *pointers[k];
        *pointers[k] = NULL;
        expect_refused(TC_ERR_NULL);
        *pointers[k] = kept;
        for (uint32_t i = 0; i < sizes[k]; ++i) {
            const tc_real good = slots[k][i];
            slots[k][i] = i % 2u ? (tc_real)NAN : (tc_real)INFINITY;
            expect_refused(TC_ERR_NOT_FINITE);
            slots[k][i] = good;
        }
        /* Behind the last one, which CMSIS-DSP with Helium reads and multiplies by zero. */
        slots[k][sizes[k]] = TEST_EXACT ? (tc_real)NAN : TC_C(1.0);
        update(TC_OK);
        slots[k][sizes[k]] = TC_C(0.0);
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_momentum_update(&m, &tick, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_momentum_rates(NULL, q, 0, qd));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_momentum_rates(&m, q, 0, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_momentum_rates(&m, NULL, 0, qd));
    TEST_ASSERT_TRUE(qd[0] == TC_C(0.0) && qd[1] == TC_C(0.0) && qd[2] == TC_C(0.0));
}

/* A reading that is none at the first call, whose rates are 0; rates that overflow between readings
 * that do not. */
static void test_rates_that_are_none(void)
{
    const tc_momentum_config config = tc_momentum_default();
    tc_real now[2] = {TC_C(0.0), (tc_real)NAN}, rates[2] = {TC_C(1.0), TC_C(1.0)};
    start(&config, 2);
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_momentum_rates(&m, now, 0, rates));
    TEST_ASSERT_TRUE(rates[0] == TC_C(0.0) && rates[1] == TC_C(0.0));
    m.ticks = 1;
    now[1] = sizeof(tc_real) == sizeof(float) ? TC_C(3e38) : (tc_real)(1e154 * 1e154);
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_momentum_rates(&m, now, 0, rates));
    TEST_ASSERT_TRUE(rates[0] == TC_C(0.0) && rates[1] == TC_C(0.0));
}

static void test_configurations_up_to_their_borders(void)
{
    const tc_momentum_config good = tc_momentum_default();
    tc_momentum_config c;
    TEST_ASSERT_TRUE(good.step == TC_C(1e-3) && good.rate_filter == TC_C(800.0)
                     && good.gain == TC_C(700.0));
    TEST_ASSERT_TRUE(good.on == TC_C(12.0) && good.off == TC_C(8.4) && good.debounce_on == 1u
                     && good.debounce_off == 1u);
    const struct {
        tc_real *number, low, high, below, above;
    } all[5] = {{&c.step, TC_C(1e-5), TC_C(0.1), TC_C(0.99e-5), TC_C(0.101)},
                {&c.rate_filter, TC_C(1e-6), TC_C(1e6), TC_C(0.0), TC_C(1.001e6)},
                {&c.gain, TC_C(1e-6), TC_C(1e6), TC_C(0.0), TC_C(1.001e6)},
                {&c.on, good.off, TC_C(1e9), good.off - TC_C(0.001), TC_C(1.001e9)},
                {&c.off, TC_C(-1e9), good.on, TC_C(-1.001e9), good.on + TC_C(0.001)}};
    for (uint32_t i = 0; i < 5u; ++i) {
        const tc_real values[5] = {all[i].low, all[i].high, all[i].below, all[i].above,
                                   (tc_real)NAN};
        for (uint32_t k = 0; k < 5u; ++k) {
            c = good;
            *all[i].number = values[k];
            TEST_ASSERT_EQUAL(k < 2u ? TC_OK : TC_ERR_RANGE, tc_momentum_init(&m, &c, 2));
        }
    }
}

/* From one joint to all of them, and no further. */
static void test_rates_of_any_number_of_joints(void)
{
    static const tc_real still[TC_MOMENTUM_JOINTS] = {0};
    tc_real rates[TC_MOMENTUM_JOINTS];
    tc_momentum other = m;
    for (uint32_t n = 0; n <= TC_MOMENTUM_JOINTS + 1u; ++n) {
        other.joints = n;
        const int fits = n >= 1u && n <= TC_MOMENTUM_JOINTS;
        TEST_ASSERT_EQUAL(fits ? TC_OK : TC_ERR_SIZE, tc_momentum_rates(&other, still, 0, rates));
    }
}

static void test_bad_configurations(void)
{
    const tc_momentum_config good = tc_momentum_default();
    tc_momentum_config bad[7] = {good, good, good, good, good, good, good};
    bad[0].step = TC_C(0.0);
    bad[1].rate_filter = TC_C(-1.0);
    bad[2].gain = TC_C(0.0);
    bad[3].off = good.on + TC_C(1.0);
    bad[4].debounce_on = 0;
    bad[5].debounce_off = 0;
    bad[6].gain = (tc_real)NAN;
    for (uint32_t k = 0; k < 7; ++k) {
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_momentum_init(&m, &bad[k], 2));
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_momentum_update(&m, &tick, &info));
    }
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_momentum_init(&m, &good, 0));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_momentum_init(&m, &good, N + 1u));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_momentum_init(&m, NULL, 2));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_momentum_init(NULL, &good, 2));
}

static void test_same_bits_everywhere(void)
{
    const tc_momentum_config config = tc_momentum_default();
    uint32_t hash = TEST_HASH_START;
    test_seed(33);
    random_mechanism(3, 2);
    start(&config, 3);
    for (int k = 0; k < 50; ++k) {
        test_fill(torque, 3, TC_C(-5.0), TC_C(5.0));
        test_fill(q, 3, TC_C(-0.01), TC_C(0.01));
        TEST_ASSERT_EQUAL(TC_OK, tc_momentum_rates(&m, q, 0, qd));
        update(TC_OK);
        hash = test_hash(test_hash(hash, info.torque, 3), info.force, 2);
    }
    test_golden("momentum", hash);
}

void suite_momentum(void)
{
    RUN_TEST(test_a_push_comes_up_as_the_filter_says);
    RUN_TEST(test_rates_are_filtered_differences);
    RUN_TEST(test_force_explains_what_is_missing);
    RUN_TEST(test_rank);
    RUN_TEST(test_hysteresis_and_debounce);
    RUN_TEST(test_bad_inputs_change_nothing);
    RUN_TEST(test_each_input_counts);
    RUN_TEST(test_rates_that_are_none);
    RUN_TEST(test_configurations_up_to_their_borders);
    RUN_TEST(test_rates_of_any_number_of_joints);
    RUN_TEST(test_bad_configurations);
    RUN_TEST(test_same_bits_everywhere);
}
