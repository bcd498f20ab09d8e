/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Steps of a scene of shapes: a rounded box thrown at a floor, and derivatives of the same steps.
 *
 *   scene_sustained/box           without directions
 *   scene_grad_sustained/1, /8    with as many: by the box's size, mass, friction, restitution, and
 *                                 by how it begins
 *
 * Compared with: a quaternion's length 1; the state of the step without directions, to the bit.
 */
#include "bench.h"
#include "tinycontact.h"

#include <string.h>

#define DRAWS 48u
#define STEP 0.01f
#define RATES 6u
#define COORDINATES 7u
#define DIRECTIONS 8u
#define SIZES 4u /* directions by parameters */
#define WORK 4200u

typedef struct box_world {
    tc_sdf shape[2];
    tc_body3 body;
    tc_scene_mover mover;
    tc_scene_surface surface[2];
    tc_scene_material material;
    tc_scene_pair pair;
    tc_scene scene;
} box_world;

typedef struct box_state {
    float q[COORDINATES], v[RATES], dq[DIRECTIONS][RATES], dv[DIRECTIONS][RATES];
} box_state;

static box_world world, more[SIZES], less[SIZES];
static box_state before, now, plain;
static tc_scene_step_config config;
static tc_scene_step_info info;
static float work[WORK];
static uint32_t directions;

static void make_box(box_world *to, const float number[SIZES])
{
    const tc_sdf box = TC_SDF_BOX(number[0], 0.15f, 0.2f, 0.02f), ground = TC_SDF_HALFSPACE;
    tc_sdf_inertia inertia;
    to->shape[0] = box;
    to->shape[1] = ground;
    (void)tc_sdf_mass(&to->shape[0], &inertia, NULL);
    to->body.mass = number[1];
    for (uint32_t k = 0; k < 3u; ++k) {
        to->body.inertia[k] = number[1] * inertia.inertia[k] / inertia.volume;
    }
    to->mover = (tc_scene_mover){.kind = TC_SCENE_BODY, .body3 = &to->body};
    to->surface[0] = (tc_scene_surface){
        .mover = 0, .sdf = &to->shape[0], .reach = tc_scene_shapes_reach(&to->shape[0])};
    to->surface[1] = (tc_scene_surface){.mover = TC_SCENE_WORLD, .sdf = &to->shape[1]};
    to->material = (tc_scene_material){number[2], number[3]};
    to->pair = (tc_scene_pair){0, 1, 0};
    to->scene = (tc_scene){.dimension = 3,
                           .gravity = {0.0f, 0.0f, -10.0f},
                           .movers = 1,
                           .surfaces = 2,
                           .materials = 1,
                           .pairs = 1,
                           .mover = &to->mover,
                           .surface = to->surface,
                           .material = &to->material,
                           .pair = &to->pair,
                           .meeting = &tc_scene_shapes};
}

static void make_worlds(void)
{
    const float number[SIZES] = {0.1f, 1.2f, 0.3f, 0.6f};
    make_box(&world, number);
    for (uint32_t k = 0; k < SIZES; ++k) {
        float moved[SIZES];
        memcpy(moved, number, sizeof moved);
        moved[k] = 1.01f * number[k];
        make_box(&more[k], moved);
        moved[k] = 0.99f * number[k];
        make_box(&less[k], moved);
    }
    config = tc_scene_step_default();
    config.method = &tc_scene_step_sustained;
    config.law = TC_IMPACT_COULOMB;
    config.h = STEP;
    config.rest = 0.2f;
}

static void begin_throw(void)
{
    static const float q[COORDINATES] = {0.0f, 0.0f, 0.5f, 0.9f, 0.3f, 0.3f, 0.1f};
    static const float v[RATES] = {0.5f, -0.2f, -1.0f, 0.3f, 0.8f, -0.4f};
    memset(&before, 0, sizeof before);
    memcpy(before.q, q, sizeof q);
    memcpy(before.v, v, sizeof v);
    for (uint32_t k = SIZES; k < DIRECTIONS; ++k) before.dv[k][k - SIZES] = 1.0f;
}

/* The state before this draw's step, and what the step without directions makes of it */
static void prepare_throw(uint32_t count)
{
    static uint32_t last = DRAWS;
    if (bench.draw == 0u) {
        make_worlds();
        begin_throw();
    } else if (bench.draw != last) {
        before = now;
    }
    last = bench.draw;
    directions = count;
    now = plain = before;
    (void)tc_scene_step(&world.scene, &config, plain.q, plain.v, NULL, work, WORK);
    bench.compared = COORDINATES + RATES;
    memcpy(bench.expected, plain.q, sizeof plain.q);
    memcpy(bench.expected + COORDINATES, plain.v, sizeof plain.v);
}

static void prepare_plain(void)
{
    prepare_throw(0);
    bench.compared = 1;
    bench.expected[0] = 1.0f;
}

static void run_plain(void)
{
    tc_status status;
    BENCH_REGION(status = tc_scene_step(&world.scene, &config, now.q, now.v, &info, work, WORK));
    const float *const q = now.q + 3;
    if (status >= TC_OK) {
        bench.result[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    }
}

static void prepare_one(void)
{
    prepare_throw(1);
}

static void prepare_eight(void)
{
    prepare_throw(DIRECTIONS);
}

static void run_along(void)
{
    tc_scene_grad_sustained_direction along[DIRECTIONS];
    tc_status status;
    for (uint32_t k = 0; k < directions; ++k) {
        along[k] = (tc_scene_grad_sustained_direction){.q = now.dq[k], .v = now.dv[k]};
        if (k >= SIZES) continue;
        along[k].more = &more[k].scene;
        along[k].less = &less[k].scene;
        along[k].step = 0.01f * (k == 0u ? 0.1f : (k == 1u ? 1.2f : (k == 2u ? 0.3f : 0.6f)));
    }
    BENCH_REGION(status = tc_scene_grad_sustained_step(&world.scene, &config, now.q, now.v, along,
                                                       directions, &info, work, WORK));
    if (status < TC_OK) return;
    memcpy(bench.result, now.q, sizeof now.q);
    memcpy(bench.result + COORDINATES, now.v, sizeof now.v);
}

void bench_scene(void)
{
    static const bench_case cases[] = {
        {"scene_sustained", "box", "public", prepare_plain, run_plain, 0, 1e-5f},
        {"scene_grad_sustained", "1", "public", prepare_one, run_along, 0, 0.0f},
        {"scene_grad_sustained", "8", "public", prepare_eight, run_along, 0, 0.0f},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); ++i) bench_run_draws(&cases[i], DRAWS);
}
