/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of a scene's step: bounces against their formulas, all directions against differences,
 * the bits of the step, and no trace of a step that failed.
 */
#include "scene_case.h"

#include "tc_vec.h"

#include <math.h>

#define COLUMNS 10u
#define SCENE_BODIES 4u

#ifdef TC_DOUBLE
#define GRAD_ROUNDING TC_C(1e-9)
#else
#define GRAD_ROUNDING TC_C(3e-4)
#endif

static tc_scene_step_config config;
static tc_scene_step_info info;
static tc_real dq[COLUMNS][32], dv[COLUMNS][32];
static tc_scene_grad_direction tangent[COLUMNS];

static void begin_columns(void)
{
    memset(dq, 0, sizeof dq);
    memset(dv, 0, sizeof dv);
    memset(tangent, 0, sizeof tangent);
    for (uint32_t k = 0; k < COLUMNS; ++k) {
        tangent[k].q = dq[k];
        tangent[k].v = dv[k];
    }
}

static tc_status grad_step(uint32_t count)
{
    const tc_scene_grad grad = {count, tangent};
    TEST_ASSERT_LESS_OR_EQUAL(SCENE_CASE_WORK, tc_scene_grad_work(&sc.scene, count));
    return tc_scene_grad_step(&sc.scene, &config, sc.q, sc.v, &grad, &info, scene_case_work,
                              tc_scene_grad_work(&sc.scene, count));
}

/* ---- Formulas -------------------------------------------------------------------------------- */

/* A ball falls from y and bounces once with e. With t the time to the impact, s = T - t and u = the
 * speed there: y(T) = r + e u s - g s^2 / 2, and v(T) = e u - g s. */
static void test_bounce_by_formula(void)
{
    static const tc_real one = TC_C(1.0), up[3] = {TC_C(0.0), TC_C(-1.0), TC_C(0.0)};
    static const tc_real radius[2] = {TC_C(1.0), TC_C(0.0)}, offset[2] = {TC_C(0.0), TC_C(1.0)};
    const tc_real e = TC_C(0.75), g = TC_C(10.0), T = TC_C(0.625);
    scene_case_ball(TC_C(0.9), TC_C(0.25), e);
    sc.v[1] = TC_C(1.0);
    begin_columns();
    dq[0][1] = one;
    dv[1][1] = one;
    tangent[2].e = &one;
    tangent[3].gravity = up;
    tangent[4].surface = radius;
    tangent[5].surface = offset;
    config = tc_scene_step_default();
    config.h = TC_C(0.0625);
    for (uint32_t s = 0; s < 10u; ++s) TEST_ASSERT_EQUAL(TC_OK, grad_step(6));
    const tc_real u = tc_sqrt(TC_C(1.0) + TC_C(16.0)), t = (u + TC_C(1.0)) / g, left = T - t;
    test_near(e * u - g * left, sc.v[1], GRAD_ROUNDING, TC_C(0.0), "speed");
    /* directions of u and t: by y, v, g (u^2 = v^2 + 2 g 0.8, t = (u + v) / g) */
    const tc_real du[3] = {g / u, one / u, TC_C(0.8) / u};
    const tc_real dt[3] = {du[0] / g, (du[1] + one) / g, du[2] / g - t / g};
    for (uint32_t k = 0; k < 3u; ++k) {
        const uint32_t column = k == 2u ? 3u : k;
        const tc_real dg = k == 2u ? one : TC_C(0.0);
        const tc_real speed = e * du[k] - dg * left + g * dt[k];
        const tc_real way =
            e * du[k] * left - e * u * dt[k] + g * left * dt[k] - TC_C(0.5) * dg * left * left;
        test_near(speed, dv[column][1], GRAD_ROUNDING, GRAD_ROUNDING, "dv");
        test_near(way, dq[column][1], GRAD_ROUNDING, GRAD_ROUNDING, "dq");
    }
    test_near(u, dv[2][1], GRAD_ROUNDING, GRAD_ROUNDING, "dv by e");
    test_near(u * left, dq[2][1], GRAD_ROUNDING, GRAD_ROUNDING, "dq by e");
    for (uint32_t k = 4; k < 6u; ++k) { /* a shorter fall, from higher ground */
        test_near(-dv[0][1], dv[k][1], GRAD_ROUNDING, GRAD_ROUNDING, "dv by size");
        test_near(one - dq[0][1], dq[k][1], GRAD_ROUNDING, GRAD_ROUNDING, "dq by size");
    }
}

/* One ball strikes another: where both are depends on when */
static void test_time_of_impact_counts(void)
{
    const tc_real e = TC_C(0.5), v = TC_C(2.0);
    scene_case_row(2, e);
    sc.q[2] = TC_C(0.5);
    sc.v[0] = v;
    begin_columns();
    dq[0][0] = dq[1][2] = dv[2][0] = TC_C(1.0);
    config = tc_scene_step_default();
    for (uint32_t s = 0; s < 40u; ++s) TEST_ASSERT_GREATER_OR_EQUAL(TC_OK, grad_step(3));
    /* after the impact at t = 0.3 / v: v (1 - e) / 2 and v (1 + e) / 2 */
    const tc_real slow = TC_C(0.5) * (TC_C(1.0) - e), fast = TC_C(0.5) * (TC_C(1.0) + e);
    test_near(slow, dq[0][0], GRAD_ROUNDING, TC_C(0.0), "pushed ahead, it strikes earlier");
    test_near(fast, dq[0][2], GRAD_ROUNDING, TC_C(0.0), "and so the other starts earlier");
    test_near(TC_C(1.0) - slow, dq[1][0], GRAD_ROUNDING, TC_C(0.0), "by the other's place");
    test_near(TC_C(1.0) - fast, dq[1][2], GRAD_ROUNDING, TC_C(0.0), "by its own place");
    test_near(fast * TC_C(0.4), dq[2][2], GRAD_ROUNDING, TC_C(0.0), "by speed");
    test_near(fast, dv[2][2], GRAD_ROUNDING, TC_C(0.0), "its speed");
    test_near(TC_C(0.0), dv[0][2], GRAD_ROUNDING, TC_C(0.0), "places change no speed");
}

/* ---- A scene whose numbers can be changed ---------------------------------------------------- */

typedef struct loose_scene {
    tc_body2 body2[SCENE_BODIES];
    tc_body3 body3[SCENE_BODIES];
    tc_shape2 shape2[SCENE_BODIES];
    tc_shape3 shape3[SCENE_BODIES];
    tc_plane2 plane2[2];
    tc_plane3 plane3[2];
    tc_scene_mover mover[SCENE_BODIES];
    tc_scene_surface surface[SCENE_BODIES + 2u];
    tc_scene_material material[3];
    tc_real gravity[3], q[32], v[32];
} loose_scene;

static loose_scene ls;
static const tc_scene_pair loose_pairs[] = {{0, 4, 0}, {1, 4, 1}, {2, 4, 2}, {3, 4, 1}, {0, 5, 1},
                                            {1, 5, 2}, {3, 5, 0}, {0, 1, 0}, {0, 3, 1}, {3, 1, 2}};
static const tc_real no_place[3];
static const tc_real off_centre[3] = {TC_C(0.03), TC_C(-0.02), TC_C(0.01)};
#define S TC_C(0.1)
static const tc_real square[] = {-S, -S, S, -S, S, S, -S, S};
static const tc_real cube[] = {-S, -S, -S, S, -S, -S, S, S, -S, -S, S, -S,
                               -S, -S, S,  S, -S, S,  S, S, S,  -S, S, S};

/* A particle, a ball, a box and a ball off its centre, above a floor and a slope */
static void make_loose(uint32_t dimension)
{
    memset(&ls, 0, sizeof ls);
    for (uint32_t i = 0; i < SCENE_BODIES; ++i) {
        const tc_real m = test_uniform(TC_C(0.5), TC_C(2.0));
        const tc_real I = m * test_uniform(TC_C(0.004), TC_C(0.02));
        const tc_real r = i == 2u ? TC_C(0.01) : test_uniform(TC_C(0.08), TC_C(0.15));
        const tc_real *const place = i == 3u ? off_centre : no_place;
        ls.body2[i] = (tc_body2){m, I};
        ls.body3[i] = (tc_body3){m, {I, I, I}};
        ls.shape2[i] = (tc_shape2){i == 2u ? square : place, i == 2u ? 4u : 1u, r};
        ls.shape3[i] = (tc_shape3){i == 2u ? cube : place, i == 2u ? 8u : 1u, r};
        ls.mover[i] = (tc_scene_mover){.kind = i == 0u ? TC_SCENE_PARTICLE : TC_SCENE_BODY,
                                       .mass = m,
                                       .body2 = &ls.body2[i],
                                       .body3 = &ls.body3[i]};
        ls.surface[i] = (tc_scene_surface){.mover = (uint16_t)i,
                                           .centred = i == 3u,
                                           .shape2 = &ls.shape2[i],
                                           .shape3 = &ls.shape3[i]};
    }
    ls.plane2[0] = (tc_plane2){{TC_C(0.0), TC_C(1.0)}, TC_C(0.0)};
    ls.plane2[1] = (tc_plane2){{TC_C(0.6), TC_C(0.8)}, TC_C(-0.5)};
    ls.plane3[0] = (tc_plane3){{TC_C(0.0), TC_C(0.0), TC_C(1.0)}, TC_C(0.0)};
    ls.plane3[1] = (tc_plane3){{TC_C(0.6), TC_C(0.0), TC_C(0.8)}, TC_C(-0.5)};
    for (uint32_t k = 0; k < 2u; ++k) {
        ls.surface[SCENE_BODIES + k] = (tc_scene_surface){
            .mover = TC_SCENE_WORLD, .plane2 = &ls.plane2[k], .plane3 = &ls.plane3[k]};
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        ls.material[k] = (tc_scene_material){test_uniform(TC_C(0.05), TC_C(0.7)),
                                             test_uniform(TC_C(0.1), TC_C(0.9))};
    }
    ls.gravity[0] = TC_C(0.5);
    ls.gravity[dimension - 1u] = TC_C(-10.0);
}

static void place_loose(uint32_t dimension)
{
    tc_real *q = ls.q, *v = ls.v;
    for (uint32_t i = 0; i < SCENE_BODIES; ++i) {
        const uint32_t turns = i == 0u ? 0u : (dimension == 2u ? 1u : 3u);
        test_fill(q, dimension, TC_C(-0.05), TC_C(0.05));
        test_fill(v, dimension + turns, TC_C(-1.0), TC_C(1.0));
        q[0] += TC_C(0.35) * (tc_real)i;
        q[dimension - 1u] += TC_C(0.35);
        v[dimension - 1u] -= TC_C(1.0);
        q += dimension;
        v += dimension + turns;
        if (turns == 1u) *q++ = test_uniform(TC_C(-3.0), TC_C(3.0));
        if (turns == 3u) {
            tc_real turn[3];
            q[0] = TC_C(1.0);
            test_fill(turn, 3, TC_C(-1.0), TC_C(1.0));
            tc_vec_quaternion_turn(TC_C(1.0), turn, q);
            q += 4;
        }
    }
}

static void open_loose(uint32_t dimension)
{
    memset(&sc, 0, sizeof sc);
    sc.scene = (tc_scene){.dimension = dimension,
                          .movers = SCENE_BODIES,
                          .surfaces = SCENE_BODIES + 2u,
                          .materials = 3,
                          .pairs = 10,
                          .mover = ls.mover,
                          .surface = ls.surface,
                          .material = ls.material,
                          .pair = loose_pairs};
    memcpy(sc.scene.gravity, ls.gravity, sizeof ls.gravity);
    memcpy(sc.q, ls.q, sizeof ls.q);
    memcpy(sc.v, ls.v, sizeof ls.v);
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_check(&sc.scene, NULL));
    tc_scene_measure(&sc.scene, &sc.sizes);
}

/* The step's bits, and what it tells */
static void test_state_has_the_steps_bits(void)
{
    test_seed(1341);
    for (uint32_t i = 0; i < TEST_ROUNDS(16); ++i) {
        static scene_case kept;
        tc_scene_step_info plain;
        make_loose(2u + (i & 1u));
        place_loose(2u + (i & 1u));
        open_loose(2u + (i & 1u));
        begin_columns();
        test_fill(dq[0], sc.sizes.rates, TC_C(-1.0), TC_C(1.0));
        config = tc_scene_step_default();
        config.impacts = i & 2u ? 20u : 0u;
        for (uint32_t s = 0; s < 60u; ++s) {
            kept = sc;
            const tc_status status = grad_step(1);
            const scene_case with = sc;
            sc = kept;
            TEST_ASSERT_EQUAL(scene_case_step(&config, &plain), status);
            TEST_ASSERT_EQUAL_MEMORY(sc.q, with.q, sizeof sc.q);
            TEST_ASSERT_EQUAL_MEMORY(sc.v, with.v, sizeof sc.v);
            TEST_ASSERT_EQUAL_MEMORY(&plain, &info, sizeof info);
        }
    }
}

static void test_workspace_is_enough(void)
{
    for (uint32_t dimension = 2; dimension <= 3u; ++dimension) {
        test_seed(1345);
        make_loose(dimension);
        place_loose(dimension);
        open_loose(dimension);
        begin_columns();
        const tc_scene_grad grad = {2, tangent};
        const uint32_t needed = (uint32_t)tc_scene_grad_work(&sc.scene, 2);
        TEST_ASSERT_LESS_OR_EQUAL(SCENE_CASE_WORK, needed + 2u * TEST_GUARD_WORDS);
        tc_real *const work = test_guard(scene_case_work, needed);
        config = tc_scene_step_default();
        for (uint32_t s = 0; s < 40u; ++s) {
            TEST_ASSERT_GREATER_OR_EQUAL(TC_OK, tc_scene_grad_step(&sc.scene, &config, sc.q, sc.v,
                                                                   &grad, &info, work, needed));
        }
        test_guard_check(scene_case_work, needed);
    }
}

/* The same bits of directions on every board */
static void test_bits_of_directions(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(1344);
    for (uint32_t dimension = 2; dimension <= 3u; ++dimension) {
        make_loose(dimension);
        place_loose(dimension);
        open_loose(dimension);
        begin_columns();
        for (uint32_t k = 0; k < 3u; ++k) {
            test_fill(dq[k], sc.sizes.rates, TC_C(-1.0), TC_C(1.0));
            test_fill(dv[k], sc.sizes.rates, TC_C(-1.0), TC_C(1.0));
        }
        config = tc_scene_step_default();
        for (uint32_t s = 0; s < 40u; ++s) TEST_ASSERT_GREATER_OR_EQUAL(TC_OK, grad_step(3));
        for (uint32_t k = 0; k < 3u; ++k) {
            hash = test_hash(hash, dq[k], sc.sizes.rates);
            hash = test_hash(hash, dv[k], sc.sizes.rates);
        }
    }
    test_golden("scene_grad", hash);
}

/* ---- Differences ----------------------------------------------------------------------------- */

#ifdef TC_DOUBLE
/* A direction of everything: parts that are not wanted are 0. */
typedef struct whole_direction {
    tc_real q[32], v[32], gravity[3], mass[SCENE_BODIES], inertia[SCENE_BODIES];
    tc_real surface[SCENE_BODIES + 2u], mu[3], e[3];
} whole_direction;

static whole_direction along;

static void draw_direction(uint32_t part)
{
    const tc_real low = TC_C(-1.0), high = TC_C(1.0);
    memset(&along, 0, sizeof along);
    if (part == 0u) test_fill(along.q, 32, low, high);
    if (part == 1u) test_fill(along.v, 32, low, high);
    if (part == 2u) test_fill(along.gravity, 3, low, high);
    if (part == 3u) test_fill(along.mass, SCENE_BODIES, low, high);
    if (part == 4u) test_fill(along.inertia, SCENE_BODIES, TC_C(-0.02), TC_C(0.02));
    if (part == 5u) test_fill(along.surface, SCENE_BODIES + 2u, low, high);
    if (part == 6u) test_fill(along.mu, 3, low, high);
    if (part == 7u) test_fill(along.e, 3, low, high);
    if (part == 2u && sc.scene.dimension == 2u) along.gravity[2] = TC_C(0.0);
}

/* Changes the scene by h times the direction */
static void change_loose(uint32_t dimension, tc_real h)
{
    tc_real *q = ls.q;
    const tc_real *d = along.q;
    for (uint32_t i = 0; i < 3u; ++i) ls.gravity[i] += h * along.gravity[i];
    for (uint32_t i = 0; i < 32u; ++i) ls.v[i] += h * along.v[i];
    for (uint32_t i = 0; i < SCENE_BODIES; ++i) {
        ls.mover[i].mass += h * along.mass[i];
        ls.body2[i].mass += h * along.mass[i];
        ls.body3[i].mass += h * along.mass[i];
        ls.body2[i].inertia += h * along.inertia[i];
        for (uint32_t k = 0; k < 3u; ++k) ls.body3[i].inertia[k] += h * along.inertia[i];
        ls.shape2[i].radius += h * along.surface[i];
        ls.shape3[i].radius += h * along.surface[i];
        const uint32_t turns = i == 0u ? 0u : (dimension == 2u ? 1u : 3u);
        for (uint32_t k = 0; k < dimension; ++k) *q++ += h * *d++;
        if (turns == 1u) *q++ += h * *d++;
        if (turns != 3u) continue;
        tc_vec_quaternion_turn(h, d, q);
        q += 4;
        d += 3;
    }
    for (uint32_t k = 0; k < 2u; ++k) {
        ls.plane2[k].offset += h * along.surface[SCENE_BODIES + k];
        ls.plane3[k].offset += h * along.surface[SCENE_BODIES + k];
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        ls.material[k].mu += h * along.mu[k];
        ls.material[k].e += h * along.e[k];
    }
}

/* Rolls out from the scene changed by h */
static void roll_loose(uint32_t dimension, uint32_t steps, tc_real h)
{
    const loose_scene kept = ls;
    change_loose(dimension, h);
    open_loose(dimension);
    for (uint32_t s = 0; s < steps; ++s) {
        TEST_ASSERT_GREATER_OR_EQUAL(TC_OK, scene_case_step(&config, &info));
    }
    ls = kept;
}

/* (a - b) / span as a direction: rates' numbers, small turns in space */
static void subtract_states(const scene_case *a, const scene_case *b, tc_real span, tc_real *to_q,
                            tc_real *to_v)
{
    const tc_real *p = a->q, *o = b->q;
    const uint32_t dimension = a->scene.dimension;
    for (uint32_t i = 0; i < a->sizes.rates; ++i) to_v[i] = (a->v[i] - b->v[i]) / span;
    for (uint32_t i = 0; i < SCENE_BODIES; ++i) {
        const uint32_t plain = dimension == 2u && i > 0u ? 3u : dimension;
        for (uint32_t k = 0; k < plain; ++k) *to_q++ = (*p++ - *o++) / span;
        if (dimension == 2u || i == 0u) continue;
        tc_real cross[3];
        tc_vec_cross(p + 1, o + 1, cross);
        for (uint32_t k = 0; k < 3u; ++k) {
            *to_q++ = TC_C(2.0) * (o[0] * p[1u + k] - p[0] * o[1u + k] - cross[k]) / span;
        }
        p += 4;
        o += 4;
    }
}

static tc_real largest_of(const tc_real *x, uint32_t n)
{
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) most = tc_vec_max(tc_vec_magnitude(x[i]), most);
    return most;
}

/* The central difference of whole roll-outs by h */
static void take_difference(uint32_t dimension, uint32_t steps, tc_real h, tc_real *to_q,
                            tc_real *to_v)
{
    static scene_case low, high;
    roll_loose(dimension, steps, h);
    high = sc;
    roll_loose(dimension, steps, -h);
    low = sc;
    subtract_states(&high, &low, TC_C(2.0) * h, to_q, to_v);
}

/* Rolls a direction out, and returns its largest error, relative to 1 plus its size. Differences by
 * small steps err by the certificate of the double solver, 1e-11 over h, those by large ones by
 * curvature: the best of three counts. */
static tc_real compare_direction(uint32_t dimension, uint32_t steps)
{
    static const tc_real step[3] = {TC_C(1e-6), TC_C(1e-5), TC_C(1e-4)};
    static tc_real to_q[32], to_v[32];
    tc_real best = TC_C(1e30);
    open_loose(dimension);
    begin_columns();
    memcpy(dq[0], along.q, sizeof along.q);
    memcpy(dv[0], along.v, sizeof along.v);
    tangent[0] = (tc_scene_grad_direction){dq[0],         dv[0],         along.gravity, along.mass,
                                           along.inertia, along.surface, along.mu,      along.e};
    for (uint32_t s = 0; s < steps; ++s) TEST_ASSERT_GREATER_OR_EQUAL(TC_OK, grad_step(1));
    const uint32_t d = sc.sizes.rates;
    const tc_real size = TC_C(1.0) + largest_of(dq[0], d) + largest_of(dv[0], d);
    for (uint32_t k = 0; k < 3u; ++k) {
        take_difference(dimension, steps, step[k], to_q, to_v);
        tc_real error = TC_C(0.0);
        for (uint32_t i = 0; i < d; ++i) {
            error = tc_vec_max(tc_vec_magnitude(to_q[i] - dq[0][i]), error);
            error = tc_vec_max(tc_vec_magnitude(to_v[i] - dv[0][i]), error);
        }
        if (error / size < best) best = error / size;
    }
    return best;
}
#endif

/* In the plane and in space, with and without times of impact, each part of a direction. Seeds where an
 * impact comes, goes or changes its kind within 1e-6 would fail here. A box on two vertices has
 * impulses of least norm, whose compliance errs by 1e-5 (tc_impact_grad.h): 3 of 320. */
static void test_directions_are_differences(void)
{
#ifdef TC_DOUBLE
    uint32_t rounds = TEST_ROUNDS(320), soft = 0;
    test_seed(1342);
    for (uint32_t i = 0; i < rounds; ++i) {
        const uint32_t dimension = 2u + (i & 1u);
        make_loose(dimension);
        place_loose(dimension);
        config = tc_scene_step_default();
        config.h = TC_C(0.005);
        config.impacts = i & 2u ? 20u : 0u;
        config.touch = TC_C(1e-8); /* what strikes at once counts as met there: a jump of 1e-8 */
        sc.scene.dimension = dimension;
        config.law = i % 5u == 4u ? TC_IMPACT_COULOMB : TC_IMPACT_CONVEX;
        draw_direction(i / 4u % 8u);
        const tc_real error = compare_direction(dimension, 50);
        TEST_ASSERT_TRUE(error <= TC_C(1e-4));
        soft += error > TC_C(1e-6) ? 1u : 0u;
    }
    TEST_ASSERT_LESS_OR_EQUAL(rounds / 50u + 1u, soft);
#endif
}

/* A box that lands flat: its four or two corners have more rows than it has freedoms, and the impulses
 * of least norm decide about the bounce. Directions that keep it flat: speeds, mu, e, size of the
 * ground. The compliance that makes impulses unique errs by 1e-5. No seed has feet that stick on the
 * edge of their cones, where the derivative is one-sided. */
static void test_flat_landing(void)
{
#ifdef TC_DOUBLE
    test_seed(1343);
    for (uint32_t i = 0; i < TEST_ROUNDS(24); ++i) {
        const uint32_t dimension = 2u + (i & 1u), up = dimension - 1u;
        tc_real dq_up[2], dv_up[2], dv_x[2];
        for (uint32_t side = 0; side < 2u; ++side) {
            const tc_real h = side ? TC_C(1e-5) : TC_C(-1e-5);
            test_seed(1700u + i);
            const tc_real mu = test_uniform(TC_C(0.1), TC_C(0.6));
            const tc_real e = test_uniform(TC_C(0.2), TC_C(0.8));
            scene_case_box(dimension, TC_C(0.15), mu + (i & 2u ? h : TC_C(0.0)),
                           e + (i & 4u ? h : TC_C(0.0)));
            sc.v[0] = test_uniform(TC_C(0.2), TC_C(2.0)) + h;
            sc.v[up] = test_uniform(TC_C(-2.0), TC_C(-1.0)) + h;
            config = tc_scene_step_default();
            for (uint32_t s = 0; s < 10u; ++s) (void)scene_case_step(&config, &info);
            dq_up[side] = sc.q[up];
            dv_up[side] = sc.v[up];
            dv_x[side] = sc.v[0];
        }
        test_seed(1700u + i);
        const tc_real one = TC_C(1.0), mu = test_uniform(TC_C(0.1), TC_C(0.6));
        const tc_real e = test_uniform(TC_C(0.2), TC_C(0.8));
        scene_case_box(dimension, TC_C(0.15), mu, e);
        sc.v[0] = test_uniform(TC_C(0.2), TC_C(2.0));
        sc.v[up] = test_uniform(TC_C(-2.0), TC_C(-1.0));
        begin_columns();
        dv[0][0] = dv[0][up] = one;
        tangent[0].mu = i & 2u ? &one : NULL;
        tangent[0].e = i & 4u ? &one : NULL;
        for (uint32_t s = 0; s < 10u; ++s) TEST_ASSERT_GREATER_OR_EQUAL(TC_OK, grad_step(1));
        const tc_real span = TC_C(2e-5), near = TC_C(1e-4);
        test_near((dq_up[1] - dq_up[0]) / span, dq[0][up], near, near, "height");
        test_near((dv_up[1] - dv_up[0]) / span, dv[0][up], near, near, "speed up");
        test_near((dv_x[1] - dv_x[0]) / span, dv[0][0], near, near, "speed along");
    }
#endif
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void expect_refused(tc_status status, uint32_t count)
{
    static scene_case kept;
    static tc_real kept_q[32], kept_v[32];
    tc_scene_step_info none;
    kept = sc;
    memcpy(kept_q, dq[0], sizeof kept_q);
    memcpy(kept_v, dv[0], sizeof kept_v);
    memset(&info, 1, sizeof info);
    memset(&none, 0, sizeof none);
    TEST_ASSERT_EQUAL(status, grad_step(count));
    TEST_ASSERT_EQUAL_MEMORY(kept.q, sc.q, sizeof sc.q);
    TEST_ASSERT_EQUAL_MEMORY(kept.v, sc.v, sizeof sc.v);
    TEST_ASSERT_EQUAL_MEMORY(kept_q, dq[0], sizeof kept_q);
    TEST_ASSERT_EQUAL_MEMORY(kept_v, dv[0], sizeof kept_v);
    TEST_ASSERT_EQUAL_MEMORY(&none, &info, sizeof info);
}

static void test_bad_directions(void)
{
    static tc_real numbers[4];
    const tc_real bad = TC_C(0.0) / tc_sqrt(TC_C(0.0));
    scene_case_ball(TC_C(0.5), TC_C(0.1), TC_C(0.5));
    begin_columns();
    config = tc_scene_step_default();
    dq[0][0] = TC_C(1.0);
    expect_refused(TC_ERR_SIZE, 0);
    tangent[0].v = NULL;
    expect_refused(TC_ERR_NULL, 1);
    tangent[0].v = dv[0];
    numbers[1] = bad;
    for (uint32_t k = 0; k < 6u; ++k) {
        const tc_real *const given =
            k == 1u || k == 2u || k == 4u || k == 5u ? numbers + 1 : numbers;
        begin_columns();
        dq[0][0] = TC_C(1.0);
        if (k == 0u) tangent[0].gravity = given;
        if (k == 1u) tangent[0].mass = given;
        if (k == 2u) tangent[0].inertia = given;
        if (k == 3u) tangent[0].surface = given;
        if (k == 4u) tangent[0].mu = given;
        if (k == 5u) tangent[0].e = given;
        expect_refused(TC_ERR_NOT_FINITE, 1);
    }
    begin_columns();
    dv[1][1] = bad;
    expect_refused(TC_ERR_NOT_FINITE, 2);
    begin_columns();
    config.h = TC_C(-1.0);
    expect_refused(TC_ERR_RANGE, 1);
    config.h = TC_C(1.0);
    dv[0][0] = TC_C(3e38);
    dq[0][0] = TC_C(3e38);
#ifndef TC_DOUBLE
    expect_refused(TC_ERR_RANGE, 1);
#endif
}

static void test_what_is_not_differentiated(void)
{
    const tc_scene_grad grad = {1, tangent};
    begin_columns();
    config = tc_scene_step_default();
    for (uint32_t dimension = 2; dimension <= 3u; ++dimension) {
        scene_case_mixed(dimension, 0); /* chains, limits, a spring */
        scene_case_shake();
        expect_refused(TC_ERR_UNSUPPORTED, 1);
        sc.scene.limits = sc.scene.springs = 0;
        expect_refused(TC_ERR_UNSUPPORTED, 1);
        sc.scene.movers = 2; /* a body with three moments */
        sc.scene.pairs = 2;
        if (dimension == 3u) expect_refused(TC_ERR_UNSUPPORTED, 1);
    }
    scene_case_ball(TC_C(0.5), TC_C(0.1), TC_C(0.5));
    const size_t length = tc_scene_grad_work(&sc.scene, 1);
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_scene_grad_step(&sc.scene, &config, sc.q, sc.v, &grad, &info,
                                                      scene_case_work, length - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_scene_grad_step(&sc.scene, &config, sc.q, sc.v, &grad, &info,
                                                       TEST_ODD(scene_case_work), length));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_scene_grad_step(&sc.scene, &config, sc.q, sc.v, NULL, &info,
                                                      scene_case_work, length));
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_grad_step(&sc.scene, &config, sc.q, sc.v, &grad, NULL,
                                                scene_case_work, length));
}

void suite_scene_grad(void)
{
    RUN_TEST(test_bounce_by_formula);
    RUN_TEST(test_time_of_impact_counts);
    RUN_TEST(test_state_has_the_steps_bits);
    RUN_TEST(test_workspace_is_enough);
    RUN_TEST(test_bits_of_directions);
    RUN_TEST(test_directions_are_differences);
    RUN_TEST(test_flat_landing);
    RUN_TEST(test_bad_directions);
    RUN_TEST(test_what_is_not_differentiated);
}
