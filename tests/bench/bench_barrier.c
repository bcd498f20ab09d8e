/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Barriers of pairs: boxes of 8 corners (4 in the plane) and a ball, gaps of 1 mm to 0.3 m. Warm: from
 * the plane of a pose that a tenth of the gap and 0.01 rad has changed since. The unit tests hold the
 * results.
 */
#include "tinycontact.h"

#include "bench.h"

#include <math.h>
#include <string.h>

#define DRAWS 32u

static float corner[2][24];
static tc_barrier_set set[2];
static tc_barrier_config config;
static tc_convex_pose at[2];
static tc_barrier2_pose at2[2];
static tc_barrier3_plane plane;
static tc_barrier2_plane plane2;
static tc_barrier3_pair pair;
static tc_barrier2_pair pair2;
static tc_barrier3_derivatives derivatives;
static tc_barrier2_derivatives derivatives2;
static tc_barrier3_floor_pair above;
static tc_plane3 ground;

static float roll(float low, float high)
{
    return bench_uniform(low, high);
}

static void draw_set(uint32_t side, uint32_t count, uint32_t dim)
{
    float half[3];
    bench_fill(half, 3, 0.02f, 0.1f);
    for (uint32_t i = 0; i < 24u; ++i) corner[side][i] = 0.0f;
    for (uint32_t i = 0; i < count * dim && count > 1u; ++i) {
        corner[side][i] = i / dim >> i % dim & 1u ? half[i % dim] : -half[i % dim];
    }
    set[side].vertices = corner[side];
    set[side].count = count;
    set[side].radius = count > 1u ? 0.0f : 0.03f;
}

static void turn_pose(tc_convex_pose *pose, const float q[4])
{
    const float n = 1.0f / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (uint32_t i = 0; i < 3u; ++i) {
        const uint32_t j = (i + 1u) % 3u, k = (i + 2u) % 3u;
        const float u = q[1u + i], v = q[1u + j], w = q[1u + k];
        pose->rotation[4u * i] = 1.0f - 2.0f * n * (v * v + w * w);
        pose->rotation[3u * i + j] = 2.0f * n * (u * v - q[0] * w);
        pose->rotation[3u * i + k] = 2.0f * n * (u * w + q[0] * v);
    }
}

static float draw_gap(void)
{
    return powf(10.0f, roll(-3.0f, -0.5f));
}

/* B leaves A along n until the gap along n is what was drawn, then a tenth of it aside */
static void draw_space(uint32_t a, uint32_t b, int warm)
{
    float q[2][4], n[3];
    bench_seed(411u + 7u * bench.draw);
    draw_set(0, a, 3);
    draw_set(1, b, 3);
    for (uint32_t side = 0; side < 2u; ++side) {
        bench_fill(q[side], 4, -1.0f, 1.0f);
        turn_pose(&at[side], q[side]);
        for (uint32_t k = 0; k < 3u; ++k) at[side].position[k] = 0.0f;
    }
    bench_fill(n, 3, -1.0f, 1.0f);
    const float gap = draw_gap(), length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    float apart = set[0].radius + set[1].radius + gap;
    for (uint32_t side = 0; side < 2u; ++side) {
        float most = -1.0f;
        for (uint32_t i = 0; i < set[side].count; ++i) {
            float along = 0.0f;
            for (uint32_t k = 0; k < 9u; ++k) {
                along += (side == 0u ? -n[k / 3u] : n[k / 3u]) / length * at[side].rotation[k]
                         * corner[side][3u * i + k % 3u];
            }
            most = along > most ? along : most;
        }
        apart += most;
    }
    for (uint32_t k = 0; k < 3u; ++k) at[0].position[k] = apart * n[k] / length;
    memset(&plane, 0, sizeof plane);
    config = tc_barrier_default();
    bench.compared = 1;
    if (!warm) return;
    (void)tc_barrier3_solve(&config, &set[0], &at[0], &set[1], &at[1], &plane, &pair);
    for (uint32_t k = 0; k < 3u; ++k) at[0].position[k] += roll(-0.06f, 0.06f) * gap;
    for (uint32_t k = 0; k < 4u; ++k) q[0][k] += roll(-0.002f, 0.002f) * gap / (gap + 0.1f);
    turn_pose(&at[0], q[0]);
}

static void draw_plane(uint32_t a, uint32_t b)
{
    bench_seed(97u + 5u * bench.draw);
    draw_set(0, a, 2);
    draw_set(1, b, 2);
    const float gap = draw_gap();
    for (uint32_t side = 0; side < 2u; ++side) {
        const float angle = roll(-3.0f, 3.0f);
        at2[side].cosine = cosf(angle);
        at2[side].sine = sinf(angle);
        at2[side].position[0] = at2[side].position[1] = 0.0f;
    }
    at2[0].position[0] = 0.29f + gap;
    at2[0].position[1] = roll(-0.05f, 0.05f);
    memset(&plane2, 0, sizeof plane2);
    config = tc_barrier_default();
    (void)tc_barrier2_solve(&config, &set[0], &at2[0], &set[1], &at2[1], &plane2, &pair2);
    for (uint32_t k = 0; k < 2u; ++k) at2[0].position[k] += roll(-0.07f, 0.07f) * gap;
    bench.compared = 1;
}

static void prepare_boxes(void)
{
    draw_space(8, 8, 1);
}

static void prepare_ball(void)
{
    draw_space(1, 8, 1);
}

static void prepare_cold(void)
{
    draw_space(8, 8, 0);
}

static void prepare_rectangles(void)
{
    draw_plane(4, 4);
}

static void prepare_disc(void)
{
    draw_plane(1, 4);
}

static void run_solve(void)
{
    BENCH_REGION((void)tc_barrier3_solve(&config, &set[0], &at[0], &set[1], &at[1], &plane, &pair));
    bench.result[0] = bench.expected[0] = pair.value;
}

static void run_derive(void)
{
    (void)tc_barrier3_solve(&config, &set[0], &at[0], &set[1], &at[1], &plane, &pair);
    BENCH_REGION(
        (void)tc_barrier3_derive(&config, &set[0], &at[0], &set[1], &at[1], &plane, &derivatives));
    bench.result[0] = bench.expected[0] = derivatives.gradient[0];
}

static void run_solve_plane(void)
{
    BENCH_REGION(
        (void)tc_barrier2_solve(&config, &set[0], &at2[0], &set[1], &at2[1], &plane2, &pair2));
    bench.result[0] = bench.expected[0] = pair2.value;
}

static void run_derive_plane(void)
{
    (void)tc_barrier2_solve(&config, &set[0], &at2[0], &set[1], &at2[1], &plane2, &pair2);
    BENCH_REGION((void)tc_barrier2_derive(&config, &set[0], &at2[0], &set[1], &at2[1], &plane2,
                                          &derivatives2));
    bench.result[0] = bench.expected[0] = derivatives2.gradient[0];
}

static void prepare_floor(void)
{
    draw_space(8, 8, 0);
    memset(&ground, 0, sizeof ground);
    ground.normal[2] = 1.0f;
    ground.offset = at[0].position[2] - 0.3f;
}

static void run_floor(void)
{
    BENCH_REGION((void)tc_barrier3_floor(&set[0], &at[0], &ground, &above));
    bench.result[0] = bench.expected[0] = above.value;
}

void bench_barrier(void)
{
    static const bench_case cases[] = {
        {"barrier3_solve", "8_8_warm", "public", prepare_boxes, run_solve, 79, 1e-6f},
        {"barrier3_solve", "1_8_warm", "public", prepare_ball, run_solve, 58, 1e-6f},
        {"barrier3_solve", "8_8_cold", "public", prepare_cold, run_solve, 79, 1e-6f},
        {"barrier3_derive", "8_8", "public", prepare_boxes, run_derive, 79, 1e-6f},
        {"barrier3_derive", "1_8", "public", prepare_ball, run_derive, 58, 1e-6f},
        {"barrier3_floor", "8", "public", prepare_floor, run_floor, 41, 1e-6f},
        {"barrier2_solve", "4_4_warm", "public", prepare_rectangles, run_solve_plane, 32, 1e-6f},
        {"barrier2_solve", "1_4_warm", "public", prepare_disc, run_solve_plane, 26, 1e-6f},
        {"barrier2_derive", "4_4", "public", prepare_rectangles, run_derive_plane, 32, 1e-6f},
        {"barrier2_derive", "1_4", "public", prepare_disc, run_derive_plane, 26, 1e-6f},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) bench_run_draws(&cases[i], DRAWS);
}
