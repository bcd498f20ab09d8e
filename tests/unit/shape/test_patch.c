/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The maps between contact patches and generalized coordinates: closed forms on the floor,
 * adjointness, agreement with the velocity of the body's points, invariance, and refused patches.
 *
 * Arms are of size 1, velocities and impulses up to 3; every result is a sum of at most 40 rounded
 * products.
 */
#include "test_rigid.h"

#define TRIES 60
#define ROUNDING (64 * TC_EPSILON)

static void random2(tc_patch2 *patch)
{
    const tc_patch2 none = {0};
    const tc_real angle = test_uniform(-4, 4);
    *patch = none;
    patch->count = 1 + test_below(2);
    patch->normal[0] = tc_sin(angle);
    patch->normal[1] = tc_cos(angle);
    patch->lever[0] = test_uniform(-1, 0);
    patch->lever[1] = test_uniform(TC_C(0.1), 1);
    patch->height = test_uniform(-1, 1);
}

/* Two random vectors made orthonormal, and their cross product */
static void random_frame(tc_real frame[3][3])
{
    tc_real square;
    do {
        test_fill(frame[0], 3, -1, 1);
        test_fill(frame[1], 3, -1, 1);
        const tc_real along = dot(frame[0], frame[1], 3) / dot(frame[0], frame[0], 3);
        for (int k = 0; k < 3; ++k) {
            frame[1][k] -= along * frame[0][k];
        }
        square = dot(frame[1], frame[1], 3);
    } while (!(square > TC_C(0.1)) || dot(frame[0], frame[0], 3) < TC_C(0.1));
    for (int row = 0; row < 2; ++row) {
        const tc_real length = tc_sqrt(dot(frame[row], frame[row], 3));
        for (int k = 0; k < 3; ++k) {
            frame[row][k] /= length;
        }
    }
    cross(frame[0], frame[1], frame[2]);
}

static void random3(tc_patch3 *patch, uint32_t count)
{
    const tc_patch3 none = {0};
    const tc_real height = test_uniform(TC_C(0.1), 1);
    *patch = none;
    patch->count = count;
    patch->dimension = count < 3 ? count - 1 : 2;
    random_frame(patch->frame);
    const tc_real x = test_uniform(-1, 1), y = test_uniform(-1, 1);
    for (uint32_t i = 0; i < count; ++i) {
        const tc_real angle = TC_C(6.2831853) * (tc_real)i / (tc_real)count;
        patch->arm[i][0] = x + tc_cos(angle);
        patch->arm[i][1] = y + tc_sin(angle);
        patch->arm[i][2] = -height;
    }
}

/* An arm or a direction of the frame in world axes */
static void to_world(const tc_patch3 *patch, const tc_real *local, tc_real *world)
{
    for (int k = 0; k < 3; ++k) {
        world[k] = 0;
        for (int row = 0; row < 3; ++row) {
            world[k] += local[row] * patch->frame[row][k];
        }
    }
}

/* ---- Planar ---------------------------------------------------------------------------------- */

/* The conventions everything else is written in: u_t = v_t + omega y, u_i = v_n + omega x_i. */
static void test_patch2_floor(void)
{
    const tc_patch2 patch = {2, {0, 1}, {0, 1}, {-2, 3}, 5, {0, 0}};
    const tc_real velocity[3] = {7, 11, 13}, normal[2] = {17, 19};
    tc_real rows[6], friction[3], u[2], slip, impulse[3];
    TEST_ASSERT_EQUAL(TC_OK, tc_patch2_rows(&patch, rows, friction));
    const tc_real expected[6] = {0, 1, -2, 0, 1, 3};
    TEST_ASSERT_EQUAL_MEMORY(expected, rows, sizeof rows);
    TEST_ASSERT_TRUE(friction[0] == 1 && friction[1] == 0 && friction[2] == 5);
    TEST_ASSERT_EQUAL(TC_OK, tc_patch2_velocity(&patch, velocity, u, &slip));
    TEST_ASSERT_TRUE(slip == 7 + 13 * 5 && u[0] == 11 - 13 * 2 && u[1] == 11 + 13 * 3);
    TEST_ASSERT_EQUAL(TC_OK, tc_patch2_impulse(&patch, normal, 23, impulse));
    TEST_ASSERT_TRUE(impulse[0] == 23 && impulse[1] == 36
                     && impulse[2] == -2 * 17 + 3 * 19 + 5 * 23);
}

/* What the contact model divides out: rows times inverse mass times rows is A of the planar
 * conventions. */
static void test_patch2_contact_matrix(void)
{
    const tc_patch2 patch = {2, {0, 1}, {TC_C(0.6), TC_C(0.8)}, {TC_C(-0.5), 1}, 2, {0, 0}};
    const tc_real k2 = TC_C(0.25);
    tc_real rows[9];
    TEST_ASSERT_EQUAL(TC_OK, tc_patch2_rows(&patch, rows, rows + 6));
    const tc_real expected[3][3] = {{1 + TC_C(0.25) / k2, 1 - TC_C(0.5) / k2, -1 / k2},
                                    {1 - TC_C(0.5) / k2, 1 + 1 / k2, 2 / k2},
                                    {-1 / k2, 2 / k2, 1 + 4 / k2}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const tc_real *a = rows + 3 * i, *b = rows + 3 * j;
            test_near(expected[i][j], a[0] * b[0] + a[1] * b[1] + a[2] * b[2] / k2, ROUNDING, 0,
                      "A");
        }
    }
}

/* Power is the same on either side: p . v = n . u + f s. */
static void test_patch2_maps_are_adjoint(void)
{
    test_seed(421);
    for (int try = 0; try < TRIES; ++try) {
        tc_patch2 patch;
        tc_real v[3], n[2], u[2] = {0}, f, s, p[3];
        random2(&patch);
        test_fill(v, 3, -3, 3);
        test_fill(n, 2, 0, 3);
        f = test_uniform(-3, 3);
        TEST_ASSERT_EQUAL(TC_OK, tc_patch2_check(&patch));
        TEST_ASSERT_EQUAL(TC_OK, tc_patch2_impulse(&patch, n, f, p));
        TEST_ASSERT_EQUAL(TC_OK, tc_patch2_velocity(&patch, v, u, &s));
        test_near(dot(p, v, 3), dot(n, u, patch.count) + f * s, 20 * ROUNDING, 0, "power");
    }
}

/* The contact's velocity is the body's velocity at the arm, taken along normal and tangent. */
static void test_patch2_velocity_is_the_points(void)
{
    test_seed(422);
    for (int try = 0; try < TRIES; ++try) {
        tc_patch2 patch;
        tc_body2_state state;
        tc_real u[2], slip, point[2];
        random2(&patch);
        test_fill(state.velocity, 3, -3, 3);
        TEST_ASSERT_EQUAL(TC_OK, tc_patch2_velocity(&patch, state.velocity, u, &slip));
        for (uint32_t i = 0; i < patch.count; ++i) {
            const tc_real *n = patch.normal, t[2] = {n[1], -n[0]};
            const tc_real arm[2] = {patch.lever[i] * t[0] - patch.height * n[0],
                                    patch.lever[i] * t[1] - patch.height * n[1]};
            TEST_ASSERT_EQUAL(TC_OK, tc_body2_point_velocity(&state, arm, point));
            test_near(dot(n, point, 2), u[i], 4 * ROUNDING, 0, "normal");
            test_near(dot(t, point, 2), slip, 4 * ROUNDING, 0, "slip");
        }
    }
}

static void test_patch2_writes_count_only(void)
{
    const tc_patch2 point = {1, {0, 0}, {0, 1}, {1, 0}, 1, {0, 0}};
    tc_real storage[6 + 2 * TEST_GUARD_WORDS], friction[3], slip;
    const tc_real v[3] = {1, 2, 3};
    tc_real *rows = test_guard(storage, 3);
    TEST_ASSERT_EQUAL(TC_OK, tc_patch2_rows(&point, rows, friction));
    test_guard_check(storage, 3);
    rows = test_guard(storage, 1);
    TEST_ASSERT_EQUAL(TC_OK, tc_patch2_velocity(&point, v, rows, &slip));
    test_guard_check(storage, 1);
}

/* ---- Spatial --------------------------------------------------------------------------------- */

static void test_patch3_maps_are_adjoint(void)
{
    test_seed(423);
    for (int try = 0; try < TRIES; ++try) {
        tc_patch3 patch;
        tc_real v[6], n[8], u[8], f[3], s[3], p[6];
        random3(&patch, 1 + (uint32_t)try % 8);
        test_fill(v, 6, -3, 3);
        test_fill(n, 8, 0, 3);
        test_fill(f, 3, -3, 3);
        const uint32_t dims = tc_patch3_friction(&patch);
        TEST_ASSERT_EQUAL(patch.dimension == 0 ? 2 : 3, dims);
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_check(&patch));
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_impulse(&patch, n, f, p));
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_velocity(&patch, v, u, s));
        test_near(dot(p, v, 6), dot(n, u, patch.count) + dot(f, s, dims), 60 * ROUNDING, 0,
                  "power");
    }
}

/* T from forces at points: an impulse is the sum of forces at their arms, and torques r x F;
 * friction acts at the centre. Independent of the rows: catches a wrong sign or order in r x d. */
static void test_patch3_impulse_is_forces_at_arms(void)
{
    test_seed(424);
    for (int try = 0; try < TRIES; ++try) {
        tc_patch3 patch;
        tc_real n[8], f[3], p[6], sum[6] = {0}, centre[3] = {0}, r[3], force[3], torque[3];
        random3(&patch, 1 + (uint32_t)try % 8);
        test_fill(n, 8, 0, 3);
        test_fill(f, 3, -3, 3);
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_impulse(&patch, n, f, p));
        for (uint32_t i = 0; i <= patch.count; ++i) { /* the last one is friction */
            const tc_real pushed[3] = {0, 0, n[i % 8]}, rubbed[3] = {f[0], f[1], 0};
            to_world(&patch, i < patch.count ? patch.arm[i] : centre, r);
            to_world(&patch, i < patch.count ? pushed : rubbed, force);
            cross(r, force, torque);
            for (int k = 0; k < 3; ++k) {
                sum[k] += force[k];
                const int torsion = i == patch.count && patch.count > 1;
                sum[3 + k] += torque[k] + (torsion ? f[2] * patch.frame[2][k] : 0);
                centre[k] += i < patch.count ? patch.arm[i][k] / (tc_real)patch.count : 0;
            }
        }
        for (int k = 0; k < 6; ++k) {
            test_near(sum[k], p[k], 20 * ROUNDING, 0, "wrench");
        }
    }
}

static void test_patch3_rows_are_the_points(void)
{
    test_seed(425);
    for (int try = 0; try < TRIES; ++try) {
        tc_patch3 patch;
        tc_body3_state state;
        tc_real normal[48], friction[18], rows[18], r[3], point[3], u[8], s[3];
        random3(&patch, 1 + (uint32_t)try % 8);
        test_fill(state.velocity, 6, -3, 3);
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_rows(&patch, normal, friction));
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_velocity(&patch, state.velocity, u, s));
        for (uint32_t j = 0; j < tc_patch3_friction(&patch); ++j) {
            test_near(dot(friction + 6 * j, state.velocity, 6), s[j], 10 * ROUNDING, 0, "T_f^T");
        }
        for (uint32_t i = 0; i < patch.count; ++i) {
            test_near(dot(normal + 6 * i, state.velocity, 6), u[i], 10 * ROUNDING, 0, "T_n^T");
            to_world(&patch, patch.arm[i], r);
            TEST_ASSERT_EQUAL(TC_OK, tc_body3_point_velocity(&state, r, point));
            TEST_ASSERT_EQUAL(TC_OK, tc_patch3_contact_rows(&patch, i, rows));
            for (uint32_t k = 0; k < 3; ++k) {
                const tc_real along = dot(patch.frame[k], point, 3);
                test_near(along, dot(rows + 6 * k, state.velocity, 6), 10 * ROUNDING, 0, "J");
            }
            TEST_ASSERT_EQUAL_MEMORY(rows + 12, normal + 6 * i, 6 * sizeof *rows);
        }
    }
}

/* A spin about the normal through the centre has slip 0: torsion is decoupled from the forces. */
static void test_torsion_is_about_the_centre(void)
{
    tc_patch3 patch;
    tc_real u[8], s[3], r[3], centre[3] = {0};
    test_seed(426);
    random3(&patch, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) {
            centre[k] += patch.arm[i][k] / 4;
        }
    }
    to_world(&patch, centre, r);
    const tc_real *n = patch.frame[2];
    tc_real v[6] = {0, 0, 0, 2 * n[0], 2 * n[1], 2 * n[2]};
    cross(r, v + 3, v); /* v + omega x r = 0 */
    TEST_ASSERT_EQUAL(TC_OK, tc_patch3_velocity(&patch, v, u, s));
    test_near(0, s[0], ROUNDING, 0, "slip");
    test_near(0, s[1], ROUNDING, 0, "slip");
    test_near(2, s[2], ROUNDING, 0, "spin");
    for (int i = 0; i < 4; ++i) {
        test_near(0, u[i], ROUNDING, 0, "normal");
    }
}

/* On a line only three combinations of the two contacts' friction count: the rows of T_f span all
 * four tangential rows of the contacts. Here: their sum, and their difference across the line. */
static void test_line_friction_spans_both_contacts(void)
{
    tc_patch3 patch = {0};
    tc_real rows[2][18], normal[12], friction[18];
    patch.count = 2;
    patch.dimension = 1;
    patch.frame[0][0] = patch.frame[1][1] = patch.frame[2][2] = 1;
    patch.arm[0][0] = 3;
    patch.arm[1][0] = 1;
    patch.arm[0][1] = patch.arm[1][1] = TC_C(0.5);
    patch.arm[0][2] = patch.arm[1][2] = -2;
    TEST_ASSERT_EQUAL(TC_OK, tc_patch3_rows(&patch, normal, friction));
    TEST_ASSERT_EQUAL(TC_OK, tc_patch3_contact_rows(&patch, 0, rows[0]));
    TEST_ASSERT_EQUAL(TC_OK, tc_patch3_contact_rows(&patch, 1, rows[1]));
    for (int c = 0; c < 6; ++c) {
        TEST_ASSERT_TRUE(rows[0][c] == friction[c] && rows[1][c] == friction[c]); /* along */
        TEST_ASSERT_TRUE(rows[0][6 + c] == friction[6 + c] + friction[12 + c]);   /* across */
        TEST_ASSERT_TRUE(rows[1][6 + c] == friction[6 + c] - friction[12 + c]);
    }
}

/* ---- Refused patches ------------------------------------------------------------------------- */

static void test_patch2_patches_refused(void)
{
    const tc_patch2 good = {2, {0, 1}, {0, 1}, {-1, 1}, 1, {0, 0}};
    tc_patch2 patch = good;
    tc_real rows[6] = {7}, friction[3], p[3] = {7, 7, 7};
    const tc_real n[2] = {1, 1}, far[2] = {TC_C(3e38), TC_C(3e38)};
    patch.lever[0] = patch.lever[1];
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_patch2_check(&patch));
    patch.lever[0] = patch.lever[1] * (1 - TC_PATCH_RESOLUTION / 2);
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_patch2_check(&patch));
    patch.lever[0] = patch.lever[1] * (1 - 4 * TC_PATCH_RESOLUTION);
    TEST_ASSERT_EQUAL(TC_OK, tc_patch2_check(&patch));
    patch.lever[0] = 2; /* descending */
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_patch2_check(&patch));
    const uint32_t counts[] = {0, 3, UINT32_MAX};
    for (size_t i = 0; i < TC_COUNT(counts); ++i) {
        patch = good;
        patch.count = counts[i];
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_patch2_check(&patch));
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_patch2_rows(&patch, rows, friction));
        TEST_ASSERT_TRUE(rows[0] == 7);
    }
    patch = good;
    patch.normal[1] = TC_C(1.01);
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_patch2_check(&patch));
    tc_real *slots[] = {&patch.normal[0], &patch.normal[1], &patch.lever[0], &patch.lever[1],
                        &patch.height,    &patch.gap[0],    &patch.gap[1]};
    for (size_t i = 0; i < TC_COUNT(slots); ++i) {
        patch = good;
        *slots[i] = rigid_nan();
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_patch2_check(&patch));
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_patch2_impulse(&patch, n, 0, p));
        TEST_ASSERT_TRUE(p[0] == 0 && p[1] == 0 && p[2] == 0);
    }
    TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_patch2_impulse(&good, n, rigid_nan(), p));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch2_impulse(&good, NULL, 0, p));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch2_check(NULL));
    if (sizeof(tc_real) == 4) {
        p[1] = 7;
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_patch2_impulse(&good, far, 0, p));
        TEST_ASSERT_TRUE(p[1] == 0);
    }
}

static void test_patch3_patches_refused(void)
{
    tc_patch3 good, patch;
    tc_real rows[48], friction[18], p[6], n[8] = {0}, f[3] = {0}, u[8], s[3];
    test_seed(427);
    random3(&good, 5);
    patch = good;
    memcpy(patch.arm[2], patch.arm[4], sizeof patch.arm[2]);
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_patch3_check(&patch)); /* coincident */
    patch = good;
    memcpy(patch.arm[0], good.arm[1], sizeof patch.arm[0]);
    memcpy(patch.arm[1], good.arm[0], sizeof patch.arm[0]);
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_patch3_check(&patch)); /* out of order */
    patch = good;
    for (int i = 0; i < 5; ++i) {
        patch.arm[i][0] = (tc_real)i;
        patch.arm[i][1] = 0;
    }
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_patch3_check(&patch)); /* no area */
    patch = good;
    patch.arm[3][0] = (good.arm[0][0] + good.arm[1][0]) / 2; /* a dent */
    patch.arm[3][1] = (good.arm[0][1] + good.arm[1][1]) / 2;
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_patch3_check(&patch));
    random3(&patch, 2);
    TEST_ASSERT_EQUAL(TC_OK, tc_patch3_check(&patch));
    memcpy(patch.arm[1], patch.arm[0], sizeof patch.arm[0]);
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_patch3_check(&patch)); /* an edge of no length */
    patch = good;
    patch.dimension = 1;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_patch3_check(&patch));
    patch.count = 9;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_patch3_rows(&patch, rows, friction));
    patch.count = 0;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_patch3_rows(&patch, rows, friction));
    TEST_ASSERT_EQUAL(0, tc_patch3_friction(&patch));
    patch = good;
    for (int k = 0; k < 3; ++k) {
        patch.frame[2][k] = -patch.frame[2][k]; /* left-handed */
    }
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_patch3_check(&patch));
    for (uint32_t slot = 0; slot < 24; ++slot) {
        patch = good;
        *(slot < 9 ? &patch.frame[slot / 3][slot % 3] : &patch.arm[slot / 3 - 3][slot % 3]) =
            rigid_nan();
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_patch3_check(&patch));
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_patch3_impulse(&patch, n, f, p));
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_patch3_velocity(&patch, p, u, s));
        TEST_ASSERT_TRUE(p[0] == 0 && p[5] == 0 && u[4] == 0 && s[2] == 0);
    }
    patch = good; /* contacts are apart beside the patch's own size, however small it is */
    for (uint32_t slot = 0; slot < 15; ++slot) {
        patch.arm[slot / 3][slot % 3] *= TC_C(1e-6);
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_patch3_check(&patch));
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_patch3_contact_rows(&good, 5, rows));
    TEST_ASSERT_TRUE(rows[0] == 0 && rows[17] == 0);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch3_impulse(&good, n, NULL, p));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch3_velocity(&good, NULL, u, s));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch3_velocity(&good, p, NULL, s));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch3_velocity(&good, p, u, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch3_check(NULL));
}

/* An arm that is finite and whose turned form is not, at any of the contacts. Catches: rows that
 * are looked at only as far as the first contacts'. */
static void test_overflow_of_any_contact(void)
{
#ifdef TC_DOUBLE
    const tc_real far = TC_C(1.7e308);
#else
    const tc_real far = TC_C(3.3e38);
#endif
    const tc_real half = tc_sqrt(TC_C(0.5));
    const tc_real frame[9] = {half, half, 0, -half, half, 0, 0, 0, 1};
    test_seed(428);
    for (uint32_t i = 0; i < 5; ++i) {
        tc_patch3 patch;
        tc_real rows[30], friction[18];
        random3(&patch, 5);
        memcpy(patch.frame, frame, sizeof frame);
        patch.arm[i][0] = far;
        patch.arm[i][1] = -far;
        TEST_ASSERT_EQUAL(TC_ERR_RANGE, tc_patch3_rows(&patch, rows, friction));
        TEST_ASSERT_TRUE(rows[0] == 0 && rows[29] == 0 && friction[0] == 0 && friction[17] == 0);
    }
}

void suite_patch(void)
{
    RUN_TEST(test_patch2_floor);
    RUN_TEST(test_patch2_contact_matrix);
    RUN_TEST(test_patch2_maps_are_adjoint);
    RUN_TEST(test_patch2_velocity_is_the_points);
    RUN_TEST(test_patch2_writes_count_only);
    RUN_TEST(test_patch3_maps_are_adjoint);
    RUN_TEST(test_patch3_impulse_is_forces_at_arms);
    RUN_TEST(test_patch3_rows_are_the_points);
    RUN_TEST(test_torsion_is_about_the_centre);
    RUN_TEST(test_line_friction_spans_both_contacts);
    RUN_TEST(test_patch2_patches_refused);
    RUN_TEST(test_patch3_patches_refused);
    RUN_TEST(test_overflow_of_any_contact);
}
