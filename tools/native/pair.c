/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts and solves of native_pair. Positions are taken relative to b before they are rounded.
 */
#include "pair.h"

#include <stdlib.h>
#include <string.h>

/* What one solve reads and writes */
typedef struct pair_bench {
    tc_foot3 foot;
    tc_body3 body[2];
    tc_body3_state state[2];
    tc_patch3 patch;
    tc_limb3_info info;
    tc_real matrices[TC_PAIR3_STATE], rates[TC_PAIR3_RATES];
    tc_real *work;
    size_t work_len;
} pair_bench;

static void copy_reals(const double *from, tc_real *to, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        to[k] = (tc_real)from[k];
    }
}

static void copy_doubles(const tc_real *from, double *to, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        to[k] = (double)from[k];
    }
}

static tc_status take_patch(const native_pair_case *from, tc_patch3 *patch)
{
    tc_real points[3u * NATIVE_PAIR_CONTACTS], frame[3][3];
    if (from->count > NATIVE_PAIR_CONTACTS) {
        return TC_ERR_SIZE;
    }
    copy_reals(&from->point[0][0], points, 3u * from->count);
    copy_reals(&from->frame[0][0], &frame[0][0], 9u);
    return tc_patch3_reduce(points, from->count, (const tc_real(*)[3])frame, (tc_real)from->height,
                            (tc_real)from->margin, patch);
}

static void take_sides(const native_pair_case *from, pair_bench *bench)
{
    for (uint32_t side = 0; side < 2u; side++) {
        tc_body3_state *const to = &bench->state[side];
        const double *const at = from->state[side];
        bench->body[side].mass = (tc_real)from->mass[side];
        copy_reals(from->inertia[side], bench->body[side].inertia, 3);
        copy_reals(at, to->position, 3);
        copy_reals(at + 3, to->orientation, 4);
        copy_reals(at + 7, to->velocity, 6);
    }
    bench->foot.body = bench->body[0];
}

static void show_result(const pair_bench *bench, native_pair_row *row)
{
    const tc_foot3_info *const info = &bench->info.contact;
    copy_doubles(bench->rates, row->rates, TC_PAIR3_RATES);
    copy_doubles(info->contact.normal, row->normal, info->count);
    copy_doubles(info->impulse, row->impulse, 6);
    row->class_ = (int32_t)info->contact.branch;
    row->count = info->count;
    memcpy(row->vertex, info->vertex, sizeof row->vertex);
    row->flags = info->contact.flags;
    row->ratios = info->contact.ratios;
    row->classes = info->contact.classes;
    row->consistent = (uint32_t)bench->info.consistent;
}

static tc_status solve_pair(const native_pair_case *from, pair_bench *bench)
{
    const tc_pair3 pair = {
        {&bench->body[0], &bench->body[1]}, {&bench->state[0], &bench->state[1]}, NULL};
    tc_limb3_mechanism mechanism;
    take_sides(from, bench);
    tc_status status = take_patch(from, &bench->patch);
    if (status >= TC_OK) {
        status = tc_pair3_mechanism(&pair, &mechanism, bench->matrices, TC_PAIR3_STATE);
    }
    return status < TC_OK
               ? status
               : tc_limb3_mechanism_solve(&bench->foot, &mechanism, &bench->patch, 0, NULL,
                                          bench->rates, &bench->info, bench->work, bench->work_len);
}

/* ---- Contacts -------------------------------------------------------------------------------- */

static tc_sdf box_of(const double half[3])
{
    const tc_sdf box = TC_SDF_BOX((tc_real)half[0], (tc_real)half[1], (tc_real)half[2], 0);
    return box;
}

static void pose_of(const native_pair_boxes *boxes, uint32_t side, tc_convex_pose *at)
{
    copy_reals(boxes->rotation[side], at->rotation, 9);
    for (uint32_t k = 0; k < 3u; k++) {
        at->position[k] = (tc_real)(boxes->position[side][k] - boxes->position[1][k]);
    }
}

static void show_contacts(const tc_meet_contact *contact, uint32_t found, native_pair_boxes *boxes)
{
    while (boxes->count < found && boxes->count < NATIVE_PAIR_CONTACTS
           && contact[boxes->count].plane == contact[0].plane) {
        const tc_meet_contact *const from = &contact[boxes->count];
        for (uint32_t k = 0; k < 3u; k++) {
            boxes->point[boxes->count][k] = boxes->position[1][k] + (double)from->point[k];
        }
        boxes->gap[boxes->count++] = (double)from->gap;
    }
    if (found > 0u) {
        copy_doubles(contact[0].normal, boxes->normal, 3);
    }
}

void native_pair_contacts(native_pair_boxes *boxes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const tc_sdf a = box_of(boxes[i].half[0]), b = box_of(boxes[i].half[1]);
        tc_meet_contact contact[TC_MEET_CONTACT_MAX];
        tc_convex_pose at[2];
        tc_convex_gap gap;
        uint32_t found = 0;
        pose_of(&boxes[i], 0, &at[0]);
        pose_of(&boxes[i], 1, &at[1]);
        const tc_status status =
            tc_meet_contacts(&a, &at[0], &b, &at[1], (tc_real)boxes[i].margin, contact,
                             TC_COUNT(contact), &found, &gap, NULL, 0);
        boxes[i].status = (int32_t)status;
        boxes[i].count = 0;
        if (status >= TC_OK) {
            show_contacts(contact, found, &boxes[i]);
        }
    }
}

/* ---- Solves ---------------------------------------------------------------------------------- */

int32_t native_pair_solve(native_spatial *handle, const native_pair_case *pairs, uint32_t n,
                          native_pair_row *rows)
{
    static const pair_bench none;
    pair_bench bench = none;
    double gravity;
    int32_t failed = 0;
    bench.foot = native_spatial_settings(handle, &gravity);
    bench.work_len = TC_LIMB3_MECHANISM_WORK(TC_PAIR3_RATES, (size_t)bench.foot.model.work_len);
    bench.work = calloc(bench.work_len, sizeof *bench.work);
    memset(rows, 0, n * sizeof *rows);
    for (uint32_t i = 0; i < n; i++) {
        const tc_status status = bench.work == NULL ? TC_ERR_WORK : solve_pair(&pairs[i], &bench);
        rows[i].status = (int32_t)status;
        rows[i].class_ = TC_LEARNED_NONE;
        if (status >= TC_OK) {
            show_result(&bench, &rows[i]);
        }
        failed += status < TC_OK;
    }
    free(bench.work);
    return failed;
}
