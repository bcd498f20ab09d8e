/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The whole step of one planar body.
 *
 * Velocities are turned into the frame of the plane and impulses back; positions move in world
 * axes.
 *
 * Prediction (TOC, GAP). With normal n_b and tangent t_b of the plane in body axes, a vertex has
 *     gap = n_b . v + lift,   lever = t_b . v
 *     gap after the time s, linear: gap + s (v_n + omega lever).
 * What it leaves out is rotation's second order, at most (s omega)^2 |v| / 2: 20 um for 0.1 m at 20
 * rad/s and 1 ms, upwards for vertices below the centre of mass.
 *
 * GAP. Of the vertices that would end below the plane the two outermost are the contacts. That
 * misses what the new velocity turns down, and in a body that falls by more than its thickness in a
 * step, the lower vertices: the upper ones stop where the plane is, their gap is the thickness.
 * What would end below the plane all the same touches as with TOC.
 *
 * End of a step, as in tc_foot3.c, with its proof: where one more vertex would go below the plane
 * the body waits, and the force of that time is taken back. Lifting it instead, as far as it fell,
 * made energy.
 *
 * Push-out (DART 6.20, split position correction). A second, frictionless LCP from rest, in the
 * same W, asks each contact for a velocity of tci_scheme_push_speed; it moves positions only. The
 * body sinks by what a step of its approach is, and comes up slowly: that is the simulator's own
 * scheme, and why DART's throws can only be followed with it.
 *
 * Cost on Cortex-M4F beside query, law and detection: 310 instructions (DART).
 */
#include "tc_exact.h"
#include "tc_foot2.h"

#include "tc_body_core.h"
#include "tc_math.h"
#include "tc_scheme_internal.h"

#include <string.h>

/* of the height, by which TCI_SCHEME_TOUCH may be missed */
#define ROUNDING_FOOT2 (TC_C(8.0) * TC_EPSILON)
/* [m] a vertex that would end less deep does not touch: u+ = 0 up to rounding */
#define SINK_FOOT2 TC_C(1e-9)

/* The plane seen from the body at a pose. */
typedef struct view_foot2 {
    tc_real nx, ny; /* normal, body axes */
    tc_real height; /* of the centre of mass above the plane [m] */
    tc_real lift;   /* gap of a vertex at the centre of mass [m] */
} view_foot2;

/* A step on its way. */
typedef struct foot2_run {
    const tc_foot2 *foot;
    tc_body2_state next;
    tc_patch2 patch;
    union {
        tc_learned2_query query; /* of the patch that was solved last */
        view_foot2 start;        /* before the move to a touch */
    };
    tc_foot2_info *info; /* the caller's, or null */
    uint32_t touches;    /* contact solves so far */
    tc_real *work;
    size_t work_len;
} foot2_run;

/* ---- Geometry -------------------------------------------------------------------------------- */

static view_foot2 look_foot2(const tc_foot2 *foot, const tc_real *position)
{
    const tc_plane2 *const plane = &foot->plane;
    tc_real sine, cosine;
    view_foot2 v;
    tc_sincos_core(position[2], &sine, &cosine);
    v.nx = cosine * plane->normal[0] + sine * plane->normal[1];
    v.ny = cosine * plane->normal[1] - sine * plane->normal[0];
    v.height = plane->normal[0] * position[0] + plane->normal[1] * position[1] - plane->offset;
    v.lift = v.height - foot->shape.radius;
    return v;
}

static inline tc_real gap_of_foot2(const view_foot2 *v, const tc_real *vertex)
{
    return v->lift + v->nx * vertex[0] + v->ny * vertex[1];
}

static inline tc_real lever_of_foot2(const view_foot2 *v, const tc_real *vertex)
{
    return v->ny * vertex[0] - v->nx * vertex[1];
}

static inline tc_real normal_speed(const tc_foot2 *foot, const tc_real *velocity)
{
    return foot->plane.normal[0] * velocity[0] + foot->plane.normal[1] * velocity[1];
}

/* The outermost of the vertices that are at `reach` or nearer after the time s, with levers and
 * gaps of now. */
static void predict_foot2(foot2_run *run, const view_foot2 *v, tc_real s, tc_real reach)
{
    const tc_shape2 *const shape = &run->foot->shape;
    tc_patch2 *const patch = &run->patch;
    const tc_real fall = s * normal_speed(run->foot, run->next.velocity),
                  turn = s * run->next.velocity[2];
    memset(patch, 0, sizeof *patch);
    memcpy(patch->normal, run->foot->plane.normal, sizeof patch->normal);
    patch->height = v->height;
    for (uint32_t i = 0; i < shape->count; i++) {
        const tc_real *const vertex = shape->vertices + 2u * i;
        const tc_real lever = lever_of_foot2(v, vertex),
                      gap = tc_vec_not_negative(gap_of_foot2(v, vertex));
        if (gap + (fall + turn * lever) > reach) {
            continue;
        }
        const uint32_t first = patch->count == 0u || lever < patch->lever[0];
        const uint32_t last = patch->count == 0u || lever > patch->lever[1];
        for (uint32_t slot = 0; slot < 2u; slot++) {
            if (slot == 0u ? first : last) {
                patch->vertex[slot] = i;
                patch->lever[slot] = lever;
                patch->gap[slot] = gap;
            }
        }
        patch->count = patch->lever[0] < patch->lever[1] ? 2u : 1u;
    }
}

static tc_real share_foot2(void *mover, tc_real left)
{
    foot2_run *const run = mover;
    const view_foot2 v = look_foot2(run->foot, run->next.position);
    const tc_shape2 *const shape = &run->foot->shape;
    const tc_real fall = left * normal_speed(run->foot, run->next.velocity);
    const tc_real turn = left * run->next.velocity[2];
    tc_real first = TC_C(1.0);
    for (uint32_t i = 0; i < shape->count; i++) {
        const tc_real *const vertex = shape->vertices + 2u * i;
        const tc_real gap = tc_vec_not_negative(gap_of_foot2(&v, vertex));
        const tc_real moved = fall + turn * lever_of_foot2(&v, vertex);
        if (gap + first * moved < -SINK_FOOT2) {
            first = gap / -moved;
        }
    }
    run->start = v;
    return first;
}

/* How far the lowest vertex is below the plane; 0 if none is */
static tc_real depth_of(const foot2_run *run)
{
    const tc_shape2 *const shape = &run->foot->shape;
    const view_foot2 v = look_foot2(run->foot, run->next.position);
    tc_real lowest = TC_C(0.0);
    for (uint32_t i = 0; i < shape->count; i++) {
        const tc_real gap = gap_of_foot2(&v, shape->vertices + 2u * i);
        lowest = gap < lowest ? gap : lowest;
    }
    return -lowest;
}

/* Moves the body out along the normal. */
static void lift_foot2(foot2_run *run, tc_real depth)
{
    run->next.position[0] += depth * run->foot->plane.normal[0];
    run->next.position[1] += depth * run->foot->plane.normal[1];
}

/* ---- Velocities ------------------------------------------------------------------------------ */

/* What each contact's velocity has to exceed besides 0: of one that bounces restitution times its
 * approach, whatever its gap; of the others gap / h, if asked for. */
static void offsets_foot2(const tc_foot2 *foot, const tc_patch2 *patch, const tc_real *velocity,
                          int with_gap, tc_real *offset)
{
    const tc_real e = foot->restitution;
    for (uint32_t i = 0; i < 2u; i++) {
        const tc_real bounce = e * (velocity[1] + velocity[2] * patch->lever[i]);
        offset[i] = bounce < -TC_LEARNED_BOUNCE_MIN ? bounce
                    : with_gap                      ? patch->gap[i] / foot->step
                                                    : TC_C(0.0);
    }
}

static void report_foot2(const foot2_run *run, const tc_learned2_result *result)
{
    const tc_real mass = run->foot->body.mass;
    tc_foot2_info *const info = run->info;
    info->decision = result->decision;
    info->count = run->patch.count;
    info->vertex[0] = run->patch.vertex[0];
    info->vertex[1] = run->patch.vertex[1];
    info->friction = mass * result->impulse[0];
    info->normal[0] = mass * result->impulse[1];
    info->normal[1] = mass * result->impulse[2];
    info->torque = mass * result->torque;
    info->waited = TC_C(0.0);
}

/* Algorithm 1 for run->patch and the velocity of run->next. */
static tc_status respond_foot2(void *mover, int with_gap)
{
    foot2_run *const run = mover;
    const tc_foot2 *const foot = run->foot;
    const tc_patch2 *const patch = &run->patch;
    if (patch->count == 0u) {
        return TC_OK;
    }
    const tc_real nx = patch->normal[0], ny = patch->normal[1];
    tc_real *const v = run->next.velocity;
    const tc_real local[3] = {ny * v[0] - nx * v[1], nx * v[0] + ny * v[1], v[2]};
    tc_real offset[2];
    tc_learned2_result result;
    const int plain = !with_gap && foot->restitution == TC_C(0.0);
    if (!plain) {
        offsets_foot2(foot, patch, local, with_gap, offset);
    }
    tc_status status =
        tc_learned2_query_init(&run->query, patch, local, foot->gyration, plain ? NULL : offset);
    if (status < TC_OK) {
        return status;
    }
    status = tc_learned2_solve(&foot->model, &run->query, &result, run->work, run->work_len);
    if (status < TC_OK) {
        return status;
    }
    const tc_real normal = result.impulse[1] + result.impulse[2];
    v[0] += ny * result.impulse[0] + nx * normal;
    v[1] += ny * normal - nx * result.impulse[0];
    v[2] = result.velocity[2];
    if (run->info != NULL) {
        report_foot2(run, &result);
    }
    run->touches++;
    return status;
}

/* ---- Position schemes ------------------------------------------------------------------------ */

/* DART's position correction; uses up the query. An edge that was solved as a point
 * (tc_learned2_query_init) is pushed as one. */
static void push_out_foot2(foot2_run *run)
{
    const tc_foot2 *const foot = run->foot;
    tc_learned2_space *const space = &run->query.space;
    const tc_patch2 *const patch = &run->patch;
    tc_real n[2];
    for (uint32_t i = 0; i < space->count; i++) {
        space->approach[i] = -tci_scheme_push_speed(patch->gap[i], foot->step);
    }
    tc_learned2_space_normals(space, TC_C(0.0), n);
    const tc_real rise = foot->step * (n[0] + n[1]);
    const tc_real torque = patch->lever[0] * n[0] + patch->lever[1] * n[1];
    const tc_real turn = torque / (foot->gyration * foot->gyration);
    run->next.position[0] += rise * patch->normal[0];
    run->next.position[1] += rise * patch->normal[1];
    run->next.position[2] += foot->step * turn;
}

static void find_foot2(void *mover)
{
    foot2_run *const run = mover;
    tc_detect2_unchecked(&run->foot->shape, &run->next, &run->foot->plane, TC_C(0.0), &run->patch);
}

static tc_status push_foot2(void *mover)
{
    foot2_run *const run = mover;
    tc_body2_move_core(run->foot->step, run->next.velocity, run->next.position);
    if (run->patch.count > 0u) {
        push_out_foot2(run);
    }
    return TC_OK;
}

static void foresee_foot2(void *mover)
{
    foot2_run *const run = mover;
    const view_foot2 start = look_foot2(run->foot, run->next.position);
    predict_foot2(run, &start, run->foot->step, TC_C(0.0));
}

/* Swaps the contacts if the body has turned so far that the levers descend. */
static void ascend_levers(tc_patch2 *patch)
{
    const tc_patch2 was = *patch;
    for (uint32_t i = 0; i < 2u && was.count == 2u && was.lever[0] > was.lever[1]; i++) {
        patch->vertex[i] = was.vertex[1u - i];
        patch->lever[i] = was.lever[1u - i];
        patch->gap[i] = was.gap[1u - i];
    }
}

/* Algorithm 1 for what is touched. Impulses and flags of several touches add up; the rest is that
 * of the last. */
static tc_status respond_there_foot2(foot2_run *run)
{
    tc_foot2_info *const info = run->info;
    if (info == NULL || run->touches == 0u || run->patch.count == 0u) {
        return respond_foot2(run, 0);
    }
    const tc_foot2_info before = *info;
    const tc_status status = respond_foot2(run, 0);
    info->decision.flags |= before.decision.flags;
    info->friction += before.friction;
    info->normal[0] += before.normal[0];
    info->normal[1] += before.normal[1];
    info->torque += before.torque;
    return status;
}

static tc_status touch_foot2(void *mover, tc_real left, tc_real share)
{
    foot2_run *const run = mover;
    const tc_foot2 *const foot = run->foot;
    const tc_real time = share * left;
    predict_foot2(run, &run->start, time,
                  TC_MLA(TCI_SCHEME_TOUCH, ROUNDING_FOOT2, run->start.height));
    tc_body2_move_core(time, run->next.velocity, run->next.position);
    const view_foot2 there = look_foot2(foot, run->next.position);
    run->patch.height = there.height;
    for (uint32_t i = 0; i < run->patch.count; i++) {
        const tc_real *const vertex = foot->shape.vertices + 2u * run->patch.vertex[i];
        run->patch.lever[i] = lever_of_foot2(&there, vertex);
        run->patch.gap[i] = gap_of_foot2(&there, vertex);
    }
    ascend_levers(&run->patch);
    return respond_there_foot2(run);
}

/* Without a contact it lifts however deep: rotation's second order. */
static tc_status settle_foot2(void *mover, tc_real left, int ahead, int *deep)
{
    foot2_run *const run = mover;
    const tc_body2_state before = run->next;
    tc_body2_move_core(left, run->next.velocity, run->next.position);
    const tc_real depth = depth_of(run);
    *deep = depth > TCI_SCHEME_ROUNDING && !(ahead && run->patch.count == 0u);
    if (*deep) {
        run->next = before;
    } else {
        lift_foot2(run, depth);
    }
    return TC_OK;
}

static void wait_foot2(void *mover, tc_real left, tc_real share)
{
    foot2_run *const run = mover;
    tc_body2_move_core(share * left, run->next.velocity, run->next.position);
    lift_foot2(run, depth_of(run));
}

static const tci_scheme_mover scheme_foot2 = {find_foot2,  foresee_foot2, respond_foot2,
                                              push_foot2,  settle_foot2,  share_foot2,
                                              touch_foot2, wait_foot2};

/* The step; the force of the time that was waited at its end is taken back. */
static tc_status step_foot2(foot2_run *run, const tc_real *force)
{
    const tc_foot2 *const foot = run->foot;
    const tc_scheme positions = TC_SCHEME_AHEAD ? foot->positions : TC_SCHEME_DART;
    tc_real waited;
    const tc_status status = tci_scheme_step(&scheme_foot2, run, positions, foot->step, &waited);
    if (waited > TC_C(0.0) && force != NULL) {
        tc_body2_apply_wrench_core(&foot->body, force, -waited, run->next.velocity);
    }
    if (waited > TC_C(0.0) && run->info != NULL) {
        run->info->waited = waited;
    }
    return status;
}

/* ---- Public ---------------------------------------------------------------------------------- */

/* Without a contact, or after an error, `info` says so. */
static tc_status finish_foot2(const foot2_run *run, tc_status status)
{
    tc_foot2_info *const info = run->info;
    if (info != NULL && (status < TC_OK || run->touches == 0u)) {
        memset(info, 0, sizeof *info);
        info->decision.branch = info->decision.said = TC_LEARNED_NONE;
    }
    return status;
}

static void begin_foot2(foot2_run *run, const tc_foot2 *foot, tc_foot2_info *info, tc_real *work,
                        size_t work_len)
{
    run->foot = foot;
    run->info = info;
    run->touches = 0;
    run->work = work;
    run->work_len = work_len;
}

/* x - x is 0 if x is finite, else NaN. */
static inline tc_real zero_if_finite(const tc_real x[3])
{
    return (x[0] - x[0]) + (x[1] - x[1]) + (x[2] - x[2]);
}

static int finite_state_foot2(const tc_body2_state *state)
{
    return zero_if_finite(state->position) + zero_if_finite(state->velocity) == TC_C(0.0);
}

/* What a body and a law have to be, shape and plane aside. */
static tc_status check_fields_foot2(const tc_foot2 *foot)
{
    if (foot == NULL) {
        return TC_ERR_NULL;
    }
    const tc_real scales[3] = {foot->body.mass, foot->body.inertia, foot->gyration};
    if (!(scales[0] > TC_C(0.0) && scales[1] > TC_C(0.0) && scales[2] > TC_C(0.0))
        || zero_if_finite(scales) != TC_C(0.0)) {
        return TC_ERR_BODY;
    }
    const int in_range =
        foot->step > TC_C(0.0) && foot->restitution >= TC_C(0.0) && foot->restitution <= TC_C(1.0);
    return in_range ? TC_OK : TC_ERR_RANGE;
}

LEARNED_INLINE tc_status check_scene(const tc_foot2 *foot)
{
    if (foot->shape.vertices == NULL) {
        return TC_ERR_NULL;
    }
    if (foot->shape.count == 0u || foot->shape.count > TC_SHAPE_MAX) {
        return TC_ERR_SIZE;
    }
    if (foot->positions > (TC_SCHEME_AHEAD ? TC_SCHEME_GAP : TC_SCHEME_DART)) {
        return TC_ERR_UNSUPPORTED;
    }
    return tc_vec_is_unit(foot->plane.normal, 2) ? TC_OK : TC_ERR_UNIT;
}

tc_status tc_foot2_init(tc_foot2 *foot, const tc_body2 *body, tc_real step,
                        const tc_learned2_model *model)
{
    if (foot == NULL) {
        return TC_ERR_NULL;
    }
    memset(foot, 0, sizeof *foot);
    if (body == NULL || model == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = tc_body2_check(body);
    if (status < TC_OK) {
        return status;
    }
    if (!tc_all_finite(&step, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    if (step < TC_LEARNED_STEP_MIN || !tc_learned_body_in_range(body->mass, body->inertia)) {
        return TC_ERR_RANGE;
    }
    foot->body = *body;
    foot->gyration = tc_sqrt(body->inertia / body->mass);
    foot->step = step;
    foot->plane.normal[1] = TC_C(1.0);
    foot->model = *model;
    return TC_OK;
}

tc_status tc_foot2_check(const tc_foot2 *foot)
{
    tc_status status = check_fields_foot2(foot);
    status = status < TC_OK ? status : check_scene(foot);
    status = status < TC_OK ? status : tc_shape2_check(&foot->shape);
    if (status < TC_OK) {
        return status;
    }
    if (foot->model.classify == NULL || foot->model.ratio == NULL) {
        return TC_ERR_NULL;
    }
    int in_range = foot->step >= TC_LEARNED_STEP_MIN
                   && tc_learned_body_in_range(foot->body.mass, foot->body.inertia);
    for (uint32_t i = 0; i < foot->shape.count; i++) {
        const tc_real *const vertex = foot->shape.vertices + 2u * i;
        const tc_real square = TC_MLA(vertex[0] * vertex[0], vertex[1], vertex[1]);
        const tc_real reach = tc_sqrt(square) + foot->shape.radius;
        in_range = in_range && reach <= TC_C(0.999) * TC_LEARNED_LEVER_MAX * foot->gyration;
    }
    return in_range ? TC_OK : TC_ERR_RANGE;
}

tc_status tc_foot2_respond(const tc_foot2 *foot, const tc_patch2 *patch, tc_real *velocity,
                           tc_foot2_info *info, tc_real *work, size_t work_len)
{
    foot2_run run;
    begin_foot2(&run, foot, info, work, work_len);
    tc_status status = check_fields_foot2(foot);
    if (status >= TC_OK && (patch == NULL || velocity == NULL)) {
        status = TC_ERR_NULL;
    }
    if (status >= TC_OK && !tc_all_finite(velocity, 3)) {
        status = TC_ERR_NOT_FINITE;
    }
    if (status < TC_OK || patch->count == 0u) {
        return finish_foot2(&run, status);
    }
    if (!tc_vec_is_unit(patch->normal, 2)) {
        return finish_foot2(&run, TC_ERR_UNIT);
    }
    run.patch = *patch;
    memcpy(run.next.velocity, velocity, sizeof run.next.velocity);
    status = respond_foot2(&run, 0);
    if (status >= TC_OK) {
        memcpy(velocity, run.next.velocity, sizeof run.next.velocity);
    }
    return finish_foot2(&run, status);
}

/* Inputs that are not finite lead to a next state that is not, or to a query that is refused, and
 * never into the model; so they are looked for only when something went wrong. */
static tc_status explain_foot2(const tc_body2_state *state, const tc_real *force, tc_status status)
{
    if (!finite_state_foot2(state) || (force != NULL && zero_if_finite(force) != TC_C(0.0))) {
        return TC_ERR_NOT_FINITE;
    }
    return status < TC_OK ? status : TC_ERR_RANGE;
}

tc_status tc_foot2_step(const tc_foot2 *foot, const tc_real *force, tc_body2_state *state,
                        tc_foot2_info *info, tc_real *work, size_t work_len)
{
    foot2_run run;
    begin_foot2(&run, foot, info, work, work_len);
    tc_status status = check_fields_foot2(foot);
    if (status >= TC_OK) {
        status = state == NULL ? TC_ERR_NULL : check_scene(foot);
    }
    if (status < TC_OK) {
        return finish_foot2(&run, status);
    }
    run.next = *state;
    if (force != NULL) {
        tc_body2_apply_wrench_core(&foot->body, force, foot->step, run.next.velocity);
    }
    status = step_foot2(&run, force);
    if (status < TC_OK || !finite_state_foot2(&run.next)) {
        return finish_foot2(&run, explain_foot2(state, force, status));
    }
    *state = run.next;
    return finish_foot2(&run, status);
}
