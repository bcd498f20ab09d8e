/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Spatial chains against definitions, and against planar ones where they are planar. Tolerances as
 * in test_chain2.c.
 */
#include "chain_case.h"

#include "tc_chain3.h"

#define DOF TC_CHAIN3_DOF

static tc_chain3_link links[TC_CHAIN_MAX];
static tc_chain3 chain;
static tc_chain3_motion motion, moved;
static tc_real q[DOF + 1], qd[DOF], M[DOF * DOF];
static uint32_t dof, floating;

static void unit(tc_real *x, uint32_t n)
{
    tc_real square = TC_C(0.0);
    test_fill(x, n, TC_C(0.1), TC_C(1.0));
    for (uint32_t i = 0; i < n; ++i) {
        x[i] = test_below(2) ? x[i] : -x[i];
        square += x[i] * x[i];
    }
    for (uint32_t i = 0; i < n; ++i) {
        x[i] /= tc_sqrt(square);
    }
}

static void random_chain(uint32_t count, uint32_t is_floating)
{
    memset(links, 0, sizeof links);
    for (uint32_t i = 0; i < count; ++i) {
        tc_chain3_link *link = &links[i];
        link->body.mass = test_uniform(TC_C(0.3), TC_C(3.0));
        /* so that gyroscopic torques matter */
        test_fill(link->body.inertia, 3, TC_C(0.005), TC_C(0.3));
        link->joint = i == 0 && is_floating ? TC_CHAIN_FREE : TC_CHAIN_REVOLUTE;
        link->joint = link->joint == TC_CHAIN_REVOLUTE && test_below(3) == 0 ? TC_CHAIN_PRISMATIC
                                                                             : link->joint;
        test_fill(link->anchor, 3, TC_C(-0.3), TC_C(0.3));
        test_fill(link->arm, 3, TC_C(-0.3), TC_C(0.3));
        unit(link->axis, 3);
        unit(link->rest, 4);
    }
    chain.count = count;
    chain.links = links;
    chain.gravity[0] = TC_C(1.0);
    chain.gravity[2] = TC_C(-9.81);
    floating = is_floating;
    dof = tc_chain3_dof(&chain, count);
    test_fill(q, dof + floating, TC_C(-1.0), TC_C(1.0));
    test_fill(qd, dof, TC_C(-1.5), TC_C(1.5));
    if (floating) {
        unit(q + 3, 4);
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_check(&chain));
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&chain, q, qd, &motion));
}

static void random_case(void)
{
    const uint32_t is_floating = test_below(2);
    random_chain(1u + test_below(6), is_floating);
}

static void test_velocities_are_differences(void)
{
    const tc_real e = TC_C(2e-3);
    test_seed(61);
    for (int round = 0; round < 60; ++round) {
        random_case();
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_integrate(&chain, qd, e, q));
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&chain, q, qd, &moved));
        for (uint32_t i = 0; i < chain.count; ++i) {
            const tc_chain3_link_motion *now = &motion.link[i], *then = &moved.link[i];
            for (uint32_t k = 0; k < 3; ++k) {
                const tc_real shift =
                    then->position[k] - now->position[k] + moved.origin[k] - motion.origin[k];
                test_near(TC_C(0.5) * (now->velocity[k] + then->velocity[k]), shift / e, TC_C(5e-3),
                          TC_C(2e-3), "velocity");
            }
            for (uint32_t k = 0; k < 6; ++k) {
                test_near(TC_C(0.5) * (now->acceleration[k] + then->acceleration[k]),
                          (then->velocity[k] - now->velocity[k]) / e, TC_C(0.05), TC_C(5e-3),
                          "acceleration");
            }
        }
    }
}

/* Orientation against omega: R(q + e qd) R(q)^T is a turn by e omega. */
static void test_orientation_turns_with_omega(void)
{
    const tc_real e = TC_C(2e-3);
    test_seed(62);
    for (int round = 0; round < 60; ++round) {
        random_case();
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_integrate(&chain, qd, e, q));
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&chain, q, qd, &moved));
        for (uint32_t i = 0; i < chain.count; ++i) {
            const tc_real *a = moved.link[i].orientation, *b = motion.link[i].orientation;
            const tc_real turned[3] = {a[1] * b[0] - a[0] * b[1] - a[2] * b[3] + a[3] * b[2],
                                       a[2] * b[0] - a[0] * b[2] - a[3] * b[1] + a[1] * b[3],
                                       a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1]};
            for (uint32_t k = 0; k < 3; ++k) {
                const tc_real omega =
                    TC_C(0.5) * (motion.link[i].velocity[3 + k] + moved.link[i].velocity[3 + k]);
                test_near(omega, TC_C(2.0) * turned[k] / e, TC_C(3e-3), TC_C(1e-3), "omega");
            }
        }
    }
}

static void test_mass_matrix_is_the_kinetic_energy(void)
{
    test_seed(63);
    for (int round = 0; round < 60; ++round) {
        tc_real sum = TC_C(0.0), J[6 * DOF];
        random_case();
        tc_chain3_mass_matrix(&chain, &motion, chain.count, M);
        for (uint32_t i = 0; i < dof; ++i) {
            for (uint32_t j = 0; j < dof; ++j) {
                TEST_ASSERT_TRUE(M[i * dof + j] == M[j * dof + i]);
                sum += TC_C(0.5) * qd[i] * M[i * dof + j] * qd[j];
            }
        }
        test_near(tc_chain3_kinetic(&chain, &motion), sum, TC_C(0.0), TC_C(2e-5), "kinetic energy");
        tc_chain3_jacobian(&motion, chain.count - 1u, J);
        for (uint32_t r = 0; r < 6; ++r) {
            sum = TC_C(0.0);
            for (uint32_t k = 0; k < dof; ++k) {
                sum += J[r * dof + k] * qd[k];
            }
            test_near(motion.link[chain.count - 1u].velocity[r], sum, TC_C(2e-5), 0, "J qd");
        }
    }
}

/* M qdd = forces by elimination in double, then an explicit step with its second order in q */
static void fall(tc_real h, uint32_t steps)
{
    for (uint32_t s = 0; s < steps; ++s) {
        double A[DOF][DOF + 1];
        tc_real force[DOF], mean[DOF];
        tc_chain3_mass_matrix(&chain, &motion, chain.count, M);
        tc_chain3_forces(&chain, &motion, chain.count, force);
        for (uint32_t i = 0; i < dof; ++i) {
            for (uint32_t j = 0; j < dof; ++j) {
                A[i][j] = (double)M[i * dof + j];
            }
            A[i][dof] = (double)force[i];
        }
        for (uint32_t k = 0; k < dof; ++k) {
            for (uint32_t i = 0; i < dof; ++i) {
                const double factor = i == k ? 0.0 : A[i][k] / A[k][k];
                for (uint32_t j = k; j <= dof; ++j) {
                    A[i][j] -= factor * A[k][j];
                }
            }
        }
        for (uint32_t k = 0; k < dof; ++k) {
            const tc_real change = h * (tc_real)(A[k][dof] / A[k][k]);
            mean[k] = qd[k] + TC_C(0.5) * change;
            qd[k] += change;
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_integrate(&chain, mean, h, q));
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&chain, q, qd, &motion));
    }
}

static tc_real energy(void)
{
    return tc_chain3_kinetic(&chain, &motion) + tc_chain3_potential(&chain, &motion);
}

/* Energies of each link by its own numbers, summed in double, where a longer chain stood before, in
 * the same table and motion. Catches: a link too many or too few. */
static void test_energy_is_the_links_sum(void)
{
    test_seed(96);
    for (uint32_t round = 0; round < 60u; ++round) {
        const uint32_t count = 1u + test_below(TC_CHAIN_MAX - 1u);
        double kinetic = 0, potential = 0;
        random_chain(TC_CHAIN_MAX, round % 2u);
        chain.count = count;
        dof = tc_chain3_dof(&chain, count);
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&chain, q, qd, &motion));
        for (uint32_t i = 0; i < count; ++i) {
            const tc_chain3_link_motion *const link = &motion.link[i];
            tc_body3_state body = {.orientation = {TC_C(1.0)}};
            tc_real energy_of;
            memcpy(body.orientation, link->orientation, sizeof body.orientation);
            memcpy(body.velocity, link->velocity, sizeof body.velocity);
            TEST_ASSERT_EQUAL(TC_OK, tc_body3_energy(&links[i].body, &body, &energy_of));
            kinetic += (double)energy_of;
            for (uint32_t k = 0; k < 3u; ++k) {
                const double at = (double)motion.origin[k] + (double)link->position[k];
                potential -= (double)links[i].body.mass * (double)chain.gravity[k] * at;
            }
        }
        test_near((tc_real)kinetic, tc_chain3_kinetic(&chain, &motion), TC_C(1e-4), TC_C(1e-5),
                  "kinetic");
        test_near((tc_real)potential, tc_chain3_potential(&chain, &motion), TC_C(2e-4), TC_C(1e-5),
                  "potential");
    }
}

static void test_free_fall_keeps_energy(void)
{
    for (uint32_t seed = 71; seed < 75; ++seed) {
        tc_real error[2];
        for (uint32_t half = 0; half < 2; ++half) {
            test_seed(seed);
            random_chain(3, seed % 2);
            const tc_real start = energy();
            fall(half ? TC_C(4e-4) : TC_C(8e-4), half ? 150u : 75u);
            error[half] = energy() - start;
        }
        test_near(TC_C(0.5) * error[0], error[1], TC_C(2e-3), TC_C(0.15), "energy error");
    }
}

/* p[0..2] momentum, p[3..5] angular momentum about the common centre of mass */
static void momentum(tc_real p[6])
{
    tc_real mass = TC_C(0.0), centre[3] = {0};
    memset(p, 0, 6 * sizeof *p);
    for (uint32_t i = 0; i < chain.count; ++i) {
        const tc_chain3_link_motion *link = &motion.link[i];
        const tc_body3_state body = {.orientation = {link->orientation[0], link->orientation[1],
                                                     link->orientation[2], link->orientation[3]}};
        tc_real inverse[9], A[9], spin[3];
        /* The body's own inverse inertia, solved for I omega: tc_chain3.c does not know it. */
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_inverse_inertia(&links[i].body, &body, inverse));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky(inverse, A, 3));
        TEST_ASSERT_EQUAL(TC_OK, tc_mat_cholesky_solve(A, link->velocity + 3, spin, 3, 1));
        const tc_real m = links[i].body.mass;
        mass += m;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t x = (k + 1) % 3, y = (k + 2) % 3;
            p[k] += m * link->velocity[k];
            centre[k] += m * link->position[k];
            p[3 + k] += spin[k]
                        + m
                              * (link->position[x] * link->velocity[y]
                                 - link->position[y] * link->velocity[x]);
        }
    }
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t x = (k + 1) % 3, y = (k + 2) % 3;
        p[3 + k] -= (centre[x] * p[y] - centre[y] * p[x]) / mass;
    }
}

static void test_floating_chain_keeps_momentum(void)
{
    for (uint32_t seed = 81; seed < 84; ++seed) {
        tc_real before[6], after[6], mass = TC_C(0.0);
        test_seed(seed);
        random_chain(3, 1);
        momentum(before);
        fall(TC_C(4e-4), 150);
        momentum(after);
        for (uint32_t i = 0; i < chain.count; ++i) {
            mass += links[i].body.mass;
        }
        for (uint32_t k = 0; k < 3; ++k) {
            test_near(before[k] + mass * chain.gravity[k] * TC_C(0.06), after[k], TC_C(0.01), 0,
                      "momentum");
            test_near(before[3 + k], after[3 + k], TC_C(2e-3), 0, "angular momentum");
        }
    }
}

/* Hinges about z and slides in x, y: tc_chain2.h's numbers. */
static void test_flat_chains_are_those_of_chain2(void)
{
    static chain_case flat;
    static tc_chain2_motion in_plane;
    test_seed(91);
    for (int round = 0; round < 40; ++round) {
        tc_real expected[CHAIN_CASE_DOF * CHAIN_CASE_DOF], force[CHAIN_CASE_DOF],
            flat_force[CHAIN_CASE_DOF];
        const uint32_t count = 1u + test_below(6);
        chain_case_random(&flat, count, 0, TC_C(3.0));
        memset(links, 0, sizeof links);
        for (uint32_t i = 0; i < count; ++i) {
            const tc_chain2_link *from = &flat.links[i];
            links[i].body.mass = from->body.mass;
            links[i].body.inertia[0] = links[i].body.inertia[1] = TC_C(0.01);
            links[i].body.inertia[2] = from->body.inertia;
            links[i].joint = from->joint;
            links[i].rest[0] = TC_C(1.0);
            memcpy(links[i].anchor, from->anchor, sizeof from->anchor);
            memcpy(links[i].arm, from->arm, sizeof from->arm);
            if (from->joint == TC_CHAIN_PRISMATIC) {
                memcpy(links[i].axis, from->axis, sizeof from->axis);
            } else {
                links[i].axis[2] = TC_C(1.0);
            }
        }
        chain = (tc_chain3){count, links, {TC_C(0.0), TC_C(-9.81), TC_C(0.0)}};
        dof = count;
        test_fill(q, count, TC_C(-1.0), TC_C(1.0));
        test_fill(qd, count, TC_C(-2.0), TC_C(2.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&chain, q, qd, &motion));
        TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&flat.chain, q, qd, &in_plane));
        tc_chain3_mass_matrix(&chain, &motion, count, M);
        tc_chain3_forces(&chain, &motion, count, force);
        tc_chain2_mass_matrix(&flat.chain, &in_plane, count, expected);
        tc_chain2_forces(&flat.chain, &in_plane, count, flat_force);
        for (uint32_t k = 0; k < count * count; ++k) {
            test_near(expected[k], M[k], TC_C(1e-5), TC_C(1e-5), "mass matrix");
        }
        for (uint32_t k = 0; k < count; ++k) {
            test_near(flat_force[k], force[k], TC_C(5e-4), TC_C(1e-5), "forces");
        }
    }
}

static void test_bad_tables_and_states(void)
{
    static const tc_chain3_motion zero;
    test_seed(95);
    random_chain(3, 1);
    links[1].axis[0] += TC_C(0.1);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_chain3_check(&chain));
    random_chain(3, 1);
    links[2].body.inertia[1] = TC_C(0.0);
    TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_chain3_check(&chain));
    random_chain(3, 1);
    links[2].joint = TC_CHAIN_FREE;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_chain3_check(&chain));
    random_chain(3, 1);
    q[4] += TC_C(0.5);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_chain3_move(&chain, q, qd, &moved));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &moved, sizeof zero);
    for (uint32_t slot = 0; slot < 2u * dof + 1u; ++slot) {
        random_chain(3, 1);
        *(slot <= dof ? &q[slot] : &qd[slot - dof - 1u]) = (tc_real)NAN;
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_chain3_move(&chain, q, qd, &moved));
        TEST_ASSERT_EQUAL_MEMORY(&zero, &moved, sizeof zero);
    }
}

/* Each number of a table in turn as none, and as one far beyond the limits. The chain ends where
 * the array does: what is looked at behind it, a checker of bounds sees. */
static void test_each_number_of_a_table(void)
{
    test_seed(96);
    for (uint32_t slot = 0; slot < 3u * 17u + 3u; ++slot) {
        random_chain(3, 0);
        tc_chain3_link *const own = links + TC_CHAIN_MAX - 3u, *const link = own + slot / 17u % 3u;
        memcpy(own, links, 3u * sizeof *own);
        chain.links = own;
        TEST_ASSERT_EQUAL(TC_OK, tc_chain3_check(&chain));
        const uint32_t k = slot % 17u;
        tc_real *const number = slot >= 51u ? &chain.gravity[slot - 51u]
                                : k == 0u   ? &link->body.mass
                                : k < 4u    ? &link->body.inertia[k - 1u]
                                : k < 7u    ? &link->anchor[k - 4u]
                                : k < 10u   ? &link->arm[k - 7u]
                                : k < 13u   ? &link->axis[k - 10u]
                                            : &link->rest[k - 13u];
        const tc_real kept = *number;
        const int is_unit = slot < 51u && k >= 10u;
        *number = (tc_real)NAN;
        TEST_ASSERT_EQUAL(is_unit ? TC_ERR_UNIT : TC_ERR_NOT_FINITE, tc_chain3_check(&chain));
        *number = TC_C(1e20);
        TEST_ASSERT_EQUAL(is_unit ? TC_ERR_UNIT : TC_ERR_RANGE, tc_chain3_check(&chain));
        *number = kept;
    }
}

void suite_chain3(void)
{
    RUN_TEST(test_velocities_are_differences);
    RUN_TEST(test_orientation_turns_with_omega);
    RUN_TEST(test_mass_matrix_is_the_kinetic_energy);
    RUN_TEST(test_energy_is_the_links_sum);
    RUN_TEST(test_free_fall_keeps_energy);
    RUN_TEST(test_floating_chain_keeps_momentum);
    RUN_TEST(test_flat_chains_are_those_of_chain2);
    RUN_TEST(test_bad_tables_and_states);
    RUN_TEST(test_each_number_of_a_table);
}
