/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Planar chains against definitions: energies, differences, sums over links.
 *
 * Tolerances. Angles and lengths are about 1, sines are good to 1e-7 (in the double build too,
 * whose elementary functions are the C library's): what is computed twice by different routes
 * agrees to a few 1e-6 of its scale in float. Differences over a step e have e^2 of curvature and
 * 1e-7 / e of rounding: 1e-3 at e = 2e-3.
 */
#include "chain_case.h"

#include "tc_chain_core.h"

#define ROUNDING TC_C(4e-6)

static chain_case a;
static tc_chain2_motion motion, moved;
static tc_real q[CHAIN_CASE_DOF], qd[CHAIN_CASE_DOF], M[CHAIN_CASE_DOF * CHAIN_CASE_DOF];

static void random_state(tc_real speed)
{
    test_fill(q, a.dof, TC_C(-3.0), TC_C(3.0));
    test_fill(qd, a.dof, -speed, speed);
    for (uint32_t k = a.links[0].joint == TC_CHAIN_FREE ? 3u : 0u; k < a.dof; ++k) {
        const uint32_t i = k - (a.dof - a.chain.count);
        q[k] = a.links[i].joint == TC_CHAIN_PRISMATIC ? test_uniform(TC_C(-0.3), TC_C(0.3)) : q[k];
    }
}

static void random_case(tc_real spread)
{
    const int floating = (int)test_below(2); /* first: compilers differ in the order of arguments */
    chain_case_random(&a, 1u + test_below(TC_CHAIN_MAX), floating, spread);
    random_state(TC_C(2.0));
    TEST_ASSERT_EQUAL(TC_OK, tc_chain2_check(&a.chain));
    TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&a.chain, q, qd, &motion));
}

/* Three hinges, worked out on paper: link 1 to the right, link 2 up, link 3 back to the left. */
static void test_known_pose(void)
{
    const tc_real pose[3] = {TC_C(0.0), TC_C(1.57079633), TC_C(1.57079633)};
    const tc_real rate[3] = {TC_C(1.0), TC_C(2.0), TC_C(-3.0)};
    chain_case_swing(&a, 3, TC_C(0.5));
    TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&a.chain, pose, rate, &motion));
    test_near(TC_C(0.0), motion.origin[0], 0, 0, "origin x");
    test_near(TC_C(0.5), motion.origin[1], 0, 0, "origin y");
    test_near(TC_C(0.15), motion.link[2].position[0], TC_C(1e-6), 0, "x of link 3");
    test_near(TC_C(0.3), motion.link[2].position[1], TC_C(1e-6), 0, "y of link 3");
    test_near(TC_C(3.14159265), motion.link[2].position[2], TC_C(1e-6), 0, "angle of link 3");
    /* omega 1, 3, 0: the tip of link 1 moves (0, 0.3), link 2 adds 3 z x (0, 0.3) = (-0.9, 0) */
    test_near(TC_C(-0.9), motion.link[2].velocity[0], TC_C(1e-6), 0, "vx of link 3");
    test_near(TC_C(0.3), motion.link[2].velocity[1], TC_C(1e-6), 0, "vy of link 3");
    test_near(TC_C(0.0), motion.link[2].velocity[2], TC_C(1e-6), 0, "omega of link 3");
    /* -1 * 0.3 along x of link 1, -9 * 0.3 along y of link 2, nothing of link 3 */
    test_near(TC_C(-0.3), motion.link[2].acceleration[0], TC_C(2e-6), 0, "ax of link 3");
    test_near(TC_C(-2.7), motion.link[2].acceleration[1], TC_C(2e-6), 0, "ay of link 3");
}

/* Velocities and accelerations are the differences of positions and velocities along q + t qd. */
static void test_velocities_are_differences(void)
{
    const tc_real e = TC_C(2e-3);
    test_seed(11);
    for (int round = 0; round < 100; ++round) {
        tc_real ahead[CHAIN_CASE_DOF];
        random_case(TC_C(3.0));
        for (uint32_t k = 0; k < a.dof; ++k) {
            ahead[k] = q[k] + e * qd[k];
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&a.chain, ahead, qd, &moved));
        for (uint32_t i = 0; i < a.chain.count; ++i) {
            const tc_chain2_link_motion *now = &motion.link[i], *then = &moved.link[i];
            for (uint32_t k = 0; k < 2; ++k) {
                const tc_real shift = moved.origin[k] - motion.origin[k];
                const tc_real mean = TC_C(0.5) * (now->velocity[k] + then->velocity[k]);
                test_near(mean, (then->position[k] - now->position[k] + shift) / e, TC_C(5e-3),
                          TC_C(2e-3), "velocity");
                const tc_real speedup = TC_C(0.5) * (now->acceleration[k] + then->acceleration[k]);
                test_near(speedup, (then->velocity[k] - now->velocity[k]) / e, TC_C(0.1),
                          TC_C(5e-3), "acceleration");
            }
            test_near(now->velocity[2], (then->position[2] - now->position[2]) / e, TC_C(2e-3), 0,
                      "omega");
        }
    }
}

/* 1/2 qd^T M qd is the sum of the links' kinetic energies, for any qd: that determines a symmetric
 * M. */
static void test_mass_matrix_is_the_kinetic_energy(void)
{
    test_seed(12);
    for (int round = 0; round < 100; ++round) {
        random_case(round % 2 ? TC_C(3.0) : TC_C(100.0));
        const uint32_t links = 1u + test_below(a.chain.count);
        const uint32_t dof = tc_chain2_dof(&a.chain, links);
        tc_chain2 part = a.chain;
        tc_real expected, sum = TC_C(0.0);
        part.count = links;
        TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&part, q, qd, &moved));
        expected = tc_chain2_kinetic(&part, &moved);
        tc_chain2_mass_matrix(&a.chain, &motion, links, M);
        for (uint32_t i = 0; i < dof; ++i) {
            for (uint32_t j = 0; j < dof; ++j) {
                TEST_ASSERT_TRUE(M[i * dof + j] == M[j * dof + i]);
                sum += TC_C(0.5) * qd[i] * M[i * dof + j] * qd[j];
            }
        }
        test_near(expected, sum, TC_C(0.0), TC_C(2e-4), "kinetic energy");
    }
}

/* And entry by entry: M = sum over links of J^T diag(m, m, I) J. */
static void test_mass_matrix_is_the_sum_over_links(void)
{
    test_seed(13);
    for (int round = 0; round < 100; ++round) {
        double sum[CHAIN_CASE_DOF * CHAIN_CASE_DOF] = {0};
        random_case(TC_C(100.0));
        tc_chain2_mass_matrix(&a.chain, &motion, a.chain.count, M);
        for (uint32_t i = 0; i < a.chain.count; ++i) {
            const uint32_t dof = tc_chain2_dof(&a.chain, i + 1u);
            tc_real J[3 * CHAIN_CASE_DOF];
            tc_chain2_jacobian(&motion, i, J);
            for (uint32_t k = 0; k < dof * dof; ++k) {
                const uint32_t r = k / dof, c = k % dof;
                const double shift =
                    (double)J[r] * (double)J[c] + (double)J[dof + r] * (double)J[dof + c];
                const double turn = (double)J[2 * dof + r] * (double)J[2 * dof + c];
                sum[r * a.dof + c] +=
                    (double)a.links[i].body.mass * shift + (double)a.links[i].body.inertia * turn;
            }
        }
        for (uint32_t i = 0; i < a.dof; ++i) {
            for (uint32_t j = 0; j < a.dof; ++j) {
                const double scale = sqrt(sum[i * a.dof + i] * sum[j * a.dof + j]);
                test_near((tc_real)sum[i * a.dof + j], M[i * a.dof + j], (tc_real)(1e-5 * scale), 0,
                          "mass matrix");
            }
        }
    }
}

static void test_jacobian_gives_velocities(void)
{
    test_seed(14);
    for (int round = 0; round < 100; ++round) {
        random_case(TC_C(3.0));
        const uint32_t link = test_below(a.chain.count);
        const uint32_t dof = tc_chain2_dof(&a.chain, link + 1u);
        tc_real J[3 * CHAIN_CASE_DOF];
        tc_chain2_jacobian(&motion, link, J);
        for (uint32_t r = 0; r < 3; ++r) {
            tc_real sum = TC_C(0.0);
            for (uint32_t k = 0; k < dof; ++k) {
                sum += J[r * dof + k] * qd[k];
            }
            test_near(motion.link[link].velocity[r], sum, TC_C(2e-5), 0, "J qd");
        }
    }
}

/* M qdd = forces, solved by elimination in double */
static void free_acceleration(tc_real *qdd)
{
    double A[CHAIN_CASE_DOF][CHAIN_CASE_DOF + 1u];
    tc_real force[CHAIN_CASE_DOF];
    const uint32_t n = a.dof;
    tc_chain2_mass_matrix(&a.chain, &motion, a.chain.count, M);
    tc_chain2_forces(&a.chain, &motion, a.chain.count, force);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            A[i][j] = (double)M[i * n + j];
        }
        A[i][n] = (double)force[i];
    }
    for (uint32_t k = 0; k < n; ++k) {
        for (uint32_t i = 0; i < n; ++i) {
            const double factor = i == k ? 0.0 : A[i][k] / A[k][k];
            for (uint32_t j = k; j <= n; ++j) {
                A[i][j] -= factor * A[k][j];
            }
        }
    }
    for (uint32_t k = 0; k < n; ++k) {
        qdd[k] = (tc_real)(A[k][n] / A[k][k]);
    }
}

static void swing(tc_real h, uint32_t steps)
{
    for (uint32_t s = 0; s < steps; ++s) {
        tc_real qdd[CHAIN_CASE_DOF];
        TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&a.chain, q, qd, &motion));
        free_acceleration(qdd);
        for (uint32_t k = 0; k < a.dof; ++k) {
            q[k] += h * qd[k] + TC_C(0.5) * h * h * qdd[k];
            qd[k] += h * qdd[k];
        }
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&a.chain, q, qd, &motion));
}

/* Gravity and velocity products: a free swing keeps its energy, up to the first order of explicit
 * steps: the error of h / 2 must be half that of h. */
static void test_free_swing_keeps_energy(void)
{
    for (uint32_t seed = 21; seed < 24; ++seed) {
        tc_real error[2];
        for (uint32_t half = 0; half < 2; ++half) {
            tc_real start;
            test_seed(seed);
            chain_case_random(&a, 3, seed % 2 == 0, TC_C(2.0));
            random_state(TC_C(1.0));
            TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&a.chain, q, qd, &motion));
            start = tc_chain2_kinetic(&a.chain, &motion) + tc_chain2_potential(&a.chain, &motion);
            swing(half ? TC_C(4e-4) : TC_C(8e-4), half ? 250u : 125u);
            error[half] = tc_chain2_kinetic(&a.chain, &motion)
                          + tc_chain2_potential(&a.chain, &motion) - start;
        }
        test_near(TC_C(0.5) * error[0], error[1], TC_C(2e-3), TC_C(0.15), "energy error");
    }
}

/* A floating chain: momentum changes by gravity alone, whatever the joints do. Angular momentum
 * about the common centre of mass not at all. */
static void momentum(tc_real p[3])
{
    tc_real mass = TC_C(0.0), centre[2] = {0}, spin = TC_C(0.0);
    memset(p, 0, 3 * sizeof *p);
    for (uint32_t i = 0; i < a.chain.count; ++i) {
        const tc_chain2_link_motion *link = &motion.link[i];
        const tc_real m = a.links[i].body.mass;
        mass += m;
        for (uint32_t k = 0; k < 2; ++k) {
            p[k] += m * link->velocity[k];
            centre[k] += m * link->position[k];
        }
        spin +=
            a.links[i].body.inertia * link->velocity[2]
            + m * (link->position[0] * link->velocity[1] - link->position[1] * link->velocity[0]);
    }
    p[2] = spin - (centre[0] * p[1] - centre[1] * p[0]) / mass;
}

static void test_floating_chain_keeps_momentum(void)
{
    for (uint32_t seed = 31; seed < 33; ++seed) {
        tc_real before[3], after[3], mass = TC_C(0.0);
        test_seed(seed);
        chain_case_random(&a, 4, 1, TC_C(2.0));
        random_state(TC_C(1.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&a.chain, q, qd, &motion));
        momentum(before);
        swing(TC_C(4e-4), 250);
        momentum(after);
        for (uint32_t i = 0; i < a.chain.count; ++i) {
            mass += a.links[i].body.mass;
        }
        test_near(before[0], after[0], TC_C(0.02), 0, "px");
        test_near(before[1] - mass * TC_C(9.81) * TC_C(0.1), after[1], TC_C(0.02), 0, "py");
        test_near(before[2], after[2], TC_C(0.01), 0, "angular momentum");
    }
}

/* Nothing but the root's anchor may know where the world's origin is. */
static void test_translation_changes_no_bit(void)
{
    test_seed(41);
    for (int round = 0; round < 50; ++round) {
        tc_real far_M[CHAIN_CASE_DOF * CHAIN_CASE_DOF];
        random_case(TC_C(3.0));
        tc_chain2_mass_matrix(&a.chain, &motion, a.chain.count, M);
        if (a.links[0].joint == TC_CHAIN_FREE) {
            q[0] += TC_C(4096.0);
        } else {
            a.links[0].anchor[0] += TC_C(4096.0);
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&a.chain, q, qd, &moved));
        tc_chain2_mass_matrix(&a.chain, &moved, a.chain.count, far_M);
        TEST_ASSERT_EQUAL_MEMORY(motion.link, moved.link, a.chain.count * sizeof motion.link[0]);
        TEST_ASSERT_EQUAL_MEMORY(M, far_M, a.dof * a.dof * sizeof *M);
    }
}

static void test_golden_bits(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(51);
    for (int round = 0; round < 20; ++round) {
        tc_real force[CHAIN_CASE_DOF];
        random_case(TC_C(10.0));
        tc_chain2_mass_matrix(&a.chain, &motion, a.chain.count, M);
        tc_chain2_forces(&a.chain, &motion, a.chain.count, force);
        hash = test_hash(hash, M, a.dof * a.dof);
        hash = test_hash(hash, force, a.dof);
    }
    test_golden("chain2", hash);
}

static void test_bad_tables(void)
{
    const tc_real nan = (tc_real)NAN;
    chain_case_swing(&a, 3, TC_C(0.5));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_chain2_check(NULL));
    a.links[1].body.mass = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_chain2_check(&a.chain));
    a.links[1].body.mass = TC_C(1.0);
    a.links[2].body.inertia = TC_C(-1.0);
    TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_chain2_check(&a.chain));
    a.links[2].body.inertia = nan;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_chain2_check(&a.chain));
    a.links[2].body.inertia = TC_C(1.0);
    a.links[1].joint = TC_CHAIN_FREE;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_chain2_check(&a.chain));
    a.links[1].joint = (tc_chain_joint)7;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_chain2_check(&a.chain));
    a.links[1].joint = TC_CHAIN_PRISMATIC;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_chain2_check(&a.chain)); /* no axis */
    a.links[1].axis[1] = TC_C(-1.0);
    TEST_ASSERT_EQUAL(TC_OK, tc_chain2_check(&a.chain));
    a.links[1].arm[0] = TC_C(2e6);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_chain2_check(&a.chain));
    a.links[1].arm[0] = TC_C(0.0);
    a.chain.gravity[1] = nan;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_chain2_check(&a.chain));
    a.chain.gravity[1] = TC_C(0.0);
    a.chain.count = 0;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_chain2_check(&a.chain));
    a.chain.count = TC_CHAIN_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_chain2_check(&a.chain));
}

/* Each kind of joint reads so many numbers of its link and no others, each up to a border of its
 * own. Catches: a check that judges a number its joint never reads, that forgets one, or that ends
 * elsewhere. */
static void test_what_joints_read(void)
{
    static const tc_chain_joint joints[3] = {TC_CHAIN_FREE, TC_CHAIN_REVOLUTE, TC_CHAIN_PRISMATIC};
    static const uint32_t reads[3] = {2, 6, 8};
    static const tc_real most[8] = {TC_C(1e9), TC_C(1e18), TC_C(1e6), TC_C(1e6),
                                    TC_C(1e6), TC_C(1e6),  TC_C(1.0), TC_C(0.0)};
    static const tc_real least[2] = {TC_C(1e-9), TC_C(1e-18)};
    for (uint32_t round = 0; round < 3u * 8u; ++round) {
        chain_case_swing(&a, 3, TC_C(0.5));
        tc_chain2_link *const link = &a.links[0];
        tc_real *const numbers[8] = {&link->body.mass, &link->body.inertia, &link->anchor[0],
                                     &link->anchor[1], &link->arm[0],       &link->arm[1],
                                     &link->axis[0],   &link->axis[1]};
        const uint32_t k = round % 8u, kind = round / 8u, read = k < reads[kind];
        link->joint = joints[kind];
        link->axis[0] = TC_C(1.0);
        link->axis[1] = TC_C(0.0);
        *numbers[k] = k < 2u ? least[k] * TC_C(1.01) : -most[k] * TC_C(0.99);
        *numbers[k] = k == 6u ? TC_C(-1.0) : *numbers[k];
        TEST_ASSERT_EQUAL(TC_OK, tc_chain2_check(&a.chain));
        *numbers[k] = k < 2u ? TC_C(1.0) / most[k] : *numbers[k]; /* the border itself */
        TEST_ASSERT_EQUAL(TC_OK, tc_chain2_check(&a.chain));
        *numbers[k] = k < 2u ? least[k] * TC_C(0.99) : -most[k] - TC_C(0.1) * (most[k] + TC_C(1.0));
        TEST_ASSERT_EQUAL(read ? TC_ERR_RANGE : TC_OK, tc_chain2_check(&a.chain));
        *numbers[k] = most[k] + TC_C(0.1) * (most[k] + TC_C(1.0));
        TEST_ASSERT_EQUAL(read ? TC_ERR_RANGE : TC_OK, tc_chain2_check(&a.chain));
        *numbers[k] = most[k];
        TEST_ASSERT_EQUAL(TC_OK, tc_chain2_check(&a.chain));
        *numbers[k] = (tc_real)NAN;
        TEST_ASSERT_EQUAL(read ? TC_ERR_NOT_FINITE : TC_OK, tc_chain2_check(&a.chain));
    }
}

/* Rates are shortened to a way, or slowed to a border, without a turn of their direction, and no
 * rate behind the last is touched. */
static void test_rates_are_shortened_together(void)
{
    const tc_real h = TC_C(0.002);
    test_seed(16);
    for (uint32_t round = 0; round < 200u; ++round) {
        const uint32_t n = 1u + test_below(CHAIN_CASE_DOF - 1u);
        tc_real rates[CHAIN_CASE_DOF], given[CHAIN_CASE_DOF], most = TC_C(0.0), square = TC_C(0.0);
        const tc_real size = round % 2u ? TC_C(1e5) : TC_C(60.0);
        test_fill(given, CHAIN_CASE_DOF, -size, size);
        memcpy(rates, given, sizeof rates);
        for (uint32_t k = 0; k < n; ++k) {
            most = given[k] > most ? given[k] : -given[k] > most ? -given[k] : most;
            square += given[k] * given[k];
        }
        if (round % 2u) {
            const int fast = tc_sqrt(square) > TC_CHAIN_RATE_MAX;
            TEST_ASSERT_EQUAL(fast, tc_chain_slow(rates, n));
            most *= tc_sqrt((tc_real)n) / (TC_C(0.5) * TC_CHAIN_RATE_MAX);
            most = fast ? most : TC_C(1.0);
        } else {
            tc_chain_shorten(rates, n, h);
            most = h * most > TC_CHAIN_LIFT_MAX ? h * most / TC_CHAIN_LIFT_MAX : TC_C(1.0);
        }
        for (uint32_t k = 0; k < CHAIN_CASE_DOF; ++k) {
            test_near(k < n ? given[k] / most : given[k], rates[k], TC_C(1e-5), TC_C(1e-5), "rate");
        }
    }
}

static void test_bad_states(void)
{
    const tc_real bad[3] = {(tc_real)NAN, (tc_real)INFINITY, (tc_real)-INFINITY};
    static const tc_chain2_motion zero;
    chain_case_swing(&a, 3, TC_C(0.5));
    for (uint32_t slot = 0; slot < 6; ++slot) {
        for (uint32_t kind = 0; kind < 3; ++kind) {
            memset(q, 0, sizeof q);
            memset(qd, 0, sizeof qd);
            *(slot < 3 ? &q[slot] : &qd[slot - 3]) = bad[kind];
            TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_chain2_move(&a.chain, q, qd, &motion));
            TEST_ASSERT_EQUAL_MEMORY(&zero, &motion, sizeof zero);
        }
    }
    memset(q, 0, sizeof q);
    memset(qd, 0, sizeof qd);
#ifndef TC_DOUBLE
    qd[0] = TC_C(1e30); /* its square is not finite */
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_chain2_move(&a.chain, q, qd, &motion));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &motion, sizeof zero);
#endif
}

void suite_chain2(void)
{
    RUN_TEST(test_known_pose);
    RUN_TEST(test_velocities_are_differences);
    RUN_TEST(test_mass_matrix_is_the_kinetic_energy);
    RUN_TEST(test_mass_matrix_is_the_sum_over_links);
    RUN_TEST(test_jacobian_gives_velocities);
    RUN_TEST(test_free_swing_keeps_energy);
    RUN_TEST(test_floating_chain_keeps_momentum);
    RUN_TEST(test_translation_changes_no_bit);
    RUN_TEST(test_golden_bits);
    RUN_TEST(test_bad_tables);
    RUN_TEST(test_what_joints_read);
    RUN_TEST(test_rates_are_shortened_together);
    RUN_TEST(test_bad_states);
}
