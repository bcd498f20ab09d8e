/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The data-augmented contact model of one body: queries, features, legality, the law made of nets,
 * and statuses. Features and impulses are compared with the formulas of their headers in double.
 */
#include "learned2_case.h"
#include "model_bytes.h"
#include "tc_learned_nets.h"
#include "tc_learned2_features.h"

#include <math.h>

#ifdef TC_DOUBLE
#define ROUNDING 1e-11
#else
#define ROUNDING 3e-5
#endif

static tc_learned2_query query;
static tc_learned2_result result;

static const tc_body2 body = {TC_C(1.0), TC_C(0.0045333333)};

/* ---- Queries --------------------------------------------------------------------------------- */

/* Catches: a wrong element of W or u; a stop that does not stop; an arrest that is not one. */
static void test_query(void)
{
    tc_patch2 patch;
    tc_real velocity[3];
    test_seed(20301u);
    for (uint32_t round = 0; round < 200u; round++) {
        const tc_real k = learned2_random_patch(1u + round % 2u, &patch, velocity);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        const learned2_double p = learned2_in_double(&query.space);
        const double x1 = (double)(patch.lever[0] / k), x2 = (double)(patch.lever[1] / k);
        const double y = (double)(patch.height / k),
                     scale = p.scale * (1 + x1 * x1 + x2 * x2 + y * y);
        test_near((tc_real)(1 + y * y), query.space.W_tt, TC_C(0.0), TC_C(1e-6), "W_tt");
        test_near((tc_real)(x1 * y), query.space.W_tn[0], TC_C(1e-6), TC_C(1e-6), "W_t1");
        test_near((tc_real)(1 + x1 * x1), query.space.W_nn[0], TC_C(0.0), TC_C(1e-6), "W_11");
        test_near(velocity[0] + velocity[2] * patch.height, query.space.slip,
                  TC_C(1e-6) * (tc_real)scale, TC_C(0.0), "slip");
        if (p.count == 2u) {
            test_near((tc_real)(1 + x1 * x2), query.space.W_nn[1], TC_C(1e-5), TC_C(1e-6), "W_12");
            test_near(velocity[1] + velocity[2] * patch.lever[1], query.space.approach[1],
                      TC_C(1e-6) * (tc_real)scale, TC_C(0.0), "u_2");
        }
        const tc_real *const s = query.stops.stop;
        const double stop[3] = {(double)s[0], (double)s[1], (double)s[2]};
        const double size = scale + fabs(stop[0]) + fabs(stop[1]) + fabs(stop[2]);
        double u[3];
        learned2_after(&p, stop, u);
        for (uint32_t i = 0; i <= p.count; i++) {
            test_near(TC_C(0.0), (tc_real)u[i], (tc_real)(ROUNDING * 10 * size), TC_C(0.0),
                      "stopped");
        }
        for (uint32_t i = 0; i < p.count; i++) {
            double corner[3] = {(double)query.stops.corner[i][0], 0, 0};
            corner[1u + i] = (double)query.stops.corner[i][1];
            learned2_after(&p, corner, u);
            test_near(TC_C(0.0), (tc_real)u[0], (tc_real)(ROUNDING * size), TC_C(0.0),
                      "corner slip");
            test_near(TC_C(0.0), (tc_real)u[1u + i], (tc_real)(ROUNDING * size), TC_C(0.0),
                      "corner");
        }
        const tc_real *const a = query.stops.arrest;
        const double arrest[3] = {(double)a[0], (double)a[1], (double)a[2]};
        double n[2];
        learned2_after(&p, arrest, u);
        learned2_normals(&p, arrest[0], n);
        test_near(TC_C(0.0), (tc_real)u[0], (tc_real)(ROUNDING * 10 * size), TC_C(0.0), "arrested");
        test_near((tc_real)(n[0] + n[1]), (tc_real)(arrest[1] + arrest[2]),
                  (tc_real)(ROUNDING * 10 * size), TC_C(0.0), "arrest's normals");
    }
}

/* Catches: a border left unchecked, a query not zero after an error, a short edge taken for two
 * contacts. */
static void test_query_refusals(void)
{
    static const tc_learned2_query zero;
    tc_patch2 patch;
    tc_real velocity[3];
    test_seed(20302u);
    const tc_real k = learned2_random_patch(2, &patch, velocity);
    tc_patch2 bad = patch;
    bad.count = 3;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_learned2_query_init(&query, &bad, velocity, k, NULL));
    bad.count = 0;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_learned2_query_init(&query, &bad, velocity, k, NULL));
    bad = patch;
    bad.lever[0] = patch.lever[1];
    bad.lever[1] = patch.lever[0];
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_learned2_query_init(&query, &bad, velocity, k, NULL));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &query, sizeof query);
    bad = patch;
    bad.height = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_learned2_query_init(&query, &bad, velocity, k, NULL));
    bad.height = TC_C(1e4) * k;
    TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_learned2_query_init(&query, &bad, velocity, k, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_BODY,
                      tc_learned2_query_init(&query, &patch, velocity, TC_C(0.0), NULL));
    TEST_ASSERT_EQUAL(TC_ERR_BODY,
                      tc_learned2_query_init(&query, &patch, velocity, (tc_real)NAN, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned2_query_init(NULL, &patch, velocity, k, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned2_query_init(&query, NULL, velocity, k, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned2_query_init(&query, &patch, NULL, k, NULL));
    for (uint32_t i = 0; i < 3u; i++) {
        tc_real wild[3] = {velocity[0], velocity[1], velocity[2]};
        wild[i] = (tc_real)INFINITY;
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_learned2_query_init(&query, &patch, wild, k, NULL));
        wild[i] = TC_C(1e20);
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_learned2_query_init(&query, &patch, wild, k, NULL));
        TEST_ASSERT_EQUAL_MEMORY(&zero, &query, sizeof query);
    }
    bad = patch;
    bad.lever[1] = bad.lever[0] + TC_C(1e-3) * k;
    TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &bad, velocity, k, NULL));
    TEST_ASSERT_EQUAL(1, query.space.count);
    const uint32_t keep = velocity[2] < TC_C(0.0); /* the corner that approaches faster */
    test_near(velocity[1] + velocity[2] * bad.lever[keep], query.space.approach[0], TC_C(1e-5),
              TC_C(1e-5), "kept");
    test_near(bad.lever[keep] / k, query.lever[0], TC_C(1e-6), TC_C(1e-6), "kept lever");
}

/* The ten numbers of a query that have borders, in double, each as a part of its border; the
 * largest. */
static double share_of_border(const tc_patch2 *patch, const tc_real *v, double k, double height)
{
    double share = fmax(fabs((double)v[0]), fabs((double)v[1])) / (double)TC_LEARNED_SPEED_MAX;
    share = fmax(share, fabs((double)v[0] + (double)v[2] * height) / (double)TC_LEARNED_SPEED_MAX);
    share = fmax(share, fabs(height) / k / (double)TC_LEARNED_LEVER_MAX);
    for (uint32_t i = 0; i < patch->count; i++) {
        const double lever = (double)patch->lever[i];
        share =
            fmax(share, fabs((double)v[1] + (double)v[2] * lever) / (double)TC_LEARNED_SPEED_MAX);
        share = fmax(share, fabs(lever) / k / (double)TC_LEARNED_LEVER_MAX);
    }
    return share;
}

/* One number is drawn to be large, beyond its border or within; the plane is the lower contact's
 * where the patch's own is too far. Catches: a number that is not looked at, another border, arms
 * that end elsewhere. */
static void test_query_borders(void)
{
    uint32_t ends[3] = {0, 0, 0};
    test_seed(20310u);
    for (uint32_t round = 0; round < 600u; round++) {
        tc_patch2 patch;
        tc_real velocity[3];
        const tc_real k = learned2_random_patch(1u + round % 2u, &patch, velocity),
                      way = test_uniform(TC_C(0.5), TC_C(1.5));
        tc_real *const large[6] = {&velocity[0],  &velocity[1],    &velocity[2],
                                   &patch.height, &patch.lever[0], &patch.lever[1]};
        const uint32_t chosen = test_below(6);
        const tc_real sign = test_below(2) || chosen == 5u ? TC_C(1.0) : TC_C(-1.0);
        *large[chosen] =
            sign * way * (chosen < 3u ? TC_LEARNED_SPEED_MAX : TC_LEARNED_LEVER_MAX * k);
        if (chosen < 2u && test_below(2)) {
            /* the contact's own velocity is small: the spin takes back what is large */
            velocity[2] = -velocity[chosen] / (chosen == 0u ? patch.height : patch.lever[0]);
        }
        patch.gap[0] = patch.height * test_uniform(TC_C(0.0), TC_C(1.0));
        patch.gap[1] = patch.height * test_uniform(TC_C(0.0), TC_C(1.0));
        if (patch.count == 2u && patch.lever[1] < patch.lever[0]) {
            patch.lever[0] = patch.lever[1] - k;
        }
        const uint32_t lower = patch.count == 2u && patch.gap[1] < patch.gap[0];
        const double heights[2] = {(double)patch.height,
                                   (double)patch.height - (double)patch.gap[lower]};
        const double share[2] = {share_of_border(&patch, velocity, (double)k, heights[0]),
                                 share_of_border(&patch, velocity, (double)k, heights[1])};
        if (fabs(share[0] - 1.0) < 1e-4 || fabs(share[1] - 1.0) < 1e-4) {
            continue; /* to rounding on a border */
        }
        const uint32_t end = share[0] < 1.0 ? 0u : share[1] < 1.0 ? 1u : 2u;
        ends[end]++;
        TEST_ASSERT_EQUAL(end < 2u ? TC_OK : TC_ERR_RANGE,
                          tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        if (end < 2u) {
            const tc_real y = (tc_real)heights[end] / k, x = patch.lever[0] / k;
            test_near(y, query.height, TC_C(1e-6), TC_C(1e-5), "height");
            test_near(TC_C(1.0) + y * y, query.space.W_tt, TC_C(0.0), TC_C(1e-5), "W_tt");
            test_near(x * y, query.space.W_tn[0], TC_C(1e-4), TC_C(1e-5), "W_t1");
            test_near(patch.count == 2u ? patch.lever[1] / k * y : TC_C(0.0), query.space.W_tn[1],
                      TC_C(1e-4), TC_C(1e-5), "W_t2");
            const double turn = (double)velocity[2] * heights[end],
                         size = fabs(turn) + fabs((double)velocity[0]);
            test_near((tc_real)((double)velocity[0] + turn), query.space.slip,
                      (tc_real)(1e-5 * size), 0, "slip");
        }
    }
    TEST_ASSERT_TRUE(ends[0] > 100u && ends[1] > 10u && ends[2] > 100u);
}

/* An edge that is too short is the point that approaches faster, to the bit. Catches: an element of
 * the other corner that is left or taken. */
static void test_short_edges_are_points(void)
{
    static tc_learned2_query point;
    test_seed(20312u);
    for (uint32_t round = 0; round < 100u; round++) {
        tc_patch2 patch;
        tc_real velocity[3], offset[2];
        const tc_real k = learned2_random_patch(2, &patch, velocity);
        test_fill(offset, 2, TC_C(-0.1), TC_C(0.1));
        patch.lever[1] = patch.lever[0] + k * TC_C(2.1e-3);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, offset));
        TEST_ASSERT_EQUAL(2, query.space.count);
        patch.lever[1] = patch.lever[0] + k * test_uniform(TC_C(0.0), TC_C(1.9e-3));
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, offset));
        const tc_real approach[2] = {velocity[1] + velocity[2] * patch.lever[0] + offset[0],
                                     velocity[1] + velocity[2] * patch.lever[1] + offset[1]};
        const uint32_t keep = approach[0] <= approach[1] ? 0u : 1u;
        patch.count = 1;
        patch.lever[0] = patch.lever[keep];
        TEST_ASSERT_EQUAL(TC_OK,
                          tc_learned2_query_init(&point, &patch, velocity, k, &offset[keep]));
        TEST_ASSERT_EQUAL_MEMORY(&point.space, &query.space, sizeof query.space);
        TEST_ASSERT_EQUAL_MEMORY(&point.stops, &query.stops, sizeof query.stops);
        TEST_ASSERT_EQUAL_MEMORY(point.lever, query.lever, sizeof query.lever);
        TEST_ASSERT_EQUAL_MEMORY(point.frictionless, query.frictionless, sizeof query.frictionless);
    }
}

/* Catches: a number that is not asked to be one; a query that is not zero after it. */
static void test_query_not_finite(void)
{
    static const tc_learned2_query zero;
    const tc_real bad[3] = {(tc_real)NAN, (tc_real)INFINITY, (tc_real)-INFINITY};
    test_seed(20311u);
    for (uint32_t round = 0; round < 2u * 8u * 3u; round++) {
        tc_patch2 patch;
        tc_real velocity[3], offset[2] = {TC_C(0.01), TC_C(0.01)};
        const uint32_t count = 1u + round % 2u, slot = round / 2u % 8u;
        const tc_real k = learned2_random_patch(count, &patch, velocity);
        tc_real *const slots[8] = {&velocity[0],    &velocity[1],    &velocity[2], &patch.height,
                                   &patch.lever[0], &patch.lever[1], &offset[0],   &offset[1]};
        *slots[slot] = bad[round / 16u];
        const int read = count == 2u || slot % 2u == 0u || slot < 5u;
        memset(&query, 0xFF, sizeof query);
        TEST_ASSERT_EQUAL(read ? TC_ERR_NOT_FINITE : TC_OK,
                          tc_learned2_query_init(&query, &patch, velocity, k, offset));
        TEST_ASSERT_TRUE(!read || memcmp(&query, &zero, sizeof query) == 0);
    }
}

/* ---- Features -------------------------------------------------------------------------------- */

static uint32_t add_direction(const double *v, uint32_t n, double *out)
{
    double square = 0;
    for (uint32_t i = 0; i < n; i++) {
        square += v[i] * v[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        out[i] = sqrt(square) < 1e-12 ? 0 : v[i] / sqrt(square);
    }
    return n;
}

static double clip2(double a, double b)
{
    return fabs(b) < 1e-12 ? 0 : fmax(-2, fmin(2, a / b));
}

/* Feature map 1 from the brief's words; returns how many. */
static uint32_t expected_features(const tc_learned2_query *q, double *out)
{
    const learned2_double p = learned2_in_double(&q->space);
    const uint32_t two = p.count == 2u;
    const double n0 = (double)q->frictionless[0] + (double)q->frictionless[1];
    const double arrest[2] = {(double)q->stops.arrest[0],
                              (double)q->stops.arrest[1] + (double)q->stops.arrest[2]};
    const double stop[3] = {(double)q->stops.stop[0], (double)q->stops.stop[1],
                            (double)q->stops.stop[2]};
    uint32_t n = 0;
    out[n++] = (double)q->lever[0];
    if (two) {
        out[n++] = (double)q->lever[1];
    }
    out[n++] = (double)q->height;
    if (!two) {
        out[n++] = p.W[0][1] / p.W[1][1];
        out[n++] = p.W[0][1] / p.W[0][0];
    }
    n += add_direction(p.u, 1u + p.count, out + n);
    out[n++] = log(fmax(sqrt(p.u[0] * p.u[0] + p.u[1] * p.u[1] + p.u[2] * p.u[2]), 1e-6));
    n += add_direction(stop, 1u + p.count, out + n);
    if (two) {
        out[n++] = clip2((double)q->frictionless[0], n0);
        for (uint32_t i = 0; i < 2u; i++) {
            const double corner[2] = {(double)q->stops.corner[i][0], (double)q->stops.corner[i][1]};
            n += add_direction(corner, 2, out + n);
        }
    }
    n += add_direction(arrest, 2, out + n);
    out[n++] = clip2(arrest[0], n0);
    out[n++] = clip2(arrest[0], arrest[1]);
    return n;
}

/* Catches: a feature wrong, out of order, or out of its group. The groups alone must be the whole
 * in parts. */
static void test_features(void)
{
    static const uint32_t all[2] = {31, 61}, number[2] = {13, 19};
    tc_patch2 patch;
    tc_real velocity[3], features[TC_LEARNED2_FEATURES_MAX], part[TC_LEARNED2_FEATURES_MAX];
    double expected[TC_LEARNED2_FEATURES_MAX];
    test_seed(20303u);
    for (uint32_t round = 0; round < 200u; round++) {
        const uint32_t count = 1u + round % 2u;
        const tc_real k = learned2_random_patch(count, &patch, velocity);
        if (round < 4u) { /* at rest: no direction, least size */
            memset(velocity, 0, sizeof velocity);
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        TEST_ASSERT_EQUAL(number[count - 1u],
                          tc_learned2_features(&query, all[count - 1u], features));
        TEST_ASSERT_EQUAL(number[count - 1u], tc_learned2_features_count(count, all[count - 1u]));
        TEST_ASSERT_EQUAL(number[count - 1u], expected_features(&query, expected));
        for (uint32_t i = 0; i < number[count - 1u]; i++) {
            test_near((tc_real)expected[i], features[i], TC_C(2e-6), TC_C(2e-6), "feature");
        }
        const uint32_t mask = test_below(64) & all[count - 1u];
        const uint32_t n = tc_learned2_features(&query, mask, part);
        TEST_ASSERT_EQUAL(n, tc_learned2_features_count(count, mask));
        for (uint32_t i = 0, from = 0; i < n; i++, from++) { /* in order, each found in the whole */
            while (from < number[count - 1u]
                   && memcmp(&features[from], &part[i], sizeof part[i]) != 0) {
                from++;
            }
            TEST_ASSERT_TRUE(from < number[count - 1u]);
        }
    }
    TEST_ASSERT_EQUAL(0, tc_learned2_features_count(0, 63));
    TEST_ASSERT_EQUAL(0, tc_learned2_features_count(3, 63));
}

/* ---- Legality
 * ---------------------------------------------------------------------------------------------- */

/* Catches: an override missing, or told wrong; a ratio asked for where none is used. */
static void test_legality(void)
{
    /* a point under the centre of mass: sticking pulls exactly when the body leaves */
    tc_patch2 patch = {1,         {0, 0}, {TC_C(0.0), TC_C(1.0)}, {TC_C(0.0), TC_C(0.0)},
                       TC_C(0.1), {0, 0}};
    static const struct {
        tc_real normal_speed;
        tc_learned_class said, branch;
        uint32_t flags;
        tc_status status;
    } cases[6] = {
        {TC_C(-1.0), TC_LEARNED_STATIC, TC_LEARNED_STATIC, 0, TC_OK},
        {TC_C(-1.0), TC_LEARNED_DYNAMIC, TC_LEARNED_DYNAMIC, 0, TC_OK},
        {TC_C(-1.0), TC_LEARNED_DETACH, TC_LEARNED_DYNAMIC, TC_LEARNED_OVERRULED, TC_NOTE_CONTACT},
        {TC_C(1.0), TC_LEARNED_STATIC, TC_LEARNED_DETACH, TC_LEARNED_OVERRULED | TC_LEARNED_PULLED,
         TC_NOTE_CONTACT},
        {TC_C(1.0), TC_LEARNED_DYNAMIC, TC_LEARNED_DYNAMIC, 0, TC_OK},
        {TC_C(1.0), TC_LEARNED_DETACH, TC_LEARNED_DETACH, 0, TC_OK},
    };
    for (uint32_t i = 0; i < 6u; i++) {
        const tc_real velocity[3] = {TC_C(1.0), cases[i].normal_speed, TC_C(0.0)};
        const learned2_said said = learned2_says(cases[i].said, TC_C(-0.1));
        const tc_learned2_model law = learned2_said_law(&said);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, TC_C(0.1), NULL));
        TEST_ASSERT_EQUAL(cases[i].status, tc_learned2_solve(&law, &query, &result, NULL, 0));
        TEST_ASSERT_EQUAL(cases[i].branch, result.decision.branch);
        TEST_ASSERT_EQUAL(cases[i].said, result.decision.said);
        TEST_ASSERT_EQUAL(cases[i].flags, result.decision.flags);
        TEST_ASSERT_EQUAL(cases[i].branch == TC_LEARNED_DYNAMIC,
                          result.decision.ratio != TC_C(0.0));
        test_near(cases[i].normal_speed < TC_C(0.0) ? TC_C(1.0) : TC_C(0.0), result.impulse[1],
                  TC_C(1e-6), TC_C(0.0), "normal");
    }
    /* sliding to the right at 1 m/s, landing at 1: friction -0.1; a ratio that feeds gives none */
    const tc_real velocity[3] = {TC_C(1.0), TC_C(-1.0), TC_C(0.0)};
    learned2_said said = learned2_says(TC_LEARNED_DYNAMIC, TC_C(-0.1));
    const tc_learned2_model law = learned2_said_law(&said);
    TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, TC_C(0.1), NULL));
    TEST_ASSERT_EQUAL(TC_OK, tc_learned2_solve(&law, &query, &result, NULL, 0));
    test_near(TC_C(-0.1), result.impulse[0], TC_C(1e-6), TC_C(0.0), "friction");
    said.ratio = TC_C(0.1);
    TEST_ASSERT_EQUAL(TC_NOTE_CONTACT, tc_learned2_solve(&law, &query, &result, NULL, 0));
    TEST_ASSERT_EQUAL(TC_LEARNED_CLAMPED, result.decision.flags);
    TEST_ASSERT_EQUAL_FLOAT(0.0f, (float)result.impulse[0]);
    said.ratio = TC_C(-1e6); /* W_tt = 2: half of the slip ends it */
    TEST_ASSERT_EQUAL(TC_NOTE_CONTACT, tc_learned2_solve(&law, &query, &result, NULL, 0));
    test_near(TC_C(-0.5), result.impulse[0], TC_C(1e-6), TC_C(0.0), "f*");
    said.ratio = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_OK, tc_learned2_solve(&law, &query, &result, NULL, 0));
    TEST_ASSERT_EQUAL_FLOAT(0.0f, (float)result.impulse[0]);
    said.status = TC_ERR_UNSUPPORTED;
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_learned2_solve(&law, &query, &result, NULL, 0));
    TEST_ASSERT_EQUAL(TC_LEARNED_NONE, result.decision.branch);
    TEST_ASSERT_EQUAL_MEMORY(velocity, result.velocity, sizeof velocity);
    said.status = TC_NOTE_RANGE;
    TEST_ASSERT_EQUAL(TC_NOTE_RANGE, tc_learned2_solve(&law, &query, &result, NULL, 0));
    TEST_ASSERT_EQUAL(TC_LEARNED_RANGE, result.decision.flags);
}

/* ---- The law made of nets -------------------------------------------------------------------- */

_Alignas(16) static uint8_t blob[LEARNED2_BLOB_SIZE];
static tc_model model;
static tc_learned2_nets nets;
static tc_foot2 foot;
static tc_real work[TC_FOOT2_WORK(TC_LEARNED2_NETS_WORK(19))];

/* The open model's law says what its nets do, each evaluated by itself. */
static void says_what_nets_do(void)
{
    tc_patch2 patch;
    tc_real velocity[3], features[TC_LEARNED2_FEATURES_MAX], expected[3], room[TC_NET_WORK(19)];
    tc_net net;
    for (uint32_t round = 0; round < 20u; round++) {
        const uint32_t count = 1u + round % 2u;
        const tc_real k = learned2_random_patch(count, &patch, velocity);
        tc_learned2_decision decision;
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        TEST_ASSERT_TRUE(tc_learned2_decide(&foot.model, &query, &decision, work, TC_COUNT(work))
                         >= TC_OK);
        (void)tc_learned2_ratio(&foot.model, &query, &decision, work, TC_COUNT(work));
        (void)tc_learned2_features(&query, count == 1u ? 31u : 61u, features);
        TEST_ASSERT_EQUAL(TC_OK, tc_model_net(&model, count == 1u ? "class0" : "class1", &net));
        tc_net_forward(&net, features, expected, room);
        TEST_ASSERT_EQUAL_MEMORY(expected, decision.probability, sizeof expected);
        TEST_ASSERT_EQUAL(TC_OK, tc_model_net(&model, count == 1u ? "ratio0" : "ratio1", &net));
        tc_net_forward(&net, features, expected, room);
        TEST_ASSERT_EQUAL_MEMORY(expected, &decision.ratio, sizeof expected[0]);
    }
}

/* Catches: nets exchanged, the wrong patch's nets, restitution or scheme of the record lost;
 * features that are normalised twice, or not for one of the nets, or before they are compared with
 * the range. */
static void test_nets(void)
{
    static const float alike[4] = {0.25f, 0.25f, 0.75f, 0.75f};
    tc_patch2 patch;
    tc_real velocity[3];
    test_seed(20304u);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, learned2_blob(blob)));
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_open(&foot, &nets, &model, &body, TC_C(0.002)));
    TEST_ASSERT_EQUAL(TC_SCHEME_TOC, foot.positions);
    TEST_ASSERT_EQUAL_FLOAT(0.25f, (float)foot.restitution);
    TEST_ASSERT_EQUAL(TC_LEARNED2_NETS_WORK(19), foot.model.work_len);
    says_what_nets_do();
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, learned2_blob_normalised(blob, alike)));
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_open(&foot, &nets, &model, &body, TC_C(0.002)));
    says_what_nets_do();
    (void)learned2_random_patch(1, &patch, velocity);
    patch.lever[0] = TC_C(2.02); /* 20.2 - 0.25 would be inside */
    TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, TC_C(0.1), NULL));
    TEST_ASSERT_EQUAL(TC_NOTE_RANGE,
                      tc_learned2_solve(&foot.model, &query, &result, work, TC_COUNT(work)));
    patch.count = 1; /* x / k = 25 is outside -20..20 */
    patch.lever[0] = TC_C(2.5);
    TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, TC_C(0.1), NULL));
    TEST_ASSERT_EQUAL(TC_NOTE_RANGE,
                      tc_learned2_solve(&foot.model, &query, &result, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_learned2_solve(&foot.model, &query, &result, work, TC_COUNT(work) - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_learned2_solve(&foot.model, &query, &result, TEST_ODD(work),
                                                      TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_learned2_solve(&foot.model, &query, &result, NULL, TC_COUNT(work)));
    tc_learned2_decision *const decision = &result.decision;
    TEST_ASSERT_EQUAL(TC_ERR_WORK,
                      tc_learned2_ratio(&foot.model, &query, decision, work, TC_COUNT(work) - 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_learned2_ratio(&foot.model, &query, decision, TEST_ODD(work),
                                                      TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL,
                      tc_learned2_ratio(&foot.model, &query, decision, NULL, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_LEARNED_NONE, decision->branch);
}

/* Catches: a null that only another null gives away. */
static void test_decide_refuses_each_null(void)
{
    const learned2_said said = learned2_says(TC_LEARNED_STATIC, TC_C(0.0));
    const tc_learned2_model whole = learned2_said_law(&said);
    tc_patch2 patch;
    tc_real velocity[3];
    tc_learned2_decision decision;
    test_seed(20307u);
    const tc_real k = learned2_random_patch(1, &patch, velocity);
    TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
    TEST_ASSERT_TRUE(tc_learned2_decide(&whole, &query, &decision, NULL, 0) >= TC_OK);
    for (uint32_t missing = 0; missing < 4u; missing++) {
        tc_learned2_model law = whole;
        law.classify = missing == 0u ? NULL : law.classify;
        law.ratio = missing == 1u ? NULL : law.ratio;
        memset(&decision, 0xFF, sizeof decision);
        TEST_ASSERT_EQUAL(TC_ERR_NULL,
                          tc_learned2_decide(missing == 2u ? NULL : &law,
                                             missing == 3u ? NULL : &query, &decision, NULL, 0));
        TEST_ASSERT_EQUAL(TC_LEARNED_NONE, decision.branch);
        TEST_ASSERT_EQUAL(0, decision.flags);
        memset(&decision, 0xFF, sizeof decision);
        TEST_ASSERT_EQUAL(TC_ERR_NULL,
                          tc_learned2_ratio(missing == 2u ? NULL : &law,
                                            missing == 3u ? NULL : &query, &decision, NULL, 0));
        TEST_ASSERT_EQUAL(TC_LEARNED_NONE, decision.branch);
        TEST_ASSERT_EQUAL(0, decision.flags);
    }
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_learned2_ratio(&whole, &query, NULL, NULL, 0));
}

/* The border of tc_learned_nets_take() in double: (|mean| + bound) scale, as a vector, at most 2^20
 * long. */
static double largest_input(const tc_real *bound, uint32_t n, double mean, double scale)
{
    double square = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        const double most = ((double)bound[i] + fabs(mean)) * scale;
        square += most * most;
    }
    return sqrt(square);
}

/* Nets whose means and scales lie a part in 10^4 on either side of the border. Catches: a mean, a
 * scale, a bound or an input that does not count. */
static void test_inputs_are_bounded(void)
{
    test_seed(20308u);
    for (uint32_t round = 0; round < 60u; round++) {
        const uint32_t n = round % 2u ? 19u : 13u;
        const tc_real size = tc_exp(test_uniform(TC_C(-7.0), TC_C(7.0)));
        const double mean =
            (double)tc_exp(test_uniform(TC_C(-7.0), TC_C(7.0))) * (round % 4u < 2u ? 1.0 : -1.0);
        tc_real bound[19];
        tc_net net;
        for (uint32_t i = 0; i < n; i++) {
            bound[i] = size * tc_exp(test_uniform(TC_C(-3.0), TC_C(3.0)));
        }
        const double border = 1048576.0 / largest_input(bound, n, (double)(float)mean, 1.0);
        for (uint32_t beyond = 0; beyond < 2u; beyond++) {
            const float scale = (float)(border * (beyond ? 1.0001 : 0.9999));
            const float normal[4] = {(float)mean, (float)mean, scale, scale};
            TEST_ASSERT_EQUAL(TC_OK,
                              tc_model_open(&model, blob, learned2_blob_normalised(blob, normal)));
            TEST_ASSERT_EQUAL(
                beyond ? TC_ERR_MODEL_WEIGHT : TC_OK,
                tc_learned_nets_take(&model, n == 19u ? "class1" : "class0", bound, n, 3, &net));
        }
        TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, learned2_blob(blob)));
        const tc_real enlarge = (tc_real)(1048576.0 / largest_input(bound, n, 0.0, 1.0));
        for (uint32_t i = 0; i < n; i++) {
            bound[i] *= enlarge * (round % 4u < 2u ? TC_C(0.9999) : TC_C(1.0001));
        }
        TEST_ASSERT_EQUAL(
            round % 4u < 2u ? TC_OK : TC_ERR_MODEL_WEIGHT,
            tc_learned_nets_take(&model, n == 19u ? "ratio1" : "ratio0", bound, n, 1, &net));
    }
}

/* No query has features beyond what is said of them: with the range of levers and velocities that a
 * query may have, as extremely as they come. */
static void test_features_stay_within_their_bounds(void)
{
    test_seed(20309u);
    for (uint32_t round = 0; round < 400u; round++) {
        const uint32_t count = 1u + round % 2u, mask = count == 1u ? 31u : 61u;
        tc_patch2 patch;
        tc_real velocity[3], features[TC_LEARNED2_FEATURES_MAX], bound[TC_LEARNED2_FEATURES_MAX];
        const tc_real k = learned2_random_patch(count, &patch, velocity);
        const tc_real larger = tc_exp(test_uniform(TC_C(0.0), TC_C(12.0)));
        patch.height *= larger;
        for (uint32_t i = 0; i < 3u; i++) {
            velocity[i] *= tc_exp(test_uniform(TC_C(-30.0), TC_C(30.0)));
            patch.lever[i % 2u] *= i < 2u ? larger : TC_C(1.0);
        }
        if (tc_learned2_query_init(&query, &patch, velocity, k, NULL) != TC_OK) {
            continue;
        }
        const uint32_t n = tc_learned2_features(&query, mask, features);
        TEST_ASSERT_EQUAL(n, tc_learned2_features_bounds(query.space.count, mask, bound));
        for (uint32_t i = 0; i < n; i++) {
            TEST_ASSERT_TRUE(features[i] <= bound[i] && features[i] >= -bound[i]);
        }
    }
}

static void refused(tc_status status, const tc_body2 *other, tc_real step)
{
    static const tc_learned2_nets zero;
    static const tc_foot2 no_foot;
    TEST_ASSERT_EQUAL(status, tc_foot2_open(&foot, &nets, &model, other, step));
    TEST_ASSERT_EQUAL_MEMORY(&zero, &nets, sizeof nets);
    TEST_ASSERT_EQUAL_MEMORY(&no_foot, &foot, sizeof foot);
}

/* Catches: a model taken for a body, step, kind or patch that it was not trained for. */
static void test_mismatch(void)
{
    tc_body2 other = body;
    test_seed(20305u);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, learned2_blob(blob)));
    refused(TC_ERR_MODEL_MISMATCH, &body, TC_C(0.001));
    other.mass = TC_C(1.03);
    refused(TC_ERR_MODEL_MISMATCH, &other, TC_C(0.002));
    other.mass = TC_C(1.01);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_open(&foot, &nets, &model, &other, TC_C(0.00201)));
    other.inertia = TC_C(0.0044);
    refused(TC_ERR_MODEL_MISMATCH, &other, TC_C(0.002));
    other.inertia = TC_C(-1.0);
    refused(TC_ERR_BODY, &other, TC_C(0.002));
    refused(TC_ERR_NOT_FINITE, &body, (tc_real)NAN);
    refused(TC_ERR_RANGE, &body, TC_C(0.0));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_open(NULL, &nets, &model, &body, TC_C(0.002)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_open(&foot, NULL, &model, &body, TC_C(0.002)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_open(&foot, &nets, NULL, &body, TC_C(0.002)));
    /* a mask that wants fewer inputs than the net has; a net that is missing */
    learned2_blob(blob);
    blob[LEARNED2_CONTACT_AT + 36u] = 15;
    const uint32_t size = blob[8] | (uint32_t)blob[9] << 8;
    repair_crc(blob, size);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, size));
    refused(TC_ERR_MODEL_MISMATCH, &body, TC_C(0.002));
    learned2_blob(blob);
    memcpy(blob + 64 + 96, "other0", 6);
    repair_crc(blob, size);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, size));
    refused(TC_ERR_MODEL_NAME, &body, TC_C(0.002));
    /* a regressor that is normalised otherwise than its classifier */
    static const float otherwise[2][4] = {{0.25f, 0.5f, 0.75f, 0.75f}, {0.25f, 0.25f, 0.75f, 0.5f}};
    for (uint32_t i = 0; i < 2u; i++) {
        TEST_ASSERT_EQUAL(
            TC_OK, tc_model_open(&model, blob, learned2_blob_normalised(blob, otherwise[i])));
        refused(TC_ERR_MODEL_MISMATCH, &body, TC_C(0.002));
    }
    /* points only: an edge is refused in flight */
    learned2_blob(blob);
    blob[LEARNED2_CONTACT_AT + 6u] = 1;
    memset(blob + LEARNED2_CONTACT_AT + 40u, 0, 4);
    memset(blob + LEARNED2_CONTACT_AT + 52u, 0, 4);
    repair_crc(blob, size);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, size));
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_open(&foot, &nets, &model, &body, TC_C(0.002)));
    tc_patch2 patch;
    tc_real velocity[3];
    const tc_real k = learned2_random_patch(2, &patch, velocity);
    TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED,
                      tc_learned2_solve(&foot.model, &query, &result, work, TC_COUNT(work)));
}

/* Catches: a compiled-in model that is not refused for another body or step, whose restitution or
 * scheme is lost, or whose law has other nets than the file's. */
static void test_const(void)
{
    static tc_learned2_nets_const compiled;
    static const tc_foot2 no_foot;
    tc_body2 other = body;
    test_seed(20306u);
    TEST_ASSERT_EQUAL(TC_OK, tc_model_open(&model, blob, learned2_blob(blob)));
    TEST_ASSERT_EQUAL(TC_OK, tc_learned2_nets_open(&compiled.nets, &model, &body, TC_C(0.002)));
    TEST_ASSERT_EQUAL(TC_OK, tc_learned_record_read(&model, &compiled.record, NULL));
    compiled.step = (tc_real)model.step_size;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_open(&foot, &nets, &model, &body, TC_C(0.002)));
    const tc_foot2 opened = foot;
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_open_const(&foot, &compiled, &body, TC_C(0.002)));
    TEST_ASSERT_EQUAL_PTR(&compiled.nets, foot.model.context);
    says_what_nets_do();
    TEST_ASSERT_EQUAL_MEMORY(&opened, &foot, offsetof(tc_foot2, model));
    TEST_ASSERT_EQUAL(opened.model.work_len, foot.model.work_len);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH,
                      tc_foot2_open_const(&foot, &compiled, &body, TC_C(0.001)));
    TEST_ASSERT_EQUAL_MEMORY(&no_foot, &foot, sizeof foot);
    other.inertia = TC_C(0.0044);
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH,
                      tc_foot2_open_const(&foot, &compiled, &other, TC_C(0.002)));
    other.inertia = TC_C(-1.0);
    TEST_ASSERT_EQUAL(TC_ERR_BODY, tc_foot2_open_const(&foot, &compiled, &other, TC_C(0.002)));
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_foot2_open_const(&foot, &compiled, &body, (tc_real)NAN));
    compiled.record.kind = TC_LEARNED_BODY3;
    TEST_ASSERT_EQUAL(TC_ERR_MODEL_MISMATCH,
                      tc_foot2_open_const(&foot, &compiled, &body, TC_C(0.002)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_open_const(NULL, &compiled, &body, TC_C(0.002)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_open_const(&foot, NULL, &body, TC_C(0.002)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot2_open_const(&foot, &compiled, NULL, TC_C(0.002)));
}

void suite_learned2(void)
{
    RUN_TEST(test_query);
    RUN_TEST(test_query_refusals);
    RUN_TEST(test_query_borders);
    RUN_TEST(test_short_edges_are_points);
    RUN_TEST(test_query_not_finite);
    RUN_TEST(test_features);
    RUN_TEST(test_legality);
    RUN_TEST(test_nets);
    RUN_TEST(test_mismatch);
    RUN_TEST(test_const);
    RUN_TEST(test_decide_refuses_each_null);
    RUN_TEST(test_inputs_are_bounded);
    RUN_TEST(test_features_stay_within_their_bounds);
}
