/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "chain_case.h"

static void finish(chain_case *c, uint32_t count)
{
    c->chain.count = count;
    c->chain.links = c->links;
    c->chain.gravity[0] = TC_C(0.0);
    c->chain.gravity[1] = TC_C(-9.81);
    c->dof = tc_chain2_dof(&c->chain, count);
}

void chain_case_swing(chain_case *c, uint32_t count, tc_real height)
{
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i < count; ++i) {
        tc_chain2_link *link = &c->links[i];
        const tc_real thickness = i + 1u == count ? TC_C(0.06) : TC_C(0.0);
        link->body.mass = TC_C(1.0);
        link->body.inertia = (TC_C(0.09) + thickness * thickness) / TC_C(12.0);
        link->joint = TC_CHAIN_REVOLUTE;
        link->anchor[0] = i == 0 ? TC_C(0.0) : TC_C(0.15);
        link->anchor[1] = i == 0 ? height : TC_C(0.0);
        link->arm[0] = TC_C(0.15);
    }
    finish(c, count);
}

static tc_real spread_about_one(tc_real spread)
{
    const tc_real low = TC_C(1.0) / spread;
    return test_below(2) ? test_uniform(low, TC_C(1.0)) : test_uniform(TC_C(1.0), spread);
}

void chain_case_random(chain_case *c, uint32_t count, int floating, tc_real spread)
{
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i < count; ++i) {
        tc_chain2_link *link = &c->links[i];
        const tc_real angle = test_uniform(TC_C(-3.0), TC_C(3.0));
        link->body.mass = spread_about_one(spread);
        link->body.inertia = link->body.mass * test_uniform(TC_C(0.002), TC_C(0.03));
        link->joint = i == 0 && floating   ? TC_CHAIN_FREE
                      : test_below(3) == 0 ? TC_CHAIN_PRISMATIC
                                           : TC_CHAIN_REVOLUTE;
        test_fill(link->anchor, 2, TC_C(-0.3), TC_C(0.3));
        test_fill(link->arm, 2, TC_C(-0.3), TC_C(0.3));
        link->axis[0] = tc_cos(angle);
        link->axis[1] = tc_sin(angle);
    }
    finish(c, count);
}
