/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Detectors: closed forms, brute force, invariance, degenerate shapes, and what is refused.
 *
 * Bounds of positions: 64 roundings of the size of the scene, a few metres.
 */
#include "test_rigid.h"

#include "tc_detect2.h"

#define TRIES 60
#define ROUNDING (64 * TC_EPSILON)

static const tc_plane2 floor_y = {{0, 1}, 0};
static const tc_plane3 floor_z = {{0, 0, 1}, 0};
static const tc_real rectangle[8] = {-2, -1, 2, -1, 2, 1, -2, 1};

static tc_patch2 planar(const tc_shape2 *shape, const tc_body2_state *state, const tc_plane2 *plane,
                        tc_real margin)
{
    tc_patch2 patch;
    TEST_ASSERT_EQUAL(TC_OK, tc_detect2(shape, state, plane, margin, &patch));
    if (patch.count != 0) {
        TEST_ASSERT_EQUAL(TC_OK, tc_patch2_check(&patch));
    }
    return patch;
}

static tc_patch3 spatial(const tc_shape3 *shape, const tc_body3_state *state,
                         const tc_plane3 *plane, tc_real margin)
{
    tc_patch3 patch;
    TEST_ASSERT_EQUAL(TC_OK, tc_detect3(shape, state, plane, margin, &patch));
    if (patch.count != 0) {
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_check(&patch));
    }
    return patch;
}

/* ---- Planar ---------------------------------------------------------------------------------- */

static void test_rectangle_on_floor(void)
{
    const tc_shape2 shape = {rectangle, 4, 0};
    const tc_body2_state flat = {{5, TC_C(0.75), 0}, {0, 0, 0}};
    tc_patch2 patch = planar(&shape, &flat, &floor_y, 0);
    TEST_ASSERT_TRUE(patch.count == 2 && patch.vertex[0] == 0 && patch.vertex[1] == 1);
    TEST_ASSERT_TRUE(patch.lever[0] == -2 && patch.lever[1] == 2 && patch.height == TC_C(0.75));
    TEST_ASSERT_TRUE(patch.gap[0] == TC_C(-0.25) && patch.gap[1] == TC_C(-0.25));
    TEST_ASSERT_TRUE(patch.normal[0] == 0 && patch.normal[1] == 1);
    /* upside down: levers still ascend, so the order of the vertices is the other one */
    const tc_body2_state over = {{5, TC_C(0.75), TC_C(3.14159265)}, {0, 0, 0}};
    patch = planar(&shape, &over, &floor_y, 0);
    TEST_ASSERT_TRUE(patch.count == 2 && patch.vertex[0] == 2 && patch.vertex[1] == 3);
    const tc_plane2 wall = {{-1, 0}, -7}; /* to the right: t = (0, 1) */
    patch = planar(&shape, &flat, &wall, TC_C(0.5));
    TEST_ASSERT_TRUE(patch.count == 2 && patch.vertex[0] == 1 && patch.vertex[1] == 2
                     && patch.height == 2);
    TEST_ASSERT_TRUE(patch.lever[0] == -1 && patch.lever[1] == 1 && patch.gap[0] == 0);
    patch = planar(&shape, &flat, &floor_y, TC_C(-0.5));
    TEST_ASSERT_TRUE(patch.count == 0 && patch.lever[1] == 0 && patch.height == TC_C(0.75));
}

/* gap < margin, strictly: a vertex on the plane is no contact at margin 0. */
static void test_margin_is_strict(void)
{
    const tc_shape2 flat_shape = {rectangle, 4, 0};
    const tc_body2_state touching = {{0, 1, 0}, {0, 0, 0}};
    TEST_ASSERT_EQUAL(0, planar(&flat_shape, &touching, &floor_y, 0).count);
    TEST_ASSERT_EQUAL(2, planar(&flat_shape, &touching, &floor_y, TC_C(1e-20)).count);
    const tc_real ball[3] = {0, 0, 0};
    const tc_shape3 sphere = {ball, 1, TC_C(0.5)};
    const tc_body3_state state = {{0, 0, TC_C(0.75)}, {1, 0, 0, 0}, {0}};
    TEST_ASSERT_EQUAL(0, spatial(&sphere, &state, &floor_z, TC_C(0.25)).count);
    TEST_ASSERT_EQUAL(1, spatial(&sphere, &state, &floor_z, TC_C(0.25) + TC_EPSILON).count);
}

/* An ellipse's corners, anywhere about the centre of mass */
static void random_polygon(tc_real *vertices, uint32_t n)
{
    const tc_real x = test_uniform(-1, 1), y = test_uniform(-1, 1), start = test_uniform(0, 6);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real angle = start + TC_C(6.283185307) * (tc_real)i / (tc_real)n;
        vertices[2 * i] = x + tc_cos(angle);
        vertices[2 * i + 1] = y + tc_sin(angle) / 2;
    }
}

/* Brute force: every vertex moved into the world, then measured along the plane. */
static void test_polygons_against_brute_force(void)
{
    tc_real vertices[128];
    uint32_t found = 0, hash = TEST_HASH_START;
    test_seed(441);
    for (int try = 0; try < 4 * TRIES; ++try) {
        const tc_shape2 shape = {vertices, 3 + test_below(20), test_uniform(0, TC_C(0.2))};
        tc_body2_state state;
        random_polygon(vertices, shape.count);
        TEST_ASSERT_EQUAL(TC_OK, tc_shape2_check(&shape));
        test_fill(state.position, 3, -3, 3);
        const tc_real angle = test_uniform(-3, 3), n[2] = {tc_cos(angle), tc_sin(angle)};
        const tc_plane2 plane = {{n[0], n[1]}, test_uniform(-1, 1)};
        const tc_real margin = test_uniform(TC_C(-0.5), 1);
        const tc_patch2 patch = planar(&shape, &state, &plane, margin);
        const tc_real c = tc_cos(state.position[2]), s = tc_sin(state.position[2]);
        tc_real low = 99, high = -99, nearest = 99;
        for (uint32_t i = 0; i < shape.count; ++i) {
            const tc_real rx = c * vertices[2 * i] - s * vertices[2 * i + 1];
            const tc_real ry = s * vertices[2 * i] + c * vertices[2 * i + 1];
            const tc_real wx = state.position[0] + rx, wy = state.position[1] + ry;
            const tc_real gap = n[0] * wx + n[1] * wy - plane.offset - shape.radius;
            const tc_real lever = n[1] * rx - n[0] * ry;
            low = gap < margin && lever < low ? lever : low;
            high = gap < margin && lever > high ? lever : high;
            nearest = gap < nearest ? gap : nearest;
            for (uint32_t k = 0; k < patch.count; ++k) {
                if (patch.vertex[k] == i) {
                    test_near(gap, patch.gap[k], ROUNDING, 0, "gap");
                    test_near(lever, patch.lever[k], ROUNDING, 0, "lever");
                }
            }
        }
        TEST_ASSERT_TRUE((nearest < margin - ROUNDING) <= (patch.count > 0));
        TEST_ASSERT_TRUE((nearest > margin + ROUNDING) <= (patch.count == 0));
        if (patch.count != 0) {
            test_near(low, patch.lever[0], ROUNDING, 0, "least lever");
            test_near(high, patch.lever[patch.count - 1], ROUNDING, 0, "largest lever");
            found += patch.count;
        }
        const tc_real whole[3] = {(tc_real)patch.count, (tc_real)patch.vertex[0],
                                  (tc_real)patch.vertex[1]};
        hash = test_hash(test_hash(hash, whole, 3), patch.lever, 2);
        hash = test_hash(test_hash(hash, patch.gap, 2), &patch.height, 1);
    }
    TEST_ASSERT_TRUE(found > 100);
    test_golden("detect.polygons", hash);
}

/* The whole scene turned and moved: the same patch. */
static void test_detect2_invariance(void)
{
    tc_real vertices[32];
    const tc_shape2 shape = {vertices, 9, TC_C(0.1)};
    uint32_t edges = 0;
    test_seed(442);
    for (int try = 0; try < TRIES; ++try) {
        random_polygon(vertices, shape.count);
        const tc_real angle = test_uniform(-3, 3), c = tc_cos(angle), s = tc_sin(angle);
        tc_body2_state here = {{test_uniform(-1, 1), TC_C(0.3), test_uniform(-3, 3)}, {0}},
                       there = here;
        const tc_real x = here.position[0] + TC_C(0.5), y = here.position[1] - TC_C(0.25);
        const tc_plane2 plane = {{-s, c}, -s * TC_C(0.5) * c + c * TC_C(0.5) * s - TC_C(0.25)};
        there.position[0] = c * x - s * y;
        there.position[1] = s * x + c * y;
        there.position[2] += angle;
        const tc_patch2 a = planar(&shape, &here, &floor_y, 0),
                        b = planar(&shape, &there, &plane, 0);
        TEST_ASSERT_EQUAL(a.count, b.count);
        test_near(a.height, b.height, ROUNDING, 0, "height");
        for (uint32_t i = 0; i < a.count; ++i) {
            TEST_ASSERT_EQUAL(a.vertex[i], b.vertex[i]);
            test_near(a.lever[i], b.lever[i], ROUNDING, 0, "lever");
            test_near(a.gap[i], b.gap[i], ROUNDING, 0, "gap");
        }
        edges += a.count == 2;
    }
    TEST_ASSERT_TRUE(edges > 10);
}

static void test_circle_and_capsule(void)
{
    const tc_real ends[4] = {-1, 0, 1, 0}, centre[2] = {TC_C(0.5), 0};
    const tc_shape2 circle = {centre, 1, TC_C(0.25)}, capsule = {ends, 2, TC_C(0.25)};
    TEST_ASSERT_EQUAL(TC_OK, tc_shape2_check(&circle));
    TEST_ASSERT_EQUAL(TC_OK, tc_shape2_check(&capsule));
    for (tc_real angle = TC_C(-3.0); angle < 3; angle += TC_C(0.37)) {
        const tc_real c = tc_cos(angle), s = tc_sin(angle);
        const tc_body2_state state = {{3, TC_C(0.2), angle}, {0, 0, 0}};
        tc_patch2 patch = planar(&circle, &state, &floor_y, 1);
        TEST_ASSERT_EQUAL(1, patch.count);
        test_near(c / 2, patch.lever[0], ROUNDING, 0, "circle");
        test_near(s / 2 - TC_C(0.05), patch.gap[0], ROUNDING, 0, "circle");
        patch = planar(&capsule, &state, &floor_y, 0);
        TEST_ASSERT_EQUAL((s < TC_C(0.05)) + (s > TC_C(-0.05)), patch.count);
        const tc_real lever = s < 0 ? c : -c; /* the lower end */
        test_near(lever, patch.lever[patch.count == 2 && lever > 0], ROUNDING, 0, "capsule");
    }
}

/* A slab thinner than it has sunk in: corners one above the other count once, the lower ones,
 * whatever their order. Upright it is a point, not an edge of no width. */
static void test_stacked_vertices_count_once(void)
{
    static const tc_real slab[8] = {1, TC_C(-0.01), 1, TC_C(0.01), -1, TC_C(0.01), -1, TC_C(-0.01)};
    static const tc_real needle[8] = {TC_C(-1e-6), -1, TC_C(1e-6),  -1,
                                      TC_C(1e-6),  1,  TC_C(-1e-6), 1};
    tc_real turned[8];
    const tc_shape2 shape = {turned, 4, 0};
    for (int try = 0; try < 72; ++try) {
        const tc_body2_state state = {{0, TC_C(-1.5), TC_C(5e-7) * (tc_real)(try / 8 - 4)},
                                      {0, 0, 0}};
        for (int i = 0; i < 8; ++i) {
            turned[i] = (try & 4 ? needle : slab)[(i + 2 * (try & 3)) % 8];
        }
        TEST_ASSERT_EQUAL(try & 4 ? TC_ERR_PATCH : TC_OK, tc_shape2_check(&shape));
        const tc_patch2 patch = planar(&shape, &state, &floor_y, 0);
        TEST_ASSERT_EQUAL(try & 4 ? 1 : 2, patch.count);
        for (uint32_t i = 0; i < patch.count; ++i) {
            test_near(try & 4 ? TC_C(-2.5) : TC_C(-1.51), patch.gap[i], TC_C(4e-6), 0,
                      "the lower one");
        }
    }
}

/* ---- Spatial --------------------------------------------------------------------------------- */

static void box(tc_real *vertices, tc_real x, tc_real y, tc_real z)
{
    for (uint32_t i = 0; i < 8; ++i) {
        vertices[3 * i] = i & 1u ? x : -x;
        vertices[3 * i + 1] = i & 2u ? y : -y;
        vertices[3 * i + 2] = i & 4u ? z : -z;
    }
}

static void test_box_on_floor(void)
{
    tc_real vertices[24];
    const tc_shape3 shape = {vertices, 8, 0};
    const tc_body3_state state = {{7, 8, 3}, {1, 0, 0, 0}, {0}};
    const uint32_t corners[4] = {0, 1, 3, 2}; /* counter-clockwise from the smallest index */
    box(vertices, 1, 2, 3);
    TEST_ASSERT_EQUAL(TC_OK, tc_shape3_check(&shape));
    const tc_patch3 patch = spatial(&shape, &state, &floor_z, TC_C(0.25));
    TEST_ASSERT_EQUAL(4, patch.count);
    TEST_ASSERT_EQUAL(2, patch.dimension);
    for (int i = 0; i < 4; ++i) {
        TEST_ASSERT_EQUAL(corners[i], patch.vertex[i]);
        TEST_ASSERT_EQUAL_MEMORY(vertices + 3 * corners[i], patch.arm[i], 2 * sizeof *vertices);
        TEST_ASSERT_TRUE(patch.arm[i][2] == -3 && patch.gap[i] == 0);
    }
    TEST_ASSERT_TRUE(patch.frame[0][0] == 1 && patch.frame[1][1] == 1 && patch.frame[2][2] == 1);
}

/* A box turned by every angle about x: face, edge, face; and tilted about both: a corner. */
static void test_box_edges_and_corners(void)
{
    tc_real vertices[24];
    const tc_shape3 shape = {vertices, 8, 0};
    box(vertices, 1, 1, 1);
    tc_body3_state state = {{0, 0, 0}, {tc_cos(TC_C(0.25)), tc_sin(TC_C(0.25)), 0, 0}, {0}};
    state.position[2] = tc_sin(TC_C(0.5)) + tc_cos(TC_C(0.5));
    tc_patch3 patch = spatial(&shape, &state, &floor_z, TC_C(0.01));
    TEST_ASSERT_TRUE(patch.count == 2 && patch.dimension == 1 && patch.vertex[1] == 1);
    test_near(0, patch.gap[0], ROUNDING, 0, "edge");
    test_near(tc_sin(TC_C(0.5)) - tc_cos(TC_C(0.5)), patch.arm[0][1], ROUNDING, 0, "edge");
    const tc_real more[4] = {tc_cos(TC_C(0.2)), 0, tc_sin(TC_C(0.2)), 0};
    turn_state(more, &state);
    patch = spatial(&shape, &state, &floor_z, TC_C(0.01));
    TEST_ASSERT_TRUE(patch.count == 1 && patch.dimension == 0 && patch.vertex[0] == 1);
}

/* Sphere and capsule standing, leaning and lying; their contact is below the centre of the
 * rounding. */
static void test_sphere_and_capsule(void)
{
    const tc_real ends[6] = {0, 0, -1, 0, 0, 1};
    const tc_shape3 capsule = {ends, 2, TC_C(0.25)}, sphere = {ends, 1, TC_C(0.25)};
    TEST_ASSERT_EQUAL(TC_OK, tc_shape3_check(&capsule));
    for (tc_real tilt = 0; tilt < TC_C(3.1); tilt += TC_C(0.1)) {
        const tc_body3_state state = {
            {1, 2, TC_C(0.2)}, {tc_cos(tilt / 2), 0, tc_sin(tilt / 2), 0}, {0}};
        const tc_real z = TC_C(0.2) - tc_cos(tilt) - TC_C(0.25);
        tc_patch3 patch = spatial(&sphere, &state, &floor_z, 10);
        TEST_ASSERT_EQUAL(1, patch.count);
        test_near(-tc_sin(tilt), patch.arm[0][0], ROUNDING, 0, "sphere");
        test_near(TC_C(-0.2), patch.arm[0][2], ROUNDING, 0, "the arm ends on the plane");
        test_near(z, patch.gap[0], ROUNDING, 0, "sphere");
        patch = spatial(&capsule, &state, &floor_z, 0);
        const tc_real other = TC_C(0.2) + tc_cos(tilt) - TC_C(0.25);
        TEST_ASSERT_EQUAL((z < 0) + (other < 0), patch.count);
        TEST_ASSERT_EQUAL(other < z ? 1 : 0, patch.vertex[other < z ? patch.count - 1 : 0]);
    }
}

/* Frames: right-handed and unit for every normal, arms end on the plane, whatever the pose. */
static void test_arms_end_on_the_plane(void)
{
    tc_real vertices[24];
    const tc_shape3 shape = {vertices, 8, TC_C(0.0625)};
    test_seed(443);
    box(vertices, 1, TC_C(0.7), TC_C(0.4));
    for (int try = 0; try < 2 * TRIES; ++try) {
        tc_body3_state state = {{0, 0, 0}, {1, 0, 0, 0}, {0}};
        tc_plane3 plane = {{0, 0, try % 2 ? -1 : 1}, test_uniform(-1, 1)};
        tc_real q[4];
        random_quaternion(state.orientation);
        test_fill(state.position, 3, -1, 1);
        random_quaternion(q);
        turn(q, plane.normal, plane.normal);
        const tc_patch3 patch = spatial(&shape, &state, &plane, 1);
        for (uint32_t i = 0; i < patch.count; ++i) {
            tc_real vertex[3], on_plane[3];
            turn(state.orientation, vertices + 3 * patch.vertex[i], vertex);
            for (int k = 0; k < 3; ++k) {
                vertex[k] += state.position[k];
                on_plane[k] = state.position[k] + patch.arm[i][0] * patch.frame[0][k]
                              + patch.arm[i][1] * patch.frame[1][k]
                              + patch.arm[i][2] * patch.frame[2][k];
            }
            test_near(plane.offset, dot(plane.normal, on_plane, 3), ROUNDING, 0, "on the plane");
            const tc_real above = patch.gap[i] + shape.radius;
            test_near(above, dot(plane.normal, vertex, 3) - plane.offset, ROUNDING, 0, "gap");
            for (int k = 0; k < 3; ++k) {
                test_near(vertex[k] - plane.normal[k] * above, on_plane[k], ROUNDING, 0,
                          "below the vertex");
            }
        }
    }
}

/* The whole scene turned: the same vertices in order, the same gaps, the same arms but for their
 * frame. */
static void test_detect3_invariance(void)
{
    tc_real vertices[60];
    uint32_t seen[3] = {0, 0, 0};
    test_seed(445);
    for (int try = 0; try < 3 * TRIES; ++try) {
        const tc_shape3 shape = {vertices, 1 + test_below(20), test_uniform(0, TC_C(0.25))};
        tc_body3_state here = {{0, 0, 0}, {1, 0, 0, 0}, {0}}, there;
        tc_plane3 plane = floor_z;
        tc_real q[4];
        test_fill(vertices, 60, -1, 1);
        random_quaternion(here.orientation);
        test_fill(here.position, 3, -1, 1);
        random_quaternion(q);
        there = here;
        turn_state(q, &there);
        turn(q, plane.normal, plane.normal);
        const tc_patch3 a = spatial(&shape, &here, &floor_z, 0);
        const tc_patch3 b = spatial(&shape, &there, &plane, 0);
        TEST_ASSERT_EQUAL(a.count, b.count);
        for (uint32_t i = 0; i < a.count; ++i) {
            TEST_ASSERT_EQUAL(a.vertex[i], b.vertex[i]);
            test_near(a.gap[i], b.gap[i], ROUNDING, 0, "gap");
            for (uint32_t k = 0; k < a.count; ++k) {
                test_near(dot(a.arm[i], a.arm[k], 3), dot(b.arm[i], b.arm[k], 3), 8 * ROUNDING, 0,
                          "arms");
            }
        }
        seen[a.dimension] += a.count > 0;
    }
    TEST_ASSERT_TRUE(seen[0] > 5 && seen[1] > 5 && seen[2] > 5);
}

static void test_golden_patches(void)
{
    uint32_t hash = TEST_HASH_START;
    tc_real vertices[60];
    test_seed(446);
    for (int try = 0; try < 40; ++try) {
        const tc_shape3 shape = {vertices, 20, 0};
        tc_body3_state state = {{0, 0, 0}, {1, 0, 0, 0}, {0}};
        test_fill(vertices, 60, -1, 1);
        random_quaternion(state.orientation);
        const tc_patch3 patch = spatial(&shape, &state, &floor_z, 0);
        hash = test_hash(hash, (const void *)patch.frame, 9);
        hash = test_hash(test_hash(hash, (const void *)patch.arm, 24), patch.gap, 8);
        const tc_shape2 lower = {vertices, 20, 0};
        const tc_body2_state tilted = {{0, 0, test_uniform(-9, 9)}, {0, 0, 0}};
        const tc_patch2 line = planar(&lower, &tilted, &floor_y, 0);
        hash = test_hash(test_hash(test_hash(hash, line.lever, 2), &line.height, 1), line.gap, 2);
    }
    test_golden("detect.patches", hash);
}

/* ---- Refused --------------------------------------------------------------------------------- */

static void test_shapes_refused(void)
{
    const tc_real clockwise[8] = {-2, 1, 2, 1, 2, -1, -2, -1}, dented[8] = {0, 0, 4, 0, 1, 1, 0, 4};
    const tc_real line[8] = {0, 0, 1, 0, 2, 0, 3, 0}, twice[8] = {0, 0, 1, 0, 1, 0, 0, 1};
    const tc_real star[10] = {0, 10, -6, -8, TC_C(9.5), 3, TC_C(-9.5), 3, 6, -8};
    const tc_real straight[10] = {-2, -1, 0, -1, 2, -1, 2, 1, -2, 1};
    const struct {
        tc_shape2 shape;
        tc_status expected;
    } cases[] = {
        {{rectangle, 4, 0}, TC_OK},
        {{straight, 5, 0}, TC_OK},
        {{clockwise, 4, 0}, TC_ERR_PATCH},
        {{dented, 4, 0}, TC_ERR_PATCH},
        {{line, 4, 0}, TC_ERR_PATCH},
        {{twice, 4, 0}, TC_ERR_PATCH},
        {{star, 5, 0}, TC_ERR_PATCH},
        {{rectangle, 0, 0}, TC_ERR_SIZE},
        {{rectangle, 65, 0}, TC_ERR_SIZE},
        {{NULL, 4, 0}, TC_ERR_NULL},
        {{rectangle, 4, -1}, TC_ERR_RANGE},
        {{rectangle, 4, TC_C(2e6)}, TC_ERR_RANGE},
        {{rectangle, 4, rigid_nan()}, TC_ERR_NOT_FINITE},
    };
    for (size_t i = 0; i < TC_COUNT(cases); ++i) {
        TEST_ASSERT_EQUAL(cases[i].expected, tc_shape2_check(&cases[i].shape));
    }
    tc_real vertices[24];
    const tc_shape3 shape = {vertices, 8, 0};
    for (int slot = 0; slot < 24; ++slot) {
        box(vertices, 1, 1, 1);
        vertices[slot] = rigid_infinity();
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_shape3_check(&shape));
        vertices[slot] = TC_C(1.1e6);
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_shape3_check(&shape));
    }
    box(vertices, 1, 1, 1);
    memcpy(vertices + 21, vertices + 3, 3 * sizeof *vertices);
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_shape3_check(&shape));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_shape3_check(NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_shape2_check(NULL));
}

static void expect_detect2(tc_status expected, const tc_shape2 *shape, const tc_body2_state *state,
                           const tc_plane2 *plane, tc_real margin)
{
    const tc_patch2 none = {0};
    tc_patch2 patch;
    memset(&patch, 0x7f, sizeof patch);
    TEST_ASSERT_EQUAL(expected, tc_detect2(shape, state, plane, margin, &patch));
    TEST_ASSERT_EQUAL_MEMORY(&none, &patch, sizeof none);
}

static void test_detect2_bad_calls(void)
{
    const tc_shape2 shape = {rectangle, 4, 0};
    const tc_body2_state state = {{0, 0, TC_C(0.5)}, {0, 0, 0}};
    const tc_plane2 long_normal = {{0, TC_C(1.1)}, 0}, no_normal = {{0, 0}, 0};
    expect_detect2(TC_ERR_NULL, NULL, &state, &floor_y, 0);
    expect_detect2(TC_ERR_NULL, &shape, NULL, &floor_y, 0);
    expect_detect2(TC_ERR_NULL, &shape, &state, NULL, 0);
    expect_detect2(TC_ERR_UNIT, &shape, &state, &long_normal, 0);
    expect_detect2(TC_ERR_UNIT, &shape, &state, &no_normal, 0);
    expect_detect2(TC_ERR_NOT_FINITE, &shape, &state, &floor_y, rigid_nan());
    for (int slot = 0; slot < 6; ++slot) {
        tc_body2_state torn = state;
        tc_plane2 bent = floor_y;
        *(slot < 3   ? &torn.position[slot]
          : slot < 5 ? &bent.normal[slot - 3]
                     : &bent.offset) = rigid_nan();
        expect_detect2(TC_ERR_NOT_FINITE, &shape, &torn, &bent, 0);
    }
    const tc_shape2 empty = {rectangle, 0, 0}, full = {rectangle, 65, 0},
                    hollow = {rectangle, 4, -1};
    expect_detect2(TC_ERR_SIZE, &empty, &state, &floor_y, 0);
    expect_detect2(TC_ERR_SIZE, &full, &state, &floor_y, 0);
    expect_detect2(TC_ERR_RANGE, &hollow, &state, &floor_y, 0);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect2(&shape, &state, &floor_y, 0, NULL));
    /* vertices nobody checked: an error or a patch of numbers */
    for (int slot = 0; slot < 8; ++slot) {
        tc_real torn[8];
        const tc_shape2 unchecked = {torn, 4, 0};
        tc_patch2 patch;
        memcpy(torn, rectangle, sizeof torn);
        torn[slot] = slot % 2 ? rigid_nan() : -rigid_infinity();
        const tc_status status = tc_detect2(&unchecked, &state, &floor_y, 0, &patch);
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_ERR_RANGE);
        TEST_ASSERT_TRUE(tc_all_finite(patch.lever, 2) && tc_all_finite(patch.gap, 2));
    }
}

static void test_detect3_bad_calls(void)
{
    tc_real vertices[24];
    const tc_shape3 shape = {vertices, 8, 0};
    const tc_body3_state state = {{0, 0, 0}, {TC_C(0.8), TC_C(0.6), 0, 0}, {0}};
    const tc_patch3 none = {0};
    tc_patch3 patch;
    box(vertices, 1, 1, 1);
    for (int slot = 0; slot < 11; ++slot) {
        tc_body3_state torn = state;
        tc_plane3 bent = floor_z;
        tc_real *const slots[4] = {&torn.position[slot % 3], &torn.orientation[slot % 4],
                                   &bent.normal[slot % 3], &bent.offset};
        *slots[slot < 3 ? 0 : slot < 7 ? 1 : slot < 10 ? 2 : 3] = rigid_nan();
        memset(&patch, 0x7f, sizeof patch);
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_detect3(&shape, &torn, &bent, 0, &patch));
        TEST_ASSERT_EQUAL_MEMORY(&none, &patch, sizeof none);
    }
    const tc_body3_state turned = {{0, 0, 0}, {1, TC_C(0.1), 0, 0}, {0}};
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_detect3(&shape, &turned, &floor_z, 0, &patch));
    const tc_plane3 tilted = {{0, TC_C(0.5), TC_C(0.5)}, 0};
    const tc_shape3 full = {vertices, 65, 0}, hollow = {vertices, 8, -1};
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_detect3(&shape, &state, &tilted, 0, &patch));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_detect3(&full, &state, &floor_z, 0, &patch));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_detect3(&hollow, &state, &floor_z, 0, &patch));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect3(NULL, &state, &floor_z, 0, &patch));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect3(&shape, NULL, &floor_z, 0, &patch));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect3(&shape, &state, NULL, 0, &patch));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect3(&shape, &state, &floor_z, 0, NULL));
    for (int slot = 0; slot < 24; ++slot) {
        box(vertices, 1, 1, 1);
        vertices[slot] = slot % 2 ? rigid_nan() : -rigid_infinity();
        const tc_status status = tc_detect3(&shape, &state, &floor_z, 0, &patch);
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_ERR_RANGE);
        TEST_ASSERT_TRUE(tc_all_finite((const void *)patch.arm, 24) && tc_all_finite(patch.gap, 8));
    }
}

void suite_detect(void)
{
    RUN_TEST(test_rectangle_on_floor);
    RUN_TEST(test_margin_is_strict);
    RUN_TEST(test_polygons_against_brute_force);
    RUN_TEST(test_detect2_invariance);
    RUN_TEST(test_circle_and_capsule);
    RUN_TEST(test_stacked_vertices_count_once);
    RUN_TEST(test_box_on_floor);
    RUN_TEST(test_box_edges_and_corners);
    RUN_TEST(test_sphere_and_capsule);
    RUN_TEST(test_arms_end_on_the_plane);
    RUN_TEST(test_detect3_invariance);
    RUN_TEST(test_golden_patches);
    RUN_TEST(test_shapes_refused);
    RUN_TEST(test_detect2_bad_calls);
    RUN_TEST(test_detect3_bad_calls);
}
