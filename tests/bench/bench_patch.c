/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Bodies, patches and detectors; what detection costs against the number of vertices, 2 to 64.
 *
 *   detect2       a polygon of n corners (2: a capsule) in random poses, just sunk in: an edge or
 *                 point
 *   detect2_all   the same, every corner a contact: the longest way through the planar detector
 *   detect2_free  far above the plane
 *   detect3_box   a box in random poses: corner, edge or face
 *   detect3_face  a prism of n vertices standing on its face of n/2 (of more than 8, 8 are kept)
 *   detect3_all   the same with a large margin: all n are contacts, each above or below another
 *   detect3_free  far above the plane
 *   list_face     detect3_face into a contact list
 *   list_patch    the patch of a pair of that list, a face of n/2 corners
 *   body_step           spatial: wrench, then move
 *   patch_rows, patch_impulse, patch_velocity   spatial, a face of n corners
 *
 * References in double, from the geometry.
 */
#include "bench.h"
#include "tinycontact.h"

#include "tc_detect2.h"

#include <math.h>

#define DRAWS 24u
#define TAU 6.283185307179586

static struct {
    tc_real vertices[3 * TC_SHAPE_MAX];
    tc_shape2 polygon;
    tc_body2_state planar;
    tc_patch2 detect2_patch;
    tc_shape3 prism;
    tc_body3 body;
    tc_body3_state state;
    tc_patch3 patch;
    tc_real margin;
} scene;

static const tc_plane2 floor_y = {{0, 1}, 0};
static const tc_plane3 floor_z = {{0, 0, 1}, 0};

/* ---- Planar ---------------------------------------------------------------------------------- */

/* Regular, radius 1; the lowest corner is 0.02 m deep */
static void detect2_scene(double angle)
{
    const uint32_t n = bench.n;
    double lowest = 0;

    for (uint32_t i = 0; i < n; i++) {
        double at = TAU * i / n;

        scene.vertices[2 * i] = (tc_real)cos(at);
        scene.vertices[2 * i + 1] = (tc_real)sin(at);
        lowest = fmin(lowest, sin(at + angle));
    }
    scene.polygon.vertices = scene.vertices;
    scene.polygon.count = n;
    scene.polygon.radius = n == 2 ? TC_C(0.125) : 0;
    scene.planar.position[0] = 1;
    scene.planar.position[1] = (tc_real)((double)scene.polygon.radius - lowest - 0.02);
    scene.planar.position[2] = (tc_real)angle;
    scene.margin = 0;
}

/* Extreme levers of the corners that touch, and their number */
static void detect2_reference(void)
{
    const double angle = (double)scene.planar.position[2];
    double low = 0, high = 0;
    uint32_t found = 0;

    for (uint32_t i = 0; i < bench.n; i++) {
        double x = (double)scene.vertices[2 * i], y = (double)scene.vertices[2 * i + 1];
        double lever = cos(angle) * x - sin(angle) * y;
        double gap = sin(angle) * x + cos(angle) * y + (double)scene.planar.position[1]
                     - (double)scene.polygon.radius;

        if (gap < (double)scene.margin) {
            low = found == 0 ? lever : fmin(low, lever);
            high = found == 0 ? lever : fmax(high, lever);
            found++;
        }
    }
    bench.expected[0] = found < 2 ? (tc_real)found : 2;
    bench.expected[1] = (tc_real)low;
    bench.expected[2] = (tc_real)high;
    bench.compared = 3;
}

static void prepare_two(void)
{
    bench_seed(7000u + bench.draw);
    detect2_scene((double)bench_uniform(-3, 3));
    detect2_reference();
}

static void prepare_two_all(void)
{
    detect2_scene(0.3);
    scene.margin = 9;
    detect2_reference();
}

static void prepare_two_free(void)
{
    detect2_scene(0.3);
    scene.margin = -9;
    detect2_reference();
}

static void detect2_result(void)
{
    const tc_patch2 *patch = &scene.detect2_patch;

    bench.result[0] = (tc_real)patch->count;
    bench.result[1] = patch->lever[0];
    bench.result[2] = patch->count == 2 ? patch->lever[1] : patch->lever[0];
}

static void detect2_public(void)
{
    tc_real margin = scene.margin;
    BENCH_REGION(tc_detect2(&scene.polygon, &scene.planar, &floor_y, margin, &scene.detect2_patch));
    detect2_result();
}

static void detect2_kernel(void)
{
    tc_real margin = scene.margin;
    BENCH_REGION(tc_detect2_unchecked(&scene.polygon, &scene.planar, &floor_y, margin,
                                      &scene.detect2_patch));
    detect2_result();
}

/* ---- Spatial --------------------------------------------------------------------------------- */

/* A prism about z with n/2 sides, radius 1, turned about z and standing 0.02 m deep in the floor.
 * n = 2: a capsule. */
static void learned3_scene(double half_height, double angle)
{
    const uint32_t sides = bench.n / 2;

    for (uint32_t i = 0; i < bench.n; i++) {
        double at = TAU * (i % sides) / sides;

        scene.vertices[3 * i] = (tc_real)cos(at);
        scene.vertices[3 * i + 1] = (tc_real)sin(at);
        scene.vertices[3 * i + 2] = (tc_real)(i < sides ? -half_height : half_height);
    }
    scene.prism.vertices = scene.vertices;
    scene.prism.count = bench.n;
    scene.prism.radius = 0;
    scene.state.position[0] = scene.state.position[1] = 1;
    scene.state.position[2] = (tc_real)(half_height - 0.02);
    scene.state.orientation[0] = (tc_real)cos(angle / 2);
    scene.state.orientation[1] = scene.state.orientation[2] = 0;
    scene.state.orientation[3] = (tc_real)sin(angle / 2);
    scene.margin = 0;
    bench.expected[0] = sides < TC_PATCH_MAX ? (tc_real)sides : (tc_real)TC_PATCH_MAX;
    bench.expected[1] = (tc_real)(-0.02);
    bench.expected[2] = (tc_real)(1 + (half_height - 0.02) * (half_height - 0.02));
    bench.compared = 3;
}

static void prepare_face(void)
{
    learned3_scene(0.5, 0.7);
}

static void prepare_all(void)
{
    learned3_scene(0.5, 0.7);
    scene.margin = 9;
}

static void prepare_free(void)
{
    learned3_scene(0.5, 0.7);
    scene.margin = -9;
    bench.expected[0] = bench.expected[1] = bench.expected[2] = 0;
}

/* A box in a random pose, every third exactly on a face, every third exactly on an edge */
static void prepare_box(void)
{
    const double half[3] = {0.1, 0.075, 0.05};
    double q[4], R[3][3], lowest = 1, length = 0;

    bench_seed(7100u + bench.draw);
    for (uint32_t i = 0; i < 24; i++) {
        scene.vertices[i] = (tc_real)((((i / 3) >> (i % 3)) & 1u) ? half[i % 3] : -half[i % 3]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        int still = (bench.draw % 3 == 1 && (i == 1 || i == 2)) || (bench.draw % 3 == 2 && i > 1);

        q[i] = (double)bench_uniform(-1, 1);
        q[i] = still ? 0 : q[i];
        length += q[i] * q[i];
    }
    for (uint32_t i = 0; i < 4; i++) {
        q[i] /= sqrt(length);
        scene.state.orientation[i] = (tc_real)q[i];
    }
    R[2][0] = 2 * (q[1] * q[3] - q[0] * q[2]);
    R[2][1] = 2 * (q[2] * q[3] + q[0] * q[1]);
    R[2][2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    for (uint32_t i = 0; i < 8; i++) {
        double z = 0;

        for (uint32_t k = 0; k < 3; k++) {
            z += R[2][k] * (double)scene.vertices[3 * i + k];
        }
        lowest = fmin(lowest, z);
    }
    scene.prism.vertices = scene.vertices;
    scene.prism.count = 8;
    scene.prism.radius = 0;
    scene.state.position[2] = (tc_real)(-lowest);
    scene.margin = TC_C(1e-4);
    bench.expected[0] = bench.draw % 3 == 1 ? 4 : bench.draw % 3 == 2 ? 2 : 1;
    bench.expected[1] = 0;
    bench.expected[2] = (tc_real)(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    bench.compared = 3;
}

/* Number, mean gap, mean squared arm */
static void detect3_result(void)
{
    const tc_patch3 *patch = &scene.patch;
    tc_real gap = 0, square = 0;

    for (uint32_t i = 0; i < patch->count; i++) {
        const tc_real *arm = patch->arm[i];

        gap += patch->gap[i] / (tc_real)patch->count;
        square += (arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]) / (tc_real)patch->count;
    }
    bench.result[0] = (tc_real)patch->count;
    bench.result[1] = gap;
    bench.result[2] = square;
}

static void detect3_public(void)
{
    tc_real margin = scene.margin;
    BENCH_REGION(tc_detect3(&scene.prism, &scene.state, &floor_z, margin, &scene.patch));
    detect3_result();
}

static void detect3_kernel(void)
{
    tc_real margin = scene.margin;
    BENCH_REGION(tc_detect3_unchecked(&scene.prism, &scene.state, &floor_z, margin, &scene.patch));
    detect3_result();
}

/* ---- Contact list ---------------------------------------------------------------------------- */

static tc_contact_pair pair[1];
static tc_contact contact[TC_CONTACT_LIST3_MAX(1)];
static tc_contact_list list;

static void prepare_list(void)
{
    prepare_face();
    (void)tc_contact_list_init(&list, pair, TC_COUNT(pair), contact, TC_COUNT(contact));
}

static void list_public(void)
{
    static const tc_contact_between between = {{0, TC_CONTACT_WORLD}, 0};
    tc_real margin = scene.margin;
    BENCH_REGION(tc_detect3_list(&scene.prism, &scene.state, &floor_z, margin, &between, &list));
    (void)tc_contact_list_patch3(&list, 0, &scene.patch);
    detect3_result();
}

static void prepare_view(void)
{
    static const tc_contact_between between = {{0, TC_CONTACT_WORLD}, 0};
    prepare_list();
    (void)tc_detect3_list(&scene.prism, &scene.state, &floor_z, scene.margin, &between, &list);
}

static void view_public(void)
{
    BENCH_REGION(tc_contact_list_patch3(&list, 0, &scene.patch));
    detect3_result();
}

/* ---- Bodies and maps ------------------------------------------------------------------------- */

/* A ball in free fall: it turns steadily, so the reference is one line; it costs what any body
 * costs. */
static void prepare_step(void)
{
    const tc_body3 ball = {2, {1, 1, 1}};

    bench.n = 2;
    learned3_scene(0.5, 0.7);
    scene.body = ball;
    for (uint32_t i = 0; i < 6; i++) {
        scene.state.velocity[i] = (tc_real)i - 2;
        bench.A[i] = 1;
        bench.expected[i] = (tc_real)(i - 2.0 + (i < 3 ? 0.001 / 2 : 0.001));
    }
    bench.compared = 6;
}

static __attribute__((noinline)) void step_of(const tc_real *wrench, tc_real h)
{
    (void)tc_body3_apply_wrench(&scene.body, wrench, h, &scene.state);
    (void)tc_body3_coast(&scene.body, h, &scene.state);
}

static void step_public(void)
{
    BENCH_REGION(step_of(bench.A, TC_C(0.001)));
    for (uint32_t i = 0; i < 6; i++) {
        bench.result[i] = scene.state.velocity[i];
    }
}

/* The face of n corners, 0.48 m below the centre of mass; impulses, and later velocities, of 1 */
static void prepare_maps(void)
{
    const uint32_t n = bench.n;

    bench.n = 2 * n;
    learned3_scene(0.5, 0);
    bench.n = n;
    (void)tc_detect3(&scene.prism, &scene.state, &floor_z, 0, &scene.patch);
    for (uint32_t i = 0; i < 8; i++) {
        bench.A[i] = 1;
    }
}

/* T_n 1 + T_f 1: forces (1, 1, n); torques of the forces at height -0.48, and the torsion */
static void prepare_impulse(void)
{
    const tc_real expected[6] = {1, 1, (tc_real)bench.n, TC_C(0.48), TC_C(-0.48), 1};

    prepare_maps();
    for (uint32_t i = 0; i < 6; i++) {
        bench.expected[i] = expected[i];
    }
    bench.compared = 6;
}

static void impulse_public(void)
{
    BENCH_REGION(tc_patch3_impulse(&scene.patch, bench.A, bench.A, bench.result));
}

/* T_f^T 1 = (1 - 0.48, 1 + 0.48, 1) */
static void prepare_velocity(void)
{
    prepare_maps();
    bench.expected[0] = TC_C(0.52);
    bench.expected[1] = TC_C(1.48);
    bench.expected[2] = 1;
    bench.compared = 3;
}

static void velocity_public(void)
{
    BENCH_REGION(tc_patch3_velocity(&scene.patch, bench.A, bench.result + 3, bench.result));
}

/* The row of tangent 1 at the centre: (1, 0, 0), (0, -0.48, 0) */
static void prepare_rows(void)
{
    const tc_real expected[6] = {1, 0, 0, 0, TC_C(-0.48), 0};

    prepare_maps();
    for (uint32_t i = 0; i < 6; i++) {
        bench.expected[i] = expected[i];
    }
    bench.compared = 6;
}

static void rows_public(void)
{
    BENCH_REGION(tc_patch3_rows(&scene.patch, bench.work, bench.result));
}

void bench_patch(void)
{
    static const uint32_t sizes[] = {2, 3, 4, 5, 8, 16, 32, 64};
    static const bench_case planar[] = {
        {"detect2", NULL, "public", prepare_two, detect2_public, 11, TC_C(1e-6)},
        {"detect2", NULL, "kernel", prepare_two, detect2_kernel, 0, TC_C(1e-6)},
    };
    static const bench_case detect2_one[] = {
        {"detect2_all", NULL, "public", prepare_two_all, detect2_public, 11, TC_C(1e-6)},
        {"detect2_free", NULL, "public", prepare_two_free, detect2_public, 11, TC_C(1e-6)},
    };
    static const bench_case face[] = {
        {"detect3_free", NULL, "public", prepare_free, detect3_public, 53, TC_C(1e-6)},
        {"detect3_face", NULL, "public", prepare_face, detect3_public, 53, TC_C(1e-6)},
        {"detect3_face", NULL, "kernel", prepare_face, detect3_kernel, 0, TC_C(1e-6)},
        {"detect3_all", NULL, "public", prepare_all, detect3_public, 53, TC_C(1e-6)},
    };
    static const bench_case maps[] = {
        {"patch_rows", NULL, "public", prepare_rows, rows_public, 0, TC_C(1e-6)},
        {"patch_impulse", NULL, "public", prepare_impulse, impulse_public, 0, TC_C(1e-6)},
        {"patch_velocity", NULL, "public", prepare_velocity, velocity_public, 0, TC_C(1e-6)},
    };
    static const bench_case boxes = {"detect3_box",  "8", "public",  prepare_box,
                                     detect3_public, 53,  TC_C(1e-5)};
    static const bench_case lists[] = {
        {"list_face", NULL, "public", prepare_list, list_public, 0, TC_C(1e-6)},
        {"list_patch", NULL, "public", prepare_view, view_public, 0, TC_C(1e-6)},
    };
    static const bench_case step = {"body_step", "3", "public",  prepare_step,
                                    step_public, 0,   TC_C(1e-6)};

    for (uint32_t k = 0; k < TC_COUNT(sizes); k++) {
        bench.n = sizes[k];
        for (uint32_t i = 0; i < 2; i++) {
            bench_run_draws(&planar[i], DRAWS);
            bench_run(&detect2_one[i]);
        }
        for (uint32_t i = 0; i < TC_COUNT(face) && bench.n % 2 == 0 && bench.n >= 6; i++) {
            bench_run(&face[i]);
        }
    }
    for (bench.n = 4; bench.n <= 8; bench.n += 4) {
        for (uint32_t i = 0; i < TC_COUNT(maps); i++) {
            bench_run(&maps[i]);
        }
    }
    for (bench.n = 8; bench.n <= 16; bench.n += 8) {
        for (uint32_t i = 0; i < TC_COUNT(lists); i++) {
            bench_run(&lists[i]);
        }
    }
    bench_run_draws(&boxes, DRAWS);
    bench_run(&step);
}
