/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What tc_patch.h and tc_body.h promise of every call, tried on every call: each pointer null, each
 * number not finite, any numbers huge. A result is finite, or zero after an error; a state is moved
 * to finite numbers, or as it was.
 */
#include "test_rigid.h"

#ifdef __arm__
#define ROUNDS 6u
#else
#define ROUNDS TEST_ROUNDS(400u)
#endif

#ifdef TC_DOUBLE
#define HUGE_NUMBER TC_C(1.7e308)
#else
#define HUGE_NUMBER TC_C(3.3e38)
#endif

#define ARGUMENTS 4u
#define SPANS 5u

static tc_patch2 line;
static tc_patch3 face;
static tc_body2 disc;
static tc_body3 box;
static tc_body2_state flat;
static tc_body3_state pose;
static uint32_t contact;
static tc_real first[8], second[8], scalar, out[48], other[18];
static void *argument[ARGUMENTS]; /* what a call is made with, in its order */

/* Numbers in a row. What is said of one that is not finite: TC_ERR_NOT_FINITE, or TC_ERR_BODY */
typedef struct span {
    tc_real *at;
    uint32_t n;
    tc_status status;
} span;

/* One call, made ready by what fills `argument`; ends of lists are null. */
typedef struct call {
    tc_status (*run)(void);
    span in[SPANS];
    span result[2];
    void *state; /* that is moved, of this size; 0: none is */
    size_t size;
    int zero_after_null; /* tc_body.h; else nothing is written (tc_patch.h) */
} call;

/* ---- The calls ------------------------------------------------------------------------------- */

static tc_status line_rows(void)
{
    return tc_patch2_rows(argument[0], argument[1], argument[2]);
}

static tc_status line_impulse(void)
{
    return tc_patch2_impulse(argument[0], argument[1], scalar, argument[2]);
}

static tc_status line_velocity(void)
{
    return tc_patch2_velocity(argument[0], argument[1], argument[2], argument[3]);
}

static tc_status face_rows(void)
{
    return tc_patch3_rows(argument[0], argument[1], argument[2]);
}

static tc_status face_contact(void)
{
    return tc_patch3_contact_rows(argument[0], contact, argument[1]);
}

static tc_status face_impulse(void)
{
    return tc_patch3_impulse(argument[0], argument[1], argument[2], argument[3]);
}

static tc_status face_velocity(void)
{
    return tc_patch3_velocity(argument[0], argument[1], argument[2], argument[3]);
}

static tc_status disc_wrench(void)
{
    return tc_body2_apply_wrench(argument[0], argument[1], scalar, argument[2]);
}

static tc_status disc_move(void)
{
    return tc_body2_move(scalar, argument[0]);
}

static tc_status disc_point(void)
{
    return tc_body2_point_velocity(argument[0], argument[1], argument[2]);
}

static tc_status disc_energy(void)
{
    return tc_body2_energy(argument[0], argument[1], argument[2]);
}

static tc_status box_wrench(void)
{
    return tc_body3_apply_wrench(argument[0], argument[1], scalar, argument[2]);
}

static tc_status box_impulse(void)
{
    return tc_body3_apply_impulse(argument[0], argument[1], argument[2]);
}

static tc_status box_move(void)
{
    return tc_body3_move(scalar, argument[0]);
}

static tc_status box_coast(void)
{
    return tc_body3_coast(argument[0], scalar, argument[1]);
}

static tc_status box_point(void)
{
    return tc_body3_point_velocity(argument[0], argument[1], argument[2]);
}

static tc_status box_inverse(void)
{
    return tc_body3_inverse_inertia(argument[0], argument[1], argument[2]);
}

static tc_status box_energy(void)
{
    return tc_body3_energy(argument[0], argument[1], argument[2]);
}

#define FINITE TC_ERR_NOT_FINITE
#define LINE_IN                                                                                    \
    {line.lever, 2, FINITE}, {&line.height, 1, FINITE},                                            \
    {                                                                                              \
        line.normal, 2, FINITE                                                                     \
    }
#define FACE_IN                                                                                    \
    {&face.frame[0][0], 9, FINITE}, {&face.arm[0][0], 24, FINITE},                                 \
    {                                                                                              \
        face.gap, 8, FINITE                                                                        \
    }
#define DISC_IN                                                                                    \
    {&disc.mass, 1, TC_ERR_BODY},                                                                  \
    {                                                                                              \
        &disc.inertia, 1, TC_ERR_BODY                                                              \
    }
#define BOX_IN                                                                                     \
    {&box.mass, 1, TC_ERR_BODY},                                                                   \
    {                                                                                              \
        box.inertia, 3, TC_ERR_BODY                                                                \
    }
#define NO_RESULT                                                                                  \
    {                                                                                              \
        {                                                                                          \
            NULL, 0, 0                                                                             \
        }                                                                                          \
    }
#define SCALAR {&scalar, 1, FINITE}

/* Two contacts in the plane, eight in space: all of the arrays */
static const struct {
    call what;
    void *argument[ARGUMENTS];
} calls[] = {
    {{line_rows, {LINE_IN}, {{out, 6, 0}, {other, 3, 0}}, &flat, 0, 0}, {&line, out, other}},
    {{line_impulse, {LINE_IN, {first, 2, FINITE}, SCALAR}, {{out, 3, 0}}, &flat, 0, 0},
     {&line, first, out}},
    {{line_velocity, {LINE_IN, {first, 3, FINITE}}, {{out, 2, 0}, {other, 1, 0}}, &flat, 0, 0},
     {&line, first, out, other}},
    {{face_rows, {FACE_IN}, {{out, 48, 0}, {other, 18, 0}}, &flat, 0, 0}, {&face, out, other}},
    {{face_contact, {FACE_IN}, {{out, 18, 0}}, &flat, 0, 0}, {&face, out}},
    {{face_impulse, {FACE_IN, {first, 8, FINITE}, {second, 3, FINITE}}, {{out, 6, 0}}, &flat, 0, 0},
     {&face, first, second, out}},
    {{face_velocity, {FACE_IN, {first, 6, FINITE}}, {{out, 8, 0}, {other, 3, 0}}, &flat, 0, 0},
     {&face, first, out, other}},
    {{disc_wrench,
      {DISC_IN, {first, 3, FINITE}, {flat.velocity, 3, FINITE}, SCALAR},
      NO_RESULT,
      &flat,
      sizeof flat,
      0},
     {&disc, first, &flat}},
    {{disc_move,
      {{flat.position, 3, FINITE}, {flat.velocity, 3, FINITE}, SCALAR},
      NO_RESULT,
      &flat,
      sizeof flat,
      0},
     {&flat}},
    {{disc_point, {{flat.velocity, 3, FINITE}, {first, 2, FINITE}}, {{out, 2, 0}}, &flat, 0, 1},
     {&flat, first, out}},
    {{disc_energy, {DISC_IN, {flat.velocity, 3, FINITE}}, {{out, 1, 0}}, &flat, 0, 1},
     {&disc, &flat, out}},
    {{box_wrench,
      {BOX_IN, {first, 6, FINITE}, {pose.orientation, 10, FINITE}, SCALAR},
      NO_RESULT,
      &pose,
      sizeof pose,
      0},
     {&box, first, &pose}},
    {{box_impulse,
      {BOX_IN, {first, 6, FINITE}, {pose.orientation, 10, FINITE}},
      NO_RESULT,
      &pose,
      sizeof pose,
      0},
     {&box, first, &pose}},
    {{box_move, {{pose.position, 13, FINITE}, SCALAR}, NO_RESULT, &pose, sizeof pose, 0}, {&pose}},
    {{box_coast, {BOX_IN, {pose.position, 13, FINITE}, SCALAR}, NO_RESULT, &pose, sizeof pose, 0},
     {&box, &pose}},
    {{box_point, {{pose.velocity, 6, FINITE}, {first, 3, FINITE}}, {{out, 3, 0}}, &flat, 0, 1},
     {&pose, first, out}},
    {{box_inverse, {BOX_IN, {pose.orientation, 4, FINITE}}, {{out, 9, 0}}, &flat, 0, 1},
     {&box, &pose, out}},
    {{box_energy, {BOX_IN, {pose.orientation, 10, FINITE}}, {{out, 1, 0}}, &flat, 0, 1},
     {&box, &pose, out}},
};

/* ---- Arguments ------------------------------------------------------------------------------- */

static void draw(uint32_t which)
{
    const tc_real angle = test_uniform(-3, 3);
    tc_real q[4];
    memset(&line, 0, sizeof line);
    memset(&face, 0, sizeof face);
    line.count = 2;
    line.lever[0] = test_uniform(-1, 0);
    line.lever[1] = test_uniform(TC_C(0.5), 1);
    line.height = test_uniform(-1, 1);
    line.normal[0] = tc_sin(angle);
    line.normal[1] = tc_cos(angle);
    face.count = TC_PATCH_MAX;
    face.dimension = 2;
    random_quaternion(q);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real axis[3] = {k == 0u, k == 1u, k == 2u};
        turn(q, axis, face.frame[k]);
    }
    for (uint32_t i = 0; i < TC_PATCH_MAX; ++i) {
        face.arm[i][0] = tc_cos(TC_C(0.7853982) * (tc_real)i);
        face.arm[i][1] = tc_sin(TC_C(0.7853982) * (tc_real)i);
        face.arm[i][2] = TC_C(-0.5);
    }
    disc.mass = box.mass = test_uniform(TC_C(0.5), 2);
    disc.inertia = test_uniform(TC_C(0.5), 2);
    test_fill(box.inertia, 3, TC_C(0.5), 2);
    test_fill(flat.position, 3, -1, 1);
    test_fill(flat.velocity, 3, -1, 1);
    test_fill(pose.position, 3, -1, 1);
    random_quaternion(pose.orientation);
    test_fill(pose.velocity, 6, -1, 1);
    test_fill(first, 8, -1, 1);
    test_fill(second, 8, -1, 1);
    test_fill(out, 48, 1, 2);
    test_fill(other, 18, 1, 2);
    scalar = test_uniform(TC_C(0.01), TC_C(0.1));
    contact = test_below(TC_PATCH_MAX);
    memcpy(argument, calls[which].argument, sizeof argument);
}

/* Results that must be zero, or must be the numbers that were there, from 1 to 2 */
static void check_results(const call *c, int zero)
{
    for (uint32_t r = 0; r < 2u && c->result[r].at != NULL; ++r) {
        for (uint32_t i = 0; i < c->result[r].n; ++i) {
            const tc_real x = c->result[r].at[i];
            TEST_ASSERT_TRUE(zero ? x == 0 : x >= 1 && x <= 2);
        }
    }
}

static void test_each_pointer(void)
{
    test_seed(448);
    for (uint32_t which = 0; which < TC_COUNT(calls); ++which) {
        const call *const c = &calls[which].what;
        draw(which);
        TEST_ASSERT_EQUAL(TC_OK, c->run());
        for (uint32_t a = 0; a < ARGUMENTS && calls[which].argument[a] != NULL; ++a) {
            const int is_result =
                calls[which].argument[a] == out || calls[which].argument[a] == other;
            draw(which);
            argument[a] = NULL;
            TEST_ASSERT_EQUAL(TC_ERR_NULL, c->run());
            check_results(c, c->zero_after_null && !is_result);
        }
    }
}

/* Each number in turn as one that is none. */
static void test_each_number(void)
{
    static uint8_t before[sizeof pose];
    const tc_real none[3] = {rigid_nan(), rigid_infinity(), -rigid_infinity()};
    test_seed(449);
    for (uint32_t which = 0; which < TC_COUNT(calls); ++which) {
        const call *const c = &calls[which].what;
        for (uint32_t s = 0; s < SPANS && c->in[s].at != NULL; ++s) {
            for (uint32_t i = 0; i < c->in[s].n; ++i) {
                draw(which);
                c->in[s].at[i] = none[test_below(3)];
                memcpy(before, c->state, c->size);
                TEST_ASSERT_EQUAL(c->in[s].status, c->run());
                TEST_ASSERT_EQUAL(0, memcmp(before, c->state, c->size));
                check_results(c, 1);
            }
        }
    }
}

/* Up to three numbers in a row, of whatever the call is given */
static void make_huge(const call *c)
{
    uint32_t spans = 0;
    while (spans < SPANS && c->in[spans].at != NULL) {
        ++spans;
    }
    const span *const s = &c->in[test_below(spans)];
    const uint32_t from = test_below(s->n);
    for (uint32_t i = from; i < s->n && i <= from + test_below(3); ++i) {
        s->at[i] = test_below(2) ? HUGE_NUMBER : -HUGE_NUMBER;
    }
}

static void test_any_huge(void)
{
    static uint8_t before[sizeof pose];
    uint32_t overflows = 0;
    test_seed(450);
    for (uint32_t round = 0; round < ROUNDS * TC_COUNT(calls); ++round) {
        const uint32_t which = round % (uint32_t)TC_COUNT(calls);
        const call *const c = &calls[which].what;
        draw(which);
        make_huge(c);
        memcpy(before, c->state, c->size);
        const tc_status status = c->run();
        if (status != TC_OK) {
            TEST_ASSERT_EQUAL(0, memcmp(before, c->state, c->size));
            check_results(c, 1);
        }
        for (uint32_t r = 0; r < 2u; ++r) {
            TEST_ASSERT_TRUE(c->result[r].at == NULL
                             || tc_all_finite(c->result[r].at, c->result[r].n));
        }
        TEST_ASSERT_TRUE(tc_all_finite(c->state, (uint32_t)(c->size / sizeof(tc_real))));
        overflows += status == TC_ERR_RANGE;
    }
    TEST_ASSERT_TRUE(overflows > ROUNDS);
}

void suite_patch_body_refused(void)
{
    RUN_TEST(test_each_pointer);
    RUN_TEST(test_each_number);
    RUN_TEST(test_any_huge);
}
