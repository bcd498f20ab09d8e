/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The whole step of one spatial body.
 *
 * Velocities are turned into the frame of the patch and back; poses move in world axes.
 *
 * Turning. What turning freely does to omega is half in what the contacts are asked about, and half
 * comes after: from v1 on a step's velocity is the mean omega_m of the turn to come
 * (tc_body_core.h). Contacts change it, and the pose moves with it, so that u+ >= 0 is what
 * positions see; then omega is what the momentum makes at the new orientation. World angular
 * momentum changes by h torque and the contacts' impulse, to rounding; turns of more than
 * TC_TURN_SLOW, or that would gain energy, are made as tc_body_core.h says.
 *
 * Restitution. Newton's e is of velocities, and no gap is in it: a contact of GAP that bounces
 * leaves with e times its approach from where it is, up to a step's way above the plane. Each
 * contact of a patch approaches, u_i <= 0, so without friction sum p_i (u_i + u_i+) / 2 is what the
 * kinetic energy gains: with u_i+ = -e u_i, or -gap / h of those that do not bounce, nothing for
 * any e <= 1.
 *
 * GAP. Contacts are those of the pose that v1 leads to, turned exactly; arms and gaps are of the
 * pose before. A vertex inside the patch's hull that is below its corners is missed, and what the
 * new velocity turns down: if they would end below the plane, they touch as with TOC.
 *
 * TOC, as in tc_foot2.c: to where the first vertex touches if all move on straight; Algorithm 1
 * there, for what is within TOUCH of the lowest vertex; once more, for a box that lands nearly
 * flat; then on. Turned exactly, vertices below the centre of mass are higher than straight, by
 * rotation's second order, (s omega)^2 |v| / 2: 0.1 mm for 0.13 m at 20 rad/s and 2 ms. So the
 * patch is that of the pose, not of the prediction.
 *
 * Energy, e = 0. A touch changes the velocity by D, and the kinetic energy by -|D|^2 / 2 or
 * less, |.| with the inertia in it: the velocity after it is in the cone, and friction opposes the
 * slip it leaves. The step's force, an acceleration g, has acted by then; in the time s left D
 * holds against it, which is s |g| |D| at most, and the fall of the whole step is h^2 |g|^2 / 2
 * short of its work. In all -|D|^2 / 2 + s |g| |D| - h^2 |g|^2 / 2 <= 0 for one touch; a second may
 * gain m (g s)^2 / 2. Lifting a vertex that would touch once more gains m g times its depth: 3 % of
 * m g L were seen at 5 ms, and plates that rock for ever. So that vertex ends the step: the body
 * waits where it touches, and the force of the time l it waits is taken back; that gains m (g l)^2
 * / 2 at most.
 *
 * Push-out as in tc_foot2.c: a second, frictionless LCP from rest.
 */
#include "tc_exact.h"
#include "tc_foot3.h"

#include "tc_body_core.h"
#include "tc_foot2.h"
#include "tc_foot3_internal.h"
#include "tc_learned3_core.h"
#include "tc_scheme_internal.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

/* so that the lowest touches, however high rotation has lifted it */
#define ABOVE (TC_C(4.0) * TC_EPSILON)
#define LONG_STEP TC_C(1.0) /* [s] */
/* Limits of h (h k + c) / m, which a contact's yield R is the reciprocal of */
#define SOFTEST TC_C(1e-3)
#define STIFFEST TC_C(1e3)
#define SLOPE_MOST TC_C(1e3) /* [s/m] */
/* A compliant step is made again for missed vertices so often at most. */
#define SOFT_ROUNDS 2u
/* [m] a vertex that would end less deep does not touch: u+ = 0 up to rounding */
#define SINK_FOOT3 TC_C(1e-8)

/* A step on its way. */
typedef struct foot3_run {
    const tc_foot3 *foot;
    const tc_body3_state *state;
    tc_body3_state next;
    tc_patch3 patch;
    tc_learned3_problem problem;
    tc_learned3_soft soft;
    tc_body3_turn turn;
    tc_learned3_warm *warm;
    tc_foot3_info *info;
    tc_real *work;
    size_t work_len;
} foot3_run;

static int is_soft(const tc_foot3 *foot)
{
    return foot->compliance.stiffness > TC_C(0.0);
}

/* ---- Geometry -------------------------------------------------------------------------------- */

LEARNED3_APART void tci_foot3_place(const tc_foot3 *foot, const tc_plane3 *plane,
                                    const tc_body3_state *state, tc_patch3 *patch)
{
    tc_real R[9];
    tc_vec_rotation(state->orientation, R);
    const tc_real height = tc_vec_dot3(patch->frame[2], state->position) - plane->offset;
    for (uint32_t i = 0; i < patch->count; i++) {
        tc_real arm[3];
        tc_mat3_vec(R, foot->shape.vertices + 3u * patch->vertex[i], arm);
        patch->arm[i][0] = tc_vec_dot3(patch->frame[0], arm);
        patch->arm[i][1] = tc_vec_dot3(patch->frame[1], arm);
        patch->arm[i][2] = -height;
        patch->gap[i] = (height - foot->shape.radius) + tc_vec_dot3(patch->frame[2], arm);
    }
}

/* What the pose that the velocity leads to touches, with arms and gaps of now, below 0 as well */
static LEARNED3_APART void find_ahead(foot3_run *run)
{
    const tc_foot3 *const foot = run->foot;
    tc_patch3 *const patch = &run->patch;
    tc_body3_state ahead = run->next;
    tc_body3_move_core(foot->step, &ahead);
    tc_detect3_unchecked(&foot->shape, &ahead, &foot->plane, TC_C(0.0), patch);
    tci_foot3_place(foot, &foot->plane, &run->next, patch);
}

static void foresee_foot3(void *mover)
{
    foot3_run *const run = mover;
    tc_patch3 *const patch = &run->patch;
    find_ahead(run);
    for (uint32_t i = 0; i < patch->count; i++) {
        patch->gap[i] = tc_vec_not_negative(patch->gap[i]);
    }
}

LEARNED3_APART tc_real tci_foot3_lowest(const tc_foot3 *foot, const tc_plane3 *plane,
                                        const tc_body3_state *state, uint32_t *vertex)
{
    const tc_real height = tc_vec_dot3(plane->normal, state->position) - plane->offset;
    const tc_real level = height - foot->shape.radius;
    tc_real R[9], down[3];
    tc_vec_rotation(state->orientation, R);
    tc_mat3_vec_t(R, plane->normal, down);
    tc_real least = level + tc_vec_dot3(down, foot->shape.vertices);
    *vertex = 0;
    for (uint32_t i = 1; i < foot->shape.count; i++) {
        const tc_real gap = level + tc_vec_dot3(down, foot->shape.vertices + 3u * i);
        *vertex = gap < least ? i : *vertex;
        least = gap < least ? gap : least;
    }
    return least;
}

/* The gap of the lowest vertex */
static tc_real lowest_foot3(const foot3_run *run)
{
    uint32_t vertex;
    return tci_foot3_lowest(run->foot, &run->foot->plane, &run->next, &vertex);
}

/* Moves the body out along the normal. */
static LEARNED3_APART void lift_foot3(foot3_run *run, tc_real depth)
{
    for (uint32_t k = 0; k < 3u; k++) {
        run->next.position[k] += depth * run->foot->plane.normal[k];
    }
}

LEARNED3_APART tc_real tci_foot3_share(const tc_foot3 *foot, const tc_plane3 *plane,
                                       const tc_body3_state *state, tc_real left, tc_real sink)
{
    const tc_real *const normal = plane->normal, *const v = state->velocity;
    const tc_real height = tc_vec_dot3(normal, state->position) - plane->offset;
    const tc_real level = height - foot->shape.radius, fall = left * tc_vec_dot3(normal, v);
    tc_real R[9], down[3], across[3], turn[3], first = TC_C(1.0);
    tc_vec_rotation(state->orientation, R);
    tc_mat3_vec_t(R, normal, down);
    tc_vec_cross(normal, v + 3, across); /* n . (omega x r) = r . (n x omega) */
    tc_mat3_vec_t(R, across, turn);
    for (uint32_t i = 0; i < foot->shape.count; i++) {
        const tc_real *const vertex = foot->shape.vertices + 3u * i;
        const tc_real gap = tc_vec_not_negative(level + tc_vec_dot3(down, vertex));
        const tc_real moved = TC_MLA(fall, left, tc_vec_dot3(turn, vertex));
        if (gap + first * moved < -sink) {
            first = gap / -moved;
        }
    }
    return first;
}

static LEARNED3_APART tc_real share_foot3(void *mover, tc_real left)
{
    const foot3_run *const run = mover;
    return tci_foot3_share(run->foot, &run->foot->plane, &run->next, left, SINK_FOOT3);
}

void tci_foot3_to_world(const tc_patch3 *patch, const tc_real in[6], tc_real out[6])
{
    tc_mat3_vec_t(&patch->frame[0][0], in, out);
    tc_mat3_vec_t(&patch->frame[0][0], in + 3, out + 3);
}

/* ---- Velocities ------------------------------------------------------------------------------ */

/* The applied force of a time */
static LEARNED3_APART void apply_force(foot3_run *run, tc_real time, const tc_real *force)
{
    tc_real kick[6];
    for (uint32_t k = 0; k < 6u; k++) {
        kick[k] = time * force[k];
    }
    tc_body3_kick_core(&run->foot->body, run->next.orientation, kick, run->next.velocity);
}

/* From here on next.velocity is the mean of the `time` to come, which the contacts are asked
 * about. */
static LEARNED3_APART void begin_turn(foot3_run *run, tc_real time)
{
    tc_body3_turn_begin_core(&run->foot->body, time, run->next.orientation, run->next.velocity,
                             &run->turn);
}

/* The state of now with the step's force, at the beginning of a turn */
static void begin_step(foot3_run *run, const tc_real *force)
{
    run->next = *run->state;
    if (force != NULL) {
        apply_force(run, run->foot->step, force);
    }
    begin_turn(run, run->foot->step);
}

/* What is within `margin` of the plane now, at the beginning of a turn */
static void detect_foot3(foot3_run *run, tc_real margin)
{
    const tc_foot3 *const foot = run->foot;
    tc_detect3_turned(&foot->shape, run->next.position, run->turn.R, &foot->plane, margin,
                      &run->patch);
}

/* What each contact's velocity has to exceed besides 0: of one that bounces restitution times its
 * approach, whatever its gap; of the others gap / h, if asked for. */
static LEARNED3_APART void offsets_foot3(foot3_run *run, int with_gap)
{
    const tc_foot3 *const foot = run->foot;
    tc_learned3_problem *const problem = &run->problem;
    for (uint32_t i = 0; i < problem->patch->count; i++) {
        tc_real u[3];
        learned3_contact(problem->velocity, problem->patch->arm[i], -problem->height, u);
        const tc_real bounce = foot->restitution * u[2];
        problem->offset[i] = bounce < -TC_LEARNED_BOUNCE_MIN ? bounce
                             : with_gap                      ? run->patch.gap[i] / foot->step
                                                             : TC_C(0.0);
    }
}

LEARNED3_APART void tci_foot3_report(tc_real mass, const tc_patch3 *patch, tc_foot3_info *info)
{
    tc_learned3_result *const contact = &info->contact;
    for (uint32_t k = 0; k < 3u; k++) {
        contact->friction[k] *= mass;
    }
    for (uint32_t k = 0; k < 6u; k++) {
        contact->impulse[k] *= mass;
    }
    for (uint32_t i = 0; i < patch->count; i++) {
        contact->normal[i] *= mass;
    }
    info->count = patch->count;
    memcpy(info->vertex, patch->vertex, sizeof info->vertex);
    tci_foot3_to_world(patch, contact->impulse, info->impulse);
}

/* What compliance asks of each contact: tc_learned3_soft.c. */
static LEARNED3_APART void soften_contacts(foot3_run *run)
{
    const tc_foot3 *const foot = run->foot;
    const tc_compliance *const c = &foot->compliance;
    const tc_real h = foot->step, each = TC_C(1.0) / c->stiffness;
    tc_learned3_soft *const soft = &run->soft;
    soft->spring = c->stiffness / foot->body.mass;
    soft->step = h;
    for (uint32_t i = 0; i < run->patch.count; i++) {
        const tc_real depth = tc_vec_not_negative(-run->patch.gap[i]);
        const tc_real time = TC_C(1.0) / TC_MLA(TC_MLA(h, c->damping, each), c->slope, depth);
        soft->yield[i] = time / (h * soft->spring);
        run->problem.offset[i] = run->patch.gap[i] * time;
    }
    run->problem.soft = soft;
}

static int make_problem(foot3_run *run)
{
    return tc_learned3_problem_make(&run->problem, &run->patch, &run->foot->body, &run->next, NULL);
}

/* Of a body that lies across the plane, far into it or (GAP) far above it, the lowest contacts */
static LEARNED3_APART int make_lowest(foot3_run *run)
{
    tc_learned3_reduce(&run->problem, &run->patch);
    return run->patch.count > 0u && make_problem(run);
}

/* Algorithm 1 for run->patch and the velocity of run->next. */
static tc_status respond_foot3(void *mover, int with_gap)
{
    foot3_run *const run = mover;
    const tc_foot3 *const foot = run->foot;
    tc_learned3_result *const result = &run->info->contact;
    if (run->patch.count == 0u) {
        return TC_OK;
    }
    if (!make_problem(run) && !make_lowest(run)) {
        return TC_ERR_RANGE;
    }
    if (is_soft(foot)) {
        soften_contacts(run);
    } else if (with_gap || foot->restitution > TC_C(0.0)) {
        offsets_foot3(run, with_gap);
    }
    const tc_status status = tc_learned3_solve(&foot->model, &foot->sweeps, &run->problem,
                                               run->warm, result, run->work, run->work_len);
    if (status < TC_OK) {
        return status;
    }
    tci_foot3_to_world(&run->patch, result->velocity, run->next.velocity);
    tc_body3_turn_strike_core(&run->turn);
    tci_foot3_report(foot->body.mass, &run->patch, run->info);
    return status;
}

/* ---- Position schemes ------------------------------------------------------------------------ */

/* A share of the turn's time [s], positions moved by drift[6] besides; null: none */
static LEARNED3_APART void move_foot3(foot3_run *run, tc_real time, tc_real share,
                                      const tc_real *drift)
{
    tc_body3_state *const next = &run->next;
    TC_MAT_UNROLLED
    for (uint32_t k = 0; k < 3u; k++) {
        const tc_real speed = drift != NULL ? next->velocity[k] + drift[k] : next->velocity[k];
        next->position[k] = TC_MLA(next->position[k], share * time, speed);
    }
    tc_body3_turn_end_core(&run->foot->body, &run->turn, time, share,
                           drift != NULL ? drift + 3 : NULL, next->velocity, next->orientation);
}

static void find_foot3(void *mover)
{
    detect_foot3(mover, TC_C(0.0));
}

/* DART's position correction, added to the pose's motion */
static LEARNED3_APART tc_status push_out_foot3(foot3_run *run)
{
    const tc_patch3 *const patch = &run->patch;
    tc_real speed[TC_PATCH_MAX], local[6], d[6];
    for (uint32_t i = 0; i < patch->count; i++) {
        speed[i] = tci_scheme_push_speed(patch->gap[i], run->foot->step);
    }
    const tc_status status = tc_learned3_rise(&run->problem, speed, local, run->work);
    tci_foot3_to_world(patch, local, d);
    move_foot3(run, run->foot->step, TC_C(1.0), d);
    return status;
}

static tc_status push_foot3(void *mover)
{
    foot3_run *const run = mover;
    if (run->patch.count == 0u) {
        move_foot3(run, run->foot->step, TC_C(1.0), NULL);
        return TC_OK;
    }
    if (push_out_foot3(run) == TC_OK) {
        return TC_OK;
    }
    run->info->contact.flags |= (uint32_t)TC_LEARNED_FALLBACK;
    return TC_NOTE_FALLBACK;
}

/* Algorithm 1 for what is touched; what it adds up with in `info` is of the touch before. */
static tc_status respond_there_foot3(foot3_run *run)
{
    tc_foot3_info *const info = run->info;
    const tc_learned3_result *const contact = &info->contact;
    const uint32_t flags = contact->flags, ratios = contact->ratios, classes = contact->classes;
    tc_real impulse[6];
    memcpy(impulse, info->impulse, sizeof impulse);
    const tc_status status = respond_foot3(run, 0);
    if (status >= TC_OK) {
        info->contact.flags |= flags;
        info->contact.ratios += ratios;
        info->contact.classes += classes;
        for (uint32_t k = 0; k < 6u; k++) {
            info->impulse[k] += impulse[k];
        }
    }
    return status;
}

static tc_status touch_foot3(void *mover, tc_real left, tc_real share)
{
    foot3_run *const run = mover;
    if (run->patch.count > 0u) { /* there was a patch, and another will come */
        run->warm = NULL;
    }
    tc_body3_turn_strike_core(&run->turn);
    move_foot3(run, left, share, NULL);
    begin_turn(run, left - share * left);
    const tc_real level = tc_vec_not_negative(lowest_foot3(run));
    detect_foot3(run, TC_MLA(level + TCI_SCHEME_TOUCH, ABOVE, level));
    return run->patch.count > 0u ? respond_there_foot3(run) : TC_ERR_RANGE;
}

/* Without a contact it lifts however deep: what turning exactly differs from the straight way. */
static LEARNED3_APART tc_status settle_foot3(void *mover, tc_real left, int ahead, int *deep)
{
    foot3_run *const run = mover;
    const tc_body3_state before = run->next;
    move_foot3(run, left, TC_C(1.0), NULL);
    const tc_real depth = tc_vec_not_negative(-lowest_foot3(run));
    *deep = depth > TCI_SCHEME_ROUNDING && !(ahead && run->patch.count == 0u);
    if (*deep) {
        run->next = before;
    } else {
        lift_foot3(run, depth);
    }
    return TC_OK;
}

static LEARNED3_APART void wait_foot3(void *mover, tc_real left, tc_real share)
{
    foot3_run *const run = mover;
    if (run->patch.count == 0u) { /* part of a free turn is no turn by its own midpoint */
        tc_body3_turn_strike_core(&run->turn);
    }
    move_foot3(run, left, share, NULL);
    lift_foot3(run, tc_vec_not_negative(-lowest_foot3(run)));
}

static const tci_scheme_mover scheme_foot3 = {find_foot3,  foresee_foot3, respond_foot3,
                                              push_foot3,  settle_foot3,  share_foot3,
                                              touch_foot3, wait_foot3};

static int finite_state_foot3(const tc_body3_state *state)
{
    const tc_real pose = tc_vec_zero(state->position, 3) + tc_vec_zero(state->orientation, 4);
    return pose + tc_vec_zero(state->velocity, 6) == TC_C(0.0);
}

/* Whether a step may fail when `warm` is new already: TOC and GAP may respond twice, and a long
 * step may lead out of all numbers. DART responds once, with speeds below 1e25 (tc_learned3.c),
 * which in LONG_STEP move the largest position by less than its rounding. What is not looked for,
 * to spare the copy: bodies of micrometres that turn by 1e9 rad in a step, whose turn may end in no
 * number. */
static int fails_late(const tc_foot3 *foot)
{
    return is_soft(foot) || foot->positions != TC_SCHEME_DART || foot->step > LONG_STEP;
}

static tc_real gap_of_vertex(const tc_foot3 *foot, const tc_body3_state *state, uint32_t i)
{
    const tc_real *const normal = foot->plane.normal;
    tc_real R[9], down[3];
    tc_vec_rotation(state->orientation, R);
    tc_mat3_vec_t(R, normal, down);
    const tc_real height = tc_vec_dot3(normal, state->position) - foot->plane.offset;
    return (height - foot->shape.radius) + tc_vec_dot3(down, foot->shape.vertices + 3u * i);
}

static int is_contact(const tc_patch3 *patch, uint32_t vertex)
{
    for (uint32_t k = 0; k < patch->count; k++) {
        if (patch->vertex[k] == vertex) {
            return 1;
        }
    }
    return 0;
}

/* Vertices that the contact of others has pressed below the plane join the patch, as many as it
 * holds; returns how many. */
static LEARNED3_APART uint32_t add_missed(foot3_run *run)
{
    const tc_foot3 *const foot = run->foot;
    const tc_real *const normal = foot->plane.normal;
    tc_patch3 *const patch = &run->patch;
    const uint32_t before = patch->count;
    tc_real R[9], down[3];
    tc_vec_rotation(run->next.orientation, R);
    tc_mat3_vec_t(R, normal, down);
    const tc_real height = tc_vec_dot3(normal, run->next.position) - foot->plane.offset;
    const tc_real level = (height - foot->shape.radius) + TCI_SCHEME_ROUNDING;
    for (uint32_t i = 0; i < foot->shape.count && patch->count < TC_PATCH_MAX; i++) {
        const tc_real gap = level + tc_vec_dot3(down, foot->shape.vertices + 3u * i);
        if (gap < TC_C(0.0) && !is_contact(patch, i) && gap < gap_of_vertex(foot, run->state, i)) {
            patch->vertex[patch->count++] = i;
        }
    }
    return patch->count - before;
}

/* Springs carry what is below the plane: no touch to look for, and nothing to lift. Where vertices
 * were missed, the step is made again with them. */
static tc_status step_soft(foot3_run *run, const tc_real *force)
{
    const tc_foot3 *const foot = run->foot;
    tc_status status = TC_OK;
    find_ahead(run);
    for (uint32_t round = 0; status >= TC_OK; round++) {
        status = respond_foot3(run, 0);
        if (status < TC_OK) {
            break;
        }
        move_foot3(run, foot->step, TC_C(1.0), NULL);
        if (run->patch.count == 0u || round == SOFT_ROUNDS || add_missed(run) == 0u) {
            break;
        }
        run->patch.dimension = run->patch.count > 2u ? 2u : 1u;
        begin_step(run, force);
        tci_foot3_place(foot, &foot->plane, &run->next, &run->patch);
    }
    return status;
}

LEARNED_INLINE tc_status step_positions(foot3_run *run, const tc_real *force, tc_real *waited)
{
    if (!is_soft(run->foot)) {
        return tci_scheme_step(&scheme_foot3, run, run->foot->positions, run->foot->step, waited);
    }
    *waited = TC_C(0.0);
    return step_soft(run, force);
}

/* The step; the force of the time that was waited at its end is taken back. TC_ERR_RANGE: it leads
 * to no state. If it fails, `warm` is as it was. */
static tc_status step_foot3(foot3_run *run, const tc_real *force)
{
    const tc_foot3 *const foot = run->foot;
    tc_learned3_warm *const warm = fails_late(foot) ? run->warm : NULL;
    tc_learned3_warm before;
    if (warm != NULL) {
        before = *warm;
    }
    begin_step(run, force);
    if (foot->positions == TC_SCHEME_TOC) {
        run->patch.count = 0;
        memset(run->info, 0, sizeof *run->info);
    }
    tc_real waited;
    tc_status status = step_positions(run, force, &waited);
    if (waited > TC_C(0.0) && force != NULL) {
        apply_force(run, -waited, force);
    }
    run->info->waited = waited;
    if (status >= TC_OK && !finite_state_foot3(&run->next)) {
        status = TC_ERR_RANGE;
    }
    if (status < TC_OK && warm != NULL) {
        *warm = before;
    }
    return status;
}

/* ---- Public ---------------------------------------------------------------------------------- */

/* Without a contact, or after an error, `info` says so; flight ends what `warm` knows. */
static tc_status finish_foot3(const foot3_run *run, tc_status status)
{
    tc_foot3_info *const info = run->info;
    if (info != NULL && (status < TC_OK || run->patch.count == 0u)) {
        memset(info, 0, sizeof *info);
        info->contact.branch = info->contact.said = TC_LEARNED_NONE;
    }
    if (status >= TC_OK && run->warm != NULL && run->patch.count == 0u) {
        memset(run->warm, 0, sizeof *run->warm);
    }
    return status;
}

/* 1 / R = h (h k + c) / m at the surface, and as deep as a step may lead. A NaN is out of range. */
static int compliance_in_range(const tc_foot3 *foot)
{
    const tc_compliance *const c = &foot->compliance;
    if (!(c->stiffness > TC_C(0.0))) {
        return c->stiffness == TC_C(0.0);
    }
    const tc_real push = foot->step * TC_MLA(c->damping, foot->step, c->stiffness);
    return c->damping >= TC_C(0.0) && c->slope >= TC_C(0.0) && c->slope <= SLOPE_MOST
           && push >= SOFTEST * foot->body.mass && push <= STIFFEST * foot->body.mass;
}

LEARNED_INLINE tc_status check_fields_foot3(const tc_foot3 *foot)
{
    if (foot == NULL || foot->shape.vertices == NULL) {
        return TC_ERR_NULL;
    }
    const tc_real *const I = foot->body.inertia, mass = foot->body.mass;
    if (!(mass > TC_C(0.0) && I[0] > TC_C(0.0) && I[1] > TC_C(0.0) && I[2] > TC_C(0.0))
        || tc_vec_zero(I, 3) * mass != TC_C(0.0)) {
        return TC_ERR_BODY;
    }
    const tc_real e = foot->restitution;
    if (!(foot->step > TC_C(0.0) && e >= TC_C(0.0) && e <= TC_C(1.0))) {
        return TC_ERR_RANGE;
    }
    if (foot->shape.count - 1u >= TC_SHAPE_MAX) {
        return TC_ERR_SIZE;
    }
    if (foot->positions > TC_SCHEME_GAP) {
        return TC_ERR_UNSUPPORTED;
    }
    if (!compliance_in_range(foot)) {
        return TC_ERR_RANGE;
    }
    return tc_vec_is_unit(foot->plane.normal, 3) ? TC_OK : TC_ERR_UNIT;
}

/* The lever of a vertex as tc_learned.h has it, for any direction that the rounding may take; and
 * what rounding may add to it in other axes. */
static int lever_in_range(const tc_foot3 *foot, const tc_real *vertex)
{
    tc_real square[3], sum = TC_C(0.0), whole = TC_C(0.0);
    for (uint32_t k = 0; k < 3u; k++) {
        const tc_real r = tc_vec_magnitude(vertex[k]) + foot->shape.radius;
        square[k] = r * r;
    }
    for (uint32_t k = 0; k < 3u; k++) {
        const tc_real mobility = foot->body.mass / foot->body.inertia[k];
        const tc_real across = square[(k + 1u) % 3u] + square[(k + 2u) % 3u];
        sum = TC_MLA(sum, mobility, across);
        whole = TC_MLA(whole, mobility, across + square[k]);
    }
    return TC_MLA(sum, TC_C(16.0) * TC_EPSILON, whole)
           <= TC_LEARNED_LEVER_MAX * TC_LEARNED_LEVER_MAX;
}

tc_status tc_foot3_check(const tc_foot3 *foot)
{
    tc_status status = check_fields_foot3(foot);
    status = status < TC_OK ? status : tc_shape3_check(&foot->shape);
    status = status < TC_OK ? status : tc_learned3_check_solve(&foot->model, &foot->sweeps, 1);
    if (status < TC_OK) {
        return status;
    }
    int in_range = foot->step >= TC_LEARNED_STEP_MIN && tc_body3_in_range(&foot->body);
    for (uint32_t i = 0; i < foot->shape.count; i++) {
        in_range = in_range && lever_in_range(foot, foot->shape.vertices + 3u * i);
    }
    return in_range ? TC_OK : TC_ERR_RANGE;
}

tc_status tc_foot3_init(tc_foot3 *foot, const tc_body3 *body, tc_real step,
                        const tc_learned3_model *model)
{
    if (foot == NULL) {
        return TC_ERR_NULL;
    }
    memset(foot, 0, sizeof *foot);
    if (body == NULL || model == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status = tc_body3_check(body);
    if (status < TC_OK) {
        return status;
    }
    if (!tc_all_finite(&step, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    if (step < TC_LEARNED_STEP_MIN || !tc_body3_in_range(body)) {
        return TC_ERR_RANGE;
    }
    foot->body = *body;
    foot->step = step;
    foot->plane.normal[2] = TC_C(1.0);
    foot->sweeps = tc_learned3_sweeps_default();
    foot->model = *model;
    return TC_OK;
}

/* Inputs that are not finite lead to a next state that is not, or to a problem that is refused, and
 * never into the model; so they are looked for only when something went wrong. */
static tc_status explain_foot3(const tc_body3_state *state, const tc_real *force, tc_status status)
{
    if (!finite_state_foot3(state) || (force != NULL && tc_vec_zero(force, 6) != TC_C(0.0))) {
        return TC_ERR_NOT_FINITE;
    }
    return status;
}

/* The workspace; without the caller's info one behind what the solve needs of it. */
static tc_status take_work(foot3_run *run)
{
    const uint32_t model_work = run->foot->model.work_len;
    if (run->work == NULL) {
        return TC_ERR_NULL;
    }
    const tc_status status =
        tc_work_check(run->work, run->work_len, TC_FOOT3_WORK((size_t)model_work));
    if (status >= TC_OK && run->info == NULL) {
        run->info = (tc_foot3_info *)(void *)(run->work + TC_LEARNED3_WORK(model_work));
    }
    return status;
}

/* A run of checked arguments. TC_ERR_...: none, and `info` says so. */
static tc_status take_run(foot3_run *run, const tc_foot3 *foot, const tc_real *force,
                          const tc_body3_state *state)
{
    tc_status status = check_fields_foot3(foot);
    if (status >= TC_OK && state == NULL) {
        status = TC_ERR_NULL;
    }
    if (status >= TC_OK && !tc_vec_is_unit(state->orientation, 4)) {
        status = explain_foot3(state, force, TC_ERR_UNIT);
    }
    return status >= TC_OK ? take_work(run) : status;
}

tc_status tc_foot3_step(const tc_foot3 *foot, const tc_real *force, tc_body3_state *state,
                        tc_learned3_warm *warm, tc_foot3_info *info, tc_real *work, size_t work_len)
{
    foot3_run run;
    run.foot = foot;
    run.warm = warm;
    run.info = info;
    run.work = work;
    run.work_len = work_len;
    tc_status status = take_run(&run, foot, force, state);
    if (status < TC_OK) {
        return finish_foot3(&run, status);
    }
    run.state = state;
    status = step_foot3(&run, force);
    if (status < TC_OK) {
        return finish_foot3(&run, explain_foot3(state, force, status));
    }
    *state = run.next;
    return finish_foot3(&run, status);
}

tc_status tc_foot3_respond(const tc_foot3 *foot, tc_body3_state *state, tc_learned3_warm *warm,
                           tc_foot3_info *info, tc_real *work, size_t work_len)
{
    foot3_run run;
    tc_learned3_warm before;
    run.foot = foot;
    run.warm = warm;
    run.info = info;
    run.work = work;
    run.work_len = work_len;
    tc_status status = take_run(&run, foot, NULL, state);
    if (status < TC_OK) {
        return finish_foot3(&run, status);
    }
    if (warm != NULL) {
        before = *warm;
    }
    run.state = state;
    run.next = *state;
    begin_turn(&run, TC_C(0.0));
    detect_foot3(&run, TCI_SCHEME_TOUCH);
    run.info->waited = TC_C(0.0);
    status = respond_foot3(&run, 0);
    if (status >= TC_OK && !finite_state_foot3(&run.next)) {
        status = TC_ERR_RANGE;
    }
    if (status < TC_OK) {
        if (warm != NULL) {
            *warm = before;
        }
        return finish_foot3(&run, explain_foot3(state, NULL, status));
    }
    memcpy(state->velocity, run.next.velocity, sizeof state->velocity);
    return finish_foot3(&run, status);
}
