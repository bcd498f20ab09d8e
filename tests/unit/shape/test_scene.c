/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Scenes: each fault by its one cause, and rows against differences. A row times the rates is the
 * velocity of what it belongs to: of gaps, of joints' errors. Accelerations at constant rates are
 * the second difference of errors.
 */
#include "scene_case.h"

#include "tc_scene_core.h"

#include <math.h>

/* Differences over 2 T: truncation T^2, rounding of gaps of order 1 over T. The most of 2,000: 5e-4
 * and 3e-9. */
#ifdef TC_DOUBLE
#define T TC_C(1e-5)
#define ROW_ERROR TC_C(1e-7)
#define SECOND_ERROR TC_C(1e-5)
#else
#define T TC_C(1e-3)
#define ROW_ERROR TC_C(3e-3)
#define SECOND_ERROR TC_C(2e-2)
#endif

static tc_scene_placed placed;
static tc_real work[1500], G[3 * 32], E[8 * 32], w[32];

static void place_at(const tc_real *q)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_place(&placed, q, sc.v));
}

/* Coordinates a time t later at constant rates, which joints may not want */
static void drift(tc_real t, tc_real *q)
{
    const tc_real up = sc.scene.dimension == 3u ? TC_C(1.0) : TC_C(0.0);
    const tc_chain3 *const chain = sc.scene.mover[2].chain3;
    memcpy(q, sc.q, sizeof sc.q);
    if (up == TC_C(0.0)) {
        for (uint32_t i = 0; i < sc.sizes.rates; ++i) q[i] += t * sc.v[i];
        return;
    }
    tc_body3_state state;
    memcpy(state.position, q + 3, sizeof state.position);
    memcpy(state.orientation, q + 6, sizeof state.orientation);
    memcpy(state.velocity, sc.v + 3, sizeof state.velocity);
    TEST_ASSERT_EQUAL(TC_OK, tc_body3_move(t, &state));
    memcpy(q + 3, state.position, sizeof state.position);
    memcpy(q + 6, state.orientation, sizeof state.orientation);
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_integrate(chain, sc.v + 9, t, q + 10));
    for (uint32_t i = 0; i < 3u; ++i) q[i] += t * sc.v[i];
}

static tc_real row_times_rates(const tc_real *row)
{
    tc_real sum = TC_C(0.0);
    memcpy(w, sc.v, sizeof sc.v);
    tc_scene_whiten(&placed, w);
    for (uint32_t c = 0; c < sc.sizes.rates; ++c) sum += row[c] * w[c];
    return sum;
}

static void judge_gaps(void)
{
    tc_real ahead[64], back[64];
    static tc_scene_contact contact[16];
    tc_scene_contacts found = {contact, 16, 0, 0};
    drift(T, ahead);
    drift(-T, back);
    place_at(sc.q);
    tc_scene_find(&placed, TC_C(100.0), &found);
    TEST_ASSERT_GREATER_THAN(8, found.count);
    for (uint32_t i = 0; i < found.count; ++i) {
        const uint32_t source = contact[i].source;
        place_at(ahead);
        tc_real rate = tc_scene_gap(&placed, source);
        place_at(back);
        rate = (rate - tc_scene_gap(&placed, source)) / (TC_C(2.0) * T);
        place_at(sc.q);
        if (contact[i].gap > tc_scene_gap(&placed, source) + TC_C(1e-6)) continue;
        tc_scene_rows(&placed, &contact[i], 1, G);
        test_near(rate, row_times_rates(G), ROW_ERROR, ROW_ERROR, "a gap's velocity");
    }
}

static void open_mixed(uint32_t dimension, int tied)
{
    scene_case_mixed(dimension, tied);
    TEST_ASSERT_LESS_OR_EQUAL(TC_COUNT(work), tc_scene_work(&sc.scene));
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_open(&sc.scene, &placed, work, tc_scene_work(&sc.scene)));
}

static void test_gaps_and_rows(void)
{
    test_seed(1311);
    for (uint32_t i = 0; i < TEST_ROUNDS(200); ++i) {
        open_mixed(2u + (i & 1u), 0);
        scene_case_shake();
        judge_gaps();
    }
}

/* Errors of joints at t, 0 and -t */
static void look_at_errors(tc_real t, tc_real c[3][4])
{
    for (uint32_t k = 0; k < 3u; ++k) {
        tc_real q[64];
        drift(t * (TC_C(1.0) - (tc_real)k), q);
        place_at(q);
        tc_scene_joint_rows(&placed, E, c[k], NULL);
    }
}

/* A rod of little length turns fast: differences then say nothing. */
static void test_joint_rows(void)
{
    test_seed(1312);
    for (uint32_t i = 0; i < TEST_ROUNDS(200); ++i) {
        tc_real near[3][4], far[3][4], b[4];
        const tc_real t = TC_C(10.0) * T;
        open_mixed(2u + (i & 1u), 1);
        scene_case_shake();
        look_at_errors(T, near);
        look_at_errors(t, far);
        if (near[1][0] + TC_C(0.5) < TC_C(0.7)) continue;
        place_at(sc.q);
        tc_scene_joint_rows(&placed, E, NULL, b);
        for (uint32_t r = 0; r < sc.sizes.joint_rows; ++r) {
            const tc_real rate = (near[0][r] - near[2][r]) / (TC_C(2.0) * T);
            const tc_real second = (far[0][r] - TC_C(2.0) * far[1][r] + far[2][r]) / (t * t);
            test_near(rate, row_times_rates(E + r * sc.sizes.rates), ROW_ERROR, ROW_ERROR, "rate");
            test_near(second, b[r], SECOND_ERROR, SECOND_ERROR, "acceleration");
        }
    }
}

/* Tangents: perpendicular rows of equal mobility for a ball, whatever frame; an impulse pair adds no
 * momentum */
static void test_no_momentum_between_balls(void)
{
    static tc_scene_contact contact[16];
    test_seed(1313);
    for (uint32_t i = 0; i < TEST_ROUNDS(100); ++i) {
        tc_scene_contacts found = {contact, 16, 0, 0};
        open_mixed(3, 0);
        scene_case_shake();
        place_at(sc.q);
        tc_scene_find(&placed, TC_C(100.0), &found);
        for (uint32_t k = 0; k < found.count; ++k) {
            if (contact[k].source != 3u) continue; /* the particle and the body's ball */
            tc_scene_rows(&placed, &contact[k], 3, G);
            for (uint32_t r = 0; r < 3u; ++r) {
                memcpy(w, G + r * sc.sizes.rates, sc.sizes.rates * sizeof *w);
                tc_scene_unwhiten(&placed, w);
                for (uint32_t a = 0; a < 3u; ++a) {
                    test_near(TC_C(0.0), TC_C(0.4) * w[a] + TC_C(0.5) * w[3u + a], TC_C(1e-5),
                              TC_C(0.0), "momentum");
                }
            }
        }
    }
}

static void test_kinetic_energy_is_that_of_the_parts(void)
{
    test_seed(1314);
    for (uint32_t i = 0; i < TEST_ROUNDS(100); ++i) {
        open_mixed(2, 0);
        scene_case_shake();
        place_at(sc.q);
        tc_chain2_motion motion;
        const tc_real *const v = sc.v;
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_chain2_move(sc.scene.mover[2].chain2, sc.q + 5, v + 5, &motion));
        const tc_real parts = TC_C(0.2) * (v[0] * v[0] + v[1] * v[1])
                              + TC_C(0.25) * (v[2] * v[2] + v[3] * v[3]) + TC_C(0.005) * v[4] * v[4]
                              + tc_chain2_kinetic(sc.scene.mover[2].chain2, &motion);
        test_near(parts, tc_scene_kinetic(&placed, v), TC_C(0.0), TC_C(1e-5), "kinetic");
    }
}

static void test_deepest_are_kept(void)
{
    static tc_scene_contact contact[3], all[16];
    tc_scene_contacts few = {contact, 3, 0, 0}, every = {all, 16, 0, 0};
    test_seed(1315);
    open_mixed(2, 0);
    scene_case_shake();
    place_at(sc.q);
    tc_scene_find(&placed, TC_C(100.0), &every);
    tc_scene_find(&placed, TC_C(100.0), &few);
    TEST_ASSERT_EQUAL(3, few.count);
    TEST_ASSERT_EQUAL(every.count - 3u, few.dropped);
    uint32_t deeper = 0;
    tc_real least_deep = contact[0].gap;
    for (uint32_t i = 1; i < 3u; ++i) {
        least_deep = contact[i].gap > least_deep ? contact[i].gap : least_deep;
    }
    for (uint32_t i = 0; i < every.count; ++i) deeper += all[i].gap < least_deep ? 1u : 0u;
    TEST_ASSERT_EQUAL(2, deeper);
}

/* The nearer bound counts; distance and bend from the places of the points */
static void test_gaps_of_limits(void)
{
    test_seed(1316);
    for (uint32_t i = 0; i < TEST_ROUNDS(50); ++i) {
        open_mixed(2, 0);
        scene_case_shake();
        place_at(sc.q);
        const tc_scene_limit *const limit = sc.scene.limit;
        tc_real x[3][3], d[3], e[3];
        const tc_real turn = sc.q[5 + 2];
        const tc_real low = turn - limit[0].low, high = limit[0].high - turn;
        test_near(low < high ? low : high, tc_scene_gap(&placed, 6), TC_C(1e-6), TC_C(0.0), "turn");
        for (uint32_t k = 0; k < 3u; ++k) tc_scene_point_at(&placed, &limit[2].point[k], x[k]);
        const tc_real a = tc_scene_between(x[0], x[1], d), b = tc_scene_between(x[1], x[2], e);
        const double cosine = (double)((d[0] * e[0] + d[1] * e[1]) / (a * b));
        const tc_real angle = (tc_real)acos(cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine);
        test_near(limit[2].high - angle, tc_scene_gap(&placed, 8), TC_C(2e-3), TC_C(0.0), "bend");
        tc_scene_point_at(&placed, &limit[1].point[1], x[1]);
        const tc_real way = tc_scene_between(x[0], x[1], d);
        const tc_real least = way - limit[1].low, most = limit[1].high - way;
        test_near(least < most ? least : most, tc_scene_gap(&placed, 7), TC_C(1e-6), TC_C(0.0),
                  "distance");
    }
}

/* Halfway between the two surfaces, with the normal from b to a; on the plane below a ball */
static void test_where_balls_touch(void)
{
    static tc_scene_contact contact[16];
    test_seed(1317);
    for (uint32_t i = 0; i < TEST_ROUNDS(50); ++i) {
        tc_scene_contacts found = {contact, 16, 0, 0};
        open_mixed(3, 0);
        scene_case_shake();
        place_at(sc.q);
        tc_scene_find(&placed, TC_C(100.0), &found);
        for (uint32_t k = 0; k < found.count; ++k) {
            const tc_scene_contact *const c = &contact[k];
            tc_real d[3];
            if (c->source == 0u) {
                test_near(TC_C(0.0), c->point[2], TC_C(1e-6), TC_C(0.0), "on the plane");
                test_near(sc.q[2] - TC_C(0.1), c->gap, TC_C(1e-6), TC_C(0.0), "height");
            }
            if (c->source != 3u) continue;
            const tc_real far = tc_scene_between(sc.q + 3, sc.q, d);
            test_near(far - TC_C(0.2), c->gap, TC_C(1e-6), TC_C(0.0), "gap");
            for (uint32_t a = 0; a < 3u; ++a) {
                test_near(d[a] / far, c->normal[a], TC_C(1e-5), TC_C(0.0), "normal");
                test_near(TC_C(0.5) * (sc.q[a] + sc.q[3 + a]), c->point[a], TC_C(1e-6), TC_C(0.0),
                          "halfway");
            }
        }
    }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

static void refuse(tc_status status, tc_scene_table table, uint32_t index, const tc_scene *scene)
{
    tc_scene_fault fault = {TC_SCENE_TABLE_SPRING, 99};
    TEST_ASSERT_EQUAL(status, tc_scene_check(scene, &fault));
    TEST_ASSERT_EQUAL(table, fault.table);
    TEST_ASSERT_EQUAL(index, fault.index);
}

static void test_scene_itself_refused(void)
{
    scene_case_mixed(2, 1);
    tc_scene s = sc.scene;
    refuse(TC_ERR_NULL, TC_SCENE_TABLE_SELF, 0, NULL);
    s.dimension = 4;
    refuse(TC_ERR_SIZE, TC_SCENE_TABLE_SELF, 0, &s);
    s = sc.scene;
    s.movers = 0;
    refuse(TC_ERR_SIZE, TC_SCENE_TABLE_SELF, 0, &s);
    s.movers = TC_SCENE_MOVERS_MAX + 1u;
    refuse(TC_ERR_SIZE, TC_SCENE_TABLE_SELF, 0, &s);
    s = sc.scene;
    s.pairs = TC_SCENE_TABLE_MAX + 1u;
    refuse(TC_ERR_SIZE, TC_SCENE_TABLE_SELF, 0, &s);
    s = sc.scene;
    s.limit = NULL;
    refuse(TC_ERR_NULL, TC_SCENE_TABLE_SELF, 0, &s);
    s = sc.scene;
    s.gravity[1] = (tc_real)NAN;
    refuse(TC_ERR_NOT_FINITE, TC_SCENE_TABLE_SELF, 0, &s);
    s.gravity[1] = TC_C(2.0) * TC_CHAIN_GRAVITY_MAX;
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_SELF, 0, &s);
    s = sc.scene;
    s.gravity[2] = TC_C(1.0);
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_SELF, 0, &s);
}

static void test_movers_refused(void)
{
    tc_scene_mover mover[3];
    tc_body2 body = {TC_C(0.0), TC_C(1.0)};
    scene_case_mixed(2, 0);
    tc_scene s = sc.scene;
    memcpy(mover, s.mover, sizeof mover);
    s.mover = mover;
    mover[0].mass = TC_C(0.0);
    refuse(TC_ERR_BODY, TC_SCENE_TABLE_MOVER, 0, &s);
    mover[0].mass = (tc_real)NAN;
    refuse(TC_ERR_NOT_FINITE, TC_SCENE_TABLE_MOVER, 0, &s);
    mover[0].mass = TC_C(1.0);
    mover[1].body2 = &body;
    refuse(TC_ERR_BODY, TC_SCENE_TABLE_MOVER, 1, &s);
    mover[1].body2 = NULL;
    refuse(TC_ERR_NULL, TC_SCENE_TABLE_MOVER, 1, &s);
    mover[1].kind = (tc_scene_kind)7;
    refuse(TC_ERR_UNSUPPORTED, TC_SCENE_TABLE_MOVER, 1, &s);
    mover[1] = sc.scene.mover[1];
    mover[2].chain2 = NULL;
    refuse(TC_ERR_NULL, TC_SCENE_TABLE_MOVER, 2, &s);
}

static void test_surfaces_and_pairs_refused(void)
{
    tc_scene_surface surface[6];
    tc_scene_pair pair[6];
    tc_plane2 plane = {{TC_C(0.0), TC_C(1.1)}, TC_C(0.0)};
    scene_case_mixed(2, 0);
    tc_scene s = sc.scene;
    memcpy(surface, s.surface, sizeof surface);
    memcpy(pair, s.pair, sizeof pair);
    s.surface = surface;
    s.pair = pair;
    surface[2].link = 3;
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_SURFACE, 2, &s);
    surface[2] = sc.scene.surface[2];
    surface[3].plane2 = &plane;
    refuse(TC_ERR_UNIT, TC_SCENE_TABLE_SURFACE, 3, &s);
    surface[3].plane2 = NULL;
    refuse(TC_ERR_NULL, TC_SCENE_TABLE_SURFACE, 3, &s);
    surface[3] = sc.scene.surface[3];
    pair[4].a = 6;
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_PAIR, 4, &s);
    pair[4] = sc.scene.pair[4];
    pair[2].material = 2;
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_PAIR, 2, &s);
    pair[2] = (tc_scene_pair){3, 0, 0}; /* a half space first */
    refuse(TC_ERR_UNSUPPORTED, TC_SCENE_TABLE_PAIR, 2, &s);
    pair[2] = (tc_scene_pair){0, 1, 0}; /* ball on polygon */
    refuse(TC_ERR_UNSUPPORTED, TC_SCENE_TABLE_PAIR, 2, &s);
}

static void test_materials_refused(void)
{
    static const tc_scene_material bad[] = {
        {TC_C(-0.1), TC_C(0.5)}, {TC_C(0.1), TC_C(-0.1)}, {TC_C(0.1), TC_C(1.1)}};
    tc_scene_material material[2] = {{TC_C(0.1), TC_C(0.5)}, {TC_C(0.1), TC_C(0.5)}};
    scene_case_mixed(2, 0);
    tc_scene s = sc.scene;
    s.material = material;
    for (uint32_t i = 0; i < TC_COUNT(bad); ++i) {
        material[1] = bad[i];
        refuse(TC_ERR_RANGE, TC_SCENE_TABLE_MATERIAL, 1, &s);
    }
    material[1].mu = (tc_real)NAN;
    refuse(TC_ERR_NOT_FINITE, TC_SCENE_TABLE_MATERIAL, 1, &s);
}

static void test_ties_refused(void)
{
    tc_scene_joint joint[2];
    tc_scene_limit limit[3];
    tc_scene_spring spring;
    scene_case_mixed(2, 1);
    tc_scene s = sc.scene;
    memcpy(joint, s.joint, sizeof joint);
    memcpy(limit, s.limit, sizeof limit);
    spring = *s.spring;
    s.joint = joint;
    s.limit = limit;
    s.spring = &spring;
    joint[0].length = TC_C(0.0);
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_JOINT, 0, &s);
    joint[0] = sc.scene.joint[0];
    joint[1].b.link = 3;
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_JOINT, 1, &s);
    joint[1].b.link = 2;
    joint[1].b.at[2] = TC_C(0.1); /* out of the plane */
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_JOINT, 1, &s);
    joint[1] = sc.scene.joint[1];
    limit[0].mover = 1; /* no chain */
    refuse(TC_ERR_UNSUPPORTED, TC_SCENE_TABLE_LIMIT, 0, &s);
    limit[0] = sc.scene.limit[0];
    limit[1].low = TC_C(4.0);
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_LIMIT, 1, &s);
    limit[1] = sc.scene.limit[1];
    limit[2].high = (tc_real)NAN;
    refuse(TC_ERR_NOT_FINITE, TC_SCENE_TABLE_LIMIT, 2, &s);
    limit[2] = sc.scene.limit[2];
    spring.stiffness = TC_C(-1.0);
    refuse(TC_ERR_RANGE, TC_SCENE_TABLE_SPRING, 0, &s);
    spring.stiffness = TC_C(1.0);
    refuse(TC_OK, TC_SCENE_TABLE_SELF, 0, &s);
}

static void test_opening_refused(void)
{
    scene_case_mixed(2, 0);
    const size_t needed = tc_scene_work(&sc.scene);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_scene_open(NULL, &placed, work, needed));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_scene_open(&sc.scene, &placed, NULL, needed));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_scene_open(&sc.scene, &placed, work, needed - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_scene_open(&sc.scene, &placed, TEST_ODD(work), needed));
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_open(&sc.scene, &placed, work, needed));
    sc.q[1] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_scene_place(&placed, sc.q, sc.v));
    open_mixed(3, 0);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_scene_place(&placed, sc.q, sc.v));
}

void suite_scene(void)
{
    RUN_TEST(test_gaps_and_rows);
    RUN_TEST(test_joint_rows);
    RUN_TEST(test_no_momentum_between_balls);
    RUN_TEST(test_kinetic_energy_is_that_of_the_parts);
    RUN_TEST(test_deepest_are_kept);
    RUN_TEST(test_gaps_of_limits);
    RUN_TEST(test_where_balls_touch);
    RUN_TEST(test_scene_itself_refused);
    RUN_TEST(test_movers_refused);
    RUN_TEST(test_surfaces_and_pairs_refused);
    RUN_TEST(test_materials_refused);
    RUN_TEST(test_ties_refused);
    RUN_TEST(test_opening_refused);
}
