/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A body in space of the remote firmware (boards/apps/remote/toss.c): it is the foot that its words
 * describe, to the bit, and words that describe none are refused.
 */
#include "test.h"

#include "apps/remote/toss.c"

#include <math.h>

#define CORNERS 8u
#define WORDS (HEAD + NUMBERS + 3u * CORNERS)
#define STEPS 400u

static toss_room room;
static uint32_t words[WORDS];
static const float numbers[NUMBERS] = {
    0.17f,  0.16f,    0.22f,                   /* friction */
    0.01f,  -0.02f,                            /* gains */
    0.6f,   0.5f,     0.7f,   -0.8f,           /* weights of slip, of load */
    0.1f,   -0.1f,                             /* biases */
    0.37f,  0.0011f,  0.001f, 0.0012f,         /* mass, moments */
    0.001f, 0.01f,    0.0f,   -3.5f,           /* step, force */
    0.25f,  0.0f,     0.0f,   1.0f,    0.002f, /* restitution, plane */
    0.003f, 54500.0f, 70.0f,  1.2f,            /* rounding, compliance */
};
static const float start[TOSS_STATE] = {0.0f, 0.0f, 0.09f, 1.0f, 0.0f,  0.0f, 0.0f,
                                        1.0f, 0.5f, -1.0f, 2.0f, -3.0f, 1.0f};

static void put_words(void)
{
    const uint32_t head[HEAD] = {CORNERS, TC_SCHEME_TOC, 0u, 4u, 1u};
    memcpy(words, head, sizeof head);
    memcpy(words + HEAD, numbers, sizeof numbers);
    for (uint32_t i = 0; i < CORNERS; i++) {
        for (uint32_t k = 0; k < 3u; k++) {
            const float x = ((i >> k) & 1u) != 0u ? 0.05f : -0.045f;
            memcpy(words + HEAD + NUMBERS + 3u * i + k, &x, sizeof x);
        }
    }
}

static void put_number(uint32_t which, float x)
{
    memcpy(words + HEAD + which, &x, sizeof x);
}

static tc_status take_words(void)
{
    return toss_take(&room, words, WORDS);
}

static void put_start(void)
{
    uint32_t at[TOSS_STATE];
    memcpy(at, start, sizeof at);
    toss_start(&room, at);
}

static tc_status move_steps(uint32_t steps, float step, float weight)
{
    uint32_t row[TOSS_ROW] = {steps, 0, 0};
    memcpy(row + 1, &step, sizeof step);
    memcpy(row + 2, &weight, sizeof weight);
    return toss_move(&room, row);
}

/* The same foot, written field by field. */
static void make_foot(tc_foot3 *foot, tc_friction3 *friction, tc_real *vertices)
{
    const tc_body3 body = {(tc_real)0.37f, {(tc_real)0.0011f, (tc_real)0.001f, (tc_real)0.0012f}};
    *friction = tc_friction3_default(TC_C(0.0));
    for (uint32_t k = 0; k < 3u; k++) {
        friction->mu[k] = (tc_real)numbers[k];
    }
    for (uint32_t k = 0; k < 2u; k++) {
        friction->gain[k] = (tc_real)numbers[3u + k];
        friction->slip[k] = (tc_real)numbers[5u + k];
        friction->load[k] = (tc_real)numbers[7u + k];
        friction->bias[k] = (tc_real)numbers[9u + k];
    }
    friction->weight = (tc_real)0.0096f;
    for (uint32_t i = 0; i < 3u * CORNERS; i++) {
        vertices[i] = ((i / 3u >> i % 3u) & 1u) != 0u ? (tc_real)0.05f : (tc_real)-0.045f;
    }
    const tc_learned3_model model = tc_friction3_model(friction);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(foot, &body, (tc_real)0.001f, &model));
    foot->shape = (tc_shape3){vertices, CORNERS, (tc_real)0.003f};
    foot->plane.offset = (tc_real)0.002f;
    foot->restitution = (tc_real)0.25f;
    foot->positions = TC_SCHEME_TOC;
    foot->compliance = (tc_compliance){(tc_real)54500.0f, (tc_real)70.0f, (tc_real)1.2f};
}

static void test_it_is_the_librarys_foot(void)
{
    static tc_foot3 foot;
    static tc_friction3 friction;
    static tc_real vertices[3u * CORNERS], work[TC_FOOT3_WORK(TC_FRICTION3_WORK)];
    const tc_real force[6] = {(tc_real)0.01f, 0, (tc_real)-3.5f, 0, 0, 0};
    tc_learned3_warm warm = {0};
    tc_body3_state at;
    put_words();
    TEST_ASSERT_EQUAL(TC_OK, take_words());
    put_start();
    memcpy(&at, &room.at, sizeof at);
    TEST_ASSERT_TRUE(at.velocity[5] == (tc_real)1.0f && at.position[2] == (tc_real)0.09f);
    make_foot(&foot, &friction, vertices);
    for (uint32_t i = 0; i < STEPS; i++) {
        TEST_ASSERT_TRUE(tc_foot3_step(&foot, force, &at, &warm, NULL, work, TC_COUNT(work))
                         >= TC_OK);
    }
    TEST_ASSERT_TRUE(move_steps(STEPS / 2u, 0.001f, 0.0096f) >= TC_OK);
    TEST_ASSERT_TRUE(move_steps(STEPS / 2u, 0.001f, 0.0096f) >= TC_OK);
    TEST_ASSERT_EQUAL_MEMORY(&at, &room.at, sizeof at);
    TEST_ASSERT_TRUE(at.position[2] < TC_C(0.06)); /* it fell onto the floor */
}

static void test_no_step_moves_nothing(void)
{
    put_words();
    TEST_ASSERT_EQUAL(TC_OK, take_words());
    put_start();
    const tc_body3_state before = room.at;
    TEST_ASSERT_EQUAL(TC_OK, move_steps(0u, 0.001f, 0.0096f));
    TEST_ASSERT_EQUAL_MEMORY(&before, &room.at, sizeof before);
}

/* A start forgets the impulses of the toss before. */
static void test_starts_are_alike(void)
{
    put_words();
    TEST_ASSERT_EQUAL(TC_OK, take_words());
    put_start();
    TEST_ASSERT_TRUE(move_steps(STEPS, 0.001f, 0.0096f) >= TC_OK);
    const tc_body3_state once = room.at;
    put_start();
    TEST_ASSERT_TRUE(move_steps(STEPS, 0.001f, 0.0096f) >= TC_OK);
    TEST_ASSERT_EQUAL_MEMORY(&once, &room.at, sizeof once);
}

static void test_refusals(void)
{
    put_words();
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, toss_take(&room, words, WORDS - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, toss_take(&room, words, HEAD));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, toss_take(&room, words, 0u));
    words[COUNT] = TC_SHAPE_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, toss_take(&room, words, HEAD + NUMBERS + 3u * words[COUNT]));
    words[COUNT] = 0xFFFFFFFFu; /* three times this overflows */
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, take_words());
    put_words();
    words[COUNT] = 0u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, toss_take(&room, words, HEAD + NUMBERS));
    put_words();
    words[POSITIONS] = 9u;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, take_words());
    const struct {
        uint32_t which;
        float x;
        tc_status status;
    } wrong[] = {{0, -0.1f, TC_ERR_RANGE},
                 {11, 0.0f, TC_ERR_BODY},
                 {15, NAN, TC_ERR_NOT_FINITE},
                 {22, 2.0f, TC_ERR_UNIT},
                 {19, 1.5f, TC_ERR_RANGE}};
    for (uint32_t i = 0; i < TC_COUNT(wrong); i++) {
        put_words();
        put_number(wrong[i].which, wrong[i].x);
        TEST_ASSERT_EQUAL(wrong[i].status, take_words());
    }
}

/* A failed step ends a row with its status. */
static void test_a_failed_step(void)
{
    put_words();
    TEST_ASSERT_EQUAL(TC_OK, take_words());
    put_start();
    room.at.velocity[2] = TC_C(-1e30);
    TEST_ASSERT_TRUE(move_steps(3u, 0.001f, 0.0096f) < TC_OK);
}

void suite_toss_firmware(void)
{
    RUN_TEST(test_it_is_the_librarys_foot);
    RUN_TEST(test_no_step_moves_nothing);
    RUN_TEST(test_starts_are_alike);
    RUN_TEST(test_refusals);
    RUN_TEST(test_a_failed_step);
}
