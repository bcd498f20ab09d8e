/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The function that a step minimises: its value, its derivatives, and the proof that nothing is
 * crossed on the way from one iterate to the next.
 *
 * Planes. The best plane p of a pair moves with its poses at the rate dp/dq. A trial at a share of
 * the direction starts from the plane that this predicts: Newton's method in poses and planes
 * together, with the planes eliminated.
 *
 * Nothing is crossed. Along the way, share s in 0..1, poses and plane move together from one trial
 * to the next. A vertex x of body a with the clearance u(s) = <x - m, n> + offset - r |n| has
 *
 *     u'' = 2 <x' - m', n'> + <x'' - m'', n> - r |n|'',   |n| convex in s,  |n| <= 1
 *
 * so u(s) >= (1 - s) u(0) + s u(1) - s (1 - s) C for
 *
 *     C = |x' - m'| |n'| + (|x''| + |m''|) / 2
 *
 * above 0 all along if C < (sqrt u(0) + sqrt u(1))^2. A body that turns by W and whose
 * centre accelerates by at most a has |x''| <= reach W^2 + a.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

#include <string.h>

/* Rounding of a clearance, per size of what it is computed from: a trial has to keep more than that,
 * so that its end is apart in exact numbers. */
static const tc_real rounding_share = TC_C(8.0) * TC_EPSILON;

/* How far a plane's Q may be above the best one's, as a share: at rounding; on the way there, where the
 * plane follows together with the poses */
static const tc_real best_share = TC_C(0.5) * TC_EPSILON;
static const tc_real rough_share = TC_C(1e-3);

/* Whether clearances u and v at both ends and the curvature C leave room between. */
static int stays_apart(tc_real u, tc_real v, tc_real C)
{
    const tc_real excess = C - (u + v);
    if (!(u > TC_C(0.0)) || !(v > TC_C(0.0))) return 0;
    return excess <= TC_C(0.0) || excess * excess < TC_C(4.0) * u * v;
}

/* A body's speed and acceleration bounds at a share of the direction */
typedef struct body_swing {
    tc_real turn, bend;
} body_swing;

static body_swing swing_of(const tci_implicit_run *run, uint32_t body, tc_real share)
{
    const body_swing swing = {share * run->bound[2u * body],
                              share * share * run->bound[2u * body + 1u]};
    return swing;
}

/* In the plane: rows of rates times both bodies' moves */
static void predict_plane2(const tc_real *rate, const tc_real *a, const tc_real *b, tc_real share,
                           tc_real *plane)
{
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 3u; ++i, rate += 6) {
        tc_real change = rate[0] * a[0];
        change = TC_MLA(TC_MLA(change, rate[1], a[1]), rate[2], a[2]);
        change = TC_MLA(TC_MLA(change, rate[3], b[0]), rate[4], b[1]);
        plane[i] = TC_MLA(plane[i], share, TC_MLA(change, rate[5], b[2]));
    }
}

static void predict_plane3(const tc_real *rate, const tc_real *a, const tc_real *b, tc_real share,
                           tc_real *plane)
{
    for (uint32_t i = 0; i < 4u; ++i, rate += 12) {
        tc_real change = tci_implicit_dot(TC_C(0.0), rate, a, 6u);
        change = tci_implicit_dot(change, rate + 6, b, 6u);
        plane[i] = TC_MLA(plane[i], share, change);
    }
}

/* plane_trial = plane + shift + share rate (move_a, move_b) */
static void predict_plane(tci_implicit_run *run, uint32_t pair, uint32_t a, uint32_t b,
                          tc_real share)
{
    const uint32_t P = run->space->plane, F = run->space->chart, first = pair * P;
    const tc_real *const rate = run->rate + first * 2u * F, *const from = run->plane + first;
    tc_real *const plane = run->plane_trial + first;
    for (uint32_t i = 0; i < P; ++i) {
        plane[i] = run->fresh ? from[i] + run->shift[first + i] : from[i];
    }
    if (F == 3u) {
        predict_plane2(rate, run->move + 3u * a, run->move + 3u * b, share, plane);
    } else {
        predict_plane3(rate, run->move + 6u * a, run->move + 6u * b, share, plane);
    }
}

/* |x| + |y| + ... of a difference: no less than its length */
static tc_real span_of(const tc_real *a, const tc_real *b, uint32_t n)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) sum += tc_vec_magnitude(a[i] - b[i]);
    return sum;
}

/* How far a body's centre moved, as a vector */
static void moved_by(const tci_implicit_run *run, uint32_t body, tc_real *moved)
{
    const uint32_t at = body * run->space->pose + run->space->position;
    for (uint32_t i = 0; i < run->space->dimension; ++i) {
        moved[i] = run->at_trial[at + i] - run->at[at + i];
    }
}

/* Rounding of a pair's clearances */
static tc_real margin_of(const tci_implicit_run *run, uint32_t pair)
{
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t a = scene->pair[pair].a, b = scene->pair[pair].b;
    const uint32_t place = run->space->position, stride = run->space->pose;
    const tc_real *const at = run->at_trial + place;
    return rounding_share
           * (run->reach[a] + run->reach[b]
              + span_of(at + scene->piece[a].body * stride, at + scene->piece[b].body * stride,
                        run->space->dimension));
}

static int certify_pair(tci_implicit_run *run, uint32_t pair, tc_real share)
{
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t P = run->space->plane, D = run->space->dimension;
    const uint32_t pieces[2] = {scene->pair[pair].a, scene->pair[pair].b};
    const uint32_t a = scene->piece[pieces[0]].body, b = scene->piece[pieces[1]].body;
    const body_swing swing[2] = {swing_of(run, a, share), swing_of(run, b, share)};
    tc_real moved_a[3], moved_b[3];
    tc_real clear[2];
    predict_plane(run, pair, a, b, share);
    if (!run->space->look(scene, pair, run->at_trial, run->plane_trial + pair * P,
                          tci_implicit_sums(run->sums_trial, pair), clear)) {
        return 0;
    }
    const tc_real margin = margin_of(run, pair);
    moved_by(run, a, moved_a);
    moved_by(run, b, moved_b);
    const tc_real swerve = TC_C(0.5) * (swing[0].bend + swing[1].bend);
    const tc_real apart = TC_C(0.5) * span_of(moved_a, moved_b, D) + swerve;
    const tc_real tilt = span_of(run->plane_trial + pair * P, run->plane + pair * P, D);
    for (uint32_t side = 0; side < 2u; ++side) {
        const tc_real W = swing[side].turn, round = run->reach[pieces[side]] * W;
        const tc_real C =
            (apart + round) * tilt + TC_C(0.5) * (round * W + swing[side].bend + swerve);
        if (!stays_apart(run->clear[2u * pair + side], clear[side] - margin, C)) return 0;
    }
    return 1;
}

int tci_implicit_meets_floors(const tci_implicit_run *run, uint32_t piece)
{
    uint32_t b = run->scene->piece[piece].body;
    while (b != TC_IMPLICIT_WORLD && run->scene->body[b].joint == TC_IMPLICIT_WELD) {
        b = run->scene->body[b].parent;
    }
    return b != TC_IMPLICIT_WORLD;
}

/* Adds the floors' values at the trial; 0: a piece touches one, which is the culprit */
static int rise_all(tci_implicit_run *run)
{
    const tc_implicit_scene *const scene = run->scene;
    for (uint32_t f = 0; f < scene->floors; ++f) {
        for (uint32_t p = 0; p < scene->pieces; ++p) {
            const uint32_t number = f * scene->pieces + p;
            tc_real height = TC_C(1e30);
            if (tci_implicit_meets_floors(run, p)) {
                run->value_trial +=
                    run->space->rise(scene, f, p, run->at_trial, &height, NULL, NULL);
            }
            run->clear_trial[2u * scene->pairs + number] = height;
            if (height < run->gap_trial) run->gap_trial = height;
            if (height > TC_C(0.0)) continue;
            run->culprit = scene->pairs + number;
            return 0;
        }
    }
    return 1;
}

/* Numbers of which a height is the difference */
static tc_real size_above(const tci_implicit_run *run, uint32_t floor, uint32_t piece)
{
    const uint32_t at = run->scene->piece[piece].body * run->space->pose + run->space->position;
    tc_real sum = tc_vec_magnitude(run->scene->floor[floor].offset);
    for (uint32_t i = 0; i < run->space->dimension; ++i) {
        sum += tc_vec_magnitude(run->at_trial[at + i] * run->scene->floor[floor].normal[i]);
    }
    return sum;
}

static int certify_floors(const tci_implicit_run *run, tc_real share)
{
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t start = 2u * scene->pairs;
    for (uint32_t f = 0; f < scene->floors; ++f) {
        for (uint32_t p = 0; p < scene->pieces; ++p) {
            const uint32_t number = start + f * scene->pieces + p;
            const body_swing swing = swing_of(run, scene->piece[p].body, share);
            const tc_real C = TC_C(0.5) * (run->reach[p] * swing.turn * swing.turn + swing.bend);
            const tc_real margin = rounding_share * (run->reach[p] + size_above(run, f, p));
            if (!stays_apart(run->clear[number], run->clear_trial[number] - margin, C)) return 0;
        }
    }
    return 1;
}

/* A pair's size: its farthest vertex with the radius */
static tc_real size_of_pair(const tci_implicit_run *run, uint32_t pair)
{
    const uint32_t a = run->scene->pair[pair].a, b = run->scene->pair[pair].b;
    return tc_vec_max(run->reach[a] + run->scene->piece[a].set.radius,
                      run->reach[b] + run->scene->piece[b].set.radius);
}

/* Adds a pair's value and gap to those of the trial */
static void count_pair(tci_implicit_run *run, uint32_t pair, tc_real value, tc_real gap)
{
    if (gap < TC_BARRIER_PRECISE * size_of_pair(run, pair)) run->note_trial = TC_NOTE_PRECISION;
    if (gap < run->gap_trial) run->gap_trial = gap;
    run->value_trial = TC_MLA(run->value_trial, run->scene->weight, value);
}

/* Adds a pair's value at the trial's poses; plane and clearances become those of the best, or of one
 * that is as near to it as `share` says */
static tc_status minimise_pair(tci_implicit_run *run, uint32_t pair, tc_real share)
{
    const uint32_t P = run->space->plane;
    tci_implicit_found found;
    const tc_status status = run->space->solve(run->scene, pair, run->at_trial, share,
                                               tci_implicit_sums(run->sums_trial, pair),
                                               tci_implicit_sums(run->spare, 0u), &found);
    run->culprit = pair;
    if (status < TC_OK) return status;
    if (status > TC_OK) run->note_trial = status;
    if (found.excess > best_share) run->rough_trial = 1;
    count_pair(run, pair, found.value, found.gap);
    for (uint32_t i = 0; i < P; ++i) run->plane_trial[pair * P + i] = found.plane[i];
    for (uint32_t i = 0; i < 2u; ++i) run->clear_trial[2u * pair + i] = found.clear[i];
    return TC_OK;
}

/* The same of balls; planes are left to the record. */
static tc_status minimise_balls(tci_implicit_run *run, uint32_t pair)
{
    tc_real gap;
    const tc_real value = tci_implicit_meet_balls(run, pair, &gap);
    run->culprit = pair;
    if (!(gap > TC_C(0.0))) return TC_ERR_TOUCHING;
    count_pair(run, pair, value, gap);
    return TC_OK;
}

/* A pair at the trial, from the iterate on */
static int try_pair(tci_implicit_run *run, uint32_t pair, tc_real share)
{
    if (!tci_implicit_are_balls(run, pair)) {
        return certify_pair(run, pair, share) && minimise_pair(run, pair, rough_share) >= TC_OK;
    }
    return tci_implicit_pass_balls(run, pair, margin_of(run, pair))
           && minimise_balls(run, pair) >= TC_OK;
}

/* All pairs at the state; warm: planes to begin with, or NULL */
static tc_status solve_pairs(tci_implicit_run *run, const tc_real *warm)
{
    tc_real clear[2];
    for (uint32_t p = 0; p < run->scene->pairs; ++p) {
        const int balls = tci_implicit_are_balls(run, p);
        const int known =
            !balls && warm != NULL
            && run->space->look(run->scene, p, run->at_trial, warm + p * run->space->plane,
                                tci_implicit_sums(run->sums_trial, p), clear);
        const tc_status status =
            balls ? minimise_balls(run, p) : minimise_pair(run, p, known ? best_share : TC_C(-1.0));
        if (status < TC_OK) return status;
    }
    return TC_OK;
}

/* The value beside pairs and floors */
static tc_real value_of_bodies(tci_implicit_run *run, const tc_real *q, const tc_real *at)
{
    const tc_implicit_space *const space = run->space;
    const tc_implicit_scene *const scene = run->scene;
    tc_real value = tci_implicit_drive(run, q);
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        value += space->carry(scene, &scene->body[b], run->coast + b * space->target,
                              run->at_now + b * space->pose, at + b * space->pose, NULL, NULL);
    }
    for (uint32_t p = 0; p < scene->pairs; ++p) {
        if (scene->pair[p].friction > TC_C(0.0)) value += tci_implicit_rub(run, p, at, NULL);
    }
    for (uint32_t f = 0; f < scene->floors; ++f) {
        for (uint32_t p = 0; p < scene->pieces && scene->floor[f].friction > TC_C(0.0); ++p) {
            if (tci_implicit_meets_floors(run, p))
                value += tci_implicit_scrape(run, f, p, at, NULL, NULL);
        }
    }
    return value;
}

static void measure_reach(tci_implicit_run *run)
{
    const uint32_t D = run->space->dimension;
    run->balls = 0;
    for (uint32_t p = 0; p < run->scene->pieces; ++p) {
        const tc_barrier_set *const set = &run->scene->piece[p].set;
        tc_real most = TC_C(0.0);
        for (uint32_t i = 0; i < set->count; ++i) {
            const tc_real *const x = set->vertices + D * i;
            const tc_real square = tci_implicit_dot(TC_C(0.0), x, x, D);
            if (square > most) most = square;
        }
        run->reach[p] = tc_sqrt(most);
        run->balls |= set->count == 1u && most == TC_C(0.0);
    }
}

static void swap_arrays(tc_real **a, tc_real **b)
{
    tc_real *const kept = *a;
    *a = *b;
    *b = kept;
}

void tci_implicit_accept(tci_implicit_run *run)
{
    swap_arrays(&run->q, &run->q_trial);
    swap_arrays(&run->at, &run->at_trial);
    swap_arrays(&run->plane, &run->plane_trial);
    swap_arrays(&run->clear, &run->clear_trial);
    swap_arrays(&run->sums, &run->sums_trial);
    run->value = run->value_trial;
    run->gap = run->gap_trial;
    run->note = run->note_trial;
    run->rough = run->rough_trial;
    run->fresh = 0;
    if (run->held) run->space->place(run->scene, run->q, run->at, run->axes);
}

/* Nothing is known of the trial. */
static void clear_trial(tci_implicit_run *run)
{
    run->value_trial = TC_C(0.0);
    run->gap_trial = TC_C(1e30);
    run->note_trial = TC_OK;
    run->rough_trial = 0;
}

/* The trial's poses and planes at poses and coordinates */
static tc_status place_trial(tci_implicit_run *run, const tc_real *at, const tc_real *q,
                             const tc_real *warm)
{
    const size_t poses = (size_t)run->scene->bodies * run->space->pose;
    memcpy(run->at_trial, at, poses * sizeof *run->at);
    memcpy(run->q_trial, q, run->sizes.coordinates * sizeof *run->q);
    clear_trial(run);
    return rise_all(run) ? solve_pairs(run, warm) : TC_ERR_TOUCHING;
}

tc_status tci_implicit_begin(tci_implicit_run *run, const tc_real *warm)
{
    const tc_implicit_space *const space = run->space;
    const uint32_t planes = tci_implicit_planes(run->scene);
    tci_implicit_number(run);
    measure_reach(run);
    (run->held ? space->place : space->mark)(run->scene, run->state + run->sizes.coordinates,
                                             run->at_before, NULL);
    space->place(run->scene, run->state, run->at_now, NULL);
    space->aim(run->scene, run->at_now, run->at_before, run->coast);
    const tc_status status = place_trial(run, run->at_now, run->state, warm);
    if (status < TC_OK) return status;
    if (tci_implicit_rubs(run->scene)) {
        memcpy(run->plane_now, run->plane_trial, planes * sizeof *run->plane);
    }
    run->value_trial += value_of_bodies(run, run->q_trial, run->at_trial);
    tci_implicit_accept(run);
    return TC_OK;
}

tc_status tci_implicit_refine(tci_implicit_run *run)
{
    const tc_status status = place_trial(run, run->at, run->q, run->plane);
    if (status < TC_OK) return status;
    run->value_trial += value_of_bodies(run, run->q_trial, run->at_trial);
    tci_implicit_accept(run);
    return TC_OK;
}

int tci_implicit_try(tci_implicit_run *run, tc_real share)
{
    tci_implicit_advance(run->scene, run->q, share, run->direction, run->q_trial);
    run->space->place(run->scene, run->q_trial, run->at_trial, NULL);
    clear_trial(run);
    if (!rise_all(run) || !certify_floors(run, share)) return 0;
    for (uint32_t p = 0; p < run->scene->pairs; ++p) {
        if (!try_pair(run, p, share)) return 0;
    }
    run->value_trial += value_of_bodies(run, run->q_trial, run->at_trial);
    return 1;
}

/* ---- Derivatives ----------------------------------------------------------------------------- */

static void derive_pair(tci_implicit_run *run, uint32_t pair)
{
    const tc_implicit_space *const space = run->space;
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t rates = 2u * space->chart * space->plane;
    const uint32_t a = scene->piece[scene->pair[pair].a].body;
    const uint32_t b = scene->piece[scene->pair[pair].b].body;
    tci_implicit_local local;
    if (tci_implicit_are_balls(run, pair)) {
        tci_implicit_press_balls(run, pair);
        return;
    }
    const tci_barrier_result result = {local.gradient, local.hessian, run->rate + pair * rates,
                                       scene->weight, run->shift + pair * space->plane};
    space->derive(scene, pair, run->at, tci_implicit_sums(run->sums, pair), &result);
    if (scene->pair[pair].friction > TC_C(0.0)) tci_implicit_rub(run, pair, run->at, &local);
    tci_implicit_add_pair(run, a, b, &local);
}

static void derive_floors(tci_implicit_run *run, uint32_t piece)
{
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t F = run->space->chart, body = scene->piece[piece].body;
    tc_real *const gradient = run->body_gradient + body * F;
    tc_real *const hessian = run->body_hessian + body * TCI_IMPLICIT_PACKED(F);
    if (!tci_implicit_meets_floors(run, piece)) return;
    for (uint32_t f = 0; f < scene->floors; ++f) {
        tc_real height;
        run->space->rise(scene, f, piece, run->at, &height, gradient, hessian);
        if (scene->floor[f].friction > TC_C(0.0)) {
            tci_implicit_scrape(run, f, piece, run->at, gradient, hessian);
        }
    }
}

void tci_implicit_derive(tci_implicit_run *run)
{
    const tc_implicit_space *const space = run->space;
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t F = space->chart, n = run->sizes.freedoms, packed = TCI_IMPLICIT_PACKED(F);
    const size_t sums = scene->bodies * (size_t)(F + packed) + n + TCI_IMPLICIT_PACKED((size_t)n);
    memset(run->body_gradient, 0, sums * sizeof(tc_real));
    for (uint32_t b = 0; b < scene->bodies; ++b) {
        space->carry(scene, &scene->body[b], run->coast + b * space->target,
                     run->at_now + b * space->pose, run->at + b * space->pose,
                     run->body_gradient + b * F, run->body_hessian + b * packed);
    }
    for (uint32_t p = 0; p < scene->pairs; ++p) derive_pair(run, p);
    for (uint32_t p = 0; p < scene->pieces; ++p) derive_floors(run, p);
    run->fresh = 1;
    tci_implicit_add_bodies(run);
    tci_implicit_drive_bend(run);
}

/* Where calls through a space's table go, for the check of the stack. */
/* tc_calls: derive_pair lib/barrier/tc_implicit2.c:derive_plane */
/* tc_calls: derive_pair lib/barrier/tc_implicit3.c:derive_space */
/* tc_calls: minimise_pair lib/barrier/tc_implicit2.c:solve_plane */
/* tc_calls: minimise_pair lib/barrier/tc_implicit3.c:solve_space */
/* tc_calls: place_trial lib/barrier/tc_implicit2.c:look_pair2 */
/* tc_calls: place_trial lib/barrier/tc_implicit3.c:look_pair3 */
/* tc_calls: place_trial lib/barrier/tc_implicit2.c:solve_plane */
/* tc_calls: place_trial lib/barrier/tc_implicit3.c:solve_space */
/* tc_calls: place_trial lib/barrier/tc_implicit2.c:rise_plane */
/* tc_calls: place_trial lib/barrier/tc_implicit3.c:rise_space */
/* tc_calls: rise_all lib/barrier/tc_implicit2.c:rise_plane */
/* tc_calls: rise_all lib/barrier/tc_implicit3.c:rise_space */
/* tc_calls: value_of_bodies lib/barrier/tc_implicit2.c:carry_plane */
/* tc_calls: value_of_bodies lib/barrier/tc_implicit3.c:carry_space */
/* tc_calls: tci_implicit_accept lib/barrier/tc_implicit2.c:place_plane */
/* tc_calls: tci_implicit_accept lib/barrier/tc_implicit3.c:place_space */
/* tc_calls: tci_implicit_begin lib/barrier/tc_implicit2.c:place_plane */
/* tc_calls: tci_implicit_begin lib/barrier/tc_implicit3.c:place_space */
/* tc_calls: tci_implicit_begin lib/barrier/tc_implicit2.c:aim_plane */
/* tc_calls: tci_implicit_begin lib/barrier/tc_implicit3.c:aim_space */
/* tc_calls: tci_implicit_begin lib/barrier/tc_implicit2.c:look_pair2 */
/* tc_calls: tci_implicit_begin lib/barrier/tc_implicit2.c:mark_plane */
/* tc_calls: tci_implicit_begin lib/barrier/tc_implicit3.c:look_pair3 */
/* tc_calls: tci_implicit_derive lib/barrier/tc_implicit2.c:rise_plane */
/* tc_calls: tci_implicit_derive lib/barrier/tc_implicit3.c:rise_space */
/* tc_calls: tci_implicit_derive lib/barrier/tc_implicit2.c:carry_plane */
/* tc_calls: tci_implicit_derive lib/barrier/tc_implicit3.c:carry_space */
/* tc_calls: tci_implicit_try lib/barrier/tc_implicit2.c:place_plane */
/* tc_calls: tci_implicit_try lib/barrier/tc_implicit3.c:place_space */
/* tc_calls: tci_implicit_try lib/barrier/tc_implicit2.c:look_pair2 */
/* tc_calls: tci_implicit_try lib/barrier/tc_implicit3.c:look_pair3 */
