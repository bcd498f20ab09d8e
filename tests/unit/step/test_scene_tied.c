/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Sustained contacts of scenes with joints, limits, springs and chains, against truths in double
 * that share nothing with the library: closed forms, and Runge-Kutta with events in small steps.
 */
#include "scene_case.h"

#include <math.h>
#include <string.h>

#ifdef TC_DOUBLE
#define NEAR TC_C(5e-6)
#define TOUCH TC_C(1e-7)
#define APART 1e-8 /* of what a joint ties [m] */
#define DRIFT 1e-8 /* of energy in 10 s, as share of a swing's */
#else
#define NEAR TC_C(2e-3)
#define TOUCH TC_C(1e-5)
#define APART 2e-6
#define DRIFT 1e-4
#endif

#define SLID TC_C(4e-5) /* of the second order in a step of 4 ms [rad or m] */
#define GAIN 2e-4       /* of energy by contacts of the second order, as share */
#define GRAVITY 10.0
#define BODIES 4u
#define SURFACES (BODIES + 1u)
#define JOINTS 12u

static tc_body3 body[BODIES];
static tc_scene_mover mover[BODIES];
static tc_sdf shape[SURFACES];
static tc_scene_surface surface[SURFACES];
static tc_convex_pose pose; /* of what does not move */
static tc_scene_material material;
static tc_scene_pair pair[BODIES];
static tc_scene_joint joint[JOINTS];
static tc_scene_limit limit;
static tc_scene_spring spring;
static tc_scene_step_config config;
static tc_scene_step_info info;

static tc_scene_point point_of(uint32_t m, double x, double y, double z)
{
    return (tc_scene_point){.mover = (uint16_t)m, .at = {(tc_real)x, (tc_real)y, (tc_real)z}};
}

/* `n` movers, each of which may touch the half space of surface n, from z = 0 down */
static void set_stage(uint32_t n, double mu, double e)
{
    static const tc_sdf half_space = TC_SDF_HALFSPACE;
    memset(&sc, 0, sizeof sc);
    memset(mover, 0, sizeof mover);
    memset(surface, 0, sizeof surface);
    memset(joint, 0, sizeof joint);
    memset(&pose, 0, sizeof pose);
    for (uint32_t k = 0; k < 3u; ++k) pose.rotation[4u * k] = TC_C(1.0);
    material = (tc_scene_material){(tc_real)mu, (tc_real)e};
    shape[n] = half_space;
    surface[n] = (tc_scene_surface){.mover = TC_SCENE_WORLD, .sdf = &shape[n], .pose_ref = &pose};
    for (uint32_t i = 0; i < n; ++i) pair[i] = (tc_scene_pair){(uint16_t)i, (uint16_t)n, 0};
    sc.scene = (tc_scene){.dimension = 3,
                          .gravity = {TC_C(0.0), TC_C(0.0), (tc_real)-GRAVITY},
                          .movers = n,
                          .surfaces = n + 1u,
                          .materials = 1,
                          .pairs = n,
                          .mover = mover,
                          .surface = surface,
                          .material = &material,
                          .pair = pair,
                          .joint = joint,
                          .limit = &limit,
                          .spring = &spring,
                          .meeting = &tc_scene_shapes};
    config = tc_scene_step_default();
    config.method = &tc_scene_step_sustained;
    config.law = TC_IMPACT_COULOMB;
    config.touch = TOUCH;
    config.compensation = TC_C(0.5);
}

static void set_body(uint32_t m, tc_sdf of, double mass)
{
    tc_sdf_inertia inertia;
    shape[m] = of;
    TEST_ASSERT_EQUAL(TC_OK, tc_sdf_mass(&shape[m], &inertia, NULL));
    body[m].mass = (tc_real)mass;
    for (uint32_t k = 0; k < 3u; ++k) {
        body[m].inertia[k] = body[m].mass * inertia.inertia[k] / inertia.volume;
    }
    mover[m] = (tc_scene_mover){.kind = TC_SCENE_BODY, .body3 = &body[m]};
    surface[m] = (tc_scene_surface){
        .mover = (uint16_t)m, .sdf = &shape[m], .reach = tc_scene_shapes_reach(&shape[m])};
}

/* Body m at x, z, turned by `angle` about y */
static void place_turned(uint32_t m, double x, double z, double angle)
{
    const tc_real q[7] = {(tc_real)x, TC_C(0.0),
                          (tc_real)z, (tc_real)cos(angle / 2),
                          TC_C(0.0),  (tc_real)sin(angle / 2),
                          TC_C(0.0)};
    memcpy(sc.q + 7u * m, q, sizeof q);
}

static void roll_on(uint32_t steps, double h)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_check(&sc.scene, NULL));
    TEST_ASSERT_LESS_OR_EQUAL(SCENE_CASE_WORK, tc_scene_step_work(&sc.scene));
    config.h = (tc_real)h;
    config.rest = (tc_real)(2 * GRAVITY * h);
    for (uint32_t i = 0; i < steps; ++i) {
        TEST_ASSERT_GREATER_OR_EQUAL(TC_OK, scene_case_step(&config, &info));
        TEST_ASSERT_EQUAL(0, info.stopped);
    }
}

/* ---- Particles ------------------------------------------------------------------------------- */

/* A ball that touches as a particle, on a floor z = 0 */
static void set_particle(double mu)
{
    static const tc_real centre[3];
    static const tc_shape3 ball = {centre, 1, TC_C(0.1)};
    static const tc_plane3 ground = {{TC_C(0.0), TC_C(0.0), TC_C(1.0)}, TC_C(0.0)};
    set_stage(1, mu, 0);
    mover[0] = (tc_scene_mover){.kind = TC_SCENE_PARTICLE, .mass = TC_C(0.4)};
    surface[0] = (tc_scene_surface){.mover = 0, .shape3 = &ball};
    surface[1] = (tc_scene_surface){.mover = TC_SCENE_WORLD, .plane3 = &ground};
    sc.q[2] = TC_C(0.1);
}

/* It whirls around a post: friction alone slows it, and it stops. The rod rises by `rise`, and its
 * pull takes weight off the floor: s'' = -mu (g - s'^2 rise / radius^2). */
static void whirl(double rise)
{
    const double mu = 0.3, radius = 0.7, share = rise / (radius * radius), h = 0.002;
    double way = 0, speed = 2;
    set_particle(mu);
    sc.scene.joints = 1;
    joint[0] = (tc_scene_joint){.kind = TC_SCENE_JOINT_ROD,
                                .a = point_of(0, 0, 0, 0),
                                .b = point_of(TC_SCENE_WORLD, 0, 0, 0.1 + rise),
                                .length = (tc_real)sqrt(radius * radius + rise * rise)};
    sc.q[0] = (tc_real)radius;
    sc.v[1] = (tc_real)speed;
    for (uint32_t i = 0; i < 400u; ++i) {
        roll_on(1, h);
        for (uint32_t k = 0; k < 10u && speed > 0; ++k) {
            const double before = mu * (GRAVITY - speed * speed * share), half = h / 20;
            const double middle = speed - half * before;
            const double brake = mu * (GRAVITY - middle * middle * share);
            const double end = speed - 2 * half * brake > 0 ? 2 * half : speed / brake;
            way += end * speed - end * end * brake / 2;
            speed = end < 2 * half ? 0 : speed - end * brake;
        }
        const double angle = way / radius;
        test_near((tc_real)(radius * cos(angle)), sc.q[0], NEAR, TC_C(0.0), "x");
        test_near((tc_real)(radius * sin(angle)), sc.q[1], NEAR, TC_C(0.0), "y");
        test_near(TC_C(0.1), sc.q[2], TC_C(2.0) * TOUCH, TC_C(0.0), "z");
        test_near((tc_real)(-speed * sin(angle)), sc.v[0], TC_C(5.0) * NEAR, TC_C(0.0), "vx");
        test_near((tc_real)(speed * cos(angle)), sc.v[1], TC_C(5.0) * NEAR, TC_C(0.0), "vy");
    }
    TEST_ASSERT_TRUE(speed == 0);
}

static void test_whirl_around_a_post(void)
{
    whirl(0.0);
    whirl(0.25);
}

/* Friction brakes it, half a swing after the other, about a middle mu g / omega^2 off that of the
 * spring; it stays where the spring is too weak. */
static void test_spring_on_a_rough_floor(void)
{
    const double mu = 0.2, omega = 8, off = mu * GRAVITY / (omega * omega), h = 0.004;
    double begin = 0.5, time = 0;
    set_particle(mu);
    sc.scene.springs = 1;
    spring = (tc_scene_spring){.a = point_of(0, 0, 0, 0),
                               .b = point_of(TC_SCENE_WORLD, 3, 0, 0.1),
                               .stiffness = (tc_real)(0.4 * omega * omega),
                               .length = TC_C(3.0)};
    sc.q[0] = (tc_real)begin;
    for (uint32_t i = 0; i < 900u; ++i) {
        roll_on(1, h);
        time += h;
        while (fabs(begin) > off && time >= acos(-1) / omega) {
            time -= acos(-1) / omega;
            begin = begin > 0 ? 2 * off - begin : -2 * off - begin;
        }
        const double middle = begin > 0 ? off : -off;
        const double x = fabs(begin) > off ? middle + (begin - middle) * cos(omega * time) : begin;
        test_near((tc_real)x, sc.q[0], TC_C(4.0) * NEAR, TC_C(0.0), "x");
    }
    TEST_ASSERT_TRUE(fabs(begin) <= off);
    test_near(TC_C(0.0), sc.v[0], TC_C(1e-5), TC_C(0.0), "at rest");
}

/* ---- Two rods on a ceiling, and a wall ------------------------------------------------------- */

#define ROD 0.3    /* between joints [m] */
#define ROUND 0.04 /* radius [m] */
#define MASS 0.5

/* Angles from hanging, about y: the end of a rod is at -x for positive ones */
typedef struct rods_truth {
    double angle[2], rate[2];
    double inertia; /* of a rod about y through its centre */
    double wall, e;
    int held; /* 1: the end slides along the wall */
} rods_truth;

/* The mass matrix m[3]: both diagonal entries, and the other */
static void weigh_rods(const rods_truth *t, double m[3])
{
    const double own = t->inertia + MASS * ROD * ROD / 4;
    m[0] = own + MASS * ROD * ROD;
    m[1] = own;
    m[2] = MASS * ROD * ROD / 2 * cos(t->angle[0] - t->angle[1]);
}

static void solve_rods(const rods_truth *t, const double b[2], double x[2])
{
    double m[3];
    weigh_rods(t, m);
    const double det = m[0] * m[1] - m[2] * m[2];
    x[0] = (m[1] * b[0] - m[2] * b[1]) / det;
    x[1] = (m[0] * b[1] - m[2] * b[0]) / det;
}

static void accelerate_rods(const rods_truth *t, double a[2])
{
    const double turn = MASS * ROD * ROD / 2 * sin(t->angle[0] - t->angle[1]);
    const double weight = MASS * GRAVITY * ROD;
    const double b[2] = {-turn * t->rate[1] * t->rate[1] - 1.5 * weight * sin(t->angle[0]),
                         turn * t->rate[0] * t->rate[0] - 0.5 * weight * sin(t->angle[1])};
    solve_rods(t, b, a);
    if (!t->held) return;
    const double J[2] = {cos(t->angle[0]), cos(t->angle[1])};
    double by_push[2], along = J[0] * a[0] + J[1] * a[1];
    for (uint32_t k = 0; k < 2u; ++k) along -= sin(t->angle[k]) * t->rate[k] * t->rate[k];
    solve_rods(t, J, by_push);
    const double push = -along / (J[0] * by_push[0] + J[1] * by_push[1]);
    TEST_ASSERT_TRUE(push > 0);
    for (uint32_t k = 0; k < 2u; ++k) a[k] += push * by_push[k];
}

/* Runge-Kutta, one step of h */
static rods_truth swing_rods(const rods_truth *t, double h)
{
    static const double ahead[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    rods_truth end = *t, stage = *t;
    double rate[2] = {0}, a[2] = {0};
    for (uint32_t s = 0; s < 4u; ++s) {
        for (uint32_t k = 0; k < 2u; ++k) {
            stage.angle[k] = t->angle[k] + ahead[s] * h * rate[k];
            stage.rate[k] = t->rate[k] + ahead[s] * h * a[k];
        }
        accelerate_rods(&stage, a);
        for (uint32_t k = 0; k < 2u; ++k) {
            rate[k] = stage.rate[k];
            end.angle[k] += weight[s] * h / 6 * rate[k];
            end.rate[k] += weight[s] * h / 6 * a[k];
        }
    }
    return end;
}

static rods_truth swing_finely(const rods_truth *t, double h)
{
    const rods_truth middle = swing_rods(t, h / 2);
    return swing_rods(&middle, h / 2);
}

static double gap_of_rods(const rods_truth *t)
{
    return t->wall - ROUND + ROD * (sin(t->angle[0]) + sin(t->angle[1]));
}

/* The end strikes the wall, without friction */
static void strike_rods(rods_truth *t)
{
    const double J[2] = {ROD * cos(t->angle[0]), ROD * cos(t->angle[1])};
    const double speed = J[0] * t->rate[0] + J[1] * t->rate[1];
    double change[2];
    solve_rods(t, J, change);
    const double push = -(1 + t->e) * speed / (J[0] * change[0] + J[1] * change[1]);
    for (uint32_t k = 0; k < 2u && speed < 0; ++k) t->rate[k] += push * change[k];
}

static void follow_rods(rods_truth *t, double left)
{
    for (uint32_t looks = 0; looks < 50u && left > 1e-12; ++looks) {
        rods_truth end = swing_finely(t, left);
        if (t->held || gap_of_rods(&end) >= 0) {
            *t = end;
            return;
        }
        double low = 0, high = left;
        for (uint32_t k = 0; k < 45u; ++k) {
            const double middle = (low + high) / 2;
            end = swing_finely(t, middle);
            if (gap_of_rods(&end) >= 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        *t = swing_finely(t, low);
        strike_rods(t);
        left -= low;
    }
}

/* Two capsules as `bodies`, hung by ball joints, or one chain of two links */
static rods_truth set_rods(void)
{
    static const tc_sdf end = TC_SDF_SPHERE((tc_real)ROUND);
    static const tc_convex_pose below = {{TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0),
                                          TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(1.0)},
                                         {TC_C(0.0), TC_C(0.0), (tc_real)(-ROD / 2)}};
    const tc_sdf capsule = TC_SDF_CAPSULE((tc_real)ROUND, (tc_real)(ROD / 2));
    rods_truth t = {{0.9, 0.3}, {0, 0}, 0, 0.1, 0.6, 0};
    set_stage(2, 0, t.e);
    for (uint32_t m = 0; m < 2u; ++m) set_body(m, capsule, MASS);
    surface[1] = (tc_scene_surface){.mover = 1, .sdf = &end, .pose_ref = &below};
    pair[0] = pair[1]; /* the lower end alone meets the wall */
    sc.scene.pairs = 1;
    t.inertia = (double)body[0].inertia[1];
    const tc_real turned[9] = {TC_C(0.0), TC_C(0.0), TC_C(-1.0), TC_C(0.0), TC_C(1.0),
                               TC_C(0.0), TC_C(1.0), TC_C(0.0),  TC_C(0.0)};
    memcpy(pose.rotation, turned, sizeof turned);
    pose.position[0] = (tc_real)t.wall;
    return t;
}

/* As bodies, by ball joints */
static void hang_rods(rods_truth t)
{
    sc.scene.joints = 2;
    joint[0] =
        (tc_scene_joint){.a = point_of(0, 0, 0, ROD / 2), .b = point_of(TC_SCENE_WORLD, 0, 0, 0)};
    joint[1] = (tc_scene_joint){.a = point_of(0, 0, 0, -ROD / 2), .b = point_of(1, 0, 0, ROD / 2)};
    const double s = sin(t.angle[0]), c = cos(t.angle[0]);
    place_turned(0, -ROD / 2 * s, -ROD / 2 * c, t.angle[0]);
    place_turned(1, -ROD * s - ROD / 2 * sin(t.angle[1]), -ROD * c - ROD / 2 * cos(t.angle[1]),
                 t.angle[1]);
}

/* As one chain of two links; it has to outlive the scene. */
static void chain_rods(rods_truth t)
{
    static tc_chain3_link links[2];
    static const tc_chain3 chain = {2, links, {TC_C(0.0), TC_C(0.0), TC_C(0.0)}};
    for (uint32_t i = 0; i < 2u; ++i) {
        links[i] = (tc_chain3_link){.body = body[0],
                                    .joint = TC_CHAIN_REVOLUTE,
                                    .axis = {TC_C(0.0), TC_C(1.0), TC_C(0.0)},
                                    .rest = {TC_C(1.0)},
                                    .arm = {TC_C(0.0), TC_C(0.0), (tc_real)(-ROD / 2)}};
    }
    links[1].anchor[2] = (tc_real)(-ROD / 2);
    mover[0] = (tc_scene_mover){.kind = TC_SCENE_CHAIN, .chain3 = &chain};
    surface[1].mover = 0;
    surface[1].link = 1;
    sc.scene.movers = 1;
    sc.q[0] = (tc_real)t.angle[0];
    sc.q[1] = (tc_real)(t.angle[1] - t.angle[0]);
}

static void compare_rods(rods_truth t, int as_chain, tc_real near)
{
    const double h = 0.004;
    if (as_chain) {
        chain_rods(t);
    } else {
        hang_rods(t);
    }
    for (uint32_t i = 0; i < 250u; ++i) {
        roll_on(1, h);
        follow_rods(&t, h);
        const double x = -ROD * sin(t.angle[0]) - ROD / 2 * sin(t.angle[1]);
        const tc_real first = as_chain ? sc.q[0] : TC_C(2.0) * tc_atan2(sc.q[5], sc.q[3]);
        test_near((tc_real)t.angle[0], first, near, TC_C(0.0), "angle");
        test_near((tc_real)t.rate[0], as_chain ? sc.v[0] : sc.v[4], TC_C(20.0) * near, TC_C(0.0),
                  "rate");
        if (as_chain) {
            test_near((tc_real)t.angle[1], sc.q[0] + sc.q[1], near, TC_C(0.0), "angle");
        } else {
            test_near((tc_real)x, sc.q[7], near, TC_C(0.0), "x");
        }
    }
}

static void test_rods_strike_a_wall(void)
{
    for (int as_chain = 0; as_chain < 2; ++as_chain) {
        const rods_truth t = set_rods();
        compare_rods(t, as_chain, NEAR);
    }
}

/* Held out by the wall they swing with one freedom, and the end slides up and down. */
static void test_rods_slide_on_a_wall(void)
{
    for (int as_chain = 0; as_chain < 2; ++as_chain) {
        rods_truth t = set_rods();
        t.held = 1;
        t.wall = ROUND - 0.2;
        pose.position[0] = (tc_real)t.wall;
        t.angle[0] = 0.1;
        t.angle[1] = asin(0.2 / ROD - sin(0.1));
        compare_rods(t, as_chain, SLID);
    }
}

/* ---- A beam that lies on a sledge ------------------------------------------------------------- */

/* A level beam on a hinge rests on a ball, which slides along it and on the floor as the second link
 * of the chain. The nearer it is to the hinge, the more it carries. */
static void set_sledge(double m, double centre, double x, double speed)
{
    static tc_chain3_link links[2];
    static const tc_chain3 chain = {2, links, {TC_C(0.0), TC_C(0.0), TC_C(0.0)}};
    const tc_sdf ball = TC_SDF_SPHERE((tc_real)ROUND);
    set_body(0, ball, m);
    set_body(1, ball, MASS);
    for (uint32_t i = 0; i < 2u; ++i) {
        links[i] = (tc_chain3_link){.body = body[i], .rest = {TC_C(1.0)}};
    }
    links[0].joint = TC_CHAIN_REVOLUTE;
    links[0].axis[1] = TC_C(1.0);
    links[0].anchor[2] = (tc_real)ROUND;
    links[0].arm[0] = (tc_real)centre;
    links[1].joint = TC_CHAIN_PRISMATIC;
    links[1].axis[0] = TC_C(1.0);
    links[1].anchor[0] = (tc_real)-centre;
    mover[0] = (tc_scene_mover){.kind = TC_SCENE_CHAIN, .chain3 = &chain};
    surface[1].mover = 0;
    surface[1].link = 1;
    pair[0] = pair[1]; /* the ball of the second link alone meets the floor */
    sc.scene.movers = sc.scene.pairs = 1;
    sc.q[1] = (tc_real)x;
    sc.v[1] = (tc_real)speed;
}

/* The first link rests, and the second one slides and stops: x'' = -mu N / MASS, with
 * N (x - mu ROUND) = g (m centre + MASS x) about the hinge. */
static void test_sledge_under_a_beam(void)
{
    const double m = 2, centre = 0.1, mu = 0.15, h = 0.004;
    test_seed(917);
    for (uint32_t round = 0; round < TEST_ROUNDS(8); ++round) {
        const double way = round & 1u ? -1 : 1; /* friction turns with it */
        double x = way > 0 ? 0.15 : 0.8, v = way * (double)test_uniform(TC_C(1.0), TC_C(1.5));
        set_stage(2, mu, 0);
        set_sledge(m, centre, x, v);
        for (uint32_t i = 0; i < 200u; ++i) {
            roll_on(1, h);
            for (uint32_t k = 0; k < 40u && v != 0; ++k) {
                const double mid = x + h / 80 * v;
                const double N = GRAVITY * (m * centre + MASS * mid) / (mid - way * mu * ROUND);
                const double end = v - way * h / 40 * mu * N / MASS;
                x += h / 80 * (v + end);
                v = end * way > 0 ? end : 0;
            }
            test_near(TC_C(0.0), sc.q[0], SLID, TC_C(0.0), "level");
            test_near((tc_real)x, sc.q[1], SLID, TC_C(0.0), "x");
        }
        TEST_ASSERT_TRUE(v == 0);
    }
}

/* ---- A flap and a four-bar linkage ----------------------------------------------------------- */

/* Joints `at` and the two behind it: a hinge along y between bodies a and b, with the hinge's place
 * in both. Rods from a point of its axis in a to two points beside it in b hold the axes parallel. */
static void set_hinge(uint32_t at, tc_scene_point a, tc_scene_point b)
{
    const tc_real arm = TC_C(0.1);
    tc_scene_point along = a, beside[2] = {b, b};
    along.at[1] += arm;
    beside[0].at[0] += arm;
    beside[1].at[2] += arm;
    joint[at] = (tc_scene_joint){.a = a, .b = b};
    for (uint32_t k = 0; k < 2u; ++k) {
        joint[at + 1u + k] = (tc_scene_joint){
            .kind = TC_SCENE_JOINT_ROD, .a = along, .b = beside[k], .length = (tc_real)sqrt(0.02)};
    }
}

/* It falls, lies on its face, is lifted by a torque and falls again. Without bounce, so the angle of
 * a falling rod is all there is. */
static void test_flap_falls_and_is_lifted(void)
{
    const tc_sdf board = TC_SDF_BOX(TC_C(0.2), TC_C(0.15), TC_C(0.02), TC_C(0.0));
    const double arm = 0.25, mass = 0.8, lift = 3.5, h = 0.002;
    static tc_scene_wrench wrench;
    set_stage(1, 0.5, 0);
    set_body(0, board, mass);
    sc.scene.joints = 3;
    set_hinge(0, point_of(0, -arm, 0, 0), point_of(TC_SCENE_WORLD, 0, 0, 0.02));
    double angle = 0.8, rate = 0;
    const double inertia = (double)body[0].inertia[1] + mass * arm * arm;
    place_turned(0, arm * cos(angle), 0.02 + arm * sin(angle), -angle);
    for (uint32_t i = 0; i < 500u; ++i) {
        const int lifted = i >= 200u && i < 280u;
        wrench.torque[1] = lifted ? (tc_real)-lift : TC_C(0.0);
        mover[0].wrench_ref = &wrench;
        roll_on(1, h);
        for (uint32_t k = 0; k < 20u; ++k) {
            const double mid = angle + h / 40 * rate;
            const double pull = (lifted ? lift : 0) - mass * GRAVITY * arm * cos(mid);
            rate += h / 20 * pull / inertia;
            angle = mid + h / 40 * rate;
            if (angle < 0) angle = rate = 0;
        }
        test_near((tc_real)(arm * cos(angle)), sc.q[0], TC_C(5.0) * NEAR, TC_C(0.0), "x");
        test_near((tc_real)(0.02 + arm * sin(angle)), sc.q[2], TC_C(5.0) * NEAR, TC_C(0.0), "z");
    }
    TEST_ASSERT_TRUE(angle == 0);
}

/* Two cranks that hang from hinges, and a coupler between them: a pendulum. A distance that has a
 * least value stops a crank; it falls back from there. */
static void test_linkage_and_its_stop(void)
{
    const tc_sdf crank = TC_SDF_BOX(TC_C(0.02), TC_C(0.02), TC_C(0.15), TC_C(0.0));
    const tc_sdf coupler = TC_SDF_BOX(TC_C(0.25), TC_C(0.02), TC_C(0.02), TC_C(0.0));
    const double m = 0.3, own = 0.6, long_ = 0.3, beyond = -1.1, low = 0.2, h = 0.004;
    const double stop = beyond + 2 * asin(low / (2 * long_));
    double angle = 0.9, rate = 0;
    set_stage(3, 0, 0);
    for (uint32_t i = 0; i < 2u; ++i) {
        set_body(i, crank, m);
        const double x = i == 0u ? -0.25 : 0.25;
        place_turned(i, x - long_ / 2 * sin(angle), 1 - long_ / 2 * cos(angle), angle);
        set_hinge(3u * i, point_of(i, 0, 0, long_ / 2), point_of(TC_SCENE_WORLD, x, 0, 1));
        joint[6u + i] =
            (tc_scene_joint){.a = point_of(i, 0, 0, -long_ / 2), .b = point_of(2, x, 0, 0)};
    }
    set_body(2, coupler, own);
    place_turned(2, -long_ * sin(angle), 1 - long_ * cos(angle), 0);
    sc.scene.joints = 8;
    sc.scene.limits = 1;
    limit = (tc_scene_limit){.kind = TC_SCENE_LIMIT_DISTANCE,
                             .point = {point_of(0, 0, 0, -long_ / 2),
                                       point_of(TC_SCENE_WORLD, -0.25 - long_ * sin(beyond), 0,
                                                1 - long_ * cos(beyond))},
                             .low = (tc_real)low,
                             .high = TC_C(2.0)};
    const double inertia =
        2 * ((double)body[0].inertia[1] + m * long_ * long_ / 4) + own * long_ * long_;
    const double weight = (m + own) * GRAVITY * long_;
    for (uint32_t i = 0; i < 280u; ++i) {
        roll_on(1, h);
        for (uint32_t k = 0; k < 20u; ++k) {
            const double mid = angle + h / 40 * rate;
            rate -= h / 20 * weight / inertia * sin(mid);
            angle = mid + h / 40 * rate;
            if (angle < stop && rate < 0) { /* and falls back for as long as it was beyond */
                rate = weight / inertia * sin(stop) * (angle - stop) / -rate;
                angle = stop;
            }
        }
        test_near((tc_real)(-long_ * sin(angle)), sc.q[14], TC_C(5.0) * NEAR, TC_C(0.0), "x");
        test_near((tc_real)(1 - long_ * cos(angle)), sc.q[16], TC_C(5.0) * NEAR, TC_C(0.0), "z");
    }
}

/* Its foot carries a mast, and on it a rod swings: friction holds the foot. */
static void test_foot_stays_under_a_swing(void)
{
    const tc_sdf foot = TC_SDF_BOX(TC_C(0.2), TC_C(0.2), TC_C(0.05), TC_C(0.01));
    const tc_sdf rod = TC_SDF_CAPSULE(TC_C(0.03), (tc_real)(ROD / 2));
    const double angle = 1;
    set_stage(2, 0.8, 0);
    set_body(0, foot, 2);
    set_body(1, rod, MASS);
    place_turned(0, 0, 0.05, 0);
    place_turned(1, -ROD / 2 * sin(angle), 0.65 - ROD / 2 * cos(angle), angle);
    sc.scene.joints = 1;
    joint[0] = (tc_scene_joint){.a = point_of(0, 0, 0, 0.6), .b = point_of(1, 0, 0, ROD / 2)};
    roll_on(1000, 0.002);
    TEST_ASSERT_TRUE(fabs((double)sc.v[6]) + fabs((double)sc.v[8]) > 0.1);
    test_near(TC_C(0.0), sc.q[0], TC_C(1e-6), TC_C(0.0), "x");
    test_near(TC_C(0.0), sc.q[1], TC_C(1e-6), TC_C(0.0), "y");
    test_near(TC_C(0.05), sc.q[2], TOUCH, TC_C(0.0), "z");
}

/* A ball at rest on a tether: what the last step did is expected, so no problem is solved. */
static void test_tether_is_expected(void)
{
    static tc_scene_step_info last;
    const tc_sdf ball = TC_SDF_SPHERE(TC_C(0.1));
    set_stage(1, 0, 0);
    set_body(0, ball, 1);
    place_turned(0, 0, 1, 0);
    limit = (tc_scene_limit){.kind = TC_SCENE_LIMIT_DISTANCE,
                             .point = {point_of(0, 0, 0, 0), point_of(TC_SCENE_WORLD, 0, 0, 2)},
                             .low = TC_C(0.0),
                             .high = TC_C(1.0)};
    sc.scene.limits = 1;
    roll_on(10, 0.002);
    TEST_ASSERT_GREATER_THAN(0, info.solves);
    last = info;
    config.warm = &last;
    roll_on(1, 0.002);
    TEST_ASSERT_EQUAL(0, info.solves);
    test_near(TC_C(1.0), sc.q[2], TOUCH, TC_C(0.0), "z");
    test_near(TC_C(0.02), info.touch[0].impulse[0], TC_C(1e-6), TC_C(0.0), "weight");
}

/* ---- Any joined bodies ----------------------------------------------------------------------- */

/* A point of body m's axes in the world */
static void place_point(uint32_t m, const tc_real at[3], double x[3])
{
    const tc_real *const p = sc.q + 7u * m;
    const double w = (double)p[3], u[3] = {(double)p[4], (double)p[5], (double)p[6]};
    const double a[3] = {(double)at[0], (double)at[1], (double)at[2]};
    const double c[3] = {u[1] * a[2] - u[2] * a[1], u[2] * a[0] - u[0] * a[2],
                         u[0] * a[1] - u[1] * a[0]};
    const double cc[3] = {u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2],
                          u[0] * c[1] - u[1] * c[0]};
    for (uint32_t k = 0; k < 3u; ++k) x[k] = (double)p[k] + a[k] + 2 * (w * c[k] + cc[k]);
}

static double length_between(const tc_scene_point *a, const tc_scene_point *b)
{
    double x[2][3], square = 0;
    const tc_scene_point *const points[2] = {a, b};
    for (uint32_t i = 0; i < 2u; ++i) {
        for (uint32_t k = 0; k < 3u; ++k) x[i][k] = (double)points[i]->at[k];
        if (points[i]->mover != TC_SCENE_WORLD) place_point(points[i]->mover, points[i]->at, x[i]);
    }
    for (uint32_t k = 0; k < 3u; ++k) square += (x[0][k] - x[1][k]) * (x[0][k] - x[1][k]);
    return sqrt(square);
}

/* How far the worst joint is from what it ties */
static double worst_joint(void)
{
    double worst = 0;
    for (uint32_t j = 0; j < sc.scene.joints; ++j) {
        worst =
            fmax(worst, fabs(length_between(&joint[j].a, &joint[j].b) - (double)joint[j].length));
    }
    return worst;
}

static double energy_of_all(void)
{
    double energy = 0;
    for (uint32_t m = 0; m < sc.scene.movers; ++m) {
        const tc_real *const v = sc.v + 6u * m;
        energy += (double)body[m].mass * GRAVITY * (double)sc.q[7u * m + 2u];
        for (uint32_t k = 0; k < 3u; ++k) {
            tc_real axis[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
            double tip[3], spin = 0;
            axis[k] = TC_C(1.0);
            place_point(m, axis, tip);
            for (uint32_t j = 0; j < 3u; ++j) {
                spin += (tip[j] - (double)sc.q[7u * m + j]) * (double)v[3u + j];
            }
            energy += (double)body[m].inertia[k] * spin * spin / 2;
            energy += (double)body[m].mass * (double)v[k] * (double)v[k] / 2;
        }
    }
    if (sc.scene.springs == 0u) return energy;
    const double stretch = length_between(&spring.a, &spring.b) - (double)spring.length;
    return energy + (double)spring.stiffness * stretch * stretch / 2;
}

static tc_scene_point draw_point(uint32_t m)
{
    const tc_real by = TC_C(0.15);
    tc_scene_point point = {.mover = (uint16_t)m};
    for (uint32_t k = 0; k < 3u; ++k) point.at[k] = test_uniform(-by, by);
    return point;
}

static void draw_body(uint32_t m)
{
    const tc_sdf shapes[3] = {TC_SDF_SPHERE(TC_C(0.1)),
                              TC_SDF_BOX(TC_C(0.12), TC_C(0.1), TC_C(0.06), TC_C(0.02)),
                              TC_SDF_CAPSULE(TC_C(0.05), TC_C(0.1))};
    double square = 0, turn[4];
    set_body(m, shapes[test_below(3)], (double)test_uniform(TC_C(0.3), TC_C(1.5)));
    for (uint32_t k = 0; k < 4u; ++k) {
        turn[k] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
        square += turn[k] * turn[k];
    }
    for (uint32_t k = 0; k < 4u; ++k) sc.q[7u * m + 3u + k] = (tc_real)(turn[k] / sqrt(square));
    sc.q[7u * m + 2u] = TC_C(0.6);
    for (uint32_t k = 0; k < 3u; ++k) sc.v[6u * m + k] = test_uniform(TC_C(-1.0), TC_C(1.0));
}

/* Body m moves to where `a`, of another body or of the world, is tied to its point `b`. */
static void draw_joint(uint32_t at, uint32_t m, tc_scene_point a)
{
    double x[3], y[3];
    const tc_scene_point b = draw_point(m);
    const int rod = test_below(3) == 0u;
    for (uint32_t k = 0; k < 3u; ++k) x[k] = (double)a.at[k];
    if (a.mover != TC_SCENE_WORLD) place_point(a.mover, a.at, x);
    place_point(m, b.at, y);
    for (uint32_t k = 0; k < 3u; ++k) {
        sc.q[7u * m + k] += (tc_real)(x[k] - y[k] + (k == 0u ? 0.3 : 0.0));
        if (!rod && k == 0u) sc.q[7u * m] -= TC_C(0.3);
    }
    joint[at] =
        (tc_scene_joint){.kind = rod ? TC_SCENE_JOINT_ROD : TC_SCENE_JOINT_BALL, .a = a, .b = b};
    joint[at].length = rod ? (tc_real)length_between(&a, &b) : TC_C(0.0);
}

/* Two to four bodies, each tied to the one before, the first perhaps to the world; perhaps a spring and
 * a tether of the last one */
static void draw_scene(void)
{
    const uint32_t n = 2u + test_below(3);
    const tc_scene_point hook = {.mover = TC_SCENE_WORLD, .at = {TC_C(0.1), TC_C(0.1), TC_C(0.7)}};
    set_stage(n, (double)test_uniform(TC_C(0.0), TC_C(0.8)),
              (double)test_uniform(TC_C(0.0), TC_C(0.6)));
    draw_body(0);
    if (test_below(3) == 0u) draw_joint(sc.scene.joints++, 0, hook);
    for (uint32_t m = 1; m < n; ++m) {
        draw_body(m);
        draw_joint(sc.scene.joints++, m, draw_point(m - 1u));
    }
    spring = (tc_scene_spring){.a = draw_point(n - 1u),
                               .b = hook,
                               .stiffness = test_uniform(TC_C(2.0), TC_C(40.0)),
                               .length = TC_C(0.1)};
    sc.scene.springs = test_below(2);
    const tc_scene_point loose = draw_point(n - 1u);
    limit = (tc_scene_limit){.kind = TC_SCENE_LIMIT_DISTANCE,
                             .point = {loose, hook},
                             .low = TC_C(0.0),
                             .high = (tc_real)length_between(&loose, &hook) + TC_C(0.05)};
    sc.scene.limits = test_below(2);
}

static void test_any_joined_bodies(void)
{
    test_seed(915);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(24); ++round) {
        draw_scene();
        roll_on(1, 0.002); /* rates that the joints forbid are gone after it */
        double least = energy_of_all();
        const double whole = fmax(least, 1.0);
        for (uint32_t i = 0; i < 300u; ++i) {
            roll_on(1, 0.002);
            const double energy = energy_of_all();
            TEST_ASSERT_TRUE_MESSAGE(energy <= least + GAIN * whole, "energy grows");
            TEST_ASSERT_TRUE_MESSAGE(worst_joint() <= APART, "a joint opens");
            least = fmin(least, energy);
        }
    }
}

/* Two rods swing for 10 s and nothing touches them: joints and energy are where they were. */
static void test_joints_hold_for_long(void)
{
    hang_rods(set_rods());
    sc.scene.pairs = 0;
    roll_on(1, 0.002);
    const double begun = energy_of_all(), swing = MASS * GRAVITY * ROD;
#ifdef __arm__
    const uint32_t looks = 10;
#else
    const uint32_t looks = 100;
#endif
    for (uint32_t i = 0; i < looks; ++i) {
        roll_on(50, 0.002);
        TEST_ASSERT_TRUE_MESSAGE(fabs(energy_of_all() - begun) <= DRIFT * swing, "energy drifts");
        TEST_ASSERT_TRUE_MESSAGE(worst_joint() <= APART, "a joint opens");
    }
}

/* Movers, surfaces, joints and limits of every kind, in the plane and in space */
static void test_all_kinds(void)
{
    test_seed(916);
    for (uint32_t i = 0; i < TEST_ROUNDS(16); ++i) {
        scene_case_mixed(2u + (i & 1u), (int)(i >> 1 & 1u));
        scene_case_shake();
        config = tc_scene_step_default();
        config.method = &tc_scene_step_sustained;
        config.law = TC_IMPACT_COULOMB;
        config.compensation = TC_C(0.0);
        roll_on(30, 0.002); /* joints come together, limits push what is beyond */
        const double begun = scene_case_energy();
        for (uint32_t k = 0; k < 50u; ++k) {
            roll_on(5, 0.002);
            TEST_ASSERT_TRUE(scene_case_energy() <= begun + 2e-3 * fabs(begun) + 2e-3);
        }
    }
}

/* There are no derivatives through joints, springs, limits and chains: that is said before a step. */
static void test_derivatives_refused(void)
{
    static tc_real dq[6], dv[6];
    const tc_scene_grad_sustained_direction along = {.q = dq, .v = dv};
    const tc_sdf ball = TC_SDF_SPHERE(TC_C(0.1));
    for (uint32_t k = 0; k < 4u; ++k) {
        const tc_status wanted = k == 0u ? TC_OK : TC_ERR_UNSUPPORTED;
        set_stage(1, 0.3, 0.5);
        set_body(0, ball, 1);
        place_turned(0, 0, 1, 0);
        joint[0] =
            (tc_scene_joint){.a = point_of(0, 0, 0, 0), .b = point_of(TC_SCENE_WORLD, 0, 0, 1)};
        spring = (tc_scene_spring){.a = joint[0].a, .b = joint[0].b};
        limit = (tc_scene_limit){.kind = TC_SCENE_LIMIT_DISTANCE,
                                 .point = {joint[0].a, joint[0].b},
                                 .low = TC_C(-1.0),
                                 .high = TC_C(1.0)};
        sc.scene.joints = k == 1u;
        sc.scene.springs = k == 2u;
        sc.scene.limits = k == 3u;
        TEST_ASSERT_LESS_OR_EQUAL(SCENE_CASE_WORK, tc_scene_grad_sustained_work(&sc.scene, 1));
        TEST_ASSERT_EQUAL(wanted,
                          tc_scene_grad_sustained_step(&sc.scene, &config, sc.q, sc.v, &along, 1,
                                                       &info, scene_case_work, SCENE_CASE_WORK));
        TEST_ASSERT_TRUE(k == 0u || sc.q[2] == TC_C(1.0));
    }
}

void suite_scene_tied(void)
{
    RUN_TEST(test_whirl_around_a_post);
    RUN_TEST(test_spring_on_a_rough_floor);
    RUN_TEST(test_rods_strike_a_wall);
    RUN_TEST(test_rods_slide_on_a_wall);
    RUN_TEST(test_sledge_under_a_beam);
    RUN_TEST(test_flap_falls_and_is_lifted);
    RUN_TEST(test_linkage_and_its_stop);
    RUN_TEST(test_foot_stays_under_a_swing);
    RUN_TEST(test_tether_is_expected);
    RUN_TEST(test_any_joined_bodies);
    RUN_TEST(test_joints_hold_for_long);
    RUN_TEST(test_all_kinds);
    RUN_TEST(test_derivatives_refused);
}
