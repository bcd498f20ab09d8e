/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Throws of bodies that nobody picked: plates, rods and needles to 100 : 1, whatever the step,
 * scheme and law. Each step has to end in a lawful result; and what it falls back to, if nothing
 * can be certified, is lawful.
 */
#include "learned3_case.h"

#include "tc_body_core.h"
#include "tc_learned3_core.h"

#include <math.h>

#ifdef TC_DOUBLE
#define TOLERANCE 1e-9
#else
#define TOLERANCE 2e-4
#endif

#ifdef __arm__
#define THROWS 6u
#define STEPS 30u
#define ROUNDS 40u
#else
#define THROWS TEST_ROUNDS(1500u)
#define STEPS 250u
#define ROUNDS TEST_ROUNDS(4000u)
#endif

/* One throw */
typedef struct flight {
    tc_real vertices[24];
    double size[3]; /* edges of the box */
    double mu;
    tc_foot3 box;
    tc_body3_state state;
    tc_learned3_warm warm;
} flight;

static tc_real work[TC_FOOT3_WORK(0)];
static tc_foot3_info info;
static learned3_said said;
static flight thrown;

/* A law that changes its mind with every question, NaN among its answers */
static void flip(void)
{
    said = learned3_says(TC_LEARNED_DYNAMIC, test_uniform(TC_C(-2.0), TC_C(2.0)));
    test_fill(said.probability, 3, TC_C(-1.0), TC_C(1.0));
    said.ratio[1] = test_uniform(TC_C(-2.0), TC_C(2.0));
    const uint32_t odd = test_below(12);
    said.ratio[0] = odd == 0u ? (tc_real)NAN : odd == 1u ? TC_C(-1e30) : said.ratio[0];
    said.probability[test_below(3)] = odd == 2u ? (tc_real)NAN : TC_C(0.5);
}

static tc_status flips(const void *context, const tc_learned3_query *query, tc_real *scratch)
{
    (void)context;
    (void)query;
    (void)scratch;
    flip();
    return TC_OK;
}

static void make_box(const double size[3], double mass, double step)
{
    tc_body3 body;
    body.mass = (tc_real)mass;
    for (uint32_t k = 0; k < 3u; k++) {
        const double a = size[(k + 1u) % 3u], b = size[(k + 2u) % 3u];
        body.inertia[k] = (tc_real)(mass / 12 * (a * a + b * b));
        thrown.size[k] = size[k];
    }
    for (uint32_t i = 0; i < 24u; i++) {
        thrown.vertices[i] =
            (tc_real)((i / 3u >> (i % 3u) & 1u) != 0u ? 0.5 * size[i % 3u] : -0.5 * size[i % 3u]);
    }
    tc_learned3_model law =
        test_below(3) != 0u ? learned3_coulomb_law(&thrown.mu) : learned3_said_law(&said);
    law.observe = law.context == &said ? flips : law.observe;
    thrown.mu = (double)test_uniform(TC_C(0.0), TC_C(1.2));
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&thrown.box, &body, (tc_real)step, &law));
    thrown.box.shape.vertices = thrown.vertices;
    thrown.box.shape.count = 8;
}

/* Half of them flat and near the floor, where patches are faces */
static void throw_box(double fastest)
{
    learned3_scene scene;
    learned3_random(1, &scene);
    tc_body3_state *const s = &thrown.state;
    *s = scene.state;
    const double reach = 0.5
                         * sqrt(thrown.size[0] * thrown.size[0] + thrown.size[1] * thrown.size[1]
                                + thrown.size[2] * thrown.size[2]);
    s->position[2] = (tc_real)(1.2 * reach);
    if (test_below(2) != 0u) {
        const tc_real tilt = test_uniform(TC_C(-0.02), TC_C(0.02)),
                      level = tc_sqrt(TC_C(1.0) - tilt * tilt);
        const tc_real flat[4] = {level, tilt, TC_C(0.0), TC_C(0.0)};
        memcpy(s->orientation, flat, sizeof flat);
        s->position[2] = (tc_real)(0.6 * thrown.size[2]);
    }
    const tc_real v = (tc_real)test_log_uniform_wide(0.01, fastest),
                  spin = (tc_real)fmin(20, (double)v / reach);
    test_fill(s->velocity, 3, -v, v);
    test_fill(s->velocity + 3, 3, -spin, spin);
    memset(&thrown.warm, 0, sizeof thrown.warm);
}

static void random_box(double thinnest)
{
    const double length = test_log_uniform_wide(0.02, 2.0),
                 thin = length / test_log_uniform_wide(1.0, thinnest);
    const double kinds[3] = {length, thin, sqrt(length * thin)}; /* plate, needle, lath */
    const double size[3] = {length, kinds[test_below(3)], thin};
    make_box(size, test_log_uniform_wide(1e-3, 1e3), test_log_uniform_wide(2.5e-4, 0.01));
    thrown.box.positions = (tc_scheme)test_below(3);
}

static void wrench(tc_real force[6])
{
    memset(force, 0, 6u * sizeof *force);
    force[2] = TC_C(-9.81) * thrown.box.body.mass;
}

static const char *at(uint32_t throw, tc_status status)
{
    static char text[] = "throw 0000 status -00";
    for (uint32_t i = 0, rest = throw; i < 4u; i++, rest /= 10u) {
        text[9u - i] = (char)('0' + rest % 10u);
    }
    const uint32_t size = (uint32_t)(status < 0 ? -(int)status : (int)status);
    text[18] = status < 0 ? '-' : ' ';
    text[19] = (char)('0' + size / 10u % 10u);
    text[20] = (char)('0' + size % 10u);
    return text;
}

static int finite_result(void)
{
    const tc_learned3_result *const c = &info.contact;
    return tc_all_finite(c->friction, 3) && tc_all_finite(c->normal, TC_PATCH_MAX)
           && tc_all_finite(c->impulse, 6) && tc_all_finite(c->velocity, 6)
           && tc_all_finite(info.impulse, 6) && tc_all_finite(thrown.state.position, 3)
           && tc_all_finite(thrown.state.velocity, 6);
}

/* The impulse told belongs to the change of velocity, and no normal pulls. */
static void check_step(const tc_real *before, const tc_real *force, const char *text)
{
    const double m = (double)thrown.box.body.mass,
                 h = (double)thrown.box.step - (double)info.waited;
    double size = 1e-3;
    for (uint32_t i = 0; i < info.count; i++) {
        TEST_ASSERT_TRUE_MESSAGE(info.contact.normal[i] >= TC_C(0.0), text);
        size += (double)info.contact.normal[i] / m;
    }
    for (uint32_t k = 0; k < 3u; k++) {
        size += fabs((double)before[k]);
    }
    for (uint32_t k = 0; k < 3u; k++) {
        const double change = ((double)info.impulse[k] + h * (double)force[k]) / m;
        TEST_ASSERT_TRUE_MESSAGE(fabs((double)before[k] + change - (double)thrown.state.velocity[k])
                                     <= TOLERANCE * size,
                                 text);
    }
}

/* Catches: a step that ends in an error for valid input, and would again; a limit met in motion; a
 * number that is none. Once plates ended in TC_ERR_NOT_CERTIFIED, slender boxes in TC_ERR_RANGE. */
static void test_never_fails(void)
{
    uint32_t touched = 0;
    test_seed(20911u);
    for (uint32_t throw = 0; throw < THROWS; throw ++) {
        random_box(100.0);
        TEST_ASSERT_EQUAL_MESSAGE(TC_OK, tc_foot3_check(&thrown.box), at(throw, TC_OK));
        throw_box(throw % 4u == 0u ? 300.0 : 5.0);
        for (uint32_t step = 0; step < STEPS; step++) {
            tc_real force[6], before[3];
            wrench(force);
            memcpy(before, thrown.state.velocity, sizeof before);
            const tc_status status = tc_foot3_step(&thrown.box, force, &thrown.state, &thrown.warm,
                                                   &info, work, TC_COUNT(work));
            TEST_ASSERT_TRUE_MESSAGE(status >= TC_OK && status != TC_NOTE_FALLBACK,
                                     at(throw, status));
            TEST_ASSERT_TRUE_MESSAGE(finite_result(), at(throw, status));
            check_step(before, force, at(throw, status));
            touched += info.count > 0u;
        }
    }
    TEST_ASSERT_TRUE(touched > THROWS * STEPS / 8u); /* or nothing was tried */
}

/* Thin plates, which rest on corners one above the other. Catches: the certificate of the LCP taken
 * for the only one; an answer of all working sets that is not taken. */
static void test_plates(void)
{
    static const double plates[2][3] = {{0.5, 0.5, 0.01}, {0.3, 0.2, 0.01}};
    static const double steps[3] = {5e-4, 2e-3, 5e-3};
    test_seed(20912u);
    for (uint32_t throw = 0; throw < THROWS / 2u; throw ++) {
        const double h = steps[test_below(3)];
        const uint32_t count = (uint32_t)(STEPS * 0.006 / h);
        make_box(plates[throw % 2u], 1.0, h);
        throw_box(3.0);
        for (uint32_t step = 0; step < count; step++) {
            tc_real force[6];
            wrench(force);
            const tc_status status = tc_foot3_step(&thrown.box, force, &thrown.state, &thrown.warm,
                                                   &info, work, TC_COUNT(work));
            TEST_ASSERT_TRUE_MESSAGE(status >= TC_OK && status != TC_NOTE_FALLBACK,
                                     at(throw, status));
        }
    }
}

/* ---- Normals --------------------------------------------------------------------------------- */

/* Rows of a patch some of whose corners lie nearly upon another, and velocities without contact:
 * all the same but for rounding, or any */
static void draw_rows(uint32_t count, tc_real *J, tc_real *q)
{
    const tc_real v = (tc_real)test_log_uniform_wide(1e-4, 10.0),
                  near = (tc_real)test_log_uniform_wide(1e-5, 1e-1);
    const int rests = test_below(2) != 0u;
    for (uint32_t i = 0; i < count; i++) {
        tc_real *const row = J + 3u * i;
        const uint32_t twin = test_below(count);
        row[0] = TC_C(1.0);
        test_fill(row + 1, 2, TC_C(-3.0), TC_C(3.0));
        for (uint32_t k = 1; k < 3u && twin < i; k++) {
            row[k] = J[3u * twin + k] + near * test_uniform(TC_C(-1.0), TC_C(1.0));
        }
        q[i] = -v * test_uniform(rests ? TC_C(1.0) - TC_EPSILON : TC_C(-0.5), TC_C(1.0));
    }
}

/* How much z violates the conditions, over the size of what cancels in w, in double */
static double violation_of(uint32_t count, const tc_real *J, const tc_real *q, const tc_real *z,
                           double *energy)
{
    double u[3] = {0, 0, 0}, most = 0, scale = 0;
    *energy = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 3u; k++) {
            u[k] += (double)z[i] * (double)J[3u * i + k];
        }
        *energy += (double)z[i] * (double)q[i];
    }
    *energy += 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (uint32_t i = 0; i < count; i++) {
        double w = (double)q[i], size = fabs(w);
        for (uint32_t k = 0; k < 3u; k++) {
            w += u[k] * (double)J[3u * i + k];
            size += fabs(u[k] * (double)J[3u * i + k]);
        }
        most = fmax(most, z[i] > TC_C(0.0) ? fabs(w) : -w);
        scale = fmax(scale, size);
    }
    return most / scale;
}

/* Catches: a set left out, a certificate given or refused wrongly, normals that create energy. */
static void test_normals(void)
{
    uint32_t certified = 0;
    test_seed(20913u);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        tc_real J[3u * TC_PATCH_MAX], q[TC_PATCH_MAX], z[TC_PATCH_MAX], w[TC_PATCH_MAX];
        const uint32_t count = 2u + round % (TC_PATCH_MAX - 1u);
        double energy;
        draw_rows(count, J, q);
        const tc_status status = tc_learned3_normals(count, J, q, z, w);
        const double wrong = violation_of(count, J, q, z, &energy);
        TEST_ASSERT_TRUE(status == TC_OK || status == TC_NOTE_FALLBACK);
        TEST_ASSERT_TRUE(wrong <= (status == TC_OK ? 2.0 : 1e3) * (double)TC_LCP_TOLERANCE);
        TEST_ASSERT_TRUE(energy <= 0.0);
        for (uint32_t i = 0; i < count; i++) {
            TEST_ASSERT_TRUE(z[i] >= TC_C(0.0));
        }
        certified += status == TC_OK;
    }
    TEST_ASSERT_TRUE(certified * 1000u >= ROUNDS * 999u);
}

/* Once not certified: rows and velocities of a resting plate, and of one that is pushed out */
static void test_plate_rows(void)
{
    static const tc_real rest[12] = {TC_C(1.0), TC_C(1.21300244),  TC_C(2.12761593),
                                     TC_C(1.0), TC_C(1.21159065),  TC_C(2.12723899),
                                     TC_C(1.0), TC_C(-1.21300244), TC_C(-2.12761593),
                                     TC_C(1.0), TC_C(2.12799549),  TC_C(-1.2123431)};
    static const tc_real fall[4] = {TC_C(-0.0196199976), TC_C(-0.0196199976), TC_C(-0.0196199976),
                                    TC_C(-0.0196199901)};
    tc_real z[4], w[4];
    TEST_ASSERT_EQUAL(TC_OK, tc_learned3_normals(4, rest, fall, z, w));
    test_near(TC_C(0.01962), (z[0] + z[1]) + (z[2] + z[3]), TC_C(1e-7), TC_C(0.0), "carries");
    learned3_check_zero(w, 4, TC_C(1e-7), "rests");
}

/* ---- What cannot be certified ---------------------------------------------------------------- */

/* What no normal moves, so that nothing can be certified; the mover is the solve. */
static void no_rows(void *mover, tc_real *J)
{
    const learned3_solve *const solve = mover;
    memset(J, 0, 3u * solve->problem->patch->count * sizeof *J);
}

static void no_push(void *mover, const tc_real friction[3], tc_real *q)
{
    learned3_solve *const solve = mover;
    memcpy(solve->v, solve->problem->velocity, sizeof solve->v);
    solve->v[0] += friction[0];
    for (uint32_t i = 0; i < solve->problem->patch->count; i++) {
        q[i] = TC_C(-1.0) + solve->problem->offset[i];
    }
}

static void no_lift(void *mover, const tc_real *normal)
{
    learned3_solve *const solve = mover;
    solve->v[2] += normal[0];
}

static tc_real no_work(const void *mover, const tc_real friction[3], const tc_real *normal,
                       tc_real *size)
{
    const learned3_solve *const solve = mover;
    (void)friction;
    (void)normal;
    *size = TC_C(1.0);
    return solve->v[0];
}

/* Catches: an error, friction or restitution kept, a note not told. */
static void test_inelastic_stop(void)
{
    static const tc_mobility immovable = {NULL, no_rows, no_push, no_lift, no_work, NULL};
    learned3_scene scene;
    tc_learned3_problem problem;
    learned3_corner corner[4];
    learned3_solve solve;
    tc_real J[12], q[4], z[4], w[4], lcp[TC_LCP_WORK(4)], friction[3];
    uint32_t flags = 0;
    test_seed(20914u);
    learned3_random(4, &scene);
    TEST_ASSERT_EQUAL(
        TC_OK, tc_learned3_problem_init(&problem, &scene.patch, &scene.body, &scene.state, NULL));
    problem.offset[1] = TC_C(-0.5);
    memset(&solve, 0, sizeof solve);
    memset(corner, 0, sizeof corner);
    corner[2].p[0] = TC_C(0.25);
    solve.problem = &problem;
    solve.mobility = &immovable;
    solve.mover = &solve;
    solve.corner = corner;
    solve.J = J;
    solve.q = q;
    solve.z = z;
    solve.w = w;
    solve.lcp_work = lcp;
    solve.mobility->rows(&solve, J);
    TEST_ASSERT_EQUAL(TC_NOTE_FALLBACK, tc_learned3_close(&solve, friction, &flags));
    TEST_ASSERT_EQUAL(TC_LEARNED_FALLBACK, flags);
    learned3_check_zero(friction, 3, TC_C(0.0), "friction");
    learned3_check_zero(z, 4, TC_C(0.0), "normals");
    test_near(TC_C(-1.0), q[1], TC_C(0.0), TC_C(0.0), "no restitution");
    TEST_ASSERT_EQUAL_MEMORY(problem.velocity, solve.v, sizeof solve.v);
    /* a push-out without an answer is none */
    const tc_real speed[4] = {TC_C(1e-3), TC_C(1e-3), TC_C(1e-3), TC_C(1e-3)};
    tc_real change[6];
    problem.mobility[0] = (tc_real)NAN;
    TEST_ASSERT_EQUAL(TC_NOTE_FALLBACK, tc_learned3_rise(&problem, speed, change, work));
    learned3_check_zero(change, 6, TC_C(0.0), "push-out");
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static void refused(tc_status expected, const char *what)
{
    TEST_ASSERT_EQUAL_MESSAGE(expected, tc_foot3_check(&thrown.box), what);
}

/* Catches: a limit that is found out in motion, a slender box refused, a check left out. */
static void test_check(void)
{
    static const double needle[3] = {1.0, 0.01, 0.01};
    test_seed(20915u);
    make_box(needle, 1.0, 0.002);
    const tc_foot3 good = thrown.box;
    refused(TC_OK, "a needle");
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_foot3_check(NULL));
    thrown.box.body.inertia[0] *= TC_C(1e-4);
    refused(TC_ERR_RANGE, "a lever of 150 about the long axis");
    thrown.box.body = good.body;
    thrown.box.shape.radius = TC_C(1.0);
    refused(TC_ERR_RANGE, "the same by the rounding");
    thrown.box = good;
    thrown.box.body.mass = TC_C(1e21);
    refused(TC_ERR_RANGE, "mass");
    thrown.box = good;
    thrown.box.step = TC_C(1e-7);
    refused(TC_ERR_RANGE, "step");
    thrown.box = good;
    thrown.box.restitution = TC_C(1.5);
    refused(TC_ERR_RANGE, "restitution");
    thrown.box = good;
    thrown.box.model.ratio = NULL;
    refused(TC_ERR_NULL, "law");
    thrown.box = good;
    thrown.box.sweeps.rounds = 0;
    refused(TC_ERR_SIZE, "sweeps");
    thrown.box = good;
    thrown.box.plane.normal[0] = TC_C(1.0);
    refused(TC_ERR_UNIT, "plane");
    thrown.box = good;
    memcpy(thrown.vertices + 3, thrown.vertices, 3u * sizeof *thrown.vertices);
    refused(TC_ERR_PATCH, "shape");
}

static tc_real any_size(double most)
{
    const double x = test_log_uniform_wide(1.0 / most, most);
    return (tc_real)(test_below(2) != 0u ? x : -x);
}

/* Bodies, states, forces and steps of any scale. Catches: a number that is not finite in what is
 * handed back, whether the body was checked or not. */
static void test_scales(void)
{
    uint32_t taken = 0, moved = 0;
    test_seed(20916u);
    for (uint32_t round = 0; round < 2u * ROUNDS; round++) {
        static const double most[3] = {1e2, 1e12, 1e37};
        const double size[3] = {test_log_uniform_wide(1e-3, 1.0), test_log_uniform_wide(1e-3, 1.0),
                                test_log_uniform_wide(1e-3, 1.0)};
        const double wild = most[round % 3u], tame = round % 2u ? most[0] : wild;
        make_box(size, 1.0, 0.002);
        tc_body3 body = thrown.box.body;
        body.mass = (tc_real)fabs((double)any_size(wild));
        for (uint32_t k = 0; k < 3u; k++) {
            body.inertia[k] = (tc_real)fabs((double)any_size(wild));
        }
        const tc_foot3 box = thrown.box;
        const tc_real h = (tc_real)test_log_uniform_wide(1.0 / tame, tame);
        const int takes = tc_foot3_init(&thrown.box, &body, h, &box.model) >= TC_OK;
        taken += takes;
        if (!takes) {
            continue;
        }
        thrown.box.shape = box.shape;
        thrown.box.positions = (tc_scheme)test_below(3);
        throw_box(10.0);
        tc_real force[6];
        for (uint32_t k = 0; k < 6u; k++) {
            thrown.state.velocity[k] = any_size(tame);
            force[k] = any_size(most[test_below(3)]);
        }
        for (uint32_t step = 0; step < 3u; step++) {
            const tc_status status =
                tc_foot3_step(&thrown.box, test_below(2) ? force : NULL, &thrown.state,
                              &thrown.warm, &info, work, TC_COUNT(work));
            TEST_ASSERT_TRUE_MESSAGE(finite_result(), at(round, status));
            moved += status >= TC_OK && info.count > 0u;
        }
    }
    TEST_ASSERT_TRUE(taken > ROUNDS / 8u && taken < 2u * ROUNDS && moved > ROUNDS / 50u);
}

void suite_foot3_throws(void)
{
    RUN_TEST(test_never_fails);
    RUN_TEST(test_plates);
    RUN_TEST(test_normals);
    RUN_TEST(test_plate_rows);
    RUN_TEST(test_inelastic_stop);
    RUN_TEST(test_check);
    RUN_TEST(test_scales);
}
