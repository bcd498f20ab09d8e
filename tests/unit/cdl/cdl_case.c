/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange systems that tests share; see cdl_case.h.
 */
#include "cdl_case.h"

cdl_case cdl;

void cdl_begin(uint32_t bodies, uint32_t dimension)
{
    memset(&cdl, 0, sizeof cdl);
    cdl.config = tc_cdl_default();
    cdl.config.bodies = bodies;
    cdl.config.dimension = dimension;
    cdl.config.step = TC_C(0.01);
    cdl.config.mass = cdl.mass;
    cdl.config.weight = cdl.weight;
    cdl.config.contact = cdl.contact;
    for (uint32_t k = 0; k < CDL_K; k++) {
        cdl.mass[k] = TC_C(1.0);
    }
}

void cdl_contact(uint32_t body, uint32_t other, uint32_t axis, tc_real sign, tc_real distance)
{
    tc_cdl_contact *const contact = &cdl.contact[cdl.config.contacts++];
    contact->body = (uint16_t)body;
    contact->other = (uint16_t)other;
    contact->distance = distance;
    contact->normal[axis] = sign;
}

void cdl_ready(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_cdl_init(&cdl.cdl, &cdl.config, cdl.room, TC_COUNT(cdl.room)));
}

tc_status cdl_step(void)
{
    return tc_cdl_step(&cdl.cdl, NULL, cdl.Q, cdl.V, &cdl.info, cdl.work, TC_COUNT(cdl.work));
}

void cdl_ball(tc_real restitution)
{
    cdl_begin(1, 1);
    cdl.config.step = TC_C(0.02);
    cdl.config.restitution = restitution;
    cdl.weight[0] = TC_C(-9.81);
    cdl.Q[0] = TC_C(10.0);
    cdl_contact(0, TC_CDL_WALL, 0, TC_C(1.0), TC_C(0.0));
    cdl_ready();
}

void cdl_cradle(void)
{
    static const tc_real torque[2] = {TC_C(9.81), TC_C(9.81)};
    cdl_begin(2, 1);
    cdl.config.potential = tc_cdl_laws_pendulums(torque);
    cdl.config.project = 1;
    cdl.V[0] = TC_C(2.0);
    cdl_contact(0, 1, 0, TC_C(1.0), TC_C(0.0));
    cdl_ready();
}

tc_real cdl_approach(uint32_t c, const tc_real *V)
{
    const uint32_t d = cdl.config.dimension;
    const tc_cdl_contact *const contact = &cdl.contact[c];
    tc_real u = TC_C(0.0);
    for (uint32_t a = 0; a < d; a++) {
        u += contact->normal[a] * V[contact->body * d + a];
        u -= contact->other == TC_CDL_WALL ? TC_C(0.0)
                                           : contact->normal[a] * V[contact->other * d + a];
    }
    return u;
}

uint32_t cdl_roll(uint32_t steps, uint32_t *contacts)
{
    uint32_t hash = TEST_HASH_START;
    *contacts = 0;
    for (uint32_t i = 0; i < steps; i++) {
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        *contacts += cdl.info.acting;
        if (i % 50u == 49u) {
            hash = test_hash(hash, cdl.Q, cdl.cdl.coordinates);
            hash = test_hash(hash, cdl.V, cdl.cdl.coordinates);
        }
    }
    return hash;
}
