/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What steps of free bodies do in shorter ways, beside the longer ones: the factor of six freedoms, a
 * pull without charts, planes that follow a step instead of being searched at each trial.
 */
#include "test.h"

#include "tc_barrier2.h"
#include "tc_barrier3.h"
#include "tc_implicit2.h"
#include "tc_implicit3.h"
#include "tc_implicit_internal.h"

#include <math.h>

#ifdef TC_DOUBLE
#define SAME 1e-8 /* [m], [rad], of two ways to one minimum */
#define ROUNDED 1e-12
#define TILT 1e-6 /* of a plane that is the best to rounding of its value */
#else
#define SAME 3e-6
#define ROUNDED 2e-5
#define TILT 1e-3
#endif

#define BODIES 3u
#define SIZE_MOST 9u
#define PACKED_MOST (SIZE_MOST * (SIZE_MOST + 1u) / 2u)
#define WORK 1300u
#define RECORD 80u
#define STATE 42u
#define TANGENT 36u
#define CONTROL 9u

static tc_real corner[BODIES][12];
static tc_implicit_body body[BODIES];
static tc_implicit_piece piece[BODIES];
static tc_implicit_pair pair[BODIES];
static tc_implicit_floor far_floor;
static tc_implicit_scene scene;
static tc_implicit_sizes sizes;
static tc_implicit_info info;
static tc_real work[WORK], record[RECORD], state[STATE], next[STATE], control[CONTROL];

/* ---- The factor ------------------------------------------------------------------------------ */

/* A = G G^T + a little, with `zeros` zeros at the beginning of the last row */
static void draw_packed(uint32_t n, uint32_t zeros, tc_real *packed)
{
    tc_real G[SIZE_MOST * SIZE_MOST];
    test_fill(G, n * n, TC_C(-1.0), TC_C(1.0));
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            tc_real sum = i == j ? TC_C(0.1) : TC_C(0.0);
            for (uint32_t k = 0; k < n; ++k) sum += G[i * n + k] * G[j * n + k];
            *packed++ = i + 1u == n && j < zeros ? TC_C(0.0) : sum;
        }
    }
}

static double element_of(const tc_real *packed, uint32_t i, uint32_t j)
{
    return (double)packed[i >= j ? i * (i + 1u) / 2u + j : j * (j + 1u) / 2u + i];
}

/* L's diagonal holds reciprocals. */
static double row_of_factor(const tc_real *L, uint32_t i, uint32_t j)
{
    return i == j ? 1 / element_of(L, i, i) : element_of(L, i, j);
}

static void test_factor_is_choleskys(void)
{
    tc_real packed[PACKED_MOST], L[PACKED_MOST], starts[SIZE_MOST], x[SIZE_MOST], b[SIZE_MOST];
    test_seed(17601);
    for (uint32_t round = 0; round < TEST_ROUNDS(400); ++round) {
        const uint32_t n = round % 3u == 0u ? 6u : 1u + test_below(SIZE_MOST);
        draw_packed(n, test_below(n), packed);
        if (!tci_implicit_factor(packed, n, L, starts)) continue;
        for (uint32_t i = 0; i < n; ++i) {
            for (uint32_t j = 0; j <= i; ++j) {
                double sum = 0;
                for (uint32_t k = 0; k <= j; ++k)
                    sum += row_of_factor(L, i, k) * row_of_factor(L, j, k);
                TEST_ASSERT_TRUE(fabs(sum - element_of(packed, i, j)) <= ROUNDED);
            }
        }
        test_fill(b, n, TC_C(-1.0), TC_C(1.0));
        memcpy(x, b, n * sizeof *x);
        tci_implicit_solve(L, n, x);
        for (uint32_t i = 0; i < n; ++i) {
            double left = (double)b[i], size = 1;
            for (uint32_t j = 0; j < n; ++j) {
                left -= element_of(packed, i, j) * (double)x[j];
                size += fabs(element_of(packed, i, j) * (double)x[j]);
            }
            TEST_ASSERT_TRUE(fabs(left) <= ROUNDED * size);
        }
    }
}

/* A matrix with one negative eigenvalue, or of less than full rank, or with NaN */
static void test_factor_refuses(void)
{
    tc_real packed[PACKED_MOST], L[PACKED_MOST], starts[SIZE_MOST];
    test_seed(17602);
    for (uint32_t round = 0; round < TEST_ROUNDS(60); ++round) {
        const uint32_t n = round & 1u ? 6u : 2u + test_below(SIZE_MOST - 1u), bad = test_below(n);
        draw_packed(n, 0u, packed);
        tc_real *const cell = packed + bad * (bad + 1u) / 2u + bad;
        const tc_real diagonals[4] = {-*cell, TC_C(0.0), TC_C(-0.0), (tc_real)NAN};
        *cell = diagonals[test_below(4u)];
        TEST_ASSERT_FALSE(tci_implicit_factor(packed, n, L, starts));
    }
    for (uint32_t i = 0; i < 21u; ++i) packed[i] = TC_C(1.0);
    TEST_ASSERT_FALSE(tci_implicit_factor(packed, 6u, L, starts));
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* A box and rods beside each other along x, their pieces apart by a random gap; pairs told in a random
 * order. The third body, if any, is far away. */
static void draw_scene(uint32_t d, uint32_t bodies)
{
    scene = tc_implicit_default(d == 2u ? tc_implicit2_space() : tc_implicit3_space());
    memset(body, 0, sizeof body);
    test_fill(corner[0], sizeof corner / sizeof corner[0][0], TC_C(-0.1), TC_C(0.1));
    for (uint32_t b = 0; b < bodies; ++b) {
        body[b].mass = test_uniform(TC_C(0.2), TC_C(1.0));
        for (uint32_t k = 0; k < 3u; ++k) {
            body[b].inertia[k] = body[b].mass * test_uniform(TC_C(0.004), TC_C(0.007));
        }
        piece[b] = (tc_implicit_piece){{corner[b], b == 1u ? 2u : 4u, TC_C(0.01)}, b};
    }
    for (uint32_t p = 0; p < BODIES; ++p) {
        const uint32_t a = p < 2u ? 0u : 1u, b = p < 1u ? 1u : 2u;
        const int swapped = (int)test_below(2u);
        pair[p] = (tc_implicit_pair){swapped ? b : a, swapped ? a : b, TC_C(0.0)};
    }
    scene.body = body;
    scene.piece = piece;
    scene.pair = pair;
    scene.bodies = scene.pieces = bodies;
    scene.pairs = bodies * (bodies - 1u) / 2u;
    scene.floor = &far_floor;
}

/* Bodies at rest but the second, which moves to the first */
static void draw_place(void)
{
    const uint32_t d = scene.space->dimension, F = scene.space->chart, C = d == 2u ? 3u : 7u;
    tc_real q[7u * BODIES] = {TC_C(0.0)}, v[6u * BODIES] = {TC_C(0.0)};
    for (uint32_t b = 0; b < scene.bodies; ++b) {
        q[C * b] = (b == 1u ? test_uniform(TC_C(0.25), TC_C(0.4)) : TC_C(-1.0) * (tc_real)b);
        q[C * b + d] = d == 3u ? TC_C(1.0) : test_uniform(TC_C(-3.0), TC_C(3.0));
    }
    test_fill(v + F, F, TC_C(-0.2), TC_C(0.2));
    v[F] = test_uniform(TC_C(-3.0), TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_check(&scene, &sizes));
    TEST_ASSERT_TRUE(sizes.work <= WORK && sizes.record <= RECORD && sizes.state <= STATE);
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_start(&scene, q, v, state));
}

static void draw_drives(void)
{
    for (uint32_t b = 0; b < scene.bodies; ++b) {
        body[b].drive = (tc_implicit_drive)test_below(3u);
        body[b].driven = test_below(8u);
        body[b].locked = test_below(4u) == 0u ? test_below(7u) : 0u;
        for (uint32_t k = 0; k < 2u; ++k) {
            body[b].stiffness[k] = test_uniform(TC_C(0.0), TC_C(50.0));
            body[b].damping[k] = test_below(2u) ? test_uniform(TC_C(0.0), TC_C(5.0)) : TC_C(0.0);
        }
        body[b].drag = test_below(2u) ? test_uniform(TC_C(0.0), TC_C(2.0)) : TC_C(0.0);
        body[b].drag_radius = TC_C(0.08);
    }
    test_fill(control, CONTROL, TC_C(-0.3), TC_C(0.3));
}

static tc_status advance(tc_real *to)
{
    return tc_implicit_step(&scene, state, control, NULL, to, record, work, WORK, &info);
}

/* ---- A pull without charts ------------------------------------------------------------------- */

/* A floor with friction far below presses nothing, but makes a pull take all its charts. */
static void set_far_floor(int there)
{
    far_floor = (tc_implicit_floor){{TC_C(0.0), TC_C(1.0)}, TC_C(-1e5), TC_C(1e-20)};
    scene.floors = (uint32_t)there;
}

static void pull_as_told(int floor, const tc_real *pulled, tc_real *by_state, tc_real *by_control)
{
    set_far_floor(floor);
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_check(&scene, &sizes));
    TEST_ASSERT_EQUAL(TC_OK, tc_implicit_pull(&scene, state, control, next, record, pulled,
                                              by_state, by_control, work, sizes.work));
}

static void test_pulls_agree(void)
{
    tc_real pulled[TANGENT], by_state[2][TANGENT], by_control[2][CONTROL];
    test_seed(17603);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        draw_scene(2u, 1u + round % BODIES);
        draw_drives();
        set_far_floor(0);
        draw_place();
        if (advance(next) < TC_OK) continue;
        test_fill(pulled, sizes.tangent, TC_C(-1.0), TC_C(1.0));
        for (int k = 0; k < 2; ++k) pull_as_told(k, pulled, by_state[k], by_control[k]);
        for (uint32_t i = 0; i < sizes.tangent; ++i) {
            test_near(by_state[0][i], by_state[1][i], TC_C(1e-5), TC_C(1e-4), "by the state");
        }
        for (uint32_t i = 0; i < sizes.control; ++i) {
            test_near(by_control[0][i], by_control[1][i], TC_C(1e-5), TC_C(1e-4), "by the control");
        }
        /* in place */
        pull_as_told(0, pulled, pulled, by_control[1]);
        test_same(by_state[0], pulled, sizes.tangent, "in place");
    }
}

static void test_columns_are_pulls(void)
{
    static tc_real A[18u * 18u], B[18u * CONTROL];
    test_seed(17604);
    for (uint32_t round = 0; round < TEST_ROUNDS(40); ++round) {
        draw_scene(2u, 1u + round % BODIES);
        draw_drives();
        set_far_floor(0);
        draw_place();
        if (advance(next) < TC_OK) continue;
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_columns(&scene, state, control, next, record, A, B,
                                                     work, sizes.work));
        const uint32_t row = test_below(sizes.freedoms);
        tc_real unit[18] = {TC_C(0.0)}, by_state[18], by_control[CONTROL];
        unit[row] = TC_C(1.0);
        pull_as_told(0, unit, by_state, by_control);
        test_same(by_state, A + row * sizes.tangent, sizes.tangent, "a row of A");
        if (sizes.control == 0u) continue;
        test_same(by_control, B + row * sizes.control, sizes.control, "a row of B");
    }
}

/* Which piece of a pair is told first does not matter to derivatives. */
static void test_order_of_a_pair(void)
{
    tc_real pulled[TANGENT], by_state[2][TANGENT], by_control[2][CONTROL];
    uint32_t compared = 0;
    test_seed(17608);
    for (uint32_t round = 0; round < TEST_ROUNDS(100); ++round) {
        draw_scene(2u, 2u);
        set_far_floor(0);
        draw_place();
        scene.weight = test_log_uniform(1e-5, 1e-3);
        test_fill(pulled, sizes.tangent, TC_C(-1.0), TC_C(1.0));
        int solved = 1;
        for (uint32_t k = 0; k < 2u; ++k) {
            pair[0] = (tc_implicit_pair){k, 1u - k, TC_C(0.0)};
            solved &= advance(next) == TC_OK;
            pull_as_told(0, pulled, by_state[k], by_control[k]);
        }
        if (!solved) continue;
        for (uint32_t i = 0; i < sizes.tangent; ++i) {
            test_near(by_state[0][i], by_state[1][i], TC_C(3e-3), TC_C(3e-3), "by the state");
        }
        ++compared;
    }
    TEST_ASSERT_TRUE(compared > 0u);
}

/* The length that a pull wants is that of tc_implicit_measure. */
static void test_pull_checks_its_work(void)
{
    tc_real pulled[TANGENT] = {TC_C(0.0)}, by_control[CONTROL];
    test_seed(17605);
    for (uint32_t bodies = 1u; bodies <= BODIES; ++bodies) {
        for (uint32_t d = 2u; d <= 3u; ++d) {
            draw_scene(d, d == 2u ? bodies : 2u);
            for (uint32_t k = 0; k < 2u; ++k) {
                set_far_floor((int)k);
                tc_implicit_measure(&scene, &sizes);
                TEST_ASSERT_EQUAL_size_t(sizes.work, tci_implicit_length(&scene));
            }
        }
        draw_scene(2u, bodies);
        body[0].drive = TC_IMPLICIT_FORCE;
        body[0].driven = 2u;
        set_far_floor(0);
        draw_place();
        TEST_ASSERT_TRUE(advance(next) >= TC_OK);
        TEST_ASSERT_EQUAL(TC_ERR_WORK,
                          tc_implicit_pull(&scene, state, control, next, record, pulled, pulled,
                                           by_control, work, sizes.work - 1u));
        TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_implicit_pull(&scene, state, NULL, next, record, pulled,
                                                        pulled, by_control, work, sizes.work));
        TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_implicit_pull(&scene, state, control, next, record,
                                                        pulled, pulled, NULL, work, sizes.work));
        TEST_ASSERT_EQUAL(TC_ERR_NULL,
                          tc_implicit_pull(&scene, state, control, NULL, record, pulled, pulled,
                                           by_control, work, sizes.work));
    }
}

/* ---- Six freedoms and more ------------------------------------------------------------------- */

/* A third body far away makes nine freedoms of six, and changes nothing: its push is below rounding. */
static void test_far_body_changes_nothing(void)
{
    tc_real alone[STATE];
    uint32_t compared = 0;
    test_seed(17606);
    for (uint32_t round = 0; round < TEST_ROUNDS(150); ++round) {
        draw_scene(2u, 3u);
        draw_drives();
        body[2].drive = TC_IMPLICIT_NONE;
        scene.weight = TC_C(1e-9);
        scene.barrier.kappa = TC_C(0.0);
        set_far_floor(0);
        draw_place();
        if (advance(next) != TC_OK) continue;
        memcpy(alone, next, sizeof alone);
        for (uint32_t i = 0; i < 6u; ++i) state[6u + i] = state[9u + i];
        scene.bodies = scene.pieces = 2u;
        scene.pairs = 1u;
        TEST_ASSERT_EQUAL(TC_OK, tc_implicit_check(&scene, &sizes));
        TEST_ASSERT_EQUAL(TC_OK, advance(next));
        for (uint32_t i = 0; i < 6u; ++i) {
            test_near(alone[i], next[i], (tc_real)SAME, TC_C(0.0), "two bodies of three");
        }
        ++compared;
    }
    TEST_ASSERT_TRUE(compared > 0u);
}

/* ---- Planes that follow ---------------------------------------------------------------------- */

static tc_status best_plane2(tc_real plane[3])
{
    tc_barrier2_pose at[2];
    tc_barrier2_plane best = {{TC_C(0.0), TC_C(0.0)}, TC_C(0.0)};
    tc_barrier2_pair found;
    for (uint32_t k = 0; k < 2u; ++k) {
        const uint32_t b = k == 0u ? pair[0].a : pair[0].b;
        const tc_real *const q = next + 3u * b;
        at[k] = (tc_barrier2_pose){
            (tc_real)cos((double)q[2]), (tc_real)sin((double)q[2]), {q[0], q[1]}};
    }
    const tc_status status = tc_barrier2_solve(&scene.barrier, &piece[pair[0].a].set, &at[0],
                                               &piece[pair[0].b].set, &at[1], &best, &found);
    memcpy(plane, best.normal, sizeof best.normal);
    plane[2] = best.offset;
    return status;
}

/* However far the poses went, the record's plane is the best one's. */
static void test_planes_are_the_best(void)
{
    tc_real plane[3];
    uint32_t compared = 0;
    test_seed(17607);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        draw_scene(2u, 2u);
        draw_drives();
        set_far_floor(0);
        draw_place();
        scene.weight = test_log_uniform(1e-7, 1e-4);
        if (advance(next) != TC_OK || best_plane2(plane) != TC_OK) continue;
        for (uint32_t i = 0; i < 3u; ++i) {
            test_near(plane[i], record[i], (tc_real)TILT, TC_C(0.0), "the record's plane");
        }
        ++compared;
    }
    TEST_ASSERT_TRUE(compared > TEST_ROUNDS(200) / 2u);
}

void suite_implicit_free(void)
{
    RUN_TEST(test_factor_is_choleskys);
    RUN_TEST(test_factor_refuses);
    RUN_TEST(test_pulls_agree);
    RUN_TEST(test_columns_are_pulls);
    RUN_TEST(test_order_of_a_pair);
    RUN_TEST(test_pull_checks_its_work);
    RUN_TEST(test_far_body_changes_nothing);
    RUN_TEST(test_planes_are_the_best);
}
