/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Impacts of bodies and limbs: answers known by hand, a body as a limb, energy and momentum on
 * random boxes, penetration, borders.
 */
#include "test.h"

#include <math.h>

#define GUARDED(n) ((n) + 2u * TEST_GUARD_WORDS)
#define WORK TC_TWOPHASE_LIMB_WORK(TC_PATCH_MAX, 3u, 6u)

static tc_real storage[GUARDED(WORK)];
static tc_real *work;
static tc_twophase_info info;
static const tc_body2 rod = {2, TC_C(0.5)};
static const tc_body3 box = {2, {TC_C(0.3), TC_C(0.5), TC_C(0.4)}};

static tc_twophase ground(tc_real friction, tc_real restitution)
{
    tc_twophase floor = tc_twophase_default();
    floor.friction = friction;
    floor.restitution = restitution;
    return floor;
}

/* An edge of length 2 at height 1/2, both ends at the plane y = 0 */
static tc_patch2 edge(void)
{
    return (tc_patch2){.count = 2,
                       .vertex = {0, 1},
                       .normal = {0, 1},
                       .lever = {-1, 1},
                       .height = TC_C(0.5),
                       .gap = {0, 0}};
}

/* Four corners of a box at the plane z = 0 */
static tc_patch3 face(void)
{
    tc_patch3 patch = {.count = 4, .dimension = 2, .frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (uint32_t i = 0; i < 4u; ++i) {
        patch.vertex[i] = i;
        patch.arm[i][0] = i == 0u || i == 3u ? TC_C(-0.4) : TC_C(0.4);
        patch.arm[i][1] = i < 2u ? TC_C(-0.3) : TC_C(0.3);
        patch.arm[i][2] = TC_C(-0.2);
    }
    return patch;
}

static tc_status solve2(const tc_twophase *floor, const tc_patch2 *patch, tc_body2_state *state)
{
    work = test_guard(storage, TC_TWOPHASE_BODY2_WORK);
    const tc_status status =
        tc_twophase_body2_solve(floor, patch, &rod, state, &info, work, TC_TWOPHASE_BODY2_WORK);
    test_guard_check(storage, TC_TWOPHASE_BODY2_WORK);
    return status;
}

static tc_status solve3(const tc_twophase *floor, const tc_patch3 *patch, tc_body3_state *state)
{
    work = test_guard(storage, TC_TWOPHASE_BODY3_WORK);
    const tc_status status =
        tc_twophase_body3_solve(floor, patch, &box, state, &info, work, TC_TWOPHASE_BODY3_WORK);
    test_guard_check(storage, TC_TWOPHASE_BODY3_WORK);
    return status;
}

/* Flat, e = 1/2: it bounces with half its speed; both ends share 2 kg 1.5 m/s. Friction stops what
 * slides slowly. */
static void test_flat(void)
{
    const tc_twophase floor = ground(TC_C(0.5), TC_C(0.5));
    const tc_patch2 patch = edge();
    tc_body2_state state = {{0, TC_C(0.5), 0}, {0, -1, 0}};
    TEST_ASSERT_EQUAL(TC_OK, solve2(&floor, &patch, &state));
    test_near(TC_C(0.5), state.velocity[1], TC_C(1e-5), 0, "bounce");
    test_near(0, state.velocity[2], TC_C(1e-5), 0, "spin");
    test_near(TC_C(1.5), info.impulse[0], TC_C(1e-3), 0, "impulse of one end");
    test_near(1, info.normal_compressed[1], TC_C(1e-3), 0, "of its compression");
    test_near(0, state.position[0], 0, 0, "positions stay");
}

/* Without friction and with e = 1, energy is kept; with friction it does not grow. */
static void test_energy(void)
{
    for (uint32_t index = 0; index < TEST_ROUNDS(60u); ++index) {
        const tc_twophase floor = ground(index % 2u ? TC_C(0.6) : 0, 1);
        tc_patch3 patch = face();
        tc_body3_state state = {{0, 0, TC_C(0.2)}, {1, 0, 0, 0}, {0}};
        tc_real before, after;
        patch.count = 1;
        patch.dimension = 0;
        test_seed(index + 9u);
        test_fill(state.velocity, 6u, -1, 1);
        (void)tc_body3_energy(&box, &state, &before);
        TEST_ASSERT_EQUAL(TC_OK, solve3(&floor, &patch, &state));
        (void)tc_body3_energy(&box, &state, &after);
        TEST_ASSERT_TRUE(after <= before * TC_C(1.00001));
        if (index % 2u == 0u) test_near(before, after, 0, TC_C(1e-5), "energy");
    }
}

/* What the body gains is what the impulses give it. */
static void test_momentum(void)
{
    const tc_patch3 patch = face();
    for (uint32_t index = 0; index < TEST_ROUNDS(40u); ++index) {
        tc_twophase floor = ground(TC_C(0.4), TC_C(0.3));
        tc_body3_state state = {{0}, {1, 0, 0, 0}, {0}};
        tc_real impulse[6] = {0}, rows[18];
        floor.law = index % 2u ? TC_IMPACT_COULOMB : TC_IMPACT_CONVEX;
        test_seed(index + 90u);
        test_fill(state.orientation, 4u, -1, 1);
        tc_real length = 0;
        for (uint32_t k = 0; k < 4u; ++k) length += state.orientation[k] * state.orientation[k];
        for (uint32_t k = 0; k < 4u; ++k) state.orientation[k] /= (tc_real)sqrt((double)length);
        test_fill(state.velocity, 6u, -1, 1);
        tc_body3_state expected = state;
        TEST_ASSERT_TRUE(solve3(&floor, &patch, &state) >= TC_OK);
        for (uint32_t i = 0; i < 4u; ++i) {
            (void)tc_patch3_contact_rows(&patch, i, rows);
            for (uint32_t k = 0; k < 6u; ++k) {
                impulse[k] += info.impulse[3u * i] * rows[12u + k]
                              + info.impulse[3u * i + 1u] * rows[k]
                              + info.impulse[3u * i + 2u] * rows[6u + k];
            }
        }
        (void)tc_body3_apply_impulse(&box, impulse, &expected);
        for (uint32_t k = 0; k < 6u; ++k) {
            test_near(expected.velocity[k], state.velocity[k], TC_C(2e-5), 0, "momentum");
        }
    }
}

/* A planar body given as a limb moves as the body does. */
static void test_limb(void)
{
    static const tc_real mass[9] = {2, 0, 0, 0, 2, 0, 0, 0, TC_C(0.5)};
    const tc_patch2 patch = edge();
    tc_real normals[6], tangent[3], jacobian[12];
    (void)tc_patch2_rows(&patch, normals, tangent);
    for (uint32_t i = 0; i < 2u; ++i) {
        memcpy(jacobian + 6u * i, normals + 3u * i, 3u * sizeof normals[0]);
        memcpy(jacobian + 6u * i + 3u, tangent, sizeof tangent);
    }
    const tc_twophase_limb limb = {.n = 2, .rows = 2, .d = 3, .mass = mass, .jacobian = jacobian};
    for (uint32_t index = 0; index < TEST_ROUNDS(40u); ++index) {
        const tc_twophase floor = ground(TC_C(0.4), TC_C(0.6));
        tc_body2_state state = {{0}, {0}};
        tc_real rates[3];
        test_seed(index + 30u);
        test_fill(state.velocity, 3u, -1, 1);
        memcpy(rates, state.velocity, sizeof rates);
        TEST_ASSERT_EQUAL(TC_OK, solve2(&floor, &patch, &state));
        work = test_guard(storage, TC_TWOPHASE_LIMB_WORK(2u, 2u, 3u));
        TEST_ASSERT_EQUAL(TC_OK, tc_twophase_limb_solve(&floor, &limb, rates, &info, work,
                                                        TC_TWOPHASE_LIMB_WORK(2u, 2u, 3u)));
        test_guard_check(storage, TC_TWOPHASE_LIMB_WORK(2u, 2u, 3u));
        for (uint32_t k = 0; k < 3u; ++k) {
            test_near(state.velocity[k], rates[k], TC_C(1e-4), 0, "limb and body");
        }
    }
}

/* A limb with coupled rates: two masses on a rail, joined by their mass matrix. The one that touches
 * stops; the impulse is 1 / (J M^-1 J^T), the other rate follows by M^-1 J^T. */
static void test_coupled_limb(void)
{
    static const tc_real mass[4] = {2, 1, 1, 3}, jacobian[2] = {1, 0};
    const tc_twophase_limb limb = {.n = 1, .rows = 1, .d = 2, .mass = mass, .jacobian = jacobian};
    const tc_twophase floor = ground(0, 0);
    tc_real rates[2] = {-1, TC_C(0.5)};
    work = test_guard(storage, TC_TWOPHASE_LIMB_WORK(1u, 1u, 2u));
    TEST_ASSERT_EQUAL(TC_OK, tc_twophase_limb_solve(&floor, &limb, rates, &info, work,
                                                    TC_TWOPHASE_LIMB_WORK(1u, 1u, 2u)));
    test_guard_check(storage, TC_TWOPHASE_LIMB_WORK(1u, 1u, 2u));
    test_near(0, rates[0], TC_C(1e-6), 0, "stops");
    test_near(TC_C(0.16666667), rates[1], TC_C(1e-6), 0, "follows");
    test_near(TC_C(1.66666667), info.impulse[0], TC_C(4e-6), 0, "impulse");
}

/* Four corners that rest inside the floor, by different depths on one plane, leave with depth / 8 h;
 * a box that leaves faster is left alone, to the bit. */
static void test_penetration(void)
{
    const tc_twophase floor = ground(TC_C(0.5), 0);
    tc_patch3 patch = face();
    tc_body3_state state = {{0, 0, TC_C(0.2)}, {1, 0, 0, 0}, {0}};
    for (uint32_t i = 0; i < 4u; ++i) patch.gap[i] = TC_C(-0.001) * (1 + patch.arm[i][0]);
    TEST_ASSERT_EQUAL(TC_OK, solve3(&floor, &patch, &state));
    for (uint32_t i = 0; i < 4u; ++i) {
        const tc_real *const arm = patch.arm[i], *const v = state.velocity;
        const tc_real up = v[2] + v[3] * arm[1] - v[4] * arm[0];
        test_near(-patch.gap[i] * TC_C(125.0), up, TC_C(2e-5), 0, "depth / 8 h");
    }
    const tc_real fast[6] = {TC_C(0.1), TC_C(0.2), 3, 0, 0, 0};
    memcpy(state.velocity, fast, sizeof fast);
    TEST_ASSERT_EQUAL(TC_OK, solve3(&floor, &patch, &state));
    TEST_ASSERT_EQUAL_MEMORY(fast, state.velocity, sizeof fast);
}

static void expect_state(tc_status expected, const tc_twophase *floor, const tc_patch3 *patch,
                         const tc_body3 *body, const tc_body3_state *state, size_t len)
{
    tc_body3_state copy = *state;
    info.n = 7;
    work = storage + TEST_GUARD_WORDS;
    TEST_ASSERT_EQUAL(expected,
                      tc_twophase_body3_solve(floor, patch, body, &copy, &info, work, len));
    TEST_ASSERT_EQUAL_MEMORY(state, &copy, sizeof copy);
    TEST_ASSERT_EQUAL_UINT32(0, info.n);
}

static void test_borders_body(void)
{
    const tc_twophase good = ground(TC_C(0.5), TC_C(0.5));
    const size_t len = TC_TWOPHASE_BODY3_WORK;
    tc_twophase floor = good;
    tc_patch3 patch = face();
    tc_body3 body = box;
    tc_body3_state state = {{0}, {1, 0, 0, 0}, {0, 0, -1, 0, 0, 0}};
    expect_state(TC_ERR_NULL, NULL, &patch, &box, &state, len);
    expect_state(TC_ERR_NULL, &good, NULL, &box, &state, len);
    expect_state(TC_ERR_NULL, &good, &patch, NULL, &state, len);
    expect_state(TC_ERR_WORK, &good, &patch, &box, &state, len - 1u);
    floor.restitution = TC_C(1.5);
    expect_state(TC_ERR_RANGE, &floor, &patch, &box, &state, len);
    floor = good;
    floor.friction = -1;
    expect_state(TC_ERR_RANGE, &floor, &patch, &box, &state, len);
    floor = good;
    floor.step = 0;
    expect_state(TC_ERR_RANGE, &floor, &patch, &box, &state, len);
    floor = good;
    floor.recovery = (tc_real)NAN;
    expect_state(TC_ERR_NOT_FINITE, &floor, &patch, &box, &state, len);
    floor = good;
    floor.law = (tc_impact_law)3;
    expect_state(TC_ERR_UNSUPPORTED, &floor, &patch, &box, &state, len);
    body.mass = 0;
    expect_state(TC_ERR_BODY, &good, &patch, &body, &state, len);
    patch.count = TC_PATCH_MAX + 1u;
    expect_state(TC_ERR_SIZE, &good, &patch, &box, &state, len);
    patch.count = 4;
    state.orientation[0] = 2;
    expect_state(TC_ERR_UNIT, &good, &patch, &box, &state, len);
    state.orientation[0] = 1;
    state.velocity[5] = (tc_real)INFINITY;
    expect_state(TC_ERR_NOT_FINITE, &good, &patch, &box, &state, len);
    state.velocity[5] = 0;
    patch.count = 0;
    expect_state(TC_OK, &good, &patch, &box, &state, 0);
}

static void expect_rates(tc_status expected, const tc_twophase_limb *limb, size_t len)
{
    const tc_twophase floor = ground(TC_C(0.5), 0);
    tc_real rates[2] = {-1, 1};
    work = storage + TEST_GUARD_WORDS;
    TEST_ASSERT_EQUAL(expected, tc_twophase_limb_solve(&floor, limb, rates, &info, work, len));
    TEST_ASSERT_TRUE(rates[0] == -1 && rates[1] == 1 && info.n == 0);
}

static void test_borders_limb(void)
{
    tc_real mass[4] = {2, 1, 1, 3};
    static const tc_real jacobian[4] = {1, 0, 0, 1};
    const tc_twophase_limb good = {.n = 1, .rows = 2, .d = 2, .mass = mass, .jacobian = jacobian};
    const size_t len = TC_TWOPHASE_LIMB_WORK(1u, 2u, 2u);
    tc_twophase_limb bad = good;
    expect_rates(TC_ERR_WORK, &good, len - 1u);
    bad.mass = NULL;
    expect_rates(TC_ERR_NULL, &bad, len);
    bad = good;
    bad.d = TC_CONE_FREEDOM_MAX + 1u;
    expect_rates(TC_ERR_SIZE, &bad, len);
    bad = good;
    bad.rows = 0;
    expect_rates(TC_ERR_SIZE, &bad, len);
    mass[0] = -1;
    expect_rates(TC_ERR_INDEFINITE, &good, len);
    mass[0] = (tc_real)NAN;
    expect_rates(TC_ERR_NOT_FINITE, &good, len);
}

static void test_same_bits(void)
{
    uint32_t hash = TEST_HASH_START;
    const tc_patch3 patch = face();
    for (uint32_t index = 0; index < 8u; ++index) {
        tc_twophase floor = ground(TC_C(0.4), TC_C(0.3));
        tc_body3_state state = {{0}, {1, 0, 0, 0}, {0}};
        floor.law = index % 2u ? TC_IMPACT_COULOMB : TC_IMPACT_CONVEX;
        test_seed(index + 90u);
        test_fill(state.velocity, 6u, -1, 1);
        (void)solve3(&floor, &patch, &state);
        hash = test_hash(hash, state.velocity, 6u);
        hash = test_hash(hash, info.impulse, 12u);
    }
    test_golden("twophase", hash);
}

void suite_twophase(void)
{
    RUN_TEST(test_flat);
    RUN_TEST(test_energy);
    RUN_TEST(test_momentum);
    RUN_TEST(test_limb);
    RUN_TEST(test_coupled_limb);
    RUN_TEST(test_penetration);
    RUN_TEST(test_borders_body);
    RUN_TEST(test_borders_limb);
    RUN_TEST(test_same_bits);
}
