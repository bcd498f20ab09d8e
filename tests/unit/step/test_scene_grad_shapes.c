/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of roll-outs of shapes against closed forms, and against differences of whole
 * roll-outs.
 */
#include "scene_case.h"
#include "test.h"

#include <math.h>
#include <string.h>

#ifdef TC_DOUBLE
#define FORM TC_C(1e-6)   /* share by which closed forms may be missed */
#define WHOLE TC_C(1e-6)  /* the same of differences of whole roll-outs */
#define STRIDE 1e-6       /* of a parameter, for these, as share */
#define NEARBY 1e-5       /* of a parameter, for `more` and `less`, as share */
#define TOUCH TC_C(1e-10) /* events differ by as much in time: differences need it */
#define LEAST 1e-2        /* size of a derivative, below which errors are absolute */
#else
#define FORM TC_C(1e-3)
#define WHOLE TC_C(2e-2) /* differences of float roll-outs are no better */
#define STRIDE 1e-3
#define NEARBY 1e-2
#define TOUCH TC_C(1e-5)
#define LEAST 10.0
#endif

#define GRAVITY 10.0
#define BODIES 2u
#define RATES (6u * BODIES)
#define STATE (7u * BODIES)
#define WORK SCENE_CASE_WORK

/* What a scene is made from; a parameter is one of these numbers. */
enum { SIZE_X, SIZE_Y, SIZE_Z, SIZE_ROUND, MASS, FORCE, TORQUE, MU, E, DOWN, NUMBERS };

typedef struct shape_world {
    double number[NUMBERS];
    int boxes, floor; /* boxes: the first is one, else a ball; floor: there is one, else 2 bodies */
    tc_body3 body[BODIES];
    tc_sdf shape[BODIES + 1u];
    tc_scene_wrench wrench;
    tc_scene_mover mover[BODIES];
    tc_scene_surface surface[BODIES + 1u];
    tc_scene_material material;
    tc_scene_pair pair;
    tc_scene scene;
} shape_world;

static shape_world now, more, less;
static tc_scene_step_config config;
static tc_scene_step_info info;
static tc_real begin_q[STATE], begin_v[RATES], q[STATE], v[RATES], dq[RATES], dv[RATES];

static void add_body(shape_world *world, uint32_t m, tc_sdf of, double mass)
{
    tc_sdf_inertia inertia;
    world->shape[m] = of;
    TEST_ASSERT_EQUAL(TC_OK, tc_sdf_mass(&world->shape[m], &inertia, NULL));
    world->body[m].mass = (tc_real)mass;
    for (uint32_t k = 0; k < 3u; ++k) {
        world->body[m].inertia[k] = (tc_real)mass * inertia.inertia[k] / inertia.volume;
    }
    world->mover[m] = (tc_scene_mover){.kind = TC_SCENE_BODY, .body3 = &world->body[m]};
    world->surface[m] = (tc_scene_surface){.mover = (uint16_t)m,
                                           .sdf = &world->shape[m],
                                           .reach = tc_scene_shapes_reach(&world->shape[m])};
}

static void make_world(shape_world *world)
{
    static const tc_sdf half_space = TC_SDF_HALFSPACE;
    const double *const x = world->number;
    const tc_sdf ball = TC_SDF_SPHERE((tc_real)x[SIZE_X]);
    const tc_sdf box = TC_SDF_BOX((tc_real)x[SIZE_X], (tc_real)x[SIZE_Y], (tc_real)x[SIZE_Z],
                                  (tc_real)x[SIZE_ROUND]);
    const tc_sdf other = TC_SDF_SPHERE(TC_C(0.15));
    add_body(world, 0, world->boxes ? box : ball, x[MASS]);
    world->wrench =
        (tc_scene_wrench){.force = {(tc_real)x[FORCE]}, .torque = {TC_C(0.0), (tc_real)x[TORQUE]}};
    world->mover[0].wrench_ref = &world->wrench;
    if (world->floor) {
        world->surface[1] = (tc_scene_surface){.mover = TC_SCENE_WORLD, .sdf = &half_space};
    } else {
        add_body(world, 1, other, 0.7);
    }
    world->material = (tc_scene_material){(tc_real)x[MU], (tc_real)x[E]};
    world->pair = (tc_scene_pair){0, 1, 0};
    world->scene = (tc_scene){.dimension = 3,
                              .gravity = {TC_C(0.0), TC_C(0.0), (tc_real)-x[DOWN]},
                              .movers = world->floor ? 1u : 2u,
                              .surfaces = 2,
                              .materials = 1,
                              .pairs = 1,
                              .mover = world->mover,
                              .surface = world->surface,
                              .material = &world->material,
                              .pair = &world->pair,
                              .meeting = &tc_scene_shapes};
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_check(&world->scene, NULL));
}

static void set_numbers(double x, double y, double z, double round, double mass)
{
    memset(&now, 0, sizeof now);
    memset(begin_q, 0, sizeof begin_q);
    memset(begin_v, 0, sizeof begin_v);
    begin_q[3] = begin_q[10] = TC_C(1.0);
    const double size[5] = {x, y, z, round, mass};
    memcpy(now.number, size, sizeof size);
    now.number[DOWN] = GRAVITY;
    now.floor = 1;
}

static void set_config(double h)
{
    config = tc_scene_step_default();
    config.method = &tc_scene_step_sustained;
    config.law = TC_IMPACT_COULOMB;
    config.h = (tc_real)h;
    config.rest = (tc_real)(2 * GRAVITY * h);
    config.touch = TOUCH;
    config.compensation = TC_C(0.5);
}

/* `to` with parameter `number` changed by `by` */
static void make_nearby(shape_world *to, uint32_t number, double by)
{
    *to = now;
    to->number[number] += by;
    make_world(to);
}

/* How far a parameter is moved: a share of it, or of 1 where it is 0 */
static double stride_of(uint32_t number, double share)
{
    const double x = fabs(now.number[number]);
    return share * (x > 0 ? x : 1.0);
}

/* q, v, dq, dv after `steps`, by parameter `number` */
static void follow_parameter(uint32_t number, uint32_t steps)
{
    const double by = stride_of(number, NEARBY);
    make_world(&now);
    make_nearby(&more, number, by);
    make_nearby(&less, number, -by);
    const tc_scene_grad_sustained_direction along = {dq, dv, &more.scene, &less.scene, (tc_real)by};
    memcpy(q, begin_q, sizeof q);
    memcpy(v, begin_v, sizeof v);
    memset(dq, 0, sizeof dq);
    memset(dv, 0, sizeof dv);
    TEST_ASSERT_TRUE(tc_scene_grad_sustained_work(&now.scene, 1) <= WORK);
    for (uint32_t i = 0; i < steps; ++i) {
        const tc_status status = tc_scene_grad_sustained_step(&now.scene, &config, q, v, &along, 1,
                                                              &info, scene_case_work, WORK);
        TEST_ASSERT_GREATER_OR_EQUAL(TC_OK, status);
    }
}

/* Whole roll-outs of a parameter `by` larger: the state */
static void roll_nearby(uint32_t number, double by, uint32_t steps, tc_real *q_end, tc_real *v_end)
{
    make_nearby(&more, number, by);
    memcpy(q_end, begin_q, sizeof begin_q);
    memcpy(v_end, begin_v, sizeof begin_v);
    for (uint32_t i = 0; i < steps; ++i) {
        TEST_ASSERT_GREATER_OR_EQUAL(
            TC_OK, tc_scene_step(&more.scene, &config, q_end, v_end, NULL, scene_case_work, WORK));
    }
}

/* Compares positions, velocities and spins with differences of whole roll-outs. */
static void compare_whole(uint32_t number, uint32_t steps, const char *name)
{
    static tc_real q_more[STATE], v_more[RATES], q_less[STATE], v_less[RATES];
    const double by = stride_of(number, STRIDE);
    double error = 0, size = 0;
    follow_parameter(number, steps);
    roll_nearby(number, by, steps, q_more, v_more);
    roll_nearby(number, -by, steps, q_less, v_less);
    for (uint32_t m = 0; m < now.scene.movers; ++m) {
        for (uint32_t k = 0; k < 9u; ++k) {
            const uint32_t c = 6u * m + (k < 3u ? k : k - 3u);
            const double there =
                k < 3u ? ((double)q_more[7u * m + k] - (double)q_less[7u * m + k]) / (2 * by)
                       : ((double)v_more[c] - (double)v_less[c]) / (2 * by);
            error = fmax(error, fabs(there - (double)(k < 3u ? dq[c] : dv[c])));
            size = fmax(size, fabs(there));
        }
    }
    test_near(TC_C(0.0), (tc_real)(error / fmax(size, LEAST)), WHOLE, TC_C(0.0), name);
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* Falls, bounces once: height by radius and by restitution */
static void test_ball_by_radius(void)
{
    const double r = 0.2, z = 1.0, e = 0.6, t = 0.7, first = sqrt(2 * (z - r) / GRAVITY);
    const double after = t - first, sooner = -1 / (GRAVITY * first);
    set_numbers(r, 0, 0, 0, 2);
    now.number[E] = e;
    begin_q[2] = (tc_real)z;
    set_config(0.035);
    follow_parameter(SIZE_X, 20);
    test_near((tc_real)(r + e * GRAVITY * first * after - GRAVITY / 2 * after * after), q[2],
              TC_C(1e-3), TC_C(0.0), "height");
    test_near((tc_real)(1 + sooner * GRAVITY * (e * after - e * first + after)), dq[2], FORM,
              TC_C(0.0), "by radius");
    test_near((tc_real)(sooner * GRAVITY * (e + 1)), dv[2], FORM, TC_C(0.0), "speed by radius");
    follow_parameter(E, 20);
    test_near((tc_real)(GRAVITY * first * after), dq[2], FORM, TC_C(0.0), "by restitution");
}

/* It touches exactly where a step ends, so that no search for its time is made. */
static void test_ball_at_a_steps_end(void)
{
    const double r = 0.2, z = 1.0, e = 0.6, t = 0.72, first = sqrt(2 * (z - r) / GRAVITY);
    const double after = t - first, sooner = -1 / (GRAVITY * first);
    set_numbers(r, 0, 0, 0, 2);
    now.number[E] = e;
    begin_q[2] = (tc_real)z;
    set_config(0.04);
    follow_parameter(SIZE_X, 18);
    test_near((tc_real)(1 + sooner * GRAVITY * (e * after - e * first + after)), dq[2], FORM,
              TC_C(0.0), "by radius");
    test_near((tc_real)(sooner * GRAVITY * (e + 1)), dv[2], FORM, TC_C(0.0), "speed by radius");
}

/* A pushed box slides: x = (F / m - mu g) t^2 / 2 */
static void test_slide_by_numbers(void)
{
    static const uint32_t numbers[4] = {MASS, FORCE, MU, DOWN};
    const double mass = 0.5, force = 3, mu = 0.3, t = 0.5;
    const double expected[4] = {-force / (mass * mass), 1 / mass, -GRAVITY, -mu};
    set_numbers(0.2, 0.1, 0.05, 0.01, mass);
    now.boxes = 1;
    now.number[FORCE] = force;
    now.number[MU] = mu;
    begin_q[2] = TC_C(0.05);
    set_config(0.025);
    for (uint32_t k = 0; k < 4u; ++k) {
        follow_parameter(numbers[k], 20);
        const tc_real size = (tc_real)(expected[k] * t);
        test_near(size, dv[0], FORM, FORM, "speed");
        test_near((tc_real)(expected[k] * t * t / 2), dq[0], FORM, FORM, "way");
        test_near(TC_C(0.0), dq[2], TC_C(10.0) * FORM, TC_C(0.0), "height");
    }
}

/* It slides to a stop: v^2 / (2 mu g), and goes no further. */
static void slide_to_stop(double h, uint32_t steps)
{
    const double mu = 0.4, speed = 1.7;
    set_numbers(0.2, 0.1, 0.05, 0.01, 1.5);
    now.boxes = 1;
    now.number[MU] = mu;
    begin_q[2] = TC_C(0.05);
    begin_v[0] = (tc_real)speed;
    set_config(h);
    follow_parameter(MU, steps);
    test_near((tc_real)(-speed * speed / (2 * mu * mu * GRAVITY)), dq[0], TC_C(0.0), TC_C(2e-3),
              "way");
}

static void test_stop_by_friction(void)
{
    slide_to_stop(0.03, 20);
}

/* v / (mu g) is 17 steps */
static void test_stop_at_a_steps_end(void)
{
    slide_to_stop(0.025, 24);
    test_near(TC_C(0.0), dv[0], TC_C(2e-3), TC_C(0.0), "speed");
}

/* ---- Differences of whole roll-outs ---------------------------------------------------------- */

static void random_turn(tc_real *turn)
{
    double x[4], square = 0;
    for (uint32_t k = 0; k < 4u; ++k)
        x[k] = (double)test_uniform(TC_C(-1.0), TC_C(1.0)) + (k == 0u ? 0.1 : 0.0);
    for (uint32_t k = 0; k < 4u; ++k) square += x[k] * x[k];
    for (uint32_t k = 0; k < 4u; ++k) turn[k] = (tc_real)(x[k] / sqrt(square));
}

/* A rounded box is thrown at the floor: by its numbers */
static void test_tumbling_box(void)
{
    static const uint32_t numbers[6] = {SIZE_X, SIZE_Z, MASS, TORQUE, MU, E};
    for (uint32_t i = 0; i < TEST_ROUNDS(12); ++i) {
        set_numbers(0.1, 0.15, 0.2, 0.02, 1.2);
        now.boxes = 1;
        now.number[MU] = 0.3;
        now.number[E] = 0.6;
        now.number[TORQUE] = 0.05;
        now.number[FORCE] = 0.4;
        begin_q[2] = TC_C(0.5);
        random_turn(begin_q + 3);
        for (uint32_t k = 0; k < 6u; ++k) begin_v[k] = (tc_real)test_uniform(TC_C(-1.0), TC_C(1.0));
        begin_v[2] = TC_C(-1.0);
        set_config(0.01);
        compare_whole(numbers[i % 6u], 26, "tumbling");
    }
}

/* A box meets a ball in flight. */
static void test_two_collide(void)
{
    static const uint32_t numbers[4] = {SIZE_Y, SIZE_ROUND, MASS, FORCE};
    for (uint32_t i = 0; i < TEST_ROUNDS(8); ++i) {
        set_numbers(0.1, 0.15, 0.2, 0.05, 1.2);
        now.boxes = 1;
        now.floor = 0;
        now.number[MU] = 0.2;
        now.number[E] = 0.5;
        now.number[FORCE] = 0.3;
        random_turn(begin_q + 3);
        begin_q[7] = TC_C(0.6);
        for (uint32_t k = 3; k < 6u; ++k) begin_v[k] = (tc_real)test_uniform(TC_C(-1.0), TC_C(1.0));
        begin_v[6] = TC_C(-2.0);
        set_config(0.01);
        compare_whole(numbers[i % 4u], 25, "collision");
    }
}

/* ---- What the function tells ----------------------------------------------------------------- */

static void test_bits_of_the_step(void)
{
    static tc_real q_step[STATE], v_step[RATES];
    set_numbers(0.1, 0.15, 0.2, 0.02, 1.2);
    now.boxes = 1;
    now.number[MU] = 0.3;
    begin_q[2] = TC_C(0.3);
    begin_v[0] = TC_C(0.5);
    begin_v[4] = TC_C(1.0);
    set_config(0.01);
    follow_parameter(MASS, 40);
    roll_nearby(MASS, 0.0, 40, q_step, v_step);
    TEST_ASSERT_EQUAL_MEMORY(q_step, q, 7u * sizeof *q);
    TEST_ASSERT_EQUAL_MEMORY(v_step, v, 6u * sizeof *v);
}

static void expect_sustained(tc_status expected, const tc_scene_grad_sustained_direction *along,
                             uint32_t count, size_t length)
{
    TEST_ASSERT_EQUAL(expected,
                      tc_scene_grad_sustained_step(&now.scene, &config, q, v, along, count, &info,
                                                   scene_case_work, length));
}

static void test_bad_inputs(void)
{
    set_numbers(0.2, 0, 0, 0, 2);
    begin_q[2] = TC_C(1.0);
    set_config(0.01);
    follow_parameter(MASS, 1);
    tc_scene_grad_sustained_direction along = {dq, dv, &more.scene, &less.scene, TC_C(0.0)};
    expect_sustained(TC_ERR_RANGE, &along, 1, WORK);
    along.step = TC_C(0.1);
    expect_sustained(TC_ERR_SIZE, &along, 0, WORK);
    expect_sustained(TC_ERR_NULL, NULL, 1, WORK);
    expect_sustained(TC_ERR_WORK, &along, 1, tc_scene_grad_sustained_work(&now.scene, 1) - 1u);
    less.scene.pairs = 0;
    expect_sustained(TC_ERR_SIZE, &along, 1, WORK);
    along.less = NULL;
    expect_sustained(TC_ERR_NULL, &along, 1, WORK);
    along.more = NULL;
    expect_sustained(TC_OK, &along, 1, WORK);
    dq[0] = (tc_real)NAN;
    expect_sustained(TC_ERR_NOT_FINITE, &along, 1, WORK);
    dq[0] = TC_C(0.0);
    config.bounce = TC_SCENE_STEP_NEWTON;
    expect_sustained(TC_ERR_UNSUPPORTED, &along, 1, WORK);
    config.bounce = TC_SCENE_STEP_POISSON;
    config.method = NULL;
    expect_sustained(TC_ERR_UNSUPPORTED, &along, 1, WORK);
}

void suite_scene_grad_shapes(void)
{
    RUN_TEST(test_ball_by_radius);
    RUN_TEST(test_ball_at_a_steps_end);
    RUN_TEST(test_slide_by_numbers);
    RUN_TEST(test_stop_by_friction);
    RUN_TEST(test_stop_at_a_steps_end);
    RUN_TEST(test_tumbling_box);
    RUN_TEST(test_two_collide);
    RUN_TEST(test_bits_of_the_step);
    RUN_TEST(test_bad_inputs);
}
