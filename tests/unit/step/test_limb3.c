/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 2 in space: against the whole limb solved in double, and its promises under any law.
 *
 * Tolerances: LIMB_CASE_TOLERANCE of the contacts' speed for velocities.
 */
#include "limb3_case.h"

#include <math.h>

static limb_case a;
static limb_double truth;
static double mu;
static double after[LIMB_CASE_DOF];

static void take_rates(void)
{
    for (uint32_t k = 0; k < a.n; k++) {
        after[k] = (double)a.state.qd[k];
    }
}

/* 1 to 4 joints, some on a floating root */
static void draw(uint32_t corners, tc_real speed, const tc_learned3_model *law)
{
    const uint32_t joints = 1u + test_below(4);
    const int floating = test_below(4) == 0u;
    limb_case_random(&a, joints + (uint32_t)floating, floating, corners, TC_C(3.0), speed, law);
}

static void draw_and_step(uint32_t corners, tc_real speed, const tc_learned3_model *law)
{
    draw(corners, speed, law);
    TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
    limb_double_make(&a, &truth);
    TEST_ASSERT_EQUAL(corners, truth.count);
    take_rates();
}

/* How far the contacts' velocities are from expected rates, over their speed before */
static double off(const double *expected)
{
    double difference[LIMB_CASE_DOF];
    for (uint32_t k = 0; k < a.n; k++) {
        difference[k] = after[k] - expected[k];
    }
    return limb_double_speed(&truth, difference) / limb_double_speed(&truth, truth.free);
}

/* ---- Against the whole limb ------------------------------------------------------------------ */

/* Catches: a force left out, a whitened column of the wrong sign. */
static void test_free_motion(void)
{
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.5));
    const tc_learned3_model law = learned3_said_law(&said);
    test_seed(30701u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(200u); round++) {
        draw(1, TC_C(2.0), &law);
        a.leg.foot.plane.offset -= TC_C(1.0);
        TEST_ASSERT_EQUAL(TC_OK, limb_case_step(&a));
        TEST_ASSERT_EQUAL(TC_LEARNED_NONE, a.info.contact.contact.branch);
        limb_double_make(&a, &truth);
        take_rates();
        for (uint32_t k = 0; k < a.n; k++) {
            test_near((tc_real)truth.free[k], a.state.qd[k], TC_C(5e-4), TC_C(1e-3),
                      limb_case_text(round));
        }
    }
}

/* Catches: a query that is not the free body's, a limb solved with the body's inertia, a wrong
 * shift. */
static void test_point_is_coulombs(void)
{
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    uint32_t exact = 0, consistent = 0, slid = 0;
    test_seed(30702u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(1000u); round++) {
        double p[TC_PATCH_MAX][3], expected[LIMB_CASE_DOF];
        mu = (double)test_uniform(TC_C(0.05), TC_C(1.0));
        draw_and_step(1, TC_C(2.0), &law);
        limb_double_coulomb(&truth, mu, 1, p, expected);
        exact += off(expected) <= LIMB_CASE_TOLERANCE;
        consistent += a.info.consistent != 0;
        slid += a.info.contact.contact.branch == TC_LEARNED_DYNAMIC;
    }
    TEST_ASSERT_TRUE(exact + 1u + LIMB_CASE_ROUNDS(1000u) / 200u >= LIMB_CASE_ROUNDS(1000u));
    TEST_ASSERT_TRUE(consistent + 1u + LIMB_CASE_ROUNDS(1000u) / 100u >= LIMB_CASE_ROUNDS(1000u));
    TEST_ASSERT_TRUE(slid * 10u >= LIMB_CASE_ROUNDS(1000u));
}

/* Catches: sweeps that converge to something else. */
static void test_patch_is_coulombs(void)
{
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    static const tc_learned3_sweeps many = {20u, 20u};
    uint32_t exact[2] = {0, 0}, near[2] = {0, 0};
    test_seed(30703u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(400u); round++) {
        double p[TC_PATCH_MAX][3], expected[LIMB_CASE_DOF];
        const uint32_t face = round % 2u;
        mu = (double)test_uniform(TC_C(0.1), TC_C(0.8));
        draw_and_step(face ? 4u : 2u, TC_C(2.0), &law);
        limb_double_coulomb(&truth, mu, LIMB_CASE_SWEEPS, p, expected);
        near[face] += off(expected) <= 0.05;
        a.state = a.before;
        a.leg.foot.sweeps = many;
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
        take_rates();
        exact[face] += off(expected) <= 5e-3;
    }
    for (uint32_t face = 0; face < 2u; face++) {
        TEST_ASSERT_TRUE(exact[face] + 1u + LIMB_CASE_ROUNDS(400u) / 100u
                         >= LIMB_CASE_ROUNDS(400u) / 2u);
        TEST_ASSERT_TRUE(near[face] + 2u + LIMB_CASE_ROUNDS(400u) / 40u
                         >= LIMB_CASE_ROUNDS(400u) / 2u);
    }
}

/* ---- Promises -------------------------------------------------------------------------------- */

/* Catches: friction that feeds, a cut left out, normals of another inertia than the limb's. */
static void test_any_law_keeps_the_promises(void)
{
    static const uint32_t corners[4] = {1, 2, 4, 1};
    test_seed(30704u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(4000u); round++) {
        const tc_real speed = round % 5u == 0u ? TC_C(20.0) : TC_C(2.0);
        draw(corners[round % 4u], speed, &limb_case_fickle);
        a.leg.foot.sweeps.rounds = 1u + test_below(2); /* so few do not converge */
        a.leg.foot.sweeps.frozen = test_below(3);
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
        limb_double_make(&a, &truth);
        take_rates();
        limb_case_promises(&a, &truth, limb_case_text(round));
    }
}

/* A law without an answer: the limb's contacts stop without friction. The conditions of that, in
 * double: the rates are those that the normals give, no normal pulls, no contact approaches, and
 * those that leave carry next to nothing. Catches: normals of the free body's inertia, sweeps that
 * end too soon, an impulse that is not told. */
static void test_without_an_answer(void)
{
    static const uint32_t corners[3] = {1, 2, 4};
    static const tc_status none[2] = {TC_ERR_NOT_CERTIFIED, TC_ERR_RANGE};
    learned3_said said = learned3_says(TC_LEARNED_STATIC, TC_C(0.4));
    const tc_learned3_model law = learned3_said_law(&said);
    uint32_t fell = 0;
    test_seed(30718u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(600u); round++) {
        double moved[LIMB_CASE_DOF], power = 0, carried = 0;
        said.observed = none[test_below(2)];
        draw_and_step(corners[round % 3u], TC_C(2.0), &law);
        const tc_learned3_result *const result = &a.info.contact.contact;
        if ((result->flags & (uint32_t)TC_LEARNED_FALLBACK) == 0u) {
            continue; /* nothing approached: nothing was asked */
        }
        fell++;
        memcpy(moved, truth.free, sizeof moved);
        for (uint32_t i = 0; i < truth.count; i++) {
            const double normal[3] = {0, 0, (double)result->normal[i]};
            double u[3];
            limb_double_push(&truth, i, normal, moved);
            limb_double_at(&truth, i, after, u);
            power += normal[2] * fabs(u[2]);
            carried += normal[2];
        }
        const double speed = limb_double_speed(&truth, truth.free);
        TEST_ASSERT_TRUE_MESSAGE(off(moved) <= 4 * LIMB_CASE_TOLERANCE, limb_case_text(round));
        TEST_ASSERT_TRUE_MESSAGE(power <= 2e-3 * carried * speed, limb_case_text(round));
        TEST_ASSERT_TRUE(result->friction[0] == TC_C(0.0) && result->friction[1] == TC_C(0.0));
        TEST_ASSERT_EQUAL(0, a.state.warm.count);
        limb_case_keeps_out(&a, &truth, limb_case_text(round));
    }
    TEST_ASSERT_TRUE(fell * 2u >= LIMB_CASE_ROUNDS(600u));
}

/* Friction of a point works against the slip of the limb. */
static void test_friction_of_a_point(void)
{
    test_seed(30705u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(1000u); round++) {
        double u[3];
        draw_and_step(1, TC_C(2.0), &limb_case_fickle);
        const tc_real *const friction = a.info.contact.contact.friction;
        limb_double_at(&truth, 0, after, u);
        const double size = fabs((double)friction[0]) + fabs((double)friction[1]);
        const double power = u[0] * (double)friction[0] + u[1] * (double)friction[1];
        TEST_ASSERT_TRUE_MESSAGE(power <= LIMB_CASE_TOLERANCE * size
                                              * limb_double_speed(&truth, truth.free),
                                 limb_case_text(round));
    }
}

/* Catches: an impulse told that is not the one applied. M (rates - free) = J^T impulse. */
static void test_impulse_is_told(void)
{
    static const uint32_t corners[3] = {1, 2, 4};
    test_seed(30706u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(300u); round++) {
        double moved[LIMB_CASE_DOF];
        draw_and_step(corners[round % 3u], TC_C(2.0), &limb_case_fickle);
        const tc_learned3_result *const result = &a.info.contact.contact;
        memcpy(moved, truth.free, sizeof moved);
        limb_double centre = truth;
        memset(centre.J, 0, sizeof centre.J);
        for (uint32_t i = 0; i < truth.count; i++) {
            const double normal[3] = {0, 0, (double)result->normal[i]};
            limb_double_push(&truth, i, normal, moved);
            for (uint32_t k = 0; k < truth.n; k++) {
                for (uint32_t r = 0; r < 2u; r++) {
                    centre.J[0][r][k] += truth.J[i][r][k] / truth.count;
                }
            }
        }
        /* the torque about the normal, as two forces: the spin from the contacts' velocities */
        const double force[3] = {(double)result->friction[0], (double)result->friction[1], 0};
        limb_double_push(&centre, 0, force, moved);
        if (truth.count > 1u) {
            const tc_real *const p = truth.patch.arm[0], *const q = truth.patch.arm[1];
            const double x = (double)(q[0] - p[0]), y = (double)(q[1] - p[1]),
                         square = x * x + y * y;
            const double twist = (double)result->friction[2] / square;
            const double there[3] = {-y * twist, x * twist, 0},
                         back[3] = {y * twist, -x * twist, 0};
            limb_double_push(&truth, 1, there, moved);
            limb_double_push(&truth, 0, back, moved);
        }
        TEST_ASSERT_TRUE_MESSAGE(off(moved) <= 4 * LIMB_CASE_TOLERANCE, limb_case_text(round));
    }
}

/* Catches: a stop that stops only the centre, or with the body's inertia. What the law calls static
 * does not move; a limb of few joints too. */
static void test_static_stands_still(void)
{
    static const uint32_t corners[3] = {1, 2, 4};
    const learned3_said said = learned3_says(TC_LEARNED_STATIC, TC_C(1e3));
    const tc_learned3_model law = learned3_said_law(&said);
    uint32_t stuck[3] = {0, 0, 0};
    test_seed(30707u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(900u); round++) {
        draw_and_step(corners[round % 3u], TC_C(2.0), &law);
        if (a.info.contact.contact.branch == TC_LEARNED_STATIC) {
            stuck[round % 3u]++;
            const double speed = limb_double_speed(&truth, truth.free);
            TEST_ASSERT_TRUE_MESSAGE(limb_double_speed(&truth, after)
                                         <= LIMB_CASE_TOLERANCE * speed,
                                     limb_case_text(round));
        }
    }
    for (uint32_t k = 0; k < 3u; k++) {
        TEST_ASSERT_TRUE(stuck[k] * 20u >= LIMB_CASE_ROUNDS(900u) / 3u);
    }
}

#define STOPS (TC_PATCH_MAX + 3u)

/* What stops a patch, in double: row k is a normal, or slip along tangent 1 or 2 of the plane below
 * the centre of mass, or spin; x: the impulses, one after the other, 0 of those that depend on the
 * ones before. */
typedef struct wedge {
    double row[STOPS][LIMB_CASE_DOF], x[STOPS];
    int depends[STOPS];
    uint32_t count;
} wedge;

static wedge held;

static void wedge_rows(void)
{
    const tc_real *const p = truth.patch.arm[0], *const q = truth.patch.arm[1];
    const double x = (double)(q[0] - p[0]), y = (double)(q[1] - p[1]), square = x * x + y * y;
    double(*const along)[LIMB_CASE_DOF] = &held.row[truth.count];
    held.count = truth.count + 3u;
    for (uint32_t k = 0; k < truth.n; k++) {
        for (uint32_t i = 0; i < truth.count; i++) {
            held.row[i][k] = truth.J[i][2][k];
        }
        const double dx = truth.J[1][0][k] - truth.J[0][0][k],
                     dy = truth.J[1][1][k] - truth.J[0][1][k];
        along[2][k] = (x * dy - y * dx) / square;
        along[0][k] = truth.J[0][0][k] + (double)p[1] * along[2][k];
        along[1][k] = truth.J[0][1][k] - (double)p[0] * along[2][k];
    }
}

static double wedge_gram(uint32_t a_row, uint32_t b_row)
{
    double sum = 0;
    for (uint32_t i = 0; i < truth.n; i++) {
        for (uint32_t j = 0; j < truth.n; j++) {
            sum += held.row[a_row][i] * truth.inverse[i][j] * held.row[b_row][j];
        }
    }
    return sum;
}

/* Elimination in the order of the rows. 0: what depends is not clear, or the limb moves along a
 * normal by less than what the library regularises it with. */
static int wedge_solve(void)
{
    double G[STOPS][STOPS + 1u];
    int clear = 1;
    for (uint32_t i = 0; i < held.count; i++) {
        G[i][held.count] = 0;
        for (uint32_t k = 0; k < truth.n; k++) {
            G[i][held.count] -= held.row[i][k] * truth.free[k];
        }
        for (uint32_t j = 0; j < held.count; j++) {
            G[i][j] = wedge_gram(i, j);
        }
    }
    for (uint32_t k = 0; k < held.count; k++) {
        const double left = G[k][k] / wedge_gram(k, k);
        held.depends[k] = !(left >= 1e-11); /* not a number: a row of zeros */
        clear &= held.depends[k] || left > 1e-3;
        clear &= k >= truth.count || wedge_gram(k, k) * (double)a.leg.foot.body.mass > 1e-4;
        for (uint32_t i = k + 1u; i < held.count && !held.depends[k]; i++) {
            const double factor = G[i][k] / G[k][k];
            for (uint32_t j = k; j <= held.count; j++) {
                G[i][j] -= factor * G[k][j];
            }
        }
    }
    for (uint32_t k = held.count; k-- > 0u;) {
        held.x[k] = held.depends[k] ? 0 : G[k][held.count] / G[k][k];
        for (uint32_t j = k + 1u; j < held.count && !held.depends[k]; j++) {
            held.x[k] -= G[k][j] * held.x[j] / G[k][k];
        }
    }
    return clear;
}

/* The least normal of those that do not depend, over the largest impulse */
static double wedge_pushes(void)
{
    double least = 1e30, most = 0;
    for (uint32_t i = 0; i < held.count; i++) {
        most = fmax(most, fabs(held.x[i]));
        least = i < truth.count && !held.depends[i] ? fmin(least, held.x[i]) : least;
    }
    return least / most;
}

/* A limb of few joints is wedged between floor and pin: what its normals can stop they stop, and
 * friction is only what they leave. Against elimination in double. Catches: friction beyond that,
 * or beside it. */
static void test_wedged_limbs_need_least_friction(void)
{
    const learned3_said said = learned3_says(TC_LEARNED_STATIC, TC_C(1e3));
    const tc_learned3_model law = learned3_said_law(&said);
    uint32_t held_by[2] = {0, 0}, right[2] = {0, 0}; /* by normals alone, with friction */
    test_seed(30720u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(3000u); round++) {
        limb_case_random(&a, 1u + test_below(6), 0, round % 2u ? 4u : 2u, TC_C(1.0), TC_C(2.0),
                         &law);
        a.state.warm.stopped = 1; /* so that its stop is tried first */
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
        limb_double_make(&a, &truth);
        wedge_rows();
        if (!wedge_solve() || wedge_pushes() < 1e-3) {
            continue;
        }
        const tc_learned3_result *const result = &a.info.contact.contact;
        const double *const friction = held.x + truth.count;
        double most = 0, wrong = 0;
        for (uint32_t i = 0; i < held.count; i++) {
            most = fmax(most, fabs(held.x[i]));
        }
        for (uint32_t k = 0; k < 2u; k++) {
            wrong = fmax(wrong, fabs(friction[k] - (double)result->friction[k]));
        }
        const int rubs = fabs(friction[0]) + fabs(friction[1]) > 0.05 * most;
        held_by[rubs]++;
        right[rubs] += result->branch == TC_LEARNED_STATIC && wrong <= 0.01 * most;
    }
    for (uint32_t rubs = 0; rubs < 2u; rubs++) {
        TEST_ASSERT_TRUE(right[rubs] * 20u >= held_by[rubs] * 19u && right[rubs] > 0u);
    }
}

/* ---- What is asked --------------------------------------------------------------------------- */

static tc_learned3_query asked;
static tc_real asked_matrix[6];

static tc_status note_observe(const void *context, const tc_learned3_query *query, tc_real *work)
{
    (void)context;
    (void)work;
    asked = *query;
    memcpy(asked_matrix, query->W, sizeof asked_matrix);
    return TC_OK;
}

/* Element (r, s) of the free last link's contact matrix */
static double free_matrix(uint32_t r, uint32_t s)
{
    const tc_body3 *const body = &a.leg.foot.body;
    tc_real rows[18], inverse[9];
    tc_body3_state state;
    double sum = r == s;
    memset(&state, 0, sizeof state);
    memcpy(state.orientation, a.state.motion.link[a.leg.chain.count - 1u].orientation,
           sizeof state.orientation);
    TEST_ASSERT_EQUAL(TC_OK, tc_patch3_contact_rows(&truth.patch, 0, rows));
    TEST_ASSERT_EQUAL(TC_OK, tc_body3_inverse_inertia(body, &state, inverse));
    for (uint32_t i = 0; i < 9u; i++) {
        sum += (double)(body->mass * rows[6u * r + 3u + i / 3u] * inverse[i]
                        * rows[6u * s + 3u + i % 3u]);
    }
    return sum;
}

/* The last question of a step that found itself: the free last link, with the joint's impulse. What
 * the contact then gives to that body leads to the velocity after the step. */
static void test_law_sees_the_free_body(void)
{
    static const uint32_t index[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    tc_learned3_model law = learned3_said_law(&said);
    law.observe = note_observe;
    test_seed(30708u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(300u); round++) {
        double u[3];
        draw(1, TC_C(2.0), &law);
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
        TEST_ASSERT_TRUE(a.info.consistent);
        limb_double_make(&a, &truth);
        take_rates();
        limb_double_at(&truth, 0, after, u);
        const tc_learned3_result *const result = &a.info.contact.contact;
        const tc_real p[3] = {result->friction[0], result->friction[1], result->normal[0]};
        const double speed = limb_double_speed(&truth, truth.free);
        for (uint32_t r = 0; r < 3u; r++) {
            double sum = (double)asked.u[r], size = speed;
            for (uint32_t k = 0; k < 3u; k++) {
                const double W = (double)asked_matrix[index[r][k]];
                test_near((tc_real)free_matrix(r, k), (tc_real)W, TC_C(1e-4), TC_C(1e-4),
                          limb_case_text(round));
                sum += W * (double)p[k] / (double)a.leg.foot.body.mass;
                size += fabs(W * (double)p[k] / (double)a.leg.foot.body.mass);
            }
            TEST_ASSERT_TRUE_MESSAGE(fabs(sum - u[r]) <= 2e-3 * size, limb_case_text(round));
        }
    }
}

static uint32_t times;

/* Slides and sticks in turn, sticking always more probable at its own solution than sliding is. */
static tc_status wavering_class(const void *context, const tc_learned3_query *query,
                                tc_real *probability, tc_real *work)
{
    (void)context;
    (void)query;
    (void)work;
    probability[TC_LEARNED_STATIC] = times % 2u == 0u ? TC_C(0.4) : TC_C(0.9);
    probability[TC_LEARNED_DYNAMIC] = TC_C(1.0) - probability[TC_LEARNED_STATIC];
    probability[TC_LEARNED_DETACH] = TC_C(0.0);
    times++;
    return TC_OK;
}

/* Catches: an end with the last branch instead of the most probable, or none. */
static void test_wavering_ends_with_the_most_probable(void)
{
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.1));
    tc_learned3_model law = learned3_said_law(&said);
    uint32_t wavered = 0;
    law.classify = wavering_class;
    test_seed(30716u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(200u) + 30u; round++) {
        times = 0;
        draw_and_step(1, TC_C(2.0), &law);
        TEST_ASSERT_TRUE(times <= TC_LIMB3_ASKED);
        if (!a.info.consistent) {
            TEST_ASSERT_EQUAL_MESSAGE(TC_LEARNED_STATIC, a.info.contact.contact.branch,
                                      limb_case_text(round));
            const double speed = limb_double_speed(&truth, truth.free);
            TEST_ASSERT_TRUE(limb_double_speed(&truth, after) <= LIMB_CASE_TOLERANCE * speed);
            wavered++;
        }
    }
    TEST_ASSERT_TRUE(wavered > 0u);
}

/* Catches: a branch of the last tick that is not gone on with. */
static void test_warm_asks_once(void)
{
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.4));
    const tc_learned3_model law = learned3_said_law(&said);
    uint32_t again = 0;
    test_seed(30709u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(200u) + 30u; round++) {
        draw(1, TC_C(0.5), &law);
        (void)limb_case_step(&a);
        const int slid =
            a.info.contact.contact.normal[0] > TC_C(0.0) && a.info.contact.contact.flags == 0u;
        (void)limb_case_step(&a);
        const tc_learned3_result *const result = &a.info.contact.contact;
        if (slid && a.info.contact.count == 1u && result->normal[0] > TC_C(0.0)
            && result->flags == 0u && a.state.warm.vertex[0] == a.before.warm.vertex[0]) {
            TEST_ASSERT_EQUAL_MESSAGE(1, result->classes, limb_case_text(round));
            again++;
        }
    }
    TEST_ASSERT_TRUE(again > 0u);
}

void suite_limb3(void)
{
    RUN_TEST(test_free_motion);
    RUN_TEST(test_point_is_coulombs);
    RUN_TEST(test_patch_is_coulombs);
    RUN_TEST(test_any_law_keeps_the_promises);
    RUN_TEST(test_without_an_answer);
    RUN_TEST(test_friction_of_a_point);
    RUN_TEST(test_impulse_is_told);
    RUN_TEST(test_static_stands_still);
    RUN_TEST(test_wedged_limbs_need_least_friction);
    RUN_TEST(test_law_sees_the_free_body);
    RUN_TEST(test_wavering_ends_with_the_most_probable);
    RUN_TEST(test_warm_asks_once);
}
