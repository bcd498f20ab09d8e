/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Limbs that go to the time of contact. A body on a base that weighs next to nothing, hinged at its
 * centre of mass, is a limb that moves as the body alone: it has to do what tc_foot2_step and
 * tc_foot3_step do. Its mass matrix is the same in every pose, so that energies of a step compare
 * exactly.
 */
#include "chain_case.h"
#include "learned2_case.h"
#include "limb3_case.h"

#include <math.h>

#ifdef __arm__
#define ROUNDS 200u
#define THROWS 4u
#define TICKS 60u
#else
#define ROUNDS 20000u
#define THROWS 60u
#define TICKS 600u
#endif

/* Of velocities, in the speeds of the step: what the base weighs, and rounding */
#define BASE TC_C(2e-4)
#define ALIKE 2e-3

static const tc_real steps[3] = {TC_C(0.001), TC_C(0.002), TC_C(0.005)};
static double mu;
static const tc_real thick[4] = {TC_C(0.12), TC_C(0.0), TC_C(0.02), TC_C(1e-3)};

/* ---- In the plane ---------------------------------------------------------------------------- */

#define BOWL 9u

static tc_real flat_box[2u * BOWL], flat_work[TC_LIMB2_WORK(4u, 0u) + 2u * TEST_GUARD_WORDS];
static tc_chain2_link flat_links[2];
static tc_limb2 flat;
static tc_limb2_state flat_state;
static tc_limb2_info flat_info;

/* A box, or (thickness 0) a bowl so shallow that in a step of 5 ms it comes down on one corner
 * after the other */
static void draw_flat_shape(tc_real length, tc_real thickness, tc_shape2 *shape)
{
    const int bowl = !(thickness > TC_C(0.0));
    shape->count = bowl ? BOWL : 4u;
    for (uint32_t i = 0; i < shape->count; i++) {
        const tc_real left = i == 0u || i == 3u ? TC_C(-0.5) : TC_C(0.5);
        const tc_real x = bowl ? (tc_real)i / (tc_real)(BOWL - 1u) - TC_C(0.5) : left;
        const tc_real y = i < 2u ? TC_C(-0.5) : TC_C(0.5);
        flat_box[2u * i] = x * length;
        flat_box[2u * i + 1u] = bowl ? length * (TC_C(0.04) * x * x - TC_C(0.02)) : y * thickness;
    }
    shape->vertices = flat_box;
}

/* Coulomb's law, which counts the questions. */
static uint32_t asked;

static tc_status flat_class(const void *context, const tc_learned2_query *query,
                            tc_real *probability, tc_real *room)
{
    const tc_learned2_model law = learned2_coulomb_law(context);
    asked++;
    return law.classify(law.context, query, probability, room);
}

static tc_status leg_class(const void *context, const tc_learned3_query *query,
                           tc_real *probability, tc_real *room)
{
    const tc_learned3_model law = learned3_coulomb_law(context);
    asked++;
    return law.classify(law.context, query, probability, room);
}

static void make_flat(tc_real length, tc_real thickness, tc_real h)
{
    const tc_body2 body = {TC_C(1.0), (length * length + thickness * thickness) / 12};
    tc_learned2_model law = learned2_coulomb_law(&mu);
    law.classify = flat_class;
    memset(flat_links, 0, sizeof flat_links);
    memset(&flat, 0, sizeof flat);
    flat_links[0].body.mass = BASE * body.mass;
    flat_links[0].body.inertia = BASE * body.inertia;
    flat_links[0].joint = TC_CHAIN_FREE;
    flat_links[1].body = body;
    flat.chain.count = 2;
    flat.chain.links = flat_links;
    flat.chain.gravity[1] = TC_C(-9.81);
    flat.config = tc_limb2_default();
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&flat.foot, &body, h, &law));
    draw_flat_shape(length, thickness, &flat.foot.shape);
    flat.foot.positions = TC_SCHEME_TOC;
    TEST_ASSERT_EQUAL(TC_OK, tc_limb2_check(&flat));
}

/* Without friction, every fourth */
static void draw_flat(uint32_t round)
{
    mu = round % 16u < 4u ? 0.0 : (double)test_uniform(TC_C(0.05), TC_C(1.0));
    make_flat(TC_C(0.3), thick[round % 4u], steps[round / 4u % 3u]);
}

/* The base does not turn. */
static void flat_as(const tc_body2_state *body)
{
    memset(flat_state.q, 0, sizeof flat_state.q);
    memset(flat_state.qd, 0, sizeof flat_state.qd);
    memcpy(flat_state.q, body->position, 2u * sizeof flat_state.q[0]);
    memcpy(flat_state.qd, body->velocity, 2u * sizeof flat_state.qd[0]);
    flat_state.q[3] = body->position[2];
    flat_state.qd[3] = body->velocity[2];
}

static tc_status flat_step(void)
{
    const uint32_t len = TC_LIMB2_WORK(4u, 0u);
    tc_real *const work = test_guard(flat_work, len);
    asked = 0;
    const tc_status status = tc_limb2_step(&flat, NULL, &flat_state, &flat_info, work, len);
    test_guard_check(flat_work, len);
    return status;
}

static tc_body2_state flat_thrown(tc_real size)
{
    tc_body2_state state = {
        {TC_C(0.0), size * test_uniform(TC_C(0.6), TC_C(1.0)), test_uniform(TC_C(-3.0), TC_C(3.0))},
        {TC_C(0.0)}};
    test_fill(state.velocity, 2, TC_C(-2.0), TC_C(2.0));
    state.velocity[2] = test_uniform(TC_C(-8.0), TC_C(8.0));
    return state;
}

/* In double: kinetic and potential energy of body and base. */
static double flat_energy(void)
{
    const double total = (double)flat_links[1].body.mass + (double)flat_links[0].body.mass;
    const double x = (double)flat_state.qd[0], y = (double)flat_state.qd[1],
                 base = (double)flat_state.qd[2];
    const double turn = base + (double)flat_state.qd[3];
    return total * (0.5 * (x * x + y * y) + 9.81 * (double)flat_state.q[1])
           + 0.5
                 * ((double)flat_links[1].body.inertia * turn * turn
                    + (double)flat_links[0].body.inertia * base * base);
}

static double flat_lowest(void)
{
    const double angle = (double)flat_state.q[2] + (double)flat_state.q[3], c = cos(angle),
                 s = sin(angle);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < flat.foot.shape.count; i++) {
        const double x = (double)flat_box[2u * i], y = (double)flat_box[2u * i + 1u];
        least = fmin(least, (double)flat_state.q[1] + s * x + c * y);
    }
    return least;
}

static double flat_apart(const tc_body2_state *body)
{
    const double turn = (double)flat.foot.gyration;
    const double speed = hypot(hypot((double)body->velocity[0], (double)body->velocity[1]),
                               turn * (double)body->velocity[2])
                         + 9.81 * (double)flat.foot.step;
    const double x = (double)(flat_state.qd[0] - body->velocity[0]),
                 y = (double)(flat_state.qd[1] - body->velocity[1]);
    const double omega = turn * (double)(flat_state.qd[2] + flat_state.qd[3] - body->velocity[2]);
    return hypot(hypot(x, y), omega) / speed;
}

/* A little above the floor, or in it; some lie nearly flat. */
static tc_body2_state flat_near_the_floor(void)
{
    tc_body2_state state = flat_thrown(TC_C(0.3));
    if (test_below(2)) {
        state.position[2] = test_uniform(TC_C(-0.02), TC_C(0.02));
        state.velocity[2] *= TC_C(0.1);
    }
    flat_as(&state);
    state.position[1] += test_uniform(TC_C(-1e-5), TC_C(2e-3)) - (tc_real)flat_lowest();
    return state;
}

/* Whether a step of the limb was that of the body: velocities, and the time that was waited. Where
 * a touch is just missed, or friction just sticks, the base's weight decides: `apart` counts
 * those. */
static void compare(double off, tc_real waited, tc_real body_waited, tc_real h, uint32_t *apart)
{
    *apart += !(off < ALIKE) || fabs((double)(waited - body_waited)) > 0.01 * (double)h;
    TEST_ASSERT_TRUE(waited >= TC_C(0.0) && waited < h);
}

/* What is told of all touches: the law's answers, the change of momentum, and the joint that moves
 * the base. */
static void check_flat_told(const tc_body2_state *was)
{
    const tc_real mass = flat_links[1].body.mass, base = flat_links[0].body.mass;
    const tc_real fell = TC_C(9.81) * (flat.foot.step - flat_info.contact.waited);
    const tc_real x = flat_state.qd[0] - was->velocity[0],
                  y = flat_state.qd[1] - was->velocity[1] + fell;
    const tc_real normal = flat_info.contact.normal[0] + flat_info.contact.normal[1];
    TEST_ASSERT_EQUAL(asked, flat_info.evaluations);
    test_near((mass + base) * x, flat_info.contact.friction, TC_C(3e-5), TC_C(1e-4), "friction");
    test_near((mass + base) * y, normal, TC_C(3e-5), TC_C(1e-4), "normals");
    test_near(-base * x, flat_info.joint[0], TC_C(1e-5), TC_C(1e-3), "joint");
    test_near(-base * y, flat_info.joint[1], TC_C(1e-5), TC_C(1e-3), "joint");
}

/* Catches: a force that acts once more at a touch, a share that is not of the time left, rates of
 * before. */
static void test_planar_limb_is_the_body(void)
{
    const tc_real weight[3] = {TC_C(0.0), TC_C(-9.81), TC_C(0.0)};
    uint32_t touched = 0, apart = 0, waits = 0;
    test_seed(41201u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        tc_foot2_info info;
        draw_flat(round);
        tc_body2_state body = flat_near_the_floor();
        const tc_body2_state was = body;
        flat_as(&body);
        memset(&flat_state.last, 0, sizeof flat_state.last);
        TEST_ASSERT_TRUE(flat_step() >= TC_OK);
        check_flat_told(&was);
        TEST_ASSERT_TRUE(tc_foot2_step(&flat.foot, weight, &body, &info, NULL, 0) >= TC_OK);
        compare(flat_apart(&body), flat_info.contact.waited, info.waited, flat.foot.step, &apart);
        touched += info.count > 0u;
        waits += info.waited > TC_C(0.0);
    }
    TEST_ASSERT_TRUE(touched * 4u > ROUNDS && (waits > 0u || ROUNDS < 1000u));
    TEST_ASSERT_TRUE(apart <= ROUNDS / 1000u + 1u);
}

/* A contact step may add m (g h)^2 to the energy, and 1e-5 J for rounding; no vertex ends below the
 * floor. */
static void test_planar_gains_nothing(void)
{
    test_seed(41202u);
    for (uint32_t round = 0; round < THROWS; round++) {
        draw_flat(round);
        const tc_body2_state body = flat_thrown(TC_C(0.3));
        const double weight = 9.81 * (double)flat.foot.step;
        memset(&flat_state, 0, sizeof flat_state);
        flat_as(&body);
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            const double before = flat_energy();
            TEST_ASSERT_TRUE(flat_step() >= TC_OK);
            TEST_ASSERT_TRUE(flat_energy() - before < weight * weight + 1e-5);
            TEST_ASSERT_TRUE(flat_lowest() > -2e-6);
            TEST_ASSERT_TRUE(flat_info.penetration == TC_C(0.0));
        }
    }
}

/* ---- In space -------------------------------------------------------------------------------- */

#define RATES 7u

static tc_real box[24], space_work[TC_LIMB3_WORK(RATES, 0u) + 2u * TEST_GUARD_WORDS];
static tc_chain3_link links[2];
static tc_limb3 leg;
static tc_limb3_state state;
static tc_limb3_info info;

static void make_leg(const tc_real sides[3], tc_real h)
{
    tc_body3 body = {.mass = TC_C(1.0)};
    tc_learned3_model law = learned3_coulomb_law(&mu);
    law.classify = leg_class;
    memset(links, 0, sizeof links);
    memset(&leg, 0, sizeof leg);
    for (uint32_t k = 0; k < 3u; k++) {
        const tc_real a = sides[(k + 1u) % 3u], b = sides[(k + 2u) % 3u];
        body.inertia[k] = (a * a + b * b) / 12;
        links[0].body.inertia[k] = BASE * body.inertia[k];
        for (uint32_t i = 0; i < 8u; i++) {
            box[3u * i + k] = (i >> k & 1u) != 0u ? TC_C(0.5) * sides[k] : TC_C(-0.5) * sides[k];
        }
    }
    links[0].body.mass = BASE * body.mass;
    links[0].joint = TC_CHAIN_FREE;
    links[1].body = body;
    links[1].axis[2] = links[0].rest[0] = links[1].rest[0] = TC_C(1.0);
    leg.chain.count = 2;
    leg.chain.links = links;
    leg.chain.gravity[2] = TC_C(-9.81);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&leg.foot, &body, h, &law));
    leg.foot.shape.vertices = box;
    leg.foot.shape.count = 8;
    leg.foot.positions = TC_SCHEME_TOC;
    TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&leg));
}

static void draw_leg(uint32_t round)
{
    static const tc_real sides[3][3] = {{TC_C(0.2), TC_C(0.15), TC_C(0.1)},
                                        {TC_C(0.3), TC_C(0.3), TC_C(0.01)},
                                        {TC_C(0.3), TC_C(0.2), TC_C(0.002)}};
    mu = round % 12u < 3u ? 0.0 : (double)test_uniform(TC_C(0.05), TC_C(1.0));
    make_leg(sides[round % 3u], steps[round / 3u % 3u]);
}

/* The base turns with the body. */
static void leg_as(const tc_body3_state *body)
{
    memset(&state, 0, sizeof state);
    memcpy(state.q, body->position, sizeof body->position);
    memcpy(state.q + 3, body->orientation, sizeof body->orientation);
    memcpy(state.qd, body->velocity, sizeof body->velocity);
}

static tc_status leg_step(void)
{
    const uint32_t len = TC_LIMB3_WORK(RATES, 0u);
    tc_real *const work = test_guard(space_work, len);
    asked = 0;
    const tc_status status = tc_limb3_step(&leg, NULL, &state, &info, work, len);
    test_guard_check(space_work, len);
    return status;
}

static double leg_lowest(void)
{
    static tc_chain3_motion motion;
    double least = HUGE_VAL;
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&leg.chain, state.q, state.qd, &motion));
    const tc_real *const r = motion.link[1].orientation;
    const double w = (double)r[0], x = (double)r[1], y = (double)r[2], z = (double)r[3];
    const double down[3] = {2 * (x * z - w * y), 2 * (y * z + w * x),
                            w * w - x * x - y * y + z * z};
    const double length = w * w + x * x + y * y + z * z;
    for (uint32_t i = 0; i < 8u; i++) {
        const tc_real *const v = box + 3u * i;
        const double arm = down[0] * (double)v[0] + down[1] * (double)v[1] + down[2] * (double)v[2];
        least = fmin(least, (double)(motion.origin[2] + motion.link[1].position[2]) + arm / length);
    }
    return least;
}

static tc_body3_state leg_thrown(tc_real size, tc_real spin)
{
    tc_body3_state body;
    tc_real square;
    do {
        test_fill(body.orientation, 4, TC_C(-1.0), TC_C(1.0));
        square = TC_C(0.0);
        for (uint32_t k = 0; k < 4u; k++) {
            square += body.orientation[k] * body.orientation[k];
        }
    } while (square > TC_C(1.0) || square < TC_C(0.1));
    for (uint32_t k = 0; k < 4u; k++) {
        body.orientation[k] /= tc_sqrt(square);
    }
    body.position[0] = body.position[1] = TC_C(0.0);
    body.position[2] = size * test_uniform(TC_C(0.9), TC_C(1.4));
    test_fill(body.velocity, 3, TC_C(-2.0), TC_C(2.0));
    test_fill(body.velocity + 3, 3, -spin, spin);
    return body;
}

static tc_body3_state leg_near_the_floor(void)
{
    tc_body3_state body = leg_thrown(TC_C(0.3), TC_C(1.0));
    if (test_below(2)) { /* nearly flat */
        const tc_real x = test_uniform(TC_C(-0.01), TC_C(0.01)),
                      y = test_uniform(TC_C(-0.01), TC_C(0.01));
        body.orientation[0] = tc_sqrt(TC_C(1.0) - x * x - y * y);
        body.orientation[1] = x;
        body.orientation[2] = y;
        body.orientation[3] = TC_C(0.0);
    }
    leg_as(&body);
    body.position[2] += test_uniform(TC_C(-1e-5), TC_C(2e-3)) - (tc_real)leg_lowest();
    return body;
}

/* Less what turning may make different: the body's omega follows its turn to the end of the step,
 * the limb's waits for the next one. */
static double leg_apart(const tc_body3_state *body)
{
    const double arm = 0.1, h = (double)leg.foot.step;
    double off = 0, speed = pow(9.81 * h, 2), spin = 0;
    for (uint32_t k = 0; k < 6u; k++) {
        const double scale = k < 3u ? 1 : arm;
        off += pow(scale * (double)(info.velocity[k] - body->velocity[k]), 2);
        speed += pow(scale * (double)body->velocity[k], 2);
        spin += k < 3u ? 0 : pow((double)body->velocity[k], 2);
    }
    return (sqrt(off) - 0.5 * arm * h * spin) / sqrt(speed);
}

static void check_leg_told(const tc_body3_state *was)
{
    const tc_real whole = links[1].body.mass + links[0].body.mass;
    const tc_real fell = TC_C(9.81) * (leg.foot.step - info.contact.waited);
    TEST_ASSERT_EQUAL(asked, info.contact.contact.classes);
    for (uint32_t k = 0; k < 3u; k++) {
        const tc_real gained = state.qd[k] - was->velocity[k] + (k == 2u ? fell : TC_C(0.0));
        test_near(whole * gained, info.contact.impulse[k], TC_C(3e-5), TC_C(1e-4), "impulse");
        test_near(state.qd[k], info.velocity[k], TC_C(1e-6), TC_C(1e-5), "velocity");
    }
}

static void test_spatial_limb_is_the_body(void)
{
    const tc_real weight[6] = {TC_C(0.0), TC_C(0.0), TC_C(-9.81)};
    uint32_t touched = 0, apart = 0, waits = 0;
    test_seed(41203u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        tc_foot3_info alone;
        draw_leg(round);
        tc_body3_state body = leg_near_the_floor();
        const tc_body3_state was = body;
        leg_as(&body);
        TEST_ASSERT_TRUE(leg_step() >= TC_OK);
        check_leg_told(&was);
        TEST_ASSERT_TRUE(
            tc_foot3_step(&leg.foot, weight, &body, NULL, &alone, space_work, TC_COUNT(space_work))
            >= 0);
        compare(leg_apart(&body), info.contact.waited, alone.waited, leg.foot.step, &apart);
        touched += alone.count > 0u;
        waits += alone.waited > TC_C(0.0);
    }
    TEST_ASSERT_TRUE(touched * 4u > ROUNDS && waits > 0u);
    TEST_ASSERT_TRUE(apart <= ROUNDS / 300u + 2u);
}

/* Kinetic energy of body and base, and their height */
static double leg_energy(void)
{
    static tc_chain3_motion motion;
    TEST_ASSERT_EQUAL(TC_OK, tc_chain3_move(&leg.chain, state.q, state.qd, &motion));
    return (double)tc_chain3_kinetic(&leg.chain, &motion)
           + 9.81 * (1 + (double)BASE) * (double)state.q[2];
}

static void test_spatial_gains_nothing(void)
{
    test_seed(41204u);
    for (uint32_t round = 0; round < THROWS; round++) {
        draw_leg(round);
        const tc_body3_state body = leg_thrown(TC_C(0.3), TC_C(5.0));
        const double weight = 9.81 * (double)leg.foot.step;
        leg_as(&body);
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            const double before = leg_energy();
            TEST_ASSERT_TRUE(leg_step() >= TC_OK);
            const double gain = info.contact.count > 0u ? leg_energy() - before : 0.0;
            TEST_ASSERT_TRUE(gain < weight * weight + 1e-5);
            TEST_ASSERT_TRUE(leg_lowest() > -2e-6);
            TEST_ASSERT_TRUE(info.penetration == TC_C(0.0));
        }
    }
}

/* ---- Paths that bend ------------------------------------------------------------------------- */

#define QUARTER TC_C(1.57079633)

/* A tip at the top of its circle on a heavy slide that can lift it, 10 um above the floor, would be
 * 34 um lower after the step: nothing is touched along the straight way, and yet it has to end on
 * the floor. Catches: a lift that is not prepared where no contact was solved. */
static void test_bent_paths_end_on_the_floor(void)
{
    const tc_real radius = TC_C(0.3), rate = TC_C(3.0), floor = TC_C(-1e-5);
    static const tc_real tip[3];
    mu = 0.5;
    make_flat(TC_C(0.1), TC_C(0.1), TC_C(0.005));
    flat_links[0].joint = TC_CHAIN_PRISMATIC;
    flat_links[0].body.mass = TC_C(100.0);
    flat_links[0].axis[1] = TC_C(1.0);
    flat_links[0].anchor[1] = -radius;
    flat_links[1].arm[0] = radius;
    flat.chain.gravity[1] = TC_C(0.0);
    flat.foot.shape.vertices = tip;
    flat.foot.shape.count = 1;
    flat.foot.plane.offset = floor;
    memset(&flat_state, 0, sizeof flat_state);
    flat_state.q[1] = QUARTER;
    flat_state.qd[1] = rate;
    TEST_ASSERT_EQUAL(TC_OK, tc_limb2_check(&flat));
    TEST_ASSERT_EQUAL(TC_OK, flat_step());
    TEST_ASSERT_EQUAL(0, flat_info.contact.count);
    test_near(floor, flat_state.q[0] + radius * tc_sin(flat_state.q[1]) - radius, TC_C(1.1e-6),
              TC_C(0.0), "height");
    test_near(rate, flat_state.qd[1], TC_C(0.0), TC_C(1e-3), "rate");
    draw_leg(0);
    links[0].joint = TC_CHAIN_PRISMATIC;
    links[0].body.mass = TC_C(100.0);
    links[0].axis[2] = TC_C(1.0);
    links[0].anchor[2] = -radius;
    links[1].axis[1] = TC_C(-1.0);
    links[1].axis[2] = TC_C(0.0);
    links[1].arm[0] = radius;
    leg.chain.gravity[2] = TC_C(0.0);
    leg.foot.step = TC_C(0.005);
    leg.foot.shape.vertices = tip;
    leg.foot.shape.count = 1;
    leg.foot.plane.offset = floor;
    memset(&state, 0, sizeof state);
    state.q[1] = QUARTER;
    state.qd[1] = rate;
    TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&leg));
    TEST_ASSERT_EQUAL(TC_OK, leg_step());
    TEST_ASSERT_EQUAL(0, info.contact.count);
    test_near(floor, state.q[0] + radius * tc_sin(state.q[1]) - radius, TC_C(1.1e-6), TC_C(0.0),
              "height");
    test_near(rate, state.qd[1], TC_C(0.0), TC_C(1e-3), "rate");
}

/* ---- Bits ------------------------------------------------------------------------------------ */

/* A swinging chain */
static void test_planar_toc_bits(void)
{
    const learned2_said slides = learned2_says(TC_LEARNED_DYNAMIC, TC_C(-0.3));
    uint32_t hash = TEST_HASH_START, touched = 0;
    chain_case swing;
    for (uint32_t round = 0; round < 4u; round++) {
        make_flat(TC_C(0.3), TC_C(0.06), TC_C(0.002));
        flat.foot.model = learned2_said_law(&slides);
        chain_case_swing(&swing, 3, TC_C(0.5));
        flat.chain = swing.chain;
        TEST_ASSERT_EQUAL(TC_OK, tc_limb2_check(&flat));
        memset(&flat_state, 0, sizeof flat_state);
        flat_state.q[0] = TC_C(-0.6) - TC_C(0.1) * (tc_real)round;
        for (uint32_t tick = 0; tick < 100u; tick++) {
            TEST_ASSERT_TRUE(flat_step() >= TC_OK);
            hash = test_hash(test_hash(hash, flat_state.q, 3), flat_state.qd, 3);
            touched += flat_info.contact.count > 0u;
        }
    }
    TEST_ASSERT_TRUE(touched >= 20u);
    test_golden("limb2.toc", hash);
}

/* Limbs of each sort, and plates that land nearly flat: they touch twice in a step. */
static void test_spatial_toc_bits(void)
{
    static const uint32_t corners[3] = {1, 2, 4};
    static limb_case limb;
    const learned3_said said = learned3_says(TC_LEARNED_DYNAMIC, TC_C(0.2));
    const tc_learned3_model law = learned3_said_law(&said);
    uint32_t hash = TEST_HASH_START, touched = 0, twice = 0;
    test_seed(41205u);
    for (uint32_t round = 0; round < 12u; round++) {
        const uint32_t floating = round % 5u == 0u;
        limb_case_random(&limb, 1u + round % 4u + floating, (int)floating, corners[round % 3u],
                         TC_C(1.0), TC_C(2.0), &law);
        limb.leg.foot.positions = TC_SCHEME_TOC;
        limb.leg.foot.plane.offset -= TC_C(2e-4);
        for (uint32_t step = 0; step < 10u; step++) {
            TEST_ASSERT_TRUE(limb_case_step(&limb) >= TC_OK);
            hash = test_hash(hash, limb.state.q, limb.n + floating);
            hash = test_hash(hash, limb.state.qd, limb.n);
            touched += limb.info.contact.count > 0u;
        }
    }
    TEST_ASSERT_TRUE(touched >= 20u);
    for (uint32_t round = 0; round < 12u; round++) {
        draw_leg(round);
        leg.foot.model = law;
        const tc_body3_state body = leg_near_the_floor();
        leg_as(&body);
        for (uint32_t step = 0; step < 12u; step++) {
            TEST_ASSERT_TRUE(leg_step() >= TC_OK);
            const tc_learned3_result *const contact = &info.contact.contact;
            const tc_real told[3] = {(tc_real)contact->flags, (tc_real)contact->ratios,
                                     info.contact.waited};
            hash = test_hash(test_hash(hash, state.q, RATES + 1u), state.qd, RATES);
            hash = test_hash(test_hash(hash, told, 3), info.contact.impulse, 6);
            hash = test_hash(hash, &state.warm.impulse[0][0], 3u * state.warm.count);
            twice += contact->normal[0] > TC_C(0.0)
                     && info.contact.impulse[2] > TC_C(1.01) * contact->impulse[2];
        }
    }
    TEST_ASSERT_TRUE(twice >= 5u);
    test_golden("limb3.toc", hash);
}

void suite_limb_toc(void)
{
    RUN_TEST(test_planar_limb_is_the_body);
    RUN_TEST(test_planar_gains_nothing);
    RUN_TEST(test_spatial_limb_is_the_body);
    RUN_TEST(test_spatial_gains_nothing);
    RUN_TEST(test_bent_paths_end_on_the_floor);
    RUN_TEST(test_planar_toc_bits);
    RUN_TEST(test_spatial_toc_bits);
}
