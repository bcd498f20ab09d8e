/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Restitution of limbs, planar and in space. A slide with a hinged rod has an effective mass at the
 * rod's tip that is known in closed form: its rates after a touch are compared with that, in
 * double, at nine phases of a step and in each scheme. Random limbs: rebounds from the kinematics,
 * kinetic energy by the mass matrix, in double.
 */
#include "chain_case.h"
#include "learned2_case.h"
#include "limb3_case.h"

#include <math.h>

#ifdef __arm__
#define ROUNDS 40u
#else
#define ROUNDS TEST_ROUNDS(6000u)
#endif

#define PHASES 9u

static const tc_real restitutions[4] = {TC_C(0.3), TC_C(0.5), TC_C(0.8), TC_C(1.0)};
static const tc_real steps[3] = {TC_C(0.0005), TC_C(0.002), TC_C(0.005)};
static double mu;

/* ---- A slide with a rod ---------------------------------------------------------------------- */

/* Masses, the rod's inertia, its centre of mass and its tip from the hinge */
typedef struct rod {
    tc_real slide, mass, inertia, middle, tip;
    tc_real rate[2];
} rod;

static rod draw_rod(tc_real e)
{
    rod r;
    r.slide = test_uniform(TC_C(0.3), TC_C(3.0));
    r.mass = test_uniform(TC_C(0.3), TC_C(3.0));
    r.inertia = r.mass * test_uniform(TC_C(0.002), TC_C(0.01));
    r.middle = test_uniform(TC_C(0.05), TC_C(0.2));
    r.tip = r.middle + test_uniform(TC_C(0.0), TC_C(0.2));
    do {
        r.rate[0] = test_uniform(TC_C(-2.0), TC_C(1.0));
        r.rate[1] = test_uniform(TC_C(-2.0), TC_C(2.0));
    } while (!(e * (r.rate[0] + r.tip * r.rate[1]) < TC_C(-0.12)));
    return r;
}

/* M = [slide + mass, mass middle; ., inertia + mass middle^2], J = (1, tip), p = -(1 + e) J rate /
 * (J M^-1 J^T). Rates change by M^-1 J^T p. */
static void rates_after(const rod *r, tc_real e, double rate[2])
{
    const double a = (double)r->slide + (double)r->mass, b = (double)r->mass * (double)r->middle;
    const double d = (double)r->inertia + b * (double)r->middle, L = (double)r->tip;
    const double det = a * d - b * b;
    const double y[2] = {(d - b * L) / det, (a * L - b) / det};
    const double u = (double)r->rate[0] + L * (double)r->rate[1];
    const double p = -(1 + (double)e) * u / (y[0] + L * y[1]);
    for (uint32_t k = 0; k < 2u; k++) {
        rate[k] = (double)r->rate[k] + y[k] * p;
    }
}

/* Of the fastest speed there is; angles of h rate at the touch are in it. */
static void check_rates(const rod *r, tc_real e, const tc_real *rate)
{
    double wanted[2];
    rates_after(r, e, wanted);
    const double speed = fabs(wanted[0]) + (double)r->tip * fabs(wanted[1]);
    const double off =
        fabs((double)rate[0] - wanted[0]) + (double)r->tip * fabs((double)rate[1] - wanted[1]);
    TEST_ASSERT_TRUE(off < 0.01 * speed);
    const double u = (double)r->rate[0] + (double)(r->tip * r->rate[1]);
    const double back = (double)rate[0] + (double)(r->tip * rate[1]);
    TEST_ASSERT_TRUE(fabs(back + (double)e * u) < -0.02 * (double)e * u);
}

static tc_real above_floor(const rod *r, tc_real h, uint32_t phase)
{
    const tc_real speed = -(r->rate[0] + r->tip * r->rate[1]);
    return h * speed * ((tc_real)phase + TC_C(0.5)) / (tc_real)PHASES;
}

static void touch_planar(uint32_t phase, tc_scheme positions, tc_real h, tc_real e)
{
    static tc_chain2_link links[2];
    static tc_limb2 limb;
    static tc_limb2_state state;
    static tc_real work[TC_LIMB2_WORK(2u, 0u)];
    const rod r = draw_rod(e);
    const tc_body2 body = {r.mass, r.inertia};
    const tc_real tip[2] = {r.tip - r.middle, TC_C(0.0)};
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    tc_limb2_info info = {0};
    memset(links, 0, sizeof links);
    memset(&limb, 0, sizeof limb);
    memset(&state, 0, sizeof state);
    links[0].body.mass = links[0].body.inertia = r.slide;
    links[0].joint = TC_CHAIN_PRISMATIC;
    links[0].axis[1] = TC_C(1.0);
    links[1].body = body;
    links[1].arm[0] = r.middle;
    limb.chain.count = 2;
    limb.chain.links = links;
    limb.config = tc_limb2_default();
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&limb.foot, &body, h, &law));
    limb.foot.shape.vertices = tip;
    limb.foot.shape.count = 1;
    limb.foot.positions = positions;
    limb.foot.restitution = e;
    TEST_ASSERT_EQUAL(TC_OK, tc_limb2_check(&limb));
    state.q[0] = above_floor(&r, h, phase);
    memcpy(state.qd, r.rate, sizeof r.rate);
    for (uint32_t i = 0; i < 3u && info.contact.count == 0u; i++) {
        TEST_ASSERT_EQUAL(TC_OK, tc_limb2_step(&limb, NULL, &state, &info, work, TC_COUNT(work)));
    }
    check_rates(&r, e, state.qd);
}

static void touch_spatial(uint32_t phase, tc_scheme positions, tc_real h, tc_real e)
{
    static tc_chain3_link links[2];
    static tc_limb3 limb;
    static tc_limb3_state state;
    static tc_limb3_info info;
    static tc_real work[TC_LIMB3_WORK(2u, 0u)];
    const rod r = draw_rod(e);
    const tc_body3 body = {r.mass, {r.inertia, r.inertia, r.inertia}};
    const tc_real tip[3] = {r.tip - r.middle, TC_C(0.0), TC_C(0.0)};
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    memset(links, 0, sizeof links);
    memset(&limb, 0, sizeof limb);
    memset(&state, 0, sizeof state);
    memset(&info, 0, sizeof info);
    links[0].body.mass = r.slide;
    links[0].body.inertia[0] = links[0].body.inertia[1] = links[0].body.inertia[2] = r.slide;
    links[0].joint = TC_CHAIN_PRISMATIC;
    links[0].axis[2] = links[0].rest[0] = links[1].rest[0] = TC_C(1.0);
    links[1].body = body;
    links[1].axis[1] = TC_C(-1.0);
    links[1].arm[0] = r.middle;
    limb.chain.count = 2;
    limb.chain.links = links;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&limb.foot, &body, h, &law));
    limb.foot.shape.vertices = tip;
    limb.foot.shape.count = 1;
    limb.foot.positions = positions;
    limb.foot.restitution = e;
    TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&limb));
    state.q[0] = above_floor(&r, h, phase);
    memcpy(state.qd, r.rate, sizeof r.rate);
    for (uint32_t i = 0; i < 3u && info.contact.count == 0u; i++) {
        TEST_ASSERT_EQUAL(TC_OK, tc_limb3_step(&limb, NULL, &state, &info, work, TC_COUNT(work)));
    }
    check_rates(&r, e, state.qd);
}

/* Catches: gap / h in what restitution asks for, an approach of the last link alone, a rebound that
 * the step's end takes back. */
static void test_limb_rebounds_at_every_phase(void)
{
    test_seed(51401u);
    mu = 0;
    /* One in 5 has each phase, scheme, restitution and step, too. */
    for (uint32_t k = 0; k < 3u * 4u * 3u * PHASES; k += test_sample > 1u ? 5u : 1u) {
        const tc_scheme scheme = (tc_scheme)(k / PHASES % 3u);
        const tc_real e = restitutions[k / PHASES / 3u % 4u], h = steps[k / PHASES / 12u];
        touch_planar(k % PHASES, scheme, h, e);
        touch_spatial(k % PHASES, scheme, h, e);
    }
}

/* ---- Random limbs of the plane --------------------------------------------------------------- */

static chain_case any;
static tc_limb2 own;
static tc_limb2_state at_first, now, without;
static tc_real flat_work[TC_LIMB2_WORK(CHAIN_CASE_DOF, 0u)];
static tc_real flat_mass[CHAIN_CASE_DOF * CHAIN_CASE_DOF];
static const tc_real edge[4] = {TC_C(-0.1), TC_C(-0.03), TC_C(0.12), TC_C(0.02)};

/* A limb in the floor with one vertex of its edge, or both */
static void draw_planar(tc_real e)
{
    const int floating = test_below(3) == 0u;
    const uint32_t count = 1u + test_below(4) + (uint32_t)floating;
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    chain_case_random(&any, count, floating, TC_C(3.0));
    memset(&own, 0, sizeof own);
    memset(&at_first, 0, sizeof at_first);
    mu = test_below(4) == 0u ? 0.0 : (double)test_uniform(TC_C(0.1), TC_C(1.5));
    own.chain = any.chain;
    own.config = tc_limb2_default();
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_foot2_init(&own.foot, &any.links[count - 1u].body, TC_C(0.002), &law));
    own.foot.shape.vertices = edge;
    own.foot.shape.count = 1u + test_below(2);
    own.foot.restitution = e;
    test_fill(at_first.q, any.dof, TC_C(-3.0), TC_C(3.0));
    test_fill(at_first.qd, any.dof, TC_C(-3.0), TC_C(3.0));
    TEST_ASSERT_EQUAL(TC_OK, tc_limb2_check(&own));
    TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&own.chain, at_first.q, at_first.qd, &at_first.motion));
    const tc_chain2_link_motion *const link = &at_first.motion.link[count - 1u];
    own.foot.plane.offset = TC_C(-1e3);
    for (uint32_t i = 0; i < own.foot.shape.count; i++) {
        const tc_real y = link->sine * edge[2u * i] + link->cosine * edge[2u * i + 1u];
        const tc_real height = at_first.motion.origin[1] + link->position[1] + y + TC_C(1e-4);
        own.foot.plane.offset = height > own.foot.plane.offset ? height : own.foot.plane.offset;
    }
}

/* Vertical velocity of vertex i in the pose of before, in double */
static double vertex_speed(uint32_t i, const tc_real *rates)
{
    const tc_chain2_motion *const motion = &at_first.motion;
    const tc_chain2_link_motion *const link = &motion->link[motion->links - 1u];
    const double x = (double)link->position[0] + (double)(link->cosine * edge[2u * i])
                     - (double)(link->sine * edge[2u * i + 1u]);
    double sum = 0;
    for (uint32_t k = 0; k < motion->dof; k++) {
        const tc_chain2_column *const c = &motion->column[k];
        const double each = c->turn != TC_C(0.0) ? x - (double)c->at[0] : (double)c->at[1];
        sum += each * (double)rates[k];
    }
    return sum;
}

static double planar_kinetic(const tc_real *rates)
{
    const uint32_t n = any.dof;
    double sum = 0;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t j = 0; j < n; j++) {
            sum += 0.5 * (double)flat_mass[n * k + j] * (double)rates[k] * (double)rates[j];
        }
    }
    return sum;
}

/* One step with contact and one without; the energy, and what each vertex does */
static void step_planar(tc_real e, uint32_t *bounced, uint32_t *lower)
{
    tc_limb2_info info;
    now = without = at_first;
    const uint32_t len = TC_LIMB2_WORK(any.dof, 0u);
    TEST_ASSERT_TRUE(tc_limb2_step(&own, NULL, &now, &info, flat_work, len) >= TC_OK);
    const uint32_t flags = info.contact.decision.flags;
    TEST_ASSERT_EQUAL(own.foot.shape.count, info.contact.count);
    own.foot.plane.offset = TC_C(-1e3);
    tc_limb2_info none;
    TEST_ASSERT_EQUAL(TC_OK, tc_limb2_step(&own, NULL, &without, &none, flat_work, len));
    tc_chain2_mass_matrix(&own.chain, &at_first.motion, any.chain.count, flat_mass);
    TEST_ASSERT_TRUE(planar_kinetic(now.qd) <= planar_kinetic(without.qd) * (1 + 1e-4) + 1e-6);
    double fastest = 0;
    for (uint32_t i = 0; i < info.contact.count; i++) {
        fastest = fmax(fastest, fabs(vertex_speed(i, without.qd)));
    }
    for (uint32_t i = 0; i < info.contact.count; i++) {
        const double u = vertex_speed(i, without.qd), after = vertex_speed(i, now.qd);
        const double least = (double)e * u < -0.101 ? -(double)e * u : 0;
        TEST_ASSERT_TRUE(info.contact.normal[i] >= TC_C(0.0) && after > -2e-3 * fastest - 1e-5);
        if ((flags & (uint32_t)(TC_LEARNED_CLAMPED | TC_LEARNED_FALLBACK)) == 0u
            || info.contact.count == 1u) {
            TEST_ASSERT_TRUE(after > least - 2e-3 * fastest - 1e-5);
            *bounced += least > 0;
        } else {
            *lower += after < 0.9 * least;
        }
    }
}

/* Catches: rebounds of a double pendulum that friction makes faster than it was (Kane), rebounds
 * with the wrong inertia, a rebound that is lower though no energy forbids it. */
static void test_planar_rebounds_create_no_energy(void)
{
    uint32_t bounced = 0, lower = 0;
    test_seed(51402u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const tc_real e = round % 4u == 0u ? TC_C(1.0) : test_uniform(TC_C(0.1), TC_C(1.0));
        draw_planar(e);
        step_planar(e, &bounced, &lower);
    }
    TEST_ASSERT_TRUE(bounced * 5u > ROUNDS && (lower > 0u || ROUNDS < 1000u));
}

/* ---- Random limbs in space ------------------------------------------------------------------- */

static limb_case a;
static limb_double truth;

/* A point: e times its approach, as the mass matrix in double has it */
static void check_spatial_point(tc_real e, uint32_t *bounced)
{
    double before[3], after[3], rates[LIMB_CASE_DOF];
    for (uint32_t k = 0; k < a.n; k++) {
        rates[k] = (double)a.state.qd[k];
    }
    limb_double_at(&truth, 0, truth.free, before);
    limb_double_at(&truth, 0, rates, after);
    if ((double)e * before[2] < -0.101) {
        ++*bounced;
        TEST_ASSERT_TRUE(fabs(after[2] + (double)e * before[2]) < -2e-3 * before[2]);
    }
}

/* Catches: what friction and rebound of an edge or a face create, answers that are not told. */
static void test_spatial_rebounds_create_no_energy(void)
{
    static const uint32_t corners[3] = {1, 2, 4};
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    uint32_t bounced = 0;
    test_seed(51403u);
    for (uint32_t round = 0; round < LIMB_CASE_ROUNDS(1500u); round++) {
        const tc_real e = round % 4u == 0u ? TC_C(1.0) : test_uniform(TC_C(0.1), TC_C(1.0));
        const int floating = test_below(3) == 0u;
        const uint32_t some = corners[round % 3u];
        mu = round % 2u == 0u ? 0.0 : (double)test_uniform(TC_C(0.1), TC_C(1.5));
        limb_case_random(&a, 1u + test_below(4) + (uint32_t)floating, floating, some, TC_C(2.0),
                         TC_C(2.0), test_below(4) == 0u ? &limb_case_fickle : &law);
        a.leg.foot.restitution = e;
        TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&a.leg));
        TEST_ASSERT_TRUE(limb_case_step(&a) >= TC_OK);
        limb_double_make(&a, &truth);
        limb_case_keeps_out(&a, &truth, limb_case_text(round));
        if (some == 1u && a.leg.foot.model.classify == law.classify) {
            check_spatial_point(e, &bounced);
        }
    }
    TEST_ASSERT_TRUE(bounced > 0u);
}

void suite_limb_bounce(void)
{
    RUN_TEST(test_limb_rebounds_at_every_phase);
    RUN_TEST(test_planar_rebounds_create_no_energy);
    RUN_TEST(test_spatial_rebounds_create_no_energy);
}
