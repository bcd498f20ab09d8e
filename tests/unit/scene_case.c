/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "scene_case.h"

#define H TC_C(0.1)

scene_case sc;
tc_real scene_case_work[SCENE_CASE_WORK];

static const tc_real centre[3];
static const tc_real square[] = {-H, -H, H, -H, H, H, -H, H};
static const tc_real cube[] = {-H, -H, -H, H, -H, -H, H, H, -H, -H, H, -H,
                               -H, -H, H,  H, -H, H,  H, H, H,  -H, H, H};
static const tc_shape2 ball2 = {centre, 1, H}, square2 = {square, 4, TC_C(0.0)};
static const tc_shape3 ball3 = {centre, 1, H}, cube3 = {cube, 8, TC_C(0.0)};
static const tc_plane2 floor2 = {{TC_C(0.0), TC_C(1.0)}, TC_C(0.0)};
static const tc_plane3 floor3 = {{TC_C(0.0), TC_C(0.0), TC_C(1.0)}, TC_C(0.0)};
static const tc_body2 body2 = {TC_C(0.5), TC_C(0.01)};
static const tc_body3 body3 = {TC_C(0.5), {TC_C(0.01), TC_C(0.02), TC_C(0.015)}};
static const tc_body2 box2 = {TC_C(1.0), TC_C(0.0066666667)};
static const tc_body3 box3 = {TC_C(1.0),
                              {TC_C(0.0066666667), TC_C(0.0066666667), TC_C(0.0066666667)}};
static const tc_chain2_link links2[3] = {{{TC_C(0.3), TC_C(0.004)},
                                          TC_CHAIN_REVOLUTE,
                                          {TC_C(0.1), TC_C(1.5)},
                                          {TC_C(0.2), TC_C(0.0)},
                                          {TC_C(0.0), TC_C(0.0)}},
                                         {{TC_C(0.2), TC_C(0.003)},
                                          TC_CHAIN_PRISMATIC,
                                          {TC_C(0.1), TC_C(0.0)},
                                          {TC_C(0.1), TC_C(0.02)},
                                          {TC_C(0.6), TC_C(0.8)}},
                                         {{TC_C(0.1), TC_C(0.001)},
                                          TC_CHAIN_REVOLUTE,
                                          {TC_C(0.1), TC_C(0.0)},
                                          {TC_C(0.1), TC_C(0.0)},
                                          {TC_C(0.0), TC_C(0.0)}}};
#define UPRIGHT {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)}
static const tc_chain3_link links3[3] = {{{TC_C(0.3), {TC_C(0.004), TC_C(0.003), TC_C(0.002)}},
                                          TC_CHAIN_FREE,
                                          {TC_C(0.0), TC_C(0.0), TC_C(0.0)},
                                          {TC_C(0.0), TC_C(0.0), TC_C(1.0)},
                                          UPRIGHT,
                                          {TC_C(0.0), TC_C(0.0), TC_C(0.0)}},
                                         {{TC_C(0.2), {TC_C(0.003), TC_C(0.003), TC_C(0.001)}},
                                          TC_CHAIN_REVOLUTE,
                                          {TC_C(0.1), TC_C(0.0), TC_C(0.05)},
                                          {TC_C(0.6), TC_C(0.8), TC_C(0.0)},
                                          UPRIGHT,
                                          {TC_C(0.1), TC_C(0.02), TC_C(0.0)}},
                                         {{TC_C(0.1), {TC_C(0.001), TC_C(0.001), TC_C(0.002)}},
                                          TC_CHAIN_PRISMATIC,
                                          {TC_C(0.1), TC_C(0.0), TC_C(0.0)},
                                          {TC_C(0.0), TC_C(0.6), TC_C(0.8)},
                                          UPRIGHT,
                                          {TC_C(0.1), TC_C(0.0), TC_C(0.0)}}};
static const tc_chain2 chain2 = {3, links2, {TC_C(0.0), TC_C(0.0)}};
static const tc_chain3 chain3 = {3, links3, {TC_C(0.0), TC_C(0.0), TC_C(0.0)}};
static const tc_scene_mover mixed[3] = {
    {.kind = TC_SCENE_PARTICLE, .mass = TC_C(0.4)},
    {.kind = TC_SCENE_BODY, .body2 = &body2, .body3 = &body3},
    {.kind = TC_SCENE_CHAIN, .chain2 = &chain2, .chain3 = &chain3}};
static const tc_scene_surface surfaces[6] = {
    {.mover = 0, .shape2 = &ball2, .shape3 = &ball3},
    {.mover = 1, .shape2 = &square2, .shape3 = &cube3},
    {.mover = 2, .link = 2, .shape2 = &ball2, .shape3 = &ball3},
    {.mover = TC_SCENE_WORLD, .plane2 = &floor2, .plane3 = &floor3},
    {.mover = 1, .shape2 = &ball2, .shape3 = &ball3},
    {.mover = 2, .link = 1, .centred = 1, .shape2 = &ball2, .shape3 = &ball3}};
static const tc_scene_pair pairs[6] = {{0, 3, 0}, {1, 3, 1}, {2, 3, 1},
                                       {0, 4, 0}, {4, 2, 1}, {5, 0, 1}};
static const tc_scene_material materials[2] = {{TC_C(0.2), TC_C(0.5)}, {TC_C(0.6), TC_C(0.0)}};
#define AT(m, l, x, y)                                                                             \
    {                                                                                              \
        m, l,                                                                                      \
        {                                                                                          \
            TC_C(x), TC_C(y), TC_C(0.0)                                                            \
        }                                                                                          \
    }
#define LIMITS(coordinate)                                                                         \
    {                                                                                              \
        {TC_SCENE_LIMIT_COORDINATE, 2, coordinate, {AT(0, 0, 0.0, 0.0)}, TC_C(-0.7), TC_C(0.9)},   \
            {TC_SCENE_LIMIT_DISTANCE,                                                              \
             0,                                                                                    \
             0,                                                                                    \
             {AT(0, 0, 0.0, 0.0), AT(1, 0, 0.05, 0.1)},                                            \
             TC_C(0.1),                                                                            \
             TC_C(3.0)},                                                                           \
        {                                                                                          \
            TC_SCENE_LIMIT_BEND, 0, 0,                                                             \
                {AT(0, 0, 0.0, 0.0), AT(1, 0, 0.1, 0.0), AT(2, 1, 0.0, 0.1)}, TC_C(0.0), TC_C(2.9) \
        }                                                                                          \
    }
static const tc_scene_limit limits[3] = LIMITS(2);
static const tc_scene_limit limits_in_space[3] = LIMITS(7);
static const tc_scene_joint joints[2] = {
    {TC_SCENE_JOINT_ROD, AT(0, 0, 0.0, 0.0), AT(1, 0, 0.1, 0.1), TC_C(0.5)},
    {TC_SCENE_JOINT_BALL, AT(1, 0, -0.1, 0.1), AT(2, 2, 0.1, 0.0), TC_C(0.0)}};
static const tc_scene_spring spring = {AT(0, 0, 0.0, 0.0), AT(2, 0, 0.0, 0.1), TC_C(20.0),
                                       TC_C(0.3)};

void scene_case_mixed(uint32_t dimension, int tied)
{
    memset(&sc, 0, sizeof sc);
    sc.scene = (tc_scene){.dimension = dimension,
                          .movers = 3,
                          .surfaces = 6,
                          .materials = 2,
                          .pairs = 6,
                          .joints = tied ? 2u : 0u,
                          .limits = 3,
                          .springs = 1,
                          .mover = mixed,
                          .surface = surfaces,
                          .material = materials,
                          .pair = pairs,
                          .joint = joints,
                          .limit = dimension == 2u ? limits : limits_in_space,
                          .spring = &spring};
    sc.scene.gravity[dimension - 1u] = TC_C(-10.0);
    tc_scene_fault fault;
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_check(&sc.scene, &fault));
    tc_scene_measure(&sc.scene, &sc.sizes);
    TEST_ASSERT_LESS_OR_EQUAL(SCENE_CASE_WORK / 2u, tc_scene_step_work(&sc.scene));
}

static void normalise(tc_real *q)
{
    const tc_real length = tc_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (uint32_t i = 0; i < 4u; ++i) q[i] /= length;
}

void scene_case_shake(void)
{
    const uint32_t up = sc.scene.dimension - 1u;
    test_fill(sc.q, sc.sizes.coordinates, TC_C(-0.5), TC_C(0.5));
    test_fill(sc.v, sc.sizes.rates, TC_C(-1.0), TC_C(1.0));
    sc.q[up] += TC_C(1.0);
    sc.q[sc.scene.dimension + up] += TC_C(1.5);
    if (up == 1u) return;
    sc.q[3u + 7u + 2u] += TC_C(2.0);
    normalise(sc.q + 3 + 3);
    normalise(sc.q + 3 + 7 + 3);
}

/* ---- Small scenes ---------------------------------------------------------------------------- */

static tc_scene_mover mover[8];
static tc_scene_surface surface[10];
static tc_scene_pair pair[32];
static tc_scene_material material;

static void begin_small(uint32_t dimension, uint32_t movers, uint32_t count, tc_real mu, tc_real e)
{
    memset(&sc, 0, sizeof sc);
    memset(mover, 0, sizeof mover);
    memset(surface, 0, sizeof surface);
    material = (tc_scene_material){mu, e};
    sc.scene = (tc_scene){.dimension = dimension,
                          .movers = movers,
                          .surfaces = movers + 1u,
                          .materials = 1,
                          .pairs = count,
                          .mover = mover,
                          .surface = surface,
                          .material = &material,
                          .pair = pair};
    surface[movers] =
        (tc_scene_surface){.mover = TC_SCENE_WORLD, .plane2 = &floor2, .plane3 = &floor3};
}

static void end_small(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_check(&sc.scene, NULL));
    tc_scene_measure(&sc.scene, &sc.sizes);
    TEST_ASSERT_LESS_OR_EQUAL(SCENE_CASE_WORK / 2u, tc_scene_step_work(&sc.scene));
}

void scene_case_row(uint32_t n, tc_real e)
{
    begin_small(2, n, n - 1u, TC_C(0.0), e);
    for (uint32_t i = 0; i < n; ++i) {
        mover[i] = (tc_scene_mover){.kind = TC_SCENE_PARTICLE, .mass = TC_C(1.0)};
        surface[i] = (tc_scene_surface){.mover = (uint16_t)i, .shape2 = &ball2};
        if (i > 0u) pair[i - 1u] = (tc_scene_pair){(uint16_t)(i - 1u), (uint16_t)i, 0};
        sc.q[2u * i] = TC_C(0.2) * (tc_real)i;
        sc.q[2u * i + 1u] = TC_C(0.5);
    }
    end_small();
}

void scene_case_ball(tc_real height, tc_real mu, tc_real e)
{
    begin_small(2, 1, 1, mu, e);
    mover[0] = (tc_scene_mover){.kind = TC_SCENE_PARTICLE, .mass = TC_C(2.0)};
    surface[0] = (tc_scene_surface){.mover = 0, .shape2 = &ball2};
    pair[0] = (tc_scene_pair){0, 1, 0};
    sc.scene.gravity[1] = TC_C(-10.0);
    sc.q[1] = height;
    end_small();
}

void scene_case_slot(tc_real height, tc_real gap)
{
    static tc_plane2 ceiling;
    scene_case_ball(height, TC_C(0.5), TC_C(0.0));
    ceiling = floor2;
    ceiling.normal[1] = -floor2.normal[1];
    ceiling.offset = -gap;
    surface[2] = (tc_scene_surface){.mover = TC_SCENE_WORLD, .plane2 = &ceiling};
    pair[1] = (tc_scene_pair){0, 2, 0};
    sc.scene.surfaces = 3;
    sc.scene.pairs = 2;
    sc.scene.gravity[1] = TC_C(0.0);
    end_small();
}

void scene_case_box(uint32_t dimension, tc_real height, tc_real mu, tc_real e)
{
    begin_small(dimension, 1, 1, mu, e);
    mover[0] = (tc_scene_mover){.kind = TC_SCENE_BODY, .body2 = &box2, .body3 = &box3};
    surface[0] = (tc_scene_surface){.mover = 0, .shape2 = &square2, .shape3 = &cube3};
    pair[0] = (tc_scene_pair){0, 1, 0};
    sc.scene.gravity[dimension - 1u] = TC_C(-10.0);
    sc.q[dimension - 1u] = height;
    if (dimension == 3u) sc.q[3] = TC_C(1.0);
    end_small();
}

/* ---- What is done with them ------------------------------------------------------------------ */

double scene_case_energy(void)
{
    tc_scene_placed placed;
    tc_real *const end = scene_case_work + SCENE_CASE_WORK / 2u;
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_open(&sc.scene, &placed, end, SCENE_CASE_WORK / 2u));
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_place(&placed, sc.q, sc.v));
    return (double)tc_scene_kinetic(&placed, sc.v) + (double)tc_scene_potential(&placed);
}

tc_status scene_case_step(const tc_scene_step_config *config, tc_scene_step_info *info)
{
    return tc_scene_step(&sc.scene, config, sc.q, sc.v, info, scene_case_work,
                         tc_scene_step_work(&sc.scene));
}
