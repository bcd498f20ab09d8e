/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A ball from touches: exact ones, noisy ones by the thousand, and what is none. Errors are judged by
 * quantiles over many balls, and intervals by how many hold the truth.
 */
#include "test.h"

#include "tc_touch.h"

#include <math.h>

#ifdef __arm__
#define BALLS 200u
#else
#define BALLS 400u
#endif
#define RADIUS 0.03
#define NOISE 0.0003
#define CAP 29.0 /* degrees */
#define PI 3.14159265358979323846

static tc_touch touch;
static tc_touch_ball ball;
static tc_touch_config config;
static double axis[3], centre[3], radius;
static double errors[BALLS], distances[BALLS];
static uint32_t held;

static double normal_draw(void)
{
    double sum = -6.0;
    for (uint32_t j = 0; j < 12u; ++j) {
        sum += (double)test_uniform(TC_C(0.0), TC_C(1.0));
    }
    return sum;
}

static void unit_draw(double x[3])
{
    double length;
    do {
        for (uint32_t i = 0; i < 3u; ++i) {
            x[i] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
        }
        length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    } while (length > 1.0 || length < 0.1);
    for (uint32_t i = 0; i < 3u; ++i) {
        x[i] /= length;
    }
}

/* Even on the cap about `axis` whose edge is `degrees` away: in z over the cap, turned there */
static void direction_draw(double degrees, double n[3])
{
    double x[3], y[3], length = 0.0;
    const double least = cos(degrees * PI / 180.0);
    const double z = least + (1.0 - least) * (double)test_uniform(TC_C(0.0), TC_C(1.0));
    const double angle = 2.0 * PI * (double)test_uniform(TC_C(0.0), TC_C(1.0));
    const uint32_t least_axis = fabs(axis[0]) < 0.5 ? 0u : 1u;
    for (uint32_t i = 0; i < 3u; ++i) {
        x[i] = (i == least_axis ? 1.0 : 0.0) - axis[least_axis] * axis[i];
        length += x[i] * x[i];
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        x[i] /= sqrt(length);
    }
    y[0] = axis[1] * x[2] - axis[2] * x[1];
    y[1] = axis[2] * x[0] - axis[0] * x[2];
    y[2] = axis[0] * x[1] - axis[1] * x[0];
    for (uint32_t i = 0; i < 3u; ++i) {
        n[i] = z * axis[i] + sqrt(1.0 - z * z) * (cos(angle) * x[i] + sin(angle) * y[i]);
    }
}

static void begin(double r)
{
    radius = r;
    unit_draw(axis);
    for (uint32_t i = 0; i < 3u; ++i) {
        centre[i] = r * 10.0 * (double)test_uniform(TC_C(-1.0), TC_C(1.0));
    }
    config = tc_touch_default((tc_real)(2.0 * r));
}

static tc_touch_outcome feel(const double n[3], double noise, double tilt)
{
    tc_touch_outcome outcome;
    tc_real p[3], normal[3];
    double tilted[3], length = 0.0;
    for (uint32_t i = 0; i < 3u; ++i) {
        p[i] = (tc_real)(centre[i] + radius * n[i] + noise * normal_draw());
        tilted[i] = n[i] + tilt * normal_draw();
        length += tilted[i] * tilted[i];
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        normal[i] = (tc_real)(tilted[i] / sqrt(length));
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_touch_add(&touch, p, tilt > 0.0 ? normal : NULL, &outcome));
    return outcome;
}

static void feel_cap(uint32_t n, double degrees, double noise, double tilt)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_touch_init(&touch, &config));
    for (uint32_t k = 0; k < n; ++k) {
        double out[3];
        direction_draw(degrees, out);
        (void)feel(out, noise, tilt);
    }
}

static void sort(double *x, uint32_t n)
{
    for (uint32_t i = 1; i < n; ++i) {
        for (uint32_t j = i; j > 0u && x[j - 1u] > x[j]; --j) {
            const double swap = x[j];
            x[j] = x[j - 1u];
            x[j - 1u] = swap;
        }
    }
}

/* Balls of 30 mm felt by n touches of a cap: sorted errors of radius and centre, intervals that hold
 * the truth, mean of (error / deviation)^2. */
static double judge(uint32_t balls, uint32_t n, double degrees, double noise, double tilt,
                    int known)
{
    double score = 0.0;
    held = 0;
    for (uint32_t k = 0; k < balls; ++k) {
        begin(RADIUS);
        config.noise = (tc_real)(known ? noise : 0.0);
        config.normal_noise = (tc_real)(tilt > 0.0 ? tilt : 0.05);
        feel_cap(n, degrees, noise, tilt);
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_read(&touch, &ball));
        double off = 0.0;
        for (uint32_t i = 0; i < 3u; ++i) {
            off += ((double)ball.centre[i] - centre[i]) * ((double)ball.centre[i] - centre[i]);
        }
        errors[k] = fabs((double)ball.radius - radius);
        distances[k] = sqrt(off);
        held += (double)ball.low <= radius && radius <= (double)ball.high;
        score += errors[k] * errors[k] / (double)ball.covariance[15] / balls;
    }
    sort(errors, balls);
    sort(distances, balls);
    return score;
}

static void check_held(uint32_t balls)
{
    const double share = (double)held / balls, slack = 3.0 * sqrt(0.05 * 0.95 / balls);
    TEST_ASSERT_TRUE(share >= 0.935 - slack && share <= 0.965 + slack);
}

/* ---- Tests -------------------------------------------------------------------------------------- */

static void test_exact_touches(void)
{
    test_seed(301);
    for (uint32_t k = 0; k < TEST_ROUNDS(100); ++k) {
        const double unit = k % 3u == 0u ? 1.0 : k % 3u == 1u ? 1e-3 : 1e3;
        begin(unit * (double)test_uniform(TC_C(0.5), TC_C(3.0)));
        config.tip = (tc_real)(0.1 * radius);
        feel_cap(5u + k % 30u, 120.0, 0.0, 0.0);
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_read(&touch, &ball));
        test_near((tc_real)(0.9 * radius), ball.radius, (tc_real)(3e-4 * radius), 0, "radius");
        for (uint32_t i = 0; i < 3u; ++i) {
            test_near((tc_real)centre[i], ball.centre[i], (tc_real)(3e-4 * radius), 0, "centre");
        }
        TEST_ASSERT_TRUE(ball.low <= (tc_real)(0.9001 * radius)
                         && ball.high >= (tc_real)(0.8999 * radius));
    }
}

/* The floor: 0.06 mm in the median for 100 touches over a hemisphere; intervals are honest. */
static void test_hemisphere(void)
{
    const uint32_t balls = TEST_ROUNDS(BALLS);
    test_seed(303);
    const double score = judge(balls, 100, 90.0, NOISE, 0.0, 0);
    TEST_ASSERT_TRUE(errors[balls / 2u] <= 0.06e-3 && distances[balls / 2u] <= 0.13e-3);
    TEST_ASSERT_TRUE(score > 0.7 && score < 1.4);
    check_held(balls);
    (void)judge(balls, 100, 90.0, NOISE, 0.0, 1);
    check_held(balls);
    (void)judge(balls, 12, 90.0, NOISE, 0.0, 0);
    check_held(balls);
    (void)judge(balls, 1000, 90.0, NOISE, 0.0, 0);
    check_held(balls);
}

static void test_small_cap(void)
{
    const uint32_t balls = TEST_ROUNDS(BALLS);
    test_seed(305);
    (void)judge(balls, 100, CAP, NOISE, 0.0, 0);
    TEST_ASSERT_TRUE(errors[balls / 2u] <= 1.3e-3);
    check_held(balls);
    (void)judge(balls, 100, CAP, NOISE, 3.0 * PI / 180.0, 0);
    TEST_ASSERT_TRUE(errors[balls / 2u] <= 0.4e-3);
    check_held(balls);
}

/* Noise of a fifteenth of the radius: the errors' mean is that of chance. Without corrections it is
 * 0.2 mm of 30, or more. */
static void test_no_bias(void)
{
    const uint32_t balls = TEST_ROUNDS(BALLS);
    for (uint32_t known = 0; known < 2u; ++known) {
        double sum = 0.0, squares = 0.0;
        test_seed(306);
        for (uint32_t k = 0; k < balls; ++k) {
            begin(RADIUS);
            config.noise = known ? TC_C(0.002) : TC_C(0.0);
            feel_cap(100, 120.0, 0.002, 0.0);
            TEST_ASSERT_EQUAL(TC_OK, tc_touch_read(&touch, &ball));
            sum += (double)ball.radius - radius;
            squares += ((double)ball.radius - radius) * ((double)ball.radius - radius);
        }
        TEST_ASSERT_TRUE(fabs(sum / balls) < 3.0 * sqrt(squares) / balls + 2e-5);
    }
}

/* Two touches with normals are a ball; normals of either sign are the same. */
static void test_few_touches(void)
{
    test_seed(307);
    for (uint32_t k = 0; k < TEST_ROUNDS(50); ++k) {
        begin(RADIUS);
        config.noise = TC_C(1e-6);
        config.normal_noise = TC_C(1e-4);
        feel_cap(2u + k % 3u, 60.0, 0.0, 1e-9);
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_read(&touch, &ball));
        test_near((tc_real)radius, ball.radius, (tc_real)(2e-3 * radius), 0, "radius");
        const tc_touch_ball before = ball;
        tc_touch turned = touch;
        tc_real p[3], n[3];
        for (uint32_t i = 0; i < 3u; ++i) {
            p[i] = (tc_real)(centre[i] - radius * axis[i]);
            n[i] = (tc_real)axis[i];
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_add(&turned, p, n, NULL));
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_read(&turned, &ball));
        const tc_real one = ball.radius;
        turned = touch;
        for (uint32_t i = 0; i < 3u; ++i) {
            n[i] = -n[i];
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_add(&turned, p, n, NULL));
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_read(&turned, &ball));
        TEST_ASSERT_TRUE(one == ball.radius && before.radius > TC_C(0.0));
    }
    for (uint32_t n = 0; n < 8u;
         ++n) { /* without normals: five, or four where the noise is known */
        for (uint32_t known = 0; known < 2u; ++known) {
            begin(RADIUS);
            config.noise = known ? TC_C(1e-5) : TC_C(0.0);
            feel_cap(n, 90.0, 1e-6, 0.0);
            const int enough = n >= (known ? 4u : 5u);
            TEST_ASSERT_EQUAL(enough ? TC_OK : TC_ERR_SINGULAR, tc_touch_read(&touch, &ball));
            TEST_ASSERT_TRUE(enough || (ball.radius == 0 && ball.high == 0));
        }
    }
}

/* On a plane, on a circle, all in one place: no ball, however many. */
static void test_no_ball(void)
{
    test_seed(309);
    for (uint32_t k = 0; k < TEST_ROUNDS(60); ++k) {
        tc_touch_outcome outcome = TC_TOUCH_NONE;
        begin(RADIUS);
        config.apart = TC_C(0.0);
        config.noise = (tc_real)(k % 2u ? NOISE : 0.0);
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_init(&touch, &config));
        for (uint32_t j = 0; j < 60u; ++j) {
            const double angle = 0.1 * j, size = k % 3u == 0u ? 1.0 : 1.0 + 0.1 * normal_draw();
            tc_real p[3] = {(tc_real)(RADIUS * size * cos(angle)),
                            (tc_real)(RADIUS * size * sin(angle)), TC_C(0.1)};
            if (k % 3u == 2u) {
                p[0] = p[1] = TC_C(0.0);
            }
            TEST_ASSERT_EQUAL(TC_OK, tc_touch_add(&touch, p, NULL, &outcome));
            TEST_ASSERT_EQUAL(TC_TOUCH_ACCEPTED, outcome);
        }
        TEST_ASSERT_EQUAL(TC_ERR_SINGULAR, tc_touch_read(&touch, &ball));
        TEST_ASSERT_TRUE(ball.radius == 0 && ball.high == 0 && ball.covariance[0] == 0);
    }
}

/* A finger that stands still says nothing new. */
static void test_repetitions(void)
{
    static const double n[3] = {0.0, 0.0, 1.0};
    test_seed(311);
    begin(RADIUS);
    feel_cap(20, 90.0, NOISE, 0.0);
    const tc_touch before = touch;
    TEST_ASSERT_EQUAL(TC_TOUCH_ACCEPTED, feel(n, 0.0, 0.0));
    const tc_touch once = touch;
    for (uint32_t k = 0; k < 10u; ++k) {
        TEST_ASSERT_EQUAL(TC_TOUCH_REPEATED, feel(n, 1e-5, 0.01));
    }
    TEST_ASSERT_EQUAL_UINT32(10, touch.repeated);
    touch.repeated = 0;
    TEST_ASSERT_EQUAL_MEMORY(&once, &touch, sizeof touch);
    TEST_ASSERT_EQUAL_UINT32(before.touches + 1u, touch.touches);
    for (uint32_t k = 0; k < TC_TOUCH_KEPT; ++k) { /* forgotten after as many others */
        const double angle = 0.3 + 0.2 * k, other[3] = {sin(angle), 0.0, cos(angle)};
        TEST_ASSERT_EQUAL(TC_TOUCH_ACCEPTED, feel(other, 0.0, 0.0));
    }
    TEST_ASSERT_EQUAL(TC_TOUCH_ACCEPTED, feel(n, 0.0, 0.0));
    TEST_ASSERT_EQUAL(TC_OK, tc_touch_reset(&touch));
    TEST_ASSERT_EQUAL_UINT32(0, touch.touches);
    TEST_ASSERT_EQUAL(TC_ERR_SINGULAR, tc_touch_read(&touch, &ball));
    TEST_ASSERT_EQUAL(TC_TOUCH_ACCEPTED, feel(n, 0.0, 0.0));
}

static void refuse(tc_status expected, const tc_real *p, const tc_real *n)
{
    const tc_touch before = touch;
    tc_touch_outcome outcome = TC_TOUCH_ACCEPTED;
    TEST_ASSERT_EQUAL(expected, tc_touch_add(&touch, p, n, &outcome));
    TEST_ASSERT_EQUAL(TC_TOUCH_NONE, outcome);
    TEST_ASSERT_EQUAL_MEMORY(&before, &touch, sizeof touch);
}

static void test_refused(void)
{
    const tc_real good[3] = {0, 0, 0}, up[3] = {0, 0, TC_C(1.0)}, slant[3] = {0, TC_C(0.1), 1};
    const tc_real far[3] = {0, TC_C(1e9), 0};
    begin(RADIUS);
    feel_cap(20, 90.0, NOISE, 0.0);
    for (uint32_t k = 0; k < 12u; ++k) {
        tc_real p[3] = {0, 0, 0}, n[3] = {0, 0, TC_C(1.0)};
        (k < 6u ? p : n)[k % 3u] = k % 2u ? (tc_real)NAN : (tc_real)INFINITY;
        refuse(TC_ERR_NOT_FINITE, p, n);
    }
    refuse(TC_ERR_NULL, NULL, up);
    refuse(TC_ERR_UNIT, good, slant);
    refuse(TC_ERR_RANGE, far, NULL);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_touch_add(NULL, good, up, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_touch_read(&touch, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_touch_read(NULL, &ball));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_touch_reset(NULL));
    for (uint32_t k = 0; k < 12u; ++k) {
        static const tc_real wrong[12] = {
            0, TC_C(-1.0), 0, TC_C(0.6), TC_C(-1.0), TC_C(-1.0), TC_C(-1.0), 0, 0, 0, 0, 0};
        config = tc_touch_default(TC_C(0.1));
        tc_real *const field[7] = {&config.reach,        &config.reach, &config.normal_noise,
                                   &config.normal_noise, &config.noise, &config.tip,
                                   &config.apart};
        tc_real *const all[5] = {&config.reach, &config.noise, &config.normal_noise, &config.tip,
                                 &config.apart};
        *(k < 7u ? field[k] : all[k - 7u]) = k < 7u ? wrong[k] : (tc_real)NAN;
        TEST_ASSERT_EQUAL(k < 7u ? TC_ERR_RANGE : TC_ERR_NOT_FINITE,
                          tc_touch_init(&touch, &config));
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_touch_add(&touch, good, NULL, NULL));
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_touch_read(&touch, &ball));
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_touch_reset(&touch));
    }
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_touch_init(NULL, &config));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_touch_init(&touch, NULL));
    begin(RADIUS);
    config.tip = TC_C(0.05);
    feel_cap(30, 90.0, 0.0, 0.0);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_touch_read(&touch, &ball)); /* smaller than the fingertip */
}

/* The same bits everywhere; the touches are made of sums, products and roots in double. */
static void test_bits_of_touches(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(315);
    for (uint32_t k = 0; k < 8u; ++k) {
        begin(RADIUS);
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_init(&touch, &config));
        for (uint32_t j = 0; j < 40u; ++j) {
            double n[3];
            unit_draw(n);
            (void)feel(n, NOISE, k % 2u && j % 3u == 0u ? 0.05 : 0.0);
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_read(&touch, &ball));
        const tc_real told[4] = {ball.radius, ball.low, ball.high, ball.noise};
        hash = test_hash(hash, ball.centre, 3);
        hash = test_hash(hash, ball.covariance, 16);
        hash = test_hash(hash, told, 4);
    }
    test_golden("touch.read", hash);
}

/* Whatever comes: an answer is finite, positive and within its interval. */
static void test_any_touches(void)
{
    uint32_t answers = 0;
    test_seed(313);
    for (uint32_t k = 0; k < TEST_ROUNDS(600); ++k) {
        begin(RADIUS);
        config.noise = (tc_real)(k % 2u ? NOISE : 0.0);
        TEST_ASSERT_EQUAL(TC_OK, tc_touch_init(&touch, &config));
        for (uint32_t j = 0; j < 3u + k % 40u; ++j) {
            double n[3];
            tc_real p[3], m[3];
            unit_draw(n);
            for (uint32_t i = 0; i < 3u; ++i) {
                p[i] = (tc_real)test_log_uniform(1e-6, 10.0) * (tc_real)n[i];
                m[i] = (tc_real)n[(i + k) % 3u];
            }
            (void)tc_touch_add(&touch, p, k % 3u ? NULL : m, NULL);
            if (tc_touch_read(&touch, &ball) == TC_OK) {
                TEST_ASSERT_TRUE(ball.radius > 0 && ball.low <= ball.radius
                                 && ball.radius <= ball.high && ball.noise >= 0
                                 && ball.covariance[15] >= 0 && ball.covariance[0] >= 0);
                TEST_ASSERT_TRUE(tc_all_finite(ball.centre, 3) && tc_all_finite(&ball.noise, 1));
                ++answers;
            }
        }
    }
    TEST_ASSERT_TRUE(answers > TEST_ROUNDS(600));
}

void suite_touch(void)
{
    RUN_TEST(test_exact_touches);
    RUN_TEST(test_hemisphere);
    RUN_TEST(test_small_cap);
    RUN_TEST(test_no_bias);
    RUN_TEST(test_few_touches);
    RUN_TEST(test_no_ball);
    RUN_TEST(test_repetitions);
    RUN_TEST(test_refused);
    RUN_TEST(test_bits_of_touches);
    RUN_TEST(test_any_touches);
}
