/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distance of posed shapes: closed forms; random pairs of every kind, proven in double.
 *
 * A pair's distance D has two proofs, whatever found it. The value of b's signed distance somewhere
 * in a is no less than the least: D may not exceed one, and the point of the gap comes close to D.
 * And a plane with the gap's normal between a and the body {value of b <= D - tolerance} shows that
 * no point of a lies deeper. The values are the signed distances written here, in double; supports,
 * too.
 */
#include "pose_case.h"

#include <math.h>

#ifdef __arm__
#define MEET_PAIRS 2u
#define MEET_TRIES 150u
#else
#define MEET_PAIRS 60u
#define MEET_TRIES 900u
#endif

typedef double vec3[3];

static tc_sdf meet_shape[2];
static tc_convex_pose meet_pose[2];
static tc_convex_gap meet_gap;

static tc_status meet(tc_meet_rule rule)
{
    return tc_meet_distance(&meet_shape[0], &meet_pose[0], &meet_shape[1], &meet_pose[1], rule,
                            &meet_gap, NULL, 0);
}

/* ---- Oracle ---------------------------------------------------------------------------------- */

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

/* Half edges of the outer body; returns the rounding */
static double sizes_of(const tc_sdf *s, vec3 h)
{
    const double a = (double)s->size[0], b = (double)s->size[1], c = (double)s->size[2];
    h[0] = h[1] = h[2] = a;
    if (s->kind == &tc_sdf_sphere) return a;
    h[2] = s->kind == &tc_sdf_box ? c : b + (s->kind == &tc_sdf_capsule ? a : 0.0);
    if (s->kind == &tc_sdf_capsule) return a;
    if (s->kind == &tc_sdf_cylinder) return c;
    h[1] = b;
    return (double)s->size[3];
}

static int is_round(const tc_sdf *s)
{
    return s->kind != &tc_sdf_box;
}

/* Signed distance and gradient, shape's axes */
static double value_of(const tc_sdf *s, const vec3 p, vec3 g)
{
    vec3 h, q, m;
    g[0] = g[1] = g[2] = 0.0;
    if (s->kind == &tc_sdf_halfspace) {
        g[2] = 1.0;
        return p[2];
    }
    const double r = sizes_of(s, h), rho = hypot(p[0], p[1]);
    const int round = is_round(s);
    q[0] = round ? rho - (h[0] - r) : fabs(p[0]) - (h[0] - r);
    q[1] = round ? -1e9 : fabs(p[1]) - (h[1] - r);
    q[2] = fabs(p[2]) - (h[2] - r);
    const int most = q[1] > q[0] ? (q[2] > q[1] ? 2 : 1) : (q[2] > q[0] ? 2 : 0);
    for (int i = 0; i < 3; ++i) m[i] = q[i] > 0.0 ? q[i] : 0.0;
    const double length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    for (int i = 0; i < 3; ++i) {
        const double along = q[most] > 0.0 ? m[i] / length : i == most ? 1.0 : 0.0;
        g[i] = p[i] < 0.0 ? -along : along;
    }
    if (round) {
        const double across = fabs(g[0]);
        g[0] = rho > 0.0 ? across * p[0] / rho : across;
        g[1] = rho > 0.0 ? across * p[1] / rho : 0.0;
    }
    return (q[most] > 0.0 ? length : q[most]) - r;
}

/* The greatest n.x in the body value <= -inset, shape's axes */
static double reach_of(const tc_sdf *s, const vec3 n, double inset)
{
    vec3 h;
    if (s->kind == &tc_sdf_halfspace) return n[2] > 1.0 - 1e-6 ? -inset : 1e9;
    const double r = sizes_of(s, h), taken = inset > r ? inset : r;
    const double x = is_round(s) ? hypot(n[0], n[1]) : fabs(n[0]);
    const double y = is_round(s) ? 0.0 : fabs(n[1]);
    return x * (h[0] - taken) + y * (h[1] - taken) + fabs(n[2]) * (h[2] - taken) + taken - inset;
}

static void to_side(uint32_t side, const vec3 x, int point, vec3 local)
{
    const tc_convex_pose *const at = &meet_pose[side];
    for (uint32_t i = 0; i < 3; ++i) {
        local[i] = 0.0;
        for (uint32_t k = 0; k < 3; ++k) {
            const double away = x[k] - (point ? (double)at->position[k] : 0.0);
            local[i] += (double)at->rotation[3 * k + i] * away;
        }
    }
}

/* Value and gradient of a side at a world point */
static double value_at(uint32_t side, const vec3 x, vec3 g)
{
    vec3 local, turned;
    to_side(side, x, 1, local);
    const double value = value_of(&meet_shape[side], local, turned);
    for (uint32_t i = 0; i < 3; ++i) {
        g[i] = 0.0;
        for (uint32_t k = 0; k < 3; ++k) {
            g[i] += (double)meet_pose[side].rotation[3 * i + k] * turned[k];
        }
    }
    return value;
}

/* x becomes a point of a: its own value is taken off along the gradient, which is exact */
static void pull_inside(vec3 x)
{
    vec3 g;
    for (uint32_t again = 0; again < 2; ++again) {
        const double value = value_at(0, x, g);
        for (uint32_t k = 0; k < 3 && value > 0.0; ++k) x[k] -= value * g[k];
    }
}

/* The least value of b that a search from x finds in a: steps against the gradient and at random */
static double search_least(vec3 x, double pace)
{
    vec3 g, y;
    uint32_t missed = 0;
    pull_inside(x);
    double best = value_at(1, x, g);
    for (uint32_t i = 0; i < MEET_TRIES; ++i) {
        (void)value_at(1, x, g);
        for (uint32_t k = 0; k < 3; ++k) {
            const double way = i % 4 == 0 ? -g[k] : (double)test_uniform(-1, 1);
            y[k] = x[k] + pace * way;
        }
        pull_inside(y);
        const double value = value_at(1, y, g);
        missed = value < best ? 0 : missed + 1;
        if (value < best) {
            best = value;
            memcpy(x, y, sizeof y);
        }
        if (missed > 24) {
            pace *= 0.6;
            missed = 0;
        }
    }
    return best;
}

/* How far a and the body value <= -inset of b are apart along the gap's normal */
static double apart_at(double inset)
{
    vec3 n, back, local;
    double sum = 0.0;
    for (uint32_t k = 0; k < 3; ++k) {
        n[k] = (double)meet_gap.normal[k];
        back[k] = -n[k];
        sum += n[k] * ((double)meet_pose[0].position[k] - (double)meet_pose[1].position[k]);
    }
    to_side(0, back, 0, local);
    sum -= reach_of(&meet_shape[0], local, 0.0);
    to_side(1, n, 0, local);
    return sum - reach_of(&meet_shape[1], local, inset);
}

static double size_of(uint32_t side)
{
    vec3 h;
    if (meet_shape[side].kind == &tc_sdf_halfspace) return 1e9;
    (void)sizes_of(&meet_shape[side], h);
    return fmax(h[0], fmax(h[1], h[2]));
}

/* Both proofs; `close`: how close to D the value at the gap's point comes, of both sizes */
static void prove_gap(double tolerance, double close)
{
    const double size = least_of(size_of(0), size_of(1)), d = (double)meet_gap.distance;
    const double sum = least_of(size_of(0), 0.5) + least_of(size_of(1), 0.5);
    vec3 x, g;
    const int rims =
        meet_shape[0].kind == &tc_sdf_cylinder || meet_shape[1].kind == &tc_sdf_cylinder;
    const double slack = rims ? 2e-4 * sum : 0.0; /* their normals are less certain */
    double other = 0.0;
    for (uint32_t k = 0; k < 3; ++k) x[k] = (double)meet_gap.point_a[k];
    TEST_ASSERT_TRUE(fabs(value_at(0, x, g)) <= 1e-5 * size);
    TEST_ASSERT_TRUE(fabs(value_at(1, x, g) - d) <= close * sum);
    TEST_ASSERT_TRUE(search_least(x, 0.01 * size) >= d - tolerance * size);
    TEST_ASSERT_TRUE(search_least(x, 0.001 * size) <= d + 4.0 * tolerance * size);
    if (d <= 0.0) TEST_ASSERT_TRUE(apart_at(2.0 * tolerance * sum + slack - d) >= 0.0);
    for (uint32_t k = 0; k < 3; ++k) {
        const double way = (double)meet_gap.point_b[k] - (double)meet_gap.point_a[k];
        other = fmax(other, fabs(way + d * (double)meet_gap.normal[k]));
    }
    TEST_ASSERT_TRUE(other <= 1e-6);
}

/* ---- Shapes and poses ------------------------------------------------------------------------ */

static void place(uint32_t side, const double q[4], double x, double y, double z)
{
    pose_set(&meet_pose[side], q, x, y, z);
}

static const double upright[4] = {1, 0, 0, 0};

static void place_flat(uint32_t side, double x, double y, double z)
{
    place(side, upright, x, y, z);
}

static tc_real draw_size(void)
{
    return test_uniform(TC_C(0.03), TC_C(0.2));
}

static void draw_shape(uint32_t kind, uint32_t side)
{
    const tc_real x = draw_size(), y = draw_size(), z = draw_size();
    const tc_real least = x < y ? (x < z ? x : z) : (y < z ? y : z);
    const tc_real rounding = test_uniform(0, 1) < TC_C(0.5) ? TC_C(0.0) : TC_C(0.3) * least;
    const tc_sdf drawn[5] = {TC_SDF_SPHERE(x), TC_SDF_CAPSULE(TC_C(0.3) * x, y),
                             TC_SDF_BOX(x, y, z, rounding), TC_SDF_CYLINDER(x, y, rounding),
                             TC_SDF_HALFSPACE};
    meet_shape[side] = drawn[kind];
}

/* Every kind on every kind, a quarter of the pairs parallel or nearly so */
static void draw_pair(uint32_t round)
{
    double q[4] = {1, 0, 0, 0};
    for (uint32_t side = 0; side < 2; ++side) {
        const int parallel = side == 1 && round % 4 == 0;
        const double turn =
            parallel ? (round % 8 == 0 ? 0.0 : (double)test_log_uniform(1e-7, 0.1)) : 1.0;
        draw_shape(side == 0 ? round % 25 / 5 : round % 5, side);
        for (uint32_t k = 0; k < 4; ++k) {
            const double x = (double)test_uniform(-1, 1);
            q[k] = parallel ? q[k] + turn * x : x;
        }
        tc_real at[3];
        test_fill(at, 3, TC_C(-0.2), TC_C(0.2));
        place(side, q, (double)at[0], (double)at[1], (double)at[2]);
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void test_random_meetings_are_proven(void)
{
    uint32_t sunk = 0, over = 0, limits = 0, asked = 0;
    test_seed(15201);
    for (uint32_t round = 0; round < 25 * TEST_ROUNDS(MEET_PAIRS); ++round) {
        draw_pair(round);
        if (round % 25 == 24) continue;
        const tc_status status = meet(TC_MEET_DEEPEST);
        TEST_ASSERT_TRUE(status >= TC_OK);
        over += status == TC_NOTE_OVERLAP;
        limits += status == TC_NOTE_LIMIT;
        if (status != TC_OK) continue;
        ++asked;
        sunk += meet_gap.distance < 0;
        prove_gap(1e-5, 5e-4);
    }
    TEST_ASSERT_TRUE(2 * over < asked && 5 * sunk > asked);
    TEST_ASSERT_TRUE(20 * limits <= asked);
}

static void test_smooth_meetings_to_rounding(void)
{
    test_seed(15202);
    for (uint32_t round = 0; round < TEST_ROUNDS(MEET_PAIRS); ++round) {
        draw_pair(round);
        meet_shape[0] = round % 2 == 0 ? (tc_sdf)TC_SDF_SPHERE(draw_size())
                                       : (tc_sdf)TC_SDF_CAPSULE(TC_C(0.05), TC_C(0.1));
        meet_shape[1] = round % 3 == 0
                            ? (tc_sdf)TC_SDF_SPHERE(TC_C(0.2))
                            : (tc_sdf)TC_SDF_BOX(TC_C(0.2), TC_C(0.2), TC_C(0.2), TC_C(0.19));
        if (meet(TC_MEET_DEEPEST) != TC_OK || meet_gap.distance < TC_C(-0.19)) continue;
        vec3 x, g;
        double off = 0.0;
        for (uint32_t k = 0; k < 3; ++k) x[k] = (double)meet_gap.point_a[k];
        TEST_ASSERT_TRUE(fabs(value_at(1, x, g) - (double)meet_gap.distance) <= 2e-7);
        for (uint32_t k = 0; k < 3; ++k) off = fmax(off, fabs(g[k] - (double)meet_gap.normal[k]));
        TEST_ASSERT_TRUE(off <= 1e-4);
        prove_gap(1e-6, 1e-6);
    }
}

/* A sharp box whose lower edge is sunk by `depth` into a floor, turned by 45 degrees about y */
static void sink_edge(uint32_t box, double depth)
{
    const double q[4] = {cos(0.39269908169872414), 0, sin(0.39269908169872414), 0};
    meet_shape[box] = (tc_sdf)TC_SDF_BOX(TC_C(0.1), TC_C(0.2), TC_C(0.1), TC_C(0.0));
    meet_shape[1 - box] = (tc_sdf)TC_SDF_HALFSPACE;
    place_flat(1 - box, 0, 0, 0);
    place(box, q, 0, 0, 0.1 * sqrt(2.0) - depth);
}

static void test_meetings_have_their_closed_forms(void)
{
    sink_edge(0, 0.01);
    TEST_ASSERT_EQUAL_INT(TC_OK, meet(TC_MEET_DEEPEST));
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, -0.01f, (float)meet_gap.distance);
    sink_edge(1, 0.01);
    TEST_ASSERT_EQUAL_INT(TC_OK, meet(TC_MEET_DEEPEST));
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, -0.00707107f, (float)meet_gap.distance);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, -1.0f, (float)meet_gap.normal[2]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.0f, (float)meet_gap.point_a[2]);
    TEST_ASSERT_EQUAL_INT(TC_OK, meet(TC_MEET_TRANSLATION));
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, -0.01f, (float)meet_gap.distance);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, -1.0f, (float)meet_gap.normal[2]);

    meet_shape[0] = (tc_sdf)TC_SDF_SPHERE(TC_C(0.05));
    meet_shape[1] = (tc_sdf)TC_SDF_BOX(TC_C(0.1), TC_C(0.2), TC_C(0.3), TC_C(0.02));
    place_flat(0, 0.06, 0.05, 0.1);
    place_flat(1, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, meet(TC_MEET_DEEPEST));
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, -0.09f, (float)meet_gap.distance);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1.0f, (float)meet_gap.normal[0]);
}

/* a holds b's middle: the depth of b is known, and there is a way out */
static void test_concentric_meetings_overlap(void)
{
    for (uint32_t round = 0; round < 25; ++round) {
        test_seed(15203 + round);
        draw_shape(round / 5, 0);
        draw_shape(round % 5, 1);
        place_flat(0, 0, 0, 0);
        place_flat(1, 0, 0, 0);
        if (meet_shape[1].kind == &tc_sdf_halfspace) continue;
        const tc_status status = meet(TC_MEET_DEEPEST);
        vec3 g;
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_OVERLAP);
        const double middle = value_of(&meet_shape[1], (vec3){0, 0, 0}, g);
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, (float)middle, (float)meet_gap.distance);
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 1.0f,
                                 (float)(meet_gap.normal[0] * meet_gap.normal[0]
                                         + meet_gap.normal[1] * meet_gap.normal[1]
                                         + meet_gap.normal[2] * meet_gap.normal[2]));
    }
}

/* Sharp faces that touch, as far as float can tell, from either side */
static void test_touching_faces_have_their_normal(void)
{
    static const double gaps[6] = {0, 1e-8, -1e-8, 3e-7, -1e-6, 1e-5};
    meet_shape[0] = (tc_sdf)TC_SDF_BOX(TC_C(0.1), TC_C(0.04), TC_C(0.02), TC_C(0.0));
    for (uint32_t round = 0; round < 24; ++round) {
        const double turn[4] = {1, 0, 0, 0.3 * (double)(round / 12)};
        meet_shape[1] = round / 6 % 2 == 0
                            ? (tc_sdf)TC_SDF_BOX(TC_C(0.2), TC_C(0.2), TC_C(0.05), TC_C(0.0))
                            : (tc_sdf)TC_SDF_CYLINDER(TC_C(0.06), TC_C(0.05), TC_C(0.0));
        place(0, turn, 0.013, -0.02, 0.07 + gaps[round % 6]);
        place_flat(1, 0, 0, 0);
        TEST_ASSERT_TRUE(meet(TC_MEET_DEEPEST) >= TC_OK);
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, 1.0f, (float)meet_gap.normal[2]);
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0.0f, (float)meet_gap.normal[0]);
        TEST_ASSERT_FLOAT_WITHIN(2e-7f, (float)gaps[round % 6], (float)meet_gap.distance);
    }
}

/* Sharp edges that cross a hair apart: their products give the normal, and the faces do not */
static void test_crossing_edges_have_their_normal(void)
{
    static const double gaps[5] = {0, 2e-8, -2e-8, 4e-7, -3e-6};
    const double eighth = 0.39269908169872414;
    for (uint32_t round = 0; round < 10; ++round) {
        const double below[4] = {cos(eighth), sin(eighth), 0, 0};
        const double above[4] = {cos(eighth), 0, sin(eighth), 0};
        const tc_real h = round < 5 ? TC_C(0.1) : TC_C(0.04);
        meet_shape[0] = (tc_sdf)TC_SDF_BOX(h, TC_C(0.2), h, TC_C(0.0));
        meet_shape[1] = (tc_sdf)TC_SDF_BOX(TC_C(0.2), TC_C(0.1), TC_C(0.1), TC_C(0.0));
        place(0, above, 0.01, 0.02, sqrt(2.0) * (0.1 + (double)h) + gaps[round % 5]);
        place(1, below, 0, 0, 0);
        TEST_ASSERT_TRUE(meet(TC_MEET_DEEPEST) >= TC_OK);
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0.0f, (float)meet_gap.normal[0]);
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0.0f, (float)meet_gap.normal[1]);
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, 1.0f, (float)meet_gap.normal[2]);
        TEST_ASSERT_FLOAT_WITHIN(3e-6f, (float)gaps[round % 5], (float)meet_gap.distance);
    }
}

/* The motion of both changes only the axes */
static void test_meetings_move_with_both(void)
{
    test_seed(15204);
    for (uint32_t round = 0; round < TEST_ROUNDS(4 * MEET_PAIRS); ++round) {
        draw_pair(round);
        if (round % 25 == 24) continue;
        const tc_status before = meet(TC_MEET_DEEPEST);
        const tc_convex_gap first = meet_gap;
        const tc_convex_pose old[2] = {meet_pose[0], meet_pose[1]};
        place(0, (const double[4]){0.3, -0.5, 0.7, 0.4}, 0.1, 0.3, -0.2);
        const tc_convex_pose by = meet_pose[0];
        for (uint32_t side = 0; side < 2; ++side) {
            for (uint32_t i = 0; i < 3; ++i) {
                const tc_real *const R = by.rotation + 3 * i;
                for (uint32_t j = 0; j < 3; ++j) {
                    meet_pose[side].rotation[3 * i + j] = R[0] * old[side].rotation[j]
                                                          + R[1] * old[side].rotation[3 + j]
                                                          + R[2] * old[side].rotation[6 + j];
                }
                meet_pose[side].position[i] = by.position[i] + R[0] * old[side].position[0]
                                              + R[1] * old[side].position[1]
                                              + R[2] * old[side].position[2];
            }
        }
        const tc_status after = meet(TC_MEET_DEEPEST);
        if (before != TC_OK || after != TC_OK) continue;
        TEST_ASSERT_FLOAT_WITHIN(2e-6f, (float)first.distance, (float)meet_gap.distance);
    }
}

/* ---- Unions ---------------------------------------------------------------------------------- */

static void test_unions_have_the_least_of_their_parts(void)
{
    static const tc_real turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    test_seed(15205);
    for (uint32_t round = 0; round < TEST_ROUNDS(2 * MEET_PAIRS); ++round) {
        tc_sdf part[2];
        draw_pair(round % 20);
        part[0] = meet_shape[1];
        draw_shape(1 + round % 3, 1);
        part[1] = meet_shape[1];
        if (meet_shape[0].kind == &tc_sdf_halfspace) continue;
        const tc_sdf_part parts[2] = {{&part[0], {TC_C(0.1), TC_C(0.0), TC_C(0.0)}, NULL},
                                      {&part[1], {TC_C(0.0), TC_C(-0.1), TC_C(0.05)}, turn}};
        const tc_sdf_parts all = {parts, 2};
        const tc_convex_pose at = meet_pose[1];
        tc_real least = 1;
        for (uint32_t i = 0; i < 2; ++i) {
            tc_convex_pose *const to = &meet_pose[1];
            *to = at;
            for (uint32_t k = 0; k < 3; ++k) {
                for (uint32_t j = 0; j < 3; ++j) {
                    to->position[k] += at.rotation[3 * k + j] * parts[i].position[j];
                }
                if (i == 0) continue;
                to->rotation[3 * k] = at.rotation[3 * k + 1];
                to->rotation[3 * k + 1] = -at.rotation[3 * k];
            }
            meet_shape[1] = part[i];
            TEST_ASSERT_TRUE(meet(TC_MEET_DEEPEST) >= TC_OK);
            if (meet_gap.distance < least) least = meet_gap.distance;
        }
        meet_pose[1] = at;
        meet_shape[1] = (tc_sdf)TC_SDF_DATA(tc_sdf_union, &all);
        TEST_ASSERT_TRUE(meet(TC_MEET_DEEPEST) >= TC_OK);
        TEST_ASSERT_FLOAT_WITHIN(2e-6f, (float)least, (float)meet_gap.distance);
    }
}

/* Flat ground as a terrain: either side of the pair, alone and in a union */
static void test_terrains_meet_from_either_side(void)
{
    static const int16_t flat[16] = {100, 100, 100, 100, 100, 100, 100, 100,
                                     100, 100, 100, 100, 100, 100, 100, 100};
    static const tc_sdf_heights heights = {
        {0, NULL, NULL, 0}, flat, 4, 4, TC_C(1e-3), TC_C(0.5), {TC_C(-0.75), TC_C(-0.75), 0}};
    static const tc_sdf terrain = TC_SDF_DATA(tc_sdf_terrain, &heights);
    const tc_sdf_part part = {&terrain, {0, 0, TC_C(-0.1)}, NULL};
    const tc_sdf_parts parts = {&part, 1};
    const tc_sdf lowered = TC_SDF_DATA(tc_sdf_union, &parts);
    test_seed(15211);
    for (uint32_t round = 0; round < 8; ++round) {
        draw_shape(round % 4, 0);
        const double q[4] = {1, 0.3 * (double)round, -0.2, 0.5}, low = round < 4 ? 0.1 : 0.0;
        place(0, q, 0.1, -0.05, 0.2);
        place_flat(1, 0, 0, low);
        meet_shape[1] = (tc_sdf)TC_SDF_HALFSPACE;
        TEST_ASSERT_EQUAL_INT(TC_OK, meet(TC_MEET_DEEPEST));
        const tc_convex_gap first = meet_gap;
        place_flat(1, 0, 0, 0);
        meet_shape[1] = round < 4 ? terrain : lowered;
        TEST_ASSERT_EQUAL_INT(TC_OK, meet(TC_MEET_DEEPEST));
        TEST_ASSERT_FLOAT_WITHIN(1e-6f, (float)first.distance, (float)meet_gap.distance);
        tc_convex_gap turned;
        tc_real by_a[TC_SDF_PARAMETERS], by_b[TC_SDF_PARAMETERS], by[12];
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_meet_grad(&meet_shape[0], &meet_pose[0], &meet_shape[1],
                                                  &meet_pose[1], &meet_gap, by_a, NULL, NULL, 0));
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_meet_distance(&meet_shape[1], &meet_pose[1], &meet_shape[0],
                                                      &meet_pose[0], 0, &turned, NULL, 0));
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_meet_grad(&meet_shape[1], &meet_pose[1], &meet_shape[0],
                                                  &meet_pose[0], &turned, NULL, by_b, NULL, 0));
        TEST_ASSERT_EQUAL_INT(TC_OK,
                              tc_meet_grad_pose(&meet_shape[1], &meet_pose[1], &meet_shape[0],
                                                &meet_pose[0], &turned, by, by + 6, NULL, 0));
        TEST_ASSERT_EQUAL_FLOAT((float)meet_gap.distance, (float)turned.distance);
        TEST_ASSERT_FLOAT_WITHIN(1e-6f, -1.0f, (float)turned.normal[2]);
        TEST_ASSERT_FLOAT_WITHIN(1e-6f, -1.0f, (float)by[2]);
        TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1.0f, (float)by[8]);
        for (uint32_t i = 0; i < tc_sdf_parameters(&meet_shape[0]); ++i) {
            TEST_ASSERT_FLOAT_WITHIN(1e-6f, (float)by_a[i], (float)by_b[i]);
        }
    }
    meet_shape[0] = (tc_sdf)TC_SDF_HALFSPACE;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, meet(TC_MEET_DEEPEST));
}

/* ---- Translation ----------------------------------------------------------------------------- */

/* Moved out by it along the normal, the pair is apart; by a little less, it is not */
static void test_translation_parts_the_pair(void)
{
    uint32_t sunk = 0;
    test_seed(15206);
    for (uint32_t round = 0; round < 25 * TEST_ROUNDS(MEET_PAIRS); ++round) {
        draw_pair(round);
        if (round % 25 == 24) continue;
        const tc_status status = meet(TC_MEET_TRANSLATION);
        TEST_ASSERT_TRUE(status >= TC_OK);
        const tc_convex_gap first = meet_gap;
        if (first.distance > 0) continue;
        ++sunk;
        for (uint32_t k = 0; k < 3; ++k) {
            meet_pose[0].position[k] -= TC_C(1.0001) * first.distance * first.normal[k];
        }
        TEST_ASSERT_TRUE(apart_at(0.0) >= -2e-6);
        TEST_ASSERT_TRUE(meet(TC_MEET_DEEPEST) >= TC_OK);
        TEST_ASSERT_TRUE(meet_gap.distance >= TC_C(-3e-6));
        if (status == TC_OK) TEST_ASSERT_TRUE(meet_gap.distance <= TC_C(1e-4));
    }
    TEST_ASSERT_TRUE(sunk > 6);
}

/* How far two sharp boxes are apart along the best of 15 axes, which goes to n: normals of faces and
 * products of edges. It is their distance where a corner is over a face, or edges cross. */
static double separate_boxes(vec3 n)
{
    double best = -1e9;
    for (uint32_t i = 0; i < 15; ++i) {
        const tc_real *const A = meet_pose[0].rotation, *const B = meet_pose[1].rotation;
        vec3 m, u, v;
        for (uint32_t k = 0; k < 3; ++k) {
            u[k] = (double)A[3 * k + i % 3];
            v[k] = (double)B[3 * k + i / 3 % 3];
        }
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t l = (k + 1) % 3, o = (k + 2) % 3;
            m[k] = i < 9 ? u[l] * v[o] - u[o] * v[l] : i < 12 ? u[k] : (double)B[3 * k + i - 12];
        }
        const double length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        for (int side = -1; side < 2 && length > 1e-3; side += 2) {
            for (uint32_t k = 0; k < 3; ++k) {
                meet_gap.normal[k] = (tc_real)((double)side * m[k] / length);
            }
            if (apart_at(0.0) <= best) continue;
            best = apart_at(0.0);
            for (uint32_t k = 0; k < 3; ++k) n[k] = (double)side * m[k] / length;
        }
    }
    return best;
}

/* The least translation of two overlapping boxes is along a face's normal or a product of edges */
static void test_boxes_part_along_the_best_axis(void)
{
    test_seed(15207);
    for (uint32_t round = 0; round < TEST_ROUNDS(4 * MEET_PAIRS); ++round) {
        vec3 n;
        draw_pair(round);
        draw_shape(2, 0);
        draw_shape(2, 1);
        if (meet(TC_MEET_TRANSLATION) != TC_NOTE_OVERLAP) continue;
        const double best = -separate_boxes(n);
        TEST_ASSERT_TRUE(meet(TC_MEET_TRANSLATION) == TC_NOTE_OVERLAP);
        TEST_ASSERT_TRUE((double)meet_gap.distance >= -best - 1e-5);
    }
}

/* Corners and edges that touch to rounding, where the search ends without certainty: the nearest
 * points that it saw count. */
static void test_boxes_a_hair_apart(void)
{
    static const tc_convex_pose poses[3][2] = {
        {{{TC_C(0.290533453), TC_C(0.731142998), TC_C(-0.617268384), TC_C(-0.934422910),
           TC_C(0.077897228), TC_C(-0.347542673), TC_C(-0.206019893), TC_C(0.677762449),
           TC_C(0.705828488)},
          {TC_C(-0.164064378), TC_C(-0.129833207), TC_C(0.037857175)}},
         {{TC_C(0.439543784), TC_C(-0.894596636), TC_C(0.080611095), TC_C(-0.381896913),
           TC_C(-0.104897194), TC_C(0.918232739), TC_C(-0.812991977), TC_C(-0.434388608),
           TC_C(-0.387750596)},
          {TC_C(0.0), TC_C(0.0), TC_C(0.0)}}},
        {{{TC_C(-0.549913585), TC_C(-0.802460849), TC_C(-0.231628165), TC_C(-0.828247547),
           TC_C(0.559695423), TC_C(0.027332189), TC_C(0.107708208), TC_C(0.206875801),
           TC_C(-0.972420335)},
          {TC_C(-0.121250287), TC_C(0.002644717), TC_C(-0.150947481)}},
         {{TC_C(-0.554434955), TC_C(-0.287883043), TC_C(0.780849040), TC_C(-0.510468602),
           TC_C(-0.623393238), TC_C(-0.592285991), TC_C(0.657285094), TC_C(-0.726982951),
           TC_C(0.198675722)},
          {TC_C(0.0), TC_C(0.0), TC_C(0.0)}}},
        {{{TC_C(0.593791187), TC_C(0.301654518), TC_C(0.745933354), TC_C(0.761308610),
           TC_C(-0.510687470), TC_C(-0.399509132), TC_C(0.260425061), TC_C(0.805110455),
           TC_C(-0.532893896)},
          {TC_C(-0.222395286), TC_C(-0.019041792), TC_C(0.026577216)}},
         {{TC_C(-0.701752901), TC_C(0.675532401), TC_C(-0.226271600), TC_C(0.649326384),
           TC_C(0.737163126), TC_C(0.186991453), TC_C(0.293117851), TC_C(-0.015702320),
           TC_C(-0.955947340)},
          {TC_C(0.0), TC_C(0.0), TC_C(0.0)}}},
    };
    for (uint32_t i = 0; i < 2u; ++i) {
        meet_shape[i] = (tc_sdf)TC_SDF_BOX(TC_C(0.1), TC_C(0.07), TC_C(0.05), TC_C(0.0));
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        vec3 n;
        memcpy(meet_pose, poses[i], sizeof meet_pose);
        const double apart = separate_boxes(n);
        TEST_ASSERT_TRUE(fabs(apart) < 2e-7);
        TEST_ASSERT_TRUE(meet(TC_MEET_DEEPEST) >= TC_OK);
        TEST_ASSERT_FLOAT_WITHIN(3e-5f, (float)apart, (float)meet_gap.distance);
    }
}

/* The widest gap over directions near n, which is refined */
static double search_directions(vec3 n, double pace)
{
    double best = -1e9;
    vec3 m;
    for (uint32_t i = 0; i < MEET_TRIES; ++i) {
        double length = 0.0;
        for (uint32_t k = 0; k < 3; ++k) {
            m[k] = n[k] + (i == 0 ? 0.0 : pace * (double)test_uniform(-1, 1));
            length += m[k] * m[k];
        }
        for (uint32_t k = 0; k < 3; ++k) {
            m[k] /= sqrt(length);
            meet_gap.normal[k] = (tc_real)m[k];
        }
        const double apart = apart_at(0.0);
        if (apart > best) {
            best = apart;
            memcpy(n, m, sizeof m);
        }
        if (i % 16 == 15) pace *= 0.8;
    }
    return best;
}

/* Of overlapping cores no direction near the way out has a shorter one, and hardly any elsewhere */
static void test_ways_out_are_the_shortest(void)
{
    uint32_t asked = 0, longer = 0;
    test_seed(15212);
    for (uint32_t round = 0; round < TEST_ROUNDS(6 * MEET_PAIRS); ++round) {
        draw_pair(round);
        draw_shape(1 + round % 3, 0);
        draw_shape(1 + round / 3 % 3, 1);
        if (meet(TC_MEET_TRANSLATION) != TC_NOTE_OVERLAP) continue;
        const tc_convex_gap first = meet_gap;
        vec3 n;
        for (uint32_t k = 0; k < 3; ++k) n[k] = (double)first.normal[k];
        TEST_ASSERT_FLOAT_WITHIN(2e-6f, (float)apart_at(0.0), (float)first.distance);
        TEST_ASSERT_TRUE(search_directions(n, 0.05) <= (double)first.distance + 2e-5);
        test_fill(meet_gap.normal, 3, TC_C(-1.0), TC_C(1.0));
        for (uint32_t k = 0; k < 3; ++k) n[k] = (double)meet_gap.normal[k];
        longer += search_directions(n, 1.0) > (double)first.distance + 1e-4;
        ++asked;
    }
    TEST_ASSERT_TRUE(50 * longer <= asked);
}

/* ---- Derivatives ----------------------------------------------------------------------------- */

static void check_size(uint32_t side, uint32_t i, tc_real derivative)
{
    const tc_real kept = meet_shape[side].size[i], step = TC_C(1e-4);
    meet_shape[side].size[i] = kept + step;
    const tc_status above = meet(TC_MEET_DEEPEST);
    const tc_real high = meet_gap.distance;
    meet_shape[side].size[i] = kept - step;
    const tc_status below = meet(TC_MEET_DEEPEST);
    const tc_real slope = (high - meet_gap.distance) / (TC_C(2.0) * step);
    meet_shape[side].size[i] = kept;
    if (above != TC_OK || below != TC_OK) return;
    TEST_ASSERT_FLOAT_WITHIN(0.02f, (float)slope, (float)derivative);
}

static void test_meet_grads_match_differences(void)
{
    tc_real by[2][TC_SDF_PARAMETERS];
    test_seed(15208);
    for (uint32_t round = 0; round < 25 * TEST_ROUNDS(MEET_PAIRS / 2); ++round) {
        draw_pair(4 * round + 1);
        if (meet(TC_MEET_DEEPEST) != TC_OK) continue;
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t count = tc_sdf_parameters(&meet_shape[side]);
            if (count == 0u) continue;
            TEST_ASSERT_EQUAL_INT(TC_OK,
                                  tc_meet_grad(&meet_shape[0], &meet_pose[0], &meet_shape[1],
                                               &meet_pose[1], &meet_gap, side == 0 ? by[0] : NULL,
                                               side == 1 ? by[1] : NULL, NULL, 0));
        }
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t count = tc_sdf_parameters(&meet_shape[side]);
            for (uint32_t i = 0; i < count; ++i) {
                if (meet_shape[side].size[i] > TC_C(2e-4)) check_size(side, i, by[side][i]);
            }
        }
    }
}

/* Either side moved and turned a little */
static void check_pose(uint32_t side, uint32_t i, tc_real derivative)
{
    const tc_convex_pose kept = meet_pose[side];
    tc_real distance[2];
    const tc_real step = TC_C(2e-4);
    int known = 1;
    for (uint32_t way = 0; way < 2; ++way) {
        const tc_real by = way == 0 ? step : -step;
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        meet_pose[side] = kept;
        if (i < 3) {
            meet_pose[side].position[i] += by;
        } else {
            for (uint32_t c = 0; c < 3; ++c) {
                meet_pose[side].rotation[3 * j + c] -= by * kept.rotation[3 * k + c];
                meet_pose[side].rotation[3 * k + c] += by * kept.rotation[3 * j + c];
            }
        }
        known = meet(TC_MEET_DEEPEST) == TC_OK && known;
        distance[way] = meet_gap.distance;
    }
    meet_pose[side] = kept;
    if (!known) return;
    TEST_ASSERT_FLOAT_WITHIN(0.02f, (float)((distance[0] - distance[1]) / (2 * step)),
                             (float)derivative);
}

static void test_meet_grads_by_pose_match_differences(void)
{
    tc_real by[2][6];
    test_seed(15210);
    for (uint32_t round = 0; round < 25 * TEST_ROUNDS(MEET_PAIRS / 2); ++round) {
        draw_pair(4 * round + 1);
        if (meet(TC_MEET_DEEPEST) != TC_OK) continue;
        TEST_ASSERT_EQUAL_INT(TC_OK,
                              tc_meet_grad_pose(&meet_shape[0], &meet_pose[0], &meet_shape[1],
                                                &meet_pose[1], &meet_gap, by[0], by[1], NULL, 0));
        for (uint32_t i = 0; i < 12; ++i) check_pose(i / 6, i % 6, by[i / 6][i % 6]);
    }
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void test_meet_refuses_bad_input(void)
{
    static const tc_convex_gap none = {0};
    tc_real by[TC_SDF_PARAMETERS];
    test_seed(15209);
    draw_pair(12);
    TEST_ASSERT_EQUAL_INT(TC_OK, meet(TC_MEET_DEEPEST));
    const tc_convex_pose *const at = &meet_pose[0];
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_meet_distance(NULL, at, &meet_shape[1], at, 0, &meet_gap, NULL, 0));
    TEST_ASSERT_EQUAL_MEMORY(&none, &meet_gap, sizeof none);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_meet_distance(meet_shape, at, meet_shape, at, 0, NULL, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_meet_grad(meet_shape, at, meet_shape, NULL, &none, by, by, NULL, 0));
    TEST_ASSERT_EQUAL_INT(
        TC_ERR_NULL, tc_meet_grad_pose(meet_shape, at, meet_shape, at, &none, by, NULL, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, meet((tc_meet_rule)2));
    meet_pose[1].position[1] = TC_C(2e6);
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, meet(TC_MEET_DEEPEST));
    meet_pose[1].position[1] = TC_C(0.0) * meet_pose[1].position[1] / TC_C(0.0);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, meet(TC_MEET_DEEPEST));
    meet_pose[1].position[1] = 0;
    meet_pose[0].rotation[4] += TC_C(0.1);
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNIT, meet(TC_MEET_DEEPEST));
    place_flat(0, 0, 0, 0);
    meet_shape[0] = meet_shape[1] = (tc_sdf)TC_SDF_HALFSPACE;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, meet(TC_MEET_DEEPEST));
    TEST_ASSERT_EQUAL_MEMORY(&none, &meet_gap, sizeof none);
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, tc_meet_grad(&meet_shape[0], at, &meet_shape[1], at,
                                                           &none, by, NULL, NULL, 0));
}

void suite_meet(void);

void suite_meet(void)
{
    RUN_TEST(test_meetings_have_their_closed_forms);
    RUN_TEST(test_concentric_meetings_overlap);
    RUN_TEST(test_touching_faces_have_their_normal);
    RUN_TEST(test_crossing_edges_have_their_normal);
    RUN_TEST(test_smooth_meetings_to_rounding);
    RUN_TEST(test_random_meetings_are_proven);
    RUN_TEST(test_meetings_move_with_both);
    RUN_TEST(test_unions_have_the_least_of_their_parts);
    RUN_TEST(test_terrains_meet_from_either_side);
    RUN_TEST(test_translation_parts_the_pair);
    RUN_TEST(test_boxes_part_along_the_best_axis);
    RUN_TEST(test_boxes_a_hair_apart);
    RUN_TEST(test_ways_out_are_the_shortest);
    RUN_TEST(test_meet_grads_match_differences);
    RUN_TEST(test_meet_grads_by_pose_match_differences);
    RUN_TEST(test_meet_refuses_bad_input);
}
