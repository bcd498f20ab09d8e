/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Kinds of tc_sdf with data, and mass properties. Oracles, in double:
 *
 *     terrain  the spline by its basis functions; the nearest of many points of it, refined
 *     grid     the weighted mean of eight corners; outside, the nearest point of the grid
 *     union    the parts, one by one
 *     mass     sums over a raster of cells, by an oracle that knows only who is inside
 */
#include "test.h"

#include <math.h>

/* ---- Terrain --------------------------------------------------------------------------------- */

#define COLUMNS 12u
#define ROWS 9u
#define SPACING TC_C(0.05)
#define SCALE TC_C(1e-6) /* [m]: a full range of 3 cm */

static int16_t hills[COLUMNS * ROWS];

static tc_sdf_heights make_hills(void)
{
    for (uint32_t i = 0; i < COLUMNS * ROWS; ++i)
        hills[i] = (int16_t)((int32_t)test_below(24001) - 12000);
    const tc_sdf_heights t = {
        {TC_C(1e-5), NULL, NULL, 0},       hills, COLUMNS, ROWS, SCALE, SPACING,
        {TC_C(-0.2), TC_C(0.1), TC_C(0.3)}};
    return t;
}

/* Quadratic B-spline of a node at distance u [nodes] */
static double spline_weight(double u)
{
    u = fabs(u);
    if (u < 0.5) return 0.75 - u * u;
    return u < 1.5 ? 0.5 * (1.5 - u) * (1.5 - u) : 0.0;
}

static int32_t within(int32_t i, uint32_t count)
{
    return i < 0 ? 0 : i >= (int32_t)count ? (int32_t)count - 1 : i;
}

/* Height of the surface above (x, y), world axes of the terrain */
static double hill_height(const tc_sdf_heights *t, double x, double y)
{
    const double u = (x - (double)t->origin[0]) / (double)t->spacing;
    const double v = (y - (double)t->origin[1]) / (double)t->spacing;
    double sum = 0.0;
    for (int32_t j = (int32_t)floor(v) - 2; j <= (int32_t)floor(v) + 3; ++j) {
        for (int32_t i = (int32_t)floor(u) - 2; i <= (int32_t)floor(u) + 3; ++i) {
            const uint32_t at =
                (uint32_t)within(j, t->count_y) * t->count_x + (uint32_t)within(i, t->count_x);
            sum += spline_weight(u - i) * spline_weight(v - j) * (double)t->heights[at];
        }
    }
    return (double)t->origin[2] + (double)t->scale * sum;
}

/* Distance from the surface, without a sign: a raster about p, then finer ones about the best */
static double hill_distance(const tc_sdf_heights *t, const tc_real p[3])
{
    double x = (double)p[0], y = (double)p[1], best = 1e30;
    double step = 0.25 * (double)t->spacing;
    for (int level = 0; level < 14; ++level) {
        const int reach = level == 0 ? 8 : 2;
        const double x0 = x, y0 = y;
        for (int k = -reach; k <= reach; ++k) {
            for (int i = -reach; i <= reach; ++i) {
                const double at[2] = {x0 + step * i, y0 + step * k};
                const double dx = (double)p[0] - at[0], dy = (double)p[1] - at[1];
                const double dz = (double)p[2] - hill_height(t, at[0], at[1]);
                const double square = dx * dx + dy * dy + dz * dz;
                if (square < best) {
                    best = square;
                    x = at[0];
                    y = at[1];
                }
            }
        }
        step *= 0.5;
    }
    return sqrt(best);
}

static void test_terrain_is_the_closest_point(void)
{
    const double bound = sizeof(tc_real) == sizeof(double) ? 2e-8 : 3e-7;
    test_seed(11);
    const tc_sdf_heights t = make_hills();
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_terrain, &t);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_check(&shape));
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        tc_real p[3], d, g[3];
        p[0] = t.origin[0] + test_uniform(TC_C(-0.1), TC_C(0.65));
        p[1] = t.origin[1] + test_uniform(TC_C(-0.1), TC_C(0.5));
        const tc_real lift = test_uniform(TC_C(-0.03), TC_C(0.03));
        p[2] = (tc_real)hill_height(&t, (double)p[0], (double)p[1]) + lift;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_eval(&shape, p, &d, g, NULL, 0));
        TEST_ASSERT_EQUAL_INT(lift < 0, d < 0);
        const double truth = hill_distance(&t, p);
        TEST_ASSERT_TRUE_MESSAGE(fabs(fabs((double)d) - truth) < bound, "closest point");
        test_near(TC_C(1.0), tc_sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), 4 * TC_EPSILON, 0,
                  "unit normal");
        tc_real foot[3];
        for (int i = 0; i < 3; ++i) foot[i] = p[i] - d * g[i];
        const double off = (double)foot[2] - hill_height(&t, (double)foot[0], (double)foot[1]);
        TEST_ASSERT_TRUE_MESSAGE(fabs(off) < 4e-6, "the normal leads to the surface");
    }
}

/* The gradient by central differences, in double by far smaller steps */
static void hold_gradient(const tc_sdf *shape, const tc_real p[3], tc_real step, double bound)
{
    tc_real d, g[3], ahead, behind, other[3];
    TEST_ASSERT_TRUE(tc_sdf_eval(shape, p, &d, g, NULL, 0) >= TC_OK);
    for (int i = 0; i < 3; ++i) {
        tc_real at[3] = {p[0], p[1], p[2]};
        at[i] = p[i] + step;
        (void)tc_sdf_eval(shape, at, &ahead, other, NULL, 0);
        const tc_real far = at[i];
        at[i] = p[i] - step;
        (void)tc_sdf_eval(shape, at, &behind, other, NULL, 0);
        const double slope = (double)(ahead - behind) / (double)(far - at[i]);
        TEST_ASSERT_TRUE_MESSAGE(fabs(slope - (double)g[i]) < bound, "gradient");
    }
}

static void test_terrain_gradient_is_that_of_the_value(void)
{
    const int in_double = sizeof(tc_real) == sizeof(double);
    test_seed(12);
    const tc_sdf_heights t = make_hills();
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_terrain, &t);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        tc_real p[3];
        p[0] = t.origin[0] + test_uniform(TC_C(0.0), TC_C(0.55));
        p[1] = t.origin[1] + test_uniform(TC_C(0.0), TC_C(0.4));
        p[2] = (tc_real)hill_height(&t, (double)p[0], (double)p[1])
               + test_uniform(TC_C(-0.02), TC_C(0.02));
        hold_gradient(&shape, p, in_double ? TC_C(1e-5) : TC_C(1e-3), in_double ? 3e-3 : 0.02);
    }
}

/* Beyond the map flat, far above without a closest point of its own at the limit of steps */
static void test_terrain_goes_on_and_is_bounded(void)
{
    test_seed(13);
    const tc_sdf_heights t = make_hills();
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_terrain, &t);
    const tc_real beyond[3] = {t.origin[0] - 5, t.origin[1] + 9, t.origin[2] + 1};
    tc_real d, g[3];
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_eval(&shape, beyond, &d, g, NULL, 0));
    test_near(1 - t.scale * hills[(ROWS - 1) * COLUMNS], d, 4 * TC_EPSILON, 0, "flat beyond");
    test_near(1, g[2], 0, 0, "flat beyond");
    uint32_t limits = 0;
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        tc_real p[3];
        test_fill(p, 3, TC_C(-100.0), TC_C(100.0));
        if (round % 2u == 0u) {
            p[0] = test_uniform(TC_C(-0.2), TC_C(0.4));
            p[1] = test_uniform(TC_C(0.1), TC_C(0.5));
        }
        const tc_status status = tc_sdf_eval(&shape, p, &d, g, NULL, 0);
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_LIMIT);
        TEST_ASSERT_TRUE(tc_all_finite(&d, 1) && tc_all_finite(g, 3));
        limits += status == TC_NOTE_LIMIT;
    }
    TEST_ASSERT_TRUE(limits > 0);
}

static void test_terrain_check_names_each_fault(void)
{
    volatile tc_real nothing = 0;
    const tc_real nan = nothing / nothing;
    test_seed(14);
    const tc_sdf_heights good = make_hills();
    struct {
        tc_sdf_heights t;
        tc_status expected;
    } c[13];
    for (uint32_t i = 0; i < TC_COUNT(c); ++i) c[i].t = good;
    c[0].expected = TC_OK;
    c[1].t.heights = NULL, c[1].expected = TC_ERR_NULL;
    c[2].t.count_x = 2, c[2].expected = TC_ERR_SIZE;
    c[3].t.count_y = TC_SDF_NODES + 1u, c[3].expected = TC_ERR_SIZE;
    c[4].t.scale = nan, c[4].expected = TC_ERR_NOT_FINITE;
    c[5].t.spacing = -1, c[5].expected = TC_ERR_SHAPE;
    c[6].t.spacing = TC_C(1e-6), c[6].t.scale = TC_C(1e-7), c[6].expected = TC_ERR_SHAPE;
    c[7].t.scale = TC_C(0.06), c[7].expected = TC_ERR_SHAPE;
    c[8].t.origin[2] = nan, c[8].expected = TC_ERR_NOT_FINITE;
    c[9].t.origin[0] = TC_C(2e6), c[9].expected = TC_ERR_RANGE;
    c[10].t.stored.error = -1, c[10].expected = TC_ERR_SHAPE;
    c[11].t.stored.error = nan, c[11].expected = TC_ERR_NOT_FINITE;
    c[12].t.count_x = 0, c[12].expected = TC_ERR_SIZE;
    for (uint32_t i = 0; i < TC_COUNT(c); ++i) {
        const tc_sdf shape = TC_SDF_DATA(tc_sdf_terrain, &c[i].t);
        TEST_ASSERT_EQUAL_INT(c[i].expected, tc_sdf_check(&shape));
    }
    const tc_sdf without = TC_SDF_DATA(tc_sdf_terrain, NULL);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_check(&without));
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_terrain, &good);
    test_near(TC_C(1e-5), tc_sdf_error(&shape), 0, 0, "stored error");
}

/* ---- Grid ------------------------------------------------------------------------------------ */

#define NX 9u
#define NY 7u
#define NZ 6u

static int8_t ball[NX * NY * NZ];

/* Any values inside, none negative at the border */
static tc_sdf_values make_ball(void)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < NZ; ++k) {
        for (uint32_t j = 0; j < NY; ++j) {
            for (uint32_t i = 0; i < NX; ++i, ++at) {
                const int rim = i * j * k == 0u || i == NX - 1u || j == NY - 1u || k == NZ - 1u;
                ball[at] =
                    (int8_t)(rim ? (int32_t)test_below(128) : (int32_t)test_below(256) - 128);
            }
        }
    }
    const tc_sdf_values g = {
        {TC_C(2e-3), NULL, NULL, 0},        ball, {NX, NY, NZ}, TC_C(1e-3), TC_C(0.02),
        {TC_C(-0.1), TC_C(0.05), TC_C(0.2)}};
    return g;
}

/* Value in double: weighted corners at the nearest point, and the way to it */
static double ball_distance(const tc_sdf_values *g, const tc_real p[3])
{
    double place[3], square = 0.0, sum = 0.0;
    uint32_t node[3];
    for (int i = 0; i < 3; ++i) {
        const double last = g->count[i] - 1u;
        const double x = ((double)p[i] - (double)g->origin[i]) / (double)g->spacing;
        const double q = x < 0.0 ? 0.0 : x > last ? last : x;
        square += (x - q) * (x - q);
        node[i] = q >= last ? g->count[i] - 2u : (uint32_t)q;
        place[i] = q - node[i];
    }
    for (uint32_t c = 0; c < 8u; ++c) {
        const uint32_t i = c & 1u, j = c >> 1 & 1u, k = c >> 2;
        const uint32_t at = ((node[2] + k) * NY + node[1] + j) * NX + node[0] + i;
        sum += (i ? place[0] : 1.0 - place[0]) * (j ? place[1] : 1.0 - place[1])
               * (k ? place[2] : 1.0 - place[2]) * (double)g->values[at];
    }
    return (double)g->scale * sum + (double)g->spacing * sqrt(square);
}

static void draw_about_ball(const tc_sdf_values *g, tc_real p[3])
{
    for (int i = 0; i < 3; ++i)
        p[i] =
            g->origin[i] + g->spacing * test_uniform(TC_C(-3.0), (tc_real)g->count[i] + TC_C(2.0));
}

static void test_grid_is_trilinear(void)
{
    const int in_double = sizeof(tc_real) == sizeof(double);
    test_seed(21);
    const tc_sdf_values g = make_ball();
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_grid, &g);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_check(&shape));
    TEST_ASSERT_EQUAL_INT(TC_SDF_CONTRACT_APPROXIMATE, shape.kind->contract);
    test_near(TC_C(2e-3), tc_sdf_error(&shape), 0, 0, "stored error");
    for (uint32_t round = 0; round < TEST_ROUNDS(1000); ++round) {
        tc_real p[3], d, slope[3];
        draw_about_ball(&g, p);
        if (round % 8u == 0u) p[round / 8u % 3u] = g.origin[round / 8u % 3u];
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_eval(&shape, p, &d, slope, NULL, 0));
        TEST_ASSERT_TRUE(fabs((double)d - ball_distance(&g, p)) < (in_double ? 1e-12 : 3e-6));
    }
    for (uint32_t round = 0; round < TEST_ROUNDS(300); ++round) {
        tc_real p[3];
        for (int i = 0; i < 3; ++i) { /* the cell's middle, or a node's outside: no kink nearby */
            const int32_t cell = (int32_t)test_below(g.count[i] + 3u) - 2;
            p[i] = g.origin[i] + g.spacing * ((tc_real)cell + test_uniform(TC_C(0.2), TC_C(0.8)));
        }
        hold_gradient(&shape, p, g.spacing * (in_double ? TC_C(1e-4) : TC_C(0.05)),
                      in_double ? 1e-5 : 0.02);
    }
}

static void test_grid_ends_at_its_last_node(void)
{
    test_seed(22);
    const tc_sdf_values g = make_ball();
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_grid, &g);
    const tc_real far = TC_C(9e5);
    for (uint32_t corner = 0; corner < 8u; ++corner) {
        tc_real p[3], d, slope[3];
        for (uint32_t i = 0; i < 3u; ++i)
            p[i] = g.origin[i] + (corner >> i & 1u ? (tc_real)(g.count[i] - 1u) * g.spacing : 0);
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_eval(&shape, p, &d, slope, NULL, 0));
        test_near((tc_real)ball_distance(&g, p), d, 200 * TC_EPSILON, 0, "corner");
        p[corner % 3u] = corner & 4u ? far : -far;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_eval(&shape, p, &d, slope, NULL, 0));
        test_near((tc_real)ball_distance(&g, p), d, 0, 8 * TC_EPSILON, "far");
        p[0] = p[1] = p[2] = far;
        TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tc_sdf_eval(&shape, p, &d, slope, NULL, 0));
    }
}

static void test_grid_check_names_each_fault(void)
{
    volatile tc_real nothing = 0;
    test_seed(23);
    const tc_sdf_values good = make_ball();
    struct {
        tc_sdf_values g;
        tc_status expected;
    } c[10];
    for (uint32_t i = 0; i < TC_COUNT(c); ++i) c[i].g = good;
    c[0].expected = TC_OK;
    c[1].g.values = NULL, c[1].expected = TC_ERR_NULL;
    c[2].g.count[1] = 1, c[2].expected = TC_ERR_SIZE;
    c[3].g.count[2] = TC_SDF_NODES + 1u, c[3].expected = TC_ERR_SIZE;
    c[4].g.scale = 0, c[4].expected = TC_ERR_SHAPE;
    c[5].g.spacing = 1 / nothing, c[5].expected = TC_ERR_NOT_FINITE;
    c[6].g.origin[1] = nothing / nothing, c[6].expected = TC_ERR_NOT_FINITE;
    c[7].g.stored.error = TC_C(2e6), c[7].expected = TC_ERR_RANGE;
    c[8].g.origin[1] = TC_C(-2e6), c[8].expected = TC_ERR_RANGE;
    c[9].g.count[2] = 2, c[9].expected = TC_ERR_SHAPE; /* a node inside lies at the border now */
    for (uint32_t i = 0; i < TC_COUNT(c); ++i) {
        const tc_sdf shape = TC_SDF_DATA(tc_sdf_grid, &c[i].g);
        TEST_ASSERT_EQUAL_INT(c[i].expected, tc_sdf_check(&shape));
    }
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_grid, &good);
    for (uint32_t at = 0; at < NX * NY * NZ; ++at) ball[at] = 1;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SHAPE, tc_sdf_check(&shape));
    ball[(NY + 1u) * NX + 1u] = -1;
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_check(&shape));
    ball[(NY + 1u) * NX] = -1;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SHAPE, tc_sdf_check(&shape));
}

/* ---- Union ----------------------------------------------------------------------------------- */

static const tc_sdf part_box = TC_SDF_BOX(TC_C(0.3), TC_C(0.2), TC_C(0.1), TC_C(0.05));
static const tc_sdf part_ball = TC_SDF_SPHERE(TC_C(0.25));
static const tc_sdf part_rod = TC_SDF_CAPSULE(TC_C(0.1), TC_C(0.4));
static const tc_real quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}; /* about z */
static const tc_real tilted[9] = {TC_C(0.8), 0, TC_C(0.6), 0, 1, 0, TC_C(-0.6), 0, TC_C(0.8)};
static const tc_sdf_part three_parts[] = {{&part_box, {TC_C(0.1), 0, 0}, quarter},
                                          {&part_ball, {TC_C(-0.2), TC_C(0.1), TC_C(0.1)}, NULL},
                                          {&part_rod, {0, 0, TC_C(0.2)}, tilted}};
static const tc_sdf_parts three = {three_parts, 3};
static const tc_sdf three_shape = TC_SDF_DATA(tc_sdf_union, &three);

static void test_union_is_the_lowest_part(void)
{
    test_seed(31);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_check(&three_shape));
    TEST_ASSERT_EQUAL_INT(TC_SDF_CONTRACT_BOUND, three_shape.kind->contract);
    TEST_ASSERT_EQUAL_UINT32(7, tc_sdf_parameters(&three_shape));
    for (uint32_t round = 0; round < TEST_ROUNDS(300); ++round) {
        tc_real p[3], d, g[3], by[TC_SDF_PARAMETERS], best = 10, best_by[7] = {0};
        test_fill(p, 3, TC_C(-0.8), TC_C(0.8));
        for (uint32_t k = 0, first = 0; k < 3u; ++k) {
            const tc_sdf_part *const part = &three_parts[k];
            const tc_real *const R = part->rotation_ref;
            tc_real local[3], value;
            for (uint32_t i = 0; i < 3u; ++i) {
                local[i] = R ? 0 : p[i] - part->position[i];
                for (uint32_t j = 0; R && j < 3u; ++j)
                    local[i] += R[3u * j + i] * (p[j] - part->position[j]);
            }
            (void)tc_sdf_eval(part->shape_ref, local, &value, g, NULL, 0);
            if (value < best) {
                best = value;
                for (uint32_t i = 0; i < 7u; ++i) best_by[i] = 0;
                (void)tc_sdf_grad(part->shape_ref, local, best_by + first, NULL, 0);
            }
            first += tc_sdf_parameters(part->shape_ref);
        }
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_eval(&three_shape, p, &d, g, NULL, 0));
        test_near(best, d, 4 * TC_EPSILON, 0, "lowest");
        test_near(TC_C(1.0), tc_sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), 8 * TC_EPSILON, 0,
                  "unit gradient");
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_grad(&three_shape, p, by, NULL, 0));
        for (uint32_t i = 0; i < 7u; ++i) test_near(best_by[i], by[i], 64 * TC_EPSILON, 0, "by");
    }
}

/* The gradient's direction: a short way against it lowers the value by as much */
static void test_union_gradient_is_in_its_own_axes(void)
{
    uint32_t held = 0;
    test_seed(32);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        tc_real p[3], d, e, g[3], f[3];
        test_fill(p, 3, TC_C(-0.8), TC_C(0.8));
        (void)tc_sdf_eval(&three_shape, p, &d, g, NULL, 0);
        for (int i = 0; i < 3; ++i) p[i] -= TC_C(0.01) * g[i];
        (void)tc_sdf_eval(&three_shape, p, &e, f, NULL, 0);
        const tc_real drop = d - e - TC_C(0.01);
        held += drop < TC_C(1e-5) && drop > TC_C(-1e-5);
        TEST_ASSERT_TRUE(drop < TC_C(0.011));
    }
    TEST_ASSERT_TRUE(held * 10u >= TEST_ROUNDS(200) * 8u);
}

static void test_union_check_names_each_fault(void)
{
    static const tc_real skew[9] = {1, 0, 0, 0, 1, 0, 0, TC_C(0.1), 1};
    static const tc_real mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    volatile tc_real nothing = 0;
    tc_sdf_part parts[TC_SDF_PARTS];
    for (uint32_t i = 0; i < TC_SDF_PARTS; ++i) parts[i] = three_parts[1];
    tc_sdf_parts many = {parts, TC_SDF_PARTS};
    const tc_sdf shape = TC_SDF_DATA(tc_sdf_union, &many);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_check(&shape));
    TEST_ASSERT_EQUAL_UINT32(8, tc_sdf_parameters(&shape));
    parts[3].shape_ref = &part_box;
    TEST_ASSERT_EQUAL_UINT32(0, tc_sdf_parameters(&shape));
    parts[3].shape_ref = &three_shape;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, tc_sdf_check(&shape));
    parts[3].shape_ref = NULL;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_check(&shape));
    parts[3] = three_parts[1];
    parts[3].rotation_ref = skew;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNIT, tc_sdf_check(&shape));
    parts[3].rotation_ref = mirror;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNIT, tc_sdf_check(&shape));
    parts[3].rotation_ref = NULL;
    parts[7].position[2] = nothing / nothing;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_sdf_check(&shape));
    parts[7].position[2] = TC_C(2e6);
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tc_sdf_check(&shape));
    parts[7].position[2] = 0;
    const tc_sdf bad = TC_SDF_SPHERE(0);
    parts[7].shape_ref = &bad;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SHAPE, tc_sdf_check(&shape));
    many.count = 0;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_sdf_check(&shape));
    many.count = TC_SDF_PARTS + 1u;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_sdf_check(&shape));
    many.parts = NULL;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_check(&shape));
    tc_real p[3] = {nothing / nothing, 0, 0}, d = 1, g[3] = {1, 1, 1};
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_sdf_eval(&three_shape, p, &d, g, NULL, 0));
    TEST_ASSERT_TRUE(d == 0 && g[0] == 0 && g[1] == 0 && g[2] == 0);
}

/* ---- Mass properties ------------------------------------------------------------------------- */

static const tc_sdf solids[] = {
    TC_SDF_SPHERE(TC_C(0.3)),
    TC_SDF_CAPSULE(TC_C(0.2), TC_C(0.25)),
    TC_SDF_BOX(TC_C(0.3), TC_C(0.5), TC_C(0.2), TC_C(0.0)),
    TC_SDF_BOX(TC_C(0.3), TC_C(0.5), TC_C(0.2), TC_C(0.15)),
    TC_SDF_CYLINDER(TC_C(0.3), TC_C(0.4), TC_C(0.0)),
    TC_SDF_CYLINDER(TC_C(0.4), TC_C(0.25), TC_C(0.2)),
};

/* Sums over cells of an octant; a cell that the surface cuts counts by its middle's distance */
static void sum_cells(const tc_sdf *shape, double sum[4])
{
    const int cells = 36;
    const double size = 0.54 / cells;
    for (int i = 0; i < 4; ++i) sum[i] = 0.0;
    for (int k = 0; k < cells * cells * cells; ++k) {
        const double at[3] = {(k % cells + 0.5) * size, (k / cells % cells + 0.5) * size,
                              (k / cells / cells + 0.5) * size};
        const tc_real p[3] = {(tc_real)at[0], (tc_real)at[1], (tc_real)at[2]};
        tc_real d, g[3];
        (void)tc_sdf_eval(shape, p, &d, g, NULL, 0);
        const double share = 0.5 - (double)d / size;
        const double part = 8.0 * size * size * size
                            * (share < 0.0   ? 0.0
                               : share > 1.0 ? 1.0
                                             : share);
        sum[0] += part;
        for (int i = 0; i < 3; ++i) sum[i + 1] += part * at[i] * at[i];
    }
}

static void test_mass_is_the_sum_over_cells(void)
{
    for (uint32_t s = 0; s < TC_COUNT(solids); ++s) {
        if (s % test_sample != 0u) continue;
        double sum[4];
        tc_sdf_inertia m;
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_mass(&solids[s], &m, NULL));
        sum_cells(&solids[s], sum);
        const double moment[3] = {sum[2] + sum[3], sum[3] + sum[1], sum[1] + sum[2]};
        test_near((tc_real)sum[0], m.volume, 0, TC_C(5e-3), "volume");
        for (int i = 0; i < 3; ++i) {
            test_near((tc_real)moment[i], m.inertia[i], 0, TC_C(1e-2), "inertia");
            TEST_ASSERT_TRUE(m.centre[i] == 0 && m.inertia[3 + i] == 0);
        }
    }
}

/* Known ones, to rounding */
static void test_mass_of_textbook_solids(void)
{
    static const tc_real pi = TC_C(3.14159265358979323846);
    tc_sdf_inertia m;
    const tc_sdf box = TC_SDF_BOX(TC_C(0.5), 1, TC_C(1.5), 0);
    const tc_sdf round = TC_SDF_BOX(1, 1, 1, 1), can = TC_SDF_CYLINDER(1, 2, 0);
    (void)tc_sdf_mass(&solids[0], &m, NULL);
    test_near(TC_C(4.0) / 3 * pi * TC_C(0.027), m.volume, 0, 8 * TC_EPSILON, "sphere");
    test_near(TC_C(0.4) * TC_C(0.09) * m.volume, m.inertia[1], 0, 8 * TC_EPSILON, "sphere");
    (void)tc_sdf_mass(&round, &m, NULL);
    test_near(TC_C(4.0) / 3 * pi, m.volume, 0, 8 * TC_EPSILON, "round box");
    test_near(TC_C(0.4) * m.volume, m.inertia[2], 0, 16 * TC_EPSILON, "round box");
    (void)tc_sdf_mass(&box, &m, NULL);
    test_near(6, m.volume, 0, 4 * TC_EPSILON, "box");
    test_near(TC_C(6.0) / 12 * (4 + 9), m.inertia[0], 0, 8 * TC_EPSILON, "box");
    test_near(TC_C(6.0) / 12 * (1 + 9), m.inertia[1], 0, 8 * TC_EPSILON, "box");
    (void)tc_sdf_mass(&can, &m, NULL);
    test_near(4 * pi, m.volume, 0, 4 * TC_EPSILON, "cylinder");
    test_near(2 * pi, m.inertia[2], 0, 8 * TC_EPSILON, "cylinder");
    test_near(4 * pi * (TC_C(0.25) + TC_C(16.0) / 12), m.inertia[0], 0, 8 * TC_EPSILON, "cylinder");
}

static void test_mass_derivatives_are_differences(void)
{
    const int in_double = sizeof(tc_real) == sizeof(double);
    const tc_real step = in_double ? TC_C(1e-5) : TC_C(2e-3);
    for (uint32_t s = 0; s < TC_COUNT(solids); ++s) {
        tc_sdf_inertia m[3], by[TC_SDF_PARAMETERS];
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_mass(&solids[s], &m[2], by));
        for (uint32_t i = 0; i < tc_sdf_parameters(&solids[s]); ++i) {
            tc_sdf moved = solids[s];
            for (int side = 0; side < 2; ++side) {
                moved.size[i] = solids[s].size[i] + (side ? step : -step);
                (void)tc_sdf_mass(&moved, &m[side], NULL);
            }
            const tc_real bound = in_double ? TC_C(1e-8) : TC_C(1e-3);
            test_near((m[1].volume - m[0].volume) / (2 * step), by[i].volume, bound, 0, "volume");
            for (int k = 0; k < 6; ++k) {
                test_near((m[1].inertia[k] - m[0].inertia[k]) / (2 * step), by[i].inertia[k], bound,
                          0, "inertia");
            }
        }
    }
}

static void test_mass_of_others_is_stored_or_refused(void)
{
    static const tc_sdf_inertia known = {2, {1, 2, 3}, {4, 5, 6, 7, 8, 9}};
    static const tc_sdf ground = TC_SDF_HALFSPACE;
    tc_sdf_inertia m, by[TC_SDF_PARAMETERS];
    test_seed(41);
    tc_sdf_values g = make_ball();
    const tc_sdf grid = TC_SDF_DATA(tc_sdf_grid, &g);
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, tc_sdf_mass(&grid, &m, NULL));
    TEST_ASSERT_TRUE(m.volume == 0);
    g.stored.inertia_ref = &known;
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_mass(&grid, &m, by));
    TEST_ASSERT_EQUAL_MEMORY(&known, &m, sizeof m);
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, tc_sdf_mass(&ground, &m, NULL));
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, tc_sdf_mass(&three_shape, &m, NULL));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_mass(NULL, &m, NULL));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_sdf_mass(&grid, NULL, NULL));
    tc_sdf_inertia wrong = known;
    wrong.volume = 0;
    g.stored.inertia_ref = &wrong;
    TEST_ASSERT_EQUAL_INT(TC_ERR_SHAPE, tc_sdf_check(&grid));
    volatile tc_real nothing = 0;
    wrong = known;
    wrong.inertia[5] = nothing / nothing;
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, tc_sdf_check(&grid));
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static void test_bits_of_kinds_with_data(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(51);
    const tc_sdf_heights t = make_hills();
    const tc_sdf_values g = make_ball();
    const tc_sdf shapes[3] = {TC_SDF_DATA(tc_sdf_terrain, &t), TC_SDF_DATA(tc_sdf_grid, &g),
                              three_shape};
    for (uint32_t k = 0; k < 150u; ++k) {
        tc_real p[3], out[4];
        draw_about_ball(&g, p);
        (void)tc_sdf_eval(&shapes[k % 3u], p, out, out + 1, NULL, 0);
        hash = test_hash(hash, out, 4);
    }
    for (uint32_t s = 0; s < TC_COUNT(solids); ++s) {
        tc_sdf_inertia m;
        (void)tc_sdf_mass(&solids[s], &m, NULL);
        hash = test_hash(hash, &m.volume, 1);
        hash = test_hash(hash, m.inertia, 3);
    }
    test_golden("sdf.data", hash);
}

void suite_sdf_data(void)
{
    RUN_TEST(test_terrain_is_the_closest_point);
    RUN_TEST(test_terrain_gradient_is_that_of_the_value);
    RUN_TEST(test_terrain_goes_on_and_is_bounded);
    RUN_TEST(test_terrain_check_names_each_fault);
    RUN_TEST(test_grid_is_trilinear);
    RUN_TEST(test_grid_ends_at_its_last_node);
    RUN_TEST(test_grid_check_names_each_fault);
    RUN_TEST(test_union_is_the_lowest_part);
    RUN_TEST(test_union_gradient_is_in_its_own_axes);
    RUN_TEST(test_union_check_names_each_fault);
    RUN_TEST(test_mass_is_the_sum_over_cells);
    RUN_TEST(test_mass_of_textbook_solids);
    RUN_TEST(test_mass_derivatives_are_differences);
    RUN_TEST(test_mass_of_others_is_stored_or_refused);
    RUN_TEST(test_bits_of_kinds_with_data);
}
