/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The spatial contact model, properties that hold whatever the law says: non-penetration,
 * repulsion, workless separation (the paper's properties 1 to 3), energy, momentum, invariance; and
 * that it is Coulomb's friction where the law is Coulomb's.
 *
 * Tolerances: 1e-4 of the velocities in float, the rounding of W^-1 at levers of several radii of
 * gyration.
 */
#include "learned3_case.h"

#include "tc_learned3_core.h"

#include <math.h>

#ifdef TC_DOUBLE
#define TOLERANCE 1e-10
#else
#define TOLERANCE 1e-4
#endif

/* Double is software on the boards. */
#ifdef __arm__
#define ROUNDS 60u
#define ORACLE_ROUNDS 3u
#define ORACLE_SWEEPS 60u
#define THROWS 2u
#else
#define ROUNDS TEST_ROUNDS(4000u)
#define ORACLE_ROUNDS TEST_ROUNDS(300u)
#define ORACLE_SWEEPS 3000u
#define THROWS TEST_ROUNDS(24u)
#endif

static tc_real work[TC_FOOT3_WORK(0)];
static tc_learned3_problem problem;
static tc_learned3_result result;
static learned3_scene scene;
static tc_foot3_info info;

/* Probabilities and ratios that no training gives. */
static learned3_said adversary(void)
{
    static const tc_real ratios[8] = {TC_C(0.0), TC_C(-0.75), TC_C(0.75), TC_C(-1e6),
                                      TC_C(1e6), TC_C(-1e30), TC_C(30.0), TC_C(-3.0)};
    learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.0));
    test_fill(said.probability, 3, TC_C(-1.0), TC_C(1.0));
    for (uint32_t k = 0; k < 2u; k++) {
        const uint32_t pick = test_below(16);
        said.ratio[k] = pick < 8u ? ratios[pick] : test_uniform(TC_C(-2.0), TC_C(2.0));
        said.ratio[k] = pick == 15u ? (tc_real)NAN : said.ratio[k];
    }
    return said;
}

static const char *at_round(uint32_t round)
{
    static char text[] = "round 0000";
    for (uint32_t i = 0; i < 4u; i++) {
        text[9u - i] = (char)('0' + round % 10u);
        round /= 10u;
    }
    return text;
}

static void solve(const tc_learned3_model *law, const tc_learned3_sweeps *sweeps,
                  tc_learned3_result *to)
{
    const tc_status status =
        tc_learned3_solve(law, sweeps, &problem, NULL, to, work, TC_COUNT(work));
    TEST_ASSERT_TRUE(status >= TC_OK);
}

static void pose(uint32_t count, int with_gap)
{
    tc_real offset[TC_PATCH_MAX];
    learned3_random(count, &scene);
    test_fill(offset, TC_PATCH_MAX, TC_C(0.0), TC_C(0.3));
    TEST_ASSERT_EQUAL(TC_OK, tc_learned3_problem_init(&problem, &scene.patch, &scene.body,
                                                      &scene.state, with_gap ? offset : NULL));
}

/* A random patch of 1 to 8 contacts, at times with gaps, answered by an adversary who changes his
 * mind never */
static void adversarial_round(uint32_t round)
{
    const tc_learned3_sweeps sweeps = {1u + round % 3u, round % 5u};
    pose(1u + round % 8u, round % 4u == 0u);
    const learned3_said said = adversary();
    const tc_learned3_model law = learned3_said_law(&said);
    TEST_ASSERT_TRUE_MESSAGE(
        tc_learned3_solve(&law, &sweeps, &problem, NULL, &result, work, TC_COUNT(work)) >= TC_OK,
        at_round(round));
}

static void in_double(const tc_real *from, double to[6])
{
    for (uint32_t k = 0; k < 6u; k++) {
        to[k] = (double)from[k];
    }
}

static double speed_of(const learned3_double *p, const double velocity[6])
{
    double most = 0, u[3];
    for (uint32_t i = 0; i < p->count; i++) {
        learned3_at(p, velocity, i, u);
        most = fmax(most, fabs(u[0]) + fabs(u[1]) + fabs(u[2]));
    }
    return most + fabs(velocity[0]) + fabs(velocity[1]) + fabs(velocity[2]);
}

/* Catches: a static patch that pulls, a detach that approaches, normals that do not belong to the
 * friction. */
static void test_contact_properties(void)
{
    test_seed(20601u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        adversarial_round(round);
        const learned3_double p = learned3_in_double(&problem);
        const char *const text = at_round(round);
        double after[6], u[3], normals = 0;
        in_double(result.velocity, after);
        for (uint32_t i = 0; i < p.count; i++) {
            normals += (double)result.normal[i];
        }
        const double tolerance = TOLERANCE * (speed_of(&p, p.velocity) + normals);
        for (uint32_t i = 0; i < p.count; i++) {
            learned3_at(&p, after, i, u);
            TEST_ASSERT_TRUE_MESSAGE(result.normal[i] >= 0, text);
            TEST_ASSERT_TRUE_MESSAGE(u[2] >= -tolerance, text);
            TEST_ASSERT_TRUE_MESSAGE(result.normal[i] == 0 || u[2] <= tolerance, text);
        }
    }
}

/* Catches: friction that feeds, a cut left out, a wrong share. With e = 0 no energy is created,
 * gaps or none. */
static void test_energy(void)
{
    uint32_t cut = 0;
    test_seed(20602u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        adversarial_round(round);
        const learned3_double p = learned3_in_double(&problem);
        double after[6];
        in_double(result.velocity, after);
        const double before = learned3_kinetic(&p, p.velocity);
        const double most = before * (1 + 0.1 * TOLERANCE);
        TEST_ASSERT_TRUE_MESSAGE(learned3_kinetic(&p, after) <= most, at_round(round));
        cut += (result.flags & (uint32_t)TC_LEARNED_CLAMPED) != 0u;
    }
    TEST_ASSERT_TRUE(cut > ROUNDS / 20u); /* or nothing was tried */
}

/* Friction of a point neither feeds nor reverses what it works against. */
static void test_point_friction(void)
{
    test_seed(20603u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const tc_learned3_sweeps sweeps = tc_learned3_sweeps_default();
        pose(1, 0);
        const learned3_said said = adversary();
        const tc_learned3_model law = learned3_said_law(&said);
        solve(&law, &sweeps, &result);
        const learned3_double p = learned3_in_double(&problem);
        double after[6], u[3];
        in_double(result.velocity, after);
        learned3_at(&p, after, 0, u);
        const double size = fabs((double)result.friction[0]) + fabs((double)result.friction[1]);
        const double power = u[0] * (double)result.friction[0] + u[1] * (double)result.friction[1];
        TEST_ASSERT_TRUE_MESSAGE(power <= TOLERANCE * size * speed_of(&p, p.velocity),
                                 at_round(round));
    }
}

/* Catches: an arm of the wrong sign, friction about another point than said, an impulse counted
 * twice. */
static void test_momentum(void)
{
    test_seed(20604u);
    for (uint32_t round = 0; round < ROUNDS / 4u; round++) {
        adversarial_round(round);
        const learned3_double p = learned3_in_double(&problem);
        double moved[6], middle[3] = {0, 0, 0}, reach = 0;
        memcpy(moved, p.velocity, sizeof moved);
        for (uint32_t i = 0; i < p.count; i++) {
            const double normal[3] = {0, 0, (double)result.normal[i]};
            learned3_push(&p, i, normal, moved);
            for (int k = 0; k < 3; k++) {
                middle[k] += p.arm[i][k] / p.count;
                reach = fmax(reach, fabs(p.arm[i][k]));
            }
        }
        /* at the centre two forces, and a torque about the normal */
        const double force[3] = {(double)result.friction[0], (double)result.friction[1], 0};
        learned3_double centre = p;
        memcpy(centre.arm[0], middle, sizeof middle);
        learned3_push(&centre, 0, force, moved);
        double size = fabs(force[0]) + fabs(force[1]), spin = 0;
        for (uint32_t k = 0; k < 3u; k++) {
            moved[3 + k] += p.mobility[k][2] * (double)result.friction[2];
            spin += fabs(p.mobility[k][k]);
        }
        for (uint32_t i = 0; i < p.count; i++) {
            size += (double)result.normal[i];
        }
        size += speed_of(&p, p.velocity);
        for (uint32_t k = 0; k < 6u; k++) {
            const double scale = k < 3u ? size : size * reach * spin + fabs(p.velocity[k]);
            TEST_ASSERT_TRUE_MESSAGE(fabs(moved[k] - (double)result.velocity[k])
                                         <= 0.05 * TOLERANCE * scale,
                                     at_round(round));
        }
    }
}

/* Catches: a point that is not solved exactly. */
static void test_coulomb_point(void)
{
    const tc_learned3_sweeps sweeps = tc_learned3_sweeps_default();
    uint32_t slid = 0;
    test_seed(20605u);
    for (uint32_t round = 0; round < 4u * ORACLE_ROUNDS; round++) {
        const double mu = (double)test_uniform(TC_C(0.05), TC_C(1.0));
        const tc_learned3_model law = learned3_coulomb_law(&mu);
        double expected[TC_PATCH_MAX][3], after[6];
        pose(1, 0);
        solve(&law, &sweeps, &result);
        const learned3_double p = learned3_in_double(&problem);
        learned3_coulomb_patch(&p, mu, 1, expected, after);
        const double size = speed_of(&p, p.velocity);
        for (uint32_t k = 0; k < 3u; k++) {
            const double got = (double)(k < 2u ? result.friction[k] : result.normal[0]);
            TEST_ASSERT_TRUE_MESSAGE(fabs(expected[0][k] - got) <= TOLERANCE * size,
                                     at_round(round));
        }
        slid += result.branch == TC_LEARNED_DYNAMIC && result.normal[0] > 0;
    }
    TEST_ASSERT_TRUE(slid > ORACLE_ROUNDS / 2u);
}

/* By how much the velocity of the contacts differs from the oracle's, over the speed before */
static double off(const learned3_double *p, const double expected[6])
{
    double got[6], difference[6];
    learned3_double bare = *p;
    memset(bare.offset, 0, sizeof bare.offset);
    in_double(result.velocity, got);
    for (int k = 0; k < 6; k++) {
        difference[k] = got[k] - expected[k];
    }
    return speed_of(&bare, difference) / speed_of(p, p->velocity);
}

/* Catches: sweeps that converge to something else. With many rounds an edge is exact but for a few
 * bad ones, where Gauss-Seidel itself takes hundreds; a face, whose wrench is not unique, comes
 * near in its velocities. */
static void test_coulomb_patch(void)
{
    static const tc_learned3_sweeps many = {20u, 20u}, few = {3u, 4u};
    uint32_t exact[2] = {0, 0}, near = 0;
    test_seed(20606u);
    for (uint32_t round = 0; round < 2u * ORACLE_ROUNDS; round++) {
        const uint32_t face = round % 2u;
        const double mu = (double)test_uniform(TC_C(0.1), TC_C(0.8));
        const tc_learned3_model law = learned3_coulomb_law(&mu);
        double impulse[TC_PATCH_MAX][3], after[6];
        pose(face ? 4u : 2u, round % 8u >= 6u);
        const learned3_double p = learned3_in_double(&problem);
        learned3_coulomb_patch(&p, mu, ORACLE_SWEEPS, impulse, after);
        solve(&law, &many, &result);
        exact[face] += off(&p, after) <= 4e-3;
        solve(&law, &few, &result);
        near += off(&p, after) <= 0.05;
    }
    TEST_ASSERT_TRUE(exact[0] * 100u >= ORACLE_ROUNDS * 97u);
    TEST_ASSERT_TRUE(exact[1] * 100u >= ORACLE_ROUNDS * 85u);
    TEST_ASSERT_TRUE(near * 100u >= 2u * ORACLE_ROUNDS * 85u);
}

/* ---- Invariance ------------------------------------------------------------------------------ */

/* x, y turned by an angle */
static void turn(tc_real c, tc_real s, tc_real *xy)
{
    const tc_real x = xy[0], y = xy[1];
    xy[0] = c * x - s * y;
    xy[1] = s * x + c * y;
}

/* The scene turned about the normal, the frame left where it is */
static void turn_scene(tc_real angle, learned3_scene *s)
{
    const tc_real c = (tc_real)cos((double)angle), t = (tc_real)sin((double)angle);
    const tc_real hc = (tc_real)cos(0.5 * (double)angle), hs = (tc_real)sin(0.5 * (double)angle);
    const tc_real q[4] = {s->state.orientation[0], s->state.orientation[1], s->state.orientation[2],
                          s->state.orientation[3]};
    const tc_real across[4] = {-q[3], -q[2], q[1], q[0]};
    for (uint32_t k = 0; k < 4u; k++) {
        s->state.orientation[k] = hc * q[k] + hs * across[k];
    }
    turn(c, t, s->state.velocity);
    turn(c, t, s->state.velocity + 3);
    for (uint32_t i = 0; i < s->patch.count; i++) {
        turn(c, t, s->patch.arm[i]);
    }
}

/* Catches: a direction of the world in what the law sees or in the sweeps. A law that says the same
 * ratio in the contact's own frame, so that only the frame is tried. */
static void test_turned(void)
{
    static const tc_learned3_sweeps sweeps = {2u, 3u};
    uint32_t same = 0;
    test_seed(20607u);
    for (uint32_t round = 0; round < ROUNDS / 4u; round++) {
        learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.5));
        const tc_real angle = test_uniform(TC_C(-3.0), TC_C(3.0));
        const tc_learned3_model law = learned3_said_law(&said);
        tc_learned3_result turned;
        said.ratio[1] = TC_C(0.1);
        pose(1u + round % 4u, 0);
        solve(&law, &sweeps, &result);
        turn_scene(angle, &scene);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned3_problem_init(&problem, &scene.patch, &scene.body,
                                                          &scene.state, NULL));
        solve(&law, &sweeps, &turned);
        turn((tc_real)cos((double)angle), (tc_real)-sin((double)angle), turned.velocity);
        turn((tc_real)cos((double)angle), (tc_real)-sin((double)angle), turned.velocity + 3);
        const learned3_double p = learned3_in_double(&problem);
        double expected[6];
        in_double(turned.velocity, expected);
        same += off(&p, expected) <= 5 * TOLERANCE && turned.branch == result.branch;
    }
    /* but where rounding decides which corner leaves */
    TEST_ASSERT_TRUE(same * 100u >= ROUNDS / 4u * 97u);
}

/* ---- Degenerate ------------------------------------------------------------------------------ */

static void check_finite(uint32_t round)
{
    TEST_ASSERT_TRUE_MESSAGE(
        tc_all_finite(result.velocity, 6) && tc_all_finite(result.normal, TC_PATCH_MAX)
            && tc_all_finite(result.impulse, 6) && tc_all_finite(result.friction, 3),
        at_round(round));
}

/* Catches: a NaN, an endless loop, an answer that pulls, where contacts coincide, lie on a line,
 * hit at extreme speeds or scales, or where nothing moves at all. */
static void test_degenerate(void)
{
    const tc_learned3_sweeps sweeps = tc_learned3_sweeps_default();
    test_seed(20608u);
    for (uint32_t round = 0; round < ROUNDS / 4u; round++) {
        const learned3_said said = adversary();
        const tc_learned3_model law = learned3_said_law(&said);
        learned3_random(2u + round % 7u, &scene);
        for (uint32_t i = 0; i < scene.patch.count; i++) {
            if (round % 5u == 0u) { /* on a point */
                memcpy(scene.patch.arm[i], scene.patch.arm[0], sizeof scene.patch.arm[0]);
            } else if (round % 5u == 1u) { /* on a line */
                scene.patch.arm[i][1] = scene.patch.arm[0][1];
            } else if (round % 5u == 2u) { /* nearly on a line */
                scene.patch.arm[i][1] = scene.patch.arm[0][1] + TC_C(1e-6) * scene.patch.arm[i][1];
            }
        }
        const tc_real scale = round % 5u == 3u   ? TC_C(0.0)
                              : round % 5u == 4u ? TC_C(1e-20)
                                                 : TC_C(1000.0);
        for (uint32_t k = 0; k < 6u; k++) {
            scene.state.velocity[k] *= scale;
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_learned3_problem_init(&problem, &scene.patch, &scene.body,
                                                          &scene.state, NULL));
        const tc_status status =
            tc_learned3_solve(&law, &sweeps, &problem, NULL, &result, work, TC_COUNT(work));
        TEST_ASSERT_TRUE_MESSAGE(status >= TC_OK || status == TC_ERR_NOT_CERTIFIED,
                                 at_round(round));
        check_finite(round);
    }
}

/* ---- Throws ---------------------------------------------------------------------------------- */

static const tc_real corners[24] = {
    TC_C(-0.1), TC_C(-0.075), TC_C(-0.05), TC_C(0.1), TC_C(-0.075), TC_C(-0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(-0.05), TC_C(0.1), TC_C(0.075),  TC_C(-0.05),
    TC_C(-0.1), TC_C(-0.075), TC_C(0.05),  TC_C(0.1), TC_C(-0.075), TC_C(0.05),
    TC_C(-0.1), TC_C(0.075),  TC_C(0.05),  TC_C(0.1), TC_C(0.075),  TC_C(0.05),
};
static const tc_body3 body = {TC_C(1.0),
                              {TC_C(0.0027083333), TC_C(0.0041666667), TC_C(0.0052083333)}};

static double lowest(const tc_body3_state *state)
{
    const double w = (double)state->orientation[0], x = (double)state->orientation[1];
    const double y = (double)state->orientation[2], z = (double)state->orientation[3];
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < 8u; i++) {
        const double height = 2 * (x * z - w * y) * (double)corners[3u * i]
                              + 2 * (y * z + w * x) * (double)corners[3u * i + 1u]
                              + (1 - 2 * (x * x + y * y)) * (double)corners[3u * i + 2u];
        least = fmin(least, height);
    }
    return least + (double)state->position[2];
}

static double total_energy(const tc_body3_state *state)
{
    tc_real kinetic;
    TEST_ASSERT_EQUAL(TC_OK, tc_body3_energy(&body, state, &kinetic));
    return (double)kinetic + 9.81 * (double)state->position[2];
}

/* Catches: a scheme that lets the body sink, or that makes energy out of positions. What remains is
 * the explicit gyroscopic term, h^2/2 g.I^-1 g < 1e-3 J here, and what is lifted. */
static void test_throws(void)
{
    static const tc_real weight[6] = {TC_C(0.0), TC_C(0.0), TC_C(-9.81),
                                      TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    const double mu = 0.6;
    test_seed(20609u);
    for (uint32_t throw = 0; throw < THROWS; throw ++) {
        learned3_said said = adversary();
        const tc_learned3_model law =
            throw % 2u == 0u ? learned3_coulomb_law(&mu) : learned3_said_law(&said);
        tc_foot3 box;
        tc_learned3_warm warm = {0};
        TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&box, &body, TC_C(0.002), &law));
        box.shape.vertices = corners;
        box.shape.count = 8;
        const uint32_t pair = throw +throw / 2u; /* each scheme with each law */
        box.positions = pair % 2u == 0u ? TC_SCHEME_TOC : TC_SCHEME_GAP;
        learned3_random(1, &scene);
        tc_body3_state *const state = &scene.state;
        state->position[2] = TC_C(0.15);
        test_fill(state->velocity, 3, TC_C(-2.0), TC_C(2.0));
        test_fill(state->velocity + 3, 3, TC_C(-8.0), TC_C(8.0));
        for (uint32_t step = 0; step < 150u; step++) {
            const double before = total_energy(state);
            said = adversary();
            const tc_status status =
                tc_foot3_step(&box, weight, state, &warm, &info, work, TC_COUNT(work));
            TEST_ASSERT_TRUE(status >= TC_OK);
            TEST_ASSERT_TRUE(lowest(state) > -1e-6);
            TEST_ASSERT_TRUE(total_energy(state) <= before + 3e-3);
        }
    }
}

/* The least lift of a point is an impulse along the normal. */
static void test_rise_of_point(void)
{
    test_seed(20811u);
    for (uint32_t round = 0; round < ROUNDS / 10u; round++) {
        const tc_real speed = test_uniform(TC_C(1e-4), TC_C(1e-3));
        double u[3], expected[6] = {0};
        tc_real change[6];
        pose(1, 0);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned3_rise(&problem, &speed, change, work));
        const double normal[3] = {0, 0, (double)change[2]};
        const learned3_double p = learned3_in_double(&problem);
        learned3_push(&p, 0, normal, expected);
        learned3_at(&p, expected, 0, u);
        test_near((tc_real)u[2], speed, TC_C(0.0), (tc_real)TOLERANCE, "speed");
        for (uint32_t k = 0; k < 6u; k++) {
            test_near((tc_real)expected[k], change[k], (tc_real)TOLERANCE * speed * TC_C(10.0),
                      (tc_real)TOLERANCE, "change");
        }
    }
}

/* A face that lands with little slip, of a body whose axes lie anywhere: nothing moves afterwards.
 * Catches: an element of the inertia taken for another in what stops the patch. */
static void test_stop_of_any_inertia(void)
{
    static const tc_real square[4][2] = {{TC_C(-0.1), TC_C(-0.1)},
                                         {TC_C(0.1), TC_C(-0.1)},
                                         {TC_C(0.1), TC_C(0.1)},
                                         {TC_C(-0.1), TC_C(0.1)}};
    static const double mu = 100.0;
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    const tc_learned3_sweeps sweeps = tc_learned3_sweeps_default();
    test_seed(20609u);
    for (uint32_t round = 0; round < ROUNDS / 20u; round++) {
        learned3_random(4, &scene);
        test_fill(scene.body.inertia, 3, TC_C(0.005), TC_C(0.02));
        scene.body.mass = TC_C(1.0);
        for (uint32_t i = 0; i < 4u; i++) {
            scene.patch.arm[i][0] = square[i][0];
            scene.patch.arm[i][1] = square[i][1];
            scene.patch.arm[i][2] = TC_C(-0.05);
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_learned3_problem_init(&problem, &scene.patch, &scene.body,
                                                          &scene.state, NULL));
        const tc_real v[6] = {TC_C(0.05), TC_C(-0.03), TC_C(-1.0),
                              TC_C(0.3),  TC_C(-0.2),  TC_C(0.5)};
        memcpy(problem.velocity, v, sizeof v);
        solve(&law, &sweeps, &result);
        TEST_ASSERT_EQUAL_MESSAGE(TC_LEARNED_STATIC, result.branch, at_round(round));
        for (uint32_t k = 0; k < 6u; k++) {
            test_near(TC_C(0.0), result.velocity[k], TC_C(2e-4), TC_C(0.0), "still");
        }
    }
}

/* A face whose gaps are those of a tilted floor ends on it: it goes on turning about its tangents,
 * and no contact slips or leaves. Catches: friction that stops what the normals have left of
 * motion. */
static void test_stop_on_a_tilted_floor(void)
{
    static const double mu = 100.0;
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    const tc_learned3_sweeps sweeps = tc_learned3_sweeps_default();
    uint32_t stopped = 0;
    test_seed(20610u);
    for (uint32_t round = 0; round < ROUNDS / 20u; round++) {
        pose(4, 0);
        const tc_real *const arm0 = scene.patch.arm[0], *const arm2 = scene.patch.arm[2];
        const tc_real centre[2] = {TC_C(0.5) * (arm0[0] + arm2[0]),
                                   TC_C(0.5) * (arm0[1] + arm2[1])};
        const tc_real slope[2] = {test_uniform(TC_C(-0.03), TC_C(0.03)),
                                  test_uniform(TC_C(-0.03), TC_C(0.03))};
        for (uint32_t i = 0; i < 4u; i++) {
            tc_real *const arm = scene.patch.arm[i];
            arm[0] -= centre[0];
            arm[1] -= centre[1];
            problem.offset[i] = TC_C(0.03) + slope[0] * arm[0] + slope[1] * arm[1];
        }
        memset(problem.velocity, 0, sizeof problem.velocity);
        problem.velocity[0] = test_uniform(TC_C(-0.01), TC_C(0.01));
        problem.velocity[2] = TC_C(-1.0);
        solve(&law, &sweeps, &result);
        const learned3_double p = learned3_in_double(&problem);
        double after[6], u[3];
        in_double(result.velocity, after);
        for (uint32_t i = 0; i < 4u && result.branch == TC_LEARNED_STATIC; i++) {
            learned3_at(&p, after, i, u);
            TEST_ASSERT_TRUE_MESSAGE(fabs(u[0]) + fabs(u[1]) + fabs(u[2]) <= TOLERANCE,
                                     at_round(round));
        }
        stopped += result.branch == TC_LEARNED_STATIC && result.velocity[3] != TC_C(0.0);
    }
    TEST_ASSERT_TRUE(stopped * 30u >= ROUNDS);
}

/* Contacts beyond the limits are taken out, the others stay in order. Catches: a dimension that is
 * not the patch's. */
static void test_reduced_patches(void)
{
    test_seed(20611u);
    for (uint32_t round = 0; round < 80u; round++) {
        const uint32_t count = 1u + round % TC_PATCH_MAX;
        uint32_t kept = 0, left[TC_PATCH_MAX];
        learned3_random(count, &scene);
        for (uint32_t i = 0; i < count; i++) {
            scene.patch.vertex[i] = 10u + i;
            scene.patch.gap[i] = test_uniform(TC_C(-0.01), TC_C(0.0));
            if (test_below(2) != 0u) {
                scene.patch.arm[i][0] = TC_C(1e4);
            } else {
                left[kept++] = i;
            }
        }
        const tc_patch3 before = scene.patch;
        if (kept == count) {
            continue;
        }
        TEST_ASSERT_FALSE(
            tc_learned3_problem_make(&problem, &scene.patch, &scene.body, &scene.state, NULL));
        tc_learned3_reduce(&problem, &scene.patch);
        TEST_ASSERT_EQUAL(kept, scene.patch.count);
        TEST_ASSERT_EQUAL(kept == 0u ? 0u : kept < 3u ? kept - 1u : 2u, scene.patch.dimension);
        for (uint32_t i = 0; i < kept; i++) {
            TEST_ASSERT_EQUAL(10u + left[i], scene.patch.vertex[i]);
            TEST_ASSERT_TRUE(scene.patch.gap[i] == before.gap[left[i]]);
            TEST_ASSERT_EQUAL_MEMORY(before.arm[left[i]], scene.patch.arm[i], sizeof before.arm[0]);
        }
    }
}

/* Catches: a direction that is left as it lay in memory where there is none; a patch of one contact
 * too many. */
static void test_no_direction_and_too_many(void)
{
    static const tc_real W[6] = {TC_C(1.0), TC_C(0.0), TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)};
    static const tc_real down[3] = {TC_C(0.0), TC_C(0.0), TC_C(-1.0)};
    static const double mu = 0.5;
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    const tc_learned3_sweeps sweeps = tc_learned3_sweeps_default();
    tc_learned3_query query;
    query.axis[0] = query.axis[1] = TC_C(7.0);
    tc_learned3_query_init(&query, W, down, NULL);
    TEST_ASSERT_TRUE(query.axis[0] == TC_C(1.0) && query.axis[1] == TC_C(0.0));
    pose(4, 0);
    scene.patch.count = TC_PATCH_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_learned3_solve(&law, &sweeps, &problem, NULL, &result, work,
                                                     TC_COUNT(work)));
}

void suite_learned3_properties(void)
{
    RUN_TEST(test_contact_properties);
    RUN_TEST(test_energy);
    RUN_TEST(test_point_friction);
    RUN_TEST(test_momentum);
    RUN_TEST(test_coulomb_point);
    RUN_TEST(test_coulomb_patch);
    RUN_TEST(test_turned);
    RUN_TEST(test_degenerate);
    RUN_TEST(test_rise_of_point);
    RUN_TEST(test_throws);
    RUN_TEST(test_stop_of_any_inertia);
    RUN_TEST(test_stop_on_a_tilted_floor);
    RUN_TEST(test_reduced_patches);
    RUN_TEST(test_no_direction_and_too_many);
}
