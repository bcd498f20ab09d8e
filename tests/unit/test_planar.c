/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The whole step of one planar body: position schemes, restitution, units, statuses.
 */
#include "dacm_case.h"

#include <math.h>

#define H TC_C(0.002)

static const tc_real rectangle[8] = {TC_C(-0.1), TC_C(-0.06), TC_C(0.1), TC_C(-0.06),
                                     TC_C(0.1), TC_C(0.06), TC_C(-0.1), TC_C(0.06)};
static const tc_planar_body body = {TC_C(2.0), TC_C(0.0090666667)};
static const tc_real weight[3] = {TC_C(0.0), TC_C(-19.62), TC_C(0.0)};
static const double mu = 0.5;
static tc_dacm foot;
static tc_dacm_info info;

static void make_foot(tc_positions positions)
{
    const tc_dacm_law law = dacm_coulomb_law(&mu);
    TEST_ASSERT_EQUAL(TC_OK, tc_dacm_init(&foot, &body, H, &law));
    foot.shape.vertices = rectangle;
    foot.shape.count = 4;
    foot.positions = positions;
}

static tc_planar_state at(tc_real y, tc_real theta, tc_real vx, tc_real vy, tc_real omega)
{
    const tc_planar_state state = {{TC_C(0.0), y, theta}, {vx, vy, omega}};
    return state;
}

static tc_status step(tc_planar_state *state)
{
    return tc_dacm_step(&foot, weight, state, &info, NULL, 0);
}

/* Catches: force integrated after positions, or not by h / m. */
static void test_flight(void)
{
    for (uint32_t positions = 0; positions < 3u; positions++) {
        make_foot((tc_positions)positions);
        tc_planar_state state = at(TC_C(1.0), TC_C(0.5), TC_C(2.0), TC_C(1.0), TC_C(3.0));
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(TC_CONTACT_NONE, info.decision.branch);
        TEST_ASSERT_EQUAL(0, info.count);
        test_near(TC_C(1.0) - TC_C(0.01962), state.velocity[1], TC_C(1e-7), TC_C(1e-7), "vy");
        test_near(TC_C(1.0) + H * (TC_C(1.0) - TC_C(0.01962)), state.position[1], TC_C(1e-7), TC_C(1e-7),
                  "y");
        test_near(TC_C(0.004), state.position[0], TC_C(1e-9), TC_C(1e-6), "x");
        test_near(TC_C(0.506), state.position[2], TC_C(1e-9), TC_C(1e-6), "theta");
        TEST_ASSERT_EQUAL(TC_OK, tc_dacm_step(&foot, NULL, &state, &info, NULL, 0)); /* no force */
        test_near(TC_C(1.0) - TC_C(0.01962), state.velocity[1], TC_C(1e-7), TC_C(1e-7), "vy kept");
    }
}

/* Catches: DART's push-out at another rate, on velocities, or contact at gap 0. */
static void test_push_out(void)
{
    static const tc_real depth[3] = {TC_C(1e-4), TC_C(5e-3), TC_C(0.0)};
    static const tc_real rise[3] = {TC_C(0.01) * TC_C(1e-4), TC_C(1e-3) * TC_C(0.002), TC_C(0.0)};
    make_foot(TC_POSITIONS_DART);
    for (uint32_t i = 0; i < 2u; i++) {
        tc_planar_state state = at(TC_C(0.06) - depth[i], TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0));
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(TC_CONTACT_STATIC, info.decision.branch);
        TEST_ASSERT_EQUAL(2, info.count);
        test_near(TC_C(0.06) - depth[i] + rise[i], state.position[1], TC_C(1e-8), TC_C(0.0), "pushed");
        for (uint32_t k = 0; k < 3u; k++) {
            test_near(TC_C(0.0), state.velocity[k], TC_C(1e-7), TC_C(0.0), "at rest");
        }
        /* the floor carries the weight: m g h = 0.03924 N s, shared evenly, no torque */
        test_near(TC_C(0.01962), info.normal[0], TC_C(1e-7), TC_C(1e-6), "left");
        test_near(TC_C(0.01962), info.normal[1], TC_C(1e-7), TC_C(1e-6), "right");
        test_near(TC_C(0.0), info.friction, TC_C(1e-7), TC_C(0.0), "friction");
        test_near(TC_C(0.0), info.torque, TC_C(1e-8), TC_C(0.0), "torque");
    }
    tc_planar_state state = at(TC_C(0.0601), TC_C(0.0), TC_C(0.0), TC_C(-1.0), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, step(&state)); /* above the floor: it sinks first */
    TEST_ASSERT_EQUAL(TC_CONTACT_NONE, info.decision.branch);
    TEST_ASSERT_TRUE(state.position[1] < TC_C(0.0585));
}

/* Catches: time of contact wrong; the patch of a flat landing taken for a point; the gap counted twice. */
static void test_landing(void)
{
    for (uint32_t positions = 1; positions < 3u; positions++) {
        make_foot((tc_positions)positions);
        tc_planar_state state = at(TC_C(0.061), TC_C(0.0), TC_C(0.0), TC_C(-2.0), TC_C(0.0));
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(2, info.count);
        test_near(TC_C(0.06), state.position[1], TC_C(2e-8), TC_C(0.0), "on the floor");
        const tc_real left = positions == 1u ? TC_C(0.0) : TC_C(-0.5); /* the gap takes its 1 mm in 2 ms */
        test_near(left, state.velocity[1], TC_C(1e-6), TC_C(0.0), "vy");
        test_near(TC_C(2.0) * (TC_C(2.01962) + left), info.normal[0] + info.normal[1], TC_C(1e-5), TC_C(0.0),
                  "impulse");
    }
}

/* Sliding on the flat side: friction mu m g h per step and no more, to the end; then rest.
 * Catches: friction in units per mass, wrong sign of p_friction or p_torque. */
static void test_sliding(void)
{
    for (uint32_t positions = 0; positions < 3u; positions++) {
        make_foot((tc_positions)positions);
        tc_planar_state state = at(TC_C(0.06), TC_C(0.0), TC_C(1.0), TC_C(0.0), TC_C(0.0));
        if (positions == 0u) {
            state.position[1] -= TC_C(1e-5);
        }
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(TC_CONTACT_DYNAMIC, info.decision.branch);
        test_near(TC_C(-0.01962), info.friction, TC_C(1e-6), TC_C(0.0), "friction");
        test_near(TC_C(0.03924), info.normal[0] + info.normal[1], TC_C(1e-6), TC_C(0.0), "normal");
        test_near(TC_C(1.0) - TC_C(0.00981), state.velocity[0], TC_C(1e-6), TC_C(0.0), "vx");
        /* the normals' torque undoes the friction's */
        test_near(TC_C(0.0), info.torque, TC_C(1e-6), TC_C(0.0), "torque");
        uint32_t steps = 1;
        while (steps < 200u && info.decision.branch == TC_CONTACT_DYNAMIC) {
            TEST_ASSERT_TRUE(step(&state) >= TC_OK);
            steps++;
        }
        TEST_ASSERT_TRUE(steps >= 102u && steps <= 103u); /* 1 / 0.00981 = 101.9 */
        for (uint32_t i = 0; i < 50u; i++) {
            TEST_ASSERT_EQUAL(TC_OK, step(&state));
            TEST_ASSERT_EQUAL(TC_CONTACT_STATIC, info.decision.branch);
        }
        test_near(TC_C(0.0), state.velocity[0], TC_C(1e-7), TC_C(0.0), "stands");
        test_near(TC_C(0.06), state.position[1], TC_C(2e-5), TC_C(0.0), "on the floor");
    }
}

/* Catches: restitution applied at rest, or not at all. */
static void test_restitution(void)
{
    make_foot(TC_POSITIONS_TOC);
    foot.restitution = TC_C(0.5);
    tc_planar_state state = at(TC_C(0.061), TC_C(0.0), TC_C(0.0), TC_C(-2.0), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, step(&state));
    test_near(TC_C(0.5) * TC_C(2.01962), state.velocity[1], TC_C(1e-6), TC_C(0.0), "bounces");
    state = at(TC_C(0.06), TC_C(0.0), TC_C(0.0), TC_C(-0.1), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, step(&state));
    test_near(TC_C(0.0), state.velocity[1], TC_C(1e-6), TC_C(0.0), "too slow to bounce");
}

/* tc_dacm_respond is the velocity part of a step. Catches: gravity or gaps in it. */
static void test_respond(void)
{
    tc_dacm_info other;
    make_foot(TC_POSITIONS_DART);
    test_seed(20501u);
    for (uint32_t round = 0; round < 50u; round++) {
        const tc_real theta = test_uniform(TC_C(-3.0), TC_C(3.0));
        tc_planar_state state = at(TC_C(0.09), theta, TC_C(0.0), TC_C(0.0), TC_C(0.0));
        tc_planar_patch patch;
        test_fill(state.velocity, 3, TC_C(-3.0), TC_C(3.0));
        tc_real velocity[3] = {state.velocity[0], state.velocity[1], state.velocity[2]};
        TEST_ASSERT_EQUAL(TC_OK, tc_planar_detect(&foot.shape, &state, &foot.plane, TC_C(0.0), &patch));
        TEST_ASSERT_EQUAL(TC_OK, tc_dacm_respond(&foot, &patch, velocity, &other, NULL, 0));
        TEST_ASSERT_EQUAL(TC_OK, tc_dacm_step(&foot, NULL, &state, &info, NULL, 0));
        TEST_ASSERT_EQUAL_MEMORY(state.velocity, velocity, sizeof velocity);
        TEST_ASSERT_EQUAL(info.decision.branch, other.decision.branch);
        TEST_ASSERT_EQUAL(info.count, other.count);
        TEST_ASSERT_EQUAL_MEMORY(info.normal, other.normal, sizeof info.normal);
        TEST_ASSERT_EQUAL_MEMORY(&info.torque, &other.torque, sizeof info.torque);
    }
}

static void fails(tc_status status, const tc_real *force, tc_planar_state state)
{
    static const tc_dacm_info none = {.decision = {.branch = TC_CONTACT_NONE, .said = TC_CONTACT_NONE}};
    const tc_planar_state before = state;
    TEST_ASSERT_EQUAL(status, tc_dacm_step(&foot, force, &state, &info, NULL, 0));
    TEST_ASSERT_EQUAL_MEMORY(&before, &state, sizeof state);
    TEST_ASSERT_EQUAL_MEMORY(&none, &info, sizeof info);
}

/* Catches: an unchecked input, a state half moved, an info not cleared. */
static void test_refusals(void)
{
    const tc_planar_state good = at(TC_C(0.059), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0));
    tc_planar_state bad = good;
    make_foot(TC_POSITIONS_DART);
    for (uint32_t i = 0; i < 6u; i++) {
        bad = good;
        tc_real *const slot = i < 3u ? &bad.position[i] : &bad.velocity[i - 3u];
        *slot = i % 2u == 0u ? (tc_real)NAN : (tc_real)INFINITY;
        fails(TC_ERR_NOT_FINITE, weight, bad);
    }
    for (uint32_t i = 0; i < 3u; i++) {
        tc_real force[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
        force[i] = (tc_real)NAN;
        fails(TC_ERR_NOT_FINITE, force, good);
    }
    bad = good;
    bad.velocity[2] = TC_C(1e30);
    fails(TC_ERR_RANGE, weight, bad); /* contact beyond the speed limit */
    bad = at((tc_real)HUGE_VALF, TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0));
    fails(TC_ERR_NOT_FINITE, weight, bad);
    static const tc_real mass[4] = {TC_C(0.0), TC_C(-1.0), (tc_real)NAN, (tc_real)INFINITY};
    for (uint32_t i = 0; i < 4u; i++) {
        make_foot(TC_POSITIONS_TOC);
        foot.body.mass = mass[i];
        fails(TC_ERR_BODY, weight, good);
        make_foot(TC_POSITIONS_TOC);
        foot.body.inertia = mass[i];
        fails(TC_ERR_BODY, weight, good);
    }
    make_foot((tc_positions)3);
    fails(TC_ERR_UNSUPPORTED, weight, good);
    make_foot(TC_POSITIONS_GAP);
    foot.plane.normal[1] = TC_C(0.9);
    fails(TC_ERR_UNIT, weight, good);
    make_foot(TC_POSITIONS_GAP);
    foot.shape.count = 0;
    fails(TC_ERR_SIZE, weight, good);
    foot.shape.count = 65;
    fails(TC_ERR_SIZE, weight, good);
    foot.shape.vertices = NULL;
    fails(TC_ERR_NULL, weight, good);
    make_foot(TC_POSITIONS_GAP);
    foot.step = TC_C(0.0);
    fails(TC_ERR_RANGE, weight, good);
    make_foot(TC_POSITIONS_GAP);
    foot.restitution = TC_C(1.5);
    fails(TC_ERR_RANGE, weight, good);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_dacm_step(NULL, weight, &bad, &info, NULL, 0));
    make_foot(TC_POSITIONS_GAP);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_dacm_step(&foot, weight, NULL, &info, NULL, 0));
}

/* Catches: a body that is none accepted. */
static void test_init(void)
{
    static const tc_dacm none;
    const tc_dacm_law law = dacm_coulomb_law(&mu);
    tc_planar_body bad = body;
    bad.inertia = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_dacm_init(&foot, &bad, H, &law));
    TEST_ASSERT_EQUAL_MEMORY(&none, &foot, sizeof foot);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_dacm_init(&foot, &body, TC_C(-0.001), &law));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_dacm_init(&foot, &body, (tc_real)INFINITY, &law));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_dacm_init(&foot, &body, H, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_dacm_init(&foot, NULL, H, &law));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_dacm_init(NULL, &body, H, &law));
}

/* ---- Bits ---------------------------------------------------------------------------------------------- */

_Alignas(16) static uint8_t blob[DACM_BLOB_SIZE];
static tc_model model;
static tc_dacm_nets nets;
static tc_real work[TC_DACM_WORK(19)];

/* Throws with nets of random weights: every stage of the step in every scheme. */
static void test_golden_throws(void)
{
    const tc_planar_body unit = {TC_C(1.0), TC_C(0.0045333333)};
    const tc_real gravity[3] = {TC_C(0.0), TC_C(-9.81), TC_C(0.0)};
    uint32_t hash = TEST_HASH_START;
    test_seed(20502u);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, dacm_blob(blob)));
    TEST_ASSERT_EQUAL(TC_OK, tc_dacm_open(&foot, &nets, &model, &unit, H));
    foot.shape.vertices = rectangle;
    foot.shape.count = 4;
    for (uint32_t throw = 0; throw < 6u; throw++) {
        const tc_real theta = test_uniform(TC_C(-3.0), TC_C(3.0));
        tc_planar_state state = at(TC_C(0.13), theta, TC_C(0.0), TC_C(0.0), TC_C(0.0));
        test_fill(state.velocity, 3, TC_C(-4.0), TC_C(4.0));
        foot.positions = (tc_positions)(throw % 3u);
        for (uint32_t i = 0; i < 120u; i++) {
            TEST_ASSERT_TRUE(tc_dacm_step(&foot, gravity, &state, &info, work, TC_COUNT(work)) >= TC_OK);
            hash = test_hash(hash, state.position, 3);
            hash = test_hash(hash, state.velocity, 3);
            hash = test_hash(hash, info.normal, 2);
        }
    }
    test_golden("dacm.throws", hash);
}

void suite_planar(void)
{
    RUN_TEST(test_flight);
    RUN_TEST(test_push_out);
    RUN_TEST(test_landing);
    RUN_TEST(test_sliding);
    RUN_TEST(test_restitution);
    RUN_TEST(test_respond);
    RUN_TEST(test_refusals);
    RUN_TEST(test_init);
    RUN_TEST(test_golden_throws);
}
