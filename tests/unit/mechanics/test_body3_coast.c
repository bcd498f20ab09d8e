/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Free turning (tc_body3_coast): world momentum, energy, accuracy, the flip about the middle axis.
 *
 * Everything is judged in double: momentum and energy from the states, the way from Euler's
 * equations by Runge-Kutta of order four at a tenth of the step or less, which the library does not
 * use.
 */
#include "test_rigid.h"

#include <math.h>

#ifdef TC_DOUBLE
#define WANDER 1e-11
#else
#define WANDER 1e-4f
#endif

#ifdef __arm__
#define SECONDS 0.2
#define BODIES 3
#define STEPS_FROM 2 /* of the table of steps */
#else
#define SECONDS 10.0
#define BODIES 15
#define STEPS_FROM 0
#endif

/* ---- In double ------------------------------------------------------------------------------- */

static void turn_double(const double *q, const double *v, double *out)
{
    const double *const u = q + 1;
    double t[3], s[3];
    for (int i = 0; i < 3; ++i) {
        t[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    }
    for (int i = 0; i < 3; ++i) {
        s[i] = u[(i + 1) % 3] * t[(i + 2) % 3] - u[(i + 2) % 3] * t[(i + 1) % 3];
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = v[i] + 2 * (q[0] * t[i] + s[i]);
    }
}

/* q of unit length in double, and omega in body axes */
static void in_body(const tc_body3_state *state, double q[4], double omega[3])
{
    double length = 0, back[4], world[3];
    for (int i = 0; i < 4; ++i) {
        q[i] = (double)state->orientation[i];
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i) {
        q[i] /= sqrt(length);
        back[i] = i ? -q[i] : q[i];
    }
    for (int i = 0; i < 3; ++i) {
        world[i] = (double)state->velocity[3 + i];
    }
    turn_double(back, world, omega);
}

/* World angular momentum; returns the energy of turning */
static double momentum_of(const tc_body3 *body, const tc_body3_state *state, double momentum[3])
{
    double q[4], omega[3], energy = 0;
    in_body(state, q, omega);
    for (int i = 0; i < 3; ++i) {
        const double I = (double)body->inertia[i];
        energy += 0.5 * I * omega[i] * omega[i];
        omega[i] *= I;
    }
    turn_double(q, omega, momentum);
    return energy;
}

/* x = (q, omega in body axes); d = dx/dt */
static void euler(const tc_body3 *body, const double x[7], double d[7])
{
    const double *const q = x, *const w = x + 4;
    d[0] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double I = (double)body->inertia[i];
        d[1 + i] = 0.5 * (q[0] * w[i] + q[1 + j] * w[k] - q[1 + k] * w[j]);
        d[4 + i] = ((double)body->inertia[j] - (double)body->inertia[k]) / I * w[j] * w[k];
    }
}

static void runge_kutta(const tc_body3 *body, double x[7], double h)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double d[7] = {0}, y[7], sum[7] = {0};
    for (int stage = 0; stage < 4; ++stage) {
        for (int i = 0; i < 7; ++i) {
            y[i] = x[i] + at[stage] * h * d[i];
        }
        euler(body, y, d);
        for (int i = 0; i < 7; ++i) {
            sum[i] += weight[stage] * d[i];
        }
    }
    for (int i = 0; i < 7; ++i) {
        x[i] += h / 6 * sum[i];
    }
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* Boxes, plates, rods, needles: a box of any three sides, the second and third down to a
 * hundredth */
static tc_body3 random_box(void)
{
    double side[3], sum = 0;
    tc_body3 body = {TC_C(1.0), {0}};
    for (int i = 0; i < 3; ++i) {
        side[i] = (double)(i == 0 ? TC_C(1.0) : tc_exp(test_uniform(TC_C(-4.6), TC_C(0.0))));
        side[i] *= side[i];
        sum += side[i];
    }
    for (int i = 0; i < 3; ++i) {
        body.inertia[i] = (tc_real)((sum - side[i]) / 12);
    }
    return body;
}

static tc_body3_state random_spin(tc_real least, tc_real most)
{
    tc_body3_state state;
    memset(&state, 0, sizeof state);
    random_quaternion(state.orientation);
    tc_real spin[3];
    for (int i = 0; i < 3; ++i) {
        spin[i] = test_uniform(least, most) * (test_below(2) ? TC_C(1.0) : TC_C(-1.0));
    }
    turn(state.orientation, spin, state.velocity + 3); /* per axis of the body */
    return state;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* 10 s at 20 to 50 rad/s per axis. The momentum may wander as a sum of roundings does, and so may
 * the energy within the header's bound. Catches: an explicit gyroscopic term, which doubles the
 * energy in a second; a rotation matrix and its transpose taken for inverse to each other in each
 * step, 5e-3 after 10 s. */
static void test_keeps_momentum_and_energy(void)
{
    static const double steps[4] = {0.00025, 0.001, 0.002, 0.005},
                        bound[4] = {1e-4, 1e-4, 1e-4, 2e-3};
    test_seed(420);
    for (int try = 0; try < BODIES; ++try) {
        for (int k = STEPS_FROM; k < 4; ++k) {
            const tc_body3 body = random_box();
            tc_body3_state state = random_spin(TC_C(20.0), TC_C(50.0));
            double before[3], after[3], size = 0, off = 0, worst = 0;
            const double energy = momentum_of(&body, &state, before);
            const uint32_t count = (uint32_t)(SECONDS / steps[k]);
            for (uint32_t i = 0; i < count; ++i) {
                TEST_ASSERT_EQUAL(TC_OK, tc_body3_coast(&body, (tc_real)steps[k], &state));
                worst = fmax(worst, fabs(momentum_of(&body, &state, after) / energy - 1));
            }
            for (int i = 0; i < 3; ++i) {
                size += before[i] * before[i];
                off += (after[i] - before[i]) * (after[i] - before[i]);
            }
            test_near(0, (tc_real)sqrt(off / size), WANDER, 0, "momentum");
            test_near(0, (tc_real)worst, (tc_real)bound[k], 0, "energy");
        }
    }
}

/* How far the body's axes are from where they should be after 0.2 s */
static double error_after(const tc_body3 *body, tc_body3_state state, uint32_t count)
{
    double x[7], q[4], omega[3], error = 0;
    in_body(&state, x, x + 4);
    for (uint32_t i = 0; i < count; ++i) {
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_coast(body, (tc_real)(0.2 / count), &state));
    }
    for (uint32_t i = 0; i < 2000u; ++i) {
        runge_kutta(body, x, 1e-4);
    }
    in_body(&state, q, omega);
    const double sign = q[0] * x[0] + q[1] * x[1] + q[2] * x[2] + q[3] * x[3] < 0 ? -1 : 1;
    for (int i = 0; i < 4; ++i) {
        error = fmax(error, 2 * fabs(q[i] - sign * x[i]));
    }
    return error;
}

/* Of second order: a quarter of the error at half the step. Catches: a turn with the omega of the
 * step's beginning or end, which is of first order. */
static void test_is_of_second_order(void)
{
    double sums[2] = {0, 0};
    test_seed(421);
    for (int try = 0; try < BODIES; ++try) {
        const tc_body3 body = random_box();
        const tc_body3_state state = random_spin(TC_C(3.0), TC_C(10.0));
        sums[0] += error_after(&body, state, 50);
        sums[1] += error_after(&body, state, 100);
    }
    TEST_ASSERT_TRUE(sums[0] / BODIES < 2e-2);
    TEST_ASSERT_TRUE(sums[0] > 3.5 * sums[1] && sums[0] < 4.6 * sums[1]);
}

/* A body that spins about its middle axis turns over, again and again, when Euler's equations say
 * so. */
static void test_flip(void)
{
    const tc_body3 body = {1, {1, 2, 3}};
    tc_body3_state state = {{0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, TC_C(0.01), 10, 0}};
    double x[7], q[4], omega[3], told = 0, found = 0;
    in_body(&state, x, x + 4);
    for (uint32_t i = 1; i <= 1500u && (told == 0 || found == 0); ++i) {
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_coast(&body, TC_C(0.001), &state));
        runge_kutta(&body, x, 0.001);
        in_body(&state, q, omega);
        told = told == 0 && x[5] < 0 ? i : told;
        found = found == 0 && omega[1] < 0 ? i : found;
    }
    TEST_ASSERT_TRUE(told > 300 && fabs(found - told) <= 0.01 * told);
}

/* A ball, and a body that spins about a principal axis, keep turning, exactly h omega in a step. */
static void test_steady(void)
{
    const tc_body3 ball = {1, {2, 2, 2}}, box = {1, {1, 2, 3}};
    for (int axis = 0; axis < 6; ++axis) {
        tc_body3_state state = {{0, 0, 0}, {1, 0, 0, 0}, {0}}, moved;
        state.velocity[3 + axis % 3] = 5;
        state.velocity[3 + (axis + 1) % 3] = axis < 3 ? 0 : 3;
        const tc_real h = TC_C(0.0078125);
        moved = state;
        for (int step = 0; step < 10; ++step) {
            TEST_ASSERT_EQUAL(TC_OK, tc_body3_coast(axis < 3 ? &box : &ball, h, &state));
            TEST_ASSERT_EQUAL(TC_OK, tc_body3_move(h, &moved));
        }
        for (int i = 0; i < 3; ++i) {
            test_near(moved.velocity[3 + i], state.velocity[3 + i], 16 * TC_EPSILON, 0, "keeps on");
            test_near(moved.orientation[1 + i], state.orientation[1 + i],
                      32 * TC_EPSILON + TC_C(1e-11), 0, "turned");
        }
    }
}

/* Too fast for the step, and moments that no mass has: energy is not gained at any speed, and
 * momentum stands up to half a radian. Moments of 1 : 100 magnify the rounding of omega. */
static void test_beyond(void)
{
    test_seed(422);
    for (int try = 0; try < 80; ++try) {
        tc_body3 body = {1, {0}};
        tc_body3_state state = random_spin(TC_C(0.1), tc_exp(test_uniform(TC_C(0.0), TC_C(12.0))));
        double before[3], after[3], size = 0, speed = 0;
        test_fill(body.inertia, 3, TC_C(0.01), TC_C(1.0));
        const double energy = momentum_of(&body, &state, before);
        for (int i = 0; i < 3; ++i) {
            size = fmax(size, fabs(before[i]));
            speed = fmax(speed, fabs((double)state.velocity[3 + i]));
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_coast(&body, TC_C(0.005), &state));
        TEST_ASSERT_TRUE(momentum_of(&body, &state, after)
                         <= energy * (speed < 60 ? 1.1 : 1 + 400 * (double)TC_EPSILON));
        for (int i = 0; i < 3 && speed < 60; ++i) {
            test_near((tc_real)before[i], (tc_real)after[i], (tc_real)size * 400 * TC_EPSILON, 0,
                      "momentum");
        }
    }
}

static void test_refusals(void)
{
    const tc_body3 body = {1, {1, 2, 3}}, none = {1, {1, 0, 3}};
    const tc_body3_state good = {{0, 0, 0}, {1, 0, 0, 0}, {1, 2, 3, 4, 5, 6}};
    tc_body3_state state = good;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body3_coast(&body, 1, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body3_coast(NULL, 1, &state));
    TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_body3_coast(&none, 1, &state));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body3_coast(&body, rigid_infinity(), &state));
    TEST_ASSERT_EQUAL_MEMORY(&good, &state, sizeof good);
    for (uint32_t slot = 0; slot < sizeof good / sizeof(tc_real); ++slot) {
        tc_body3_state bad = good;
        ((tc_real *)(void *)&bad)[slot] = rigid_nan();
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body3_coast(&body, 1, &bad));
    }
    state.orientation[0] = TC_C(1.01);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_body3_coast(&body, 1, &state));
}

void suite_body3_coast(void)
{
    RUN_TEST(test_keeps_momentum_and_energy);
    RUN_TEST(test_is_of_second_order);
    RUN_TEST(test_flip);
    RUN_TEST(test_steady);
    RUN_TEST(test_beyond);
    RUN_TEST(test_refusals);
}
