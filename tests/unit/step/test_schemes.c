/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What holds in every position scheme, planar and in space. Rebounds: a body falls without a force
 * and is e v fast after the touch, at whatever moment of a step it touches. Momentum and energy
 * (kinetic + m g z): in double, from the states.
 */
#include "learned2_case.h"
#include "learned3_case.h"

#include <math.h>

#ifdef __arm__
#define PHASES 3u
#define THROWS 1u
#define SECONDS 0.4
#else
#define PHASES 32u
#define THROWS 12u
#define SECONDS 4.0
#endif

static const tc_real restitutions[5] = {TC_C(0.0), TC_C(0.3), TC_C(0.5), TC_C(0.8), TC_C(1.0)};
static const tc_real steps[3] = {TC_C(0.0005), TC_C(0.002), TC_C(0.005)};
static const double mu = 0.5;
static tc_real work[TC_FOOT3_WORK(TC_LEARNED3_NETS_WORK(16))];

/* ---- Rebounds -------------------------------------------------------------------------------- */

/* Corners of a face below the centre of mass; the first one, two and four of them are point, edge
 * and face. A point below the centre of mass is none of them: it is alone. */
static const tc_real face[12] = {TC_C(-0.1),  TC_C(-0.07), TC_C(-0.05), TC_C(0.1),
                                 TC_C(0.07),  TC_C(-0.05), TC_C(0.1),   TC_C(-0.07),
                                 TC_C(-0.05), TC_C(-0.1),  TC_C(0.07),  TC_C(-0.05)};
static const tc_real side[4] = {TC_C(-0.1), TC_C(-0.05), TC_C(0.1), TC_C(-0.05)};
static const tc_real tip[3] = {TC_C(0.0), TC_C(0.0), TC_C(-0.05)};
static const tc_real foot2_tip[2] = {TC_C(0.0), TC_C(-0.05)};

static tc_real random_speed(tc_real e)
{
    const tc_real speed = test_uniform(TC_C(0.5), TC_C(3.0));
    return e > TC_C(0.0) && e * speed < TC_C(0.12) ? TC_C(1.0) : speed; /* fast enough to bounce */
}

/* After the touch, and a step later for e = 0: e v, and above the floor but for DART's sinking. For
 * e = 0 GAP has its rounding of positions / h left. */
static void check_rebound(tc_real e, tc_real before, tc_real after, tc_real low,
                          tc_scheme positions)
{
    test_near(e * before, after, e > TC_C(0.0) ? TC_C(0.0) : TC_C(1e-3), TC_C(1e-3), "rebound");
    TEST_ASSERT_TRUE(positions == TC_SCHEME_DART || low > TC_C(-1e-6));
}

static void drop_foot2(uint32_t count, tc_scheme positions, tc_real h, tc_real e)
{
    const tc_body2 body = {TC_C(2.0), TC_C(0.009)};
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    const tc_real speed = random_speed(e), gap = h * speed * test_uniform(TC_C(0.0), TC_C(3.0));
    const tc_real along = count == 1u ? TC_C(0.0) : TC_C(0.3); /* it would turn a tip */
    tc_body2_state state = {{TC_C(0.0), TC_C(0.05) + gap, TC_C(0.0)}, {along, -speed, TC_C(0.0)}};
    tc_foot2 foot;
    tc_foot2_info info = {0};
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&foot, &body, h, &law));
    foot.shape.vertices = count == 1u ? foot2_tip : side;
    foot.shape.count = count;
    foot.positions = positions;
    foot.restitution = e;
    for (uint32_t i = 0, touched = 0; i < 6u && touched < 2u; i++) {
        TEST_ASSERT_TRUE(tc_foot2_step(&foot, NULL, &state, &info, NULL, 0) >= TC_OK);
        touched += info.count == 0u ? 0u : e > TC_C(0.0) ? 2u : 1u;
    }
    check_rebound(e, speed, state.velocity[1], state.position[1] - TC_C(0.05), positions);
}

static void drop_foot3(uint32_t count, tc_scheme positions, tc_real h, tc_real e)
{
    const tc_body3 body = {TC_C(2.0), {TC_C(0.006), TC_C(0.008), TC_C(0.01)}};
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    const tc_real speed = random_speed(e), gap = h * speed * test_uniform(TC_C(0.0), TC_C(3.0));
    tc_body3_state state = {{TC_C(0.0), TC_C(0.0), TC_C(0.05) + gap},
                            {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)},
                            {TC_C(0.0), TC_C(0.0), -speed, TC_C(0.0), TC_C(0.0), TC_C(0.0)}};
    tc_foot3 box;
    tc_foot3_info info;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&box, &body, h, &law));
    box.shape.vertices = count == 1u ? tip : face;
    box.shape.count = count;
    box.positions = positions;
    box.restitution = e;
    for (uint32_t i = 0, touched = 0; i < 6u && touched < 2u; i++) {
        TEST_ASSERT_TRUE(tc_foot3_step(&box, NULL, &state, NULL, &info, work, TC_COUNT(work))
                         >= TC_OK);
        touched += info.count == 0u ? 0u : e > TC_C(0.0) ? 2u : 1u;
    }
    check_rebound(e, speed, state.velocity[2], state.position[2] - TC_C(0.05), positions);
}

/* Catches: gap / h added to what restitution asks for, which takes from the rebound what the gap
 * is. */
static void test_rebound_at_every_phase(void)
{
    test_seed(20701u);
    for (uint32_t scheme = TC_SCHEME_DART; scheme <= TC_SCHEME_GAP; scheme++) {
        for (uint32_t k = 0; k < 3u * 5u * PHASES; k++) {
            const tc_real h = steps[k % 3u], e = restitutions[k / 3u % 5u];
            drop_foot2(1, (tc_scheme)scheme, h, e);
            drop_foot2(2, (tc_scheme)scheme, h, e);
            drop_foot3(1, (tc_scheme)scheme, h, e);
            drop_foot3(2, (tc_scheme)scheme, h, e);
            drop_foot3(4, (tc_scheme)scheme, h, e);
        }
    }
}

/* A bar that drops nearly flat bounces on its ends, ever lower, and lies still in the end. Catches:
 * bounces that feed themselves, an end that sinks, rest that chatters. */
static void test_bounces_end(void)
{
    const tc_body3 body = {TC_C(2.0), {TC_C(0.006), TC_C(0.008), TC_C(0.01)}};
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    const tc_real weight[6] = {TC_C(0.0), TC_C(0.0), TC_C(-19.62), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    test_seed(20702u);
    for (uint32_t k = 0; k < TEST_ROUNDS(9u * THROWS); k++) {
        const tc_real h = steps[k % 3u], tilt = test_uniform(TC_C(-0.05), TC_C(0.05));
        tc_body3_state state = {{TC_C(0.0), TC_C(0.0), TC_C(0.2)},
                                {tc_cos(tilt), TC_C(0.0), tc_sin(tilt), TC_C(0.0)},
                                {TC_C(0.0)}};
        tc_foot3 box;
        tc_foot3_info info;
        tc_real highest = TC_C(0.0), fastest = TC_C(0.0);
        TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&box, &body, h, &law));
        box.shape.vertices = face;
        box.shape.count = 4;
        box.positions = (tc_scheme)(k / 3u % 3u);
        box.restitution = TC_C(0.5);
        const uint32_t count = (uint32_t)(SECONDS / (double)h);
        for (uint32_t i = 0; i < count; i++) {
            const int late = (double)i > 0.75 * (double)count,
                      bounced = (double)i * (double)h > 0.3;
            TEST_ASSERT_TRUE(tc_foot3_step(&box, weight, &state, NULL, &info, work, TC_COUNT(work))
                             >= 0);
            const tc_real speed =
                state.velocity[2] < TC_C(0.0) ? -state.velocity[2] : state.velocity[2];
            highest = bounced && state.position[2] > highest ? state.position[2] : highest;
            fastest = late && speed > fastest ? speed : fastest;
        }
        TEST_ASSERT_TRUE(highest < TC_C(0.13)); /* e^2 of the 0.15 m, and turning */
        /* DART's push-out ends above the floor at times, and the body falls for a step */
        TEST_ASSERT_TRUE(SECONDS < 4.0 || fastest < TC_C(10.0) * h);
    }
}

/* ---- Momentum -------------------------------------------------------------------------------- */

static tc_real box_corners[24];
static tc_body3 box_body;

static void make_box(const tc_real sides[3])
{
    box_body.mass = TC_C(1.0);
    for (uint32_t k = 0; k < 3u; k++) {
        const tc_real a = sides[(k + 1u) % 3u], b = sides[(k + 2u) % 3u];
        box_body.inertia[k] = (a * a + b * b) / 12;
        for (uint32_t i = 0; i < 8u; i++) {
            box_corners[3u * i + k] =
                (i >> k & 1u) != 0u ? TC_C(0.5) * sides[k] : TC_C(-0.5) * sides[k];
        }
    }
}

/* Angular momentum in world axes; returns the energy, kinetic + m g z. The quaternion is of unit
 * length to rounding. */
static double energy_of(const tc_body3_state *state, double momentum[3])
{
    double q[4], length = 0, energy = 9.81 * (double)state->position[2];
    for (uint32_t i = 0; i < 4u; i++) {
        q[i] = (double)state->orientation[i];
        length += q[i] * q[i];
    }
    momentum[0] = momentum[1] = momentum[2] = 0;
    for (uint32_t i = 0; i < 3u; i++) { /* column i of the rotation: body axis i in world axes */
        const uint32_t j = (i + 1u) % 3u, k = (i + 2u) % 3u;
        double column[3], omega = 0;
        column[i] = (q[0] * q[0] + q[1 + i] * q[1 + i] - q[1 + j] * q[1 + j] - q[1 + k] * q[1 + k])
                    / length;
        column[j] = 2 * (q[1 + i] * q[1 + j] + q[0] * q[1 + k]) / length;
        column[k] = 2 * (q[1 + i] * q[1 + k] - q[0] * q[1 + j]) / length;
        for (uint32_t m = 0; m < 3u; m++) {
            omega += column[m] * (double)state->velocity[3u + m];
        }
        for (uint32_t m = 0; m < 3u; m++) {
            momentum[m] += (double)box_body.inertia[i] * omega * column[m];
        }
        energy += 0.5 * (double)box_body.inertia[i] * omega * omega;
        energy += 0.5 * (double)state->velocity[i] * (double)state->velocity[i];
    }
    return energy;
}

static tc_body3_state thrown(tc_real size)
{
    tc_body3_state state;
    tc_real square;
    do {
        test_fill(state.orientation, 4, TC_C(-1.0), TC_C(1.0));
        square = TC_C(0.0);
        for (uint32_t k = 0; k < 4u; k++) {
            square += state.orientation[k] * state.orientation[k];
        }
    } while (square > TC_C(1.0) || square < TC_C(0.1));
    for (uint32_t k = 0; k < 4u; k++) {
        state.orientation[k] /= tc_sqrt(square);
    }
    state.position[0] = state.position[1] = TC_C(0.0);
    state.position[2] = size * test_uniform(TC_C(0.9), TC_C(1.4));
    test_fill(state.velocity, 3, TC_C(-2.0), TC_C(2.0));
    test_fill(state.velocity + 3, 3, TC_C(-8.0), TC_C(8.0));
    return state;
}

/* In each step the angular momentum changes by h torque and what `info` says of the contacts, in
 * flight and on the floor. Catches: an omega that is kept while the body turns under it, a touch
 * that is not told. */
static void test_momentum(void)
{
    static const tc_real sides[3] = {TC_C(0.2), TC_C(0.15), TC_C(0.1)};
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    make_box(sides);
    test_seed(20704u);
    for (uint32_t k = 0; k < TEST_ROUNDS(9u * THROWS); k++) {
        tc_real wrench[6] = {TC_C(0.0), TC_C(0.0), TC_C(-9.81), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
        tc_body3_state state = thrown(sides[0]);
        tc_learned3_warm warm = {0};
        tc_foot3_info info;
        tc_foot3 box;
        TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&box, &box_body, steps[k % 3u], &law));
        box.shape.vertices = box_corners;
        box.shape.count = 8;
        box.positions = (tc_scheme)(k / 3u % 3u);
        for (uint32_t i = 0; i < 200u; i++) {
            double before[3], after[3];
            if (box.positions == TC_SCHEME_DART) {
                /* the others take it back where a step ends early */
                test_fill(wrench + 3, 3, TC_C(-0.02), TC_C(0.02));
            }
            (void)energy_of(&state, before);
            TEST_ASSERT_TRUE(tc_foot3_step(&box, wrench, &state, &warm, &info, work, TC_COUNT(work))
                             >= 0);
            (void)energy_of(&state, after);
            for (uint32_t m = 0; m < 3u; m++) {
                /* I omega of 0.04, impulses of 0.4 N s m and less */
                const double expected =
                    before[m] + (double)(box.step * wrench[3u + m] + info.impulse[3u + m]);
                test_near((tc_real)expected, (tc_real)after[m], TC_C(3e-6), TC_C(0.0), "momentum");
            }
        }
    }
}

/* ---- Energy ---------------------------------------------------------------------------------- */

/* One throw; returns the largest gain of a step in contact. *fastest: of its last second */
static double throw_gains(const tc_foot3 *box, tc_body3_state *state, tc_real *fastest)
{
    const tc_real weight[6] = {TC_C(0.0), TC_C(0.0), TC_C(-9.81), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    const uint32_t count = (uint32_t)(SECONDS / (double)box->step);
    tc_learned3_warm warm = {0};
    tc_foot3_info info;
    double most = 0, momentum[3];
    *fastest = TC_C(0.0);
    for (uint32_t i = 0; i < count; i++) {
        const double before = energy_of(state, momentum);
        TEST_ASSERT_TRUE(tc_foot3_step(box, weight, state, &warm, &info, work, TC_COUNT(work))
                         >= TC_OK);
        most = info.count > 0u ? fmax(most, energy_of(state, momentum) - before) : most;
        for (uint32_t k = 0; k < 6u && i + 50u > count; k++) {
            const tc_real speed =
                state->velocity[k] < TC_C(0.0) ? -state->velocity[k] : state->velocity[k];
            *fastest = speed > *fastest ? speed : *fastest;
        }
    }
    return most;
}

/* What a contact step may add to the energy: m (g h)^2, and 1e-5 J for rounding. Plates lie still
 * in the end. Catches: corners of a third touch that are lifted, and rock for ever. */
static void test_steps_gain_nothing(void)
{
    static const tc_real sides[3][3] = {{TC_C(0.2), TC_C(0.15), TC_C(0.1)},
                                        {TC_C(0.5), TC_C(0.5), TC_C(0.01)},
                                        {TC_C(0.3), TC_C(0.2), TC_C(0.01)}};
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    test_seed(20703u);
    for (uint32_t k = 0; k < TEST_ROUNDS(18u * THROWS); k++) {
        const tc_real *const side_of = sides[k % 3u], h = steps[k / 3u % 3u];
        tc_foot3 box;
        tc_real fastest;
        make_box(side_of);
        TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&box, &box_body, h, &law));
        box.shape.vertices = box_corners;
        box.shape.count = 8;
        box.positions = k / 9u % 2u == 0u ? TC_SCHEME_TOC : TC_SCHEME_GAP;
        tc_body3_state state = thrown(side_of[0]);
        const double weight = 9.81 * (double)h, gain = throw_gains(&box, &state, &fastest);
        test_near(TC_C(0.0), (tc_real)gain, (tc_real)(weight * weight + 1e-5), TC_C(0.0), "gain");
        TEST_ASSERT_TRUE(SECONDS < 4.0 || k % 3u == 0u || fastest < TC_C(1e-2));
    }
}

/* Needles and thin plates that spin: carried to an orientation that is off by a little, their
 * momentum is hundreds of times the energy. Catches: a turn that is begun for one spin and ended
 * with another. */
static void test_needles_gain_nothing(void)
{
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    test_seed(20704u);
    for (uint32_t k = 0; k < TEST_ROUNDS(12u * THROWS); k++) {
        const tc_real thin = test_uniform(TC_C(0.002), TC_C(0.02)),
                      other = k % 2u == 0u ? thin : TC_C(0.1);
        const tc_real sides[3] = {TC_C(0.2), other, thin},
                      h = test_uniform(TC_C(0.002), TC_C(0.01));
        tc_foot3 box;
        tc_learned3_warm warm = {0};
        tc_foot3_info info;
        make_box(sides);
        TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&box, &box_body, h, &law));
        box.shape.vertices = box_corners;
        box.shape.count = 8;
        tc_body3_state state = thrown(sides[0]);
        const tc_real weight[6] = {TC_C(0.0), TC_C(0.0), TC_C(-9.81) * box_body.mass,
                                   TC_C(0.0), TC_C(0.0), TC_C(0.0)};
        for (double t = 0; t < 0.25 * SECONDS; t += (double)h) {
            double momentum[3];
            tc_body3_state falls = state;
            falls.velocity[2] -= h * TC_C(9.81);
            falls.position[2] = TC_C(0.0);
            const double most = energy_of(&falls, momentum);
            TEST_ASSERT_TRUE(tc_foot3_step(&box, weight, &state, &warm, &info, work, TC_COUNT(work))
                             >= TC_OK);
            falls = state;
            falls.position[2] = TC_C(0.0);
            test_near(TC_C(0.0), (tc_real)fmax(energy_of(&falls, momentum) / most - 1, 0),
                      TC_C(0.03), TC_C(0.0), "gain");
        }
    }
}

/* ---- Planar bodies --------------------------------------------------------------------------- */

static const tc_real flat_weight[3] = {TC_C(0.0), TC_C(-9.81), TC_C(0.0)};
static tc_real flat_box[8];
static tc_foot2 flat;

static void make_flat(tc_real length, tc_real thickness, tc_real h, tc_scheme positions)
{
    const tc_body2 body = {TC_C(1.0), (length * length + thickness * thickness) / 12};
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    for (uint32_t i = 0; i < 4u; i++) {
        flat_box[2u * i] = (i == 0u || i == 3u ? TC_C(-0.5) : TC_C(0.5)) * length;
        flat_box[2u * i + 1u] = (i < 2u ? TC_C(-0.5) : TC_C(0.5)) * thickness;
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&flat, &body, h, &law));
    flat.shape.vertices = flat_box;
    flat.shape.count = 4;
    flat.positions = positions;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_check(&flat));
}

static double flat_energy(const tc_body2_state *state)
{
    const double x = (double)state->velocity[0], y = (double)state->velocity[1];
    const double turn = (double)flat.gyration * (double)state->velocity[2];
    return 0.5 * (x * x + y * y + turn * turn) + 9.81 * (double)state->position[1];
}

static double flat_lowest(const tc_body2_state *state)
{
    const double c = cos((double)state->position[2]), s = sin((double)state->position[2]);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < 4u; i++) {
        const double x = (double)flat_box[2u * i], y = (double)flat_box[2u * i + 1u];
        least = fmin(least, (double)state->position[1] + s * x + c * y);
    }
    return least;
}

/* Through one step: above the floor, momentum that of the force that acted and of the impulse.
 * Returns what is gained in contact. */
static double flat_gain(tc_body2_state *state)
{
    const double before = flat_energy(state);
    const tc_real was = state->velocity[1];
    tc_foot2_info told;
    TEST_ASSERT_TRUE(tc_foot2_step(&flat, flat_weight, state, &told, work, TC_COUNT(work))
                     >= TC_OK);
    const tc_real pushed = told.normal[0] + told.normal[1] - TC_C(9.81) * (flat.step - told.waited);
    test_near(was + pushed, state->velocity[1], TC_C(1e-5), TC_C(1e-5), "momentum");
    TEST_ASSERT_TRUE(flat_lowest(state) > -2e-6);
    return told.count > 0u ? flat_energy(state) - before : 0.0;
}

/* What test_steps_gain_nothing asks, of planar bodies; those that fall by more than their thickness
 * in a step as well. Catches: upper vertices taken for the contacts, which stop it at thickness / h
 * for ever; a touch that is lifted. Of 288 throws 25 did not rest, and 15 steps gained more. */
static void test_thin_foot2(void)
{
    static const tc_real sides[4][2] = {{TC_C(0.2), TC_C(0.12)},
                                        {TC_C(0.5), TC_C(0.01)},
                                        {TC_C(0.3), TC_C(1e-3)},
                                        {TC_C(0.3), TC_C(1e-4)}};
    test_seed(20705u);
    for (uint32_t k = 0; k < TEST_ROUNDS(24u * THROWS); k++) {
        const tc_real *const side_of = sides[k % 4u], h = steps[k / 4u % 3u];
        const double weight = 9.81 * (double)h;
        const uint32_t count = (uint32_t)(SECONDS / (double)h);
        make_flat(side_of[0], side_of[1], h, k / 12u % 2u == 0u ? TC_SCHEME_TOC : TC_SCHEME_GAP);
        tc_body2_state state = {{TC_C(0.0), side_of[0] * test_uniform(TC_C(0.6), TC_C(1.1)),
                                 test_uniform(TC_C(-3.0), TC_C(3.0))},
                                {TC_C(0.0)}};
        test_fill(state.velocity, 2, TC_C(-2.0), TC_C(2.0));
        state.velocity[2] = test_uniform(TC_C(-8.0), TC_C(8.0));
        for (uint32_t i = 0; i < count; i++) {
            const double gain = flat_gain(&state);
            TEST_ASSERT_TRUE(gain < weight * weight + 1e-5);
        }
        TEST_ASSERT_TRUE(SECONDS < 4.0 || k % 4u == 0u || fabs((double)state.velocity[1]) < 1e-2);
    }
}

void suite_schemes(void)
{
    RUN_TEST(test_rebound_at_every_phase);
    RUN_TEST(test_bounces_end);
    RUN_TEST(test_momentum);
    RUN_TEST(test_steps_gain_nothing);
    RUN_TEST(test_needles_gain_nothing);
    RUN_TEST(test_thin_foot2);
}
