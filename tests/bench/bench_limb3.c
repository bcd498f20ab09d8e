/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 2 in space, all in: the box of bench_foot3.c, with such nets, behind three revolute
 * joints of three directions, striking a plane with a corner, an edge or a face, sliding fast.
 *
 *   point, edge, face  the tick that touches: nothing is known yet
 *   warm               a point that slides since the tick before: the typical one
 *   rest               a face that stands since the tick before
 *   toc                a point that touches in the middle of a step of scheme toc
 *   free               no contact
 *
 * Compared with: the contacts that carry do not move along the normal afterwards (0), and a contact
 * was found or not.
 */
#include "bench_foot.h"

#include <string.h>

#define DRAWS 20u
#define DOF 3u
#define LIMIT TC_C(1e-4)

static const tc_real corners[24] = {
    TC_C(-0.1), TC_C(-0.075), TC_C(-0.05), TC_C(0.1), TC_C(-0.075), TC_C(-0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(-0.05), TC_C(0.1), TC_C(0.075),  TC_C(-0.05),
    TC_C(-0.1), TC_C(-0.075), TC_C(0.05),  TC_C(0.1), TC_C(-0.075), TC_C(0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(0.05),  TC_C(0.1), TC_C(0.075),  TC_C(0.05),
};
static const tc_real axes[DOF][3] = {{TC_C(0.0), TC_C(1.0), TC_C(0.0)},
                                     {TC_C(0.0), TC_C(0.0), TC_C(1.0)},
                                     {TC_C(0.8), TC_C(0.6), TC_C(0.0)}};
static tc_chain3_link links[DOF];
static tc_learned3_nets nets;
static tc_limb3 leg;
static tc_limb3_state state;
static tc_limb3_info info;
static tc_real work[TC_LIMB3_WORK(DOF, TC_LEARNED3_NETS_WORK(16u))];

static void make_leg(tc_learned_class said)
{
    static const uint16_t classifier[4] = {TC_LEARNED3_FEATURES_MAX, 16, 16, 3};
    static const uint16_t regressor[4] = {TC_LEARNED3_FEATURES_MAX, 16, 16, 2};
    static const tc_real ratio[2] = {TC_C(0.5), TC_C(0.0)};
    const tc_body3 body = {TC_C(1.0), {TC_C(0.0027083333), TC_C(0.0041666667), TC_C(0.0052083333)}};
    tc_real classes[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    bench_seed(40973u);
    classes[said] = TC_C(3.0);
    bench_make_net(0, classifier, 3, classes, &nets.classifier);
    bench_make_net(1, regressor, 3, ratio, &nets.regressor);
    nets.mask = 30;
    nets.width = 16;
    const tc_learned3_model law = tc_learned3_nets_model(&nets);
    memset(&leg, 0, sizeof leg);
    memset(links, 0, sizeof links);
    for (uint32_t i = 0; i < DOF; i++) {
        links[i].body = body;
        memcpy(links[i].axis, axes[i], sizeof axes[i]);
        links[i].anchor[0] = i == 0u ? TC_C(0.0) : TC_C(0.1);
        links[i].arm[0] = TC_C(0.1);
        links[i].rest[0] = TC_C(1.0);
    }
    leg.chain.count = DOF;
    leg.chain.links = links;
    (void)tc_foot3_init(&leg.foot, &body, TC_C(0.002), &law);
    leg.foot.shape.vertices = corners;
    leg.foot.shape.count = 8;
}

/* The plane 1 mm into the box: at its corner, its edge or its face */
static void put_plane(uint32_t contacts)
{
    static const tc_real down[3][3] = {{TC_C(0.3), TC_C(0.4), TC_C(-0.8660254)},
                                       {TC_C(0.6), TC_C(0.0), TC_C(-0.8)},
                                       {TC_C(0.0), TC_C(0.0), TC_C(-1.0)}};
    const tc_real *const d = down[contacts == 1u ? 0 : contacts == 2u ? 1 : 2];
    (void)tc_chain3_move(&leg.chain, state.q, state.qd, &state.motion);
    const tc_chain3_link_motion *const link = &state.motion.link[DOF - 1u];
    const tc_real *const q = link->orientation;
    tc_plane3 *const plane = &leg.foot.plane;
    plane->offset = TC_C(0.001) - TC_C(0.1) * d[0] - TC_C(0.075) * d[1] + TC_C(0.05) * d[2];
    for (uint32_t k = 0; k < 3u; k++) {
        const uint32_t a = (k + 1u) % 3u, b = (k + 2u) % 3u;
        const tc_real self =
            TC_C(1.0) - TC_C(2.0) * (q[1u + a] * q[1u + a] + q[1u + b] * q[1u + b]);
        const tc_real to_a = TC_C(2.0) * (q[1u + k] * q[1u + a] - q[0] * q[1u + b]);
        const tc_real to_b = TC_C(2.0) * (q[1u + k] * q[1u + b] + q[0] * q[1u + a]);
        plane->normal[k] = -(self * d[k] + to_a * d[a] + to_b * d[b]);
        plane->offset += plane->normal[k] * (link->position[k] + state.motion.origin[k]);
        leg.chain.gravity[k] = TC_C(-9.81) * plane->normal[k];
    }
}

static void step(void)
{
    (void)tc_limb3_step(&leg, NULL, &state, &info, work, TC_COUNT(work));
}

static void strike(uint32_t contacts)
{
    make_leg(TC_LEARNED_DYNAMIC);
    memset(&state, 0, sizeof state);
    bench_seed(977u * (bench.draw + 1u));
    for (uint32_t k = 0; k < DOF; k++) {
        state.q[k] = bench_uniform(TC_C(0.2), TC_C(1.2));
        state.qd[k] = bench_uniform(TC_C(-8.0), TC_C(8.0));
    }
    put_plane(contacts);
    bench.compared = 2;
    bench.expected[0] = TC_C(0.0);
    bench.expected[1] = (tc_real)contacts;
}

static void strike_point(void)
{
    strike(1);
}

static void strike_edge(void)
{
    strike(2);
}

static void strike_face(void)
{
    strike(4);
}

static void slide_on(void)
{
    strike(1);
    step();
}

static void stand(void)
{
    strike(4);
    make_leg(TC_LEARNED_STATIC);
    memset(state.qd, 0, sizeof state.qd);
    put_plane(4);
    step();
}

/* 0.5 mm above the plane, and on its way down */
static void touch_down(void)
{
    strike(1);
    leg.foot.positions = TC_SCHEME_TOC;
    leg.foot.plane.offset -= TC_C(0.0015);
    const tc_limb3_state start = state;
    step();
    const int rises = info.contact.count == 0u;
    state = start;
    for (uint32_t k = 0; k < DOF; k++) {
        state.qd[k] *= rises ? TC_C(-1.0) : TC_C(1.0);
    }
}

static void fly(void)
{
    strike(1);
    leg.foot.plane.offset -= TC_C(1.0);
    bench.expected[1] = TC_C(0.0);
}

/* Normal velocity of a contact that carries, the largest */
static tc_real moved(void)
{
    const tc_real *const v = info.contact.contact.velocity;
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < info.contact.count; i++) {
        const tc_real *const arm = state.patch.arm[i];
        const tc_real u = v[2] + v[3] * arm[1] - v[4] * arm[0];
        most = info.contact.contact.normal[i] > TC_C(0.0) && u * u > most * most ? u : most;
    }
    return most;
}

static void run_step(void)
{
    BENCH_REGION(step());
    bench.result[0] = moved();
    bench.result[1] = (tc_real)info.contact.count;
}

/* One that touches: nothing is below afterwards. */
static void run_touch(void)
{
    BENCH_REGION(step());
    bench.result[0] = info.penetration;
    bench.expected[1] = bench.result[1] = (tc_real)info.contact.count;
}

/* One that goes on: contact may have been lost. */
static void run_next(void)
{
    run_step();
    bench.expected[1] = bench.result[1];
}

static const bench_case cases[] = {
    {"limb3_step_point", "3", "public", strike_point, run_step, 6, LIMIT},
    {"limb3_step_edge", "3", "public", strike_edge, run_step, 6, LIMIT},
    {"limb3_step_face", "3", "public", strike_face, run_step, 6, LIMIT},
    {"limb3_step_warm", "3", "public", slide_on, run_next, 6, LIMIT},
    {"limb3_step_rest", "3", "public", stand, run_next, 6, LIMIT},
    {"limb3_step_toc", "3", "public", touch_down, run_touch, 6, LIMIT},
    {"limb3_step_free", "3", "public", fly, run_step, 6, LIMIT},
};

void bench_limb3(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run_draws(&cases[i], DRAWS);
    }
}
