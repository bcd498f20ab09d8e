/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The cone solver on random families: what holds of every answer, whatever the method.
 *
 * Two answers of one problem are compared in w, which is unique. A residual of 3.8e-6 of the scale
 * leaves w off by more where G is badly conditioned. The bounds below are three to ten times the
 * largest difference that these problems show.
 */
#include "cone_oracle.h"
#include "test.h"

#include <string.h>

#define ROWS CONE_FAMILY_ROWS
#define ALIKE TC_C(5e-3)   /* turned and permuted: 6.1e-4 */
#define DOUBLED TC_C(1e-2) /* twice the contacts: 3.2e-3 */
#define SOFT TC_C(3e-4)    /* with compliance, f, too: 7.3e-5 */
#define SMOOTH TC_C(1e-6)  /* without friction, closed forms and bases: 3.0e-8 */
#ifdef TC_DOUBLE
#define RESIDUAL 1.05e-11
#else
#define RESIDUAL 4.1e-6
#endif

typedef struct answer {
    tc_real f[ROWS], u[ROWS], w[ROWS];
    tc_cone_info info;
    tc_status status;
} answer;

static cone_problem drawn, other;
static answer first, second;
static tc_real work[TC_CONE_WORK(TC_CONE_MAX, 2u, ROWS)];

static int certified(tc_status status)
{
    return status == TC_OK || status == TC_NOTE_PRECISION;
}

static void solve(const tc_cone *p, answer *a)
{
    a->status =
        tc_cone_solve(p, a->f, a->u, a->w, &a->info, work, TC_CONE_WORK(p->n, p->rows, p->d));
}

static double size_of(const tc_real *x, uint32_t n)
{
    double sum = 0;
    for (uint32_t k = 0; k < n; ++k) sum += (double)x[k] * (double)x[k];
    return sqrt(sum);
}

/* Certified, judged in double; `missed` counts what is not. */
static void judge(const tc_cone *p, const answer *a, uint32_t *missed)
{
    if (!certified(a->status)) {
        ++*missed;
        return;
    }
    const oracle_judgement j = oracle_judge(p, a->f, a->u, a->w);
    TEST_ASSERT_TRUE_MESSAGE(j.residual <= RESIDUAL, "residual");
    TEST_ASSERT_TRUE_MESSAGE(j.outside <= ORACLE_ROUNDING, "outside of its cone");
    TEST_ASSERT_TRUE_MESSAGE(j.drift <= ORACLE_ROUNDING, "u and w are those of f");
    TEST_ASSERT_TRUE_MESSAGE((a->status == TC_OK) == (a->info.error <= TC_CONE_ERROR), "error");
    TEST_ASSERT_TRUE_MESSAGE(a->info.margin >= 0, "margin");
    test_near((tc_real)j.scale, a->info.scale, 0, TC_C(1e-5), "scale");
}

/* One in 10^4 may be missed, of these none is */
static void test_families(void)
{
    uint32_t missed = 0;
    for (uint32_t k = 0; k < cone_family_count * 2u; ++k) {
        for (uint32_t index = 0; index < TEST_ROUNDS(160); ++index) {
            cone_draw(&cone_families[k / 2u], &drawn, 2u + k % 2u, 0, index);
            solve(&drawn.cone, &first);
            judge(&drawn.cone, &first, &missed);
            const double before = size_of(drawn.w0, drawn.cone.d);
            TEST_ASSERT_TRUE_MESSAGE(size_of(first.w, drawn.cone.d) <= 1.00001 * before, "energy");
            cone_restitute(&drawn, first.f, first.w);
            solve(&drawn.cone, &second);
            judge(&drawn.cone, &second, &missed);
        }
    }
#ifndef TC_DOUBLE
    TEST_ASSERT_EQUAL_UINT32(0, missed);
#endif
}

/* With the compliance that the impulses of least norm come from, and larger ones */
static void test_soft_families(void)
{
    static const tc_real parts[] = {TC_C(1e-3), TC_C(0.03), TC_C(1.0)};
    uint32_t missed = 0;
    for (uint32_t k = 0; k < cone_family_count * 2u; ++k) {
        for (uint32_t index = 0; index < TEST_ROUNDS(80); ++index) {
            cone_draw(&cone_families[k / 2u], &drawn, 2u + k % 2u, 0, index);
            cone_soften(&drawn, parts[index % 3u]);
            solve(&drawn.cone, &first);
            judge(&drawn.cone, &first, &missed);
            cone_restitute(&drawn, first.f, first.w);
            solve(&drawn.cone, &second);
            judge(&drawn.cone, &second, &missed);
        }
    }
    TEST_ASSERT_EQUAL_UINT32(0, missed);
}

static void expect_alike(const tc_real *a, const tc_real *b, uint32_t d, tc_real bound,
                         const char *what)
{
    for (uint32_t k = 0; k < d; ++k) test_near(a[k], b[k], bound, 0, what);
}

static void draw_usual(uint32_t index, uint32_t rows, uint32_t n)
{
    cone_draw(&cone_families[index % 2u != 0 ? CONE_BOX : CONE_BODY], &drawn, rows, n, index);
    solve(&drawn.cone, &first);
    TEST_ASSERT_TRUE(certified(first.status));
}

/* |w - w'| <= |w0 - w0'| */
static void test_not_expansive(void)
{
    for (uint32_t index = 0; index < TEST_ROUNDS(400); ++index) {
        tc_real before[6], after[6];
        draw_usual(index, 2u + index / 2u % 2u, 0);
        const uint32_t d = drawn.cone.d;
        test_seed(index + 1u);
        for (uint32_t k = 0; k < d; ++k) {
            before[k] = test_uniform(TC_C(-0.3), TC_C(0.3));
            drawn.w0[k] += before[k];
        }
        solve(&drawn.cone, &second);
        for (uint32_t k = 0; k < d; ++k) after[k] = second.w[k] - first.w[k];
        TEST_ASSERT_TRUE(size_of(after, d) <= size_of(before, d) + (double)ALIKE);
    }
}

/* Tangents turned by an angle, contacts in another order */
static void test_turned_and_permuted(void)
{
    for (uint32_t index = 0; index < TEST_ROUNDS(400); ++index) {
        draw_usual(index, 3, 0);
        other = drawn;
        const uint32_t n = drawn.cone.n, d = drawn.cone.d;
        test_seed(index + 1u);
        for (uint32_t i = 0; i < n; ++i) {
            const double angle = (double)test_uniform(0, 6);
            const double c = (1 - angle * angle) / (1 + angle * angle),
                         s = 2 * angle / (1 + angle * angle);
            const tc_real *const g = drawn.G + i * 3u * d;
            tc_real *const to = other.G + (n - 1u - i) * 3u * d;
            for (uint32_t k = 0; k < d; ++k) {
                to[k] = g[k];
                to[d + k] = (tc_real)(c * (double)g[d + k] - s * (double)g[2u * d + k]);
                to[2u * d + k] = (tc_real)(s * (double)g[d + k] + c * (double)g[2u * d + k]);
            }
            other.mu[n - 1u - i] = drawn.mu[i];
        }
        other.cone.G = other.G;
        other.cone.mu = other.mu;
        solve(&other.cone, &second);
        TEST_ASSERT_TRUE(certified(second.status));
        expect_alike(first.w, second.w, d, ALIKE, "turned and permuted");
    }
}

/* A contact twice: the same w, and of one contact the closed form against the general solver */
static void test_doubled(void)
{
    for (uint32_t index = 0; index < TEST_ROUNDS(400); ++index) {
        const uint32_t n = 1u + index / 2u % 4u;
        draw_usual(index, 3, n);
        const uint32_t d = drawn.cone.d;
        memcpy(drawn.G + n * 3u * d, drawn.G, n * 3u * d * sizeof drawn.G[0]);
        memcpy(drawn.mu + n, drawn.mu, n * sizeof drawn.mu[0]);
        drawn.cone.n = 2u * n;
        solve(&drawn.cone, &second);
        TEST_ASSERT_TRUE(certified(second.status));
        expect_alike(first.w, second.w, d, DOUBLED, "doubled");
    }
}

/* mu = 0 in space is the problem of the normals alone, with floors, too */
static void test_smooth(void)
{
    static tc_real G[TC_CONE3_MAX * 6u];
    for (uint32_t index = 0; index < TEST_ROUNDS(300); ++index) {
        cone_draw(&cone_families[CONE_SMOOTH], &drawn, 3, 0, index);
        const uint32_t n = drawn.cone.n, d = drawn.cone.d;
        for (uint32_t i = 0; i < n; ++i) {
            memcpy(G + i * d, drawn.G + i * 3u * d, d * sizeof G[0]);
            drawn.floor[i] = (tc_real)(i % 3u) * TC_C(0.2);
        }
        if (index % 2u != 0) drawn.cone.floor = drawn.floor;
        solve(&drawn.cone, &first);
        drawn.cone.G = G;
        drawn.cone.rows = 1;
        drawn.cone.mu = NULL;
        solve(&drawn.cone, &second);
        TEST_ASSERT_TRUE(certified(first.status) && certified(second.status));
        expect_alike(first.w, second.w, d, SMOOTH, "normals alone");
    }
}

/* Compliance c is sqrt(c) in columns of its own: another problem with the same w and f */
static void test_compliance(void)
{
    static tc_real soft[TC_CONE_MAX];
    for (uint32_t index = 0; index < TEST_ROUNDS(300); ++index) {
        const uint32_t rows = 2u + index / 2u % 2u;
        draw_usual(index, rows, 1u + index / 4u % 4u);
        const uint32_t n = drawn.cone.n, d = drawn.cone.d, wide = d + n * rows;
        if (index % 4u >= 2u) cone_restitute(&drawn, first.f, first.w);
        other = drawn;
        memset(other.G, 0, sizeof other.G);
        for (uint32_t i = 0; i < n * rows; ++i) {
            soft[i / rows] = TC_C(0.0625) * (tc_real)(1u + i / rows);
            memcpy(other.G + i * wide, drawn.G + i * d, d * sizeof drawn.G[0]);
            other.G[i * wide + d + i] = tc_sqrt(soft[i / rows]);
        }
        for (uint32_t k = d; k < wide; ++k) other.w0[k] = 0;
        other.cone.G = other.G;
        other.cone.w0 = other.w0;
        other.cone.mu = other.mu;
        other.cone.floor = drawn.cone.floor != NULL ? other.floor : NULL;
        other.cone.d = wide;
        drawn.cone.compliance = soft;
        uint32_t missed = 0;
        solve(&drawn.cone, &first);
        judge(&drawn.cone, &first, &missed);
        solve(&other.cone, &second);
        TEST_ASSERT_TRUE(missed == 0 && certified(second.status));
        expect_alike(first.w, second.w, d, SOFT, "w");
        expect_alike(first.f, second.f, n * rows, SOFT, "f");
        expect_alike(first.u, second.u, n * rows, SOFT, "u");
    }
}

/* The same bits on every machine, and for every TC_LCP_MAX from its default on */
static void test_bits_golden(void)
{
    uint32_t hash = TEST_HASH_START;
    for (uint32_t k = 0; k < (cone_family_count + 1u) * 2u; ++k) {
        for (uint32_t index = 0; index < 6u; ++index) {
            cone_draw(&cone_families[k / 2u], &drawn, 2u + k % 2u, 0, 1000u + index);
            for (uint32_t phase = 0; phase < 2u; ++phase) {
                solve(&drawn.cone, &first);
                const uint32_t rows = drawn.cone.n * drawn.cone.rows;
                hash = test_hash(hash, first.f, rows);
                hash = test_hash(hash, first.u, rows);
                hash = test_hash(hash, first.w, drawn.cone.d);
                hash = test_hash(hash, &first.info.margin, 1);
                if (phase == 0) cone_restitute(&drawn, first.f, first.w);
            }
        }
    }
    test_golden("cone", hash);
}

/* A planar body between two walls, `half` contacts at each, friction below 1e-4: where each wall
 * touches above and below the middle nothing can move, whatever the friction. The impulses are thousands of
 * times the velocity. An answer that is off says so. */
static void draw_walls(uint32_t half, uint32_t index)
{
    test_seed(index + 1u);
    for (uint32_t k = 0; k < 8u; ++k) (void)test_bits();
    drawn.cone =
        (tc_cone){.n = 2u * half, .rows = 2, .d = 3, .G = drawn.G, .w0 = drawn.w0, .mu = drawn.mu};
    for (uint32_t i = 0; i < 2u * half; ++i) {
        const tc_real side = i < half ? 1 : -1, end = i % half == 0u ? -1 : 1;
        const tc_real height =
            i % half < 2u ? end * test_uniform(TC_C(0.5), 1) : test_uniform(-1, 1);
        const tc_real both[6] = {side, 0, -side * height, 0, side, TC_C(-0.5)};
        memcpy(drawn.G + 6u * i, both, sizeof both);
        drawn.mu[i] = test_uniform(TC_C(2e-5), TC_C(1e-4));
    }
    test_fill(drawn.w0, 3, -1, 1);
}

static void test_walls(void)
{
    uint32_t noted = 0, rounds = TEST_ROUNDS(160);
    for (uint32_t index = 0; index < rounds; ++index) {
        draw_walls(2u + index % 7u, index);
        solve(&drawn.cone, &first);
        TEST_ASSERT_TRUE(certified(first.status));
        if (first.status == TC_OK) {
            TEST_ASSERT_TRUE(size_of(first.w, 3) <= 0.02 * size_of(drawn.w0, 3));
        }
        noted += first.status != TC_OK;
    }
    TEST_ASSERT_TRUE(noted <= 1u + rounds / 4u);
}

/* Restitution in the plane: within rounding, in few rounds */
static void test_plane_restitutions(void)
{
    for (uint32_t index = 0; index < TEST_ROUNDS(320); ++index) {
        cone_draw(&cone_families[index % 2u ? CONE_BOX : CONE_BODY], &drawn, 2u, 0, 500u + index);
        solve(&drawn.cone, &first);
        cone_restitute(&drawn, first.f, first.w);
        solve(&drawn.cone, &second);
        TEST_ASSERT_TRUE(certified(second.status));
        const oracle_judgement j = oracle_judge(&drawn.cone, second.f, second.u, second.w);
        TEST_ASSERT_TRUE(j.residual <= 8 * (double)TC_EPSILON);
        TEST_ASSERT_TRUE(second.info.iterations <= 8u + 4u * drawn.cone.n);
    }
}

void suite_cone_properties(void)
{
    RUN_TEST(test_walls);
    RUN_TEST(test_plane_restitutions);
    RUN_TEST(test_families);
    RUN_TEST(test_soft_families);
    RUN_TEST(test_not_expansive);
    RUN_TEST(test_turned_and_permuted);
    RUN_TEST(test_doubled);
    RUN_TEST(test_smooth);
    RUN_TEST(test_compliance);
    RUN_TEST(test_bits_golden);
}
