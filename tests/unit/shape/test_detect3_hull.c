/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The reduction of a spatial patch to the corners of its hull, against brute force on integers.
 *
 * Vertices lie on a grid, where "left of" and "on the line" are exact, and every corner of the hull
 * is at least 1/300 of a grid step outside of what remains without it, far above the resolution.
 */
#include "test_rigid.h"

#include "tc_detect2.h"

#define TRIES 60

static const tc_plane3 floor_z = {{0, 0, 1}, 0};

/* Grid points as vertices of a flat shape, some above others: x, y in 1/64 m, z 0 or 1 m. */
#define GRID_MAX 24u
static int32_t grid[GRID_MAX][3];
static tc_real flat[GRID_MAX * 3];

static int32_t side_of(uint32_t a, uint32_t b, uint32_t c)
{
    const int32_t bx = grid[b][0] - grid[a][0], by = grid[b][1] - grid[a][1];
    return bx * (grid[c][1] - grid[a][1]) - by * (grid[c][0] - grid[a][0]);
}

/* 1 if a -> b is a whole side of the hull: all others left of it, or between the two */
static int is_side(uint32_t a, uint32_t b, uint32_t n)
{
    if (grid[a][0] == grid[b][0] && grid[a][1] == grid[b][1]) {
        return 0;
    }
    for (uint32_t c = 0; c < n; ++c) {
        const int32_t side = side_of(a, b, c);
        const int32_t dx = grid[b][0] - grid[a][0], dy = grid[b][1] - grid[a][1];
        const int32_t along = dx * (grid[c][0] - grid[a][0]) + dy * (grid[c][1] - grid[a][1]);
        if (side < 0 || (side == 0 && (along < 0 || along > dx * dx + dy * dy))) {
            return 0;
        }
    }
    return 1;
}

/* Corners of the hull by brute force: starts of whole sides; of those one above the other the
 * lowest */
static uint32_t hull_by_force(uint32_t n, uint8_t *corner)
{
    uint32_t corners = 0;
    for (uint32_t a = 0; a < n; ++a) {
        int starts = 0, lowest = 1;
        for (uint32_t b = 0; b < n; ++b) {
            starts |= is_side(a, b, n);
            const int above = grid[a][0] == grid[b][0] && grid[a][1] == grid[b][1]
                              && (grid[b][2] < grid[a][2] || (grid[b][2] == grid[a][2] && b < a));
            lowest &= !above;
        }
        corner[a] = (uint8_t)(starts && lowest);
        corners += corner[a];
    }
    return corners;
}

static void place(uint32_t i, int32_t x, int32_t y, int32_t z)
{
    grid[i][0] = x;
    grid[i][1] = y;
    grid[i][2] = z;
    flat[3 * i] = (tc_real)x / 64;
    flat[3 * i + 1] = (tc_real)y / 64;
    flat[3 * i + 2] = (tc_real)z;
}

/* n points in a square, or on a ring: then most are corners */
static void random_grid(uint32_t n, uint32_t size, int ring)
{
    const int32_t x0 = (int32_t)test_below(64) - 32, y0 = (int32_t)test_below(64) - 32;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real angle = test_uniform(0, 6);
        const int32_t x = ring ? (int32_t)(64 + 50 * tc_cos(angle)) : (int32_t)test_below(size);
        const int32_t y = ring ? (int32_t)(64 + 50 * tc_sin(angle)) : (int32_t)test_below(size);
        place(i, x0 + x, y0 + y, (int32_t)test_below(2));
    }
}

/* The patch of the grid in some pose, compared: up to 8 corners exactly the hull's, of more 8 of
 * these. */
static tc_patch3 compare(uint32_t n, int turned, uint32_t *corners)
{
    const tc_shape3 shape = {flat, n, 0};
    tc_body3_state state = {{0, 0, TC_C(0.25)}, {1, 0, 0, 0}, {0}};
    tc_plane3 plane = floor_z;
    tc_patch3 patch;
    uint8_t corner[GRID_MAX];
    if (turned) {
        tc_real q[4];
        random_quaternion(q);
        turn_state(q, &state);
        turn(q, plane.normal, plane.normal);
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_detect3(&shape, &state, &plane, 9, &patch));
    TEST_ASSERT_EQUAL(TC_OK, tc_patch3_check(&patch));
    *corners = hull_by_force(n, corner);
    for (uint32_t i = 0; i < patch.count; ++i) { /* where all are in one place there are no sides */
        TEST_ASSERT_TRUE(corner[patch.vertex[i]] || *corners == 0);
        TEST_ASSERT_TRUE(patch.vertex[0] <= patch.vertex[i]);
    }
    *corners += *corners == 0;
    TEST_ASSERT_EQUAL(*corners < TC_PATCH_MAX ? *corners : TC_PATCH_MAX, patch.count);
    return patch;
}

/* Small grids give points, lines, and many collinear and stacked vertices; the pose turns exact
 * zeros into rounding. The hash catches what is as right as before and another choice: of corners
 * equally far, of their order. */
static void test_reduction_against_brute_force(void)
{
    uint32_t seen[3] = {0, 0, 0}, larger = 0, hash = TEST_HASH_START;
    test_seed(444);
    for (int try = 0; try < 6 * TRIES; ++try) {
        const uint32_t n = 1 + test_below(try % 2 ? 9 : GRID_MAX);
        uint32_t corners;
        random_grid(n, 1u << test_below(7), try % 5 == 0);
        const tc_patch3 patch = compare(n, try % 3, &corners);
        for (uint32_t i = 0; i < patch.count; ++i) {
            const tc_real vertex = (tc_real)patch.vertex[i];
            hash = test_hash(test_hash(test_hash(hash, &vertex, 1), patch.arm[i], 3), &patch.gap[i],
                             1);
        }
        ++seen[patch.dimension];
        larger += corners > TC_PATCH_MAX;
    }
    test_golden("detect.hulls", hash);
    TEST_ASSERT_TRUE(seen[0] > 20 && seen[1] > 20 && seen[2] > 100 && larger > 20);
}

/* Vertices along straight sides, with the smallest indices and as far outside as the corners beside
 * them, must not take the corners' places: 8 of 10 are corners. */
static void test_straight_sides_cost_no_corners(void)
{
    static const int8_t points[10][2] = {{0, 5},  {0, -5}, {10, 0},  {8, 3},   {3, 5},
                                         {-3, 5}, {-8, 3}, {-10, 0}, {-3, -5}, {3, -5}};
    test_seed(447);
    for (int try = 0; try < 8; ++try) {
        uint32_t corners;
        for (uint32_t i = 0; i < 10; ++i) {
            place(i, points[i][0], points[i][1], 0);
        }
        (void)compare(10, try, &corners);
        TEST_ASSERT_EQUAL(8, corners);
    }
}

/* Sixteen corners at exactly one distance: the smallest index is taken first, then its opposite. */
static void test_equal_distances_go_by_index(void)
{
    static const int8_t points[4][2] = {{8, 1}, {7, 4}, {4, 7}, {1, 8}};
    const tc_shape3 shape = {flat, 16, 0};
    const tc_body3_state state = {{0, 0, TC_C(0.25)}, {1, 0, 0, 0}, {0}};
    for (uint32_t start = 0; start < 16; ++start) {
        tc_patch3 patch;
        uint32_t first = 0, opposite = 0;
        for (uint32_t i = 0; i < 16; ++i) {
            const uint32_t at = (i + start) % 16, quarter = at / 4;
            const int8_t *point = points[at % 4];
            const int32_t x = quarter % 2 ? -point[1] : point[0],
                          y = quarter % 2 ? point[0] : point[1];
            place(i, quarter < 2 ? x : -x, quarter < 2 ? y : -y, 0);
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_detect3(&shape, &state, &floor_z, 9, &patch));
        for (uint32_t i = 0; i < 8; ++i) {
            first |= patch.vertex[i] == 0;
            opposite |= patch.vertex[i] == 8;
        }
        TEST_ASSERT_TRUE(first && opposite);
    }
}

/* Of a regular polygon of n corners no two kept neighbours are more than n/8, rounded up, apart:
 * what eight corners can do at best. Exact multiples of 8 make regular octagons. */
static void test_large_faces_keep_their_extent(void)
{
    tc_real vertices[192];
    for (uint32_t n = 9; n <= 64; ++n) {
        const tc_shape3 shape = {vertices, n, 0};
        const tc_body3_state state = {{0, 0, TC_C(0.25)}, {1, 0, 0, 0}, {0}};
        for (uint32_t i = 0; i < n; ++i) {
            const tc_real angle = TC_C(6.283185307179586) * (tc_real)i / (tc_real)n;
            vertices[3 * i] = tc_cos(angle);
            vertices[3 * i + 1] = tc_sin(angle);
            vertices[3 * i + 2] = 0;
        }
        tc_patch3 patch;
        TEST_ASSERT_EQUAL(TC_OK, tc_detect3(&shape, &state, &floor_z, 9, &patch));
        TEST_ASSERT_EQUAL(8, patch.count);
        for (uint32_t e = 0; e < 8; ++e) {
            TEST_ASSERT_TRUE((patch.vertex[(e + 1) % 8] + n - patch.vertex[e]) % n <= (n + 7) / 8);
        }
    }
}

void suite_detect3_hull(void)
{
    RUN_TEST(test_reduction_against_brute_force);
    RUN_TEST(test_straight_sides_cost_no_corners);
    RUN_TEST(test_equal_distances_go_by_index);
    RUN_TEST(test_large_faces_keep_their_extent);
}
