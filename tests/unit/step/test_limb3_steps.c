/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Limbs in space: matrices of one's own, what is refused, and steps in a loop.
 */
#include "limb3_case.h"

#include "tc_limb3_internal.h"

#include <math.h>

static limb_case a;
static limb_double truth;
static double mu;

static void draw_and_step(uint32_t corners, const tc_learned3_model *law)
{
    limb_case_random(&a, 1u + test_below(4), 0, corners, TC_C(3.0), TC_C(2.0), law);
    TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
    limb_double_make(&a, &truth);
}

/* ---- Own matrices, bad ones ------------------------------------------------------------------ */

static tc_real own_mass[LIMB_CASE_DOF * LIMB_CASE_DOF], own_jacobian[6 * LIMB_CASE_DOF];
static tc_real own_force[LIMB_CASE_DOF], own_rates[LIMB_CASE_DOF];
static tc_real own_work[TC_LIMB3_MECHANISM_WORK(LIMB_CASE_DOF, 0u)];
static tc_limb3_mechanism own;

static void own_limb(void)
{
    const tc_chain3 *const chain = &a.leg.chain;
    const tc_chain3_motion *const motion = &a.state.motion;
    tc_chain3_mass_matrix(chain, motion, chain->count, own_mass);
    tc_chain3_jacobian(motion, chain->count - 1u, own_jacobian);
    tc_chain3_forces(chain, motion, chain->count, own_force);
    for (uint32_t k = 0; k < a.n; k++) {
        own_force[k] += a.torque[k];
    }
    own.n = a.n;
    own.mass = own_mass;
    own.jacobian = own_jacobian;
    own.rate = a.before.qd;
    own.force = own_force;
    memcpy(own.orientation, motion->link[chain->count - 1u].orientation, sizeof own.orientation);
}

static tc_status own_solve(size_t len)
{
    tc_learned3_warm warm;
    memset(&warm, 0, sizeof warm);
    return tc_limb3_mechanism_solve(&a.leg.foot, &own, &a.state.patch, 0, &warm, own_rates, &a.info,
                                    own_work, len);
}

static void test_own_matrices(void)
{
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    const tc_learned3_model law = learned3_said_law(&said);
    test_seed(30710u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(100u); round++) {
        draw_and_step(round % 2u ? 4u : 1u, &law);
        own_limb();
        TEST_ASSERT_TRUE(own_solve(TC_LIMB3_MECHANISM_WORK(a.n, 0u)) >= TC_OK);
        TEST_ASSERT_EQUAL_MEMORY(a.state.qd, own_rates, a.n * sizeof own_rates[0]);
    }
}

/* Energy of the limb, per unit mass of the last link, and of the change in it */
static double energy_with(const limb3_whitened *white, double share)
{
    double sum = 0;
    for (uint32_t k = 0; k < white->size; k++) {
        const double y = (double)white->before[k] + share * (double)white->change[k];
        sum += 0.5 * y * y;
    }
    return sum;
}

/* Friction that no sweep would leave: what it gains is taken away. Catches: the work of another
 * inertia, half of it. */
static void test_any_friction_is_restrained(void)
{
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    const tc_learned3_model law = learned3_said_law(&said);
    uint32_t cut = 0;
    test_seed(30717u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(400u); round++) {
        limb_task task;
        tc_real friction[3];
        uint32_t flags = 0;
        draw_and_step(round % 2u ? 4u : 2u, &law);
        own_limb();
        task.foot = &a.leg.foot;
        task.limb = &own;
        task.patch = &a.state.patch;
        TEST_ASSERT_EQUAL(TC_OK, tci_limb3_factor(&task, own_rates, own_work));
        TEST_ASSERT_TRUE(tci_limb3_solve(&task, 0, NULL, own_rates, &a.info) >= TC_OK);
        for (uint32_t i = 0; i < truth.count; i++) {
            test_fill(task.solve.corner[i].p, 3, TC_C(-1.0), TC_C(1.0));
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_learned3_close(&task.solve, friction, &flags));
        cut += flags != 0u;
        const double before = energy_with(&task.white, 0), then = energy_with(&task.white, 1);
        TEST_ASSERT_TRUE_MESSAGE(then <= before * (1 + 0.1 * LIMB_CASE_TOLERANCE),
                                 limb_case_text(round));
    }
    TEST_ASSERT_TRUE(cut * 4u >= LIMB_CASE_ROUNDS(400u));
}

static void refused(tc_status expected, size_t len)
{
    own_rates[0] = TC_C(1.0);
    TEST_ASSERT_EQUAL(expected, own_solve(len));
    TEST_ASSERT_EQUAL(TC_LEARNED_NONE, a.info.contact.contact.branch);
    TEST_ASSERT_TRUE(own.n > TC_LIMB3_MECHANISM_MAX || own_rates[0] == TC_C(0.0));
}

static void test_bad_limbs(void)
{
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    const tc_learned3_model law = learned3_said_law(&said);
    test_seed(30711u);
    limb_case_random(&a, 3, 0, 1, TC_C(1.0), TC_C(2.0), &law);
    a.state.qd[2] = TC_C(0.0);
    TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
    limb_double_make(&a, &truth);
    own_limb();
    const size_t len = TC_LIMB3_MECHANISM_WORK(3u, 0u);
    refused(TC_ERR_WORK, len - 1u);
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                      tc_limb3_mechanism_solve(&a.leg.foot, &own, &a.state.patch, 0, NULL,
                                               own_rates, &a.info, TEST_ODD(own_work), len));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_limb3_step(&a.leg, a.torque, &a.state, &a.info,
                                                  TEST_ODD(own_work), TC_COUNT(own_work)));
    own.n = 0;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, own_solve(len));
    own.n = TC_LIMB3_MECHANISM_MAX + 1u;
    refused(TC_ERR_SIZE, len);
    own.n = 3;
    own.force = NULL;
    refused(TC_ERR_NULL, len);
    own.force = own_force;
    own_jacobian[4] = (tc_real)NAN;
    refused(TC_ERR_NOT_FINITE, len);
    own_limb();
    own.orientation[0] += TC_C(1.0);
    refused(TC_ERR_UNIT, len);
    own_limb();
    own_mass[8] = TC_C(-1.0);
    refused(TC_ERR_INDEFINITE, len);
    own_limb();
    a.leg.foot.restitution = TC_C(1.01);
    refused(TC_ERR_RANGE, len);
    a.leg.foot.restitution = (tc_real)NAN;
    refused(TC_ERR_RANGE, len);
    a.leg.foot.restitution = TC_C(0.0);
    a.leg.foot.sweeps.rounds = 0;
    refused(TC_ERR_SIZE, len);
    a.leg.foot.sweeps.rounds = 2;
    const tc_foot3 *const foot = &a.leg.foot;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_limb3_mechanism_solve(NULL, &own, &a.state.patch, 0, NULL,
                                                            own_rates, &a.info, own_work, len));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_limb3_mechanism_solve(foot, &own, &a.state.patch, 0, NULL,
                                                            own_rates, NULL, NULL, len));
    own.n = 0;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_limb3_mechanism_solve(foot, &own, &a.state.patch, 0, NULL,
                                                            own_rates, NULL, own_work, len));
}

/* Each number that is given, one by one. Catches: an array that is not looked at, or not to its
 * end. */
static void test_each_number_is_checked(void)
{
    const tc_real bad[3] = {(tc_real)NAN, (tc_real)INFINITY, (tc_real)-INFINITY};
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    const tc_learned3_model law = learned3_said_law(&said);
    test_seed(30719u);
    limb_case_random(&a, 3, 0, 2, TC_C(1.0), TC_C(2.0), &law);
    TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
    limb_double_make(&a, &truth);
    own_limb();
    static tc_real rate[3];
    tc_patch3 *const patch = &a.state.patch;
    const struct {
        tc_real *numbers;
        uint32_t count;
    } given[8] = {{own_mass, 9},   {own_jacobian, 18},    {rate, 3},
                  {own_force, 3},  {own.orientation, 4},  {&patch->frame[0][0], 9},
                  {patch->gap, 2}, {&patch->arm[0][0], 6}};
    memcpy(rate, a.before.qd, sizeof rate);
    own.rate = rate;
    TEST_ASSERT_EQUAL(2, patch->count);
    TEST_ASSERT_TRUE(own_solve(TC_LIMB3_MECHANISM_WORK(3u, 0u)) >= TC_OK);
    for (uint32_t array = 0; array < 8u; array++) {
        for (uint32_t k = 0; k < given[array].count; k++) {
            const tc_real kept = given[array].numbers[k];
            given[array].numbers[k] = bad[(array + k) % 3u];
            refused(TC_ERR_NOT_FINITE, TC_LIMB3_MECHANISM_WORK(3u, 0u));
            given[array].numbers[k] = kept;
        }
    }
    TEST_ASSERT_TRUE(own_solve(TC_LIMB3_MECHANISM_WORK(3u, 0u)) >= TC_OK);
}

/* A step that fails leaves the state. */
static void test_bad_steps(void)
{
    learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    const tc_learned3_model law = learned3_said_law(&said);
    test_seed(30712u);
    limb_case_random(&a, 3, 1, 1, TC_C(1.0), TC_C(2.0), &law);
    said.classified = TC_ERR_MODEL_WEIGHT;
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_WEIGHT, limb_case_step(&a));
    TEST_ASSERT_EQUAL_MEMORY(a.before.q, a.state.q, sizeof a.state.q);
    TEST_ASSERT_EQUAL_MEMORY(a.before.qd, a.state.qd, sizeof a.state.qd);
    said.classified = TC_OK;
    a.torque[1] = (tc_real)INFINITY;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, limb_case_step(&a));
    a.torque[1] = TC_C(0.0);
    a.state.q[4] += TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, limb_case_step(&a));
    a.state = a.before;
    a.state.q[4] -= TC_C(1.0);
    a.leg.foot.positions = (tc_scheme)((uint32_t)TC_SCHEME_GAP + 1u);
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_limb3_check(&a.leg));
    a.leg.foot.positions = TC_SCHEME_DART;
    a.leg.foot.body.inertia[1] *= TC_C(1.01);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH, tc_limb3_check(&a.leg));
}

/* ---- In a loop ------------------------------------------------------------------------------- */

/* Three links under a law that says anything: every step keeps the promises, and nothing sinks
 * in. */
static void swing(const tc_learned3_model *law, uint32_t steps)
{
    limb_case_random(&a, 3, 0, 1, TC_C(1.0), TC_C(1.0), law);
    memset(a.torque, 0, sizeof a.torque);
    for (uint32_t k = 0; k < 3u; k++) { /* gravity towards the plane */
        a.leg.chain.gravity[k] = TC_C(-9.81) * a.leg.foot.plane.normal[k];
    }
    for (uint32_t step = 0; step < steps; step++) {
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
        TEST_ASSERT_TRUE(a.info.penetration < TC_C(0.03));
        if (a.info.contact.count > 0u) {
            limb_double_make(&a, &truth);
            limb_case_promises(&a, &truth, limb_case_text(step));
        }
    }
}

static void test_swings(void)
{
    mu = 0.6;
    const tc_learned3_model coulomb = learned3_coulomb_law(&mu);
    test_seed(30713u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(20u); round++) {
        swing(round % 2u ? &coulomb : &limb_case_fickle, LIMB_CASE_ROUNDS(300u));
    }
}

/* Scheme gap: nothing sinks in, and a contact gives no energy to the limb. */
static void test_gap(void)
{
    uint32_t touched = 0;
    mu = 0.6;
    const tc_learned3_model coulomb = learned3_coulomb_law(&mu);
    test_seed(30715u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(20u); round++) {
        limb_case_random(&a, 2u + round % 3u, round % 4u == 0u, 1, TC_C(1.0), TC_C(2.0),
                         round % 2u ? &coulomb : &limb_case_fickle);
        memset(a.torque, 0, sizeof a.torque);
        a.leg.foot.positions = TC_SCHEME_GAP;
        a.leg.foot.plane.offset -= TC_C(0.01);
        for (uint32_t k = 0; k < 3u; k++) {
            a.leg.chain.gravity[k] = TC_C(-9.81) * a.leg.foot.plane.normal[k];
        }
        for (uint32_t step = 0; step < LIMB_CASE_ROUNDS(300u); step++) {
            double after[LIMB_CASE_DOF];
            TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
            limb_double_make(&a, &truth);
            for (uint32_t k = 0; k < a.n; k++) {
                after[k] = (double)a.state.qd[k];
            }
            const double most =
                limb_double_kinetic(&truth, truth.free) * (1 + 0.1 * LIMB_CASE_TOLERANCE);
            TEST_ASSERT_TRUE_MESSAGE(a.info.penetration < TC_C(3e-4), limb_case_text(round));
            TEST_ASSERT_TRUE_MESSAGE(limb_double_kinetic(&truth, after) <= most,
                                     limb_case_text(round));
            touched += a.info.contact.count > 0u;
        }
    }
    TEST_ASSERT_TRUE(touched > 0u);
}

/* Corners that turn down when another is stopped are lifted with it: the lift has more contacts
 * than the solve had. Catches: no workspace for them, which left the normals' problem without an
 * answer. */
static void test_lift_of_a_grown_patch(void)
{
    uint32_t grown = 0;
    mu = 0.6;
    const tc_learned3_model coulomb = learned3_coulomb_law(&mu);
    test_seed(30721u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(3000u); round++) {
        limb_case_random(&a, 2u + test_below(3), 0, 4, TC_C(1.0), TC_C(1.0), &coulomb);
        a.leg.foot.positions = TC_SCHEME_GAP;
        a.leg.foot.plane.offset -= test_uniform(TC_C(0.0), TC_C(0.02));
        test_fill(a.state.qd, a.n, TC_C(-8.0), TC_C(8.0));
        for (uint32_t k = 0; k < a.n; k++) {
            a.state.q[k] += test_uniform(TC_C(-0.02), TC_C(0.02));
        }
        for (uint32_t step = 0; step < 6u; step++) {
            TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
            if (a.state.patch.count > a.info.contact.count) {
                grown++;
                TEST_ASSERT_EQUAL_MESSAGE(
                    0, a.info.contact.contact.flags & (uint32_t)TC_LEARNED_FALLBACK,
                    limb_case_text(round));
            }
        }
    }
    TEST_ASSERT_TRUE(grown > 0u || LIMB_CASE_ROUNDS(3000u) < 3000u);
}

/* A plate, thinner than a step's way */
static const tc_real plate[24] = {
    TC_C(-0.1), TC_C(-0.02), TC_C(-0.001), TC_C(0.1), TC_C(-0.02), TC_C(-0.001),
    TC_C(-0.1), TC_C(0.02),  TC_C(-0.001), TC_C(0.1), TC_C(0.02),  TC_C(-0.001),
    TC_C(-0.1), TC_C(-0.02), TC_C(0.001),  TC_C(0.1), TC_C(-0.02), TC_C(0.001),
    TC_C(-0.1), TC_C(0.02),  TC_C(0.001),  TC_C(0.1), TC_C(0.02),  TC_C(0.001),
};

/* Height that a turn by q gives to a vertex, along n */
static double height_of(const tc_real q[4], const tc_real *vertex, const tc_real n[3])
{
    double sum = 0;
    for (uint32_t k = 0; k < 3u; k++) {
        const uint32_t a1 = (k + 1u) % 3u, b1 = (k + 2u) % 3u;
        const double w = (double)q[0], x = (double)q[1u + k], y = (double)q[1u + a1],
                     z = (double)q[1u + b1];
        sum += (double)n[k]
               * ((1 - 2 * (y * y + z * z)) * (double)vertex[k]
                  + 2 * (x * y - w * z) * (double)vertex[a1]
                  + 2 * (x * z + w * y) * (double)vertex[b1]);
    }
    return sum;
}

/* Gap of the lowest vertex at these coordinates. *bend: h^2 times the largest acceleration of a
 * vertex at these rates */
static double lowest_of(const tc_real *q, const tc_real *rates, double *bend)
{
    static tc_chain3_motion motion;
    const tc_foot3 *const foot = &a.leg.foot;
    double least = HUGE_VAL, turn = 0, swings = 0, falls = 0;
    TEST_ASSERT_TRUE(tc_chain3_move(&a.leg.chain, q, rates, &motion) >= TC_OK);
    const tc_chain3_link_motion *const link = &motion.link[motion.links - 1u];
    for (uint32_t i = 0; i < foot->shape.count; i++) {
        double gap =
            height_of(link->orientation, foot->shape.vertices + 3u * i, foot->plane.normal);
        for (uint32_t k = 0; k < 3u; k++) {
            gap += (double)foot->plane.normal[k]
                   * ((double)motion.origin[k] + (double)link->position[k]);
        }
        gap -= (double)foot->plane.offset;
        least = fmin(least, gap);
    }
    for (uint32_t k = 0; k < 3u; k++) {
        turn += pow((double)link->velocity[3u + k], 2);
        swings += pow((double)link->acceleration[3u + k], 2);
        falls += pow((double)link->acceleration[k], 2);
    }
    *bend = pow((double)foot->step, 2) * (sqrt(falls) + (sqrt(swings) + turn) * 0.1);
    return least;
}

/* Scheme gap: no vertex of a thin foot ends deeper than the path's curvature takes it, and the
 * depth that is told is the lowest one's. Catches: vertices that the upper corners of a plate hide,
 * from the step or from the lift; a lift that lets what was lifted before sink again. */
static void test_thin_foot(void)
{
    const uint32_t rounds = LIMB_CASE_ROUNDS(3000u);
    mu = 0.6;
    const tc_learned3_model coulomb = learned3_coulomb_law(&mu);
    test_seed(30722u);
    for (uint32_t round = 0; round < rounds; round++) {
        double bend, unused;
        limb_case_random(&a, 2u + test_below(4), round % 4u == 0u, 1, TC_C(1.0), TC_C(1.0),
                         &coulomb);
        a.leg.foot.positions = TC_SCHEME_GAP;
        a.leg.foot.shape.vertices = plate;
        test_fill(a.state.qd, a.n, TC_C(-8.0), TC_C(8.0));
        a.leg.foot.plane.offset += (tc_real)lowest_of(a.state.q, a.state.qd, &bend);
        a.leg.foot.plane.offset -= test_uniform(TC_C(0.0), TC_C(0.005));
        for (uint32_t step = 0; step < 12u; step++) {
            TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
            const double was = lowest_of(a.before.q, a.state.qd, &bend);
            const double is = lowest_of(a.state.q, a.state.qd, &unused);
            if (a.info.contact.count > 0u) {
                TEST_ASSERT_TRUE_MESSAGE(fmin(was, 0) - is <= bend + 1e-5, limb_case_text(round));
                TEST_ASSERT_TRUE(fabs((double)a.info.penetration - fmax(-is, 0)) <= 4e-6);
            }
        }
    }
}

/* A law without answers, and a plate whose vertices come in pairs one above the other: contacts
 * stop as well as with an answer. Catches: sweeps that converge too slowly for that. */
static void test_stop_without_an_answer(void)
{
    learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    const tc_learned3_model law = learned3_said_law(&said);
    uint32_t stopped = 0;
    said.observed = TC_ERR_RANGE;
    test_seed(30723u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(1000u); round++) {
        double unused;
        limb_case_random(&a, 2u + test_below(3), round % 4u == 0u, 4, TC_C(1.0), TC_C(2.0), &law);
        a.leg.foot.shape.vertices = plate;
        a.leg.foot.plane.offset += (tc_real)lowest_of(a.state.q, a.state.qd, &unused);
        a.leg.foot.plane.offset += test_uniform(TC_C(0.001), TC_C(0.01));
        if (limb_case_step(&a) == TC_NOTE_FALLBACK && a.info.contact.count > 0u) {
            stopped++;
            limb_double_make(&a, &truth);
            limb_case_keeps_out(&a, &truth, limb_case_text(round));
        }
    }
    TEST_ASSERT_TRUE(stopped > 0u);
}

static void test_same_bits(void)
{
    static const uint32_t corners[3] = {1, 2, 4};
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.2));
    const tc_learned3_model law = learned3_said_law(&said);
    uint32_t hash = TEST_HASH_START, slid = 0;
    test_seed(30714u);
    for (uint32_t round = 0; round < 12u; round++) {
        const uint32_t floating = round % 5u == 0u;
        limb_case_random(&a, 1u + round % 4u + floating, (int)floating, corners[round % 3u],
                         TC_C(1.0), TC_C(2.0), &law);
        a.leg.foot.positions = round % 2u == 0u ? TC_SCHEME_DART : TC_SCHEME_GAP;
        for (uint32_t step = 0; step < 6u; step++) {
            TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
            hash = test_hash(hash, a.state.q, a.n + floating);
            hash = test_hash(hash, a.state.qd, a.n);
            const tc_learned3_result *const result = &a.info.contact.contact;
            slid += result->branch == TC_LEARNED_DYNAMIC && result->normal[0] > TC_C(0.0)
                    && result->flags == 0u;
        }
    }
    TEST_ASSERT_TRUE(slid >= 10u);
    test_golden("limb3.steps", hash);
}

void suite_limb3_steps(void)
{
    RUN_TEST(test_own_matrices);
    RUN_TEST(test_any_friction_is_restrained);
    RUN_TEST(test_bad_limbs);
    RUN_TEST(test_each_number_is_checked);
    RUN_TEST(test_bad_steps);
    RUN_TEST(test_swings);
    RUN_TEST(test_gap);
    RUN_TEST(test_lift_of_a_grown_patch);
    RUN_TEST(test_thin_foot);
    RUN_TEST(test_stop_without_an_answer);
    RUN_TEST(test_same_bits);
}
