/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 2, all in: the rectangle of bench_foot2.c as the last of three links, pinned above the
 * floor, striking it.
 *
 *   point, edge      a tick that goes on from the one before: the typical one
 *   gap              the same touch once more in scheme gap, its branch known
 *   toc              a touch in the middle of a step of scheme toc, or two
 *   first            the tick that touches: nothing is known yet
 *   bound            the longest way through that 3,600 wild poses showed: a law that never agrees
 *                    with itself and is asked for class and ratio each time, an edge of which one
 *                    corner is foreseen and the other found, a branch of the step before that is
 *                    not found again, and a body to be lifted
 *   powell           the published solver
 *   free             no contact
 *
 * Compared with: nothing may be violated at the joint, and the velocity of a contact that carries
 * is 0 afterwards.
 */
#include "bench_foot.h"

#include <string.h>

#define DRAWS 20u
#define DOF 3u
#define LIMIT TC_C(1e-4)

static tc_chain2_link links[DOF];
static tc_limb2 limb;
static tc_limb2_state start, state;
static tc_limb2_info info;
static tc_real work[TC_LIMB2_WORK(DOF, 200u)];
static tc_real M[DOF * DOF];
static tc_learned2_model nets_law;
static uint32_t asked;

/* Answers like the nets, but at every other query with friction the other way: no ratio is found
 * again. */
static tc_status fickle_ratio(const void *context, const tc_learned2_query *query, tc_real *ratio,
                              tc_real *scratch)
{
    const tc_status status = nets_law.ratio(context, query, ratio, scratch);
    const tc_real size[5] = {TC_C(0.3), TC_C(0.1), TC_C(0.4), TC_C(0.2), TC_C(0.35)};
    *ratio = query->space.slip > TC_C(0.0) ? -size[asked % 5u] : size[asked % 5u];
    asked++;
    return status;
}

static void make_limb(tc_scheme positions, int fickle)
{
    const tc_foot2 *foot = bench_small_foot();
    memset(links, 0, sizeof links);
    for (uint32_t i = 0; i < DOF; i++) {
        links[i].body = foot->body;
        links[i].anchor[0] = i == 0 ? TC_C(0.0) : TC_C(0.1);
        links[i].anchor[1] = i == 0 ? TC_C(0.4) : TC_C(0.0);
        links[i].arm[0] = TC_C(0.1);
    }
    memset(&limb, 0, sizeof limb);
    limb.chain.count = DOF;
    limb.chain.links = links;
    limb.chain.gravity[1] = TC_C(-9.81);
    limb.foot = *foot;
    limb.foot.positions = positions;
    limb.config = tc_limb2_default();
    nets_law = foot->model;
    asked = 0;
    if (fickle) {
        limb.foot.model.ratio = fickle_ratio;
    }
}

/* Puts the floor `depth` above the lowest vertex, and has nothing known of the step before. */
static void touch(tc_real depth)
{
    tc_chain2_motion *motion = &start.motion;
    (void)tc_chain2_move(&limb.chain, start.q, start.qd, motion);
    const tc_chain2_link_motion *link = &motion->link[DOF - 1u];
    tc_real lowest = TC_C(1e9);
    for (uint32_t i = 0; i < limb.foot.shape.count; i++) {
        const tc_real *v = limb.foot.shape.vertices + 2u * i;
        const tc_real y = link->position[1] + link->sine * v[0] + link->cosine * v[1];
        lowest = y < lowest ? y : lowest;
    }
    limb.foot.plane.offset = motion->origin[1] + lowest + depth;
    memset(&start.last, 0, sizeof start.last);
    state = start;
    bench.compared = 2;
    bench.expected[0] = bench.expected[1] = TC_C(0.0);
}

/* Hangs down bent to the left and swings to the right: the last link strikes with a corner or its
 * side, sliding fast. */
static void strike(uint32_t contacts)
{
    bench_seed(977u * (bench.draw + 1u));
    start.q[0] = bench_uniform(TC_C(-2.3), TC_C(-1.9));
    start.q[1] = bench_uniform(TC_C(-0.6), TC_C(-0.2));
    start.q[2] = -start.q[0] - start.q[1]
                 + (contacts == 1u ? bench_uniform(TC_C(0.2), TC_C(0.6)) : TC_C(0.0));
    start.qd[0] = bench_uniform(TC_C(10.0), TC_C(14.0));
    start.qd[1] = bench_uniform(TC_C(-2.0), TC_C(2.0));
    start.qd[2] = -start.qd[0] - start.qd[1];
    touch(limb.foot.positions == TC_SCHEME_DART ? TC_C(0.001) : TC_C(-0.0005));
}

/* Violation at the joint, and how far from the expected number of evaluations (of what has one) */
static void note_step(uint32_t evaluations)
{
    bench.result[0] = info.violation;
    bench.result[1] =
        evaluations == 0u ? TC_C(0.0) : (tc_real)info.evaluations - (tc_real)evaluations;
}

static void run_step(void)
{
    BENCH_REGION((void)tc_limb2_step(&limb, NULL, &state, &info, work, TC_COUNT(work)));
    note_step(0);
}

static void run_bound(void)
{
    BENCH_REGION((void)tc_limb2_step(&limb, NULL, &state, &info, work, TC_COUNT(work)));
    note_step(TC_LIMB2_EVALUATIONS);
}

static void run_move(void)
{
    tc_chain2_motion *motion = &state.motion;
    BENCH_REGION((void)tc_chain2_move(&limb.chain, start.q, start.qd, motion));
    bench.result[0] = motion->link[2].position[0] - start.motion.link[2].position[0];
    bench.result[1] = motion->link[2].velocity[1] - start.motion.link[2].velocity[1];
}

static void run_mass(void)
{
    BENCH_REGION(tc_chain2_mass_matrix(&limb.chain, &start.motion, DOF, M));
    bench.result[0] = M[1] - M[3];
    bench.result[1] = TC_C(0.0);
}

#define STRIKE(name, contacts, ticks)                                                              \
    static void name(void)                                                                         \
    {                                                                                              \
        make_limb(TC_SCHEME_DART, 0);                                                              \
        strike(contacts);                                                                          \
        for (uint32_t left = (ticks); left != 0u; left--) {                                        \
            (void)tc_limb2_step(&limb, NULL, &state, &info, work, TC_COUNT(work));                 \
        }                                                                                          \
    }
STRIKE(point, 1u, 1u)
STRIKE(edge, 2u, 1u)
STRIKE(first, 1u, 0u)

static void point_gap(void)
{
    make_limb(TC_SCHEME_GAP, 0);
    strike(1);
    (void)tc_limb2_step(&limb, NULL, &state, &info, work, TC_COUNT(work));
    memcpy(state.q, start.q, sizeof state.q);
    memcpy(state.qd, start.qd, sizeof state.qd);
}

static void point_toc(void)
{
    make_limb(TC_SCHEME_TOC, 0);
    strike(1);
}

static void bound(void)
{
    static const tc_real q[DOF] = {TC_C(2.5323405), TC_C(-0.5374975), TC_C(1.1637554)};
    static const tc_real qd[DOF] = {TC_C(14.596752), TC_C(-3.4113235), TC_C(-35.50968)};
    make_limb(TC_SCHEME_GAP, 1);
    memcpy(start.q, q, sizeof q);
    memcpy(start.qd, qd, sizeof qd);
    touch(TC_C(0.002751682));
    state.last.count = 2;
    state.last.branch = TC_LEARNED_DYNAMIC;
    state.last.ratio = TC_C(0.052164435);
}

static void free_motion(void)
{
    first();
    limb.foot.plane.offset = TC_C(-10.0);
}

static void powell(void)
{
    first();
    limb.config = tc_limb2_default_published();
}

static const bench_case cases[] = {
    {"limb2_step_point", "3", "public", point, run_step, 6, LIMIT},
    {"limb2_step_edge", "3", "public", edge, run_step, 6, LIMIT},
    {"limb2_step_gap", "3", "public", point_gap, run_step, 6, LIMIT},
    {"limb2_step_toc", "3", "public", point_toc, run_step, 6, LIMIT},
    {"limb2_step_first", "3", "public", first, run_step, 6, LIMIT},
    {"limb2_step_bound", "3", "public", bound, run_bound, 6, LIMIT},
    {"limb2_step_free", "3", "public", free_motion, run_step, 6, LIMIT},
    {"limb2_step_powell", "3", "public", powell, run_step, 6, TC_C(1.0)},
    {"chain2_move", "3", "public", point, run_move, 6, LIMIT},
    {"chain2_mass_matrix", "3", "public", point, run_mass, 0, LIMIT},
};

void bench_limb2(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run_draws(&cases[i], DRAWS);
    }
}
