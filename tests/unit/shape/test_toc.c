/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Time of contact: a ball over a plane against the root of its parabola; tumbling boxes over a
 * plane against the first root of their lowest corner, bracketed in double by small steps and
 * halved; two tumbling bodies against their own distance; derivatives against differences of the
 * oracle in double.
 */
#include "pose_case.h"

#include <math.h>

#ifdef __arm__
#define TOC_ROUNDS 8u
#else
#define TOC_ROUNDS 400u
#endif

#define STEP (1.0 / 30)

static tc_sdf shape[2];
static tc_toc_motion motion[2];
static tc_toc found;

static void rest_on_ground(uint32_t side)
{
    static const double still[4] = {1, 0, 0, 0};
    const tc_sdf ground = TC_SDF_HALFSPACE;
    memset(&motion[side], 0, sizeof motion[side]);
    pose_rotation(still, motion[side].pose.rotation);
    shape[side] = ground;
}

/* A body at a height, thrown, with g downwards */
static void throw_body(double height, double down, double spin)
{
    double q[4];
    tc_real x[12];
    test_fill(x, 12, -1, 1);
    memset(&motion[0], 0, sizeof motion[0]);
    for (uint32_t k = 0; k < 4; ++k) q[k] = (double)x[k];
    pose_rotation(q, motion[0].pose.rotation);
    for (uint32_t k = 0; k < 3; ++k) {
        motion[0].pose.position[k] = x[4 + k];
        motion[0].velocity[k] = x[7 + k];
        motion[0].angular_velocity[k] = (tc_real)spin * x[k];
    }
    motion[0].pose.position[2] = (tc_real)height;
    motion[0].velocity[2] = (tc_real)-down;
    motion[0].acceleration[2] = TC_C(-9.81);
}

static tc_status find(void)
{
    return tc_toc_find(&shape[0], &motion[0], &shape[1], &motion[1], (tc_real)STEP, &found, NULL,
                       0);
}

/* ---- The oracle: a rounded box over the plane z = 0 ------------------------------------------ */

typedef struct box_flight {
    double half[3], r, R[9], x[3], v[3], w[3], g[3];
} box_flight;

static void flight_of(box_flight *f)
{
    for (uint32_t k = 0; k < 9; ++k) f->R[k] = (double)motion[0].pose.rotation[k];
    f->r = (double)shape[0].size[3];
    for (uint32_t k = 0; k < 3; ++k) {
        f->half[k] = (double)shape[0].size[k] - f->r;
        f->x[k] = (double)motion[0].pose.position[k];
        f->v[k] = (double)motion[0].velocity[k];
        f->w[k] = (double)motion[0].angular_velocity[k];
        f->g[k] = (double)motion[0].acceleration[k];
    }
}

/* The height of the lowest corner: Rodrigues's formula for its third row */
static double lowest_corner(const box_flight *f, double h)
{
    const double angle = h * sqrt(f->w[0] * f->w[0] + f->w[1] * f->w[1] + f->w[2] * f->w[2]);
    double u[3] = {0, 0, 0}, row[3], low = f->x[2] + h * f->v[2] + 0.5 * h * h * f->g[2] - f->r;
    for (uint32_t k = 0; k < 3 && angle > 0; ++k) u[k] = h * f->w[k] / angle;
    const double c = cos(angle), s = sin(angle);
    const double turn[3] = {u[2] * u[0] * (1 - c) - u[1] * s, u[2] * u[1] * (1 - c) + u[0] * s,
                            u[2] * u[2] * (1 - c) + c};
    for (uint32_t j = 0; j < 3; ++j) {
        row[j] = turn[0] * f->R[j] + turn[1] * f->R[3 + j] + turn[2] * f->R[6 + j];
        low -= fabs(row[j]) * f->half[j];
    }
    return low;
}

/* The first root in (0, step], by 400 steps and halving; -1: none */
static double first_contact(const box_flight *f)
{
    for (uint32_t i = 1; i <= 400; ++i) {
        double low = STEP * (i - 1) / 400, high = STEP * i / 400;
        if (lowest_corner(f, high) > 0) continue;
        for (uint32_t k = 0; k < 60; ++k) {
            const double middle = 0.5 * (low + high);
            if (lowest_corner(f, middle) > 0)
                low = middle;
            else
                high = middle;
        }
        return high;
    }
    return -1;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void test_a_ball_meets_the_floor(void)
{
    const tc_sdf ball = TC_SDF_SPHERE(TC_C(0.1));
    double sum = 0, most = 0;
    uint32_t asked = 0, detections = 0;
    tc_toc_rows rows;
    test_seed(15201);
    rest_on_ground(1);
    shape[0] = ball;
    for (uint32_t round = 0; round < TEST_ROUNDS(2 * TOC_ROUNDS); ++round) {
        const double down = (double)test_uniform(TC_C(0.1), 3);
        throw_body(0.1 + (double)test_uniform(TC_C(0.001), TC_C(0.09)), down, 5);
        const double d = (double)motion[0].pose.position[2] - (double)shape[0].size[0], g = 9.81;
        const double speed = (double)motion[0].velocity[2];
        const double exact = (speed + sqrt(speed * speed + 2 * g * d)) / g;
        TEST_ASSERT_EQUAL_INT(TC_OK, find());
        if (exact > STEP) {
            TEST_ASSERT_EQUAL_INT(TC_TOC_NONE, found.outcome);
            TEST_ASSERT_EQUAL_UINT32(2, found.detections);
            continue;
        }
        TEST_ASSERT_EQUAL_INT(TC_TOC_CONTACT, found.outcome);
        const double error = fabs((double)found.time - exact) / STEP;
        ++asked;
        sum += error;
        most = fmax(most, error);
        detections += found.detections;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_toc_grad(&motion[0], &motion[1], &found, NULL, 0, &rows));
        const double rate = -(speed - g * exact);
        test_near((tc_real)(1 / rate), rows.position[0][2], TC_C(1e-5), TC_C(1e-4), "position");
        test_near((tc_real)(-1 / rate), rows.position[1][2], TC_C(1e-5), TC_C(1e-4), "ground");
        test_near((tc_real)(exact / rate), rows.velocity[0][2], TC_C(1e-5), TC_C(1e-4), "velocity");
        test_near((tc_real)(0.5 * exact * exact / rate), rows.acceleration[0][2], TC_C(1e-6),
                  TC_C(2e-4), "acceleration");
        test_near((tc_real)(-1 / rate), rows.radius, TC_C(1e-5), TC_C(1e-4), "radius");
        test_near(0, rows.rotation[0][0], TC_C(1e-5), 0, "a ball may turn");
    }
    TEST_ASSERT_TRUE(asked >= TEST_ROUNDS(2 * TOC_ROUNDS) / 4);
    TEST_ASSERT_TRUE(sum <= 1e-5 * asked && most <= 1e-4);
    TEST_ASSERT_TRUE(detections <= 3 * asked);
}

/* A box that tumbles, with gravity; 1 if the oracle has a contact that does not graze */
static int tumble(uint32_t round, box_flight *flight, double *exact)
{
    tc_real h[3];
    test_fill(h, 3, TC_C(0.03), TC_C(0.1));
    const tc_sdf box = TC_SDF_BOX(h[0], h[1], h[2], round % 2 ? TC_C(0.02) : 0);
    shape[0] = box;
    const double height = (double)test_uniform(TC_C(0.06), TC_C(0.2)); /* arguments have no order */
    throw_body(height, (double)test_uniform(TC_C(0.1), 3), 10);
    flight_of(flight);
    if (lowest_corner(flight, 0) < 1e-4) return 0;
    *exact = first_contact(flight);
    return 1;
}

static void test_a_box_tumbles_to_the_floor(void)
{
    double sum = 0, most = 0, exact;
    uint32_t asked = 0, detections = 0, grazes = 0;
    box_flight flight;
    test_seed(15202);
    rest_on_ground(1);
    for (uint32_t round = 0; round < TEST_ROUNDS(4 * TOC_ROUNDS); ++round) {
        if (!tumble(round, &flight, &exact)) continue;
        TEST_ASSERT_EQUAL_INT(TC_OK, find());
        TEST_ASSERT_TRUE(found.detections <= TC_TOC_DETECTIONS);
        if (exact < 0 && found.outcome == TC_TOC_NONE) continue;
        if (found.outcome == TC_TOC_GRAZES) {
            ++grazes;
            continue;
        }
        TEST_ASSERT_TRUE(exact > 0);
        TEST_ASSERT_EQUAL_INT(TC_TOC_CONTACT, found.outcome);
        const double error = fabs((double)found.time - exact) / STEP;
        ++asked;
        sum += error;
        most = fmax(most, error);
        detections += found.detections;
    }
    TEST_ASSERT_TRUE(asked >= TEST_ROUNDS(4 * TOC_ROUNDS) / 4);
    TEST_ASSERT_TRUE(grazes * 20 <= asked);
    TEST_ASSERT_TRUE(sum <= 1e-5 * asked && most <= 1e-4);
    TEST_ASSERT_TRUE(detections <= 4 * asked);
}

/* R turned by the vector d in world axes, to first order and orthonormal to second */
static void turn_flight(box_flight *f, const double d[3])
{
    double R[9];
    memcpy(R, f->R, sizeof R);
    for (uint32_t j = 0; j < 3; ++j) {
        const double c[3] = {R[j], R[3 + j], R[6 + j]};
        f->R[j] += d[1] * c[2] - d[2] * c[1];
        f->R[3 + j] += d[2] * c[0] - d[0] * c[2];
        f->R[6 + j] += d[0] * c[1] - d[1] * c[0];
    }
}

/* The change of the oracle's time by number k: position, rotation, velocity, angular velocity,
 * acceleration, rounding with a fixed core */
static double oracle_derivative(const box_flight *flight, uint32_t k, double unit)
{
    double time[2];
    for (uint32_t i = 0; i < 2; ++i) {
        box_flight f = *flight;
        double *const number[5] = {f.x, NULL, f.v, f.w, f.g};
        const double by = i ? unit : -unit;
        double turn[3] = {0, 0, 0};
        turn[k % 3] = by;
        if (k == 15)
            f.r += by;
        else if (k / 3 == 1)
            turn_flight(&f, turn);
        else
            number[k / 3][k % 3] += by;
        time[i] = first_contact(&f);
        if (time[i] < 0) return 1e9;
    }
    return (time[1] - time[0]) / (2 * unit);
}

static void test_derivatives_are_differences(void)
{
    static const char *const name[6] = {"position", "rotation",     "velocity",
                                        "spin",     "acceleration", "radius"};
    uint32_t asked = 0;
    box_flight flight;
    double exact;
    test_seed(15203);
    rest_on_ground(1);
    for (uint32_t round = 0; round < TEST_ROUNDS(TOC_ROUNDS); ++round) {
        tc_toc_rows rows;
        if (!tumble(round, &flight, &exact) || exact < 0) continue;
        TEST_ASSERT_EQUAL_INT(TC_OK, find());
        if (found.outcome != TC_TOC_CONTACT || found.speed > TC_C(-0.3)) continue;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_toc_grad(&motion[0], &motion[1], &found, NULL, 0, &rows));
        const tc_real *const row[5] = {rows.position[0], rows.rotation[0], rows.velocity[0],
                                       rows.angular_velocity[0], rows.acceleration[0]};
        ++asked;
        for (uint32_t k = 0; k < 16; ++k) {
            const double fine = oracle_derivative(&flight, k, 1e-7);
            const double coarse = oracle_derivative(&flight, k, 1e-6);
            if (fabs(fine - coarse) > 1e-4 * fabs(fine) + 1e-7) continue; /* another corner */
            const tc_real got = k < 15 ? row[k / 3][k % 3] : rows.radius;
            const double scale = 1 / fabs((double)found.speed);
            const double unit = k / 3 == 0 || k == 15 ? 1
                                : k / 3 == 1          ? 0.1
                                : k / 3 == 4          ? STEP * STEP
                                : k / 3 == 3          ? 0.1 * STEP
                                                      : STEP;
            test_near((tc_real)fine, got, (tc_real)(1e-3 * scale * unit), TC_C(1e-3), name[k / 3]);
        }
    }
    TEST_ASSERT_TRUE(asked >= TEST_ROUNDS(TOC_ROUNDS) / 8);
}

/* ---- Two moving bodies ----------------------------------------------------------------------- */

static tc_real distance_at(double h, tc_convex_gap *gap)
{
    tc_convex_pose at[2];
    for (uint32_t i = 0; i < 2; ++i)
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_toc_pose(&motion[i], (tc_real)h, &at[i]));
    TEST_ASSERT_TRUE(
        tc_meet_distance(&shape[0], &at[0], &shape[1], &at[1], TC_MEET_DEEPEST, gap, NULL, 0)
        >= TC_OK);
    return gap->distance;
}

static void random_body(uint32_t kind, tc_sdf *s)
{
    tc_real h[3];
    test_fill(h, 3, TC_C(0.03), TC_C(0.1));
    const tc_sdf choice[4] = {TC_SDF_BOX(h[0], h[1], h[2], TC_C(0.01)), TC_SDF_CAPSULE(h[0], h[1]),
                              TC_SDF_CYLINDER(h[0], h[1], TC_C(0.01)),
                              TC_SDF_BOX(h[0], h[1], h[2], 0)};
    *s = choice[kind % 4];
}

static void test_two_bodies_meet_in_flight(void)
{
    uint32_t asked = 0, limits = 0;
    test_seed(15204);
    for (uint32_t round = 0; round < TEST_ROUNDS(2 * TOC_ROUNDS); ++round) {
        tc_convex_gap gap;
        for (uint32_t i = 0; i < 2; ++i) {
            throw_body(0.3 * (1 - i), i ? -2 : 2, 10);
            motion[0].pose.position[0] *= TC_C(0.05);
            motion[0].pose.position[1] *= TC_C(0.05);
            if (i == 0) motion[1] = motion[0];
        }
        const tc_toc_motion kept = motion[0];
        motion[0] = motion[1];
        motion[1] = kept;
        random_body(round, &shape[0]);
        random_body(round / 4, &shape[1]);
        if (distance_at(0, &gap) < TC_C(1e-3)) continue;
        const tc_status status = find();
        limits += found.detections == TC_TOC_DETECTIONS;
        if (status < TC_OK || found.outcome == TC_TOC_GRAZES) continue;
        const double end = (double)found.time;
        for (uint32_t i = 0; i < 20; ++i) {
            TEST_ASSERT_TRUE_MESSAGE(distance_at(end * i / 20, &gap) > 0, "earlier contact");
        }
        if (found.outcome != TC_TOC_CONTACT) continue;
        ++asked;
        test_near(0, distance_at(end, &gap), -(tc_real)(1e-4 * STEP) * found.speed, 0, "touches");
    }
    TEST_ASSERT_TRUE(asked >= TEST_ROUNDS(2 * TOC_ROUNDS) / 16);
    TEST_ASSERT_TRUE(limits * 100 <= asked);
}

#if TEST_EXACT && !defined(TC_DOUBLE)
/* A stick that spins in front of a block's edge: neither end's parabola has the root, and without
 * halves of the bracket the detections are used up. Found among 60000 by leaving the halves out. */
static void test_halves_end_what_no_parabola_does(void)
{
    static const uint32_t seeds[4] = {631782571u, 1884692264u, 3457809866u, 3654041237u};
    static const double still[4] = {1, 0, 0, 0};
    const tc_sdf block = TC_SDF_BOX(TC_C(0.3), TC_C(0.3), TC_C(0.1), TC_C(0.0));
    for (uint32_t i = 0; i < 4u; ++i) {
        tc_convex_gap gap;
        double q[4];
        test_seed(seeds[i]);
        shape[0] = shape[1] = block;
        for (uint32_t k = 0; k < 3u; ++k)
            shape[0].size[k] = test_uniform(TC_C(0.005), k == 0u ? TC_C(0.4) : TC_C(0.02));
        memset(motion, 0, sizeof motion);
        for (uint32_t k = 0; k < 4u; ++k) q[k] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
        pose_rotation(q, motion[0].pose.rotation);
        test_fill(motion[0].pose.position, 3, TC_C(-0.3), TC_C(0.3));
        motion[0].pose.position[2] += TC_C(0.4);
        pose_set(&motion[1].pose, still, 0, 0, -0.1);
        test_fill(motion[0].velocity, 3, TC_C(-3.0), TC_C(3.0));
        test_fill(motion[0].angular_velocity, 3, TC_C(-40.0), TC_C(40.0));
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_toc_find(&shape[0], &motion[0], &shape[1], &motion[1],
                                                 TC_C(0.05), &found, NULL, 0));
        TEST_ASSERT_EQUAL_INT(TC_TOC_CONTACT, found.outcome);
        TEST_ASSERT_TRUE(found.detections > 7u && found.detections < TC_TOC_DETECTIONS);
        test_near(0, distance_at((double)found.time, &gap), TC_C(-5e-6) * found.speed, 0,
                  "touches");
    }
}
#endif

/* ---- Outcomes -------------------------------------------------------------------------------- */

/* Thrown at the floor and pulled back: down to `sunk` below it, and up again within the step. In a
 * drum's spin the search sees an acceleration that the distance does not have. */
static void meet_and_part(double spin)
{
    static const double lying[4] = {1, 1, 0, 0};
    test_seed(15205);
    for (uint32_t round = 0; round < TEST_ROUNDS(TOC_ROUNDS); ++round) {
        throw_body(0.105, 1, 0);
        const double v = 1 + 2 * (double)test_uniform(0, 1);
        const double depth = (double)test_uniform(TC_C(0.1), 1);
        const double up = v / (STEP * (0.3 + 0.5 * depth)); /* it turns at v / up */
        const double sunk = 1e-3 + 0.01 * depth;
        if (spin != 0) pose_rotation(lying, motion[0].pose.rotation);
        motion[0].angular_velocity[1] = (tc_real)spin;
        motion[0].velocity[2] = (tc_real)-v;
        motion[0].acceleration[2] = (tc_real)up;
        motion[0].pose.position[2] = (tc_real)(0.1 + 0.5 * v * v / up - sunk);
        const double exact = (v - sqrt(2 * up * sunk)) / up;
        if (exact < 1e-5) continue;
        TEST_ASSERT_EQUAL_INT(TC_OK, find());
        TEST_ASSERT_TRUE(found.outcome == TC_TOC_CONTACT || found.outcome == TC_TOC_GRAZES);
        test_near((tc_real)exact, found.time, (tc_real)(2e-4 * STEP), 0, "before it turns");
    }
}

static void test_a_body_may_meet_and_part_in_a_step(void)
{
    const tc_sdf ball = TC_SDF_SPHERE(TC_C(0.1)), drum = TC_SDF_CYLINDER(TC_C(0.1), TC_C(0.1), 0);
    rest_on_ground(1);
    shape[0] = ball;
    meet_and_part(0);
    shape[0] = drum;
    meet_and_part(30);
}

static void test_outcomes_are_named(void)
{
    const tc_sdf ball = TC_SDF_SPHERE(TC_C(0.1));
    tc_toc_rows rows;
    shape[0] = ball;
    rest_on_ground(1);
    throw_body(0.09, 1, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, find());
    TEST_ASSERT_EQUAL_INT(TC_TOC_INSIDE, found.outcome);
    TEST_ASSERT_TRUE(found.time == 0 && found.detections == 1);
    test_near(TC_C(-1.0), found.speed, TC_C(1e-6), 0, "speed");
    TEST_ASSERT_EQUAL_INT(TC_ERR_SINGULAR,
                          tc_toc_grad(&motion[0], &motion[1], &found, NULL, 0, &rows));
    throw_body(0.1, 1, 0); /* it touches at once */
    TEST_ASSERT_EQUAL_INT(TC_OK, find());
    TEST_ASSERT_TRUE(found.outcome == TC_TOC_CONTACT && found.time == 0);
    throw_body(0.1, -1, 0); /* it leaves */
    TEST_ASSERT_EQUAL_INT(TC_OK, find());
    TEST_ASSERT_EQUAL_INT(TC_TOC_NONE, found.outcome);
    throw_body(0.1, -0.1, 0); /* it leaves and comes back after 2 v / g */
    TEST_ASSERT_EQUAL_INT(TC_OK, find());
    TEST_ASSERT_EQUAL_INT(TC_TOC_CONTACT, found.outcome);
    test_near((tc_real)(0.2 / 9.81), found.time, TC_C(1e-6), 0, "comes back");
    throw_body(0.1, 0, 0); /* it lies there */
    motion[0].velocity[0] = 1;
    TEST_ASSERT_EQUAL_INT(TC_OK, find());
    TEST_ASSERT_TRUE(found.outcome == TC_TOC_GRAZES && found.time == 0);
    throw_body(0.1001, 0.004, 0); /* it comes in flat */
    motion[0].velocity[0] = 3;
    motion[0].acceleration[2] = 0;
    TEST_ASSERT_EQUAL_INT(TC_OK, find());
    TEST_ASSERT_EQUAL_INT(TC_TOC_GRAZES, found.outcome);
    test_near(TC_C(0.025), found.time, TC_C(5e-5), 0, "grazes");
}

/* A box that lands on its face: each corner alone says that the time depends on the spin, all four
 * that it does not. */
static void test_several_contacts_share_the_derivative(void)
{
    static const double still[4] = {1, 0, 0, 0};
    const tc_sdf box = TC_SDF_BOX(TC_C(0.1), TC_C(0.05), TC_C(0.02), TC_C(0.005));
    tc_meet_contact contact[8];
    tc_convex_pose at[2];
    tc_convex_gap gap;
    tc_toc_rows rows;
    uint32_t count;
    rest_on_ground(1);
    throw_body(0.03, 1, 0);
    pose_rotation(still, motion[0].pose.rotation);
    shape[0] = box;
    TEST_ASSERT_EQUAL_INT(TC_OK, find());
    TEST_ASSERT_EQUAL_INT(TC_TOC_CONTACT, found.outcome);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_toc_grad(&motion[0], &motion[1], &found, NULL, 0, &rows));
    TEST_ASSERT_TRUE(fabs((double)rows.rotation[0][1]) > 0.05);
    for (uint32_t i = 0; i < 2; ++i)
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_toc_pose(&motion[i], found.time, &at[i]));
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_meet_contacts(&shape[0], &at[0], &shape[1], &at[1], TC_C(1e-5),
                                                  contact, 8, &count, &gap, NULL, 0));
    TEST_ASSERT_EQUAL_UINT32(4, count);
    TEST_ASSERT_EQUAL_INT(TC_OK,
                          tc_toc_grad(&motion[0], &motion[1], &found, contact, count, &rows));
    test_near(0, rows.rotation[0][1], TC_C(1e-6), 0, "rotation");
    test_near(0, rows.angular_velocity[0][0], TC_C(1e-7), 0, "spin");
    test_near(-1 / found.speed, rows.position[0][2], 0, TC_C(1e-5), "position");
}

/* The half edge of a box that lands flat, and the radius of a ball, move the time by 1 / speed. */
static void test_shapes_move_the_time(void)
{
    static const double still[4] = {1, 0, 0, 0};
    const tc_sdf box = TC_SDF_BOX(TC_C(0.1), TC_C(0.05), TC_C(0.02), 0),
                 ball = TC_SDF_SPHERE(TC_C(0.02));
    tc_real by[4];
    rest_on_ground(1);
    throw_body(0.03, 1, 0);
    pose_rotation(still, motion[0].pose.rotation);
    for (uint32_t i = 0; i < 2; ++i) {
        shape[0] = i ? ball : box;
        TEST_ASSERT_EQUAL_INT(TC_OK, find());
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_toc_shape_grad(&shape[0], &motion[0], &shape[1], &motion[1],
                                                       &found, by, NULL, NULL, 0));
        test_near(1 / found.speed, by[i ? 0 : 2], 0, TC_C(1e-5), "size");
        if (i == 0) test_near(0, by[0], TC_C(1e-5), 0, "the other half edges");
    }
    TEST_ASSERT_EQUAL_INT(
        TC_ERR_UNSUPPORTED,
        tc_toc_shape_grad(&shape[0], &motion[0], &shape[1], &motion[1], &found, NULL, by, NULL, 0));
}

static void test_golden_times(void)
{
    uint32_t hash = TEST_HASH_START;
    box_flight flight;
    double exact;
    test_seed(15206);
    rest_on_ground(1);
    for (uint32_t round = 0; round < 40; ++round) {
        tc_toc_rows rows;
        (void)tumble(round, &flight, &exact);
        (void)find();
        (void)tc_toc_grad(&motion[0], &motion[1], &found, NULL, 0, &rows);
        hash = test_hash(hash, &found.time, 1);
        hash = test_hash(hash, rows.angular_velocity[0], 3);
    }
    test_golden("toc.times", hash);
}

static void test_toc_faults_are_named(void)
{
    const tc_sdf ball = TC_SDF_SPHERE(TC_C(0.1));
    const tc_real zero = 0;
    tc_convex_pose pose;
    tc_toc_rows rows;
    shape[0] = ball;
    rest_on_ground(1);
    throw_body(0.2, 1, 0);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_toc_find(&shape[0], NULL, &shape[1], &motion[1], 1, &found, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tc_toc_find(&shape[0], &motion[0], &shape[1], &motion[1], 0,
                                                    &found, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_toc_find(&shape[0], &motion[0], &shape[1],
                                                         &motion[1], zero / zero, &found, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_toc_pose(NULL, 0, &pose));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_toc_pose(&motion[0], zero / zero, &pose));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_toc_grad(&motion[0], &motion[1], &found, NULL, 1, &rows));
    motion[0].velocity[1] = zero / zero;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, find());
    motion[0].velocity[1] = 0;
    motion[0].pose.rotation[0] = 3;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNIT, find());
    rest_on_ground(0);
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, find());
    TEST_ASSERT_TRUE(found.time == 0 && found.detections == 0);
}

void suite_toc(void)
{
    RUN_TEST(test_a_ball_meets_the_floor);
    RUN_TEST(test_a_box_tumbles_to_the_floor);
    RUN_TEST(test_derivatives_are_differences);
    RUN_TEST(test_two_bodies_meet_in_flight);
#if TEST_EXACT && !defined(TC_DOUBLE)
    RUN_TEST(test_halves_end_what_no_parabola_does);
#endif
    RUN_TEST(test_a_body_may_meet_and_part_in_a_step);
    RUN_TEST(test_outcomes_are_named);
    RUN_TEST(test_several_contacts_share_the_derivative);
    RUN_TEST(test_shapes_move_the_time);
    RUN_TEST(test_golden_times);
    RUN_TEST(test_toc_faults_are_named);
}
