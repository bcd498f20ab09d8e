/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Rigid bodies against what mechanics says about them: momentum, energy, invariance, closed forms.
 *
 * Bounds: states are of size 1 to 10, each result is a sum of at most 12 rounded products; 64
 * roundings of the largest term are allowed unless a test says otherwise. References turn vectors
 * by Rodrigues' formula and by q v q*, which the library does not use.
 */
#include "test_rigid.h"

#include "tc_body_core.h"

#define TRIES 60
#define ROUNDING (64 * TC_EPSILON)

static void random3(tc_body3 *body, tc_body3_state *state)
{
    body->mass = test_uniform(TC_C(0.5), 2);
    test_fill(body->inertia, 3, TC_C(0.5), 2);
    test_fill(state->position, 3, -1, 1);
    random_quaternion(state->orientation);
    test_fill(state->velocity, 6, -3, 3);
}

static void random2(tc_body2 *body, tc_body2_state *state)
{
    body->mass = test_uniform(TC_C(0.5), 2);
    body->inertia = test_uniform(TC_C(0.5), 2);
    test_fill(state->position, 3, -1, 1);
    test_fill(state->velocity, 3, -3, 3);
}

/* I omega in world axes */
static void spin_momentum(const tc_body3 *body, const tc_body3_state *state, tc_real *momentum)
{
    tc_real spin[3];
    turn_back(state->orientation, state->velocity + 3, spin);
    for (int i = 0; i < 3; ++i) {
        spin[i] *= body->inertia[i];
    }
    turn(state->orientation, spin, momentum);
}

/* ---- Planar ---------------------------------------------------------------------------------- */

/* Catches mass and inertia confused, h forgotten, velocity taken from the wrong side of the
 * step. */
static void test_body2_fall(void)
{
    const tc_body2 body = {2, TC_C(0.5)};
    const tc_real wrench[3] = {2, -20, TC_C(0.25)}, h = TC_C(0.0625);
    tc_body2_state state = {{1, 2, 3}, {0, 1, 0}};
    for (int i = 1; i <= 8; ++i) {
        TEST_ASSERT_EQUAL(TC_OK, tc_body2_apply_wrench(&body, wrench, h, &state));
        TEST_ASSERT_EQUAL(TC_OK, tc_body2_move(h, &state));
    }
    /* after n steps v = n h f/m, x = x0 + n h v0 + n (n + 1) h^2/2 f/m, here all exact in binary */
    TEST_ASSERT_TRUE(state.velocity[0] == TC_C(0.5) && state.velocity[1] == -4);
    TEST_ASSERT_TRUE(state.velocity[2] == TC_C(0.25));
    TEST_ASSERT_TRUE(state.position[0] == TC_C(1.140625) && state.position[1] == TC_C(1.09375));
    TEST_ASSERT_TRUE(state.position[2] == TC_C(3.0703125));
}

/* An impulse adds to momentum exactly itself and does the work p . (v + v') / 2. */
static void test_body2_momentum_and_work(void)
{
    test_seed(401);
    for (int try = 0; try < TRIES; ++try) {
        tc_body2 body;
        tc_body2_state before, after;
        tc_real impulse[3], energy[2], work = 0;
        random2(&body, &before);
        test_fill(impulse, 3, -2, 2);
        after = before;
        TEST_ASSERT_EQUAL(TC_OK, tc_body2_apply_impulse(&body, impulse, &after));
        for (int i = 0; i < 3; ++i) {
            const tc_real mass = i < 2 ? body.mass : body.inertia;
            const tc_real gained = mass * (after.velocity[i] - before.velocity[i]);
            test_near(impulse[i], gained, 8 * ROUNDING, 0, "momentum");
            work += impulse[i] * (after.velocity[i] + before.velocity[i]) / 2;
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_body2_energy(&body, &before, &energy[0]));
        TEST_ASSERT_EQUAL(TC_OK, tc_body2_energy(&body, &after, &energy[1]));
        test_near(energy[0] + work, energy[1], 30 * ROUNDING, 0, "work");
        TEST_ASSERT_EQUAL_MEMORY(before.position, after.position, sizeof before.position);
    }
}

/* The velocity of a point is how fast it moves: central difference over a small move. */
static void test_body2_point_velocity(void)
{
    const tc_real h = TC_C(0.001953125);
    test_seed(402);
    for (int try = 0; try < TRIES; ++try) {
        tc_body2 body;
        tc_body2_state state;
        tc_real at[2], arm[2], velocity[2], sides[2][2];
        random2(&body, &state);
        test_fill(at, 2, -1, 1); /* body axes */
        for (int side = 0; side < 2; ++side) {
            tc_body2_state moved = state;
            TEST_ASSERT_EQUAL(TC_OK, tc_body2_move(side ? h : -h, &moved));
            const tc_real c = tc_cos(moved.position[2]), s = tc_sin(moved.position[2]);
            sides[side][0] = moved.position[0] + c * at[0] - s * at[1];
            sides[side][1] = moved.position[1] + s * at[0] + c * at[1];
        }
        const tc_real c = tc_cos(state.position[2]), s = tc_sin(state.position[2]);
        arm[0] = c * at[0] - s * at[1];
        arm[1] = s * at[0] + c * at[1];
        TEST_ASSERT_EQUAL(TC_OK, tc_body2_point_velocity(&state, arm, velocity));
        for (int i = 0; i < 2; ++i) { /* h^2/6 omega^3 r = 2.4e-5, rounding 1e-6 / 2 h */
            test_near((sides[1][i] - sides[0][i]) / (2 * h), velocity[i], TC_C(5e-4), 0, "point");
        }
    }
}

/* ---- Spatial --------------------------------------------------------------------------------- */

static void test_body3_momentum_and_work(void)
{
    test_seed(403);
    for (int try = 0; try < TRIES; ++try) {
        tc_body3 body;
        tc_body3_state before, after;
        tc_real impulse[6], momentum[2][3], energy[2], work = 0;
        random3(&body, &before);
        test_fill(impulse, 6, -2, 2);
        after = before;
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_apply_impulse(&body, impulse, &after));
        spin_momentum(&body, &before, momentum[0]);
        spin_momentum(&body, &after, momentum[1]);
        for (int i = 0; i < 3; ++i) {
            const tc_real gained = body.mass * (after.velocity[i] - before.velocity[i]);
            test_near(impulse[i], gained, 8 * ROUNDING, 0, "linear");
            test_near(impulse[3 + i], momentum[1][i] - momentum[0][i], 16 * ROUNDING, 0, "angular");
        }
        for (int i = 0; i < 6; ++i) {
            work += impulse[i] * (after.velocity[i] + before.velocity[i]) / 2;
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_energy(&body, &before, &energy[0]));
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_energy(&body, &after, &energy[1]));
        test_near(energy[0] + work, energy[1], 40 * ROUNDING, 0, "work");
    }
}

/* A wrench adds h torque to the angular momentum and does nothing else. Catches: a gyroscopic term
 * in it. */
static void test_body3_wrench(void)
{
    const tc_real h = TC_C(0.125);
    test_seed(404);
    for (int try = 0; try < TRIES; ++try) {
        tc_body3 body;
        tc_body3_state before, after;
        tc_real wrench[6], momentum[2][3];
        random3(&body, &before);
        test_fill(wrench, 6, -2, 2);
        for (int i = 3; i < 6 && try % 2 == 0; ++i) {
            wrench[i] = 0;
        }
        after = before;
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_apply_wrench(&body, wrench, h, &after));
        spin_momentum(&body, &before, momentum[0]);
        spin_momentum(&body, &after, momentum[1]);
        for (int i = 0; i < 3; ++i) {
            test_near(momentum[0][i] + h * wrench[3 + i], momentum[1][i], 30 * ROUNDING, 0,
                      "torque");
            test_near(before.velocity[i] + h * wrench[i] / body.mass, after.velocity[i], ROUNDING,
                      0, "force");
        }
        if (try % 2 == 0) {
            TEST_ASSERT_EQUAL_MEMORY(before.velocity + 3, after.velocity + 3, 3 * sizeof(tc_real));
        }
    }
}

static void test_inverse_inertia(void)
{
    test_seed(405);
    for (int try = 0; try < TRIES; ++try) {
        tc_body3 body;
        tc_body3_state state, kicked;
        tc_real inverse[9], impulse[6] = {0};
        random3(&body, &state);
        kicked = state;
        test_fill(impulse + 3, 3, -2, 2);
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_inverse_inertia(&body, &state, inverse));
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_apply_impulse(&body, impulse, &kicked));
        for (int i = 0; i < 3; ++i) {
            test_near(state.velocity[3 + i] + dot(inverse + 3 * i, impulse + 3, 3),
                      kicked.velocity[3 + i], 8 * ROUNDING, 0, "inverse inertia");
            for (int j = 0; j < 3; ++j) {
                TEST_ASSERT_TRUE(inverse[3 * i + j] == inverse[3 * j + i]);
            }
        }
    }
}

/* exp(h omega) by Rodrigues on the body's axes, from turns of 1e-7 to 6 rad: both sides of where
 * the series ends. Catches a turn about body axes, half angles forgotten, the wrong sense. */
static void test_move_turns_about_world_axes(void)
{
    test_seed(406);
    for (int try = 0; try < 3 * TRIES; ++try) {
        tc_body3 body;
        tc_body3_state state, moved;
        tc_real axis[3], u[3];
        random3(&body, &state);
        const tc_real angle = tc_exp(test_uniform(TC_C(-16.0), TC_C(1.8))), h = TC_C(0.0078125);
        tc_real *omega = state.velocity + 3;
        const tc_real size = tc_sqrt(dot(omega, omega, 3));
        for (int i = 0; i < 3; ++i) {
            axis[i] = omega[i] / size;
            omega[i] = angle / h * axis[i];
        }
        moved = state;
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_move(h, &moved));
        const tc_real at[3] = {TC_C(0.5), TC_C(-0.25), TC_C(0.75)};
        tc_real old[3], fresh[3], across[3];
        turn(state.orientation, at, old);
        turn(moved.orientation, at, fresh);
        cross(axis, old, across);
        for (int i = 0; i < 3; ++i) {
            u[i] = tc_cos(angle) * old[i] + tc_sin(angle) * across[i];
            u[i] += (1 - tc_cos(angle)) * dot(axis, old, 3) * axis[i];
            test_near(u[i], fresh[i], 2 * ROUNDING, 0, "turn");
            test_near(state.position[i] + h * state.velocity[i], moved.position[i], ROUNDING, 0,
                      "way");
        }
    }
}

/* Tiny turns are not lost: the vector part is h omega / 2 to relative rounding. */
static void test_small_turns_are_exact(void)
{
    for (tc_real angle = TC_C(1e-12); angle < TC_C(1e-4); angle *= 7) {
        tc_body3_state state = {{0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0, angle, 0}};
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_move(1, &state));
        test_near(angle / 2, state.orientation[2], 0, 4 * TC_EPSILON + angle * angle / 12,
                  "small turn");
    }
}

/* Series and trigonometry meet: at the border they differ by rounding. */
static void test_half_turn_is_continuous(void)
{
    for (tc_real square = TC_TURN_SERIES / 2; square < TC_TURN_SERIES * 2;
         square += TC_TURN_SERIES / 64) {
        tc_real cosine, sinc;
        const tc_real b = tc_sqrt(square);
        tc_vec_half_turn(square, &cosine, &sinc);
        test_near(tc_cos(b), cosine, 2 * TC_EPSILON, 0, "cos b");
        test_near(tc_sin(b) / b, sinc, 4 * TC_EPSILON, 0, "sinc b");
    }
}

/* 2^13 steps make one turn and end where they began; the length never drifts. */
static void test_quaternion_does_not_drift(void)
{
    const tc_real h = TC_C(0.0009765625), tau = TC_C(6.283185307179586);
    const uint32_t steps = 8192;
    tc_body3_state state = {{0, 0, 0}, {TC_C(0.5), TC_C(-0.5), TC_C(0.5), TC_C(0.5)}, {0}};
    const tc_real axis[3] = {TC_C(0.48), TC_C(0.6), TC_C(-0.64)};
    for (int i = 0; i < 3; ++i) {
        state.velocity[3 + i] = tau / (h * (tc_real)steps) * axis[i];
    }
    tc_real worst = 0;
    for (uint32_t step = 0; step < steps; ++step) {
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_move(h, &state));
        const tc_real off = dot(state.orientation, state.orientation, 4) - 1;
        worst = off > worst ? off : -off > worst ? -off : worst;
    }
    TEST_ASSERT_TRUE(worst <= 4 * TC_EPSILON);
    /* a full turn changes the quaternion's sign; steps * TC_EPSILON / 2 bounds what rounding may
     * add up to */
    const tc_real expected[4] = {TC_C(-0.5), TC_C(0.5), TC_C(-0.5), TC_C(-0.5)};
    for (int i = 0; i < 4; ++i) {
        test_near(expected[i], state.orientation[i], TC_EPSILON * (tc_real)steps / 8, 0,
                  "one turn");
    }
}

/* Turning the world and then stepping is stepping and then turning the world. */
static void test_step_is_frame_invariant(void)
{
    const tc_real h = TC_C(0.0625);
    test_seed(407);
    for (int try = 0; try < TRIES; ++try) {
        tc_body3 body;
        tc_body3_state here, there;
        tc_real q[4], wrench[6], turned[6];
        random3(&body, &here);
        random_quaternion(q);
        test_fill(wrench, 6, -3, 3);
        turn(q, wrench, turned);
        turn(q, wrench + 3, turned + 3);
        there = here;
        turn_state(q, &there);
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_apply_wrench(&body, wrench, h, &here));
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_coast(&body, h, &here));
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_apply_wrench(&body, turned, h, &there));
        TEST_ASSERT_EQUAL(TC_OK, tc_body3_coast(&body, h, &there));
        turn_state(q, &here);
        const tc_real *a = (const void *)&here, *b = (const void *)&there;
        for (uint32_t i = 0; i < sizeof here / sizeof *a; ++i) {
            test_near(a[i], b[i], 10 * ROUNDING, 0, "turned world");
        }
    }
}

static void test_body3_point_velocity(void)
{
    const tc_body3_state state = {{9, 9, 9}, {1, 0, 0, 0}, {1, 2, 3, 0, 0, 2}};
    const tc_real arm[3] = {1, 0, 5};
    tc_real velocity[3];
    TEST_ASSERT_EQUAL(TC_OK, tc_body3_point_velocity(&state, arm, velocity));
    TEST_ASSERT_TRUE(velocity[0] == 1 && velocity[1] == 4 && velocity[2] == 3);
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static void test_sincos_has_the_bits_of_both(void)
{
    test_seed(408);
    for (int try = 0; try < 40 * TRIES; ++try) {
        const tc_real scale = try % 8 == 0 ? TC_C(1e7) : 20;
        const tc_real x = test_uniform(-scale, scale);
        tc_real sine, cosine;
        tc_sincos_core(x, &sine, &cosine);
        TEST_ASSERT_TRUE(sine == tc_sin(x) && cosine == tc_cos(x));
    }
    tc_real sine, cosine;
    tc_sincos_core(rigid_infinity(), &sine, &cosine);
    TEST_ASSERT_TRUE(sine != sine && cosine != cosine);
}

static void test_golden_flight(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(409);
    for (int try = 0; try < 8; ++try) {
        tc_body3 body;
        tc_body3_state state;
        const tc_real wrench[6] = {TC_C(0.1), TC_C(-0.2), TC_C(-9.81),
                                   TC_C(0.3), TC_C(0.2),  TC_C(-0.1)};
        random3(&body, &state);
        for (int step = 0; step < 100; ++step) {
            TEST_ASSERT_EQUAL(TC_OK, tc_body3_apply_wrench(&body, wrench, TC_C(0.01), &state));
            TEST_ASSERT_EQUAL(TC_OK, tc_body3_coast(&body, TC_C(0.01), &state));
        }
        hash = test_hash(hash, (const void *)&state, sizeof state / sizeof(tc_real));
    }
    test_golden("body.flight", hash);
}

/* ---- Bad input ------------------------------------------------------------------------------- */

static void test_body_is_refused(void)
{
    const tc_real bad[] = {0, -1, rigid_nan(), rigid_infinity(), -rigid_infinity()};
    for (size_t i = 0; i < TC_COUNT(bad); ++i) {
        for (int slot = 0; slot < 4; ++slot) {
            tc_body3 body = {1, {1, 1, 1}};
            (slot ? &body.inertia[slot - 1] : &body.mass)[0] = bad[i];
            TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_body3_check(&body));
        }
        const tc_body2 massless = {bad[i], 1}, thin = {1, bad[i]};
        TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_body2_check(&massless));
        TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_body2_check(&thin));
    }
    const tc_body2 planar = {1, 1};
    const tc_body3 spatial = {1, {1, 1, 1}};
    TEST_ASSERT_EQUAL(TC_OK, tc_body2_check(&planar));
    TEST_ASSERT_EQUAL(TC_OK, tc_body3_check(&spatial));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body2_check(NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body3_check(NULL));
}

/* Every planar call on a state; the number of the first that does not give `expected` or that
 * touches the state, 0 if none. */
static int body2_calls(const tc_body2 *body, const tc_real *wrench, tc_real h,
                       const tc_body2_state *state, tc_status expected)
{
    tc_body2_state copy = *state;
    int bad = 0;
    bad = !bad && tc_body2_apply_wrench(body, wrench, h, &copy) != expected ? 1 : bad;
    bad = !bad && tc_body2_apply_impulse(body, wrench, &copy) != expected ? 2 : bad;
    return memcmp(&copy, state, sizeof copy) != 0 ? 3 : bad;
}

static void test_body2_bad_numbers(void)
{
    const tc_body2 body = {1, 1}, none = {0, 1};
    const tc_body2_state good = {{0, 0, 0}, {1, 2, 3}};
    const tc_real wrench[3] = {1, 1, 1}, huge[3] = {TC_C(3e38), 0, 0};
    const tc_body2 light = {TC_C(1e-30), 1};
    tc_real out[2] = {7, 7};
    TEST_ASSERT_EQUAL(0, body2_calls(&none, wrench, 1, &good, TC_ERR_BODY));
    for (int slot = 0; slot < 3; ++slot) {
        tc_body2_state state = good;
        tc_real torn[3] = {1, 1, 1};
        torn[slot] = state.velocity[slot] = rigid_nan();
        TEST_ASSERT_EQUAL(0, body2_calls(&body, wrench, 1, &state, TC_ERR_NOT_FINITE));
        TEST_ASSERT_EQUAL(0, body2_calls(&body, torn, 1, &good, TC_ERR_NOT_FINITE));
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body2_energy(&body, &state, out));
        TEST_ASSERT_TRUE(out[0] == 0);
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body2_point_velocity(&state, wrench, out));
        TEST_ASSERT_TRUE(out[0] == 0 && out[1] == 0);
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body2_move(1, &state));
        state = good;
        state.position[slot] = rigid_infinity();
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body2_move(1, &state));
    }
    tc_body2_state state = good;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body2_move(rigid_nan(), &state));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_body2_apply_wrench(&body, wrench, rigid_infinity(), &state));
    if (sizeof(tc_real) == 4) {
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_body2_apply_impulse(&light, huge, &state));
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_body2_move(TC_C(3e38), &state));
        state.velocity[0] = TC_C(1e30);
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_body2_energy(&body, &state, out));
        TEST_ASSERT_TRUE(out[0] == 0);
        state.velocity[0] = good.velocity[0];
    }
    TEST_ASSERT_EQUAL_MEMORY(&good, &state, sizeof good);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body2_apply_wrench(&body, NULL, 1, &state));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body2_apply_wrench(&body, wrench, 1, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body2_move(1, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body2_energy(&body, NULL, out));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body2_point_velocity(&good, NULL, out));
}

static void test_body3_bad_numbers(void)
{
    const tc_body3 body = {1, {1, 2, 3}};
    const tc_body3_state good = {{0, 0, 0}, {1, 0, 0, 0}, {1, 2, 3, 4, 5, 6}};
    const tc_real wrench[6] = {1, 1, 1, 1, 1, 1};
    tc_real out[9];
    for (uint32_t slot = 0; slot < sizeof good / sizeof(tc_real); ++slot) {
        tc_body3_state state = good, copy;
        state.position[0] = 0;
        ((tc_real *)(void *)&state)[slot] = rigid_nan();
        copy = state;
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body3_move(1, &copy));
        if (slot >= 3) { /* forces do not look at the position */
            TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body3_apply_wrench(&body, wrench, 1, &copy));
            TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_body3_energy(&body, &copy, out));
        }
        TEST_ASSERT_EQUAL_MEMORY(&state, &copy, sizeof state);
    }
    const tc_real lengths[] = {0, TC_C(0.99), TC_C(1.01)};
    for (size_t i = 0; i < TC_COUNT(lengths); ++i) {
        tc_body3_state state = good, copy;
        state.orientation[0] = lengths[i];
        copy = state;
        TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_body3_move(1, &copy));
        TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_body3_apply_impulse(&body, wrench, &copy));
        TEST_ASSERT_EQUAL_MEMORY(&state, &copy, sizeof state);
        TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_body3_inverse_inertia(&body, &copy, out));
        TEST_ASSERT_TRUE(out[0] == 0 && out[8] == 0);
    }
    tc_body3_state state = good;
    if (sizeof(tc_real) == 4) {
        const tc_body3 light = {TC_C(0.5), {TC_C(0.5), 1, 1}};
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_body3_move(TC_C(3e38), &state));
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_body3_coast(&body, TC_C(3e38), &state));
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_body3_apply_wrench(&light, wrench, TC_C(3e38), &state));
    }
    TEST_ASSERT_EQUAL_MEMORY(&good, &state, sizeof good);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body3_apply_wrench(&body, NULL, 1, &state));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body3_apply_impulse(NULL, wrench, &state));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body3_move(1, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_body3_inverse_inertia(&body, NULL, out));
}

void suite_body(void)
{
    RUN_TEST(test_body2_fall);
    RUN_TEST(test_body2_momentum_and_work);
    RUN_TEST(test_body2_point_velocity);
    RUN_TEST(test_body3_momentum_and_work);
    RUN_TEST(test_body3_wrench);
    RUN_TEST(test_inverse_inertia);
    RUN_TEST(test_move_turns_about_world_axes);
    RUN_TEST(test_small_turns_are_exact);
    RUN_TEST(test_half_turn_is_continuous);
    RUN_TEST(test_quaternion_does_not_drift);
    RUN_TEST(test_step_is_frame_invariant);
    RUN_TEST(test_body3_point_velocity);
    RUN_TEST(test_sincos_has_the_bits_of_both);
    RUN_TEST(test_golden_flight);
    RUN_TEST(test_body_is_refused);
    RUN_TEST(test_body2_bad_numbers);
    RUN_TEST(test_body3_bad_numbers);
}
