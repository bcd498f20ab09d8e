/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Directions through smooth motion, and the time of impact's.
 *
 * Over a time t at constant gravity g, with directions of state, gravity and time,
 *
 *     dq' = dq + t dv + t^2/2 dg + dt v',    dv' = dv + t dg + dt g.                            (1)
 *
 * A body turns at constant omega, in the plane by the same formula. In space a small turn b is
 * carried along by the rotation R(a), a = t omega, and a change of a turns by its left Jacobian:
 *
 *     b' = R(a) b + J(a) (t domega + dt omega),                                                 (2)
 *     R(a) y = y + sinc |a| a x y + s a x (a x y),   J(a) y = y + s a x y + r a x (a x y),
 *     s = (1 - cos |a|) / |a|^2,   r = (1 - sinc |a|) / |a|^2.
 *
 * dt along a is J(a) omega = omega, so the term is added as in (1).
 *
 * To an impact the motion is carried at fixed time first. Its gap then changes by dgap, and closes
 * at the rate gap' < 0: dt = -dgap / gap'. The rest of the step changes by -dt. A pair that
 * touches and strikes at once meets there, after no motion.
 */
#include "tc_exact.h"
#include "tc_scene_grad_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

/* Of (2): sinc, s, r */
typedef struct turn_factors {
    tc_real sinc, s, r;
} turn_factors;

static turn_factors factor_turn(const tc_real a[3])
{
    const tc_real square = tc_vec_dot3(a, a);
    turn_factors f;
    tc_real cosine, sinc;
    tc_vec_half_turn(TC_C(0.25) * square, &cosine, &sinc);
    f.sinc = sinc * cosine;
    f.s = TC_C(0.5) * sinc * sinc;
    f.r = square > TC_TURN_SERIES
              ? (TC_C(1.0) - f.sinc) / square
              : TC_C(0.16666666666666667) - square * TC_C(0.0083333333333333333);
    return f;
}

/* y += p a x y + r a x (a x y) */
static void turn_by(const tc_real a[3], tc_real p, tc_real r, tc_real y[3])
{
    tc_real once[3], twice[3];
    tc_vec_cross(a, y, once);
    tc_vec_cross(a, once, twice);
    for (uint32_t k = 0; k < 3u; ++k) y[k] += p * once[k] + r * twice[k];
}

static void turn_body3(const tc_real *omega, tc_real time, const tc_real *domega, tc_real *dq)
{
    const tc_real a[3] = {time * omega[0], time * omega[1], time * omega[2]};
    const turn_factors f = factor_turn(a);
    tc_real change[3] = {time * domega[0], time * domega[1], time * domega[2]};
    turn_by(a, f.sinc, f.s, dq);
    turn_by(a, f.s, f.r, change);
    for (uint32_t k = 0; k < 3u; ++k) dq[k] += change[k];
}

/* (1) and (2) at fixed time */
static void carry_motion(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                         tc_real time)
{
    const tci_scene_step_run *const step = run->step;
    const uint32_t dimension = step->scene->dimension;
    const tc_real *const dg = column->along->gravity;
    for (uint32_t m = 0; m < step->scene->movers; ++m) {
        const tc_scene_span *const span = &step->placed.span[m];
        tc_real *const dq = column->q + span->v, *const dv = column->v + span->v;
        for (uint32_t k = 0; k < dimension; ++k) {
            const tc_real g = dg != NULL ? dg[k] : TC_C(0.0);
            dq[k] = TC_MLA(dq[k], time, TC_MLA(dv[k], TC_C(0.5) * time, g));
            dv[k] = TC_MLA(dv[k], time, g);
        }
        if (span->rates == 6u) {
            turn_body3(step->v + span->v + 3u, time, dv + 3, dq + 3);
        } else if (span->rates > dimension) {
            dq[2] = TC_MLA(dq[2], time, dv[2]);
        }
    }
}

/* (1): what dt adds */
static void carry_time(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                       tc_real dt)
{
    const tci_scene_step_run *const step = run->step;
    for (uint32_t c = 0; c < step->sizes.rates; ++c) {
        column->q[c] = TC_MLA(column->q[c], dt, step->v[c]);
    }
    for (uint32_t m = 0; m < step->scene->movers; ++m) {
        tc_real *const dv = column->v + step->placed.span[m].v;
        for (uint32_t k = 0; k < step->scene->dimension; ++k) {
            dv[k] = TC_MLA(dv[k], dt, step->scene->gravity[k]);
        }
    }
}

/* ---- Time of impact -------------------------------------------------------------------------- */

/* Of those that meet the one that is nearest, where the scene is placed */
static uint32_t earliest_source(const tci_scene_step_run *step)
{
    uint32_t best = 0;
    tc_real least = TC_C(1e30);
    for (uint32_t s = 0; s < step->scene->pairs; ++s) {
        if (step->apart[s] == TC_C(0.0)) continue;
        const tc_real gap = tc_scene_gap(&step->placed, s);
        if (gap < least) {
            least = gap;
            best = s;
        }
    }
    return best;
}

/* Of a shape on a half space its lowest vertex, else 0 */
static uint32_t lowest_vertex(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                              uint32_t source)
{
    const tc_scene *const scene = run->step->scene;
    const tc_scene_pair *const pair = &scene->pair[source];
    const tc_scene_surface *const a = &scene->surface[pair->a];
    const uint32_t count = scene->dimension == 2u ? a->shape2->count : a->shape3->count;
    tci_scene_grad_touch touch;
    tci_scene_grad_point vertex;
    uint32_t best = 0;
    tc_real least = TC_C(1e30);
    if (count == 1u) return 0;
    tci_scene_grad_meet(run, column, source, 0, &touch);
    for (uint32_t i = 0; i < count; ++i) {
        tci_scene_grad_vertex(run, column, pair->a, i, &vertex);
        const tc_real height = tc_vec_dot3(touch.normal, vertex.x);
        if (height < least) {
            least = height;
            best = i;
        }
    }
    return best;
}

/* n . the velocity of vertex i of a surface */
static tc_real speed_along(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                           uint32_t surface, uint32_t i, const tc_real n[3])
{
    const tc_scene_surface *const of = &run->step->scene->surface[surface];
    if (of->mover == TC_SCENE_WORLD) return TC_C(0.0);
    const tc_scene_span *const span = &run->step->placed.span[of->mover];
    const tc_scene_frame *const frame = &run->step->placed.frame[span->link];
    tci_scene_grad_point vertex;
    tc_real turned[3];
    tci_scene_grad_vertex(run, column, surface, i, &vertex);
    const tc_real r[3] = {vertex.x[0] - frame->at[0], vertex.x[1] - frame->at[1],
                          vertex.x[2] - frame->at[2]};
    tc_vec_cross(frame->omega, r, turned);
    return tc_vec_dot3(n, frame->velocity) + tc_vec_dot3(n, turned);
}

/* The rate of a pair's gap at its lowest vertex; touch: how that moves */
static tc_real close_at(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                        uint32_t source, tci_scene_grad_touch *touch)
{
    const tc_scene_pair *const pair = &run->step->scene->pair[source];
    const uint32_t vertex = lowest_vertex(run, column, source);
    tci_scene_grad_meet(run, column, source, vertex, touch);
    return speed_along(run, column, pair->a, vertex, touch->normal)
           - speed_along(run, column, pair->b, 0, touch->normal);
}

/* Directions are at fixed time; returns dt, or 0 and a note. */
static tc_real time_change(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                           uint32_t source, tc_status *status)
{
    tci_scene_grad_touch touch;
    const tc_real rate = close_at(run, column, source, &touch);
    if (rate < TC_C(0.0)) return -touch.dgap / rate;
    *status = TC_NOTE_PRECISION;
    return TC_C(0.0);
}

/* Of those that touch the one that comes closest the fastest, where the scene is placed */
static uint32_t fastest_source(const tci_scene_grad_run *run, const tci_scene_grad_column *column)
{
    tci_scene_grad_touch touch;
    uint32_t best = 0;
    tc_real least = TC_C(0.0);
    for (uint32_t s = 0; s < run->step->scene->pairs; ++s) {
        if (run->step->apart[s] != TC_C(0.0)) continue;
        const tc_real rate = close_at(run, column, s, &touch);
        if (rate < least) {
            least = rate;
            best = s;
        }
    }
    return best;
}

tc_status tci_scene_grad_touch_now(tci_scene_grad_run *run)
{
    tci_scene_step_run *const step = run->step;
    tc_status status = TC_OK;
    tc_scene_place_all(&step->placed, step->q, step->v);
    const tci_scene_grad_column first = tci_scene_grad_at(run, 0);
    const uint32_t source = fastest_source(run, &first);
    for (uint32_t k = 0; k < run->grad->count; ++k) {
        const tci_scene_grad_column column = tci_scene_grad_at(run, k);
        const tc_real dt = time_change(run, &column, source, &status);
        carry_time(run, &column, dt);
        *column.left -= dt;
    }
    return status;
}

tc_status tci_scene_grad_move(tci_scene_grad_run *run, tc_real time, int fixed)
{
    tc_status status = TC_OK;
    const uint32_t source = fixed ? 0u : earliest_source(run->step);
    for (uint32_t k = 0; k < run->grad->count; ++k) {
        const tci_scene_grad_column column = tci_scene_grad_at(run, k);
        carry_motion(run, &column, time);
        const tc_real dt = fixed ? *column.left : time_change(run, &column, source, &status);
        carry_time(run, &column, dt);
        *column.left -= dt;
    }
    return status;
}
