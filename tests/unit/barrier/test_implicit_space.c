/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The implicit step in space: the minimum by an oracle whose bodies are material points, spin,
 * momentum, derivatives, a tree of joints, rest and friction on a floor, faults.
 */
#include "implicit_case.h"

#include "tc_implicit3.h"

#include <math.h>

#ifdef TC_DOUBLE
#define AT_MINIMUM 1e-8 /* [m], [rad] */
#else
#define AT_MINIMUM 6e-6
#endif

#define WORK 3200u
#define RECORD 240u
#define STATE 28u
#define TANGENT 24u
#define CONTROL 12u
#define PIECES 6u

static tc_real cube[24];
static const tc_real capsule[6] = {TC_C(0.0), TC_C(0.0), TC_C(-0.05),
                                   TC_C(0.0), TC_C(0.0), TC_C(0.05)};
static tc_implicit_body body[PIECES];
static tc_implicit_piece piece[PIECES];
static tc_implicit_pair pair[15];
static tc_implicit_floor ground[1];
static tc_implicit_scene scene;
static tc_implicit_sizes sizes;
static tc_implicit_info info;
static tc_real work[WORK], record[RECORD], state[STATE], next[STATE], control[CONTROL];

static void give_body(uint32_t b, tc_real mass)
{
    memset(&body[b], 0, sizeof body[b]);
    body[b].mass = mass;
    body[b].inertia[0] = TC_C(0.006) * mass;
    body[b].inertia[1] = TC_C(0.007) * mass;
    body[b].inertia[2] = TC_C(0.009) * mass;
    piece[b].body = b;
    piece[b].set = (tc_barrier_set){cube, 8, TC_C(0.005)};
}

/* A cube and a capsule */
static void two_bodies(void)
{
    for (uint32_t i = 0; i < 8; ++i) {
        for (uint32_t k = 0; k < 3; ++k) cube[3 * i + k] = i >> k & 1u ? TC_C(0.1) : TC_C(-0.1);
    }
    scene = tc_implicit_default(tc_implicit3_space());
    memset(pair, 0, sizeof pair);
    give_body(0, TC_C(1.0));
    give_body(1, TC_C(0.5));
    piece[1].set = (tc_barrier_set){capsule, 2, TC_C(0.02)};
    ground[0] = (tc_implicit_floor){{TC_C(0.0), TC_C(0.0), TC_C(1.0)}, TC_C(-0.3), TC_C(0.0)};
    scene.body = body;
    scene.bodies = 2;
    scene.piece = piece;
    scene.pieces = 2;
    scene.pair = pair;
    scene.floor = ground;
    scene.floors = 1;
    scene.pairs = tc_implicit_pairs(&scene, TC_C(0.0), pair, 15);
}

static void checked(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_check(&scene, &sizes));
    TEST_ASSERT_TRUE(sizes.work <= WORK && sizes.record <= RECORD && sizes.state <= STATE);
}

static tc_status advance(const tc_real *warm)
{
    return tc_implicit_step(&scene, state, control, warm, next, record, work, WORK, &info);
}

static void dress(uint32_t with)
{
    for (uint32_t b = 0; b < 2; ++b) {
        if (with & 1u) {
            body[b].drive = TC_IMPLICIT_SERVO;
            body[b].driven = 63u;
            body[b].stiffness[0] = TC_C(60.0);
            body[b].stiffness[1] = TC_C(2.0);
            body[b].damping[0] = TC_C(4.0);
            body[b].damping[1] = TC_C(0.05);
        }
    }
    if (with & 2u) pair[0].friction = TC_C(0.5);
    if (with & 4u) {
        scene.gravity[2] = TC_C(-9.81);
        ground[0].friction = TC_C(0.4);
    }
    if (with & 8u) {
        scene.barrier.kappa = TC_C(100.0);
        scene.barrier.length = TC_C(0.1);
    }
    scene.weight = with & 16u ? TC_C(1e-5) : TC_C(1e-6);
    test_fill(control, CONTROL, TC_C(-0.2), TC_C(0.2));
}

static void random_state(void)
{
    tc_real q[14], v[12];
    do {
        test_fill(q, 14, TC_C(-1.0), TC_C(1.0));
        for (uint32_t b = 0; b < 2; ++b) {
            for (uint32_t k = 0; k < 3; ++k) q[7 * b + k] *= TC_C(0.2);
        }
        test_fill(v, 12, TC_C(-0.5), TC_C(0.5));
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
    } while (advance(NULL) == TC_ERR_TOUCHING);
}

/* Two balls in place of cube and capsule; friction of nothing makes the step search planes. */
static void two_balls(int rubbing)
{
    static const tc_real centre[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    two_bodies();
    for (uint32_t b = 0; b < 2; ++b) {
        piece[b].set = (tc_barrier_set){centre, 1, TC_C(0.04) + TC_C(0.03) * (tc_real)b};
    }
    pair[0].friction = rubbing ? TC_C(1e-30) : TC_C(0.0);
    checked();
}

static void near_all(const tc_real *is, const tc_real *by, uint32_t n, tc_real share)
{
    double most = 1e-9;
    for (uint32_t i = 0; i < n; ++i) most = fmax(most, fabs((double)by[i]));
    for (uint32_t i = 0; i < n; ++i) test_near(by[i], is[i], share * (tc_real)most, 0, "balls");
}

/* Balls in closed form take the step that a search over planes takes, with the same planes and what a
 * gradient becomes when it is pulled back. */
static void test_balls_are_searched(void)
{
    tc_real end[STATE], plane[4], g[TANGENT], back[2][TANGENT], u[CONTROL];
    uint32_t judged = 0;
    test_seed(17121);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        two_balls(1);
        dress(round & 13u);
        scene.weight = test_log_uniform(1e-6, 1e-2);
        checked();
        random_state();
        if (advance(NULL) != TC_OK || info.gap < TC_C(0.04)) continue;
        memcpy(end, next, sizeof end);
        memcpy(plane, record, sizeof plane);
        test_fill(g, sizes.tangent, TC_C(-1.0), TC_C(1.0));
        tc_implicit_pull(&scene, state, control, next, record, g, back[0], u, work, WORK);
        pair[0].friction = TC_C(0.0);
        checked();
        TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
        near_all(next, end, sizes.coordinates, TC_C(2.0) * (tc_real)AT_MINIMUM);
        near_all(record, plane, 4, TC_C(1e3) * (tc_real)AT_MINIMUM);
        tc_implicit_pull(&scene, state, control, next, record, g, back[1], u, work, WORK);
        near_all(back[1], back[0], sizes.tangent, TC_C(1e3) * (tc_real)AT_MINIMUM);
        ++judged;
    }
    TEST_ASSERT_TRUE(judged > 0);
}

/* A fast ball ends before the one that it meets, and flies past one that it misses. */
static void test_balls_never_through(void)
{
    test_seed(17122);
    for (uint32_t round = 0; round < TEST_ROUNDS(60); ++round) {
        const int meets = (round & 1u) == 0u;
        two_balls(0);
        scene.floors = 0;
        checked();
        const tc_real aside = meets ? TC_C(0.0) : test_uniform(TC_C(0.115), TC_C(0.2));
        const tc_real speed = test_uniform(TC_C(100.0), TC_C(600.0));
        const tc_real q[14] = {0, aside, TC_C(-1.0), TC_C(1.0), 0, 0, 0,
                               0, 0,     0,          TC_C(1.0), 0, 0, 0};
        const tc_real v[12] = {0, 0, speed, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
        TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
        if (meets) {
            TEST_ASSERT_TRUE(next[2] < next[9]);
        } else {
            test_near(speed * scene.step - TC_C(1.0), next[2], TC_C(0.05), 0, "it flies on");
        }
    }
}

static void test_step_is_the_minimum(void)
{
    test_seed(17201);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(32); ++round) {
        two_bodies();
        dress(round);
        checked();
        random_state();
        TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
        TEST_ASSERT_TRUE(implicit_case_residual(&scene, state, control, next) <= AT_MINIMUM);
        TEST_ASSERT_TRUE(implicit_case_apart(&scene, next, record) > 0);
    }
}

/* About a principal axis: the material points' distances are least at tan(turn) = sin(a)/(2 - cos(a)),
 * a the turn of the step before. */
static void test_free_spin(void)
{
    for (uint32_t axis = 0; axis < 3; ++axis) {
        two_bodies();
        scene.bodies = scene.pieces = 1;
        scene.pairs = scene.floors = 0;
        checked();
        tc_real q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {1, 2, 3, 0, 0, 0}, increment[TANGENT];
        v[3 + axis] = TC_C(9.0);
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
        TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_difference(&scene, next, state, increment));
        const double a = 9 * (double)scene.step, turn = atan2(sin(a), 2 - cos(a));
        for (uint32_t k = 0; k < 3; ++k) {
            test_near((tc_real)(k == axis ? turn : 0), increment[3 + k], TC_C(1e-6), 0, "spin");
            test_near(v[k] * scene.step, increment[k], TC_C(1e-6), 0, "coast");
        }
    }
}

static void test_momentum_is_kept(void)
{
    test_seed(17202);
    for (uint32_t round = 0; round < TEST_ROUNDS(100); ++round) {
        two_bodies();
        scene.floors = 0;
        dress(round % 2u ? 2u : 16u);
        checked();
        random_state();
        TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
        for (uint32_t k = 0; k < 3; ++k) {
            double sum = 0, size = 0;
            for (uint32_t b = 0; b < 2; ++b) {
                const uint32_t i = 7 * b + k;
                const double change =
                    (double)next[i] - 2 * (double)state[i] + (double)state[14 + i];
                sum += (double)body[b].mass * change;
                size += fabs((double)body[b].mass * change);
            }
            TEST_ASSERT_TRUE(fabs(sum) <= 20 * (double)TC_EPSILON + 1e-3 * AT_MINIMUM * size);
        }
    }
}

/* ---- Derivatives ----------------------------------------------------------------------------- */

#ifdef TC_DOUBLE
#define DIFFERENCE 1e-6
#define BOUND 1e-5
#define SMALL 1e-9
#else
#define DIFFERENCE 2e-3
#define BOUND 0.02
#define SMALL 0.05 /* columns below it are noise by BOUND */
#endif

static double column_error(uint32_t column, const tc_real *A, const tc_real *B)
{
    tc_real moved[STATE], ends[2][STATE], increment[TANGENT], difference[TANGENT], u[CONTROL];
    static tc_real other[RECORD];
    double worst = 0, most = 0;
    const uint32_t n = sizes.tangent;
    for (uint32_t s = 0; s < 2; ++s) {
        memset(increment, 0, sizeof increment);
        memcpy(u, control, sizeof u);
        const tc_real by = (tc_real)(s ? -DIFFERENCE : DIFFERENCE);
        if (column < n)
            increment[column] = by;
        else
            u[column - n] += by;
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_add(&scene, state, increment, moved));
        TEST_ASSERT_TRUE(tc_implicit_step(&scene, moved, u, NULL, ends[s], other, work, WORK, NULL)
                         >= TC_OK);
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_difference(&scene, ends[0], ends[1], difference));
    for (uint32_t i = 0; i < n; ++i) {
        const double by = (double)difference[i] / (2 * DIFFERENCE);
        const double is =
            (double)(column < n ? A[i * n + column] : B[i * sizes.control + column - n]);
        worst = fmax(worst, fabs(by - is));
        most = fmax(most, fabs(by));
    }
    return worst / fmax(most, SMALL);
}

static tc_real A[TANGENT * TANGENT], B[TANGENT * CONTROL];

static void judge_columns(void)
{
    if (advance(NULL) != TC_OK || info.gap < TC_C(0.004)) return;
#ifndef TC_DOUBLE
    if (info.gap < TC_C(0.04)) return;
#endif
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_implicit_columns(&scene, state, control, next, record, A, B, work, WORK));
    for (uint32_t c = 0; c < sizes.tangent + sizes.control; ++c) {
        TEST_ASSERT_TRUE_MESSAGE(column_error(c, A, B) <= BOUND, "column");
    }
}

static void test_columns_are_derivatives(void)
{
    test_seed(17203);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(48); ++round) {
        two_bodies();
#ifdef TC_DOUBLE
        dress(round);
        scene.tolerance = 1e-13;
#else
        dress(round & 1u);
#endif
        if (round % 3u == 2u) {
            body[1].drive = TC_IMPLICIT_FORCE;
            body[1].driven = 45u; /* x, z; turns x, z */
            body[1].damping[1] = TC_C(0.05);
        }
        checked();
        random_state();
        judge_columns();
    }
}

/* ---- A tree ---------------------------------------------------------------------------------- */

/* A trunk with a limb of ball, hinge and slide, and a block that is welded on */
static void plant_tree(void)
{
    two_bodies();
    for (uint32_t b = 0; b < PIECES; ++b) {
        give_body(b, TC_C(1.0));
        if (b == 0u) continue;
        body[b].parent = b == 5u ? 0u : b - 1u;
        body[b].anchor_at[0] = TC_C(0.3);
        body[b].anchor[0] = TC_C(-0.3);
    }
    body[1].joint = TC_IMPLICIT_BALL;
    body[1].rest[0] = TC_C(0.8);
    body[1].rest[3] = TC_C(0.6);
    body[2].joint = TC_IMPLICIT_HINGE;
    body[2].axis[1] = TC_C(0.6);
    body[2].axis[2] = TC_C(0.8);
    body[3].joint = TC_IMPLICIT_SLIDE;
    body[3].axis[0] = TC_C(1.0);
    body[4].joint = TC_IMPLICIT_WELD;
    body[4].parent = TC_IMPLICIT_WORLD;
    body[4].anchor_at[0] = TC_C(-0.7);
    body[5].joint = TC_IMPLICIT_WELD;
    body[5].anchor_at[0] = TC_C(0.0);
    body[5].anchor_at[1] = TC_C(-0.6);
    for (uint32_t b = 0; b < 4; ++b) {
        body[b].drive = b % 2u ? TC_IMPLICIT_SERVO : TC_IMPLICIT_FORCE;
        body[b].driven = b == 1u ? 5u : b == 0u ? 63u : 1u;
        body[b].stiffness[0] = TC_C(100.0);
        body[b].stiffness[1] = TC_C(2.0);
        body[b].damping[0] = TC_C(3.0);
        body[b].damping[1] = TC_C(0.1);
    }
    scene.bodies = scene.pieces = PIECES;
    scene.gravity[2] = TC_C(-9.81);
    ground[0].offset = TC_C(-1.2);
    scene.pairs = tc_implicit_pairs(&scene, TC_C(0.2), pair, 15);
}

static void grow_tree(void)
{
    tc_real q[13], v[11];
    test_fill(q, 13, TC_C(-0.15), TC_C(0.15));
    q[3] = q[7] = TC_C(1.0);
    test_fill(v, 11, TC_C(-0.3), TC_C(0.3));
    test_fill(control, CONTROL, TC_C(-0.3), TC_C(0.3));
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
}

/* Pairs leave out bodies that a joint connects, and those that cannot move against each other. */
static void test_pairs_of_a_tree(void)
{
    plant_tree();
    TEST_ASSERT_EQUAL_UINT32(11, scene.pairs);
    for (uint32_t p = 0; p < scene.pairs; ++p) {
        TEST_ASSERT_TRUE(pair[p].b != pair[p].a + 1u || pair[p].b >= 4u);
    }
    checked();
    TEST_ASSERT_EQUAL_UINT32(11, sizes.freedoms);
    TEST_ASSERT_EQUAL_UINT32(10, sizes.control);
    TEST_ASSERT_EQUAL_UINT32(13, sizes.coordinates);
}

static void test_columns_of_a_tree(void)
{
    test_seed(17204);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(8); ++round) {
        plant_tree();
#ifdef TC_DOUBLE
        scene.tolerance = 1e-13;
#else
        for (uint32_t p = 0; p < scene.pairs; ++p) pair[p].friction = TC_C(0.0);
#endif
        checked();
        grow_tree();
        judge_columns();
    }
}

/* Joints hold: the limb's joints keep their places in both bodies. The linear momentum of a tree
 * without drives changes by gravity alone. */
static void test_tree_keeps_momentum(void)
{
    test_seed(17205);
    for (uint32_t round = 0; round < TEST_ROUNDS(8); ++round) {
        plant_tree();
        for (uint32_t b = 0; b < PIECES; ++b) body[b].drive = TC_IMPLICIT_NONE;
        for (uint32_t b = 0; b < PIECES; ++b) body[b].damping[0] = body[b].damping[1] = TC_C(0.0);
        scene.pairs = scene.floors = 0;
        checked();
        grow_tree();
        TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
        tc_real g[TANGENT], back[TANGENT];
        /* moving everything at the state by x moves everything next by x: A of a shift is a shift */
        for (uint32_t i = 0; i < 3; ++i) {
            memset(g, 0, sizeof g);
            g[i] = TC_C(1.0);
            TEST_ASSERT_EQUAL(TC_OK, tc_implicit_pull(&scene, state, NULL, next, record, g, back,
                                                      NULL, work, WORK));
            for (uint32_t k = 0; k < 3; ++k) {
                test_near(i == k ? TC_C(1.0) : TC_C(0.0), back[k] + back[11 + k], TC_C(2e-4), 0,
                          "shift");
            }
        }
    }
}

/* ---- On a floor ------------------------------------------------------------------------------ */

/* A cube rests where the barrier carries it: 8 vertices, of which 4 are near. Pulled below the limit
 * of friction it creeps at less than the smoothing's speed, above it it slides. */
static void test_rest_and_friction(void)
{
    for (uint32_t strong = 0; strong < 2; ++strong) {
        two_bodies();
        scene.bodies = scene.pieces = 1;
        scene.pairs = 0;
        scene.gravity[2] = TC_C(-9.81);
        ground[0].friction = TC_C(0.5);
        body[0].drive = TC_IMPLICIT_FORCE;
        body[0].driven = 1u;
        checked();
        const double near = sqrt(4e-6 / 9.81);
        tc_real q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
        q[2] = (tc_real)(near + 0.105 - 0.3);
        control[0] = TC_C(0.0);
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
        for (uint32_t k = 0; k < 60; ++k) {
            if (k == 50) test_near(q[2], state[2], TC_C(2e-6), 0, "height");
            if (k == 50) control[0] = strong ? TC_C(6.0) : TC_C(4.0); /* the limit is 4.9 N */
            TEST_ASSERT_TRUE(advance(k ? record : NULL) >= TC_OK);
            memcpy(state, next, sizeof state);
        }
        const double moved = (double)next[0] / (10 * (double)scene.step);
        if (strong)
            TEST_ASSERT_TRUE(moved > 0.1);
        else
            TEST_ASSERT_TRUE(moved > 0 && moved < 2 * (double)scene.slow);
    }
}

/* A fast capsule against a thin plate, and onto the floor */
static void test_nothing_passes(void)
{
    static const tc_real plate[12] = {TC_C(-1.0), TC_C(-1.0), TC_C(0.0), TC_C(1.0),
                                      TC_C(-1.0), TC_C(0.0),  TC_C(1.0), TC_C(1.0),
                                      TC_C(0.0),  TC_C(-1.0), TC_C(1.0), TC_C(0.0)};
    test_seed(17206);
    for (uint32_t round = 0; round < TEST_ROUNDS(40); ++round) {
        two_bodies();
        piece[0].set = (tc_barrier_set){plate, 4, TC_C(0.001)};
        body[0].joint = TC_IMPLICIT_WELD;
        body[0].parent = TC_IMPLICIT_WORLD;
        scene.floors = round % 2u;
        scene.pairs = 1u - round % 2u;
        ground[0].offset = TC_C(0.0);
        scene.weight = test_log_uniform(1e-9, 1e-4);
        checked();
        tc_real q[7] = {0, 0, TC_C(0.5), 1, 0, 0, 0}, v[6];
        test_fill(v, 6, TC_C(-3.0), TC_C(3.0));
        v[2] = -test_log_uniform(1, 1000);
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
        for (uint32_t k = 0; k < 4; ++k) {
            TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
            TEST_ASSERT_TRUE(next[2] > TC_C(0.0));
            memcpy(state, next, sizeof state);
        }
    }
}

/* ---- Coordinates and faults ------------------------------------------------------------------ */

static void test_difference_undoes_add(void)
{
    tc_real increment[TANGENT], moved[STATE], back[TANGENT];
    test_seed(17207);
    plant_tree();
    checked();
    for (uint32_t round = 0; round < TEST_ROUNDS(50); ++round) {
        grow_tree();
        test_fill(increment, sizes.tangent, TC_C(-1.5), TC_C(1.5));
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_add(&scene, state, increment, moved));
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_difference(&scene, moved, state, back));
        for (uint32_t i = 0; i < sizes.tangent; ++i) {
            test_near(increment[i], back[i], TC_C(4e-6), 0, "increment");
        }
    }
}

static void test_scenes_are_checked(void)
{
    plant_tree();
    body[1].rest[0] = TC_C(0.7);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_implicit_check(&scene, &sizes));
    plant_tree();
    body[2].axis[1] = TC_C(0.5);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_implicit_check(&scene, &sizes));
    plant_tree();
    body[0].inertia[2] = TC_C(0.014); /* more than the other two together */
    TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_implicit_check(&scene, &sizes));
    plant_tree();
    body[5].parent = 5u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_implicit_check(&scene, &sizes));
    plant_tree();
    checked();
    grow_tree();
    state[4] += TC_C(0.1);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, advance(NULL));
    tc_real q[13] = {0}, v[11] = {0};
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_implicit_start(&scene, q, v, state));
    q[3] = q[7] = TC_C(2.0);
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
    TEST_ASSERT_TRUE(state[3] == TC_C(1.0));
}

void suite_implicit_space(void)
{
    RUN_TEST(test_balls_are_searched);
    RUN_TEST(test_balls_never_through);
    RUN_TEST(test_step_is_the_minimum);
    RUN_TEST(test_free_spin);
    RUN_TEST(test_momentum_is_kept);
    RUN_TEST(test_columns_are_derivatives);
    RUN_TEST(test_pairs_of_a_tree);
    RUN_TEST(test_columns_of_a_tree);
    RUN_TEST(test_tree_keeps_momentum);
    RUN_TEST(test_rest_and_friction);
    RUN_TEST(test_nothing_passes);
    RUN_TEST(test_difference_undoes_add);
    RUN_TEST(test_scenes_are_checked);
}
