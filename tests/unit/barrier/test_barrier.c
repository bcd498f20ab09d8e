/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Barriers in space: closed forms; the four properties of the potential (barrier, smooth, pushes only,
 * never vanishes) and invariance on random pairs; the floor; faults. Pairs are separated by
 * construction: the gap along a random normal is drawn, every third pair has parallel faces.
 */
#include "../pose_case.h"

#include <math.h>

#ifdef __arm__
#define PAIRS 12u
#else
#define PAIRS 300u
#endif
#define VERTICES 12u

/* What single precision leaves of a quantity, and double */
#define TENTH(single, twice) (sizeof(tc_real) == 8 ? (twice) : (single))

static tc_real vertices[2][3 * VERTICES];
static tc_barrier_set set[2];
static tc_convex_pose at[2];
static tc_barrier_config config;
static tc_barrier3_plane plane;
static tc_barrier3_pair pair;
static tc_barrier3_derivatives rates;
static double normal[3]; /* along which the pair is apart */

static tc_status ask(void)
{
    return tc_barrier3_solve(&config, &set[0], &at[0], &set[1], &at[1], &plane, &pair);
}

static tc_status ask_rates(void)
{
    return tc_barrier3_derive(&config, &set[0], &at[0], &set[1], &at[1], &plane, &rates);
}

static void forget(void)
{
    memset(&plane, 0, sizeof plane);
}

static void body_box(uint32_t side, double x, double y, double z)
{
    const double half[3] = {x, y, z};
    for (uint32_t i = 0; i < 24; ++i) {
        vertices[side][i] = (tc_real)(i / 3 >> i % 3 & 1 ? half[i % 3] : -half[i % 3]);
    }
    set[side].count = 8;
    set[side].radius = 0;
}

static void body_random(uint32_t side, uint32_t kind)
{
    if (kind % 4 == 0) {
        body_box(side, (double)test_uniform(TC_C(0.1), TC_C(0.5)),
                 (double)test_uniform(TC_C(0.1), TC_C(0.5)), 0.2);
        return;
    }
    set[side].count = kind % 4 == 1 ? 1 : kind % 4 == 2 ? 2 : 1 + test_below(VERTICES);
    set[side].radius = kind % 4 == 3 ? 0 : test_uniform(TC_C(0.05), TC_C(0.3));
    test_fill(vertices[side], 3 * set[side].count, TC_C(-0.5), TC_C(0.5));
}

/* World place of a vertex from its body's position, in double */
static void place_of(uint32_t side, uint32_t i, double y[3])
{
    for (uint32_t k = 0; k < 3; ++k) {
        y[k] = 0;
        for (uint32_t j = 0; j < 3; ++j) {
            y[k] += (double)at[side].rotation[3 * k + j] * (double)vertices[side][3 * i + j];
        }
    }
}

/* The most of a body along n, from its position, with the radius */
static double reach_along(uint32_t side, const double n[3])
{
    double y[3], most = -1e9;
    for (uint32_t i = 0; i < set[side].count; ++i) {
        place_of(side, i, y);
        most = fmax(most, y[0] * n[0] + y[1] * n[1] + y[2] * n[2]);
    }
    return most + (double)set[side].radius;
}

static void turn_body(uint32_t side)
{
    double q[4];
    for (uint32_t k = 0; k < 4; ++k) q[k] = (double)test_uniform(-1, 1);
    pose_rotation(q, at[side].rotation);
}

/* A pair that `gap` is left of along the normal */
static void draw_pair(uint32_t round, double gap)
{
    double length = 0, back[3], aside = 0, slide[3];
    for (uint32_t side = 0; side < 2; ++side) {
        set[side].vertices = vertices[side];
        body_random(side, side == 0 ? round : round / 4);
        turn_body(side);
    }
    if (round % 3 == 0) memcpy(at[1].rotation, at[0].rotation, sizeof at[1].rotation);
    for (uint32_t k = 0; k < 3; ++k) {
        const double drawn = (double)test_uniform(-1, 1);
        normal[k] = round % 3 == 0 ? (double)at[0].rotation[3 * k] : drawn;
        slide[k] = 0.2 * (double)test_uniform(-1, 1);
        length += normal[k] * normal[k];
    }
    for (uint32_t k = 0; k < 3; ++k) {
        normal[k] /= sqrt(length);
        back[k] = -normal[k];
        aside += normal[k] * slide[k];
    }
    const double apart = reach_along(0, back) + reach_along(1, normal) + gap - aside;
    for (uint32_t k = 0; k < 3; ++k) {
        const double origin = (double)test_uniform(-1, 1);
        at[1].position[k] = (tc_real)origin;
        at[0].position[k] = (tc_real)(origin + apart * normal[k] + slide[k]);
    }
    config = tc_barrier_default();
    forget();
}

static void draw_any(uint32_t round)
{
    draw_pair(round, test_log_uniform_wide(1e-3, 3));
}

static double length_of(const tc_real x[3])
{
    return sqrt((double)x[0] * (double)x[0] + (double)x[1] * (double)x[1]
                + (double)x[2] * (double)x[2]);
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* Two balls, and all vertices in a point each: (sqrt A + (sqrt a + sqrt b) / sqrt gap)^2 */
static void test_balls_and_clusters(void)
{
    test_seed(3);
    for (uint32_t round = 0; round < TEST_ROUNDS(60); ++round) {
        const uint32_t a = 1 + round % 5, b = 1 + round / 5 % 3;
        draw_pair(4, 1);
        for (uint32_t side = 0; side < 2; ++side) {
            set[side].count = side == 0 ? a : b;
            set[side].radius = test_uniform(TC_C(0.01), TC_C(0.2));
            for (uint32_t i = 3; i < 3 * VERTICES; ++i) {
                vertices[side][i] = vertices[side][i % 3];
            }
        }
        const double drawn = test_log_uniform_wide(1e-2, 100);
        double y[2][3], gap = 0;
        place_of(0, 0, y[0]);
        place_of(1, 0, y[1]);
        const double wanted = drawn + (double)set[0].radius + (double)set[1].radius;
        for (uint32_t k = 0; k < 3; ++k) {
            at[0].position[k] =
                (tc_real)((double)at[1].position[k] + y[1][k] - y[0][k] + wanted * normal[k]);
            const double off =
                (double)at[0].position[k] - (double)at[1].position[k] + y[0][k] - y[1][k];
            gap += off * off;
        }
        gap = sqrt(gap) - (double)set[0].radius - (double)set[1].radius;
        const double root = sqrt(12.0) + (sqrt(a) + sqrt(b)) / sqrt(gap);
        TEST_ASSERT_EQUAL(TC_OK, ask());
        test_near((tc_real)(root * root), pair.value, 0, (tc_real)TENTH(3e-5, 1e-12), "value");
        test_near((tc_real)gap, pair.gap, 0, (tc_real)TENTH(1e-4, 1e-12), "gap");
        TEST_ASSERT_EQUAL(TC_OK, ask_rates());
        const double slope = root * (sqrt(a) + sqrt(b)) / (gap * sqrt(gap));
        test_near((tc_real)slope, (tc_real)length_of(rates.gradient), 0,
                  (tc_real)TENTH(1e-4, 1e-11), "force");
    }
}

/* kappa and length: A + Q + kappa 2 sqrt(A Q) / sqrt(1 + length Q), its force by differences */
static void test_near_and_far(void)
{
    const double Q = 4.0 / 0.05, A = 3, kappa = 50, length = 0.2;
    test_seed(5);
    draw_pair(5, 0.05);
    for (uint32_t side = 0; side < 2; ++side) set[side].count = 1;
    memset(vertices, 0, sizeof vertices);
    memset(at[0].position, 0, sizeof at[0].position);
    memcpy(at[1].position, at[0].position, sizeof at[1].position);
    set[0].radius = set[1].radius = TC_C(0.25);
    at[0].position[1] = TC_C(0.55);
    config.A = (tc_real)A;
    config.kappa = (tc_real)kappa;
    config.length = (tc_real)length;
    TEST_ASSERT_EQUAL(TC_OK, ask());
    const double far = 2 * kappa * sqrt(A * Q / (1 + length * Q));
    test_near((tc_real)(A + Q + far), pair.value, 0, (tc_real)TENTH(2e-6, 1e-6), "value");
    TEST_ASSERT_EQUAL(TC_OK, ask_rates());
    const double slope = 1 + kappa * sqrt(A / Q) / pow(1 + length * Q, 1.5);
    test_near((tc_real)(-slope * Q / 0.05), rates.gradient[1], 0, (tc_real)TENTH(1e-4, 1e-6),
              "force");
    const double n = sqrt(Q) / (sqrt(A) + sqrt(Q));
    test_near((tc_real)n, plane.normal[1], 0, (tc_real)TENTH(1e-5, 1e-6), "plane");
}

/* ---- The four properties --------------------------------------------------------------------- */

/* Q >= 1/u + 1/v >= 4 / gap along any normal; P lies between that of the nearest and of all vertices */
static void test_barrier_at_touch(void)
{
    test_seed(7);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        const double gap = test_log_uniform_wide(TENTH(3e-4, 1e-6), 1);
        draw_pair(round, gap);
        const tc_status status = ask();
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_PRECISION);
        const double one = sqrt(12.0) + 2 / sqrt((double)pair.gap);
        const double all = sqrt(12.0) + (sqrt(set[0].count) + sqrt(set[1].count)) / sqrt(gap);
        TEST_ASSERT_TRUE((double)pair.value >= one * one * (1 - TENTH(1e-3, 1e-10)));
        TEST_ASSERT_TRUE((double)pair.value <= all * all * (1 + TENTH(5e-3, 1e-9)));
    }
}

/* The force on A is along point_a - point_b, these are within the bodies, and there is some */
static void test_pushes_only(void)
{
    test_seed(11);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        draw_pair(round, test_log_uniform_wide(1e-3, 300));
        TEST_ASSERT_EQUAL(TC_OK, ask());
        TEST_ASSERT_EQUAL(TC_OK, ask_rates());
        double between[3], along = 0, square = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            between[k] = (double)pair.point_a[k] - (double)pair.point_b[k];
            along -= between[k] * (double)rates.gradient[k];
            square += between[k] * between[k];
        }
        const double force = length_of(rates.gradient), apart = sqrt(square);
        TEST_ASSERT_TRUE(force > 0);
        TEST_ASSERT_TRUE(apart >= (double)pair.gap * (1 - TENTH(1e-3, 1e-10)));
        TEST_ASSERT_TRUE(along >= force * apart * (1 - TENTH(2e-3, 1e-9)));
        for (uint32_t side = 0; side < 2; ++side) {
            for (uint32_t probe = 0; probe < 8; ++probe) {
                const tc_real *point = side == 0 ? pair.point_a : pair.point_b;
                double n[3], here = 0, size = 0;
                for (uint32_t k = 0; k < 3; ++k) {
                    n[k] = (double)test_uniform(-1, 1);
                    here += n[k] * ((double)point[k] - (double)at[side].position[k]);
                    size += n[k] * n[k];
                }
                const double r = (double)set[side].radius * (sqrt(size) - 1);
                TEST_ASSERT_TRUE(here <= reach_along(side, n) + r + TENTH(1e-4, 1e-12));
            }
        }
    }
}

/* Moves body `side` by x along freedom j of its six, from a pose that is kept */
static void move_body(const tc_convex_pose *from, uint32_t side, uint32_t j, double x)
{
    at[side] = *from;
    if (j < 3) {
        at[side].position[j] = (tc_real)((double)from->position[j] + x);
        return;
    }
    const uint32_t a = (j + 1) % 3, b = (j + 2) % 3;
    for (uint32_t k = 0; k < 3; ++k) {
        const double p = (double)from->rotation[3 * a + k], q = (double)from->rotation[3 * b + k];
        at[side].rotation[3 * a + k] = (tc_real)(cos(x) * p - sin(x) * q);
        at[side].rotation[3 * b + k] = (tc_real)(sin(x) * p + cos(x) * q);
    }
}

static double entry_of(const tc_real *hessian, uint32_t i, uint32_t j)
{
    return (double)(i >= j ? hessian[i * (i + 1) / 2 + j] : hessian[j * (j + 1) / 2 + i]);
}

/* Derivatives are those of value, gradient and plane by differences: smooth, whatever faces, edges or
 * corners are nearest. Differences need double. */
static void test_derivatives_by_differences(void)
{
    if (sizeof(tc_real) < 8) return;
    static tc_barrier3_derivatives end[2];
    tc_barrier3_plane found[2], here;
    test_seed(13);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        draw_any(round);
        TEST_ASSERT_EQUAL(TC_OK, ask());
        TEST_ASSERT_EQUAL(TC_OK, ask_rates());
        const tc_barrier3_derivatives middle = rates;
        const double step = 1e-5 * (double)pair.gap / (1 + (double)pair.gap);
        const double force = length_of(middle.gradient);
        double most = 0;
        for (uint32_t i = 0; i < 78; ++i) most = fmax(most, fabs((double)middle.hessian[i]));
        here = plane;
        for (uint32_t j = 0; j < 12; ++j) {
            const tc_convex_pose kept = at[j / 6];
            double value[2];
            for (uint32_t e = 0; e < 2; ++e) {
                move_body(&kept, j / 6, j % 6, e ? step : -step);
                plane = here;
                TEST_ASSERT_EQUAL(TC_OK, ask());
                TEST_ASSERT_EQUAL(TC_OK, ask_rates());
                value[e] = (double)pair.value;
                end[e] = rates;
                found[e] = plane;
            }
            at[j / 6] = kept;
            const double slope = (value[1] - value[0]) / (2 * step);
            TEST_ASSERT_TRUE(fabs(slope - (double)middle.gradient[j]) <= 1e-4 * force);
            for (uint32_t i = 0; i < 12 && j < 3; ++i) {
                const double bend =
                    ((double)end[1].gradient[i] - (double)end[0].gradient[i]) / (2 * step);
                TEST_ASSERT_TRUE(fabs(bend - entry_of(middle.hessian, i, j)) <= 1e-6 * most);
            }
            for (uint32_t i = 0; i < 4; ++i) {
                const tc_real *p = i < 3 ? &found[1].normal[i] : &found[1].offset;
                const tc_real *m = i < 3 ? &found[0].normal[i] : &found[0].offset;
                const double rate = ((double)*p - (double)*m) / (2 * step);
                const double right = (double)middle.plane_rate[12 * i + j];
                TEST_ASSERT_TRUE(fabs(rate - right)
                                     <= 1e-5 * (1 + 1 / (double)here.normal[0]) * (1 + fabs(right))
                                 || fabs(rate - right) <= 1e-3 * (1 + fabs(right)));
            }
        }
    }
}

/* ---- Invariance ------------------------------------------------------------------------------ */

/* Forces and moments about one point sum to 0, and so do their changes when both bodies shift */
static void test_momentum_is_kept(void)
{
    test_seed(17);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        draw_any(round);
        TEST_ASSERT_EQUAL(TC_OK, ask());
        TEST_ASSERT_EQUAL(TC_OK, ask_rates());
        const tc_real *g = rates.gradient;
        const double force = length_of(g), rough = TENTH(5e-5, 1e-10);
        double most = 0, arm[3];
        for (uint32_t k = 0; k < 3; ++k) {
            arm[k] = (double)at[0].position[k] - (double)at[1].position[k];
            TEST_ASSERT_TRUE(fabs((double)g[k] + (double)g[6 + k]) <= 1e-6 * force);
        }
        const double lever = 2 + sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t a = (k + 1) % 3, b = (k + 2) % 3;
            const double moment =
                (double)g[3 + k] + (double)g[9 + k] + arm[a] * (double)g[b] - arm[b] * (double)g[a];
            TEST_ASSERT_TRUE(fabs(moment) <= rough * force * lever / fmin(1, (double)pair.gap));
        }
        for (uint32_t i = 0; i < 78; ++i) most = fmax(most, fabs((double)rates.hessian[i]));
        for (uint32_t i = 0; i < 12; ++i) {
            for (uint32_t k = 0; k < 3; ++k) {
                const double sum =
                    entry_of(rates.hessian, i, k) + entry_of(rates.hessian, i, 6 + k);
                TEST_ASSERT_TRUE(fabs(sum) <= TENTH(1e-3, 1e-9) * most);
            }
        }
    }
}

/* B and A exchanged: the same value, the opposite plane, the exchanged gradient */
static void test_order_changes_nothing(void)
{
    test_seed(19);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        draw_any(round);
        TEST_ASSERT_EQUAL(TC_OK, ask());
        TEST_ASSERT_EQUAL(TC_OK, ask_rates());
        static tc_barrier3_derivatives first;
        const tc_barrier3_pair one = pair;
        const tc_barrier3_plane there = plane;
        first = rates;
        const double rough = TENTH(1e-5 + 2e-6 / (double)pair.gap, 1e-10);
        forget();
        TEST_ASSERT_EQUAL(
            TC_OK, tc_barrier3_solve(&config, &set[1], &at[1], &set[0], &at[0], &plane, &pair));
        TEST_ASSERT_EQUAL(
            TC_OK, tc_barrier3_derive(&config, &set[1], &at[1], &set[0], &at[0], &plane, &rates));
        TEST_ASSERT_TRUE(fabs((double)one.value - (double)pair.value)
                         <= rough * (double)pair.value);
        double most = 0;
        for (uint32_t i = 0; i < 12; ++i) most = fmax(most, fabs((double)first.gradient[i]));
        for (uint32_t i = 0; i < 12; ++i) {
            const double off = (double)first.gradient[i] - (double)rates.gradient[(i + 6) % 12];
            TEST_ASSERT_TRUE(fabs(off) <= rough * most);
        }
        for (uint32_t k = 0; k < 3; ++k) {
            TEST_ASSERT_TRUE(fabs((double)there.normal[k] + (double)plane.normal[k]) <= 10 * rough);
        }
    }
}

/* 1000 m away: the same pair, to the rounding of its positions */
static void test_far_coordinates(void)
{
    test_seed(23);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS) / 4 + 1; ++round) {
        draw_pair(round, 0.25);
        for (uint32_t side = 0; side < 2; ++side) {
            for (uint32_t k = 0; k < 3; ++k) {
                const double rounded = floor((double)at[side].position[k] * 1024) / 1024;
                at[side].position[k] = (tc_real)rounded;
            }
        }
        const tc_status status = ask();
        const tc_barrier3_pair near = pair;
        const tc_barrier3_plane kept = plane;
        for (uint32_t side = 0; side < 2; ++side) {
            for (uint32_t k = 0; k < 3; ++k) at[side].position[k] += TC_C(1000.0);
        }
        forget();
        TEST_ASSERT_EQUAL(status, ask());
        TEST_ASSERT_EQUAL_MEMORY(&near.value, &pair.value, sizeof pair.value);
        TEST_ASSERT_EQUAL_MEMORY(&kept, &plane, sizeof plane);
    }
}

/* ---- The search ------------------------------------------------------------------------------ */

/* No separated pair is refused, cold or after a move of a tenth of the gap */
static void test_nothing_apart_is_refused(void)
{
    test_seed(29);
    for (uint32_t round = 0; round < TEST_ROUNDS(20 * PAIRS); ++round) {
        draw_pair(round, test_log_uniform_wide(2e-4, 30));
        tc_status status = ask();
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_PRECISION);
        TEST_ASSERT_TRUE(pair.newton <= TC_BARRIER_NEWTON / 2);
        for (uint32_t k = 0; k < 3; ++k) {
            at[0].position[k] += TC_C(0.058) * pair.gap * test_uniform(-1, 1);
        }
        status = ask();
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_PRECISION);
        TEST_ASSERT_TRUE(pair.newton <= 10);
    }
}

/* Two boxes 1.2e-4 of their size apart, of a million: in single precision the normal of their closest
 * points misses the corner of an edge that it runs nearly along, and separates nothing. Searches were
 * refused; they begin with shrunk bodies now. */
static void test_closest_points_that_miss(void)
{
    static const tc_convex_pose poses[2] = {
        {{TC_C(0x1.3d9bp-1), TC_C(-0x1.1ac95p-2), TC_C(-0x1.77dee2p-1), TC_C(0x1.727f3ap-1),
          TC_C(-0x1.46d622p-3), TC_C(0x1.57cd3ep-1), TC_C(-0x1.35db46p-2), TC_C(-0x1.e5421ep-1),
          TC_C(0x1.9d09fp-4)},
         {TC_C(-0x1.5e4afp-3), TC_C(0x1.86c496p-2), TC_C(-0x1.9ffc18p-1)}},
        {{TC_C(0x1.fff7d2p-1), TC_C(0x1.6e20f8p-7), TC_C(0x1.446bdp-16), TC_C(-0x1.6e2102p-7),
          TC_C(0x1.fff7dp-1), TC_C(0x1.2282c2p-12), TC_C(-0x1.107714p-16), TC_C(-0x1.22b81ep-12),
          TC_C(0x1.fffffep-1)},
         {TC_C(0x1.add96ap-2), TC_C(0x1.00b492p-1), TC_C(-0x1.3a8b74p-2)}}};
    draw_pair(0, 1);
    memcpy(at, poses, sizeof at);
    body_box(0, 0x1.4edf36p-3, 0x1.d4eeaep-4, 0x1.b07fbp-2);
    body_box(1, 0x1.285202p-3, 0x1.12b68ep-2, 0x1.f49b08p-2);
    forget();
    const tc_status status = ask();
    TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_PRECISION);
    TEST_ASSERT_TRUE(pair.gap > TC_C(6e-5) && pair.gap < TC_C(8e-5));
}

/* A plane of another pair, turned round, or NaN starts no worse than none */
static void test_any_plane_starts(void)
{
    test_seed(31);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        draw_any(round);
        TEST_ASSERT_EQUAL(TC_OK, ask());
        const double value = (double)pair.value;
        const double bound = TENTH(1e-5 + 2e-6 / (double)pair.gap, 1e-10);
        test_fill(plane.normal, 3, -2, 2);
        plane.offset = test_uniform(-3, 3);
        if (round % 8 == 0) plane.normal[round % 3] = (tc_real)NAN;
        if (round % 8 == 1) plane.offset = (tc_real)INFINITY;
        TEST_ASSERT_EQUAL(TC_OK, ask());
        TEST_ASSERT_TRUE(fabs((double)pair.value - value) <= bound * value);
    }
}

/* Bodies that overlap, by any depth, are refused, and nothing is left */
static void test_touching_is_said(void)
{
    static const tc_barrier3_pair nothing = {0};
    static const tc_barrier3_plane none = {{0}, 0};
    static const tc_barrier3_derivatives flat = {{0}, {0}, {0}};
    test_seed(37);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        draw_pair(round, 1);
        body_random(0, 0);
        body_random(1, 0);
        set[1].radius = test_uniform(0, TC_C(0.1));
        for (uint32_t k = 0; k < 3; ++k) {
            at[0].position[k] = at[1].position[k] + test_uniform(TC_C(-0.1), TC_C(0.1));
        }
        plane.normal[round % 3] = TC_C(0.5);
        TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, ask());
        TEST_ASSERT_EQUAL_MEMORY(&nothing, &pair, sizeof pair);
        TEST_ASSERT_EQUAL_MEMORY(&none, &plane, sizeof plane);
        plane.normal[0] = 1;
        TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, ask_rates());
        TEST_ASSERT_EQUAL_MEMORY(&flat, &rates, sizeof rates);
    }
}

static void test_precision_is_noted(void)
{
    test_seed(41);
    draw_pair(4, 1);
    body_box(0, 1, 1, 1);
    body_box(1, 1, 1, 1);
    memcpy(at[1].rotation, at[0].rotation, sizeof at[1].rotation);
    for (uint32_t round = 0; round < 2; ++round) {
        const double gap = round ? 3e-4 : 8e-5;
        for (uint32_t k = 0; k < 3; ++k) {
            at[1].position[k] = 0;
            at[0].position[k] = (tc_real)((2 + gap) * (double)at[0].rotation[3 * k]);
        }
        forget();
        TEST_ASSERT_EQUAL(round ? TC_OK : TC_NOTE_PRECISION, ask());
    }
}

/* ---- The floor ------------------------------------------------------------------------------- */

/* Value and derivatives of the sum of 1 / height, in double by its own terms and by differences */
static void test_floor_is_its_sum(void)
{
    static tc_barrier3_floor_pair made, end[2];
    test_seed(43);
    for (uint32_t round = 0; round < TEST_ROUNDS(PAIRS); ++round) {
        tc_plane3 ground;
        draw_any(round);
        for (uint32_t k = 0; k < 3; ++k) ground.normal[k] = (tc_real)normal[k];
        double back[3], y[3], sum = 0, middle = 0, least = 1e9;
        for (uint32_t k = 0; k < 3; ++k) {
            back[k] = -(double)ground.normal[k];
            middle -= back[k] * (double)at[0].position[k];
        }
        const double height = middle - reach_along(0, back);
        const double drawn = test_log_uniform_wide(1e-2, 3);
        ground.offset = (tc_real)(height - drawn);
        for (uint32_t i = 0; i < set[0].count; ++i) {
            place_of(0, i, y);
            const double u = middle - y[0] * back[0] - y[1] * back[1] - y[2] * back[2]
                             - (double)ground.offset - (double)set[0].radius;
            sum += 1 / u;
            least = fmin(least, u);
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_barrier3_floor(&set[0], &at[0], &ground, &made));
        test_near((tc_real)sum, made.value, 0, (tc_real)TENTH(2e-4, 1e-12), "value");
        test_near((tc_real)least, made.gap, 0, (tc_real)TENTH(2e-4, 1e-12), "gap");
        if (sizeof(tc_real) < 8) continue;
        double most = 0, slope = 0;
        for (uint32_t i = 0; i < 21; ++i) most = fmax(most, fabs((double)made.hessian[i]));
        for (uint32_t i = 0; i < 6; ++i) slope = fmax(slope, fabs((double)made.gradient[i]));
        const double step = 1e-6 * drawn;
        for (uint32_t j = 0; j < 6; ++j) {
            const tc_convex_pose kept = at[0];
            for (uint32_t e = 0; e < 2; ++e) {
                move_body(&kept, 0, j, e ? step : -step);
                (void)tc_barrier3_floor(&set[0], &at[0], &ground, &end[e]);
            }
            at[0] = kept;
            const double by = ((double)end[1].value - (double)end[0].value) / (2 * step);
            TEST_ASSERT_TRUE(fabs(by - (double)made.gradient[j]) <= 1e-6 * slope);
            for (uint32_t i = 0; i < 6 && j < 3; ++i) {
                const double bend =
                    ((double)end[1].gradient[i] - (double)end[0].gradient[i]) / (2 * step);
                TEST_ASSERT_TRUE(fabs(bend - entry_of(made.hessian, i, j)) <= 1e-6 * most);
            }
        }
        /* Turns twice: the diagonal by second differences of the value */
        for (uint32_t j = 3; j < 6; ++j) {
            const tc_convex_pose kept = at[0];
            const double wide = 1e-4 * drawn;
            for (uint32_t e = 0; e < 2; ++e) {
                move_body(&kept, 0, j, e ? wide : -wide);
                (void)tc_barrier3_floor(&set[0], &at[0], &ground, &end[e]);
            }
            at[0] = kept;
            const double bend =
                ((double)end[1].value + (double)end[0].value - 2 * (double)made.value)
                / (wide * wide);
            TEST_ASSERT_TRUE(fabs(bend - entry_of(made.hessian, j, j)) <= 1e-4 * most);
        }
    }
    const tc_plane3 above = {{0, 0, 1}, TC_C(1e3)};
    static const tc_barrier3_floor_pair nothing = {0};
    TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, tc_barrier3_floor(&set[0], &at[0], &above, &made));
    TEST_ASSERT_EQUAL_MEMORY(&nothing, &made, sizeof made);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

static void refuse(tc_status expected)
{
    static const tc_barrier3_pair nothing = {0};
    static const tc_barrier3_plane none = {{0}, 0};
    plane.normal[0] = 1;
    pair.value = 3;
    TEST_ASSERT_EQUAL(expected, ask());
    TEST_ASSERT_EQUAL_MEMORY(&nothing, &pair, sizeof pair);
    TEST_ASSERT_EQUAL_MEMORY(&none, &plane, sizeof plane);
    plane.normal[0] = 1;
    TEST_ASSERT_EQUAL(expected, ask_rates());
    for (uint32_t i = 0; i < 12; ++i) TEST_ASSERT_TRUE(rates.gradient[i] == TC_C(0.0));
}

/* Each number in turn is NaN, infinite or beyond its range */
static void test_bad_numbers_are_refused(void)
{
    test_seed(47);
    draw_pair(3, 1);
    tc_real *const numbers[] = {&config.A,          &config.kappa,      &config.length,
                                &set[0].radius,     &set[1].radius,     &vertices[0][2],
                                &vertices[1][0],    &at[0].position[0], &at[1].position[2],
                                &at[0].rotation[4], &at[1].rotation[8]};
    for (uint32_t i = 0; i < TC_COUNT(numbers); ++i) {
        const tc_real kept = *numbers[i];
        *numbers[i] = (tc_real)NAN;
        refuse(TC_ERR_NOT_FINITE);
        *numbers[i] = (tc_real)INFINITY;
        refuse(TC_ERR_NOT_FINITE);
        *numbers[i] = TC_C(2e6);
        refuse(i < 9 ? TC_ERR_RANGE : TC_ERR_UNIT);
        if (i < 5) {
            *numbers[i] = TC_C(-0.1);
            refuse(TC_ERR_RANGE);
        }
        *numbers[i] = kept;
        forget();
        TEST_ASSERT_EQUAL(TC_OK, ask());
    }
}

static void test_bad_sets_are_refused(void)
{
    test_seed(53);
    draw_pair(3, 1);
    for (uint32_t side = 0; side < 2; ++side) {
        const tc_barrier_set kept = set[side];
        set[side].count = 0;
        refuse(TC_ERR_SIZE);
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_barrier3_check(&set[side]));
        set[side].count = TC_BARRIER_VERTICES_MAX + 1;
        refuse(TC_ERR_SIZE);
        set[side] = kept;
        set[side].vertices = NULL;
        refuse(TC_ERR_NULL);
        TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_check(&set[side]));
        set[side] = kept;
        TEST_ASSERT_EQUAL(TC_OK, tc_barrier3_check(&set[side]));
    }
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_check(NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier_check(NULL));
    const tc_barrier_set *s = set;
    const tc_convex_pose *p = at;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_solve(NULL, s, p, s, p, &plane, &pair));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_solve(&config, NULL, p, s, p, &plane, &pair));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_solve(&config, s, NULL, s, p, &plane, &pair));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_solve(&config, s, p, NULL, p, &plane, &pair));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_solve(&config, s, p, s, NULL, &plane, &pair));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_solve(&config, s, p, s, p, NULL, &pair));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_solve(&config, s, p, s, p, &plane, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_derive(&config, s, p, s, p, NULL, &rates));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_derive(&config, s, p, s, p, &plane, NULL));
}

static void test_low_floors_are_noted(void)
{
    tc_barrier3_floor_pair made;
    draw_pair(4, 1);
    body_box(0, 1, 1, 1);
    const tc_convex_pose level = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    tc_plane3 ground = {{0, 0, 1}, TC_C(-1.0001)};
    TEST_ASSERT_EQUAL(TC_NOTE_PRECISION, tc_barrier3_floor(&set[0], &level, &ground, &made));
    TEST_ASSERT_TRUE(made.value > TC_C(3e4));
    ground.offset = TC_C(-1.0003);
    TEST_ASSERT_EQUAL(TC_OK, tc_barrier3_floor(&set[0], &level, &ground, &made));
}

static void test_bad_floors_are_refused(void)
{
    tc_barrier3_floor_pair made;
    test_seed(59);
    draw_pair(3, 1);
    tc_plane3 ground = {{0, 0, 1}, -10};
    TEST_ASSERT_EQUAL(TC_OK, tc_barrier3_floor(&set[0], &at[0], &ground, &made));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_floor(NULL, &at[0], &ground, &made));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_floor(&set[0], NULL, &ground, &made));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_floor(&set[0], &at[0], NULL, &made));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_barrier3_floor(&set[0], &at[0], &ground, NULL));
    ground.normal[2] = TC_C(1.1);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_barrier3_floor(&set[0], &at[0], &ground, &made));
    ground.normal[2] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_barrier3_floor(&set[0], &at[0], &ground, &made));
    ground.normal[2] = 1;
    ground.offset = TC_C(-3e6);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_barrier3_floor(&set[0], &at[0], &ground, &made));
    TEST_ASSERT_TRUE(made.value == TC_C(0.0));
}

void suite_barrier(void)
{
    RUN_TEST(test_balls_and_clusters);
    RUN_TEST(test_near_and_far);
    RUN_TEST(test_barrier_at_touch);
    RUN_TEST(test_pushes_only);
    RUN_TEST(test_derivatives_by_differences);
    RUN_TEST(test_momentum_is_kept);
    RUN_TEST(test_order_changes_nothing);
    RUN_TEST(test_far_coordinates);
    RUN_TEST(test_nothing_apart_is_refused);
    RUN_TEST(test_closest_points_that_miss);
    RUN_TEST(test_any_plane_starts);
    RUN_TEST(test_touching_is_said);
    RUN_TEST(test_precision_is_noted);
    RUN_TEST(test_floor_is_its_sum);
    RUN_TEST(test_bad_numbers_are_refused);
    RUN_TEST(test_bad_sets_are_refused);
    RUN_TEST(test_low_floors_are_noted);
    RUN_TEST(test_bad_floors_are_refused);
}
