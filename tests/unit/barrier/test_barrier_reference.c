/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Barriers of pairs against references of 30 digits: value, gap, plane, gradient, second derivatives
 * and the plane's rate, cold and again from the plane found. Bounds, relative to the largest number of
 * the same quantity: in double 1e-10, in single precision 1e-5 + 5e-7 size / gap, second derivatives
 * ten times that; size: the farthest vertex from the body's position plus the radius.
 */
#include "test.h"

#include "../../vectors/barrier.h"

#include <math.h>

/* A case and where its numbers are */
typedef struct barrier_case {
    tc_barrier_set set[2];
    const tc_real *turn[2], *position[2];
    const tc_real *found; /* value, gap, gradient, ... */
    tc_barrier_config config;
    uint32_t motions; /* 12 or 6 */
    double size;
} barrier_case;

static double farthest(const tc_barrier_set *set, uint32_t dim)
{
    double most = 0;
    for (uint32_t i = 0; i < set->count; ++i) {
        double square = 0;
        for (uint32_t k = 0; k < dim; ++k) {
            square += (double)set->vertices[i * dim + k] * (double)set->vertices[i * dim + k];
        }
        most = fmax(most, sqrt(square));
    }
    return most + (double)set->radius;
}

static barrier_case read_case(const barrier_vector *from)
{
    barrier_case made;
    const tc_real *x = from->numbers;
    const uint32_t dim = from->dim;
    made.size = 0;
    for (uint32_t i = 0; i < 2; ++i) {
        made.set[i].vertices = x;
        made.set[i].count = from->count[i];
        x += dim * from->count[i];
        made.set[i].radius = *x++;
        made.turn[i] = x;
        made.position[i] = x + dim * dim;
        x += dim * dim + dim;
        made.size = fmax(made.size, farthest(&made.set[i], dim));
    }
    made.config.A = x[0];
    made.config.kappa = x[1];
    made.config.length = x[2];
    made.found = x + 3;
    made.motions = dim == 3 ? 12 : 6;
    return made;
}

/* Largest error beside the largest of the numbers, held to a bound */
static void hold(const tc_real *found, const tc_real *right, uint32_t n, double bound,
                 const char *what)
{
    double error = 0, scale = 0;
    for (uint32_t i = 0; i < n; ++i) {
        const double off = fabs((double)found[i] - (double)right[i]);
        error = off <= error ? error : off; /* NaN stays */
        scale = fmax(scale, fabs((double)right[i]));
    }
    TEST_ASSERT_TRUE_MESSAGE(error <= bound * scale, what);
}

/* Bounds of gradients; second derivatives have ten times that */
static double bound_of(const barrier_case *c)
{
    return sizeof(tc_real) == 8 ? 1e-10 : 1e-5 + 5e-7 * c->size / (double)c->found[1];
}

static void hold_answer(const barrier_case *c, const tc_real *value, const tc_real *plane,
                        uint32_t dim)
{
    const uint32_t n = c->motions;
    const double bound = bound_of(c);
    hold(value, c->found, 1, bound, "value");
    hold(value + 1, c->found + 1, 1, bound, "gap");
    hold(plane, c->found + 2 + n + n * (n + 1) / 2, dim + 1, 10 * bound, "plane");
}

static void hold_rates(const barrier_case *c, const tc_real *gradient, const tc_real *hessian,
                       const tc_real *rate, uint32_t dim)
{
    const uint32_t n = c->motions, half = n * (n + 1) / 2;
    const double bound = bound_of(c);
    hold(gradient, c->found + 2, n, bound, "gradient");
    hold(hessian, c->found + 2 + n, half, 10 * bound, "hessian");
    hold(rate, c->found + 3 + n + half + dim, (dim + 1) * n, 10 * bound, "plane_rate");
}

static void hold_space(const barrier_case *c)
{
    static tc_barrier3_derivatives derivatives;
    tc_barrier3_plane plane = {{0}, 0};
    tc_barrier3_pair pair;
    tc_convex_pose at[2];
    for (uint32_t i = 0; i < 2; ++i) {
        memcpy(at[i].rotation, c->turn[i], sizeof at[i].rotation);
        memcpy(at[i].position, c->position[i], sizeof at[i].position);
    }
    for (uint32_t again = 0; again < 2; ++again) {
        const tc_status status =
            tc_barrier3_solve(&c->config, &c->set[0], &at[0], &c->set[1], &at[1], &plane, &pair);
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_PRECISION);
        TEST_ASSERT_TRUE(pair.newton <= (again ? 8u : TC_BARRIER_NEWTON));
        const tc_real answer[2] = {pair.value, pair.gap};
        const tc_real found[4] = {plane.normal[0], plane.normal[1], plane.normal[2], plane.offset};
        hold_answer(c, answer, found, 3);
        TEST_ASSERT_EQUAL(TC_OK, tc_barrier3_derive(&c->config, &c->set[0], &at[0], &c->set[1],
                                                    &at[1], &plane, &derivatives));
        hold_rates(c, derivatives.gradient, derivatives.hessian, derivatives.plane_rate, 3);
    }
}

static void hold_plane(const barrier_case *c)
{
    static tc_barrier2_derivatives derivatives;
    tc_barrier2_plane plane = {{0}, 0};
    tc_barrier2_pair pair;
    tc_barrier2_pose at[2];
    for (uint32_t i = 0; i < 2; ++i) {
        at[i].cosine = c->turn[i][0];
        at[i].sine = c->turn[i][2];
        memcpy(at[i].position, c->position[i], sizeof at[i].position);
    }
    for (uint32_t again = 0; again < 2; ++again) {
        const tc_status status =
            tc_barrier2_solve(&c->config, &c->set[0], &at[0], &c->set[1], &at[1], &plane, &pair);
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_PRECISION);
        TEST_ASSERT_TRUE(pair.newton <= (again ? 8u : TC_BARRIER_NEWTON));
        const tc_real answer[2] = {pair.value, pair.gap};
        const tc_real found[3] = {plane.normal[0], plane.normal[1], plane.offset};
        hold_answer(c, answer, found, 2);
        TEST_ASSERT_EQUAL(TC_OK, tc_barrier2_derive(&c->config, &c->set[0], &at[0], &c->set[1],
                                                    &at[1], &plane, &derivatives));
        hold_rates(c, derivatives.gradient, derivatives.hessian, derivatives.plane_rate, 2);
    }
}

static void test_pairs_are_the_references(void)
{
    for (uint32_t i = 0; i < TC_COUNT(barrier_vectors); ++i) {
        const barrier_case c = read_case(&barrier_vectors[i]);
        if (barrier_vectors[i].dim == 3) {
            hold_space(&c);
        } else {
            hold_plane(&c);
        }
    }
}

void suite_barrier_reference(void)
{
    RUN_TEST(test_pairs_are_the_references);
}
