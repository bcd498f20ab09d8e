/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The bytes of ROBOT and FEET in docs/reference/wire.md, written here by hand from the page for random robots: encoder
 * and decoder share one walk, so a field in the wrong place would come back whole.
 */
#include "test.h"

static tc_wire_encoder encoder;
static tc_wire_decoder decoder;
static tc_wire_frame frame;
static uint8_t page[TC_WIRE_PAYLOAD_MAX];
static uint32_t filled;
static tc_wire_robot robot, robot_back;
static tc_wire_feet feet, feet_back;
static const tc_wire_robot no_robot;
static const tc_wire_feet no_feet;

/* ---- The page -------------------------------------------------------------------------------- */

static void page_byte(uint32_t value)
{
    page[filled++] = (uint8_t)value;
}

static void page_word(uint32_t value)
{
    for (uint32_t i = 0; i < 4u; i++) {
        page_byte(value >> 8u * i & 255u);
    }
}

static void page_reals(const float *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, values + i, sizeof bits);
        page_word(bits);
    }
}

static void draw(float *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t bits = test_bits(); /* any float, NaN and infinity too */
        memcpy(values + i, &bits, sizeof bits);
    }
}

static void draw_robot(void)
{
    memset(&robot, 0, sizeof robot);
    robot.tick = test_bits();
    robot.limbs = 1u + test_below(4);
    robot.given = test_below(8);
    robot.silent = test_below(1u << robot.limbs);
    robot.touched = test_below(1u << robot.limbs);
    draw(robot.gyro, 3);
    draw(robot.accel, 3);
    draw(robot.attitude, (robot.given & 1u) != 0u ? 4u : 0u);
    draw(robot.base_velocity, (robot.given & 2u) != 0u ? 3u : 0u);
    draw(robot.base_velocity_variance, (robot.given & 2u) != 0u ? 3u : 0u);
    draw(&robot.step, (robot.given & 4u) != 0u ? 1u : 0u);
    draw(robot.touch, robot.touched != 0u ? robot.limbs : 0u);
    for (uint32_t k = 0; k < robot.limbs; k++) {
        robot.joints[k] = 1u + test_below(7);
        draw(robot.encoder[k], robot.joints[k]);
        draw(robot.torque[k], robot.joints[k]);
    }
}

static void write_robot(void)
{
    filled = 0;
    page_word(robot.tick);
    page_byte(robot.limbs);
    page_byte(robot.given);
    page_byte(robot.silent);
    page_byte(robot.touched);
    for (uint32_t k = 0; k < 4u; k++) {
        page_byte(robot.joints[k]);
    }
    page_reals(robot.gyro, 3);
    page_reals(robot.accel, 3);
    page_reals(robot.attitude, (robot.given & 1u) != 0u ? 4u : 0u);
    page_reals(robot.base_velocity, (robot.given & 2u) != 0u ? 3u : 0u);
    page_reals(robot.base_velocity_variance, (robot.given & 2u) != 0u ? 3u : 0u);
    page_reals(&robot.step, (robot.given & 4u) != 0u ? 1u : 0u);
    page_reals(robot.touch, robot.touched != 0u ? robot.limbs : 0u);
    for (uint32_t k = 0; k < robot.limbs; k++) {
        page_reals(robot.encoder[k], robot.joints[k]);
        page_reals(robot.torque[k], robot.joints[k]);
    }
}

static void draw_feet(void)
{
    memset(&feet, 0, sizeof feet);
    feet.tick = test_bits();
    feet.status = (int32_t)test_bits();
    feet.flags = test_bits();
    feet.limbs = 1u + test_below(4);
    draw(feet.velocity, 3);
    draw(feet.velocity_variance, 2);
    draw(&feet.height, 1);
    draw(feet.slope, 2);
    for (uint32_t k = 0; k < feet.limbs; k++) {
        tc_wire_foot *foot = &feet.foot[k];
        foot->contact = test_below(2);
        foot->flags = test_bits();
        draw(foot->p, 3);
        draw(foot->impulse, 3);
        draw(foot->impulse_variance, 3);
        draw(foot->slip, 2);
        draw(&foot->slip_variance, 1);
        draw(&foot->friction, 1);
        draw(&foot->since, 1);
    }
}

static void write_feet(void)
{
    filled = 0;
    page_word(feet.tick);
    page_word((uint32_t)feet.status);
    page_word(feet.flags);
    page_word(feet.limbs);
    page_reals(feet.velocity, 3);
    page_reals(feet.velocity_variance, 2);
    page_reals(&feet.height, 1);
    page_reals(feet.slope, 2);
    for (uint32_t k = 0; k < feet.limbs; k++) {
        const tc_wire_foot *foot = &feet.foot[k];
        page_word(foot->contact);
        page_word(foot->flags);
        page_reals(foot->p, 3);
        page_reals(foot->impulse, 3);
        page_reals(foot->impulse_variance, 3);
        page_reals(foot->slip, 2);
        page_reals(&foot->slip_variance, 1);
        page_reals(&foot->friction, 1);
        page_reals(&foot->since, 1);
    }
}

/* ---- There and back -------------------------------------------------------------------------- */

static void deliver_frame(uint32_t length, uint32_t type)
{
    tc_wire_result result;
    TEST_ASSERT_TRUE(length > 0u);
    tc_wire_decoder_init(&decoder);
    TEST_ASSERT_EQUAL_UINT32(length,
                             tc_wire_decode(&decoder, encoder.frame, length, &frame, &result));
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, result);
    TEST_ASSERT_EQUAL_HEX32(type, frame.type);
}

static void deliver_page(uint32_t type)
{
    memcpy(encoder.body + TC_WIRE_HEAD, page, filled);
    deliver_frame(tc_wire_encode(&encoder, type, filled), type);
}

static void test_robot_is_the_pages(void)
{
    test_seed(1901);
    for (uint32_t i = 0; i < TEST_ROUNDS(400); i++) {
        draw_robot();
        write_robot();
        deliver_frame(tc_wire_put_robot(&encoder, &robot), TC_WIRE_ROBOT);
        TEST_ASSERT_EQUAL_UINT32(filled, frame.length);
        TEST_ASSERT_EQUAL_MEMORY(page, frame.payload, filled);
        deliver_page(TC_WIRE_ROBOT);
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_robot(&frame, &robot_back));
        TEST_ASSERT_EQUAL_MEMORY(&robot, &robot_back, sizeof robot);
    }
}

static void test_feet_is_the_pages(void)
{
    test_seed(1902);
    for (uint32_t i = 0; i < TEST_ROUNDS(400); i++) {
        draw_feet();
        write_feet();
        deliver_frame(tc_wire_put_feet(&encoder, &feet), TC_WIRE_FEET);
        TEST_ASSERT_EQUAL_UINT32(filled, frame.length);
        TEST_ASSERT_EQUAL_MEMORY(page, frame.payload, filled);
        deliver_page(TC_WIRE_FEET);
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_feet(&frame, &feet_back));
        TEST_ASSERT_EQUAL_MEMORY(&feet, &feet_back, sizeof feet);
    }
}

/* The largest frames are those of four limbs with seven joints; both lie within a payload. */
static void test_sizes_of_robots(void)
{
    memset(&robot, 0, sizeof robot);
    robot.limbs = 4;
    for (uint32_t k = 0; k < 4u; k++) {
        robot.joints[k] = 3;
    }
    robot.given = 1; /* attitude */
    deliver_frame(tc_wire_put_robot(&encoder, &robot), TC_WIRE_ROBOT);
    TEST_ASSERT_EQUAL_UINT32(148, frame.length);
    for (uint32_t k = 0; k < 4u; k++) {
        robot.joints[k] = 7;
    }
    robot.given = 7; /* attitude, base velocity, step */
    robot.touched = 8;
    deliver_frame(tc_wire_put_robot(&encoder, &robot), TC_WIRE_ROBOT);
    TEST_ASSERT_EQUAL_UINT32(320, frame.length);
    memset(&feet, 0, sizeof feet);
    feet.limbs = 4;
    deliver_frame(tc_wire_put_feet(&encoder, &feet), TC_WIRE_FEET);
    TEST_ASSERT_EQUAL_UINT32(304, frame.length);
}

/* ---- Hostile bytes --------------------------------------------------------------------------- */

static void refuse_robot(tc_status expected)
{
    TEST_ASSERT_EQUAL(expected, tc_wire_get_robot(&frame, &robot_back));
    TEST_ASSERT_EQUAL_MEMORY(&no_robot, &robot_back, sizeof robot_back);
}

static void refuse_feet(tc_status expected)
{
    TEST_ASSERT_EQUAL(expected, tc_wire_get_feet(&frame, &feet_back));
    TEST_ASSERT_EQUAL_MEMORY(&no_feet, &feet_back, sizeof feet_back);
}

/* A frame that is cut, or goes on, is none. */
static void test_other_lengths_are_refused(void)
{
    test_seed(1903);
    for (uint32_t i = 0; i < TEST_ROUNDS(16); i++) {
        draw_robot();
        write_robot();
        deliver_page(TC_WIRE_ROBOT);
        for (frame.length = 0; frame.length < filled + 4u; frame.length++) {
            if (frame.length == filled) {
                continue;
            }
            TEST_ASSERT_TRUE(tc_wire_get_robot(&frame, &robot_back) < TC_OK);
            TEST_ASSERT_EQUAL_MEMORY(&no_robot, &robot_back, sizeof robot_back);
        }
        draw_feet();
        write_feet();
        deliver_page(TC_WIRE_FEET);
        for (frame.length = 0; frame.length < filled + 4u; frame.length++) {
            if (frame.length == filled) {
                continue;
            }
            TEST_ASSERT_TRUE(tc_wire_get_feet(&frame, &feet_back) < TC_OK);
            TEST_ASSERT_EQUAL_MEMORY(&no_feet, &feet_back, sizeof feet_back);
        }
    }
}

/* Every value of the bytes that count; what the page does not allow is refused, both ways. */
static void test_counts_of_robots(void)
{
    for (uint32_t at = 4; at < 12u; at++) {
        for (uint32_t v = 0; v < 256u; v++) {
            memset(&robot, 0, sizeof robot);
            robot.limbs = 2;
            robot.joints[0] = robot.joints[1] = 1;
            write_robot();
            const uint32_t kept = page[at];
            page[at] = (uint8_t)v;
            deliver_page(TC_WIRE_ROBOT);
            const int joints = at == 8u || at == 9u;
            const int allowed = at == 4u               ? v == 2u
                                : at == 5u             ? v < 8u
                                : at == 6u || at == 7u ? v < 4u
                                : joints               ? v >= 1u && v <= 7u
                                                       : v == 0u;
            const int longer = allowed && v != kept && (at == 5u || at == 7u || joints);
            if (longer) {
                refuse_robot(TC_ERR_SIZE);
            } else if (!allowed) {
                refuse_robot(TC_ERR_RANGE);
            } else {
                TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_robot(&frame, &robot_back));
            }
        }
    }
}

static void test_counts_of_feet(void)
{
    for (uint32_t v = 0; v < 300u; v++) {
        memset(&feet, 0, sizeof feet);
        feet.limbs = 2;
        write_feet();
        page[12] = (uint8_t)v;
        page[13] = (uint8_t)(v >> 8);
        deliver_page(TC_WIRE_FEET);
        if (v == 2u) {
            TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_feet(&frame, &feet_back));
        } else {
            refuse_feet(v == 1u || v == 3u || v == 4u ? TC_ERR_SIZE : TC_ERR_RANGE);
        }
        write_feet();
        page[48] = (uint8_t)v; /* contact of the first foot */
        page[49] = (uint8_t)(v >> 8);
        deliver_page(TC_WIRE_FEET);
        if (v <= 1u) {
            TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_feet(&frame, &feet_back));
            TEST_ASSERT_EQUAL_UINT32(v, feet_back.foot[0].contact);
        } else {
            refuse_feet(TC_ERR_RANGE);
        }
    }
}

static void refuse_sent_robot(void)
{
    const uint32_t taken = encoder.sequence;
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_robot(&encoder, &robot));
    TEST_ASSERT_EQUAL_UINT32(taken, encoder.sequence);
}

/* The encoder sends nothing that the decoder refuses. */
static void test_what_is_not_sent(void)
{
    memset(&robot, 0, sizeof robot);
    refuse_sent_robot(); /* no limb */
    robot.limbs = 5;
    refuse_sent_robot();
    robot.limbs = UINT32_MAX;
    refuse_sent_robot();
    robot.limbs = 1;
    refuse_sent_robot(); /* no joint */
    robot.joints[0] = 8;
    refuse_sent_robot();
    robot.joints[0] = 1;
    robot.joints[1] = 1;
    refuse_sent_robot(); /* joints of no limb */
    robot.joints[1] = 0;
    robot.given = 8;
    refuse_sent_robot();
    robot.given = 256;
    refuse_sent_robot();
    robot.given = 0;
    robot.silent = 2;
    refuse_sent_robot();
    robot.silent = 0;
    robot.touched = 2;
    refuse_sent_robot();
    robot.touched = 1;
    robot.silent = 1;
    TEST_ASSERT_TRUE(tc_wire_put_robot(&encoder, &robot) > 0u);
    memset(&feet, 0, sizeof feet);
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_feet(&encoder, &feet));
    feet.limbs = 5;
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_feet(&encoder, &feet));
    feet.limbs = 1;
    feet.foot[0].contact = 2;
    TEST_ASSERT_EQUAL_UINT32(0, tc_wire_put_feet(&encoder, &feet));
    feet.foot[0].contact = 1;
    TEST_ASSERT_TRUE(tc_wire_put_feet(&encoder, &feet) > 0u);
}

/* Random payloads: a message that is read says the same when it is sent again. */
static void test_any_payload(void)
{
    test_seed(1904);
    for (uint32_t i = 0; i < TEST_ROUNDS(4000); i++) {
        draw_robot();
        write_robot();
        page[test_below(filled)] = (uint8_t)test_bits();
        deliver_page(TC_WIRE_ROBOT);
        if (tc_wire_get_robot(&frame, &robot_back) == TC_OK) {
            deliver_frame(tc_wire_put_robot(&encoder, &robot_back), TC_WIRE_ROBOT);
            TEST_ASSERT_EQUAL_MEMORY(page, frame.payload, filled);
        }
        draw_feet();
        write_feet();
        page[test_below(filled)] = (uint8_t)test_bits();
        deliver_page(TC_WIRE_FEET);
        if (tc_wire_get_feet(&frame, &feet_back) == TC_OK) {
            deliver_frame(tc_wire_put_feet(&encoder, &feet_back), TC_WIRE_FEET);
            TEST_ASSERT_EQUAL_MEMORY(page, frame.payload, filled);
        }
    }
}

void suite_wire_robot(void)
{
    memset(&encoder, 0, sizeof encoder);
    RUN_TEST(test_robot_is_the_pages);
    RUN_TEST(test_feet_is_the_pages);
    RUN_TEST(test_sizes_of_robots);
    RUN_TEST(test_other_lengths_are_refused);
    RUN_TEST(test_counts_of_robots);
    RUN_TEST(test_counts_of_feet);
    RUN_TEST(test_what_is_not_sent);
    RUN_TEST(test_any_payload);
}
