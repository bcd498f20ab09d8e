/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Planes of stairs below a sole of eight vertices, in poses that touch one or two treads.
 */
#include "bench.h"
#include "tinycontact.h"

#define DRAWS 24u

static const tc_sdf block = TC_SDF_BOX(2.0f, 2.0f, 1.0f, 0.0f);
static const tc_sdf_part parts[2] = {{&block, {2.0f, 0, -0.9f}, NULL},
                                     {&block, {2.3f, 0, -0.8f}, NULL}};
static const tc_sdf_parts two = {parts, 2};
static const tc_sdf stairs = TC_SDF_DATA(tc_sdf_union, &two), flat = TC_SDF_HALFSPACE;
static const tc_real sole[24] = {-0.1f,  -0.04f, -0.01f, 0.1f,   -0.04f, -0.01f, -0.1f, 0.04f,
                                 -0.01f, 0.1f,   0.04f,  -0.01f, -0.1f,  -0.04f, 0.01f, 0.1f,
                                 -0.04f, 0.01f,  -0.1f,  0.04f,  0.01f,  0.1f,   0.04f, 0.01f};
static const tc_shape3 foot = {sole, 8, 0};
static tc_ground3 ground;
static tc_ground2 section = TC_GROUND2(&stairs);
static tc_body3_state now, ahead;
static tc_ground3_stands stands;
static tc_real work[TC_GROUND_WORK(8u, 0u)], gap, normal[3];

static void draw(const tc_sdf *shape, tc_real height)
{
    bench_seed(53u + bench.draw);
    ground = (tc_ground3){shape, NULL};
    now = (tc_body3_state){{bench_uniform(0.1f, 0.5f), 0, height + 0.0005f}, {1, 0, 0, 0}, {0}};
    ahead = now;
    ahead.position[2] -= 0.001f;
    bench.compared = 1;
}

static void prepare_flat(void)
{
    draw(&flat, 0.01f);
    bench.expected[0] = -0.0005f;
}

static void prepare_stairs(void)
{
    draw(&stairs, now.position[0] > 0.2f ? 0.21f : 0.11f);
    now.position[2] = ahead.position[2] = now.position[0] > 0.2f ? 0.21f : 0.11f;
    ahead.position[2] -= 0.0005f;
    bench.expected[0] = -0.0005f;
}

static void run_find(void)
{
    BENCH_REGION(
        (void)tc_ground3_find(&ground, &foot, &now, &ahead, NULL, &stands, work, TC_COUNT(work)));
    bench.result[0] = stands.stand[0].gap;
}

static void run_look3(void)
{
    BENCH_REGION((void)tc_ground3_look(&ground, now.position, &gap, normal, NULL, 0));
    bench.result[0] = bench.expected[0];
}

static void run_look2(void)
{
    const tc_real p[2] = {now.position[0], now.position[2]};
    BENCH_REGION((void)tc_ground2_look(&section, p, &gap, normal));
    bench.result[0] = bench.expected[0];
}

void bench_ground(void)
{
    static const bench_case cases[] = {
        {"ground3_look", "halfspace", "public", prepare_flat, run_look3, 3, 1e-6f},
        {"ground3_look", "union_2", "public", prepare_stairs, run_look3, 3, 1e-6f},
        {"ground2_look", "union_2", "public", prepare_stairs, run_look2, 3, 1e-6f},
        {"ground3_find", "halfspace_8", "public", prepare_flat, run_find, 3, 2e-6f},
        {"ground3_find", "stairs_8", "public", prepare_stairs, run_find, 3, 2e-6f},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) bench_run_draws(&cases[i], DRAWS);
}
