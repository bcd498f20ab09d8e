/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The text of the position schemes over a mover that only writes down what is asked of it. Its
 * table is read at run time, so that the text is tested as a scene would use it.
 */
#include "test.h"

#include "tc_scheme_internal.h"

#include <string.h>

#define CALLS 16u

/* Answers, in order, and the calls so far: one letter each, and the time left that it was told. */
static struct {
    tc_status responds, pushes, settles, touches[2];
    int deep[2]; /* of the first and the second settle */
    tc_real share[4];
    uint32_t shared, touched, settled, count;
    char calls[CALLS];
    tc_real left[CALLS];
} script;

static void note(char call, tc_real left)
{
    TEST_ASSERT_TRUE(script.count + 1u < CALLS);
    script.calls[script.count] = call;
    script.left[script.count++] = left;
}

static void find(void *mover)
{
    (void)mover;
    note('f', TC_C(0.0));
}

static void foresee(void *mover)
{
    (void)mover;
    note('F', TC_C(0.0));
}

static tc_status respond(void *mover, int ahead)
{
    (void)mover;
    note(ahead ? 'R' : 'r', TC_C(0.0));
    return script.responds;
}

static tc_status push(void *mover)
{
    (void)mover;
    note('p', TC_C(0.0));
    return script.pushes;
}

static tc_status settle(void *mover, tc_real left, int ahead, int *deep)
{
    (void)mover;
    note(ahead ? 'S' : 's', left);
    *deep = script.deep[script.settled++];
    return script.settles;
}

static tc_real share(void *mover, tc_real left)
{
    (void)mover;
    note('?', left);
    return script.share[script.shared++];
}

static tc_status touch(void *mover, tc_real left, tc_real part)
{
    (void)mover;
    TEST_ASSERT_TRUE(part == script.share[script.shared - 1u]);
    note('t', left);
    return script.touches[script.touched++];
}

static void wait_there(void *mover, tc_real left, tc_real part)
{
    (void)mover;
    note('w', part * left);
}

static const tci_scheme_mover whole = {find,   foresee, respond, push,
                                       settle, share,   touch,   wait_there};
static const tci_scheme_mover without_toc = {
    .find = find, .foresee = foresee, .respond = respond, .push = push, .settle = settle};

/* One step of 8 s by the script, whose answers that are not set are: fine, not deep, touches at
 * once */
static tc_status step(const tci_scheme_mover *volatile scheme, tc_scheme positions,
                      const char *calls, tc_real *waited)
{
    const tc_status status = tci_scheme_step(scheme, &script, positions, TC_C(8.0), waited);
    script.calls[script.count] = '\0';
    TEST_ASSERT_EQUAL_STRING(calls, script.calls);
    return status;
}

static void fresh(void)
{
    memset(&script, 0, sizeof script);
}

static void test_push_speed(void)
{
    test_near(TC_C(1e-3), tci_scheme_push_speed(TC_C(-1.0), TC_C(1e-3)), 0, 0, "bounded");
    test_near(TC_C(5e-5), tci_scheme_push_speed(TC_C(-1e-5), TC_C(2e-3)), 0, TC_C(1e-6),
              "a hundredth of the depth");
}

/* An error of the response ends the step; else a note of the push overrules it. */
static void test_dart(void)
{
    tc_real waited = TC_C(1.0);
    fresh();
    TEST_ASSERT_EQUAL(TC_OK, step(&whole, TC_SCHEME_DART, "frp", &waited));
    TEST_ASSERT_TRUE(waited == TC_C(0.0));
    fresh();
    script.responds = TC_NOTE_RANGE;
    TEST_ASSERT_EQUAL(TC_NOTE_RANGE, step(&whole, TC_SCHEME_DART, "frp", &waited));
    fresh();
    script.responds = TC_NOTE_RANGE;
    script.pushes = TC_NOTE_FALLBACK;
    TEST_ASSERT_EQUAL(TC_NOTE_FALLBACK, step(&whole, TC_SCHEME_DART, "frp", &waited));
    fresh();
    script.responds = TC_ERR_RANGE;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, step(&whole, TC_SCHEME_DART, "fr", &waited));
}

static void test_gap(void)
{
    tc_real waited;
    fresh();
    script.settles = TC_NOTE_FALLBACK;
    TEST_ASSERT_EQUAL(TC_NOTE_FALLBACK, step(&whole, TC_SCHEME_GAP, "FRS", &waited));
    test_near(TC_C(8.0), script.left[2], 0, 0, "settles the whole step");
    fresh();
    script.responds = TC_ERR_WORK;
    TEST_ASSERT_EQUAL(TC_ERR_WORK, step(&whole, TC_SCHEME_GAP, "FR", &waited));
    /* One vertex more: a touch at a quarter, then on; the first note is told. */
    fresh();
    script.responds = TC_NOTE_CONTACT;
    script.deep[0] = 1;
    script.share[0] = TC_C(0.25);
    script.touches[0] = TC_NOTE_RANGE;
    TEST_ASSERT_EQUAL(TC_NOTE_CONTACT, step(&whole, TC_SCHEME_GAP, "FRS?ts", &waited));
    test_near(TC_C(6.0), script.left[5], 0, 0, "settles what is left");
    TEST_ASSERT_TRUE(waited == TC_C(0.0));
    /* Its touch fails: nothing more is asked. */
    script.count = script.shared = script.touched = script.settled = 0u;
    script.touches[0] = TC_ERR_RANGE;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, step(&whole, TC_SCHEME_GAP, "FRS?t", &waited));
}

static void test_toc(void)
{
    tc_real waited;
    fresh();
    script.share[0] = TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_OK, step(&whole, TC_SCHEME_TOC, "?s", &waited));
    test_near(TC_C(8.0), script.left[1], 0, 0, "nothing touches");
    fresh();
    script.share[0] = TC_C(0.5);
    script.share[1] = TC_C(0.5);
    script.touches[1] = TC_NOTE_RANGE;
    TEST_ASSERT_EQUAL(TC_NOTE_RANGE, step(&whole, TC_SCHEME_TOC, "?t?ts", &waited));
    test_near(TC_C(4.0), script.left[3], 0, 0, "left at the second touch");
    test_near(TC_C(2.0), script.left[4], 0, 0, "left after it");
    fresh();
    script.touches[0] = TC_ERR_RANGE;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, step(&whole, TC_SCHEME_TOC, "?t", &waited));
    fresh();
    script.touches[0] = TC_NOTE_CONTACT;
    script.touches[1] = TC_ERR_RANGE;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, step(&whole, TC_SCHEME_TOC, "?t?t", &waited));
    /* Of two touches' notes the first; what the end returns overrules it. */
    fresh();
    script.touches[0] = TC_NOTE_CONTACT;
    script.touches[1] = TC_NOTE_RANGE;
    TEST_ASSERT_EQUAL(TC_NOTE_CONTACT, step(&whole, TC_SCHEME_TOC, "?t?ts", &waited));
    fresh();
    script.touches[0] = TC_NOTE_CONTACT;
    script.settles = TC_NOTE_FALLBACK;
    TEST_ASSERT_EQUAL(TC_NOTE_FALLBACK, step(&whole, TC_SCHEME_TOC, "?t?ts", &waited));
}

/* A third vertex ends the step where it touches. */
static void test_waits(void)
{
    tc_real waited;
    fresh();
    script.share[0] = script.share[1] = TC_C(0.5);
    script.share[2] = TC_C(0.25);
    script.deep[0] = 1;
    TEST_ASSERT_EQUAL(TC_OK, step(&whole, TC_SCHEME_TOC, "?t?ts?w", &waited));
    test_near(TC_C(0.5), script.left[6], 0, 0, "moves on by a quarter of 2 s");
    test_near(TC_C(1.5), waited, 0, 0, "and waits the rest");
    /* Before a sixteenth of the step it is lifted instead; at a sixteenth it waits. */
    for (int early = 0; early < 2; early++) {
        fresh();
        script.share[1] = TC_C(1.0);
        script.share[2] = TC_C(0.0625) - (early ? TC_C(0.001) : TC_C(0.0));
        script.deep[0] = 1;
        TEST_ASSERT_EQUAL(TC_OK, step(&whole, TC_SCHEME_TOC, "?t?s?w", &waited));
        test_near(early ? TC_C(8.0) : TC_C(0.5), script.left[5], 0, 0, "moves on");
        test_near(early ? TC_C(0.0) : TC_C(7.5), waited, 0, 0, "waits");
    }
}

/* A mover without TOC is never asked for what it lacks; if not refused, it moves by DART. */
static void test_without_toc(void)
{
    tc_real waited;
    fresh();
    script.deep[0] = 1;
    TEST_ASSERT_EQUAL(TC_OK, step(&without_toc, TC_SCHEME_GAP, "FRS", &waited));
    fresh();
    TEST_ASSERT_EQUAL(TC_OK, step(&without_toc, TC_SCHEME_DART, "frp", &waited));
    fresh();
    TEST_ASSERT_EQUAL(TC_OK, step(&without_toc, TC_SCHEME_TOC, "frp", &waited));
}

void suite_scheme_text(void)
{
    RUN_TEST(test_push_speed);
    RUN_TEST(test_dart);
    RUN_TEST(test_gap);
    RUN_TEST(test_toc);
    RUN_TEST(test_waits);
    RUN_TEST(test_without_toc);
}
