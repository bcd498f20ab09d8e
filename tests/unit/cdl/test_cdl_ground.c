/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange on a ground: a plane as a shape is a wall, and a ball that bounces on balls keeps its
 * energy.
 */
#include "cdl_case.h"

#include <math.h>

static const tc_sdf flat = TC_SDF_HALFSPACE, round_hill = TC_SDF_SPHERE(TC_C(2.0));

static void fall(uint32_t dimension, tc_real step)
{
    cdl_begin(1, dimension);
    cdl.config.step = step;
    for (uint32_t k = 0; k < dimension; k++) cdl.weight[k] = TC_C(0.0);
    cdl.weight[dimension - 1u] = TC_C(-9.81);
    cdl.config.weight = cdl.weight;
    cdl_contact(0, TC_CDL_WALL, dimension - 1u, TC_C(1.0), TC_C(0.1));
}

/* Catches: the radius left out, a normal in another contact's place, a section read as space. The
 * same slope once as a wall and once as a shape. */
static void test_as_a_wall(void)
{
    const tc_real c = TC_C(0.9553365), s = TC_C(0.2955202); /* 0.3 rad */
    const tc_convex_pose at = {{c, TC_C(0.0), -s, TC_C(0.0), TC_C(1.0), TC_C(0.0), s, TC_C(0.0), c},
                               {TC_C(0.0), TC_C(0.0), TC_C(0.0)}};
    const tc_cdl_ground ground = {
        {&flat, &at},
        {&flat, {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, {c, TC_C(0.0), -s}, {s, TC_C(0.0), c}}};
    for (uint32_t d = 2; d <= 3u; d++) {
        tc_real expected[3];
        for (uint32_t shaped = 0; shaped < 2u; shaped++) {
            fall(d, TC_C(0.002));
            cdl.contact[0].normal[0] = -s;
            cdl.contact[0].normal[d - 1u] = c;
            if (shaped != 0u) cdl.config.signal = tc_cdl_ground_signal(&ground);
            cdl.config.restitution = TC_C(0.8);
            cdl.Q[d - 1u] = TC_C(1.0);
            cdl_ready();
            for (uint32_t k = 0; k < 800u; k++) TEST_ASSERT_TRUE(cdl_step() >= TC_OK);
            for (uint32_t k = 0; k < d; k++) {
                if (shaped == 0u) expected[k] = cdl.Q[k];
                test_near(expected[k], cdl.Q[k], TC_C(2e-3), TC_C(1e-3), "position");
            }
        }
        TEST_ASSERT_TRUE(expected[0] < TC_C(-0.2)); /* it went downhill */
    }
}

/* On top of a ball of 2 m a ball bounces downhill, each time mirrored in the normal there. */
static void test_energy_on_a_hill(void)
{
    const tc_cdl_ground ground = {{&round_hill, NULL}, TC_GROUND2(&round_hill)};
    for (uint32_t d = 2; d <= 3u; d++) {
        fall(d, TC_C(0.0005));
        cdl.config.signal = tc_cdl_ground_signal(&ground);
        cdl.Q[0] = TC_C(0.1);
        cdl.Q[d - 1u] = TC_C(2.6);
        cdl_ready();
        const double energy = 9.81 * 2.6;
        uint32_t struck = 0;
        for (uint32_t k = 0; k < 2500u; k++) {
            const tc_real before = cdl.V[d - 1u];
            TEST_ASSERT_TRUE(cdl_step() >= TC_OK);
            struck += cdl.V[d - 1u] > before;
        }
        double now = 9.81 * (double)cdl.Q[d - 1u], square = 0.0;
        for (uint32_t k = 0; k < d; k++) {
            now += 0.5 * (double)(cdl.V[k] * cdl.V[k]);
            square += (double)(cdl.Q[k] * cdl.Q[k]);
        }
        TEST_ASSERT_TRUE(struck >= 2u);
        TEST_ASSERT_TRUE(sqrt(square) > 2.09);
        test_near((tc_real)energy, (tc_real)now, TC_C(0.0), TC_C(5e-3), "energy");
    }
}

static void test_refused(void)
{
    const tc_cdl_ground ground = {{&flat, NULL}, TC_GROUND2(&flat)};
    fall(1, TC_C(0.01));
    cdl.config.signal = tc_cdl_ground_signal(&ground);
    cdl_ready();
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, cdl_step());
}

void suite_cdl_ground(void)
{
    RUN_TEST(test_as_a_wall);
    RUN_TEST(test_energy_on_a_hill);
    RUN_TEST(test_refused);
}
