/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The floor of the foot's firmware (boards/apps/foot/floor.c), frame by frame: what it answers is
 * what tc_identify says, to the bit; an impact counts once however often it comes; a saved state
 * goes on where it was, and a damaged one is refused with nothing changed.
 *
 * Impacts are of a ball-like body whose contact lies below its centre along the normal. Then the
 * normal impulse is (1 + e) m |u_n|, and the tangential one, where the contact slips through both
 * phases, mu times that: exact, in two lines.
 */
#include "test.h"

#include "apps/foot/floor.c"

#include <math.h>

#define MASS 0.8f
#define INERTIA 0.004f
#define RADIUS 0.1f

static foot_floor floor_under;
static tc_wire_encoder desk, board;
static tc_wire_decoder ears, line;
static tc_real work[FOOT_FLOOR_WORK];
static foot_floor_answer answered;
static tc_wire_identified said;
static uint8_t saved[TC_WIRE_PAYLOAD_MAX];
static uint32_t saved_n;

/* Delivers what is in desk.frame and reads the answer, of `type` unless it is a refusal. */
static void send(uint32_t length, uint32_t type)
{
    tc_wire_frame frame;
    tc_wire_result result;
    TEST_ASSERT_TRUE(length > 0u);
    (void)tc_wire_decode(&ears, desk.frame, length, &frame, &result);
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, result);
    answered = foot_floor_act(&floor_under, &frame, &board, work, TC_COUNT(work));
    if (answered.length == 0u) {
        return;
    }
    (void)tc_wire_decode(&line, board.frame, answered.length, &frame, &result);
    TEST_ASSERT_EQUAL(TC_WIRE_FRAME, result);
    TEST_ASSERT_EQUAL_HEX32(type, frame.type);
    if (type == TC_WIRE_IDENTIFIED) {
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_identified(&frame, &said));
    } else {
        tc_wire_saved got;
        TEST_ASSERT_EQUAL(TC_OK, tc_wire_get_saved(&frame, &got));
        memcpy(saved, got.bytes, got.n);
        saved_n = got.n;
    }
}

static void check_refused(tc_wire_reason reason, tc_status status)
{
    TEST_ASSERT_EQUAL_UINT32(0, answered.length);
    TEST_ASSERT_EQUAL(reason, answered.reason);
    TEST_ASSERT_EQUAL(status, answered.status);
}

static tc_wire_prior default_prior(void)
{
    const tc_identify_config config = tc_identify_default();
    tc_wire_prior m = {.mass = MASS,
                       .inertia = {INERTIA, INERTIA, INERTIA},
                       .ratios = 1,
                       .law = TC_IMPACT_COULOMB,
                       .gate = (float)config.gate,
                       .patience = config.patience};
    for (uint32_t i = 0; i < 3u; ++i) {
        m.start[i] = (float)config.start[i];
        m.sd[i] = (float)config.sd[i];
        m.drift[i] = (float)config.drift[i];
        m.reopen[i] = (float)config.reopen[i];
    }
    return m;
}

static void send_prior(void)
{
    const tc_wire_prior m = default_prior();
    send(tc_wire_put_prior(&desk, &m), TC_WIRE_IDENTIFIED);
    TEST_ASSERT_TRUE(answered.length > 0u);
}

static void begin(void)
{
    memset(&floor_under, 0, sizeof floor_under);
    memset(&desk, 0, sizeof desk);
    memset(&board, 0, sizeof board);
    tc_wire_decoder_init(&ears);
    tc_wire_decoder_init(&line);
    test_seed(171);
}

/* ---- Impacts ------------------------------------------------------------------------------------ */

static double of(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add_cross(double scale, const double a[3], const double b[3], double to[3])
{
    for (uint32_t i = 0; i < 3u; ++i) {
        const uint32_t j = (i + 1u) % 3u, k = (i + 2u) % 3u;
        to[i] += scale * (a[j] * b[k] - a[k] * b[j]);
    }
}

/* An impact that slips through both phases, of a body whose inertia is `ratio` times INERTIA. */
static tc_wire_impact slipping(uint32_t number, double mu, double e, double ratio)
{
    tc_wire_impact m = {.number = number, .linear_sd = 0.01f, .angular_sd = 0.05f};
    double n[3], v[3], w[3] = {0, 0, 0}, arm[3], u[3], f[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        n[i] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
    }
    const double length = sqrt(of(n, n) + 1e-9), fast = 4.0;
    for (uint32_t i = 0; i < 3u; ++i) {
        n[i] /= length;
        arm[i] = -(double)RADIUS * n[i];
    }
    const double aside[3] = {n[1], n[2], n[0]};
    add_cross(fast, n, aside, w); /* any tangent, of some length */
    const double down = 1.0 + (double)test_uniform(TC_C(0.0), TC_C(1.0));
    const double size = sqrt(of(w, w) + 1e-9);
    for (uint32_t i = 0; i < 3u; ++i) {
        v[i] = fast * w[i] / size - down * n[i];
        w[i] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
    }
    memcpy(u, v, sizeof u);
    add_cross(1.0, w, arm, u);
    const double normal = -(1.0 + e) * (double)MASS * of(u, n);
    double t[3], rate = 0.0;
    for (uint32_t i = 0; i < 3u; ++i) {
        t[i] = u[i] - of(u, n) * n[i];
        rate += t[i] * t[i];
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        f[i] = normal * (n[i] - mu * t[i] / sqrt(rate));
        m.normal[i] = (float)n[i];
        m.arm[i] = (float)arm[i];
        m.before[i] = (float)v[i];
        m.before[3u + i] = (float)w[i];
        m.after[i] = (float)(v[i] + f[i] / (double)MASS);
    }
    add_cross(1.0 / (ratio * (double)INERTIA), arm, f, w);
    for (uint32_t i = 0; i < 3u; ++i) {
        m.after[3u + i] = (float)w[i];
    }
    return m;
}

static void send_impact(const tc_wire_impact *m)
{
    send(tc_wire_put_impact(&desk, m), TC_WIRE_IDENTIFIED);
}

static void send_good(uint32_t number)
{
    const tc_wire_impact m = slipping(number, 0.3, 0.5, 1.2);
    send_impact(&m);
    TEST_ASSERT_TRUE(answered.length > 0u);
    TEST_ASSERT_EQUAL(TC_OK, said.status);
    TEST_ASSERT_EQUAL_UINT32(number, said.number);
}

/* A board with a prior and impacts 1..n. */
static void begin_identified(uint32_t n)
{
    begin();
    send_prior();
    for (uint32_t k = 1; k <= n; ++k) {
        send_good(k);
    }
}

/* ---- Tests -------------------------------------------------------------------------------------- */

static void test_nothing_without_a_prior(void)
{
    const tc_wire_restore restore = {sizeof saved, saved};
    const tc_wire_impact m = slipping(1, 0.3, 0.5, 1.2);
    begin();
    send_impact(&m);
    check_refused(TC_WIRE_NAK_STATE, TC_OK);
    send(tc_wire_encode(&desk, TC_WIRE_SAVE, 0), TC_WIRE_SAVED);
    check_refused(TC_WIRE_NAK_STATE, TC_OK);
    send(tc_wire_put_restore(&desk, &restore), TC_WIRE_IDENTIFIED);
    check_refused(TC_WIRE_NAK_STATE, TC_OK);
    foot_floor_reset(&floor_under);
    TEST_ASSERT_EQUAL_UINT32(0, floor_under.identify.version);
}

/* The values of the true floor lie in the intervals; 0 is said of what is not asked for. */
static void test_floor_is_identified(void)
{
    static const float truth[3] = {0.3f, 0.5f, 1.2f};
    begin();
    send_prior();
    TEST_ASSERT_TRUE(said.number == 0u && said.impacts == 0u && said.status == TC_OK);
    TEST_ASSERT_TRUE(said.value[0] > 0.7f && said.high[1] > 0.5f);
    begin_identified(20);
    TEST_ASSERT_EQUAL_UINT32(20, said.impacts);
    TEST_ASSERT_EQUAL_UINT32(0, said.missed);
    TEST_ASSERT_TRUE(said.outliers <= 1u); /* the first one, so far from the prior */
    TEST_ASSERT_EQUAL_UINT32(TC_IDENTIFY_ACCEPTED, said.outcome);
    for (uint32_t i = 0; i < 3u; ++i) { /* 20 impacts of 1 cm/s in 1 m/s: below 1 % */
        TEST_ASSERT_FLOAT_WITHIN(0.01f * truth[i], truth[i], said.value[i]);
        TEST_ASSERT_TRUE(said.low[i] <= truth[i] && truth[i] <= said.high[i]);
        TEST_ASSERT_TRUE(said.sd[i] > 0.0f);
    }
    for (uint32_t i = 3; i < TC_WIRE_UNKNOWNS; ++i) {
        TEST_ASSERT_TRUE(said.value[i] == 0.0f && said.sd[i] == 0.0f && said.low[i] == 0.0f
                         && said.high[i] == 0.0f);
    }
}

/* What is heard is what the library says of the same impacts, whatever the prior. */
static void test_answers_are_the_librarys(void)
{
    static const uint32_t ratios[3] = {0, 1, 3};
    for (uint32_t c = 0; c < 3u; ++c) {
        tc_wire_prior prior = default_prior();
        tc_identify direct;
        tc_identify_config config = tc_identify_default();
        const tc_body3 body = {(tc_real)MASS,
                               {(tc_real)INERTIA, (tc_real)INERTIA, (tc_real)0.005f}};
        config.ratios = prior.ratios = ratios[c];
        config.law = TC_IMPACT_CONVEX;
        prior.law = TC_IMPACT_CONVEX;
        prior.inertia[2] = 0.005f;
        for (uint32_t i = 0; i < 2u + ratios[c]; ++i) {
            prior.start[i] = 0.25f + 0.25f * (float)i;
            prior.sd[i] = 0.125f + 0.125f * (float)i;
            prior.drift[i] = 0.015625f * (float)i;
            prior.reopen[i] = 0.375f - 0.0625f * (float)i;
            config.start[i] = (tc_real)prior.start[i];
            config.sd[i] = (tc_real)prior.sd[i];
            config.drift[i] = (tc_real)prior.drift[i];
            config.reopen[i] = (tc_real)prior.reopen[i];
        }
        prior.gate = 2.5f;
        config.gate = TC_C(2.5);
        config.patience = prior.patience = 2;
        begin();
        send(tc_wire_put_prior(&desk, &prior), TC_WIRE_IDENTIFIED);
        TEST_ASSERT_EQUAL(TC_OK, tc_identify_init(&direct, &config));
        for (uint32_t k = 1; k <= 12u; ++k) {
            const tc_wire_impact m = slipping(k, k % 4u == 0u ? 0.9 : 0.3, 0.5, 1.2);
            tc_identify_estimate expected[TC_IDENTIFY_MAX];
            tc_identify_touch3 touch;
            tc_identify_info info;
            tc_real arm[3];
            send_impact(&m);
            take_impact(&m, arm, &touch);
            TEST_ASSERT_EQUAL(said.status,
                              tc_identify_update_body3(&direct, &body, &touch, expected, &info,
                                                       work, TC_COUNT(work)));
            TEST_ASSERT_EQUAL_UINT32(info.outcome, said.outcome);
            TEST_ASSERT_TRUE(said.impacts == direct.impacts && said.outliers == direct.outliers
                             && said.sticks == direct.sticks && said.reopened == direct.reopened
                             && said.bound == (float)direct.bound);
            for (uint32_t i = 0; i < 2u + ratios[c]; ++i) {
                TEST_ASSERT_TRUE(said.value[i] == (float)expected[i].value
                                 && said.sd[i] == (float)expected[i].sd
                                 && said.low[i] == (float)expected[i].low
                                 && said.high[i] == (float)expected[i].high);
            }
        }
    }
}

/* Lost, repeated, late: each impact counts once. */
static void test_impacts_count_once(void)
{
    begin_identified(5);
    const tc_wire_identified last = said;
    const tc_identify before = floor_under.identify;
    tc_wire_impact m = slipping(5, 0.9, 0.1, 2.0);
    send_impact(&m);
    TEST_ASSERT_EQUAL_MEMORY(&last, &said, sizeof last);
    m.number = 4;
    send_impact(&m);
    check_refused(TC_WIRE_NAK_OLD, TC_OK);
    memset(desk.body, 0, sizeof desk.body); /* number 0 */
    send(tc_wire_encode(&desk, TC_WIRE_IMPACT, 84), TC_WIRE_IDENTIFIED);
    check_refused(TC_WIRE_NAK_CONTENT, TC_ERR_RANGE);
    m.number = 5u + 0x80000000u;
    send_impact(&m);
    check_refused(TC_WIRE_NAK_OLD, TC_OK);
    TEST_ASSERT_EQUAL_MEMORY(&before, &floor_under.identify, sizeof before);
    send_good(9);
    TEST_ASSERT_EQUAL_UINT32(3, said.missed);
    send_good(10);
    TEST_ASSERT_EQUAL_UINT32(3, said.missed);
    TEST_ASSERT_EQUAL_UINT32(7, said.impacts);
    begin_identified(0);
    send_good(4000000000u); /* joined in the middle: nothing is missed */
    TEST_ASSERT_EQUAL_UINT32(0, said.missed);
}

/* NaN, infinity or nonsense in any number: told, nothing changed, and the next impact goes on. */
static void test_bad_impacts(void)
{
    /* NaN, inf, 3e38 */
    static const uint32_t wrong[3] = {0x7FC00000u, 0x7F800000u, 0x7F61B1E6u};
    for (uint32_t k = 0; k < 3u * 20u; ++k) {
        begin_identified(4);
        const tc_identify before = floor_under.identify;
        const tc_wire_identified last = said;
        tc_wire_impact m = slipping(5, 0.3, 0.5, 1.2);
        memcpy((uint8_t *)&m + 4u + k % 20u * 4u, &wrong[k / 20u], 4);
        send_impact(&m);
        TEST_ASSERT_TRUE(answered.length > 0u);
        TEST_ASSERT_EQUAL_UINT32(5, said.number);
        if (k < 40u) {
            TEST_ASSERT_TRUE(said.status < TC_OK);
        }
        if (said.status < TC_OK) {
            TEST_ASSERT_EQUAL_MEMORY(&before, &floor_under.identify, sizeof before);
            TEST_ASSERT_EQUAL_MEMORY(last.value, said.value,
                                     sizeof last - offsetof(tc_wire_identified, value));
            TEST_ASSERT_EQUAL_UINT32(TC_IDENTIFY_NONE, said.outcome);
        }
        send_good(6);
        TEST_ASSERT_EQUAL_UINT32(0, said.missed);
    }
    tc_wire_impact m = slipping(7, 0.3, 0.5, 1.2);
    m.linear_sd = 0.0f;
    send_impact(&m);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, said.status);
    m = slipping(8, 0.3, 0.5, 1.2);
    m.normal[0] += 0.5f;
    send_impact(&m);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, said.status);
    send(tc_wire_encode(&desk, TC_WIRE_IMPACT, 83), TC_WIRE_IDENTIFIED);
    check_refused(TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
}

/* What is no prior leaves the one in use, and what was identified. */
static void test_bad_priors(void)
{
    begin_identified(4);
    const foot_floor before = floor_under;
    for (uint32_t k = 0; k < 6u; ++k) {
        tc_wire_prior m = default_prior();
        m.mass = k == 0u ? 0.0f : m.mass;
        m.inertia[2] = k == 1u ? -1.0f : m.inertia[2];
        m.start[0] = k == 2u ? -0.1f : m.start[0];
        m.sd[1] = k == 3u ? (float)NAN : m.sd[1];
        m.gate = k == 4u ? 0.0f : m.gate;
        m.patience = k == 5u ? 0u : m.patience;
        send(tc_wire_put_prior(&desk, &m), TC_WIRE_IDENTIFIED);
        check_refused(TC_WIRE_NAK_CONTENT, k < 2u ? TC_ERR_BODY : TC_ERR_RANGE);
        TEST_ASSERT_EQUAL_MEMORY(&before, &floor_under, sizeof before);
    }
    send_prior();
    TEST_ASSERT_TRUE(said.number == 0u && said.impacts == 0u && said.value[0] > 0.7f);
}

static void test_sessions_begin_at_the_prior(void)
{
    begin_identified(0);
    const tc_wire_identified first = said;
    begin_identified(6);
    foot_floor_reset(&floor_under);
    TEST_ASSERT_EQUAL_MEMORY(&first, &floor_under.said, sizeof first);
    send_good(1);
    TEST_ASSERT_EQUAL_UINT32(1, said.impacts);
}

/* Any bits for any number of an impact that is good otherwise, or of a prior: what is told stays
 * numbers within their ranges, and what is kept can be saved. */
static void test_hostile_numbers(void)
{
    begin_identified(3);
    for (uint32_t k = 0; k < TEST_ROUNDS(4000); ++k) {
        tc_wire_impact m = slipping(said.number + 1u, 0.3, 0.5, 1.2);
        tc_wire_prior prior = default_prior();
        const uint32_t bits = test_bits(), at = test_below(20), of_prior = test_below(24);
        const uint32_t high = test_below(2) * 0x3F000000u; /* half of them near 1 */
        const uint32_t number = high > 0u ? high | (bits & 0x80FFFFFFu) : bits;
        memcpy((uint8_t *)&m + 4u + 4u * at, &number, 4);
        send_impact(&m);
        TEST_ASSERT_TRUE(answered.length > 0u);
        if (k % 8u == 0u) {
            memcpy(of_prior < 4u ? (uint8_t *)&prior + 4u * of_prior
                                 : (uint8_t *)prior.start + 4u * (of_prior - 4u),
                   &number, 4);
            send(tc_wire_put_prior(&desk, &prior), TC_WIRE_IDENTIFIED);
        }
        if (answered.length > 0u) {
            for (uint32_t i = 0; i < 3u; ++i) {
                TEST_ASSERT_TRUE(said.value[i] >= 0.0f && said.value[i] < (float)INFINITY);
                TEST_ASSERT_TRUE(said.low[i] <= said.high[i] && said.low[i] >= 0.0f);
                TEST_ASSERT_TRUE(said.sd[i] >= 0.0f && said.sd[i] < (float)INFINITY);
            }
            TEST_ASSERT_TRUE(said.high[1] <= 1.0f && said.bound >= 0.0f);
        }
        tc_identify kept;
        TEST_ASSERT_EQUAL(TC_OK, tc_identify_save(&floor_under.identify, &kept));
        TEST_ASSERT_EQUAL(TC_OK, tc_identify_check(&kept));
        if (k % 50u == 49u) {
            send_prior();
        }
    }
}

/* ---- Across a reboot ---------------------------------------------------------------------------- */

static int save(void)
{
    send(tc_wire_encode(&desk, TC_WIRE_SAVE, 0), TC_WIRE_SAVED);
    if (sizeof(tc_identify) > TC_WIRE_PAYLOAD_MAX) { /* in double it does not fit a frame */
        check_refused(TC_WIRE_NAK_FAILED, TC_ERR_SIZE);
        return 0;
    }
    TEST_ASSERT_TRUE(answered.length > 0u);
    TEST_ASSERT_EQUAL_UINT32(sizeof(tc_identify), saved_n);
    return 1;
}

static void send_restore(uint32_t n)
{
    const tc_wire_restore m = {n, saved};
    send(tc_wire_put_restore(&desk, &m), TC_WIRE_IDENTIFIED);
}

/* After a reboot the impacts that follow are answered as without it. */
static void test_goes_on_after_a_reboot(void)
{
    tc_wire_identified without, at;
    begin_identified(8);
    if (!save()) {
        return;
    }
    at = said;
    send_good(9);
    without = said;
    begin();
    send_prior();
    send_restore(saved_n);
    TEST_ASSERT_TRUE(answered.length > 0u);
    TEST_ASSERT_EQUAL_UINT32(0, said.number);
    TEST_ASSERT_EQUAL_UINT32(8, said.impacts);
    TEST_ASSERT_EQUAL_MEMORY(at.value, said.value, sizeof at - offsetof(tc_wire_identified, value));
    for (uint32_t k = 1; k <= 8u; ++k) { /* the same draws again */
        (void)slipping(k, 0.3, 0.5, 1.2);
    }
    send_good(9);
    TEST_ASSERT_EQUAL_MEMORY(&without, &said, sizeof without);
}

/* Every bit of a saved state, and every length. */
static void test_damaged_states(void)
{
    begin_identified(8);
    if (!save()) {
        return;
    }
    begin();
    send_prior();
    const foot_floor before = floor_under;
    for (uint32_t bit = 0; bit < 8u * saved_n; ++bit) {
        saved[bit / 8u] ^= (uint8_t)(1u << bit % 8u);
        send_restore(saved_n);
        check_refused(TC_WIRE_NAK_CONTENT, bit < 32u ? TC_ERR_MODEL_VERSION : TC_ERR_MODEL_CRC);
        TEST_ASSERT_EQUAL_MEMORY(&before, &floor_under, sizeof before);
        saved[bit / 8u] ^= (uint8_t)(1u << bit % 8u);
    }
    for (uint32_t n = 1; n <= TC_WIRE_PAYLOAD_MAX; ++n) {
        send_restore(n);
        if (n != saved_n) {
            check_refused(TC_WIRE_NAK_CONTENT, TC_ERR_SIZE);
        }
    }
    TEST_ASSERT_EQUAL_UINT32(8, floor_under.identify.impacts);
}

/* A state of other unknowns than PRIOR has announced. */
static void test_state_of_another_prior(void)
{
    tc_wire_prior m = default_prior();
    begin_identified(3);
    if (!save()) {
        return;
    }
    m.ratios = 0;
    begin();
    send(tc_wire_put_prior(&desk, &m), TC_WIRE_IDENTIFIED);
    send_restore(saved_n);
    check_refused(TC_WIRE_NAK_CONTENT, TC_ERR_UNSUPPORTED);
    TEST_ASSERT_EQUAL_UINT32(0, floor_under.identify.impacts);
}

void suite_floor_firmware(void)
{
    RUN_TEST(test_nothing_without_a_prior);
    RUN_TEST(test_floor_is_identified);
    RUN_TEST(test_answers_are_the_librarys);
    RUN_TEST(test_impacts_count_once);
    RUN_TEST(test_bad_impacts);
    RUN_TEST(test_bad_priors);
    RUN_TEST(test_sessions_begin_at_the_prior);
    RUN_TEST(test_hostile_numbers);
    RUN_TEST(test_goes_on_after_a_reboot);
    RUN_TEST(test_damaged_states);
    RUN_TEST(test_state_of_another_prior);
}
