/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * How a contact moves with its movers: gap, normal, arms and rows.
 *
 * A point at r from the centre of mass moves by dx = dc + b x r, b the small turn. On a half space,
 * with height = n . x - offset,
 *
 *     dgap = n . dx - doffset - dradius,    dpoint = dx - (n . dx - doffset) n,    dn = 0.      (1)
 *
 * Two balls with d = x_a - x_b, n = d / |d| have
 *
 *     dgap = n . dd - dr_a - dr_b,          dn = (dd - n (n . dd)) / |d|,                       (2)
 *     dpoint = dx_a - (dr_a + dgap / 2) n - (r_a + gap / 2) dn.
 *
 * A row's number is n . e_k for a rate that moves along e_k, and t . ((x - c) x n) for one that turns
 * about t.
 */
#include "tc_exact.h"
#include "tc_scene_grad_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

/* Directions of a mover's centre and of its turn */
static void split_column(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                         uint32_t mover, tc_real dc[3], tc_real turn[3])
{
    const tc_scene_span *const span = &run->step->placed.span[mover];
    const uint32_t dimension = run->step->scene->dimension;
    const tc_real *const dq = column->q + span->v;
    for (uint32_t k = 0; k < 3u; ++k) {
        dc[k] = k < dimension ? dq[k] : TC_C(0.0);
        turn[k] = span->rates == 6u ? dq[3u + k] : TC_C(0.0);
    }
    if (dimension == 2u && span->rates == 3u) turn[2] = dq[2];
}

void tci_scene_grad_vertex(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                           uint32_t surface, uint32_t i, tci_scene_grad_point *point)
{
    const tc_scene *const scene = run->step->scene;
    const tc_scene_surface *const of = &scene->surface[surface];
    const uint32_t dimension = scene->dimension;
    const tc_real *const vertices = dimension == 2u ? of->shape2->vertices : of->shape3->vertices;
    const tc_scene_frame *const frame =
        &run->step->placed.frame[run->step->placed.span[of->mover].link];
    tc_real local[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, r[3], dc[3], turn[3], turned[3];
    memcpy(local, vertices + (size_t)dimension * i, dimension * sizeof *local);
    tc_mat3_vec(frame->R, local, r);
    split_column(run, column, of->mover, dc, turn);
    tc_vec_cross(turn, r, turned);
    for (uint32_t k = 0; k < 3u; ++k) {
        point->x[k] = frame->at[k] + r[k];
        point->dx[k] = dc[k] + turned[k];
    }
}

static tc_real size_of(const tc_scene *scene, const tc_scene_surface *surface)
{
    if (surface->mover == TC_SCENE_WORLD) {
        return scene->dimension == 2u ? surface->plane2->offset : surface->plane3->offset;
    }
    return scene->dimension == 2u ? surface->shape2->radius : surface->shape3->radius;
}

static tc_real size_change(const tci_scene_grad_column *column, uint32_t surface)
{
    return column->along->surface != NULL ? column->along->surface[surface] : TC_C(0.0);
}

/* (1); arm[0] is the vertex, and becomes the point on the plane. */
static void meet_plane(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                       const tc_scene_pair *pair, tci_scene_grad_touch *touch)
{
    const tc_scene *const scene = run->step->scene;
    const tc_scene_surface *const b = &scene->surface[pair->b];
    tci_scene_grad_point *const arm = &touch->arm[0];
    const tc_real *const normal = scene->dimension == 2u ? b->plane2->normal : b->plane3->normal;
    (void)tc_vec_zeroed(TC_OK, touch->normal, 3);
    (void)tc_vec_zeroed(TC_OK, touch->dnormal, 3);
    memcpy(touch->normal, normal, scene->dimension * sizeof *normal);
    const tc_real height = tc_vec_dot3(touch->normal, arm->x) - size_of(scene, b);
    const tc_real rise = tc_vec_dot3(touch->normal, arm->dx) - size_change(column, pair->b);
    touch->dgap = rise - size_change(column, pair->a);
    for (uint32_t k = 0; k < 3u; ++k) {
        arm->x[k] = TC_MLS(arm->x[k], height, touch->normal[k]);
        arm->dx[k] = TC_MLS(arm->dx[k], rise, touch->normal[k]);
    }
}

/* (2); arms are the centres, and become the point between the balls. */
static void meet_ball(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                      const tc_scene_pair *pair, tci_scene_grad_touch *touch)
{
    const tc_scene *const scene = run->step->scene;
    const tc_real ra = size_of(scene, &scene->surface[pair->a]);
    const tc_real rb = size_of(scene, &scene->surface[pair->b]);
    const tc_real dra = size_change(column, pair->a), drb = size_change(column, pair->b);
    tci_scene_grad_point *const a = &touch->arm[0], *const b = &touch->arm[1];
    tc_real *const n = touch->normal, *const dn = touch->dnormal;
    const tc_real distance = tc_scene_between(b->x, a->x, n);
    const tc_real inverse = distance > TC_C(0.0) ? TC_C(1.0) / distance : TC_C(0.0);
    if (!(distance > TC_C(0.0))) n[1] = TC_C(1.0);
    for (uint32_t k = 0; k < 3u && distance > TC_C(0.0); ++k) n[k] *= inverse;
    (void)tc_scene_between(b->dx, a->dx, dn);
    const tc_real away = tc_vec_dot3(n, dn), gap = distance - ra - rb;
    touch->dgap = away - dra - drb;
    for (uint32_t k = 0; k < 3u; ++k) {
        dn[k] = inverse * TC_MLS(dn[k], away, n[k]);
        const tc_real reach = TC_MLA(ra, TC_C(0.5), gap);
        a->x[k] = TC_MLS(a->x[k], reach, n[k]);
        a->dx[k] -= (dra + TC_C(0.5) * touch->dgap) * n[k] + reach * dn[k];
    }
    *b = *a;
}

/* Where impulses act at the vertex instead of the point */
static void centre_arm(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                       uint32_t surface, uint32_t i, tci_scene_grad_point *arm)
{
    const tc_scene *const scene = run->step->scene;
    const tc_scene_surface *const of = &scene->surface[surface];
    if (of->centred || scene->mover[of->mover].kind == TC_SCENE_PARTICLE) {
        tci_scene_grad_vertex(run, column, surface, i, arm);
    }
}

void tci_scene_grad_meet(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                         uint32_t source, uint32_t feature, tci_scene_grad_touch *touch)
{
    const tc_scene *const scene = run->step->scene;
    const tc_scene_pair *const pair = &scene->pair[source];
    tci_scene_grad_vertex(run, column, pair->a, feature, &touch->arm[0]);
    if (scene->surface[pair->b].mover == TC_SCENE_WORLD) {
        meet_plane(run, column, pair, touch);
        centre_arm(run, column, pair->a, feature, &touch->arm[0]);
        return;
    }
    tci_scene_grad_vertex(run, column, pair->b, 0, &touch->arm[1]);
    meet_ball(run, column, pair, touch);
    centre_arm(run, column, pair->a, feature, &touch->arm[0]);
    centre_arm(run, column, pair->b, 0, &touch->arm[1]);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A direction of the world that a row is along, and its direction of change */
typedef struct row_direction {
    const tc_real *n, *dn;
} row_direction;

static void add_mover_row(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                          uint32_t mover, const tci_scene_grad_point *arm,
                          const row_direction *along, tc_real scale, tc_real *row)
{
    const tc_scene_placed *const placed = &run->step->placed;
    const tc_scene_span *const span = &placed->span[mover];
    tc_real dc[3], turn[3], r[3], dr[3], change[3], more[3];
    split_column(run, column, mover, dc, turn);
    for (uint32_t k = 0; k < 3u; ++k) {
        r[k] = arm->x[k] - placed->frame[span->link].at[k];
        dr[k] = arm->dx[k] - dc[k];
    }
    tc_vec_cross(dr, along->n, change);
    tc_vec_cross(r, along->dn, more);
    for (uint32_t k = 0; k < 3u; ++k) change[k] += more[k];
    for (uint32_t c = span->v; c < span->v + span->rates; ++c) {
        const tc_scene_column *const rate = &placed->column[c];
        const int turns = tc_vec_dot3(rate->turn, rate->turn) > TC_C(0.0);
        const tc_real dJ =
            turns ? tc_vec_dot3(rate->turn, change) : tc_vec_dot3(rate->at, along->dn);
        row[c] = TC_MLA(row[c], scale, dJ / run->length[c]);
    }
}

void tci_scene_grad_add_row(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                            uint32_t source, const tci_scene_grad_touch *touch, const tc_real n[3],
                            const tc_real dn[3], tc_real *row)
{
    const tc_scene *const scene = run->step->scene;
    const tc_scene_pair *const pair = &scene->pair[source];
    const uint32_t a = scene->surface[pair->a].mover, b = scene->surface[pair->b].mover;
    const row_direction along = {n, dn};
    add_mover_row(run, column, a, &touch->arm[0], &along, TC_C(1.0), row);
    if (b != TC_SCENE_WORLD) {
        add_mover_row(run, column, b, &touch->arm[1], &along, TC_C(-1.0), row);
    }
}
