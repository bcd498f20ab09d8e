/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What nature does not know, steps of shapes must not know either: where on a floor a scene stands,
 * how it is turned about the vertical, which hand it has, what lies far away, in which order bodies
 * are listed, which units of length and mass are taken. No other truth is needed for these.
 */
#include "scene_case.h"

#include <math.h>
#include <string.h>

#ifdef TC_DOUBLE
#define ALIKE TC_C(1e-6)
#else
#define ALIKE TC_C(3e-3)
#endif

/* Of two bodies that are tied: where contacts of both stop to slide at once, rounding decides which
 * is first. */
#define TIED 1e-2
#define GRAVITY 10.0
#define BODIES 3u
#define STEPS 40u
#define STEP 0.005
#define WORK SCENE_CASE_WORK

/* Bodies on a floor z = 0, as they begin. */
typedef struct stage {
    uint32_t n;
    double down;
    tc_sdf shape[BODIES];
    double mass[BODIES], x[BODIES][3], q[BODIES][4], v[BODIES][3], w[BODIES][3];
    double mu, e, touch, h;
    int tied; /* 1: a rod and a spring between bodies 0 and 1, at points of their axes */
    double tie[2][3], rod, stiffness;
} stage;

static tc_scene_point end_of_tie(const stage *s, uint16_t i)
{
    tc_scene_point end = {.mover = i};
    for (uint32_t k = 0; k < 3u; ++k) end.at[k] = (tc_real)s->tie[i][k];
    return end;
}

/* How stage `s` ends after STEPS steps of s->h. */
static void play(const stage *s, stage *end)
{
    static const tc_sdf half_space = TC_SDF_HALFSPACE;
    static tc_body3 body[BODIES];
    static tc_scene_mover mover[BODIES];
    static tc_scene_surface surface[BODIES + 1u];
    static tc_scene_pair pair[6];
    static tc_real q[7u * BODIES], v[6u * BODIES];
    const tc_scene_material material = {(tc_real)s->mu, (tc_real)s->e};
    const tc_scene_joint rod = {.kind = TC_SCENE_JOINT_ROD,
                                .a = end_of_tie(s, 0),
                                .b = end_of_tie(s, 1),
                                .length = (tc_real)s->rod};
    const tc_scene_spring spring = {.a = {.mover = 0},
                                    .b = {.mover = 1},
                                    .stiffness = (tc_real)s->stiffness,
                                    .length = (tc_real)(s->rod / 2)};
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_sdf_inertia inertia;
        TEST_ASSERT_EQUAL(TC_OK, tc_sdf_mass(&s->shape[i], &inertia, NULL));
        body[i].mass = (tc_real)s->mass[i];
        for (uint32_t k = 0; k < 3u; ++k) {
            body[i].inertia[k] = (tc_real)s->mass[i] * inertia.inertia[k] / inertia.volume;
            q[7u * i + k] = (tc_real)s->x[i][k];
            v[6u * i + k] = (tc_real)s->v[i][k];
            v[6u * i + 3u + k] = (tc_real)s->w[i][k];
        }
        for (uint32_t k = 0; k < 4u; ++k) q[7u * i + 3u + k] = (tc_real)s->q[i][k];
        mover[i] = (tc_scene_mover){.kind = TC_SCENE_BODY, .body3 = &body[i]};
        surface[i] = (tc_scene_surface){.mover = (uint16_t)i,
                                        .sdf = &s->shape[i],
                                        .reach = tc_scene_shapes_reach(&s->shape[i])};
        for (uint32_t j = i + 1u; j <= s->n; ++j) {
            pair[pairs++] = (tc_scene_pair){(uint16_t)i, (uint16_t)j, 0};
        }
    }
    surface[s->n] = (tc_scene_surface){.mover = TC_SCENE_WORLD, .sdf = &half_space};
    const tc_scene scene = {.dimension = 3,
                            .gravity = {TC_C(0.0), TC_C(0.0), (tc_real)-s->down},
                            .movers = s->n,
                            .surfaces = s->n + 1u,
                            .materials = 1,
                            .pairs = pairs,
                            .mover = mover,
                            .surface = surface,
                            .material = &material,
                            .pair = pair,
                            .joints = s->tied ? 1u : 0u,
                            .joint = &rod,
                            .springs = s->tied ? 1u : 0u,
                            .spring = &spring,
                            .meeting = &tc_scene_shapes};
    tc_scene_step_config config = tc_scene_step_default();
    config.method = &tc_scene_step_sustained;
    config.law = TC_IMPACT_COULOMB;
    config.touch = (tc_real)s->touch;
    config.h = (tc_real)s->h;
    config.rest = TC_C(2.0) * (tc_real)(s->down * s->h);
    TEST_ASSERT_EQUAL(TC_OK, tc_scene_check(&scene, NULL));
    TEST_ASSERT_LESS_OR_EQUAL(WORK, tc_scene_step_work(&scene));
    for (uint32_t step = 0; step < STEPS; ++step) {
        tc_scene_step_info info;
        TEST_ASSERT_GREATER_OR_EQUAL(
            TC_OK, tc_scene_step(&scene, &config, q, v, &info, scene_case_work, WORK));
    }
    *end = *s;
    for (uint32_t i = 0; i < s->n; ++i) {
        for (uint32_t k = 0; k < 3u; ++k) {
            end->x[i][k] = (double)q[7u * i + k];
            end->v[i][k] = (double)v[6u * i + k];
            end->w[i][k] = (double)v[6u * i + 3u + k];
        }
        for (uint32_t k = 0; k < 4u; ++k) end->q[i][k] = (double)q[7u * i + 3u + k];
    }
}

static void random_unit(double q[4])
{
    double sum = 0;
    for (uint32_t k = 0; k < 4u; ++k) {
        q[k] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
        sum += q[k] * q[k];
    }
    for (uint32_t k = 0; k < 4u; ++k) q[k] /= sqrt(sum);
}

/* A point of body i's axes in the world */
static void place_point(const stage *s, uint32_t i, const double at[3], double x[3])
{
    const double w = s->q[i][0], *const u = s->q[i] + 1;
    const double c[3] = {u[1] * at[2] - u[2] * at[1], u[2] * at[0] - u[0] * at[2],
                         u[0] * at[1] - u[1] * at[0]};
    const double cc[3] = {u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2],
                          u[0] * c[1] - u[1] * c[0]};
    for (uint32_t k = 0; k < 3u; ++k) x[k] = s->x[i][k] + at[k] + 2 * (w * c[k] + cc[k]);
}

/* A rod as long as it is, and a spring that pulls */
static void tie_stage(stage *s)
{
    double x[2][3], square = 0;
    s->tied = 1;
    s->stiffness = (double)test_uniform(TC_C(5.0), TC_C(50.0));
    for (uint32_t i = 0; i < 2u; ++i) {
        for (uint32_t k = 0; k < 3u; ++k) {
            s->tie[i][k] = (double)test_uniform(TC_C(-0.1), TC_C(0.1));
        }
        place_point(s, i, s->tie[i], x[i]);
    }
    for (uint32_t k = 0; k < 3u; ++k) square += (x[1][k] - x[0][k]) * (x[1][k] - x[0][k]);
    s->rod = sqrt(square);
}

/* A ball, a rounded box and a capsule, 0.6 apart, that fly, strike the floor and slide on. A box's
 * corners are apart, so that which strikes first does not hang on rounding. */
static stage random_stage(uint32_t n)
{
    const tc_sdf shapes[BODIES] = {
        TC_SDF_SPHERE(TC_C(0.1)),
        TC_SDF_BOX(TC_C(0.12), TC_C(0.1), TC_C(0.08), TC_C(0.02)),
        TC_SDF_CAPSULE(TC_C(0.05), TC_C(0.1)),
    };
    stage s = {.n = n, .down = GRAVITY, .touch = 1e-5, .h = STEP};
    s.mu = (double)test_uniform(TC_C(0.1), TC_C(0.6));
    s.e = (double)test_uniform(TC_C(0.0), TC_C(0.5));
    for (uint32_t i = 0; i < n; ++i) {
        s.shape[i] = shapes[i];
        s.mass[i] = (double)test_uniform(TC_C(0.5), TC_C(2.0));
        random_unit(s.q[i]);
        for (uint32_t k = 0; k < 3u; ++k) {
            s.v[i][k] = (double)test_uniform(TC_C(-0.5), TC_C(0.5));
            s.w[i][k] = (double)test_uniform(TC_C(-1.0), TC_C(1.0));
        }
        s.x[i][0] = 0.6 * i;
        s.x[i][1] = (double)test_uniform(TC_C(-0.05), TC_C(0.05));
        s.x[i][2] = (double)test_uniform(TC_C(0.2), TC_C(0.25));
        s.v[i][2] -= 0.5;
    }
    if (n == 2u && test_below(2) == 0u) tie_stage(&s);
    return s;
}

static tc_real alike = ALIKE;

static void assert_near(double wanted, double found, double share, const char *what)
{
    TEST_ASSERT_TRUE_MESSAGE(fabs(wanted - found) <= share * (1 + fabs(wanted)), what);
}

/* Body i of `a` is body j of `b`; a quaternion and its negative turn alike. */
static void assert_alike(const stage *a, uint32_t i, const stage *b, uint32_t j)
{
    const double share = a->tied ? TIED : (double)alike;
    double sign = 0;
    for (uint32_t k = 0; k < 4u; ++k) sign += a->q[i][k] * b->q[j][k];
    for (uint32_t k = 0; k < 4u; ++k) {
        assert_near(a->q[i][k], sign < 0 ? -b->q[j][k] : b->q[j][k], share, "orientation");
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        assert_near(a->x[i][k], b->x[j][k], share, "position");
        assert_near(a->v[i][k], b->v[j][k], share, "velocity");
        assert_near(a->w[i][k], b->w[j][k], share, "angular velocity");
    }
}

/* ---- Where and how it stands ----------------------------------------------------------------- */

static void turn_vector(double angle, double x[3])
{
    const double c = cos(angle), s = sin(angle), along = x[0];
    x[0] = c * along - s * x[1];
    x[1] = s * along + c * x[1];
}

static void turn_quaternion(double angle, double q[4])
{
    const double c = cos(angle / 2), s = sin(angle / 2);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    q[0] = c * w - s * z;
    q[1] = c * x - s * y;
    q[2] = c * y + s * x;
    q[3] = c * z + s * w;
}

/* Turned about the vertical by `angle`, then moved along the floor. */
static void move_stage(stage *s, double angle, double dx, double dy)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        turn_vector(angle, s->x[i]);
        turn_vector(angle, s->v[i]);
        turn_vector(angle, s->w[i]);
        turn_quaternion(angle, s->q[i]);
        s->x[i][0] += dx;
        s->x[i][1] += dy;
    }
}

static void test_floor_has_no_places(void)
{
    test_seed(501);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(24); ++round) {
        stage s = random_stage(2), here, there;
        const double angle = (double)test_uniform(TC_C(-3.0), TC_C(3.0));
        const double dx = (double)test_uniform(TC_C(-2.0), TC_C(2.0));
        play(&s, &here);
        move_stage(&s, angle, dx, -dx);
        play(&s, &there);
        move_stage(&here, angle, dx, -dx);
        for (uint32_t i = 0; i < s.n; ++i) assert_alike(&here, i, &there, i);
    }
}

/* Reflected at the plane y = 0: angular velocity and the vector of a quaternion are axial. */
static void reflect_stage(stage *s)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        s->x[i][1] = -s->x[i][1];
        s->v[i][1] = -s->v[i][1];
        s->w[i][0] = -s->w[i][0];
        s->w[i][2] = -s->w[i][2];
        s->q[i][1] = -s->q[i][1];
        s->q[i][3] = -s->q[i][3];
        if (i < 2u) s->tie[i][1] = -s->tie[i][1];
    }
}

static void test_nature_has_no_hand(void)
{
    test_seed(502);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(24); ++round) {
        stage s = random_stage(2), right, left;
        play(&s, &right);
        reflect_stage(&s);
        play(&s, &left);
        reflect_stage(&left);
        for (uint32_t i = 0; i < s.n; ++i) assert_alike(&right, i, &left, i);
    }
}

/* ---- What else there is ---------------------------------------------------------------------- */

/* Body j of `to` becomes body i of `from`. */
static void copy_body(stage *to, uint32_t j, const stage *from, uint32_t i)
{
    to->shape[j] = from->shape[i];
    to->mass[j] = from->mass[i];
    memcpy(to->x[j], from->x[i], sizeof to->x[j]);
    memcpy(to->q[j], from->q[i], sizeof to->q[j]);
    memcpy(to->v[j], from->v[i], sizeof to->v[j]);
    memcpy(to->w[j], from->w[i], sizeof to->w[j]);
    if (i < 2u && j < 2u) memcpy(to->tie[j], from->tie[i], sizeof to->tie[j]);
}

/* An impact elsewhere splits a step, and turning is then integrated in two parts. */
static void test_far_bodies_do_not_matter(void)
{
    test_seed(503);
    alike = TC_C(3e-3);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(16); ++round) {
        stage s = random_stage(3), all;
        for (uint32_t i = 0; i < s.n; ++i) s.x[i][0] *= 4;
        play(&s, &all);
        for (uint32_t i = 0; i < s.n; ++i) {
            stage one = s, end;
            one.n = 1;
            copy_body(&one, 0, &s, i);
            play(&one, &end);
            assert_alike(&end, 0, &all, i);
        }
    }
    alike = ALIKE;
}

static void test_order_does_not_matter(void)
{
    test_seed(504);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(16); ++round) {
        stage s = random_stage(2), listed, turned = s, other;
        copy_body(&turned, 0, &s, 1);
        copy_body(&turned, 1, &s, 0);
        play(&s, &listed);
        play(&turned, &other);
        assert_alike(&listed, 0, &other, 1);
        assert_alike(&listed, 1, &other, 0);
    }
}

/* ---- Units ----------------------------------------------------------------------------------- */

/* In units of mass: every motion is the same, for all forces are weights and contacts. */
static void test_mass_has_no_unit(void)
{
    test_seed(505);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(16); ++round) {
        stage s = random_stage(2), light, heavy;
        play(&s, &light);
        for (uint32_t i = 0; i < s.n; ++i) s.mass[i] *= 50;
        s.stiffness *= 50;
        play(&s, &heavy);
        for (uint32_t i = 0; i < s.n; ++i) assert_alike(&light, i, &heavy, i);
    }
}

/* Lengths four times as long, times twice (Froude): speeds twice, angular velocities half. */
static void test_length_has_no_unit(void)
{
    test_seed(506);
    for (uint32_t round = 0; round < TEST_ROUNDS_SLOW(16); ++round) {
        stage s = random_stage(2), small, large;
        play(&s, &small);
        const tc_sdf shapes[2] = {
            TC_SDF_SPHERE(TC_C(0.4)),
            TC_SDF_BOX(TC_C(0.48), TC_C(0.4), TC_C(0.32), TC_C(0.08)),
        };
        for (uint32_t i = 0; i < s.n; ++i) {
            s.shape[i] = shapes[i];
            for (uint32_t k = 0; k < 3u; ++k) {
                s.x[i][k] *= 4;
                s.v[i][k] *= 2;
                s.w[i][k] /= 2;
                s.tie[i][k] *= 4;
            }
        }
        s.rod *= 4;
        s.stiffness /= 4;
        s.touch *= 4;
        s.h *= 2;
        play(&s, &large);
        for (uint32_t i = 0; i < s.n; ++i) {
            for (uint32_t k = 0; k < 3u; ++k) {
                large.x[i][k] /= 4;
                large.v[i][k] /= 2;
                large.w[i][k] *= 2;
            }
            assert_alike(&small, i, &large, i);
        }
    }
}

void suite_scene_symmetry(void)
{
    RUN_TEST(test_floor_has_no_places);
    RUN_TEST(test_nature_has_no_hand);
    RUN_TEST(test_far_bodies_do_not_matter);
    RUN_TEST(test_order_does_not_matter);
    RUN_TEST(test_mass_has_no_unit);
    RUN_TEST(test_length_has_no_unit);
}
