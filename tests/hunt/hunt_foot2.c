/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_foot2_step and tc_limb2_step under the hunt: a rectangle of 0.20 m x 0.12 m, four nets 16-16;
 * free, or as the last of three links. size: position scheme; 1 a corner, 2 a side touches, 0 any
 * angle near to flat. The changes told are contacts, of a chain evaluations of G.
 */
#include "hunt.h"

#include <string.h>

#define LINKS 3u

static const tc_real corners[8] = {TC_C(-0.1), TC_C(-0.06), TC_C(0.1),  TC_C(-0.06),
                                   TC_C(0.1),  TC_C(0.06),  TC_C(-0.1), TC_C(0.06)};
static tc_learned2_nets nets;
static tc_foot2 foot;

static void make_foot(const hunt_file *file, const tc_real **numbers)
{
    static const uint16_t inputs[2] = {13, 19};
    const tc_body2 body = {TC_C(1.0), TC_C(0.0045333333)};
    memset(&nets, 0, sizeof nets);
    for (uint32_t d = 0; d < 2u; d++) {
        hunt_small_net(2u * d, inputs[d], 3, numbers, &nets.classifier[d]);
        hunt_small_net(2u * d + 1u, inputs[d], 1, numbers, &nets.regressor[d]);
        nets.mask[d] = d == 0u ? 31u : 61u;
    }
    nets.width = 32;
    const tc_learned2_model law = tc_learned2_nets_model(&nets);
    (void)tc_foot2_init(&foot, &body, TC_C(0.002), &law);
    foot.shape = (tc_shape2){corners, 4, TC_C(0.0)};
    foot.positions = (tc_scheme)file->size[0];
}

static tc_real angle_of(const hunt_file *file, const tc_real **numbers)
{
    const tc_real corner = hunt_between(numbers, TC_C(0.1), TC_C(0.9)),
                  near_flat = hunt_signed(numbers, TC_C(0.2));
    return file->size[1] == 0u ? near_flat : file->size[1] == 1u ? corner : TC_C(0.0);
}

/* How far the lowest corner is above the floor: inside for DART, outside for the schemes that look
 * ahead. */
static tc_real gap_of(const hunt_file *file, const tc_real **numbers)
{
    const tc_real size = hunt_between(numbers, TC_C(1e-6), TC_C(5e-3));
    return file->size[0] == TC_SCHEME_DART ? -size : size;
}

/* The lowest corner below the centre of mass at an angle */
static tc_real lowest(tc_real angle)
{
    tc_real least = TC_C(0.0);
    for (uint32_t i = 0; i < 4u; i++) {
        const tc_real y = tc_sin(angle) * corners[2u * i] + tc_cos(angle) * corners[2u * i + 1u];
        least = y < least ? y : least;
    }
    return least;
}

hunt_result hunt_foot2(const hunt_file *file, const uint32_t *input)
{
    static tc_real work[TC_FOOT2_WORK(TC_LEARNED2_NETS_WORK(32))];
    const tc_real *numbers = (const tc_real *)input;
    tc_body2_state state;
    tc_foot2_info info;
    tc_real force[3];
    tc_status status;
    make_foot(file, &numbers);
    memset(&state, 0, sizeof state);
    state.position[2] = angle_of(file, &numbers);
    state.position[1] = gap_of(file, &numbers) - lowest(state.position[2]);
    for (uint32_t i = 0; i < 3u; i++) {
        state.velocity[i] = hunt_signed(&numbers, i < 2u ? TC_C(10.0) : TC_C(50.0));
        force[i] = hunt_signed(&numbers, TC_C(100.0));
    }
    const tc_real bounce = hunt_between(&numbers, TC_C(-1.0), TC_C(1.0));
    foot.restitution = bounce > TC_C(0.0) ? bounce : TC_C(0.0);
    HUNT_REGION(status = tc_foot2_step(&foot, force, &state, &info, work, TC_COUNT(work)));
    return (hunt_result){status, info.count};
}

static void make_limb(tc_limb2 *limb, tc_chain2_link links[LINKS])
{
    memset(links, 0, LINKS * sizeof links[0]);
    for (uint32_t i = 0; i < LINKS; i++) {
        links[i].body = foot.body;
        links[i].anchor[0] = i == 0u ? TC_C(0.0) : TC_C(0.1);
        links[i].anchor[1] = i == 0u ? TC_C(0.4) : TC_C(0.0);
        links[i].arm[0] = TC_C(0.1);
    }
    memset(limb, 0, sizeof *limb);
    limb->chain.count = LINKS;
    limb->chain.links = links;
    limb->chain.gravity[1] = TC_C(-9.81);
    limb->foot = foot;
    limb->config = tc_limb2_default();
}

/* What the last step says it ended with: any branch and ratio, or nothing. */
static void remember(const hunt_file *file, const tc_real **numbers, tc_limb2_branch *last)
{
    const tc_real known = hunt_between(numbers, TC_C(0.0), TC_C(1.0));
    const tc_real branch = hunt_between(numbers, TC_C(0.0), TC_C(2.999));
    last->count = known < TC_C(0.4) ? 0u : file->size[1];
    last->branch = (tc_learned_class)(uint32_t)branch;
    last->ratio = hunt_signed(numbers, TC_C(2.0));
}

hunt_result hunt_limb2(const hunt_file *file, const uint32_t *input)
{
    static tc_real work[TC_LIMB2_WORK(LINKS, 200u)];
    static tc_chain2_link links[LINKS];
    static tc_limb2 limb;
    static tc_limb2_state state;
    const tc_real *numbers = (const tc_real *)input;
    tc_limb2_info info;
    tc_real torque[LINKS];
    tc_status status;
    make_foot(file, &numbers);
    make_limb(&limb, links);
    memset(&state, 0, sizeof state);
    state.q[0] = hunt_between(&numbers, TC_C(-3.0), TC_C(0.0));
    state.q[1] = hunt_between(&numbers, TC_C(-2.5), TC_C(2.5));
    const tc_real angle = angle_of(file, &numbers);
    state.q[2] = angle - state.q[0] - state.q[1];
    for (uint32_t i = 0; i < LINKS; i++) {
        state.qd[i] = hunt_signed(&numbers, TC_C(30.0));
        torque[i] = hunt_signed(&numbers, TC_C(20.0));
    }
    remember(file, &numbers, &state.last);
    (void)tc_chain2_move(&limb.chain, state.q, state.qd, &state.motion);
    limb.foot.plane.offset = state.motion.origin[1] + state.motion.link[LINKS - 1u].position[1]
                             + lowest(angle) - gap_of(file, &numbers);
    HUNT_REGION(status = tc_limb2_step(&limb, torque, &state, &info, work, TC_COUNT(work)));
    return (hunt_result){status, info.evaluations};
}
