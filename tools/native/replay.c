/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Algorithm 1 for rows of states that do not follow one another: `tinycontact body replay`. The
 * patch of a row is found in double, so that a state written in decimals has the contacts that its
 * writer meant.
 */
#include "handle.h"

#include <math.h>
#include <string.h>

#define AT_FLOOR 1e-6 /* [m] above it a vertex still counts as at the floor */

typedef struct corner {
    double lever, gap;
    uint32_t vertex;
} corner;

static void turn_shape(const native *handle, double y, double theta, corner *corners)
{
    const double s = sin(theta), c = cos(theta);
    for (uint32_t i = 0; i < handle->dacm.shape.count; i++) {
        const double *const v = handle->vertices + 2u * i;
        corners[i].lever = c * v[0] - s * v[1];
        corners[i].gap = y + s * v[0] + c * v[1] - (double)handle->dacm.shape.radius;
        corners[i].vertex = i;
    }
}

static const corner *lowest(const corner *corners, uint32_t count, const corner *except)
{
    const corner *best = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (&corners[i] != except && (best == NULL || corners[i].gap < best->gap)) {
            best = &corners[i];
        }
    }
    return best;
}

/* The outermost of those at the floor; first and last are null without any. */
static void outermost(const corner *corners, uint32_t count, const corner **first,
                      const corner **last)
{
    *first = *last = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (corners[i].gap > AT_FLOOR) {
            continue;
        }
        *first = *first == NULL || corners[i].lever < (*first)->lever ? &corners[i] : *first;
        *last = *last == NULL || corners[i].lever > (*last)->lever ? &corners[i] : *last;
    }
}

static void put(tc_patch2 *patch, const corner *c)
{
    patch->vertex[patch->count] = c->vertex;
    patch->lever[patch->count] = (tc_real)c->lever;
    patch->gap[patch->count] = (tc_real)c->gap;
    patch->count++;
}

static tc_patch2 patch_of(const native *handle, double y, double theta, int32_t kind)
{
    corner corners[TC_SHAPE_MAX];
    const uint32_t count = handle->dacm.shape.count;
    const corner *first, *last;
    tc_patch2 patch = {.normal = {TC_C(0.0), TC_C(1.0)}, .height = (tc_real)y};
    turn_shape(handle, y, theta, corners);
    if (kind == 0 || (kind == 1 && count == 1u)) {
        first = last = lowest(corners, count, NULL);
    } else if (kind == 1) {
        first = lowest(corners, count, NULL);
        last = lowest(corners, count, first);
        if (first->lever > last->lever) {
            const corner *const other = first;
            first = last;
            last = other;
        }
    } else {
        outermost(corners, count, &first, &last);
    }
    if (first != NULL) {
        put(&patch, first);
    }
    if (first != last) {
        put(&patch, last);
    }
    return patch;
}

static void replay_row(native *handle, const double *state, int32_t kind, native_row *row)
{
    const tc_patch2 patch = patch_of(handle, state[0], state[1], kind);
    tc_real velocity[3] = {(tc_real)state[2],
                           (tc_real)(state[3] - (double)handle->dacm.step * handle->gravity),
                           (tc_real)state[4]};
    tc_foot2_info info;
    memset(row, 0, sizeof *row);
    row->status = (int32_t)tc_foot2_respond(&handle->dacm, &patch, velocity, &info, handle->work,
                                            handle->work_len);
    row->class_ = (int32_t)info.decision.branch;
    row->said = (int32_t)info.decision.said;
    row->flags = info.decision.flags;
    row->ratio = (double)info.decision.ratio;
    row->friction = (double)info.friction;
    row->normal = (double)info.normal[0] + (double)info.normal[1];
    row->torque = (double)info.torque;
    for (uint32_t i = 0; i < 3u; i++) {
        row->probability[i] = (double)info.decision.probability[i];
        row->velocity[i] = (double)velocity[i];
    }
}

int32_t native_replay(native *handle, const double *states, const int32_t *patch, uint32_t n,
                      native_row *rows)
{
    int32_t failed = 0;
    for (uint32_t i = 0; i < n; i++) {
        replay_row(handle, states + 5u * (size_t)i, patch != NULL ? patch[i] : -1, &rows[i]);
        failed += rows[i].status < 0;
    }
    return failed;
}
