/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * How freedoms move bodies. A body's chart is moved by the freedoms of its own joint and of all
 * joints between it and the world.
 *
 * A free body's own freedoms are its chart: its Jacobian is 1, and no column is formed.
 *
 * Bounds of a straight move of the freedoms, share s in 0..1. A body turns at most by W = its
 * parent's + its joint's. With r1 the arm from the parent's centre to the joint, r2 that from the
 * joint to the body's centre, v the joint's slide, the centre accelerates at most by
 *
 *     a = parent's a + parent's W (W |r1| + 2 |v|) + W^2 |r2|
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

uint32_t tci_implicit_columns_of(const tci_implicit_run *run, const tc_real *at,
                                 const tc_real *axes, uint32_t body, tc_real *columns)
{
    const tc_implicit_space *const space = run->space;
    const tc_real *const pose = at + body * space->pose;
    uint32_t count = 0;
    for (uint32_t b = body; b != TC_IMPLICIT_WORLD; b = tci_implicit_parent(&run->scene->body[b])) {
        const tc_implicit_joint joint = run->scene->body[b].joint;
        const uint32_t first = tci_implicit_first(run, b, 1);
        for (uint32_t i = 0; i < space->freedoms[joint]; ++i) {
            const int turns = tci_implicit_turns(space, joint, i);
            tc_real *const row = columns + count * TCI_IMPLICIT_ROW(space);
            space->column(axes + 6u * (first + i), turns, pose, row);
            row[space->chart] = (tc_real)(first + i);
            row[space->chart + 1u] = (tc_real)turns;
            row[space->chart + 2u] = (tc_real)b;
            ++count;
        }
    }
    return count;
}

void tci_implicit_push(const tci_implicit_run *run, const tc_real *at, const tc_real *axes,
                       const tc_real *y, tc_real *chart)
{
    const uint32_t F = run->space->chart;
    for (uint32_t b = 0; b < run->scene->bodies; ++b, chart += F) {
        if (tci_implicit_is_free(&run->scene->body[b])) {
            const tc_real *const own = y + tci_implicit_first(run, b, 1);
            for (uint32_t i = 0; i < F; ++i) chart[i] = own[i];
            continue;
        }
        const uint32_t count = tci_implicit_columns_of(run, at, axes, b, run->columns);
        for (uint32_t i = 0; i < F; ++i) chart[i] = TC_C(0.0);
        for (uint32_t c = 0; c < count; ++c) {
            const tc_real *const row = run->columns + c * TCI_IMPLICIT_ROW(run->space);
            const tc_real rate = y[(uint32_t)row[F]];
            for (uint32_t i = 0; i < F; ++i) chart[i] = TC_MLA(chart[i], row[i], rate);
        }
    }
}

void tci_implicit_gather(const tci_implicit_run *run, const tc_real *at, const tc_real *axes,
                         const tc_real *chart, tc_real *y)
{
    const uint32_t F = run->space->chart;
    for (uint32_t b = 0; b < run->scene->bodies; ++b, chart += F) {
        if (tci_implicit_is_free(&run->scene->body[b])) {
            tc_real *const own = y + tci_implicit_first(run, b, 1);
            for (uint32_t i = 0; i < F; ++i) own[i] += chart[i];
            continue;
        }
        const uint32_t count = tci_implicit_columns_of(run, at, axes, b, run->columns);
        for (uint32_t c = 0; c < count; ++c) {
            const tc_real *const row = run->columns + c * TCI_IMPLICIT_ROW(run->space);
            tc_real *const sum = y + (uint32_t)row[F];
            for (uint32_t i = 0; i < F; ++i) *sum = TC_MLA(*sum, row[i], chart[i]);
        }
    }
}

/* Inertia of a chart's number i, the largest moment for every turn */
static tc_real chart_inertia(const tc_implicit_space *space, const tc_implicit_body *body,
                             uint32_t i)
{
    if (i < space->dimension) return body->mass;
    return tc_vec_max(body->inertia[0], tc_vec_max(body->inertia[1], body->inertia[2]));
}

void tci_implicit_weigh(const tci_implicit_run *run, tc_real *inertia)
{
    const uint32_t F = run->space->chart;
    const tc_real per = TC_C(1.0) / (run->scene->step * run->scene->step);
    for (uint32_t i = 0; i < run->sizes.freedoms; ++i) inertia[i] = TC_C(0.0);
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        const tc_implicit_body *const body = &run->scene->body[b];
        if (tci_implicit_is_free(body)) {
            tc_real *const own = inertia + tci_implicit_first(run, b, 1);
            for (uint32_t i = 0; i < F; ++i) own[i] += per * chart_inertia(run->space, body, i);
            continue;
        }
        const uint32_t count = tci_implicit_columns_of(run, run->at, run->axes, b, run->columns);
        for (uint32_t c = 0; c < count; ++c) {
            const tc_real *const row = run->columns + c * TCI_IMPLICIT_ROW(run->space);
            tc_real *const sum = inertia + (uint32_t)row[F];
            for (uint32_t i = 0; i < F; ++i) {
                const tc_real weight = per * chart_inertia(run->space, body, i);
                *sum = TC_MLA(*sum, weight * row[i], row[i]);
            }
        }
    }
}

/* |x| of a vector in space or in the plane */
static tc_real length_of(const tc_real *x, uint32_t dimension)
{
    tc_real square = x[0] * x[0];
    for (uint32_t i = 1; i < dimension; ++i) square = TC_MLA(square, x[i], x[i]);
    return tc_sqrt(square);
}

static tc_real turn_of_free(const tc_real *increment, uint32_t dimension)
{
    return dimension == 2u ? tc_vec_magnitude(increment[2]) : length_of(increment + 3, 3u);
}

/* Turn and slide of a held body's joint along its own increments */
static void part_joint(tc_implicit_joint joint, const tc_real *increment, tc_real *turn,
                       tc_real *slide)
{
    *turn = *slide = TC_C(0.0);
    if (joint == TC_IMPLICIT_SLIDE) *slide = tc_vec_magnitude(increment[0]);
    if (joint == TC_IMPLICIT_HINGE) *turn = tc_vec_magnitude(increment[0]);
    if (joint == TC_IMPLICIT_BALL) *turn = length_of(increment, 3u);
}

void tci_implicit_bound(tci_implicit_run *run)
{
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t D = run->space->dimension;
    run->turn = TC_C(0.0);
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        const tc_implicit_body *const body = &scene->body[b];
        const uint32_t parent = tci_implicit_parent(body), first = tci_implicit_first(run, b, 1);
        tc_real *const bound = run->bound + 2u * b;
        tc_real turn, slide, W = TC_C(0.0), a = TC_C(0.0);
        if (tci_implicit_is_free(body)) {
            bound[0] = turn_of_free(run->direction + first, D);
            bound[1] = TC_C(0.0);
            run->turn = tc_vec_max(run->turn, bound[0]);
            continue;
        }
        part_joint(body->joint, run->direction + first, &turn, &slide);
        if (parent != TC_IMPLICIT_WORLD) {
            const tc_real *const held = run->bound + 2u * parent;
            const tc_real arm = length_of(body->anchor_at, D)
                                + (body->joint == TC_IMPLICIT_SLIDE
                                       ? tc_vec_magnitude(run->q[tci_implicit_first(run, b, 0)])
                                       : TC_C(0.0))
                                + slide;
            W = held[0];
            a = held[1] + W * (W * arm + TC_C(2.0) * slide);
        }
        W += turn;
        a += W * W * length_of(body->anchor, D);
        bound[0] = W;
        bound[1] = a;
        run->turn = tc_vec_max(run->turn, W);
    }
}

/* Where calls through a space's table go, for the check of the stack. */
/* tc_calls: tci_implicit_columns_of lib/barrier/tc_implicit2.c:column_plane */
/* tc_calls: tci_implicit_columns_of lib/barrier/tc_implicit3.c:column_space */
