/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Compliant contacts in space. Oracles, in double: a patch by Gauss-Seidel until nothing moves, and
 * a box that falls flat as a point mass on four springs. Properties for any answer of the model:
 * normals that push, complementarity, and energy, that of the springs included. Limits: the rigid
 * contact, and rest at m g / (n k).
 */
#include "limb3_case.h"

#include <math.h>

#define H TC_C(0.001)
#define G TC_C(9.81)
#define MASS TC_C(0.37)

static const tc_real corners[24] = {
    TC_C(-0.05), TC_C(-0.05), TC_C(-0.05), TC_C(0.05), TC_C(-0.05), TC_C(-0.05),
    TC_C(-0.05), TC_C(0.05),  TC_C(-0.05), TC_C(0.05), TC_C(0.05),  TC_C(-0.05),
    TC_C(-0.05), TC_C(-0.05), TC_C(0.05),  TC_C(0.05), TC_C(-0.05), TC_C(0.05),
    TC_C(-0.05), TC_C(0.05),  TC_C(0.05),  TC_C(0.05), TC_C(0.05),  TC_C(0.05),
};
static const tc_body3 body = {MASS, {TC_C(0.00102), TC_C(0.00102), TC_C(0.00102)}};
static const tc_real weight[6] = {TC_C(0.0), TC_C(0.0), -MASS *G, TC_C(0.0), TC_C(0.0), TC_C(0.0)};
static tc_friction3 friction;
static tc_foot3 cube;
static tc_foot3_info info;
static tc_learned3_warm warm;
static tc_real work[TC_FOOT3_WORK(TC_FRICTION3_WORK)];
static learned3_scene scene;
static tc_learned3_problem problem;
static tc_learned3_result result;

static void make_cube(tc_real stiffness, tc_real damping, tc_real mu)
{
    friction = tc_friction3_default(mu);
    const tc_learned3_model model = tc_friction3_model(&friction);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&cube, &body, H, &model));
    cube.shape.vertices = corners;
    cube.shape.count = 8;
    cube.compliance.stiffness = stiffness;
    cube.compliance.damping = damping;
    memset(&warm, 0, sizeof warm);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_check(&cube));
}

static tc_status step(tc_body3_state *state)
{
    return tc_foot3_step(&cube, weight, state, &warm, &info, work, TC_COUNT(work));
}

/* ---- A patch --------------------------------------------------------------------------------- */

/* Springs of a random patch: gaps above and below, yields from 0.01 to 30. */
static tc_learned3_soft soft_of(learned3_scene *of, tc_real offset[TC_PATCH_MAX])
{
    const double k = test_log_uniform_wide(0.03, 100.0) / 1e-6, c = k * 1e-3 * test_below(3);
    tc_learned3_soft soft = {(tc_real)k, H, {TC_C(0.0)}};
    for (uint32_t i = 0; i < of->patch.count; i++) {
        of->patch.gap[i] = test_uniform(TC_C(-2e-3), TC_C(5e-4));
        offset[i] = (tc_real)((double)of->patch.gap[i] / (1e-3 + c / k));
        soft.yield[i] = (tc_real)(1 / (1e-6 * k + 1e-3 * c));
    }
    return soft;
}

static void make_problem(uint32_t count, tc_learned3_soft *soft)
{
    tc_real offset[TC_PATCH_MAX];
    learned3_random(count, &scene);
    *soft = soft_of(&scene, offset);
    TEST_ASSERT_EQUAL(
        TC_OK, tc_learned3_problem_init(&problem, &scene.patch, &scene.body, &scene.state, offset));
    problem.soft = soft;
}

/* Velocities of the patch by Gauss-Seidel in double, each contact exactly; how far the last sweep
 * went */
static double settle_exactly(const learned3_double *p, const tc_learned3_soft *soft, double mu,
                             double velocity[6])
{
    double impulse[TC_PATCH_MAX][3], moved = 0;
    memset(impulse, 0, sizeof impulse);
    memcpy(velocity, p->velocity, sizeof p->velocity);
    learned3_double bare = *p;
    memset(bare.offset, 0, sizeof bare.offset);
    for (uint32_t sweep = 0; sweep < 3000u; sweep++) {
        moved = 0;
        for (uint32_t i = 0; i < p->count; i++) {
            double W[3][3], u[3], next[3], change[3];
            for (uint32_t k = 0; k < 3u; k++) {
                double v[6] = {0, 0, 0, 0, 0, 0}, unit[3] = {0, 0, 0}, w[3];
                unit[k] = 1;
                learned3_push(&bare, i, unit, v);
                learned3_at(&bare, v, i, w);
                W[0][k] = w[0];
                W[1][k] = w[1];
                W[2][k] = w[2];
            }
            learned3_at(p, velocity, i, u);
            for (uint32_t a = 0; a < 3u; a++) {
                for (uint32_t b = 0; b < 3u; b++) {
                    u[a] -= W[a][b] * impulse[i][b];
                }
            }
            W[2][2] += (double)soft->yield[i];
            learned3_coulomb_point(W, u, mu, next);
            for (uint32_t k = 0; k < 3u; k++) {
                change[k] = next[k] - impulse[i][k];
                impulse[i][k] = next[k];
                moved = fmax(moved, fabs(change[k]));
            }
            learned3_push(&bare, i, change, velocity);
        }
        if (moved < 1e-13) {
            break;
        }
    }
    return moved;
}

static double largest(const double v[6])
{
    double most = 0;
    for (uint32_t k = 0; k < 6u; k++) {
        most = fmax(most, fabs(v[k]));
    }
    return most;
}

/* Without friction to rounding; with friction to what the sweeps leave, 0.5 % of the velocity in
 * nine of ten patches. Catches: a yield or bias
 * that is not the law's, on any side; sweeps that settle elsewhere; a contact left out. */
static void test_patch_is_the_laws(void)
{
    const tc_learned3_sweeps sweeps = {20u, 20u};
    uint32_t seen = 0, farther = 0;
    test_seed(401u);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(400); round++) {
        tc_learned3_soft soft;
        double velocity[6];
        const double mu = round % 2u == 0u ? 0.0 : test_log_uniform_wide(0.05, 0.4);
        friction = tc_friction3_default((tc_real)mu);
        const tc_learned3_model model = tc_friction3_model(&friction);
        make_problem(1u + round % TC_PATCH_MAX, &soft);
        const learned3_double exact = learned3_in_double(&problem);
        if (settle_exactly(&exact, &soft, mu, velocity) > 1e-9) {
            continue;
        }
        TEST_ASSERT_TRUE(
            tc_learned3_solve(&model, &sweeps, &problem, NULL, &result, work, TC_COUNT(work))
            >= TC_OK);
        const double size = fmax(largest(velocity), largest(exact.velocity));
        double off = 0;
        for (uint32_t k = 0; k < 6u; k++) {
            off = fmax(off, fabs(velocity[k] - (double)result.velocity[k]) / size);
        }
        TEST_ASSERT_TRUE(off <= (mu > 0 ? 0.08 : 3e-4));
        seen += mu > 0;
        farther += mu > 0 && off > 5e-3;
    }
    TEST_ASSERT_TRUE(seen > 0u && 10u * farther <= seen + 5u);
}

/* u_n + R p_n + offset of a contact after the solve */
static double yielding_speed(const learned3_double *exact, const tc_learned3_soft *soft, uint32_t i)
{
    double velocity[6], u[3];
    for (uint32_t k = 0; k < 6u; k++) {
        velocity[k] = (double)result.velocity[k];
    }
    learned3_at(exact, velocity, i, u);
    return u[2] + (double)soft->yield[i] * (double)result.normal[i];
}

/* What the springs and the body hold after the solve more than before */
static double gain_of(const learned3_double *exact, const tc_learned3_soft *soft)
{
    double after[6], stored = 0;
    learned3_double bare = *exact;
    memset(bare.offset, 0, sizeof bare.offset);
    for (uint32_t k = 0; k < 6u; k++) {
        after[k] = (double)result.velocity[k];
    }
    for (uint32_t i = 0; i < exact->count; i++) {
        double u[3];
        learned3_at(&bare, after, i, u);
        const double gap = (double)scene.patch.gap[i], next = gap + (double)soft->step * u[2];
        stored += 0.5 * (double)soft->spring
                  * (fmin(next, 0) * fmin(next, 0) - fmin(gap, 0) * fmin(gap, 0));
    }
    return learned3_kinetic(exact, after) - learned3_kinetic(exact, exact->velocity) + stored;
}

/* For a model that says anything; complementarity to a thousandth, the rounding of stiff contacts of
 * thin bodies. Catches: normals that pull, friction that is not cut, energy of
 * springs that is counted twice or not. */
static void test_any_answer_is_lawful(void)
{
    test_seed(402u);
    for (uint32_t round = 0; round < TEST_ROUNDS(3000); round++) {
        const tc_learned3_sweeps sweeps = {1u + round % 3u, round % 5u};
        learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, test_uniform(TC_C(0.0), TC_C(3.0)));
        said.ratio[1] = test_uniform(TC_C(-2.0), TC_C(2.0));
        const tc_learned3_model model =
            round % 2u == 0u ? limb_case_fickle : learned3_said_law(&said);
        tc_learned3_soft soft;
        make_problem(1u + round % TC_PATCH_MAX, &soft);
        const learned3_double exact = learned3_in_double(&problem);
        TEST_ASSERT_TRUE(
            tc_learned3_solve(&model, &sweeps, &problem, NULL, &result, work, TC_COUNT(work))
            >= TC_OK);
        double size = largest(exact.velocity);
        for (uint32_t i = 0; i < exact.count; i++) {
            size = fmax(size, fabs(exact.offset[i]));
            size = fmax(size, (double)soft.yield[i] * (double)result.normal[i]);
        }
        for (uint32_t k = 0; k < 6u; k++) {
            size = fmax(size, fabs((double)result.impulse[k]));
        }
        for (uint32_t i = 0; i < exact.count; i++) {
            const double w = yielding_speed(&exact, &soft, i);
            TEST_ASSERT_TRUE(result.normal[i] >= TC_C(0.0));
            TEST_ASSERT_TRUE(w >= -1e-3 * size);
            TEST_ASSERT_TRUE(result.normal[i] == TC_C(0.0) || w <= 1e-3 * size);
        }
        const double energy = learned3_kinetic(&exact, exact.velocity) + size * size;
        TEST_ASSERT_TRUE(gain_of(&exact, &soft) <= 2e-5 * energy);
    }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* A flat fall is one of a point mass on four springs: z'' by the implicit law, in double. Catches:
 * positions that move with another velocity, contacts found late, a lift. */
static void test_flat_fall(void)
{
    static const tc_real slopes[2] = {TC_C(0.0), TC_C(1.6)};
    for (uint32_t s = 0; s < 2u; s++) {
        const double k = 54500, c = 70, h = (double)H, m = (double)MASS;
        make_cube((tc_real)k, (tc_real)c, TC_C(0.2));
        cube.compliance.slope = slopes[s];
        tc_body3_state state = learned3_flat(TC_C(0.06), TC_C(0.0), TC_C(-0.5));
        double z = (double)state.position[2], v = -0.5;
        for (uint32_t i = 0; i < 400u; i++) {
            TEST_ASSERT_EQUAL(TC_OK, step(&state));
            v -= h * (double)G;
            const double gap = z - 0.05, depth = fmax(0, -gap);
            const double damping = c + (double)slopes[s] * k * depth;
            /* m (v' - v) = -4 h (k (gap + h v') + damping v') */
            const double next = (m * v - 4 * h * k * gap) / (m + 4 * h * h * k + 4 * h * damping);
            const double force = -k * (gap + h * next) - damping * next;
            if (gap + h * v < 0 && force > 0) {
                v = next;
            }
            z += h * v;
            test_near((tc_real)z, state.position[2], TC_C(2e-6), TC_C(0.0), "height");
            test_near((tc_real)v, state.velocity[2], TC_C(2e-4), TC_C(0.0), "speed");
            learned3_check_zero(state.velocity + 3, 3, TC_C(2e-3), "no turn");
        }
    }
}

/* Catches: depth that is not m g / (n k); rest that creeps or is not called so. */
static void test_rest(void)
{
    static const tc_real stiffness[3] = {TC_C(2e4), TC_C(5.45e4), TC_C(1e6)};
    for (uint32_t s = 0; s < 3u; s++) {
        make_cube(stiffness[s], TC_C(70.0), TC_C(0.2));
        tc_body3_state state = learned3_flat(TC_C(0.0505), TC_C(0.05), TC_C(0.0));
        for (uint32_t i = 0; i < 700u; i++) {
            TEST_ASSERT_TRUE(step(&state) >= TC_OK);
        }
        const tc_real depth = MASS * G / (TC_C(4.0) * stiffness[s]);
        test_near(depth, TC_C(0.05) - state.position[2], TC_C(2e-8), TC_C(1e-3), "depth");
        learned3_check_zero(state.velocity, 6, TC_C(1e-4), "at rest");
        TEST_ASSERT_EQUAL(TC_LEARNED_STATIC, info.contact.branch);
        TEST_ASSERT_EQUAL(4, info.count);
        test_near(MASS * G * H, info.impulse[2], TC_C(1e-7), TC_C(1e-4), "carries the weight");
        TEST_ASSERT_TRUE(info.waited == TC_C(0.0));
        const tc_real x = state.position[0];
        for (uint32_t i = 0; i < 300u; i++) {
            TEST_ASSERT_TRUE(step(&state) >= TC_OK);
        }
        test_near(x, state.position[0], TC_C(1e-5), TC_C(0.0), "does not creep");
    }
}

/* Friction of a face: mu m g h a step, and that of a face. */
static void test_slide(void)
{
    make_cube(TC_C(5.45e4), TC_C(70.0), TC_C(0.1));
    friction.mu[2] = TC_C(0.22);
    tc_body3_state state = learned3_flat(TC_C(0.05) - TC_C(1.665e-5), TC_C(1.0), TC_C(0.0));
    for (uint32_t i = 0; i < 200u; i++) {
        TEST_ASSERT_TRUE(step(&state) >= TC_OK);
    }
    test_near(TC_C(1.0) - TC_C(0.22) * G * TC_C(0.2), state.velocity[0], TC_C(2e-3), TC_C(0.0),
              "slowed");
}

/* The stiffest contact is the rigid one with its gap. Catches: a bias or yield that does not vanish
 * as it should. */
static void test_limit_is_rigid(void)
{
    test_seed(403u);
    for (uint32_t round = 0; round < TEST_ROUNDS(100); round++) {
        make_cube(MASS * TC_C(9e8), TC_C(0.0), TC_C(0.2));
        tc_body3_state soft = learned3_flat(TC_C(0.0), test_uniform(TC_C(-1.0), TC_C(1.0)),
                                            test_uniform(TC_C(-1.0), TC_C(-0.2)));
        tc_real *const q = soft.orientation;
        const double roll = 0.5 * (double)test_uniform(TC_C(-1.5), TC_C(1.5));
        q[0] = (tc_real)cos(roll);
        q[1] = (tc_real)sin(roll);
        const tc_real row[2] = {2 * q[0] * q[1], 1 - 2 * q[1] * q[1]};
        soft.position[2] = TC_C(0.05) * (tc_real)(fabs((double)row[0]) + fabs((double)row[1]))
                           + test_uniform(TC_C(0.0), TC_C(2e-4));
        tc_body3_state rigid = soft;
        TEST_ASSERT_TRUE(step(&soft) >= TC_OK);
        cube.compliance.stiffness = TC_C(0.0);
        cube.positions = TC_SCHEME_GAP;
        memset(&warm, 0, sizeof warm);
        TEST_ASSERT_TRUE(step(&rigid) >= TC_OK);
        for (uint32_t k = 0; k < 3u; k++) {
            test_near(rigid.velocity[k], soft.velocity[k], TC_C(5e-3), TC_C(0.0), "velocity");
            test_near(rigid.position[k], soft.position[k], TC_C(5e-6), TC_C(0.0), "position");
        }
    }
}

static double energy_of(const tc_body3_state *state)
{
    tc_real kinetic, R[9];
    const tc_real *const q = state->orientation;
    TEST_ASSERT_EQUAL(TC_OK, tc_body3_energy(&body, state, &kinetic));
    R[0] = 2 * (q[1] * q[3] - q[0] * q[2]);
    R[1] = 2 * (q[2] * q[3] + q[0] * q[1]);
    R[2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    double sum = (double)kinetic + (double)(MASS * G) * (double)state->position[2];
    for (uint32_t i = 0; i < 8u; i++) {
        const tc_real *const v = corners + 3u * i;
        const double gap = (double)state->position[2] + (double)R[0] * (double)v[0]
                           + (double)R[1] * (double)v[1] + (double)R[2] * (double)v[2];
        sum += 0.5 * (double)cube.compliance.stiffness * fmin(gap, 0) * fmin(gap, 0);
    }
    return sum;
}

/* Thrown anyhow, the model of constants or one that says anything. A step gains m (g h)^2 at most,
 * and rounding. Catches: vertices that others press below the plane without a force; energy made by
 * damping or friction. */
static void test_throws_gain_nothing(void)
{
    test_seed(404u);
    for (uint32_t round = 0; round < TEST_ROUNDS(24); round++) {
        make_cube((tc_real)test_log_uniform_wide(5e3, 5e5),
                  round % 3u == 0u ? TC_C(0.0) : TC_C(70.0), test_uniform(TC_C(0.0), TC_C(0.8)));
        if (round % 4u == 3u) {
            cube.model = limb_case_fickle;
        }
        tc_body3_state state = learned3_flat(TC_C(0.12), TC_C(0.0), TC_C(0.0));
        test_fill(state.velocity, 3, TC_C(-1.5), TC_C(1.5));
        test_fill(state.velocity + 3, 3, TC_C(-12.0), TC_C(12.0));
        state.orientation[0] = TC_C(0.6);
        state.orientation[1 + round % 3u] = TC_C(0.8);
        double before = energy_of(&state);
        for (uint32_t i = 0; i < 500u; i++) {
            TEST_ASSERT_TRUE(step(&state) >= TC_OK);
            const double after = energy_of(&state);
            const double most = (double)(MASS * G * G * H * H) + 3e-6 * (1 + before);
            TEST_ASSERT_TRUE(after - before <= most);
            before = after;
        }
    }
}

/* A rod that lands with a spin: the far end is pressed down within the step. Catches: the vertex
 * that the free flight would have left above being without force. */
static void test_missed_vertex(void)
{
    static const tc_real ends[6] = {TC_C(-0.5), TC_C(0.0), TC_C(0.0),
                                    TC_C(0.02), TC_C(0.0), TC_C(0.0)};
    static const tc_body3 rod = {TC_C(1.0), {TC_C(0.001), TC_C(0.001), TC_C(0.001)}};
    make_cube(TC_C(1e5), TC_C(0.0), TC_C(0.0));
    cube.body = rod;
    cube.shape.vertices = ends;
    cube.shape.count = 2;
    cube.step = TC_C(0.002);
    tc_body3_state state = learned3_flat(TC_C(0.0005), TC_C(0.0), TC_C(-1.0));
    state.velocity[4] = TC_C(2.5);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_check(&cube));
    TEST_ASSERT_TRUE(tc_foot3_step(&cube, NULL, &state, NULL, &info, work, TC_COUNT(work))
                     >= TC_OK);
    TEST_ASSERT_EQUAL(2, info.count);
    TEST_ASSERT_TRUE(info.contact.normal[0] > TC_C(0.0) && info.contact.normal[1] > TC_C(0.0));
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Without stiffness, damping and slope change nothing. */
static void test_zero_is_rigid(void)
{
    for (uint32_t scheme = TC_SCHEME_DART; scheme <= TC_SCHEME_GAP; scheme++) {
        tc_body3_state expected = learned3_flat(TC_C(0.06), TC_C(1.0), TC_C(-1.0)),
                       state = expected;
        make_cube(TC_C(0.0), TC_C(0.0), TC_C(0.2));
        cube.positions = (tc_scheme)scheme;
        for (uint32_t i = 0; i < 60u; i++) {
            TEST_ASSERT_TRUE(step(&expected) >= TC_OK);
        }
        make_cube(TC_C(0.0), TC_C(70.0), TC_C(0.2));
        cube.positions = (tc_scheme)scheme;
        cube.compliance.slope = TC_C(1.6);
        for (uint32_t i = 0; i < 60u; i++) {
            TEST_ASSERT_TRUE(step(&state) >= TC_OK);
        }
        TEST_ASSERT_EQUAL_MEMORY(&expected, &state, sizeof state);
    }
}

static void check_refused(tc_real stiffness, tc_real damping, tc_real slope)
{
    tc_body3_state state = learned3_flat(TC_C(0.06), TC_C(0.0), TC_C(0.0)), before = state;
    make_cube(TC_C(5e4), TC_C(70.0), TC_C(0.2));
    cube.compliance.stiffness = stiffness;
    cube.compliance.damping = damping;
    cube.compliance.slope = slope;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_foot3_check(&cube));
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, step(&state));
    TEST_ASSERT_EQUAL_MEMORY(&before, &state, sizeof state);
}

static void test_statuses(void)
{
    const tc_real nan = (tc_real)NAN, inf = (tc_real)INFINITY;
    check_refused(TC_C(-1.0), TC_C(0.0), TC_C(0.0));
    check_refused(nan, TC_C(0.0), TC_C(0.0));
    check_refused(inf, TC_C(0.0), TC_C(0.0));
    check_refused(TC_C(5e4), TC_C(-1.0), TC_C(0.0));
    check_refused(TC_C(5e4), nan, TC_C(0.0));
    check_refused(TC_C(5e4), TC_C(0.0), TC_C(-1.0));
    check_refused(TC_C(5e4), TC_C(0.0), nan);
    check_refused(TC_C(5e4), TC_C(0.0), TC_C(1001.0));
    check_refused(MASS * TC_C(1.01e9), TC_C(0.0), TC_C(0.0));
    check_refused(MASS * TC_C(990.0), TC_C(0.0), TC_C(0.0));
    static limb_case limb;
    limb_case_random(&limb, 3, 0, 4, TC_C(3.0), TC_C(1.0), &limb_case_fickle);
    limb.leg.foot.compliance.stiffness = TC_C(5e4);
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_limb3_check(&limb.leg));
}

/* Throws of a cube, with and without a residual: on every machine the same */
static void test_throws_have_bits(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(405u);
    for (uint32_t round = 0; round < 12u; round++) {
        make_cube(TC_C(5.45e4), TC_C(70.0), TC_C(0.17));
        cube.compliance.slope = round % 2u == 0u ? TC_C(0.0) : TC_C(1.6);
        friction.weight = G * H;
        friction.gain[0] = round % 3u == 0u ? TC_C(0.0) : TC_C(-0.022);
        friction.slip[0] = TC_C(0.44);
        friction.load[0] = TC_C(1.05);
        friction.bias[0] = TC_C(1.26);
        tc_body3_state state = learned3_flat(TC_C(0.1), TC_C(0.0), TC_C(-1.0));
        test_fill(state.velocity, 2, TC_C(-1.0), TC_C(1.0));
        test_fill(state.velocity + 3, 3, TC_C(-8.0), TC_C(8.0));
        for (uint32_t i = 0; i < 200u; i++) {
            TEST_ASSERT_TRUE(step(&state) >= TC_OK);
            hash = test_hash(test_hash(hash, state.position, 3), state.orientation, 4);
            hash = test_hash(test_hash(hash, state.velocity, 6), info.impulse, 6);
        }
    }
    test_golden("foot3.soft", hash);
}

void suite_soft3(void)
{
    RUN_TEST(test_patch_is_the_laws);
    RUN_TEST(test_any_answer_is_lawful);
    RUN_TEST(test_flat_fall);
    RUN_TEST(test_rest);
    RUN_TEST(test_slide);
    RUN_TEST(test_limit_is_rigid);
    RUN_TEST(test_throws_gain_nothing);
    RUN_TEST(test_missed_vertex);
    RUN_TEST(test_zero_is_rigid);
    RUN_TEST(test_statuses);
    RUN_TEST(test_throws_have_bits);
}
