/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Sustained contacts and flight under wrenches against truths in double that share nothing with
 * the library: closed forms event by event, Runge-Kutta in small steps, and momentum.
 */
#include "scene_case.h"

#include <math.h>
#include <string.h>

#ifdef TC_DOUBLE
#define EXACT TC_C(1e-9)
#define NEAR TC_C(1e-6)
#define TOUCH TC_C(1e-7)
#else
#define EXACT TC_C(3e-4)
#define NEAR TC_C(1e-3)
#define TOUCH TC_C(1e-5)
#endif

#define GRAVITY 10.0
#define BODIES 2u

static tc_body3 body[BODIES];
static tc_scene_wrench wrench;
static tc_scene_mover movers[BODIES];
static tc_sdf shape[BODIES + 2u];
static tc_convex_pose pose[2]; /* of what does not move */
static tc_scene_surface surfaces[BODIES + 2u];
static tc_scene_material material;
static tc_scene_pair pairs[5];
static tc_scene_step_config config;
static tc_scene_step_info info;

/* An upright pose at x, y, z */
static void place_upright(uint32_t m, tc_real x, tc_real y, tc_real z)
{
    const tc_real q[7] = {x, y, z, TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    memcpy(sc.q + 7u * m, q, sizeof q);
}

static void set_body(uint32_t m, tc_sdf of, tc_real mass)
{
    tc_sdf_inertia inertia;
    shape[m] = of;
    TEST_ASSERT_EQUAL(TC_OK, tc_sdf_mass(&shape[m], &inertia, NULL));
    body[m].mass = mass;
    for (uint32_t k = 0; k < 3u; ++k) {
        body[m].inertia[k] = mass * inertia.inertia[k] / inertia.volume;
    }
    movers[m] = (tc_scene_mover){.kind = TC_SCENE_BODY, .body3 = &body[m]};
    surfaces[m] = (tc_scene_surface){
        .mover = (uint16_t)m, .sdf = &shape[m], .reach = tc_scene_shapes_reach(&shape[m])};
}

/* `n` bodies on a floor z = 0, and with `walls` 2 a wall that the bodies are left of */
static void set_scene(uint32_t n, uint32_t walls, tc_real mu, tc_real e)
{
    static const tc_sdf half_space = TC_SDF_HALFSPACE;
    uint32_t count = 0;
    memset(&sc, 0, sizeof sc);
    material = (tc_scene_material){mu, e};
    for (uint32_t w = 0; w < walls; ++w) {
        shape[BODIES + w] = half_space;
        memset(&pose[w], 0, sizeof pose[w]);
        surfaces[n + w] = (tc_scene_surface){
            .mover = TC_SCENE_WORLD, .sdf = &shape[BODIES + w], .pose_ref = &pose[w]};
        for (uint32_t k = 0; k < 3u; ++k) pose[w].rotation[4u * k] = TC_C(1.0);
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = i + 1u; j < n + walls; ++j) {
            pairs[count++] = (tc_scene_pair){(uint16_t)i, (uint16_t)j, 0};
        }
    }
    sc.scene = (tc_scene){.dimension = 3,
                          .gravity = {TC_C(0.0), TC_C(0.0), (tc_real)-GRAVITY},
                          .movers = n,
                          .surfaces = n + walls,
                          .materials = 1,
                          .pairs = count,
                          .mover = movers,
                          .surface = surfaces,
                          .material = &material,
                          .pair = pairs,
                          .meeting = &tc_scene_shapes};
    config = tc_scene_step_default();
    config.method = &tc_scene_step_sustained;
    config.law = TC_IMPACT_COULOMB;
    config.touch = TOUCH;
    config.compensation = TC_C(0.5);
}

static void roll_on(uint32_t steps, tc_real h)
{
    config.h = h;
    config.rest = TC_C(2.0) * (tc_real)GRAVITY * h;
    for (uint32_t i = 0; i < steps; ++i) {
        TEST_ASSERT_GREATER_OR_EQUAL(TC_OK, scene_case_step(&config, &info));
        TEST_ASSERT_EQUAL(0, info.stopped);
    }
}

/* ---- A ball between a wall and the floor ----------------------------------------------------- */

/* Position x, z, velocity x, z and spin about y */
typedef struct ball_truth {
    double x[2], v[2], spin;
} ball_truth;

/* An impact on a plane whose outward normal has components n: (1 + e) along it, and along the
 * tangent (n[1], -n[0]) what stops it, or mu of the normal impulse */
static void bounce_ball(ball_truth *b, const double n[2], double r, double mu, double e)
{
    const double t[2] = {n[1], -n[0]};
    const double along = b->v[0] * n[0] + b->v[1] * n[1], push = -(1 + e) * along;
    /* spin about y carries the point at -r n with spin r along (-n[1], n[0]) */
    const double slip = b->v[0] * t[0] + b->v[1] * t[1] - b->spin * r;
    double pull = -slip / 3.5;
    if (fabs(pull) > mu * push) pull = pull > 0 ? mu * push : -mu * push;
    for (int k = 0; k < 2; ++k) b->v[k] += push * n[k] + pull * t[k];
    b->spin -= 2.5 * pull / r;
}

/* To the time `left` from now on: floor z = 0, wall x = wall */
static void follow_ball(ball_truth *b, double r, double wall, double left)
{
    static const double up[2] = {0, 1}, back[2] = {-1, 0};
    for (int events = 0; events < 20; ++events) {
        const double height = b->x[1] - r;
        const double fall = (b->v[1] + sqrt(b->v[1] * b->v[1] + 2 * GRAVITY * height)) / GRAVITY;
        const double reach = b->v[0] > 0 ? (wall - r - b->x[0]) / b->v[0] : 1e9;
        const double first = fall < reach ? fall : reach, time = first < left ? first : left;
        b->x[0] += b->v[0] * time;
        b->x[1] += b->v[1] * time - GRAVITY * time * time / 2;
        b->v[1] -= GRAVITY * time;
        left -= time;
        if (left <= 0) return;
        bounce_ball(b, fall < reach ? up : back, r, 0.25, 0.5);
    }
}

static void test_ball_between_walls(void)
{
    for (uint32_t k = 0; k < 4u; ++k) {
        const double r = 0.35 + 0.4 * k; /* no impact at a time that is looked at */
        ball_truth truth = {{0, 5}, {5, 0}, 0};
        const tc_sdf ball = TC_SDF_SPHERE((tc_real)r);
        set_scene(1, 2, TC_C(0.25), TC_C(0.5));
        set_body(0, ball, TC_C(1.0));
        const tc_real turned[9] = {TC_C(0.0), TC_C(0.0), TC_C(-1.0), TC_C(0.0), TC_C(1.0),
                                   TC_C(0.0), TC_C(1.0), TC_C(0.0),  TC_C(0.0)};
        memcpy(pose[1].rotation, turned, sizeof turned);
        pose[1].position[0] = TC_C(4.5);
        place_upright(0, TC_C(0.0), TC_C(0.0), TC_C(5.0));
        sc.v[0] = TC_C(5.0);
        for (uint32_t i = 0; i < 45u; ++i) {
            roll_on(4, TC_C(1.0) / TC_C(120.0));
            follow_ball(&truth, r, 4.5, 4.0 / 120.0);
            test_near((tc_real)truth.x[0], sc.q[0], EXACT, TC_C(0.0), "x");
            test_near((tc_real)truth.x[1], sc.q[2], EXACT, TC_C(0.0), "z");
            test_near((tc_real)truth.v[0], sc.v[0], EXACT, TC_C(0.0), "vx");
            test_near((tc_real)truth.spin, sc.v[4], TC_C(4.0) * EXACT, TC_C(0.0), "spin");
        }
    }
}

/* ---- Contacts that last ---------------------------------------------------------------------- */

/* Pushed for 0.75 s, then left alone until it stands still */
static void test_pushed_box_slides(void)
{
    const tc_sdf box = TC_SDF_BOX(TC_C(0.2), TC_C(0.1), TC_C(0.05), TC_C(0.01));
    const double force[2] = {3, 1.5}, mass = 0.5, mu = 0.3;
    const double size = hypot(force[0], force[1]), a = size / mass - mu * GRAVITY, end = 0.75;
    set_scene(1, 1, (tc_real)mu, TC_C(0.5));
    set_body(0, box, (tc_real)mass);
    wrench = (tc_scene_wrench){.force = {(tc_real)force[0], (tc_real)force[1]}};
    movers[0].wrench_ref = &wrench;
    place_upright(0, TC_C(0.0), TC_C(0.0), TC_C(0.05));
    for (uint32_t i = 1; i <= 40u; ++i) {
        roll_on(1, TC_C(0.0625));
        const double t = 0.0625 * i, top = a * end, brake = top / (mu * GRAVITY);
        const double after = t - end < brake ? t - end : brake;
        const double way = t <= end
                               ? a * t * t / 2
                               : a * end * end / 2 + top * after - mu * GRAVITY * after * after / 2;
        test_near((tc_real)(way * force[0] / size), sc.q[0], EXACT, TC_C(1e-5), "x");
        test_near((tc_real)(way * force[1] / size), sc.q[1], EXACT, TC_C(1e-5), "y");
        test_near(TC_C(0.05), sc.q[2], TC_C(2.0) * TOUCH, TC_C(0.0), "z");
        if (i == 12u) movers[0].wrench_ref = NULL;
    }
    for (uint32_t k = 0; k < 6u; ++k) test_near(TC_C(0.0), sc.v[k], EXACT, TC_C(0.0), "at rest");
}

/* Slips at first: v = v0 - mu g t until 2/7 of the way to rolling is done, then v = 5/7 v0 */
static void test_ball_begins_to_roll(void)
{
    const tc_sdf ball = TC_SDF_SPHERE(TC_C(0.1));
    const double v0 = 2, mu = 0.2, rolls = 2 * v0 / (7 * mu * GRAVITY);
    set_scene(1, 1, (tc_real)mu, TC_C(0.0));
    set_body(0, ball, TC_C(3.0));
    place_upright(0, TC_C(0.0), TC_C(0.0), TC_C(0.1));
    sc.v[0] = (tc_real)v0;
    for (uint32_t i = 1; i <= 16u; ++i) {
        roll_on(1, TC_C(0.03125));
        const double t = 0.03125 * i, slips = t < rolls ? t : rolls;
        const double way = v0 * slips - mu * GRAVITY * slips * slips / 2 + 5 * v0 / 7 * (t - slips);
        test_near((tc_real)way, sc.q[0], EXACT, TC_C(0.0), "way");
        test_near((tc_real)(2.5 * mu * GRAVITY * slips / 0.1), sc.v[4], TC_C(10.0) * EXACT,
                  TC_C(1e-5), "spin");
    }
}

/* A box that stands on an edge and sticks there is a pendulum. Its angle is that of the line from
 * the edge to the centre with the vertical. */
static void test_box_tips_over_edge(void)
{
    const tc_sdf box = TC_SDF_BOX(TC_C(0.1), TC_C(0.15), TC_C(0.2), TC_C(0.0));
    const double l = sqrt(0.1 * 0.1 + 0.2 * 0.2), lean = atan2(0.1, 0.2);
    double angle = 0.05, rate = 0;
    set_scene(1, 1, TC_C(2.0), TC_C(0.0));
    set_body(0, box, TC_C(1.0));
    place_upright(0, (tc_real)(l * sin(angle)), TC_C(0.0), (tc_real)(l * cos(angle)));
    sc.q[3] = (tc_real)cos((angle + lean) / 2);
    sc.q[5] = (tc_real)sin((angle + lean) / 2);
    for (uint32_t i = 0; i < 20u; ++i) {
        roll_on(25, TC_C(0.001));
        for (int k = 0; k < 250; ++k) { /* Runge-Kutta, 0.1 ms */
            const double h = 1e-4, stiff = 0.75 * GRAVITY / l;
            const double a1 = stiff * sin(angle), r2 = rate + h / 2 * a1;
            const double a2 = stiff * sin(angle + h / 2 * rate), r3 = rate + h / 2 * a2;
            const double a3 = stiff * sin(angle + h / 2 * r2), r4 = rate + h * a3;
            const double a4 = stiff * sin(angle + h * r3);
            angle += h / 6 * (rate + 2 * r2 + 2 * r3 + r4);
            rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        test_near((tc_real)rate, sc.v[4], TC_C(30.0) * NEAR, TC_C(0.0), "rate");
        test_near((tc_real)(l * sin(angle)), sc.q[0], NEAR, TC_C(0.0), "x");
        test_near((tc_real)(l * cos(angle)), sc.q[2], NEAR, TC_C(0.0), "z");
    }
}

/* Dropped with e = 1/2: it comes to rest in finite time, and stays where it is. */
static void test_drop_comes_to_rest(void)
{
    const tc_sdf cube = TC_SDF_BOX(TC_C(0.1), TC_C(0.1), TC_C(0.1), TC_C(0.0));
    set_scene(2, 1, TC_C(0.5), TC_C(0.5));
    set_body(0, cube, TC_C(1.0));
    set_body(1, cube, TC_C(2.0));
    place_upright(0, TC_C(0.0), TC_C(0.0), TC_C(0.15));
    place_upright(1, TC_C(0.02), TC_C(0.01), TC_C(0.4));
    roll_on(300, TC_C(0.005));
    const tc_real x[2] = {sc.q[0], sc.q[7]};
    roll_on(200, TC_C(0.005));
    test_near(TC_C(0.1), sc.q[2], TC_C(2.0) * TOUCH, TC_C(0.0), "lower");
    test_near(TC_C(0.3), sc.q[9], TC_C(4.0) * TOUCH, TC_C(0.0), "upper");
    for (uint32_t k = 0; k < 2u; ++k) {
        test_near(x[k], sc.q[7u * k], TC_C(2.0) * TOUCH, TC_C(0.0), "stays");
    }
    TEST_ASSERT_GREATER_THAN(0, info.touches);
}

/* A box on a slope holds if the slope is below mu, and slides as its formula says above it. */
static void test_box_on_slope(void)
{
    const tc_sdf box = TC_SDF_BOX(TC_C(0.1), TC_C(0.1), TC_C(0.05), TC_C(0.02));
    for (uint32_t k = 0; k < 2u; ++k) {
        const double mu = k == 0u ? 0.6 : 0.4, slope = 0.5;
        set_scene(1, 1, (tc_real)mu, TC_C(0.0));
        set_body(0, box, TC_C(1.0));
        place_upright(0, TC_C(0.0), TC_C(0.0), TC_C(0.05));
        sc.scene.gravity[0] = (tc_real)(GRAVITY * sin(slope));
        sc.scene.gravity[2] = (tc_real)(-GRAVITY * cos(slope));
        roll_on(50, TC_C(0.01));
        const double a = GRAVITY * (sin(slope) - mu * cos(slope));
        test_near(k == 0u ? TC_C(0.0) : (tc_real)(a * 0.125), sc.q[0], EXACT, TC_C(0.0), "way");
    }
}

/* ---- Expected impulses ----------------------------------------------------------------------- */

/* A step that expects the impulses of the one before */
static void roll_warm(uint32_t steps, tc_real h, tc_scene_step_info *last)
{
    for (uint32_t i = 0; i < steps; ++i) {
        const tc_scene_step_info before = *last;
        config.warm = &before;
        roll_on(1, h);
        *last = info;
    }
    config.warm = NULL;
}

/* Two boxes on each other. A force that friction holds changes nothing, and nothing is solved: the
 * impulses stay. One beyond the limit slides the lower box away at once, one upwards lifts the upper. */
static void test_expected_impulses_hold(void)
{
    const tc_sdf box = TC_SDF_BOX(TC_C(0.2), TC_C(0.2), TC_C(0.05), TC_C(0.01));
    for (uint32_t k = 0; k < 3u; ++k) {
        static tc_scene_step_info last;
        const double h = 0.005, push = k == 1u ? 25.0 : 2.0, lift = k == 2u ? 15.0 : 0.0;
        double pressed = 0;
        memset(&last, 0, sizeof last);
        set_scene(2, 1, TC_C(0.5), TC_C(0.0));
        set_body(0, box, TC_C(1.0));
        set_body(1, box, TC_C(1.0));
        place_upright(0, TC_C(0.0), TC_C(0.0), TC_C(0.05));
        place_upright(1, TC_C(0.0), TC_C(0.0), TC_C(0.15));
        wrench = (tc_scene_wrench){.force = {TC_C(2.0)}};
        movers[0].wrench_ref = movers[1].wrench_ref = NULL;
        movers[k == 2u ? 1u : 0u].wrench_ref = &wrench;
        roll_warm(30, (tc_real)h, &last);
        TEST_ASSERT_EQUAL(0, last.solves);
        for (uint32_t i = 0; i < last.touches; ++i) {
            if (last.touch[i].source != 0u) pressed += (double)last.touch[i].impulse[2];
        }
        test_near((tc_real)(2.0 * GRAVITY * h), (tc_real)pressed, TC_C(1e-5), TC_C(0.0), "weight");
        wrench = (tc_scene_wrench){.force = {(tc_real)push, TC_C(0.0), (tc_real)lift}};
        roll_warm(20, (tc_real)h, &last);
        /* the limits: 10 N at the floor, 5 N between the boxes */
        const double way = k == 1u ? (25.0 - 10.0 - 5.0) * 0.1 * 0.1 / 2 : 0.0;
        test_near((tc_real)way, sc.q[0], TC_C(10.0) * EXACT, TC_C(0.0), "lower");
        test_near(TC_C(0.05), sc.q[2], TC_C(2.0) * TOUCH, TC_C(0.0), "on the floor");
        const double high = k == 2u ? 0.15 + 5.0 * 0.1 * 0.1 / 2 : 0.15;
        test_near((tc_real)high, sc.q[9], TC_C(10.0) * EXACT, TC_C(0.0), "upper");
    }
}

/* A hull with a reach has the contacts that it has without. */
static void test_reach_of_hull(void)
{
    static const tc_real corners[12] = {TC_C(0.1),  TC_C(0.0), TC_C(-0.05), TC_C(-0.1),
                                        TC_C(0.05), TC_C(0.0), TC_C(0.0),   TC_C(-0.1),
                                        TC_C(0.1),  TC_C(0.0), TC_C(0.0),   TC_C(0.12)};
    static const tc_shape3 hull = {corners, 4, TC_C(0.01)};
    static const tc_plane3 ground = {.normal = {TC_C(0.6), TC_C(0.0), TC_C(0.8)}};
    const tc_sdf cube = TC_SDF_BOX(TC_C(0.1), TC_C(0.1), TC_C(0.1), TC_C(0.0));
    uint32_t near = 0;
    test_seed(1523);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        static tc_scene_contact found[2][TC_SCENE_CONTACTS_MAX];
        uint32_t count[2];
        tc_real size = TC_C(0.0);
        set_scene(1, 1, TC_C(0.5), TC_C(0.0));
        set_body(0, cube, TC_C(1.0));
        surfaces[0] = (tc_scene_surface){.shape3 = &hull};
        surfaces[1] = (tc_scene_surface){.mover = TC_SCENE_WORLD, .plane3 = &ground};
        place_upright(0, test_uniform(TC_C(-0.1), TC_C(0.1)), TC_C(0.0),
                      test_uniform(TC_C(0.0), TC_C(0.4)));
        test_fill(sc.q + 3, 4, TC_C(-1.0), TC_C(1.0));
        for (uint32_t k = 0; k < 4u; ++k) size += sc.q[3u + k] * sc.q[3u + k];
        for (uint32_t k = 0; k < 4u; ++k) sc.q[3u + k] /= (tc_real)sqrt((double)size);
        for (uint32_t k = 0; k < 2u; ++k) {
            tc_scene_contacts contacts = {.contact = found[k], .max = TC_SCENE_CONTACTS_MAX};
            tc_scene_placed placed;
            memset(found[k], 0, sizeof found[k]);
            surfaces[0].reach = k == 1u ? TC_C(0.16) : TC_C(0.0); /* |corner| + radius: 0.152 */
            TEST_ASSERT_EQUAL(TC_OK, tc_scene_check(&sc.scene, NULL));
            TEST_ASSERT_EQUAL(TC_OK,
                              tc_scene_open(&sc.scene, &placed, scene_case_work, SCENE_CASE_WORK));
            TEST_ASSERT_EQUAL(TC_OK, tc_scene_place(&placed, sc.q, sc.v));
            tc_scene_find(&placed, TC_C(0.03), &contacts);
            count[k] = contacts.count;
        }
        TEST_ASSERT_EQUAL(count[0], count[1]);
        TEST_ASSERT_EQUAL_MEMORY(found[0], found[1], sizeof found[0]);
        near += count[0] > 0u;
    }
    TEST_ASSERT_GREATER_THAN(TEST_ROUNDS(200) / 8u, near);
    TEST_ASSERT_GREATER_THAN(near, TEST_ROUNDS(200));
}

/* ---- Flight ---------------------------------------------------------------------------------- */

/* Body rates and angular momentum under a constant torque in world axes: L = L0 + t torque, and
 * omega from R, which turns by omega; midpoints in small steps */
static void follow_spin(double R[9], const double moments[3], double L[3], const double torque[3],
                        double time, uint32_t steps, double omega[3])
{
    const double h = time / steps;
    for (uint32_t i = 0; i <= steps; ++i) {
        double half[9];
        for (uint32_t part = 0; part < 2u; ++part) {
            const double *const at = part == 0u ? R : half;
            double own[3], w[3], turned[9];
            for (uint32_t k = 0; k < 3u; ++k) {
                own[k] = (at[k] * L[0] + at[3u + k] * L[1] + at[6u + k] * L[2]) / moments[k];
            }
            for (uint32_t k = 0; k < 3u; ++k) {
                w[k] = at[3u * k] * own[0] + at[3u * k + 1u] * own[1] + at[3u * k + 2u] * own[2];
            }
            if (part == 0u) memcpy(omega, w, sizeof w);
            if (i == steps) return;
            const double step = part == 0u ? h / 2 : h,
                         size = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) + 1e-300;
            const double c = cos(size * step), s = sin(size * step);
            for (uint32_t k = 0; k < 3u; ++k) w[k] /= size;
            for (uint32_t j = 0; j < 3u; ++j) { /* Rodrigues' formula on the columns */
                const double x[3] = {R[j], R[3u + j], R[6u + j]};
                const double along = w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
                for (uint32_t k = 0; k < 3u; ++k) {
                    const uint32_t a = (k + 1u) % 3u, b = (k + 2u) % 3u;
                    turned[3u * k + j] =
                        c * x[k] + s * (w[a] * x[b] - w[b] * x[a]) + (1 - c) * along * w[k];
                }
            }
            memcpy(part == 0u ? half : R, turned, sizeof turned);
            for (uint32_t k = 0; k < 3u; ++k) L[k] += h / 2 * torque[k];
        }
    }
}

#ifdef __arm__
#define SPIN_STEPS 400u
#define SPIN_ERROR TC_C(2e-3)
#elif defined(TC_DOUBLE)
#define SPIN_STEPS 20000u
#define SPIN_ERROR TC_C(1e-6)
#else
#define SPIN_STEPS 4000u
#define SPIN_ERROR TC_C(1e-4)
#endif

/* Steps of 1/30 s for 1 s, with and without a torque */
static void test_spin_follows_momentum(void)
{
    const tc_sdf box = TC_SDF_BOX(TC_C(0.1), TC_C(0.2), TC_C(0.3), TC_C(0.0));
    for (uint32_t k = 0; k < 2u; ++k) {
        double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, L[3], moments[3], w[3];
        const double torque[3] = {k * 0.02, k * -0.01, k * 0.03};
        const tc_real start[3] = {TC_C(1.0), TC_C(4.0), TC_C(-2.0)};
        set_scene(1, 1, TC_C(0.5), TC_C(0.5));
        set_body(0, box, TC_C(1.0));
        place_upright(0, TC_C(0.0), TC_C(0.0), TC_C(50.0));
        wrench = (tc_scene_wrench){
            .torque = {(tc_real)torque[0], (tc_real)torque[1], (tc_real)torque[2]}};
        movers[0].wrench_ref = &wrench;
        for (uint32_t i = 0; i < 3u; ++i) {
            sc.v[3u + i] = start[i];
            moments[i] = (double)body[0].inertia[i];
            L[i] = moments[i] * (double)start[i];
        }
        roll_on(30, TC_C(1.0) / TC_C(30.0));
        follow_spin(R, moments, L, torque, 1.0, SPIN_STEPS, w);
        for (uint32_t i = 0; i < 3u; ++i) {
            test_near((tc_real)w[i], sc.v[3u + i], SPIN_ERROR, TC_C(0.0), "omega");
        }
        test_near(TC_C(45.0), sc.q[2], EXACT, TC_C(0.0), "fall");
    }
}

/* ---- Two bodies ------------------------------------------------------------------------------ */

/* Linear momentum, and angular momentum about the world's origin; returns the kinetic energy. */
static double momentum_of(double p[6])
{
    double energy = 0;
    memset(p, 0, 6u * sizeof *p);
    for (uint32_t m = 0; m < 2u; ++m) {
        const tc_real *const q = sc.q + 7u * m, *const v = sc.v + 6u * m;
        const double w = (double)q[3], x = (double)q[4], y = (double)q[5], z = (double)q[6];
        const double R[9] = {
            1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
        double L[3] = {0}, mass = (double)body[m].mass;
        for (uint32_t k = 0; k < 3u; ++k) {
            double own = 0;
            for (uint32_t i = 0; i < 3u; ++i) own += R[3u * i + k] * (double)v[3u + i];
            const double moment = (double)body[m].inertia[k];
            for (uint32_t i = 0; i < 3u; ++i) L[i] += R[3u * i + k] * own * moment;
            energy += (moment * own * own + mass * (double)v[k] * (double)v[k]) / 2;
        }
        for (uint32_t k = 0; k < 3u; ++k) {
            const uint32_t a = (k + 1u) % 3u, b = (k + 2u) % 3u;
            p[k] += mass * (double)v[k];
            p[3u + k] += L[k] + mass * ((double)q[a] * (double)v[b] - (double)q[b] * (double)v[a]);
        }
    }
    return energy;
}

/* Boxes and cylinders that fly into each other without gravity: momenta stay, energy does not
 * grow. */
static void test_collision_keeps_momentum(void)
{
    uint32_t met = 0;
    test_seed(1522);
    for (uint32_t round = 0; round < TEST_ROUNDS(24); ++round) {
        const tc_sdf of[2] = {TC_SDF_BOX(TC_C(0.1), TC_C(0.07), TC_C(0.05), TC_C(0.01)),
                              TC_SDF_CYLINDER(TC_C(0.06), TC_C(0.1), TC_C(0.02))};
        double before[6], after[6];
        set_scene(2, 0, test_uniform(TC_C(0.0), TC_C(1.0)), test_uniform(TC_C(0.0), TC_C(1.0)));
        sc.scene.gravity[2] = TC_C(0.0);
        for (uint32_t m = 0; m < 2u; ++m) {
            tc_real *const q = sc.q + 7u * m, *const v = sc.v + 6u * m, size = TC_C(0.0);
            set_body(m, of[(round + m) % 2u], test_uniform(TC_C(0.5), TC_C(2.0)));
            test_fill(q, 7, TC_C(-0.02), TC_C(0.02));
            test_fill(q + 3, 4, TC_C(-1.0), TC_C(1.0));
            for (uint32_t k = 0; k < 4u; ++k) size += q[3u + k] * q[3u + k];
            for (uint32_t k = 0; k < 4u; ++k) q[3u + k] /= (tc_real)sqrt((double)size);
            q[0] += m == 0u ? TC_C(-0.3) : TC_C(0.3);
            test_fill(v, 6, TC_C(-0.5), TC_C(0.5));
            v[0] = m == 0u ? TC_C(1.0) : TC_C(-1.0);
        }
        const double energy = momentum_of(before);
        for (uint32_t i = 0; i < 50u; ++i) {
            roll_on(1, TC_C(0.01));
            met += info.impacts > 0u ? 1u : 0u;
        }
        TEST_ASSERT_TRUE(momentum_of(after) <= energy * (1 + 1e3 * (double)TC_EPSILON));
        for (uint32_t k = 0; k < 6u; ++k) {
            test_near((tc_real)before[k], (tc_real)after[k], TC_C(200.0) * TC_EPSILON, TC_C(0.0),
                      "momentum");
        }
    }
    TEST_ASSERT_GREATER_THAN(0, met);
}

/* A box that hits the floor with a corner, without gravity; returns the corner's speed upwards after
 * over that downwards before. */
static double bounce_corner(tc_scene_step_bounce bounce, const tc_real q[7], const tc_real v[6],
                            tc_real mu)
{
    const tc_sdf box = TC_SDF_BOX(TC_C(0.1), TC_C(0.2), TC_C(0.3), TC_C(0.0));
    const double w = (double)q[3], x = (double)q[4], y = (double)q[5], z = (double)q[6];
    const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    static const double half[3] = {0.1, 0.2, 0.3};
    double r[3] = {0}, speed[2];
    for (uint32_t j = 0; j < 3u; ++j) { /* the lowest corner */
        const double c = R[6u + j] > 0 ? -half[j] : half[j];
        for (uint32_t i = 0; i < 3u; ++i) r[i] += R[3u * i + j] * c;
    }
    set_scene(1, 1, mu, TC_C(0.6));
    sc.scene.gravity[2] = TC_C(0.0);
    set_body(0, box, TC_C(1.0));
    memcpy(sc.q, q, 7u * sizeof *q);
    memcpy(sc.v, v, 6u * sizeof *v);
    sc.q[2] = (tc_real)-r[2];
    for (uint32_t k = 0; k < 2u; ++k) {
        const tc_real *const o = sc.v + 3;
        speed[k] = (double)sc.v[2] + (double)o[0] * r[1] - (double)o[1] * r[0];
        config.bounce = bounce;
        if (k == 0u) roll_on(1, TC_C(1e-6));
    }
    return -speed[1] / speed[0];
}

/* Newton's restitution gives each corner e times its speed; Poisson's does without friction. */
static void test_newton_restitution(void)
{
    uint32_t other = 0;
    test_seed(1524);
    for (uint32_t round = 0; round < TEST_ROUNDS(40); ++round) {
        tc_real q[7] = {TC_C(0.0)}, v[6], size = TC_C(0.0);
        const tc_real mu = test_uniform(TC_C(0.1), TC_C(1.0));
        test_fill(q + 3, 4, TC_C(-1.0), TC_C(1.0));
        for (uint32_t k = 0; k < 4u; ++k) size += q[3u + k] * q[3u + k];
        for (uint32_t k = 0; k < 4u; ++k) q[3u + k] /= (tc_real)sqrt((double)size);
        test_fill(v, 6, TC_C(-1.0), TC_C(1.0));
        v[2] = TC_C(-3.0);
        const double newton = bounce_corner(TC_SCENE_STEP_NEWTON, q, v, mu);
        const double poisson = bounce_corner(TC_SCENE_STEP_POISSON, q, v, mu);
        const double smooth = bounce_corner(TC_SCENE_STEP_POISSON, q, v, TC_C(0.0));
        test_near(TC_C(0.6), (tc_real)newton, TC_C(2e-4), TC_C(0.0), "newton");
        test_near(TC_C(0.6), (tc_real)smooth, TC_C(2e-4), TC_C(0.0), "smooth");
        other += fabs(poisson - 0.6) > 1e-3;
    }
    TEST_ASSERT_GREATER_THAN(0, other);
    config.method = NULL;
    config.bounce = TC_SCENE_STEP_NEWTON;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, scene_case_step(&config, &info));
    config.method = &tc_scene_step_sustained;
    config.bounce = (tc_scene_step_bounce)2;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, scene_case_step(&config, &info));
}

/* Two equal cubes meet head on, both spinning: the mirror of one is the other. */
static void test_symmetric_pair(void)
{
    const tc_sdf cube = TC_SDF_BOX(TC_C(0.1), TC_C(0.1), TC_C(0.1), TC_C(0.02));
    set_scene(2, 0, TC_C(0.3), TC_C(0.5));
    sc.scene.gravity[2] = TC_C(0.0);
    for (uint32_t m = 0; m < 2u; ++m) {
        const tc_real side = m == 0u ? TC_C(-1.0) : TC_C(1.0);
        set_body(m, cube, TC_C(1.0));
        place_upright(m, side * TC_C(0.3), TC_C(0.0), TC_C(0.0));
        sc.v[6u * m] = -side;
        sc.v[6u * m + 4u] = side * TC_C(2.0);
    }
    roll_on(40, TC_C(0.01));
    static const tc_real mirror[6] = {TC_C(-1.0), TC_C(1.0),  TC_C(1.0),
                                      TC_C(1.0),  TC_C(-1.0), TC_C(-1.0)};
    for (uint32_t k = 0; k < 6u; ++k) {
        test_near(mirror[k] * sc.v[k], sc.v[6u + k], EXACT, TC_C(0.0), "mirrored");
    }
    TEST_ASSERT_TRUE(sc.v[0] < TC_C(0.0));
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void set_cube(void)
{
    const tc_sdf cube = TC_SDF_BOX(TC_C(0.1), TC_C(0.1), TC_C(0.1), TC_C(0.0));
    set_scene(1, 1, TC_C(0.5), TC_C(0.0));
    set_body(0, cube, TC_C(1.0));
    place_upright(0, TC_C(0.0), TC_C(0.0), TC_C(1.0));
    config.h = TC_C(0.01);
}

static void test_method_refuses(void)
{
    set_cube();
    movers[0] =
        (tc_scene_mover){.kind = TC_SCENE_PARTICLE, .mass = TC_C(1.0), .wrench_ref = &wrench};
    sc.scene.pairs = 0;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, scene_case_step(&config, &info));
    set_cube();
    movers[0].wrench_ref = &wrench;
    TEST_ASSERT_EQUAL(TC_OK, scene_case_step(&config, &info));
    config.method = NULL;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, scene_case_step(&config, &info));
    set_cube();
    config.rest = TC_C(-1.0);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, scene_case_step(&config, &info));
    config.rest = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, scene_case_step(&config, &info));
}

static void test_surfaces_refused(void)
{
    static const tc_real middle[3];
    static const tc_shape3 point = {middle, 1, TC_C(0.1)};
    tc_scene_fault fault;
    set_cube();
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_check(&sc.scene, &fault));
    sc.scene.meeting = NULL;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_scene_check(&sc.scene, &fault));
    TEST_ASSERT_EQUAL(TC_SCENE_TABLE_SURFACE, fault.table);
    set_cube();
    shape[0].size[0] = TC_C(-1.0);
    TEST_ASSERT_EQUAL(TC_ERR_SHAPE, tc_scene_check(&sc.scene, &fault));
    set_cube();
    surfaces[0].reach = TC_C(-1.0);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_scene_check(&sc.scene, &fault));
    surfaces[0].reach = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_scene_check(&sc.scene, &fault));
    set_cube();
    surfaces[0] = (tc_scene_surface){.shape3 = &point, .reach = TC_C(-1.0)};
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_scene_check(&sc.scene, &fault));
    set_cube();
    pose[0].rotation[0] = TC_C(0.5);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_scene_check(&sc.scene, &fault));
    TEST_ASSERT_EQUAL(1, fault.index);
    set_cube();
    surfaces[0].centred = 1;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_scene_check(&sc.scene, &fault));
    set_cube();
    movers[0].kind = TC_SCENE_PARTICLE;
    movers[0].mass = TC_C(1.0);
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_scene_check(&sc.scene, &fault));
    set_cube();
    surfaces[1].sdf = NULL;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_scene_check(&sc.scene, &fault));
}

static void test_reach_holds_shape(void)
{
    const tc_sdf part[2] = {TC_SDF_CAPSULE(TC_C(0.1), TC_C(0.2)), TC_SDF_SPHERE(TC_C(0.3))};
    const tc_sdf_part parts[2] = {{&part[0], {TC_C(0.0), TC_C(0.0), TC_C(1.0)}, NULL},
                                  {&part[1], {TC_C(0.5), TC_C(0.0), TC_C(0.0)}, NULL}};
    const tc_sdf_parts all = {parts, 2};
    const tc_sdf both = TC_SDF_DATA(tc_sdf_union, &all), floor = TC_SDF_HALFSPACE;
    const tc_sdf box = TC_SDF_BOX(TC_C(0.3), TC_C(0.4), TC_C(1.2), TC_C(0.1));
    const tc_sdf cylinder = TC_SDF_CYLINDER(TC_C(0.3), TC_C(0.4), TC_C(0.0));
    test_near(TC_C(1.3), tc_scene_shapes_reach(&both), TC_C(1e-6), TC_C(0.0), "union");
    test_near(TC_C(1.3), tc_scene_shapes_reach(&box), TC_C(1e-6), TC_C(0.0), "box");
    test_near(TC_C(0.5), tc_scene_shapes_reach(&cylinder), TC_C(1e-6), TC_C(0.0), "cylinder");
    TEST_ASSERT_TRUE(tc_scene_shapes_reach(&floor) == TC_C(0.0));
    TEST_ASSERT_TRUE(tc_scene_shapes_reach(NULL) == TC_C(0.0));
}

void suite_scene_sustained(void)
{
    RUN_TEST(test_ball_between_walls);
    RUN_TEST(test_pushed_box_slides);
    RUN_TEST(test_ball_begins_to_roll);
    RUN_TEST(test_box_tips_over_edge);
    RUN_TEST(test_drop_comes_to_rest);
    RUN_TEST(test_box_on_slope);
    RUN_TEST(test_expected_impulses_hold);
    RUN_TEST(test_reach_of_hull);
    RUN_TEST(test_spin_follows_momentum);
    RUN_TEST(test_collision_keeps_momentum);
    RUN_TEST(test_newton_restitution);
    RUN_TEST(test_symmetric_pair);
    RUN_TEST(test_method_refuses);
    RUN_TEST(test_surfaces_refused);
    RUN_TEST(test_reach_holds_shape);
}
