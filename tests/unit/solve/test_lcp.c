/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The complementarity solver by example: known answers, degenerate shapes, borders, proofs of no
 * solution. Random families are in test_lcp_properties.c, a million problems each in tests/lcp.
 */
#include "test.h"

#include <math.h>

#define N TC_LCP_MAX
#define GUARDED(n) ((n) + 2u * TEST_GUARD_WORDS)

static tc_real z_storage[GUARDED(N)], w_storage[GUARDED(N)],
    work_storage[GUARDED(TC_LCP_GENERAL_WORK(N))];
static tc_real *z, *w;
static tc_lcp_info info;

static size_t work_of(const tc_lcp *p)
{
    return p->J == NULL && p->kind == TC_LCP_GENERAL ? TC_LCP_GENERAL_WORK(p->n)
                                                     : TC_LCP_WORK(p->n);
}

/* Solves with guard words round everything; z, w and the workspace hold rubbish before. */
static tc_status solve(const tc_lcp *p)
{
    const uint32_t len = (uint32_t)work_of(p);
    tc_real *work = test_guard(work_storage, len);
    z = test_guard(z_storage, p->n);
    w = test_guard(w_storage, p->n);
    for (uint32_t i = 0; i < p->n; ++i) {
        z[i] = w[i] = -7;
    }
    const tc_status status = tc_lcp_solve(p, z, w, &info, work, len);
    test_guard_check(z_storage, p->n);
    test_guard_check(w_storage, p->n);
    test_guard_check(work_storage, len);
    if (status < 0) {
        for (uint32_t i = 0; i < p->n; ++i) {
            TEST_ASSERT_TRUE_MESSAGE(z[i] == 0 && w[i] == 0, "zero after an error");
        }
    }
    TEST_ASSERT_TRUE_MESSAGE((status == TC_ERR_NO_SOLUTION) == (info.farkas != NULL), "farkas");
    return status;
}

/* w to `rounding` and 2e-6 of itself */
static void expect_beside(const tc_real *z_expected, const tc_real *w_expected, uint32_t n,
                          tc_real rounding, const char *what)
{
    for (uint32_t i = 0; i < n; ++i) {
        test_near(z_expected[i], z[i], TC_C(2e-6), TC_C(2e-6), what);
        test_near(w_expected[i], w[i], rounding, TC_C(2e-6), what);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(z[i] > 0, info.active >> i & 1u, what);
    }
    TEST_ASSERT_TRUE_MESSAGE(info.residual <= TC_LCP_TOLERANCE, what);
}

static void expect(const tc_real *z_expected, const tc_real *w_expected, uint32_t n,
                   const char *what)
{
    expect_beside(z_expected, w_expected, n, TC_C(1e-5), what);
}

static void test_none(void)
{
    const tc_lcp p = {.n = 0};
    TEST_ASSERT_EQUAL(TC_OK, tc_lcp_solve(&p, NULL, NULL, &info, NULL, 0));
    TEST_ASSERT_EQUAL_UINT32(0, info.active);
    TEST_ASSERT_EQUAL(TC_OK, tc_lcp_solve(&p, NULL, NULL, NULL, NULL, 0));
}

/* n = 1: carries, rests, nothing to carry with */
static void test_one(void)
{
    tc_real M[1] = {4}, q[1] = {-2};
    tc_lcp p = {.n = 1, .M = M, .q = q};
    TEST_ASSERT_EQUAL(TC_OK, solve(&p));
    expect((const tc_real[]){TC_C(0.5)}, (const tc_real[]){0}, 1, "carries");
    q[0] = 3;
    TEST_ASSERT_EQUAL(TC_OK, solve(&p));
    expect((const tc_real[]){0}, (const tc_real[]){3}, 1, "rests");
    M[0] = 0;
    TEST_ASSERT_EQUAL(TC_OK, solve(&p));
    q[0] = -1;
    TEST_ASSERT_EQUAL(TC_ERR_NO_SOLUTION, solve(&p));
    TEST_ASSERT_TRUE(info.farkas[0] == 1);
    M[0] = -1; /* not positive semi-definite */
    TEST_ASSERT_EQUAL(TC_ERR_NOT_CERTIFIED, solve(&p));
}

/* A rod of length 2, mass 1, inertia 1/3, falling flat and turning: the four sets of two
 * contacts */
static void test_rod(void)
{
    static const tc_real M[4] = {4, -2, -2, 4};
    static const tc_real q[4][2] = {{-1, -1}, {-4, 3}, {1, -1}, {2, 0}};
    static const tc_real z_is[4][2] = {{TC_C(0.5), TC_C(0.5)}, {1, 0}, {0, TC_C(0.25)}, {0, 0}};
    static const tc_real w_is[4][2] = {{0, 0}, {0, 1}, {TC_C(0.5), 0}, {2, 0}};
    for (uint32_t k = 0; k < 4; ++k) {
        const tc_lcp p = {.n = 2, .M = M, .q = q[k]};
        TEST_ASSERT_EQUAL(TC_OK, solve(&p));
        expect(z_is[k], w_is[k], 2, "rod");
    }
}

/* The four corners of a square foot, three freedoms: w is unique, z basic: at most three carry. */
static void test_foot(void)
{
    static const tc_real J[12] = {1, 1, 1, 1, 1, -1, 1, -1, -1, 1, -1, 1};
    static const tc_real v[3] = {-1, TC_C(0.25), 0};
    tc_real M[16], q[4];
    for (uint32_t i = 0; i < 4; ++i) {
        q[i] = J[3 * i] * v[0] + J[3 * i + 1] * v[1] + J[3 * i + 2] * v[2];
        for (uint32_t j = 0; j < 4; ++j) {
            M[4 * i + j] =
                J[3 * i] * J[3 * j] + J[3 * i + 1] * J[3 * j + 1] + J[3 * i + 2] * J[3 * j + 2];
        }
    }
    for (uint32_t from = 0; from < 2; ++from) {
        const tc_lcp p = {.n = 4, .M = from ? NULL : M, .q = q, .J = from ? J : NULL, .d = 3};
        uint32_t carrying = 0;
        TEST_ASSERT_EQUAL(TC_OK, solve(&p));
        for (uint32_t i = 0; i < 4; ++i) {
            test_near(0, w[i], TC_C(1e-6), 0, "all four stop");
            carrying += z[i] > 0;
        }
        TEST_ASSERT_TRUE(carrying <= 3);
        test_near(1, z[0] + z[1] + z[2] + z[3], TC_C(1e-6), 0, "momentum");
    }
}

/* Every n: a diagonal with alternating signs, from M, from its general form, and zero rows at the
 * end. Terms of up to n cancel in w. Beyond 40 contacts four last bits of them, of the 64 that the
 * header allows, are more than 1e-5. */
static void test_sizes(void)
{
    static tc_real M[N * N], q[N], z_is[N], w_is[N];
    for (uint32_t n = 1; n <= N; ++n) {
        const tc_real rounding = n <= 40u ? TC_C(1e-5) : TC_C(4.0) * TC_EPSILON * (tc_real)n;
        tc_lcp p = {.n = n, .M = M, .q = q};
        memset(M, 0, sizeof M);
        for (uint32_t i = 0; i < n; ++i) {
            M[i * n + i] = (tc_real)(1u + i);
            q[i] = i % 2 ? 2 : -(tc_real)(1u + i);
            z_is[i] = i % 2 ? 0 : 1;
            w_is[i] = i % 2 ? 2 : 0;
        }
        TEST_ASSERT_EQUAL(TC_OK, solve(&p));
        expect_beside(z_is, w_is, n, rounding, "diagonal");
        p.kind = TC_LCP_GENERAL;
        TEST_ASSERT_EQUAL(TC_OK, solve(&p));
        expect_beside(z_is, w_is, n, rounding, "diagonal by Lemke");
        p.kind = TC_LCP_SEMIDEFINITE;
        M[n * n - 1u] = 0;
        q[n - 1u] = 0;
        z_is[n - 1u] = w_is[n - 1u] = 0;
        TEST_ASSERT_EQUAL(TC_OK, solve(&p));
        expect_beside(z_is, w_is, n, rounding, "zero row at rest");
        q[n - 1u] = -1;
        TEST_ASSERT_EQUAL(TC_ERR_NO_SOLUTION, solve(&p));
        TEST_ASSERT_TRUE_MESSAGE(info.farkas[n - 1u] == 1, "the zero row is the proof");
    }
}

/* A wedge: two walls that approach each other cannot both be obeyed; y = (1, 1). */
static void test_wedge(void)
{
    static const tc_real M[4] = {1, -1, -1, 1}, q[2] = {-1, TC_C(0.5)}, J[2] = {1, -1};
    for (uint32_t k = 0; k < 3; ++k) {
        const tc_lcp_kind kind = k == 2 ? TC_LCP_GENERAL : TC_LCP_SEMIDEFINITE;
        const tc_lcp p = {
            .n = 2, .kind = kind, .M = k == 1 ? NULL : M, .q = q, .J = k == 1 ? J : NULL, .d = 1};
        TEST_ASSERT_EQUAL(TC_ERR_NO_SOLUTION, solve(&p));
        test_near(1, info.farkas[0], TC_C(1e-6), 0, "proof");
        test_near(1, info.farkas[1], TC_C(1e-6), 0, "proof");
    }
}

/* The textbook cycle of Lemke's method without a tie rule, and Murty's exponential example */
static void test_lemke_classics(void)
{
    static const tc_real cycle[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, q[3] = {-1, -1, -1};
    tc_real M[64], r[8];
    tc_lcp p = {.n = 3, .kind = TC_LCP_GENERAL, .M = cycle, .q = q};
    TEST_ASSERT_EQUAL(TC_OK, solve(&p));
    const tc_real third = TC_C(0.33333333);
    expect((const tc_real[]){third, third, third}, (const tc_real[]){0, 0, 0}, 3, "cycle");
    for (uint32_t i = 0; i < 8; ++i) {
        r[i] = -1;
        for (uint32_t j = 0; j < 8; ++j) {
            M[8 * i + j] = j < i ? 2 : (tc_real)(i == j);
        }
    }
    p = (tc_lcp){.n = 8, .kind = TC_LCP_GENERAL, .M = M, .q = r};
    TEST_ASSERT_EQUAL(TC_OK, solve(&p));
    expect((const tc_real[]){1, 0, 0, 0, 0, 0, 0, 0}, (const tc_real[]){0, 1, 1, 1, 1, 1, 1, 1}, 8,
           "Murty");
}

/* Murty's matrix with the q for which Lemke's path from d = 1 visits 2^n dictionaries, contacts in
 * this order and the other: solved within the bound for every n whose q, up to 2^n, tc_real holds
 * exactly. */
static void test_murty(void)
{
    tc_real M[N * N], q[N];
    for (uint32_t n = 1; n <= N && n <= 24u; ++n) {
        for (uint32_t turned = 0; turned < 2; ++turned) {
            for (uint32_t i = 0; i < n; ++i) {
                const uint32_t row = turned ? n - 1u - i : i;
                tc_real sum = 0;
                for (uint32_t j = 0; j < n; ++j) {
                    const uint32_t column = turned ? n - 1u - j : j;
                    M[n * row + column] = j < i ? 2 : (tc_real)(i == j);
                    sum += j <= i ? (tc_real)(1u << (n - 1u - j)) : 0;
                }
                q[row] = -sum;
            }
            const tc_lcp p = {.n = n, .kind = TC_LCP_GENERAL, .M = M, .q = q};
            TEST_ASSERT_EQUAL(TC_OK, solve(&p));
            TEST_ASSERT_TRUE(info.iterations <= 4u * (6u * n + 20u));
        }
    }
}

static void test_borders(void)
{
    static tc_real M[N * N], q[N], work[TC_LCP_WORK(N)], out[N], velocity[N];
    tc_lcp p = {.n = 3, .M = M, .q = q};
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_lcp_solve(NULL, out, velocity, &info, work, TC_LCP_WORK(3)));
    for (uint32_t n = 1; n <= 6; ++n) {
        p.n = n;
        const size_t len = TC_LCP_WORK(n);
        out[0] = 5;
        TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_lcp_solve(&p, out, velocity, &info, work, len - 1u));
        TEST_ASSERT_EQUAL(TC_ERR_ALIGN,
                          tc_lcp_solve(&p, out, velocity, &info, TEST_ODD(work), len));
        TEST_ASSERT_TRUE(out[0] == 0);
        TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_lcp_solve(&p, NULL, velocity, &info, work, len));
        TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_lcp_solve(&p, out, NULL, &info, work, len));
        TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_lcp_solve(&p, out, velocity, &info, NULL, len));
        p.q = NULL;
        TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_lcp_solve(&p, out, velocity, &info, work, len));
        p.q = q;
        p.M = NULL;
        TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_lcp_solve(&p, out, velocity, &info, work, len));
        p.M = M;
        TEST_ASSERT_EQUAL(TC_OK, tc_lcp_solve(&p, out, velocity, NULL, work, len));
        p.kind = TC_LCP_GENERAL;
        const size_t short_of = TC_LCP_GENERAL_WORK(n) - 1u;
        TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_lcp_solve(&p, out, velocity, &info, work, short_of));
        p.kind = TC_LCP_SEMIDEFINITE;
    }
    p.n = N + 1u;
    out[0] = 5;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_lcp_solve(&p, out, velocity, &info, work, TC_COUNT(work)));
    TEST_ASSERT_TRUE_MESSAGE(out[0] == 5, "nothing is written");
    p = (tc_lcp){.n = 3, .J = M, .q = q};
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_lcp_solve(&p, out, velocity, &info, work, TC_COUNT(work)));
    p.d = TC_LCP_FREEDOM_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_lcp_solve(&p, out, velocity, &info, work, TC_COUNT(work)));
}

/* The entrances for one kind of problem give the bits of tc_lcp_solve, and refuse the others. */
static void test_entrances(void)
{
    static tc_real M[N * N], J[N * 3u], q[N], work[TC_LCP_GENERAL_WORK(N)], z2[N], w2[N];
    test_seed(12);
    for (uint32_t n = 0; n <= N; ++n) {
        test_fill(J, 3u * n, -1, 1);
        test_fill(q, n, -1, 1);
        for (uint32_t i = 0; i < n; ++i) {
            for (uint32_t j = 0; j < n; ++j) {
                M[i * n + j] =
                    J[3 * i] * J[3 * j] + J[3 * i + 1] * J[3 * j + 1] + (tc_real)(i == j);
            }
        }
        tc_lcp p = {.n = n, .M = M, .q = q};
        TEST_ASSERT_EQUAL(TC_OK, solve(&p));
        TEST_ASSERT_EQUAL(TC_OK, tc_lcp_from_matrix(&p, z2, w2, NULL, work, TC_COUNT(work)));
        TEST_ASSERT_TRUE(memcmp(z, z2, n * sizeof z[0]) == 0
                         && memcmp(w, w2, n * sizeof w[0]) == 0);
        const tc_status without = n == 0 ? TC_OK : TC_ERR_NULL;
        TEST_ASSERT_EQUAL(without, tc_lcp_from_rows(&p, z2, w2, &info, work, TC_COUNT(work)));
        p.kind = TC_LCP_GENERAL;
        TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED,
                          tc_lcp_from_matrix(&p, z2, w2, &info, work, TC_COUNT(work)));
        p = (tc_lcp){.n = n, .J = J, .d = 3, .q = q};
        const tc_status status = solve(&p);
        TEST_ASSERT_EQUAL(status, tc_lcp_from_rows(&p, z2, w2, &info, work, TC_COUNT(work)));
        TEST_ASSERT_TRUE(memcmp(z, z2, n * sizeof z[0]) == 0
                         && memcmp(w, w2, n * sizeof w[0]) == 0);
        TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED,
                          tc_lcp_from_matrix(&p, z2, w2, &info, work, TC_COUNT(work)));
    }
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_lcp_from_matrix(NULL, z2, w2, &info, work, TC_COUNT(work)));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_lcp_from_rows(NULL, z2, w2, &info, work, TC_COUNT(work)));
}

/* NaN and infinity in each slot of M, J and q, whether contacts approach or not, by every method */
static void poison(tc_lcp *p, tc_real *x, uint32_t count, const char *what)
{
    const tc_real bad[2] = {(tc_real)NAN, (tc_real)INFINITY};
    for (uint32_t k = 0; k < 2u * count; ++k) {
        const tc_real kept = x[k / 2u];
        x[k / 2u] = bad[k % 2u];
        TEST_ASSERT_EQUAL_MESSAGE(TC_ERR_NOT_FINITE, solve(p), what);
        x[k / 2u] = kept;
    }
}

static void test_not_finite(void)
{
    static tc_real M[N * N], J[N * 3u], q[N];
    test_seed(11);
    for (uint32_t n = 1; n <= 7; ++n) {
        for (uint32_t signs = 0; signs < 3; ++signs) {
            for (uint32_t i = 0; i < n; ++i) {
                q[i] = signs == 0 || (signs == 1 && i % 2 == 0) ? TC_C(1.0) : TC_C(-1.0);
                test_fill(J + 3u * i, 3, -1, 1);
                for (uint32_t j = 0; j < n; ++j) {
                    M[i * n + j] = i == j ? TC_C(2.0) : TC_C(0.1);
                }
            }
            tc_lcp p = {.n = n, .M = M, .q = q};
            poison(&p, M, n * n, "M");
            poison(&p, q, n, "q");
            p.kind = TC_LCP_GENERAL;
            poison(&p, M, n * n, "general M");
            poison(&p, q, n, "general q");
            p = (tc_lcp){.n = n, .J = J, .d = 3, .q = q};
            poison(&p, J, 3u * n, "J");
            poison(&p, q, n, "q with J");
        }
    }
}

/* An M of which one number is beyond its border, wherever it stands, that is not settled at
 * once. */
static void test_limits_of_any_entry(void)
{
    tc_real M[N * N], q[N];
    for (uint32_t n = 2; n <= 7; ++n) {
        const tc_lcp p = {.n = n, .kind = TC_LCP_GENERAL, .M = M, .q = q};
        for (uint32_t k = 0; k < n * n + n; ++k) {
            for (uint32_t i = 0; i < n * n; ++i) {
                M[i] = i % (n + 1u) == 0 ? TC_C(2.0) : TC_C(-0.1);
            }
            for (uint32_t i = 0; i < n; ++i) {
                q[i] = TC_C(-1.0);
            }
            TEST_ASSERT_EQUAL(TC_OK, solve(&p));
            tc_real *const one = k < n * n ? &M[k] : &q[k - n * n];
            *one *= TC_C(2.1e19);
            TEST_ASSERT_EQUAL(TC_ERR_RANGE, solve(&p));
        }
        for (uint32_t i = 0; i < n; ++i) {
            q[i] = TC_C(-0.9e-30);
        }
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, solve(&p));
        for (uint32_t i = 0; i < n * n; ++i) {
            M[i] *= TC_C(1e-20);
            q[i / n] = TC_C(-1.0);
        }
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, solve(&p));
    }
}

/* The same of a diagonal element where the active set has an answer that is not believed at once: a
 * pair of contacts beside it whose impulses are a thousand times as large as q. */
static void test_limits_where_terms_are_large(void)
{
    tc_real M[N * N], q[N];
    for (uint32_t n = 5; n <= 7; ++n) {
        const tc_lcp p = {.n = n, .M = M, .q = q};
        for (uint32_t k = 0; k < n; ++k) {
            const uint32_t a = (k + 1u) % n, b = (k + 2u) % n;
            for (uint32_t i = 0; i < n * n; ++i) {
                M[i] = i % (n + 1u) == 0 ? TC_C(2.0) : TC_C(0.0);
                q[i / n] = TC_C(-1.0);
            }
            M[a * n + b] = M[b * n + a] = TC_C(-1.998046875);
            TEST_ASSERT_EQUAL(TC_OK, solve(&p));
            TEST_ASSERT_TRUE(z[a] > TC_C(500.0));
            M[k * (n + 1u)] *= TC_C(2.1e19);
            TEST_ASSERT_EQUAL(TC_ERR_RANGE, solve(&p));
        }
    }
}

/* Numbers near the limits of float must not give NaN, and not "solved". */
static void test_extremes(void)
{
    static const tc_real size[4] = {TC_C(1e-38), TC_C(1e-20), TC_C(1e18), TC_C(1e38)};
    tc_real M[25], q[5];
    for (uint32_t a = 0; a < 4; ++a) {
        for (uint32_t b = 0; b < 4; ++b) {
            for (uint32_t n = 1; n <= 5; ++n) {
                const tc_lcp p = {.n = n, .M = M, .q = q};
                for (uint32_t i = 0; i < n * n; ++i) {
                    M[i] = i % (n + 1u) == 0 ? size[a] : size[a] / 2;
                }
                for (uint32_t i = 0; i < n; ++i) {
                    q[i] = -size[b];
                }
                const tc_status status = solve(&p);
                for (uint32_t i = 0; i < n; ++i) {
                    TEST_ASSERT_TRUE(z[i] >= 0 && z[i] - z[i] == 0 && w[i] - w[i] == 0);
                }
                TEST_ASSERT_TRUE(status != TC_OK || info.residual <= TC_LCP_TOLERANCE);
            }
        }
    }
}

void suite_lcp(void)
{
    RUN_TEST(test_none);
    RUN_TEST(test_one);
    RUN_TEST(test_rod);
    RUN_TEST(test_foot);
    RUN_TEST(test_sizes);
    RUN_TEST(test_wedge);
    RUN_TEST(test_lemke_classics);
    RUN_TEST(test_murty);
    RUN_TEST(test_borders);
    RUN_TEST(test_entrances);
    RUN_TEST(test_not_finite);
    RUN_TEST(test_limits_of_any_entry);
    RUN_TEST(test_limits_where_terms_are_large);
    RUN_TEST(test_extremes);
}
