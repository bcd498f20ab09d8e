/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_vec.h against double: every floor above computes with these few functions, and sees their faults only as slightly
 * wrong motion.
 *
 * Tolerances: 4 TC_EPSILON of the sum of the terms' magnitudes for sums of three products; 8 TC_EPSILON for what is of
 * unit length; 16 TC_EPSILON for a turn, which has a sine, a cosine and a square root.
 */
#include "test.h"

#include "tc_vec.h"

#include <math.h>

/* ---- Numbers ----------------------------------------------------------------------------------- */

/* Catches: an order of operands that lets a NaN win, or lose, where the comment says otherwise. */
static void test_magnitudes_and_maxima(void)
{
    static const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 1e-30f, -3e38f, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < TC_COUNT(values); ++i) {
        const tc_real x = (tc_real)values[i];
        TEST_ASSERT_TRUE(tc_vec_magnitude(x) == (x < 0 ? -x : x));
        TEST_ASSERT_FALSE(signbit(tc_vec_magnitude(x)));
        TEST_ASSERT_TRUE(tc_vec_not_negative(x) == (x < 0 ? TC_C(0.0) : x));
        TEST_ASSERT_TRUE(tc_vec_max((tc_real)NAN, x) == x);
        TEST_ASSERT_TRUE(isnan(tc_vec_max(x, (tc_real)NAN)));
        for (uint32_t j = 0; j < TC_COUNT(values); ++j) {
            const tc_real y = (tc_real)values[j], larger = tc_vec_max(x, y);
            TEST_ASSERT_TRUE(larger >= x && larger >= y && (larger == x || larger == y));
        }
    }
    TEST_ASSERT_TRUE(isnan(tc_vec_magnitude((tc_real)NAN)));
    TEST_ASSERT_TRUE(tc_vec_not_negative((tc_real)NAN) == TC_C(0.0));
}

/* ---- Vectors ----------------------------------------------------------------------------------- */

static void near_sum(double expected, double size, tc_real actual, const char *what)
{
    test_near((tc_real)expected, actual, (tc_real)(4.0 * (double)TC_EPSILON * size), 0, what);
}

/* Lengths over many decades: catches a component taken twice, which small or equal numbers may hide. */
static void test_products(void)
{
    test_seed(411);
    for (uint32_t round = 0; round < TEST_ROUNDS(400u); ++round) {
        tc_real a[3], b[3], c[3], back[3];
        for (uint32_t k = 0; k < 3u; ++k) {
            a[k] = test_log_uniform(1e-3, 1e3) * (test_below(2) ? TC_C(1.0) : TC_C(-1.0));
            b[k] = test_log_uniform(1e-3, 1e3) * (test_below(2) ? TC_C(1.0) : TC_C(-1.0));
        }
        double sum = 0, size = 0;
        for (uint32_t k = 0; k < 3u; ++k) {
            sum += (double)a[k] * (double)b[k];
            size += fabs((double)a[k] * (double)b[k]);
        }
        near_sum(sum, size, tc_vec_dot3(a, b), "dot");
        tc_vec_cross(a, b, c);
        tc_vec_cross(b, a, back);
        for (uint32_t k = 0; k < 3u; ++k) {
            const uint32_t x = (k + 1u) % 3u, y = (k + 2u) % 3u;
            const double plus = (double)a[x] * (double)b[y], minus = (double)a[y] * (double)b[x];
            near_sum(plus - minus, fabs(plus) + fabs(minus), c[k], "cross");
            near_sum(-(double)c[k], fabs(plus) + fabs(minus), back[k], "turned round");
        }
    }
}

/* Each slot of each length, with each number that is none. */
static void test_zero_sees_every_slot(void)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    tc_real x[7];
    for (uint32_t n = 1; n <= 7u; ++n) {
        test_fill(x, 7, TC_C(-9.0), TC_C(9.0));
        TEST_ASSERT_TRUE(tc_vec_zero(x, n) == TC_C(0.0));
        for (uint32_t slot = 0; slot < 7u; ++slot) {
            for (uint32_t kind = 0; kind < TC_COUNT(bad); ++kind) {
                const tc_real kept = x[slot];
                x[slot] = (tc_real)bad[kind];
                TEST_ASSERT_EQUAL(slot < n,
                                  isnan(tc_vec_zero(x, n)) != 0); /* beyond n nothing is read */
                x[slot] = kept;
            }
        }
    }
}

static void test_zeroed(void)
{
    for (uint32_t n = 0; n <= 6u; ++n) {
        tc_real x[7] = {1, 2, 3, 4, 5, 6, 7};
        TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_vec_zeroed(TC_ERR_UNIT, x, n));
        for (uint32_t k = 0; k < 7u; ++k) {
            TEST_ASSERT_TRUE(x[k] == (k < n ? TC_C(0.0) : (tc_real)(k + 1u)));
        }
    }
}

/* The square of the length against 1, with the tolerance from both sides, in each direction. */
static void test_units_have_a_border(void)
{
    test_seed(412);
    for (uint32_t n = 2; n <= 4u; ++n) {
        for (uint32_t round = 0; round < TEST_ROUNDS(100u); ++round) {
            tc_real x[4];
            double square = 0;
            test_fill(x, n, TC_C(-1.0), TC_C(1.0));
            for (uint32_t k = 0; k < n; ++k) {
                square += (double)x[k] * (double)x[k];
            }
            for (int side = -1; side <= 1; side += 2) {
                for (int outside = 0; outside <= 1; ++outside) {
                    const double part = outside ? 1.02 : 0.98,
                                 wanted = 1.0 + part * side * (double)TC_UNIT_TOLERANCE;
                    tc_real scaled[4];
                    for (uint32_t k = 0; k < n; ++k) {
                        scaled[k] = (tc_real)((double)x[k] * sqrt(wanted / square));
                    }
                    TEST_ASSERT_EQUAL(!outside, tc_vec_is_unit(scaled, n));
                    scaled[test_below(n)] = (tc_real)NAN;
                    TEST_ASSERT_FALSE(tc_vec_is_unit(scaled, n));
                }
            }
        }
    }
}

/* ---- Quaternions -------------------------------------------------------------------------------- */

static void random_unit(tc_real *x, uint32_t n)
{
    double square = 0;
    test_fill(x, n, TC_C(-1.0), TC_C(1.0));
    for (uint32_t k = 0; k < n; ++k) {
        square += (double)x[k] * (double)x[k];
    }
    for (uint32_t k = 0; k < n; ++k) {
        x[k] = (tc_real)((double)x[k] / sqrt(square));
    }
}

/* c = a b, by the table of i, j and k */
static void multiply(const double a[4], const double b[4], double c[4])
{
    static const uint8_t place[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const int8_t sign[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, 1, -1, -1}};
    memset(c, 0, 4 * sizeof *c);
    for (uint32_t i = 0; i < 4u; ++i) {
        for (uint32_t j = 0; j < 4u; ++j) {
            c[place[i][j]] += sign[i][j] * a[i] * b[j];
        }
    }
}

/* Column k of the matrix is q e_k q*, of a unit e_k. */
static void test_rotation_is_the_sandwich(void)
{
    test_seed(413);
    for (uint32_t round = 0; round < TEST_ROUNDS(200u); ++round) {
        tc_real q[4], R[9];
        random_unit(q, 4);
        tc_vec_rotation(q, R);
        for (uint32_t k = 0; k < 3u; ++k) {
            const double wide[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
            const double conjugate[4] = {wide[0], -wide[1], -wide[2], -wide[3]};
            double unit[4] = {0}, half[4], turned[4];
            unit[1u + k] = 1.0;
            multiply(wide, unit, half);
            multiply(half, conjugate, turned);
            for (uint32_t i = 0; i < 3u; ++i) {
                test_near((tc_real)turned[1u + i], R[3u * i + k], 8 * TC_EPSILON, 0, "rotation");
            }
        }
    }
}

/* Both branches of the half turn, and its border, where they have to meet. */
static void test_half_turn(void)
{
    test_seed(414);
    for (uint32_t round = 0; round < TEST_ROUNDS(600u); ++round) {
        const tc_real square = round % 3u == 0u
                                   ? TC_TURN_SERIES * test_uniform(TC_C(0.99), TC_C(1.01))
                                   : test_log_uniform(1e-8, 60.0);
        const double b = sqrt((double)square);
        tc_real cosine, sinc;
        tc_vec_half_turn(square, &cosine, &sinc);
        test_near((tc_real)cos(b), cosine, (tc_real)(4.0 + b) * TC_EPSILON, 0, "cosine");
        test_near((tc_real)(sin(b) / b), sinc, (tc_real)(4.0 + b) * TC_EPSILON, 0, "sinc");
    }
    tc_real cosine, sinc;
    tc_vec_half_turn(TC_C(0.0), &cosine, &sinc);
    TEST_ASSERT_TRUE(cosine == TC_C(1.0) && sinc == TC_C(1.0));
}

/* exp(h omega) q in double, left of q: catches the product's other order, and half of the angle. */
static void test_turns(void)
{
    test_seed(415);
    for (uint32_t round = 0; round < TEST_ROUNDS(300u); ++round) {
        tc_real q[4], start[4], omega[3], axis[3];
        double turn[4], expected[4];
        const tc_real h = test_log_uniform(1e-4, 1e-1);
        const double angle = (double)test_log_uniform(1e-6, 3.0);
        random_unit(start, 4);
        random_unit(axis, 3);
        turn[0] = cos(0.5 * angle);
        for (uint32_t k = 0; k < 3u; ++k) {
            omega[k] = (tc_real)((double)axis[k] * angle / (double)h);
            turn[1u + k] = (double)axis[k] * sin(0.5 * angle);
        }
        const double wide[4] = {(double)start[0], (double)start[1], (double)start[2],
                                (double)start[3]};
        multiply(turn, wide, expected);
        memcpy(q, start, sizeof q);
        tc_vec_quaternion_turn(h, omega, q);
        double length = 0;
        for (uint32_t k = 0; k < 4u; ++k) {
            test_near((tc_real)expected[k], q[k], 16 * TC_EPSILON, 0, "turned");
            length += (double)q[k] * (double)q[k];
        }
        test_near(TC_C(1.0), (tc_real)length, 8 * TC_EPSILON, 0, "length");
        tc_vec_quaternion_turn(-h, omega, q); /* and back */
        for (uint32_t k = 0; k < 4u; ++k) {
            test_near(start[k], q[k], 16 * TC_EPSILON, 0, "turned back");
        }
    }
}

/* Any length becomes one, in the same direction. */
static void test_lengths_become_one(void)
{
    test_seed(416);
    for (uint32_t round = 0; round < TEST_ROUNDS(200u); ++round) {
        tc_real unit[4], scaled[4], q[4];
        const tc_real by = test_log_uniform(1e-6, 1e6);
        random_unit(unit, 4);
        for (uint32_t k = 0; k < 4u; ++k) {
            scaled[k] = by * unit[k];
        }
        tc_vec_quaternion_set(scaled, q);
        for (uint32_t k = 0; k < 4u; ++k) {
            test_near(unit[k], q[k], 8 * TC_EPSILON, 0, "direction");
        }
    }
}

void suite_vec(void)
{
    RUN_TEST(test_magnitudes_and_maxima);
    RUN_TEST(test_products);
    RUN_TEST(test_zero_sees_every_slot);
    RUN_TEST(test_zeroed);
    RUN_TEST(test_units_have_a_border);
    RUN_TEST(test_rotation_is_the_sandwich);
    RUN_TEST(test_half_turn);
    RUN_TEST(test_turns);
    RUN_TEST(test_lengths_become_one);
}
