/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts of posed pairs: closed forms; the area in which two faces overlap, whose corners are
 * found here in double among all corners and all crossings of sides; and properties of random
 * pairs: the deepest contact is as deep as the distance, and each lies between both surfaces.
 */
#include "pose_case.h"

#include <math.h>
#include <stdlib.h>

#ifdef __arm__
#define CONTACT_ROUNDS 16u
#else
#define CONTACT_ROUNDS 400u
#endif

#define MARGIN TC_C(0.005)

static tc_sdf shape[2];
static tc_convex_pose pose[2];
static tc_meet_contact contact[TC_MEET_CONTACT_MAX];
static tc_convex_gap gap;
static uint32_t count;

static const double still[4] = {1, 0, 0, 0};
static const tc_sdf floor_shape = TC_SDF_HALFSPACE;

static void pose_at(uint32_t side, const double q[4], double x, double y, double z)
{
    pose_set(&pose[side], q, x, y, z);
}

static void yaw_at(uint32_t side, double yaw, double x, double y, double z)
{
    const double q[4] = {cos(yaw / 2), 0, 0, sin(yaw / 2)};
    pose_at(side, q, x, y, z);
}

static tc_sdf box_of(double x, double y, double z, double r)
{
    const tc_sdf box = TC_SDF_BOX((tc_real)x, (tc_real)y, (tc_real)z, (tc_real)r);
    return box;
}

static tc_sdf cylinder_of(double r, double half, double rounding)
{
    const tc_sdf cylinder = TC_SDF_CYLINDER((tc_real)r, (tc_real)half, (tc_real)rounding);
    return cylinder;
}

static tc_status find(tc_real margin)
{
    return tc_meet_contacts(&shape[0], &pose[0], &shape[1], &pose[1], margin, contact,
                            TC_COUNT(contact), &count, &gap, NULL, 0);
}

/* 1 if a contact lies within tolerance of (x, y) and half its gap above the height z */
static int has_contact(double x, double y, double z, double tolerance)
{
    for (uint32_t i = 0; i < count; ++i) {
        const tc_meet_contact *c = &contact[i];
        if (fabs((double)c->point[0] - x) <= tolerance && fabs((double)c->point[1] - y) <= tolerance
            && fabs((double)c->point[2] - 0.5 * (double)c->gap - z) <= tolerance)
            return 1;
    }
    return 0;
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

static void test_a_box_stands_on_its_corners(void)
{
    static const double sign[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (uint32_t rounded = 0; rounded < 2; ++rounded) {
        const double r = rounded ? 0.01 : 0;
        shape[0] = box_of(0.1, 0.04, 0.02, r);
        shape[1] = floor_shape;
        pose_at(0, still, 0.3, -0.2, 0.021);
        pose_at(1, still, 5, 6, 0);
        TEST_ASSERT_EQUAL_INT(TC_OK, find(MARGIN));
        TEST_ASSERT_EQUAL_UINT32(4, count);
        for (uint32_t i = 0; i < 4; ++i) {
            TEST_ASSERT_TRUE(
                has_contact(0.3 + sign[i][0] * (0.1 - r), -0.2 + sign[i][1] * (0.04 - r), 0, 1e-6));
            test_near(TC_C(0.001), contact[i].gap, TC_C(1e-7), 0, "gap");
            test_near(1, contact[i].normal[2], 0, 0, "normal");
            TEST_ASSERT_EQUAL_UINT32(0, contact[i].plane);
            TEST_ASSERT_TRUE(contact[i].feature < 4);
        }
        TEST_ASSERT_EQUAL_INT(TC_OK, find(TC_C(0.0005)));
        TEST_ASSERT_EQUAL_UINT32(0, count);
        test_near(TC_C(0.001), gap.distance, TC_C(1e-7), 0, "distance beyond the margin");
    }
}

static void test_an_edge_and_a_corner_of_a_box_touch(void)
{
    static const double edge[4] = {0.92387953251128674, 0.38268343236508977, 0, 0};
    static const double corner[4] = {0.88807383397711526, 0.32505758367186816, -0.32505758367186816,
                                     0};
    shape[0] = box_of(0.1, 0.05, 0.05, 0);
    shape[1] = floor_shape;
    pose_at(1, still, 0, 0, 0);
    pose_at(0, edge, 0, 0, 0.05 * sqrt(2.0));
    TEST_ASSERT_EQUAL_INT(TC_OK, find(MARGIN));
    TEST_ASSERT_EQUAL_UINT32(2, count);
    TEST_ASSERT_TRUE(has_contact(0.1, 0, 0, 1e-6) && has_contact(-0.1, 0, 0, 1e-6));
    shape[0] = box_of(0.05, 0.05, 0.05, 0);
    pose_at(0, corner, 0, 0, 0.05 * sqrt(3.0));
    TEST_ASSERT_EQUAL_INT(TC_OK, find(MARGIN));
    TEST_ASSERT_EQUAL_UINT32(1, count);
    TEST_ASSERT_TRUE(has_contact(0, 0, 0, 1e-5));
}

static void test_round_shapes_touch(void)
{
    static const double lying[4] = {1, 0, 1, 0}, tilted[4] = {1, 0, 0.05, 0};
    const tc_sdf sphere = TC_SDF_SPHERE(TC_C(0.03)),
                 capsule = TC_SDF_CAPSULE(TC_C(0.02), TC_C(0.1));
    shape[1] = floor_shape;
    pose_at(1, still, 0, 0, 0);
    shape[0] = sphere;
    pose_at(0, still, 0.2, 0, 0.029);
    TEST_ASSERT_EQUAL_INT(TC_OK, find(MARGIN));
    TEST_ASSERT_EQUAL_UINT32(1, count);
    TEST_ASSERT_EQUAL_UINT32(TC_MEET_CONTACT_CLOSEST, contact[0].feature);
    TEST_ASSERT_TRUE(has_contact(0.2, 0, 0, 1e-7));
    shape[0] = capsule;
    pose_at(0, lying, 0.2, 0, 0.02);
    TEST_ASSERT_EQUAL_INT(TC_OK, find(MARGIN));
    TEST_ASSERT_EQUAL_UINT32(2, count);
    TEST_ASSERT_TRUE(has_contact(0.3, 0, 0, 1e-6) && has_contact(0.1, 0, 0, 1e-6));
    shape[0] = cylinder_of(0.05, 0.1, 0);
    pose_at(0, lying, 0, 0, 0.05);
    TEST_ASSERT_EQUAL_INT(TC_OK, find(MARGIN));
    TEST_ASSERT_EQUAL_UINT32(2, count);
    TEST_ASSERT_TRUE(has_contact(0.1, 0, 0, 1e-6) && has_contact(-0.1, 0, 0, 1e-6));
    pose_at(0, still, 0, 0, 0.1);
    TEST_ASSERT_EQUAL_INT(TC_OK, find(MARGIN));
    TEST_ASSERT_EQUAL_UINT32(8,
                             count); /* an octagon: its centre is further inside than half of r */
    for (uint32_t i = 0; i < 8; ++i) {
        const double x = (double)contact[i].point[0], y = (double)contact[i].point[1];
        test_near(TC_C(0.05), (tc_real)hypot(x, y), TC_C(1e-6), 0, "rim");
        TEST_ASSERT_EQUAL_UINT32(i, contact[i].feature);
        TEST_ASSERT_TRUE(has_contact(-x, -y, 0, 1e-6));
    }
    pose_at(0, tilted, 0, 0, 0.11); /* on a point of the rim between two of the octagon's */
    TEST_ASSERT_EQUAL_INT(TC_OK, find(TC_C(0.05)));
    TEST_ASSERT_TRUE(count <= 8);
    tc_real least = 1;
    for (uint32_t i = 0; i < count; ++i) least = contact[i].gap < least ? contact[i].gap : least;
    test_near(gap.distance, least, TC_C(3e-6), 0, "the deepest point of the rim");
}

/* ---- Overlapping faces ----------------------------------------------------------------------- */

/* A rectangle in the plane: centre, half edges, angle */
typedef struct rectangle {
    double x, y, hx, hy, yaw;
} rectangle;

static void rectangle_corner(const rectangle *r, uint32_t i, double p[2])
{
    static const double sign[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const double u = sign[i % 4][0] * r->hx, v = sign[i % 4][1] * r->hy;
    p[0] = r->x + cos(r->yaw) * u - sin(r->yaw) * v;
    p[1] = r->y + sin(r->yaw) * u + cos(r->yaw) * v;
}

static int rectangle_holds(const rectangle *r, const double p[2])
{
    const double dx = p[0] - r->x, dy = p[1] - r->y;
    return fabs(cos(r->yaw) * dx + sin(r->yaw) * dy) <= r->hx
           && fabs(cos(r->yaw) * dy - sin(r->yaw) * dx) <= r->hy;
}

/* The corners of what two rectangles have in common, in any order: corners in the other one, and
 * crossings of sides */
static uint32_t common_corners(const rectangle *a, const rectangle *b, double corner[24][2])
{
    uint32_t n = 0;
    double p[2], q[2], s[2], t[2];
    for (uint32_t i = 0; i < 4; ++i) {
        rectangle_corner(a, i, corner[n]);
        if (rectangle_holds(b, corner[n])) ++n;
        rectangle_corner(b, i, corner[n]);
        if (rectangle_holds(a, corner[n])) ++n;
        for (uint32_t j = 0; j < 4; ++j) {
            rectangle_corner(a, i, p);
            rectangle_corner(a, i + 1, q);
            rectangle_corner(b, j, s);
            rectangle_corner(b, j + 1, t);
            const double ax = q[0] - p[0], ay = q[1] - p[1], bx = t[0] - s[0], by = t[1] - s[1];
            const double across = ax * by - ay * bx;
            const double u = ((s[0] - p[0]) * by - (s[1] - p[1]) * bx) / across;
            const double w = ((s[0] - p[0]) * ay - (s[1] - p[1]) * ax) / across;
            if (!(u >= 0 && u <= 1 && w >= 0 && w <= 1)) continue;
            corner[n][0] = p[0] + u * ax;
            corner[n++][1] = p[1] + u * ay;
        }
    }
    return n;
}

static void judge_overlap(const rectangle *a, const rectangle *b, double top)
{
    double corner[24][2];
    const uint32_t corners = common_corners(a, b, corner);
    for (uint32_t i = 0; i < corners; ++i) {
        TEST_ASSERT_TRUE_MESSAGE(has_contact(corner[i][0], corner[i][1], top, 4e-5), "corner");
    }
    for (uint32_t k = 0; k < count; ++k) {
        double nearest = 1;
        for (uint32_t i = 0; i < corners; ++i) {
            const double x = (double)contact[k].point[0], y = (double)contact[k].point[1];
            nearest = fmin(nearest, hypot(x - corner[i][0], y - corner[i][1]));
        }
        TEST_ASSERT_TRUE_MESSAGE(nearest <= 4e-5, "no corner");
    }
}

static void test_faces_overlap_in_a_polygon(void)
{
    uint32_t asked = 0;
    test_seed(15101);
    for (uint32_t round = 0; round < TEST_ROUNDS(CONTACT_ROUNDS); ++round) {
        tc_real x[10];
        test_fill(x, 10, 0, 1);
        const double ra = round % 2 ? 0.005 : 0, rb = round % 3 ? 0.004 : 0,
                     lift = 0.002 * (double)x[9];
        rectangle a = {0, 0, 0.03 + 0.1 * (double)x[0], 0.03 + 0.1 * (double)x[1],
                       6 * (double)x[2]};
        rectangle b = {0.2 * (double)x[3] - 0.1, 0.2 * (double)x[4] - 0.1,
                       0.03 + 0.1 * (double)x[5], 0.03 + 0.1 * (double)x[6], 6 * (double)x[7]};
        shape[0] = box_of(a.hx, a.hy, 0.02, ra);
        shape[1] = box_of(b.hx, b.hy, 0.03, rb);
        yaw_at(0, a.yaw, a.x, a.y, 0.05 + lift);
        yaw_at(1, b.yaw, b.x, b.y, 0);
        const tc_status status = find(MARGIN);
        TEST_ASSERT_TRUE(status >= TC_OK);
        a.hx -= ra;
        a.hy -= ra;
        b.hx -= rb;
        b.hy -= rb;
        double corner[24][2];
        const uint32_t corners = common_corners(&a, &b, corner);
        if (corners < 3) continue; /* they meet beside each other, by roundings */
        ++asked;
        test_near((tc_real)lift, gap.distance, TC_C(2e-6), 0, "distance");
        judge_overlap(&a, &b, 0.03);
        for (uint32_t i = 0; i < count; ++i) {
            test_near((tc_real)lift, contact[i].gap, TC_C(2e-6), 0, "gap");
            test_near(1, contact[i].normal[2], TC_C(1e-6), 0, "normal");
        }
    }
    TEST_ASSERT_TRUE(asked >= TEST_ROUNDS(CONTACT_ROUNDS) / 2);
}

static void test_crossed_boxes_touch_in_a_square(void)
{
    shape[0] = box_of(0.2, 0.03, 0.02, 0);
    shape[1] = box_of(0.02, 0.2, 0.02, 0.002);
    pose_at(0, still, 0, 0, 0.041);
    pose_at(1, still, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, find(MARGIN));
    TEST_ASSERT_EQUAL_UINT32(4, count);
    for (uint32_t i = 0; i < 4; ++i) {
        TEST_ASSERT_TRUE(has_contact(i & 1 ? 0.018 : -0.018, i & 2 ? 0.03 : -0.03, 0.02, 1e-5));
    }
    const tc_sdf bar = TC_SDF_CAPSULE(TC_C(0.02), TC_C(0.2));
    static const double along_x[4] = {1, 0, 1, 0}, along_y[4] = {1, 1, 0, 0};
    shape[0] = shape[1] = bar; /* crossed bars touch in a point, parallel ones along a line */
    pose_at(0, along_x, 0, 0, 0.041);
    pose_at(1, along_y, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, find(MARGIN));
    TEST_ASSERT_EQUAL_UINT32(1, count);
    TEST_ASSERT_TRUE(has_contact(0, 0, 0.02, 1e-5));
    pose_at(1, along_x, 0.3, 0.001, 0);
    TEST_ASSERT_TRUE(find(MARGIN) >= TC_OK);
    TEST_ASSERT_EQUAL_UINT32(2, count);
    TEST_ASSERT_TRUE(has_contact(0.1, 0.0005, 0.02, 5e-5) && has_contact(0.2, 0.0005, 0.02, 5e-5));
}

static void test_features_stay_while_bodies_slide(void)
{
    uint32_t before[TC_MEET_CONTACT_MAX], number = 0;
    shape[0] = box_of(0.1, 0.05, 0.02, 0.002);
    shape[1] = box_of(0.12, 0.2, 0.02, 0.002);
    pose_at(1, still, 0, 0, 0);
    for (uint32_t i = 0; i < 20; ++i) {
        yaw_at(0, 0.3 + 0.001 * i, 0.05 + 0.0005 * i, 0.001 * i, 0.04 + 1e-5 * i);
        TEST_ASSERT_TRUE(find(MARGIN) >= TC_OK);
        if (i > 0) {
            TEST_ASSERT_EQUAL_UINT32(number, count);
            uint32_t known = 0;
            for (uint32_t k = 0; k < count; ++k) {
                for (uint32_t j = 0; j < count; ++j) known += contact[k].feature == before[j];
            }
            TEST_ASSERT_EQUAL_UINT32(count, known);
        }
        number = count;
        for (uint32_t k = 0; k < count; ++k) before[k] = contact[k].feature;
    }
}

/* Corners have the number of their corner, whichever side was cut: a's 0 to 7, b's from 8 on,
 * crossings from 16 on. */
static void test_features_name_corners(void)
{
    static const double sign[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (uint32_t round = 0; round < 2; ++round) {
        shape[round] = box_of(0.2, 0.2, 0.02, 0);
        shape[1 - round] = box_of(0.1, 0.05, 0.02, 0.005);
        pose_at(0, still, 0, 0, 0.041);
        pose_at(1, still, 0, 0, 0);
        TEST_ASSERT_TRUE(find(MARGIN) >= TC_OK);
        TEST_ASSERT_EQUAL_UINT32(4, count);
        for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t corner = contact[i].feature - (round ? 0u : 8u);
            TEST_ASSERT_TRUE(corner < 8);
            for (uint32_t k = 0; k < 2; ++k) {
                TEST_ASSERT_TRUE((contact[i].point[k] > 0) == ((corner >> k & 1u) != 0));
            }
            TEST_ASSERT_EQUAL_UINT32(round ? 0 : 1, corner >> 2);
        }
    }
    shape[0] = box_of(0.2, 0.03, 0.02, 0); /* crossed */
    shape[1] = box_of(0.03, 0.2, 0.02, 0);
    TEST_ASSERT_TRUE(find(MARGIN) >= TC_OK);
    TEST_ASSERT_EQUAL_UINT32(4, count);
    for (uint32_t i = 0; i < 4; ++i) {
        TEST_ASSERT_TRUE(contact[i].feature >= 16 && contact[i].feature < 80);
        TEST_ASSERT_TRUE(has_contact(0.03 * sign[i][0], 0.03 * sign[i][1], 0.02, 1e-5));
    }
}

/* ---- Unions and terrain ---------------------------------------------------------------------- */

static const tc_sdf tread = TC_SDF_BOX(TC_C(0.15), TC_C(0.4), TC_C(0.1), 0);
static const tc_sdf_part stair_parts[3] = {{&tread, {0, 0, TC_C(-0.1)}, NULL},
                                           {&tread, {TC_C(0.3), 0, TC_C(-0.08)}, NULL},
                                           {&tread, {TC_C(-0.3), 0, TC_C(-0.1)}, NULL}};
static const tc_sdf_parts stairs = {stair_parts, 3};
static const tc_sdf sole_part = TC_SDF_BOX(TC_C(0.05), TC_C(0.04), TC_C(0.01), TC_C(0.002));
static const tc_sdf_part sole_parts[2] = {{&sole_part, {TC_C(-0.1), 0, 0}, NULL},
                                          {&sole_part, {TC_C(0.1), 0, TC_C(0.02)}, NULL}};
static const tc_sdf_parts sole = {sole_parts, 2};

static void test_each_tread_is_a_plane(void)
{
    static tc_contact_list list;
    static tc_contact_pair pair[4];
    static tc_contact listed[TC_CONTACT_LIST3_MAX(4)];
    static const tc_contact_between between = {{3, TC_CONTACT_WORLD}, 1};
    const tc_sdf steps = TC_SDF_DATA(tc_sdf_union, &stairs),
                 foot = TC_SDF_DATA(tc_sdf_union, &sole);
    tc_patch3 patch;
    shape[0] = foot;
    shape[1] = steps;
    pose_at(0, still, 0.15, 0, 0.0105);
    pose_at(1, still, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, find(TC_C(0.001)));
    TEST_ASSERT_EQUAL_UINT32(8, count);
    for (uint32_t i = 0; i < 8; ++i) {
        const double x = (double)contact[i].point[0], z = x < 0.15 ? 0 : 0.02;
        TEST_ASSERT_EQUAL_UINT32(contact[i - i % 4].plane, contact[i].plane);
        TEST_ASSERT_TRUE(has_contact(x, (double)contact[i].point[1], z, 2e-6));
        test_near(TC_C(0.0005), contact[i].gap, TC_C(1e-6), 0, "gap");
    }
    TEST_ASSERT_TRUE(contact[0].plane == 0 && contact[4].plane == 1);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_contact_list_init(&list, pair, 4, listed, TC_COUNT(listed)));
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_meet_contact_list(&shape[0], &pose[0], &shape[1], &pose[1],
                                                      TC_C(0.001), &between, &list, NULL, 0));
    TEST_ASSERT_EQUAL_UINT32(2, list.pairs);
    TEST_ASSERT_EQUAL_UINT32(8, list.contacts);
    for (uint32_t k = 0; k < 2; ++k) {
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_contact_list_patch3(&list, k, &patch));
        TEST_ASSERT_EQUAL_INT(TC_OK, tc_patch3_check(&patch));
        TEST_ASSERT_EQUAL_UINT32(3, pair[k].between.body[0]);
        for (uint32_t i = 0; i < 4; ++i) {
            const tc_real x = patch.arm[i][0] + TC_C(0.15);
            test_near(x < TC_C(0.15) ? TC_C(-0.0105) : TC_C(0.0095), patch.arm[i][2], TC_C(1e-6), 0,
                      "arms end on b");
            test_near(TC_C(0.0005), patch.gap[i], TC_C(1e-6), 0, "gap");
        }
    }
}

/* Two boxes of one height are one plane, and the seam below the sole is none of its corners. */
static void test_a_seam_is_no_contact(void)
{
    const tc_sdf steps = TC_SDF_DATA(tc_sdf_union, &stairs);
    shape[0] = box_of(0.1, 0.04, 0.01, 0.002);
    shape[1] = steps;
    pose_at(0, still, -0.15, 0, 0.01);
    pose_at(1, still, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_OK, find(TC_C(0.001)));
    TEST_ASSERT_EQUAL_UINT32(4, count);
    for (uint32_t i = 0; i < 4; ++i) {
        TEST_ASSERT_EQUAL_UINT32(0, contact[i].plane);
        TEST_ASSERT_TRUE(has_contact(i & 1 ? -0.052 : -0.248, i & 2 ? 0.038 : -0.038, 0, 1e-6));
    }
}

/* Parts that are left out are not the nearest ones. */
static void test_unions_have_their_distance(void)
{
    const tc_sdf steps = TC_SDF_DATA(tc_sdf_union, &stairs),
                 foot = TC_SDF_DATA(tc_sdf_union, &sole);
    tc_convex_gap wanted;
    test_seed(15106);
    shape[0] = foot;
    shape[1] = steps;
    for (uint32_t round = 0; round < TEST_ROUNDS(CONTACT_ROUNDS); ++round) {
        tc_real x[7];
        test_fill(x, 7, -1, 1);
        const double q[4] = {(double)x[0], (double)x[1], (double)x[2], (double)x[3]};
        pose_at(0, q, 0.6 * (double)x[4], 0.4 * (double)x[5], 0.2 + 0.3 * (double)x[6]);
        pose_at(1, still, 0, 0, 0);
        TEST_ASSERT_TRUE(find(MARGIN) >= TC_OK);
        TEST_ASSERT_TRUE(tc_meet_distance(&shape[0], &pose[0], &shape[1], &pose[1], TC_MEET_DEEPEST,
                                          &wanted, NULL, 0)
                         >= TC_OK);
        test_near(wanted.distance, gap.distance, TC_C(1e-6), 0, "distance");
        TEST_ASSERT_TRUE((count > 0) == (gap.distance < MARGIN));
    }
}

static void test_what_does_not_fit_is_noted(void)
{
    const tc_sdf steps = TC_SDF_DATA(tc_sdf_union, &stairs),
                 foot = TC_SDF_DATA(tc_sdf_union, &sole);
    static tc_contact_list list;
    static tc_contact_pair pair[1];
    static tc_contact listed[8];
    static const tc_contact_between between = {{3, TC_CONTACT_WORLD}, 1};
    shape[0] = foot;
    shape[1] = steps;
    pose_at(0, still, 0.15, 0, 0.0105);
    pose_at(1, still, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_NOTE_LIMIT,
                          tc_meet_contacts(&shape[0], &pose[0], &shape[1], &pose[1], TC_C(0.001),
                                           contact, 5, &count, &gap, NULL, 0));
    TEST_ASSERT_EQUAL_UINT32(5, count);
    for (uint32_t i = 1; i < count; ++i) {
        TEST_ASSERT_TRUE(contact[i].plane - contact[i - 1].plane <= 1);
    }
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_contact_list_init(&list, pair, 1, listed, TC_COUNT(listed)));
    TEST_ASSERT_EQUAL_INT(TC_ERR_WORK,
                          tc_meet_contact_list(&shape[0], &pose[0], &shape[1], &pose[1],
                                               TC_C(0.001), &between, &list, NULL, 0));
    TEST_ASSERT_TRUE(list.pairs == 1 && list.contacts == 4 && list.dropped == 4);
}

/* A ramp of slope 1/4 along x, whose height is 0 at the origin: heights in 2.5 mm, nodes 0.1 m apart */
#define RAMP_NODES 12
static int16_t ramp_heights[RAMP_NODES * RAMP_NODES];
static const tc_sdf_heights ramp_map = {.heights = ramp_heights,
                                        .count_x = RAMP_NODES,
                                        .count_y = RAMP_NODES,
                                        .scale = TC_C(0.0025),
                                        .spacing = TC_C(0.1),
                                        .origin = {TC_C(-0.5), TC_C(-0.5), 0}};

static void make_ramp(int32_t bump)
{
    for (int32_t i = 0; i < RAMP_NODES * RAMP_NODES; ++i) {
        ramp_heights[i] = (int16_t)(10 * (i % RAMP_NODES - 5));
    }
    ramp_heights[5 * RAMP_NODES + 5] = (int16_t)(ramp_heights[5 * RAMP_NODES + 5] + bump);
}

static void test_a_box_stands_on_terrain(void)
{
    const tc_sdf terrain = TC_SDF_DATA(tc_sdf_terrain, &ramp_map);
    const double angle = atan(0.25), lift = 0.021,
                 tilt[4] = {cos(angle / 2), 0, -sin(angle / 2), 0};
    make_ramp(0);
    for (uint32_t side = 0; side < 2; ++side) { /* the terrain as b, and as a */
        const double sign = side ? -1 : 1;
        shape[side] = box_of(0.1, 0.04, 0.02, 0.005);
        shape[1 - side] = terrain;
        pose_at(side, tilt, -lift * sin(angle), 0, lift * cos(angle));
        pose_at(1 - side, still, 0, 0, 0);
        TEST_ASSERT_TRUE(find(MARGIN) >= TC_OK);
        test_near(TC_C(0.001), gap.distance, TC_C(2e-6), 0, "distance");
        TEST_ASSERT_EQUAL_UINT32(4, count);
        for (uint32_t i = 0; i < 4; ++i) {
            test_near(TC_C(0.001), contact[i].gap, TC_C(2e-6), 0, "gap");
            test_near((tc_real)(-sign * sin(angle)), contact[i].normal[0], TC_C(1e-5), 0, "normal");
            TEST_ASSERT_EQUAL_UINT32(0, contact[i].plane);
            const double x = (i & 1 ? 0.095 : -0.095) * cos(angle), z = x * 0.25;
            TEST_ASSERT_TRUE(has_contact(x - 0.0005 * sin(angle), i & 2 ? 0.035 : -0.035,
                                         z + 0.0005 * (cos(angle) - 1), 5e-6));
        }
    }
}

/* A box as a grid, with its corners and edges' middles as stored points, on a floor and on a box */
#define BRICK_NODES 9
static int8_t brick_values[BRICK_NODES * BRICK_NODES * BRICK_NODES];
static const tc_real brick_points[3 * 12] = {
    TC_C(0.06),  TC_C(0.06),  TC_C(-0.06), TC_C(-0.06), TC_C(0.06),  TC_C(-0.06),
    TC_C(-0.06), TC_C(-0.06), TC_C(-0.06), TC_C(0.06),  TC_C(-0.06), TC_C(-0.06),
    TC_C(0.06),  TC_C(0.06),  TC_C(0.06),  TC_C(-0.06), TC_C(0.06),  TC_C(0.06),
    TC_C(-0.06), TC_C(-0.06), TC_C(0.06),  TC_C(0.06),  TC_C(-0.06), TC_C(0.06),
    TC_C(0.06),  0,           TC_C(-0.06), TC_C(-0.06), 0,           TC_C(-0.06),
    0,           TC_C(0.06),  TC_C(-0.06), 0,           0,           TC_C(-0.06)};
static const tc_sdf_values brick = {.stored = {.points_ref = brick_points, .points = 12},
                                    .values = brick_values,
                                    .count = {BRICK_NODES, BRICK_NODES, BRICK_NODES},
                                    .scale = TC_C(0.001),
                                    .spacing = TC_C(0.02),
                                    .origin = {TC_C(-0.08), TC_C(-0.08), TC_C(-0.08)}};

static void test_a_grid_stands_on_its_points(void)
{
    for (int32_t i = 0; i < BRICK_NODES * BRICK_NODES * BRICK_NODES; ++i) {
        int32_t most = 0;
        const int32_t at[3] = {i % 9 - 4, i / 9 % 9 - 4, i / 81 - 4};
        for (uint32_t k = 0; k < 3; ++k) most = abs(at[k]) > most ? abs(at[k]) : most;
        brick_values[i] = (int8_t)(20 * most - 60);
    }
    const tc_sdf grid = TC_SDF_DATA(tc_sdf_grid, &brick);
    TEST_ASSERT_EQUAL_INT(TC_OK, tc_sdf_check(&grid));
    for (uint32_t round = 0; round < 4; ++round) {
        const uint32_t side = round & 1u;
        shape[side] = grid;
        shape[1 - side] = round < 2 ? floor_shape : box_of(0.2, 0.2, 0.1, 0.01);
        pose_at(side, still, 0.01, 0.02, 0.061);
        pose_at(1 - side, still, 0, 0, round < 2 ? 0 : -0.1);
        TEST_ASSERT_TRUE(find(MARGIN) >= TC_OK);
        TEST_ASSERT_EQUAL_UINT32(4, count);
        for (uint32_t i = 0; i < 4; ++i) {
            TEST_ASSERT_TRUE(has_contact(i & 1 ? 0.07 : -0.05, i & 2 ? 0.08 : -0.04, 0, 2e-6));
            test_near(TC_C(0.001), contact[i].gap, TC_C(2e-6), 0, "gap");
            test_near(side ? -1 : 1, contact[i].normal[2], TC_C(1e-6), 0, "normal");
        }
    }
}

/* On a bump the middle of the sole touches, which no corner knows of. */
static void test_a_bump_is_a_contact(void)
{
    const tc_sdf terrain = TC_SDF_DATA(tc_sdf_terrain, &ramp_map);
    const double angle = atan(0.25), lift = 0.03, tilt[4] = {cos(angle / 2), 0, -sin(angle / 2), 0};
    make_ramp(20);
    shape[0] = box_of(0.2, 0.15, 0.02, 0.005);
    shape[1] = terrain;
    pose_at(0, tilt, -lift * sin(angle), 0, lift * cos(angle));
    pose_at(1, still, 0, 0, 0);
    TEST_ASSERT_TRUE(find(TC_C(0.02)) >= TC_OK);
    tc_real least = 1;
    for (uint32_t i = 0; i < count; ++i) least = contact[i].gap < least ? contact[i].gap : least;
    TEST_ASSERT_TRUE(gap.distance < 0);
    test_near(gap.distance, least, TC_C(1e-6), 0, "deepest");
    TEST_ASSERT_EQUAL_UINT32(5, count);
    TEST_ASSERT_EQUAL_UINT32(TC_MEET_CONTACT_CLOSEST, contact[0].feature);
    TEST_ASSERT_TRUE(contact[0].plane == 0 && contact[4].plane >= 1);
}

/* ---- Random pairs ---------------------------------------------------------------------------- */

static void random_shape(uint32_t kind, tc_sdf *s)
{
    tc_real h[3];
    test_fill(h, 3, TC_C(0.03), TC_C(0.1));
    const tc_sdf round_one = TC_SDF_SPHERE(h[0]), bar = TC_SDF_CAPSULE(h[0], h[1]);
    if (kind == 0) *s = round_one;
    if (kind == 1) *s = bar;
    if (kind == 2) *s = box_of((double)h[0], (double)h[1], (double)h[2], 0.02);
    if (kind == 3) *s = cylinder_of((double)h[0], (double)h[1], 0.02);
    if (kind == 4) *s = floor_shape;
}

static void random_contact_pair(uint32_t round)
{
    double q[4];
    for (uint32_t i = 0; i < 2; ++i) {
        tc_real x[7];
        random_shape(i == 0 ? round % 4 : round / 4 % 5, &shape[i]);
        test_fill(x, 7, -1, 1);
        const double turn = i == 1 && round % 3 == 0 ? 1e-3 : 1;
        for (uint32_t k = 0; k < 4; ++k) q[k] = (turn < 1 ? q[k] : 0) + turn * (double)x[k];
        pose_at(i, q, 0.1 * (double)x[4], 0.1 * (double)x[5], 0.1 * (double)x[6]);
    }
}

/* Moves a along the normal until it is `sunk` deep; 0 if the cores meet */
static int press_together(tc_real sunk)
{
    if (find(MARGIN) < TC_OK || gap.distance <= TC_C(-0.02)) return 0;
    for (uint32_t k = 0; k < 3; ++k) pose[0].position[k] -= (gap.distance + sunk) * gap.normal[k];
    return find(MARGIN) == TC_OK && gap.distance < MARGIN;
}

static void test_the_deepest_contact_is_the_distance(void)
{
    uint32_t asked = 0;
    test_seed(15102);
    for (uint32_t round = 0; round < TEST_ROUNDS(8 * CONTACT_ROUNDS); ++round) {
        random_contact_pair(round);
        if (!press_together(test_uniform(TC_C(-0.004), TC_C(0.01)))) continue;
        ++asked;
        tc_real least = 1;
        TEST_ASSERT_TRUE(count >= 1 && count <= 8);
        for (uint32_t i = 0; i < count; ++i) {
            least = contact[i].gap < least ? contact[i].gap : least;
            TEST_ASSERT_TRUE(contact[i].gap < MARGIN);
            tc_real along = -1;
            for (uint32_t k = 0; k < 3; ++k) along += contact[i].normal[k] * gap.normal[k];
            test_near(0, along, TC_C(1e-6), 0, "one normal");
            TEST_ASSERT_EQUAL_UINT32(0, contact[i].plane);
        }
        test_near(gap.distance, least, TC_C(8e-6), 0, "deepest");
    }
    TEST_ASSERT_TRUE(asked >= TEST_ROUNDS(8 * CONTACT_ROUNDS) / 4);
}

/* Sharp pairs at any depth: bounded, finite, and never without the deepest */
static void test_any_depth_has_contacts(void)
{
    test_seed(15105);
    for (uint32_t round = 0; round < TEST_ROUNDS(8 * CONTACT_ROUNDS); ++round) {
        random_contact_pair(round);
        for (uint32_t i = 0; i < 2; ++i) {
            if (shape[i].kind == &tc_sdf_box) shape[i].size[3] = 0;
            if (shape[i].kind == &tc_sdf_cylinder) shape[i].size[2] = 0;
            pose[i].position[round % 3] *= TC_C(0.2);
        }
        const tc_status status = find(MARGIN);
        TEST_ASSERT_TRUE(status >= TC_OK);
        if (gap.distance >= MARGIN) continue;
        TEST_ASSERT_TRUE(count >= 1 && count <= 8);
        tc_real least = 1;
        for (uint32_t i = 0; i < count; ++i) {
            const tc_meet_contact *c = &contact[i];
            least = c->gap < least ? c->gap : least;
            TEST_ASSERT_TRUE(tc_all_finite(c->point, 3) && tc_all_finite(c->normal, 3));
            TEST_ASSERT_TRUE(c->gap < MARGIN && c->gap > -1);
        }
        TEST_ASSERT_TRUE(least <= gap.distance + TC_C(1e-5));
    }
}

/* Exchanging sides turns normals and keeps points; so does a motion of both. */
static void test_sides_may_change(void)
{
    static tc_meet_contact kept[TC_MEET_CONTACT_MAX];
    test_seed(15103);
    for (uint32_t round = 0; round < TEST_ROUNDS(4 * CONTACT_ROUNDS); ++round) {
        random_contact_pair(round);
        if (!press_together(TC_C(0.005))) continue;
        const uint32_t number = count;
        memcpy(kept, contact, sizeof kept);
        const tc_sdf first = shape[0];
        const tc_convex_pose at = pose[0];
        shape[0] = shape[1];
        shape[1] = first;
        pose[0] = pose[1];
        pose[1] = at;
        if (find(MARGIN) != TC_OK) continue;
        tc_real least[2] = {1, 1};
        for (uint32_t i = 0; i < count; ++i)
            least[0] = contact[i].gap < least[0] ? contact[i].gap : least[0];
        for (uint32_t i = 0; i < number; ++i)
            least[1] = kept[i].gap < least[1] ? kept[i].gap : least[1];
        test_near(least[1], least[0], TC_C(8e-6), 0, "deepest");
        test_near(-kept[0].normal[0], contact[0].normal[0], TC_C(1.7e-3), 0, "normal");
    }
}

static void test_golden_contacts(void)
{
    uint32_t hash = TEST_HASH_START;
    test_seed(15104);
    for (uint32_t round = 0; round < 60; ++round) {
        random_contact_pair(round);
        (void)press_together(TC_C(0.005));
        for (uint32_t i = 0; i < count; ++i) {
            hash = test_hash(hash, contact[i].point, 3);
            hash = test_hash(hash, contact[i].normal, 3);
            hash = test_hash(hash, &contact[i].gap, 1);
        }
    }
    test_golden("meet.contacts", hash);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

static void test_contact_faults_are_named(void)
{
    const tc_real zero = 0;
    shape[0] = box_of(0.1, 0.1, 0.1, 0);
    shape[1] = floor_shape;
    pose_at(0, still, 0, 0, 0.1);
    pose_at(1, still, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NOT_FINITE, find(zero / zero));
    TEST_ASSERT_TRUE(count == 0 && gap.steps == 0);
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_meet_contacts(NULL, &pose[0], &shape[1], &pose[1], MARGIN,
                                                        contact, 8, &count, &gap, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_meet_contacts(&shape[0], &pose[0], &shape[1], &pose[1],
                                                        MARGIN, contact, 0, &count, &gap, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_SIZE, tc_meet_contacts(&shape[0], &pose[0], &shape[1], &pose[1],
                                                        MARGIN, contact, TC_MEET_CONTACT_MAX + 1,
                                                        &count, &gap, NULL, 0));
    TEST_ASSERT_EQUAL_INT(TC_ERR_NULL, tc_meet_contact_list(&shape[0], &pose[0], &shape[1],
                                                            &pose[1], MARGIN, NULL, NULL, NULL, 0));
    pose[0].rotation[0] = 2;
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNIT, find(MARGIN));
    shape[0] = floor_shape;
    pose_at(0, still, 0, 0, 0);
    TEST_ASSERT_EQUAL_INT(TC_ERR_UNSUPPORTED, find(MARGIN));
}

void suite_meet_contact(void)
{
    RUN_TEST(test_a_box_stands_on_its_corners);
    RUN_TEST(test_an_edge_and_a_corner_of_a_box_touch);
    RUN_TEST(test_round_shapes_touch);
    RUN_TEST(test_faces_overlap_in_a_polygon);
    RUN_TEST(test_crossed_boxes_touch_in_a_square);
    RUN_TEST(test_features_stay_while_bodies_slide);
    RUN_TEST(test_features_name_corners);
    RUN_TEST(test_each_tread_is_a_plane);
    RUN_TEST(test_a_seam_is_no_contact);
    RUN_TEST(test_unions_have_their_distance);
    RUN_TEST(test_what_does_not_fit_is_noted);
    RUN_TEST(test_a_box_stands_on_terrain);
    RUN_TEST(test_a_bump_is_a_contact);
    RUN_TEST(test_a_grid_stands_on_its_points);
    RUN_TEST(test_the_deepest_contact_is_the_distance);
    RUN_TEST(test_any_depth_has_contacts);
    RUN_TEST(test_sides_may_change);
    RUN_TEST(test_golden_contacts);
    RUN_TEST(test_contact_faults_are_named);
}
