/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange on a line: the straight ways of tc_cdl_step have the bits, the impulses and the
 * failures of the general one, which is taken by a system whose signal says what is built in.
 */
#include "cdl_case.h"

#include <math.h>

static tc_status plain_gaps(const void *context, const tc_cdl *system, const tc_real *Q,
                            const tc_real *V, tc_real *gap, tc_real *normal, tc_real *scratch)
{
    (void)context, (void)V, (void)scratch;
    for (uint32_t c = 0; c < system->config.contacts; c++) {
        const tc_cdl_contact *const k = &system->config.contact[c];
        const tc_real q = k->normal[0] * Q[k->body];
        normal[c] = k->normal[0];
        gap[c] = (k->other == TC_CDL_WALL ? q : q - k->normal[0] * Q[k->other]) - k->distance;
    }
    return TC_OK;
}

/* Makes the system ready to go the straight way, or the general one. */
static void take(uint32_t general)
{
    const tc_cdl_signal law = {general ? plain_gaps : NULL, NULL, 0, 1, 1};
    cdl.config.signal = law;
    cdl_ready();
}

/* Three bodies between two walls, pairs projected. */
static uint32_t between_walls(uint32_t matrices, uint32_t general, uint32_t weight,
                              uint32_t *contacts)
{
    static const tc_real torque[3] = {TC_C(2.0), TC_C(1.0), TC_C(0.5)};
    cdl_begin(3, 1);
    for (uint32_t k = 0; k < 3u; k++) {
        cdl.mass[k] = cdl.matrix[k] = TC_C(1.0) + TC_C(0.3) * (tc_real)k;
        cdl.weight[k] = weight ? TC_C(-0.7) : TC_C(0.0);
        cdl.Q[k] = TC_C(0.3) - TC_C(0.3) * (tc_real)k;
        cdl.V[k] = TC_C(1.1) * (tc_real)k - TC_C(1.5);
    }
    cdl.config.mass = matrices ? NULL : cdl.mass;
    cdl.config.mass_matrix = matrices ? cdl.matrix : NULL;
    cdl.config.potential.force = NULL;
    if (!weight) {
        cdl.config.potential = tc_cdl_laws_pendulums(torque);
    }
    cdl.config.project = 1;
    cdl.config.rest_speed = TC_C(0.02);
    cdl.config.restitution = TC_C(0.98);
    cdl_contact(0, 1, 0, TC_C(1.0), TC_C(0.1));
    cdl_contact(1, 2, 0, TC_C(1.0), TC_C(0.1));
    cdl_contact(2, TC_CDL_WALL, 0, TC_C(1.0), TC_C(-0.5));
    cdl_contact(0, TC_CDL_WALL, 0, TC_C(-1.0), TC_C(-0.5));
    take(general);
    return cdl_roll(2000, contacts);
}

/* Catches: contacts of lines resolved otherwise than others, a projection that opens or closes what
 * comes later in the list. */
static void test_many(void)
{
    for (uint32_t i = 0; i < 4u; i++) {
        uint32_t contacts, others;
        const uint32_t hash = between_walls(i & 1u, 0, i >> 1, &contacts);
        TEST_ASSERT_TRUE(contacts > 50u);
        TEST_ASSERT_EQUAL_HEX32(hash, between_walls(i & 1u, 1, i >> 1, &others));
        TEST_ASSERT_EQUAL(contacts, others);
    }
}

/* ---- A single contact ------------------------------------------------------------------------ */

typedef struct outcome {
    tc_real Q[3], V[3], impulse;
    uint32_t acting, body;
    tc_status status;
} outcome;

/* One body to three, a wall or a pair, any forces; now and then a number that is none, or a
 * velocity that overflows. */
static void draw(const tc_real *torque, const tc_real *damping)
{
    const uint32_t K = 1u + test_below(3), pair = K > 1u && test_below(3) > 0u,
                   body = test_below(K), bad = test_below(12);
    cdl_begin(K, 1);
    for (uint32_t k = 0; k < K; k++) {
        cdl.mass[k] = cdl.matrix[k] = test_uniform(TC_C(0.1), TC_C(9.0));
        cdl.weight[k] = test_uniform(TC_C(-9.0), TC_C(9.0));
    }
    if (test_below(2) == 0u) {
        cdl.config.mass = NULL;
        cdl.config.mass_matrix = cdl.matrix;
    }
    cdl.config.damping = test_below(4) == 0u ? damping : NULL;
    if (test_below(3) == 0u) {
        cdl.config.potential = tc_cdl_laws_pendulums(torque);
    }
    cdl.config.restitution = test_uniform(TC_C(0.0), TC_C(1.0));
    cdl.config.rest_speed = test_below(3) == 0u ? TC_C(0.5) : TC_C(0.0);
    cdl.config.project = (int)test_below(2);
    cdl_contact(body, pair ? (body + 1u) % K : TC_CDL_WALL, 0,
                test_below(2) ? TC_C(1.0) : TC_C(-1.0), test_uniform(TC_C(-0.1), TC_C(0.1)));
    test_fill(cdl.Q, K, TC_C(-0.1), TC_C(0.1));
    test_fill(cdl.V, K, TC_C(-2.0), TC_C(2.0));
    cdl.Q[test_below(K)] *= bad == 0u ? (tc_real)NAN : TC_C(1.0);
    cdl.V[test_below(K)] *= bad == 1u ? (tc_real)INFINITY : TC_C(1.0);
    cdl.V[test_below(K)] *= bad == 2u ? TC_C(1e38) : TC_C(1.0);
    cdl.config.step = bad == 2u ? TC_C(100.0) : TC_C(0.01);
}

static outcome step_by(uint32_t general, const tc_real *force)
{
    outcome o;
    tc_real Q[3], V[3];
    memset(&o, 0, sizeof o);
    memcpy(Q, cdl.Q, sizeof Q);
    memcpy(V, cdl.V, sizeof V);
    take(general);
    o.status = tc_cdl_step(&cdl.cdl, force, cdl.Q, cdl.V, &cdl.info, cdl.work, TC_COUNT(cdl.work));
    o.acting = cdl.info.acting;
    o.body = cdl.info.body;
    o.impulse = o.acting > 0u ? cdl.info.impulse[0] : TC_C(0.0);
    memcpy(o.Q, cdl.Q, sizeof Q);
    memcpy(o.V, cdl.V, sizeof V);
    memcpy(cdl.Q, Q, sizeof Q);
    memcpy(cdl.V, V, sizeof V);
    return o;
}

/* Catches: a ball in registers that is put back wrongly after a failure, a contact measured before
 * bodies move, forces that one way forgets. */
static void test_single(void)
{
    static const tc_real torque[3] = {TC_C(2.0), TC_C(1.0), TC_C(0.5)},
                         damping[3] = {TC_C(0.2), TC_C(0.0), TC_C(3.0)};
    uint32_t struck = 0, failed = 0;
    test_seed(505);
    for (uint32_t i = 0; i < 3000u; i++) {
        tc_real user[3];
        draw(torque, damping);
        test_fill(user, 3, TC_C(-9.0), TC_C(9.0));
        user[0] = test_below(20) == 0u ? (tc_real)NAN : user[0];
        const tc_real *const force = test_below(3) == 0u ? user : NULL;
        const outcome straight = step_by(0, force), general = step_by(1, force);
        TEST_ASSERT_EQUAL_MEMORY(&general, &straight, sizeof general);
        struck += straight.acting;
        failed += straight.status < TC_OK;
    }
    TEST_ASSERT_TRUE(struck > 500u && failed > 300u);
}

void suite_cdl_line(void)
{
    RUN_TEST(test_many);
    RUN_TEST(test_single);
}
