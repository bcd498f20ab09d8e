/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The cone solver beside a reference in 120 digits (tools/ref/cone_reference.py): compression and
 * restitution of 153 problems of nine families. Both are given the same numbers, bit for bit, so
 * the difference is the solver's alone.
 *
 * Bounds on u and w. Most answers are as near as the certificate: within NEAR times its tolerance,
 * relative to the scale, the velocities that cancel. A residual r bounds |w - w*|^2 by r |f - f*|
 * only, so where impulses that differ much leave nearly the same velocity, w is right to the root of
 * the tolerance: FAR. These are few: contacts between opposed walls with mu below 1e-4, and fingers
 * that press each other.
 */
#include "test.h"

#include "../../vectors/cone.h"

#define MOST 24u /* contacts times rows */
#define WIDEST 12u
#define NEAR (TC_C(8.0) * TC_CONE_TOLERANCE)
#ifdef TC_DOUBLE
#define FAR 1e-6
#else
#define FAR TC_C(1e-3)
#endif
#define FEW 4u /* answers of 153 that are not near */

/* Enough for the widest problem in space, and for rays in the plane. */
static tc_real f[MOST], u[MOST], w[WIDEST];
static tc_real work[TC_CONE_WORK(8u, 3u, WIDEST) + TC_CONE_WORK(8u, 2u, TC_LCP_FREEDOM_MAX)];
static tc_cone_info info;

/* The numbers of one case, in the order of the file. */
typedef struct numbers {
    const tc_real *u_c, *w_c, *f_c, *floor, *w0_r, *u_r, *w_r;
} numbers;

static const tc_real *take(const tc_real **next, uint32_t n)
{
    const tc_real *const here = *next;
    *next += n;
    return here;
}

static tc_cone unpack(uint32_t index, numbers *is)
{
    const uint32_t n = cone_vectors[index].n, rows = cone_vectors[index].rows;
    const uint32_t d = cone_vectors[index].d, m = n * rows;
    const tc_real *next = cone_vectors[index].numbers;
    tc_cone p = {.n = n, .rows = rows, .d = d};
    p.G = take(&next, m * d);
    p.w0 = take(&next, d);
    p.mu = take(&next, n);
    p.compliance = cone_vectors[index].compliant ? take(&next, n) : NULL;
    (void)take(&next, n + d); /* e, target */
    is->u_c = take(&next, m);
    is->w_c = take(&next, d);
    is->f_c = take(&next, m);
    is->floor = take(&next, n);
    is->w0_r = take(&next, d);
    is->u_r = take(&next, m);
    is->w_r = take(&next, d);
    return p;
}

static tc_real largest_error(const tc_real *is, const tc_real *found, uint32_t n)
{
    tc_real most = 0;
    for (uint32_t k = 0; k < n; ++k) {
        const tc_real error = is[k] > found[k] ? is[k] - found[k] : found[k] - is[k];
        most = error > most ? error : most;
    }
    return most;
}

/* Solves p and compares with u_is[n rows] and w_is[d]: 1 if the answer is not near. */
static uint32_t compare(const tc_cone *p, const tc_real *u_is, const tc_real *w_is, tc_real scale,
                        const char *what)
{
    const tc_status status = tc_cone_solve(p, f, u, w, &info, work, TC_COUNT(work));
    const tc_real u_error = largest_error(u_is, u, p->n * p->rows);
    const tc_real w_error = largest_error(w_is, w, p->d);
    const tc_real error = u_error > w_error ? u_error : w_error;
    if (sizeof(tc_real) == 8u && status == TC_NOTE_LIMIT) {
        return 1; /* 1e-11 is not always reached where the least energy is nearly a limit */
    }
    TEST_ASSERT_TRUE_MESSAGE(status == TC_OK || status == TC_NOTE_PRECISION, what);
    TEST_ASSERT_TRUE_MESSAGE(error <= FAR * scale, what);
    return error > NEAR * scale;
}

static void test_compressions(void)
{
    uint32_t far = 0;
    for (uint32_t k = 0; k < TC_COUNT(cone_vectors); ++k) {
        numbers is;
        const tc_cone p = unpack(k, &is);
        far += compare(&p, is.u_c, is.w_c, cone_vectors[k].scale_c, cone_vectors[k].name);
    }
    TEST_ASSERT_TRUE(far <= FEW);
}

static void test_restitutions(void)
{
    uint32_t far = 0;
    for (uint32_t k = 0; k < TC_COUNT(cone_vectors); ++k) {
        numbers is;
        tc_cone p = unpack(k, &is);
        p.floor = is.floor;
        p.w0 = is.w0_r;
        far += compare(&p, is.u_r, is.w_r, cone_vectors[k].scale_r, cone_vectors[k].name);
    }
    TEST_ASSERT_TRUE(far <= FEW);
}

/* Started from the answer, the solver returns it. */
static void test_warm_from_the_answer(void)
{
    uint32_t far = 0;
    for (uint32_t k = 0; k < TC_COUNT(cone_vectors); ++k) {
        numbers is;
        tc_cone p = unpack(k, &is);
        p.warm = is.f_c;
        far += compare(&p, is.u_c, is.w_c, cone_vectors[k].scale_c, cone_vectors[k].name);
    }
    TEST_ASSERT_TRUE(far <= FEW);
}

void suite_cone_reference(void)
{
    RUN_TEST(test_compressions);
    RUN_TEST(test_restitutions);
    RUN_TEST(test_warm_from_the_answer);
}
