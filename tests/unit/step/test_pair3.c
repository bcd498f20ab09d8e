/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Two moving bodies as one mechanism, judged in double: momentum about a fixed point, kinetic
 * energy, approach.
 */
#include "limb3_case.h"

#include "tc_vec.h"

#include <math.h>

#define HEAVY 1e7 /* times a's mass: b does not move */

#ifdef __arm__
#define PAIR_CASES 60u
#else
#define PAIR_CASES TEST_ROUNDS(20000u)
#endif

/* Of the momenta that are added up; of the speeds of the points that touch; of the fastest rate.
 * The most of 20,000 cases: 1.2e-7, 1.2e-5 (contacts far from a thin body), 2.7e-6. */
#ifdef TC_DOUBLE
#define PAIR_MOMENTUM 1e-14
#define PAIR_APPROACH 1e-12
#else
#define PAIR_MOMENTUM 2e-7
#define PAIR_APPROACH 4e-5
#endif
#define PAIR_GROUND 5e-6 /* the partner's share, 1 / HEAVY, is in it */

/* scene: a, which the patch belongs to; under, below: b */
typedef struct pair_case {
    learned3_scene scene;
    tc_body3 under;
    tc_body3_state below;
    tc_pair3 pair;
    tc_foot3 foot;
    tc_limb3_mechanism mechanism;
    tc_limb3_info info;
    tc_real rates[TC_PAIR3_RATES];
} pair_case;

static pair_case t;
static tc_real matrices[TC_PAIR3_STATE], work[TC_LIMB3_MECHANISM_WORK(TC_PAIR3_RATES, 0u)];

static void pose_pair(void)
{
    t.pair.body[0] = &t.scene.body;
    t.pair.body[1] = &t.under;
    t.pair.state[0] = &t.scene.state;
    t.pair.state[1] = &t.below;
    t.pair.wrench = NULL;
}

/* b touches with a face about its own radius of gyration away; `heavy`: at rest, unmoved by all
 * that a does */
static void random_pair(uint32_t count, int heavy)
{
    learned3_scene other;
    learned3_random(count, &t.scene);
    learned3_random(1, &other);
    t.under = other.body;
    t.below = other.state;
    if (heavy) {
        t.under.mass = (tc_real)HEAVY * t.scene.body.mass;
        for (uint32_t k = 0; k < 3u; k++) {
            t.under.inertia[k] = (tc_real)HEAVY * t.scene.body.inertia[k];
        }
        memset(t.below.velocity, 0, sizeof t.below.velocity);
    }
    const tc_real radius = tc_sqrt(t.under.inertia[0] / t.under.mass);
    for (uint32_t k = 0; k < 3u; k++) {
        tc_real centre = TC_C(0.0);
        for (uint32_t i = 0; i < count; i++) {
            centre += t.scene.patch.arm[i][k] / (tc_real)count;
        }
        t.scene.state.position[k] = test_uniform(TC_C(-1.0), TC_C(1.0));
        t.below.position[k] = t.scene.state.position[k] + centre
                              + radius * test_uniform(TC_C(-1.5), k == 2u ? TC_C(-0.1) : TC_C(1.5));
    }
    pose_pair();
}

static tc_status solve_pair(const tc_learned3_model *model)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&t.foot, &t.scene.body, TC_C(0.002), model));
    TEST_ASSERT_EQUAL(TC_OK, tc_pair3_mechanism(&t.pair, &t.mechanism, matrices, TC_PAIR3_STATE));
    return tc_limb3_mechanism_solve(&t.foot, &t.mechanism, &t.scene.patch, 0, NULL, t.rates,
                                    &t.info, work, TC_LIMB3_MECHANISM_WORK(TC_PAIR3_RATES, 0u));
}

/* ---- In double ------------------------------------------------------------------------------- */

/* The body's angular momentum at omega, world axes: R diag(I) R^T omega */
static void spin_double(uint32_t side, const double omega[3], double L[3])
{
    const tc_real *const q = t.pair.state[side]->orientation;
    const double w = (double)q[0], x = (double)q[1], y = (double)q[2], z = (double)q[3];
    const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    L[0] = L[1] = L[2] = 0;
    for (int k = 0; k < 3; k++) {
        const double own = R[0][k] * omega[0] + R[1][k] * omega[1] + R[2][k] * omega[2];
        for (int i = 0; i < 3; i++) {
            L[i] += R[i][k] * (double)t.pair.body[side]->inertia[k] * own;
        }
    }
}

/* sum[6] += momentum, and angular momentum about the origin, of a body's velocity; size[2] += the
 * terms' */
static void momentum_double(uint32_t side, const double v[6], double sum[6], double size[2])
{
    const tc_real *const at = t.pair.state[side]->position;
    const double x[3] = {(double)at[0], (double)at[1], (double)at[2]};
    double p[3], orbit[3], L[3];
    for (int k = 0; k < 3; k++) {
        p[k] = (double)t.pair.body[side]->mass * v[k];
    }
    learned3_cross(x, p, orbit);
    spin_double(side, v + 3, L);
    for (int k = 0; k < 3; k++) {
        sum[k] += p[k];
        sum[3 + k] += orbit[k] + L[k];
        size[0] += fabs(p[k]);
        size[1] += fabs(orbit[k]) + fabs(L[k]);
    }
}

static double energy_double(uint32_t side, const double v[6])
{
    double L[3];
    spin_double(side, v + 3, L);
    return 0.5 * (double)t.pair.body[side]->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
           + 0.5 * (L[0] * v[3] + L[1] * v[4] + L[2] * v[5]);
}

/* Speed of approach of contact i with a's and b's velocities in rates[12]; *size: what its two
 * points move */
static double approach_double(uint32_t i, const double rates[12], double *size)
{
    const tc_patch3 *const patch = &t.scene.patch;
    double arm[3], far[3], a[3], b[3], approach = 0;
    for (int k = 0; k < 3; k++) {
        arm[k] = 0;
        for (int j = 0; j < 3; j++) {
            arm[k] += (double)patch->arm[i][j] * (double)patch->frame[j][k];
        }
        far[k] = arm[k] + (double)t.scene.state.position[k] - (double)t.below.position[k];
    }
    learned3_cross(rates + 3, arm, a);
    learned3_cross(rates + 9, far, b);
    *size = 0;
    for (int k = 0; k < 3; k++) {
        *size += fabs(rates[k] + a[k]) + fabs(rates[6 + k] + b[k]);
        approach -= (double)patch->frame[2][k] * (rates[k] + a[k] - rates[6 + k] - b[k]);
    }
    return approach;
}

/* What was and what is: a's and b's velocities */
static void rates_double(double before[12], double after[12])
{
    for (int k = 0; k < 6; k++) {
        before[k] = (double)t.scene.state.velocity[k];
        before[6 + k] = (double)t.below.velocity[k];
    }
    for (int k = 0; k < 12; k++) {
        after[k] = (double)t.rates[k];
    }
}

static void judge_pair(const char *text)
{
    double before[12], after[12], change[6] = {0, 0, 0, 0, 0, 0}, size[2] = {0, 0}, was = 0, is = 0;
    rates_double(before, after);
    for (uint32_t side = 0; side < 2u; side++) {
        double other[6] = {0, 0, 0, 0, 0, 0};
        momentum_double(side, after + 6 * side, change, size);
        momentum_double(side, before + 6 * side, other, size);
        for (int k = 0; k < 6; k++) {
            change[k] -= other[k];
        }
        was += energy_double(side, before + 6 * side);
        is += energy_double(side, after + 6 * side);
    }
    for (int k = 0; k < 6; k++) {
        TEST_ASSERT_TRUE_MESSAGE(fabs(change[k]) <= PAIR_MOMENTUM * size[k / 3], text);
    }
    TEST_ASSERT_TRUE_MESSAGE(is <= was * (1 + PAIR_MOMENTUM), text);
    for (uint32_t i = 0; i < t.scene.patch.count; i++) {
        double speed, now;
        (void)approach_double(i, before, &speed);
        TEST_ASSERT_TRUE_MESSAGE(approach_double(i, after, &now) <= PAIR_APPROACH * speed, text);
        TEST_ASSERT_TRUE_MESSAGE(t.info.contact.contact.normal[i] >= TC_C(0.0), text);
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Catches: an arm about the wrong body, X or its sign, one body's impulse on the other's
 * inertia. */
static void test_pairs_keep_momentum(void)
{
    const double mu = 0.4;
    const tc_learned3_model coulomb = learned3_coulomb_law(&mu);
    test_seed(31201u);
    for (uint32_t round = 0; round < PAIR_CASES; round++) {
        random_pair(1u + round % 4u, (int)(round / 4u % 2u));
        const tc_status status = solve_pair(round / 8u % 2u ? &limb_case_fickle : &coulomb);
        TEST_ASSERT_TRUE_MESSAGE(status >= TC_OK, limb_case_text(round));
        judge_pair(limb_case_text(round));
    }
}

/* A pair with a partner that nothing moves is a limb of a alone, of six rates. */
static void test_heavy_partner_is_ground(void)
{
    static tc_real mass[36], jacobian[36];
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    const tc_learned3_model model = learned3_said_law(&said);
    test_seed(31202u);
    for (uint32_t round = 0; round < PAIR_CASES / 20u; round++) {
        tc_real alone[6], fastest = TC_C(0.0);
        const tc_real none[6] = {TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
        random_pair(1u + round % 4u, 1);
        TEST_ASSERT_TRUE(solve_pair(&model) >= TC_OK);
        for (uint32_t i = 0; i < 6u; i++) {
            for (uint32_t j = 0; j < 6u; j++) {
                mass[6u * i + j] = matrices[TC_PAIR3_RATES * i + j];
                jacobian[6u * i + j] = i == j ? TC_C(1.0) : TC_C(0.0);
            }
        }
        tc_limb3_mechanism limb = {6u, mass, jacobian, t.scene.state.velocity, none, {0}};
        memcpy(limb.orientation, t.scene.state.orientation, sizeof limb.orientation);
        TEST_ASSERT_TRUE(tc_limb3_mechanism_solve(&t.foot, &limb, &t.scene.patch, 0, NULL, alone,
                                                  &t.info, work,
                                                  TC_LIMB3_MECHANISM_WORK(TC_PAIR3_RATES, 0u))
                         >= TC_OK);
        for (uint32_t k = 0; k < 6u; k++) {
            fastest = tc_vec_max(fastest, tc_vec_magnitude(limb.rate[k]));
        }
        for (uint32_t k = 0; k < 6u; k++) {
            test_near(alone[k], t.rates[k], (tc_real)PAIR_GROUND * fastest, TC_C(0.0),
                      limb_case_text(round));
        }
    }
}

/* Bodies that part, and forces: a wrench moves each by its own inertia. */
static void test_apart_pairs_move_freely(void)
{
    tc_real wrench[TC_PAIR3_RATES];
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    const tc_learned3_model model = learned3_said_law(&said);
    test_seed(31203u);
    random_pair(2, 0);
    test_fill(wrench, TC_PAIR3_RATES, TC_C(-1.0), TC_C(1.0));
    t.pair.wrench = wrench;
    t.scene.patch.count = 0;
    TEST_ASSERT_EQUAL(TC_OK, solve_pair(&model));
    for (uint32_t side = 0; side < 2u; side++) {
        tc_body3_state alone = *t.pair.state[side];
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_apply_wrench(t.pair.body[side], wrench + 6u * side,
                                                       t.foot.step, &alone));
        for (uint32_t k = 0; k < 6u; k++) {
            test_near(alone.velocity[k], t.rates[6u * side + k], TC_C(1e-6), TC_C(1e-5), "free");
        }
    }
}

static void refuse_pair(tc_status expected, tc_real *at, size_t len)
{
    static const tc_limb3_mechanism zero;
    memset(&t.mechanism, 1, sizeof t.mechanism);
    TEST_ASSERT_EQUAL(expected, tc_pair3_mechanism(&t.pair, &t.mechanism, at, len));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &t.mechanism, sizeof zero);
    random_pair(1, 0);
}

static void test_bad_pairs(void)
{
    test_seed(31204u);
    random_pair(1, 0);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_pair3_mechanism(&t.pair, NULL, matrices, TC_PAIR3_STATE));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_pair3_mechanism(NULL, &t.mechanism, matrices, TC_PAIR3_STATE));
    refuse_pair(TC_ERR_NULL, NULL, TC_PAIR3_STATE);
    refuse_pair(TC_ERR_ALIGN, TEST_ODD(matrices), TC_PAIR3_STATE);
    refuse_pair(TC_ERR_WORK, matrices, TC_PAIR3_STATE - 1u);
    t.pair.body[1] = NULL;
    refuse_pair(TC_ERR_NULL, matrices, TC_PAIR3_STATE);
    t.pair.state[0] = NULL;
    refuse_pair(TC_ERR_NULL, matrices, TC_PAIR3_STATE);
    t.under.mass = TC_C(0.0);
    refuse_pair(TC_ERR_BODY, matrices, TC_PAIR3_STATE);
    t.below.position[2] = (tc_real)NAN;
    refuse_pair(TC_ERR_NOT_FINITE, matrices, TC_PAIR3_STATE);
    t.scene.state.velocity[5] = (tc_real)INFINITY;
    refuse_pair(TC_ERR_NOT_FINITE, matrices, TC_PAIR3_STATE);
    t.below.orientation[0] = (tc_real)NAN;
    refuse_pair(TC_ERR_NOT_FINITE, matrices, TC_PAIR3_STATE);
    t.below.orientation[0] += TC_C(0.5);
    refuse_pair(TC_ERR_UNIT, matrices, TC_PAIR3_STATE);
}

void suite_pair3(void)
{
    RUN_TEST(test_pairs_keep_momentum);
    RUN_TEST(test_heavy_partner_is_ground);
    RUN_TEST(test_apart_pairs_move_freely);
    RUN_TEST(test_bad_pairs);
}
