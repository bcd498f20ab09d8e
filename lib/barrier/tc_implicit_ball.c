/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Two balls about the centres of free bodies need no search: with d from the centre of B to that of A
 * and R the sum of the radii, the best plane is normal to d, in the middle of the gap, and
 *
 *     Q = 4 / (|d| - R)
 *
 * A value f(Q) has the force f' Q' along d, and the second derivatives (f'' Q'^2 + f' Q'') n n' +
 * f' Q' / |d| (I - n n') by d; bodies' turns do not matter.
 *
 * Nothing is crossed. The centres of free bodies move along lines, and so does d: the place on its
 * segment that is nearest to the origin has to be farther than R.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

static inline int is_free_ball(const tci_implicit_run *run, uint32_t piece)
{
    const tc_implicit_piece *const own = &run->scene->piece[piece];
    if (own->set.count != 1u || run->reach[piece] != TC_C(0.0)) return 0;
    return own->body != TC_IMPLICIT_WORLD && tci_implicit_is_free(&run->scene->body[own->body]);
}

int tci_implicit_meet_as_balls(const tci_implicit_run *run, uint32_t pair)
{
    const tc_implicit_pair *const both = &run->scene->pair[pair];
    if (both->friction > TC_C(0.0)) return 0;
    return is_free_ball(run, both->a) && is_free_ball(run, both->b);
}

/* d of the poses `at` */
static inline void part_centres(const tci_implicit_run *run, uint32_t pair, const tc_real *at,
                                tc_real *d)
{
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t stride = run->space->pose, position = run->space->position;
    const tc_real *const a = at + scene->piece[scene->pair[pair].a].body * stride + position;
    const tc_real *const b = at + scene->piece[scene->pair[pair].b].body * stride + position;
    d[0] = a[0] - b[0];
    d[1] = a[1] - b[1];
    d[2] = run->space->dimension == 3u ? a[2] - b[2] : TC_C(0.0);
}

static tc_real radii_of(const tci_implicit_run *run, uint32_t pair)
{
    const tc_implicit_pair *const both = &run->scene->pair[pair];
    return run->scene->piece[both->a].set.radius + run->scene->piece[both->b].set.radius;
}

int tci_implicit_pass_balls(const tci_implicit_run *run, uint32_t pair, tc_real margin)
{
    const tc_real R = radii_of(run, pair);
    tc_real from[3], d[3], step[3];
    part_centres(run, pair, run->at, from);
    part_centres(run, pair, run->at_trial, d);
    for (uint32_t i = 0; i < 3u; ++i) step[i] = d[i] - from[i];
    const tc_real nearer = -tc_vec_dot3(from, step), square = tc_vec_dot3(step, step);
    if (nearer > TC_C(0.0) && nearer < square) {
        const tc_real share = nearer / square;
        for (uint32_t i = 0; i < 3u; ++i) d[i] = TC_MLA(from[i], share, step[i]);
    }
    return tc_vec_dot3(d, d) > (R + margin) * (R + margin);
}

tc_real tci_implicit_meet_balls(const tci_implicit_run *run, uint32_t pair, tc_real *gap)
{
    tc_real d[3];
    part_centres(run, pair, run->at_trial, d);
    *gap = tc_sqrt(tc_vec_dot3(d, d)) - radii_of(run, pair);
    return *gap > TC_C(0.0) ? tci_barrier_value(&run->scene->barrier, TC_C(4.0) / *gap) : TC_C(0.0);
}

void tci_implicit_part_balls(const tci_implicit_run *run, uint32_t pair, tc_real *plane)
{
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t D = run->space->dimension;
    tci_barrier_weight weight;
    tc_real d[3];
    part_centres(run, pair, run->at, d);
    const tc_real length = tc_sqrt(tc_vec_dot3(d, d)), gap = length - radii_of(run, pair);
    tci_barrier_weigh(&scene->barrier, TC_C(4.0) / gap, &weight);
    const tc_real per = weight.length / length;
    for (uint32_t i = 0; i < D; ++i) plane[i] = per * d[i];
    plane[D] = TC_C(0.5) * weight.length
               * (scene->piece[scene->pair[pair].a].set.radius
                  - scene->piece[scene->pair[pair].b].set.radius);
}

/* Force and stiffness [3 x 3] by d */
static void press_apart(const tci_implicit_run *run, uint32_t pair, tc_real force[3], tc_real K[9])
{
    tc_real d[3], first, second;
    part_centres(run, pair, run->at, d);
    const tc_real length = tc_sqrt(tc_vec_dot3(d, d)), inverse = TC_C(1.0) / length;
    const tc_real Q = TC_C(4.0) / (length - radii_of(run, pair)), rate = TC_C(-0.25) * Q * Q;
    tci_barrier_bend_of(&run->scene->barrier, Q, &first, &second);
    const tc_real push = run->scene->weight * first * rate, across = push * inverse;
    const tc_real bend =
        TC_MLS(run->scene->weight * second * rate * rate, TC_C(0.5) * push, Q) - across;
    for (uint32_t i = 0; i < 3u; ++i) d[i] *= inverse;
    for (uint32_t i = 0; i < 3u; ++i) {
        force[i] = push * d[i];
        for (uint32_t j = 0; j < 3u; ++j) K[3u * i + j] = bend * (d[i] * d[j]);
        K[4u * i] += across;
    }
}

/* Adds force and stiffness to a body's own */
static void press_body(tci_implicit_run *run, uint32_t body, tc_real sign, const tc_real force[3],
                       const tc_real K[9])
{
    const uint32_t F = run->space->chart;
    tc_real *const gradient = run->body_gradient + body * F;
    tc_real *hessian = run->body_hessian + body * TCI_IMPLICIT_PACKED(F);
    for (uint32_t i = 0; i < run->space->dimension; ++i) {
        gradient[i] = TC_MLA(gradient[i], sign, force[i]);
        for (uint32_t j = 0; j <= i; ++j) *hessian++ += K[3u * i + j];
    }
}

void tci_implicit_press_balls(tci_implicit_run *run, uint32_t pair)
{
    const tc_implicit_scene *const scene = run->scene;
    const uint32_t a = scene->piece[scene->pair[pair].a].body;
    const uint32_t b = scene->piece[scene->pair[pair].b].body;
    const uint32_t low = tci_implicit_first(run, a < b ? a : b, 1);
    const uint32_t high = tci_implicit_first(run, a < b ? b : a, 1);
    tc_real force[3], K[9];
    press_apart(run, pair, force, K);
    press_body(run, a, TC_C(1.0), force, K);
    press_body(run, b, TC_C(-1.0), force, K);
    for (uint32_t i = 0; i < run->space->dimension; ++i) {
        tc_real *const row = run->hessian + TCI_IMPLICIT_PACKED(high + i) + low;
        for (uint32_t j = 0; j < run->space->dimension; ++j) row[j] -= K[3u * i + j];
    }
}
