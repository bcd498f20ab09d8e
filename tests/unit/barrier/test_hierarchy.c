/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Sums over trees of convex pieces, held to the paper's recursion (Algorithm 1) in double: written
 * from the paper, with a Newton search of its own for the planes, and with derivatives by differences
 * of values. The trees' own spheres are checked on their own.
 */
#include "pose_case.h"

#include <math.h>

#define BALL 32u /* triangles of the finer ball, 8 n^2 */
#define CORNERS_MAX 24u

#ifdef __arm__
#define HIERARCHY_ROUNDS 2u
#define HIERARCHY_DIRECTIONS 1u
#else
#define HIERARCHY_ROUNDS 40u
#define HIERARCHY_DIRECTIONS 5u
#endif

static tc_real ball_corners[2][BALL * 9];
static tc_barrier_set ball_pieces[2][BALL];
static tc_hierarchy_node ball_nodes[2][2 * BALL - 1];
static tc_hierarchy ball_tree[2];
static tc_convex_pose ball_at[2];
static tc_hierarchy_config settings;
static tc_hierarchy_pair pair;
static tc_hierarchy_work work;
static tc_hierarchy_slot slots[256];

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* An octahedron's face of n^2 triangles per face, on the sphere of a radius; 8 faces share nothing. */
static uint32_t make_ball(uint32_t i, uint32_t n, double radius)
{
    tc_real *corner = ball_corners[i];
    uint32_t count = 0;
    for (uint32_t face = 0; face < 8u; ++face) {
        const double sign[3] = {face & 1u ? -1 : 1, face & 2u ? -1 : 1, face & 4u ? -1 : 1};
        for (uint32_t row = 0; row < n; ++row) {
            for (uint32_t k = 0; k < 2u * row + 1u; ++k, ++count) {
                const uint32_t step = k / 2u, up = k % 2u;
                const uint32_t at[3][2] = {
                    {row + 1u - up, step + up}, {row + 1u, step + 1u}, {row, step}};
                for (uint32_t v = 0; v < 3u; ++v) {
                    const uint32_t r = at[v][0], c = at[v][1];
                    const double x[3] = {sign[0] * (n - r), sign[1] * c, sign[2] * (r - c)};
                    const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
                    for (uint32_t j = 0; j < 3u; ++j) *corner++ = (tc_real)(radius * x[j] / length);
                }
            }
        }
    }
    for (uint32_t p = 0; p < count; ++p)
        ball_pieces[i][p] = (tc_barrier_set){ball_corners[i] + 9u * p, 3, 0};
    return count;
}

static void build_tree(uint32_t i, uint32_t count)
{
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_hierarchy_build(ball_pieces[i], count, ball_nodes[i],
                                                    TC_COUNT(ball_nodes[i]), &ball_tree[i]));
}

/* A cloud of rounded pieces of 1 to 5 vertices about the origin */
static void make_cloud(uint32_t i, uint32_t count)
{
    tc_real *x = ball_corners[i];
    for (uint32_t p = 0; p < count; ++p) {
        const uint32_t n = 1u + test_below(5);
        tc_real centre[3];
        test_fill(centre, 3, TC_C(-0.08), TC_C(0.08));
        ball_pieces[i][p] = (tc_barrier_set){x, n, test_below(2) ? test_uniform(0, TC_C(0.01)) : 0};
        for (uint32_t k = 0; k < 3u * n; ++k)
            *x++ = centre[k % 3u] + test_uniform(TC_C(-0.02), TC_C(0.02));
    }
    build_tree(i, count);
}

/* Both bodies turned, A at a distance of B in a random direction */
static void place_bodies(double distance)
{
    tc_real d[3], length = 0;
    test_fill(d, 3, -1, 1);
    for (uint32_t k = 0; k < 3u; ++k) length += d[k] * d[k];
    length = (tc_real)sqrt((double)length + 1e-9);
    for (uint32_t i = 0; i < 2u; ++i) {
        double q[4];
        for (uint32_t k = 0; k < 4u; ++k) q[k] = (double)test_uniform(-1, 1);
        pose_rotation(q, ball_at[i].rotation);
    }
    test_fill(ball_at[1].position, 3, TC_C(-0.5), TC_C(0.5));
    for (uint32_t k = 0; k < 3u; ++k)
        ball_at[0].position[k] = ball_at[1].position[k] + (tc_real)distance * d[k] / length;
}

static tc_status derive(tc_hierarchy_cache *cache)
{
    return tc_hierarchy_derive(&settings, &ball_tree[0], &ball_at[0], &ball_tree[1], &ball_at[1],
                               cache, &pair, &work);
}

/* ---- The paper's recursion in double --------------------------------------------------------- */

typedef struct true_place {
    double R[9], x[3];
} true_place;

typedef struct true_points {
    double x[64][3], radius;
    uint32_t n;
} true_points;

static true_place true_at[2];
static uint32_t true_exact;

static void set_places(void)
{
    for (uint32_t i = 0; i < 2u; ++i) {
        for (uint32_t k = 0; k < 9u; ++k) true_at[i].R[k] = (double)ball_at[i].rotation[k];
        for (uint32_t k = 0; k < 3u; ++k) true_at[i].x[k] = (double)ball_at[i].position[k];
    }
}

/* Moves a body by t and exp([theta]) about its position */
static void move_place(true_place *at, const double t[3], const double theta[3])
{
    const double angle = sqrt(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
    const double s = angle > 1e-9 ? sin(angle) / angle : 1;
    const double c = angle > 1e-5 ? (1 - cos(angle)) / (angle * angle) : 0.5;
    double out[9];
    for (uint32_t k = 0; k < 3u; ++k) {
        const double v[3] = {at->R[k], at->R[3 + k], at->R[6 + k]};
        const double w[3] = {theta[1] * v[2] - theta[2] * v[1], theta[2] * v[0] - theta[0] * v[2],
                             theta[0] * v[1] - theta[1] * v[0]};
        const double u[3] = {theta[1] * w[2] - theta[2] * w[1], theta[2] * w[0] - theta[0] * w[2],
                             theta[0] * w[1] - theta[1] * w[0]};
        for (uint32_t i = 0; i < 3u; ++i) out[3 * i + k] = v[i] + s * w[i] + c * u[i];
    }
    memcpy(at->R, out, sizeof out);
    for (uint32_t i = 0; i < 3u; ++i) at->x[i] += t[i];
}

static void true_point(uint32_t i, const tc_real local[3], double x[3])
{
    for (uint32_t k = 0; k < 3u; ++k) {
        x[k] = true_at[i].x[k];
        for (uint32_t j = 0; j < 3u; ++j) x[k] += true_at[i].R[3 * k + j] * (double)local[j];
    }
}

static void true_piece(uint32_t i, const tc_barrier_set *piece, true_points *p)
{
    p->n = piece->count;
    p->radius = (double)piece->radius;
    for (uint32_t k = 0; k < p->n; ++k) true_point(i, piece->vertices + 3u * k, p->x[k]);
}

/* The value without A where the barrier's part is Q */
static double true_value(double Q)
{
    const double A = (double)settings.barrier.A, kappa = (double)settings.barrier.kappa;
    return Q + 2 * kappa * sqrt(A * Q) / sqrt(1 + (double)settings.barrier.length * Q);
}

/* The extreme of n.x over points: sign 1 the least, -1 the greatest; `at` the point */
static double true_extreme(const true_points *p, const double n[3], double sign, double at[3])
{
    double best = 1e300;
    for (uint32_t i = 0; i < p->n; ++i) {
        const double h = sign * (n[0] * p->x[i][0] + n[1] * p->x[i][1] + n[2] * p->x[i][2]);
        if (h < best) {
            best = h;
            memcpy(at, p->x[i], 3 * sizeof(double));
        }
    }
    return sign * best;
}

/* Gilbert's search for a normal that separates; p = (n, d), |n| = 1/2 */
static int true_start(const true_points *a, const true_points *b, double p[4])
{
    double v[3], x[3], y[3];
    for (uint32_t k = 0; k < 3u; ++k) v[k] = a->x[0][k] - b->x[0][k];
    for (uint32_t round = 0; round < 20000u; ++round) {
        const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        const double low = true_extreme(a, v, 1, x) - a->radius * length;
        const double high = true_extreme(b, v, -1, y) + b->radius * length;
        if (low > high + 1e-3 * length * (length - a->radius - b->radius)) {
            for (uint32_t k = 0; k < 3u; ++k) p[k] = 0.5 * v[k] / length;
            p[3] = -0.25 * (low + high) / length;
            return 1;
        }
        double d[3], up = 0, down = 0;
        for (uint32_t k = 0; k < 3u; ++k) {
            d[k] = v[k] - (x[k] - y[k]);
            up += v[k] * d[k];
            down += d[k] * d[k];
        }
        const double share = fmin(1, up / (down + 1e-300));
        for (uint32_t k = 0; k < 3u; ++k) v[k] -= share * d[k];
    }
    return 0;
}

/* The paper's objective with A = 12, its gradient and Hessian by p = (n, d); infinite outside */
static double true_objective(const true_points *a, const true_points *b, const double p[4],
                             double g[4], double H[16])
{
    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (!(length < 1) || !(length > 0)) return HUGE_VAL;
    const double rest = 1 - length;
    double value = 12 / rest;
    for (uint32_t i = 0; i < 4u; ++i) g[i] = i < 3u ? 12 / (rest * rest) * p[i] / length : 0;
    for (uint32_t i = 0; i < 16u; ++i) H[i] = 0;
    double bend = 12 / (rest * rest * length);
    const true_points *const side[2] = {a, b};
    for (uint32_t s = 0; s < 2u; ++s) {
        const double sign = s ? -1 : 1;
        for (uint32_t i = 0; i < side[s]->n; ++i) {
            const double *x = side[s]->x[i];
            const double u =
                sign * (x[0] * p[0] + x[1] * p[1] + x[2] * p[2] + p[3]) - side[s]->radius * length;
            if (!(u > 0)) return HUGE_VAL;
            value += 1 / u;
            double slope[4] = {0, 0, 0, sign};
            for (uint32_t k = 0; k < 3u; ++k)
                slope[k] = sign * x[k] - side[s]->radius * p[k] / length;
            for (uint32_t j = 0; j < 4u; ++j) {
                g[j] -= slope[j] / (u * u);
                for (uint32_t k = 0; k < 4u; ++k)
                    H[4 * j + k] += 2 * slope[j] * slope[k] / (u * u * u);
            }
            bend += side[s]->radius / (u * u * length);
        }
    }
    for (uint32_t j = 0; j < 3u; ++j) {
        for (uint32_t k = 0; k < 3u; ++k) {
            const double nn = p[j] * p[k] / (length * length);
            H[4 * j + k] += bend * ((j == k) - nn) + 24 / (rest * rest * rest) * nn;
        }
    }
    return value;
}

static void true_solve(double H[16], double x[4])
{
    for (uint32_t i = 0; i < 4u; ++i) {
        for (uint32_t j = i + 1; j < 4u; ++j) {
            const double share = H[4 * j + i] / H[4 * i + i];
            for (uint32_t k = i; k < 4u; ++k) H[4 * j + k] -= share * H[4 * i + k];
            x[j] -= share * x[i];
        }
    }
    for (uint32_t i = 4; i-- > 0u;) {
        for (uint32_t k = i + 1; k < 4u; ++k) x[i] -= H[4 * i + k] * x[k];
        x[i] /= H[4 * i + i];
    }
}

static double true_pieces(const true_points *a, const true_points *b)
{
    double p[4], g[4], H[16], trial[4], spare[4], spare_H[16];
    TEST_ASSERT_TRUE(true_start(a, b, p));
    double value = true_objective(a, b, p, g, H);
    TEST_ASSERT_TRUE(isfinite(value));
    for (uint32_t round = 0; round < 100u; ++round) {
        double share = 1, step[4], decrement = 0, next = HUGE_VAL;
        memcpy(step, g, sizeof step);
        true_solve(H, step);
        for (uint32_t i = 0; i < 4u; ++i) decrement += step[i] * g[i];
        if (decrement < 1e-14 * value) break;
        for (uint32_t halving = 0; halving < 60u && !(next <= value); ++halving, share *= 0.5) {
            for (uint32_t i = 0; i < 4u; ++i) trial[i] = p[i] - share * step[i];
            next = true_objective(a, b, trial, spare, spare_H);
        }
        memcpy(p, trial, sizeof p);
        value = true_objective(a, b, p, g, H);
    }
    ++true_exact;
    const double r = sqrt(value) - sqrt(12.0);
    return true_value(r * r);
}

static double true_pair(uint32_t i, uint32_t j)
{
    const tc_hierarchy_node *const a = &ball_nodes[0][i], *const b = &ball_nodes[1][j];
    double x[3], y[3], m = 0, near = 0;
    true_point(0, a->centre, x);
    true_point(1, b->centre, y);
    for (uint32_t k = 0; k < 3u; ++k) m += (x[k] - y[k]) * (x[k] - y[k]);
    const double D = sqrt(m), d1 = (double)a->radius + (double)b->radius;
    const double d2 = (1 + (double)settings.epsilon) * d1, root = (double)a->root + (double)b->root;
    const double far = true_value(root * root / D);
    if (D >= d2) return far;
    if (a->right == 0u && b->right == 0u) {
        true_points p, q;
        true_piece(0, &ball_pieces[0][a->piece], &p);
        true_piece(1, &ball_pieces[1][b->piece], &q);
        near = true_pieces(&p, &q);
    } else {
        for (uint32_t s = 0; s < (a->right ? 2u : 1u); ++s) {
            for (uint32_t t = 0; t < (b->right ? 2u : 1u); ++t)
                near += true_pair(s ? a->right : i + (a->right != 0u),
                                  t ? b->right : j + (b->right != 0u));
        }
    }
    if (D <= d1) return near;
    const double e = (D - d1) / (d2 - d1), phi = e * e * e * (10 + e * (6 * e - 15));
    return near + phi * (far - near);
}

static double true_sum(void)
{
    true_exact = 0;
    return true_pair(0, 0);
}

/* ---- Trees ----------------------------------------------------------------------------------- */

static double apart(const tc_real *x, const tc_real *y)
{
    double sum = 0;
    for (uint32_t k = 0; k < 3u; ++k)
        sum += ((double)x[k] - (double)y[k]) * ((double)x[k] - (double)y[k]);
    return sqrt(sum);
}

static void check_node(uint32_t i, const tc_hierarchy_node *node, uint8_t *seen)
{
    if (node->right == 0u) {
        const tc_barrier_set *p = &ball_pieces[i][node->piece];
        ++seen[node->piece];
        for (uint32_t k = 0; k < p->count; ++k)
            TEST_ASSERT_TRUE(apart(node->centre, p->vertices + 3u * k) + (double)p->radius
                             <= (double)node->radius * (1 + 1e-7));
        return;
    }
    const tc_hierarchy_node *const child[2] = {node + 1, &ball_nodes[i][node->right]};
    for (uint32_t k = 0; k < 2u; ++k)
        TEST_ASSERT_TRUE(apart(node->centre, child[k]->centre) + (double)child[k]->radius
                         <= (double)node->radius * (1 + 1e-7));
}

static void test_hierarchy_spheres_hold_their_children(void)
{
    test_seed(71);
    for (uint32_t round = 0; round < TEST_ROUNDS(200); ++round) {
        const uint32_t count = 1u + test_below(CORNERS_MAX);
        uint8_t seen[CORNERS_MAX] = {0};
        make_cloud(0, count);
        for (uint32_t k = 0; k < 2u * count - 1u; ++k) check_node(0, &ball_nodes[0][k], seen);
        for (uint32_t k = 0; k < count; ++k) TEST_ASSERT_EQUAL_INT(1, seen[k]);
    }
}

/* The same pieces in another order make the same spheres. */
static void test_hierarchy_does_not_see_the_order_of_pieces(void)
{
    test_seed(72);
    make_cloud(0, CORNERS_MAX);
    for (uint32_t k = 0; k < CORNERS_MAX; ++k)
        ball_pieces[1][k] = ball_pieces[0][CORNERS_MAX - 1u - k];
    build_tree(1, CORNERS_MAX);
    for (uint32_t k = 0; k < 2u * CORNERS_MAX - 1u; ++k)
        TEST_ASSERT_EQUAL_MEMORY(&ball_nodes[0][k].centre, &ball_nodes[1][k].centre,
                                 4 * sizeof(tc_real));
}

static void test_hierarchy_takes_triangles_of_a_mesh(void)
{
    const tc_real x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    tc_barrier_set pieces[4];
    tc_real corners[36];
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_hierarchy_triangles(x, 4, faces, 4, corners, pieces));
    for (uint32_t i = 0; i < 4u; ++i) {
        TEST_ASSERT_EQUAL_INT(3, pieces[i].count);
        for (uint32_t k = 0; k < 9u; ++k)
            TEST_ASSERT_TRUE(pieces[i].vertices[k] == x[3u * faces[3u * i + k / 3u] + k % 3u]);
    }
    TEST_ASSERT_EQUAL_INT(TC_ERR_RANGE, tc_hierarchy_triangles(x, 3, faces, 4, corners, pieces));
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_hierarchy_triangles(x, 4, faces, 0, corners, pieces));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_hierarchy_triangles(NULL, 4, faces, 4, corners, pieces));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_hierarchy_triangles(x, 4, faces, 4, NULL, pieces));
}

/* ---- Sums ------------------------------------------------------------------------------------ */

#ifdef TC_DOUBLE
#define VALUE_ERROR 1e-9
#define SLOPE_ERROR 1e-6
#define BEND_ERROR 3e-5
#else
#define VALUE_ERROR 3e-5
#define SLOPE_ERROR 3e-4
#define BEND_ERROR 1e-2
#endif

/* A random direction of the twelve freedoms */
static void draw_direction(double v[12])
{
    for (uint32_t k = 0; k < 12u; ++k) v[k] = (double)test_uniform(-1, 1);
}

static double true_along(const double v[12], double share)
{
    double q[12];
    for (uint32_t k = 0; k < 12u; ++k) q[k] = share * v[k];
    set_places();
    for (uint32_t i = 0; i < 2u; ++i) move_place(&true_at[i], q + 6 * i, q + 6 * i + 3);
    return true_sum();
}

static void compare_slopes(double gap)
{
    for (uint32_t d = 0; d < HIERARCHY_DIRECTIONS; ++d) {
        double v[12], slope = 0, size = 0, bend = 0, mass = 0;
        const double h = 5e-4 * gap;
        draw_direction(v);
        const double high = true_along(v, h), low = true_along(v, -h), middle = true_along(v, 0);
        const double high2 = true_along(v, 2 * h), low2 = true_along(v, -2 * h);
        for (uint32_t i = 0; i < 12u; ++i) {
            slope += v[i] * (double)pair.gradient[i];
            size += fabs(v[i] * (double)pair.gradient[i]);
            for (uint32_t j = 0; j < 12u; ++j) {
                const uint32_t r = i > j ? i : j, c = i > j ? j : i;
                const double term = v[i] * v[j] * (double)pair.hessian[r * (r + 1) / 2 + c];
                bend += term;
                mass += fabs(term);
            }
        }
        const double want = (8 * (high - low) - (high2 - low2)) / (12 * h);
        const double wanted = (16 * (high + low) - (high2 + low2) - 30 * middle) / (12 * h * h);
        TEST_ASSERT_TRUE(fabs(slope - want) <= SLOPE_ERROR * size);
        TEST_ASSERT_TRUE(fabs(bend - wanted) <= BEND_ERROR * mass);
    }
}

static void compare_sum(double gap)
{
    TEST_ASSERT_TRUE(derive(NULL) >= TC_OK);
    set_places();
    const double want = true_sum();
    TEST_ASSERT_EQUAL_INT(true_exact, pair.exact);
    TEST_ASSERT_TRUE(fabs((double)pair.value - want) <= VALUE_ERROR * want);
    const tc_hierarchy_pair kept = pair;
    TEST_ASSERT_TRUE(tc_hierarchy_value(&settings, &ball_tree[0], &ball_at[0], &ball_tree[1],
                                        &ball_at[1], NULL, &pair, &work)
                     >= TC_OK);
    TEST_ASSERT_TRUE(pair.value == kept.value && pair.gradient[0] == 0 && pair.hessian[0] == 0);
    pair = kept;
    compare_slopes(gap);
}

/* Two balls, from a hair's breadth to far away */
static void test_hierarchy_of_balls_is_the_papers_sum(void)
{
    test_seed(73);
    settings = tc_hierarchy_default();
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(HIERARCHY_ROUNDS); ++round) {
        build_tree(0, make_ball(0, 1u + round % 2u, 0.1));
        build_tree(1, make_ball(1, 1u + round / 2u % 2u, 0.1));
        const double gap = test_log_uniform_wide(0.003, 3);
        place_bodies(0.2 + gap);
        compare_sum(gap < 0.05 ? gap : 0.05);
    }
}

/* Clouds of rounded pieces of one to five vertices, with other weights */
static void test_hierarchy_of_pieces_is_the_papers_sum(void)
{
    test_seed(74);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(HIERARCHY_ROUNDS); ++round) {
        settings = tc_hierarchy_default();
        settings.epsilon = test_log_uniform(0.1, 2);
        if (round % 2u)
            settings.barrier = (tc_barrier_config){3, test_log_uniform(0.1, 100), TC_C(0.05)};
        for (uint32_t i = 0; i < 2u; ++i) make_cloud(i, 1u + test_below(6));
        const double reach = 0.2 * (1 + test_log_uniform_wide(0.05, 4));
        place_bodies(reach + 0.15);
        compare_sum(0.05);
    }
}

/* With a wide margin nothing is replaced: the plain sum over all pairs of pieces. */
static void test_hierarchy_with_a_wide_margin_is_the_plain_sum(void)
{
    test_seed(75);
    settings = tc_hierarchy_default();
    settings.epsilon = TC_C(1e6);
    for (uint32_t i = 0; i < 2u; ++i) build_tree(i, make_ball(i, 1, 0.1));
    place_bodies(0.35);
    TEST_ASSERT_TRUE(derive(NULL) >= TC_OK);
    TEST_ASSERT_EQUAL_INT(64, pair.exact);
    set_places();
    double sum = 0;
    for (uint32_t i = 0; i < 8u; ++i) {
        for (uint32_t j = 0; j < 8u; ++j) {
            true_points p, q;
            true_piece(0, &ball_pieces[0][i], &p);
            true_piece(1, &ball_pieces[1][j], &q);
            sum += true_pieces(&p, &q);
        }
    }
    TEST_ASSERT_TRUE(fabs((double)pair.value - sum) <= VALUE_ERROR * sum);
}

/* ---- Properties ------------------------------------------------------------------------------ */

/* Forces and torques about one point sum to zero, and the bodies push each other apart at any
 * distance. */
static void test_hierarchy_pushes_apart_and_keeps_momentum(void)
{
    test_seed(76);
    settings = tc_hierarchy_default();
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(100); ++round) {
        for (uint32_t i = 0; i < 2u; ++i) build_tree(i, make_ball(i, 2, 0.1));
        place_bodies(0.2 + test_log_uniform_wide(1e-3, 1e3));
        TEST_ASSERT_TRUE(derive(NULL) >= TC_OK);
        double push = 0, size = 0, sum[6] = {0}, r[3];
        for (uint32_t k = 0; k < 3u; ++k) {
            r[k] = (double)ball_at[0].position[k] - (double)ball_at[1].position[k];
            push -= r[k] * (double)pair.gradient[k];
            size += fabs((double)pair.gradient[k]);
            sum[k] = (double)pair.gradient[k] + (double)pair.gradient[6 + k];
        }
        for (uint32_t k = 0; k < 3u; ++k) {
            const uint32_t l = (k + 1u) % 3u, m = (k + 2u) % 3u;
            sum[3 + k] = (double)pair.gradient[3 + k] + (double)pair.gradient[9 + k]
                         + r[l] * (double)pair.gradient[m] - r[m] * (double)pair.gradient[l];
        }
        const double reach = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        TEST_ASSERT_TRUE(push > 0.5 * reach * size / sqrt(3.0) && size > 0);
        for (uint32_t k = 0; k < 6u; ++k)
            TEST_ASSERT_TRUE(fabs(sum[k])
                             <= 40 * (double)TC_EPSILON * size * (k < 3u ? 1 : reach + 1));
    }
}

/* Value, slope and curvature along the line of centres go on through both ends of each blend. */
static void test_hierarchy_is_smooth_where_blends_begin_and_end(void)
{
    test_seed(77);
    settings = tc_hierarchy_default();
    for (uint32_t i = 0; i < 2u; ++i) build_tree(i, make_ball(i, 1, 0.1));
    place_bodies(1);
    tc_real away[3];
    double near = 0;
    for (uint32_t k = 0; k < 3u; ++k) away[k] = ball_at[0].position[k] - ball_at[1].position[k];
    const double d1 = 2 * (double)ball_nodes[0][0].radius, step = 256 * (double)TC_EPSILON;
    for (uint32_t end = 0; end < 2u; ++end) {
        double value[2], bend[2], most = 0;
        for (uint32_t side = 0; side < 2u; ++side) {
            const double D = d1 * (end ? 1.5 : 1) * (side ? 1 + step : 1 - step);
            for (uint32_t k = 0; k < 3u; ++k)
                ball_at[0].position[k] = ball_at[1].position[k] + (tc_real)D * away[k];
            TEST_ASSERT_TRUE(derive(NULL) >= TC_OK);
            value[side] = (double)pair.value;
            bend[side] =
                (double)pair.hessian[0] + (double)pair.hessian[2] + (double)pair.hessian[5];
            if (most < value[side]) most = value[side];
        }
        if (end == 0u) near = most;
        TEST_ASSERT_TRUE(fabs(value[1] - value[0]) <= 20 * step * near);
        TEST_ASSERT_TRUE(fabs(bend[1] - bend[0]) <= 200 * step * near / (0.25 * d1 * d1));
    }
}

/* ---- Planes and threads ---------------------------------------------------------------------- */

/* Kept planes save steps and change nothing beyond rounding. */
static void test_hierarchy_starts_from_kept_planes(void)
{
    tc_hierarchy_cache cache = {slots, 256};
    uint32_t cold = 0, warm = 0;
    test_seed(78);
    memset(slots, 0, sizeof slots);
    settings = tc_hierarchy_default();
    for (uint32_t i = 0; i < 2u; ++i) build_tree(i, make_ball(i, 2, 0.1));
    place_bodies(0.23);
    for (uint32_t round = 0; round < 8u; ++round) {
        ball_at[0].position[0] += TC_C(1e-4);
        TEST_ASSERT_TRUE(derive(&cache) >= TC_OK);
        const tc_hierarchy_pair kept = pair;
        TEST_ASSERT_TRUE(derive(NULL) >= TC_OK);
        TEST_ASSERT_TRUE(fabs((double)kept.value - (double)pair.value)
                         <= 1e-2 * VALUE_ERROR + 100 * (double)TC_EPSILON * (double)pair.value);
        if (round == 0u) continue;
        warm += kept.newton;
        cold += pair.newton;
    }
    TEST_ASSERT_TRUE(4u * warm < 3u * cold);
}

/* Parts, in whatever order they are made, join to the sum. */
static void test_hierarchy_joins_parts(void)
{
    static tc_hierarchy_sum parts[TC_HIERARCHY_PARTS];
    test_seed(79);
    settings = tc_hierarchy_default();
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(60); ++round) {
        build_tree(0, make_ball(0, 1u + test_below(2), 0.1));
        if (test_below(2))
            make_cloud(1, 1u + test_below(4));
        else
            build_tree(1, make_ball(1, 2, 0.1));
        place_bodies(0.25 + test_log_uniform_wide(1e-3, 1));
        TEST_ASSERT_TRUE(derive(NULL) >= TC_OK);
        const tc_hierarchy_pair whole = pair;
        for (uint32_t i = TC_HIERARCHY_PARTS; i-- > 0u;)
            TEST_ASSERT_TRUE(tc_hierarchy_part(&settings, &ball_tree[0], &ball_at[0], &ball_tree[1],
                                               &ball_at[1], i, NULL, &parts[i], &work)
                             >= TC_OK);
        TEST_ASSERT_TRUE(tc_hierarchy_join(&settings, &ball_tree[0], &ball_at[0], &ball_tree[1],
                                           &ball_at[1], parts, &pair, &work)
                         >= TC_OK);
        TEST_ASSERT_EQUAL_INT(whole.exact, pair.exact);
        TEST_ASSERT_EQUAL_INT(whole.centred, pair.centred);
        const double e = 200 * (double)TC_EPSILON;
        TEST_ASSERT_TRUE(fabs((double)whole.value - (double)pair.value) <= e * (double)whole.value);
        double size = 0;
        for (uint32_t k = 0; k < 78u; ++k) size = fmax(size, fabs((double)whole.hessian[k]));
        for (uint32_t k = 0; k < 78u; ++k)
            TEST_ASSERT_TRUE(fabs((double)whole.hessian[k] - (double)pair.hessian[k]) <= e * size);
    }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

static void expect_refused(tc_status want)
{
    pair.value = 1;
    TEST_ASSERT_EQUAL_INT(want, derive(NULL));
    TEST_ASSERT_TRUE(pair.value == 0 && pair.gradient[3] == 0 && pair.hessian[77] == 0);
}

static void test_hierarchy_refuses_bad_bodies(void)
{
    tc_hierarchy tree;
    const size_t room = TC_COUNT(ball_nodes[0]);
    test_seed(80);
    make_cloud(0, 8);
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE,
                          tc_hierarchy_build(ball_pieces[0], 0, ball_nodes[0], room, &tree));
    TEST_ASSERT_EQUAL_INT(TC_ERR_WORK,
                          tc_hierarchy_build(ball_pieces[0], 8, ball_nodes[0], 14, &tree));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_hierarchy_build(NULL, 8, ball_nodes[0], room, &tree));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_hierarchy_build(ball_pieces[0], 8, NULL, room, &tree));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL,
                          tc_hierarchy_build(ball_pieces[0], 8, ball_nodes[0], room, NULL));
    for (uint32_t fault = 0; fault < 6u; ++fault) {
        static const tc_status want[6] = {TC_ERR_SIZE,  TC_ERR_SIZE,       TC_ERR_NULL,
                                          TC_ERR_RANGE, TC_ERR_NOT_FINITE, TC_ERR_NOT_FINITE};
        tc_barrier_set broken[2] = {ball_pieces[0][0], ball_pieces[0][1]};
        tc_real x[3] = {0, (tc_real)NAN, 0};
        if (fault == 0u) broken[1].count = 0;
        if (fault == 1u) broken[1].count = TC_BARRIER_VERTICES_MAX + 1u;
        if (fault == 2u) broken[1].vertices = NULL;
        if (fault == 3u) broken[1].radius = TC_C(-0.1);
        if (fault == 4u) broken[1].radius = (tc_real)INFINITY;
        if (fault == 5u) broken[1] = (tc_barrier_set){x, 1, 0};
        tree.count = 7;
        TEST_ASSERT_EQUAL_INT(want[fault],
                              tc_hierarchy_build(broken, 2, ball_nodes[1], room, &tree));
        TEST_ASSERT_TRUE(tree.count == 0u && !tree.nodes_ref);
    }
}

static void test_hierarchy_refuses_bad_calls(void)
{
    test_seed(81);
    settings = tc_hierarchy_default();
    for (uint32_t i = 0; i < 2u; ++i) build_tree(i, make_ball(i, 1, 0.1));
    place_bodies(0.3);
    TEST_ASSERT_TRUE(derive(NULL) >= TC_OK);
    tc_hierarchy_cache odd = {slots, 3};
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, derive(&odd));
    settings.epsilon = 0;
    expect_refused(TC_ERR_RANGE);
    settings.epsilon = (tc_real)NAN;
    expect_refused(TC_ERR_NOT_FINITE);
    settings = tc_hierarchy_default();
    settings.barrier.A = -1;
    expect_refused(TC_ERR_RANGE);
    settings = tc_hierarchy_default();
    const tc_convex_pose good = ball_at[0];
    ball_at[0].rotation[4] += 1;
    expect_refused(TC_ERR_UNIT);
    ball_at[0] = good;
    ball_at[0].position[2] = (tc_real)NAN;
    expect_refused(TC_ERR_NOT_FINITE);
    ball_at[0].position[2] = TC_C(1e7);
    expect_refused(TC_ERR_RANGE);
    ball_at[0] = good;
    ball_tree[1].nodes_ref = NULL;
    expect_refused(TC_ERR_NULL);
    build_tree(1, 8);
    ball_at[0].position[0] = ball_at[1].position[0];
    ball_at[0].position[1] = ball_at[1].position[1];
    ball_at[0].position[2] = ball_at[1].position[2] + TC_C(0.15);
    expect_refused(TC_ERR_TOUCHING);
}

/* A triangle without area, and coincident vertices, are pieces like others. */
static void test_hierarchy_takes_triangles_without_area(void)
{
    test_seed(82);
    settings = tc_hierarchy_default();
    build_tree(0, make_ball(0, 1, 0.1));
    build_tree(1, make_ball(1, 1, 0.1));
    for (uint32_t k = 0; k < 9u; ++k) ball_corners[0][k] = ball_corners[0][k % 3u];
    for (uint32_t k = 0; k < 3u; ++k)
        ball_corners[0][9u + k] = TC_C(0.5) * (ball_corners[0][12u + k] + ball_corners[0][15u + k]);
    build_tree(0, 8);
    place_bodies(0.24);
    compare_sum(0.03);
}

/* The note of a pair of leaves comes up through its blends, alone and in parts. */
static void test_hierarchy_notes_gaps_below_precision(void)
{
    static tc_hierarchy_sum parts[TC_HIERARCHY_PARTS];
    settings = tc_hierarchy_default();
    for (uint32_t i = 0; i < 2u; ++i) {
        for (uint32_t k = 0; k < 6u; ++k) ball_corners[i][k] = 0;
        ball_corners[i][3] = i ? 1 : -1;
        for (uint32_t k = 0; k < 2u; ++k)
            ball_pieces[i][k] = (tc_barrier_set){ball_corners[i] + 3u * k, 1, TC_C(0.125)};
        build_tree(i, 2);
        pose_set(&ball_at[i], (const double[4]){1, 0, 0, 0}, 0, 0, 0);
    }
    for (uint32_t near = 0; near < 2u; ++near) {
        const tc_status want = near ? TC_NOTE_PRECISION : TC_OK;
        ball_at[0].position[2] = TC_C(0.25) * (near ? 1 + TC_C(4e-6) : TC_C(1.01));
        TEST_ASSERT_EQUAL_INT(want, derive(NULL));
        for (uint32_t i = 0; i < TC_HIERARCHY_PARTS; ++i)
            (void)tc_hierarchy_part(&settings, &ball_tree[0], &ball_at[0], &ball_tree[1],
                                    &ball_at[1], i, NULL, &parts[i], &work);
        TEST_ASSERT_EQUAL_INT(want,
                              tc_hierarchy_join(&settings, &ball_tree[0], &ball_at[0],
                                                &ball_tree[1], &ball_at[1], parts, &pair, &work));
    }
    ball_at[0].position[2] = TC_C(0.249);
    TEST_ASSERT_EQUAL_INT(TC_ERR_TOUCHING, derive(NULL));
}

void suite_hierarchy(void)
{
    RUN_TEST(test_hierarchy_spheres_hold_their_children);
    RUN_TEST(test_hierarchy_does_not_see_the_order_of_pieces);
    RUN_TEST(test_hierarchy_takes_triangles_of_a_mesh);
    RUN_TEST(test_hierarchy_of_balls_is_the_papers_sum);
    RUN_TEST(test_hierarchy_of_pieces_is_the_papers_sum);
    RUN_TEST(test_hierarchy_with_a_wide_margin_is_the_plain_sum);
    RUN_TEST(test_hierarchy_pushes_apart_and_keeps_momentum);
    RUN_TEST(test_hierarchy_is_smooth_where_blends_begin_and_end);
    RUN_TEST(test_hierarchy_starts_from_kept_planes);
    RUN_TEST(test_hierarchy_joins_parts);
    RUN_TEST(test_hierarchy_refuses_bad_bodies);
    RUN_TEST(test_hierarchy_refuses_bad_calls);
    RUN_TEST(test_hierarchy_takes_triangles_without_area);
    RUN_TEST(test_hierarchy_notes_gaps_below_precision);
}
