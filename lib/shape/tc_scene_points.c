/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Points of a scene: where they are, how they move, and what a unit rate does to them. Springs and
 * the rows of joints.
 *
 * With r = x - c from the link's centre of mass, at constant rates
 *
 *     u = v + omega x r,    b = a + alpha x r + omega x (omega x r)
 *
 * A ball joint keeps c = x_b - x_a at 0. A rod keeps |d| at its length, d = x_b - x_a: with n =
 * d / |d| and s = u_b - u_a its row is n . s, and the acceleration at constant rates is n . (b_b -
 * b_a) + (|s|^2 - (n . s)^2) / |d|.
 */
#include "tc_exact.h"
#include "tc_scene_core.h"

#include "tc_vec.h"

#include <string.h>

static const tc_scene_frame *link_of(const tc_scene_placed *placed, const tc_scene_point *point)
{
    return &placed->frame[placed->span[point->mover].link + point->link];
}

void tc_scene_point_at(const tc_scene_placed *placed, const tc_scene_point *point, tc_real x[3])
{
    memcpy(x, point->at, sizeof point->at);
    if (point->mover == TC_SCENE_WORLD) return;
    const tc_scene_frame *const frame = link_of(placed, point);
    tc_mat3_vec(frame->R, point->at, x);
    for (uint32_t k = 0; k < 3u; ++k) x[k] += frame->at[k];
}

void tc_scene_point_motion(const tc_scene_placed *placed, const tc_scene_point *point,
                           const tc_real x[3], tc_real u[3], tc_real b[3])
{
    if (point->mover == TC_SCENE_WORLD) {
        (void)tc_vec_zeroed(TC_OK, u, 3);
        (void)tc_vec_zeroed(TC_OK, b, 3);
        return;
    }
    const tc_scene_frame *const frame = link_of(placed, point);
    const tc_real r[3] = {x[0] - frame->at[0], x[1] - frame->at[1], x[2] - frame->at[2]};
    tc_real turned[3], again[3], spun[3];
    tc_vec_cross(frame->omega, r, turned);
    tc_vec_cross(frame->omega, turned, again);
    tc_vec_cross(frame->spin, r, spun);
    for (uint32_t k = 0; k < 3u; ++k) {
        u[k] = frame->velocity[k] + turned[k];
        b[k] = frame->acceleration[k] + spun[k] + again[k];
    }
}

/* The same of a particle or a body, whose columns are the world's axes */
static void add_free_row(const tc_scene_placed *placed, const tc_scene_span *span,
                         const tc_real x[3], const tc_real n[3], tc_real scale, tc_real *row)
{
    const tc_real *const at = placed->frame[span->link].at;
    const tc_real r[3] = {x[0] - at[0], x[1] - at[1], x[2] - at[2]};
    const uint32_t turns = span->rates - span->slides;
    tc_real moment[3];
    for (uint32_t k = 0; k < span->slides; ++k) row[k] = TC_MLA(row[k], scale, n[k]);
    if (turns == 0u) return;
    tc_vec_cross(r, n, moment);
    for (uint32_t k = 0; k < turns; ++k) {
        row[span->slides + k] = TC_MLA(row[span->slides + k], scale, moment[3u - turns + k]);
    }
}

void tc_scene_add_row(const tc_scene_placed *placed, uint32_t mover, uint32_t link,
                      const tc_real x[3], const tc_real n[3], tc_real scale, tc_real *row)
{
    if (mover == TC_SCENE_WORLD) return;
    const tc_scene_span *const span = &placed->span[mover];
    if (span->slides > 0u) {
        add_free_row(placed, span, x, n, scale, row + span->v);
        return;
    }
    for (uint32_t k = span->v; k < span->v + span->rates; ++k) {
        const tc_scene_column *const c = &placed->column[k];
        if (c->link > link) return;
        tc_real along = tc_vec_dot3(n, c->at);
        if (tc_vec_dot3(c->turn, c->turn) > TC_C(0.0)) {
            const tc_real r[3] = {x[0] - c->at[0], x[1] - c->at[1], x[2] - c->at[2]};
            tc_real velocity[3];
            tc_vec_cross(c->turn, r, velocity);
            along = tc_vec_dot3(n, velocity);
        }
        row[k] = TC_MLA(row[k], scale, along);
    }
}

tc_real tc_scene_between(const tc_real a[3], const tc_real b[3], tc_real d[3])
{
    for (uint32_t k = 0; k < 3u; ++k) d[k] = b[k] - a[k];
    return tc_sqrt(tc_vec_dot3(d, d));
}

/* ---- Springs, field -------------------------------------------------------------------------- */

void tc_scene_push(tc_scene_placed *placed, uint32_t mover, uint32_t link, const tc_real force[3])
{
    const tc_real *const at = placed->frame[placed->span[mover].link + link].at;
    tc_scene_add_row(placed, mover, link, at, force, TC_C(1.0), placed->force);
}

/* A field's own stack comes on top of what is counted here. */
/* tc_calls: tc_scene_add_springs tc_scene_push */
tc_status tc_scene_add_springs(tc_scene_placed *placed)
{
    const tc_scene_field *const field = placed->scene->field;
    for (uint32_t s = 0; s < placed->scene->springs; ++s) {
        const tc_scene_spring *const spring = &placed->scene->spring[s];
        tc_real a[3], b[3], d[3];
        tc_scene_point_at(placed, &spring->a, a);
        tc_scene_point_at(placed, &spring->b, b);
        const tc_real length = tc_scene_between(a, b, d);
        if (!(length > TC_C(0.0))) continue; /* no direction: no force */
        const tc_real pull = spring->stiffness * (length - spring->length) / length;
        tc_scene_add_row(placed, spring->a.mover, spring->a.link, a, d, pull, placed->force);
        tc_scene_add_row(placed, spring->b.mover, spring->b.link, b, d, -pull, placed->force);
    }
    return field != NULL ? field->push(field, placed) : TC_OK;
}

/* ---- Joints ---------------------------------------------------------------------------------- */

/* The two points of a joint: places, relative place, velocity and acceleration at constant rates. */
typedef struct joint_points {
    tc_real a[3], b[3];
    tc_real d[3], s[3], t[3];
    tc_real distance;
} joint_points;

static void look_at_joint(const tc_scene_placed *placed, const tc_scene_joint *joint,
                          joint_points *points)
{
    tc_real ua[3], ba[3];
    tc_scene_point_at(placed, &joint->a, points->a);
    tc_scene_point_at(placed, &joint->b, points->b);
    points->distance = tc_scene_between(points->a, points->b, points->d);
    tc_scene_point_motion(placed, &joint->a, points->a, ua, ba);
    tc_scene_point_motion(placed, &joint->b, points->b, points->s, points->t);
    for (uint32_t k = 0; k < 3u; ++k) {
        points->s[k] -= ua[k];
        points->t[k] -= ba[k];
    }
}

static void write_joint_row(const tc_scene_placed *placed, const tc_scene_joint *joint,
                            const joint_points *points, const tc_real n[3], tc_real *row)
{
    (void)tc_vec_zeroed(TC_OK, row, placed->rates);
    tc_scene_add_row(placed, joint->b.mover, joint->b.link, points->b, n, TC_C(1.0), row);
    tc_scene_add_row(placed, joint->a.mover, joint->a.link, points->a, n, TC_C(-1.0), row);
    tc_scene_whiten_row(placed, row);
}

/* Returns the number of rows. */
static uint32_t write_ball(const tc_scene_placed *placed, const tc_scene_joint *joint, tc_real *E,
                           tc_real *c, tc_real *b)
{
    const uint32_t dimension = placed->scene->dimension;
    joint_points points;
    look_at_joint(placed, joint, &points);
    for (uint32_t k = 0; k < dimension; ++k) {
        tc_real n[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
        n[k] = TC_C(1.0);
        write_joint_row(placed, joint, &points, n, E + (size_t)k * placed->rates);
        if (c != NULL) c[k] = points.d[k];
        if (b != NULL) b[k] = points.t[k];
    }
    return dimension;
}

static uint32_t write_rod(const tc_scene_placed *placed, const tc_scene_joint *joint, tc_real *E,
                          tc_real *c, tc_real *b)
{
    joint_points points;
    look_at_joint(placed, joint, &points);
    const tc_real inverse = points.distance > TC_C(0.0) ? TC_C(1.0) / points.distance : TC_C(0.0);
    const tc_real n[3] = {points.d[0] * inverse, points.d[1] * inverse, points.d[2] * inverse};
    write_joint_row(placed, joint, &points, n, E);
    if (c != NULL) *c = points.distance - joint->length;
    if (b != NULL) {
        const tc_real along = tc_vec_dot3(n, points.s);
        *b = tc_vec_dot3(n, points.t) + (tc_vec_dot3(points.s, points.s) - along * along) * inverse;
    }
    return 1;
}

void tc_scene_joint_rows(const tc_scene_placed *placed, tc_real *E, tc_real *c, tc_real *b)
{
    uint32_t row = 0;
    for (uint32_t j = 0; j < placed->scene->joints; ++j) {
        const tc_scene_joint *const joint = &placed->scene->joint[j];
        tc_real *const to = E + (size_t)row * placed->rates;
        tc_real *const error = c != NULL ? c + row : NULL, *const bias = b != NULL ? b + row : NULL;
        row += joint->kind == TC_SCENE_JOINT_BALL ? write_ball(placed, joint, to, error, bias)
                                                  : write_rod(placed, joint, to, error, bias);
    }
}
