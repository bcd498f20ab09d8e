/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: bodies in rows whose masses differ by powers of ten: how deep they may overlap, what
 * is said of it, and that no step ends without a result.
 *
 * Oracles: overlaps, momenta and approach speeds are taken from Q and V in double; what contacts
 * together come to is found by trying every set of them.
 */
#include "cdl_case.h"

#include <float.h>
#include <math.h>

#ifdef __arm__
#define ROLLS 60u
#define SOLVED 200u
#else
#define ROLLS TEST_ROUNDS(100000u)
#define SOLVED TEST_ROUNDS(20000u)
#endif
#define DISTANCE TC_C(0.2)

static const tc_real ratios[4] = {TC_C(1e1), TC_C(1e2), TC_C(1e4), TC_C(1e6)};

static tc_real power(tc_real base, tc_real exponent)
{
    return tc_exp(exponent * tc_log(base));
}

/* K bodies from above, masses to `ratio` : 1, no forces; `walls`: above and below all. */
static void row(uint32_t K, tc_real ratio, int walls)
{
    tc_real q = TC_C(0.0);
    cdl_begin(K, 1);
    for (uint32_t k = 0; k < K; k++) {
        cdl.mass[k] = power(ratio, test_uniform(TC_C(0.0), TC_C(1.0)));
        cdl.Q[k] = q;
        q -= DISTANCE + test_uniform(TC_C(0.0), TC_C(0.1));
    }
    for (uint32_t k = 0; k + 1u < K; k++) {
        cdl_contact(k, k + 1u, 0, TC_C(1.0), DISTANCE);
    }
    if (walls) {
        cdl_contact(K - 1u, TC_CDL_WALL, 0, TC_C(1.0), cdl.Q[K - 1u] - DISTANCE);
        cdl_contact(0, TC_CDL_WALL, 0, TC_C(-1.0), -cdl.Q[0] - DISTANCE);
    }
    test_fill(cdl.V, K, TC_C(-2.0), TC_C(2.0));
}

/* ---- How deep -------------------------------------------------------------------------------- */

typedef struct depth {
    double deepest, fastest; /* over all contacts */
} depth;

static depth look(void)
{
    depth d = {0, 0};
    for (uint32_t c = 0; c < cdl.config.contacts; c++) {
        const tc_cdl_contact *const k = &cdl.contact[c];
        const int wall = k->other == TC_CDL_WALL;
        const double n = (double)k->normal[0];
        const double gap = n * ((double)cdl.Q[k->body] - (wall ? 0 : (double)cdl.Q[k->other]))
                           - (double)k->distance;
        const double u = n * ((double)cdl.V[k->body] - (wall ? 0 : (double)cdl.V[k->other]));
        d.deepest = fmax(d.deepest, -gap);
        d.fastest = fmax(d.fastest, -u);
    }
    return d;
}

static double kinetic(double *momentum)
{
    double twice = 0;
    *momentum = 0;
    for (uint32_t k = 0; k < cdl.config.bodies; k++) {
        const double v = (double)cdl.V[k], m = (double)cdl.mass[k];
        twice += m * v * v;
        *momentum += m * v;
    }
    return twice / 2;
}

/* What a roll comes to; it fails where a promise is broken. */
typedef struct roll {
    double deepest, fastest;
    uint32_t noted;
} roll;

static roll roll_out(uint32_t steps)
{
    const int project = cdl.config.project;
    depth d = look();
    roll r = {0, d.fastest, 0};
    for (uint32_t i = 0; i < steps; i++) {
        const tc_status status = cdl_step();
        TEST_ASSERT_TRUE(status >= TC_OK);
        d = look();
        r.fastest = fmax(r.fastest, d.fastest);
        r.deepest = fmax(r.deepest, d.deepest);
        r.noted += status == TC_NOTE_OVERLAP;
        if (!project) { /* what is told was measured where the step leaves the bodies */
            test_near((tc_real)d.deepest, cdl.info.overlap, TC_C(4e-6), 0, "deepest");
        }
        TEST_ASSERT_TRUE((status == TC_NOTE_OVERLAP) == (cdl.info.overlap > TC_C(0.5) * DISTANCE));
    }
    return r;
}

/* Bodies of any masses never overlap by more than two steps' way at the fastest approach that there
 * was; a body passes another only if that is longer than they are wide, and never without a note.
 * Energy does not grow, momentum stays. Catches: a light body thrown through its heavy neighbours,
 * one pushed out of the one into the other. */
static void test_rolls(void)
{
    test_seed(7001);
    for (uint32_t i = 0; i < ROLLS; i++) {
        static const tc_real e[4] = {TC_C(0.0), TC_C(0.2), TC_C(0.8), TC_C(1.0)};
        const tc_real ratio = ratios[test_below(4)];
        const tc_real h = TC_C(2.5e-4) * power(TC_C(40.0), test_uniform(TC_C(0.0), TC_C(1.0)));
        const int walls = (int)test_below(2);
        double before, after;
        row(3u + test_below(6), ratio, walls);
        cdl.config.step = h;
        cdl.config.restitution = e[test_below(4)];
        cdl.config.project = (int)test_below(2);
        cdl.config.rest_speed = test_below(4) == 0u ? TC_C(0.1) : TC_C(0.0);
        cdl.config.resolver = test_below(2) == 0u ? NULL : &tc_cdl_simultaneous;
        cdl_ready();
        const double energy = kinetic(&before),
                     most = sqrt(2 * energy * (double)ratio * cdl.config.bodies);
        const roll r = roll_out(i % 50u == 0u ? 1000u : 20u);
        TEST_ASSERT_TRUE(r.deepest <= 2.00001 * (double)h * r.fastest + 1e-5);
        TEST_ASSERT_TRUE(r.deepest <= (double)DISTANCE || cdl.config.project || r.noted > 0u);
        TEST_ASSERT_TRUE(kinetic(&after) <= energy * (1 + 1e-3));
        TEST_ASSERT_TRUE(walls || fabs(after - before) <= 1e-4 * most);
    }
}

/* ---- Contacts together ----------------------------------------------------------------------- */

/* What is asked of the bodies' row, in double: x' nearest to x by mass with L x' >= b, over every
 * set of active contacts; a wall below the last body if `walls`. Returns 1 if one set fits. */
typedef struct oracle {
    uint32_t K, C;
    double mass[5], x[5], b[6], found[5], lambda[6];
    int walls;
} oracle;

static double row_of(const oracle *o, uint32_t c, uint32_t k)
{
    if (c + 1u < o->K) {
        return k == c ? 1 : (k == c + 1u ? -1 : 0);
    }
    return c == o->K - 1u ? (k == o->K - 1u ? 1 : 0) : (k == 0u ? -1 : 0);
}

static int solve_dense(double *A, double *y, uint32_t n)
{
    for (uint32_t p = 0; p < n; p++) {
        if (!(A[p * n + p] > 0)) {
            return 0;
        }
        for (uint32_t i = p + 1u; i < n; i++) {
            const double f = A[i * n + p] / A[p * n + p];
            for (uint32_t j = p; j < n; j++) {
                A[i * n + j] -= f * A[p * n + j];
            }
            y[i] -= f * y[p];
        }
    }
    for (uint32_t p = n; p-- > 0u;) {
        for (uint32_t j = p + 1u; j < n; j++) {
            y[p] -= A[p * n + j] * y[j];
        }
        y[p] /= A[p * n + p];
    }
    return 1;
}

/* The contacts of `set` hold with equality, the others have no impulse. */
static int fits(oracle *o, uint32_t set)
{
    double A[36], y[6];
    uint32_t list[6], n = 0;
    for (uint32_t c = 0; c < o->C; c++) {
        if ((set >> c & 1u) != 0u) {
            list[n++] = c;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        y[i] = o->b[list[i]];
        for (uint32_t k = 0; k < o->K; k++) {
            y[i] -= row_of(o, list[i], k) * o->x[k];
        }
        for (uint32_t j = 0; j < n; j++) {
            A[i * n + j] = 0;
            for (uint32_t k = 0; k < o->K; k++) {
                A[i * n + j] += row_of(o, list[i], k) * row_of(o, list[j], k) / o->mass[k];
            }
        }
    }
    if (!solve_dense(A, y, n)) {
        return 0;
    }
    memset(o->lambda, 0, sizeof o->lambda);
    memcpy(o->found, o->x, sizeof o->found);
    for (uint32_t i = 0; i < n; i++) {
        if (y[i] < 0) {
            return 0;
        }
        o->lambda[list[i]] = y[i];
        for (uint32_t k = 0; k < o->K; k++) {
            o->found[k] += row_of(o, list[i], k) * y[i] / o->mass[k];
        }
    }
    for (uint32_t c = 0; c < o->C; c++) {
        double w = -o->b[c];
        for (uint32_t k = 0; k < o->K; k++) {
            w += row_of(o, c, k) * o->found[k];
        }
        if (w < -1e-9) {
            return 0;
        }
    }
    return 1;
}

static int search(oracle *o)
{
    for (uint32_t set = 0; set < 1u << o->C; set++) {
        if (fits(o, set)) {
            return 1;
        }
    }
    return 0;
}

/* Rows that touch, with forces, resolved at once: V' and impulses against every set of contacts
 * tried in double, whatever the masses. Catches: a group that took in too many or too few, walls
 * that give way, impulses that pull. */
static void test_together(void)
{
    uint32_t compared = 0;
    test_seed(7002);
    for (uint32_t i = 0; i < SOLVED; i++) {
        oracle o = {.K = 2u + test_below(4), .walls = (int)test_below(2)};
        double largest = 0, heaviest = 0;
        row(o.K, ratios[test_below(4)], 0);
        if (o.walls) {
            cdl_contact(o.K - 1u, TC_CDL_WALL, 0, TC_C(1.0), TC_C(0.0));
        }
        o.C = cdl.config.contacts;
        for (uint32_t k = 0; k < o.K; k++) {
            cdl.Q[k] = DISTANCE * (tc_real)(o.K - 1u - k);
            cdl.weight[k] = cdl.mass[k] * test_uniform(TC_C(-40.0), TC_C(40.0));
        }
        for (uint32_t c = 0; c < o.C; c++) {
            cdl.contact[c].distance += TC_C(0.05); /* all closed */
        }
        cdl.config.restitution = test_uniform(TC_C(0.0), TC_C(1.0));
        cdl.config.rest_speed = test_below(2) == 0u ? TC_C(0.5) : TC_C(0.0);
        cdl.config.resolver = &tc_cdl_simultaneous;
        cdl.config.overlap = TC_C(1.0);
        cdl_ready();
        for (uint32_t k = 0; k < o.K; k++) {
            o.mass[k] = (double)cdl.mass[k];
            o.x[k] = (double)cdl.V[k] + (double)cdl.cdl.drift[k];
            largest = fmax(largest, fabs(o.x[k]) + fabs((double)cdl.V[k]));
            heaviest = fmax(heaviest, o.mass[k]);
        }
        for (uint32_t c = 0; c < o.C; c++) {
            double u = 0, smooth = 0;
            for (uint32_t k = 0; k < o.K; k++) {
                u += row_of(&o, c, k) * (double)cdl.V[k];
                smooth += row_of(&o, c, k) * o.x[k];
            }
            const double e = (double)cdl.config.restitution, rest = (double)cdl.config.rest_speed;
            const int slow = rest > 0 && fabs(u) <= rest && (u < 0 || smooth < 0);
            o.b[c] = slow ? 0 : (u < 0 ? -e * u : fmin(-e * u, smooth));
        }
        if (o.C < 2u) { /* a contact by itself is resolved as in sequence */
            continue;
        }
        TEST_ASSERT_TRUE(search(&o));
        TEST_ASSERT_EQUAL(TC_OK, cdl_step());
        compared++;
        for (uint32_t k = 0; k < o.K; k++) {
            test_near((tc_real)o.found[k], cdl.V[k], (tc_real)(2e-6 * largest * o.K), 0,
                      "together");
        }
        for (uint32_t c = 0; c < o.C && cdl.info.impulse != NULL; c++) {
            /* rounded as the largest momentum is */
            const tc_real rounding = (tc_real)(2e-6 * largest * heaviest);
            test_near((tc_real)o.lambda[c], cdl.info.impulse[c], rounding, TC_C(2e-5), "impulse");
        }
    }
    TEST_ASSERT_TRUE(compared > SOLVED / 2u);
}

/* ---- No end without a result ----------------------------------------------------------------- */

/* +- base^x, x uniform up to `most`. */
static tc_real wide(tc_real most)
{
    const tc_real size = power(TC_C(10.0), test_uniform(-most, most));
    return test_below(2) == 0u ? size : -size;
}

/* Any bodies, contacts between any of them, in one to three dimensions: what is wide is drawn up to
 * 10^most. */
static void anything(tc_real most, tc_real step_most)
{
    const uint32_t d = 1u + test_below(3), K = 1u + test_below(CDL_K);
    cdl_begin(K, d);
    cdl.config.step = power(TC_C(10.0), test_uniform(-most, step_most));
    cdl.config.restitution = test_uniform(TC_C(0.0), TC_C(1.0));
    cdl.config.rest_speed =
        test_below(3) == 0u ? power(TC_C(10.0), test_uniform(-most, most)) : TC_C(0.0);
    cdl.config.project = (int)test_below(2);
    cdl.config.resolver = test_below(2) == 0u ? NULL : &tc_cdl_simultaneous;
    const tc_real near = test_below(2) == 0u ? TC_C(0.0) : TC_C(1.0);
    for (uint32_t k = 0; k < K; k++) {
        cdl.mass[k] = power(TC_C(10.0), test_uniform(-most, most));
    }
    for (uint32_t i = 0; i < K * d; i++) {
        cdl.Q[i] = near > TC_C(0.0) ? (tc_real)test_below(3) : wide(most);
        cdl.V[i] = test_below(4) == 0u ? TC_C(0.0) : wide(most);
        cdl.weight[i] = test_below(3) == 0u ? wide(most) : TC_C(0.0);
    }
    for (uint32_t c = test_below(CDL_C); c > 0u; c--) {
        const uint32_t body = test_below(K), wall = K == 1u || test_below(3) == 0u;
        const uint32_t other = wall ? TC_CDL_WALL : (body + 1u + test_below(K - 1u)) % K;
        const tc_real sign = test_below(2) ? TC_C(1.0) : TC_C(-1.0);
        cdl_contact(body, other, test_below(d), sign, test_below(2) ? TC_C(1.0) : wide(most));
    }
    if (d > 1u && test_below(2) == 0u) {
        cdl.config.signal = tc_cdl_laws_spheres();
    }
}

static int all_finite(const tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!((double)x[i] >= -DBL_MAX && (double)x[i] <= DBL_MAX)) {
            return 0;
        }
    }
    return 1;
}

/* One step: everything that comes out is finite; an error leaves the state and tells nothing. */
static tc_status one_step(void)
{
    static cdl_case before;
    const uint32_t n = cdl.config.bodies * cdl.config.dimension;
    before = cdl;
    const tc_status status = cdl_step();
    TEST_ASSERT_TRUE(all_finite(cdl.Q, n) && all_finite(cdl.V, n)
                     && all_finite(&cdl.info.overlap, 1));
    TEST_ASSERT_TRUE(cdl.info.impulse == NULL || all_finite(cdl.info.impulse, cdl.config.contacts));
    if (status < TC_OK) {
        TEST_ASSERT_EQUAL_MEMORY(before.Q, cdl.Q, n * sizeof(tc_real));
        TEST_ASSERT_EQUAL_MEMORY(before.V, cdl.V, n * sizeof(tc_real));
        TEST_ASSERT_TRUE(cdl.info.acting == 0u && cdl.info.impulse == NULL
                         && cdl.info.overlap == TC_C(0.0));
        TEST_ASSERT_TRUE(cdl.info.body < cdl.config.bodies);
    }
    return status;
}

/* As far as numbers go. Catches: impulses that overflow where velocities do not, overlaps and
 * inverse masses likewise. */
static void test_extremes(void)
{
    uint32_t done = 0, refused = 0;
    test_seed(7003);
    for (uint32_t i = 0; i < SOLVED; i++) {
        anything(TC_C(37.0), TC_C(2.0));
        if (tc_cdl_init(&cdl.cdl, &cdl.config, cdl.room, TC_COUNT(cdl.room)) != TC_OK) {
            continue;
        }
        for (uint32_t k = 0; k < 3u; k++) {
            const int fine = one_step() >= TC_OK;
            done += (uint32_t)fine;
            refused += (uint32_t)!fine;
        }
    }
    TEST_ASSERT_TRUE(done > SOLVED / 4u
                     && (refused > SOLVED / 20u || sizeof(tc_real) != sizeof(float)));
}

/* Within the limits of tc_cdl.h nothing is refused. */
static void test_within_limits(void)
{
    test_seed(7004);
    for (uint32_t i = 0; i < ROLLS; i++) {
        anything(TC_C(9.0), TC_C(0.0));
        cdl_ready();
        TEST_ASSERT_TRUE(one_step() >= TC_OK);
    }
}

/* Bodies of a robot's world, whatever their masses, thrown together: every step of a roll ends. */
static void test_no_roll_is_stuck(void)
{
    test_seed(7005);
    for (uint32_t i = 0; i < ROLLS; i++) {
        anything(TC_C(3.0), TC_C(-2.0));
        cdl.config.step = test_uniform(TC_C(2.5e-4), TC_C(0.01));
        test_fill(cdl.V, CDL_N, TC_C(-5.0), TC_C(5.0));
        for (uint32_t k = 0; k < cdl.config.bodies * cdl.config.dimension; k++) {
            cdl.weight[k] = TC_C(-9.81) * cdl.mass[k / cdl.config.dimension];
        }
        cdl_ready();
        for (uint32_t k = 0; k < 10u; k++) {
            TEST_ASSERT_TRUE(one_step() >= TC_OK);
        }
    }
}

/* ---- What is noted --------------------------------------------------------------------------- */

/* A ball on its way down, 1 cm below its floor's surface after the step. */
static tc_status sunk(tc_real bound)
{
    cdl_ball(TC_C(0.5));
    cdl.config.overlap = bound;
    cdl_ready();
    cdl.Q[0] = TC_C(0.03);
    cdl.V[0] = TC_C(-2.0);
    return cdl_step();
}

/* The bound is the configuration's, or half the least distance of a pair, or none. */
static void test_bound(void)
{
    TEST_ASSERT_EQUAL(TC_OK, sunk(TC_C(0.0)));
    test_near(TC_C(0.01), cdl.info.overlap, TC_C(1e-7), 0, "told");
    TEST_ASSERT_EQUAL(TC_OK, sunk(TC_C(0.011)));
    TEST_ASSERT_EQUAL(TC_NOTE_OVERLAP, sunk(TC_C(0.009)));
    TEST_ASSERT_EQUAL(TC_OK, cdl_step()); /* on its way up */
    TEST_ASSERT_TRUE(cdl.info.overlap == TC_C(0.0));
    cdl.config.overlap = TC_C(-1.0);
    TEST_ASSERT_EQUAL(TC_ERR_RANGE,
                      tc_cdl_init(&cdl.cdl, &cdl.config, cdl.room, TC_COUNT(cdl.room)));
    cdl.config.overlap = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                      tc_cdl_init(&cdl.cdl, &cdl.config, cdl.room, TC_COUNT(cdl.room)));
    test_seed(7006);
    row(3, TC_C(10.0), 0);
    cdl.contact[1].distance = TC_C(0.1);
    cdl_ready();
    TEST_ASSERT_TRUE(cdl.cdl.overlap == TC_C(0.05));
}

/* Two bodies of 0.2 m between walls 0.1 m apart: no room to touch; and at once, where the lower one
 * is held down and the upper one bounces off it, none for the bounce. Catches: a row that is pushed
 * through a wall. */
static void test_no_room(void)
{
    for (uint32_t at_once = 0; at_once < 2u; at_once++) {
        cdl_begin(2, 1);
        cdl_contact(0, 1, 0, TC_C(1.0), DISTANCE);
        cdl_contact(1, TC_CDL_WALL, 0, TC_C(1.0), TC_C(0.0));
        cdl_contact(0, TC_CDL_WALL, 0, TC_C(-1.0), TC_C(-0.1));
        cdl.Q[0] = TC_C(0.14);
        cdl.Q[1] = TC_C(-0.01);
        cdl.V[0] = TC_C(-2.0);
        cdl.V[1] = TC_C(0.5);
        cdl.weight[1] = TC_C(-100.0);
        cdl.config.restitution = TC_C(0.5);
        cdl.config.project = at_once == 0u;
        cdl.config.rest_speed = at_once ? TC_C(1.0) : TC_C(0.0);
        cdl.config.resolver = at_once ? &tc_cdl_simultaneous : NULL;
        cdl.config.overlap = TC_C(1.0);
        cdl_ready();
        TEST_ASSERT_EQUAL(TC_NOTE_FALLBACK, cdl_step());
        test_near(TC_C(0.12), cdl.Q[0], TC_C(1e-6), 0, "not pushed");
        TEST_ASSERT_TRUE(!at_once || cdl.V[0] - cdl.V[1] >= TC_C(-1e-6));
    }
}

void suite_cdl_row(void)
{
    RUN_TEST(test_rolls);
    RUN_TEST(test_together);
    RUN_TEST(test_bound);
    RUN_TEST(test_no_room);
    RUN_TEST(test_extremes);
    RUN_TEST(test_within_limits);
    RUN_TEST(test_no_roll_is_stuck);
}
