/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: every mistake of a caller has its status, and leaves positions and velocities as
 * they were.
 */
#include "cdl_case.h"

#include <math.h>

static tc_real storage[TC_CDL_WORK(CDL_K, CDL_D, CDL_C, 0) + 2u * TEST_GUARD_WORDS];

static tc_status init(void)
{
    const tc_status status = tc_cdl_init(&cdl.cdl, &cdl.config, cdl.room, TC_COUNT(cdl.room));
    if (status < TC_OK) {
        tc_real q = TC_C(1.0), v = TC_C(2.0);
        TEST_ASSERT_EQUAL(TC_ERR_SIZE,
                          tc_cdl_step(&cdl.cdl, NULL, &q, &v, NULL, cdl.work, TC_COUNT(cdl.work)));
        TEST_ASSERT_TRUE(q == TC_C(1.0) && v == TC_C(2.0));
    }
    return status;
}

/* Three bodies in the plane, two contacts, all good. */
static void good(void)
{
    cdl_begin(3, 2);
    cdl_contact(0, 1, 0, TC_C(1.0), TC_C(0.1));
    cdl_contact(2, TC_CDL_WALL, 1, TC_C(1.0), TC_C(0.0));
}

static void refused(tc_status status, uint32_t fault)
{
    TEST_ASSERT_EQUAL(status, init());
    TEST_ASSERT_EQUAL(fault, cdl.cdl.fault);
}

static void test_sizes(void)
{
    good();
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_init(NULL, &cdl.config, cdl.room, TC_COUNT(cdl.room)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_init(&cdl.cdl, NULL, cdl.room, TC_COUNT(cdl.room)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_init(&cdl.cdl, &cdl.config, NULL, TC_COUNT(cdl.room)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_cdl_init(&cdl.cdl, &cdl.config, cdl.room, TC_CDL_STATE(3, 2, 2) - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_cdl_init(&cdl.cdl, &cdl.config, TEST_ODD(cdl.room),
                                                TC_CDL_STATE(3, 2, 2)));
    TEST_ASSERT_EQUAL(TC_OK, tc_cdl_init(&cdl.cdl, &cdl.config, cdl.room, TC_CDL_STATE(3, 2, 2)));
    good(), cdl.config.bodies = 0, refused(TC_ERR_SIZE, 0);
    good(), cdl.config.bodies = TC_CDL_BODIES_MAX + 1u, refused(TC_ERR_SIZE, 0);
    good(), cdl.config.dimension = 0, refused(TC_ERR_SIZE, 0);
    good(), cdl.config.dimension = 4, refused(TC_ERR_SIZE, 0);
    good(), cdl.config.contacts = TC_CDL_CONTACTS_MAX + 1u, refused(TC_ERR_SIZE, 0);
    good(), cdl.contact[1].body = 3, refused(TC_ERR_SIZE, 1);
    good(), cdl.contact[0].other = 3, refused(TC_ERR_SIZE, 0);
    good(), cdl.contact[0].other = 0, refused(TC_ERR_SIZE, 0);
    good(), cdl.config.contact = NULL, refused(TC_ERR_NULL, 0);
    good(), cdl.config.mass = NULL, refused(TC_ERR_NULL, 0);
    good(), cdl.config.mass_matrix = cdl.matrix, refused(TC_ERR_NULL, 0);
}

static void test_numbers(void)
{
    static tc_real damping[3] = {TC_C(1.0), TC_C(1.0), TC_C(-1.0)};
    good(), cdl.config.restitution = TC_C(-0.01), refused(TC_ERR_RANGE, 0);
    good(), cdl.config.restitution = TC_C(1.01), refused(TC_ERR_RANGE, 0);
    good(), cdl.config.restitution = (tc_real)NAN, refused(TC_ERR_NOT_FINITE, 0);
    good(), cdl.config.step = TC_C(0.0), refused(TC_ERR_RANGE, 0);
    good(), cdl.config.step = TC_C(-1.0), refused(TC_ERR_RANGE, 0);
    good(), cdl.config.step = (tc_real)INFINITY, refused(TC_ERR_NOT_FINITE, 0);
    good(), cdl.config.rest_speed = TC_C(-1.0), refused(TC_ERR_RANGE, 0);
    good(), cdl.mass[2] = TC_C(0.0), refused(TC_ERR_BODY, 2);
    good(), cdl.mass[1] = TC_C(-1.0), refused(TC_ERR_BODY, 1);
    good(), cdl.mass[1] = (tc_real)NAN, refused(TC_ERR_NOT_FINITE, 1);
    good(), cdl.weight[3] = (tc_real)NAN, refused(TC_ERR_NOT_FINITE, 1);
    good(), cdl.config.damping = damping, refused(TC_ERR_RANGE, 2);
    good(), cdl.contact[1].normal[1] = TC_C(0.0), refused(TC_ERR_UNIT, 1);
    good(), cdl.contact[1].normal[1] = TC_C(1.1), refused(TC_ERR_UNIT, 1);
    good(), cdl.contact[0].distance = (tc_real)INFINITY, refused(TC_ERR_NOT_FINITE, 0);
}

static void test_mass_matrices(void)
{
    static const tc_real pattern[3][4] = {{TC_C(2.0), TC_C(1.0), TC_C(1.0), TC_C(2.0)},
                                          {TC_C(1.0), TC_C(1.0), TC_C(1.0), TC_C(1.0)},
                                          {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(-1.0)}};
    static const tc_status expected[3] = {TC_OK, TC_ERR_SINGULAR, TC_ERR_INDEFINITE};
    for (uint32_t i = 0; i < 3u; i++) {
        good();
        cdl.config.mass = NULL;
        cdl.config.mass_matrix = cdl.matrix;
        for (uint32_t k = 0; k < 3u; k++) {
            memcpy(cdl.matrix + 4u * k, pattern[k == 1u ? i : 0u], sizeof pattern[0]);
        }
        TEST_ASSERT_EQUAL(expected[i], init());
        TEST_ASSERT_EQUAL(i == 0u ? 1u : 1u, cdl.cdl.fault);
    }
}

/* Each number that is one of several, in turn. Catches: one that is not looked at, or another
 * named. */
static void test_each_number_that_is_none(void)
{
    static tc_real damping[3];
    static const tc_real bad[3] = {(tc_real)NAN, (tc_real)INFINITY, (tc_real)-INFINITY};
    tc_real *const config[4] = {&cdl.config.step, &cdl.config.restitution, &cdl.config.rest_speed,
                                &cdl.config.overlap};
    for (uint32_t i = 0; i < 3u; i++) {
        for (uint32_t k = 0; k < 4u; k++) {
            good(), *config[k] = bad[i], refused(TC_ERR_NOT_FINITE, 0);
        }
        for (uint32_t k = 0; k < 3u; k++) {
            good(), cdl.mass[k] = bad[i], refused(TC_ERR_NOT_FINITE, k);
            memset(damping, 0, sizeof damping);
            good(), cdl.config.damping = damping, damping[k] = bad[i],
                    refused(TC_ERR_NOT_FINITE, k);
            damping[k] = TC_C(-1e-6), refused(TC_ERR_RANGE, k);
            damping[k] = TC_C(0.0), TEST_ASSERT_EQUAL(TC_OK, init());
        }
        for (uint32_t k = 0; k < 6u; k++) {
            good(), cdl.weight[k] = bad[i], refused(TC_ERR_NOT_FINITE, k / 2u);
        }
        for (uint32_t c = 0; c < 2u; c++) {
            good(), cdl.contact[c].distance = bad[i], refused(TC_ERR_NOT_FINITE, c);
            good(), cdl.contact[c].normal[0] = bad[i], refused(TC_ERR_UNIT, c);
            good(), cdl.contact[c].normal[1] = bad[i], refused(TC_ERR_UNIT, c);
        }
    }
    good(), cdl.config.overlap = TC_C(-1e-3), refused(TC_ERR_RANGE, 0);
}

/* What rests where nothing acts rests on, exactly, whatever the workspace held. */
static void test_nothing_moves_by_itself(void)
{
    static const tc_real no[6] = {0};
    for (uint32_t round = 0; round < 8u; round++) {
        good();
        cdl.config.damping = round & 1u ? no : NULL;
        cdl.config.weight = round & 2u ? no : NULL;
        memset(cdl.contact, 0, sizeof cdl.contact);
        cdl.config.contacts = 0;
        cdl_ready();
        memset(cdl.work, 0x3F, sizeof cdl.work);
        TEST_ASSERT_EQUAL(TC_OK, tc_cdl_step(&cdl.cdl, round & 4u ? no : NULL, cdl.Q, cdl.V,
                                             &cdl.info, cdl.work, TC_COUNT(cdl.work)));
        for (uint32_t i = 0; i < 6u; i++) {
            TEST_ASSERT_TRUE(cdl.V[i] == TC_C(0.0) && cdl.Q[i] == TC_C(0.0));
        }
        TEST_ASSERT_EQUAL((round & 1u) == 0u, cdl.cdl.steady);
    }
}

/* A mass so small that a step's rate overflows, of any one body, as a number and as a matrix;
 * without weights, which tell it first. */
static void test_rates_that_overflow(void)
{
    const tc_real small =
        sizeof(tc_real) == sizeof(float) ? TC_C(1e-30) : (tc_real)(1e-150 * 1e-150);
    for (uint32_t k = 0; k < 3u; k++) {
        for (uint32_t matrix = 0; matrix < 2u; matrix++) {
            good();
            cdl.config.weight = NULL;
            cdl.config.step = TC_C(1e10);
            cdl.mass[k] = small;
            for (uint32_t i = 0; i < 12u; i++) {
                cdl.matrix[i] = i % 4u % 3u != 0u ? TC_C(0.0) : i / 4u == k ? small : TC_C(1.0);
            }
            cdl.config.mass = matrix ? NULL : cdl.config.mass;
            cdl.config.mass_matrix = matrix ? cdl.matrix : NULL;
            memset(cdl.room, 0, sizeof cdl.room);
            refused(TC_ERR_RANGE, k);
        }
    }
}

/* ---- The step -------------------------------------------------------------------------------- */

static uint32_t bad_body;
static tc_real bad_number;
static tc_status law_says;

static tc_status bad_force(const void *context, const tc_cdl *system, const tc_real *Q,
                           tc_real *force, tc_real *potential, tc_real *scratch)
{
    (void)context, (void)Q, (void)potential, (void)scratch;
    memset(force, 0, system->coordinates * sizeof *force);
    force[bad_body * system->config.dimension + 1u] = bad_number;
    return law_says;
}

static tc_status bad_gap(const void *context, const tc_cdl *system, const tc_real *Q,
                         const tc_real *V, tc_real *gap, tc_real *normal, tc_real *scratch)
{
    (void)context, (void)Q, (void)V, (void)scratch;
    for (uint32_t c = 0; c < system->config.contacts; c++) {
        gap[c] = TC_C(-1.0);
        normal[2u * c] = TC_C(1.0);
        normal[2u * c + 1u] = TC_C(0.0);
    }
    gap[1] = bad_number;
    normal[2] = law_says == TC_ERR_UNIT ? TC_C(0.0) : TC_C(1.0);
    return law_says == TC_ERR_UNIT ? TC_OK : law_says;
}

static void fails(tc_status status, uint32_t body)
{
    tc_real Q[6], V[6];
    memcpy(Q, cdl.Q, sizeof Q);
    memcpy(V, cdl.V, sizeof V);
    TEST_ASSERT_EQUAL(status, cdl_step());
    TEST_ASSERT_EQUAL_MEMORY(Q, cdl.Q, sizeof Q);
    TEST_ASSERT_EQUAL_MEMORY(V, cdl.V, sizeof V);
    TEST_ASSERT_EQUAL(0, cdl.info.acting);
    TEST_ASSERT_NULL(cdl.info.impulse);
    TEST_ASSERT_EQUAL(body, cdl.info.body);
}

static void moving(void)
{
    good();
    cdl.config.overlap = TC_C(10.0);
    test_seed(3);
    test_fill(cdl.Q, 6, TC_C(-1.0), TC_C(1.0));
    test_fill(cdl.V, 6, TC_C(-1.0), TC_C(1.0));
    bad_number = (tc_real)NAN;
    law_says = TC_OK;
}

/* Catches: a state half moved; the wrong body named; NaN that passes because a comparison with it
 * is false. */
static void test_laws_that_fail(void)
{
    for (bad_body = 0; bad_body < 3u; bad_body++) {
        moving();
        cdl.config.potential.force = bad_force;
        cdl_ready();
        fails(TC_ERR_NOT_FINITE, bad_body);
        bad_number = (tc_real)INFINITY;
        fails(TC_ERR_NOT_FINITE, bad_body);
    }
    bad_body = 0;
    bad_number = TC_C(0.0);
    law_says = TC_ERR_UNSUPPORTED;
    fails(TC_ERR_UNSUPPORTED, 0);
    law_says = TC_NOTE_RANGE;
    TEST_ASSERT_EQUAL(TC_NOTE_RANGE, cdl_step());

    moving();
    cdl.config.signal.gap = bad_gap;
    cdl.config.signal.turns = 1;
    cdl_ready();
    fails(TC_ERR_NOT_FINITE, 2);
    bad_number = TC_C(-1.0);
    law_says = TC_ERR_UNIT;
    fails(TC_ERR_UNIT, 2);
    law_says = TC_ERR_RANGE;
    fails(TC_ERR_RANGE, 0);
}

static void test_bad_states(void)
{
    for (uint32_t i = 0; i < 6u; i++) {
        moving();
        cdl_ready();
        cdl.Q[i] = bad_number;
        fails(TC_ERR_NOT_FINITE, i / 2u);
        moving();
        cdl_ready();
        cdl.V[i] = (tc_real)-INFINITY;
        fails(TC_ERR_NOT_FINITE, i / 2u);
        tc_real force[6] = {0};
        moving();
        cdl_ready();
        force[i] = bad_number;
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_cdl_step(&cdl.cdl, force, cdl.Q, cdl.V, &cdl.info,
                                                         cdl.work, TC_COUNT(cdl.work)));
        TEST_ASSERT_EQUAL(i / 2u, cdl.info.body);
    }
    moving();
    cdl.config.step = TC_C(1e30);
    cdl_ready();
    cdl.V[4] = TC_C(1e30);
    if (sizeof(tc_real) == sizeof(float)) {
        fails(TC_ERR_RANGE, 2);
    }
}

/* Spheres whose centres coincide, or are so near that the square of their distance is 0 or a
 * subnormal number: a lawful blow along the first axis, or along what is left of the line. Catches:
 * a state that no call leaves any more. */
static void test_coinciding_spheres(void)
{
    static const tc_real apart[4] = {TC_C(0.0), TC_C(1e-16), TC_C(1e-22), TC_C(-1e-30)};
    for (uint32_t i = 0; i < 4u; i++) {
        good();
        cdl.config.signal = tc_cdl_laws_spheres();
        cdl.config.overlap = TC_C(1.0);
        cdl.Q[4] = TC_C(5.0);
        cdl.config.step = TC_C(1e-30);
        cdl.V[0] = apart[i] < TC_C(0.0) ? TC_C(2.0) : TC_C(-2.0);
        cdl.Q[0] = apart[i] - cdl.config.step * cdl.V[0];
        cdl_ready();
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        TEST_ASSERT_EQUAL(1, cdl.info.acting);
        test_near(TC_C(0.1), cdl.info.overlap, TC_C(1e-7), 0, "as deep as they are wide");
        test_near(TC_C(0.0), cdl.V[0], TC_C(1e-6), 0, "hands its velocity on");
    }
}

static void test_arguments(void)
{
    moving();
    cdl_ready();
    const size_t needs = TC_CDL_WORK(3, 2, 2, 0);
    tc_real *const work = test_guard(storage, (uint32_t)needs);
    TEST_ASSERT_EQUAL(needs, cdl.cdl.work_len);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_step(NULL, NULL, cdl.Q, cdl.V, &cdl.info, work, needs));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_step(&cdl.cdl, NULL, NULL, cdl.V, NULL, work, needs));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_step(&cdl.cdl, NULL, cdl.Q, NULL, NULL, work, needs));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_cdl_step(&cdl.cdl, NULL, cdl.Q, cdl.V, NULL, NULL, needs));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_cdl_step(&cdl.cdl, NULL, cdl.Q, cdl.V, NULL, work, needs - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                      tc_cdl_step(&cdl.cdl, NULL, cdl.Q, cdl.V, NULL, TEST_ODD(work), needs));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                      tc_cdl_energy(&cdl.cdl, cdl.Q, cdl.V, cdl.weight, TEST_ODD(work), needs));
    cdl.Q[0] = cdl.Q[2];
    cdl.Q[5] = TC_C(-1.0);
    cdl.V[5] = TC_C(-1.0);
    for (uint32_t i = 0; i < 50u; i++) {
        TEST_ASSERT_EQUAL(TC_OK, tc_cdl_step(&cdl.cdl, NULL, cdl.Q, cdl.V, &cdl.info, work, needs));
    }
    test_guard_check(storage, (uint32_t)needs);
}

void suite_cdl_faults(void)
{
    RUN_TEST(test_sizes);
    RUN_TEST(test_numbers);
    RUN_TEST(test_mass_matrices);
    RUN_TEST(test_each_number_that_is_none);
    RUN_TEST(test_nothing_moves_by_itself);
    RUN_TEST(test_rates_that_overflow);
    RUN_TEST(test_laws_that_fail);
    RUN_TEST(test_bad_states);
    RUN_TEST(test_coinciding_spheres);
    RUN_TEST(test_arguments);
}
