/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Spatial chains against another algorithm, in double: positions by multiplying matrices from the root to the tip, and
 * everything else as differences of those positions. No velocity, Jacobian or composite body of tc_chain3.c is in it.
 *
 *   J_ik   = d c_i / d q_k,  and the turn per unit rate from R(q + e) R(q - e)^T
 *   M      = sum over links of m J^T J + W^T I W
 *   forces = sum over links of J^T m (g - a) - W^T dL/dt,  a and dL/dt along q + t qd
 *
 * Tolerances: differences of double leave 1e-6; float has 2e-5 of the largest entry of a mass matrix, and 5e-5 of the
 * sum of magnitudes for forces.
 */
#include "test.h"

#include "tc_chain3.h"

#include <math.h>

#define DOF TC_CHAIN3_DOF

static tc_chain3_link links[TC_CHAIN_MAX];
static tc_chain3 chain;
static tc_chain3_motion motion;
static tc_real q[DOF + 1u], qd[DOF];
static uint32_t dof, floating;

/* ---- Chains ------------------------------------------------------------------------------------- */

static void draw_unit(tc_real *x, uint32_t n)
{
    double square = 0;
    test_fill(x, n, TC_C(-1.0), TC_C(1.0));
    x[0] += x[0] < TC_C(0.0) ? TC_C(-0.2) : TC_C(0.2);
    for (uint32_t k = 0; k < n; ++k) {
        square += (double)x[k] * (double)x[k];
    }
    for (uint32_t k = 0; k < n; ++k) {
        x[k] = (tc_real)((double)x[k] / sqrt(square));
    }
}

static void draw_chain(uint32_t count, uint32_t is_floating)
{
    memset(links, 0, sizeof links);
    for (uint32_t i = 0; i < count; ++i) {
        tc_chain3_link *const link = &links[i];
        link->body.mass = test_uniform(TC_C(0.3), TC_C(3.0));
        test_fill(link->body.inertia, 3, TC_C(0.01), TC_C(0.3));
        link->joint = i == 0u && is_floating ? TC_CHAIN_FREE
                      : test_below(3) == 0u  ? TC_CHAIN_PRISMATIC
                                             : TC_CHAIN_REVOLUTE;
        test_fill(link->anchor, 3, TC_C(-0.3), TC_C(0.3));
        test_fill(link->arm, 3, TC_C(-0.3), TC_C(0.3));
        draw_unit(link->axis, 3);
        draw_unit(link->rest, 4);
    }
    chain.count = count;
    chain.links = links;
    test_fill(chain.gravity, 3, TC_C(-9.81), TC_C(9.81));
    floating = is_floating;
    dof = tc_chain3_dof(&chain, count);
    test_fill(q, dof + floating, TC_C(-1.0), TC_C(1.0));
    test_fill(qd, dof, TC_C(-1.0), TC_C(1.0));
    if (floating) {
        draw_unit(q + 3, 4);
    }
}

static void draw_moving(uint32_t count, uint32_t is_floating)
{
    draw_chain(count, is_floating);
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_check(&chain));
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&chain, q, qd, &motion));
}

/* ---- Positions in double ------------------------------------------------------------------------ */

typedef struct pose {
    double at[3], R[9];
} pose;

/* c = a b, of 3 x 3; c is neither of them */
static void product(const double *a, const double *b, double *c)
{
    for (uint32_t i = 0; i < 9u; ++i) {
        c[i] = a[i / 3u * 3u] * b[i % 3u] + a[i / 3u * 3u + 1u] * b[3u + i % 3u]
               + a[i / 3u * 3u + 2u] * b[6u + i % 3u];
    }
}

/* Rodrigues: exp of an angle about a unit axis */
static void turn_about(const double axis[3], double angle, double R[9])
{
    const double K[9] = {0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0};
    double K2[9];
    product(K, K, K2);
    for (uint32_t i = 0; i < 9u; ++i) {
        R[i] = (i % 4u == 0u ? 1.0 : 0.0) + sin(angle) * K[i] + (1.0 - cos(angle)) * K2[i];
    }
}

/* A unit quaternion is a turn by twice the angle of its parts. */
static void turn_by(const tc_real x[4], double R[9])
{
    const double v[3] = {(double)x[1], (double)x[2], (double)x[3]};
    const double sine = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double axis[3] = {sine > 0 ? v[0] / sine : 1.0, sine > 0 ? v[1] / sine : 0,
                            sine > 0 ? v[2] / sine : 0};
    turn_about(axis, 2.0 * atan2(sine, (double)x[0]), R);
}

static void add_turned(const pose *by, const tc_real *x, double scale, double to[3])
{
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            to[i] += scale * by->R[3u * i + j] * (double)x[j];
        }
    }
}

/* Root of a floating chain, moved by `rates` times t from q. */
static void place_root(const double *rates, double t, pose *root)
{
    double start[9], turn[9], axis[3];
    const double speed = sqrt(rates[3] * rates[3] + rates[4] * rates[4] + rates[5] * rates[5]);
    for (uint32_t k = 0; k < 3u; ++k) {
        root->at[k] = (double)q[k] + t * rates[k];
        axis[k] = speed > 0 ? rates[3u + k] / speed : k == 0u;
    }
    turn_by(q + 3, start);
    turn_about(axis, t * speed, turn);
    product(turn, start, root->R);
}

/* Where the links are after `rates` times t from q; a floating root turns about its axis in the world. */
static void place_links(const double *rates, double t, pose *all)
{
    for (uint32_t i = 0; i < chain.count; ++i) {
        const tc_chain3_link *const link = &links[i];
        static const pose world = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        const uint32_t k = i + 5u * floating;
        pose here = i == 0u ? world : all[i - 1u];
        double rest[9], half[9], turn[9];
        if (i == 0u && floating) {
            place_root(rates, t, &all[0]);
            continue;
        }
        const double moved = (double)q[k + floating] + t * rates[k];
        const double axis[3] = {(double)link->axis[0], (double)link->axis[1],
                                (double)link->axis[2]};
        add_turned(&here, link->anchor, 1.0, here.at);
        if (link->joint == TC_CHAIN_PRISMATIC) {
            add_turned(&here, link->axis, moved, here.at);
        }
        turn_by(link->rest, rest);
        turn_about(axis, link->joint == TC_CHAIN_PRISMATIC ? 0.0 : moved, turn);
        product(here.R, turn, half);
        product(half, rest, here.R);
        all[i] = here;
        add_turned(&here, link->arm, 1.0, all[i].at);
    }
}

/* ---- Its differences ---------------------------------------------------------------------------- */

#define STEP 1e-4

static pose before[TC_CHAIN_MAX], now[TC_CHAIN_MAX], after[TC_CHAIN_MAX];

/* Velocity and turn rate of link i between before and after, 2 STEP apart */
static void rate_of(uint32_t i, double v[6])
{
    double back[9], turned[9];
    for (uint32_t k = 0; k < 9u; ++k) {
        back[k] = before[i].R[k % 3u * 3u + k / 3u];
    }
    product(after[i].R, back, turned);
    for (uint32_t k = 0; k < 3u; ++k) {
        const uint32_t x = (k + 1u) % 3u, y = (k + 2u) % 3u;
        v[k] = (after[i].at[k] - before[i].at[k]) / (2.0 * STEP);
        v[3u + k] = (turned[3u * y + x] - turned[3u * x + y]) / (4.0 * STEP);
    }
}

/* Angular momentum about the link's own centre of mass: R I R^T omega */
static void spin_of(uint32_t i, const double R[9], const double omega[3], double L[3])
{
    double own[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        own[k] = (double)links[i].body.inertia[k]
                 * (R[k] * omega[0] + R[3u + k] * omega[1] + R[6u + k] * omega[2]);
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        L[k] = R[3u * k] * own[0] + R[3u * k + 1u] * own[1] + R[3u * k + 2u] * own[2];
    }
}

static double columns[TC_CHAIN_MAX][DOF][6];

static void take_columns(void)
{
    for (uint32_t k = 0; k < dof; ++k) {
        double rates[DOF] = {0};
        rates[k] = 1.0;
        place_links(rates, -STEP, before);
        place_links(rates, STEP, after);
        for (uint32_t i = 0; i < chain.count; ++i) {
            rate_of(i, columns[i][k]);
        }
    }
}

static double dot(const double *a, const double *b, uint32_t n)
{
    double sum = 0;
    for (uint32_t k = 0; k < n; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* ---- Tests -------------------------------------------------------------------------------------- */

static void test_poses_and_velocities(void)
{
    test_seed(421);
    for (uint32_t round = 0; round < TEST_ROUNDS(24u); ++round) {
        double rates[DOF];
        draw_moving(1u + round % TC_CHAIN_MAX, round / TC_CHAIN_MAX % 2u);
        for (uint32_t k = 0; k < dof; ++k) {
            rates[k] = (double)qd[k];
        }
        place_links(rates, 0.0, now);
        place_links(rates, -STEP, before);
        place_links(rates, STEP, after);
        for (uint32_t i = 0; i < chain.count; ++i) {
            const tc_chain3_link_motion *const link = &motion.link[i];
            double v[6];
            tc_real R[9] = {0};
            rate_of(i, v);
            for (uint32_t k = 0; k < 3u; ++k) {
                const tc_real at = motion.origin[k] + link->position[k];
                const double a =
                    (after[i].at[k] - 2.0 * now[i].at[k] + before[i].at[k]) / (STEP * STEP);
                test_near((tc_real)now[i].at[k], at, TC_C(3e-6), TC_C(1e-6), "position");
                test_near((tc_real)v[k], link->velocity[k], TC_C(2e-5), TC_C(2e-6), "velocity");
                test_near((tc_real)v[3u + k], link->velocity[3u + k], TC_C(1e-5), TC_C(2e-6),
                          "omega");
                test_near((tc_real)a, link->acceleration[k], TC_C(2e-4), TC_C(1e-5),
                          "acceleration");
            }
            double turned[9];
            turn_by(link->orientation, turned);
            for (uint32_t k = 0; k < 9u; ++k) {
                R[k] = (tc_real)turned[k];
                test_near((tc_real)now[i].R[k], R[k], TC_C(4e-6), 0, "orientation");
            }
        }
    }
}

/* Of the first `links` links, for each number of them. Catches: a link that is summed too often or not at all. */
static void test_mass_matrices_of_each_part(void)
{
    test_seed(422);
    for (uint32_t round = 0; round < TEST_ROUNDS(12u); ++round) {
        draw_moving(TC_CHAIN_MAX - 2u * (round % 2u), round / 2u % 2u);
        take_columns();
        for (uint32_t some = 1; some <= chain.count; ++some) {
            tc_real M[DOF * DOF], J[6u * DOF];
            const uint32_t n = tc_chain3_dof(&chain, some);
            double largest = 0, expected[DOF * DOF] = {0};
            static const double still[DOF];
            place_links(still, 0.0, now);
            for (uint32_t e = 0; e < n * n; ++e) {
                for (uint32_t i = 0; i < some; ++i) {
                    double L[3];
                    spin_of(i, now[i].R, columns[i][e % n] + 3, L);
                    expected[e] +=
                        (double)links[i].body.mass * dot(columns[i][e / n], columns[i][e % n], 3)
                        + dot(columns[i][e / n] + 3, L, 3);
                }
                largest = fmax(largest, fabs(expected[e]));
            }
            tc_chain3_mass_matrix(&chain, &motion, some, M);
            tc_chain3_jacobian(&motion, some - 1u, J);
            for (uint32_t e = 0; e < n * n; ++e) {
                test_near((tc_real)expected[e], M[e], (tc_real)(2e-5 * largest), 0, "mass matrix");
            }
            for (uint32_t e = 0; e < 6u * n; ++e) {
                test_near((tc_real)columns[some - 1u][e % n][e / n], J[e], TC_C(2e-5), TC_C(1e-5),
                          "Jacobian");
            }
        }
    }
}

/* Catches: a gyroscopic or a Coriolis term of the wrong sign, gravity on a part of the chain only. */
static void test_forces_of_each_part(void)
{
    test_seed(423);
    for (uint32_t round = 0; round < TEST_ROUNDS(16u); ++round) {
        double rates[DOF], force[TC_CHAIN_MAX][6];
        draw_moving(1u + round % TC_CHAIN_MAX, round / TC_CHAIN_MAX % 2u);
        take_columns();
        for (uint32_t k = 0; k < dof; ++k) {
            rates[k] = (double)qd[k];
        }
        memset(force, 0, sizeof force);
        for (int side = -1; side <= 1;
             side += 2) { /* dL/dt: L a STEP before and after, each by differences again */
            pose at[TC_CHAIN_MAX];
            place_links(rates, side * 10.0 * STEP, at);
            place_links(rates, side * 10.0 * STEP - STEP, before);
            place_links(rates, side * 10.0 * STEP + STEP, after);
            for (uint32_t i = 0; i < chain.count; ++i) {
                double v[6], L[3];
                rate_of(i, v);
                spin_of(i, at[i].R, v + 3, L);
                for (uint32_t k = 0; k < 3u; ++k) {
                    const double per = side / (20.0 * STEP);
                    force[i][k] +=
                        (double)links[i].body.mass * ((double)chain.gravity[k] / 2.0 - per * v[k]);
                    force[i][3u + k] -= per * L[k];
                }
            }
        }
        for (uint32_t some = 1; some <= chain.count; ++some) {
            tc_real got[DOF];
            tc_chain3_forces(&chain, &motion, some, got);
            for (uint32_t k = 0; k < tc_chain3_dof(&chain, some); ++k) {
                double expected = 0, size = 0;
                for (uint32_t i = 0; i < some; ++i) {
                    expected += dot(columns[i][k], force[i], 6);
                    for (uint32_t j = 0; j < 6u; ++j) {
                        size += fabs(columns[i][k][j] * force[i][j]);
                    }
                }
                test_near((tc_real)expected, got[k], (tc_real)(5e-5 * size + 2e-5), 0, "force");
            }
        }
    }
}

/* The first links of a chain are a chain: the same bits, whatever follows them, and whatever the motion held before. */
static void test_first_links_are_a_chain(void)
{
    static tc_chain3_motion alone;
    test_seed(424);
    for (uint32_t round = 0; round < TEST_ROUNDS(16u); ++round) {
        draw_moving(TC_CHAIN_MAX, round % 2u);
        for (uint32_t some = 1; some < TC_CHAIN_MAX; ++some) {
            tc_real M[2][DOF * DOF], force[2][DOF];
            const uint32_t n = tc_chain3_dof(&chain, some);
            tc_chain3 part = chain;
            part.count = some;
            memset(&alone, round % 3u == 0u ? 0xFF : 0x3C, sizeof alone);
            TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&part, q, qd, &alone));
            TEST_ASSERT_EQUAL_UINT32(some, alone.links);
            TEST_ASSERT_EQUAL_UINT32(n, alone.dof);
            TEST_ASSERT_EQUAL_MEMORY(motion.link, alone.link, some * sizeof alone.link[0]);
            TEST_ASSERT_EQUAL_MEMORY(motion.column, alone.column, n * sizeof alone.column[0]);
            tc_chain3_mass_matrix(&chain, &motion, some, M[0]);
            tc_chain3_mass_matrix(&part, &alone, some, M[1]);
            tc_chain3_forces(&chain, &motion, some, force[0]);
            tc_chain3_forces(&part, &alone, some, force[1]);
            TEST_ASSERT_EQUAL_MEMORY(M[0], M[1], n * n * sizeof(tc_real));
            TEST_ASSERT_EQUAL_MEMORY(force[0], force[1], n * sizeof(tc_real));
        }
    }
}

/* ---- Refusals ----------------------------------------------------------------------------------- */

static void move_refused(tc_status expected, const tc_chain3 *c, const tc_real *at,
                         const tc_real *rates)
{
    static tc_chain3_motion got, zero, filled;
    memset(&got, 0x5A, sizeof got);
    memset(&filled, 0x5A, sizeof filled);
    TEST_ASSERT_EQUAL(expected, tc_chain3_move(c, at, rates, &got));
    TEST_ASSERT_EQUAL_MEMORY(expected == TC_ERR_NULL ? &filled : &zero, &got, sizeof got);
}

/* Each pointer, the limit of the rates from both sides, and a position that overflows. */
static void test_moves_refused(void)
{
    test_seed(425);
    draw_moving(3, 1);
    move_refused(TC_ERR_NULL, NULL, q, qd);
    move_refused(TC_ERR_NULL, &chain, NULL, qd);
    move_refused(TC_ERR_NULL, &chain, q, NULL);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_chain3_move(&chain, q, qd, NULL));
    for (uint32_t k = 0; k < dof; ++k) {
        draw_chain(3, 1);
        memset(qd, 0, sizeof qd);
        qd[k] = -TC_CHAIN_RATE_MAX;
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&chain, q, qd, &motion));
        qd[k] = TC_C(-1.001) * TC_CHAIN_RATE_MAX;
        move_refused(TC_ERR_RANGE, &chain, q, qd);
        qd[k] = (tc_real)-INFINITY;
        move_refused(TC_ERR_NOT_FINITE, &chain, q, qd);
    }
    draw_chain(4, 0);
    links[3].joint = TC_CHAIN_PRISMATIC;
    memset(qd, 0, sizeof qd);
    qd[0] = qd[1] = qd[2] = TC_C(100.0);
    links[0].joint = links[1].joint = links[2].joint = TC_CHAIN_REVOLUTE;
    q[3] = sizeof(tc_real) == 4u ? TC_C(3e38) : (tc_real)1e308;
    move_refused(TC_ERR_RANGE, &chain, q, qd);
}

static void integrate_refused(tc_status expected, const tc_real *rates, tc_real h)
{
    tc_real kept[DOF + 1u];
    memcpy(kept, q, sizeof kept);
    TEST_ASSERT_EQUAL(expected, tc_chain3_integrate(&chain, rates, h, q));
    TEST_ASSERT_EQUAL_MEMORY(kept, q, sizeof kept);
}

/* Every status of tc_chain3_integrate, from each slot; q stays to the bit. */
static void test_integrations_refused(void)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    const tc_real huge = sizeof(tc_real) == 4u ? TC_C(3e38) : (tc_real)1e308;
    test_seed(426);
    draw_chain(3, 1);
    integrate_refused(TC_ERR_NULL, NULL, TC_C(0.1));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_chain3_integrate(NULL, qd, TC_C(0.1), q));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_chain3_integrate(&chain, qd, TC_C(0.1), NULL));
    for (uint32_t round = 0; round < 6u; ++round) {
        const tc_real none = (tc_real)bad[round % 3u];
        draw_chain(3, round / 3u);
        integrate_refused(TC_ERR_NOT_FINITE, qd, none);
        for (uint32_t k = 0; k < dof; ++k) {
            const tc_real kept = qd[k];
            qd[k] = none;
            integrate_refused(TC_ERR_NOT_FINITE, qd, TC_C(0.1));
            qd[k] = huge; /* ten times it is none */
            integrate_refused(TC_ERR_NOT_FINITE, qd, TC_C(10.0));
            qd[k] = kept;
        }
        for (uint32_t k = 0; k < dof + floating; ++k) {
            const tc_real kept = q[k];
            q[k] = none;
            integrate_refused(TC_ERR_NOT_FINITE, qd, TC_C(0.1));
            q[k] = kept;
        }
        if (floating) {
            q[3] *= TC_C(1.5);
            q[5] *= TC_C(1.5);
            integrate_refused(TC_ERR_UNIT, qd, TC_C(0.1));
        }
    }
}

static void test_tables_refused(void)
{
    test_seed(427);
    draw_chain(TC_CHAIN_MAX, 0);
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_check(&chain));
    chain.count = TC_CHAIN_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_chain3_check(&chain));
    chain.count = 0;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_chain3_check(&chain));
    chain.count = UINT32_MAX;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_chain3_check(&chain));
    chain.count = 1;
    chain.links = NULL;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_chain3_check(&chain));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_chain3_check(NULL));
    draw_chain(2, 1); /* a floating link needs no anchor, arm, axis or rest */
    links[0].anchor[1] = links[0].arm[0] = links[0].axis[2] = links[0].rest[3] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_check(&chain));
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&chain, q, qd, &motion));
}

void suite_chain3_reference(void)
{
    RUN_TEST(test_poses_and_velocities);
    RUN_TEST(test_mass_matrices_of_each_part);
    RUN_TEST(test_forces_of_each_part);
    RUN_TEST(test_first_links_are_a_chain);
    RUN_TEST(test_moves_refused);
    RUN_TEST(test_integrations_refused);
    RUN_TEST(test_tables_refused);
}
