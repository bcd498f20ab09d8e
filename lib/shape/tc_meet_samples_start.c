/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Starts of the search for the deepest point: points of a's surface where b is low, and points of
 * b's surface that are deep in a, moved to a's surface. The second find a bump under the middle of
 * a face, or a horn beside it, that the first miss.
 *
 * A convex shape has 26 points: corners, edges' and faces' middles of the box about it, moved to
 * it. The others bring theirs: a terrain's nodes near a, a grid's or net's stored points.
 *
 * The lowest TCI_MEET_KEPT points count that are TCI_APART of a's reach from each other. As a's
 * value at a point x is at least |x| - reach, most of b's points are refused by their distance.
 */
#include "tc_exact.h"

#include "tc_meet_samples_internal.h"

/* Square of the share of a's reach that parts two starts */
#define TCI_APART TC_C(0.0625)
/* A ball has one start where the square of the gradient at its centre, and the value there as a
 * share of its radius, are above these: b is not clipped there, and not on several sides of it */
#define TCI_STEEP TC_C(0.8)
#define TCI_SUNK TC_C(0.75)

/* tc_calls: find_close lib/shape/tc_sdf_terrain.c:node_of_terrain */
/* tc_calls: find_close tc_sdf_points_at */
/* tc_calls: tci_meet_find_starts lib/shape/tc_sdf_terrain.c:node_of_terrain */
/* tc_calls: tci_meet_find_starts tc_sdf_points_at */

static tc_real square_apart(const tc_real *p, const tc_real *q)
{
    const tc_real d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    return tc_vec_dot3(d, d);
}

static void copy_row(const tc_real *from, uint32_t width, tc_real *to)
{
    for (uint32_t k = 0; k < width; ++k) to[k] = from[k];
}

/* Rows of `width` numbers, the value first and the place last: adds `row` unless a lower one is
 * near, or all are lower and there is no place left. Higher ones near it leave. Returns the count. */
static uint32_t keep_lowest(tc_real *rows, uint32_t count, uint32_t width, const tc_real *row,
                            tc_real apart)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < count;) {
        tc_real *const old = rows + width * i;
        if (square_apart(old + width - 3u, row + width - 3u) < apart) {
            if (old[0] <= row[0]) return count;
            copy_row(rows + width * --count, width, old);
            continue;
        }
        if (old[0] > rows[width * highest]) highest = i;
        ++i;
    }
    if (count < TCI_MEET_KEPT) {
        highest = count++;
    } else if (rows[width * highest] <= row[0]) {
        return count;
    }
    copy_row(row, width, rows + width * highest);
    return count;
}

static tc_real apart_square(const tci_meet_search *s)
{
    return TCI_APART * s->reach * s->reach;
}

/* The point of a nearest to x as a start, unless a's surface is too far to be found from there */
static tc_status offer_start(tci_meet_search *s, const tc_real x[3])
{
    tci_meet_start one;
    tc_real normal[3];
    copy_row(x, 3, one.x);
    tc_status status = tci_meet_settle(s, one.x, normal);
    if (status > TC_OK) return TC_OK;
    if (status == TC_OK) status = tci_meet_ask(s, &one);
    if (status < TC_OK) return status;
    s->count = keep_lowest(&s->start[0].value, s->count, 8, &one.value, apart_square(s));
    return TC_OK;
}

/* Point i of 27 of a box: x_k = half_k times -1, 0 or 1. Returns 0 for one that is left out: the
 * middle, and one that equals another because a half edge is 0. */
static int box_point(const tc_real half[3], uint32_t i, tc_real x[3])
{
    uint32_t flat = 0, moved = 0;
    for (uint32_t k = 0; k < 3u; ++k, i /= 3u) {
        const int32_t sign = (int32_t)(i % 3u) - 1;
        x[k] = (tc_real)sign * half[k];
        if (half[k] > TC_C(0.0)) {
            moved += sign != 0;
        } else {
            flat += sign == 0 ? 1u : 4u;
        }
    }
    return flat < 4u && (moved > 0u || flat == 3u);
}

/* A ball's centre where its core is searched; else, if b's value is good there, the point of the ball
 * that is in b's direction. *found: 1 if no other start can be lower */
static tc_status offer_towards(tci_meet_search *s, int *found)
{
    tci_meet_start centre = {.x = {TC_C(0.0)}};
    *found = s->on_core;
    if (s->on_core) return offer_start(s, centre.x);
    const tc_status status = tci_meet_ask(s, &centre);
    const tc_real square = tc_vec_dot3(centre.gradient, centre.gradient);
    *found = status >= TC_OK && square > TCI_STEEP && centre.value > TCI_SUNK * s->reach;
    if (!*found) return status;
    const tc_real scale = -s->reach / tc_sqrt(square);
    for (uint32_t k = 0; k < 3u; ++k) centre.x[k] = scale * centre.gradient[k];
    return offer_start(s, centre.x);
}

/* *found: 1 if no other start can be lower */
static tc_status offer_convex(tci_meet_search *s, int *found)
{
    tc_status status = TC_OK;
    tc_real x[3];
    if (s->pair->core_a->kind == TC_CONVEX_POINT) status = offer_towards(s, found);
    for (uint32_t i = 0; i < 27u && !*found && status >= TC_OK; ++i) {
        if (box_point(s->half, i, x)) status = offer_start(s, x);
    }
    return status;
}

static tc_status offer_stored(tci_meet_search *s)
{
    const tc_sdf_stored *const stored = s->pair->a->data_ref;
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < stored->points && status >= TC_OK; ++i)
        status = offer_start(s, stored->points_ref + 3u * i);
    return status;
}

/* b's point p, b's axes, if it is deep in a or near it */
static tc_status offer_close(tci_meet_search *s, const tc_real p[3])
{
    tc_real away[3], row[4], value[4];
    for (uint32_t k = 0; k < 3u; ++k) away[k] = p[k] - s->at[k];
    tci_convex_back(s->turn, away, row + 1);
    if (s->close_count == TCI_MEET_KEPT) {
        const tc_real least = s->highest + s->reach;
        if (least > TC_C(0.0) && tc_vec_dot3(row + 1, row + 1) > least * least) return TC_OK;
    }
    const tc_status status = tci_meet_ask_a(s, row + 1, value);
    if (status < TC_OK) return status;
    row[0] = value[0];
    s->close_count = keep_lowest(s->close[0], s->close_count, 4, row, apart_square(s));
    s->highest = s->close[0][0];
    for (uint32_t i = 1; i < s->close_count; ++i)
        s->highest = tc_vec_max(s->highest, s->close[i][0]);
    return TC_OK;
}

/* b's points near a */
static tc_status find_close(tci_meet_search *s)
{
    const tci_meet_pair *const pair = s->pair;
    tc_status status = TC_OK;
    tc_real p[3], half[3];
    if (pair->b->kind->surface) {
        const uint32_t n = pair->b->kind->surface(pair->b, s->at, s->reach, 0, p);
        for (uint32_t i = 0; i < n && status >= TC_OK; ++i) {
            (void)pair->b->kind->surface(pair->b, s->at, s->reach, i, p);
            status = offer_close(s, p);
        }
        return status;
    }
    if (!pair->core_b || pair->core_b->kind == TC_CONVEX_HALFSPACE) return TC_OK;
    for (uint32_t k = 0; k < 3u; ++k) half[k] = pair->core_b->half[k] + pair->core_b->radius;
    for (uint32_t i = 0; i < 27u && status >= TC_OK; ++i) {
        if (box_point(half, i, p)) status = offer_close(s, p);
    }
    return status;
}

tc_status tci_meet_find_starts(tci_meet_search *s)
{
    int found = 0;
    tc_status status = s->pair->core_a ? offer_convex(s, &found) : offer_stored(s);
    if (status >= TC_OK && !found) status = find_close(s);
    for (uint32_t i = 0; i < s->close_count && status >= TC_OK; ++i)
        status = offer_start(s, s->close[i] + 1);
    return status;
}
