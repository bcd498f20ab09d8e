/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The implicit step, in the plane and in space: ways that start and end apart but are blocked in
 * between, the same scene told in another way, and momentum.
 *
 * Blocked ways. A rod lies between obstacles that it fits between on both sides of a range of
 * angles, but not within it. Whatever way a step takes, it does not get past that range.
 */
#include "implicit_case.h"

#include "tc_implicit2.h"
#include "tc_implicit3.h"

#include <math.h>

#ifdef TC_DOUBLE
#define SAME 1e-7    /* [m], [rad], of two ways to tell a scene */
#define MOMENT 1e-10 /* [kg m^2] */
#else
#define SAME 5e-5
#define MOMENT 3e-8
#endif

#define WORK 1700u
#define RECORD 128u
#define STATE 28u
#define BODIES 3u
#define CORNERS 4u

static tc_real corner[BODIES][3u * CORNERS];
static tc_implicit_body body[BODIES];
static tc_implicit_piece piece[BODIES];
static tc_implicit_pair pair[BODIES];
static tc_implicit_floor ground[2];
static tc_implicit_scene scene;
static tc_implicit_sizes sizes;
static tc_implicit_info info;
static tc_real work[WORK], record[RECORD], state[STATE], next[STATE];
static uint32_t dimension;

static void set_piece(uint32_t b, uint32_t count, double radius, const double (*at)[3])
{
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < dimension; ++k) corner[b][dimension * i + k] = (tc_real)at[i][k];
    }
    piece[b].body = b;
    piece[b].set = (tc_barrier_set){corner[b], count, (tc_real)radius};
}

static void set_stage(uint32_t d, uint32_t bodies)
{
    dimension = d;
    scene = tc_implicit_default(d == 2u ? tc_implicit2_space() : tc_implicit3_space());
    memset(body, 0, sizeof body);
    memset(pair, 0, sizeof pair);
    memset(ground, 0, sizeof ground);
    for (uint32_t b = 0; b < bodies; ++b) {
        body[b].mass = TC_C(0.5) + TC_C(0.2) * (tc_real)b;
        for (uint32_t k = 0; k < 3u; ++k) {
            body[b].inertia[k] = body[b].mass * (TC_C(0.006) + TC_C(0.001) * (tc_real)k);
        }
    }
    scene.body = body;
    scene.bodies = scene.pieces = bodies;
    scene.piece = piece;
    scene.pair = pair;
    scene.floor = ground;
}

static void checked(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_check(&scene, &sizes));
    TEST_ASSERT_TRUE(sizes.work <= WORK && sizes.record <= RECORD && sizes.state <= STATE);
}

static tc_status advance(const tc_real *warm)
{
    return tc_implicit_step(&scene, state, NULL, warm, next, record, work, WORK, &info);
}

/* ---- Blocked ways ---------------------------------------------------------------------------- */

/* A rod of length 2 half, whose end is 1 m from its hinge at the origin, at angle 0 along +x. There
 * something beyond x = wall blocks it: a wide piece, or a floor. */
static void hang_rod(uint32_t d, double wall, double half, int floor)
{
    const double rod[2][3] = {{-half, 0, 0}, {half, 0, 0}}, deep = d == 2u ? 0 : 3;
    const double wide[4][3] = {
        {wall, -3, -deep}, {wall, 3, deep}, {wall, 3, -deep}, {wall, -3, deep}};
    set_stage(d, 2);
    set_piece(0, 2, 0.01, rod);
    set_piece(1, d == 2u ? 2 : 4, 0.002, wide);
    body[0].joint = TC_IMPLICIT_HINGE;
    body[0].parent = body[1].parent = TC_IMPLICIT_WORLD;
    body[0].axis[2] = TC_C(1.0);
    body[0].anchor[0] = (tc_real)(half - 1);
    body[1].joint = TC_IMPLICIT_WELD;
    pair[0] = (tc_implicit_pair){0, 1, TC_C(0.0)};
    scene.pairs = !floor;
    scene.floors = (uint32_t)floor;
    ground[0].normal[0] = TC_C(-1.0);
    ground[0].offset = (tc_real)-wall;
    checked();
}

/* Its end would go through the wall within the step, and come out again on the other side. */
static void test_swing_is_blocked(void)
{
    uint32_t beyond = 0;
    test_seed(17301);
    for (uint32_t round = 0; round < TEST_ROUNDS(240); ++round) {
        const double wall = (double)test_uniform(TC_C(0.94), TC_C(1.01));
        const double room = wall - 0.012, most = acos(room);
        const double half = (double)test_uniform(TC_C(0.05), TC_C(0.5));
        hang_rod(2u + (round & 1u), wall, half, (int)(round >> 1 & 1u));
        scene.weight = test_log_uniform(1e-9, 1e-5);
        const double from = most + (double)test_uniform(TC_C(0.02), TC_C(0.3));
        const tc_real q[1] = {(tc_real)-from}, v[1] = {test_uniform(TC_C(5.0), TC_C(40.0))};
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
        const double end = (double)(v[0] * scene.step) - from;
        beyond += end > most && end + from < 1.0;
        for (uint32_t k = 0; k < 4u; ++k) {
            TEST_ASSERT_TRUE(advance(k > 0u && round & 4u ? record : NULL) >= TC_OK);
            TEST_ASSERT_TRUE_MESSAGE(next[0] < TC_C(0.0), "it swung through");
            memcpy(state, next, sizeof state);
        }
    }
    TEST_ASSERT_TRUE(beyond > 0);
}

/* The angle of a free body that turns about z alone */
static double heading_of(const tc_real *q)
{
    return dimension == 2u ? (double)q[2] : 2 * atan2((double)q[6], (double)q[3]);
}

/* A free rod between two walls y = -half and y = half, which are nearer than it is long: floors, or
 * one floor and a wide piece */
static void fence_rod(uint32_t d, double half, int piecewise)
{
    const double rod[2][3] = {{-0.2, 0, 0}, {0.2, 0, 0}}, deep = d == 2u ? 0 : 3;
    const double wide[4][3] = {
        {-3, half, -deep}, {3, half, deep}, {3, half, -deep}, {-3, half, deep}};
    set_stage(d, 2);
    set_piece(0, 2, 0.0, rod);
    set_piece(1, d == 2u ? 2 : 4, 0.0, wide);
    body[1].joint = TC_IMPLICIT_WELD;
    body[1].parent = TC_IMPLICIT_WORLD;
    if (d == 3u) body[0].locked = 4u + 8u + 16u; /* else it would turn round out of the plane */
    pair[0] = (tc_implicit_pair){1, 0, TC_C(0.0)};
    scene.pairs = (uint32_t)piecewise;
    scene.floors = piecewise ? 1u : 2u;
    for (uint32_t f = 0; f < 2u; ++f) {
        ground[f].normal[1] = f ? TC_C(-1.0) : TC_C(1.0);
        ground[f].offset = (tc_real)-half;
    }
    checked();
}

/* It cannot turn round there, however fast it spins and flies. */
static void test_corridor_keeps_heading(void)
{
    uint32_t beyond = 0;
    test_seed(17302);
    for (uint32_t round = 0; round < TEST_ROUNDS(240); ++round) {
        const double half = 0.2 * (double)test_uniform(TC_C(0.9), TC_C(0.98));
        const double from = asin(half / 0.2) - (double)test_uniform(TC_C(0.03), TC_C(0.1));
        const double spin = (double)test_uniform(TC_C(5.0), TC_C(50.0));
        const uint32_t d = 2u + (round & 1u), F = d == 2u ? 3u : 6u;
        tc_real q[7] = {0}, v[6] = {0};
        fence_rod(d, half, (int)(round >> 1 & 1u));
        scene.weight = test_log_uniform(1e-9, 1e-6);
        q[2] = (tc_real)from;
        if (d == 3u) q[2] = TC_C(0.0);
        if (d == 3u) q[3] = (tc_real)cos(from / 2);
        if (d == 3u) q[6] = (tc_real)sin(from / 2);
        v[0] = test_uniform(TC_C(-1.0), TC_C(1.0));
        v[F - 1u] = (tc_real)spin;
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
        const double end = from + spin * (double)scene.step;
        beyond += 0.2 * sin(end) < half && end < from + 1.0;
        for (uint32_t k = 0; k < 4u; ++k) {
            TEST_ASSERT_TRUE(advance(k > 0u && round & 4u ? record : NULL) >= TC_OK);
            TEST_ASSERT_TRUE_MESSAGE(fabs(heading_of(next)) < 1.5707, "it turned round");
            memcpy(state, next, sizeof state);
        }
    }
    TEST_ASSERT_TRUE(beyond > 0);
}

/* ---- The same scene in another way ----------------------------------------------------------- */

typedef enum telling { AS_IS, SWAPPED, REVERSED, MIRRORED, ROTATED, TELLINGS } telling;

static const double told_turn[2] = {0.8, 0.6}; /* cosine and sine */

static void tell_vector(telling how, tc_real x[3])
{
    const double c = told_turn[0], s = told_turn[1], a = (double)x[0], b = (double)x[1];
    if (how == MIRRORED) x[1] = -x[1];
    if (how != ROTATED) return;
    x[0] = (tc_real)(c * a - s * b);
    x[1] = (tc_real)(s * a + c * b);
}

/* A pose: of 3 numbers, or of 7 */
static void tell_pose(telling how, tc_real *q)
{
    const double turn = atan2(told_turn[1], told_turn[0]), c = cos(turn / 2), s = sin(turn / 2);
    tell_vector(how, q);
    if (dimension == 2u) {
        q[2] = how == MIRRORED ? -q[2] : how == ROTATED ? q[2] + (tc_real)turn : q[2];
        return;
    }
    const double w = (double)q[3], x = (double)q[4], y = (double)q[5], z = (double)q[6];
    if (how == MIRRORED) {
        q[4] = -q[4];
        q[6] = -q[6];
    } else if (how == ROTATED) {
        q[3] = (tc_real)(c * w - s * z);
        q[4] = (tc_real)(c * x - s * y);
        q[5] = (tc_real)(c * y + s * x);
        q[6] = (tc_real)(c * z + s * w);
    }
}

/* Both halves of a state */
static void tell_state(telling how, const tc_real *from, tc_real *to)
{
    const uint32_t n = scene.bodies, size = dimension == 2u ? 3u : 7u;
    for (uint32_t i = 0; i < 2u * n; ++i) {
        const uint32_t b = i % n, slot = how == REVERSED ? i - b + (n - 1u - b) : i;
        memcpy(to + slot * size, from + i * size, size * sizeof *to);
        tell_pose(how, to + slot * size);
    }
}

/* Free bodies in a heap over a slope with friction: three in the plane, two in space */
static void set_heap(uint32_t d, telling how, double friction)
{
    static const double shape[BODIES][CORNERS][3] = {
        {{-0.06, -0.05, -0.04}, {0.08, -0.04, -0.05}, {0.01, 0.09, -0.03}, {0.0, 0.02, 0.08}},
        {{-0.09, 0, 0}, {0.09, 0.01, 0.02}},
        {{-0.05, -0.04, 0}, {0.05, -0.04, 0}, {0.06, 0.05, 0}, {-0.04, 0.05, 0}}};
    static const uint32_t counts[BODIES] = {4, 2, 4};
    const uint32_t n = d == 2u ? 3u : 2u;
    set_stage(d, n);
    for (uint32_t b = 0; b < n; ++b) {
        const uint32_t slot = how == REVERSED ? n - 1u - b : b;
        const uint32_t count = d == 2u && b == 0u ? 3u : counts[b];
        body[slot].mass = TC_C(0.5) + TC_C(0.2) * (tc_real)b;
        for (uint32_t k = 0; k < 3u; ++k) {
            body[slot].inertia[k] = body[slot].mass * (TC_C(0.006) + TC_C(0.001) * (tc_real)k);
        }
        set_piece(slot, count, b ? 0.01 : 0.0, shape[b]);
        for (uint32_t i = 0; i < count; ++i) {
            if (how == MIRRORED) corner[slot][d * i + 1u] = -corner[slot][d * i + 1u];
        }
    }
    scene.pairs = tc_implicit_pairs(&scene, (tc_real)friction, pair, BODIES);
    for (uint32_t p = 0; p < scene.pairs && how == SWAPPED; ++p) {
        const uint32_t a = pair[p].a;
        pair[p].a = pair[p].b;
        pair[p].b = a;
    }
    ground[0] = (tc_implicit_floor){{TC_C(0.0), TC_C(1.0), TC_C(0.0)}, TC_C(-0.3), TC_C(0.3)};
    tell_vector(how, ground[0].normal);
    scene.floors = 1;
    scene.weight = TC_C(1e-4);
    scene.gravity[0] = TC_C(2.0);
    scene.gravity[1] = TC_C(-9.0);
    tell_vector(how, scene.gravity);
    checked();
}

static void draw_state(void)
{
    tc_real q[14], v[12];
    const uint32_t size = dimension == 2u ? 3u : 7u;
    do {
        test_fill(q, 14, TC_C(-1.0), TC_C(1.0));
        for (uint32_t b = 0; b < scene.bodies; ++b) {
            for (uint32_t k = 0; k < dimension; ++k) q[size * b + k] *= TC_C(0.2);
        }
        test_fill(v, 12, TC_C(-1.0), TC_C(1.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
    } while (advance(NULL) == TC_ERR_TOUCHING);
}

/* Order of bodies and of a pair's pieces, a mirror and a rotation change a step by rounding. */
static void test_tellings_agree(void)
{
    tc_real start[STATE], end[STATE], told[STATE];
    uint32_t judged = 0;
    test_seed(17303);
    for (uint32_t round = 0; round < TEST_ROUNDS(64); ++round) {
        const uint32_t d = 2u + (round & 1u);
        const double friction = round & 2u ? 0.4 : 0.0;
        set_heap(d, AS_IS, friction);
        draw_state();
        memcpy(start, state, sizeof start);
        if (advance(NULL) != TC_OK || info.gap < TC_C(0.002)) continue;
        const tc_real gap = info.gap;
        memcpy(end, next, sizeof end);
        for (uint32_t how = SWAPPED; how < TELLINGS; ++how) {
            set_heap(d, (telling)how, friction);
            tell_state((telling)how, start, state);
            tell_state((telling)how, end, told);
            TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
            test_near(gap, info.gap, (tc_real)SAME, 0, "gap");
            for (uint32_t i = 0; i < sizes.state; ++i) {
                test_near(told[i], next[i], (tc_real)SAME, 0, "a number of the next state");
            }
        }
        ++judged;
    }
    TEST_ASSERT_TRUE(judged > 0);
}

/* The same input has the same bits, whatever was in work and outputs; a warm start is near. */
static void test_steps_repeat(void)
{
    tc_real end[STATE], kept[RECORD];
    test_seed(17304);
    for (uint32_t round = 0; round < TEST_ROUNDS(48); ++round) {
        set_heap(2u + (round & 1u), AS_IS, 0.3);
        draw_state();
        for (uint32_t k = 0; k < 3u; ++k) {
            const tc_status status = advance(NULL);
            TEST_ASSERT_TRUE(status >= TC_OK);
            memcpy(end, next, sizeof end);
            memcpy(kept, record, sizeof kept);
            test_fill(work, WORK, TC_C(-9.0), TC_C(9.0));
            TEST_ASSERT_EQUAL(status, advance(NULL));
            TEST_ASSERT_EQUAL_MEMORY(end, next, sizes.state * sizeof *end);
            TEST_ASSERT_EQUAL_MEMORY(kept, record, sizes.record * sizeof *kept);
            memcpy(state, end, sizeof state);
        }
        TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
        memcpy(end, next, sizeof end);
        TEST_ASSERT_TRUE(advance(kept) >= TC_OK);
        for (uint32_t i = 0; i < sizes.state; ++i) {
            test_near(end[i], next[i], (tc_real)SAME, 0, "a warm start");
        }
    }
}

/* ---- Momentum -------------------------------------------------------------------------------- */

/* R of a quaternion, by columns of rotated axes */
static void turn_axes(const tc_real *q, double R[3][3])
{
    const double w = (double)q[0];
    const double v[3] = {(double)q[1], (double)q[2], (double)q[3]};
    for (uint32_t k = 0; k < 3u; ++k) {
        const uint32_t i = (k + 1u) % 3u, j = (k + 2u) % 3u;
        R[k][k] = w * w + v[k] * v[k] - v[i] * v[i] - v[j] * v[j];
        R[k][i] = 2 * (v[k] * v[i] + w * v[j]);
        R[k][j] = 2 * (v[k] * v[j] - w * v[i]);
    }
}

/* sum += m x cross (y - 2 now + before), and its size */
static void add_moment(double m, const double x[3], const double accelerated[3], double sum[4])
{
    for (uint32_t k = 0; k < 3u; ++k) {
        const uint32_t i = (k + 1u) % 3u, j = (k + 2u) % 3u;
        sum[k] += m * (x[i] * accelerated[j] - x[j] * accelerated[i]);
        sum[3] += fabs(m * x[i] * accelerated[j]);
    }
}

/* A body's material points: its mass in the centre, and on each axis its second moment */
static void add_body_moment(uint32_t b, double sum[4])
{
    const tc_real *const at[3] = {next + 7 * b, state + 7 * b, state + 14 + 7 * b};
    double R[3][3][3], x[3], accelerated[3], trace = 0;
    for (uint32_t t = 0; t < 3u; ++t) turn_axes(at[t] + 3, R[t]);
    for (uint32_t k = 0; k < 3u; ++k) trace += (double)body[b].inertia[k] / 2;
    for (uint32_t k = 0; k < 3u; ++k) {
        x[k] = (double)at[0][k];
        accelerated[k] = x[k] - 2 * (double)at[1][k] + (double)at[2][k];
    }
    add_moment((double)body[b].mass, x, accelerated, sum);
    for (uint32_t k = 0; k < 3u; ++k) {
        for (uint32_t i = 0; i < 3u; ++i) {
            accelerated[i] = R[0][k][i] - 2 * R[1][k][i] + R[2][k][i];
        }
        add_moment(trace - (double)body[b].inertia[k], R[0][k], accelerated, sum);
    }
}

/* No moment acts on both bodies together, about the origin, where their points end. */
static void test_moments_cancel(void)
{
    test_seed(17305);
    for (uint32_t round = 0; round < TEST_ROUNDS(80); ++round) {
        double sum[4] = {0};
        set_heap(3, AS_IS, 0.0);
        scene.floors = 0;
        scene.gravity[0] = scene.gravity[1] = TC_C(0.0);
        scene.weight = test_log_uniform(1e-4, 1e-2);
        checked();
        draw_state();
        if (advance(NULL) != TC_OK) continue;
        for (uint32_t b = 0; b < 2u; ++b) add_body_moment(b, sum);
        for (uint32_t k = 0; k < 3u; ++k) {
            TEST_ASSERT_TRUE(fabs(sum[k]) <= MOMENT + 1e-5 * sum[3]);
        }
    }
}

void suite_implicit_moves(void)
{
    RUN_TEST(test_swing_is_blocked);
    RUN_TEST(test_corridor_keeps_heading);
    RUN_TEST(test_tellings_agree);
    RUN_TEST(test_steps_repeat);
    RUN_TEST(test_moments_cancel);
}
