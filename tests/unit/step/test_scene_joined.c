/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Bodies with shapes that joints tie together fall on a floor, by both methods of a step: the joints
 * hold, nothing sinks, no energy comes from anywhere.
 */
#include "scene_case.h"

#include <math.h>
#include <string.h>

#define LINKS 3u
#define HALF 0.12 /* of a link, along x; joints are at its ends [m] */
#define MASS 0.5
#define GRAVITY 10.0
#define WORK SCENE_CASE_WORK
#define SUNK 4e-3      /* a corner's way in a step of 1 ms [m] */
#define SUNK_LESS 1e-4 /* where contacts act during it [m] */

#ifdef TC_DOUBLE
#define APART 2e-4 /* of what a joint ties [m] */
#else
#define APART 4e-4
#endif

static const tc_sdf half_space = TC_SDF_HALFSPACE;
static const tc_sdf box = TC_SDF_BOX(TC_C(0.1), TC_C(0.03), TC_C(0.02), TC_C(0.01));
static tc_body3 body;
static tc_scene_mover mover[LINKS];
static tc_scene_surface surface[LINKS + 1u];
static tc_scene_pair pair[LINKS];
static tc_scene_joint joint[LINKS - 1u];
static tc_scene_material material;
static tc_scene scene;
static tc_scene_step_config config;
static tc_real q[7u * LINKS], v[6u * LINKS];

static tc_scene_point end_of(uint32_t m, double along)
{
    return (tc_scene_point){.mover = (uint16_t)m, .at = {(tc_real)along}};
}

static void make_rope(tc_real mu, tc_real e)
{
    tc_sdf_inertia inertia;
    TEST_ASSERT_EQUAL(TC_OK, tc_sdf_mass(&box, &inertia, NULL));
    body.mass = (tc_real)MASS;
    for (uint32_t k = 0; k < 3u; ++k) {
        body.inertia[k] = body.mass * inertia.inertia[k] / inertia.volume;
    }
    material = (tc_scene_material){mu, e};
    for (uint32_t i = 0; i < LINKS; ++i) {
        mover[i] = (tc_scene_mover){.kind = TC_SCENE_BODY, .body3 = &body};
        surface[i] = (tc_scene_surface){
            .mover = (uint16_t)i, .sdf = &box, .reach = tc_scene_shapes_reach(&box)};
        pair[i] = (tc_scene_pair){(uint16_t)i, LINKS, 0};
    }
    surface[LINKS] = (tc_scene_surface){.mover = TC_SCENE_WORLD, .sdf = &half_space};
    for (uint32_t i = 0; i + 1u < LINKS; ++i) {
        joint[i] = (tc_scene_joint){.a = end_of(i, HALF), .b = end_of(i + 1u, -HALF)};
    }
    scene = (tc_scene){.dimension = 3,
                       .gravity = {TC_C(0.0), TC_C(0.0), (tc_real)-GRAVITY},
                       .movers = LINKS,
                       .surfaces = LINKS + 1u,
                       .materials = 1,
                       .pairs = LINKS,
                       .joints = LINKS - 1u,
                       .mover = mover,
                       .surface = surface,
                       .material = &material,
                       .pair = pair,
                       .joint = joint,
                       .meeting = &tc_scene_shapes};
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_check(&scene, NULL));
    TEST_ASSERT_LESS_OR_EQUAL(WORK, tc_scene_step_work(&scene));
}

/* A straight rope in a random direction, high enough, that moves and turns as one */
static void start_rope(void)
{
    double turn[4], sum = 0;
    for (uint32_t k = 0; k < 4u; ++k) {
        turn[k] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
        sum += turn[k] * turn[k];
    }
    for (uint32_t k = 0; k < 4u; ++k) turn[k] /= sqrt(sum);
    const double w = turn[0], x = turn[1], y = turn[2], z = turn[3];
    const double along[3] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    const double speed = (double)test_uniform(TC_C(-0.5), TC_C(0.5));
    memset(v, 0, sizeof v);
    for (uint32_t i = 0; i < LINKS; ++i) {
        for (uint32_t k = 0; k < 3u; ++k) {
            q[7u * i + k] = (tc_real)(2 * HALF * i * along[k] + (k == 2 ? 0.7 : 0));
        }
        for (uint32_t k = 0; k < 4u; ++k) q[7u * i + 3u + k] = (tc_real)turn[k];
        v[6u * i] = (tc_real)speed;
        v[6u * i + 2u] = TC_C(-1.0);
    }
}

/* A point of body m's axes in the world */
static void place_point(uint32_t m, const double at[3], double out[3])
{
    const tc_real *const p = q + 7u * m;
    const double w = (double)p[3], x = (double)p[4], y = (double)p[5], z = (double)p[6];
    const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (uint32_t k = 0; k < 3u; ++k) {
        out[k] = (double)p[k] + R[3u * k] * at[0] + R[3u * k + 1u] * at[1] + R[3u * k + 2u] * at[2];
    }
}

static double widest_gap(void)
{
    double widest = 0;
    for (uint32_t i = 0; i + 1u < LINKS; ++i) {
        const double right[3] = {HALF, 0, 0}, left[3] = {-HALF, 0, 0};
        double a[3], b[3], square = 0;
        place_point(i, right, a);
        place_point(i + 1u, left, b);
        for (uint32_t k = 0; k < 3u; ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
        widest = fmax(widest, sqrt(square));
    }
    return widest;
}

static double lowest_point(void)
{
    double lowest = 1;
    for (uint32_t corner = 0; corner < 8u * LINKS; ++corner) {
        const double core[3] = {corner & 1u ? 0.09 : -0.09, corner & 2u ? 0.02 : -0.02,
                                corner & 4u ? 0.01 : -0.01};
        double at[3];
        place_point(corner / 8u, core, at);
        lowest = fmin(lowest, at[2] - 0.01);
    }
    return lowest;
}

/* Of translation and height alone, and rotation by its principal axes */
static double energy_of_rope(void)
{
    double energy = 0;
    for (uint32_t i = 0; i < LINKS; ++i) {
        const tc_real *const s = v + 6u * i;
        for (uint32_t k = 0; k < 3u; ++k) {
            double axis[3] = {0, 0, 0}, tip[3], spin = 0;
            axis[k] = 1;
            place_point(i, axis, tip);
            for (uint32_t j = 0; j < 3u; ++j) {
                spin += (tip[j] - (double)q[7u * i + j]) * (double)s[3u + j];
            }
            energy += ((double)body.inertia[k] * spin * spin + MASS * (double)(s[k] * s[k])) / 2;
        }
        energy += MASS * GRAVITY * (double)q[7u * i + 2u];
    }
    return energy;
}

static void fall_joined(const struct tc_scene_step_method *method, double sunk)
{
    test_seed(771);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(16); ++round) {
        make_rope(test_uniform(TC_C(0.0), TC_C(0.8)), test_uniform(TC_C(0.0), TC_C(0.4)));
        start_rope();
        config = tc_scene_step_default();
        config.h = TC_C(0.001);
        config.method = method;
        config.rest = TC_C(2.0) * (tc_real)GRAVITY * config.h;
        const double begun = energy_of_rope();
        double least = begun;
        for (uint32_t step = 0; step < 600u; ++step) {
            tc_scene_step_info info;
            TEST_ASSERT_GREATER_OR_EQUAL(
                TC_OK, tc_scene_step(&scene, &config, q, v, &info, scene_case_work, WORK));
            const double energy = energy_of_rope();
            TEST_ASSERT_TRUE_MESSAGE(energy <= least + 0.01 * begun, "energy grows");
            TEST_ASSERT_TRUE_MESSAGE(widest_gap() <= APART, "a joint opens");
            TEST_ASSERT_TRUE_MESSAGE(lowest_point() >= -sunk, "a corner sinks");
            least = fmin(least, energy);
        }
        TEST_ASSERT_TRUE(least < 0.8 * begun);
    }
}

static void test_joined_shapes_fall(void)
{
    fall_joined(NULL, SUNK);
}

static void test_joined_shapes_fall_sustained(void)
{
    fall_joined(&tc_scene_step_sustained, SUNK_LESS);
}

void suite_scene_joined(void)
{
    RUN_TEST(test_joined_shapes_fall);
    RUN_TEST(test_joined_shapes_fall_sustained);
}
