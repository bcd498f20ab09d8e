/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distances of posed pairs: random kinds, sizes and poses, every fourth pair nearly parallel. The
 * unit tests hold the results.
 */
#include "tinycontact.h"

#include "bench.h"

#include <math.h>

#define DRAWS 64u

static tc_convex core[2];
static tc_sdf solid[2];
static tc_convex_pose at[2];
static tc_convex_gap gap;

static float roll(float low, float high)
{
    return bench_uniform(low, high);
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

/* Two poses, `apart` from each other; nearly parallel ones differ by 1e-6 to 0.1 rad */
static void draw_poses(float apart)
{
    float q[4], x[3];
    const int parallel = bench.draw % 4u == 3u;
    for (uint32_t side = 0; side < 2u; ++side) {
        const float turn = parallel ? powf(10.0f, roll(-6.0f, -1.0f)) : 1.0f;
        for (uint32_t k = 0; k < 4u; ++k) {
            const float more = roll(-1.0f, 1.0f);
            q[k] = parallel && side == 1u ? q[k] + turn * more : more;
        }
        turn_pose(&at[side], q);
        bench_fill(at[side].position, 3, -0.02f, 0.02f);
    }
    bench_fill(x, 3, -1.0f, 1.0f);
    const float scale = apart / sqrtf(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (uint32_t k = 0; k < 3u; ++k) at[1].position[k] += scale * x[k];
}

static void draw_cores(uint32_t a, uint32_t b)
{
    const uint32_t kinds[2] = {a, b};
    bench_seed(771u + 13u * bench.draw);
    for (uint32_t side = 0; side < 2u; ++side) {
        core[side].kind = (tc_convex_kind)kinds[side];
        bench_fill(core[side].half, 3, 0.02f, 0.1f);
        core[side].radius = 0.02f;
    }
    draw_poses(roll(0.25f, 0.35f));
    bench.compared = 1;
}

static void prepare_any(void)
{
    bench_seed(5u + bench.draw);
    draw_cores(bench.draw % 4u, bench.draw / 4u % 4u);
}

static void prepare_boxes(void)
{
    draw_cores(TC_CONVEX_BOX, TC_CONVEX_BOX);
}

static void prepare_cylinders(void)
{
    draw_cores(TC_CONVEX_CYLINDER, TC_CONVEX_CYLINDER);
}

static void prepare_box_cylinder(void)
{
    draw_cores(TC_CONVEX_BOX, TC_CONVEX_CYLINDER);
}

static void run_convex(void)
{
    BENCH_REGION((void)tc_convex_distance(&core[0], &at[0], &core[1], &at[1], &gap));
    bench.result[0] = bench.expected[0] = gap.distance;
}

/* Rounded boxes that are sunk, up to and beyond the rounding */
static void prepare_sunk(void)
{
    static const tc_sdf drawn[2] = {TC_SDF_BOX(0.08f, 0.05f, 0.03f, 0.01f),
                                    TC_SDF_BOX(0.2f, 0.15f, 0.2f, 0.0f)};
    bench_seed(331u + 17u * bench.draw);
    solid[0] = drawn[0];
    solid[1] = drawn[1];
    draw_poses(roll(0.2f, 0.25f));
    bench.compared = 1;
}

static void run_meet(void)
{
    BENCH_REGION((void)tc_meet_distance(&solid[0], &at[0], &solid[1], &at[1], TC_MEET_DEEPEST, &gap,
                                        NULL, 0));
    bench.result[0] = bench.expected[0] = gap.distance;
}

void bench_convex(void)
{
    static const bench_case cases[] = {
        {"convex_pair", "any", "public", prepare_any, run_convex, 34, 1e-6f},
        {"convex_pair", "box_box", "public", prepare_boxes, run_convex, 34, 1e-6f},
        {"convex_pair", "box_cylinder", "public", prepare_box_cylinder, run_convex, 34, 1e-6f},
        {"convex_pair", "cylinders", "public", prepare_cylinders, run_convex, 34, 1e-6f},
        {"meet_pair", "boxes_sunk", "public", prepare_sunk, run_meet, 34, 1e-6f},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) bench_run_draws(&cases[i], DRAWS);
}
