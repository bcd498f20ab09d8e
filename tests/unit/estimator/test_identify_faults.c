/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Identification: each status by its one cause, damaged states, and nothing written on an error.
 */
#include "test.h"

#include "tc_identify.h"

#include <math.h>

#define D 3u
#define UNKNOWNS 3u

static tc_identify identify;
static tc_identify_config config;
static tc_identify_info info;
static tc_identify_estimate estimate[UNKNOWNS];
static tc_real storage[TC_IDENTIFY_WORK(D, 1u, 2u) + 2u * TEST_GUARD_WORDS], *work;
static const uint32_t work_len = TC_IDENTIFY_WORK(D, 1u, 2u);

/* A planar body of 1 kg and 0.01 kg m^2 that strikes with a corner */
static tc_real M[D * D], part[D * D], J[2u * D], before[D], after[D], before_sd[D], after_sd[D];
static tc_identify_impact impact;

static void begin(void)
{
    static const tc_real mass[D * D] = {1, 0, 0, 0, 1, 0, 0, 0, TC_C(0.01)};
    static const tc_real rows[2u * D] = {0, 1, TC_C(0.05), -1, 0, TC_C(0.1)};
    static const tc_real v[D] = {TC_C(0.5), -1, 0};
    static const tc_real w[D] = {TC_C(0.3), TC_C(0.2), TC_C(3.0)};
    memcpy(M, mass, sizeof M);
    memcpy(J, rows, sizeof J);
    memcpy(before, v, sizeof before);
    memcpy(after, w, sizeof after);
    memset(part, 0, sizeof part);
    part[8] = TC_C(0.01);
    for (uint32_t i = 0; i < D; ++i) {
        before_sd[i] = after_sd[i] = i < 2u ? TC_C(0.01) : TC_C(0.05);
    }
    impact = (tc_identify_impact){D, 1u, 2u, 0u, M, part, J, before, after, before_sd, after_sd};
    config = tc_identify_default();
    config.ratios = 1u;
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_init(&identify, &config));
    work = test_guard(storage, work_len);
}

static tc_status update(void)
{
    return tc_identify_update(&identify, &impact, estimate, &info, work, work_len);
}

/* The update fails with this status, changes no state and leaves the outputs zero. */
static void expect_refused(tc_status expected)
{
    const tc_identify kept = identify;
    static const tc_identify_estimate zero[UNKNOWNS];
    static const tc_identify_info none;
    memset(estimate, 0xff, sizeof estimate);
    memset(&info, 0xff, sizeof info);
    TEST_ASSERT_EQUAL(expected, update());
    TEST_ASSERT_EQUAL_MEMORY(&kept, &identify, sizeof kept);
    TEST_ASSERT_EQUAL_MEMORY(zero, estimate, sizeof estimate);
    TEST_ASSERT_EQUAL_MEMORY(&none, &info, sizeof info);
}

static void test_a_sound_impact_is_accepted(void)
{
    begin();
    TEST_ASSERT_EQUAL(TC_OK, update());
    TEST_ASSERT_EQUAL(TC_IDENTIFY_ACCEPTED, info.outcome);
    TEST_ASSERT_TRUE(info.iterations >= 1u && info.iterations <= 3u);
    test_guard_check(storage, work_len);
    begin();
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_update(&identify, &impact, NULL, NULL, work, work_len));
}

static void test_null_pointers_are_refused(void)
{
    begin();
    const tc_real **const pointers[] = {&impact.M,       &impact.parts, &impact.J,
                                        &impact.before,  &impact.after, &impact.before_sd,
                                        &impact.after_sd};
    for (uint32_t i = 0; i < TC_COUNT(pointers); ++i) {
        const tc_real *const kept = *pointers[i];
        *pointers[i] = NULL;
        expect_refused(TC_ERR_NULL);
        *pointers[i] = kept;
    }
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_identify_update(NULL, &impact, estimate, &info, work, work_len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_identify_update(&identify, NULL, estimate, &info, work, 9999u));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_identify_update(&identify, &impact, estimate, &info, NULL, work_len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_identify_read(&identify, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_identify_read(NULL, estimate));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_identify_reset(NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_identify_init(NULL, &config));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_identify_init(&identify, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, update()); /* zero now */
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_identify_reset(&identify));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_identify_read(&identify, estimate));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_identify_save(&identify, &identify));
}

static void test_sizes_and_workspaces_are_checked(void)
{
    begin();
    impact.d = 0;
    expect_refused(TC_ERR_SIZE);
    impact.d = TC_CONE_FREEDOM_MAX + 1u;
    expect_refused(TC_ERR_SIZE);
    impact.d = D;
    impact.n = 0;
    expect_refused(TC_ERR_SIZE);
    impact.n = TC_CONE_MAX + 1u;
    expect_refused(TC_ERR_SIZE);
    impact.n = 1;
    impact.rows = 1;
    expect_refused(TC_ERR_SIZE);
    impact.rows = 4;
    expect_refused(TC_ERR_SIZE);
    impact.rows = 2;
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_identify_update(&identify, &impact, estimate, &info, work, work_len - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_identify_update(&identify, &impact, estimate, &info,
                                                       TEST_ODD(work), work_len));
    TEST_ASSERT_EQUAL(TC_OK, update());
}

static void test_numbers_are_checked(void)
{
    begin();
    tc_real *const inputs[] = {M, part, J, before, after, before_sd, after_sd};
    static const uint32_t sizes[] = {D * D, D * D, 2u * D, D, D, D, D};
    for (uint32_t i = 0; i < TC_COUNT(inputs); ++i) {
        for (uint32_t j = 0; j < sizes[i]; ++j) {
            const tc_real kept = inputs[i][j];
            inputs[i][j] = (tc_real)NAN;
            expect_refused(TC_ERR_NOT_FINITE);
            inputs[i][j] = (tc_real)INFINITY;
            expect_refused(TC_ERR_NOT_FINITE);
            inputs[i][j] = kept;
        }
    }
    before_sd[1] = TC_C(-0.01);
    expect_refused(TC_ERR_RANGE);
    before_sd[1] = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_OK, update());
    after_sd[2] = TC_C(0.0);
    expect_refused(TC_ERR_RANGE);
}

static void test_impossible_movers_are_refused(void)
{
    begin();
    M[8] = TC_C(-0.01);
    part[8] = 0;
    expect_refused(TC_ERR_INDEFINITE);
    M[8] = TC_C(0.0);
    expect_refused(TC_ERR_SINGULAR);
    begin();
    memcpy(J + 3, J, 3u * sizeof *J); /* the tangent moves as the normal does */
    expect_refused(TC_ERR_NOT_CERTIFIED);
}

static void test_several_contacts_by_coulomb_are_refused(void)
{
    static tc_real more[TC_IDENTIFY_WORK(D, 2u, 2u)];
    tc_real rows[4u * D];
    begin();
    memcpy(rows, J, sizeof J);
    memcpy(rows + 2u * D, J, sizeof J);
    impact.n = 2;
    impact.J = rows;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_identify_update(&identify, &impact, estimate, &info,
                                                             more, TC_COUNT(more)));
}

static void test_configurations_are_checked(void)
{
    tc_identify_config bad;
    begin();
    for (uint32_t k = 0; k < 16u; ++k) {
        bad = tc_identify_default();
        bad.ratios = 1u;
        tc_real *const numbers[] = {&bad.start[0], &bad.start[1], &bad.start[2],  &bad.sd[0],
                                    &bad.sd[2],    &bad.drift[0], &bad.reopen[1], &bad.gate};
        *numbers[k / 2u] = k % 2u == 0 ? TC_C(-1.0) : (tc_real)NAN;
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_identify_init(&identify, &bad));
        TEST_ASSERT_EQUAL(0u, identify.version);
    }
    bad = tc_identify_default();
    bad.patience = 0u;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_identify_init(&identify, &bad));
    bad = tc_identify_default();
    bad.start[1] = TC_C(1.01);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_identify_init(&identify, &bad));
    bad = tc_identify_default();
    bad.ratios = TC_IDENTIFY_RATIOS_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_identify_init(&identify, &bad));
    bad.ratios = TC_IDENTIFY_RATIOS_MAX;
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_init(&identify, &bad));
}

static tc_identify_estimate many[TC_IDENTIFY_MAX];

static void test_bodies_are_checked(void)
{
    static tc_real room[TC_IDENTIFY_BODY3_WORK(1u)];
    tc_real arm[3] = {TC_C(0.1), 0, TC_C(-0.05)};
    tc_body3 body = {1, {TC_C(0.01), TC_C(0.01), TC_C(0.01)}};
    tc_identify_touch3 touch = {1u,
                                arm,
                                {0, 0, 1},
                                {1, 0, 0, 0},
                                {0, 0, -1, 0, 0, 0},
                                {0, 0, TC_C(0.1), 0, 0, 0},
                                TC_C(0.01),
                                TC_C(0.05)};
    begin();
#define UPDATE(length) tc_identify_update_body3(&identify, &body, &touch, many, &info, room, length)
    TEST_ASSERT_EQUAL(TC_OK, UPDATE(TC_COUNT(room)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, UPDATE(TC_COUNT(room) - 1u));
    body.mass = 0;
    TEST_ASSERT_EQUAL(TC_ERR_BODY, UPDATE(TC_COUNT(room)));
    body.mass = 1;
    touch.normal[2] = TC_C(1.1);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, UPDATE(TC_COUNT(room)));
    touch.normal[2] = 1;
    touch.orientation[0] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, UPDATE(TC_COUNT(room)));
    touch.orientation[0] = 1;
    touch.n = TC_CONE3_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, UPDATE(TC_COUNT(room)));
    touch.n = 1;
    arm[1] = (tc_real)INFINITY;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, UPDATE(TC_COUNT(room)));
    arm[1] = 0;
    touch.arms = NULL;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, UPDATE(TC_COUNT(room)));
    touch.arms = arm;
    config.ratios = 2u;
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_init(&identify, &config));
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, UPDATE(TC_COUNT(room)));
    config.ratios = 3u;
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_init(&identify, &config));
    TEST_ASSERT_EQUAL(TC_OK, UPDATE(TC_COUNT(room)));
#undef UPDATE
}

static void test_a_planar_body_is_checked(void)
{
    static tc_real room[TC_IDENTIFY_BODY2_WORK(1u)];
    const tc_real arm[2] = {TC_C(0.1), TC_C(-0.05)};
    tc_body2 body = {1, TC_C(0.01)};
    tc_identify_touch2 touch = {1u,         arm,       {0, 1}, {0, -1, 0}, {0, TC_C(0.1), 0},
                                TC_C(0.01), TC_C(0.05)};
    begin();
#define UPDATE(length) tc_identify_update_body2(&identify, &body, &touch, many, &info, room, length)
    TEST_ASSERT_EQUAL(TC_OK, UPDATE(TC_COUNT(room)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, UPDATE(TC_COUNT(room) - 1u));
    body.inertia = TC_C(-0.01);
    TEST_ASSERT_EQUAL(TC_ERR_BODY, UPDATE(TC_COUNT(room)));
    body.inertia = TC_C(0.01);
    touch.normal[0] = 1;
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, UPDATE(TC_COUNT(room)));
    touch.normal[0] = 0;
    touch.n = 0;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, UPDATE(TC_COUNT(room)));
    touch.n = 1;
    config.ratios = 2u;
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_init(&identify, &config));
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, UPDATE(TC_COUNT(room)));
#undef UPDATE
}

/* ---- Across a reboot ------------------------------------------------------------------------- */

static void test_a_saved_state_goes_on_where_it_was(void)
{
    tc_identify saved, restored;
    begin();
    TEST_ASSERT_EQUAL(TC_OK, update());
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_save(&identify, &saved));
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_check(&saved));
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_restore(&restored, &saved));
    before[0] = TC_C(-0.4);
    TEST_ASSERT_EQUAL(TC_OK, update());
    tc_identify_estimate again[UNKNOWNS];
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_update(&restored, &impact, again, &info, work, work_len));
    TEST_ASSERT_EQUAL_MEMORY(estimate, again, sizeof again);
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_reset(&restored));
    TEST_ASSERT_EQUAL(0u, restored.impacts);
    test_near(TC_C(0.8), restored.mean[0], 0, 0, "the first value");
}

static void test_each_flipped_byte_is_found(void)
{
    tc_identify saved, kept;
    begin();
    TEST_ASSERT_EQUAL(TC_OK, update());
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_save(&identify, &saved));
    kept = identify;
    for (size_t i = 0; i < sizeof saved; ++i) {
        uint8_t *const byte = (uint8_t *)&saved + i;
        *byte ^= (uint8_t)(1u << i % 8u);
        const tc_status status = tc_identify_restore(&identify, &saved);
        TEST_ASSERT_EQUAL(i < 4u ? TC_ERR_MODEL_VERSION : TC_ERR_MODEL_CRC, status);
        TEST_ASSERT_EQUAL_MEMORY(&kept, &identify, sizeof kept);
        *byte ^= (uint8_t)(1u << i % 8u);
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_check(&saved));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_identify_check(NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_identify_save(&identify, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_identify_restore(NULL, &saved));
}

/* Bytes with a right checksum and a number that cannot be */
static void test_impossible_numbers_are_found(void)
{
    tc_identify saved;
    begin();
    identify.mean[1] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_OK, tc_identify_save(&identify, &saved));
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_FIELD, tc_identify_check(&saved));
}

void suite_identify_faults(void);
void suite_identify_faults(void)
{
    RUN_TEST(test_a_sound_impact_is_accepted);
    RUN_TEST(test_null_pointers_are_refused);
    RUN_TEST(test_sizes_and_workspaces_are_checked);
    RUN_TEST(test_numbers_are_checked);
    RUN_TEST(test_impossible_movers_are_refused);
    RUN_TEST(test_several_contacts_by_coulomb_are_refused);
    RUN_TEST(test_configurations_are_checked);
    RUN_TEST(test_bodies_are_checked);
    RUN_TEST(test_a_planar_body_is_checked);
    RUN_TEST(test_a_saved_state_goes_on_where_it_was);
    RUN_TEST(test_each_flipped_byte_is_found);
    RUN_TEST(test_impossible_numbers_are_found);
}
