/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The spatial contact model by examples: the whole step, statuses, nets. One contact and its
 * features are in test_learned3.c.
 */
#include "learned3_case.h"

#include "model_bytes.h"

#include <math.h>

#define H TC_C(0.002)

static const tc_real corners[24] = {
    TC_C(-0.1), TC_C(-0.075), TC_C(-0.05), TC_C(0.1), TC_C(-0.075), TC_C(-0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(-0.05), TC_C(0.1), TC_C(0.075),  TC_C(-0.05),
    TC_C(-0.1), TC_C(-0.075), TC_C(0.05),  TC_C(0.1), TC_C(-0.075), TC_C(0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(0.05),  TC_C(0.1), TC_C(0.075),  TC_C(0.05),
};
static const tc_body3 body = {TC_C(2.0),
                              {TC_C(0.0054166667), TC_C(0.0083333333), TC_C(0.0104166667)}};
static const tc_real weight[6] = {TC_C(0.0), TC_C(0.0), TC_C(-19.62),
                                  TC_C(0.0), TC_C(0.0), TC_C(0.0)};
static const double mu = 0.5;
static tc_foot3 box;
static tc_foot3_info info;
static tc_learned3_warm warm;
static tc_real work[TC_FOOT3_WORK(TC_LEARNED3_NETS_WORK(16))];

static void make_box(tc_scheme positions)
{
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&box, &body, H, &law));
    box.shape.vertices = corners;
    box.shape.count = 8;
    box.positions = positions;
    memset(&warm, 0, sizeof warm);
}

static tc_status step(tc_body3_state *state)
{
    return tc_foot3_step(&box, weight, state, &warm, &info, work, TC_COUNT(work));
}

/* A law that refuses its third question */
static uint32_t asked;
static tc_status refuses_third(const void *context, const tc_learned3_query *query,
                               tc_real *scratch)
{
    (void)context;
    (void)query;
    (void)scratch;
    return ++asked < 3u ? TC_OK : TC_ERR_UNSUPPORTED;
}

/* ---- The step -------------------------------------------------------------------------------- */

/* Catches: a force integrated wrongly or after the positions, momentum that is not carried
 * along. */
static void test_flight(void)
{
    for (uint32_t scheme = TC_SCHEME_DART; scheme <= TC_SCHEME_GAP; scheme++) {
        make_box((tc_scheme)scheme);
        tc_body3_state state = learned3_flat(TC_C(1.0), TC_C(2.0), TC_C(1.0)), expected;
        state.velocity[3] = TC_C(3.0);
        state.velocity[4] = TC_C(-5.0);
        state.velocity[5] = TC_C(2.0);
        expected = state;
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(TC_LEARNED_NONE, info.contact.branch);
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_apply_wrench(&body, weight, H, &expected));
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_coast(&body, H, &expected));
        TEST_ASSERT_EQUAL_MEMORY(&expected, &state, sizeof state);
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_foot3_step(&box, NULL, &state, NULL, &info, work, TC_COUNT(work)));
        test_near(expected.velocity[2], state.velocity[2], TC_C(1e-7), TC_C(0.0), "no force");
    }
}

/* A box on its face. Catches: DART's push-out at another rate or on velocities; rest that
 * creeps. */
static void test_rest(void)
{
    make_box(TC_SCHEME_DART);
    tc_body3_state state = learned3_flat(TC_C(0.05) - TC_C(1e-4), TC_C(0.0), TC_C(0.0));
    for (uint32_t i = 0; i < 5u; i++) {
        const tc_real z = state.position[2];
        TEST_ASSERT_EQUAL(TC_OK, step(&state));
        TEST_ASSERT_EQUAL(TC_LEARNED_STATIC, info.contact.branch);
        TEST_ASSERT_EQUAL(4, info.count);
        test_near(z + TC_C(0.01) * (TC_C(0.05) - z), state.position[2], TC_C(1e-8), TC_C(0.0),
                  "pushed");
        learned3_check_zero(state.velocity, 6, TC_C(1e-7), "at rest");
        const tc_real *const n = info.contact.normal;
        test_near(TC_C(0.03924), (n[0] + n[1]) + (n[2] + n[3]), TC_C(1e-6), TC_C(0.0),
                  "carries the weight");
        test_near(TC_C(0.03924), info.impulse[2], TC_C(1e-6), TC_C(0.0), "impulse");
        learned3_check_zero(info.impulse + 3, 3, TC_C(1e-7), "torque");
        learned3_check_zero(info.contact.friction, 3, TC_C(1e-7), "friction");
        /* it stuck before: only classes count */
        TEST_ASSERT_TRUE(i == 0u || info.contact.ratios == 0u);
        TEST_ASSERT_TRUE(info.contact.classes <= 4u);
    }
    state = learned3_flat(TC_C(0.05) - TC_C(0.005), TC_C(0.0), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, step(&state));
    test_near(TC_C(0.045) + TC_C(1e-3) * H, state.position[2], TC_C(1e-8), TC_C(0.0),
              "pushed at most so");
}

/* Sliding on the face: friction mu m g h per step against the velocity and no more, to the end;
 * then rest. Catches: friction in units per mass, or along fixed axes; a warm start that does harm,
 * or none. */
static void test_sliding(void)
{
    for (uint32_t scheme = TC_SCHEME_DART; scheme <= TC_SCHEME_GAP; scheme++) {
        make_box((tc_scheme)scheme);
        tc_body3_state state = learned3_flat(
            scheme != TC_SCHEME_DART ? TC_C(0.05) : TC_C(0.05) - TC_C(1e-5), TC_C(0.6), TC_C(0.0));
        state.velocity[1] = TC_C(0.8);
        TEST_ASSERT_TRUE(step(&state) >= TC_OK);
        TEST_ASSERT_EQUAL(TC_LEARNED_DYNAMIC, info.contact.branch);
        test_near(TC_C(-0.01962) * TC_C(0.6), info.contact.friction[0], TC_C(2e-5), TC_C(0.0),
                  "friction x");
        test_near(TC_C(-0.01962) * TC_C(0.8), info.contact.friction[1], TC_C(2e-5), TC_C(0.0),
                  "friction y");
        test_near(TC_C(0.6) * (TC_C(1.0) - TC_C(0.00981)), state.velocity[0], TC_C(2e-5), TC_C(0.0),
                  "vx");
        learned3_check_zero(state.velocity + 2, 1, TC_C(1e-6), "vz");
        const uint32_t first = info.contact.ratios;
        TEST_ASSERT_TRUE(step(&state) >= TC_OK);
        TEST_ASSERT_TRUE(info.contact.ratios < first);
        uint32_t steps = 2;
        while (steps < 200u && info.contact.branch == TC_LEARNED_DYNAMIC) {
            TEST_ASSERT_TRUE(step(&state) >= TC_OK);
            steps++;
        }
        TEST_ASSERT_TRUE(steps >= 101u && steps <= 104u); /* 1 / 0.00981 = 101.9 */
        for (uint32_t i = 0; i < 50u; i++) {
            TEST_ASSERT_TRUE(step(&state) >= TC_OK);
            TEST_ASSERT_EQUAL(TC_LEARNED_STATIC, info.contact.branch);
        }
        learned3_check_zero(state.velocity, 6, TC_C(2e-6), "stands");
        test_near(TC_C(0.05), state.position[2], TC_C(2e-5), TC_C(0.0), "on the floor");
    }
}

/* On an edge, the centre of mass above it: it carries, and tips about it. Catches: an edge stopped
 * as a face, a rotation about the edge taken away. */
static void test_edge(void)
{
    const double half = 0.5 * atan2(0.2, 0.1); /* the diagonal of the side upright */
    const tc_real turn = (tc_real)half;
    tc_body3_state state = learned3_flat((tc_real)sqrt(0.0125) - TC_C(1e-5), TC_C(0.0), TC_C(0.0));
    make_box(TC_SCHEME_DART);
    state.orientation[0] = tc_cos(turn);
    state.orientation[2] = tc_sin(turn);
    state.velocity[0] = (tc_real)sqrt(0.0125) * TC_C(0.5); /* rolls over the edge at 0.5 rad/s */
    state.velocity[4] = TC_C(0.5);
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    TEST_ASSERT_EQUAL(2, info.count);
    TEST_ASSERT_EQUAL(TC_LEARNED_STATIC, info.contact.branch);
    test_near(TC_C(0.5), state.velocity[4], TC_C(2e-3), TC_C(0.0), "goes on");
    test_near((tc_real)sqrt(0.0125) * state.velocity[4], state.velocity[0], TC_C(1e-5), TC_C(0.0),
              "turns");
    test_near(TC_C(0.03924), info.impulse[2], TC_C(1e-3), TC_C(0.0), "carries the weight");
}

/* Catches: the gap counted twice or not at all; restitution at rest, or none. */
static void test_landing(void)
{
    make_box(TC_SCHEME_GAP);
    tc_body3_state state = learned3_flat(TC_C(0.051), TC_C(0.0), TC_C(-2.0));
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    TEST_ASSERT_EQUAL(4, info.count);
    test_near(TC_C(0.05), state.position[2], TC_C(2e-8), TC_C(0.0), "on the floor");
    test_near(TC_C(-0.5), state.velocity[2], TC_C(1e-5), TC_C(0.0),
              "the gap takes its 1 mm in 2 ms");
    test_near(TC_C(2.0) * TC_C(1.51962), info.impulse[2], TC_C(2e-5), TC_C(0.0), "impulse");
    make_box(TC_SCHEME_DART);
    box.restitution = TC_C(0.5);
    state = learned3_flat(TC_C(0.0499), TC_C(0.0), TC_C(-2.0));
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    test_near(TC_C(0.5) * TC_C(2.01962), state.velocity[2], TC_C(1e-5), TC_C(0.0), "bounces");
    state = learned3_flat(TC_C(0.0499), TC_C(0.0), TC_C(-0.1));
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    learned3_check_zero(state.velocity + 2, 1, TC_C(1e-6), "too slow to bounce");
}

/* Catches: contact solved at the end of the step, or at its beginning. */
static void test_time_of_contact(void)
{
    const tc_real speed = TC_C(2.01962), until = TC_C(0.001) / speed;
    make_box(TC_SCHEME_TOC);
    tc_body3_state state = learned3_flat(TC_C(0.051), TC_C(1.0), TC_C(-2.0));
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    TEST_ASSERT_EQUAL(4, info.count);
    test_near(TC_C(0.05), state.position[2], TC_C(2e-8), TC_C(0.0), "on the floor");
    learned3_check_zero(state.velocity + 2, 1, TC_C(1e-6), "stopped");
    test_near(TC_C(2.0) * speed, info.impulse[2], TC_C(2e-5), TC_C(0.0), "impulse");
    test_near(until + state.velocity[0] * (H - until), state.position[0], TC_C(1e-6), TC_C(0.0),
              "slides on");
    box.restitution = TC_C(0.5);
    state = learned3_flat(TC_C(0.051), TC_C(0.0), TC_C(-2.0));
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    test_near(TC_C(0.05) + TC_C(0.5) * speed * (H - until), state.position[2], TC_C(1e-7),
              TC_C(0.0), "up again");
    /* edge first and turning fast: higher than straight by more than what counts as touching */
    for (int side = -1; side <= 1; side += 2) {
        state = learned3_flat(TC_C(0.1005), TC_C(0.0), TC_C(-2.5));
        state.orientation[0] = tc_cos(TC_C(0.3));
        state.orientation[2] = tc_sin(TC_C(0.3));
        state.velocity[4] = (tc_real)side * TC_C(50.0);
        TEST_ASSERT_TRUE(step(&state) >= TC_OK);
        TEST_ASSERT_EQUAL(side < 0 ? 0 : 2, info.count);
    }
    state = learned3_flat(TC_C(0.06), TC_C(0.0), TC_C(-2.0));
    TEST_ASSERT_EQUAL(TC_OK, step(&state));
    TEST_ASSERT_EQUAL(TC_LEARNED_NONE, info.contact.branch);
    TEST_ASSERT_EQUAL(0, warm.count);
}

/* A box that lands with one edge first. Catches: one touch in a step, an impulse of the first one
 * lost, the warm start of one patch given to the other. */
static void test_two_touches(void)
{
    learned3_said said = learned3_says(TC_LEARNED_STATIC, TC_C(0.0));
    make_box(TC_SCHEME_TOC);
    box.model = learned3_said_law(&said);
    /* lower edge at 1 mm, other at 2 mm */
    tc_body3_state state = learned3_flat(TC_C(0.0515), TC_C(0.0), TC_C(-2.0));
    state.orientation[0] = tc_cos(TC_C(0.0025));
    state.orientation[2] = tc_sin(TC_C(0.0025));
    tc_body3_state hung = state;
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    TEST_ASSERT_EQUAL(4, info.count); /* then it lies on its face */
    TEST_ASSERT_EQUAL(2, warm.count);
    test_near(state.velocity[0], info.impulse[0] / body.mass, TC_C(1e-5), TC_C(0.0),
              "both impulses");
    test_near(state.velocity[2] + TC_C(2.01962), info.impulse[2] / body.mass, TC_C(1e-5), TC_C(0.0),
              "both");
    test_near(TC_C(0.05), state.position[2], TC_C(3e-4), TC_C(0.0), "near the floor, flat");
    learned3_check_zero(state.orientation + 2, 1, TC_C(1e-3), "flat");
    /* the law fails at the second touch only: nothing has happened */
    const tc_learned3_warm before = warm;
    const tc_body3_state start = hung;
    asked = 0;
    box.model.observe = refuses_third;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, step(&hung));
    TEST_ASSERT_EQUAL_MEMORY(&start, &hung, sizeof hung);
    TEST_ASSERT_EQUAL_MEMORY(&before, &warm, sizeof warm);
}

/* On a slope, z turned to (sin, 0, cos): the same as on the floor, but for axes. Catches: a frame
 * of the patch taken for the world's. */
static void test_slope(void)
{
    const tc_real angle = TC_C(0.4), c = (tc_real)cos(0.4), s = (tc_real)sin(0.4);
    tc_body3_state state = learned3_flat(TC_C(0.0), TC_C(0.0), TC_C(0.0));
    make_box(TC_SCHEME_DART);
    box.plane.normal[0] = s;
    box.plane.normal[2] = c;
    state.orientation[0] = tc_cos(TC_C(0.5) * angle);
    state.orientation[2] = tc_sin(TC_C(0.5) * angle);
    state.position[0] = TC_C(0.04999) * s;
    state.position[2] = TC_C(0.04999) * c;
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    TEST_ASSERT_EQUAL(TC_LEARNED_STATIC, info.contact.branch); /* tan 0.4 < 0.5 */
    learned3_check_zero(state.velocity, 6, TC_C(1e-6), "holds");
    test_near(TC_C(0.03924), info.impulse[2], TC_C(1e-5), TC_C(0.0), "against gravity");
    learned3_check_zero(info.impulse, 2, TC_C(1e-5), "and nothing else");
    const double steep = 0.3;
    box.model = learned3_coulomb_law(&steep);
    memset(&warm, 0, sizeof warm);
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    TEST_ASSERT_EQUAL(TC_LEARNED_DYNAMIC, info.contact.branch);
    const tc_real gained = TC_C(0.01962) * (s - TC_C(0.3) * c);
    test_near(gained * c, state.velocity[0], TC_C(2e-5), TC_C(0.0), "downhill");
    test_near(-gained * s, state.velocity[2], TC_C(2e-5), TC_C(0.0), "downhill");
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void fails(tc_status status, const tc_real *force, tc_body3_state state, size_t work_len)
{
    tc_foot3_info none;
    const tc_body3_state before = state;
    memset(&none, 0, sizeof none);
    none.contact.branch = none.contact.said = TC_LEARNED_NONE;
    TEST_ASSERT_EQUAL(status, tc_foot3_step(&box, force, &state, NULL, &info, work, work_len));
    TEST_ASSERT_EQUAL_MEMORY(&before, &state, sizeof state);
    TEST_ASSERT_EQUAL_MEMORY(&none, &info, sizeof info);
}

/* Catches: an unchecked input, a state half moved, an info not cleared. */
static void test_refusals(void)
{
    const tc_body3_state good = learned3_flat(TC_C(0.049), TC_C(0.1), TC_C(-0.1));
    const size_t enough = TC_COUNT(work);
    for (uint32_t scheme = TC_SCHEME_DART; scheme <= TC_SCHEME_GAP; scheme++) {
        const tc_real bad_number[2] = {(tc_real)NAN, (tc_real)INFINITY};
        make_box((tc_scheme)scheme);
        for (uint32_t slot = 0; slot < 26u; slot++) {
            tc_body3_state bad = good;
            tc_real *const at = slot % 13u < 3u   ? &bad.position[slot % 13u]
                                : slot % 13u < 7u ? &bad.orientation[slot % 13u - 3u]
                                                  : &bad.velocity[slot % 13u - 7u];
            *at = bad_number[slot / 13u];
            fails(TC_ERR_NOT_FINITE, weight, bad, enough);
        }
        for (uint32_t slot = 0; slot < 6u; slot++) {
            tc_real force[6] = {TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
            force[slot] = (tc_real)NAN;
            fails(TC_ERR_NOT_FINITE, force, good, enough);
        }
    }
    tc_body3_state bad = good;
    bad.velocity[0] = TC_C(1e7);
    make_box(TC_SCHEME_DART);
    fails(TC_ERR_RANGE, weight, bad, enough);
    bad = good;
    bad.orientation[0] = TC_C(1.01);
    fails(TC_ERR_UNIT, weight, bad, enough);
    fails(TC_ERR_WORK, weight, good, TC_FOOT3_WORK((size_t)box.model.work_len) - 1u);
    tc_body3_state odd = good;
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                      tc_foot3_step(&box, weight, &odd, NULL, &info, TEST_ODD(work), enough));
    TEST_ASSERT_EQUAL_MEMORY(&good, &odd, sizeof odd);
    box.body.mass = TC_C(0.0);
    fails(TC_ERR_BODY, weight, good, enough);
    make_box((tc_scheme)3);
    fails(TC_ERR_UNSUPPORTED, weight, good, enough);
    make_box(TC_SCHEME_DART);
    box.plane.normal[1] = TC_C(0.1);
    fails(TC_ERR_UNIT, weight, good, enough);
    make_box(TC_SCHEME_DART);
    box.shape.count = 65;
    fails(TC_ERR_SIZE, weight, good, enough);
    make_box(TC_SCHEME_DART);
    box.sweeps.rounds = 0;
    fails(TC_ERR_SIZE, weight, good, enough);
    make_box(TC_SCHEME_DART);
    box.step = TC_C(0.0);
    fails(TC_ERR_RANGE, weight, good, enough);
    memset(&box, 0, sizeof box);
    fails(TC_ERR_NULL, weight, good, enough);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot3_step(NULL, weight, &bad, NULL, &info, work, enough));
}

/* Each number of the body, its step and its restitution, bad in turn */
static void test_each_setting(void)
{
    static const tc_real bad[4] = {TC_C(0.0), TC_C(-1.0), (tc_real)NAN, (tc_real)INFINITY};
    const tc_body3_state good = learned3_flat(TC_C(0.049), TC_C(0.1), TC_C(-0.1));
    const size_t enough = TC_COUNT(work);
    for (uint32_t k = 0; k < 4u; k++) {
        for (uint32_t slot = 0; slot < 4u; slot++) {
            make_box(TC_SCHEME_DART);
            *(slot == 3u ? &box.body.mass : &box.body.inertia[slot]) = bad[k];
            fails(TC_ERR_BODY, weight, good, enough);
        }
        make_box(TC_SCHEME_DART);
        box.restitution = k == 0u ? TC_C(1.01) : bad[k];
        fails(TC_ERR_RANGE, weight, good, enough);
        make_box(TC_SCHEME_DART);
        box.step = k == 3u ? TC_C(-0.002) : bad[k];
        fails(TC_ERR_RANGE, weight, good, enough);
    }
    make_box(TC_SCHEME_DART);
    box.shape.count = 0;
    fails(TC_ERR_SIZE, weight, good, enough);
    make_box(TC_SCHEME_DART);
    box.shape.vertices = NULL;
    fails(TC_ERR_NULL, weight, good, enough);
}

/* Catches: a law's status lost, a warm start spoilt by a failure. */
static void test_law_statuses(void)
{
    const tc_body3_state good = learned3_flat(TC_C(0.049), TC_C(0.1), TC_C(-0.1));
    tc_learned3_warm before;
    make_box(TC_SCHEME_DART);
    tc_body3_state state = good;
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    before = warm;
    learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.5));
    box.model = learned3_said_law(&said);
    said.rated = TC_ERR_UNSUPPORTED;
    state = good;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, step(&state));
    TEST_ASSERT_EQUAL_MEMORY(&good, &state, sizeof state);
    TEST_ASSERT_EQUAL_MEMORY(&before, &warm, sizeof warm);
    said.rated = TC_OK;
    said.observed = TC_NOTE_RANGE;
    TEST_ASSERT_EQUAL(TC_NOTE_RANGE, step(&state));
    TEST_ASSERT_TRUE((info.contact.flags & (uint32_t)TC_LEARNED_RANGE) != 0u);
    said.observed = TC_ERR_UNSUPPORTED;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, step(&state));
    state.position[2] = TC_C(1.0); /* in flight nobody is asked, and what was warm is forgotten */
    TEST_ASSERT_EQUAL(TC_OK, step(&state));
    TEST_ASSERT_EQUAL(0, warm.count);
}

/* The contact is solved, and only then a step so long leads out of all numbers, in every scheme.
 * Catches: impulses of a step that was refused, in `warm`. */
static void test_late_overflow(void)
{
    const tc_real far = (tc_real)(sizeof(tc_real) == sizeof(float) ? 1e36 : 1e306);
    for (uint32_t scheme = 0; scheme <= (uint32_t)TC_SCHEME_GAP; scheme++) {
        make_box((tc_scheme)scheme);
        tc_body3_state state = learned3_flat(TC_C(0.0499), TC_C(0.1), TC_C(-0.1));
        TEST_ASSERT_TRUE(step(&state) >= TC_OK);
        TEST_ASSERT_EQUAL(4, warm.count);
        const tc_learned3_warm before = warm;
        const tc_body3_state start = learned3_flat(TC_C(0.0499), TC_C(5e3), TC_C(-1.0));
        state = start;
        box.step = far;
        TEST_ASSERT_EQUAL(TC_ERR_RANGE,
                          tc_foot3_step(&box, NULL, &state, &warm, &info, work, TC_COUNT(work)));
        TEST_ASSERT_EQUAL_MEMORY(&start, &state, sizeof state);
        TEST_ASSERT_EQUAL_MEMORY(&before, &warm, sizeof warm);
    }
}

/* Catches: a patch that sticks though the classifier says it slides. Its ratio alone could hold the
 * box. */
static void test_consent(void)
{
    learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.5));
    make_box(TC_SCHEME_DART);
    box.model = learned3_said_law(&said);
    tc_body3_state state = learned3_flat(TC_C(0.0499), TC_C(0.0), TC_C(0.0));
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    TEST_ASSERT_TRUE(info.contact.classes > 0u);
    TEST_ASSERT_EQUAL(TC_LEARNED_DYNAMIC, info.contact.branch);
    said = learned3_says(TC_LEARNED_STATIC, TC_C(0.5));
    TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    TEST_ASSERT_EQUAL(TC_LEARNED_STATIC, info.contact.branch);
}

/* ---- Nets ------------------------------------------------------------------------------------ */

static uint32_t storage[LEARNED3_BLOB_SIZE / 4u];
static tc_model model;
static tc_learned3_nets nets;

static tc_status open_blob(uint32_t size, tc_real step_size, const tc_body3 *of)
{
    repair_crc((uint8_t *)storage, size);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, storage, size));
    return tc_foot3_open(&box, &nets, &model, of, step_size);
}

/* Catches: a model taken for another body, step or kind; nets that do not fit. */
static void test_open(void)
{
    const tc_body3 right = {TC_C(1.0), {TC_C(0.0027), TC_C(0.0042), TC_C(0.0052)}};
    tc_learned3_nets zero;
    uint8_t *const blob = (uint8_t *)storage;
    memset(&zero, 0, sizeof zero);
    test_seed(20702u);
    const uint32_t size = learned3_blob(blob, 0);
    TEST_ASSERT_EQUAL(TC_OK, open_blob(size, H, &right));
    TEST_ASSERT_EQUAL(TC_SCHEME_GAP, box.positions);
    test_near(TC_C(0.25), box.restitution, TC_C(0.0), TC_C(0.0), "restitution");
    TEST_ASSERT_EQUAL(3, box.sweeps.rounds);
    for (uint32_t i = 0; i < 3u; i++) {
        tc_body3 wrong = right;
        wrong.inertia[i] *= TC_C(1.05);
        TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, open_blob(size, H, &wrong));
        TEST_ASSERT_EQUAL_MEMORY(&zero, &nets, sizeof nets);
    }
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, open_blob(size, TC_C(0.0021), &right));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, open_blob(size, (tc_real)NAN, &right));
    blob[LEARNED3_CONTACT_AT + 36] = 14; /* without the arrest: other inputs */
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, open_blob(size, H, &right));
    blob[LEARNED3_CONTACT_AT + 36] = 30;
    blob[64 + 96] = 'x';
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_NAME, open_blob(size, H, &right));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, open_blob(learned3_blob(blob, 1), H, &right));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot3_open(NULL, &nets, &model, &right, H));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned3_nets_open(NULL, &model, &right, H));
    memset(&nets, 0x7f, sizeof nets);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned3_nets_open(&nets, NULL, &right, H));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &nets, sizeof nets);
    memset(&nets, 0x7f, sizeof nets);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned3_nets_open(&nets, &model, NULL, H));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &nets, sizeof nets);
}

/* Throws with random nets: whatever they say, the same bits on every machine. */
static void golden_throws(const char *name, tc_scheme even, tc_scheme odd)
{
    const tc_body3 right = {TC_C(1.0), {TC_C(0.0027), TC_C(0.0042), TC_C(0.0052)}};
    static const tc_real gravity[6] = {TC_C(0.0), TC_C(0.0), TC_C(-9.81),
                                       TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    uint32_t hash = TEST_HASH_START;
    test_seed(20703u);
    TEST_ASSERT_EQUAL(TC_OK, open_blob(learned3_blob((uint8_t *)storage, 0), H, &right));
    box.shape.vertices = corners;
    box.shape.count = 8;
    for (uint32_t throw = 0; throw < 4u; throw ++) {
        tc_body3_state state = learned3_flat(TC_C(0.12), TC_C(1.5), TC_C(-1.0));
        memset(&warm, 0, sizeof warm);
        state.velocity[3] = (tc_real) throw;
        state.velocity[5] = TC_C(2.0);
        box.positions = throw % 2u == 0u ? even : odd;
        for (uint32_t i = 0; i < 150u; i++) {
            const tc_status status =
                tc_foot3_step(&box, gravity, &state, &warm, &info, work, TC_COUNT(work));
            TEST_ASSERT_TRUE(status >= TC_OK);
        }
        hash = test_hash(hash, state.position, 3);
        hash = test_hash(hash, state.orientation, 4);
        hash = test_hash(hash, state.velocity, 6);
    }
    test_golden(name, hash);
}

static void test_golden_throws(void)
{
    golden_throws("foot3.throws", TC_SCHEME_GAP, TC_SCHEME_DART);
    golden_throws("foot3.toc", TC_SCHEME_TOC, TC_SCHEME_TOC);
}

/* Catches: a workspace written beyond what TC_LEARNED3_WORK(0) says. */
static void test_workspace(void)
{
    static tc_real guarded[TC_LEARNED3_WORK(0) + 2 * TEST_GUARD_WORDS];
    tc_real *const room = test_guard(guarded, TC_LEARNED3_WORK(0));
    const tc_learned3_sweeps sweeps = tc_learned3_sweeps_default();
    learned3_scene scene;
    tc_learned3_problem problem;
    tc_learned3_result result;
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    test_seed(20704u);
    for (uint32_t count = 1; count <= TC_PATCH_MAX; count++) {
        learned3_random(count, &scene);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned3_problem_init(&problem, &scene.patch, &scene.body,
                                                          &scene.state, NULL));
        TEST_ASSERT_TRUE(
            tc_learned3_solve(&law, &sweeps, &problem, NULL, &result, room, TC_LEARNED3_WORK(0))
            >= TC_OK);
        test_guard_check(guarded, TC_LEARNED3_WORK(0));
    }
    scene.patch.count = 9;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_learned3_problem_init(&problem, &scene.patch, &scene.body,
                                                            &scene.state, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned3_solve(&law, &sweeps, &problem, NULL, &result, room,
                                                     TC_LEARNED3_WORK(0)));
    TEST_ASSERT_EQUAL(TC_LEARNED_NONE, result.branch);
}

void suite_foot3(void)
{
    RUN_TEST(test_flight);
    RUN_TEST(test_rest);
    RUN_TEST(test_sliding);
    RUN_TEST(test_edge);
    RUN_TEST(test_landing);
    RUN_TEST(test_time_of_contact);
    RUN_TEST(test_two_touches);
    RUN_TEST(test_slope);
    RUN_TEST(test_refusals);
    RUN_TEST(test_each_setting);
    RUN_TEST(test_law_statuses);
    RUN_TEST(test_late_overflow);
    RUN_TEST(test_consent);
    RUN_TEST(test_open);
    RUN_TEST(test_golden_throws);
    RUN_TEST(test_workspace);
}
