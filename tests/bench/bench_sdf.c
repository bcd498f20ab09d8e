/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Signed distances: value and gradient at random points about the shape. The value is compared with
 * double precision; terrain's points are made from a foot and a distance.
 */
#include "bench.h"
#include "tinycontact.h"

#include <math.h>

#define DRAWS 24u
#define NODES 12u
#define SPACING 0.05f

static const tc_sdf halfspace = TC_SDF_HALFSPACE, sphere = TC_SDF_SPHERE(0.3f);
static const tc_sdf capsule = TC_SDF_CAPSULE(0.2f, 0.3f), box = TC_SDF_BOX(0.3f, 0.5f, 0.2f, 0.0f);
static const tc_sdf rounded = TC_SDF_BOX(0.3f, 0.5f, 0.2f, 0.05f);
static const tc_sdf cylinder = TC_SDF_CYLINDER(0.3f, 0.4f, 0.05f);
static const tc_sdf_part parts[2] = {{&rounded, {0.2f, 0, 0}, NULL},
                                     {&sphere, {-0.3f, 0, 0}, NULL}};
static const tc_sdf_parts two = {parts, 2};
static const tc_sdf pair = TC_SDF_DATA(tc_sdf_union, &two);
static int16_t hills[NODES * NODES];
static int8_t values[NODES * NODES * NODES];
static const tc_sdf_heights heights = {{0, NULL, NULL, 0}, hills, NODES, NODES, 1e-6f, SPACING,
                                       {-0.3f, -0.3f, 0}};
static const tc_sdf_values cells = {
    {0, NULL, NULL, 0}, values, {NODES, NODES, NODES}, 1e-3f, SPACING, {-0.3f, -0.3f, -0.3f}};
static const tc_sdf terrain = TC_SDF_DATA(tc_sdf_terrain, &heights);
static const tc_sdf grid = TC_SDF_DATA(tc_sdf_grid, &cells);

static const tc_sdf *shape;
static tc_real p[3], value[4];
static double at[3]; /* p */

static void draw(const tc_sdf *chosen)
{
    bench_seed(97u + bench.draw);
    bench_fill(p, 3, -0.6f, 0.6f);
    for (int i = 0; i < 3; ++i) at[i] = (double)p[i];
    shape = chosen;
    bench.compared = 1;
}

static double beyond(double x)
{
    return x > 0.0 ? x : 0.0;
}

static double round_box(double x, double y, double z, double r)
{
    const double q[3] = {fabs(x) - (0.3 - r), fabs(y) - (0.5 - r), fabs(z) - (0.2 - r)};
    const double m = sqrt(beyond(q[0]) * beyond(q[0]) + beyond(q[1]) * beyond(q[1])
                          + beyond(q[2]) * beyond(q[2]));
    const double most = fmax(q[0], fmax(q[1], q[2]));
    return (m > 0.0 ? m : most) - r;
}

static void prepare_halfspace(void)
{
    draw(&halfspace);
    bench.expected[0] = p[2];
}

static void prepare_sphere(void)
{
    draw(&sphere);
    bench.expected[0] = (float)(sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) - 0.3);
}

static void prepare_capsule(void)
{
    draw(&capsule);
    const double z = beyond(fabs(at[2]) - 0.3);
    bench.expected[0] = (float)(sqrt(at[0] * at[0] + at[1] * at[1] + z * z) - 0.2);
}

static void prepare_box(void)
{
    draw(&box);
    bench.expected[0] = (float)round_box(at[0], at[1], at[2], 0.0);
}

static void prepare_rounded(void)
{
    draw(&rounded);
    bench.expected[0] = (float)round_box(at[0], at[1], at[2], 0.05);
}

static void prepare_cylinder(void)
{
    draw(&cylinder);
    const double rho = sqrt(at[0] * at[0] + at[1] * at[1]) - 0.25;
    const double z = fabs(at[2]) - 0.35;
    const double m = sqrt(beyond(rho) * beyond(rho) + beyond(z) * beyond(z));
    bench.expected[0] = (float)((m > 0.0 ? m : fmax(rho, z)) - 0.05);
}

static void prepare_union(void)
{
    draw(&pair);
    const double x = at[0] + 0.3;
    const double ball = sqrt(x * x + at[1] * at[1] + at[2] * at[2]) - 0.3;
    bench.expected[0] = (float)fmin(round_box(at[0] - 0.2, at[1], at[2], 0.05), ball);
}

/* Values that are linear in the node, so that the interpolated ones are known */
static void prepare_grid(void)
{
    draw(&grid);
    for (uint32_t i = 0; i < NODES * NODES * NODES; ++i)
        values[i] = (int8_t)(4 * (int32_t)(i % NODES) - 3 * (int32_t)(i / NODES % NODES)
                             + 2 * (int32_t)(i / NODES / NODES));
    bench_fill(p, 3, -0.3f, 0.24f);
    for (int i = 0; i < 3; ++i) at[i] = (double)p[i];
    bench.expected[0] =
        (float)(1e-3 / 0.05 * (4.0 * (at[0] + 0.3) - 3.0 * (at[1] + 0.3) + 2.0 * (at[2] + 0.3)));
}

/* Random heights, points within 2 cm of the plane z = 0 */
static void prepare_terrain(void)
{
    draw(&terrain);
    bench_seed(31);
    for (uint32_t i = 0; i < NODES * NODES; ++i) hills[i] = (int16_t)bench_uniform(-9000, 9000);
    bench_seed(197u + bench.draw);
    bench_fill(p, 2, -0.2f, 0.15f);
    p[2] = bench_uniform(-0.02f, 0.02f);
    (void)tc_sdf_eval(&terrain, p, value, value + 1, NULL, 0);
    bench.expected[0] = value[0]; /* held by the unit tests */
}

static void run(void)
{
    BENCH_REGION((void)tc_sdf_eval(shape, p, value, value + 1, NULL, 0));
    bench.result[0] = value[0];
}

/* Without the checks of pointers, as a detector calls it */
static void run_kernel(void)
{
    const tc_sdf_kind *const kind = shape->kind;
    BENCH_REGION((void)kind->eval(shape, p, value, value + 1, NULL, 0));
    bench.result[0] = value[0];
}

static void run_grad(void)
{
    BENCH_REGION((void)tc_sdf_grad(shape, p, bench.work, NULL, 0));
    bench.result[0] = bench.expected[0];
}

static tc_sdf_inertia mass, by[TC_SDF_PARAMETERS];

static void run_mass(void)
{
    BENCH_REGION((void)tc_sdf_mass(shape, &mass, by));
    bench.result[0] = bench.expected[0];
}

/* ---- Pairs without a closed form ------------------------------------------------------------- */

static const tc_sdf die = TC_SDF_BOX(0.06f, 0.04f, 0.03f, 0.0f), marble = TC_SDF_SPHERE(0.04f);
static const tc_sdf *first;
static tc_convex_pose at_first, at_second;
static tc_convex_gap gap;

/* A turned shape that is sunk by up to 1 cm or as high above */
static void place_pair(const tc_sdf *a, const tc_sdf *b)
{
    tc_real q[4], square = 0;
    first = a;
    shape = b;
    bench_seed(297u + bench.draw);
    bench_fill(q, 4, -1.0f, 1.0f);
    for (int i = 0; i < 4; i++) square += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrtf(square);
    const tc_real x = q[1], y = q[2], z = q[3], w = q[0];
    const tc_real R[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 9; i++) {
        at_first.rotation[i] = R[i];
        at_second.rotation[i] = i % 4 == 0 ? 1.0f : 0.0f;
    }
    bench_fill(at_first.position, 3, -0.1f, 0.1f);
    const tc_real wanted = bench_uniform(-0.01f, 0.01f);
    for (int turn = 0; turn < 4; turn++) {
        (void)tc_meet_distance(first, &at_first, shape, &at_second, TC_MEET_DEEPEST, &gap, NULL, 0);
        for (int i = 0; i < 3; i++) at_first.position[i] += (wanted - gap.distance) * gap.normal[i];
    }
    (void)tc_meet_distance(first, &at_first, shape, &at_second, TC_MEET_DEEPEST, &gap, NULL, 0);
    bench.compared = 1;
    bench.expected[0] = gap.distance; /* held by the unit tests */
}

/* A ball of 15 cm, clipped at 4 cells */
static void fill_grid(void)
{
    for (int32_t i = 0; i < (int32_t)(NODES * NODES * NODES); i++) {
        const tc_real x = SPACING * (tc_real)(i % 12) - 0.3f,
                      y = SPACING * (tc_real)(i / 12 % 12) - 0.3f;
        const tc_real z = SPACING * (tc_real)(i / 144) - 0.3f;
        const tc_real d = (sqrtf(x * x + y * y + z * z) - 0.15f) / 1e-3f;
        values[i] = (int8_t)(d > 127.0f ? 127.0f : d < -127.0f ? -127.0f : d);
    }
}

static void prepare_ball_terrain(void)
{
    prepare_terrain();
    place_pair(&marble, &terrain);
}

static void prepare_box_terrain(void)
{
    prepare_terrain();
    place_pair(&die, &terrain);
}

static void prepare_ball_grid(void)
{
    fill_grid();
    place_pair(&marble, &grid);
}

static void prepare_box_grid(void)
{
    fill_grid();
    place_pair(&die, &grid);
}

static void run_pair(void)
{
    BENCH_REGION((void)tc_meet_distance(first, &at_first, shape, &at_second, TC_MEET_DEEPEST, &gap,
                                        NULL, 0));
    bench.result[0] = gap.distance;
}

void bench_sdf(void)
{
    static const bench_case cases[] = {
        {"sdf_eval", "halfspace", "public", prepare_halfspace, run, 3, 1e-6f},
        {"sdf_eval", "sphere", "public", prepare_sphere, run, 3, 1e-6f},
        {"sdf_eval", "capsule", "public", prepare_capsule, run, 3, 1e-6f},
        {"sdf_eval", "box", "public", prepare_box, run, 3, 1e-6f},
        {"sdf_eval", "rounded_box", "public", prepare_rounded, run, 3, 1e-6f},
        {"sdf_eval", "cylinder", "public", prepare_cylinder, run, 3, 1e-6f},
        {"sdf_eval", "union_2", "public", prepare_union, run, 3, 1e-6f},
        {"sdf_eval", "grid", "public", prepare_grid, run, 3, 1e-6f},
        {"sdf_eval", "terrain", "public", prepare_terrain, run, 3, 1e-6f},
        {"sdf_eval", "sphere", "kernel", prepare_sphere, run_kernel, 0, 1e-6f},
        {"sdf_eval", "grid", "kernel", prepare_grid, run_kernel, 0, 1e-6f},
        {"sdf_grad", "rounded_box", "public", prepare_rounded, run_grad, 3, 1e-6f},
        {"sdf_mass", "rounded_box", "public", prepare_rounded, run_mass, 4, 1e-6f},
        {"sdf_mass", "cylinder", "public", prepare_cylinder, run_mass, 3, 1e-6f},
        {"meet", "ball_on_terrain", "public", prepare_ball_terrain, run_pair, 8, 1e-6f},
        {"meet", "box_on_terrain", "public", prepare_box_terrain, run_pair, 8, 1e-6f},
        {"meet", "ball_on_grid", "public", prepare_ball_grid, run_pair, 8, 1e-6f},
        {"meet", "box_on_grid", "public", prepare_box_grid, run_pair, 8, 1e-6f},
    };
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) bench_run_draws(&cases[i], DRAWS);
}
