/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The plane as a scene's space. A body's angle is a number, so inertia is a quadratic of it:
 *
 *     m |c - c^|^2 / (2 h^2) + I (angle - angle^)^2 / (2 h^2),   ^: 2 now - before + h^2 gravity
 *
 * Friction on the plane seen from above has the ellipse of forces and torques
 *
 *     F (sqrt(|dc|^2 + rho^2 dangle^2 + (slow h)^2) - slow h)
 *
 * with dc, dangle the motion of this step.
 */
#include "tc_exact.h"
#include "tc_implicit2.h"
#include "tc_implicit_internal.h"

#include "tc_barrier2_internal.h"

#include <string.h>

enum { COSINE = 0, SINE = 1, X = 2, Y = 3, ANGLE = 4 };

/* y = R x */
static void turn_plane(const tc_real *at, const tc_real *x, tc_real *y)
{
    y[0] = at[COSINE] * x[0] - at[SINE] * x[1];
    y[1] = at[SINE] * x[0] + at[COSINE] * x[1];
}

static void set_angle(tc_real *at, tc_real angle)
{
    at[ANGLE] = angle;
    tc_sincos_core(angle, &at[SINE], &at[COSINE]);
}

/* Directions and origins of a free body's freedoms */
static void axes_of_free(const tc_real *at, tc_real *axes)
{
    memset(axes, 0, 18u * sizeof *axes);
    axes[0] = TC_C(1.0);
    axes[7] = TC_C(1.0);
    axes[15] = at[X];
    axes[16] = at[Y];
}

static void place_held2(const tc_implicit_body *body, const tc_real *parent, const tc_real *q,
                        tc_real *at, tc_real *axes)
{
    tc_real joint[2], along[2], own[2];
    turn_plane(parent, body->anchor_at, joint);
    turn_plane(parent, body->axis, along);
    joint[0] += parent[X];
    joint[1] += parent[Y];
    if (axes != NULL && body->joint != TC_IMPLICIT_WELD) {
        axes[0] = along[0];
        axes[1] = along[1];
        axes[2] = axes[5] = TC_C(0.0);
        axes[3] = joint[0];
        axes[4] = joint[1];
    }
    if (body->joint == TC_IMPLICIT_SLIDE) {
        joint[0] = TC_MLA(joint[0], along[0], q[0]);
        joint[1] = TC_MLA(joint[1], along[1], q[0]);
    }
    set_angle(at, parent[ANGLE] + body->rest[0]
                      + (body->joint == TC_IMPLICIT_HINGE ? q[0] : TC_C(0.0)));
    turn_plane(at, body->anchor, own);
    at[X] = joint[0] - own[0];
    at[Y] = joint[1] - own[1];
}

static void place_plane(const tc_implicit_scene *scene, const tc_real *q, tc_real *at,
                        tc_real *axes)
{
    static const tc_real world[5] = {TC_C(1.0), TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        const tc_implicit_body *const body = &scene->body[b];
        const uint32_t freedoms = scene->space->freedoms[body->joint];
        tc_real *const pose = at + 5u * b;
        if (tci_implicit_is_free(body)) {
            set_angle(pose, q[2]);
            pose[X] = q[0];
            pose[Y] = q[1];
            if (axes != NULL) axes_of_free(pose, axes);
        } else {
            const tc_real *const parent =
                body->parent == TC_IMPLICIT_WORLD ? world : at + 5u * body->parent;
            place_held2(body, parent, q, pose, axes);
        }
        q += freedoms;
        if (axes != NULL) axes += 6u * freedoms;
    }
}

static void mark_plane(const tc_implicit_scene *scene, const tc_real *q, tc_real *at, tc_real *axes)
{
    (void)axes;
    for (uint32_t b = 0; b < scene->bodies; ++b, q += 3, at += 5) {
        at[X] = q[0];
        at[Y] = q[1];
        at[ANGLE] = q[2];
    }
}

static void column_plane(const tc_real *axis, int turns, const tc_real *at, tc_real *column)
{
    column[0] = turns ? axis[4] - at[Y] : axis[0];
    column[1] = turns ? at[X] - axis[3] : axis[1];
    column[2] = turns ? TC_C(1.0) : TC_C(0.0);
}

static tc_real curve_plane(const tc_real *axis, const tc_real *behind, int turns, int same,
                           const tc_real *at, const tc_real *g)
{
    (void)axis;
    (void)same;
    if (!turns) return g[1] * behind[0] - g[0] * behind[1];
    return g[0] * (behind[3] - at[X]) + g[1] * (behind[4] - at[Y]);
}

/* ---- Inertia and drag ------------------------------------------------------------------------ */

static void aim_plane(const tc_implicit_scene *scene, const tc_real *now, const tc_real *before,
                      tc_real *coast)
{
    const tc_real h2 = scene->step * scene->step;
    for (uint32_t b = 0; b < scene->bodies; ++b, now += 5, before += 5, coast += 3) {
        coast[0] = now[X] + (now[X] - before[X]) + h2 * scene->gravity[0];
        coast[1] = now[Y] + (now[Y] - before[Y]) + h2 * scene->gravity[1];
        coast[2] = now[ANGLE] + (now[ANGLE] - before[ANGLE]);
    }
}

/* The motion of this step in units of a length, and the root of its square; drag > 0 */
static tc_real slip_of(const tc_implicit_scene *scene, const tc_implicit_body *body,
                       const tc_real *now, const tc_real *at, tc_real slip[3])
{
    const tc_real slow = scene->slow * scene->step;
    slip[0] = at[X] - now[X];
    slip[1] = at[Y] - now[Y];
    slip[2] = body->drag_radius * (at[ANGLE] - now[ANGLE]);
    return tc_sqrt(TC_MLA(tc_vec_dot3(slip, slip), slow, slow));
}

/* Second derivatives of the drag, packed */
static void drag_matrix(const tc_implicit_body *body, const tc_real slip[3], tc_real root,
                        tc_real K[6])
{
    const tc_real inverse = TC_C(1.0) / root, F = body->drag * inverse;
    const tc_real turn = F * body->drag_radius, spin = turn * body->drag_radius;
    const tc_real x = slip[0] * inverse, y = slip[1] * inverse, z = slip[2] * inverse;
    K[0] = TC_MLS(F, F * x, x);
    K[1] = -(F * x) * y;
    K[2] = TC_MLS(F, F * y, y);
    K[3] = -(turn * z) * x;
    K[4] = -(turn * z) * y;
    K[5] = TC_MLS(spin, spin * z, z);
}

static tc_real drag_on(const tc_implicit_scene *scene, const tc_implicit_body *body,
                       const tc_real *now, const tc_real *at, tc_real *gradient, tc_real *hessian)
{
    const tc_real slow = scene->slow * scene->step;
    tc_real slip[3], K[6];
    if (!(body->drag > TC_C(0.0))) return TC_C(0.0);
    const tc_real root = slip_of(scene, body, now, at, slip);
    if (gradient != NULL) {
        const tc_real F = body->drag / root;
        gradient[0] = TC_MLA(gradient[0], F, slip[0]);
        gradient[1] = TC_MLA(gradient[1], F, slip[1]);
        gradient[2] = TC_MLA(gradient[2], F * body->drag_radius, slip[2]);
        drag_matrix(body, slip, root, K);
        for (uint32_t i = 0; i < 6u; ++i) hessian[i] += K[i];
    }
    /* root - slow without cancellation */
    return body->drag * tc_vec_dot3(slip, slip) / (root + slow);
}

static tc_real carry_plane(const tc_implicit_scene *scene, const tc_implicit_body *body,
                           const tc_real *coast, const tc_real *now, const tc_real *at,
                           tc_real *gradient, tc_real *hessian)
{
    const tc_real per = TC_C(1.0) / (scene->step * scene->step);
    const tc_real m = body->mass * per, inertia = body->inertia[0] * per;
    const tc_real off[3] = {at[X] - coast[0], at[Y] - coast[1], at[ANGLE] - coast[2]};
    if (gradient != NULL) {
        gradient[0] = TC_MLA(gradient[0], m, off[0]);
        gradient[1] = TC_MLA(gradient[1], m, off[1]);
        gradient[2] = TC_MLA(gradient[2], inertia, off[2]);
        hessian[0] += m;
        hessian[2] += m;
        hessian[5] += inertia;
    }
    return TC_C(0.5) * (m * TC_MLA(off[0] * off[0], off[1], off[1]) + inertia * (off[2] * off[2]))
           + drag_on(scene, body, now, at, gradient, hessian);
}

static void carry_back_plane(const tc_implicit_scene *scene, const tc_implicit_body *body,
                             const tc_real *before, const tc_real *now, const tc_real *at,
                             const tc_real *y, tc_real *chart_now, tc_real *chart_before)
{
    const tc_real per = TC_C(1.0) / (scene->step * scene->step);
    const tc_real m[3] = {body->mass * per, body->mass * per, body->inertia[0] * per};
    tc_real slip[3], K[6];
    (void)before;
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real push = m[i] * y[i];
        chart_now[i] += push + push;
        chart_before[i] -= push;
    }
    if (!(body->drag > TC_C(0.0))) return;
    drag_matrix(body, slip, slip_of(scene, body, now, at, slip), K);
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            chart_now[i] = TC_MLA(chart_now[i], *tci_implicit_cell(K, i, j), y[j]);
        }
    }
}

/* ---- A pull of free bodies ------------------------------------------------------------------- */

/* Adds K y of the drag to pull. K is of rank two along the slip, so that no matrix is formed. */
static void pull_drag(const tc_implicit_scene *scene, const tc_implicit_body *body,
                      const tc_real *now, const tc_real *at, const tc_real *y, tc_real *pull)
{
    const tc_real slow = scene->slow * scene->step, rho = body->drag_radius;
    const tc_real s[3] = {at[0] - now[0], at[1] - now[1], rho * (at[2] - now[2])};
    const tc_real square = TC_MLA(tc_vec_dot3(s, s), slow, slow), spin = rho * y[2];
    const tc_real F = body->drag / tc_sqrt(square);
    const tc_real along = TC_MLA(TC_MLA(s[0] * y[0], s[1], y[1]), s[2], spin) / square;
    pull[0] = TC_MLA(pull[0], F, TC_MLS(y[0], along, s[0]));
    pull[1] = TC_MLA(pull[1], F, TC_MLS(y[1], along, s[1]));
    pull[2] = TC_MLA(pull[2], F * rho, TC_MLS(spin, along, s[2]));
}

/* Adds what dampers and servos pull; returns where the next body's controls begin */
static tc_real *pull_drive(const tc_implicit_scene *scene, const tc_implicit_body *body,
                           const tc_real *y, tc_real *pull, tc_real *control)
{
    const tc_real per = TC_C(1.0) / scene->step;
    const tc_real along = per * body->damping[0];
    pull[0] = TC_MLA(pull[0], along, y[0]);
    pull[1] = TC_MLA(pull[1], along, y[1]);
    pull[2] = TC_MLA(pull[2], per * body->damping[1], y[2]);
    if (body->drive == TC_IMPLICIT_NONE) return control;
    const int servo = body->drive == TC_IMPLICIT_SERVO;
    for (uint32_t i = 0; i < 3u; ++i) {
        if (!(body->driven >> i & 1u)) continue;
        *control++ = servo ? body->stiffness[i == 2u] * y[i] : y[i];
    }
    return control;
}

/* One body: gradient_state is at its numbers, n before those of the step before */
static void pull_body(const tc_implicit_scene *scene, const tc_implicit_body *body,
                      const tc_real *y, const tc_real pull[3], uint32_t n, tc_real *gradient_state)
{
    const tc_real per = TC_C(1.0) / (scene->step * scene->step);
    const tc_real m = body->mass * per, inertia = body->inertia[0] * per;
    const tc_real push[3] = {m * y[0], m * y[1], inertia * y[2]};
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 3u; ++i) {
        gradient_state[i] = pull[i] + (push[i] + push[i]);
        gradient_state[n + i] = -push[i];
    }
    if (body->locked == 0u) return;
    for (uint32_t i = 0; i < 3u; ++i) {
        if (body->locked >> i & 1u) gradient_state[i] = gradient_state[n + i] = TC_C(0.0);
    }
}

static void pull_plane(const tc_implicit_scene *scene, const tc_real *state, const tc_real *next,
                       const tc_real *factor, const tc_real *gradient_next, tc_real *gradient_state,
                       tc_real *gradient_control, tc_real *y)
{
    const uint32_t n = 3u * scene->bodies;
    const tc_implicit_body *body = scene->body;
    for (uint32_t i = 0; i < n; ++i) y[i] = gradient_next[i];
    for (uint32_t b = 0; b < scene->bodies; ++b, ++body) {
        for (uint32_t i = 0; body->locked != 0u && i < 3u; ++i) {
            if (body->locked >> i & 1u) y[3u * b + i] = TC_C(0.0);
        }
    }
    tci_implicit_solve(factor, n, y);
    body = scene->body;
    for (uint32_t i = 0; i < n; i += 3u, y += 3, ++body) {
        const tc_real *const later = gradient_next + n + i;
        tc_real pull[3] = {later[0], later[1], later[2]};
        if (body->drag > TC_C(0.0)) pull_drag(scene, body, state + i, next + i, y, pull);
        gradient_control = pull_drive(scene, body, y, pull, gradient_control);
        pull_body(scene, body, y, pull, n, gradient_state + i);
    }
}

/* ---- Barriers -------------------------------------------------------------------------------- */

static const tc_barrier2_pose *pose_of2(const tc_real *at)
{
    return (const tc_barrier2_pose *)(const void *)at;
}

static void view_pair2(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                       tci_barrier2_view *view)
{
    const tc_implicit_piece *const a = &scene->piece[scene->pair[pair].a];
    const tc_implicit_piece *const b = &scene->piece[scene->pair[pair].b];
    tci_barrier2_look(view, &a->set, pose_of2(at + 5u * a->body), &b->set,
                      pose_of2(at + 5u * b->body));
}

static int look_pair2(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                      const tc_real *plane, tci_barrier_state *state, tc_real clear[2])
{
    const tc_barrier2_plane start = {{plane[0], plane[1]}, plane[2]};
    tci_barrier2_view view;
    if (!tci_barrier2_open(&start, state)) return 0;
    view_pair2(scene, pair, at, &view);
    tci_barrier2_gather(&view.pair, state);
    const tc_real length = tc_sqrt(TC_MLA(plane[0] * plane[0], plane[1], plane[1]));
    for (uint32_t i = 0; i < 2u; ++i) clear[i] = length * state->sums[i].least;
    if (!(clear[0] > TC_C(0.0)) || !(clear[1] > TC_C(0.0))) return 0;
    (void)tci_barrier_settle(&view.pair, state, TCI_BARRIER_ROUGH, tci_barrier2_gather, 2);
    return 1;
}

/* By how much less than Q the best plane's is, nearly; of a plane that separates, with centred sums */
static tc_real excess_of_plane(const tci_barrier_view *view, const tci_barrier_state *state)
{
    tci_barrier_step step;
    tci_barrier_newton(view, state, &step, 2);
    return TC_C(0.5) * step.decrement;
}

/* The state becomes that of the best plane, or of one that is as near to it as `share` says; *excess
 * is what is left. share < 0: the state has no plane yet. */
static tc_status seek_plane(const tci_barrier_view *view, tc_real share, tci_barrier_state *state,
                            tci_barrier_state *spare, tc_real *excess)
{
    tci_barrier_state *states[2] = {state, spare};
    uint32_t newton;
    const int known = share >= TC_C(0.0);
    *excess = known ? excess_of_plane(view, state) : TC_C(0.0);
    if (known && *excess <= share * tci_barrier_total(state)) return TC_OK;
    const tc_real enough = share > TC_EPSILON ? TC_C(2.0) * share : TC_C(-1.0);
    const tc_status status = tci_barrier2_search(view, known ? 2 : 0, states, enough, &newton);
    if (status < TC_OK) return status;
    if (states[0] != state) *state = *states[0];
    (void)tci_barrier_centre(state, 2);
    *excess = enough > TC_C(0.0) ? excess_of_plane(view, state) : TC_C(0.0);
    return status;
}

static tc_status solve_plane(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                             tc_real share, tci_barrier_state *state, tci_barrier_state *spare,
                             tci_implicit_found *found)
{
    tci_barrier2_view view;
    tci_barrier_weight weight;
    view_pair2(scene, pair, at, &view);
    const tc_status status = seek_plane(&view.pair, share, state, spare, &found->excess);
    if (status < TC_OK) return status;
    tci_barrier_weigh(&scene->barrier, tci_barrier_total(state) - found->excess, &weight);
    found->excess /= tci_barrier_total(state);
    found->value = weight.value;
    found->gap = state->sums[0].least + state->sums[1].least;
    for (uint32_t i = 0; i < 2u; ++i) {
        found->clear[i] = weight.length * state->sums[i].least;
        found->plane[i] = weight.length * state->frame[i];
    }
    found->plane[2] = weight.length * state->offset;
    return status;
}

static void derive_plane(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                         tci_barrier_state *state, const tci_barrier_result *result)
{
    tci_barrier2_view view;
    view_pair2(scene, pair, at, &view);
    tci_barrier2_derive(&scene->barrier, &view.pair, state, result);
}

static tc_real rise_plane(const tc_implicit_scene *scene, uint32_t floor, uint32_t piece,
                          const tc_real *at, tc_real *height, tc_real *gradient, tc_real *hessian)
{
    const tc_implicit_floor *const below = &scene->floor[floor];
    const tc_implicit_piece *const above = &scene->piece[piece];
    const tc_real *const pose = at + 5u * above->body, *const n = below->normal;
    const tc_real centre =
        TC_MLA(pose[X] * n[0], pose[Y], n[1]) - below->offset - above->set.radius;
    tc_real sum = TC_C(0.0), least = TC_C(1e30);
    for (uint32_t i = 0; i < above->set.count; ++i) {
        tc_real arm[2];
        turn_plane(pose, above->set.vertices + 2u * i, arm);
        const tc_real lift = TC_MLA(arm[0] * n[0], arm[1], n[1]);
        const tc_real tilt = arm[0] * n[1] - arm[1] * n[0], high = centre + lift;
        const tc_real u = TC_C(1.0) / high;
        if (!(high >= least)) least = high;
        sum += u;
        if (gradient == NULL) continue;
        const tc_real row[3] = {n[0], n[1], tilt};
        const tc_real w = scene->weight * u * u, bend = TC_C(2.0) * w * u;
        tc_real *cell = hessian;
        for (uint32_t r = 0; r < 3u; ++r) {
            gradient[r] = TC_MLS(gradient[r], w, row[r]);
            for (uint32_t c = 0; c <= r; ++c, ++cell) *cell = TC_MLA(*cell, bend * row[r], row[c]);
        }
        hessian[5] = TC_MLA(hessian[5], w, lift);
    }
    *height = least;
    return scene->weight * sum;
}

static void expand_plane(const tc_real *at, tc_real c[3], tc_real R[9])
{
    memset(R, 0, 9u * sizeof *R);
    c[0] = at[X];
    c[1] = at[Y];
    c[2] = TC_C(0.0);
    R[0] = R[4] = at[COSINE];
    R[1] = -at[SINE];
    R[3] = at[SINE];
    R[8] = TC_C(1.0);
}

const tc_implicit_space *tc_implicit2_space(void)
{
    static const tc_implicit_space plane = {.dimension = 2u,
                                            .chart = 3u,
                                            .plane = 3u,
                                            .pose = 5u,
                                            .position = 2u,
                                            .target = 3u,
                                            .coordinates = {3u, 1u, 1u, 0u, 0u},
                                            .freedoms = {3u, 1u, 1u, 0u, 0u},
                                            .scalars = {3u, 1u, 1u, 0u, 0u},
                                            .supported = {1u, 1u, 1u, 0u, 1u},
                                            .place = place_plane,
                                            .mark = mark_plane,
                                            .column = column_plane,
                                            .curve = curve_plane,
                                            .aim = aim_plane,
                                            .carry = carry_plane,
                                            .carry_back = carry_back_plane,
                                            .pull = pull_plane,
                                            .swing = NULL,
                                            .swing_back = NULL,
                                            .look = look_pair2,
                                            .solve = solve_plane,
                                            .derive = derive_plane,
                                            .rise = rise_plane,
                                            .expand = expand_plane};
    return &plane;
}
