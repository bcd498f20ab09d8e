/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A ball's radius from the positions of its bounces, and a ball from touches.
 *
 *   bounce_identify/radius    the radius of a ball that meets a wall and a floor, from 45 positions in
 *                             1.5 s; even draws without gravity, odd ones with
 *   bounce_identify/4         radius, restitution, friction and speed
 *   touch_add/point           one touch; touch_add/normal: one with its normal
 *   touch_read/point          the ball of 100 touches; touch_read/normal: with normals
 *   touch_shape/cylinder      radius, half length and place across of a cylinder from 100 touches
 *
 * Compared with: the truth. The observations come from the same roll-out, which
 * tests/unit/estimator/test_bounce.c compares with events in double.
 */
#include "bench.h"
#include "tinycontact.h"

#define DRAWS 20u
#define SEEN 45u
#define TOUCHES 100u

static const tc_plane3 planes[2] = {{{-1.0f, 0, 0}, -4.5f}, {{0, 1.0f, 0}, 0}};
static const tc_bounce_value unknown[4] = {TC_BOUNCE_RADIUS, TC_BOUNCE_RESTITUTION,
                                           TC_BOUNCE_FRICTION, TC_BOUNCE_VELOCITY};
static tc_real times[SEEN], positions[3u * SEEN], work[TC_BOUNCE_WORK(4u)], deviation[4];
static tc_bounce ball;
static tc_touch touch;
static tc_touch_ball felt;
static tc_real point[3], normal[3], touched[3u * TOUCHES];
static tc_sdf can;
static tc_convex_pose at_can;

static void prepare_bounce(uint32_t n)
{
    tc_bounce_track track;
    bench_seed(31u + bench.draw);
    ball = tc_bounce_default();
    ball.planes_ref = planes;
    ball.planes = 2;
    ball.gravity[1] = bench.draw % 2u || n > 1u ? -10.0f : 0.0f;
    ball.value[TC_BOUNCE_POSITION + 1u] = 5.0f;
    ball.value[TC_BOUNCE_VELOCITY] = 5.0f;
    ball.value[TC_BOUNCE_RADIUS] = bench_uniform(0.4f, n > 1u ? 1.5f : 2.0f);
    ball.value[TC_BOUNCE_FRICTION] = 0.1f;
    (void)tc_bounce_init(&track, &ball, NULL, 0);
    for (uint32_t m = 0; m < SEEN; ++m) {
        times[m] = (tc_real)(m + 1u) / 30.0f;
        (void)tc_bounce_move(&track, times[m], positions + 3u * m, NULL);
    }
    for (uint32_t k = 0; k < n; ++k) {
        bench.expected[k] = ball.value[unknown[k]];
        ball.value[unknown[k]] *= bench_uniform(0.9f, 1.1f);
    }
    if (n == 1u) {
        ball.value[TC_BOUNCE_RADIUS] = bench_uniform(0.4f, 2.0f);
    }
    bench.compared = n;
}

static void run_bounce(uint32_t n)
{
    const tc_bounce_seen seen = {SEEN, times, positions};
    const tc_fit_config config = tc_fit_default();
    tc_status status;
    BENCH_REGION(status = tc_bounce_identify(&ball, &seen, unknown, n, &config, NULL, NULL,
                                             deviation, NULL, work, TC_COUNT(work)));
    for (uint32_t k = 0; k < n && status == TC_OK; ++k) {
        bench.result[k] = ball.value[unknown[k]];
    }
}

static void prepare_radius(void)
{
    prepare_bounce(1);
}

static void run_radius(void)
{
    run_bounce(1);
}

static void prepare_four(void)
{
    prepare_bounce(4);
}

static void run_four(void)
{
    run_bounce(4);
}

/* The next touch of the ball of 30 mm about (1, 2, 3), on its upper half */
static void next_touch(void)
{
    tc_real x, y, square;
    do {
        x = bench_uniform(-1.0f, 1.0f);
        y = bench_uniform(-1.0f, 1.0f);
        square = x * x + y * y;
    } while (square >= 1.0f);
    normal[0] = x;
    normal[1] = y;
    normal[2] = tc_sqrt(1.0f - square);
    for (uint32_t i = 0; i < 3u; ++i) {
        point[i] = (tc_real)(i + 1u) + 0.03f * normal[i] + bench_uniform(-1e-4f, 1e-4f);
    }
}

static void prepare_touch(int normals)
{
    const tc_touch_config config = tc_touch_default(0.06f);
    bench_seed(71u);
    (void)tc_touch_init(&touch, &config);
    for (uint32_t k = 0; k < TOUCHES; ++k) {
        next_touch();
        (void)tc_touch_add(&touch, point, normals ? normal : NULL, NULL);
    }
    next_touch();
    bench.compared = 4;
    for (uint32_t i = 0; i < 4u; ++i) {
        bench.expected[i] = i < 3u ? (tc_real)(i + 1u) : 0.03f;
    }
}

static void prepare_point(void)
{
    prepare_touch(0);
}

static void prepare_normal(void)
{
    prepare_touch(1);
}

static void keep_touch(void)
{
    (void)tc_touch_read(&touch, &felt);
    for (uint32_t i = 0; i < 4u; ++i) {
        bench.result[i] = i < 3u ? felt.centre[i] : felt.radius;
    }
}

static void run_point(void)
{
    BENCH_REGION((void)tc_touch_add(&touch, point, NULL, NULL));
    keep_touch();
}

static void run_normal(void)
{
    BENCH_REGION((void)tc_touch_add(&touch, point, normal, NULL));
    keep_touch();
}

static void run_read(void)
{
    BENCH_REGION((void)tc_touch_read(&touch, &felt));
    keep_touch();
}

/* A cylinder of 30 and 50 mm at (1, 2, 3), its sides and ends in turns */
static void prepare_shape(void)
{
    bench_seed(91u + bench.draw);
    for (uint32_t m = 0; m < TOUCHES; ++m) {
        tc_real *const p = touched + 3u * m;
        next_touch();
        const tc_real across =
            m % 3u == 0u ? 1.0f : 1.0f / tc_sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
        p[0] = 1.0f + 0.03f * across * normal[0] + bench_uniform(-1e-5f, 1e-5f);
        p[1] = 2.0f + 0.03f * across * normal[1] + bench_uniform(-1e-5f, 1e-5f);
        p[2] = 3.0f + (m % 3u == 0u ? 0.05f : bench_uniform(-0.045f, 0.045f));
    }
    can = (tc_sdf)TC_SDF_CYLINDER(bench_uniform(0.025f, 0.035f), bench_uniform(0.04f, 0.06f), 0);
    at_can = (tc_convex_pose){{1, 0, 0, 0, 1, 0, 0, 0, 1},
                              {bench_uniform(0.995f, 1.005f), bench_uniform(1.995f, 2.005f), 3.0f}};
    bench.compared = 4;
    bench.expected[0] = 0.03f;
    bench.expected[1] = 0.05f;
    bench.expected[2] = 1.0f;
    bench.expected[3] = 2.0f;
}

static void run_shape(void)
{
    static const tc_touch_shape_unknown numbers[4] = {TC_TOUCH_SHAPE_SIZE, TC_TOUCH_SHAPE_SIZE + 1,
                                                      TC_TOUCH_SHAPE_POSITION,
                                                      TC_TOUCH_SHAPE_POSITION + 1};
    const tc_touch_shape_felt all = {TOUCHES, touched, 0};
    const tc_fit_config config = tc_fit_default();
    tc_status status;
    BENCH_REGION(status = tc_touch_shape_fit(&can, &at_can, &all, numbers, 4, &config, NULL, NULL,
                                             deviation, NULL, work, TC_COUNT(work)));
    for (uint32_t i = 0; i < 4u && status == TC_OK; ++i) {
        bench.result[i] = i < 2u ? can.size[i] : at_can.position[i - 2u];
    }
}

void bench_bounce(void)
{
    static const bench_case bounces[] = {
        {"bounce_identify", "radius", "public", prepare_radius, run_radius, 0, TC_C(1e-5)},
        {"bounce_identify", "4", "public", prepare_four, run_four, 0, TC_C(1e-5)},
        {"touch_shape", "cylinder", "public", prepare_shape, run_shape, 0, TC_C(1e-5)},
    };
    static const bench_case touches[] = {
        {"touch_add", "point", "public", prepare_point, run_point, 0, TC_C(1e-4)},
        {"touch_add", "normal", "public", prepare_normal, run_normal, 0, TC_C(1e-4)},
        {"touch_read", "point", "public", prepare_point, run_read, 0, TC_C(1e-4)},
        {"touch_read", "normal", "public", prepare_normal, run_read, 0, TC_C(1e-4)},
    };
    for (uint32_t i = 0; i < TC_COUNT(bounces); ++i) {
        bench_run_draws(&bounces[i], DRAWS);
    }
    for (uint32_t i = 0; i < TC_COUNT(touches); ++i) {
        bench_run(&touches[i]);
    }
}
