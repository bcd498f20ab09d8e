/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bytes of a leg and its configuration, by the table of docs/reference/wire.md. Reader and writer share one walk:
 * two fields that were exchanged would come back whole, and a desktop's record would be another leg.
 */
#include "test.h"

#include "tc_bytes.h"

#define JOINTS TC_LEG_JOINTS

static tc_leg leg;
static tc_leg_link links[JOINTS];
static tc_estimator_config config;
static tc_estimator_record record;
static uint8_t bytes[TC_ESTIMATOR_RECORD_MAX + 16u];
static const tc_estimator_record zero;

/* ---- The page's table --------------------------------------------------------------------------- */

#define NUMBERS_MAX (4u + 11u * JOINTS + 2u * JOINTS + 41u)

static uint32_t at[NUMBERS_MAX];

/* The real numbers of a record of n joints, in the page's order: their places in `at`, addresses in `all`. */
static uint32_t page_order(tc_leg *of, tc_leg_link *link, tc_estimator_config *c, uint32_t n,
                           tc_real **all)
{
    tc_real *const rest[] = {&c->step,
                             &c->torque_part,
                             &c->torque_gain,
                             &c->bias_part,
                             &c->lost_scale,
                             &c->gyro_noise,
                             &c->accel_noise,
                             &c->accel_bias,
                             &c->accel_drift,
                             &c->base_velocity_noise,
                             &c->touch_reliability,
                             &c->levelling,
                             &c->torque_limit,
                             &c->gyro_limit,
                             &c->accel_limit,
                             &c->start_speed,
                             &c->force,
                             &c->stick_speed,
                             &c->normal_speed,
                             &c->friction,
                             &c->friction_spread,
                             &c->friction_least,
                             &c->friction_width,
                             &c->touch_down_least,
                             &c->floor_spread,
                             &c->land_stick,
                             &c->land_free,
                             &c->lift_off,
                             &c->lift_off_light,
                             &c->lift_off_rising,
                             &c->light,
                             &c->rise,
                             &c->keep,
                             &c->distrust,
                             &c->on,
                             &c->off,
                             &c->foot_speed,
                             &c->foot_height,
                             &c->bounce,
                             &c->doubt,
                             &c->settle};
    uint32_t count = 0;
#define PUT(place, number) (at[count] = (place), all[count++] = (number))
    PUT(8u, &of->g);
    PUT(12u, &of->foot[0]);
    PUT(16u, &of->foot[1]);
    PUT(20u, &of->radius);
    for (uint32_t i = 0; i < n; ++i) {
        tc_real *const numbers[] = {&link[i].body.mass, &link[i].body.inertia, &link[i].anchor[0],
                                    &link[i].anchor[1], &link[i].arm[0],       &link[i].arm[1],
                                    &link[i].axis[0],   &link[i].axis[1],      &link[i].rest,
                                    &link[i].rotor,     &link[i].damping};
        for (uint32_t k = 0; k < TC_COUNT(numbers); ++k) {
            PUT(24u + 48u * i + 4u + 4u * k, numbers[k]);
        }
    }
    for (uint32_t i = 0; i < JOINTS; ++i) {
        PUT(24u + 48u * n + 4u * i, &c->encoder_step[i]);
        PUT(48u + 48u * n + 4u * i, &c->torque_noise[i]);
    }
    for (uint32_t i = 0; i < TC_COUNT(rest); ++i) {
        PUT(76u + 48u * n + 4u * i, rest[i]);
    }
#undef PUT
    return count;
}

static tc_real *mine[NUMBERS_MAX], *theirs[NUMBERS_MAX];
static uint32_t count;

/* Every number another one; joints and roots of both sorts. Returns the record's length. */
static size_t make_record(uint32_t n)
{
    memset(&leg, 0, sizeof leg);
    memset(links, 0, sizeof links);
    leg.joints = n;
    leg.root = n % 2u ? TC_LEG_FLOATING : TC_LEG_RAIL;
    leg.links = links;
    for (uint32_t i = 0; i < n; ++i) {
        links[i].joint = i % 2u ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE;
    }
    config.frozen = 0x01020304u;
    count = page_order(&leg, links, &config, n, mine);
    for (uint32_t i = 0; i < count; ++i) {
        *mine[i] = TC_C(1.25) + (tc_real)i;
    }
    memset(bytes, 0xA5, sizeof bytes);
    return tc_estimator_record_write(&leg, &config, bytes, sizeof bytes);
}

/* Each number where the page has it, and nothing behind the end. */
static void test_every_number_has_its_place(void)
{
    for (uint32_t n = 1; n <= JOINTS; ++n) {
        const size_t length = make_record(n);
        TEST_ASSERT_EQUAL_UINT32(24u + 48u * n + 216u, length);
        TEST_ASSERT_EQUAL_HEX32(0x1A4C4354u, tc_bytes_u32(bytes));
        TEST_ASSERT_EQUAL_HEX32(1u, tc_bytes_u16(bytes + 4));
        TEST_ASSERT_EQUAL_HEX32(n, bytes[6]);
        TEST_ASSERT_EQUAL_HEX32(n % 2u ? 2u : 1u, bytes[7]);
        for (uint32_t i = 0; i < n; ++i) {
            TEST_ASSERT_EQUAL_HEX32(i % 2u, tc_bytes_u32(bytes + 24u + 48u * i));
        }
        TEST_ASSERT_EQUAL_HEX32(0x01020304u, tc_bytes_u32(bytes + 72u + 48u * n));
        for (uint32_t i = 0; i < count; ++i) {
            TEST_ASSERT_TRUE(tc_bytes_float(bytes + at[i]) == 1.25f + (float)i);
        }
        for (size_t i = length; i < sizeof bytes; ++i) {
            TEST_ASSERT_EQUAL_HEX8(0xA5u, bytes[i]);
        }
        memset(&record, 0x5A, sizeof record);
        TEST_ASSERT_EQUAL(TC_OK, tc_estimator_record_read(bytes, length, &record));
        TEST_ASSERT_TRUE(record.leg.links == record.links && record.leg.joints == n
                         && record.leg.root == leg.root);
        TEST_ASSERT_EQUAL_HEX32(0x01020304u, record.config.frozen);
        TEST_ASSERT_EQUAL_UINT32(count,
                                 page_order(&record.leg, record.links, &record.config, n, theirs));
        for (uint32_t i = 0; i < count; ++i) {
            TEST_ASSERT_TRUE(*theirs[i] == TC_C(1.25) + (tc_real)i);
        }
        for (uint32_t i = 0; i < JOINTS; ++i) { /* links beyond the last are zero */
            TEST_ASSERT_EQUAL(i < n && i % 2u ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE,
                              record.links[i].joint);
            TEST_ASSERT_TRUE(i < n || record.links[i].body.mass == TC_C(0.0));
        }
    }
}

/* ---- Refusals ----------------------------------------------------------------------------------- */

static void read_refused(tc_status expected, size_t n)
{
    memset(&record, 0x5A, sizeof record);
    TEST_ASSERT_EQUAL(expected, tc_estimator_record_read(bytes, n, &record));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &record, sizeof zero);
}

/* Every status of the reader, by the byte that causes it; each length but the right one. */
static void test_records_refused(void)
{
    const size_t length = make_record(3);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_estimator_record_read(bytes, length, NULL));
    memset(&record, 0x5A, sizeof record);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_estimator_record_read(NULL, length, &record));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &record, sizeof zero);
    for (uint32_t bit = 0; bit < 48u; ++bit) {
        bytes[bit / 8u] ^= (uint8_t)(1u << bit % 8u);
        read_refused(bit < 32u ? TC_ERR_MODEL_MAGIC : TC_ERR_MODEL_VERSION, length);
        bytes[bit / 8u] ^= (uint8_t)(1u << bit % 8u);
    }
    for (uint32_t value = 0; value < 256u; ++value) {
        bytes[7] = (uint8_t)value;
        if (value > TC_LEG_FLOATING) {
            read_refused(TC_ERR_UNSUPPORTED, length);
        }
        bytes[7] = TC_LEG_FLOATING;
        bytes[6] = (uint8_t)value;
        if (value != 3u) {
            read_refused(value >= 1u && value <= JOINTS ? TC_ERR_SIZE : TC_ERR_RANGE, length);
        }
        bytes[6] = 3u;
        for (uint32_t k = 0; k < 4u; ++k) { /* the type of the last joint, in each of its bytes */
            bytes[24u + 96u + k] = (uint8_t)value;
            if (value > TC_CHAIN_FREE || (k > 0u && value > 0u)) {
                read_refused(TC_ERR_RANGE, length);
            }
            bytes[24u + 96u + k] = 0u;
        }
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_estimator_record_read(bytes, length, &record));
    for (size_t n = length + 1u; n <= sizeof bytes; ++n) {
        read_refused(TC_ERR_SIZE, n);
    }
    for (size_t n = 0; n < length; ++n) {
        read_refused(TC_ERR_SIZE, n);
    }
    read_refused(TC_ERR_SIZE, (size_t)UINT32_MAX);
}

/* Each array that is too short, for each number of joints: no length, and nothing behind the array. */
static void test_writing_into_each_length(void)
{
    for (uint32_t n = 1; n <= JOINTS; ++n) {
        const size_t length = make_record(n);
        TEST_ASSERT_TRUE(length <= TC_ESTIMATOR_RECORD_MAX);
        for (size_t room = 0; room <= length; ++room) {
            memset(bytes, 0xA5, sizeof bytes);
            const size_t written = tc_estimator_record_write(&leg, &config, bytes, room);
            TEST_ASSERT_EQUAL_UINT32(room < length ? 0u : length, written);
            TEST_ASSERT_EQUAL_HEX8(0xA5u, bytes[room]);
            TEST_ASSERT_EQUAL_HEX8(0xA5u, bytes[room + 1u]);
        }
    }
    make_record(2);
    leg.joints = 0;
    TEST_ASSERT_EQUAL_UINT32(0u, tc_estimator_record_write(&leg, &config, bytes, sizeof bytes));
    leg.joints = JOINTS + 1u;
    TEST_ASSERT_EQUAL_UINT32(0u, tc_estimator_record_write(&leg, &config, bytes, sizeof bytes));
    leg.joints = 2;
    leg.root = (tc_leg_root)(TC_LEG_FLOATING + 1);
    TEST_ASSERT_EQUAL_UINT32(0u, tc_estimator_record_write(&leg, &config, bytes, sizeof bytes));
    leg.root = TC_LEG_FIXED;
    links[1].joint = (tc_chain_joint)(TC_CHAIN_FREE + 1);
    TEST_ASSERT_EQUAL_UINT32(0u, tc_estimator_record_write(&leg, &config, bytes, sizeof bytes));
    links[1].joint = TC_CHAIN_PRISMATIC;
    TEST_ASSERT_TRUE(tc_estimator_record_write(&leg, &config, bytes, sizeof bytes) > 0u);
}

void suite_estimator_record(void)
{
    RUN_TEST(test_every_number_has_its_place);
    RUN_TEST(test_records_refused);
    RUN_TEST(test_writing_into_each_length);
}
