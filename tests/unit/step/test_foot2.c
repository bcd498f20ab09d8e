/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The whole step of one planar body: position schemes, restitution, units, statuses.
 */
#include "learned2_case.h"

#include <math.h>

#define H TC_C(0.002)

static const tc_real rectangle[8] = {TC_C(-0.1), TC_C(-0.06), TC_C(0.1),  TC_C(-0.06),
                                     TC_C(0.1),  TC_C(0.06),  TC_C(-0.1), TC_C(0.06)};
static const tc_body2 body = {TC_C(2.0), TC_C(0.0090666667)};
static const tc_real weight[3] = {TC_C(0.0), TC_C(-19.62), TC_C(0.0)};
static const double mu = 0.5;
static tc_foot2 foot;
static tc_foot2_info info;

static void make_foot(tc_scheme positions)
{
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&foot, &body, H, &law));
    foot.shape.vertices = rectangle;
    foot.shape.count = 4;
    foot.positions = positions;
}

static tc_body2_state at(tc_real y, tc_real theta, tc_real vx, tc_real vy, tc_real omega)
{
    const tc_body2_state state = {{TC_C(0.0), y, theta}, {vx, vy, omega}};
    return state;
}

static tc_status step(tc_body2_state *state)
{
    return tc_foot2_step(&foot, weight, state, &info, NULL, 0);
}

/* Catches: force integrated after positions, or not by h / m. */
static void test_flight(void)
{
    for (uint32_t positions = 0; positions < 3u; positions++) {
        make_foot((tc_scheme)positions);
        tc_body2_state state = at(TC_C(1.0), TC_C(0.5), TC_C(2.0), TC_C(1.0), TC_C(3.0));
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(TC_LEARNED_NONE, info.decision.branch);
        TEST_ASSERT_EQUAL(0, info.count);
        test_near(TC_C(1.0) - TC_C(0.01962), state.velocity[1], TC_C(1e-7), TC_C(1e-7), "vy");
        test_near(TC_C(1.0) + H * (TC_C(1.0) - TC_C(0.01962)), state.position[1], TC_C(1e-7),
                  TC_C(1e-7), "y");
        test_near(TC_C(0.004), state.position[0], TC_C(1e-9), TC_C(1e-6), "x");
        test_near(TC_C(0.506), state.position[2], TC_C(1e-9), TC_C(1e-6), "theta");
        TEST_ASSERT_EQUAL(TC_OK, tc_foot2_step(&foot, NULL, &state, &info, NULL, 0)); /* no force */
        test_near(TC_C(1.0) - TC_C(0.01962), state.velocity[1], TC_C(1e-7), TC_C(1e-7), "vy kept");
    }
}

/* Catches: DART's push-out at another rate, on velocities, or contact at gap 0. */
static void test_push_out(void)
{
    static const tc_real depth[3] = {TC_C(1e-4), TC_C(5e-3), TC_C(0.0)};
    static const tc_real rise[3] = {TC_C(0.01) * TC_C(1e-4), TC_C(1e-3) * TC_C(0.002), TC_C(0.0)};
    make_foot(TC_SCHEME_DART);
    for (uint32_t i = 0; i < 2u; i++) {
        tc_body2_state state =
            at(TC_C(0.06) - depth[i], TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0));
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(TC_LEARNED_STATIC, info.decision.branch);
        TEST_ASSERT_EQUAL(2, info.count);
        test_near(TC_C(0.06) - depth[i] + rise[i], state.position[1], TC_C(1e-8), TC_C(0.0),
                  "pushed");
        for (uint32_t k = 0; k < 3u; k++) {
            test_near(TC_C(0.0), state.velocity[k], TC_C(1e-7), TC_C(0.0), "at rest");
        }
        /* the floor carries the weight: m g h = 0.03924 N s, shared evenly, no torque */
        test_near(TC_C(0.01962), info.normal[0], TC_C(1e-7), TC_C(1e-6), "left");
        test_near(TC_C(0.01962), info.normal[1], TC_C(1e-7), TC_C(1e-6), "right");
        test_near(TC_C(0.0), info.friction, TC_C(1e-7), TC_C(0.0), "friction");
        test_near(TC_C(0.0), info.torque, TC_C(1e-8), TC_C(0.0), "torque");
    }
    tc_body2_state state = at(TC_C(0.0601), TC_C(0.0), TC_C(0.0), TC_C(-1.0), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, step(&state)); /* above the floor: it sinks first */
    TEST_ASSERT_EQUAL(TC_LEARNED_NONE, info.decision.branch);
    TEST_ASSERT_TRUE(state.position[1] < TC_C(0.0585));
}

/* Catches: time of contact wrong; the patch of a flat landing taken for a point; the gap counted
 * twice. */
static void test_landing(void)
{
    for (uint32_t positions = 1; positions < 3u; positions++) {
        make_foot((tc_scheme)positions);
        tc_body2_state state = at(TC_C(0.061), TC_C(0.0), TC_C(0.0), TC_C(-2.0), TC_C(0.0));
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(2, info.count);
        TEST_ASSERT_TRUE(info.vertex[0] != info.vertex[1]);
        for (uint32_t k = 0; k < 2u; k++) { /* the contacts are the lower corners */
            TEST_ASSERT_TRUE(foot.shape.vertices[2u * info.vertex[k] + 1u] < TC_C(0.0));
        }
        test_near(TC_C(0.06), state.position[1], TC_C(2e-8), TC_C(0.0), "on the floor");
        /* the gap takes its 1 mm in 2 ms */
        const tc_real left = positions == 1u ? TC_C(0.0) : TC_C(-0.5);
        test_near(left, state.velocity[1], TC_C(1e-6), TC_C(0.0), "vy");
        test_near(TC_C(2.0) * (TC_C(2.01962) + left), info.normal[0] + info.normal[1], TC_C(1e-5),
                  TC_C(0.0), "impulse");
    }
}

/* Sliding on the flat side: friction mu m g h per step and no more, to the end; then rest.
 * Catches: friction in units per mass, wrong sign of p_friction or p_torque. */
static void test_sliding(void)
{
    for (uint32_t positions = 0; positions < 3u; positions++) {
        make_foot((tc_scheme)positions);
        tc_body2_state state = at(TC_C(0.06), TC_C(0.0), TC_C(1.0), TC_C(0.0), TC_C(0.0));
        if (positions == 0u) {
            state.position[1] -= TC_C(1e-5);
        }
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(TC_LEARNED_DYNAMIC, info.decision.branch);
        test_near(TC_C(-0.01962), info.friction, TC_C(1e-6), TC_C(0.0), "friction");
        test_near(TC_C(0.03924), info.normal[0] + info.normal[1], TC_C(1e-6), TC_C(0.0), "normal");
        test_near(TC_C(1.0) - TC_C(0.00981), state.velocity[0], TC_C(1e-6), TC_C(0.0), "vx");
        /* the normals' torque undoes the friction's */
        test_near(TC_C(0.0), info.torque, TC_C(1e-6), TC_C(0.0), "torque");
        uint32_t steps = 1;
        while (steps < 200u && info.decision.branch == TC_LEARNED_DYNAMIC) {
            TEST_ASSERT_TRUE(step(&state) >= TC_OK);
            steps++;
        }
        TEST_ASSERT_TRUE(steps >= 102u && steps <= 103u); /* 1 / 0.00981 = 101.9 */
        for (uint32_t i = 0; i < 50u; i++) {
            TEST_ASSERT_EQUAL(TC_OK, step(&state));
            TEST_ASSERT_EQUAL(TC_LEARNED_STATIC, info.decision.branch);
        }
        test_near(TC_C(0.0), state.velocity[0], TC_C(1e-7), TC_C(0.0), "stands");
        test_near(TC_C(0.06), state.position[1], TC_C(2e-5), TC_C(0.0), "on the floor");
    }
}

/* Catches: restitution applied at rest, or not at all. */
static void test_restitution(void)
{
    make_foot(TC_SCHEME_TOC);
    foot.restitution = TC_C(0.5);
    tc_body2_state state = at(TC_C(0.061), TC_C(0.0), TC_C(0.0), TC_C(-2.0), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, step(&state));
    test_near(TC_C(0.5) * TC_C(2.01962), state.velocity[1], TC_C(1e-6), TC_C(0.0), "bounces");
    state = at(TC_C(0.06), TC_C(0.0), TC_C(0.0), TC_C(-0.1), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, step(&state));
    test_near(TC_C(0.0), state.velocity[1], TC_C(1e-6), TC_C(0.0), "too slow to bounce");
}

/* tc_foot2_respond is the velocity part of a step. Catches: gravity or gaps in it. */
static void test_respond(void)
{
    tc_foot2_info other;
    make_foot(TC_SCHEME_DART);
    test_seed(20501u);
    for (uint32_t round = 0; round < 50u; round++) {
        const tc_real theta = test_uniform(TC_C(-3.0), TC_C(3.0));
        tc_body2_state state = at(TC_C(0.09), theta, TC_C(0.0), TC_C(0.0), TC_C(0.0));
        tc_patch2 patch;
        test_fill(state.velocity, 3, TC_C(-3.0), TC_C(3.0));
        tc_real velocity[3] = {state.velocity[0], state.velocity[1], state.velocity[2]};
        TEST_ASSERT_EQUAL(TC_OK, tc_detect2(&foot.shape, &state, &foot.plane, TC_C(0.0), &patch));
        TEST_ASSERT_EQUAL(TC_OK, tc_foot2_respond(&foot, &patch, velocity, &other, NULL, 0));
        TEST_ASSERT_EQUAL(TC_OK, tc_foot2_step(&foot, NULL, &state, &info, NULL, 0));
        TEST_ASSERT_EQUAL_MEMORY(state.velocity, velocity, sizeof velocity);
        TEST_ASSERT_EQUAL(info.decision.branch, other.decision.branch);
        TEST_ASSERT_EQUAL(info.count, other.count);
        TEST_ASSERT_EQUAL_MEMORY(info.normal, other.normal, sizeof info.normal);
        TEST_ASSERT_EQUAL_MEMORY(&info.torque, &other.torque, sizeof info.torque);
    }
}

static void fails(tc_status status, const tc_real *force, tc_body2_state state)
{
    static const tc_foot2_info none = {
        .decision = {.branch = TC_LEARNED_NONE, .said = TC_LEARNED_NONE}};
    const tc_body2_state before = state;
    TEST_ASSERT_EQUAL(status, tc_foot2_step(&foot, force, &state, &info, NULL, 0));
    TEST_ASSERT_EQUAL_MEMORY(&before, &state, sizeof state);
    TEST_ASSERT_EQUAL_MEMORY(&none, &info, sizeof info);
}

/* Catches: an unchecked input, a state half moved, an info not cleared. */
static void test_refusals(void)
{
    const tc_body2_state good = at(TC_C(0.059), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0));
    tc_body2_state bad = good;
    make_foot(TC_SCHEME_DART);
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
        make_foot(TC_SCHEME_TOC);
        foot.body.mass = mass[i];
        fails(TC_ERR_BODY, weight, good);
        make_foot(TC_SCHEME_TOC);
        foot.body.inertia = mass[i];
        fails(TC_ERR_BODY, weight, good);
    }
    make_foot((tc_scheme)3);
    fails(TC_ERR_UNSUPPORTED, weight, good);
    make_foot(TC_SCHEME_GAP);
    foot.plane.normal[1] = TC_C(0.9);
    fails(TC_ERR_UNIT, weight, good);
    make_foot(TC_SCHEME_GAP);
    foot.shape.count = 0;
    fails(TC_ERR_SIZE, weight, good);
    foot.shape.count = 65;
    fails(TC_ERR_SIZE, weight, good);
    foot.shape.vertices = NULL;
    fails(TC_ERR_NULL, weight, good);
    make_foot(TC_SCHEME_GAP);
    foot.step = TC_C(0.0);
    fails(TC_ERR_RANGE, weight, good);
    make_foot(TC_SCHEME_GAP);
    foot.restitution = TC_C(1.5);
    fails(TC_ERR_RANGE, weight, good);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_step(NULL, weight, &bad, &info, NULL, 0));
    make_foot(TC_SCHEME_GAP);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_step(&foot, weight, NULL, &info, NULL, 0));
}

/* Catches: a body that is none accepted. */
static void test_init(void)
{
    static const tc_foot2 none;
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    tc_body2 bad = body;
    bad.inertia = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_foot2_init(&foot, &bad, H, &law));
    TEST_ASSERT_EQUAL_MEMORY(&none, &foot, sizeof foot);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_foot2_init(&foot, &body, TC_C(-0.001), &law));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_foot2_init(&foot, &body, (tc_real)INFINITY, &law));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_init(&foot, &body, H, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_init(&foot, NULL, H, &law));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_init(NULL, &body, H, &law));
}

/* ---- Bits ------------------------------------------------------------------------------------ */

_Alignas(16) static uint8_t blob[LEARNED2_BLOB_SIZE];
static tc_model model;
static tc_learned2_nets nets;
static tc_real work[TC_FOOT2_WORK(TC_LEARNED2_NETS_WORK(19))];

/* Throws with nets of random weights: every stage of the step in every scheme. */
static void test_golden_throws(void)
{
    const tc_body2 unit = {TC_C(1.0), TC_C(0.0045333333)};
    const tc_real gravity[3] = {TC_C(0.0), TC_C(-9.81), TC_C(0.0)};
    uint32_t hash = TEST_HASH_START;
    test_seed(20502u);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, learned2_blob(blob)));
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_open(&foot, &nets, &model, &unit, H));
    foot.shape.vertices = rectangle;
    foot.shape.count = 4;
    for (uint32_t throw = 0; throw < 6u; throw ++) {
        const tc_real theta = test_uniform(TC_C(-3.0), TC_C(3.0));
        tc_body2_state state = at(TC_C(0.13), theta, TC_C(0.0), TC_C(0.0), TC_C(0.0));
        test_fill(state.velocity, 3, TC_C(-4.0), TC_C(4.0));
        foot.positions = (tc_scheme)(throw % 3u);
        for (uint32_t i = 0; i < 120u; i++) {
            TEST_ASSERT_TRUE(tc_foot2_step(&foot, gravity, &state, &info, work, TC_COUNT(work))
                             >= TC_OK);
            hash = test_hash(hash, state.position, 3);
            hash = test_hash(hash, state.velocity, 3);
            hash = test_hash(hash, info.normal, 2);
        }
    }
    test_golden("foot2.throws", hash);
}

/* ---- Bodies and states that nobody picked ---------------------------------------------------- */

#ifdef __arm__
#define THROWS TEST_ROUNDS(20u)
#define STEPS 40u
#define ROUNDS TEST_ROUNDS(60u)
#else
#define THROWS TEST_ROUNDS(2500u)
#define STEPS 250u
#define ROUNDS TEST_ROUNDS(6000u)
#endif

static learned2_said said;
static tc_real box[8];

static void random_box(double mass, double step, const double *friction)
{
    const double a = test_log_uniform_wide(2e-3, 2.0), b = a / test_log_uniform_wide(1.0, 100.0);
    const tc_body2 of = {(tc_real)mass, (tc_real)(mass / 12 * (a * a + b * b))};
    for (uint32_t i = 0; i < 4u; i++) {
        box[2u * i] = (tc_real)(i == 0u || i == 3u ? -0.5 * a : 0.5 * a);
        box[2u * i + 1u] = (tc_real)(i < 2u ? -0.5 * b : 0.5 * b);
    }
    const tc_learned2_model law =
        test_below(2) != 0u ? learned2_coulomb_law(friction) : learned2_said_law(&said);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&foot, &of, (tc_real)step, &law));
    foot.shape.vertices = box;
    foot.shape.count = 4;
    foot.positions = (tc_scheme)test_below(3);
}

static void flip(void)
{
    const uint32_t odd = test_below(12);
    said = learned2_says(TC_LEARNED_DYNAMIC, odd == 0u   ? (tc_real)NAN
                                             : odd == 1u ? TC_C(1e30)
                                                         : test_uniform(TC_C(-2.0), TC_C(2.0)));
    test_fill(said.probability, 3, TC_C(-1.0), TC_C(1.0));
    said.probability[odd % 3u] = odd < 3u ? (tc_real)NAN : said.probability[odd % 3u];
}

static int finite_result(const tc_body2_state *state)
{
    return tc_all_finite(state->position, 3) && tc_all_finite(state->velocity, 3)
           && tc_all_finite(info.normal, 2) && tc_all_finite(&info.friction, 1)
           && tc_all_finite(&info.torque, 1);
}

/* The impulses that `info` tells and the weight but for the time that was waited are the change of
 * momentum. */
static void accounts(double mass, double h, const tc_real before[3], const tc_body2_state *state)
{
    const tc_real *const after = state->velocity;
    const double normal = (double)info.normal[0] + (double)info.normal[1],
                 weighed = 9.81 * (h - (double)info.waited);
    const double k = (double)foot.gyration;
    const double change[3] = {(double)info.friction / mass, normal / mass - weighed,
                              (double)info.torque / (double)foot.body.inertia * k};
    double size = weighed + normal / mass;
    for (uint32_t i = 0; i < 3u; i++) {
        size += fabs((double)before[i]) * (i == 2u ? k : 1.0) + fabs(change[i]);
    }
    for (uint32_t i = 0; i < 3u; i++) {
        const double scale = i == 2u ? k : 1.0;
        test_near((tc_real)(scale * (double)before[i] + change[i]),
                  (tc_real)(scale * (double)after[i]), (tc_real)(1e-5 * size), 0, "momentum");
    }
}

/* Rods from plates to needles, the plane far above or below them at times. Catches: a limit met in
 * motion, levers that descend after a fast turn, energy from contact, a number that is none. */
static void test_never_fails(void)
{
    uint32_t touched = 0;
    test_seed(20503u);
    for (uint32_t throw = 0; throw < THROWS; throw ++) {
        const double friction = (double)test_uniform(TC_C(0.0), TC_C(1.2)),
                     mass = test_log_uniform_wide(1e-3, 1e3);
        random_box(mass, test_log_uniform_wide(2.5e-4, 0.01), &friction);
        TEST_ASSERT_EQUAL(TC_OK, tc_foot2_check(&foot));
        const tc_real force[3] = {TC_C(0.0), (tc_real)(-9.81 * mass), TC_C(0.0)};
        const double fastest = test_log_uniform_wide(0.01, throw % 4u == 0u ? 3e3 : 5.0),
                     k = (double)foot.gyration;
        tc_body2_state state =
            at((tc_real)(2.5 * k), test_uniform(TC_C(-3.0), TC_C(3.0)), TC_C(0.0), TC_C(0.0),
               (tc_real)(fastest / k) * test_uniform(TC_C(-1.0), TC_C(1.0)));
        test_fill(state.velocity, 2, (tc_real)-fastest, (tc_real)fastest);
        for (uint32_t i = 0; i < STEPS; i++) {
            const double vx = (double)state.velocity[0], omega = k * (double)state.velocity[2];
            const double vy = (double)state.velocity[1] - 9.81 * (double)foot.step;
            flip();
            const tc_body2_state before = state;
            const tc_status status = tc_foot2_step(&foot, force, &state, &info, NULL, 0);
            TEST_ASSERT_TRUE(status >= TC_OK && finite_result(&state));
            const double x = (double)state.velocity[0], y = (double)state.velocity[1];
            const double turn = k * (double)state.velocity[2];
            TEST_ASSERT_TRUE(x * x + y * y + turn * turn
                             <= (vx * vx + vy * vy + omega * omega) * (1 + 1e-5) + 1e-12);
            touched += info.count > 0u;
            accounts(mass, (double)foot.step, before.velocity, &state);
        }
    }
    TEST_ASSERT_TRUE(touched > THROWS * STEPS / 8u); /* or nothing was tried */
}

/* Coulomb's law whose call number `trouble_at` of classify says `trouble`. */
static uint32_t calls, trouble_at;
static tc_status trouble;

static tc_status troubled_class(const void *context, const tc_learned2_query *query,
                                tc_real *probability, tc_real *room)
{
    const tc_learned2_model law = learned2_coulomb_law(context);
    const tc_status status = law.classify(law.context, query, probability, room);
    return calls++ == trouble_at ? trouble : status;
}

/* A law is asked up to twice in a step. An error at any call is the step's, and moves nothing; a
 * note at any call is noted, if none was before. Catches: a status of a first or a second touch
 * that is lost. */
static void test_trouble_at_any_touch(void)
{
    static const tc_status statuses[2] = {TC_ERR_UNSUPPORTED, TC_NOTE_RANGE};
    static const tc_foot2_info nothing = {
        .decision = {.branch = TC_LEARNED_NONE, .said = TC_LEARNED_NONE}};
    uint32_t second[3] = {0, 0, 0};
    test_seed(20505u);
    for (uint32_t round = 0; round < 10u * ROUNDS; round++) {
        make_foot((tc_scheme)(round % 3u));
        foot.model.classify = troubled_class;
        tc_body2_state start =
            at(TC_C(0.061), test_uniform(TC_C(-0.02), TC_C(0.02)), TC_C(0.0), TC_C(0.0), TC_C(0.0));
        test_fill(start.velocity, 3, TC_C(-3.0), TC_C(3.0));
        tc_body2_state end = start;
        trouble_at = UINT32_MAX;
        calls = 0;
        const tc_status quiet = step(&end);
        const uint32_t asked = calls;
        second[round % 3u] += asked == 2u;
        for (trouble_at = 0; trouble_at < asked; trouble_at++) {
            tc_body2_state state = start;
            trouble = statuses[round / 3u % 2u];
            calls = 0;
            const tc_status status = step(&state);
            TEST_ASSERT_EQUAL(trouble < TC_OK || quiet == TC_OK ? trouble : quiet, status);
            TEST_ASSERT_EQUAL_MEMORY(status < TC_OK ? &start : &end, &state, sizeof state);
            TEST_ASSERT_TRUE(status < TC_OK ? memcmp(&nothing, &info, sizeof info) == 0
                                            : info.decision.flags & TC_LEARNED_RANGE);
        }
    }
    TEST_ASSERT_EQUAL(0, second[TC_SCHEME_DART]);
    TEST_ASSERT_TRUE(second[TC_SCHEME_TOC] > 1u && second[TC_SCHEME_GAP] > 1u);
}

static void refused(tc_status expected)
{
    TEST_ASSERT_EQUAL(expected, tc_foot2_check(&foot));
    make_foot(TC_SCHEME_DART);
}

/* Catches: a limit that is found out in motion, a check left out. */
static void test_check(void)
{
    make_foot(TC_SCHEME_DART);
    refused(TC_OK);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_check(NULL));
    foot.shape.radius = TC_C(100.0) * foot.gyration;
    refused(TC_ERR_RANGE);
    foot.body.mass = TC_C(1e21);
    refused(TC_ERR_RANGE);
    foot.body.inertia = TC_C(1e-13);
    refused(TC_ERR_RANGE);
    foot.step = TC_C(1e-7);
    refused(TC_ERR_RANGE);
    foot.restitution = TC_C(1.5);
    refused(TC_ERR_RANGE);
    foot.model.ratio = NULL;
    refused(TC_ERR_NULL);
    foot.plane.normal[0] = TC_C(1.0);
    refused(TC_ERR_UNIT);
    foot.shape.count = 65;
    refused(TC_ERR_SIZE);
    foot.shape.radius = TC_C(-1.0);
    refused(TC_ERR_RANGE);
}

static tc_real any_size(double most)
{
    const double x = test_log_uniform_wide(1.0 / most, most);
    return (tc_real)(test_below(2) != 0u ? x : -x);
}

/* Bodies, states, forces and steps of any scale: what is handed back is finite, whether the body
 * was checked or not. */
static void test_scales(void)
{
    uint32_t taken = 0, moved = 0;
    test_seed(20504u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        static const double most[3] = {1e2, 1e12, 1e37};
        const double wild = most[round % 3u], tame = round % 2u ? most[0] : wild;
        random_box(1.0, 0.002, &mu);
        const tc_foot2 made = foot;
        const tc_body2 of = {(tc_real)fabs((double)any_size(wild)),
                             (tc_real)fabs((double)any_size(wild))};
        if (tc_foot2_init(&foot, &of, (tc_real)test_log_uniform_wide(1.0 / tame, tame), &made.model)
            < TC_OK) {
            continue;
        }
        taken++;
        foot.shape = made.shape;
        foot.positions = made.positions;
        tc_body2_state state =
            at(test_uniform(TC_C(-0.1), TC_C(1.0)), any_size(most[test_below(3)]), any_size(tame),
               any_size(tame), any_size(tame));
        const tc_real force[3] = {any_size(tame), any_size(tame), any_size(most[test_below(3)])};
        for (uint32_t step_number = 0; step_number < 3u; step_number++) {
            flip();
            const tc_status status =
                tc_foot2_step(&foot, test_below(2) ? force : NULL, &state, &info, NULL, 0);
            TEST_ASSERT_TRUE(finite_result(&state));
            moved += status >= TC_OK && info.count > 0u;
        }
    }
    TEST_ASSERT_TRUE(taken > ROUNDS / 8u && taken < ROUNDS && moved > ROUNDS / 20u);
}

void suite_foot2(void)
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
    RUN_TEST(test_never_fails);
    RUN_TEST(test_trouble_at_any_touch);
    RUN_TEST(test_check);
    RUN_TEST(test_scales);
}
