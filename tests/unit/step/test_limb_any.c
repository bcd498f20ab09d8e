/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Limbs of any build, planar and spatial: a step of finite, valid input ends in a result, whatever
 * the limb, the pose, the step and the law. What is beyond the limits of tc_chain2.h is refused,
 * and nothing that is not finite comes out.
 *
 * Masses 1e4 : 1 along the limb, lengths 100 : 1, feet from needles to plates, links all but
 * straight, 0.25 to 10 ms.
 */
#include "test.h"

#include "tc_chain_core.h"
#include "tc_limb2.h"
#include "tc_limb3.h"

#include <math.h>

#if defined(__arm__)
#define LIMBS 12u
#define STEPS 6u
#else
#define LIMBS TEST_ROUNDS(2000u)
#define STEPS 30u
#endif

#define LIMB2_LEN TC_LIMB2_WORK(TC_CHAIN2_DOF, 0u)
#define LIMB3_LEN TC_LIMB3_WORK(TC_CHAIN3_DOF, 0u)

/* How a limb is drawn */
typedef struct build {
    uint32_t links;
    int floating, straight;
    tc_real step, mass, length, spread;
} build;

static tc_real work[LIMB3_LEN];
static tc_real torque[TC_CHAIN3_DOF];
static build drawn;
static int touches; /* limbs are drawn with scheme toc */

/* Evenly in the logarithm, powers of ten */
static tc_real decades(tc_real low, tc_real high)
{
    return (tc_real)pow(10.0, (double)test_uniform(low, high));
}

static void draw_build(void)
{
    static const tc_real steps[6] = {TC_C(2.5e-4), TC_C(5e-4), TC_C(1e-3),
                                     TC_C(2e-3),   TC_C(5e-3), TC_C(1e-2)};
    drawn.floating = test_below(4) == 0u;
    drawn.links = 1u + test_below(6) + (uint32_t)drawn.floating;
    drawn.straight = test_below(3) == 0u;
    drawn.step = steps[test_below(6)];
    drawn.mass = decades(TC_C(-1.0), TC_C(1.0));
    drawn.length = decades(TC_C(-1.0), TC_C(0.3));
    drawn.spread = test_below(2) ? TC_C(2.0) : TC_C(1.0);
}

static void draw_state(tc_real *q, uint32_t coordinates, tc_real *qd, uint32_t n)
{
    const tc_real speed = decades(TC_C(-2.0), TC_C(1.0));
    const tc_real push = decades(TC_C(-2.0), TC_C(1.0)) * drawn.mass * drawn.length;
    test_fill(q, coordinates, TC_C(-3.0), TC_C(3.0));
    for (uint32_t k = 0; k < coordinates && drawn.straight; ++k) {
        q[k] *= decades(TC_C(-7.0), TC_C(-1.0));
    }
    test_fill(qd, n, -speed, speed);
    test_fill(torque, n, -push, push);
}

static void unit(tc_real *x, uint32_t n)
{
    tc_real square;
    do {
        square = TC_C(0.0);
        test_fill(x, n, TC_C(-1.0), TC_C(1.0));
        for (uint32_t k = 0; k < n; ++k) {
            square += x[k] * x[k];
        }
    } while (square > TC_C(1.0) || square < TC_C(0.1));
    for (uint32_t k = 0; k < n; ++k) {
        x[k] /= tc_sqrt(square);
    }
}

/* ---- Laws ------------------------------------------------------------------------------------ */

enum { COULOMB, SMOOTH, NONSENSE, LAWS };

static uint32_t law_kind;
static double mu;

/* Something bounded that changes with u, as a net's answer does */
static tc_real smooth(tc_real u, tc_real scale)
{
    const tc_real x = u * scale;
    return x / (TC_C(1.0) + (x < TC_C(0.0) ? -x : x));
}

static void say(tc_real *probability, int leaves, int sticks, tc_real u)
{
    const uint32_t truth = leaves   ? TC_LEARNED_DETACH
                           : sticks ? TC_LEARNED_STATIC
                                    : TC_LEARNED_DYNAMIC;
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real fits = smooth(u, TC_C(4.0) - TC_C(3.0) * (tc_real)k);
        probability[k] = law_kind == COULOMB ? (tc_real)(k == truth) : fits;
        if (law_kind == NONSENSE) {
            probability[k] =
                test_below(9) == 0u ? (tc_real)NAN : test_uniform(TC_C(-1.0), TC_C(1.0));
        }
    }
}

static tc_real nonsense(void)
{
    const tc_real wild[8] = {(tc_real)NAN, (tc_real)INFINITY, TC_C(-1e30), TC_C(1e6),
                             TC_C(0.0),    TC_C(-0.7),        TC_C(30.0),  TC_C(1e-9)};
    const uint32_t pick = test_below(16);
    return pick < 8u ? wild[pick] : test_uniform(TC_C(-2.0), TC_C(2.0));
}

/* The answer number refuse_at since `answers` was 0 is an error. */
static uint32_t answers, refuse_at = UINT32_MAX;

static tc_status answered(tc_status status)
{
    return answers++ == refuse_at ? TC_ERR_UNSUPPORTED : status;
}

static tc_status limb2_class(const void *context, const tc_learned2_query *query,
                             tc_real *probability, tc_real *law_work)
{
    const tc_real *const stop = query->stops.stop;
    const int leaves =
        query->space.approach[0] >= TC_C(0.0) && query->space.approach[1] >= TC_C(0.0);
    const int sticks = fabs((double)stop[0]) <= mu * (double)(stop[1] + stop[2]);
    (void)context;
    (void)law_work;
    say(probability, leaves, sticks, query->space.slip);
    return answered(TC_OK);
}

static tc_status limb2_ratio(const void *context, const tc_learned2_query *query, tc_real *ratio,
                             tc_real *law_work)
{
    (void)context;
    (void)law_work;
    *ratio = query->stops.arrest[0] < TC_C(0.0) ? (tc_real)-mu : (tc_real)mu;
    *ratio += law_kind == SMOOTH ? smooth(query->space.slip, TC_C(0.3)) : TC_C(0.0);
    *ratio = law_kind == NONSENSE ? nonsense() : *ratio;
    return answered(TC_OK);
}

static tc_status limb3_observe(const void *context, const tc_learned3_query *query,
                               tc_real *law_work)
{
    (void)context;
    (void)query;
    (void)law_work;
    return answered(law_kind == NONSENSE && test_below(8) == 0u ? TC_NOTE_RANGE : TC_OK);
}

static tc_status limb3_class(const void *context, const tc_learned3_query *query,
                             tc_real *probability, tc_real *law_work)
{
    const int sticks = (double)query->tangential <= mu * (double)query->stop[2];
    (void)context;
    (void)law_work;
    say(probability, query->u[2] >= TC_C(0.0), sticks, query->u[0]);
    return answered(TC_OK);
}

static tc_status limb3_ratio(const void *context, const tc_learned3_query *query, tc_real *ratio,
                             tc_real *law_work)
{
    (void)context;
    (void)law_work;
    ratio[0] = law_kind == NONSENSE ? nonsense() : (tc_real)mu;
    ratio[1] = law_kind == SMOOTH ? smooth(query->u[1], TC_C(0.3)) : TC_C(0.0);
    ratio[1] = law_kind == NONSENSE ? nonsense() : ratio[1];
    return answered(TC_OK);
}

static const tc_learned2_model limb2_law = {limb2_class, limb2_ratio, NULL, 0};
static const tc_learned3_model limb3_law = {limb3_observe, limb3_class, limb3_ratio, NULL, 0};

static void draw_law(void)
{
    law_kind = test_below(LAWS);
    mu = (double)test_uniform(TC_C(0.05), TC_C(1.5));
}

/* ---- Planar limbs ---------------------------------------------------------------------------- */

static tc_chain2_link flat_links[TC_CHAIN_MAX];
static tc_limb2 flat;
static tc_limb2_state flat_state;
static tc_limb2_info flat_info;
static tc_real flat_box[8];

static void flat_link(tc_chain2_link *link, tc_real length, tc_real width)
{
    const tc_real angle = test_uniform(TC_C(-3.0), TC_C(3.0));
    memset(link, 0, sizeof *link);
    link->body.mass = drawn.mass * decades(-drawn.spread, drawn.spread);
    link->body.inertia = link->body.mass * (length * length + width * width) / TC_C(3.0);
    link->joint = test_below(4) == 0u ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE;
    test_fill(link->anchor, 2, -length, length);
    test_fill(link->arm, 2, -length, length);
    if (drawn.straight) {
        link->anchor[0] = link->arm[0] = length;
        link->anchor[1] = link->arm[1] = TC_C(0.0);
    }
    link->axis[0] = tc_cos(angle);
    link->axis[1] = tc_sin(angle);
}

/* The plane's normal at `angle` from the foot's axes, the foot a little in the plane */
static void flat_touch(tc_real angle)
{
    tc_chain2_motion *const motion = &flat_state.motion;
    TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&flat.chain, flat_state.q, flat_state.qd, motion));
    const tc_chain2_link_motion *const link = &motion->link[flat.chain.count - 1u];
    tc_plane2 *const plane = &flat.foot.plane;
    tc_real lowest = TC_C(1e9);
    plane->normal[0] = tc_cos(link->position[2] + angle);
    plane->normal[1] = tc_sin(link->position[2] + angle);
    for (uint32_t i = 0; i < 4u; ++i) {
        const tc_real *const v = flat_box + 2u * i;
        const tc_real x = link->position[0] + link->cosine * v[0] - link->sine * v[1];
        const tc_real y = link->position[1] + link->sine * v[0] + link->cosine * v[1];
        const tc_real height = plane->normal[0] * x + plane->normal[1] * y;
        lowest = height < lowest ? height : lowest;
    }
    plane->offset = lowest + decades(TC_C(-6.0), TC_C(-3.0))
                    + plane->normal[0] * flat_state.motion.origin[0]
                    + plane->normal[1] * flat_state.motion.origin[1];
}

static void draw_flat(void)
{
    draw_build();
    const tc_real size = TC_C(0.15) * drawn.length, thin = size * decades(TC_C(-2.0), TC_C(0.0));
    const int tall = (int)test_below(2);
    const tc_real x = tall ? thin : size, y = tall ? size : thin;
    const tc_real box[8] = {-x, -y, x, -y, x, y, -x, y};
    const uint32_t last = drawn.links - 1u;
    memcpy(flat_box, box, sizeof flat_box);
    memset(&flat, 0, sizeof flat);
    memset(&flat_state, 0, sizeof flat_state);
    for (uint32_t i = 0; i < drawn.links; ++i) {
        const tc_real length = TC_C(0.2) * drawn.length * decades(TC_C(-1.0), TC_C(1.0));
        flat_link(&flat_links[i], length, length * decades(TC_C(-2.0), TC_C(0.0)));
    }
    flat_links[last].body.inertia = flat_links[last].body.mass * (x * x + y * y) / TC_C(3.0);
    flat_links[0].joint = drawn.floating ? TC_CHAIN_FREE : flat_links[0].joint;
    flat.chain.count = drawn.links;
    flat.chain.links = flat_links;
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_foot2_init(&flat.foot, &flat_links[last].body, drawn.step, &limb2_law));
    flat.foot.shape.vertices = flat_box;
    flat.foot.shape.count = 4;
    flat.foot.positions = test_below(2) ? TC_SCHEME_DART : TC_SCHEME_GAP;
    flat.foot.positions = touches ? TC_SCHEME_TOC : flat.foot.positions;
    flat.config = test_below(6) == 0u ? tc_limb2_default_published() : tc_limb2_default();
    const uint32_t n = tc_chain2_dof(&flat.chain, drawn.links);
    draw_state(flat_state.q, n, flat_state.qd, n);
    const tc_real quarter = TC_C(1.57079633) * (tc_real)test_below(4);
    flat_touch(test_below(2) ? test_uniform(TC_C(-3.1), TC_C(3.1)) : quarter);
    for (uint32_t k = 0; k < 2u; ++k) {
        flat.chain.gravity[k] = TC_C(-9.81) * flat.foot.plane.normal[k];
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_limb2_check(&flat));
}

static int flat_finite(void)
{
    const tc_foot2_info *const contact = &flat_info.contact;
    const tc_real numbers[9] = {contact->friction,     contact->normal[0], contact->normal[1],
                                contact->torque,       flat_info.residual, flat_info.violation,
                                flat_info.penetration, flat_info.joint[0], flat_info.joint[1]};
    const uint32_t n = tc_chain2_dof(&flat.chain, flat.chain.count);
    return tc_all_finite(numbers, 9) && tc_all_finite(flat_state.q, n)
           && tc_all_finite(flat_state.qd, n);
}

static tc_status flat_step(void)
{
    return tc_limb2_step(&flat, torque, &flat_state, &flat_info, work, LIMB2_LEN);
}

/* How far the n joints went beside h times their rates, and what rounding may add */
static void check_lift(const tc_real *before, const tc_real *after, const tc_real *rates,
                       uint32_t n, tc_real most)
{
    for (uint32_t k = 0; k < n; ++k) {
        const tc_real moved = after[k] - before[k], swept = drawn.step * rates[k];
        test_near(swept, moved, most + TC_C(1e-5) + TC_C(1e-6) * (tc_real)fabs((double)after[k]),
                  TC_C(1e-5), "lift");
    }
}

/* Catches: a law that is asked beyond its limits, a mass matrix singular to rounding, an overflow.
 * Of 2000 limbs about 20 had no result. */
static void test_any_limb2(void)
{
    test_seed(11101u);
    for (uint32_t round = 0; round < LIMBS; ++round) {
        draw_law();
        draw_flat();
        for (uint32_t step = 0; step < STEPS; ++step) {
            tc_real before[TC_CHAIN2_DOF];
            memcpy(before, flat_state.q, sizeof before);
            const tc_status status = flat_step();
            const uint32_t n = tc_chain2_dof(&flat.chain, flat.chain.count);
            check_lift(before, flat_state.q, flat_state.qd, n, TC_CHAIN_LIFT_MAX);
            TEST_ASSERT_TRUE(status >= TC_OK);
            TEST_ASSERT_TRUE(flat_finite());
            TEST_ASSERT_EQUAL(status == TC_NOTE_FALLBACK,
                              (flat_info.contact.decision.flags & (uint32_t)TC_LEARNED_FALLBACK)
                                  != 0u);
        }
    }
}

/* ---- Contacts of scheme gap ------------------------------------------------------------------ */

/* How far below the plane the lowest vertex of the foot that is no contact would be after h, if all
 * of it moved on straight, in double; one that is below counts as on it. *fast: what moves at
 * most */
static double ends_below(const tc_chain2_motion *motion, double *fast)
{
    const tc_chain2_link_motion *const link = &motion->link[motion->links - 1u];
    const tc_plane2 *const plane = &flat.foot.plane;
    const tc_foot2_info *const contact = &flat_info.contact;
    const double nx = (double)plane->normal[0], ny = (double)plane->normal[1],
                 h = (double)drawn.step;
    const double along = nx * (double)link->velocity[0] + ny * (double)link->velocity[1];
    const double up = nx * (double)(link->position[0] + motion->origin[0])
                      + ny * (double)(link->position[1] + motion->origin[1])
                      - (double)plane->offset;
    double deepest = 0;
    *fast = hypot((double)link->velocity[0], (double)link->velocity[1]);
    for (uint32_t i = 0; i < 4u; ++i) {
        const double vx = (double)flat_box[2u * i], vy = (double)flat_box[2u * i + 1u];
        const double x = (double)link->cosine * vx - (double)link->sine * vy;
        const double y = (double)link->sine * vx + (double)link->cosine * vy;
        const double turn = (double)link->velocity[2] * (ny * x - nx * y);
        if (i != contact->vertex[0] && i != contact->vertex[contact->count - 1u]) {
            deepest = fmax(deepest, -fmax(up + nx * x + ny * y, 0) - h * (along + turn));
        }
        *fast = fmax(*fast, fabs(turn));
    }
    return deepest;
}

static double kinetic_of(const tc_real *q, const tc_real *rates)
{
    tc_chain2_motion *const motion = &flat_state.motion;
    TEST_ASSERT_EQUAL(TC_OK, tc_chain2_move(&flat.chain, q, rates, motion));
    return (double)tc_chain2_kinetic(&flat.chain, motion);
}

/* No vertex of a foot goes below the plane beside its contacts, as they see it, and they make no
 * energy, also of a foot that is in the plane. Catches: the upper vertices of a thin foot taken for
 * its contacts, a vertex that the contacts turn down, depth / h as a speed. */
static void test_gap_leaves_no_vertex_below(void)
{
    uint32_t touched = 0;
    test_seed(11107u);
    for (uint32_t round = 0; round < LIMBS; ++round) {
        draw_law();
        do {
            draw_flat();
        } while (drawn.spread > TC_C(1.0)
                 || drawn.straight); /* or rates are not to be had to 1e-3 */
        flat.foot.positions = TC_SCHEME_GAP;
        flat.config = tc_limb2_default();
        const tc_limb2_state begin = flat_state;
        const tc_real offset = flat.foot.plane.offset;
        flat.foot.plane.offset = TC_C(-1e6);
        TEST_ASSERT_TRUE(flat_step() >= TC_OK);
        flat.foot.plane.offset = offset;
        const double most = kinetic_of(begin.q, flat_state.qd);
        flat_state = begin;
        const tc_status status = flat_step();
        if (status == TC_NOTE_FALLBACK || flat_info.contact.count == 0u) {
            continue;
        }
        const double after = kinetic_of(begin.q, flat_state.qd);
        double fast;
        const double below = ends_below(&flat_state.motion, &fast);
        TEST_ASSERT_TRUE(below
                         <= 3e-6 * (1.0 + (double)drawn.length) + 1e-3 * (double)drawn.step * fast);
        TEST_ASSERT_TRUE(after <= most * (1 + 1e-3) + 1e-9);
        ++touched;
    }
    TEST_ASSERT_TRUE(touched * 4u > LIMBS);
}

/* ---- Spatial limbs --------------------------------------------------------------------------- */

static tc_chain3_link links[TC_CHAIN_MAX];
static tc_limb3 leg;
static tc_limb3_state state;
static tc_limb3_info info;
static tc_real box[24], half[3];

static void space_link(tc_chain3_link *link, tc_real length)
{
    const tc_real width = length * decades(TC_C(-2.0), TC_C(0.0));
    memset(link, 0, sizeof *link);
    link->body.mass = drawn.mass * decades(-drawn.spread, drawn.spread);
    link->body.inertia[0] = link->body.mass * width * width;
    link->body.inertia[1] = link->body.mass * (length * length + width * width) / TC_C(3.0);
    link->body.inertia[2] = link->body.inertia[1];
    link->joint = test_below(4) == 0u ? TC_CHAIN_PRISMATIC : TC_CHAIN_REVOLUTE;
    test_fill(link->anchor, 3, -length, length);
    test_fill(link->arm, 3, -length, length);
    unit(link->axis, 3);
    unit(link->rest, 4);
    if (drawn.straight) {
        const tc_real along[3] = {length, TC_C(0.0), TC_C(0.0)}, same[4] = {TC_C(1.0)};
        memcpy(link->anchor, along, sizeof along);
        memcpy(link->arm, along, sizeof along);
        memcpy(link->rest, same, sizeof same);
    }
}

/* A needle, a plate, a box */
static void draw_foot(tc_body3 *body)
{
    const tc_real side = TC_C(0.15) * drawn.length;
    const uint32_t kind = test_below(3), turned = test_below(3);
    tc_real size[3] = {side, side * TC_C(0.75), side * TC_C(0.5)};
    size[2] = kind < 2u ? side * decades(TC_C(-2.0), TC_C(-1.0)) : size[2];
    size[1] = kind == 0u ? size[2] : size[1];
    for (uint32_t k = 0; k < 3u; ++k) {
        half[k] = size[(k + turned) % 3u];
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real x = half[(k + 1u) % 3u], y = half[(k + 2u) % 3u];
        body->inertia[k] = body->mass * (x * x + y * y) / TC_C(3.0);
    }
    for (uint32_t i = 0; i < 24u; ++i) {
        box[i] = (i / 3u >> (i % 3u) & 1u) != 0u ? half[i % 3u] : -half[i % 3u];
    }
}

/* The plane under a corner, an edge or a face of the foot */
static void space_touch(void)
{
    TEST_ASSERT_TRUE(tc_chain3_move(&leg.chain, state.q, state.qd, &state.motion) >= TC_OK);
    const tc_chain3_link_motion *const link = &state.motion.link[leg.chain.count - 1u];
    tc_plane3 *const plane = &leg.foot.plane;
    const tc_real *const q = link->orientation;
    tc_real down[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, lowest = TC_C(0.0);
    const uint32_t corners = test_below(3), axis = test_below(3);
    down[axis] = TC_C(1.0);
    if (corners == 0u) {
        unit(down, 3);
    } else if (corners == 1u) {
        const tc_real angle = test_uniform(TC_C(0.2), TC_C(1.3));
        down[axis] = tc_cos(angle);
        down[(axis + 1u) % 3u] = tc_sin(angle);
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        lowest += half[k] * (down[k] < TC_C(0.0) ? -down[k] : down[k]);
    }
    plane->offset = decades(TC_C(-6.0), TC_C(-3.0)) - lowest;
    for (uint32_t k = 0; k < 3u; ++k) { /* normal = -R down, written out */
        const uint32_t a = (k + 1u) % 3u, b = (k + 2u) % 3u;
        const tc_real self =
            TC_C(1.0) - TC_C(2.0) * (q[1u + a] * q[1u + a] + q[1u + b] * q[1u + b]);
        const tc_real to_a = TC_C(2.0) * (q[1u + k] * q[1u + a] - q[0] * q[1u + b]);
        const tc_real to_b = TC_C(2.0) * (q[1u + k] * q[1u + b] + q[0] * q[1u + a]);
        plane->normal[k] = -(self * down[k] + to_a * down[a] + to_b * down[b]);
        plane->offset += plane->normal[k] * (link->position[k] + state.motion.origin[k]);
    }
}

static void draw_space(void)
{
    draw_build();
    const uint32_t last = drawn.links - 1u;
    memset(&leg, 0, sizeof leg);
    memset(&state, 0, sizeof state);
    for (uint32_t i = 0; i < drawn.links; ++i) {
        space_link(&links[i], TC_C(0.2) * drawn.length * decades(TC_C(-1.0), TC_C(1.0)));
    }
    draw_foot(&links[last].body);
    links[0].joint = drawn.floating ? TC_CHAIN_FREE : links[0].joint;
    leg.chain.count = drawn.links;
    leg.chain.links = links;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&leg.foot, &links[last].body, drawn.step, &limb3_law));
    leg.foot.shape.vertices = box;
    leg.foot.shape.count = 8;
    leg.foot.positions = test_below(2) ? TC_SCHEME_DART : TC_SCHEME_GAP;
    leg.foot.positions = touches ? TC_SCHEME_TOC : leg.foot.positions;
    const uint32_t n = tc_chain3_dof(&leg.chain, drawn.links);
    draw_state(state.q, n + (uint32_t)drawn.floating, state.qd, n);
    if (drawn.floating) {
        unit(state.q + 3, 4);
    }
    space_touch();
    for (uint32_t k = 0; k < 3u; ++k) {
        leg.chain.gravity[k] = TC_C(-9.81) * leg.foot.plane.normal[k];
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_limb3_check(&leg));
}

static int space_finite(void)
{
    const tc_learned3_result *const result = &info.contact.contact;
    const uint32_t n = tc_chain3_dof(&leg.chain, leg.chain.count);
    return tc_all_finite(state.q, n + (uint32_t)(leg.chain.links[0].joint == TC_CHAIN_FREE))
           && tc_all_finite(state.qd, n) && tc_all_finite(info.velocity, 6)
           && tc_all_finite(&info.penetration, 1) && tc_all_finite(info.contact.impulse, 6)
           && tc_all_finite(result->friction, 3) && tc_all_finite(result->normal, TC_PATCH_MAX)
           && tc_all_finite(result->impulse, 6) && tc_all_finite(result->velocity, 6);
}

static tc_status space_step(void)
{
    return tc_limb3_step(&leg, torque, &state, &info, work, LIMB3_LEN);
}

/* Catches: the same, and normals or a push-out that nothing certifies. Of 2000 limbs about 140 had
 * no result. */
static void test_any_limb3(void)
{
    test_seed(11102u);
    for (uint32_t round = 0; round < LIMBS; ++round) {
        draw_law();
        draw_space();
        const uint32_t root = drawn.floating ? 6u : 0u, root_q = drawn.floating ? 7u : 0u;
        for (uint32_t step = 0; step < STEPS; ++step) {
            tc_real before[TC_CHAIN3_DOF + 1u];
            memcpy(before, state.q, sizeof before);
            const tc_status status = space_step();
            const uint32_t n = tc_chain3_dof(&leg.chain, leg.chain.count) - root;
            check_lift(before + root_q, state.q + root_q, state.qd + root, n,
                       TC_C(2.0) * TC_CHAIN_LIFT_MAX);
            TEST_ASSERT_TRUE(status >= TC_OK);
            TEST_ASSERT_TRUE(space_finite());
            TEST_ASSERT_EQUAL(status == TC_NOTE_FALLBACK,
                              (info.contact.contact.flags & (uint32_t)TC_LEARNED_FALLBACK) != 0u);
        }
    }
}

/* ---- Errors of the law ----------------------------------------------------------------------- */

static void limb2_refusals(uint32_t *late)
{
    const tc_limb2_state start = flat_state;
    answers = 0;
    TEST_ASSERT_TRUE(flat_step() >= TC_OK);
    const uint32_t asked = answers;
    *late += asked > 2u;
    for (refuse_at = 0; refuse_at < asked; ++refuse_at) {
        flat_state = start;
        answers = 0;
        const tc_status status = flat_step();
        if (status >= TC_OK && flat.config.solver == TC_LIMB2_POWELL) {
            continue; /* a trial without an answer is one that is not taken */
        }
        TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, status);
        TEST_ASSERT_EQUAL_MEMORY(start.q, flat_state.q, sizeof start.q);
        TEST_ASSERT_EQUAL_MEMORY(start.qd, flat_state.qd, sizeof start.qd);
        TEST_ASSERT_EQUAL_MEMORY(&start.last, &flat_state.last, sizeof start.last);
    }
    refuse_at = UINT32_MAX;
}

static void limb3_refusals(uint32_t *late)
{
    const tc_limb3_state start = state;
    answers = 0;
    TEST_ASSERT_TRUE(space_step() >= TC_OK);
    const uint32_t asked = answers;
    *late += asked > 2u;
    for (refuse_at = 0; refuse_at < asked; ++refuse_at) {
        state = start;
        answers = 0;
        TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, space_step());
        TEST_ASSERT_EQUAL_MEMORY(start.q, state.q, sizeof start.q);
        TEST_ASSERT_EQUAL_MEMORY(start.qd, state.qd, sizeof start.qd);
        TEST_ASSERT_EQUAL_MEMORY(&start.warm, &state.warm, sizeof start.warm);
    }
    refuse_at = UINT32_MAX;
}

/* A law that refuses any one of a step's questions, the last too: nothing has happened. Catches:
 * what the next step begins with, kept from a step that failed. */
static void refuse_any_answer(uint32_t seed)
{
    uint32_t late[2] = {0, 0};
    test_seed(seed);
    for (uint32_t round = 0; round < LIMBS / 4u; ++round) {
        do {
            draw_law();
        } while (law_kind == NONSENSE); /* says something else when asked again */
        draw_flat();
        draw_space();
        (void)flat_step();
        (void)space_step();
        limb2_refusals(&late[0]);
        limb3_refusals(&late[1]);
    }
    TEST_ASSERT_TRUE(late[0] > 0u && late[1] > 0u);
}

static void test_errors_leave_all_as_it_was(void)
{
    refuse_any_answer(11107u);
}

/* ---- Scheme toc ------------------------------------------------------------------------------ */

/* Catches: what a limb that is slowed down at a touch is told with, an inertia that a touch leaves
 * singular. */
static void test_any_limb_touches(void)
{
    uint32_t waits[2] = {0, 0};
    touches = 1;
    test_seed(11108u);
    for (uint32_t round = 0; round < LIMBS; ++round) {
        draw_law();
        draw_flat();
        draw_space();
        for (uint32_t step = 0; step < STEPS; ++step) {
            const tc_status status = flat_step(), solid = space_step();
            const uint32_t flags = flat_info.contact.decision.flags,
                           solid_flags = info.contact.contact.flags;
            TEST_ASSERT_TRUE(status >= TC_OK && flat_finite());
            TEST_ASSERT_EQUAL(status == TC_NOTE_FALLBACK,
                              (flags & (uint32_t)TC_LEARNED_FALLBACK) != 0u);
            TEST_ASSERT_TRUE(solid >= TC_OK && space_finite());
            TEST_ASSERT_EQUAL(solid == TC_NOTE_FALLBACK,
                              (solid_flags & (uint32_t)TC_LEARNED_FALLBACK) != 0u);
            const tc_real waited[2] = {flat_info.contact.waited / flat.foot.step,
                                       info.contact.waited / leg.foot.step};
            for (uint32_t k = 0; k < 2u; ++k) {
                TEST_ASSERT_TRUE(waited[k] >= TC_C(0.0) && waited[k] < TC_C(1.0));
                waits[k] += waited[k] > TC_C(0.0);
            }
        }
    }
    touches = 0;
    TEST_ASSERT_TRUE((waits[0] > 0u && waits[1] > 0u) || LIMBS < 2000u);
}

/* The second touch's too. */
static void test_errors_at_a_touch(void)
{
    touches = 1;
    refuse_any_answer(11109u);
    touches = 0;
}

/* What does not reach the floor moves as with scheme dart, to the bit. */
static void test_nothing_touched(void)
{
    touches = 1;
    test_seed(11110u);
    for (uint32_t round = 0; round < LIMBS; ++round) {
        draw_law();
        draw_flat();
        draw_space();
        flat.foot.plane.offset = leg.foot.plane.offset = TC_C(-1e6);
        flat_state.last.count = 2;
        state.warm.count = 2;
        const tc_limb2_state flat_start = flat_state;
        const tc_limb3_state start = state;
        const tc_status status = flat_step(), solid = space_step();
        const tc_limb2_state flat_end = flat_state;
        const tc_limb3_state end = state;
        TEST_ASSERT_EQUAL(0, flat_end.last.count + end.warm.count);
        TEST_ASSERT_TRUE(flat_info.contact.waited == TC_C(0.0) && info.contact.waited == TC_C(0.0));
        flat.foot.positions = leg.foot.positions = TC_SCHEME_DART;
        flat_state = flat_start;
        state = start;
        TEST_ASSERT_EQUAL(status, flat_step());
        TEST_ASSERT_EQUAL(solid, space_step());
        TEST_ASSERT_EQUAL_MEMORY(flat_state.q, flat_end.q, sizeof flat_end.q);
        TEST_ASSERT_EQUAL_MEMORY(flat_state.qd, flat_end.qd, sizeof flat_end.qd);
        TEST_ASSERT_EQUAL_MEMORY(state.q, end.q, sizeof end.q);
        TEST_ASSERT_EQUAL_MEMORY(state.qd, end.qd, sizeof end.qd);
    }
    touches = 0;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* Powers of ten in every number of state and input: an error that leaves all as it was, or a result
 * that is finite. */
static void test_any_magnitude(void)
{
    const tc_real most = (tc_real)(sizeof(tc_real) == sizeof(float) ? 38.0 : 300.0);
    uint32_t done = 0;
    test_seed(11103u);
    for (uint32_t round = 0; round < LIMBS; ++round) {
        draw_law();
        draw_flat();
        draw_space();
        for (uint32_t k = 0; k < TC_CHAIN3_DOF; ++k) {
            tc_real *const numbers[3] = {&torque[k], &state.qd[k],
                                         &flat_state.qd[k % TC_CHAIN2_DOF]};
            for (uint32_t i = 0; i < 3u && round % 3u != 0u; ++i) {
                *numbers[i] *= decades(TC_C(0.0), round % 3u == 1u ? most : TC_C(12.0));
            }
        }
        memset(&info, 255, sizeof info);
        memset(&flat_info, 255, sizeof flat_info);
        const tc_limb2_state flat_before = flat_state;
        const tc_status status = flat_step();
        done += status >= TC_OK;
        TEST_ASSERT_TRUE(status >= TC_OK ? flat_finite()
                                         : status == TC_ERR_RANGE || status == TC_ERR_NOT_FINITE);
        TEST_ASSERT_TRUE(status >= TC_OK
                         || memcmp(flat_before.qd, flat_state.qd, sizeof flat_state.qd) == 0);
        const tc_status solid = space_step();
        done += solid >= TC_OK;
        TEST_ASSERT_TRUE(solid >= TC_OK ? space_finite()
                                        : solid == TC_ERR_RANGE || solid == TC_ERR_NOT_FINITE);
    }
    TEST_ASSERT_TRUE(done * 3u >= LIMBS);
}

/* What is refused, and where: just within a limit a limb is taken and its step ends, just beyond it
 * is not. */
static void test_limits_are_at_the_border(void)
{
    static const tc_real within[2] = {TC_C(0.999), TC_C(1.001)};
    test_seed(11104u);
    for (uint32_t over = 0; over < 2u; ++over) {
        const tc_status expected = over ? TC_ERR_RANGE : TC_OK;
        do {
            draw_law();
            draw_flat();
            draw_space();
        } while (drawn.links < 2u || flat_links[0].joint == TC_CHAIN_FREE
                 || links[0].joint == TC_CHAIN_FREE);
        torque[0] = within[over] * TC_CHAIN_TORQUE_MAX;
        TEST_ASSERT_TRUE(over ? flat_step() == TC_ERR_RANGE : flat_step() >= TC_OK);
        TEST_ASSERT_TRUE(over ? space_step() == TC_ERR_RANGE : space_step() >= TC_OK);
        torque[0] = TC_C(0.0);
        memset(flat_state.qd, 0, sizeof flat_state.qd);
        memset(state.qd, 0, sizeof state.qd);
        flat_state.qd[0] = state.qd[0] = within[over] * TC_CHAIN_RATE_MAX;
        TEST_ASSERT_TRUE(over ? flat_step() == TC_ERR_RANGE : flat_step() >= TC_OK);
        TEST_ASSERT_TRUE(over ? space_step() == TC_ERR_RANGE : space_step() >= TC_OK);
        flat_links[0].body.mass = links[0].body.mass = within[over] * TC_CHAIN_BODY_MAX;
        TEST_ASSERT_EQUAL(expected, tc_limb2_check(&flat));
        TEST_ASSERT_EQUAL(expected, tc_limb3_check(&leg));
        flat_links[0].body.mass = links[0].body.mass =
            TC_C(1.0) / (within[over] * TC_CHAIN_BODY_MAX);
        TEST_ASSERT_EQUAL(expected, tc_limb2_check(&flat));
        TEST_ASSERT_EQUAL(expected, tc_limb3_check(&leg));
        flat_links[0].body.mass = links[0].body.mass = TC_C(1.0);
        flat_links[0].arm[1] = links[0].arm[2] = within[over] * TC_CHAIN_LENGTH_MAX;
        TEST_ASSERT_EQUAL(expected, tc_limb2_check(&flat));
        TEST_ASSERT_EQUAL(expected, tc_limb3_check(&leg));
        flat_links[0].arm[1] = links[0].arm[2] = TC_C(0.0);
        flat.chain.gravity[1] = leg.chain.gravity[2] = within[over] * TC_CHAIN_GRAVITY_MAX;
        TEST_ASSERT_EQUAL(expected, tc_limb2_check(&flat));
        TEST_ASSERT_EQUAL(expected, tc_limb3_check(&leg));
    }
}

/* A foot whose vertices are too far out for its inertia is refused when it is given; in motion it
 * never is. */
static void test_levers_are_at_the_border(void)
{
    static const tc_real within[2] = {TC_C(0.99), TC_C(1.01)};
    test_seed(11105u);
    for (uint32_t over = 0; over < 2u; ++over) {
        const tc_status expected = over ? TC_ERR_RANGE : TC_OK;
        draw_flat();
        draw_space();
        tc_body2 *const flat_body = &flat_links[flat.chain.count - 1u].body;
        const tc_real reach = TC_LEARNED_LEVER_MAX * within[over];
        flat.foot.gyration = tc_sqrt(flat_box[4] * flat_box[4] + flat_box[5] * flat_box[5]) / reach;
        flat_body->inertia = flat_body->mass * flat.foot.gyration * flat.foot.gyration;
        flat.foot.body = *flat_body;
        TEST_ASSERT_EQUAL(expected, tc_limb2_check(&flat));
        tc_body3 *const body = &links[leg.chain.count - 1u].body;
        const tc_real square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
        for (uint32_t k = 0; k < 3u; ++k) {
            body->inertia[k] = TC_C(2.0) * square * body->mass / (reach * reach);
        }
        leg.foot.body = *body;
        TEST_ASSERT_EQUAL(expected, tc_limb3_check(&leg));
    }
}

/* What is of unit length is one question: detectors, body steps and limbs answer it alike. */
static void test_one_tolerance_of_unit_length(void)
{
    static const tc_real excess[4] = {TC_C(-2.1e-3), TC_C(-1.4e-3), TC_C(1.4e-3), TC_C(2.1e-3)};
    test_seed(11106u);
    draw_flat();
    draw_space();
    flat_links[flat.chain.count - 1u].joint = TC_CHAIN_PRISMATIC;
    for (uint32_t i = 0; i < 4u; ++i) {
        const tc_real length = tc_sqrt(TC_C(1.0) + excess[i]);
        const int good = i == 1u || i == 2u;
        const tc_plane2 line = {{TC_C(0.6) * length, TC_C(0.8) * length}, TC_C(0.0)};
        const tc_plane3 plane = {{TC_C(0.6) * length, TC_C(0.0), TC_C(0.8) * length}, TC_C(0.0)};
        tc_body2_state at = {{0}, {0}};
        tc_body3_state there = {{0}, {TC_C(1.0)}, {0}};
        tc_patch2 edge;
        tc_patch3 face;
        tc_foot2_info told;
        tc_chain2_link *const last = &flat_links[flat.chain.count - 1u];
        flat.foot.plane = line;
        leg.foot.plane = plane;
        last->axis[0] = TC_C(0.6);
        last->axis[1] = TC_C(0.8);
        const tc_status expected = good ? TC_OK : TC_ERR_UNIT;
        TEST_ASSERT_EQUAL(expected, tc_detect2(&flat.foot.shape, &at, &line, TC_C(0.0), &edge));
        TEST_ASSERT_EQUAL(expected, tc_detect3(&leg.foot.shape, &there, &plane, TC_C(0.0), &face));
        TEST_ASSERT_EQUAL(good, tc_foot2_step(&flat.foot, NULL, &at, &told, work, LIMB2_LEN)
                                    != TC_ERR_UNIT);
        TEST_ASSERT_EQUAL(expected, tc_limb2_check(&flat));
        TEST_ASSERT_EQUAL(expected, tc_limb3_check(&leg));
        last->axis[0] *= length;
        last->axis[1] *= length;
        TEST_ASSERT_EQUAL(good ? TC_OK : TC_ERR_RANGE, tc_chain2_check(&flat.chain));
    }
}

void suite_limb_any(void)
{
    RUN_TEST(test_any_limb2);
    RUN_TEST(test_gap_leaves_no_vertex_below);
    RUN_TEST(test_any_limb3);
    RUN_TEST(test_errors_leave_all_as_it_was);
    RUN_TEST(test_any_limb_touches);
    RUN_TEST(test_errors_at_a_touch);
    RUN_TEST(test_nothing_touched);
    RUN_TEST(test_any_magnitude);
    RUN_TEST(test_limits_are_at_the_border);
    RUN_TEST(test_levers_are_at_the_border);
    RUN_TEST(test_one_tolerance_of_unit_length);
}
