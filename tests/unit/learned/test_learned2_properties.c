/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 1, properties that hold whatever the law says: non-penetration, repulsion, workless
 * separation (the paper's properties 1 to 3), friction that ends sliding at most, energy, momentum,
 * invariance.
 *
 * Tolerances: 4e-5 of the contact velocities in float. Edges down to 0.05 k long; what elimination
 * leaves in w_2 grows as k over their length, and bisection in double sees it.
 */
#include "learned2_case.h"

#include <math.h>

#ifdef TC_DOUBLE
#define TOLERANCE 1e-11
#else
#define TOLERANCE 4e-5
#endif

/* Bisection in software double is dear on the boards. */
#ifdef __arm__
#define ROUNDS 300u
#define TIES 3000u
#define ORACLE_ROUNDS 12u
#define THROWS 6u
#else
#define ROUNDS TEST_ROUNDS(3000u)
#define TIES TEST_ROUNDS(300000u) /* few are decided by rounding */
#define ORACLE_ROUNDS TEST_ROUNDS(400u)
#define THROWS TEST_ROUNDS(24u)
#endif

/* Probabilities and ratios that no training gives. */
static learned2_said adversary(void)
{
    static const tc_real ratios[8] = {TC_C(0.0), TC_C(-0.75), TC_C(0.75), TC_C(-1e6),
                                      TC_C(1e6), TC_C(-1e30), TC_C(30.0), TC_C(-3.0)};
    learned2_said said = {{TC_C(0.0), TC_C(0.0), TC_C(0.0)}, TC_C(0.0), TC_OK};
    const uint32_t pick = test_below(10);
    test_fill(said.probability, 3, TC_C(-1.0), TC_C(1.0));
    said.ratio = pick < 8u ? ratios[pick] : test_uniform(TC_C(-2.0), TC_C(2.0));
    return said;
}

/* Where a failure was. */
static const char *at_round(uint32_t round)
{
    static char text[] = "round 0000";
    for (uint32_t i = 0; i < 4u; i++) {
        text[9u - i] = (char)('0' + round % 10u);
        round /= 10u;
    }
    return text;
}

static tc_learned2_query query;
static tc_learned2_result result;

/* A random query with, at times, a gap in it; answered by an adversary. */
static void adversarial_round(int with_gap)
{
    tc_patch2 patch;
    tc_real velocity[3], offset[2];
    const tc_real k = learned2_random_patch(1u + test_below(2), &patch, velocity);
    const learned2_said said = adversary();
    const tc_learned2_model law = learned2_said_law(&said);
    test_fill(offset, 2, TC_C(0.0), TC_C(0.3));
    TEST_ASSERT_EQUAL(
        TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, with_gap ? offset : NULL));
    TEST_ASSERT_TRUE(tc_learned2_solve(&law, &query, &result, NULL, 0) >= TC_OK);
}

/* Catches: a static patch that pulls, a detach that approaches, a wrong active set, a clamp left
 * out. */
static void test_contact_properties(void)
{
    test_seed(20401u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        adversarial_round(round % 4u == 0u);
        const learned2_double p = learned2_in_double(&query.space);
        const double impulse[3] = {(double)result.impulse[0], (double)result.impulse[1],
                                   (double)result.impulse[2]};
        const char *const text = at_round(round);
        const double tolerance = TOLERANCE * (p.scale + fabs(impulse[0]) + impulse[1] + impulse[2]);
        double u[3];
        learned2_after(&p, impulse, u);
        for (uint32_t i = 0; i < p.count; i++) {
            TEST_ASSERT_TRUE_MESSAGE(impulse[1u + i] >= 0, text);
            TEST_ASSERT_TRUE_MESSAGE(u[1u + i] >= -tolerance, text);
            TEST_ASSERT_TRUE_MESSAGE(impulse[1u + i] == 0 || u[1u + i] <= tolerance, text);
        }
        TEST_ASSERT_TRUE_MESSAGE(impulse[0] * u[0] <= tolerance * fabs(impulse[0]), text);
    }
}

/* Catches: friction that feeds (sign of s unchecked), a projection that is none. Energy per unit
 * mass, and its bound from the proof in tc_learned2_space.c, gaps not negative. */
static void test_energy(void)
{
    test_seed(20402u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        adversarial_round(round % 4u == 0u);
        const double k = (double)query.gyration;
        double before = 0, after = 0;
        for (uint32_t i = 0; i < 3u; i++) {
            const double weight = i == 2u ? k * k : 1;
            before += 0.5 * weight * (double)query.velocity[i] * (double)query.velocity[i];
            after += 0.5 * weight * (double)result.velocity[i] * (double)result.velocity[i];
        }
        TEST_ASSERT_TRUE_MESSAGE(after <= before * (1 + 2 * TOLERANCE), at_round(round));
    }
}

/* Catches: a lever of the wrong sign in the torque, an impulse counted twice. */
static void test_momentum(void)
{
    tc_patch2 patch;
    tc_real velocity[3];
    test_seed(20403u);
    for (uint32_t round = 0; round < 500u; round++) {
        const tc_real k = learned2_random_patch(1u + round % 2u, &patch, velocity);
        const learned2_said said = adversary();
        const tc_learned2_model law = learned2_said_law(&said);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        TEST_ASSERT_TRUE(tc_learned2_solve(&law, &query, &result, NULL, 0) >= TC_OK);
        const double p_f = (double)result.impulse[0], p_1 = (double)result.impulse[1];
        const double p_2 = (double)result.impulse[2];
        /* torque = arm x force, arms (x_i, -y) */
        const double torque = (double)patch.lever[0] * p_1 + (double)patch.lever[1] * p_2
                              + (double)patch.height * p_f;
        const double size = fabs(p_f) + p_1 + p_2, reach = (double)(patch.height + k * TC_C(5.0));
        test_near((tc_real)((double)velocity[0] + p_f), result.velocity[0], (tc_real)(1e-6 * size),
                  TC_C(1e-6), "tangential");
        test_near((tc_real)((double)velocity[1] + p_1 + p_2), result.velocity[1],
                  (tc_real)(1e-6 * size), TC_C(1e-6), "normal");
        test_near((tc_real)torque, result.torque, (tc_real)(1e-6 * size * reach), TC_C(1e-6),
                  "torque");
        test_near((tc_real)((double)velocity[2] + torque / ((double)k * (double)k)),
                  result.velocity[2], (tc_real)(2e-6 * size * reach / ((double)k * (double)k)),
                  TC_C(1e-6), "spin");
    }
}

/* Catches: a wrong closed form or branch order of the dynamic case. Against bisection in double. */
static void test_sliding_oracle(void)
{
    tc_patch2 patch;
    tc_real velocity[3], impulse[3];
    uint32_t compared = 0;
    test_seed(20404u);
    for (uint32_t round = 0; round < ORACLE_ROUNDS; round++) {
        const tc_real k = learned2_random_patch(1u + round % 2u, &patch, velocity);
        const tc_real ratio = test_uniform(TC_C(-2.0), TC_C(2.0));
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        const learned2_double p = learned2_in_double(&query.space);
        const double limit = learned2_arrest(&p), friction = learned2_friction(&p, (double)ratio);
        test_near((tc_real)limit, query.stops.arrest[0], (tc_real)(20 * TOLERANCE * p.scale),
                  TC_C(0.0), "arrest");
        (void)tc_learned2_space_slide(&query.space, &query.stops, ratio, impulse);
        /* Near a wedge (the pivot vanishes) the answer's condition is bad, and so is any
         * comparison. */
        const double wedge = (double)query.space.W_nn[0] + (double)(ratio * query.space.W_tn[0]);
        const double other = (double)query.space.W_nn[2] + (double)(ratio * query.space.W_tn[1]);
        if (wedge < 0.2 * (double)query.space.W_nn[0]
            || other < 0.2 * (double)query.space.W_nn[2]) {
            continue;
        }
        compared++;
        test_near((tc_real)friction, impulse[0], (tc_real)(20 * TOLERANCE * p.scale), TC_C(0.0),
                  "friction");
    }
    TEST_ASSERT_TRUE(compared > ORACLE_ROUNDS / 2u);
}

/* Catches: Algorithm 1 that does not reproduce Coulomb's law when the law is Coulomb's. A point has
 * a closed form, an edge the enumeration of all sets and directions in double. */
static void test_coulomb_exact(void)
{
    tc_patch2 patch;
    tc_real velocity[3];
    test_seed(20405u);
    for (uint32_t round = 0; round < ORACLE_ROUNDS; round++) {
        const double mu = (double)test_uniform(TC_C(0.05), TC_C(1.0));
        const tc_learned2_model law = learned2_coulomb_law(&mu);
        const tc_real k = learned2_random_patch(1, &patch, velocity);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        TEST_ASSERT_TRUE(tc_learned2_solve(&law, &query, &result, NULL, 0) >= TC_OK);
        const learned2_double p = learned2_in_double(&query.space);
        /* stick: A p = -u if inside the cone; else p_f = -+mu p_n and A_nn p_n + A_nt p_f = -u_n;
         * else leave */
        const double det = p.W[0][0] * p.W[1][1] - p.W[0][1] * p.W[0][1];
        double f = (p.W[0][1] * p.u[1] - p.W[1][1] * p.u[0]) / det;
        double n = (p.W[0][1] * p.u[0] - p.W[0][0] * p.u[1]) / det;
        if (p.u[1] >= 0) {
            f = n = 0;
        } else if (n < 0 || fabs(f) > mu * n) {
            const double s = p.u[0] > 0 ? -mu : mu;
            n = -p.u[1] / (p.W[1][1] + s * p.W[0][1]);
            f = s * n;
            if (n < 0 || (p.u[0] + p.W[0][0] * f + p.W[0][1] * n) * s > 0) {
                /* slides the other way */
                n = -p.u[1] / (p.W[1][1] - s * p.W[0][1]);
                f = -s * n;
            }
        }
        const tc_real most = (tc_real)(20 * TOLERANCE * (p.scale + fabs(f) + fabs(n)));
        test_near((tc_real)f, result.impulse[0], most, TC_C(1e-3) * (tc_real)TOLERANCE, "friction");
        test_near((tc_real)n, result.impulse[1], most, TC_C(1e-3) * (tc_real)TOLERANCE, "normal");
    }
}

/* Catches: what one contact leaves unset; a patch of one that is not the patch of two without the
 * other. */
static void test_stops_of_one(void)
{
    tc_patch2 patch;
    tc_real velocity[3];
    test_seed(20409u);
    for (uint32_t round = 0; round < ROUNDS / 10u; round++) {
        tc_learned2_stops stops;
        const tc_real k = learned2_random_patch(1, &patch, velocity);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        memset(&stops, 0xa5, sizeof stops);
        tc_learned2_space_stops(&query.space, &stops);
        TEST_ASSERT_EQUAL_MEMORY(stops.stop, stops.corner[0], sizeof stops.corner[0]);
        const tc_real unused[4] = {stops.stop[2], stops.arrest[2], stops.corner[1][0],
                                   stops.corner[1][1]};
        for (uint32_t i = 0; i < 4u; i++) {
            TEST_ASSERT_TRUE_MESSAGE(unused[i] == TC_C(0.0), at_round(round));
        }
    }
}

/* Catches: contacts that graze, at rest along the normal to the bit, taken for ones that approach;
 * one that approaches however slowly taken for one that leaves. Nothing is given where all leave,
 * friction neither. */
static void test_grazing(void)
{
    static const tc_real nothing[3];
    tc_patch2 patch;
    tc_real velocity[3], impulse[3];
    test_seed(20411u);
    for (uint32_t round = 0; round < ROUNDS / 5u; round++) {
        tc_learned2_stops stops;
        const tc_real k = learned2_random_patch(1u + round % 2u, &patch, velocity);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        tc_learned2_space space = query.space;
        for (uint32_t i = 0; i < space.count; i++) {
            space.approach[i] = test_below(2) ? TC_C(0.0) : test_uniform(TC_C(0.0), TC_C(1.0));
        }
        tc_learned2_space_stops(&space, &stops);
        uint32_t flags = 0;
        TEST_ASSERT_EQUAL(TC_LEARNED_DETACH,
                          tc_learned2_legal(&space, &stops, TC_LEARNED_DETACH, &flags));
        TEST_ASSERT_EQUAL(0, flags);
        const int pulls = stops.stop[1] < TC_C(0.0) || stops.stop[2] < TC_C(0.0);
        TEST_ASSERT_EQUAL_MESSAGE(pulls ? TC_LEARNED_DETACH : TC_LEARNED_STATIC,
                                  tc_learned2_legal(&space, &stops, TC_LEARNED_STATIC, &flags),
                                  at_round(round));
        TEST_ASSERT_EQUAL(pulls ? TC_LEARNED_OVERRULED | TC_LEARNED_PULLED : 0, flags);
        TEST_ASSERT_EQUAL(0, tc_learned2_space_slide(&space, &stops,
                                                     test_uniform(TC_C(-2.0), TC_C(2.0)), impulse));
        TEST_ASSERT_EQUAL_MEMORY(nothing, impulse, sizeof impulse);
        space.approach[test_below(space.count)] = -TC_EPSILON;
        flags = 0;
        TEST_ASSERT_EQUAL(TC_LEARNED_DYNAMIC,
                          tc_learned2_legal(&space, &stops, TC_LEARNED_DETACH, &flags));
        TEST_ASSERT_EQUAL(TC_LEARNED_OVERRULED, flags);
    }
}

/* The ratio that just ends the sliding, f* over the arrest's normals, and others in parts of it.
 * Catches: a root that rounding moves across f* and so to another piece; a bound off by a share
 * that the law can mean; a clamp told where the law only means to end the sliding, or not told. */
static void test_ratio_that_ends_sliding(void)
{
    static const double parts[6] = {1 - 16 * (double)TC_EPSILON, 1.0, 1.0005, 1.002, 1e4, 0.998};
    tc_patch2 patch;
    tc_real velocity[3], impulse[3];
    uint32_t ended = 0, less = 0;
    test_seed(20410u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const tc_real k = learned2_random_patch(1u + round % 2u, &patch, velocity);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        const tc_real *const arrest = query.stops.arrest;
        const double needed = (double)arrest[0] / ((double)arrest[1] + (double)arrest[2]);
        const double part = parts[test_below(6)];
        if (!(fabs(needed) > 1e-3 && fabs(needed) * part < 100)) {
            continue;
        }
        const uint32_t flags =
            tc_learned2_space_slide(&query.space, &query.stops, (tc_real)(needed * part), impulse);
        const int leaves =
            query.space.approach[0] >= TC_C(0.0) && query.space.approach[1] >= TC_C(0.0);
        if (leaves || part < 0.999) {
            const double share = (double)impulse[0] / (double)arrest[0];
            TEST_ASSERT_TRUE_MESSAGE(share >= 0 && share <= 1 + 8 * (double)TC_EPSILON,
                                     at_round(round));
            less += share < 0.999;
        } else {
            TEST_ASSERT_EQUAL_MEMORY(arrest, impulse, sizeof impulse[0]);
            ended++;
        }
        TEST_ASSERT_EQUAL_MESSAGE(!leaves && part > 1.001 ? TC_LEARNED_CLAMPED : 0, flags,
                                  at_round(round));
    }
    TEST_ASSERT_TRUE(ended > ROUNDS / 4u && less > ROUNDS / 20u);
}

/* ---- Contacts of a limb of few freedoms ------------------------------------------------------ */

/* A limb's contacts as columns of C (tc_limb2_internal.h), whitened rates z: contact velocities are
 * C^T z + gap / h. */
typedef struct wedged {
    uint32_t freedoms;
    double C[3][3]; /* freedoms x (friction, normal 1, normal 2) */
    double z[3];
    double gap[3]; /* gap / h, 0 of the friction */
    double scale;
} wedged;

/* One freedom more, that moves the foot any way, by `size`; W and u of the library's sort with
 * it */
static void add_freedom(wedged *w, const double R[3][3], double size, tc_real W[6], tc_real u[3])
{
    const tc_real z = test_uniform(TC_C(-1.0), TC_C(1.0));
    tc_real way[3], c[3];
    test_fill(way, 3, TC_C(-1.0), TC_C(1.0));
    for (uint32_t i = 0; i < 3u; i++) {
        const double row =
            R[i][0] * (double)way[0] + R[i][1] * (double)way[1] + R[i][2] * (double)way[2];
        c[i] = (tc_real)(size * row);
        w->C[w->freedoms][i] = (double)c[i];
        u[i] += c[i] * z;
    }
    for (uint32_t i = 0, at = 0; i < 3u; i++) {
        for (uint32_t j = i; j < 3u; j++, at++) {
            W[at] += c[i] * c[j];
        }
    }
    w->z[w->freedoms++] = (double)z;
    w->scale += fabs((double)z);
}

/* A foot hung by 1 to 3 freedoms, one of them next to none at times; half of the gaps are small or
 * none. W and u as the library takes them in `space`, and in double without the rounding of W. */
static wedged random_wedged(tc_learned2_space *space)
{
    const double y = (double)test_uniform(TC_C(0.05), TC_C(2.5));
    const double x = (double)test_uniform(TC_C(-2.0), TC_C(2.0));
    const double next = x + exp((double)test_uniform(TC_C(-3.0), TC_C(1.0)));
    const double R[3][3] = {{1, 0, y}, {0, 1, x}, {0, 1, next}};
    const uint32_t freedoms = 1u + test_below(3), thin = test_below(3) == 0u;
    tc_real W[6] = {TC_C(0.0)}, u[3] = {TC_C(0.0)};
    wedged w = {.freedoms = 0};
    for (uint32_t k = 0; k < freedoms; k++) {
        const double thinness = (double)test_uniform(TC_C(-7.0), TC_C(-1.0));
        add_freedom(&w, R, thin && k == 0u ? pow(10.0, thinness) : 1.0, W, u);
    }
    for (uint32_t i = 1; i < 3u; i++) {
        const tc_real gap = test_uniform(TC_C(0.0), TC_C(1.0));
        w.gap[i] = (double)(test_below(2) ? gap : test_below(2) ? TC_C(0.01) * gap : TC_C(0.0));
        w.scale += w.gap[i];
    }
    const tc_learned2_space found = {
        .count = 2,
        .W_tt = W[0],
        .W_tn = {W[1], W[2]},
        .W_nn = {W[3], W[4], W[5]},
        .slip = u[0],
        .approach = {u[1] + (tc_real)w.gap[1], u[2] + (tc_real)w.gap[2]}};
    *space = found;
    return w;
}

/* What the rounding of W may do to velocities: the arrest divides by what is left of a normal's
 * diagonal with the slip ended. */
static double wedged_tolerance(const tc_learned2_space *space)
{
    double worst = 1;
    for (uint32_t i = 0; i < 2u; i++) {
        const double t = (double)space->W_tt, c = (double)space->W_tn[i],
                     n = (double)space->W_nn[2u * i];
        worst = fmax(worst, n / fmax(n - c * c / t, 1e-30));
    }
    return fmin(2e-2, 4 * TOLERANCE + 32.0 * (double)TC_EPSILON * worst);
}

/* Contact velocities after impulse p; returns twice the kinetic energy it gives. */
static double wedged_after(const wedged *w, const tc_real p[3], double after[3])
{
    double gained = 0;
    memcpy(after, w->gap, sizeof w->gap);
    for (uint32_t k = 0; k < w->freedoms; k++) {
        const double *const c = w->C[k];
        const double z = w->z[k] + c[0] * (double)p[0] + c[1] * (double)p[1] + c[2] * (double)p[2];
        gained += z * z - w->z[k] * w->z[k];
        for (uint32_t i = 0; i < 3u; i++) {
            after[i] += c[i] * z;
        }
    }
    return gained;
}

/* Catches: a static patch whose equations have no solution (three, of a limb of two freedoms, with
 * gaps) taken for one that stops; normals that pull, a corner that approaches, friction that feeds,
 * in any legal branch. */
static void test_few_freedoms(void)
{
    uint32_t sticks = 0, without = 0;
    test_seed(20408u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        static const tc_real ratios[4] = {TC_C(0.5), TC_C(-0.5), TC_C(30.0), TC_C(-1e6)};
        tc_learned2_stops stops;
        tc_real p[3];
        uint32_t flags = 0;
        const wedged w = random_wedged(&query.space);
        const double tolerance = w.scale * wedged_tolerance(&query.space);
        tc_learned2_space_stops(&query.space, &stops);
        const tc_learned_class branch =
            tc_learned2_legal(&query.space, &stops, (tc_learned_class)(round % 3u), &flags);
        (void)tc_learned2_space_impulse(&query.space, &stops, branch, ratios[test_below(4)], p);
        double after[3];
        const double gained = wedged_after(&w, p, after);
        for (uint32_t i = 1; i < 3u; i++) {
            TEST_ASSERT_TRUE_MESSAGE(p[i] >= TC_C(0.0), at_round(round));
            TEST_ASSERT_TRUE_MESSAGE(after[i] >= -tolerance, at_round(round));
            TEST_ASSERT_TRUE_MESSAGE(p[i] == TC_C(0.0) || after[i] <= tolerance, at_round(round));
        }
        TEST_ASSERT_TRUE_MESSAGE((double)p[0] * after[0] <= tolerance * fabs((double)p[0]),
                                 at_round(round));
        TEST_ASSERT_TRUE_MESSAGE(gained <= tolerance * w.scale, at_round(round));
        if (branch == TC_LEARNED_STATIC) {
            sticks++;
            without += p[1] == TC_C(0.0) || p[2] == TC_C(0.0);
            TEST_ASSERT_TRUE_MESSAGE(fabs(after[0]) <= tolerance, at_round(round));
        }
    }
    TEST_ASSERT_TRUE(sticks > ROUNDS / 20u && without > ROUNDS / 40u);
}

/* Two normals of a limb that moves one way and next to nothing across it: whether one carries, or
 * the other, or both is a tie but for rounding. Catches: a normal that elimination made negative,
 * cut off and the other left as if it were not. */
static void test_dependent_normals(void)
{
    test_seed(20413u);
    for (uint32_t round = 0; round < TIES; round++) {
        const tc_real z = test_uniform(TC_C(-1.0), TC_C(0.0)),
                      power = test_uniform(TC_C(0.36), TC_C(0.46));
        const tc_real across = (tc_real)pow((double)TC_EPSILON, (double)power);
        tc_real c[2], t[2], n[2];
        test_fill(c, 2, TC_C(0.1), TC_C(1.0));
        test_fill(t, 2, -across, across);
        const tc_learned2_space space = {.count = 2,
                                         .W_tt = TC_C(1.0),
                                         .W_nn = {c[0] * c[0] + t[0] * t[0],
                                                  c[0] * c[1] + t[0] * t[1],
                                                  c[1] * c[1] + t[1] * t[1]},
                                         .approach = {c[0] * z, c[1] * z}};
        tc_learned2_space_normals(&space, TC_C(0.0), n);
        for (uint32_t i = 0; i < 2u; i++) {
            const double along =
                (double)z + (double)c[0] * (double)n[0] + (double)c[1] * (double)n[1];
            const double aside = (double)t[0] * (double)n[0] + (double)t[1] * (double)n[1];
            const double u = (double)c[i] * along + (double)t[i] * aside;
            TEST_ASSERT_TRUE_MESSAGE(n[i] >= TC_C(0.0) && fabs(u) <= 4 * TOLERANCE,
                                     at_round(round));
        }
    }
}

/* W times 2^a and u times 2^b: both exact */
static tc_learned2_space scaled(const tc_learned2_space *space, tc_real w, tc_real u)
{
    tc_learned2_space of = {
        .count = space->count, .W_tt = w * space->W_tt, .slip = u * space->slip};
    for (uint32_t i = 0; i < 2u; i++) {
        of.W_tn[i] = w * space->W_tn[i];
        of.approach[i] = u * space->approach[i];
    }
    for (uint32_t i = 0; i < 3u; i++) {
        of.W_nn[i] = w * space->W_nn[i];
    }
    return of;
}

/* Impulses go with u / W, to the bit where the factors are powers of two. Catches: a velocity taken
 * for an element of W where pivots are told from noise, a bound that has a unit, a fourth number
 * written. */
static void test_units(void)
{
    test_seed(20412u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        tc_patch2 patch;
        tc_real velocity[3], p[3], q[4] = {TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(7.0)};
        tc_learned2_stops stops, others;
        uint32_t flags[2] = {0, 0};
        const tc_real w = test_below(2) ? TC_C(256.0) : TC_C(0.00390625);
        const tc_real u = test_below(2) ? TC_C(67108864.0) : TC_C(1.490116119384765625e-08);
        const tc_real k = learned2_random_patch(1u + round % 2u, &patch, velocity);
        TEST_ASSERT_EQUAL(TC_OK, tc_learned2_query_init(&query, &patch, velocity, k, NULL));
        if (round % 3u == 0u) {
            (void)random_wedged(&query.space);
        }
        const tc_learned2_space other = scaled(&query.space, w, u);
        tc_learned2_space_stops(&query.space, &stops);
        tc_learned2_space_stops(&other, &others);
        for (uint32_t i = 0; i < 3u; i++) {
            TEST_ASSERT_TRUE(others.stop[i] * w == stops.stop[i] * u
                             && others.arrest[i] * w == stops.arrest[i] * u);
        }
        for (uint32_t i = 0; i < 2u; i++) {
            TEST_ASSERT_TRUE(others.corner[i][0] * w == stops.corner[i][0] * u);
            TEST_ASSERT_TRUE(others.corner[i][1] * w == stops.corner[i][1] * u);
        }
        const tc_learned_class said = (tc_learned_class)test_below(3);
        const tc_real ratio = test_uniform(TC_C(-2.0), TC_C(2.0));
        const tc_learned_class branch = tc_learned2_legal(&query.space, &stops, said, &flags[0]);
        TEST_ASSERT_EQUAL(branch, tc_learned2_legal(&other, &others, said, &flags[1]));
        flags[0] |= tc_learned2_space_impulse(&query.space, &stops, branch, ratio, p);
        flags[1] |= tc_learned2_space_impulse(&other, &others, branch, ratio, q);
        TEST_ASSERT_EQUAL(flags[0], flags[1]);
        TEST_ASSERT_TRUE(q[3] == TC_C(7.0));
        for (uint32_t i = 0; i < 3u; i++) {
            TEST_ASSERT_TRUE_MESSAGE(q[i] * w == p[i] * u, at_round(round));
        }
    }
}

/* ---- The whole step -------------------------------------------------------------------------- */

static const tc_real rectangle[8] = {TC_C(-0.1), TC_C(-0.06), TC_C(0.1),  TC_C(-0.06),
                                     TC_C(0.1),  TC_C(0.06),  TC_C(-0.1), TC_C(0.06)};
static const tc_body2 body = {TC_C(1.0), TC_C(0.0045333333)};
static const tc_real gravity[3] = {TC_C(0.0), TC_C(-9.81), TC_C(0.0)};

static void make_foot(tc_foot2 *foot, const tc_learned2_model *law, tc_scheme positions)
{
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(foot, &body, TC_C(0.002), law));
    foot->shape.vertices = rectangle;
    foot->shape.count = 4;
    foot->positions = positions;
}

static tc_body2_state thrown(void)
{
    tc_body2_state state;
    state.position[0] = TC_C(0.0);
    state.position[1] = test_uniform(TC_C(0.12), TC_C(0.3));
    state.position[2] = test_uniform(TC_C(-3.0), TC_C(3.0));
    state.velocity[0] = test_uniform(TC_C(-3.0), TC_C(3.0));
    state.velocity[1] = TC_C(0.0);
    state.velocity[2] = test_uniform(TC_C(-10.0), TC_C(10.0));
    return state;
}

static double lowest_vertex(const tc_body2_state *state)
{
    const double s = sin((double)state->position[2]), c = cos((double)state->position[2]);
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < 4u; i++) {
        lowest = fmin(lowest, (double)state->position[1] + s * (double)rectangle[2u * i]
                                  + c * (double)rectangle[2u * i + 1u]);
    }
    return lowest;
}

static double energy(const tc_body2_state *state)
{
    const double vx = (double)state->velocity[0], vy = (double)state->velocity[1];
    const double omega = (double)state->velocity[2];
    return 0.5 * (vx * vx + vy * vy) + 0.5 * (double)body.inertia * omega * omega
           + 9.81 * (double)state->position[1];
}

/* Catches: a scheme that lets the body sink, or lifts it by more than rounding; energy from
 * positions. Total energy per step may rise by what lifting costs: m g times second order, 20 um
 * and less here. */
static void test_no_penetration(void)
{
    test_seed(20406u);
    for (uint32_t throw = 0; throw < THROWS; throw ++) {
        const double mu = 0.6;
        learned2_said said = adversary();
        const tc_learned2_model law =
            throw % 2u == 0u ? learned2_coulomb_law(&mu) : learned2_said_law(&said);
        tc_foot2 foot;
        make_foot(&foot, &law, throw % 4u < 2u ? TC_SCHEME_TOC : TC_SCHEME_GAP);
        tc_body2_state state = thrown();
        for (uint32_t step = 0; step < 200u; step++) {
            const double before = energy(&state);
            said = adversary();
            TEST_ASSERT_TRUE(tc_foot2_step(&foot, gravity, &state, NULL, NULL, 0) >= TC_OK);
            TEST_ASSERT_TRUE(lowest_vertex(&state) > -1e-6);
            TEST_ASSERT_TRUE(energy(&state) <= before + 2e-3);
        }
    }
}

/* Catches: world coordinates in the law's inputs; a frame of the plane turned the wrong way. The
 * same throw moved along the floor, and the same with plane, body and gravity turned by 0.7 rad. */
static void test_invariance(void)
{
    const double mu = 0.6;
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    const tc_real c = (tc_real)cos(0.7), s = (tc_real)sin(0.7);
    tc_foot2 foot, turned_foot;
    test_seed(20407u);
    for (uint32_t throw = 0; throw < THROWS / 2u; throw ++) {
        const tc_scheme positions = (tc_scheme)(throw % 3u);
        make_foot(&foot, &law, positions);
        make_foot(&turned_foot, &law, positions);
        turned_foot.plane.normal[0] = -s;
        turned_foot.plane.normal[1] = c;
        const tc_real turned_gravity[3] = {TC_C(9.81) * s, TC_C(-9.81) * c, TC_C(0.0)};
        tc_body2_state plain = thrown(), moved = plain, turned = plain;
        moved.position[0] += TC_C(0.5);
        turned.position[0] = c * plain.position[0] - s * plain.position[1];
        turned.position[1] = s * plain.position[0] + c * plain.position[1];
        turned.position[2] += TC_C(0.7);
        turned.velocity[0] = c * plain.velocity[0] - s * plain.velocity[1];
        turned.velocity[1] = s * plain.velocity[0] + c * plain.velocity[1];
        for (uint32_t step = 0; step < 80u; step++) {
            TEST_ASSERT_TRUE(tc_foot2_step(&foot, gravity, &plain, NULL, NULL, 0) >= TC_OK);
            TEST_ASSERT_TRUE(tc_foot2_step(&foot, gravity, &moved, NULL, NULL, 0) >= TC_OK);
            TEST_ASSERT_TRUE(tc_foot2_step(&turned_foot, turned_gravity, &turned, NULL, NULL, 0)
                             >= TC_OK);
        }
        test_near(plain.position[0] + TC_C(0.5), moved.position[0], TC_C(1e-5), TC_C(0.0),
                  "moved x");
        TEST_ASSERT_EQUAL_MEMORY(plain.velocity, moved.velocity, sizeof plain.velocity);
        TEST_ASSERT_EQUAL_MEMORY(&plain.position[1], &moved.position[1],
                                 2 * sizeof plain.position[0]);
        test_near(c * turned.position[0] + s * turned.position[1], plain.position[0], TC_C(2e-3),
                  TC_C(0.0), "turned x");
        test_near(turned.position[2] - TC_C(0.7), plain.position[2], TC_C(2e-2), TC_C(0.0),
                  "turned angle");
    }
}

void suite_learned2_properties(void)
{
    RUN_TEST(test_contact_properties);
    RUN_TEST(test_energy);
    RUN_TEST(test_momentum);
    RUN_TEST(test_sliding_oracle);
    RUN_TEST(test_coulomb_exact);
    RUN_TEST(test_stops_of_one);
    RUN_TEST(test_grazing);
    RUN_TEST(test_ratio_that_ends_sliding);
    RUN_TEST(test_few_freedoms);
    RUN_TEST(test_dependent_normals);
    RUN_TEST(test_units);
    RUN_TEST(test_no_penetration);
    RUN_TEST(test_invariance);
}
