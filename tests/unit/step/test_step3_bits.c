/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bits of everything that the contact rooms in space hand back, of scenes that nobody picked
 * and laws that say anything: on every machine the same as when tests/vectors/golden.h was made.
 * The other suites say what is right; this one sees whatever comes out otherwise than it did, be it
 * the last bit, a note, or the impulse kept for the next tick.
 */
#include "limb3_case.h"

#define SOLVES 2400u
#define BODIES 720u
#define LIMBS 120u
#define STEPS 6u

static tc_real work[TC_FOOT3_WORK(0)];
static learned3_scene scene;
static tc_learned3_problem problem;
static tc_learned3_result result;
static tc_foot3_info info;
static limb_case limb;

/* ---- Hashes ---------------------------------------------------------------------------------- */

static uint32_t hash_whole(uint32_t hash, uint32_t number)
{
    const tc_real parts[2] = {(tc_real)(number >> 16), (tc_real)(number & 0xffffu)};
    return test_hash(hash, parts, 2);
}

static uint32_t hash_result(uint32_t hash, const tc_learned3_result *r)
{
    hash = test_hash(test_hash(hash, r->velocity, 6), r->impulse, 6);
    hash = test_hash(test_hash(hash, r->normal, TC_PATCH_MAX), r->friction, 3);
    hash = test_hash(hash, r->probability, 3);
    hash = hash_whole(hash_whole(hash, (uint32_t)r->branch), (uint32_t)r->said);
    hash = hash_whole(hash_whole(hash_whole(hash, r->flags), r->ratios), r->classes);
    for (uint32_t i = 0; i < TC_PATCH_MAX; i++) {
        hash = hash_whole(hash, r->corner[i]);
    }
    return hash;
}

static uint32_t hash_warm(uint32_t hash, const tc_learned3_warm *warm)
{
    hash = hash_whole(hash_whole(hash, warm->count), warm->stopped);
    for (uint32_t i = 0; i < warm->count; i++) {
        hash = test_hash(hash_whole(hash, warm->vertex[i]), warm->impulse[i], 3);
    }
    return hash;
}

static uint32_t hash_info(uint32_t hash, const tc_foot3_info *told)
{
    hash = hash_whole(hash_result(hash, &told->contact), told->count);
    hash = test_hash(test_hash(hash, told->impulse, 6), &told->waited, 1);
    for (uint32_t i = 0; i < told->count; i++) {
        hash = hash_whole(hash, told->vertex[i]);
    }
    return hash;
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* Laws by turns: one that says something else each time, one that sticks, two that slide */
static tc_learned3_model law_of(uint32_t turn, learned3_said *said)
{
    *said = learned3_says(turn % 4u == 1u ? TC_LEARNED_STATIC : TC_LEARNED_DYNAMIC,
                          turn % 4u == 1u ? TC_C(30.0) : test_uniform(TC_C(0.0), TC_C(1.0)));
    said->ratio[1] = test_uniform(TC_C(-0.2), TC_C(0.2));
    return turn % 4u == 0u ? limb_case_fickle : learned3_said_law(said);
}

/* Offsets by turns: none, gaps, those of a tilted floor, gaps and bounces */
static const tc_real *offset_of(uint32_t turn, tc_real offset[TC_PATCH_MAX])
{
    const tc_real x = test_uniform(TC_C(-0.5), TC_C(0.5)), y = test_uniform(TC_C(-0.5), TC_C(0.5));
    test_fill(offset, TC_PATCH_MAX, turn % 4u == 3u ? TC_C(-0.3) : TC_C(0.0), TC_C(0.3));
    for (uint32_t i = 0; i < scene.patch.count && turn % 4u == 2u; i++) {
        offset[i] = TC_C(0.2) + x * scene.patch.arm[i][0] + y * scene.patch.arm[i][1];
    }
    return turn % 4u == 0u ? NULL : offset;
}

/* A patch that hits, and again as it is left; half of them hardly slide. */
static void test_solves(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(20981u);
    for (uint32_t round = 0; round < SOLVES; round++) {
        const tc_learned3_sweeps sweeps = {1u + round % 3u, round % 5u};
        tc_real offset[TC_PATCH_MAX];
        tc_learned3_warm warm = {0};
        learned3_said said;
        const tc_learned3_model law = law_of(test_below(4), &said);
        learned3_random(1u + round % TC_PATCH_MAX, &scene);
        for (uint32_t k = 0; k < 6u && round % 2u != 0u; k++) {
            scene.state.velocity[k] *= k == 2u ? TC_C(1.0) : TC_C(0.05);
        }
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_learned3_problem_init(&problem, &scene.patch, &scene.body,
                                                   &scene.state, offset_of(test_below(4), offset)));
        for (uint32_t tick = 0; tick < 2u; tick++) {
            const tc_status status =
                tc_learned3_solve(&law, &sweeps, &problem, &warm, &result, work, TC_COUNT(work));
            hash = hash_whole(hash_warm(hash_result(hash, &result), &warm), (uint32_t)status);
        }
    }
    test_golden("learned3.solves", hash);
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* A body of 1 to 12 vertices on a plane that is tilted anyhow */
static void make_body(uint32_t round, tc_foot3 *body, tc_real *vertices,
                      const tc_learned3_model *law)
{
    tc_body3 own;
    own.mass = test_uniform(TC_C(0.1), TC_C(5.0));
    for (uint32_t k = 0; k < 3u; k++) {
        own.inertia[k] = own.mass * test_uniform(TC_C(0.002), TC_C(0.006));
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(body, &own, test_uniform(TC_C(0.001), TC_C(0.01)), law));
    body->shape.vertices = vertices;
    body->shape.count = 1u + test_below(12);
    body->shape.radius = round % 3u == 0u ? TC_C(0.02) : TC_C(0.0);
    test_fill(vertices, 36, TC_C(-0.1), TC_C(0.1));
    for (uint32_t i = 0; i < body->shape.count && round % 2u == 0u; i++) {
        /* vertices one above the other */
        vertices[3u * i] = i % 2u == 0u ? vertices[3u * i] : vertices[3u * i - 3u];
        vertices[3u * i + 1u] = i % 2u == 0u ? vertices[3u * i + 1u] : vertices[3u * i - 2u];
        vertices[3u * i + 2u] = i % 2u == 0u ? TC_C(-0.01) : TC_C(0.01);
    }
    body->positions = (tc_scheme)(round % 3u);
    body->restitution = round % 4u == 3u ? TC_C(0.5) : TC_C(0.0);
    body->plane.offset = test_uniform(TC_C(-1.0), TC_C(1.0));
    const tc_real x = test_uniform(TC_C(-0.6), TC_C(0.6)), y = test_uniform(TC_C(-0.6), TC_C(0.6));
    const tc_real z = tc_sqrt(TC_C(1.0) - x * x - y * y);
    const tc_real normal[3] = {x, y, round % 5u == 0u ? -z : z};
    memcpy(body->plane.normal, normal, sizeof normal);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_check(body));
}

/* Near the plane; half of them lie flat on it. */
static void place_body(uint32_t round, const tc_foot3 *body, tc_body3_state *state,
                       tc_real force[6])
{
    const tc_real *const n = body->plane.normal;
    learned3_random(1, &scene);
    *state = scene.state;
    if (round % 4u < 2u) { /* the shortest turn from z to n: (1 + n_z, z x n), to unit length */
        const tc_real scale = TC_C(1.0) / tc_sqrt(TC_C(2.0) * (TC_C(1.0) + n[2]));
        const tc_real level[4] = {(TC_C(1.0) + n[2]) * scale, -n[1] * scale, n[0] * scale,
                                  TC_C(0.0)};
        memcpy(state->orientation, level, sizeof level);
    }
    const tc_real height =
        body->plane.offset + test_uniform(TC_C(0.0), round % 4u < 2u ? TC_C(0.04) : TC_C(0.12));
    const tc_real speed = round % 8u < 4u ? TC_C(0.2) : TC_C(3.0);
    test_fill(state->velocity, 3, -speed, speed);
    test_fill(state->velocity + 3, 3, TC_C(-5.0) * speed, TC_C(5.0) * speed);
    test_fill(force, 6, TC_C(-0.1), TC_C(0.1));
    for (uint32_t k = 0; k < 3u; k++) {
        state->position[k] = height * n[k] + test_uniform(TC_C(-0.01), TC_C(0.01));
        force[k] -= TC_C(9.81) * body->body.mass * n[k];
    }
}

static void test_steps(void)
{
    uint32_t hash = TEST_HASH_START, touched = 0, notes = 0;
    test_seed(20982u);
    for (uint32_t round = 0; round < BODIES; round++) {
        tc_foot3 body;
        tc_body3_state state;
        tc_learned3_warm warm = {0};
        tc_real vertices[36], force[6];
        learned3_said said;
        const tc_learned3_model law = law_of(test_below(4), &said);
        make_body(round, &body, vertices, &law);
        place_body(round, &body, &state, force);
        for (uint32_t step = 0; step < STEPS; step++) {
            const tc_status status =
                tc_foot3_step(&body, force, &state, &warm, &info, work, TC_COUNT(work));
            TEST_ASSERT_TRUE(status >= TC_OK);
            hash = test_hash(test_hash(hash, state.position, 3), state.orientation, 4);
            hash = test_hash(hash, state.velocity, 6);
            hash = hash_whole(hash_warm(hash_info(hash, &info), &warm), (uint32_t)status);
            touched += info.count > 0u;
            notes += status > TC_OK;
        }
    }
    TEST_ASSERT_TRUE(touched > BODIES * STEPS / 3u && notes > BODIES / 4u);
    test_golden("foot3.steps", hash);
}

/* ---- Limbs ----------------------------------------------------------------------------------- */

static void test_limbs(void)
{
    static const uint32_t corners[4] = {4, 1, 2, 4};
    uint32_t hash = TEST_HASH_START, touched = 0;
    test_seed(20983u);
    for (uint32_t round = 0; round < LIMBS; round++) {
        const uint32_t floating = round % 5u == 0u;
        learned3_said said;
        const tc_learned3_model law = law_of(test_below(4), &said);
        limb_case_random(&limb, 1u + test_below(4) + floating, (int)floating, corners[round % 4u],
                         TC_C(2.0), round % 2u == 0u ? TC_C(3.0) : TC_C(0.2), &law);
        limb.leg.foot.positions = test_below(2) ? TC_SCHEME_DART : TC_SCHEME_GAP;
        for (uint32_t step = 0; step < STEPS; step++) {
            const tc_status status = limb_case_step(&limb);
            hash = test_hash(hash, limb.state.q, limb.n + floating);
            hash = test_hash(hash, limb.state.qd, limb.n);
            hash = hash_warm(hash_info(hash, &limb.info.contact), &limb.state.warm);
            hash = test_hash(hash, limb.info.velocity, 6);
            hash = test_hash(hash, &limb.info.penetration, 1);
            hash = hash_whole(hash_whole(hash, limb.info.solves), (uint32_t)limb.info.consistent);
            hash = hash_whole(hash, (uint32_t)status);
            touched += limb.info.contact.count > 0u;
        }
    }
    TEST_ASSERT_TRUE(touched > LIMBS * STEPS / 3u);
    test_golden("limb3.anything", hash);
}

void suite_step3_bits(void)
{
    RUN_TEST(test_solves);
    RUN_TEST(test_steps);
    RUN_TEST(test_limbs);
}
