/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The implicit step in the plane: the minimum of the step's function by an oracle in double,
 * momentum, derivatives, drags, joints, warm and cold starts, faults.
 */
#include "implicit_case.h"
#include "push_scene.h"

#include <math.h>

#ifdef TC_DOUBLE
#define AT_MINIMUM 1e-8 /* [m], [rad] */
#else
#define AT_MINIMUM 4e-6
#endif

#define WORK 900u
#define RECORD 120u
#define STATE 24u
#define TANGENT 18u
#define CONTROL 9u

static const tc_real triangle[6] = {TC_C(-0.06), TC_C(-0.05), TC_C(0.08),
                                    TC_C(-0.04), TC_C(0.0),   TC_C(0.09)};
static tc_implicit_body body[3];
static tc_implicit_piece piece[3];
static tc_implicit_pair pair[3];
static tc_implicit_floor ground[1];
static tc_implicit_scene scene;
static tc_implicit_sizes sizes;
static tc_implicit_info info;
static tc_real work[WORK], record[RECORD], state[STATE], next[STATE], control[CONTROL];

/* Box, rod and triangle, free; a floor far below */
static void three_bodies(void)
{
    scene = tc_implicit_default(tc_implicit2_space());
    memset(body, 0, sizeof body);
    memset(pair, 0, sizeof pair);
    for (uint32_t b = 0; b < 3; ++b) {
        body[b].mass = TC_C(0.5) + TC_C(0.2) * (tc_real)b;
        body[b].inertia[0] = TC_C(0.002) + TC_C(0.001) * (tc_real)b;
        piece[b].body = b;
    }
    const tc_barrier_set sets[3] = {
        {push_box, 4, 0}, {push_rod, 2, TC_C(0.01)}, {triangle, 3, TC_C(0.005)}};
    for (uint32_t b = 0; b < 3; ++b) piece[b].set = sets[b];
    ground[0] = (tc_implicit_floor){{TC_C(0.0), TC_C(1.0), TC_C(0.0)}, TC_C(-0.25), TC_C(0.0)};
    scene.body = body;
    scene.bodies = 3;
    scene.piece = piece;
    scene.pieces = 3;
    scene.pair = pair;
    scene.floor = ground;
    scene.floors = 1;
    scene.pairs = tc_implicit_pairs(&scene, TC_C(0.0), pair, 3);
}

static void checked(void)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_check(&scene, &sizes));
    TEST_ASSERT_TRUE(sizes.work <= WORK && sizes.record <= RECORD && sizes.state <= STATE);
}

/* A random state in which all are apart; close: by some millimetres */
static void random_state(void)
{
    tc_real q[9], v[9];
    do {
        test_fill(q, 9, TC_C(-0.2), TC_C(0.2));
        q[2] *= TC_C(10.0);
        q[5] *= TC_C(10.0);
        q[8] *= TC_C(10.0);
        test_fill(v, 9, TC_C(-0.5), TC_C(0.5));
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
    } while (tc_implicit_step(&scene, state, control, NULL, next, record, work, WORK, &info)
             == TC_ERR_TOUCHING);
}

static tc_status advance(const tc_real *warm)
{
    return tc_implicit_step(&scene, state, control, warm, next, record, work, WORK, &info);
}

/* Servos, damping, drag and friction, as bits of `with` */
static void dress(uint32_t with)
{
    for (uint32_t b = 0; b < 3; ++b) {
        if (with & 1u) {
            body[b].drag = TC_C(0.8);
            body[b].drag_radius = TC_C(0.05);
        }
        if (with & 2u) {
            body[b].drive = TC_IMPLICIT_SERVO;
            body[b].driven = 7u;
            body[b].stiffness[0] = TC_C(60.0);
            body[b].stiffness[1] = TC_C(0.5);
            body[b].damping[0] = TC_C(4.0);
            body[b].damping[1] = TC_C(0.02);
        }
        if (with & 4u) pair[b].friction = TC_C(0.5);
    }
    if (with & 8u) {
        scene.gravity[1] = TC_C(-9.81);
        ground[0].friction = TC_C(0.4);
    }
    if (with & 16u) {
        scene.barrier.kappa = TC_C(100.0);
        scene.barrier.length = TC_C(0.1);
    }
    scene.weight = with & 32u ? TC_C(1e-5) : TC_C(1e-6);
    test_fill(control, CONTROL, TC_C(-0.2), TC_C(0.2));
}

/* The step is the minimum of a function that the oracle computes by itself. */
static void test_step_is_the_minimum(void)
{
    test_seed(17101);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(64); ++round) {
        three_bodies();
        dress(round);
        checked();
        random_state();
        TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
        const double residual = implicit_case_residual(&scene, state, control, next);
        TEST_ASSERT_TRUE_MESSAGE(residual <= AT_MINIMUM, "a freedom's Newton step");
        TEST_ASSERT_TRUE(implicit_case_apart(&scene, next, record) > 0);
    }
}

/* Without floors and drives: linear momentum is kept, angular momentum about the origin is, too,
 * with forces where the bodies end. */
static void test_momentum_is_kept(void)
{
    test_seed(17102);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        three_bodies();
        scene.floors = 0;
        dress(round % 2u ? 4u : 32u);
        checked();
        random_state();
        TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
        double sum[3] = {0, 0, 0}, size = 0;
        for (uint32_t b = 0; b < 3; ++b) {
            const tc_real *x = next + 3 * b, *y = state + 3 * b, *z = state + 9 + 3 * b;
            double change[3];
            for (uint32_t k = 0; k < 3; ++k) {
                const double m = (double)(k < 2 ? body[b].mass : body[b].inertia[0]);
                change[k] = m * ((double)x[k] - 2 * (double)y[k] + (double)z[k]);
                size += fabs(change[k]);
            }
            sum[0] += change[0];
            sum[1] += change[1];
            sum[2] += change[2] + (double)x[0] * change[1] - (double)x[1] * change[0];
        }
        const double tolerance = 20 * (double)TC_EPSILON + 1e-3 * AT_MINIMUM * size;
        const double loose = (round % 2u ? 0.05 : 1e-9) * size + tolerance;
        TEST_ASSERT_TRUE(fabs(sum[0]) <= tolerance && fabs(sum[1]) <= tolerance);
        /* both forces of friction act at material points that have come apart in the step */
        TEST_ASSERT_TRUE(fabs(sum[2]) <= loose);
    }
}

/* A free body coasts and spins on; gravity adds h g to its velocity. */
static void test_far_bodies_coast(void)
{
    three_bodies();
    scene.pairs = 0;
    scene.floors = 0;
    scene.gravity[1] = TC_C(-9.81);
    checked();
    const tc_real q[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};
    const tc_real v[9] = {1, 2, 30, 0, 0, -5, TC_C(-0.5), 0, 0};
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
    TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
    for (uint32_t i = 0; i < 9; ++i) {
        const double h = (double)scene.step;
        const double fall = i % 3 == 1 ? -9.81 * h * h : 0;
        test_near((tc_real)((double)q[i] + h * (double)v[i] + fall), next[i], TC_C(1e-6), 0,
                  "coast");
    }
}

#ifdef TC_DOUBLE
#define DIFFERENCE 1e-6
#define NEAREST 0.002
#else
#define DIFFERENCE 1e-3
#define NEAREST 0.04
#endif

/* Largest error of a column relative to its largest number, by differences of steps */
static double column_error(uint32_t column, const tc_real *A, const tc_real *B)
{
    tc_real moved[STATE], ends[2][STATE], increment[TANGENT], difference[TANGENT], u[CONTROL];
    tc_real other[RECORD];
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
        TEST_ASSERT_TRUE(tc_implicit_step(&scene, moved, u, NULL, ends[s], other, work, WORK, &info)
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
    return worst / fmax(most, 1e-9);
}

/* Columns are the derivatives of steps. Differences of float steps see only smooth scenes: far ones. */
static void test_columns_are_derivatives(void)
{
    tc_real A[TANGENT * TANGENT], B[TANGENT * CONTROL];
    test_seed(17103);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(64); ++round) {
        three_bodies();
#ifdef TC_DOUBLE
        dress(round);
        scene.tolerance = 1e-13;
        const double bound = 1e-5;
#else
        dress(round & 2u);
        scene.weight = TC_C(1e-7);
        const double bound = 0.02;
#endif
        checked();
        random_state();
        if (advance(NULL) != TC_OK || info.gap < (tc_real)NEAREST) continue;
        TEST_ASSERT_EQUAL(
            TC_OK, tc_implicit_columns(&scene, state, control, next, record, A, B, work, WORK));
        for (uint32_t c = 0; c < sizes.tangent + sizes.control; ++c) {
            TEST_ASSERT_TRUE_MESSAGE(column_error(c, A, B) <= bound, "column");
        }
    }
}

/* A pull is a row vector times the columns; state and next gradients may be one array. */
static void test_pull_is_transposed(void)
{
    tc_real A[TANGENT * TANGENT], B[TANGENT * CONTROL], g[TANGENT], back[TANGENT], u[CONTROL];
    test_seed(17104);
    for (uint32_t round = 0; round < TEST_ROUNDS(64); ++round) {
        three_bodies();
        dress(round);
        checked();
        random_state();
        TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
        const uint32_t n = sizes.tangent;
        tc_implicit_columns(&scene, state, control, next, record, A, B, work, WORK);
        test_fill(g, n, TC_C(-1.0), TC_C(1.0));
        memcpy(back, g, sizeof g);
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_pull(&scene, state, control, next, record, back, back,
                                                  u, work, WORK));
        for (uint32_t c = 0; c < n + sizes.control; ++c) {
            double sum = 0, most = 1e-6;
            for (uint32_t i = 0; i < n; ++i) {
                const double a = (double)(c < n ? A[i * n + c] : B[i * sizes.control + c - n]);
                sum += (double)g[i] * a;
                most = fmax(most, fabs((double)g[i] * a));
            }
            const double is = (double)(c < n ? back[c] : u[c - n]);
            TEST_ASSERT_TRUE(fabs(sum - is) <= 2e4 * (double)TC_EPSILON * most);
        }
    }
}

/* A locked freedom does not move, not even where its state says so, and nothing depends on it. */
static void test_locked_freedoms(void)
{
    tc_real A[TANGENT * TANGENT], B[TANGENT * CONTROL];
    test_seed(17111);
    three_bodies();
    dress(3u);
    body[1].locked = 5u;
    checked();
    random_state();
    TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
    TEST_ASSERT_TRUE(next[3] == state[3] && next[5] == state[5] && next[4] != state[4]);
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_implicit_columns(&scene, state, control, next, record, A, B, work, WORK));
    for (uint32_t i = 0; i < sizes.tangent; ++i) {
        for (uint32_t f = 3; f < 6; f += 2) {
            TEST_ASSERT_TRUE(A[i * sizes.tangent + f] == TC_C(0.0));
            TEST_ASSERT_TRUE(A[f * sizes.tangent + i] == TC_C(0.0));
        }
    }
}

/* Small gradients keep their digits: scaling scales the result, exactly by powers of 2. */
static void test_small_gradients(void)
{
    tc_real g[PUSH_TANGENT] = {0}, back[2][PUSH_TANGENT], u[2][PUSH_CONTROL];
    three_bodies();
    scene = push_scene(TC_C(1e-6), TC_C(1.0), TC_C(0.0));
    checked();
    push_start(TC_C(0.8), TC_C(0.6), state);
    memcpy(control, state + 3, 3 * sizeof *control);
    TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
    for (uint32_t s = 0; s < 2; ++s) {
        g[0] = s ? TC_C(0x1p-30) : TC_C(1.0);
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_pull(&scene, state, control, next, record, g, back[s],
                                                  u[s], work, WORK));
    }
    for (uint32_t i = 0; i < 3; ++i) {
        TEST_ASSERT_TRUE(u[1][i] == TC_C(0x1p-30) * u[0][i]);
        TEST_ASSERT_TRUE(u[0][0] != TC_C(0.0));
    }
}

/* Warm and cold starts agree. */
static void test_warm_is_cold(void)
{
    tc_real cold[STATE], kept[RECORD];
    test_seed(17105);
    for (uint32_t round = 0; round < TEST_ROUNDS(64); ++round) {
        three_bodies();
        dress(round);
        checked();
        random_state();
        for (uint32_t k = 0; k < 4; ++k) {
            TEST_ASSERT_TRUE(advance(k ? record : NULL) >= TC_OK);
            memcpy(kept, record, sizeof kept);
            memcpy(cold, next, sizeof cold);
            TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
            for (uint32_t i = 0; i < sizes.coordinates; ++i) {
                test_near(cold[i], next[i], (tc_real)(10 * AT_MINIMUM), 0, "warm and cold");
            }
            memcpy(state, cold, sizeof state);
            memcpy(record, kept, sizeof record);
        }
    }
}

/* Dry friction seen from above: below the limit a push moves the body at less than the smoothing's
 * speed; above it the rest accelerates it. */
static void test_drag_holds_and_slides(void)
{
    for (uint32_t strong = 0; strong < 2; ++strong) {
        three_bodies();
        scene.bodies = scene.pieces = 1;
        scene.pairs = scene.floors = 0;
        body[0].drag = TC_C(1.0);
        body[0].drag_radius = TC_C(0.05);
        body[0].drive = TC_IMPLICIT_FORCE;
        body[0].driven = 3u;
        checked();
        memset(state, 0, sizeof state);
        control[0] = strong ? TC_C(1.5) : TC_C(0.7);
        control[1] = TC_C(0.0);
        TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
        const double h = (double)scene.step, moved = (double)next[0];
        if (!strong)
            TEST_ASSERT_TRUE(moved > 0 && moved < (double)scene.slow * h);
        else
            test_near((tc_real)(0.5 * h * h / 0.5), next[0], TC_C(1e-6), TC_C(0.01), "slides");
        TEST_ASSERT_TRUE(next[1] == TC_C(0.0) && next[2] == TC_C(0.0));
    }
}

/* ---- Joints ---------------------------------------------------------------------------------- */

/* Two links that hang from the world, and the value of their step in double */
static double links_value(const double q[2])
{
    const double h = (double)scene.step;
    double value = 0;
    double at[3][2][3];
    for (uint32_t t = 0; t < 3; ++t) {
        const double a = t == 0 ? q[0] : (double)state[t == 1 ? 0 : 2];
        const double b = a + (t == 0 ? q[1] : (double)state[t == 1 ? 1 : 3]) + 0.3;
        const double one[3] = {0.2 * sin(a), -0.2 * cos(a), a};
        const double two[3] = {0.4 * sin(a) + 0.15 * sin(b), -0.4 * cos(a) - 0.15 * cos(b), b};
        memcpy(at[t][0], one, sizeof one);
        memcpy(at[t][1], two, sizeof two);
    }
    for (uint32_t k = 0; k < 2; ++k) {
        for (uint32_t i = 0; i < 3; ++i) {
            const double m = (double)(i < 2 ? body[k].mass : body[k].inertia[0]);
            const double off = at[0][k][i] - 2 * at[1][k][i] + at[2][k][i];
            value += 0.5 * m * off * off / (h * h);
        }
        value += 9.81 * (double)body[k].mass * at[0][k][1];
    }
    const double off = q[1] - (double)control[0], moved = q[1] - (double)state[1];
    return value + 0.5 * 3 * off * off + 0.5 * 0.1 / h * moved * moved;
}

static void hang_links(void)
{
    three_bodies();
    scene.bodies = 2;
    scene.pieces = scene.pairs = scene.floors = 0;
    scene.gravity[1] = TC_C(-9.81);
    for (uint32_t b = 0; b < 2; ++b) {
        body[b].joint = TC_IMPLICIT_HINGE;
        body[b].parent = b ? 0u : TC_IMPLICIT_WORLD;
        body[b].anchor[1] = b ? TC_C(0.15) : TC_C(0.2);
        body[b].anchor_at[1] = b ? TC_C(-0.2) : TC_C(0.0);
    }
    body[1].rest[0] = TC_C(0.3);
    body[1].drive = TC_IMPLICIT_SERVO;
    body[1].driven = 1u;
    body[1].stiffness[1] = TC_C(3.0);
    body[1].damping[1] = TC_C(0.1);
}

/* Each angle's Newton step by differences is 0. */
static void test_hinges_swing(void)
{
    test_seed(17106);
    for (uint32_t round = 0; round < TEST_ROUNDS(100); ++round) {
        hang_links();
        checked();
        test_fill(state, 2, TC_C(-2.0), TC_C(2.0));
        for (uint32_t i = 0; i < 2; ++i)
            state[2 + i] = state[i] + test_uniform(TC_C(-0.1), TC_C(0.1));
        control[0] = test_uniform(-1, 1);
        TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
        double q[2] = {(double)next[0], (double)next[1]}, by = 1e-5;
        const double here = links_value(q);
        for (uint32_t i = 0; i < 2; ++i) {
            q[i] += by;
            const double up = links_value(q);
            q[i] -= 2 * by;
            const double down = links_value(q);
            q[i] += by;
            const double step = (up - down) / 2 * by / (up - 2 * here + down);
            TEST_ASSERT_TRUE(fabs(step) <= AT_MINIMUM + 1e-7);
        }
    }
}

/* A body that slides along a rail keeps to it; a locked freedom stays. */
static void test_rails_and_locks(void)
{
    three_bodies();
    scene.bodies = 2;
    scene.pieces = scene.pairs = scene.floors = 0;
    scene.gravity[1] = TC_C(-9.81);
    body[0].joint = TC_IMPLICIT_SLIDE;
    body[0].parent = TC_IMPLICIT_WORLD;
    body[0].axis[0] = TC_C(0.6);
    body[0].axis[1] = TC_C(-0.8);
    body[1].locked = 2u;
    checked();
    memset(state, 0, sizeof state);
    TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
    const double h = (double)scene.step;
    test_near((tc_real)(9.81 * 0.8 * h * h), next[0], 0, TC_C(1e-4), "rail");
    TEST_ASSERT_TRUE(next[2] == TC_C(0.0));
}

/* ---- Never through --------------------------------------------------------------------------- */

/* Wild servos drive three bodies into each other: an oracle in double finds them apart. */
static void test_never_through(void)
{
    uint32_t steps = 0;
    test_seed(17107);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(40); ++round) {
        three_bodies();
        dress(2u + (round & 61u));
        scene.step = test_log_uniform(1e-3, 0.3);
        scene.weight = test_log_uniform(1e-9, 1e-3);
        for (uint32_t b = 0; b < 3; ++b) body[b].stiffness[0] = test_log_uniform(1, 1e4);
        checked();
        random_state();
        for (uint32_t k = 0; k < 12; ++k, ++steps) {
            if (k % 4u == 0u) test_fill(control, CONTROL, TC_C(-1.0), TC_C(1.0));
            TEST_ASSERT_TRUE(advance(k ? record : NULL) >= TC_OK);
            TEST_ASSERT_TRUE(implicit_case_apart(&scene, next, record) > 0);
            memcpy(state, next, sizeof state);
        }
    }
    TEST_ASSERT_TRUE(steps > 0);
}

/* A ball at 500 m/s does not pass a thin wall within one step of 0.04 s: it would end 19 m beyond. */
static void test_fast_ball_stops(void)
{
    static const tc_real wall[4] = {TC_C(0.0), TC_C(-1.0), TC_C(0.0), TC_C(1.0)};
    static const tc_real centre[2] = {TC_C(0.0), TC_C(0.0)};
    three_bodies();
    scene.bodies = scene.pieces = 2;
    scene.floors = 0;
    piece[0].set = (tc_barrier_set){wall, 2, TC_C(0.001)};
    piece[1].set = (tc_barrier_set){centre, 1, TC_C(0.02)};
    body[0].joint = TC_IMPLICIT_WELD;
    body[0].parent = TC_IMPLICIT_WORLD;
    scene.pairs = tc_implicit_pairs(&scene, TC_C(0.0), pair, 3);
    TEST_ASSERT_EQUAL_UINT32(1, scene.pairs);
    checked();
    TEST_ASSERT_EQUAL_UINT32(3, sizes.freedoms);
    const tc_real q[3] = {TC_C(-1.0), TC_C(0.1), TC_C(0.0)}, v[3] = {TC_C(500.0), 0, 0};
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
    TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
    TEST_ASSERT_TRUE(next[0] < TC_C(-0.021));
}

/* ---- Balls ----------------------------------------------------------------------------------- */

/* Three balls about their centres; rubbing: a friction of nothing, which makes the step search planes */
static void three_balls(int rubbing)
{
    static const tc_real centre[2] = {TC_C(0.0), TC_C(0.0)};
    three_bodies();
    scene.floors = 0;
    for (uint32_t b = 0; b < 3; ++b) {
        piece[b].set = (tc_barrier_set){centre, 1, TC_C(0.03) + TC_C(0.02) * (tc_real)b};
        pair[b].friction = rubbing ? TC_C(1e-30) : TC_C(0.0);
    }
    checked();
}

static void near_all(const tc_real *is, const tc_real *by, uint32_t n, tc_real share)
{
    double most = 1e-9;
    for (uint32_t i = 0; i < n; ++i) most = fmax(most, fabs((double)by[i]));
    for (uint32_t i = 0; i < n; ++i) test_near(by[i], is[i], share * (tc_real)most, 0, "balls");
}

/* Balls in closed form take the step that a search over planes takes: the next state, the planes, and
 * the derivatives. */
static void test_balls_are_searched(void)
{
    tc_real end[STATE], planes[9], A[2][TANGENT * TANGENT], B[TANGENT * CONTROL];
    uint32_t judged = 0;
    test_seed(17110);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        three_balls(1);
        dress(round & 51u);
        scene.weight = test_log_uniform(1e-6, 1e-2);
        random_state();
        const tc_status status = advance(NULL);
        const tc_real value = info.value, gap = info.gap;
        if (status != TC_OK || gap < (tc_real)NEAREST) continue;
        memcpy(end, next, sizeof end);
        memcpy(planes, record, sizeof planes);
        tc_implicit_columns(&scene, state, control, next, record, A[0], B, work, WORK);
        for (uint32_t b = 0; b < 3; ++b) pair[b].friction = TC_C(0.0);
        checked();
        TEST_ASSERT_EQUAL(TC_OK, advance(NULL));
        near_all(next, end, sizes.coordinates, (tc_real)AT_MINIMUM);
        near_all(record, planes, 9, TC_C(1e3) * (tc_real)AT_MINIMUM);
        test_near(value, info.value, TC_C(64.0) * TC_EPSILON * value, 0, "value");
        test_near(gap, info.gap, (tc_real)AT_MINIMUM, 0, "gap");
        tc_implicit_columns(&scene, state, control, next, record, A[1], B, work, WORK);
        near_all(A[1], A[0], sizes.tangent * sizes.tangent, TC_C(1e3) * (tc_real)AT_MINIMUM);
        ++judged;
    }
    TEST_ASSERT_TRUE(judged > 0);
}

static void two_balls_meet(tc_real aside, tc_real speed)
{
    three_balls(0);
    scene.bodies = scene.pieces = 2;
    scene.pairs = tc_implicit_pairs(&scene, TC_C(0.0), pair, 3);
    checked();
    const tc_real q[6] = {TC_C(-1.0), aside, 0, 0, 0, 0}, v[6] = {speed, 0, 0, 0, 0, 0};
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
    TEST_ASSERT_TRUE(TC_OK <= advance(NULL));
}

/* A ball at 500 m/s does not pass through another within a step, in which it would fly 20 m. Where it
 * misses it, nothing stops it. (Where it hits it off its centre, the search slides round it.) */
static void test_balls_never_through(void)
{
    test_seed(17111);
    for (uint32_t round = 0; round < TEST_ROUNDS(100); ++round) {
        two_balls_meet(TC_C(0.0), test_uniform(TC_C(30.0), TC_C(600.0)));
        TEST_ASSERT_TRUE(next[0] < next[3]);
        const tc_real aside = test_uniform(TC_C(0.082), TC_C(0.2));
        two_balls_meet(round & 1u ? aside : -aside, TC_C(500.0));
        test_near(TC_C(19.0), next[0], TC_C(0.1), 0, "it flies on");
    }
}

static void test_balls_touch(void)
{
    three_balls(0);
    const tc_real q[9] = {0, 0, 0, TC_C(0.3), 0, 0, TC_C(0.3), TC_C(0.11), 0}, v[9] = {0};
    tc_implicit_start(&scene, q, v, state);
    TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, advance(NULL));
    TEST_ASSERT_EQUAL_UINT32(2, info.pair);
    state[7] = TC_C(0.0); /* one centre */
    TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, advance(NULL));
}

/* ---- Faults ---------------------------------------------------------------------------------- */

static void test_touching_is_named(void)
{
    three_bodies();
    checked();
    const tc_real q[9] = {0, 0, 0, TC_C(0.6), 0, 0, TC_C(0.65), 0, 0}, v[9] = {0};
    tc_implicit_start(&scene, q, v, state);
    for (uint32_t i = 0; i < STATE; ++i) next[i] = TC_C(7.0);
    for (uint32_t i = 0; i < RECORD; ++i) record[i] = TC_C(7.0);
    TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, advance(NULL));
    TEST_ASSERT_EQUAL_UINT32(2, info.pair); /* rod and triangle */
    for (uint32_t i = 0; i < STATE; ++i) TEST_ASSERT_TRUE(next[i] == TC_C(7.0));
    for (uint32_t i = 0; i < RECORD; ++i) TEST_ASSERT_TRUE(record[i] == TC_C(7.0));
    state[1] = TC_C(-0.2);
    state[6] = TC_C(2.0);
    TEST_ASSERT_EQUAL(TC_ERR_TOUCHING, advance(NULL));
    TEST_ASSERT_EQUAL_UINT32(3, info.pair); /* the box and the floor */
}

/* NaN in each number of state and control; anything in the warm record */
static void test_numbers_are_checked(void)
{
    three_bodies();
    dress(2u);
    checked();
    test_seed(17108);
    random_state();
    for (uint32_t i = 0; i < sizes.state + sizes.control; ++i) {
        tc_real *const x = i < sizes.state ? &state[i] : &control[i - sizes.state];
        const tc_real kept = *x;
        *x = i % 2u ? (tc_real)NAN : (tc_real)INFINITY;
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, advance(NULL));
        *x = kept;
    }
    for (uint32_t i = 0; i < sizes.record; ++i) record[i] = i % 3u ? (tc_real)NAN : TC_C(1e30);
    TEST_ASSERT_TRUE(advance(record) >= TC_OK);
    TEST_ASSERT_TRUE(implicit_case_apart(&scene, next, record) > 0);
}

static void test_arguments_are_checked(void)
{
    tc_real g[TANGENT] = {0}, u[CONTROL], A[TANGENT * TANGENT], B[TANGENT * CONTROL];
    three_bodies();
    dress(2u);
    checked();
    test_seed(17109);
    random_state();
#define STEP(s, x, c, n, r, w, l) tc_implicit_step(s, x, c, NULL, n, r, w, l, NULL)
    TEST_ASSERT_EQUAL(TC_ERR_NULL, STEP(NULL, state, control, next, record, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, STEP(&scene, NULL, control, next, record, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, STEP(&scene, state, NULL, next, record, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, STEP(&scene, state, control, NULL, record, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, STEP(&scene, state, control, next, NULL, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, STEP(&scene, state, control, next, record, NULL, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      STEP(&scene, state, control, next, record, work, sizes.work - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                      STEP(&scene, state, control, next, record, TEST_ODD(work), WORK));
    TEST_ASSERT_EQUAL(TC_OK, STEP(&scene, state, control, next, record, work, sizes.work));
#define PULL(g0, g1, c, w, l)                                                                      \
    tc_implicit_pull(&scene, state, control, next, record, g0, g1, c, w, l)
    TEST_ASSERT_EQUAL(TC_ERR_NULL, PULL(NULL, g, u, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, PULL(g, NULL, u, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, PULL(g, g, NULL, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_WORK, PULL(g, g, u, work, sizes.work - 1u));
    TEST_ASSERT_EQUAL(TC_OK, PULL(g, g, u, work, sizes.work));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_implicit_columns(&scene, state, control, next, record, NULL,
                                                       B, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_implicit_columns(&scene, state, control, next, record, A,
                                                       NULL, work, WORK));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_implicit_add(&scene, NULL, g, next));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_implicit_difference(&scene, next, NULL, g));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_implicit_start(&scene, NULL, g, next));
}

/* One fault of a scene, and its status */
static void refused(tc_status status)
{
    TEST_ASSERT_EQUAL(status, tc_implicit_check(&scene, &sizes));
    TEST_ASSERT_EQUAL_UINT32(0, sizes.work);
    three_bodies();
}

#define BAD(field, value, status)                                                                  \
    do {                                                                                           \
        three_bodies();                                                                            \
        field = value;                                                                             \
        refused(status);                                                                           \
    } while (0)

static void test_scenes_are_checked(void)
{
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_implicit_check(NULL, &sizes));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_implicit_check(&scene, NULL));
    BAD(scene.space, NULL, TC_ERR_NULL);
    BAD(scene.body, NULL, TC_ERR_NULL);
    BAD(scene.piece, NULL, TC_ERR_NULL);
    BAD(scene.pair, NULL, TC_ERR_NULL);
    BAD(scene.floor, NULL, TC_ERR_NULL);
    BAD(scene.bodies, 0, TC_ERR_SIZE);
    BAD(scene.bodies, TC_IMPLICIT_BODIES_MAX + 1u, TC_ERR_SIZE);
    BAD(scene.step, 0, TC_ERR_RANGE);
    BAD(scene.step, (tc_real)NAN, TC_ERR_NOT_FINITE);
    BAD(scene.weight, TC_C(-1.0), TC_ERR_RANGE);
    BAD(scene.slow, 0, TC_ERR_RANGE);
    BAD(scene.tolerance, 0, TC_ERR_RANGE);
    BAD(scene.iterations, 0, TC_ERR_RANGE);
    BAD(scene.trials, 101u, TC_ERR_RANGE);
    BAD(scene.gravity[0], (tc_real)INFINITY, TC_ERR_NOT_FINITE);
    BAD(scene.barrier.A, TC_C(-1.0), TC_ERR_RANGE);
    BAD(body[1].mass, 0, TC_ERR_BODY);
    BAD(body[1].inertia[0], TC_C(-1.0), TC_ERR_BODY);
    BAD(body[1].mass, (tc_real)NAN, TC_ERR_NOT_FINITE);
    BAD(body[1].joint, TC_IMPLICIT_BALL, TC_ERR_UNSUPPORTED);
    BAD(body[1].joint, (tc_implicit_joint)9, TC_ERR_UNSUPPORTED);
    BAD(body[1].drive, (tc_implicit_drive)9, TC_ERR_UNSUPPORTED);
    BAD(body[1].stiffness[0], TC_C(-1.0), TC_ERR_RANGE);
    BAD(body[1].drag, TC_C(-1.0), TC_ERR_RANGE);
    BAD(piece[1].body, 3u, TC_ERR_SIZE);
    BAD(piece[1].set.count, 0u, TC_ERR_SIZE);
    BAD(piece[1].set.vertices, NULL, TC_ERR_NULL);
    BAD(piece[1].set.radius, TC_C(-1.0), TC_ERR_RANGE);
    BAD(pair[1].a, 3u, TC_ERR_SIZE);
    BAD(pair[1].b, pair[1].a, TC_ERR_SIZE);
    BAD(pair[1].friction, TC_C(-0.1), TC_ERR_RANGE);
    BAD(ground[0].normal[1], TC_C(0.9), TC_ERR_UNIT);
    BAD(ground[0].friction, (tc_real)NAN, TC_ERR_NOT_FINITE);
    three_bodies();
    body[1].joint = TC_IMPLICIT_SLIDE;
    refused(TC_ERR_UNIT);
    body[0].joint = TC_IMPLICIT_HINGE;
    body[0].parent = 1u;
    refused(TC_ERR_SIZE);
}

/* No weight: bodies pass. No iterations left: a note, and a state that is apart. */
static void test_edges(void)
{
    three_bodies();
    test_seed(17110);
    checked();
    random_state();
    scene.weight = TC_C(0.0);
    checked();
    TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
    three_bodies();
    dress(3u);
    scene.iterations = 1u;
    checked();
    random_state();
    TEST_ASSERT_EQUAL(TC_NOTE_LIMIT, advance(NULL));
    TEST_ASSERT_TRUE(implicit_case_apart(&scene, next, record) > 0);
    three_bodies();
    scene.step = TC_C(100.0);
    checked();
    random_state();
    TEST_ASSERT_TRUE(advance(NULL) >= TC_OK);
    TEST_ASSERT_TRUE(implicit_case_apart(&scene, next, record) > 0);
}

void suite_implicit(void)
{
    RUN_TEST(test_step_is_the_minimum);
    RUN_TEST(test_momentum_is_kept);
    RUN_TEST(test_far_bodies_coast);
    RUN_TEST(test_columns_are_derivatives);
    RUN_TEST(test_pull_is_transposed);
    RUN_TEST(test_locked_freedoms);
    RUN_TEST(test_small_gradients);
    RUN_TEST(test_warm_is_cold);
    RUN_TEST(test_drag_holds_and_slides);
    RUN_TEST(test_hinges_swing);
    RUN_TEST(test_rails_and_locks);
    RUN_TEST(test_never_through);
    RUN_TEST(test_fast_ball_stops);
    RUN_TEST(test_balls_are_searched);
    RUN_TEST(test_balls_never_through);
    RUN_TEST(test_balls_touch);
    RUN_TEST(test_touching_is_named);
    RUN_TEST(test_numbers_are_checked);
    RUN_TEST(test_arguments_are_checked);
    RUN_TEST(test_scenes_are_checked);
    RUN_TEST(test_edges);
}
