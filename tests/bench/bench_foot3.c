/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact model of one spatial body, all in: detect, features, nets, sweeps, normals,
 * positions. A box of 0.2 m x 0.15 m x 0.1 m strikes the floor with a corner, an edge or a face and
 * slides, or lies on it; nets are those of tests/models/box.tcm, 13-4-3 and 13-8-8-2, of random
 * weights but for their last biases, which say "dynamic (at rest: static), friction against the
 * sliding".
 *
 * Compared with: the contacts that carry do not move along the normal afterwards (0), and no energy
 * is gained (0).
 *
 * foot3_soft: the same strikes with compliance, 50 kN/m and 70 N s/m, and tc_friction3 instead of
 * nets: constants ("mu"), or with the residual ("mu+2tanh"). Compared with: as many contacts as the
 * tilts make, and no energy gained, the springs' included (0).
 */
#include "bench_foot.h"

#include <math.h>
#include <string.h>

#define DRAWS 20u

static tc_learned3_nets nets;
static tc_friction3 friction;
static uint32_t contacts; /* of a strike with compliance */
static tc_foot3 box;
static tc_body3_state start, state;
static tc_foot3_info info;
static tc_learned3_warm warm, *remembered;
static tc_real work[TC_FOOT3_WORK(TC_LEARNED3_NETS_WORK(8))];
static tc_patch3 patch;
static tc_learned3_problem problem;
static tc_learned3_result result;
static tc_learned3_query query;
static tc_real features[TC_LEARNED3_FEATURES_MAX];

/* W of a corner of the box */
static const tc_real corner_matrix[6] = {TC_C(2.1),  TC_C(0.3), TC_C(1.9),
                                         TC_C(-0.6), TC_C(0.4), TC_C(1.8)};

static const tc_real corners[24] = {
    TC_C(-0.1), TC_C(-0.075), TC_C(-0.05), TC_C(0.1), TC_C(-0.075), TC_C(-0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(-0.05), TC_C(0.1), TC_C(0.075),  TC_C(-0.05),
    TC_C(-0.1), TC_C(-0.075), TC_C(0.05),  TC_C(0.1), TC_C(-0.075), TC_C(0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(0.05),  TC_C(0.1), TC_C(0.075),  TC_C(0.05),
};
static const tc_real weight[6] = {TC_C(0.0), TC_C(0.0), TC_C(-9.81),
                                  TC_C(0.0), TC_C(0.0), TC_C(0.0)};

static void make_box(tc_learned_class said)
{
    static const uint16_t classifier[3] = {TC_LEARNED3_FEATURES_MAX, 4, 3};
    static const uint16_t regressor[4] = {TC_LEARNED3_FEATURES_MAX, 8, 8, 2};
    static const tc_real ratio[2] = {TC_C(0.5), TC_C(0.0)};
    const tc_body3 body = {TC_C(1.0), {TC_C(0.0027083333), TC_C(0.0041666667), TC_C(0.0052083333)}};
    tc_real classes[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    bench_seed(2u);
    classes[said] = TC_C(3.0);
    bench_make_net(0, classifier, 2, classes, &nets.classifier);
    bench_make_net(1, regressor, 3, ratio, &nets.regressor);
    nets.mask = 30;
    nets.width = 8;
    const tc_learned3_model law = tc_learned3_nets_model(&nets);
    (void)tc_foot3_init(&box, &body, TC_C(0.002), &law);
    box.shape.vertices = corners;
    box.shape.count = 8;
}

/* q <- q turned by `angle` about a body axis */
static void turn(tc_real q[4], uint32_t axis, tc_real angle)
{
    const tc_real c = (tc_real)cos(0.5 * (double)angle), s = (tc_real)sin(0.5 * (double)angle);
    const tc_real w = q[0], x = q[1], y = q[2], z = q[3];
    const tc_real across[3][4] = {{-x, w, z, -y}, {-y, -z, w, x}, {-z, y, -x, w}};
    for (uint32_t k = 0; k < 4u; k++) {
        q[k] = c * q[k] + s * across[axis][k];
    }
}

/* Puts the lowest vertex 1 mm into the floor. */
static void put_down(void)
{
    const tc_real *const q = start.orientation;
    const tc_real row[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                            1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    tc_real lowest = TC_C(1.0);
    for (uint32_t i = 0; i < 8u; i++) {
        const tc_real *const v = corners + 3u * i;
        const tc_real z = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
        lowest = z < lowest ? z : lowest;
    }
    start.position[2] = -lowest - TC_C(0.001);
}

/* Tilted about two axes, one or none; sliding faster than friction can end */
static void strike(uint32_t tilts)
{
    memset(&start, 0, sizeof start);
    contacts = 0;
    make_box(TC_LEARNED_DYNAMIC);
    bench_seed(977u * (bench.draw + 1u));
    start.orientation[0] = TC_C(1.0);
    turn(start.orientation, 2, bench_uniform(TC_C(-3.0), TC_C(3.0)));
    for (uint32_t axis = 0; axis < tilts; axis++) {
        turn(start.orientation, axis, bench_uniform(TC_C(0.2), TC_C(0.8)));
    }
    put_down();
    start.velocity[0] = bench_uniform(TC_C(6.0), TC_C(9.0));
    start.velocity[1] = bench_uniform(TC_C(-2.0), TC_C(2.0));
    start.velocity[2] = bench_uniform(TC_C(-2.0), TC_C(-0.5));
    for (uint32_t k = 3; k < 6u; k++) {
        start.velocity[k] = tilts > 0u ? bench_uniform(TC_C(-2.0), TC_C(2.0)) : TC_C(0.0);
    }
    state = start;
    remembered = NULL;
    bench.compared = 2;
    bench.expected[0] = bench.expected[1] = TC_C(0.0);
}

static void strike_point(void)
{
    strike(2);
}

static void strike_edge(void)
{
    strike(1);
}

static void strike_face(void)
{
    strike(0);
}

/* A round less */
static void strike_face_shorter(void)
{
    strike(0);
    box.sweeps.rounds = 2;
}

static void strike_edge_shorter(void)
{
    strike(1);
    box.sweeps.rounds = 2;
}

/* With compliance and constants of friction */
static void soften(uint32_t count)
{
    friction = tc_friction3_default(TC_C(0.17));
    friction.mu[2] = TC_C(0.22);
    box.model = tc_friction3_model(&friction);
    box.compliance.stiffness = TC_C(5e4);
    box.compliance.damping = TC_C(70.0);
    contacts = count;
}

static void soft_point(void)
{
    strike(2);
    soften(1);
}

static void soft_edge(void)
{
    strike(1);
    soften(2);
}

static void soft_face(void)
{
    strike(0);
    soften(4);
}

/* That of 342 tosses of a cube */
static void add_residual(void)
{
    friction.weight = TC_C(0.01962);
    friction.gain[0] = TC_C(-0.022);
    friction.gain[1] = TC_C(0.0065);
    friction.slip[0] = TC_C(0.44);
    friction.slip[1] = TC_C(0.92);
    friction.load[0] = TC_C(1.05);
    friction.load[1] = TC_C(-0.09);
    friction.bias[0] = TC_C(1.26);
    friction.bias[1] = TC_C(0.20);
}

static void soft_edge_residual(void)
{
    soft_edge();
    add_residual();
}

static void soft_face_residual(void)
{
    soft_face();
    add_residual();
}

/* After 30 steps: at rest */
static void soft_lie(void)
{
    soft_face();
    memset(start.velocity, 0, sizeof start.velocity);
    start.position[2] += TC_C(0.00095);
    state = start;
    memset(&warm, 0, sizeof warm);
    remembered = &warm;
    for (uint32_t i = 0; i < 30u; i++) {
        (void)tc_foot3_step(&box, weight, &state, &warm, &info, work, TC_COUNT(work));
    }
}

/* At rest since the last step */
static void lie(void)
{
    strike(0);
    make_box(TC_LEARNED_STATIC);
    memset(start.velocity, 0, sizeof start.velocity);
    state = start;
    memset(&warm, 0, sizeof warm);
    remembered = &warm;
    (void)tc_foot3_step(&box, weight, &state, &warm, &info, work, TC_COUNT(work));
}

/* Sliding since the last step */
static void slide_on(void)
{
    strike(0);
    memset(&warm, 0, sizeof warm);
    remembered = &warm;
    start.velocity[2] = TC_C(0.0);
    state = start;
    (void)tc_foot3_step(&box, weight, &state, &warm, &info, work, TC_COUNT(work));
}

/* The patch and the problem of `start`, and a query */
static void pieces(uint32_t tilts)
{
    static const tc_real u[3] = {TC_C(7.0), TC_C(-1.0), TC_C(-1.5)};
    strike(tilts);
    (void)tc_detect3(&box.shape, &start, &box.plane, TC_C(0.0), &patch);
    (void)tc_learned3_problem_init(&problem, &patch, &box.body, &start, NULL);
    tc_learned3_query_init(&query, corner_matrix, u, NULL);
}

static void point_pieces(void)
{
    pieces(2);
}

static void edge_pieces(void)
{
    pieces(1);
}

static void face_pieces(void)
{
    pieces(0);
}

/* Normal velocity of a contact that carries, the largest */
static tc_real moved(const tc_real *velocity, const tc_real *normal)
{
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < patch.count; i++) {
        const tc_real *const arm = patch.arm[i];
        const tc_real u = velocity[2] + velocity[3] * arm[1] - velocity[4] * arm[0];
        most = normal[i] > TC_C(0.0) && u * u > most * most ? u : most;
    }
    return most;
}

static tc_real gained(void)
{
    tc_real e0, e1;
    start.velocity[2] -= TC_C(0.01962);
    (void)tc_body3_energy(&box.body, &start, &e0);
    start.velocity[2] += TC_C(0.01962);
    (void)tc_body3_energy(&box.body, &state, &e1);
    return e1 > e0 || contacts > 0u ? e1 - e0 : TC_C(0.0);
}

static void run_step(void)
{
    tc_body3_state before = state;
    BENCH_REGION(
        (void)tc_foot3_step(&box, weight, &state, remembered, &info, work, TC_COUNT(work)));
    (void)tc_detect3(&box.shape, &before, &box.plane, TC_C(0.0), &patch);
    /* the floor's frame is the world's */
    bench.result[0] = moved(info.contact.velocity, info.contact.normal);
    bench.result[1] = remembered == NULL ? gained() : TC_C(0.0);
}

/* Energy of the springs */
static tc_real stored(const tc_body3_state *at)
{
    tc_real sum = TC_C(0.0);
    (void)tc_detect3(&box.shape, at, &box.plane, TC_C(0.0), &patch);
    for (uint32_t i = 0; i < patch.count; i++) {
        sum += TC_C(0.5) * box.compliance.stiffness * patch.gap[i] * patch.gap[i];
    }
    return sum;
}

static void run_soft(void)
{
    const tc_real before = stored(&state);
    BENCH_REGION(
        (void)tc_foot3_step(&box, weight, &state, remembered, &info, work, TC_COUNT(work)));
    const tc_real gain = stored(&state) - before + gained();
    bench.result[0] = (tc_real)info.count - (tc_real)contacts;
    bench.result[1] = gain > TC_C(0.0) && remembered == NULL ? gain : TC_C(0.0);
}

static void run_solve(void)
{
    const size_t len = TC_COUNT(work);
    BENCH_REGION(
        (void)tc_learned3_solve(&box.model, &box.sweeps, &problem, NULL, &result, work, len));
    bench.result[0] = moved(result.velocity, result.normal);
    bench.result[1] = TC_C(0.0);
}

static void run_features(void)
{
    BENCH_REGION((void)tc_learned3_features(&query, nets.mask, features));
    bench.result[0] = bench.result[1] = TC_C(0.0);
}

static void run_impulse(void)
{
    static const tc_real ratio[2] = {TC_C(0.5), TC_C(0.02)};
    tc_real impulse[3];
    BENCH_REGION((void)tc_learned3_impulse(&query, TC_LEARNED_DYNAMIC, ratio, impulse));
    bench.result[0] = bench.result[1] = TC_C(0.0);
}

static void run_regressor(void)
{
    tc_real ratio[2];
    (void)box.model.observe(box.model.context, &query, work);
    BENCH_REGION((void)box.model.ratio(box.model.context, &query, ratio, work));
    bench.result[0] = bench.result[1] = TC_C(0.0);
}

#define LIMIT TC_C(2e-5)
#define SIZE "4+8-8"

static const bench_case cases[] = {
    {"foot3_step_point", SIZE, "public", strike_point, run_step, 19, LIMIT},
    {"foot3_step_edge", SIZE, "public", strike_edge, run_step, 19, LIMIT},
    {"foot3_step_face", SIZE, "public", strike_face, run_step, 19, LIMIT},
    {"foot3_step_edge_2_4", SIZE, "public", strike_edge_shorter, run_step, 19, LIMIT},
    {"foot3_step_face_2_4", SIZE, "public", strike_face_shorter, run_step, 19, LIMIT},
    {"foot3_step_rest", SIZE, "public", lie, run_step, 19, LIMIT},
    {"foot3_step_slide", SIZE, "public", slide_on, run_step, 19, LIMIT},
    {"foot3_soft_point", "mu", "public", soft_point, run_soft, 19, LIMIT},
    {"foot3_soft_edge", "mu", "public", soft_edge, run_soft, 19, LIMIT},
    {"foot3_soft_face", "mu", "public", soft_face, run_soft, 19, LIMIT},
    {"foot3_soft_edge", "mu+2tanh", "public", soft_edge_residual, run_soft, 19, LIMIT},
    {"foot3_soft_face", "mu+2tanh", "public", soft_face_residual, run_soft, 19, LIMIT},
    {"foot3_soft_rest", "mu", "public", soft_lie, run_soft, 19, LIMIT},
    {"learned3_solve_point", SIZE, "public", point_pieces, run_solve, 0, LIMIT},
    {"learned3_solve_edge", SIZE, "public", edge_pieces, run_solve, 0, LIMIT},
    {"learned3_solve_face", SIZE, "public", face_pieces, run_solve, 0, LIMIT},
    {"learned3_features", "point", "public", point_pieces, run_features, 0, LIMIT},
    {"learned3_impulse", "point", "public", point_pieces, run_impulse, 0, LIMIT},
    {"learned3_regressor", SIZE, "public", point_pieces, run_regressor, 0, LIMIT},
};

void bench_foot3(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run_draws(&cases[i], DRAWS);
    }
}
