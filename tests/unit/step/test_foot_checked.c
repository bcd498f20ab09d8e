/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Every status that tc_foot2.h and tc_foot3.h promise of init, check and respond, each by the one number that causes
 * it, of each vertex and each axis. A good foot is changed in one place; so the status has no other cause.
 */
#include "learned2_case.h"
#include "learned3_case.h"

#include <math.h>

#define H TC_C(0.002)
#define CORNERS 6u

static const float none[] = {NAN, INFINITY, -INFINITY};
static const float not_positive[] = {0.0f, -1.0f, NAN, INFINITY};
static const double mu = 0.5;

/* ---- In the plane ------------------------------------------------------------------------------- */

static tc_foot2 foot, good_foot;
static tc_real corners[2u * TC_SHAPE_MAX];

/* A polygon of n sides, 0.1 m from its middle, and a body whose gyration is 0.05 m: a lever may be 5 m less 0.1 %. */
static void make_flat(uint32_t n)
{
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    const tc_body2 body = {TC_C(2.0), TC_C(0.005)};
    for (uint32_t i = 0; i < n; ++i) {
        const double angle = 6.283185307179586 * i / n;
        corners[2u * i] = (tc_real)(0.1 * cos(angle));
        corners[2u * i + 1u] = (tc_real)(0.1 * sin(angle));
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&foot, &body, H, &law));
    foot.shape.vertices = corners;
    foot.shape.count = n;
    good_foot = foot;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_check(&foot));
}

static void flat_refused(tc_status expected)
{
    TEST_ASSERT_EQUAL(expected, tc_foot2_check(&foot));
    foot = good_foot;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_check(&foot));
}

/* Catches: a check that looks at some vertices only, or at one twice. */
static void test_each_vertex_of_a_flat_foot(void)
{
    for (uint32_t n = 1; n <= CORNERS; ++n) {
        make_flat(n);
        for (uint32_t i = 0; i < n; ++i) {
            tc_real *const corner = corners + 2u * i;
            const tc_real x = corner[0], y = corner[1];
            corner[0] = TC_C(48.0) * x; /* 4.8 m */
            corner[1] = TC_C(48.0) * y;
            TEST_ASSERT_EQUAL(TC_OK, tc_foot2_check(&foot));
            foot.shape.radius = TC_C(0.5); /* and half a metre of rounding beyond it */
            TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_foot2_check(&foot));
            foot.shape.radius = TC_C(0.0);
            corner[0] = TC_C(51.0) * x;
            corner[1] = TC_C(51.0) * y;
            TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_foot2_check(&foot));
            for (uint32_t k = 0; k < 6u; ++k) {
                corner[0] = x;
                corner[1] = y;
                corner[k % 2u] = (tc_real)none[k / 2u];
                TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_foot2_check(&foot));
            }
            corner[0] = TC_C(1.6e7) * x;
            corner[1] = TC_C(1.6e7) * y;
            TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_foot2_check(&foot));
            memmove(corner, corners + 2u * ((i + 1u) % n), 2u * sizeof *corner);
            if (n == 1u) {
                corner[0] = x;
                corner[1] = y;
            }
            TEST_ASSERT_EQUAL(n > 1u ? TC_ERR_PATCH : TC_OK, tc_foot2_check(&foot));
            corner[0] = x;
            corner[1] = y;
            TEST_ASSERT_EQUAL(TC_OK, tc_foot2_check(&foot));
        }
    }
}

static void test_each_number_of_a_flat_foot(void)
{
    make_flat(4);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_check(NULL));
    foot.shape.vertices = NULL;
    flat_refused(TC_ERR_NULL);
    foot.model.classify = NULL;
    flat_refused(TC_ERR_NULL);
    foot.model.ratio = NULL;
    flat_refused(TC_ERR_NULL);
    foot.shape.count = 0;
    flat_refused(TC_ERR_SIZE);
    foot.shape.count = TC_SHAPE_MAX + 1u;
    flat_refused(TC_ERR_SIZE);
    foot.positions = (tc_scheme)(TC_SCHEME_GAP + 1);
    flat_refused(TC_ERR_UNSUPPORTED);
    for (uint32_t i = 0; i < TC_COUNT(not_positive); ++i) {
        tc_real *const numbers[] = {&foot.body.mass, &foot.body.inertia, &foot.gyration};
        for (uint32_t k = 0; k < TC_COUNT(numbers); ++k) {
            *numbers[k] = (tc_real)not_positive[i];
            flat_refused(TC_ERR_BODY);
        }
    }
    for (uint32_t i = 0; i < TC_COUNT(none); ++i) {
        foot.shape.radius = (tc_real)none[i];
        flat_refused(TC_ERR_NOT_FINITE);
        foot.plane.normal[i % 2u] = (tc_real)none[i];
        flat_refused(TC_ERR_UNIT);
    }
    foot.shape.radius = TC_C(-1e-3);
    flat_refused(TC_ERR_RANGE);
    foot.plane.normal[0] = TC_C(0.1);
    flat_refused(TC_ERR_UNIT);
    foot.restitution = TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_check(&foot));
    foot.restitution = TC_C(1.0) + TC_EPSILON;
    flat_refused(TC_ERR_RANGE);
    foot.restitution = -TC_EPSILON;
    flat_refused(TC_ERR_RANGE);
    foot.step = TC_C(0.99) * TC_LEARNED_STEP_MIN;
    flat_refused(TC_ERR_RANGE);
    foot.step = TC_LEARNED_STEP_MIN;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_check(&foot));
    foot.body.mass = TC_C(2.0) * TC_LEARNED_MASS_MAX;
    flat_refused(TC_ERR_RANGE);
    foot.body.inertia = TC_C(3.0) * TC_LEARNED_GYRATION_MAX * TC_LEARNED_GYRATION_MAX;
    flat_refused(TC_ERR_RANGE);
}

/* A failed init leaves a foot of zeros, whatever was there. */
static void init_refused2(tc_status expected, const tc_body2 *body, tc_real step,
                          const tc_learned2_model *law)
{
    static const tc_foot2 zero;
    memset(&foot, 0x5A, sizeof foot);
    TEST_ASSERT_EQUAL(expected, tc_foot2_init(&foot, body, step, law));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &foot, sizeof zero);
}

static void test_flat_foot_is_not_made(void)
{
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    const tc_body2 fine = {TC_C(2.0), TC_C(0.005)};
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_init(NULL, &fine, H, &law));
    init_refused2(TC_ERR_NULL, NULL, H, &law);
    init_refused2(TC_ERR_NULL, &fine, H, NULL);
    for (uint32_t i = 0; i < TC_COUNT(not_positive); ++i) {
        const tc_body2 mass = {(tc_real)not_positive[i], TC_C(0.005)},
                       inertia = {TC_C(2.0), (tc_real)not_positive[i]};
        init_refused2(TC_ERR_BODY, &mass, H, &law);
        init_refused2(TC_ERR_BODY, &inertia, H, &law);
    }
    for (uint32_t i = 0; i < TC_COUNT(none); ++i) {
        init_refused2(TC_ERR_NOT_FINITE, &fine, (tc_real)none[i], &law);
    }
    init_refused2(TC_ERR_RANGE, &fine, TC_C(0.99) * TC_LEARNED_STEP_MIN, &law);
    init_refused2(TC_ERR_RANGE, &fine, -H, &law);
    const tc_body2 far = {TC_C(1.0), TC_C(1.01e12)}, near = {TC_C(1.0), TC_C(0.99e-12)};
    init_refused2(TC_ERR_RANGE, &far, H, &law);
    init_refused2(TC_ERR_RANGE, &near, H, &law);
}

/* ---- A known patch in the plane ----------------------------------------------------------------- */

static tc_patch2 edge;
static tc_real velocity[3];

static void begin_respond(void)
{
    static const tc_patch2 fine = {.count = 2,
                                   .vertex = {0, 1},
                                   .normal = {TC_C(0.0), TC_C(1.0)},
                                   .lever = {TC_C(-0.1), TC_C(0.1)},
                                   .height = TC_C(0.1)};
    edge = fine;
    velocity[0] = TC_C(0.5);
    velocity[1] = TC_C(-1.0);
    velocity[2] = TC_C(0.3);
    foot = good_foot;
}

/* Velocity stays to the bit, info says nothing; without info the status is the same. */
static void respond_refused(tc_status expected, const tc_foot2 *of, const tc_patch2 *patch)
{
    static const tc_foot2_info nothing = {
        .decision = {.branch = TC_LEARNED_NONE, .said = TC_LEARNED_NONE}};
    tc_foot2_info info;
    tc_real kept[3];
    memcpy(kept, velocity, sizeof kept);
    memset(&info, 0, sizeof info);
    info.friction = info.torque = info.normal[1] = TC_C(7.0);
    info.count = 2;
    TEST_ASSERT_EQUAL(expected, tc_foot2_respond(of, patch, velocity, &info, NULL, 0));
    TEST_ASSERT_EQUAL_MEMORY(kept, velocity, sizeof kept);
    TEST_ASSERT_EQUAL(nothing.decision.branch, info.decision.branch);
    TEST_ASSERT_EQUAL(nothing.decision.said, info.decision.said);
    TEST_ASSERT_TRUE(info.count == 0u && info.friction == 0 && info.torque == 0
                     && info.normal[1] == 0);
    TEST_ASSERT_EQUAL(expected, tc_foot2_respond(of, patch, velocity, NULL, NULL, 0));
    TEST_ASSERT_EQUAL_MEMORY(kept, velocity, sizeof kept);
    begin_respond();
}

static void test_responses_refused(void)
{
    tc_real *const numbers[] = {&edge.lever[0], &edge.lever[1], &edge.height};
    tc_real *const body[] = {&foot.body.mass, &foot.body.inertia, &foot.gyration};
    make_flat(4);
    begin_respond();
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_respond(&foot, &edge, velocity, NULL, NULL, 0));
    TEST_ASSERT_TRUE(velocity[1] >= TC_C(-1e-6));
    begin_respond();
    respond_refused(TC_ERR_NULL, NULL, &edge);
    respond_refused(TC_ERR_NULL, &foot, NULL);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_respond(&foot, &edge, NULL, NULL, NULL, 0));
    foot.model.classify = NULL;
    respond_refused(TC_ERR_NULL, &foot, &edge);
    foot.model.ratio = NULL;
    respond_refused(TC_ERR_NULL, &foot, &edge);
    edge.count = 3;
    respond_refused(TC_ERR_SIZE, &foot, &edge);
    edge.normal[1] = TC_C(1.1);
    respond_refused(TC_ERR_UNIT, &foot, &edge);
    edge.lever[0] = TC_C(0.2);
    respond_refused(TC_ERR_PATCH, &foot, &edge);
    edge.lever[1] = TC_C(5.1); /* 102 gyrations */
    respond_refused(TC_ERR_RANGE, &foot, &edge);
    velocity[1] = TC_C(-1.1) * TC_LEARNED_SPEED_MAX;
    respond_refused(TC_ERR_RANGE, &foot, &edge);
    foot.restitution = TC_C(1.01);
    respond_refused(TC_ERR_RANGE, &foot, &edge);
    foot.step = TC_C(0.0);
    respond_refused(TC_ERR_RANGE, &foot, &edge);
    for (uint32_t i = 0; i < TC_COUNT(none); ++i) {
        for (uint32_t k = 0; k < 3u; ++k) {
            velocity[k] = (tc_real)none[i];
            respond_refused(TC_ERR_NOT_FINITE, &foot, &edge);
            *numbers[k] = (tc_real)none[i];
            respond_refused(TC_ERR_NOT_FINITE, &foot, &edge);
            *body[k] = (tc_real)not_positive[i];
            respond_refused(TC_ERR_BODY, &foot, &edge);
        }
    }
    edge.count = 0; /* no contact: nothing happens, whatever else the patch holds */
    edge.normal[1] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_respond(&foot, &edge, velocity, NULL, NULL, 0));
    TEST_ASSERT_TRUE(velocity[0] == TC_C(0.5) && velocity[1] == TC_C(-1.0)
                     && velocity[2] == TC_C(0.3));
}

/* ---- In space ----------------------------------------------------------------------------------- */

static tc_foot3 box, good_box;
static tc_real points[3u * CORNERS];

/* The six ends of an octahedron, 0.1 m from its middle; every gyration 0.05 m. */
static void make_solid(void)
{
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    const tc_body3 body = {TC_C(2.0), {TC_C(0.005), TC_C(0.005), TC_C(0.005)}};
    memset(points, 0, sizeof points);
    for (uint32_t i = 0; i < CORNERS; ++i) {
        points[3u * i + i / 2u] = i % 2u ? TC_C(-0.1) : TC_C(0.1);
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&box, &body, H, &law));
    box.shape.vertices = points;
    box.shape.count = CORNERS;
    good_box = box;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_check(&box));
}

static void solid_refused(tc_status expected)
{
    TEST_ASSERT_EQUAL(expected, tc_foot3_check(&box));
    box = good_box;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_check(&box));
}

static void test_each_vertex_of_a_solid_foot(void)
{
    make_solid();
    for (uint32_t i = 0; i < CORNERS; ++i) {
        tc_real *const point = points + 3u * i;
        tc_real kept[3];
        memcpy(kept, point, sizeof kept);
        for (uint32_t k = 0; k < 3u; ++k) {
            for (uint32_t kind = 0; kind < TC_COUNT(none); ++kind) {
                point[k] = (tc_real)none[kind];
                TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_foot3_check(&box));
            }
            for (int side = -1; side <= 1;
                 side += 2) { /* 3.2 m is allowed, and with half a metre of rounding not */
                point[k] = TC_C(3.2) * (tc_real)side;
                TEST_ASSERT_EQUAL(TC_OK, tc_foot3_check(&box));
                box.shape.radius = TC_C(0.5);
                TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_foot3_check(&box));
                box.shape.radius = TC_C(0.0);
            }
            point[k] = TC_C(-5.1);
            TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_foot3_check(&box));
            point[k] = TC_C(1.1e6);
            TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_foot3_check(&box));
            memcpy(point, kept, sizeof kept);
        }
        for (uint32_t other = 0; other < CORNERS; ++other) {
            memmove(point, points + 3u * other, sizeof kept);
            TEST_ASSERT_EQUAL(other == i ? TC_OK : TC_ERR_PATCH, tc_foot3_check(&box));
            memcpy(point, kept, sizeof kept);
        }
    }
}

static void test_each_number_of_a_solid_foot(void)
{
    make_solid();
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot3_check(NULL));
    box.shape.vertices = NULL;
    solid_refused(TC_ERR_NULL);
    box.model.classify = NULL;
    solid_refused(TC_ERR_NULL);
    box.model.ratio = NULL;
    solid_refused(TC_ERR_NULL);
    box.shape.count = 0;
    solid_refused(TC_ERR_SIZE);
    box.shape.count = TC_SHAPE_MAX + 1u;
    solid_refused(TC_ERR_SIZE);
    box.sweeps.rounds = 0;
    solid_refused(TC_ERR_SIZE);
    box.sweeps.rounds = TC_LEARNED3_ROUNDS_MAX + 1u;
    solid_refused(TC_ERR_SIZE);
    box.sweeps.frozen = TC_LEARNED3_FROZEN_MAX + 1u;
    solid_refused(TC_ERR_SIZE);
    box.positions = (tc_scheme)(TC_SCHEME_GAP + 1);
    solid_refused(TC_ERR_UNSUPPORTED);
    for (uint32_t i = 0; i < TC_COUNT(not_positive); ++i) {
        for (uint32_t k = 0; k < 4u; ++k) {
            *(k < 3u ? &box.body.inertia[k] : &box.body.mass) = (tc_real)not_positive[i];
            solid_refused(TC_ERR_BODY);
        }
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        box.plane.normal[k] = (tc_real)none[k];
        solid_refused(TC_ERR_UNIT);
        box.plane.normal[k] += TC_C(0.1);
        solid_refused(TC_ERR_UNIT);
        box.shape.radius = (tc_real)none[k];
        solid_refused(TC_ERR_NOT_FINITE);
        box.body.inertia[k] = TC_C(3.0) * TC_LEARNED_GYRATION_MAX * TC_LEARNED_GYRATION_MAX;
        solid_refused(TC_ERR_RANGE);
    }
    box.shape.radius = TC_C(-1e-3);
    solid_refused(TC_ERR_RANGE);
    box.restitution = TC_C(1.0) + TC_EPSILON;
    solid_refused(TC_ERR_RANGE);
    box.restitution = -TC_EPSILON;
    solid_refused(TC_ERR_RANGE);
    box.step = TC_C(0.99) * TC_LEARNED_STEP_MIN;
    solid_refused(TC_ERR_RANGE);
}

static void init_refused3(tc_status expected, const tc_body3 *body, tc_real step,
                          const tc_learned3_model *law)
{
    static const tc_foot3 zero;
    memset(&box, 0x5A, sizeof box);
    TEST_ASSERT_EQUAL(expected, tc_foot3_init(&box, body, step, law));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &box, sizeof zero);
}

static void test_solid_foot_is_not_made(void)
{
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    const tc_body3 fine = {TC_C(2.0), {TC_C(0.005), TC_C(0.006), TC_C(0.007)}};
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot3_init(NULL, &fine, H, &law));
    init_refused3(TC_ERR_NULL, NULL, H, &law);
    init_refused3(TC_ERR_NULL, &fine, H, NULL);
    for (uint32_t i = 0; i < TC_COUNT(not_positive); ++i) {
        for (uint32_t k = 0; k < 4u; ++k) {
            tc_body3 bad = fine;
            *(k < 3u ? &bad.inertia[k] : &bad.mass) = (tc_real)not_positive[i];
            init_refused3(TC_ERR_BODY, &bad, H, &law);
        }
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        tc_body3 far = fine, near = fine;
        far.inertia[i] = TC_C(2.02e12);
        near.inertia[i] = TC_C(1.98e-12);
        init_refused3(TC_ERR_RANGE, &far, H, &law);
        init_refused3(TC_ERR_RANGE, &near, H, &law);
        init_refused3(TC_ERR_NOT_FINITE, &fine, (tc_real)none[i], &law);
    }
    init_refused3(TC_ERR_RANGE, &fine, TC_C(0.99) * TC_LEARNED_STEP_MIN, &law);
    init_refused3(TC_ERR_RANGE, &fine, -H, &law);
}

void suite_foot_checked(void)
{
    RUN_TEST(test_each_vertex_of_a_flat_foot);
    RUN_TEST(test_each_number_of_a_flat_foot);
    RUN_TEST(test_flat_foot_is_not_made);
    RUN_TEST(test_responses_refused);
    RUN_TEST(test_each_vertex_of_a_solid_foot);
    RUN_TEST(test_each_number_of_a_solid_foot);
    RUN_TEST(test_solid_foot_is_not_made);
}
