/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: laws of conservation in random systems, several contacts at once, and long roll-outs
 * to the bit.
 */
#include "cdl_case.h"

#include <math.h>

/* ---- Random impacts -------------------------------------------------------------------------- */

static void unit_normal(tc_real *n, uint32_t d)
{
    tc_real square = TC_C(0.0);
    while (square < TC_C(0.1)) {
        test_fill(n, d, TC_C(-1.0), TC_C(1.0));
        square = TC_C(0.0);
        for (uint32_t a = 0; a < d; a++) {
            square += n[a] * n[a];
        }
    }
    for (uint32_t a = 0; a < d; a++) {
        n[a] /= tc_sqrt(square);
    }
}

/* B B^T + 1 */
static void random_masses(uint32_t K, uint32_t d)
{
    for (uint32_t k = 0; k < K; k++) {
        tc_real B[9];
        test_fill(B, 9, TC_C(-1.0), TC_C(1.0));
        cdl.mass[k] = test_uniform(TC_C(0.1), TC_C(10.0));
        for (uint32_t i = 0; i < d * d; i++) {
            cdl.matrix[k * d * d + i] = i / d == i % d ? TC_C(1.0) : TC_C(0.0);
            for (uint32_t j = 0; j < d; j++) {
                cdl.matrix[k * d * d + i] += B[(i / d) * 3u + j] * B[(i % d) * 3u + j];
            }
        }
    }
}

/* K bodies, all velocities random, all gaps closed, whatever the positions: normals at random. */
static void random_system(uint32_t K, uint32_t d, uint32_t contacts, int matrices,
                          tc_real restitution)
{
    cdl_begin(K, d);
    random_masses(K, d);
    cdl.config.restitution = restitution;
    cdl.config.mass = matrices ? NULL : cdl.mass;
    cdl.config.mass_matrix = matrices ? cdl.matrix : NULL;
    cdl.config.overlap = TC_C(1e6);
    for (uint32_t c = 0; c < contacts; c++) {
        const uint32_t body = test_below(K),
                       other = K == 1u ? 0u : (body + 1u + test_below(K - 1u)) % K;
        cdl_contact(body, test_below(4) == 0u || K == 1u ? TC_CDL_WALL : other, 0, TC_C(0.0),
                    TC_C(1e3));
        unit_normal(cdl.contact[c].normal, d);
    }
    test_fill(cdl.V, K * d, TC_C(-2.0), TC_C(2.0));
    cdl_ready();
}

static void momentum(tc_real *p)
{
    const uint32_t d = cdl.config.dimension;
    memset(p, 0, d * sizeof *p);
    for (uint32_t k = 0; k < cdl.config.bodies; k++) {
        for (uint32_t a = 0; a < d; a++) {
            for (uint32_t b = 0; b < d; b++) {
                const tc_real m = cdl.config.mass != NULL ? (a == b ? cdl.mass[k] : TC_C(0.0))
                                                          : cdl.matrix[(k * d + a) * d + b];
                p[a] += m * cdl.V[k * d + b];
            }
        }
    }
}

static tc_real kinetic_energy(void)
{
    tc_real energy = 0;
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_cdl_energy(&cdl.cdl, cdl.Q, cdl.V, &energy, cdl.work, TC_COUNT(cdl.work)));
    return energy;
}

/* A pair: momentum is kept, the normal velocity is -e times what it was, and energy falls by (1 -
 * e^2) H u^2 / 2. Catches: unequal shares, H of one body, normals confused. */
static void test_pair(void)
{
    test_seed(101);
    for (uint32_t i = 0; i < 600u; i++) {
        const uint32_t d = 1u + i % 3u;
        const tc_real e = i % 5u == 0u ? TC_C(1.0) : test_uniform(TC_C(0.0), TC_C(1.0));
        tc_real before[3], after[3];
        random_system(2, d, 1, i % 2u == 1u, e);
        cdl.contact[0].other = (uint16_t)(1u - cdl.contact[0].body);
        cdl_ready();
        const tc_real u = cdl_approach(0, cdl.V), energy = kinetic_energy();
        momentum(before);
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        momentum(after);
        TEST_ASSERT_EQUAL(u < TC_C(0.0), cdl.info.acting);
        test_near(u < TC_C(0.0) ? -e * u : u, cdl_approach(0, cdl.V), TC_C(4e-6), 0, "restitution");
        for (uint32_t a = 0; a < d; a++) {
            test_near(before[a], after[a], TC_C(2e-5), 0, "momentum");
        }
        const tc_real lost =
            u < TC_C(0.0) ? cdl.info.impulse[0] * -u * (TC_C(1.0) - e) * TC_C(0.5) : TC_C(0.0);
        test_near(energy - lost, kinetic_energy(), TC_C(1e-5), TC_C(2e-6), "energy");
    }
}

/* Many contacts, in sequence and at once: never more energy. At once, no contact approaches faster
 * than allowed. */
static void test_energy_never_grows(void)
{
    test_seed(202);
    for (uint32_t i = 0; i < 400u; i++) {
        const uint32_t K = 1u + test_below(CDL_K);
        const tc_real e = i % 4u == 0u ? TC_C(1.0) : test_uniform(TC_C(0.0), TC_C(1.0));
        random_system(K, 1u + i % 3u, 1u + test_below(CDL_C), i % 2u == 1u, e);
        cdl.config.resolver = i % 8u < 4u ? NULL : &tc_cdl_simultaneous;
        cdl.config.rest_speed = i % 3u == 0u ? TC_C(0.5) : TC_C(0.0);
        cdl_ready();
        tc_real V[CDL_N];
        memcpy(V, cdl.V, sizeof V);
        const tc_real energy = kinetic_energy();
        const tc_status status = cdl_step();
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_LIMIT || status == TC_NOTE_FALLBACK);
        /* At once: what tc_lcp certifies. */
        const tc_real rounding = cdl.config.resolver == NULL ? TC_C(3e-6) : TC_C(5e-6);
        TEST_ASSERT_TRUE(kinetic_energy() <= energy * (TC_C(1.0) + rounding));
        for (uint32_t c = 0;
             c < cdl.config.contacts && cdl.config.resolver != NULL && status == TC_OK; c++) {
            const tc_real u = cdl_approach(c, V);
            const tc_real least = u < -cdl.config.rest_speed || u > TC_C(0.0) ? -e * u : TC_C(0.0);
            TEST_ASSERT_TRUE(cdl_approach(c, cdl.V) >= least - TC_C(1e-3));
            TEST_ASSERT_TRUE(cdl.info.impulse[c] >= TC_C(0.0));
        }
    }
}

/* Another numbering of the bodies gives the same numbers, to the bit, if the list of contacts keeps
 * its order. */
static void test_permutation(void)
{
    static const uint8_t order[5] = {3, 0, 4, 1, 2};
    test_seed(303);
    for (uint32_t i = 0; i < 100u; i++) {
        static cdl_case first;
        random_system(5, 2, 8, i % 2u == 1u, TC_C(0.8));
        first = cdl;
        const tc_status status = cdl_step();
        TEST_ASSERT_TRUE(status >= TC_OK);
        const cdl_case *const done = &cdl;
        static tc_real Q[10], V[10];
        memcpy(Q, done->Q, sizeof Q);
        memcpy(V, done->V, sizeof V);
        for (uint32_t k = 0; k < 5u; k++) {
            cdl.mass[order[k]] = first.mass[k];
            memcpy(cdl.matrix + 4u * order[k], first.matrix + 4u * k, 4 * sizeof(tc_real));
            memcpy(cdl.Q + 2u * order[k], first.Q + 2u * k, 2 * sizeof(tc_real));
            memcpy(cdl.V + 2u * order[k], first.V + 2u * k, 2 * sizeof(tc_real));
        }
        for (uint32_t c = 0; c < 8u; c++) {
            cdl.contact[c].body = order[first.contact[c].body];
            cdl.contact[c].other =
                first.contact[c].other == TC_CDL_WALL ? TC_CDL_WALL : order[first.contact[c].other];
        }
        cdl_ready();
        TEST_ASSERT_EQUAL(status, cdl_step());
        for (uint32_t k = 0; k < 5u; k++) {
            TEST_ASSERT_EQUAL_MEMORY(Q + 2u * k, cdl.Q + 2u * order[k], 2 * sizeof(tc_real));
            TEST_ASSERT_EQUAL_MEMORY(V + 2u * k, cdl.V + 2u * order[k], 2 * sizeof(tc_real));
        }
    }
}

/* ---- Several contacts at once ---------------------------------------------------------------- */

/* Three balls in a row, touching, struck by the first. `reversed`: the list runs against the
 * blow. */
static void three(int reversed, const tc_cdl_resolver *resolver)
{
    cdl_begin(3, 1);
    for (uint32_t k = 0; k < 3u; k++) {
        cdl.Q[k] = TC_C(-0.125) * (tc_real)k;
    }
    cdl.Q[0] += TC_C(0.0078125);
    cdl_contact(reversed ? 1 : 0, reversed ? 2 : 1, 0, TC_C(1.0), TC_C(0.125));
    cdl_contact(reversed ? 0 : 1, reversed ? 1 : 2, 0, TC_C(1.0), TC_C(0.125));
    cdl.V[0] = TC_C(-1.0);
    cdl.config.resolver = resolver;
    cdl_ready();
    TEST_ASSERT_EQUAL(TC_OK, cdl_step());
}

static void velocities_are(tc_real a, tc_real b, tc_real c)
{
    test_near(a, cdl.V[0], TC_C(1e-6), 0, "first");
    test_near(b, cdl.V[1], TC_C(1e-6), 0, "second");
    test_near(c, cdl.V[2], TC_C(1e-6), 0, "third");
}

/* The order of the list is the order of the blows; at once they share. Catches: velocities of
 * before the sequence used in it, coupling of the wrong sign. */
static void test_row(void)
{
    three(0, NULL);
    velocities_are(TC_C(0.0), TC_C(0.0), TC_C(-1.0));
    three(1, NULL);
    velocities_are(TC_C(0.0), TC_C(-1.0), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, cdl_step()); /* the third in the next step */
    velocities_are(TC_C(0.0), TC_C(0.0), TC_C(-1.0));
    for (int reversed = 0; reversed < 2; reversed++) {
        three(reversed, &tc_cdl_simultaneous);
        velocities_are(TC_C(1.0) / 3, TC_C(-2.0) / 3, TC_C(-2.0) / 3);
    }
}

/* A ball in the corner of two walls at 60 degrees: in sequence the second blow drives it into the
 * first wall again, at once it leaves both. */
static void test_corner(void)
{
    for (uint32_t i = 0; i < 2u; i++) {
        cdl_begin(1, 2);
        cdl_contact(0, TC_CDL_WALL, 1, TC_C(1.0), TC_C(0.0));
        cdl_contact(0, TC_CDL_WALL, 0, TC_C(0.8660254), TC_C(0.0));
        cdl.contact[1].normal[1] = TC_C(-0.5);
        cdl.config.restitution = TC_C(0.0);
        cdl.config.resolver = i == 0u ? NULL : &tc_cdl_simultaneous;
        cdl.V[0] = TC_C(-1.0);
        cdl.V[1] = TC_C(-0.2);
        cdl_ready();
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        const tc_real into = cdl.V[1] < TC_C(0.0) ? -cdl.V[1] : TC_C(0.0);
        TEST_ASSERT_TRUE(i == 0u ? into > TC_C(0.4) : into < TC_C(1e-6));
        TEST_ASSERT_TRUE(cdl_approach(1, cdl.V) > TC_C(-1e-6));
    }
}

/* Four balls on top of each other: at once and with rest_speed, they stand. */
static void test_stack(void)
{
    tc_real start[4];
    cdl_begin(4, 1);
    cdl_contact(0, TC_CDL_WALL, 0, TC_C(1.0), TC_C(0.5));
    for (uint32_t k = 0; k < 4u; k++) {
        cdl.mass[k] = TC_C(1.0) + (tc_real)k;
        cdl.weight[k] = TC_C(-9.81) * cdl.mass[k];
        cdl.Q[k] = TC_C(0.5) + (tc_real)k;
        if (k > 0u) {
            cdl_contact(k, k - 1u, 0, TC_C(1.0), TC_C(1.0));
        }
    }
    cdl.config.rest_speed = TC_C(0.2);
    cdl.config.resolver = &tc_cdl_simultaneous;
    cdl_ready();
    memcpy(start, cdl.Q, sizeof start);
    for (uint32_t i = 0; i < 500u; i++) {
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        TEST_ASSERT_EQUAL(4, cdl.info.acting);
    }
    for (uint32_t k = 0; k < 4u; k++) {
        test_near(start[k], cdl.Q[k], TC_C(2e-6), 0, "stands");
    }
    test_near(TC_C(0.981), cdl.info.impulse[0], TC_C(1e-5), 0, "the floor carries all");
}

/* More contacts in one heap than the library's problem takes: in sequence, with a note. Separate
 * pairs are not a heap. */
static void test_heap_too_large(void)
{
    static const uint8_t together = CDL_C;
    random_system(8, 3, together, 0, TC_C(1.0));
    cdl.config.resolver = &tc_cdl_simultaneous;
    cdl_ready();
    TEST_ASSERT_TRUE(cdl_step() >= TC_OK);

    static tc_cdl_contact contact[TC_LCP_MAX + 1u];
    static tc_real room[TC_CDL_STATE(1, 2, TC_LCP_MAX + 1)];
    static tc_real work[TC_CDL_SIMULTANEOUS_WORK(1, 2, TC_LCP_MAX + 1, 0)];
    cdl_begin(1, 2);
    for (uint32_t c = 0; c <= TC_LCP_MAX; c++) {
        contact[c].other = TC_CDL_WALL;
        unit_normal(contact[c].normal, 2);
    }
    cdl.config.contact = contact;
    cdl.config.contacts = TC_LCP_MAX + 1u;
    cdl.config.resolver = &tc_cdl_simultaneous;
    cdl.V[0] = TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_OK, tc_cdl_init(&cdl.cdl, &cdl.config, room, TC_COUNT(room)));
    for (uint32_t c = 0; c <= TC_LCP_MAX; c++) {
        contact[c].distance = TC_C(1.0);
    }
    TEST_ASSERT_EQUAL(TC_NOTE_LIMIT,
                      tc_cdl_step(&cdl.cdl, NULL, cdl.Q, cdl.V, NULL, work, TC_COUNT(work)));
}

/* ---- Long roll-outs -------------------------------------------------------------------------- */

#define STEPS 100000u

/* m V- V+ / 2 + m g Q, which the scheme keeps; in flight. */
static tc_real ball_energy(void)
{
    tc_real before;
    do {
        before = cdl.V[0];
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
    } while (cdl.info.acting > 0u);
    return TC_C(0.5) * before * cdl.V[0] + TC_C(9.81) * cdl.Q[0];
}

/* The same bits on every machine after 100,000 steps; and no more drift than tc_cdl.h says: the
 * ball still reaches its height, the cradle, without projection, keeps its energy. */
static void test_for_long(void)
{
    uint32_t contacts;
    tc_real highest = TC_C(0.0), energy;
    cdl_ball(TC_C(1.0));
    test_golden("cdl.ball", cdl_roll(STEPS, &contacts));
    TEST_ASSERT_TRUE(contacts >= 698u && contacts <= 701u);
    test_near(TC_C(98.1), ball_energy(), TC_C(98.1) * TC_C(2e-9) * (tc_real)STEPS, 0,
              "energy of the ball");
    for (uint32_t i = 0; i < 143u; i++) {
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        highest = cdl.Q[0] > highest ? cdl.Q[0] : highest;
    }
    test_near(TC_C(10.0), highest, TC_C(0.02), 0, "height");

    cdl_cradle();
    test_golden("cdl.cradle_projected", cdl_roll(STEPS / 10u, &contacts));
    cdl_cradle();
    cdl.config.project = 0;
    cdl_ready();
    test_golden("cdl.cradle", cdl_roll(STEPS, &contacts));
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_cdl_energy(&cdl.cdl, cdl.Q, cdl.V, &energy, cdl.work, TC_COUNT(cdl.work)));
    test_near(TC_C(2.0), energy, TC_C(0.04), 0, "energy");
}

/* Spheres in a box, mass matrices, damping, several contacts at once. */
static void test_box(void)
{
    static const tc_real damping[4] = {TC_C(0.1), TC_C(0.0), TC_C(0.2), TC_C(0.0)};
    uint32_t contacts;
    for (uint32_t matrices = 0; matrices < 2u; matrices++) {
        test_seed(404);
        cdl_begin(4, 3);
        random_masses(4, 3);
        cdl.config.mass = matrices ? NULL : cdl.mass;
        cdl.config.mass_matrix = matrices ? cdl.matrix : NULL;
        cdl.config.damping = damping;
        cdl.config.signal = tc_cdl_laws_spheres();
        cdl.config.resolver = &tc_cdl_simultaneous;
        cdl.config.restitution = TC_C(0.9);
        cdl.config.rest_speed = TC_C(0.25);
        for (uint32_t k = 0; k < 4u; k++) {
            cdl.weight[3u * k + 2u] = TC_C(-9.81);
            cdl.Q[3u * k + 2u] = TC_C(0.5) + (tc_real)k;
            cdl_contact(k, TC_CDL_WALL, 2, TC_C(1.0), TC_C(0.2));
            for (uint32_t j = 0; j < k; j++) {
                cdl_contact(k, j, 0, TC_C(0.0), TC_C(0.4));
            }
        }
        test_fill(cdl.V, 12, TC_C(-0.2), TC_C(0.2));
        cdl_ready();
        test_golden(matrices ? "cdl.box_matrices" : "cdl.box", cdl_roll(1000, &contacts));
        TEST_ASSERT_TRUE(contacts > 100u);
        for (uint32_t k = 0; k < 4u; k++) {
            TEST_ASSERT_TRUE(cdl.Q[3u * k + 2u] > TC_C(0.1));
        }
    }
}

void suite_cdl_properties(void)
{
    RUN_TEST(test_pair);
    RUN_TEST(test_energy_never_grows);
    RUN_TEST(test_permutation);
    RUN_TEST(test_row);
    RUN_TEST(test_corner);
    RUN_TEST(test_stack);
    RUN_TEST(test_heap_too_large);
    RUN_TEST(test_for_long);
    RUN_TEST(test_box);
}
