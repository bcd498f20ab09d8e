/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact list and the reduction: a list holds what detectors found and nothing else is
 * written; a pair out of it is the detector's patch, bit for bit, and solvers answer it with the
 * same bits; a reduced patch reaches as far as all contacts.
 */
#include "test_rigid.h"

#include "learned2_case.h"
#include "learned3_case.h"

#include <stddef.h>

#ifdef __arm__
#define CONTACT_ROUNDS 30u
#else
#define CONTACT_ROUNDS 3000u
#endif

#define EDGE 3u /* elements before and after what a list is given */
#define ROOM_PAIRS 4u
#define ROOM_CONTACTS 28u
#define UNTOUCHED 0xa5
#define POINTS 64u

static const tc_contact_between between[3] = {
    {{7, TC_CONTACT_WORLD}, 3}, {{7, 9}, 5}, {{0, 1}, 0xffff}};

static tc_contact_pair pairs[ROOM_PAIRS + 2 * EDGE];
static tc_contact contacts[ROOM_CONTACTS + 2 * EDGE];
static tc_contact_list list;

/* ---- Lists in guarded arrays ----------------------------------------------------------------- */

static void open_list(size_t pairs_max, size_t contacts_max)
{
    memset(pairs, UNTOUCHED, sizeof pairs);
    memset(contacts, UNTOUCHED, sizeof contacts);
    memset(&list, UNTOUCHED, sizeof list);
    TEST_ASSERT_EQUAL(
        TC_OK, tc_contact_list_init(&list, pairs + EDGE, pairs_max, contacts + EDGE, contacts_max));
    TEST_ASSERT_TRUE(list.pairs == 0 && list.contacts == 0 && list.dropped == 0);
}

static void check_bytes(const void *from, const void *to)
{
    for (const uint8_t *at = from; at != to; ++at) {
        TEST_ASSERT_EQUAL(UNTOUCHED, *at);
    }
}

/* All that is not in use is as it was. */
static void check_guards(void)
{
    check_bytes(pairs, pairs + EDGE);
    check_bytes(pairs + EDGE + list.pairs, pairs + TC_COUNT(pairs));
    check_bytes(contacts, contacts + EDGE);
    check_bytes(contacts + EDGE + list.contacts, contacts + TC_COUNT(contacts));
}

static void check_between(const tc_contact_between *expected, uint32_t k)
{
    const tc_contact_between *const is = &list.pair[k].between;
    TEST_ASSERT_TRUE(is->body[0] == expected->body[0] && is->body[1] == expected->body[1]);
    TEST_ASSERT_EQUAL(expected->material, is->material);
}

static void expect_patch3(uint32_t k, const tc_patch3 *expected)
{
    tc_patch3 patch;
    memset(&patch, UNTOUCHED, sizeof patch);
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_patch3(&list, k, &patch));
    TEST_ASSERT_EQUAL_MEMORY(expected, &patch, sizeof patch);
}

static void expect_patch2(uint32_t k, const tc_patch2 *expected)
{
    tc_patch2 patch;
    memset(&patch, UNTOUCHED, sizeof patch);
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_patch2(&list, k, &patch));
    TEST_ASSERT_EQUAL_MEMORY(expected, &patch, sizeof patch);
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

static tc_real vertices[3 * POINTS];

/* Corners of a ball, some of them on a prism's two faces */
static void random_shape3(tc_shape3 *shape)
{
    const int prism = test_below(2) != 0u;
    shape->vertices = vertices;
    shape->count = 1 + test_below(20);
    shape->radius = test_below(2) ? 0 : test_uniform(0, TC_C(0.2));
    for (uint32_t i = 0; i < shape->count; ++i) {
        test_fill(vertices + 3 * i, 3, -1, 1);
        if (prism) {
            vertices[3 * i + 2] = i % 2 ? TC_C(0.5) : TC_C(-0.5);
        }
    }
}

static void random_pose3(tc_body3_state *state, tc_plane3 *plane)
{
    tc_real q[4] = {1, 0, 0, 0};
    memset(state, 0, sizeof *state);
    memcpy(state->orientation, q, sizeof q);
    state->position[2] = test_uniform(TC_C(-0.2), 1);
    plane->normal[0] = plane->normal[1] = 0;
    plane->normal[2] = 1;
    plane->offset = 0;
    if (test_below(3)) {
        random_quaternion(q);
        turn(q, plane->normal, plane->normal);
        turn_state(q, state);
    }
    if (test_below(2)) {
        random_quaternion(state->orientation);
    }
}

static void random_scene2(tc_shape2 *shape, tc_body2_state *state, tc_plane2 *plane)
{
    const tc_real angle = test_uniform(-3, 3), start = test_uniform(0, 6);
    shape->vertices = vertices;
    shape->count = 1 + test_below(12);
    shape->radius = test_below(2) ? 0 : test_uniform(0, TC_C(0.2));
    for (uint32_t i = 0; i < shape->count; ++i) {
        const tc_real at = start + TC_C(6.283185307) * (tc_real)i / (tc_real)shape->count;
        vertices[2 * i] = tc_cos(at);
        vertices[2 * i + 1] = tc_sin(at) / 2;
    }
    plane->normal[0] = test_below(3) ? tc_cos(angle) : 0;
    plane->normal[1] = plane->normal[0] == 0 ? 1 : tc_sin(angle);
    plane->offset = test_uniform(-1, 1);
    memset(state, 0, sizeof *state);
    test_fill(state->position, 3, -1, 1);
}

/* ---- A list is its patches ------------------------------------------------------------------- */

static void test_pair_is_the_detectors_patch3(void)
{
    uint32_t seen[TC_PATCH_MAX + 1u] = {0};
    test_seed(1201);
    for (uint32_t round = 0; round < CONTACT_ROUNDS; ++round) {
        tc_patch3 found[3];
        uint32_t added = 0;
        open_list(3, TC_CONTACT_LIST3_MAX(3u));
        for (uint32_t k = 0; k < 3; ++k) {
            tc_shape3 shape;
            tc_body3_state state;
            tc_plane3 plane;
            random_shape3(&shape);
            random_pose3(&state, &plane);
            const tc_real margin = test_uniform(TC_C(-0.5), TC_C(0.5));
            TEST_ASSERT_EQUAL(TC_OK, tc_detect3(&shape, &state, &plane, margin, &found[added]));
            TEST_ASSERT_EQUAL(
                TC_OK, tc_detect3_list(&shape, &state, &plane, margin, &between[added], &list));
            ++seen[found[added].count];
            added += found[added].count > 0u;
            TEST_ASSERT_EQUAL(added, list.pairs);
        }
        for (uint32_t k = 0; k < added; ++k) {
            expect_patch3(k, &found[k]);
            check_between(&between[k], k);
            TEST_ASSERT_EQUAL(k == 0u ? 0 : list.pair[k - 1u].first + list.pair[k - 1u].count,
                              list.pair[k].first);
        }
        TEST_ASSERT_EQUAL(0, list.dropped);
        check_guards();
    }
    for (uint32_t n = 0; n <= 4u; ++n) {
        TEST_ASSERT_TRUE(seen[n] > CONTACT_ROUNDS / 10u); /* none, points, edges, faces */
    }
}

static void test_pair_is_the_detectors_patch2(void)
{
    uint32_t seen[3] = {0};
    test_seed(1202);
    for (uint32_t round = 0; round < CONTACT_ROUNDS; ++round) {
        tc_patch2 found[3];
        uint32_t added = 0;
        open_list(3, TC_CONTACT_LIST2_MAX(3u));
        for (uint32_t k = 0; k < 3; ++k) {
            tc_shape2 shape;
            tc_body2_state state;
            tc_plane2 plane;
            random_scene2(&shape, &state, &plane);
            const tc_real margin = test_uniform(TC_C(-0.5), TC_C(0.5));
            TEST_ASSERT_EQUAL(TC_OK, tc_detect2(&shape, &state, &plane, margin, &found[added]));
            TEST_ASSERT_EQUAL(
                TC_OK, tc_detect2_list(&shape, &state, &plane, margin, &between[added], &list));
            ++seen[found[added].count];
            added += found[added].count > 0u;
            TEST_ASSERT_EQUAL(added, list.pairs);
        }
        for (uint32_t k = 0; k < added; ++k) {
            expect_patch2(k, &found[k]);
            check_between(&between[k], k);
        }
        check_guards();
    }
    TEST_ASSERT_TRUE(seen[0] > CONTACT_ROUNDS / 10u && seen[1] > CONTACT_ROUNDS / 10u
                     && seen[2] > CONTACT_ROUNDS);
}

/* A planar pair read in space moves the body as it does in the plane, and a pair of space is none
 * of the plane. */
static void test_planar_pair_in_space(void)
{
    test_seed(1203);
    for (uint32_t round = 0; round < CONTACT_ROUNDS; ++round) {
        tc_shape2 shape;
        tc_body2_state state;
        tc_plane2 plane;
        tc_patch2 flat;
        tc_patch3 patch;
        tc_real n2[6], f2[3], n3[12], f3[18];
        random_scene2(&shape, &state, &plane);
        open_list(1, TC_CONTACT_LIST2_MAX(1u));
        TEST_ASSERT_EQUAL(TC_OK, tc_detect2_list(&shape, &state, &plane, 3, &between[0], &list));
        TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_patch2(&list, 0, &flat));
        TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_patch3(&list, 0, &patch));
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_check(&patch));
        TEST_ASSERT_EQUAL(TC_OK, tc_patch2_rows(&flat, n2, f2));
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_rows(&patch, n3, f3));
        for (uint32_t i = 0; i < flat.count; ++i) {
            const tc_real row[6] = {n2[3 * i], n2[3 * i + 1], 0, 0, 0, n2[3 * i + 2]};
            for (uint32_t c = 0; c < 6; ++c) {
                test_near(row[c], n3[6 * i + c], 8 * TC_EPSILON, 0, "normal row");
            }
        }
        const tc_real row[6] = {f2[0], f2[1], 0, 0, 0, f2[2]};
        for (uint32_t c = 0; c < 6; ++c) {
            test_near(row[c], f3[c], 8 * TC_EPSILON, 0, "friction row");
        }
    }
    for (uint32_t bent = 0; bent < 5; ++bent) { /* each thing that is not of the plane z = 0 */
        tc_patch2 flat;
        tc_contact *const at = contacts + EDGE;
        const tc_shape2 wide = {vertices, 2, 0};
        const tc_body2_state here = {{0, 0, 0}, {0}};
        const tc_plane2 ground = {{0, 1}, 0};
        memcpy(vertices, (const tc_real[4]){-1, 0, 1, 0}, 4 * sizeof *vertices);
        open_list(1, 3);
        TEST_ASSERT_EQUAL(TC_OK, tc_detect2_list(&wide, &here, &ground, 1, &between[0], &list));
        TEST_ASSERT_EQUAL(2, list.contacts);
        tc_real *const number[5] = {&pairs[EDGE].frame[1][2], &pairs[EDGE].frame[2][2],
                                    &at[0].arm[1], &at[1].arm[1], &at[1].arm[2]};
        *number[bent] += TC_C(0.5);
        memset(&flat, UNTOUCHED, sizeof flat);
        TEST_ASSERT_EQUAL(TC_ERR_UNSUPPORTED, tc_contact_list_patch2(&list, 0, &flat));
        TEST_ASSERT_EQUAL_MEMORY(&(tc_patch2){0}, &flat, sizeof flat);
    }
}

/* ---- Room ------------------------------------------------------------------------------------ */

static void box(tc_real x, tc_real y, tc_real z)
{
    for (uint32_t i = 0; i < 8; ++i) {
        vertices[3 * i] = i & 1u ? x : -x;
        vertices[3 * i + 1] = i & 2u ? y : -y;
        vertices[3 * i + 2] = i & 4u ? z : -z;
    }
}

/* A box leans on two planes with a face and an edge, and a corner is near a third. Every room from
 * none on: a pair is in the list whole or counted, and a smaller pair still finds the room that a
 * larger one did not. */
static void test_room_cut_at_each_size(void)
{
    static const tc_plane3 plane[3] = {
        {{0, 0, 1}, 0}, {{TC_C(0.6), 0, TC_C(0.8)}, 0}, {{TC_C(0.48), TC_C(0.6), TC_C(0.64)}, 0}};
    static const uint32_t size[3] = {4, 2, 1};
    const tc_shape3 shape = {vertices, 8, 0};
    tc_patch3 found[3];
    box(1, 1, 1);
    for (uint32_t pairs_max = 0; pairs_max <= ROOM_PAIRS; ++pairs_max) {
        for (uint32_t contacts_max = 0; contacts_max <= 9; ++contacts_max) {
            uint32_t in = 0, room = contacts_max, dropped = 0, expected[3];
            open_list(pairs_max, contacts_max);
            for (uint32_t k = 0; k < 3; ++k) {
                const tc_body3_state state = {{0, 0, 0}, {1, 0, 0, 0}, {0}};
                const tc_real least =
                    -(plane[k].normal[0] + plane[k].normal[1] + plane[k].normal[2]);
                const int fits = in < pairs_max && size[k] <= room;
                const tc_status status = tc_detect3_list(&shape, &state, &plane[k],
                                                         least + TC_C(0.1), &between[k], &list);
                TEST_ASSERT_EQUAL(
                    TC_OK, tc_detect3(&shape, &state, &plane[k], least + TC_C(0.1), &found[k]));
                TEST_ASSERT_EQUAL(size[k], found[k].count);
                TEST_ASSERT_EQUAL(fits ? TC_OK : TC_ERR_WORK, status);
                dropped += fits ? 0 : size[k];
                room -= fits ? size[k] : 0;
                expected[in] = k;
                in += fits ? 1u : 0u;
            }
            TEST_ASSERT_EQUAL(in, list.pairs);
            TEST_ASSERT_EQUAL(contacts_max - room, list.contacts);
            TEST_ASSERT_EQUAL(dropped, list.dropped);
            for (uint32_t k = 0; k < in; ++k) {
                expect_patch3(k, &found[expected[k]]);
                check_between(&between[expected[k]], k);
            }
            check_guards();
        }
    }
}

static void test_dropped_stays_at_its_end(void)
{
    const tc_patch2 patch = {.count = 2, .normal = {0, 1}, .lever = {-1, 1}};
    open_list(0, 0);
    list.dropped = 0xfffc;
    for (uint32_t i = 0; i < 3; ++i) {
        TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_contact_list_add2(&between[0], &patch, &list));
        TEST_ASSERT_EQUAL(i == 0 ? 0xfffe : 0xffff, list.dropped);
    }
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_reset(&list));
    TEST_ASSERT_EQUAL(0, list.dropped);
}

/* Refilled after a reset: what the list held is gone, a patch taken before stays. */
static void test_reset_empties(void)
{
    const tc_patch2 first = {.count = 1, .normal = {0, 1}, .vertex = {5}},
                    second = {.count = 1, .normal = {1, 0}};
    tc_patch2 patch;
    open_list(2, 2);
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_add2(&between[0], &first, &list));
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_add2(&between[1], &first, &list));
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_patch2(&list, 1, &patch));
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_reset(&list));
    TEST_ASSERT_TRUE(list.pairs == 0 && list.contacts == 0);
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_add2(&between[2], &second, &list));
    expect_patch2(0, &second);
    TEST_ASSERT_EQUAL_MEMORY(&first, &patch, sizeof first);
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_contact_list_patch2(&list, 1, &patch));
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_add2(&between[1], &first, &list));
    expect_patch2(1, &first);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void test_lists_refused(void)
{
    static tc_contact_list none;
    tc_contact_pair *const p = pairs;
    tc_contact *const c = contacts;
    open_list(1, 1);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_init(NULL, p, 1, c, 1));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_init(&list, NULL, 1, c, 1));
    TEST_ASSERT_EQUAL_MEMORY(&none, &list, sizeof none);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_init(&list, p, 1, NULL, 1));
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_init(&list, NULL, 0, NULL, 0));
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_contact_list_init(&list, p, TC_CONTACT_LIST_MAX, c, TC_CONTACT_LIST_MAX));
    memset(&list, UNTOUCHED, sizeof list);
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_contact_list_init(&list, p, TC_CONTACT_LIST_MAX + 1u, c, 1));
    TEST_ASSERT_EQUAL_MEMORY(&none, &list, sizeof none);
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_contact_list_init(&list, p, 1, c, TC_CONTACT_LIST_MAX + 1u));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_contact_list_init(&list, (void *)((char *)p + 2), 1, c, 1));
    TEST_ASSERT_EQUAL(TC_ERR_ALIGN, tc_contact_list_init(&list, p, 1, (void *)((char *)c + 2), 1));
    TEST_ASSERT_EQUAL_MEMORY(&none, &list, sizeof none);
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_reset(NULL));
}

/* Every null, and each number that is none: the list stays as it was. */
static void test_additions_refused(void)
{
    const tc_patch2 good2 = {.count = 2, .normal = {0, 1}, .lever = {-1, 1}, .height = 1};
    const tc_patch3 good3 = {.count = 2,
                             .dimension = 1,
                             .frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                             .arm = {{-1, 0, -1}, {1, 0, -1}}};
    tc_contact_list before;
    open_list(2, 8);
    before = list;
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_add2(NULL, &good2, &list));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_add2(&between[0], NULL, &list));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_add2(&between[0], &good2, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_add3(NULL, &good3, &list));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_add3(&between[0], NULL, &list));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_add3(&between[0], &good3, NULL));
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_add2(&between[0], &(tc_patch2){0}, &list));
    TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_add3(&between[0], &(tc_patch3){0}, &list));
    for (uint32_t slot = 0; slot < 7; ++slot) {
        tc_patch2 torn = good2;
        tc_real *const number[7] = {torn.normal,  torn.normal + 1, torn.lever,  torn.lever + 1,
                                    &torn.height, torn.gap,        torn.gap + 1};
        *number[slot] = rigid_nan();
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_contact_list_add2(&between[0], &torn, &list));
    }
    for (uint32_t slot = 0; slot < 17; ++slot) {
        tc_patch3 torn = good3;
        *(slot < 9    ? &torn.frame[slot / 3][slot % 3]
          : slot < 15 ? &torn.arm[(slot - 9) / 3][slot % 3]
                      : &torn.gap[slot - 15]) = rigid_infinity();
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE, tc_contact_list_add3(&between[0], &torn, &list));
    }
    tc_patch3 odd = good3;
    odd.count = TC_PATCH_MAX + 1u;
    TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_contact_list_add3(&between[0], &odd, &list));
    odd = good3;
    odd.frame[2][2] = -1;
    TEST_ASSERT_EQUAL(TC_ERR_UNIT, tc_contact_list_add3(&between[0], &odd, &list));
    tc_patch2 turned = good2;
    turned.lever[0] = 2;
    TEST_ASSERT_EQUAL(TC_ERR_PATCH, tc_contact_list_add2(&between[0], &turned, &list));
    TEST_ASSERT_EQUAL_MEMORY(&before, &list, sizeof before);
    check_guards();
}

static void test_detections_refused(void)
{
    const tc_shape3 solid = {vertices, 8, 0};
    const tc_shape2 flat = {vertices, 1, 0};
    const tc_plane3 floor_z = {{0, 0, 1}, 0};
    const tc_plane2 floor_y = {{0, 1}, 0};
    const tc_body2_state here = {{0, 0, 0}, {0}};
    tc_contact_list before;
    box(1, 1, 1);
    open_list(2, 8);
    before = list;
    for (uint32_t slot = 0; slot < 11; ++slot) {
        tc_body3_state torn = {{0, 0, 0}, {1, 0, 0, 0}, {0}};
        tc_plane3 bent = floor_z;
        tc_real *const slots[4] = {&torn.position[slot % 3], &torn.orientation[slot % 4],
                                   &bent.normal[slot % 3], &bent.offset};
        *slots[slot < 3 ? 0 : slot < 7 ? 1 : slot < 10 ? 2 : 3] = rigid_nan();
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                          tc_detect3_list(&solid, &torn, &bent, 0, &between[0], &list));
    }
    for (uint32_t slot = 0; slot < 6; ++slot) {
        tc_body2_state torn = here;
        tc_plane2 bent = floor_y;
        *(slot < 3   ? &torn.position[slot]
          : slot < 5 ? &bent.normal[slot - 3]
                     : &bent.offset) = rigid_nan();
        TEST_ASSERT_EQUAL(TC_ERR_NOT_FINITE,
                          tc_detect2_list(&flat, &torn, &bent, 0, &between[0], &list));
    }
    const tc_body3_state there = {{0, 0, 0}, {1, 0, 0, 0}, {0}};
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect3_list(NULL, &there, &floor_z, 0, &between[0], &list));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect3_list(&solid, &there, &floor_z, 0, NULL, &list));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect3_list(&solid, &there, &floor_z, 0, &between[0], NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect2_list(NULL, &here, &floor_y, 0, &between[0], &list));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect2_list(&flat, &here, &floor_y, 1, NULL, &list));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_detect2_list(&flat, &here, &floor_y, 1, &between[0], NULL));
    TEST_ASSERT_EQUAL_MEMORY(&before, &list, sizeof before);
    check_guards();
}

/* Pairs that are not there, and counters that something wrote over */
static void test_views_refused(void)
{
    const tc_patch3 none3 = {0};
    const tc_patch2 none2 = {0}, flat = {.count = 2, .normal = {0, 1}, .lever = {-1, 1}};
    for (uint32_t torn = 0; torn < 5; ++torn) {
        tc_patch3 patch3;
        tc_patch2 patch2;
        open_list(2, 8);
        TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_add2(&between[0], &flat, &list));
        list.pair[0].count = (uint16_t)(torn == 1u ? 0u : torn == 2u ? TC_PATCH_MAX + 1u : 2u);
        list.pair[0].first = torn == 3u ? 1 : 0;
        list.contacts = torn == 2u ? 9 : 2;
        list.pairs = torn == 4u ? 0 : 1;
        memset(&patch3, UNTOUCHED, sizeof patch3);
        memset(&patch2, UNTOUCHED, sizeof patch2);
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_contact_list_patch3(&list, torn == 0u, &patch3));
        TEST_ASSERT_EQUAL(TC_ERR_SIZE, tc_contact_list_patch2(&list, torn == 0u, &patch2));
        TEST_ASSERT_EQUAL_MEMORY(&none3, &patch3, sizeof none3);
        TEST_ASSERT_EQUAL_MEMORY(&none2, &patch2, sizeof none2);
    }
    tc_patch3 patch3 = {.count = 1};
    tc_patch2 patch2 = {.count = 1};
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_patch3(&list, 0, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_patch2(&list, 0, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_patch3(NULL, 0, &patch3));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_contact_list_patch2(NULL, 0, &patch2));
    TEST_ASSERT_TRUE(patch3.count == 0 && patch2.count == 0);
    open_list(1, 4);
    list.pairs = 1; /* full, by its counters */
    list.contacts = 4;
    TEST_ASSERT_EQUAL(TC_ERR_WORK, tc_contact_list_add2(&between[0], &flat, &list));
    check_bytes(pairs, pairs + TC_COUNT(pairs));
    check_bytes(contacts, contacts + TC_COUNT(contacts));
}

/* ---- Reduction ------------------------------------------------------------------------------- */

static tc_real points[3 * POINTS];

/* n contacts anywhere, on a line, on a ring or in one place, at different heights; all places a
 * multiple of 1/64 m, where products do not round */
static void random_points(uint32_t n)
{
    const uint32_t kind = test_below(4);
    const tc_real x = (tc_real)test_below(64) / 64, y = (tc_real)test_below(64) / 64;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real angle = test_uniform(0, 6), along = (tc_real)test_below(128) / 64 - 1;
        points[3 * i] = kind == 0   ? (tc_real)test_below(128) / 64 - x
                        : kind == 1 ? along
                        : kind == 2 ? (tc_real)(int32_t)(100 * tc_cos(angle)) / 64
                                    : x;
        points[3 * i + 1] = kind == 0   ? (tc_real)test_below(128) / 64 - y
                            : kind == 1 ? 2 * along + y
                            : kind == 2 ? (tc_real)(int32_t)(100 * tc_sin(angle)) / 64
                                        : y;
        points[3 * i + 2] = (tc_real)test_below(16) / 64;
    }
}

/* The same points as a body's vertices, found by a detector: the same patch, frame aside. */
static void test_reduction_is_the_detectors(void)
{
    uint32_t larger = 0;
    test_seed(1204);
    for (uint32_t round = 0; round < CONTACT_ROUNDS; ++round) {
        const uint32_t n = 1 + test_below(POINTS);
        tc_real q[4], frame[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const tc_real height = (tc_real)test_below(64) / 16 - 1,
                      margin = (tc_real)test_below(20) / 64;
        tc_patch3 patch, found;
        random_points(n);
        memcpy(vertices, points, sizeof points);
        for (uint32_t i = 0; i < n; ++i) {
            vertices[3 * i + 2] -= height;
        }
        const tc_shape3 shape = {vertices, n, 0};
        const tc_body3_state state = {{0, 0, height}, {1, 0, 0, 0}, {0}};
        const tc_plane3 ground = {{0, 0, 1}, 0};
        TEST_ASSERT_EQUAL(TC_OK, tc_detect3(&shape, &state, &ground, margin, &found));
        random_quaternion(q);
        for (uint32_t k = 0; k < 3; ++k) {
            turn(q, frame[k], frame[k]);
        }
        memset(&patch, UNTOUCHED, sizeof patch);
        TEST_ASSERT_EQUAL(
            TC_OK, tc_patch3_reduce(points, n, (const tc_real(*)[3])frame, height, margin, &patch));
        TEST_ASSERT_EQUAL_MEMORY(frame, patch.frame, sizeof frame);
        memcpy(found.frame, frame, sizeof frame);
        TEST_ASSERT_EQUAL(found.count, patch.count);
        for (uint32_t i = 0; i < patch.count; ++i) {
            TEST_ASSERT_EQUAL(found.vertex[i], patch.vertex[i]);
            for (uint32_t c = 0; c < 3; ++c) {
                TEST_ASSERT_TRUE(found.arm[i][c] == patch.arm[i][c]);
            }
            TEST_ASSERT_TRUE(found.gap[i] == patch.gap[i] && patch.gap[i] < margin);
            TEST_ASSERT_TRUE(patch.gap[i] == points[3 * patch.vertex[i] + 2]);
            TEST_ASSERT_TRUE(patch.arm[i][0] == points[3 * patch.vertex[i]]);
            TEST_ASSERT_TRUE(patch.arm[i][1] == points[3 * patch.vertex[i] + 1]);
        }
        larger += patch.count == TC_PATCH_MAX;
    }
    TEST_ASSERT_TRUE(larger > CONTACT_ROUNDS / 20u);
}

/* The farthest of all contacts in direction (x, y), of a patch's or of all; the lowest number if
 * there are none */
static tc_real support(const tc_real *at, uint32_t stride, uint32_t n, tc_real x, tc_real y,
                       tc_real margin)
{
    tc_real most = -1000;
    for (uint32_t i = 0; i < n; ++i, at += stride) {
        const tc_real along = x * at[0] + y * at[1];
        most = (margin > 999 || at[2] < margin) && along > most ? along : most;
    }
    return most;
}

/* In every direction the patch reaches as far as all contacts below the margin: to the resolution
 * if they have at most eight corners, else short by what eight corners of a round face leave
 * out. */
static void test_reduction_keeps_the_extent(void)
{
    static const tc_real frame[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t checked = 0;
    test_seed(1205);
    for (uint32_t round = 0; round < CONTACT_ROUNDS; ++round) {
        const uint32_t n = 1 + test_below(POINTS);
        const tc_real margin = (tc_real)test_below(20) / 64;
        tc_patch3 patch;
        random_points(n);
        TEST_ASSERT_EQUAL(TC_OK, tc_patch3_reduce(points, n, frame, TC_C(0.5), margin, &patch));
        for (uint32_t k = 0; k < 32 && patch.count > 0u; ++k) {
            const tc_real angle = TC_C(0.19634954) * (tc_real)k, x = tc_cos(angle),
                          y = tc_sin(angle);
            const tc_real all = support(points, 3, n, x, y, margin),
                          kept = support(patch.arm[0], 3, patch.count, x, y, 1000);
            TEST_ASSERT_TRUE(kept <= all + TC_C(1e-5));
            TEST_ASSERT_TRUE(kept >= all - (patch.count < TC_PATCH_MAX ? TC_C(2e-4) : TC_C(0.25)));
            ++checked;
        }
        TEST_ASSERT_EQUAL(support(points, 3, n, 1, 0, margin) > -1000, patch.count > 0u);
        if (patch.count > 0u) {
            TEST_ASSERT_EQUAL(TC_OK, tc_patch3_check(&patch));
        }
    }
    TEST_ASSERT_TRUE(checked > 16 * CONTACT_ROUNDS);
}

/* In the plane: the two ends, the lower of contacts in one place */
static void test_planar_reduction_keeps_the_ends(void)
{
    uint32_t edges = 0;
    test_seed(1206);
    for (uint32_t round = 0; round < CONTACT_ROUNDS; ++round) {
        const uint32_t n = 1 + test_below(POINTS), spread = 1 + test_below(128);
        const tc_real angle = test_uniform(-3, 3), normal[2] = {tc_sin(angle), tc_cos(angle)};
        const tc_real margin = (tc_real)test_below(20) / 64, height = test_uniform(-1, 1);
        tc_real low = 1000, high = -1000, least[2] = {1000, 1000};
        tc_patch2 patch;
        for (uint32_t i = 0; i < n; ++i) {
            points[2 * i] = (tc_real)test_below(spread) / 64 - 1;
            points[2 * i + 1] = (tc_real)test_below(16) / 64;
            if (points[2 * i + 1] < margin) {
                low = points[2 * i] < low ? points[2 * i] : low;
                high = points[2 * i] > high ? points[2 * i] : high;
            }
        }
        for (uint32_t i = 0; i < n; ++i) {
            const tc_real gap = points[2 * i + 1];
            least[0] = points[2 * i] == low && gap < least[0] ? gap : least[0];
            least[1] = points[2 * i] == high && gap < least[1] ? gap : least[1];
        }
        memset(&patch, UNTOUCHED, sizeof patch);
        TEST_ASSERT_EQUAL(TC_OK, tc_patch2_reduce(points, n, normal, height, margin, &patch));
        TEST_ASSERT_EQUAL(low > high ? 0 : low < high ? 2 : 1, patch.count);
        TEST_ASSERT_TRUE(patch.height == height && patch.normal[0] == normal[0]
                         && patch.normal[1] == normal[1]);
        for (uint32_t i = 0; i < patch.count; ++i) {
            TEST_ASSERT_TRUE(patch.lever[i] == (i == 0u ? low : high) && patch.gap[i] == least[i]);
            TEST_ASSERT_TRUE(points[2 * patch.vertex[i]] == patch.lever[i]
                             && points[2 * patch.vertex[i] + 1] == patch.gap[i]);
        }
        edges += patch.count == 2u;
    }
    TEST_ASSERT_TRUE(edges > CONTACT_ROUNDS / 2u);
}

static void expect_reduce3(tc_status expected, uint32_t n, const tc_real frame[3][3],
                           tc_real height, tc_real margin)
{
    const tc_patch3 none = {0};
    tc_patch3 patch;
    memset(&patch, UNTOUCHED, sizeof patch);
    TEST_ASSERT_EQUAL(expected, tc_patch3_reduce(points, n, frame, height, margin, &patch));
    TEST_ASSERT_EQUAL_MEMORY(&none, &patch, sizeof none);
}

static void expect_reduce2(tc_status expected, uint32_t n, const tc_real *normal, tc_real height,
                           tc_real margin)
{
    const tc_patch2 none = {0};
    tc_patch2 patch;
    memset(&patch, UNTOUCHED, sizeof patch);
    TEST_ASSERT_EQUAL(expected, tc_patch2_reduce(points, n, normal, height, margin, &patch));
    TEST_ASSERT_EQUAL_MEMORY(&none, &patch, sizeof none);
}

static void test_reductions_refused(void)
{
    static const tc_real upright[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         left[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    static const tc_real up[2] = {0, 1}, two[2] = {0, 2};
    tc_patch3 patch3;
    tc_patch2 patch2;
    test_seed(1207);
    random_points(4);
    TEST_ASSERT_EQUAL(TC_OK, tc_patch3_reduce(points, 4, upright, 1, 1, &patch3));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch3_reduce(points, 4, upright, 1, 1, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch3_reduce(NULL, 4, upright, 1, 1, &patch3));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch2_reduce(points, 4, up, 1, 1, NULL));
    TEST_ASSERT_EQUAL(TC_ERR_NULL, tc_patch2_reduce(NULL, 4, up, 1, 1, &patch2));
    TEST_ASSERT_TRUE(patch3.count == 0);
    expect_reduce3(TC_ERR_NULL, 4, NULL, 1, 1);
    expect_reduce2(TC_ERR_NULL, 4, NULL, 1, 1);
    expect_reduce3(TC_ERR_SIZE, 0, upright, 1, 1);
    expect_reduce3(TC_ERR_SIZE, POINTS + 1u, upright, 1, 1);
    expect_reduce2(TC_ERR_SIZE, 0, up, 1, 1);
    expect_reduce2(TC_ERR_SIZE, POINTS + 1u, up, 1, 1);
    expect_reduce3(TC_ERR_UNIT, 4, left, 1, 1);
    expect_reduce2(TC_ERR_UNIT, 4, two, 1, 1);
    expect_reduce3(TC_ERR_RANGE, 4, upright, TC_C(-1.1e6), 1);
    expect_reduce2(TC_ERR_RANGE, 4, up, TC_C(1.1e6), 1);
    expect_reduce3(TC_ERR_NOT_FINITE, 4, upright, rigid_nan(), 1);
    expect_reduce3(TC_ERR_NOT_FINITE, 4, upright, 1, rigid_infinity());
    expect_reduce2(TC_ERR_NOT_FINITE, 4, up, rigid_nan(), 1);
    expect_reduce2(TC_ERR_NOT_FINITE, 4, up, 1, rigid_infinity());
    for (uint32_t slot = 0; slot < 9; ++slot) {
        tc_real torn[3][3];
        memcpy(torn, upright, sizeof torn);
        torn[slot / 3][slot % 3] = rigid_nan();
        expect_reduce3(TC_ERR_NOT_FINITE, 4, (const tc_real(*)[3])torn, 1, 1);
    }
    for (uint32_t slot = 0; slot < 12; ++slot) {
        const tc_real was = points[slot];
        points[slot] = rigid_nan();
        expect_reduce3(TC_ERR_NOT_FINITE, 4, upright, 1, 1);
        expect_reduce2(slot < 8 ? TC_ERR_NOT_FINITE : TC_ERR_RANGE, 4, up, slot < 8 ? 1 : TC_C(2e6),
                       1);
        points[slot] = TC_C(-1.1e6);
        expect_reduce3(TC_ERR_RANGE, 4, upright, 1, 1);
        points[slot] = was;
    }
}

/* ---- Solvers --------------------------------------------------------------------------------- */

static tc_real work[TC_LIMB3_MECHANISM_WORK(TC_PAIR3_RATES, 0u)], matrices[TC_PAIR3_STATE];

/* What each solver in space makes of a patch, as one hash */
static uint32_t solved3(const tc_patch3 *patch, const tc_body3 *body, const tc_body3_state *state,
                        const tc_learned3_model *law)
{
    static const tc_body3 ground = {1000, {1000, 1000, 1000}};
    static const tc_body3_state rest = {{0, 0, -1}, {1, 0, 0, 0}, {0}};
    const tc_learned3_sweeps sweeps = tc_learned3_sweeps_default();
    tc_learned3_problem problem;
    tc_learned3_result result;
    tc_limb3_mechanism mechanism;
    tc_limb3_info info;
    tc_foot3 foot;
    tc_real rates[TC_PAIR3_RATES];
    TEST_ASSERT_EQUAL(TC_OK, tc_learned3_problem_init(&problem, patch, body, state, patch->gap));
    TEST_ASSERT_TRUE(tc_learned3_solve(law, &sweeps, &problem, NULL, &result, work, TC_COUNT(work))
                     >= TC_OK);
    const tc_pair3 pair = {{body, &ground}, {state, &rest}, NULL};
    TEST_ASSERT_EQUAL(TC_OK, tc_foot3_init(&foot, body, TC_C(0.01), law));
    TEST_ASSERT_EQUAL(TC_OK, tc_pair3_mechanism(&pair, &mechanism, matrices, TC_COUNT(matrices)));
    TEST_ASSERT_TRUE(tc_limb3_mechanism_solve(&foot, &mechanism, patch, 1, NULL, rates, &info, work,
                                              TC_COUNT(work))
                     >= TC_OK);
    uint32_t hash = test_hash(TEST_HASH_START, result.impulse, 6);
    hash = test_hash(test_hash(hash, result.velocity, 6), result.normal, patch->count);
    TEST_ASSERT_TRUE(result.impulse[2] > 0);
    return test_hash(test_hash(hash, rates, TC_PAIR3_RATES), info.contact.impulse, 6);
}

/* A box goes into a corner of floor and wall: two detections, two pairs, each posed to the
 * solvers. */
static void test_pairs_posed_in_space(void)
{
    static const double mu = 0.4;
    static const tc_plane3 plane[2] = {{{0, 0, 1}, 0}, {{-1, 0, 0}, TC_C(-0.25)}};
    const tc_body3 body = {2, {TC_C(0.02), TC_C(0.025), TC_C(0.03)}};
    const tc_shape3 shape = {vertices, 8, 0};
    const tc_learned3_model law = learned3_coulomb_law(&mu);
    uint32_t corners = 0;
    test_seed(1208);
    box(TC_C(0.125), TC_C(0.1), TC_C(0.0625));
    for (uint32_t round = 0; round < CONTACT_ROUNDS / 10u; ++round) {
        tc_body3_state state = {{TC_C(0.125), 0, TC_C(0.0625)}, {1, 0, 0, 0}, {2, 0, -2, 0, 0, 0}};
        tc_patch3 found[2];
        if (round % 2u) {
            random_quaternion(state.orientation);
            state.position[0] = TC_C(0.2);
        }
        test_fill(state.velocity + 3, 3, TC_C(-0.5), TC_C(0.5));
        open_list(2, TC_CONTACT_LIST3_MAX(2u));
        for (uint32_t k = 0; k < 2; ++k) {
            TEST_ASSERT_EQUAL(TC_OK, tc_detect3(&shape, &state, &plane[k], TC_C(0.01), &found[k]));
            TEST_ASSERT_EQUAL(
                TC_OK, tc_detect3_list(&shape, &state, &plane[k], TC_C(0.01), &between[k], &list));
        }
        if (found[0].count == 0u || found[1].count == 0u) {
            continue;
        }
        TEST_ASSERT_EQUAL(2, list.pairs);
        for (uint32_t k = 0; k < 2; ++k) {
            tc_patch3 patch;
            TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_patch3(&list, k, &patch));
            TEST_ASSERT_EQUAL_HEX32(solved3(&found[k], &body, &state, &law),
                                    solved3(&patch, &body, &state, &law));
            corners += patch.count;
        }
        check_guards();
    }
    TEST_ASSERT_TRUE(corners > CONTACT_ROUNDS / 4u);
}

static uint32_t solved2(const tc_patch2 *patch, const tc_foot2 *foot, const tc_body2_state *state)
{
    const tc_real *const n = patch->normal, *const v = state->velocity;
    const tc_real local[3] = {n[1] * v[0] - n[0] * v[1], n[0] * v[0] + n[1] * v[1], v[2]};
    tc_learned2_query query;
    tc_learned2_result result;
    tc_foot2_info info;
    tc_real after[3] = {v[0], v[1], v[2]};
    TEST_ASSERT_EQUAL(TC_OK,
                      tc_learned2_query_init(&query, patch, local, foot->gyration, patch->gap));
    TEST_ASSERT_TRUE(tc_learned2_solve(&foot->model, &query, &result, work, TC_COUNT(work))
                     >= TC_OK);
    TEST_ASSERT_TRUE(tc_foot2_respond(foot, patch, after, &info, work, TC_COUNT(work)) >= TC_OK);
    return test_hash(test_hash(test_hash(TEST_HASH_START, result.impulse, 3), result.velocity, 3),
                     after, 3);
}

static void test_pairs_posed_in_the_plane(void)
{
    static const double mu = 0.4;
    static const tc_plane2 plane[2] = {{{0, 1}, 0}, {{-1, 0}, TC_C(-0.25)}};
    const tc_body2 body = {2, TC_C(0.02)};
    const tc_learned2_model law = learned2_coulomb_law(&mu);
    tc_foot2 foot;
    uint32_t corners = 0;
    test_seed(1209);
    memcpy(vertices,
           (const tc_real[8]){TC_C(-0.125), TC_C(-0.0625), TC_C(0.125), TC_C(-0.0625), TC_C(0.125),
                              TC_C(0.0625), TC_C(-0.125), TC_C(0.0625)},
           8 * sizeof *vertices);
    TEST_ASSERT_EQUAL(TC_OK, tc_foot2_init(&foot, &body, TC_C(0.001), &law));
    foot.shape = (tc_shape2){vertices, 4, 0};
    for (uint32_t round = 0; round < CONTACT_ROUNDS / 2u; ++round) {
        tc_body2_state state = {{TC_C(0.125), TC_C(0.0625), 0}, {2, -2, 0}};
        tc_patch2 found[2];
        state.position[2] = round % 2u ? test_uniform(TC_C(-0.1), TC_C(0.1)) : 0;
        state.velocity[2] = test_uniform(-1, 1);
        open_list(2, TC_CONTACT_LIST2_MAX(2u));
        for (uint32_t k = 0; k < 2; ++k) {
            TEST_ASSERT_EQUAL(TC_OK,
                              tc_detect2(&foot.shape, &state, &plane[k], TC_C(0.01), &found[k]));
            TEST_ASSERT_EQUAL(TC_OK, tc_detect2_list(&foot.shape, &state, &plane[k], TC_C(0.01),
                                                     &between[k], &list));
        }
        TEST_ASSERT_EQUAL(2, list.pairs);
        for (uint32_t k = 0; k < 2; ++k) {
            tc_patch2 patch;
            TEST_ASSERT_EQUAL(TC_OK, tc_contact_list_patch2(&list, k, &patch));
            TEST_ASSERT_EQUAL_HEX32(solved2(&found[k], &foot, &state),
                                    solved2(&patch, &foot, &state));
            corners += patch.count;
        }
        check_guards();
    }
    TEST_ASSERT_TRUE(corners > CONTACT_ROUNDS);
}

void suite_contact(void)
{
    RUN_TEST(test_pair_is_the_detectors_patch3);
    RUN_TEST(test_pair_is_the_detectors_patch2);
    RUN_TEST(test_planar_pair_in_space);
    RUN_TEST(test_room_cut_at_each_size);
    RUN_TEST(test_dropped_stays_at_its_end);
    RUN_TEST(test_reset_empties);
    RUN_TEST(test_lists_refused);
    RUN_TEST(test_additions_refused);
    RUN_TEST(test_detections_refused);
    RUN_TEST(test_views_refused);
    RUN_TEST(test_reduction_is_the_detectors);
    RUN_TEST(test_reduction_keeps_the_extent);
    RUN_TEST(test_planar_reduction_keeps_the_ends);
    RUN_TEST(test_reductions_refused);
    RUN_TEST(test_pairs_posed_in_space);
    RUN_TEST(test_pairs_posed_in_the_plane);
}
